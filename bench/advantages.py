"""The gain of a searching player over the policy of its rollouts, computed from the moves in which they differ.

    python bench/advantages.py GAME [PLAYER] [--players 4] [--deals 1000] [--seed 1] [--option NAME=VALUE …]

One seat searches (PLAYER, by default search:100), the others play by the policy, in the first deal of a match; the
seats take turns, and so do the values of an option. A move other than the policy's is judged with the true cards,
except for the order of face-down piles: how much better it is than the policy's if everybody then follows the policy.
The mean of the sum over a deal is the gain of searching throughout (the performance difference lemma of Kakade and
Langford, 2002), with far less variance than the results of deals, since everything that both players have in common is
left out. The output is in the game's `utility` ± 95 %, followed by how often one kind of move replaced another, and the
gain of such a move.
"""

import argparse
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import product
from os import cpu_count
from random import Random
from typing import Any

import numpy as np
from choices import as_they_lie, mean
from ends import ends_of
from thinking import OPTIONS

from upcard import Match, games
from upcard.compiled.dealer import Dealer
from upcard.compiled.seat_policies import rollout_records
from upcard.engine.views import View
from upcard.players import player, search
from upcard.rules import cards

WORLDS = 300
"""The number of orders of the face-down piles in which a move is judged."""


@dataclass
class Gains:
    """The gains of one seat's moves over the policy's in a deal."""

    table: str
    decisions: int = 0
    by_kind: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    @property
    def total(self) -> float:
        return sum(map(sum, self.by_kind.values()))


def advantage(view: View[Any], state: Any, moves: list[int], kind: int, rng: Random) -> float:
    """The gain of the second move over the first, with the true cards."""
    seeds = np.random.default_rng(rng.getrandbits(63)).integers(1 << 63, size=WORLDS, dtype=np.uint64)
    dealer = Dealer(view)
    policies = rollout_records(view.state.players, kind)
    utilities, _ = ends_of(dealer, policies, moves, seeds, as_they_lie(dealer, state, rng, WORLDS))
    return float((utilities[1] - utilities[0]).mean())


def play(slug: str, who: str, players: int | None, seed: int, tables: list[dict[str, Any]]) -> Gains:
    """Play a deal at one of these tables, in turn."""
    options, rng, searching = tables[seed % len(tables)], Random(seed), player(who)
    match: Match[Any] = Match(slug, players=players, chance=rng, options=options)
    mine = seed // len(tables) % match.state.players
    kind = search.best_rollouts(match.game)
    gains = Gains(" ".join(f"{name}={value}" for name, value in options.items()))
    while match.state.deals <= 1 and not match.done:
        seat = match.to_act[0]
        view = match.view(seat)
        moves = {match.game.notation.text(move): move for move in view.legal_moves()}
        usual = match.game.notation.text(search.favourite_of(view, [*moves.values()], kind, rng))
        move = usual
        if seat == mine and len(moves) > 1:
            gains.decisions += 1
            move = searching.choose(view, rng)
            if move != usual:
                gained = advantage(view, match.state.copy(), [moves[usual], moves[move]], kind, rng)
                gains.by_kind[f"{kind_of(match, usual)} > {kind_of(match, move)}"].append(gained)
        match.play(seat, move)
    return gains


def kind_of(match: Match[Any], move: str) -> str:
    """The verb of a move."""
    first = move.split()[0]
    return "card" if cards.read(first) is not None else first


def tables_of(options: list[str], usual: dict[str, Any]) -> list[dict[str, Any]]:
    """Every combination of the given values; the usual options are the defaults."""
    values: dict[str, list[Any]] = defaultdict(list)
    for name, value in (option.split("=", 1) for option in options):
        values[name].append(value)
    values = {name: [value] for name, value in usual.items()} | values
    return [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=games.SLUGS)
    parser.add_argument("player", nargs="?", default="search:100")
    parser.add_argument("--players", type=int)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=cpu_count())
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    args = parser.parse_args()
    tables = tables_of(args.option, OPTIONS.get(args.game, {}))
    with ProcessPoolExecutor(args.jobs) as workers:
        todo = range(args.seed, args.seed + args.deals)
        each = (workers.submit(play, args.game, args.player, args.players, seed, tables) for seed in todo)
        deals = [future.result() for future in list(each)]
    print(f"{args.player}, {len(deals)} deals: {mean(np.array([deal.total for deal in deals]))}")
    for table in dict.fromkeys(deal.table for deal in deals):
        if len(tables) > 1:
            print(f"  {table}: {mean(np.array([deal.total for deal in deals if deal.table == table]))}")
    kinds = sorted({kind for deal in deals for kind in deal.by_kind})
    for kind in kinds:
        gained = [gain for deal in deals for gain in deal.by_kind.get(kind, [])]
        print(
            f"  {kind}: {len(gained)} of {sum(deal.decisions for deal in deals)} moves, each {mean(np.array(gained))}"
        )


if __name__ == "__main__":
    main()
