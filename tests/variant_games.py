"""Variants for tests, and the scores of some matches of theirs."""

from pathlib import Path

from edited_games import edited

import upcard
from upcard import Match, Setup, games, shuffler
from upcard.games.oh_hell import OhHell
from upcard.games.oh_hell.rules import OhHellState
from upcard.lab.simulate import simulate
from upcard.lab.tally import Summary
from upcard.rules import override
from upcard.rules.game import Game

SOURCE = Path(upcard.__file__).parents[1]
HERE = Path(__file__).parent
TEN = HERE / "ten_variants.py"
VARIANTS = games.load_file(TEN)


def scores(game: type[Game], seed: int = 3) -> list[int]:
    """The scores after the first deal of a match in which always the last legal move is made."""
    match = Match(game, chance=shuffler(seed))
    while not match.done and match.state.deals == 1:
        seat = match.to_act[0]
        match.play(seat, match.legal(seat)[-1])
    return match.scores


class Once(OhHell):
    """Whoever makes the bid is paid by a rule of the variant's own, which another variant replaces."""

    title = "Once"

    def paid(self, s: OhHellState, seat: int) -> int:
        return 2 * self.points_for(s.size, s.bids[seat], s.tricks[seat])

    @override
    def end_deal(self, s: OhHellState) -> None:
        before = self.paid(s, 0)
        super().end_deal(s)
        s.scores[0] += before


class Again(Once):
    title = "Again"

    @override
    def points_for(self, size: int, tricks_bid: int, tricks: int) -> int:
        return 5 * super().points_for(size, tricks_bid, tricks)

    @override
    def paid(self, s: OhHellState, seat: int) -> int:
        return super().paid(s, seat) + 1


PLAIN = """
from upcard.games.oh_hell import OhHell
from upcard.games.oh_hell.rules import OhHellState
from upcard.rules import *

EXTRA = 3


class Plain(OhHell):
    title = "Plain"
    bonus: int = number(EXTRA, clause="OH-24", help="a bonus")
    level: int = choice("low", "high", clause="OH-24", help="a level")

    @override
    def points_for(self, size: int, tricks_bid: int, tricks: int) -> int:
        \"\"\"A docstring.\"\"\"
        return super().points_for(size, tricks_bid, tricks) + self.bonus

    def is_fond(self, s: OhHellState) -> bool:
        return s.dealer == 0

    @override
    def choose_card(self, s: OhHellState, me: int, moves: Buffer, n: int) -> int:
        return moves[0]
"""


def played(game: type[Game], matches: int = 60) -> Summary:
    """Compiled matches at random."""
    return simulate(Setup(game, min(game.player_counts)), matches, 1, by=["random"] * min(game.player_counts))


def small(folder: Path, points: int | str = 1) -> type[Game]:
    """The small game, in a file in this folder, with this many points for a trick."""
    return edited(folder, "+= self.worth", f"+= {points} * self.worth")
