"""The deal of the day over HTTP: the same for everybody here, also after a restart; forgotten after a week."""

import asyncio
from datetime import date, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sql
from serving import Person, served

from upcard import games
from upcard.house.day_tables import game_of_day
from upcard.house.stores import DayScore
from upcard.server.day_storage import KEPT_DAYS, DayStorage, day_scores, days
from upcard.server.storage import Store, url_of
from upcard.table.errors import Overtaken

DAY = date(2026, 11, 28)
ANN = DayScore("anns", "Ann", 7, 3, won=True)


async def begin(person: Person) -> str:
    answer = await person.http.post("/api/today", json={"name": person.name})
    assert answer.status_code == 200, answer.text
    person.table = answer.json()["id"]
    return person.table


async def hand_of(person: Person) -> set[str]:
    """The cards of this person, once somebody is to act."""
    await person.look()
    await person.begun()
    assert person.scene.hand
    return {*person.scene.hand}


def are_of_one_deal(one: set[str], another: set[str]) -> bool:
    """Whether two hands may come of the same cards: where a computer player is first, the second part of the deal may
    have come before one person looked, and not before another."""
    return one <= another or another <= one


async def test_the_deal_of_the_day_over_http(ann: Person, bo: Person) -> None:
    assert (await ann.http.get("/api/club")).json()["can"]["daily"]
    today = (await ann.http.get("/api/today")).json()
    assert (
        today["game"] == game_of_day(date.fromisoformat(today["day"]), [games.load(slug) for slug in games.SLUGS]).slug
    )
    assert (today["table"], today["done"], today["results"]) == (None, False, [])
    anns, bos = await begin(ann), await begin(bo)
    assert anns != bos
    assert await begin(ann) == anns
    assert are_of_one_deal(await hand_of(ann), await hand_of(bo))
    assert (await ann.http.get("/api/today")).json()["table"] == anns
    assert (await ann.http.get(f"/api/tables/{bos}")).json()["settings"]["watchers"] is False
    assert (await ann.act("take back", events=0)).status_code == 403
    assert (await ann.http.post(f"/api/tables/{anns}/hint")).status_code == 403


async def test_a_day_has_one_deal_also_after_a_restart(tmp_path: Path) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        table, cards = await begin(ann), await hand_of(ann)
        cookies = ann.http.cookies
    async with served(tmp_path) as place, Person(place, "Ann") as ann, Person(place, "Bo") as bo:
        ann.http.cookies = cookies
        assert await begin(ann) == table
        await begin(bo)
        assert are_of_one_deal(await hand_of(bo), cards)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(url_of(tmp_path))


async def test_what_is_stored_of_a_day(store: Store) -> None:
    storage, day = DayStorage(store), DAY.isoformat()
    assert await storage.secret_of_day(day) is None
    secrets = await asyncio.gather(storage.begin_day(day, "ab"), storage.begin_day(day, "cd"))
    assert secrets[0] == secrets[1] == await storage.secret_of_day(day)
    await storage.note_day_score(day, ANN)
    with pytest.raises(Overtaken):
        await storage.note_day_score(day, ANN)
    assert [*await storage.day_scores(day)] == [ANN]
    assert [*await storage.day_scores((DAY + timedelta(1)).isoformat())] == []
    await storage.begin_day((DAY + timedelta(KEPT_DAYS)).isoformat(), "ef")
    assert [*await storage.day_scores(day)] == [ANN]
    await storage.begin_day((DAY + timedelta(KEPT_DAYS + 1)).isoformat(), "gh")
    counts = [sql.select(sql.func.count()).select_from(table) for table in (days, day_scores)]
    assert await store.read(lambda connection: [connection.scalar(count) for count in counts]) == [2, 0]
    store.close()
