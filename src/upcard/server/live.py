"""The tables in play, and the connections to the browsers that look at them."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import msgspec
from litestar import WebSocket
from msgspec import structs

from upcard import games
from upcard.engine.errors import BadRecord, IllegalMove
from upcard.engine.match import Match
from upcard.engine.records import replay
from upcard.engine.setup import Setup
from upcard.players import levels_of
from upcard.server.messages import Computer, Look, MakeMove, Me, NewFork, NewTable, Ping, Statistic, ToTable
from upcard.server.old_rules import OldTable
from upcard.server.statistics import statistics
from upcard.server.storage import Kept, Store
from upcard.server.thinking import Thinkers
from upcard.table.errors import Overtaken, Refusal, Unacceptable
from upcard.table.forking import around, before, begun
from upcard.table.journal import AnyEntry, Ended, Origin, Plan
from upcard.table.messages import Alive, AnyMessage, Aside, Refused, TableView
from upcard.table.pledges import new_secret
from upcard.table.presence import Observer, Presence
from upcard.table.seats import Place, clean_name, computer, recorded_names
from upcard.table.standing import Seating
from upcard.table.summary import Now, summary
from upcard.table.table import Table

if TYPE_CHECKING:
    from upcard.server.neighbours import Neighbours

MOST_RECENT = 200
"""So many tables stay in memory though nobody looks at them."""
MOST_WAITING = 256
"""Messages that may wait for a slow browser before it is let go; it comes back and gets a welcome."""
REFUSED = 1008
"""The code of a line that is closed to somebody; the reason is for them to read."""
MESSAGES_PER_SECOND = 10.0
BURST = 30.0
_ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"

log = logging.getLogger("upcard.server")

# ------------------------------------------------------------------------------------------------------------- tables


class Tables:
    """All tables: those in memory, and those that only the store knows until somebody asks."""

    def __init__(self, store: Store, thinkers: Thinkers) -> None:
        self._store = store
        self._thinkers = thinkers
        self._live: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._recent: OrderedDict[str, Table] = OrderedDict()
        self._connections: set[Connection] = set()
        self._loading: dict[str, asyncio.Task[Table | None]] = {}
        self._neighbours: Neighbours | None = None
        self._catching_up: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        """How many are in memory."""
        return len(self._live)

    async def connect(self, socket: WebSocket[Any, Any, Any], table: Table, identity: str) -> None:
        """Let a browser window look at a table until one side goes."""
        if self._neighbours is not None:  # it may come from another server, and have seen more there
            await self._catch_up(table.plan.id)
        connection = Connection(socket, table, identity)
        self._connections.add(connection)
        if self._neighbours is not None:
            self._neighbours.came(table.plan.id, identity)
        try:
            await connection.talk()
        finally:
            self._connections.discard(connection)
            if self._neighbours is not None:
                self._neighbours.went(table.plan.id, identity)

    def tell_all(self, message: AnyMessage) -> None:
        """Tell everybody who looks at any table."""
        for connection in self._connections:
            connection.hear(message)

    async def get(self, table_id: str) -> Table | None:
        """The table of this id, as its players left it; None if there is none."""
        table = self._live.get(table_id)
        if table is None:
            if table_id not in self._loading:
                loading = self._loading[table_id] = asyncio.create_task(self._load(table_id))
                loading.add_done_callback(lambda _: self._loading.pop(table_id))
            table = await asyncio.shield(self._loading[table_id])
        if table is not None and not isinstance(table, OldTable):
            self._keep(table)
        return table

    async def _load(self, table_id: str) -> Table | None:
        found = await self._store.load(table_id)
        if found is None:
            return None
        try:
            table = await asyncio.to_thread(self._rebuild, found)
        except IllegalMove as error:  # the rules have changed under it
            log.warning("table %s was played by other rules: %s", table_id, error)
            return await asyncio.to_thread(OldTable, found, self._thinkers)
        except BadRecord as error:
            log.error("table %s cannot be read: %s", table_id, error)
            raise Refusal("This table was played by rules that are no longer here", error.clause) from None
        self._keep(table)
        table.look_elsewhere(self._elsewhere(table_id))
        table.wake()
        return table

    def _rebuild(self, kept: Kept) -> Table:
        think, levels = self._thinkers, levels_of(Setup(kept.plan.game).game)
        return Table(
            kept.plan, self._store, think, levels,
            entries=kept.entries, busy=think.state, lead=self._lead, spread=self._spread,
        )  # fmt: skip

    async def _opened(self, plan: Plan, places: Sequence[Place]) -> Table:
        """A new table, written down."""
        think, levels = self._thinkers, levels_of(Setup(plan.game).game)
        table = await Table.open(
            plan, places, self._store, think, levels, busy=think.state, lead=self._lead, spread=self._spread
        )
        self._keep(table)
        return table

    async def forget(self, before: float) -> int:
        """Delete what was made before a moment and is not needed any more; how many tables. Raises NotWritten."""
        forgotten = await self._store.forget(before)
        for table_id in forgotten:
            self._live.pop(table_id, None)
            self._recent.pop(table_id, None)
        return len(forgotten)

    async def notice_closed(self) -> None:
        """Follow whoever runs the house, where they have closed a table in the database. Raises NotWritten."""
        in_play = [table_id for table_id, table in self._live.items() if not table.done]
        for table_id in await self._store.over(in_play):
            self.hear(table_id)

    # ------------------------------------------------------------------------------------------------- other servers

    def meet(self, neighbours: Neighbours) -> None:
        """From now on other servers have the same tables."""
        self._neighbours = neighbours

    def _lead(self, table_id: str) -> AbstractAsyncContextManager[bool]:
        return contextlib.nullcontext(True) if self._neighbours is None else self._neighbours.lead(table_id)

    def _spread(self, table_id: str, to: str | None, message: Aside) -> None:
        if self._neighbours is not None:
            self._neighbours.say(table_id, to, message)

    def _elsewhere(self, table_id: str) -> frozenset[str]:
        """Who looks at a table through other servers."""
        return frozenset() if self._neighbours is None else self._neighbours.at(table_id)

    def people_stirred(self, table_id: str) -> None:
        """Others than before look at a table through other servers."""
        if (table := self._live.get(table_id)) is not None:
            table.look_elsewhere(self._elsewhere(table_id))

    def hear_aside(self, table_id: str, to: str | None, message: Aside) -> None:
        """Another server has something told to whoever looks at a table; to one person only where one is named."""
        if (table := self._live.get(table_id)) is not None:
            table.hear_aside(message, to)

    def hear(self, table_id: str | None) -> None:
        """Another server has written something at a table; None: perhaps at any."""
        for one in [table_id] if table_id is not None else [*self._live, *self._loading]:
            task = asyncio.create_task(self._catch_up(one))
            self._catching_up.add(task)
            task.add_done_callback(self._catching_up.discard)

    async def _catch_up(self, table_id: str) -> None:
        with contextlib.suppress(Refusal):  # it stays as it was and is told of the next
            if table_id in self._loading:
                await asyncio.shield(self._loading[table_id])
            if (table := self._live.get(table_id)) is not None:
                await table.catch_up()
            elif self._neighbours is not None:  # nobody here looks at it any more
                await self._neighbours.let_go(table_id)

    def _keep(self, table: Table) -> None:
        self._live[table.plan.id] = table
        self._recent[table.plan.id] = table
        self._recent.move_to_end(table.plan.id)
        while len(self._recent) > MOST_RECENT:
            self._recent.popitem(last=False)

    async def open(self, wish: NewTable, identity: str) -> Table:
        """A new table. Raises Refusal, BadRecord."""
        plan = Plan(
            _new_id(10),
            wish.game,
            wish.players,
            0,
            wish.options,
            identity,
            settings=wish.settings,
            invite=_new_id(16),
            secret=new_secret(),
            draws_dealer=True,
        )
        return await self._opened(plan, _places(wish, identity))

    async def follow_up(self, table: Table, identity: str, pledge: str | None) -> None:
        """One more match at another table, the seats rotated; those of people are held for them. Raises Refusal."""

        async def make() -> str:
            old, places = table.plan, [_held(place, identity, pledge) for place in table.places]
            plan = structs.replace(
                old, id=_id_after(old), dealer=0, host=identity, created=time.time(), settings=table.settings,
                origin=None, invite=_new_id(16), secret=new_secret(), draws_dealer=True,
            )  # fmt: skip
            with contextlib.suppress(Overtaken):  # another server has made it
                await self._opened(plan, places[-1:] + places[:-1])
            return plan.id

        await table.follow_up(identity, make)

    async def bring(self, record: dict[str, Any], identity: str) -> Table:
        """A finished table out of a match record. Raises BadRecord, Refusal."""
        match = await asyncio.to_thread(_read, record)
        places = [Place("person", name) for name in recorded_names(record, match.players)]
        plan = _plan_of(match, identity, Origin(None, len(match.events)))
        entries = [*begun(places, match.events), *([] if match.done else [Ended(why="closed")])]
        return await self._begun(plan, entries, done=True)

    async def fork(self, old: Table, wish: NewFork, identity: str) -> Table:
        """A new table that goes on from the middle of a finished match. Raises Refusal."""
        match = old.match
        me = Place("person", clean_name(wish.name, ()), None, identity, pledge=wish.pledge)
        places = around(me, wish.seat, match.players, wish.level, levels_of(match.game))
        events = before(match.events, wish.events)
        plan = structs.replace(
            _plan_of(match, identity, Origin(old.plan.id, wish.events)),
            secret=new_secret(),
            draws_dealer=wish.events == 0,
        )
        return await self._begun(plan, begun(places, events), done=False)

    async def _begun(self, plan: Plan, entries: Sequence[AnyEntry], *, done: bool) -> Table:
        """A new table with these first entries, written down."""
        await self._store.begin(plan, entries, done=done)
        table = await self.get(plan.id)
        assert table is not None
        return table

    async def of(self, identity: str, before: float | None = None) -> list[TableView]:
        """The tables at which somebody sits, newest first; those made before a moment."""
        return self._told(await self._store.of(identity, before), identity)

    async def statistics(self, identity: str) -> list[Statistic]:
        """How somebody's finished matches went."""
        return statistics(await self._store.finished(identity), identity)

    async def listed(self, identity: str | None) -> list[TableView]:
        """The tables that are in the lobby, newest first."""
        return self._told(await self._store.listed(), identity)

    def _told(self, tables: Sequence[Kept], identity: str | None) -> list[TableView]:
        found = []
        for kept in tables:
            table = self._live.get(kept.plan.id)
            if table is not None:
                found.append(table.summary(identity))
            elif kept.plan.game in games.names():
                title, elsewhere = games.load(kept.plan.game).title, self._elsewhere(kept.plan.id)
                now = Now(title, kept.done, Presence(elsewhere))
                found.append(summary(Seating(kept.plan, kept.entries), now, identity))
        return found


def is_id(text: str) -> bool:
    """Whether a text can be the id of a table."""
    return 0 < len(text) <= 16 and text.isascii() and text.isalnum()


def _new_id(length: int) -> str:
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(length))


def _id_after(plan: Plan) -> str:
    """The id of the table of a rematch: one, whoever makes it."""
    digest = hashlib.sha256(f"{plan.id} {plan.invite}".encode()).digest()
    return "".join(_ID_LETTERS[byte % len(_ID_LETTERS)] for byte in digest[:10])


def _read(record: dict[str, Any]) -> Match[Any]:
    """The match of a record. Raises BadRecord."""
    try:
        return replay(record)
    except IllegalMove as error:
        raise BadRecord(str(error), error.clause) from None


def _plan_of(match: Match[Any], identity: str, origin: Origin) -> Plan:
    record = match.record()
    game, dealer, options = record["game"], record["dealer"], record["options"]
    return Plan(_new_id(10), game, match.players, dealer, options, identity, origin=origin, invite=_new_id(16))


def _held(place: Place, identity: str, pledge: str | None) -> Place:
    """A seat at the table of a rematch: whoever asked for it sits there, other people are expected."""
    if place.who == "computer":
        return place
    if place.who == "open":
        return Place()
    if place.identity == identity:
        return Place("person", place.name, None, identity, pledge=pledge)
    return Place("held", place.name, None, place.identity)


def _places(wish: NewTable, identity: str) -> list[Place]:
    if len(wish.seats) != wish.players:
        raise Unacceptable(f"There are {len(wish.seats)} seats for {wish.players} players")
    if sum(isinstance(seat, Me) for seat in wish.seats) != 1:
        raise Unacceptable("Take one of the seats yourself: whoever sets a table plays at it")
    me = Place("person", clean_name(wish.name, ()), None, identity, pledge=wish.pledge)
    places, levels = list[Place](), levels_of(Setup(wish.game).game)
    for seat in wish.seats:
        if isinstance(seat, Me):
            places.append(me)
        elif isinstance(seat, Computer):
            places.append(computer(seat.level, [*places, me], levels))
        else:
            places.append(Place())
    return places


# -------------------------------------------------------------------------------------------------------- connections

_reader = msgspec.json.Decoder(ToTable)


class Connection:
    """One browser window at one table. What it is told waits in a bounded queue, so that nobody waits for it."""

    def __init__(self, socket: WebSocket[Any, Any, Any], table: Table, identity: str | None) -> None:
        self._socket = socket
        self._table = table
        self._observer = Observer(identity, self.hear, self._let_go)
        self._waiting: asyncio.Queue[AnyMessage] = asyncio.Queue(MOST_WAITING)
        self._lost = asyncio.Event()
        self._closed = 1013, "too slow"
        """What it is closed with, once it is lost."""

    async def talk(self) -> None:
        """Until one side goes."""
        self._table.join(self._observer)
        tasks = [asyncio.create_task(step) for step in (self._send(), self._receive(), self._lost.wait())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self._table.leave(self._observer)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if self._lost.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._socket.close(*self._closed), 1)

    def hear(self, message: AnyMessage) -> None:
        """Have something told; who reads too slowly is let go."""
        try:
            self._waiting.put_nowait(message)
        except asyncio.QueueFull:
            self._lost.set()

    def _let_go(self, why: str) -> None:
        self._closed = REFUSED, why
        self._lost.set()

    async def _send(self) -> None:
        while True:
            message = await self._waiting.get()
            await self._socket.send_text(message.json)

    async def _receive(self) -> None:
        allowance, last = BURST, time.monotonic()
        while True:
            event = await self._socket.receive()
            if event["type"] != "websocket.receive":
                return
            now = time.monotonic()
            allowance, last = min(BURST, allowance + (now - last) * MESSAGES_PER_SECOND) - 1, now
            if allowance < 0:  # whoever sends too much is read more slowly
                await asyncio.sleep(-allowance / MESSAGES_PER_SECOND)
            await self._answer(event.get("text") or event.get("bytes") or "")

    async def _answer(self, text: str | bytes) -> None:
        try:
            said = _reader.decode(text)
        except (ValueError, RecursionError):
            self.hear(Refused("", "This is no message to a table", None))
            return
        match said:
            case MakeMove():
                await self._table.move(self._observer.identity, said.id, said.seq, said.text, self.hear)
            case Look():
                self._table.look(self._observer)
            case Ping():
                self.hear(Alive(round(time.time(), 3)))
