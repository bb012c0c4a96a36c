"""Rules compiled for a GPU: a CUDA kernel of random rollouts. Needs `numba-cuda`.

Compiling needs no GPU; only running the kernel does.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

from numba import from_dtype, types
from numba.core.errors import NumbaError
from numba.extending import overload

from upcard.compiled import loops
from upcard.compiled.program import BadProgram, program
from upcard.engine.errors import UpcardError
from upcard.engine.setup import Setup
from upcard.rules.cards import lowest, nth_card
from upcard.rules.game import Game
from upcard.rules.words import brief, how_to_get

CAPABILITY = 8, 0
"""The lowest compute capability that the code supports: Ampere."""


def compile_rollouts(game: str | Game[Any], capability: tuple[int, int] = CAPABILITY) -> str:
    """A kernel of a game's rollouts as PTX, NVIDIA's assembly language.

    Call it in a new process: if the process has compiled for the CPU before, numba may reuse the types inferred there
    and reject rules that it can compile. The kernel's arguments are: an array of states, where thread i plays on from
    state 2 i, using state 2 i + 1 as its workspace; an array with one record of options; an array with a scratch record
    for each thread; the number of rollouts; and an array into which each thread writes the number of moves it played.

    Raises UpcardError for an unknown game, for an invalid `capability` (valid is, for example, (8, 0)), and if
    numba-cuda is not installed; BadProgram for rules that cannot be compiled.
    """
    game = Setup(game).game
    if not isinstance(capability, tuple) or [type(number) for number in capability] != [int, int]:
        raise UpcardError(f"a capability is two whole numbers, such as (8, 0), not {brief(capability)}")
    if find_spec("numba_cuda") is None:
        raise UpcardError(f"numba-cuda is not installed: {how_to_get('gpu')}")
    cuda: Any = import_module("numba.cuda")
    _count_up_to_cards()
    run = program(game)
    records = [types.Array(from_dtype(kind), 1, "C") for kind in (run.state_type, run.option_type, run.scratch_type)]
    signature = (*records, types.int64, types.Array(types.int64, 1, "C"))
    device = SimpleNamespace(compute_capability=capability)
    with _with(loops, "HAS_DEPOSIT", False), _with(cuda.dispatcher, "get_current_device", lambda: device):
        try:
            text, _ = cuda.compile_ptx(_kernel(cuda), signature, cc=capability)
        except NumbaError as error:
            raise BadProgram(f"{game.slug}: numba-cuda cannot compile these rules") from error
    return str(text)


@cache
def _count_up_to_cards() -> None:
    """On the GPU, find the k-th card with a plain loop, which numba-cuda can compile in every rule."""
    overload(nth_card, target="cuda", strict=False)(lambda cards, k: _nth_card)


def _nth_card(cards: int, k: int) -> int:
    for _ in range(k):
        cards &= cards - 1
    return lowest(cards)


@contextmanager
def _with(module: Any, name: str, value: object) -> Iterator[None]:
    """Temporarily replace an attribute of a module. Needed because the GPU lacks this processor's instructions, and
    because numba queries the GPU even if there is none."""
    before = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, before)


def _kernel(cuda: Any) -> Any:
    finish_deal = loops.finish_deal

    def play_rollouts(tables: Any, opts: Any, scratch: Any, number: int, moves: Any) -> None:
        i = cuda.grid(1)
        if i < len(moves):
            played = 0
            for _ in range(number):
                tables[2 * i + 1] = tables[2 * i]
                played += finish_deal(tables[2 * i + 1], opts[0], scratch[i], None)
            moves[i] = played

    return play_rollouts
