"""Decisions on people's actions: the journal entries that carry out an action in the present state of a table.

Nothing here writes or sends anything. Each function raises Refusal if the action is not granted.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Literal

from msgspec import structs

from upcard.engine.match import Match
from upcard.rules.seats import acts
from upcard.rules.sentences import sentence
from upcard.table import actions
from upcard.table.claims import takes_the_rest
from upcard.table.errors import Forbidden, Refusal, Taken, TooMany, Unacceptable, WrongSecret
from upcard.table.journal import (
    Answered,
    AnyEntry,
    Asked,
    Changed,
    Claimed,
    Ended,
    Hinted,
    Knocked,
    KnockEnded,
    Left,
    Offered,
    Proposed,
    Renewed,
    Returned,
    Revealed,
    Seated,
    Substituted,
    Swapped,
    TookBack,
)
from upcard.table.knocks import Knock
from upcard.table.pledges import digest
from upcard.table.seats import Occupant, chosen_name, computer, is_full, seat_of, stand_in
from upcard.table.state import Seating, TableState, match_after
from upcard.table.stores import new_id
from upcard.table.summary import (
    Now,
    is_host,
    is_practice,
    last_move,
    may_be_advised,
    needed_for,
    people,
    substitute_at,
    voters,
)


@dataclass(frozen=True)
class RequestContext:
    """A person who asks, the state of the table, and the time. The `need_` methods raise Refusal."""

    identity: str | None
    state: TableState
    now: Now
    time: float
    levels: Sequence[str]

    @property
    def places(self) -> list[Occupant]:
        return self.state.seating.places

    @property
    def seat(self) -> int | None:
        return seat_of(self.places, self.identity)

    def need_host(self) -> None:
        if not is_host(self.state.seating, self.identity):
            raise Forbidden("Only the host of the table can do this")

    def need_seat(self, seat: int) -> Occupant:
        """The place at a seat. Raises Unacceptable if there is no such seat."""
        if seat not in range(len(self.places)):
            raise Unacceptable(sentence("There is no seat {seat}", seat=seat))
        return self.places[seat]

    def need_own_seat(self) -> int:
        """The person's seat. Raises Forbidden for spectators."""
        if self.seat is None:
            raise Forbidden("You have no seat at this table: you are only watching")
        return self.seat

    def need_going_on(self) -> None:
        if self.state.done:
            raise Refusal("The match is over")


def abandon(context: RequestContext, action: actions.Abandon) -> list[AnyEntry]:
    """End the match without a winner; everybody must be present and agree."""
    seat = _playing(context)
    absent = {*people(context.places)} - {*_here(context), seat}
    if absent:
        message = "Everybody has to be here to end the match without a winner, but {player} is away"
        raise Refusal(sentence(message, player=context.places[min(absent)].name))
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
        one, many = "You can propose something again in {n} second", "You can propose something again in {n} seconds"
        raise TooMany(sentence(one, many, n=ceil(left)))
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


INVITE_LETTERS = 16
"""The length of the secret of an invitation link."""
RENEWED_AFTER = 30.0
"""Seconds after which another request to sit down is recorded, as a sign of life from somebody who has knocked."""


_NOT_IN_A_DAYS_DEAL = (actions.TakeBack, actions.Offer, actions.Change)
"""Actions by which somebody's try at the deal of a day would not be theirs alone, or not the first."""


def decide(context: RequestContext, action: actions.AnyAction) -> list[AnyEntry]:
    """The entries that carry out an action. Raises Refusal."""
    if context.state.plan.day is not None and isinstance(action, _NOT_IN_A_DAYS_DEAL):
        raise Forbidden(
            "The deal of the day is the same for everybody, and the first try counts: nothing is taken back here"
        )
    return _GRANTS[type(action)](context, action)


def _sit(context: RequestContext, action: actions.Sit) -> list[AnyEntry]:
    mine = context.seat
    if mine is not None and action.seat in (None, mine):
        return []
    if mine is not None:
        raise Taken("You already have a seat at this table")
    if context.state.done:
        raise Taken("The match is over")
    if action.seat is not None:
        context.need_seat(action.seat)
    seating = context.state.seating
    if context.identity in seating.blocked:
        raise Forbidden("You were asked to leave this table")
    seat = _free_seat(seating, context.identity, action.seat)
    is_expected = seating.places[seat].who == "held" or context.identity in seating.knocks.waiting
    if not is_expected and not seating.settings.listed:
        _check_invite(seating.invite, action.invite)
    if context.identity is not None and seating.must_knock(context.identity):
        return _knock(context, context.identity, action)
    return [_seated(seating.places, seat, action.name, context.identity, action.pledge)]


def _seated(
    places: Sequence[Occupant], seat: int, name: str, identity: str | None, pledge: str | None, *, let_in: bool = False
) -> Seated:
    """The entry that gives a seat to a person. Raises Unacceptable if the name is empty."""
    others = [place for i, place in enumerate(places) if i != seat]
    place = Occupant("person", chosen_name(name, others), None, identity, pledge=pledge)
    return Seated(seat=seat, place=place, let_in=let_in)


def _free_seat(seating: Seating, identity: str | None, wanted: int | None) -> int:
    """The seat where a person may sit down: one reserved for them, or else an open one. Raises Taken, Forbidden."""
    held = [i for i, place in enumerate(seating.places) if place.who == "held" and place.identity == identity]
    free = held + [i for i, place in enumerate(seating.places) if place.who == "open"]
    known = seating.knows.get(identity or "")
    if known is not None and free:
        if known not in free or wanted not in (None, known):
            raise Forbidden("You have seen the cards of another seat: you can sit down here when the next deal begins")
        free = [known]
    if not free or (wanted is not None and wanted not in free):
        raise Taken("This seat is taken" if free else "All seats are taken")
    return free[0] if wanted is None else wanted


def _check_invite(secret: str, given: str | None) -> None:
    """Check the secret of an invitation link; a table may have none. Raises Forbidden, WrongSecret."""
    if not secret or hmac.compare_digest(secret.encode(), (given or "").encode()):
        return
    if given:
        raise WrongSecret("This invitation link is no longer valid: ask somebody at the table for the new one")
    raise Forbidden("This table is by invitation only: ask somebody at the table for the link")


# ------------------------------------------------------------------------------------------------------------- knocking


def _knock(context: RequestContext, identity: str, action: actions.Sit) -> list[AnyEntry]:
    """Ask the host for a seat; asking again is a sign of life."""
    knocks = context.state.seating.knocks
    waiting = knocks.waiting.get(identity)
    if waiting is None:
        knocks.check(identity, context.time)
    elif context.time < waiting.at + RENEWED_AFTER:
        return []
    others = [Occupant("held", knock.name) for knock in knocks.waiting.values() if knock is not waiting]
    name = chosen_name(action.name, [*context.places, *others]) if waiting is None else waiting.name
    again = waiting is not None
    return [Knocked(identity=identity, name=name, seat=action.seat, pledge=action.pledge, again=again)]


def _let_in(context: RequestContext, action: actions.LetIn) -> list[AnyEntry]:
    knock, seating = _need_knock(context, action.knock), context.state.seating
    context.need_going_on()
    try:
        seat = _free_seat(seating, knock.identity, knock.seat)
    except Forbidden:
        message = "{player} has seen the cards of another seat: you can let them in when the next deal begins"
        raise Forbidden(sentence(message, player=knock.name)) from None
    return [_seated(seating.places, seat, knock.name, knock.identity, knock.pledge, let_in=True)]


def _decline(context: RequestContext, action: actions.Decline) -> list[AnyEntry]:
    knock = _need_knock(context, action.knock)
    return [KnockEnded(identity=knock.identity, name=knock.name, why="declined")]


def _need_knock(context: RequestContext, number: int) -> Knock:
    """The waiting person with this number; only for the host. Raises Forbidden, Taken."""
    context.need_host()
    knock = context.state.seating.knocks.numbered(number)
    if knock is None:
        raise Taken("They are no longer waiting for a seat")
    return knock


def _withdraw(context: RequestContext, action: actions.Withdraw) -> list[AnyEntry]:
    knock = context.state.seating.knocks.waiting.get(context.identity or "")
    return [] if knock is None else [KnockEnded(identity=knock.identity, name=knock.name, why="withdrawn")]


def _renew(context: RequestContext, action: actions.Renew) -> list[AnyEntry]:
    context.need_host()
    context.need_going_on()
    if not context.state.seating.invite:
        raise Refusal("Nobody needs an invitation at this table")
    return [Renewed(seat=context.need_own_seat(), invite=new_id(INVITE_LETTERS))]


# ----------------------------------------------------------------------------------------------------- before the start


def _fill(context: RequestContext, action: actions.Fill) -> list[AnyEntry]:
    context.need_host()
    if action.seat is not None and context.need_seat(action.seat).who not in ("open", "held"):
        raise Taken("This seat is taken")
    if is_full(context.places):
        return _fill_in_play(context, action.seat)
    places, entries = [*context.places], list[AnyEntry]()
    for seat, place in enumerate(places):
        if place.who in ("open", "held") and action.seat in (None, seat):
            places[seat] = computer(action.level, places, context.levels)
            entries.append(Seated(seat=seat, place=places[seat]))
    return entries


def _fill_in_play(context: RequestContext, seat: int | None) -> list[AnyEntry]:
    """Leave a seat that waits for a person to the computer player who moves for it, to the end."""
    context.need_going_on()
    place = None if seat is None else context.need_seat(seat)
    if seat is None or place is None or place.who != "open":
        raise Taken("All seats are taken")
    return [Seated(seat=seat, place=Occupant("computer", place.name, place.substitute))]


def _offer(context: RequestContext, action: actions.Offer) -> list[AnyEntry]:
    context.need_host()
    context.need_going_on()
    place = context.need_seat(action.seat)
    if place.who != "computer":
        raise Taken("No computer player sits there")
    is_playing = is_full(context.places)
    free = Occupant("open", place.name, substitute=place.level) if is_playing else Occupant()
    return [Offered(seat=action.seat, place=free)]


def _swap(context: RequestContext, action: actions.Swap) -> list[AnyEntry]:
    context.need_host()
    if is_full(context.places):
        raise Taken("The match has begun: nobody can change places now")
    first, second = action.seats
    context.need_seat(first)
    context.need_seat(second)
    return [Swapped(seats=(first, second))] if first != second else []


def _reveal(context: RequestContext, action: actions.Reveal) -> list[AnyEntry]:
    seat, pledges = context.need_own_seat(), context.state.seating.pledges
    if pledges.since is None:
        raise Refusal("The cards are not shuffled until every seat is taken")
    if pledges.nonces[seat] == action.nonce:
        return []
    if pledges.settled:
        raise Taken("The shuffles are already fixed")
    if pledges.pledged[seat] != digest(action.nonce):
        raise Unacceptable("Your browser did not add to the shuffle what it had pledged: reload the page")
    return [Revealed(seat=seat, nonce=action.nonce)]


# ------------------------------------------------------------------------------------------------------ giving seats up


def _remove(context: RequestContext, action: actions.Remove) -> list[AnyEntry]:
    context.need_host()
    place = context.need_seat(action.seat)
    if place.who not in ("person", "held"):
        raise Taken("Nobody sits there")
    if place.identity == context.identity:
        raise Refusal("You cannot remove yourself: leave the table instead")
    context.need_going_on()
    seating = context.state.seating
    blocked, invite = place.identity if action.block else None, new_id(INVITE_LETTERS) if seating.invite else ""
    removed = Left(seat=action.seat, place=_vacant(context), why="removed", blocked=blocked, invite=invite)
    knocking = Changed(settings=structs.replace(seating.settings, knock=True))
    return [removed] if seating.settings.knock else [removed, knocking]


def _leave(context: RequestContext, action: actions.Leave) -> list[AnyEntry]:
    return _give_up(context, _vacant(context), "left")


def _resign(context: RequestContext, action: actions.Resign) -> list[AnyEntry]:
    if not is_full(context.places):
        raise Refusal("The match has not started yet: you can simply leave")
    return _give_up(context, computer(stand_in(context.places), context.places, context.levels), "resigned")


def _give_up(context: RequestContext, place: Occupant, why: Literal["left", "resigned"]) -> list[AnyEntry]:
    """Give up the person's seat; if no person is left at the table, the match ends."""
    seat = context.need_own_seat()
    context.need_going_on()
    gone = Left(seat=seat, place=place, why=why)
    nobody = is_full(context.places) and people(context.places) == [seat]
    return [gone, Ended(why="abandoned")] if nobody else [gone]


def _vacant(context: RequestContext) -> Occupant:
    """The next occupant of a vacated seat: open and, during play, with a computer player until somebody sits down."""
    if not is_full(context.places):
        return Occupant()
    level = stand_in(context.places)
    return Occupant("open", computer(level, context.places, context.levels).name, substitute=level)


# ----------------------------------------------------------------------------------------------------------- being away


def _substitute(context: RequestContext, action: actions.Substitute) -> list[AnyEntry]:
    context.need_own_seat()
    place = context.need_seat(action.seat)
    due = substitute_at(context.state.seating, context.now, action.seat)
    if due is None or action.seat == context.seat:
        raise Taken("Nobody is waiting for this player at the moment")
    if context.time < due:
        one, many = "{player} still has {n} second to come back", "{player} still has {n} seconds to come back"
        raise Refusal(sentence(one, many, player=place.name, n=max(1, round(due - context.time))))
    stepped_in = Substituted(seat=action.seat, level=stand_in(context.places))
    return [stepped_in, *without(context.state.seating, {action.seat})]


def _come_back(context: RequestContext, action: actions.ComeBack) -> list[AnyEntry]:
    seat = context.need_own_seat()
    return [Returned(seat=seat)] if context.places[seat].substitute and not context.state.done else []


def _change(context: RequestContext, action: actions.Change) -> list[AnyEntry]:
    context.need_host()
    context.need_going_on()
    if is_full(context.places) and action.settings.clock != context.state.seating.settings.clock:
        raise Taken("Clocks are set before play begins and can no longer be changed")
    return [Changed(settings=action.settings)] if action.settings != context.state.seating.settings else []


def hint_entries(context: RequestContext) -> list[AnyEntry]:
    """Allow a hint to somebody who plays alone against computer players; the journal records only the first one."""
    seat, seating = context.need_own_seat(), context.state.seating
    context.need_going_on()
    if seating.plan.day is not None:
        raise Forbidden("There are no hints in the deal of the day: the first try counts")
    if not may_be_advised(seating):
        raise Forbidden("Hints are only given when you play alone against computer players, without a clock")
    if not acts(context.state.match.state, seat):
        raise Taken("It is not your turn")
    return [] if seat in seating.hinted else [Hinted(seat=seat)]


_GRANTS: dict[type, Callable[[RequestContext, Any], list[AnyEntry]]] = {
    actions.Sit: _sit,
    actions.Fill: _fill,
    actions.Offer: _offer,
    actions.Swap: _swap,
    actions.Remove: _remove,
    actions.Renew: _renew,
    actions.LetIn: _let_in,
    actions.Decline: _decline,
    actions.Withdraw: _withdraw,
    actions.Leave: _leave,
    actions.Resign: _resign,
    actions.Substitute: _substitute,
    actions.ComeBack: _come_back,
    actions.Abandon: abandon,
    actions.Concede: concede,
    actions.Claim: claim,
    actions.TakeBack: take_back,
    actions.Answer: answer,
    actions.Change: _change,
    actions.Reveal: _reveal,
}
