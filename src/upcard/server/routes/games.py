"""The games over HTTP: their options, their rules, and the computer players to choose from."""

from __future__ import annotations

import json

from litestar import get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from upcard import games
from upcard.engine.setup import Setup
from upcard.house import rulebook
from upcard.house.bodies import GameInfo, LevelInfo, Page
from upcard.house.game_info import games_here, levels_here
from upcard.table.errors import Unacceptable


@get("/api/games", sync_to_thread=False)
def get_games() -> list[GameInfo]:
    """All games that can be played here."""
    return games_here()


@get("/api/games/{slug:str}/rules", sync_to_thread=False)
def show_rules(
    slug: FromPath[str], players: FromQuery[int | None] = None, options: FromQuery[str | None] = None
) -> Page:
    """The rules in players' words, for a table with these options (a JSON object) or the usual one."""
    try:
        return rulebook.rules_page(Setup(_known(slug), players, json.loads(options or "{}")))
    except (json.JSONDecodeError, RecursionError):
        raise Unacceptable("options is not a JSON object") from None


@get("/api/games/{slug:str}/rulebook", sync_to_thread=False)
def show_rulebook(slug: FromPath[str]) -> Page:
    """A game's page of the rulebook, unabridged."""
    return rulebook.rulebook_page(_known(slug))


@get("/api/games/{slug:str}/learn", sync_to_thread=False)
def show_learn(slug: FromPath[str]) -> Page:
    """A two-minute introduction to a game."""
    return rulebook.learn_page(_known(slug))


def _known(slug: str) -> str:
    if slug not in games.names():
        raise NotFoundException("There is no such game")
    return slug


@get("/api/levels", sync_to_thread=False)
def list_levels() -> list[LevelInfo]:
    """The computer players to choose from."""
    return levels_here()


HANDLERS = [get_games, show_rules, show_rulebook, show_learn, list_levels]
