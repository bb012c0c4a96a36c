"""Pickling of games: a class is pickled as a recipe for loading it."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from typing import Any

from upcard.games.outside import UnknownGame, load_file
from upcard.games.shipped import comes_with_upcard, shipped
from upcard.rules.errors import UpcardError
from upcard.rules.game import Game, GameClass, Recipe
from upcard.rules.lineage import file_of
from upcard.rules.phrases import brief


class NotImportable(UpcardError):
    """Raised if another process cannot load a game."""


def recipe(game: type[Game[Any]]) -> Recipe:
    """Return the function that loads the same game in another process, and its arguments. Raises NotImportable if that
    is impossible."""
    if comes_with_upcard(game):
        return shipped, (game.slug,)
    if "_given" in vars(game):
        base, slug, words, numbers = vars(game)["_given"]
        if not any(map(callable, (*words.values(), *numbers.values()))):
            return recall_variant, (*recipe(base), slug, words, numbers)
    file = file_of(game)
    if file is None:
        raise NotImportable(
            f"{game.slug} was made in a notebook or at a prompt, where other processes do not find it: "
            "save it in a file and load it with upcard.games.load_file"
        )
    return recall, (str(file), game.slug, game.identity)


def recall_variant(
    load: Callable[..., type[Game[Any]]], arguments: tuple[Any, ...], slug: str, words: Any, numbers: Any
) -> type[Game[Any]]:
    """Rebuild the variant of a game that was made while a program ran."""
    return load(*arguments).variant(slug, numbers=numbers, **words)


def recall(file: str, slug: str, identity: object) -> type[Game[Any]]:
    """Load a game from its file. Raises UnknownGame if the file no longer has such a game, or has one with other
    rules."""
    game = load_file(file).get(slug)
    if game is None:
        raise UnknownGame(f"{file} has no game {brief(slug)}: give it a name at the top level of the file")
    if game.identity != identity:
        raise UnknownGame(f"the rules of {brief(slug)} in {file} are not the same as before: was it edited?")
    return game


GameClass.recipe = recipe
copyreg.pickle(GameClass, recipe)  # type: ignore[arg-type]
