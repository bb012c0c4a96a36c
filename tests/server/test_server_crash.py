"""The server as a program: killed at any moment it goes on where its players saw it; it begins and ends cleanly."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from serving import COMPUTER, ME, OPEN, PATIENCE, Person
from websockets.exceptions import ConnectionClosed

from upcard.table.messages import Accepted, AnyMessage, EventHappened, Notice, Thinking


class Program:
    """A server in a process of its own."""

    def __init__(self, folder: Path, port: int = 0, *more: str) -> None:
        command = [sys.executable, "-c", "from upcard.cli import main; main()", "serve", "--no-browser", "--no-warm"]
        command += ["--port", str(port), "--data", str(folder), *more]
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"UPCARD_CACHE": str(folder / "cache")},
        )
        assert self.process.stdout is not None
        self.greeting = self.process.stdout.readline()
        found = re.search(r"http://(\S+)", self.greeting)
        self.place = found[1] if found else ""

    def end(self, how: signal.Signals) -> tuple[int, str]:
        """The exit status, and what was written on standard error."""
        self.process.send_signal(how)
        _, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, errors


class Player(Person):
    """Plays on across crashes and checks that nothing that was seen is ever different."""

    def __init__(self, name: str) -> None:
        super().__init__("nowhere", name)
        self.lines: dict[int, str] = {}
        self.accepted: dict[str, int] = {}
        self.pending: dict[str, Any] | None = None

    async def come_back(self, place: str) -> None:
        cookies = self.http.cookies
        self.place = place
        self.http = type(self.http)(base_url=f"http://{place}", timeout=PATIENCE, cookies=cookies)
        seen = self.seq
        welcome = await self.look()
        assert welcome.seq >= seen, "something that was seen is gone"
        lines = {line.seq: line.text for line in welcome.log}
        assert self.lines.items() <= lines.items()
        if self.pending is not None:
            await self.say(self.pending)
            self.note(await self.hear(Accepted))
            assert self.pending is None

    def note(self, message: AnyMessage) -> None:
        if isinstance(message, EventHappened):
            assert self.lines.setdefault(message.seq, message.log.text) == message.log.text
        elif isinstance(message, Accepted):
            assert self.accepted.setdefault(message.id, message.seq) == message.seq
            self.pending = None

    async def play(self, rng: Random) -> None:
        """Play until the line breaks."""
        try:
            while not self.scene.done:
                if self.moves and self.pending is None and self.seq >= max(self.accepted.values(), default=0):
                    text = rng.choice(self.moves)
                    move_id = f"{self.name} {len(self.accepted)}"
                    self.pending = {"type": "move", "id": move_id, "seq": self.seq, "text": text}
                    await self.say(self.pending)
                self.note(await self.next())
        except ConnectionClosed:
            self.line = None


async def test_a_server_that_is_killed_goes_on_where_its_players_saw_it(tmp_path: Path) -> None:
    rng = Random(1)
    program = Program(tmp_path)
    ann, bo, cy = Player("Ann"), Player("Bo"), Player("Cy")
    for person in (ann, bo, cy):
        person.http = type(person.http)(base_url=f"http://{program.place}", timeout=PATIENCE)
        person.place = program.place
    table = await ann.open(ME, OPEN, target=21)
    await bo.sit(table)
    await cy.open(ME, COMPUTER, COMPUTER, game="oh-hell")
    for crash in range(3):
        for person in (ann, bo, cy):
            await person.come_back(program.place)
        playing = [asyncio.create_task(person.play(Random(f"{crash} {person.name}"))) for person in (ann, bo, cy)]
        await asyncio.sleep(rng.uniform(0.1, 0.4))
        assert program.end(signal.SIGKILL) == (-signal.SIGKILL, "")
        await asyncio.wait_for(asyncio.gather(*playing), PATIENCE)
        program = Program(tmp_path)
    for person in (ann, bo, cy):
        await person.come_back(program.place)
        moves = list(person.accepted.values())
        assert len(moves) == len(set(moves)) > 5
    await cy.my_turn()  # the computer players go on, too
    for person in (ann, bo, cy):
        await person.hang_up()
        await person.http.aclose()
    assert program.end(signal.SIGINT) == (0, "")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
async def test_a_server_ends_at_once_though_a_strong_player_is_getting_ready(
    tmp_path: Path, how: signal.Signals
) -> None:
    program = Program(tmp_path)
    async with Person(program.place, "Ann") as ann:
        await ann.open(ME, {"who": "computer", "level": "strong"})
        welcome = await ann.look()
        states = [seat.thinking for seat in welcome.table.seats]
        while "getting ready" not in states:
            await ann.my_turn()
            await ann.move(ann.moves[0])
            states += [message.state for message in ann.messages if isinstance(message, Thinking)]
        status, errors = program.end(how)
        assert errors == ""
        assert status in (0, -how)
        assert (await ann.hear(Notice)).kind == "closing"


def test_a_second_server_over_the_same_tables_is_one_line(tmp_path: Path) -> None:
    first, second = Program(tmp_path), Program(tmp_path)
    status, errors = second.end(signal.SIGCONT)
    assert status == 2
    assert "another server has" in errors
    assert errors.count("\n") == 1
    assert first.end(signal.SIGINT) == (0, "")


def test_a_port_in_use_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        program = Program(tmp_path, taken.getsockname()[1])
        status, errors = program.end(signal.SIGCONT)
    assert status == 2
    assert errors == f"upcard: port {taken_port(errors)} is in use already: choose another with --port\n"
    assert program.greeting == ""


def taken_port(errors: str) -> str:
    found = re.search(r"\d+", errors)
    return found[0] if found else ""


@pytest.mark.parametrize("spoil", ["a file", "no database"])
def test_a_data_directory_that_cannot_be_used_is_one_line(tmp_path: Path, spoil: str) -> None:
    folder = tmp_path / "data"
    if spoil == "a file":
        folder.write_text("")
    else:
        folder.mkdir()
        (folder / "upcard.sqlite3").write_text("no database at all" * 100)
    program = Program(folder)
    status, errors = program.end(signal.SIGCONT)
    assert status == 2
    assert str(folder) in errors
    assert errors.count("\n") == 1
