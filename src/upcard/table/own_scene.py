"""Scenes addressed to their viewer, who is called "you" in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import structs

from upcard.engine.views import View
from upcard.rules.second_person import ME, you
from upcard.rules.sentences import Sentence, sentence
from upcard.table.journal import Ended
from upcard.table.offers import Offers
from upcard.table.scene import DrawnScene, SceneView, TrickCards, draw_scene


def names_with_me(names: Sequence[str], seat: int | None) -> tuple[str, ...]:
    """The names at a table, with `ME` for the given seat."""
    return tuple([ME if seat == i else name for i, name in enumerate(names)])


def describe_to(seen: View[Any], last_trick: TrickCards, names: Sequence[str], ended: Ended | None = None) -> SceneView:
    """The scene of a view, addressed to its seat as "you"; `ended` is the entry that gave the match
    up, if one did."""
    return draw_to(seen, last_trick, names, ended).shown


def draw_to(
    seen: View[Any],
    last_trick: TrickCards,
    names: Sequence[str],
    ended: Ended | None = None,
    before: DrawnScene | None = None,
) -> DrawnScene:
    """Like `describe_to`; `before` is an earlier scene of the same viewer at the same table."""
    to_seat = names_with_me(names, seen.seat)
    drawn = draw_scene(seen, last_trick, to_seat, before)
    if ended is not None:
        _give_up(drawn.shown, ended, to_seat)
    if seen.seat is not None:
        _say_you(drawn.shown)
    return drawn


def _ended_prompt(ended: Ended, by: str) -> Sentence:
    """The prompt of a match that was given up."""
    match ended.why:
        case "conceded":
            return sentence("The match is over: {player} concedes", player=by)
        case "closed":
            return sentence("The match is over: the house closed this table")
        case "unfinished":
            return sentence("The match goes no further here")
    return sentence("The match is over, without a winner")


def _give_up(scene: SceneView, ended: Ended, names: Sequence[str]) -> None:
    """Change the scene to that of a match that was given up, which the game itself does not know."""
    scene.prompt = _ended_prompt(ended, "" if ended.by is None else names[ended.by])
    scene.to_act, scene.offers = [], Offers()
    for seat in scene.seats:
        seat.to_act = False


def _say_you(scene: SceneView) -> None:
    """Address what is no sentence yet: the plain texts of games that compose their own."""
    scene.headline = you(scene.headline, ME)
    scene.prompt = you(scene.prompt, ME)
    scene.result = [you(line, ME) for line in scene.result]
    offers = scene.offers
    offers.moves = [
        structs.replace(move, label=you(move.label, ME)) if ME in move.label else move for move in offers.moves
    ]
    for row in offers.rows:
        row.title, row.words = you(row.title, ME), [you(word, ME) for word in row.words]
