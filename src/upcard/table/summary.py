"""A table as shown to one person, without its cards."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Literal

from upcard.engine.events import Event
from upcard.table.clocks import GRACE, ClockView
from upcard.table.journal import Proposed
from upcard.table.messages import KnockView, OwnKnock, Proposal, SeatSummary, Shuffles, TableView
from upcard.table.pledges import commitment
from upcard.table.presence import Presence
from upcard.table.seats import Occupant, is_full, seat_of
from upcard.table.state import Seating

Busy = Literal["", "getting ready", "thinking"]
"""The activity of a computer player that has been asked for a move; empty if it answers at once."""


@dataclass(slots=True, eq=False)
class Now:
    """The facts that summaries need besides the seating."""

    title: str
    done: bool
    presence: Presence = field(default_factory=Presence)
    opened: float = 0.0
    """The time since when the table is in memory; nobody counts as absent for longer."""
    waited_since: list[float | None] = field(default_factory=list)
    """For each seat, the time since when it has been asked for a move."""
    thinking: Mapping[int, Busy] = field(default_factory=dict)
    """By seat, the present activity of slow computer players."""
    clocks: list[ClockView] | None = None
    take_back: Set[int] = frozenset()
    """The seats with a move that could be taken back."""
    claim: Set[int] = frozenset()
    """The seats that could claim all remaining tricks."""


def is_practice(places: list[Occupant]) -> bool:
    """Whether one person plays alone against computer players."""
    kinds = [place.who for place in places]
    return kinds.count("person") == 1 and kinds.count("computer") == len(kinds) - 1


def last_move(places: list[Occupant], events: Sequence[Event], seat: int) -> int | None:
    """The number of the event to take back: the seat's last move, among people only if it is the last event of all."""
    if events and events[-1].seat == seat:
        return len(events) - 1
    if not is_practice(places):
        return None
    for number in range(len(events) - 1, -1, -1):
        if events[number].seat == seat:
            return number
    return None


def may_be_advised(seating: Seating) -> bool:
    """Whether hints are allowed at this table: only in practice without a clock, and not in the deal of a day."""
    return is_practice(seating.places) and seating.settings.clock is None and seating.plan.day is None


def summary(seating: Seating, now: Now, identity: str | None) -> TableView:
    """The table as shown to the person with this identity; None for somebody unknown."""
    plan, places = seating.plan, seating.places
    you = seat_of(places, identity)
    return TableView(
        id=plan.id,
        game=plan.game,
        title=now.title,
        players=plan.players,
        options=dict(plan.options),
        settings=seating.settings,
        created=plan.created,
        you=you,
        host=is_host(seating, identity),
        host_seat=seating.host_seat,
        started=is_full(places),
        done=now.done,
        ended=seating.ended.why if seating.ended else None,
        practice=is_practice(places),
        seats=[_seat(seating, now, seat, you) for seat in range(plan.players)],
        watching=now.presence.watching(places),
        may=may(seating, now, identity),
        free=free_for(seating, now, identity),
        knock=_own_knock(seating, now, identity),
        knocks=_knocks(seating, now) if is_host(seating, identity) else [],
        asked=_proposal(seating),
        propose_at=_propose_at(seating, you),
        next=seating.next,
        origin=plan.origin,
        brought=plan.brought,
        invite=seating.invite if you is not None and seating.invite else None,
        clocks=now.clocks,
        shuffles=_shuffles(seating),
        room=plan.room,
        day=plan.day,
        now=round(time.time(), 3),
    )


def is_host(seating: Seating, identity: str | None) -> bool:
    """Whether this person is the host; if no person has a seat, the table's creator is."""
    seat = seating.host_seat
    return identity is not None and identity == (seating.host if seat is None else seating.places[seat].identity)


def _seat(seating: Seating, now: Now, seat: int, you: int | None) -> SeatSummary:
    place = seating.places[seat]
    return SeatSummary(
        seat,
        place.name,
        place.who,
        place.level,
        now.presence.is_here(place),
        now.presence.away_since(place, now.opened),
        place.substitute,
        substitute_at(seating, now, seat),
        seat == you and bool(seating.links.get(seat)),
        now.thinking.get(seat, ""),
    )


def substitute_at(seating: Seating, now: Now, seat: int) -> float | None:
    """The time from which a computer player may step in for a person whose move is awaited; later for one present.

    None if nobody waits for this seat, or if no other person could ask for a substitute. Somebody not seen since this
    program got the table has a little time to connect again: a restart hardly lengthens anybody's wait.
    """
    place = seating.places[seat]
    since = now.waited_since[seat] if now.waited_since else None
    if since is None or place.who != "person" or place.substitute or now.done or len(people(seating.places)) < 2:
        return None
    patience = seating.settings.patience
    away = now.presence.away_since(place, now.opened - max(0.0, patience - GRACE))
    return since + 3 * patience if away is None else min(max(since, away) + patience, since + 3 * patience)


def substitutes_at(seating: Seating, now: Now) -> list[float | None]:
    """`substitute_at` for every seat."""
    if now.done or len(people(seating.places)) < 2:
        return [None] * seating.plan.players
    return [substitute_at(seating, now, seat) for seat in range(seating.plan.players)]


def people(places: list[Occupant]) -> list[int]:
    """The seats of people."""
    return [seat for seat, place in enumerate(places) if place.who == "person"]


def voters(seating: Seating) -> list[int]:
    """The seats whose agreement counts: people without a substitute."""
    return [seat for seat in people(seating.places) if not seating.places[seat].substitute]


def needed_for(seating: Seating, what: Proposed, seat: int) -> set[int]:
    """The other seats that must agree if this seat makes such a proposal."""
    if what == "concede" and len(seating.places) == 2:
        return set()
    return {*(people(seating.places) if what == "abandon" else voters(seating))} - {seat}


def _propose_at(seating: Seating, you: int | None) -> float | None:
    """The time from which this seat may propose something again; None if it may now."""
    at = 0.0 if you is None else seating.propose_at.get(you, 0.0)
    return at if at > time.time() else None


def _own_knock(seating: Seating, now: Now, identity: str | None) -> OwnKnock | None:
    if identity is None or free_for(seating, now, identity) is None or not seating.must_knock(identity):
        return None
    if identity in seating.knocks.waiting:
        return OwnKnock("waiting")
    again_at = seating.knocks.again_at(identity)
    if again_at <= time.time():
        return OwnKnock("needed")
    declined = seating.knocks.ended[identity].why == "declined"
    return OwnKnock("declined" if declined else "needed", again_at)


def _knocks(seating: Seating, now: Now) -> list[KnockView]:
    waiting = [] if now.done else seating.knocks.waiting.values()
    return [KnockView(knock.number, knock.name, knock.seat) for knock in waiting]


def _proposal(seating: Seating) -> Proposal | None:
    asked = seating.asked
    if asked is None:
        return None
    asks = people(seating.places) if asked.what == "abandon" else voters(seating)
    waits_for = [seat for seat in asks if seat not in seating.agreed]
    return Proposal(asked.seat, asked.what, sorted(seating.agreed), waits_for)


def _shuffles(seating: Seating) -> Shuffles | None:
    if not seating.plan.secret or seating.plan.day is not None:
        return None
    plan, pledges, places = seating.plan, seating.pledges, seating.places
    pledged = [place.pledge for place in places] if pledges.since is None else pledges.pledged
    waits_for = pledges.waits_for(places)
    fixed, until, dealer = pledges.settled, pledges.until, plan.draws_dealer
    return Shuffles(commitment(plan), [*pledged], [*pledges.nonces], fixed, waits_for, until, dealer)


def may(seating: Seating, now: Now, identity: str | None) -> list[str]:
    """The actions that make sense for this person at present; the table decides on each when it is requested."""
    places, you = seating.places, seat_of(seating.places, identity)
    started, done = is_full(places), now.done
    actions = _seated(seating, now, you) if you is not None else []
    if you is None and free_for(seating, now, identity):
        knock = _own_knock(seating, now, identity)
        actions += ["sit"] if knock is None or (knock.state == "needed" and knock.again_at is None) else []
        actions += ["withdraw"] if knock is not None and knock.state == "waiting" else []
    if not done and is_host(seating, identity) and seating.plan.day is None:
        actions.append("change")
        actions += ["renew"] if seating.invite and you is not None else []
        actions += ["let in", "decline"] if seating.knocks.waiting else []
        actions += [] if started else ["swap"]
        actions += ["fill"] if any(place.who in ("open", "held") for place in places) else []
        actions += ["offer"] if any(place.who == "computer" for place in places) else []
        if any(place.who in ("person", "held") and place.identity != identity for place in places):
            actions.append("remove")
    return actions


def free_for(seating: Seating, now: Now, identity: str | None) -> Literal["held", "open", "invited"] | None:
    """The kind of seat that a person without one can take; None if there is none. Only their page knows whether they
    have the invitation link."""
    places = seating.places
    if not identity or now.done or identity in seating.blocked or seat_of(places, identity) is not None:
        return None
    if any(place.identity == identity for place in places):
        return "held"
    if all(place.who != "open" for place in places):
        return None
    return "invited" if seating.invite and not seating.settings.listed else "open"


def _seated(seating: Seating, now: Now, you: int) -> list[str]:
    if now.done:
        return ["rematch"]
    if not is_full(seating.places):
        return ["leave"]
    if seating.places[you].substitute:
        return ["come back", "leave", "resign"]
    waits = _propose_at(seating, you) is not None
    proposals: list[Proposed] = ["concede", "abandon"]
    if you in now.take_back and seating.plan.day is None:
        proposals.append("take back")
    actions = ["leave", "resign", *(what for what in proposals if not (waits and needed_for(seating, what, you)))]
    if you in now.claim and not seating.claimed:
        actions.append("claim")
    if may_be_advised(seating):
        actions.append("hint")
    if seating.asked and you not in seating.agreed:
        actions.append("answer")
    if len(people(seating.places)) > 1:
        actions += ["nudge", "substitute"]
    return actions
