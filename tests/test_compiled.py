"""Compiled rules and plain Python give the same states, move by move, and stale compiled code cannot run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest
from playing import GAMES, random_event, random_match

import upcard
from upcard import fast
from upcard.game import Game, say


@fast.jit
def compiled_moves(tables, i, opts, me, desk):  # type: ignore[no-untyped-def]
    """All legal moves of a seat, into the desk; how many."""
    cards = fast.playable(tables[i], opts[0], me)
    n = 0
    moves = desk[0].moves
    while cards:
        moves[n] = fast.kth(cards, 0)
        cards &= cards - 1
        n += 1
    return fast.others(tables[i], opts[0], me, moves, n)


@fast.jit
def compiled_apply(tables, i, opts, me, move):  # type: ignore[no-untyped-def]
    fast.apply(tables[i], opts[0], me, move)


@fast.jit
def compiled_chance(tables, i, opts, order):  # type: ignore[no-untyped-def]
    fast.chance(tables[i], opts[0], order)


@fast.jit
def compiled_margin(tables, i, opts, me):  # type: ignore[no-untyped-def]
    return fast.margin(tables[i], opts[0], me)


@pytest.fixture(params=GAMES, ids=lambda game: game.slug)
def game(request: pytest.FixtureRequest) -> Game:
    return request.param


def test_compiled_and_plain_rules_agree_state_by_state(game: Game) -> None:
    tables, desk = fast.states(game, 1), fast.desk(game, 1)
    for seed in range(8):
        match, rng = random_match(game, seed), Random(seed)
        opts = fast.options_record(game, match.options)
        fast.put(tables, 0, match.state)
        while not match.done and len(match.events) < 600:
            for seat in match.to_act:
                n = compiled_moves(tables, 0, opts, seat, desk)
                assert desk[0]["moves"][:n].tolist() == match.moves(seat)
            text = random_event(match, rng)
            match.event(text)
            word, *rest = match.events[-1].split(" ")
            if word.isdigit():
                move = game.moves.read(" ".join(rest)).move
                compiled_apply(tables, 0, opts, int(word), move)
            else:
                order = np.zeros(fast.MOST_CHANCE, np.int64)
                read = game.moves.read
                order[: len(rest)] = [read(card).move if card != "*" else 52 for card in rest]
                compiled_chance(tables, 0, opts, order)
            assert fast.get(game, tables, 0) == match.state
            for seat in range(match.players):
                assert compiled_margin(tables, 0, opts, seat) == game.margin(match.state, match.options, seat)


def test_whole_matches_end_compiled(game: Game) -> None:
    match = random_match(game, 3)
    tables, desk, opts = fast.states(game, 2), fast.desk(game, 5), fast.options_record(game, match.options)
    fast.put(tables, 0, match.state)
    for _ in range(50):
        tables[1] = tables[0]
        assert fast.play_match(tables, 1, opts, desk) > 0
        assert tables[1]["to_act"] == tables[1]["awaiting"] == 0
        assert tables[1]["winners"] > 0


def test_the_generator_is_uniform_and_repeatable() -> None:
    game = GAMES[0]
    first, second, other = fast.desk(game, 1), fast.desk(game, 1), fast.desk(game, 1, stream=1)
    numbers = [fast.below(first[0]["rng"], 7) for _ in range(7000)]
    assert numbers == [fast.below(second[0]["rng"], 7) for _ in range(7000)]
    assert numbers != [fast.below(other[0]["rng"], 7) for _ in range(7000)]
    assert all(900 < numbers.count(k) < 1100 for k in range(7))


CHANGED_RULE = """
import numpy as np
from upcard import fast, games
from upcard.match import Match
game = games.load("sixty-six")
tables, desk = fast.states(game, 1), fast.desk(game, 1)
fast.put(tables, 0, Match(game).state)
opts = fast.options_record(game, Match(game).options)
fast.begin_deal(tables, 0, opts, desk)
print(tables[0]["trump"])
"""


def test_stale_compiled_code_never_runs(tmp_path: Path) -> None:
    """A rule in another module than the one that calls it is changed: the next start must see it."""
    package = shutil.copytree(
        Path(upcard.__file__).parent, tmp_path / "upcard", ignore=shutil.ignore_patterns("static")
    )
    env = os.environ | {"PYTHONPATH": str(tmp_path), "UPCARD_CACHE": str(tmp_path / "cache")}

    def trump() -> int:
        run = subprocess.run(
            [sys.executable, "-c", CHANGED_RULE], env=env, cwd=tmp_path, capture_output=True, check=True
        )
        return int(run.stdout)

    before = trump()
    source = package / "cards.py"
    source.write_text(source.read_text().replace("return c * 79 >> 10", "return 3 - (c * 79 >> 10)"))
    assert trump() == 3 - before
    assert len(list((tmp_path / "cache" / "compiled").iterdir())) == 2


@pytest.mark.parametrize("k", range(5))
def test_the_kth_card_of_a_set(k: int) -> None:
    assert fast.kth(0b1011_0000_0110, k) == [1, 2, 8, 9, 11][k]


def test_a_move_is_one_number() -> None:
    assert say(3 << 51, (5, 6)) == 3 << 51 | 1 << 48 | 6 << 6 | 5
