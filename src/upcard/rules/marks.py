"""The decorators that mark rules. Rules are written once and run in two ways.

Live tables, replay and the command line run the methods of a game, and the functions that they call, in plain Python.
For speed, `upcard.compiled` compiles all rules of a game with numba, so that the same source runs inside compiled
loops. `@rule` marks a function outside a class for that; a method needs no mark. This module does not import numba.

To give the same result in both ways, a rule may use 64-bit integers, fields of the records that it is given, tuples of
integers, and other rules. It may not use texts, floats, lists, or nested functions.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class RuleMark:
    """The way to run and compile a rule."""

    large: bool = False
    """Whether to call it instead of inlining it."""
    plain: bool = False
    """Whether it runs in plain Python only."""
    intrinsic: str | None = None
    """The LLVM intrinsic that replaces the function; it takes one 64-bit integer."""


def mark_of(function: object) -> RuleMark | None:
    """The mark of a rule; None if the function has none."""
    mark: RuleMark | None = getattr(function, "_upcard_mark", None)
    return mark


def _marked(function: F, **how: Any) -> F:
    function._upcard_mark = replace(mark_of(function) or RuleMark(), **how)  # type: ignore[attr-defined]
    return function


def rule(function: F) -> F:
    """Mark a function as a rule, which can also be compiled."""
    return _marked(function)


def large(function: F) -> F:
    """Mark a long rule that is called in several places, so that it is not inlined: it compiles faster."""
    return _marked(function, large=True)


def machine(llvm_name: str) -> Callable[[F], F]:
    """Mark a rule that takes one 64-bit integer and is compiled to the LLVM intrinsic of this name."""
    return partial(_marked, intrinsic=llvm_name)


def plain(function: F) -> F:
    """Mark a method `complete` or `consistent` that runs in plain Python only, so that it may use lists and texts."""
    return _marked(function, plain=True)


def is_plain(function: object) -> bool:
    """Whether a method runs in plain Python only."""
    mark = mark_of(function)
    return mark is not None and mark.plain
