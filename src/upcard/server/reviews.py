"""Reviews of finished matches, decision by decision, in other processes."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from upcard.house.bodies import Review
from upcard.house.replays import Transcript
from upcard.house.review_jobs import Judged, ReviewJob, check_length, judge_some
from upcard.house.services import Requester
from upcard.rules.game import Game
from upcard.table.errors import TooMany
from upcard.table.table import Table
from upcard.workers import WorkerPool

if TYPE_CHECKING:
    pass

MOST_KEPT = 500
"""The number of reviews kept in memory."""
MOST_AT_ONCE = 50
"""The most reviews under way, counted separately for people who sit at the table concerned."""
MOST_OF_ONE = 4
"""The same for one address."""
LIMIT = 60.0
"""Seconds that the decisions judged in one turn may take."""
READY = 600.0
"""Seconds that a review waits at most for its game to be compiled."""
PAUSE, MOST_PAUSES = 5.0, 100
"""Seconds after which a review that was refused its turn asks again, and how often in a row it does."""

log = logging.getLogger("upcard.server")


class Reviews:
    """All requested reviews. Those under way take turns."""

    def __init__(self, workers: WorkerPool, is_ready: Callable[[Game[Any]], bool]) -> None:
        """`is_ready` returns whether a game is compiled, and if not has it compiled; it raises Refusal if it cannot
        be."""
        self._workers = workers
        self._is_ready = is_ready
        self._jobs: OrderedDict[tuple[str, int], ReviewJob] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    def of(self, table: Table, seat: int) -> Review | None:
        """The review of a seat so far; None if nobody has asked for it yet."""
        job = self._jobs.get((table.plan.id, seat))
        return None if job is None else job.review()

    def start(self, table: Table, seat: int, requester: Requester) -> Review:
        """Start a review of a seat's decisions. Raises Refusal for too long a match, TooMany if too many are under way
        or the address has used up its budget."""
        check_length(table, seat)
        others = [job.requester for job in self._jobs.values() if job.is_under_way]
        others = [other for other in others if other.seated == requester.seated]
        if len(others) >= MOST_AT_ONCE or others.count(requester) >= MOST_OF_ONE:
            raise TooMany("Many matches are waiting to be reviewed: try again in a few minutes")
        self._workers.admit(requester)
        job = self._jobs[table.plan.id, seat] = ReviewJob(Transcript.of(table.match), table.names, seat, requester)
        task = asyncio.create_task(self._review(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        while len(self._jobs) > MOST_KEPT:
            self._jobs.popitem(last=False)
        return job.review()

    async def _review(self, job: ReviewJob) -> None:
        try:
            async with asyncio.timeout(READY):
                while not self._is_ready(job.transcript.setup):
                    await asyncio.sleep(1.0)
            pauses = 0
            while job.is_under_way:
                try:
                    job.note(await self._judge_on(job))
                    pauses = 0
                except TooMany:
                    pauses += 1
                    if pauses > MOST_PAUSES:
                        raise
                    await asyncio.sleep(PAUSE)
        except (Exception, SystemExit) as error:
            log.error("a match of %s could not be reviewed: %r", job.transcript.setup.game.slug, error)
            job.state = "failed"

    async def _judge_on(self, job: ReviewJob) -> Judged:
        """Judge some more decisions. A review takes long, so it queues behind the requests of people at their tables,
        and leaves them their reserve of the budget."""
        requester = Requester(job.requester.address)
        about = job.transcript, job.names, job.seat, job.judged
        return await self._workers.run(requester, judge_some, *about, limit=LIMIT)

    def close(self) -> None:
        """Stop all reviews at once."""
        for task in self._tasks:
            task.cancel()
