"""Rules are written once and run two ways.

`@rule` leaves a function as it is: ordinary Python on an ordinary object, for live tables, replay and the command line.
It only notes the function down. When machine speed is wanted, `upcard.fast` tells numba how to compile everything noted
here, so that the same source runs inside compiled loops. Importing this module never imports numba.

What a rule may use, so that both ways give the same result: 64-bit whole numbers, fields of the records it is given,
tuples of numbers as tables, other rules. No strings, no floats, no allocation.
"""

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

RULES: list[Callable[..., Any]] = []
"""Every rule of every module loaded so far, in order of definition."""

INTRINSIC: dict[Callable[..., Any], str] = {}
"""Rules that the machine has an instruction for, by the name of that instruction's LLVM intrinsic."""

LARGE: set[Callable[..., Any]] = set()
"""Rules that compiled code calls, instead of copying them into each place that names them."""


def rule(function: F) -> F:
    """Mark a function as part of the rules: plain Python here, compiled in `upcard.fast`."""
    RULES.append(function)
    return function


def large(function: F) -> F:
    """Mark a long rule that is named in several places: copied into each it would take long to compile."""
    LARGE.add(function)
    return function


def machine(llvm_name: str) -> Callable[[F], F]:
    """Mark a rule on one 64-bit number that `upcard.fast` replaces by the LLVM intrinsic of this name."""

    def note(function: F) -> F:
        INTRINSIC[function] = llvm_name
        return function

    return note
