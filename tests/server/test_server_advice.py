"""Hints for people alone with computer players, and reviews of their own moves: from their view, for them only."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from serving import COMPUTER, ME, OPEN, Person, served
from waiting import PATIENCE

from upcard import Match, games
from upcard.engine.chance import shuffler
from upcard.house import house as house_module
from upcard.house.review_jobs import Judged
from upcard.house.services import Requester
from upcard.players import Rollouts, player
from upcard.players.warmup import _few_choices, prepare_hints, settle_in
from upcard.server.hosting import Limits
from upcard.server.limits import Doorkeeper
from upcard.server.reviews import Reviews
from upcard.server.thinking import Thinkers
from upcard.table.errors import Refusal, TooMany
from upcard.workers import WorkerPool

CLOCK = {"per_move": 10, "bank": 60}
compiled = pytest.mark.xdist_group("klaberjass")
"""For tests that need its loops: in the process of the others that do."""


@pytest.fixture(scope="module")
def klaberjass() -> None:
    """All that a hint needs is compiled: on a busy machine that takes longer than a server gives any piece of work."""
    prepare_hints(_few_choices(games.load("klaberjass")()))


@pytest.fixture
async def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """A house whose advice on Klaberjass comes at once, from little thought."""

    async def run(workers: WorkerPool, requester: Requester, work: Any, *about: Any, **more: Any) -> Any:
        return work(*about) if work is house_module._advise else await in_a_process(workers, requester, work, *about)

    def is_ready(thinkers: Thinkers, setup: Any) -> bool:
        return bool(setup.game.slug == "klaberjass")

    in_a_process = WorkerPool.run
    monkeypatch.setattr("upcard.players.advice.HINT", Rollouts(50))
    monkeypatch.setattr(WorkerPool, "run", run)
    monkeypatch.setattr(Thinkers, "is_ready", is_ready)
    async with served(tmp_path, proxies=("127.0.0.1",)) as place:
        yield place


async def hint(person: Person) -> httpx.Response:
    return await person.http.post(f"/api/tables/{person.table}/hint")


@pytest.mark.long
@compiled
@pytest.mark.usefixtures("klaberjass")
async def test_alone_with_computer_players_one_is_advised_and_it_is_marked(house: str) -> None:
    async with Person(house, "Ann") as ann, Person(house, "Bo") as bo:
        table = await ann.open(ME, COMPUTER, game="klaberjass")
        await ann.look()
        assert await ann.my_turn()
        seq = ann.seq
        for _ in range(2):
            answer = await hint(ann)
            assert answer.status_code == 200, answer.text
        told = answer.json()
        assert sorted(move["text"] for move in told["moves"]) == sorted(ann.moves)
        assert told["headline"]
        await ann.up_to(seq + 1)
        assert told["seq"] == ann.seq == seq + 1, "it is written down once"
        bo.table = table.id
        await bo.look()
        assert (await hint(bo)).status_code == 403
        await ann.move(told["moves"][0]["text"])
        await ann.act("resign")
        about = (await ann.http.get(f"/api/tables/{table.id}/record")).json()["about"]
        assert about["hints"] == [0]
        assert (await hint(ann)).status_code in (403, 409)


async def test_hints_are_for_nobody_who_plays_with_others_or_against_time(house: str) -> None:
    async with Person(house, "Ann") as ann, Person(house, "Bo") as bo:
        table = await ann.open(ME, OPEN, game="klaberjass")
        await bo.sit(table)
        for person in (ann, bo):
            answer = await hint(person)
            assert (answer.status_code, "alone against computer players" in answer.text) == (403, True)
            assert "hint" not in (await person.http.get(f"/api/tables/{table.id}")).json()["may"]
        wish = {"game": "klaberjass", "players": 2, "options": {}, "name": "Ann", "seats": [ME, COMPUTER]}
        timed = await ann.http.post("/api/tables", json=wish | {"settings": {"clock": CLOCK}})
        ann.table = timed.json()["id"]
        assert "hint" not in timed.json()["may"]
        assert (await hint(ann)).status_code == 403


async def test_what_is_not_ready_is_said_and_not_marked(house: str) -> None:
    async with Person(house, "Ann") as ann:
        await ann.open(ME, COMPUTER)
        await ann.look()
        assert await ann.my_turn()
        answer = await hint(ann)
        assert (answer.status_code, "being prepared" in answer.json()["says"]) == (202, True)
        answers = [await hint(ann) for _ in range(40)]  # whoever waits asks again and again
        assert {answer.status_code for answer in answers} == {202}
        assert ann.seq == (await ann.look()).seq


async def test_too_many_hints_and_reviews_are_429(house: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(keeper: Doorkeeper, client: str, *, seated: bool) -> None:
        if client == "192.0.2.1":
            raise TooMany("try again")

    monkeypatch.setattr(Doorkeeper, "begin_work", refuse)
    async with Person(house, "Ann") as ann:
        record = await brought(ann)
        ann.http.headers["X-Forwarded-For"] = "192.0.2.1"
        await ann.open(ME, COMPUTER, game="klaberjass")
        assert (await hint(ann)).status_code == 429
        ann.table = record
        answer = await ann.http.post(f"/api/tables/{ann.table}/review")
        assert (answer.status_code, "try again" in answer.text) == (429, True)


# ------------------------------------------------------------------------------------------------------------ reviews


async def brought(person: Person) -> str:
    """A short match that this person has opened."""
    match, rng, one = Match("klaberjass", chance=shuffler(1)), Random(1), player("random")
    while len(match.events) < 14:
        match.play(match.to_act[0], one.choose(match.view(match.to_act[0]), rng))
    answer = await person.http.post("/api/records", json=match.record())
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


@pytest.mark.long
@compiled
@pytest.mark.usefixtures("klaberjass")
async def test_a_match_is_reviewed_decision_by_decision(house: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upcard.workers.step_back", settle_in)  # the other tests do not wait for us
    async with Person(house, "Ann") as ann, Person(house, "Bo") as bo:
        table = await brought(ann)
        where = f"/api/tables/{table}/review?seat=1"
        told = (await ann.http.post(where)).json()
        assert (told["seat"], told["done"]) == (1, 0)
        seen = 0
        async with asyncio.timeout(PATIENCE):
            while told["state"] in ("waiting", "running"):
                await asyncio.sleep(0.05)
                told = (await ann.http.post(where)).json()
                assert told["done"] >= seen
                seen = told["done"]
        assert told["state"] == "done"
        assert told["done"] == told["of"] > 2
        assert told["summary"].startswith(f"{told['of']} decisions")
        costs = [mistake["cost"] for mistake in told["mistakes"]]
        assert costs and costs == sorted(costs, reverse=True)
        assert (await bo.http.post(where)).status_code == 403
        assert (await ann.http.post(where.replace("=1", "=7"))).status_code == 422


async def test_only_what_is_over_is_reviewed_and_only_ones_own_seat(house: str) -> None:
    async with Person(house, "Ann") as ann, Person(house, "Bo") as bo:
        table = await ann.open(ME, OPEN)
        await bo.sit(table)
        where = f"/api/tables/{table.id}/review"
        assert (await ann.http.post(where)).status_code == 409
        assert (await ann.http.post(f"{where}?seat=1")).status_code == 403
        assert (await bo.http.post(f"{where}?seat=0")).status_code == 403


async def test_no_more_matches_are_reviewed_at_once_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async def idle(reviews: Reviews, job: object) -> None:
        return None

    monkeypatch.setattr("upcard.server.reviews.MOST_OF_ONE", 1)
    monkeypatch.setattr("upcard.server.reviews.MOST_AT_ONCE", 2)
    monkeypatch.setattr(Reviews, "_review", idle)
    reviews = Reviews(WorkerPool(Doorkeeper(Limits())), lambda setup: True)
    tables: list[Any] = [
        SimpleNamespace(plan=SimpleNamespace(id=name), match=Match("klaberjass"), names=("A", "B")) for name in "abc"
    ]
    ann, bo, cy = (Requester(f"10.0.{number}.1") for number in range(3))
    assert reviews.start(tables[0], 0, ann).state == "waiting"
    with pytest.raises(TooMany, match="waiting to be reviewed"):
        reviews.start(tables[1], 0, ann)
    assert reviews.of(tables[1], 0) is None
    assert reviews.start(tables[1], 0, bo).state == "waiting"
    with pytest.raises(TooMany, match="waiting to be reviewed"):
        reviews.start(tables[2], 0, cy)
    assert reviews.start(tables[2], 0, Requester("10.0.0.1", seated=True)).state == "waiting"
    reviews.close()
    monkeypatch.setattr("upcard.house.review_jobs.MOST_MOVES", -1)
    with pytest.raises(Refusal, match="too long"):
        reviews.start(tables[0], 0, ann)


async def test_a_review_gives_way_after_each_spell_and_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces: list[int] = []

    async def run(workers: WorkerPool, requester: Requester, work: Any, *about: Any, **more: Any) -> Judged:
        assert requester == Requester("10.0.0.1"), "it leaves the reserve alone"
        pieces.append(about[-1])
        if len(pieces) == 2:
            raise TooMany("wait")
        return Judged(5, ["best"] * min(2, 5 - about[-1]), [])

    monkeypatch.setattr(WorkerPool, "run", run)
    monkeypatch.setattr("upcard.server.reviews.PAUSE", 0.0)
    reviews = Reviews(WorkerPool(Doorkeeper(Limits())), lambda setup: True)
    table: Any = SimpleNamespace(plan=SimpleNamespace(id="a"), match=Match("klaberjass"), names=("A", "B"))
    reviews.start(table, 0, Requester("10.0.0.1", seated=True))
    await asyncio.gather(*reviews._tasks)
    told = reviews.of(table, 0)
    assert told is not None
    assert (told.state, told.done, told.of, pieces) == ("done", 5, 5, [0, 2, 2, 4])
