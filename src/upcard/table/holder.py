"""What a table is given by the program that holds it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from upcard.engine.views import View
from upcard.table.messages import Aside
from upcard.table.summary import Busy

Think = Callable[[str, View[Any]], str | Awaitable[str]]
"""The move that a computer player of this level makes in this view: a text from a level that always answers at once."""
BusyWith = Callable[[str, View[Any]], Busy]
"""What a player of this level does when it is asked for a move in this view."""
Lead = Callable[[str], AbstractAsyncContextManager[bool]]
"""Whether this program moves the computer players of a table; while it does, no other with the same journal does."""
Spread = Callable[[str, str | None, Aside], None]
"""Tells something to those who look at a table through other programs; to one person only where one is named."""
