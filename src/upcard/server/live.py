"""The tables in play, and the connections to the browsers that look at them."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import time
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect
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
from upcard.table.stores import ID_LETTERS, new_id
from upcard.table.summary import Now, summary
from upcard.table.table import Table

if TYPE_CHECKING:
    from upcard.server.neighbours import Neighbours

MOST_RECENT = 200
"""The number of tables that stay in memory even though nobody looks at them."""
MOST_WAITING = 256
"""Messages that may queue up for a slow browser before it is disconnected; it reconnects and gets a welcome."""
REFUSED = 1008
"""The close code of a WebSocket that is refused to somebody; the reason is shown to them."""
MESSAGES_PER_SECOND = 10.0
BURST = 30.0

log = logging.getLogger("upcard.server")

# ------------------------------------------------------------------------------------------------------------- tables


class Tables:
    """All tables: those in memory, and those that are loaded from the store when somebody asks for them."""

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
        """How many tables are in memory."""
        return len(self._live)

    async def connect(self, socket: WebSocket[Any, Any, Any], table: Table, identity: str) -> None:
        """Connect a browser window with a table until one side closes the connection."""
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
        """Send a message to every connected window."""
        for connection in self._connections:
            connection.hear(message)

    async def get(self, table_id: str) -> Table | None:
        """The table with this id, loaded if need be; None if there is none. Raises Refusal, NotWritten."""
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
        kept = await self._store.load(table_id)
        if kept is None:
            return None
        try:
            table = await asyncio.to_thread(self._rebuild, kept)
        except IllegalMove as error:  # the rules have changed under it
            log.warning("table %s was played by other rules: %s", table_id, error)
            return await asyncio.to_thread(OldTable, kept, self._thinkers)
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
        """Create a table and store it."""
        think, levels = self._thinkers, levels_of(Setup(plan.game).game)
        table = await Table.open(
            plan, places, self._store, think, levels, busy=think.state, lead=self._lead, spread=self._spread
        )
        self._keep(table)
        return table

    async def forget(self, before: float) -> int:
        """Delete tables made before this time and unchanged since; returns how many. Raises NotWritten."""
        forgotten = await self._store.forget(before)
        for table_id in forgotten:
            self._live.pop(table_id, None)
            self._recent.pop(table_id, None)
        return len(forgotten)

    async def notice_closed(self) -> None:
        """Catch up with tables that an administrator has closed in the database. Raises NotWritten."""
        in_play = [table_id for table_id, table in self._live.items() if not table.done]
        for table_id in await self._store.over(in_play):
            self.hear(table_id)

    # ------------------------------------------------------------------------------------------------- other servers

    def meet(self, neighbours: Neighbours) -> None:
        """Share the tables with other servers from now on."""
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
        """The people who look at a table through other servers have changed."""
        if (table := self._live.get(table_id)) is not None:
            table.look_elsewhere(self._elsewhere(table_id))

    def hear_aside(self, table_id: str, to: str | None, message: Aside) -> None:
        """Another server sends a message to those who look at a table: to one person, or to all if `to` is None."""
        if (table := self._live.get(table_id)) is not None:
            table.hear_aside(message, to)

    def hear(self, table_id: str | None) -> None:
        """Another server has written to the journal of a table; None: of any table, perhaps."""
        for one in [table_id] if table_id is not None else [*self._live, *self._loading]:
            task = asyncio.create_task(self._catch_up(one))
            self._catching_up.add(task)
            task.add_done_callback(self._catching_up.discard)

    async def _catch_up(self, table_id: str) -> None:
        with contextlib.suppress(Refusal):  # the table stays as it was until it hears of the next entry
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
            new_id(10),
            wish.game,
            wish.players,
            0,
            wish.options,
            identity,
            settings=wish.settings,
            invite=new_id(16),
            secret=new_secret(),
            draws_dealer=True,
            rules=_rules_of(wish.game),
        )
        return await self._opened(plan, _places(wish, identity))

    async def follow_up(self, table: Table, identity: str, pledge: str | None) -> None:
        """Open another table for a rematch, with the seats rotated and people's seats reserved. Raises Refusal."""

        async def make() -> str:
            old, places = table.plan, [_held(place, identity, pledge) for place in table.places]
            plan = structs.replace(
                old, id=_id_after(old), dealer=0, host=identity, created=time.time(), settings=table.settings,
                origin=None, invite=new_id(16), secret=new_secret(), draws_dealer=True, rules=_rules_of(old.game),
                from_record=False,
            )  # fmt: skip
            with contextlib.suppress(Overtaken):  # another server has made it
                await self._opened(plan, places[-1:] + places[:-1])
            return plan.id

        await table.follow_up(identity, make)

    async def bring(self, record: dict[str, Any], identity: str) -> Table:
        """Open a match record as a finished table. Raises BadRecord, Refusal."""
        match = await asyncio.to_thread(_read, record)
        places = [Place("person", name) for name in recorded_names(record, match.players, first=1)]
        plan = _plan_of(match, identity, Origin(None, len(match.events)))
        entries = [*begun(places, match.events), *([] if match.done else [Ended(why="unfinished")])]
        return await self._begun(plan, entries, done=True)

    async def fork(self, old: Table, wish: NewFork, identity: str) -> Table:
        """Open a table that plays on from the middle of a finished match. Raises Refusal."""
        match = old.match
        me = Place("person", clean_name(wish.name, ()), None, identity, pledge=wish.pledge)
        places = around(me, wish.seat, match.players, wish.level, levels_of(match.game))
        events = before(match.events, wish.events)
        plan = structs.replace(
            _plan_of(match, identity, Origin(old.plan.id, wish.events)),
            from_record=old.plan.brought is not None,
            secret=new_secret(),
            draws_dealer=wish.events == 0,
        )
        return await self._begun(plan, begun(places, events), done=False)

    async def _begun(self, plan: Plan, entries: Sequence[AnyEntry], *, done: bool) -> Table:
        """Store a new table with these first entries, and load it."""
        await self._store.begin(plan, entries, done=done)
        table = await self.get(plan.id)
        assert table is not None
        return table

    async def of(self, identity: str, before: float | None = None) -> list[TableView]:
        """The tables at which somebody sits, newest first; with `before`, only those made before that time."""
        return self._told(await self._store.of(identity, games.names(), before), identity)

    async def statistics(self, identity: str) -> list[Statistic]:
        """Wins and losses in somebody's finished matches."""
        return statistics(await self._store.finished(identity), identity)

    async def listed(self, identity: str | None) -> list[TableView]:
        """The tables listed in the lobby, newest first."""
        return self._told(await self._store.listed(games.names()), identity)

    def _told(self, tables: Sequence[Kept], identity: str | None) -> list[TableView]:
        views = []
        for kept in tables:
            table = self._live.get(kept.plan.id)
            if table is not None:
                views.append(table.summary(identity))
            else:
                title, elsewhere = games.load(kept.plan.game).title, self._elsewhere(kept.plan.id)
                now = Now(title, kept.done, Presence(elsewhere))
                views.append(summary(Seating(kept.plan, kept.entries), now, identity))
        return views


def is_id(text: str) -> bool:
    """Whether a text has the form of a table id."""
    return 0 < len(text) <= 16 and text.isascii() and text.isalnum()


def _rules_of(slug: str) -> dict[str, object] | None:
    """The identity of the rules by which a table is played, which its record names."""
    return games.load(slug).identity if slug in games.names() else None


def _id_after(plan: Plan) -> str:
    """The id of the rematch's table: derived from the old plan, so that every server arrives at the same one."""
    digest = hashlib.sha256(f"{plan.id} {plan.invite}".encode()).digest()
    return "".join(ID_LETTERS[byte % len(ID_LETTERS)] for byte in digest[:10])


def _read(record: dict[str, Any]) -> Match[Any]:
    """Replay the match of a record. Raises BadRecord."""
    try:
        return replay(record)
    except IllegalMove as error:
        raise BadRecord(str(error), error.clause) from None


def _plan_of(match: Match[Any], identity: str, origin: Origin) -> Plan:
    record = match.record()
    game, dealer, options = record["game"], record["dealer"], record["options"]
    rules = match.game.identity
    return Plan(
        new_id(10), game, match.players, dealer, options, identity, origin=origin, invite=new_id(16), rules=rules
    )


def _held(place: Place, identity: str, pledge: str | None) -> Place:
    """A seat for the rematch: taken by the person who asked for it, reserved for other people."""
    if place.who == "computer":
        return place
    if place.who == "open":
        return Place()
    if place.identity == identity:
        return Place("person", place.name, None, identity, pledge=pledge)
    return Place("held", place.name, None, place.identity)


def _places(wish: NewTable, identity: str) -> list[Place]:
    if len(wish.seats) != wish.players:
        raise Unacceptable(f"A table for {wish.players} players has as many seats, not {len(wish.seats)}")
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
    """One browser window at one table. Its messages wait in a bounded queue, so that a slow one holds up nobody."""

    def __init__(self, socket: WebSocket[Any, Any, Any], table: Table, identity: str | None) -> None:
        self._socket = socket
        self._table = table
        self._observer = Observer(identity, self.hear, self._let_go)
        self._waiting: asyncio.Queue[AnyMessage] = asyncio.Queue(MOST_WAITING)
        self._lost = asyncio.Event()
        self._closed = 1013, "too slow"
        """The code and reason with which a lost connection is closed."""

    async def talk(self) -> None:
        """Send and receive until one side closes the connection."""
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
            del self._observer  # it holds this connection, and so the table: only the collector would find them
        if self._lost.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._socket.close(*self._closed), 1)

    def hear(self, message: AnyMessage) -> None:
        """Queue a message; a browser whose queue is full is disconnected."""
        try:
            self._waiting.put_nowait(message)
        except asyncio.QueueFull:
            self._lost.set()

    def _let_go(self, why: str) -> None:
        self._closed = REFUSED, why
        self._lost.set()

    async def _send(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, OSError):  # kept by the task, it would keep the table
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
            if allowance < 0:  # slow down a browser that sends too much
                await asyncio.sleep(-allowance / MESSAGES_PER_SECOND)
            await self._answer(event.get("text") or event.get("bytes") or "")

    async def _answer(self, text: str | bytes) -> None:
        try:
            message = _reader.decode(text)
        except (ValueError, RecursionError):
            self.hear(Refused("", "This is no message to a table", None))
            return
        match message:
            case MakeMove():
                await self._table.move(self._observer.identity, message.id, message.seq, message.text, self.hear)
            case Look():
                self._table.look(self._observer)
            case Ping():
                self.hear(Alive(round(time.time(), 3)))
