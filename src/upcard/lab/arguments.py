"""Checks of the arguments of experiments, made before anything is played. Error messages are one line."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from upcard.engine.errors import UpcardError
from upcard.rules.phrases import as_items, brief, whole_number


def integer_from(name: str, number: object, least: int | None = 1) -> int:
    """The number as a Python integer. Raises UpcardError unless it is a whole number of at least `least`."""
    value = whole_number(number)
    if value is None or (least is not None and value < least):
        bound = "" if least is None else f" from {least} up"
        raise UpcardError(f"{name} is a whole number{bound}, not {brief(number)}")
    return value


MOST_LOOKS = 10**9
"""With more looks than this, the intervals' confidence level rounds to 1."""


def looks_of(looks: object) -> int:
    """The number of comparisons made at once. Raises UpcardError unless it is from 1 to `MOST_LOOKS`."""
    count = integer_from("looks", looks)
    if count > MOST_LOOKS:
        raise UpcardError(f"looks are at most {MOST_LOOKS}, not {brief(looks)}")
    return count


def listed_players(players: Any) -> list[Any]:
    """Players as a list; a single player object becomes a list of one. Raises UpcardError for anything else."""
    if (each := as_items(players)) is not None:
        return each
    if not isinstance(players, str) and not callable(getattr(players, "choose", None)):
        raise UpcardError(f"players are a list of names or of objects that choose, not {brief(players)}")
    return [players]


def output_file(name: str, file: object) -> Path:
    """The path of a file to write. Raises UpcardError for a folder, and for anything that is not a file name."""
    if not isinstance(file, str | os.PathLike) or not os.fspath(file):
        raise UpcardError(f"{name} is the name of a file, not {brief(file)}")
    if Path(file).is_dir():
        raise UpcardError(f"{name} is a file, and {file} is a folder")
    return Path(file)


def check_writable(file: Path) -> None:
    """Raises UpcardError if a file cannot be written. Leaves it unchanged."""
    there = file.exists()
    with writing_to(file):
        file.open("ab").close()
        if not there:
            file.unlink()


@contextmanager
def writing_to(file: Path) -> Iterator[None]:
    """A context that raises UpcardError if the file cannot be written."""
    try:
        yield
    except OSError as error:
        raise UpcardError(f"{file} cannot be written: {error.strerror or error}") from None


def check_function(name: str, function: Callable[..., Any] | None) -> None:
    """Raises UpcardError for anything but a function or None."""
    if function is not None and not callable(function):
        raise UpcardError(f"{name} is a function, not {brief(function)}")


def between(name: str, number: object, low: float, high: float) -> float:
    """The number as a float. Raises UpcardError unless it is strictly between `low` and `high`."""
    if isinstance(number, bool) or not isinstance(number, int | float) or not low < number < high:
        bounds = f"above {low:g}" if high == float("inf") else f"between {low:g} and {high:g}"
        raise UpcardError(f"{name} is a number {bounds}, not {brief(number)}")
    return float(number)
