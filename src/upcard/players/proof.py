"""Blunders, proven: moves that are never better than another and sometimes worse, whatever the others hold and play.

Near the end of a deal few worlds are left, and all of them can be played out. A move is a blunder where another one,
gone on with by a plan that looks only at what the seat sees, ends at least as well in every world and against every
play as the move itself with everybody's help, and better in one of them. Such a move is wrong for whatever the seat
thinks of the others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from random import Random
from typing import Any

from upcard.engine.views import View, view, words
from upcard.engine.worlds import NoWorld, Worlds
from upcard.players.gains import idle_fields
from upcard.rules.cards import lowest
from upcard.rules.game import legal_moves
from upcard.rules.seats import acts
from upcard.rules.state import DEAL, NOTHING

WORLDS = 1_000
"""With more worlds than so many nothing is proven."""
NODES = 12_000
"""Moves that are made for a proof at most: a tenth of a second."""
CARDS, CHOICES = 3, 8
"""So many cards at most has a seat for which a proof is worth trying, and so many moves."""
DEEPEST = 40
"""Moves to the end of a deal at most."""
FIRST_LOOK = 6
"""In so many worlds of any a move must look like a blunder before all are looked at."""

Worth = tuple[int, float]
"""What the end of a deal is worth to a seat: its utility, and how much of the match is won, from -1 to 1. Of two ends
neither need be the better one."""
Line = tuple[Any, Worth]
"""A state, and what must be reached from it."""


class GaveUp(Exception):
    """The proof needs more than it may use, or chance would speak."""


def is_near_the_end(view: View[Any]) -> bool:
    """Whether the seat has so few cards and moves that a proof is worth trying."""
    return view.seat is not None and view.sizes[view.seat] <= CARDS and len(view.legal_moves()) <= CHOICES


def no_blunder(view: View[Any], move: int) -> int:
    """This move, or if near the end it is proven to be a blunder, a better one that is not."""
    while is_near_the_end(view) and (better := blunders(view, [move])):
        move = better[move]
    return move


def blunders(
    view: View[Any], asked: Collection[int] = (), *, worlds: int = WORLDS, nodes: int = NODES
) -> dict[int, int]:
    """By move that is proven to be a blunder, a move that is better; none where nothing can be proven.

    Only the moves that are `asked` for are looked at, all if none are. What lies in the `idle_fields` of the game is of
    no account; nothing is proven where it comes into play.
    """
    moves, idle = view.legal_moves(), idle_fields(view.game)
    if view.seat is None or len(moves) < 2:
        return {}
    try:
        sampler, rng = Worlds(view), Random(0)
        if not Proof(view, [sampler.sample(rng) for _ in range(FIRST_LOOK)], nodes, idle).suspects(moves, asked):
            return {}
        found = sampler.every(worlds, idle)
        return Proof(view, found, nodes, idle).blunders(moves, asked) if found else {}
    except (NoWorld, GaveUp):
        return {}


class Proof:
    """What is proven of the moves of one view in all its worlds."""

    def __init__(self, seen: View[Any], worlds: list[Any], nodes: int, idle: Collection[str] = ()) -> None:
        self.setup, self.game, self.options = seen.setup, seen.game, seen.options
        self.me = seen.seat or 0
        self.worlds = worlds
        self.nodes = nodes
        self.idle = idle
        self.buffer = [0] * self.game.most_moves
        self.hopes: dict[int, list[Worth]] = {}

    def blunders(self, moves: list[int], asked: Collection[int] = ()) -> dict[int, int]:
        """See the function of this name."""
        found: dict[int, int] = {}
        for move in asked or moves:
            for other in moves:
                if other not in (move, *found) and self.is_as_good(other, move) and self.is_better(other, move):
                    found[move] = other
                    break
        return found

    def suspects(self, moves: list[int], asked: Collection[int] = ()) -> bool:
        """Whether any move may be a blunder, if these are but some of the worlds."""
        return any(self.is_as_good(other, move) for move in asked or moves for other in moves if other != move)

    def hoped(self, move: int) -> list[Worth]:
        """The most that a move can come to, in each world."""
        if move not in self.hopes:
            self.hopes[move] = [self.most(self.after(world, self.me, move), DEEPEST) for world in self.worlds]
        return self.hopes[move]

    def is_as_good(self, move: int, than: int) -> bool:
        """Whether a plan that begins with a move surely reaches, in every world, all that the other can come to."""
        return self.reaches(self.lines(move, self.hoped(than)))

    def is_better(self, move: int, than: int) -> bool:
        """Whether it also reaches more in one of them."""
        asked = self.hoped(than)
        for at, (most, wanted) in enumerate(zip(self.hoped(move), asked, strict=True)):
            for more in betters(most, wanted):
                if self.reaches(self.lines(move, [*asked[:at], more, *asked[at + 1 :]])):
                    return True
        return False

    def lines(self, move: int, asked: list[Worth]) -> Iterator[Line]:
        """What must be reached after a move in each world."""
        return ((self.after(world, self.me, move), wanted) for world, wanted in zip(self.worlds, asked, strict=True))

    # ------------------------------------------------------------------------------------------------------- playing

    def after(self, state: Any, seat: int, move: int) -> Any:
        """The state after a move."""
        self.nodes -= 1
        if self.nodes < 0:
            raise GaveUp
        twin = state.copy()
        self.game.apply(twin, self.options, seat, move)
        if not self.is_over(twin) and any(getattr(twin, name) != getattr(state, name) for name in self.idle):
            raise GaveUp
        return twin

    def next_states(self, state: Any, seat: int) -> Iterator[Any]:
        """The states after each move of a seat."""
        number = legal_moves(self.game, state, self.options, seat, self.buffer)
        return (self.after(state, seat, move) for move in self.buffer[:number])

    def is_over(self, state: Any) -> bool:
        if state.to_act == 0 and state.awaiting > DEAL:
            raise GaveUp
        return bool(state.to_act == 0)

    def worth(self, state: Any) -> Worth:
        """What the end of a deal is worth."""
        won = 0.0
        if state.awaiting == NOTHING:
            won = 2 / state.winners.bit_count() - 1 if state.winners >> self.me & 1 else -1.0
        return self.game.utility(state, self.options, self.me), won

    def most(self, state: Any, deepest: int) -> Worth:
        """No end of the deal is worth more than this, in one way or the other."""
        if self.is_over(state):
            return self.worth(state)
        if deepest == 0:
            raise GaveUp
        ends = [self.most(after, deepest - 1) for after in self.next_states(state, lowest(state.to_act))]
        return max(end[0] for end in ends), max(end[1] for end in ends)

    def reaches(self, lines: Iterator[Line]) -> bool:
        """Whether one plan for the seat, which sees no more than it does, reaches in each line what it must."""
        turns: dict[tuple[int, ...], list[Line]] = defaultdict(list)
        for state, wanted in lines:
            if not self.comes_to_a_turn(state, wanted, turns):
                return False
        return all(self.has_a_move(together) for together in turns.values())

    def comes_to_a_turn(self, state: Any, wanted: Worth, turns: dict[tuple[int, ...], list[Line]]) -> bool:
        """Let the others play in every way until the seat is to act; false if the deal can end for less before."""
        if self.is_over(state):
            worth = self.worth(state)
            return worth[0] >= wanted[0] and worth[1] >= wanted[1]
        if acts(state, self.me):
            turns[self.seen(state)].append((state, wanted))
            return True
        return all(
            self.comes_to_a_turn(after, wanted, turns) for after in self.next_states(state, lowest(state.to_act))
        )

    def seen(self, state: Any) -> tuple[int, ...]:
        """What the seat sees of a state: the same where it must do the same."""
        return tuple(words(view(self.setup, state, self.me)))

    def has_a_move(self, lines: list[Line]) -> bool:
        """Whether there is a move for a turn that is the same to the seat in all these states."""
        moves = self.buffer[: legal_moves(self.game, lines[0][0], self.options, self.me, self.buffer)]
        return any(
            self.reaches(iter([(self.after(state, self.me, move), wanted) for state, wanted in lines]))
            for move in moves
        )


def betters(hoped: Worth, asked: Worth) -> Iterator[Worth]:
    """The least that is more than what is asked, in one way and in the other, where it can be hoped for."""
    if hoped[0] > asked[0]:
        yield asked[0] + 1, asked[1]
    if hoped[1] > asked[1]:
        yield asked[0], hoped[1]


__all__ = ["NODES", "WORLDS", "Proof", "blunders", "is_near_the_end", "no_blunder"]
