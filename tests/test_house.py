"""A house below its doors: what it needs, what comes out of a match in it, and what every store of it must do."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from browser_database import MemoryDatabase
from house_window import play

from upcard import games
from upcard.browser.store import BrowserStore
from upcard.engine.records import replay
from upcard.engine.setup import Setup
from upcard.house.bodies import ComputerSeat, Me, NewTable, Statistic
from upcard.house.house import House
from upcard.house.opening import wished_places
from upcard.house.services import Visitor
from upcard.house.statistics import statistics
from upcard.house.stores import MemoryStore, StoredTable
from upcard.house.tables import Tables
from upcard.rules import checks
from upcard.rules import game as game_module
from upcard.table.errors import Refusal
from upcard.table.journal import AnyEntry, Happened, Plan, Seated, TookBack
from upcard.table.seats import Occupant
from upcard.table.stores import told_reason
from upcard.terminal.local_store import LocalStore
from upcard.terminal.session import Session

ALONE = Path(__file__).with_name("house_alone.py")
ODD_TABLES = Path(__file__).with_name("odd_tables.py")
SHORT: dict[str, dict[str, Any]] = {
    "odd-cinch": {},
    "odd-loo": {"rounds": 1},
    "odd-rounds": {"target": 100},
    "odd-sixty-six": {},
}
"""Some of the tables with odd numbers, and options that make a match shorter."""
IN_PLAY = "The match is still in play: it can be watched again when it is over"


def run_apart(*words: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, env=environment, timeout=300, check=False
    )


@pytest.fixture(scope="module")
def alone() -> dict[str, Any]:
    """What came out of a match in a house that has neither sockets nor a database nor processes."""
    ended = run_apart(str(ALONE))
    assert ended.returncode == 0, ended.stderr
    answers: dict[str, Any] = json.loads(ended.stdout)
    return answers


def test_a_match_is_played_to_its_end(alone: dict[str, Any]) -> None:
    assert alone["opened"]["you"] == 0
    assert alone["opened"]["practice"]
    assert alone["scene"]["done"]
    assert alone["heard"] == ["accepted", "alive", "event", "table", "welcome"]


def test_before_that_nobody_learns_its_cards(alone: dict[str, Any]) -> None:
    record, shown, review, nowhere = alone["early"]
    assert record == shown == [409, {"error": IN_PLAY, "clause": None}]
    assert review[0] == 403
    assert nowhere[0] == 404


def test_its_score_and_its_replays_agree_with_its_record(alone: dict[str, Any]) -> None:
    match, score = replay(alone["record"]), alone["score"]
    assert match.done
    assert alone["name"] == f"sixty-six-{alone['opened']['id']}.json"
    assert score["names"] == ["Ann", "Ada"]
    assert score["winners"] == match.winners == alone["scene"]["winners"]
    assert score["deals"][-1]["scores"] == match.scores
    assert [shown["deal"] for shown in alone["replays"]] == [*range(1, match.state.deals + 1)]
    steps = [step["events"] for shown in alone["replays"] for step in shown["steps"]]
    assert steps == [*range(1, len(match.events) + 1)]
    assert all(len(seat["open"]) == 6 for seat in _after_first_step(alone["replays"][0])["seats"])


def _after_first_step(shown: dict[str, Any]) -> dict[str, Any]:
    """The changes by the deal of a replay, all cards open."""
    changes: dict[str, Any] = shown["steps"][0]["changes"]
    return changes


def test_it_counts_for_the_person_who_played_it_only(alone: dict[str, Any]) -> None:
    won = int(alone["score"]["winners"] == [0])
    line = {"game": "sixty-six", "title": "Sixty-Six", "against": "casual", "matches": 1, "won": won}
    assert alone["statistics"] == [[line], []]


def test_it_is_followed_by_a_rematch_a_fork_and_an_opened_record(alone: dict[str, Any]) -> None:
    opened, rematch, fork, brought = (alone[name] for name in ("opened", "rematch", "fork", "brought"))
    assert [seat["name"] for seat in rematch["seats"]] == ["Ada", "Ann"]
    assert rematch["you"] == fork["you"] == 1
    assert not fork["done"]
    assert brought["done"]
    assert brought["you"] is None
    assert {*alone["mine"][0]} == {opened["id"], rematch["id"], fork["id"]}
    assert alone["mine"][1] == []


# ------------------------------------------------------------------------------------------------------------- stores

ANN, ADA = Occupant("person", "Ann", None, "ann"), Occupant("computer", "Ada", "casual")


def journal(*entries: AnyEntry) -> StoredTable:
    """A finished table of Ann's with these entries."""
    seated = [Seated(seat=seat, place=place) for seat, place in enumerate((ANN, ADA, ADA))]
    return StoredTable(Plan("abc", "oh-hell", 3, 0, {}, "ann"), True, [*seated, *entries])


@pytest.mark.parametrize("events", [["2 As"], ["deal As Ks Qs", "0 bid 1", "1 As", "2 As"]])
@pytest.mark.parametrize("winner", [0, 2])
def test_whole_journals_and_their_last_events_give_the_same_statistics(events: Sequence[str], winner: int) -> None:
    *others, last = events
    table = journal(*[Happened(text=text) for text in others], Happened(text=last, winners=[winner]))
    assert statistics([table], "ann") == [Statistic("oh-hell", "Oh Hell", "casual", 1, int(winner == 0))]


def test_a_last_event_that_was_taken_back_decides_nothing() -> None:
    people = journal(Happened(text="2 As", winners=[0]), TookBack(seat=0, events=0))
    people.entries[1] = Seated(seat=1, place=Occupant("person", "Bo", None, "bo"))
    assert statistics([people], "ann") == []


@pytest.mark.parametrize(
    "store",
    [MemoryStore(), LocalStore(None), BrowserStore(MemoryDatabase())],
    ids=["memory", "terminal", "browser"],
)
async def test_a_store_finds_the_tables_of_each_person(store: MemoryStore | LocalStore | BrowserStore) -> None:
    """As `tests/server/test_server_storage.py` has it for databases."""
    bo = Occupant("person", "Bo", None, "bo")
    for number, (game, place) in enumerate([("oh-hell", ANN), ("loo", ANN), ("oh-hell", bo)]):
        plan = Plan(f"t{number}", game, 3, 0, {}, "ann", created=float(number))
        await store.begin(plan, [Seated(seat=0, place=place)], done=number == 1)
    assert [stored.plan.id for stored in await store.of("ann", ["oh-hell", "loo"])] == ["t1", "t0"]
    assert [stored.plan.id for stored in await store.of("ann", ["oh-hell", "loo"], 1.0)] == ["t0"]
    assert [stored.plan.id for stored in await store.of("ann", ["loo"])] == ["t1"]
    assert [stored.plan.id for stored in await store.finished("ann")] == ["t1"]
    assert await store.finished("bo") == []
    loaded = await store.load("t2")
    assert loaded is not None
    assert loaded.entries == await store.since("t2", 0)
    assert await store.load("t3") is None


def test_a_house_and_the_terminal_begin_matches_alike() -> None:
    """Also with somebody who is called like a computer player."""
    wish = NewTable("oh-hell", 3, {}, "Ada", [ComputerSeat("casual"), Me(), ComputerSeat("casual")])

    session = Session.new(LocalStore(None), Setup(games.load("oh-hell"), 3, {}), name="Ada", seat=1)
    for places in (wished_places(wish, "ann"), session.places):
        assert [place.name for place in places] == ["Basil", "Ada", "Cleo"]


@pytest.mark.long
@pytest.mark.parametrize("slug", SHORT)
async def test_a_match_with_odd_numbers_is_played_whole(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the page shows, the score sheet and the record agree at the end."""
    monkeypatch.setenv("UPCARD_GAMES", str(ODD_TABLES))
    ann, house, game = Visitor("ann"), House(Tables(MemoryStore())), games.load(slug)
    players = game.default_players
    wish = NewTable(slug, players, SHORT[slug], "Ann", [Me(), *[ComputerSeat("casual")] * (players - 1)])
    opened = await house.open(ann, wish)
    window = await play(house, ann, opened.id)
    _, record = await house.record(ann, opened.id)
    report = replay(json.loads(record)).report()
    assert window.scene.winners == report["winners"]
    assert [seat.score for seat in window.scene.seats] == report["scores"]
    score = json.loads(await house.score(ann, opened.id))
    assert (len(score["deals"]), window.scene.deal) == (report["deal"], report["deal"])
    assert "{" not in " ".join([window.scene.headline, window.scene.prompt, *window.scene.result])


async def test_a_table_with_broken_numbers_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game from outside whose numbers no constraint excludes is tried by the laws before people sit down."""
    (tmp_path / "dear.py").write_text(
        "from upcard.games.loo import Loo\nclass Dear(Loo):\n    title = 'Dear'\n    stake = 7\n"
    )
    monkeypatch.setenv("UPCARD_GAMES", str(tmp_path / "dear.py"))
    monkeypatch.setattr(game_module, "broken_constraint", lambda table: None)
    monkeypatch.setattr(checks, "broken_constraint", lambda table: None)
    tables = Tables(MemoryStore())
    wish = NewTable(game="dear", players=5, options={}, seats=[Me(), *[ComputerSeat("casual")] * 4], name="Ann")
    with pytest.raises(Refusal, match=r"^stake=7 breaks the law totals-are-conserved: "):
        await tables.open(wish, "ann")


def test_what_a_store_needs_does_not_need_sqlite() -> None:
    code = "import sys; sys.modules['sqlite3'] = None; import upcard.table.stores, upcard.table.requests"
    assert run_apart("-c", code).returncode == 0


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (sqlite3.OperationalError("disk I/O error"), "disk I/O error"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (RuntimeError("cannot reach 10.0.0.1"), ""),
    ],
)
def test_a_reason_is_shown_if_it_is_that_of_a_file(error: Exception, shown: str) -> None:
    assert told_reason(error) == shown
