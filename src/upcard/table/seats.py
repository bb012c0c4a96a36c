"""The seats of a table and their occupants."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from upcard.rules.sentences import sentence
from upcard.table.errors import Unacceptable
from upcard.table.plain_text import plain_text

LONGEST_NAME = 30
SUBSTITUTE = "casual"
"""The level of a computer player who steps in if the table has no other."""
COMPUTER_NAMES = ("Ada", "Basil", "Cleo", "Dario", "Edda", "Felix", "Greta", "Hugo", "Iris", "Jonas", "Kira")

_RESERVED = re.compile(r"you|(every|no|some)(body|one)|dummy|the host|seat ?\d+", re.IGNORECASE)
"""Names that the log and the prompts of a table could not tell from their own words."""

OccupantKind = Literal["open", "held", "person", "computer"]
"""Free for anybody; reserved for somebody; taken by a person; taken by a computer player."""


class Occupant(Struct, frozen=True, omit_defaults=True):
    """The occupant of one seat."""

    who: OccupantKind = "open"
    name: str | None = None
    level: str | None = None
    identity: str | None = None
    """The identity of the person, or of the one it is reserved for, which only they can prove; never shown to
    anybody."""
    substitute: str | None = None
    """The level of the computer player that plays for an absent person, or until somebody sits down."""
    pledge: str | None = None
    """The SHA-256 of the nonce that this person pledged to the shuffles."""

    @property
    def played_by(self) -> str | None:
        """The level of the computer player that moves for this seat; None if a person does."""
        return self.level if self.who == "computer" else self.substitute


def seat_of(places: Sequence[Occupant], identity: str | None) -> int | None:
    """The seat of a person; None for a spectator."""
    if not identity:
        return None
    for seat, place in enumerate(places):
        if place.identity == identity and place.who == "person":
            return seat
    return None


def seat_names(places: Sequence[Occupant]) -> tuple[str, ...]:
    """The names of the seats."""
    return tuple([place.name or sentence("Seat {seat}", seat=seat) for seat, place in enumerate(places)])


def is_full(places: Sequence[Occupant]) -> bool:
    """Whether every seat has a person or a computer player to move for it."""
    return all(place.who == "person" or place.played_by is not None for place in places)


def is_deserted(places: Sequence[Occupant]) -> bool:
    """Whether people have seats but all have substitutes: the match then waits for one of them."""
    people = [place for place in places if place.who == "person"]
    return bool(people) and all(place.substitute for place in people)


def chosen_name(name: str, places: Sequence[Occupant]) -> str:
    """A name that a person chooses, as `clean_name` makes it. Raises Unacceptable also for a word that the sentences of
    a table use for somebody else."""
    if _RESERVED.fullmatch(shown := plain_text(name, LONGEST_NAME)):
        message = 'At a table "{name}" would be taken for somebody else: please choose another name'
        raise Unacceptable(sentence(message, name=shown))
    return clean_name(name, places)


def clean_name(name: str, places: Sequence[Occupant]) -> str:
    """A name cleaned for display and made unique at the table. Raises Unacceptable if no visible character is left."""
    shown = plain_text(name, LONGEST_NAME)
    if not shown:
        raise Unacceptable("Please choose a name")
    taken = {place.name for place in places}
    return next(unique for unique in (shown, *(f"{shown} {n}" for n in range(2, 99))) if unique not in taken)


def recorded_names(record: object, players: int, *, first: int = 0) -> list[str]:
    """The players' names in a match record, cleaned for display; "Seat 0" and so on, counted from `first`, if it has
    none."""
    about = record.get("about") if isinstance(record, dict) else None
    names = about.get("names") if isinstance(about, dict) else None
    if not isinstance(names, list) or len(names) != players:
        names = [""] * players
    places: list[Occupant] = []
    for seat, name in enumerate(names):
        places.append(
            Occupant("person", clean_name(plain_text(str(name)[:120], LONGEST_NAME) or f"Seat {seat + first}", places))
        )
    return [*seat_names(places)]


def stand_in(places: Sequence[Occupant]) -> str:
    """The level of a computer player who steps in: that of another one at the table, or else `SUBSTITUTE`."""
    return next((place.level for place in places if place.level), SUBSTITUTE)


def computer(level: str, places: Sequence[Occupant], levels: Sequence[str]) -> Occupant:
    """A computer player with a name not yet used at the table. Raises Unacceptable if `level` is not in `levels`."""
    if level not in levels:
        raise Unacceptable(
            sentence(
                "There is no level {level} (there are: {levels})", level=f"{level!r:.20}", levels=", ".join(levels)
            )
        )
    taken = {place.name for place in places}
    return Occupant("computer", next(name for name in COMPUTER_NAMES if name not in taken), level)
