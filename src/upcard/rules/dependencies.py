"""The dependencies of rules, read from their bytecode: the rules that they call and the numbers that they name.

The key of compiled code is a hash of everything it was compiled from, so no dependency may be missed.
"""

from __future__ import annotations

import builtins
import dis
import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from types import CodeType, FunctionType, ModuleType
from typing import Any

from upcard.rules.errors import BadGame
from upcard.rules.marks import mark_of
from upcard.rules.source import place


@dataclass
class Dependencies:
    """All dependencies of a set of rules."""

    rules: dict[FunctionType, dict[str, Any]] = field(default_factory=dict)
    """Each rule with the globals that it names: numbers, rows of numbers, rules, and builtins."""

    def digest(self, *more: object, modules: bool = True) -> str:
        """A hash of this code, of the numbers that it names, and of `more`.

        It includes the names of the modules, by which numba finds the rules when it loads compiled code from disk.
        Without `modules` it depends neither on the place of the rules nor on how often a variant has been created.
        """
        places = {rule: place for place, rule in enumerate(self.rules)}
        total = hashlib.sha256(repr(more).encode())
        for rule, named in self.rules.items():
            values = {name: f"rule {places[to]}" if to in places else _as_text(to) for name, to in named.items()}
            code = _code(rule.__code__), rule.__defaults__, rule.__kwdefaults__
            module = rule.__module__ if modules else ""
            total.update(repr((module, code, mark_of(rule), sorted(values.items()))).encode())
        return total.hexdigest()[:24]


def _as_text(value: Any) -> str:
    """A text for a global that is the same in every process."""
    name = getattr(value, "__qualname__", getattr(value, "__name__", None))
    return repr(value) if name is None else f"{getattr(value, '__module__', '')}.{name}"


def _code(code: CodeType) -> tuple[Any, ...]:
    """The code of a function, without its docstring and its place in the file."""
    constants: tuple[Any, ...] = tuple(
        _code(constant) if isinstance(constant, CodeType) else (type(constant).__name__, constant)
        for constant in code.co_consts
    )
    if code.co_consts and isinstance(code.co_consts[0], str):
        constants = ("doc", *constants[1:])
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_argcount, code.co_exceptiontable


def dependencies_of(rules: Iterable[FunctionType], check: Callable[[FunctionType], None] | None = None) -> Dependencies:
    """All dependencies of these rules. `check` is called with each rule before the rules that it names are followed."""
    reach = Dependencies()
    waiting = [*rules][::-1]
    while waiting:
        rule = waiting.pop()
        if rule in reach.rules:
            continue
        if check is not None:
            check(rule)
        reach.rules[rule] = globals_of(rule)
        if not is_intrinsic(rule):
            waiting += [value for value in reversed(reach.rules[rule].values()) if isinstance(value, FunctionType)]
    return reach


def is_intrinsic(rule: FunctionType) -> bool:
    """Whether a machine instruction replaces a rule when it is compiled."""
    mark = mark_of(rule)
    return mark is not None and mark.intrinsic is not None


def globals_of(function: FunctionType) -> dict[str, Any]:
    """The globals that a function names, with their values; attributes of modules as `module.name`."""
    return {name: value for _, name, value in loaded(function) if name}


def loaded(function: FunctionType) -> Iterator[tuple[int, str, Any]]:
    """The globals and constants that a function loads: the line, the name (empty for a constant) and the value. Raises
    BadGame for a global that is not defined."""
    space, known = function.__globals__, vars(builtins)
    line = function.__code__.co_firstlineno
    instructions = list(_instructions(function.__code__))
    for at, instruction in enumerate(instructions):
        line = (instruction.positions and instruction.positions.lineno) or line
        name, value = instruction.argval, instruction.argval
        if instruction.opname in ("LOAD_CONST", "RETURN_CONST"):
            yield line, "", value
        elif instruction.opname == "LOAD_GLOBAL":
            if name not in space and name not in known:
                fault = f"{function.__name__} names {name}, which is not defined before it"
                raise BadGame(f"{place(function, line)}: {fault}")
            value = space[name] if name in space else known[name]
            while isinstance(value, ModuleType) and at + 1 < len(instructions):
                at += 1
                if instructions[at].opname not in ("LOAD_ATTR", "LOAD_METHOD"):
                    break
                attribute = instructions[at].argval
                name, value = f"{name}.{attribute}", getattr(value, attribute)
            yield line, name, value


def _instructions(code: CodeType) -> Iterator[dis.Instruction]:
    """The instructions of a function, and of the code objects within it (such as comprehensions)."""
    yield from dis.get_instructions(code)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _instructions(constant)


def returns(code: CodeType) -> Iterator[bool]:
    """For each place where a function returns, whether it returns a value."""
    for before, instruction in pairwise(dis.get_instructions(code)):
        if instruction.opname == "RETURN_CONST":
            yield instruction.argval is not None
        elif instruction.opname == "RETURN_VALUE":
            yield before.opname != "LOAD_CONST" or before.argval is not None
