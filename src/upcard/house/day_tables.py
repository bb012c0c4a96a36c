"""The tables of the deal of the day: its game, its cards and its computer players, the same for everybody at one house.

These tables are the exception to how packs are made: their cards follow from a secret of the house for that day, not
from a secret and nonces of each table, so nothing about them can be proved to a player.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date
from random import Random
from typing import Any

from upcard.engine.views import View, view_row
from upcard.house.opening import places_around, rules_of
from upcard.players import levels_of, player
from upcard.rules.game import Game
from upcard.table.journal import Plan
from upcard.table.seats import Occupant, chosen_name
from upcard.table.settings import Settings
from upcard.table.stores import ID_LETTERS

EPOCH = date(2026, 1, 1)
LEVELS_OF_DAYS = ("medium", "casual")
"""The level of the computer players is the first of these that the game has. They do not search, so that their moves
depend on no machine's speed."""


def game_of_day(day: date, games: Sequence[type[Game[Any]]]) -> type[Game[Any]]:
    """The game of a day: each of these in turn."""
    return games[(day - EPOCH).days % len(games)]


def plan_of_day(day: date, game: type[Game[Any]], secret: str, identity: str) -> Plan:
    """The plan of somebody's table of a day: a short match, with the day's secret (hexadecimal digits) for its cards.
    Nobody else can watch it before it is over."""
    players = game.default_players
    return Plan(
        id_of_day(secret, identity),
        game.slug,
        players,
        (day - EPOCH).days % players,
        game.short or {},
        identity,
        settings=Settings(watchers=False, invite_in_address=False),
        secret=secret,
        rules=rules_of(game.slug),
        day=day.isoformat(),
    )


def places_of_day(game: type[Game[Any]], name: str, identity: str) -> list[Occupant]:
    """The seats of that table: the person's is the first. Raises Unacceptable for a name that cannot be shown."""
    levels = levels_of(game)
    level = next(level for level in LEVELS_OF_DAYS if level in levels)
    me = Occupant("person", chosen_name(name, ()), None, identity)
    return places_around(me, 0, game.default_players, level, levels)


def id_of_day(secret: str, identity: str) -> str:
    """The id of somebody's table of the day with this secret: there is one, whatever they do."""
    digest = hashlib.sha256(f"{secret} {identity}".encode()).digest()
    return "".join(ID_LETTERS[byte % len(ID_LETTERS)] for byte in digest[:10])


class RepeatablePlayers:
    """Computer players that make the same moves at every table of a day where the same has happened."""

    def __init__(self, secret: str) -> None:
        self._secret = secret

    def __call__(self, level: str, seen: View[Any]) -> str:
        return player(level).choose(seen, Random(f"{self._secret} {seen.seat} {view_row(seen)}"))
