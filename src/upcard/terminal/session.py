"""One person at a live table in this program; computer players have the other seats."""

from __future__ import annotations

import asyncio
import getpass
from collections.abc import Awaitable, Callable, Mapping
from random import Random
from typing import Any

from upcard import players
from upcard.engine.chance import shuffler
from upcard.engine.views import View
from upcard.players import LEVELS, Player
from upcard.rules.game import Game
from upcard.table.table import Face, NoJournal, Place, Plan, Refusal, Table, clean_name, computer

ME = "me"
"""The identity of the person at the table."""

Scene = dict[str, Any]
Told = Callable[[Scene, Scene], None]
"""Hears the scene before an event and the one after it; must return at once."""


async def _at_once(think: Callable[[], str]) -> str:
    return think()


class Session:
    """A table, and what has been heard of it at the person's seat."""

    def __init__(
        self,
        game: Game[Any],
        number: int,
        options: Mapping[str, Any],
        *,
        seat: int = 0,
        level: str = "casual",
        seed: int | None = None,
        name: str | None = None,
    ) -> None:
        """Nothing is dealt before `open`. Raises UpcardError for a level that does not exist."""
        self.game = game
        self.seat = seat
        places: list[Place] = []
        for _ in range(number - 1):
            places.append(computer(level, places))
        places.insert(seat, Place("person", clean_name(name or login(), places), None, ME))
        self._places = places
        self._level = level
        self._chance = shuffler(seed)
        self._luck = Random(None if seed is None else f"{seed} players")
        self._player: Player = players.player(level)
        dealer = self._chance.choice(range(number))
        self._plan = Plan("terminal", game.slug, number, dealer, options, ME)
        self._table: Table | None = None
        self._happened = asyncio.Event()
        self._moves = 0
        self.scene: Scene = {}
        """The newest scene."""
        self.seq = 0
        self.log: list[str] = []
        """One line for every event."""
        self.told: Told = lambda before, after: None
        self.thought: Callable[[Callable[[], str]], Awaitable[str]] = _at_once
        """How a computer player's thoughts are waited for."""

    @property
    def names(self) -> list[str]:
        return [place.name or "" for place in self._places]

    @property
    def level(self) -> str:
        """What the computer players' level is called."""
        return LEVELS[self._level].title.lower()

    async def open(self) -> None:
        """Sit down; the match begins."""
        self._table = await Table.open(self._plan, self._places, NoJournal(), self._think, self._chance)
        self._table.join(Face(ME, self._hear))

    def _hear(self, message: dict[str, Any]) -> None:
        before = self.scene
        if message["type"] == "welcome":
            self.log = [line["text"] for line in message["log"]]
        elif message["type"] == "event":
            self.log.append(message["log"]["text"])
        else:
            return
        self.seq, self.scene = message["seq"], message["scene"]
        self._happened.set()
        self.told(before or self.scene, self.scene)

    async def _think(self, level: str, seen: View[Any]) -> str:
        return await self.thought(lambda: self._player.choose(seen, self._luck))

    async def settle(self) -> None:
        """Wait until nothing can happen any more before the person moves."""
        while not self.scene["done"] and self.scene["to_act"] != [self.seat]:
            self._happened.clear()
            await self._happened.wait()

    async def move(self, text: str) -> Refusal | None:
        """Make a move; what the table says against it, if it does. Nothing has changed then."""
        assert self._table is not None
        answers: list[dict[str, Any]] = []
        self._moves += 1
        await self._table.move(ME, str(self._moves), self.seq, text, answers.append)
        answer = answers[0]
        return Refusal(answer["text"], answer["clause"]) if answer["type"] == "refused" else None


def login() -> str:
    """The name of whoever is logged in, as a name."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        name = ""
    return name[:1].upper() + name[1:] if name.isprintable() and name.strip() else "Guest"
