"""The addresses of the server, each module those of one subject: a function per route."""

from __future__ import annotations

from upcard.server.routes import days, devices, games, house, rooms, tables

HANDLERS = [
    *house.HANDLERS,
    *games.HANDLERS,
    *days.HANDLERS,
    *tables.HANDLERS,
    *rooms.HANDLERS,
    *devices.HANDLERS,
]
