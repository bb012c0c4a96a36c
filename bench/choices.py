"""What an expert's choices gain over its policy's, for several degrees of doubt or shares of inference.

    python bench/choices.py GAME [--deals 100] [--seed 1] [--rollouts 1000] [--doubt 0 0.5 1 1.5]
    python bench/choices.py GAME --infers 0 0.5 --true      [--option contracts=51]

The decisions are four of each first deal of casual players. Every chosen move is judged in 1,500 worlds in which it was
not chosen, so that a choice that was lucky gains nothing by it. With `--true` these worlds have the cards as they lie,
but for the order of face-down piles: the judge knows what the chooser must guess. A row for each degree of doubt
(`search.DOUBT`), or share of the worlds drawn by inference (`INFERS`): how much better its moves are than the policy's,
and than those of the first row, in the game's `utility`, ± 95 %. This tells with some hundred decisions what takes
thousands of deals to show in play, but not where rollouts misjudge.
"""

import argparse
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from thinking import OPTIONS

from upcard import Match, games
from upcard.compiled import loops
from upcard.compiled.worlds import Dealer
from upcard.engine.views import View
from upcard.players import Rollouts, player, search
from upcard.rules.cards import NO_CARD

EACH = 4
"""Decisions of a deal."""
WORLDS = 1500


def decisions(slug: str, seed: int, options: dict[str, Any]) -> list[tuple[View[Any], Any]]:
    """The views of casual players at some decisions of the first deal of a match, with the cards as they lie."""
    rng, casual = Random(seed), player("casual")
    match: Match[Any] = Match(slug, chance=rng, options=options)
    found = []
    while match.state.deals <= 1 and not match.done:
        view = match.view(match.to_act[0])
        if len(view.legal_moves()) > 1:
            found.append((view, match.state.copy()))
        match.play(match.to_act[0], casual.choose(view, rng))
    return rng.sample(found, min(EACH, len(found)))


def as_they_lie(dealer: Dealer, state: Any, rng: Random, number: int = WORLDS) -> NDArray[Any]:
    """Worlds with the true cards, but for the order of face-down piles."""
    tables = dealer.program.states(number)
    for at in range(number):
        one = state.copy()
        for name in dealer.worlds.view.piles:
            pile = getattr(one, name)
            if isinstance(pile, list):
                cards = [card for card in pile if card != NO_CARD]
                rng.shuffle(cards)
                pile[: len(cards)] = cards
        dealer.program.put(tables, at, one)
    return tables


def gains(view: View[Any], state: Any, said: argparse.Namespace, seed: int) -> NDArray[np.float64]:
    """How much better the chosen moves are than the policy's move."""
    kind = search.best_rollouts(view.game)
    favourite = search.favourite_of(view, view.legal_moves(), kind, Random(seed))
    chosen = []
    for setting in said.infers or said.doubt:
        if said.infers:
            view.game.INFERS = setting
        else:
            search.DOUBT = setting
        chosen.append(search.Search(Rollouts(said.rollouts), expert=True).move(replace(view), Random(seed)))
    tried = sorted({favourite, *chosen})
    seeds = np.random.default_rng(seed).integers(1 << 63, size=WORLDS, dtype=np.uint64)
    policies = loops.rollout_policies(view.state.players, kind)
    if said.true:
        dealer = Dealer(view)
        utilities, _ = dealer.try_moves(policies, tried, seeds, as_they_lie(dealer, state, Random(seed)))
    else:
        utilities, _ = search.worlds_of(view, Random(seed + 1), 4096).try_moves(policies, tried, seeds)
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
    parser.add_argument("--infers", type=float, nargs="+", default=[])
    parser.add_argument("--true", action="store_true")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    said = parser.parse_args()
    options = OPTIONS.get(said.game, {}) | dict(one.split("=", 1) for one in said.option)
    found = [
        gains(view, state, said, seed)
        for seed in range(said.seed, said.seed + said.deals)
        for view, state in decisions(said.game, seed, options)
    ]
    what = "infers" if said.infers else "doubt"
    for setting, one in zip(said.infers or said.doubt, np.transpose(found), strict=True):
        print(
            f"{said.game}, {len(found)} decisions, {what} {setting:g}: {mean(one)}; {mean(one - np.array(found)[:, 0])}"
        )


if __name__ == "__main__":
    main()
