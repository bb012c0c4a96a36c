"""The gain of an expert's choices over its policy's, for several degrees of doubt or shares of inference.

    python bench/choices.py GAME [--deals 100] [--seed 1] [--rollouts 1000] [--doubt 0 0.5 1 1.5]
    python bench/choices.py GAME --infers 0 0.5 --true      [--option contracts=51]

The decisions are four of each first deal of casual players. Every chosen move is judged in 1,500 new worlds, so that
lucky choices gain nothing. With `--true` these worlds have the true cards, except for the order of face-down piles: the
judge knows what the chooser must guess. There is a row for each degree of doubt (`search.DOUBT`) or share of worlds
drawn by inference (`INFERS`): the gain of its moves over the policy's, and over those of the first row, in the game's
`utility`, ± 95 %. A few hundred decisions show what takes thousands of deals in play, but not where rollouts
misjudge.
"""

import argparse
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
from ends import ends_of
from numpy.typing import NDArray
from thinking import OPTIONS

from upcard import Match, games
from upcard.compiled.dealer import Dealer
from upcard.compiled.seat_policies import rollout_records
from upcard.compiled.words import WordArray
from upcard.engine.views import View
from upcard.players import Rollouts, player, search
from upcard.rules.cards import NO_CARD

EACH = 4
"""The number of decisions per deal."""
WORLDS = 1500


def decisions(slug: str, seed: int, options: dict[str, Any]) -> list[tuple[View[Any], Any]]:
    """The views of casual players at some decisions of the first deal of a match, with the true states."""
    rng, casual = Random(seed), player("casual")
    match: Match[Any] = Match(slug, chance=rng, options=options)
    seen = []
    while match.state.deals <= 1 and not match.done:
        view = match.view(match.to_act[0])
        if len(view.legal_moves()) > 1:
            seen.append((view, match.state.copy()))
        match.play(match.to_act[0], casual.choose(view, rng))
    return rng.sample(seen, min(EACH, len(seen)))


def as_they_lie(dealer: Dealer, state: Any, rng: Random, number: int = WORLDS) -> WordArray:
    """Worlds with the true cards, except for the order of face-down piles."""
    tables = dealer.run.states(number)
    for at in range(number):
        world = state.copy()
        for name in dealer.worlds.view.piles:
            pile = getattr(world, name)
            if isinstance(pile, list):
                cards = [card for card in pile if card != NO_CARD]
                rng.shuffle(cards)
                pile[: len(cards)] = cards
        dealer.run.put(tables, at, world)
    return tables


def gains(view: View[Any], state: Any, args: argparse.Namespace, seed: int) -> NDArray[np.float64]:
    """The gains of the chosen moves over the policy's move."""
    kind = search.best_rollouts(view.game)
    favourite = search.favourite_of(view, view.legal_moves(), kind, Random(seed))
    chosen = []
    for setting in args.infers or args.doubt:
        if args.infers:
            view.game.INFERS = setting
        else:
            search.DOUBT = setting
        chosen.append(search.Search(Rollouts(args.rollouts), expert=True).move(replace(view), Random(seed)))
    tried = sorted({favourite, *chosen})
    seeds = np.random.default_rng(seed).integers(1 << 63, size=WORLDS, dtype=np.uint64)
    policies = rollout_records(view.state.players, kind)
    if args.true:
        dealer = Dealer(view)
        utilities, _ = ends_of(dealer, policies, tried, seeds, as_they_lie(dealer, state, Random(seed)))
    else:
        utilities, _ = ends_of(search.worlds_of(view, Random(seed + 1), 4096), policies, tried, seeds)
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
    args = parser.parse_args()
    options = OPTIONS.get(args.game, {}) | dict(option.split("=", 1) for option in args.option)
    rows = [
        gains(view, state, args, seed)
        for seed in range(args.seed, args.seed + args.deals)
        for view, state in decisions(args.game, seed, options)
    ]
    what = "infers" if args.infers else "doubt"
    first = np.array(rows)[:, 0]
    for setting, gained in zip(args.infers or args.doubt, np.transpose(rows), strict=True):
        print(f"{args.game}, {len(rows)} decisions, {what} {setting:g}: {mean(gained)}; {mean(gained - first)}")


if __name__ == "__main__":
    main()
