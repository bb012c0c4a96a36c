"""Reviews of finished matches, decision by decision, in other processes."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from upcard.house.bodies import Review
from upcard.house.replays import Transcript
from upcard.house.services import Requester
from upcard.rules.game import Game
from upcard.table.advising import Mistake, Wording, grade_line
from upcard.table.errors import Refusal, TooMany
from upcard.table.table import Table
from upcard.workers import WorkerPool

if TYPE_CHECKING:
    from upcard.players.review import Grade

MOST_KEPT = 500
"""The number of reviews kept in memory."""
MOST_AT_ONCE = 50
"""The most reviews under way, counted separately for people who sit at the table concerned."""
MOST_OF_ONE = 4
"""The same for one address."""
MOST_MOVES = 3000
"""The most events of the seat in a match that can be reviewed; a longer one would delay all others."""
MOST_TOLD = 50
"""The number of costliest mistakes reported."""
SPELL = 1.0
"""Seconds of processor time after which a review gives way to other work, until its turn comes again."""
LIMIT = 60.0
"""Seconds that the decisions judged in one turn may take."""
READY = 600.0
"""Seconds that a review waits at most for its game to be compiled."""
PAUSE, MOST_PAUSES = 5.0, 100
"""Seconds after which a review that was refused its turn asks again, and how often in a row it does."""

log = logging.getLogger("upcard.server")


@dataclass(frozen=True)
class Judged:
    """The verdicts on some consecutive decisions of a seat."""

    of: int
    """The number of all decisions."""
    grades: list[Grade]
    mistakes: list[tuple[float, Mistake]]
    """The mistakes among them, each with its cost."""


class Job:
    """The review of one seat's decisions in one match, for one requester."""

    def __init__(self, transcript: Transcript, names: Iterable[str], seat: int, requester: Requester) -> None:
        self.transcript = transcript
        self.names = [*names]
        self.seat = seat
        self.requester = requester
        self.state: Literal["waiting", "running", "done", "failed"] = "waiting"
        self._of = 0
        self._grades: list[Grade] = []
        self._mistakes: list[tuple[float, Mistake]] = []

    @property
    def judged(self) -> int:
        """The number of decisions judged so far."""
        return len(self._grades)

    @property
    def is_under_way(self) -> bool:
        return self.state in ("waiting", "running")

    def note(self, judged: Judged) -> None:
        """Record further verdicts."""
        self._of = judged.of
        self._grades += judged.grades
        self._mistakes = sorted(self._mistakes + judged.mistakes, key=lambda entry: -entry[0])
        self.state = "done" if self.judged == self._of else "running"

    def review(self) -> Review:
        """The review so far."""
        mistakes = [mistake for _, mistake in self._mistakes[:MOST_TOLD]]
        return Review(self.seat, self.state, self.judged, self._of, grade_line(self._grades), mistakes)


class Reviews:
    """All requested reviews. Those under way take turns."""

    def __init__(self, workers: WorkerPool, is_ready: Callable[[Game[Any]], bool]) -> None:
        """`is_ready` returns whether a game is compiled, and if not has it compiled; it raises Refusal if it cannot
        be."""
        self._workers = workers
        self._is_ready = is_ready
        self._jobs: OrderedDict[tuple[str, int], Job] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    def of(self, table: Table, seat: int) -> Review | None:
        """The review of a seat so far; None if nobody has asked for it yet."""
        job = self._jobs.get((table.plan.id, seat))
        return None if job is None else job.review()

    def start(self, table: Table, seat: int, requester: Requester) -> Review:
        """Start a review of a seat's decisions. Raises Refusal for too long a match, TooMany if too many are under way
        or the address has used up its budget."""
        if sum(event.seat == seat for event in table.match.events) > MOST_MOVES:
            raise Refusal("This match is too long to be reviewed here: save its record for `upcard review`")
        others = [job.requester for job in self._jobs.values() if job.is_under_way]
        others = [other for other in others if other.seated == requester.seated]
        if len(others) >= MOST_AT_ONCE or others.count(requester) >= MOST_OF_ONE:
            raise TooMany("Many matches are waiting to be reviewed: try again in a few minutes")
        self._workers.admit(requester)
        job = self._jobs[table.plan.id, seat] = Job(Transcript.of(table.match), table.names, seat, requester)
        task = asyncio.create_task(self._review(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        while len(self._jobs) > MOST_KEPT:
            self._jobs.popitem(last=False)
        return job.review()

    async def _review(self, job: Job) -> None:
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

    async def _judge_on(self, job: Job) -> Judged:
        """Judge some more decisions. A review takes long, so it queues behind the requests of people at their tables,
        and leaves them their reserve of the budget."""
        requester = Requester(job.requester.address)
        about = job.transcript, job.names, job.seat, job.judged
        return await self._workers.run(requester, _judge_some, *about, limit=LIMIT)

    def close(self) -> None:
        """Stop all reviews at once."""
        for task in self._tasks:
            task.cancel()


def _judge_some(transcript: Transcript, names: list[str], seat: int, after: int) -> Judged:
    """Judge a seat's decisions after the first `after`, until `SPELL` is over. Runs in a worker's process."""
    from upcard.players.review import decisions, judge

    began, grades, mistakes = time.process_time(), list[Any](), list[tuple[float, Mistake]]()
    to_judge = [*decisions(transcript.match(), seat)]
    for decision in to_judge[after:]:
        verdict = judge(decision)
        grades.append(verdict.grade)
        if verdict.better is not None:
            mistakes.append((verdict.played.loss, Wording(decision.seen, names).mistake(verdict)))
        if time.process_time() - began > SPELL:
            break
    return Judged(len(to_judge), grades, mistakes)
