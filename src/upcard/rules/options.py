"""The options and numbers of a game: what can differ between two tables, or between a game and its variants.

*Options* are the settings that a table chooses; a match record names them. *Numbers* are constants of the rules (66
points, the value of a marriage, the pack, the size of a hand): tables cannot choose them, but variants can change them.
Rules read both from the same record, `opt`, so that a changed number does not require compiling the rules again.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, NoReturn, Self

from upcard.rules.cards import RANKS, as_list, as_set, pack, ranking, read, text, values
from upcard.rules.words import Words, brief, items_of, listed, whole_number

TOO_LARGE = 1 << 40
"""Options and numbers are below this, so that the scores of many deals fit into 64 bits. What is derived may be sets of
cards, and larger."""


class BadOption(ValueError):
    """An unknown option, or an invalid value of one. `clause` is the clause to cite."""

    def __init__(self, message: str, clause: str) -> None:
        super().__init__(message)
        self.clause = clause


# ---------------------------------------------------------------------------------------------------------- options


@dataclass(frozen=True)
class Option:
    """The declaration of an option: a whole number in a range, one of several values, or a text of digits."""

    kind: str
    """"whole", "choice", "flag" or "digits"."""
    clause: str
    """The first clause that it changes."""
    help: str
    values: tuple[str | int | bool, ...] = ()
    """For a choice: the values, the default first. Rules see the index of the value, or an integer value itself."""
    default: int | Callable[[int], int] = 0
    low: int | Callable[[int], int] = 0
    high: int | Callable[[int], int] = 0

    def default_for(self, players: int) -> str | int | bool:
        """The default value at a table with this number of players."""
        if self.kind == "whole":
            return _for(self.default, players)
        return str(self.default) if self.kind == "digits" else self.values[0]

    def bounds(self, players: int) -> tuple[int, int]:
        """The lowest and highest value of a whole number, or the least and greatest length of a text of digits."""
        return _for(self.low, players), _for(self.high, players)

    def largest(self, players: int) -> int:
        """The largest number, whatever its sign, that rules can see."""
        low, high = self.bounds(players)
        if self.kind == "digits":
            return int(10**high - 1)
        return max(abs(number) for number in (low, high, *self.values) if isinstance(number, int))

    def number(self, value: object, players: int) -> int | None:
        """The number that rules see for this value; None if the option cannot have it."""
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
        """The value in a text that a user typed. It is not checked here: see `number`."""
        if self.kind == "digits":
            return word
        for known in self.values:
            if str(known).lower() == word.lower():
                return known
        return int(word) if re.fullmatch(r"-?\d{1,9}", word) else word

    def describe(self, players: int) -> str:
        """The possible values, in words."""
        low, high = self.bounds(players)
        if self.kind == "whole":
            return f"a whole number from {low} to {high}"
        if self.kind == "digits":
            return f"{low} to {high} digits from 1 to 9"
        return listed([str(v).lower() if type(v) is bool else str(v) for v in self.values], "or")


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
    """An option that is a whole number from `low` to `high`. Each of the three can be a function of the number of
    players."""
    return Option("whole", clause, help, (), default, low, high)


def choice(*values: str | int | Words, clause: str, help: str) -> Any:
    """An option with one of several values, the default first. Rules see its index (0, 1, …), or an integer value
    itself.

    A single argument made by `words` lists the values and gives names to their indices. Raises TypeError for repeated
    values, and for texts mixed with numbers.
    """
    told = values[0].names if len(values) == 1 and isinstance(values[0], Words) else values
    if len({*map(str, told)}) < max(len(told), 1) or len({type(one) is str for one in told}) > 1:
        raise TypeError(f"a choice is between different words, or between whole numbers, not {told!r:.60}")
    return Option("choice", clause, help, told)  # type: ignore[arg-type]


def flag(default: bool, *, clause: str, help: str) -> Any:
    """An option that is true or false. Rules see 1 or 0."""
    return Option("flag", clause, help, (default, not default))


def digits(default: str, most: int, *, clause: str, help: str) -> Any:
    """An option that is a text of 1 to `most` digits from 1 to 9. Rules see it as a decimal number."""
    return Option("digits", clause, help, (), int(default), 1, most)


# ---------------------------------------------------------------------------------------------------------- numbers

Value = int | tuple[int, ...]


@dataclass(frozen=True)
class Number:
    """The declaration of a constant of the rules: a number, a set of cards, or a row of numbers."""

    value: Any
    """The value, or a function (`lambda opt: …`) that computes it from the options and the numbers declared above
    it."""
    clause: str
    help: str
    read: Callable[[Any], Value]
    """Converts what a variant gives into the value that rules see. Raises ValueError for an invalid value."""
    length: int | None = None
    """The length of a row; None for a single number."""
    derived: bool = False
    """Whether it is computed from other numbers, so that variants cannot change it directly."""

    def value_for(self, opt: Options) -> Value:
        """The value that rules see at a table."""
        return self.read(self.value(opt) if callable(self.value) else self.value)

    def text_for(self, opt: Options) -> str:
        """The value at a table, as text for people."""
        value = self.value_for(opt)
        if isinstance(value, int):
            return _cards_text(value) if self.read in (_cards, _pack) else str(value)
        if self.read is not _by_rank:
            return " ".join(map(str, value))
        return " ".join(f"{rank}={value[RANKS.index(rank)]}" for rank in reversed(RANKS) if value[RANKS.index(rank)])


def _cards_text(cards: int) -> str:
    """A set of cards as text; only the ranks if they are the same in all four suits."""
    ranks = "".join(rank for rank in reversed(RANKS) if cards & as_set(pack(rank)))
    return ranks if cards == as_set(pack(ranks)) else " ".join(map(text, as_list(cards)))


def number(value: int | Callable[[Any], int], *, clause: str, help: str = "", least: int = 0) -> Any:
    """A number that is a whole number from `least` up."""
    return Number(value, clause, help, partial(_whole, least=least))


def card_set(value: object, *, clause: str, help: str = "") -> Any:
    """A number that is a set of cards, such as the pack. `value` is a list of cards, a text with cards ("As Ks"), or a
    text with the ranks that occur in all four suits ("AKQJT9")."""
    return Number(value, clause, help, _pack)


def table_of(value: Iterable[int] | Callable[[Any], Iterable[int]], *, clause: str, help: str = "") -> Any:
    """A number that is a row of whole numbers; one that is worked out has one for each of the thirteen ranks. Variants
    must keep its length."""
    row = value if callable(value) else tuple(value)
    length = len(row) if isinstance(row, tuple) else len(RANKS)
    return Number(row, clause, help, lambda told: _row(told, length), length)


def card_values(*, clause: str, help: str = "", **by_rank: int) -> Any:
    """A number that is a row of card values by rank, 0 by default: `card_values(A=11, T=10, clause="SS-4")`."""
    return Number(values(**by_rank), clause, help, _by_rank, 13)


def rank_order(high_to_low: str, *, clause: str, help: str = "") -> Any:
    """A number that is a row of strengths by rank, 0 for missing ranks: `rank_order("A T K Q J 9", clause="SS-3")`."""
    return Number(ranking(high_to_low), clause, help, _by_rank, 13)


def derived(value: Callable[[Any], Any], *, length: int | None = None) -> Any:
    """A number that is computed from the options and numbers above it, once per table: `derived(lambda opt: …)`."""
    read: Callable[[Any], Value] = _cards if length is None else partial(_row, length=length, limit=1 << 63)
    return Number(value, "", "", read, length, derived=True)


def _whole(told: Any, least: int | None = None, limit: int = TOO_LARGE) -> int:
    number = whole_number(told)
    if number is None:
        raise ValueError(f"a whole number, not {brief(told)}")
    if abs(number) >= limit:
        bits = limit.bit_length() - 1
        raise ValueError(f"a whole number between -2**{bits} and 2**{bits}, not {brief(told)}")
    if least is not None and number < least:
        raise ValueError(f"a whole number from {least} up, not {number}")
    return number


def _cards(told: Any) -> int:
    if (number := whole_number(told)) is not None and abs(number) < 1 << 63:
        return number
    if isinstance(told, str):
        named = [read(word) for word in told.split()]
        if None not in named:
            return as_set(card for card in named if card is not None)
        if told.replace(" ", "").strip(RANKS) == "":
            return as_set(pack(told))
    elif (row := items_of(told)) is not None:
        numbers = [card for card in map(whole_number, row) if card is not None and 0 <= card <= 52]
        if len(numbers) == len(row):
            return as_set(numbers)
    raise ValueError(f"cards, as texts, or ranks in all suits, not {brief(told)}")


def _pack(told: Any) -> int:
    cards = _cards(told)
    if 0 <= cards < 1 << 53:
        return cards
    raise ValueError(f"a set of cards, a number with a bit for each, not {brief(told)}")


def _row(told: Any, length: int, limit: int = TOO_LARGE) -> tuple[int, ...]:
    row = [*_said(told)] if isinstance(told, str) else items_of(told)
    if row is None or len(row) != length:
        raise ValueError(f"a row of {length} whole numbers, not {brief(told)}")
    return tuple([_whole(number, limit=limit) for number in row])


def _said(row: str) -> list[int | str]:
    """The numbers of a row in a text, as `upcard options` has them: "0 3 2 1". What is no number stays a text."""
    return [int(word) if re.fullmatch(r"-?\d{1,18}", word) else word for word in row.split()]


def _by_rank(told: Any) -> tuple[int, ...]:
    if isinstance(told, str) and "=" in told:
        told = {rank: _worth(said) for rank, _, said in (word.partition("=") for word in told.split())}
    if isinstance(told, str):
        return ranking(told)
    if isinstance(told, Mapping):
        return _row(values(**{str(rank): worth for rank, worth in told.items()}), 13)
    return _row(told, 13)


def _worth(said: str) -> int:
    if re.fullmatch(r"-?\d{1,18}", said):
        return int(said)
    raise ValueError(f"worths by rank, as in 'A=11 T=10', not {brief(said)}")


# --------------------------------------------------------------------------------------- the options of one game


_TAKEN = {"chosen", "history", "numbers", "opens", "options", "players", "refused", "with_numbers", "with_options"}
"""Names that no option or number can have, because `Options` has an attribute of that name, or OpenSpiel's games a
parameter."""


def _check_names(names: Iterable[str]) -> None:
    """Raises ValueError for a name that no option or number can have."""
    if taken := _TAKEN & {*names}:
        raise ValueError(f"the name {min(taken)} is reserved in all options: choose another")


class Options:
    """The options and numbers of a table. Immutable and hashable.

    A game declares a subclass with annotated fields: `name: int = whole(…)`, `choice(…)`, `number(…)`. An instance has
    an attribute for each of them, with the number or row that rules see; `chosen` has the options that were set.
    """

    options: ClassVar[dict[str, Option]] = {}
    numbers: ClassVar[dict[str, Number]] = {}
    refused: ClassVar[str] = ""
    players: int
    chosen: dict[str, str | int | bool]

    def __init_subclass__(cls, refused: str = "") -> None:
        """`refused` is the clause to cite for every invalid value, by default the clause of the option."""
        super().__init_subclass__()
        declared = {name: cls.__dict__.get(name) for name in inspect.get_annotations(cls)}
        for name, value in declared.items():
            if not isinstance(value, Option | Number):
                raise TypeError(f"{cls.__qualname__}.{name}: declare it, as in `{name}: int = number(1, clause=…)`")
        _check_names(declared)
        cls.options = cls.options | {name: value for name, value in declared.items() if isinstance(value, Option)}
        cls.numbers = cls.numbers | {name: value for name, value in declared.items() if isinstance(value, Number)}
        if both := cls.options.keys() & cls.numbers.keys():
            raise TypeError(f"{cls.__qualname__}.{min(both)} is declared twice")
        cls.refused = refused or cls.refused

    def __init__(self, values: Mapping[str, object], players: int, clause: str) -> None:
        """Raises BadOption for an invalid value, and for an unknown option, citing `clause`."""
        if not isinstance(values, Mapping):
            raise BadOption(f"options are a dictionary of names and values, not {brief(values)}", clause)
        for name in values:
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise BadOption(f"there is no option {brief(name)} (there are: {known})", clause)
        own = vars(self)
        own["players"], own["chosen"] = players, {}
        for name, option in self.options.items():
            value = values.get(name, option.default_for(players))
            if (plain := whole_number(value)) is not None:
                value = plain  # as JSON has it: it goes into records
            number = option.number(value, players)
            if number is None:
                raise BadOption(
                    f"option {name} is {option.describe(players)}, not {brief(value)}", self.refused or option.clause
                )
            own[name] = number
            if name in values:
                self.chosen[name] = value  # type: ignore[assignment]
        for name, declared in self.numbers.items():
            own[name] = declared.value_for(self)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(
            f"options cannot be changed, `{name}` neither: make another Setup, or a variant of the game"
        )

    def opens(self, unless: str | None) -> bool:
        """Whether a field or verb that is sealed `unless` this option has another value than its first is open."""
        return unless is not None and getattr(self, unless) != 0

    @classmethod
    def with_options(cls, further: Mapping[str, Option | Number]) -> type[Self]:
        """A subclass with additional or replaced options. A number in place of an option fixes its value.

        Raises ValueError for anything but options and numbers, and for a reserved name.
        """
        options, numbers = dict(cls.options), dict(cls.numbers)
        _check_names(further)
        for name, one in further.items():
            if isinstance(one, Number) and name in cls.options:
                del options[name]
                numbers = {name: one} | numbers
            elif isinstance(one, Option):
                options[name] = one
            else:
                raise ValueError(f"the option {name} must be declared, as in options={{{name!r}: flag(False, …)}}")
        return type(cls.__name__, (cls,), {"options": options, "numbers": numbers, "__module__": cls.__module__})

    @classmethod
    def with_numbers(cls, changed: Mapping[str, object]) -> type[Self]:
        """A subclass with changed numbers. Raises ValueError for an unknown or derived number and an invalid value."""
        numbers = dict(cls.numbers)
        for name, value in changed.items():
            known = numbers.get(name)
            if known is None or known.derived:
                names = ", ".join(key for key, one in cls.numbers.items() if not one.derived) or "none"
                why = "follows from other numbers" if known else "is no number of this game"
                raise ValueError(f"{name!r} {why} (there are: {names})")
            try:
                numbers[name] = replace(known, value=value if callable(value) else known.read(value))
            except ValueError as error:
                raise ValueError(f"the number {name} is {error}") from None
        return type(cls.__name__, (cls,), {"numbers": numbers, "__module__": cls.__module__})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Options) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash((self.players, frozenset(self.chosen.items())))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.chosen.items())})"
