"""What hands are like: signs of hands, what is learned of them, and the worlds that experts draw by it."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest
from playing import GAMES, play_on, random_match

from upcard import Match, UpcardError, games
from upcard.compiled.dealer import Dealer
from upcard.compiled.hands import weigh_hands
from upcard.compiled.program import program
from upcard.engine.mistakes import BadRules
from upcard.engine.views import View
from upcard.lab.training.hand_weights import DecisionSample, fit, known, learn_hand_weights, moments
from upcard.players import player
from upcard.players.inference import LEAST_BY_SIGNS, Believed, effective
from upcard.policies.hand_features import MOST_SIGNS, hands_of, listed_signs, write_hands
from upcard.policies.weights import UNIT
from upcard.rules.game import Game
from upcard.rules.state import NOBODY

HERE = Path(__file__).parent
WITH_SIGNS = [game for game in GAMES if game.HAND_SIGNS]
SIGNS = """
    HAND_SIGNS = 5

    @override
    def choose(self, s: SmallState, me: int, moves: Buffer, n: int, luck: int) -> int:
        return moves[0]

    @override
    def hand_signs(self, s: SmallState, seat: int, room: Buffer) -> int:
        n = 0
        for i in range(4):
            room[n] = i
            n += s.hand[seat] >> 12 + 13 * i & 1
        return n
"""
each_game = pytest.mark.parametrize("game", WITH_SIGNS, ids=lambda game: game.slug)


def game_with_signs(folder: Path, signs: str = SIGNS) -> type[Game]:
    """A game from outside whose signs are its four aces."""
    file = folder / "one_with_signs.py"
    file.write_text((HERE / "small_game.py").read_text() + signs)
    [game] = games.load_file(file).values()
    return game


def in_a_deal(game: type[Game], seed: int, part: float) -> tuple[View, Match]:
    """A decision of casual players when this part of the first deal is over, and the match."""
    rng, casual = Random(seed), player("casual")
    match: Match = Match(game, chance=rng)
    seen = []
    while match.state.deals == 1 and not match.done:
        view = match.view(match.to_act[0])
        seen.append((view, match.fork()))
        match.play(match.to_act[0], casual.choose(view, rng))
    return seen[int(part * len(seen))]


@each_game
def test_signs_are_as_many_as_declared_and_the_same_compiled(game: type[Game]) -> None:
    """In random matches with any options; what the compiled loop adds up is what plain Python lists."""
    run, rng = program(game), Random(4)
    weights = np.array([rng.randrange(-900, 900) for _ in range(game.HAND_SIGNS)])
    for seed in range(4):
        match = random_match(game, seed)
        tables, totals = run.states(1), np.zeros(1, np.int64)
        for now in play_on(match, rng, 400):
            if len(now.events) % 7 or now.done:
                continue
            run.put(tables, 0, now.state)
            for me in (0, NOBODY):
                others = [seat for seat in range(now.players) if seat != me]
                listed = [listed_signs(now.setup, now.state, seat) for seat in others]
                run.entry(weigh_hands)(tables, run.options(now.setup), me, weights, np.zeros(MOST_SIGNS, int), totals)
                assert totals[0] == sum(int(weights[sign]) for signs in listed for sign in signs)


@each_game
def test_signs_of_a_hand_tell_nothing_of_others(game: type[Game]) -> None:
    """They are what an opponent can weigh: the hand, and what everybody has seen."""
    view, match = in_a_deal(game, 3, 0.5)
    dealer = Dealer(view)
    tables = dealer.deal(8, 5)
    for i in range(len(tables)):
        other = dealer.run.get(tables, i)
        for field in (game.hand.first, game.hand.second, game.hand.jokers):
            if field is not None:
                getattr(other, field)[view.seat] = getattr(match.state, field)[view.seat]
        assert view.seat is not None
        mine = listed_signs(match.setup, match.state, view.seat)
        assert listed_signs(match.setup, other, view.seat) == mine


@pytest.mark.long
@each_game
def test_what_is_learned_tells_true_hands_from_others(game: type[Game]) -> None:
    """In deals that nothing was learned from; 0 would be knowing nothing, log 64 everything."""
    found = hands_of(game)
    assert found is not None, f"train {game.slug} anew: its signs have changed"
    assert found.origin["command"].startswith(f"upcard train {game.slug} --hands ")
    told = known(moments(game, 60, 77_000, each=1), np.array(found.weights))
    assert told.low > 1.5


@each_game
def test_worlds_drawn_by_signs_are_closer_to_the_truth(game: type[Game]) -> None:
    """Opponents hold more of the cards that they hold in these worlds than in worlds all equally likely."""
    closer = 0.0
    for seed in range(8):
        view, match = in_a_deal(game, seed, 0.6)
        believed = Believed(Dealer(view), seed)
        assert effective(believed.weights.numbers) >= LEAST_BY_SIGNS - 1
        held, weights = believed.worlds.numpy[game.hand.first], believed.weights.numpy
        true = np.array(getattr(match.state, game.hand.first))
        right = np.bitwise_count((held & true).astype(np.uint64)).sum(axis=1)
        closer += float(weights @ right - right.mean())
    assert closer > 1


def test_the_weights_of_known_signs_are_found_again() -> None:
    """True cards picked with known weights from among random worlds."""
    rng = np.random.default_rng(3)
    true = np.array([1.5, -0.7, 0.0, 0.4])
    found = []
    for _ in range(3000):
        counts = rng.integers(0, 3, (16, 4)).astype(np.int16)
        shares = np.exp(counts @ true)
        picked = rng.choice(16, p=shares / shares.sum())
        found.append(DecisionSample(np.arange(4), np.concatenate([counts[picked:], counts[:picked]])))
    weights = fit(found, 4) / UNIT
    assert np.abs(weights - true).max() < 0.1
    assert known(found, np.zeros(4, np.int64)).has(0)
    assert known(found, fit(found, 4)).low > known(found, fit(found, 4) // 2).high


def test_extreme_signs_do_not_mislead_the_fit() -> None:
    """Full steps of Newton's method run away where the true cards are always the only ones with a sign."""
    counts = np.zeros((8, 2), np.int16)
    counts[0, 0], counts[1, 1] = 40, 30
    weights = fit([DecisionSample(np.arange(2), counts)] * 50, 2) / UNIT
    assert weights[0] > 0 > weights[1]
    assert np.abs(weights).max() < 5


def test_a_game_from_outside_learns_what_hands_are_like(tmp_path: Path) -> None:
    game = game_with_signs(tmp_path)
    assert hands_of(game) is None
    weights, told = learn_hand_weights(game, 20, 1)
    assert len(weights) == 5
    assert told.has(0), "its players play the first card that they may, so aces say little"
    write_hands(game, [0, 5, 0, 0, 7], {"command": "upcard train one_with_signs.py --hands 20"})
    assert (tmp_path / "small-game.hands.json").is_file()
    (tmp_path / "one_with_signs.py").write_text((tmp_path / "one_with_signs.py").read_text() + "\n")
    [again] = games.load_file(tmp_path / "one_with_signs.py").values()
    found = hands_of(again)
    assert found is not None
    assert found.weights == (0, 5, 0, 0, 7)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (("room[n] = i", "room[n] = i + 3"), "`hand_signs` lists [5-7], and HAND_SIGNS is 5"),
        (("range(4)", "range(-1, 4)"), "a shift by a negative number|lists -1"),
        (("room[n] = i", "room[n + 600] = i"), "a row has no such place"),
    ],
    ids=["unknown", "negative", "too-many"],
)
def test_wrong_signs_are_found_before_anything_is_compiled(tmp_path: Path, wrong: tuple[str, str], told: str) -> None:
    game = game_with_signs(tmp_path, SIGNS.replace(*wrong))
    with pytest.raises(BadRules, match=told):
        moments(game, 2, 1)
    shutil.rmtree(tmp_path)


def test_a_game_without_signs_says_so() -> None:
    with pytest.raises(UpcardError, match="rounds has no signs of hands"):
        learn_hand_weights(games.load("rounds"), 10, 1)


@pytest.mark.long
def test_the_command_writes_beside_the_game_what_it_learned(tmp_path: Path) -> None:
    game_with_signs(tmp_path)
    command = [sys.executable, "-m", "upcard", "train", str(tmp_path / "one_with_signs.py"), "--hands", "10"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    made = json.loads((tmp_path / "small-game.hands.json").read_text())
    assert made["command"] == "upcard train small-game --hands 10 --seed 1"
    assert made["known"] in told
