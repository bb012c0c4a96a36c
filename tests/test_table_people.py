"""People who come and go: a player who never returns does not stop a table, and agreements are in the journal."""

import asyncio
import time
import weakref
from random import Random
from typing import Any

import pytest
from msgspec import UNSET, structs
from sitting_down import ADA, ANN, BO, LEVEL_NAMES, Ear, Notebook, again, casual, opened, plan, say, settle
from waiting import PATIENCE, until

from upcard.engine.views import View
from upcard.table import presence
from upcard.table.actions import (
    Abandon,
    Answer,
    Change,
    ComeBack,
    Concede,
    Leave,
    Nudge,
    Remove,
    Resign,
    Sit,
    Substitute,
    Swap,
    TakeBack,
)
from upcard.table.clocks import GRACE
from upcard.table.errors import Forbidden, Refusal, Taken, TooMany
from upcard.table.journal import Ended, Seated
from upcard.table.messages import EventHappened, NudgeHeard, PeopleChanged, Refused, TableChanged, Thinking, Welcome
from upcard.table.offers import Offers
from upcard.table.own_scene import describe_to
from upcard.table.presence import Client
from upcard.table.seats import Occupant
from upcard.table.settings import Settings
from upcard.table.table import Table

CY = Occupant("person", "Cy", None, "cy")
NAMES = {0: "ann", 1: "bo", 2: "cy"}


async def play(table: Table, moves: int) -> None:
    """This many moves of people, each the first legal one."""
    for _ in range(moves):
        seat = table.match.to_act[0]
        await say(table, NAMES[seat], f"{seat} {table.seq}", table.seq, table.match.legal(seat)[0])


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let this many seconds pass for tables."""
    now = time.time() + seconds
    monkeypatch.setattr("time.time", lambda: now)


def same_again(table: Table, journal: Notebook) -> None:
    """A table made again from the journal stands where this one stands."""
    twin = again(journal.entries, table.plan)
    assert (twin.places, twin.done, twin.seq) == (table.places, table.done, table.seq)
    assert twin.match.events == table.match.events


async def test_nothing_is_remembered_for_those_who_looked_once_nobody_does() -> None:
    table, ann, bo = await opened(ANN, ADA), Ear("ann"), Ear("ann")
    for ear in (ann, bo):
        table.join(ear.client)
    seen = weakref.ref(table.view(0))
    table.leave(bo.client)
    assert seen() is table.view(0)
    table.leave(ann.client)
    assert seen() is None
    table.join(ann.client)
    assert ann.scene == describe_to(table.match.view(0), table.match.last_trick, [*table.names])


async def test_a_computer_player_moves_for_who_is_away_until_they_are_back(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Notebook()
    table = await opened(ANN, BO, journal=journal)
    ann, bo = Ear("ann"), Ear("bo")
    table.join(ann.client)
    table.join(bo.client)
    async with asyncio.timeout(PATIENCE):
        while table.match.to_act != [1]:
            await play(table, 1)
    table.leave(bo.client)
    with pytest.raises(Refusal, match=r"Bo still has (5\d|60) seconds"):
        await table.ask("ann", Substitute(1))
    with pytest.raises(Taken, match="Nobody is waiting"):
        await table.ask("ann", Substitute(0))
    later(monkeypatch, 61)
    assert table.summary("ann").seats[1].substitute_at < time.time()  # type: ignore[operator]
    with pytest.raises(Forbidden):
        await table.ask("cy", Substitute(1))
    await table.ask("ann", Substitute(1))
    await settle(table)
    assert table.match.to_act == [0]
    assert table.places[1] == Occupant("person", "Bo", None, "bo", "casual")
    assert (await say(table, "bo", "x", table.seq, "As")).text.startswith("A computer player is playing for you")
    table.join(bo.client)
    assert table._returning is not None
    await table._returning
    assert table.places[1] == BO
    lines = [line.text for message in ann.messages if isinstance(message, TableChanged) for line in message.log]
    assert lines == ["A computer player moves for Bo", "Bo is back"]
    same_again(table, journal)


async def test_a_restart_leaves_who_is_away_no_more_than_a_little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    start = 1_800_000_000.0
    monkeypatch.setattr("time.time", lambda: start)
    journal = Notebook()
    table = await opened(ANN, BO, journal=journal)
    bo = Ear("bo")
    table.join(Ear("ann").client)
    table.join(bo.client)
    async with asyncio.timeout(PATIENCE):
        while table.match.to_act != [1]:
            await play(table, 1)
    table.leave(bo.client)
    due = table.summary("ann").seats[1].substitute_at
    assert due == start + 60
    for passed, expected in ((30, due), (55, start + 55 + GRACE), (170, start + 180), (300, start + 180)):
        monkeypatch.setattr("time.time", lambda passed=passed: start + passed)
        assert again(journal.entries, table.plan).summary("ann").seats[1].substitute_at == expected


async def test_with_every_move_and_arrival_it_is_told_when_a_computer_player_may_step_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start = 1_800_000_000.0
    monkeypatch.setattr("time.time", lambda: start)
    table = await opened(ANN, BO)
    ann, bo = Ear("ann"), Ear("bo")
    table.join(ann.client)
    table.join(bo.client)

    def told() -> list[float | None]:
        """As the last message tells it, after which it does not change by itself."""
        last = ann.messages[-1]
        assert isinstance(last, (EventHappened, PeopleChanged))
        assert last.substitute_at == [seat.substitute_at for seat in table.summary("ann").seats]
        return last.substitute_at

    async with asyncio.timeout(PATIENCE):
        while table.match.to_act != [1]:
            await play(table, 1)
    monkeypatch.setattr("time.time", lambda: start + 20)
    await play(table, 1)
    async with asyncio.timeout(PATIENCE):
        while table.match.to_act != [1]:
            assert told() == [start + 20 + 180, None]
            await play(table, 1)
    assert told() == [None, start + 20 + 180], "who is here is waited for three times as long"
    monkeypatch.setattr("time.time", lambda: start + 30)
    table.leave(bo.client)
    assert told() == [None, start + 30 + 60]
    table.join(Ear("bo").client)
    assert told() == [None, start + 20 + 180]


async def test_nobody_else_could_let_a_computer_player_step_in_for_who_is_alone() -> None:
    table = await opened(ANN, ADA)
    ann = Ear("ann")
    table.join(ann.client)
    await play(table, 1)
    assert [seat.substitute_at for seat in table.summary("ann").seats] == [None, None]
    assert all(message.substitute_at is UNSET for message in ann.events())


async def test_who_looks_on_through_another_program_is_here() -> None:
    table = await opened(ANN, BO)
    ann, bo = Ear("ann"), Ear("bo")
    table.join(ann.client)
    table.look_elsewhere({"bo", "cy"})
    assert [seat.here for seat in table.summary("ann").seats] == [True, True]
    assert table.summary("ann").watching == 1
    told = [message.here for message in ann.messages if isinstance(message, PeopleChanged)]
    assert told == [[True, True]]
    table.join(bo.client)  # a second window, here
    table.look_elsewhere({"cy"})
    table.look_elsewhere({"bo", "cy"})
    table.leave(bo.client)
    assert [message.here for message in ann.messages if isinstance(message, PeopleChanged)] == told
    table.look_elsewhere(set())
    seat = table.summary("ann").seats[1]
    assert not seat.here
    assert seat.away_since is not None
    table.hear_aside(Thinking(1, "thinking"), None)
    assert table.summary("ann").seats[1].thinking == "thinking"
    table.hear_aside(Thinking(1, "done"), None)
    assert table.summary("ann").seats[1].thinking == ""


async def test_who_leaves_is_followed_by_a_computer_player_and_then_by_whoever_sits_down() -> None:
    journal = Notebook()
    table = await opened(ANN, BO, journal=journal)
    await table.ask("bo", Leave())
    await settle(table)
    assert table.places[1].who == "open"
    assert table.places[1].played_by == "casual"
    assert table.match.to_act == [0]
    assert "sit" in table.summary("cy").may
    await table.ask("cy", Sit("Cy"))
    assert table.places[1] == CY
    assert not table.done
    same_again(table, journal)


async def test_nobody_sees_the_cards_of_two_seats_in_one_deal() -> None:
    table = await opened(ANN, BO, CY, game="oh-hell", players=3)
    await table.link("ann", "ann's")
    await table.redeem("ann's phone", "ann's")
    for name in ("bo", "cy"):
        await table.ask(name, Leave())
    for identity in ("ann", "bo"):
        with pytest.raises(Forbidden, match="cards of another seat"):
            await table.ask(identity, Sit("Bo", seat=2))
    await table.ask("cy", Sit("Cy"))
    assert table.places[2] == CY
    deal = table.match.state.deals
    async with asyncio.timeout(PATIENCE):
        while table.match.state.deals == deal:
            seat = table.match.to_act[0]
            await say(table, table.places[seat].identity, f"{table.seq}", table.seq, table.match.legal(seat)[0])
    await table.ask("ann", Sit("Ann again"))


async def test_who_resigns_is_replaced_to_the_end_and_the_last_person_ends_the_match() -> None:
    journal = Notebook()
    table = await opened(ANN, BO, journal=journal)
    await table.ask("ann", Resign())
    assert table.places[0].who == "computer"
    assert table.summary("bo").host
    watcher = Ear("cy")
    table.join(watcher.client)
    await table.ask("bo", Leave())
    await settle(table)
    assert (table.done, journal.done) == (True, True)
    lines = [line.text for message in watcher.messages if isinstance(message, TableChanged) for line in message.log]
    assert len(lines) == 2 and lines[0].startswith("Bo leaves")
    assert lines[1] == "The match ends here, without a winner"
    assert table.summary("bo").ended == "abandoned"
    same_again(table, journal)


async def test_the_host_removes_somebody_for_good_and_nobody_else_does() -> None:
    table = await opened(ANN, BO)
    with pytest.raises(Forbidden):
        await table.ask("bo", Remove(0))
    with pytest.raises(Refusal, match="yourself"):
        await table.ask("ann", Remove(0))
    await table.ask("ann", Remove(1, block=True))
    with pytest.raises(Forbidden, match="asked to leave"):
        await table.ask("bo", Sit("Bo"))
    assert "sit" not in table.summary("bo").may
    await table.ask("cy", Sit("Cy"))


async def test_seats_change_places_before_the_start_only() -> None:
    table = await opened(ANN, BO, Occupant(), game="oh-hell", players=3)
    with pytest.raises(Forbidden):
        await table.ask("bo", Swap((0, 1)))
    await table.ask("ann", Swap((0, 2)))
    assert table.places == [Occupant(), BO, ANN]
    await table.ask("cy", Sit("Cy"))
    with pytest.raises(Taken, match="begun"):
        await table.ask("ann", Swap((0, 2)))


async def test_a_link_to_a_seat_goes_where_its_player_goes() -> None:
    table = await opened(ANN, BO, Occupant(), game="oh-hell", players=3)
    await table.link("ann", "ann's")
    await table.ask("ann", Swap((0, 1)))
    assert [seat.link for seat in table.summary("ann").seats] == [False, True, False]
    await table.redeem("ann's phone", "ann's")
    assert table.places == [BO, structs.replace(ANN, identity="ann's phone"), Occupant()]


async def test_the_host_is_the_host_on_another_device_too() -> None:
    table = await opened(BO, ANN, Occupant(), game="oh-hell", players=3)
    await table.link("ann", "ann's")
    await table.redeem("ann's phone", "ann's")
    assert table.summary("ann's phone").host
    assert not table.summary("bo").host


async def test_a_match_is_abandoned_when_everybody_is_here_and_agrees() -> None:
    journal = Notebook()
    table = await opened(ANN, BO, journal=journal)
    with pytest.raises(Refusal, match="Bo is away"):
        await table.ask("ann", Abandon())
    for name in ("ann", "bo"):
        table.join(Ear(name).client)
    await table.ask("ann", Abandon())
    asked = table.summary("bo").asked
    assert asked is not None
    assert (asked.what, asked.waits_for) == ("abandon", [1])
    with pytest.raises(Taken, match="already"):
        await table.ask("bo", Abandon())
    await table.ask("bo", Answer(agree=False))
    assert table.summary("bo").asked is None
    await table.ask("bo", Abandon())
    await table.ask("ann", Answer(agree=True))
    assert table.done
    assert table.scene(0).winners == []
    assert (await say(table, NAMES[table.match.to_act[0]], "x", table.seq, "As")).text == "The match was given up."
    same_again(table, journal)


async def test_of_two_one_concedes_of_three_all_agree() -> None:
    table = await opened(ANN, BO)
    await table.ask("ann", Concede())
    assert table.summary("bo").ended == "conceded"
    table = await opened(ANN, BO, CY, game="oh-hell", players=3)
    await table.ask("ann", Concede())
    await table.ask("bo", Answer(agree=True))
    assert not table.done
    await table.ask("cy", Answer(agree=True))
    assert table.done


async def test_a_proposal_does_not_wait_for_whom_a_computer_player_replaces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody else can answer it any more."""
    journal = Notebook()
    table = await opened(ANN, BO, CY, game="oh-hell", players=3, journal=journal)
    ears = [Ear("ann"), Ear("bo")]
    for ear in ears:
        table.join(ear.client)
    await table.ask("ann", Concede())
    await table.ask("bo", Answer(agree=True))
    assert not table.done
    later(monkeypatch, 61)
    await table.ask("ann", Substitute(2))
    assert table.summary("ann").ended == "conceded"
    same_again(table, journal)


async def test_who_comes_back_reads_that_a_computer_player_has_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    table = await opened(ANN, BO)
    ears = [Ear("ann"), Ear("bo")]
    for ear in ears:
        table.join(ear.client)
    await settle(table)
    seat, seq = table.match.to_act[0], table.seq
    name, other = ("ann", "bo")[seat], ("bo", "ann")[seat]
    text = table.match.legal(seat)[0]
    table.leave(ears[seat].client)
    later(monkeypatch, 61)
    await table.ask(other, Substitute(seat))
    await settle(table)
    watcher = Ear(None)
    table.join(watcher.client)
    welcome = watcher.messages[0]
    assert isinstance(welcome, Welcome)
    marked = [line.text for line in welcome.log if "(by a computer player)" in line.text]
    assert marked
    assert all(("Ann", "Bo")[seat] in line for line in marked)
    assert not any(line.for_you for line in welcome.log)
    replaced = Ear(name)
    table.join(replaced.client)
    assert isinstance(again := replaced.messages[0], Welcome)
    assert [line.for_you for line in again.log] == ["(by a computer player)" in line.text for line in again.log]
    await table.ask(name, ComeBack())
    answer = await say(table, name, "late", seq, text)
    assert isinstance(answer, Refused)
    assert answer.text == "A computer player has made this move for you meanwhile."


async def test_to_end_without_a_winner_takes_everybody_though(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is replaced may come back."""
    table = await opened(ANN, BO, CY, game="oh-hell", players=3)
    ears = [Ear("ann"), Ear("bo"), Ear("cy")]
    for ear in ears:
        table.join(ear.client)
    await table.ask("ann", Abandon())
    await table.ask("bo", Answer(agree=True))
    table.leave(ears[2].client)
    later(monkeypatch, 61)
    await table.ask("ann", Substitute(2))
    assert not table.done


async def test_a_match_that_was_given_up_asks_nobody_for_a_move() -> None:
    for entry, told in (
        (Ended(why="conceded", by=0), ["you concede", "Ann concedes", "Ann concedes"]),
        (Ended(why="abandoned"), [None, None, None]),
    ):
        table = await opened(ANN, BO)
        ears = [Ear("ann"), Ear("bo"), Ear(None)]
        for ear in ears:
            table.join(ear.client)
        await table._writer.write([entry])
        for ear, how in zip(ears, told, strict=True):
            assert ear.scene is not None
            assert ear.scene.prompt == f"The match is over{f': {how}' if how else ', without a winner'}"
            assert ear.scene.to_act == [seat.seat for seat in ear.scene.seats if seat.to_act] == []
            assert ear.scene.offers == Offers()


async def test_nothing_is_played_or_dealt_after_a_match_was_given_up() -> None:
    """Not even what a computer player was thinking about then, nor the cards, where another program has ended it."""
    thought, journal = asyncio.Event(), Notebook()

    async def slow(level: str, seen: View[Any]) -> str:
        await thought.wait()
        return seen.legal()[0]

    table = await Table.open(plan(), [ANN, ADA], journal, slow, LEVEL_NAMES, Random(1))
    async with asyncio.timeout(PATIENCE):
        while table.match.to_act != [1]:
            await asyncio.sleep(0)
    await table.ask("ann", Concede())
    thought.set()
    await settle(table)
    assert isinstance(journal.entries[-1], Ended)

    journal.entries = [Seated(seat=0, place=ANN), Seated(seat=1, place=ADA), Ended(why="closed")]
    late = Table(plan(), journal, casual, LEVEL_NAMES, entries=journal.entries[:2], chance=Random(1))
    late.wake()
    await settle(late)
    assert late.done
    assert isinstance(journal.entries[-1], Ended)


async def test_alone_one_takes_back_freely_and_luck_stays_as_it_was() -> None:
    journal = Notebook()
    table = await opened(ANN, ADA, journal=journal)
    dealt = [event.text for event in table.match.events]
    await play(table, 1)
    assert len(table.match.events) > len(dealt)
    assert "take back" in table.summary("ann").may
    await table.ask("ann", TakeBack())
    assert [event.text for event in table.match.events] == dealt
    assert "take back" not in table.summary("ann").may
    with pytest.raises(Taken, match="no move to take back"):
        await table.ask("ann", TakeBack())
    await table.ask("ann", TakeBack(0))
    await settle(table)
    assert table.match.events[0].text == dealt[0]
    with pytest.raises(Taken, match="no move to take back"):
        await table.ask("ann", TakeBack(100))
    same_again(table, journal)


async def test_among_people_only_the_last_move_is_taken_back_and_all_agree() -> None:
    journal = Notebook()
    table = await opened(ANN, BO, journal=journal)
    mover = table.match.to_act[0]
    before = [event.text for event in table.match.events]
    assert not any("take back" in table.summary(name).may for name in ("ann", "bo"))
    await play(table, 1)
    other = NAMES[1 - mover]
    assert [name for name in ("ann", "bo") if "take back" in table.summary(name).may] == [NAMES[mover]]
    with pytest.raises(Taken, match="your own move"):
        await table.ask(other, TakeBack())
    await table.ask(NAMES[mover], TakeBack())
    await table.ask(other, Answer(agree=True))
    assert [event.text for event in table.match.events] == before
    same_again(table, journal)


async def test_what_brought_new_cards_is_not_taken_back() -> None:
    table = await opened(ANN, BO)
    await play(table, 2)  # a trick: both have drawn
    assert len(table.view(0).hand()) == 6
    for name in ("ann", "bo"):
        with pytest.raises(Taken):
            await table.ask(name, TakeBack())


async def test_somebody_is_reminded_now_and_then() -> None:
    table = await opened(ANN, BO)
    seat = table.match.to_act[0]
    ear, other = Ear(NAMES[seat]), Ear(NAMES[1 - seat])
    table.join(ear.client)
    table.join(other.client)
    await table.ask(NAMES[1 - seat], Nudge(seat))
    assert ear.messages[-1] == NudgeHeard(1 - seat)
    assert not any(isinstance(message, NudgeHeard) for message in other.messages)
    with pytest.raises(TooMany, match="a moment ago"):
        await table.ask(NAMES[1 - seat], Nudge(seat))
    with pytest.raises(Taken, match="Nobody is waiting"):
        await table.ask(NAMES[seat], Nudge(1 - seat))


async def test_a_table_without_watchers_admits_only_its_players() -> None:
    table = await opened(ANN, BO)
    with pytest.raises(Forbidden):
        await table.ask("bo", Change(Settings(watchers=False)))
    await table.ask("ann", Change(Settings(watchers=False)))
    table.admit("bo")
    with pytest.raises(Forbidden, match="closed to spectators"):
        table.admit("cy")


async def test_a_computer_player_is_shown_thinking_until_it_has_moved() -> None:
    may_move = asyncio.Event()

    async def slow(level: str, seen: View[Any]) -> str:
        await may_move.wait()
        return await casual(level, seen)

    places = ANN, ADA
    table = await Table.open(
        plan(), places, Notebook(), slow, LEVEL_NAMES, Random(1), busy=lambda level, seen: "thinking"
    )
    await until(lambda: table.summary("ann").seats[1].thinking == "thinking")
    may_move.set()
    await settle(table)
    assert table.match.to_act == [0]
    assert table.summary("ann").seats[1].thinking == ""


async def test_two_hundred_people_may_watch_and_no_more() -> None:
    table = await opened(ANN, BO)
    for number in range(200):
        table.admit(f"watcher {number}")
        table.join(Ear(f"watcher {number}").client)
    with pytest.raises(TooMany, match="no room for another spectator"):
        table.admit("late")
    table.admit("bo")


async def test_a_table_that_is_closed_to_watchers_shows_them_out() -> None:
    """When play begins, when a seat is given up, when the host says so: they hear nothing more."""
    away: list[str] = []

    def watch(table: Table, name: str) -> Ear:
        ear = Ear(name)
        table.join(Client(name, ear.hear, lambda why: away.append(name)))
        return ear

    table = await opened(ANN, Occupant())
    await table.ask("ann", Change(Settings(listed=True, watchers=False)))
    ears = [watch(table, "cy"), watch(table, "bo")]
    heard = len(ears[0].messages)
    await table.ask("bo", Sit("Bo"))
    assert (away, len(ears[0].messages)) == (["cy"], heard)
    await table.ask("ann", Remove(1))
    assert away == ["cy", "bo"]
    await table.ask("ann", Change(Settings()))
    watch(table, "cy")
    await table.ask("ann", Change(Settings(watchers=False)))
    assert away == ["cy", "bo", "cy"]
    assert table.summary("ann").watching == 0


async def test_one_comes_by_invitation_unless_the_table_is_listed() -> None:
    places: list[Any] = [ANN, Occupant()]
    invited = structs.replace(plan(), invite="secret")
    table = await Table.open(invited, places, Notebook(), casual, LEVEL_NAMES)
    with pytest.raises(Forbidden, match="invitation"):
        await table.ask("bo", Sit("Bo", invite="guessed"))
    await table.ask("bo", Sit("Bo", invite="secret"))
    table = await Table.open(invited, places, Notebook(), casual, LEVEL_NAMES)
    await table.ask("ann", Change(Settings(listed=True)))
    await table.ask("bo", Sit("Bo"))


def test_of_those_who_left_only_the_last_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "REMEMBERED", 2)
    here = presence.Presence()
    for now, who in enumerate(["ann", "bo", "ann", "cy"], 1):
        window = Client(who, lambda message: None)
        here.join(window)
        here.leave(window, now)
    places = [Occupant("person", who.title(), None, who) for who in ("ann", "bo", "cy")]
    assert [here.away_since(place, 0) for place in places] == [3, 0, 4]
