"""The machine of a browser: a game's loops as WebAssembly, which have memory of their own. Arguments are copied there
and back.
"""

from __future__ import annotations

import json
from typing import Any, Protocol

from upcard.compiled.machine import Machine, state_fields
from upcard.compiled.words import SHORT, RecordType, WordArray
from upcard.engine.mistakes import bad_rules
from upcard.rules.game import Game

FAULT = "compiled rules have failed"


class CompiledGames(Protocol):
    """The modules of games, as the worker's script loads and calls them."""

    async def load(self, game: str) -> bool:
        """Fetch the module of a game; whether it is there now."""
        ...

    def call(self, game: str, loop: str, arguments: str, memory: bytearray, room: int) -> float:
        """Run an export of a game's module on `memory`, which it changes, followed by `room` blank bytes.

        `arguments` is a JSON list of texts: "i" with an integer, "p" with a place in the memory, "n" for None. Returns
        the result, or not a number if the loop raises an exception.
        """
        ...


class WebMachine(Machine):
    """The loops of a game whose module has been loaded."""

    def __init__(self, game: type[Game[Any]], modules: CompiledGames) -> None:
        super().__init__(game, RecordType(state_fields(game)))
        self._modules = modules

    def call(self, loop: str, *arguments: Any) -> int:
        packed = PackedArguments(arguments)
        name = export_name(loop, arguments)
        result = self._modules.call(
            self.game.slug, name, json.dumps(packed.listed), packed.memory, packed.size - len(packed.memory)
        )
        if result != result:
            raise bad_rules(self.game, FAULT)
        packed.read_back()
        return int(result)


def export_name(loop: str, arguments: tuple[Any, ...]) -> str:
    """The name of a loop in a module: loops that may get None instead of an array are there twice."""
    return f"{loop}.None" if any(one is None for one in arguments) else loop


class PackedArguments:
    """The arguments of a loop in one piece of memory, in the form in which numba passes them: an array is two null
    pointers, its number of elements, their size, its place, and by dimension its length and stride."""

    def __init__(self, arguments: tuple[Any, ...]) -> None:
        self.listed: list[str] = []
        self.memory = bytearray()
        self._places: dict[int, int] = {}
        self._copied: list[tuple[int, Any]] = []
        flat: list[Any] = []
        for argument in arguments:
            flat += argument if isinstance(argument, tuple) else [argument]
        for argument in flat:
            if isinstance(argument, WordArray) and argument.data is not None:
                self._copy(argument)
        self.size = len(self.memory)
        """The number of bytes, with those of working memory after the copied ones."""
        for argument in flat:
            self._add(argument)

    def _copy(self, words: WordArray) -> None:
        if id(words.data) not in self._places:
            self._places[id(words.data)] = len(self.memory)
            content = memoryview(words.numbers).cast("B")
            self._copied.append((len(self.memory), content))
            self.memory += content
            self.memory += bytes(-len(self.memory) % 16)

    def _add(self, argument: Any) -> None:
        if argument is None:
            self.listed.append("n")
        elif isinstance(argument, WordArray):
            self._add_array(argument)
        else:
            self.listed.append(f"i{argument}")

    def _add_array(self, words: WordArray) -> None:
        element = 4 if words.kind == SHORT else 8
        size = element * words.record.size if words.record else element
        number, strides = 1, [size]
        for length in words.shape:
            number *= length
        for length in reversed(words.shape[1:]):
            strides.insert(0, strides[0] * length)
        if words.data is None:
            place, self.size = self.size, self.size + number * size
        else:
            place = self._places[id(words.data)]
        about = [f"i{one}" for one in (number, size)]
        self.listed += ["n", "n", *about, f"p{place}", *[f"i{one}" for one in (*words.shape, *strides)]]

    def read_back(self) -> None:
        """Copy the memory back to where it came from."""
        for place, content in self._copied:
            content[:] = self.memory[place : place + len(content)]
