"""The storage of rooms in the database of the tables: the latest version of each, and who belongs to it."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from upcard.house.room import Room, decode_room, encode_room
from upcard.server.storage import MOST_FORGOTTEN, MOST_FOUND, Store, metadata
from upcard.table.stores import overtaken

rooms = sql.Table(
    "rooms",
    metadata,
    sql.Column("id", sql.String(16), primary_key=True),
    sql.Column("version", sql.Integer, nullable=False),
    sql.Column("changed", sql.Float, nullable=False, index=True),
    sql.Column("room", sql.Text, nullable=False),
)
members = sql.Table(
    "members",
    metadata,
    sql.Column("room_id", sql.ForeignKey("rooms.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("identity", sql.String(64), nullable=False, index=True),
)


class RoomStorage:
    """The rooms of all servers on one database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def save_room(self, room: Room) -> None:
        """Store a version of a room. Raises NotWritten; Overtaken if another one is stored."""

        def save(connection: Connection) -> None:
            save_room_step(connection, room)
            self._store.announce(connection, [room.id])

        await self._store.safely(before=save)

    async def load_room(self, room: str) -> Room | None:
        """A room; None if there is none. Raises NotWritten if the database cannot be read."""
        query = sql.select(rooms.c.room).where(rooms.c.id == room)
        text = await self._store.read(lambda connection: connection.scalar(query))
        return None if text is None else decode_room(text)

    async def rooms_of(self, identity: str) -> Sequence[Room]:
        """The rooms to which somebody belongs, the latest changed first. Raises NotWritten."""
        own = sql.select(members.c.room_id).where(members.c.identity == identity)
        query = sql.select(rooms.c.room).where(rooms.c.id.in_(own)).order_by(rooms.c.changed.desc()).limit(MOST_FOUND)
        return await self._store.read(lambda connection: [decode_room(text) for text in connection.scalars(query)])

    async def forget_rooms(self, before: float) -> int:
        """Delete rooms unchanged since this time, at most `MOST_FORGOTTEN`; returns how many. Raises NotWritten."""
        old = sql.select(rooms.c.id).where(rooms.c.changed < before).limit(MOST_FORGOTTEN)
        ids = await self._store.read(lambda connection: [*connection.scalars(old)])

        def delete(connection: Connection) -> None:
            unused = [*connection.scalars(old.where(rooms.c.id.in_(ids)))]
            connection.execute(members.delete().where(members.c.room_id.in_(unused)))
            connection.execute(rooms.delete().where(rooms.c.id.in_(unused)))

        if ids:
            await self._store.safely(before=delete)
        return len(ids)


def save_room_step(connection: Connection, room: Room) -> None:
    """Store a version of a room, in a transaction. Raises Overtaken if another one is stored."""
    values = {"version": room.version, "changed": room.changed, "room": encode_room(room)}
    if room.version == 1:
        connection.execute(rooms.insert().values(id=room.id, **values))
    else:
        before = sql.and_(rooms.c.id == room.id, rooms.c.version == room.version - 1)
        if connection.execute(rooms.update().where(before).values(values)).rowcount != 1:
            raise overtaken()
    connection.execute(members.delete().where(members.c.room_id == room.id))
    rows = [{"room_id": room.id, "number": member.number, "identity": member.identity} for member in room.members]
    if rows:
        connection.execute(members.insert(), rows)
