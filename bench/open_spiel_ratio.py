"""Random rollouts of our games and of OpenSpiel's most similar ones (C++), interleaved in one process on one core.

    python bench/open_spiel_ratio.py            needs the extra `open-spiel`

OpenSpiel's side is its own C++ loop, MCTSBot with RandomRolloutEvaluator; ours is `upcard.compiled.loops.rollouts`.
Both start from a dealt hand, and count player decisions per second. The ratio varies less than either figure.
"""

import random
import statistics
import time

import pyspiel

from upcard import games
from upcard.lab.bench import Bench, rate

OH_HELL = "oh_hell(players=5,num_tricks_fixed=10)"
OPEN_SPIEL = {OH_HELL: 2000, "spades": 2000, "crazy_eights": 1000, "gin_rummy": 100}
"""OpenSpiel's games, each with the number of rollouts timed."""
NEAREST = {"kalooki": "gin_rummy", "roundup": "crazy_eights", "cinch": "spades"}
"""The most similar game for some of ours; for the other trick games it is Oh Hell with ten cards."""
ROUNDS = 5


def dealt(game: "pyspiel.Game") -> "pyspiel.State":
    """The first state in which a player has a decision to make."""
    rng, state = random.Random(1), game.new_initial_state()
    while state.is_chance_node() or len(state.legal_actions()) < 4:
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def moves_to_the_end(state: "pyspiel.State", samples: int = 100) -> float:
    """The average number of player decisions in a random playout."""
    rng, total = random.Random(2), 0
    for _ in range(samples):
        playout = state.clone()
        while not playout.is_terminal():
            total += not playout.is_chance_node()
            playout.apply_action(rng.choice(playout.legal_actions()))
    return total / samples


def open_spiel_rate(name: str, rollouts: int) -> float:
    """The moves per second of one MCTS step that consists of rollouts only."""
    game = pyspiel.load_game(name)
    state = dealt(game)
    moves = moves_to_the_end(state)
    evaluator = pyspiel.RandomRolloutEvaluator(50, 3)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, rollouts // 50, 1000, False, 7, False)
    start = time.perf_counter()
    bot.step(state)
    return rollouts * moves / (time.perf_counter() - start)


def main() -> None:
    benches = {slug: Bench(games.load(slug)) for slug in games.SLUGS}
    ours: dict[str, list[float]] = {slug: [] for slug in benches}
    theirs: dict[str, list[float]] = {name: [] for name in OPEN_SPIEL}
    for _ in range(ROUNDS):
        for name, rollouts in OPEN_SPIEL.items():
            theirs[name].append(open_spiel_rate(name, rollouts))
        for slug, bench in benches.items():
            ours[slug].append(rate(bench.play_rollouts))
    for slug in benches:
        name = NEAREST.get(slug, OH_HELL)
        mine, other = statistics.median(ours[slug]), statistics.median(theirs[name])
        print(f"{slug:14} {mine / 1e6:8.2f} M moves/s   {name:40} {other / 1e6:7.3f} M   {mine / other:6.1f} times")


if __name__ == "__main__":
    main()
