"""Strong players, experts, hints and reviews in a browser: they run loops that were compiled to WebAssembly, whose
modules are fetched when a game first needs them.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
import traceback
from collections.abc import Awaitable
from random import Random
from typing import Any

from upcard import games
from upcard.browser.web_machine import CompiledGames
from upcard.engine.match import Match
from upcard.engine.views import View
from upcard.engine.worlds import NoWorld
from upcard.house.bodies import Review
from upcard.house.replays import Transcript
from upcard.house.review_jobs import ReviewJob, check_length, judge_some
from upcard.house.services import Requester
from upcard.players import choose
from upcard.players.thinking_limits import Deadline
from upcard.rules.game import Game
from upcard.rules.sentences import sentence
from upcard.table.errors import Refusal
from upcard.table.summary import Busy
from upcard.table.table import Table

QUICK_LEVELS = ("easy", "casual", "medium")
"""The computer players that need no compiled code, from the weakest."""
NOT_COMPILED = sentence(
    "Hints and strong players are not here for this game: its rules are not among those that were compiled"
)
NOT_FETCHED = sentence("What hints need could not be fetched: try again when there is a connection")
WARM_MOVES = 3
"""The number of moves that a strong player makes in advance: a browser translates a module better while it runs."""
EXPERT = 0.7
"""Seconds after which an expert's rollouts end; checking for a blunder may follow."""
SPELL = 0.2
"""Seconds after which a review lets people's moves come first."""


class BrowserPlayers:
    """The computer players of a browser. Until a game's module has been fetched, and where it cannot be, the strongest
    of the quick ones plays for stronger ones."""

    def __init__(self, modules: CompiledGames) -> None:
        self._modules = modules
        self._loading: dict[str, asyncio.Task[bool]] = {}

    def __call__(self, level: str, seen: View[Any]) -> str | Awaitable[str]:
        return choose(level, seen) if level in QUICK_LEVELS else self._think(level, seen)

    async def _think(self, level: str, seen: View[Any]) -> str:
        if not await self.ready(seen.game):
            return choose(QUICK_LEVELS[-1], seen)
        return choose(level, seen, Deadline(time.perf_counter(), EXPERT) if level == "expert" else None)

    def state(self, level: str, seen: View[Any]) -> Busy:
        if level in QUICK_LEVELS:
            return ""
        return "thinking" if self._is_loaded(seen.game) else "getting ready"

    def is_ready(self, setup: Game[Any]) -> bool:
        if not is_compiled(setup.game):
            raise Refusal(NOT_COMPILED)
        task = self._loading.get(setup.game.slug)
        if task is not None and task.done() and not task.result():
            del self._loading[setup.game.slug]  # the next request fetches it again
            raise Refusal(NOT_FETCHED)
        return self._load(setup.game).done()

    def expect(self, setup: Game[Any]) -> None:
        if is_compiled(setup.game):
            self._load(setup.game)

    async def ready(self, game: type[Game[Any]]) -> bool:
        """Whether a game's module is there, which is fetched if necessary."""
        return is_compiled(game) and await self._load(game)

    def _load(self, game: type[Game[Any]]) -> asyncio.Task[bool]:
        task = self._loading.get(game.slug)
        if task is None or (task.done() and not task.result()):
            task = self._loading[game.slug] = asyncio.ensure_future(self._fetch(game))
        return task

    def _is_loaded(self, game: type[Game[Any]]) -> bool:
        task = self._loading.get(game.slug)
        return task is not None and task.done() and task.result()

    async def _fetch(self, game: type[Game[Any]]) -> bool:
        if not await self._modules.load(game.slug):
            return False
        warm_up(game)
        return True


def is_compiled(game: type[Game[Any]]) -> bool:
    """Whether a game comes with Upcard, so that its loops were compiled. Its options and numbers may be any."""
    return game.slug in (*games.SLUGS, *games.VARIANTS) and games.load(game.slug) is game


def warm_up(game: type[Game[Any]]) -> None:
    """Let a strong player make some moves of a match."""
    match: Match[Any] = Match(game, chance=Random(1))
    warm = 0
    while warm < WARM_MOVES and not match.done:
        view = match.view(match.to_act[0])
        if len(view.legal_moves()) > 1:
            warm += 1
            with contextlib.suppress(NoWorld):
                choose("strong", view)
        match.play(match.to_act[0], choose("casual", view))


class BrowserReviews:
    """The reviews of matches, a few decisions at a time."""

    def __init__(self, players: BrowserPlayers) -> None:
        self._players = players
        self._jobs: dict[tuple[str, int], ReviewJob] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def of(self, table: Table, seat: int) -> Review | None:
        job = self._jobs.get((table.plan.id, seat))
        return None if job is None else job.review()

    def start(self, table: Table, seat: int, requester: Requester) -> Review:
        check_length(table, seat)
        if not is_compiled(table.match.game):
            raise Refusal(NOT_COMPILED)
        job = self._jobs[table.plan.id, seat] = ReviewJob(Transcript.of(table.match), table.names, seat, requester)
        task = asyncio.ensure_future(self._review(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return job.review()

    async def _review(self, job: ReviewJob) -> None:
        try:
            if not await self._players.ready(job.transcript.setup.game):
                job.state = "failed"
            while job.is_under_way:
                await asyncio.sleep(0)
                job.note(judge_some(job.transcript, job.names, job.seat, job.judged, SPELL))
        except Exception:
            traceback.print_exc()  # on the browser's console
            job.state = "failed"
