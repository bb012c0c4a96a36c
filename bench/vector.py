"""The speed of the vector environment, next to random rollouts of the same games and other libraries' environments.

    python bench/vector.py             needs the extras `fast`, `envs` and `open-spiel`; RLCard if it is installed

Figures are steps per second of processor time of the main thread, in uniformly random play, with everything that a step
returns: for the vector environment observations as whole numbers, and in the last column as floats, like those of the
other environments. Choosing actions is not counted, but it reads all masks, which evicts tables from the core's caches:
the second ratio avoids this by actions that were recorded before. Rollouts and matches are those of `upcard bench`. All
are measured in turn, in many short runs, because the load of a shared machine varies: rates are medians, and ratios
medians over the turns. `--threads 2` also prints the speed-up (by the clock) of two threads at 16,384 tables or more:
fewer tables fit in one core's cache, from which a second core would have to fetch them.

    python bench/vector.py --pairs 12 --games oh-hell,rolling-stone,sixty-six

measures the speed-up for two cores that share a cache (near) and for two that do not (far), which may change at any
time on a virtual machine. Each round compares two threads with one, and two processes with half of the tables each with
one of them.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from multiprocessing import get_context
from random import Random
from typing import Any

import numpy as np
from numba import njit

from upcard import UpcardError, envs, games
from upcard.lab.bench import Bench

RUNS = 45
SECONDS = 0.03
RECORDED = 1000
"""The number of rounds for which actions are recorded."""
ENOUGH = 16384
"""The number of tables from which on a second thread pays."""
PASSED = 950_272
"""The size in bytes of the masks of 8,192 tables of Oh Hell."""
NEAR = 200
"""The time in microseconds to write PASSED bytes that another core has read: it takes less if the two share a cache."""
Play = Callable[[int], tuple[int, float]]
"""Plays a number of rounds of steps; returns the number of steps and their time in seconds."""


@njit(nogil=True)
def choose(mask: Any, actions: Any, rng: Any) -> None:
    """Choose a random legal action at each table."""
    for i in range(len(actions)):
        legal = 0
        for action in range(mask.shape[1]):
            legal += mask[i, action]
        rng[0] = rng[0] * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        k = np.int64(((rng[0] >> np.uint64(33)) * np.uint64(legal)) >> np.uint64(31))
        for action in range(mask.shape[1]):
            if mask[i, action]:
                if k == 0:
                    actions[i] = action
                    break
                k -= 1


def vector(slug: str, tables: int, threads: int, clock: Callable[[], float], floats: bool = False) -> Play:
    """Steps of a vector environment; with `floats`, each with the observations as floats, in the same array."""
    env = envs.vector(slug, tables=tables, seed=1, threads=threads)
    shown = env.reset()
    actions, rng = np.zeros(tables, np.int64), np.array([3], np.uint64)
    out = env.numbers() if floats else None

    def play(rounds: int) -> tuple[int, float]:
        seconds = 0.0
        for _ in range(rounds):
            choose(shown.mask, actions, rng)
            start = clock()
            env.step(actions)
            if out is not None:
                env.numbers(out=out)
            seconds += clock() - start
        return rounds * tables, seconds

    return play


def recorded(slug: str, tables: int) -> Play:
    """Steps with actions that were chosen before."""
    env = envs.vector(slug, tables=tables, seed=1, threads=1)
    shown = env.reset(seed=1)
    actions, rng = np.zeros(tables, np.int64), np.array([3], np.uint64)
    chosen = np.zeros((RECORDED, tables), np.int16)
    for row in chosen:
        choose(shown.mask, actions, rng)
        row[:] = actions
        env.step(actions)

    def play(rounds: int) -> tuple[int, float]:
        seconds = 0.0
        for number in range(rounds):
            if number % RECORDED == 0:
                env.reset(seed=1)
            start = time.thread_time()
            env.step(chosen[number % RECORDED])
            seconds += time.thread_time() - start
        return rounds * tables, seconds

    return play


def at_random(slug: str) -> tuple[Play, Play]:
    """Random rollouts from a dealt hand, and random whole matches."""
    bench = Bench(games.load(slug))

    def timed(played: Callable[[int], int]) -> Play:
        def play(rounds: int) -> tuple[int, float]:
            start = time.thread_time()
            return played(rounds), time.thread_time() - start

        return play

    return timed(bench.play_rollouts), timed(bench.play_matches)


def pettingzoo(make: Callable[[], Any]) -> Play:
    """Steps of one AEC environment, match after match."""
    env = make()
    luck = np.random.default_rng(1)
    env.reset(seed=1)

    def play(rounds: int) -> tuple[int, float]:
        seconds = 0.0
        for _ in range(rounds):
            start = time.thread_time()
            seen, _, over, cut, _ = env.last()
            seconds += time.thread_time() - start
            action = None if over or cut else luck.choice(np.flatnonzero(seen["action_mask"]))
            start = time.thread_time()
            env.step(action)
            if not env.agents:
                env.reset()
            seconds += time.thread_time() - start
        return rounds, seconds

    return play


def open_spiel(name: str) -> Play:
    """Steps of one game of OpenSpiel from Python, with mask and tensor."""
    import pyspiel

    game, luck = pyspiel.load_game(name), Random(1)

    def play(rounds: int) -> tuple[int, float]:
        state, seconds = game.new_initial_state(), 0.0
        for _ in range(rounds):
            while state.is_chance_node() or state.is_terminal():
                start = time.thread_time()
                state = game.new_initial_state() if state.is_terminal() else state
                cards, _ = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(luck.choice(cards))
                seconds += time.thread_time() - start
            start = time.thread_time()
            legal = state.legal_actions()
            state.legal_actions_mask()
            np.asarray(state.observation_tensor() if game.get_type().provides_observation_tensor else ())
            state.apply_action(luck.choice(legal))
            seconds += time.thread_time() - start
        return rounds, seconds

    return play


def rlcard(name: str) -> Play:
    """Steps of one environment of RLCard."""
    import rlcard as library

    env = library.make(name, config={"seed": 1})
    luck = np.random.default_rng(1)
    state, _ = env.reset()
    shown = [state]

    def play(rounds: int) -> tuple[int, float]:
        seconds = 0.0
        for _ in range(rounds):
            action = luck.choice(list(shown[0]["legal_actions"]))
            start = time.thread_time()
            shown[0] = env.step(action)[0]
            if env.is_over():
                shown[0] = env.reset()[0]
            seconds += time.thread_time() - start
        return rounds, seconds

    return play


def rate(play: Play, rounds: int) -> float:
    """The steps per second."""
    steps, seconds = play(rounds)
    return steps / seconds


def enough(play: Play) -> int:
    """A number of rounds that takes long enough to be timed."""
    rounds = 4
    while play(rounds)[1] < SECONDS / 2:
        rounds *= 2
    return rounds


def stay(core: int) -> None:
    """Pin this thread, and those that it starts, to a core."""
    os.sched_setaffinity(0, {core})


def passing(writer: Executor, reader: Executor) -> float:
    """The time in microseconds to write what another core has read."""
    masks = np.zeros(PASSED, np.int8)

    def write() -> float:
        start = time.perf_counter()
        masks.fill(1)
        return time.perf_counter() - start

    took = []
    for _ in range(50):
        reader.submit(masks.sum).result()
        took.append(writer.submit(write).result())
    return 1e6 * statistics.median(took)


@cache
def _tables_of(slug: str, tables: int, threads: int) -> Play:
    return vector(slug, tables, threads, time.perf_counter)


def by_clock(slug: str, tables: int, threads: int, rounds: int) -> float:
    """The steps per second by the clock; the tables persist from one call to the next."""
    return rate(_tables_of(slug, tables, threads), rounds)


def pairs(slugs: list[str], tables: int, times: int) -> None:
    """Print the speed-up of two threads, and of two processes, for near and far cores."""
    cores = sorted(os.sched_getaffinity(0))[:2]
    threads = [ThreadPoolExecutor(1, initializer=stay, initargs=(core,)) for core in cores]
    spawn = get_context("spawn")
    processes = [ProcessPoolExecutor(1, spawn, initializer=stay, initargs=(core,)) for core in cores]
    for slug in slugs:
        rounds = enough(_tables_of(slug, tables, 1))
        by_clock(slug, tables, 2, 1)
        for process in processes:
            process.submit(by_clock, slug, tables // 2, 1, 1).result()  # compiles, so that this is not timed
        speed_ups: dict[str, list[tuple[float, float]]] = {"near": [], "far": []}
        for _ in range(times):
            micros = passing(*threads)
            together = by_clock(slug, tables, 2, rounds) / by_clock(slug, tables, 1, rounds)
            alone = processes[0].submit(by_clock, slug, tables // 2, 1, 2 * rounds).result()
            both = [process.submit(by_clock, slug, tables // 2, 1, 2 * rounds) for process in processes]
            of_processes = sum(rate_.result() for rate_ in both) / alone
            speed_ups["near" if micros < NEAR else "far"].append((together, of_processes))
        line = f"{slug:14}"
        for where, ratios in speed_ups.items():
            if ratios:
                threads_, processes_ = map(statistics.median, zip(*ratios, strict=True))
                line += f"   {where} ({len(ratios)}): threads {threads_:.2f}, processes {processes_:.2f}"
        print(line, flush=True)
    for pool in (*threads, *processes):
        pool.shutdown()


def others() -> dict[str, Callable[[], Play]]:
    """Makers of other libraries' environments, by name; they raise an error if a library is not installed."""

    def classic(name: str) -> Callable[[], Play]:
        return lambda: pettingzoo(__import__(f"pettingzoo.classic.{name}", fromlist=["env"]).env)

    return {
        "this project's PettingZoo, oh-hell": lambda: pettingzoo(lambda: envs.pettingzoo("oh-hell")),
        "PettingZoo classic texas_holdem_v4": classic("texas_holdem_v4"),
        "PettingZoo classic connect_four_v3": classic("connect_four_v3"),
        "RLCard gin-rummy": lambda: rlcard("gin-rummy"),
        "RLCard uno": lambda: rlcard("uno"),
        "OpenSpiel oh_hell, 5 players": lambda: open_spiel("oh_hell(players=5)"),
        "OpenSpiel hearts": lambda: open_spiel("hearts"),
        "OpenSpiel gin_rummy": lambda: open_spiel("gin_rummy"),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=4096)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--games", default=",".join(games.SLUGS))
    parser.add_argument("--pairs", type=int, default=0, metavar="ROUNDS")
    args = parser.parse_args()
    if args.pairs:
        pairs(args.games.split(","), max(args.tables, ENOUGH), args.pairs)
        return
    for slug in args.games.split(","):
        plays = [vector(slug, args.tables, 1, time.thread_time), *at_random(slug), recorded(slug, args.tables)]
        plays.append(vector(slug, args.tables, 1, time.thread_time, floats=True))
        rounds = [enough(play) for play in plays]
        turns = np.array([[*map(rate, plays, rounds)] for _ in range(RUNS)])
        steps, of_rollouts, of_matches, recorded_of_rollouts = (
            float(np.median(column))
            for column in (turns[:, 0], turns[:, 0] / turns[:, 1], turns[:, 0] / turns[:, 2], turns[:, 3] / turns[:, 1])
        )
        line = f"{slug:14} {steps / 1e6:6.2f} M steps/s   {of_rollouts:.3f} of the rollouts"
        line += f" ({recorded_of_rollouts:.3f} if recorded)   {of_matches:.2f} of the matches"
        floats, of_steps = np.median(turns[:, 4]), np.median(turns[:, 4] / turns[:, 0])
        line += f"   with floats {floats / 1e6:.2f} M steps/s ({of_steps:.3f} of those without)"
        if args.threads > 1:
            tables = max(args.tables, ENOUGH)
            pair = [vector(slug, tables, number, time.perf_counter) for number in (1, args.threads)]
            often = enough(pair[0])
            alone, together = zip(*[[rate(play, often) for play in pair] for _ in range(RUNS)], strict=True)
            times = statistics.median(together) / statistics.median(alone)
            line += f"   {args.threads} threads: {times:.2f} times"
        print(line, flush=True)
    for name, make in others().items():
        try:
            play = make()
        except (ImportError, UpcardError) as error:
            print(f"{name:40} not here ({error})".split("\n")[0], flush=True)
            continue
        rounds_ = enough(play)
        print(f"{name:40} {statistics.median(rate(play, rounds_) for _ in range(RUNS)):12,.0f} steps/s", flush=True)


if __name__ == "__main__":
    main()
