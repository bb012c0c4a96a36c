"""What a record says of the rules by which it was played, where they do not come with Upcard.

It is the same on every version of Python, and whatever the heuristic does or the words for people are; so a record is
replayed only by the rules by which it was played.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

from upcard.rules.game import RULES, Game
from upcard.rules.options import Number
from upcard.rules.reach import globals_of, reached
from upcard.rules.source import canonical, functions_in, source_of, trees_of
from upcard.rules.state import Field
from upcard.rules.variants import Change

Identity = dict[str, object]
FOR_PEOPLE = ("words", "heuristic", "conftest")
"""Files of a game that hold no rules."""
HERE = Path(__file__).parents[1]


def identity(game: Game[Any]) -> Identity | None:
    """The identity of a game's rules; None for those that come with Upcard. Raises BadGame for what has no source."""
    root, changes = game.root, game.changes
    shipped = root.package.startswith("upcard.games.")
    if shipped and not changes:
        return None
    told: Identity = {"variant_of": root.slug} if changes else {}
    numbers = {name: game.options.numbers[name].value for change in changes for name in change.numbers}
    if numbers:
        told["numbers"] = {name: _plain(value) for name, value in numbers.items()}
    texts = [] if shipped else list(_whole(root))
    texts += [line for change in changes for line in _changed(root, change)]
    if texts:
        told["rules"] = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]
    return told


def _plain(value: Any) -> object:
    """A number as JSON has it; of one that is worked out, its source."""
    if callable(value):
        return source_of(value)
    return list(value) if isinstance(value, tuple) else value


def _whole(root: Game[Any]) -> Iterator[str]:
    """Everything that makes the rules of a game from outside."""
    if root.file is None or not root.file.is_file():
        yield from _sources(_rules_of(root))
        yield from _declared(root.state.fields)
        return
    files = set()
    for file, tree in trees_of(root):
        files.add(file)
        if file.stem not in FOR_PEOPLE and not file.stem.startswith("test"):
            yield canonical(_until_declared(tree))
    elsewhere = [rule for rule in reached(_rules_of(root)).rules if not _is_known(rule, files)]
    yield from _sources(elsewhere)


def _rules_of(game: Game[Any]) -> list[FunctionType]:
    return [rule for rule in (getattr(game, name) for name in RULES) if rule is not None]


def _is_known(rule: FunctionType, files: set[Path]) -> bool:
    """Whether the text of a rule has been told already, or is Upcard's own."""
    file = Path(rule.__code__.co_filename)
    return file in files or HERE in file.parents or rule.__code__.co_filename == "<string>"


def _until_declared(tree: ast.Module) -> ast.Module:
    """A module without what comes after the game is declared: variants of it, tests, a main program."""
    body = []
    for node in tree.body:
        body.append(node)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            if getattr(node.value.func, "id", getattr(node.value.func, "attr", "")) == "define_game":
                break
    return ast.Module(body, [])


def _changed(root: Game[Any], change: Change) -> Iterator[str]:
    """A change's rules, fields and options, less the words and the heuristic."""
    for_people: set[str] = set()
    rules: set[str] = set()
    if change.rules:
        for file, tree in trees_of(root):
            (for_people if file.stem in FOR_PEOPLE else rules).update(functions_in(tree))
    for name in sorted(change.rules):
        module, _, function = name.rpartition(".")
        if module in FOR_PEOPLE or (not module and function in for_people - rules):
            continue
        yield name
        yield from _sources([change.rules[name]])
    yield from _declared(change.fields)
    for name, one in sorted(change.options.items()):
        if isinstance(one, Number):
            yield f"{name} {_plain(one.value)}"
            continue
        yield f"{name} {one.kind} {one.values} {[_plain(value) for value in (one.default, one.low, one.high)]}"


def _declared(fields: Any) -> Iterator[str]:
    """Fields with what is declared of them, in words that stay the same when Upcard declares more."""
    for name, spec in sorted(fields.items()):
        told = {key: value for key, value in vars(spec).items() if value != getattr(Field, key, None)}
        yield f"{name} {sorted((key, str(value)) for key, value in told.items())}"


def _sources(functions: Iterable[Any]) -> Iterator[str]:
    """The source of functions and of their helpers beside them, and the numbers that they name."""
    waiting, seen = list(functions), set()
    while waiting:
        function = waiting.pop(0)
        if function in seen or _is_known(function, set()):
            continue
        seen.add(function)
        yield source_of(function)
        for name, value in sorted(globals_of(function), key=lambda pair: pair[0]):
            if isinstance(value, FunctionType) and value.__globals__ is function.__globals__:
                waiting.append(value)
            elif _is_plain(value):
                yield f"{name} {value!r}"


def _is_plain(value: Any) -> bool:
    return all(map(_is_plain, value)) if isinstance(value, tuple) else isinstance(value, int | str)
