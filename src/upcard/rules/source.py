"""The source of games and rules as text and syntax trees, for hashes and searches."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from upcard.rules.game import BadGame, Game

TWIN_FROM = 10
"""Smaller numbers occur everywhere, so other occurrences of them are not searched for."""
RULES_FIRST = ("rules", "words", "heuristic")


def files_of(game: Game[Any]) -> list[Path]:
    """The Python files of a game, its rules first. Raises BadGame for a game that was not loaded from a file."""
    home = game.root.file
    if home is None or not home.is_file():
        raise BadGame(f"{game.slug} was not loaded from a file: only its numbers can be changed")
    if home.name != "__init__.py":
        return [home]
    named = [home.with_name(f"{name}.py") for name in RULES_FIRST]
    return [file for file in named if file.exists()] + sorted(set(home.parent.glob("*.py")) - set(named))


def trees_of(game: Game[Any]) -> Iterator[tuple[Path, ast.Module]]:
    """The Python files of a game with their syntax trees."""
    for file in files_of(game):
        yield file, parsed(file.read_text(encoding="utf-8"))


@lru_cache(maxsize=256)
def parsed(text: str) -> ast.Module:
    """The syntax tree of a module. Cached: do not change it."""
    return ast.parse(text)


def functions_in(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    """The functions that a module defines, by name."""
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def functions_of(game: Game[Any]) -> dict[str, ast.FunctionDef]:
    """The functions of a game by name, and by `module.name`, since two modules may use the same name."""
    functions: dict[str, ast.FunctionDef] = {}
    for file, tree in trees_of(game):
        for name, node in functions_in(tree).items():
            functions.setdefault(name, node)
            functions[f"{file.stem}.{name}"] = node
    return functions


# -------------------------------------------------------------------------------------------------- numbers as literals


def twins_of(game: Game[Any], value: int) -> Iterator[str]:
    """The places in a game's functions where a number occurs as a literal; none for numbers below `TWIN_FROM`."""
    if not TWIN_FROM <= abs(value) < 1 << 32:
        return
    written = re.compile(rf"(?<![\w-]){value}(?![\w-])")
    for file in files_of(game):
        for line, literal in literals(file.read_text(encoding="utf-8")):
            if literal == value:
                yield f"{file.name}, line {line}"
            elif isinstance(literal, str) and written.search(literal):
                yield f"{file.name}, line {line} ({literal!r})"


@lru_cache(maxsize=256)
def literals(text: str) -> list[tuple[int, int | str]]:
    """The whole numbers and texts in the functions of a module, each after its line; docstrings are left out. Cached,
    since each number of a variant is looked for: do not change the list."""
    found: list[tuple[int, int | str]] = []
    for function in ast.walk(parsed(text)):
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
    "define_game": ("difficulty", "family", "length", "picture", "short", "summary", "title"),
    "verb": ("asks", "label", "quiet", "said"),
    **dict.fromkeys(_OPTIONS, ("clause", "help")),
}
"""By the function that declares something, the names of its arguments that are texts for people."""


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
