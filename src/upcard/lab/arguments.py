"""What experiments are asked with, checked before anything is played: one line says what is wrong."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from upcard.engine.errors import UpcardError
from upcard.lab.jobs import cores
from upcard.rules.words import brief, whole_number


def whole(name: str, number: object, least: int | None = 1) -> int:
    """A whole number, of any kind that is one, from `least` up. Raises UpcardError."""
    found = whole_number(number)
    if found is None or (least is not None and found < least):
        bound = "" if least is None else f" from {least} up"
        raise UpcardError(f"{name} is a whole number{bound}, not {brief(number)}")
    return found


MOST_LOOKS = 10**9
"""Beyond it, all intervals are as good as certain, and computers' numbers too coarse for them."""


def looks_of(looks: object) -> int:
    """At how many things is looked at once. Raises UpcardError."""
    found = whole("looks", looks)
    if found > MOST_LOOKS:
        raise UpcardError(f"looks are at most {MOST_LOOKS}, not {brief(looks)}")
    return found


def jobs_of(jobs: int | None) -> int:
    """How many work at it: all cores if not said. Raises UpcardError."""
    return cores() if jobs is None else whole("jobs", jobs)


def listed_players(players: Any) -> list[Any]:
    """Players as a list; one alone is a list of one. Raises UpcardError for what is neither."""
    if isinstance(players, Iterable) and not isinstance(players, str):
        return list(players)
    if not isinstance(players, str) and not callable(getattr(players, "choose", None)):
        raise UpcardError(f"players are a list of names or of objects that choose, not {brief(players)}")
    return [players]


def file_of(name: str, file: object) -> Path:
    """Where something is to be written. Raises UpcardError for what names no file, or a folder."""
    if not isinstance(file, str | os.PathLike):
        raise UpcardError(f"{name} is the name of a file, not {brief(file)}")
    if Path(file).is_dir():
        raise UpcardError(f"{name} is a file, and {file} is a folder")
    return Path(file)


def check_writable(file: Path) -> None:
    """Leaves a file as it is. Raises UpcardError for one that cannot be written, before anything is played for it."""
    there = file.exists()
    try:
        file.open("ab").close()
        if not there:
            file.unlink()
    except OSError as error:
        raise UpcardError(f"{file} cannot be written: {error.strerror}") from None


def check_function(name: str, one: Callable[..., Any] | None) -> None:
    """Raises UpcardError for what is neither a function nor left out."""
    if one is not None and not callable(one):
        raise UpcardError(f"{name} is a function, not {brief(one)}")


def between(name: str, number: object, low: float, high: float) -> float:
    """A number between these two, neither of them. Raises UpcardError."""
    if isinstance(number, bool) or not isinstance(number, int | float) or not low < number < high:
        bounds = f"above {low:g}" if high == float("inf") else f"between {low:g} and {high:g}"
        raise UpcardError(f"{name} is a number {bounds}, not {brief(number)}")
    return float(number)
