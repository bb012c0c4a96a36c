"""The rules compile for a GPU, and there they are the same rules as in plain Python."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from upcard import Match, UpcardError, games
from upcard.compiled import loops
from upcard.engine.chance import PLAY, SplitMix, key_of, stream
from upcard.engine.mistakes import BadRules
from upcard.lab import gpu
from upcard.rules.state import DEAL


@pytest.fixture
def numba_cuda() -> None:
    pytest.importorskip("numba_cuda", reason="NVIDIA has nothing for this system")


@pytest.fixture
def a_gpu(numba_cuda: None) -> None:
    from numba import cuda

    if not cuda.is_available():
        pytest.skip("there is no GPU")


@pytest.mark.long
@pytest.mark.usefixtures("numba_cuda")
@pytest.mark.parametrize("slug", games.SLUGS)
def test_rollouts_compile_without_a_gpu(slug: str) -> None:
    before = loops.HAS_DEPOSIT
    text = gpu.compile_rollouts(slug)
    assert before == loops.HAS_DEPOSIT
    assert ".target sm_80" in text and text.count(".entry") == 1
    assert "ld.global.u8" not in text, "numbers are read byte by byte"


COMPILE = """
from upcard import games
from upcard.lab import gpu
from upcard.lab.bench import Bench
Bench(games.load("roundup"))
print(gpu.compile_rollouts("roundup"))
"""


@pytest.mark.long
@pytest.mark.usefixtures("numba_cuda")
def test_what_was_compiled_for_the_processor_before_does_not_matter(tmp_path: Path) -> None:
    """Roundup! was refused after that. In a process of its own, with nothing kept, so that it does compile."""
    env = os.environ | {"UPCARD_CACHE": str(tmp_path)}
    told = subprocess.run([sys.executable, "-c", COMPILE], env=env, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    assert ".entry" in told.stdout


@pytest.mark.usefixtures("a_gpu")
@pytest.mark.parametrize("slug", games.SLUGS)
def test_rollouts_on_a_gpu_follow_the_plain_rules(slug: str) -> None:
    positions = [begun(slug, seed) for seed in range(3)]
    told = gpu.rollouts(positions, 4, seed=7)
    ended = [played_on(positions[j // 4], SplitMix(stream(key_of(7), j, PLAY))) for j in range(12)]
    assert told.moves == sum(moves for _, moves in ended)
    utilities = np.array([utilities for utilities, _ in ended])
    assert (told.utilities == utilities.reshape(3, 4, -1).mean(axis=1)).all()


@pytest.mark.usefixtures("a_gpu")
def test_a_deal_that_does_not_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "LONGEST_MATCH", 5)
    game = games.load("rounds").variant("rounds-anew")
    with pytest.raises(BadRules, match=r"rounds-anew: a deal does not end"):
        gpu.rollouts([Match(game, chance=Random(1))], 1)


def begun(slug: str, seed: int) -> Match[Any]:
    """A match whose first deal has begun, some moves on."""
    match = Match(slug)
    match.event(match.draw_lots(Random(seed)))
    for _ in range(seed):
        seat = match.to_act[0]
        match.play(seat, match.legal(seat)[0])
    return match


def played_on(match: Match[Any], rng: SplitMix) -> tuple[list[int], int]:
    """The utilities after the deal, played on at random in plain Python, and the number of moves."""
    match, moves = match.fork(), 0
    while match.to_act or match.state.awaiting > DEAL:
        if match.to_act:
            match.play(match.to_act[0], rng.choice(match.legal(match.to_act[0])))
            moves += 1
        else:
            match.event(match.draw_lots(rng))
    seats = range(match.players)
    return [match.setup.utility(match.state, seat) for seat in seats], moves


@pytest.mark.usefixtures("numba_cuda")
def test_arguments_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    match = begun("loo", 0)
    for wrong in ([], match, [match, "loo"]):
        with pytest.raises(UpcardError, match=r"positions are a list of matches"):
            gpu.rollouts(wrong, 1)  # type: ignore[arg-type]
    with pytest.raises(UpcardError, match=r"positions\[1\] has another setup than positions\[0\]"):
        gpu.rollouts([match, begun("rounds", 0)], 1)
    with pytest.raises(UpcardError, match=r"positions\[0\] is not in the middle of a deal"):
        gpu.rollouts([Match("loo")], 1)
    with pytest.raises(UpcardError, match=r"number is a whole number from 1 up, not 0"):
        gpu.rollouts([match], 0)
    with pytest.raises(UpcardError, match=r"rollouts are at most 10{15} in total, not 1 times 10{16}"):
        gpu.rollouts([match], 10**16)
    monkeypatch.setattr("numba.cuda.is_available", lambda: False)
    with pytest.raises(UpcardError, match=r"numba-cuda finds no GPU"):
        gpu.rollouts([match], 1)


def test_without_the_compiler_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "find_spec", lambda name: None)
    with pytest.raises(UpcardError, match=r"numba-cuda is not installed: pip install .*numba-cuda"):
        gpu.compile_rollouts(games.load("rolling-stone"))


@pytest.mark.usefixtures("numba_cuda")
def test_a_missing_part_of_cuda_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise RuntimeError('Failure finding "libnvrtc.so"')

    monkeypatch.setattr("numba.cuda.compile_ptx", fail)
    with pytest.raises(
        UpcardError, match=r"numba-cuda lacks a part of CUDA \(.*libnvrtc.*\): pip install .*numba-cuda"
    ):
        gpu.compile_rollouts("rolling-stone")
