"""Computer players think in the background."""

import asyncio
import re
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pausing import without_pauses
from waiting import PATIENCE, wait_until

from upcard import Match
from upcard.engine.errors import UpcardError
from upcard.engine.worlds import NoWorld
from upcard.players import LONG, PLAYERS, warmup
from upcard.rules.game import Game
from upcard.rules.phrases import how_to_get
from upcard.table.errors import Refusal
from upcard.terminal import thinking
from upcard.terminal.thinking import Players
from upcard.workers import aside

LEFT_WHILE_A_PLAYER_THINKS = """
import signal, sys, threading
from upcard import games
from upcard.engine.setup import Setup
from upcard.engine.worlds import NoWorld
from upcard.terminal.line_session import LineSession
from upcard.terminal.session import Session
from upcard.terminal.preferences import Preferences
from upcard.terminal.local_store import LocalStore
from upcard.workers import aside

def for_ever():
    print("thinking", flush=True)
    threading.Event().wait()

signal.signal(signal.SIGINT, signal.default_int_handler)
table = Session.new(
    LocalStore(None), Setup(games.load("oh-hell")), name="Ann", seed=1, think=lambda level, seen: aside(for_ever)
)
LineSession(table, Preferences(), sys.stdin, sys.stdout).run()
"""


def test_nobody_who_leaves_waits_for_a_player_that_thinks() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", LEFT_WHILE_A_PLAYER_THINKS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "thinking\n"
        process.send_signal(signal.SIGINT)
        try:
            told, _ = process.communicate(timeout=300)
        finally:
            process.kill()
        assert process.returncode == 0
        assert told.splitlines()[-1].startswith("You leave the table. To return: upcard play --resume ")


MADE_READY_BEHIND_A_SCREEN = """
import asyncio, io, sys
from upcard.engine.setup import Setup
from upcard.workers import Compilation

class Screen(io.StringIO):
    def fileno(self):
        return -1

async def main():
    print(await Compilation(Setup("oh-hell"), "strong", print).start())

if __name__ == "__main__":
    sys.stderr = Screen()
    asyncio.run(main())
"""


def test_players_are_made_ready_though_the_screen_has_taken_the_streams(tmp_path: Path) -> None:
    """Textual's standard error is no file, and a new process is given the files of the old one."""
    script = tmp_path / "ready.py"
    script.write_text(MADE_READY_BEHIND_A_SCREEN)
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=300)
    assert ran.stdout.endswith("0\n"), ran.stderr


async def test_what_goes_wrong_in_thinking_is_told() -> None:
    assert await aside(lambda: "10s") == "10s"
    with pytest.raises(ZeroDivisionError):
        await aside(lambda: str(1 // 0))
    with pytest.raises(UpcardError, match=r"has called sys\.exit"):
        await asyncio.wait_for(aside(sys.exit), 60)
    await asyncio.sleep(0)


async def test_hints_say_what_they_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "upcard.players.advice", None)
    match = Match("sixty-six", chance=Random(1))
    with pytest.raises(Refusal, match=re.escape(f"Hints need more packages: {how_to_get('fast')}")):
        await Players(Random(1)).advise(match.view(0))


async def test_hints_say_that_no_process_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(process: Any) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("multiprocessing.context.SpawnProcess.start", start)
    match = Match("sixty-six", chance=Random(1))
    with pytest.raises(Refusal, match=r"no process can be started: .* temporarily unavailable"):
        await Players(Random(1)).advise(match.view(0))


def wait_for_a_file(setup: Game[Any], level: str) -> None:
    """In place of compiling, in another process, for a level named like a file."""
    wait_until(Path(level).exists)


async def test_casual_players_move_until_strong_ones_are_ready(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    level = str(tmp_path / "ready")
    monkeypatch.setattr(warmup, "LEVELS", {"casual": PLAYERS["heuristic"], level: PLAYERS["search"]})
    asked: list[str] = []

    class Asked:
        def choose(self, view: Any, rng: Random) -> str:
            return "move"

    def player(name: str) -> Asked:
        asked.append(name)
        return Asked()

    monkeypatch.setattr("upcard.players.player", player)
    match = Match("sixty-six", chance=Random(1))
    seen = match.view(match.to_act[0])
    choose = Players(Random(1), wait_for_a_file, patience=0.01)
    await choose(level, seen)
    await choose("casual", seen)
    assert asked == ["casual", "casual"]
    Path(level).touch()
    async with asyncio.timeout(PATIENCE):
        while asked[-1] != level:
            await choose(level, seen)


async def test_how_long_a_slow_player_thinks_does_not_tell_what_it_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the quickest pace of the table, too: its move comes after the same time, however clear it was."""
    waited: list[float] = []

    class Quick:
        def choose(self, view: Any, rng: Random) -> str:
            return "move"

    monkeypatch.setattr("upcard.players.player", lambda name: Quick())
    without_pauses(monkeypatch, waited.append)
    match = Match("sixty-six", chance=Random(1))
    choose = Players(Random(1), print, patience=600.0)
    for level in ("casual", "strong", "expert"):
        await choose(level, match.view(match.to_act[0]))
    assert waited == [0.0, *thinking.EVEN.values()]
    assert thinking.EVEN["strong"] < LONG < thinking.EVEN["expert"]


async def test_where_the_rules_allow_no_advice_a_hint_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*about: Any) -> None:
        raise NoWorld("no deal fits")

    monkeypatch.setattr("upcard.players.advice.advise", refused)
    match = Match("sixty-six", chance=Random(1))
    with pytest.raises(Refusal, match="There is no hint: no deal fits"):
        await Players(Random(1), print).advise(match.view(match.to_act[0]))
