"""The addresses of the server, each module those of one subject: a function per route."""

from __future__ import annotations

from upcard.server.routes import days, devices, games, house, page, rooms, tables

SUBJECTS = house, games, days, tables, rooms, devices, page
HANDLERS = [handler for subject in SUBJECTS for handler in subject.HANDLERS]
