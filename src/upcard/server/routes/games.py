"""The games over HTTP: their options, their rules, and the computer players to choose from."""

from __future__ import annotations

from typing import Any

from litestar import get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from upcard import games
from upcard.players import LEVELS, levels_of
from upcard.rules.game import Game
from upcard.rules.options import Option
from upcard.server import rulebook
from upcard.server.bodies import GameInfo, GameOption, LevelInfo, OptionBounds, Page


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
    usual = _bounds(game, name, game.default_players)
    other = {str(players): _bounds(game, name, players) for players in game.player_counts}
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


def _bounds(game: type[Game[Any]], name: str, players: int) -> OptionBounds:
    """The usual value of an option, and the limits that its declaration and the constraints set."""
    option = game.declared_options[name]
    usual = option.default_for(players)
    if option.kind not in ("whole", "digits"):
        return OptionBounds(usual, None, None)
    low, high = game.bounds_of(name, players)
    return OptionBounds(min(max(usual, low), high) if isinstance(usual, int) else usual, low, high)


@get("/api/games/{slug:str}/rules", sync_to_thread=False)
def show_rules(slug: FromPath[str]) -> Page:
    """A game's rules for players."""
    return rulebook.rules_page(_known(slug))


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
