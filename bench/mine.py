"""Mine blunders: moves that another move beats in many of the worlds that the seat cannot tell apart, and to which it
hardly ever loses.

    python bench/mine.py GAME [GAME …] [--deals 40] [--seed 1] [--worlds 400] [--levels easy casual medium strong]

The decisions are those of the first deals of casual players, and all levels are asked at each of them. Every move is
tried in the same worlds, after which all seats play as medium; if the seat knows all cards, both play perfectly. A move
is a blunder if another move, the best one in half of the worlds, is worse in at most `RARELY` of the other half, and
better in at least `OFTEN`. Unlike a proof, that depends on how the rollouts continue. For each game and level there is
a line with the number of decisions, the blunders among them, and their mean cost in the game's `utility`; then those
that cost most, as text.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from ends import ends_of, worths
from numpy.typing import NDArray

from upcard import Match, games
from upcard.compiled.dealer import Dealer
from upcard.compiled.seat_policies import rollout_records
from upcard.engine.errors import UpcardError
from upcard.engine.views import View
from upcard.players import player
from upcard.players.endgame_solver import solved_ends
from upcard.players.search import MOST_MOVES, best_rollouts

RARELY, OFTEN = 0.01, 0.2
"""The largest share of worlds in which the better move may do worse, and the smallest in which it must do better."""
WORLDS = 400
LEVELS = ("easy", "casual", "medium", "strong")
ODD = 0.05
"""The probability of a random move, so that there are also positions that casual players avoid."""
TABLES: dict[str, dict[str, Any]] = {
    "kalooki": {"options": {"contracts": "213456789"}},
    "oh-hell": {"options": {"order": "down"}},
}
"""Tables with the most usual kind of deal as their first one, as for the ladder; other games use their usual table."""


@dataclass(frozen=True)
class Blunder:
    """A move at a decision, and a better one."""

    view: View[Any]
    move: int
    better: int
    worse_in: float
    """The share of worlds in which the move does worse than the better one."""
    better_in: float
    cost: float
    """The mean difference in utility."""

    def __str__(self) -> str:
        text = self.view.game.notation.text
        return (
            f"{text(self.move)} costs {self.cost:.2f}: {text(self.better)} is better in {100 * self.worse_in:.0f} % of "
            f"worlds and worse in {100 * self.better_in:.1f} %; seat {self.view.seat}, {self.view.text()}"
        )


@dataclass(frozen=True)
class Verdict:
    """The moves of a decision, judged in many worlds."""

    view: View[Any]
    moves: list[int]
    utilities: NDArray[np.int64]
    """By move and world."""
    values: NDArray[np.float64]
    """By move and world, the utility and the value of the match."""

    def blunder(self, move: int) -> Blunder | None:
        """The best other move if this one is a blunder."""
        half = self.values.shape[1] // 2
        mine = self.moves.index(move)
        best = int(self.values[:, :half].mean(axis=1).argmax())
        gain = self.values[best, half:] - self.values[mine, half:]
        worse, better = float((gain > 0).mean()), float((gain < 0).mean())
        if better > RARELY or worse < OFTEN:
            return None
        cost = float((self.utilities[best, half:] - self.utilities[mine, half:]).mean())
        return Blunder(self.view, move, self.moves[best], worse, better, cost)


def judged(view: View[Any], worlds: int, seed: int) -> Verdict:
    """Try all moves of a view in as many worlds; by perfect play of the one world, if the seat knows all cards."""
    moves = view.legal_moves()
    ends = solved_ends(view, moves, Random(seed))
    if ends is not None:
        utilities, wins = (np.repeat(np.array(one)[:, None], 2, axis=1) for one in zip(*ends, strict=True))
        return Verdict(view, moves, utilities, worths(utilities, wins))
    policies = rollout_records(view.state.players, best_rollouts(view.game))
    seeds = np.random.default_rng(seed).integers(1 << 63, size=worlds, dtype=np.uint64)
    utilities, wins = ends_of(Dealer(view), policies, moves, seeds)
    return Verdict(view, moves, utilities, worths(utilities, wins))


def decisions(slug: str, rng: Random) -> Iterator[View[Any]]:
    """The views of the seats with a choice in the first deal of a match of casual players."""
    match: Match[Any] = Match(slug, options=TABLES.get(slug, {}).get("options"), chance=rng)
    casual = player("casual")
    while match.state.deals <= 1 and not match.done:
        view = match.view(match.to_act[0])
        moves = view.legal()
        if 1 < len(moves) <= MOST_MOVES:
            yield view
        match.play(match.to_act[0], rng.choice(moves) if rng.random() < ODD else casual.choose(view, rng))


def warm_up(slug: str, levels: tuple[str, ...]) -> None:
    """Compile what judging and these levels need, before a clock starts."""
    views = [*decisions(slug, Random(slug))]
    judged(views[0], 2, 1)
    for view in (views[0], views[len(views) // 2], views[-1]):  # the beginning is searched, the end may be solved
        for level in levels:
            player(level).choose(view, Random(1))


def mine(
    slug: str, deals: int, seed: int, worlds: int = WORLDS, levels: tuple[str, ...] = LEVELS
) -> tuple[int, dict[str, list[Blunder]]]:
    """The number of decisions in these deals, and the blunders of each level at them. Raises UpcardError for a level
    that there is not."""
    number, blunders = 0, {level: list[Blunder]() for level in levels}
    for deal in range(deals):
        for at, view in enumerate(decisions(slug, Random(f"{slug} {seed} {deal}"))):
            number += 1
            verdict = judged(view, worlds, 1000 * deal + at)
            moves = {view.game.notation.text(move): move for move in verdict.moves}
            for level in levels:
                blunder = verdict.blunder(moves[player(level).choose(view, Random(f"{deal} {at}"))])
                blunders[level] += [blunder] if blunder else []
    return number, blunders


def report(slug: str, number: int, blunders: dict[str, list[Blunder]], show: int) -> Iterator[str]:
    """The lines about a game."""
    for level, ones in blunders.items():
        cost = sum(one.cost for one in ones) / max(1, len(ones))
        yield f"{slug:14} {level:7} {len(ones)} of {number} ({100 * len(ones) / max(1, number):.2f} %), {cost:.2f} each"
        for one in sorted(ones, key=lambda one: -one.cost)[:show]:
            yield f"    {one}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", choices=games.SLUGS)
    parser.add_argument("--deals", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worlds", type=int, default=WORLDS)
    parser.add_argument("--levels", nargs="+", default=LEVELS)
    parser.add_argument("--show", type=int, default=5, help="how many blunders of each level are shown")
    args = parser.parse_args()
    for slug in args.games:
        try:
            number, blunders = mine(slug, args.deals, args.seed, args.worlds, tuple(args.levels))
        except UpcardError as fault:
            parser.error(str(fault))
        print(*report(slug, number, blunders, args.show), sep="\n", flush=True)


if __name__ == "__main__":
    main()
