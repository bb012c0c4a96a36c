"""The laws of the pack: no card is lost or doubled, and the declared sizes of piles are right."""

from __future__ import annotations

from collections import Counter
from typing import Any

from upcard.engine.match import Match
from upcard.engine.views import thickness
from upcard.laws.law import Broken, Trial, first_cards, last_event
from upcard.rules.cards import Card
from upcard.rules.knowledge import fields_with
from upcard.rules.state import DEAL, RESHUFFLE


def cards_are_conserved(trial: Trial) -> None:
    """During a deal, every card of the pack is in exactly one place."""
    pack: Counter[Card] = Counter()
    for match in trial.moments():
        event = match.events[-1]
        if event.seat is None and event.move == DEAL:
            pack = Counter(event.items)
        check_pack(match, pack)


def piles_are_counted(trial: Trial) -> None:
    """The number of cards in a face-down pile equals the field that counts them."""
    piles = {name: field.counted for name, field in trial.game.state.fields.items() if field.counted}
    for match in trial.moments():
        for pile, counted in piles.items():
            actual, number = thickness(getattr(match.state, pile)), getattr(match.state, counted)
            if actual != number:
                raise Broken(f"{last_event(match)} `{pile}` has {actual} cards, but `{counted}` is {number}")


def check_pack(match: Match[Any], pack: Counter[Card]) -> None:
    """Raises Broken if a card of the pack is lost or doubled during a deal."""
    if not match.to_act and match.state.awaiting != RESHUFFLE:
        return
    there = Counter(match.setup.all_cards(match.state))
    if lost := list((pack - there).elements()):
        raise Broken(f"{last_event(match)} {first_cards(lost)} {'is' if len(lost) == 1 else 'are'} nowhere")
    if doubled := list((there - pack).elements()):
        places = " and ".join(f"`{name}`" for name in fields_with(match.state, doubled[0])) or "`table_cards`"
        raise Broken(f"{last_event(match)} {first_cards(doubled[:1])} occurs more often than it was dealt: in {places}")
