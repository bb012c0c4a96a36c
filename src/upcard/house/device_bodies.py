"""The messages about a person's devices: docs/protocol.md."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from upcard.house.bodies import Body
from upcard.table.actions import Secret

SettingName = Annotated[str, Meta(max_length=40)]
SettingValue = Annotated[str, Meta(max_length=120)] | int | float | bool | None
PersonalSettings = Annotated[dict[SettingName, SettingValue], Meta(max_length=40)]
"""A person's settings of the page, without those of one screen; the server does not look into them."""


class NewDeviceLink(Body):
    """`POST /api/devices/link`."""

    settings: PersonalSettings
    """Carried to the other device; `name` is shown there."""


class LinkSecret(Body):
    """`POST /api/devices/linked`."""

    secret: Secret


class JoinDevice(Body):
    """`POST /api/devices/join`: this browser becomes a device of the person who made a link."""

    secret: Secret
    bring: bool
    """Whether the seats, results and rooms that this browser had become that person's; otherwise it has them again
    when it is removed from that person's devices."""


class DeviceInfo(Struct):
    """`GET /api/devices`: one of your devices."""

    id: str
    name: str
    """Named by what its browser says that it is, such as "Firefox on Android"."""
    used: float
    """When it was last used, within an hour, in seconds since 1970."""
    this: bool


class DeviceLink(Struct):
    """A link that makes another browser one of your devices, `/#device={secret}`. It works once."""

    secret: str
    until: float
    """When it ends, in seconds since 1970."""


class EarlierPerson(Struct):
    """The person that a browser has been until now."""

    name: str
    """At their latest table; may be empty."""
    playing: int
    """Tables in play at which they sit."""
    finished: int
    rooms: int


class LinkedPerson(Struct):
    """The person whose device a browser would become."""

    name: str
    """May be empty."""
    earlier: EarlierPerson | None
    """None if this browser has no seats, results or rooms."""
    apart: str
    """Why those cannot be brought along; empty if they can."""


class JoinedPerson(Struct):
    """`POST /api/devices/join`: the settings that the link carried."""

    settings: PersonalSettings


class DevicesChanged(Struct, tag_field="type", tag="devices"):
    """Over the WebSocket `/api/devices/news`: your devices have changed."""

    text: str
