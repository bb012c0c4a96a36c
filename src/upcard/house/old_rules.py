"""Tables played under rules other than the present ones: they can be viewed and exported, but not played."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from upcard.engine.errors import IllegalMove
from upcard.engine.match import FORMAT
from upcard.house.stores import StoredTable
from upcard.players import LEVELS
from upcard.rules.sentences import sentence
from upcard.table.computers import ChooseMove
from upcard.table.errors import Refusal
from upcard.table.journal import AnyEntry, Ended, Happened, NoJournal, TookBack
from upcard.table.pledges import first_dealer, opened
from upcard.table.seats import seat_names
from upcard.table.state import Seating, TableState
from upcard.table.table import Table

OLD = sentence("This match was begun under older rules of the game: it can be viewed, but not continued")


class OldTable(Table):
    """A table up to the first event that the present rules do not allow."""

    def __init__(self, stored: StoredTable, think: ChooseMove) -> None:
        """Raises BadRecord if the present rules cannot set up such a match at all."""
        super().__init__(stored.plan, _Closed(), think, list(LEVELS), entries=[*_allowed(stored), _ending(stored)])
        self._stored = stored

    @property
    def is_over(self) -> bool:
        return self._stored.done

    def record(self) -> dict[str, Any]:
        return record(self._stored)

    async def follow_up(self, identity: str | None, make: Callable[[], Awaitable[str]]) -> None:
        raise Refusal(OLD)


class _Closed(NoJournal):
    """A journal that refuses every entry."""

    async def append(self, table: str, first: int, entries: Sequence[AnyEntry], *, done: bool) -> None:
        raise Refusal(OLD)


def _ending(stored: StoredTable) -> Ended:
    """The entry with which somebody ended the match; otherwise one that ends it as unfinished."""
    last = stored.entries[-1]
    return last if isinstance(last, Ended) else Ended(why="unfinished", at=last.at)


def _allowed(stored: StoredTable) -> list[AnyEntry]:
    state, allowed = TableState(stored.plan), list[AnyEntry]()
    try:
        for entry in stored.entries:
            state.follow(entry)
            allowed.append(entry)
    except IllegalMove:
        pass
    return allowed


def record(stored: StoredTable) -> dict[str, Any]:
    """The match record of a stored table, whether or not the present rules allow it."""
    plan, events = stored.plan, list[str]()
    for entry in stored.entries:
        if isinstance(entry, Happened):
            events.append(entry.text)
        elif isinstance(entry, TookBack):
            del events[entry.events :]
    seating = Seating(plan, stored.entries)
    about = {"names": [*seat_names(seating.places)]} | ({"rules": plan.rules} if plan.rules is not None else {})
    if seating.hinted:
        about["hints"] = sorted(seating.hinted)
    if plan.brought:
        about["brought"] = True
    about |= opened(plan, seating.pledges, events) if stored.done else {}
    header = {
        "upcard": FORMAT,
        "game": plan.game,
        "players": plan.players,
        "dealer": first_dealer(plan, seating.pledges),
    }
    return header | {"options": dict(plan.options), "about": about, "events": events}
