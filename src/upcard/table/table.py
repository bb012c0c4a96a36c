"""One live table: the only place where people's moves are applied.

Every event is applied to a fork of the match and written to the journal, and only then does the table adopt it and send
it to clients. So nobody ever sees anything that is not stored, and a journal that fails leaves the table unchanged.
The table does no input or output of its own: it receives a journal, a source of chance and a function that chooses the
computer players' moves. Each seat's scene comes from `upcard.engine.views` through `upcard.table.scene`.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence, Set
from contextlib import AbstractAsyncContextManager, nullcontext
from itertools import zip_longest
from typing import Any

from upcard.engine.chance import Shuffler, shuffler
from upcard.engine.errors import IllegalMove
from upcard.engine.match import Match
from upcard.engine.views import View
from upcard.rules.seats import acts
from upcard.rules.state import NOTHING
from upcard.table.actions import AnyAction, ComeBack, Nudge
from upcard.table.clients import Broadcast, Clients
from upcard.table.clocks import BETWEEN_DEALS, Turns, running
from upcard.table.computers import BusyWith, ChooseMove, Computers
from upcard.table.errors import Forbidden, NotWritten, Overtaken, Refusal, Taken, TooMany, WrongSecret
from upcard.table.journal import (
    AnyEntry,
    Ended,
    Followed,
    Happened,
    Journal,
    KnockEnded,
    Left,
    Linked,
    Moved,
    Plan,
    Seated,
    Settled,
    Substituted,
    TookBack,
)
from upcard.table.knocks import ABSENCE
from upcard.table.log import Log
from upcard.table.messages import Accepted, Aside, Notice, NudgeHeard, Refused, TableView, Welcome
from upcard.table.pledges import opened
from upcard.table.presence import Client, Send
from upcard.table.refusals import explain
from upcard.table.requests import RequestContext, decide, hint_entries, without
from upcard.table.scene import SceneView
from upcard.table.seats import SUBSTITUTE, Occupant, is_deserted, is_full, seat_of, stand_in
from upcard.table.settings import Settings
from upcard.table.state import TableState

Lead = Callable[[str], AbstractAsyncContextManager[bool]]
"""Yields whether this program moves a table's computer players; programs that share a journal never do so at once."""

NUDGES = 10.0
"""Seconds between two reminders of one person."""
REMEMBERED = 100
"""The number of refusals remembered, to repeat them to clients that send a move again."""
PERSEVERANCE = 5
"""The number of times that the table tries again when another program writes to its journal at the same moment."""
MOST_AT_ONCE = 10
"""The most moves of quick computer players that are written together."""
STANDBY = 1.0
"""Seconds between checks of whether another program still moves the computer players."""
SHORTEST_PAUSE, PATIENCE = 0.5, 30.0
"""The shortest and longest pause, in seconds, before the table retries a failed write that no client will retry."""

_GIVEN_UP = {"closed": "The house has closed this table.", "unfinished": "The match goes no further here."}
"""The refusals of moves in a match that ended early, if it was not people who gave it up."""

log = logging.getLogger("upcard.table")


class Table:
    """A table in play. All methods must be called in the event loop in which it was created."""

    def __init__(
        self,
        plan: Plan,
        journal: Journal,
        think: ChooseMove,
        levels: Sequence[str],
        *,
        entries: Sequence[AnyEntry] = (),
        chance: Shuffler | None = None,
        busy: BusyWith = lambda level, seen: "",
        lead: Lead = lambda table: nullcontext(True),
        spread: Broadcast = lambda table, to, message: None,
    ) -> None:
        """Restore a table from its journal `entries`.

        `levels` are the levels of computer players, from the weakest; `busy` returns that of a slow one when it thinks;
        `lead` and `spread` are for a journal shared with other programs. Raises BadRecord or IllegalMove if the plan
        and the entries do not make a valid match.
        """
        self._state = TableState(plan)
        self._journal = journal
        self._lead = lead
        self._levels = levels
        self._chance = chance or shuffler()
        self._log = Log(self.match)
        self._turns = Turns(plan.players)
        self._clients = Clients(self._state, self._log, self._turns, spread)
        self._computers = Computers(plan.id, think, busy, self._clients)
        self._accepted: dict[tuple[int, str], Accepted] = {}
        self._refused: dict[tuple[int, str], Refused] = {}
        self._lock = asyncio.Lock()
        self._moved_on = asyncio.Event()
        """Set by every entry."""
        self._flag: asyncio.TimerHandle | None = None
        """Fires when somebody runs out of time."""
        self._falling: asyncio.Task[None] | None = None
        self._knock_timer: asyncio.TimerHandle | None = None
        """Fires when somebody who has knocked may have been away for too long."""
        self._ending_knocks: asyncio.Task[None] | None = None
        self._driver: asyncio.Task[None] | None = None
        self._returning: asyncio.Task[None] | None = None
        self._nudged: dict[int, float] = {}
        """For each seat, when its player was last reminded."""
        for entry in entries:
            self._follow(entry)
        self._clients.told_up_to = self.seq

    @classmethod
    async def open(
        cls,
        plan: Plan,
        places: Sequence[Occupant],
        journal: Journal,
        think: ChooseMove,
        levels: Sequence[str],
        chance: Shuffler | None = None,
        busy: BusyWith = lambda level, seen: "",
        lead: Lead = lambda table: nullcontext(True),
        spread: Broadcast = lambda table, to, message: None,
    ) -> Table:
        """Create a table and write it to the journal; play begins if it is full. Raises BadRecord, NotWritten."""
        entries = [Seated(seat=seat, place=place) for seat, place in enumerate(places) if place.who != "open"]
        table = cls(plan, journal, think, levels, entries=entries, chance=chance, busy=busy, lead=lead, spread=spread)
        await journal.begin(plan, entries)
        table.wake()
        return table

    @property
    def plan(self) -> Plan:
        return self._state.plan

    @property
    def match(self) -> Match[Any]:
        return self._state.match

    @property
    def places(self) -> list[Occupant]:
        return self._state.seating.places

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return self._clients.names

    @property
    def settings(self) -> Settings:
        return self._state.seating.settings

    @property
    def seq(self) -> int:
        """The number of the last entry."""
        return self._state.seq

    @property
    def done(self) -> bool:
        return self._state.done

    @property
    def is_over(self) -> bool:
        """Whether the match is over, so that everything may be revealed."""
        return self.done

    def record(self) -> dict[str, Any]:
        """The match record with the names of the seats; for a finished match also with the inputs of its shuffles."""
        record = self.match.record()
        about = record.get("about", {}) | {"names": [*self.names]}
        if self._state.seating.hinted:
            about["hints"] = sorted(self._state.seating.hinted)
        if self.plan.brought:
            about["brought"] = True
        if self.is_over:
            about |= opened(self.plan, self._state.seating.pledges, record["events"])
        return record | {"about": about}

    # ----------------------------------------------------------------------------------------------- views and scenes

    def view(self, seat: int | None) -> View[Any]:
        """The present view of a seat; None for the spectators'."""
        return self._clients.view(seat)

    def scene(self, seat: int | None) -> SceneView:
        """The present scene of a seat; None for the spectators'."""
        return self._clients.scene(seat)

    def summary(self, identity: str | None) -> TableView:
        """The table as shown to one person."""
        return self._clients.summary(identity)

    def welcome(self, identity: str | None) -> Welcome:
        """The message that contains everything a client needs to start."""
        return self._clients.welcome(identity)

    def admit(self, identity: str | None) -> None:
        """Check that this person may open one more window on the table. Raises TooMany, Forbidden."""
        self._clients.admit(identity)

    def join(self, client: Client) -> None:
        """Add a client: it is sent a welcome, and then every message to its seat."""
        self._clients.join(client)
        seat = seat_of(self.places, client.identity)
        if seat is not None and self.places[seat].substitute and not self.done:
            self._returning = asyncio.create_task(self._return(client.identity))

    async def _return(self, identity: str | None) -> None:
        """Let a returning player take over from the substitute at once; if that fails, they can still ask for it."""
        with contextlib.suppress(Refusal):
            await self.ask(identity, ComeBack())

    def leave(self, client: Client) -> None:
        """Remove a client; its person keeps the seat."""
        self._clients.leave(client)

    def look(self, client: Client) -> None:
        """Send a welcome to a client that is out of step."""
        self._clients.look(client)

    def has_welcome(self, identity: str | None) -> bool:
        """Whether a recent welcome to this person's kind of viewer is cached."""
        return self._clients.has_welcome(identity)

    def look_elsewhere(self, identities: Set[str]) -> None:
        """Set the identities of people connected to the table through other servers."""
        self._clients.look_elsewhere(identities)

    def hear_aside(self, message: Aside, to: str | None) -> None:
        """Pass on a message from another server to everybody here, or to one person."""
        self._clients.hear_aside(message, to)

    # -------------------------------------------------------------------------------------------------------- actions

    async def ask(self, identity: str | None, action: AnyAction) -> None:
        """Carry out a person's action. Raises Refusal."""
        if isinstance(action, Nudge):
            self._nudge(self._context(identity), action.seat)
        else:
            await self._grant(identity, lambda context: decide(context, action))

    async def hint(self, identity: str | None) -> tuple[View[Any], int]:
        """The view to base a hint on, and the number of the last entry. Raises Refusal if hints are not allowed."""
        await self._grant(identity, hint_entries)
        return self.view(seat_of(self.places, identity)), self.seq

    async def link(self, identity: str | None, digest: str) -> None:
        """Let the secret with this SHA-256 move the person's seat to another device; empty revokes it. Raises
        Refusal."""
        await self._grant(identity, lambda context: [Linked(seat=context.need_own_seat(), digest=digest)])

    def linked(self, digest: str) -> int:
        """The seat whose link has this SHA-256. Raises WrongSecret if there is none."""
        links = self._state.seating.links.items()
        seat = next((seat for seat, known in links if known and hmac.compare_digest(known, digest)), None)
        if seat is None:
            raise WrongSecret("This link has been used or cancelled: make a new one on the device you play on")
        return seat

    async def redeem(self, identity: str, digest: str) -> None:
        """Move the seat whose link has this SHA-256 to this identity. Raises Refusal."""

        def moved(context: RequestContext) -> list[AnyEntry]:
            if context.seat is not None:  # a repeated request, or the device that made the link
                return []
            return [Moved(seat=self.linked(digest), identity=identity)]

        await self._grant(identity, moved)

    async def follow_up(self, identity: str | None, make: Callable[[], Awaitable[str]]) -> None:
        """Start a rematch: when the first person asks, `make` creates its table and returns its id. Raises Refusal."""

        async def once() -> None:
            self._context(identity).need_own_seat()
            if not self.done:
                raise Refusal("The match is not over yet")
            if self._state.seating.next is None:
                await self._write([Followed(table=await make())])

        await self._undisturbed(self._again_if_overtaken(once))

    async def _grant(self, identity: str | None, decided: Callable[[RequestContext], list[AnyEntry]]) -> None:
        async def once() -> None:
            if entries := decided(self._context(identity)):
                await self._write(entries)

        await self._undisturbed(self._again_if_overtaken(once))

    def _context(self, identity: str | None) -> RequestContext:
        return RequestContext(identity, self._state, self._clients.now(), time.time(), self._levels)

    def _nudge(self, context: RequestContext, seat: int) -> None:
        """Remind somebody that it is their turn, at most every `NUDGES` seconds."""
        by, place = context.need_own_seat(), context.need_seat(seat)
        if not acts(self.match.state, seat) or place.who != "person" or self.done:
            raise Taken("Nobody is waiting for this player at the moment")
        if context.time < self._nudged.get(seat, 0.0) + NUDGES:
            raise TooMany(f"{place.name} was reminded a moment ago")
        self._nudged[seat] = context.time
        self._clients.say(NudgeHeard(by), to=place.identity)

    # ---------------------------------------------------------------------------------------------------------- moves

    async def move(self, identity: str | None, move_id: str, seq: int, text: str, reply: Send) -> None:
        """Make the move of a person who has seen everything up to entry `seq`; `reply` sends the answer.

        A repeated `move_id` gets the same answer again and is not played twice.
        """
        await self._undisturbed(self._move(identity, move_id, seq, text, reply))

    async def _move(self, identity: str | None, move_id: str, seq: int, text: str, reply: Send) -> None:
        async def once() -> None:
            seat = seat_of(self.places, identity)
            key = (-1 if seat is None else seat, move_id)
            if answered := self._accepted.get(key) or self._refused.get(key):
                reply(answered)
                return
            if seq > self.seq:  # the person has seen entries through another server
                await self._catch_up()
            try:
                await self._happen(self._judge(seat, seq, text), move_id, reply)
            except NotWritten:
                raise
            except Refusal as refusal:
                reply(self._remember(key, Refused(move_id, str(refusal), refusal.clause)))

        try:
            await self._again_if_overtaken(once)
        except NotWritten as refusal:
            reply(Refused(move_id, str(refusal), None))

    def _remember(self, key: tuple[int, str], answer: Refused) -> Refused:
        """Remember a refusal, to repeat it if the same move is sent again."""
        self._refused[key] = answer
        if len(self._refused) > REMEMBERED:
            del self._refused[next(iter(self._refused))]
        return answer

    def _judge(self, seat: int | None, seq: int, text: str) -> Match[Any]:
        """The match after a seat's move. Raises Refusal."""
        if seat is None:
            raise Forbidden("You have no seat at this table: you are only watching.")
        if not is_full(self.places):
            raise Refusal("The match has not started yet: a seat is still open.")
        if self.places[seat].substitute:
            raise Refusal("A computer player is playing for you: come back first.")
        if self.done and not self.match.done:
            ended = self._state.seating.ended
            raise Refusal(_GIVEN_UP.get(ended.why if ended else "", "The match was given up."))
        if self._state.seating.claimed:
            raise Refusal("The rest is claimed: this deal is played out for everybody.")
        if seq > self.seq:
            raise Refusal("Your page is ahead of the table: reload it.")
        if seq < self._turns.moved[seat]:
            raise Refusal("You have already made your move: the first one counts.")
        if acts(self.match.state, seat) and seq < self._turns.since[seat]:
            raise Refusal("It was not your turn yet when you played that: look again.")
        after = self.match.fork()
        try:
            after.play(seat, text)
        except IllegalMove as error:
            refusal = explain(self.match, self.scene(seat), self.names, text, error.clause)
            raise Refusal(refusal, error.clause) from None
        return after

    async def _happen(self, after: Match[Any], move_id: str | None = None, reply: Send | None = None) -> None:
        """Write the last event of `after`, adopt it and send it to everybody, to `reply` first. Raises
        NotWritten."""
        event, clock, taken = after.events[-1], self.settings.clock, 0.0
        if clock is not None and event.seat in running(self.places, self.match.state):
            taken = self._clients.clocks.taken(clock, event.seat, time.time())
        await self._write([_happened(after, move_id, taken)], [after], reply)

    # -------------------------------------------------------------------------------------------- writing and sending

    async def _again_if_overtaken(self, step: Callable[[], Awaitable[None]]) -> None:
        """Do a step; if another program has written to the journal meanwhile, catch up and do it again."""
        for _ in range(PERSEVERANCE):
            try:
                return await step()
            except Overtaken:
                await self._catch_up()
        return await step()

    async def catch_up(self) -> None:
        """Apply the entries that others have written to the journal. Raises NotWritten if it cannot be read."""
        await self._undisturbed(self._catch_up())

    async def _catch_up(self) -> None:
        for entry in await self._journal.since(self.plan.id, self.seq):
            before = [*self.places]
            self._follow(entry)
            self._clients.tell([entry], before)
        self.wake()

    async def _write(
        self, entries: Sequence[AnyEntry], afters: Sequence[Match[Any]] = (), reply: Send | None = None
    ) -> None:
        """Write entries to the journal, adopt them and send their effects to everybody. Raises NotWritten.

        If the entries are events, `afters` contains the match after each of them, and they are sent one by one.
        """
        done = afters[-1].done if afters else self.done or any(isinstance(entry, Ended) for entry in entries)
        await self._journal.append(self.plan.id, self.seq + 1, entries, done=done)
        before = [*self.places]
        for entry, after in zip_longest(entries, afters):
            self._follow(entry, after)
            if reply and isinstance(entry, Happened):
                reply(Accepted(entry.move_id or "", self.seq))
            if after is not None:
                self._clients.tell([entry], before)
        if not afters:
            self._clients.tell(entries, before)
        self.wake()

    def _follow(self, entry: AnyEntry, after: Match[Any] | None = None) -> None:
        """Apply a journal entry to all the state of the table."""
        before, host = self.match.state.copy(), None if isinstance(entry, Happened) else self._host()
        event = self._state.follow(entry, after)
        self._moved_on.set()
        was = self._clients.names
        self._clients.look_again(entry)
        if isinstance(entry, TookBack):
            self._log.take_back(self._turns.take_back(entry, self.seq), self.match)
        self._clients.clocks.note(entry, event.seat if event is not None else None)
        if event is None:
            self._remark(entry, was, host)
            return
        self._log.note(self.seq, before, self.match, event, self.names)
        is_next_deal = event.seat is None and event.word == "deal" and self.match.state.deals > 1
        self._turns.note(self.seq, entry.at + BETWEEN_DEALS * is_next_deal, event, before.to_act)
        if isinstance(entry, Happened) and entry.move_id is not None and event.seat is not None:
            self._accepted[event.seat, entry.move_id] = Accepted(entry.move_id, self.seq)

    def _remark(self, entry: AnyEntry, was: Sequence[str], host: str | None) -> None:
        """Add a remark on an entry to the log; `was` are the names and `host` is the host's identity before it."""
        seating = self._state.seating
        if host is None and isinstance(entry, Seated):  # the person who opens the table is the first to sit down
            return
        passed_on = isinstance(entry, (Seated, Left)) and host not in (None, self._host())
        entry = (seating.ended or entry) if isinstance(entry, Ended) else entry
        self._log.remark(self.seq, entry, was, self.names, seating.host_seat if passed_on else None)

    def _host(self) -> str | None:
        """The identity of the host; None if no person has a seat."""
        seat = self._state.seating.host_seat
        return None if seat is None else self.places[seat].identity

    async def _undisturbed(self, step: Coroutine[Any, Any, None]) -> None:
        """Run a step with the table locked, to its end even if the caller is cancelled."""
        await asyncio.shield(asyncio.create_task(self._alone(step)))

    async def _alone(self, step: Coroutine[Any, Any, None]) -> None:
        """Run a step with the table locked."""
        async with self._lock:
            await step

    # ------------------------------------------------------------------------------------------------ automatic steps

    def wake(self) -> None:
        """Start the task that carries out chance events and computer players' moves, if any are due."""
        self._wind()
        self._watch_knocks()
        if (self._driver is None or self._driver.done()) and is_full(self.places) and self._is_due():
            self._driver = asyncio.create_task(self._drive())

    def _is_due(self) -> bool:
        waiting = self.match.state.awaiting != NOTHING or self._computer_to_act(self.match) is not None
        return waiting and not self.done and not is_deserted(self.places)

    def _computer_to_act(self, match: Match[Any]) -> int | None:
        return next((seat for seat in match.to_act if self._played_by(seat) is not None), None)

    def _played_by(self, seat: int) -> str | None:
        """The level of the computer player that moves for this seat; None if a person does."""
        return SUBSTITUTE if self._state.seating.claimed else self.places[seat].played_by

    def _wind(self) -> None:
        """Set a timer for the earliest moment at which somebody may run out of time."""
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        clock = self.settings.clock
        if clock is None or self.done or not is_full(self.places):
            return
        zeros = [self._clients.clocks.zero(clock, seat) for seat in running(self.places, self.match.state)]
        if zeros:
            self._set_flag(min(zeros) - time.time())

    def _set_flag(self, seconds: float) -> None:
        def fall() -> None:
            self._falling = asyncio.create_task(self._see_to_the_late())

        self._flag = asyncio.get_running_loop().call_later(max(0.0, seconds), fall)

    async def _see_to_the_late(self) -> None:
        try:
            await self._undisturbed(self._again_if_overtaken(self._replace_the_late))
        except NotWritten as error:
            log.error("table %s: %s", self.plan.id, error)
            self._set_flag(PATIENCE)

    async def _replace_the_late(self) -> None:
        clock, now = self.settings.clock, time.time()
        if clock is None or self.done:
            return
        seats = running(self.places, self.match.state)
        late = [seat for seat in seats if self._clients.clocks.zero(clock, seat) <= now]
        if late:
            level = stand_in(self.places)
            stepped_in = [Substituted(seat=seat, level=level, late=True) for seat in late]
            await self._write([*stepped_in, *without(self._state.seating, {*late})])
        else:
            self._wind()

    def _watch_knocks(self, pause: float = 1.0) -> None:
        """Set a timer for the earliest moment at which somebody who has knocked may have been away for too long, but
        not within `pause` seconds."""
        if self._knock_timer is not None:
            self._knock_timer.cancel()
            self._knock_timer = None
        waiting = self._state.seating.knocks.waiting.values()
        if self.done or not waiting:
            return

        def fire() -> None:
            self._ending_knocks = asyncio.create_task(self._see_to_the_gone())

        now = time.time()
        latest = [self._clients.waits_until(knock) or now + ABSENCE for knock in waiting]
        self._knock_timer = asyncio.get_running_loop().call_later(max(pause, min(latest) - now), fire)

    async def _see_to_the_gone(self) -> None:
        try:
            await self._undisturbed(self._again_if_overtaken(self._end_knocks))
        except NotWritten as error:
            log.error("table %s: %s", self.plan.id, error)
            self._watch_knocks(PATIENCE)
        else:
            self._watch_knocks()

    async def _end_knocks(self) -> None:
        now, waiting = time.time(), self._state.seating.knocks.waiting.values()
        gone = [knock for knock in waiting if (self._clients.waits_until(knock) or now + 1) <= now]
        if gone and not self.done:
            await self._write([KnockEnded(identity=knock.identity, name=knock.name, why="gone") for knock in gone])

    async def _drive(self) -> None:
        while self._is_due():
            async with self._lead(self.plan.id) as leads:
                if leads and not await self._drive_on():
                    return
            if not leads:
                await asyncio.sleep(STANDBY)

    async def _drive_on(self) -> bool:
        """Carry out events until a person is to act; return False if the table itself is faulty."""
        pause = 0.0
        while self._is_due():
            try:
                await self._step()
                if pause:
                    self._clients.tell_all(Notice("well", "Play continues."))
                pause = 0.0
            except NotWritten as error:
                log.error("table %s: %s", self.plan.id, error)
                if not pause:
                    self._clients.tell_all(Notice("trouble", f"{error}. The table tries again."))
                pause = min(max(2 * pause, SHORTEST_PAUSE), PATIENCE)
                await asyncio.sleep(pause)
            except (Exception, SystemExit) as error:
                log.error("table %s has stopped: %r", self.plan.id, error)
                self._clients.tell_all(Notice("trouble", "The table has stopped: something went wrong here."))
                return False
        return True

    async def _step(self) -> None:
        """Carry out the awaited chance event, or one move of a slow computer player, or several of quick ones."""
        seat = self._computer_to_act(self.match)
        if self.match.state.awaiting != NOTHING and not self._state.seating.pledges.settled:
            await self._settle()
        elif self.match.state.awaiting != NOTHING:
            await self._alone(self._again_if_overtaken(self._deal_out))
        elif seat is not None:
            await self._let_play(seat)

    async def _settle(self) -> None:
        """Fix the shuffles once all pledged nonces have been revealed or their time is up."""
        pledges = self._state.seating.pledges
        left = (pledges.until or 0.0) - time.time()
        if pledges.waits_for(self.places) and left > 0:
            self._moved_on.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):  # wait_for of Python 3.11 may ignore that the task is cancelled
                    await self._moved_on.wait()
        else:
            await self._undisturbed(self._again_if_overtaken(self._fix_shuffles))

    async def _fix_shuffles(self) -> None:
        if not self._state.seating.pledges.settled and not self.done:
            await self._write([Settled()])

    async def _deal_out(self) -> None:
        if self.match.state.awaiting == NOTHING or self.done:  # somebody else has dealt, or ended the match
            return
        after = self.match.fork()
        after.event(self._state.luck() or after.draw_lots(self._state.stream() or self._chance))
        await self._happen(after)

    async def _let_play(self, seat: int) -> None:
        """Let a computer player move; if it is quick, also the players of the same level that follow it."""
        level, seq = self._played_by(seat) or "", self.seq
        answer = self._computers.answer(seat, level, self.view(seat))
        if isinstance(answer, str):
            ahead = self._play_ahead(seat, level, answer)
            await self._alone(self._again_if_overtaken(lambda: self._play_all(ahead, seq)))
        else:
            text = await answer
            await self._alone(self._again_if_overtaken(lambda: self._play_for(seat, text, seq)))

    def _play_ahead(self, seat: int, level: str, text: str) -> list[Match[Any]]:
        """The match after this move, and after each move of following players of the same level."""
        ahead, match = list[Match[Any]](), self.match
        while True:
            match = match.fork()
            match.play(seat, text)
            ahead.append(match)
            following = self._computer_to_act(match)
            if following is None or self._played_by(following) != level or len(ahead) == MOST_AT_ONCE:
                return ahead
            seat, text = following, str(self._computers.answer(following, level, match.view(following)))

    async def _play_all(self, ahead: Sequence[Match[Any]], seq: int) -> None:
        """Write the moves that were chosen at entry `seq`, if it is still the last one."""
        if self.seq == seq:
            await self._write([_happened(after) for after in ahead], ahead)

    async def _play_for(self, seat: int, text: str, seq: int) -> None:
        """Play the move that a computer player chose at entry `seq`, if it is still needed."""
        if self._played_by(seat) is None or self._turns.since[seat] > seq or self.done:
            return  # the person came back meanwhile, it is another turn, or the match was given up
        after = self.match.fork()
        after.play(seat, text)
        await self._happen(after)


def _happened(after: Match[Any], move_id: str | None = None, taken: float = 0.0) -> Happened:
    """The entry for the last event of a match."""
    winners = after.winners if after.done else None
    return Happened(text=after.events[-1].text, move_id=move_id, taken=taken, winners=winners)
