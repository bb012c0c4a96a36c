"""Exponential and logarithm in plain arithmetic, so that a loop computes the same bits on every machine: those of
system libraries differ in the last bit.
"""

from __future__ import annotations

from typing import Any

import llvmlite.ir
from numba import types
from numba.extending import intrinsic

from upcard.compiled.program import inner

LOG_2_HIGH, LOG_2_LOW = 0.693147180369123816490, 1.90821492927058770002e-10
"""The logarithm of 2 in two parts; the first has so few bits that multiples of it by an exponent are exact."""
PER_LOG_2 = 1.4426950408889634
ROOT_2 = 1.4142135623730951
LEAST = -700.0
"""Below this number the exponential is 0 here."""
FRACTION = (1 << 52) - 1
ONE = 1023 << 52
"""The bits of 1.0."""


def _same_bits(source: Any, target: Any, llvm_type: Any) -> Any:
    """A numba function that returns the number with the same 64 bits of another type."""

    def reinterpret(typing_context: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.bitcast(args[0], llvm_type)

        return target(source), generate

    return intrinsic(reinterpret)


_bits_of_real = _same_bits(types.float64, types.int64, llvmlite.ir.IntType(64))
_real_of_bits = _same_bits(types.int64, types.float64, llvmlite.ir.DoubleType())


@inner
def exp_of(x: float) -> float:
    """The exponential of a number up to 700: a polynomial on half of a factor of 2, times a power of 2."""
    if x < LEAST:
        return 0.0
    power = int(x * PER_LOG_2 + (0.5 if x >= 0.0 else -0.5))
    rest = (x - power * LOG_2_HIGH) - power * LOG_2_LOW
    total = 1.0
    for k in range(14, 0, -1):
        total = 1.0 + total * rest / k
    return float(total * _real_of_bits((power + 1023) << 52))


@inner
def log_of(x: float) -> float:
    """The natural logarithm of a positive number, not smaller than 1e-300: by the series of its inverse hyperbolic
    tangent."""
    bits = _bits_of_real(x)
    power = (bits >> 52) - 1023
    part = _real_of_bits(bits & FRACTION | ONE)
    if part > ROOT_2:
        part /= 2.0
        power += 1
    ratio = (part - 1.0) / (part + 1.0)
    square = ratio * ratio
    total = 0.0
    for k in range(23, 0, -2):
        total = total * square + 1.0 / k
    return float(power * LOG_2_HIGH + (2.0 * ratio * total + power * LOG_2_LOW))
