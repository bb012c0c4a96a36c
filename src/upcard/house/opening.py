"""New tables: their plans, their seats and their first journal entries; also of those that play on from another
match."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Any

from msgspec import structs

from upcard import games
from upcard.engine.chance import shuffler
from upcard.engine.deal_conditions import Dealing, deal_condition, given_in
from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.engine.setup import Setup
from upcard.house.bodies import ComputerSeat, Me, NewTable
from upcard.players import levels_of
from upcard.rules.game import Game
from upcard.rules.lineage import changed_numbers
from upcard.rules.sentences import capital, sentence
from upcard.table.errors import Unacceptable
from upcard.table.journal import AnyEntry, Happened, Origin, Plan, Seated
from upcard.table.pledges import new_secret
from upcard.table.seats import Occupant, chosen_name, computer
from upcard.table.stores import ID_LETTERS, new_id
from upcard.table.summary import is_practice

MOST_TRIES = 200
"""The number of deals after which chosen cards count as impossible: a server has no more time for a guest."""


def wished_plan(wish: NewTable, identity: str) -> Plan:
    """The plan of the table that a person wishes to open."""
    return Plan(
        new_id(10),
        wish.game,
        wish.players,
        0,
        wish.options,
        identity,
        settings=wish.settings,
        invite=new_id(16),
        secret=new_secret(),
        draws_dealer=True,
        rules=rules_of(wish.game),
    )


async def try_wish(wish: NewTable) -> None:
    """Try a wished table by some laws before people sit down there, if its game is from outside and has other numbers.
    Takes a second or two the first time. Raises Unacceptable, which names the law, if one is broken."""
    if wish.game not in games.names() or wish.game in games.VARIANTS or not changed_numbers(games.load(wish.game)):
        return
    from upcard.laws.numbers import try_for_play  # shipped games do without

    try:
        await asyncio.to_thread(try_for_play, Setup(wish.game, wish.players, wish.options))
    except UpcardError as error:
        raise Unacceptable(error.args[0]) from None


def plan_of(
    table_id: str,
    setup: Game[Any],
    dealer: int,
    host: str,
    *,
    origin: Origin | None = None,
    invite: str = "",
    set_up: bool = False,
) -> Plan:
    """The plan of a table for a match whose setup and first dealer are known."""
    game, options = setup.game, dict(setup.chosen)
    return Plan(
        table_id, game.slug, setup.players, dealer, options, host,
        origin=origin, invite=invite, set_up=set_up, rules=game.identity,
    )  # fmt: skip


def rules_of(slug: str) -> dict[str, object] | None:
    """The identity of a game's rules, which the records of its tables name; None if the game is not there."""
    return games.load(slug).identity if slug in games.names() else None


def id_after(plan: Plan) -> str:
    """The id of the rematch's table: derived from the old plan, so that every server arrives at the same one."""
    digest = hashlib.sha256(f"{plan.id} {plan.invite}".encode()).digest()
    return "".join(ID_LETTERS[byte % len(ID_LETTERS)] for byte in digest[:10])


def wrong_seats(players: int, seats: int) -> Unacceptable:
    """The refusal of a table whose number of seats is not that of its players."""
    message = "A table for {number} players needs {number} seats, not {seats}"
    return Unacceptable(sentence(message, number=players, seats=seats))


def wished_places(wish: NewTable, identity: str) -> list[Occupant]:
    """The seats of the table that a person wishes to open. Raises Unacceptable."""
    if len(wish.seats) != wish.players:
        raise wrong_seats(wish.players, len(wish.seats))
    if sum(isinstance(seat, Me) for seat in wish.seats) != 1:
        raise Unacceptable("Take one of the seats yourself: the person who opens a table plays at it")
    me = Occupant("person", chosen_name(wish.name, ()), None, identity, pledge=wish.pledge)
    places, levels = list[Occupant](), levels_of(Setup(wish.game).game)
    for seat in wish.seats:
        if isinstance(seat, Me):
            places.append(me)
        elif isinstance(seat, ComputerSeat):
            places.append(computer(seat.level, [*places, me], levels))
        else:
            places.append(Occupant())
    return places


def set_up(wish: NewTable, identity: str) -> tuple[Plan, list[AnyEntry]]:
    """The plan and the first journal entries of a table whose first deal has the given cards. It has no secret, since
    its shuffles prove nothing. Raises BadRecord, Unacceptable."""
    places = wished_places(wish, identity)
    if not is_practice(places):
        raise Unacceptable(sentence("Cards can be chosen only for a match against computer players alone"))
    setup, chance = Setup(wish.game, wish.players, wish.options), shuffler(None)
    dealer = chance.choice(range(setup.players))
    try:
        condition = deal_condition(given_in(wish.given))
        if condition is None:
            raise UpcardError(sentence("no cards are given: write rank and suit, as in As or Td"))
        deal = Dealing(setup, dealer, condition).deal(chance, MOST_TRIES)
    except UpcardError as error:
        raise Unacceptable(capital(error.args[0])) from None
    plan = plan_of(new_id(10), setup, dealer, identity, origin=Origin(None, 1), invite=new_id(16), set_up=True)
    return structs.replace(plan, settings=wish.settings), begun(places, [event.text for event in deal.match.events])


def place_after(place: Occupant, identity: str, pledge: str | None) -> Occupant:
    """A seat for the rematch: taken by the person who asked for it, reserved for other people."""
    if place.who == "computer":
        return place
    if place.who == "open":
        return Occupant()
    if place.identity == identity:
        return Occupant("person", place.name, None, identity, pledge=pledge)
    return Occupant("held", place.name, None, place.identity)


def places_around(me: Occupant, seat: int, players: int, level: str, levels: Sequence[str]) -> list[Occupant]:
    """The places of a table with `me` at `seat` and computer players in all other seats. Raises Unacceptable."""
    if seat >= players:
        raise Unacceptable(sentence("There is no seat {seat}", seat=seat))
    places: list[Occupant] = []
    for other in range(players):
        places.append(me if other == seat else computer(level, [*places, me], levels))
    return places


def entries_of_fork(match: Match[Any], number: int, me: Occupant, seat: int, level: str) -> list[AnyEntry]:
    """The journal entries of a table where `me` plays on from the first `number` events of a match against computer
    players. Raises Unacceptable if no event followed them, or if there is no such seat or level."""
    places = places_around(me, seat, match.players, level, levels_of(match.game))
    if number >= len(match.events):
        raise Unacceptable("Nothing was played after that: choose an earlier moment to play on from")
    return begun(places, [event.text for event in match.events[:number]])


def begun(places: Sequence[Occupant], events: Sequence[str]) -> list[AnyEntry]:
    """The journal entries that seat these players and replay these events."""
    seated: list[AnyEntry] = [Seated(seat=seat, place=place) for seat, place in enumerate(places)]
    return [*seated, *(Happened(text=text) for text in events)]
