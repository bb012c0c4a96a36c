"""The rules compile for a GPU, and there they are the same rules as in plain Python."""

from random import Random
from typing import Any

import numpy as np
import pytest

from upcard import Match, UpcardError, games
from upcard.compiled import loops
from upcard.engine.chance import PLAY, SplitMix, key_of, stream
from upcard.engine.match import let_happen
from upcard.engine.mistakes import MOST_CHANCE, SLACK, BadRules
from upcard.lab import gpu
from upcard.lab.bench import Bench
from upcard.rules.cards import lowest
from upcard.rules.game import legal_moves
from upcard.rules.state import DEAL, DRAW


def has_gpu() -> bool:
    cuda = pytest.importorskip("numba.cuda")
    return bool(cuda.is_available())


@pytest.mark.parametrize("slug", games.SLUGS)
def test_rollouts_compile_without_a_gpu(slug: str) -> None:
    pytest.importorskip("numba_cuda", reason="NVIDIA has nothing for this system")
    before = loops.HAS_DEPOSIT
    text = gpu.compile_rollouts(slug)
    assert before == loops.HAS_DEPOSIT
    assert ".target sm_80" in text and text.count(".entry") == 1
    assert "ld.global.u8" not in text, "numbers are read byte by byte"


def test_what_was_compiled_for_the_processor_before_does_not_matter(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    pytest.importorskip("numba_cuda", reason="NVIDIA has nothing for this system")
    monkeypatch.setenv("UPCARD_CACHE", str(tmp_path))
    game = games.load("roundup")
    Bench(game)
    assert ".entry" in gpu.compile_rollouts(game)


@pytest.mark.skipif("not has_gpu()", reason="there is no GPU")
@pytest.mark.parametrize("slug", games.SLUGS)
def test_rollouts_on_a_gpu_follow_the_plain_rules(slug: str) -> None:
    positions = [begun(slug, seed) for seed in range(3)]
    told = gpu.rollouts(positions, 4, seed=7)
    ended = [played_on(positions[j // 4], SplitMix(stream(key_of(7), j, PLAY))) for j in range(12)]
    assert told.moves == sum(moves for _, moves in ended)
    utilities = np.array([utilities for utilities, _ in ended])
    assert (told.utilities == utilities.reshape(3, 4, -1).mean(axis=1)).all()


@pytest.mark.skipif("not has_gpu()", reason="there is no GPU")
def test_a_deal_that_does_not_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "LONGEST_MATCH", 5)
    game = games.load("rounds").variant("rounds-anew")
    with pytest.raises(BadRules, match=r"rounds-anew: a deal does not end"):
        gpu.rollouts([Match(game, chance=Random(1))], 1)


def begun(slug: str, seed: int) -> Match[Any]:
    """A match whose first deal has begun, some moves on."""
    match = Match(slug, chance=Random(seed))
    for _ in range(seed):
        seat = match.to_act[0]
        match.play(seat, match.legal(seat)[0])
    return match


def played_on(match: Match[Any], rng: SplitMix) -> tuple[list[int], int]:
    """The utilities after the deal, played on at random in plain Python, and the number of moves."""
    setup, s = match.setup, match.state.copy()
    game, opt = setup.game, setup.options
    out, moves = [0] * max(game.most_moves + SLACK, MOST_CHANCE), 0
    while s.to_act or s.awaiting > DEAL:
        if s.to_act:
            me = lowest(s.to_act)
            game.apply(s, opt, me, out[rng.below(legal_moves(game, s, opt, me, out))])
            moves += 1
            continue
        order = out[: game.cards_to_shuffle(s, opt, out)]
        if s.awaiting == DRAW:
            order = [rng.choice(order)]
        else:
            rng.shuffle(order)
        let_happen(setup, s, order)
    return [game.utility(s, opt, seat) for seat in range(setup.players)], moves


def test_arguments_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba_cuda", reason="NVIDIA has nothing for this system")
    match = begun("loo", 0)
    for wrong in ([], match, [match, "loo"]):
        with pytest.raises(UpcardError, match=r"positions are a list of matches"):
            gpu.rollouts(wrong, 1)  # type: ignore[arg-type]
    with pytest.raises(UpcardError, match=r"positions\[1\] is of another setup than positions\[0\]"):
        gpu.rollouts([match, begun("rounds", 0)], 1)
    with pytest.raises(UpcardError, match=r"positions\[0\] has no deal to play on"):
        gpu.rollouts([Match("loo")], 1)
    with pytest.raises(UpcardError, match=r"number is a whole number from 1 up, not 0"):
        gpu.rollouts([match], 0)
    with pytest.raises(UpcardError, match=r"rollouts are at most 10{15} altogether, not 1 times 10{16}"):
        gpu.rollouts([match], 10**16)
    monkeypatch.setattr("numba.cuda.is_available", lambda: False)
    with pytest.raises(UpcardError, match=r"numba-cuda finds no GPU"):
        gpu.rollouts([match], 1)


def test_without_the_compiler_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "find_spec", lambda name: None)
    with pytest.raises(UpcardError, match=r"numba-cuda is not installed: pip install .*numba-cuda"):
        gpu.compile_rollouts(games.load("rolling-stone"))
