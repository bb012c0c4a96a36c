"""Fields of a report, read from a state by their names."""

from __future__ import annotations

from typing import Any

from upcard.rules import cards
from upcard.rules.state import DRAW, RESHUFFLE, Field, GameState, seats_of

COMMON = ("trump", "upcard", "leader", "tricks", "points")


def common_fields(state: GameState) -> dict[str, Any]:
    """The common fields of a report, as far as the state has them."""
    stock = {"stock": reported(state, "left")} if {"stock", "left"} <= state.fields.keys() else {}
    return fields_told(state, *(name for name in COMMON if name in state.fields)) | stock


def fields_told(state: GameState, *names: str) -> dict[str, Any]:
    """These fields of the state by name, each as `reported`."""
    return {name: reported(state, name) for name in names}


def last_told(state: GameState, *names: str) -> dict[str, Any] | None:
    """The last finished deal, from fields such as `last_tricks` for the name `tricks`; None before the first."""
    over = deals_over(state)
    return {"deal": over} | {name: reported(state, f"last_{name}") for name in names} if over else None


def deals_over(state: GameState) -> int:
    """The number of finished deals."""
    return state.deals - (state.to_act != 0 or state.awaiting in (RESHUFFLE, DRAW))


def reported(state: GameState, name: str) -> Any:
    """The value of a field in a report: a card as `Kh`, a suit as `h`; NOBODY, NO_CARD and NO_SUIT as None."""
    spec, value = state.fields[name], getattr(state, name)
    if isinstance(value, list):
        return [_told(spec, number) for number in value[: state.players]]
    return _told(spec, value)


def _told(spec: Field, value: int) -> Any:
    if spec.of == "set":
        return list(map(cards.text, cards.as_list(value)))
    if spec.of == "seats":
        return seats_of(value)
    if spec.of == "flag":
        return value != 0
    if spec.of == "number":
        return value
    if value < 0:
        return None
    if spec.of == "seat":
        return value
    return cards.text(value) if spec.of == "card" else cards.SUITS[value]
