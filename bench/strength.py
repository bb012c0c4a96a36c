"""The ladder: every level of computer players against the next, on duplicate deals, in every game. Takes hours.

    python bench/strength.py [GAME …] [--minutes 60]    play, always the pair with the least time so far
    python bench/strength.py --page                     rewrite the section "Ladder" of docs/strength.md

Results are stored in `strength.jsonl` next to this file, one line per piece; a later run continues from them. To play a
piece again, delete its line. A pair is finished when it is decided, after two hours on one core, or when all pieces
have been played. Pieces grow, so that results are examined only LOOKS times, and the intervals are wide enough that all
looks together are right in 95 of 100 cases. The last piece has as many deals as fit into the rest of the two hours.
"""

import argparse
import json
import subprocess
import time
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from upcard import Setup, games
from upcard.lab.arena import arena
from upcard.lab.comparison import Comparison, Pairs
from upcard.players import LEVELS, levels_of
from upcard.rules.game import Game

HERE = Path(__file__).parent
RESULTS, PAGE = HERE / "strength.jsonl", HERE.parent / "docs" / "strength.md"
HIGHEST = [*LEVELS][-1]
RULES: dict[str, dict[str, Any]] = {"oh-hell": {"order": "down"}, "kalooki": {"contracts": "213456789"}}
"""Options for games in which the first deal of a match is unusual: Oh Hell begins with one card, here with ten; Kalooki
begins with threes only, here with two threes and a four."""
NUMBERS: dict[str, dict[str, Any]] = {"loo": {"stake": 10}}
"""Numbers for the same purpose: Loo begins with a pool of 5 chips, but most deals have 10 or more."""
LOW_WINS = ("kalooki",)
PIECES = (32, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384)
LOOKS = len(PIECES)
MOST_SECONDS = 7200.0
BEGIN, END = "<!-- ladder -->", "<!-- end of ladder -->"

Pair = tuple[str, str, str]
"""The game, the lower level and the upper one."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", choices=[[], *games.SLUGS], help="all games if none is named")
    parser.add_argument("--minutes", type=float, default=60.0, help="how long to play")
    parser.add_argument("--page", action="store_true", help="write the page instead of playing")
    args = parser.parse_args()
    if args.page:
        write_page()
        return
    until = time.monotonic() + 60 * args.minutes
    while time.monotonic() < until and (open_pairs := [pair for pair in pairs(args.game) if is_open(pair)]):
        play(min(open_pairs, key=turn))
    print(f"{len([pair for pair in pairs(args.game) if is_open(pair)])} pairs are not finished")


def pairs(slugs: list[str]) -> list[Pair]:
    """The pairs of neighbouring levels of each game."""
    return [(slug, *pair) for slug in slugs or games.SLUGS for pair in pairwise(levels_of(games.load(slug)))]


def turn(pair: Pair) -> tuple[bool, float, int]:
    """The sort key for the pair to play next: pairs below the highest level first, then the pair with least time."""
    return pair[2] == HIGHEST, seconds(pair), len(pieces(pair))


def pieces(pair: Pair) -> list[dict[str, Any]]:
    """The pieces of a pair that have been played."""
    lines = RESULTS.read_text().splitlines() if RESULTS.is_file() else []
    return [piece for piece in map(json.loads, lines) if (piece["game"], piece["lower"], piece["upper"]) == pair]


def seconds(pair: Pair) -> float:
    return float(sum(piece["seconds"] for piece in pieces(pair)))


def so_far(pair: Pair) -> Comparison | None:
    """The lead of the upper level over the lower one, in points per deal and seat; None if nothing was played."""
    totals = Pairs(["points"])
    for piece in pieces(pair):
        totals.number += piece["deals"]
        totals.differing += piece["differing"]
        totals.sums[:, 0] += piece["sums"]
    # Pairs of deals that were never seen to differ need no allowance: in all of these, far more differ than not.
    totals.least[0] = totals.most[0] = 0.0
    return totals.comparisons(looks=LOOKS)[0] if totals.number else None


def is_decided(pair: Pair) -> bool:
    lead = so_far(pair)
    return lead is not None and lead.told


def is_open(pair: Pair) -> bool:
    return not is_decided(pair) and len(pieces(pair)) < LOOKS and seconds(pair) < MOST_SECONDS


def next_deals(pair: Pair) -> int:
    """The number of deals of the next piece."""
    played = pieces(pair)
    usual = PIECES[len(played)]
    if seconds(pair) == 0:
        return usual
    fitting = sum(piece["deals"] for piece in played) * (MOST_SECONDS - seconds(pair)) / seconds(pair)
    return max(1, min(usual, int(fitting)))


def play(pair: Pair) -> None:
    """Play the next piece of a pair, on new deals."""
    slug, *levels = pair
    number = len(pieces(pair))
    started = time.process_time()
    setup = table(slug)
    results = arena(setup, next_deals(pair), levels, unit="deal", seed=1000 + number, jobs=1)
    points = results.totals.pairs["points"]
    signs = [-1 if slug in LOW_WINS else 1] * 2 + [1] * 3
    line = dict(zip(("game", "lower", "upper"), pair, strict=True)) | {
        "players": levels,
        "seed": results.seed,
        "deals": results.number,
        "differing": int(points.differing[0]),
        "sums": (points.sums[:, 0] * signs).tolist(),
        "seconds": round(time.process_time() - started, 1),
        "commit": subprocess.check_output(["git", "rev-parse", "--short", "HEAD"], text=True, cwd=HERE).strip(),
        "date": datetime.now(UTC).date().isoformat(),
    }
    with RESULTS.open("a") as file:
        file.write(json.dumps(line) + "\n")
    print(*pair, so_far(pair), flush=True)


def table(slug: str) -> Game[Any]:
    """The setup with which a game is played."""
    game = games.load(slug)
    return Setup(
        game.variant(f"{slug}-ladder", numbers=NUMBERS[slug]) if slug in NUMBERS else game, options=RULES.get(slug, {})
    )


# ------------------------------------------------------------------------------------------------------------ the page

ABOUT = """

## Ladder

Points by which a level beats the one below in the first deal of a match (Oh Hell: ten cards, `order=down`; Loo: with
the most common pool, `stake=10`; Kalooki: penalty points saved in a contract of threes and fours, as most are,
`contracts=213456789`):

| game | {levels} |
| --- |{columns}
"""


def write_page() -> None:
    """Replace the section in the page, or append it if there is none."""
    text = PAGE.read_text() if PAGE.is_file() else "# How strong the computer players are\n"
    head, _, rest = text.partition(BEGIN)
    tail = rest.partition(END)[2].strip()
    steps = [*pairwise(LEVELS)]
    levels = " | ".join(f"{LEVELS[lower].title} < {LEVELS[upper].title}" for lower, upper in steps)
    about = ABOUT.format(levels=levels, columns=" --- |" * len(steps))
    parts = [
        f"{head.rstrip()}\n",
        BEGIN + about + "".join(map(row, games.SLUGS)) + f"\n{END}",
        *([f"\n{tail}"] if tail else []),
    ]
    PAGE.write_text("\n".join(parts) + "\n")


def row(slug: str) -> str:
    cells = [cell((slug, lower, upper)) for lower, upper in pairwise(LEVELS)]
    return f"| {' | '.join([games.load(slug).title, *cells])} |\n"


def cell(pair: Pair) -> str:
    """The lead with its interval; in italics if it is not decided, bold if it is negative."""
    lead = so_far(pair)
    if lead is None:
        return "not played"
    figures = f"{lead.difference:+.3g} ({lead.interval.low:+.3g} to {lead.interval.high:+.3g})"
    mark = "*" if not lead.told else "" if lead.difference > 0 else "**"
    return f"{mark}{figures}{mark}"


if __name__ == "__main__":
    main()
