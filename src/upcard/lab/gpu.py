"""Rules compiled for a GPU: a CUDA kernel of random rollouts. Needs `numba-cuda`.

Compiling needs no GPU; only running the kernel does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import numpy as np
from numba import from_dtype, types
from numba.core.errors import NumbaError
from numpy.typing import NDArray

from upcard.compiled import loops
from upcard.compiled.program import ONE_AT_A_TIME, BadProgram, program
from upcard.engine.chance import key_of
from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.engine.mistakes import MOST_CHANCE, SLACK, bad_rules
from upcard.engine.setup import Setup
from upcard.lab.arguments import integer_from
from upcard.rules.game import Game
from upcard.rules.phrases import as_items, brief, how_to_get
from upcard.rules.renamed import former_names
from upcard.rules.state import DEAL

CAPABILITY = 8, 0
"""The lowest compute capability that the code supports: Ampere."""

THREADS, BLOCKS = 128, 2
"""Threads per block, and blocks per multiprocessor. With more threads, their states no longer fit in its cache, and
only Roundup! runs faster (by a quarter on an H200)."""

MOST = 10**15
"""The most rollouts of one call; this many would take months."""


@dataclass(frozen=True, eq=False)
class GpuRollouts:
    """The result of `rollouts`."""

    utilities: NDArray[np.float64]
    """The mean utility at the end of the deal (`Game.utility`), by position and seat."""
    moves: int
    """The number of moves played."""


def rollouts(positions: Iterable[Match[Any]], number: int, *, seed: int = 1) -> GpuRollouts:
    """Play each position to the end of its deal `number` times, with random moves, on the first GPU.

    The positions are matches of one setup in the middle of a deal; rollouts use their true cards. The result depends on
    the seed, not on the GPU. The first call for a game compiles its kernel, which takes a few seconds.

    Raises UpcardError for wrong arguments, and without numba-cuda or a GPU; BadProgram for rules that cannot be
    compiled; BadRules if a deal does not end, or a seat has more moves than `most_moves`.
    """
    matches = _checked(positions)
    setup = matches[0].setup
    number, key = integer_from("number", number), key_of(integer_from("seed", seed, None))
    if number * len(matches) > MOST:
        raise UpcardError(f"rollouts are at most {MOST} in total, not {len(matches)} times {brief(number)}")
    cuda = _cuda()
    if not cuda.is_available():
        raise UpcardError("numba-cuda finds no GPU: `numba -s` lists what it detects")
    run = program(setup.game)
    tables = run.states(len(matches))
    for i, match in enumerate(matches):
        run.put(tables, i, match.state)
    roots = cuda.to_device(tables.view(np.int64).reshape(len(tables), -1))
    options = cuda.to_device(run.options(setup).astype(_options(setup.game)))
    ended = cuda.to_device(np.zeros((len(tables), setup.players + 1), np.int64))
    moves = cuda.to_device(np.zeros(1, np.int64))
    play = _compiled(setup.game)
    play[BLOCKS * cuda.get_current_device().MULTIPROCESSOR_COUNT, THREADS](roots, options, number, key, ended, moves)
    sums = ended.copy_to_host()
    if (sums[:, -1] != number).any():
        raise bad_rules(setup.game, "a deal does not end, or a seat has more moves than most_moves says")
    return GpuRollouts(sums[:, :-1] / number, int(moves.copy_to_host()[0]))


def compile_rollouts(game: str | type[Game[Any]], capability: tuple[int, int] = CAPABILITY) -> str:
    """Compile the kernel of `rollouts` to PTX, NVIDIA's assembly language. This needs no GPU.

    The kernel's arguments are: the states of the positions, as rows of 64-bit integers; an array with one record of
    options; the number of rollouts of each position; a key for the random numbers; an array of sums by position, of
    each seat's utility and, in the last column, of the rollouts that have ended; and an array with one number, the sum
    of the moves.

    Raises UpcardError for an unknown game, for an invalid `capability` ((8, 0) is valid, for example), and if
    numba-cuda or one of its dependencies is not installed; BadProgram for rules that cannot be compiled.
    """
    game = Setup(game).game
    if not isinstance(capability, tuple) or [type(number) for number in capability] != [int, int]:
        raise UpcardError(f"a capability is two whole numbers, for example (8, 0), not {brief(capability)}")
    cuda = _cuda()
    device = SimpleNamespace(compute_capability=capability)
    with _compiling(game), _with(cuda.dispatcher, "get_current_device", lambda: device):
        text, _ = cuda.compile_ptx(_kernel(game), _signature(game), cc=capability)
    return str(text)


def _checked(positions: Any) -> list[Match[Any]]:
    """The positions as a list. Raises UpcardError unless they are matches of one setup, in the middle of a deal."""
    matches = as_items(positions)
    if not matches or not all(isinstance(match, Match) for match in matches):
        raise UpcardError("positions are a list of matches")
    for i, match in enumerate(matches):
        if match.setup != matches[0].setup:
            raise UpcardError(f"positions[{i}] has another setup than positions[0]")
        if not match.state.to_act and match.state.awaiting <= DEAL:
            raise UpcardError(f"positions[{i}] is not in the middle of a deal")
    return matches


def _cuda() -> Any:
    """Import the module of numba-cuda. Raises UpcardError if it is not installed."""
    if find_spec("numba_cuda") is None:
        raise UpcardError(f"numba-cuda is not installed: {how_to_get('gpu')}")
    return import_module("numba.cuda")


@contextmanager
def _compiling(game: type[Game[Any]]) -> Iterator[None]:
    """A context for compiling without the instructions of this processor. Raises BadProgram for rules that cannot be
    compiled, and UpcardError if CUDA's compiler is missing."""
    with ONE_AT_A_TIME, _with(loops, "HAS_DEPOSIT", False):
        try:
            yield
        except NumbaError as error:
            raise BadProgram(f"{game.slug}: numba-cuda cannot compile these rules") from error
        except RuntimeError as error:
            raise UpcardError(f"numba-cuda lacks a part of CUDA ({brief(str(error))}): {how_to_get('gpu')}") from error


@contextmanager
def _with(module: Any, name: str, value: object) -> Iterator[None]:
    """Temporarily replace an attribute of a module. This is needed because the GPU lacks this processor's instructions,
    and because numba queries the GPU even if there is none."""
    before = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, before)


def _options(game: type[Game[Any]]) -> np.dtype[Any]:
    """The data type of the options' record, aligned: the GPU would otherwise read it byte by byte."""
    return np.dtype(program(game).option_type.descr, align=True)


def _signature(game: type[Game[Any]]) -> tuple[Any, ...]:
    numbers, rows = types.Array(types.int64, 1, "C"), types.Array(types.int64, 2, "C")
    return rows, types.Array(from_dtype(_options(game)), 1, "C"), types.int64, types.int64, rows, numbers


@cache
def _compiled(game: type[Game[Any]]) -> Any:
    """The kernel, ready for the first GPU."""
    with _compiling(game):
        return _cuda().jit(_signature(game))(_kernel(game))


def _kernel(game: type[Game[Any]]) -> Any:
    """The kernel as a plain function. Each thread copies positions word by word to its own state in local memory, where
    the words of neighbouring threads are adjacent."""
    cuda = _cuda()
    state = program(game).state_type
    size = state.itemsize // 8
    workspace = np.dtype(
        [
            ("rng", np.uint64, (1,)),
            ("moves", np.int64, (game.most_moves + SLACK,)),
            ("order", np.int64, (MOST_CHANCE,)),
        ]
    )
    finish_deal, stream, utility, which = loops.finish_deal, loops.stream, loops.utility, loops.PLAY

    def play_rollouts(roots: Any, opts: Any, number: int, key: int, ended: Any, moves: Any) -> None:
        words = cuda.local.array(size, np.int64)
        tables = words.view(state)
        scratch = cuda.local.array(1, workspace)
        seats = ended.shape[1] - 1
        played = 0
        for j in range(cuda.grid(1), len(roots) * number, cuda.gridsize(1)):
            root = j // number
            for word in range(size):
                words[word] = roots[root, word]
            scratch[0].rng[0] = stream(key, j, which)
            played += finish_deal(opts[0], tables[0], scratch[0], None)
            for seat in range(seats):
                cuda.atomic.add(ended, (root, seat), utility(opts[0], tables[0], seat))
            cuda.atomic.add(ended, (root, seats), 1)
        cuda.atomic.add(moves, 0, played)

    return play_rollouts


__getattr__ = former_names(__name__, Rollouts="GpuRollouts")
