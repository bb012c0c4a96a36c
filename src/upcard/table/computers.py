"""The computer players of one table: requesting their moves and reporting that they think."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from upcard.engine.errors import UpcardError
from upcard.engine.views import View
from upcard.engine.worlds import NoWorld
from upcard.table.clients import Clients
from upcard.table.messages import Thinking
from upcard.table.seats import SUBSTITUTE
from upcard.table.summary import Busy

ChooseMove = Callable[[str, View[Any]], str | Awaitable[str]]
"""The move of a computer player of this level in this view; a quick level answers with a string, not an awaitable."""
BusyWith = Callable[[str, View[Any]], Busy]
"""The activity of a player of this level when it is asked for a move in this view."""

log = logging.getLogger("upcard.table")


class Computers:
    """Chooses moves for seats that no person plays. If a player fails, a quick one moves instead; if that fails too, a
    random legal move is made, so that play continues."""

    def __init__(self, table: str, think: ChooseMove, busy: BusyWith, clients: Clients) -> None:
        self._table = table
        self._think = think
        self._busy = busy
        self._clients = clients
        self._worldless = False
        """Whether a failure to find a world that fits what a player has seen has been logged."""

    def answer(self, seat: int, level: str, seen: View[Any]) -> str | Awaitable[str]:
        """The move of a player of this level: a string if it answers at once, otherwise an awaitable."""
        try:
            answer = self._think(level, seen)
        except (Exception, SystemExit) as error:
            return self._instead(seat, level, seen, error)
        if isinstance(answer, str):
            return self._legal(seat, level, seen, answer)
        return self._thought(seat, level, seen, answer)

    async def _thought(self, seat: int, level: str, seen: View[Any], answer: Awaitable[str]) -> str:
        busy = self._busy(level, seen)
        try:
            if busy:
                self._clients.say(Thinking(seat, busy))
            move = self._legal(seat, level, seen, await answer)
        except (Exception, SystemExit) as error:
            move = self._instead(seat, level, seen, error)
        finally:
            if busy:
                self._clients.say(Thinking(seat, "done"))
        return move if isinstance(move, str) else await move

    def _legal(self, seat: int, level: str, seen: View[Any], text: str) -> str | Awaitable[str]:
        if seen.allows(text):
            return text
        return self._instead(seat, level, seen, UpcardError(f"it returned {text[:40]!r}"))

    def _instead(self, seat: int, level: str, seen: View[Any], error: BaseException) -> str | Awaitable[str]:
        self._log_failure(seat, seen.game.slug, error)
        return secrets.choice(seen.legal()) if level == SUBSTITUTE else self.answer(seat, SUBSTITUTE, seen)

    def _log_failure(self, seat: int, game: str, error: BaseException) -> None:
        """Log a failure; failures to find a fitting world are logged only once per table."""
        if not isinstance(error, NoWorld):
            log.error("table %s: the player at seat %d failed: %r", self._table, seat, error)
        elif not self._worldless:
            self._worldless = True
            rest = "simple players move instead; `upcard check-game` may say more"
            log.error("table %s: no deal of %s fits what a player has seen (%s): %s", self._table, game, error, rest)
