"""Moves that people laugh at: how often each level makes them, and what they cost.

    python bench/silly.py [GAME …] [--positions 100] [--seed 1] [--worlds 300] [--levels easy casual …] [--kinds]
                          [--deals 400] [--seconds 600]

A kind is a predicate over the view of the seat that is to act: it lists the moves that look silly. `silly_moves` has a
module of them for each game. The decisions are those of first deals of casual players, with some random moves, until
there are enough positions of each kind, at most one from a deal. A level errs if it makes such a move and the worlds of
the seat's own view agree: another move, the best one in half of the worlds, is better in the other half by more than
`CLEARLY` standard errors. That other move is not silly, and could be made instead (`Kind.serves_as`). All seats then
play as medium, or perfectly if the seat knows all cards. So a silly move that is right, as some are on purpose, counts
for nothing.

For each game and level there is a line with the positions, the share of errors and the mean cost of a position in the
game's `utility`, with 95 % intervals; with `--kinds`, one for each kind as well.
"""

import argparse
from collections.abc import Iterator
from math import inf

from mine import LEVELS
from silly_moves import KINDS
from silly_moves.judging import MOST_DEALS, Record, judge

from upcard import games
from upcard.engine.errors import UpcardError


def report(slug: str, records: dict[tuple[str, str], Record], by_kind: bool) -> Iterator[str]:
    """The lines about a game."""
    for level in dict.fromkeys(level for _, level in records):
        ones = [record for (_, other), record in records.items() if other == level]
        yield Record([cost for one in ones for cost in one.costs], sum(one.errors for one in ones)).line(slug, level)
    if by_kind:
        for (title, level), record in records.items():
            yield f"    {record.line(title, level)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", choices=[[], *games.SLUGS], default=[])
    parser.add_argument("--positions", type=int, default=100, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worlds", type=int, default=300)
    parser.add_argument("--levels", nargs="+", default=LEVELS)
    parser.add_argument("--deals", type=int, default=MOST_DEALS, help="in which positions are looked for, at most")
    parser.add_argument("--seconds", type=float, default=inf, help="for each game")
    parser.add_argument("--kinds", action="store_true", help="a line for each kind, too")
    args = parser.parse_args()
    for slug in args.games or [slug for slug in games.SLUGS if KINDS[slug]]:
        try:
            levels = tuple(args.levels)
            records = judge(slug, args.positions, args.seed, args.worlds, levels, args.deals, args.seconds)
        except UpcardError as fault:
            parser.error(str(fault))
        print(*report(slug, records, args.kinds), sep="\n", flush=True)


if __name__ == "__main__":
    main()
