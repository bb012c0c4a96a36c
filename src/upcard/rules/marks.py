"""Rules are written once and run two ways.

Every function in a game's module `rules` is a rule; elsewhere `@rule` marks one. The mark leaves it as it is: ordinary
Python on an ordinary object, for live tables, replay and the command line. When machine speed is wanted,
`upcard.compiled` finds every rule that a game reaches and has numba compile it, so that the same source runs inside
compiled loops. Nothing here imports numba.

What a rule may use, so that both ways give the same result: 64-bit whole numbers, fields of the records it is given,
tuples of numbers as tables, other rules. No texts, no fractions, no lists, no functions within functions.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Mark:
    """What compiled code is told of a rule."""

    large: bool = False
    """Called, instead of copied into each place that names it."""
    intrinsic: str | None = None
    """The LLVM intrinsic that does the same as the function, on one 64-bit number."""


def mark_of(function: object) -> Mark | None:
    """The mark of a rule; None for any other function."""
    found: Mark | None = getattr(function, "_upcard_mark", None)
    if found is None and isinstance(function, FunctionType) and function.__module__.endswith(".rules"):
        return Mark()
    return found


def rule(function: F) -> F:
    """Mark a function as part of the rules: plain Python as it stands, machine code in compiled play."""
    function._upcard_mark = mark_of(function) or Mark()  # type: ignore[attr-defined]
    return function


def large(function: F) -> F:
    """Mark a long rule that is named in several places: copied into each it would take long to compile."""
    function._upcard_mark = replace(mark_of(function) or Mark(), large=True)  # type: ignore[attr-defined]
    return function


def machine(llvm_name: str) -> Callable[[F], F]:
    """Mark a rule on one 64-bit number for which the machine has an instruction: the LLVM intrinsic of this name."""

    def mark(function: F) -> F:
        function._upcard_mark = replace(mark_of(function) or Mark(), intrinsic=llvm_name)  # type: ignore[attr-defined]
        return function

    return mark
