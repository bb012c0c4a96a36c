"""What is wrong with the stored tables, as the server knows it at the moment."""

from __future__ import annotations

import threading
from collections.abc import Callable
from enum import Enum


class Trouble(Enum):
    """A reason why the server is not well, with how people are told of it."""

    UNWRITABLE = "nothing can be written down just now"
    UNREADABLE = "what is written down cannot be read just now"
    MISSING = "the file of the tables was deleted or replaced"
    SILENT = "the database does not answer"
    DAMAGED = "what is written down is damaged"


class Troubles:
    """The troubles that there are now. May be changed by any thread."""

    def __init__(self) -> None:
        self._there: set[Trouble] = set()
        self._lock = threading.Lock()
        self.on_change: Callable[[], None] = lambda: None
        """Is called, by whatever thread, when the first trouble begins or the last one ends."""

    def __contains__(self, trouble: Trouble) -> bool:
        return trouble in self._there

    def __bool__(self) -> bool:
        return bool(self._there)

    @property
    def worst(self) -> Trouble | None:
        """The one to tell people of; None if all is well."""
        return max(self._there, key=[*Trouble].index, default=None)

    def begin(self, trouble: Trouble) -> bool:
        """Note that it is there; returns whether that is new."""
        return self._change(trouble, self._there.add, trouble not in self._there)

    def end(self, trouble: Trouble) -> bool:
        """Note that it is over; returns whether it was there. What is damaged stays so."""
        return trouble is not Trouble.DAMAGED and self._change(trouble, self._there.discard, trouble in self._there)

    def _change(self, trouble: Trouble, change: Callable[[Trouble], None], is_new: bool) -> bool:
        if is_new:
            with self._lock:
                before = self.worst
                change(trouble)
                is_other = self.worst is not before
            if is_other:
                self.on_change()
        return is_new
