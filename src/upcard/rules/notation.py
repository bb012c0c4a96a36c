"""The notation of moves: each move is a number for the rules, and a text for people and records."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from upcard.rules import cards
from upcard.rules.cards import NO_CARD, Card, Cards, bit, highest, lowest
from upcard.rules.errors import UpcardError
from upcard.rules.marks import rule
from upcard.rules.phrases import brief
from upcard.rules.state import Buffer

MOST_ITEMS = 8
"""The maximum number of items of a move."""
MOST_KNOWN_MOVES = 2048
"""The most texts that a notation remembers having read."""
LARGEST_ITEM = 63
"""The largest number that a move can name."""
COUNT_AT = 48
"""The bit of a move at which one less than the number of its items begins; the items are below it, six bits each."""
VERB_AT = 51
"""The bit of a move at which its verb begins. No other module knows this layout."""


class Audience(Enum):
    """The part of a move that the other seats learn."""

    ALL = "the whole move"
    SEALED = "that it was made; the rest once all seats have chosen"
    WORD = "only its word"
    COUNT = "its word and the number of cards"


@dataclass(frozen=True)
class Verb:
    """One kind of move."""

    word: str
    """The word that it begins with; empty for playing a card."""
    items: tuple[str, ...]
    """The kinds of its items: "card", "suit", "rank", "number", "seat", or only "card+" for one or more cards."""
    heard: Audience
    """The part that the other seats learn."""
    label: str
    """The text of its button, with {cards}, {0}, {1}, … for its items, and {opt.enough} for a number of the rules."""
    said: str
    """The text for the log, after the player's name, with the same placeholders."""
    plays: bool
    """Whether it plays its first item, a card, to the trick."""
    unless: str | None = None
    """For SEALED: the name of an option; if it has any value but its first, everybody learns the move at once."""
    quiet: str = ""
    """The text for the log if the items are hidden, after the player's name: "has bid"."""
    amends: bool = False
    """Whether its card replaces the one that the seat played to the last finished trick."""
    dummy: bool = False
    """Whether the card that it plays comes from the dummy's hand."""
    zone: str = ""
    """The id of a zone of the scene that can be clicked to make the move."""
    asks: str = ""
    """The confirmation prompt before a move that can lose a deal. It appears whether or not this move would lose it, so
    that it reveals nothing."""
    ranks: tuple[str, ...] = ()
    """For each card among its items, the ranks that it can have; empty if it can be any card."""
    most: str | int = LARGEST_ITEM
    """The largest number that it can name, or the name of the option or number of the rules that has this value."""


class _Anything:
    """A substitute for the options of a table, for checking a text with placeholders."""

    def __getattr__(self, name: str) -> str:
        return name


@dataclass(frozen=True)
class Attempt:
    """A move as a player wrote it, legal or not."""

    text: str
    verb: int | None
    """The number of the verb, as `Notation.verb` returned it; None if the text does not begin with a verb."""
    items: tuple[int, ...] | None
    """The items; None if they are not of the verb's kinds."""
    move: int | None
    """The move as a number; None if there is none (an item is missing, or a number is too large)."""
    words: tuple[str, ...] = ()
    """The words after the verb."""

    @property
    def card(self) -> Card:
        """The first item, for a verb whose first item is a card; NO_CARD if there are no readable items."""
        return self.items[0] if self.items else NO_CARD


class Notation:
    """The verbs of a game. A move is one number: a verb and up to `MOST_ITEMS` items of six bits.

    Bits 0 to 47 are the items, 48 to 50 their number minus one, the rest the verb. Verb 0 plays a card, so that
    the move that plays a card *is* the card.
    """

    def __init__(self) -> None:
        self.verbs: list[Verb] = []
        self._words: list[list[str]] = []
        """The word of each verb, split at spaces."""
        self._attempts: dict[str, Attempt] = {}
        """The moves that were read before, as the same ones recur."""
        self.owner = ""
        """The name of the game that has these moves; once it is set, no more can be declared."""
        self.of_playable = 0
        """The verb of the moves with the cards that the rule `playable` returns."""
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
        playable: bool = False,
        unless: str | None = None,
        quiet: str = "",
        amends: bool = False,
        dummy: bool = False,
        zone: str = "",
        asks: str = "",
        ranks: str = "",
        most: str | int = 63,
    ) -> int:
        """Declare a kind of move; returns its number, for `say1(VERB, item)` and comparison with `verb_of(move)`.

        `items` are the kinds of its items, separated by spaces, at most eight. `ranks` are the ranks that its cards can
        have, a word for each card: "K Q" for a king and a queen, "KQ" for either. `Verb` documents the other arguments.
        `ranks` and `most` only shorten the list of all actions (`upcard.engine.actions`); the rules decide what is
        legal. With `playable`, the cards of the rule `playable` are moves of this verb, and no move just plays a card:
        for a game with discards instead of tricks. (A set is faster than a list.)

        Raises TypeError for an unknown kind, too many items, ranks that do not match the cards, a missing label or log
        text, a text with unknown placeholders, and `playable` for a verb that does not name one card.
        """
        if self.owner:
            raise TypeError(
                f"verb {word!r}: these are the moves of {self.owner}: declare it in a copy(), its `notation`"
            )
        kinds = tuple(items.split())
        words = tuple(ranks.split())
        quiet = quiet or "has made a move"
        verb = Verb(word, kinds, heard, label, said, plays, unless, quiet, amends, dummy, zone, asks, words, most)
        if words and (len(words) != kinds.count("card") or {*"".join(words)} - {*cards.RANKS}):
            raise TypeError(f"verb {word!r}: ranks={ranks!r} needs one word of {cards.RANKS} for each card it names")
        if kinds != ("card+",) and (wrong := [kind for kind in kinds if kind not in _ITEM_TEXT]):
            known = f"{', '.join(_ITEM_TEXT)}, or card+ alone"
            raise TypeError(f"verb {word!r}: {wrong[0]!r} is no kind of item here (there are: {known})")
        if len(kinds) > MOST_ITEMS:
            raise TypeError(f"verb {word!r} has {len(kinds)} items: a move has room for {MOST_ITEMS}")
        for text in (label, said, asks):
            try:
                text.format(*kinds, cards="", worth=0, opt=_Anything())
            except (AttributeError, IndexError, KeyError, ValueError):
                raise TypeError(f"verb {word!r}: {text!r} asks for more than its items ({items or 'none'})") from None
        if not label or not said:
            raise TypeError(f"verb {word!r} needs a label for its button and a text for the log")
        if playable and (kinds != ("card",) or words):
            raise TypeError(f"verb {word!r} names {items or 'nothing'}: with `playable` it names one card, of any rank")
        self.verbs.append(verb)
        self._words.append(word.split(" "))
        number = verb_with_index(len(self.verbs) - 1)
        self.of_playable = number if playable else self.of_playable
        return number

    def copy(self) -> Notation:
        """A copy, to which other verbs can be added."""
        twin = Notation()
        twin.verbs, twin._words, twin.of_playable = self.verbs[:], self._words[:], self.of_playable
        return twin

    def spec(self, move: int) -> Verb:
        return self.verbs[verb_index(move)]

    def items(self, move: int) -> list[int]:
        """The items of a move, in order."""
        kinds = self.verbs[verb_index(move)].items
        return [move >> 6 * i & 63 for i in range((move >> COUNT_AT & 7) + 1)] if kinds else []

    def kinds(self, move: int) -> list[str]:
        """The kind of each item: card, suit, rank, number or seat."""
        kinds = self.verbs[verb_index(move)].items
        return ["card"] * ((move >> COUNT_AT & 7) + 1) if kinds == ("card+",) else list(kinds)

    def cards(self, move: int) -> list[Card]:
        """The cards that a move names."""
        if move < 64:
            return [move]
        return [x for x, kind in zip(self.items(move), self.kinds(move), strict=True) if kind == "card"]

    def text(self, move: int) -> str:
        """The move in the notation of the rulebook."""
        if move < 64:
            return cards.text(move)
        words = [self.verbs[verb_index(move)].word]
        for kind, x in zip(self.kinds(move), self.items(move), strict=True):
            words.append(_ITEM_TEXT[kind](x))
        return " ".join(filter(None, words))

    def read(self, text: str) -> Attempt:
        """Read any text as a move. Raises UpcardError only if it is not a string."""
        if not isinstance(text, str):
            raise UpcardError(f"a move is a text, not {brief(text)}")
        known = self._attempts.get(text)
        if known is None:
            known = self._read(text)
            if self.owner and known.move is not None and len(self._attempts) < MOST_KNOWN_MOVES:
                self._attempts[text] = known
        return known

    def _read(self, text: str) -> Attempt:
        words = text.split(" ")
        if cards.read(words[0]) is not None:
            return self._attempt(text, 0, words)
        heard = Attempt(text, None, None, None)
        fits = [number for number, own in enumerate(self._words) if number and words[: len(own)] == own]
        longest = max((len(self._words[number]) for number in fits), default=0)  # "not good" before "not"
        for number in fits:
            if heard.items is None and len(self._words[number]) == longest:
                heard = self._attempt(text, number, words[longest:])
        return heard

    def _attempt(self, text: str, number: int, words: Sequence[str]) -> Attempt:
        kinds = self.verbs[number].items
        if kinds == ("card+",):
            kinds = ("card",) * max(1, len(words))
        verb = verb_with_index(number)
        if len(kinds) != len(words):
            return Attempt(text, verb, None, None, tuple(words))
        items = [_ITEM_READ[kind](word) for kind, word in zip(kinds, words, strict=True)]
        if any(item is None for item in items):
            return Attempt(text, verb, None, None, tuple(words))
        known = tuple(item for item in items if item is not None)
        fits = len(known) <= MOST_ITEMS and all(item < 64 for item in known)
        return Attempt(text, verb, known, say(verb, known) if fits else None, tuple(words))


def say(verb: int, items: Sequence[int]) -> int:
    """The move with this verb and these items, at most eight."""
    move = verb | (len(items) - 1) << COUNT_AT if items else verb
    for place, x in enumerate(items):
        move |= x << 6 * place
    return move


def _read_number(word: str) -> int | None:
    """A nonnegative integer, or None. Very long numbers are truncated, since they are too large in any case."""
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
    """The verb of a move, for comparison with the number that `Notation.verb` returned."""
    return move >> VERB_AT << VERB_AT


@rule
def verb_index(move: int) -> int:
    """The place of a move's verb among `Notation.verbs`, from 0."""
    return move >> VERB_AT


@rule
def verb_with_index(index: int) -> int:
    """The verb at this place among `Notation.verbs`, as `verb_of` returns it."""
    return index << VERB_AT


@rule
def form_of(move: int) -> int:
    """A move without its items: its verb, and how many items it has."""
    return move >> COUNT_AT << COUNT_AT


@rule
def item(move: int, i: int) -> int:
    """The i-th item of a move, from 0."""
    return move >> 6 * i & 63


@rule
def items_of(move: int) -> int:
    """The number of items of a move that has any."""
    return (move >> COUNT_AT & 7) + 1


@rule
def cards_of(move: int) -> Cards:
    """The set of the cards that a move names, at least one."""
    named = 0
    for i in range(items_of(move)):
        named |= bit(item(move, i))
    return named


@rule
def say1(verb: int, first: int) -> int:
    """The move with this verb and one item."""
    return verb | first


@rule
def say2(verb: int, first: int, second: int) -> int:
    """The move with this verb and two items."""
    return verb | 1 << COUNT_AT | second << 6 | first


@rule
def say3(verb: int, first: int, second: int, third: int) -> int:
    """The move with this verb and three items."""
    return verb | 2 << COUNT_AT | third << 12 | second << 6 | first


@rule
def and_item(move: int, another: int) -> int:
    """A move with one more item; it must already have one."""
    return move + (1 << COUNT_AT) | another << 6 * (move >> COUNT_AT & 7) + 6


@rule
def say_cards(verb: int, chosen: Cards) -> int:
    """The move with this verb and the cards of a set, which has one to eight, in pack order."""
    move = say1(verb, highest(chosen))
    chosen ^= bit(highest(chosen))
    while chosen:
        move = and_item(move, highest(chosen))
        chosen ^= bit(highest(chosen))
    return move


@rule
def add(out: Buffer, n: int, move: int, when: bool) -> int:
    """Write a move to the buffer if `when` is true; returns the new length."""
    if when:
        out[n] = move
        n += 1
    return n


@rule
def put_two(out: Buffer, n: int, first: int, second: int) -> int:
    """Write two moves to the buffer; returns the new length."""
    out[n] = first
    out[n + 1] = second
    return n + 2


@rule
def put_cards(out: Buffer, n: int, chosen: Cards) -> int:
    """Write the move of playing each card of a set to the buffer; returns the new length."""
    while chosen:
        out[n] = lowest(chosen)
        chosen &= chosen - 1
        n += 1
    return n


@rule
def put_each(out: Buffer, n: int, verb: int, chosen: Cards) -> int:
    """Write the move with this verb and each card of a set to the buffer; returns the new length."""
    while chosen:
        out[n] = say1(verb, lowest(chosen))
        chosen &= chosen - 1
        n += 1
    return n
