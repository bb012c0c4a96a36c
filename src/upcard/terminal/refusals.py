"""Why a move was refused: first in a player's words, then the clause of the rulebook."""

from __future__ import annotations

from collections import Counter
from typing import Any

from upcard.rules import cards, pages
from upcard.rules.game import Game
from upcard.rules.words import listed
from upcard.table.errors import Refusal
from upcard.table.messages import Refused
from upcard.table.scene import SceneView
from upcard.terminal import choosing, words

FEW = 6
"""No more cards or numbers than this are told as a way out."""


def explained(game: Game[Any], scene: SceneView, text: str, refused: Refused) -> Refusal:
    """What to say against a move that the table refused."""
    if refused.clause is None or scene.seat not in scene.to_act:
        return Refusal("The match is over" if scene.done else refused.text, refused.clause)
    why = _why(game, scene, text)
    gist = "" if why else pages.gist(game, refused.clause)
    said = why or f"“{words.in_signs(text):.40}” is not possible" + (f". {gist}" if gist else "")
    return Refusal(said + (f" ({refused.clause})" if refused.clause else ""), refused.clause or None)


def _why(game: Game[Any], scene: SceneView, text: str) -> str:
    """What can be told from what the person sees and is offered; empty where only the clause can tell it."""
    said = words.in_signs(text)
    attempt = game.notation.read(text)
    if attempt.verb is None:
        return f"“{said:.40}” is no move in this game"
    word = game.notation.spec(attempt.verb).word
    named = [word for word in text.split() if cards.read(word) is not None]
    if missing := _missing(scene, named):
        return f"You do not hold {choosing.signs(missing)}"
    ways = [move.text for move in scene.offers.moves if move.verb == word]
    ways += [pick.verb for pick in scene.offers.picks if pick.verb == word]
    if word == "" and not ways:
        wanted = {move.verb for move in scene.offers.moves if move.cards} | {pick.verb for pick in scene.offers.picks}
        verb = f" with “{wanted.pop()}”" if len(wanted) == 1 else ""
        return f"{said} cannot be chosen now{verb}" if wanted or verb else "It is not the time to play a card"
    if word == "" and len(named) == 1:
        return _not_this_card(scene, named[0], ways)
    numbers = _numbers(scene, word)
    return f"“{said:.40}” is not possible, you may {word} {numbers}" if numbers else ""


def _missing(scene: SceneView, named: list[str]) -> list[str]:
    """Those of the cards that the person neither holds nor sees lying on the table."""
    lying = {card for zone in scene.zones for card in zone.cards}
    missing = Counter(named) - Counter(scene.hand)
    return [card for card in missing.elements() if card not in lying]


def _not_this_card(scene: SceneView, card: str, ways: list[str]) -> str:
    """Of a card that is held but cannot be played."""
    trick = next((zone.cards for zone in scene.zones if zone.role == "trick"), [])
    allowed = listed(list(map(words.in_signs, ways)), "or") if len(ways) <= FEW else ""
    suits = {way[1:] for way in ways}
    if trick and suits == {trick[0][1:]} != {card[1:]}:
        sign = cards.SUIT_SIGNS[cards.SUITS.index(trick[0][1:])] if trick[0] != "*" else "jokers"
        return f"You have {sign}, so you must follow suit" + (f": {allowed}" if allowed else "")
    return f"{words.in_signs(card)} cannot be played now" + (f": you may play {allowed}" if allowed else "")


def _numbers(scene: SceneView, word: str) -> str:
    """The numbers that may be said with this word: "5 to 14"."""
    said = [move.number for move in scene.offers.moves if move.verb == word and not move.cards]
    numbers = sorted(number for number in said if number is not None)
    if len(numbers) < len(said) or not numbers:
        return ""
    if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]}"
    return listed(list(map(str, numbers)), "or") if len(numbers) <= FEW else ""
