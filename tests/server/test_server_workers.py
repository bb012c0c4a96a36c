"""Work that anybody can ask for: done elsewhere, in turn, within bounds, and charged to whoever asked."""

import asyncio
import gc
import multiprocessing
import os
import signal
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pieces import busy, end_once, refuse, run_out_of_memory
from playing import GAMES
from serving import COMPUTER, ME, Person, served
from test_server_records import brought, finished
from waiting import PATIENCE

from upcard import workers
from upcard.engine.errors import BadRecord
from upcard.engine.records import replay
from upcard.house import replays
from upcard.house import tables as house_tables
from upcard.house.replays import Transcript, read_record
from upcard.house.services import Requester
from upcard.server.hosting import Limits
from upcard.server.limits import LEAST_WORK, MOST_WORK, RESERVE, Doorkeeper, household
from upcard.server.storage import Store
from upcard.table.errors import Refusal, TooMany
from upcard.workers import FairQueue, WorkerPool, run_within

ANN, BO, CY = (Requester(f"10.9.{number}.1") for number in range(3))


class Charges(Doorkeeper):
    """Notes what is charged to each address."""

    def __init__(self) -> None:
        super().__init__(Limits(), clock=lambda: 0.0)
        self.seconds: defaultdict[str | None, float] = defaultdict(float)
        self.pieces: Counter[str | None] = Counter()

    def begin_work(self, client: str | None, *, seated: bool) -> None:
        super().begin_work(client, seated=seated)
        self.pieces[client] += 1

    def end_work(self, client: str | None, seconds: float) -> None:
        super().end_work(client, seconds)
        self.seconds[client] += seconds


@pytest.fixture
def charges() -> Charges:
    return Charges()


@pytest.fixture
async def pool(charges: Charges) -> AsyncIterator[WorkerPool]:
    pool = WorkerPool(charges, household, workers=1)
    yield pool
    pool.close()


# -------------------------------------------------------------------------------------------------------------- turns


async def order(queue: FairQueue, requesters: list[Requester]) -> list[Requester | str]:
    """In which order they have their turns when all ask at once; where they are refused, why."""
    turns: list[Requester | str] = []

    async def ask(requester: Requester) -> None:
        try:
            async with queue.turn(requester):
                turns.append(requester)
                await asyncio.sleep(0)
        except TooMany as refused:
            turns.append(str(refused))

    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*[ask(requester) for requester in requesters])
    return turns


async def test_addresses_take_turns() -> None:
    turns = await order(FairQueue(1, household), [ANN] * 5 + [BO] * 2 + [CY])
    assert turns == [ANN, ANN, BO, CY, ANN, BO, ANN, ANN]


async def test_who_sits_at_the_table_goes_first_but_not_for_ever() -> None:
    seated = Requester("10.9.0.1", seated=True)
    turns = await order(FairQueue(1, household), [ANN, BO, CY] + [seated] * 8)
    assert turns == [ANN, *[seated] * 3, BO, *[seated] * 3, CY, seated, seated]


async def test_neighbours_in_the_network_of_a_household_have_one_turn_together() -> None:
    home = [Requester(f"2001:db8::{number}") for number in range(1, 4)]
    assert await order(FairQueue(1, household), [ANN, *home, BO]) == [ANN, home[0], BO, home[1], home[2]]


async def test_only_some_of_one_address_wait() -> None:
    turns = await order(FairQueue(1, household), [ANN] * 24 + [BO])
    assert Counter(turns) == {ANN: 9, BO: 1, workers.OF_ONE: 15}
    assert [turn for turn in turns if isinstance(turn, Requester)].index(BO) == 2


async def test_where_all_room_is_taken_the_address_with_the_most_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "MOST_WAITING_IN_ALL", 4)
    turns = await order(FairQueue(1, household), [ANN] * 4 + [BO, CY, BO])
    assert Counter(turns) == {ANN: 2, BO: 2, CY: 1, workers.BUSY: 2}
    seated = Requester("10.9.0.1", seated=True)
    assert workers.BUSY not in await order(FairQueue(1, household), [ANN] * 5 + [seated] * 4)


async def test_a_turn_that_nobody_wants_any_more_goes_to_the_next() -> None:
    queue, entered = FairQueue(1, household), list[str]()

    async def ask(name: str, requester: Requester) -> None:
        async with queue.turn(requester):
            entered.append(name)
            await asyncio.sleep(0)

    async with asyncio.timeout(PATIENCE):
        tasks = [asyncio.create_task(ask(name, requester)) for name, requester in (("a", ANN), ("b", BO), ("c", CY))]
        await asyncio.sleep(0)
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        async with queue.turn(ANN):
            pass
    assert entered == ["a", "c"]
    assert len(queue) == 0


async def test_a_turn_that_comes_when_it_is_not_wanted_any_more_is_passed_on() -> None:
    queue = FairQueue(1, household)

    async def ask() -> None:
        async with queue.turn(ANN):
            pass

    async with asyncio.timeout(PATIENCE):
        async with queue.turn(ANN):
            late = asyncio.create_task(ask())
            await asyncio.sleep(0)
        late.cancel()  # its turn has come, but it does not know yet
        await asyncio.gather(late, return_exceptions=True)
        async with queue.turn(ANN):
            others = [asyncio.create_task(ask()) for _ in range(3)]
            await asyncio.sleep(0)
            assert len(queue) == 3, "there is one turn as before, not two"
        await asyncio.gather(*others)


# -------------------------------------------------------------------------------------------------------- the processes


async def test_work_is_done_in_another_process_and_charged_with_its_processor_time(
    pool: WorkerPool, charges: Charges
) -> None:
    process = await pool.run(ANN, busy, 0.2)
    assert process != os.getpid()
    assert await pool.run(BO, busy, 0.0) == process
    with pytest.raises(BadRecord, match="so it is") as refused:
        await pool.run(CY, refuse)
    assert refused.value.clause == "SS-1"
    assert 0.2 <= charges.seconds["10.9.0.1"] < 2.0
    assert charges.seconds["10.9.1.1"] < 0.2
    assert charges.pieces == {"10.9.0.1": 1, "10.9.1.1": 1, "10.9.2.1": 1}
    assert pool.waiting == 0


async def test_what_hangs_is_killed_and_refused_and_others_go_on(pool: WorkerPool, charges: Charges) -> None:
    process = await pool.run(BO, busy, 0.0)
    with pytest.raises(TooMany, match="takes too long"):
        await pool.run(ANN, busy, 600.0, limit=0.1)
    assert charges.seconds["10.9.0.1"] >= 0.1
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    assert await pool.run(BO, busy, 0.0) not in (process, os.getpid())
    assert len(pool.ids) == 1


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer of the system")
def test_a_process_that_nobody_waits_for_any_more_ends_itself() -> None:
    """Its server was killed, and could not kill it."""
    hangs = multiprocessing.get_context("spawn").Process(
        target=run_within, args=(0.1, partial(busy, 600.0)), daemon=True
    )
    hangs.start()
    hangs.join(PATIENCE)
    assert hangs.exitcode == -signal.SIGALRM


async def test_work_whose_process_is_killed_is_done_by_another(pool: WorkerPool, tmp_path: Path) -> None:
    assert await pool.run(ANN, end_once, str(tmp_path / "begun")) == "done"
    for process in pool.ids:  # while it is idle
        os.kill(process, signal.SIGKILL)
    assert await pool.run(ANN, busy, 0.0)


async def test_what_runs_out_of_memory_is_refused(pool: WorkerPool) -> None:
    with pytest.raises(TooMany, match="could not be worked out"):
        await pool.run(ANN, run_out_of_memory)
    assert await pool.run(ANN, busy, 0.0)


async def test_where_no_process_starts_the_work_is_refused(pool: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    def start(process: Any) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("multiprocessing.context.SpawnProcess.start", start)
    pool.prepare()
    with pytest.raises(TooMany, match="ask again in a moment"):
        await pool.run(ANN, busy, 0.0)


@pytest.mark.long
async def test_closing_kills_every_process_and_refuses_what_waits(pool: WorkerPool) -> None:
    await pool.run(ANN, busy, 0.0)
    (process,) = pool.ids
    work = [asyncio.create_task(pool.run(ANN, busy, 600.0)) for _ in range(3)]
    await asyncio.sleep(0)
    pool.close()
    async with asyncio.timeout(PATIENCE):
        refusals = await asyncio.gather(*work, return_exceptions=True)
    assert [type(refusal) for refusal in refusals] == [TooMany] * 3
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    assert pool.ids == []


async def test_who_has_used_up_the_budget_is_refused_but_not_at_their_table(pool: WorkerPool, charges: Charges) -> None:
    charges.end_work(ANN.address, MOST_WORK * RESERVE + 2 * LEAST_WORK)
    with pytest.raises(TooMany, match="Too much was worked out for your address"):
        await pool.run(ANN, busy, 0.0)
    assert await pool.run(Requester(ANN.address, seated=True), busy, 0.0)
    assert await pool.run(BO, busy, 0.0)


async def test_a_process_is_started_ahead(pool: WorkerPool) -> None:
    pool.prepare()
    (process,) = pool.ids
    assert await pool.run(ANN, busy, 0.0) == process


# ---------------------------------------------------------------------------------------------- records, transcripts


def test_a_match_is_played_again_from_its_transcript() -> None:
    for game in GAMES:
        record = finished(game, 5)
        assert Transcript.of(replay(record)).match().record() == record


def test_too_long_a_record_is_refused_before_it_is_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    record = finished(GAMES[0], 5)
    monkeypatch.setattr(replays, "MOST_EVENTS", len(record["events"]))
    assert len(read_record(msgspec.json.encode(record)).transcript.texts) == len(record["events"])
    monkeypatch.setattr(replays, "MOST_EVENTS", len(record["events"]) - 1)
    record["events"][0] = "no event"
    with pytest.raises(BadRecord, match="too long to be opened here"):
        read_record(msgspec.json.encode(record))


def test_too_long_an_answer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    transcript = read_record(msgspec.json.encode(finished(GAMES[0], 5))).transcript
    names = ["A"] * transcript.setup.players
    assert replays._retell_deal(transcript, names, 1, "all", "en")
    monkeypatch.setattr(replays, "LONGEST_ANSWER", 100)
    for work, about in ((replays._retell_deal, (1, "all", "en")), (replays._score_sheet, ("en",))):
        with pytest.raises(Refusal, match="too long to be shown here"):
            work(transcript, names, *about)


# ----------------------------------------------------------------------------------------------------------- in a house


class OneProcess:
    """The only process of a house, which does nothing until the test lets it."""

    def __init__(self) -> None:
        self.pool: WorkerPool | None = None
        self.may_begin = asyncio.Event()
        self.done: list[str] = []
        """The pieces of work that it has done, in order."""

    async def until_waiting(self, number: int) -> None:
        """Wait until so many pieces of work wait or have begun."""
        async with asyncio.timeout(PATIENCE):
            while self.pool is None or len(self.pool._queue) + 1 < number:
                await asyncio.sleep(0.001)


@pytest.fixture
def one_process(monkeypatch: pytest.MonkeyPatch) -> OneProcess:
    process, begin, do = OneProcess(), WorkerPool.__init__, WorkerPool._do

    def begun(pool: WorkerPool, *about: Any, **more: Any) -> None:
        begin(pool, *about, **more, workers=1)
        process.pool = pool

    async def note(pool: WorkerPool, job: Any, limit: float) -> Any:
        await process.may_begin.wait()
        result = await do(pool, job, limit)
        process.done.append(job.args[1].__name__)
        return result

    monkeypatch.setattr(WorkerPool, "__init__", begun)
    monkeypatch.setattr(WorkerPool, "_do", note)
    return process


async def test_many_uploads_of_one_address_hold_up_nobody_else(one_process: OneProcess, tmp_path: Path) -> None:
    record = finished(GAMES[0], 5)
    async with served(tmp_path) as place, Person(place, "Eve") as eve, Person(place, "Ann") as ann:
        one_process.may_begin.set()
        table = await brought(ann, record)
        one_process.may_begin.clear()
        uploads = [asyncio.create_task(eve.http.post("/api/records", json=record)) for _ in range(24)]
        done, _ = await asyncio.wait(uploads, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        assert done
        await one_process.until_waiting(9)
        replay = asyncio.create_task(ann.http.get(f"/api/tables/{table}/replay"))
        await one_process.until_waiting(10)
        one_process.may_begin.set()
        assert (await replay).status_code == 200
        assert one_process.done.index("_retell_deal") == 3, "after her own upload, that which ran and one more"
        answers = await asyncio.gather(*uploads)
        assert Counter([answer.status_code for answer in answers]) == {201: 9, 429: 15}
        assert {answer.json()["error"] for answer in answers if answer.status_code == 429} == {workers.OF_ONE}


async def test_somebody_at_their_table_goes_before_uploads_from_the_same_address(
    one_process: OneProcess, tmp_path: Path
) -> None:
    record = finished(GAMES[0], 5)
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        await ann.open(ME, COMPUTER)
        await ann.act("concede")
        uploads = [asyncio.create_task(ann.http.post("/api/records", json=record)) for _ in range(5)]
        await one_process.until_waiting(5)
        score = asyncio.create_task(ann.http.get(f"/api/tables/{ann.table}/score"))
        await one_process.until_waiting(6)
        one_process.may_begin.set()
        assert (await score).status_code == 200
        assert one_process.done.index("_score_sheet") == 1
        await asyncio.gather(*uploads)


async def test_a_record_is_loaded_only_when_somebody_looks_at_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        answer = await ann.http.post("/api/records", json=finished(GAMES[0], 5))
        assert (await ann.http.get("/health")).json()["tables"] == 0
        opened = (await ann.http.get(f"/api/tables/{answer.json()['id']}")).json()
        assert (await ann.http.get("/health")).json()["tables"] == 1
        for view in (opened, uploaded := answer.json()):
            del view["now"]
            for seat in view["seats"]:
                assert seat.pop("away_since") > 1e9
        assert opened == uploaded


async def test_loading_is_charged_to_strangers_only_and_done_once_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    charges, loads = Charges(), Counter[str]()
    rebuild = house_tables.Tables._rebuild

    def count(tables: house_tables.Tables, stored: Any) -> Any:
        loads[stored.plan.id] += 1
        return rebuild(tables, stored)

    monkeypatch.setattr(house_tables.Tables, "_rebuild", count)
    monkeypatch.setattr("upcard.server.app.Doorkeeper", lambda limits: charges)
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        await ann.open(ME, COMPUTER)
    async with served(tmp_path) as place, Person(place, "Ann") as again:
        again.http.cookies = ann.http.cookies
        assert (await again.http.get(f"/api/tables/{ann.table}")).status_code == 200
        assert charges.pieces == {}
        assert loads == {ann.table: 1}
    async with served(tmp_path) as place, Person(place, "Eve") as eve, Person(place, "Bo") as bo:
        people = (eve, eve, bo, eve, bo)
        await asyncio.gather(*[person.http.get(f"/api/tables/{ann.table}") for person in people])
        assert loads == {ann.table: 2}
        (payer,) = charges.pieces  # whoever came first
        assert payer in [person.forwarded["X-Forwarded-For"] for person in (eve, bo)]
        assert charges.seconds[payer] > 0
        assert charges.pieces[payer] == 1


@pytest.mark.long
async def test_finished_tables_that_are_looked_at_displace_none_in_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    charges, loads = Charges(), list[str]()
    rebuild = house_tables.Tables._rebuild

    def note(tables: house_tables.Tables, stored: Any) -> Any:
        loads.append(stored.plan.id)
        return rebuild(tables, stored)

    monkeypatch.setattr(house_tables.Tables, "_rebuild", note)
    monkeypatch.setattr(house_tables, "MOST_RECENT", 1)
    monkeypatch.setattr(house_tables, "MOST_FINISHED", 1)
    monkeypatch.setattr("upcard.server.app.Doorkeeper", lambda limits: charges)
    async with served(tmp_path) as place, Person(place, "Ann") as ann, Person(place, "Eve") as eve:
        await ann.open(ME, COMPUTER)
        tables = [await brought(eve, finished(GAMES[0], seed)) for seed in (1, 2)]
        for table in tables * 2:
            assert (await eve.http.get(f"/api/tables/{table}")).status_code == 200
            gc.collect()
        assert (await ann.http.get(f"/api/tables/{ann.table}")).status_code == 200
        assert loads == tables * 2
        charges.end_work(eve.forwarded["X-Forwarded-For"], MOST_WORK * RESERVE + 2.0)
        monkeypatch.delattr(Store, "load")  # who has nothing left does not even make the database read
        assert (await eve.http.get(f"/api/tables/{tables[0]}")).status_code == 429


async def test_with_the_budget_used_up_strangers_are_refused_and_people_at_their_tables_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    charges = Charges()
    monkeypatch.setattr("upcard.server.app.Doorkeeper", lambda limits: charges)
    async with served(tmp_path) as place, Person(place, "Ann") as ann, Person(place, "Bo") as bo:
        record = finished(GAMES[0], 5)
        table = await brought(ann, record)
        await ann.open(ME, COMPUTER)
        await ann.act("concede")
        charges.end_work(ann.forwarded["X-Forwarded-For"], MOST_WORK * RESERVE + 2.0)
        refused = [
            await ann.http.post("/api/records", json=record),
            await ann.http.get(f"/api/tables/{table}/score"),
            await ann.http.get(f"/api/tables/{table}/replay"),
            await ann.http.get(f"/api/tables/{table}/record"),
            await ann.http.post(f"/api/tables/{table}/review"),
        ]
        for answer in refused:
            assert (answer.status_code, "Too much was worked out" in answer.json()["error"]) == (429, True)
        assert (await ann.http.get(f"/api/tables/{ann.table}/score")).status_code == 200
        assert (await ann.http.get(f"/api/tables/{ann.table}/record")).status_code == 200
        assert (await ann.http.get("/api/statistics")).status_code == 200
        assert (await bo.http.get(f"/api/tables/{table}/score")).status_code == 200


async def test_nobody_waits_in_the_turn_of_somebody_else(pool: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Requester] = []
    going = asyncio.Event()

    async def run(pool: WorkerPool, requester: Requester, *about: Any) -> str:
        asked.append(requester)
        await (going.wait() if requester is ANN else asyncio.sleep(0))
        return "done"

    monkeypatch.setattr(WorkerPool, "run", run)
    answers = replays.Replays(pool)
    slow = [asyncio.create_task(answers._once("key", ANN, lambda: ())) for _ in range(2)]
    await asyncio.sleep(0)
    assert await answers._once("key", BO, lambda: ()) == "done"
    assert await answers._once("key", CY, lambda: ()) == "done"
    assert asked == [ANN, BO]
    going.set()
    assert await asyncio.gather(*slow) == ["done"] * 2


async def test_when_the_house_closes_its_processes_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Any] = []
    start = WorkerPool._started

    def note(pool: WorkerPool) -> Any:
        started.append(pool)
        return start(pool)

    monkeypatch.setattr(WorkerPool, "_started", note)
    async with served(tmp_path) as place, Person(place, "Ann") as ann:
        await brought(ann, finished(GAMES[0], 5))
        (pool,) = started
        (process,) = pool.ids
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
