"""Checks of what stands in a class of a game: its bases, names, methods, and the numbers that it changes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from inspect import CO_GENERATOR, Signature, get_annotations, signature
from itertools import pairwise
from types import CodeType, FunctionType, UnionType
from typing import Any, Generic

from upcard.rules.errors import BadGame
from upcard.rules.game import FINAL, Clauses, Game
from upcard.rules.knowledge import Holding
from upcard.rules.lineage import added_by, classes_of, is_shipped, literal_twins, root_of
from upcard.rules.notation import Notation
from upcard.rules.options import Number, Option
from upcard.rules.reach import returns
from upcard.rules.source import node_of, place, where
from upcard.rules.state import GameState
from upcard.rules.twins import owner_of
from upcard.rules.words import Words, brief

DECLARED = set(get_annotations(Game)) - {"players", "chosen"}
"""What a class can say of its game, besides options and numbers."""
TEXTS = {"title", "slug", "family", "summary", "length", "difficulty", "picture", "short", "refused"}
"""Of these, what a variant of two variants has from the first."""
WORKED_OUT = {"base", "identity", "declared_options", "declared_numbers"}
INTERNAL = {"_given", "_is_made"}
"""Attributes that classes have and do not declare."""
SIZES = {"SITUATIONS", "TRAITS", "NOTES", "SURROUNDINGS", "UNITS", "HAND_SIGNS", "DRAWN"}
KINDS: dict[str, tuple[type | UnionType, str]] = {
    **dict.fromkeys(TEXTS - {"picture", "short"}, (str, "a text")),
    **dict.fromkeys(SIZES, (int, "a whole number")),
    "picture": (tuple | list, 'a row of texts, as in ("Kh Qh", "As")'),
    "short": (Mapping | None, "a dictionary of options and values"),
    "INFERS": (int | float, "a fraction"),
    "IDLE": (tuple | list, "a row of names of fields"),
    "notation": (Notation, "a Notation()"),
    "phases": (Words, "a row of words, as in words('deal play done')"),
    "clauses": (Clauses, "made by Clauses, as in Clauses(event='CT-1')"),
    "why": (Mapping, "a dictionary of clauses and sentences"),
    "hand": (Holding, "made by Holding, as in Holding('hand')"),
    **dict.fromkeys(("shown", "known"), (Holding | None, "made by Holding, as in Holding('shown')")),
}
"""What the value of a declaration is, and how to write it."""
RESERVED = {
    *(name for name, value in vars(Game).items() if not isinstance(value, FunctionType) or name in FINAL),
    *DECLARED,
    *("chosen", "history", "players"),
}
"""Names that no option, number or rule can have: every game has something else called so, or OpenSpiel's games a
parameter."""
PYTHONS = {"__annotate__", "__annotate_func__"}
"""Functions that Python puts into a class."""
SIMILAR = 0.8
"""From this ratio on, a method that nothing calls is taken for a misspelt rule."""


def check_bases(cls: type[Game[Any]]) -> None:
    """Raises BadGame for a base that is no class of a game, and for two games."""
    for part in cls.__mro__:
        if not issubclass(part, Game) and part not in (Generic, object):
            raise BadGame(f"{where(cls)}: {part.__name__} is no class of a game: write class {part.__name__}(Game)")
    roots = dict.fromkeys(root_of(part) for part in classes_of(cls)[1:] if "title" in vars(part))
    if len(roots) > 1:
        names = " and ".join(part.__name__ for part in roots)
        raise BadGame(f"{where(cls)}: {cls.__name__} is made of several games, {names}: choose one")


def check_names(cls: type[Game[Any]]) -> None:
    """Raises BadGame for a name without a value, one that cannot be used, and a declaration of another kind."""
    for name, kind in get_annotations(cls).items():
        if name not in vars(cls) and "ClassVar" not in str(kind):
            raise BadGame(f"{where(cls, name)}: declare {name}, as in `{name}: int = number(1, clause=…)`")
    for name, value in vars(cls).items():
        if name[:2] == "__":
            if name == "__slots__" or (isinstance(value, FunctionType | classmethod) and name not in PYTHONS):
                raise BadGame(f"{where(cls, name)}: a game has no {name} of its own: leave it out")
        elif name.startswith(f"_{cls.__name__.lstrip('_')}__"):
            name = name.removeprefix(f"_{cls.__name__.lstrip('_')}")
            raise BadGame(f"{where(cls, name)}: {name} begins with two underscores, so no rule finds it: write one")
        elif isinstance(value, classmethod | staticmethod | property):
            raise BadGame(f"{where(cls, name)}: {name} is no rule: write a method with `self`, or a function outside")
        elif isinstance(value, Option | Number | FunctionType) and name in RESERVED:
            raise BadGame(f"{where(cls, name)}: every game has something else called {name}: choose another name")
        elif name in WORKED_OUT and not is_shipped(cls):
            raise BadGame(f"{where(cls, name)}: {name} is worked out from the class: leave it out")
        elif name in KINDS and not isinstance(value, KINDS[name][0]):
            raise BadGame(f"{where(cls, name)}: {name} is {KINDS[name][1]}, not {brief(value)}")


def check_state(cls: type[Game[Any]]) -> None:
    """Raises BadGame for a state that is none, or that lacks what the rules of a class above need."""
    if not hasattr(cls, "state"):
        return
    if not (isinstance(cls.state, type) and issubclass(cls.state, GameState)):
        raise BadGame(f"{where(cls, 'state')}: state is a class of states, not {brief(cls.state)}")
    for part in classes_of(cls):
        if "state" in vars(part) and not issubclass(cls.state, part.state):
            ours, theirs = cls.state.__name__, part.state.__name__
            needs = f"the states of {cls.__name__} are {ours}, and the rules of {part.__name__} need {theirs}"
            remedy = f"derive it from that, as in class {ours}({theirs})"
            raise BadGame(f"{where(cls, 'state')}: {needs}: {remedy}")


# ------------------------------------------------------------------------------------------------------------ methods


def check_methods(cls: type[Game[Any]]) -> None:
    """Raises BadGame for a method that is also a number, that does not replace what it should, or that several bases
    have."""
    attributes = {*map(cls.attribute_of, cls.declared_options), *map(cls.attribute_of, cls.declared_numbers)}
    for name in attributes:
        for part in classes_of(cls) + [Game]:
            if isinstance(method := vars(part).get(name), FunctionType) and method.__name__ != "<lambda>":
                raise BadGame(
                    f"{where(cls, name)}: {name} is an option or a number, and a rule of {part.__name__} "
                    f"({place(method)}): name one of them otherwise"
                )
    for name, method in vars(cls).items():
        if isinstance(method, FunctionType) and name[:2] != "__" and name not in attributes:
            _check_method(cls, name, method)
    _check_twice(cls)


def _check_method(cls: type[Game[Any]], name: str, method: FunctionType) -> None:
    above = cls.__mro__[1:]
    replaced = next((vars(part)[name] for part in above if name in vars(part)), None)
    if replaced is None and getattr(method, "__override__", False):
        close = get_close_matches(name, [*dir(cls)], 2)
        meant = next((f" (is {other} meant?)" for other in close if other != name), "")
        raise _bad(cls, method, f"replaces nothing{meant}: take @override away, or name it as the rule is called")
    if replaced is not None:
        home = owner_of(above, name)
        if not getattr(method, "__override__", False):
            raise _bad(cls, method, f"replaces a rule of {home.__name__}: write @override above it, or rename it")
        if not _same_parameters(method, replaced):
            raise _bad(cls, method, f"takes ({_parameters(method)}), and in {home.__name__} ({_parameters(replaced)})")
        if _gives_value(replaced) and not _gives_value(method):
            raise _bad(cls, method, f"returns nothing, and in {home.__name__} a value: write `return` before it")
    if next(iter(signature(method).parameters), "") != "self":
        raise _bad(cls, method, f"takes ({_parameters(method)}): the first parameter of a method is `self`")


def _bad(cls: type, method: FunctionType, fault: str) -> BadGame:
    return BadGame(f"{place(method)}: {cls.__name__}.{method.__name__} {fault}")


def _parameters(method: FunctionType) -> str:
    bare = [parameter.replace(annotation=parameter.empty) for parameter in signature(method).parameters.values()]
    return str(Signature(bare))[1:-1]


def _same_parameters(method: FunctionType, replaced: Any) -> bool:
    """Whether a method can be called as the one that it replaces. Parameters can have other names, but not those of one
    another."""
    given, wanted = ([*signature(rule).parameters.values()] for rule in (method, replaced))
    names = [parameter.name for parameter in wanted]
    for parameter, usual in zip(given, wanted, strict=False):
        if parameter.kind != usual.kind or (parameter.name != usual.name and parameter.name in names):
            return False
    return len(given) >= len(wanted) and all(
        parameter.default is not parameter.empty for parameter in given[len(wanted) :]
    )


def _gives_value(method: Any) -> bool:
    """Whether a method returns a value, or is annotated to do so and not to return None instead."""
    code: CodeType = method.__code__
    annotated = not str(method.__annotations__.get("return")).endswith("None")
    return annotated or bool(code.co_flags & CO_GENERATOR) or any(returns(code))


def _check_twice(cls: type[Game[Any]]) -> None:
    """Raises BadGame for what two bases have, neither of which is a class of the other: one of them would not hold."""
    for name in {name for part in cls.__mro__[1:] for name in vars(part)} - vars(cls).keys():
        owners = [part for part in classes_of(cls) if name in vars(part) and _is_rule(name, vars(part)[name])]
        for part, other in pairwise(owners):
            if not issubclass(part, other) and vars(part)[name] != vars(other)[name]:
                raise BadGame(
                    f"{where(cls)}: both {part.__name__} and {other.__name__} have {name}: write it in {cls.__name__} "
                    "as well, or rename one of them"
                )


def _is_rule(name: str, value: object) -> bool:
    return name[:2] != "__" and name not in TEXTS | WORKED_OUT | INTERNAL | {"state"}


def check_calls(cls: type[Game[Any]]) -> None:
    """Raises BadGame for a method that nothing calls and that is named almost as a rule, and for one that calls a rule
    above it that is not there."""
    for part in added_by(cls):
        _check_calls(cls, part)


def _check_calls(cls: type[Game[Any]], part: type[Game[Any]]) -> None:
    above = cls.__mro__[cls.__mro__.index(part) + 1 :]
    known = {name for base in above for name, value in vars(base).items() if isinstance(value, FunctionType)}
    for name, method in vars(part).items():
        if not isinstance(method, FunctionType) or name[:2] == "__":
            continue
        state = _state_taken(method)
        if state is not None and not issubclass(cls.state, state):
            raise _bad(
                part,
                method,
                f"takes a {state.__name__}, and the states of {cls.__name__} are {cls.state.__name__}: write "
                f"class {cls.__name__}({cls.__mro__[1].__name__}[{state.__name__}])",
            )
        if name not in known and name not in _named_in(cls) and (meant := _misspelt(method, above)):
            raise _bad(part, method, f"is called by no rule (is {meant} meant?): name it as the rule is called")
        for line, called in _called_above(method):
            if not any(called in vars(base) for base in above):
                close = get_close_matches(called, known, 1, SIMILAR)
                meant = f" (is {close[0]} meant?)" if close else ""
                fault = f"no class above has a rule {called}{meant}"
                raise BadGame(f"{place(method, line)}: in {part.__name__}.{name}, {fault}")


def _misspelt(method: FunctionType, above: tuple[type, ...]) -> str:
    """The rule whose name is almost that of a method, with as many parameters; nothing if there is none."""
    rules = {name: rule for part in above for name, rule in vars(part).items() if isinstance(rule, FunctionType)}
    number = method.__code__.co_argcount
    alike = [name for name, rule in rules.items() if rule.__code__.co_argcount == number]
    close = get_close_matches(method.__name__, alike, 1, SIMILAR)
    return next((name for name in close if name.rstrip("0123456789") != method.__name__.rstrip("0123456789")), "")


def _state_taken(method: FunctionType) -> type[GameState] | None:
    """The class of states for which a method is annotated, if it is."""
    for kind in method.__annotations__.values():
        kind = method.__globals__.get(kind) if isinstance(kind, str) else kind
        if isinstance(kind, type) and issubclass(kind, GameState):
            return kind
    return None


def _named_in(cls: type[Game[Any]]) -> set[str]:
    """The names in all methods of a game."""
    methods = [value for part in classes_of(cls) for value in vars(part).values() if isinstance(value, FunctionType)]
    return {name for method in methods for name in method.__code__.co_names}


def _called_above(method: FunctionType) -> Iterator[tuple[int, str]]:
    """The methods that a method calls as `super().name(…)`, after the lines."""
    if "super" not in method.__code__.co_names:
        return
    try:
        nodes = [*ast.walk(node_of(method))]
    except BadGame:  # rules without a source are refused elsewhere
        return
    for node in nodes:
        match node:
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super"), args=[]), attr=name):
                yield node.lineno, name


# ------------------------------------------------------------------------------------------------------------ numbers


def check_changed_numbers(cls: type[Game[Any]]) -> None:
    """Raises BadGame for a changed number that the rules of the game also name as a literal."""
    bases = [] if cls.base is None else [part for part in classes_of(cls.base)[::-1] if "title" in vars(part)]
    first = {name: part for part in bases[::-1] for name in part.declared_numbers}
    for name, home in first.items():
        number, known = cls.declared_numbers.get(name), home.declared_numbers[name].value
        if number is None or number.value == known or not isinstance(known, int):
            continue
        if twin := next(literal_twins(bases[-1], known), None):
            raise BadGame(
                f"{where(cls, number.attribute)}: {name} is {known} in {home.__name__}, which also stands in {twin}: "
                f"name it there (self.{number.attribute}), or the variant would be changed in part only"
            )
