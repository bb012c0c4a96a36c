"""One live table: what people may do there.

The table judges people's moves and requests. `upcard.table.writer` stores and applies what follows from them,
`upcard.table.autoplay` does what happens without people, `upcard.table.timers` knows what is due by the clock, and
`upcard.table.clients` sends each seat what it may see. The table does no input or output of its own: it receives a
journal, a source of chance and a function that chooses the computer players' moves.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import time
from collections.abc import Awaitable, Callable, Sequence, Set
from contextlib import nullcontext
from typing import Any

from upcard.engine.chance import Shuffler
from upcard.engine.errors import IllegalMove
from upcard.engine.match import Match
from upcard.engine.views import View
from upcard.rules.seats import acts
from upcard.rules.sentences import sentence
from upcard.table.actions import AnyAction, ComeBack, Nudge, React, Say, Unsay
from upcard.table.autoplay import Autoplay, Lead
from upcard.table.chat import SpeakingRates, chat_message, checked_words, reaction_of, speaking_name
from upcard.table.clients import Broadcast, Clients
from upcard.table.clocks import Turns
from upcard.table.computers import BusyWith, ChooseMove, Computers
from upcard.table.errors import Forbidden, NotWritten, Refusal, Taken, TooMany, WrongSecret
from upcard.table.journal import AnyEntry, Followed, Journal, Linked, Moved, Plan, Seated
from upcard.table.log import Log
from upcard.table.messages import Aside, ChatRemoved, NudgeHeard, Refused, TableView, Welcome
from upcard.table.pledges import opened
from upcard.table.presence import Client, Send
from upcard.table.refusals import explain
from upcard.table.requests import RequestContext, decide, hint_entries
from upcard.table.scene import SceneView
from upcard.table.seats import Occupant, is_full, seat_of
from upcard.table.settings import Settings
from upcard.table.state import Seating, TableState
from upcard.table.timers import Alarm, ended_knocks, knock_ends_at, lapses, out_of_time_at
from upcard.table.writer import Writer

NUDGES = 10.0
"""Seconds between two reminders of one person."""
REMEMBERED = 100
"""The number of refusals remembered, to repeat them to clients that send a move again."""
BETWEEN_LOOKS, PATIENCE = 1.0, 30.0
"""Seconds between two looks for people who have gone away at least, and until entries that could not be written are
tried again."""

_GIVEN_UP = {
    "closed": sentence("The house has closed this table."),
    "unfinished": sentence("The match goes no further here."),
}
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
        stirred: Callable[[], None] = lambda: None,
    ) -> None:
        """Restore a table from its journal `entries`.

        `levels` are the levels of computer players, from the weakest; `busy` returns that of a slow one when it thinks;
        `lead` and `spread` are for a journal shared with other programs; `stirred` is called after a change of people,
        seats or settings, and when the match is over. Raises BadRecord or IllegalMove if the plan
        and the entries do not make a valid match.
        """
        self._state = TableState(plan)
        self._levels = levels
        self._log = Log(self.match)
        self._turns = Turns(plan.players)
        self._clients = Clients(self._state, self._log, self._turns, spread, stirred)
        self._writer = Writer(journal, self._state, self._log, self._turns, self._clients)
        computers = Computers(plan.id, think, busy, self._clients)
        self._autoplay = Autoplay(self._state, self._turns, self._clients, computers, self._writer, chance, lead)
        self._driving: asyncio.Task[None] | None = None
        self._clock_alarm, self._knock_alarm = Alarm(), Alarm()
        self._refused: dict[tuple[int, str], Refused] = {}
        self._returning: asyncio.Task[None] | None = None
        self._nudged: dict[int, float] = {}
        """For each seat, when its player was last reminded."""
        self._rates = SpeakingRates()
        for entry in entries:
            self._writer.follow(entry)
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
        stirred: Callable[[], None] = lambda: None,
    ) -> Table:
        """Create a table and write it to the journal; play begins if it is full. Raises BadRecord, NotWritten."""
        entries = [Seated(seat=seat, place=place) for seat, place in enumerate(places) if place.who != "open"]
        table = cls(
            plan, journal, think, levels,
            entries=entries, chance=chance, busy=busy, lead=lead, spread=spread, stirred=stirred,
        )  # fmt: skip
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
    def seating(self) -> Seating:
        """Who sits where, and what they have agreed."""
        return self._state.seating

    @property
    def winners(self) -> list[int] | None:
        """The seats that have won; None if nobody has, or not yet."""
        if self.seating.ended is not None:
            return self.seating.conceded_to
        return self.match.winners if self.match.done else None

    @property
    def present(self) -> frozenset[str]:
        """The identities of those who are connected to the table here."""
        return self._clients.present

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
        elif isinstance(action, (Say, React)):
            self._speak(self._context(identity), action)
        elif isinstance(action, Unsay):
            self._context(identity).need_host()
            self._clients.say(ChatRemoved(action.number))
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
                await self._writer.write([Followed(table=await make())])

        await self._carry_out(once)

    async def _grant(self, identity: str | None, decided: Callable[[RequestContext], list[AnyEntry]]) -> None:
        async def once() -> None:
            if entries := decided(self._context(identity)):
                await self._writer.write(entries)

        await self._carry_out(once)

    def _context(self, identity: str | None) -> RequestContext:
        return RequestContext(identity, self._state, self._clients.now(), time.time(), self._levels)

    def _nudge(self, context: RequestContext, seat: int) -> None:
        """Remind somebody that it is their turn, at most every `NUDGES` seconds."""
        by, place = context.need_own_seat(), context.need_seat(seat)
        if not acts(self.match.state, seat) or place.who != "person" or self.done:
            raise Taken("Nobody is waiting for this player at the moment")
        if context.time < self._nudged.get(seat, 0.0) + NUDGES:
            raise TooMany(sentence("{player} was reminded a moment ago", player=place.name))
        self._nudged[seat] = context.time
        self._clients.say(NudgeHeard(by), to=place.identity)

    def _speak(self, context: RequestContext, action: Say | React) -> None:
        """Pass on what somebody at the table says."""
        identity, seat, settings = context.identity, context.seat, self.settings
        if identity is None or not self._clients.is_here(identity) or identity in self.seating.blocked:
            raise Forbidden("Only people who are at the table can be heard there")
        name = self.names[seat] if seat is not None else speaking_name(action.name)
        about = self.plan.id, identity, seat, name
        if isinstance(action, React):
            self._rates.take(identity)
            self._clients.say(reaction_of(*about, action.kind, self.done))
            return
        text = checked_words(action.phrase, action.text, may_write=settings.chat and not settings.listed)
        self._rates.take(identity)
        self._clients.say(chat_message(*about, action.phrase, text, self.done))

    # ---------------------------------------------------------------------------------------------------------- moves

    async def move(self, identity: str | None, move_id: str, seq: int, text: str, reply: Send) -> None:
        """Make the move of a person who has seen everything up to entry `seq`; `reply` sends the answer.

        A repeated `move_id` gets the same answer again and is not played twice.
        """

        async def once() -> None:
            seat = seat_of(self.places, identity)
            key = (-1 if seat is None else seat, move_id)
            if answered := self._writer.accepted(*key) or self._refused.get(key):
                reply(answered)
                return
            if seq > self.seq:  # the person has seen entries through another server
                await self._writer.catch_up()
            try:
                after = self._judge(seat, seq, text)
                await self._writer.write_event([after, *self._autoplay.answers(after)], move_id, reply)
            except NotWritten:
                raise
            except Refusal as refusal:
                reply(self._remember(key, Refused(move_id, refusal.sentence, refusal.clause)))

        try:
            await self._carry_out(once)
        except NotWritten as refusal:
            reply(Refused(move_id, refusal.sentence, None))

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
            raise Refusal(_GIVEN_UP.get(ended.why if ended else "", sentence("The match was given up.")))
        if self._state.seating.claimed:
            raise Refusal("The rest is claimed: this deal is played out for everybody.")
        if seq > self.seq:
            raise Refusal("Your page is ahead of the table: reload it.")
        if seq < self._turns.moved[seat]:
            if not self._writer.moved_themselves(seat, self._turns.moved[seat]):
                raise Refusal("A computer player has made this move for you meanwhile.")
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

    # ------------------------------------------------------------------------------------------------ journal and time

    async def _carry_out(self, step: Callable[[], Awaitable[None]]) -> None:
        """Do a step with the table locked, to its end even if the caller is cancelled, and again if another program has
        written to the journal meanwhile."""

        async def whole() -> None:
            try:
                await self._writer.again_if_overtaken(step)
            finally:
                self.wake()

        await self._writer.undisturbed(whole)

    async def catch_up(self) -> None:
        """Apply the entries that others have written to the journal. Raises NotWritten if it cannot be read."""
        await self._carry_out(self._writer.catch_up)

    def wake(self) -> None:
        """Set the alarms, and start the task that does what is due without a person, if anything is."""
        self._set_alarms()
        if (self._driving is None or self._driving.done()) and self._autoplay.is_due():
            self._driving = asyncio.create_task(self._drive())

    async def _drive(self) -> None:
        await self._autoplay.run(self._set_alarms)

    def _set_alarms(self) -> None:
        now = time.time()
        clock_at, knock_at = out_of_time_at(self._state, self._clients), knock_ends_at(self._state, self._clients)
        if clock_at is None:
            self._clock_alarm.clear()
        else:
            self._clock_alarm.set(clock_at - now, self.replace_the_late)
        if knock_at is None:
            self._knock_alarm.clear()
        else:
            self._knock_alarm.set(max(BETWEEN_LOOKS, knock_at - now), self.end_knocks)

    async def replace_the_late(self) -> None:
        """Let computer players move for those who have run out of time; those who have while no program had the table
        get a little more."""
        await self._write_due(lapses, self._clock_alarm, self.replace_the_late)

    async def end_knocks(self) -> None:
        """End the knocks of those who have gone away."""
        await self._write_due(ended_knocks, self._knock_alarm, self.end_knocks)

    async def _write_due(
        self, due: Callable[[TableState, Clients], list[AnyEntry]], alarm: Alarm, step: Callable[[], Awaitable[None]]
    ) -> None:
        """Write the entries that are due now; if they cannot be written, try again later."""

        async def once() -> None:
            if entries := due(self._state, self._clients):
                await self._writer.write(entries)

        try:
            await self._carry_out(once)
        except NotWritten as error:
            log.error("table %s: %s", self.plan.id, error)
            alarm.set(PATIENCE, step)
