"""Mistakes in rules that only play brings to light are reported in one line, plain and compiled."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, assert_type

import numpy as np
import pytest
from edited_games import APPLY, CLASS, HERE, edited, odd_hell
from small_game import SmallGame, SmallState

from upcard import Match, Setup, UpcardError, envs, games, shuffler
from upcard.engine.errors import IllegalMove
from upcard.games import UnknownGame
from upcard.games.oh_hell import OhHell
from upcard.games.oh_hell.rules import OhHellState
from upcard.lab.simulate import simulate
from upcard.laws import Law
from upcard.laws.worlds import worlds_agree
from upcard.rules import PerSeat, override
from upcard.rules.game import Game

RARE = 5
"""A score, of all tricks, that is too rare for the fault to be met when rules are tried out."""


def play(game: type[Game], matches: int = 1) -> None:
    """Some matches in plain Python."""
    for seed in range(1, matches + 1):
        match = Match(game, chance=shuffler(seed))
        while not match.done:
            seat = match.to_act[0]
            match.play(seat, match.legal(seat)[0])


def play_compiled(game: type[Game]) -> None:
    """Some matches in compiled loops."""
    simulate(Setup(game), 300, 1, by=["random"] * 2)


def step_compiled(game: type[Game]) -> None:
    """Some matches in an environment of many tables."""
    env = envs.vector(game, tables=64)
    mask = env.reset(seed=1).mask
    for _ in range(100):
        mask = env.step(mask.argmax(axis=1)).mask


@pytest.mark.parametrize("compiled", [False, True])
def test_too_small_a_number_of_moves_is_told_plain_and_compiled(tmp_path: Path, compiled: bool) -> None:
    game = edited(tmp_path, "most_moves = 5", "most_moves = 2")
    with pytest.raises(UpcardError, match="has more than most_moves=2 moves in the phase") as told:
        simulate(Setup(game), 5, 1, by=["random"] * 2) if compiled else play(game)
    assert "\n" not in str(told.value)


EIGHT_PACKS = """
    @override
    def cards_to_shuffle(self, s, out):
        n = 0
        for _ in range(8):
            n = put_cards(out, n, self.pack)
        return n

"""


def test_more_cards_than_a_chance_event_can_have_are_told(tmp_path: Path) -> None:
    game = edited(tmp_path, APPLY, f"{EIGHT_PACKS}{APPLY}")
    told = "small-game: `cards_to_shuffle` lists more than 128 cards, which is too many for one chance event"
    with pytest.raises(UpcardError, match=told):
        play(game)


def test_a_deal_of_more_cards_than_the_pack_has_is_told() -> None:
    with pytest.raises(UpcardError, match=r"in deal: a row has .*, or the deal takes more cards than the pack has$"):
        play(SmallGame.variant("large", numbers={"size": 40}))


def test_a_stock_that_no_field_counts_is_not_reported(tmp_path: Path) -> None:
    source = (HERE / "small_game.py").read_text()
    (tmp_path / "stocked.py").write_text(source.replace("undealt", "stock"))
    match = Match(games.load_file(tmp_path / "stocked.py")["small-game"], chance=shuffler(1))
    assert match.state.stock.bit_count() == 10
    assert match.report()["stock"] is None


@pytest.mark.long
@pytest.mark.parametrize("go", [lambda game: play(game, 100), play_compiled, step_compiled])
def test_a_match_that_nobody_wins_is_told(tmp_path: Path, go: Callable[[type[Game]], None]) -> None:
    """Where it happens seldom, too: not in what is tried out before rules are compiled."""
    game = edited(tmp_path, "highest_scores(s)\n", "0 if s.scores[0] == 5 else highest_scores(s)\n")
    with pytest.raises(UpcardError, match="small-game: the match is over and nobody has won it: set `winners`"):
        go(game)


@pytest.mark.parametrize(
    ("text", "other", "told"),
    [
        ("phase = DONE", "phase = PLAY", "nobody is to act and no chance event is awaited in the phase 'play': set"),
        ("highest_scores(s)\n", "only(s.players)\n", "`winners` names a seat that does not exist: see where it is set"),
    ],
)
def test_a_match_that_ends_oddly_is_told(tmp_path: Path, text: str, other: str, told: str) -> None:
    with pytest.raises(UpcardError, match=f"small-game: {told}"):
        play(edited(tmp_path, text, other))


@pytest.mark.parametrize("compiled", [False, True])
def test_a_field_of_a_deal_that_nobody_clears_is_told(tmp_path: Path, compiled: bool) -> None:
    """The cards of the deal before are still there."""
    game = games.load_file(odd_hell(tmp_path, "open_set()  # the cards played in this deal", "open_set(kept=True)"))[
        "odd-hell"
    ]
    told = "is in two places after the deal: `played` is kept from the one before: declare it without `kept=True`"
    with pytest.raises(UpcardError, match=told):
        simulate(Setup(game), 5, 1, by=["random"] * 5) if compiled else play(game)


def test_a_refusal_need_not_reckon_with_seats_that_are_not_at_the_table(tmp_path: Path) -> None:
    looks = "    @override\n    def refusal(self, s, me, attempt):\n        yield 'SG-2', s.hand[me] >= 0\n\n"
    match = Match(edited(tmp_path, APPLY, f"{looks}{APPLY}"), chance=shuffler(1))
    for event, told in (("0 2c", "(SG-2)"), ("7 2c", "event 1: there is no seat 7"), ("2 2c", "there is no seat 2")):
        with pytest.raises(IllegalMove, match=re.escape(told)):
            match.event(event)


def test_a_verb_without_words_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnknownGame, match="'label' and 'said'"):
        edited(tmp_path, CLASS, f'MOVES = Notation()\nPASS = MOVES.verb("pass")\n\n\n{CLASS}')


def test_what_is_missing_is_said_once(tmp_path: Path, monkeypatch: Any, caplog: Any) -> None:
    file = tmp_path / "bare_game.py"
    file.write_text((HERE / "small_game.py").read_text().replace("class SmallGame", "class BareGame"))
    monkeypatch.setenv("UPCARD_GAMES", str(file))
    for _ in range(3):
        assert games.load("bare-game").title == "Small Game"
    told = [record.getMessage() for record in caplog.records if "bare-game" in record.getMessage()]
    assert told == [
        "bare-game has no page of rules (rulebook.md) and no heuristic (casual computer players move at random)"
    ]


def test_what_stands_at_a_prompt_says_what_it_is() -> None:
    match = Match("oh-hell", 4, chance=shuffler(2))
    assert repr(match.game) == "<Game oh-hell: Oh Hell, 3 to 7 players>"
    assert repr(match.setup) == "<Setup oh-hell, 4 players>"
    for one in (match, match.view(1), match.state):
        assert repr(one) and " object at 0x" not in repr(one)
    assert str(match).splitlines()[1:] == [">0     0  10♦", ">1     0  4♦", ">2     0  5♥", ">3     0  J♣"]
    assert {match.game: 1}[games.load("oh-hell")] == 1
    assert {match.setup: 1}[Setup("oh-hell", 4)] == 1


def test_type_checkers_know_the_state_of_a_game() -> None:
    game: type[OhHell] = OhHell
    match = Match(game)
    assert_type(Match(SmallGame).state, SmallState)
    assert_type(OhHell(4), OhHell[OhHellState])
    assert_type(match.state, OhHellState)
    assert_type(match.state.bids, PerSeat)


def test_a_heuristic_beyond_its_moves_is_told_before_it_is_compiled(tmp_path: Path) -> None:
    """Machine code would read whatever lies there."""
    peek = "    @override\n    def choose(self, s, me, moves, n, luck):\n        return moves[luck]\n\n"
    game = edited(tmp_path, APPLY, f"{peek}{APPLY}")
    with pytest.raises(UpcardError, match="in choose: a row has no such place"):
        simulate(Setup(game), 5, 1, by=["heuristic"] * 2)


@pytest.mark.long
def test_what_cannot_be_compiled_is_told_in_one_line(tmp_path: Path) -> None:
    game = edited(tmp_path, "s.phase = PLAY", "s.phase = self.worth.__abs__()")
    with pytest.raises(UpcardError) as refused:
        simulate(Setup(game), 5, 1, by=["random"] * 2)
    reason = "this cannot be compiled: Unknown attribute '__abs__' of type int64"
    assert str(refused.value) == f"small_game.py, line 32: {reason}"


def test_what_a_world_lacks_is_told(tmp_path: Path) -> None:
    """Without `complete` nobody has bid in it but the seat that imagines it."""
    source = (HERE / "small_game.py").read_text()
    for text, other in (
        ("    played: Cards = open_set()\n", "    played: Cards = open_set()\n    bid: PerSeat = sealed(until=2)\n"),
        ("s.phase = PLAY\n", "for seat in range(s.players):\n            s.bid[seat] = 1\n        s.phase = PLAY\n"),
        ("+= self.worth\n", "+= self.worth // s.bid[taker]\n"),
    ):
        assert text in source
        source = source.replace(text, other, 1)
    (tmp_path / "sealed_game.py").write_text(source)
    [game] = games.load_file(tmp_path / "sealed_game.py").values()
    told = str(Law(worlds_agree).verdict(game).broken)
    assert "in a world sampled for" in told and "`complete` adds to a world" in told


def test_a_world_in_which_a_seat_leads_what_it_lacks_is_told(tmp_path: Path) -> None:
    """The leader is known to hold the card that must be led, and no hypothesis says so."""
    source = (HERE / "small_game.py").read_text()
    for text, other in (
        ('"AKQJT"', '"AKQJT9"'),
        ("number(5,", "number(8,"),
        ("player_counts = (2, 3)\n    most_moves = 5", "player_counts = (3,)\n    most_moves = 8"),
        (
            "        take_lead(s, left_of(s, s.dealer))\n",
            "        for seat in range(s.players):\n"
            "            if s.hand[seat] & bit(51):\n"
            "                take_lead(s, seat)\n",
        ),
        ("return follows(s, me)\n", "return follows(s, me) if s.played else bit(51)\n"),
    ):
        assert text in source
        source = source.replace(text, other, 1)
    (tmp_path / "leading_game.py").write_text(source)
    [game] = games.load_file(tmp_path / "leading_game.py").values()
    told = str(Law(worlds_agree).verdict(game).broken)
    assert "may play A♠, which it does not have" in told and "`hypotheses`" in told


class DividesByZero(SmallGame):
    title = "Rarely wrong"

    @override
    def apply(self, s: SmallState, me: int, move: int) -> None:
        super().apply(s, me, move)
        if s.scores[0] == RARE:
            s.scores[1] += 100 // (s.scores[0] - RARE)


class TakesTheRest(SmallGame):
    title = "Rarely wrong"

    @override
    def apply(self, s: SmallState, me: int, move: int) -> None:
        super().apply(s, me, move)
        if s.scores[0] == RARE:
            s.scores[1] += 100 % (s.scores[0] - RARE)


class LooksBeyond(SmallGame):
    title = "Rarely wrong"

    @override
    def apply(self, s: SmallState, me: int, move: int) -> None:
        super().apply(s, me, move)
        if s.scores[0] == RARE:
            s.scores[1] += s.scores[s.scores[0]]


def step_at_random(game: type[Game[Any]]) -> None:
    env, luck = envs.vector(game, tables=64, seed=1), np.random.default_rng(1)
    shown = env.reset()
    for _ in range(3000):
        shown = env.step((luck.random(shown.mask.shape) * shown.mask).argmax(axis=1))


@pytest.mark.long
@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (DividesByZero, "a rule divides by 0"),
        (TakesTheRest, "a rule divides by 0"),
        (LooksBeyond, "a rule uses a place that a row does not have"),
    ],
)
def test_compiled_rules_from_outside_stop_where_plain_python_would(wrong: type[SmallGame], told: str) -> None:
    with pytest.raises(UpcardError, match=f"^{wrong.slug}: {told}$"):
        simulate(Setup(wrong), 500, 1, by=["random"] * 2)
    with pytest.raises(UpcardError, match=f"^{wrong.slug}: {told}$"):
        step_at_random(wrong)
