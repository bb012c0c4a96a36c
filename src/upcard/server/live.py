"""The tables in play, and the connections to the browsers that look at them."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar, cast
from weakref import WeakValueDictionary

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect
from msgspec import structs

from upcard import games
from upcard.engine.errors import BadRecord, IllegalMove
from upcard.engine.setup import Setup
from upcard.players import levels_of
from upcard.server.bodies import ComputerSeat, Look, MakeMove, Me, NewFork, NewTable, Ping, Statistic, ToTable
from upcard.server.limits import Doorkeeper, client_of, household
from upcard.server.memory import Trimmer
from upcard.server.old_rules import OldTable
from upcard.server.pacing import MESSAGE, SENDING, Pacing, move_time, welcome_time
from upcard.server.replays import CheckedRecord, Transcript
from upcard.server.statistics import statistics
from upcard.server.storage import Store, StoredTable
from upcard.server.thinking import Thinkers
from upcard.server.uvicorn_protocols import GONE
from upcard.table.errors import Overtaken, Refusal, Unacceptable
from upcard.table.forking import around, before, begun
from upcard.table.journal import AnyEntry, Ended, Happened, Origin, Plan
from upcard.table.messages import Alive, AnyMessage, Aside, Notice, Refused, TableView
from upcard.table.pledges import new_secret
from upcard.table.presence import Client, Presence
from upcard.table.seats import Occupant, clean_name, computer, seat_of
from upcard.table.state import Seating
from upcard.table.stores import ID_LETTERS, new_id
from upcard.table.summary import Now, summary
from upcard.table.table import Table
from upcard.table.workers import FairQueue, Requester, measured

if TYPE_CHECKING:
    from upcard.server.peer_channel import Neighbours

MOST_RECENT, MOST_FINISHED = 200, 50
"""The numbers of tables in play and of finished ones that stay in memory although nobody looks at them. They are
counted separately, so that finished tables never displace those in play."""
MOST_KNOWN = 20_000
"""The number of tables whose people are remembered."""
MOST_WAITING = 256
"""Messages that may queue up for a slow browser before it is disconnected; it reconnects and gets a welcome."""
REFUSED = 1008
"""The close code of a refused WebSocket, whose reason the page shows."""
MOST_REASON = 123
"""The longest reason that the frame which closes a WebSocket can carry, in bytes."""
MOST_SIZE = 256 * 1024
"""The total length of the messages that may queue up for it, in characters."""
MESSAGES_PER_SECOND, BURST = 20.0, 40.0
"""Messages that are read from one connection: per second in the long run, and at once."""
LOOKS_APART = 1.0
"""Seconds between two answers to `look` over one connection."""
MOST_NONSENSE = 30
"""The number of messages not understood after which a connection is closed."""
NONSENSE = "This page sent too many messages that a table does not understand: reload it"

SLICE = 0.001
"""Seconds of loading a table, and of the pauses in between."""

log = logging.getLogger("upcard.server")
T = TypeVar("T")

# ------------------------------------------------------------------------------------------------------------- tables


class Tables:
    """All tables: those in memory, and those that are loaded from the store when somebody asks for them."""

    def __init__(self, store: Store, thinkers: Thinkers, doorkeeper: Doorkeeper) -> None:
        self._store = store
        self._thinkers = thinkers
        self._doorkeeper = doorkeeper
        self._pacing = Pacing(doorkeeper)
        self._trimmer = Trimmer()
        self._live: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._recent: OrderedDict[str, Table] = OrderedDict()
        self._finished: OrderedDict[str, Table] = OrderedDict()
        self._people: OrderedDict[str, frozenset[str]] = OrderedDict()
        """By table, the identities of the people who sat there when it was last asked for."""
        self._connections: set[Connection] = set()
        self._trouble: Notice | None = None
        """The notice sent to every new window while there is trouble."""
        self._loading: dict[tuple[str, Requester], asyncio.Task[Table]] = {}
        """By table and requester, so that nobody waits in another requester's queue."""
        self._loads = FairQueue(1, household)
        self._neighbours: Neighbours | None = None
        self._catching_up: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        """How many tables are in memory."""
        return len(self._live)

    async def connect(self, socket: WebSocket[Any, Any, Any], table: Table, identity: str) -> None:
        """Connect a browser window with a table until one side closes the connection. Raises Refusal if there is no
        room for it."""
        if self._neighbours is not None:  # it may have seen later entries through another server
            await self._catch_up(table.plan.id)
        connection = Connection(socket, table, identity, self._pacing, lambda: self._trouble)
        self._connections.add(connection)
        if self._neighbours is not None:
            self._neighbours.came(table.plan.id, identity)
        try:
            await connection.talk()
        finally:
            self._connections.discard(connection)
            self._trimmer.count()
            if self._neighbours is not None:
                self._neighbours.went(table.plan.id, identity)

    def tell_all(self, notice: Notice) -> None:
        """Send a notice to every connected window; one of trouble also to windows that connect before it is over."""
        self._trouble = notice if notice.kind == "trouble" else None
        for connection in self._connections:
            connection.hear(notice)

    async def get(self, table_id: str, address: str | None = None, identity: str | None = None) -> Table | None:
        """Return the table with this id, loaded if necessary; None if there is none. Loading is charged to the address,
        unless this identity has a seat there. Raises Refusal, NotWritten."""
        table = self._live.get(table_id)
        if table is None:
            stored = await self._stored(table_id, address, identity)
            if stored is None:
                return None
            table = await self._loaded(stored, Requester(address, _seat_in(stored, identity) is not None))
        if not isinstance(table, OldTable):
            self._keep(table)
        return table

    def seats(self, table_id: str, identity: str | None) -> bool:
        """Whether somebody sits at a table that is in memory."""
        table = self._live.get(table_id)
        return table is not None and seat_of(table.places, identity) is not None

    async def _stored(self, table_id: str, address: str | None, identity: str | None) -> StoredTable | None:
        """Return a table as stored. Reading it is charged to the address too, if this identity is known to have no seat
        there."""
        people = self._people.get(table_id)
        if people is None or identity in people:
            return await self._store.load(table_id)
        self._doorkeeper.begin_work(address, seated=False)
        began = time.monotonic()
        try:
            return await self._store.load(table_id)
        finally:
            self._doorkeeper.end_work(address, time.monotonic() - began)

    async def _loaded(self, stored: StoredTable, requester: Requester) -> Table:
        """Load a stored table when it is this requester's turn."""
        key = stored.plan.id, requester
        if key not in self._loading:
            loading = self._loading[key] = asyncio.create_task(self._load(stored, requester))
            loading.add_done_callback(lambda _: self._loading.pop(key))
        return await asyncio.shield(self._loading[key])

    async def _load(self, stored: StoredTable, requester: Requester) -> Table:
        table_id = stored.plan.id
        async with self._loads.turn(requester):
            if (table := self._live.get(table_id)) is not None:  # loaded for somebody else meanwhile
                return table
            if not requester.seated:
                self._doorkeeper.begin_work(requester.address, seated=False)
            late = await self._store.since(table_id, len(stored.entries))
            whole = replace(stored, entries=PacedEntries(stored.entries + late))
            rebuilt, error, seconds = await asyncio.to_thread(measured, time.thread_time, self._rebuild, whole)
            if not requester.seated:
                self._doorkeeper.end_work(requester.address, seconds)
            if rebuilt is None:
                raise error or AssertionError
            if isinstance(rebuilt, OldTable):
                return rebuilt
            self._keep(rebuilt)
        rebuilt.look_elsewhere(self._elsewhere(table_id))
        rebuilt.wake()
        return rebuilt

    def _rebuild(self, stored: StoredTable) -> Table:
        """The table, read-only if its rules have changed. Runs in a thread. Raises Refusal, BadRecord."""
        think = self._thinkers
        try:
            levels = levels_of(Setup(stored.plan.game).game)
            return Table(
                stored.plan, self._store, think, levels,
                entries=stored.entries, busy=think.state, lead=self._lead, spread=self._spread,
            )  # fmt: skip
        except IllegalMove as error:  # the rules have changed since
            log.warning("table %s was played under other rules: %s", stored.plan.id, error)
            return OldTable(stored, self._thinkers)
        except BadRecord as error:
            log.error("table %s cannot be read: %s", stored.plan.id, error)
            raise Refusal("This table was played under rules that are no longer here", error.clause) from None

    async def _opened(self, plan: Plan, places: Sequence[Occupant]) -> Table:
        """Create a table and store it."""
        think, levels = self._thinkers, levels_of(Setup(plan.game).game)
        table = await Table.open(
            plan, places, self._store, think, levels, busy=think.state, lead=self._lead, spread=self._spread
        )
        self._keep(table)
        return table

    async def game_of(self, table_id: str) -> str | None:
        """The game of a table, without loading it; None if there is no such table. Raises NotWritten."""
        table = self._live.get(table_id)
        return await self._store.game_of(table_id) if table is None else table.plan.game

    async def forget(self, before: float) -> int:
        """Delete tables made before this time and unchanged since; returns how many. Raises NotWritten."""
        forgotten = await self._store.forget(before)
        for table_id in forgotten:
            self._live.pop(table_id, None)
            self._recent.pop(table_id, None)
            self._finished.pop(table_id, None)
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
        """The identities of the people who look at a table through other servers."""
        return frozenset() if self._neighbours is None else self._neighbours.at(table_id)

    def people_stirred(self, table_id: str) -> None:
        """Update a table after a change of the people who look at it through other servers."""
        if (table := self._live.get(table_id)) is not None:
            table.look_elsewhere(self._elsewhere(table_id))

    def hear_aside(self, table_id: str, to: str | None, message: Aside) -> None:
        """Pass on another server's message to those who look at a table: to one person, or to all if `to` is None."""
        if (table := self._live.get(table_id)) is not None:
            table.hear_aside(message, to)

    def hear(self, table_id: str | None) -> None:
        """Catch up with a table whose journal another server has written to, or with all tables for None."""
        everywhere = {*self._live, *(loading for loading, _ in self._loading)}
        for each_id in [table_id] if table_id is not None else everywhere:
            task = asyncio.create_task(self._catch_up(each_id))
            self._catching_up.add(task)
            task.add_done_callback(self._catching_up.discard)

    async def _catch_up(self, table_id: str) -> None:
        with contextlib.suppress(Refusal):  # the table stays as it was until the next entry is announced
            if loading := [task for (of, _), task in self._loading.items() if of == table_id]:
                await asyncio.wait(loading)
            if (table := self._live.get(table_id)) is not None:
                await table.catch_up()
            elif self._neighbours is not None:  # nobody here looks at it any more
                await self._neighbours.let_go(table_id)

    def _keep(self, table: Table) -> None:
        table_id = table.plan.id
        self._live[table_id] = table
        people = frozenset(place.identity for place in table.places if place.identity is not None)
        _remember(self._people, table_id, people, MOST_KNOWN)
        if table.done:
            self._recent.pop(table_id, None)
            _remember(self._finished, table_id, table, MOST_FINISHED)
        else:
            _remember(self._recent, table_id, table, MOST_RECENT)

    async def open(self, wish: NewTable, identity: str) -> Table:
        """Open a new table. Raises Refusal, BadRecord."""
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

    async def bring(self, record: CheckedRecord, identity: str) -> TableView:
        """Store a match record as a finished table. It is loaded when somebody looks at it. Raises NotWritten."""
        transcript = record.transcript
        texts, places = transcript.texts, [Occupant("person", name) for name in record.names]
        plan = _plan_of(transcript, identity, Origin(None, len(texts)))
        entries = [*_begun(places, texts), *([] if record.done else [Ended(why="unfinished")])]
        await self._store.begin(plan, entries, done=True)
        return self._view(StoredTable(plan, True, entries), identity, time.time())

    async def fork(self, old: Table, wish: NewFork, identity: str) -> Table:
        """Open a table that plays on from the middle of a finished match. Raises Refusal."""
        match = old.match
        me = Occupant("person", clean_name(wish.name, ()), None, identity, pledge=wish.pledge)
        places = around(me, wish.seat, match.players, wish.level, levels_of(match.game))
        texts = [event.text for event in before(match.events, wish.events)]
        plan = structs.replace(
            _plan_of(Transcript.of(match), identity, Origin(old.plan.id, wish.events)),
            from_record=old.plan.brought is not None,
            secret=new_secret(),
            draws_dealer=wish.events == 0,
        )
        await self._store.begin(plan, _begun(places, texts))
        table = await self.get(plan.id, identity=identity)
        assert table is not None
        return table

    async def of(self, identity: str, before: float | None = None) -> list[TableView]:
        """The tables at which somebody sits, newest first; with `before`, only those made before that time."""
        return self._views(await self._store.of(identity, games.names(), before), identity)

    async def statistics(self, identity: str, address: str | None) -> list[Statistic]:
        """Wins and losses in somebody's finished matches; the time is charged to their address. Raises TooMany."""
        self._doorkeeper.begin_work(address, seated=True)
        began = time.monotonic()
        try:
            return await asyncio.to_thread(statistics, await self._store.finished(identity), identity)
        finally:
            self._doorkeeper.end_work(address, time.monotonic() - began)

    async def listed(self, identity: str | None) -> list[TableView]:
        """The tables listed in the lobby, newest first."""
        return self._views(await self._store.listed(games.names()), identity)

    def _views(self, tables: Sequence[StoredTable], identity: str | None) -> list[TableView]:
        return [self._view(stored, identity) for stored in tables]

    def _view(self, stored: StoredTable, identity: str | None, opened: float = 0.0) -> TableView:
        """A table as shown to one person, without loading it."""
        table = self._live.get(stored.plan.id)
        if table is not None:
            return table.summary(identity)
        title, elsewhere = games.load(stored.plan.game).title, self._elsewhere(stored.plan.id)
        now = Now(title, stored.done, Presence(elsewhere), opened)
        return summary(Seating(stored.plan, stored.entries), now, identity)


class PacedEntries(list[AnyEntry]):
    """Entries whose iteration in a thread pauses again and again, so that the event loop does not have to wait."""

    def __iter__(self) -> Iterator[AnyEntry]:
        began = time.perf_counter()
        for entry in super().__iter__():
            yield entry
            if time.perf_counter() - began > SLICE:
                time.sleep(SLICE)
                began = time.perf_counter()


def close_reason(text: str) -> str:
    """Cut a reason to fit into the frame that closes a WebSocket."""
    return text.encode()[:MOST_REASON].decode(errors="ignore")


def is_id(text: str) -> bool:
    """Whether a text has the form of a table id."""
    return 0 < len(text) <= 16 and text.isascii() and text.isalnum()


def _rules_of(slug: str) -> dict[str, object] | None:
    """The identity of a game's rules, which the records of its tables name; None if the game is not there."""
    return games.load(slug).identity if slug in games.names() else None


def _id_after(plan: Plan) -> str:
    """The id of the rematch's table: derived from the old plan, so that every server arrives at the same one."""
    digest = hashlib.sha256(f"{plan.id} {plan.invite}".encode()).digest()
    return "".join(ID_LETTERS[byte % len(ID_LETTERS)] for byte in digest[:10])


def _remember(items: OrderedDict[str, T], key: str, item: T, most: int) -> None:
    """Put an item last, and drop the first one if there are more than `most`."""
    items[key] = item
    items.move_to_end(key)
    if len(items) > most:
        items.popitem(last=False)


def _seat_in(stored: StoredTable, identity: str | None) -> int | None:
    """The seat of a person at a stored table."""
    people = [entry for entry in stored.entries if not isinstance(entry, Happened)]
    return seat_of(Seating(stored.plan, people).places, identity)


def _plan_of(transcript: Transcript, identity: str, origin: Origin) -> Plan:
    setup = transcript.setup
    game, options, rules = setup.game.slug, dict(setup.chosen), setup.game.identity
    return Plan(
        new_id(10), game, setup.players, transcript.dealer, options, identity, origin=origin, invite=new_id(16),
        rules=rules,
    )  # fmt: skip


def _begun(places: Sequence[Occupant], events: Sequence[str]) -> list[AnyEntry]:
    """The journal entries that seat these players and replay these events."""
    return [*begun(places, ()), *[Happened(text=text) for text in events]]


def _held(place: Occupant, identity: str, pledge: str | None) -> Occupant:
    """A seat for the rematch: taken by the person who asked for it, reserved for other people."""
    if place.who == "computer":
        return place
    if place.who == "open":
        return Occupant()
    if place.identity == identity:
        return Occupant("person", place.name, None, identity, pledge=pledge)
    return Occupant("held", place.name, None, place.identity)


def _places(wish: NewTable, identity: str) -> list[Occupant]:
    if len(wish.seats) != wish.players:
        raise Unacceptable(f"A table for {wish.players} players needs {wish.players} seats, not {len(wish.seats)}")
    if sum(isinstance(seat, Me) for seat in wish.seats) != 1:
        raise Unacceptable("Take one of the seats yourself: the person who opens a table plays at it")
    me = Occupant("person", clean_name(wish.name, ()), None, identity, pledge=wish.pledge)
    places, levels = list[Occupant](), levels_of(Setup(wish.game).game)
    for seat in wish.seats:
        if isinstance(seat, Me):
            places.append(me)
        elif isinstance(seat, ComputerSeat):
            places.append(computer(seat.level, [*places, me], levels))
        else:
            places.append(Occupant())
    return places


# -------------------------------------------------------------------------------------------------------- connections

_reader = msgspec.json.Decoder(ToTable)


class Connection:
    """One browser window at one table. Its messages wait in a bounded queue, so that a slow one delays nobody."""

    def __init__(
        self,
        socket: WebSocket[Any, Any, Any],
        table: Table,
        identity: str | None,
        pacing: Pacing,
        trouble: Callable[[], Notice | None] = lambda: None,
    ) -> None:
        """`trouble` returns the notice for new windows while there is trouble, otherwise None."""
        self._socket = socket
        self._table = table
        self._pacing = pacing
        self._trouble = trouble
        self._client = client_of(socket.scope)
        self._observer = Client(identity, self.hear, self._let_go)
        self._waiting: asyncio.Queue[AnyMessage] = asyncio.Queue(MOST_WAITING)
        self._size = 0
        """The total length of the messages in the queue."""
        self._looking: asyncio.Task[None] | None = None
        """The task that answers `look`, while a welcome is due."""
        self._looked_at = -LOOKS_APART
        self._nonsense = 0
        """The number of messages not understood."""
        self._lost = cast(asyncio.Event, (socket.scope.get("extensions") or {}).get(GONE) or asyncio.Event())
        self._closing: tuple[int, str] | None = None
        """The code and reason with which the server closes the connection."""

    async def talk(self) -> None:
        """Send and receive until one side closes the connection. Raises Refusal if there is no room at the table."""
        tasks = [asyncio.create_task(step) for step in (self._send(), self._receive(), self._lost.wait())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self._table.leave(self._observer)
            tasks += [self._looking] if self._looking is not None else []
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._looking = None
            del self._observer  # a cycle with this connection and its table: only the collector would free them
        if self._closing is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._socket.close(*self._closing), 1)

    @property
    def _is_seated(self) -> bool:
        return seat_of(self._table.places, self._observer.identity) is not None

    async def _pay(self, seconds: float) -> None:
        """Wait until there is time for work that takes this many seconds."""
        await self._pacing.pay(self._client, seconds, seated=self._is_seated)

    def hear(self, message: AnyMessage) -> None:
        """Queue a message; a browser whose queue is full is disconnected."""
        size = len(message.json)
        if self._waiting.full() or (self._size and self._size + size > MOST_SIZE):
            self._close(1013, "too slow")
            return
        self._size += size
        self._waiting.put_nowait(message)

    def _let_go(self, why: str) -> None:
        self._close(REFUSED, why)

    def _close(self, code: int, reason: str) -> None:
        self._closing = self._closing or (code, reason)
        self._lost.set()

    async def _send(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, OSError):  # the task's exception would keep the table alive
            while True:
                message = await self._waiting.get()
                self._size -= len(message.json)
                if not self._is_seated:  # a move pays for the people at the table, but not for a crowd of others
                    await self._pay(SENDING)
                await self._socket.send_text(message.json)

    async def _receive(self) -> None:
        await self._pay(MESSAGE + welcome_time(self._table))
        self._table.admit(self._observer.identity)  # again, as others may have come meanwhile
        self._table.join(self._observer)
        if (trouble := self._trouble()) is not None:
            self.hear(trouble)
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
            await self._pay(MESSAGE)
            self._refuse()
            return
        await self._pay(move_time(self._table) if isinstance(message, MakeMove) and self._is_seated else MESSAGE)
        match message:
            case MakeMove():
                await self._table.move(self._observer.identity, message.id, message.seq, message.text, self.hear)
            case Look():
                if self._looking is None or self._looking.done():
                    self._looking = asyncio.create_task(self._look())
            case Ping():
                self.hear(Alive(round(time.time(), 3)))

    def _refuse(self) -> None:
        """Answer a message that is not understood; disconnect a browser that sends many."""
        self._nonsense += 1
        if self._nonsense > MOST_NONSENSE:
            self._let_go(NONSENSE)
        else:
            self.hear(Refused("", "This is not a message to a table", None))

    async def _look(self) -> None:
        """Send a welcome, `LOOKS_APART` seconds after the last one at the earliest; it answers every `look` until
        then."""
        await asyncio.sleep(max(0.0, self._looked_at + LOOKS_APART - time.monotonic()))
        has_welcome = self._table.has_welcome(self._observer.identity)
        await self._pay(MESSAGE if has_welcome else MESSAGE + welcome_time(self._table))
        self._looked_at = time.monotonic()
        self._table.look(self._observer)
