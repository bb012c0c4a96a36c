"""Words over HTTP and WebSocket: what is refused, what no player hears, and two servers on one database."""

import asyncio
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from programs import Player, Program
from serving import ME, OPEN, Person, served
from waiting import PATIENCE

from upcard.table.messages import ChatMessage, ChatRemoved, Reaction, TableView

CHAT = {"listed": False, "watchers": True, "clock": None, "patience": 60, "knock": False, "chat": True}


async def together(ann: Person, bo: Person) -> TableView:
    """A table in play of Ann, who is the host, and Bo, both connected."""
    table = await ann.open(ME, OPEN)
    await bo.sit(table)
    for person in (ann, bo):
        await person.look()
        await person.begun()
    return table


async def test_words_reach_the_others_and_the_host_removes_them(ann: Person, bo: Person) -> None:
    await together(ann, bo)
    assert (await bo.act("say", text="Hello there")).status_code == 403
    assert (await ann.act("change", settings=CHAT)).status_code == 200
    assert (await bo.act("say", text="Hello there")).status_code == 200
    heard = await ann.hear(ChatMessage)
    assert (heard.name, heard.text, heard.phrase) == ("Bo", "Hello there", None)
    assert (await bo.act("unsay", number=heard.number)).status_code == 403
    assert (await ann.act("unsay", number=heard.number)).status_code == 200
    assert (await bo.hear(ChatRemoved)).number == heard.number


async def test_what_watchers_say_changes_nothing_on_the_players_lines(ann: Person, bo: Person, place: str) -> None:
    table = await together(ann, bo)
    async with Person(place, "Eve") as eve, Person(place, "Fay") as fay:
        for person in (eve, fay):
            await person.look(table.id)
            person.table = table.id
        assert (await eve.act("say", phrase="hello", name="Eve")).status_code == 200
        assert (await eve.act("react", kind="wow", name="Eve")).status_code == 200
        assert (await fay.hear(Reaction)).name == "Eve"
        assert (await ann.act("say", phrase="thanks")).status_code == 200
        for person in (ann, bo):
            assert (await person.hear(ChatMessage)).phrase == "thanks"
            assert "Eve" not in "".join(person.texts)
            assert not [message for message in person.messages if isinstance(message, Reaction)]


async def test_strangers_and_floods_are_refused(ann: Person, bo: Person, place: str) -> None:
    table = await together(ann, bo)
    async with Person(place, "Mallory") as mallory:
        mallory.table = table.id
        assert (await mallory.act("say", phrase="hello", name="Mallory")).status_code == 403
    answers = [(await bo.act("say", phrase="hello")).status_code for _ in range(8)]
    assert answers[0] == 200
    assert answers[-1] == 429


@pytest.mark.parametrize(
    "body",
    [
        {"do": "say", "phrase": "you have the ace"},
        {"do": "say", "text": "x" * 801},
        {"do": "react", "kind": "queen of hearts"},
        {"do": "say"},
    ],
)
async def test_only_known_phrases_and_short_texts(ann: Person, bo: Person, body: dict[str, Any]) -> None:
    await together(ann, bo)
    assert (await ann.act("change", settings=CHAT)).status_code == 200
    answer = await ann.http.post(f"/api/tables/{ann.table}/actions", json=body)
    assert answer.status_code in (400, 422)


async def test_words_are_not_in_the_database(tmp_path: Path) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann, Person(place, "Bo") as bo:
        await together(ann, bo)
        await ann.act("change", settings=CHAT)
        await bo.act("say", text="Zanzibar")
        await ann.hear(ChatMessage)
        await ann.act("concede")
        assert "Zanzibar" not in (await ann.http.get(f"/api/tables/{ann.table}/record")).text
    with closing(sqlite3.connect(tmp_path / "upcard.sqlite3")) as database:
        dumped = "".join(database.iterdump())
    assert ann.table in dumped
    assert "Zanzibar" not in dumped


async def test_people_at_two_servers_hear_each_other(tmp_path: Path, postgres_url: str) -> None:
    one, two = [await asyncio.to_thread(lambda: Program(tmp_path, database=postgres_url)) for _ in range(2)]
    async with Player("Ann") as ann, Player("Bo") as bo, Player("Eve") as eve:
        ann.go_to(one.place)
        bo.go_to(two.place)
        eve.go_to(two.place)
        table = await ann.open(ME, OPEN)
        assert (await bo.sit(table)).status_code == 200
        await ann.look()
        await bo.look()
        await eve.look(table.id)
        eve.table = table.id
        await ann.until(lambda message: getattr(message, "watching", 0) == 1)
        async with asyncio.timeout(PATIENCE):  # until the other server knows of Ann
            while not (await bo.http.get(f"/api/tables/{table.id}")).json()["seats"][0]["here"]:
                await asyncio.sleep(0.05)
        assert (await eve.act("say", phrase="hello", name="Eve")).status_code == 200
        assert (await bo.act("say", phrase="thanks")).status_code == 200
        assert (await ann.hear(ChatMessage)).phrase == "thanks"
        assert (await eve.hear(ChatMessage)).phrase == "hello"
        assert "Eve" not in "".join(ann.texts)
    for program in (one, two):
        await asyncio.to_thread(program.end, signal.SIGTERM)
