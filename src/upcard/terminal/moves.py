"""Which moves a card, a selection or a typed text means. Knows no game: it compares cards with the moves offered."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Move = dict[str, Any]
"""A move of a scene: docs/protocol.md."""

MOST_SHOWN = 24
"""The action bar shows no more moves with several cards at once."""

RANK_NAMES = {
    "A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten", "9": "nine", "8": "eight", "7": "seven",
    "6": "six", "5": "five", "4": "four", "3": "three", "2": "two",
}  # fmt: skip
SUIT_NAMES = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}

# -------------------------------------------------------------------------------------------------------------- typed

_RANK_WORDS = {name: rank for rank, name in RANK_NAMES.items()} | {rank: rank for rank in "98765432"} | {"10": "T"}
_SUIT_WORDS = {word: suit for suit, name in SUIT_NAMES.items() for word in (name, name[:-1])}
_CARD = re.compile(rf"\b({'|'.join(_RANK_WORDS)}) of ({'|'.join(_SUIT_WORDS)})\b")
_SUIT = re.compile(rf"\b({'|'.join(_SUIT_WORDS)})\b")


def tidy(typed: str) -> str:
    """What a person typed, in the notation of the rulebook as far as it can be told: `ACE of spades` is `As`."""
    text = " ".join(typed.lower().split())
    text = _CARD.sub(lambda found: _RANK_WORDS[found[1]] + _SUIT_WORDS[found[2]], text)
    text = re.sub(r"\bjoker\b", "*", _SUIT.sub(lambda found: _SUIT_WORDS[found[1]], text))
    return re.sub(r"(?<!\S)(10|[2-9tjqka])([cdhs♣♦♥♠♧♢♡♤])(?!\S)", _card, text)


def _card(found: re.Match[str]) -> str:
    rank, suit = found.groups()
    signs = "♣♦♥♠♧♢♡♤"
    return rank.upper().replace("10", "T") + (suit if suit in SUIT_NAMES else "cdhs"[signs.index(suit) % 4])


def in_order(scene: dict[str, Any]) -> list[Move]:
    """The moves of a scene as they are listed and numbered: verb by verb, single cards as they stand in the hand."""
    place = {card: i for i, card in enumerate(scene["hand"])}
    verbs = ["", *(move["verb"] for move in scene["moves"])]

    def key(move: Move) -> tuple[int, int]:
        single = len(move["cards"]) == 1
        return verbs.index(move["verb"]), place.get(move["cards"][0], len(place)) if single else 0

    return sorted(scene["moves"], key=key)


# ----------------------------------------------------------------------------------------------------------- selected


def meant(card: str, moves: Sequence[Move]) -> str | None:
    """The text to send when one card is chosen by itself; None where it must be selected, since it may mean more."""
    about = [move for move in moves if card in move["cards"]]
    if not about:
        return attempt([card], moves)
    alone = [move for move in about if len(move["cards"]) == 1]
    plain = len(alone) == 1 and (alone[0]["verb"] == "" or all(len(move["cards"]) <= 1 for move in moves))
    return alone[0]["text"] if plain else None


def attempt(selected: Sequence[str], moves: Sequence[Move]) -> str:
    """What somebody seems to try with cards that no move names; the table's refusal explains."""
    several = len(selected) > 1
    verbs = {move["verb"] for move in moves if move["cards"] and (len(move["cards"]) > 1) == several}
    return " ".join([*(verbs if len(verbs) == 1 else ()), *selected]).strip()


def uses(move: Move, selected: Sequence[str]) -> bool:
    """Whether the move uses every selected card, counting equal ones."""
    return not Counter(selected) - Counter(move["cards"])


def exactly(move: Move, selected: Sequence[str]) -> bool:
    return Counter(selected) == Counter(move["cards"])


@dataclass
class Offer:
    """What the action bar shows: moves without cards always, moves with cards as far as the selection asks for them."""

    exact: list[Move] = field(default_factory=list)
    """With just the selected cards."""
    free: list[Move] = field(default_factory=list)
    """Without cards."""
    numbers: dict[str, list[Move]] = field(default_factory=dict)
    """By verb, moves that only name a number."""
    groups: list[Move] = field(default_factory=list)
    """With the selected cards and more."""
    hint: str = ""


def offer(moves: Sequence[Move], selected: Sequence[str], hand: Sequence[str]) -> Offer:
    """What there is to choose from with these cards of the hand selected."""
    shown = Offer()
    for move in moves:
        if move["cards"]:
            continue
        if "number" in move and move["text"] == f"{move['verb']} {move['number']}":
            shown.numbers.setdefault(move["verb"], []).append(move)
        else:
            shown.free.append(move)
    made = [move for move in moves if move["cards"]]
    if selected:
        shown.exact = [move for move in made if exactly(move, selected)]
        fitting = [move for move in made if uses(move, selected) and move not in shown.exact]
    else:
        fitting = [move for move in made if len(move["cards"]) > 1 or move["cards"][0] not in hand]
    if not selected and len(fitting) > MOST_SHOWN:
        shown.hint = f"Select cards to see what they can do ({len(fitting)} ways)"
        return shown
    shown.groups = fitting[:MOST_SHOWN]
    if len(fitting) > MOST_SHOWN:
        shown.hint = f"and {len(fitting) - MOST_SHOWN} more: select further cards"
    elif selected and moves and not fitting and not shown.exact:
        shown.hint = "No move with these cards"
    return shown
