"""Statistics: what counts and for whom; shown to nobody else."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from serving import ME, OPEN, Person
from waiting import PATIENCE

from upcard.house.bodies import Statistic
from upcard.house.statistics import statistics
from upcard.house.stores import StoredTable
from upcard.server.storage import Store, url_of
from upcard.table.journal import AnyEntry, Ended, Happened, Hinted, Left, Origin, Plan, Seated, TookBack
from upcard.table.seats import Occupant

ANN, BO = Occupant("person", "Ann", None, "ann"), Occupant("person", "Bo", None, "bo")
ADA, BASIL = Occupant("computer", "Ada", "casual"), Occupant("computer", "Basil", "strong")


def match(*places: Occupant, after: Sequence[AnyEntry] = (), **plan: Any) -> StoredTable:
    kept = Plan("abc", "oh-hell", len(places), 0, {}, "ann")
    entries = [*[Seated(seat=seat, place=place) for seat, place in enumerate(places)], *after]
    return StoredTable(msgspec.structs.replace(kept, **plan), True, entries)


def won(*winners: int) -> Happened:
    return Happened(text="0 As", winners=[*winners])


def count(kept: StoredTable, identity: str = "ann") -> tuple[str, int] | None:
    lines = statistics([kept], identity)
    assert len(lines) <= 1
    return (lines[0].against, lines[0].won) if lines else None


def test_against_whom_one_played_and_whether_one_won() -> None:
    assert count(match(ANN, ADA, ADA, after=[won(0)])) == ("casual", 1)
    assert count(match(ANN, BASIL, ADA, after=[won(2)])) == ("strong", 0)
    assert count(match(ADA, ANN, BO, after=[won(1, 2)])) == ("people", 1)
    assert count(match(ADA, ANN, BO, after=[won(0)]), "bo") == ("people", 0)


@pytest.mark.parametrize(
    "kept",
    [
        match(BO, ADA, after=[won(0)]),
        match(ANN, BO, after=[Ended(why="abandoned")]),
        match(ANN, BO, after=[Happened(text="0 As")]),  # from before winners were written down
        match(ANN, ADA, after=[won(0)], origin=Origin("old", 10)),
        match(ANN, ADA, after=[TookBack(seat=0, events=1), won(0)]),
        match(ANN, ADA, after=[Hinted(seat=0), won(0)]),
        match(ANN, BO, after=[Left(seat=0, place=ADA), won(0)]),
        match(ANN, ADA, after=[won(0)], game="no such game"),
        match(ANN, BO, ADA, after=[Ended(why="conceded", by=1)]),
    ],
)
def test_what_does_not_count(kept: StoredTable) -> None:
    assert count(kept) is None


def test_conceding_is_losing() -> None:
    conceded = match(ANN, BO, after=[Ended(why="conceded", by=1)])
    assert (count(conceded, "ann"), count(conceded, "bo")) == (("people", 1), ("people", 0))


async def test_the_last_event_of_a_finished_match_is_found_among_many(tmp_path: Path) -> None:
    store = Store(url_of(tmp_path))
    for number, done in enumerate([True, True, False]):
        plan = Plan(f"t{number}", "oh-hell", 3, 0, {}, "ann", created=float(number))
        entries: list[AnyEntry] = [Seated(seat=seat, place=place) for seat, place in enumerate((ANN, ADA, ADA))]
        events = [Happened(text="1 As"), Happened(text="2 As"), won(number)]
        await store.begin(plan, [*entries, *events], done=done)
    assert statistics(await store.finished("ann"), "ann") == [Statistic("oh-hell", "Oh Hell", "casual", 2, 1)]
    assert await store.finished("bo") == []
    store.close()


async def test_everybody_is_told_their_own(ann: Person, bo: Person, place: str) -> None:
    table = await ann.open(ME, OPEN, target=1)
    await bo.sit(table)
    await ann.look()
    await bo.look()
    winner = None
    async with asyncio.timeout(PATIENCE):
        while winner is None:
            await ann.begun()
            await bo.begun()
            for person in (ann, bo):
                if person.moves and not person.scene.done:
                    await person.move(next(move for move in person.moves if move not in ("declare", "close")))
            for person in (ann, bo):
                await person.up_to(max(ann.seq, bo.seq))
            if ann.scene.done:
                winner = ann.scene.winners[0]
    lines = [(await person.http.get("/api/statistics")).json() for person in (ann, bo)]
    expected = {"game": "sixty-six", "title": "Sixty-Six", "against": "people", "matches": 1}
    assert lines == [[expected | {"won": int(winner == seat)}] for seat in (0, 1)]
    async with Person(place, "Cy") as stranger:
        assert (await stranger.http.get("/api/statistics")).json() == []
