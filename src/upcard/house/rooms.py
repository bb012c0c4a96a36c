"""The rooms of a house: who may do what there, who is present, what they say, and which table they play at."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import time
from collections import OrderedDict
from collections.abc import Callable

from upcard import games
from upcard.engine.setup import Setup
from upcard.house import room as changes
from upcard.house.bodies import ComputerSeat
from upcard.house.opening import rules_of, wrong_seats
from upcard.house.room import Member, Room, RoomMatch, StoredRemark
from upcard.house.room_bodies import (
    AnyRoomAction,
    ChangeTalk,
    ExpelMember,
    JoinRoom,
    LeaveRoom,
    MemberSeat,
    MemberView,
    NewRoom,
    NextMatch,
    PassHost,
    RenameMember,
    RenewRoom,
    RoomInfo,
    RoomRemark,
    RoomResult,
    RoomSeat,
    RoomTable,
    RoomView,
    TakeHost,
)
from upcard.house.room_windows import RoomWindow, RoomWindows
from upcard.house.services import AtOnce, Budget, Visitor, guesses_counted
from upcard.house.statuses import NotHere
from upcard.house.stores import RoomStore
from upcard.house.tables import CurrentTable, Tables, is_id
from upcard.players import levels_of
from upcard.rules.sentences import as_sentence, sentence
from upcard.table.actions import React, Say, Unsay
from upcard.table.chat import SpeakingRates, chat_message, checked_words, reaction_of
from upcard.table.errors import Forbidden, NotWritten, Overtaken, Refusal, Taken, TooMany, Unacceptable, WrongSecret
from upcard.table.journal import Plan
from upcard.table.messages import Aside, ChatRemoved, TableView
from upcard.table.pledges import new_secret
from upcard.table.seats import Occupant, clean_name, computer, is_full, seat_of
from upcard.table.state import Seating
from upcard.table.stores import new_id, overtaken

MOST_HOSTED = 20
"""The most rooms whose host one person may be, to open another."""
HOST_AWAY = 120.0
"""Seconds that the host must have been away before somebody else may take over."""
MOST_SEEN = 20_000
"""The number of members of whom it is remembered when they were last present."""
MOST_QUIET = 200
"""The number of rooms without windows whose latest words are remembered."""
ROOM_GATHERING = 0.1
"""Seconds over which changes of a room are collected before its windows are shown them."""
SHOWN_AGAIN = 5.0
"""Seconds until a room that could not be read is tried again."""
TRIES = 20
"""How often a change is tried again after somebody else has changed the room."""

Attendee = tuple[str, str]
"""The id of a room, and the identity of a member of it."""

log = logging.getLogger("upcard.house")


class Rooms:
    """All rooms of a house. One program has them to itself; where several share a store, `_came`, `_went`,
    `_elsewhere` and `_spread` are overridden.

    A room is read from the store for every request, so that all programs on it agree. Every method that names a room
    raises NotHere if there is none with this id, and Refusal where the visitor may not do this.
    """

    def __init__(self, store: RoomStore, tables: Tables, budget: Budget | None = None) -> None:
        self._store = store
        self._tables = tables
        self._budget = budget or AtOnce()
        self._clock = time.monotonic
        self._began = self._clock()
        self._open: dict[str, RoomWindows] = {}
        """The rooms on which there are windows in this program."""
        self._quiet: OrderedDict[str, RoomWindows] = OrderedDict()
        """Other rooms in which somebody has said something."""
        self._rates = SpeakingRates()
        self._last_here: OrderedDict[Attendee, float] = OrderedDict()
        """When members were last known to be present anywhere."""
        tables.stirred = lambda plan: self.stir(plan.room) if plan.room is not None else None

    # -------------------------------------------------------------------------------------------------------- looking

    async def show(self, visitor: Visitor, room_id: str) -> RoomView:
        """A room as one person sees it now."""
        room, table = await self._present_state(room_id)
        return self._view(room, room.member(visitor.identity), table)

    async def mine(self, visitor: Visitor) -> list[RoomInfo]:
        """The rooms of a visitor, the latest used first."""
        rooms = await self._store.rooms_of(visitor.identity) if visitor.identity else []
        return [RoomInfo(room.id, _names(room), room.created, room.changed) for room in rooms]

    def is_present(self, room_id: str, identity: str | None) -> bool:
        """Whether somebody is known here as a member of a room who has a window on it."""
        return identity is not None and room_id in self._open and self._open[room_id].has_member(identity)

    # -------------------------------------------------------------------------------------------------------- windows

    async def join(self, room_id: str, window: RoomWindow) -> None:
        """Open a window on a room: it is sent the room, and then every change of it and the words of its members. Its
        person, if a member, counts as present. Raises TooMany."""
        await self._load(room_id)
        windows = self._open.get(room_id)
        if windows is None:
            windows = self._quiet.pop(room_id, RoomWindows())
        is_first = windows.add(window)
        self._open[room_id] = windows
        if is_first:
            self._came(room_id, window.identity)
        self.stir(room_id)

    def leave(self, room_id: str, window: RoomWindow) -> None:
        """Close a window on a room."""
        windows = self._open.get(room_id)
        if windows is None:
            return
        if windows.remove(window):
            self._went(room_id, window.identity)
        self.stir(room_id)
        if not len(windows):
            self._close(room_id)

    def _close(self, room_id: str) -> None:
        """Remember what was said in a room on which there are no windows any more."""
        windows = self._open.pop(room_id)
        windows.silence()
        self._note_presence(room_id, windows.here)
        windows.here = set()
        if windows.conversation.heard_by(None):
            self._quiet[room_id] = windows
            if len(self._quiet) > MOST_QUIET:
                self._quiet.popitem(last=False)

    def stir(self, room_id: str) -> None:
        """Show a room anew, after a moment, to those who have a window on it here. Called after every change."""
        windows = self._open.get(room_id)
        if windows is None:
            return
        windows.is_stale = True
        if windows.showing is None:
            windows.showing = asyncio.create_task(self._show_while_stale(room_id, windows))

    async def _show_while_stale(self, room_id: str, windows: RoomWindows) -> None:
        try:
            while windows.is_stale and len(windows):
                await asyncio.sleep(ROOM_GATHERING)
                windows.is_stale = False
                try:
                    await self._show_all(room_id, windows)
                except NotHere as gone:
                    for window in windows:
                        window.let_go(str(gone))
                except Refusal as error:
                    log.error("room %s: %s", room_id, error)
                    windows.is_stale = True
                    await asyncio.sleep(SHOWN_AGAIN)
        finally:
            windows.showing = None

    async def _show_all(self, room_id: str, windows: RoomWindows) -> None:
        """Show every window of a room what has changed. Raises NotHere, NotWritten."""
        room, table = await self._present_state(room_id)
        windows.table = None if table is None else table.plan.id
        for window in windows:
            windows.show(window, self._view(room, room.member(window.identity), table))
        until = self._host_away_at(room, self._present(room, table)) - self._clock()
        if 0 <= until < HOST_AWAY + 1:
            windows.ring_in(until + ROOM_GATHERING, lambda: self.stir(room_id))

    async def _present_state(self, room_id: str) -> tuple[Room, CurrentTable | None]:
        """A room and its table as they are now; what has happened at the table is noted. Raises NotHere, NotWritten."""
        room = await self._load(room_id)
        table = await self._table_of(room)
        with contextlib.suppress(NotWritten):  # it is noted when somebody looks again
            room, table = await self._follow(room, table)
        return room, table

    # ----------------------------------------------------------------------------------------------------------- talk

    async def _speak(self, visitor: Visitor, room_id: str, action: Say | React | Unsay) -> None:
        """Pass on what a member says, or remove words for the host. Raises Refusal."""
        room = await self._load(room_id)
        member = room.need(visitor.identity)
        if isinstance(action, Unsay):
            room.need_host(visitor.identity)
            self._say(room_id, ChatRemoved(action.number))
            return
        if not self.is_present(room_id, member.identity):
            raise Forbidden("Only people who are in the room can be heard there")
        about = room_id, member.identity, None, member.name
        if isinstance(action, React):
            self._rates.take(member.identity)
            self._say(room_id, reaction_of(*about, action.kind, done=True))
            return
        text = checked_words(action.phrase, action.text, may_write=room.chat)
        self._rates.take(member.identity)
        self._say(room_id, chat_message(*about, action.phrase, text, done=True))

    def _say(self, room_id: str, message: Aside) -> None:
        self.hear_aside(room_id, message)
        self._spread(room_id, message)

    def hear_aside(self, room_id: str, message: Aside) -> None:
        """Pass words on to the windows of a room at this program."""
        if (windows := self._open.get(room_id, self._quiet.get(room_id))) is not None:
            windows.hear(message)

    # ------------------------------------------------------------------------------------------------------- changing

    async def open(self, visitor: Visitor, wish: NewRoom) -> RoomView:
        """Open a room, whose first member and host is the visitor."""
        hosted = [room for room in await self._store.rooms_of(visitor.person) if _is_host(room, visitor.person)]
        if len(hosted) >= MOST_HOSTED:
            raise TooMany(
                sentence("You are the host of {number} rooms: use one of them, or leave one first", number=MOST_HOSTED)
            )
        self._budget.table(visitor.address)
        room = changes.new_room(visitor.person, wish.name)
        await self._store.save_room(room)
        return self._view(room, room.member(visitor.identity), None)

    async def act(self, visitor: Visitor, room_id: str, action: AnyRoomAction) -> RoomView:
        """Perform an action in a room."""
        if isinstance(action, (Say, React, Unsay)):
            await self._speak(visitor, room_id, action)
            return await self.show(visitor, room_id)
        me = visitor.person
        room = await self._load(room_id)
        table = await self._table_of(room) if room.member(me) is not None else None
        here = self._present(room, table)

        def changed(room: Room) -> Room:
            match action:
                case JoinRoom(name=name, invite=invite):
                    if room.member(me) is None:
                        _check_invite(room, invite)
                    return changes.joined(room, me, name)
                case RenameMember(name=name):
                    return changes.renamed_member(room, me, name)
                case LeaveRoom():
                    return changes.departed(room, me, here)
                case ExpelMember(member=number):
                    return changes.expelled(room, me, number)
                case PassHost(member=number):
                    return changes.passed_on(room, me, number)
                case TakeHost():
                    self._check_host_away(room, here)
                    return changes.taken_over(room, me)
                case RenewRoom():
                    return changes.renewed(room, me)
                case ChangeTalk(chat=chat):
                    return changes.talk_changed(room, me, chat)

        with guesses_counted(self._budget, visitor):
            await self._change(room_id, changed)
        return await self.show(visitor, room_id)

    async def play(self, visitor: Visitor, room_id: str, wish: NextMatch) -> TableView:
        """Open the table of the next match, with seats for members. Raises BadRecord for options that the game does not
        have, Taken if somebody has just opened it."""
        room = await self._load(room_id)
        member = room.need(visitor.identity)
        changes.need_turn(room, wish.after)
        self._budget.table(visitor.address)
        places = _places(room, wish, member)
        host = next((known.identity for known in room.members if known.number == room.host), member.identity)
        plan = Plan(
            room.next_table, wish.game, wish.players, 0, wish.options, host, settings=wish.settings,
            invite=new_id(changes.ROOM_INVITE), secret=new_secret(), draws_dealer=True, rules=rules_of(wish.game),
            room=room.id,
        )  # fmt: skip
        with contextlib.suppress(Overtaken):  # somebody has opened it; perhaps that program ended before it noted it
            await self._tables.begin(plan, places)
        table = await self._tables.get(plan.id, visitor.address, visitor.identity)
        assert table is not None
        opening = sentence("{name} opened {game}", name=member.name, game=table.plan.game)
        opened = RoomMatch(plan.id, table.plan.game, [_number_of(room, place) for place in table.places])

        def changed(room: Room) -> Room:
            room.need(visitor.identity)
            return changes.opened_match(room, opened, opening)

        await self._change(room_id, changed)
        return table.summary(visitor.identity)

    async def move_member(self, room_id: str, old: str, new: str) -> None:
        """Let a person who has taken their seat to another device be a member there. Does nothing without the room."""
        with contextlib.suppress(NotHere):
            await self._change(room_id, lambda room: changes.moved_to(room, old, new))

    async def _change(self, room_id: str, changed: Callable[[Room], Room]) -> Room:
        """Store what a change makes of a room, again after somebody else has changed it."""
        for _ in range(TRIES):
            room = await self._load(room_id)
            after = changed(room)
            if after == room:
                return room
            after = changes.next_version(room, after)
            with contextlib.suppress(Overtaken):
                await self._store.save_room(after)
                self.stir(room_id)
                return after
        raise overtaken()

    async def _load(self, room_id: str) -> Room:
        room = await self._store.load_room(room_id) if is_id(room_id) else None
        if room is None:
            raise NotHere("There is no such room here: its link may be incomplete, or nobody has used it for a while")
        return room

    # ------------------------------------------------------------------------------------------------- the room's table

    async def _table_of(self, room: Room) -> CurrentTable | None:
        """The latest table of a room; None if there is none, or if it has been deleted."""
        return await self._tables.current(room.matches[-1].table) if room.matches else None

    async def _follow(self, room: Room, table: CurrentTable | None) -> tuple[Room, CurrentTable | None]:
        """Note the result of the latest match, and the rematch that somebody has asked for at its table."""
        if table is None or not table.done:
            return room, table
        if not room.matches[-1].over:
            room = await self._change(room.id, lambda room: _with_result(room, table))
        if table.seating.next is None:
            return room, table
        rematch = await self._tables.current(table.seating.next)
        if rematch is None:
            return room, table
        return await self._change(room.id, lambda room: _with_rematch(room, rematch)), rematch

    # ------------------------------------------------------------------------------------------------------- presence

    def _present(self, room: Room, table: CurrentTable | None) -> set[str]:
        """The identities of the members who have a window on a room or on its table."""
        windows = self._open.get(room.id)
        here = set() if windows is None else {window.identity for window in windows}
        here |= self._elsewhere(room.id) | (table.here if table is not None else frozenset())
        members = {member.identity for member in room.members} & here
        self._note_presence(room.id, members if windows is None else members | windows.here)
        if windows is not None:
            windows.here = members
        return members

    def _note_presence(self, room_id: str, identities: set[str]) -> None:
        for identity in identities:
            self._last_here[room_id, identity] = self._clock()
            self._last_here.move_to_end((room_id, identity))
        while len(self._last_here) > MOST_SEEN:
            self._last_here.popitem(last=False)

    def _host_away_at(self, room: Room, here: set[str]) -> float:
        """The time on the clock from which the host counts as away; infinite while the host is present."""
        host = next((member.identity for member in room.members if member.number == room.host), None)
        if host in here:
            return float("inf")
        return -float("inf") if host is None else self._last_here.get((room.id, host), self._began) + HOST_AWAY

    def _is_host_away(self, room: Room, here: set[str]) -> bool:
        return self._host_away_at(room, here) < self._clock()

    def _check_host_away(self, room: Room, here: set[str]) -> None:
        """Raise Taken unless the host has been away for a while."""
        if not self._is_host_away(room, here):
            raise Taken("The host is here, or was a moment ago")

    def _came(self, room_id: str, identity: str) -> None:
        """Note that somebody has opened the first window on a room in this program."""

    def _went(self, room_id: str, identity: str) -> None:
        """Note that somebody has closed the last window on a room in this program."""

    def _elsewhere(self, room_id: str) -> frozenset[str]:
        """The identities of those who have a window on a room in other programs."""
        return frozenset()

    def _spread(self, room_id: str, message: Aside) -> None:
        """Pass words on to those who have a window on a room in other programs."""

    # ---------------------------------------------------------------------------------------------------------- views

    def _view(self, room: Room, you: Member | None, table: CurrentTable | None) -> RoomView:
        now = round(time.time(), 3)
        if you is None:
            return RoomView(room.id, None, None, [], None, [], [], 0, [], None, False, ["join"], now)
        here = self._present(room, table)
        return RoomView(
            room.id,
            you.number,
            room.host,
            [_member_view(member, here, table) for member in room.members],
            None if table is None else _room_table(room, you, table),
            [
                RoomResult(match.table, match.game, _title(match.game), match.winners)
                for match in room.matches
                if match.over
            ],
            changes.turned(room),
            room.opened,
            [RoomRemark(remark.at, worded(remark)) for remark in room.remarks],
            room.invite,
            room.chat,
            self._may(room, you, here),
            now,
        )

    def _may(self, room: Room, you: Member, here: set[str]) -> list[str]:
        actions = ["rename", "leave", "play"]
        if you.number == room.host:
            return [*actions, "renew", "change", *(["remove", "pass on"] if len(room.members) > 1 else [])]
        return [*actions, "take over"] if self._is_host_away(room, here) else actions


def _check_invite(room: Room, invite: str) -> None:
    if not hmac.compare_digest(room.invite.encode(), invite.encode()):
        raise WrongSecret("This link is no longer valid: ask somebody in the room for the new one")


def _is_host(room: Room, identity: str) -> bool:
    member = room.member(identity)
    return member is not None and member.number == room.host


def _names(room: Room) -> list[str]:
    """The names of the members, the host first."""
    return [member.name for member in sorted(room.members, key=lambda member: member.number != room.host)]


def _title(game: str) -> str:
    if game not in games.names():
        return game
    kind = games.load(game)
    return as_sentence(kind.title, kind)


def worded(remark: StoredRemark) -> str:
    """A remark as a sentence, with the title of its game."""
    if not remark.message:
        return remark.text
    title = {name: _title(str(slug)) for name, slug in remark.places.items() if name == "game"}
    return sentence(remark.message, **{**remark.places, **title})


def _number_of(room: Room, place: Occupant) -> int | None:
    """The number of the member who has a place or for whom it is held."""
    member = room.member(place.identity)
    return None if member is None else member.number


def _places(room: Room, wish: NextMatch, me: Member) -> list[Occupant]:
    """The seats of the next match: the person who opens it sits down, other members' seats are held for them. Raises
    Unacceptable."""
    if wish.game not in games.names():
        raise Unacceptable("There is no such game here")
    if len(wish.seats) != wish.players:
        raise wrong_seats(wish.players, len(wish.seats))
    numbers = [seat.member for seat in wish.seats if isinstance(seat, MemberSeat)]
    if not numbers or len({*numbers}) != len(numbers):
        raise Unacceptable("Give a seat to at least one of you, and to nobody two")
    names = [Occupant("person", member.name) for member in room.members]
    levels, places = levels_of(Setup(wish.game).game), list[Occupant]()
    for seat in wish.seats:
        if isinstance(seat, MemberSeat):
            member = room.numbered(seat.member)
            sits, name = member == me, clean_name(member.name, places)
            pledge = wish.pledge if sits else None
            places.append(Occupant("person" if sits else "held", name, None, member.identity, pledge=pledge))
        elif isinstance(seat, ComputerSeat):
            places.append(computer(seat.level, [*places, *names], levels))
        else:
            places.append(Occupant())
    return places


def _with_result(room: Room, table: CurrentTable) -> Room:
    return changes.match_over(room, table.plan.id, table.seating.places, table.winners)


def _with_rematch(room: Room, rematch: CurrentTable) -> Room:
    seats = [_number_of(room, place) for place in rematch.seating.places]
    match = RoomMatch(rematch.plan.id, rematch.plan.game, seats)
    return changes.opened_match(room, match, sentence("{game} again", game=match.game))


def _member_view(member: Member, here: set[str], table: CurrentTable | None) -> MemberView:
    if member.identity not in here:
        return MemberView(member.number, member.name, "away", member.played, member.won)
    is_there = table is not None and member.identity in table.here
    sits = is_there and table is not None and seat_of(table.seating.places, member.identity) is not None
    doing = "sitting" if sits else "watching" if is_there else "here"
    return MemberView(member.number, member.name, doing, member.played, member.won)  # type: ignore[arg-type]


def _room_table(room: Room, you: Member, table: CurrentTable) -> RoomTable:
    seating, plan = table.seating, table.plan
    seat = seat_of(seating.places, you.identity)
    free = None if seat is not None or table.done else _free(seating, you.identity)
    seats = [RoomSeat(place.name, place.who, _number_of(room, place)) for place in seating.places]
    invite = seating.invite if you.identity not in seating.blocked and seating.invite else None
    is_started = is_full(seating.places)
    title = _title(plan.game)
    clock = seating.settings.clock
    return RoomTable(plan.id, plan.game, title, is_started, table.done, seats, seat, free, invite, clock)  # type: ignore[arg-type]


def _free(seating: Seating, identity: str) -> str | None:
    """Whether a seat is held for this person, or another is free for them."""
    if any(place.identity == identity for place in seating.places):
        return "held"
    is_open = any(place.who == "open" for place in seating.places) and identity not in seating.blocked
    return "open" if is_open else None
