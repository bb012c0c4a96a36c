"""The identity of rules: their description in match records, for games that do not ship with Upcard.

A record is replayed only by rules with the same identity. It does not depend on the version of Python, on the
heuristic, or on texts for people.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any

import upcard.rules
from upcard.rules.dependencies import dependencies_of, globals_of
from upcard.rules.game import Game
from upcard.rules.lineage import added_by, classes_of, is_shipped
from upcard.rules.notation import Notation, Verb
from upcard.rules.options import Number, Option
from upcard.rules.source import canonical, method_of, node_of, source_of
from upcard.rules.state import Field
from upcard.rules.twins import home_of_rules, twins_of

Identity = dict[str, object]
RULES = [
    *"deal playable other_moves apply start cards_to_shuffle reshuffle drawn utility".split(),
    *"count_others nth_other nth_in_order".split(),
]
"""The methods that define how a match is played."""
TEXTS = ("asks", "label", "quiet", "said", "zone")
"""The attributes of a verb that are texts for people."""
HERE = Path(__file__).parents[1]


def identity_of(cls: type[Game[Any]]) -> Identity | None:
    """The identity of a game's rules: the shipped game that it varies, the numbers that differ from that, and a hash of
    all other differences. None for shipped games.

    Raises BadGame if the source of a rule is not available.
    """
    if is_shipped(cls):
        shipped: Identity | None = vars(cls).get("identity")
        return shipped
    base = next((one for one in classes_of(cls) if is_shipped(one) and "title" in vars(one)), None)
    numbers, texts = _numbers(cls, Game if base is None else base)
    texts += _declarations(cls, base)
    texts += _own_rules(home_of_rules(cls))
    identity: Identity = {} if base is None else {"variant_of": base.slug}
    if numbers:
        identity["numbers"] = numbers
    if texts:
        identity["rules"] = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]
    return identity


def _numbers(cls: type[Game[Any]], base: type[Game[Any]]) -> tuple[dict[str, object], list[str]]:
    """The changed numbers and settled options of the base, as JSON; and the new options and numbers, as texts."""
    changed: dict[str, object] = {}
    texts = []
    for name, number in cls.declared_numbers.items():
        known = base.declared_numbers.get(name)
        if known is not None and known.value == number.value:
            continue
        if callable(number.value) or number.derived or (known is None and name not in base.declared_options):
            texts.append(f"{name} {_as_json(number.value)}")
        else:
            changed[name] = _as_json(number.value)
    has_methods = any(isinstance(value, FunctionType) for one in added_by(cls) for value in vars(one).values())
    for name, number in cls.declared_numbers.items() if has_methods else ():
        if number.derived and (values := _worked_out(cls, number)) != _worked_out(base, number):
            texts.append(f"{name} {values}")
    for name, option in cls.declared_options.items():
        if not _is_same_option(option, base.declared_options.get(name)):
            limits = [_as_json(one) for one in (option.default, option.low, option.high)]
            texts.append(f"{name} {option.kind} {option.values} {limits}")
    return changed, texts


def _worked_out(cls: type[Game[Any]], number: Number) -> list[object]:
    """The values of a derived number at tables of all sizes, since it may depend on methods; empty if not in `cls`."""
    if number.attribute not in {one.attribute for one in cls.declared_numbers.values()}:
        return []
    return [getattr(cls.unconstrained(players), number.attribute) for players in cls.declared_counts]


def _is_same_option(one: Option, other: Option | None) -> bool:
    parts = [(x.kind, x.values, x.default, x.low, x.high) for x in (one, other) if x is not None]
    return len(parts) == 2 and parts[0] == parts[1]


def _as_json(value: Any) -> object:
    """The value of a number as JSON; for a computed number, its source and the numbers that the source names."""
    if isinstance(value, FunctionType):
        named = [(name, one) for name, one in globals_of(value).items() if _is_plain(one)]
        return f"{source_of(value)} {named} {[cell.cell_contents for cell in value.__closure__ or ()]}"
    return list(value) if isinstance(value, tuple) else value


def _declarations(cls: type[Game[Any]], base: type[Game[Any]] | None) -> Iterator[str]:
    """The declarations of a game that differ from those of its base."""
    usual: type[Game[Any]] = Game if base is None else base
    known: Mapping[str, Field] = {} if base is None else base.state.fields
    for name, spec in sorted(cls.state.fields.items()):
        if known.get(name) != spec:
            yield f"{name} {_attributes(spec)}"
    for name, attribute in (("most_moves", "most_moves"), ("player_counts", "declared_counts")):
        if getattr(cls, attribute) != getattr(usual, attribute, None):
            yield f"{name} {getattr(cls, attribute)}"
    if cls.phases.names != usual.phases.names:
        yield f"phases {cls.phases.names}"
    if (verbs := _verbs(cls.notation)) != _verbs(usual.notation):
        yield from verbs


def _verbs(notation: Notation) -> list[str]:
    """The verbs of a notation, without texts for people."""
    return [f"{notation.of_playable} {_attributes(verb, leave_out=TEXTS)}" for verb in notation.verbs]


def _attributes(declared: Field | Verb, leave_out: Iterable[str] = ()) -> str:
    """The attributes of a declaration. Those with default values are left out, so that future ones change nothing."""
    usual = type(declared)
    given = {key: value for key, value in vars(declared).items() if key not in leave_out}
    return str(sorted((key, str(value)) for key, value in given.items() if value != getattr(usual, key, None)))


@lru_cache(maxsize=256)
def _own_rules(cls: type[Game[Any]]) -> list[str]:
    """The sources of all rules of a game that do not ship with Upcard, and the numbers that they name. Rules of the
    same name are numbered, since it matters which of them calls the other. Cached: do not change the list."""
    twins = twins_of(cls)
    rules = dependencies_of([twins[name] for name in RULES if cls.defines(name)]).rules
    texts = []
    for rule, named in rules.items():
        method = method_of(rule)
        file = method.__code__.co_filename
        if HERE in Path(file).parents or file == "<string>":
            continue
        texts.append(f"{method.__name__}{_level(cls, method, rules)} {canonical(node_of(method))}")
        for name, value in sorted(named.items(), key=lambda pair: pair[0]):
            if _is_plain(value) and vars(upcard.rules).get(name) != value:
                texts.append(f"{name} {value!r}")
        if method.__defaults__ or method.__kwdefaults__:
            texts.append(f"True {method.__defaults__} {method.__kwdefaults__}")
    return sorted(texts)


def _level(cls: type[Game[Any]], method: FunctionType, rules: Iterable[FunctionType]) -> int | str:
    """The number of rules of the same name before a method, in the order of the classes; empty if there are none."""
    others = {method_of(rule) for rule in rules if rule.__name__ == method.__name__}
    named = [vars(part).get(method.__name__) for part in cls.__mro__]
    same = [rule for rule in named if rule in others]
    return (method in same and same.index(method)) or ""


def _is_plain(value: Any) -> bool:
    return all(map(_is_plain, value)) if isinstance(value, tuple) else isinstance(value, int | str)
