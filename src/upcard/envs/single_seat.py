"""A table as one seat plays it: computer players make the moves between its decisions."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from upcard.engine.chance import Shuffler
from upcard.engine.errors import UpcardError
from upcard.envs.episode import MOST_PASSED, NEVER_ASKED, Episode
from upcard.lab.seating import Lineup
from upcard.players import Player
from upcard.rules.game import Game
from upcard.rules.phrases import as_items, brief, counted, whole_number

Others = str | Player | Sequence[str | Player]
"""The players of the other seats: one for all of them, or a sequence with one for each, in order."""


class SingleSeat:
    """A sequence of matches as played from one seat. `players` has a player for each seat; the one at `seat` is not
    used."""

    def __init__(self, episode: Episode, seat: int, players: Sequence[Player]) -> None:
        self.episode = episode
        self.seat = seat
        self.players = players
        self.earned = [0.0] * episode.setup.players
        """The reward of each seat since the last decision of `seat`."""
        self.broken_off = False
        """Whether an exception has broken off the match during the others' moves. Only `begin` clears it."""

    def begin(self, chance: Shuffler, luck: Random) -> None:
        """Start a new match and play it up to the seat's first decision; the other players draw from `luck`.

        A match that ends before that is skipped. Raises UpcardError if `MOST_PASSED` matches in a row do.
        """
        self._luck = luck
        self.broken_off = True
        for _ in range(MOST_PASSED):
            self.episode.begin(chance)
            self._let_others_play()
            if not self.episode.done:
                self.episode.earn_later()
                self.earned = [0.0] * len(self.earned)
                return
        raise UpcardError(NEVER_ASKED)

    def play(self, action: int) -> None:
        """Make a move of the seat, and play on to its next decision or the end of the match. Raises IllegalMove or
        UpcardError for an invalid action and then changes nothing."""
        self.episode.play(self.seat, action)
        self.earned = list(self.episode.rewards)
        self._let_others_play()

    def _let_others_play(self) -> None:
        episode = self.episode
        self.broken_off = True
        while not episode.done and self.seat not in episode.match.to_act:
            other = episode.match.to_act[0]
            episode.say(other, self.players[other].choose(episode.match.view(other), self._luck))
            self.earned = [sum(pair) for pair in zip(self.earned, episode.rewards, strict=True)]
        self.broken_off = False


def seating_of(setup: Game[Any], seat: int, others: Others) -> Lineup:
    """The players of a table, with a random player as a placeholder at `seat`.

    Raises UpcardError for an unknown seat or player, a wrong number of players, and a level that the game lacks.
    """
    seats = setup.players
    own = whole_number(seat)
    if own is None or not 0 <= own < seats:
        raise UpcardError(f"there is no seat {brief(seat)}: the seats are 0 to {seats - 1}")
    players = as_items(others)
    each = [others] * (seats - 1) if players is None else players
    if len(each) != seats - 1:
        raise UpcardError(f"others names {len(each)} players for {counted(seats - 1, 'other seat')}")
    lineup = Lineup.of([*each[:own], "random", *each[own:]], seats)
    lineup.check(setup.game)
    return lineup
