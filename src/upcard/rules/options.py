"""The options and numbers of a game: the possible differences between two tables, or between a game and its variants.

*Options* are the settings that a table chooses; a match record names them. *Numbers* are constants of the rules (66
points, the value of a marriage, the pack, the size of a hand): tables cannot choose them, but variants can change them.
Rules read both as attributes of `self`, so that a changed number does not require compiling the rules again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar, cast

from upcard.rules.cards import JOKER, RANKS, as_list, as_set, pack, ranking, read, read_rank, text, values
from upcard.rules.enums import Words
from upcard.rules.errors import UpcardError
from upcard.rules.phrases import as_items, brief, whole_number
from upcard.rules.sentences import Sentence, Translation, as_sentence, capital, in_context, listed, sentence

T = TypeVar("T")
TOO_LARGE = 1 << 40
"""The limit for options and numbers, exclusive, so that the scores of many deals fit into 64 bits. Derived numbers can
be sets of cards, and larger."""


class BadOption(UpcardError):
    """An unknown option, or an invalid value of one. `clause` is the clause to cite."""

    def __init__(self, message: str, clause: str, game: Any = None) -> None:
        super().__init__(message)
        self.reason = as_sentence(message, game)
        """The message, for a reader of any language."""
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
    name: str = ""
    """Its name in records and commands, if it differs from the attribute's."""
    attribute: str = ""
    """The attribute that it is declared as."""

    def default_for(self, players: int) -> str | int | bool:
        """The default value at a table with this number of players."""
        if self.kind == "whole":
            return _for(self.default, players)
        return str(self.default) if self.kind == "digits" else self.values[0]

    def bounds(self, players: int) -> tuple[int, int]:
        """The lowest and highest value of a whole number, or the least and greatest length of a text of digits."""
        return _for(self.low, players), _for(self.high, players)

    def largest(self, players: int) -> int:
        """The largest absolute value that rules can see."""
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

    def refusal(self, name: str, value: object, players: int) -> Sentence:
        """The sentence that refuses a value: it names the possible ones."""
        low, high = self.bounds(players)
        places = {"name": setting_name(name), "low": low, "high": high, "value": brief(value)}
        if self.kind == "whole":
            return sentence("option {name} is a whole number from {low} to {high}, not {value}", **places)
        if self.kind == "digits":
            return sentence("option {name} is {low} to {high} digits from 1 to 9, not {value}", **places)
        words = [_value_name(name, one) for one in self.values]
        return sentence("option {name} is {values}, not {value}", values=listed(words, "or"), **places)

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


def option_title(name: str) -> Sentence:
    """The name of an option in words."""
    return in_context("option", capital(name.replace("_", " ")))


def option_value(name: str, value: str) -> Sentence:
    """A value of an option in words."""
    return in_context(name, value.replace("_", " "))


class Typed(Sentence):
    """A word of an option or number as it is typed, such as `most_looed`. Readers of a language for which forms have a
    title of it get the title."""

    __slots__ = ()

    def words(self, language: Translation, game: Any = None) -> str:
        title = self.places["title"]
        translated = title.words(language, self.game or game)
        return str(self) if translated == title else translated


def _typed(word: str, title: str) -> Sentence:
    return Typed(word, word, "", {"title": title})


def setting_name(name: str) -> Sentence:
    """The name of an option or number, for a sentence about it."""
    return _typed(name, option_title(name))


def _value_name(name: str, value: str | int | bool) -> Sentence:
    """A value of an option, for a sentence about it."""
    if type(value) is str:
        return _typed(value, option_value(name, value))
    return Sentence(str(value).lower())


def whole(
    default: int | Callable[[int], int],
    low: int | Callable[[int], int],
    high: int | Callable[[int], int],
    *,
    clause: str,
    help: str,
    name: str = "",
) -> Any:
    """An option that is a whole number from `low` to `high`. Each of the three can be a function of the number of
    players."""
    return Option("whole", clause, help, (), default, low, high, name)


def choice(*values: str | int | Words, clause: str, help: str, name: str = "") -> Any:
    """An option with one of several values, the default first. Rules see its index (0, 1, …), or an integer value
    itself.

    A single argument made by `words` lists the values and gives names to their indices. Raises TypeError for repeated
    values, and for texts mixed with numbers.
    """
    allowed = values[0].names if len(values) == 1 and isinstance(values[0], Words) else values
    if len({*map(str, allowed)}) < max(len(allowed), 1) or len({type(one) is str for one in allowed}) > 1:
        raise TypeError(f"a choice is between different words, or between whole numbers, not {allowed!r:.60}")
    return Option("choice", clause, help, allowed, name=name)  # type: ignore[arg-type]


def flag(default: bool, *, clause: str, help: str, name: str = "") -> Any:
    """An option that is true or false. Rules see 1 or 0."""
    return Option("flag", clause, help, (default, not default), name=name)


def digits(default: str, most: int, *, clause: str, help: str, name: str = "") -> Any:
    """An option that is a text of 1 to `most` digits from 1 to 9. Rules see it as a decimal number."""
    return Option("digits", clause, help, (), int(default), 1, most, name)


# ---------------------------------------------------------------------------------------------------------- numbers

Value = int | tuple[int, ...]


@dataclass(frozen=True)
class Number:
    """The declaration of a constant of the rules: a number, a set of cards, or a row of numbers."""

    value: Any
    """The value, or a function (`lambda self: …`) that computes it from the options, the numbers with values, and those
    computed numbers that are declared above it."""
    clause: str
    help: str
    read: Callable[[Any], Value]
    """Converts a value from a variant into the value that rules see. Raises ValueError for an invalid value."""
    length: int | None = None
    """The length of a row; None for a single number."""
    derived: bool = False
    """Whether it is computed from other numbers, so that variants cannot change it directly."""
    name: str = ""
    """Its name in records and commands, if it differs from the attribute's."""
    attribute: str = ""
    """The attribute that it is declared as."""
    also: str = ""
    """Further clauses that name it, separated by spaces."""
    phrases: tuple[str, ...] = ()
    """The words with which these clauses name it, with placeholders: "{size:word} tricks"."""

    @property
    def is_pack(self) -> bool:
        """Whether it is a set of cards that a game declares."""
        return self.read is _pack

    @property
    def is_whole(self) -> bool:
        """Whether it is a single whole number, and neither a card, a rank, a set of cards nor a row."""
        return isinstance(self.read, partial) and self.read.func in (_whole, _number_of)

    def has_joker(self) -> bool:
        """Whether the value is a set of cards with a joker in it."""
        return self.is_pack and isinstance(self.value, int) and self.value >> JOKER & 1 == 1

    def value_for(self, opt: Any) -> Value:
        """The value that rules see at a table."""
        return self.read(self.value(opt) if callable(self.value) else self.value)

    def text_for(self, opt: Any) -> str:
        """The value at a table, as text for people."""
        value = self.value_for(opt)
        if self.read is _card:
            return text(cast("int", value))
        if self.read is _rank:
            return RANKS[cast("int", value)]
        if isinstance(value, int):
            return _cards_text(value) if self.read in (_cards, _pack) else str(value)
        if self.read is not _by_rank:
            return " ".join(map(str, value))
        return " ".join(f"{rank}={value[RANKS.index(rank)]}" for rank in reversed(RANKS) if value[RANKS.index(rank)])


def _cards_text(cards: int) -> str:
    """A set of cards as text; only the ranks if they are the same in all four suits."""
    ranks = "".join(rank for rank in reversed(RANKS) if cards & as_set(pack(rank)))
    return ranks if cards == as_set(pack(ranks)) else " ".join(map(text, as_list(cards)))


def number(
    value: int | Callable[[Any], int],
    *,
    clause: str = "",
    help: str = "",
    least: int = 0,
    name: str = "",
    also: str = "",
    phrases: tuple[str, ...] = (),
) -> Any:
    """A number that is a whole number from `least` up.

    `also` has further clauses that name it: "LO-14 LO-36". `phrases` are the words with which its clauses do that, with
    placeholders (see `upcard.rules.placeholders`): "{size:word} tricks". The page of a variant with another number has
    them filled in.
    """
    return Number(value, clause, help, partial(_whole, least=least), name=name, also=also, phrases=phrases)


def one_card(value: object, *, clause: str = "", help: str = "", also: str = "", phrases: tuple[str, ...] = ()) -> Any:
    """A number that is a card, in the rules from 0 to 51: `one_card("Jc")`. Variants can give it as a text too."""
    return Number(_card(value), clause, help, _card, also=also, phrases=phrases)


def one_rank(value: object, *, clause: str = "", help: str = "", also: str = "", phrases: tuple[str, ...] = ()) -> Any:
    """A number that is a rank, in the rules from 0 (two) to 12 (ace): `one_rank(NINE)`. Variants can give it as a text
    too: "9" is the nine."""
    return Number(_rank(value), clause, help, _rank, also=also, phrases=phrases)


def card_set(value: object, *, clause: str = "", help: str = "", also: str = "", phrases: tuple[str, ...] = ()) -> Any:
    """A number that is a set of cards, such as the pack. `value` is a list of cards, a text with cards ("As Ks"), or a
    text with the ranks that occur in all four suits ("AKQJT9")."""
    return Number(value, clause, help, _pack, also=also, phrases=phrases)


def table_of(
    value: Iterable[int] | Callable[[Any], Iterable[int]],
    *,
    clause: str = "",
    help: str = "",
    also: str = "",
    phrases: tuple[str, ...] = (),
) -> Any:
    """A number that is a row of whole numbers; a computed row has one for each of the thirteen ranks. Variants cannot
    change its length."""
    row = value if callable(value) else tuple(value)
    length = len(row) if isinstance(row, tuple) else len(RANKS)
    return Number(row, clause, help, lambda value: _row(value, length), length, also=also, phrases=phrases)


def card_values(*, clause: str = "", help: str = "", also: str = "", **by_rank: int) -> Any:
    """A number that is a row of card values by rank, 0 by default: `card_values(A=11, T=10, clause="SS-4")`."""
    return Number(values(**by_rank), clause, help, _by_rank, 13, also=also)


def rank_order(
    high_to_low: str, *, clause: str = "", help: str = "", also: str = "", phrases: tuple[str, ...] = ()
) -> Any:
    """A number that is a row of strengths by rank, 0 for missing ranks: `rank_order("A T K Q J 9", clause="SS-3")`."""
    return Number(ranking(high_to_low), clause, help, _by_rank, 13, also=also, phrases=phrases)


def derived(value: Callable[[Any], Any], *, length: int | None = None) -> Any:
    """A number that is computed from the options and numbers above it, once per table: `derived(lambda self: …)`."""
    read: Callable[[Any], Value] = _cards if length is None else partial(_row, length=length, limit=1 << 63)
    return Number(value, "", "", read, length, derived=True)


def settled(option: Option, value: object) -> Number:
    """The number that replaces an option settled at this value: one of the option's values, or the number that rules
    see for it. Raises ValueError for any other value."""
    read = partial(_number_of, option)
    return Number(read(value), option.clause, option.help, read, attribute=option.attribute)


def _number_of(option: Option, value: object) -> int:
    known = {option.number(word, 2) for word in option.values}
    if option.kind == "digits":
        number = option.number(str(value), 2)
    elif isinstance(value, str) and option.kind != "whole":
        number = option.number(value, 2)
    else:
        number = int(value) if type(value) is bool else whole_number(value)
    if option.kind == "whole" and number is not None and number < (least := min(1, option.bounds(2)[0])):
        raise ValueError(f"settled at a whole number from {least} up, not at {brief(value)}")
    if option.kind == "whole" and number is not None and number >= TOO_LARGE:
        raise ValueError(f"settled at a whole number below 2**40, not at {brief(value)}")
    if number is None or (known and number not in known):
        raise ValueError(f"settled at {option.describe(2)}, not at {brief(value)}")
    return number


def _whole(value: Any, least: int | None = None, limit: int = TOO_LARGE) -> int:
    number = whole_number(value)
    if number is None:
        raise ValueError(f"a whole number, not {brief(value)}")
    if abs(number) >= limit:
        bits = limit.bit_length() - 1
        raise ValueError(f"a whole number between -2**{bits} and 2**{bits}, not {brief(value)}")
    if least is not None and number < least:
        raise ValueError(f"a whole number from {least} up, not {number}")
    return number


def _card(value: Any) -> int:
    number = read(value.strip()) if isinstance(value, str) else whole_number(value)
    if number is None or not 0 <= number < JOKER:
        raise ValueError(f"a card, such as Jc, not {brief(value)}")
    return number


def _rank(value: Any) -> int:
    number = read_rank(value.strip().upper()) if isinstance(value, str) else whole_number(value)
    if number is None or not 0 <= number < len(RANKS):
        raise ValueError(f"a rank, such as 9 or J, not {brief(value)}")
    return number


def _cards(value: Any) -> int:
    if (number := whole_number(value)) is not None and abs(number) < 1 << 63:
        return number
    if isinstance(value, str):
        named = [read(word) for word in value.split()]
        if None not in named:
            return as_set(card for card in _each_once(named, value) if card is not None)
        ranks = value.replace(" ", "")
        if ranks.strip(RANKS) == "":
            return as_set(pack("".join(_each_once([*ranks], value))))
    elif (row := as_items(value)) is not None:
        numbers = [card for card in map(whole_number, row) if card is not None and 0 <= card <= 52]
        if len(numbers) == len(row):
            return as_set(numbers)
    raise ValueError(f"cards, as texts, or ranks in all suits, not {brief(value)}")


def _pack(value: Any) -> int:
    row = None if isinstance(value, str) else as_items(value)
    cards = _cards(value if row is None else _each_once(row, row))
    if 0 <= cards < 1 << 53:
        return cards
    raise ValueError(f"cards, as texts, or ranks in all suits, not {brief(value)}")


def _each_once(items: list[T], value: object) -> list[T]:
    """The items, each of which is there once. Raises ValueError for one that is there twice, since a set of cards would
    silently have it once."""
    if any(item in items[:place] for place, item in enumerate(items)):
        raise ValueError(f"cards, each once, not {brief(value)}")
    return items


def _row(value: Any, length: int, limit: int = TOO_LARGE) -> tuple[int, ...]:
    row = [*_said(value)] if isinstance(value, str) else as_items(value)
    if row is None or len(row) != length:
        raise ValueError(f"a row of {length} whole numbers, not {brief(value)}")
    return tuple([_whole(number, limit=limit) for number in row])


def _said(row: str) -> list[int | str]:
    """The numbers of a row in a text as `upcard options` prints it: "0 3 2 1". Other words remain texts."""
    return [int(word) if re.fullmatch(r"-?\d{1,18}", word) else word for word in row.split()]


def _by_rank(value: Any) -> tuple[int, ...]:
    if isinstance(value, str) and "=" in value:
        pairs = [word.partition("=") for word in value.split()]
        if len({rank for rank, _, _ in pairs}) < len(pairs):
            raise ValueError(f"worths by rank, each once, not {brief(value)}")
        value = {rank: _worth(worth_text, value) for rank, _, worth_text in pairs}
    if isinstance(value, str):
        return ranking(value)
    if isinstance(value, Mapping):
        return _row(values(**{str(rank): worth for rank, worth in value.items()}), 13)
    return _row(value, 13)


def _worth(text: str, row: str) -> int:
    if re.fullmatch(r"-?\d{1,18}", text):
        return int(text)
    raise ValueError(f"worths by rank, as in 'A=11 T=10', not {brief(row)}")
