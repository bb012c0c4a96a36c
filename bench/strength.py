"""The ladder: every level of computer players against the next, on duplicate deals, in every game. Long.

    python bench/strength.py [GAME …] [--minutes 60]    play on, the pair that has had least time next
    python bench/strength.py --page                     the section "Ladder" of docs/strength.md, from what was played

Results are in `strength.jsonl` beside this file, one line per piece, from which a later run continues; to play a piece
again, delete its line. A pair is finished when it is decided, after two hours on one core, or when all pieces have been
played. Pieces grow, so that results are examined only LOOKS times, and the intervals are wide enough that all looks
together are right in 95 of 100 cases. The last piece has as many deals as fit into what is left of the two hours.
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
from upcard.lab.comparison import Comparison, Pairs
from upcard.lab.duplicate import arena
from upcard.players import LEVELS, levels_of
from upcard.rules.game import Game

HERE = Path(__file__).parent
KEPT, PAGE = HERE / "strength.jsonl", HERE.parent / "docs" / "strength.md"
HIGHEST = [*LEVELS][-1]
RULES: dict[str, dict[str, Any]] = {"oh-hell": {"order": "down"}, "kalooki": {"contracts": "213456789"}}
"""Options for games in which the first deal of a match is unusual: Oh Hell begins with one card, here with ten, Kalooki
with threes only, here with two threes and a four."""
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
    parser.add_argument("--minutes", type=float, default=60.0, help="how long to play on")
    parser.add_argument("--page", action="store_true", help="write the page, and play nothing")
    said = parser.parse_args()
    if said.page:
        write_page()
        return
    until = time.monotonic() + 60 * said.minutes
    while time.monotonic() < until and (open_pairs := [pair for pair in pairs(said.game) if is_open(pair)]):
        play(min(open_pairs, key=turn))
    print(f"{len([pair for pair in pairs(said.game) if is_open(pair)])} pairs may be played on")


def pairs(slugs: list[str]) -> list[Pair]:
    """The pairs of neighbouring levels of each game."""
    found = []
    for slug in slugs or games.SLUGS:
        names = levels_of(games.load(slug))
        found += [(slug, lower, upper) for lower, upper in pairwise(names)]
    return found


def turn(pair: Pair) -> tuple[bool, float, int]:
    """The sort key for the pair to play next: pairs below the highest level first, then the one with the least time so
    far."""
    return pair[2] == HIGHEST, seconds(pair), len(pieces(pair))


def pieces(pair: Pair) -> list[dict[str, Any]]:
    """The pieces of a pair that have been played."""
    lines = KEPT.read_text().splitlines() if KEPT.is_file() else []
    return [one for one in map(json.loads, lines) if (one["game"], one["lower"], one["upper"]) == pair]


def seconds(pair: Pair) -> float:
    return float(sum(one["seconds"] for one in pieces(pair)))


def so_far(pair: Pair) -> Comparison | None:
    """By how much the upper level beats the lower one, in points per deal and seat; None if nothing was played."""
    found = Pairs(["points"])
    for one in pieces(pair):
        found.number += one["deals"]
        found.differing += one["differing"]
        found.sums[:, 0] += one["sums"]
    # Nothing is said of pairs that have not been seen: in all of these, far more differ than not.
    found.least[0] = found.most[0] = 0.0
    return found.comparisons(looks=LOOKS)[0] if found.number else None


def is_decided(pair: Pair) -> bool:
    found = so_far(pair)
    return found is not None and found.told


def is_open(pair: Pair) -> bool:
    return not is_decided(pair) and len(pieces(pair)) < LOOKS and seconds(pair) < MOST_SECONDS


def next_deals(pair: Pair) -> int:
    """The number of deals of the next piece."""
    played = pieces(pair)
    usual = PIECES[len(played)]
    if seconds(pair) == 0:
        return usual
    fitting = sum(one["deals"] for one in played) * (MOST_SECONDS - seconds(pair)) / seconds(pair)
    return max(1, min(usual, int(fitting)))


def play(pair: Pair) -> None:
    """Play the next piece of a pair, on new deals."""
    slug, *levels = pair
    number = len(pieces(pair))
    started = time.process_time()
    setup = table(slug)
    found = arena(setup, next_deals(pair), levels, unit="deal", seed=1000 + number, jobs=1)
    points = found.totals.pairs["points"]
    signs = [-1 if slug in LOW_WINS else 1] * 2 + [1] * 3
    line = dict(zip(("game", "lower", "upper"), pair, strict=True)) | {
        "players": levels,
        "seed": found.seed,
        "deals": found.number,
        "differing": int(points.differing[0]),
        "sums": (points.sums[:, 0] * signs).tolist(),
        "seconds": round(time.process_time() - started, 1),
        "commit": subprocess.check_output(["git", "rev-parse", "--short", "HEAD"], text=True, cwd=HERE).strip(),
        "date": datetime.now(UTC).date().isoformat(),
    }
    with KEPT.open("a") as file:
        file.write(json.dumps(line) + "\n")
    print(*pair, so_far(pair), flush=True)


def table(slug: str) -> Game[Any]:
    """The table at which a game is played."""
    game = games.load(slug)
    return Setup(
        game.variant(f"{slug}-ladder", numbers=NUMBERS[slug]) if slug in NUMBERS else game, options=RULES.get(slug, {})
    )


# ------------------------------------------------------------------------------------------------------------ the page

ABOUT = """

## Ladder

Neighbouring levels against each other: `python bench/strength.py --minutes 60`, then `--page`. What is counted is the
points of a seat in the first deal of a match (Oh Hell: of ten cards, `order=down`; Loo: with the pool that most deals
have, `stake=10`; Kalooki: with threes and fours, as most contracts have, `contracts=213456789`). A pair is played until
its interval excludes 0, or for two hours of a core; then it is *not decided*. The intervals allow for every look at a
pair, which makes them wider than those of one look. A row is about the players of its commit. Until bae3fbd strong
players and experts tried 24 moves of a longer list, picked by chance; rows of Loo and Roundup! from before it are about
such players.

| game | levels | points a deal more | 95 % | deals | | seconds | commit | date |
| --- | --- | ---: | --- | ---: | --- | ---: | --- | --- |
"""


def write_page() -> None:
    """Replace the section in the page, or append it if there is none."""
    text = PAGE.read_text() if PAGE.is_file() else "# How strong the computer players are\n"
    head, _, rest = text.partition(BEGIN)
    tail = rest.partition(END)[2].strip()
    parts = [
        f"{head.rstrip()}\n",
        BEGIN + ABOUT + "".join(map(row, pairs([]))) + f"\n{END}",
        *([f"\n{tail}"] if tail else []),
    ]
    PAGE.write_text("\n".join(parts) + "\n")


def row(pair: Pair) -> str:
    slug, lower, upper = pair
    levels = f"{LEVELS[lower].title} < {LEVELS[upper].title}"
    found = so_far(pair)
    if found is None:
        return f"| {slug} | {levels} | | | 0 | not played | | | |\n"
    last = pieces(pair)[-1]
    low, high = found.interval.low, found.interval.high
    verdict = "not decided" if not found.told else "shown" if found.difference > 0 else "**the other way round**"
    return (
        f"| {slug} | {levels} | {found.difference:+.3g} | {low:+.3g} to {high:+.3g} | {found.number} | {verdict} "
        f"| {seconds(pair):.0f} | {last['commit']} | {last['date']} |\n"
    )


if __name__ == "__main__":
    main()
