"""A table's refusals of moves, in players' words, in every game."""

import re
from random import Random

import pytest

from upcard import games
from upcard.engine.chance import shuffler
from upcard.engine.errors import IllegalMove
from upcard.engine.match import Match
from upcard.rules import cards, pages
from upcard.rules.game import Game
from upcard.rules.placeholders import with_numbers
from upcard.table.refusals import explain
from upcard.table.scene import describe

NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ina", "Jo"]
CODE = re.compile(r"(?<!\w)(10|[2-9TJQKA])[cdhs](?!\w)|\*|`|header:|_")
EVENTS = 25


def attempts(match: Match, seat: int, rng: Random) -> list[str]:
    """What a person can try here: every card of the hand with the words of the game, other cards, nonsense."""
    notation = match.game.notation
    held = match.report()["hands"][seat] or ["As"]
    pick = {"suit": "hs", "rank": "A7", "number": ["0", "1", "9", "99"], "seat": ["0", "1", "63"]}
    found = ["5s", "spam", *held]
    for verb in notation.verbs:
        kinds = ["card", "card", "card"] if verb.items == ("card+",) else [kind.rstrip("+") for kind in verb.items]
        for _ in range(2):
            items = [rng.choice([*held, "*"]) if kind == "card" else rng.choice(pick[kind]) for kind in kinds]
            found.append(" ".join(filter(None, [verb.word, *items])))
    return found


def test_every_refusal_is_a_sentence_for_players(game: type[Game]) -> None:
    """No card in letters, no notation, no word of records or programs; where a clause has words of its own, those."""
    rng, told = Random(game.slug), dict[str, str]()
    match = Match(game, game.default_players, chance=shuffler(7))
    while not match.done and len(match.events) < EVENTS:
        seat = rng.choice(match.to_act)
        scene = describe(match.view(seat), match.last_trick, NAMES[: match.players])
        for text in attempts(match, seat, rng):
            try:
                match.fork().play(seat, text)
            except IllegalMove as refused:
                refusal = explain(match, scene, NAMES[: match.players], text, refused.clause)
                told.setdefault(refusal, refused.clause)
        match.play(seat, rng.choice(match.legal(seat)))
    assert len(told) > 5
    for said, clause in told.items():
        assert re.match(r"[“A-Z0-9]", said), said
        assert said.endswith(".") and not said.endswith("..") and said.count("\n") == 0, said
        assert not CODE.search(said.replace("“*”", "")), said
        assert not re.search(r"\b(event|seat|move of|not due|awaited|record)\b", said), said
        plain = re.match(r"“.*” is not a move in|You do not hold|You hold|You have|This is not the time", said)
        assert plain or clause == game.clauses.event or clause in game.why, (clause, said)


def test_the_words_for_clauses_are_those_of_the_page(game: type[Game]) -> None:
    assert set(game.why) <= set(pages.clauses(game))
    for said in (with_numbers(reason, game()) for reason in game.why.values()):
        assert not CODE.search(said) and said[-1] not in ".:" and said[0] in "“ABCDEFGHIJKLMNOPQRSTUVWXYZ", said


def test_who_can_follow_suit_is_told_so_with_signs() -> None:
    match = Match(games.load("oh-hell"), 3, chance=shuffler(3))
    wrong, legal, seat = list[str](), [""], 0
    while not wrong:
        match.play(match.to_act[0], match.legal(match.to_act[0])[0])
        seat = match.to_act[0]
        legal = match.legal(seat)
        wrong = [card for card in match.report()["hands"][seat] if match.phase == "play" and card not in legal]
    with pytest.raises(IllegalMove) as refused:
        match.play(seat, wrong[0])
    scene = describe(match.view(seat), match.last_trick, NAMES[:3])
    sign = cards.SUIT_SIGNS[cards.SUITS.index(legal[0][1])]
    said = explain(match, scene, NAMES[:3], wrong[0], refused.value.clause)
    assert said.startswith(f"You have {sign}, so you must follow suit: ")


def test_a_card_that_lies_in_the_trick_is_not_held() -> None:
    match = Match(games.load("linger-longer"), 4, chance=shuffler(0))
    led = match.legal(match.to_act[0])[0]
    match.play(match.to_act[0], led)
    seat = match.to_act[0]
    with pytest.raises(IllegalMove) as refused:
        match.play(seat, led)
    said = explain(match, describe(match.view(seat), (), NAMES[:4]), NAMES[:4], led, refused.value.clause)
    assert said == f"You do not hold {pages.in_signs(led)}."
