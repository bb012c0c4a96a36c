"""Predicates over first deals that are written in a file, and how rare the deals are that meet a condition."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from upcard.engine.chance import PACKS, SplitMix, key_of, stream
from upcard.engine.deal_conditions import DealCondition, Dealing, Given, Predicate, deal_condition, predicate_name
from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.engine.setup import setup_of
from upcard.lab.arguments import integer_from
from upcard.lab.intervals import Interval, of_share
from upcard.lab.seating import FILE, defined_in_file, hash_of
from upcard.rules.game import Game


@dataclass(frozen=True)
class FilePredicate:
    """The predicate of the name `FILE.py:NAME`, which other processes can load as well."""

    __name__: str

    def __post_init__(self) -> None:
        _loaded(self.__name__)

    def __call__(self, match: Match[Any]) -> object:
        return _loaded(self.__name__)(match)

    @property
    def file(self) -> Path:
        return Path(self.__name__.rpartition(":")[0])


@cache
def _loaded(name: str) -> Predicate:
    """The function of this name. Raises UpcardError if there is none, and if its file cannot be run."""
    if FILE not in name:
        raise UpcardError(f"a condition is FILE.py:NAME, the name of a function in a file, not {name!r:.40}")
    predicate: Predicate = defined_in_file(name)
    if not callable(predicate):
        raise UpcardError(f"{name!r:.60} is not a function")
    return predicate


def condition_known_as(condition: DealCondition) -> str:
    """A text that identifies a condition, with the hash of its file if it has one. Raises UpcardError for a function
    that is not in a named file, because its behaviour cannot be identified."""
    where = condition.where
    if where is None:
        return str(condition)
    if isinstance(where, FilePredicate):
        return f"{condition} {hash_of(where.file)}"
    raise UpcardError(
        f"results under the condition {predicate_name(where)!r:.40} cannot be saved: "
        "put it in a file, and name it FILE.py:NAME"
    )


@dataclass(frozen=True)
class DealShare:
    """How rare the first deals are that meet a condition."""

    condition: DealCondition
    share: float
    """The share of all deals; estimated unless the condition is on cards alone, of a pack without copies."""
    between: Interval
    """Its 95 % interval."""

    def __str__(self) -> str:
        percent, low, high = (f"{100 * share:.3g}" for share in (self.share, self.between.low, self.between.high))
        between = "" if low == high else f" ({low} to {high})"
        one_in = f", 1 in {1 / self.share:,.0f}" if self.share < 0.1 else ""
        return f"{self.condition}: {percent} %{between} of first deals{one_in}"


def deal_share(
    setup: Game[Any] | type[Game[Any]] | str,
    *,
    given: Given | None = None,
    where: Predicate | None = None,
    number: int = 200,
    seed: int = 1,
) -> DealShare:
    """How rare the first deals are that meet a condition (see `upcard.lab.deals`), estimated from `number` that do.
    Raises UpcardError for a condition that no deal can meet, and without one."""
    condition = deal_condition(given, where)
    if condition is None:
        raise UpcardError("without a condition every deal is one of them: pass `given` or `where`")
    table, number = setup_of(setup), integer_from("number", number)
    dealing, key = Dealing(table, 0, condition), key_of(integer_from("seed", seed, None))
    tries = sum(dealing.deal(SplitMix(stream(key, at, PACKS))).tries for at in range(number))
    exact = dealing.share_with_cards
    if tries == number and condition.where is None:
        return DealShare(condition, exact, Interval(exact, exact))
    between = of_share(number / tries, tries)
    return DealShare(condition, exact * number / tries, Interval(exact * between.low, exact * between.high))
