"""The laws of worlds: the states sampled for a seat agree with what it has seen, and can be played on."""

from __future__ import annotations

from collections import Counter
from typing import Any

from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.engine.mistakes import BadRules
from upcard.engine.views import view
from upcard.engine.worlds import world
from upcard.laws.cards import check_pack
from upcard.laws.hidden import require_same_view
from upcard.laws.law import Broken, Trial, first_cards, last_event, random_event, watcher
from upcard.laws.moves import check_cards
from upcard.rules.cards import NO_CARD, as_list
from upcard.rules.knowledge import pile_fields, shown_to_lack

REMEDIES = (
    "`hypotheses`, `known_counts` or `hand_histories` declare what a seat knows of hidden cards, `complete` adds to a "
    "world what others have sealed or bid in secret, `consistent` rejects an impossible world"
)
"""The rules that make worlds consistent, for a message."""


def worlds_agree(trial: Trial) -> None:
    """A world sampled for a seat looks to it like the true state, has the same cards, and can be played on."""
    for match in trial.moments(150):
        for seat in [None, *range(match.players)]:
            if trial.sometimes(3):
                _check(trial, match, seat)


def _check(trial: Trial, match: Match[Any], seat: int | None) -> None:
    seen = match.view(seat)
    where = f"{last_event(match)} in a world sampled for {watcher(seat)}"
    try:
        sampled = world(seen, trial.rng)
    except UpcardError as error:
        raise Broken(f"{where}: {error}") from None
    require_same_view(seen, view(match.setup, sampled, seat), f"{where} it")
    cards, true = Counter(match.setup.all_cards(sampled)), Counter(match.setup.all_cards(match.state))
    if cards != true:
        raise Broken(
            f"{where} there are other cards: {first_cards(sorted(((cards - true) + (true - cards)).elements()))}"
        )
    for name in pile_fields(match.game.state):
        if _gaps(getattr(sampled, name)) != _gaps(getattr(match.state, name)):
            raise Broken(f"{where} the cards of `{name}` are in other positions")
    if seat is not None and match.to_act:
        try:
            _play_on(trial, match, sampled, 200 if trial.sometimes(10) else 1)
        except (BadRules, Broken) as error:
            raise Broken(f"{where} the deal fails: {error} ({REMEDIES})") from None


def _gaps(pile: Any) -> list[int]:
    """The empty positions of a pile."""
    return [place for place, card in enumerate(pile) if card == NO_CARD] if isinstance(pile, list) else []


def _play_on(trial: Trial, match: Match[Any], sampled: Any, events: int) -> None:
    """Continue the deal from a world, for this many events or to its end."""
    other, pack = match.fork(), Counter(match.setup.all_cards(sampled))
    other.state = sampled
    for _ in range(events):
        if other.done or other.awaiting == "deal":
            return
        for seat in other.to_act:
            check_cards(other, seat)
        other.event(random_event(other, trial.rng))
        check_pack(other, pack)


def nobody_holds_what_it_lacks(trial: Trial) -> None:
    """A hand never has a card that it is known to lack, and it has all cards that it is known to have."""
    game = trial.game
    if "lacks" not in game.state.fields and game.known is None:
        return
    for match in trial.moments():
        for seat in range(match.players if match.to_act else 0):
            held = Counter(game.hand.cards(match.state, seat))
            lacks = shown_to_lack(match.state)[seat]
            if wrong := [card for card in as_list(lacks) if held[card]]:
                raise Broken(
                    f"{last_event(match)} seat {seat} holds {first_cards(wrong)}, which it lacks according to `lacks`"
                )
            known = Counter(game.known.cards(match.state, seat)) if game.known else Counter[int]()
            if gone := list((known - held).elements()):
                raise Broken(
                    f"{last_event(match)} seat {seat} does not hold {first_cards(gone)}, which it is known to hold"
                )
