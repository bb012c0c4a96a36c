"""Decisions on people's actions: the journal entries that carry out an action in the present state of a table.

Nothing here writes or sends anything. Each function raises Refusal if the action is not granted.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from typing import Any, Literal

from msgspec import structs

from upcard.rules.seats import acts
from upcard.rules.words import counted
from upcard.table import actions
from upcard.table.agreements import abandon, answer, claim, concede, take_back, without
from upcard.table.errors import Forbidden, Refusal, Taken, Unacceptable, WrongSecret
from upcard.table.journal import (
    AnyEntry,
    Changed,
    Ended,
    Hinted,
    Knocked,
    KnockEnded,
    Left,
    Renewed,
    Returned,
    Revealed,
    Seated,
    Substituted,
    Swapped,
)
from upcard.table.knocks import Knock
from upcard.table.pledges import digest
from upcard.table.request_context import RequestContext
from upcard.table.seats import Occupant, clean_name, computer, is_full, stand_in
from upcard.table.state import Seating
from upcard.table.stores import new_id
from upcard.table.summary import may_be_advised, people, substitute_at

INVITE_LETTERS = 16
"""The length of the secret of an invitation link."""
RENEWED_AFTER = 30.0
"""Seconds after which another request to sit down is recorded, as a sign of life from somebody who has knocked."""


def decide(context: RequestContext, action: actions.AnyAction) -> list[AnyEntry]:
    """The entries that carry out an action. Raises Refusal."""
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
    place = Occupant("person", clean_name(name, others), None, identity, pledge=pledge)
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
    name = clean_name(action.name, [*context.places, *others]) if waiting is None else waiting.name
    again = waiting is not None
    return [Knocked(identity=identity, name=name, seat=action.seat, pledge=action.pledge, again=again)]


def _let_in(context: RequestContext, action: actions.LetIn) -> list[AnyEntry]:
    knock, seating = _need_knock(context, action.knock), context.state.seating
    context.need_going_on()
    try:
        seat = _free_seat(seating, knock.identity, knock.seat)
    except Forbidden:
        why = "has seen the cards of another seat: you can let them in when the next deal begins"
        raise Forbidden(f"{knock.name} {why}") from None
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
        raise Taken("All seats are taken")
    places, entries = [*context.places], list[AnyEntry]()
    for seat, place in enumerate(places):
        if place.who in ("open", "held") and action.seat in (None, seat):
            places[seat] = computer(action.level, places, context.levels)
            entries.append(Seated(seat=seat, place=places[seat]))
    return entries


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
        left = counted(max(1, round(due - context.time)), "second")
        raise Refusal(f"{place.name} still has {left} to come back")
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
    if not may_be_advised(seating):
        raise Forbidden("Hints are only given when you play alone against computer players, without a clock")
    if not acts(context.state.match.state, seat):
        raise Taken("It is not your turn")
    return [] if seat in seating.hinted else [Hinted(seat=seat)]


_GRANTS: dict[type, Callable[[RequestContext, Any], list[AnyEntry]]] = {
    actions.Sit: _sit,
    actions.Fill: _fill,
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
