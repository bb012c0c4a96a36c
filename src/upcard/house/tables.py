"""The tables of a house: those in memory, and those that are loaded from its store when somebody asks for them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar
from weakref import WeakValueDictionary

from msgspec import structs

from upcard import games
from upcard.engine.errors import BadRecord, IllegalMove
from upcard.engine.setup import Setup
from upcard.house.bodies import NewFork, NewTable, Statistic
from upcard.house.day_tables import RepeatablePlayers
from upcard.house.old_rules import OldTable
from upcard.house.opening import (
    begun,
    entries_of_fork,
    id_after,
    place_after,
    plan_of,
    rules_of,
    set_up,
    try_wish,
    wished_places,
    wished_plan,
)
from upcard.house.replays import CheckedRecord
from upcard.house.services import AtOnce, Background, Budget, ComputerPlayers, Requester
from upcard.house.statistics import statistics, winners_of
from upcard.house.stores import StoredTable, TableStore
from upcard.players import levels_of
from upcard.rules.sentences import as_sentence
from upcard.table.computers import ChooseMove
from upcard.table.errors import Overtaken, Refusal
from upcard.table.journal import AnyEntry, Ended, Happened, Origin, Plan
from upcard.table.messages import Aside, TableView
from upcard.table.pledges import new_secret
from upcard.table.presence import Presence
from upcard.table.seats import Occupant, chosen_name, seat_of
from upcard.table.state import Seating
from upcard.table.stores import new_id
from upcard.table.summary import Now, summary
from upcard.table.table import Table

MOST_RECENT, MOST_FINISHED = 200, 50
"""The numbers of tables in play and of finished ones that stay in memory although nobody looks at them. They are
counted separately, so that finished tables never displace those in play."""
MOST_KNOWN = 20_000
"""The number of tables whose people are remembered."""

log = logging.getLogger("upcard.house")
T = TypeVar("T")


@dataclass(frozen=True)
class CurrentTable:
    """A table as it is at present, perhaps without being loaded."""

    plan: Plan
    seating: Seating
    done: bool
    winners: list[int] | None
    """The seats that have won; None if nobody has, or not yet."""
    here: frozenset[str]
    """The identities of those who are connected to it."""


class Tables:
    """All tables. One program has them to itself; where several share a store, `_lead`, `_spread` and `_elsewhere` are
    overridden."""

    def __init__(
        self,
        store: TableStore,
        players: ComputerPlayers | None = None,
        budget: Budget | None = None,
        background: Background | None = None,
    ) -> None:
        self._store = store
        self._players = players or AtOnce()
        self._budget = budget or AtOnce()
        self._background = background or AtOnce()
        self._live: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._recent: OrderedDict[str, Table] = OrderedDict()
        self._finished: OrderedDict[str, Table] = OrderedDict()
        self._people: OrderedDict[str, frozenset[str]] = OrderedDict()
        """By table, the identities of the people who sat there when it was last asked for."""
        self._loading: dict[tuple[str, Requester], asyncio.Task[Table]] = {}
        """By table and requester, so that nobody waits in another requester's queue."""
        self.stirred: Callable[[Plan], None] = lambda plan: None
        """Called with the plan of a table in memory after its people, its seats or its settings have changed, and when
        its match is over."""

    def __len__(self) -> int:
        """How many tables are in memory."""
        return len(self._live)

    # ------------------------------------------------------------------------------------------------------- finding

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

    async def current(self, table_id: str) -> CurrentTable | None:
        """The table with this id as it is at present, without loading it; None if there is none. Raises NotWritten."""
        table, elsewhere = self._live.get(table_id), self._elsewhere(table_id)
        if table is not None:
            return CurrentTable(table.plan, table.seating, table.done, table.winners, table.present | elsewhere)
        stored = await self._store.load(table_id)
        if stored is None:
            return None
        seating = Seating(stored.plan, stored.entries)
        return CurrentTable(stored.plan, seating, stored.done, winners_of(seating, stored.entries), elsewhere)

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
        self._budget.begin_work(address, seated=False)
        began = time.monotonic()
        try:
            return await self._store.load(table_id)
        finally:
            self._budget.end_work(address, time.monotonic() - began)

    async def _loaded(self, stored: StoredTable, requester: Requester) -> Table:
        """Load a stored table when it is this requester's turn."""
        key = stored.plan.id, requester
        if key not in self._loading:
            loading = self._loading[key] = asyncio.create_task(self._load(stored, requester))
            loading.add_done_callback(lambda _: self._loading.pop(key))
        return await asyncio.shield(self._loading[key])

    async def _load(self, stored: StoredTable, requester: Requester) -> Table:
        table_id = stored.plan.id
        async with self._background.turn(requester):
            if (table := self._live.get(table_id)) is not None:  # loaded for somebody else meanwhile
                return table
            if not requester.seated:
                self._budget.begin_work(requester.address, seated=False)
            late = await self._store.since(table_id, len(stored.entries))
            whole = replace(stored, entries=[*stored.entries, *late])
            rebuilt = await self._background.run(requester, self._rebuild, whole)
            if isinstance(rebuilt, OldTable):
                return rebuilt
            self._keep(rebuilt)
        rebuilt.look_elsewhere(self._elsewhere(table_id))
        rebuilt.wake()
        return rebuilt

    def _rebuild(self, stored: StoredTable) -> Table:
        """The table, read-only if its rules have changed. May run in a thread. Raises Refusal, BadRecord."""
        players = self._choosing(stored.plan)
        try:
            levels = levels_of(Setup(stored.plan.game).game)
            return Table(
                stored.plan, self._store, players, levels,
                entries=stored.entries, busy=self._players.state, lead=self._lead, spread=self._spread,
                stirred=partial(self.stirred, stored.plan),
            )  # fmt: skip
        except IllegalMove as error:  # the rules have changed since
            log.warning("table %s was played under other rules: %s", stored.plan.id, error)
            return OldTable(stored, players)
        except BadRecord as error:
            log.error("table %s cannot be read: %s", stored.plan.id, error)
            raise Refusal("This table was played under rules that are no longer here", error.clause) from None

    def _choosing(self, plan: Plan) -> ChooseMove:
        """The choice of moves for a table's computer players."""
        return self._players if plan.day is None else RepeatablePlayers(plan.secret)

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

    def _lead(self, table_id: str) -> AbstractAsyncContextManager[bool]:
        """A context that yields whether this program moves a table's computer players."""
        return contextlib.nullcontext(True)

    def _spread(self, table_id: str, to: str | None, message: Aside) -> None:
        """Pass a message on to those who look at a table through other programs."""

    def _elsewhere(self, table_id: str) -> frozenset[str]:
        """The identities of the people who look at a table through other programs."""
        return frozenset()

    # ------------------------------------------------------------------------------------------------------- opening

    async def open(self, wish: NewTable, identity: str) -> Table:
        """Open a new table. Raises Refusal, BadRecord."""
        await try_wish(wish)
        if wish.given:
            plan, entries = await self._background.run(Requester(identity, seated=True), set_up, wish, identity)
            return await self._store_and_get(plan, entries, identity)
        plan = wished_plan(wish, identity)
        return await self.begin(plan, wished_places(wish, identity))

    async def begin(self, plan: Plan, places: Sequence[Occupant]) -> Table:
        """Create a table and store it. Raises BadRecord, NotWritten; Overtaken if there is one with this id."""
        players, levels = self._choosing(plan), levels_of(Setup(plan.game).game)
        table = await Table.open(
            plan, places, self._store, players, levels, busy=self._players.state, lead=self._lead, spread=self._spread,
            stirred=partial(self.stirred, plan),
        )  # fmt: skip
        self._keep(table)
        return table

    async def follow_up(self, table: Table, identity: str, pledge: str | None) -> None:
        """Open another table for a rematch, with the seats rotated and people's seats reserved. Raises Refusal."""

        async def make() -> str:
            old, places = table.plan, [place_after(place, identity, pledge) for place in table.places]
            plan = structs.replace(
                old, id=id_after(old), dealer=0, host=identity, created=time.time(), settings=table.settings,
                origin=None, invite=new_id(16), secret=new_secret(), draws_dealer=True, rules=rules_of(old.game),
                from_record=False, set_up=False, day=None,
            )  # fmt: skip
            with contextlib.suppress(Overtaken):  # another server has made it
                await self.begin(plan, places[-1:] + places[:-1])
            return plan.id

        await table.follow_up(identity, make)

    async def open_record(self, record: CheckedRecord, identity: str) -> TableView:
        """Store a match record as a finished table. It is loaded when somebody looks at it. Raises NotWritten."""
        transcript = record.transcript
        texts, places = transcript.texts, [Occupant("person", name) for name in record.names]
        origin, invite = Origin(None, len(texts)), new_id(16)
        plan = plan_of(new_id(10), transcript.setup, transcript.dealer, identity, origin=origin, invite=invite)
        entries = [*begun(places, texts), *([] if record.done else [Ended(why="unfinished")])]
        await self._store.begin(plan, entries, done=True)
        return self._view(StoredTable(plan, True, entries), identity, time.time())

    async def fork(self, old: Table, wish: NewFork, identity: str) -> Table:
        """Open a table that plays on from the middle of a finished match. Raises Refusal."""
        match = old.match
        me = Occupant("person", chosen_name(wish.name, ()), None, identity, pledge=wish.pledge)
        entries = entries_of_fork(match, wish.events, me, wish.seat, wish.level)
        origin, invite = Origin(old.plan.id, wish.events), new_id(16)
        plan = structs.replace(
            plan_of(new_id(10), match.setup, match.first_dealer, identity, origin=origin, invite=invite),
            from_record=old.plan.brought in ("record", "played on"),
            set_up=old.plan.set_up and wish.events > 0,
            secret=new_secret(),
            draws_dealer=wish.events == 0,
        )
        return await self._store_and_get(plan, entries, identity)

    async def _store_and_get(self, plan: Plan, entries: list[AnyEntry], identity: str) -> Table:
        """Store a table that begins in the middle of a match, and load it."""
        await self._store.begin(plan, entries)
        table = await self.get(plan.id, identity=identity)
        assert table is not None
        return table

    # --------------------------------------------------------------------------------------------------------- lists

    async def of(self, identity: str, before: float | None = None) -> list[TableView]:
        """The tables at which somebody sits, newest first; with `before`, only those made before that time."""
        return self._views(await self._store.of(identity, games.names(), before), identity)

    async def listed(self, identity: str | None) -> list[TableView]:
        """The tables listed in the lobby, newest first."""
        return self._views(await self._store.listed(games.names()), identity)

    async def statistics(self, identity: str, address: str | None = None) -> list[Statistic]:
        """Wins and losses in somebody's finished matches; the time is charged to their address. Raises TooMany."""
        self._budget.begin_work(address, seated=True)
        began = time.monotonic()
        try:
            finished = await self._store.finished(identity)
            return await self._background.run(Requester(address, seated=True), statistics, finished, identity)
        finally:
            self._budget.end_work(address, time.monotonic() - began)

    def _views(self, tables: Sequence[StoredTable], identity: str | None) -> list[TableView]:
        return [self._view(stored, identity) for stored in tables]

    def _view(self, stored: StoredTable, identity: str | None, opened: float = 0.0) -> TableView:
        """A table as shown to one person, without loading it."""
        table = self._live.get(stored.plan.id)
        if table is not None:
            return table.summary(identity)
        game, elsewhere = games.load(stored.plan.game), self._elsewhere(stored.plan.id)
        now = Now(as_sentence(game.title, game), stored.done, Presence(elsewhere), opened)
        return summary(Seating(stored.plan, stored.entries), now, identity)


def is_id(text: str) -> bool:
    """Whether a text has the form of a table id."""
    return 0 < len(text) <= 16 and text.isascii() and text.isalnum()


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
