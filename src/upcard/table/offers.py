"""A seat's legal moves, arranged for choosing with a mouse, a finger or keys, in the same way for all user interfaces.

An interface draws buttons for moves that need no card, plays a tapped card if that can mean only one move, and
otherwise lets people select cards until they make up a move.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import comb
from typing import Any

from msgspec import Struct, field

from upcard.rules import cards
from upcard.rules.cards import Card
from upcard.rules.game import Game
from upcard.rules.notation import Verb, verb_index
from upcard.rules.sentences import Sentence
from upcard.rules.speech import with_settings

MANY = 24
"""If a verb has more moves than this, they are offered as a choice of cards where possible."""
_RANK = {card: place for place, card in enumerate(cards.as_list((1 << 53) - 1))}


class Move(Struct, omit_defaults=True, frozen=True):
    """One legal move."""

    text: str
    """In the notation, to be sent in order to make it."""
    verb: str
    """The word of its verb; empty for playing a card."""
    label: str
    """For a button."""
    cards: list[str] = field(default_factory=list)
    """The cards that are selected to make it."""
    number: int | None = None
    zone: str | None = None
    """The zone that may be tapped instead."""
    asks: str = ""
    """A question to ask first, unless the person does not want to be asked. It does not say whether the move is
    good."""
    seat: int | None = None
    """The seat that it is about, whose plate may be tapped instead."""


class ButtonRow(Struct):
    """Moves that differ in one word, as buttons side by side: "Bid" 0 1 2 3."""

    title: str
    cards: list[str]
    """The cards that must be selected for it, if any."""
    words: list[str]
    texts: list[str]


class Pick(Struct):
    """Moves that consist of any choice of a given number of cards."""

    verb: str
    label: str
    """With {cards} and perhaps {worth}, for the cards that are chosen."""
    sizes: list[int]
    cards: list[str]
    """The cards to choose from; a move names them in this order."""
    worth: dict[str, int] = field(default_factory=dict)
    asks: str = ""


class Offers(Struct):
    """All legal moves of a seat."""

    moves: list[Move] = field(default_factory=list)
    """The moves that no pick covers; those with a question come last."""
    picks: list[Pick] = field(default_factory=list)
    rows: list[ButtonRow] = field(default_factory=list)
    taps: dict[str, str] = field(default_factory=dict)
    """By card, the move that tapping it makes at once. Any other card of a move is selected first."""
    forced: str = ""
    """The only move, if everybody can see that there is no other: making it at once gives nothing away."""
    attempt: str = ""
    """The word to put before a card that cannot be played, if somebody tries it; the table's refusal explains why."""
    attempts: str = ""
    """The same for several cards."""


Zones = Callable[[int, Verb], str | None]


def offers(
    setup: Game[Any], moves: Sequence[int], zone_of: Zones, names: Sequence[str], worth: Mapping[Card, int]
) -> Offers:
    """The moves of a seat, arranged.

    `zone_of` returns the zone on the table that a move is about, if there is one; `names` are the players' names, and
    `worth` has the values of cards, if labels show them.
    """
    if not moves:
        return Offers()
    notation = setup.notation
    numbers = Counter(map(verb_index, moves))
    picks = [
        pick
        for verb, number in numbers.items()
        if number > MANY and (pick := _pick(setup, [move for move in moves if verb_index(move) == verb], worth))
    ]
    picked, to_seats = {pick.verb for pick in picks}, tuple(names)
    unpicked = []
    for move in moves:
        verb = notation.spec(move)
        if verb.word not in picked:
            unpicked.append(_move(setup, move, zone_of(move, verb), to_seats if "seat" in verb.items else ()))
    unpicked.sort(key=lambda move: bool(move.asks))
    in_rows = {verb for verb in numbers if _has_rows(notation.verbs[verb]) and notation.verbs[verb].word not in picked}
    return Offers(
        unpicked,
        picks,
        _rows(setup, [move for move in moves if verb_index(move) in in_rows], names) if in_rows else [],
        _taps(unpicked, picks),
        attempt=_only({move.verb for move in unpicked if len(move.cards) == 1}),
        attempts=_only({move.verb for move in unpicked if len(move.cards) > 1} | picked),
    )


@lru_cache(maxsize=1 << 13)
def _move(setup: Game[Any], move: int, zone: str | None, names: tuple[str, ...]) -> Move:
    """One move; cached, as the same ones recur."""
    notation, verb = setup.notation, setup.notation.spec(move)
    items = [*zip(notation.kinds(move), notation.items(move), strict=True)]
    numbers = [item for kind, item in items if kind == "number"]
    return Move(
        notation.text(move),
        verb.word,
        label(setup, move, names, {}),
        [cards.text(card) for card in notation.cards(move)],
        numbers[-1] if numbers else None,
        zone,
        _setting_text(verb.asks, setup),
        next((item for kind, item in items if kind == "seat"), None),
    )


def _only(verbs: set[str]) -> str:
    """The only word of this set; empty if there are none or several."""
    return verbs.pop() if len(verbs) == 1 else ""


def _pick(setup: Game[Any], moves: Sequence[int], worth: Mapping[Card, int]) -> Pick | None:
    """Many moves of one verb as a choice of cards; None unless any cards may be chosen, in fixed numbers."""
    notation = setup.game.notation
    spec = notation.spec(moves[0])
    if set(spec.items) - {"card", "card+"}:
        return None
    listed = [notation.cards(move) for move in moves]
    there = sorted({card for named in listed for card in named}, key=_RANK.__getitem__)
    sizes = sorted({len(named) for named in listed})
    in_order = all(_RANK[one] < _RANK[two] for named in listed for one, two in pairwise(named))
    if not in_order or len(listed) != sum(comb(len(there), size) for size in sizes):
        return None
    if re.search(r"\{\d", spec.label):  # it has a place for each card, and one that is not yet chosen has no name
        return None
    label = with_settings(spec.label, setup, {"cards": "{cards}", "worth": "{worth}"}, setup.game)
    texts = list(map(cards.text, there))
    values = {cards.text(card): worth[card] for card in there if card in worth}
    return Pick(spec.word, label, sizes, texts, values, _setting_text(spec.asks, setup))


def _taps(moves: Sequence[Move], picks: Sequence[Pick]) -> dict[str, str]:
    """The cards that a tap plays at once: exactly one move names just that card, and nothing else could be meant. A
    card with a zone to go to must be selected first."""
    alone = Counter(move.cards[0] for move in moves if len(move.cards) == 1)
    several = bool(picks) or any(len(move.cards) > 1 for move in moves)
    return {
        move.cards[0]: move.text
        for move in moves
        if len(move.cards) == 1 and alone[move.cards[0]] == 1 and not move.asks
        if move.verb == "" or not (several or move.zone)
    }


def _has_rows(verb: Verb) -> bool:
    """Whether the last item of this verb's moves is something other than cards, so that it can make a row."""
    return bool(verb.items) and not verb.items[-1].startswith("card")


def _rows(setup: Game[Any], moves: Sequence[int], names: Sequence[str]) -> list[ButtonRow]:
    """A row for each group of moves that differ only in their last item."""
    notation = setup.notation
    rows: dict[tuple[int, ...], ButtonRow] = {}
    for move in moves:
        verb, kinds, items = notation.spec(move), notation.kinds(move), notation.items(move)
        key = (verb_index(move), *items[:-1])
        if key not in rows:
            title = fill_text(row_title(verb.label, len(kinds) - 1), setup, move, names)
            rows[key] = ButtonRow(title, list(map(cards.text, notation.cards(move))), [], [])
        rows[key].words.append(IN_WORDS[kinds[-1]](items[-1], names))
        rows[key].texts.append(notation.text(move))
    return [row for row in rows.values() if len(row.texts) > 1]


def row_title(label: str, last: int) -> str:
    """The title of a row of moves with this label, which differ in their last item."""
    return label.replace(f"{{{last}}}", "").strip(" :·")


def _setting_text(asks: str, setup: Game[Any]) -> str:
    return with_settings(asks, setup, {}, setup.game) if asks else ""


IN_WORDS: dict[str, Callable[[int, Sequence[str]], str]] = {
    "card": lambda item, names: cards.sign(item),
    "suit": lambda item, names: cards.SUIT_SIGNS[item],
    "rank": lambda item, names: cards.RANKS[item].replace("T", "10"),
    "number": lambda item, names: str(item),
    "seat": lambda item, names: names[item],
}


def label(
    setup: Game[Any],
    move: int,
    names: Sequence[str],
    worth: Mapping[Card, int],
) -> str:
    """The label of a move's button; `worth` has the values of cards, if the label shows their total."""
    total = sum(worth.get(card, 0) for card in setup.notation.cards(move))
    return fill_text(setup.notation.spec(move).label, setup, move, names, worth=str(total) if worth else "")


def fill_text(
    template: str,
    setup: Game[Any],
    move: int,
    names: Sequence[str],
    **more: str,
) -> Sentence:
    """Fill a message about a move with its items: {0}, {1}, … and {cards}, and with `more`, such as {player}."""
    kinds, items = setup.notation.kinds(move), setup.notation.items(move)
    places: dict[str, object] = {}
    for number, (kind, item) in enumerate(zip(kinds, items, strict=True)):
        places[str(number)] = IN_WORDS[kind](item, names)
    places |= {"cards": cards.signs_of(setup.notation.cards(move)), "worth": "", **more}
    return with_settings(template, setup, places, setup.game)
