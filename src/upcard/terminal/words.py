"""A scene in lines of text that need no layout: for screen readers, pipes and tests."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from upcard.rules import cards
from upcard.terminal.moves import RANK_NAMES, SUIT_NAMES, Move, in_order

Scene = dict[str, Any]
Style = Callable[[str], str]
"""How cards and suits are written: works on any text that has them in the notation or as signs."""

FEW = 16
"""So many moves are listed without being asked for."""

_SIGNED = re.compile(r"(?<![\w♣♦♥♠])(10|[2-9TJQKA])([♣♦♥♠cdhs])(?!\w)")
_SIGNS = dict(zip(cards.SUIT_SIGNS, cards.SUITS, strict=True))


def in_letters(text: str) -> str:
    """Cards as they are typed: `Kh`."""
    text = _SIGNED.sub(lambda found: found[1].replace("10", "T") + _SIGNS.get(found[2], found[2]), text)
    return _suits(text)


def in_full(text: str) -> str:
    """Cards in words: `king of hearts`."""

    def name(found: re.Match[str]) -> str:
        suit = _SIGNS.get(found[2], found[2])
        return f"{RANK_NAMES[found[1].replace('10', 'T')]} of {SUIT_NAMES[suit]}"

    return _suits(re.sub(r"(?<![\w*])\*(?![\w*])", "joker", _SIGNED.sub(name, text)))


def _suits(text: str) -> str:
    """Signs that stand alone as words; dots between phrases as commas, which are read as pauses."""
    for sign, suit in _SIGNS.items():
        text = text.replace(sign, SUIT_NAMES[suit])
    return text.replace(" · ", ", ")


def listed(shown: Iterable[str]) -> str:
    return ", ".join(shown) or "none"


def headline(scene: Scene) -> str:
    return str(scene["headline"])


def hand(scene: Scene) -> str:
    held = scene["hand"]
    return f"Your hand, {counted(len(held))}: {listed(held)}"


def counted(number: int) -> str:
    return f"{number} card" + "s" * (number != 1)


def zone(drawn: dict[str, Any], names: Sequence[str]) -> str:
    """One zone on one line."""
    owner = f", {names[drawn['owner']]}" if "owner" in drawn else ""
    label = f"{'Meld ' if drawn['kind'] == 'meld' and drawn['label'].isdigit() else ''}{drawn['label']}{owner}"
    if drawn["kind"] == "trick":
        return f"{label}: {played(drawn['cards'], names)}"
    hidden = drawn["count"] - len(drawn["cards"])
    if drawn["kind"] == "pile" and len(drawn["cards"]) > 1:
        return f"{label}: {drawn['cards'][-1]} on top of {counted(drawn['count'])}"
    parts = [listed(drawn["cards"])] if drawn["cards"] else []
    if hidden:
        parts.append(f"{counted(hidden)} face down")
    return f"{label}: {' and '.join(parts) or 'empty'}"


def played(trick: Sequence[dict[str, Any]], names: Sequence[str]) -> str:
    """Who played what, in order."""
    return listed(f"{named(one['seat'], names)} {one['card']}" for one in trick)


def named(who: int | str, names: Sequence[str]) -> str:
    """Who plays or takes: the player of a seat or "Dummy"."""
    return names[who] if isinstance(who, int) else who.capitalize()


def last_trick(scene: Scene, names: Sequence[str]) -> str:
    last = scene["last_trick"]
    if not last:
        return "There is no finished trick in this deal."
    return f"Last trick: {played(last['cards'], names)}; {named(last['taker'], names)} took it"


def seat(scene: Scene, number: int, names: Sequence[str]) -> str:
    """One seat on one line."""
    drawn = scene["seats"][number]
    you = " (you)" if number == scene["seat"] else ""
    side = "" if drawn["partner"] is None else f"side {drawn['partner'] + 1}"
    flags = [word for word in ("dealer", "leader") if drawn[word]]
    opened = f"open: {' '.join(drawn['open'])}" if drawn["open"] else ""
    facts = [side, counted(drawn["cards"]), opened, *marks(drawn), f"score {drawn['score']}", *flags]
    return f"{names[number]}{you}: {', '.join(filter(None, facts))}"


def marks(drawn: dict[str, Any]) -> list[str]:
    return [f"{mark['label'].lower()} {mark['value']}" for mark in drawn["marks"]]


def table(scene: Scene, names: Sequence[str]) -> list[str]:
    """Everything that lies open, beside the hand."""
    lines = [headline(scene)]
    lines += [seat(scene, i, names) for i in range(scene["players"])]
    lines += [zone(drawn, names) for drawn in scene["zones"]]
    return lines


def scores(scene: Scene, names: Sequence[str]) -> list[str]:
    lines = []
    for one in scene["seats"]:
        facts = listed([f"score {one['score']}", *marks(one)])
        lines.append(f"{names[one['seat']]}: {facts}")
    return lines + ([f"The deal before: {'. '.join(scene['result'])}"] if scene["result"] else [])


def changes(before: Scene, after: Scene, names: Sequence[str]) -> list[str]:
    """What is otherwise than before and is no line of the log: the headline, zones but for the trick, cards drawn.

    Piles that only shrank are left out; who wants to know looks at the table.
    """
    lines = [headline(after)] if headline(after) != before.get("headline") else []
    known = {one["id"]: (one["label"], one["cards"]) for one in before.get("zones", ())}
    for drawn in after["zones"]:
        if drawn["kind"] != "trick" and known.pop(drawn["id"], None) != (drawn["label"], drawn["cards"]):
            lines.append(zone(drawn, names))
    drawn_cards: Counter[str] = Counter(after["hand"]) - Counter(before.get("hand", ()))
    if drawn_cards and after["deal"] == before.get("deal"):
        lines.append(f"New in your hand: {listed(drawn_cards.elements())}")
    return lines


def few_moves(scene: Scene) -> list[str]:
    """What may be played, shortened where there is much."""
    moves = in_order(scene)
    if len(moves) <= FEW:
        return numbered(moves, 1)
    plays = [move for move in moves if move["verb"] == ""]
    lines = numbered(plays, 1)
    rest = moves[len(plays) :]
    numbers = [move for move in rest if not move["cards"] and "number" in move]
    for verb in dict.fromkeys(move["verb"] for move in numbers):
        told = [str(move["number"]) for move in numbers if move["verb"] == verb]
        lines.append(f"{verb} and a number: {' '.join(told)}")
    others = [move for move in rest if move not in numbers]
    lines += [f"{moves.index(move) + 1} {described(move)}" for move in others[:FEW]]
    if len(others) > FEW:
        lines.append(f"and {len(others) - FEW} more: say moves to hear them all")
    return lines


def numbered(moves: Sequence[Move], first: int) -> list[str]:
    """The moves with their numbers: cards on one line, each other move on its own."""
    with_numbers = list(enumerate(moves, first))
    plays = [f"{number} {move['text']}" for number, move in with_numbers if move["verb"] == ""]
    lines = [f"You may play: {listed(plays)}"] if plays else []
    return lines + [f"{number} {described(move)}" for number, move in with_numbers if move["verb"] != ""]


def described(move: Move) -> str:
    """A move's text with its label, unless that is the same."""
    text, label = str(move["text"]), str(move["label"])
    return text if in_letters(label).lower() == text.lower() else f"{text}: {label}"
