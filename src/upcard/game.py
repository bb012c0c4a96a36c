"""The words in which a game is declared: its record of numbers, its options, its moves, what each seat may see.

A game file defines a `State` and an `Options` (both `Record`s), its `Moves`, the rules that work on them, and ties them
together in one `Game`. Nothing here knows a rule of any game.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, ClassVar, Protocol, Self, overload

from upcard import cards
from upcard.cards import JOKER, NO_CARD, Card, Cards, lowest
from upcard.compiled import rule

NOBODY = -1
MOST_PLAYERS = 10
PER_SEAT = -1
"""A length that stands for as many as the game's largest table has."""


class Row(Protocol):
    """What rules see of a row of numbers: one per seat, a pile, a buffer. Slices are for plain Python only."""

    @overload
    def __getitem__(self, i: int, /) -> int: ...
    @overload
    def __getitem__(self, i: slice, /) -> list[int]: ...
    def __setitem__(self, i: int, value: int, /) -> None: ...


PerSeat = Row
Pile = Row
Buffer = Row


# ------------------------------------------------------------------------------------------------ records of numbers


class Seen(Enum):
    """Who sees a field of a state."""

    ALL = "everybody"
    OWNER = "the seat whose entry it is; the others only what lies open of it"
    NOBODY = "nobody"
    SEALED = "its owner, and everybody once the phase has come in which it is shown"


@dataclass(frozen=True)
class Field:
    """One field of a record: how many numbers it has, and who may see them."""

    seen: Seen
    length: int | None = None
    """None: a single number."""
    blank: int = 0
    """What stands in a view where the number may not be seen."""
    shown: str | None = None
    """For OWNER: the field with the part that lies open to all."""
    until: int = 0
    """For SEALED: the first phase in which everybody sees it."""
    unless: str | None = None
    """For SEALED: the option that, at anything but its first value, lets everybody see it at once."""
    seen_by: str | None = None
    """For NOBODY: the field with the one seat that does see it, or NOBODY."""
    cards: str | None = None
    """What the numbers are: "set" (of cards), "second" (a set of second copies), "jokers" (how many), "card"."""


def open_field(blank: int = 0) -> Any:
    """One number that everybody sees."""
    return Field(Seen.ALL, None, blank)


def open_card() -> Any:
    """One card that lies open, or NO_CARD."""
    return Field(Seen.ALL, None, NO_CARD, cards="card")


def open_set() -> Any:
    """A set of cards that everybody has seen (won, discarded, out of play)."""
    return Field(Seen.ALL, None, cards="set")


def per_seat(blank: int = 0, *, cards: str | None = None, length: int = PER_SEAT) -> Any:
    """A number for each seat that everybody sees; `cards="set"` where it is a set of cards that are nowhere else."""
    return Field(Seen.ALL, length, blank, cards=cards)


def open_pile(length: int, *, cards: str | None = None) -> Any:
    """A row that everybody sees; with `cards="card"` a pile of cards that are nowhere else."""
    return Field(Seen.ALL, length, NO_CARD, cards=cards)


def held(*, shown: str | None = None, cards: str = "set", length: int = PER_SEAT) -> Any:
    """Cards for each seat that only this seat sees, and the others as far as the field `shown` has them."""
    return Field(Seen.OWNER, length, 0, shown=shown, cards=cards)


def own(blank: int = 0, *, shown: str | None = None, length: int = PER_SEAT) -> Any:
    """A number for each seat (no cards) that only this seat sees, and the others as the field `shown` has it."""
    return Field(Seen.OWNER, length, blank, shown=shown)


def sealed(*, until: int, unless: str | None = None, blank: int = 0, length: int = PER_SEAT) -> Any:
    """A number for each seat that the others see from phase number `until` on.

    `unless` names an option: at anything but its first value all is open from the start (bids said aloud, in turn).
    """
    return Field(Seen.SEALED, length, blank, until=until, unless=unless)


def face_down(length: int) -> Any:
    """A pile of cards that nobody sees; NO_CARD where there is none."""
    return Field(Seen.NOBODY, length, NO_CARD, cards="card")


def face_down_set(*, seen_by: str | None = None) -> Any:
    """A set of cards that nobody sees, but the seat whose number stands in the field `seen_by`."""
    return Field(Seen.NOBODY, None, seen_by=seen_by, cards="set")


def unseen(blank: int = 0, *, length: int | None = None) -> Any:
    """Numbers that only the referee knows and that are not cards."""
    return Field(Seen.NOBODY, length, blank)


class Record:
    """Named 64-bit numbers and rows of them.

    A subclass annotates its fields and declares each with one of the words above; a field that is not declared does not
    load. `class State(GameState, seats=5)` says how long the rows per seat are at most. In plain Python a record is an
    ordinary object; `upcard.fast` makes a NumPy record of the same fields.
    """

    fields: ClassVar[dict[str, Field]] = {}

    def __init_subclass__(cls, seats: int = PER_SEAT) -> None:
        super().__init_subclass__()
        declared = dict(cls.fields)
        for name in inspect.get_annotations(cls):
            if name in ("fields", "options"):
                continue
            value = cls.__dict__.get(name)
            if not isinstance(value, Field):
                raise TypeError(f"{cls.__qualname__}.{name}: say who may see it")
            declared[name] = value
        cls.fields = {
            name: replace(spec, length=seats) if spec.length == PER_SEAT else spec for name, spec in declared.items()
        }

    def __init__(self) -> None:
        for name, spec in self.fields.items():
            setattr(self, name, spec.blank if spec.length is None else [spec.blank] * spec.length)

    def copy(self) -> Self:
        """The same numbers in a record of its own."""
        twin = self.__class__.__new__(self.__class__)
        into = twin.__dict__
        for name, value in self.__dict__.items():
            into[name] = value[:] if type(value) is list else value
        return twin

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__dict__ == self.__dict__

    __hash__ = None  # type: ignore[assignment]


NOTHING, DEAL, RESHUFFLE, DRAW = range(4)
AWAITING = (None, "deal", "reshuffle", "draw")


class GameState(Record):
    """What the states of all games have. The match is over when nobody is to act and no chance is awaited."""

    players: int = open_field()
    phase: int = open_field()
    to_act: int = open_field()  # the set of seats that may move now
    awaiting: int = open_field()  # NOTHING, DEAL, RESHUFFLE or DRAW
    dealer: int = open_field()
    deals: int = open_field()  # begun so far
    scores: PerSeat = per_seat()
    winners: int = open_field()  # the set of seats that have won, once it is over


# ---------------------------------------------------------------------------------------------------------- options


def brief(value: object) -> str:
    """Anything that came from outside, for a message: on one line, cut short, of a list or an object only its kind."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    if isinstance(value, int) and abs(value) >= 10**20:
        return "a very large number"
    if isinstance(value, int | float | str):
        text = repr(value[:61] if isinstance(value, str) else value)
        return text if len(text) <= 60 else f"{text[:60]}…"
    return "a list" if isinstance(value, list) else "an object"


class BadOption(ValueError):
    """An option that the game does not have, or a value that it cannot take. `clause` is what it would have changed."""

    def __init__(self, message: str, clause: str) -> None:
        super().__init__(message)
        self.clause = clause


@dataclass(frozen=True)
class Option:
    """One rule switch of a table: a whole number in a range, one of some values, or a text of digits."""

    kind: str
    """"whole", "choice", "flag" or "digits"."""
    clause: str
    """The clause that it changes first."""
    help: str
    values: tuple[str | int | bool, ...] = ()
    """For a choice: the default first. The rules see the place in this row, unless all values are whole numbers."""
    default: int | Callable[[int], int] = 0
    low: int | Callable[[int], int] = 0
    high: int | Callable[[int], int] = 0

    def default_for(self, players: int) -> str | int | bool:
        if self.kind == "whole":
            return _for(self.default, players)
        return str(self.default) if self.kind == "digits" else self.values[0]

    def bounds(self, players: int) -> tuple[int, int]:
        """The lowest and highest whole number (for digits: how many there may be)."""
        return _for(self.low, players), _for(self.high, players)

    def number(self, value: object, players: int) -> int | None:
        """The number that the rules see for this value; None if it is no value of this option."""
        low, high = self.bounds(players)
        if self.kind == "whole":
            return value if type(value) is int and low <= value <= high else None
        if self.kind == "digits":
            fits = isinstance(value, str) and low <= len(value) <= high and re.fullmatch("[1-9]+", value)
            return int(str(value)) if fits else None
        for place, known in enumerate(self.values):
            if type(value) is type(known) and value == known:
                return place if type(known) is str else int(known)
        return None

    def read(self, word: str) -> str | int | bool:
        """The value that a person typed; what it cannot be is left for `number` to refuse."""
        if self.kind == "digits":
            return word
        for known in self.values:
            if str(known).lower() == word.lower():
                return known
        return int(word) if re.fullmatch(r"-?\d{1,9}", word) else word

    def describe(self, players: int) -> str:
        """The values it may take, in words."""
        low, high = self.bounds(players)
        if self.kind == "whole":
            return f"a whole number from {low} to {high}"
        if self.kind == "digits":
            return f"{low} to {high} digits from 1 to 9"
        return " or ".join(str(v).lower() if type(v) is bool else str(v) for v in self.values)


def _for(number: int | Callable[[int], int], players: int) -> int:
    return number(players) if callable(number) else number


def whole(
    default: int | Callable[[int], int],
    low: int | Callable[[int], int],
    high: int | Callable[[int], int],
    *,
    clause: str,
    help: str,
) -> Any:
    """A whole number; the three may depend on the number of players."""
    return Option("whole", clause, help, (), default, low, high)


def choice(*values: str | int, clause: str, help: str) -> Any:
    """One of these, the default first. The rules see its place (0, 1, …), or the number itself if all are numbers."""
    return Option("choice", clause, help, values)


def flag(default: bool, *, clause: str, help: str) -> Any:
    """True or false; the rules see 1 for true."""
    return Option("flag", clause, help, (default, not default))


def digits(default: str, most: int, *, clause: str, help: str) -> Any:
    """A text of one to `most` digits from 1 to 9; the rules see it as a number."""
    return Option("digits", clause, help, (), int(default), 1, most)


class Options:
    """The rule switches of a game. A subclass annotates `name: int = whole(…)` or `choice(…)`.

    An instance has one number under each name, as the rules read them; `chosen` are the values that were
    named.
    """

    options: ClassVar[dict[str, Option]] = {}
    refused: ClassVar[str] = ""

    def __init_subclass__(cls, refused: str = "") -> None:
        """`refused` is the clause named for every wrong value; without it that is the clause of the option."""
        super().__init_subclass__()
        cls.options = {name: cls.__dict__[name] for name in inspect.get_annotations(cls)}
        cls.refused = refused

    def __init__(self, values: Mapping[str, object], players: int, clause: str) -> None:
        """Raises BadOption; `clause` is named for an option that does not exist."""
        for name in values:
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise BadOption(f"there is no option {brief(name)} (there are: {known})", clause)
        self.chosen: dict[str, str | int | bool] = {}
        for name, option in self.options.items():
            value = values.get(name, option.default_for(players))
            number = option.number(value, players)
            if number is None:
                raise BadOption(
                    f"option {name} is {option.describe(players)}, not {brief(value)}", self.refused or option.clause
                )
            setattr(self, name, number)
            if name in values:
                self.chosen[name] = value  # type: ignore[assignment]

    def opens(self, unless: str | None) -> bool:
        """Whether what is sealed unless the option of this name says otherwise is open to all at this table."""
        return unless is not None and getattr(self, unless) != 0


# ------------------------------------------------------------------------------------------------------------ moves


class Heard(Enum):
    """What the other seats hear of a move."""

    ALL = "the whole move"
    SEALED = "that it was made; the rest from the moment all have chosen"
    WORD = "its word only"
    COUNT = "its word and how many cards"


@dataclass(frozen=True)
class Verb:
    """One kind of move. `items` are words of "card suit rank number seat", "card+" for one or more cards."""

    word: str
    items: tuple[str, ...]
    heard: Heard
    label: str
    """For a button, with {cards} and {0}, {1}, …."""
    said: str
    """For the log, after the player's name."""
    plays: bool
    """Whether it plays its first item, a card, to the trick."""
    unless: str | None = None
    """For SEALED: the option that, at anything but its first value, lets everybody hear it at once."""
    quiet: str = ""
    """For the log, after the player's name, where its items are not told: "has bid"."""
    amends: bool = False
    """Whether its card takes the place of the one that the mover played to the last finished trick."""
    dummy: bool = False
    """Whether the card it plays comes from the dummy's hand."""
    zone: str = ""
    """The id of the zone that it is about, which may be clicked instead."""


@dataclass(frozen=True)
class Said:
    """A move as somebody said it, legal or not."""

    text: str
    verb: int | None
    """The verb's number (as `Moves.verb` gave it); None when the text begins with no word of this game."""
    items: tuple[int, ...] | None
    """Its items; None when they are not what the verb asks for."""
    move: int | None
    """The move as one number; None when it cannot be one (an item missing, a number out of all bounds)."""


_SUIT_FAST = {letter: suit for suit, letter in enumerate("cdhs")}


class Moves:
    """The verbs of a game. A move is one number: a verb and up to eight items of six bits.

    Bits 0 to 47 hold the items, 48 to 50 one less than their number, the rest the verb. Verb 0 plays a card, so that
    the move that plays a card *is* the card.
    """

    def __init__(self) -> None:
        self.verbs: list[Verb] = []
        self.play = self.verb("", "card", heard=Heard.ALL, label="Play {cards}", said="plays {cards}", plays=True)

    def verb(
        self,
        word: str,
        items: str = "",
        *,
        heard: Heard,
        label: str,
        said: str,
        plays: bool = False,
        unless: str | None = None,
        quiet: str = "",
        amends: bool = False,
        dummy: bool = False,
        zone: str = "",
    ) -> int:
        """Declare a kind of move; returns its number, to be used in `say1(VERB, item)` and compared with `verb_of`."""
        self.verbs.append(
            Verb(
                word,
                tuple(items.split()),
                heard,
                label,
                said,
                plays,
                unless,
                quiet or f"has made a {word}",
                amends,
                dummy,
                zone,
            )
        )
        return (len(self.verbs) - 1) << 51

    def spec(self, move: int) -> Verb:
        return self.verbs[move >> 51]

    def items(self, move: int) -> list[int]:
        """The items of a move, in order."""
        kinds = self.spec(move).items
        return [move >> 6 * i & 63 for i in range((move >> 48 & 7) + 1)] if kinds else []

    def kinds(self, move: int) -> list[str]:
        """The kind of each item: card, suit, rank, number or seat."""
        kinds = self.spec(move).items
        return ["card"] * len(self.items(move)) if kinds == ("card+",) else list(kinds)

    def cards(self, move: int) -> list[Card]:
        """The cards that a move names."""
        return [x for x, kind in zip(self.items(move), self.kinds(move), strict=True) if kind == "card"]

    def text(self, move: int) -> str:
        """The move in the notation of the rulebook."""
        said = [self.spec(move).word]
        for kind, x in zip(self.kinds(move), self.items(move), strict=True):
            said.append(_ITEM_TEXT[kind](x))
        return " ".join(filter(None, said))

    def read(self, text: str) -> Said:
        """What a text says; never raises."""
        words = text.split(" ")
        if cards.read(words[0]) is not None:
            return self._said(text, 0, words)
        heard = Said(text, None, None, None)
        for number, verb in enumerate(self.verbs[1:], 1):
            said = verb.word.split(" ")
            if heard.items is None and words[: len(said)] == said and self._longest(words) == len(said):
                heard = self._said(text, number, words[len(said) :])
        return heard

    def _longest(self, words: Sequence[str]) -> int:
        """How many of the first words belong to the longest verb that fits ("not good" before "not")."""
        fits = (verb.word.split(" ") for verb in self.verbs[1:])
        return max((len(said) for said in fits if list(words[: len(said)]) == said), default=0)

    def _said(self, text: str, number: int, words: Sequence[str]) -> Said:
        kinds = self.verbs[number].items
        if kinds == ("card+",):
            kinds = ("card",) * max(1, len(words))
        verb = number << 51
        if len(kinds) != len(words):
            return Said(text, verb, None, None)
        items = [_ITEM_READ[kind](word) for kind, word in zip(kinds, words, strict=True)]
        if any(item is None for item in items):
            return Said(text, verb, None, None)
        known = tuple(item for item in items if item is not None)
        fits = len(known) <= 8 and all(item < 64 for item in known)
        return Said(text, verb, known, say(verb, known) if fits else None)


def say(verb: int, items: Sequence[int]) -> int:
    """The move that says a verb about these items, at most eight."""
    move = verb | (len(items) - 1) << 48 if items else verb
    for place, x in enumerate(items):
        move |= x << 6 * place
    return move


def _read_number(word: str) -> int | None:
    return int(word) if re.fullmatch(r"0|[1-9][0-9]{0,8}", word) else None


_ITEM_TEXT: dict[str, Callable[[int], str]] = {
    "card": cards.text,
    "suit": cards.SUITS.__getitem__,
    "rank": cards.RANKS.__getitem__,
    "number": str,
    "seat": str,
}
_ITEM_READ: dict[str, Callable[[str], int | None]] = {
    "card": cards.read,
    "suit": cards.read_suit,
    "rank": cards.read_rank,
    "number": _read_number,
    "seat": _read_number,
}


@rule
def verb_of(move: int) -> int:
    return move >> 51 << 51


@rule
def item(move: int, i: int) -> int:
    """The i-th item of a move, from 0."""
    return move >> 6 * i & 63


@rule
def items_of(move: int) -> int:
    """How many items a move has, if it has any."""
    return (move >> 48 & 7) + 1


@rule
def say1(verb: int, first: int) -> int:
    """The move that says a verb about one item."""
    return verb | first


@rule
def say2(verb: int, first: int, second: int) -> int:
    """The move that says a verb about two items."""
    return verb | 1 << 48 | second << 6 | first


@rule
def say3(verb: int, first: int, second: int, third: int) -> int:
    """The move that says a verb about three items."""
    return verb | 2 << 48 | third << 12 | second << 6 | first


@rule
def add(out: Buffer, n: int, move: int, when: bool) -> int:
    """Put a move into the buffer if `when` holds; returns the new length."""
    if when:
        out[n] = move
        n += 1
    return n


@rule
def put_cards(out: Buffer, n: int, chosen: Cards) -> int:
    """Put each card of a set into the buffer: as a move that is playing it. Returns the new length."""
    while chosen:
        out[n] = lowest(chosen)
        chosen &= chosen - 1
        n += 1
    return n


# ------------------------------------------------------------------------------------------------------------ seats


@rule
def only(seat: int) -> int:
    """The set of seats with just this one in it."""
    return 1 << seat


@rule
def everybody(players: int) -> int:
    """The set of all seats."""
    return (1 << players) - 1


@rule
def acts(s: GameState, seat: int) -> bool:
    """Whether this seat may move now."""
    return s.to_act >> seat & 1 != 0


@rule
def left_of(s: GameState, seat: int) -> int:
    """Clockwise the next seat."""
    return seat + 1 if seat + 1 < s.players else 0


@rule
def highest_scores(s: GameState) -> int:
    """The set of seats that nobody is ahead of."""
    best = s.scores[0]
    for seat in range(1, s.players):
        best = max(best, s.scores[seat])
    seats = 0
    for seat in range(s.players):
        if s.scores[seat] == best:
            seats |= only(seat)
    return seats


@rule
def above_average(s: GameState, me: int) -> int:
    """How far a seat's score is above the average, times the number of players."""
    total = 0
    for seat in range(s.players):
        total += s.scores[seat]
    return s.players * s.scores[me] - total


def seats_of(seats: int) -> list[int]:
    """A set of seats as a list."""
    return [seat for seat in range(MOST_PLAYERS) if seats >> seat & 1]


# ------------------------------------------------------------------------------------------------------------- game


@dataclass(frozen=True)
class Holding:
    """Where cards are held: the names of the fields that hold them, seat by seat.

    In a double pack a card that is held twice has its bit in both sets, so that equal cards cannot be told apart.
    """

    first: str
    second: str | None = None
    jokers: str | None = None

    def cards(self, s: Any, seat: int) -> list[Card]:
        """The cards that a seat holds, in pack order, jokers last."""
        held_cards = cards.as_list(getattr(s, self.first)[seat])
        if self.second is not None:
            twice = getattr(s, self.second)[seat]
            held_cards = [c for c in held_cards for _ in range(1 + (twice >> c & 1))]
        if self.jokers is not None:
            held_cards += [JOKER] * getattr(s, self.jokers)[seat]
        return held_cards

    def put(self, s: Any, seat: int, held_cards: Iterable[Card]) -> None:
        """Make these the cards that the seat holds."""
        first = second = jokers = 0
        for c in held_cards:
            if c == JOKER and self.jokers is not None:
                jokers += 1
            elif first >> c & 1:
                second |= 1 << c
            else:
                first |= 1 << c
        getattr(s, self.first)[seat] = first
        if self.second is not None:
            getattr(s, self.second)[seat] = second
        if self.jokers is not None:
            getattr(s, self.jokers)[seat] = jokers


@dataclass(frozen=True)
class Reading:
    """One way in which what was said can be true: per seat, cards that are then in the hand and cards that are not."""

    holds: tuple[Cards, ...]
    lacks: tuple[Cards, ...]


@dataclass(frozen=True)
class Sure:
    """What everybody knows of a hand, of what a seat has laid aside or of a pile: so many of its cards are of a set."""

    field: str
    seat: int
    """NOBODY for a pile."""
    number: int
    """As many as there are, if it is more."""
    cards: Cards


@dataclass(frozen=True)
class Faults:
    """The clauses that are named for what goes wrong before a move is even looked at."""

    players: str
    dealer: str
    options: str
    over: str
    """An event after the end of the match."""
    event: str
    """A text that is no event of this game."""
    chance: str
    """A chance event that is not awaited."""
    deal: str
    """A `deal` of the wrong cards."""
    reshuffle: str = ""
    draw: str = ""
    unknown_card: str = ""
    """A `deal` that names what is no card of the pack; where empty, `deal` is named."""
    unreadable: str = ""
    """A deal, reshuffle or draw with a word that is no card or a joker of which there are none, or a draw of not just
    one; where empty, the same as for wrong cards."""


@dataclass(frozen=True)
class Zone:
    """Something on the table beside the seats: see docs/protocol.md."""

    id: str
    kind: str
    label: str
    cards: tuple[Card, ...] = ()
    count: int | None = None
    """How many cards, where not all of them are seen."""
    owner: int | None = None
    number: int | None = None
    seats: tuple[int, ...] = ()
    """For a trick: who played each card."""


@dataclass(frozen=True)
class Scene:
    """What a game says of its table, made from a view: see docs/protocol.md."""

    headline: str
    prompt: str
    """What the seats to act are asked, as "lead a card"."""
    zones: Sequence[Zone]
    marks: Sequence[Sequence[tuple[str, object]]]
    """Per seat, labels with values: ("Bid", 3)."""
    trump: int = cards.NO_SUIT
    leader: int | None = None
    sides: Sequence[int | None] = ()
    """Per seat the side it plays for, where seats score together."""
    target: str | None = None
    """A zone id with {number} in it: where a move with a number goes."""
    result: Sequence[str] = ()
    """How the last deal ended, in words; {0} stands for the name of seat 0."""
    strength: Sequence[int] = ()
    """For sorting a hand: how strong each rank is; empty for ace high."""
    trump_strength: Sequence[int] = ()
    """The same for the trump suit, where its ranks have another order."""
    trumps: Cards = 0
    """Cards that are trumps besides those of the trump suit (a trump rank): shown right of it."""


@dataclass(frozen=True)
class Game:
    """One game: its declarations and its rules. `s` is a state, `opt` its options, `me` a seat.

    The rules (`start` to `apply`) run plain and compiled; the rest is plain Python.
    """

    slug: str
    title: str
    family: str
    summary: str
    length: str
    """How long a match takes, in words."""
    players: tuple[int, ...]
    """How many may play."""
    default_players: int
    state: type[GameState]
    options: type[Options]
    moves: Moves
    phases: tuple[str, ...]
    faults: Faults
    most_moves: int
    """No seat ever has more legal moves."""

    start: Callable[[Any, Any, int], None]
    """(s, opt, dealer): a blank state becomes a match that awaits its first deal; `s.players` is set."""
    gather: Callable[[Any, Any, Buffer], int]
    """(s, opt, out): the cards that the awaited deal or reshuffle must arrange, or a draw picks from; how many."""
    chance: Callable[[Any, Any, Pile], None]
    """(s, opt, order): deal, reshuffle, or draw order[0]."""
    playable: Callable[[Any, Any, int], Cards]
    """(s, opt, me): the cards that this seat may play as bare cards."""
    others: Callable[[Any, Any, int, Buffer, int], int]
    """(s, opt, me, out, n): appends all other legal moves of this seat; returns the new length."""
    apply: Callable[[Any, Any, int, int], None]
    """(s, opt, me, move): makes a legal move."""
    margin: Callable[[Any, Any, int], int]
    """(s, opt, me): how well this seat stands at the end of a deal, the higher the better."""

    refusal: Callable[[Any, Any, int, Said], str]
    """(s, opt, me, said): the clause that forbids what was said."""
    report: Callable[[Any, Any], dict[str, Any]]
    """(s, opt): the fields of the report that are not the same in all games."""
    scene: Callable[[Any, Any, int | None], Scene]
    """(view state, opt, seat): the table as this seat sees it."""
    trick: Callable[[Any], list[tuple[int, Card]]] | None = None
    """(s): who has played what to the unfinished trick, in order; None for a game without tricks. The state of a game
    with tricks has the open field `taker`: who took the last one, NOBODY where nobody did. A dummy, a hand that nobody
    holds, has the number after the last seat's, and its cards lie in the zone "dummy"."""
    hand: Holding = field(default_factory=lambda: Holding("hand"))
    short: Mapping[str, object] | None = None
    """The options of a match of about a quarter of an hour, where the usual one can take more than half an hour."""
    shown: Holding | None = None
    """The part of each hand that everybody has seen, if the game keeps one."""
    known: Holding | None = None
    """Cards that everybody has seen go into each hand but that do not lie open: worlds heed them, scenes leave them to
    the players' memory. Their fields are not of `cards=`."""
    table_cards: Callable[[Any], list[Card]] | None = None
    """(s): the cards that lie open in fields which do not say so with `cards=`: melds written as numbers."""
    forgets: Callable[[Any], bool] | None = None
    """(opt): whether finished tricks cannot be looked through, so that faces tell only of the last; None: they can."""
    lacks: str | None = None
    """The field that has, per seat, the set of cards that this seat has shown it does not hold; None: no such field."""
    sure: Callable[[Any, Any], Sequence[Sure]] | None = None
    """(view state, opt): what everybody knows of some hidden cards; worlds agree with it."""
    complete: Callable[[Any, Any, int, Any], None] | None = None
    """(s, opt, me, rng): after the unseen cards of a world are dealt, fill in what else `me` cannot see."""
    readings: Callable[[Any, Any, int], Sequence[Reading]] | None = None
    """(view state, opt, me): a world that agrees with what was said fits at least one of these. For truths that few
    arrangements of the unseen cards would meet by chance; worlds are dealt from them."""
    consistent: Callable[[Any, Any, int], bool] | None = None
    """(world, opt, me): whether a world agrees with what was said."""

    def all_cards(self, s: Any) -> list[Card]:
        """The cards in every place that a state declares: each card of the pack once, while a deal is played."""
        found = [] if self.table_cards is None else self.table_cards(s)
        for name, spec in self.state.fields.items():
            if spec.cards is None:
                continue
            value = getattr(s, name)
            for number in [value] if spec.length is None else value:
                if spec.cards == "card":
                    found += [number] if number != NO_CARD else []
                else:
                    found += [JOKER] * number if spec.cards == "jokers" else cards.as_list(number)
        return found

    @property
    def aside(self) -> list[str]:
        """The fields with sets of cards that lie face down before their seat, which knows them, and not in its hand."""
        hands = (self.hand.first, self.hand.second, self.hand.jokers)
        return [
            name
            for name, spec in self.state.fields.items()
            if spec.seen is Seen.OWNER and spec.cards == "set" and name not in hands
        ]

    @property
    def prefix(self) -> str:
        """The letters before the numbers of its clauses."""
        return self.faults.over.partition("-")[0]


def legal(game: Game, s: Any, opt: Any, me: int, out: Buffer) -> int:
    """Put every legal move of a seat that is to act into the buffer; returns how many."""
    n = put_cards(out, 0, game.playable(s, opt, me))
    return game.others(s, opt, me, out, n)
