"""The verdict of a report: what differs, by how much and in which unit, and whether alike players are even."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

from upcard.lab.comparison import UNTOUCHED
from upcard.lab.measures import Measured
from upcard.lab.study import Study
from upcard.rules.phrases import counted, plural

FRACTIONS = (
    (1 / 10, "a tenth"),
    (1 / 5, "a fifth"),
    (1 / 4, "a quarter"),
    (1 / 3, "a third"),
    (2 / 3, "two thirds"),
    (3 / 4, "three quarters"),
)
NEAR = 0.06
"""How far, relative to a fraction, a change may be from it to be called by its name."""
TWICE = 1.9
"""The ratio from which a number is called a multiple."""

AMOUNTS = {
    "mean of moves": "a {unit} takes {amount} decisions, {after} instead of {before}",
    "standard deviation of moves": "the number of decisions varies {amount} (standard deviation {after} instead of "
    "{before})",
    "legal moves of a decision": "a decision has {amount} legal moves, {after} instead of {before}",
    "standard deviation of points": "the points of a {unit} vary {amount} (standard deviation {after} instead of "
    "{before})",
    "highest minus lowest points": "there are {amount} points between the best and the worst, {after} instead of "
    "{before}",
    "deals": "a match has {amount} deals, {after} instead of {before}",
    "changes of the lead": "the lead changes {amount}, {after} times instead of {before}",
}
"""Sentences about means, by their labels. The amount is such as "about a third more"."""
SHARES = {
    "share of forced moves": "{after} % of decisions have only one legal move instead of {before} %",
    "shared wins": "{after} % of {units} have no sole winner instead of {before} %",
    "share of the deals after the last change of the lead": "{after} % of the deals come after the last change of the "
    "lead instead of {before} %",
    "share of deals with the winner behind": "the later winner is behind after {after} % of the deals instead of "
    "{before} %",
    "matches won from behind": "{after} % of matches are won from behind instead of {before} %",
    "gain of the best move over a random one": "the best move of a decision wins {after} % of {units} more than a "
    "random one instead of {before} %",
    "gain of the best move over the worst": "the best move of a decision wins {after} % of {units} more than the worst "
    "instead of {before} %",
    "decisions by players who cannot win": "{after} % of decisions are made by players who cannot win instead of "
    "{before} %",
    "decisions in which a player who cannot win settles who does": "in {after} % of decisions a player who cannot win "
    "settles who does, instead of {before} %",
}
"""Sentences about shares, by their labels."""


def change_in_words(before: float, after: float, words: tuple[str, str, str] = ("more", "fewer", "many")) -> str:
    """How much larger or smaller a positive number has become: `about a third more`, `12 % fewer`, `twice as many`.
    `words` are those for more, for less and for as much."""
    more, less, much = words
    ratio = after / before
    if ratio >= TWICE:
        return f"about twice as {much}" if ratio < 2.1 else f"{ratio:.2g} times as {much}"
    if abs(ratio - 0.5) <= NEAR / 2:
        return f"about half as {much}"
    change, word = abs(ratio - 1), more if ratio > 1 else less
    for fraction, name in FRACTIONS:
        if abs(change - fraction) <= NEAR * fraction:
            return f"about {name} {word}"
    return f"{100 * change:.2g} % {word}"


@dataclass(frozen=True)
class _Change:
    """A number that differs significantly: the first way to play, another one, and the unit of the study."""

    before: Measured
    after: Measured
    unit: str

    def __str__(self) -> str:
        label, before, after = self.before.label, self.before.value, self.after.value
        if isnan(before) or isnan(after):
            return label
        if self.before.even is not None:
            return self._edge()
        if label in SHARES:
            numbers = {"before": percent(before), "after": percent(after)}
            return SHARES[label].format(unit=self.unit, units=plural(self.unit), **numbers)
        if label not in AMOUNTS or before <= 0 or after <= 0:
            return f"{label}: {short(after)} instead of {short(before)}"
        amount = change_in_words(before, after, _words_for(label))
        return AMOUNTS[label].format(unit=self.unit, amount=amount, before=short(before), after=short(after))

    def _edge(self) -> str:
        """A share of wins, with what has become of an advantage."""
        numbers = f"{winner(self.before)} wins {percent(self.after.value)} % instead of {percent(self.before.value)} %"
        if self.before.told and not self.after.told:
            kind = "advantage" if self.before.value > (self.before.even or 0) else "disadvantage"
            return f"{numbers}, and no {kind} can be seen any more"
        return numbers


def _words_for(label: str) -> tuple[str, str, str]:
    if label == "changes of the lead":
        return "more often", "less often", "often"
    return ("more", "less", "much") if label.startswith("standard deviation") else ("more", "fewer", "many")


def verdict_of(
    study: Study, arm: int, first: Sequence[Measured], here: Sequence[Measured], sure: list[Measured]
) -> str:
    """The verdict on an arm: the numbers in which it differs significantly from the first arm. `first` and `here` are
    the numbers of both, `sure` the differences."""
    name, usual = study.arms[arm].name, study.arms[0].name
    if study.untouched[arm]:
        return f"“{name}”: {UNTOUCHED}."
    triples = zip(first, here, sure, strict=True)
    changes = [str(_Change(before, after, study.unit)) for before, after, difference in triples if difference.told]
    played = counted(study.number, study.unit)
    if not changes:
        return f"“{name}” and “{usual}” cannot be told apart in {played}, by any of {len(sure)} numbers."
    others = "" if len(changes) == len(sure) else f" Nothing else differs significantly in {played}."
    return f"“{name}”, compared with “{usual}”: {'; '.join(changes)}.{others}"


def balance_of(name: str, measured: Sequence[Measured]) -> str:
    """Whether alike players are even, in one way to play."""
    shares = [number for number in measured if number.even is not None]
    even = percent(next(number.even for number in shares if number.even is not None))
    uneven = [f"{winner(number)} wins {percent(number.value)} %" for number in shares if number.told]
    if not uneven:
        return (
            f"“{name}” is even, as far as can be seen: no seat or place wins significantly more or less than {even} %."
        )
    return f"“{name}” is uneven: {', '.join(uneven)}, where {even} % would be even."


def winner(number: Measured) -> str:
    """The seat or place whose share of wins this is."""
    if number.label == "who begins":
        return "the player who begins"
    return number.label if number.label.startswith(("seat", "the ")) else f"the player {number.label}"


def percent(share: float) -> str:
    """A share in percent, to a tenth; smaller ones to two digits."""
    return f"{100 * share:.1f}".removesuffix(".0") if share >= 0.01 or share == 0 else f"{100 * share:.2g}"


def short(value: float, sign: str = "") -> str:
    """Three significant digits, without an exponent. `sign` "+" writes one in front of positive numbers too."""
    return f"{value:{sign}.3g}" if abs(value) < 999 else f"{value:{sign}.0f}"
