"""The sources of rules, as syntax trees and as text for hashes, and the literals in them."""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

from upcard.rules.errors import BadGame


def node_of(function: FunctionType) -> ast.FunctionDef:
    """The syntax tree of a function. Shared: do not change it. Raises BadGame if its source is missing or edited."""
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
    """The method that a function is the twin of; the function itself if it is not a twin."""
    method: FunctionType = getattr(twin, "_upcard_method", twin)
    return method


def is_method(value: object) -> bool:
    """Whether an attribute of a class is a method, rather than a function that computes a number."""
    return isinstance(value, FunctionType) and value.__name__ != "<lambda>"


def tree_of(rule: Any) -> ast.FunctionDef | None:
    """The syntax tree of a rule, for a twin with its own calls; None for a generated function. Cached, since the file
    can be edited before the rule is compiled."""
    if not hasattr(rule, "_upcard_tree"):
        rule._upcard_tree = None if rule.__code__.co_filename == "<string>" else node_of(rule)
    tree: ast.FunctionDef | None = rule._upcard_tree
    return tree


def place(function: FunctionType, line: int | None = None) -> str:
    """The file and line of a function, or of this line in it, for a message."""
    if line is None:
        try:
            line = node_of(method_of(function)).lineno
        except BadGame:  # typed at a prompt
            line = function.__code__.co_firstlineno
    return f"{Path(function.__code__.co_filename).name}, line {line}"


Faults = Iterator[tuple[str | FunctionType, str]]
"""The faults in a class, as pairs: the name of an attribute, a method, or "" for the class itself; and a message."""


def refuse(cls: type, faults: Faults) -> None:
    """Raise BadGame for the first of these faults in a class under construction, with its place."""
    for at, fault in faults:
        raise BadGame(f"{place(at) if isinstance(at, FunctionType) else where(cls, at)}: {fault}")


def where(cls: type, name: str = "") -> str:
    """The file and line of a class under construction, or of an attribute in it; the name of a complete class."""
    if "_given" in vars(cls):  # created at run time
        return str(vars(cls)["slug"])
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_globals.get("__name__") != cls.__module__:
        frame = frame.f_back
    if frame is None:
        return cls.__name__
    file, line = frame.f_code.co_filename, frame.f_lineno
    with suppress(SyntaxError):
        for node in ast.walk(ast.parse("".join(linecache.getlines(file, frame.f_globals)))):
            if isinstance(node, ast.ClassDef) and node.name == cls.__name__:
                if _first_line(node) <= line <= (node.end_lineno or node.lineno):
                    named = [statement.lineno for statement in node.body if name in _names_in(statement)]
                    line = [node.lineno, *named][-1]
                    break
    return f"{Path(file).name}, line {line}"


def _first_line(node: ast.ClassDef | ast.FunctionDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _names_in(statement: Any) -> set[str]:
    """The names that a statement in the body of a class defines."""
    targets = getattr(statement, "targets", [getattr(statement, "target", None)])
    stored = {node.id for target in targets if target for node in ast.walk(target) if isinstance(node, ast.Name)}
    return stored | {getattr(statement, "name", "")} - {""}


def generate(name: str, source: str, space: dict[str, Any]) -> None:
    """Execute a generated source and cache its lines, so that its functions have a source like those in files."""
    file = f"<{name}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    exec(compile(source, file, "exec", dont_inherit=True), space)


@lru_cache(maxsize=256)
def _functions(text: str, file: str) -> dict[tuple[str, int], tuple[ast.FunctionDef, CodeType | None]]:
    """The functions in a source, each with its code, by name and first line."""
    try:
        nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
        codes = {(code.co_name, code.co_firstlineno): code for code in _codes(compile(text, file, "exec", 0, True))}
    except SyntaxError:
        return {}
    places = {(node.name, _first_line(node)): node for node in nodes}
    return {place: (node, codes.get(place)) for place, node in places.items()}


def _codes(code: CodeType) -> list[CodeType]:
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return [*inner, *(deeper for one in inner for deeper in _codes(one))]


@lru_cache(maxsize=256)
def literals(text: str) -> list[tuple[int, int | str]]:
    """The whole numbers and texts in the functions of a module, each after its line; docstrings are left out. Cached,
    since each number of a variant is searched for: do not change the list."""
    numbers_and_texts: list[tuple[int, int | str]] = []
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef):
            docstring = ast.get_docstring(function, clean=False)
            for node in ast.walk(function):
                match node:
                    case ast.Constant(value=int(value) | str(value)) if type(value) is not bool and value != docstring:
                        numbers_and_texts.append((node.lineno, value))
    return numbers_and_texts


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
_OPTIONS = (
    "card_set",
    "card_values",
    "choice",
    "digits",
    "flag",
    "number",
    "one_card",
    "one_rank",
    "rank_order",
    "table_of",
    "whole",
)
_FOR_PEOPLE = {
    "verb": ("asks", "label", "quiet", "said"),
    **dict.fromkeys(_OPTIONS, ("also", "clause", "help", "phrases")),
}
"""The arguments that are texts for people, by the name of the function that declares something."""


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
