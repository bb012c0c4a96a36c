"""Chance in what is imagined, and among moves as good. Rules of play are given cards in order and draw nothing."""

from __future__ import annotations

from typing import Protocol

from upcard.rules.cards import Card, Cards, count, nth_card
from upcard.rules.marks import rule


class Luck(Protocol):
    """Where random numbers come from: Python's generator, or in compiled loops their own."""

    def randrange(self, stop: int, /) -> int: ...


@rule
def below(luck: Luck, n: int) -> int:
    """A random number from 0 to n - 1."""
    return luck.randrange(n)


@rule
def any_card(luck: Luck, cards: Cards) -> Card:
    """Any card of a set that is not empty."""
    return nth_card(cards, below(luck, count(cards)))


@rule
def any_cards(luck: Luck, cards: Cards, n: int) -> Cards:
    """Any so many cards of a set."""
    drawn = 0
    for _ in range(n):
        drawn |= 1 << any_card(luck, cards & ~drawn)
    return drawn


LOTS = 20
"""Bits of a lot."""
_HALF = (1 << 31) - 1


@rule
def lot(luck: int, i: int) -> int:
    """The lot of the i-th of several moves, drawn from the one number that a heuristic gets: the highest is as likely
    to be that of any move as of any other."""
    x = (luck + i * 0x5851F42D) & _HALF
    x = (x ^ x >> 16) * 0x45D9F3B & _HALF
    x = (x ^ x >> 15) * 0x2C1B3C6D & _HALF
    return (x ^ x >> 16) >> 31 - LOTS
