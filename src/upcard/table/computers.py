"""The computer players of one table: what they answer, and what is told while they think."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable
from typing import Any

from upcard.engine.views import View
from upcard.table.company import Company
from upcard.table.holder import BusyWith, Think
from upcard.table.messages import Thinking

log = logging.getLogger("upcard.table")


class Computers:
    """Whoever moves for seats that no person plays. One that fails makes any legal move, so that the table goes on."""

    def __init__(self, table: str, think: Think, busy: BusyWith, company: Company) -> None:
        self._table = table
        self._think = think
        self._busy = busy
        self._company = company

    def answer(self, seat: int, level: str, seen: View[Any]) -> str | Awaitable[str]:
        """What a player of this level plays, if it says so at once; else it is to be waited for."""
        try:
            answer = self._think(level, seen)
        except Exception as error:
            return self._instead(seat, seen, error)
        return self._legal(seat, seen, answer) if isinstance(answer, str) else self._thought(seat, level, seen, answer)

    async def _thought(self, seat: int, level: str, seen: View[Any], answer: Awaitable[str]) -> str:
        busy = self._busy(level, seen)
        try:
            if busy:
                self._company.say(Thinking(seat, busy))
            return self._legal(seat, seen, await answer)
        except Exception as error:
            return self._instead(seat, seen, error)
        finally:
            if busy:
                self._company.say(Thinking(seat, "done"))

    def _legal(self, seat: int, seen: View[Any], text: str) -> str:
        if seen.allows(text):
            return text
        log.error("table %s: the player at seat %d said %.40r", self._table, seat, text)
        return secrets.choice(seen.legal())

    def _instead(self, seat: int, seen: View[Any], error: Exception) -> str:
        log.error("table %s: the player at seat %d failed: %r", self._table, seat, error)
        return secrets.choice(seen.legal())
