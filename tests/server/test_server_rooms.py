"""Rooms over HTTP: revoked links, guessed ones, restarts, expiry, and two servers on one database."""

import asyncio
import signal
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sql
from msgspec import structs
from programs import Program
from serving import COMPUTER, Person, served
from waiting import PATIENCE

from upcard.house.room import new_room, renewed
from upcard.server.limits import MOST_GUESSES
from upcard.server.live_rooms import room_days
from upcard.server.room_storage import RoomStorage, members, rooms
from upcard.server.storage import Store, url_of
from upcard.table.errors import Overtaken


async def opened(person: Person) -> dict[str, Any]:
    """A room that this person has opened."""
    answer = await person.http.post("/api/rooms", json={"name": person.name})
    assert answer.status_code == 201, answer.text
    room: dict[str, Any] = answer.json()
    return room


async def seen(person: Person, room: str) -> dict[str, Any]:
    answer = await person.http.get(f"/api/rooms/{room}")
    assert answer.status_code == 200, answer.text
    view: dict[str, Any] = answer.json()
    return view


async def do(person: Person, room: str, action: str, **more: Any) -> httpx.Response:
    return await person.http.post(f"/api/rooms/{room}/actions", json={"do": action} | more)


async def join(person: Person, room: str, invite: str) -> httpx.Response:
    return await do(person, room, "join", name=person.name, invite=invite)


async def play(person: Person, room: str, *seats: dict[str, Any], game: str = "sixty-six") -> httpx.Response:
    wish = {"after": (await seen(person, room))["opened"], "game": game, "players": len(seats), "options": {}}
    return await person.http.post(f"/api/rooms/{room}/tables", json=wish | {"seats": seats})


def seat(member: int) -> dict[str, Any]:
    return {"who": "member", "member": member}


async def test_an_evening_over_http(ann: Person, bo: Person) -> None:
    assert (await ann.http.get("/api/club")).json()["can"]["rooms"]
    room = await opened(ann)
    assert (await join(bo, room["id"], room["invite"])).status_code == 200
    table = (await play(ann, room["id"], seat(1), seat(2))).json()
    assert table["room"] == room["id"]
    bo.table = table["id"]
    assert (await bo.act("sit", name="Bo")).json()["you"] == 1
    welcome = await bo.look()
    assert welcome.table.room == room["id"]
    doing = {member["name"]: member["doing"] for member in (await seen(ann, room["id"]))["members"]}
    assert doing == {"Ann": "here", "Bo": "sitting"}
    assert (await bo.act("concede")).status_code == 200
    view = await seen(bo, room["id"])
    assert [(member["won"], member["played"]) for member in view["members"]] == [(1, 1), (0, 1)]
    assert view["turn"] == [2, 1]
    mine = (await bo.http.get("/api/rooms")).json()
    assert [(info["id"], info["names"]) for info in mine] == [(room["id"], ["Ann", "Bo"])]
    record = (await bo.http.get(f"/api/tables/{table['id']}/record")).text
    assert room["id"] not in record


async def test_nothing_of_a_room_reaches_who_is_not_in_it(ann: Person, bo: Person) -> None:
    room = await opened(ann)
    await play(ann, room["id"], seat(1), COMPUTER)
    answer = await bo.http.get(f"/api/rooms/{room['id']}")
    for secret in ("Ann", room["invite"], (await seen(ann, room["id"]))["table"]["id"]):
        assert secret not in answer.text
    assert (await bo.http.get("/api/rooms")).json() == []
    for action in ({"do": "leave"}, {"do": "renew"}, {"do": "remove", "member": 1}, {"do": "pass on", "member": 1}):
        refused = await bo.http.post(f"/api/rooms/{room['id']}/actions", json=action)
        assert refused.status_code == (200 if action["do"] == "leave" else 403)
        assert "Ann" not in refused.text
    assert (await play(bo, room["id"], seat(1), COMPUTER)).status_code in (403, 409)


async def test_no_identity_and_no_seat_secret_is_in_any_answer(ann: Person, bo: Person) -> None:
    room = await opened(ann)
    await join(bo, room["id"], room["invite"])
    table = (await play(ann, room["id"], seat(1), seat(2))).json()
    link = (await ann.http.post(f"/api/tables/{table['id']}/link", json={})).json()["secret"]
    cookie = ann.http.cookies["upcard"]
    answers = [await person.http.get(f"/api/rooms/{room['id']}") for person in (ann, bo)]
    for text in [answer.text for answer in answers]:
        assert link not in text
        assert cookie not in text
        assert "identity" not in text
        assert "secret" not in text
        assert "pledge" not in text


async def test_a_link_that_was_renewed_opens_nothing_and_guesses_are_counted(ann: Person, bo: Person) -> None:
    room = await opened(ann)
    assert (await do(ann, room["id"], "renew")).status_code == 200
    refused = await join(bo, room["id"], room["invite"])
    assert refused.status_code == 403
    assert "no longer valid" in refused.json()["error"]
    answers = [(await join(bo, room["id"], f"{number:016}")).status_code for number in range(int(MOST_GUESSES) + 3)]
    assert answers[-1] == 429
    assert (await bo.http.get(f"/api/rooms/{room['id']}")).status_code == 429
    assert (await ann.http.get(f"/api/rooms/{room['id']}")).status_code == 200


async def test_ids_are_not_found_by_trying(place: str) -> None:
    async with Person(place, "Eve") as eve:
        answers = [(await eve.http.get(f"/api/rooms/abcdefgh{number:02}")).status_code for number in range(40)]
        assert answers[0] == 404
        assert answers[-1] == 429


async def test_foreign_pages_may_not_act_in_a_room(ann: Person) -> None:
    room = await opened(ann)
    body = {"do": "leave"}
    foreign = await ann.http.post(
        f"/api/rooms/{room['id']}/actions", json=body, headers={"Origin": "https://evil.example"}
    )
    assert foreign.status_code == 403
    assert (await seen(ann, room["id"]))["you"] == 1


@pytest.mark.parametrize(
    "body",
    [
        {"do": "join", "name": "x" * 121, "invite": "a"},
        {"do": "join", "name": "Bo", "invite": "a" * 65},
        {"do": "remove", "member": 0},
        {"do": "remove", "member": 10**9},
        {"do": "dance"},
        {"do": "leave", "more": 1},
    ],
)
async def test_bodies_are_checked(ann: Person, body: dict[str, Any]) -> None:
    room = await opened(ann)
    answer = await ann.http.post(f"/api/rooms/{room['id']}/actions", json=body)
    assert answer.status_code in (400, 422)
    assert "\n" not in answer.json()["error"]


async def test_a_house_with_a_passphrase_shows_its_rooms_to_nobody_else(tmp_path: Path) -> None:
    async with served(tmp_path, passphrase="ace of hearts") as place, Person(place, "Eve") as eve:
        assert (await eve.http.get("/api/rooms/abcdefgh23")).status_code == 401
        assert (await eve.http.post("/api/rooms", json={"name": "Eve"})).status_code == 401


async def test_the_page_of_a_room_is_the_page(place: str) -> None:
    async with httpx.AsyncClient(base_url=f"http://{place}") as browser:
        shown = await browser.get("/r/abcdefgh23", headers={"X-Forwarded-For": "10.99.0.1"})
    assert shown.status_code == 200
    assert "An evening of cards" in shown.text
    assert "default-src 'self'" in shown.headers["content-security-policy"]


async def test_a_room_survives_a_restart(tmp_path: Path) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann, Person(place, "Bo") as bo:
        room = await opened(ann)
        await join(bo, room["id"], room["invite"])
        table = (await play(ann, room["id"], seat(1), seat(2))).json()
        bo.table = table["id"]
        await bo.act("sit", name="Bo")
        await bo.act("concede")  # nobody has looked at the room since
    async with served(tmp_path) as place, Person(place, "Ann") as again, Person(place, "Cy") as cy:
        again.http.cookies = ann.http.cookies
        view = await seen(again, room["id"])
        assert [(member["name"], member["won"]) for member in view["members"]] == [("Ann", 1), ("Bo", 0)]
        assert (await join(cy, room["id"], room["invite"])).status_code == 200
        assert (await play(cy, room["id"], seat(1), seat(3))).status_code == 201


async def test_rooms_expire_with_their_members(tmp_path: Path) -> None:
    store = Store(url_of(tmp_path))
    storage = RoomStorage(store)
    old, new = new_room("ann", "Ann"), new_room("ann", "Ann")
    for room in (old, new):
        await storage.save_room(room)
    assert {room.id for room in await storage.rooms_of("ann")} == {old.id, new.id}
    await store.safely(before=lambda connection: _age(connection, old.id))
    assert await storage.forget_rooms(5.0) == 1
    assert await storage.load_room(old.id) is None
    assert await storage.load_room(new.id) == new
    left = await store.read(lambda connection: [*connection.scalars(sql.select(members.c.room_id))])
    assert left == [new.id]
    store.close()
    assert (room_days(None), room_days(7), room_days(365)) == (30, 7, 30)


def _age(connection: sql.Connection, room: str) -> None:
    connection.execute(rooms.update().where(rooms.c.id == room).values(changed=1.0))


async def test_of_two_changes_at_once_one_is_made_again(tmp_path: Path) -> None:
    store = Store(url_of(tmp_path))
    storage, room = RoomStorage(store), new_room("ann", "Ann")
    await storage.save_room(room)
    with pytest.raises(Overtaken):
        await storage.save_room(room)
    after = structs.replace(renewed(room, "ann"), version=2)
    results = await asyncio.gather(storage.save_room(after), storage.save_room(after), return_exceptions=True)
    assert sorted(isinstance(result, Overtaken) for result in results) == [False, True]
    assert store.is_well
    store.close()


async def test_people_at_two_servers_share_one_room(tmp_path: Path, postgres_url: str) -> None:
    async with (
        served(tmp_path, database=postgres_url) as one,
        Person(one, "Ann") as ann,
    ):
        other = await asyncio.to_thread(lambda: Program(tmp_path, database=postgres_url))
        async with Person(other.place, "Bo", address=None) as bo:
            room = await opened(ann)
            assert (await join(bo, room["id"], room["invite"])).status_code == 200

            async def both_here() -> bool:
                views = [await seen(person, room["id"]) for person in (ann, bo)]
                return all(member["doing"] == "here" for view in views for member in view["members"])

            async with asyncio.timeout(PATIENCE):
                while not await both_here():
                    await asyncio.sleep(0.1)
            answers = await asyncio.gather(
                *(play(person, room["id"], seat(1), seat(2)) for person in (ann, bo)), return_exceptions=True
            )
            views = [await seen(person, room["id"]) for person in (ann, bo)]
            assert [view["opened"] for view in views] == [1, 1]
            assert views[0]["table"]["id"] == views[1]["table"]["id"]
            assert any(isinstance(answer, httpx.Response) and answer.status_code == 201 for answer in answers)
        await asyncio.to_thread(other.end, signal.SIGTERM)
