"""The decorators that mark rules. Rules are written once and run in two ways.

In plain Python, methods of a game and the functions that they call are what they look like, for live tables, replay and
the command line. For speed, `upcard.compiled` compiles all that a game reaches with numba, so that the same source runs
inside compiled loops. `@rule` marks a function outside a class for that; a method needs no mark. Nothing here imports
numba.

To give the same result in both ways, a rule may use 64-bit integers, fields of the records that it is given, tuples of
integers, and other rules. It may not use texts, floats, lists, or nested functions.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Mark:
    """How to compile a rule."""

    large: bool = False
    """Whether to call it instead of inlining it."""
    plain: bool = False
    """Whether it runs in plain Python only."""
    intrinsic: str | None = None
    """The LLVM intrinsic that replaces the function; it takes one 64-bit integer."""


def mark_of(function: object) -> Mark | None:
    """The mark of a rule; None if the function has none."""
    mark: Mark | None = getattr(function, "_upcard_mark", None)
    return mark


def rule(function: F) -> F:
    """Mark a function as a rule, which can also be compiled."""
    function._upcard_mark = mark_of(function) or Mark()  # type: ignore[attr-defined]
    return function


def large(function: F) -> F:
    """Mark a long rule that is called in several places; it is not inlined, which would take long to compile."""
    function._upcard_mark = replace(mark_of(function) or Mark(), large=True)  # type: ignore[attr-defined]
    return function


def machine(llvm_name: str) -> Callable[[F], F]:
    """Mark a rule that takes one 64-bit integer and is compiled to the LLVM intrinsic of this name."""

    def mark(function: F) -> F:
        function._upcard_mark = replace(mark_of(function) or Mark(), intrinsic=llvm_name)  # type: ignore[attr-defined]
        return function

    return mark


def plain(function: F) -> F:
    """Mark a method `complete` or `consistent` that runs in plain Python only, so that it may use lists and texts."""
    function._upcard_mark = replace(mark_of(function) or Mark(), plain=True)  # type: ignore[attr-defined]
    return function


def is_plain(function: object) -> bool:
    """Whether a method runs in plain Python only."""
    mark = mark_of(function)
    return mark is not None and mark.plain
