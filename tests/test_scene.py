"""Scenes and log lines, which the user interfaces draw: they show the table, and nothing that a seat may not know."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest
from playing import GAMES, play_on, random_event, random_match

from upcard import Match, games, shuffler
from upcard.engine.errors import UpcardError
from upcard.engine.events import move_event
from upcard.engine.views import seen_event, view
from upcard.engine.worlds import world
from upcard.games.oh_hell import OhHell
from upcard.games.oh_hell.rules import OhHellState
from upcard.laws.hidden import state_twin
from upcard.rules import Audience, Mark, Scene, Zone, cards, override
from upcard.rules.game import Game
from upcard.rules.scene import MARK_ROLES, ROLES
from upcard.table.journal import Returned, Substituted
from upcard.table.log import Log, event_line
from upcard.table.scene import SceneView, describe, draw_scene, sort_hand

NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ina", "Jo"]


def note(log: Log, match: Match, text: str, names: Sequence[str] = NAMES) -> str:
    """Let an event happen and take it down; what seat 0 is told of it."""
    before = match.state.copy()
    log.note(len(match.events), before, match, match.event(text), names)
    return log.last(0).text


@pytest.mark.parametrize("slug", ["oh-hell", "kalooki", "cinch"])
def test_places_stand_by_the_scores_whether_many_points_win_or_few(slug: str) -> None:
    match, order = random_match(games.load(slug), 1), -1 if slug == "kalooki" else 1
    for _ in play_on(match, Random(1)):
        seats = describe(match.view(None)).seats
        worth = [order * seat.score for seat in seats]
        assert [seat.place for seat in seats] == [1 + sum(other > own for other in worth) for own in worth]
    assert {seat.place for seat in seats if match.state.winners >> seat.seat & 1} == {1}
    assert len({seat.place for seat in seats}) > 1


# ------------------------------------------------------------------------------------------------------ nothing leaks


@pytest.mark.parametrize("seed", range(4))
def test_states_that_a_seat_cannot_tell_apart_give_the_same_scene(game: type[Game], seed: int) -> None:
    match, rng, tried = random_match(game, seed), Random(seed), 0
    for _ in play_on(match, rng, 250):
        for seat in [None, *range(match.players)]:
            if twin := state_twin(match, seat, rng):
                ours = describe(match.view(seat), match.last_trick, NAMES)
                other = describe(view(match.setup, twin, seat), match.last_trick, NAMES)
                assert msgspec.json.encode(ours, enc_hook=str) == msgspec.json.encode(other, enc_hook=str)
                tried += 1
    assert tried > 20


def test_a_scene_that_shares_parts_with_the_last_one_is_the_same_as_one_made_anew(game: type[Game]) -> None:
    match, shared = random_match(game, 1), 0
    seats = [None, *range(match.players)]
    drawn = {seat: draw_scene(match.view(seat), match.last_trick, NAMES) for seat in seats}
    for number, _ in enumerate(play_on(match, Random(1), 250)):
        names = NAMES if number % 10 else NAMES[::-1]  # they may change at any time
        for seat in seats:
            anew = describe(match.view(seat), match.last_trick, names)
            before, drawn[seat] = drawn[seat], draw_scene(match.view(seat), match.last_trick, names, drawn[seat])
            shown, was = drawn[seat].shown, before.shown
            assert msgspec.json.encode(shown, enc_hook=str) == msgspec.json.encode(anew, enc_hook=str)
            shared += sum(one.marks is other.marks for one, other in zip(shown.seats, was.seats, strict=True))
            shared += shown.finished is was.finished
    assert shared > 100


def test_the_log_adds_to_a_move_only_what_a_seat_sees(game: type[Game]) -> None:
    """Where a seat can tell two tables apart neither before nor after a move, it reads the same line at both."""
    rng, compared = Random(game.slug), 0
    for seed in range(4):
        match = random_match(game, seed)
        for _ in play_on(match, rng, 120):
            if not match.to_act:
                continue
            seat, mover = rng.randrange(match.players), rng.choice(match.to_act)
            try:
                other = match.in_world(world(match.view(seat), rng))
            except UpcardError:  # while moves are sealed
                continue
            if common := sorted({*match.legal(mover)} & {*other.legal(mover)}):
                compared += reads_the_same(seat, mover, rng.choice(common), match, other)
    assert compared > 20


def reads_the_same(seat: int, mover: int, move: str, *tables: Match) -> bool:
    """Whether a seat can tell these tables apart neither before nor after a move; then its lines are equal."""
    views, lines = [], []
    for table in tables:
        after = table.fork()
        log = Log(after)
        log.note(0, table.state, after, after.play(mover, move), NAMES)
        views.append(after.view(seat))
        lines.append(log.last(seat).text)
    is_same = bool(views[0].state == views[1].state)
    assert not is_same or lines[0] == lines[1]
    return is_same


def test_moves_of_which_a_seat_is_told_the_same_give_the_same_line(game: type[Game]) -> None:
    compared = 0
    for seed in range(4):
        match, rng = random_match(game, seed), Random(seed)
        while not match.done and len(match.events) < 200:
            if match.to_act:
                mover = rng.choice(match.to_act)
                moves = match.legal(mover)
                compared += compare_lines(match, mover, rng.sample(moves, min(4, len(moves))))
            match.event(random_event(match, rng))
    assert compared or all(verb.heard is Audience.ALL for verb in game.notation.verbs)


def compare_lines(match: Match, mover: int, moves: list[str]) -> int:
    """Of two moves a seat may be told the same: then the log must say the same. Returns how often that was so."""
    told: dict[tuple[int | None, Any], str] = {}
    compared = 0
    for text in moves:
        after = match.fork()
        log = Log(after)
        log.note(0, match.state, after, after.play(mover, text), NAMES)
        event = after.events[len(match.events)]
        for seat in [None, *range(match.players)]:
            if event.audience is Audience.ALL or seat == mover:
                continue
            line = log.last(seat).text
            assert told.setdefault((seat, seen_event(event, seat)), line) == line
            compared += 1
    return compared


def test_a_sealed_move_is_told_to_its_mover_and_to_all_when_it_is_opened() -> None:
    match = Match("oh-hell", 3)
    log = Log(match)
    lines = []
    for text in (match.draw_lots(Random(1)), "1 bid 1", "0 bid 0", "2 bid 1"):
        note(log, match, text)
        lines.append([log.last(seat).text for seat in (None, 0, 1, 2)])
    assert lines[0] == ["Deal 1: Ann deals"] * 4
    quiet = lines[1][0]
    assert quiet.startswith("Bo has")
    assert "1" not in quiet
    assert lines[1] == [quiet, quiet, "Bo bids 1", quiet]
    assert lines[3] == ["All is revealed: Ann bids 0, Bo bids 1, Cy bids 1"] * 4


def test_a_move_that_is_only_counted_is_told_with_its_number(game: type[Game]) -> None:
    event = move_event(game.notation, 1, 5, Audience.COUNT, ())
    told = seen_event(event, 0)
    assert (told.move, told.count) == (None, 1)
    assert seen_event(event, 1).move == 5
    match = Match(game)
    assert event_line(match.setup, told, NAMES) == f"Bo {game.notation.spec(0).quiet} (1 card)"


# ---------------------------------------------------------------------------------------------------- what is in them


@pytest.mark.parametrize("seed", range(4))
def test_every_scene_says_what_the_table_shows(game: type[Game], seed: int) -> None:
    match, rng = random_match(game, seed), Random(seed)
    names = NAMES[: match.players]
    for _ in play_on(match, rng, 300):
        for seat in [None, *match.to_act]:
            told = describe(match.view(seat), match.last_trick, names)
            msgspec.json.encode(told, enc_hook=str)
            check_seats(told, match, seat)
            check_zones(told, match)
            check_moves(told, match, seat)


def check_seats(told: SceneView, match: Match, seat: int | None) -> None:
    seats = range(match.players)
    assert (told.phase, told.to_act, told.done) == (match.phase, match.to_act, match.done)
    assert [one.cards for one in told.seats] == [len(match.game.hand.cards(match.state, who)) for who in seats]
    assert [one.score for one in told.seats] == match.scores
    hand = [] if seat is None else match.game.hand.cards(match.state, seat)
    assert sorted(told.hand) == sorted(map(cards.text, hand))
    assert set(told.open) <= set(told.hand)
    assert seat is None or told.seats[seat].open == []
    assert len(told.finished) in (0, match.players)
    assert "{" not in "".join(told.result) + told.headline + told.prompt
    for one in told.seats:
        assert all(mark.label and mark.role in ("", *MARK_ROLES) for mark in one.marks)


def check_zones(told: SceneView, match: Match) -> None:
    ids = [zone.id for zone in told.zones]
    assert len(ids) == len(set(ids))
    for zone in told.zones:
        assert zone.role in ROLES
        assert zone.label
        assert zone.count >= len(zone.cards)
        if zone.role == "trick":
            played = match.setup.trick(match.state)
            who = [seat if seat < match.players else "dummy" for seat, _ in played]
            assert (zone.seats, zone.cards) == (who, [cards.text(card) for _, card in played])
            assert told.ahead is None or told.ahead in who
    if told.last_trick:
        assert told.last_trick.taker in told.last_trick.seats
        assert len(told.last_trick.cards) == len(told.last_trick.seats)


def check_moves(told: SceneView, match: Match, seat: int | None) -> None:
    offers, legal = told.offers, match.view(seat).legal()
    offered = [move.text for move in offers.moves]
    assert set(offered) <= set(legal)
    assert len(offered) == len(legal) or offers.picks
    assert set(offers.taps) <= set(told.hand) | {card for zone in told.zones for card in zone.cards}
    assert {text for row in offers.rows for text in row.texts} | set(offers.taps.values()) <= set(legal)
    for move in offers.moves:
        assert not (move.verb and move.zone and move.text in offers.taps.values())  # chosen before it goes there
        assert move.label
        assert "{" not in move.label + move.asks
        assert move.zone is None or told.zone(move.zone)


@pytest.mark.parametrize(("label", "picks"), [("Bid for {opt.declared}: {cards}", 1), ("Bid {0}, {1} and {2}", 0)])
def test_many_moves_are_a_choice_of_cards_unless_their_label_has_a_place_for_each(label: str, picks: int) -> None:
    notation = games.load("ninety-nine").notation.copy()
    number = next(number for number, verb in enumerate(notation.verbs) if verb.word == "bid")
    notation.verbs[number] = replace(notation.verbs[number], label=label, asks="Bid, for {opt.declared}?")
    game = games.load("ninety-nine").variant("bidding", notation=notation)
    match = Match(game, 3, chance=shuffler(1))
    seat = match.to_act[0]
    offers = describe(match.view(seat)).offers
    assert len(offers.picks) == picks
    if picks:
        assert (offers.picks[0].label, offers.picks[0].asks) == ("Bid for 30: {cards}", "Bid, for 30?")
    else:
        assert len(offers.moves) == len(match.legal(seat))
        assert "{" not in "".join(move.label for move in offers.moves)


def test_prompts_say_whose_turn_it_is() -> None:
    match = Match("sixty-six", chance=Random(1))
    assert describe(match.view(1), (), NAMES).prompt == "Your turn: lead a card"
    assert describe(match.view(0), (), NAMES).prompt == "Waiting for Bo"
    assert describe(match.view(None), (), NAMES).prompt == "Waiting for Bo"
    assert describe(Match("sixty-six").view(0), (), NAMES).prompt == "Waiting for the cards"


def test_a_trick_and_a_result_are_told_with_names() -> None:
    match = Match("sixty-six", options={"target": 1})
    log = Log(match)
    note(log, match, match.draw_lots(Random(4)))
    first = match.legal(1)[0]
    assert note(log, match, f"1 {first}") == f"Bo plays {cards.sign(cards.read(first) or 0)}"
    line = note(log, match, f"0 {match.legal(0)[0]}")
    assert line.endswith(("; Bo takes the trick", " and takes the trick"))
    trick = describe(match.view(0), match.last_trick, NAMES).last_trick
    assert trick is not None
    assert trick.seats == [1, 0]
    leader = match.to_act[0]
    line = note(log, match, f"{leader} declare")
    assert line.startswith(f"{NAMES[leader]} declares 66. A wrong claim of 66: {NAMES[1 - leader]} wins the deal")
    told = describe(match.view(0), match.last_trick, NAMES)
    assert (told.done, told.winners) == (True, [1 - leader])
    assert told.prompt == f"The match is over: {NAMES[1 - leader]} wins"
    assert told.result[0] == f"A wrong claim of 66: {NAMES[1 - leader]} wins the deal"


def test_a_line_knows_who_did_it_whatever_they_are_called() -> None:
    match, names = Match("sixty-six"), ["You", "Bo"]
    log = Log(match)
    note(log, match, match.draw_lots(Random(4)), names)
    note(log, match, f"1 {match.legal(1)[0]}", names)
    log.remark(9, Returned(seat=0), names, names)
    log.remark(9, Substituted(seat=0, level="casual"), names, names)
    done_by = [[line.by_you for line in log.lines(seat, 9, to=seat)] for seat in (0, 1, None)]
    assert done_by == [[False, False, True, False], [False, True, False, False], [False] * 4]


def test_names_may_hold_anything() -> None:
    match = Match("sixty-six")
    names = ["{0}", "{names} %s"]
    assert note(Log(match), match, match.draw_lots(Random(1)), names) == "Deal 1: {0} deals"
    assert describe(match.view(0), match.last_trick, names).seats[0].seat == 0


# -------------------------------------------------------------------------------------------------------------- hands


def hand(text: str) -> list[int]:
    return [card for card in map(cards.read, text.split()) if card is not None]


def shown(text: str, trump: str | None = None, **told: Any) -> str:
    suit = cards.NO_SUIT if trump is None else cards.read_suit(trump)
    assert suit is not None
    return " ".join(map(cards.text, sort_hand(hand(text), Scene("", "", (), (), **told), suit)))


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
    assert shown(held, trump) == sorted_hand


def test_a_hand_is_sorted_by_the_games_own_strength() -> None:
    assert shown("Ks Ts As 9s", strength=cards.ranking("A T K Q J 9")) == "As Ts Ks 9s"
    assert shown("Ks Js As 9h Jh Ah", "h", trump_strength=cards.ranking("J 9 A T K Q 8 7")) == "As Ks Js Jh 9h Ah"


def test_trumps_of_other_suits_stand_right_of_the_trump_suit() -> None:
    jacks = cards.as_set(hand("Js Jh Jd Jc"))
    assert shown("Js Kc As Jh 3c", "c", trumps=jacks).split()[-4:] == ["Kc", "3c", "Js", "Jh"]


# ------------------------------------------------------------------------------------------------- zones and the log


def with_scene(told: Scene) -> SceneView:
    """Oh Hell, dealt, with this scene in place of its own."""

    class Shown(OhHell):
        title = "Shown"

        @override
        def scene(self, s: OhHellState, seat: int | None) -> Scene:
            return told

    return describe(Match(Shown, 3, chance=shuffler(1)).view(0))


def test_a_zone_says_whose_it_is_and_how_many_cards_lie_in_it() -> None:
    zones = [Zone("meld-4", "meld", "4", (cards.JOKER,), owner=0, number=4), Zone("stock", "stock", "Stock", count=7)]
    told = with_scene(Scene("", "", zones, [[Mark("Chips", 5, "chips")], [], []]))
    meld, stock = told.zone("meld-4"), told.zone("stock")
    assert (meld.count, meld.cards, meld.owner, meld.number) == (1, ["*"], 0, 4)
    assert (stock.count, stock.cards) == (7, [])


def test_a_move_with_a_number_names_the_zone_it_goes_to() -> None:
    if "kalooki" not in {game.slug for game in GAMES}:
        pytest.skip("no game with melds is being tested")
    rng = Random(5)
    for seed in range(8):
        match = random_match(games.load("kalooki"), seed)
        for _ in play_on(match, rng, 400):
            for seat in match.to_act:
                for move in describe(match.view(seat)).offers.moves:
                    if move.verb == "tack":
                        assert move.zone == f"meld-{move.number}"
                        return
    pytest.fail("nobody could tack on")


def test_where_tricks_cannot_be_looked_through_the_log_keeps_only_the_last() -> None:
    """SS-46 with option `count` at `hidden`."""
    kept = {}
    for count in ("shown", "hidden"):
        match = Match("sixty-six", options={"count": count})
        log = Log(match)
        note(log, match, match.draw_lots(Random(3)))
        for _ in range(6):
            seat = match.to_act[0]
            note(log, match, f"{seat} {next(move for move in match.legal(seat) if len(move) == 2)}")
        kept[count] = log.oldest
    assert kept == {"shown": 0, "hidden": 5}


def test_before_the_first_deal_a_match_is_new(game: type[Game]) -> None:
    """It does not say that deal 0 is being played."""
    match = Match(game)
    assert describe(match.view(0)).headline == "A new match"
    match.event(match.draw_lots(Random(1)))
    assert describe(match.view(0)).headline != "A new match"


def test_the_trick_on_the_table_is_a_zone_of_every_game_with_tricks(game: type[Game]) -> None:
    match = random_match(game, 3)
    for after in play_on(match, Random(3), 40):
        zones = describe(after.view(0)).zones
        assert sum(zone.role == "trick" for zone in zones) == game.has_tricks()


def test_the_end_of_a_deal_is_told_the_same_when_the_next_one_is_dealt(game: type[Game]) -> None:
    """What is said then of the finished deal was true of it; a table deals on at once."""
    match, rng, ends = random_match(game, 2), Random(2), 0
    while not match.done and ends < 3:
        before = describe(match.view(0))
        dealt = match.state.deals
        match.event(random_event(match, rng))
        if dealt and match.state.deals > dealt:
            after = describe(match.view(0))
            assert after.result == before.result
            ends += 1
    assert ends or match.done
