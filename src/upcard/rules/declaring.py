"""The declarations of a game, collected and checked when its class is created."""

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from types import FunctionType
from typing import Any, TypeVar, get_args

from upcard.rules.checks import check_constraints, check_declarations, check_rules
from upcard.rules.errors import BadGame
from upcard.rules.game import Game
from upcard.rules.identity import identity_of
from upcard.rules.knowledge import Holding
from upcard.rules.lineage import classes_of, is_shipped
from upcard.rules.members import (
    DECLARED,
    INTERNAL,
    check_bases,
    check_calls,
    check_changed_numbers,
    check_methods,
    check_names,
    check_speech,
    check_state,
)
from upcard.rules.options import Number, Option, settled
from upcard.rules.phrases import brief, suggestion
from upcard.rules.source import Faults, is_method, refuse, where
from upcard.rules.state import GameState

NEEDED = ("deal", "playable", "apply")
SLUG = "[a-z][a-z0-9-]*"


def declare(cls: type[Game[Any]]) -> None:
    """Collect the declarations of a class, and check them and its methods. Raises BadGame."""
    refuse(cls, chain(check_bases(cls), check_names(cls)))
    cls.declared_options, cls.declared_numbers = _options_and_numbers(cls)
    if state := _state_of(cls):
        cls.state = state
    refuse(cls, chain(check_state(cls), check_methods(cls)))
    if hasattr(cls, "title"):
        refuse(cls, _complete(cls))
        if not is_shipped(cls):  # the tests check the shipped games
            refuse(cls, chain(check_calls(cls), check_declarations(cls), check_speech(cls)))
            refuse(cls, check_constraints(cls))
            check_rules(cls)
            refuse(cls, check_changed_numbers(cls))
            cls.identity = identity_of(cls)


def made_variant(
    base: type[Game[Any]], slug: str, words: Mapping[str, object], numbers: Mapping[str, object]
) -> type[Game[Any]]:
    """Create a subclass with other numbers or settled options, given by their names in records. Raises BadGame."""
    if not isinstance(slug, str) or not re.fullmatch(SLUG, slug) or slug == base.slug:
        raise BadGame(f"a variant has a slug of its own, of small letters, digits and dashes, not {brief(slug)}")
    if old := words.keys() & {"rules", "fields", "options"}:
        raise BadGame(f"{slug}: other {min(old)} are a subclass: class Mine({base.__name__}): title = …")
    if not isinstance(numbers, Mapping):
        raise BadGame(f"{slug}: numbers are a dictionary by their names, not {brief(numbers)}")
    declared = base.declared_options | base.declared_numbers
    if unknown := [name for name in numbers if name not in declared]:
        names = ", ".join(name for name, one in base.declared_numbers.items() if not one.derived) or "none"
        raise BadGame(f"{slug}: {brief(unknown[0])} is no number of this game (there are: {names})")
    if unknown := [name for name in words if name not in DECLARED]:
        raise BadGame(f"{slug}: {unknown[0]!r} is none of what a game says of itself ({', '.join(sorted(DECLARED))})")
    body = {declared[name].attribute: value for name, value in numbers.items()}
    body |= {**words, "slug": slug, "_given": (base, slug, dict(words), dict(numbers))}
    name = "".join(map(str.capitalize, slug.split("-")))
    return types.new_class(name, (base,), exec_body=lambda space: space.update(body))


# ------------------------------------------------------------------------------------------------ options and numbers


def _options_and_numbers(cls: type[Game[Any]]) -> tuple[dict[str, Option], dict[str, Number]]:
    """The options and numbers that the classes of a game declare, change or settle."""
    options: dict[str, Option] = {}
    numbers: dict[str, Number] = {}
    for part in classes_of(cls)[::-1]:
        for name, value in vars(part).items():
            if name[:2] == "__" or name in INTERNAL | DECLARED or is_method(value):
                continue
            try:
                _take(options, numbers, name, value)
            except (ValueError, TypeError) as error:
                reason = _no_method(cls, name, value) if isinstance(error, _Unknown) else ""
                of_class = "" if "_given" in vars(cls) else f"{cls.__name__}: "
                raise BadGame(f"{where(cls, name)}: {of_class}{reason or error}") from None
    plain = {name: number for name, number in numbers.items() if not number.derived}
    return options, plain | numbers  # derived numbers come last


class _Unknown(ValueError):
    """Raised for an attribute that is neither an option nor a number."""


def _take(options: dict[str, Option], numbers: dict[str, Number], attribute: str, value: Any) -> None:
    """Add an attribute of a class to the options and numbers, or change or settle one. Raises ValueError."""
    name = next((key for key, one in (options | numbers).items() if one.attribute == attribute), attribute)
    number, option = numbers.get(name), options.get(name)
    length = None if number is None else number.length
    other = (options | numbers).get(value.name) if isinstance(value, Option | Number) and value.name else None
    if other is not None and other.attribute != attribute:
        raise ValueError(f"{attribute} is named {value.name}, and so is {other.attribute}: choose another name=")
    if isinstance(value, Option | Number) and (number or option) and length != getattr(value, "length", None):
        shape = "a single number" if length is None else f"a row of {length} numbers"
        raise ValueError(f"{name} is {shape} in the rules, and so in all variants: give another number another name")
    if isinstance(value, Option):
        name = value.name or name
        numbers.pop(name, None)
        options[name] = replace(value, attribute=attribute)
    elif isinstance(value, Number):
        name = value.name or name
        if option is not None and not callable(value.value):
            _valued(option, name, value.value)
        options.pop(name, None)
        if not value.clause and number is not None:  # another value of the same number
            value = replace(value, clause=number.clause, help=number.help, also=number.also)
        numbers[name] = replace(_valued(value, name, value.value), attribute=attribute)
    elif number is not None:
        if number.derived:
            raise ValueError(f"{name} follows from other numbers: change those")
        numbers[name] = _valued(number, name, value)
    elif option is not None:
        del options[name]
        numbers[name] = _valued(option, name, value)
    else:
        guess = suggestion(attribute, [*options, *numbers, *DECLARED], "'")
        remedy = f"declare it, as in `{attribute.lstrip('_')}: int = number(…, clause=…)`"
        raise _Unknown(f"{attribute} is no option or number{guess}: {remedy}, or make it a constant outside the class")


def _valued(declared: Option | Number, name: str, value: Any) -> Number:
    """A declared number with this value, as rules see it, or an option settled at it. Raises ValueError."""
    try:
        if isinstance(declared, Option):
            return settled(declared, value)
        other = replace(declared, value=value if callable(value) else declared.read(value))
        if other.has_joker() and not declared.has_joker():
            raise ValueError("without a joker, which these rules do not know: declare it anew, with rules that do")
        return other
    except ValueError as error:
        kind = "option" if isinstance(declared, Option) else "number"
        raise ValueError(
            f"the {kind} {name} is {error}" + (f" ({clause})" if (clause := declared.clause) else "")
        ) from None


def _no_method(cls: type, name: str, value: Any) -> str:
    """The fault of an attribute that is a class, or a callable that is not a method; empty for others."""
    if isinstance(value, type):
        return f"{name} is a class within a game, and no part of it: write it above"
    home = next((part for part in cls.__mro__[1:] if name in vars(part)), cls)
    if isinstance(vars(home)[name], FunctionType) and home is not cls:
        return f"{name} is a rule of {home.__name__}: write a method, with `def` and @override"
    is_callable = callable(value) or hasattr(value, "__get__")
    return f"{name} is no method: write `def {name}(self, …)`, without decorators" if is_callable else ""


def _state_of(cls: type) -> type[GameState] | None:
    """The state class: the type argument of a base, or the default or bound of a type variable; None without either."""
    for base in vars(cls).get("__orig_bases__", ()) if "state" not in vars(cls) else ():
        for kind in get_args(base):
            if isinstance(kind, TypeVar):
                default = getattr(kind, "__default__", None)
                kind = default if isinstance(default, type) else kind.__bound__
            if isinstance(kind, type) and issubclass(kind, GameState):
                return kind
    return None


# -------------------------------------------------------------------------------------------------------- whole games


def _complete(cls: type[Game[Any]]) -> Faults:
    """Fill in the declarations that a whole game leaves out. Yields those that are missing or wrong."""
    own, above = vars(cls), [part for part in classes_of(cls)[1:] if "title" in vars(part)]
    cls.base = above[0] if above else None
    if "slug" not in own:
        cls.slug = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_", "-", cls.__name__).lower()
    if "title" not in own:
        cls.title = f"{cls.base.title if cls.base else ''} ({cls.slug})"
    if not isinstance(cls.slug, str) or not re.fullmatch(SLUG, cls.slug):
        yield "slug", f"a slug is of small letters, digits and dashes, not {brief(cls.slug)}"
    if cls.slug in [part.slug for part in above]:
        yield "slug", f"{cls.slug} is the slug of the game that it varies: choose another"
    for name, example in (("player_counts", "(2, 3)"), ("most_moves", "50")):
        if not hasattr(cls, name):
            yield "", f"{cls.__name__} needs `{name}`, as in {name} = {example}"
    if not hasattr(cls, "state"):
        yield "", f"say what its states are, as in class {cls.__name__}(Game[State])"
    home = vars(next(part for part in classes_of(cls) if "player_counts" in vars(part)))
    counts = cls.player_counts = cls.declared_counts = home.get("declared_counts", home["player_counts"])
    if isinstance(counts, tuple) and counts and getattr(cls, "default_players", None) not in counts:
        if "default_players" not in own:
            cls.default_players = counts[0]
    for preset in ("short", "author"):
        chosen = vars(cls).get(preset) or {}
        if unknown := [name for name in chosen if name not in cls.declared_options]:
            guess = suggestion(unknown[0], cls.declared_options, "'")
            yield preset, f"{preset} has {brief(unknown[0])}, which is no option{guess}"
    if cls.base is not None and "author" not in own:
        cls.author, cls.author_clause = None, ""
    if cls.short and "short" not in own:  # a variant can have settled some of its options
        cls.short = {name: value for name, value in cls.short.items() if name in cls.declared_options} or None
    for name in ("shown", "known"):
        if name in cls.state.fields and getattr(cls, name) is None:
            setattr(cls, name, Holding(name))
    for name in NEEDED:
        if not cls.defines(name):
            yield "", f"{cls.__name__} has no rule `{name}`: define it (see upcard.rules.Game.{name})"
    if "pack" not in cls.declared_numbers and not cls.defines("cards_to_shuffle"):
        yield "", f"{cls.__name__} needs the number `pack`, or the rule `cards_to_shuffle`"
    if vars(cls.state).get("game") is None:
        cls.state.game = cls
    cls.notation.owner = cls.notation.owner or cls.__name__
