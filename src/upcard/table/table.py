"""One live table: the only authority that applies a move for people.

Every event is forked off the match, written to the journal, and only when it is there does the table stand after it and
show it to anybody. So nothing was ever seen that is not kept, and a journal that fails leaves the table as it was.
The table itself reads and writes nothing: it is given a journal, a source of chance and somebody who thinks for the
computer players. What it tells each seat comes from `upcard.engine.views` by way of `upcard.table.scene`.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from upcard.engine.chance import Shuffler, shuffler
from upcard.engine.errors import IllegalMove
from upcard.engine.match import Match
from upcard.engine.views import View
from upcard.rules import pages
from upcard.rules.seats import acts
from upcard.rules.state import NOTHING
from upcard.table.errors import Forbidden, NotWritten, Refusal, Taken, Unacceptable
from upcard.table.journal import AnyEntry, Happened, Journal, Plan, Seated, Standing
from upcard.table.log import Log
from upcard.table.messages import (
    Accepted,
    AnyMessage,
    EventHappened,
    LogLine,
    Refused,
    SeatSummary,
    TableChanged,
    TableView,
    Welcome,
)
from upcard.table.scene import describe
from upcard.table.seats import Place, clean_name, computer, is_full, seat_of

REMEMBERED = 100
"""So many refusals are remembered, to be given again."""
LONGEST_LOG = 500
"""So many of the latest lines come with a welcome."""
PATIENCE = 30.0
"""The longest pause, in seconds, before the table tries again to write what nobody else will try again."""

log = logging.getLogger("upcard.table")

Think = Callable[[str, View[Any]], Awaitable[str]]
"""The move that a computer player of this level makes in this view."""
Send = Callable[[AnyMessage], None]
"""Takes a message for one observer; must return at once and never raise."""


@dataclass(frozen=True, eq=False)
class Observer:
    """Somebody who looks at the table: a browser window, a terminal."""

    identity: str | None
    send: Send


def summary(plan: Plan, places: Sequence[Place], title: str, done: bool, you: str | None, here: set[str]) -> TableView:
    """A table as one person is told of it; `here` are the identities that look at it now."""
    seats = [
        SeatSummary(
            seat,
            place.name,
            place.who,
            place.level,
            place.who == "computer" or place.identity in here,
            place.substitute,
        )
        for seat, place in enumerate(places)
    ]
    return TableView(
        id=plan.id,
        game=plan.game,
        title=title,
        players=plan.players,
        options=dict(plan.options),
        you=seat_of(places, you),
        host=you is not None and you == plan.host,
        started=is_full(places),
        done=done,
        seats=seats,
    )


class Table:
    """A table in play. Every method belongs to the event loop it was made in."""

    def __init__(
        self,
        plan: Plan,
        journal: Journal,
        think: Think,
        levels: Sequence[str],
        *,
        entries: Sequence[AnyEntry] = (),
        chance: Shuffler | None = None,
    ) -> None:
        """The table as it was written down. `levels` are those of computer players, from the weakest.

        Raises BadRecord and IllegalMove if that is no match.
        """
        self._standing = Standing(plan)
        self._journal = journal
        self._think = think
        self._levels = levels
        self._chance = chance or shuffler()
        self._log = Log(self.match)
        self._event_seqs: list[int] = []
        """For each event of the match, the number of its entry."""
        self._since = [0] * plan.players
        """Per seat, the number of the entry since which it has been asked for the same move."""
        self._moved = [0] * plan.players
        """Per seat, the number of its own last move."""
        self._accepted: dict[tuple[int, str], Accepted] = {}
        self._refused: dict[tuple[int, str], Refused] = {}
        self._observers: list[Observer] = []
        self._lock = asyncio.Lock()
        self._driver: asyncio.Task[None] | None = None
        for entry in entries:
            self._follow(entry)

    @classmethod
    async def open(
        cls,
        plan: Plan,
        places: Sequence[Place],
        journal: Journal,
        think: Think,
        levels: Sequence[str],
        chance: Shuffler | None = None,
    ) -> Table:
        """A new table, written down; if it is full it plays. Raises BadRecord, NotWritten."""
        entries = [Seated(seat=seat, place=place) for seat, place in enumerate(places) if place.who != "open"]
        table = cls(plan, journal, think, levels, entries=entries, chance=chance)
        await journal.begin(plan, entries)
        table.wake()
        return table

    @property
    def plan(self) -> Plan:
        return self._standing.plan

    @property
    def match(self) -> Match[Any]:
        return self._standing.match

    @property
    def places(self) -> list[Place]:
        return self._standing.places

    @property
    def seq(self) -> int:
        """The number of the last entry."""
        return self._standing.seq

    @property
    def names(self) -> list[str]:
        return [place.name or f"Seat {seat}" for seat, place in enumerate(self.places)]

    # --------------------------------------------------------------------------------------------------- who is here

    def summary(self, identity: str | None) -> TableView:
        """The table as one person is told of it."""
        here = {observer.identity for observer in self._observers if observer.identity}
        return summary(self.plan, self.places, self.match.game.title, self._standing.done, identity, here)

    def welcome(self, identity: str | None) -> Welcome:
        """All that an observer needs to begin with."""
        seat = seat_of(self.places, identity)
        first = max(self._log.oldest, len(self._event_seqs) - LONGEST_LOG)
        lines = [self._line(number, seat) for number in range(first, len(self._event_seqs))]
        scene = describe(self.match.view(seat), self.match.last_trick, self.names)
        return Welcome(self.summary(identity), self.seq, scene, lines)

    def _line(self, number: int, seat: int | None) -> LogLine:
        return LogLine(self._event_seqs[number], self._log.line(number, seat, self.names))

    def join(self, observer: Observer) -> None:
        """From now on this observer is told what happens, first a welcome."""
        self._observers.append(observer)
        observer.send(self.welcome(observer.identity))
        if seat_of(self.places, observer.identity) is not None:
            self._tell_table(but=observer.identity)

    def leave(self, observer: Observer) -> None:
        """An observer is gone; whoever looked through it keeps the seat."""
        if observer in self._observers:
            self._observers.remove(observer)
            if seat_of(self.places, observer.identity) is not None:
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
        await self._put(seat, computer(level, self.places, self._levels))

    async def _put(self, seat: int, place: Place) -> None:
        await self._write(Seated(seat=seat, place=place))
        for observer in self._observers:
            if observer.identity and observer.identity == place.identity:
                observer.send(self.welcome(observer.identity))
        self._tell_table(but=place.identity)
        self.wake()

    def _tell_table(self, but: str | None = None) -> None:
        for observer in self._observers:
            if observer.identity is None or observer.identity != but:
                observer.send(TableChanged(self.summary(observer.identity), self.seq))

    # ---------------------------------------------------------------------------------------------------------- moves

    async def move(self, identity: str | None, move_id: str, seq: int, text: str, reply: Send) -> None:
        """A person makes a move, having seen everything up to entry `seq`; `reply` is told what came of it.

        The same `move_id` again gets the same answer again and is not played twice.
        """
        await self._undisturbed(self._move(identity, move_id, seq, text, reply))

    async def _move(self, identity: str | None, move_id: str, seq: int, text: str, reply: Send) -> None:
        seat = seat_of(self.places, identity)
        key = (-1 if seat is None else seat, move_id)
        answered = self._accepted.get(key) or self._refused.get(key)
        if answered:
            reply(answered)
            return
        try:
            await self._happen(self._judge(seat, seq, text), move_id, reply)
        except Refusal as refusal:
            answer = Refused(move_id, str(refusal), refusal.clause)
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

    async def _happen(self, after: Match[Any], move_id: str | None = None, reply: Send | None = None) -> None:
        """One event: on the journal, then here, then told. `reply` is told first. Raises NotWritten."""
        await self._write(Happened(text=after.events[-1].text, move_id=move_id), after)
        if reply:
            reply(Accepted(move_id or "", self.seq))
        self._tell_event()
        self.wake()

    async def _write(self, entry: AnyEntry, after: Match[Any] | None = None) -> None:
        """An entry: on the journal, then here. Raises NotWritten."""
        done = self._standing.done if after is None else after.done
        await self._journal.append(self.plan.id, self.seq + 1, entry, done=done)
        self._follow(entry, after)

    def _follow(self, entry: AnyEntry, after: Match[Any] | None = None) -> None:
        """From now on the table stands after this entry."""
        to_act, dealer = self.match.state.to_act, self.match.state.dealer
        event = self._standing.follow(entry, after)
        if event is None:
            return
        self._log.note(dealer, self.match, event)
        self._event_seqs.append(self.seq)
        for seat in range(self.plan.players):
            if seat == event.seat or not to_act >> seat & 1:
                self._since[seat] = self.seq
        if event.seat is None:
            return
        self._moved[event.seat] = self.seq
        move_id = entry.move_id if isinstance(entry, Happened) else None
        if move_id is not None:
            self._accepted[event.seat, move_id] = Accepted(move_id, self.seq)

    def _tell_event(self) -> None:
        messages: dict[int | None, EventHappened] = {}
        number = len(self._event_seqs) - 1
        oldest = self._event_seqs[self._log.oldest]
        for observer in self._observers:
            seat = seat_of(self.places, observer.identity)
            if seat not in messages:
                scene = describe(self.match.view(seat), self.match.last_trick, self.names)
                messages[seat] = EventHappened(self.seq, scene, self._line(number, seat), oldest)
            observer.send(messages[seat])

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
        waiting = self.match.state.awaiting != NOTHING or self._computer_to_act() is not None
        return waiting and not self._standing.done

    def _computer_to_act(self) -> int | None:
        return next((seat for seat in self.match.to_act if self.places[seat].played_by is not None), None)

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
            text = await self._think(self.places[seat].played_by or "", seen)
            if text in seen.legal():
                return text
            log.error("table %s: the player at seat %d said %.40r", self.plan.id, seat, text)
        except Exception as error:
            log.error("table %s: the player at seat %d failed: %r", self.plan.id, seat, error)
        return secrets.choice(seen.legal())

    async def _play_for(self, seat: int, text: str) -> None:
        if self.places[seat].played_by is None:  # the person came back meanwhile
            return
        after = self.match.fork()
        after.play(seat, text)
        await self._happen(after)
