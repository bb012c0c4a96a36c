"""Sentences in the second person: for Ann, "Ann plays K♥" becomes "You play K♥"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from msgspec import structs

from upcard.engine.views import View
from upcard.rules import cards
from upcard.table.journal import Ended
from upcard.table.offers import Offers
from upcard.table.scene import SceneView, TrickCards, describe

ME = "\ue000"
"""The placeholder for the reader's name, so that no ordinary word that equals the name is replaced."""

_IRREGULAR = {"is": "are", "has": "have", "was": "were", "does": "do", "goes": "go"}
_NOUNS = {*cards.SUIT_NAMES, "cards", "chips", "jokers", "points", "tricks", "trumps", "rounds"}


def names_with_me(names: Sequence[str], seat: int | None) -> list[str]:
    """The names at a table, with `ME` for the given seat."""
    return [ME if seat == i else name for i, name in enumerate(names)]


def you(text: str, name: str) -> str:
    """A sentence addressed to the person with this name: "Ann plays K♥ and takes the trick" becomes "You play …"."""
    return _to_you(text, name) if name and name in text else text


@lru_cache(maxsize=1 << 12)
def _to_you(text: str, name: str) -> str:
    """Cached, as the same sentences recur."""
    parts = re.split(rf"(?<!\w){re.escape(name)}(?!\w)", text)
    sentence = parts[0]
    for part in parts[1:]:
        word = "You" if not sentence or sentence.endswith(". ") else "you"
        if part.startswith(("’s ", "'s ")):
            sentence += f"{word}r{part[2:]}"
        else:
            sentence += word + _second_person(part)
    return sentence


def _second_person(text: str) -> str:
    """Put the verbs after "you" into the second person, up to the end of the clause."""
    end = re.search(r"[.;:](?: |$)", text)
    clause, rest = (text[: end.start()], text[end.start() :]) if end else (text, "")
    clause = re.sub(r"^ ([a-z]+s)\b", lambda verb: f" {_verb(verb[1])}", clause)
    return re.sub(r"(?<= and )([a-z]+s)\b", lambda verb: _verb(verb[1]), clause) + rest


def _verb(word: str) -> str:
    """The second person of a verb: `play` for `plays`."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _NOUNS or word.endswith(("ss", "us")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zes", "oes")) else word[:-1]


def describe_to(seen: View[Any], last_trick: TrickCards, names: Sequence[str], ended: Ended | None = None) -> SceneView:
    """The scene of a view, addressed to its seat as "you"; `ended` is the entry that gave the match
    up, if one did."""
    to_seat = names_with_me(names, seen.seat)
    scene = describe(seen, last_trick, to_seat)
    if ended is not None:
        _give_up(scene, ended, to_seat)
    if seen.seat is not None:
        _say_you(scene)
    return scene


_PROMPTS = {
    "abandoned": "The match is over, without a winner",
    "conceded": "The match is over: {} concedes",
    "closed": "The match is over: the house closed this table",
    "unfinished": "The match goes no further here",
}


def _give_up(scene: SceneView, ended: Ended, names: Sequence[str]) -> None:
    """Change the scene to that of a match that was given up, which the game itself does not know."""
    by = "nobody" if ended.by is None else names[ended.by]
    scene.prompt = _PROMPTS[ended.why].format(by)
    scene.to_act, scene.offers = [], Offers()
    for seat in scene.seats:
        seat.to_act = False


def _say_you(scene: SceneView) -> None:
    scene.headline = you(scene.headline, ME)
    scene.prompt = you(scene.prompt, ME)
    scene.result = [you(line, ME) for line in scene.result]
    offers = scene.offers
    offers.moves = [
        structs.replace(move, label=you(move.label, ME)) if ME in move.label else move for move in offers.moves
    ]
    for row in offers.rows:
        row.title, row.words = you(row.title, ME), [you(word, ME) for word in row.words]
