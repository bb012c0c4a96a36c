"""Syntax that rules cannot have, since it does not compile, or means something else when compiled."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

from upcard.rules.errors import BadGame
from upcard.rules.source import method_of, node_of

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
}
"""By the kind of syntax, what is wrong with it and what to do instead."""
_PACKAGE = Path(__file__).parents[1]


def faults(rule: FunctionType) -> Iterator[str]:
    """The syntax in a rule from outside that rules cannot have, each with its place; the rules of Upcard itself are
    tested."""
    file = Path(rule.__code__.co_filename)
    if _PACKAGE in file.parents:
        return
    try:
        rule_node = node_of(method_of(rule))
    except BadGame:  # generated, so there is nothing to read
        return
    for node in inside(rule_node):
        if why := REFUSED.get(type(node)):
            yield f"{file.name}, line {getattr(node, 'lineno', rule_node.lineno)}: in {rule.__name__}, {why}"


def inside(rule: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes in the body of a function, in order. Annotations are left out: they are texts for people."""
    waiting: list[ast.AST] = rule.body[::-1]  # type: ignore[assignment]
    while waiting:
        node = waiting.pop()
        yield node
        children = [child for name, child in ast.iter_fields(node) if name not in ("annotation", "returns", "ctx")]
        nodes = [node for child in children for node in (child if isinstance(child, list) else [child])]
        waiting += [node for node in reversed(nodes) if isinstance(node, ast.AST)]
