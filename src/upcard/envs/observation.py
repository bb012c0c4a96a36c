"""Observations: a seat's view as a tensor. It is made from the view and nothing else, so it cannot leak hidden cards.

Its parts follow from the declared fields of the game's state; they are the same for all seats of a table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.engine.actions import action_space
from upcard.engine.views import View, check_view, shown_fields, view_row
from upcard.rules.cards import SUITS
from upcard.rules.game import Game
from upcard.rules.knowledge import aside_fields, pile_fields
from upcard.rules.state import Field

LARGEST = float(1 << 24)
"""Numbers are clipped to this absolute value, up to which 32-bit floats represent all integers."""
DIGITS = 64
NO_CODE = -1
"""The number in place of a code where there is nothing, such as no meld."""
FloatArray32 = NDArray[np.float32]


@dataclass(frozen=True)
class Part:
    """A part of an observation: the numbers from index `start` on, which have this `shape`."""

    name: str
    """The name of the field that the part shows, or "observer", or "sizes of …"."""
    of: str
    """The encoding: "card", "seat" or "suit" (one-hot; all 0 if there is none), "set" or "seats" (a 1 for each member),
    "flag", "number", or "code" (64 binary digits, for numbers that encode something else; all 0 if there is none)."""
    start: int
    shape: tuple[int, ...]
    word: int
    """The index of its first integer in `upcard.engine.views.view_row`."""
    length: int
    """The number of those integers; each becomes `width` numbers."""
    width: int

    @property
    def stop(self) -> int:
        return self.start + self.length * self.width


WRITTEN = {"card": "ones", "seat": "ones", "suit": "ones", "set": "sets", "seats": "sets", "code": "sets"}
"""How parts other than plain numbers are encoded: one-hot ("ones") or by binary digits ("sets")."""


class ViewIndices(NamedTuple):
    """Index arrays that map the integers of a view to the numbers of an observation."""

    numbers: NDArray[np.int64]
    numbers_to: NDArray[np.int64]
    sets: NDArray[np.int64]
    digits: NDArray[np.int64]
    """The indices of the digits that are shown, among all digits of these sets (64 for each)."""
    digits_to: NDArray[np.int64]
    are_codes: NDArray[np.bool_]
    """Which of the sets are codes."""
    ones: NDArray[np.int64]
    ones_at: NDArray[np.int64]
    """For each integer (row) and value (column), the index of its 1, or -1. The last column is for other values."""


class Observer:
    """Makes the observations of a table: arrays of `size` numbers, described by `parts`, from `words` integers.

    Raises UpcardError for anything but a `Setup`.
    """

    def __init__(self, setup: Game[Any]) -> None:
        pack = action_space(setup).pack
        game = setup.game
        self.seats: int = game.state.seats
        self.places = {card: place for place, card in enumerate(pack)}
        """The index of each card in a one-hot encoding."""
        self._widths = {"card": len(pack), "set": len(pack), "suit": len(SUITS), "seat": self.seats}
        self._widths |= {"seats": self.seats, "code": DIGITS}
        self.parts: list[Part] = []
        self.size = self.words = 0
        for name, spec in shown_fields(game).items():
            self._add(name, self._kind(spec), spec.length)
        self._add("observer", "seat", None)
        self._add("sizes of hands", "number", self.seats)
        for name in pile_fields(game.state):
            self._add(f"size of {name}", "number", None)
        for name in aside_fields(game.state, game.hand):
            self._add(f"sizes of {name}", "number", self.seats)

    def _kind(self, spec: Field) -> str:
        """The encoding of a field. Numbers in a row that is not per seat are codes, such as those of melds."""
        return "code" if spec.of == "number" and spec.length not in (None, self.seats) else spec.of

    def _add(self, name: str, of: str, length: int | None) -> None:
        width = self._widths.get(of)
        shape = tuple(number for number in (length, width) if number is not None) or (1,)
        self.parts.append(Part(name, of, self.size, shape, self.words, length or 1, width or 1))
        self.size = self.parts[-1].stop
        self.words += length or 1

    def observe(self, view: View[Any]) -> FloatArray32:
        """A new array with the observation of a view's seat. Raises UpcardError for anything but a view."""
        check_view(view)
        row, indices = np.array(view_row(view), np.int64), self._indices
        numbers = np.zeros(self.size, np.float32)
        numbers[indices.numbers_to] = np.clip(row[indices.numbers], -LARGEST, LARGEST)
        sets = row[indices.sets]
        sets[indices.are_codes & (sets == NO_CODE)] = 0
        digits = np.unpackbits(sets.astype("<i8").view(np.uint8), bitorder="little")
        numbers[indices.digits_to] = digits[indices.digits]
        ones = row[indices.ones]
        at = indices.ones_at[np.arange(len(ones)), np.where((ones >= 0) & (ones < DIGITS), ones, DIGITS)]
        numbers[at[at >= 0]] = 1
        return numbers

    @cached_property
    def _indices(self) -> ViewIndices:
        """The index arrays of `observe`, made once."""
        kinds: dict[str, list[tuple[int, int, str]]] = {"numbers": [], "sets": [], "ones": []}
        for part in self.parts:
            kind = WRITTEN.get(part.of, "numbers")
            kinds[kind] += [
                (part.word + place, part.start + place * part.width, part.of) for place in range(part.length)
            ]
        digits, digits_to = [], []
        for number, (_, start, of) in enumerate(kinds["sets"]):
            for digit, at in self.places_of(of).items():
                digits.append(number * DIGITS + digit)
                digits_to.append(start + at)
        ones_at = np.full((len(kinds["ones"]), DIGITS + 1), -1)
        for number, (_, start, of) in enumerate(kinds["ones"]):
            for value, at in self.places_of(of).items():
                ones_at[number, value] = start + at
        numbers, sets, ones = (np.array([word for word, _, _ in kinds[kind]], np.int64) for kind in kinds)
        numbers_to = np.array([start for _, start, _ in kinds["numbers"]], np.int64)
        return ViewIndices(
            numbers,
            numbers_to,
            sets,
            np.array(digits, np.int64),
            np.array(digits_to, np.int64),
            np.array([of == "code" for _, _, of in kinds["sets"]], np.bool_),
            ones,
            ones_at,
        )

    def places_of(self, of: str) -> dict[int, int]:
        """The index of the 1 for each value, or for each member of a set, in the encoding `of` of a part."""
        return self.places if of in ("card", "set") else {value: value for value in range(self._widths[of])}

    def bounds(self) -> tuple[FloatArray32, FloatArray32]:
        """The lowest and the highest possible value of each number."""
        low, high = np.zeros(self.size, np.float32), np.ones(self.size, np.float32)
        for part in self.parts:
            if part.of == "number":
                low[part.start : part.stop], high[part.start : part.stop] = -LARGEST, LARGEST
        return low, high
