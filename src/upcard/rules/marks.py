"""The decorators that mark rules. Rules are written once and run in two ways.

`@rule` only marks a function. It remains ordinary Python on ordinary objects, for live tables, replay and the command
line. For speed, `upcard.compiled` finds all marked functions that a game reaches and compiles them with numba, so that
the same source runs inside compiled loops. Nothing here imports numba. In a game's folder every function is a rule even
without a mark, except in its module `words`.

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
    intrinsic: str | None = None
    """The LLVM intrinsic that replaces the function; it takes one 64-bit integer."""


_folders: set[str] = set()


def hold_rules(package: str) -> None:
    """Treat all functions in the modules of this package as rules, except in its module `words`."""
    _folders.add(package)


def mark_of(function: object) -> Mark | None:
    """The mark of a rule; None if the function is not a rule."""
    found: Mark | None = getattr(function, "_upcard_mark", None)
    folder, _, module = getattr(function, "__module__", "").rpartition(".")
    return Mark() if found is None and folder in _folders and module != "words" else found


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
