"""Finished matches: replayed, saved, opened, played on; none of this while a match is in play."""

import json
from random import Random
from typing import Any

import msgspec
import pytest
from playing import GAMES, play_on, random_match
from serving import COMPUTER, ME, OPEN, Person

from upcard import games
from upcard.engine.records import replay as replayed
from upcard.house.bodies import Replay
from upcard.rules.game import Game
from upcard.table.changes import applied
from upcard.table.scene import describe
from upcard.workers import WorkerPool


def finished(game: type[Game[Any]], seed: int) -> dict[str, Any]:
    """The record of a whole match at random; of a very long one the beginning."""
    match, rng = random_match(game, seed), Random(seed)
    for _ in play_on(match, rng, 150):
        pass
    return match.record()


async def brought(person: Person, record: dict[str, Any]) -> str:
    answer = await person.http.post("/api/records", json=record)
    assert answer.status_code == 201, answer.text
    assert answer.json()["done"] is True
    return str(answer.json()["id"])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
async def test_a_record_is_watched_as_every_seat_saw_it(ann: Person, game: type[Game[Any]]) -> None:
    record = finished(game, 5)
    table = await brought(ann, record)
    match = replayed(record)
    names = [f"Seat {seat + 1}" for seat in range(match.players)]
    for seat in (None, 0, match.players - 1):
        query = {} if seat is None else {"seat": seat}
        first = msgspec.json.decode(
            (await ann.http.get(f"/api/tables/{table}/replay", params=query)).content, type=Replay
        )
        last = await ann.http.get(f"/api/tables/{table}/replay", params=query | {"deal": first.deals})
        told = msgspec.json.decode(last.content, type=Replay)
        scene = told.start
        for step in told.steps:
            scene = applied(scene, step.changes)
        assert told.steps[-1].events == len(match.events)
        assert scene == describe(match.view(seat), match.last_trick, names)


async def test_with_all_cards_open_every_hand_is_seen(ann: Person, bo: Person) -> None:
    table = await brought(ann, finished(GAMES[0], 5))
    told = msgspec.json.decode((await bo.http.get(f"/api/tables/{table}/replay?seat=all")).content, type=Replay)
    scene = applied(told.start, told.steps[0].changes)
    assert all(len(seat.open) == seat.cards for seat in scene.seats)


async def test_of_a_match_without_a_deal_there_is_none(ann: Person) -> None:
    table = await brought(ann, finished(GAMES[0], 5) | {"events": []})
    answer = await ann.http.get(f"/api/tables/{table}/replay")
    assert (answer.status_code, answer.json()["error"]) == (422, "There is no deal 1: the match has 0")


async def test_nothing_is_told_of_a_match_in_play(ann: Person) -> None:
    await ann.open(ME, COMPUTER)
    for what in ("replay", "replay?seat=all", "record"):
        answer = await ann.http.get(f"/api/tables/{ann.table}/{what}")
        assert (answer.status_code, "still in play" in answer.text) == (409, True)
    wish = {"events": 1, "seat": 0, "name": "Ann", "level": "casual"}
    assert (await ann.http.post(f"/api/tables/{ann.table}/fork", json=wish)).status_code == 409


async def test_alone_with_computer_players_a_finished_deal_is_watched_at_once(ann: Person, bo: Person) -> None:
    record = finished(GAMES[0], 5)
    table = await brought(ann, record)
    first = (await ann.http.get(f"/api/tables/{table}/score")).json()["deals"][0]
    wish = {"events": first["events"] + 1, "seat": 0, "name": "Ann", "level": "casual"}
    again = (await ann.http.post(f"/api/tables/{table}/fork", json=wish)).json()["id"]
    where = f"/api/tables/{again}/replay?seat=all&deal="
    told = (await ann.http.get(f"{where}1")).json()
    assert (told["deals"], told["steps"][-1]["events"]) == (1, first["events"])
    for person, deal in ((ann, 2), (bo, 1)):
        answer = await person.http.get(f"{where}{deal}")
        assert (answer.status_code, "still in play" in answer.text) == (409, True)


async def test_a_record_is_taken_along_and_brought_back(ann: Person, bo: Person) -> None:
    table = await ann.open(ME, OPEN)
    await bo.sit(table)
    await ann.act("concede")
    answer = await bo.http.get(f"/api/tables/{table.id}/record")
    assert answer.headers["content-disposition"] == f'attachment; filename="sixty-six-{table.id}.json"'
    record = answer.json()
    assert record["about"]["names"] == ["Ann", "Bo"]
    again = await brought(bo, record)
    assert (await bo.http.get(f"/api/tables/{again}/record")).json()["events"] == record["events"]
    assert [seat["name"] for seat in (await bo.http.get(f"/api/tables/{again}")).json()["seats"]] == ["Ann", "Bo"]


@pytest.mark.parametrize("spoiled", [{}, {"upcard": 1}, {"events": ["deal"]}, {"events": 3}, {"players": 99}])
async def test_what_is_no_record_is_refused_in_one_line(ann: Person, spoiled: dict[str, Any]) -> None:
    record = finished(GAMES[0], 5) | spoiled if spoiled else {}
    answer = await ann.http.post("/api/records", json=record)
    assert answer.status_code in (422, 201)
    assert spoiled == {"upcard": 1} or answer.status_code == 422
    assert "\n" not in answer.text


@pytest.mark.parametrize(
    ("spoiled", "german"),
    [
        ({"upcard": 2}, '"upcard" muss 1 sein'),
        ({"events": 3}, '"events" fehlt oder ist keine Liste'),
        ({"winner": 0}, "Eine Aufzeichnung hat kein Feld 'winner'"),
        ({"dealer": 7}, "Der Geber sitzt auf einem der Plätze 0 bis 1, nicht auf 7"),
        ({"game": "whist"}, "Es gibt kein Spiel 'whist' (es gibt: "),
        ({"events": ["deal"]}, "Ereignis 0 ist nicht möglich: 'deal'"),
        ({"about": {"rules": 3}}, "Gespielt wurde nach anderen Regeln von sixty-six (unlesbar) als den hiesigen (die"),
    ],
)
async def test_a_record_is_refused_in_the_language_of_the_reader(
    ann: Person, spoiled: dict[str, Any], german: str
) -> None:
    record = finished(games.load("sixty-six"), 5) | spoiled
    answer = await ann.http.post("/api/records", json=record, headers={"Accept-Language": "de"})
    assert answer.status_code == 422
    assert answer.json()["error"].startswith(german)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
async def test_a_record_may_begin_with_a_byte_order_mark(ann: Person, encoding: str) -> None:
    text = json.dumps(finished(GAMES[0], 5)).encode(encoding)
    answer = await ann.http.post("/api/records", content=text)
    assert answer.status_code == 201, answer.text


async def test_a_finished_match_is_played_on_from_the_middle(ann: Person) -> None:
    record = finished(GAMES[-1], 5)
    table = await brought(ann, record)
    wish = {"events": 4, "seat": 0, "name": "Ann", "level": "casual"}
    answer = await ann.http.post(f"/api/tables/{table}/fork", json=wish)
    assert answer.status_code == 201, answer.text
    told = answer.json()
    assert (told["you"], told["practice"], told["origin"]) == (0, True, {"table": table, "events": 4})
    await ann.look(told["id"])
    await ann.my_turn()
    assert ann.moves


async def test_the_score_of_every_deal_is_told(ann: Person) -> None:
    record = finished(GAMES[0], 5)
    table = await brought(ann, record)
    match = replayed(record)
    sheet = (await ann.http.get(f"/api/tables/{table}/score")).json()
    assert [deal["deal"] for deal in sheet["deals"]] == [*range(1, len(sheet["deals"]) + 1)]
    assert "Seat 1" in " ".join(sheet["deals"][0]["result"])
    if match.done:
        assert sheet["deals"][-1]["scores"] == match.scores
        assert sheet["winners"] == match.winners


async def test_what_was_worked_out_for_one_is_kept_for_all_but_their_own(
    ann: Person, bo: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await ann.open(ME, OPEN)
    await bo.sit(table)
    await ann.look()
    await ann.begun()
    await ann.act("concede")
    assert (await ann.http.get(f"/api/tables/{table.id}/replay")).status_code == 200
    sheet = (await ann.http.get(f"/api/tables/{table.id}/score")).json()
    monkeypatch.delattr(WorkerPool, "run")
    async with Person(ann.place, "Eve") as eve:
        for person, you, invite in ((ann, 0, table.invite), (bo, 1, table.invite), (eve, None, None)):
            told = (await person.http.get(f"/api/tables/{table.id}/replay")).json()
            assert (told["table"]["you"], told["table"]["invite"]) == (you, invite)
            assert (await person.http.get(f"/api/tables/{table.id}/score")).json() == sheet


async def test_what_is_kept_for_one_seat_is_not_shown_to_another(ann: Person) -> None:
    table = await brought(ann, finished(GAMES[0], 5))
    for query, seat in (("0", 0), ("1", 1), ("all", None), ("0", 0)):
        answer = await ann.http.get(f"/api/tables/{table}/replay", params={"seat": query})
        told = msgspec.json.decode(answer.content, type=Replay)
        scene = applied(told.start, told.steps[0].changes)
        assert (told.seat, scene.seat) == ("all" if seat is None else seat, seat)
        assert {bool(one.open) for one in scene.seats} == {query == "all"}
