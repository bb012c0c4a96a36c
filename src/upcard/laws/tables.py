"""The law of the table: every moment of a match can be shown to people."""

from __future__ import annotations

from typing import Any

from upcard.engine.match import Match
from upcard.laws.law import Broken, NotTried, Trial, last_event, watcher
from upcard.rules.cards import text
from upcard.rules.phrases import how_to_get
from upcard.rules.scene import ROLES

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ina", "Jo")


def tables_can_be_shown(trial: Trial) -> None:
    """Every seat can be shown the table at every moment, with words for its possible moves and for all events."""
    try:
        from upcard.table.log import Log
        from upcard.table.scene import describe
    except ImportError as error:
        raise NotTried(f"it needs {error.name}: {how_to_get('serve')}") from None
    log, before = None, None
    for match in trial.moments():
        names = NAMES[: match.players]
        log = Log(match) if log is None else log
        log.note(len(match.events) - 1, before or match.state, match, match.events[-1], names)
        before = match.state.copy()
        for seat in [None, *match.to_act]:
            where = f"{last_event(match)} for {watcher(seat)}"
            _check_line(log.last(seat).text, where)
            told = describe(match.view(seat), match.last_trick, names)
            _check_words(told, where)
            _check_hand(told, match, seat, where)
            _check_zones(told, match, where)
            _check_offers(told, match, seat, where)


def _check_line(line: str, where: str) -> None:
    if not line or "\n" in line or "{" in line:
        raise Broken(f"{where} the log has the line {line!r:.60}: see the words of its verb")


def _check_words(told: Any, where: str) -> None:
    for said in (*told.result, told.headline, told.prompt):
        if "{" in said:
            raise Broken(f"{where} the scene says {said!r:.60}: a name in braces was not filled in")
    for seat in told.seats:
        for mark in seat.marks:
            if not mark.label or mark.role not in ("", "bid", "tricks", "points", "chips"):
                raise Broken(f"{where} the mark {mark.label!r:.40} has the role {mark.role!r:.20}, which no face draws")


def _check_hand(told: Any, match: Match[Any], seat: int | None, where: str) -> None:
    hand = [] if seat is None else match.game.hand.cards(match.state, seat)
    if sorted(told.hand) != sorted(map(text, hand)):
        raise Broken(f"{where} the scene shows the hand {' '.join(told.hand)}, which is not the one that is held")
    if [one.score for one in told.seats] != match.scores:
        raise Broken(f"{where} the scene shows other scores than `scores`")


def _check_zones(told: Any, match: Match[Any], where: str) -> None:
    ids = [zone.id for zone in told.zones]
    if twice := [one for one in ids if ids.count(one) > 1]:
        raise Broken(f"{where} the scene has two zones called {twice[0]!r}")
    for zone in told.zones:
        if zone.role not in ROLES or not zone.label or zone.count < len(zone.cards):
            raise Broken(f"{where} the zone {zone.id!r} has no label, a role that no face draws, or too small a count")
        if zone.role == "trick" and match.game.has_tricks():
            if zone.cards != [text(card) for _, card in match.setup.trick(match.state)]:
                raise Broken(f"{where} the zone {zone.id!r} shows other cards than lie in the trick")


def _check_offers(told: Any, match: Match[Any], seat: int | None, where: str) -> None:
    offers, legal = told.offers, set(match.view(seat).legal())
    offered = [move.text for move in offers.moves]
    if wrong := {*offered, *offers.taps.values()} - legal:
        raise Broken(f"{where} `{min(wrong)}` is offered and is not legal")
    if len(offered) < len(legal) and not offers.picks:
        raise Broken(f"{where} `{min(legal - {*offered})}` is legal and is not offered")
    for move in offers.moves:
        if not move.label or "{" in move.label + move.asks:
            raise Broken(f"{where} the button for `{move.text}` reads {move.label!r:.60}: see the label of its verb")
