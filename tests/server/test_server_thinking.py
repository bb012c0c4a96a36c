"""Computer players in processes of their own: the same views give the same moves, and no process is left behind."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest
from pausing import without_pauses
from small_game import SmallGame, SmallState
from waiting import PATIENCE

from upcard import Match, games
from upcard.engine.setup import Setup
from upcard.engine.views import View
from upcard.players import PLAYERS, warmup
from upcard.rules import Pile, override
from upcard.rules.game import Game
from upcard.server import thinking
from upcard.server.thinking import Thinkers
from upcard.table.errors import Refusal

LEVELS = {"random": PLAYERS["random"], "casual": PLAYERS["heuristic"]}


@pytest.fixture
async def thinkers(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Thinkers]:
    """Players; the casual ones think in another process and are ready for Sixty-Six."""
    monkeypatch.setattr(warmup, "QUICK", ("random",))
    monkeypatch.setattr(warmup, "LEVELS", LEVELS)
    monkeypatch.setattr(thinking, "PACE", 0.0)
    monkeypatch.setattr(thinking, "DEADLINE", 60.0)
    thinkers = Thinkers()
    thinkers._ready.add("sixty-six")
    yield thinkers
    thinkers.close()


def opening(slug: str = "sixty-six") -> View[Any]:
    """What the player to act sees at the beginning."""
    match = Match(slug, chance=Random(1))
    return match.view(match.to_act[0])


def loaded_modules() -> list[str]:
    return [*sys.modules]


async def test_a_process_thinks_and_a_new_one_takes_its_place(thinkers: Thinkers) -> None:
    seen = opening()
    assert await thinkers.think("casual", seen) in seen.legal()
    assert thinkers._pool is not None
    (worker,) = thinkers._pool._processes.values()
    os.kill(worker.pid or 0, signal.SIGKILL)
    worker.join(10)
    assert await thinkers.think("casual", seen) in seen.legal()


async def test_all_who_wait_for_a_process_that_dies_are_answered(thinkers: Thinkers) -> None:
    seen = opening()
    await thinkers.think("casual", seen)
    assert thinkers._pool is not None
    for worker in thinkers._pool._processes.values():
        os.kill(worker.pid or 0, signal.SIGSTOP)
    thoughts = [asyncio.create_task(thinkers.think("casual", seen)) for _ in range(4)]
    await asyncio.sleep(0.1)
    for worker in [*thinkers._pool._processes.values()]:
        worker.kill()
    for move in await asyncio.gather(*thoughts):
        assert move in seen.legal()


async def test_every_move_takes_the_same_time_however_clear_it_is(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    now = 100.0

    async def thought(level: str, seen: View[Any]) -> str:
        nonlocal now
        now += 0.25 * (1 + len(slept))
        return "move"

    monkeypatch.setattr(thinking, "PACE", 1.0)
    monkeypatch.setattr("upcard.server.thinking.time.monotonic", lambda: now)
    monkeypatch.setattr(thinkers, "_in_time", thought)
    with monkeypatch.context() as patch:
        without_pauses(patch, slept.append)
        for _ in range(2):
            await thinkers.think("casual", opening())
    assert slept == [0.75, 0.5]


async def test_a_quicker_player_moves_where_a_slow_one_is_too_late(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*about: object) -> str:
        await asyncio.Event().wait()
        return ""

    monkeypatch.setattr(thinking, "DEADLINE", 0.01)
    monkeypatch.setattr(thinkers, "_ask", never)
    seen = opening()
    assert thinkers.state("casual", seen) == "thinking"
    assert await thinkers.think("casual", seen) in seen.legal()
    assert thinkers.waiting == 0


class OneWorker(Executor):
    """Works at what it was given first, for ever; all else waits for it."""

    def __init__(self) -> None:
        self.given: list[Future[Any]] = []

    def submit(self, *about: Any, **more: Any) -> Future[Any]:
        self.given.append(Future())
        if len(self.given) == 1:
            self.given[0].set_running_or_notify_cancel()
        return self.given[-1]

    def shutdown(self, *about: Any, **more: Any) -> None:
        pass


async def test_the_time_in_the_queue_counts(thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch) -> None:
    queue, clock = OneWorker(), 0.0

    async def wait_for(answer: Any, seconds: float) -> str:
        """As `asyncio.wait_for`, on a clock that the test moves."""
        asked, thought = clock, asyncio.ensure_future(answer)
        async with asyncio.timeout(PATIENCE):
            while not thought.done() and clock < asked + seconds:
                await asyncio.sleep(0)
        if not thought.done():
            thought.cancel()
            await asyncio.gather(thought, return_exceptions=True)
            raise TimeoutError
        return thought.result()

    monkeypatch.setattr(thinking, "DEADLINE", 4.0)
    monkeypatch.setattr("upcard.server.thinking.asyncio.wait_for", wait_for)
    monkeypatch.setattr(thinkers, "_pool", queue)
    monkeypatch.setattr(thinking, "stop", lambda pool: None)
    seen = opening()
    first, second = (asyncio.create_task(thinkers.think("casual", seen)) for _ in range(2))
    async with asyncio.timeout(PATIENCE):
        while len(queue.given) < 2:
            await asyncio.sleep(0)
    clock = 3.9
    for _ in range(10):
        await asyncio.sleep(0)
    assert thinkers.waiting == 2
    clock = 4.0
    async with asyncio.timeout(30):
        assert await second in seen.legal(), "it has waited as long as the first, though nobody ever began with it"
        assert await first in seen.legal()
    assert thinkers.waiting == 0
    assert queue.given[1].cancelled(), "nobody works on what came too late"


async def test_a_quicker_player_moves_while_a_game_is_made_ready(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinking, "make_ready", compile_nothing)
    thinkers._ready.clear()
    seen = opening()
    assert thinkers.state("casual", seen) == "getting ready"
    assert thinkers.state("random", seen) == ""
    assert await thinkers.think("casual", seen) in seen.legal()
    assert thinkers._pool is None
    async with asyncio.timeout(PATIENCE):
        while thinkers.state("casual", seen) != "thinking":
            await asyncio.sleep(0.01)


def compile_nothing(setup: Game[Any], level: str) -> None:
    """In place of compiling, in another process."""


def test_the_views_that_are_compiled_for_are_of_the_beginning_and_the_end_of_a_deal() -> None:
    views = warmup._few_choices(Setup("sixty-six"))
    assert len(views[0].hand()) == 6
    assert len(views[-1].hand()) < 5


def test_a_game_without_choices_is_ready_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmup, "step_back", lambda: None)
    [small] = games.load_file(Path(__file__).parents[1] / "small_game.py").values()
    warmup.make_ready(Setup(small.variant("one-card", numbers={"size": 1})), "strong")


def test_faulty_rules_end_the_process_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    class Faulty(SmallGame):
        title = "Faulty"

        @override
        def deal(self, s: SmallState, order: Pile) -> None:
            s.hand[s.players] = 1

    monkeypatch.setattr(warmup, "step_back", lambda: None)
    with pytest.raises(SystemExit) as ended:
        warmup.make_ready(Setup(Faulty), "expert")
    assert ended.value.code == 1


PROGRAM = """
import asyncio, os
from pathlib import Path
from random import Random
from threading import Event
from upcard import Match, games
from upcard.players import warmup
from upcard.server import thinking
async def main():
    warmup.QUICK = ("random",)
    thinking.DEADLINE = 60.0
    thinkers = thinking.Thinkers()
    thinkers._ready.add("sixty-six")
    match = Match("sixty-six", chance=Random(1))
    await thinkers.think("casual", match.view(match.to_act[0]))
    print(*thinkers._pool._processes, flush=True)
    await asyncio.sleep(60)
if __name__ == "__main__":
    asyncio.run(main())
"""


def test_processes_go_when_the_server_is_killed() -> None:
    server = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    worker = int(server.stdout.readline())
    server.kill()
    server.wait()
    until = time.monotonic() + 10
    while time.monotonic() < until:
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            return
        if (state := process_state(worker)) in ("Z", ""):  # gone, only not yet collected by whoever inherited it
            return
        time.sleep(0.05)
    pytest.fail(f"process {worker} is left behind ({state})")


def process_state(process: int) -> str:
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0]
    except OSError:
        return ""


async def test_thinking_does_not_hold_up_the_event_loop(thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch) -> None:
    loop, turned = asyncio.get_running_loop(), Event()

    def thought(level: str, seen: View[Any]) -> bool:
        """Is over when the loop has turned."""
        loop.call_soon_threadsafe(turned.set)
        return turned.wait(30)

    monkeypatch.setattr(thinking, "choose", thought)
    monkeypatch.setattr(thinking, "stop", ThreadPoolExecutor.shutdown)
    monkeypatch.setattr(thinkers, "_pool", ThreadPoolExecutor(1))
    assert await thinkers.think("casual", opening())


async def test_the_game_of_a_table_just_opened_is_made_ready_next(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(thinkers: Thinkers) -> None:
        pass

    monkeypatch.setattr(Thinkers, "_warm_all", nothing)
    loo = Setup("loo")
    thinkers.expect(loo)
    assert thinkers._wanted == {}, "a house that does not warm up waits until it is asked"
    thinkers.warm_all()
    assert next(reversed(thinkers._wanted)) != "loo"
    thinkers.expect(loo)
    assert next(reversed(thinkers._wanted)) == "loo"
    thinkers._wanted.popitem()
    thinkers.expect(loo)
    assert "loo" not in thinkers._wanted, "once is enough"


async def test_where_no_process_starts_a_quicker_player_moves_until_one_does(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []

    def start(process: Any) -> None:
        started.append(process.name)
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("multiprocessing.context.SpawnProcess.start", start)
    seen = opening("loo")
    for tries in (1, 2):
        assert await thinkers.think("casual", seen) in seen.legal()
        assert thinkers._warmer is not None
        await thinkers._warmer
        assert started == tries * ["loo"]
    assert thinkers.state("casual", seen) == "getting ready"


async def test_a_process_gets_ready_to_think_when_a_table_is_opened(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Thinkers, "hurry", lambda *_: None)
    thinkers.expect(Setup("loo"))
    assert thinkers._pool is None, "a house that does not compile ahead waits until it is asked"
    thinkers._eager = True
    thinkers.expect(Setup("loo"))
    assert thinkers._pool is not None
    loaded = await asyncio.wrap_future(thinkers._pool.submit(loaded_modules))
    assert "upcard.compiled.worlds" in loaded


async def test_a_table_is_opened_though_no_process_can_be_started(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(ThreadPoolExecutor):
        def submit(self, *_: object, **__: object) -> Any:
            raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(thinking, "ProcessPoolExecutor", lambda *_, **__: Full(1))
    monkeypatch.setattr(thinking, "stop", ThreadPoolExecutor.shutdown)
    monkeypatch.setattr(Thinkers, "hurry", lambda *_: None)
    thinkers._eager = True
    thinkers.expect(Setup("loo"))
    with pytest.raises(BlockingIOError):
        await thinkers._ask(int)


async def test_a_game_with_faulty_rules_is_compiled_once_and_hints_are_refused(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []

    class Process:
        exitcode = warmup.FAULTY

        def __init__(self, name: str, **_: Any) -> None:
            self.name = name

        def start(self) -> None:
            begun.append(self.name)

        def join(self) -> None:
            pass

        close = kill = join

    context = type("Context", (), {"Process": lambda _, **about: Process(**about)})()
    monkeypatch.setattr("upcard.server.thinking.multiprocessing.get_context", lambda _: context)
    assert not thinkers.is_ready(Setup("loo"))
    assert thinkers._warmer is not None
    await thinkers._warmer
    with pytest.raises(Refusal, match="There are no hints for this game"):
        thinkers.is_ready(Setup("loo"))
    thinkers.hurry(Setup("loo"))
    await thinkers._warmer
    assert begun == ["loo"]


async def test_a_game_that_nobody_waits_for_is_set_aside_and_comes_again(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    class Worker:
        """Compiles Cinch for ever until somebody else has been served."""

        def __init__(self, args: tuple[Game[Any], str], name: str, **_: Any) -> None:
            self.name, self.exitcode, self._killed = name, 0, Event()

        def start(self) -> None:
            pass

        def join(self) -> None:
            if self.name == "cinch" and not made and self._killed.wait(60):
                self.exitcode = -signal.SIGKILL
            else:
                made.append(self.name)

        def kill(self) -> None:
            self._killed.set()

        def close(self) -> None:
            pass

    context = type("Context", (), {"Process": lambda _, target, daemon, **about: Worker(**about)})()
    monkeypatch.setattr("upcard.server.thinking.multiprocessing.get_context", lambda _: context)
    thinkers.warm(Setup("cinch"), Setup("rounds"))
    async with asyncio.timeout(PATIENCE):
        while thinkers._warming is None:
            await asyncio.sleep(0)
    thinkers.hurry(Setup("loo"))
    assert thinkers._warmer is not None
    await thinkers._warmer
    assert made == ["loo", "rounds", "cinch"]
    assert {"cinch", "loo", "rounds"} <= thinkers._ready
