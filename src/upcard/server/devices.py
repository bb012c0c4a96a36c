"""The devices of people: whose device a browser is, links that make another one, and news for their other windows.

There are no accounts: a person is known by their devices. Each device has a secret in its cookie, of which only the
hash is stored, and can be removed without the others.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
import sqlalchemy as sql
from litestar import WebSocket
from sqlalchemy.engine import Connection

from upcard.house.device_bodies import DeviceInfo, DeviceLink, DevicesChanged, LinkedPerson, PersonalSettings
from upcard.languages.answers import encoder_for
from upcard.languages.localizing import reader
from upcard.rules.sentences import Sentence, as_sentence, sentence
from upcard.server.device_storage import (
    apart_because,
    device_links,
    device_owner,
    device_rows,
    devices,
    earlier_person,
    join_device,
    link_device,
    linked_person,
    remove_device,
    shared_tables,
)
from upcard.server.live import SIGNED_OUT, LiveTables, close_reason
from upcard.server.live_rooms import LiveRooms
from upcard.server.peers import DeviceNews
from upcard.server.storage import Store, seats, tables
from upcard.table.errors import NotWritten, Overtaken, Refusal, Taken, Unacceptable
from upcard.table.plain_text import plain_text
from upcard.table.seats import LONGEST_NAME
from upcard.table.stores import overtaken

if TYPE_CHECKING:
    from upcard.server.peer_channel import Neighbours

AN_HOUR = 3600.0
"""Seconds after which the use of a device is recorded again."""
MOST_REMEMBERED = 20_000
"""The number of devices whose owners are remembered."""
MARGIN = 60.0
"""Seconds by which the clocks of two servers may differ, and for which a transaction may wait."""
ID = 16
"""The number of hexadecimal digits by which a person's devices are named to them."""
LONGEST_SETTINGS = 4000
"""The longest settings that a link carries, as JSON."""
MOST_COMPARED = 100
"""The most tables in play at which two persons are compared hand by hand."""
MOST_NEWS = 20
"""The most texts that wait for one window."""
TRIES = 5
"""How often joining is tried again after somebody else has changed a room."""
SOMEBODY_ELSE = sentence("This browser was removed from your devices, or is another person's now")
UNKNOWN, ON = "A browser", " on "
"""In the names of devices as they are stored: a browser that is not in `BROWSERS`, and the word before its system."""

T = TypeVar("T")
BROWSERS = {
    "Edg": "Edge", "OPR": "Opera", "SamsungBrowser": "Samsung Internet", "Firefox": "Firefox", "FxiOS": "Firefox",
    "CriOS": "Chrome", "Chrome": "Chrome", "Safari": "Safari",
}  # fmt: skip
"""By what a User-Agent contains, the browser; the first that fits, as most also name others."""
SYSTEMS = {
    "Android": "Android", "iPhone": "iPhone", "iPad": "iPad", "Windows": "Windows", "CrOS": "ChromeOS",
    "Mac OS X": "Mac", "Linux": "Linux",
}  # fmt: skip


@dataclass
class KnownDevice:
    """A device, as known to this server."""

    person: str
    used: float | None
    """When its use was last recorded; None if it is not, as its person has no other device."""


@dataclass(eq=False)
class NewsWindow:
    """A window of a person that waits for news of their devices."""

    device: str
    person: str
    news: asyncio.Queue[Sentence | None] = field(default_factory=lambda: asyncio.Queue(MOST_NEWS))
    """Sentences to show; None: the device has become somebody else's."""

    def hear(self, text: Sentence | None) -> None:
        if not self.news.full():
            self.news.put_nowait(text)


class Devices:
    """The devices of all people of a server, shared with other servers on the same database."""

    def __init__(self, store: Store, live_tables: LiveTables, rooms: LiveRooms) -> None:
        self._store = store
        self._tables = live_tables
        self._rooms = rooms
        self._known: OrderedDict[str, KnownDevice] = OrderedDict()
        self._stirred: dict[str, float] = {}
        """By device, the uses to be recorded."""
        self._windows: set[NewsWindow] = set()
        self._refreshed = time.time()
        """When the changes by others were last looked for."""
        self._neighbours: Neighbours | None = None

    def meet(self, neighbours: Neighbours) -> None:
        """Share changes with other servers from now on."""
        self._neighbours = neighbours
        neighbours.on_device_news = self._follow

    # ------------------------------------------------------------------------------------------------------ whose it is

    async def owner(self, device: str) -> str:
        """The person whose device this is. Raises NotWritten if the database cannot be read."""
        known = self._known.get(device)
        if known is None:
            query = sql.select(devices.c.person, devices.c.used).where(devices.c.digest == device)
            row = await self._store.read(lambda connection: connection.execute(query).one_or_none())
            known = KnownDevice(device, None) if row is None else KnownDevice(row.person, row.used)
            self._known[device] = known
            while len(self._known) > MOST_REMEMBERED:
                self._known.popitem(last=False)
        self._known.move_to_end(device)
        if known.used is not None and time.time() - known.used > AN_HOUR:
            known.used = self._stirred[device] = time.time()
        return known.person

    async def mine(self, person: str, device: str, name: str) -> list[DeviceInfo]:
        """The devices of a person, the latest used first. `device` is the one that asks, and `name` its browser."""
        rows = await self._store.read(lambda connection: device_rows(connection, person))
        infos = [DeviceInfo(row.digest[:ID], device_title(row.name), row.used, row.digest == device) for row in rows]
        return infos or [DeviceInfo(device[:ID], device_title(name), time.time(), True)]

    # ------------------------------------------------------------------------------------------------------------ links

    async def link(self, person: str, device: str, name: str, settings: PersonalSettings) -> DeviceLink:
        """Make a link to the devices of a person; any earlier one ends. Raises Forbidden, TooMany, NotWritten."""
        if len(msgspec.json.encode(settings)) > LONGEST_SETTINGS:
            raise Unacceptable("These settings are too long")
        secret = secrets.token_urlsafe(24)
        until = await self._write(
            lambda connection: link_device(connection, person, device, name, _digest(secret), settings)
        )
        self._known[device] = KnownDevice(person, time.time())
        return DeviceLink(secret, until)

    async def unlink(self, person: str) -> None:
        """End the link to a person's devices. Raises NotWritten."""
        await self._write(lambda connection: connection.execute(device_links.delete().where(
            device_links.c.person == person
        )))  # fmt: skip

    async def linked(self, device: str, secret: str) -> LinkedPerson:
        """The person whose device this one would become. Raises WrongSecret, Unacceptable, NotWritten."""

        def look(connection: Connection) -> tuple[str, str, LinkedPerson] | Refusal:
            try:
                person, now, settings = linked_person(connection, device, _digest(secret))
            except Refusal as refusal:
                return refusal
            played = shared_tables(connection, now, person)
            apart = apart_because(played) if played else ""
            name = plain_text(str(settings.get("name") or ""), LONGEST_NAME)
            return person, now, LinkedPerson(name, earlier_person(connection, now), apart)

        seen = await self._store.read(look)
        if isinstance(seen, Refusal):
            raise seen
        person, now, linked = seen
        if linked.earlier is not None and not linked.apart:
            linked.apart = await self._met(now, person)
        return linked

    async def join(self, device: str, name: str, secret: str, *, bring: bool) -> PersonalSettings:
        """Make a device that of the person who made a link; returns the settings that it carried. With `bring`, the
        seats and rooms that it had become theirs.

        Raises WrongSecret, Unacceptable, NotWritten; Taken if the two have met at a table in play.
        """
        link = _digest(secret)
        if bring and (apart := (await self.linked(device, secret)).apart):
            raise Taken(apart)
        for _ in range(TRIES):
            try:
                person, settings, moved = await self._write(
                    lambda connection: join_device(connection, device, name, link, bring=bring)
                )
            except Overtaken:
                continue
            for table_id in moved:
                self._tables.hear(table_id)
            self._rooms.stir_around(None)
            self._change(DeviceNews(device, person, person, name, joined=True))
            return settings
        raise overtaken()

    async def remove(self, person: str, device: str, name: str) -> None:
        """Remove one of a person's devices, named by its id. `device` is the one that asks for it.

        Raises Forbidden, Unacceptable, NotWritten.
        """
        removed, browser, now = await self._write(lambda connection: remove_device(connection, person, device, name))
        self._change(DeviceNews(removed, now, person, browser, joined=False))

    async def _met(self, one: str, two: str) -> str:
        """Why two persons stay apart although they do not sit at one table: one of them knows another hand of a deal
        that the other plays; empty if nothing is in the way. Raises NotWritten."""
        own = sql.select(seats.c.table_id).where(seats.c.identity.in_([one, two]))
        query = sql.select(tables.c.id).where(tables.c.id.in_(own), sql.not_(tables.c.done))
        newest = query.order_by(tables.c.created.desc()).limit(MOST_COMPARED)
        for table_id in await self._store.read(lambda connection: [*connection.scalars(newest)]):
            current = await self._tables.current(table_id)
            if current is not None:
                sitting = {place.identity for place in current.seating.places}
                if {one, two} <= sitting | {*current.seating.knows}:
                    return apart_because([current.plan.game])
        return ""

    async def _write(self, step: Callable[[Connection], T]) -> T:
        """Run a step in a transaction; raises the Refusal that it raises before it writes, NotWritten."""
        outcome: list[T | Refusal] = []

        def attempt(connection: Connection) -> None:
            try:
                outcome[:] = [step(connection)]  # it may be tried twice
            except NotWritten:
                raise
            except Refusal as refusal:
                outcome[:] = [refusal]

        await self._store.safely(before=attempt)
        result = outcome[0]
        if isinstance(result, Refusal):
            raise result
        return result

    # ------------------------------------------------------------------------------------------------ keeping in step

    def _change(self, news: DeviceNews) -> None:
        """Apply and announce that a device has become another person's."""
        self._follow(news)
        if self._neighbours is not None:
            self._neighbours.announce(news)

    def _follow(self, news: DeviceNews) -> None:
        self._sign_out({news.device: news.person})
        message = "{device} is one of your devices now" if news.joined else "{device} is no longer one of your devices"
        for window in self._windows:
            if window.person == news.to:
                window.hear(sentence(message, device=device_title(news.browser)))

    def _sign_out(self, owners: Mapping[str, str]) -> None:
        """Close the windows of devices that have become somebody else's; `owners` are the persons, by device."""
        for device, person in owners.items():
            if device in self._known:
                self._known[device] = KnownDevice(person, self._known[device].used or 0.0)
        self._tables.sign_out(owners, SOMEBODY_ELSE)
        self._rooms.sign_out(owners, SOMEBODY_ELSE)
        for window in self._windows:
            if owners.get(window.device, window.person) != window.person:
                window.hear(None)

    async def refresh(self) -> None:
        """Record which devices were used, and follow what other servers and programs have changed. Raises
        NotWritten."""
        if stirred := self._stirred:
            self._stirred = {}
            await self._store.safely(before=lambda connection: _write_use(connection, stirred))
        now, since = time.time(), self._refreshed - MARGIN
        query = sql.select(devices.c.digest, devices.c.person).where(devices.c.changed > since)
        rows = await self._store.read(lambda connection: connection.execute(query).all())
        if rows:
            self._sign_out({row.digest: row.person for row in rows})
        self._refreshed = now

    async def forget(self) -> None:
        """Delete links that have ended. Raises NotWritten."""
        ended = device_links.delete().where(device_links.c.until < time.time())
        await self._write(lambda connection: connection.execute(ended))

    # ------------------------------------------------------------------------------------------------------------ news

    async def tell(self, socket: WebSocket[Any, Any, Any], person: str, device: str) -> None:
        """Send a window the news of a person's devices until one side closes the connection. A person with a single
        device has none."""
        window = NewsWindow(device, person)
        self._windows.add(window)
        leaving = asyncio.ensure_future(socket.receive())  # the window says nothing, so this is that it goes
        try:
            owner, number = await self._store.read(
                lambda connection: (device_owner(connection, device), len(device_rows(connection, person)))
            )
            if owner != person:
                window.hear(None)
            while number:
                listening = asyncio.ensure_future(window.news.get())
                await asyncio.wait({leaving, listening}, return_when=asyncio.FIRST_COMPLETED)
                if not listening.done():
                    listening.cancel()
                    return
                if (text := listening.result()) is None:
                    await socket.close(SIGNED_OUT, close_reason(SOMEBODY_ELSE))
                    return
                await socket.send_text(encoder_for(reader.get()).encode(DevicesChanged(text)).decode())
            await socket.close(1000, "no other device")
        finally:
            self._windows.discard(window)
            leaving.cancel()


def browser_name(user_agent: str) -> str:
    """A name for a browser, by its User-Agent: "Firefox on Android"."""
    browser = next((name for sign, name in BROWSERS.items() if sign in user_agent), UNKNOWN)
    system = next((f"{ON}{name}" for sign, name in SYSTEMS.items() if sign in user_agent), "")
    return f"{browser}{system}"


def device_title(name: str) -> Sentence:
    """A name that `browser_name` has given, as a sentence."""
    browser, _, system = name.partition(ON)
    if browser == UNKNOWN:
        return sentence("A browser on {system}", system=system) if system else sentence("A browser")
    return sentence("{browser} on {system}", browser=browser, system=system) if system else as_sentence(browser, None)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _write_use(connection: Connection, stirred: Mapping[str, float]) -> None:
    for device, used in stirred.items():
        connection.execute(devices.update().where(devices.c.digest == device).values(used=used))
