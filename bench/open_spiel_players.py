"""Our players against OpenSpiel's information-set tree search (ISMCTS) at Sixty-Six or Schnapsen, on duplicate packs.

python bench/open_spiel_players.py GAME OURS SIMULATIONS [--deals 20] [--seed 1]

OURS is a player (casual, strong, …), or `equal-time` or `equal-simulations`: a search with the time, or the number of
rollouts, that ISMCTS uses per decision. Matches are to one victory point, so usually a single deal, and each pack is
played twice, with either player leading once. ISMCTS is OpenSpiel's Python implementation with random rollouts through
`upcard.envs.spiel`; it samples the worlds of `upcard.engine.worlds`, and its nodes are what a seat sees. Needs the
extra `open-spiel`.
"""

import argparse
import time
from random import Random
from typing import Any

import numpy as np
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from upcard import games
from upcard.engine.setup import Setup
from upcard.engine.views import view_row
from upcard.envs.spiel import SpielState, load
from upcard.lab import intervals
from upcard.players import Player, Rollouts, Seconds, player
from upcard.players.search import Search
from upcard.rules.game import Game

UCT = 1.0
"""The exploration constant; results are from -1 to 1."""


class OverViews(ISMCTSBot):
    """ISMCTS whose nodes are distinguished by everything that a seat sees."""

    def get_state_key(self, state: SpielState) -> tuple[int, ...]:
        return tuple(view_row(state.course.match.view(state.current_player())))


class Tree:
    """ISMCTS, with the time and simulations that it uses."""

    def __init__(self, setup: Game[Any], simulations: int) -> None:
        self.game, self.simulations = load(setup), simulations
        self.seconds, self.choices = 0.0, 0

    def choose(self, state: SpielState, seed: int) -> int:
        started = time.perf_counter()
        luck = np.random.RandomState(seed)
        bot = OverViews(self.game, RandomRolloutEvaluator(1, luck), UCT, self.simulations, random_state=luck)
        bot.set_resampler(lambda now, seat: now.resample_from_infostate(seat, luck.random_sample))
        action = bot.step(state)
        self.seconds, self.choices = self.seconds + time.perf_counter() - started, self.choices + 1
        return int(action)


def ours(name: str, tree: Tree) -> Player:
    if name == "equal-simulations":
        return Search(Rollouts(tree.simulations), expert=True)
    if name == "equal-time":
        return Search(Seconds(tree.seconds / max(1, tree.choices) or 0.05), expert=True)
    return player(name)


def won(name: str, tree: Tree, rng: Random, me: int) -> float:
    """1 if our player, in this seat, wins a match; 0 if not."""
    state = tree.game.new_initial_state()
    while not state.is_terminal():
        match = state.course.match
        if state.is_chance_node():
            cards, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(cards, shares)[0])
        elif len(legal := state.legal_actions()) == 1:
            state.apply_action(legal[0])
        elif state.current_player() == me:
            move = ours(name, tree).choose(match.view(me), rng)
            state.apply_action(next(action for action, text in match.actions(me).items() if text == move))
        else:
            state.apply_action(tree.choose(state, rng.randrange(1 << 31)))
    return float(state.returns()[me] > 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=["sixty-six", "schnapsen"])
    parser.add_argument("ours")
    parser.add_argument("simulations", type=int)
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    tree = Tree(Setup(games.load(args.game), 2, {"target": 1}), args.simulations)
    started = time.perf_counter()
    rows = np.array(
        [
            [won(args.ours, tree, Random(f"{args.seed} {number}"), seat) for seat in range(2)]
            for number in range(args.deals)
        ]
    )
    share = intervals.of_numbers(rows.mean(axis=1))
    print(
        f"{args.game}: {args.ours} against ISMCTS with {args.simulations} simulations: {100 * rows.mean():.1f} % of "
        f"{rows.size} deals won ({100 * share.low:.1f} to {100 * share.high:.1f}); ISMCTS takes "
        f"{1000 * tree.seconds / tree.choices:.0f} ms a choice, {time.perf_counter() - started:.0f} s in all"
    )


if __name__ == "__main__":
    main()
