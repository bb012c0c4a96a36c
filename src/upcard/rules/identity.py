"""The identity of rules: what a match record says about the rules of a game that does not ship with Upcard.

A record is replayed only by rules with the same identity. It does not depend on the version of Python, on the
heuristic, or on texts for people.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

import upcard.rules
from upcard.rules.game import RULES, Game
from upcard.rules.marks import mark_of
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
SAID = ("clause", "help")
"""What an option or number has for people."""
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
    """The value of a number as JSON, or its source, and what that names, if it is computed."""
    if isinstance(value, FunctionType):
        return "\n".join(_sources([value])) or source_of(value)
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
    reach = reached(_rules_of(root)).rules
    yield from _sources([rule for rule in reach if not _is_known(rule, files)], files)
    yield from _imported(root, [named for rule, named in reach.items() if Path(rule.__code__.co_filename) in files])


def _imported(root: Game[Any], by_rules: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The numbers that rules and declarations of a game have from files of others: its own text names them only."""
    assigned = {
        node.id
        for _, tree in trees_of(root)
        for statement in tree.body
        if not isinstance(statement, ast.FunctionDef)
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    declared = root.options.options | root.options.numbers
    parts = [(name, *part) for name, one in declared.items() for part in vars(one).items() if part[0] not in SAID]
    computed = [value for _, _, value in parts if isinstance(value, FunctionType) and not _is_known(value, set())]
    for named in (*by_rules, *(dict(_named(one)) for one in computed)):
        for name, value in sorted(named.items(), key=lambda pair: pair[0]):
            if name not in assigned and _is_plain(value) and vars(upcard.rules).get(name) != value:
                yield f"{name} {value!r}"
    yield from (f"{name} {part} {value!r}" for name, part, value in parts if _is_plain(value))


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
    files: set[Path] = set()
    if change.rules:
        for file, tree in trees_of(root):
            files.add(file)
            (for_people if file.stem in FOR_PEOPLE else rules).update(functions_in(tree))
    for name in sorted(change.rules):
        module, _, function = name.rpartition(".")
        if module in FOR_PEOPLE or (not module and function in for_people - rules):
            continue
        yield name
        yield from _sources([change.rules[name]], files)
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


def _sources(functions: Iterable[Any], files: Iterable[Path] = ()) -> Iterator[str]:
    """The source of functions, of the helpers in their modules and of the rules elsewhere, but in `files`, that they
    call, and the constants that they use."""
    waiting, seen = list(functions), set()
    while waiting:
        function = waiting.pop(0)
        if function in seen or _is_known(function, set()):
            continue
        seen.add(function)
        yield source_of(function)
        for name, value in sorted(_named(function), key=lambda pair: pair[0]):
            if isinstance(value, FunctionType):
                elsewhere = mark_of(value) is not None and Path(value.__code__.co_filename) not in files
                waiting += [value] if value.__globals__ is function.__globals__ or elsewhere else []
            elif _is_plain(value):
                yield f"{name} {value!r}"


def _named(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """What a function names, the variables around it and its defaults included, with the values."""
    yield from globals_of(function)
    yield from zip(
        function.__code__.co_freevars, [cell.cell_contents for cell in function.__closure__ or ()], strict=True
    )
    if function.__defaults__:
        yield "", function.__defaults__
    yield from (function.__kwdefaults__ or {}).items()


def _is_plain(value: Any) -> bool:
    return all(map(_is_plain, value)) if isinstance(value, tuple) else isinstance(value, int | str)
