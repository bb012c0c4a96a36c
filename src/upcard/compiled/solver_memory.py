"""The working memory of the solver: see `upcard.compiled.solver`."""

from __future__ import annotations

from typing import Any

from upcard.compiled.machine import Machine
from upcard.compiled.words import INTEGER, SHORT, RecordField, RecordType, WordArray, records, working_memory
from upcard.engine.mistakes import SLACK
from upcard.rules.state import MOST_PLAYERS

WON = 1 << 20
"""The value of winning the match, greater than any utility of a deal."""
ANY = 4 * WON
"""Greater than any value."""
NONE = 8 * WON
"""Not a value."""
DEEPEST = 64
"""The most moves to the end of a deal that is solved."""
WIDTH = 48
"""The most numbers of a state in which stored positions may differ; positions with more differences are not stored."""
POSITIONS = 1 << 16
"""The most positions stored: 26 MB, of which a short endgame uses a small part."""
SLOTS = 4 * POSITIONS
HISTORY = 256
"""The number of different moves by whose success the others are ordered."""


def _numbers(*names: str) -> list[RecordField]:
    return [(name, INTEGER, None) for name in names]


ENTRY = RecordType([*_numbers("low", "high", "move"), ("key", INTEGER, WIDTH)])
"""A stored position: bounds of its value, the move that was best or refuted it, and its differences from the root."""


class Workspace:
    """Working memory of the solver: the position to be solved in `tables[0]`, and everything that is known about those
    after it. It serves one position; a solver of another one needs another workspace."""

    def __init__(self, run: Machine, state: Any) -> None:
        self.tables = run.states(DEEPEST)
        run.put(self.tables, 0, state)
        self.words = self.tables.as_matrix()
        """The same memory as `tables`, a row of numbers for each state."""
        self.levels = records(DEEPEST, _level_record(run))
        memory = _memory_record(run.state.size)
        self.memory = records(1, memory)
        self.memory.numbers[memory.first["in_trick"]] = run.state.first.get("in_trick", -1)
        self.entries = working_memory(POSITIONS + 1, record=ENTRY)
        self.slots = working_memory(SLOTS, SHORT)

    @property
    def arrays(self) -> tuple[WordArray, ...]:
        """The arguments of the solver that are working memory."""
        return self.tables, self.words, self.levels, self.memory, self.entries, self.slots


def _level_record(run: Machine) -> RecordType:
    """A record for each depth of the search."""
    rows: list[RecordField] = [("moves", INTEGER, run.game.most_moves + SLACK), ("key", INTEGER, WIDTH)]
    names = ("seat", "low", "high", "floor", "ceiling", "best", "move", "number", "tried", "stored", "hash", "entry")
    return RecordType([*rows, *_numbers(*names)])


def _memory_record(size: int) -> RecordType:
    """The rest of the working memory, for states of `size` numbers."""
    return RecordType(
        [
            ("column", INTEGER, size),  # by number of a state, its column in the keys plus 1; 0 if it has none
            ("columns", INTEGER, None),
            ("entries", INTEGER, None),
            ("ends", INTEGER, None),
            ("total", INTEGER, None),  # of the two seats' utilities, the same at all ends
            ("in_trick", INTEGER, None),  # the index of this number of a state, -1 if the game has none
            ("history", INTEGER, MOST_PLAYERS * HISTORY),
        ]
    )
