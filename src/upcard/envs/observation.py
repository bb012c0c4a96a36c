"""What a seat sees as numbers: a tensor made from a view, and from nothing else.

Its parts follow from the declared fields of the game's state, so that all seats and all tables of a game have the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

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


WRITTEN = {"card": "ones", "seat": "ones", "suit": "ones", "set": "sets", "seats": "sets", "code": "sets"}
"""How the parts that are no plain numbers are written: by a 1 at a place, or by digits."""


class Plan(NamedTuple):
    """Which words of a view go where in an observation."""

    numbers: NDArray[np.int64]
    numbers_to: NDArray[np.int64]
    sets: NDArray[np.int64]
    digits: NDArray[np.int64]
    """Of all digits of these sets, 64 each, those that are shown."""
    digits_to: NDArray[np.int64]
    ones: NDArray[np.int64]
    ones_at: NDArray[np.int64]
    """By word and value where its 1 is, or -1; the last column is for what is no value."""


class Observer:
    """Makes the observations of a table. `size` is how many numbers they have, made from so many `words`; `parts` says
    what they are."""

    def __init__(self, setup: Setup[Any]) -> None:
        game = setup.game
        self.seats: int = game.state.seats
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
        row, plan = np.array(words(view), np.int64), self._plan
        found = np.zeros(self.size, np.float32)
        found[plan.numbers_to] = np.clip(row[plan.numbers], -LARGEST, LARGEST)
        digits = np.unpackbits(row[plan.sets].astype("<i8").view(np.uint8), bitorder="little")
        found[plan.digits_to] = digits[plan.digits]
        ones = row[plan.ones]
        at = plan.ones_at[np.arange(len(ones)), np.where((ones >= 0) & (ones < DIGITS), ones, DIGITS)]
        found[at[at >= 0]] = 1
        return found

    @cached_property
    def _plan(self) -> Plan:
        """How `observe` goes about it."""
        kinds: dict[str, list[tuple[int, int, str]]] = {"numbers": [], "sets": [], "ones": []}
        for part in self.parts:
            kind = WRITTEN.get(part.of, "numbers")
            kinds[kind] += [
                (part.word + place, part.start + place * part.width, part.of) for place in range(part.length)
            ]
        digits, digits_to = [], []
        for number, (_, start, of) in enumerate(kinds["sets"]):
            for digit, at in self._places_of(of).items():
                digits.append(number * DIGITS + digit)
                digits_to.append(start + at)
        ones_at = np.full((len(kinds["ones"]), DIGITS + 1), -1)
        for number, (_, start, of) in enumerate(kinds["ones"]):
            for value, at in self._places_of(of).items():
                ones_at[number, value] = start + at
        numbers, sets, ones = (np.array([word for word, _, _ in kinds[kind]], np.int64) for kind in kinds)
        numbers_to = np.array([start for _, start, _ in kinds["numbers"]], np.int64)
        return Plan(numbers, numbers_to, sets, np.array(digits, np.int64), np.array(digits_to, np.int64), ones, ones_at)

    def _places_of(self, of: str) -> dict[int, int]:
        """Where each value, or each member of a set, has its 1."""
        return self.places if of in ("card", "set") else {value: value for value in range(self._widths[of])}

    def bounds(self) -> tuple[Numbers, Numbers]:
        """The lowest and the highest that each number can be."""
        low, high = np.zeros(self.size, np.float32), np.ones(self.size, np.float32)
        for part in self.parts:
            if part.of == "number":
                low[part.start : part.stop], high[part.start : part.stop] = -LARGEST, LARGEST
        return low, high
