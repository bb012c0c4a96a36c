"""The tables of a vector environment with players that are not compiled. Their matches are played in Python like those
of the single environments, but with the same chance as compiled tables."""

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
from upcard.envs.single_seat import SingleSeat
from upcard.envs.vector_loop import BEGIN, ILLEGAL
from upcard.players import Player
from upcard.rules.game import Game


class AskedTables:
    """Tables of one setup, each with its own random generators. They write what one seat sees into rows of arrays."""

    def __init__(
        self, setup: Game[Any], number: int, seat: int, players: Sequence[Player], reward: str, threads: int
    ) -> None:
        self.seat = seat
        self._tables = [SingleSeat(Episode(setup, reward), seat, players) for _ in range(number)]
        self._threads = threads
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0
        """The process whose threads are in the pool: a forked one has none of them."""

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

        def one(table: int) -> None:
            seated = self._tables[table]
            done[table], reward[table] = self._play(table, int(chosen[table]))
            observation[table] = view_row(seated.episode.match.view(self.seat))
            mask[table] = seated.episode.mask(self.seat)

        if self._threads == 1:
            for table in range(len(self._tables)):
                one(table)
        else:
            self._at_once(one)

    def _at_once(self, one: Callable[[int], None]) -> None:
        """Call a function for every table on all threads. What it raises is raised when no thread works any more."""
        if self._pool is None or self._process != os.getpid():
            self._pool, self._process = ThreadPoolExecutor(self._threads), os.getpid()
        work = [self._pool.submit(one, table) for table in range(len(self._tables))]
        try:
            wait(work)
        finally:  # Ctrl-C may have ended the waiting
            for task in work:
                task.cancel()
            wait(work)
        for task in work:
            task.result()

    def close(self) -> None:
        """End the threads. A further step starts others."""
        if self._pool:
            self._pool.shutdown()
            self._pool = None

    def _play(self, table: int, action: int) -> tuple[bool, list[float]]:
        """Whether the match has ended (the next one has then begun), and the rewards of all seats."""
        seated = self._tables[table]
        got = [0.0] * len(seated.earned)
        over = True
        if action != BEGIN and seated.episode.mask(self.seat)[action]:
            seated.play(action)
            got, over = seated.earned, seated.episode.done
        elif action != BEGIN:
            got[self.seat] = float(ILLEGAL)
        if over:
            seated.begin(self._chance[table], self._luck[table])
        return over, got

    def view(self, table: int) -> View[Any]:
        """What the seat sees at one table."""
        return self._tables[table].episode.match.view(self.seat)
