"""The addresses of the server, each module those of one subject: a function per route."""

from __future__ import annotations

from upcard.server.routes import devices, games, house, page, rooms, tables

HANDLERS = [*house.HANDLERS, *games.HANDLERS, *tables.HANDLERS, *rooms.HANDLERS, *devices.HANDLERS, *page.HANDLERS]
