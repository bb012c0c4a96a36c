"""The state of a table, built up from its journal entry by entry."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from msgspec import structs

from upcard.engine.chance import FairStream
from upcard.engine.events import Event
from upcard.engine.match import Match
from upcard.engine.setup import Setup, game_named
from upcard.rules.game import Game
from upcard.table import journal
from upcard.table.journal import AnyEntry, Asked, Ended, Happened, Plan
from upcard.table.knocks import Knocks
from upcard.table.pledges import Pledges, first_dealer
from upcard.table.seats import Occupant, is_full

COOLING, BETWEEN = 60.0, 10.0
"""Seconds before a seat may propose again: after somebody has declined its proposal, and after it has made one."""


class Seating:
    """The occupants of the seats and their agreements: the state of the table except the match."""

    def __init__(self, plan: Plan, entries: Iterable[AnyEntry] = ()) -> None:
        self.plan = plan
        self.settings = plan.settings
        self.places = [Occupant() for _ in range(plan.players)]
        self.host = plan.host
        """The identity of the person who created the table, on the device they use now."""
        self.invite = plan.invite
        """The secret of the present invitation link; empty if no invitation is needed."""
        self.knocks = Knocks()
        self.blocked: set[str] = set()
        self.knows: dict[str, int] = {}
        """By identity, the seat that a person gave up in this deal: they know its cards."""
        self.links: dict[int, str] = {}
        """By seat, the digest of the link that moves it to another device."""
        self.asked: Asked | None = None
        """The pending proposal."""
        self.agreed: set[int] = set()
        """The seats that have agreed to it."""
        self.propose_at: dict[int, float] = {}
        """By seat, the time from which it may propose something again."""
        self.claimed = False
        """Whether somebody has claimed the rest of this deal."""
        self.pledges = Pledges(plan)
        self.hinted: set[int] = set()
        """The seats that have had a hint."""
        self.next: str | None = None
        """The table of the rematch."""
        self.ended: Ended | None = None
        """The entry with which the match was given up, if it was."""
        for entry in entries:
            self.follow(entry)

    @property
    def host_seat(self) -> int | None:
        """The seat of the host: the table's creator or, once they have left, the first person; None without people."""
        first = None
        for seat, place in enumerate(self.places):
            if place.who == "person":
                if place.identity == self.host:
                    return seat
                first = seat if first is None else first
        return first

    @property
    def conceded_to(self) -> list[int] | None:
        """The seat of the winner, if one of two players has conceded; otherwise None."""
        ended = self.ended
        if ended is None or ended.why != "conceded" or ended.by is None or self.plan.players != 2:
            return None
        return [1 - ended.by]

    def must_knock(self, identity: str) -> bool:
        """Whether this person, if they have no seat, may only take an open one when the host lets them in."""
        expected = identity in self.knocks.members or any(place.identity == identity for place in self.places)
        return self.settings.knock and not expected and self.host_seat is not None

    def concerns(self, identity: str) -> bool:
        """Whether this person, who has no seat, is shown the table differently from others without a seat."""
        knocks = self.knocks
        known = (self.blocked, self.knows, knocks.members, knocks.waiting, knocks.ended)
        return any(identity in group for group in known) or any(place.identity == identity for place in self.places)

    def follow(self, entry: AnyEntry) -> None:
        """Apply a journal entry."""
        self.knocks.follow(entry, self.places)
        match entry:
            case Happened(text=text):
                self.asked = None
                if text.startswith("deal "):
                    self.claimed, self.knows = False, {}
            case journal.TookBack():
                self.asked, self.claimed = None, False
            case journal.Claimed():
                self.asked, self.claimed = None, True
            case journal.Seated(seat=seat, place=place):
                self.places[seat] = place
            case journal.Offered(seat=seat, place=place):
                self.places[seat] = place
            case journal.Left():
                self._leave(entry)
            case journal.Swapped(seats=(one, two)):
                self.places[one], self.places[two] = self.places[two], self.places[one]
                links = {one: self.links.pop(two, ""), two: self.links.pop(one, "")}
                self.links |= {seat: digest for seat, digest in links.items() if digest}
            case journal.Substituted(seat=seat, level=level):
                self._replace(seat, substitute=level)
            case journal.Returned(seat=seat):
                self._replace(seat, substitute=None)
            case journal.Moved(seat=seat, identity=identity):
                self._give_up(seat)
                self.host = identity if self.places[seat].identity == self.host else self.host
                self._replace(seat, identity=identity, substitute=None, pledge=None)
                self.links.pop(seat, None)
            case journal.Linked(seat=seat, digest=digest):
                self.links[seat] = digest
            case Asked(seat=seat, at=at):
                self.asked, self.agreed = entry, {seat}
                self.propose_at[seat] = max(self.propose_at.get(seat, 0.0), at + BETWEEN)
            case journal.Answered(seat=seat, agree=agree, at=at):
                if self.asked and not agree and seat != self.asked.seat:
                    self.propose_at[self.asked.seat] = at + COOLING
                self.asked = self.asked if agree else None
                self.agreed.add(seat)
            case journal.Renewed(invite=invite):
                self.invite = invite
            case journal.Revealed(seat=seat, nonce=nonce):
                self.pledges.reveal(seat, nonce)
            case journal.Settled():
                self.pledges.settle()
            case journal.Changed(settings=settings):
                self.settings = settings
            case journal.Hinted(seat=seat):
                self.hinted.add(seat)
            case journal.Followed(table=table):
                self.next = table
            case Ended():
                self.ended, self.asked = self._ending(entry), None
        self.knocks.prune(self.places)
        if self.pledges.since is None and is_full(self.places):
            self.pledges.begin(entry.at, self.places)

    def _leave(self, entry: journal.Left) -> None:
        self._give_up(entry.seat)
        self.places[entry.seat] = entry.place
        self.links.pop(entry.seat, None)
        self.asked = None
        self.invite = entry.invite or self.invite
        if entry.blocked:
            self.blocked.add(entry.blocked)

    def _ending(self, entry: Ended) -> Ended:
        """The entry; "unfinished" for an imported record of part of a match, which once counted as closed."""
        closed = entry.why == "closed" and self.plan.brought == "record"
        return structs.replace(entry, why="unfinished") if closed else entry

    def _give_up(self, seat: int) -> None:
        """Note that the occupant of a seat is about to lose it and knows its cards."""
        identity = self.places[seat].identity
        if identity and is_full(self.places):
            self.knows[identity] = seat

    def _replace(self, seat: int, **change: str | None) -> None:
        self.places[seat] = structs.replace(self.places[seat], **change)


_setups: WeakValueDictionary[tuple[object, ...], Game[Any]] = WeakValueDictionary()


def shared_setup(plan: Plan) -> Game[Any]:
    """The setup of a table. It is one object for all tables with the same one: so it takes memory once, and caches find
    it without comparing. Raises BadSetup."""
    key = game_named(plan.game), plan.players, msgspec.json.encode(plan.options, order="sorted")
    if (setup := _setups.get(key)) is None:
        setup = _setups[key] = Setup(plan.game, plan.players, plan.options)
    return setup


class TableState:
    """The state of a table: its seating and its match."""

    def __init__(self, plan: Plan) -> None:
        """Raises BadRecord if the plan does not describe a valid match."""
        self.plan = plan
        self.seating = Seating(plan)
        self.match: Match[Any] = Match(shared_setup(plan), dealer=plan.dealer)
        self.seq = 0
        self._undone: list[str] = []
        """The events of the match as they were before moves were taken back."""

    @property
    def done(self) -> bool:
        return self.match.done or self.seating.ended is not None

    def follow(self, entry: AnyEntry, after: Match[Any] | None = None) -> Event | None:
        """Apply a journal entry; return the event of the match if it is one. `after` is the match after it, if known.

        Raises IllegalMove if the rules do not allow it.
        """
        event = None
        if isinstance(entry, Happened):
            if after is None:
                event = self.match.event(entry.text)
            else:
                self.match, event = after, after.events[-1]
        elif isinstance(entry, journal.TookBack):
            now = [event.text for event in self.match.events]
            if self._undone[: len(now)] != now:  # otherwise play repeats those, and they include what followed
                self._undone = now
            self.match = match_after(self.match, entry.events)
        self.seating.follow(entry)
        if isinstance(entry, journal.Settled) and not self.match.events:
            self.match = Match(self.match.setup, dealer=first_dealer(self.plan, self.seating.pledges))
        self.seq += 1
        return event

    def stream(self) -> FairStream | None:
        """The stream from which the next chance event is drawn; None at a table without a secret."""
        if not self.plan.secret:
            return None
        before = sum(event.seat is None for event in self.match.events)
        return FairStream(bytes.fromhex(self.plan.secret), self.seating.pledges.nonces, before)

    def luck(self) -> str | None:
        """The chance event that occurred here before a take back, so that it is not drawn again; None if none did."""
        played = len(self.match.events)
        if played >= len(self._undone) or [event.text for event in self.match.events] != self._undone[:played]:
            return None
        return self._undone[played]


def match_after(match: Match[Any], events: int) -> Match[Any]:
    """The match as it was after its first `events` events."""
    now: Match[Any] = Match(match.setup, dealer=match.first_dealer)
    for event in match.events[:events]:
        now.event(event.text)
    return now
