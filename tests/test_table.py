"""The live table: one authority, nothing shown before it is written, nothing played twice."""

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from playing import GAMES

from upcard.engine.views import View
from upcard.rules import Game
from upcard.table.scene import describe
from upcard.table.table import (
    Entry,
    Face,
    Forbidden,
    NotWritten,
    Place,
    Plan,
    Refusal,
    Table,
    Taken,
    Unacceptable,
    choose,
    clean_name,
    computer,
)


class Notebook:
    """A journal in memory, which can be held up or fail."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.places: dict[int, Place] = {}
        self.done = False
        self.failing = False
        self.open = asyncio.Event()
        self.open.set()

    async def _write(self) -> None:
        await self.open.wait()
        if self.failing:
            raise NotWritten("This could not be written down (the disk is full)")

    async def write_table(self, plan: Plan, places: Sequence[Place]) -> None:
        await self._write()

    async def write_place(self, table: str, seat: int, place: Place) -> None:
        await self._write()
        self.places[seat] = place

    async def write_event(self, table: str, entry: Entry, done: bool) -> None:
        await self._write()
        self.entries.append(entry)
        self.done = done


class Ear:
    """A face that remembers what it was told."""

    def __init__(self, identity: str | None) -> None:
        self.messages: list[dict[str, Any]] = []
        self.face = Face(identity, self.messages.append)

    def kinds(self) -> list[str]:
        return [message["type"] for message in self.messages]

    def events(self) -> list[dict[str, Any]]:
        return [message for message in self.messages if message["type"] == "event"]

    @property
    def scene(self) -> dict[str, Any]:
        return next(message["scene"] for message in reversed(self.messages) if "scene" in message)


async def thumb(level: str, seen: View) -> str:
    return choose(level, seen)


def plan(game: str = "sixty-six", players: int = 2, dealer: int = 0, **options: Any) -> Plan:
    return Plan("abc", game, players, dealer, options, "ann")


ANN, BO, ADA = (
    Place("person", "Ann", None, "ann"),
    Place("person", "Bo", None, "bo"),
    Place("computer", "Ada", "casual"),
)


async def opened(*places: Place, journal: Notebook | None = None, seed: int = 1, **options: Any) -> Table:
    table = await Table.open(plan(**options), places, journal or Notebook(), thumb, Random(seed))
    await settle(table)
    return table


async def settle(table: Table) -> None:
    """Until nothing happens by itself any more."""
    while table._driver is not None and not table._driver.done():
        await asyncio.sleep(0)


async def say(table: Table, identity: str | None, move_id: str, seq: int, text: str) -> dict[str, Any]:
    answers: list[dict[str, Any]] = []
    await table.move(identity, move_id, seq, text, answers.append)
    await settle(table)
    (answer,) = answers
    return answer


# ------------------------------------------------------------------------------------------------------ whole matches


async def test_two_people_play_a_whole_match_and_each_hears_every_event_in_order() -> None:
    table, rng = await opened(ANN, BO), Random(2)
    ears = [Ear("ann"), Ear("bo"), Ear(None)]
    for ear in ears:
        table.join(ear.face)
    assert all(ear.kinds()[0] == "welcome" for ear in ears)
    while not table.match.done:
        seat = table.match.to_act[0]
        move = rng.choice([move for move in table.match.legal(seat) if move != "declare"])
        answer = await say(table, ("ann", "bo")[seat], f"move {table.seq}", table.seq, move)
        assert answer == {"type": "accepted", "id": answer["id"], "seq": answer["seq"]}
    for ear, seat in zip(ears, (0, 1, None), strict=True):
        assert [event["seq"] for event in ear.events()] == list(range(2, table.seq + 1))
        assert ear.scene == describe(table.match.view(seat), table.match.last_trick, ["Ann", "Bo"])
        assert ear.scene["seat"] == seat
    assert ears[0].scene["winners"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
async def test_a_person_plays_against_computer_players(game: Game) -> None:
    journal, rng = Notebook(), Random(1)
    places = [ANN]
    for _ in range(game.default_players - 1):
        places.append(computer("casual", places))
    start = Plan("abc", game.slug, game.default_players, 0, {}, "ann")
    table = await Table.open(start, places, journal, thumb, Random(1))
    await settle(table)
    for _ in range(25):
        if table.match.done:
            break
        assert table.match.to_act == [0] or 0 in table.match.to_act
        await say(table, "ann", f"move {table.seq}", table.seq, rng.choice(table.match.legal(0)))
    assert [entry.text for entry in journal.entries] == table.match.events
    assert len(table.match.events) > 25


async def test_computer_players_play_a_match_to_its_end_when_the_last_seat_is_theirs() -> None:
    table = await opened(ADA, Place("computer", "Basil", "casual"))
    assert table.match.done


async def test_a_player_that_fails_is_helped_out_with_a_legal_move() -> None:
    async def confused(level: str, seen: View) -> str:
        if seen.state.deals % 2:
            raise RuntimeError("confused")
        return "no such move"

    table = await Table.open(plan(target=3), [ADA, ADA], Notebook(), confused, Random(1))
    await settle(table)
    assert table.match.done


# --------------------------------------------------------------------------------------------------- written, then told


async def test_nothing_is_told_before_it_is_written() -> None:
    journal = Notebook()
    table, ear = await opened(ANN, BO, journal=journal), Ear("ann")
    table.join(ear.face)
    journal.open.clear()
    before, heard = table.match, len(ear.messages)
    move = table.match.legal(1)[0]
    answers: list[dict[str, Any]] = []
    moving = asyncio.create_task(table.move("bo", "m", 1, move, answers.append))
    for _ in range(10):
        await asyncio.sleep(0)
    assert table.match is before
    assert answers == []
    assert len(ear.messages) == heard
    assert table.welcome("bo")["seq"] == 1
    journal.open.set()
    await moving
    assert [entry.text for entry in journal.entries][-1] == f"1 {move}"
    assert answers[0]["type"] == "accepted"
    assert ear.events()[-1]["seq"] == 2


async def test_the_mover_hears_accepted_before_the_event() -> None:
    table, ear = await opened(ANN, BO), Ear("bo")
    table.join(ear.face)
    await table.move("bo", "m", 1, table.match.legal(1)[0], ear.messages.append)
    assert ear.kinds() == ["welcome", "accepted", "event"]


async def test_a_journal_that_fails_leaves_the_table_as_it_was() -> None:
    journal = Notebook()
    table, ear = await opened(ANN, BO, journal=journal), Ear("ann")
    table.join(ear.face)
    heard, welcome = len(ear.messages), table.welcome("bo")
    journal.failing = True
    move = table.match.legal(1)[0]
    answer = await say(table, "bo", "m", 1, move)
    assert answer["type"] == "refused"
    assert "disk is full" in answer["text"]
    assert table.welcome("bo") == welcome
    assert len(ear.messages) == heard
    journal.failing = False
    assert (await say(table, "bo", "m", 1, move))["type"] == "accepted"


async def test_computer_players_go_on_when_the_journal_works_again(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    journal = Notebook()

    async def no_sleep(seconds: float) -> None:
        waited.append(seconds)
        journal.failing = len(waited) < 9

    table = Table(plan(target=1), [ADA, ADA], journal, thumb, chance=Random(1))
    journal.failing = True
    with monkeypatch.context() as patch:
        patch.setattr("upcard.table.asyncio.sleep", no_sleep)
        table.wake()
        assert table._driver is not None
        await table._driver
    assert table.match.done
    assert waited == [0.5, 1, 2, 4, 8, 16, 30, 30, 30]


async def test_a_move_is_finished_though_its_maker_is_gone() -> None:
    journal = Notebook()
    table = await opened(ANN, BO, journal=journal)
    journal.open.clear()
    moving = asyncio.create_task(table.move("bo", "m", 1, table.match.legal(1)[0], lambda message: None))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    moving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await moving
    journal.open.set()
    answer = await say(table, "bo", "m", 1, "whatever")
    assert answer == {"type": "accepted", "id": "m", "seq": 2}
    assert table.seq == len(journal.entries) == 2


# ------------------------------------------------------------------------------------------------------------ refusals


async def test_the_same_id_again_is_answered_as_the_first_time_and_not_played_twice() -> None:
    table = await opened(ANN, BO)
    move = table.match.legal(1)[0]
    first = await say(table, "bo", "m", 1, move)
    assert first["type"] == "accepted"
    for _ in range(3):
        assert await say(table, "bo", "m", 1, move) == first
    assert table.seq == 2
    refused = await say(table, "bo", "n", 2, "declare")
    assert refused["type"] == "refused"
    await say(table, "ann", "m", 2, table.match.legal(0)[0])
    assert await say(table, "bo", "n", 2, "declare") == refused


async def test_the_same_id_of_another_seat_is_another_move() -> None:
    table = await opened(ANN, BO)
    assert (await say(table, "bo", "m", 1, table.match.legal(1)[0]))["type"] == "accepted"
    assert (await say(table, "ann", "m", 2, table.match.legal(0)[0]))["type"] == "accepted"
    assert table.seq == 3


async def test_two_moves_for_the_same_turn_are_one() -> None:
    table, rng = await opened(ANN, BO), Random(1)
    await say(table, "bo", "1", 1, "close")
    second = await say(table, "bo", "2", 1, rng.choice(table.match.legal(1)))
    assert second["type"] == "refused"
    assert "same turn" in second["text"]
    assert table.seq == 2
    assert (await say(table, "bo", "3", 2, table.match.legal(1)[0]))["type"] == "accepted"


async def test_a_move_made_before_its_turn_came_is_refused() -> None:
    table = await opened(ANN, BO)
    await say(table, "bo", "1", 1, table.match.legal(1)[0])
    early = await say(table, "ann", "2", 1, table.match.legal(0)[0])
    assert early["type"] == "refused"
    late = await say(table, "ann", "3", 99, table.match.legal(0)[0])
    assert late["type"] == "refused"
    assert table.seq == 2


@pytest.mark.parametrize(
    ("identity", "text", "clause"),
    [
        ("ann", "Kh", "SS-48"),
        ("bo", "xyz", "SS-48"),
        ("bo", "", "SS-48"),
        ("bo", "deal", "SS-48"),
        ("bo", "Kh" * 90, "SS-48"),
        (None, "Kh", None),
        ("eve", "Kh", None),
    ],
)
async def test_what_cannot_be_done_is_refused_with_its_clause(identity: str | None, text: str, clause: str) -> None:
    table = await opened(ANN, BO)
    answer = await say(table, identity, "m", 1, text)
    assert answer["type"] == "refused"
    assert answer["clause"] == clause
    assert answer["text"]
    assert "\n" not in answer["text"]
    assert table.seq == 1


async def test_a_refusal_says_what_the_clause_says() -> None:
    table = await opened(ANN, BO)
    hand = describe(table.match.view(0))["hand"]
    lead = next(card for card in table.match.legal(1) if {card[1]} < {held[1] for held in hand})
    wrong = next(card for card in hand if card[1] != lead[1])
    await say(table, "bo", "1", 1, "close")
    await say(table, "bo", "2", 2, lead)
    answer = await say(table, "ann", "3", 3, wrong)
    assert answer["clause"] == "SS-17"
    assert answer["text"].startswith(f"“{wrong}” is not possible: From then on the second player must follow suit")


async def test_nobody_moves_before_all_seats_are_taken_or_after_the_end() -> None:
    table = await opened(ANN, Place())
    assert (await say(table, "ann", "m", 0, "Kh"))["type"] == "refused"
    assert table.seq == 0
    table = await opened(ANN, BO, target=1)
    await say(table, "bo", "m", 1, "declare")
    assert table.match.done
    answer = await say(table, "ann", "n", 2, "Kh")
    assert answer["clause"] == "SS-48"


# ---------------------------------------------------------------------------------------------------- sealed bids


async def test_bids_made_at_once_are_taken_in_any_order_and_stay_secret() -> None:
    cy = Place("person", "Cy", None, "cy")
    table = await opened(ANN, BO, cy, game="oh-hell", players=3)
    ears = [Ear(name) for name in ("ann", "bo", "cy")]
    for ear in ears:
        table.join(ear.face)
    assert (await say(table, "cy", "c", 1, "bid 1"))["type"] == "accepted"
    assert [event["log"]["text"] for event in ears[0].events()] == [event["log"]["text"] for event in ears[1].events()]
    assert "1" not in ears[0].events()[0]["log"]["text"]
    assert ears[2].events()[0]["log"]["text"] == "Cy bids 1"
    assert (await say(table, "ann", "a", 1, "bid 0"))["type"] == "accepted"  # had not seen Cy's bid
    assert "same turn" in (await say(table, "ann", "a2", 1, "bid 1"))["text"]
    assert (await say(table, "bo", "b", 1, "bid 1"))["type"] == "accepted"
    assert ears[0].events()[-1]["log"]["text"] == "All is open: Ann bids 0, Bo bids 1, Cy bids 1"


# ------------------------------------------------------------------------------------------------------ coming, going


async def test_people_sit_down_and_the_match_begins_with_the_last_of_them() -> None:
    journal = Notebook()
    table, ear = await opened(ANN, Place(), journal=journal), Ear("bo")
    table.join(ear.face)
    assert ear.scene["seat"] is None
    assert not table.summary("bo")["started"]
    await table.sit("bo", "  Bo\tthe\u202e\u0000 Great  ", None)
    await settle(table)
    assert table.places[1] == journal.places[1] == Place("person", "Bo the Great", None, "bo")
    assert ear.kinds().count("welcome") == 2
    assert ear.scene["seat"] == 1
    assert len(ear.scene["hand"]) == 6
    assert table.summary("bo")["you"] == 1
    assert table.summary("bo")["started"]
    await table.sit("bo", "Bo", None)  # sits already


async def test_seats_are_refused_with_a_reason() -> None:
    table = await opened(ANN, Place(), BO, game="oh-hell", players=3)
    with pytest.raises(Taken):
        await table.sit("eve", "Eve", 0)
    with pytest.raises(Taken):
        await table.sit("bo", "Bo", 1)
    with pytest.raises(Unacceptable):
        await table.sit("eve", "Eve", 7)
    with pytest.raises(Unacceptable):
        await table.sit("eve", " \n", None)
    with pytest.raises(Forbidden):
        await table.fill("bo", 1, "casual")
    with pytest.raises(Taken):
        await table.fill("ann", 2, "casual")
    with pytest.raises(Unacceptable):
        await table.fill("ann", 1, "genius")
    with pytest.raises(Unacceptable):
        await table.fill("ann", -1, "casual")
    assert table.places[1] == Place()
    await table.fill("ann", 1, "casual")
    assert table.places[1].who == "computer"
    with pytest.raises(Taken):
        await table.sit("eve", "Eve", None)


async def test_of_two_people_who_want_one_seat_one_gets_it() -> None:
    table = await opened(ANN, Place())
    results = await asyncio.gather(
        table.sit("bo", "Bo", 1), table.sit("cy", "Cy", 1), table.fill("ann", 1, "casual"), return_exceptions=True
    )
    assert results[0] is None
    assert all(isinstance(result, Taken) for result in results[1:])


async def test_a_seat_that_cannot_be_written_stays_open() -> None:
    journal = Notebook()
    table = await opened(ANN, Place(), journal=journal)
    journal.failing = True
    with pytest.raises(Refusal, match="disk is full"):
        await table.sit("bo", "Bo", 1)
    assert table.places[1] == Place()


async def test_who_leaves_keeps_the_seat_and_others_see_who_is_here() -> None:
    table, ann, bo = await opened(ANN, BO), Ear("ann"), Ear("bo")
    table.join(ann.face)
    assert [seat["here"] for seat in table.summary(None)["seats"]] == [True, False]
    table.join(bo.face)
    assert ann.messages[-1]["table"]["seats"][1]["here"]
    table.leave(bo.face)
    assert not ann.messages[-1]["table"]["seats"][1]["here"]
    assert ann.messages[-1]["table"]["you"] == 0
    await say(table, "bo", "m", 1, table.match.legal(1)[0])
    again = Ear("bo")
    table.join(again.face)
    assert again.messages[0]["seq"] == 2
    assert again.scene["seat"] == 1


def test_names_are_fit_to_be_shown() -> None:
    assert clean_name("  Ann \n Lee ", ()) == "Ann Lee"
    assert clean_name("x" * 99, ()) == "x" * 30
    assert clean_name("Ann", [ANN, Place("person", "Ann 2")]) == "Ann 3"
    assert clean_name("<b>", ()) == "<b>"
    names = [place.name for place in [computer("casual", [Place("person", "Ada")])]]
    assert names == ["Basil"]


async def test_what_is_told_names_no_identity() -> None:
    table, ear = await opened(ANN, BO), Ear(None)
    table.join(ear.face)
    await say(table, "bo", "secret id of a move", 1, table.match.legal(1)[0])
    assert "'ann'" not in str(ear.messages)
    assert "'bo'" not in str(ear.messages)
    assert "secret" not in str(ear.messages)


# ------------------------------------------------------------------------------------------------------------ restored


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
async def test_a_table_made_again_from_its_journal_is_the_same_for_everybody(game: Game) -> None:
    journal, rng = Notebook(), Random(4)
    people = [Place("person", f"P{seat}", None, f"id{seat}") for seat in range(game.default_players)]
    start = Plan("abc", game.slug, game.default_players, 0, {}, "id0")
    table = await Table.open(start, people, journal, thumb, Random(4))
    await settle(table)
    answers = {}
    for number in range(60):
        if table.match.done:
            break
        seat = rng.choice(table.match.to_act)
        move = rng.choice(table.match.legal(seat))
        answers[seat, str(number)] = await say(table, f"id{seat}", str(number), table.seq, move)
    for cut in (0, 1, len(journal.entries) // 2, len(journal.entries)):
        again = Table(start, people, journal, thumb, entries=journal.entries[:cut])
        assert again.match.events == table.match.events[:cut]
    for identity in [None, *(f"id{seat}" for seat in range(game.default_players))]:
        assert again.welcome(identity) == table.welcome(identity)
    for (seat, move_id), answer in answers.items():
        assert await say(again, f"id{seat}", move_id, 0, "anything") == answer
    assert again._since == table._since
    assert again._moved == table._moved


async def test_a_table_made_again_deals_and_moves_where_it_stopped() -> None:
    journal = Notebook()
    table = await opened(ANN, ADA, journal=journal, dealer=0)
    assert table.match.to_act == [0]
    for cut in range(len(journal.entries) + 1):
        again = Table(plan(), [ANN, ADA], Notebook(), thumb, entries=journal.entries[:cut], chance=Random(1))
        again.wake()
        await settle(again)
        assert again.match.to_act == [0]
