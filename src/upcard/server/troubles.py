"""The current troubles with the stored tables, as the server knows them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from enum import Enum


class Trouble(Enum):
    """A reason why the server is not well, in the words shown to people; the worst is the last."""

    UNWRITABLE = "the database cannot be written just now"
    UNREADABLE = "the database cannot be read just now"
    MISSING = "the database file was deleted or replaced"
    SILENT = "the database does not answer"
    DAMAGED = "the stored tables are damaged"


class Troubles:
    """The current troubles. Any thread may change them."""

    def __init__(self) -> None:
        self._current: set[Trouble] = set()
        self._lock = threading.Lock()
        self.on_change: Callable[[], None] = lambda: None
        """Called, by any thread, when the worst trouble changes, begins or ends."""

    def __contains__(self, trouble: Trouble) -> bool:
        return trouble in self._current

    def __bool__(self) -> bool:
        return bool(self._current)

    @property
    def worst(self) -> Trouble | None:
        """The trouble to report to people; None if all is well."""
        return max(self._current, key=[*Trouble].index, default=None)

    def begin(self, trouble: Trouble) -> bool:
        """Note a trouble; returns whether it is new."""
        return self._change(trouble, self._current.add, trouble not in self._current)

    def end(self, trouble: Trouble) -> bool:
        """Note that a trouble is over; returns whether it was there. Damage is never over."""
        return trouble is not Trouble.DAMAGED and self._change(trouble, self._current.discard, trouble in self._current)

    def _change(self, trouble: Trouble, change: Callable[[Trouble], None], is_new: bool) -> bool:
        if is_new:
            with self._lock:
                before = self.worst
                change(trouble)
                is_other = self.worst is not before
            if is_other:
                self.on_change()
        return is_new
