"""The intermediate results of an experiment, optionally saved to a file from which a later run resumes."""

from __future__ import annotations

import hashlib
import io
import json
import logging
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from upcard import __version__
from upcard.compiled.program import program
from upcard.engine.errors import UpcardError
from upcard.lab.arguments import check_writable, output_file
from upcard.lab.deal_predicates import condition_known_as
from upcard.lab.parallel import uninterrupted
from upcard.lab.runner import MatchSpec
from upcard.lab.seating import known_as
from upcard.rules.game import Game

log = logging.getLogger("upcard.lab")

SAVED_EVERY = 30.0
"""Seconds between two saves."""
FORMAT = "7"
"""The version of the file format; increase it when the saved numbers change."""
NO_RESULTS = "contains no results: it is damaged, or another kind of file"

SavedArrays = Mapping[str, NDArray[Any]]
"""Arrays by name, as they are saved in a file."""


class Saveable(Protocol):
    """Results that can be saved."""

    def numbers(self) -> SavedArrays:
        """The arrays to save."""

    def load(self, numbers: SavedArrays) -> None:
        """Restore saved arrays."""


def numbers_of(parts: Mapping[str, Saveable]) -> dict[str, NDArray[Any]]:
    """The arrays of several results, each under the name of its part: "part name"."""
    return {f"{part} {name}": numbers for part, of in parts.items() for name, numbers in of.numbers().items()}


def load_parts(parts: Mapping[str, Saveable], numbers: SavedArrays) -> None:
    """Restore what `numbers_of` has saved."""
    for part, results in parts.items():
        prefix = f"{part} "
        results.load({name.removeprefix(prefix): own for name, own in numbers.items() if name.startswith(prefix)})


class Checkpoint:
    """A file with results and a hash of the experiment that they belong to. Does nothing if `file` is None.

    Raises UpcardError if the file contains something else or cannot be opened, and for player objects, which cannot be
    identified by a later run.
    """

    def __init__(self, file: str | Path | None, kind: str, specs: Sequence[MatchSpec]) -> None:
        self._file = None if file is None else output_file("the checkpoint", file)
        self._about = "" if self._file is None else _about(kind, specs)
        self._saved_at = time.monotonic()
        self._failed = False
        self._loaded: dict[str, NDArray[Any]] | None = None
        """The results that were in the file; None if there was no file."""
        if self._file is not None:
            if not self._file.parent.is_dir():
                raise UpcardError(f"{self._file} cannot be written: there is no folder {self._file.parent}")
            check_writable(temporary_file(self._file))
            if self._file.exists():
                self._loaded = self._read(self._file)

    def load(self, results: Saveable) -> None:
        """Restore the results from the file, if there was one. Raises UpcardError if the file lacks some of them."""
        if self._loaded is None:
            return
        try:
            results.load(self._loaded)
        except (KeyError, IndexError, TypeError, ValueError):
            raise UpcardError(f"{self._file} {NO_RESULTS}") from None

    def check(self, number: int, asked: int) -> None:
        """Raises UpcardError if the saved sums are over more than `asked`, because sums cannot be reduced."""
        if number > asked:
            raise UpcardError(f"{self._file} already contains the sums of {number}: ask for {number} or more")

    def save(self, results: Saveable, only_if_due: bool = False) -> None:
        """Save results, replacing the file atomically; with `only_if_due`, only if the last time is `SAVED_EVERY`
        seconds ago. A failure, for instance on a full disk, is only logged, and only once, so that the experiment still
        returns its results."""
        if self._file is None or (only_if_due and time.monotonic() - self._saved_at <= SAVED_EVERY):
            return
        self._saved_at = time.monotonic()
        buffer = io.BytesIO()
        np.savez(buffer, about=np.array(self._about), **results.numbers())  # type: ignore[arg-type]
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


def _about(kind: str, specs: Sequence[MatchSpec]) -> str:
    """A hash of everything that the results depend on. Raises UpcardError for player objects."""
    parts = [__version__, FORMAT, kind]
    for spec in specs:
        luck = f"{spec.seed} {spec.most} {spec.dealer} {spec.rollouts}"
        parts += [identity(spec.setup), program(spec.setup.game).code, *map(known_as, spec.seating.players), luck]
        parts += [] if spec.condition is None else [condition_known_as(spec.condition)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
