"""A match as an environment steps it: actions in; observations, masks and rewards out. All the interfaces share it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.engine.actions import action_space
from upcard.engine.chance import Shuffler, key_of
from upcard.engine.errors import UpcardError
from upcard.engine.events import Notice
from upcard.engine.match import Match
from upcard.engine.setup import Setup
from upcard.engine.views import told_text
from upcard.envs.history import Recall
from upcard.envs.observation import Numbers, Observer
from upcard.lab.arguments import whole
from upcard.rules.game import Game
from upcard.rules.state import DEAL
from upcard.rules.words import brief

Mask = NDArray[np.int8]
REWARDS = ("match", "deal")
MOST_PASSED = 1000
"""So many matches in a row end before a seat has been to act; then it never will be."""
NEVER_ASKED = f"{MOST_PASSED} matches in a row ended before the seat was to act: the others play this game without it"
VERSION = 0
"""Of the environments: it grows when the meaning of an action, an observation or a reward changes."""


def check_reward(reward: object) -> None:
    """Raises UpcardError for what is not in `REWARDS`."""
    if reward not in REWARDS:
        raise UpcardError(f"reward is {' or '.join(map(repr, REWARDS))}, not {brief(reward)}")


def seed_of(seed: object) -> int:
    """A number from 0 up for generators that know no others: another one for each seed. Raises UpcardError."""
    number = whole("a seed", seed, None)
    return number if number >= 0 else key_of(number)


class Episode:
    """One match after another at a table, with its chance."""

    def __init__(self, setup: Setup[Any], reward: str = "match", history: int = 0) -> None:
        check_reward(reward)
        self.setup = setup
        self.reward = reward
        self.actions = action_space(setup)
        self.observer = Observer(setup)
        self.recall = Recall(setup, history)
        self.rewards = [0.0] * setup.players
        """What each seat has got by the last move."""
        self._match: Match[Any] | None = None

    def begin(self, chance: Shuffler) -> None:
        """A new match, with any seat as its first dealer."""
        self._chance = chance
        self._match = Match(self.setup, dealer=chance.choice(range(self.setup.players)))
        self._standing = [0.0] * self.setup.players
        self.rewards = [0.0] * self.setup.players
        self._let_chance_speak()

    def earn_later(self) -> None:
        """What deals have changed so far in this match comes with the reward of the next one."""
        self._standing = [0.0] * self.setup.players

    @property
    def match(self) -> Match[Any]:
        """The match that is played. Raises UpcardError before the first."""
        if self._match is None:
            raise UpcardError("reset() comes before anything else")
        return self._match

    @property
    def done(self) -> bool:
        return self.match.done

    def play(self, seat: int, action: int) -> None:
        """A seat moves. Raises IllegalMove or UpcardError; then nothing has changed."""
        self.match.apply(seat, action)
        self._go_on()

    def say(self, seat: int, move: str) -> None:
        """A seat makes a move, given as text. Raises IllegalMove; then nothing has changed."""
        self.match.play(seat, move)
        self._go_on()

    def _go_on(self) -> None:
        self.rewards = self._earned()
        self._let_chance_speak()

    def _let_chance_speak(self) -> None:
        while self.match.awaiting:
            self.match.event(self.match.draw_lots(self._chance))

    def _earned(self) -> list[float]:
        seats = range(self.setup.players)
        if self.reward == "match":
            return shares(self.match) if self.done else [0.0 for _ in seats]
        if not self.done and self.match.state.awaiting != DEAL:
            return [0.0 for _ in seats]
        utility, before = self.setup.game.utility, self._standing
        self._standing = [float(utility(self.match.state, self.setup.options, seat)) for seat in seats]
        return [now - then for now, then in zip(self._standing, before, strict=True)]

    def mask(self, seat: int) -> Mask:
        """A new array with a 1 for each action that a seat may choose; nothing but 0 when it is not to act."""
        mask = np.zeros(self.actions.size, np.int8)
        mask[list(self.actions.of(self.match.legal_moves(seat)))] = 1
        return mask

    def observe(self, seat: int) -> dict[str, Numbers | Mask]:
        """New arrays with what a seat sees and may do."""
        seen: dict[str, Numbers | Mask] = {
            "observation": self.observer.observe(self.match.view(seat)),
            "action_mask": self.mask(seat),
        }
        if self.recall.most:
            seen["history"] = self.recall.numbers(self.match.history(seat))
        return seen

    def heard(self, seat: int) -> list[str]:
        """All that a seat has been told since the match began, in order."""
        return [said(self.setup.game, notice) for notice in self.match.history(seat)]


def said(game: Game[Any], notice: Notice) -> str:
    """What a seat is told of one event; where it opens what was sealed, with all of that."""
    if notice.seat is None:
        return notice.word
    said = f"{notice.seat} {told_text(game, notice)}"
    opened = ", ".join(f"{seat} {game.notation.text(move)}" for seat, move in notice.opened)
    return f"{said} ({opened})" if opened else said


def shares(match: Match[Any]) -> list[float]:
    """What a match that is over is worth to each seat: 1 to a sole winner; the sum over all seats is 0."""
    n, winners = match.players, match.winners
    return [((n / len(winners) if seat in winners else 0) - 1) / (n - 1) for seat in range(n)]


def name_of(setup: Setup[Any]) -> str:
    """What an environment of this table is called, with its version."""
    return f"{setup.game.slug}-v{VERSION}"
