"""The facts in scenes from which user interfaces draw instruments, by roles and without knowing the game."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from playing import play_on, random_match

from upcard import Match, games
from upcard.engine.worlds import world
from upcard.laws.law import random_event
from upcard.rules.game import Game
from upcard.rules.scene import MARK_ROLES, PLACES, ROLES, TABLE_MARK_ROLES
from upcard.table.changes import applied, scene_changes
from upcard.table.scene import MarkView, SceneView, describe

DOCS = Path(__file__).parents[1] / "docs/protocol.md"


def begun(slug: str, players: int | None = None, seed: int = 1, **options: Any) -> Match:
    """A match after its first deal."""
    match = Match(games.load(slug), players, options=options)
    match.event(random_event(match, Random(seed)))
    return match


def test_every_role_has_a_place_and_is_documented() -> None:
    page = DOCS.read_text(encoding="utf-8")
    assert {role.place for role in ROLES.values()} <= {*PLACES}
    for role, of in ROLES.items():
        assert f"| `{role}` | {of.text} | {of.place} |" in page
    for role, text in (MARK_ROLES | TABLE_MARK_ROLES).items():
        assert f"| `{role}` | {text} |" in page


@pytest.mark.parametrize("seed", range(3))
def test_every_mark_and_goal_can_be_drawn(game: type[Game], seed: int) -> None:
    match, rng = random_match(game, seed), Random(seed)
    before: dict[int | None, SceneView] = {}
    for _ in play_on(match, rng, 150):
        for seat in [None, *range(match.players)]:
            scene = describe(match.view(seat), match.last_trick)
            for mark in scene.marks:
                assert mark.role in TABLE_MARK_ROLES
            for mark in [mark for one in scene.seats for mark in one.marks]:
                assert mark.role in ("", *MARK_ROLES)
                assert mark.of is None or 0 <= int(mark.value) <= mark.of
            for zone in scene.zones:
                assert zone.goal is None or len(zone.cards) <= zone.goal
                assert zone.suit is None or all(card[1] == zone.suit for card in zone.cards)
                assert all(backer in range(match.players) for backer in zone.backers)
            if last := before.get(seat):
                assert applied(last, scene_changes(last, scene)) == scene
            before[seat] = scene


def marks(match: Match, seat: int | None) -> list[tuple[str, str, int | None]]:
    """The marks of the table, as a seat sees them: label, value and what it counts to."""
    return [(mark.label, mark.value, mark.of) for mark in describe(match.view(seat)).marks]


def test_the_sum_of_bids_is_counted_against_the_tricks() -> None:
    turns = begun("oh-hell", 3, bidding="turns")
    size = turns.state.size
    assert marks(turns, None) == [("Bids", "0", size)]
    turns.event(f"{turns.to_act[0]} bid 1")
    assert marks(turns, 0) == [("Bids", "1", size)]
    secret = begun("oh-hell", 3, bidding="fingers")
    for seat in (0, 1):
        secret.event(f"{seat} bid 1")
        assert [marks(secret, viewer) for viewer in (0, 1, 2, None)] == [[]] * 4
    secret.event("2 bid 0")
    assert marks(secret, None) == [("Bids", "2", secret.state.size)]


def test_the_suits_of_a_bid_have_their_values() -> None:
    scene = describe(begun("ninety-nine").view(0))
    assert [(mark.label, mark.value, mark.role) for mark in scene.marks] == [
        ("♣", "3", "suit"), ("♥", "2", "suit"), ("♠", "1", "suit"), ("♦", "0", "suit"),
    ]  # fmt: skip


def test_a_contract_is_counted_as_it_is_laid() -> None:
    match, rng, seen = begun("kalooki", 3), Random(4), set()
    for _ in play_on(match, rng, 20_000):
        for seat in range(match.players):
            of_seat = describe(match.view(seat)).marks
            down = match.state.down[seat]
            seen.add((down, sum(int(mark.value) for mark in of_seat) == sum(mark.of or 0 for mark in of_seat)))
            assert {mark.role for mark in of_seat} <= {"three", "four"}
        if len(seen) > 1:
            break
    assert seen == {(0, False), (1, True)}


def test_bets_on_a_stack_are_those_that_the_viewer_knows() -> None:
    match = begun("roundup", 3)
    seat = match.to_act[0]
    move = match.legal(seat)[0]
    match.event(f"{seat} {move}")
    suit = move[-1]
    backers = {viewer: describe(match.view(viewer)).zone(f"stack-{suit}").backers for viewer in (seat, (seat + 1) % 3)}
    assert backers == {seat: [seat], (seat + 1) % 3: []}
    assert {zone.goal for zone in describe(match.view(None)).zones if zone.id.startswith("stack-")} == {10}


def test_two_teams_count_to_fourteen() -> None:
    match, rng = begun("cinch"), Random(1)
    next(match for _ in play_on(match, rng) if match.phase == "play")
    points = [mark for seat in describe(match.view(None)).seats for mark in seat.marks if mark.role == "points"]
    assert points == [MarkView("Points", "0", "points", 14)] * 4


@pytest.mark.parametrize("seed", range(2))
def test_a_forced_move_is_the_only_one_as_far_as_anybody_knows(game: type[Game], seed: int) -> None:
    """In whatever world a spectator thinks possible, the seat has this move alone."""
    match, rng, forced = random_match(game, seed), Random(seed), 0
    for _ in play_on(match, rng, 600):
        for seat in match.to_act:
            move = describe(match.view(seat)).offers.forced
            if move and (forced := forced + 1) < 40:
                for _ in range(3):
                    other = match.fork()
                    other.state = world(match.view(None), rng)
                    assert len(other.legal(seat)) == 1


def test_a_face_up_card_that_fits_alone_is_forced() -> None:
    match, rng, words = begun("roundup", 3), Random(2), set()
    for _ in play_on(match, rng, 4000):
        for seat in match.to_act:
            scene = describe(match.view(seat))
            if scene.offers.forced:
                words.add(scene.offers.moves[0].verb)
                assert scene.offers.forced == scene.offers.moves[0].text
        if len(words) > 1:
            break
    assert {"", "pass"} <= words


def test_seats_that_are_out_carry_a_role() -> None:
    match = begun("cinch")
    match.event(f"{match.to_act[0]} pass")
    roles = [[mark.role for mark in seat.marks] for seat in describe(match.view(None)).seats]
    assert sorted(roles) == [["bid"], ["bid"], ["bid"], ["out"]]


def test_hands_are_counted_where_their_size_decides() -> None:
    counted = {slug for slug in games.SLUGS if describe(begun(slug).view(None)).counts}
    assert counted == {"kalooki", "linger-longer", "rolling-stone"}
