"""Declaring a game: `define_game` collects its parts from the game's modules, by their names in `Game`.

A part that is missing has a default or raises a one-line error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import wraps
from importlib import import_module
from importlib.util import find_spec
from inspect import isgeneratorfunction, signature
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar

from upcard.rules import seats
from upcard.rules.cards import Card
from upcard.rules.checks import check
from upcard.rules.game import ARGUMENTS, PLAIN, RULES, BadGame, Clauses, Game, Reasons
from upcard.rules.knowledge import Holding
from upcard.rules.marks import hold_rules, rule
from upcard.rules.notation import Attempt, Notation, put_cards
from upcard.rules.options import Options
from upcard.rules.plain_words import plain_words
from upcard.rules.state import Buffer, GameState, Pile
from upcard.rules.tricks import trick_of
from upcard.rules.words import words

S = TypeVar("S", bound=GameState)
NEEDED = ("deal", "playable", "apply")


# ----------------------------------------------------------------------------------------------------------- defaults


@rule
def no_start(s: Any, opt: Any) -> None:
    """Nothing is special before the first deal."""


@rule
def whole_pack(s: Any, opt: Any, out: Buffer) -> int:
    """A deal arranges the pack that the game declares as its number `pack`."""
    return put_cards(out, 0, opt.pack)


@rule
def no_reshuffle(s: Any, opt: Any, order: Pile) -> None:
    """The stock is never made anew."""


@rule
def no_draw(s: Any, opt: Any, card: Card) -> None:
    """No card is drawn by lot."""


@rule
def no_others(s: Any, opt: Any, me: int, out: Buffer, n: int) -> int:
    """Playing a card is all that one can do."""
    return n


@rule
def by_score(s: Any, opt: Any, me: int) -> int:
    """The better the further ahead of the average score."""
    return seats.above_average(s, me)


DEFAULTS: dict[str, Callable[..., Any]] = {
    "start": no_start,
    "cards_to_shuffle": whole_pack,
    "reshuffle": no_reshuffle,
    "drawn": no_draw,
    "other_moves": no_others,
    "utility": by_score,
}


def define_game(
    package: str,
    *,
    title: str,
    players: Sequence[int],
    most_moves: int,
    state: type[S] | None = None,
    options: type[Options] | None = None,
    slug: str | None = None,
    family: str = "Other games",
    summary: str = "",
    length: str = "",
    default_players: int | None = None,
    clauses: Clauses | None = None,
    **said: Any,
) -> Game[S]:
    """Build the game that a module or package defines. Call it there with `__name__` as `package`.

    A package has the modules `rules`, `words` and optionally `heuristic`; a single module has everything in one. `Game`
    documents the names and parameters of the rules, and the other keywords that can be given here. `slug` defaults to
    the name of the file or folder, `default_players` to the first of `players`. Raises BadGame for a part that is
    missing or invalid.
    """
    modules = _modules(package)
    hold_rules(package)
    state = state or _class_of(GameState, modules, title)
    options = options or _class_of(Options, modules, title, Options)
    if wrong := set(said) - {one.name for one in fields(Game)}:
        raise BadGame(f"{title}: a game has no {min(wrong)!r}")
    home = getattr(sys.modules[package], "__file__", None)
    game = Game(
        slug=slug or _slug(title, home),
        title=title,
        family=family,
        summary=summary,
        length=length,
        players=tuple(players),
        default_players=default_players or players[0],
        state=state,
        options=options,
        notation=_find("MOVES", modules) or Notation(),
        phases=_find("PHASES", modules) or words("deal play done"),
        clauses=clauses or Clauses(),
        most_moves=most_moves,
        why=_find("WHY", modules) or {},
        package=package,
        file=Path(home) if home else None,
        **_rules(title, modules, state, options, clauses or Clauses()),
        **_usual_fields(state) | said,
    )
    state.game = game
    if not package.startswith("upcard.games.") and "@" not in package:  # the tests have checked ours
        check(game)
    return game


def _rules(
    title: str, modules: Sequence[ModuleType], state: type[GameState], options: type[Options], clauses: Clauses
) -> dict[str, Any]:
    """All functions of a game by their names in `Game`: its own, or the defaults."""
    functions = {name: _find(name, modules) for name in (*RULES, *PLAIN)}
    functions = {name: function for name, function in functions.items() if function is not None}
    for name, function in functions.items():
        _check_signature(title, name, function)
    if isgeneratorfunction(functions.get("refusal")):
        functions["refusal"] = first_reason(functions["refusal"], clauses.event)
    for name in NEEDED:
        if name not in functions:
            raise BadGame(f"{title}: there is no rule `{name}`: define it (see upcard.rules.game.Game.{name})")
    if "cards_to_shuffle" not in functions and "pack" not in options.numbers:
        raise BadGame(f"{title}: declare the number `pack` among the options, or define the rule `cards_to_shuffle`")
    return DEFAULTS | plain_words(clauses, state) | {"trick": trick_of(state)} | functions


def first_reason(reasons: Callable[..., Reasons], otherwise: str) -> Callable[..., str]:
    """A refusal that returns the first clause that is broken, or `otherwise`."""

    @wraps(reasons)
    def refusal(s: Any, opt: Any, me: int, attempt: Attempt) -> str:
        return next((clause for clause, broken in reasons(s, opt, me, attempt) if broken), otherwise)

    return refusal


def _usual_fields(state: type[GameState]) -> dict[str, Any]:
    """The attributes of the game that follow from fields named `shown`, `known` and `lacks`."""
    usual: dict[str, Any] = {name: Holding(name) for name in ("shown", "known") if name in state.fields}
    return usual | ({"lacks": "lacks"} if "lacks" in state.fields else {})


def _slug(title: str, home: str | None) -> str:
    """The default slug, from the name of the game's file or folder."""
    if home is None:
        raise BadGame(f"{title}: it stands in no file, so say what it is called, as in define_game(…, slug='whist')")
    file = Path(home)
    return (file.parent.name if file.name == "__init__.py" else file.stem).replace("_", "-")


def _check_signature(title: str, name: str, function: Any) -> None:
    wanted, given = ARGUMENTS[name].split(), list(signature(function).parameters)
    if len(given) != len(wanted):
        raise BadGame(
            f"{title}: `{name}` takes ({', '.join(wanted)}), not ({', '.join(given)}): name another rule otherwise"
        )


def _modules(package: str) -> list[ModuleType]:
    module = sys.modules[package]
    if not hasattr(module, "__path__"):
        return [module]
    names = [name for name in ("rules", "words") if find_spec(f"{package}.{name}")]
    return [import_module(f"{package}.{name}") for name in names] + [module]


def _find(name: str, modules: Sequence[ModuleType]) -> Any:
    """The value of a name in the last module that has it; None if that is a function of `upcard.rules`."""
    for module in modules[::-1]:
        function = vars(module).get(name)
        ours = isinstance(function, FunctionType) and function.__module__.startswith("upcard.rules.")
        if function is not None and not ours:
            return function
    return None


def _class_of(kind: type, modules: Sequence[ModuleType], title: str, default: type | None = None) -> Any:
    """The only subclass of `kind` that the modules define, or the default. Raises BadGame."""
    names = {module.__name__ for module in modules}
    classes = {
        one
        for module in modules
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, kind) and one.__module__ in names
    }
    classes = {one for one in classes if not any(other is not one and issubclass(other, one) for other in classes)}
    if len(classes) == 1:
        return classes.pop()
    if not classes and default is not None:
        return default
    raise BadGame(f"{title}: say which is its {kind.__name__}: there are {len(classes)}")
