"""Endgames between two seats who know all cards: each knows the other's hand, so they can be solved.

The limits are numbers of positions, not times: the same view gives the same move on every machine.
"""

from __future__ import annotations

from random import Random
from typing import Any

from upcard.compiled.machine import machine_of
from upcard.compiled.solver_memory import ANY, WON, Workspace
from upcard.compiled.words import WordArray, integers, zeros
from upcard.engine.views import View
from upcard.engine.worlds import worlds_for
from upcard.rules.knowledge import aside_fields
from upcard.rules.seats import only

NODES = 4_000_000
"""The most positions examined: enough for hands of nine cards, most of which take a tenth of a second."""
FEWER_NODES = 200_000
"""The most positions that a strong player examines: enough for hands of seven cards."""
CARDS = 24
"""The most cards in both hands together."""


def opponent(view: View[Any]) -> int | None:
    """The only other seat that still has cards, if the view's seat is to act and knows where all cards are; otherwise
    None."""
    seat, game = view.seat, view.game
    if seat is None or view.state.to_act != only(seat) or sum(view.sizes) > CARDS:
        return None
    others = [other for other, size in enumerate(view.sizes) if size and other != seat]
    if len(others) != 1 or game.defines("complete") or aside_fields(game.state, game.hand):
        return None
    return others[0] if knows_all_cards(view) else None


def knows_all_cards(view: View[Any]) -> bool:
    """Whether only one world fits the view: all hidden cards are in one place, or no other arrangement is possible."""
    first, *more = worlds_for(view).widest
    hidden = [place for place in first.places if place.hidden]
    return len(hidden) <= 1 or (not more and first.number() == 1)


def solved(view: View[Any], moves: list[int], rng: Random, nodes: int = NODES) -> int | None:
    """The first of these moves that is best against perfect play; None if the endgame cannot be solved."""
    best = _solve(view, moves, rng, nodes, zeros(0))
    return None if best < 0 else moves[best]


def solved_ends(view: View[Any], moves: list[int], rng: Random) -> list[tuple[int, float]] | None:
    """The ends of perfect play by both after each of these moves: the seat's utility, and its share of a won match (see
    `share_of_match`). None if the endgame cannot be solved."""
    values = zeros(len(moves))
    if _solve(view, moves, rng, NODES * len(moves), values) < 0:
        return None
    won = [(value + WON // 2) // WON for value in values.numbers]
    return [(value - WON * one, float(one)) for value, one in zip(values.numbers, won, strict=True)]


def _solve(view: View[Any], moves: list[int], rng: Random, nodes: int, values: WordArray) -> int:
    """See `solve_moves`; -1 also if the seat does not know all cards."""
    other = opponent(view)
    if other is None:
        return -1
    run = machine_of(view.game)
    workspace = Workspace(run, worlds_for(view).sample(rng))
    seats = view.seat, other
    question = *workspace.arrays, run.options(view.setup), *seats, integers(moves), -ANY, ANY
    return run.call("solve_moves", *question, values, integers([nodes]))
