"""What cards are worth: a regression of what a seat made of a deal on the cards that it was dealt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from upcard.engine.errors import UpcardError
from upcard.lab.columns import Played, check_played
from upcard.lab.intervals import Interval, surely_not, together
from upcard.lab.sums import GROUPS, Numbers, Sums, estimate
from upcard.rules import cards
from upcard.rules.words import brief


@dataclass(frozen=True)
class CardValue:
    """By how much one more of these cards changes the result, the other cards that were asked for being the same."""

    cards: str
    value: float
    interval: Interval
    """All of one question together hold the truth in 95 of 100 cases."""
    control: float
    """The same for the hands of another deal, which can have had no effect: what luck alone gives."""
    control_interval: Interval
    told: bool
    """Whether it can be told that they are worth something (Holm: this can be so where the interval reaches to 0)."""

    def __str__(self) -> str:
        told = "" if self.told else ": cannot be told"
        return f"{self.cards}: {self.value:+.3g} ({self.interval:+.3g}){told}"


def card_values(
    played: Played, words: Sequence[str] | None = None, *, what: str = "points", dealer: bool = True
) -> list[CardValue]:
    """What one more card of each of these kinds adds to a column: `["K", "Q", "J"]`, `["Ah", "2h"]`, `["K Q J"]`.

    Without words: of each rank. Ordinary least squares over all seats of all deals; the place from the dealer is
    allowed for unless `dealer` is false; intervals are over deals. Where the words name all cards that are dealt, a
    value is against their mean, as hands have a fixed size. Raises UpcardError for words that are no
    cards, for columns that are no numbers, and for too few deals for a check with other ones.
    """
    check_played("explained", played)
    if played.unit != "deal":
        raise UpcardError("the value of cards is asked of deals, not of matches")
    if words is not None and not isinstance(words, Iterable):
        raise UpcardError(f"cards are a list of texts, as ['K', 'Q'], not {brief(words)}")
    words = [words] if isinstance(words, str) else words
    words = list(words) if words is not None else [rank for rank in cards.RANKS[::-1] if played.count(rank).any()]
    if what in played.kinds:
        raise UpcardError(f"{what} is no number that could be explained")
    if not words:
        raise UpcardError("the value of cards is asked of one card or rank at least")
    if twice := [word for word in words if words.count(word) > 1]:
        raise UpcardError(f"{twice[0]} is asked for twice")
    seats, result = played.setup.players, played.by_deal(what).astype(float)
    held = np.stack([played.count(word).reshape(-1, seats) for word in words], axis=2).astype(float)
    if played.number <= seats:
        raise UpcardError(f"the value of cards is asked of more deals than seats, not of {played.number}")
    places = (np.arange(seats) - played.by_deal("dealer")) % seats
    place = np.eye(seats)[places] if dealer else np.ones((*places.shape, 1))
    found = [_estimate(np.concatenate([one, place], axis=2), result, words) for one in (held, _elsewhere(held, seats))]
    told = surely_not(0, found[0][1], min(played.number, GROUPS) - 1)
    rows = zip(words, *found[0], *found[1], told, strict=True)
    return [CardValue(*row) for row in rows]


def _elsewhere(held: NDArray[np.float64], seats: int) -> NDArray[np.float64]:
    """The hands of the deal before with the same dealer."""
    return np.roll(held, seats, axis=0)


def _estimate(given: Numbers, result: Numbers, words: list[str]) -> tuple[list[float], list[Interval]]:
    number, _, width = given.shape
    squares = np.einsum("dsa,dsb->dab", given, given).reshape(number, -1)
    sums = Sums(width * width + width)
    sums.add(0, np.concatenate([squares, np.einsum("dsa,ds->da", given, result)], axis=1))
    return estimate(partial(_regress, width=width, wanted=len(words)), sums, certain=together(len(words)))


def _regress(totals: Numbers, *, width: int, wanted: int) -> Numbers:
    """The values of the cards, with the places taken out first (Frisch, Waugh and Lovell): where all cards of a hand,
    whose number is fixed, are named, the values then add up to 0, and what every hand makes is nobody's."""
    squares, products = totals[: width * width].reshape(width, width), totals[width * width : -1]
    by_place = np.linalg.pinv(squares[wanted:, wanted:]) @ np.column_stack([squares[wanted:], products[wanted:]])
    rest = np.column_stack([squares[:wanted], products[:wanted]]) - squares[:wanted, wanted:] @ by_place
    return np.asarray(np.linalg.lstsq(rest[:, :wanted], rest[:, -1], rcond=1e-9)[0])
