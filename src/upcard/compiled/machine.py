"""The machine that runs a game's compiled loops: machine code by numba, or in a browser WebAssembly.

Computer players know only `Machine`; neither numba nor NumPy is imported before a native loop is called.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable
from functools import cache
from typing import Any

from upcard.compiled.words import INTEGER, UNSIGNED, RecordField, RecordType, WordArray, records, signed
from upcard.engine.mistakes import MOST_CHANCE, SLACK
from upcard.policies.learned import learned_of, policy_of
from upcard.rules.game import Game
from upcard.rules.marks import is_plain

LOOPS = {
    "compare_moves": "comparing",
    "deal_worlds": "worlds",
    "draw_worlds": "comparing",
    "solve_moves": "solver",
    "temper_weights": "comparing",
    "try_answered": "lookahead",
    "try_moves": "worlds",
    "weigh": "likelihood",
    "weigh_hands": "hands",
}
"""The loops that computer players call, with the modules of this package that define them."""


class Machine(ABC):
    """The loops of one game, and the memory that they are given."""

    def __init__(self, game: type[Game[Any]], state: RecordType) -> None:
        self.game = game
        self.state = state
        self.option_record, self._scratch = option_record(game), scratch_record(game)
        self._lengths = [field.length for field in game.state.fields.values()]
        self._blank: list[int] = []
        for field in game.state.fields.values():
            self._blank += [int(field.blank)] * (1 if field.length is None else field.length)
        learned = learned_of(game)
        self._weights = array(INTEGER, learned.weights if learned else [0] * policy_of(game).size)

    @abstractmethod
    def call(self, loop: str, *arguments: Any) -> int:
        """Run one of `LOOPS` with `WordArray`, tuples of them, numbers and None; returns what the loop returns. Raises
        BadRules for faulty rules."""

    def states(self, number: int) -> WordArray:
        """Blank states."""
        return records(number, self.state, self._blank)

    def put(self, tables: WordArray, i: int, state: Any) -> None:
        """Copy a plain state into the i-th record."""
        tables.numbers[i * self.state.size : (i + 1) * self.state.size] = flat_state(state)

    def get(self, tables: WordArray, i: int) -> Any:
        """The i-th record as a plain state."""
        numbers, values, at = tables.row(i).tolist(), [], 0
        for length in self._lengths:
            values.append(numbers[at] if length is None else numbers[at : at + length])
            at += 1 if length is None else length
        return self.game.state.of(tuple(values))

    def options(self, setup: Game[Any]) -> WordArray:
        """The options and numbers of a table, as a record. Raises BadRules for errors found in rules from outside."""
        values: list[int] = []
        for name, _, length in self.option_record.fields:
            value = getattr(setup, name)
            values += [value] if length is None else value
        return records(1, self.option_record, values)

    def scratch(self) -> WordArray:
        """The working memory of a loop: see `Program.scratch`."""
        record = records(1, self._scratch)
        first = self._scratch.first["weights"]
        record.numbers[first : first + len(self._weights)] = self._weights
        return record


def flat_state(state: Any) -> array[int]:
    """All numbers of a plain state, in the order of its fields."""
    numbers: list[int] = []
    for value in state.values():
        if isinstance(value, int):
            numbers.append(value)
        else:
            numbers += value
    return array(INTEGER, numbers)


def seed_scratch(scratch: WordArray, seed: int) -> None:
    """Set the state of the random generator in a loop's working memory, which is its first number."""
    scratch.numbers[0] = signed(seed)


def state_fields(game: type[Game[Any]]) -> list[RecordField]:
    """The fields of a state's record."""
    return [(name, INTEGER, field.length) for name, field in game.state.fields.items()]


def option_record(game: type[Game[Any]]) -> RecordType:
    """The options and numbers of a table as a record."""
    options = [(option.attribute, INTEGER, None) for option in game.declared_options.values()]
    numbers = [(number.attribute, INTEGER, number.length) for number in game.declared_numbers.values()]
    return RecordType([("players", INTEGER, None), *options, *numbers])


def scratch_record(game: type[Game[Any]]) -> RecordType:
    """The working memory of a loop as a record: see `Program.scratch`."""
    return RecordType(
        [
            ("rng", UNSIGNED, 1),
            ("moves", INTEGER, game.most_moves + SLACK),
            ("order", INTEGER, MOST_CHANCE),
            ("choices", INTEGER, None),  # the number of legal moves at the last decision
            ("weights", INTEGER, policy_of(game).size),
            ("room", INTEGER, policy_of(game).room),
        ]
    )


def deals_worlds(game: type[Game[Any]]) -> bool:
    """Whether `complete` and `consistent`, if the game has them, can be compiled, so that worlds can be sampled in
    compiled code."""
    return not any(is_plain(getattr(game, name)) for name in ("complete", "consistent"))


# --------------------------------------------------------------------------------------------- the machines in use here


def _native(game: type[Game[Any]]) -> Machine:
    from upcard.compiled.native import NativeMachine

    return NativeMachine(game)


_make: Callable[[type[Game[Any]]], Machine] = _native


def use_machines(make: Callable[[type[Game[Any]]], Machine]) -> None:
    """Let this function make the machine of every game from now on."""
    global _make
    _make = make
    machine_of.cache_clear()


@cache
def machine_of(game: type[Game[Any]]) -> Machine:
    """The machine of a game. Natively nothing is compiled before a loop is called. Raises BadProgram."""
    return _make(game)
