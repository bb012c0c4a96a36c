"""Our players against the bots of the package `schnapsen` (PyPI), by its rules and on duplicate deals.

python bench/schnapsen_bots.py OURS THEIRS [--deals 100] [--seed 1]

OURS is a player (casual, strong, search:100, …), or `equal-time` or `equal-simulations`: a search with the time, or the
number of rollouts, that their bot uses per move. THEIRS is rand, bully, rdeep:SAMPLES:DEPTH, or rdeep+:SAMPLES:DEPTH,
which solves the second phase by alpha-beta. Needs `pip install schnapsen`, which is not one of Upcard's extras.

Each pack is played twice, with either player leading to the first trick once. The package's engine is the referee; one
of our matches runs alongside, and at the end both must agree.
"""

import argparse
import time
from random import Random
from typing import Any

import numpy as np
from schnapsen.bots import AlphaBetaBot, BullyBot, RandBot, RdeepBot
from schnapsen.deck import Card, Rank, Suit
from schnapsen.game import (
    Bot,
    BotState,
    GamePhase,
    GameState,
    Hand,
    Marriage,
    Move,
    PlayerPerspective,
    RegularMove,
    SchnapsenGamePlayEngine,
    Talon,
    TrumpExchange,
)

from upcard import Match
from upcard.games.schnapsen import Schnapsen, SchnapsenState
from upcard.lab import intervals
from upcard.players import Player, Rollouts, Seconds, player
from upcard.players.search import Search
from upcard.rules import Suit as SuitNumber
from upcard.rules import override
from upcard.rules.cards import text


class SchnapsenPackage(Schnapsen):
    """Schnapsen by the package's rules: nobody closes or declares."""

    title = "Schnapsen of the package"

    @override
    def meld(self, s: SchnapsenState, me: int, suit: SuitNumber) -> None:
        """A marriage counts when its player next wins a trick, even if the player has won one before."""
        s.melded = suit
        s.shown[me] |= self.marriage_of(suit)
        s.pending[me] += self.worth_of_marriage(s, suit)


OPTIONS = {"claims": "automatic", "closing": "never"}
RANKS = {"A": Rank.ACE, "T": Rank.TEN, "K": Rank.KING, "Q": Rank.QUEEN, "J": Rank.JACK}
SUITS = {"c": Suit.CLUBS, "d": Suit.DIAMONDS, "h": Suit.HEARTS, "s": Suit.SPADES}


def theirs(card: str) -> Card:
    return Card.get_card(RANKS[card[0]], SUITS[card[1]])


def ours(card: Card) -> str:
    ranks, suits = {rank: name for name, rank in RANKS.items()}, {suit: name for name, suit in SUITS.items()}
    return ranks[card.rank] + suits[card.suit]


class BestBot(Bot):
    """Their sampling bot, which switches to their alpha-beta once all cards are known."""

    def __init__(self, first: Bot) -> None:
        super().__init__("rdeep+")
        self.first, self.second = first, AlphaBetaBot()

    def get_move(self, perspective: PlayerPerspective, leader_move: Move | None) -> Move:
        bot = self.second if perspective.get_phase() is GamePhase.TWO else self.first
        return bot.get_move(perspective, leader_move)


class Theirs(Bot):
    """One of their bots, whose moves are also made in our match."""

    def __init__(self, bot: Bot, match: Match[Any], seat: int, clock: "Clock") -> None:
        super().__init__("theirs")
        self.bot, self.match, self.seat, self.clock = bot, match, seat, clock

    def get_move(self, perspective: PlayerPerspective, leader_move: Move | None) -> Move:
        started = time.perf_counter()
        move = self.bot.get_move(perspective, leader_move)
        self.clock.count(time.perf_counter() - started, len(perspective.valid_moves()))
        if isinstance(move, TrumpExchange):
            self.match.play(self.seat, "exchange")
        elif isinstance(move, Marriage):
            self.match.play(self.seat, f"meld {ours(move.king_card)} {ours(move.queen_card)}")
            self.match.play(self.seat, ours(move.underlying_regular_move().card))
        else:
            self.match.play(self.seat, ours(move.as_regular_move().card))
        return move


class Ours(Bot):
    """One of our players, which sees only what its seat of our match sees."""

    def __init__(self, player: Player, match: Match[Any], seat: int, rng: Random) -> None:
        super().__init__("ours")
        self.player, self.match, self.seat, self.rng = player, match, seat, rng

    def get_move(self, perspective: PlayerPerspective, leader_move: Move | None) -> Move:
        chosen = self.player.choose(self.match.view(self.seat), self.rng)
        self.match.play(self.seat, chosen)
        word, *named = chosen.split()
        if word == "exchange":
            return TrumpExchange(next(card for card in perspective.get_hand() if ours(card) == self.jack()))
        if word == "meld":
            move = Marriage(queen_card=theirs(named[1]), king_card=theirs(named[0]))
            self.match.play(self.seat, ours(move.underlying_regular_move().card))  # the package leaves no choice
            return move
        return RegularMove(theirs(chosen))

    def jack(self) -> str:
        return "J" + "cdhs"[self.match.state.trump]


class Clock:
    """The time that their bot uses per decision."""

    def __init__(self) -> None:
        self.seconds = self.moves = self.choices = 0.0

    def count(self, seconds: float, moves: int) -> None:
        self.seconds, self.moves, self.choices = self.seconds + seconds, self.moves + moves, self.choices + 1


def bot_of(name: str, rng: Random) -> tuple[Bot, int]:
    """One of their bots, and its number of samples per move."""
    kind, *numbers = name.split(":")
    if kind in ("rdeep", "rdeep+"):
        samples, depth = map(int, numbers)
        deep = RdeepBot(samples, depth, rng)
        return (deep if kind == "rdeep" else BestBot(deep)), samples
    return {"rand": RandBot, "bully": BullyBot}[kind](rng), 0


def equal(name: str, clock: Clock, samples: int) -> Player:
    """Our player; for `equal-…`, a search with what their bot has used per decision so far."""
    choices = max(1.0, clock.choices)
    if name == "equal-time":
        return Search(Seconds(max(0.001, clock.seconds / choices)), expert=True)
    if name == "equal-simulations":
        return Search(Rollouts(max(samples, round(samples * clock.moves / choices))), expert=True)
    return player(name)


def one_deal(name: str, rival: str, rng: Random, leads: bool, clock: Clock) -> int:
    """Our game points in a deal minus theirs. `leads` says whether our player leads to the first trick."""
    match: Match[Any] = Match(SchnapsenPackage, dealer=0, options=OPTIONS)
    match.event(match.draw_lots(rng))
    me = 1 if leads else 0
    bot, samples = bot_of(rival, rng)
    mine: Bot = Ours(equal(name, clock, samples), match, me, rng)
    other: Bot = Theirs(bot, match, 1 - me, clock)
    hands = [Hand([theirs(text(card)) for card in match.game.hand.cards(match.state, seat)]) for seat in range(2)]
    stock = [match.state.stock[at] for at in reversed(range(match.state.left))]
    talon = Talon([theirs(text(card)) for card in [*stock, match.state.upcard]])
    leader, follower = (mine, other) if leads else (other, mine)
    state = GameState(
        leader=BotState(implementation=leader, hand=hands[1]),
        follower=BotState(implementation=follower, hand=hands[0]),
        talon=talon,
        previous=None,
    )
    winner, points, _ = SchnapsenGamePlayEngine().play_game_from_state(state, None)
    gained = points if winner is mine else -points
    assert match.state.deals == 1 and match.awaiting and match.scores[me] - match.scores[1 - me] == gained, match
    return gained


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ours")
    parser.add_argument("theirs")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    clock, rows = Clock(), []
    started = time.perf_counter()
    for number in range(args.deals):
        rows.append(
            [one_deal(args.ours, args.theirs, Random(f"{args.seed} {number}"), lead, clock) for lead in (True, False)]
        )
    gained = np.array(rows, float)
    won, points = intervals.of_numbers((gained > 0).mean(axis=1)), intervals.of_numbers(gained.mean(axis=1))
    print(
        f"{args.ours} against {args.theirs}: {100 * (gained > 0).mean():.1f} % of {gained.size} deals won "
        f"({100 * won.low:.1f} to {100 * won.high:.1f}), {gained.mean():+.2f} points a deal "
        f"({points.low:+.2f} to {points.high:+.2f}); theirs takes {1000 * clock.seconds / clock.choices:.1f} ms, "
        f"{time.perf_counter() - started:.0f} s in all"
    )


if __name__ == "__main__":
    main()
