"""Checks of the contents of a game's class: its bases, names, methods and changed numbers.

Each check yields the faults that its docstring lists.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import suppress
from difflib import get_close_matches
from inspect import CO_GENERATOR, Signature, get_annotations, signature
from itertools import pairwise
from types import FunctionType, UnionType
from typing import Any, Generic

from upcard.rules.dependencies import returns
from upcard.rules.enums import Words
from upcard.rules.errors import BadGame
from upcard.rules.game import FINAL, Clauses, Game
from upcard.rules.knowledge import Holding
from upcard.rules.lineage import added_by, classes_of, is_shipped, literal_twins, root_of
from upcard.rules.notation import Notation, verb_with_index
from upcard.rules.options import Number, Option
from upcard.rules.phrases import brief, suggestion
from upcard.rules.source import Faults, is_method, node_of, place
from upcard.rules.speech import SPEECH_KINDS, Speech
from upcard.rules.state import GameState

DECLARED = set(get_annotations(Game)) - {"players", "chosen"}
"""The attributes that a class can declare, besides options and numbers."""
TEXTS = {"title", "slug", "family", "summary", "length", "difficulty", "picture", "short", "refused"}
TEXTS |= {"author", "author_clause", "minutes"}
"""Those of them that a variant of two variants inherits from the first."""
WORKED_OUT = {"base", "identity", "declared_counts", "declared_options", "declared_numbers"}
INTERNAL = {"_given", "_is_made"}
"""Attributes of classes that are not declarations."""
SIZES = {"SITUATIONS", "TRAITS", "NOTES", "SURROUNDINGS", "UNITS", "HAND_SIGNS", "DRAWN"}
KINDS: dict[str, tuple[type | UnionType, str]] = {
    **dict.fromkeys(TEXTS - {"picture", "short", "author", "minutes"}, (str, "a text")),
    **dict.fromkeys(SIZES, (int, "a whole number")),
    "picture": (tuple | list, 'a row of texts, as in ("Kh Qh", "As")'),
    **dict.fromkeys(("author", "short"), (Mapping | None, "a dictionary of options and values")),
    "minutes": (int, "a whole number"),
    "INFERS": (int | float, "a fraction"),
    "IDLE": (tuple | list, "a row of names of fields"),
    "notation": (Notation, "a Notation()"),
    "phases": (Words, "a row of words, as in words('deal play done')"),
    "clauses": (Clauses, "made by Clauses, as in Clauses(event='CT-1')"),
    "why": (Mapping, "a dictionary of clauses and sentences"),
    "speech": (Mapping, "a dictionary of verbs and Speech"),
    "hand": (Holding, "made by Holding, as in Holding('hand')"),
    **dict.fromkeys(("shown", "known"), (Holding | None, "made by Holding, as in Holding('shown')")),
}
"""The type of the value of each declaration, and a description for messages."""
RESERVED = {
    *(name for name, value in vars(Game).items() if not isinstance(value, FunctionType) or name in FINAL),
    *DECLARED,
    *("chosen", "history", "players"),
}
"""Names that no option, number or rule can have, because every game has another attribute of that name, or OpenSpiel's
games have a parameter of that name."""
PYTHONS = {"__annotate__", "__annotate_func__"}
"""Functions that Python adds to a class."""
SIMILAR = 0.8
"""The similarity ratio from which an uncalled method counts as a misspelt rule."""


def check_bases(cls: type[Game[Any]]) -> Faults:
    """A base that is not a class of a game, and bases from several games."""
    for part in cls.__mro__:
        if not issubclass(part, Game) and part not in (Generic, object):
            yield "", f"{part.__name__} is no class of a game: write class {part.__name__}(Game)"
    roots = dict.fromkeys(root_of(part) for part in classes_of(cls)[1:] if "title" in vars(part))
    if len(roots) > 1:
        names = " and ".join(part.__name__ for part in roots)
        yield "", f"{cls.__name__} is made of several games, {names}: choose one"


def check_names(cls: type[Game[Any]]) -> Faults:
    """A name without a value, a name that cannot be used, and a declaration with a value of another type."""
    for name, kind in get_annotations(cls).items():
        if name not in vars(cls) and "ClassVar" not in str(kind):
            yield name, f"declare {name}, as in `{name}: int = number(1, clause=…)`"
    private = f"_{cls.__name__.lstrip('_')}"
    for name, value in vars(cls).items():
        if name[:2] == "__":
            if name == "__slots__" or (isinstance(value, FunctionType | classmethod) and name not in PYTHONS):
                yield name, f"a game has no {name} of its own: leave it out"
        elif name.startswith(f"{private}__"):
            name = name.removeprefix(private)
            yield name, f"{name} begins with two underscores, so no rule finds it: write one"
        elif isinstance(value, classmethod | staticmethod | property):
            yield name, f"{name} is no rule: write a method with `self`, or a function outside"
        elif isinstance(value, Option | Number | FunctionType) and name in RESERVED:
            yield name, f"every game has something else called {name}: choose another name"
        elif name in WORKED_OUT and not is_shipped(cls):
            yield name, f"{name} is worked out from the class: leave it out"
        elif name in KINDS and not isinstance(value, KINDS[name][0]):
            yield name, f"{name} is {KINDS[name][1]}, not {brief(value)}"


def check_state(cls: type[Game[Any]]) -> Faults:
    """A `state` that is not a class of states, or not derived from the state that the rules of a class above need."""
    state = getattr(cls, "state", GameState)
    if not (isinstance(state, type) and issubclass(state, GameState)):
        yield "state", f"state is a class of states, not {brief(state)}"
    for part in classes_of(cls):
        if "state" in vars(part) and not issubclass(state, part.state):
            ours, theirs = state.__name__, part.state.__name__
            needs = f"the states of {cls.__name__} are {ours}, and the rules of {part.__name__} need {theirs}"
            yield "state", f"{needs}: derive it from that, as in class {ours}({theirs})"


def check_speech(cls: type[Game[Any]]) -> Faults:
    """Speech for a verb that the notation does not have, of an unknown kind, or with unknown placeholders."""
    verbs = {verb_with_index(index): verb for index, verb in enumerate(cls.notation.verbs)}
    for number, words in cls.speech.items():
        if number not in verbs:
            yield "speech", f"speech has {brief(number)}, which is no verb of the notation"
        elif words is not None:
            named = f"the speech of {verbs[number].word!r}"
            if not isinstance(words, Speech) or words.kind not in SPEECH_KINDS:
                kinds = ", ".join(SPEECH_KINDS)
                yield "speech", f"{named} is None or Speech(kind, text), with one of the kinds {kinds}"
                continue
            try:
                words.text.format(*verbs[number].items, cards="", count="", worth="", opt=cls)
            except (AttributeError, IndexError, KeyError, ValueError):
                yield "speech", f"{named} asks for more than its items: {brief(words.text)}"


# ------------------------------------------------------------------------------------------------------------ methods


def check_methods(cls: type[Game[Any]]) -> Faults:
    """A method that is also an option or number, one unlike the method it replaces, and a name of several bases."""
    attributes = {*map(cls.attribute_of, cls.declared_options), *map(cls.attribute_of, cls.declared_numbers)}
    for name in attributes:
        for part in classes_of(cls) + [Game]:
            if is_method(method := vars(part).get(name)):
                both = f"{name} is an option or a number, and a rule of {part.__name__} ({place(method)})"
                yield name, f"{both}: name one of them otherwise"
    for name, method in vars(cls).items():
        if isinstance(method, FunctionType) and name[:2] != "__" and name not in attributes:
            for fault in _method_faults(cls, name, method):
                yield method, f"{cls.__name__}.{method.__name__} {fault}"
    inherited = {name for part in cls.__mro__[1:] for name in vars(part) if name[:2] != "__"}
    for name in inherited - vars(cls).keys() - TEXTS - WORKED_OUT - INTERNAL - {"state"}:
        for part, other in pairwise([part for part in classes_of(cls) if name in vars(part)]):
            if not issubclass(part, other) and vars(part)[name] != vars(other)[name]:
                both = f"both {part.__name__} and {other.__name__} have {name}"
                yield "", f"{both}: write it in {cls.__name__} as well, or rename one of them"


def _method_faults(cls: type[Game[Any]], name: str, method: FunctionType) -> Iterator[str]:
    above = cls.__mro__[1:]
    home = next((part for part in above if name in vars(part)), None)
    is_override = getattr(method, "__override__", False)
    if home is None and is_override:
        guess = suggestion(name, [other for other in dir(cls) if other != name])
        yield f"replaces nothing{guess}: take @override away, or name it as the rule is called"
    if home is not None:
        replaced = vars(home)[name]
        if not is_override:
            yield f"replaces a rule of {home.__name__}: write @override above it, or rename it"
        if not _same_parameters(method, replaced):
            yield f"takes ({_parameters(method)}), and in {home.__name__} ({_parameters(replaced)})"
        if _gives_value(replaced) and not _gives_value(method):
            yield f"returns nothing, and in {home.__name__} a value: write `return` before it"
    if next(iter(signature(method).parameters), "") != "self":
        yield f"takes ({_parameters(method)}): the first parameter of a method is `self`"


def _parameters(method: FunctionType) -> str:
    bare = [parameter.replace(annotation=parameter.empty) for parameter in signature(method).parameters.values()]
    return str(Signature(bare))[1:-1]


def _same_parameters(method: FunctionType, replaced: Any) -> bool:
    """Whether a method can be called like the one that it replaces. Parameters can have other names, but not each
    other's names."""
    given, wanted = ([*signature(rule).parameters.values()] for rule in (method, replaced))
    names = [parameter.name for parameter in wanted]
    for parameter, usual in zip(given, wanted, strict=False):
        if parameter.kind != usual.kind or (parameter.name != usual.name and parameter.name in names):
            return False
    further = given[len(wanted) :]
    return len(given) >= len(wanted) and all(parameter.default is not parameter.empty for parameter in further)


def _gives_value(method: FunctionType) -> bool:
    """Whether a method returns or yields a value, or has a return annotation that does not end with None."""
    annotated = not str(method.__annotations__.get("return")).endswith("None")
    return annotated or bool(method.__code__.co_flags & CO_GENERATOR) or any(returns(method.__code__))


def check_calls(cls: type[Game[Any]]) -> Faults:
    """A method that takes another state, an uncalled method with a name similar to a rule's, and a call with `super()`
    of a rule that no class above has; the last raises BadGame."""
    methods = [value for part in classes_of(cls) for value in vars(part).values() if isinstance(value, FunctionType)]
    named = {name for method in methods for name in method.__code__.co_names}
    for part in added_by(cls):
        above = cls.__mro__[cls.__mro__.index(part) + 1 :]
        rules = {name: rule for base in above for name, rule in vars(base).items() if isinstance(rule, FunctionType)}
        for name, method in vars(part).items():
            if not isinstance(method, FunctionType) or name[:2] == "__":
                continue
            state = _state_taken(method)
            if state is not None and not issubclass(cls.state, state):
                states = f"takes a {state.__name__}, and the states of {cls.__name__} are {cls.state.__name__}"
                remedy = f"write class {cls.__name__}({cls.__mro__[1].__name__}[{state.__name__}])"
                yield method, f"{part.__name__}.{method.__name__} {states}: {remedy}"
            if name not in rules and name not in named and (guess := _misspelt(method, rules)):
                fault = f"is called by no rule{guess}: name it as the rule is called"
                yield method, f"{part.__name__}.{method.__name__} {fault}"
            for node in _called_above(method):
                if not any(node.attr in vars(base) for base in above):
                    fault = f"no class above has a rule {node.attr}{suggestion(node.attr, rules, least=SIMILAR)}"
                    raise BadGame(f"{place(method, node.lineno)}: in {part.__name__}.{name}, {fault}")


def _misspelt(method: FunctionType, rules: Mapping[str, FunctionType]) -> str:
    """A guess at the rule with a name similar to a method's and as many parameters; empty if there is none."""
    number, stem = method.__code__.co_argcount, method.__name__.rstrip("0123456789")
    alike = [name for name, rule in rules.items() if rule.__code__.co_argcount == number]
    close = get_close_matches(method.__name__, alike, 1, SIMILAR)
    return "".join(f" (is {name} meant?)" for name in close if name.rstrip("0123456789") != stem)


def _state_taken(method: FunctionType) -> type[GameState] | None:
    """The class of states in the annotations of a method; None if there is none."""
    for kind in method.__annotations__.values():
        kind = method.__globals__.get(kind) if isinstance(kind, str) else kind
        if isinstance(kind, type) and issubclass(kind, GameState):
            return kind
    return None


def _called_above(method: FunctionType) -> Iterator[ast.Attribute]:
    """The rules that a method calls as `super().name(…)`."""
    if "super" in method.__code__.co_names:
        with suppress(BadGame):  # rules without a source are refused elsewhere
            for node in ast.walk(node_of(method)):
                match node:
                    case ast.Attribute(value=ast.Call(func=ast.Name(id="super"), args=[])):
                        yield node


# ------------------------------------------------------------------------------------------------------------ numbers


def check_changed_numbers(cls: type[Game[Any]]) -> Faults:
    """A changed number whose former value also occurs as a literal in the rules of the game."""
    bases = [] if cls.base is None else [part for part in classes_of(cls.base)[::-1] if "title" in vars(part)]
    first = {name: part for part in bases[::-1] for name in part.declared_numbers}
    for name, home in first.items():
        number, known = cls.declared_numbers.get(name), home.declared_numbers[name].value
        if number is None or number.value == known or not isinstance(known, int):
            continue
        if twin := next(literal_twins(bases[-1], known), None):
            stands = f"{name} is {known} in {home.__name__}, which also stands in {twin}"
            remedy = f"name it there (self.{number.attribute}), or the variant would be changed in part only"
            yield number.attribute, f"{stands}: {remedy}"
