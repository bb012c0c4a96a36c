"""Deciding on people's actions: from an action and the state of the table to journal entries.

Nothing here writes or sends anything. Each function raises Refusal if the action is not granted.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import Any, Literal

from upcard.rules.seats import acts
from upcard.table import actions
from upcard.table.agreements import abandon, answer, claim, concede, take_back, without
from upcard.table.asker import Asker
from upcard.table.errors import Forbidden, Refusal, Taken, Unacceptable, WrongSecret
from upcard.table.journal import (
    AnyEntry,
    Changed,
    Ended,
    Hinted,
    Left,
    Returned,
    Revealed,
    Seated,
    Substituted,
    Swapped,
)
from upcard.table.pledges import digest
from upcard.table.seats import Place, clean_name, computer, is_full, stand_in
from upcard.table.summary import may_be_advised, people, substitute_at


def decide(asker: Asker, action: actions.AnyAction) -> list[AnyEntry]:
    """The entries that carry out an action. Raises Refusal."""
    return _GRANTS[type(action)](asker, action)


def _sit(asker: Asker, action: actions.Sit) -> list[AnyEntry]:
    mine = asker.seat
    if mine is not None and action.seat in (None, mine):
        return []
    if mine is not None:
        raise Taken("You sit at this table already")
    if asker.standing.done:
        raise Taken("The match is over")
    if action.seat is not None:
        asker.need_seat(action.seat)
    seat = _free_seat(asker, action)
    others = [place for i, place in enumerate(asker.places) if i != seat]
    place = Place("person", clean_name(action.name, others), None, asker.identity, pledge=action.pledge)
    return [Seated(seat=seat, place=place)]


def _free_seat(asker: Asker, action: actions.Sit) -> int:
    """The seat where a person may sit down: one reserved for them, or else an open one."""
    seating = asker.standing.seating
    if asker.identity in seating.blocked:
        raise Forbidden("You were asked to leave this table")
    held = [i for i, place in enumerate(asker.places) if place.who == "held" and place.identity == asker.identity]
    free = held + [i for i, place in enumerate(asker.places) if place.who == "open"]
    known = seating.knows.get(asker.identity or "")
    if known is not None and free:
        if known not in free or action.seat not in (None, known):
            raise Forbidden("You have seen the cards of another seat: sit down here when the next deal begins")
        free = [known]
    if not free or (action.seat is not None and action.seat not in free):
        raise Taken("This seat is taken" if free else "All seats are taken")
    seat = free[0] if action.seat is None else action.seat
    invite = seating.plan.invite
    if invite and seat not in held and not seating.settings.listed and not _is_same(action.invite, invite):
        wrong = Forbidden if action.invite is None else WrongSecret
        raise wrong("This table is by invitation: ask somebody who sits there for the link")
    return seat


def _is_same(secret: str | None, expected: str) -> bool:
    return hmac.compare_digest((secret or "").encode(), expected.encode())


def _fill(asker: Asker, action: actions.Fill) -> list[AnyEntry]:
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


def _swap(asker: Asker, action: actions.Swap) -> list[AnyEntry]:
    asker.need_host()
    if is_full(asker.places):
        raise Taken("The match has begun: nobody can change places any more")
    one, two = action.seats
    asker.need_seat(one)
    asker.need_seat(two)
    return [Swapped(seats=(one, two))] if one != two else []


def _reveal(asker: Asker, action: actions.Reveal) -> list[AnyEntry]:
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


def _remove(asker: Asker, action: actions.Remove) -> list[AnyEntry]:
    asker.need_host()
    place = asker.need_seat(action.seat)
    if place.who not in ("person", "held"):
        raise Taken("Nobody sits there")
    if place.identity == asker.identity:
        raise Refusal("You cannot remove yourself: leave the table instead")
    asker.need_going_on()
    blocked = place.identity if action.block else None
    return [Left(seat=action.seat, place=_vacant(asker), why="removed", blocked=blocked)]


def _leave(asker: Asker, action: actions.Leave) -> list[AnyEntry]:
    return _give_up(asker, _vacant(asker), "left")


def _resign(asker: Asker, action: actions.Resign) -> list[AnyEntry]:
    if not is_full(asker.places):
        raise Refusal("The match has not started yet: you can simply leave")
    return _give_up(asker, computer(stand_in(asker.places), asker.places, asker.levels), "resigned")


def _give_up(asker: Asker, place: Place, why: Literal["left", "resigned"]) -> list[AnyEntry]:
    """Give up the asker's seat; if no person is left at the table, the match ends."""
    seat = asker.need_own_seat()
    asker.need_going_on()
    gone = Left(seat=seat, place=place, why=why)
    nobody = is_full(asker.places) and people(asker.places) == [seat]
    return [gone, Ended(why="abandoned")] if nobody else [gone]


def _vacant(asker: Asker) -> Place:
    """The place left by somebody who goes: open, and during play with a computer player until somebody sits down."""
    if not is_full(asker.places):
        return Place()
    level = stand_in(asker.places)
    return Place("open", computer(level, asker.places, asker.levels).name, substitute=level)


# ----------------------------------------------------------------------------------------------------------- being away


def _substitute(asker: Asker, action: actions.Substitute) -> list[AnyEntry]:
    asker.need_own_seat()
    place = asker.need_seat(action.seat)
    due = substitute_at(asker.standing.seating, asker.now, action.seat)
    if due is None or action.seat == asker.seat:
        raise Taken("Nobody is waiting for this player just now")
    if asker.time < due:
        raise Refusal(f"{place.name} has {max(1, round(due - asker.time))} more seconds to come back")
    stepped_in = Substituted(seat=action.seat, level=stand_in(asker.places))
    return [stepped_in, *without(asker.standing.seating, {action.seat})]


def _come_back(asker: Asker, action: actions.ComeBack) -> list[AnyEntry]:
    seat = asker.need_own_seat()
    return [Returned(seat=seat)] if asker.places[seat].substitute and not asker.standing.done else []


def _change(asker: Asker, action: actions.Change) -> list[AnyEntry]:
    asker.need_host()
    asker.need_going_on()
    if is_full(asker.places) and action.settings.clock != asker.standing.seating.settings.clock:
        raise Taken("Clocks are chosen before play begins and can no longer be changed")
    return [Changed(settings=action.settings)] if action.settings != asker.standing.seating.settings else []


def hint(asker: Asker) -> list[AnyEntry]:
    """Allow a hint to somebody who plays alone against computer players; the journal records the first one."""
    seat, seating = asker.need_own_seat(), asker.standing.seating
    asker.need_going_on()
    if not may_be_advised(seating):
        raise Forbidden("Hints are only given when you play alone against computer players, without a clock")
    if not acts(asker.standing.match.state, seat):
        raise Taken("It is not your turn")
    return [] if seat in seating.hinted else [Hinted(seat=seat)]


_GRANTS: dict[type, Callable[[Asker, Any], list[AnyEntry]]] = {
    actions.Sit: _sit,
    actions.Fill: _fill,
    actions.Swap: _swap,
    actions.Remove: _remove,
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
