"""The law of the table: every moment of a match can be displayed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from upcard.engine.match import Match
from upcard.laws.law import Broken, NotTried, Trial, last_event, watcher
from upcard.rules.cards import text
from upcard.rules.phrases import how_to_get
from upcard.rules.scene import MARK_ROLES, ROLES, TABLE_MARK_ROLES
from upcard.rules.speech import SPEECH_KINDS

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ina", "Jo")


def tables_can_be_shown(trial: Trial) -> None:
    """The table can be displayed to every seat at every moment, with texts for its possible moves and for all
    events."""
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
            _check_speech(log.utterances(), match, where)
            scene = describe(match.view(seat), match.last_trick, names)
            _check_words(scene, where)
            _check_hand(scene, match, seat, where)
            _check_zones(scene, match, where)
            _check_offers(scene, match, seat, where)


def _check_line(line: str, where: str) -> None:
    if not line or "\n" in line or "{" in line:
        raise Broken(f"{where} the log has the line {line!r:.60}: see the words of its verb")


def _check_speech(utterances: Sequence[Any], match: Match[Any], where: str) -> None:
    for utterance in utterances:
        if utterance.kind not in SPEECH_KINDS or not 0 <= utterance.seat < match.players:
            raise Broken(
                f"{where} the utterance {utterance.text!r:.40} has the kind {utterance.kind!r}, or a wrong seat"
            )
        if not utterance.text or "\n" in utterance.text or "{" in utterance.text:
            raise Broken(f"{where} a player says {utterance.text!r:.60}: see `speech` and `utterances`")


def _check_words(scene: Any, where: str) -> None:
    for line in (*scene.result, scene.headline, scene.prompt):
        if "{" in line:
            raise Broken(f"{where} the scene has the text {line!r:.60}: a name in braces was not filled in")
    for mark in scene.marks:
        if not mark.label or mark.role not in ("", *TABLE_MARK_ROLES):
            raise Broken(f"{where} the table has the mark {mark.label!r:.40} with the role {mark.role!r:.20}")
    for seat in scene.seats:
        for mark in seat.marks:
            if not mark.label or mark.role not in ("", *MARK_ROLES):
                raise Broken(
                    f"{where} the mark {mark.label!r:.40} has the role {mark.role!r:.20}, which no interface draws"
                )


def _check_hand(scene: Any, match: Match[Any], seat: int | None, where: str) -> None:
    hand = [] if seat is None else match.game.hand.cards(match.state, seat)
    if sorted(scene.hand) != sorted(map(text, hand)):
        raise Broken(f"{where} the scene shows the hand {' '.join(scene.hand)}, which is not the seat's hand")
    if [place.score for place in scene.seats] != match.scores:
        raise Broken(f"{where} the scene shows other scores than `scores`")


def _check_zones(scene: Any, match: Match[Any], where: str) -> None:
    ids = [zone.id for zone in scene.zones]
    if twice := [zone_id for zone_id in ids if ids.count(zone_id) > 1]:
        raise Broken(f"{where} the scene has two zones called {twice[0]!r}")
    for zone in scene.zones:
        if zone.role not in ROLES or not zone.label or zone.count < len(zone.cards):
            raise Broken(
                f"{where} the zone {zone.id!r} has no label, a role that no interface draws, or too small a count"
            )
        if zone.role == "trick" and match.game.has_tricks():
            if zone.cards != [text(card) for _, card in match.setup.trick(match.state)]:
                raise Broken(f"{where} the zone {zone.id!r} shows other cards than the trick")


def _check_offers(scene: Any, match: Match[Any], seat: int | None, where: str) -> None:
    offers, legal = scene.offers, set(match.view(seat).legal())
    offered = [move.text for move in offers.moves]
    if wrong := {*offered, *offers.taps.values()} - legal:
        raise Broken(f"{where} `{min(wrong)}` is offered but not legal")
    if len(offered) < len(legal) and not offers.picks:
        raise Broken(f"{where} `{min(legal - {*offered})}` is legal but not offered")
    for move in offers.moves:
        if not move.label or "{" in move.label + move.asks:
            raise Broken(f"{where} the button for `{move.text}` reads {move.label!r:.60}: see the label of its verb")
