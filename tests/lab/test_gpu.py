"""The rules compile for a GPU; what they do there is what they do here, as they are the same."""

import pytest

from upcard import UpcardError, games
from upcard.compiled import loops
from upcard.lab import gpu


@pytest.mark.parametrize("slug", games.SLUGS)
def test_rollouts_compile_without_a_gpu(slug: str) -> None:
    pytest.importorskip("numba_cuda", reason="NVIDIA has nothing for this system")
    before = loops.HAS_DEPOSIT
    text = gpu.compile_rollouts(games.load(slug))
    assert ".target sm_80" in text and text.count(".entry") == 1
    assert before == loops.HAS_DEPOSIT


def test_without_the_compiler_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "find_spec", lambda name: None)
    with pytest.raises(UpcardError, match=r"numba-cuda is not installed: pip install 'upcard\[gpu\]'"):
        gpu.compile_rollouts(games.load("rolling-stone"))
