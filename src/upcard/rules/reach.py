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
from enum import IntEnum
from inspect import CO_VARARGS, CO_VARKEYWORDS
from itertools import pairwise
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

from upcard.rules import syntax
from upcard.rules.errors import BadGame
from upcard.rules.marks import mark_of
from upcard.rules.source import method_of, node_of
from upcard.rules.state import Field

_BUILTINS = ("range", "min", "max", "abs", "bool", "int", "len")


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
        mark = mark_of(rule)
        if mark is None:
            raise BadRule(f"{place(rule)}: {rule.__name__} is used as a rule: write @rule above it")
        if mark.plain:
            raise BadRule(f"{place(rule)}: {rule.__name__} is marked @plain, and rules call it: take one of these away")
        if rule.__closure__:
            raise BadRule(f"{place(rule)}: {rule.__name__} is a function within a function, which cannot be a rule")
        if fault := next(syntax.faults(rule), None):
            raise BadRule(fault)
        if any(isinstance(one, CodeType) for one in rule.__code__.co_consts):
            raise BadRule(f"{place(rule)}: {rule.__name__} has a function or a list made in one line: write a loop")
        found.rules[rule] = {}
        if mark.intrinsic is not None:
            found.rules[rule] = dict(globals_of(rule))
            continue
        for name, value, line in _named(rule):
            _check_global(f"{_file(rule)}, line {line}: {rule.__name__}", name, value)
            found.rules[rule].setdefault(name, value)
        waiting += [value for value in reversed(found.rules[rule].values()) if isinstance(value, FunctionType)]
    _check_recursion(found)
    return found


def _check_recursion(found: Reach) -> None:
    """Raises BadRule for a rule that calls itself, or that one calls which it calls."""
    calls = {
        rule: [value for value in named.values() if isinstance(value, FunctionType)]
        for rule, named in found.rules.items()
    }
    done: set[FunctionType] = set()
    for begin in calls:
        path: dict[FunctionType, Iterator[FunctionType]] = {begin: iter(calls[begin])}
        while path and begin not in done:
            rule, rest = next(reversed(path.items()))
            called = next(rest, None)
            if called is None:
                done.add(rule)
                del path[rule]
            elif called in path:
                through = "" if called is rule else f", through {rule.__name__}"
                raise BadRule(f"{place(called)}: {called.__name__} calls itself{through}: write a loop")
            elif called not in done:
                path[called] = iter(calls[called])


def _is_intrinsic(rule: FunctionType) -> bool:
    """Whether a machine instruction stands in its place when it is compiled."""
    mark = mark_of(rule)
    return mark is not None and mark.intrinsic is not None


def _check_global(where: str, name: str, value: Any) -> None:
    if isinstance(value, FunctionType):
        if mark_of(value) is None and "." in value.__qualname__:
            raise BadRule(f"{where} calls {name}: write self.{value.__name__}(…), or super() for the one above")
        if mark_of(value) is None:
            raise BadRule(f"{where} calls {name}, which is no rule: write @rule above it")
    elif name not in _BUILTINS and (isinstance(value, BuiltinFunctionType) or name in vars(builtins_module)):
        remedy = f"write a loop, or a rule that does it; they know {', '.join(_BUILTINS)}"
        raise BadRule(f"{where} names {name}, which rules do not know: {remedy}")
    elif not (_is_number(value) or name in _BUILTINS or isinstance(value, ModuleType)):
        kind = "class" if isinstance(value, type) else type(value).__name__
        raise BadRule(f"{where} names {name}, a {kind}: rules know numbers and rows of numbers only")
    elif _is_number(value) and not _has_room(value):
        raise BadRule(f"{where} names {name}, 2**63 or more: rules reckon in 64 bits")


def _is_number(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_number, value))
    return type(value) in (int, bool) or isinstance(value, IntEnum)


def globals_of(rule: FunctionType) -> Iterator[tuple[str, Any]]:
    """The globals that a function names, each once, with their values; attributes of modules as `module.name`."""
    yield from {name: value for name, value, _ in _named(rule)}.items()


def _named(rule: FunctionType) -> Iterator[tuple[str, Any, int]]:
    """The globals that a function names, with their values and the lines."""
    line = rule.__code__.co_firstlineno
    space = rule.__globals__
    builtins = vars(builtins_module)
    instructions = list(_instructions(rule.__code__))
    for at, one in enumerate(instructions):
        line = _line_of(one) or line
        if one.opname != "LOAD_GLOBAL":
            continue
        name = one.argval
        if name not in space and name not in builtins:
            raise BadRule(f"{_file(rule)}, line {line}: {rule.__name__} names {name}, which is not defined before it")
        value = space[name] if name in space else builtins[name]
        while isinstance(value, ModuleType) and at + 1 < len(instructions):
            at += 1
            attribute = instructions[at]
            if attribute.opname not in ("LOAD_ATTR", "LOAD_METHOD"):
                break
            name, value = f"{name}.{attribute.argval}", getattr(value, attribute.argval)
        yield name, value, line


def _instructions(code: CodeType) -> Iterator[dis.Instruction]:
    """The instructions of a function, and of the code objects within it (such as comprehensions)."""
    yield from dis.get_instructions(code)
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _instructions(one)


def place(rule: FunctionType) -> str:
    """The file and line of a function, for a message."""
    try:
        line = node_of(method_of(rule)).lineno
    except BadGame:
        line = rule.__code__.co_firstlineno
    return f"{_file(rule)}, line {line}"


def _file(rule: FunctionType) -> str:
    return Path(rule.__code__.co_filename).name


# ---------------------------------------------------------------------------------------------------------- mistakes


def mistakes(found: Reach, state: Mapping[str, Field], options: set[str], game: Any = None) -> list[str]:
    """Errors that plain Python would forgive, one line each: undeclared fields, assignments to rows and options,
    numbers that are not whole, and what cannot be compiled or is another number then. With the class of the game the
    messages are better."""
    lines = []
    methods = _METHODS - {*state} - options
    for rule in found.rules:
        if _is_intrinsic(rule):
            continue
        lines += [f"{place(rule)}: {rule.__name__} {wrong}" for wrong in _misdeclared(rule)]
        known: dict[str, tuple[str, Iterable[str]]] = {"s": ("state", state)}
        if hasattr(rule, "_upcard_method"):
            known[rule.__code__.co_varnames[0]] = "game", options
        line = rule.__code__.co_firstlineno
        before: list[Any] = []
        for one in dis.get_instructions(rule):
            line = _line_of(one) or line
            where = f"{_file(rule)}, line {line}: in {rule.__name__}"
            changed = bool(before) and before[-1].opname == "COPY"  # as in `s.bid += 1`
            of = before[-2:-1] if changed else before[-1:]
            owner, fields = "", None
            if one.opname in ("STORE_ATTR", "LOAD_ATTR", "LOAD_METHOD") and of and of[0].opname.startswith("LOAD_FAST"):
                owner, fields = known.get(_variable(of[0]), ("", None))
            if fields is not None:
                written = changed or one.opname == "STORE_ATTR"
                if owner == "game" and written:
                    lines.append(f"{where}, `self.{one.argval}` is written to: what changes is in the state, `s`")
                elif one.argval not in fields and owner == "game":
                    lines.append(f"{where}, `self.{one.argval}` is {_other_than_number(one.argval, options, game)}")
                elif one.argval not in fields and hasattr(getattr(game, "state", None), one.argval):
                    remedy = "write self.clear(s)" if one.argval == "clear" else "write a rule that does it"
                    lines.append(f"{where}, `s.{one.argval}` is no field: {remedy}")
                elif one.argval not in fields:
                    lines.append(f"{where}, no `{one.argval}` in the {owner}{_meant(one.argval, fields)}: declare it")
                elif owner == "state" and written and state[one.argval].length is not None:
                    lines.append(f"{where}, `{one.argval}` is a row: write to its places, one by one")
            elif foreign := _foreign(one, before, methods):
                lines.append(f"{where}, {foreign}")
            elif one.opname in _FOR_NUMBERS or "_JUMP_IF_" in one.opname:
                if (row := _row_of_state(before)) in state and state[row].length is not None:
                    lines.append(f"{where}, `{row}` is a row: name one of its places")
            before.append(one)
    return lines


def _row_of_state(before: list[Any]) -> str:
    """The field of the state that was just loaded, if it was one."""
    match before[-2:]:
        case [owner, field] if field.opname == "LOAD_ATTR" and owner.opname.startswith("LOAD_FAST"):
            return str(field.argval) if _variable(owner) == "s" else ""
    return ""


def _other_than_number(name: str, options: Iterable[str], game: Any) -> str:
    """What an attribute of a game is that is neither an option nor a number, for a message."""
    if isinstance(getattr(game, name, None), FunctionType):
        return f"a rule: call it, as in self.{name}(…)"
    if hasattr(game, name) or name == "chosen":
        return "no number: rules see options, numbers, `players` and other rules"
    rules = [rule for rule in dir(game) if isinstance(getattr(game, rule), FunctionType)]
    return f"no option, number or rule{_meant(name, [*options, *rules])}"


_FOR_NUMBERS = {"BINARY_OP", "COMPARE_OP", "UNARY_INVERT", "UNARY_NEGATIVE", "UNARY_NOT"}
_METHODS = {name for kind in (int, list) for name in dir(kind) if not name.startswith("_")}


def _misdeclared(rule: FunctionType) -> Iterator[str]:
    """What is wrong with a rule as a whole."""
    if rule.__code__.co_flags & (CO_VARARGS | CO_VARKEYWORDS) or rule.__code__.co_kwonlyargcount:
        yield "has a `*` among its parameters, which cannot be compiled: write them out"
    for default in (*(rule.__defaults__ or ()), *(rule.__kwdefaults__ or {}).values()):
        if not _is_number(default):
            yield f"has a {type(default).__name__} as a default: only numbers can be one"
    if len({*returns(rule.__code__)}) > 1:
        yield "returns a value on one path and none on another: return one on each"


def returns(code: CodeType) -> Iterator[bool]:
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
