"""The vector environment of Gymnasium: one seat at many tables, stepped at once in compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVector
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from upcard.engine.errors import UpcardError
from upcard.engine.setup import setup_of
from upcard.envs.episode import Episode, seed_of
from upcard.envs.single_seat import Others
from upcard.envs.space import discrete_actions, observation_space
from upcard.envs.vector_env import Step, VectorEnv
from upcard.rules.game import Game

Observations = dict[str, NDArray[Any]]


class SeatVectorEnv(GymnasiumVector[Any, Any, Any]):
    """One seat at many tables. A table whose match ends begins another in the same step; the observation is then that
    of the new match, and `info` has no last observation of the old one, whose value is 0.

    `tables` is the vector environment underneath, which can save, load and fork its tables.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(
        self,
        setup: Game[Any],
        number: int,
        seat: int,
        others: Others,
        reward: str,
        threads: int | None,
        history: int = 0,
    ) -> None:
        self.tables = VectorEnv(setup, number, None, seat, others, reward, threads, history)
        episode = Episode(setup, history=history)
        self.seat = seat
        self.num_envs = self.tables.tables
        self.single_observation_space: spaces.Dict = observation_space(episode)
        self.single_action_space = discrete_actions(episode)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Start a new match at every table. Raises UpcardError for `options`, which belong to the table."""
        if options:
            raise UpcardError("a reset takes no options: those of a game belong to its table")
        return self._observed(self.tables.reset(None if seed is None else seed_of(seed))), {}

    def step(
        self, actions: Any
    ) -> tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Take one action at each table."""
        shown = self.tables.step(actions)
        rewards = shown.reward[:, self.seat].astype(np.float64)
        return self._observed(shown), rewards, shown.done.copy(), np.zeros(self.num_envs, np.bool_), {}

    def _observed(self, shown: Step) -> Observations:
        observed: Observations = {"observation": self.tables.numbers(), "action_mask": np.array(shown.mask)}
        return observed | ({"history": self.tables.history()} if self.tables.recall.most else {})

    def close_extras(self, **more: Any) -> None:
        """End the threads."""
        self.tables.close()


def seat_vector_env(
    game: str,
    players: int | None = None,
    options: Any = None,
    *,
    num_envs: int,
    seat: int = 0,
    others: Others = "casual",
    reward: str = "match",
    threads: int | None = None,
    history: int = 0,
) -> SeatVectorEnv:
    """The environment as `gymnasium.make_vec` makes it."""
    return SeatVectorEnv(setup_of(game, players, options), num_envs, seat, others, reward, threads, history)
