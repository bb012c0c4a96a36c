"""Compiles the random rollouts of every game for a GPU, and plays them if there is one.

    python bench/gpu.py                         needs the extra `gpu`
    python bench/gpu.py --games loo,rounds

Prints the processor time of compiling and the length of the code and, with a GPU, moves per second there and on one
core of this machine: the same deal, the largest of a match, played from its start to its end over and over.
"""

import argparse
import time
from typing import Any

from upcard import Setup, UpcardError, games
from upcard.lab import gpu
from upcard.lab.bench import Bench, biggest_deal, rate
from upcard.rules.game import Game


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", default=",".join(games.SLUGS), help="games to measure, separated by commas")
    for slug in parser.parse_args().games.split(","):
        start = time.process_time()
        game = games.load(slug)
        try:
            lines = gpu.compile_rollouts(game).count("\n")
        except UpcardError as error:
            print(f"{slug:14} {error}", flush=True)
            continue
        compiled = f"{slug:14} {time.process_time() - start:5.1f} s of processor time {lines:7,} lines of PTX"
        print(compiled, played(game), flush=True)


def played(game: type[Game[Any]]) -> str:
    position = biggest_deal(game, Setup(game).players)
    try:
        gpu.rollouts([position], 1)  # compiles the kernel
    except UpcardError as error:
        return str(error)
    there = rate(lambda number: gpu.rollouts([position], number).moves)
    here = rate(Bench(game).play_rollouts)
    return f"{there / 1e6:8,.0f} M moves/s on the GPU {here / 1e6:6.1f} M on one core {there / here:6.1f} times"


if __name__ == "__main__":
    main()
