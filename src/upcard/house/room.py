"""A room: the people of an evening, the matches that they play one after another, and what each change makes of it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct, field, structs

from upcard.rules.sentences import Sentence, sentence
from upcard.table.errors import Forbidden, Taken, TooMany, Unacceptable
from upcard.table.seats import Occupant, chosen_name
from upcard.table.stores import ID_LETTERS, new_id

MOST_MEMBERS = 30
"""The most people of one room."""
MOST_MATCHES, MOST_REMARKS, MOST_BARRED = 40, 40, 100
"""How many of the latest matches and remarks are listed, and how many people are barred at most."""
ROOM_ID, ROOM_INVITE = 10, 16
"""The lengths of a room's id and of the secret in its link."""


class Member(Struct, frozen=True):
    """Somebody who belongs to a room."""

    number: int
    """By which requests name them; never given to anybody else of this room."""
    identity: str
    """Never shown to anybody."""
    name: str
    played: int = 0
    """The matches with a winner at whose end they had a seat."""
    won: int = 0


class StoredRemark(Struct, frozen=True, omit_defaults=True):
    """A change of a room: the message about it, which each reader gets in their own language."""

    at: float
    """In seconds since 1970."""
    text: str = ""
    """The whole text in English, in rooms stored before there were messages."""
    message: str = ""
    places: dict[str, str | list[str]] = {}
    """By name: names of people; in {game} the slug of a game."""


class RoomMatch(Struct, frozen=True):
    """A match that was opened in a room."""

    table: str
    game: str
    seats: list[int | None] = []
    """Per seat, the number of its member; None for a computer player or somebody from outside."""
    over: bool = False
    winners: list[str] | None = None
    """The names of the winners; None if nobody has won, or not yet."""


class Room(Struct, frozen=True):
    """A room as it is stored. Every change makes a new version."""

    id: str
    secret: str
    """From which the ids of its tables follow; never shown to anybody."""
    invite: str
    """The secret of its link, which can be renewed."""
    version: int = 1
    created: float = field(default_factory=time.time)
    changed: float = field(default_factory=time.time)
    host: int | None = None
    """The number of the member who is the host; None if nobody is left."""
    members: list[Member] = []
    numbers: int = 0
    """How many members there have been."""
    matches: list[RoomMatch] = []
    """The latest matches, the oldest first."""
    opened: int = 0
    """How many matches have been opened."""
    barred: list[str] = []
    """The identities that may not come in again."""
    remarks: list[StoredRemark] = []
    chat: bool = True
    """Whether people may write to each other in their own words here."""

    def member(self, identity: str | None) -> Member | None:
        """The member with this identity, if there is one."""
        return next((member for member in self.members if identity and member.identity == identity), None)

    def numbered(self, number: int) -> Member:
        """The member with this number. Raises Unacceptable."""
        for member in self.members:
            if member.number == number:
                return member
        raise Unacceptable("Nobody of this room has that number")

    def need(self, identity: str | None) -> Member:
        """The member with this identity. Raises Forbidden."""
        member = self.member(identity)
        if member is None:
            raise Forbidden("Come into the room first: somebody who is in it can send you its link")
        return member

    def need_host(self, identity: str | None) -> Member:
        """The member with this identity, who is the host. Raises Forbidden."""
        member = self.need(identity)
        if member.number != self.host:
            raise Forbidden("Only the host of the room can do this")
        return member

    @property
    def next_table(self) -> str:
        """The id of the next table: every server arrives at the same one, so that two people open only one."""
        digest = hashlib.sha256(f"{self.id} {self.secret} {self.opened}".encode()).digest()
        return "".join(ID_LETTERS[byte % len(ID_LETTERS)] for byte in digest[:10])


def new_room(identity: str, name: str) -> Room:
    """A room whose first member and host is the person with this identity. Raises Unacceptable."""
    empty = Room(new_id(ROOM_ID), new_id(32), new_id(ROOM_INVITE))
    return structs.replace(joined(empty, identity, name), version=1)


def remarked(room: Room, about: Sentence, **changes: object) -> Room:
    """A room after some changes that are worth a remark. In a place {game} is its slug."""
    places = {name: [*value] if type(value) is tuple else value for name, value in about.places.items()}
    remark = StoredRemark(round(time.time(), 3), message=about.message, places=places)
    remarks = [*room.remarks, remark][-MOST_REMARKS:]
    return structs.replace(room, remarks=remarks, changed=time.time(), **changes)


def joined(room: Room, identity: str, name: str) -> Room:
    """The room after somebody has come in. Raises Forbidden, TooMany, Unacceptable."""
    if room.member(identity) is not None:
        return room
    if identity in room.barred:
        raise Forbidden("The host has removed you from this room")
    if len(room.members) >= MOST_MEMBERS:
        raise TooMany(sentence("There are {number} people in this room: it is full", number=MOST_MEMBERS))
    member = Member(room.numbers + 1, identity, chosen_name(name, _named(room)))
    host = member.number if room.host is None else room.host
    message = "{name} came in" if room.members else "{name} opened the room and is its host"
    arrival = sentence(message, name=member.name)
    return remarked(room, arrival, members=[*room.members, member], numbers=member.number, host=host)


def renamed_member(room: Room, identity: str, name: str) -> Room:
    """The room after a member has taken another name. Raises Forbidden, Unacceptable."""
    member = room.need(identity)
    others = structs.replace(room, members=[other for other in room.members if other != member])
    named = structs.replace(member, name=chosen_name(name, _named(others)))
    if named == member:
        return room
    renaming = sentence("{name} is now called {new_name}", name=member.name, new_name=named.name)
    return remarked(room, renaming, members=_with(room, named))


def departed(room: Room, identity: str, here: Iterable[str]) -> Room:
    """The room after a member has left; `here` are the identities of those present, one of whom becomes the host."""
    member = room.member(identity)
    if member is None:
        return room
    members, present = _without(room, member), {*here}
    if room.host != member.number:
        return remarked(room, sentence("{name} left", name=member.name), members=members)
    host = next((other for other in members if other.identity in present), members[0] if members else None)
    if host is None:
        return remarked(room, sentence("{name} left", name=member.name), members=members, host=None)
    leaving = sentence("{name} left; {host} is the host now", name=member.name, host=host.name)
    return remarked(room, leaving, members=members, host=host.number)


def expelled(room: Room, identity: str, number: int) -> Room:
    """The room after the host has removed and barred somebody, and made a new link. Raises Forbidden, Unacceptable."""
    host, member = room.need_host(identity), room.numbered(number)
    if host == member:
        raise Unacceptable("You cannot remove yourself: leave the room instead")
    barred = [*room.barred, member.identity][-MOST_BARRED:]
    removal = sentence("{host} removed {name}", host=host.name, name=member.name)
    return remarked(room, removal, members=_without(room, member), barred=barred, invite=new_id(ROOM_INVITE))


def passed_on(room: Room, identity: str, number: int) -> Room:
    """The room after the host has made somebody else the host. Raises Forbidden, Unacceptable."""
    host, member = room.need_host(identity), room.numbered(number)
    if host == member:
        return room
    handover = sentence("{name} made {host} the host", name=host.name, host=member.name)
    return remarked(room, handover, host=member.number)


def taken_over(room: Room, identity: str) -> Room:
    """The room after a member has become the host in place of one who is away. Raises Forbidden."""
    member = room.need(identity)
    if member.number == room.host:
        return room
    takeover = sentence("{name} is the host now, as the one before is away", name=member.name)
    return remarked(room, takeover, host=member.number)


def renewed(room: Room, identity: str) -> Room:
    """The room after the host has made a new link. Raises Forbidden."""
    host = room.need_host(identity)
    return remarked(room, sentence("{name} made a new link to the room", name=host.name), invite=new_id(ROOM_INVITE))


def talk_changed(room: Room, identity: str, chat: bool) -> Room:
    """The room after the host has decided whether people may write in their own words. Raises Forbidden."""
    host = room.need_host(identity)
    if room.chat == chat:
        return room
    message = "{name} decided that people send each other phrases only here"
    if chat:
        message = "{name} decided that people may write their own words here"
    return remarked(room, sentence(message, name=host.name), chat=chat)


def moved_to(room: Room, old: str, new: str) -> Room:
    """The room after somebody has taken their seat to another device, unless that has come in by itself."""
    member = room.member(old)
    if member is None or room.member(new) is not None or new in room.barred:
        return room
    return structs.replace(room, members=_with(room, structs.replace(member, identity=new)), changed=time.time())


def next_version(room: Room, after: Room) -> Room:
    """The room after a change, numbered as the next version."""
    return structs.replace(after, version=room.version + 1)


def opened_match(room: Room, match: RoomMatch, about: Sentence) -> Room:
    """The room after its next match has been opened, at the table `next_table` or at that of a rematch."""
    if any(known.table == match.table for known in room.matches):
        return room
    matches = [*room.matches, match][-MOST_MATCHES:]
    return remarked(room, about, matches=matches, opened=room.opened + 1)


def need_turn(room: Room, after: int) -> None:
    """Check that no match has been opened since somebody saw this many. Raises Taken."""
    if room.opened != after:
        raise Taken("Somebody has just opened the next match: look again")


def match_over(room: Room, table: str, places: Sequence[Occupant], winners: Sequence[int] | None) -> Room:
    """The room after one of its matches is over. `winners` are seats; None if nobody has won."""
    match = next((match for match in room.matches if match.table == table), None)
    if match is None or match.over:
        return room
    members = [room.member(place.identity) if place.who == "person" else None for place in places]
    names = None if winners is None else [places[seat].name or f"Seat {seat + 1}" for seat in winners]
    numbers = [None if member is None else member.number for member in members]
    over = structs.replace(match, over=True, winners=names, seats=numbers)
    matches = [over if known == match else known for known in room.matches]
    if names is None:
        return remarked(room, sentence("{game} ended without a winner", game=match.game), matches=matches)
    won = {numbers[seat] for seat in winners or ()}
    scored = [_scored(member, won) if member.number in numbers else member for member in room.members]
    victory = sentence("{names} won {game}", names=names, game=match.game)
    if len(names) == 1:
        victory = sentence("{name} won {game}", name=names[0], game=match.game)
    return remarked(room, victory, matches=matches, members=scored)


def turned(room: Room) -> list[int | None]:
    """Per seat of the next match, its member: those of the last match, one seat further on; None: not a member."""
    if not room.matches:
        return [member.number for member in room.members]
    known = {member.number for member in room.members}
    seats = [number if number in known else None for number in room.matches[-1].seats]
    return seats[-1:] + seats[:-1]


def encode_room(room: Room) -> str:
    """Encode a room as JSON."""
    return msgspec.json.encode(room).decode()


def decode_room(text: str) -> Room:
    """Decode a room. Raises ValueError."""
    return msgspec.json.decode(text, type=Room)


def _named(room: Room) -> list[Occupant]:
    return [Occupant("person", member.name) for member in room.members]


def _with(room: Room, member: Member) -> list[Member]:
    """The members of a room, one of them replaced."""
    return [member if known.number == member.number else known for known in room.members]


def _without(room: Room, gone: Member) -> list[Member]:
    """The members of a room but for one."""
    return [member for member in room.members if member.number != gone.number]


def _scored(member: Member, won: set[int | None]) -> Member:
    return structs.replace(member, played=member.played + 1, won=member.won + (member.number in won))
