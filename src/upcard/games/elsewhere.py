"""Pickling of games: instead of a game, a recipe for loading it is pickled."""

from __future__ import annotations

import copyreg
from typing import Any

from upcard.games.outside import UnknownGame, load_file
from upcard.games.shipped import is_shipped, shipped
from upcard.rules.errors import UpcardError
from upcard.rules.game import Game
from upcard.rules.options import Number
from upcard.rules.variants import Change, derive
from upcard.rules.words import brief


class Elsewhere(UpcardError):
    """A game cannot be loaded by another process."""


def recipe(game: Game[Any]) -> tuple[Any, ...]:
    """The arguments with which `recall` loads the same game in another process. Raises Elsewhere if that is
    impossible."""
    if is_shipped(game):
        return "shipped", game.slug
    if game.base is not None and game.change is not None and _is_plain(game.change):
        return "varied", game.base, game.change
    if game.file is None or not game.file.is_file():
        raise Elsewhere(
            f"{game.slug} was made in a notebook or at a prompt, where other processes do not find it: "
            "save it in a file and load it with upcard.games.load_file"
        )
    return "file", str(game.file), game.slug, game.identity


def _is_plain(change: Change) -> bool:
    """Whether a change contains no functions, so that it can be pickled."""
    values = [*change.numbers.values(), *change.said.values()]
    for option in change.options.values():
        values += [option.value] if isinstance(option, Number) else [option.default, option.low, option.high]
    return not change.rules and not any(map(callable, values))


def recall(kind: str, *told: Any) -> Game[Any]:
    """The game of a recipe. Raises UnknownGame if its file has no such game any more, or one with other rules."""
    if kind == "shipped":
        return shipped(*told)
    if kind == "varied":
        return derive(*told)
    file, slug, identity = told
    game = load_file(file).get(slug)
    if game is None:
        raise UnknownGame(f"{file} has no game {brief(slug)}: give it a name at the top level of the file")
    if game.identity != identity:
        raise UnknownGame(f"the rules of {brief(slug)} in {file} are not the same as before: was it edited?")
    return game


def _reduce(game: Game[Any]) -> tuple[Any, ...]:
    return recall, recipe(game)


copyreg.pickle(Game, _reduce)
