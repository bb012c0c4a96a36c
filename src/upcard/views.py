"""What a seat sees. The only place that hides cards: everything that leaves the engine for a player is made here.

A view has the type of a state, with every number blank that the seat may not see. So the rules work on it: the legal
moves of its seat are the same as on the state itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from upcard import cards
from upcard.cards import Card
from upcard.game import Game, GameState, Heard, Moves, Options, Seen, acts, legal, seats_of


@dataclass(frozen=True)
class View:
    """What one seat sees of a match, at one moment. `seat` is None for somebody who only watches."""

    game: Game
    options: Any
    seat: int | None
    state: GameState
    """A state of the game with all that the seat may not see left blank."""
    sizes: tuple[int, ...]
    """How many cards each seat holds, which everybody sees."""

    @property
    def phase(self) -> str:
        return self.game.phases[self.state.phase]

    @property
    def to_act(self) -> list[int]:
        return seats_of(self.state.to_act)

    def moves(self) -> list[int]:
        """The legal moves of this seat, as numbers; empty when it is not to act."""
        if self.seat is None or not acts(self.state, self.seat):
            return []
        buffer = [0] * self.game.most_moves
        return buffer[: legal(self.game, self.state, self.options, self.seat, buffer)]

    def legal(self) -> list[str]:
        """The legal moves of this seat, as texts."""
        return [self.game.moves.text(move) for move in self.moves()]

    def hand(self, seat: int | None = None) -> list[Card | None]:
        """The cards of a seat (its own when none is named), None for each that is not seen."""
        who = self.seat if seat is None else seat
        if who is None:
            return []
        seen: list[Card | None] = [*self.game.hand.cards(self.state, who)]
        return seen + [None] * (self.sizes[who] - len(seen))

    def text(self) -> str:
        """All hands on one line, a hidden card as `··`: "0: As Kh | 1: ·· ··"."""
        return " | ".join(
            f"{seat}: " + " ".join("··" if c is None else cards.text(c) for c in self.hand(seat))
            for seat in range(self.state.players)
        )


def view(game: Game, state: GameState, options: Any, seat: int | None) -> View:
    """What a seat sees of a state; for None what everybody may see."""
    seen = state.copy()
    for name, field in game.state.fields.items():
        if field.seen is Seen.ALL or options.opens(field.unless):
            continue
        value = getattr(seen, name)
        if field.length is None:
            setattr(seen, name, field.blank)
        elif field.seen is Seen.NOBODY:
            value[:] = [field.blank] * field.length
        elif field.seen is Seen.OWNER or state.phase < field.until:
            lying_open = getattr(state, field.shown) if field.shown else [field.blank] * field.length
            value[:] = [value[i] if i == seat else lying_open[i] for i in range(field.length)]
    sizes = tuple(len(game.hand.cards(state, i)) for i in range(state.players))
    return View(game, options, seat, seen, sizes)


def heard(
    game: Game, before: GameState, after: GameState, options: Options, mover: int, move: int, seat: int | None
) -> str:
    """How a seat hears another's move: the whole text, its word, or its word and how many cards."""
    spec = game.moves.spec(move)
    if seat == mover or spec.heard is Heard.ALL or options.opens(spec.unless):
        return game.moves.text(move)
    if spec.heard is Heard.SEALED and after.phase != before.phase:
        return game.moves.text(move)
    if spec.heard is Heard.COUNT:
        return f"{spec.word} {' '.join(['··'] * len(Moves.items(game.moves, move)))}".strip()
    return spec.word
