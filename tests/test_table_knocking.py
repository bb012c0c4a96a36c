"""Removing somebody removes them: the link is renewed, newcomers knock, and proposals cannot be used to pester."""

import asyncio
import time
from typing import Any

import msgspec
import pytest
from msgspec import structs
from sitting_down import ADA, ANN, BO, LEVEL_NAMES, Ear, Notebook, again, casual, opened, plan, say, settle
from waiting import PATIENCE

from upcard.table import knocks
from upcard.table.actions import (
    Abandon,
    Answer,
    Change,
    Concede,
    Decline,
    Leave,
    LetIn,
    Remove,
    Renew,
    Sit,
    Swap,
    TakeBack,
    Withdraw,
)
from upcard.table.errors import Forbidden, Refusal, Taken, TooMany
from upcard.table.journal import Ended, KnockEnded, Left, Origin, Plan, Renewed, decode_entry
from upcard.table.messages import KnockView, OwnKnock, TableChanged, TableView, Welcome
from upcard.table.seats import Occupant
from upcard.table.settings import Settings
from upcard.table.table import Table

CY = Occupant("person", "Cy", None, "cy")
INVITED = structs.replace(plan(), invite="first")


async def invited(*places: Occupant, journal: Notebook | None = None, **options: Any) -> Table:
    """A table that one comes to by invitation."""
    start = structs.replace(plan(**options), invite="first")
    table = await Table.open(start, places, journal or Notebook(), casual, LEVEL_NAMES)
    await settle(table)
    return table


def invite_of(table: Table) -> str:
    secret = table.summary("ann").invite
    assert secret
    return secret


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let this many seconds pass for tables."""
    now = time.time() + seconds
    monkeypatch.setattr("time.time", lambda: now)


def same_again(table: Table, journal: Notebook) -> Table:
    """The table made again from its journal, which is shown to everybody as this one is."""
    twin = again(journal.entries, table.plan)
    for identity in ("ann", "bo", "cy", "eve", None):
        shown, same = table.summary(identity), twin.summary(identity)
        elsewhere: dict[str, Any] = {"now": 0, "seats": [], "watching": 0}
        assert structs.replace(shown, **elsewhere) == structs.replace(same, **elsewhere)
    return twin


def lines(table: Table, identity: str | None) -> list[str]:
    """The remarks that somebody reads in the log."""
    return [line.text for line in table.welcome(identity).log if not line.text.startswith("Deal")]


def own(table: Table, identity: str) -> OwnKnock | None:
    return table.summary(identity).knock


def last(ear: Ear) -> TableView:
    message = ear.messages[-1]
    assert isinstance(message, (TableChanged, Welcome))
    return message.table


# ------------------------------------------------------------------------------------------------------------ removing


async def test_who_is_removed_does_not_come_back_by_the_old_link_and_knocks_with_the_new_one() -> None:
    journal = Notebook()
    table = await invited(ANN, BO, journal=journal)
    assert invite_of(table) == "first"
    await table.ask("ann", Remove(1))
    await settle(table)
    with pytest.raises(Forbidden, match="no longer valid: ask somebody at the table for the new one"):
        await table.ask("bo", Sit("Bo", invite="first"))
    with pytest.raises(Forbidden, match="by invitation"):
        await table.ask("bo", Sit("Bo"))
    assert table.summary("ann").settings.knock
    await table.ask("bo", Sit("Bo", invite=invite_of(table)))
    assert table.places[1].who == "open"
    assert own(table, "bo") == OwnKnock("waiting")
    assert table.plan.invite == "first", "from which the id of the rematch is derived"
    twin = same_again(table, journal)
    await twin.ask("ann", LetIn(1))
    assert twin.places[1] == BO


async def test_who_is_blocked_does_not_knock_and_with_a_new_identity_only_knocks() -> None:
    table = await invited(ANN, BO)
    await table.ask("ann", Remove(1, block=True))
    await settle(table)
    for secret in ("first", invite_of(table)):
        with pytest.raises(Forbidden, match="asked to leave"):
            await table.ask("bo", Sit("Bo", invite=secret))
    assert own(table, "bo") is None
    with pytest.raises(Forbidden, match="no longer valid"):
        await table.ask("eve", Sit("Bo", invite="first"))
    await table.ask("eve", Sit("Bo", invite=invite_of(table)))
    assert table.places[1].who == "open"
    assert [knock.name for knock in table.summary("ann").knocks] == ["Bo"]


async def test_at_a_listed_table_a_new_identity_only_knocks_too() -> None:
    table = await invited(ANN, Occupant())
    await table.ask("ann", Change(Settings(listed=True)))
    await table.ask("bo", Sit("Bo"))
    await table.ask("ann", Remove(1, block=True))
    await settle(table)
    await table.ask("eve", Sit("Bo"))
    assert own(table, "eve") == OwnKnock("waiting")
    assert table.places[1].who == "open"


async def test_the_old_device_of_somebody_who_is_removed_knocks() -> None:
    table = await invited(ANN, BO)
    await table.link("bo", "bo's")
    await table.redeem("bo's phone", "bo's")
    await table.ask("ann", Remove(1))
    await settle(table)
    await table.ask("bo", Sit("Bo", invite=invite_of(table)))
    assert table.places[1].who == "open"


async def test_seats_that_are_held_and_people_who_left_by_themselves_need_not_knock() -> None:
    held = Occupant("held", "Cy", None, "cy")
    table = await invited(ANN, BO, held, game="oh-hell", players=3)
    await table.ask("bo", Leave())
    await table.ask("ann", Change(Settings(knock=True)))
    await table.ask("ann", Renew())
    await table.ask("bo", Sit("Bo", invite=invite_of(table)))
    await table.ask("cy", Sit("Cy"))
    assert [place.who for place in table.places] == ["person"] * 3


async def test_only_the_host_renews_the_link_and_only_where_there_is_one() -> None:
    journal = Notebook()
    table = await invited(ANN, Occupant(), journal=journal)
    with pytest.raises(Forbidden):
        await table.ask("bo", Renew())
    await table.ask("ann", Renew())
    assert "renew" in table.summary("ann").may
    with pytest.raises(Forbidden, match="no longer valid"):
        await table.ask("bo", Sit("Bo", invite="first"))
    await table.ask("bo", Sit("Bo", invite=invite_of(table)))
    assert table.places[1] == BO, "a link that was renewed alone does not make anybody knock"
    same_again(table, journal)
    alone = await opened(ANN, ADA)
    assert "renew" not in alone.summary("ann").may
    with pytest.raises(Refusal, match="Nobody needs an invitation"):
        await alone.ask("ann", Renew())


def test_journals_of_before_are_read() -> None:
    left = decode_entry('{"kind":"left","at":1.0,"seat":1,"place":{},"why":"removed"}')
    assert left == Left(at=1.0, seat=1, why="removed")
    table = again(
        [
            decode_entry('{"kind":"seated","at":1.0,"seat":0,"place":{"who":"person","name":"Ann","identity":"ann"}}'),
            left,
        ],
        INVITED,
    )
    assert table.summary("ann").invite == "first"
    assert not table.summary("ann").settings.knock
    settings = msgspec.json.decode('{"listed":true,"watchers":false,"patience":60}', type=Settings)
    assert settings == Settings(listed=True, watchers=False)


# ------------------------------------------------------------------------------------------------------------- knocking


async def at_the_door(*names: str, journal: Notebook | None = None) -> Table:
    """A table of three with a seat that Bo has left, where newcomers knock and these have."""
    table = await invited(ANN, BO, CY, journal=journal, game="oh-hell", players=3)
    await table.ask("ann", Change(Settings(knock=True)))
    await table.ask("bo", Leave())
    await settle(table)
    for name in names:
        await table.ask(name, Sit(name.title(), invite=invite_of(table)))
    return table


async def test_who_knocks_waits_and_is_let_in_and_everybody_is_told() -> None:
    table = await at_the_door()
    ears = {name: Ear(name) for name in ("ann", "cy", "eve", "tom")}
    for ear in ears.values():
        table.join(ear.client)
    heard = len(ears["cy"].messages)
    await table.ask("eve", Sit("Eve", invite=invite_of(table), pledge="e" * 64))
    assert table.places[1].who == "open"
    assert last(ears["eve"]).knock == OwnKnock("waiting")
    assert {"sit", "withdraw"} & {*last(ears["eve"]).may} == {"withdraw"}
    assert last(ears["ann"]).knocks == [KnockView(1, "Eve", None)]
    assert {"let in", "decline"} <= {*last(ears["ann"]).may}
    for name in ("cy", "tom"):
        assert last(ears[name]).knocks == []
        assert not {"let in", "decline"} & {*last(ears[name]).may}
    assert not any("Eve" in str(message) for message in ears["cy"].messages[heard:] + ears["tom"].messages)
    await table.ask("ann", LetIn(1))
    assert table.places[1] == Occupant("person", "Eve", None, "eve", pledge="e" * 64)
    assert last(ears["ann"]).knocks == []
    assert lines(table, "ann")[-2:] == ["Eve would like to sit down", "Eve is let in and sits down"]
    assert lines(table, "cy")[-1] == lines(table, None)[-1] == "Eve is let in and sits down"
    assert lines(table, "eve")[-1] == "You are let in and sit down"
    assert "Eve would like to sit down" not in lines(table, "cy") + lines(table, None) + lines(table, "eve")


async def test_who_is_declined_may_not_knock_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    start = 1_800_000_000.0
    monkeypatch.setattr("time.time", lambda: start)
    journal = Notebook()
    table = await at_the_door("eve", journal=journal)
    eve, tom = Ear("eve"), Ear("tom")
    table.join(eve.client)
    table.join(tom.client)
    with pytest.raises(Forbidden, match="Only the host"):
        await table.ask("cy", Decline(1))
    await table.ask("ann", Decline(1))
    assert last(eve).knock == OwnKnock("declined", start + 60)
    assert "sit" not in last(eve).may
    assert lines(table, "ann")[-1] == "Eve is not let in"
    assert not any("Eve" in line for line in lines(table, "cy") + lines(table, "tom"))
    assert "Eve" not in str(tom.messages)
    monkeypatch.setattr("time.time", lambda: start + 18)
    with pytest.raises(TooMany, match="again in 42 seconds"):
        await table.ask("eve", Sit("Eve", invite=invite_of(table)))
    same_again(table, journal)
    monkeypatch.setattr("time.time", lambda: start + 61)
    assert own(table, "eve") == OwnKnock("needed")
    await table.ask("eve", Sit("Eve", invite=invite_of(table)))
    assert table.summary("ann").knocks == [KnockView(2, "Eve", None)]
    with pytest.raises(Taken, match="no longer waiting"):
        await table.ask("ann", LetIn(1))


async def test_a_knock_ends_when_it_is_withdrawn_or_the_seat_is_taken_or_nobody_need_knock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    journal = Notebook()
    table = await at_the_door("eve", "tom", journal=journal)
    await table.ask("eve", Withdraw())
    await table.ask("eve", Withdraw())
    assert [knock.name for knock in table.summary("ann").knocks] == ["Tom"]
    assert own(table, "eve") != OwnKnock("waiting")
    await table.ask("bo", Sit("Bo", invite=invite_of(table)))
    assert table.summary("ann").knocks == []
    assert own(table, "tom") is None, "no seat is free"
    with pytest.raises(Taken, match="no longer waiting"):
        await table.ask("ann", LetIn(2))
    await table.ask("bo", Leave())
    later(monkeypatch, 20)
    await table.ask("tom", Sit("Tom", invite=invite_of(table)))
    await table.ask("ann", Change(Settings()))
    assert table.summary("ann").knocks == []
    await table.ask("tom", Sit("Tom", invite=invite_of(table)))
    assert table.places[1].identity == "tom"
    same_again(table, journal)


async def test_a_knock_for_one_seat_ends_when_that_seat_is_taken() -> None:
    table = await invited(ANN, Occupant(), Occupant(), game="oh-hell", players=3)
    await table.ask("ann", Change(Settings(knock=True)))
    await table.ask("eve", Sit("Eve", seat=1, invite="first"))
    await table.ask("tom", Sit("Tom", invite="first"))
    assert table.summary("ann").knocks == [KnockView(1, "Eve", 1), KnockView(2, "Tom", None)]
    await table.ask("ann", Swap((0, 1)))
    assert [knock.name for knock in table.summary("ann").knocks] == ["Tom"]
    await table.ask("ann", LetIn(2))
    assert table.places[0].identity == "tom"


async def test_only_so_many_wait_and_each_once() -> None:
    names = [f"p{number}" for number in range(knocks.MOST_KNOCKS)]
    table = await at_the_door(*names)
    await table.ask("p0", Sit("Again", invite=invite_of(table)))
    assert [knock.name for knock in table.summary("ann").knocks] == ["P0", "P1", "P2", "P3", "P4"]
    with pytest.raises(TooMany, match="Too many people are waiting"):
        await table.ask("eve", Sit("Eve", invite=invite_of(table)))
    await table.ask("ann", Decline(1))
    await table.ask("eve", Sit("Eve", invite=invite_of(table)))


async def test_coming_and_going_is_no_way_to_pester_the_host() -> None:
    table = await at_the_door()
    for number in range(knocks.MOST_A_MINUTE):
        await table.ask(f"p{number}", Sit("Eve", invite=invite_of(table)))
        await table.ask(f"p{number}", Withdraw())
    with pytest.raises(TooMany, match="in a minute"):
        await table.ask("tom", Sit("Tom", invite=invite_of(table)))
    with pytest.raises(TooMany, match="again in"):
        await table.ask("p0", Sit("Eve", invite=invite_of(table)))


async def test_who_has_knocked_and_is_away_for_a_while_no_longer_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Notebook()
    table = await at_the_door(journal=journal)
    eve = Ear("eve")
    table.join(eve.client)
    await table.ask("eve", Sit("Eve", invite=invite_of(table)))
    await table.ask("tom", Sit("Tom", invite=invite_of(table)))  # over HTTP only, as at a table without watchers
    later(monkeypatch, 100)
    await table.ask("tom", Sit("Tom", invite=invite_of(table)))
    later(monkeypatch, 100)
    await table.end_knocks()
    assert [knock.name for knock in table.summary("ann").knocks] == ["Eve", "Tom"], "both have shown signs of life"
    later(monkeypatch, 100)
    await table.end_knocks()
    assert [knock.name for knock in table.summary("ann").knocks] == ["Eve"]
    table.leave(eve.client)
    later(monkeypatch, 121)
    await table.end_knocks()
    assert table.summary("ann").knocks == []
    assert [entry.why for entry in journal.entries if isinstance(entry, KnockEnded)] == ["gone", "gone"]
    assert own(table, "eve") == OwnKnock("needed"), "and may knock again"


async def test_a_restart_gives_who_has_knocked_no_second_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    start = 1_800_000_000.0
    monkeypatch.setattr("time.time", lambda: start)
    journal = Notebook()
    table = await at_the_door("eve", journal=journal)
    for restarted, ends in ((10, 120), (40, 120), (100, 175)):  # a page without a connection knocks again within 60
        for passed, waits in ((ends - 1, ["Eve"]), (ends, [])):
            monkeypatch.setattr("time.time", lambda restarted=restarted: start + restarted)
            twin = again([*journal.entries], table.plan)
            monkeypatch.setattr("time.time", lambda passed=passed: start + passed)
            await twin.end_knocks()
            assert [knock.name for knock in twin.summary("ann").knocks] == waits


async def test_the_timer_ends_knocks_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upcard.table.clients.ABSENCE", 0.0)
    table = await at_the_door("eve")
    async with asyncio.timeout(PATIENCE):
        while table.summary("ann").knocks:
            await asyncio.sleep(0.05)


async def test_who_waits_already_goes_on_waiting_when_the_link_is_renewed(monkeypatch: pytest.MonkeyPatch) -> None:
    table = await at_the_door("eve")
    await table.ask("ann", Renew())
    later(monkeypatch, 60)
    await table.ask("eve", Sit("Eve", invite="first"))
    assert own(table, "eve") == OwnKnock("waiting")
    with pytest.raises(Forbidden, match="no longer valid"):
        await table.ask("tom", Sit("Tom", invite="first"))


async def test_a_knock_that_cannot_be_ended_is_ended_later(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Notebook()
    table = await at_the_door("eve", journal=journal)
    later(monkeypatch, 200)
    journal.failing = True
    await table.end_knocks()
    assert [knock.name for knock in table.summary("ann").knocks] == ["Eve"]
    assert table._knock_alarm.is_set
    journal.failing = False
    await table.end_knocks()
    assert table.summary("ann").knocks == []


async def test_where_nobody_sits_nobody_need_knock() -> None:
    table = await invited(ANN, Occupant(), Occupant(), game="oh-hell", players=3)
    await table.ask("ann", Change(Settings(knock=True)))
    await table.ask("eve", Sit("Eve", invite="first"))
    await table.ask("ann", Leave())
    assert own(table, "eve") is None
    await table.ask("eve", Sit("Eve", invite="first"))
    assert table.places[0].identity == "eve"
    assert table.summary("eve").host


async def test_the_next_host_answers_those_who_knock_and_all_are_told_who_that_is() -> None:
    table = await at_the_door()
    await table.ask("eve", Sit("Eve", seat=1, invite=invite_of(table)))
    cy = Ear("cy")
    table.join(cy.client)
    await table.ask("ann", Leave())
    (changed,) = [message for message in cy.messages if isinstance(message, TableChanged)]
    assert changed.table.host
    assert changed.table.host_seat == 2
    assert [knock.name for knock in changed.table.knocks] == ["Eve"]
    assert changed.log[-1].text.endswith("takes over. You are the host now")
    assert any(line.endswith("takes over. Cy is the host now") for line in lines(table, None))
    await table.ask("cy", LetIn(1))
    assert table.places[1].identity == "eve"
    await table.ask("ann", Sit("Ann", invite=table.summary("cy").invite))
    assert lines(table, "cy")[-1] == "Ann sits down. Ann is the host now"


async def test_who_was_removed_and_is_let_in_again_does_not_see_the_cards_of_another_seat() -> None:
    table = await invited(ANN, BO, CY, game="oh-hell", players=3)
    await table.ask("ann", Remove(1))
    await table.ask("cy", Leave())
    await settle(table)
    with pytest.raises(Forbidden, match="cards of another seat"):
        await table.ask("bo", Sit("Bo", seat=2, invite=invite_of(table)))
    await table.ask("bo", Sit("Bo", invite=invite_of(table)))
    await table.ask("eve", Sit("Eve", seat=1, invite=invite_of(table)))
    await table.ask("ann", LetIn(2))
    assert table.places[1].identity == "eve"
    with pytest.raises(Forbidden, match="Bo has seen the cards of another seat: you can let them in when"):
        await table.ask("ann", LetIn(1))
    deal = table.match.state.deals
    async with asyncio.timeout(PATIENCE):
        while table.match.state.deals == deal:
            seat = table.match.to_act[0]
            await say(table, table.places[seat].identity, f"{table.seq}", table.seq, table.match.legal(seat)[0])
    await table.ask("ann", LetIn(1))
    assert table.places[2].identity == "bo"


async def test_a_knock_shows_nothing_that_is_not_shown_to_whoever_looks_on() -> None:
    """Neither in the table as shown over HTTP, where watchers are shut out, nor over the line."""
    table = await at_the_door()
    await table.ask("ann", Change(Settings(knock=True, watchers=False)))
    hidden: dict[str, Any] = {"you": None, "now": 0, "may": [], "free": None, "knock": None}
    stranger = structs.replace(table.summary("tom"), **hidden)
    await table.ask("eve", Sit("Eve", invite=invite_of(table)))
    assert structs.replace(table.summary("eve"), **hidden) == stranger
    assert structs.replace(table.summary("tom"), **hidden) == stranger
    with pytest.raises(Forbidden, match="closed to spectators"):
        table.admit("eve")
    assert table.summary("eve").invite is None
    assert table.welcome("eve").scene == table.welcome(None).scene
    await table.ask("ann", LetIn(1))
    table.admit("eve")


@pytest.mark.parametrize("name", ["{0}", "{", "}{9}", "{0.__class__}", "\ue000", "Ann"])
async def test_a_name_in_the_log_is_only_a_name(name: str) -> None:
    table = await at_the_door()
    if not name.isprintable():
        with pytest.raises(Refusal, match="choose a name"):
            await table.ask("eve", Sit(name, invite=invite_of(table)))
        return
    await table.ask("eve", Sit(name, invite=invite_of(table)))
    shown = "Ann 2" if name == "Ann" else name
    assert lines(table, "ann")[-1] == f"{shown} would like to sit down"


async def test_two_tables_on_one_journal_agree_on_who_waits() -> None:
    journal = Notebook()
    table = await at_the_door("eve", journal=journal)
    other = Table(table.plan, journal, casual, LEVEL_NAMES, entries=journal.entries)
    await table.ask("ann", LetIn(1))
    with pytest.raises(Taken, match="no longer waiting"):
        await other.ask("ann", LetIn(1))
    assert other.places == table.places


# ------------------------------------------------------------------------------------------ what is told, proposals


async def test_everybody_is_told_who_sits_down_and_who_is_removed() -> None:
    table = await invited(ANN, Occupant(), Occupant(), game="oh-hell", players=3)
    assert lines(table, "ann") == []
    await table.ask("bo", Sit("Bo", invite="first"))
    await table.ask("cy", Sit("Cy", invite="first"))
    await settle(table)
    await table.ask("ann", Renew())
    await table.ask("ann", Remove(1))
    told = lines(table, "cy")
    assert told[:2] == ["Bo sits down", "You sit down"]
    assert "Ann makes a new invitation link" in told
    (removed,) = [line for line in told if line.startswith("Bo is removed; ")]
    assert removed.endswith(" takes over. The invitation link is new")


async def test_a_no_is_told_and_then_the_seat_makes_no_proposal_for_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    start = 1_800_000_000.0
    monkeypatch.setattr("time.time", lambda: start)
    journal = Notebook()
    table = await opened(ANN, BO, CY, journal=journal, game="oh-hell", players=3)
    ears = [Ear(name) for name in ("ann", "bo", "cy")]
    for ear in ears:
        table.join(ear.client)
    await table.ask("ann", Abandon())
    await table.ask("bo", Answer(agree=False))
    assert [lines(table, name)[-1] for name in ("ann", "bo", "cy", None)] == ["Bo says no", "You say no"] + [
        "Bo says no"
    ] * 2
    assert last(ears[0]).propose_at == start + 60
    assert not {"abandon", "concede", "take back"} & {*last(ears[0]).may}
    assert {"abandon", "concede"} <= {*last(ears[2]).may}
    assert last(ears[1]).propose_at is None
    monkeypatch.setattr("time.time", lambda: start + 17.5)
    for action in (Abandon(), Concede()):
        with pytest.raises(TooMany, match="again in 43 seconds"):
            await table.ask("ann", action)
    twin = same_again(table, journal)
    twin.join(Ear("bo").client)
    twin.join(Ear("cy").client)
    with pytest.raises(TooMany, match="again in 43 seconds"):
        await twin.ask("ann", Abandon())
    await table.ask("cy", Concede())
    monkeypatch.setattr("time.time", lambda: start + 60)
    assert {"abandon", "concede"} <= {*table.summary("ann").may}


async def test_a_proposal_that_a_move_overtakes_is_not_made_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    start = 1_800_000_000.0
    monkeypatch.setattr("time.time", lambda: start)
    table = await opened(ANN, BO)
    table.join(Ear("ann").client)
    table.join(Ear("bo").client)
    await table.ask("ann", Abandon())
    seat = table.match.to_act[0]
    await say(table, ("ann", "bo")[seat], "x", table.seq, table.match.legal(seat)[0])
    assert table.summary("ann").asked is None
    with pytest.raises(TooMany, match="again in 10 seconds"):
        await table.ask("ann", Abandon())
    monkeypatch.setattr("time.time", lambda: start + 9.2)
    with pytest.raises(TooMany, match=r"again in 1 second$"):
        await table.ask("ann", TakeBack() if seat == 0 else Abandon())
    await table.ask("bo", Abandon())
    await table.ask("bo", Answer(agree=False))
    assert table.summary("bo").propose_at == start + 19.2, "who takes a proposal back has not been told no"


async def test_what_nobody_need_agree_to_is_done_at_once_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    table = await opened(ANN, BO)
    table.join(Ear("ann").client)
    table.join(Ear("bo").client)
    await table.ask("ann", Abandon())
    await table.ask("bo", Answer(agree=False))
    assert "concede" in table.summary("ann").may
    await table.ask("ann", Concede())
    assert table.done


# ------------------------------------------------------------------------------------- closed by the house, or brought


async def test_that_the_house_closed_a_table_is_told_at_once_and_later() -> None:
    journal = Notebook()
    table = await opened(ANN, BO, journal=journal)
    ears = [Ear("ann"), Ear("bo"), Ear(None)]
    for ear in ears:
        table.join(ear.client)
    await table._writer.write([Ended(why="closed")])
    for ear in ears:
        message = ear.messages[-1]
        assert isinstance(message, TableChanged)
        assert message.table.ended == "closed"
        assert [line.text for line in message.log] == [
            "The house closes this table: the match ends here, without a winner"
        ]
        assert ear.scene is not None
        assert ear.scene.prompt == "The match is over: the house closed this table"
    assert lines(same_again(table, journal), "bo")[-1].startswith("The house closes this table")


@pytest.mark.parametrize("why", ["closed", "unfinished"])
def test_the_house_did_not_close_a_record_that_somebody_brought(why: Any) -> None:
    """Not in journals of before either, where it was kept as closed."""
    brought = structs.replace(plan(), origin=Origin(None, 0))
    table = again([Ended(why=why)], brought)
    assert table.summary("ann").ended == "unfinished"
    assert not any("house" in line for line in lines(table, "ann"))
    assert "house" not in table.scene(None).prompt


@pytest.mark.parametrize(
    ("origin", "brought"),
    [(None, None), (Origin("old", 3), None), (Origin(None, 3), "record"), (Origin("old", 3), "played on")],
)
def test_what_comes_from_a_record_that_somebody_brought_says_so(origin: Origin | None, brought: str | None) -> None:
    start: Plan = structs.replace(plan(), origin=origin, from_record=brought == "played on")
    table = again([], start)
    assert table.summary("ann").brought == brought
    assert table.record()["about"].get("brought", False) == (brought is not None)


def test_the_entries_are_read_as_they_are_written() -> None:
    table = again([Renewed(seat=0, invite="next")], INVITED)
    assert table.summary("ann").invite is None, "nobody sits there"
