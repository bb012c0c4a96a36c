"""Logging: every fault is one line on standard error, never a traceback, and floods of the same line are cut short."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

MOST_ALIKE = 5
"""The most lines of one kind written within one spell."""
SPELL = 60.0
"""The length of a spell in seconds."""
REMEMBERED = 500


def log_in_lines(access: bool = False) -> None:
    """Set up logging for a server; with `access` every request is logged as a line on standard output."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(OneLine("%(asctime)s %(levelname)s %(message)s"))
    handler.addFilter(Sparing())
    for name in ("upcard", "uvicorn.error", "asyncio", "concurrent.futures"):
        _use(name, handler, logging.WARNING)
    threading.excepthook = _log_end
    if access:
        requests = logging.StreamHandler(sys.stdout)
        requests.setFormatter(OneLine("%(asctime)s %(message)s"))
        _use("upcard.access", requests, logging.INFO)


def _log_end(end: threading.ExceptHookArgs) -> None:
    """Log that a thread has ended by an exception."""
    name = end.thread.name if end.thread is not None else "a thread"
    logging.getLogger("upcard.server").critical("the thread “%s” has ended: %r", name, end.exc_value)


def _use(name: str, handler: logging.Handler, level: int) -> None:
    logger = logging.getLogger(name)
    logger.handlers = [handler]
    logger.setLevel(level)
    logger.propagate = False


class OneLine(logging.Formatter):
    """Formats a record on one line, with its exception in a few words."""

    def format(self, record: logging.LogRecord) -> str:
        record.message = " ".join(record.getMessage().split())
        if record.exc_info and record.exc_info[1] is not None:
            record.message += f": {record.exc_info[1]!r}"
        record.asctime = self.formatTime(record, self.datefmt)
        return self.formatMessage(record)


class Sparing(logging.Filter):
    """Lets `MOST_ALIKE` lines of one kind through per spell; the first of the next spell reports how many were
    dropped."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._spells: OrderedDict[tuple[str, str], tuple[float, int]] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        kind, now = (record.name, str(record.msg)[:80]), self._clock()
        began, number = self._spells.get(kind, (now, 0))
        if now - began >= SPELL:
            if number > MOST_ALIKE:
                record.msg, record.args = f"{record.getMessage()} (and {number - MOST_ALIKE} more like this)", ()
            began, number = now, 0
        self._spells[kind] = began, number + 1
        self._spells.move_to_end(kind)
        if len(self._spells) > REMEMBERED:
            self._spells.popitem(last=False)
        return number < MOST_ALIKE
