"""The games over HTTP: their options, their rules, and the computer players to choose from."""

from __future__ import annotations

import json
from typing import Any

from litestar import get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from upcard import games
from upcard.engine.setup import Setup
from upcard.players import LEVELS, levels_of
from upcard.rules.game import Game
from upcard.rules.options import Option
from upcard.server import rulebook
from upcard.server.bodies import GameInfo, GameOption, LevelInfo, OptionBounds, Page
from upcard.table.errors import Unacceptable


@get("/api/games", sync_to_thread=False)
def get_games() -> list[GameInfo]:
    """All games that can be played here."""
    return [game_info(games.load(slug)) for slug in games.names()]


def game_info(game: type[Game[Any]]) -> GameInfo:
    """A game as the lobby shows it."""
    return GameInfo(
        slug=game.slug,
        title=game.title,
        family=game.family,
        players=list(game.player_counts),
        default_players=game.default_players,
        summary=game.summary,
        length=game.length,
        difficulty=game.difficulty,
        picture=[group.split() for group in game.picture],
        short=None if game.short is None else dict(game.short),
        levels=levels_of(game),
        options=[_option(game, name, option) for name, option in game.declared_options.items()],
    )


def _option(game: type[Game[Any]], name: str, option: Option) -> GameOption:
    usual = _bounds(option, game.default_players)
    other = {str(players): _bounds(option, players) for players in game.player_counts}
    option_view = GameOption(
        name=name,
        kind=option.kind,  # type: ignore[arg-type]
        default=usual.default,
        low=usual.low,
        high=usual.high,
        values=list(option.values) or None,
        help=option.help,
        clause=option.clause,
    )
    different = {players: bounds for players, bounds in other.items() if bounds != usual}
    if different:
        option_view.by_players = different
    return option_view


def _bounds(option: Option, players: int) -> OptionBounds:
    low, high = option.bounds(players) if option.kind in ("whole", "digits") else (None, None)
    return OptionBounds(option.default_for(players), low, high)


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
    return [LevelInfo(name, kind.title, kind.help) for name, kind in LEVELS.items()]


HANDLERS = [get_games, show_rules, show_rulebook, show_learn, list_levels]
