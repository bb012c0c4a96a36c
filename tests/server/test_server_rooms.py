"""Rooms over HTTP and WebSocket: revoked links, guessed ones, restarts, expiry, and two servers on one database."""

import asyncio
import signal
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sql
from msgspec import structs
from programs import Program
from room_lines import opened, watched
from serving import COMPUTER, Person, served

from upcard.house.room import new_room, renewed
from upcard.house.room_bodies import RoomView
from upcard.server.limits import MOST_GUESSES
from upcard.server.live_rooms import room_days
from upcard.server.room_storage import RoomStorage, members, rooms
from upcard.server.storage import Store, url_of
from upcard.table.errors import Overtaken
from upcard.table.messages import Alive


def doing(room: RoomView) -> dict[str, str]:
    return {member.name: member.doing for member in room.members}


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
    async with watched(ann, room["id"]) as line:
        await line.shown(lambda room: doing(room) == {"Ann": "here", "Bo": "sitting"})
        await bo.hang_up()
        await line.shown(lambda room: doing(room) == {"Ann": "here", "Bo": "away"})
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


async def test_a_room_is_shown_over_a_line_and_nothing_of_it_to_strangers(ann: Person, bo: Person) -> None:
    room = await opened(ann)
    async with watched(ann, room["id"]) as line, watched(bo, room["id"]) as strangers:
        await line.shown(lambda room: doing(room) == {"Ann": "here"})
        assert (await strangers.shown(lambda room: True)).may == ["join"]
        assert (await do(ann, room["id"], "say", text="Zanzibar")).status_code == 200
        assert (await line.hear()).text == "Zanzibar"
        await line.say('{"type": "ping"}')
        await line.until(lambda message: isinstance(message, Alive))
        await strangers.say('{"type": "ping"}')
        await strangers.until(lambda message: isinstance(message, Alive))
        for secret in ("Ann", "Zanzibar", room["invite"]):
            assert secret not in "".join(strangers.texts)
        assert (await do(bo, room["id"], "say", phrase="hello")).status_code == 403
        assert ann.http.cookies["upcard"] not in "".join(line.texts)


async def test_lines_that_are_refused_say_why(ann: Person) -> None:
    room = await opened(ann)
    async with watched(ann, "abcdefgh23") as line:
        code, why = await line.closed()
        assert (code, why[:29]) == (1008, "There is no such room here: i")
    async with watched(ann, room["id"]) as line:
        await line.say('{"type": "look"}')
        assert (await line.closed())[0] == 1008
    async with watched(ann, room["id"], Origin="https://evil.example") as line:
        assert (await line.closed())[0] == 4403


async def test_people_at_two_servers_share_one_room(tmp_path: Path, postgres_url: str) -> None:
    async with served(tmp_path, database=postgres_url) as one, Person(one, "Ann") as ann:
        other = await asyncio.to_thread(lambda: Program(tmp_path, database=postgres_url))
        async with Person(other.place, "Bo", address=None) as bo:
            room = await opened(ann)
            async with watched(ann, room["id"]) as at_ann, watched(bo, room["id"]) as at_bo:
                assert (await join(bo, room["id"], room["invite"])).status_code == 200
                for line in (at_ann, at_bo):
                    await line.shown(lambda room: doing(room) == {"Ann": "here", "Bo": "here"})
                await do(ann, room["id"], "say", phrase="hello")
                assert (await at_bo.hear()).name == "Ann"
                await do(bo, room["id"], "say", text="Hello, Ann")
                assert (await at_ann.hear()).phrase == "hello"
                assert (await at_ann.hear()).text == "Hello, Ann"
                answers = await asyncio.gather(
                    *(play(person, room["id"], seat(1), seat(2)) for person in (ann, bo)), return_exceptions=True
                )
                assert any(isinstance(answer, httpx.Response) and answer.status_code == 201 for answer in answers)
                shown = [await line.shown(lambda room: room.table is not None) for line in (at_ann, at_bo)]
                tables = {view.table.id for view in shown if view.table is not None}
                assert len(tables) == 1
                ann.table = bo.table = tables.pop()
                for person in (ann, bo):  # who has opened it sits there already
                    await person.act("sit", name=person.name)
                await at_ann.shown(lambda room: room.table is not None and room.table.started)
                assert (await bo.act("concede")).status_code == 200
                for line in (at_ann, at_bo):
                    ended = await line.shown(lambda room: room.results and room.members[0].won == 1)
                    assert ended.opened == 1
            async with watched(ann, room["id"]) as at_ann, watched(bo, room["id"]):
                await at_ann.shown(lambda room: doing(room) == {"Ann": "here", "Bo": "here"})
                await asyncio.to_thread(other.end, signal.SIGKILL)
                await at_ann.shown(lambda room: doing(room) == {"Ann": "here", "Bo": "away"})
