"""One live table: who sits where, and the only authority that applies a move for people.

Every event is forked off the match, written to the journal, and only when it is there does the table stand after it and
show it to anybody. So nothing was ever seen that is not kept, and a journal that fails leaves the table as it was.
The table itself reads and writes nothing: it is given a journal, a source of chance and somebody who thinks for the
computer players. What it tells each seat comes from `upcard.views` by way of `upcard.scene`.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from upcard.engine.chance import Shuffler, shuffler
from upcard.engine.errors import IllegalMove, UpcardError
from upcard.engine.events import Event
from upcard.engine.match import Match
from upcard.engine.views import View
from upcard.players import LEVELS, player
from upcard.rules import pages
from upcard.rules.seats import acts
from upcard.rules.state import NOTHING
from upcard.table.scene import Log, describe

LONGEST_NAME = 30
REMEMBERED = 100
"""So many refusals are remembered, to be given again."""
LONGEST_LOG = 500
"""So many of the latest lines come with a welcome."""
PATIENCE = 30.0
"""The longest pause, in seconds, before the table tries again to write what nobody else will try again."""

log = logging.getLogger("upcard.table")

# ------------------------------------------------------------------------------------------------------- what is said


class Refusal(UpcardError):
    """Something that was asked of a table and cannot be; nothing has changed."""

    def __init__(self, message: str, clause: str | None = None) -> None:
        super().__init__(message)
        self.clause = clause


class Unacceptable(Refusal):
    """It makes no sense: a name without letters, a level that does not exist."""


class Forbidden(Refusal):
    """Only somebody else may do this."""


class Taken(Refusal):
    """The seat, or the place in the match, is no longer free."""


class NotWritten(Refusal):
    """The journal could not write it."""


# ------------------------------------------------------------------------------------------------------ who sits where


COMPUTER_NAMES = ("Ada", "Basil", "Cleo", "Dario", "Edda", "Felix", "Greta", "Hugo", "Iris", "Jonas", "Kira")


@dataclass(frozen=True)
class Place:
    """Who has one seat."""

    who: Literal["open", "person", "computer"] = "open"
    name: str | None = None
    level: str | None = None
    identity: str | None = None
    """What only this person can prove to be; never shown to anybody."""


@dataclass(frozen=True)
class Plan:
    """What is fixed when a table is made."""

    id: str
    game: str
    players: int
    dealer: int
    options: Mapping[str, Any]
    host: str
    """The identity of whoever made it."""
    created: float = field(default_factory=time.time)


@dataclass(frozen=True)
class Entry:
    """One event in the journal."""

    seq: int
    """Its number, from 1."""
    text: str
    move_id: str | None = None
    """What the client called the move."""


class Journal(Protocol):
    """Where a table is written down. Each call returns when it is safe, or raises NotWritten: then nothing was kept."""

    async def write_table(self, plan: Plan, places: Sequence[Place]) -> None: ...
    async def write_place(self, table: str, seat: int, place: Place) -> None: ...
    async def write_event(self, table: str, entry: Entry, done: bool) -> None: ...


class NoJournal:
    """For a table that need not outlive its program."""

    async def write_table(self, plan: Plan, places: Sequence[Place]) -> None:
        pass

    async def write_place(self, table: str, seat: int, place: Place) -> None:
        pass

    async def write_event(self, table: str, entry: Entry, done: bool) -> None:
        pass


Think = Callable[[str, View[Any]], Awaitable[str]]
"""The move that a computer player of this level makes in this view."""
Hear = Callable[[dict[str, Any]], None]
"""Takes a message for one face; must return at once and never raise."""


@dataclass(frozen=True, eq=False)
class Face:
    """Somebody who looks at the table: a browser window, a terminal."""

    identity: str | None
    hear: Hear


def summary(
    plan: Plan, places: Sequence[Place], title: str, done: bool, you: str | None, here: set[str]
) -> dict[str, Any]:
    """A table as docs/protocol.md describes it to one person; `here` are the identities that look at it now."""
    seats = [
        {
            "seat": seat,
            "name": place.name,
            "who": place.who,
            "level": place.level,
            "here": place.who == "computer" or place.identity in here,
        }
        for seat, place in enumerate(places)
    ]
    return {
        "id": plan.id,
        "game": plan.game,
        "title": title,
        "players": plan.players,
        "options": dict(plan.options),
        "you": seat_of(places, you),
        "host": you is not None and you == plan.host,
        "started": is_full(places),
        "done": done,
        "seats": seats,
    }


def seat_of(places: Sequence[Place], identity: str | None) -> int | None:
    """Where somebody sits; None for who only watches."""
    return next((i for i, place in enumerate(places) if identity and place.identity == identity), None)


def is_full(places: Sequence[Place]) -> bool:
    return all(place.who != "open" for place in places)


def clean_name(name: str, places: Sequence[Place]) -> str:
    """A name fit to be shown, and not that of another at the table. Raises Unacceptable."""
    shown = " ".join("".join(c if c.isprintable() else " " for c in name).split())[:LONGEST_NAME].strip()
    if not shown:
        raise Unacceptable("A player needs a name")
    taken = {place.name for place in places}
    return next(one for one in (shown, *(f"{shown} {n}" for n in range(2, 99))) if one not in taken)


def computer(level: str, places: Sequence[Place]) -> Place:
    """A computer player with a name of its own. Raises Unacceptable."""
    if level not in LEVELS:
        raise Unacceptable(f"There is no level {level!r:.20} (there are: {', '.join(LEVELS)})")
    taken = {place.name for place in places}
    return Place("computer", next(name for name in COMPUTER_NAMES if name not in taken), level)


def choose(level: str, seen: View[Any]) -> str:
    """The move of a computer player of this level; it may take its time."""
    return player(level).choose(seen, random.Random(secrets.randbits(64)))


# ---------------------------------------------------------------------------------------------------------- the table


class Table:
    """A table in play. Every method belongs to the event loop it was made in."""

    def __init__(
        self,
        plan: Plan,
        places: Sequence[Place],
        journal: Journal,
        think: Think,
        *,
        entries: Sequence[Entry] = (),
        chance: Shuffler | None = None,
    ) -> None:
        """The table as it was written down. Raises BadRecord and IllegalMove if that is no match."""
        self.plan = plan
        self.places = list(places)
        self.match = Match(plan.game, plan.players, dealer=plan.dealer, options=plan.options)
        self._journal = journal
        self._think = think
        self._chance = chance or shuffler()
        self._log = Log(self.match.game, self.match.options)
        self._since = [0] * plan.players
        """Per seat, the number of the event since which it has been asked for the same move."""
        self._moved = [0] * plan.players
        """Per seat, the number of its own last move."""
        self._accepted: dict[tuple[int, str], dict[str, Any]] = {}
        self._refused: dict[tuple[int, str], dict[str, Any]] = {}
        self._faces: list[Face] = []
        self._lock = asyncio.Lock()
        self._driver: asyncio.Task[None] | None = None
        for entry in entries:
            after = self.match.fork()
            self._stand(after, entry, after.event(entry.text))

    @classmethod
    async def open(
        cls, plan: Plan, places: Sequence[Place], journal: Journal, think: Think, chance: Shuffler | None = None
    ) -> Table:
        """A new table, written down; if it is full it plays. Raises BadRecord, NotWritten."""
        table = cls(plan, places, journal, think, chance=chance)
        await journal.write_table(plan, places)
        table.wake()
        return table

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return len(self.match.events)

    @property
    def names(self) -> list[str]:
        return [place.name or f"Seat {seat}" for seat, place in enumerate(self.places)]

    # --------------------------------------------------------------------------------------------------- who is here

    def summary(self, identity: str | None) -> dict[str, Any]:
        """The table as one person is told of it."""
        here = {face.identity for face in self._faces if face.identity}
        return summary(self.plan, self.places, self.match.game.title, self.match.done, identity, here)

    def welcome(self, identity: str | None) -> dict[str, Any]:
        """All that a face needs to begin with."""
        seat = seat_of(self.places, identity)
        first = max(self._log.oldest, self.seq - LONGEST_LOG)
        lines = [{"seq": i + 1, "text": self._log.line(i, seat, self.names)} for i in range(first, self.seq)]
        scene = describe(self.match.view(seat), self.match.last_trick, self.names)
        return {"type": "welcome", "table": self.summary(identity), "seq": self.seq, "scene": scene, "log": lines}

    def join(self, face: Face) -> None:
        """From now on this face hears what happens, first a welcome."""
        self._faces.append(face)
        face.hear(self.welcome(face.identity))
        if seat_of(self.places, face.identity) is not None:
            self._tell_table(but=face.identity)

    def leave(self, face: Face) -> None:
        """A face is gone; whoever looked through it keeps the seat."""
        if face in self._faces:
            self._faces.remove(face)
            if seat_of(self.places, face.identity) is not None:
                self._tell_table()

    async def sit(self, identity: str, name: str, seat: int | None) -> None:
        """Give a person an open seat, any if none is named. Raises Refusal."""
        await self._undisturbed(self._sit(identity, name, seat))

    async def _sit(self, identity: str, name: str, seat: int | None) -> None:
        mine = seat_of(self.places, identity)
        if mine is not None and seat in (None, mine):
            return
        if mine is not None:
            raise Taken(f"You sit at seat {mine} already")
        free = [i for i, place in enumerate(self.places) if place.who == "open"]
        if seat is not None and seat not in range(self.plan.players):
            raise Unacceptable(f"There is no seat {seat}")
        if not free or (seat is not None and seat not in free):
            raise Taken("This seat is taken" if free else "All seats are taken")
        await self._put(
            free[0] if seat is None else seat, Place("person", clean_name(name, self.places), None, identity)
        )

    async def fill(self, identity: str | None, seat: int, level: str) -> None:
        """The host gives an open seat to a computer player. Raises Refusal."""
        await self._undisturbed(self._fill(identity, seat, level))

    async def _fill(self, identity: str | None, seat: int, level: str) -> None:
        if identity != self.plan.host:
            raise Forbidden("Only the host of the table can do this")
        if seat not in range(self.plan.players):
            raise Unacceptable(f"There is no seat {seat}")
        if self.places[seat].who != "open":
            raise Taken("This seat is taken")
        await self._put(seat, computer(level, self.places))

    async def _put(self, seat: int, place: Place) -> None:
        await self._journal.write_place(self.plan.id, seat, place)
        self.places[seat] = place
        for face in self._faces:
            if face.identity and face.identity == place.identity:
                face.hear(self.welcome(face.identity))
        self._tell_table(but=place.identity)
        self.wake()

    def _tell_table(self, but: str | None = None) -> None:
        for face in self._faces:
            if face.identity is None or face.identity != but:
                face.hear({"type": "table", "table": self.summary(face.identity)})

    # ---------------------------------------------------------------------------------------------------------- moves

    async def move(self, identity: str | None, move_id: str, seq: int, text: str, reply: Hear) -> None:
        """A person makes a move, having seen everything up to event `seq`; `reply` hears what came of it.

        The same `move_id` again gets the same answer again and is not played twice.
        """
        await self._undisturbed(self._move(identity, move_id, seq, text, reply))

    async def _move(self, identity: str | None, move_id: str, seq: int, text: str, reply: Hear) -> None:
        seat = seat_of(self.places, identity)
        key = (-1 if seat is None else seat, move_id)
        answered = self._accepted.get(key) or self._refused.get(key)
        if answered:
            reply(answered)
            return
        try:
            await self._happen(self._judge(seat, seq, text), move_id, reply)
        except Refusal as refusal:
            answer = {"type": "refused", "id": move_id, "text": str(refusal), "clause": refusal.clause}
            if not isinstance(refusal, NotWritten):
                self._refused[key] = answer
            if len(self._refused) > REMEMBERED:
                del self._refused[next(iter(self._refused))]
            reply(answer)

    def _judge(self, seat: int | None, seq: int, text: str) -> Match[Any]:
        """The match after a seat's move. Raises Refusal."""
        if seat is None:
            raise Forbidden("You have no seat at this table, you only watch")
        if not is_full(self.places):
            raise Refusal("The match has not begun: a seat is still open")
        if seq > self.seq:
            raise Refusal("The table has not come that far")
        if seq < self._moved[seat]:
            raise Refusal("Two moves for the same turn: the first one stands")
        if acts(self.match.state, seat) and seq < self._since[seat]:
            raise Refusal("That was before your turn came: look again")
        after = self.match.fork()
        try:
            after.play(seat, text)
        except IllegalMove as error:
            if not acts(self.match.state, seat) and not self.match.done:
                raise Refusal("It is not your turn", error.clause) from None
            gist = pages.gist(self.match.game, error.clause)
            said = f"“{text[:40]}” is not possible"
            raise Refusal(f"{said}: {gist}" if gist else said, error.clause) from None
        return after

    async def _happen(self, after: Match[Any], move_id: str | None = None, reply: Hear | None = None) -> None:
        """One event: on the journal, then here, then told. `reply` is told first. Raises NotWritten."""
        entry = Entry(len(after.events), str(after.events[-1]), move_id)
        await self._journal.write_event(self.plan.id, entry, after.done)
        self._stand(after, entry, after.events[-1])
        if reply:
            reply({"type": "accepted", "id": move_id, "seq": self.seq})
        self._tell_event()
        self.wake()

    def _stand(self, after: Match[Any], entry: Entry, event: Event) -> None:
        """From now on the table stands after this event."""
        before = self.match
        self._log.note(before, after, event)
        self.match = after
        mover = event.seat
        for seat in range(self.plan.players):
            if seat == mover or not acts(before.state, seat):
                self._since[seat] = entry.seq
        if mover is None:
            return
        self._moved[mover] = entry.seq
        if entry.move_id is not None:
            self._accepted[mover, entry.move_id] = {"type": "accepted", "id": entry.move_id, "seq": entry.seq}

    def _tell_event(self) -> None:
        messages: dict[int | None, dict[str, Any]] = {}
        for face in self._faces:
            seat = seat_of(self.places, face.identity)
            if seat not in messages:
                messages[seat] = {
                    "type": "event",
                    "seq": self.seq,
                    "scene": describe(self.match.view(seat), self.match.last_trick, self.names),
                    "log": {
                        "seq": self.seq,
                        "text": self._log.line(self.seq - 1, seat, self.names),
                        "oldest": self._log.oldest + 1,
                    },
                }
            face.hear(messages[seat])

    async def _undisturbed(self, step: Coroutine[Any, Any, None]) -> None:
        """Do one thing at a time, and to its end even if whoever asked for it is gone."""

        async def alone() -> None:
            async with self._lock:
                await step

        await asyncio.shield(asyncio.create_task(alone()))

    # ------------------------------------------------------------------------------------------ what happens by itself

    def wake(self) -> None:
        """See to it that chance speaks and computer players move, as long as it is up to them."""
        if is_full(self.places) and self._is_due() and (self._driver is None or self._driver.done()):
            self._driver = asyncio.create_task(self._drive())

    def _is_due(self) -> bool:
        return self.match.state.awaiting != NOTHING or self._computer_to_act() is not None

    def _computer_to_act(self) -> int | None:
        return next((seat for seat in self.match.to_act if self.places[seat].who == "computer"), None)

    async def _drive(self) -> None:
        pause = 0.5
        while self._is_due():
            try:
                await self._step()
                pause = 0.5
            except NotWritten as error:
                log.error("table %s: %s", self.plan.id, error)
                await asyncio.sleep(pause)
                pause = min(2 * pause, PATIENCE)
            except Exception as error:
                log.error("table %s stands still: %r", self.plan.id, error)
                return

    async def _step(self) -> None:
        """The awaited chance event, or one computer player's move."""
        if self.match.state.awaiting != NOTHING:
            after = self.match.fork()
            after.event(after.draw_lots(self._chance))
            await self._undisturbed(self._happen(after))
            return
        seat = self._computer_to_act()
        if seat is not None:
            text = await self._choice(seat)
            await self._undisturbed(self._play_for(seat, text))

    async def _choice(self, seat: int) -> str:
        """What the computer player at this seat plays; any legal move if it fails, so that the table goes on."""
        seen = self.match.view(seat)
        try:
            text = await self._think(self.places[seat].level or "", seen)
            if text in seen.legal():
                return text
            log.error("table %s: the player at seat %d said %.40r", self.plan.id, seat, text)
        except Exception as error:
            log.error("table %s: the player at seat %d failed: %r", self.plan.id, seat, error)
        return secrets.choice(seen.legal())

    async def _play_for(self, seat: int, text: str) -> None:
        after = self.match.fork()
        after.play(seat, text)
        await self._happen(after)
