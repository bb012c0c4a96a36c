"""The value of cards: a regression of a seat's result in a deal on the cards that it was dealt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from upcard.engine.errors import UpcardError
from upcard.lab.columns import Played, check_played
from upcard.lab.intervals import Interval, surely_not, together
from upcard.lab.sums import GROUPS, Numbers, Sums, estimate
from upcard.rules import cards
from upcard.rules.words import brief, items_of


@dataclass(frozen=True)
class CardValue:
    """By how much one more of these cards changes the result, other things being equal."""

    cards: str
    value: float
    interval: Interval
    """All intervals of one call together are right in 95 of 100 cases."""
    control: float
    """The value estimated from the hands of another deal, which cannot have had an effect: this is chance alone."""
    control_interval: Interval
    told: bool
    """Whether the value is significant (by Holm's procedure, so this can be true even if the interval includes 0)."""

    def __str__(self) -> str:
        told = "" if self.told else ": cannot be told"
        return f"{self.cards}: {self.value:+.3g} ({self.interval:+.3g}){told}"


def card_values(
    played: Played, words: Sequence[str] | None = None, *, what: str = "points", dealer: bool = True
) -> list[CardValue]:
    """What one more card of each of these kinds adds to a column: `["K", "Q", "J"]`, `["Ah", "2h"]`, `["K Q J"]`.

    By default the kinds are the ranks. Values are estimated by ordinary least squares over all seats of all deals, with
    the place from the dealer as a control variable unless `dealer` is false; intervals treat deals as independent. If
    the words cover all cards that are dealt, values are relative to their mean, because hands have a fixed size. Raises
    UpcardError for words that are not cards or that nobody was dealt, for a column that is not numeric, and unless
    there are more deals than seats.
    """
    check_played("explained", played)
    if played.unit != "deal":
        raise UpcardError("the value of cards is asked of deals, not of matches")
    words = _asked(played, words)
    if never := [word for word in words if not played.count(word).any()]:
        raise UpcardError(f"{never[0]} was dealt to nobody")
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


def _asked(played: Played, words: Sequence[str] | None) -> list[str]:
    """The kinds of cards that are asked for, by default the ranks that were dealt. Raises UpcardError."""
    if words is None:
        return [rank for rank in cards.RANKS[::-1] if played.count(rank).any()]
    asked = [words] if isinstance(words, str) else items_of(words)
    if asked is None:
        raise UpcardError(f"cards are a list of texts, as ['K', 'Q'], not {brief(words)}")
    return asked


def _elsewhere(held: NDArray[np.float64], seats: int) -> NDArray[np.float64]:
    """For each deal, the hands of the previous deal with the same dealer."""
    return np.roll(held, seats, axis=0)


def _estimate(given: Numbers, result: Numbers, words: list[str]) -> tuple[list[float], list[Interval]]:
    number, _, width = given.shape
    squares = np.einsum("dsa,dsb->dab", given, given).reshape(number, -1)
    sums = Sums(width * width + width)
    sums.add(np.concatenate([squares, np.einsum("dsa,ds->da", given, result)], axis=1))
    return estimate(partial(_regress, width=width, wanted=len(words)), sums, certain=together(len(words)))


def _regress(totals: Numbers, *, width: int, wanted: int) -> Numbers:
    """The values of the cards, after projecting out the places (Frisch, Waugh and Lovell). If all cards of a hand,
    whose size is fixed, are among the words, the values then add up to 0: the mean result is attributed to no card."""
    squares, products = totals[: width * width].reshape(width, width), totals[width * width : -1]
    by_place = np.linalg.pinv(squares[wanted:, wanted:]) @ np.column_stack([squares[wanted:], products[wanted:]])
    rest = np.column_stack([squares[:wanted], products[:wanted]]) - squares[:wanted, wanted:] @ by_place
    return np.asarray(np.linalg.lstsq(rest[:, :wanted], rest[:, -1], rcond=1e-9)[0])
