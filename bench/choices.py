"""What an expert's choices gain over its policy's, by the rollouts' own reckoning, for several degrees of doubt.

    python bench/choices.py GAME [--deals 100] [--seed 1] [--rollouts 1000] [--doubt 0 0.5 1 1.5]

The decisions are four of each first deal of casual players. Every chosen move is judged in 1,500 worlds in which it was
not chosen, so that a choice that was lucky gains nothing by it. A row for each degree of doubt (`search.DOUBT`): how
much better its moves are than the policy's, and than those of the first degree, in the game's `utility`, ± 95 %.
This tells with some hundred decisions what takes thousands of deals to show in play, but not where rollouts misjudge.
"""

import argparse
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from thinking import choices

from upcard import games
from upcard.compiled import loops
from upcard.engine.views import View
from upcard.players import Rollouts, search

EACH = 4
"""Decisions of a deal."""
WORLDS = 1500


def gains(view: View[Any], doubts: list[float], rollouts: int, seed: int) -> NDArray[np.float64]:
    """How much better the moves chosen with these degrees of doubt are than the policy's move."""
    kind = search.best_rollouts(view.game)
    favourite = search.favourite_of(view, view.legal_moves(), kind, Random(seed))
    chosen = []
    for search.DOUBT in doubts:
        chosen.append(search.Search(Rollouts(rollouts), expert=True).move(view, Random(seed)))
    tried = sorted({favourite, *chosen})
    seeds = np.random.default_rng(seed).integers(1 << 63, size=WORLDS, dtype=np.uint64)
    worlds = search.worlds_of(view, Random(seed + 1), 4096)
    utilities, _ = worlds.try_moves(loops.rollout_policies(view.state.players, kind), tried, seeds)
    worth = dict(zip(tried, utilities.mean(axis=1), strict=True))
    return np.array([worth[move] - worth[favourite] for move in chosen])


def mean(numbers: NDArray[np.float64]) -> str:
    return f"{numbers.mean():+.3f} ± {1.96 * numbers.std() / len(numbers) ** 0.5:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=games.SLUGS)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rollouts", type=int, default=1000)
    parser.add_argument("--doubt", type=float, nargs="+", default=[search.DOUBT, 0.0, 1.0, 1.5])
    said = parser.parse_args()
    found = []
    for seed in range(said.seed, said.seed + said.deals):
        views = choices(said.game, seed)
        for view in Random(seed).sample(views, min(EACH, len(views))):
            found.append(gains(view, said.doubt, said.rollouts, seed))
    for doubt, one in zip(said.doubt, np.transpose(found), strict=True):
        print(f"{said.game}, {len(found)} decisions, doubt {doubt:g}: {mean(one)}; {mean(one - np.array(found)[:, 0])}")


if __name__ == "__main__":
    main()
