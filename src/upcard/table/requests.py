"""Deciding on people's actions: from an action and the state of the table to journal entries.

Nothing here writes or sends anything. Each function raises Refusal if the action is not granted.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from typing import Any, Literal

from msgspec import structs

from upcard.rules.seats import acts
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
"""Seconds after which a repeated request to sit down counts as a sign of life of somebody who has knocked."""


def decide(asker: RequestContext, action: actions.AnyAction) -> list[AnyEntry]:
    """The entries that carry out an action. Raises Refusal."""
    return _GRANTS[type(action)](asker, action)


def _sit(asker: RequestContext, action: actions.Sit) -> list[AnyEntry]:
    mine = asker.seat
    if mine is not None and action.seat in (None, mine):
        return []
    if mine is not None:
        raise Taken("You sit at this table already")
    if asker.standing.done:
        raise Taken("The match is over")
    if action.seat is not None:
        asker.need_seat(action.seat)
    seating = asker.standing.seating
    if asker.identity in seating.blocked:
        raise Forbidden("You were asked to leave this table")
    seat = _free_seat(seating, asker.identity, action.seat)
    is_expected = seating.places[seat].who == "held" or asker.identity in seating.knocks.waiting
    if not is_expected and not seating.settings.listed:
        _check_invite(seating.invite, action.invite)
    if asker.identity is not None and seating.must_knock(asker.identity):
        return _knock(asker, asker.identity, action)
    return [_seated(seating.places, seat, action.name, asker.identity, action.pledge)]


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
            raise Forbidden("You have seen the cards of another seat: sit down here when the next deal begins")
        free = [known]
    if not free or (wanted is not None and wanted not in free):
        raise Taken("This seat is taken" if free else "All seats are taken")
    return free[0] if wanted is None else wanted


def _check_invite(secret: str, given: str | None) -> None:
    """Check the secret of an invitation link; a table may have none. Raises Forbidden, WrongSecret."""
    if not secret or hmac.compare_digest(secret.encode(), (given or "").encode()):
        return
    if given:
        raise WrongSecret("This invitation link is no longer valid: ask somebody who sits there for the new one")
    raise Forbidden("This table is by invitation: ask somebody who sits there for the link")


# ------------------------------------------------------------------------------------------------------------- knocking


def _knock(asker: RequestContext, identity: str, action: actions.Sit) -> list[AnyEntry]:
    """Ask the host for a seat; to ask once more is a sign of life."""
    knocks = asker.standing.seating.knocks
    waiting = knocks.waiting.get(identity)
    if waiting is None:
        knocks.check(identity, asker.time)
    elif asker.time < waiting.at + RENEWED_AFTER:
        return []
    others = [Occupant("held", knock.name) for knock in knocks.waiting.values() if knock is not waiting]
    name = clean_name(action.name, [*asker.places, *others]) if waiting is None else waiting.name
    again = waiting is not None
    return [Knocked(identity=identity, name=name, seat=action.seat, pledge=action.pledge, again=again)]


def _let_in(asker: RequestContext, action: actions.LetIn) -> list[AnyEntry]:
    knock, seating = _need_knock(asker, action.knock), asker.standing.seating
    asker.need_going_on()
    try:
        seat = _free_seat(seating, knock.identity, knock.seat)
    except Forbidden:
        why = "has seen the cards of another seat: let them in when the next deal begins"
        raise Forbidden(f"{knock.name} {why}") from None
    return [_seated(seating.places, seat, knock.name, knock.identity, knock.pledge, let_in=True)]


def _decline(asker: RequestContext, action: actions.Decline) -> list[AnyEntry]:
    knock = _need_knock(asker, action.knock)
    return [KnockEnded(identity=knock.identity, name=knock.name, why="declined")]


def _need_knock(asker: RequestContext, number: int) -> Knock:
    """The person with this number who waits; only for the host. Raises Forbidden, Taken."""
    asker.need_host()
    knock = asker.standing.seating.knocks.numbered(number)
    if knock is None:
        raise Taken("They are no longer waiting for a seat")
    return knock


def _withdraw(asker: RequestContext, action: actions.Withdraw) -> list[AnyEntry]:
    knock = asker.standing.seating.knocks.waiting.get(asker.identity or "")
    return [] if knock is None else [KnockEnded(identity=knock.identity, name=knock.name, why="withdrawn")]


def _renew(asker: RequestContext, action: actions.Renew) -> list[AnyEntry]:
    asker.need_host()
    asker.need_going_on()
    if not asker.standing.seating.invite:
        raise Refusal("Nobody needs an invitation at this table")
    return [Renewed(seat=asker.need_own_seat(), invite=new_id(INVITE_LETTERS))]


# ----------------------------------------------------------------------------------------------------- before the start


def _fill(asker: RequestContext, action: actions.Fill) -> list[AnyEntry]:
    asker.need_host()
    if action.seat is not None and asker.need_seat(action.seat).who not in ("open", "held"):
        raise Taken("This seat is taken")
    if is_full(asker.places):
        raise Taken("All seats are taken")
    places, entries = [*asker.places], list[AnyEntry]()
    for seat, place in enumerate(places):
        if place.who in ("open", "held") and action.seat in (None, seat):
            places[seat] = computer(action.level, places, asker.levels)
            entries.append(Seated(seat=seat, place=places[seat]))
    return entries


def _swap(asker: RequestContext, action: actions.Swap) -> list[AnyEntry]:
    asker.need_host()
    if is_full(asker.places):
        raise Taken("The match has begun: nobody can change places any more")
    one, two = action.seats
    asker.need_seat(one)
    asker.need_seat(two)
    return [Swapped(seats=(one, two))] if one != two else []


def _reveal(asker: RequestContext, action: actions.Reveal) -> list[AnyEntry]:
    seat, pledges = asker.need_own_seat(), asker.standing.seating.pledges
    if pledges.since is None:
        raise Refusal("The cards are shuffled when every seat is taken")
    if pledges.nonces[seat] == action.nonce:
        return []
    if pledges.settled:
        raise Taken("The shuffles are fixed already")
    if pledges.pledged[seat] != digest(action.nonce):
        raise Unacceptable("What this browser adds to the shuffle is not what it promised: reload the page")
    return [Revealed(seat=seat, nonce=action.nonce)]


# ------------------------------------------------------------------------------------------------------ giving seats up


def _remove(asker: RequestContext, action: actions.Remove) -> list[AnyEntry]:
    asker.need_host()
    place = asker.need_seat(action.seat)
    if place.who not in ("person", "held"):
        raise Taken("Nobody sits there")
    if place.identity == asker.identity:
        raise Refusal("You cannot remove yourself: leave the table instead")
    asker.need_going_on()
    seating = asker.standing.seating
    blocked, invite = place.identity if action.block else None, new_id(INVITE_LETTERS) if seating.invite else ""
    removed = Left(seat=action.seat, place=_vacant(asker), why="removed", blocked=blocked, invite=invite)
    knocking = Changed(settings=structs.replace(seating.settings, knock=True))
    return [removed] if seating.settings.knock else [removed, knocking]


def _leave(asker: RequestContext, action: actions.Leave) -> list[AnyEntry]:
    return _give_up(asker, _vacant(asker), "left")


def _resign(asker: RequestContext, action: actions.Resign) -> list[AnyEntry]:
    if not is_full(asker.places):
        raise Refusal("The match has not started yet: you can simply leave")
    return _give_up(asker, computer(stand_in(asker.places), asker.places, asker.levels), "resigned")


def _give_up(asker: RequestContext, place: Occupant, why: Literal["left", "resigned"]) -> list[AnyEntry]:
    """Give up the asker's seat; if no person is left at the table, the match ends."""
    seat = asker.need_own_seat()
    asker.need_going_on()
    gone = Left(seat=seat, place=place, why=why)
    nobody = is_full(asker.places) and people(asker.places) == [seat]
    return [gone, Ended(why="abandoned")] if nobody else [gone]


def _vacant(asker: RequestContext) -> Occupant:
    """The place left by somebody who goes: open, and during play with a computer player until somebody sits down."""
    if not is_full(asker.places):
        return Occupant()
    level = stand_in(asker.places)
    return Occupant("open", computer(level, asker.places, asker.levels).name, substitute=level)


# ----------------------------------------------------------------------------------------------------------- being away


def _substitute(asker: RequestContext, action: actions.Substitute) -> list[AnyEntry]:
    asker.need_own_seat()
    place = asker.need_seat(action.seat)
    due = substitute_at(asker.standing.seating, asker.now, action.seat)
    if due is None or action.seat == asker.seat:
        raise Taken("Nobody is waiting for this player just now")
    if asker.time < due:
        raise Refusal(f"{place.name} has {max(1, round(due - asker.time))} more seconds to come back")
    stepped_in = Substituted(seat=action.seat, level=stand_in(asker.places))
    return [stepped_in, *without(asker.standing.seating, {action.seat})]


def _come_back(asker: RequestContext, action: actions.ComeBack) -> list[AnyEntry]:
    seat = asker.need_own_seat()
    return [Returned(seat=seat)] if asker.places[seat].substitute and not asker.standing.done else []


def _change(asker: RequestContext, action: actions.Change) -> list[AnyEntry]:
    asker.need_host()
    asker.need_going_on()
    if is_full(asker.places) and action.settings.clock != asker.standing.seating.settings.clock:
        raise Taken("Clocks are chosen before play begins and can no longer be changed")
    return [Changed(settings=action.settings)] if action.settings != asker.standing.seating.settings else []


def hint_entries(asker: RequestContext) -> list[AnyEntry]:
    """Allow a hint to somebody who plays alone against computer players; the journal records the first one."""
    seat, seating = asker.need_own_seat(), asker.standing.seating
    asker.need_going_on()
    if not may_be_advised(seating):
        raise Forbidden("Hints are only given when you play alone against computer players, without a clock")
    if not acts(asker.standing.match.state, seat):
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
