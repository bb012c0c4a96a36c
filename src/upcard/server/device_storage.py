"""The storage of people's devices and of the links that make more of them, and the steps that change them.

A device without a row is its own person. The first link that a person makes gives their device a row; from then on rows
are changed but never deleted, as a device without its row would be its own person again.

Every step runs in a transaction, and raises a Refusal only before it has written anything.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from upcard import games
from upcard.house import room as changes
from upcard.house.device_bodies import EarlierPerson
from upcard.house.room import Room, decode_room
from upcard.rules.sentences import sentence
from upcard.server.room_storage import members, rooms, save_room_step
from upcard.server.storage import journal, metadata, name_of, notify_peers, seats, tables
from upcard.table.errors import Forbidden, Taken, TooMany, Unacceptable, WrongSecret
from upcard.table.journal import Moved, decode_entry, encode, kind

LINK_TIME = 600.0
"""Seconds for which a link works."""
MOST_DEVICES = 12
"""The most devices of one person."""
SOME = 500
"""The number of values in one query."""

devices = sql.Table(
    "devices",
    metadata,
    sql.Column("digest", sql.String(64), primary_key=True),
    sql.Column("person", sql.String(64), nullable=False, index=True),
    sql.Column("former", sql.String(64)),
    sql.Column("name", sql.String(60), nullable=False),
    sql.Column("used", sql.Float, nullable=False),
    sql.Column("changed", sql.Float, nullable=False, index=True),
)
"""`former` is the person that the device is again once it is removed; a new one if it is NULL."""
device_links = sql.Table(
    "device_links",
    metadata,
    sql.Column("digest", sql.String(64), primary_key=True),
    sql.Column("person", sql.String(64), nullable=False, index=True),
    sql.Column("until", sql.Float, nullable=False),
    sql.Column("settings", sql.Text, nullable=False),
)


def device_owner(connection: Connection, device: str) -> str:
    """The person whose device this is."""
    person: str | None = connection.scalar(sql.select(devices.c.person).where(devices.c.digest == device))
    return person or device


def link_device(
    connection: Connection, person: str, device: str, name: str, link: str, settings: dict[str, Any]
) -> float:
    """Store a link to a person's devices, made on one of them; any earlier one ends. Returns until when it works.

    Raises Forbidden if the device has been removed, TooMany.
    """
    now = time.time()
    mine = sql.and_(devices.c.digest == device, devices.c.person == person)
    if connection.execute(devices.update().where(mine).values(used=now)).rowcount == 0:  # which locks the row
        if device_owner(connection, device) != person:
            raise Forbidden("This browser is no longer one of these devices: reload the page")
        row = {"digest": device, "person": person, "former": None, "name": name, "used": now, "changed": now}
        connection.execute(devices.insert(), row)
    if len(device_rows(connection, person)) >= MOST_DEVICES:
        raise TooMany(sentence("You have {number} devices: remove one of them first", number=MOST_DEVICES))
    connection.execute(device_links.delete().where((device_links.c.person == person) | (device_links.c.until < now)))
    row = {"digest": link, "person": person, "until": now + LINK_TIME, "settings": json.dumps(settings)}
    connection.execute(device_links.insert(), row)
    return now + LINK_TIME


def linked_person(
    connection: Connection, device: str, link: str, *, lock: bool = False
) -> tuple[str, str, dict[str, Any]]:
    """The person whose device this one would become by a link, the person that it is now, and the link's settings.

    Raises WrongSecret; Unacceptable if it may not become theirs.
    """
    query = device_links.select().where(device_links.c.digest == link, device_links.c.until > time.time())
    row = connection.execute(query).one_or_none()
    if row is None:
        raise WrongSecret("This link was used already, or is older than ten minutes: make a new one")
    now = device_owner(connection, device)
    if now == row.person:
        raise Unacceptable("This browser is one of these devices already")
    if any(other.digest != device for other in device_rows(connection, now, lock=lock)):
        raise Unacceptable("This browser is one of several devices of somebody else: remove it there first")
    if len(device_rows(connection, row.person, lock=lock)) >= MOST_DEVICES:
        raise Unacceptable(
            sentence("This person has {number} devices: one of them must be removed first", number=MOST_DEVICES)
        )
    return row.person, now, json.loads(row.settings)


def join_device(
    connection: Connection, device: str, name: str, link: str, *, bring: bool
) -> tuple[str, dict[str, Any], list[str]]:
    """Make a device that of the person who made a link, which ends. With `bring`, everything that it had becomes
    theirs. Returns the person, the settings of the link, and the tables whose seats were moved.

    Raises WrongSecret, Unacceptable, Taken; Overtaken if a room was changed meanwhile.
    """
    person, former, settings = linked_person(connection, device, link, lock=True)
    if bring and (shared := shared_tables(connection, former, person)):
        raise Taken(apart_because(shared))
    if connection.execute(device_links.delete().where(device_links.c.digest == link)).rowcount != 1:
        raise WrongSecret("This link was used at this very moment: make a new one")
    now = time.time()
    values = {"person": person, "former": former, "name": name, "used": now, "changed": now}
    if connection.execute(devices.update().where(devices.c.digest == device).values(values)).rowcount == 0:
        connection.execute(devices.insert().values(digest=device, **values))
    return person, settings, merge_person(connection, former, person) if bring else []


def remove_device(connection: Connection, person: str, by: str, digits: str) -> tuple[str, str, str]:
    """Remove a person's device, named by the first digits of its id, and end their links; returns the device, its name,
    and the person that it is now. `by` is the device that asks for it.

    Raises Forbidden, Unacceptable.
    """
    mine = device_rows(connection, person, lock=True)
    matching = [row for row in mine if digits and row.digest.startswith(digits)]
    if all(row.digest != by for row in mine):
        raise Forbidden("This browser is no longer one of these devices: reload the page")
    if len(matching) != 1:
        raise Unacceptable("This is not one of your devices")
    if len(mine) == 1:
        raise Unacceptable("This is your only device: without it nobody could be you again")
    row = matching[0]
    return row.digest, row.name, dismiss(connection, row)


def dismiss(connection: Connection, row: Any) -> str:
    """Let a device, given by its row, be the person that it was before, and end its person's links. Returns whose it
    is now."""
    person = row.former or secrets.token_hex(32)
    changed = {"person": person, "former": None, "changed": time.time()}
    connection.execute(devices.update().where(devices.c.digest == row.digest).values(changed))
    connection.execute(device_links.delete().where(device_links.c.person == row.person))
    return person


def device_rows(connection: Connection, person: str, *, lock: bool = False) -> Sequence[Any]:
    """The rows of a person's devices, the latest used first; with `lock`, nobody else changes them until the
    transaction ends."""
    query = devices.select().where(devices.c.person == person).order_by(devices.c.used.desc(), devices.c.digest)
    return connection.execute(query.with_for_update() if lock else query).all()


# --------------------------------------------------------------------------------------------------- one person of two


def earlier_person(connection: Connection, person: str) -> EarlierPerson | None:
    """A summary of what a person has; None if it is nothing."""
    own = sql.select(seats.c.table_id).where(seats.c.identity == person)
    count = sql.select(tables.c.done, sql.func.count()).where(tables.c.id.in_(own)).group_by(tables.c.done)
    numbers = {bool(done): number for done, number in connection.execute(count)}
    joined = sql.select(sql.func.count()).select_from(members).where(members.c.identity == person)
    rooms_joined = connection.scalar(joined) or 0
    if not numbers and not rooms_joined:
        return None
    name = name_of(connection, person) or ""
    return EarlierPerson(name, numbers.get(False, 0), numbers.get(True, 0), rooms_joined)


def shared_tables(connection: Connection, one: str, two: str) -> list[str]:
    """The games of the tables in play at which both persons sit."""
    theirs = sql.select(seats.c.table_id).where(seats.c.identity == two)
    both = sql.select(seats.c.table_id).where(seats.c.identity == one, seats.c.table_id.in_(theirs))
    query = sql.select(tables.c.game).where(tables.c.id.in_(both), sql.not_(tables.c.done))
    return [*connection.scalars(query)]


def apart_because(played: Sequence[str]) -> str:
    """Why two persons who meet at tables of these games stay apart."""
    game = games.load(played[0]).title if played[0] in games.names() else played[0]
    return sentence("Both play at the same table of {game}: two who sit at one table stay two", game=game)


def merge_person(connection: Connection, old: str, new: str) -> list[str]:
    """Give one person's seats and rooms to another. Returns the tables whose seats were moved.

    A seat at a finished table at which both sat stays as it is. Raises Overtaken if a room was changed meanwhile.
    """
    theirs = sql.select(seats.c.table_id).where(seats.c.identity == new)
    own = sql.select(seats.c.table_id, seats.c.seat, tables.c.done).join(tables, tables.c.id == seats.c.table_id)
    chosen = connection.execute(own.where(seats.c.identity == old, seats.c.table_id.not_in(theirs))).all()
    for first in range(0, len(chosen), SOME):
        _move_seats(connection, chosen[first : first + SOME], new)
    joined = sql.select(members.c.room_id).where(members.c.identity == old)
    theirs_too = [
        decode_room(text) for text in connection.scalars(sql.select(rooms.c.room).where(rooms.c.id.in_(joined)))
    ]
    for room in theirs_too:
        save_room_step(connection, _room_of_one(room, old, new))
    moved = [row.table_id for row in chosen]
    notify_peers(connection, [*moved, *(room.id for room in theirs_too)])
    return moved


def _move_seats(connection: Connection, chosen: Sequence[Any], person: str) -> None:
    ids = [row.table_id for row in chosen]
    ends = sql.select(journal.c.table_id, sql.func.max(journal.c.seq)).where(journal.c.table_id.in_(ids))
    last = journal.select().where(sql.tuple_(journal.c.table_id, journal.c.seq).in_(ends.group_by(journal.c.table_id)))
    latest = {row.table_id: row for row in connection.execute(last)}
    entries = []
    for row in chosen:
        moved = Moved(seat=row.seat, identity=person)
        if row.done:  # a finished table is kept as long as without this
            moved = Moved(seat=row.seat, identity=person, at=_moment(latest[row.table_id].entry, moved.at))
        seq = latest[row.table_id].seq + 1
        entries.append({"table_id": row.table_id, "seq": seq, "kind": kind(moved), "entry": encode(moved)})
        place = sql.and_(seats.c.table_id == row.table_id, seats.c.seat == row.seat)
        connection.execute(seats.update().where(place).values(identity=person))
    connection.execute(journal.insert(), entries)


def _moment(entry: str, otherwise: float) -> float:
    try:
        return decode_entry(entry).at
    except ValueError:  # a damaged table is noticed elsewhere
        return otherwise


def _room_of_one(room: Room, old: str, new: str) -> Room:
    """The room after one person has become another; if both are in it, the first leaves it."""
    if room.member(new) is None:
        after = changes.moved_to(room, old, new)
    else:
        after = changes.departed(room, old, [new])
    return changes.next_version(room, after)
