"""What a seat sees as numbers: a tensor made from a view, and from nothing else.

Its parts follow from the declared fields of the game's state, so that all seats and all tables of a game have the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.engine.actions import action_space
from upcard.engine.setup import Setup
from upcard.engine.views import View, shown_fields, words
from upcard.rules.cards import SUITS
from upcard.rules.state import Field

LARGEST = float(1 << 24)
"""Numbers stand as they are, up to this: beyond it a float of 32 bits would not tell them apart."""
DIGITS = 64
Numbers = NDArray[np.float32]


@dataclass(frozen=True)
class Part:
    """One part of an observation: `shape` numbers from `start` on."""

    name: str
    """The field that it shows, or "observer", "sizes of …"."""
    of: str
    """"card", "seat", "suit" (a 1 at what it is, nothing but 0 where there is none), "set", "seats" (a 1 for each in
    it), "flag", "number", "code" (a number that stands for something, as 64 binary digits)."""
    start: int
    shape: tuple[int, ...]
    word: int
    """Where it begins in the whole numbers of a view, `upcard.engine.views.words`."""
    length: int
    """How many of these it has; each becomes `width` numbers."""
    width: int

    @property
    def stop(self) -> int:
        return self.start + self.length * self.width


class Observer:
    """Makes the observations of a table. `size` is how many numbers they have, made from so many `words`; `parts` says
    what they are."""

    def __init__(self, setup: Setup[Any]) -> None:
        game = setup.game
        self.seats: int = game.state.seats
        pack = action_space(setup).pack
        pack = action_space(setup).pack
        self.places = {card: place for place, card in enumerate(pack)}
        """Where each card has its 1."""
        self._widths = {"card": len(pack), "set": len(pack), "suit": len(SUITS), "seat": self.seats}
        self._widths |= {"seats": self.seats, "code": DIGITS}
        self.parts: list[Part] = []
        self.size = self.words = 0
        for name, spec in shown_fields(game).items():
            self._add(name, self._kind(spec), spec.length)
        self._add("observer", "seat", None)
        self._add("sizes of hands", "number", self.seats)
        for name in game.piles:
            self._add(f"size of {name}", "number", None)
        for name in game.aside:
            self._add(f"sizes of {name}", "number", self.seats)

    def _kind(self, spec: Field) -> str:
        """What the numbers of a field are; those of a pile that are no cards are codes, of melds and the like."""
        return "code" if spec.of == "number" and spec.length not in (None, self.seats) else spec.of

    def _add(self, name: str, of: str, length: int | None) -> None:
        width = self._widths.get(of)
        shape = tuple(number for number in (length, width) if number is not None) or (1,)
        self.parts.append(Part(name, of, self.size, shape, self.words, length or 1, width or 1))
        self.size = self.parts[-1].stop
        self.words += length or 1

    def observe(self, view: View[Any]) -> Numbers:
        """A new array with what a seat sees."""
        row = words(view)
        found = np.zeros(self.size, np.float32)
        for part in self.parts:
            shown = row[part.word : part.word + part.length]
            if part.of in ("flag", "number"):
                found[part.start : part.stop] = np.clip(shown, -LARGEST, LARGEST)
            else:
                for place, number in enumerate(shown):
                    for at in self._ones(part.of, number):
                        found[part.start + place * part.width + at] = 1
        return found

    def _ones(self, of: str, number: int) -> list[int]:
        """Where a number has its ones."""
        if of == "card":
            return [self.places[number]] if number in self.places else []
        if of == "set":
            return [self.places[card] for card in bits(number) if card in self.places]
        if of in ("seats", "code"):
            return list(bits(number & (1 << self._widths[of]) - 1))
        return [number] if 0 <= number < self._widths[of] else []

    def bounds(self) -> tuple[Numbers, Numbers]:
        """The lowest and the highest that each number can be."""
        low, high = np.zeros(self.size, np.float32), np.ones(self.size, np.float32)
        for part in self.parts:
            if part.of == "number":
                low[part.start : part.stop], high[part.start : part.stop] = -LARGEST, LARGEST
        return low, high


def bits(number: int) -> Iterator[int]:
    """The places of the ones of a number that is not negative, from the lowest."""
    while number:
        yield (number & -number).bit_length() - 1
        number &= number - 1
