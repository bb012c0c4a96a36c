"""Tables of a vector environment as matches in plain Python, with the same chance and the same other players."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from upcard.engine.chance import PACKS, PLAY, SplitMix, key_of, stream
from upcard.engine.mistakes import reconsidered
from upcard.engine.views import View
from upcard.envs.episode import Episode
from upcard.policies.learned import learned_of, policy_of
from upcard.rules.rng import LUCK

SHORT: dict[str, dict[str, object]] = {
    "cinch": {"target": 11},
    "klaberjass": {"target": 51},
    "loo": {"rounds": 1},
    "ninety-nine": {"target": 50},
    "oh-hell": {"max_cards": 2},
    "rounds": {"target": 100},
    "roundup": {"target": 5},
    "sixty-six": {"target": 1},
}


class Luck(SplitMix):
    """A player's random numbers, as compiled code draws them."""

    def randrange(self, n: int) -> int:
        return self.below(n)


class Table:
    """One table of a vector environment, with the episodes played as in the other environments."""

    def __init__(self, env: Any, table: int, seed: int, reward: str, seat: int | None, others: Sequence[str]) -> None:
        self.chance = SplitMix(stream(key_of(seed), table, PACKS))
        self.luck = Luck(stream(key_of(seed), table, PLAY))
        self.episode = Episode(env.setup, reward)
        self.seat, self.others = seat, others
        self.rewards = np.zeros(env.setup.players, np.float32)
        self.begin()

    def begin(self) -> None:
        """Start the next match that is reported."""
        self.episode.begin(self.chance)
        self.go_on(told=False)
        self.episode.earn_later()

    def step(self, action: int) -> bool:
        """Whether a match has ended."""
        self.rewards[:] = 0
        who = self.acting()
        if self.episode.mask(who)[action]:
            self.episode.play(who, action)
            self.rewards += np.array(self.episode.rewards, np.float32)
            return self.go_on(told=True)
        self.rewards[who] = -1
        self.begin()
        return True

    def go_on(self, told: bool) -> bool:
        """Start new matches if necessary, and make the moves of the others."""
        while self.episode.done or (self.seat is not None and self.seat not in self.episode.match.to_act):
            if self.episode.done:
                self.begin()
                return True
            other = self.episode.match.to_act[0]
            seen = self.episode.match.view(other)
            moves = seen.legal_moves()
            move = moves[0] if len(moves) == 1 else self.decide(seen, moves)
            self.episode.say(other, seen.game.notation.text(move))
            if told:
                self.rewards += np.array(self.episode.rewards, np.float32)
        return False

    def decide(self, seen: View, moves: list[int]) -> int:
        """The move that compiled code chooses for a seat, with a single random number."""
        luck = self.luck.randrange(LUCK)
        assert seen.game.defines("choose") and seen.seat is not None
        favourite = seen.setup.choose(seen.state, seen.seat, moves, len(moves), luck)
        if self.others[seen.seat - (seen.seat > (self.seat or 0))] == "casual":
            return reconsidered(seen.setup, seen.state, seen.seat, moves, favourite, 0)
        found, policy = learned_of(seen.game), policy_of(seen.game)
        assert found is not None
        room = [0] * policy.room
        move = policy.learned(
            seen.setup, seen.state, seen.seat, moves, len(moves), luck, favourite, found.weights, 0, room
        )
        return reconsidered(seen.setup, seen.state, seen.seat, moves, move, 1)

    def acting(self) -> int:
        return self.episode.match.to_act[0] if self.seat is None else self.seat
