"""Rooms below their doors: who comes in, what the host may do, whose turn it is, and the running score."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from msgspec import structs
from waiting import until

from upcard.house.bodies import ComputerSeat, Open
from upcard.house.house import House
from upcard.house.room import (
    MOST_MEMBERS,
    MOST_REMARKS,
    Room,
    StoredRemark,
    decode_room,
    encode_room,
    joined,
    new_room,
    renewed,
)
from upcard.house.room_bodies import (
    AnyRoomAction,
    ChangeTalk,
    ExpelMember,
    JoinRoom,
    LeaveRoom,
    MemberSeat,
    NewRoom,
    NextMatch,
    PassHost,
    RenameMember,
    RenewRoom,
    RoomMessage,
    RoomShown,
    RoomView,
    TakeHost,
)
from upcard.house.room_windows import RoomWindow
from upcard.house.rooms import HOST_AWAY, MOST_HOSTED, Rooms, worded
from upcard.house.services import Visitor
from upcard.house.statuses import NotHere
from upcard.house.stores import MemoryStore
from upcard.house.tables import Tables
from upcard.languages.answers import in_language
from upcard.table.actions import Abandon, Answer, Concede, Fill, React, Rematch, Say, Sit, Unsay
from upcard.table.chat import AT_ONCE
from upcard.table.errors import Forbidden, NotWritten, Overtaken, Refusal, Taken, TooMany, Unacceptable, WrongSecret
from upcard.table.messages import ChatMessage, ChatRemoved, Reaction, TableView
from upcard.table.presence import Client

ANN, BO, CY, EVE = Visitor("ann"), Visitor("bo"), Visitor("cy"), Visitor("eve")
COMPUTER = ComputerSeat("casual")


class Watcher:
    """A window on a room, and what it was sent."""

    def __init__(self, visitor: Visitor) -> None:
        self.messages: list[RoomMessage] = []
        self.gone = ""
        self.window = RoomWindow(visitor.person, self.messages.append, self.let_go)

    def let_go(self, why: str) -> None:
        self.gone = why

    @property
    def views(self) -> list[RoomView]:
        return [message.room for message in self.messages if isinstance(message, RoomShown)]

    @property
    def room(self) -> RoomView | None:
        """What the window shows now."""
        return self.views[-1] if self.views else None

    @property
    def words(self) -> list[str]:
        return [str(message.phrase or message.text) for message in self.messages if isinstance(message, ChatMessage)]

    async def sees(self, holds: Callable[[RoomView], object]) -> RoomView:
        """Wait until the window shows this."""
        await until(lambda: self.room is not None and holds(self.room))
        assert self.room is not None
        return self.room


class Evening:
    """A house with one room, whose time the test sets."""

    def __init__(self, store: MemoryStore | None = None) -> None:
        self.store = store or MemoryStore()
        self.tables = Tables(self.store)
        self.rooms = Rooms(self.store, self.tables)
        self.house = House(self.tables, rooms=self.rooms)
        self.now = 0.0
        self.rooms._clock = lambda: self.now
        self.rooms._began = 0.0
        self.id = ""

    async def begin(self, *others: Visitor) -> RoomView:
        """Ann opens the room, and others come in by its link."""
        room = await self.rooms.open(ANN, NewRoom("Ann"))
        self.id = room.id
        for visitor in others:
            await self.join(visitor, room.invite)
        return await self.seen(ANN)

    async def join(self, visitor: Visitor, invite: str | None, name: str = "") -> RoomView:
        return await self.act(visitor, JoinRoom(name or str(visitor.identity).title(), invite or ""))

    async def act(self, visitor: Visitor, action: AnyRoomAction) -> RoomView:
        return await self.rooms.act(visitor, self.id, action)

    async def watch(self, visitor: Visitor) -> Watcher:
        """Somebody opens a window on the room."""
        watcher = Watcher(visitor)
        await self.rooms.join(self.id, watcher.window)
        await until(lambda: watcher.room)
        return watcher

    def close(self, watcher: Watcher) -> None:
        self.rooms.leave(self.id, watcher.window)

    async def seen(self, visitor: Visitor) -> RoomView:
        return await self.rooms.show(visitor, self.id)

    async def play(self, visitor: Visitor, *seats: Any, game: str = "sixty-six", after: int | None = None) -> TableView:
        opened = (await self.seen(visitor)).opened if after is None else after
        view = await self.rooms.play(visitor, self.id, NextMatch(opened, game, len(seats), {}, [*seats]))
        await self.settle(visitor, view)
        return view

    async def sit(self, visitor: Visitor, table: str, invite: str | None = None) -> TableView:
        view = await self.house.act(visitor, table, Sit(str(visitor.identity).title(), invite=invite))
        await self.settle(visitor, view)
        return view

    async def settle(self, visitor: Visitor, view: TableView) -> None:
        """Wait until people are to act at a table in play."""
        table = await self.house.table(visitor, view.id)
        if view.started:
            await until(lambda: table._driving is not None and table._driving.done())


async def refused(kind: type[Refusal], asked: Awaitable[object]) -> str:
    with pytest.raises(kind) as refusal:
        await asked
    return str(refusal.value)


def doing(room: RoomView) -> dict[str, str]:
    return {member.name: member.doing for member in room.members}


def scores(room: RoomView) -> dict[str, tuple[int, int]]:
    return {member.name: (member.won, member.played) for member in room.members}


def remarks(room: RoomView) -> list[str]:
    return [remark.text for remark in room.remarks]


async def test_strangers_learn_only_that_it_exists_and_come_in_by_its_link() -> None:
    evening = Evening()
    room = await evening.begin()
    shown = await evening.seen(EVE)
    assert (shown.members, shown.table, shown.results, shown.remarks, shown.invite) == ([], None, [], [], None)
    assert shown.may == ["join"]
    await refused(WrongSecret, evening.join(EVE, "x" * 16))
    await refused(Forbidden, evening.act(EVE, RenewRoom()))
    await refused(Forbidden, evening.play(EVE, COMPUTER, COMPUTER, after=0))
    await refused(NotHere, evening.rooms.show(ANN, "nowhere234"))
    inside = await evening.join(EVE, room.invite)
    assert [member.name for member in inside.members] == ["Ann", "Eve"]
    assert inside.you == 2
    assert inside.host == 1
    again = await evening.join(EVE, "anything")  # who is in needs no link
    assert structs.replace(again, now=inside.now) == inside


async def test_names_are_unique_and_can_be_changed() -> None:
    evening = Evening()
    room = await evening.begin()
    await evening.join(BO, room.invite, "Ann")
    await evening.join(CY, room.invite, "Cy")
    assert [member.name for member in (await evening.seen(ANN)).members] == ["Ann", "Ann 2", "Cy"]
    room = await evening.act(BO, RenameMember("Bo"))
    assert [member.name for member in room.members] == ["Ann", "Bo", "Cy"]
    assert remarks(room)[-1] == "Ann 2 is now called Bo"
    await refused(Unacceptable, evening.act(BO, RenameMember("\u3164")))


async def test_only_the_host_removes_renews_and_passes_on() -> None:
    evening = Evening()
    room = await evening.begin(BO, CY)
    for action in (ExpelMember(1), PassHost(2), RenewRoom()):
        await refused(Forbidden, evening.act(BO, action))
    await refused(Unacceptable, evening.act(ANN, ExpelMember(1)))
    await refused(Unacceptable, evening.act(ANN, ExpelMember(9)))
    after = await evening.act(ANN, ExpelMember(3))
    assert after.invite != room.invite
    for invite in (room.invite, after.invite):
        await refused(Forbidden, evening.join(CY, invite))
    await refused(WrongSecret, evening.join(EVE, room.invite))
    passed = await evening.act(ANN, PassHost(2))
    assert passed.host == 2
    assert remarks(passed)[-2:] == ["Ann removed Cy", "Ann made Bo the host"]
    await refused(Forbidden, evening.act(ANN, RenewRoom()))
    renewed_room = await evening.act(BO, RenewRoom())
    assert renewed_room.invite != after.invite
    assert (await evening.join(EVE, renewed_room.invite)).you == 4


async def test_a_host_who_leaves_or_stays_away_is_followed_by_somebody_who_is_here() -> None:
    evening = Evening()
    room = await evening.begin(BO, CY)
    cy = await evening.watch(CY)
    left = await evening.act(ANN, LeaveRoom())
    assert left.you is None
    room = await evening.seen(CY)
    assert room.host == 3  # Bo is older in the room, but away
    assert remarks(room)[-1] == "Ann left; Cy is the host now"
    evening.now = 1000.0
    await evening.seen(BO)
    evening.close(cy)
    assert "take over" not in (await evening.seen(BO)).may
    await refused(Taken, evening.act(BO, TakeHost()))
    evening.now += HOST_AWAY + 1
    assert "take over" in (await evening.seen(BO)).may
    assert (await evening.act(BO, TakeHost())).host == 2
    for visitor in (BO, CY):
        await evening.act(visitor, LeaveRoom())
    back = await evening.join(EVE, room.invite)
    assert (back.you, back.host) == (4, 4)


async def test_who_is_here_and_what_they_do() -> None:
    evening = Evening()
    await evening.begin(BO, CY)
    assert doing(await evening.seen(ANN)) == {"Ann": "away", "Bo": "away", "Cy": "away"}
    watchers = [await evening.watch(visitor) for visitor in (ANN, BO, CY)]
    assert doing(await evening.seen(ANN)) == {"Ann": "here", "Bo": "here", "Cy": "here"}
    table = await evening.play(ANN, MemberSeat(1), COMPUTER)
    at_table = await evening.house.table(ANN, table.id)
    windows = [Client(visitor.identity, lambda message: None) for visitor in (ANN, BO)]
    for window in windows:
        at_table.join(window)
    for watcher in watchers:
        evening.close(watcher)
    assert doing(await evening.seen(ANN)) == {"Ann": "sitting", "Bo": "watching", "Cy": "away"}
    at_table.leave(windows[1])
    assert doing(await evening.seen(ANN)) == {"Ann": "sitting", "Bo": "away", "Cy": "away"}


async def test_every_change_is_shown_at_once_and_nothing_is_sent_twice() -> None:
    evening = Evening()
    room = await evening.begin()
    ann, bo = await evening.watch(ANN), await evening.watch(BO)
    assert bo.room is not None
    assert (bo.room.you, bo.room.members) == (None, [])  # a stranger's window shows nothing
    await evening.join(BO, room.invite)
    await ann.sees(lambda room: doing(room) == {"Ann": "here", "Bo": "here"})
    await bo.sees(lambda room: room.you == 2)
    table = await evening.play(ANN, MemberSeat(1), MemberSeat(2))
    await bo.sees(lambda room: room.table is not None and room.table.free == "held")
    await evening.sit(BO, table.id)
    await ann.sees(lambda room: room.table is not None and room.table.started)
    at_table = await evening.house.table(ANN, table.id)
    at_table.join(Client("bo", lambda message: None))
    await ann.sees(lambda room: doing(room) == {"Ann": "here", "Bo": "sitting"})
    before = len(ann.views)
    await evening.house.act(BO, table.id, Concede())
    await ann.sees(lambda room: scores(room) == {"Ann": (1, 1), "Bo": (0, 1)})
    assert len(ann.views) - before <= 2  # the end of the match, and its result in the room
    rematch = (await evening.house.act(ANN, table.id, Rematch())).next
    await bo.sees(lambda room: room.table is not None and room.table.id == rematch)
    await evening.act(ANN, ExpelMember(2))
    await bo.sees(lambda room: room.you is None and room.members == [])
    for watcher in (ann, bo):
        shown = [msgspec.structs.replace(view, now=0.0) for view in watcher.views]
        assert all(one != other for one, other in pairwise(shown))


async def test_a_host_who_stays_away_can_be_followed_without_anybody_looking_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("upcard.house.rooms.HOST_AWAY", 0.3)
    evening = Evening()
    evening.rooms._clock = time.monotonic
    await evening.begin(BO)
    ann, bo = await evening.watch(ANN), await evening.watch(BO)
    await bo.sees(lambda room: doing(room)["Ann"] == "here" and "take over" not in room.may)
    evening.close(ann)
    await bo.sees(lambda room: doing(room)["Ann"] == "away" and "take over" in room.may)


async def test_a_room_that_cannot_be_read_is_shown_when_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upcard.house.rooms.SHOWN_AGAIN", 0.05)
    evening = Evening()
    await evening.begin(BO)
    ann, store = await evening.watch(ANN), evening.store
    reads, failed = store.load_room, []

    async def not_now(room: str) -> Room | None:
        failed.append(room)
        raise NotWritten("The tables cannot be read")

    store.load_room = not_now  # type: ignore[method-assign]
    evening.rooms.stir(evening.id)
    await until(lambda: failed)
    store.load_room = reads  # type: ignore[method-assign]
    await evening.act(BO, RenameMember("Bob"))
    await ann.sees(lambda room: doing(room).keys() == {"Ann", "Bob"})


async def test_a_room_that_was_deleted_lets_its_windows_go() -> None:
    evening = Evening()
    await evening.begin()
    ann = await evening.watch(ANN)
    evening.store._rooms.clear()
    evening.rooms.stir(evening.id)
    await until(lambda: "no such room" in ann.gone)


async def test_people_talk_in_the_room_by_the_rules_of_the_table() -> None:
    evening = Evening()
    room = await evening.begin(BO, CY)
    ann, bo, eve = [await evening.watch(visitor) for visitor in (ANN, BO, EVE)]
    await evening.act(BO, Say(text="Shall we  play\u202e https://x.example ?"))
    await evening.act(ANN, Say(phrase="hello"))
    await evening.act(ANN, React("heart"))
    heard = [message for message in bo.messages if isinstance(message, (ChatMessage, Reaction))]
    assert [(message.name, message.seat) for message in heard] == [("Bo", None), ("Ann", None), ("Ann", None)]
    assert heard[1].by == heard[2].by != heard[0].by
    assert bo.words == ann.words == ["Shall we play https://x.example ?", "hello"]
    assert eve.words == []
    await evening.join(EVE, room.invite)
    await until(lambda: eve.words == ann.words)  # now she is one of them
    await refused(Forbidden, evening.act(Visitor("dan"), Say(phrase="hello")))
    await refused(Forbidden, evening.act(CY, Say(phrase="hello")))  # he is away
    await refused(Forbidden, evening.act(BO, ChangeTalk(False)))
    assert (await evening.act(ANN, ChangeTalk(False))).chat is False
    await refused(Forbidden, evening.act(BO, Say(text="hm")))
    await evening.act(BO, Say(phrase="thanks"))
    first = next(message for message in ann.messages if isinstance(message, ChatMessage))
    await refused(Forbidden, evening.act(BO, Unsay(first.number)))
    await evening.act(ANN, Unsay(first.number))
    assert any(isinstance(message, ChatRemoved) and message.number == first.number for message in bo.messages)
    late = await evening.watch(CY)
    await until(lambda: late.words == ["hello", "thanks"])
    claps = [evening.act(BO, React("clap")) for _ in range(int(AT_ONCE) + 1)]
    assert TooMany in [type(answer) for answer in await asyncio.gather(*claps, return_exceptions=True)]
    assert "Shall" not in encode_room(await evening.rooms._load(evening.id))


async def test_words_outlast_the_windows_but_not_the_house() -> None:
    evening = Evening()
    await evening.begin(BO)
    ann = await evening.watch(ANN)
    await evening.act(ANN, Say(phrase="one moment"))
    evening.close(ann)
    bo = await evening.watch(BO)
    await until(lambda: bo.words == ["one moment"])
    again = Evening(evening.store)
    again.id = evening.id
    assert (await again.watch(BO)).words == []


def test_a_room_stored_before_people_could_talk_there_is_read() -> None:
    stored = msgspec.json.decode(encode_room(new_room("ann", "Ann")))
    del stored["chat"]
    assert decode_room(msgspec.json.encode(stored).decode()).chat


async def test_the_next_match_holds_seats_for_its_members_and_turns_them() -> None:
    evening = Evening()
    await evening.begin(BO, CY)
    assert (await evening.seen(ANN)).turn == [1, 2, 3]
    first = await evening.play(BO, MemberSeat(1), MemberSeat(2), COMPUTER, game="oh-hell")
    assert [(seat.who, seat.name) for seat in first.seats[:2]] == [("held", "Ann"), ("person", "Bo")]
    assert first.room == evening.id
    seen = await evening.seen(ANN)
    assert seen.table is not None
    assert [seat.member for seat in seen.table.seats] == [1, 2, None]
    assert seen.table.free == "held"
    assert (await evening.sit(ANN, first.id)).you == 0
    assert (await evening.seen(ANN)).turn == [None, 1, 2]
    seen = await evening.seen(CY)
    assert seen.table is not None
    assert (seen.table.started, seen.table.you, seen.table.free) == (True, None, None)
    await evening.act(ANN, LeaveRoom())
    assert (await evening.seen(BO)).turn == [None, None, 2]


async def test_whoever_comes_late_takes_the_seat_of_somebody_who_left() -> None:
    evening = Evening()
    await evening.begin(BO)
    table = await evening.play(ANN, MemberSeat(1), Open(), MemberSeat(2), game="oh-hell")
    await evening.sit(BO, table.id)
    await evening.join(CY, (await evening.seen(ANN)).invite)
    seen = await evening.seen(CY)
    assert seen.table is not None
    assert seen.table.free == "open"
    assert (await evening.sit(CY, table.id, seen.table.invite)).you == 1


async def test_of_two_who_open_the_next_match_the_second_is_told_so() -> None:
    evening = Evening()
    await evening.begin(BO)
    opened = [evening.play(visitor, MemberSeat(1), MemberSeat(2), after=0) for visitor in (ANN, BO)]
    tables = await asyncio.gather(*opened, return_exceptions=True)
    await refused(Taken, evening.play(ANN, MemberSeat(1), COMPUTER, after=0))
    room = await evening.seen(ANN)
    assert room.opened == 1
    assert room.table is not None
    assert {table.id for table in tables if isinstance(table, TableView)} == {room.table.id}


async def test_a_program_that_ended_before_it_noted_the_table_opens_no_second_one() -> None:
    evening = Evening()
    await evening.begin(BO)
    store = evening.store
    ends = store.save_room

    async def never(room: Room) -> None:
        raise asyncio.CancelledError

    store.save_room = never  # type: ignore[method-assign]
    with pytest.raises(asyncio.CancelledError):
        await evening.play(ANN, MemberSeat(1), COMPUTER)
    store.save_room = ends  # type: ignore[method-assign]
    again = await evening.play(BO, MemberSeat(2), COMPUTER)
    assert again.seats[0].name == "Ann"  # it is the one that Ann has opened
    assert len(await evening.tables.of("ann")) == 1


async def test_bad_wishes_are_refused_and_open_nothing() -> None:
    evening = Evening()
    await evening.begin(BO)
    for seats in ([MemberSeat(1), MemberSeat(1)], [COMPUTER, COMPUTER], [MemberSeat(1), MemberSeat(9)]):
        await refused(Unacceptable, evening.play(ANN, *seats))
    await refused(Unacceptable, evening.play(ANN, MemberSeat(1), COMPUTER, game="poker"))
    await refused(Unacceptable, evening.play(ANN, MemberSeat(1), ComputerSeat("divine")))
    wish = NextMatch(0, "sixty-six", 3, {}, [MemberSeat(1), COMPUTER])
    await refused(Unacceptable, evening.rooms.play(ANN, evening.id, wish))
    assert (await evening.seen(ANN)).opened == 0


async def test_the_score_runs_over_the_matches_and_their_rematches() -> None:
    evening = Evening()
    await evening.begin(BO, CY)
    table = await evening.play(ANN, MemberSeat(1), MemberSeat(2))
    await evening.sit(BO, table.id)
    await evening.house.act(BO, table.id, Concede())
    room = await evening.seen(CY)
    assert scores(room) == {"Ann": (1, 1), "Bo": (0, 1), "Cy": (0, 0)}
    assert [(result.title, result.winners) for result in room.results] == [("Sixty-Six", ["Ann"])]
    assert remarks(room)[-1] == "Ann won Sixty-Six"
    assert scores(await evening.seen(ANN)) == scores(room)  # it is counted once
    rematch = (await evening.house.act(BO, table.id, Rematch())).next
    room = await evening.seen(ANN)
    assert room.table is not None
    assert room.table.id == rematch
    assert [seat.member for seat in room.table.seats] == [2, 1]
    assert room.opened == 2
    next_table = await evening.play(CY, MemberSeat(3), COMPUTER, game="sixty-six")
    assert next_table.id not in (table.id, rematch)


async def test_a_match_without_a_winner_counts_for_nobody() -> None:
    evening = Evening()
    await evening.begin(BO)
    table = await evening.play(ANN, MemberSeat(1), MemberSeat(2))
    await evening.sit(BO, table.id)
    at_table = await evening.house.table(ANN, table.id)
    for visitor in (ANN, BO):
        at_table.join(Client(visitor.identity, lambda message: None))
    await evening.house.act(BO, table.id, Abandon())
    await evening.house.act(ANN, table.id, Answer(agree=True))
    assert remarks(await evening.seen(BO))[-1] == "Sixty-Six ended without a winner"
    assert scores(await evening.seen(ANN)) == {"Ann": (0, 0), "Bo": (0, 0)}


async def test_held_seats_can_be_given_to_computers() -> None:
    evening = Evening()
    await evening.begin(BO)
    table = await evening.play(ANN, MemberSeat(1), MemberSeat(2))
    filled = await evening.house.act(ANN, table.id, Fill("casual", 1))
    assert filled.seats[1].who == "computer"
    seen = await evening.seen(BO)
    assert seen.table is not None
    assert (seen.table.you, seen.table.free) == (None, None)


async def test_a_seat_that_goes_to_another_device_takes_its_member_along() -> None:
    evening = Evening()
    await evening.begin(BO)
    table = await evening.play(ANN, MemberSeat(1), COMPUTER)
    link = await evening.house.link(ANN, table.id)
    phone = Visitor("phone")
    await evening.house.redeem(phone, table.id, link.secret)
    assert (await evening.seen(phone)).you == 1
    assert (await evening.seen(ANN)).you is None
    link = await evening.house.link(phone, table.id)
    await evening.house.redeem(BO, table.id, link.secret)  # who is in the room by themselves: they do not merge
    assert [member.name for member in (await evening.seen(BO)).members] == ["Ann", "Bo"]
    assert (await evening.seen(phone)).you == 1


async def test_limits() -> None:
    evening = Evening()
    await evening.begin()
    for _ in range(MOST_HOSTED - 1):
        await evening.rooms.open(ANN, NewRoom("Ann"))
    await refused(TooMany, evening.rooms.open(ANN, NewRoom("Ann")))
    room = new_room("0", "Zero")
    for number in range(1, MOST_MEMBERS):
        room = joined(room, str(number), f"Member {number}")
    with pytest.raises(TooMany):
        joined(room, "one more", "Late")
    for _ in range(MOST_REMARKS):
        room = renewed(room, "0")
    assert len(room.remarks) == MOST_REMARKS


async def test_a_house_without_rooms_says_so() -> None:
    with pytest.raises(NotHere):
        _ = House(Tables(MemoryStore())).rooms


async def test_a_version_is_stored_once() -> None:
    store, room = MemoryStore(), new_room("ann", "Ann")
    await store.save_room(room)
    await refused(Overtaken, store.save_room(room))
    assert await store.load_room(room.id) == room
    assert await store.rooms_of("bo") == []


async def test_each_member_reads_remarks_in_their_own_language() -> None:
    evening = Evening()
    await evening.begin(BO)
    table = await evening.play(ANN, MemberSeat(1), MemberSeat(2))
    await evening.sit(BO, table.id)
    await evening.house.act(BO, table.id, Concede())
    room = await evening.seen(BO)
    assert remarks(in_language(room, "de"))[-2:] == [
        "Ann hat Sechsundsechzig aufgemacht",
        "Ann hat Sechsundsechzig gewonnen",
    ]
    assert remarks(room)[-2:] == ["Ann opened Sixty-Six", "Ann won Sixty-Six"]
    assert [result.title for result in in_language(room, "de").results] == ["Sechsundsechzig"]


def test_a_remark_that_was_stored_as_a_text_is_shown_as_it_is() -> None:
    room = structs.replace(new_room("ann", "Ann"), remarks=[StoredRemark(1.0, "Ann came in")])
    assert [worded(remark) for remark in decode_room(encode_room(room)).remarks] == ["Ann came in"]
