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
from upcard.rules.placeholders import with_numbers
from upcard.rules.sentences import Sentence, as_sentence, joined_by, listed, sentence
from upcard.table.offers import fill_text
from upcard.table.scene import SceneView

FEW = 6
"""The most cards or numbers listed as alternatives."""
LONGEST = 40
"""The most letters quoted from a text that is not a move."""


def explain(match: Match[Any], scene: SceneView, names: Sequence[str], text: str, clause: str) -> Sentence:
    """The sentence for the person who sees this scene and tried the move `text`, which `clause` forbids."""
    if scene.done:
        return sentence("The match is over.")
    if scene.seat not in scene.to_act:
        return sentence("It is not your turn.")
    return sentence("{refusal}.", refusal=_why(match, scene, names, match.game.notation.read(text), clause))


def _why(match: Match[Any], scene: SceneView, names: Sequence[str], attempt: Attempt, clause: str) -> Sentence:
    if attempt.verb is None:
        tried, title = pages.in_signs(attempt.text)[:LONGEST], as_sentence(match.game.title.rstrip("!"), match.game)
        return sentence("“{tried}” is not a move in {game}", tried=tried, game=title)
    named = [word for word in attempt.text.split() if cards.read(word) is not None]
    word = match.game.notation.spec(attempt.verb).word
    if missing := _missing(scene, named, plays=word == ""):
        return _not_held(missing, scene.hand)
    ways = _ways(scene, word)
    if word == "" and len(named) == 1 and (sign := _to_follow(scene, named[0], ways)):
        return _with_way_out(sentence("You have {suit}, so you must follow suit", suit=sign), ways)
    if reason := match.game.why.get(clause):
        return _with_way_out(with_numbers(reason, match.setup), ways)
    if word == "" and not ways:
        return sentence("This is not the time to play a card")
    gist = pages.in_signs(pages.gist(match.setup, clause)) if clause != match.game.clauses.event else ""
    impossible = _impossible(match, names, attempt)
    return sentence("{refusal}: {rule}", refusal=impossible, rule=as_sentence(gist, match.game)) if gist else impossible


def _missing(scene: SceneView, named: list[str], *, plays: bool) -> list[str]:
    """The named cards that the person neither holds nor sees on the table; a card to be played must be their own."""
    zones = [zone for zone in scene.zones if not plays or (zone.owner == scene.seat and zone.role != "trick")]
    visible = {card for zone in zones for card in zone.cards}
    missing = Counter(named) - Counter(scene.hand)
    return [card for card in missing.elements() if card not in visible]


def _not_held(missing: list[str], hand: list[str]) -> Sentence:
    """The sentence about named cards that are not held, or not as often as they were named."""
    held = hand.count(missing[0])
    if held:
        one, many = "You hold {card} only once", "You hold {card} only {n} times"
        return sentence(one, many, card=_signed(missing[:1]), n=held)
    return sentence("You do not hold {cards}", cards=_signed(missing))


def _ways(scene: SceneView, word: str) -> list[str]:
    """The cards or numbers that legal moves of this verb name; empty if a move names several cards."""
    moves = [move for move in scene.offers.moves if move.verb == word]
    if any(len(move.cards) > 1 for move in moves) or any(pick.verb == word for pick in scene.offers.picks):
        return []
    if any(move.cards for move in moves):
        return list(dict.fromkeys(card for move in moves for card in move.cards))
    return [str(move.number) for move in moves if move.number is not None]


def _with_way_out(reason: str, ways: list[str]) -> Sentence:
    """The reason with the alternatives, as `…: 5♠, 6♠ or 9♠` or `…: 5 to 14`; alone if there are none or too many."""
    if all(map(str.isdecimal, ways)):
        numbers = sorted(map(int, ways))
        if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
            return sentence("{reason}: {least} to {most}", reason=reason, least=numbers[0], most=numbers[-1])
    if 0 < len(ways) <= FEW:
        return sentence("{reason}: {ways}", reason=reason, ways=listed([_signed([way]) for way in ways], "or"))
    return as_sentence(reason, None)


def _to_follow(scene: SceneView, card: str, ways: list[str]) -> str:
    """The sign of the suit led, if it must be followed and this card does not; otherwise empty."""
    trick = next((zone.cards for zone in scene.zones if zone.role == "trick"), [])
    if not trick or trick[0] == "*" or {way[1:] for way in ways} != {trick[0][1:]} or card[1:] == trick[0][1:]:
        return ""
    if {*ways} & {*scene.order.trumps}:  # trumps may not belong to their printed suit
        return ""
    return cards.SUIT_SIGNS[cards.SUITS.index(trick[0][1:])]


def _impossible(match: Match[Any], names: Sequence[str], attempt: Attempt) -> Sentence:
    """The sentence that an attempt is not possible, named like its button if it can be parsed."""
    if attempt.move is None:
        return sentence("“{tried}” is not possible", tried=pages.in_signs(attempt.text)[:LONGEST])
    verb = match.game.notation.spec(attempt.move)
    if verb.word == "":
        return sentence("{card} cannot be played now", card=cards.sign(attempt.card))
    seats = [item for kind, item in zip(verb.items, attempt.items or (), strict=False) if kind == "seat"]
    tried: str = pages.in_signs(attempt.text)
    if "{worth}" not in verb.label and all(seat < len(names) for seat in seats):
        tried = fill_text(verb.label, match.setup, attempt.move, names)
    return sentence("“{tried}” is not possible now", tried=tried)


def _signed(texts: Sequence[str]) -> Sentence:
    return joined_by(" ", map(pages.in_signs, texts))
