"""Utterances: the words that players say aloud with their moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from upcard.rules import cards
from upcard.rules.notation import Notation, verb_of
from upcard.rules.phrases import number_word
from upcard.rules.sentences import PlayerAt, Sentence, capital, message_with

SpeechKind = Literal["bid", "pass", "call", "declare", "answer", "attack", "draw", "close", "points", "highlight"]
SPEECH_KINDS: dict[SpeechKind, str] = {
    "bid": "a bid, or that a seat plays for the pot",
    "pass": "no bid, nothing to declare, no wish to go on",
    "call": "names a suit, calls for a card or a revoke, makes an offer",
    "declare": "announces or shows what a hand holds or wins",
    "answer": "answers another seat",
    "attack": "demands a card of another seat",
    "draw": "takes or changes cards",
    "close": "ends something: the stock, a turn, a round",
    "points": 'points made at once, such as "+20"',
    "highlight": 'the name of what has just happened, if it is rare or decides something, such as "Bate!"',
}
"""The kinds of utterances, a closed set by which user interfaces choose a style and a sound."""

_USUAL_KIND: dict[str, SpeechKind] = {
    "bid": "bid",
    "pass": "pass",
    "declare": "declare",
    "take": "draw",
    "close": "close",
    "stop": "close",
}
_SPOKEN_ITEMS: dict[str, Callable[[int], object]] = {
    "card": cards.sign,
    "suit": cards.SUIT_NAMES.__getitem__,
    "rank": cards.RANK_NAMES.__getitem__,
    "number": number_word,
    "seat": PlayerAt,
}


_OPTION = re.compile(r"\{opt\.(\w+)\}")


class Utterance(NamedTuple):
    """Words that a seat says."""

    seat: int
    kind: SpeechKind
    text: str
    """As said at a table, with a `PlayerAt` for every name."""


Utterances = Iterator[Utterance]
"""The result of `Game.utterances`."""


class Speech(NamedTuple):
    """The words that go with the moves of one verb."""

    kind: SpeechKind
    text: str
    """With {0}, {1}, … and {cards} for the items of the move, in words ("three", "hearts"), {count} for the number of
    cards, and {opt.enough} for a number of the rules."""


def spoken_move(
    setup: Any, notation: Notation, speech: Mapping[int, Speech | None], seat: int, move: int
) -> Utterances:
    """The usual utterance of a move: as `speech` has it for the verb, else the label of a move that names no card."""
    kinds, items, verb = notation.kinds(move), notation.items(move), notation.spec(move)
    if verb_of(move) in speech:
        usual = speech[verb_of(move)]
    else:
        usual = None if "card" in kinds else Speech(_USUAL_KIND.get(verb.word, "call"), verb.label)
    if usual is not None:
        words = [_SPOKEN_ITEMS[kind](item) for kind, item in zip(kinds, items, strict=True)]
        places: dict[str, object] = {str(i): word for i, word in enumerate(words)}
        places |= {"cards": cards.signs_of(notation.cards(move)), "count": number_word(len(items)), "worth": ""}
        yield Utterance(seat, usual.kind, capital(with_settings(usual.text, setup, places)))


@lru_cache(1 << 13)
def usual_utterances(setup: Any, seat: int, move: int) -> Sequence[Utterance]:
    """The usual utterances of a move at a table; cached, as the same moves recur."""
    return tuple(spoken_move(setup, setup.notation, setup.speech, seat, move))


def spoken_count(speech: Mapping[int, Speech | None], seat: int, verb: int, count: int) -> Utterances:
    """The utterance of a move of which only the verb and the number of cards are disclosed."""
    usual = speech.get(verb)
    if usual is not None and "{count}" in usual.text:
        yield Utterance(seat, usual.kind, capital(message_with(usual.text, {"count": number_word(count)})))


def with_settings(message: str, setup: Any, places: Mapping[str, object], game: Any = None) -> Sentence:
    """A message of a move with these places, and {opt.enough} for a number of the rules; `game` as in
    `message_with`."""
    settings = {f"opt.{name}": getattr(setup, name) for name in _settings_in(message)}
    return message_with(message, {**places, **settings} if settings else places, game)


@lru_cache(1 << 12)
def _settings_in(message: str) -> Sequence[str]:
    """The numbers of the rules that a message names."""
    return _OPTION.findall(message)
