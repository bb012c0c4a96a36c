"""A table as one seat plays it: between its decisions the others are asked, one after another."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from upcard.engine.chance import Shuffler
from upcard.engine.errors import UpcardError
from upcard.engine.setup import Setup
from upcard.envs.episode import MOST_PASSED, NEVER_ASKED, Episode
from upcard.lab.seating import Seating
from upcard.players import Player
from upcard.rules.words import brief, whole_number

Others = str | Player | Sequence[str | Player]
"""Who plays the other seats: one for all of them, or one for each in the order of the seats."""


class Seated:
    """One match after another from one seat; of `players`, one for each seat, its own is not asked."""

    def __init__(self, episode: Episode, seat: int, players: Sequence[Player]) -> None:
        self.episode = episode
        self.seat = seat
        self.players = players
        self.earned = [0.0] * episode.setup.players
        """What each seat has got since this one's last decision."""
        self.over = False
        """Whether the match has ended: by its rules, or by who ends it for an action that is forbidden."""

    def begin(self, chance: Shuffler, luck: Random) -> None:
        """A new match, up to the first decision; the others draw their luck from `luck`.

        One that ends before that is passed over, and another begins. Raises UpcardError where all do.
        """
        self._luck = luck
        for _ in range(MOST_PASSED):
            self.episode.begin(chance)
            self._let_others_play()
            if not self.episode.done:
                self.episode.earn_later()
                self.earned = [0.0] * len(self.earned)
                self.over = False
                return
        raise UpcardError(NEVER_ASKED)

    def play(self, action: int) -> None:
        """A move of the seat, and those of the others up to its next decision or the end of the match. Raises
        IllegalMove or UpcardError; then nothing has changed."""
        self.episode.play(self.seat, action)
        self.earned = list(self.episode.rewards)
        self._let_others_play()
        self.over = self.episode.done

    def _let_others_play(self) -> None:
        episode = self.episode
        while not episode.done and self.seat not in episode.match.to_act:
            other = episode.match.to_act[0]
            episode.say(other, self.players[other].choose(episode.match.view(other), self._luck))
            self.earned = [sum(pair) for pair in zip(self.earned, episode.rewards, strict=True)]


def seating_of(setup: Setup[Any], seat: int, others: Others) -> Seating:
    """Who sits at a table, somebody at random in the place of `seat`. Raises UpcardError for a seat that there is not,
    for too few or too many, for what is no player, and for a level that the game has not."""
    seats = setup.players
    own = whole_number(seat)
    if own is None or not 0 <= own < seats:
        raise UpcardError(f"there is no seat {brief(seat)}: the seats are 0 to {seats - 1}")
    each = [others] * (seats - 1) if isinstance(others, str) or not isinstance(others, Sequence) else [*others]
    if len(each) != seats - 1:
        raise UpcardError(f"others names {len(each)} players, and {seats - 1} other seats are to be filled")
    seating = Seating.of([*each[:own], "random", *each[own:]], seats)
    seating.check(setup.game)
    return seating
