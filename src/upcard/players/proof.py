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

from upcard.engine.match import let_happen
from upcard.engine.mistakes import cards_of_chance
from upcard.engine.views import View, thickness, view, words
from upcard.engine.worlds import NoWorld, Worlds
from upcard.players.endings import EVERY, Ending, GaveUp, alone_in, ending_of, worlds
from upcard.rules.cards import NO_CARD, Card, bit, count, lowest, suit_of
from upcard.rules.game import legal_moves
from upcard.rules.seats import acts
from upcard.rules.state import DEAL, DRAW, NOBODY, NOTHING

WORLDS = 1_000
"""With more worlds than so many nothing is proven."""
NODES = 12_000
"""Moves that are made for a proof at most: a tenth of a second."""
CARDS, CHOICES = 3, 8
"""So many cards at most has a seat for which a proof is worth trying, and so many moves."""
DEEPEST = 40
"""Moves to the end of a deal at most."""
FIRST_LOOK = 6
"""In so many worlds of any a move must look like a blunder before all are looked at, with a third of the nodes."""

Worth = tuple[int, float]
"""What the end of a deal is worth to a seat: its utility, and how much of the match is won, from -1 to 1. Of two ends
neither need be the better one."""
Line = tuple[Any, Worth]
"""A state, and what must be reached from it."""


def is_near_the_end(view: View[Any]) -> bool:
    """Whether the seat has so few cards and moves that a proof is worth trying."""
    return view.seat is not None and view.sizes[view.seat] <= CARDS and len(view.legal_moves()) <= CHOICES


def no_blunder(view: View[Any], move: int) -> int:
    """This move, or if near the end it is proven to be a blunder, a better one that is not."""
    while is_near_the_end(view) and (better := blunders(view, [move])):
        move = better[move]
    return move


def blunders(view: View[Any], asked: Collection[int] = (), *, most: int = WORLDS, nodes: int = NODES) -> dict[int, int]:
    """By move that is proven to be a blunder, a move that is better; none where nothing can be proven.

    Only the moves that are `asked` for are looked at, all if none are. What does not matter by the `ending_of` the game
    is of no account; nothing is proven where it comes into play.
    """
    moves, ending = view.legal_moves(), ending_of(view.game)
    if view.seat is None or len(moves) < 2:
        return {}
    try:
        sampler, rng = Worlds(view), Random(0)
        few = {repr(one.values()): one for one in (sampler.sample(rng) for _ in range(FIRST_LOOK))}
        suspects = Proof(view, [*few.values()], nodes // 3, ending).suspects(moves, asked)
        found = worlds(view, ending, most) if suspects else None
        return Proof(view, found, nodes, ending).blunders(moves, suspects) if found else {}
    except (NoWorld, GaveUp):
        return {}


class Proof:
    """What is proven of the moves of one view in all its worlds. A card may be drawn by lot, and of a run of cards that
    are alike the seat tells none from another."""

    def __init__(self, seen: View[Any], worlds: list[Any], nodes: int, ending: Ending) -> None:
        self.setup, self.game, self.options = seen.setup, seen.game, seen.options
        self.me = seen.seat or 0
        self.worlds = worlds
        self.nodes = nodes
        self.idle = ending.idle
        self.least = {name: number - ending.drawn for name, number in seen.piles.items() if name not in ending.idle}
        """So many cards must stay in a pile of which no more are drawn."""
        self.alone = alone_in(seen, ending.apart)
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

    def suspects(self, moves: list[int], asked: Collection[int] = ()) -> list[int]:
        """The moves that may be blunders, if these are but some of the worlds."""
        return [
            move for move in asked or moves if any(self.is_as_good(other, move) for other in moves if other != move)
        ]

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
        twin = self.twin(state)
        self.game.apply(twin, self.options, seat, move)
        return self.checked(twin, state)

    def drawn(self, state: Any, card: Card) -> Any:
        """The state after a card was drawn."""
        twin = self.twin(state)
        let_happen(self.setup, twin, [card])
        return self.checked(twin, state)

    def twin(self, state: Any) -> Any:
        self.nodes -= 1
        if self.nodes < 0:
            raise GaveUp
        return state.copy()

    def checked(self, state: Any, before: Any) -> Any:
        """A state, unless something has come into play that worlds do not tell apart."""
        if state.to_act and (
            any(getattr(state, name) != getattr(before, name) for name in self.idle)
            or any(thickness(getattr(state, name)) < least for name, least in self.least.items())
        ):
            raise GaveUp
        return state

    def next_states(self, state: Any) -> Iterator[Any]:
        """The states after each move of the seat that is to act first, or after each card that may be drawn."""
        if state.to_act == 0:
            yield from (self.drawn(state, card) for card in cards_of_chance(self.game, state, self.options))
            return
        seat = lowest(state.to_act)
        number = legal_moves(self.game, state, self.options, seat, self.buffer)
        yield from (self.after(state, seat, move) for move in self.buffer[:number])

    def is_over(self, state: Any) -> bool:
        """Whether the deal has ended."""
        if state.to_act == 0 and state.awaiting > DEAL and state.awaiting != DRAW:
            raise GaveUp
        return bool(state.to_act == 0 and state.awaiting != DRAW)

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
        ends = [self.most(after, deepest - 1) for after in self.next_states(state)]
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
        return all(self.comes_to_a_turn(after, wanted, turns) for after in self.next_states(state))

    def seen(self, state: Any) -> tuple[Any, ...]:
        """What the seat sees of a state: the same where it must do the same. A plan that tells less apart proves all
        the more."""
        if self.alone == EVERY:
            return tuple(words(view(self.setup, state, self.me)))
        trick = [state.card[seat] if state.in_trick >> seat & 1 else NO_CARD for seat in range(state.players)]
        return (state.hand[self.me], *map(self.run_of, trick), *state.tricks)

    def run_of(self, card: Card) -> tuple[int, int]:
        """The same for all cards of a suit between the same two that count for themselves."""
        if card == NO_CARD or self.alone >> card & 1:
            return NOBODY, card
        return suit_of(card), count(self.alone & (bit(card) - 1))

    def has_a_move(self, lines: list[Line]) -> bool:
        """Whether there is a move for a turn that is the same to the seat in all these states."""
        common = set.intersection(*({*self.moves(state)} for state, _ in lines))
        return any(
            self.reaches(iter([(self.after(state, self.me, move), wanted) for state, wanted in lines]))
            for move in sorted(common)
        )

    def moves(self, state: Any) -> list[int]:
        """The legal moves of the seat."""
        return self.buffer[: legal_moves(self.game, state, self.options, self.me, self.buffer)]


def betters(hoped: Worth, asked: Worth) -> Iterator[Worth]:
    """The least that is more than what is asked, in one way and in the other, where it can be hoped for."""
    if hoped[0] > asked[0]:
        yield asked[0] + 1, asked[1]
    if hoped[1] > asked[1]:
        yield asked[0], hoped[1]


__all__ = ["NODES", "WORLDS", "Proof", "blunders", "is_near_the_end", "no_blunder"]
