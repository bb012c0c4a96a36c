"""Compiles the random rollouts of every game for a GPU, and prints the time that takes and the length of the code.

python bench/gpu.py             needs the extra `gpu`, but no GPU
"""

import time

from upcard import UpcardError, games
from upcard.lab.gpu import compile_rollouts


def main() -> None:
    for slug in games.SLUGS:
        start = time.process_time()
        try:
            lines = compile_rollouts(games.load(slug)).count("\n")
        except UpcardError as error:
            print(f"{slug:14} {error}", flush=True)
            continue
        print(f"{slug:14} {time.process_time() - start:5.1f} s of processor time {lines:7,} lines of PTX", flush=True)


if __name__ == "__main__":
    main()
