"""Automatic play: what happens at a table without a person, chance events and the moves of computer players."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any

from upcard.engine.chance import Shuffler, shuffler
from upcard.engine.match import Match
from upcard.rules.state import NOTHING
from upcard.table.clients import Clients
from upcard.table.clocks import Turns
from upcard.table.computers import Computers
from upcard.table.errors import NotWritten
from upcard.table.journal import Settled
from upcard.table.messages import Notice
from upcard.table.seats import SUBSTITUTE, is_deserted, is_full
from upcard.table.state import TableState
from upcard.table.writer import Writer, event_entry

Lead = Callable[[str], AbstractAsyncContextManager[bool]]
"""Yields whether this program moves a table's computer players; programs that share a journal never do so at once."""

MOST_AT_ONCE = 10
"""The most answers of quick computer players that are written together with an event."""
STANDBY = 1.0
"""Seconds between checks of whether another program still moves the computer players."""
SHORTEST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""The shortest and longest pause, in seconds, before a failed write is tried again."""

log = logging.getLogger("upcard.table")


class Autoplay:
    """Carries out the automatic steps of one table."""

    def __init__(
        self,
        state: TableState,
        turns: Turns,
        clients: Clients,
        computers: Computers,
        writer: Writer,
        chance: Shuffler | None,
        lead: Lead,
    ) -> None:
        self._state = state
        self._turns = turns
        self._clients = clients
        self._computers = computers
        self._writer = writer
        self._chance = chance
        self._lead = lead
        self._quick: set[str] = set()
        """The levels whose players have answered at once."""

    def is_due(self) -> bool:
        """Whether a chance event or a computer player is awaited."""
        match, places = self._state.match, self._state.seating.places
        waiting = match.state.awaiting != NOTHING or self._computer_to_act(match) is not None
        return waiting and is_full(places) and not self._state.done and not is_deserted(places)

    def _computer_to_act(self, match: Match[Any]) -> int | None:
        for seat in match.to_act:
            if self._played_by(seat) is not None:
                return seat
        return None

    def _played_by(self, seat: int) -> str | None:
        """The level of the computer player that moves for this seat; None if a person does."""
        seating = self._state.seating
        return SUBSTITUTE if seating.claimed else seating.places[seat].played_by

    async def run(self, changed: Callable[[], None]) -> None:
        """Carry out steps while any are due, calling `changed` after each; stop early if the table itself is faulty."""
        while self.is_due():
            async with self._lead(self._state.plan.id) as leads:
                if leads and not await self._run_on(changed):
                    return
            if not leads:
                await asyncio.sleep(STANDBY)

    async def _run_on(self, changed: Callable[[], None]) -> bool:
        """Carry out steps until a person is to act; return False if the table itself is faulty."""
        pause = 0.0
        while self.is_due():
            try:
                try:
                    await self._step()
                finally:
                    changed()
                if pause:
                    self._clients.tell_all(Notice("well", "Play continues."))
                pause = 0.0
            except NotWritten as error:
                log.error("table %s: %s", self._state.plan.id, error)
                if not pause:
                    self._clients.tell_all(Notice("trouble", f"{error}. The table tries again."))
                pause = min(max(2 * pause, SHORTEST_PAUSE), LONGEST_PAUSE)
                await asyncio.sleep(pause)
            except (Exception, SystemExit) as error:
                log.error("table %s has stopped: %r", self._state.plan.id, error)
                self._clients.tell_all(Notice("trouble", "The table has stopped: something went wrong here."))
                return False
        return True

    async def _step(self) -> None:
        """Carry out the awaited chance event, or the move of a computer player with the answers of quick ones."""
        match = self._state.match
        seat = self._computer_to_act(match)
        if match.state.awaiting != NOTHING and not self._state.seating.pledges.settled:
            await self._settle()
        elif match.state.awaiting != NOTHING:
            await self._writer.alone(lambda: self._writer.again_if_overtaken(self._draw))
        elif seat is not None:
            await self._move(seat)

    # --------------------------------------------------------------------------------------------------------- chance

    async def _settle(self) -> None:
        """Fix the shuffles once all pledged nonces have been revealed or their time is up."""
        pledges = self._state.seating.pledges
        left = (pledges.until or 0.0) - time.time()
        if pledges.waits_for(self._state.seating.places) and left > 0:
            await self._writer.next_entry(left)
        else:
            await self._writer.undisturbed(lambda: self._writer.again_if_overtaken(self._fix_shuffles))

    async def _fix_shuffles(self) -> None:
        if not self._state.seating.pledges.settled and not self._state.done:
            await self._writer.write([Settled()])

    async def _draw(self) -> None:
        """Draw the outcome of the awaited chance event."""
        state = self._state
        if state.match.state.awaiting == NOTHING or state.done:  # somebody else has dealt, or ended the match
            return
        after = state.match.fork()
        after.event(state.luck() or after.draw_lots(state.stream() or self._chance or shuffler()))
        await self._writer.write_event([after])

    # ----------------------------------------------------------------------------------------------- computer players

    async def _move(self, seat: int) -> None:
        """Let a computer player move; if it is quick, also the quick players that follow it."""
        level, seq = self._played_by(seat) or "", self._state.seq
        answer = self._computers.answer(seat, level, self._clients.view(seat))
        if isinstance(answer, str):
            self._quick.add(level)
            first = _after(self._state.match, seat, answer)
            step = partial(self._play_all, [first, *self.answers(first)], seq)
        else:
            step = partial(self._play_for, seat, await answer, seq)
        await self._writer.alone(lambda: self._writer.again_if_overtaken(step))

    def answers(self, match: Match[Any]) -> list[Match[Any]]:
        """The match after each of the moves with which quick computer players answer its last event, to be written
        together with it: one transaction and one turn of the event loop instead of two.

        These players need no lead, as no other program can know of that event before it is written.
        """
        ahead: list[Match[Any]] = []
        try:
            while len(ahead) < MOST_AT_ONCE and (seat := self._computer_to_act(match)) is not None:
                level = self._played_by(seat) or ""
                if level not in self._quick:
                    break
                match = _after(match, seat, str(self._computers.answer(seat, level, match.view(seat))))
                ahead.append(match)
        except (Exception, SystemExit) as error:  # the table reports it when it is this player's turn
            log.debug("table %s: no move ahead: %r", self._state.plan.id, error)
        return ahead

    async def _play_all(self, ahead: Sequence[Match[Any]], seq: int) -> None:
        """Write the moves that were chosen at entry `seq`, if it is still the last one."""
        if self._state.seq == seq:
            await self._writer.write([event_entry(after) for after in ahead], ahead)

    async def _play_for(self, seat: int, text: str, seq: int) -> None:
        """Play the move that a computer player chose at entry `seq`, if it is still needed."""
        if self._played_by(seat) is None or self._turns.since[seat] > seq or self._state.done:
            return  # the person came back meanwhile, it is another turn, or the match was given up
        after = _after(self._state.match, seat, text)
        await self._writer.write_event([after, *self.answers(after)])


def _after(match: Match[Any], seat: int, text: str) -> Match[Any]:
    """The match after this move."""
    after = match.fork()
    after.play(seat, text)
    return after
