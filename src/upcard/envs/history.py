"""What a seat has heard since the match began, as numbers: a row for each thing said, the latest last.

With the observations at its own decisions, these are all that a player remembers who forgets nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from upcard.engine.actions import action_space
from upcard.engine.errors import UpcardError
from upcard.engine.events import Notice
from upcard.engine.setup import Setup
from upcard.envs.observation import Numbers
from upcard.rules.cards import RANKS, SUITS
from upcard.rules.state import AWAITING
from upcard.rules.words import brief


@dataclass(frozen=True)
class Column:
    """Some columns of a history: `width` numbers from `start` on."""

    name: str
    """"seat" (who moved), "chance" (what chance did), "verb" (as the game declares them), "card", "suit", "rank" and
    "player" (a 1 for each that the move names), "number" (what it names), "hidden" (cards that it is about and that
    are not told)."""
    start: int
    width: int


class Recall:
    """Makes the histories of a table: the latest `most` rows, each of `width` numbers; rows of 0 come before the first.

    Raises UpcardError unless `most` is a whole number from 0 up.
    """

    def __init__(self, setup: Setup[Any], most: int) -> None:
        if type(most) is not int or most < 0:
            raise UpcardError(f"history is a whole number from 0 up, not {brief(most)}")
        self.most = most
        self._notation = setup.game.notation
        self._places = {card: place for place, card in enumerate(action_space(setup).pack)}
        seats = setup.game.state.seats
        widths = {"seat": seats, "chance": len(AWAITING) - 1, "verb": len(self._notation.verbs)}
        widths |= {"card": len(self._places), "suit": len(SUITS), "rank": len(RANKS), "player": seats}
        widths |= {"number": 1, "hidden": 1}
        self.columns: dict[str, Column] = {}
        self.width = 0
        for name, width in widths.items():
            self.columns[name] = Column(name, self.width, width)
            self.width += width

    def numbers(self, heard: list[Notice]) -> Numbers:
        """A new array with what a seat has been told, `Match.history` of it."""
        rows = [row for notice in heard[-self.most :] for row in self._rows(notice)][-self.most :] if self.most else []
        found = np.zeros((self.most, self.width), np.float32)
        for place, row in enumerate(rows, self.most - len(rows)):
            for name, at, number in row:
                found[place, self.columns[name].start + at] = number
        return found

    def _rows(self, notice: Notice) -> Iterator[list[tuple[str, int, float]]]:
        """What is told, a row each: with sealed moves that are opened, those in the order of the seats."""
        if notice.seat is None:
            yield [("chance", AWAITING.index(notice.word) - 1, 1)]
        elif notice.opened:
            yield from (self._move(seat, move) for seat, move in notice.opened)
        elif notice.move is not None:
            yield self._move(notice.seat, notice.move)
        else:
            verb = next(i for i, verb in enumerate(self._notation.verbs) if verb.word == notice.word)
            yield [("seat", notice.seat, 1), ("verb", verb, 1), ("hidden", 0, notice.count or 0)]

    def _move(self, seat: int, move: int) -> list[tuple[str, int, float]]:
        row: list[tuple[str, int, float]] = [("seat", seat, 1), ("verb", move >> 51, 1)]
        for kind, item in zip(self._notation.kinds(move), self._notation.items(move), strict=True):
            if kind == "number":
                row.append(("number", 0, item))
            else:
                row.append(("player" if kind == "seat" else kind, self._places[item] if kind == "card" else item, 1))
        return row
