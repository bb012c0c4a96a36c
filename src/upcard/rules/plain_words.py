"""The default refusal, report and scene of a game, made from its declarations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from upcard.rules.cards import NO_CARD, NO_SUIT, as_list
from upcard.rules.notation import Attempt
from upcard.rules.report import COMMON, reported
from upcard.rules.scene import Mark, Scene, Zone, trumps_told
from upcard.rules.state import Field, GameState, Seen

if TYPE_CHECKING:
    from upcard.rules.game import Clauses

ROLES = ("tricks", "points", "chips")


def plain_words(clauses: Clauses, state: type[GameState]) -> dict[str, Callable[..., Any]]:
    """The default `refusal`, `report` and `scene` of a game."""
    own = {name: spec for name, spec in state.fields.items() if name not in GameState.fields and spec.seen is Seen.ALL}

    def refusal(s: Any, opt: Any, me: int, attempt: Attempt) -> str:
        return clauses.event

    def report(s: Any, opt: Any) -> dict[str, Any]:
        return {name: reported(s, name) for name in own if name not in COMMON}

    def scene(s: Any, opt: Any, seat: int | None) -> Scene:
        headline = f"Deal {s.deals}" + trumps_told(getattr(s, "trump", NO_SUIT))
        return Scene(headline, "", zones(s, own), [marks(s, own, who) for who in range(s.players)])

    return {"refusal": refusal, "report": report, "scene": scene}


def zones(s: Any, own: dict[str, Field]) -> list[Zone]:
    """A zone for each field with open cards that belong to no seat."""
    found = []
    for name, spec in own.items():
        value = getattr(s, name)
        if spec.cards is None or (spec.length is not None and spec.cards != "card"):
            continue
        there = as_list(value) if spec.cards == "set" else [value] if spec.length is None else list(value)
        there = [card for card in there if card != NO_CARD]
        if there:
            role = "upcard" if name == "upcard" else "pile"
            found.append(Zone(name, role, _called(name), tuple(there)))
    return found


def marks(s: Any, own: dict[str, Field], seat: int) -> list[Mark]:
    """A mark for each public number of a seat."""
    numbers = [name for name, spec in own.items() if spec.length is not None and spec.of == "number"]
    rows = [name for name in numbers if len(getattr(s, name)) >= s.players and own[name].cards is None]
    return [Mark(_called(name), getattr(s, name)[seat], name if name in ROLES else "") for name in rows]


def _called(name: str) -> str:
    return name.replace("_", " ").capitalize()
