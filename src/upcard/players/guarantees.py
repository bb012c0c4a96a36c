"""Scores of which a seat can be certain: the least that each of its moves is worth in every world and against any play.

A move guarantees a score if one plan that begins with it, and uses only what the seat sees, reaches the score in every
world, whatever the others play. It fails in a world if the others can keep the seat from the score there even though
the seat sees all cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from upcard.compiled.machine import machine_of
from upcard.compiled.solver_memory import ANY as HIGHEST
from upcard.compiled.solver_memory import Workspace
from upcard.compiled.words import integers, zeros
from upcard.engine.views import View
from upcard.engine.worlds import NoWorld, worlds_for
from upcard.players.blunders import Node, WorldProofs, Worth
from upcard.players.endgame_worlds import GaveUp, ending_of, worlds
from upcard.rules.cards import Card
from upcard.rules.state import NOBODY

NODES = 60_000
"""The most moves made for all that is proved about one view, in about a second."""
MOST = 1_000
"""The most worlds that are examined."""


@dataclass(frozen=True)
class Refutation:
    """The answer by which a move fails in one world."""

    seat: int
    holds: Sequence[Card]
    """The hand of that seat when it answers."""
    answer: int


class ScoreProofs(WorldProofs):
    """Proofs about the score of the seat at the end of the deal, in some worlds of its view. All raise GaveUp if they
    would take too many moves."""

    def __init__(self, view: View[Any], worlds: Sequence[Any], nodes: int = NODES) -> None:
        super().__init__(view, list(worlds), nodes, ending_of(view.game))
        self._known: dict[tuple[int, str], bool] = {}

    def worth(self, state: Any) -> Worth:
        """The score at the end of a deal."""
        return state.scores[self.me], 0.0

    def guarantees(self, move: int, goal: int) -> bool:
        """Whether one plan that begins with this move reaches the score in every world."""
        return self.reaches((self.after(world, move), (goal, 0.0)) for world in self.worlds)

    def failing(self, move: int, goal: int) -> list[int]:
        """The worlds, by index, in which a move fails: the others can keep the seat below the score."""
        return [
            number for number, world in enumerate(self.worlds) if not self.is_certain(self.after(world, move), goal)
        ]

    def is_certain(self, node: Node, goal: int) -> bool:
        """Whether the seat can reach the score from here with open cards, whatever the others do and what is drawn."""
        if node.worth is not None:
            return node.worth[0] >= goal
        key = (goal, repr(node.state.values()))
        if key not in self._known:
            reached = any if node.seat == self.me else all
            self._known[key] = reached(self.is_certain(self.after(node, move), goal) for move in node.moves)
        return self._known[key]

    def worst_score(self, move: int) -> int:
        """The score that a move reaches with open cards in the worst of the worlds."""
        return min(self.certain_score(self.after(world, move), -ANY, ANY) for world in self.worlds)

    def certain_score(self, node: Node, low: int, high: int) -> int:
        """The highest score that `is_certain`, if it is between these bounds; otherwise a bound on the same side."""
        if node.worth is not None:
            return node.worth[0]
        mine = node.seat == self.me
        best = -ANY if mine else ANY
        for move in node.moves:
            score = self.certain_score(self.after(node, move), low, high)
            if mine:
                best, low = max(best, score), max(low, score)
            else:
                best, high = min(best, score), min(high, score)
            if low >= high:
                break
        return best

    def refutation(self, world: int, move: int, goal: int) -> Refutation | None:
        """How a move fails in a world; None if no single answer does it."""
        node = self.after(self.worlds[world], move)
        if node.seat in (NOBODY, self.me):
            return None
        answer = next(answer for answer in node.moves if not self.is_certain(self.after(node, answer), goal))
        return Refutation(node.seat, self.setup.hand.cards(node.state, node.seat), answer)


ANY = 1 << 40
"""Greater than any score."""


def certain_scores(
    view: View[Any], worlds: Sequence[Any], nodes: int, low: int = -HIGHEST, high: int = HIGHEST
) -> list[list[int]]:
    """By world, then by move: the score that `ScoreProofs.is_certain` after the move, or one on the same side of the
    bounds. Compiled, so that many positions can be examined; it does not notice if something that was disregarded comes
    into play. Raises GaveUp, also where cards will be drawn at random."""
    run, moves, left = machine_of(view.game), view.legal_moves(), integers([nodes])
    options = run.options(view.setup)
    scores = []
    for world in worlds:
        workspace, values = Workspace(run, world), zeros(len(moves))
        question = *workspace.arrays, options, view.seat, NOBODY, integers(moves), low, high
        if run.call("solve_moves", *question, values, left) < 0:
            raise GaveUp
        scores.append(list(values.numbers))
    return scores


def sampled_worlds(view: View[Any], number: int) -> list[Any]:
    """Random worlds of a view, always the same. Raises NoWorld."""
    rng = Random(number)
    return [worlds_for(view).sample(rng) for _ in range(number)]


def all_worlds(view: View[Any], most: int = MOST) -> list[Any] | None:
    """The worlds of a view, equivalent ones once; None if there are more than `most`."""
    try:
        return worlds(view, ending_of(view.game), most)
    except (NoWorld, GaveUp):
        return None
