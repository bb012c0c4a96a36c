"""Ten variants in many matches, and in processes that start at once with an empty cache. Long: the tests do less.

python bench/variants.py equal [MATCHES [SLUG …]]   compiled matches, replayed in plain Python: 10,000 each
python bench/variants.py cold [TIMES]               four processes at once with an empty cache: 20 times
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from upcard import Setup, games
from upcard.engine import records
from upcard.lab.simulate import simulate
from upcard.rules import Game

VARIANTS = games.load_file(Path(__file__).parents[1] / "tests" / "ten_variants.py")
AT_ONCE = ["sixty-six", "twenty", "late", "sixty-six"]


def main() -> None:
    what, *args = sys.argv[1:] or [""]
    if what == "equal":
        for slug in args[1:] or VARIANTS:
            equal(VARIANTS[slug], int(args[0]) if args else 10_000)
    elif what == "cold":
        cold(int(args[0]) if args else 20)
    elif what == "play":
        print(play(args[0]))
    else:
        sys.exit(__doc__)


def equal(game: type[Game], matches: int) -> None:
    """Check that every random match played by compiled rules is legal in plain Python, and ends the same."""
    started, events = time.perf_counter(), 0
    scores = [0] * min(game.player_counts)

    def replay(record: dict[str, Any]) -> None:
        nonlocal events
        match = records.replay(record, game)
        assert match.done, record
        events += len(match.events)
        for seat, score in enumerate(match.scores):
            scores[seat] += score

    setup = Setup(game, min(game.player_counts), game.short or {})
    compiled = simulate(setup, matches, 1, by=["random"] * setup.players, records=replay)
    means = [seat.mean for seat in compiled.seats]
    assert all(abs(mean * matches - score) < 0.01 for mean, score in zip(means, scores, strict=True)), (means, scores)
    print(f"{game.slug}: {matches} matches, {events} events, {time.perf_counter() - started:.0f} s", flush=True)


def play(slug: str) -> str:
    """A summary of matches of a game or a variant, for a process of its own."""
    game = VARIANTS[slug] if slug in VARIANTS else games.load(slug)
    return str(simulate(Setup(game), 500, 1, by=["heuristic"] * game.default_players).as_dict())


def cold(times: int) -> None:
    """Start four processes at once with an empty cache, each with its own game, and again with the resulting cache."""
    expected = {slug: play(slug) for slug in AT_ONCE}
    for number in range(times):
        started = time.perf_counter()
        with tempfile.TemporaryDirectory() as cache:
            for _ in range(2):
                together(expected, os.environ | {"UPCARD_CACHE": cache})
        print(f"{number + 1} of {times}: {time.perf_counter() - started:.0f} s", flush=True)


def together(expected: dict[str, str], env: dict[str, str]) -> None:
    started = [
        subprocess.Popen([sys.executable, __file__, "play", slug], env=env, stdout=subprocess.PIPE, text=True)
        for slug in AT_ONCE
    ]
    results = [process.communicate()[0].strip() for process in started]
    assert results == [expected[slug] for slug in AT_ONCE], results


if __name__ == "__main__":
    main()
