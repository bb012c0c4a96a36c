"""A game as a lobby shows it: its players, options and levels of computer players."""

from __future__ import annotations

from typing import Any

from upcard import games
from upcard.house.bodies import GameInfo, GameOption, LanguageInfo, LevelInfo, OptionBounds
from upcard.languages.catalogs import DEFAULT, languages
from upcard.players import LEVELS, levels_of
from upcard.rules.game import Game
from upcard.rules.options import Option, option_title, option_value
from upcard.rules.placeholders import with_numbers
from upcard.rules.sentences import as_sentence
from upcard.table.lessons import BadLesson, lessons_of
from upcard.table.players_rules import summary_of
from upcard.table.puzzles import difficulties_of


def games_here(language: str = DEFAULT) -> list[GameInfo]:
    """All games that can be played here, for readers of a language."""
    return [game_info(games.load(slug), language) for slug in games.names()]


def levels_here() -> list[LevelInfo]:
    """The computer players to choose from."""
    return [
        LevelInfo(name, as_sentence(kind.title, None), as_sentence(kind.help, None)) for name, kind in LEVELS.items()
    ]


def languages_here() -> list[LanguageInfo]:
    """The languages in which the house can be read, English first."""
    return [LanguageInfo(one.tag, one.name, one.direction) for one in languages()]


def game_info(game: type[Game[Any]], language: str = DEFAULT) -> GameInfo:
    """A game as the lobby shows it to readers of a language."""
    options = [_option(game, name, option) for name, option in game.declared_options.items()]
    if language != DEFAULT:
        for option in options:
            _put_into_words(option, game)
    return GameInfo(
        slug=game.slug,
        title=as_sentence(game.title, game),
        family=as_sentence(game.family, game),
        players=list(game.player_counts),
        default_players=game.default_players,
        summary=summary_of(game),
        length=as_sentence(game.length, game),
        minutes=game.minutes,
        difficulty=game.difficulty,
        picture=[group.split() for group in game.picture],
        short=None if game.short is None else dict(game.short),
        author=None if game.author is None else dict(game.author),
        author_clause=game.author_clause,
        levels=levels_of(game),
        options=options,
        lessons=_lesson_titles(game),
        puzzles=difficulties_of(game),
    )


def _lesson_titles(game: type[Game[Any]]) -> list[str]:
    """The titles of a game's lessons; none if one cannot be read, which `upcard check-game` explains."""
    try:
        return [as_sentence(lesson.file.title, game) for lesson in lessons_of(game)]
    except BadLesson:
        return []


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
        help=with_numbers(option.help, game.unconstrained()),
        clause=option.clause,
    )
    different = {players: bounds for players, bounds in other.items() if bounds != usual}
    if different:
        option_view.by_players = different
    return option_view


def _put_into_words(option: GameOption, game: type[Game[Any]]) -> None:
    """Add the words of the option's name and values, which the page makes itself in English."""
    option.title = option_title(option.name).of(game)
    option.titles = [option_value(option.name, one).of(game) for one in option.values or () if isinstance(one, str)]


def _bounds(game: type[Game[Any]], name: str, players: int) -> OptionBounds:
    """The usual value of an option, and the limits that its declaration and the constraints set."""
    option = game.declared_options[name]
    usual = option.default_for(players)
    if option.kind not in ("whole", "digits"):
        return OptionBounds(usual, None, None)
    low, high = game.bounds_of(name, players)
    return OptionBounds(min(max(usual, low), high) if isinstance(usual, int) else usual, low, high)
