"""The rules compile for a GPU. They are the same rules as on the processor."""

import subprocess
import sys

import pytest

from upcard import UpcardError, games
from upcard.lab import gpu

COMPILE = """
import sys
from upcard.compiled import loops
from upcard.lab import gpu
before = loops.HAS_DEPOSIT
print(gpu.compile_rollouts(sys.argv[1]))
assert before == loops.HAS_DEPOSIT
"""
"""Run in a process of its own: see `compile_rollouts`."""


@pytest.mark.parametrize("slug", games.SLUGS)
def test_rollouts_compile_without_a_gpu(slug: str) -> None:
    pytest.importorskip("numba_cuda", reason="NVIDIA has nothing for this system")
    told = subprocess.run([sys.executable, "-c", COMPILE, slug], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    assert ".target sm_80" in told.stdout and told.stdout.count(".entry") == 1


def test_without_the_compiler_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "find_spec", lambda name: None)
    with pytest.raises(UpcardError, match=r"numba-cuda is not installed: pip install .*numba-cuda"):
        gpu.compile_rollouts(games.load("rolling-stone"))
