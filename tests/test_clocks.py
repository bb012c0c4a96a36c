"""Clocks: first the time for a move, then the bank, then a computer player moves; no time is lost or miscounted."""

import asyncio
from typing import Any

import msgspec
import pytest
from sitting_down import ADA, ANN, BO, LEVEL_NAMES, Ear, Notebook, ask, casual, plan, say, settle
from waiting import PATIENCE

from upcard.table import clocks, table
from upcard.table.actions import Change, ComeBack, Leave, Sit
from upcard.table.clocks import Clocks, ClockView, Turns
from upcard.table.errors import Taken
from upcard.table.journal import Extended, Happened, Left, Moved, Plan, Returned, Seated, Substituted, Swapped
from upcard.table.messages import Accepted, EventHappened
from upcard.table.seats import Occupant
from upcard.table.settings import Clock, Settings
from upcard.table.table import Table

CLOCK = Clock(per_move=10, bank=60)


class Time:
    """The time of day, which passes when a test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        for module in ("table.time", "clients.time", "summary.time", "journal.time"):
            monkeypatch.setattr(f"upcard.table.{module}.time", lambda: self.now)


@pytest.fixture
def day(monkeypatch: pytest.MonkeyPatch) -> Time:
    return Time(monkeypatch)


def timed(**more: Any) -> Plan:
    return msgspec.structs.replace(plan(target=21), settings=Settings(clock=CLOCK), **more)


async def opened(*places: Occupant, journal: Notebook | None = None) -> Table:
    live = await Table.open(timed(), places, journal or Notebook(), casual, LEVEL_NAMES)
    await settle(live)
    return live


async def play(live: Table) -> int:
    """Whoever is to move plays something; their seat."""
    seat = live.match.to_act[0]
    await say(live, ("ann", "bo")[seat], f"{live.seq}", live.seq, live.match.legal(seat)[0])
    return seat


async def play_as(live: Table, identity: str) -> None:
    """Somebody plays, who is to move."""
    assert isinstance(await say(live, identity, "mine", live.seq, live.match.legal(live.match.to_act[0])[0]), Accepted)


async def late(live: Table) -> None:
    """Look at the clocks now, as the table does by itself when one can stand at zero."""
    await live.replace_the_late()
    await settle(live)


async def test_a_move_takes_from_the_bank_what_goes_beyond_its_own_time(day: Time) -> None:
    live, ear = await opened(ANN, BO), Ear(None)
    live.join(ear.client)
    first = live.match.to_act[0]
    day.now += 9
    await play(live)
    assert live.summary(None).clocks is not None
    second = live.match.to_act[0]
    day.now += 25
    await play(live)
    banks = {first: 60.0, second: 45.0} if first != second else {first: 45.0}
    views = live.summary(None).clocks or []
    assert {seat: views[seat].bank for seat in banks} == banks
    last = ear.messages[-1]
    assert isinstance(last, EventHappened)
    assert last.clocks == views
    assert [seat for seat, view in enumerate(views) if view.since is not None] == live.match.to_act


async def test_at_zero_a_computer_player_moves_until_one_comes_back(day: Time) -> None:
    live = await opened(ANN, BO)
    seat = live.match.to_act[0]
    name = ("ann", "bo")[seat]
    day.now += 69.9
    await late(live)
    assert live.places[seat].substitute is None
    day.now += 0.1
    await late(live)
    assert live.places[seat].substitute == "casual"
    for _ in range(3):
        assert await play(live) != seat  # the computer player moves in between
    assert (live.summary(None).clocks or [])[seat] == ClockView(0.0, None)
    await ask(live, name, ComeBack())
    async with asyncio.timeout(PATIENCE):
        while live.match.to_act[0] != seat:
            await play(live)
    day.now += 9
    await late(live)
    assert live.places[seat].substitute is None  # the time of every move is there again
    day.now += 1
    await late(live)
    assert live.places[seat].substitute == "casual"


async def test_the_flag_falls_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clocks.Clocks, "zero", lambda self, clock, seat: self._turns.due[seat] + 0.05)
    live = await opened(ANN, BO)
    seat = live.match.to_act[0]
    async with asyncio.timeout(PATIENCE):
        while live.places[seat].substitute is None:
            await asyncio.sleep(0.01)


async def test_a_flag_that_cannot_be_written_down_falls_later(monkeypatch: pytest.MonkeyPatch, day: Time) -> None:
    monkeypatch.setattr(table, "PATIENCE", 0.01)
    journal = Notebook()
    live = await opened(ANN, BO, journal=journal)
    seat, journal.failing = live.match.to_act[0], True
    day.now += 71
    await late(live)
    assert live.places[seat].substitute is None
    journal.failing = False
    async with asyncio.timeout(PATIENCE):
        while live.places[seat].substitute is None:
            await asyncio.sleep(0.01)


def loaded(live: Table, journal: Notebook) -> Table:
    """The same table in another program, or after a restart."""
    return Table(live.plan, journal, casual, LEVEL_NAMES, entries=[*journal.entries])


async def test_a_restart_lengthens_no_running_clock(day: Time) -> None:
    journal = Notebook()
    live = await opened(ANN, BO, journal=journal)
    seat = live.match.to_act[0]
    views = live.summary(None).clocks
    for _ in range(3):
        day.now += 20
        live = loaded(live, journal)
        assert live.summary(None).clocks == views
        await late(live)
        assert live.places[seat].substitute is None
    day.now += 9.9
    live = loaded(live, journal)
    day.now += 0.1
    await late(live)
    assert live.places[seat].substitute == "casual"
    assert not any(isinstance(entry, Extended) for entry in journal.entries)


async def test_a_clock_that_ran_out_while_the_house_was_closed_leaves_some_seconds_once(day: Time) -> None:
    journal = Notebook()
    live = await opened(ANN, BO, journal=journal)
    day.now += 25
    await play(live)
    banks = [view.bank for view in live.summary(None).clocks or []]
    day.now += 10_000
    live = loaded(live, journal)
    seat = live.match.to_act[0]
    await late(live)
    assert live.places[seat].substitute is None
    view = (live.summary(None).clocks or [])[seat]
    assert view.since is not None
    assert view.since + CLOCK.per_move + view.bank == pytest.approx(day.now + clocks.GRACE)
    day.now += clocks.GRACE - 1
    live = loaded(live, journal)
    await late(live)
    mover = await play(live)  # in time, and at no cost to the bank
    assert mover == seat
    assert (live.summary(None).clocks or [])[seat].bank == banks[seat]
    day.now += 10_000
    live = loaded(live, journal)
    seat = live.match.to_act[0]
    await late(live)
    day.now += clocks.GRACE
    live = loaded(live, journal)  # again while nobody could play: but once for each move is enough
    await late(live)
    assert live.places[seat].substitute == "casual"
    assert [len(entry.seats) for entry in journal.entries if isinstance(entry, Extended)] == [1, 1]


async def test_of_two_programs_one_writes_that_the_time_is_up(day: Time) -> None:
    journal = Notebook()
    live = await opened(ANN, BO, journal=journal)
    for wait, kind in ((71.0, Substituted), (0.0, None)):
        day.now += wait
        other = live if kind is None else loaded(live, journal)
        other._clients.opened = live._clients.opened
        await asyncio.gather(late(live), late(other))
        await live.catch_up()
        written = [entry for entry in journal.entries if isinstance(entry, (Substituted, Extended))]
        assert [type(entry) for entry in written] == [Substituted]
    journal = Notebook()
    live = await opened(ANN, BO, journal=journal)
    day.now += 1000
    both = [loaded(live, journal) for _ in range(2)]
    await asyncio.gather(*(late(one) for one in both))
    written = [entry for entry in journal.entries if isinstance(entry, (Substituted, Extended))]
    assert [type(entry) for entry in written] == [Extended]


async def test_computer_players_have_no_clock_and_newcomers_a_full_one(day: Time) -> None:
    journal = Notebook()
    kept = [Seated(seat=0, place=ANN), Seated(seat=1, place=BO)]
    journal.entries = [*kept, Substituted(seat=1, level="casual", late=True)]
    live = Table(timed(), journal, casual, LEVEL_NAMES, entries=[*journal.entries])
    assert (live.summary(None).clocks or [])[1].bank == 0
    await live.ask("bo", Leave())
    await live.ask("cy", Sit(name="Cy", invite=live.plan.invite))
    assert (live.summary(None).clocks or [])[1].bank == 60
    alone = await opened(ADA, ANN)
    day.now += 69
    await late(alone)
    assert [view.since is not None for view in alone.summary(None).clocks or []] == [False, True]


async def test_nobody_gains_time_by_leaving_or_by_another_device(day: Time) -> None:
    live = await opened(ANN, BO)
    seat = live.match.to_act[0]
    name = ("ann", "bo")[seat]
    day.now += 30
    before = (live.summary(None).clocks or [])[seat]
    await live.link(name, "link")
    await live.redeem("phone", "link")
    assert (live.summary(None).clocks or [])[seat] == before
    day.now += 20
    await play_as(live, "phone")
    spent = (live.summary(None).clocks or [])[seat].bank
    assert spent == 20
    await live.ask("phone", Leave())
    await live.ask("phone", Sit(name="Back", seat=seat))
    assert (live.summary(None).clocks or [])[seat].bank == spent


def test_whoever_changed_seats_before_the_start_gains_no_time_by_leaving() -> None:
    measured = Clocks(2, Turns(2))
    for entry in (Seated(seat=0, place=ANN), Seated(seat=1, place=BO), Swapped(seats=(0, 1))):
        measured.note(entry, None)
    measured.note(Happened(text="1 As", taken=20), 1)
    measured.note(Left(seat=1), None)
    measured.note(Seated(seat=1, place=ANN), None)
    assert [clock.bank for clock in measured.views(CLOCK, [])] == [60, 40]


def test_whoever_comes_back_has_the_whole_time_of_a_move() -> None:
    turns = Turns(2)
    measured = Clocks(2, turns)
    measured.note(Substituted(seat=0, level="casual", at=1050.0), None)
    measured.note(Returned(seat=0, at=1100.0), None)
    assert measured.zero(CLOCK, 0) == 1100 + CLOCK.per_move + CLOCK.bank


def test_nobody_gains_time_by_a_substitute_of_the_person_before() -> None:
    measured = Clocks(2, Turns(2))
    measured.note(Seated(seat=0, place=ANN, at=1000.0), None)
    measured.note(Substituted(seat=0, level="casual", at=1050.0), None)
    measured.note(Left(seat=0, at=1060.0), None)
    measured.note(Seated(seat=0, place=BO, at=1070.0), None)
    measured.note(Moved(seat=0, identity="phone", at=1100.0), None)
    assert measured.zero(CLOCK, 0) == 1070 + CLOCK.per_move + CLOCK.bank


async def test_a_match_waits_when_nobody_plays_it_any_more(day: Time) -> None:
    alone = await opened(ADA, ANN)
    day.now += 71
    await late(alone)
    await settle(alone)
    assert alone.places[1].substitute and not alone.done
    assert alone.summary("ann").may[:3] == ["come back", "leave", "resign"]
    stands = alone.seq
    alone.wake()
    await settle(alone)
    assert (alone.seq, alone.match.to_act) == (stands, [1])
    await alone.ask("ann", ComeBack())
    await play_as(alone, "ann")
    two = await opened(ANN, BO)
    for _ in range(2):
        day.now += 71
        await late(two)
        await settle(two)
    assert all(place.substitute for place in two.places)
    assert not two.done, "the first to be late was moved for, until the other was late too"


async def test_no_clock_runs_while_the_result_of_a_deal_is_looked_at(day: Time) -> None:
    live = await opened(ANN, BO)
    async with asyncio.timeout(PATIENCE):
        while live.match.state.deals == 1:
            await play(live)
    await settle(live)
    views = live.summary(None).clocks or []
    assert views[live.match.to_act[0]].since == day.now + clocks.BETWEEN_DEALS
    day.now += clocks.BETWEEN_DEALS + 9
    bank = views[live.match.to_act[0]].bank
    seat = await play(live)
    assert (live.summary(None).clocks or [])[seat].bank == bank


async def test_the_clocks_are_fixed_when_play_begins() -> None:
    live = await Table.open(timed(), [ANN, Occupant()], Notebook(), casual, LEVEL_NAMES)
    await ask(live, "ann", Change(settings=Settings(clock=Clock(5, 0))))
    await ask(live, "bo", Sit(name="Bo"))
    with pytest.raises(Taken):
        await ask(live, "ann", Change(settings=Settings()))
    await ask(live, "ann", Change(settings=Settings(clock=Clock(5, 0), watchers=False)))


async def test_a_table_without_clocks_has_none() -> None:
    live = await Table.open(plan(), [ANN, BO], Notebook(), casual, LEVEL_NAMES)
    await settle(live)
    assert live.summary("ann").clocks is None
    assert not live._clock_alarm.is_set
