"""The PettingZoo environments: AEC (one seat after another) and parallel (all acting seats at once)."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from upcard.engine.chance import Shuffler, shuffler
from upcard.engine.errors import UpcardError
from upcard.envs.episode import Episode, env_name, seed_of
from upcard.envs.space import discrete_actions, observation_space
from upcard.lab.arguments import integer_from
from upcard.rules.game import Game
from upcard.rules.phrases import brief

RENDER_MODES = ["human", "ansi"]
ILLEGAL = -1.0
"""The reward for an illegal action, which ends the match."""
Agent = str
Observation = dict[str, Any]
StepResult = tuple[
    dict[Agent, Observation],
    dict[Agent, float],
    dict[Agent, bool],
    dict[Agent, bool],
    dict[Agent, dict[str, Any]],
]
"""The result of a parallel step: observations, rewards, terminations, truncations and (empty) infos."""


def check_render_mode(mode: object) -> None:
    """Raises UpcardError unless the mode is in `RENDER_MODES` or None."""
    if mode is not None and not (isinstance(mode, str) and mode in RENDER_MODES):
        raise UpcardError(f"render_mode is {', '.join(map(repr, RENDER_MODES))} or None, not {brief(mode)}")


class SeatAgents:
    """The common part of both environments. Each seat is an agent: `player_0`, `player_1`, ….

    All agents have equal spaces: `Discrete` actions, and dictionaries with `observation` and `action_mask`.
    """

    render_mode: str | None

    def __init__(
        self, setup: Game[Any], reward: str, history: int, max_cycles: int | None, render_mode: str | None
    ) -> None:
        check_render_mode(render_mode)
        self._most_steps = None if max_cycles is None else integer_from("max_cycles", max_cycles)
        self._steps = 0
        self.episode = Episode(setup, reward, history)
        self.render_mode = render_mode
        # Seats move one after another, not once in each cycle: PettingZoo must not turn that into parallel steps.
        self.metadata = {"name": env_name(setup), "render_modes": [*RENDER_MODES], "is_parallelizable": False}
        self.possible_agents = [f"player_{seat}" for seat in range(setup.players)]
        self.agents: list[Agent] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._chance: Shuffler | None = None
        self._observation_spaces = [observation_space(self.episode) for _ in self.possible_agents]
        self._action_spaces = [discrete_actions(self.episode) for _ in self.possible_agents]

    def observation_space(self, agent: Agent) -> spaces.Dict:
        """The observation space of an agent, the same object at each call. Raises UpcardError for an unknown agent."""
        return self._observation_spaces[self._seat(agent)]

    def action_space(self, agent: Agent) -> spaces.Discrete[Any]:
        """The action space of an agent, the same object at each call. Raises UpcardError for an unknown agent."""
        return self._action_spaces[self._seat(agent)]

    def observe(self, agent: Agent) -> Observation:
        """The current observation of an agent; its mask is all 0 if it is not to act. Raises UpcardError for an unknown
        agent."""
        return self.episode.observe(self._seat(agent))

    def heard(self, agent: Agent) -> list[str]:
        """The events of the match as an agent has heard them, in order. Raises UpcardError for an unknown agent."""
        return self.episode.heard(self._seat(agent))

    def render(self) -> str | None:
        """Return the table with all cards open as text ("ansi"), or print it ("human")."""
        if self.render_mode == "human":
            print(self.episode.match)
        return str(self.episode.match) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: there are no resources to release."""

    def _seat(self, agent: object) -> int:
        """The seat of an agent. Raises UpcardError for an unknown agent."""
        if not isinstance(agent, str) or agent not in self.possible_agents:
            raise UpcardError(f"there is no agent {brief(agent)}: they are {', '.join(self.possible_agents)}")
        return self.possible_agents.index(agent)

    def _begin(self, seed: int | None) -> None:
        """Start a new match. A seed makes this match and those of later resets without a seed repeatable."""
        if seed is not None:
            self._chance = Random(seed_of(seed))
        self._chance = self._chance or shuffler()
        self.episode.begin(self._chance)
        self.agents = self.possible_agents[:]
        self._steps = 0

    def _count_step(self) -> bool:
        """Count a step; return whether the match is truncated now."""
        self._steps += 1
        return self._steps == self._most_steps and not self.episode.done

    def _each(self, values: list[float]) -> dict[Agent, float]:
        return dict(zip(self.possible_agents, values, strict=True))


class TurnEnv(SeatAgents, AECEnv[Agent, Observation, int]):
    """The AEC environment. Seats that choose at the same time are selected in order, and later ones do not see the
    earlier choices."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new match. `options` are ignored: the options of the game are part of the table."""
        self._begin(seed)
        self.rewards = self._each([0.0] * len(self.agents))
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[Agent, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._next()

    def step(self, action: int) -> None:
        """Take an action of the selected agent. Raises IllegalMove or UpcardError for an invalid action and then
        changes nothing."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.episode.play(self._seats[agent], action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = self._each(self.episode.rewards)
        self.terminations = dict.fromkeys(self.agents, self.episode.done)
        self.truncations = dict.fromkeys(self.agents, self._count_step())
        self.agent_selection = self._next()
        self._accumulate_rewards()

    def _next(self) -> Agent:
        to_act = self.episode.match.to_act
        return self.possible_agents[to_act[0] if to_act else 0]


class Strict(wrappers.TerminateIllegalWrapper[Agent, Observation, int]):
    """A wrapper that ends the match after an illegal action, but rejects numbers outside the action space."""

    def step(self, action: int) -> None:
        """Take an action. Raises UpcardError for a number outside the action space and then changes nothing."""
        agent, episode = self.agent_selection, self.unwrapped.episode
        if self.terminations[agent] or self.truncations[agent]:
            super().step(action)
            return
        episode.actions.check(action)
        super().step(action)
        if self.terminations[agent] and not episode.done:
            episode.forfeit()


class AtOnceEnv(SeatAgents, ParallelEnv[Agent, Observation, int]):
    """The parallel environment. Actions of seats that are not to act are ignored."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[Agent, Observation], dict[Agent, dict[str, Any]]]:
        """Start a new match. `options` are ignored: the options of the game are part of the table."""
        self._begin(seed)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: Mapping[Agent, int]) -> StepResult:
        """Take the actions of all seats that are to act. An illegal action ends the match, with a reward of -1 to its
        seat. Raises UpcardError if the action of one of these seats is missing or outside the action space."""
        if not isinstance(actions, Mapping):
            raise UpcardError(f"actions are a dictionary with one for each agent that is to act, not {brief(actions)}")
        acting = self.episode.match.to_act if self.agents else []
        chosen = {seat: self._action(actions, seat) for seat in acting}
        guilty = [seat for seat, action in chosen.items() if not self.episode.mask(seat)[action]]
        rewards = [ILLEGAL if seat in guilty else 0.0 for seat in range(len(self.possible_agents))]
        for seat, action in chosen.items():
            if not guilty and self.episode.mask(seat)[action]:  # an earlier seat may have ended the phase
                self.episode.play(seat, action)
                rewards = [sum(pair) for pair in zip(rewards, self.episode.rewards, strict=True)]
        if guilty:
            self.episode.forfeit()
        over, truncated = self.episode.done, self._count_step()
        result: StepResult = (
            self._observations(),
            {agent: rewards[self._seats[agent]] for agent in self.agents},
            dict.fromkeys(self.agents, over),
            dict.fromkeys(self.agents, truncated),
            {agent: {} for agent in self.agents},
        )
        if over or truncated:
            self.agents = []
        return result

    def _action(self, actions: Mapping[Agent, int], seat: int) -> int:
        agent = self.possible_agents[seat]
        if agent not in actions:
            raise UpcardError(f"{agent} is to act, but its action is missing")
        return self.episode.actions.check(actions[agent])

    def _observations(self) -> dict[Agent, Observation]:
        return {agent: self.observe(agent) for agent in self.agents}
