"""The common part of the slow referees: reading cards and events, and refusing."""

from collections import Counter
from copy import deepcopy
from typing import Any

import pytest

RANKS = "AKQJT98765432"
SUITS = "shdc"


class Refused(Exception):
    """An event or a header that the rules do not allow."""

    def __init__(self, clause: str, why: str = "") -> None:
        super().__init__(f"{clause}: {why}")
        self.clause = clause


def pack(ranks: str = RANKS) -> list[str]:
    """One card of each of these ranks in every suit."""
    return [rank + suit for suit in SUITS for rank in ranks]


def is_card(text: str) -> bool:
    return text == "*" or (len(text) == 2 and text[0] in RANKS and text[1] in SUITS)


def same_cards(first: list[str], second: list[str]) -> bool:
    return Counter(first) == Counter(second)


def read_card(text: str) -> str | None:
    """The short form of a card written in any of the ways that input may use, or None if it is no card."""
    if text == "*":
        return text
    suit = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}.get(text[-1:], text[-1:].lower())
    rank = "T" if text[:-1] == "10" else text[:-1].upper()
    if len(rank) == 1 and rank in RANKS and suit != "" and suit in SUITS:
        return rank + suit
    return None


def read_suit(text: str) -> str | None:
    """The letter of a suit written as in a card (`s`, `S`, `♠`), or None if it is no suit."""
    named = read_card(f"A{text}") if len(text) == 1 else None
    return named and named[1]


def read_rank(text: str) -> str | None:
    """The letter of a rank written as in a card (`T`, `t`, `10`), or None if it is no rank."""
    named = read_card(f"{text}s")
    return named and named[0]


def read_number(text: str) -> int | None:
    """A whole number in plain digits, without sign or leading zeros, or None. Very long ones count as a million."""
    if text == "" or any(letter not in "0123456789" for letter in text):
        return None
    if len(text) > 1 and text[0] == "0":
        return None
    return int(text) if len(text) < 7 else 1_000_000


def read_event(text: str) -> tuple[str, int, list[str]]:
    """("deal" | "reshuffle" | "draw", -1, words), ("move", seat, words) or ("none", -1, []); words as written."""
    words = text.split(" ")
    if words[0] in ("deal", "reshuffle", "draw"):
        return words[0], -1, [] if words[1:] == [""] else words[1:]
    seat = read_number(words[0])
    if seat is not None and words[1:] not in ([], [""]):
        return "move", seat, words[1:]
    return "none", -1, []


def refuse(referee: Any, text: str) -> str:
    """The clause under which a referee refuses an event; nothing may change."""
    before = deepcopy(referee.__dict__)
    with pytest.raises(Refused) as caught:
        referee.event(text)
    assert referee.__dict__ == before
    return caught.value.clause
