"""The events of a match, and each seat's observations of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from upcard.rules import cards
from upcard.rules.notation import Audience, Notation
from upcard.rules.renamed import former_names
from upcard.rules.state import AWAITING


@dataclass(frozen=True, repr=False)
class Event:
    """A move or a chance event. `str(event)` is its text in a match record. Immutable and hashable."""

    seat: int | None
    """Who moved; None for chance."""
    word: str
    """The word of the move's verb, empty for playing a card; for chance "deal", "reshuffle" or "draw"."""
    items: tuple[int, ...]
    """The cards, suits, ranks, numbers or seats that the move names; for chance the cards, in order."""
    move: int
    """The move as one number; for chance its kind (DEAL, RESHUFFLE or DRAW)."""
    said: str
    """The move in the notation of the rulebook; empty for chance."""
    audience: Audience = Audience.ALL
    """How much of the move is disclosed to the other seats."""
    opened: tuple[tuple[int, int], ...] = ()
    """If the move reveals sealed moves: all of them as pairs of seat and move, this one included."""

    @cached_property
    def text(self) -> str:
        """The event as written in a record: `1 Kh`, `deal As Kd …`."""
        if self.seat is None:
            return f"{self.word} {' '.join(map(cards.text, self.items))}"
        return f"{self.seat} {self.said}"

    @cached_property
    def whole(self) -> SeenEvent:
        """The observation of a seat that may know the whole move; for chance, the kind of event without the cards."""
        return SeenEvent(self.seat, self.word, self.move, opened=self.opened)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Event {self.text}>"


@dataclass(frozen=True)
class SeenEvent:
    """One seat's observation of an event."""

    seat: int | None
    """Who moved; None for chance."""
    word: str
    move: int | None
    """The whole move, or the kind of chance event; None if only part of the move is disclosed to the seat."""
    count: int | None = None
    """The number of cards in the move, if nothing else about its cards is disclosed to the seat."""
    opened: tuple[tuple[int, int], ...] = ()
    """The sealed moves that the event reveals, as in `Event.opened`."""


def chance_event(kind: int, order: tuple[int, ...]) -> Event:
    """A deal, a reshuffle or a draw of these cards."""
    return Event(None, AWAITING[kind] or "", order, kind, "")


@lru_cache(maxsize=1 << 13)
def move_event(
    notation: Notation, seat: int, move: int, audience: Audience, opened: tuple[tuple[int, int], ...]
) -> Event:
    """The event of a move. Cached, because the same moves recur all the time."""
    verb = notation.spec(move)
    return Event(seat, verb.word, tuple(notation.items(move)), move, notation.text(move), audience, opened)


__getattr__ = former_names(__name__, Notice="SeenEvent")
