"""The server as a separate program, and people who play on after it is killed."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

from serving import Person
from waiting import PATIENCE, until
from websockets.exceptions import ConnectionClosed

from upcard.table.messages import Accepted, AnyMessage, EventHappened


class Program:
    """A server in a process of its own."""

    def __init__(self, folder: Path, port: int = 0, *more: str, database: str = "") -> None:
        command = [sys.executable, "-c", "from upcard.cli import main; main()", "serve", "--no-browser", "--no-warm"]
        command += ["--port", str(port), "--data", str(folder), "--proxy", "127.0.0.1", *more]
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"UPCARD_CACHE": str(folder / "cache"), "UPCARD_DATABASE": database},
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
        self.commitment: str | None = None
        self.accepted: dict[str, int] = {}
        self.pending: dict[str, Any] | None = None

    def go_to(self, place: str) -> None:
        """From now on with this server."""
        self.place = place
        self.http = type(self.http)(
            base_url=f"http://{place}", timeout=PATIENCE, cookies=self.http.cookies, headers=self.forwarded
        )

    async def come_back(self, place: str) -> None:
        self.go_to(place)
        seen = self.seq
        welcome = await self.look()
        assert welcome.seq >= seen, "something that was seen is gone"
        lines = {line.seq: line.text for line in welcome.log}
        assert self.lines.items() <= lines.items()
        assert welcome.table.shuffles is not None
        self.commitment = self.commitment or welcome.table.shuffles.commitment
        assert welcome.table.shuffles.commitment == self.commitment
        await self.reveal(welcome.table)
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

    async def has_made(self, moves: int) -> None:
        """Wait until so many moves have been accepted, by servers before this one too."""
        await until(lambda: len(self.accepted) >= moves)

    async def play(self, rng: Random) -> None:
        """Play until the line breaks."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not self.scene.done:
                    if self.moves and self.pending is None and self.seq >= max(self.accepted.values(), default=0):
                        text = rng.choice(self.moves)
                        move_id = f"{self.name} {len(self.accepted)}"
                        self.pending = {"type": "move", "id": move_id, "seq": self.seq, "text": text}
                        await self.say(self.pending)
                    self.note(await self.next())
        except ConnectionClosed:
            self.line = None
