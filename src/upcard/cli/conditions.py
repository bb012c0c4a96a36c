"""The options --given and --where: conditions on the first deal of each match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from upcard.engine.deal_conditions import Predicate, given_in
from upcard.engine.errors import UpcardError
from upcard.rules.game import Game
from upcard.rules.phrases import brief
from upcard.rules.sentences import sentence

GivenOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PLACE=CARDS",
        help="Deal these cards to a seat, counted from 0, or as the upcard, in the first deal of each match: "
        "0='As Ks', upcard=Td. May be repeated.",
    ),
]
WhereOption = Annotated[
    str | None,
    typer.Option(
        metavar="FILE.py:NAME",
        help="Only matches for which this function of a match, just after its first deal, returns true.",
    ),
]


def read_given(words: Sequence[str] | None) -> dict[str, str]:
    """The cards of the `--given`s, by place. Raises UpcardError for one without cards or given twice."""
    given: list[str] = []
    for word in words or ():
        if "=" not in word:
            message = "--given is PLACE=CARDS, as in 0='As Ks' or upcard=Td, not {word}"
            raise UpcardError(sentence(message, word=brief(word[:40])))
        given.append(word)
    return given_in("; ".join(given))


@dataclass(frozen=True)
class Condition:
    """The condition on first deals that --given and --where state."""

    given: dict[str, str]
    where: Predicate | None

    @staticmethod
    def read(given: Sequence[str] | None, where: str | None) -> Condition:
        """Read the options. Raises UpcardError if they are wrong, or if the file cannot be run."""
        from upcard.lab.deal_predicates import FilePredicate

        return Condition(read_given(given), FilePredicate(where) if where else None)

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments for the functions of the lab."""
        return {"given": self.given or None, "where": self.where}

    def about(self, setup: Game[Any], seed: int) -> str | None:
        """The condition, and how rare such deals are; None without one. Raises UpcardError if no deal meets it."""
        from upcard.lab.deal_predicates import deal_share

        return str(deal_share(setup, **self.arguments, seed=seed)) if self.given or self.where else None


def print_condition(about: str | None) -> None:
    """Print the condition of all first deals, if there is one."""
    if about:
        typer.echo(f"Only matches whose first deal has {about}")
