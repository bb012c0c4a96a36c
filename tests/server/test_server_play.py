"""Playing over the WebSocket: whole matches, reconnection, and people who misbehave."""

import asyncio
import json
from pathlib import Path
from random import Random

import pytest
from serving import COMPUTER, ME, OPEN, Person
from waiting import PATIENCE
from websockets.exceptions import ConnectionClosed, InvalidStatus

from upcard.engine.records import replay
from upcard.server import live
from upcard.server.guard import FOREIGN
from upcard.table.messages import Accepted, Alive, EventHappened, Refused, Welcome


async def finish(person: Person, rng: Random) -> None:
    """Play anything to the end of the match."""
    async with asyncio.timeout(PATIENCE):
        while await person.my_turn():
            moves = [move for move in person.moves if move != "declare"]
            assert isinstance(await person.move(rng.choice(moves)), Accepted)


def in_order(person: Person) -> None:
    """Every event was heard once and in order."""
    events = [message.seq for message in person.messages if isinstance(message, EventHappened)]
    assert events == list(range(events[0], events[0] + len(events)))


async def test_a_whole_match_of_a_person_and_a_computer_player(ann: Person) -> None:
    await ann.open(ME, COMPUTER)
    welcome = await ann.look()
    assert welcome.table.started
    await finish(ann, Random(1))
    in_order(ann)
    assert ann.scene.winners
    assert ann.scene.prompt.startswith("The match is over")
    assert (await ann.http.get(f"/api/tables/{ann.table}")).json()["done"]
    assert (await ann.http.get("/api/tables")).json()[0]["done"]


async def test_a_whole_match_with_odd_numbers(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three-card Loo from a file."""
    monkeypatch.setenv("UPCARD_GAMES", str(Path(__file__).parents[1] / "odd_tables.py"))
    await ann.open(ME, *[COMPUTER] * 4, game="odd-loo", rounds=1)
    await ann.look()
    await finish(ann, Random(1))
    in_order(ann)
    assert ann.scene.winners
    record = (await ann.http.get(f"/api/tables/{ann.table}/record")).json()
    match = replay(record)
    assert [seat.score for seat in ann.scene.seats] == match.report()["scores"]
    assert sum(match.report()["scores"]) == 0


async def test_a_whole_match_of_two_people_and_somebody_who_watches(ann: Person, bo: Person, place: str) -> None:
    table = await ann.open(ME, OPEN, target=2)
    async with Person(place, "Eve") as eve:
        await eve.look(table.id)
        await ann.look()
        assert eve.scene.seat is None
        await bo.sit(table)
        await bo.look()
        await asyncio.gather(finish(ann, Random(1)), finish(bo, Random(2)))
        await eve.until(lambda message: eve.scene.done)
        for person in (ann, bo, eve):
            in_order(person)
        assert (ann.scene.seat, bo.scene.seat, eve.scene.seat) == (0, 1, None)
        assert not any('"hand":["' in text for text in eve.texts)
        assert ann.scene.winners == bo.scene.winners == eve.scene.winners != []


async def test_two_people_bid_at_the_same_moment_and_hear_nothing_of_the_others_bid(ann: Person, bo: Person) -> None:
    table = await ann.open(ME, OPEN, COMPUTER, game="oh-hell")
    await bo.sit(table)
    await ann.look()
    await bo.look()
    await ann.my_turn()
    await bo.my_turn()
    assert isinstance(await ann.move("bid 1"), Accepted)
    heard = await bo.until(lambda message: isinstance(message, EventHappened) and "Ann" in message.log.text)
    assert "1" not in heard.log.text
    assert "1" not in [mark.value for mark in bo.scene.seats[0].marks if mark.label == "Bid"]
    assert isinstance(await bo.move("bid 0"), Accepted)
    async with asyncio.timeout(PATIENCE):
        while ann.scene.phase != "play":
            await ann.next()
    assert "Bo bids 0" in "".join(ann.texts)


async def test_the_same_move_again_is_answered_again_and_not_played_twice(ann: Person) -> None:
    table = await ann.open(ME, OPEN)
    async with Person(ann.place, "Bo") as bo:
        await bo.sit(table)
        for person in (ann, bo):
            await person.look()
            await person.begun()
        mover = ann if ann.moves else bo
        text, seq = mover.moves[0], mover.seq
        first = await mover.move(text, "once", seq)
        await mover.look()
        assert mover.seq == seq + 1
        assert await mover.move(text, "once", seq) == first == Accepted("once", seq + 1)
        stale = await mover.move(text, "twice", seq)
        assert isinstance(stale, Refused)
        assert "already made your move" in stale.text
        await mover.look()
        assert mover.seq == seq + 1


async def test_who_comes_back_sits_at_the_same_place_and_knows_what_happened(ann: Person) -> None:
    await ann.open(ME, COMPUTER)
    await ann.look()
    for _ in range(3):
        await ann.my_turn()
        await ann.move(ann.moves[0])
    await ann.my_turn()
    seen = {message.seq: message.log.text for message in ann.messages if isinstance(message, EventHappened)}
    before, seq = ann.scene, ann.seq
    welcome = await ann.look()
    assert welcome.seq == seq
    assert welcome.scene == before
    assert welcome.table.you == 0
    assert seen.items() <= {line.seq: line.text for line in welcome.log}.items()


async def test_who_lost_the_thread_gets_a_welcome_and_who_asks_gets_a_sign_of_life(ann: Person) -> None:
    await ann.open(ME, COMPUTER)
    await ann.look()
    await ann.my_turn()
    before = ann.scene
    await ann.say({"type": "look"})
    assert (await ann.hear(Welcome)).scene == before
    await ann.say({"type": "ping"})
    assert (await ann.hear(Alive)).now > 1e9


async def test_a_watcher_is_refused_until_they_sit_down_and_so_is_the_wrong_seat(ann: Person, bo: Person) -> None:
    table = await ann.open(ME, OPEN)
    await bo.look(table.id)
    watched = await bo.move("Kh")
    assert isinstance(watched, Refused)
    assert watched.text == "You have no seat at this table: you are only watching."
    assert (await bo.sit(table)).json()["you"] == 1
    await bo.begun()  # on the line that was open before
    assert bo.scene.seat == 1
    await ann.look()
    await ann.begun()
    waiting = bo if ann.moves else ann
    answer = await waiting.move(waiting.scene.hand[0])
    assert isinstance(answer, Refused)
    assert answer.clause == "SS-48"


BAD = [
    "",
    "nonsense",
    "[]",
    "null",
    "{}",
    '{"type": "move"}',
    '{"type": "move", "id": "x", "seq": "1", "text": "Kh"}',
    '{"type": "move", "id": "x", "seq": -1, "text": "Kh"}',
    '{"type": "move", "id": "", "seq": 1, "text": "Kh"}',
    '{"type": "move", "id": "x", "seq": 1, "text": 5}',
    '{"type": "move", "id": "x", "seq": 1, "text": "Kh", "seat": 1}',
    '{"type": "event", "id": "x", "seq": 1, "text": "1 Kh"}',
    json.dumps({"type": "move", "id": "x" * 65, "seq": 1, "text": "Kh"}),
    json.dumps({"type": "move", "id": "x", "seq": 1, "text": "K" * 201}),
    '{"type": "move", "id": "x", "seq": 1e400, "text": "Kh"}',
    "[" * 3000,
    b"\xff\xfe\x00",
]


async def test_what_is_no_message_is_refused_and_changes_nothing(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "BURST", 100.0)
    await ann.open(ME, COMPUTER)
    await ann.look()
    await ann.my_turn()
    seq = ann.seq
    for bad in BAD:
        await ann.say(bad)
        assert await ann.next() == Refused("", "This is not a message to a table", None)
    for number, text in enumerate(("Kh Kh", "declare 66", "1 Kh", "deal As", "\u0000", "🂡", "kh " * 60)):
        answer = await ann.move(text, f"bad {number}")
        assert isinstance(answer, Refused)
        assert "\n" not in answer.text
    await ann.look()
    assert ann.seq == seq


async def test_a_message_that_is_too_long_ends_only_this_line(ann: Person, bo: Person) -> None:
    table = await ann.open(ME, OPEN)
    await ann.look()
    await bo.look(table.id)
    await bo.say("x" * 5000)
    with pytest.raises(ConnectionClosed) as closed:
        await bo.next()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009
    assert isinstance(await ann.move("Kh"), Refused)  # the line still works
    await bo.look(table.id)


@pytest.mark.parametrize("headers", [{"Origin": "http://evil.example"}, {"Origin": "null"}])
async def test_a_page_of_another_site_gets_no_line(ann: Person, headers: dict[str, str]) -> None:
    await ann.open(ME, COMPUTER)
    heard = len(ann.texts)
    with pytest.raises(ConnectionClosed, match="looked like another site's") as refused:
        await ann.look(**headers)
    assert refused.value.rcvd is not None
    assert refused.value.rcvd.code == FOREIGN
    assert len(ann.texts) == heard, "it is told nothing of the table"
    assert ann.line is not None
    assert ann.line.response is not None
    assert "Set-Cookie" not in ann.line.response.headers
    ann.line = None
    await ann.look(Origin=f"http://{ann.place}")


async def test_a_table_that_does_not_exist_has_no_line(ann: Person) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await ann.look("nosuchtable")
    assert refused.value.response.status_code == 403


async def test_messages_are_not_compressed(ann: Person) -> None:
    await ann.open(ME, COMPUTER)
    await ann.look()
    assert ann.line is not None
    assert ann.line.protocol.extensions == []


async def test_who_sends_too_much_is_read_more_slowly_and_disturbs_nobody(
    ann: Person, bo: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "BURST", 5.0)
    monkeypatch.setattr(live, "MESSAGES_PER_SECOND", 20.0)
    await ann.open(ME, COMPUTER)
    await ann.look()
    await bo.look(ann.table)
    loop = asyncio.get_running_loop()
    started = loop.time()
    for _ in range(15):
        await bo.say("flood")
    await ann.my_turn()
    assert isinstance(await ann.move(ann.moves[0]), Accepted)
    answered = 0
    async with asyncio.timeout(PATIENCE):
        while answered < 15:
            answered += isinstance(await bo.next(), Refused)
    assert loop.time() - started > 0.4


async def test_who_does_not_read_is_let_go_and_nobody_waits_for_them(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck: list[live.Connection] = []

    async def never(connection: live.Connection) -> None:
        stuck.append(connection)
        await asyncio.sleep(60)

    monkeypatch.setattr(live, "MOST_WAITING", 8)
    await ann.open(ME, COMPUTER)
    async with Person(ann.place, "Eve") as eve:
        with monkeypatch.context() as patch:
            patch.setattr(live.Connection, "_send", never)
            eve.table = ann.table
            deaf = asyncio.create_task(eve.look())
            async with asyncio.timeout(PATIENCE):
                while not stuck:
                    await asyncio.sleep(0.01)
        await ann.look()
        async with asyncio.timeout(PATIENCE):
            while ann.seq < 15:
                await ann.my_turn()
                await ann.move(ann.moves[0])
        with pytest.raises(ConnectionClosed) as closed:
            await deaf
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013


async def test_two_windows_of_one_person_show_the_same(ann: Person) -> None:
    await ann.open(ME, COMPUTER)
    async with Person(ann.place, "Ann") as window:
        window.http.cookies = ann.http.cookies
        await ann.look()
        await window.look(ann.table)
        await ann.my_turn()
        await ann.move(ann.moves[0])
        await ann.my_turn()
        async with asyncio.timeout(PATIENCE):
            while window.seq < ann.seq:
                await window.next()
        assert window.scene == ann.scene


# ----------------------------------------------------------------------------------------------------- people and links


async def test_a_seat_link_moves_a_seat_to_another_device_once(ann: Person, bo: Person) -> None:
    await ann.open(ME, COMPUTER)
    await ann.look()
    await ann.my_turn()
    secret = (await ann.http.post(f"/api/tables/{ann.table}/link")).json()["secret"]
    assert (await ann.http.get(f"/api/tables/{ann.table}")).json()["seats"][0]["link"] is True
    wrong = await bo.http.post(f"/api/tables/{ann.table}/redeem", json={"secret": "guessed"})
    assert wrong.status_code == 403
    moved = await bo.http.post(f"/api/tables/{ann.table}/redeem", json={"secret": secret})
    assert (moved.status_code, moved.json()["you"]) == (200, 0)
    again = await bo.http.post(f"/api/tables/{ann.table}/redeem", json={"secret": secret})
    assert (again.status_code, again.json()["you"]) == (200, 0)
    assert (await ann.hear(Welcome)).scene.seat is None
    bo.table = ann.table
    await bo.look()
    assert isinstance(await bo.move(bo.moves[0]), Accepted)
    assert (await ann.http.post(f"/api/tables/{ann.table}/redeem", json={"secret": secret})).status_code == 403
    assert (await ann.http.post(f"/api/tables/{ann.table}/link")).status_code == 403


async def test_a_seat_link_can_be_revoked(ann: Person, bo: Person) -> None:
    await ann.open(ME, COMPUTER)
    secret = (await ann.http.post(f"/api/tables/{ann.table}/link")).json()["secret"]
    assert (await ann.http.delete(f"/api/tables/{ann.table}/link")).status_code == 204
    assert (await bo.http.post(f"/api/tables/{ann.table}/redeem", json={"secret": secret})).status_code == 403


async def test_a_rematch_is_one_for_all_with_the_seats_rotated(ann: Person, bo: Person) -> None:
    table = await ann.open(ME, OPEN)
    await bo.sit(table)
    assert (await ann.act("rematch")).status_code == 409
    await ann.act("concede")
    first = (await ann.act("rematch")).json()["next"]
    assert (await bo.act("rematch")).json()["next"] == first
    bo.table = first
    answer = await bo.act("sit", name="Bo")
    assert (answer.status_code, answer.json()["you"]) == (200, 0)
    assert (answer.json()["started"], answer.json()["seats"][1]["name"]) == (True, "Ann")
