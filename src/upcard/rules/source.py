"""The sources of rules: as syntax trees, as text for hashes, and searched for numbers."""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
import textwrap
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

from upcard.rules.errors import BadGame


def node_of(function: FunctionType) -> ast.FunctionDef:
    """The syntax tree of a function. Shared: do not change it. Raises BadGame if its source is not known any more."""
    code = function.__code__
    linecache.checkcache(code.co_filename)
    text = "".join(linecache.getlines(code.co_filename, function.__globals__))
    node, compiled = _functions(text, code.co_filename).get((code.co_name, code.co_firstlineno), (None, None))
    if node is None:
        raise BadGame(f"{code.co_name} has no source: write it in a file (or a notebook's cell), not at a prompt")
    if compiled is not None and compiled.co_code != code.co_code:
        raise BadGame(
            f"{Path(code.co_filename).name}: {code.co_name} has been edited since it was loaded: load it again"
        )
    return node


def method_of(twin: FunctionType) -> FunctionType:
    """The method that a function is the twin of; the function itself if it is none."""
    method: FunctionType = getattr(twin, "_upcard_method", twin)
    return method


def tree_of(rule: FunctionType) -> ast.FunctionDef | None:
    """The syntax tree of a rule, or of a twin with the calls as they are in it; None for a generated function."""
    tree: ast.FunctionDef | None = getattr(rule, "_upcard_tree", None)
    return node_of(rule) if tree is None and rule.__code__.co_filename != "<string>" else tree


def place(function: FunctionType, line: int | None = None) -> str:
    """The file and line of a function, or of this line in it, for a message."""
    if line is None:
        try:
            line = node_of(method_of(function)).lineno
        except BadGame:  # typed at a prompt
            line = function.__code__.co_firstlineno
    return f"{Path(function.__code__.co_filename).name}, line {line}"


def where(cls: type, name: str = "") -> str:
    """The file and line of a class that is being made, or of an attribute in it; its name if it is complete."""
    if "_given" in vars(cls):  # made while a program runs
        return str(vars(cls)["slug"])
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_globals.get("__name__") != cls.__module__:
        frame = frame.f_back
    if frame is None:
        return cls.__name__
    file, line = frame.f_code.co_filename, frame.f_lineno
    try:
        tree = ast.parse("".join(linecache.getlines(file, frame.f_globals)))
    except SyntaxError:
        tree = ast.Module([], [])
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == cls.__name__ and _begin(node) <= line <= _end(node):
            line = node.lineno
            for statement in node.body:
                if name in _names_in(statement):
                    line = statement.lineno
            break
    return f"{Path(file).name}, line {line}"


def _begin(node: ast.ClassDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _end(node: ast.ClassDef) -> int:
    return node.end_lineno or node.lineno


def _names_in(statement: Any) -> set[str]:
    """The names that a statement in the body of a class defines."""
    targets = getattr(statement, "targets", [getattr(statement, "target", None)])
    stored = {node.id for target in targets if target for node in ast.walk(target) if isinstance(node, ast.Name)}
    return stored | {getattr(statement, "name", "")} - {""}


def generate(name: str, source: str, space: dict[str, Any]) -> None:
    """Execute a generated source, whose functions then have a source as those in files have."""
    file = f"<{name}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    exec(compile(source, file, "exec", dont_inherit=True), space)


@lru_cache(maxsize=256)
def _functions(text: str, file: str) -> dict[tuple[str, int], tuple[ast.FunctionDef, CodeType | None]]:
    """The functions in a source, each with its code, by name and first line."""
    try:
        tree = ast.parse(text)
        codes = {
            (code.co_name, code.co_firstlineno): code for code in _codes(compile(text, file, "exec", dont_inherit=True))
        }
    except SyntaxError:
        return {}
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    places = {
        (node.name, min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])): node
        for node in nodes
    }
    return {where: (node, codes.get(where)) for where, node in places.items()}


def _codes(code: CodeType) -> list[CodeType]:
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    return [*inner, *(deeper for one in inner for deeper in _codes(one))]


@lru_cache(maxsize=256)
def literals(text: str) -> list[tuple[int, int | str]]:
    """The whole numbers and texts in the functions of a module, each after its line; docstrings are left out. Cached,
    since each number of a variant is looked for: do not change the list."""
    found: list[tuple[int, int | str]] = []
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef):
            docstring = ast.get_docstring(function, clean=False)
            nodes = (node for node in ast.walk(function) if isinstance(node, ast.Constant))
            found += [
                (node.lineno, node.value)
                for node in nodes
                if type(node.value) is int or (isinstance(node.value, str) and node.value != docstring)
            ]
    return found


# --------------------------------------------------------------------------------------------------- as text for hashes


def source_of(function: Callable[..., Any]) -> str:
    """The `canonical` source of a function. Raises BadGame if it was typed at a prompt, or is a lambda."""
    name = getattr(function, "__name__", "a rule")
    try:
        return canonical(ast.parse(textwrap.dedent(inspect.getsource(function))))
    except (OSError, TypeError):
        raise BadGame(f"{name} has no source: write it in a file (or a notebook's cell), not at a prompt") from None
    except SyntaxError:
        raise BadGame(f"{name} is not a function with a name of its own: write it with `def`") from None


def canonical(node: Any) -> str:
    """A syntax tree as text, the same on all versions of Python, without comments, layout, docstrings, annotations,
    marks and texts for people, which do not change the rules."""
    if isinstance(node, list):
        return "[" + " ".join(map(canonical, node)) + "]"
    if not isinstance(node, ast.AST):
        return repr(node)
    lines = []
    for name in sorted(node._fields):
        value = getattr(node, name, None)
        if name in _LEFT_OUT or value is None or value == []:
            continue
        if name == "body" and isinstance(value, list):
            value = [one for one in value if not _is_text(one)]
        elif name == "keywords" and isinstance(node, ast.Call):
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            value = [one for one in value if one.arg not in _FOR_PEOPLE.get(called, ())]
        lines.append(f"{name}={canonical(value)}")
    return f"({type(node).__name__} {' '.join(lines)})"


_LEFT_OUT = {"annotation", "ctx", "decorator_list", "kind", "returns", "type_comment", "type_ignores", "type_params"}
_OPTIONS = ("card_set", "card_values", "choice", "digits", "flag", "number", "rank_order", "table_of", "whole")
_FOR_PEOPLE = {
    "verb": ("asks", "label", "quiet", "said"),
    **dict.fromkeys(_OPTIONS, ("clause", "help")),
}
"""By the function that declares something, the names of its arguments that are texts for people."""


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
