"""The windows of one room in this program: what each was shown last, and what people have said in the room."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from msgspec import structs

from upcard.house.room_bodies import RoomMessage, RoomShown, RoomView
from upcard.table.chat import Conversation
from upcard.table.errors import TooMany
from upcard.table.messages import Aside, ChatMessage, ChatRemoved, Reaction

MOST_ROOM_WINDOWS, MOST_OF_ONE = 200, 8
"""The most windows that one room has in this program, and the most of one person."""


@dataclass(frozen=True, eq=False)
class RoomWindow:
    """One connection to a room."""

    identity: str
    send: Callable[[RoomMessage], None]
    """Sends a message; must return at once and never raise."""
    let_go: Callable[[str], None] = lambda why: None
    """Disconnects it for the given reason; must return at once and never raise."""


class RoomWindows:
    """The windows of one room, and the talk in it."""

    def __init__(self) -> None:
        self._shown: dict[RoomWindow, RoomView | None] = {}
        self.conversation = Conversation()
        self.here: set[str] = set()
        """The members who were present when the room was looked at last."""
        self.table: str | None = None
        """The room's table, when the room was looked at last."""
        self.is_stale = False
        """Whether something may have changed since the windows were shown the room."""
        self.showing: asyncio.Task[None] | None = None
        """The task that shows it anew."""
        self.alarm: asyncio.TimerHandle | None = None
        """Rings when the host has been away for long."""

    def __iter__(self) -> Iterator[RoomWindow]:
        return iter([*self._shown])

    def __len__(self) -> int:
        return len(self._shown)

    def has(self, identity: str) -> bool:
        """Whether somebody has a window on the room."""
        return any(window.identity == identity for window in self._shown)

    def has_member(self, identity: str) -> bool:
        """Whether somebody has a window on the room that shows it to them as to a member."""
        return any(window.identity == identity and _is_member(view) for window, view in self._shown.items())

    def add(self, window: RoomWindow) -> bool:
        """Add a window; returns whether it is its person's first. Raises TooMany."""
        own = sum(other.identity == window.identity for other in self._shown)
        if own >= MOST_OF_ONE:
            raise TooMany("You have this room open in too many windows: close one of them")
        if len(self._shown) >= MOST_ROOM_WINDOWS:
            raise TooMany("This room is open in too many windows")
        self._shown[window] = None
        return not own

    def remove(self, window: RoomWindow) -> bool:
        """Remove a window; returns whether it was its person's last."""
        return self._shown.pop(window, window) is not window and not self.has(window.identity)

    def show(self, window: RoomWindow, view: RoomView) -> None:
        """Send the room to a window if it has changed there; to somebody who is a member from now on, also the latest
        words."""
        before = self._shown.get(window, view)
        if before is not None and structs.replace(before, now=view.now) == view:
            return
        self._shown[window] = view
        window.send(RoomShown(view))
        if _is_member(view) and not _is_member(before):
            for message in self.conversation.heard_by(None):
                window.send(message)

    def hear(self, message: Aside) -> None:
        """Pass words on to the windows of the members."""
        if isinstance(message, ChatMessage):
            self.conversation.add(message)
        elif isinstance(message, ChatRemoved):
            self.conversation.remove(message.number)
        elif not isinstance(message, Reaction):
            return
        for window in [window for window, view in self._shown.items() if _is_member(view)]:
            window.send(message)

    def ring_in(self, seconds: float, ring: Callable[[], None]) -> None:
        """Set the alarm."""
        self.silence()
        self.alarm = asyncio.get_running_loop().call_later(seconds, ring)

    def silence(self) -> None:
        """Clear the alarm."""
        if self.alarm is not None:
            self.alarm.cancel()
            self.alarm = None


def _is_member(view: RoomView | None) -> bool:
    return view is not None and view.you is not None
