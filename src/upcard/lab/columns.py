"""Deals and matches as columns, with one row per deal (or match) and seat."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.engine.errors import UpcardError
from upcard.lab.arguments import output_file, writing_to
from upcard.lab.decision_value import COLUMNS
from upcard.lab.runner import WHOLE, Batch, MatchSpec
from upcard.laws.numbers import trial_as_dict
from upcard.rules import cards
from upcard.rules.game import Game
from upcard.rules.phrases import brief, counted, how_to_get, plural

ColumnArray = NDArray[Any]


class NoColumn(UpcardError, KeyError):
    """There is no such column; as in any mapping, also a KeyError."""

    __str__ = Exception.__str__  # KeyError's own would put the message in quotes


@dataclass(frozen=True, eq=False, repr=False)
class Played(Mapping[str, ColumnArray]):
    """Deals or matches as a mapping from column names to columns. A column has one entry per deal and seat: first all
    seats of the first deal, then those of the second, and so on.

    In the NumPy columns, a set of cards is a bit set, cards and suits are their numbers, and negative numbers mean
    "nobody" or "nothing". In files and data frames, cards are text.
    """

    unit: str
    """Whether a row is one seat of a "deal" or of a "match"."""
    setup: Game[Any]
    seed: int
    by: tuple[str, ...]
    """The name of each seat's player."""
    number: int
    tables: Mapping[str, ColumnArray]
    """The columns as two-dimensional arrays, deals by seats."""
    kinds: Mapping[str, str]
    """By column, the meaning of its numbers if they are codes: "set" (of cards), "card", "suit" or "player"."""

    def __getitem__(self, name: str) -> ColumnArray:
        return np.ravel(self.by_deal(name))

    def __iter__(self) -> Iterator[str]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    def __repr__(self) -> str:
        return f"<{counted(self.number, self.unit)} of {self.setup.game.slug}: {', '.join(self)}>"

    @property
    def trial(self) -> dict[str, Any] | None:
        """The result of the trial of other numbers than the game's own: see `upcard.laws.numbers.trial_as_dict`."""
        return trial_as_dict(self.setup)

    def by_deal(self, name: str) -> ColumnArray:
        """A column as a two-dimensional array, deals by seats. Raises NoColumn if there is no such column."""
        if not isinstance(name, str) or name not in self.tables:
            raise NoColumn(f"there is no column {brief(name)} (there are: {', '.join(self)})")
        return self.tables[name]

    def count(self, words: str) -> ColumnArray:
        """How many of these cards each seat was dealt: `"Kh Qh"`, ranks as `"K Q J"`, suits as `"s h"`.

        Returns one number per deal and seat. Raises UpcardError for a word that is not a card, rank or suit.
        """
        wanted = set_of(words)
        if "hand" not in self.tables:
            raise UpcardError(f"{plural(self.unit)} have no column of dealt cards: use lab.deals")
        held = [self[name] for name in ("hand", "hand_twice") if name in self.tables]
        total: ColumnArray = sum(
            np.bitwise_count(cards_held & np.int64(wanted)).astype(np.int64) for cards_held in held
        )
        return total + (self["hand_jokers"] if wanted >> cards.JOKER & 1 and "hand_jokers" in self.tables else 0)

    # --------------------------------------------------------------------------------------------------------- output

    def plain(self) -> dict[str, ColumnArray]:
        """All columns in the form used in files and data frames: cards, suits and players are text."""
        return {name: self._readable(name) for name in self}

    def _readable(self, name: str) -> ColumnArray:
        column, kind = self[name], self.kinds.get(name)
        if kind is None:
            return column
        different, places = np.unique(column, return_inverse=True)
        return np.array([self._text(kind, number) for number in different.tolist()], object)[places]

    def _text(self, kind: str, number: int) -> str:
        if kind == "player":
            return self.by[number]
        if kind == "set":
            return " ".join(map(cards.text, cards.as_list(number)))
        if number < 0:
            return ""
        return cards.text(number) if kind == "card" else cards.SUITS[number]

    def write_csv(self, path: str | Path) -> None:
        """Write a CSV file. Raises UpcardError if `path` is not a file name or cannot be written."""
        columns, path = self.plain(), output_file("a table", path)
        with writing_to(path), path.open("w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(columns)
            rows.writerows(zip(*(column.tolist() for column in columns.values()), strict=True))

    def write_parquet(self, path: str | Path) -> None:
        """Write a Parquet file. Raises UpcardError if Polars is not installed, or if `path` is not a file name or
        cannot be written."""
        frame, path = self.polars(), output_file("a table", path)
        with writing_to(path):
            frame.write_parquet(path)

    def polars(self) -> Any:
        """Convert to a Polars data frame. Raises UpcardError if Polars is not installed."""
        try:
            import polars  # optional, and slow to import
        except ImportError:
            raise UpcardError(f"this needs Polars: {how_to_get('lab')}") from None
        return polars.DataFrame(
            {name: column.tolist() if column.dtype == object else column for name, column in self.plain().items()}
        )

    def pandas(self) -> Any:
        """Convert to a pandas data frame. Raises UpcardError if pandas is not installed."""
        try:
            import pandas  # optional, and slow to import
        except ImportError:
            raise UpcardError("this needs pandas: pip install pandas") from None
        return pandas.DataFrame(self.plain())


def check_played(how: str, played: object) -> None:
    """Raises UpcardError for anything but a `Played`; `how` is the participle in the message."""
    if not isinstance(played, Played):
        raise UpcardError(f"what is {how} must be deals or matches from lab.deals, not {brief(played)}")


def set_of(words: str) -> int:
    """The set of these cards, ranks and suits. Raises UpcardError for any other word."""
    if not isinstance(words, str) or not words.strip():
        raise UpcardError(f"cards are one text, such as 'Kh Qh', 'K Q J' or 's h', not {brief(words)}")
    wanted = 0
    for word in words.split():
        card, rank, suit = cards.read(word), cards.read_rank(word), cards.read_suit(word)
        if card is not None:
            wanted |= 1 << card
        elif rank is not None:
            wanted |= cards.as_set(13 * each + rank for each in range(4))
        elif suit is not None:
            wanted |= cards.SUIT_CARDS << 13 * suit
        else:
            raise UpcardError(f"{brief(word)} is not a card, rank or suit")
    return wanted


# ------------------------------------------------------------------------------------------------------- from matches

OF_EVERY_GAME = "deal", "seat", "player", "dealer", "first", "moves", "choices", "forced", "points", "won"


def columns(batch: Batch) -> dict[str, ColumnArray]:
    """The columns of these deals or matches, as arrays with the shape (deals, seats)."""
    spec, results, seats = batch.spec, batch.results, np.arange(batch.spec.setup.players)
    values = {
        "deal" if spec.most != WHOLE else "match": batch.numbers[:, None],
        "seat": seats,
        "player": seats,
        "dealer": batch.begun["dealer"][:, None],
        "first": results["begins"][:, None],
        **{name: results[name][:, None] for name in ("moves", "choices", "forced")},
        "points": batch.points,
        "won": batch.won,
    }
    if spec.most != WHOLE:
        values |= _dealt(batch)
    else:
        values |= {name: results[name][:, None] for name in ("deals", "changes", "settled")}
        values["behind"] = results["behind"]
    if spec.rollouts:
        values |= dict(zip(COLUMNS, batch.weighed.T[:, :, None], strict=True))
    return {name: np.array(np.broadcast_to(column, batch.won.shape)) for name, column in values.items()}


def as_played(spec: MatchSpec, values: dict[str, ColumnArray]) -> Played:
    """The deals or matches with these columns."""
    unit = "match" if spec.most == WHOLE else "deal"
    kinds = {name: kind for name, kind in _kinds(spec.setup.game).items() if name in values}
    return Played(unit, spec.setup, spec.seed, tuple(spec.seating.names), len(values["won"]), values, kinds)


def _dealt(batch: Batch) -> dict[str, ColumnArray]:
    """The columns that exist only for deals."""
    setup, dealt, ended = batch.spec.setup, batch.dealt, batch.ended
    game, seats = setup.game, setup.players
    values = {"dealer": dealt["dealer"][:, None], "hand": dealt[game.hand.first][:, :seats]}
    for name, field in (("hand_twice", game.hand.second), ("hand_jokers", game.hand.jokers)):
        if field is not None:
            values[name] = dealt[field][:, :seats]
    for name, field in _lasting_fields(game).items():
        values.setdefault(name, _field(game, field, ended[field], seats))
    if "bids" in values and "tricks" in values:
        values.setdefault("made", values["bids"] == values["tricks"])
    return values


def _field(game: type[Game[Any]], field: str, values: ColumnArray, seats: int) -> ColumnArray:
    spec = game.state.fields[field]
    if spec.of == "seats" and spec.length is None:
        return np.asarray(values[:, None] >> np.arange(seats) & 1 == 1)
    column = values[:, None] if spec.length is None else values[:, :seats]
    return np.asarray(column != 0 if spec.of == "flag" else column)


def _lasting_fields(game: type[Game[Any]]) -> dict[str, str]:
    """By column name, the state fields with results that outlast the deal: `last_bids` is the column `bids`. They never
    replace a column that every game has; a field whose short name is a column of weighed decisions uses its full
    name."""
    fields = game.state.fields
    lengths = None, fields["scores"].length
    lasting = [name for name, spec in fields.items() if spec.kept and spec.length in lengths]
    short = {name: name.removeprefix("last_") for name in lasting if name.startswith("last_")}
    named = {name if own in COLUMNS else own: name for name, own in short.items()}
    if "tricks" in fields:
        named.setdefault("tricks", "tricks")
    return {name: field for name, field in named.items() if name not in OF_EVERY_GAME}


def _kinds(game: type[Game[Any]]) -> dict[str, str]:
    """The meaning of the numbers in columns, as in `Played.kinds`."""
    kinds = {name: game.state.fields[field].of for name, field in _lasting_fields(game).items()}
    kinds = {name: kind for name, kind in kinds.items() if kind in ("set", "card", "suit")}
    twice = {"hand_twice": "set"} if game.hand.second else {}
    return kinds | {"player": "player", "hand": "set"} | twice
