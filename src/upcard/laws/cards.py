"""The law of the pack."""

from __future__ import annotations

from collections import Counter
from typing import Any

from upcard.engine.match import Match
from upcard.laws.law import Broken, Trial, last_event, said
from upcard.rules.cards import JOKER, NO_CARD, Card, as_list
from upcard.rules.state import DEAL, RESHUFFLE, Field


def cards_are_conserved(trial: Trial) -> None:
    """Every card of the pack is somewhere exactly once, as long as a deal is played."""
    pack: Counter[Card] = Counter()
    for match in trial.moments():
        event = match.events[-1]
        if event.seat is None and event.move == DEAL:
            pack = Counter(event.items)
        if match.to_act or match.state.awaiting == RESHUFFLE:
            _compare(match, pack)


def _compare(match: Match[Any], pack: Counter[Card]) -> None:
    there = Counter(match.game.all_cards(match.state))
    if lost := list((pack - there).elements()):
        raise Broken(f"{last_event(match)} {said(lost)} {'is' if len(lost) == 1 else 'are'} nowhere")
    if doubled := list((there - pack).elements()):
        places = ", ".join(_places(match.state, doubled[0]))
        raise Broken(f"{last_event(match)} {said(doubled[:1])} is there more often than it was dealt: in {places}")


def _places(state: Any, card: Card) -> list[str]:
    """The fields in which a card lies, for a message."""
    found = []
    for name, spec in state.fields.items():
        value = getattr(state, name)
        for seat, number in enumerate(value if isinstance(value, list) else [value]):
            where = f"`{name}[{seat}]`" if isinstance(value, list) else f"`{name}`"
            if card in cards_of(spec, number):
                found.append(where)
    return found or ["`table_cards`"]


def cards_of(spec: Field, value: int | list[int]) -> list[Card]:
    """The cards that a field of this kind has in a number, or in a row of numbers."""
    if isinstance(value, list):
        return [card for number in value for card in cards_of(spec, number)]
    if spec.cards == "jokers":
        return [JOKER] * value
    if spec.cards == "card":
        return [] if value == NO_CARD else [value]
    return as_list(value) if spec.cards else []
