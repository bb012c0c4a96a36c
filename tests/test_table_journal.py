"""The live table and its journal: nothing is told before it is written, and a table made again from it is the same."""

import asyncio
import gc
import warnings
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from pausing import without_pauses
from playing import GAMES
from sitting_down import ADA, ANN, BO, LEVEL_NAMES, Ear, Notebook, again, casual, opened, plan, say, settle
from waiting import PATIENCE

from upcard import Match, shuffler
from upcard.players import choose
from upcard.rules.game import Game
from upcard.table.journal import AnyEntry, Happened, Plan, Seated, TookBack
from upcard.table.messages import (
    Accepted,
    AnyMessage,
    EventHappened,
    Notice,
    Refused,
)
from upcard.table.presence import Client
from upcard.table.scene import SceneView
from upcard.table.seats import Occupant
from upcard.table.state import TableState
from upcard.table.table import Table


async def test_nothing_is_told_before_it_is_written() -> None:
    journal = Notebook()
    table, ear = await opened(ANN, BO, journal=journal), Ear("ann")
    table.join(ear.client)
    journal.open.clear()
    before, heard, seq = table.match, len(ear.messages), table.seq
    move = table.match.legal(1)[0]
    answers: list[AnyMessage] = []
    moving = asyncio.create_task(table.move("bo", "m", seq, move, answers.append))
    for _ in range(10):
        await asyncio.sleep(0)
    assert table.match is before
    assert answers == []
    assert len(ear.messages) == heard
    assert table.welcome("bo").seq == seq
    journal.open.set()
    await moving
    assert journal.events[-1] == f"1 {move}"
    assert isinstance(answers[0], Accepted)
    assert ear.events()[-1].seq == seq + 1


async def test_the_mover_hears_accepted_before_the_event() -> None:
    table, ear = await opened(ANN, BO), Ear("bo")
    table.join(ear.client)
    await table.move("bo", "m", table.seq, table.match.legal(1)[0], ear.messages.append)
    assert ear.kinds() == ["welcome", "accepted", "event"]


async def test_those_who_look_on_from_one_seat_are_told_the_same_message() -> None:
    table = await opened(ANN, BO)
    ears = [Ear("bo"), Ear("bo"), Ear(None), Ear("eve"), Ear(None)]
    for ear in ears:
        table.join(ear.client)
    await say(table, "bo", "m", table.seq, table.match.legal(1)[0])
    events = [ear.events()[-1] for ear in ears]
    assert events[0] is events[1]
    assert events[2] is events[3] is events[4]
    assert events[0] is not events[2]
    assert events[0].encoded() is events[1].encoded()


async def test_a_journal_that_fails_leaves_the_table_as_it_was() -> None:
    journal = Notebook()
    table, ear = await opened(ANN, BO, journal=journal), Ear("ann")
    table.join(ear.client)
    heard, scene, seq = len(ear.messages), table.scene(1), table.seq
    journal.failing = True
    move = table.match.legal(1)[0]
    answer = await say(table, "bo", "m", seq, move)
    assert isinstance(answer, Refused)
    assert "disk is full" in answer.text
    assert (table.scene(1), table.seq) == (scene, seq)
    assert len(ear.messages) == heard
    journal.failing = False
    assert isinstance(await say(table, "bo", "m", seq, move), Accepted)


async def test_computer_players_go_on_when_the_journal_works_again(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    journal = Notebook()

    def pause(seconds: float) -> None:
        waited.append(seconds)
        journal.failing = len(waited) < 9

    journal.entries = [Seated(seat=0, place=ADA), Seated(seat=1, place=ADA)]
    table = Table(plan(target=1), journal, casual, LEVEL_NAMES, entries=journal.entries, chance=Random(1))
    journal.failing = True
    with monkeypatch.context() as patch:
        without_pauses(patch, pause)
        table.wake()
        assert table._driving is not None
        await table._driving
    assert table.match.done
    assert waited == [0.5, 1, 2, 4, 8, 16, 30, 30, 30]


async def test_quick_answers_are_in_the_journal_with_the_move_and_all_or_none_of_them() -> None:
    writes: list[list[str]] = []

    class Pages(Notebook):
        async def append(self, table: str, first: int, entries: Sequence[AnyEntry], *, done: bool) -> None:
            await super().append(table, first, entries, done=done)
            writes.append([entry.text for entry in entries if isinstance(entry, Happened)])

    journal, heard = Pages(), list[AnyMessage]()
    table = await Table.open(plan(), [ANN, ADA], journal, choose, LEVEL_NAMES, Random(1))
    await settle(table)
    async with asyncio.timeout(PATIENCE):
        while not table._autoplay._quick:  # it learns who answers at once
            await say(table, "ann", f"first{table.seq}", table.seq, table.match.legal(0)[0])
    table.join(Client("ann", heard.append))
    move = next(move for move in table.match.legal(0) if passes_on(table, move))
    seq, scene = table.seq, table.scene(0)
    heard.clear()
    journal.failing = True
    assert isinstance(await say(table, "ann", "m", seq, move), Refused)
    assert (table.seq, table.scene(0), heard) == (seq, scene, [])
    journal.failing = False
    writes.clear()
    await table.move("ann", "m", seq, move, heard.append)
    assert [text.split()[0] for text in writes[0]][:2] == ["0", "1"]
    accepted, *events = heard
    assert accepted == Accepted("m", seq + 1)
    assert [event.seq for event in events if isinstance(event, EventHappened)] == [
        seq + 1 + number for number in range(len(writes[0]))
    ]


async def test_a_computer_player_that_fails_ahead_does_not_hinder_the_move_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = await Table.open(plan(), [ANN, ADA], Notebook(), choose, LEVEL_NAMES, Random(1))
    await settle(table)
    table._autoplay._quick.add("casual")

    def fail(*_: object) -> str:
        raise ValueError("no idea")

    move = next(move for move in table.match.legal(0) if passes_on(table, move))
    answers: list[AnyMessage] = []
    with monkeypatch.context() as patch:
        patch.setattr(table._autoplay._computers, "answer", fail)
        await table.move("ann", "m", table.seq, move, answers.append)
    assert isinstance(answers[0], Accepted)


async def test_a_move_is_finished_though_its_maker_is_gone() -> None:
    journal = Notebook()
    table = await opened(ANN, BO, journal=journal)
    journal.open.clear()
    seq = table.seq
    moving = asyncio.create_task(table.move("bo", "m", seq, table.match.legal(1)[0], lambda message: None))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    moving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await moving
    journal.open.set()
    assert await say(table, "bo", "m", seq, "whatever") == Accepted("m", seq + 1)
    assert table.seq == len(journal.entries) == seq + 1


async def test_a_computer_player_that_waits_for_the_table_is_ended_without_a_warning() -> None:
    journal = Notebook()
    await opened(ANN, ADA, journal=journal)
    table = Table(plan(), Notebook(), casual, LEVEL_NAMES, entries=journal.entries[:-1], chance=Random(1))
    assert table.match.to_act == [1]
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        async with table._writer._lock:
            table.wake()
            assert table._driving is not None
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            table._driving.cancel()
            await asyncio.wait([table._driving])
            table._driving = None
        gc.collect()
    assert [str(one.message) for one in seen] == []


def passes_on(table: Table, move: str) -> bool:
    """Whether seat 0 has nothing more to do after this move."""
    after = table.match.fork()
    after.play(0, move)
    return after.to_act != [0]


async def test_people_are_told_when_a_computer_player_waits_for_the_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    journal, ear = Notebook(), Ear("ann")

    def pause(seconds: float) -> None:
        journal.failing = False

    table = await opened(ANN, ADA, journal=journal)
    table.join(ear.client)
    with monkeypatch.context() as patch:
        without_pauses(patch, pause)

        def fail(answer: AnyMessage) -> None:
            journal.failing = True

        move = next(move for move in table.match.legal(0) if passes_on(table, move))
        await table.move("ann", "m", table.seq, move, fail)
        assert table._driving is not None
        await table._driving
    notices = [message for message in ear.messages if isinstance(message, Notice)]
    assert [notice.kind for notice in notices] == ["trouble", "well"]
    assert "disk is full" in notices[0].text


async def test_two_programs_over_one_journal_never_part(monkeypatch: pytest.MonkeyPatch) -> None:
    journal, rng = Notebook(), Random(3)
    one = await opened(ANN, BO, journal=journal)
    two = Table(one.plan, journal, casual, LEVEL_NAMES, entries=journal.entries, chance=Random(1))
    ears = [Ear("ann"), Ear("ann")]
    one.join(ears[0].client)
    two.join(ears[1].client)
    for number in range(40):
        table = rng.choice([one, two])
        await table.catch_up()
        seat = table.match.to_act[0]
        move = rng.choice([move for move in table.match.legal(seat) if move != "declare"])
        assert isinstance(await say(table, ("ann", "bo")[seat], str(number), table.seq, move), Accepted)
    for table in (one, two):
        await settle(table)
        await table.catch_up()
    same_table(one, two, ["ann", "bo", None])
    assert ears[0].scene == ears[1].scene == one.scene(0)


async def test_who_was_overtaken_looks_again_and_a_move_is_never_played_twice() -> None:
    journal = Notebook()
    one = await opened(ANN, BO, journal=journal)
    two = Table(one.plan, journal, casual, LEVEL_NAMES, entries=journal.entries, chance=Random(1))
    seq, (first, second, *_) = one.seq, one.match.legal(1)
    assert await say(one, "bo", "m", seq, first) == Accepted("m", seq + 1)
    assert await say(two, "bo", "m", seq, first) == Accepted("m", seq + 1)  # sent again, by way of the other program
    assert len(journal.entries) == seq + 1
    third = Table(one.plan, journal, casual, LEVEL_NAMES, entries=journal.entries[:seq], chance=Random(1))
    late = await say(third, "bo", "n", seq, second)
    assert isinstance(late, Refused)
    assert "already made your move" in late.text
    assert third.seq == seq + 1


async def test_bids_made_at_once_through_two_programs_are_all_taken() -> None:
    journal, cy = Notebook(), Occupant("person", "Cy", None, "cy")
    one = await opened(ANN, BO, cy, journal=journal, game="oh-hell", players=3)
    two = Table(one.plan, journal, casual, LEVEL_NAMES, entries=journal.entries, chance=Random(1))
    seq = one.seq
    moves = [(one, "ann"), (two, "bo"), (one, "cy")]
    answers = await asyncio.gather(*[say(table, name, name, seq, "bid 1") for table, name in moves])
    assert all(isinstance(answer, Accepted) for answer in answers)
    assert sorted(journal.events[1:4]) == ["0 bid 1", "1 bid 1", "2 bid 1"]


def same_table(one: Table, two: Table, identities: Sequence[str | None]) -> None:
    """Both stand at the same place for everybody."""
    assert (one.match, one.seq, one.places) == (two.match, two.seq, two.places)
    for identity in identities:
        ours, theirs = one.welcome(identity), two.welcome(identity)
        ours.table.now = theirs.table.now = 0
        for seat in ours.table.seats + theirs.table.seats:
            seat.away_since = seat.substitute_at = None
        assert ours == theirs
    assert vars(one._turns) == vars(two._turns)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
async def test_a_table_made_again_from_its_journal_is_the_same_for_everybody(game: type[Game[Any]]) -> None:
    journal, rng = Notebook(), Random(4)
    people = [Occupant("person", f"P{seat}", None, f"id{seat}") for seat in range(game.default_players)]
    start = Plan("abc", game.slug, game.default_players, 0, {}, "id0")
    table = await Table.open(start, people, journal, casual, LEVEL_NAMES, Random(4))
    await settle(table)
    answers = {}
    for number in range(60):
        if table.match.done:
            break
        seat = rng.choice(table.match.to_act)
        move = rng.choice(table.match.legal(seat))
        answers[seat, str(number)] = await say(table, f"id{seat}", str(number), table.seq, move)
    for cut in (0, len(people) + 1, len(journal.entries) // 2):
        assert again(journal.entries[:cut], start).match.events == table.match.events[: max(0, cut - len(people))]
    twin = again(journal.entries, start)
    same_table(twin, table, [None, *(f"id{seat}" for seat in range(game.default_players))])
    for (seat, move_id), answer in answers.items():
        assert await say(twin, f"id{seat}", move_id, 0, "anything") == answer


async def test_a_table_made_again_deals_and_moves_where_it_stopped() -> None:
    journal = Notebook()
    table = await opened(ANN, ADA, journal=journal, dealer=0)
    assert table.match.to_act == [0]
    for cut in range(2, len(journal.entries) + 1):
        twin = again(journal.entries[:cut])
        twin.wake()
        await settle(twin)
        assert twin.match.to_act == [0]


def test_the_same_cards_come_again_however_often_moves_are_taken_back() -> None:
    match = Match("sixty-six", chance=shuffler(3))
    while match.state.deals < 2:
        seat = match.to_act[0]
        match.play(seat, next(text for text in match.legal(seat) if len(text) == 2))
    events = [event.text for event in match.events]
    deal = len(events) - 1
    standing = TableState(Plan("abc", "sixty-six", 2, match.first_dealer, {}, "ann"))
    for text in events:
        standing.follow(Happened(text=text))
    for back_to in (deal - 1, deal - 3, deal - 4):
        standing.follow(TookBack(seat=0, events=back_to))
        for text in events[back_to : deal - 2]:
            standing.follow(Happened(text=text))
    for text in events[deal - 2 : deal]:
        standing.follow(Happened(text=text))
    assert standing.luck() == events[deal]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
async def test_events_that_were_taken_back_leave_no_trace_but_a_number(game: type[Game[Any]]) -> None:
    journal, rng = Notebook(), Random(7)
    people = [Occupant("person", f"P{seat}", None, f"id{seat}") for seat in range(game.default_players)]
    start = Plan("abc", game.slug, game.default_players, 0, {}, "id0")
    table = await Table.open(start, people, journal, casual, LEVEL_NAMES, Random(4))
    await settle(table)
    scenes: list[SceneView] = []
    for number in range(20):
        scenes.append(table.scene(0))
        seat = rng.choice(table.match.to_act)
        await say(table, f"id{seat}", str(number), table.seq, rng.choice(table.match.legal(seat)))
    events = [event.text for event in table.match.events]
    taken = TookBack(seat=0, events=8)
    twin = again([*journal.entries, taken], start)
    assert [event.text for event in twin.match.events] == events[:8]
    assert twin.scene(0) == again(journal.entries[: len(people) + 8], start).scene(0)
    *lines, remark = twin.welcome(None).log
    assert lines[-1].seq <= len(people) + 8
    assert (remark.seq, remark.text) == (twin.seq, "P0 goes back to an earlier moment")
    assert twin.seq == len(journal.entries) + 1
    assert twin._turns.moved == [twin.seq] * len(people)
