"""Compiled rules and plain Python give the same states, move by move, and stale compiled code cannot run."""

import os
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
from numba import njit
from numba.extending import register_jitable
from playing import GAMES

import upcard
from upcard.compiled import loops, numba_patch
from upcard.compiled.program import program
from upcard.engine.chance import PACKS, PLAY, SplitMix, stream
from upcard.rules import nth_card, say
from upcard.rules.dependencies import dependencies_of
from upcard.rules.source import node_of
from upcard.rules.twins import Twins


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
    loops.chance_speaks(opts[0], tables[0], scratch[0].rng, scratch[0].order)
run = program(games.load("sixty-six"))
match = Match("sixty-six")
tables = run.states(1)
run.put(tables, 0, match.state)
run.entry(begin)(tables, run.options(match.setup), run.scratch(1))
print(tables[0]["trump"])
"""


def copied(folder: Path) -> Path:
    """A copy of the package, to be changed."""
    return shutil.copytree(Path(upcard.__file__).parent, folder / "upcard", ignore=shutil.ignore_patterns("static"))


@pytest.mark.long
def test_compiled_code_is_kept_under_all_that_loops_are_made_of(tmp_path: Path) -> None:
    """They take numbers and functions from these modules too, which no rule names."""
    package = copied(tmp_path)
    told = "import upcard.compiled.program as p, upcard.games as games; print(p.program(games.load('loo')).build)"
    env = os.environ | {"PYTHONPATH": str(tmp_path), "UPCARD_CACHE": str(tmp_path / "cache")}

    def build() -> str:
        return subprocess.run([sys.executable, "-c", told], env=env, capture_output=True, text=True, check=True).stdout

    builds = [build(), build()]
    assert len({*builds}) == 1
    for name in ("engine/mistakes.py", "envs/episode.py", "policies/weights.py", "rules/rng.py", "compiled/loops.py"):
        with (package / name).open("a") as file:
            file.write("CHANGED = True\n")
        builds.append(build())
    assert len({*builds}) == 6


@pytest.mark.long
def test_stale_compiled_code_never_runs(tmp_path: Path) -> None:
    """A rule in another module than the one that calls it is changed: the next start must see it."""
    package = copied(tmp_path)
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


FIRST_MOVES = """
import sys
from random import Random
from upcard import Match, games
from upcard.compiled import loops
from upcard.compiled.program import program
def decide(tables, opts, me, scratch, policies):
    return loops.choose_move(opts[0], tables[0], me, scratch[0], policies)
for slug in sys.argv[1:]:
    run, match = program(games.load(slug)), Match(slug)
    match.event(match.draw_lots(Random(1)))
    tables = run.states(1)
    run.put(tables, 0, match.state)
    policies = loops.policies_of([loops.RANDOM] * match.players)
    print(run.entry(decide)(tables, run.options(match.setup), match.to_act[0], run.scratch(1), policies), flush=True)
"""


@pytest.mark.long
def test_games_compiled_in_processes_of_their_own_are_not_mixed_up(tmp_path: Path) -> None:
    """The second of two games that were loaded from the cache was played by the rules of the first."""
    script = tmp_path / "moves.py"
    script.write_text(FIRST_MOVES)
    env = os.environ | {"UPCARD_CACHE": str(tmp_path)}

    def moves(*slugs: str) -> list[str]:
        command = [sys.executable, str(script), *slugs]
        run = subprocess.run(command, env=env, capture_output=True, text=True, check=True, timeout=300)
        return run.stdout.split()

    assert [*moves("cinch"), *moves("loo")] == moves("cinch", "loo")


def test_a_cache_that_cannot_be_written_is_said_and_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "cache").touch()
    (tmp_path / "temporary").mkdir()
    code = "from upcard.compiled.cache import BuildFolder as B; b = B('one'); b.lock.acquire(); print(b.folder)"
    env = os.environ | {"UPCARD_CACHE": str(tmp_path / "cache"), "TMPDIR": str(tmp_path / "temporary")}
    run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert run.stdout.startswith(str(tmp_path / "temporary"))
    assert run.stderr.startswith("compiled rules cannot be cached") and run.stderr.count("\n") == 1
    assert [*(tmp_path / "temporary").iterdir()] == []


def compiled_kth(cards: int, k: int) -> int:
    return loops.kth(cards, k)


COLOURED = """
import sys
from types import ModuleType

class Watched(ModuleType):
    def __setattr__(self, name, value):
        sys.exit(f"sys.{name} is replaced")

import upcard.compiled
from numba.core import errors

sys.__class__ = Watched
print(errors.termcolor().errmsg("nothing"))
"""


def test_compiling_never_replaces_the_standard_streams() -> None:
    """Numba would, to colour its messages, and set back those of a moment ago, whatever other threads have done."""
    pytest.importorskip("colorama")
    ran = subprocess.run([sys.executable, "-c", COLOURED], capture_output=True, text=True, timeout=300)
    assert (ran.stdout, ran.stderr) == ("nothing\n", "")


def test_the_kth_card_of_a_set() -> None:
    kth = program(GAMES[0]).entry(compiled_kth)
    cards = 0b1011_0000_0110
    assert [kth(cards, k) for k in range(5)] == [nth_card(cards, k) for k in range(5)] == [1, 2, 8, 9, 11]


@pytest.mark.parametrize("known", [True, False])
def test_what_is_called_by_compiled_code_alone_is_not_compiled_by_itself(
    known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Python can call runs all the same, even if it has been compiled meanwhile. A later numba may differ."""

    def one_more(n: int) -> int:
        if n < 0:
            raise ValueError("too few")
        return n + 1

    finished: list[str] = []

    def finish(part: Any) -> None:
        if part.name != "nrt":  # numba's own, which the first of all tests compiles
            finished.append(part.name)
        finalize(part)

    jit: Any = njit
    register_jitable(one_more)
    two_more = jit(lambda n: one_more(one_more(n)))
    four_more = jit(lambda n: two_more(two_more(n)))
    finalize = numba_patch.LazyLibrary.finalize
    monkeypatch.setattr(numba_patch.LazyLibrary, "finalize", finish)
    if not known:
        monkeypatch.setattr(numba_patch, "KNOWN", (0, 0))
    with numba_patch.whole_loops():
        assert four_more(1) == 5
    assert two_more(1) == 3
    with pytest.raises(ValueError, match="too few"):
        four_more(-1)
    assert len(finished) == (2 if known else 0), finished


def test_threads_see_no_rule_without_those_that_it_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules of a class are turned into functions one after the other, while other threads may ask for them."""

    def node_of_slowly(method: FunctionType) -> Any:
        if threading.current_thread() is not threading.main_thread():
            time.sleep(0.02)
        return node_of(method)

    monkeypatch.setattr("upcard.rules.twins.node_of", node_of_slowly)
    twins = Twins(GAMES[0])
    with ThreadPoolExecutor(1) as other:
        first = other.submit(lambda: twins["apply"])
        time.sleep(0.1)
        assert dependencies_of([twins["apply"]]).rules == dependencies_of([first.result()]).rules


def test_a_move_is_one_number() -> None:
    assert say(3 << 51, (5, 6)) == 3 << 51 | 1 << 48 | 6 << 6 | 5
