"""Rules are written once and run two ways.

`@rule` leaves a function as it is: ordinary Python on an ordinary object, for live tables, replay and the command line.
It only marks it. When machine speed is wanted, `upcard.compiled` finds every marked function that a game reaches and
has numba compile it, so that the same source runs inside compiled loops. Nothing here imports numba. In the folder of a
game every function is a rule without a mark, except in its `words`.

What a rule may use, so that both ways give the same result: 64-bit whole numbers, fields of the records it is given,
tuples of numbers as tables, other rules. No texts, no fractions, no lists, no functions within functions.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Mark:
    """What compiled code is told of a rule."""

    large: bool = False
    """Called, instead of copied into each place that names it."""
    intrinsic: str | None = None
    """The LLVM intrinsic that does the same as the function, on one 64-bit number."""


_folders: set[str] = set()


def hold_rules(package: str) -> None:
    """Take every function in the modules of this package for a rule, except in its `words`."""
    _folders.add(package)


def mark_of(function: object) -> Mark | None:
    """The mark of a rule; None for any other function."""
    found: Mark | None = getattr(function, "_upcard_mark", None)
    folder, _, module = getattr(function, "__module__", "").rpartition(".")
    return Mark() if found is None and folder in _folders and module != "words" else found


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
