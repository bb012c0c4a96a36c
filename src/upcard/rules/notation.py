"""Moves: each is one number for the rules and one text for people and records, two spellings of the same thing."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from upcard.rules import cards
from upcard.rules.cards import NO_CARD, Card, Cards, bit, highest, lowest
from upcard.rules.errors import UpcardError
from upcard.rules.marks import rule
from upcard.rules.state import Buffer
from upcard.rules.words import brief


class Audience(Enum):
    """What the other seats are told of a move."""

    ALL = "the whole move"
    SEALED = "that it was made; the rest from the moment all have chosen"
    WORD = "its word only"
    COUNT = "its word and how many cards"


@dataclass(frozen=True)
class Verb:
    """One kind of move. `items` are words of "card suit rank number seat", "card+" for one or more cards."""

    word: str
    items: tuple[str, ...]
    heard: Audience
    label: str
    """For a button, with {cards} and {0}, {1}, …, and {opt.enough} for a number of the rules."""
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
    asks: str = ""
    """The question that a person is asked before this move is made, where it can cost a deal; it is worded without
    regard to whether it would."""
    ranks: tuple[str, ...] = ()
    """For each card among its items, the ranks that it can have; all cards if there are none."""
    most: Callable[[Any], int] | None = None
    """From the options of a table, the largest number that it can name."""


class _Anything:
    """Options that have every number, to try out a text that names one."""

    def __getattr__(self, name: str) -> str:
        return name


@dataclass(frozen=True)
class Attempt:
    """A move as somebody said it, legal or not."""

    text: str
    verb: int | None
    """The verb's number (as `Notation.verb` gave it); None when the text begins with no word of this game."""
    items: tuple[int, ...] | None
    """Its items; None when they are not what the verb asks for."""
    move: int | None
    """The move as one number; None when it cannot be one (an item missing, a number out of all bounds)."""
    words: tuple[str, ...] = ()
    """The words after the verb's."""

    @property
    def card(self) -> Card:
        """Its first item, where that is a card; NO_CARD where the items cannot be read."""
        return self.items[0] if self.items else NO_CARD


class Notation:
    """The verbs of a game. A move is one number: a verb and up to eight items of six bits.

    Bits 0 to 47 hold the items, 48 to 50 one less than their number, the rest the verb. Verb 0 plays a card, so that
    the move that plays a card *is* the card.
    """

    def __init__(self) -> None:
        self.verbs: list[Verb] = []
        self._words: list[list[str]] = []
        """Each verb's word, as a list of words."""
        self.play = self.verb("", "card", label="Play {cards}", said="plays {cards}", plays=True)

    def verb(
        self,
        word: str,
        items: str = "",
        *,
        label: str,
        said: str,
        heard: Audience = Audience.ALL,
        plays: bool = False,
        unless: str | None = None,
        quiet: str = "",
        amends: bool = False,
        dummy: bool = False,
        zone: str = "",
        asks: str = "",
        ranks: str = "",
        most: Callable[[Any], int] | None = None,
    ) -> int:
        """Declare a kind of move; returns its number, to be used in `say1(VERB, item)` and compared with `verb_of`.

        `ranks` are the ranks that the cards it names can have, a word for each card: "K Q" for a king and a queen, "KQ"
        for either. `most` is the largest number that it can name, from the options of a table. Both only keep the list
        of all actions short (`upcard.engine.actions`): what is legal is up to the rules.

        Raises TypeError for a kind of item that does not exist, for ranks of other cards than its items, and for a
        label or log text that cannot be filled in.
        """
        kinds = tuple(items.split())
        words = tuple(ranks.split())
        quiet = quiet or f"has made a {word}"
        verb = Verb(word, kinds, heard, label, said, plays, unless, quiet, amends, dummy, zone, asks, words, most)
        if words and (len(words) != kinds.count("card") or {*"".join(words)} - {*cards.RANKS}):
            raise TypeError(f"verb {word!r}: ranks={ranks!r} needs one word of {cards.RANKS} for each card it names")
        if wrong := [kind for kind in kinds if kind.removesuffix("+") not in _ITEM_TEXT]:
            raise TypeError(
                f"verb {word!r}: {wrong[0]!r} is no kind of item (there are: {', '.join(_ITEM_TEXT)}, card+)"
            )
        for text in (label, said, asks):
            try:
                text.format(*kinds, cards="", worth=0, opt=_Anything())
            except (AttributeError, IndexError, KeyError, ValueError):
                raise TypeError(f"verb {word!r}: {text!r} asks for more than its items ({items or 'none'})") from None
        if not label or not said:
            raise TypeError(f"verb {word!r} needs a label for its button and a text for the log")
        self.verbs.append(verb)
        self._words.append(word.split(" "))
        return (len(self.verbs) - 1) << 51

    def copy(self) -> Notation:
        """The same verbs, to which others can be added."""
        twin = Notation()
        twin.verbs, twin._words = self.verbs[:], self._words[:]
        return twin

    def spec(self, move: int) -> Verb:
        return self.verbs[move >> 51]

    def items(self, move: int) -> list[int]:
        """The items of a move, in order."""
        kinds = self.verbs[move >> 51].items
        return [move >> 6 * i & 63 for i in range((move >> 48 & 7) + 1)] if kinds else []

    def kinds(self, move: int) -> list[str]:
        """The kind of each item: card, suit, rank, number or seat."""
        kinds = self.verbs[move >> 51].items
        return ["card"] * ((move >> 48 & 7) + 1) if kinds == ("card+",) else list(kinds)

    def cards(self, move: int) -> list[Card]:
        """The cards that a move names."""
        if move < 64:
            return [move]
        return [x for x, kind in zip(self.items(move), self.kinds(move), strict=True) if kind == "card"]

    def text(self, move: int) -> str:
        """The move in the notation of the rulebook."""
        if move < 64:
            return cards.text(move)
        said = [self.verbs[move >> 51].word]
        for kind, x in zip(self.kinds(move), self.items(move), strict=True):
            said.append(_ITEM_TEXT[kind](x))
        return " ".join(filter(None, said))

    def read(self, text: str) -> Attempt:
        """What a text says, whichever it is. Raises UpcardError for what is no text."""
        if not isinstance(text, str):
            raise UpcardError(f"a move is a text, not {brief(text)}")
        words = text.split(" ")
        if cards.read(words[0]) is not None:
            return self._attempt(text, 0, words)
        heard = Attempt(text, None, None, None)
        fits = [number for number, said in enumerate(self._words) if number and words[: len(said)] == said]
        longest = max((len(self._words[number]) for number in fits), default=0)  # "not good" before "not"
        for number in fits:
            if heard.items is None and len(self._words[number]) == longest:
                heard = self._attempt(text, number, words[longest:])
        return heard

    def _attempt(self, text: str, number: int, words: Sequence[str]) -> Attempt:
        kinds = self.verbs[number].items
        if kinds == ("card+",):
            kinds = ("card",) * max(1, len(words))
        verb = number << 51
        if len(kinds) != len(words):
            return Attempt(text, verb, None, None, tuple(words))
        items = [_ITEM_READ[kind](word) for kind, word in zip(kinds, words, strict=True)]
        if any(item is None for item in items):
            return Attempt(text, verb, None, None, tuple(words))
        known = tuple(item for item in items if item is not None)
        fits = len(known) <= 8 and all(item < 64 for item in known)
        return Attempt(text, verb, known, say(verb, known) if fits else None, tuple(words))


def say(verb: int, items: Sequence[int]) -> int:
    """The move that says a verb about these items, at most eight."""
    move = verb | (len(items) - 1) << 48 if items else verb
    for place, x in enumerate(items):
        move |= x << 6 * place
    return move


def _read_number(word: str) -> int | None:
    """A whole number as it is written; of one with very many digits only the first count, for it is too large
    anyway."""
    return int(word[:18]) if re.fullmatch(r"0|[1-9][0-9]*", word) else None


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
def cards_of(move: int) -> Cards:
    """The set of the cards that a move names, at least one."""
    named = 0
    for i in range(items_of(move)):
        named |= bit(item(move, i))
    return named


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
def and_item(move: int, another: int) -> int:
    """A move that has items, and this one after them."""
    return move + (1 << 48) | another << 6 * (move >> 48 & 7) + 6


@rule
def say_cards(verb: int, chosen: Cards) -> int:
    """The move that says a verb about the cards of a set, which has one to eight, in pack order."""
    move = say1(verb, highest(chosen))
    chosen ^= bit(highest(chosen))
    while chosen:
        move = and_item(move, highest(chosen))
        chosen ^= bit(highest(chosen))
    return move


@rule
def add(out: Buffer, n: int, move: int, when: bool) -> int:
    """Put a move into the buffer if `when` holds; returns the new length."""
    if when:
        out[n] = move
        n += 1
    return n


@rule
def put_two(out: Buffer, n: int, first: int, second: int) -> int:
    """Put these two moves into the buffer; returns the new length."""
    out[n] = first
    out[n + 1] = second
    return n + 2


@rule
def put_cards(out: Buffer, n: int, chosen: Cards) -> int:
    """Put each card of a set into the buffer: as a move that is playing it. Returns the new length."""
    while chosen:
        out[n] = lowest(chosen)
        chosen &= chosen - 1
        n += 1
    return n


@rule
def put_each(out: Buffer, n: int, verb: int, chosen: Cards) -> int:
    """Put a verb about each card of a set into the buffer. Returns the new length."""
    while chosen:
        out[n] = say1(verb, lowest(chosen))
        chosen &= chosen - 1
        n += 1
    return n
