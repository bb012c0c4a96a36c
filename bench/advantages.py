"""What a searching player gains over the policy of its rollouts in its own deals, told from the moves that differ.

    python bench/advantages.py GAME [PLAYER] [--players 4] [--deals 1000] [--seed 1] [--option NAME=VALUE …]

One seat searches (PLAYER, by default search:100), the others play by the policy, in the first deal of a match; the seat
and the option, if it is given several values, take turns. A move other than the policy's is judged with the cards as
they lie, but for the order of face-down piles: how much better it is than the policy's, if everybody then goes on by
the policy. The sum over a deal has the mean of what the player gains by searching in all of it (the performance
difference lemma of Kakade and Langford, 2002), and spreads far less than the results of deals do, since everything that
both players have in common is left out. Printed in the game's `utility` ± 95 %; then how often one kind of move was
replaced by another, and what such a move gained.
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
from thinking import OPTIONS

from upcard import Match, games
from upcard.compiled import loops
from upcard.compiled.worlds import Dealer
from upcard.engine.views import View
from upcard.players import player, search
from upcard.rules import cards

WORLDS = 300
"""In so many orders of the face-down piles a move is judged."""


@dataclass
class Gains:
    """What one seat's moves gained over the policy's in a deal."""

    table: str
    decisions: int = 0
    by_kind: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    @property
    def total(self) -> float:
        return sum(map(sum, self.by_kind.values()))


def advantage(view: View[Any], state: Any, moves: list[int], kind: int, rng: Random) -> float:
    """How much better the second move is than the first, with the cards as they lie."""
    seeds = np.random.default_rng(rng.getrandbits(63)).integers(1 << 63, size=WORLDS, dtype=np.uint64)
    dealer = Dealer(view)
    policies = loops.rollout_policies(view.state.players, kind)
    utilities, _ = dealer.try_moves(policies, moves, seeds, as_they_lie(dealer, state, rng, WORLDS))
    return float((utilities[1] - utilities[0]).mean())


def play(slug: str, who: str, players: int | None, seed: int, tables: list[dict[str, Any]]) -> Gains:
    """A deal at one of these tables, in turn."""
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
    """Every combination of the values given; what is usual unless something else is."""
    values: dict[str, list[Any]] = defaultdict(list)
    for name, value in (one.split("=", 1) for one in options):
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
    said = parser.parse_args()
    tables = tables_of(said.option, OPTIONS.get(said.game, {}))
    with ProcessPoolExecutor(said.jobs) as workers:
        todo = range(said.seed, said.seed + said.deals)
        each = (workers.submit(play, said.game, said.player, said.players, seed, tables) for seed in todo)
        found = [one.result() for one in list(each)]
    print(f"{said.player}, {len(found)} deals: {mean(np.array([one.total for one in found]))}")
    for table in dict.fromkeys(one.table for one in found):
        if len(tables) > 1:
            print(f"  {table}: {mean(np.array([one.total for one in found if one.table == table]))}")
    kinds = sorted({kind for one in found for kind in one.by_kind})
    for kind in kinds:
        gained = [gain for one in found for gain in one.by_kind.get(kind, [])]
        print(f"  {kind}: {len(gained)} of {sum(one.decisions for one in found)} moves, each {mean(np.array(gained))}")


if __name__ == "__main__":
    main()
