"""Faults in the code of rules: code that does not compile, or behaves differently when compiled."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from enum import IntEnum
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from upcard.rules.dependencies import is_intrinsic, loaded, returns
from upcard.rules.errors import BadGame
from upcard.rules.game import Game
from upcard.rules.marks import is_plain, mark_of
from upcard.rules.phrases import suggestion
from upcard.rules.source import place, tree_of

BUILTINS = ("range", "min", "max", "abs", "bool", "int", "len")
"""The builtins that rules can call."""
METHODS = {name for kind in (int, list) for name in dir(kind) if not name.startswith("_")}
_INSIDE = "a function or a list made in one line cannot be compiled: write a loop"
_ROWS = "rules know no lists, sets and dictionaries: write a tuple, (…), or declare a row in the state"
_ENDS = "rules have no `raise`, `try` and `with`: return a number that says it"
REFUSED: dict[type[ast.AST], str] = {
    **dict.fromkeys((ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef), _INSIDE),
    **dict.fromkeys((ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp), _INSIDE),
    **dict.fromkeys((ast.List, ast.Set, ast.Dict), _ROWS),
    **dict.fromkeys((ast.Raise, ast.Try, ast.TryStar, ast.With), _ENDS),
    ast.JoinedStr: "rules know no texts: a number can stand for one, see `words`",
    ast.Starred: "`*` before a value cannot be compiled: write the values out",
    ast.NamedExpr: "`:=` cannot be compiled: write `=`, on a line of its own",
    ast.Delete: "`del` cannot be compiled: leave it out",
    ast.Slice: "a part of a row, `[:]`, is a copy in plain Python and not when compiled: write a loop",
}
"""The kinds of syntax that are refused, each with the reason and the remedy."""


class RuleCheck:
    """The check of the rules of a game. Called with a rule, it raises BadGame for its first fault, with a remedy."""

    def __init__(self, game: type[Game[Any]]) -> None:
        self.game, self.fields = game, game.state.fields
        self.rows = {name for name, field in self.fields.items() if field.length is not None}
        self.numbers = attributes_of(game)
        self.methods = METHODS - self.fields.keys() - self.numbers

    def __call__(self, rule: FunctionType) -> None:
        for fault in _whole_faults(rule):
            raise BadGame(f"{place(rule)}: {rule.__name__} {fault}")
        if is_intrinsic(rule):
            return
        for line, fault in self._syntax_faults(rule):
            raise BadGame(f"{place(rule, line)}: in {rule.__name__}, {fault}")
        for line, name, value in loaded(rule):
            if name and (fault := _global_fault(name, value)):
                raise BadGame(f"{place(rule, line)}: {rule.__name__} {fault}")
            if not name and (fault := _constant_fault(value)):
                raise BadGame(f"{place(rule, line)}: in {rule.__name__}, {fault}")

    def _syntax_faults(self, rule: FunctionType) -> Iterator[tuple[int, str]]:
        """The faults in the syntax tree of a rule, with their lines."""
        variables = rule.__code__.co_varnames
        me = variables[0] if hasattr(rule, "_upcard_method") else ""
        outside: set[str] = set()
        for node in _inside(rule):
            fault = REFUSED.get(type(node), "")
            match node:
                case ast.Import(names=[ast.alias(name=module), *_]) | ast.ImportFrom(module=module):
                    fault = f"{module or 'a module'} is imported: rules know numbers and other rules only"
                case ast.Global(names=names):
                    outside.update(names)
                case ast.Name(id=name, ctx=ast.Store()) if name in outside:
                    fault = f"`{name}` is written to: what changes stands in the state"
                case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner == me:
                    fault = self._self_fault(name)
                case ast.Attribute(value=ast.Name(id="s"), attr=name):
                    fault = self._field_fault(name, is_read=isinstance(node.ctx, ast.Load))
                case ast.Attribute(value=owner, attr=name, ctx=ast.Load()) if name in self.methods:
                    if _root(owner) in (None, *variables):
                        fault = f"`{name}` is a method, and rules know none: write a loop, or a rule that does it"
                case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()):
                    fault = "`/` makes a fraction: numbers are whole, write `//`"
                case ast.UnaryOp(op=ast.Invert(), operand=operand) if _is_truth(operand):
                    fault = "`~` of what is true or false is another number when compiled: write `not`"
            for number in _numbers_in(node):
                match number:
                    case ast.Attribute(value=ast.Name(id="s"), attr=name) if name in self.rows:
                        fault = fault or f"`{name}` is a row: name one of its places"
            if fault:
                yield node.lineno, fault  # type: ignore[attr-defined]

    def _field_fault(self, name: str, is_read: bool) -> str:
        """The fault in the use of an attribute of the state; empty if there is none."""
        if name in self.fields:
            return "" if is_read or name not in self.rows else f"`{name}` is a row: write to its places, one by one"
        if hasattr(self.game.state, name):
            remedy = "write self.clear(s)" if name == "clear" else "write a rule that does it"
            return f"`s.{name}` is no field: {remedy}"
        return f"no `{name}` in the state{suggestion(name, self.fields, '`')}: declare it"

    def _self_fault(self, name: str) -> str:
        """The fault in the use of an attribute of `self` that is not called; empty for a number."""
        if name in self.numbers:
            return ""
        if isinstance(getattr(self.game, name, None), FunctionType):
            return f"`self.{name}` is a rule: call it, as in self.{name}(…)"
        if hasattr(self.game, name) or name == "chosen":
            return f"`self.{name}` is no number: rules see options, numbers, `players` and other rules"
        rules = [rule for rule in dir(self.game) if isinstance(getattr(self.game, rule), FunctionType)]
        return f"`self.{name}` is no option, number or rule{suggestion(name, [*self.numbers, *rules], '`')}"


def attributes_of(game: type[Game[Any]]) -> set[str]:
    """The attributes of `self` that compiled rules can read."""
    return {"players", *map(game.attribute_of, [*game.declared_options, *game.declared_numbers])}


def _whole_faults(rule: FunctionType) -> Iterator[str]:
    """The faults of a rule as a whole: its marks, parameters, defaults and return values."""
    if mark_of(rule) is None:
        yield "is used as a rule: write @rule above it"
    if is_plain(rule):
        yield "is marked @plain, and rules call it: take one of these away"
    if rule.__closure__:
        yield "is a function within a function, which cannot be a rule"
    if rule.__code__.co_flags & (CO_VARARGS | CO_VARKEYWORDS) or rule.__code__.co_kwonlyargcount:
        yield "has a `*` among its parameters, which cannot be compiled: write them out"
    for default in (*(rule.__defaults__ or ()), *(rule.__kwdefaults__ or {}).values()):
        if not _is_number(default):
            yield f"has a {type(default).__name__} as a default: only numbers can be one"
    if len({*returns(rule.__code__)}) > 1:
        yield "returns a value on one path and none on another: return one on each"


def _global_fault(name: str, value: Any) -> str:
    """The fault of a global that a rule names; empty if there is none."""
    if isinstance(value, FunctionType) and mark_of(value) is None:
        if "." in value.__qualname__:
            return f"calls {name}: write self.{value.__name__}(…), or super() for the one above"
        return f"calls {name}, which is no rule: write @rule above it"
    if name in BUILTINS or isinstance(value, FunctionType | ModuleType):
        return ""
    if isinstance(value, BuiltinFunctionType) or hasattr(builtins, name):
        known = ", ".join(BUILTINS)
        return f"names {name}, which rules do not know: write a loop, or a rule that does it; they know {known}"
    if not _is_number(value):
        kind = "class" if isinstance(value, type) else type(value).__name__
        return f"names {name}, a {kind}: rules know numbers and rows of numbers only"
    return "" if _has_room(value) else f"names {name}, 2**63 or more: rules reckon in 64 bits"


def _constant_fault(value: Any) -> str:
    if isinstance(value, float | str):
        return f"{value!r} is no whole number"
    is_too_large = _is_number(value) and not _has_room(value)
    return "there is a number of 2**63 or more, and rules reckon in 64 bits" if is_too_large else ""


def _is_number(value: Any) -> bool:
    """Whether a value is a whole number, or a row of whole numbers."""
    if isinstance(value, tuple):
        return all(map(_is_number, value))
    return type(value) in (int, bool) or isinstance(value, IntEnum)


def _has_room(value: Any) -> bool:
    """Whether a number, or each in a row of numbers, fits into 64 bits with its sign."""
    return all(map(_has_room, value)) if isinstance(value, tuple) else -(1 << 63) <= value < 1 << 63


def _inside(rule: FunctionType) -> Iterator[ast.AST]:
    """The nodes in the body of a rule, in order. Annotations are left out: they are texts for people."""
    tree = tree_of(rule)
    waiting: list[ast.AST] = [*reversed(tree.body)] if tree else []
    while waiting:
        node = waiting.pop()
        yield node
        children = [child for name, child in ast.iter_fields(node) if name not in ("annotation", "ctx")]
        nodes = [node for child in children for node in (child if isinstance(child, list) else [child])]
        waiting += [node for node in reversed(nodes) if isinstance(node, ast.AST)]


def _root(node: ast.AST) -> str | None:
    """The variable at the start of a chain of attributes: `cards` in `cards.all.count`. None if there is none."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _is_truth(node: ast.AST) -> bool:
    """Whether an expression is a truth value rather than another number."""
    match node:
        case ast.BoolOp(values=values):
            return any(map(_is_truth, values))
        case ast.IfExp(body=one, orelse=other):
            return _is_truth(one) or _is_truth(other)
    return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))


def _numbers_in(node: ast.AST) -> list[ast.AST]:
    """The parts of an expression or a statement that must be numbers, in reverse order."""
    match node:
        case ast.Compare(ops=[*_, ast.In() | ast.NotIn() | ast.Is() | ast.IsNot()]):
            return []
        case ast.BinOp() | ast.BoolOp() | ast.Compare() | ast.UnaryOp():
            return [*ast.iter_child_nodes(node)][::-1]
        case ast.AugAssign(value=number):
            return [number]
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
            return [test]
    return []
