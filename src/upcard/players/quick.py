"""Computer players that move at once: random, easy, casual (heuristic), medium (learned); the base class of all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import Any

from upcard.engine.chance import check_luck
from upcard.engine.errors import UpcardError
from upcard.engine.mistakes import heuristic_choice, reconsidered
from upcard.engine.views import View, check_view
from upcard.policies.learned import learned_of, policy_of
from upcard.policies.similar_moves import SLIPS, slip_of
from upcard.rules.rng import LUCK


class Computer(ABC):
    """A computer player: `choose` returns a move as text, and subclasses implement `move`, which returns its number."""

    def choose(self, view: View[Any], rng: Random) -> str:
        """See `Player`. Raises UpcardError if the view's seat is not to act, and for wrong arguments."""
        check_view(view)
        check_luck(rng)
        if not view.legal_moves():
            who = "a spectator" if view.seat is None else f"seat {view.seat}"
            raise UpcardError(f"{who} is not to act")
        return view.game.notation.text(self.move(view, rng))

    @abstractmethod
    def move(self, view: View[Any], rng: Random) -> int:
        """Choose one of the legal moves of the view's seat, which is to act."""


class RandomPlayer(Computer):
    """Plays a uniformly random legal move."""

    def move(self, view: View[Any], rng: Random) -> int:
        return rng.choice(view.legal_moves())


class Heuristic(Computer):
    """Plays by the heuristic of the game; in plain Python, so that it can start without compiling."""

    def move(self, view: View[Any], rng: Random) -> int:
        return casual_move(view, view.legal_moves(), rng)


def casual_move(view: View[Any], moves: list[int], rng: Random) -> int:
    """The heuristic's choice among these moves of a view, reconsidered."""
    move = heuristic_move(view, moves, rng)
    return reconsidered(view.setup, view.state, view.seat or 0, moves, move, 0)


def heuristic_move(view: View[Any], moves: list[int], rng: Random) -> int:
    """The heuristic's choice among these moves of a view; a random one if the game has no heuristic."""
    luck = rng.randrange(LUCK)
    if not view.game.defines("choose"):
        return moves[luck % len(moves)]
    return heuristic_choice(view.setup, view.state, view.seat or 0, moves, luck)


class Easy(Computer):
    """Plays the heuristic's choice, or a similar move in one of `SLIPS` decisions; in plain Python, so that it can
    start without compiling."""

    def move(self, view: View[Any], rng: Random) -> int:
        moves = view.legal_moves()
        move = casual_move(view, moves, rng)
        if rng.randrange(SLIPS) == 0:
            move = slip_of(view.game)(view.state, moves, len(moves), move, rng.randrange(LUCK))
        return move


class LearnedPlayer(Computer):
    """Plays the move that its policy rates best; in plain Python, so that it can start without compiling."""

    def move(self, view: View[Any], rng: Random) -> int:
        return medium_move(view, view.legal_moves(), rng)


def medium_move(view: View[Any], moves: list[int], rng: Random) -> int:
    """The move that the learned policy rates best, reconsidered; that of a casual player if there is no policy."""
    if learned_of(view.game) is None:
        return casual_move(view, moves, rng)
    return reconsidered(view.setup, view.state, view.seat or 0, moves, learned_move(view, moves, rng), 1)


def learned_move(view: View[Any], moves: list[int], rng: Random) -> int:
    """The move that the learned policy rates best; the heuristic's choice if there is no policy."""
    favourite = heuristic_move(view, moves, rng)
    learned = learned_of(view.game)
    if learned is None or len(moves) == 1:
        return favourite
    policy = policy_of(view.game)
    luck, room = rng.randrange(LUCK), [0] * policy.room
    return policy.learned(
        view.setup, view.state, view.seat or 0, moves, len(moves), luck, favourite, learned.weights, 0, room
    )
