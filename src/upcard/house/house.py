"""The requests that people make of a house, a method each, with the checks of who may do what."""

from __future__ import annotations

import hashlib
import secrets
import time
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from upcard.engine.views import View
from upcard.house.bodies import (
    GettingReady,
    LinkedSeat,
    Look,
    MakeMove,
    NewFork,
    NewTable,
    Ping,
    PlayToday,
    Replay,
    Review,
    SeatLink,
    Statistic,
    TodaysDeal,
    ToTable,
)
from upcard.house.days import Days
from upcard.house.replays import Replays, finished_deals, read_record
from upcard.house.rooms import Rooms
from upcard.house.services import (
    AtOnce,
    Budget,
    ComputerPlayers,
    Requester,
    Reviewer,
    Visitor,
    WorkPool,
    guesses_counted,
)
from upcard.house.statuses import NotHere, NotJson
from upcard.house.tables import Tables, is_id
from upcard.rules.sentences import sentence
from upcard.table.actions import AnyAction, Rematch
from upcard.table.advising import Hint, Wording
from upcard.table.errors import Forbidden, Refusal, Unacceptable
from upcard.table.messages import Alive, TableView
from upcard.table.presence import Client
from upcard.table.scene import Viewpoint
from upcard.table.seats import seat_of
from upcard.table.table import Table

if TYPE_CHECKING:
    from upcard.players.advice import Advice

IN_PLAY = sentence("The match is still in play: it can be watched again when it is over")

_messages = msgspec.json.Decoder(ToTable)
_seconds = getattr(time, "thread_time", time.perf_counter)
"""The time that this thread has worked. A browser's Python has no such clock."""


class House:
    """One place with tables, for everybody who comes to it.

    Every method that names a table raises NotHere if there is none with this id, and Refusal where the visitor may not
    do this. Methods that write raise NotWritten if they cannot.
    """

    def __init__(
        self,
        tables: Tables,
        players: ComputerPlayers | None = None,
        *,
        budget: Budget | None = None,
        pool: WorkPool | None = None,
        reviews: Reviewer | None = None,
        rooms: Rooms | None = None,
        days: Days | None = None,
    ) -> None:
        """`rooms` and `days` are those of a house that has any."""
        self._tables = tables
        self._rooms = rooms
        self._days = days
        self._players = players or AtOnce()
        self._budget = budget or AtOnce()
        self._pool = pool or AtOnce()
        self._replays = Replays(self._pool)
        self._reviews = reviews or AtOnce()

    @property
    def rooms(self) -> Rooms:
        """The rooms of the house. Raises NotHere if it has none."""
        if self._rooms is None:
            raise NotHere("This house has no rooms")
        return self._rooms

    @property
    def _with_days(self) -> Days:
        if self._days is None:
            raise NotHere("This house has no deal of the day")
        return self._days

    # --------------------------------------------------------------------------------------- the deal of the day

    async def today(self, visitor: Visitor) -> TodaysDeal:
        """The deal of the day; with everybody's results once the visitor has finished theirs."""
        return await self._with_days.show(visitor)

    async def play_today(self, visitor: Visitor, wish: PlayToday) -> TableView:
        """The visitor's table of the deal of the day, opened if there is none yet."""
        return (await self._with_days.play(visitor, wish)).summary(visitor.identity)

    # -------------------------------------------------------------------------------------------------------- tables

    async def table(self, visitor: Visitor, table_id: str) -> Table:
        """The table with this id. Loading it is charged to the visitor."""
        table = await self._tables.get(table_id, visitor.address, visitor.identity) if is_id(table_id) else None
        if table is None:
            raise NotHere("There is no such table here: its link may be incomplete, or the table was deleted")
        return table

    async def mine(self, visitor: Visitor, before: float | None = None) -> list[TableView]:
        """The tables at which a visitor sits, newest first; with `before`, only those made before that time."""
        return await self._tables.of(visitor.identity, before) if visitor.identity else []

    async def listed(self, visitor: Visitor) -> list[TableView]:
        """The tables that are publicly listed, newest first."""
        return await self._tables.listed(visitor.identity)

    async def statistics(self, visitor: Visitor) -> list[Statistic]:
        """Wins and losses in the visitor's finished matches."""
        return await self._tables.statistics(visitor.identity, visitor.address) if visitor.identity else []

    async def open(self, visitor: Visitor, wish: NewTable) -> TableView:
        """Open a new table. Raises BadRecord for options that the game does not have."""
        self._budget.table(visitor.address)
        table = await self._tables.open(wish, visitor.person)
        summary = table.summary(visitor.identity)
        if summary.practice and summary.settings.clock is None:
            self._players.expect(table.match.setup)
        return summary

    async def show(self, visitor: Visitor, table_id: str) -> TableView:
        """One table."""
        return (await self.table(visitor, table_id)).summary(visitor.identity)

    async def act(self, visitor: Visitor, table_id: str, action: AnyAction) -> TableView:
        """Perform an action at a table."""
        table = await self.table(visitor, table_id)
        if isinstance(action, Rematch):
            await self._tables.follow_up(table, visitor.person, action.pledge)
        else:
            with guesses_counted(self._budget, visitor):
                await table.ask(visitor.identity, action)
        return table.summary(visitor.identity)

    # ------------------------------------------------------------------------------------------------ seats on the move

    async def link(self, visitor: Visitor, table_id: str) -> SeatLink:
        """Make a single-use link that moves a seat to another device; any earlier link stops working."""
        table, secret = await self.table(visitor, table_id), secrets.token_urlsafe(24)
        await table.link(visitor.identity, _digest(secret))
        return SeatLink(secret)

    async def unlink(self, visitor: Visitor, table_id: str) -> None:
        """Revoke that link."""
        await (await self.table(visitor, table_id)).link(visitor.identity, "")

    async def linked(self, visitor: Visitor, table_id: str, secret: str) -> LinkedSeat:
        """The seat that a link would move to this device."""
        table = await self.table(visitor, table_id)
        with guesses_counted(self._budget, visitor):
            return LinkedSeat(table.linked(_digest(secret)))

    async def redeem(self, visitor: Visitor, table_id: str, secret: str) -> TableView:
        """Move the seat of a link to this device."""
        table = await self.table(visitor, table_id)
        before = [place.identity for place in table.places]
        with guesses_counted(self._budget, visitor):
            await table.redeem(visitor.person, _digest(secret))
        old = before[seat] if (seat := seat_of(table.places, visitor.identity)) is not None else None
        if self._rooms is not None and table.plan.room is not None and old is not None and old != visitor.person:
            await self._rooms.move_member(table.plan.room, old, visitor.person)
        return table.summary(visitor.identity)

    # ---------------------------------------------------------------------------------------------- finished matches

    async def score(self, visitor: Visitor, table_id: str) -> bytes:
        """The scores of the finished deals, which are public: a `ScoreSheet` as JSON."""
        table = await self.table(visitor, table_id)
        return await self._replays.score_sheet(table, _requester(visitor, table), visitor.language)

    async def replay(self, visitor: Visitor, table_id: str, deal: int, seat: str | None) -> Replay:
        """One deal of a finished match; a person alone with computer players may also see the finished deals of a match
        that is still in play."""
        table = await self.table(visitor, table_id)
        summary = table.summary(visitor.identity)
        alone = summary.practice and summary.you is not None
        if not table.is_over and not (alone and 0 < deal <= finished_deals(table.match)):
            raise Refusal(IN_PLAY)
        return await self._replays.replay(
            table, deal, _viewpoint(seat), summary, _requester(visitor, table), visitor.language
        )

    async def record(self, visitor: Visitor, table_id: str) -> tuple[str, bytes]:
        """The match record of a finished match: the name of a file for it, and its JSON. It is encoded here, as sending
        it to another process would take as long, but the time is charged all the same."""
        table = await self._finished(visitor, table_id)
        requester, began = _requester(visitor, table), _seconds()
        self._budget.begin_work(requester.address, seated=requester.seated)
        record = msgspec.json.encode(table.record())
        self._budget.end_work(requester.address, _seconds() - began)
        return f"{table.plan.game}-{table.plan.id}.json", record

    async def open_record(self, visitor: Visitor, text: bytes) -> TableView:
        """Open a match record as a finished table. Raises NotJson, BadRecord."""
        requester = Requester(visitor.address)
        self._pool.admit(requester)
        self._budget.table(requester.address)
        try:
            record = await self._pool.run(requester, read_record, text, admitted=True)
        except msgspec.DecodeError:
            raise NotJson("This is not JSON") from None
        return await self._tables.open_record(record, visitor.person)

    async def fork(self, visitor: Visitor, table_id: str, wish: NewFork) -> TableView:
        """Open a new table that plays on from the middle of a finished match, against computer players."""
        old = await self._finished(visitor, table_id)
        requester = _requester(visitor, old)
        self._budget.begin_work(requester.address, seated=requester.seated)
        self._budget.table(requester.address)
        table = await self._tables.fork(old, wish, visitor.person)
        return table.summary(visitor.identity)

    async def _finished(self, visitor: Visitor, table_id: str) -> Table:
        """A table whose match is over. Raises Refusal while it is in play, as its hidden cards must stay hidden."""
        table = await self.table(visitor, table_id)
        if not table.is_over:
            raise Refusal(IN_PLAY)
        return table

    # -------------------------------------------------------------------------------------------------------- advice

    async def hint(self, visitor: Visitor, table_id: str) -> Hint | GettingReady:
        """A hint on the current decision, for a person who plays alone against computer players."""
        table = await self.table(visitor, table_id)
        if "hint" in table.summary(visitor.identity).may and not self._players.is_ready(table.match.setup):
            return GettingReady(sentence("Hints are being prepared: this takes up to a minute, once"))
        requester = _requester(visitor, table)
        self._pool.admit(requester)  # before the hint is recorded in the journal
        seen, seq = await table.hint(visitor.identity)
        advice = await self._pool.run(requester, _advise, seen, secrets.randbits(64), admitted=True)
        return Wording(seen, table.names).hint(advice, seq)

    async def review(self, visitor: Visitor, table_id: str, seat: int | None = None) -> Review:
        """How good a person's decisions in a finished match were. The first request starts the review; each returns the
        results so far."""
        table = await self.table(visitor, table_id)
        whose = _seat_to_review(table, visitor.identity, seat)
        if not table.is_over:
            raise Refusal("The match is still in play: it can be reviewed when it is over")
        known = self._reviews.of(table, whose)
        if known is not None and known.state != "failed":
            return known
        return self._reviews.start(table, whose, _requester(visitor, table))


def read_message(text: str | bytes) -> ToTable:
    """Decode a message to a table. Raises ValueError or RecursionError if it is none."""
    message: ToTable = _messages.decode(text)
    return message


async def answer_message(table: Table, client: Client, message: ToTable) -> None:
    """Do what a client of a table asks for in a message; the answer is sent to it."""
    match message:
        case MakeMove(id=move_id, seq=seq, text=text):
            await table.move(client.identity, move_id, seq, text, client.send)
        case Look():
            table.look(client)
        case Ping():
            client.send(Alive(round(time.time(), 3)))


def _requester(visitor: Visitor, table: Table) -> Requester:
    return Requester(visitor.address, seat_of(table.places, visitor.identity) is not None)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _viewpoint(seat: str | None) -> Viewpoint:
    if seat is None or seat == "all":
        return seat  # type: ignore[return-value]
    if not (seat.isascii() and seat.isdigit() and len(seat) < 3):
        raise Unacceptable(sentence("There is no seat {seat}", seat=repr(seat[:10])))
    return int(seat)


def _seat_to_review(table: Table, identity: str | None, seat: int | None) -> int:
    """Return the seat to review: a person's own in a match that they played, any in a record that they opened.

    Raises Unacceptable if there is no such seat, Forbidden if it is somebody else's.
    """
    own = seat_of(table.places, identity)
    if seat is not None and seat not in range(table.plan.players):
        raise Unacceptable(sentence("There is no seat {seat}", seat=seat))
    brought = table.plan.brought == "record" and table.plan.host == identity
    if brought and identity is not None:
        return seat if seat is not None else 0
    if own is None or seat not in (None, own):
        raise Forbidden("You can have your own moves reviewed, and those of a record that you have opened")
    return own


def _advise(seen: View[Any], seed: int) -> Advice:
    """Advise the seat that has this view. May run in another process."""
    from upcard.players.advice import HINT, advise
    from upcard.players.reasons import explained

    rng = Random(seed)
    return explained(seen, advise(seen, HINT, rng), rng)
