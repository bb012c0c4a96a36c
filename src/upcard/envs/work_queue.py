"""Work sharing between the threads of a vector environment, with atomic reads and writes in compiled code.

Waking a thread from the interpreter takes longer than a step, so the threads poll these numbers instead.
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
"""64-bit numbers in a cache line. Two threads should not write to the same line."""
DONE = 0
"""The index of the number of shares that are done. Each later line has the next share to be taken from one worker."""
WORD = 8
"""The size of a number in bytes."""


def _at(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """The address of an element of an array."""
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


def _as_intrinsic(function: Any) -> Any:
    return intrinsic(function)


load: Callable[[Any, int], int] = _as_intrinsic(_load)
"""(numbers, place): returns an element, atomically, with acquire ordering."""
store: Callable[[Any, int, int], None] = _as_intrinsic(_store)
"""(numbers, place, number): write an element, atomically, with release ordering."""
add: Callable[[Any, int, int], int] = _as_intrinsic(_add)
"""(numbers, place, number): add to an element, atomically; returns its old value."""


def gate(workers: int) -> NDArray[np.int64]:
    """The numbers that the workers share, with no shares open."""
    return np.full(gate_length(workers), np.iinfo(np.int32).max, np.int64)


@inner
def gate_length(workers: int) -> int:
    """The number of numbers in a gate."""
    return LINE * (workers + 1)


@inner
def open_all(gate: Any, workers: int, shares: int) -> None:
    """Open the shares of a step. Each worker first gets the same shares every time, so that they stay in its cache."""
    each = (shares + workers - 1) // workers
    store(gate, DONE, 0)
    for worker in range(workers):
        store(gate, LINE * (worker + 1), worker * each)


@inner
def take(gate: Any, worker: int, workers: int, shares: int) -> int:
    """Take an open share, first the worker's own, then those of slower workers; NOBODY if none is left."""
    each = (shares + workers - 1) // workers
    for k in range(workers):
        whose = (worker + k) % workers
        end = min((whose + 1) * each, shares)
        if load(gate, LINE * (whose + 1)) < end:
            share = add(gate, LINE * (whose + 1), 1)
            if share < end:
                return share
    return NOBODY
