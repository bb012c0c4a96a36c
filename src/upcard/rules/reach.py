"""What rules reach: the rules that they call and the numbers that they name, read from their bytecode.

The key of compiled code is a hash of everything it was compiled from, so nothing may be missed here. Errors that plain
Python would forgive (an unmarked rule, an undeclared field, a fraction) are reported with their place.
"""

from __future__ import annotations

import builtins as builtins_module
import dis
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from upcard.rules.marks import mark_of
from upcard.rules.state import Field

_BUILTINS = {"range", "min", "max", "abs", "bool", "int", "len"}


class BadRule(TypeError):
    """A rule does something that it must not. The message says where, and what to do instead."""


@dataclass
class Reach:
    """Everything that a set of rules reaches."""

    rules: dict[FunctionType, dict[str, Any]] = field(default_factory=dict)
    """Each rule with the globals that it names: numbers, rows of numbers, rules, and builtins."""

    def digest(self, *more: object, modules: bool = True) -> str:
        """A hash of this code, of the numbers that it names, and of `more`.

        It includes the names of the modules, by which numba finds the rules when it loads compiled code from disk.
        Without `modules` it does not depend on where the rules are, or on how often a variant has been made.
        """
        places = {rule: place for place, rule in enumerate(self.rules)}
        total = hashlib.sha256(repr(more).encode())
        for rule, named in self.rules.items():
            mark = mark_of(rule)
            told = {name: f"rule {places[to]}" if to in places else _told(to) for name, to in named.items()}
            code = _code(rule.__code__), rule.__defaults__, rule.__kwdefaults__
            module = rule.__module__ if modules else ""
            total.update(repr((module, code, mark, sorted(told.items()))).encode())
        return total.hexdigest()[:24]


def _told(value: Any) -> str:
    """A text for a global that is the same in every process."""
    name = getattr(value, "__qualname__", getattr(value, "__name__", None))
    return repr(value) if name is None else f"{getattr(value, '__module__', '')}.{name}"


def _code(code: CodeType) -> tuple[Any, ...]:
    """The code of a function, without its place in the file and its docstring."""
    constants: tuple[Any, ...] = tuple(
        _code(one) if isinstance(one, CodeType) else (type(one).__name__, one) for one in code.co_consts
    )
    docstring = code.co_consts[:1] and isinstance(code.co_consts[0], str)
    if docstring:
        constants = ("doc", *constants[1:])
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_argcount, code.co_exceptiontable


def reached(rules: Iterable[Callable[..., Any]]) -> Reach:
    """Everything that these rules reach.

    Raises BadRule for a function without its mark, one within another, and a global that is not made of numbers.
    """
    found = Reach()
    waiting = list(rules)[::-1]
    while waiting:
        rule = waiting.pop()
        if rule in found.rules:
            continue
        if not isinstance(rule, FunctionType):
            raise BadRule(f"{rule!r} is not a Python function, so it cannot be compiled")
        if mark_of(rule) is None:
            raise BadRule(f"{place(rule)}: {rule.__name__} is used as a rule: write @rule above it")
        if rule.__closure__:
            raise BadRule(f"{place(rule)}: {rule.__name__} is a function within a function, which cannot be a rule")
        if any(isinstance(one, CodeType) for one in rule.__code__.co_consts):
            raise BadRule(f"{place(rule)}: {rule.__name__} has a function or a list made in one line: write a loop")
        named = dict(globals_of(rule))
        found.rules[rule] = named
        if _is_intrinsic(rule):
            continue
        for name, value in named.items():
            _check_global(rule, name, value)
        waiting += [value for value in reversed(named.values()) if isinstance(value, FunctionType)]
    return found


def _is_intrinsic(rule: FunctionType) -> bool:
    """Whether a machine instruction stands in its place when it is compiled."""
    mark = mark_of(rule)
    return mark is not None and mark.intrinsic is not None


def _check_global(rule: FunctionType, name: str, value: Any) -> None:
    if isinstance(value, FunctionType):
        if mark_of(value) is None:
            raise BadRule(f"{place(rule)}: {rule.__name__} calls {name}, which is no rule: write @rule above it")
    elif not (_is_number(value) or name in _BUILTINS or isinstance(value, ModuleType)):
        kind = type(value).__name__
        raise BadRule(
            f"{place(rule)}: {rule.__name__} names {name}, a {kind}: rules know numbers and rows of numbers only"
        )
    elif _is_number(value) and not _has_room(value):
        raise BadRule(f"{place(rule)}: {rule.__name__} names {name}, 2**63 or more: rules reckon in 64 bits")


def _is_number(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_number, value))
    return isinstance(value, int)


def globals_of(rule: FunctionType) -> Iterator[tuple[str, Any]]:
    """The globals that a function names, each once, with their values; attributes of modules as `module.name`."""
    seen: set[str] = set()
    space = rule.__globals__
    builtins = vars(builtins_module)
    instructions = list(_instructions(rule.__code__))
    for at, one in enumerate(instructions):
        if one.opname != "LOAD_GLOBAL":
            continue
        name = one.argval
        if name not in space and name not in builtins:
            raise BadRule(f"{place(rule)}: {rule.__name__} names {name}, which is nowhere defined")
        value = space[name] if name in space else builtins[name]
        while isinstance(value, ModuleType) and at + 1 < len(instructions):
            at += 1
            attribute = instructions[at]
            if attribute.opname not in ("LOAD_ATTR", "LOAD_METHOD"):
                break
            name, value = f"{name}.{attribute.argval}", getattr(value, attribute.argval)
        if name not in seen:
            seen.add(name)
            yield name, value


def _instructions(code: CodeType) -> Iterator[dis.Instruction]:
    """The instructions of a function, and of the code objects within it (such as comprehensions)."""
    yield from dis.get_instructions(code)
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _instructions(one)


def place(rule: FunctionType) -> str:
    """The file and line of a function, for a message."""
    return f"{Path(rule.__code__.co_filename).name}, line {rule.__code__.co_firstlineno}"


# ---------------------------------------------------------------------------------------------------------- mistakes


def mistakes(found: Reach, state: Mapping[str, Field], options: set[str]) -> list[str]:
    """Errors that plain Python would forgive, one line each: undeclared fields, assignments to rows and options,
    numbers that are not whole, and what cannot be compiled or is another number then."""
    lines = []
    known: dict[str, tuple[str, Iterable[str]]] = {"s": ("state", state), "opt": ("options", options)}
    methods = _METHODS - {*state} - options
    for rule in found.rules:
        if _is_intrinsic(rule):
            continue
        lines += [f"{place(rule)}: {rule.__name__} {wrong}" for wrong in _misdeclared(rule)]
        line = rule.__code__.co_firstlineno
        before: list[Any] = []
        for one in dis.get_instructions(rule):
            line = _line_of(one) or line
            where = f"{Path(rule.__code__.co_filename).name}, line {line}: in {rule.__name__}"
            changed = bool(before) and before[-1].opname == "COPY"  # as in `s.bid += 1`
            of = before[-2:-1] if changed else before[-1:]
            owner, fields = "", None
            if one.opname in ("STORE_ATTR", "LOAD_ATTR") and of and of[0].opname.startswith("LOAD_FAST"):
                owner, fields = known.get(_variable(of[0]), ("", None))
            if fields is not None:
                written = changed or one.opname == "STORE_ATTR"
                if one.argval not in fields:
                    lines.append(f"{where}, no `{one.argval}` in the {owner}{_meant(one.argval, fields)}: declare it")
                elif owner == "options" and written:
                    lines.append(f"{where}, `opt.{one.argval}` is written to: options and numbers stay as they are")
                elif owner == "state" and written and state[one.argval].length is not None:
                    lines.append(f"{where}, `{one.argval}` is a row: write to its places, one by one")
            elif foreign := _foreign(one, before, methods):
                lines.append(f"{where}, {foreign}")
            before.append(one)
    return lines


_METHODS = {name for kind in (int, list) for name in dir(kind) if not name.startswith("_")}


def _misdeclared(rule: FunctionType) -> Iterator[str]:
    """What is wrong with a rule as a whole."""
    for default in (*(rule.__defaults__ or ()), *(rule.__kwdefaults__ or {}).values()):
        if not _is_number(default):
            yield f"has a {type(default).__name__} as a default: only numbers can be one"
    if len({*_returns(rule.__code__)}) > 1:
        yield "returns a value on one path and none on another: return one on each"


def _returns(code: CodeType) -> Iterator[bool]:
    """Whether a value is returned, at each place where a function returns."""
    for before, one in pairwise(dis.get_instructions(code)):
        if one.opname == "RETURN_CONST":
            yield one.argval is not None
        elif one.opname == "RETURN_VALUE":
            yield before.opname != "LOAD_CONST" or before.argval is not None


def _foreign(one: Any, before: list[Any], methods: set[str]) -> str:
    """Why rules know no such instruction, after those before it; empty if they do."""
    last = before[-1].opname if before else ""
    if one.opname == "IMPORT_NAME":
        return f"{one.argval} is imported: rules know numbers and other rules only"
    if one.opname == "STORE_GLOBAL":
        return f"`{one.argval}` is written to: what changes stands in the state"
    if one.opname in ("LOAD_ATTR", "LOAD_METHOD") and one.argval in methods and not _in_module(before):
        return f"`{one.argval}` is a method, and rules know none: write a loop, or a rule that does it"
    if one.opname == "BINARY_OP" and one.argrepr in ("/", "/="):
        return "`/` makes a fraction: numbers are whole, write `//`"
    if one.opname == "UNARY_INVERT" and last in ("COMPARE_OP", "CONTAINS_OP", "IS_OP", "UNARY_NOT"):
        return "`~` of what is true or false is another number when compiled: write `not`"
    if one.opname in ("BUILD_SLICE", "BINARY_SLICE", "STORE_SLICE") or isinstance(one.argval, slice):
        return "a part of a row, `[:]`, is a copy in plain Python and not when compiled: write a loop"
    if one.opname in ("LOAD_CONST", "RETURN_CONST") and isinstance(one.argval, float | str):
        return f"{one.argval!r} is no whole number"
    if one.opname in ("LOAD_CONST", "RETURN_CONST") and _is_number(one.argval) and not _has_room(one.argval):
        return "there is a number of 2**63 or more, and rules reckon in 64 bits"
    return ""


def _in_module(before: list[Any]) -> bool:
    """Whether what was just loaded is a global, or an attribute of one, as `cards` in `cards.count(hand)`."""
    owner = next((one for one in reversed(before) if one.opname != "LOAD_ATTR"), None)
    return owner is not None and owner.opname == "LOAD_GLOBAL"


def _has_room(value: Any) -> bool:
    """Whether a number, or each in a row of numbers, fits into 64 bits with its sign."""
    return all(map(_has_room, value)) if isinstance(value, tuple) else -(1 << 63) <= value < 1 << 63


def _variable(load: Any) -> str:
    """The variable that an instruction loads last (some load two at once)."""
    return load.argval[-1] if isinstance(load.argval, tuple) else str(load.argval)


def _line_of(instruction: Any) -> int | None:
    line: int | None = getattr(instruction, "line_number", None) or instruction.starts_line
    return line if type(line) is int else None


def _meant(name: str, fields: Iterable[str]) -> str:
    close = get_close_matches(name, [*fields], 1)
    return f" (is `{close[0]}` meant?)" if close else ""
