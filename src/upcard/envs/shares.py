"""Numbers that the threads of a vector environment share: compiled code reads and writes them in one piece.

Threads that are told of every step by the interpreter would begin later than a step takes; these look for themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from upcard.compiled.program import inner
from upcard.rules.state import NOBODY

LINE = 8
"""Numbers in a line of the processor's cache, which no two threads should write to."""
DONE = 0
"""Where it stands how many shares are done; a line on, by worker, the next of its shares that nobody has taken."""
WORD = 8
"""Bytes of a number."""


def _at(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """The address of one number of an array."""
    array = context.make_array(signature.args[0])(context, builder, args[0])
    return builder.gep(array.data, [args[1]])


def _load(typing_context: Any, numbers: Any, place: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(_at(context, builder, signature, args), "acquire", WORD)

    return types.int64(numbers, types.int64), generate


def _store(typing_context: Any, numbers: Any, place: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store_atomic(args[2], _at(context, builder, signature, args), "release", WORD)
        return context.get_dummy_value()

    return types.void(numbers, types.int64, types.int64), generate


def _add(typing_context: Any, numbers: Any, place: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.atomic_rmw("add", _at(context, builder, signature, args), args[2], "seq_cst")

    return types.int64(numbers, types.int64, types.int64), generate


def _made(how: Any) -> Any:
    return intrinsic(how)


load: Callable[[Any, int], int] = _made(_load)
"""(numbers, place): a number, with all that was written before it was."""
store: Callable[[Any, int, int], None] = _made(_store)
"""(numbers, place, number): write a number, after all that was written before."""
add: Callable[[Any, int, int], int] = _made(_add)
"""(numbers, place, number): add to a number; gives what it was."""


def gate(workers: int) -> NDArray[np.int64]:
    """What the workers share, with nothing to be done."""
    return np.full(LINE * (workers + 1), np.iinfo(np.int32).max, np.int64)


@inner
def open_all(gate: Any, workers: int, shares: int) -> None:
    """Open so many shares: as many to each worker, always the same ones, which it then has in its core's cache."""
    each = (shares + workers - 1) // workers
    store(gate, DONE, 0)
    for worker in range(workers):
        store(gate, LINE * (worker + 1), worker * each)


@inner
def take(gate: Any, worker: int, workers: int, shares: int) -> int:
    """A share that nobody has taken, first of a worker's own, then of who comes late; NOBODY where there is none."""
    each = (shares + workers - 1) // workers
    for k in range(workers):
        whose = (worker + k) % workers
        end = min((whose + 1) * each, shares)
        if load(gate, LINE * (whose + 1)) < end:
            share = add(gate, LINE * (whose + 1), 1)
            if share < end:
                return share
    return NOBODY
