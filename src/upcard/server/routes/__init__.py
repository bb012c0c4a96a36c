"""The addresses of the server, each module those of one subject: a function per route."""

from __future__ import annotations

from upcard.server.routes import advice, games, house, records, tables

HANDLERS = [*house.HANDLERS, *games.HANDLERS, *tables.HANDLERS, *records.HANDLERS, *advice.HANDLERS]
