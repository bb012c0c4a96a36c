"""A damaged file, a dead thread, a directory that is gone: noticed, said, and never taken for health."""

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Event
from typing import Any

import pytest
from programs import Program
from prometheus_client import generate_latest
from serving import COMPUTER, ME, Person, served
from waiting import PATIENCE

from upcard.engine.errors import UpcardError
from upcard.server import app, heartbeats, reading
from upcard.server.admin import back_up
from upcard.server.app import Application
from upcard.server.heartbeats import BROKEN, Heartbeat, Timekeeper, Vital, Watchdog
from upcard.server.hosting import Hosting
from upcard.server.storage import Store, url_of
from upcard.server.writing import JournalWriter
from upcard.table.errors import NotWritten
from upcard.table.journal import Happened, Plan
from upcard.table.messages import Notice, Refused

RUBBISH = b"\xa5" * 8192


def overwrite(file: Path, begin: int = 0, size: int = len(RUBBISH)) -> None:
    """Overwrite a part of a file, as a faulty disk or another program would."""
    with file.open("r+b") as damaged:
        damaged.seek(begin)
        damaged.write((RUBBISH * (size // len(RUBBISH) + 1))[:size])


def first_pages(folder: Path) -> None:
    overwrite(folder / "upcard.sqlite3")
    overwrite(folder / "upcard.sqlite3-wal")


def only_log(folder: Path) -> None:
    file = folder / "upcard.sqlite3-wal"
    overwrite(file, 0, file.stat().st_size)


def all_but_the_header(folder: Path) -> None:
    for name in ("upcard.sqlite3", "upcard.sqlite3-wal"):
        file = folder / name
        overwrite(file, 100, file.stat().st_size - 100)


def cut_short(folder: Path) -> None:
    for name in ("upcard.sqlite3", "upcard.sqlite3-wal"):
        os.truncate(folder / name, 0)


DAMAGES = [first_pages, only_log, all_but_the_header, cut_short]


@pytest.mark.long
@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_damaged_file_is_noticed_though_nobody_plays_and_is_not_written_any_more(
    tmp_path: Path, damage: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        for _ in range(20):
            await ann.open(ME, COMPUTER)
        await ann.look()
        await ann.my_turn()
        damage(tmp_path)
        assert (await ann.hear(Notice)).kind == "trouble"
        answer = await ann.http.get("/health")
        assert (answer.status_code, answer.json()["status"]) == (503, "failing")
        assert answer.json()["trouble"] == "the stored tables are damaged"
        before = [(tmp_path / name).read_bytes() for name in ("upcard.sqlite3", "upcard.sqlite3-wal")]
        for number in range(3):
            assert isinstance(await ann.move(ann.moves[0], f"{number}"), Refused)
        await asyncio.sleep(2 * app.NOTICING)
        assert (await ann.http.get("/health")).status_code == 503, "it stays so"
        assert [(tmp_path / name).read_bytes() for name in ("upcard.sqlite3", "upcard.sqlite3-wal")] == before
    assert [(tmp_path / name).read_bytes() for name in ("upcard.sqlite3", "upcard.sqlite3-wal")] == before
    assert len([record for record in caplog.records if "is damaged (" in record.message]) == 1


async def test_no_other_file_is_made_where_it_was_deleted(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    store = Store(url_of(tmp_path / "data"))
    shutil.rmtree(tmp_path / "data")
    for _ in range(2):
        with pytest.raises(NotWritten):
            await store.probe()
        with pytest.raises(NotWritten):
            await store.load("one")
    store.close()
    assert not (tmp_path / "data").exists()


async def test_no_move_is_accepted_after_the_first_page_is_gone(tmp_path: Path) -> None:
    store = Store(url_of(tmp_path))
    await store.begin(Plan("one", "oh-hell", 3, 1, {}, "a" * 64, 1.0), [])
    await store.append("one", 1, [Happened(text="deal")], done=False)
    first_pages(tmp_path)
    for number in range(2, 5):
        with pytest.raises(NotWritten, match="the stored tables are damaged"):
            await store.append("one", number, [Happened(text="x")], done=False)
    assert not store.is_well
    store.close()


async def test_a_damaged_page_is_found_whatever_is_stored_there(tmp_path: Path) -> None:
    """Nobody asks for the old tables any more; probes read on through all entries."""
    store = Store(url_of(tmp_path))
    for number in range(300):
        await store.begin(Plan(f"t{number:03}", "oh-hell", 3, 1, {}, "a" * 64, number), [Happened(text="x" * 200)])
    store.close()
    file = tmp_path / "upcard.sqlite3"
    at = file.read_bytes().index(b"t150") // 4096 * 4096  # either its table or its entries
    store = Store(url_of(tmp_path))
    await store.probe()
    entries = file.read_bytes().index(b'"kind":"event"') // 4096 * 4096
    overwrite(file, max(at, entries), 4096)
    for _ in range(20):
        with contextlib.suppress(NotWritten):
            await store.probe()
    assert store.is_damaged
    store.close()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
async def test_a_server_that_ends_leaves_a_damaged_file_as_it_is(tmp_path: Path, how: signal.Signals) -> None:
    program = Program(tmp_path)
    async with Person(program.place, "Ann") as ann:
        for _ in range(20):
            await ann.open(ME, COMPUTER)
        only_log(tmp_path)
        await until_health(ann, 503)
        before = [(tmp_path / name).read_bytes() for name in ("upcard.sqlite3", "upcard.sqlite3-wal")]
    status, errors = program.end(how)
    assert status in (BROKEN, -how)
    assert "is damaged (" in errors
    assert [(tmp_path / name).read_bytes() for name in ("upcard.sqlite3", "upcard.sqlite3-wal")] == before


async def until_health(person: Person, status: int) -> None:
    async with asyncio.timeout(2 * PATIENCE):
        while (await person.http.get("/health")).status_code != status:
            await asyncio.sleep(0.05)


def test_a_backup_of_a_damaged_file_does_not_replace_a_good_one(tmp_path: Path) -> None:
    store = Store(url_of(tmp_path))
    store.close()
    good = tmp_path / "copy"
    back_up(url_of(tmp_path), good)
    before = good.read_bytes()
    file = tmp_path / "upcard.sqlite3"
    overwrite(file, 4096 * 2, 4096)
    with pytest.raises(UpcardError, match=r"are damaged|malformed"):
        back_up(url_of(tmp_path), good)
    assert good.read_bytes() == before


# --------------------------------------------------------------------------------------------------------- dead parts


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), SystemExit(), MemoryError()])
async def test_a_writer_that_ends_leaves_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def fail(*_arguments: Any) -> None:
        raise error

    store = Store(url_of(tmp_path))
    monkeypatch.setattr(JournalWriter, "_write_together", fail)
    async with asyncio.timeout(PATIENCE):
        for number in range(3):
            with pytest.raises(NotWritten):
                await store.begin(Plan(f"t{number}", "oh-hell", 3, 1, {}, "a" * 64, 1.0), [])
        with pytest.raises(NotWritten):
            await store.probe()
    assert [vital.name for vital in store.vitals if vital.is_dead] == ["writer"]
    store.close()


async def test_an_error_of_one_write_is_no_trouble_of_the_house(tmp_path: Path) -> None:
    def fail(_connection: object) -> None:
        raise KeyError("a bug")

    store = Store(url_of(tmp_path))
    with pytest.raises(NotWritten):
        await store.safely(before=fail)
    assert store.is_well
    await store.begin(Plan("one", "oh-hell", 3, 1, {}, "a" * 64, 1.0), [])
    store.close()


async def test_a_disk_that_hangs_is_noticed_and_what_it_finished_is_seen(tmp_path: Path) -> None:
    """Nothing can abort that; whoever waits is refused all the same."""
    store, works_again = Store(url_of(tmp_path)), Event()
    await store.begin(Plan("one", "oh-hell", 3, 1, {}, "a" * 64, 1.0), [])

    def hang(_connection: object) -> None:
        works_again.wait(4 * PATIENCE)

    stuck = store.safely([{"table_id": "one", "seq": 1, "kind": "event", "entry": "{}"}], before=hang)
    with pytest.raises(NotWritten, match="did not answer in time"):
        await stuck
    async with asyncio.timeout(PATIENCE):
        for _ in range(100):
            with pytest.raises(NotWritten, match="does not answer"):
                await store.append("one", 2, [Happened(text="x")], done=False)
            with pytest.raises(NotWritten, match="does not answer"):
                await store.load("one")
        assert store.doubtful() == []
        works_again.set()
        while not store.is_well:
            try:
                await store.probe()
            except NotWritten:
                await asyncio.sleep(0.05)
    assert store.doubtful() == ["one"]
    store.close()


async def test_there_is_a_bound_on_the_reads_that_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_READS", 10)
    store = Store(url_of(tmp_path))
    begun, gate = Barrier(reading.READERS + 1), Event()

    def hold(_connection: object) -> None:
        begun.wait(PATIENCE)
        gate.wait(PATIENCE)

    held = [asyncio.create_task(store.read(hold)) for _ in range(reading.READERS)]
    await asyncio.to_thread(begun.wait, PATIENCE)
    waiting = [asyncio.create_task(store.load("none")) for _ in range(30 - len(held))]
    await asyncio.sleep(0)
    gate.set()
    answers = await asyncio.gather(*held, *waiting, return_exceptions=True)
    refused = [answer for answer in answers if isinstance(answer, NotWritten)]
    assert len(refused) == 20
    assert answers.count(None) == 10
    assert await store.load("none") is None
    assert store.is_well
    store.close()


def program(folder: Path, first: str = "", **environment: str) -> subprocess.Popen[str]:
    """A server that first runs some Python; its output is one stream."""
    code = f"from upcard.cli import main\n{first}\nmain()"
    command = [sys.executable, "-c", code, "serve", "--no-browser", "--no-warm", "--port", "0", "--data", str(folder)]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"UPCARD_CACHE": str(folder / "cache"), "UPCARD_DATABASE": ""} | environment,
    )


DEATHS = {
    "writer": "from upcard.server import writing; writing.BREATH = None",
    "checkpoints": "from upcard.server.storage import Store; Store._keep_up = lambda store: 1 / 0",
    "housekeeping": "from upcard.server.live import LiveTables as Tables; Tables.notice_closed = None",
    "loop": "import time; from upcard.server import app; from upcard.server.storage import Store\n"
    "app.LOOP_STUCK = 1.0; Store.doubtful = lambda store: time.sleep(600)",
    "readers": "from upcard.server.reading import ReaderPool; ReaderPool._begin = lambda pool: 1 / 0",
}


WHY = {
    "writer": "TypeError",
    "housekeeping": "TypeError",
    "checkpoints": "ZeroDivisionError",
    "readers": "ZeroDivisionError",
}
"""What is logged before, where the part has ended by an exception."""


@pytest.mark.long
@pytest.mark.parametrize("part", DEATHS)
def test_a_dead_part_ends_the_process_with_one_line(tmp_path: Path, part: str) -> None:
    server = program(tmp_path, DEATHS[part])
    output, _ = server.communicate(timeout=4 * PATIENCE)
    assert server.returncode == BROKEN, output
    assert f"the server ends by itself: its part “{part}”" in output.splitlines()[-1]
    assert "Traceback" not in output
    if part in WHY:
        assert WHY[part] in output


def test_a_process_that_was_suspended_goes_on(tmp_path: Path) -> None:
    quick = "from upcard.server import app, heartbeats; app.LOOP_STUCK = 6.0; heartbeats.STUCK = 6.0"
    server = program(tmp_path, quick)
    assert server.stdout is not None
    assert "Upcard is at" in server.stdout.readline()
    server.send_signal(signal.SIGSTOP)
    time.sleep(9)
    server.send_signal(signal.SIGCONT)
    time.sleep(2)
    assert server.poll() is None
    server.send_signal(signal.SIGINT)
    output, _ = server.communicate(timeout=PATIENCE)
    assert server.returncode == 0, output


def test_the_clock_stands_still_while_the_process_is_suspended(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(heartbeats, "TICK", 0.001)
    monkeypatch.setattr("upcard.server.heartbeats.time.monotonic", lambda: now)
    timekeeper = Timekeeper()
    heartbeat, ticks = Heartbeat(timekeeper), []
    timekeeper.add(lambda: ticks.append(timekeeper.now()))

    def wait_for_ticks() -> None:
        seen = len(ticks)
        for _ in range(2000):
            if len(ticks) > seen + 1:
                return
            time.sleep(0.005)
        raise AssertionError

    wait_for_ticks()
    now += 3600.0
    wait_for_ticks()
    assert heartbeat.age == heartbeats.LONGEST_TICK
    now += 0.5
    wait_for_ticks()
    assert heartbeat.age == heartbeats.LONGEST_TICK + 0.5
    timekeeper.close()


# ---------------------------------------------------------------------------------------------------------- systemd


@pytest.fixture
def systemd(tmp_path: Path) -> Any:
    """A stand-in for systemd's socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(PATIENCE)
        yield listening


def test_systemd_is_told_of_the_server(tmp_path: Path, systemd: socket.socket) -> None:
    server = program(tmp_path, NOTIFY_SOCKET=str(tmp_path / "notify"), WATCHDOG_USEC="300000")
    messages = [systemd.recv(100) for _ in range(4)]
    assert messages == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1", b"WATCHDOG=1"]
    server.send_signal(signal.SIGTERM)
    for _ in range(100):
        if (last := systemd.recv(100)) != b"WATCHDOG=1":
            break
    assert last == b"STOPPING=1"
    server.communicate(timeout=PATIENCE)


def test_systemd_is_told_nothing_more_of_a_server_with_a_dead_part(
    tmp_path: Path, systemd: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    monkeypatch.setenv("WATCHDOG_USEC", "1")
    timekeeper, alive, ended = Timekeeper(), True, list[int]()
    watchdog = Watchdog([Vital("part", Heartbeat(timekeeper), lambda: alive)], ended.append)
    watchdog.check()
    alive = False
    for _ in range(3):
        watchdog.check()
    timekeeper.close()
    assert ended == [BROKEN]
    systemd.setblocking(False)
    assert [systemd.recv(100), systemd.recv(100)] == [b"READY=1", b"WATCHDOG=1"]
    with pytest.raises(BlockingIOError):
        systemd.recv(100)


# ------------------------------------------------------------------------------------------------------ an empty house


@pytest.mark.long
def test_an_empty_database_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    for is_new in (True, False, True):
        server = program(folder)
        assert server.stdout is not None
        lines = [server.stdout.readline() for _ in range(1 + is_new)]
        server.send_signal(signal.SIGINT)
        assert server.communicate(timeout=PATIENCE)[0] == "All tables are saved. Goodbye.\n"
        assert lines[1:] == [f"No tables yet: {folder / 'upcard.sqlite3'} is a new, empty database\n"] * is_new
        if not is_new:
            shutil.rmtree(folder)


async def test_the_health_shows_when_each_part_was_last_known_to_work(tmp_path: Path) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        await ann.open(ME, COMPUTER)
        health = (await ann.http.get("/health")).json()
        assert set(health["parts"]) == {"loop", "housekeeping", "writer", "readers", "checkpoints"}
        assert health["trouble"] is None
    house = Application(Hosting(url_of(tmp_path)))
    metrics = generate_latest(house.store.metrics.registry).decode()
    house.store.close()
    for name in ("loop_lag_seconds", "waiting_writes", "waiting_reads", "failed_reads_total"):
        assert f"\nupcard_{name} " in metrics
