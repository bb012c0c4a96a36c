"""The writer of a table: the only place where the state of a table changes.

An entry is written to the journal first, then applied to the state, and only then sent to clients. So nobody ever sees
anything that is not stored, and a journal that fails leaves the table unchanged.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from itertools import zip_longest
from typing import Any

from upcard.engine.match import Match
from upcard.table.clients import Clients
from upcard.table.clocks import BETWEEN_DEALS, Turns, running
from upcard.table.errors import Overtaken
from upcard.table.journal import AnyEntry, Ended, Happened, Journal, Left, Seated, TookBack
from upcard.table.log import Log
from upcard.table.messages import Accepted
from upcard.table.presence import Send
from upcard.table.state import TableState

REMEMBERED = 100
"""The number of answers to the moves of each seat that are remembered, to repeat them."""
PERSEVERANCE = 5
"""The number of times that a step is tried again when another program writes to the journal at the same moment."""


class Writer:
    """Writes entries to the journal of a table and applies them to its state, log, turns and clients."""

    def __init__(self, journal: Journal, state: TableState, log: Log, turns: Turns, clients: Clients) -> None:
        self._journal = journal
        self._state = state
        self._log = log
        self._turns = turns
        self._clients = clients
        self._lock = asyncio.Lock()
        self._moved_on = asyncio.Event()
        """Set by every entry."""
        self._accepted: dict[int, dict[str, Accepted]] = {}
        """By seat and id, the answers to the latest moves that people have made, `REMEMBERED` for each seat."""

    def accepted(self, seat: int, move_id: str) -> Accepted | None:
        """The answer to the move that the person of this seat has made with this id, if it is remembered. An older move
        that is sent again is refused, since it is for an earlier turn."""
        return self._accepted.get(seat, {}).get(move_id)

    def moved_themselves(self, seat: int, seq: int) -> bool:
        """Whether entry `seq` is a move that the person of this seat has made."""
        return any(answer.seq == seq for answer in self._accepted.get(seat, {}).values())

    # ---------------------------------------------------------------------------------------------------- one by one

    async def undisturbed(self, step: Callable[[], Awaitable[None]]) -> None:
        """Run a step with the table locked, to its end even if the caller is cancelled."""
        await asyncio.shield(asyncio.create_task(self.alone(step)))

    async def alone(self, step: Callable[[], Awaitable[None]]) -> None:
        """Run a step with the table locked."""
        async with self._lock:
            await step()

    async def again_if_overtaken(self, step: Callable[[], Awaitable[None]]) -> None:
        """Do a step; if another program has written to the journal meanwhile, catch up and do it again."""
        for _ in range(PERSEVERANCE):
            try:
                return await step()
            except Overtaken:
                await self.catch_up()
        return await step()

    async def next_entry(self, seconds: float) -> None:
        """Wait for the next entry, this long at most."""
        self._moved_on.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):  # wait_for of Python 3.11 may ignore that the task is cancelled
                await self._moved_on.wait()

    # ------------------------------------------------------------------------------------------ with the table locked

    async def catch_up(self) -> None:
        """Apply the entries that others have written to the journal. Raises NotWritten if it cannot be read."""
        for entry in await self._journal.since(self._state.plan.id, self._state.seq):
            before = [*self._state.seating.places]
            self.follow(entry)
            self._clients.tell([entry], before)

    async def write_event(
        self, afters: Sequence[Match[Any]], move_id: str | None = None, reply: Send | None = None
    ) -> None:
        """Write the event that leads to the first of these matches, and those that lead from each to the next; adopt
        them and send them to everybody, the first to `reply` before. Raises NotWritten."""
        state, event, taken = self._state, afters[0].events[-1], 0.0
        clock = state.seating.settings.clock
        if clock is not None and event.seat in running(state.seating.places, state.match.state):
            taken = self._clients.clocks.taken(clock, event.seat, time.time())
        entries = [event_entry(afters[0], move_id, taken), *map(event_entry, afters[1:])]
        await self.write(entries, afters, reply)

    async def write(
        self, entries: Sequence[AnyEntry], afters: Sequence[Match[Any]] = (), reply: Send | None = None
    ) -> None:
        """Write entries to the journal, adopt them and send their effects to everybody. Raises NotWritten.

        If the entries are events, `afters` contains the match after each of them, and they are sent one by one. The
        first is acknowledged to `reply` before anybody is sent it.
        """
        state = self._state
        done = afters[-1].done if afters else state.done or any(isinstance(entry, Ended) for entry in entries)
        await self._journal.append(state.plan.id, state.seq + 1, entries, done=done)
        before = [*state.seating.places]
        for entry, after in zip_longest(entries, afters):
            self.follow(entry, after)
            if reply and isinstance(entry, Happened) and entry.move_id is not None:
                reply(Accepted(entry.move_id, state.seq))
            if after is not None:
                self._clients.tell([entry], before)
        if not afters:
            self._clients.tell(entries, before)

    # ------------------------------------------------------------------------------------------------------- applying

    def follow(self, entry: AnyEntry, after: Match[Any] | None = None) -> None:
        """Apply a journal entry to all the state of the table. `after` is the match after it, if known."""
        state = self._state
        before, host = state.match.state, None if isinstance(entry, Happened) else self._host()
        if isinstance(entry, Happened) and after is None:  # the match itself is about to change
            before = before.copy()
        event = state.follow(entry, after)
        self._moved_on.set()
        was = self._clients.names
        self._clients.look_again(entry)
        if isinstance(entry, TookBack):
            self._log.take_back(self._turns.take_back(entry, state.seq), state.match)
        self._clients.clocks.note(entry, event.seat if event is not None else None)
        if event is None:
            self._remark(entry, was, host)
            return
        place = None if event.seat is None else state.seating.places[event.seat]
        is_substituted = place is not None and place.who == "person" and place.substitute is not None
        self._log.note(state.seq, before, state.match, event, self._clients.names, substituted=is_substituted)
        is_next_deal = event.seat is None and event.word == "deal" and state.match.state.deals > 1
        self._turns.note(state.seq, entry.at + BETWEEN_DEALS * is_next_deal, event, before.to_act)
        if isinstance(entry, Happened) and entry.move_id is not None and event.seat is not None:
            answers = self._accepted.setdefault(event.seat, {})
            answers[entry.move_id] = Accepted(entry.move_id, state.seq)
            if len(answers) > REMEMBERED:
                del answers[next(iter(answers))]

    def _remark(self, entry: AnyEntry, was: Sequence[str], host: str | None) -> None:
        """Add a remark on an entry to the log; `was` are the names and `host` is the host's identity before it."""
        seating = self._state.seating
        if host is None and isinstance(entry, Seated):  # the person who opens the table is the first to sit down
            return
        passed_on = isinstance(entry, (Seated, Left)) and host not in (None, self._host())
        entry = (seating.ended or entry) if isinstance(entry, Ended) else entry
        self._log.remark(self._state.seq, entry, was, self._clients.names, seating.host_seat if passed_on else None)

    def _host(self) -> str | None:
        """The identity of the host; None if no person has a seat."""
        seat = self._state.seating.host_seat
        return None if seat is None else self._state.seating.places[seat].identity


def event_entry(after: Match[Any], move_id: str | None = None, taken: float = 0.0) -> Happened:
    """The entry for the last event of a match."""
    winners = after.winners if after.done else None
    return Happened(text=after.events[-1].text, move_id=move_id, taken=taken, winners=winners)
