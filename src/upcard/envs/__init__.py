"""The games as environments for reinforcement learning and game theory, behind the interfaces that researchers use.

Each function makes an environment of one table: a game by name (or a `Game`), how many play it, and its options.
Raises UpcardError, in one line, for a table that cannot be and for a package that is not installed.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from upcard.engine.errors import UpcardError
from upcard.engine.setup import Setup
from upcard.rules.game import Game

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from upcard.envs.aec import AtOnceEnv
    from upcard.envs.single import Others, SeatEnv

Options = Mapping[str, object] | None


def pettingzoo(
    game: str | Game[Any],
    players: int | None = None,
    options: Options = None,
    *,
    reward: str = "match",
    render_mode: str | None = None,
) -> AECEnv[str, dict[str, Any], int]:
    """A PettingZoo AEC environment; an action that its mask forbids ends the match, and its seat gets -1.

    `reward` is "match", 1 to the winner and less than 0 to the others when the match ends, or "deal", what each deal
    has changed of how a seat stands.
    """
    aec = _load("aec")
    from pettingzoo.utils import wrappers

    env = aec.TurnEnv(Setup(game, players, options), reward, render_mode)
    bounded = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(wrappers.TerminateIllegalWrapper(bounded, illegal_reward=aec.ILLEGAL))


def pettingzoo_parallel(
    game: str | Game[Any],
    players: int | None = None,
    options: Options = None,
    *,
    reward: str = "match",
    render_mode: str | None = None,
) -> AtOnceEnv:
    """A PettingZoo parallel environment: seats that choose at the same time (secret bids) do so in one step.

    In a step in which only some are to act, the actions of the others are not heard.
    """
    env: AtOnceEnv = _load("aec").AtOnceEnv(Setup(game, players, options), reward, render_mode)
    return env


def gymnasium(
    game: str | Game[Any],
    players: int | None = None,
    options: Options = None,
    *,
    seat: int = 0,
    others: Others = "casual",
    reward: str = "match",
    render_mode: str | None = None,
) -> SeatEnv:
    """A Gymnasium environment of one seat.

    `others` play the other seats: the name of a player ("random", "casual", "strong", "search:200"), any object with
    `choose(view, rng)`, or one for each of them in the order of the seats.
    """
    env: SeatEnv = _load("single").seat_env(Setup(game, players, options), seat, others, reward, render_mode)
    return env


def open_spiel(game: str | Game[Any], players: int | None = None, options: Options = None) -> Any:
    """A `pyspiel.Game`, which OpenSpiel then knows as `upcard_sixty_six` or the like; options are its parameters."""
    return _load("spiel").load(Setup(game, players, options))


_EXTRAS = {"aec": "envs", "single": "envs", "spiel": "open-spiel"}


def _load(module: str) -> Any:
    """A module of this package. Raises UpcardError where a package that it needs is not installed."""
    try:
        return import_module(f"upcard.envs.{module}")
    except ModuleNotFoundError as error:
        extra = _EXTRAS[module]
        raise UpcardError(f"{error.name} is not installed: pip install 'upcard[{extra}]'") from None


__all__ = ["gymnasium", "open_spiel", "pettingzoo", "pettingzoo_parallel"]
