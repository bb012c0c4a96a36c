"""The live table: one authority, nothing shown before it is written, nothing played twice."""

import asyncio
import re
from collections.abc import Awaitable, Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from pausing import without_pauses
from playing import GAMES, play_on, random_match
from sitting_down import ADA, ANN, BO, LEVEL_NAMES, Ear, Notebook, again, ask, casual, opened, plan, say, settle

from upcard import Match
from upcard.engine.views import View
from upcard.players import player
from upcard.rules import Game
from upcard.table.actions import AnyAction, Fill, Sit
from upcard.table.changes import SceneChanges, applied, changes
from upcard.table.errors import Forbidden, Refusal, Taken, Unacceptable
from upcard.table.journal import AnyEntry, Plan, Seated, TookBack
from upcard.table.messages import (
    Accepted,
    AnyMessage,
    Notice,
    PeopleChanged,
    Refused,
)
from upcard.table.scene import SceneView, describe
from upcard.table.seats import Place, clean_name, computer
from upcard.table.table import Table
from upcard.table.you import describe_to

# ------------------------------------------------------------------------------------------------------ whole matches


async def test_two_people_play_a_whole_match_and_each_hears_every_event_in_order() -> None:
    table, rng = await opened(ANN, BO), Random(2)
    ears, first = [Ear("ann"), Ear("bo"), Ear(None)], table.seq
    for ear in ears:
        table.join(ear.observer)
    assert all(ear.kinds()[0] == "welcome" for ear in ears)
    while not table.match.done:
        seat = table.match.to_act[0]
        move = rng.choice([move for move in table.match.legal(seat) if move != "declare"])
        answer = await say(table, ("ann", "bo")[seat], f"move {table.seq}", table.seq, move)
        assert isinstance(answer, Accepted)
    for ear, eyes in zip(ears, (0, 1, None), strict=True):
        assert [event.seq for event in ear.events()] == list(range(first + 1, table.seq + 1))
        assert ear.scene == describe_to(table.match.view(eyes), table.match.last_trick, ["Ann", "Bo"])
        assert ear.scene.seat == eyes
        assert ear.scene.winners


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
async def test_a_person_plays_against_computer_players(game: Game[Any]) -> None:
    journal, rng, ears = Notebook(), Random(1), [Ear("ann"), Ear(None)]
    places = [ANN]
    for _ in range(game.default_players - 1):
        places.append(computer("casual", places, LEVEL_NAMES))
    start = Plan("abc", game.slug, game.default_players, 0, {}, "ann")
    table = await Table.open(start, places, journal, casual, LEVEL_NAMES, Random(1))
    for ear in ears:
        table.join(ear.observer)
    await settle(table)
    for _ in range(25):
        if table.match.done:
            break
        assert 0 in table.match.to_act
        await say(table, "ann", f"move {table.seq}", table.seq, rng.choice(table.match.legal(0)))
    assert journal.events == [event.text for event in table.match.events]
    assert len(journal.events) > 25
    names = [place.name or "" for place in places]
    for ear, seat in zip(ears, (0, None), strict=True):
        assert ear.scene == describe_to(table.match.view(seat), table.match.last_trick, names)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
@pytest.mark.parametrize("seed", range(3))
def test_changes_applied_to_a_scene_give_the_next_scene(game: Game[Any], seed: int) -> None:
    match, rng = random_match(game, seed), Random(seed)
    scenes = {seat: describe(match.view(seat)) for seat in (None, *range(match.players))}
    size = whole = 0
    for _ in play_on(match, rng, 150):
        for seat, before in scenes.items():
            after = describe(match.view(seat), match.last_trick)
            told = msgspec.json.decode(msgspec.json.encode(changes(before, after)), type=SceneChanges)
            assert applied(before, told) == after
            size += len(msgspec.json.encode(told))
            whole += len(msgspec.json.encode(after))
            scenes[seat] = after
    assert size < whole * 0.7


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_a_move_is_forced_only_where_everybody_can_count_to_one(game: Game[Any]) -> None:
    match = random_match(game, 3)
    for _ in play_on(match, Random(3), 300):
        for seat in match.to_act:
            forced = describe(match.view(seat)).offers.forced
            if forced:
                assert match.legal(seat) == [forced]
                assert match.view(None).sizes[seat] == 1


def test_a_scene_that_did_not_change_has_no_changes() -> None:
    scene = describe(Match("sixty-six", chance=Random(1)).view(0))
    assert msgspec.json.encode(changes(scene, scene)) == b"{}"


async def test_computer_players_play_a_match_to_its_end_when_the_last_seat_is_theirs() -> None:
    table = await opened(ADA, Place("computer", "Basil", "casual"))
    assert table.match.done


async def test_moves_made_at_once_are_written_together_and_told_one_by_one() -> None:
    """As if each had been waited for: the same match, the same messages, in fewer writes."""
    told, matches, writes = [], [], []
    for at_once in (False, True):
        luck, journal, ear = Random(1), Counted(), Ear("ann")

        def quickly(level: str, seen: View[Any], luck: Random = luck) -> str:
            return player("heuristic").choose(seen, luck)

        async def slowly(level: str, seen: View[Any], luck: Random = luck) -> str:
            return player("heuristic").choose(seen, luck)

        think = quickly if at_once else slowly
        start = plan("oh-hell", 5, max_cards=2)
        table = await Table.open(start, [ANN, *[ADA] * 4], journal, think, LEVEL_NAMES, Random(1))
        table.join(ear.observer)
        await settle(table)
        while not table.done:
            await say(table, "ann", f"{table.seq}", table.seq, table.match.legal(0)[0])
        told.append([message.json for message in ear.events()])
        matches.append(journal.events)
        writes.append(journal.writes)
    assert matches[0] == matches[1]
    assert told[0] == told[1]
    assert writes[1] < 0.6 * writes[0]


class Counted(Notebook):
    """Counts how often something was written."""

    def __init__(self) -> None:
        super().__init__()
        self.writes = 0

    async def append(self, table: str, first: int, entries: Sequence[AnyEntry], *, done: bool) -> None:
        await super().append(table, first, entries, done=done)
        self.writes += 1


@pytest.mark.parametrize("fault", [RuntimeError("confused"), SystemExit()])
@pytest.mark.parametrize("at_once", [True, False])
async def test_a_player_that_fails_is_helped_out_with_a_legal_move(fault: BaseException, at_once: bool) -> None:
    def confused(level: str, seen: View[Any]) -> str | Awaitable[str]:
        return says(seen) if at_once else later(seen)

    def says(seen: View[Any]) -> str:
        if seen.state.deals % 2:
            raise fault
        return "no such move"

    async def later(seen: View[Any]) -> str:
        return says(seen)

    table = await Table.open(plan(target=3), [ADA, ADA], Notebook(), confused, LEVEL_NAMES, Random(1))
    await settle(table)
    assert table.match.done


# --------------------------------------------------------------------------------------------------- written, then told


async def test_nothing_is_told_before_it_is_written() -> None:
    journal = Notebook()
    table, ear = await opened(ANN, BO, journal=journal), Ear("ann")
    table.join(ear.observer)
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
    table.join(ear.observer)
    await table.move("bo", "m", table.seq, table.match.legal(1)[0], ear.messages.append)
    assert ear.kinds() == ["welcome", "accepted", "event"]


async def test_those_who_look_on_from_one_seat_are_told_the_same_message() -> None:
    table = await opened(ANN, BO)
    ears = [Ear("bo"), Ear("bo"), Ear(None), Ear("eve"), Ear(None)]
    for ear in ears:
        table.join(ear.observer)
    await say(table, "bo", "m", table.seq, table.match.legal(1)[0])
    events = [ear.events()[-1] for ear in ears]
    assert events[0] is events[1]
    assert events[2] is events[3] is events[4]
    assert events[0] is not events[2]
    assert events[0].json is events[1].json


async def test_a_journal_that_fails_leaves_the_table_as_it_was() -> None:
    journal = Notebook()
    table, ear = await opened(ANN, BO, journal=journal), Ear("ann")
    table.join(ear.observer)
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
        assert table._driver is not None
        await table._driver
    assert table.match.done
    assert waited == [0.5, 1, 2, 4, 8, 16, 30, 30, 30]


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
    table.join(ear.observer)
    with monkeypatch.context() as patch:
        without_pauses(patch, pause)

        def fail(answer: AnyMessage) -> None:
            journal.failing = True

        move = next(move for move in table.match.legal(0) if passes_on(table, move))
        await table.move("ann", "m", table.seq, move, fail)
        assert table._driver is not None
        await table._driver
    notices = [message for message in ear.messages if isinstance(message, Notice)]
    assert [notice.kind for notice in notices] == ["trouble", "well"]
    assert "disk is full" in notices[0].text


# ------------------------------------------------------------------------------------------- two programs, one journal


async def test_two_programs_over_one_journal_never_part(monkeypatch: pytest.MonkeyPatch) -> None:
    journal, rng = Notebook(), Random(3)
    one = await opened(ANN, BO, journal=journal)
    two = Table(one.plan, journal, casual, LEVEL_NAMES, entries=journal.entries, chance=Random(1))
    ears = [Ear("ann"), Ear("ann")]
    one.join(ears[0].observer)
    two.join(ears[1].observer)
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
    assert "move already" in late.text
    assert third.seq == seq + 1


async def test_bids_made_at_once_through_two_programs_are_all_taken() -> None:
    journal, cy = Notebook(), Place("person", "Cy", None, "cy")
    one = await opened(ANN, BO, cy, journal=journal, game="oh-hell", players=3)
    two = Table(one.plan, journal, casual, LEVEL_NAMES, entries=journal.entries, chance=Random(1))
    seq = one.seq
    moves = [(one, "ann"), (two, "bo"), (one, "cy")]
    answers = await asyncio.gather(*[say(table, name, name, seq, "bid 1") for table, name in moves])
    assert all(isinstance(answer, Accepted) for answer in answers)
    assert sorted(journal.events[1:4]) == ["0 bid 1", "1 bid 1", "2 bid 1"]


# ------------------------------------------------------------------------------------------------------------ refusals


async def test_the_same_id_again_is_answered_as_the_first_time_and_not_played_twice() -> None:
    table = await opened(ANN, BO)
    seq = table.seq
    move = table.match.legal(1)[0]
    first = await say(table, "bo", "m", seq, move)
    assert isinstance(first, Accepted)
    for _ in range(3):
        assert await say(table, "bo", "m", seq, move) == first
    assert table.seq == seq + 1
    refused = await say(table, "bo", "n", seq + 1, "declare")
    assert isinstance(refused, Refused)
    await say(table, "ann", "m", seq + 1, table.match.legal(0)[0])
    assert await say(table, "bo", "n", seq + 1, "declare") == refused


async def test_the_same_id_of_another_seat_is_another_move() -> None:
    table = await opened(ANN, BO)
    seq = table.seq
    assert isinstance(await say(table, "bo", "m", seq, table.match.legal(1)[0]), Accepted)
    assert isinstance(await say(table, "ann", "m", seq + 1, table.match.legal(0)[0]), Accepted)
    assert table.seq == seq + 2


async def test_two_moves_for_the_same_turn_are_one() -> None:
    table, rng = await opened(ANN, BO), Random(1)
    seq = table.seq
    await say(table, "bo", "1", seq, "close")
    second = await say(table, "bo", "2", seq, rng.choice(table.match.legal(1)))
    assert isinstance(second, Refused)
    assert "move already" in second.text
    assert table.seq == seq + 1
    assert isinstance(await say(table, "bo", "3", seq + 1, table.match.legal(1)[0]), Accepted)


async def test_a_move_made_before_its_turn_came_is_refused() -> None:
    table = await opened(ANN, BO)
    seq = table.seq
    await say(table, "bo", "1", seq, table.match.legal(1)[0])
    assert isinstance(await say(table, "ann", "2", seq, table.match.legal(0)[0]), Refused)
    assert isinstance(await say(table, "ann", "3", 99, table.match.legal(0)[0]), Refused)
    assert table.seq == seq + 1


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
async def test_what_cannot_be_done_is_refused_with_its_clause(
    identity: str | None, text: str, clause: str | None
) -> None:
    table = await opened(ANN, BO)
    seq = table.seq
    answer = await say(table, identity, "m", seq, text)
    assert isinstance(answer, Refused)
    assert answer.clause == clause
    assert answer.text
    assert "\n" not in answer.text
    assert table.seq == seq


async def test_a_refusal_says_what_the_clause_says() -> None:
    table = await opened(ANN, BO)
    hand = table.scene(0).hand
    lead = next(card for card in table.match.legal(1) if {card[1]} < {held[1] for held in hand})
    wrong = next(card for card in hand if card[1] != lead[1])
    await say(table, "bo", "1", table.seq, "close")
    await say(table, "bo", "2", table.seq, lead)
    answer = await say(table, "ann", "3", table.seq, wrong)
    assert answer.clause == "SS-17"
    assert re.match("You have [♠♥♦♣], so you must follow suit: .*[.]$", answer.text)


async def test_nobody_moves_before_all_seats_are_taken_or_after_the_end() -> None:
    table = await opened(ANN, Place())
    assert isinstance(await say(table, "ann", "m", 1, "Kh"), Refused)
    assert table.match.events == []
    table = await opened(ANN, BO, target=1)
    await say(table, "bo", "m", table.seq, "declare")
    assert table.match.done
    answer = await say(table, "ann", "n", table.seq, "Kh")
    assert answer.clause == "SS-48"


# ---------------------------------------------------------------------------------------------------- sealed bids


async def test_bids_made_at_once_are_taken_in_any_order_and_stay_secret() -> None:
    cy = Place("person", "Cy", None, "cy")
    table = await opened(ANN, BO, cy, game="oh-hell", players=3)
    ears, seq = [Ear(name) for name in ("ann", "bo", "cy")], table.seq
    for ear in ears:
        table.join(ear.observer)
    assert isinstance(await say(table, "cy", "c", seq, "bid 1"), Accepted)
    assert ears[0].events()[0].log == ears[1].events()[0].log
    assert "1" not in ears[0].events()[0].log.text
    assert ears[2].events()[0].log.text == "You bid 1"
    assert isinstance(await say(table, "ann", "a", seq, "bid 0"), Accepted)  # had not seen Cy's bid
    assert "move already" in (await say(table, "ann", "a2", seq, "bid 1")).text
    assert isinstance(await say(table, "bo", "b", seq, "bid 1"), Accepted)
    assert ears[0].events()[-1].log.text == "All is open: you bid 0, Bo bids 1, Cy bids 1"


# ------------------------------------------------------------------------------------------------------ coming, going


async def test_people_sit_down_and_the_match_begins_with_the_last_of_them() -> None:
    journal = Notebook()
    table, ear, ann = await opened(ANN, Place(), journal=journal), Ear("bo"), Ear("ann")
    table.join(ear.observer)
    table.join(ann.observer)
    assert ear.scene is not None
    assert ear.scene.seat is None
    assert not table.summary("bo").started
    await ask(table, "bo", Sit("  Bo\tthe\u202e\u0000 Great  "))
    assert table.places[1] == Place("person", "Bo the Great", None, "bo")
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
    table = await opened(ANN, Place(), BO, game="oh-hell", players=3)
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
    assert table.places[1] == Place()
    await ask(table, "ann", Fill("casual", 1))
    assert table.places[1].who == "computer"
    with pytest.raises(Taken):
        await table.ask("eve", Sit("Eve"))


async def test_all_open_seats_are_filled_at_once() -> None:
    journal = Notebook()
    table = await opened(Place(), ANN, Place(), Place(), journal=journal, game="oh-hell", players=4)
    await ask(table, "ann", Fill("casual"))
    assert [place.who for place in table.places] == ["computer", "person", "computer", "computer"]
    assert len({place.name for place in table.places}) == 4
    assert table.summary("ann").started


async def test_of_two_people_who_want_one_seat_one_gets_it() -> None:
    table = await opened(ANN, Place())
    wanted: list[tuple[str, AnyAction]] = [("bo", Sit("Bo", 1)), ("cy", Sit("Cy", 1)), ("ann", Fill("casual", 1))]
    results = await asyncio.gather(*[table.ask(who, what) for who, what in wanted], return_exceptions=True)
    assert results[0] is None
    assert all(isinstance(result, Taken) for result in results[1:])


async def test_a_seat_that_cannot_be_written_stays_open() -> None:
    journal = Notebook()
    table = await opened(ANN, Place(), journal=journal)
    journal.failing = True
    with pytest.raises(Refusal, match="disk is full"):
        await table.ask("bo", Sit("Bo", 1))
    assert table.places[1] == Place()


async def test_who_leaves_keeps_the_seat_and_others_see_who_is_here() -> None:
    table, ann, bo = await opened(ANN, BO), Ear("ann"), Ear("bo")
    table.join(ann.observer)
    assert [seat.here for seat in table.summary(None).seats] == [True, False]
    table.join(bo.observer)
    assert isinstance(ann.messages[-1], PeopleChanged)
    assert ann.messages[-1].here == [True, True]
    table.leave(bo.observer)
    assert ann.messages[-1].here == [True, False]
    assert ann.messages[-1].away_since[1] is not None
    await say(table, "bo", "m", table.seq, table.match.legal(1)[0])
    back = Ear("bo")
    table.join(back.observer)
    assert back.seq == table.seq
    assert back.scene is not None
    assert back.scene.seat == 1


async def test_who_lost_the_thread_gets_a_welcome() -> None:
    table, ear = await opened(ANN, BO), Ear("ann")
    table.join(ear.observer)
    await say(table, "bo", "m", table.seq, table.match.legal(1)[0])
    table.look(ear.observer)
    assert ear.kinds() == ["welcome", "event", "welcome"]
    assert ear.scene == table.scene(0)


def test_names_are_fit_to_be_shown() -> None:
    assert clean_name("  Ann \n Lee ", ()) == "Ann Lee"
    assert clean_name("x" * 99, ()) == "x" * 30
    assert clean_name("Ann", [ANN, Place("person", "Ann 2")]) == "Ann 3"
    assert clean_name("<b>", ()) == "<b>"
    assert clean_name("Zoe\u0308", [Place("person", "Zoë")]) == "Zoë 2"
    assert clean_name("Ann\ufe0f\u3164", [ANN]) == "Ann 2"
    with pytest.raises(Unacceptable):
        clean_name("\u3164\u2800", ())
    assert computer("casual", [Place("person", "Ada")], LEVEL_NAMES).name == "Basil"


async def test_what_is_told_names_no_identity() -> None:
    table, ear = await opened(ANN, BO), Ear(None)
    table.join(ear.observer)
    await say(table, "bo", "secret id of a move", table.seq, table.match.legal(1)[0])
    told = " ".join(message.json for message in ear.messages)
    assert '"ann"' not in told
    assert '"bo"' not in told
    assert "secret id" not in told


# ------------------------------------------------------------------------------------------------------------ restored


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
async def test_a_table_made_again_from_its_journal_is_the_same_for_everybody(game: Game[Any]) -> None:
    journal, rng = Notebook(), Random(4)
    people = [Place("person", f"P{seat}", None, f"id{seat}") for seat in range(game.default_players)]
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


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
async def test_events_that_were_taken_back_leave_no_trace_but_a_number(game: Game[Any]) -> None:
    journal, rng = Notebook(), Random(7)
    people = [Place("person", f"P{seat}", None, f"id{seat}") for seat in range(game.default_players)]
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


# ------------------------------------------------------------------------------------------------------- many watchers


async def test_a_thousand_watchers_who_come_and_go_are_one_word_to_the_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upcard.table.company.WATCHERS_PAUSE", 0.01)
    table, ann = await opened(ANN, BO), Ear("ann")
    table.join(ann.observer)
    crowd = [Ear(None if number % 2 else f"watcher {number}") for number in range(1000)]
    for ear in crowd:
        table.join(ear.observer)
    while len(ann.messages) < 2:
        await asyncio.sleep(0.01)
    assert isinstance(ann.messages[1], PeopleChanged)
    assert ann.messages[1].watching == 1000
    for ear in crowd[1:]:
        table.leave(ear.observer)
    while len(ann.messages) < 3:
        await asyncio.sleep(0.01)
    assert ann.kinds() == ["welcome", "people", "people"]
    assert all(len(ear.messages) <= 2 for ear in crowd[1:])
    assert table.summary(None).watching == 1
