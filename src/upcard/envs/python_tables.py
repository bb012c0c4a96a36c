"""The tables of a vector environment whose players are not compiled. Their matches are played in Python like those of
the single environments, but with the same chance as compiled tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from random import Random
from typing import Any

from numpy.typing import NDArray

from upcard.engine.chance import PACKS, PLAY, SplitMix, stream
from upcard.engine.views import View, view_row
from upcard.envs.episode import Episode
from upcard.envs.history import Recall
from upcard.envs.observation import FloatArray32
from upcard.envs.single_seat import SingleSeat
from upcard.envs.vector_loop import BEGIN, ILLEGAL
from upcard.players import Player
from upcard.rules.game import Game


class AskedTables:
    """Tables of one setup, each with its own random generators. They write the view of one seat into rows of arrays."""

    def __init__(
        self,
        setup: Game[Any],
        number: int,
        seat: int,
        players: Sequence[Player],
        reward: str,
        threads: int,
        recall: Recall,
    ) -> None:
        self.seat = seat
        self._recall = recall
        self._tables = [SingleSeat(Episode(setup, reward), seat, players) for _ in range(number)]
        self._threads = threads
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0
        """The process that owns the threads of the pool: a forked process has none of them."""

    def plant(self, key: int) -> None:
        """Seed the generators of all tables."""
        tables = range(len(self._tables))
        self._chance = [SplitMix(stream(key, table, PACKS)) for table in tables]
        self._luck = [Random(stream(key, table, PLAY)) for table in tables]

    def step(
        self,
        chosen: NDArray[Any],
        observation: NDArray[Any],
        mask: NDArray[Any],
        reward: NDArray[Any],
        done: NDArray[Any],
    ) -> None:
        """Take an action, or BEGIN, at each table; see `VectorEnv.step`. Searches are compiled, so they run in
        parallel."""

        def step_table(table: int) -> None:
            episode = self._tables[table].episode
            done[table], reward[table] = self._play(table, int(chosen[table]))
            observation[table] = view_row(episode.match.view(self.seat))
            mask[table] = episode.mask(self.seat)

        if self._threads == 1:
            for table in range(len(self._tables)):
                step_table(table)
        else:
            self._in_parallel(step_table)

    def _in_parallel(self, function: Callable[[int], None]) -> None:
        """Call a function for every table, on all threads. If it raises, the exception is raised here after all threads
        have finished."""
        if self._pool is None or self._process != os.getpid():
            self._pool, self._process = ThreadPoolExecutor(self._threads), os.getpid()
        tasks = [self._pool.submit(function, table) for table in range(len(self._tables))]
        try:
            wait(tasks)
        finally:  # Ctrl-C may have interrupted the wait
            for task in tasks:
                task.cancel()
            wait(tasks)
        for task in tasks:
            task.result()

    def close(self) -> None:
        """End the threads. Another step starts new ones."""
        if self._pool:
            self._pool.shutdown()
            self._pool = None

    def _play(self, table: int, action: int) -> tuple[bool, list[float]]:
        """Take an action at one table. Returns whether the match has ended (the next one has then begun), and the
        rewards of all seats."""
        single = self._tables[table]
        rewards = [0.0] * len(single.earned)
        over = True
        if action != BEGIN and single.episode.mask(self.seat)[action]:
            single.play(action)
            rewards, over = single.earned, single.episode.done
        elif action != BEGIN:
            rewards[self.seat] = float(ILLEGAL)
        if over:
            single.begin(self._chance[table], self._luck[table])
        return over, rewards

    def write_histories(self, out: FloatArray32) -> None:
        """Write the history of the seat at each table."""
        for table, single in enumerate(self._tables):
            out[table] = self._recall.numbers(single.episode.match.history(self.seat))

    def view(self, table: int) -> View[Any]:
        """The seat's view of one table."""
        return self._tables[table].episode.match.view(self.seat)
