"""The presets of a game: the usual table, a short match, and the game as its author wrote it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from upcard.rules.errors import UpcardError
from upcard.rules.game import Game
from upcard.rules.phrases import brief
from upcard.rules.sentences import as_sentence, sentence

USUAL, SHORT, AUTHOR = PRESETS = ("usual", "short", "author")


def presets(game: type[Game[Any]]) -> dict[str, Mapping[str, object]]:
    """The options of each preset that a game has, by the preset's name; the others are as usual."""
    known = {USUAL: {}, SHORT: game.short, AUTHOR: game.author}
    return {name: options for name, options in known.items() if options is not None}


def preset(game: type[Game[Any]], name: str) -> dict[str, object]:
    """The options of a preset. Raises UpcardError if the game does not have it."""
    known = presets(game)
    if name in known:
        return dict(known[name])
    title = as_sentence(game.title, game)
    if name == SHORT:
        raise UpcardError(sentence("{game} has no short match: its usual match is short", game=title))
    if name == AUTHOR:
        message = "{game} has no author's preset: it was written for Upcard, or varies another game"
        raise UpcardError(sentence(message, game=title))
    message = "there is no preset {name} (there are: {known})"
    raise UpcardError(sentence(message, name=brief(name), known=", ".join(PRESETS)))
