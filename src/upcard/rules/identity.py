"""The identity of rules: what a match record says about the rules of a game that does not ship with Upcard.

A record is replayed only by rules with the same identity. It does not depend on the version of Python, on the
heuristic, or on texts for people.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

from upcard.rules.game import RULES, Game
from upcard.rules.notation import Verb
from upcard.rules.options import Number
from upcard.rules.reach import globals_of, reached
from upcard.rules.source import canonical, functions_in, source_of, trees_of
from upcard.rules.state import Field
from upcard.rules.variants import Change

Identity = dict[str, object]
FOR_PEOPLE = ("words", "heuristic", "conftest")
"""The names of modules without rules."""
TEXTS = ("asks", "label", "quiet", "said", "zone")
"""What a verb has for people."""
HERE = Path(__file__).parents[1]


def identity(game: Game[Any]) -> Identity | None:
    """The identity of a game's rules; None for shipped games. Raises BadGame if the source of a rule is not
    available."""
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
    """The value of a number as JSON, or its source if it is computed."""
    if callable(value):
        return source_of(value)
    return list(value) if isinstance(value, tuple) else value


def _whole(root: Game[Any]) -> Iterator[str]:
    """The texts of all rules of a game that does not ship with Upcard."""
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
    """Whether the text of a rule is included already, or is part of Upcard."""
    file = Path(rule.__code__.co_filename)
    return file in files or HERE in file.parents or rule.__code__.co_filename == "<string>"


def _until_declared(tree: ast.Module) -> ast.Module:
    """A module up to the declaration of the game, without variants, tests or a main program after it."""
    body = []
    for node in tree.body:
        body.append(node)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            if getattr(node.value.func, "id", getattr(node.value.func, "attr", "")) == "define_game":
                break
    return ast.Module(body, [])


def _changed(root: Game[Any], change: Change) -> Iterator[str]:
    """The texts of a change's rules, fields and options, without those of words and heuristic."""
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
    yield from (f"{name} {change.said[name]}" for name in ("most_moves", "players") if name in change.said)
    if "notation" in change.said and (spoken := _spoken(change.said["notation"])) != _spoken(root.notation):
        yield from spoken
    for name, one in sorted(change.options.items()):
        if isinstance(one, Number):
            yield f"{name} {_plain(one.value)}"
            continue
        yield f"{name} {one.kind} {one.values} {[_plain(value) for value in (one.default, one.low, one.high)]}"


def _spoken(notation: Any) -> list[str]:
    """What a notation declares, without texts for people."""
    return [f"{notation.of_playable} {_told(one, leave_out=TEXTS)}" for one in notation.verbs]


def _declared(fields: Any) -> Iterator[str]:
    for name, spec in sorted(fields.items()):
        yield f"{name} {_told(spec)}"


def _told(declared: Field | Verb, leave_out: Iterable[str] = ()) -> str:
    """The attributes of a declaration. Those with default values are left out, so that future ones change nothing."""
    usual = type(declared)
    told = {key: value for key, value in vars(declared).items() if key not in leave_out}
    return str(sorted((key, str(value)) for key, value in told.items() if value != getattr(usual, key, None)))


def _sources(functions: Iterable[Any]) -> Iterator[str]:
    """The source of functions and of the helpers in their modules, and the constants that they use."""
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
