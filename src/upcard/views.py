"""What a seat sees. The only place that hides cards: everything that leaves the engine for a player is made here.

A view has the type of a state, with every number blank that the seat may not see. So the rules work on it: the legal
moves of its seat are the same as on the state itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from upcard import cards
from upcard.cards import NO_CARD, Card, Cards
from upcard.game import Field, Game, GameState, Heard, Options, Seen, acts, legal, only, seats_of


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
    piles: Mapping[str, int]
    """By field, how many cards lie in each face-down pile or set, which everybody sees too."""
    aside: Mapping[str, tuple[int, ...]]
    """By field, how many cards each seat has laid face down that it knows itself."""

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
        if field.seen is Seen.ALL or options.opens(field.unless) or _is_let_see(field, state, seat):
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
    piles = {
        name: thickness(getattr(state, name))
        for name, field in game.state.fields.items()
        if field.seen is Seen.NOBODY and field.cards
    }
    aside = {name: tuple(map(thickness, getattr(state, name)[: state.players])) for name in game.aside}
    return View(game, options, seat, seen, sizes, piles, aside)


def _is_let_see(field: Field, state: GameState, seat: int | None) -> bool:
    """Whether this is the one seat that sees what nobody else does."""
    return seat is not None and field.seen_by is not None and getattr(state, field.seen_by) == seat


def thickness(pile: list[Card] | Cards) -> int:
    """How many cards lie in a pile or set."""
    return pile.bit_count() if isinstance(pile, int) else len(pile) - pile.count(NO_CARD)


def hears(
    game: Game, before: GameState, after: GameState, options: Options, mover: int, move: int, seat: int | None
) -> Heard:
    """How much of a move a seat hears when it is made."""
    spec = game.moves.spec(move)
    all_have_chosen = after.phase != before.phase or before.to_act == only(mover)
    if seat == mover or options.opens(spec.unless) or (spec.heard is Heard.SEALED and all_have_chosen):
        return Heard.ALL
    return spec.heard


def heard(
    game: Game, before: GameState, after: GameState, options: Options, mover: int, move: int, seat: int | None
) -> str:
    """How a seat hears another's move: the whole text, its word, or its word and how many cards."""
    much = hears(game, before, after, options, mover, move, seat)
    if much is Heard.ALL:
        return game.moves.text(move)
    word = game.moves.spec(move).word
    return f"{word} {' '.join(['··'] * len(game.moves.items(move)))}".strip() if much is Heard.COUNT else word


@dataclass(frozen=True)
class Event:
    """A move or a chance event as it happened, for the log. Only `tell` says what a seat may know of it."""

    seat: int | None
    """Who moved; None for chance."""
    move: int
    """For chance its kind: DEAL, RESHUFFLE or DRAW."""
    others_hear: Heard = Heard.ALL
    opened: tuple[tuple[int, int], ...] = ()
    """If it opens what was sealed: every sealed move with its seat, its own too."""


@dataclass(frozen=True)
class Told:
    """What one seat is told of an event."""

    seat: int | None
    word: str
    """The move's word; empty for chance and for playing a card."""
    move: int | None
    """The whole move, or the kind of chance; None where not all of it is told."""
    count: int | None = None
    """How many cards it was about, where only that is told."""
    opened: tuple[tuple[int, int], ...] = ()


def tell(game: Game, event: Event, seat: int | None) -> Told:
    """What this seat (None: somebody who only watches) is told of an event."""
    if event.seat is None:
        return Told(None, "", event.move)
    word = game.moves.spec(event.move).word
    if seat == event.seat or event.others_hear is Heard.ALL:
        return Told(event.seat, word, event.move, opened=event.opened)
    count = len(game.moves.items(event.move)) if event.others_hear is Heard.COUNT else None
    return Told(event.seat, word, None, count)
