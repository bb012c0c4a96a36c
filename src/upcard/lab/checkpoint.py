"""What an experiment has come to so far, also in a file, from which the same experiment continues when it is called
again."""

from __future__ import annotations

import hashlib
import io
import json
import logging
import os
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol, TypeVar
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from upcard import __version__
from upcard.compiled.program import program
from upcard.engine.errors import UpcardError
from upcard.lab.arguments import check_writable, output_file
from upcard.lab.errors import Lost
from upcard.lab.intervals import ENOUGH
from upcard.lab.parallel import end_of_piece, uninterrupted
from upcard.lab.runner import MatchSpec
from upcard.lab.seating import known_as
from upcard.rules.game import Game

log = logging.getLogger("upcard.lab")

CUT_SHORT = KeyboardInterrupt, Lost
"""What ends an experiment early."""
SAVED_EVERY = 30.0
"""The number of seconds between two saves."""
FORMAT = "5"
"""The version of the file format; raise it when other numbers are saved."""
NO_RESULTS = "keeps no results: it is damaged, or something else"


class Keep:
    """Results in a file, together with a hash of the experiment that they belong to. Does nothing if `file` is None.

    Raises UpcardError if the file holds something else or cannot be opened, and for player objects, which could not be
    recognised later.
    """

    def __init__(self, file: str | Path | None, what: str, tables: Sequence[MatchSpec]) -> None:
        self._file = None if file is None else output_file("what is kept", file)
        self._about = "" if self._file is None else _about(what, tables)
        self._kept_at = time.monotonic()
        self._failed = False
        self._found: dict[str, NDArray[Any]] | None = None
        """The results that were in the file; None if there was no file."""
        if self._file is not None and not self._file.parent.is_dir():
            raise UpcardError(f"{self._file} cannot be kept: there is no folder {self._file.parent}")
        if self._file is not None:
            check_writable(temporary_file(self._file))
        if self._file is not None and self._file.exists():
            self._found = self._read(self._file)

    def load(self, into: Callable[[dict[str, NDArray[Any]]], object]) -> None:
        """Call a function with the results that were in the file, if there was one. Raises UpcardError if it does not
        find there what it needs."""
        if self._found is None:
            return
        try:
            into(self._found)
        except (KeyError, IndexError, TypeError, ValueError):
            raise UpcardError(f"{self._file} {NO_RESULTS}") from None

    @property
    def due(self) -> bool:
        """Whether it is time to save again."""
        return self._file is not None and time.monotonic() - self._kept_at > SAVED_EVERY

    def check(self, number: int, asked: int) -> None:
        """Raises UpcardError if the saved sums are of more than `asked`, since sums cannot be reduced."""
        if number > asked:
            raise UpcardError(f"{self._file} keeps the sums of {number} already: ask for {number} or more")

    def write(self, numbers: Mapping[str, NDArray[Any]]) -> None:
        """Save results, replacing the file in one step. If that fails, for instance on a full disk, it is logged once,
        so that the results are not lost as well."""
        if self._file is None:
            return
        self._kept_at = time.monotonic()
        written = io.BytesIO()
        np.savez(written, about=np.array(self._about), **numbers)  # type: ignore[arg-type]
        try:
            replace(self._file, written.getvalue())
        except OSError as error:
            if not self._failed:
                log.error("%s cannot be kept: %s", self._file, error.strerror)
            self._failed = True

    def _read(self, file: Path) -> dict[str, NDArray[Any]]:
        try:
            with np.load(file, allow_pickle=False) as kept:
                results = {name: kept[name] for name in kept.files}
            if str(results.pop("about")) == self._about:
                return results
        except OSError as error:
            raise UpcardError(f"{file} cannot be read: {error.strerror or error}") from None
        except (ValueError, KeyError, EOFError, TypeError, BadZipFile):
            raise UpcardError(f"{file} {NO_RESULTS}") from None
        raise UpcardError(f"{file} keeps results of something else: another command, rules, players, packs or version")


P_contra = TypeVar("P_contra", contravariant=True)


class SoFar(Protocol[P_contra]):
    """What an experiment has come to so far."""

    @property
    def number(self) -> int:
        """The number of deals or matches."""

    def add(self, part: P_contra) -> None:
        """Add the next of them."""

    def numbers(self) -> Mapping[str, NDArray[Any]]:
        """What is saved."""


def gather(
    so_far: SoFar[P_contra],
    parts: Generator[P_contra],
    largest: int,
    keep: Keep,
    progress: Callable[[int], None] | None,
    is_enough: Callable[[], bool] | None = None,
) -> bool:
    """Add the parts, of at most `largest` deals or matches each, to what there is so far, until it is enough; returns
    whether something has cut that short.

    It is saved now and then and at the end; `progress` is called with its number after every part. The loss of all
    workers is logged as a warning. Raises KeyboardInterrupt and Lost if there is nothing yet.
    """
    first = so_far.number

    def reached() -> bool:
        return is_enough is not None and is_checkpoint(so_far.number, largest) and is_enough()

    try:
        with closing(parts):
            if reached():
                return False
            for part in parts:
                with uninterrupted():
                    so_far.add(part)
                if keep.due:
                    keep.write(so_far.numbers())
                if progress:
                    progress(so_far.number)
                if reached():
                    break
    except CUT_SHORT as error:
        stand(error, so_far.number > 0)
        return True
    finally:
        if so_far.number > first:
            keep.write(so_far.numbers())
    return False


def is_checkpoint(number: int, largest: int) -> bool:
    """Whether it is asked after so many deals or matches if they are enough: at ends of pieces that are some 2 % apart,
    since asking may take longer than playing. These numbers are fixed, so that what is resumed stops where it would
    have stopped in one go."""
    before = number - min(largest, (number + 1) // 2)
    return number >= ENOUGH and end_of_piece(before, largest) == number and _coarse(before) < _coarse(number)


def _coarse(number: int) -> int:
    """A number, rounded down to six binary digits."""
    rest = max(0, number.bit_length() - 6)
    return number >> rest << rest


def stand(error: BaseException, anything: bool) -> None:
    """Let what there is stand, though the experiment was cut short; a loss is logged. Raises the error if there is
    nothing."""
    if not anything:
        raise error
    if isinstance(error, Lost):
        log.warning("%s", error)


def replace(file: Path, content: bytes) -> None:
    """Write a file in one step: if that fails, for instance on a full disk, what was there stays."""
    new = temporary_file(file)
    with uninterrupted():
        try:
            new.write_bytes(content)
            os.replace(new, file)
        except OSError:
            new.unlink(missing_ok=True)
            raise


def temporary_file(file: Path) -> Path:
    """The temporary file that is written before it replaces the old one."""
    return file.with_name(file.name + ".new")


def identity(setup: Game[Any]) -> str:
    """A text that identifies the rules of a table: game, players, options and, for games from outside, a hash."""
    game = setup.game
    rules = {"game": game.slug, "players": setup.players, "options": dict(setup.chosen)}
    if game.identity is not None:
        rules["rules"] = game.identity
    return json.dumps(rules, default=str, sort_keys=True)


def _about(what: str, tables: Sequence[MatchSpec]) -> str:
    """A hash of what is played; if it is the same, so are the results. Raises UpcardError for player objects."""
    parts = [__version__, FORMAT, what]
    for table in tables:
        luck = f"{table.seed} {table.most} {table.dealer} {table.rollouts}"
        parts += [identity(table.setup), program(table.setup.game).code, *map(known_as, table.seating.players), luck]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
