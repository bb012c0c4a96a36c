"""The types of the functions that a program passes to its tables."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from upcard.engine.views import View
from upcard.table.messages import Aside
from upcard.table.summary import Busy

ChooseMove = Callable[[str, View[Any]], str | Awaitable[str]]
"""The move of a computer player of this level in this view; a quick level answers with a string, not an awaitable."""
BusyWith = Callable[[str, View[Any]], Busy]
"""The activity of a player of this level when it is asked for a move in this view."""
Lead = Callable[[str], AbstractAsyncContextManager[bool]]
"""Yields whether this program moves a table's computer players; programs that share a journal never do so at once."""
Broadcast = Callable[[str, str | None, Aside], None]
"""Sends a message to the clients of a table at other servers: to one identity, or to all if it is None."""
