"""The intermediate results of an experiment, optionally saved to a file from which a later run resumes."""

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
"""The exceptions that end an experiment early."""
SAVED_EVERY = 30.0
"""Seconds between two saves."""
FORMAT = "5"
"""The version of the file format; increase it when the saved numbers change."""
NO_RESULTS = "contains no results: it is damaged, or another kind of file"


class Keep:
    """A checkpoint: a file with results and a hash of the experiment that they belong to. Does nothing if `file` is
    None.

    Raises UpcardError if the file contains something else or cannot be opened, and for player objects, which cannot be
    identified by a later run.
    """

    def __init__(self, file: str | Path | None, what: str, specs: Sequence[MatchSpec]) -> None:
        self._file = None if file is None else output_file("the checkpoint", file)
        self._about = "" if self._file is None else _about(what, specs)
        self._saved_at = time.monotonic()
        self._failed = False
        self._loaded: dict[str, NDArray[Any]] | None = None
        """The results that were in the file; None if there was no file."""
        if self._file is not None and not self._file.parent.is_dir():
            raise UpcardError(f"{self._file} cannot be written: there is no folder {self._file.parent}")
        if self._file is not None:
            check_writable(temporary_file(self._file))
        if self._file is not None and self._file.exists():
            self._loaded = self._read(self._file)

    def load(self, into: Callable[[dict[str, NDArray[Any]]], object]) -> None:
        """Call a function with the results from the file, if there was one. Raises UpcardError if they lack something
        that the function needs."""
        if self._loaded is None:
            return
        try:
            into(self._loaded)
        except (KeyError, IndexError, TypeError, ValueError):
            raise UpcardError(f"{self._file} {NO_RESULTS}") from None

    @property
    def due(self) -> bool:
        """Whether the next save is due."""
        return self._file is not None and time.monotonic() - self._saved_at > SAVED_EVERY

    def check(self, number: int, asked: int) -> None:
        """Raises UpcardError if the saved sums are over more than `asked`, because sums cannot be reduced."""
        if number > asked:
            raise UpcardError(f"{self._file} already contains the sums of {number}: ask for {number} or more")

    def write(self, numbers: Mapping[str, NDArray[Any]]) -> None:
        """Save results, replacing the file atomically. A failure, for instance on a full disk, is only logged, and only
        once, so that the experiment still returns its results."""
        if self._file is None:
            return
        self._saved_at = time.monotonic()
        buffer = io.BytesIO()
        np.savez(buffer, about=np.array(self._about), **numbers)  # type: ignore[arg-type]
        try:
            replace(self._file, buffer.getvalue())
        except OSError as error:
            if not self._failed:
                log.error("%s cannot be written: %s", self._file, error.strerror)
            self._failed = True

    def _read(self, file: Path) -> dict[str, NDArray[Any]]:
        try:
            with np.load(file, allow_pickle=False) as archive:
                results = {name: archive[name] for name in archive.files}
            if str(results.pop("about")) == self._about:
                return results
        except OSError as error:
            raise UpcardError(f"{file} cannot be read: {error.strerror or error}") from None
        except (ValueError, KeyError, EOFError, TypeError, BadZipFile):
            raise UpcardError(f"{file} {NO_RESULTS}") from None
        raise UpcardError(
            f"{file} contains results of something else: another command, rules, players, packs or version"
        )


P_contra = TypeVar("P_contra", contravariant=True)


class SoFar(Protocol[P_contra]):
    """The results of an experiment so far."""

    @property
    def number(self) -> int:
        """The number of deals or matches."""

    def add(self, part: P_contra) -> None:
        """Add the next ones."""

    def numbers(self) -> Mapping[str, NDArray[Any]]:
        """The arrays to save."""


def gather(
    so_far: SoFar[P_contra],
    parts: Generator[P_contra],
    largest: int,
    keep: Keep,
    progress: Callable[[int], None] | None,
    is_enough: Callable[[], bool] | None = None,
) -> bool:
    """Add chunks of at most `largest` deals or matches to the results so far, until `is_enough()` is true. Returns
    whether the experiment was cut short.

    The results are saved every `SAVED_EVERY` seconds and at the end; `progress` is called with the number of deals or
    matches after every chunk. The loss of all workers is logged as a warning. Raises KeyboardInterrupt or Lost if there
    are no results yet.
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
    """Whether to test the stopping rule after this many deals or matches: only at ends of chunks about 2 % apart,
    because the test can take longer than the play. These numbers are fixed, so that a resumed run stops where an
    uninterrupted one would have stopped."""
    before = number - min(largest, (number + 1) // 2)
    return number >= ENOUGH and end_of_piece(before, largest) == number and _coarse(before) < _coarse(number)


def _coarse(number: int) -> int:
    """A number rounded down to six significant bits."""
    rest = max(0, number.bit_length() - 6)
    return number >> rest << rest


def stand(error: BaseException, anything: bool) -> None:
    """Accept the partial results of an experiment that was cut short, and log a loss of workers. Raises the error if
    there are no results."""
    if not anything:
        raise error
    if isinstance(error, Lost):
        log.warning("%s", error)


def replace(file: Path, content: bytes) -> None:
    """Write a file atomically: if that fails, for instance on a full disk, the old contents remain."""
    new = temporary_file(file)
    with uninterrupted():
        try:
            new.write_bytes(content)
            os.replace(new, file)
        except OSError:
            new.unlink(missing_ok=True)
            raise


def temporary_file(file: Path) -> Path:
    """The path of the temporary file that is written first and then replaces the old file."""
    return file.with_name(file.name + ".new")


def identity(setup: Game[Any]) -> str:
    """A JSON text that identifies the rules of a setup: game, number of players, options and, for games from outside,
    a hash."""
    game = setup.game
    rules = {"game": game.slug, "players": setup.players, "options": dict(setup.chosen)}
    if game.identity is not None:
        rules["rules"] = game.identity
    return json.dumps(rules, default=str, sort_keys=True)


def _about(what: str, specs: Sequence[MatchSpec]) -> str:
    """A hash of everything that the results depend on. Raises UpcardError for player objects."""
    parts = [__version__, FORMAT, what]
    for spec in specs:
        luck = f"{spec.seed} {spec.most} {spec.dealer} {spec.rollouts}"
        parts += [identity(spec.setup), program(spec.setup.game).code, *map(known_as, spec.seating.players), luck]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
