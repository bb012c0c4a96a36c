"""Removing, blocking and knocking over HTTP; what is said of tables that the house closed, and of records."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from serving import COMPUTER, ME, OPEN, Person, served
from waiting import PATIENCE

from upcard.engine.records import replay
from upcard.server.admin import close, export, overview
from upcard.server.storage import url_of
from upcard.table.messages import TableChanged, TableView

GONE = "This invitation link is no longer valid: ask somebody at the table for the new one"


async def seen_by(person: Person, table: str) -> dict[str, Any]:
    view: dict[str, Any] = (await person.http.get(f"/api/tables/{table}")).json()
    return view


async def sit(person: Person, table: str, invite: str | None) -> Any:
    person.table = table
    return await person.act("sit", name=person.name, invite=invite)


async def started(ann: Person, bo: Person) -> TableView:
    """A table in play of Ann, who is the host, and Bo."""
    table = await ann.open(ME, OPEN)
    await bo.sit(table)
    return table


async def test_who_is_removed_is_out_with_a_reload_a_new_link_and_a_private_window(ann: Person, bo: Person) -> None:
    table = await started(ann, bo)
    await ann.act("remove", seat=1, block=True)
    for invite in (table.invite, (await seen_by(ann, table.id))["invite"]):
        assert (await sit(bo, table.id, invite)).status_code == 403
    assert (await seen_by(bo, table.id))["may"] == []
    async with Person(ann.place, "Bo") as private:
        await seen_by(private, table.id)
        refused = await sit(private, table.id, table.invite)
        assert (refused.status_code, refused.json()["error"]) == (403, GONE)
        knocked = (await sit(private, table.id, (await seen_by(ann, table.id))["invite"])).json()
        assert knocked["knock"] == {"state": "waiting", "again_at": None}
        assert knocked["you"] is None
    view = await seen_by(ann, table.id)
    assert view["knocks"] == [{"number": 1, "name": "Bo", "seat": None}]
    assert view["settings"]["knock"]


async def test_a_newcomer_waits_over_a_restart_and_learns_the_answer_where_watchers_are_shut_out(
    tmp_path: Path,
) -> None:
    async with (
        served(tmp_path) as place,
        Person(place, "Ann") as ann,
        Person(place, "Bo") as bo,
        Person(place, "Eve") as eve,
    ):
        table = await started(ann, bo)
        await ann.act("remove", seat=1)
        settings = (await seen_by(ann, table.id))["settings"] | {"watchers": False}
        await ann.act("change", settings=settings)
        await sit(eve, table.id, (await seen_by(ann, table.id))["invite"])
    async with (
        served(tmp_path) as place,
        Person(place, "Ann") as again,
        Person(place, "Eve") as waiting,
        Person(place, "Tom") as tom,
    ):
        again.http.cookies, waiting.http.cookies = ann.http.cookies, eve.http.cookies
        again.table = waiting.table = table.id
        welcome = await again.look()
        assert [knock.name for knock in welcome.table.knocks] == ["Eve"]
        assert (await seen_by(waiting, table.id))["knock"]["state"] == "waiting"
        mine, others = await seen_by(waiting, table.id), await seen_by(tom, table.id)
        apart = ("now", "knock", "may")
        assert {key: mine[key] for key in mine if key not in apart} == {
            key: others[key] for key in others if key not in apart
        }
        await again.act("let in", knock=1)
        assert (await seen_by(waiting, table.id))["you"] == 1
        assert (await waiting.look()).scene.seat == 1


async def test_nobody_but_the_host_hears_of_a_knock(ann: Person, bo: Person) -> None:
    table = await ann.open(ME, OPEN, OPEN, game="oh-hell")
    await bo.sit(table)
    settings = (await seen_by(ann, table.id))["settings"] | {"knock": True}
    await ann.act("change", settings=settings)
    await ann.look()
    await bo.look(table.id)
    async with Person(ann.place, "Eve") as eve:
        await eve.look(table.id)
        assert (await sit(eve, table.id, table.invite)).json()["knock"]["state"] == "waiting"
        told = await ann.hear(TableChanged)
        assert [knock.name for knock in told.table.knocks] == ["Eve"]
        assert [line.text for line in told.log] == ["Eve would like to sit down"]
        await ann.act("decline", knock=1)
        mine = await eve.until(lambda message: isinstance(message, TableChanged) and message.table.knock)
        async with asyncio.timeout(PATIENCE):
            while mine.table.knock.state != "declined":
                mine = await eve.hear(TableChanged)
        await ann.act("renew")
        await bo.until(lambda message: isinstance(message, TableChanged) and message.log)
        assert "Eve" not in "".join(bo.texts)
        again = await sit(eve, table.id, (await seen_by(ann, table.id))["invite"])
        assert again.status_code == 429


@pytest.mark.parametrize("action", [{"do": "let in", "knock": 1}, {"do": "decline", "knock": 1}, {"do": "renew"}])
async def test_only_the_host_answers_and_renews(ann: Person, bo: Person, action: dict[str, Any]) -> None:
    table = await started(ann, bo)
    answer = await bo.http.post(f"/api/tables/{table.id}/actions", json=action)
    assert answer.status_code == 403


async def test_a_link_to_a_seat_says_whose_it_is_and_moves_nothing_by_that(ann: Person, bo: Person) -> None:
    table = await started(ann, bo)
    secret = (await bo.http.post(f"/api/tables/{table.id}/link")).json()["secret"]
    async with Person(ann.place, "Bo") as device:
        asked = await device.http.post(f"/api/tables/{table.id}/linked", json={"secret": secret})
        assert (asked.status_code, asked.json()) == (200, {"seat": 1})
        assert (await seen_by(device, table.id))["you"] is None
        assert (await seen_by(bo, table.id))["you"] == 1
        wrong = await device.http.post(f"/api/tables/{table.id}/linked", json={"secret": "guessed"})
        assert wrong.status_code == 403
        moved = await device.http.post(f"/api/tables/{table.id}/redeem", json={"secret": secret})
        assert moved.json()["you"] == 1
        used = await device.http.post(f"/api/tables/{table.id}/linked", json={"secret": secret})
        assert used.status_code == 403


async def test_a_record_that_somebody_brought_is_marked_wherever_it_is_shown(tmp_path: Path) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        own = await ann.open(ME, COMPUTER)
        await ann.look()
        await ann.my_turn()
        await ann.move(ann.moves[0])
        record = json.loads(export(url_of(tmp_path), own.id))
        assert "brought" not in record["about"]
        view = (await ann.http.post("/api/records", json=record)).json()
        assert (view["brought"], view["ended"]) == ("record", "unfinished")
        record_id = view["id"]
        assert (await seen_by(ann, record_id))["brought"] == "record"
        replayed = (await ann.http.get(f"/api/tables/{record_id}/replay?deal=1&seat=all")).json()
        assert replayed["table"]["brought"] == "record"
        saved = (await ann.http.get(f"/api/tables/{record_id}/record")).json()
        assert saved["about"]["brought"] is True
        assert replay(saved).events == replay(record).events
        wish = {"events": 1, "seat": 0, "name": "Ann", "level": "casual"}
        fork = (await ann.http.post(f"/api/tables/{record_id}/fork", json=wish)).json()
        assert fork["brought"] == "played on"
        listed = {table["id"]: table["brought"] for table in (await ann.http.get("/api/tables")).json()}
        assert (listed[own.id], listed[fork["id"]]) == (None, "played on")
        lines = {line.split()[0]: line for line in overview(url_of(tmp_path), 10)}
        assert "a record that somebody brought, not a match played here" in lines[record_id]
        assert "played on from a record that somebody brought" in lines[fork["id"]]
        assert "brought" not in lines[own.id]
        assert json.loads(export(url_of(tmp_path), fork["id"]))["about"]["brought"] is True


async def test_that_the_house_closed_a_table_is_read_later_too(tmp_path: Path) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann, Person(place, "Bo") as bo:
        table = await started(ann, bo)
        await ann.look()
        await ann.begun()
        close(url_of(tmp_path), table.id)
        await ann.until(lambda message: isinstance(message, TableChanged) and message.table.ended)
        assert "The house closes this table" in ann.texts[-1]
    async with served(tmp_path) as place, Person(place, "Bo") as later:
        later.http.cookies, later.table = bo.http.cookies, table.id
        welcome = await later.look()
        assert welcome.table.ended == "closed"
        assert welcome.log[-1].text.startswith("The house closes this table")
        assert welcome.scene.prompt == "The match is over: the house closed this table"
