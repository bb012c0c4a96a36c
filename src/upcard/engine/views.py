"""What a seat sees and is told. The only place that hides: everything that leaves the engine for a player is made here.

A view has the type of a state, with every number blank that the seat may not see. So the rules work on it: the legal
moves of its seat are the same as on the state itself.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from upcard.engine.actions import action_space
from upcard.engine.events import Event, Notice
from upcard.engine.mistakes import listed_moves
from upcard.engine.setup import Setup
from upcard.rules import cards
from upcard.rules.cards import NO_CARD, Card, Cards
from upcard.rules.game import Game
from upcard.rules.notation import Audience
from upcard.rules.options import Options
from upcard.rules.seats import acts, only
from upcard.rules.state import NOBODY, Field, GameState, Seen, seats_of

S = TypeVar("S", bound=GameState)


@dataclass(frozen=True, repr=False)
class View(Generic[S]):
    """What one seat sees of a match, at one moment. `seat` is None for somebody who only watches. It pickles."""

    setup: Setup[S]
    seat: int | None
    state: S
    """A state of the game with all that the seat may not see left blank."""
    sizes: tuple[int, ...]
    """How many cards each seat holds, which everybody sees."""
    piles: Mapping[str, int]
    """By field, how many cards lie in each face-down pile or set, which everybody sees too."""
    aside: Mapping[str, tuple[int, ...]]
    """By field, how many cards each seat has laid face down that it knows itself."""
    begun: S | None = dataclasses.field(default=None, compare=False)
    """What the seat saw when the deal was about to begin; None where that is not known."""
    told: tuple[Notice, ...] = dataclasses.field(default=(), compare=False)
    """What it has been told of every event since, the deal itself first. Views are equal that show the same, however it
    came about."""
    renewed: View[S] | None = dataclasses.field(default=None, compare=False)
    """What it saw when the stock was about to be renewed in this deal, for the last time; None where it was not."""

    @property
    def game(self) -> Game[S]:
        return self.setup.game

    @property
    def options(self) -> Options:
        return self.setup.options

    @property
    def phase(self) -> str:
        return self.game.phases[self.state.phase]

    @property
    def to_act(self) -> list[int]:
        """The seats that may move now."""
        return seats_of(self.state.to_act)

    def legal_moves(self) -> list[int]:
        """The legal moves of this seat, as numbers; empty when it is not to act."""
        return [*self._listed]

    @cached_property
    def _listed(self) -> list[int]:
        if self.seat is None or not acts(self.state, self.seat):
            return []
        return listed_moves(self.game, self.state, self.options, self.seat)

    def allows(self, text: str) -> bool:
        """Whether this text is a legal move of this seat."""
        return self.game.notation.read(text).move in self._listed

    def legal(self) -> list[str]:
        """The legal moves of this seat, as texts."""
        return [self.game.notation.text(move) for move in self.legal_moves()]

    def actions(self) -> dict[int, str]:
        """The legal moves of this seat as actions, each with its text: those of `Match.actions`."""
        moves = action_space(self.setup).of(self.legal_moves())
        return {action: self.game.notation.text(move) for action, move in moves.items()}

    def hand(self, seat: int | None = None) -> list[Card | None]:
        """The cards of a seat (its own when none is named), None for each that is not seen. Raises UpcardError for a
        seat that does not exist."""
        who = self.seat if seat is None else self.setup.check_seat(seat)
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

    def __str__(self) -> str:
        lines = [
            f"{self.game.title}, as {'somebody who watches' if self.seat is None else f'seat {self.seat}'} sees it"
        ]
        scene = self.game.scene(self.state, self.options, self.seat)
        lines.append(scene.headline)
        for seat in range(self.state.players):
            held = " ".join("··" if card is None else cards.sign(card) for card in self.hand(seat))
            turn = ">" if acts(self.state, seat) else " "
            lines.append(f"{turn}{seat}  {held}".rstrip())
        for zone in scene.zones:
            shown = " ".join(map(cards.sign, zone.cards))
            number = "" if zone.count is None or zone.count == len(zone.cards) else f"({zone.count})"
            lines.append(f" {zone.label}: {shown} {number}".rstrip())
        return "\n".join(lines)

    def __hash__(self) -> int:
        return hash((self.setup, self.seat, self.sizes, str(self.state.values())))

    def __repr__(self) -> str:
        who = "somebody who watches" if self.seat is None else f"seat {self.seat}"
        return f"<View of {self.game.title} by {who}: {self.phase}, {self.text()}>"

    def __reduce__(self) -> Any:
        seen = (self.setup, self.seat, self.state.values(), self.sizes, dict(self.piles), dict(self.aside))
        return _view_of, (*seen, self.begun and self.begun.values(), self.told, self.renewed)


def _view_of(
    setup: Setup[Any],
    seat: int | None,
    values: Any,
    sizes: Any,
    piles: Any,
    aside: Any,
    begun: Any,
    told: Any,
    renewed: View[Any] | None,
) -> View[Any]:
    state = setup.game.state
    return View(setup, seat, state.of(values), sizes, piles, aside, begun and state.of(begun), told, renewed)


@dataclass(frozen=True)
class Past(Generic[S]):
    """What a seat saw when the deal was about to begin, what it has been told since, and what it saw when the stock was
    about to be renewed."""

    begun: S
    told: tuple[Notice, ...] = ()
    renewed: View[S] | None = None


def past(setup: Setup[S], begun: S, renewed: S | None, seat: int | None) -> Past[S]:
    """What a seat knows of a deal that began from this state, the stock being renewed in that one."""
    return Past(view(setup, begun, seat).state, renewed=view(setup, renewed, seat) if renewed else None)


def view(setup: Setup[S], state: S, seat: int | None, known: Past[S] | None = None) -> View[S]:
    """What a seat sees of a state, and what it knows of how that came about; for None what everybody may see."""
    game, options = setup.game, setup.options
    seen = state.copy()
    for name, field in game.hidden:
        if (field.unless and options.opens(field.unless)) or _is_let_see(field, state, seat):
            continue
        if field.length is None:
            setattr(seen, name, field.blank)
        elif field.seen is Seen.NOBODY:
            setattr(seen, name, [field.blank] * field.length)
        elif field.seen is Seen.OWNER or state.phase < field.until:
            left = getattr(state, field.shown)[:] if field.shown else [field.blank] * field.length
            if seat is not None:
                left[seat] = getattr(state, name)[seat]
            setattr(seen, name, left)
    sizes = tuple([game.hand.size(state, i) for i in range(state.players)])
    return View(
        setup,
        seat,
        seen,
        sizes,
        {name: thickness(getattr(state, name)) for name in game.piles},
        {name: tuple(map(thickness, getattr(state, name)[: state.players])) for name in game.aside},
        known.begun if known else None,
        known.told if known else (),
        known.renewed if known else None,
    )


def _is_let_see(field: Field, state: GameState, seat: int | None) -> bool:
    """Whether this is the one seat that sees what nobody else does."""
    return seat is not None and field.seen_by is not None and getattr(state, field.seen_by) == seat


def shown_fields(game: Game[Any]) -> dict[str, Field]:
    """The fields of a state of which anybody ever sees anything, by name."""
    fields = game.state.fields.items()
    return {name: spec for name, spec in fields if spec.seen is not Seen.NOBODY or spec.seen_by is not None}


def words(seen: View[Any]) -> list[int]:
    """A view as one row of whole numbers: the fields that are shown, who looks (NOBODY: somebody who watches), the
    sizes of hands, of face-down piles and of what lies aside. It is as long in all views of a game."""
    row: list[int] = []
    for name in shown_fields(seen.game):
        value = getattr(seen.state, name)
        row += value if isinstance(value, list) else [value]
    row.append(NOBODY if seen.seat is None else seen.seat)
    row += _per_seat(seen, seen.sizes)
    row += seen.piles.values()
    for sizes in seen.aside.values():
        row += _per_seat(seen, sizes)
    return row


def _per_seat(seen: View[Any], sizes: tuple[int, ...]) -> list[int]:
    """Sizes with a 0 for each seat of the game's largest table that is not there."""
    return [*sizes, *[0] * (seen.game.state.seats - len(sizes))]


def thickness(pile: list[Card] | Cards) -> int:
    """How many cards lie in a pile or set."""
    return pile.bit_count() if isinstance(pile, int) else len(pile) - pile.count(NO_CARD)


def audience(
    game: Game[Any], options: Options, before: tuple[int, int], after: GameState, mover: int, move: int
) -> Audience:
    """How much of a move the others are told when it is made; `before` are the phase and the seats that were to act."""
    verb = game.notation.spec(move)
    all_have_chosen = before[0] != after.phase or before[1] == only(mover)
    if options.opens(verb.unless) or (verb.heard is Audience.SEALED and all_have_chosen):
        return Audience.ALL
    return verb.heard


def tell(game: Game[Any], event: Event, seat: int | None) -> Notice:
    """What this seat (None: somebody who only watches) is told of an event."""
    if event.seat is None or seat == event.seat or event.audience is Audience.ALL:
        return event.whole
    count = len(event.items) if event.audience is Audience.COUNT else None
    return Notice(event.seat, event.word, None, count)


def told_text(game: Game[Any], notice: Notice) -> str:
    """What a seat is told of a move, in the notation: the whole text, its word, or its word and how many cards."""
    if notice.move is not None:
        return game.notation.text(notice.move)
    return f"{notice.word} {' '.join(['··'] * notice.count)}".strip() if notice.count else notice.word
