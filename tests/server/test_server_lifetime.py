"""A server starts its parts, and leaves nothing running when it ends."""

import asyncio
import logging
import threading
from pathlib import Path

import pytest
from serving import Person, served
from waiting import PATIENCE

from upcard.server.app import Application


def threads_of_servers() -> set[threading.Thread]:
    """All threads but those that the event loop has for itself."""
    return {thread for thread in threading.enumerate() if not thread.name.startswith("asyncio")}


async def lives(folder: Path, database: str | None = None) -> None:
    """A server starts, is asked something, and ends with all that it has started."""
    tasks, threads = asyncio.all_tasks(), threads_of_servers()
    async with served(folder, database=database, passphrase="open sesame") as place, Person(place, "Ann") as ann:
        answer = await ann.http.post("/api/club/enter", json={"passphrase": "open sesame"})
        assert answer.is_success, answer.text
        assert (await ann.http.get("/api/games")).is_success
        assert asyncio.all_tasks() > tasks
        assert threads_of_servers() > threads
    assert asyncio.all_tasks() == tasks
    async with asyncio.timeout(PATIENCE):  # a thread that reads ends after its last question
        while threads_of_servers() > threads:
            await asyncio.sleep(0.01)


async def test_a_server_that_has_ended_leaves_nothing_running(tmp_path: Path) -> None:
    await lives(tmp_path)


async def test_nor_does_one_with_neighbours(tmp_path: Path, postgres_url: str) -> None:
    await lives(tmp_path, postgres_url)


async def test_a_task_that_fails_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(application: Application) -> None:
        raise RuntimeError("the clock has stopped")

    monkeypatch.setattr(Application, "_beat", fail)
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        await ann.http.get("/api/games")
    [line] = [record for record in caplog.records if record.levelno == logging.CRITICAL]
    assert line.getMessage() == "a task of the server has ended: RuntimeError('the clock has stopped')"
