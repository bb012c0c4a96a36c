"""Several ways to play, measured on the same packs: `upcard lab report`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from upcard.engine.deal_conditions import DealCondition, Given, Predicate, deal_condition
from upcard.engine.errors import UpcardError
from upcard.engine.mistakes import HERE
from upcard.lab.arguments import looks_of
from upcard.lab.checkpoint import Saveable, SavedArrays, identity, load_parts, numbers_of
from upcard.lab.columns import columns
from upcard.lab.dealing import CHUNK
from upcard.lab.experiment import Experiment
from upcard.lab.intervals import FINEST, planned
from upcard.lab.measures import Measure, Measured, Measuring
from upcard.lab.runner import Batch, MatchSpec, match_spec, same_packs
from upcard.lab.seating import By, hash_of, script_of
from upcard.policies.hand_features import HANDS
from upcard.policies.learned import POLICY
from upcard.policies.weights import weights_file
from upcard.rules.game import Game
from upcard.rules.lineage import differences, files_of, root_of
from upcard.rules.phrases import brief, whole_number
from upcard.rules.placeholders import with_numbers


@dataclass(frozen=True)
class Arm:
    """One way to play: an arm of a study."""

    name: str
    setup: Game[Any]
    by: By

    def __post_init__(self) -> None:
        if not isinstance(self.setup, Game):
            raise UpcardError(f"an arm is a name, a Setup and the players, not {brief(self.setup)} as its second part")

    @property
    def rules(self) -> list[str]:
        """The rules that differ from the game's rulebook, each with its clause."""
        options = self.setup.game.declared_options
        chosen = self.setup.chosen.items()
        own = [f"{name} is {_text(value)} ({options[name].help}, {options[name].clause})" for name, value in chosen]
        return [with_numbers(line, self.setup) for line in [*own, *differences(self.setup.game)]]

    @property
    def identity(self) -> str:
        """A JSON text that identifies the rules: see `upcard.lab.checkpoint.identity`."""
        return identity(self.setup)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


ALSO = {"wins": "seats"}
"""Names of measures in `upcard simulate --precision`, with their names here."""


@dataclass(frozen=True)
class Goal:
    """A stopping rule: no interval of a measure is wider than ± `half`. With several arms, this applies to their
    differences."""

    name: str
    half: float

    @staticmethod
    def read(words: object, measures: Mapping[str, Measure]) -> Goal:
        """Parse the name of a measure and a number, for example `length=0.5`. Raises UpcardError for anything else."""
        if not isinstance(words, str):
            raise UpcardError(f"a precision is a text like 'wins=0.01' or 'length=0.5', not {brief(words)}")
        name, _, number = words.partition("=")
        known = {also: measures[one] for also, one in ALSO.items()} | dict(measures)
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f": do you mean {near[0]}?" if near else f" (there are: {', '.join(known)})"
            raise UpcardError(f"there is no measure {brief(name)}{hint}")
        try:
            half = float(number)
        except ValueError:
            half = 0.0
        if not FINEST < half < inf:
            raise UpcardError(f"a precision is MEASURE=NUMBER, such as {name}=0.01, not {words!r:.40}")
        if half >= 0.5 and known[name].shares_from == 0:
            raise UpcardError(f"{name} is a share, so its precision is below 0.5: for ± 1 % use {name}=0.01")
        return Goal(name, half)

    def needed(self, measuring: Sequence[Measuring]) -> int:
        """The number of deals or matches needed, estimated from these."""
        first, *others = measuring
        return planned(first.number, first.widest(ALSO.get(self.name, self.name), others), self.half)

    def __str__(self) -> str:
        return f"{self.name} ± {self.half:g}"


@dataclass(frozen=True)
class Study:
    """The results of a study."""

    arms: list[Arm]
    unit: str
    seed: int
    asked: int
    """The number of deals or matches asked for."""
    measuring: list[Measuring]
    untouched: list[bool]
    """For each arm, whether all its results are the same as those of the first arm."""
    files: dict[Path, str]
    """The files of external games and players, with the hash of each at the start."""
    goal: Goal | None = None
    """The precision that was asked for, if any."""
    dealer: int | None = None
    """The seat that always deals first; None if the first dealer changes."""
    condition: DealCondition | None = None
    """The condition that all first deals met; None without one."""

    @property
    def number(self) -> int:
        """The number of deals or matches of each arm."""
        return self.measuring[0].number

    @property
    def same_packs(self) -> bool:
        """Whether all arms were dealt the same cards."""
        return same_packs(arm.setup for arm in self.arms)

    @property
    def needed(self) -> int:
        """The number of deals or matches of each arm needed for the goal, estimated from these; 0 without a goal."""
        return self.goal.needed(self.measuring) if self.goal else 0

    @property
    def reached(self) -> bool:
        """Whether there is a goal, and it has been reached."""
        return 0 < self.needed <= self.number

    def found(self, arm: int) -> list[Measured]:
        """The numbers of every measure for one arm."""
        return self._of(arm).found()

    def differences(self, arm: int, looks: int | None = None) -> list[Measured]:
        """The numbers of an arm minus those of the first arm: see `Measuring.differences`."""
        return self.measuring[0].differences(self._of(arm), None if looks is None else looks_of(looks))

    def _of(self, arm: int) -> Measuring:
        """The measures of one arm. Raises UpcardError if there is no such arm."""
        number = whole_number(arm)
        if number is None or not 0 <= number < len(self.arms):
            raise UpcardError(f"an arm is a number from 0 to {len(self.arms) - 1}, not {brief(arm)}")
        return self.measuring[number]


def study(
    arms: Sequence[Arm],
    number: int,
    *,
    unit: str = "match",
    seed: int = 1,
    dealer: int | None = None,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
    kept: str | Path | None = None,
    cluster: str | None = None,
    rollouts: int = 0,
    precision: str | None = None,
    given: Given | None = None,
    where: Predicate | None = None,
) -> Study:
    """Play `number` deals or matches of each arm on the same packs, and compute all measures. The first dealer changes
    from one to the next unless a `dealer` is given.

    Memory does not grow with `number`. With a `precision` (a measure and a number, for example "wins=0.01" or
    "length=0.5"), play stops when it is reached, and `number` is an upper limit; with several arms, the precision
    applies to the differences. The other arguments, and a run that is cut short, are as in `upcard.lab.deals`. Raises
    UpcardError for wrong arguments, and OSError if a file of a game or player cannot be read.
    """
    arms = [arms] if isinstance(arms, Arm) else arms
    if not isinstance(arms, Sequence) or not arms or not all(isinstance(arm, Arm) for arm in arms):
        raise UpcardError(f"arms are a list of at least one lab.Arm, not {brief(arms)}")
    if len({arm.setup.players for arm in arms}) != 1:
        raise UpcardError("what is compared needs the same number of players")
    condition = deal_condition(given, where)
    specs = [match_spec(unit, arm.setup, arm.by, seed, dealer, rollouts, condition) for arm in arms]
    experiment = Experiment("study", specs, columns_of_all, number, CHUNK, jobs, cluster, progress, kept)
    sums = _ArmSums(unit, specs)
    goal = None if precision is None else Goal.read(precision, sums.measuring[0].measures)
    files = {file: hash_of(file) for spec in specs for file in _own_files(spec)}
    experiment.run(sums, lambda: goal is not None and goal.needed(sums.measuring) <= sums.number)
    asked, seed, dealer = experiment.number, specs[0].seed, specs[0].dealer
    return Study(list(arms), unit, seed, asked, sums.measuring, sums.untouched, files, goal, dealer, condition)


def columns_of_all(batches: Iterator[Batch]) -> list[dict[str, Any]]:
    """The columns of the same deals or matches at each table."""
    return [columns(batch) for batch in batches]


def _own_files(spec: MatchSpec) -> Iterator[Path]:
    """Yield the files of the rules and players at a table that are not part of Upcard."""
    game = spec.setup.game
    learned = [weights_file(one, kind) for one in (game, root_of(game)) for kind in (POLICY, HANDS)]
    for file in [*files_of(game), *map(script_of, spec.seating.players), *learned]:
        if file is not None and file.is_file() and HERE not in file.parents:
            yield file


class _ArmSums:
    """The sums of all arms."""

    def __init__(self, unit: str, specs: Sequence[MatchSpec]) -> None:
        self.measuring = [Measuring(unit, spec.setup.players, spec.rollouts > 0) for spec in specs]
        self.untouched = [True] * len(specs)

    @property
    def number(self) -> int:
        return self.measuring[0].number

    def add(self, part: Sequence[dict[str, Any]]) -> None:
        """Add the columns of the next deals or matches, of each arm."""
        for arm, own in enumerate(part):
            self.measuring[arm].add(own)
            if self.untouched[arm]:
                both = part[0].keys() & own.keys()
                self.untouched[arm] = all(np.array_equal(part[0][name], own[name]) for name in both)

    def numbers(self) -> SavedArrays:
        """The sums, to be saved in a file."""
        return {"untouched": np.array(self.untouched), **numbers_of(self._arms())}

    def load(self, numbers: SavedArrays) -> None:
        """Restore saved sums."""
        self.untouched = numbers["untouched"].tolist()
        load_parts(self._arms(), numbers)

    def _arms(self) -> dict[str, Saveable]:
        return {str(arm): measuring for arm, measuring in enumerate(self.measuring)}
