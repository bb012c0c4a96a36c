"""The state of a game: a record of numbers, each declared with its visibility.

A game's state is a class of declared fields. Every value is a 64-bit integer: a count, a card, a seat, or a set of
cards with one bit per card. In plain Python a state is an ordinary object with exactly the declared attributes;
`upcard.compiled` makes a NumPy record with the same fields.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from types import FunctionType
from typing import Any, ClassVar, Protocol, Self, overload

from upcard.rules.cards import NO_CARD, NO_SUIT, CardSet, sign
from upcard.rules.marks import rule

NOBODY = -1
"""The value for "no seat"."""
MOST_PLAYERS = 10
PER_SEAT = -1
"""A field length that means one entry per seat of the game's largest table."""


class Row(Protocol):
    """A row of numbers, as rules see it: one per seat, a pile, or a buffer. Only plain Python code may use slices."""

    @overload
    def __getitem__(self, i: int, /) -> int: ...
    @overload
    def __getitem__(self, i: slice, /) -> list[int]: ...
    def __setitem__(self, i: int, value: int, /) -> None: ...


PerSeat = Row
Pile = Row
Buffer = Row


class Seen(Enum):
    """The visibility of a field of a state."""

    ALL = "everybody"
    OWNER = "the seat whose entry it is; other seats see the part that lies open"
    NOBODY = "nobody"
    SEALED = "the seat whose entry it is; everybody from a certain phase on"


@dataclass(frozen=True)
class Field:
    """The declaration of one field: the number, meaning and visibility of its values."""

    seen: Seen
    length: int | None = None
    """The number of entries of a row; None for a single number."""
    blank: int = 0
    """The value before a deal, and in a view whose seat may not see the field."""
    of: str = "number"
    """The kind of the values: "number", "flag", "card", "set" (of cards), "suit", "seat", "seats" (a set of seats)."""
    kept: bool = False
    """Whether the value lasts for the match. Otherwise it is blanked at the start of each deal."""
    shown: str | None = None
    """For OWNER: the name of the field with the part that is open to everybody."""
    until: int = 0
    """For SEALED: the first phase in which everybody sees it."""
    unless: str | None = None
    """For SEALED: the name of an option; if it has any value but its first, everybody sees the field at once."""
    seen_by: str | None = None
    """For NOBODY: the name of the field with the one seat that sees this field, or NOBODY."""
    counted: str | None = None
    """For a pile: the name of the open field with the number of its cards."""
    cards: str | None = None
    """For fields that contain cards (each card is in one such field): "set", "second" (a set of second copies),
    "jokers" (a number of jokers) or "card"."""
    reveals: str = ""
    """The clause by which the field makes hidden cards public without a move that names them: a card turned up, a hand
    laid down at the end, the number of cards that a seat keeps."""


_KINDS = {"set": "set", "second": "set", "jokers": "number", "card": "card", None: "number"}


def open_field(blank: int = 0, *, of: str = "number", kept: bool = False, reveals: str = "") -> Any:
    """A number that everybody sees. `reveals` is the clause by which it makes hidden cards public."""
    return Field(Seen.ALL, None, blank, of, kept, reveals=reveals)


def open_seat(*, kept: bool = False) -> Any:
    """A seat, or NOBODY, that everybody sees."""
    return Field(Seen.ALL, None, NOBODY, "seat", kept)


def open_seats(*, kept: bool = False) -> Any:
    """A set of seats that everybody sees."""
    return Field(Seen.ALL, None, 0, "seats", kept)


def open_suit(*, kept: bool = False) -> Any:
    """A suit, or NO_SUIT, that everybody sees."""
    return Field(Seen.ALL, None, NO_SUIT, "suit", kept)


def open_card(*, kept: bool = False, reveals: str = "") -> Any:
    """An open card, or NO_CARD. `reveals` is the clause by which it is turned up."""
    return Field(Seen.ALL, None, NO_CARD, "card", kept, cards="card", reveals=reveals)


def open_set(*, kept: bool = False, reveals: str = "") -> Any:
    """The cards in a place that everybody has seen (won, discarded, out of play). `reveals` is the clause by which
    hidden cards enter it."""
    return Field(Seen.ALL, None, 0, "set", kept, cards="set", reveals=reveals)


def per_seat(
    blank: int = 0,
    *,
    of: str | None = None,
    cards: str | None = None,
    length: int = PER_SEAT,
    kept: bool = False,
    reveals: str = "",
) -> Any:
    """A number for each seat that everybody sees. `cards="set"` makes it a place of cards, one set for each seat;
    `reveals` is the clause by which it makes hidden cards public."""
    return Field(Seen.ALL, length, blank, of or _KINDS[cards], kept, cards=cards, reveals=reveals)


def open_pile(
    length: int, *, of: str | None = None, cards: str | None = None, kept: bool = False, reveals: str = ""
) -> Any:
    """A row that everybody sees. `cards="card"` makes it a pile of cards; `reveals` is the clause by which hidden cards
    are laid on it."""
    return Field(Seen.ALL, length, NO_CARD, of or _KINDS[cards], kept, cards=cards, reveals=reveals)


def held(*, shown: str | None = None, cards: str = "set", length: int = PER_SEAT, kept: bool = False) -> Any:
    """Cards of each seat, which only that seat sees. Other seats see the part that is in the field `shown`."""
    return Field(Seen.OWNER, length, 0, _KINDS[cards], kept, shown=shown, cards=cards)


def own(
    blank: int = 0, *, of: str = "number", shown: str | None = None, length: int = PER_SEAT, kept: bool = False
) -> Any:
    """A number for each seat (not cards) that only that seat sees. Other seats see the value in the field `shown`."""
    return Field(Seen.OWNER, length, blank, of, kept, shown=shown)


def sealed(
    *,
    until: int,
    unless: str | None = None,
    blank: int = 0,
    of: str = "number",
    length: int = PER_SEAT,
    kept: bool = False,
) -> Any:
    """A number for each seat that other seats see only from the phase number `until` on, such as a secret bid.

    `unless` names an option. With any value but its first, everybody sees the numbers at once (bids made aloud in
    turn).
    """
    return Field(Seen.SEALED, length, blank, of, kept, until=until, unless=unless)


def face_down(length: int, *, counted: str | None = None, kept: bool = False) -> Any:
    """A pile of up to `length` cards that nobody sees, filled up with NO_CARD. `counted` names the open field with the
    number of its cards, if there is one, which makes compiled views faster."""
    return Field(Seen.NOBODY, length, NO_CARD, "card", kept, counted=counted, cards="card")


def face_down_set(*, seen_by: str | None = None, kept: bool = False) -> Any:
    """A set of cards that nobody sees except the seat in the field `seen_by`, if it is named."""
    return Field(Seen.NOBODY, None, 0, "set", kept, seen_by=seen_by, cards="set")


def secret(blank: int = 0, *, of: str = "number", length: int | None = None, kept: bool = False) -> Any:
    """A number, or a row, that only the referee knows. Not for a place of cards: see `face_down`."""
    return Field(Seen.NOBODY, length, blank, of, kept)


# -------------------------------------------------------------------------------------------------------------- rows


class Places(list[int]):
    """A list that rejects negative indices. NOBODY and NO_CARD are -1, and in compiled code index -1 would access
    another row."""

    def __getitem__(self, i: Any) -> Any:
        return list.__getitem__(self, _place(i))

    def __setitem__(self, i: Any, value: Any) -> None:
        list.__setitem__(self, _place(i), value)


def _place(i: Any) -> Any:
    if type(i) is int and i < 0:
        raise IndexError(f"a row has no place {i}: NOBODY, NO_CARD and NO_SUIT are no places")
    return i


def mind_places(state: Any) -> None:
    """Turn the rows of a state into `Places`, to find mistakes in rules. They are slower than plain lists."""
    for name, spec in state.fields.items():
        if spec.length is not None:
            setattr(state, name, Places(getattr(state, name)))


# ----------------------------------------------------------------------------------------------------------- records


TAKEN = {"clear", "complete", "copy", "fields", "game", "of", "seats", "values"}
"""Names that no field can have, because every state has an attribute of that name."""


class _Declared(type):
    """The metaclass of records, which gives a class of declared fields its slots and methods."""

    fields: dict[str, Field]

    def __new__(
        mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], seats: int | None = None
    ) -> _Declared:
        own_fields = {field: value for field, value in namespace.items() if isinstance(value, Field)}
        methods = {method for method, value in namespace.items() if bases and isinstance(value, FunctionType)}
        if taken := (own_fields.keys() | methods) & TAKEN:
            raise TypeError(f"{name}.{min(taken)}: every state has something else called so: name it otherwise")
        inherited = {field: spec for base in bases[::-1] for field, spec in getattr(base, "fields", {}).items()}
        fields = inherited | own_fields
        has_slots = any(getattr(base, "complete", False) for base in bases)
        complete = seats is not None or has_slots
        for field in own_fields:
            del namespace[field]
        if complete:
            above = next((base for base in bases if getattr(base, "complete", False)), None)
            length = seats if above is None else above.seats  # type: ignore[attr-defined]
            if above is not None and seats not in (None, length):
                raise TypeError(f"{name}: {above.__name__} has rows for {length} seats: leave seats={seats} out")
            namespace["seats"] = length
            fields = {
                field: replace(spec, length=length) if spec.length == PER_SEAT else spec
                for field, spec in fields.items()
            }
        namespace["__slots__"] = tuple(own_fields if has_slots else fields) if complete else ()
        namespace["fields"] = fields
        namespace["complete"] = complete
        cls = super().__new__(mcls, name, bases, namespace)
        _check(cls, set(own_fields))
        if complete:
            _write_methods(cls)
        return cls


def _check(cls: _Declared, declared: set[str]) -> None:
    """Raise TypeError for a field without a declaration, or with an invalid length, blank or reference."""
    for name, kind in inspect.get_annotations(cls).items():
        if name not in declared and not name.startswith("_") and "ClassVar" not in str(kind):
            raise TypeError(f"{cls.__qualname__}.{name}: say who may see it, as in `{name}: int = open_field()`")
    if cls.complete:  # type: ignore[attr-defined]
        for name, spec in cls.fields.items():
            if not isinstance(spec.blank, int) or (spec.length is not None and spec.length < 0):
                raise TypeError(f"{cls.__qualname__}.{name}: blank is a whole number, and so is a length, from 0 up")
            for word, other in (("shown", spec.shown), ("seen_by", spec.seen_by), ("counted", spec.counted)):
                if other is not None and other not in cls.fields:
                    raise TypeError(f"{cls.__qualname__}.{name}: {word}={other!r} is no field of this state")
            if spec.counted and (cls.fields[spec.counted].seen, cls.fields[spec.counted].length) != (
                Seen.ALL,
                None,
            ):
                raise TypeError(f"{cls.__qualname__}.{name}: counted={spec.counted!r} is no number that all see")


class Record(metaclass=_Declared):
    """A record of named 64-bit integers and rows of them.

    A subclass annotates each of its fields and declares it with one of the functions above; reading or writing any
    other attribute is an error. `class State(GameState, seats=5)` sets the length of the rows with one entry per seat.
    """

    fields: ClassVar[dict[str, Field]] = {}
    complete: ClassVar[bool] = False
    seats: ClassVar[int] = 0
    """The length of the rows with one entry per seat; 0 for a class that does not set it."""

    def copy(self) -> Self:
        """A copy that shares nothing with this record."""
        raise NotImplementedError

    def clear(self) -> None:
        """Blank all fields that do not last for the match. A rule; it runs before each deal."""
        raise NotImplementedError

    def values(self) -> tuple[Any, ...]:
        """The values of all fields, in order."""
        raise NotImplementedError

    @classmethod
    def of(cls, values: tuple[Any, ...]) -> Self:
        """A record with these values, in the order of the fields. The lists are not copied."""
        state = cls.__new__(cls)
        for name, value in zip(cls.fields, values, strict=True):
            setattr(state, name, value)
        return state

    def __copy__(self) -> Self:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.values() == self.values()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return type(self).of, (self.values(),)

    def __repr__(self) -> str:
        shown = (
            f"{name}={in_words(spec, getattr(self, name))}"
            for name, spec in self.fields.items()
            if getattr(self, name) not in (spec.blank, [spec.blank] * (spec.length or 0))
        )
        return f"{type(self).__name__}({', '.join(shown)})"


def in_words(spec: Field, value: Any) -> str:
    """The value of a field as text for people: cards and sets of cards with suit signs."""
    if isinstance(value, list):
        return f"[{', '.join(in_words(spec, number) for number in value)}]"
    if value == spec.blank or spec.of not in ("card", "set", "suit", "seats"):
        return str(value)
    if spec.of == "set":
        return str(CardSet(value))
    if spec.of == "seats":
        return "{" + ", ".join(map(str, seats_of(value))) + "}"
    return sign(value) if spec.of == "card" else "♣♦♥♠"[value]


def seats_of(seats: int) -> list[int]:
    """The seats of a set, in ascending order."""
    return [*_seats_of(seats)]


@lru_cache(maxsize=1 << MOST_PLAYERS)
def _seats_of(seats: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(MOST_PLAYERS) if seats >> seat & 1)


def _write_methods(cls: Any) -> None:
    """Generate the methods that visit every field, without loops so that they are fast."""
    fields: dict[str, Field] = cls.fields
    rows = {name: spec for name, spec in fields.items() if spec.length is not None}
    blanks = {
        name: f"[{spec.blank}] * {spec.length}" if name in rows else str(spec.blank) for name, spec in fields.items()
    }
    copies = [f"twin.{name} = self.{name}{'[:]' * (name in rows)}" for name in fields]
    _write(cls, "__init__", "self", [f"self.{name} = {blank}" for name, blank in blanks.items()])
    _write(cls, "copy", "self", ["twin = cls.__new__(cls)", *copies, "return twin"])
    everything = ", ".join(f"self.{name}" for name in fields)
    _write(cls, "values", "self", [f"return ({everything},)"])
    cls.clear = rule(_function(cls, "clear", "s", clearing(fields)))


def clearing(fields: dict[str, Field]) -> list[str]:
    """The source lines of `Record.clear`."""
    lines = [f"s.{name} = {spec.blank}" for name, spec in fields.items() if not spec.kept and spec.length is None]
    lengths = sorted({spec.length for spec in fields.values() if spec.length is not None and not spec.kept})
    for length in lengths:
        lines.append(f"for i in range({length}):")
        lines += [f"    s.{name}[i] = {f.blank}" for name, f in fields.items() if f.length == length and not f.kept]
    return lines or ["pass"]


def _write(cls: Any, name: str, arguments: str, lines: list[str]) -> None:
    setattr(cls, name, _function(cls, name, arguments, lines))


def _function(cls: Any, name: str, arguments: str, lines: list[str]) -> Callable[..., Any]:
    body = "\n    ".join(lines)
    space: dict[str, Any] = {"cls": cls}
    exec(f"def {name}({arguments}):\n    {body}", space)  # as dataclasses does
    function: Callable[..., Any] = space[name]
    function.__qualname__ = f"{cls.__qualname__}.{name}"
    function.__module__ = cls.__module__
    return function


# ------------------------------------------------------------------------------------------------- a state of a match

NOTHING, DEAL, RESHUFFLE, DRAW = range(4)
"""The chance events that a state can be `awaiting`, or NOTHING."""
AWAITING = (None, "deal", "reshuffle", "draw")


class GameState(Record):
    """The fields that the states of all games have. A match is over when no seat is to act and no chance event is
    awaited."""

    game: ClassVar[Any] = None
    """The game of this state class. Unpickling takes the class from the game, so that the game's file need not be
    importable."""

    players: int = open_field(kept=True)  # the number of players
    phase: int = open_field(kept=True)  # the phase of the game, by its number
    to_act: int = open_seats(kept=True)  # the set of seats that may move now
    awaiting: int = open_field(kept=True)  # NOTHING, DEAL, RESHUFFLE or DRAW
    dealer: int = open_field(of="seat", kept=True)  # the seat that deals or has dealt
    deals: int = open_field(kept=True)  # the number of deals begun so far
    scores: PerSeat = per_seat(kept=True)  # the score of each seat in the match
    winners: int = open_seats(kept=True)  # the set of winning seats; empty before the match is over

    def __eq__(self, other: object) -> bool:
        """Whether the values and the games are equal: unpickling may have loaded the game's file a second time."""
        if isinstance(other, GameState) and self.game is not None and other.game is not None:
            ours, theirs = self.game, other.game
            if ours is theirs or (ours.slug, ours.identity) == (theirs.slug, theirs.identity):
                return self.values() == other.values()
        return super().__eq__(other)

    __hash__ = None

    def __reduce__(self) -> Any:
        if self.game is None:
            return super().__reduce__()
        return _state_of, (*type(self.game).recipe(self.game), self.values())


def _state_of(load: Callable[..., Any], arguments: tuple[Any, ...], values: tuple[Any, ...]) -> Any:
    return load(*arguments).state.of(values)
