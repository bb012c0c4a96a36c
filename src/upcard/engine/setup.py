"""The setup of a table: a game with the number of players and the options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, overload

from upcard import games
from upcard.engine.errors import BadSetup, UpcardError
from upcard.engine.mistakes import obey
from upcard.rules.game import Game, wrong_players
from upcard.rules.options import BadOption
from upcard.rules.phrases import brief, whole_number
from upcard.rules.sentences import as_sentence, sentence
from upcard.rules.state import DEAL, GameState

S = TypeVar("S", bound=GameState)


@overload
def Setup(game: str, players: object = None, options: Mapping[str, object] | None = None) -> Game[Any]: ...
@overload
def Setup(game: type[Game[S]], players: object = None, options: Mapping[str, object] | None = None) -> Game[S]: ...
def Setup(
    game: str | type[Game[Any]], players: object = None, options: Mapping[str, object] | None = None
) -> Game[Any]:
    """The setup of a table: a game, the number of players, and the options. An instance of the game's class.

    `players` and `options` default to what the game declares. Raises BadSetup, with the clause, for a game, a number of
    players or an option that does not exist.
    """
    if not (isinstance(game, str) or (isinstance(game, type) and issubclass(game, Game))):
        raise BadSetup(f"a game is its name or a Game, not {brief(game)}")
    kind = game_named(game) if isinstance(game, str) else game
    number = kind.default_players if players is None else whole_number(players)
    if number is None or number not in kind.declared_counts:
        raise BadSetup(as_sentence(wrong_players(kind, players), kind), kind.clauses.players)
    try:
        return kind(number, options)
    except BadOption as error:
        raise BadSetup(error.reason, error.clause) from None


def check_dealer(setup: Game[Any], dealer: object) -> int:
    """The first dealer's seat as a Python integer. Raises BadSetup if there is no such seat."""
    number = whole_number(dealer)
    if number is None or not 0 <= number < setup.players:
        clause = setup.clauses.dealer
        message = "the dealer is a seat from 0 to {last}, not {wrong}"
        raise BadSetup(sentence(message, last=setup.players - 1, wrong=brief(dealer)), clause)
    return number


def check_seat(setup: Game[Any], seat: object) -> int:
    """The seat as a Python integer. Raises UpcardError if there is no such seat."""
    number = check_number(seat)
    if not 0 <= number < setup.players:
        raise UpcardError(f"there is no seat {brief(seat)}: the seats are 0 to {setup.players - 1}")
    return number


def check_number(seat: object) -> int:
    """The seat as a Python integer, in range or not. Raises UpcardError for anything but a whole number."""
    number = whole_number(seat)
    if number is None:
        raise UpcardError(f"a seat is a whole number, not {brief(seat)}")
    return number


def setup_of(
    game: str | type[Game[Any]] | Game[Any], players: object = None, options: Mapping[str, object] | None = None
) -> Game[Any]:
    """The setup of a game, number of players and options; a setup is returned unchanged.

    Raises BadSetup, and UpcardError for `players` or `options` next to a setup, which already has them.
    """
    if not isinstance(game, Game):
        return Setup(game, players, options)
    if players is not None or options is not None:
        raise UpcardError("a setup has its players and options already")
    return game


def game_named(slug: str) -> type[Game[Any]]:
    """The game of this name. Raises BadSetup if there is none."""
    try:
        return games.load(slug)
    except games.UnknownGame as error:
        raise BadSetup(error.args[0]) from None


def begin(setup: Game[S], dealer: int) -> S:
    """The initial state of a match: the first deal is awaited."""
    state = setup.state()
    state.players = setup.players
    state.dealer = dealer
    state.awaiting = DEAL
    obey(setup.game, setup.start, state)
    return state  # type: ignore[return-value]
