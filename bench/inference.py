"""The knowledge of hidden cards that inference gains, in matches between players that it was not fitted to.

    python bench/inference.py GAME [--deals 200] [--by strong] [--shares 0.5,0,0.5 0,0.7,0.3]

At one decision of each deal (not the first), the true hidden cards are weighed against worlds that are equally likely
by the rules. The result is the logarithm of their likelihood relative to the average: 0 means no knowledge, 0.69 twice
as likely. The shares are the assumed probabilities that a seat follows the heuristic, the learned policy, or neither.
"""

import argparse
from random import Random
from typing import Any

import numpy as np

from upcard import Match, games
from upcard.compiled.dealer import Dealer
from upcard.compiled.public_history import IMPOSSIBLE
from upcard.engine.views import View
from upcard.lab import intervals
from upcard.players import player
from upcard.players.inference import likelihoods, shares_of, story_of

WORLDS, AGAIN = 256, 16
"""The number of worlds that are weighed, and of times that the true cards are: each time another original deal may be
found, which may make the moves more likely."""
OPTIONS: dict[str, dict[str, Any]] = {"oh-hell": {"order": "down"}}
"""Options for games in which the first deal of a match is unusual."""


def some_view(slug: str, by: str, seed: int) -> tuple[View[Any], Any] | None:
    """The view of a seat at a random decision in the first deal of a match, and the true state; None if there is no
    decision before which the seat has seen another move."""
    match: Match[Any] = Match(slug, chance=Random(seed), options=OPTIONS.get(slug, {}))
    rng, who = Random(seed), player(by)
    seen = []
    while match.state.deals <= 1 and not match.done:
        seat = match.to_act[0]
        view = match.view(seat)
        if len(view.legal_moves()) > 1 and story_of(Dealer(view)) is not None:
            seen.append((view, match.state.copy()))
        match.play(seat, who.choose(view, rng))
    return rng.choice(seen) if seen else None


def known(view: View[Any], state: Any, shares: tuple[float, ...], seed: int) -> float | None:
    """The log-likelihood of the true cards, relative to the average; None if no deal was found that leads to them."""
    dealer = Dealer(view)
    story = story_of(dealer)
    assert story is not None
    worlds = dealer.deal(WORLDS + AGAIN, seed)
    for k in range(AGAIN):
        dealer.run.put(worlds, k, state)
    logs = np.array(likelihoods(dealer, story, worlds, shares))
    if logs[:AGAIN].max() == IMPOSSIBLE:
        return None
    likely = np.where(logs > IMPOSSIBLE, np.exp(np.maximum(logs - logs.max(), -700.0)), np.nan)
    as_they_lie = np.nanmean(likely[:AGAIN])
    return float(np.log(as_they_lie / np.nanmean([as_they_lie, *likely[AGAIN:]])))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=games.SLUGS)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--by", default="strong", help="the players")
    parser.add_argument("--shares", nargs="+")
    args = parser.parse_args()
    moments = [moment for seed in range(args.deals) if (moment := some_view(args.game, args.by, seed)) is not None]
    for text in args.shares or [",".join(map(str, shares_of(games.load(args.game))))]:
        shares = tuple(map(float, text.split(",")))
        rows = [known(view, state, shares, seed) for seed, (view, state) in enumerate(moments)]
        knowledge = np.array([row for row in rows if row is not None])
        interval = intervals.of_numbers(knowledge)
        print(
            f"{args.game}, {text}: {knowledge.mean():+.2f} ({interval.low:+.2f} to {interval.high:+.2f}) "
            f"in {len(knowledge)} deals, {len(rows) - len(knowledge)} more not traced",
            flush=True,
        )


if __name__ == "__main__":
    main()
