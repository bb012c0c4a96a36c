"""The contract of every journal of tables: the server's, on either database, the terminal's, and that in memory."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from upcard.house.stores import MemoryStore
from upcard.server.storage import Store, url_of
from upcard.table.errors import Overtaken
from upcard.table.journal import AnyEntry, Changed, Happened, Journal, Plan, Seated, TookBack
from upcard.table.seats import Occupant
from upcard.table.settings import Settings
from upcard.terminal.local_store import LocalStore as TerminalStore

PLAN = Plan("one", "oh-hell", 3, 1, {"max_cards": 3}, "a" * 64, 1.0)
BEGINNING: list[AnyEntry] = [
    Seated(seat=0, place=Occupant("person", "Ann", None, "a" * 64), at=1.0),
    Seated(seat=1, place=Occupant("computer", "Ada", "casual"), at=1.5),
]
LATER: list[AnyEntry] = [
    Happened(text="deal A♠", at=2.0),
    Happened(text="0 bid 1", move_id="my id", taken=0.5, at=3.0),
    TookBack(seat=0, events=1, at=4.0),
    Changed(settings=Settings(listed=True), at=5.0),
]


@pytest.fixture(params=["sqlite", "postgres", "terminal", "memory"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    if request.param == "memory":
        yield MemoryStore()
        return
    store: Store | TerminalStore
    if request.param == "terminal":
        store = TerminalStore(tmp_path / "matches.sqlite3")
    else:
        store = Store(url_of(tmp_path) if request.param == "sqlite" else request.getfixturevalue("postgres_url"))
    yield store
    store.close()


async def test_what_was_written_is_read_in_its_order(journal: Journal) -> None:
    await journal.begin(PLAN, BEGINNING)
    await journal.append("one", 3, LATER[:1], done=False)
    await journal.append("one", 4, LATER[1:], done=True)
    assert await journal.since("one", 0) == [*BEGINNING, *LATER]
    assert await journal.since("one", 3) == LATER[1:]
    assert await journal.since("one", 6) == []
    assert await journal.since("another", 0) == []


async def test_of_two_entries_with_one_number_the_first_stands_and_nothing_is_kept_of_the_other(
    journal: Journal,
) -> None:
    await journal.begin(PLAN, BEGINNING)
    await journal.append("one", 3, LATER[:2], done=False)
    for first, entries in ((4, LATER[2:]), (2, LATER[2:3])):
        with pytest.raises(Overtaken):
            await journal.append("one", first, entries, done=True)
    with pytest.raises(Overtaken):
        await journal.begin(PLAN, BEGINNING)
    await journal.append("one", 5, LATER[2:], done=False)
    assert await journal.since("one", 0) == [*BEGINNING, *LATER]
