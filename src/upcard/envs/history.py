"""A seat's history: the events that it has heard since the match began, as a matrix with a row for each, the latest
last.

Together with the observations at the seat's own decisions, this gives a player perfect recall.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from upcard.engine.actions import action_space
from upcard.engine.errors import UpcardError
from upcard.engine.events import SeenEvent
from upcard.engine.views import View
from upcard.envs.observation import FloatArray32
from upcard.rules.cards import RANKS, SUITS, Card, as_list
from upcard.rules.game import Game
from upcard.rules.notation import verb_index
from upcard.rules.phrases import brief, whole_number
from upcard.rules.state import AWAITING, DEAL, Field

MOST_ROWS = 100_000
"""The limit on the rows of a history; no match reaches it."""
HistoryRow = list[tuple[str, int, float]]
"""The nonzero entries of a row: the name of the column group, the index in it, and the number."""


@dataclass(frozen=True)
class Column:
    """A group of columns of a history: `width` columns from `start` on."""

    name: str
    """"seat" (who moved), "chance" (the kind of chance event), "verb" (in the order of the game's verbs), "card",
    "suit", "rank" and "player" (a 1 for each that the move names), "number" (the number that it names) or "hidden" (the
    number of cards in a move that names them to its own seat only). With sights also "taken", "shown" and the names of
    fields that reveal numbers: see `Recall.came`."""
    start: int
    width: int


class Recall:
    """Makes the histories of a table: the latest `most` rows of `width` numbers each, padded with zeros at the front.

    With `sights`, rows have additional columns for what became visible to the seat: see `came`.
    Raises UpcardError unless `most` is a whole number from 0 to `MOST_ROWS`, and for anything but a `Setup`.
    """

    def __init__(self, setup: Game[Any], most: int, *, sights: bool = False) -> None:
        number = whole_number(most)
        if number is None or number < 0:
            raise UpcardError(f"history is a whole number from 0 up, not {brief(most)}")
        if number > MOST_ROWS:
            asked = f"{number:,}" if number < 10**15 else brief(number)
            raise UpcardError(f"history is at most {MOST_ROWS:,} rows, not {asked}")
        self.most = number
        self._places = {card: place for place, card in enumerate(action_space(setup).pack)}
        self._notation = setup.game.notation
        seats = setup.game.state.seats
        widths = {"seat": seats, "chance": len(AWAITING) - 1, "verb": len(self._notation.verbs)}
        widths |= {"card": len(self._places), "suit": len(SUITS), "rank": len(RANKS), "player": seats}
        widths |= {"number": 1, "hidden": 1}
        self._revealing: dict[str, Field] = {}
        if sights:
            fields = setup.game.state.fields.items()
            open_parts = {spec.shown for _, spec in fields}
            self._revealing = {
                name: spec for name, spec in fields if spec.reveals or spec.seen_by or name in open_parts
            }
            widths |= dict.fromkeys(("taken", "shown"), len(self._places))
            widths |= {name: spec.length or 1 for name, spec in self._revealing.items() if spec.of == "number"}
        self.columns: dict[str, Column] = {}
        self.width = 0
        for name, width in widths.items():
            self.columns[name] = Column(name, self.width, width)
            self.width += width

    def numbers(self, heard: Sequence[SeenEvent]) -> FloatArray32:
        """A new array with the history of a seat; `heard` is the result of `Match.history`."""
        latest = heard[max(0, len(heard) - self.most) :]
        return self.table([row for event in latest for row in self.told(event)])

    def table(self, rows: Sequence[HistoryRow]) -> FloatArray32:
        """A new array with the latest of these rows."""
        numbers = np.zeros((self.most, self.width), np.float32)
        rows = rows[max(0, len(rows) - self.most) :]
        for place, row in enumerate(rows, self.most - len(rows)):
            for name, at, number in row:
                numbers[place, self.columns[name].start + at] = number
        return numbers

    def came(self, event: SeenEvent, before: View[Any], after: View[Any]) -> HistoryRow:
        """The part of an event's row, in recalls with sights, for what the event made visible to a seat.

        `before` and `after` are the seat's views. The row has the cards "taken" into the seat's hand (2 for both copies
        of a card), the cards "shown" that were turned up or laid open (including those that a move has named, if they
        are open from then on), and the new values of fields that reveal numbers. After a deal everything is new except
        what lasts for the match.
        """
        dealt = event.seat is None and event.move == DEAL
        had = Counter() if dealt else _hand(before)
        row: HistoryRow = [("taken", self._places[card], number) for card, number in (_hand(after) - had).items()]
        for name, spec in self._revealing.items():
            blank = dealt and not spec.kept
            then = [spec.blank] * (spec.length or 1) if blank else _listed(getattr(before.state, name))
            for at, (old, new) in enumerate(zip(then, _listed(getattr(after.state, name)), strict=True)):
                if new != old:
                    row += [(name, at, new)] if spec.of == "number" else self._shown(spec, old, new)
        return row

    def _shown(self, spec: Field, old: int, new: int) -> HistoryRow:
        """The cards that a change of a field shows."""
        if spec.of == "set":  # what lasts for the match is about a whole deal: it may have the same card again
            cards = as_list(new if spec.kept else new & ~old)
        else:
            cards = [new]
        return [("shown", self._places[card], 1) for card in cards if card in self._places]

    def told(self, event: SeenEvent) -> Iterator[HistoryRow]:
        """The rows of an event: one, or if it reveals sealed moves, one for each of them in the order of the seats."""
        if event.seat is None:
            yield [("chance", AWAITING.index(event.word) - 1, 1)]
        elif event.opened:
            yield from (self._move(seat, move) for seat, move in event.opened)
        elif event.move is not None:
            yield self._move(event.seat, event.move)
        else:
            verb = next(i for i, verb in enumerate(self._notation.verbs) if verb.word == event.word)
            yield [("seat", event.seat, 1), ("verb", verb, 1), ("hidden", 0, event.count or 0)]

    def _move(self, seat: int, move: int) -> HistoryRow:
        row: HistoryRow = [("seat", seat, 1), ("verb", verb_index(move), 1)]
        for kind, item in zip(self._notation.kinds(move), self._notation.items(move), strict=True):
            if kind == "number":
                row.append(("number", 0, item))
            else:
                row.append(("player" if kind == "seat" else kind, self._places[item] if kind == "card" else item, 1))
        return row


def _hand(seen: View[Any]) -> Counter[Card]:
    """The cards in the hand of the view's seat."""
    return Counter(card for card in seen.hand() if card is not None)


def _listed(value: int | list[int]) -> list[int]:
    return value if isinstance(value, list) else [value]
