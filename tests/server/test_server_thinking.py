"""Computer players in processes of their own: the same view, the same moves, and no process left behind."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from random import Random

import pytest

from upcard import Match
from upcard.server import thinking
from upcard.server.thinking import Thinkers


@pytest.fixture
async def thinkers(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Thinkers]:
    """All players in other processes, the quick ones too."""
    monkeypatch.setattr(thinking, "QUICK", ())
    thinkers = Thinkers()
    yield thinkers
    thinkers.close()


async def test_a_process_thinks_and_a_new_one_takes_its_place(thinkers: Thinkers) -> None:
    match = Match("sixty-six", chance=Random(1))
    seen = match.view(match.to_act[0])
    assert await thinkers("casual", seen) in seen.legal()
    assert thinkers._pool is not None
    (worker,) = thinkers._pool._processes.values()
    os.kill(worker.pid or 0, signal.SIGKILL)
    worker.join(10)
    assert await thinkers("casual", seen) in seen.legal()


PROGRAM = """
import asyncio, os
from random import Random
from upcard import Match
from upcard.server import thinking
async def main():
    thinking.QUICK = ()
    thinkers = thinking.Thinkers()
    match = Match("sixty-six", chance=Random(1))
    await thinkers("casual", match.view(match.to_act[0]))
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
    match = Match("sixty-six", chance=Random(1))
    thought = asyncio.create_task(thinkers("casual", match.view(match.to_act[0])))
    turns = 0
    while not thought.done():
        await asyncio.sleep(0.01)
        turns += 1
    assert turns > 5
