"""The Gymnasium environment: one seat of a game, with computer players at the others."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium.envs.registration import EnvSpec

from upcard.engine.chance import SystemChance
from upcard.engine.errors import UpcardError
from upcard.envs.aec import ILLEGAL, RENDER_MODES, Observation, check_render_mode
from upcard.envs.episode import Episode, Mask, env_name, seed_of
from upcard.envs.single_seat import Others, SingleSeat, seating_of
from upcard.envs.space import discrete_actions, observation_space
from upcard.games.shipped import comes_with_upcard
from upcard.rules.game import Game
from upcard.rules.phrases import as_items, brief


class SeatEnv(gymnasium.Env[Observation, int]):
    """A match as played from one seat. Each step leads to the seat's next decision.

    An illegal action ends the match with a reward of -1.
    """

    def __init__(
        self, setup: Game[Any], seat: int, others: Others, reward: str, history: int, render_mode: str | None
    ) -> None:
        seating = seating_of(setup, seat, others)
        check_render_mode(render_mode)
        self.episode = Episode(setup, reward, history)
        self.seat = int(seat)
        self.render_mode = render_mode
        self.metadata = {"render_modes": [*RENDER_MODES], "render_fps": 1}
        self._single = SingleSeat(self.episode, self.seat, seating.seated())
        self.action_space = discrete_actions(self.episode)
        self.observation_space = observation_space(self.episode)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a new match and play it up to the seat's first decision. Raises UpcardError for any `options`: those of
        the game are part of the table."""
        if options:
            named = ", ".join(map(str, options))
            raise UpcardError(f"reset() takes no options ({brief(named)}): make an environment with these options")
        super().reset(seed=None if seed is None else seed_of(seed))
        self._single.begin(*self._generators())
        return self.episode.observe(self.seat), {}

    def _generators(self) -> tuple[Random, Random]:
        """The generators for the deals and for the other players. Without a seed they are the operating system's, which
        copies do not share."""
        if self._np_random is None:  # `np_random` would make one, which copies and forked processes share
            return SystemChance(), SystemChance()
        luck = Random(int(self.np_random.integers(1 << 62)))
        return Random(luck.getrandbits(64)), luck

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make a move of this seat, and play on to its next decision or the end of the match.

        Raises UpcardError for a number outside the action space, before the first reset, after the end of a match, and
        after a step or reset that was broken off by an exception, for example from another player.
        """
        number = self.episode.actions.check(action)
        if self._single.broken_off:
            raise UpcardError("call reset() before the next step")
        if self.episode.done:
            raise UpcardError("the match is over: call reset()")
        if not self.episode.mask(self.seat)[number]:
            self.episode.forfeit()
            return self._observe(), ILLEGAL, True, False, {"illegal": self.episode.actions.text(number)}
        self._single.play(number)
        return self._observe(), self._single.earned[self.seat], self.episode.done, False, {}

    def _observe(self) -> Observation:
        """The observation of the seat. After the end of a match its mask allows everything: Gymnasium's vector
        environments ask for one more action then, which they ignore, and no policy can choose from nothing."""
        seen: Observation = self.episode.observe(self.seat)
        if self.episode.done:
            seen["action_mask"][:] = 1
        return seen

    def action_masks(self) -> Mask:
        """The mask of legal actions, under the name that sb3-contrib's MaskablePPO looks for."""
        mask = self.episode.mask(self.seat)
        return np.ones_like(mask) if self.episode.done else mask

    def heard(self) -> list[str]:
        """The events of the match as this seat has heard them, in order."""
        return self.episode.heard(self.seat)

    def render(self) -> Any:
        """Return the table as this seat sees it as text ("ansi"), or print it ("human")."""
        view = self.episode.match.view(self.seat)
        if self.render_mode == "human":
            print(view)
        return str(view) if self.render_mode == "ansi" else None


class SeatSpec(EnvSpec):
    """The arguments of a `SeatEnv`."""

    def to_json(self) -> str:
        """The spec as JSON. Raises UpcardError for a game of your own and for players given as objects."""
        try:
            return super().to_json()
        except (TypeError, ValueError):
            needed = "it takes a game that comes with Upcard, and other players by their names"
            raise UpcardError(f"this environment cannot be written as JSON: {needed}") from None


def seat_env(
    setup: Game[Any], seat: int, others: Others, reward: str, history: int, render_mode: str | None
) -> SeatEnv:
    """The environment with its spec, from which `gymnasium.make` can recreate it. The spec has the name of a shipped
    game instead of the game, so that it can be written as JSON."""
    players = as_items(others)
    others = others if players is None else [*players]
    env = SeatEnv(setup, seat, others, reward, history, render_mode)
    kwargs = {
        "game": setup.game.slug if comes_with_upcard(setup.game) else setup.game,
        "players": setup.players,
        "options": dict(setup.chosen),
        "seat": env.seat,
        "others": others,
        "reward": reward,
        "history": env.episode.recall.most,
        "render_mode": render_mode,
    }
    env.spec = SeatSpec(f"upcard/{env_name(setup)}", entry_point="upcard.envs:gymnasium", kwargs=kwargs)
    return env
