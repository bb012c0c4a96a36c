"""The value of cards: a regression of a seat's result in a deal on the cards that it was dealt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.engine.setup import setup_of
from upcard.lab.arguments import between
from upcard.lab.columns import Played, as_played, check_played, columns, set_of
from upcard.lab.dealing import CHUNK
from upcard.lab.experiment import Experiment
from upcard.lab.intervals import FINEST, Interval, simultaneous_level, surely_not
from upcard.lab.runner import Batch, match_spec
from upcard.lab.seating import By
from upcard.lab.sums import GROUPS, Estimates, FloatArray, Sums, are_precise, estimate
from upcard.rules.cards import RANKS, as_set
from upcard.rules.game import Game
from upcard.rules.phrases import as_items, brief, counted
from upcard.rules.renamed import former_names


@dataclass(frozen=True)
class CardValue:
    """The effect of one more of these cards on the result, other things being equal."""

    cards: str
    value: float
    interval: Interval
    """All intervals of one call together are right in 95 of 100 cases (simultaneous coverage)."""
    control: float
    """The value estimated from the hands of another deal, which cannot have had an effect: it is due to chance
    alone."""
    control_interval: Interval
    told: bool
    """Whether the value is significant (by Holm's procedure, so this can be true even if the interval includes 0)."""

    def __str__(self) -> str:
        doubt = "" if self.told else ": not significant"
        return f"{self.cards}: {self.value:+.3g} ({self.interval:+.3g}){doubt}"


@dataclass(frozen=True)
class CardValues:
    """The values of one more card of each kind, estimated from many deals."""

    game: str
    what: str
    number: int
    """The number of deals."""
    seed: int
    values: list[CardValue]
    reached: bool = False
    """Whether a precision was asked for and the intervals have it."""

    def __str__(self) -> str:
        head = (
            f"What one more card adds to {self.what}: {counted(self.number, 'deal')} of {self.game}, seed {self.seed}"
        )
        lucky = sum(not value.control_interval.has(0) for value in self.values)
        rows = [f"{head}; 95 % intervals for all together", *(f"  {value}" for value in self.values)]
        many = len(self.values)
        return "\n".join([*rows, f"  as a check, with hands from other deals: {lucky} of {many} intervals exclude 0"])


def cards(
    setup: Game[Any] | type[Game[Any]] | str,
    number: int,
    kinds: Sequence[str] | None = None,
    *,
    what: str = "points",
    by: By = "random",
    dealer: int | None = None,
    seed: int = 1,
    precision: float | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    progress: Callable[[int], None] | None = None,
    kept: str | Path | None = None,
) -> CardValues:
    """Play `number` deals and estimate `card_values` from them in constant memory.

    With a `precision`, say 0.1, play stops when every value is known to within ± this, and `number` is an upper limit.
    The other arguments, and a run that is cut short, are as in `upcard.lab.deals`. Raises UpcardError for wrong
    arguments, and as `card_values` does.
    """
    precision = None if precision is None else between("precision", precision, FINEST, inf)
    spec = match_spec("deal", setup_of(setup), by, seed, dealer)
    pack = as_set(Match(spec.setup, dealer=0).chance_outcomes())
    sums = _Sums(_checked(kinds, lambda word: bool(set_of(word) & pack)), what, spec.setup.players)
    name = f"cards {sums.words} in {what}"
    experiment = Experiment(name, [spec], played_deals, number, CHUNK, jobs, cluster, progress, kept)

    def is_enough() -> bool:
        return precision is not None and are_precise(sums.estimate()[1], sums.number, precision)

    experiment.run(sums, is_enough)
    values = sums.values(kinds is not None)
    return CardValues(spec.setup.game.slug, what, sums.number, spec.seed, values, is_enough())


def played_deals(batches: Iterator[Batch]) -> Played:
    """The deals of the one table of an experiment."""
    batch = next(batches)
    return as_played(batch.spec, columns(batch))


def card_values(
    played: Played, words: Sequence[str] | None = None, *, what: str = "points", dealer: bool = True
) -> list[CardValue]:
    """The effect on a column of one more card of each of these kinds: `["K", "Q", "J"]`, `["Ah", "2h"]`, `["K Q J"]`.

    By default the kinds are the ranks. Values are estimated by ordinary least squares over all seats of all deals, with
    the place from the dealer as a control variable unless `dealer` is false; intervals treat deals as independent. If
    the words cover all cards that are dealt, values are relative to their mean, because hands have a fixed size. Raises
    UpcardError for words that are not cards or that were dealt to nobody, for a column that is not numeric, and unless
    there are more deals than seats.
    """
    check_played("explained", played)
    if played.unit != "deal":
        raise UpcardError("the value of cards is estimated from deals, not from matches")
    sums = _Sums(_checked(words, lambda word: bool(played.count(word).any())), what, played.setup.players, dealer)
    sums.add(played)
    return sums.values()


def _checked(words: Sequence[str] | None, is_dealt: Callable[[str], bool]) -> list[str]:
    """The kinds of cards, by default the ranks that are dealt. Raises UpcardError unless all are different and all are
    dealt."""
    if words is None:
        words = [rank for rank in RANKS[::-1] if is_dealt(rank)]
    asked = [words] if isinstance(words, str) else as_items(words)
    if asked is None:
        raise UpcardError(f"cards are a list of texts, for example ['K', 'Q'], not {brief(words)}")
    if never := [word for word in asked if not is_dealt(word)]:
        raise UpcardError(f"{never[0]} was dealt to nobody")
    if not asked:
        raise UpcardError("the value of cards needs at least one card or rank")
    if twice := [word for word in asked if asked.count(word) > 1]:
        raise UpcardError(f"{twice[0]} is asked for twice")
    return asked


class _Sums:
    """Sums over deals, from which the values of cards are estimated."""

    def __init__(self, words: list[str], what: str, seats: int, dealer: bool = True) -> None:
        self.words, self._what, self._seats, self._dealer = words, what, seats, dealer
        self._width = len(words) + (seats if dealer else 1)
        self._own, self._control = (Sums(self._width**2 + self._width) for _ in range(2))
        self._last = np.zeros((0, seats, len(words)))
        """The cards held in the most recent deals, one deal for each dealer."""

    @property
    def number(self) -> int:
        """The number of deals."""
        return self._own.number

    def add(self, played: Played) -> None:
        """Add the next deals. Raises UpcardError if the explained column is not numeric."""
        result = played.by_deal(self._what).astype(float)
        if self._what in played.kinds:
            raise UpcardError(f"{self._what} is not a number, and cannot be explained")
        held = np.stack([played.count(word).reshape(-1, self._seats) for word in self.words], axis=2).astype(float)
        places = (np.arange(self._seats) - played.by_deal("dealer")) % self._seats
        place = np.eye(self._seats)[places] if self._dealer else np.ones((*places.shape, 1))
        # The control uses the hands of the previous deal with the same dealer; the first deals have none.
        held_before = np.concatenate([self._last, held])
        without = max(0, self._seats - len(self._last))
        self._own.add(_rows(held, place, result))
        self._control.add(_rows(held_before[: -self._seats], place[without:], result[without:]))
        self._last = held_before[-self._seats :]

    def estimate(self, control: bool = False, words: Sequence[int] | None = None) -> Estimates:
        """The values of the words at these indices (by default, of all), with intervals."""
        words = range(len(self.words)) if words is None else words
        of = partial(_regress, width=self._width, words=words, places=range(len(self.words), self._width))
        return estimate(of, self._control if control else self._own, certain=simultaneous_level(len(words)))

    def values(self, all_of_them: bool = True) -> list[CardValue]:
        """The values of all words, or of those that were dealt. Raises UpcardError for a word that was not, and unless
        there are more deals than seats."""
        if self.number <= self._seats:
            raise UpcardError(f"the value of cards needs more deals than seats, not {self.number}")
        totals = self._own.groups.sum(axis=0)
        often, explained = totals[: self._width**2 : self._width + 1], totals[self._width**2 : -1]
        if not explained.any():
            raise UpcardError(f"{self._what} is 0 in every deal")
        dealt = [k for k, word in enumerate(self.words) if often[k]]
        if all_of_them and (never := [word for k, word in enumerate(self.words) if k not in dealt]):
            raise UpcardError(f"{never[0]} was dealt to nobody")
        own, control = (self.estimate(control, dealt) for control in (False, True))
        sure = surely_not(0, own[1], min(self.number, GROUPS) - 1)
        rows = zip([self.words[k] for k in dealt], *own, *control, sure, strict=True)
        return [CardValue(*row) for row in rows]

    def numbers(self) -> dict[str, FloatArray]:
        """The sums, to be saved in a file."""
        return {"own": self._own.groups, "control": self._control.groups, "last": self._last}

    def load(self, numbers: Mapping[str, FloatArray]) -> None:
        """Restore saved sums."""
        self._own.groups[:], self._control.groups[:], self._last = (numbers[one] for one in ("own", "control", "last"))


def _rows(held: FloatArray, place: FloatArray, result: FloatArray) -> FloatArray:
    """For each deal, the products whose sums the regression needs: X'X and X'y."""
    given = np.concatenate([held, place], axis=2)
    number, _, width = given.shape
    across = given.transpose(0, 2, 1)
    squares, products = across @ given, across @ result[:, :, None]
    return np.concatenate([squares.reshape(number, width * width), products.reshape(number, width)], axis=1)


def _regress(totals: FloatArray, *, width: int, words: Sequence[int], places: Sequence[int]) -> FloatArray:
    """The values of the cards, after projecting out the places (Frisch, Waugh and Lovell). If the words cover all cards
    of a hand, whose size is fixed, the values add up to 0: the mean result is not attributed to any card."""
    products = np.column_stack([totals[: width * width].reshape(width, width), totals[width * width : -1]])
    among = [*words, -1]
    by_place = np.linalg.pinv(products[np.ix_(places, places)]) @ products[np.ix_(places, among)]
    rest = products[np.ix_(words, among)] - products[np.ix_(words, places)] @ by_place
    return np.asarray(np.linalg.lstsq(rest[:, :-1], rest[:, -1], rcond=1e-9)[0])


__getattr__ = former_names(__name__, Cards="CardValues")
