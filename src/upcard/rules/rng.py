"""Random numbers for completing worlds and for choosing among equal moves. The rules of a game do not use them."""

from __future__ import annotations

from typing import Protocol

from upcard.rules.cards import Card, Cards, count, nth_card
from upcard.rules.marks import rule
from upcard.rules.renamed import former_names


class Rng(Protocol):
    """A source of random numbers: `random.Random`, or the generator of a compiled loop."""

    def randrange(self, stop: int, /) -> int: ...


@rule
def below(rng: Rng, n: int) -> int:
    """A random number from 0 to n - 1."""
    return rng.randrange(n)


@rule
def any_card(rng: Rng, cards: Cards) -> Card:
    """A random card of a set that is not empty."""
    return nth_card(cards, below(rng, count(cards)))


@rule
def any_cards(rng: Rng, cards: Cards, n: int) -> Cards:
    """A random subset of n cards."""
    drawn = 0
    for _ in range(n):
        drawn |= 1 << any_card(rng, cards & ~drawn)
    return drawn


LUCK = 1 << 31
"""The upper limit, exclusive, of the random number that a heuristic gets."""
LOTS = 20
"""The number of bits of a lot."""
_HALF = LUCK - 1


@rule
def lot(luck: int, i: int) -> int:
    """A hash of `luck`, the random number that a heuristic gets, and the index of a move. The move with the highest lot
    is a random one."""
    x = (luck + i * 0x5851F42D) & _HALF
    x = (x ^ x >> 16) * 0x45D9F3B & _HALF
    x = (x ^ x >> 15) * 0x2C1B3C6D & _HALF
    return (x ^ x >> 16) >> 31 - LOTS


__getattr__ = former_names(__name__, Luck="Rng")
