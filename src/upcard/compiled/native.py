"""The native machine: a game's loops as numba compiles them, which look at memory through NumPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from upcard.compiled.machine import LOOPS, Machine
from upcard.compiled.program import CompiledLoop, common_entry, program
from upcard.compiled.words import WordArray
from upcard.rules.game import Game

COMMON = {name for name, module in LOOPS.items() if module == "comparing"}
"""The loops that call no rules: they are compiled once for all games."""


class NativeMachine(Machine):
    """The loops of a game, compiled or loaded from the cache when they are first called."""

    def __init__(self, game: type[Game[Any]]) -> None:
        self.program = program(game)
        super().__init__(game, self.program.state_record)
        self._entries: dict[str, CompiledLoop] = {}

    def options(self, setup: Game[Any]) -> WordArray:
        self.program.try_out(setup)
        return super().options(setup)

    def entry(self, loop: str) -> CompiledLoop:
        """One of `LOOPS`, compiled for this game."""
        if loop not in self._entries:
            function = loop_named(loop)
            self._entries[loop] = common_entry(function) if loop in COMMON else self.program.entry(function)
        return self._entries[loop]

    def call(self, loop: str, *arguments: Any) -> int:
        result: int = self.entry(loop)(*[native_argument(one) for one in arguments])
        return result


def native_argument(argument: Any) -> Any:
    """An argument of a loop as numba takes it: `WordArray` as arrays of NumPy, also in tuples."""
    if isinstance(argument, WordArray):
        return argument.numpy
    if isinstance(argument, tuple):
        return type(argument)(*map(native_argument, argument))  # those with names
    return argument


@cache
def loop_named(name: str) -> Callable[..., Any]:
    """The function of one of `LOOPS`."""
    return getattr(import_module(f"upcard.compiled.{LOOPS[name]}"), name)  # type: ignore[no-any-return]
