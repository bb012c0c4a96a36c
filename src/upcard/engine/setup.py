"""The setup of a table: a game, the number of players, and the options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, NoReturn, TypeVar, overload

from upcard import games
from upcard.engine.errors import BadSetup, UpcardError
from upcard.engine.mistakes import obey
from upcard.rules.game import Game
from upcard.rules.options import BadOption, Options
from upcard.rules.state import DEAL, GameState
from upcard.rules.words import brief, listed, whole_number

S = TypeVar("S", bound=GameState)


class Setup(Generic[S]):
    """What a table agrees on: a game, the number of players, and the options. Immutable, hashable and picklable.

    `players` and `options` default to what the game declares. Raises BadSetup, with the clause, for a game, a number of
    players or an option that does not exist.
    """

    __slots__ = ("game", "options", "players")
    game: Game[S]
    players: int
    options: Options

    @overload
    def __init__(
        self: Setup[Any], game: str, players: object = None, options: Mapping[str, object] | None = None
    ) -> None: ...
    @overload
    def __init__(
        self: Setup[S], game: Game[S], players: object = None, options: Mapping[str, object] | None = None
    ) -> None: ...
    def __init__(
        self, game: str | Game[Any], players: object = None, options: Mapping[str, object] | None = None
    ) -> None:
        if not isinstance(game, str | Game):
            raise BadSetup(f"a game is its name or a Game, not {brief(game)}")
        game = found(game) if isinstance(game, str) else game
        number = game.default_players if players is None else whole_number(players)
        if number is None or number not in game.players:
            numbers = listed(list(map(str, game.players)), "or")
            raise BadSetup(f"{game.title} is for {numbers} players, not {brief(players)}", game.clauses.players)
        try:
            chosen = game.options({} if options is None else options, number, game.clauses.options)
        except BadOption as error:
            raise BadSetup(str(error), error.clause) from None
        for name, value in (("game", game), ("players", number), ("options", chosen)):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a setup cannot be changed: make another one")

    __delattr__ = __setattr__  # type: ignore[assignment]

    def check_dealer(self, dealer: object) -> int:
        """The first dealer's seat as a Python integer. Raises BadSetup if there is no such seat."""
        number = whole_number(dealer)
        if number is None or not 0 <= number < self.players:
            clause = self.game.clauses.dealer
            raise BadSetup(f"the dealer is a seat from 0 to {self.players - 1}, not {brief(dealer)}", clause)
        return number

    def check_seat(self, seat: object) -> int:
        """The seat as a Python integer. Raises UpcardError if there is no such seat."""
        number = check_number(seat)
        if not 0 <= number < self.players:
            raise UpcardError(f"there is no seat {brief(seat)}: the seats are 0 to {self.players - 1}")
        return number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Setup) and (self.game, self.players, self.options) == (
            other.game,
            other.players,
            other.options,
        )

    def __hash__(self) -> int:
        return hash((self.game, self.players, self.options))

    def __reduce__(self) -> Any:
        return Setup, (self.game, self.players, dict(self.options.chosen))

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.chosen.items())
        return f"<Setup {self.game.slug}, {self.players} players{options}>"


def check_number(seat: object) -> int:
    """The seat as a Python integer, in range or not. Raises UpcardError for anything but a whole number."""
    number = whole_number(seat)
    if number is None:
        raise UpcardError(f"a seat is a whole number, not {brief(seat)}")
    return number


def setup_of(
    game: str | Game[Any] | Setup[Any], players: object = None, options: Mapping[str, object] | None = None
) -> Setup[Any]:
    """The setup of a game, number of players and options; a `Setup` is returned as it is.

    Raises BadSetup, and UpcardError for `players` or `options` next to a `Setup`, which already has them.
    """
    if not isinstance(game, Setup):
        return Setup(game, players, options)
    if players is not None or options is not None:
        raise UpcardError("a setup has its players and options already")
    return game


def found(slug: str) -> Game[Any]:
    """The game of this name. Raises BadSetup if there is none."""
    try:
        return games.load(slug)
    except games.UnknownGame as error:
        raise BadSetup(str(error)) from None


def begin(setup: Setup[S], dealer: int) -> S:
    """The initial state of a match: the first deal is awaited."""
    state = setup.game.state()
    state.players = setup.players
    state.dealer = dealer
    state.awaiting = DEAL
    obey(setup.game, setup.game.start, state, setup.options)
    return state
