"""Observations: a seat's views of the state and of events. All hiding happens here: this module creates everything that
the engine shows to a player.

The state in a view has the type of the full state, with everything that the seat may not see blanked. So the rules work
on it too, and find the same legal moves for the seat.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Any, Generic, NamedTuple, TypeVar

from upcard.engine.actions import action_space
from upcard.engine.errors import UpcardError
from upcard.engine.events import Event, SeenEvent
from upcard.engine.mistakes import listed_moves
from upcard.engine.setup import check_seat
from upcard.rules import cards
from upcard.rules.cards import NO_CARD, Card, Cards
from upcard.rules.game import Game
from upcard.rules.knowledge import aside_fields, hidden_fields, pile_fields
from upcard.rules.notation import Audience
from upcard.rules.phrases import brief
from upcard.rules.seats import acts, only
from upcard.rules.state import NOBODY, Field, GameState, Seen, seats_of

S = TypeVar("S", bound=GameState)


@dataclass(frozen=True, repr=False)
class View(Generic[S]):
    """One seat's observation of a match at one moment. Views can be hashed and pickled.

    Do not change a view: it caches what has been computed from it, for example its legal moves and its worlds.
    `dataclasses.replace(view, state=…)` creates another one.

    Views are equal if they show the same position, however it was reached: `begun`, `told` and `renewed` are not
    compared.
    """

    setup: Game[S]
    seat: int | None
    """The observing seat; None for a spectator."""
    state: S
    """The state of the match, with everything that the seat may not see blanked."""
    sizes: tuple[int, ...]
    """The number of cards in each seat's hand. Public."""
    piles: Mapping[str, int]
    """The number of cards in each face-down pile or set, by field. Public."""
    aside: Mapping[str, tuple[int, ...]]
    """The number of cards that each seat has laid aside face down, by field. Public."""
    begun: S | None = dataclasses.field(default=None, compare=False)
    """The state just before the current deal, as the seat saw it; None if unknown."""
    told: tuple[SeenEvent, ...] = dataclasses.field(default=(), compare=False)
    """The seat's observations of all events since `begun`, starting with the deal."""
    renewed: View[S] | None = dataclasses.field(default=None, compare=False)
    """The seat's view just before the last reshuffle of this deal; None if there was none."""

    @property
    def game(self) -> type[Game[S]]:
        return self.setup.game

    @property
    def options(self) -> Game[S]:
        return self.setup

    @property
    def phase(self) -> str:
        return self.game.phases[self.state.phase]

    @property
    def to_act(self) -> list[int]:
        """The seats that may move now."""
        return seats_of(self.state.to_act)

    def legal_moves(self) -> list[int]:
        """The legal moves of this seat as numbers; empty if it is not to act."""
        return [*self._listed]

    @property
    def _listed(self) -> list[int]:
        attributes = vars(self)  # as in cached_property, which takes a lock
        if "_moves" not in attributes:
            acting = self.seat is not None and acts(self.state, self.seat)
            attributes["_moves"] = listed_moves(self.setup, self.state, self.seat or 0) if acting else []
        moves: list[int] = attributes["_moves"]
        return moves

    def allows(self, text: str) -> bool:
        """Whether a text is a legal move of this seat. Raises UpcardError for anything but a text."""
        return self.game.notation.read(text).move in self._listed

    def legal(self) -> list[str]:
        """The legal moves of this seat as texts; empty if it is not to act."""
        return [self.game.notation.text(move) for move in self.legal_moves()]

    def actions(self) -> dict[int, str]:
        """The legal moves of this seat as action numbers with their texts, like `Match.actions`."""
        moves = action_space(self.setup).of(self.legal_moves())
        return {action: self.game.notation.text(move) for action, move in moves.items()}

    def hand(self, seat: int | None = None) -> list[Card | None]:
        """The cards in the hand of a seat, by default the observing seat, with None for each hidden card.

        For a spectator the default is an empty list. Raises UpcardError for an unknown seat.
        """
        who = self.seat if seat is None else check_seat(self.setup, seat)
        if who is None:
            return []
        seen: list[Card | None] = [*self.game.hand.cards(self.state, who)]
        return seen + [None] * (self.sizes[who] - len(seen))

    def text(self) -> str:
        """All hands on one line, with `··` for a hidden card: "0: As Kh | 1: ·· ··". The text of the view itself,
        `str(view)`, also has the upcard, the trick, the piles and the scores."""
        return " | ".join(
            f"{seat}: " + " ".join("··" if c is None else cards.text(c) for c in self.hand(seat))
            for seat in range(self.state.players)
        )

    def __str__(self) -> str:
        lines = [f"{self.game.title}, as {self._who()} sees it"]
        scene = self.setup.scene(self.state, self.seat)
        lines.append(scene.headline)
        for seat in range(self.state.players):
            held = " ".join("··" if card is None else cards.sign(card) for card in self.hand(seat))
            turn = ">" if acts(self.state, seat) else " "
            marks = ", ".join(f"{label} {value}" for label, value, *_ in scene.marks[seat]) if scene.marks else ""
            hand = f"{held}  ({marks})" if marks else held
            lines.append(f"{turn}{seat} {self.state.scores[seat]:>5}  {hand}".rstrip())
        trick = self.setup.trick(self.state)
        if trick and all(zone.role != "trick" for zone in scene.zones):
            lines.append(f" Trick: {trick_text(trick)}")
        for zone in scene.zones:
            shown = " ".join(map(cards.sign, zone.cards))
            number = "" if zone.count is None or zone.count == len(zone.cards) else f"({zone.count})"
            whose = "" if zone.owner in (None, self.seat) else f" (seat {zone.owner})"
            lines.append(f" {zone.label}{whose}: {shown} {number}".rstrip())
        return "\n".join(lines)

    def __hash__(self) -> int:
        return hash((self.setup, self.seat, self.sizes, str(self.state.values())))

    def __repr__(self) -> str:
        return f"<View of {self.game.title} by {self._who()}: {self.phase}, {self.text()}>"

    def _who(self) -> str:
        return "a spectator" if self.seat is None else f"seat {self.seat}"

    def __reduce__(self) -> Any:
        seen = (self.setup, self.seat, self.state.values(), self.sizes, dict(self.piles), dict(self.aside))
        return _view_of, (*seen, self.begun and self.begun.values(), self.told, self.renewed)


def trick_text(trick: Iterable[tuple[int, Card]]) -> str:
    """The cards of a trick, each with the seat that played it."""
    return " ".join(f"{seat}:{cards.sign(card)}" for seat, card in trick)


def _view_of(
    setup: Game[Any],
    seat: int | None,
    values: Any,
    sizes: Any,
    piles: Any,
    aside: Any,
    begun: Any,
    events: Any,
    renewed: View[Any] | None,
) -> View[Any]:
    state = setup.game.state
    return View(setup, seat, state.of(values), sizes, piles, aside, begun and state.of(begun), events, renewed)


class DealSoFar(NamedTuple, Generic[S]):
    """A seat's knowledge of the current deal so far: `View.begun`, `View.told` and `View.renewed`."""

    begun: S
    seen: tuple[SeenEvent, ...] = ()
    renewed: View[S] | None = None


def past(setup: Game[S], begun: S, renewed: S | None, seat: int | None) -> DealSoFar[S]:
    """A seat's knowledge of a deal at its start or after a reshuffle: `begun` is the state before the deal, `renewed`
    the state before its last reshuffle."""
    shown = seen_state(setup, begun, seat)
    if shown == begun:  # as between most deals: all seats share it
        shown = begun
    return DealSoFar(shown, renewed=view(setup, renewed, seat) if renewed else None)


def view(setup: Game[S], state: S, seat: int | None, known: DealSoFar[S] | None = None) -> View[S]:
    """A seat's view (None: a spectator's) of a state. `known` is its knowledge of the deal so far."""
    game = setup.game
    return View(
        setup,
        seat,
        seen_state(setup, state, seat),
        game.hand.sizes(state),
        {name: thickness(getattr(state, name)) for name in pile_fields(game.state)},
        {
            name: tuple(map(thickness, getattr(state, name)[: state.players]))
            for name in aside_fields(game.state, game.hand)
        },
        known.begun if known else None,
        known.seen if known else (),
        known.renewed if known else None,
    )


def seen_state(setup: Game[S], state: S, seat: int | None) -> S:
    """A copy of a state, with everything that a seat (None: a spectator) may not see blanked."""
    seen = state.copy()
    for name, field, of_nobody, until in _hidden_at(setup):
        if state.phase >= until or (field.seen_by is not None and _is_seen_by(field, state, seat)):
            continue
        if field.length is None:
            setattr(seen, name, field.blank)
            continue
        left = getattr(state, field.shown)[:] if field.shown else [field.blank] * field.length
        if seat is not None and not of_nobody:
            left[seat] = getattr(state, name)[seat]
        setattr(seen, name, left)
    return seen


@lru_cache(1 << 10)
def _hidden_at(setup: Game[Any]) -> list[tuple[str, Field, bool, float]]:
    """The fields that are hidden at a table, with their names, whether they are hidden from all seats, and the phase in
    which that ends."""
    return [
        (name, field, field.seen is Seen.NOBODY, field.until if field.seen is Seen.SEALED else inf)
        for name, field in hidden_fields(setup.game.state)
        if not setup.opens(field.unless)
    ]


def _is_seen_by(field: Field, state: GameState, seat: int | None) -> bool:
    """Whether this seat is the one named in `field.seen_by`."""
    return seat is not None and field.seen_by is not None and getattr(state, field.seen_by) == seat


def shown_fields(game: type[Game[Any]]) -> dict[str, Field]:
    """The fields of a game's state that any seat may ever see, by name."""
    fields = game.state.fields.items()
    return {name: spec for name, spec in fields if spec.seen is not Seen.NOBODY or spec.seen_by is not None}


def check_view(seen: object) -> None:
    """Raises UpcardError for anything but a view, for example a match."""
    if not isinstance(seen, View):
        raise UpcardError(f"what a seat sees is a View, such as match.view(0), not {brief(seen)}")


def view_row(seen: View[Any]) -> list[int]:
    """A view as a row of integers, of the same length for all views of a game.

    It consists of the fields in `shown_fields`, the observing seat (NOBODY for a spectator), and the sizes of the
    hands, the face-down piles, and the cards laid aside.
    """
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
    """The sizes, padded with zeros to the game's largest number of seats."""
    return [*sizes, *[0] * (seen.game.state.seats - len(sizes))]


def thickness(pile: list[Card] | Cards) -> int:
    """The number of cards in a pile or set."""
    return pile.bit_count() if isinstance(pile, int) else len(pile) - pile.count(NO_CARD)


def audience(setup: Game[Any], before: tuple[int, int], after: GameState, mover: int, move: int) -> Audience:
    """How much of a move is disclosed to the other seats. `before` is the phase and the seats to act before it."""
    verb = setup.notation.spec(move)
    all_have_chosen = before[0] != after.phase or before[1] == only(mover)
    if setup.opens(verb.unless) or (verb.heard is Audience.SEALED and all_have_chosen):
        return Audience.ALL
    return verb.heard


def seen_event(event: Event, seat: int | None) -> SeenEvent:
    """A seat's observation (None: a spectator's) of an event."""
    if event.seat is None or seat == event.seat or event.audience is Audience.ALL:
        return event.whole
    count = len(event.items) if event.audience is Audience.COUNT else None
    return SeenEvent(event.seat, event.word, None, count)


def told_text(game: type[Game[Any]], notice: SeenEvent) -> str:
    """An observed move as text: the whole move, only its word, or its word with `··` for each card."""
    if notice.move is not None:
        return game.notation.text(notice.move)
    return f"{notice.word} {' '.join(['··'] * notice.count)}".strip() if notice.count else notice.word
