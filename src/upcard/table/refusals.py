"""Explanations of refused moves: one sentence for players, with cards as signs, the same in every user interface.

They use only the person's scene with its offers, and the text of the clause.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from upcard.engine.match import Match
from upcard.rules import cards, pages
from upcard.rules.notation import Attempt
from upcard.rules.phrases import listed
from upcard.rules.placeholders import with_numbers
from upcard.table.offers import fill_text
from upcard.table.scene import SceneView

FEW = 6
"""The most cards or numbers listed as alternatives."""
TIMES = {1: "once", 2: "twice"}
LONGEST = 40
"""The most letters quoted from a text that is not a move."""


def explain(match: Match[Any], scene: SceneView, names: Sequence[str], text: str, clause: str) -> str:
    """The sentence for the person who sees this scene and tried the move `text`, which `clause` forbids."""
    if scene.done:
        return "The match is over."
    if scene.seat not in scene.to_act:
        return "It is not your turn."
    return _why(match, scene, names, match.game.notation.read(text), clause) + "."


def _why(match: Match[Any], scene: SceneView, names: Sequence[str], attempt: Attempt, clause: str) -> str:
    if attempt.verb is None:
        return f"“{pages.in_signs(attempt.text):.{LONGEST}}” is not a move in {match.game.title.rstrip('!')}"
    named = [word for word in attempt.text.split() if cards.read(word) is not None]
    word = match.game.notation.spec(attempt.verb).word
    if missing := _missing(scene, named, plays=word == ""):
        return _not_held(missing, scene.hand)
    ways = _ways(scene, word)
    if word == "" and len(named) == 1 and (sign := _to_follow(scene, named[0], ways)):
        return f"You have {sign}, so you must follow suit" + _as_way_out(ways)
    if reason := match.game.why.get(clause):
        return with_numbers(reason, match.setup) + _as_way_out(ways)
    if word == "" and not ways:
        return "This is not the time to play a card"
    gist = pages.in_signs(pages.gist(match.setup, clause)) if clause != match.game.clauses.event else ""
    return _impossible(match, names, attempt) + (f": {gist}" if gist else "")


def _missing(scene: SceneView, named: list[str], *, plays: bool) -> list[str]:
    """The named cards that the person neither holds nor sees on the table; a card to be played must be their own."""
    zones = [zone for zone in scene.zones if not plays or (zone.owner == scene.seat and zone.role != "trick")]
    visible = {card for zone in zones for card in zone.cards}
    missing = Counter(named) - Counter(scene.hand)
    return [card for card in missing.elements() if card not in visible]


def _not_held(missing: list[str], hand: list[str]) -> str:
    """The sentence about named cards that are not held, or not as often as they were named."""
    held = hand.count(missing[0])
    if held:
        return f"You hold {_signed(missing[:1])} only {TIMES.get(held, f'{held} times')}"
    return f"You do not hold {_signed(missing)}"


def _ways(scene: SceneView, word: str) -> list[str]:
    """The cards or numbers that legal moves of this verb name; empty if a move names several cards."""
    moves = [move for move in scene.offers.moves if move.verb == word]
    if any(len(move.cards) > 1 for move in moves) or any(pick.verb == word for pick in scene.offers.picks):
        return []
    if any(move.cards for move in moves):
        return list(dict.fromkeys(card for move in moves for card in move.cards))
    return [str(move.number) for move in moves if move.number is not None]


def _as_way_out(ways: list[str]) -> str:
    """The alternatives as `: 5♠, 6♠ or 9♠` or `: 5 to 14`; empty if there are none or too many."""
    if all(map(str.isdecimal, ways)):
        numbers = sorted(map(int, ways))
        if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
            return f": {numbers[0]} to {numbers[-1]}"
    return f": {listed([_signed([way]) for way in ways], 'or')}" if 0 < len(ways) <= FEW else ""


def _to_follow(scene: SceneView, card: str, ways: list[str]) -> str:
    """The sign of the suit led, if it must be followed and this card does not; otherwise empty."""
    trick = next((zone.cards for zone in scene.zones if zone.role == "trick"), [])
    if not trick or trick[0] == "*" or {way[1:] for way in ways} != {trick[0][1:]} or card[1:] == trick[0][1:]:
        return ""
    if {*ways} & {*scene.order.trumps}:  # trumps may not belong to their printed suit
        return ""
    return cards.SUIT_SIGNS[cards.SUITS.index(trick[0][1:])]


def _impossible(match: Match[Any], names: Sequence[str], attempt: Attempt) -> str:
    """The sentence that an attempt is not possible, named like its button if it can be parsed."""
    if attempt.move is None:
        return f"“{pages.in_signs(attempt.text):.{LONGEST}}” is not possible"
    verb = match.game.notation.spec(attempt.move)
    if verb.word == "":
        return f"{cards.sign(attempt.card)} cannot be played now"
    seats = [item for kind, item in zip(verb.items, attempt.items or (), strict=False) if kind == "seat"]
    if "{worth}" in verb.label or any(seat >= len(names) for seat in seats):
        return f"“{pages.in_signs(attempt.text)}” is not possible now"
    return f"“{fill_text(verb.label, match.setup, attempt.move, names)}” is not possible now"


def _signed(texts: Sequence[str]) -> str:
    return " ".join(map(pages.in_signs, texts))
