"""The classes and files of a game, and the differences between a variant and its base."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any

from upcard.rules.dependencies import dependencies_of
from upcard.rules.game import Game
from upcard.rules.source import literals, method_of
from upcard.rules.twins import defining_class, twins_of

COUNTING = ("count_others", "nth_other", "nth_in_order")
"""The faster counterparts of `other_moves`, which count its moves or pick one without the list."""
CHECKS = ("constraints", "conserved")
"""The methods that change nothing in play: they check numbers, and matches."""
TWIN_FROM = 10
"""The smallest number whose other occurrences are searched for; smaller ones occur everywhere."""


def is_shipped(cls: type) -> bool:
    """Whether a class ships with Upcard."""
    return cls.__module__.startswith("upcard.games.")


def classes_of(cls: type[Game[Any]]) -> list[type[Game[Any]]]:
    """The classes of a game, itself first, without `Game`."""
    return [one for one in cls.__mro__ if issubclass(one, Game) and one is not Game]


def root_of(cls: type[Game[Any]]) -> type[Game[Any]]:
    """The game at the end of the chain of `base`: the class itself if it is not a variant."""
    return cls if cls.base is None else root_of(cls.base)


def added_by(cls: type[Game[Any]]) -> list[type[Game[Any]]]:
    """The classes that a variant adds to its base; for a game that is not a variant, all its classes."""
    inherited = [] if cls.base is None else classes_of(cls.base)
    return [one for one in classes_of(cls) if one not in inherited]


def file_of(cls: type[Game[Any]]) -> Path | None:
    """The file of a class, or of its base if it was created at run time. None in a notebook or at a prompt."""
    if "_given" in vars(cls):
        return file_of(cls.__mro__[1])
    methods = [one for one in vars(cls).values() if isinstance(one, FunctionType) and one.__module__ == cls.__module__]
    name = getattr(sys.modules.get(cls.__module__), "__file__", None)
    file = Path(methods[0].__code__.co_filename if methods else name or "")
    return file if file.is_file() else None


def files_of(cls: type[Game[Any]]) -> list[Path]:
    """The files of a game's classes, those of its root first."""
    files = [file_of(one) for one in classes_of(cls)[::-1]]
    return list(dict.fromkeys(file for file in files if file is not None))


def literal_twins(cls: type[Game[Any]], value: int) -> Iterator[str]:
    """The places in the files of a game where a number occurs as a literal; none for numbers below `TWIN_FROM`."""
    if not TWIN_FROM <= abs(value) < 1 << 32:
        return
    written = re.compile(rf"(?<![\w-]){value}(?![\w-])")
    for file in files_of(cls):
        for line, literal in literals(file.read_text(encoding="utf-8")):
            if literal == value:
                yield f"{file.name}, line {line}"
            elif isinstance(literal, str) and written.search(literal):
                yield f"{file.name}, line {line} ({literal!r})"


def is_counted(cls: type[Game[Any]]) -> bool:
    """Whether `count_others` and `nth_other` can be used, instead of listing the moves of a game.

    A variant cannot use those that it inherits if it replaces `other_moves`, or a rule that this or they call.
    """
    return cls.defines("count_others") and cls.defines("nth_other") and _is_up_to_date(cls)


def is_ordered(cls: type[Game[Any]]) -> bool:
    """Whether `nth_in_order` can be used, under the same condition."""
    return cls.defines("nth_in_order") and _is_up_to_date(cls)


@lru_cache(maxsize=64)
def _is_up_to_date(cls: type[Game[Any]]) -> bool:
    if is_shipped(cls) and cls.base is None:
        return True
    counting = [name for name in COUNTING if cls.defines(name)]
    order, twins = classes_of(cls), twins_of(cls)
    newer = order[: max(order.index(defining_class(cls.__mro__, name)) for name in counting)]
    used = map(method_of, dependencies_of([twins[name] for name in ("other_moves", *counting)]).rules)
    listing = [method for method in used if method.__name__ not in counting]
    return not any(vars(part).get(method.__name__) is method for part in newer for method in listing)


def changed_numbers(cls: type[Game[Any]]) -> dict[str, Any]:
    """The numbers of a variant that differ from those of its root, by name; as they were given, if it was created at
    run time."""
    root, changed = root_of(cls), {}
    for name, number in cls.declared_numbers.items():
        known = root.declared_numbers.get(name)
        if known is not None and known.value != number.value and not number.derived:
            changed[name] = number.value
    for one in classes_of(cls)[::-1]:
        changed |= vars(one)["_given"][3] if "_given" in vars(one) else {}
    return changed


def has_rules_of_its_own(cls: type[Game[Any]]) -> bool:
    """Whether a variant changes more than numbers and the values of options: methods, fields or options."""
    root = root_of(cls)
    methods = (one for part in classes_of(cls) if part not in classes_of(root) for one in vars(part).values())
    return (
        any(isinstance(one, FunctionType) for one in methods)
        or cls.state.fields.keys() != root.state.fields.keys()
        or not cls.declared_options.keys() <= root.declared_options.keys()
    )


def differences(cls: type[Game[Any]]) -> list[str]:
    """The changes of a variant, one line each; empty for a game that is not a variant."""
    base = cls.base
    if base is None:
        return []
    lines = differences(base)
    for name, number in cls.declared_numbers.items():
        known = base.declared_numbers.get(name)
        if option := base.declared_options.get(name):
            words = [str(value).lower() for value in option.values if option.number(value, 2) == number.value]
            lines.append(f"the option {name} is settled at {(*words, number.text_for(None))[0]}: {number.help}")
        elif known is None or (known.value != number.value and not number.derived):
            shown = "worked out" if callable(number.value) else number.text_for(None)
            lines.append(f"{name} is {shown} ({number.help or 'a number of the rules'}, {number.clause})")
    for name, option in cls.declared_options.items():
        if option != base.declared_options.get(name):
            how = "is chosen anew" if name in base.declared_options else "is added"
            lines.append(f"the option {name} {how}: {option.help}")
    for one in added_by(cls):
        for name, method in vars(one).items():
            if isinstance(method, FunctionType) and method.__name__ == name and name[0] != "_" and name not in CHECKS:
                gist = (inspect.getdoc(method) or "replaced").partition("\n\n")[0]
                lines.append(f"{name}: {' '.join(gist.split())}")
    for name, field in cls.state.fields.items():
        if name not in base.state.fields:
            lines.append(f"a further field: {name}")
        elif field != base.state.fields[name]:
            lines.append(f"a field declared anew: {name}")
    return lines
