"""Sitting down at the live table, leaving it and looking on."""

import asyncio
from random import Random

import pytest
from msgspec import structs
from sitting_down import ADA, ANN, BO, LEVEL_NAMES, Ear, Notebook, ask, casual, opened, plan, say
from waiting import PATIENCE

from upcard.table.actions import AnyAction, Change, Fill, Sit
from upcard.table.errors import Forbidden, Refusal, Taken, Unacceptable
from upcard.table.journal import Seated
from upcard.table.messages import (
    PeopleChanged,
)
from upcard.table.seats import Occupant, clean_name, computer
from upcard.table.settings import Settings
from upcard.table.table import Table


async def test_people_sit_down_and_the_match_begins_with_the_last_of_them() -> None:
    journal = Notebook()
    table, ear, ann = await opened(ANN, Occupant(), journal=journal), Ear("bo"), Ear("ann")
    table.join(ear.client)
    table.join(ann.client)
    assert ear.scene is not None
    assert ear.scene.seat is None
    assert not table.summary("bo").started
    await ask(table, "bo", Sit("  Bo\tthe\u202e\u0000 Great  "))
    assert table.places[1] == Occupant("person", "Bo the Great", None, "bo")
    assert journal.entries[1] == Seated(seat=1, place=table.places[1], at=journal.entries[1].at)
    assert ear.kinds().count("welcome") == 2
    assert ear.scene.seat == 1
    assert len(ear.scene.hand) == 6
    assert ann.kinds()[:2] == ["welcome", "table"]
    assert ann.scene == table.scene(0)
    assert table.summary("bo").you == 1
    assert table.summary("bo").started
    await ask(table, "bo", Sit("Bo"))  # sits already


async def test_seats_are_refused_with_a_reason() -> None:
    table = await opened(ANN, Occupant(), BO, game="oh-hell", players=3)
    refused: list[tuple[str, AnyAction, type[Refusal]]] = [
        ("eve", Sit("Eve", 0), Taken),
        ("bo", Sit("Bo", 1), Taken),
        ("eve", Sit("Eve", 7), Unacceptable),
        ("eve", Sit(" \n"), Unacceptable),
        ("bo", Fill("casual", 1), Forbidden),
        ("ann", Fill("casual", 2), Taken),
        ("ann", Fill("genius", 1), Unacceptable),
        ("ann", Fill("casual", -1), Unacceptable),
    ]
    for identity, action, error in refused:
        with pytest.raises(error):
            await table.ask(identity, action)
    assert table.places[1] == Occupant()
    await ask(table, "ann", Fill("casual", 1))
    assert table.places[1].who == "computer"
    with pytest.raises(Taken):
        await table.ask("eve", Sit("Eve"))


async def test_all_open_seats_are_filled_at_once() -> None:
    journal = Notebook()
    table = await opened(Occupant(), ANN, Occupant(), Occupant(), journal=journal, game="oh-hell", players=4)
    await ask(table, "ann", Fill("casual"))
    assert [place.who for place in table.places] == ["computer", "person", "computer", "computer"]
    assert len({place.name for place in table.places}) == 4
    assert table.summary("ann").started


async def test_of_two_people_who_want_one_seat_one_gets_it() -> None:
    table = await opened(ANN, Occupant())
    wanted: list[tuple[str, AnyAction]] = [("bo", Sit("Bo", 1)), ("cy", Sit("Cy", 1)), ("ann", Fill("casual", 1))]
    results = await asyncio.gather(*[table.ask(who, what) for who, what in wanted], return_exceptions=True)
    assert results[0] is None
    assert all(isinstance(result, Taken) for result in results[1:])


async def test_who_can_sit_down_is_told_whether_that_needs_the_invitation() -> None:
    by_invitation = structs.replace(plan("oh-hell", 4), invite="secret")
    places = [ANN, Occupant("held", "Bo", None, "bo"), Occupant(), ADA]
    table = await Table.open(by_invitation, places, Notebook(), casual, LEVEL_NAMES, Random(1))

    def free() -> list[str | None]:
        told = [table.summary(identity) for identity in ("ann", "bo", "cy", None)]
        assert [one.free is not None for one in told] == ["sit" in one.may for one in told]
        return [one.free for one in told]

    assert free() == [None, "held", "invited", None]
    with pytest.raises(Forbidden, match="by invitation"):
        await table.ask("cy", Sit("Cy"))
    await table.ask("ann", Change(Settings(listed=True)))
    assert free() == [None, "held", "open", None]
    await table.ask("cy", Sit("Cy"))
    await table.ask("bo", Sit("Bo"))
    assert free() == [None, None, None, None]


async def test_a_seat_that_cannot_be_written_stays_open() -> None:
    journal = Notebook()
    table = await opened(ANN, Occupant(), journal=journal)
    journal.failing = True
    with pytest.raises(Refusal, match="disk is full"):
        await table.ask("bo", Sit("Bo", 1))
    assert table.places[1] == Occupant()


async def test_who_leaves_keeps_the_seat_and_others_see_who_is_here() -> None:
    table, ann, bo = await opened(ANN, BO), Ear("ann"), Ear("bo")
    table.join(ann.client)
    assert [seat.here for seat in table.summary(None).seats] == [True, False]
    table.join(bo.client)
    assert isinstance(ann.messages[-1], PeopleChanged)
    assert ann.messages[-1].here == [True, True]
    table.leave(bo.client)
    assert ann.messages[-1].here == [True, False]
    assert ann.messages[-1].away_since[1] is not None
    await say(table, "bo", "m", table.seq, table.match.legal(1)[0])
    back = Ear("bo")
    table.join(back.client)
    assert back.seq == table.seq
    assert back.scene is not None
    assert back.scene.seat == 1


async def test_who_lost_the_thread_gets_a_welcome() -> None:
    table, ear = await opened(ANN, BO), Ear("ann")
    table.join(ear.client)
    await say(table, "bo", "m", table.seq, table.match.legal(1)[0])
    table.look(ear.client)
    assert ear.kinds() == ["welcome", "event", "welcome"]
    assert ear.scene == table.scene(0)


def test_names_are_fit_to_be_shown() -> None:
    assert clean_name("  Ann \n Lee ", ()) == "Ann Lee"
    assert clean_name("x" * 99, ()) == "x" * 30
    assert clean_name("Ann", [ANN, Occupant("person", "Ann 2")]) == "Ann 3"
    assert clean_name("<b>", ()) == "<b>"
    assert clean_name("Zoe\u0308", [Occupant("person", "Zoë")]) == "Zoë 2"
    assert clean_name("Ann\ufe0f\u3164", [ANN]) == "Ann 2"
    with pytest.raises(Unacceptable):
        clean_name("\u3164\u2800", ())
    assert computer("casual", [Occupant("person", "Ada")], LEVEL_NAMES).name == "Basil"


async def test_what_is_told_names_no_identity() -> None:
    table, ear = await opened(ANN, BO), Ear(None)
    table.join(ear.client)
    await say(table, "bo", "secret id of a move", table.seq, table.match.legal(1)[0])
    told = " ".join(message.json() for message in ear.messages)
    assert '"ann"' not in told
    assert '"bo"' not in told
    assert "secret id" not in told


async def test_a_thousand_watchers_who_come_and_go_are_one_word_to_the_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upcard.table.clients.WATCHERS_PAUSE", 0.01)
    table, ann = await opened(ANN, BO), Ear("ann")
    table.join(ann.client)
    crowd = [Ear(None if number % 2 else f"watcher {number}") for number in range(1000)]
    for ear in crowd:
        table.join(ear.client)
    async with asyncio.timeout(PATIENCE):
        while len(ann.messages) < 2:
            await asyncio.sleep(0.01)
    assert isinstance(ann.messages[1], PeopleChanged)
    assert ann.messages[1].watching == 1000
    for ear in crowd[1:]:
        table.leave(ear.client)
    async with asyncio.timeout(PATIENCE):
        while len(ann.messages) < 3:
            await asyncio.sleep(0.01)
    assert ann.kinds() == ["welcome", "people", "people"]
    assert all(len(ear.messages) <= 2 for ear in crowd[1:])
    assert table.summary(None).watching == 1
