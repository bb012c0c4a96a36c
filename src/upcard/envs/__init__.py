"""The games as environments for reinforcement learning and game theory, behind the interfaces that researchers use.

Each function makes an environment of one table: a game by name (or a `Game`), how many play it, and its options; or a
`Setup`, which has all three.
Raises UpcardError, in one line, for a table that cannot be and for a package that is not installed.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from upcard.engine.errors import UpcardError
from upcard.engine.setup import Setup, setup_of
from upcard.rules.game import Game

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from upcard.envs.aec import AtOnceEnv
    from upcard.envs.seated import Others
    from upcard.envs.single import SeatEnv
    from upcard.envs.vector_env import VectorEnv

Options = Mapping[str, object] | None
Table = str | Game[Any] | Setup[Any]
"""A game, by name or itself, or the whole setup of a table."""


def pettingzoo(
    game: Table,
    players: int | None = None,
    options: Options = None,
    *,
    reward: str = "match",
    history: int = 0,
    render_mode: str | None = None,
) -> AECEnv[str, dict[str, Any], int]:
    """A PettingZoo AEC environment; an action that its mask forbids ends the match, and its seat gets -1.

    `reward` is "match", 1 to the winner and less than 0 to the others when the match ends, or "deal", what each deal
    has changed of how a seat stands. `history` is how much of what a seat has heard is in its observation.
    """
    aec = _load("aec")
    from pettingzoo.utils import wrappers

    env = aec.TurnEnv(setup_of(game, players, options), reward, history, render_mode)
    strict = wrappers.TerminateIllegalWrapper(env, illegal_reward=aec.ILLEGAL)
    return wrappers.OrderEnforcingWrapper(aec.InBounds(strict))


def pettingzoo_parallel(
    game: Table,
    players: int | None = None,
    options: Options = None,
    *,
    reward: str = "match",
    history: int = 0,
    render_mode: str | None = None,
) -> AtOnceEnv:
    """A PettingZoo parallel environment: seats that choose at the same time (secret bids) do so in one step.

    In a step in which only some are to act, the actions of the others are not heard.
    """
    env: AtOnceEnv = _load("aec").AtOnceEnv(setup_of(game, players, options), reward, history, render_mode)
    return env


def gymnasium(
    game: Table,
    players: int | None = None,
    options: Options = None,
    *,
    seat: int = 0,
    others: Others = "casual",
    reward: str = "match",
    history: int = 0,
    render_mode: str | None = None,
) -> SeatEnv:
    """A Gymnasium environment of one seat.

    `others` play the other seats: the name of a player ("random", "casual", "strong", "search:200"), any object with
    `choose(view, rng)`, or one for each of them in the order of the seats.
    """
    env: SeatEnv = _load("single").seat_env(
        setup_of(game, players, options), seat, others, reward, history, render_mode
    )
    return env


def open_spiel(game: Table, players: int | None = None, options: Options = None, *, history: int = 128) -> Any:
    """A `pyspiel.Game`, which OpenSpiel then knows as `upcard_sixty_six` or the like; options are its parameters.

    `history` is how many rows of what a seat has heard the tensor of an information state has: its string has them all.
    """
    return _load("spiel").load(setup_of(game, players, options), history)


def vector(
    game: Table,
    players: int | None = None,
    options: Options = None,
    *,
    tables: int = 4096,
    seed: int | None = None,
    seat: int = 0,
    others: Others | None = None,
    reward: str = "match",
    threads: int | None = None,
) -> VectorEnv:
    """Many tables stepped at once in compiled code, on all cores unless `threads` says otherwise.

    Without `others` all seats are played by the caller. With `others`, as of `gymnasium`, it plays `seat`, from one
    decision of its own to the next. "random", "easy", "casual" and "medium" play in compiled code; where anybody else
    sits, matches are played in Python, and strong players and experts think at `threads` tables at a time
    unless their name says more. The same seed gives the same matches, whatever the number of threads.
    """
    env: VectorEnv = _load("vector_env").VectorEnv(
        setup_of(game, players, options), tables, seed, seat, others, reward, threads
    )
    return env


_EXTRAS = {"aec": "envs", "single": "envs", "spiel": "open-spiel", "vector_env": "fast"}


def _load(module: str) -> Any:
    """A module of this package. Raises UpcardError where a package that it needs is not installed."""
    try:
        return import_module(f"upcard.envs.{module}")
    except ModuleNotFoundError as error:
        extra = _EXTRAS[module]
        raise UpcardError(f"{error.name} is not installed: pip install 'upcard[{extra}]'") from None


__all__ = ["gymnasium", "open_spiel", "pettingzoo", "pettingzoo_parallel", "vector"]
