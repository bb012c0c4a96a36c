"""What happened, typed: the events of a match, and what a seat is told of one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from upcard.rules import cards
from upcard.rules.notation import Audience, Notation
from upcard.rules.state import AWAITING


@dataclass(frozen=True, repr=False)
class Event:
    """A move, or what chance did. Its text (`str(event)`) is what a record has of it."""

    seat: int | None
    """Who moved; None for chance."""
    word: str
    """The move's word, empty for playing a card; for chance "deal", "reshuffle" or "draw"."""
    items: tuple[int, ...]
    """What it names: cards, suits, ranks, numbers or seats as the word asks for; for chance the cards, in order."""
    move: int
    """The move as one number; for chance its kind (DEAL, RESHUFFLE or DRAW)."""
    said: str
    """The move in the notation of the rulebook; empty for chance."""
    audience: Audience = Audience.ALL
    """How much of it the other seats are told."""
    opened: tuple[tuple[int, int], ...] = ()
    """If it opens what was sealed: every sealed move with its seat, its own too."""

    @cached_property
    def text(self) -> str:
        """The event as a record has it: `1 Kh`, `deal As Kd …`."""
        if self.seat is None:
            return f"{self.word} {' '.join(map(cards.text, self.items))}"
        return f"{self.seat} {self.said}"

    @cached_property
    def whole(self) -> Notice:
        """What is told of it to a seat that may know all: of chance its kind, never the cards."""
        return Notice(self.seat, self.word, self.move, opened=self.opened)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Event {self.text}>"


@dataclass(frozen=True)
class Notice:
    """What one seat is told of an event."""

    seat: int | None
    """Who moved; None for chance."""
    word: str
    move: int | None
    """The whole move, or the kind of chance; None where not all of it is told."""
    count: int | None = None
    """How many cards it was about, where only that is told."""
    opened: tuple[tuple[int, int], ...] = ()


def chance_event(kind: int, order: tuple[int, ...]) -> Event:
    """A deal, a reshuffle or a draw of these cards."""
    return Event(None, AWAITING[kind] or "", order, kind, "")


@lru_cache(maxsize=1 << 13)
def move_event(
    notation: Notation, seat: int, move: int, audience: Audience, opened: tuple[tuple[int, int], ...]
) -> Event:
    """A move that was made. The same ones are made again and again, at all tables: they are one object."""
    verb = notation.spec(move)
    return Event(seat, verb.word, tuple(notation.items(move)), move, notation.text(move), audience, opened)
