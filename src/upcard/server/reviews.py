"""Reviews of finished matches, decision by decision, in a process of low priority."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
from collections import OrderedDict, deque
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, Any, Literal

from upcard.engine.match import Match
from upcard.players.readiness import step_back
from upcard.server.messages import Review
from upcard.server.thinking import stop
from upcard.table.advising import Mistake, Wording, tally
from upcard.table.errors import Refusal, TooMany
from upcard.table.table import Table

if TYPE_CHECKING:
    from upcard.players.review import Decision, Grade, Verdict

MOST_KEPT = 500
"""The number of reviews kept in memory."""
MOST_WAITING = 20
"""The most reviews that may wait their turn."""
MOST_MOVES = 3000
"""The most events of the seat in a match that can be reviewed; a longer one would hold up all others."""
MOST_TOLD = 50
"""The number of costliest mistakes reported."""

log = logging.getLogger("upcard.server")


class Job:
    """The review of one seat's decisions in one match."""

    def __init__(self, match: Match[Any], names: Iterable[str], seat: int) -> None:
        self.match = match
        self.names = [*names]
        self.seat = seat
        self.state: Literal["waiting", "running", "done", "failed"] = "waiting"
        self._of = 0
        self._grades: list[Grade] = []
        self._mistakes: list[tuple[float, Mistake]] = []

    def begin(self) -> list[Decision]:
        """Find the decisions to judge."""
        from upcard.players.review import decisions

        to_judge = [*decisions(self.match, self.seat)]
        self._of = len(to_judge)
        return to_judge

    def note(self, decision: Decision, verdict: Verdict) -> None:
        """Record the verdict on a decision."""
        self._grades.append(verdict.grade)
        if verdict.better is not None:
            self._mistakes.append((verdict.played.loss, Wording(decision.seen, self.names).mistake(verdict)))
            self._mistakes.sort(key=lambda one: -one[0])

    def told(self) -> Review:
        """The review as far as it has got."""
        mistakes = [mistake for _, mistake in self._mistakes[:MOST_TOLD]]
        return Review(self.seat, self.state, len(self._grades), self._of, tally(self._grades), mistakes)


class Reviews:
    """All requested reviews; they run one after the other."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[tuple[str, int], Job] = OrderedDict()
        self._waiting: deque[Job] = deque()
        self._pool: ProcessPoolExecutor | None = None
        self._task: asyncio.Task[None] | None = None

    def of(self, table: Table, seat: int) -> Review | None:
        """The review of a seat as far as it has got; None if nobody has asked for it yet."""
        job = self._jobs.get((table.plan.id, seat))
        return None if job is None else job.told()

    def start(self, table: Table, seat: int) -> Review:
        """Queue a review of a seat's decisions. Raises Refusal for too long a match, TooMany if the queue is full."""
        if sum(event.seat == seat for event in table.match.events) > MOST_MOVES:
            raise Refusal("This match is too long to be reviewed here: save its record for `upcard review`")
        if len(self._waiting) >= MOST_WAITING:
            raise TooMany("Many matches wait to be reviewed: try again in some minutes")
        job = self._jobs[table.plan.id, seat] = Job(table.match.fork(), table.names, seat)
        self._waiting.append(job)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())
        while len(self._jobs) > MOST_KEPT:
            self._jobs.popitem(last=False)
        return job.told()

    async def _work(self) -> None:
        while self._waiting:
            job = self._waiting.popleft()
            try:
                await self._review(job)
            except (Exception, SystemExit) as error:
                log.error("a match of %s could not be reviewed: %r", job.match.game.slug, error)
                job.state = "failed"
                self._end_pool()
        self._end_pool()

    async def _review(self, job: Job) -> None:
        from upcard.players.review import judge

        job.state = "running"
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=step_back)
        for decision in await asyncio.to_thread(job.begin):
            verdict = await asyncio.get_running_loop().run_in_executor(self._pool, judge, decision)
            job.note(decision, verdict)
        job.state = "done"

    def close(self) -> None:
        """Stop at once."""
        if self._task is not None:
            self._task.cancel()
        self._end_pool()

    def _end_pool(self) -> None:
        if self._pool is not None:
            stop(self._pool)
            self._pool = None
