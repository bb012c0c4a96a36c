"""A match as an environment: actions in; observations, masks and rewards out. All interfaces use it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.engine.actions import action_space
from upcard.engine.chance import Shuffler, key_of
from upcard.engine.errors import UpcardError
from upcard.engine.events import SeenEvent
from upcard.engine.match import Match
from upcard.engine.views import told_text
from upcard.envs.history import Recall
from upcard.envs.observation import FloatArray32, Observer
from upcard.lab.arguments import integer_from
from upcard.rules.game import Game
from upcard.rules.phrases import brief
from upcard.rules.state import DEAL

Mask = NDArray[np.int8]
REWARDS = ("match", "deal")
MOST_PASSED = 1000
"""The number of matches in a row that may end before a seat is to act; after that it is assumed that it never is."""
NEVER_ASKED = f"{MOST_PASSED} matches in a row ended before the seat was to act: the others play this game without it"
VERSIONS = {"kalooki": 1}
"""The versions of the environments that have one above 0, by game: increased when the meaning of actions, observations
or rewards changes."""


def check_reward(reward: object) -> None:
    """Raises UpcardError unless the reward is in `REWARDS`."""
    if not isinstance(reward, str) or reward not in REWARDS:
        raise UpcardError(f"reward is {' or '.join(map(repr, REWARDS))}, not {brief(reward)}")


def seed_of(seed: object) -> int:
    """A nonnegative seed for generators that accept no others. Raises UpcardError for anything but a whole number."""
    number = integer_from("a seed", seed, None)
    return number if number >= 0 else key_of(number)


class Episode:
    """A sequence of matches at one table, with their chance, observations and rewards."""

    def __init__(self, setup: Game[Any], reward: str = "match", history: int = 0) -> None:
        check_reward(reward)
        self.setup = setup
        self.reward = reward
        self.actions = action_space(setup)
        self.observer = Observer(setup)
        self.recall = Recall(setup, history)
        self.rewards = [0.0] * setup.players
        """The reward of each seat for the last move."""
        self._match: Match[Any] | None = None
        self._forfeited = False

    def begin(self, chance: Shuffler) -> None:
        """Start a new match, with a random first dealer."""
        self._chance = chance
        self._match = Match(self.setup, dealer=chance.choice(range(self.setup.players)))
        self._forfeited = False
        self.rewards = [0.0] * self.setup.players
        self.earn_later()
        self._resolve_chance()
        self.earn_later()

    def earn_later(self) -> None:
        """Add the rewards of the deals that are over to the reward of the next deal."""
        self._standing = [0.0] * self.setup.players

    @property
    def match(self) -> Match[Any]:
        """The current match. Raises UpcardError before the first."""
        if self._match is None:
            raise UpcardError("call reset() first")
        return self._match

    @property
    def done(self) -> bool:
        """Whether the match has ended, by its rules or because a seat has forfeited it."""
        return self.match.done or self._forfeited

    def forfeit(self) -> None:
        """End the match because of an illegal action: nobody has a legal action from now on."""
        self._forfeited = True

    def play(self, seat: int, action: int) -> None:
        """Take a seat's action. Raises IllegalMove or UpcardError for an invalid action and then changes nothing."""
        self.match.apply(seat, action)
        self._advance()

    def say(self, seat: int, move: str) -> None:
        """Make a seat's move, given as text. Raises IllegalMove for an illegal one and then changes nothing."""
        self.match.play(seat, move)
        self._advance()

    def _advance(self) -> None:
        self.rewards = self._earned()
        self._resolve_chance()

    def _resolve_chance(self) -> None:
        """Draw the awaited chance events. One can end a deal, and with it a match: Linger Longer ends when a new stock
        does not suffice."""
        while self.match.awaiting:
            self.match.event(self.match.draw_lots(self._chance))
            self.rewards = [earned + more for earned, more in zip(self.rewards, self._earned(), strict=True)]

    def _earned(self) -> list[float]:
        seats = range(self.setup.players)
        if self.reward == "match":
            return outcome_values(self.match) if self.done else [0.0 for _ in seats]
        if not self.done and self.match.state.awaiting != DEAL:
            return [0.0 for _ in seats]
        before = self._standing
        self._standing = [float(self.setup.utility(self.match.state, seat)) for seat in seats]
        return [now - then for now, then in zip(self._standing, before, strict=True)]

    def mask(self, seat: int) -> Mask:
        """A new array with 1 for each legal action of a seat; all 0 if it is not to act, or if the match is over."""
        mask = np.zeros(self.actions.size, np.int8)
        if not self.done:
            mask[list(self.actions.of(self.match.legal_moves(seat)))] = 1
        return mask

    def observe(self, seat: int) -> dict[str, FloatArray32 | Mask]:
        """The observation of a seat, in new arrays: "observation", "action_mask", and "history" if it is recorded."""
        seen: dict[str, FloatArray32 | Mask] = {
            "observation": self.observer.observe(self.match.view(seat)),
            "action_mask": self.mask(seat),
        }
        if self.recall.most:
            since = max(0, len(self.match.events) - self.recall.most)  # not all: a match can have thousands of events
            seen["history"] = self.recall.numbers(self.match.history(seat, since))
        return seen

    def heard(self, seat: int) -> list[str]:
        """The events of the match as a seat has heard them, in order."""
        return [event_text(self.setup.game, event) for event in self.match.history(seat)]


def event_text(game: type[Game[Any]], event: SeenEvent) -> str:
    """The text of an event as a seat has heard it, including the sealed moves that it reveals."""
    if event.seat is None:
        return event.word
    text = f"{event.seat} {told_text(game, event)}"
    opened = ", ".join(f"{seat} {game.notation.text(move)}" for seat, move in event.opened)
    return f"{text} ({opened})" if opened else text


def outcome_values(match: Match[Any]) -> list[float]:
    """The value of a finished match for each seat: 1 for a sole winner; the values of all seats add up to 0."""
    return shares(match.players, match.winners)


def shares(players: int, winners: Sequence[int]) -> list[float]:
    """The value of a match with these winners for each seat."""
    each = players / len(winners)
    return [((each if seat in winners else 0) - 1) / (players - 1) for seat in range(players)]


def env_name(setup: Game[Any]) -> str:
    """The name of an environment with this setup, including the version."""
    return versioned(setup.game.slug)


def versioned(slug: str) -> str:
    """The name of a game's environments, including the version."""
    return f"{slug}-v{VERSIONS.get(slug, 0)}"
