"""Several ways to play, measured on the same packs: what `upcard lab` does."""

from __future__ import annotations

import hashlib
import io
import json
import os
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from upcard import __version__
from upcard.engine.errors import UpcardError
from upcard.engine.setup import Setup
from upcard.lab.dealing import PIECE, columns, largest, table_of
from upcard.lab.duplicate import UNITS
from upcard.lab.jobs import cores, spread
from upcard.lab.measures import Measured, Measuring
from upcard.lab.playing import Table
from upcard.lab.seating import By, Seating, whole
from upcard.rules.variants import differences

SAVED_EVERY = 30.0
"""Seconds between two times that what there is is kept."""


@dataclass(frozen=True)
class Arm:
    """One way to play."""

    name: str
    setup: Setup[Any]
    by: By

    @property
    def rules(self) -> list[str]:
        """What is not as the game's page has it, each with its clause."""
        options = self.setup.game.options.options
        chosen = self.setup.options.chosen.items()
        told = [f"{name} is {_text(value)} ({options[name].help}, {options[name].clause})" for name, value in chosen]
        return [*told, *differences(self.setup.game)]

    @property
    def identity(self) -> str:
        """The rules, exactly."""
        game = self.setup.game
        told = {"game": game.slug, "players": self.setup.players, "options": dict(self.setup.options.chosen)}
        if game.identity is not None:
            told["rules"] = game.identity
        return json.dumps(told, default=str, sort_keys=True)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Study:
    """What was found."""

    arms: list[Arm]
    unit: str
    seed: int
    asked: int
    """How many deals or matches were asked for."""
    measuring: list[Measuring]
    untouched: list[bool]
    """Of each arm whether nothing at all has gone otherwise than by the first."""

    @property
    def number(self) -> int:
        """Deals or matches of each arm."""
        return self.measuring[0].number

    def found(self, arm: int) -> list[Measured]:
        """Every measure of one arm."""
        return self.measuring[arm].found()

    def differences(self, arm: int, looks: int | None = None) -> list[Measured]:
        """By how much every measure of an arm is above the first one's, on the same packs: see `Measuring`."""
        return self.measuring[0].differences(self.measuring[arm], looks)


def study(
    arms: Sequence[Arm],
    number: int,
    *,
    unit: str = "match",
    seed: int = 1,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
    kept: str | Path | None = None,
    cluster: str | None = None,
    rollouts: int = 0,
) -> Study:
    """Play so many deals or matches in each of these ways, on the same packs, and measure everything.

    It takes the same memory for any number, and gives the same numbers for any number of `jobs`. Ctrl-C ends it with
    what there is, if there is something. `kept` is a file in which that is kept, so that the same study goes on from
    there when it is asked for again, or for more. With the address of a Dask `cluster` that one plays. With `rollouts`
    decisions are weighed too, see `upcard.lab.deals`. Raises UpcardError for wrong arguments, and OSError.
    """
    number, seed, jobs = whole("number", number), whole("seed", seed, None), whole("jobs", jobs or cores())
    if unit not in UNITS:
        raise UpcardError(f"a unit is {' or '.join(UNITS)}, not {unit!r:.40}")
    if len({arm.setup.players for arm in arms}) != 1:
        raise UpcardError("what is compared has the same number of players")
    seated = [Seating.of(arm.by, arm.setup.players) for arm in arms]
    tables = [table_of(unit, arm.setup, by, seed, rollouts=rollouts) for arm, by in zip(arms, seated, strict=True)]
    state = _State(tables, unit, Path(kept) if kept else None)
    size = min(largest(table, PIECE) for table in tables)
    try:
        with ExitStack() as stack:
            parts = [
                stack.enter_context(
                    closing(
                        spread(
                            table.worker,
                            number,
                            largest=size,
                            jobs=min(jobs, number),
                            apart=table.apart,
                            first=state.number,
                            cluster=cluster,
                        )
                    )
                )
                for table in tables
            ]
            for some in zip(*parts, strict=True):
                state.add([columns(table, part) for table, part in zip(tables, some, strict=True)])
                if progress:
                    progress(state.number)
    except KeyboardInterrupt:
        if not state.number:
            raise
    finally:
        state.keep()
    return Study(list(arms), unit, seed, number, state.measuring, state.untouched)


class _State:
    """Sums so far, which a file may keep."""

    def __init__(self, tables: Sequence[Table], unit: str, file: Path | None) -> None:
        self.measuring = [Measuring(unit, table.setup.players, table.rollouts > 0) for table in tables]
        self.untouched = [True] * len(tables)
        self._file, self._about = file, _about(tables)
        self._kept_at = time.monotonic()
        if file is not None and file.exists():
            self._load(file)

    @property
    def number(self) -> int:
        return self.measuring[0].number

    def add(self, found: Sequence[dict[str, Any]]) -> None:
        first = self.number
        for arm, tables in enumerate(found):
            self.measuring[arm].add(first, tables)
            if self.untouched[arm]:
                self.untouched[arm] = all(np.array_equal(found[0][name], tables[name]) for name in found[0])
        if time.monotonic() - self._kept_at > SAVED_EVERY:
            self.keep()

    def keep(self) -> None:
        """Write what there is; whoever reads finds the old file or the new one, whole."""
        if self._file is None or not self.number:
            return
        self._kept_at = time.monotonic()
        sums = {
            f"{arm} {name}": sums.groups for arm, one in enumerate(self.measuring) for name, sums in one.sums.items()
        }
        written = io.BytesIO()
        about = {"about": np.array(self._about), "number": np.array(self.number), "untouched": np.array(self.untouched)}
        np.savez(written, **about, **sums)  # type: ignore[arg-type]
        new = self._file.with_name(self._file.name + ".new")
        new.write_bytes(written.getvalue())
        os.replace(new, self._file)

    def _load(self, file: Path) -> None:
        try:
            with np.load(file, allow_pickle=False) as kept:
                if str(kept["about"]) != self._about:
                    raise UpcardError(f"{file} keeps another study: other rules, players, packs or version")
                self.untouched = [bool(one) for one in kept["untouched"]]
                for key in kept.files:
                    arm, _, name = key.partition(" ")
                    if name:
                        self.measuring[int(arm)].load(name, kept[key])
                for one in self.measuring:
                    one.number = int(kept["number"])
        except UpcardError:
            raise
        except (ValueError, KeyError, EOFError):
            raise UpcardError(f"{file} keeps no study") from None


def _about(tables: Sequence[Table]) -> str:
    """A name for what is played: the same only where the same numbers come out."""
    told = [__version__]
    for table in tables:
        arm = Arm("", table.setup, list(table.seating.players))
        told += [arm.identity, " ".join(table.seating.names), f"{table.seed} {table.most} {table.rollouts}"]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()
