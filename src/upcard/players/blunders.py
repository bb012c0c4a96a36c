"""Proven blunders: moves that are never better than another and sometimes worse, whatever the others hold and play.

Near the end of a deal few worlds are left, and all of them can be searched. A move is a blunder if another one,
followed by a plan that uses only what the seat sees, ends at least as well in every world and against every play as the
move itself does with everybody's help, and better in one of them. Such a move is wrong whatever the seat believes about
the others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from random import Random
from typing import Any

from upcard.engine.match import let_happen
from upcard.engine.mistakes import cards_of_chance
from upcard.engine.outcome import share_of_match
from upcard.engine.views import View, thickness, view, view_row
from upcard.engine.worlds import NoWorld, worlds_for
from upcard.players.endgame_worlds import EVERY, EndgameSymmetry, GaveUp, alone_in, ending_of, worlds
from upcard.rules.cards import NO_CARD, Card, bit, count, lowest, suit_of
from upcard.rules.seats import acts
from upcard.rules.state import DEAL, DRAW, NOBODY

WORLDS = 1_000
"""The most worlds for which a proof is attempted."""
NODES = 12_000
"""The most moves made for a proof, in about a tenth of a second."""
CARDS, CHOICES = 3, 8
"""The most cards, and the most moves, of a seat for which a proof is attempted."""
DEEPEST = 40
"""The most moves to the end of the deal."""
FIRST_LOOK = 6
"""The number of sampled worlds in which a move must look like a blunder before all worlds are searched."""

Worth = tuple[int, float]
"""The value of the end of a deal to a seat: its utility, and its share of the match from -1 to 1. This is only a
partial order: of two ends, neither need be better."""


class Node:
    """A state reached in a proof, with what has been computed about it so far."""

    __slots__ = ("after", "most", "moves", "seat", "seen", "state", "worth")

    def __init__(self, state: Any, seat: int, moves: list[int]) -> None:
        self.state = state
        self.seat = seat
        """The seat to act; NOBODY when a card is to be drawn or the deal is over."""
        self.moves = moves
        """The seat's moves, or the cards that may be drawn; none when the deal is over."""
        self.after: dict[int, Node] = {}
        self.worth: Worth | None = None
        """The value, if the deal is over."""
        self.most: Worth | None = None
        self.seen: tuple[Any, ...] = ()


NodeWorth = tuple[Node, Worth]
"""A state of the deal, and the value that must be reached from it."""


def is_near_the_end(view: View[Any]) -> bool:
    """Whether the seat has few enough cards and moves for a proof to be attempted."""
    return view.seat is not None and view.sizes[view.seat] <= CARDS and len(view.legal_moves()) <= CHOICES


def no_blunder(view: View[Any], move: int) -> int:
    """This move, or a better one if this is proven to be a blunder near the end."""
    while is_near_the_end(view) and (better := blunders(view, [move])):
        move = better[move]
    return move


def blunders(view: View[Any], asked: Collection[int] = (), *, most: int = WORLDS, nodes: int = NODES) -> dict[int, int]:
    """A better move for each proven blunder; empty if nothing can be proven.

    Only the moves in `asked` are examined, or all if it is empty. Differences that the game declares irrelevant (see
    `ending_of`) are disregarded; if one comes into play after all, nothing is proven.
    """
    moves, ending = view.legal_moves(), ending_of(view.game)
    if view.seat is None or len(moves) < 2:
        return {}
    try:
        sampler, rng = worlds_for(view), Random(0)
        few = {repr(one.values()): one for one in (sampler.sample(rng) for _ in range(FIRST_LOOK))}
        suspects = WorldProofs(view, [*few.values()], nodes // 3, ending).suspects(moves, asked)
        possible = worlds(view, ending, most) if suspects else None
        return WorldProofs(view, possible, nodes, ending).blunders(moves, suspects) if possible else {}
    except (NoWorld, GaveUp):
        return {}


class WorldProofs:
    """Proofs about the moves of a view in all its worlds. They cover cards drawn at random, and the seat's plans do not
    distinguish equivalent cards."""

    def __init__(self, seen: View[Any], worlds: list[Any], nodes: int, ending: EndgameSymmetry) -> None:
        self.setup = seen.setup
        self.me = seen.seat or 0
        self.nodes = nodes
        self.idle = ending.idle
        self.least = {name: number - ending.drawn for name, number in seen.piles.items() if name not in ending.idle}
        """By pile, the number of cards that must stay in it."""
        self.alone = alone_in(seen, ending.equates)
        self.buffer = [0] * self.setup.most_moves
        self.worlds = [Node(world, self.me, seen.legal_moves()) for world in worlds]

    def blunders(self, moves: list[int], asked: Collection[int] = ()) -> dict[int, int]:
        """See the function `blunders`."""
        better: dict[int, int] = {}
        for move in asked or moves:
            for other in moves:
                if other not in (move, *better) and self.is_as_good(other, move) and self.is_better(other, move):
                    better[move] = other
                    break
        return better

    def suspects(self, moves: list[int], asked: Collection[int] = ()) -> list[int]:
        """The moves that may be blunders, given that these are only some of the worlds."""
        return [
            move for move in asked or moves if any(self.is_as_good(other, move) for other in moves if other != move)
        ]

    def is_as_good(self, move: int, than: int) -> bool:
        """Whether a plan that begins with `move` reaches in every world the most that `than` could reach there."""
        return self.reaches(self.line(world, move, than) for world in self.worlds)

    def is_better(self, move: int, than: int) -> bool:
        """Whether such a plan also reaches more in one of the worlds."""
        lines = [self.line(world, move, than) for world in self.worlds]
        for at, (node, wanted) in enumerate(lines):
            for more in betters(self.most(node, DEEPEST), wanted):
                if self.reaches(iter([(node, more), *lines[:at], *lines[at + 1 :]])):
                    return True
        return False

    def line(self, world: Node, move: int, than: int) -> NodeWorth:
        """The state after `move` in a world, and what must be reached from it: the most that `than` could reach."""
        return self.after(world, move), self.most(self.after(world, than), DEEPEST)

    # ------------------------------------------------------------------------------------------------------- playing

    def after(self, node: Node, move: int) -> Node:
        """The next choice or draw after a move or a drawn card. Forced moves are made on the way."""
        if move not in node.after:
            state = node.state.copy()
            self.play(state, node.seat, move, node.state)
            node.after[move] = self.next_choice(state, node.state)
        return node.after[move]

    def next_choice(self, state: Any, before: Any) -> Node:
        """Play on while there is only one move."""
        while True:
            if self.is_over(state):
                end = Node(state, NOBODY, [])
                end.worth = end.most = self.worth(state)
                return end
            if state.to_act == 0:
                return Node(state, NOBODY, cards_of_chance(self.setup, state))
            seat = self.me if acts(state, self.me) else lowest(state.to_act)
            moves = self.buffer[: self.setup.legal_moves(state, seat, self.buffer)]
            if len(moves) > 1:
                return Node(state, seat, moves)
            self.play(state, seat, moves[0], before)

    def play(self, state: Any, seat: int, move: int, before: Any) -> None:
        """Make a move or draw a card. Raises GaveUp if something irrelevant comes into play after all."""
        self.nodes -= 1
        if self.nodes < 0:
            raise GaveUp
        if seat == NOBODY:
            let_happen(self.setup, state, [move])
        else:
            self.setup.apply(state, seat, move)
        if state.to_act and (
            any(getattr(state, name) != getattr(before, name) for name in self.idle)
            or any(thickness(getattr(state, name)) < least for name, least in self.least.items())
        ):
            raise GaveUp

    def is_over(self, state: Any) -> bool:
        """Whether the deal has ended."""
        if state.to_act == 0 and state.awaiting > DEAL and state.awaiting != DRAW:
            raise GaveUp
        return bool(state.to_act == 0 and state.awaiting != DRAW)

    def worth(self, state: Any) -> Worth:
        """The value of the end of a deal."""
        return self.setup.utility(state, self.me), share_of_match(state, self.me)

    def most(self, node: Node, deepest: int) -> Worth:
        """An upper bound, in each component, on the value of any end of the deal from here."""
        if node.most is None:
            if deepest == 0:
                raise GaveUp
            ends = [self.most(self.after(node, move), deepest - 1) for move in node.moves]
            node.most = max(end[0] for end in ends), max(end[1] for end in ends)
        return node.most

    def reaches(self, lines: Iterator[NodeWorth]) -> bool:
        """Whether a single plan based only on what the seat sees reaches the required value in each line."""
        turns: dict[tuple[int, ...], list[NodeWorth]] = defaultdict(list)
        return all(self.comes_to_a_turn(node, wanted, turns) for node, wanted in lines) and all(
            self.has_a_move(together) for together in turns.values()
        )

    def comes_to_a_turn(self, node: Node, wanted: Worth, turns: dict[tuple[int, ...], list[NodeWorth]]) -> bool:
        """Follow every play of the others until the seat is to act; false if the deal can end with less before that."""
        if node.worth is not None:
            return node.worth[0] >= wanted[0] and node.worth[1] >= wanted[1]
        if node.seat == self.me:
            turns[self.seen(node)].append((node, wanted))
            return True
        return all(self.comes_to_a_turn(self.after(node, move), wanted, turns) for move in node.moves)

    def seen(self, node: Node) -> tuple[Any, ...]:
        """The part of a state that the seat sees, on which its plan depends. It may distinguish less than the seat
        really can, which only makes the proof stronger."""
        if not node.seen:
            state = node.state
            if self.alone == EVERY:
                node.seen = tuple(view_row(view(self.setup, state, self.me)))
            else:
                trick = [state.card[seat] if state.in_trick >> seat & 1 else NO_CARD for seat in range(state.players)]
                node.seen = (state.hand[self.me], *map(self.run_of, trick), *state.tricks)
        return node.seen

    def run_of(self, card: Card) -> tuple[int, int]:
        """A key shared by all equivalent cards: those of a suit between the same two cards of `alone`."""
        if card == NO_CARD or self.alone >> card & 1:
            return NOBODY, card
        return suit_of(card), count(self.alone & (bit(card) - 1))

    def has_a_move(self, lines: list[NodeWorth]) -> bool:
        """Whether one move serves in all these states, which look the same to the seat."""
        common = set.intersection(*({*node.moves} for node, _ in lines))
        return any(self.reaches((self.after(node, move), wanted) for node, wanted in lines) for move in sorted(common))


def betters(hoped: Worth, asked: Worth) -> Iterator[Worth]:
    """The smallest improvements on `asked`, one in each component, where `hoped` allows for them."""
    if hoped[0] > asked[0]:
        yield asked[0] + 1, asked[1]
    if hoped[1] > asked[1]:
        yield asked[0], hoped[1]


__all__ = ["NODES", "WORLDS", "WorldProofs", "blunders", "is_near_the_end", "no_blunder"]
