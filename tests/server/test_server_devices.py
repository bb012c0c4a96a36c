"""One person on several devices: links, what a joined browser brings along, removal, news, and hostile attempts."""

import asyncio
import contextlib
import json
import signal
import time
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
import sqlalchemy as sql
from programs import Program
from room_lines import opened, watched
from serving import COMPUTER, ME, OPEN, Person, served
from sqlalchemy.engine import Connection
from waiting import PATIENCE
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from upcard.engine.errors import UpcardError
from upcard.languages.localizing import texts_in
from upcard.server.admin import dismiss_device, shared_devices
from upcard.server.device_storage import (
    LINK_TIME,
    MOST_DEVICES,
    device_links,
    device_owner,
    device_rows,
    join_device,
    link_device,
    remove_device,
)
from upcard.server.devices import browser_name, device_title
from upcard.server.limits import MOST_GUESSES
from upcard.server.live import SIGNED_OUT
from upcard.server.storage import Store, seats, url_of
from upcard.server.visitor import COOKIE, device_of
from upcard.table.errors import Refusal, Taken
from upcard.table.journal import Moved, Plan, Seated
from upcard.table.messages import Alive
from upcard.table.seats import LONGEST_NAME, Occupant
from upcard.table.state import Seating

PHONE = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
LAPTOP = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
SETTINGS = {"name": "Ann", "colours": 4, "confirm": True}


async def link(person: Person) -> str:
    """The secret of a link to a person's devices."""
    answer = await person.http.post("/api/devices/link", json={"settings": SETTINGS}, headers={"User-Agent": LAPTOP})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["secret"])


async def linked(person: Person, secret: str) -> httpx.Response:
    return await person.http.post("/api/devices/linked", json={"secret": secret})


async def join(person: Person, secret: str, *, bring: bool = False) -> httpx.Response:
    body = {"secret": secret, "bring": bring}
    return await person.http.post("/api/devices/join", json=body, headers={"User-Agent": PHONE})


async def joined(person: Person, to: Person, *, bring: bool = False) -> None:
    answer = await join(person, await link(to), bring=bring)
    assert answer.status_code == 200, answer.text


async def devices(person: Person) -> list[tuple[str, bool]]:
    """The names of a person's devices, the latest used first, and whether each is the one that asks."""
    return [(device["name"], device["this"]) for device in (await person.http.get("/api/devices")).json()]


async def remove(person: Person, *, this: bool) -> httpx.Response:
    """Remove the device that asks, or the first other one."""
    ids = [device["id"] for device in (await person.http.get("/api/devices")).json() if device["this"] is this]
    return await person.http.delete(f"/api/devices/{ids[0]}")


async def news(person: Person) -> ClientConnection:
    """A window that waits for news."""
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in person.http.cookies.jar)
    address = f"ws://{person.place}/api/devices/news"
    return await connect(address, additional_headers=person.forwarded | {"Cookie": cookies})


async def heard(window: ClientConnection) -> str:
    return str(json.loads(await asyncio.wait_for(window.recv(), PATIENCE))["text"])


async def closed(window: ClientConnection | None) -> int | None:
    """The code with which a connection is closed."""
    assert window is not None
    async with asyncio.timeout(PATIENCE):
        with contextlib.suppress(ConnectionClosed):
            async for _ in window:
                pass
    return window.close_code


async def test_a_phone_has_the_seats_settings_and_results_of_the_laptop(ann: Person, place: str) -> None:
    await ann.open(ME, COMPUTER)
    await ann.act("concede")
    await ann.open(ME, COMPUTER)
    secret = await link(ann)
    assert await devices(ann) == [("Chrome on Linux", True)]
    window = await news(ann)
    async with Person(place, "phone") as phone:
        shown = (await linked(phone, secret)).json()
        assert shown == {"name": "Ann", "earlier": None, "apart": ""}
        answer = await join(phone, secret)
        assert answer.json() == {"settings": SETTINGS}
        assert await heard(window) == "Firefox on Android is one of your devices now"
        assert len((await phone.http.get("/api/tables")).json()) == 2
        results = [(await person.http.get("/api/statistics")).json() for person in (phone, ann)]
        assert results[0] == results[1] != []
        assert {*await devices(phone)} == {("Firefox on Android", True), ("Chrome on Linux", False)}
        phone.table = ann.table
        welcome = await phone.look()
        assert welcome.table.you == 0
        await phone.my_turn()
        await phone.move(phone.moves[0])
    await window.close()


@pytest.mark.parametrize("bring", [True, False])
async def test_what_a_browser_had_is_brought_along_or_comes_back(place: str, bring: bool) -> None:
    async with Person(place, "Ann") as ann, Person(place, "Bo") as bo, Person(place, "Cy") as cy:
        room = (await bo.http.post("/api/rooms", json={"name": "Bo"})).json()["id"]
        await bo.open(ME, COMPUTER)
        await bo.act("concede")
        table = await bo.open(ME, OPEN)
        assert (await cy.sit(table)).status_code == 200
        await cy.look()
        await bo.look()
        mine = [view["id"] for view in (await bo.http.get("/api/tables")).json()]
        await ann.open(ME, COMPUTER)
        secret = await link(ann)
        shown = (await linked(bo, secret)).json()
        assert shown["earlier"] == {"name": "Bo", "playing": 1, "finished": 1, "rooms": 1}
        assert shown["apart"] == ""
        assert (await join(bo, secret, bring=bring)).status_code == 200
        assert await closed(bo.line) == SIGNED_OUT
        at_laptop = [view["id"] for view in (await ann.http.get("/api/tables")).json()]
        assert at_laptop == ([*[ann.table], *mine] if bring else [ann.table])
        statistics = (await ann.http.get("/api/statistics")).json()
        assert [line["matches"] for line in statistics] == ([1] if bring else [])
        assert [info["id"] for info in (await ann.http.get("/api/rooms")).json()] == ([room] if bring else [])
        ann.table = table.id
        assert (await ann.look()).table.you == (0 if bring else None)
        assert (await remove(ann, this=False)).status_code == 204
        back = [view["id"] for view in (await bo.http.get("/api/tables")).json()]
        assert back == ([] if bring else mine)


async def test_two_who_sit_at_one_table_never_merge(ann: Person, bo: Person) -> None:
    table = await ann.open(ME, OPEN)
    await bo.sit(table)
    secret = await link(ann)
    assert "the same table of Sixty-Six" in (await linked(bo, secret)).json()["apart"]
    refused = await join(bo, secret, bring=True)
    assert (refused.status_code, "stay two" in refused.json()["error"]) == (409, True)
    assert (await bo.look()).table.you == 1
    assert (await join(bo, secret)).status_code == 200  # the link was not used up
    assert (await bo.look()).table.you == 0


async def test_who_has_seen_another_hand_of_the_deal_brings_no_second_one(ann: Person, bo: Person, place: str) -> None:
    async with Person(place, "Cy") as cy:
        table = await ann.open(ME, OPEN, OPEN, game="oh-hell")
        for person in (bo, cy):
            assert (await person.sit(table)).status_code == 200
        await ann.look()
        await ann.begun()
        assert (await bo.act("leave")).status_code == 200
        secret = await link(bo)
        assert "stay two" in (await linked(cy, secret)).json()["apart"]
        assert (await join(cy, secret, bring=True)).status_code == 409


async def test_a_link_works_once_for_ten_minutes_and_only_the_latest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann, Person(place, "Bo") as bo:
        await ann.open(ME, COMPUTER)
        old = await link(ann)
        secret = await link(ann)
        assert (await join(bo, old)).status_code == 403
        assert (await join(bo, secret)).status_code == 200
        async with Person(place, "Eve") as eve:
            for used in (old, secret):
                assert (await linked(eve, used)).status_code == (await join(eve, used)).status_code == 403
            assert (await eve.http.get("/api/tables")).json() == []
            secret = await link(ann)
            assert (await ann.http.delete("/api/devices/link")).status_code == 204
            assert (await join(eve, secret)).status_code == 403
            secret = await link(bo)  # either device makes them
            later = time.time() + LINK_TIME
            monkeypatch.setattr("upcard.server.device_storage.time.time", lambda: later)
            assert (await join(eve, secret)).status_code == 403


async def test_a_link_used_twice_at_once_is_used_once(place: str, ann: Person) -> None:
    await ann.open(ME, COMPUTER)
    secret = await link(ann)
    async with Person(place, "Bo") as bo, Person(place, "Cy") as cy, Person(place, "Di") as di:
        answers = await asyncio.gather(*(join(person, secret) for person in (bo, cy, di)))
    assert sorted(answer.status_code for answer in answers) == [200, 403, 403]
    assert len(await devices(ann)) == 2


async def test_guessed_links_are_counted_with_all_other_guesses(ann: Person, place: str) -> None:
    await ann.open(ME, COMPUTER)
    secret = await link(ann)
    async with Person(place, "Eve") as eve:
        answers = [(await linked(eve, f"{number:032}")).status_code for number in range(int(MOST_GUESSES) + 3)]
        assert (answers[0], answers[-1]) == (403, 429)
        assert (await join(eve, secret)).status_code == 429
        assert (await eve.http.get(f"/api/tables/{ann.table}")).status_code == 429


async def test_a_removed_device_is_signed_out_at_once(ann: Person, bo: Person) -> None:
    table = await ann.open(ME, COMPUTER)
    await joined(bo, ann)
    bo.table = table.id
    assert (await bo.look()).table.you == 0
    window, own = await news(bo), await news(ann)
    left_behind = await link(bo)
    room = await opened(ann)
    async with watched(bo, room["id"]) as in_room, watched(ann, room["id"]) as stays:
        assert (await in_room.shown(bool)).you == (await stays.shown(bool)).you
        assert (await remove(ann, this=False)).status_code == 204
        assert await closed(bo.line) == await closed(window) == SIGNED_OUT
        assert (await in_room.closed())[0] == SIGNED_OUT
        await stays.say('{"type": "ping"}')
        assert isinstance(await stays.until(lambda message: isinstance(message, Alive)), Alive)
    bo.line = None
    assert await heard(own) == "Firefox on Android is no longer one of your devices"
    for path in ("tables", "statistics", "rooms"):
        assert (await bo.http.get(f"/api/{path}")).json() == []
    assert (await bo.act("concede")).status_code == 403
    assert (await bo.look()).table.you is None
    assert await devices(bo) == [("Firefox on Android", True)]
    assert (await join(bo, left_behind)).status_code == 403  # a link that it has made is gone with it
    assert (await ann.look()).table.you == 0
    await own.close()


async def test_the_first_device_can_be_removed_by_the_second_and_the_last_by_none(ann: Person, bo: Person) -> None:
    table = await ann.open(ME, COMPUTER)
    await joined(bo, ann)
    assert (await remove(bo, this=False)).status_code == 204
    assert (await ann.http.get("/api/tables")).json() == []
    assert [view["id"] for view in (await bo.http.get("/api/tables")).json()] == [table.id]
    refused = await remove(bo, this=True)
    assert "your only device" in refused.json()["error"]
    await joined(ann, bo)  # the laptop comes back
    assert [view["id"] for view in (await ann.http.get("/api/tables")).json()] == [table.id]


async def test_devices_of_others_and_of_nobody_cannot_be_touched(ann: Person, bo: Person, place: str) -> None:
    await ann.open(ME, COMPUTER)
    await bo.open(ME, COMPUTER)
    await joined(bo, ann)
    ids = [device["id"] for device in (await ann.http.get("/api/devices")).json()]
    async with Person(place, "Eve") as eve:
        assert (await eve.http.get("/api/devices")).json() == []
        assert (await eve.http.delete(f"/api/devices/{ids[0]}")).status_code == 403
        await eve.open(ME, COMPUTER)
        for name in (*ids, "0" * 16, "%25"):
            assert (await eve.http.delete(f"/api/devices/{name}")).status_code in (403, 404, 422)
        assert await closed(await news(eve)) == 1000
        refused = await join(bo, await link(eve))
        assert "several devices" in refused.json()["error"]
        assert "already" in (await join(eve, await link(eve))).json()["error"]
    assert len(await devices(ann)) == 2


async def test_secrets_and_identities_are_neither_stored_nor_sent(tmp_path: Path) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann, Person(place, "Bo") as bo:
        await ann.open(ME, COMPUTER)
        secret = await link(ann)
        window = await news(ann)
        answers = [await linked(bo, secret), await join(bo, secret), await ann.http.get("/api/devices")]
        texts = [*(answer.text for answer in answers), await heard(window)]
        await window.close()
        cookies = [str(person.http.cookies[COOKIE]) for person in (ann, bo)]
    for text in texts:
        for private in (secret, *cookies, *(str(device_of({COOKIE: cookie})) for cookie in cookies)):
            assert private not in text
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert not [private for private in (secret, *cookies) if private.encode() in stored]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"settings": {"a" * 41: 1}},
        {"settings": {"name": "x" * 121}},
        {"settings": {"name": ["Ann"]}},
        {"settings": {str(number): 1 for number in range(41)}},
        {"settings": {str(number): "x" * 120 for number in range(40)}},
    ],
)
async def test_settings_are_checked(ann: Person, body: dict[str, Any]) -> None:
    answer = await ann.http.post("/api/devices/link", json=body)
    assert answer.status_code in (400, 422), answer.text


async def test_a_link_shows_a_plain_name(ann: Person, bo: Person) -> None:
    settings = {"name": "\u202eAnn\n  \u0000B" + "n" * 100}
    secret = (await ann.http.post("/api/devices/link", json={"settings": settings})).json()["secret"]
    name = (await linked(bo, secret)).json()["name"]
    assert name.isprintable()
    assert len(name) <= LONGEST_NAME


async def test_a_link_is_no_way_round_the_passphrase(tmp_path: Path) -> None:
    async with served(tmp_path, passphrase="queen") as place, Person(place, "Ann") as ann, Person(place, "Bo") as bo:
        await ann.http.post("/api/club/enter", json={"passphrase": "queen"})
        await ann.open(ME, COMPUTER)
        secret = await link(ann)
        for ask in (linked, join):
            assert (await ask(bo, secret)).status_code == 401
        await bo.http.post("/api/club/enter", json={"passphrase": "queen"})
        assert (await join(bo, secret)).status_code == 200
        assert len((await bo.http.get("/api/tables")).json()) == 1


async def test_devices_survive_a_restart_and_the_operator_removes_one(tmp_path: Path) -> None:
    url = url_of(tmp_path)
    async with served(tmp_path) as place, Person(place, "Ann") as ann, Person(place, "Bo") as bo:
        table = await ann.open(ME, COMPUTER)
        await joined(bo, ann)
        secret = await link(ann)
    async with served(tmp_path) as place, Person(place, "Bo") as again, Person(place, "Cy") as cy:
        again.http.cookies, again.table = bo.http.cookies, table.id
        assert (await join(cy, secret)).status_code == 200
        assert (await again.look()).table.you == 0
        lines = [line for line in shared_devices(url) if "Chrome" not in line]
        assert len(lines) == 2
        assert all(line.endswith("Firefox on Android  Ann") for line in lines)
        bo_id = str(device_of({COOKIE: str(bo.http.cookies[COOKIE])}))
        assert dismiss_device(url, bo_id[:12]) == "Firefox on Android"
        assert await closed(again.line) == SIGNED_OUT
        assert (await again.http.get("/api/tables")).json() == []
        assert len((await cy.http.get("/api/tables")).json()) == 1
        for name in (bo_id[:12], "", "%"):
            with pytest.raises(UpcardError, match="device"):
                dismiss_device(url, name)


@pytest.mark.long
async def test_two_servers_on_one_database_agree(tmp_path: Path, postgres_url: str) -> None:
    one, two = await asyncio.gather(
        *(asyncio.to_thread(Program, tmp_path, database=postgres_url) for _ in range(2))
    )  # fmt: skip
    async with Person(one.place, "Ann") as ann, Person(two.place, "Bo") as bo, Person(one.place, "Cy") as cy:
        own = await bo.open(ME, OPEN)
        await bo.look()
        table = await ann.open(ME, COMPUTER)
        window = await news_after_link(ann)
        assert (await join(bo, window[1], bring=True)).status_code == 200
        assert await heard(window[0]) == "Firefox on Android is one of your devices now"
        assert await closed(bo.line) == SIGNED_OUT
        ann.table, bo.table = own.id, table.id
        assert (await ann.look()).table.you == (await bo.look()).table.you == 0
        assert (await remove(ann, this=False)).status_code == 204
        assert await closed(bo.line) == SIGNED_OUT
        assert (await bo.http.get("/api/tables")).json() == []
        secret = await link(ann)
        answers = await asyncio.gather(join(bo, secret), join(cy, secret))
        assert sorted(answer.status_code for answer in answers) == [200, 403]
        bo.line = None
    for server in (one, two):
        assert server.end(signal.SIGINT) == (0, "")


async def news_after_link(person: Person) -> tuple[ClientConnection, str]:
    secret = await link(person)
    return await news(person), secret


# ----------------------------------------------------------------------------------------------------------- the store


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return url_of(tmp_path) if request.param == "sqlite" else str(request.getfixturevalue("postgres_url"))


async def test_whatever_is_done_in_whatever_order_nobody_gains_or_loses_a_seat(url: str) -> None:
    """Browsers link, join and remove at random, and a plain model agrees on who is who and who sits where. No person
    ever has two seats at a table in play."""
    rng, store = Random(7), Store(url)
    browsers = [f"{number:064x}" for number in range(6)]
    people: dict[str, str] = {browser: browser for browser in browsers}
    former: dict[str, str | None] = dict.fromkeys(browsers)
    owners: dict[tuple[str, int], str] = {}
    links: dict[str, str] = {}
    for number in range(8):
        plan = Plan(f"t{number}", "oh-hell", 3, 1, {}, browsers[0], float(number))
        pair = rng.sample(browsers, 2)
        entries = [Seated(seat=seat, place=Occupant("person", "N", None, who), at=1.0) for seat, who in enumerate(pair)]
        await store.begin(plan, entries, done=number % 2 == 1)
        owners |= {(plan.id, seat): who for seat, who in enumerate(pair)}
    joins = 0
    for step in range(80):
        browser = rng.choice(browsers)
        person = people[browser]
        mine = [other for other in browsers if people[other] == person]
        action = rng.choice(["link", "join", "join", "remove"])
        if action == "link":
            await write(store, lambda c, b=browser, p=person, s=f"s{step}": link_device(c, p, b, "N", s, {}))
            links = {secret: to for secret, to in links.items() if to != person} | {f"s{step}": person}
        elif action == "join" and links:
            secret, bring = rng.choice([*links]), rng.random() < 0.5
            to = links[secret]
            meets = any(
                owners.get((f"t{n}", a)) == person and owners.get((f"t{n}", 1 - a)) == to
                for n in range(0, 8, 2)
                for a in (0, 1)
            )
            result = await write(store, lambda c, b=browser, s=secret, w=bring: join_device(c, b, "N", s, bring=w))
            if to == person or len(mine) > 1 or (bring and meets):
                assert isinstance(result, Refusal)
                assert isinstance(result, Taken) == (to != person and len(mine) == 1)
                continue
            assert not isinstance(result, Refusal), result
            joins += 1
            del links[secret]
            people[browser], former[browser] = to, person
            for (table, seat), who in [*owners.items()] if bring else []:
                if who == person and owners[table, 1 - seat] != to:
                    owners[table, seat] = to
        elif action == "remove":
            target = rng.choice(mine)
            result = await write(store, lambda c, p=person, b=browser, t=target: remove_device(c, p, b, t))
            if len(mine) == 1:
                assert isinstance(result, Refusal)
                continue
            assert not isinstance(result, Refusal), result
            assert result[0] == target
            assert former[target] is None or result[2] == former[target]
            people[target], former[target] = result[2], None
            links = {secret: to for secret, to in links.items() if to != person}
        assert await store.read(lambda c: {b: device_owner(c, b) for b in browsers}) == people
    indexed = await store.read(lambda c: {(r.table_id, r.seat): r.identity for r in c.execute(seats.select())})
    assert indexed == owners
    for number in range(8):
        stored = await store.load(f"t{number}")
        assert stored is not None
        places = Seating(stored.plan, stored.entries).places
        assert [place.identity for place in places[:2]] == [owners[f"t{number}", 0], owners[f"t{number}", 1]]
        if stored.done:  # it is deleted when it would have been
            assert all(entry.at == 1.0 for entry in stored.entries if isinstance(entry, Moved))
    stored_links = await store.read(lambda c: [*c.scalars(sql.select(device_links.c.digest))])
    assert sorted(stored_links) == sorted(links)
    assert joins > 5
    store.close()


async def write(store: Store, step: Any) -> Any:
    """What a step returns, or the Refusal that it raises."""
    results: list[Any] = []

    def attempt(connection: Connection) -> None:
        try:
            results[:] = [step(connection)]
        except Refusal as refusal:
            results[:] = [refusal]

    await store.safely(before=attempt)
    return results[0]


async def test_a_person_has_so_many_devices_and_no_more(tmp_path: Path) -> None:
    store = Store(url_of(tmp_path))
    for number in range(1, MOST_DEVICES):
        await write(store, lambda c, n=number: link_device(c, "ann", "ann", "N", f"s{n}", {}))
        await write(store, lambda c, n=number: join_device(c, f"d{n}", "N", f"s{n}", bring=False))
    assert len(await store.read(lambda c: device_rows(c, "ann"))) == MOST_DEVICES
    refused = await write(store, lambda c: link_device(c, "ann", "ann", "N", "more", {}))
    assert isinstance(refused, Refusal)
    store.close()


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (PHONE, "Firefox on Android"),
        (LAPTOP, "Chrome on Linux"),
        (f"{LAPTOP} Edg/140.0.0.0", "Edge on Linux"),
        ("(iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/1 Safari/604.1", "Safari on iPhone"),
        ("(Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15", "Safari on Mac"),
        ("python-httpx/0.28", "A browser"),
        ("", "A browser"),
    ],
)  # fmt: skip
def test_a_device_is_named_by_what_its_browser_says(agent: str, name: str) -> None:
    assert browser_name(agent) == device_title(name) == name


async def test_devices_are_named_in_the_reader_s_language(ann: Person, bo: Person) -> None:
    await joined(bo, ann)
    german = (await ann.http.get("/api/devices", params={"language": "de"})).json()
    assert {device["name"] for device in german} == {"Chrome unter Linux", "Firefox unter Android"}
    assert texts_in("de")(device_title("A browser on Linux")) == "Ein Browser unter Linux"
