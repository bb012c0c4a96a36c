"""Actions that may need agreement: abandoning or conceding a match, claiming, taking back. Each raises Refusal."""

from __future__ import annotations

from math import ceil
from typing import Any

from upcard.engine.match import Match
from upcard.table import actions
from upcard.table.claims import takes_the_rest
from upcard.table.errors import Forbidden, Refusal, Taken, TooMany
from upcard.table.journal import Answered, AnyEntry, Asked, Claimed, Ended, Proposed, TookBack
from upcard.table.request_context import RequestContext
from upcard.table.seats import is_full
from upcard.table.state import Seating, match_after
from upcard.table.summary import is_practice, last_move, needed_for, people, voters


def abandon(context: RequestContext, action: actions.Abandon) -> list[AnyEntry]:
    """End the match without a winner; everybody must be present and agree."""
    seat = _playing(context)
    absent = {*people(context.places)} - {*_here(context), seat}
    if absent:
        name = context.places[min(absent)].name
        raise Refusal(f"Everybody has to be here to end the match without a winner, but {name} is away")
    return _propose(context, Asked(seat=seat, what="abandon"))


def concede(context: RequestContext, action: actions.Concede) -> list[AnyEntry]:
    """Concede the match to the others; if there is more than one, they must agree."""
    seat = _playing(context)
    return _propose(context, Asked(seat=seat, what="concede"))


def claim(context: RequestContext, action: actions.Claim) -> list[AnyEntry]:
    """Claim the remaining tricks; granted without agreement if it follows from what the claimant sees."""
    seat = _playing(context)
    if context.state.seating.claimed:
        return []
    if not takes_the_rest(context.state.match.view(seat)):
        raise Refusal("You cannot be sure of the rest yet: somebody else may still take a trick")
    return [Claimed(seat=seat)]


def take_back(context: RequestContext, action: actions.TakeBack) -> list[AnyEntry]:
    """Take back to any point when alone with computer players; otherwise only the player's own last move, if nothing
    has followed it and it has revealed no card, and with the agreement of the others."""
    seat = _playing(context)
    events = context.state.match.events
    last = last_move(context.places, events, seat)
    if is_practice(context.places):
        back_to = last if action.events is None else action.events
        if back_to is None or back_to >= len(events):
            raise Taken("There is no move to take back")
        return [TookBack(seat=seat, events=back_to)]
    if last is None or action.events not in (None, last):
        raise Taken("You can only take back your own move, and only before the next one is made")
    if _revealed_something(context, last):
        raise Taken("You cannot take this back: somebody has seen new cards since")
    return _propose(context, Asked(seat=seat, what="take back", events=last))


def answer(context: RequestContext, action: actions.Answer) -> list[AnyEntry]:
    """Agree or disagree with the proposal; the last agreement needed puts it into effect."""
    seat = _playing(context)
    seating = context.state.seating
    asked = seating.asked
    if asked is None:
        raise Taken("That proposal is no longer open")
    if not action.agree:
        return [Answered(seat=seat, agree=False)]
    if seat in seating.agreed:
        return []
    agreed = Answered(seat=seat, agree=True)
    needed = needed_for(seating, asked.what, asked.seat)
    return [agreed, *_outcome(asked)] if needed <= seating.agreed | {seat} else [agreed]


def without(seating: Seating, gone: set[int]) -> list[AnyEntry]:
    """The entries that settle the proposal if it no longer waits for anybody when computer players step in for these
    seats, which then have no vote."""
    asked = seating.asked
    if asked is None or asked.what == "abandon":  # for this everybody must come back
        return []
    return _outcome(asked) if set(voters(seating)) - gone <= seating.agreed else []


def _playing(context: RequestContext) -> int:
    """The person's seat in a match in progress. Raises Refusal if there is none, or a substitute plays there."""
    seat = context.need_own_seat()
    context.need_going_on()
    if not is_full(context.places):
        raise Refusal("The match has not started yet: a seat is still open")
    if context.places[seat].substitute:
        raise Forbidden("A computer player is playing for you: come back first")
    return seat


def _here(context: RequestContext) -> list[int]:
    return [seat for seat, place in enumerate(context.places) if context.now.presence.is_here(place)]


def _propose(context: RequestContext, asked: Asked) -> list[AnyEntry]:
    """Make a proposal; it takes effect at once if nobody else needs to agree."""
    seating = context.state.seating
    if seating.asked is not None:
        raise Taken("There is already a proposal on the table: answer that one first")
    if not needed_for(seating, asked.what, asked.seat):
        return _outcome(asked)
    if (left := seating.propose_at.get(asked.seat, 0.0) - context.time) > 0:
        raise TooMany(f"You can propose something again in {ceil(left)} {'second' if left <= 1 else 'seconds'}")
    return [asked]


def _outcome(asked: Asked) -> list[AnyEntry]:
    what: Proposed = asked.what
    if what == "take back":
        return [TookBack(seat=asked.seat, events=asked.events or 0)]
    if what == "concede":
        return [Ended(why="conceded", by=asked.seat)]
    return [Ended(why="abandoned")]


def _revealed_something(context: RequestContext, events: int) -> bool:
    """Whether anybody now knows a card in some hand that they did not know after the first `events` events."""
    match = context.state.match
    before = match_after(match, events)
    viewers = [None, *range(match.players)]
    return any(_known(match, viewer) - _known(before, viewer) for viewer in viewers)


def _known(match: Match[Any], viewer: int | None) -> set[tuple[int, object]]:
    """The cards in hands that a viewer knows, each with the seat that holds it."""
    seen = match.view(viewer)
    return {(seat, card) for seat in range(match.players) for card in seen.hand(seat) if card is not None}
