"""Scenes and log lines: what faces draw. They say what the table shows and nothing that a seat may not know."""

import json
from random import Random
from typing import Any

import pytest
from playing import GAMES, play_on, random_event, random_match
from test_hidden import twins

from upcard import Match, scene, shuffler
from upcard.engine.views import Event, hears, tell, view
from upcard.rules import Game, Scene, Zone, cards
from upcard.table.scene import Log, describe, sort_hand

FIELDS = {
    *("game", "title", "seat", "players", "phase", "deal", "trump", "headline", "prompt", "to_act", "hand", "seats"),
    *("zones", "last_trick", "moves", "result", "done", "winners"),
}
NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ina", "Jo"]


@pytest.fixture(params=GAMES, ids=lambda game: game.slug)
def game(request: pytest.FixtureRequest) -> Game:
    return request.param


def logged(match: Match, rng: Random, most: int) -> tuple[Match, Log]:
    """The match after so many random events, and its log."""
    log = Log(match.game, match.options)
    while not match.done and len(match.events) < most:
        after = match.fork()
        after.event(random_event(match, rng))
        log.note(match, after)
        match = after
    return match, log


# ------------------------------------------------------------------------------------------------------ nothing leaks


@pytest.mark.parametrize("seed", range(6))
def test_states_that_a_seat_cannot_tell_apart_give_the_same_scene(game: Game, seed: int) -> None:
    tried = 0
    for match, seat, twin in twins(game, seed):
        ours = describe(match.view(seat), match.last_trick, NAMES)
        other = describe(view(match.setup, twin, seat), match.last_trick, NAMES)
        assert json.dumps(ours) == json.dumps(other)
        tried += 1
    assert tried > 20


@pytest.mark.parametrize("seed", range(4))
def test_moves_that_a_seat_does_not_hear_apart_give_the_same_line(game: Game, seed: int) -> None:
    match, rng = random_match(game, seed), Random(seed)
    log = Log(game, match.options)
    for _ in range(200):
        if match.done:
            break
        after = match.fork()
        after.event(random_event(match, rng))
        if match.to_act:
            mover = int(str(after.events[-1]).split(" ")[0])
            for other_move in rng.sample(match.legal(mover), min(4, len(match.legal(mover)))):
                compare_lines(match, after, mover, other_move)
        log.note(match, after)
        match = after


def compare_lines(match: Match, after: Match, mover: int, other_move: str) -> None:
    """Two moves of which a seat hears as much: the log must tell it as much, too."""
    game, twin = match.game, match.fork()
    twin.play(mover, other_move)
    moves = [game.notation.read(str(one.events[-1]).split(" ", 1)[1]).move or 0 for one in (after, twin)]
    spec = game.notation.spec(moves[0])
    for seat in [None, *range(match.players)]:
        heard = [
            hears(game, match.state, one.state, match.options, mover, move, seat)
            for one, move in zip((after, twin), moves, strict=True)
        ]
        if spec is game.notation.spec(moves[1]) and heard[0] is heard[1] is not Audience.ALL:
            lines = []
            for one in (after, twin):
                log = Log(game, match.options)
                log.note(match, one)
                lines.append(log.line(0, seat, NAMES))
            if heard[0] is not Audience.COUNT or len({len(game.notation.items(move)) for move in moves}) == 1:
                assert lines[0] == lines[1]


def test_a_sealed_move_is_told_to_its_mover_and_to_all_when_it_is_opened() -> None:
    match, log = Match("oh-hell", 3), None
    log = Log(match.game, match.options)
    lines: list[list[str]] = []
    for text in ("deal", "1 bid 1", "0 bid 0", "2 bid 1"):
        after = match.fork()
        after.event(after.draw_lots(Random(1)) if text == "deal" else text)
        log.note(match, after)
        match = after
        lines.append([log.line(len(log) - 1, seat, NAMES) for seat in (None, 0, 1, 2)])
    assert lines[0] == ["Deal 1: Ann deals"] * 4
    quiet = lines[1][0]
    assert quiet.startswith("Bo has")
    assert "1" not in quiet
    assert lines[1] == [quiet, quiet, "Bo bids 1", quiet]
    assert lines[3] == ["All is open: Ann bids 0, Bo bids 1, Cy bids 1"] * 4


def test_a_move_that_is_only_counted_is_told_with_its_number(game: Game) -> None:
    spec = game.notation.spec(0)
    event = Event(1, 5, Audience.COUNT)
    assert tell(game, event, 0).move is None
    assert tell(game, event, 0).count == 1
    assert tell(game, event, 1).move == 5
    assert scene.say(game, tell(game, event, None), NAMES) == f"Bo {spec.quiet} (1 card)"


# ---------------------------------------------------------------------------------------------------- what is in them


@pytest.mark.parametrize("seed", range(4))
def test_every_scene_of_every_game_is_as_the_protocol_describes_it(game: Game, seed: int) -> None:
    match, rng = random_match(game, seed), Random(seed)
    names = NAMES[: match.players]
    for _ in play_on(match, rng, 300):
        for seat in [None, *match.to_act]:
            told = describe(match.view(seat), match.last_trick, names)
            assert set(told) == FIELDS
            json.dumps(told)
            check(told, match, seat)


def check(told: dict[str, Any], match: Match, seat: int | None) -> None:
    assert told["phase"] == match.phase
    assert told["to_act"] == match.to_act
    assert [move["text"] for move in told["moves"]] == match.view(seat).legal()
    assert [one["cards"] for one in told["seats"]] == [
        len(match.game.hand.cards(match.state, who)) for who in range(match.players)
    ]
    assert [one["score"] for one in told["seats"]] == match.scores
    hand = [] if seat is None else match.game.hand.cards(match.state, seat)
    assert sorted(told["hand"]) == sorted(map(cards.text, hand))
    if seat is not None:
        assert told["seats"][seat]["open"] == []
    ids = [zone["id"] for zone in told["zones"]]
    assert len(ids) == len(set(ids))
    for move in told["moves"]:
        assert move["label"]
        assert "{" not in move["label"]
        assert move.get("zone", ids[0] if ids else None) in [*ids, None]
    if "dummy" in json.dumps([told["last_trick"], [zone["cards"] for zone in told["zones"]]]):
        assert "dummy" in ids
    for zone in told["zones"]:
        assert zone["kind"] in ("trick", "pile", "row", "meld")
        if zone["kind"] == "trick":
            assert [(one["seat"], one["card"]) for one in zone["cards"]] == [
                (who if who < match.players else "dummy", cards.text(card))
                for who, card in match.game.trick(match.state)  # type: ignore[misc]
            ]
    if told["last_trick"]:
        assert told["last_trick"]["taker"] in [*range(match.players), "dummy"]
        assert told["last_trick"]["taker"] in [one["seat"] for one in told["last_trick"]["cards"]]
    assert "{" not in "".join(told["result"])


def test_prompts_say_whose_turn_it_is() -> None:
    match = Match("sixty-six", chance=Random(1))
    assert describe(match.view(1), (), NAMES)["prompt"] == "Your turn: lead a card"
    assert describe(match.view(0), (), NAMES)["prompt"] == "Waiting for Bo"
    assert describe(match.view(None), (), NAMES)["prompt"] == "Waiting for Bo"
    assert describe(Match("sixty-six").view(0), (), NAMES)["prompt"] == "Waiting for the cards"


def test_a_trick_and_a_result_are_told_with_names() -> None:
    match = Match("sixty-six", options={"target": 1}, chance=Random(4))
    log = Log(match.game, match.options)

    def play(seat: int, text: str) -> str:
        nonlocal match
        before, match = match, match.fork()
        match._chance = None
        match.play(seat, text)
        log.note(before, match)
        return log.line(len(log) - 1, 0, NAMES)

    first = match.legal(1)[0]
    assert play(1, first) == f"Bo plays {cards.sign(cards.read(first) or 0)}"
    line = play(0, match.legal(0)[0])
    assert line.endswith(("; Bo takes the trick", " and takes the trick"))
    told = describe(match.view(0), match.last_trick, NAMES)
    assert [one["seat"] for one in told["last_trick"]["cards"]] == [1, 0]
    leader = match.to_act[0]
    line = play(leader, "declare")
    assert line.startswith(f"{NAMES[leader]} declares 66. A wrong claim of 66: {NAMES[1 - leader]} wins the deal")
    told = describe(match.view(0), match.last_trick, NAMES)
    assert told["done"]
    assert told["winners"] == [1 - leader]
    assert told["prompt"] == f"The match is over: {NAMES[1 - leader]} wins"
    assert told["result"][0] == f"A wrong claim of 66: {NAMES[1 - leader]} wins the deal"


def test_every_event_has_one_line_for_every_seat(game: Game) -> None:
    match, log = logged(random_match(game, 3), Random(3), 200)
    assert len(log) == len(match.events)
    for number in range(len(log)):
        for seat in [None, *range(match.players)]:
            line = log.line(number, seat, NAMES[: match.players])
            assert line
            assert "\n" not in line
            assert "{" not in line


def test_names_may_hold_anything() -> None:
    match, log = logged(Match("sixty-six"), Random(1), 30)
    names = ["{0}", "{names} %s"]
    assert log.line(0, 0, names) == "Deal 1: {0} deals"
    assert describe(match.view(0), match.last_trick, names)["seats"][0]["seat"] == 0


# -------------------------------------------------------------------------------------------------------------- hands


def hand(text: str) -> list[int]:
    return [card for card in map(cards.read, text.split()) if card is not None]


def shown(text: str, **told: Any) -> str:
    return " ".join(map(cards.text, sort_hand(hand(text), Scene("", "", (), (), **told))))


@pytest.mark.parametrize(
    ("held", "trump", "sorted_hand"),
    [
        ("2c As 3h Kd 4s Qc", None, "As 4s 3h Qc 2c Kd"),
        ("2c As 3h Kd 4s Qc", "h", "As 4s Kd Qc 2c 3h"),
        ("2c As 3h Kd 4s Qc", "s", "3h Qc 2c Kd As 4s"),
        ("2c 3c Ah Kh 9d", "c", "Ah Kh 9d 3c 2c"),
        ("2c 9d Ah", "d", "Ah 2c 9d"),
        ("As 2c 9d 3h", "c", "3h As 9d 2c"),
        ("* 2c * Kd", None, "2c Kd * *"),
        ("Ks Ks 3h Ks", None, "Ks Ks Ks 3h"),
        ("", "h", ""),
    ],
)
def test_a_hand_is_sorted_with_trumps_right_and_colours_alternating(
    held: str, trump: str | None, sorted_hand: str
) -> None:
    assert shown(held, trump=cards.NO_SUIT if trump is None else cards.read_suit(trump)) == sorted_hand


def test_a_hand_is_sorted_by_the_games_own_strength() -> None:
    assert shown("Ks Ts As 9s", strength=cards.ranking("A T K Q J 9")) == "As Ts Ks 9s"
    assert shown("Ks Js As 9h Jh Ah", trump=2, trump_strength=cards.ranking("J 9 A T K Q 8 7")) == "As Ks Js Jh 9h Ah"


def test_trumps_of_other_suits_stand_right_of_the_trump_suit() -> None:
    jacks = cards.as_set(hand("Js Jh Jd Jc"))
    assert shown("Js Kc As Jh 3c", trump=0, trumps=jacks).split()[-4:] == ["Kc", "3c", "Js", "Jh"]


def test_a_zone_says_whose_it_is_and_how_many_cards_lie_in_it() -> None:
    drawn = scene._zone(Zone("meld-4", "meld", "4", (cards.JOKER,), owner=0, number=4), 2)
    assert drawn == {"id": "meld-4", "kind": "meld", "label": "4", "count": 1, "cards": ["*"], "owner": 0, "number": 4}
    assert scene._zone(Zone("stock", "pile", "Stock", count=7), 2)["count"] == 7


def test_a_move_with_a_number_names_the_zone_it_goes_to() -> None:
    if "kalooki" not in {game.slug for game in GAMES}:
        pytest.skip("no game with melds is being tested")
    rng = Random(5)
    for seed in range(8):
        match = random_match(GAMES[0] if GAMES[0].slug == "kalooki" else Match("kalooki").game, seed)
        for _ in play_on(match, rng, 400):
            for seat in match.to_act:
                for move in describe(match.view(seat))["moves"]:
                    if move["verb"] == "tack":
                        assert move["zone"] == f"meld-{move['number']}"
                        return
    pytest.fail("nobody could tack on")


def test_where_tricks_cannot_be_looked_through_the_log_keeps_only_the_last() -> None:
    """SS-46 with option `count` at `hidden`."""
    kept = {}
    for count in ("shown", "hidden"):
        match = Match("sixty-six", options={"count": count}, chance=shuffler(3))
        log = Log(match.game, match.options)
        for _ in range(6):
            before = match.fork()
            seat = match.to_act[0]
            match.play(seat, next(move for move in match.legal(seat) if len(move) == 2))
            log.note(before, match)
        kept[count] = log.oldest
    assert kept == {"shown": 0, "hidden": 4}
