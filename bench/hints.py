"""How good hints are: positions of casual play, the hint at each, and a judge with other worlds and other players.

python bench/hints.py GAME [GAME …] [--number 200] [--seed 1] [--rollouts 2000] [--seconds 600]

The judge plays on with players who try all their moves in rollouts before each one (`upcard.compiled.lookahead`). It
compares the hint with the moves that the hint ranks next. Where all cards are known, the judge is the solver.

Printed for each game: in how many positions the hint is best, as far as the judge can tell (it is not best if another
move is better by two standard errors); what the others miss on average, in points; and how many moves called worse, for
every word of certainty, are better than the best according to the judge.
"""

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
from mine import decisions

from upcard import Match, games
from upcard.compiled.dealer import Dealer
from upcard.compiled.seat_policies import rollout_records
from upcard.engine.views import View
from upcard.players import Rollouts, player, search_open_moves
from upcard.players.advice import advise, point_of
from upcard.players.search import best_rollouts
from upcard.players.warmup import prepare_hints
from upcard.table.advising import sureness

JUDGED = 5
"""The most moves that are judged in a position."""
OFTEN = 0.15
"""The share of the decisions that are positions."""
CLEARLY = 2.0
"""The number of standard errors from which the judge calls a move better."""


def positions(slug: str, rng: Random) -> Iterator[View[Any]]:
    """Decisions of casual play, from one deal after another."""
    casual = player("heuristic")
    while True:
        match: Match[Any] = Match(slug, chance=rng)
        for _ in range(rng.randrange(2_000)):
            if match.done:
                break
            seat = rng.choice(match.to_act)
            seen = match.view(seat)
            if len(seen.legal_moves()) > 1 and rng.random() < OFTEN:
                yield seen
            match.play(seat, casual.choose(seen, rng))


def judged(seen: View[Any], moves: list[int], seed: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """By move, how much worse than the first it is on average, and the standard error; in units of utility."""
    policies = rollout_records(seen.state.players, best_rollouts(seen.game))
    utilities, _ = search_open_moves.answered(Dealer(seen), moves, policies, seed)
    gaps = utilities.numpy[0] - utilities.numpy
    return gaps.mean(axis=1), gaps.std(axis=1, ddof=1) / np.sqrt(gaps.shape[1])


def warm_up(slug: str) -> None:
    """Compile what hints and the judge need, before a clock starts."""
    views = [*decisions(slug, Random(slug))]
    prepare_hints(views)
    judged(views[0], views[0].legal_moves()[:JUDGED], 1)


def measure(slug: str, number: int, seed: int, rollouts: int, seconds: float) -> str:
    """A line with the results of a game."""
    rng = Random(f"{slug} {seed}")
    warm_up(slug)
    begun = time.perf_counter()
    best, missed, known, tried = 0, [], 0, 0
    claims: dict[str, Counter[bool]] = defaultdict(Counter)
    for seen in positions(slug, rng):
        advice = advise(seen, Rollouts(rollouts), rng)
        tried += 1
        if advice.exact:
            known += 1
            best += 1
        else:
            shown = advice.moves[:JUDGED]
            gaps, errors = judged(seen, [one.move for one in shown], rng.getrandbits(63))
            better = gaps < -CLEARLY * errors
            best += not better.any()
            if better.any():
                missed.append(-float(gaps.min()) / point_of(seen))
            for one, is_better in zip(shown[1:], better[1:].tolist(), strict=True):
                if one.is_worse:
                    claims[sureness(one)][is_better] += 1
                if one.clear > 1 and not one.proven:
                    claims["by the first judgement alone"][is_better] += 1
        if tried == number or time.perf_counter() - begun > seconds:
            break
    miss = f"{sum(missed) / len(missed):.2f}" if missed else "-"
    sure = "; ".join(f"{word}: {one[True]} of {one.total()}" for word, one in sorted(claims.items()))
    return f"{slug:14} best {best} of {tried} ({known} solved), the others miss {miss} | {sure}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", choices=games.SLUGS)
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rollouts", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=600.0)
    args = parser.parse_args()
    for slug in args.games:
        print(measure(slug, args.number, args.seed, args.rollouts, args.seconds), flush=True)


if __name__ == "__main__":
    main()
