"""Compiled rules and plain Python give the same states, move by move, and stale compiled code cannot run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playing import GAMES, random_event, random_match

import upcard
from upcard.compiled import loops
from upcard.compiled.program import program
from upcard.engine.chance import PACKS, PLAY, SplitMix, stream
from upcard.rules import Game, nth_card, say

LIST, COUNT, NTH, APPLY, CHANCE, UTILITY = range(6)


def compiled(tables: Any, opts: Any, scratch: Any, what: int, me: int, k: int) -> int:
    """Every rule of a game in one loop, so that it is compiled once."""
    s = tables[0]
    if what == LIST:
        return loops.list_moves(s, opts[0], me, scratch[0].moves)
    if what == COUNT:
        return loops.count_others(s, opts[0], me, scratch[0].moves)
    if what == NTH:
        return loops.nth_other(s, opts[0], me, scratch[0].moves, k)
    if what == APPLY:
        loops.apply(s, opts[0], me, k)
    elif what == CHANCE:
        return loops.chance_speaks(s, opts[0], scratch[0].rng, scratch[0].order)
    else:
        return loops.utility(s, opts[0], me)
    return 0


def test_compiled_and_plain_rules_agree_state_by_state(game: Game) -> None:
    run = program(game)
    tables, scratch, do = run.states(1), run.scratch(), run.entry(compiled)
    for seed in range(8):
        match, rng = random_match(game, seed), Random(seed)
        opts, plain = run.options(match.setup), SplitMix(seed)
        run.put(tables, 0, match.state)
        scratch["rng"] = seed
        while not match.done and len(match.events) < 600:
            if match.awaiting:
                order = match.draw_lots(plain)
                assert do(tables, opts, scratch, CHANCE, 0, 0) == len(order.split()) - 1
                match.event(order)
            else:
                for seat in match.to_act:
                    legal = match.legal_moves(seat)
                    assert scratch[0]["moves"][: do(tables, opts, scratch, LIST, seat, 0)].tolist() == legal
                    others = do(tables, opts, scratch, COUNT, seat, 0)
                    assert 0 <= others <= len(legal)
                    for k in rng.sample(range(others), min(others, 3)):
                        do(tables, opts, scratch, COUNT, seat, 0)
                        assert do(tables, opts, scratch, NTH, seat, k) == legal[len(legal) - others + k]
                event = match.event(random_event(match, rng))
                do(tables, opts, scratch, APPLY, event.seat, event.move)
            assert run.get(tables, 0) == match.state
            for seat in range(match.players):
                utility = game.utility(match.state, match.options, seat)
                assert do(tables, opts, scratch, UTILITY, seat, 0) == utility


def test_chance_is_the_same_plain_and_compiled() -> None:
    run = program(GAMES[0])
    scratch, below = run.scratch(5), run.entry(compiled_below)
    plain = SplitMix(5)
    assert [below(scratch, n) for n in range(1, 500)] == [plain.below(n) for n in range(1, 500)]
    assert [run.entry(compiled_stream)(9, match, PLAY) for match in range(5)] == [
        stream(9, match, PLAY) for match in range(5)
    ]
    assert stream(9, 0, PACKS) != stream(9, 0, PLAY)


def compiled_below(scratch: Any, n: int) -> int:
    return loops.below(scratch[0].rng, n)


def compiled_stream(key: int, match: int, which: int) -> int:
    return loops.stream(key, match, which)


def test_the_generator_is_uniform_and_repeatable() -> None:
    first, second, other = SplitMix(1), SplitMix(1), SplitMix(2)
    numbers = [first.below(7) for _ in range(7000)]
    assert numbers == [second.below(7) for _ in range(7000)]
    assert numbers != [other.below(7) for _ in range(7000)]
    assert all(900 < numbers.count(k) < 1100 for k in range(7))


CHANGED_RULE = """
from upcard import Match, games
from upcard.compiled import loops
from upcard.compiled.program import program
def begin(tables, opts, scratch):
    loops.chance_speaks(tables[0], opts[0], scratch[0].rng, scratch[0].order)
run = program(games.load("sixty-six"))
match = Match("sixty-six")
tables = run.states(1)
run.put(tables, 0, match.state)
run.entry(begin)(tables, run.options(match.setup), run.scratch(1))
print(tables[0]["trump"])
"""


def test_stale_compiled_code_never_runs(tmp_path: Path) -> None:
    """A rule in another module than the one that calls it is changed: the next start must see it."""
    package = shutil.copytree(
        Path(upcard.__file__).parent, tmp_path / "upcard", ignore=shutil.ignore_patterns("static")
    )
    env = os.environ | {"PYTHONPATH": str(tmp_path), "UPCARD_CACHE": str(tmp_path / "cache")}

    script = tmp_path / "begin.py"
    script.write_text(CHANGED_RULE)

    def trump() -> int:
        run = subprocess.run([sys.executable, str(script)], env=env, cwd=tmp_path, capture_output=True, check=True)
        return int(run.stdout)

    before = trump()
    source = package / "rules" / "cards.py"
    source.write_text(source.read_text().replace("return c * 79 >> 10", "return 3 - (c * 79 >> 10)"))
    assert trump() == 3 - before
    assert len(list((tmp_path / "cache" / "compiled").iterdir())) == 2


def compiled_kth(cards: int, k: int) -> int:
    return loops.kth(cards, k)


def test_the_kth_card_of_a_set() -> None:
    kth = program(GAMES[0]).entry(compiled_kth)
    cards = 0b1011_0000_0110
    assert [kth(cards, k) for k in range(5)] == [nth_card(cards, k) for k in range(5)] == [1, 2, 8, 9, 11]


def test_a_move_is_one_number() -> None:
    assert say(3 << 51, (5, 6)) == 3 << 51 | 1 << 48 | 6 << 6 | 5
