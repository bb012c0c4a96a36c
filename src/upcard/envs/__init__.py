"""The games as environments for reinforcement learning and game theory, with the usual interfaces.

Each function returns an environment for one table. The table is given by a game (a name or a `Game`), a number of
players and options, or by a `Setup`, which has all three. All functions raise UpcardError for a table that does not
exist, for other invalid arguments, and for a package that is not installed.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

from upcard.engine.errors import UpcardError
from upcard.engine.setup import setup_of
from upcard.rules.game import Game
from upcard.rules.phrases import how_to_get
from upcard.rules.renamed import former_names

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from upcard.envs.aec import AtOnceEnv
    from upcard.envs.seat_vector import SeatVectorEnv
    from upcard.envs.single import SeatEnv
    from upcard.envs.single_seat import Others
    from upcard.envs.vector_env import VectorEnv

Options = Mapping[str, object] | None
TableLike = str | type[Game[Any]] | Game[Any]
"""A game's name, a game, or the whole setup of a table."""


def pettingzoo(
    game: TableLike,
    players: int | None = None,
    options: Options = None,
    *,
    reward: str = "match",
    history: int = 0,
    max_cycles: int | None = None,
    render_mode: str | None = None,
) -> AECEnv[str, dict[str, Any], int]:
    """A PettingZoo AEC environment. An illegal action ends the match: its seat gets a reward of -1, the others get 0.

    `reward` is "match" (at the end of the match, 1 for a sole winner; the rewards of all seats add up to 0, except
    after an illegal action) or "deal" (after each deal, the change in the seat's standing, as the game's `utility`
    measures it). `history` is the number of rows of the seat's history in its observation, 0 for none. After
    `max_cycles` actions the match is truncated; by default never, and at random some take tens of thousands.
    `render_mode` is "human", "ansi" or None.
    """
    aec = _load("aec")
    from pettingzoo.utils import wrappers

    env = aec.TurnEnv(setup_of(game, players, options), reward, history, max_cycles, render_mode)
    return wrappers.OrderEnforcingWrapper(aec.Strict(env, illegal_reward=aec.ILLEGAL))


def pettingzoo_parallel(
    game: TableLike,
    players: int | None = None,
    options: Options = None,
    *,
    reward: str = "match",
    history: int = 0,
    max_cycles: int | None = None,
    render_mode: str | None = None,
) -> AtOnceEnv:
    """A PettingZoo parallel environment: seats that choose at the same time (secret bids) do so in one step.

    In each step the actions of seats that are not to act are ignored. The other arguments are those of `pettingzoo`;
    `max_cycles` counts steps.
    """
    setup = setup_of(game, players, options)
    env: AtOnceEnv = _load("aec").AtOnceEnv(setup, reward, history, max_cycles, render_mode)
    return env


def gymnasium(
    game: TableLike,
    players: int | None = None,
    options: Options = None,
    *,
    seat: int = 0,
    others: Others = "casual",
    reward: str = "match",
    history: int = 0,
    render_mode: str | None = None,
) -> SeatEnv:
    """A Gymnasium environment that plays one seat; the other seats are played by computer players.

    `others` is the name of a player ("random", "casual", "strong", "search:200"), an object with a method
    `choose(view, rng)` that returns the text of a move, or a sequence with one of these for each other seat, in order.
    The other arguments are those of `pettingzoo`.
    """
    env: SeatEnv = _load("single").seat_env(
        setup_of(game, players, options), seat, others, reward, history, render_mode
    )
    return env


def gymnasium_vector(
    game: TableLike,
    players: int | None = None,
    options: Options = None,
    *,
    tables: int = 4096,
    seat: int = 0,
    others: Others = "casual",
    reward: str = "match",
    threads: int | None = None,
    history: int = 0,
) -> SeatVectorEnv:
    """A `gymnasium.vector.VectorEnv` that plays one seat at many tables in compiled code, with the observations and
    rewards of `gymnasium`. The arguments are those of `vector`."""
    setup = setup_of(game, players, options)
    _load("vector_env")
    env: SeatVectorEnv = _load("seat_vector").SeatVectorEnv(setup, tables, seat, others, reward, threads, history)
    return env


def open_spiel(
    game: TableLike,
    players: int | None = None,
    options: Options = None,
    *,
    history: int = 128,
    episode: str = "match",
    utility: str = "share",
) -> Any:
    """A `pyspiel.Game`, registered with OpenSpiel as `upcard_sixty_six` or the like; the options are its parameters.

    `history` is the number of rows of a seat's history in the tensor of an information state. With the `episode` "deal"
    a game ends after its first deal, which the seats with the best standing win. Its `utility` is "share" (1 for a sole
    winner, and -1 to be divided among the others) or "points" (a seat's standing, as the game's `utility` measures it,
    minus the average of all seats).
    """
    return _load("spiel").load(setup_of(game, players, options), history, episode, utility)


def vector(
    game: TableLike,
    players: int | None = None,
    options: Options = None,
    *,
    tables: int = 4096,
    seed: int | None = None,
    seat: int = 0,
    others: Others | None = None,
    reward: str = "match",
    threads: int | None = None,
    history: int = 0,
) -> VectorEnv:
    """A vector environment: many tables stepped at once in compiled code, by one thread for every 8,192 tables unless
    `threads` is given, and by no more threads than there are cores.

    Without `others` the caller plays all seats, and `seat` is 0. With `others`, as for `gymnasium`, the caller plays
    `seat`, and each step leads to its next decision. The players "random", "easy", "casual" and "medium" run in
    compiled code. With any other player, matches are played in Python, at `threads` tables at a time, however many (by
    default one for each core). The same seed gives the same matches with any number of threads. With a `history`,
    `env.history()` returns this number of rows about what the seat to act has heard.
    """
    env: VectorEnv = _load("vector_env").VectorEnv(
        setup_of(game, players, options), tables, seed, seat, others, reward, threads, history
    )
    return env


with suppress(ModuleNotFoundError):  # without Gymnasium there is nothing to register with
    import_module("upcard.envs.registration")

_EXTRAS = {"aec": "envs", "single": "envs", "seat_vector": "envs", "spiel": "open-spiel", "vector_env": "fast"}


def _load(module: str) -> Any:
    """Import a module of this package. Raises UpcardError if a package that it needs is not installed."""
    try:
        return import_module(f"upcard.envs.{module}")
    except ModuleNotFoundError as error:
        extra = _EXTRAS[module]
        raise UpcardError(f"{error.name} is not installed: {how_to_get(extra)}") from None


__all__ = ["gymnasium", "gymnasium_vector", "open_spiel", "pettingzoo", "pettingzoo_parallel", "vector"]

__getattr__ = former_names(__name__, Table="TableLike")
