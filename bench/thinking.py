"""The speed of searching players: simulations per second on one core, and milliseconds per move.

    python bench/thinking.py [GAME …] [--deals 40]    rows of the tables "Players that search" in bench/results.md
    python bench/thinking.py --ismcts                 comparison with OpenSpiel's ISMCTS (C++; extra `open-spiel`)

A simulation samples a new world and plays out the deal in it after one move. It times decisions of casual players, a
random one from each first deal of a match: simulations as in the search, moves as at a table.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard import Match, games
from upcard.compiled.dealer import Dealer
from upcard.compiled.seat_policies import HEURISTIC, LEARNED, RANDOM, policy_records
from upcard.compiled.words import WordArray
from upcard.engine.views import View
from upcard.players import player
from upcard.policies.learned import learned_of

OPTIONS: dict[str, dict[str, Any]] = {"oh-hell": {"order": "down"}}
"""Options for games in which the first deal of a match is unusual."""
SIMULATIONS = 4000
OPEN_SPIEL = {
    "oh-hell": "oh_hell(players=5,num_tricks_fixed=10)",
    "klaberjass": "euchre",
    "loo": "euchre",
    "kalooki": "gin_rummy",
}
"""For some games, the most similar game of OpenSpiel that its ISMCTS can play."""
ROUNDS = 5


def choices(slug: str, seed: int) -> list[View[Any]]:
    """The views of casual players at all decisions with a choice in the first deal of a match."""
    match: Match[Any] = Match(slug, chance=Random(seed), options=OPTIONS.get(slug, {}))
    rng, casual = Random(seed), player("casual")
    views = []
    while match.state.deals <= 1 and not match.done:
        view = match.view(match.to_act[0])
        if len(view.legal_moves()) > 1:
            views.append(view)
        match.play(match.to_act[0], casual.choose(view, rng))
    return views


def simulate(view: View[Any], policies: WordArray, number: int = SIMULATIONS) -> float:
    """The time for this many simulations, in seconds."""
    dealer = Dealer(view)
    seeds = np.random.default_rng(1).integers(1 << 63, size=number, dtype=np.uint64)
    started = time.perf_counter()
    dealer.try_moves(policies, view.legal_moves()[:1], seeds.tolist())
    return time.perf_counter() - started


def simulations(views: list[View[Any]], kind: int) -> float:
    """The simulations per second over all of these decisions."""
    policies = policy_records([kind] * views[0].state.players)
    simulate(views[0], policies)  # compiles
    return len(views) * SIMULATIONS / sum(simulate(view, policies) for view in views)


def milliseconds(views: list[View[Any]], level: str) -> NDArray[np.float64]:
    """The time for each of these moves."""
    return np.array([1000 * seconds(partial(player(level).choose, view, Random(1))) for view in views])


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def row(slug: str, deals: int) -> str:
    views = [Random(seed).choice(seen) for seed in range(deals) if (seen := choices(slug, seed))]
    rates = [simulations(views, HEURISTIC)]
    if learned_of(games.load(slug)) is not None:
        rates.append(simulations(views, LEARNED))
    cells = [f"{rate / 1000:.0f} k" for rate in rates] + [""] * (2 - len(rates))
    for level in ("search", "expert"):
        milliseconds(views, f"{level}:1")  # compiles
        taken = milliseconds(views, level)
        cells += [f"{np.median(taken):.0f}", f"{np.quantile(taken, 0.95):.0f}"]
    return f"| {games.load(slug).title} | {' | '.join(cells)} |"


def tree_rate(name: str) -> float:
    """The simulations per second of OpenSpiel's ISMCTS at the first decision of a deal."""
    import pyspiel

    rng, game = Random(1), pyspiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node() or len(state.legal_actions()) < 2:
        state.apply_action(rng.choice(state.legal_actions()))
    number = 20 if name == "gin_rummy" else SIMULATIONS // 2
    bot = pyspiel.ISMCTSBot(7, pyspiel.RandomRolloutEvaluator(1, 3), 2.0, number)
    return number / seconds(lambda: bot.step(state))


def beside_trees() -> None:
    """Print a row for each game: simulations by the heuristic, at random, and by ISMCTS, in turn in one process."""
    for slug, name in OPEN_SPIEL.items():
        view = choices(slug, 1)[0]
        rounds = [(simulations([view], HEURISTIC), simulations([view], RANDOM), tree_rate(name)) for _ in range(ROUNDS)]
        casual, random, tree = (statistics.median(rates) for rates in zip(*rounds, strict=True))
        print(
            f"| {games.load(slug).title} | {casual / 1000:.0f} k | {random / 1000:.0f} k "
            f"| {name} | {tree / 1000:.1f} k | {casual / tree:.1f} | {random / tree:.1f} |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", choices=[[], *games.SLUGS], help="all games if none is named")
    parser.add_argument("--deals", type=int, default=40)
    parser.add_argument("--ismcts", action="store_true")
    args = parser.parse_args()
    if args.ismcts:
        beside_trees()
        return
    for slug in args.game or games.SLUGS:
        print(row(slug, args.deals), flush=True)


if __name__ == "__main__":
    main()
