"""Computer players in processes of their own: the same views give the same moves, and no process is left behind.

Most tests give the players a stand-in for thinking or compiling, which notes that it has begun and waits to be let go.
"""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pausing import without_pauses
from small_game import SmallGame, SmallState
from stand_ins import Elsewhere, compile_nothing, has_loaded
from waiting import PATIENCE, until, wait_until

from upcard import Match, games
from upcard.engine.setup import Setup
from upcard.engine.views import View
from upcard.players import choose, warmup
from upcard.players.warmup import FAULTY, quick
from upcard.rules import Pile, override
from upcard.server.thinking import Thinkers
from upcard.table.errors import Refusal
from upcard.workers import Compilations

READY = Compilations(compile_nothing)
"""Compiles nothing. Sixty-Six is ready from the first test on that needs it."""
HERE = f"{quick()} {os.getpid()}"
"""The answer of a quick player in this process."""


def opening(slug: str = "sixty-six") -> View[Any]:
    """What the player to act sees at the beginning."""
    match = Match(slug, chance=Random(1))
    return match.view(match.to_act[0])


COMPILED_WITHIN = 400.0
"""Seconds, on a machine that has much else to do."""


async def ready() -> Compilations:
    READY.add(Setup("sixty-six"))
    await until(lambda: READY.is_ready(Setup("sixty-six")), COMPILED_WITHIN)
    return READY


@pytest.fixture
def elsewhere(tmp_path: Path) -> Elsewhere:
    return Elsewhere(tmp_path)


@pytest.fixture
async def thinkers(elsewhere: Elsewhere) -> AsyncIterator[Thinkers]:
    """Players who are ready for Sixty-Six, and answer from one other process when they are let."""
    thinkers = Thinkers(elsewhere.think, await ready(), pace=0.0, deadline=60.0, workers=1)
    yield thinkers
    thinkers.close()


@pytest.fixture
async def unready(elsewhere: Elsewhere) -> AsyncIterator[Thinkers]:
    """Players whose games are compiled when that is let."""
    thinkers = Thinkers(elsewhere.think, Compilations(elsewhere.compile), pace=0.0)
    yield thinkers
    thinkers.close()


def refuse_to_start(process: Any) -> None:
    raise BlockingIOError(11, "Resource temporarily unavailable")


# ------------------------------------------------------------------------------------------------------------ thinking


async def test_a_process_thinks_as_this_one_would_and_a_new_one_takes_its_place() -> None:
    thinkers, seen = Thinkers(compilations=await ready(), pace=0.0, deadline=60.0), opening()
    try:
        assert await thinkers.think("casual", seen) == choose("casual", seen)
        (worker,) = thinkers.ids
        os.kill(worker, signal.SIGKILL)
        assert await thinkers.think("casual", seen) == choose("casual", seen)
        assert worker not in thinkers.ids
    finally:
        thinkers.close()
    assert thinkers.ids == []


async def test_quick_players_move_here_and_at_once(thinkers: Thinkers) -> None:
    assert thinkers(quick(), opening()) == HERE
    assert thinkers.ids == []


async def test_all_who_wait_for_a_process_that_dies_are_answered(thinkers: Thinkers, elsewhere: Elsewhere) -> None:
    thoughts = [asyncio.create_task(thinkers.think("strong", opening())) for _ in range(4)]
    await until(lambda: elsewhere.begun)
    (dead,) = thinkers.ids
    os.kill(dead, signal.SIGKILL)
    elsewhere.let("think")
    answers = {*await asyncio.gather(*thoughts)}
    (alive,) = thinkers.ids
    assert answers == {f"strong {alive}"}
    assert alive != dead


async def test_every_move_takes_the_same_time_however_clear_it_is(
    elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept, clock = list[float](), iter([100.0, 100.25, 200.0, 200.5, 300.0, 301.5])
    thinkers = Thinkers(elsewhere.think, await ready(), pace=1.0, deadline=60.0, clock=clock.__next__)
    elsewhere.let("think")
    with monkeypatch.context() as patch:
        without_pauses(patch, slept.append)
        for _ in range(3):
            await thinkers.think("strong", opening())
    thinkers.close()
    assert slept == [0.75, 0.5, 0.0]


async def test_a_quicker_player_moves_where_a_slow_one_is_too_late(elsewhere: Elsewhere) -> None:
    """The time in the queue counts: the last has waited as long as the first, though nobody ever began with it."""
    thinkers = Thinkers(elsewhere.think, await ready(), pace=0.0, deadline=0.2, workers=1)
    try:
        assert thinkers.state("strong", opening()) == "thinking"
        late = [asyncio.create_task(thinkers.think("strong", opening())) for _ in range(5)]
        await until(lambda: thinkers.waiting == 5)
        assert await asyncio.gather(*late) == [HERE] * 5
        assert thinkers.waiting == 0
        elsewhere.let("think")
        async with asyncio.timeout(PATIENCE):
            while await thinkers.think("expert", opening()) == HERE:
                pass
        assert elsewhere.begun.count("strong") <= 2, "nobody works on what came too late, except what was handed over"
    finally:
        thinkers.close()


async def test_thinking_does_not_hold_up_the_event_loop(thinkers: Thinkers, elsewhere: Elsewhere) -> None:
    thought = asyncio.create_task(thinkers.think("strong", opening()))
    await until(lambda: elsewhere.begun)
    assert not thought.done()
    elsewhere.let("think")
    (worker,) = thinkers.ids
    assert await thought == f"strong {worker}"


PROGRAM = """
import asyncio
from test_server_thinking import Thinkers, opening, ready
async def main():
    thinkers = Thinkers(compilations=await ready(), deadline=60.0)
    await thinkers.think("casual", opening())
    print(*thinkers.ids, flush=True)
    await asyncio.sleep(60)
if __name__ == "__main__":
    asyncio.run(main())
"""


def test_processes_go_when_the_server_is_killed() -> None:
    path = os.pathsep.join(sys.path)
    server = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path}
    )
    assert server.stdout is not None
    worker = int(server.stdout.readline())
    server.kill()
    server.wait()
    wait_until(lambda: process_state(worker) in ("Z", ""))  # gone, or not yet collected by whoever inherited it


def process_state(process: int) -> str:
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0]
    except OSError:
        return ""


async def test_a_process_gets_ready_to_think_when_a_table_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "names", list)
    thinkers = Thinkers(partial(has_loaded, "upcard.compiled.native"), await ready(), pace=0.0, deadline=60.0)
    try:
        thinkers.expect(Setup("sixty-six"))
        assert thinkers.ids == [], "a house that does not compile ahead waits until it is asked"
        thinkers.warm_all()
        thinkers.expect(Setup("sixty-six"))
        assert len(thinkers.ids) == 1
        assert await thinkers.think("strong", opening()) == "True"
    finally:
        thinkers.close()


async def test_a_table_is_opened_though_no_process_can_be_started(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "names", list)
    thinkers.warm_all()
    monkeypatch.setattr("multiprocessing.context.SpawnProcess.start", refuse_to_start)
    thinkers.expect(Setup("sixty-six"))
    with pytest.raises(BlockingIOError):
        await thinkers.think("strong", opening())


# ----------------------------------------------------------------------------------------------------------- compiling


async def test_a_quicker_player_moves_while_a_game_is_made_ready(unready: Thinkers, elsewhere: Elsewhere) -> None:
    seen = opening()
    assert unready.state("strong", seen) == "getting ready"
    assert unready.state("casual", seen) == ""
    assert await unready.think("strong", seen) == HERE
    assert unready.ids == [], "no process waits to think meanwhile"
    elsewhere.let("sixty-six")
    await until(lambda: unready.state("strong", seen) == "thinking")


async def test_the_game_of_a_table_just_opened_is_made_ready_next(
    unready: Thinkers, elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "names", lambda: ["cinch", "loo", "rounds"])
    elsewhere.let("cinch", "loo", "rounds")
    loo, last = Setup("loo"), Setup("rounds")
    unready.expect(loo)
    assert elsewhere.begun == [], "a house that does not warm up waits until it is asked"
    unready.warm_all()
    for _ in range(2):  # once is enough
        unready.expect(loo)
    await until(lambda: unready.state("strong", opening("rounds")) == "thinking")
    unready.expect(loo)
    unready.expect(last)
    assert elsewhere.begun == ["loo", "cinch", "rounds"]


async def test_a_game_that_nobody_waits_for_is_set_aside_and_comes_again(elsewhere: Elsewhere) -> None:
    compilations = Compilations(elsewhere.compile)
    cinch, loo, rounds = map(Setup, ("cinch", "loo", "rounds"))
    elsewhere.let("loo", "rounds")
    compilations.add(cinch, rounds)
    await until(lambda: elsewhere.begun == ["cinch"])
    compilations.hurry(loo)
    await until(lambda: "loo" in elsewhere.begun)
    elsewhere.let("cinch")
    await compilations.finish()
    assert elsewhere.begun == ["cinch", "loo", "rounds", "cinch"]
    assert all(map(compilations.is_ready, (cinch, loo, rounds)))


async def test_a_game_that_somebody_waits_for_is_not_set_aside(elsewhere: Elsewhere) -> None:
    compilations = Compilations(elsewhere.compile)
    compilations.hurry(Setup("cinch"))
    await until(lambda: elsewhere.begun == ["cinch"])
    compilations.hurry(Setup("loo"))
    elsewhere.let("cinch", "loo")
    await compilations.finish()
    assert elsewhere.begun == ["cinch", "loo"]


async def test_a_game_with_faulty_rules_is_compiled_once_and_hints_are_refused(
    unready: Thinkers, elsewhere: Elsewhere, caplog: pytest.LogCaptureFixture
) -> None:
    elsewhere.let("cinch")
    (elsewhere.folder / "loo").write_text(" ")  # `sys.exit` of a text ends a process with the status 1
    assert FAULTY == 1
    with pytest.raises(Refusal, match="There are no hints for this game"):
        await until(lambda: unready.is_ready(Setup("loo")))
    assert "see `upcard check-game loo`" in caplog.text
    assert await unready.think("strong", opening("loo")) == HERE
    await until(lambda: unready.is_ready(Setup("cinch")))
    assert elsewhere.begun == ["loo", "cinch"]


async def test_where_no_process_starts_a_quicker_player_moves_until_one_does(
    unready: Thinkers, elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    seen = opening("loo")
    with monkeypatch.context() as patch:
        patch.setattr("multiprocessing.context.SpawnProcess.start", refuse_to_start)
        assert await unready.think("strong", seen) == HERE
        await until(lambda: caplog.text.count("no process can be started") == 1)
        assert await unready.think("strong", seen) == HERE
        await until(lambda: caplog.text.count("no process can be started") == 2)
    assert unready.state("strong", seen) == "getting ready"
    elsewhere.let("loo")
    assert await unready.think("strong", seen) == HERE
    await until(lambda: unready.state("strong", seen) == "thinking")


def test_the_views_that_are_compiled_for_are_of_the_beginning_and_the_end_of_a_deal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hands: list[int] = []

    def chosen(level: str, seen: View[Any]) -> str:
        if level == "strong":
            hands.append(len(seen.hand()))
        return choose(level, seen) if level != "strong" else ""

    monkeypatch.setattr(warmup, "step_back", lambda: None)
    monkeypatch.setattr(warmup, "choose", chosen)
    warmup.make_ready(Setup("sixty-six"), "strong")
    assert len(hands) == 3
    assert hands[0] == 6
    assert hands[-1] < 5


def test_a_game_without_choices_is_ready_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = set[str]()

    def chosen(level: str, seen: View[Any]) -> str:
        levels.add(level)
        return choose(level, seen)

    monkeypatch.setattr(warmup, "step_back", lambda: None)
    monkeypatch.setattr(warmup, "choose", chosen)
    [small] = games.load_file(Path(__file__).parents[1] / "small_game.py").values()
    warmup.make_ready(Setup(small.variant("one-card", numbers={"size": 1})), "strong")
    assert levels == {"heuristic"}, "there is nothing to search"


def test_faulty_rules_end_the_process_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    class Faulty(SmallGame):
        title = "Faulty"

        @override
        def deal(self, s: SmallState, order: Pile) -> None:
            s.hand[s.players] = 1

    monkeypatch.setattr(warmup, "step_back", lambda: None)
    with pytest.raises(SystemExit) as ended:
        warmup.make_ready(Setup(Faulty), "expert")
    assert ended.value.code == FAULTY
