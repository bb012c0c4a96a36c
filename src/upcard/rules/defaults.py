"""The default report and scene of a game, made from its declarations."""

from __future__ import annotations

from typing import Any

from upcard.rules.cards import NO_CARD, NO_SUIT, as_list
from upcard.rules.report import COMMON, reported
from upcard.rules.scene import Mark, Scene, Zone, trump_fact
from upcard.rules.sentences import facts, sentence
from upcard.rules.state import Field, GameState, Seen

ROLES = ("tricks", "points", "chips")


def plain_report(state: type[GameState], s: Any) -> dict[str, Any]:
    """The fields of a report that everybody sees."""
    return {name: reported(s, name) for name in _open_fields(state) if name not in COMMON}


def plain_scene(state: type[GameState], s: Any) -> Scene:
    """The table as everybody sees it."""
    own = _open_fields(state)
    headline = facts(sentence("Deal {n}", n=s.deals), trump_fact(getattr(s, "trump", NO_SUIT)))
    return Scene(headline, "", zones(s, own), [marks(s, own, who) for who in range(s.players)])


def _open_fields(state: type[GameState]) -> dict[str, Field]:
    """The game's own fields that everybody sees, without those of `GameState`."""
    return {n: spec for n, spec in state.fields.items() if n not in GameState.fields and spec.seen is Seen.ALL}


def zones(s: Any, own: dict[str, Field]) -> list[Zone]:
    """A zone for each field with open cards that belong to no seat."""
    zones = []
    for name, spec in own.items():
        value = getattr(s, name)
        if spec.cards is None or (spec.length is not None and spec.cards != "card"):
            continue
        there = as_list(value) if spec.cards == "set" else [value] if spec.length is None else list(value)
        there = [card for card in there if card != NO_CARD]
        if there:
            role = "upcard" if name == "upcard" else "pile"
            zones.append(Zone(name, role, _called(name), tuple(there)))
    return zones


def marks(s: Any, own: dict[str, Field], seat: int) -> list[Mark]:
    """A mark for each public number of a seat."""
    numbers = [name for name, spec in own.items() if spec.length is not None and spec.of == "number"]
    rows = [name for name in numbers if len(getattr(s, name)) >= s.players and own[name].cards is None]
    return [Mark(_called(name), getattr(s, name)[seat], name if name in ROLES else "") for name in rows]


def _called(name: str) -> str:
    return name.replace("_", " ").capitalize()
