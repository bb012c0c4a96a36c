"""Translate what people type into the notation of the rulebook: `ACE of spades` becomes `As`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from upcard.languages.catalogs import DEFAULT
from upcard.languages.localizing import reader
from upcard.rules import cards
from upcard.terminal import wording

SIGNS = "♣♦♥♠♧♢♡♤"

_RANK_WORDS = dict(zip(cards.RANK_NAMES, cards.RANKS, strict=True)) | {rank: rank for rank in "98765432"} | {"10": "T"}
_SUIT_WORDS = {
    word: suit for suit, name in zip(cards.SUITS, cards.SUIT_NAMES, strict=True) for word in (name, name[:-1])
}
_CARD = re.compile(rf"\b({'|'.join(_RANK_WORDS)}) of ({'|'.join(_SUIT_WORDS)})\b")
_SUIT = re.compile(rf"\b({'|'.join(_SUIT_WORDS)})\b")


def tidy(typed: str) -> str:
    """A typed move in the notation of the rulebook, as far as it is recognized."""
    text = " ".join(typed.lower().split())
    for name, notation in _own_names(reader.get()).items():
        text = re.sub(rf"\b{re.escape(name)}\b", notation, text)
    text = _CARD.sub(lambda match: _RANK_WORDS[match[1]] + _SUIT_WORDS[match[2]], text)
    text = re.sub(r"\bjoker\b", "*", _SUIT.sub(lambda match: _SUIT_WORDS[match[1]], text))
    return re.sub(rf"(?<!\S)(10|[2-9tjqka])([cdhs{SIGNS}])(?!\S)", _card, text)


@cache
def _own_names(language: str) -> Mapping[str, str]:
    """The names of cards and suits in another language than English, which `reader` has, in small letters; each with
    its notation."""
    if language == DEFAULT:
        return {}
    named = {wording.in_full(rank + suit).lower(): rank + suit for rank in cards.RANKS for suit in cards.SUITS}
    signs = zip(cards.SUIT_SIGNS, cards.SUITS, strict=True)
    return named | {wording.in_full(sign).lower(): suit for sign, suit in signs}


def _card(match: re.Match[str]) -> str:
    rank, suit = match.groups()
    return rank.upper().replace("10", "T") + (suit if suit in cards.SUITS else cards.SUITS[SIGNS.index(suit) % 4])


def same_in_any_order(text: str, legal: Sequence[str]) -> str:
    """The legal move with the same words, if there is just one, or else the text: people name cards in any order."""
    same = [move for move in legal if sorted(move.split()) == sorted(text.split())]
    return same[0] if len(same) == 1 else text


def several_moves(typed: str) -> list[str]:
    """The moves on one line, separated by commas or semicolons; a verb may be given once: `lay 9s 9h 9d, 4c 5c 6c`."""
    texts: list[str] = []
    word = ""
    for part in re.split(r"[,;]", typed):
        text = tidy(part)
        if not text:
            continue
        first, _, rest = text.partition(" ")
        if texts and word and (first[:1].isupper() or first == "*" or re.fullmatch(r"[2-9][cdhs]", first)):
            text = f"{word} {text}"
        elif rest and first.isalpha() and first.islower():
            word = first
        texts.append(text)
    return texts
