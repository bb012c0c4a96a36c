"""Verdicts of reports: what differs, in sentences with units."""

import numpy as np
import pytest

from upcard.lab.distributions import MOST_BARS, Distribution, common_bars
from upcard.lab.intervals import Interval
from upcard.lab.measures import MEASURES, Measured
from upcard.lab.report import _distribution, _swept
from upcard.lab.verdicts import AMOUNTS, SHARES, balance_of, change_in_words, percent, verdict_of


class Results:
    """A study of two ways to play."""

    number, unit = 2000, "deal"

    def __init__(self, *, untouched: bool = False) -> None:
        self.arms = [Named("as usual"), Named("short")]
        self.untouched = [True, untouched]


class Named:
    def __init__(self, name: str) -> None:
        self.name = name


def number(label: str, value: float, even: float | None = None, told: bool = False) -> Measured:
    return Measured("any", label, value, Interval(value - 0.01, value + 0.01), even, told)


def verdict(first: list[Measured], here: list[Measured], sure: list[bool], **how: bool) -> str:
    differences = [number(one.label, 0, told=told) for one, told in zip(first, sure, strict=True)]
    return verdict_of(Results(**how), 1, first, here, differences)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (9, 12, "about a third more"),
        (12, 9, "about a quarter fewer"),
        (10, 11.2, "12 % more"),
        (10, 5, "about half as many"),
        (10, 20, "about twice as many"),
        (10, 35, "3.5 times as many"),
        (10, 10.05, "0.5 % more"),
        (10, 2, "80 % fewer"),
    ],
)
def test_changes_have_the_words_that_people_use(before: float, after: float, words: str) -> None:
    assert change_in_words(before, after) == words


def test_a_verdict_names_what_differs_with_its_unit_and_what_does_not() -> None:
    first = [number("the dealer", 0.61, 0.5, True), number("mean of moves", 9), number("shared wins", 0.1)]
    here = [number("the dealer", 0.503, 0.5), number("mean of moves", 12), number("shared wins", 0.2)]
    assert verdict(first, here, [True, True, False]) == (
        "“short”, compared with “as usual”: the dealer wins 50.3 % instead of 61 %, and no advantage can be seen any "
        "more; a deal takes about a third more decisions, 12 instead of 9. Nothing else differs significantly in 2000 "
        "deals."
    )
    assert "20 % of deals have no sole winner instead of 10 %" in verdict(first, here, [False, False, True])
    alike = "“short” and “as usual” cannot be told apart in 2000 deals, by any of 3 numbers."
    assert verdict(first, here, [False] * 3) == alike
    assert verdict(first, here, [True] * 3, untouched=True).startswith("“short”: nothing changed at all")


def test_a_number_that_never_occurred_is_only_named() -> None:
    nothing = float("nan")
    assert ": who begins." in verdict([number("who begins", nothing, 0.5)], [number("who begins", 0.6, 0.5)], [True])


def test_whether_alike_players_are_even_is_said_of_each_way_to_play() -> None:
    shares = [number("the dealer", 0.6, 0.5, True), number("who begins", 0.4, 0.5, True), number("seat 0", 0.5, 0.5)]
    uneven = "“x” is uneven: the dealer wins 60 %, the player who begins wins 40 %, where 50 % would be even."
    assert balance_of("x", shares) == uneven
    assert balance_of("x", shares[2:]).startswith("“x” is even, as far as can be seen")


def test_every_number_has_a_sentence() -> None:
    labels = {label for measure in MEASURES if not measure.even for label in measure.labels(3)}
    assert labels == {*AMOUNTS, *SHARES}


def test_shares_are_percentages() -> None:
    assert [percent(share) for share in (0, 0.5, 1, 0.123, 0.0042)] == ["0", "50", "100", "12.3", "0.42"]


def test_nothing_is_drawn_between_the_values_of_a_sweep() -> None:
    measured = [[number("the dealer", 0.6, 0.5), number("1 left of the dealer", 0.4, 0.5)] for _ in range(3)]
    plot = _swept(["target=1", "target=4", "target=9"], measured, [1, 4, 9])
    marks = [layer["mark"] if isinstance(layer["mark"], str) else layer["mark"]["type"] for layer in plot["layer"]]
    assert marks == ["rule", "point"]
    assert plot["layer"][0]["encoding"]["x"]["axis"]["values"] == [1, 4, 9]


def test_a_distribution_counts_each_number_and_shares_bars_where_they_are_many() -> None:
    few, many = Distribution(), Distribution()
    few.add(np.array([3, 3, 5]))
    few.add(np.array([4]))
    many.add(np.arange(100))
    assert common_bars([few]) == (1, 3)
    assert few.bars(1, 3) == [(3, 0.5), (4, 0.25), (5, 0.25)]
    assert common_bars([few, many]) == (4, 0)
    assert many.bars(4, 0)[:2] == [(0, 0.04), (4, 0.04)] and len(many.bars(4, 0)) <= MOST_BARS
    again = Distribution(few.numbers().tolist())
    assert again.counts == few.counts


def test_the_plot_of_a_distribution_has_a_panel_for_each_way_to_play() -> None:
    one, other = Distribution([(3, 1), (5, 3)]), Distribution([(4, 2)])
    ((caption, plot),) = _distribution("deal", "length", [("as usual", one), ("short", other)])
    assert caption == "How often each number of decisions of a deal occurs, in percent"
    assert [(bar["label"], bar["from"], bar["to"], bar["percent"]) for bar in plot["data"]["values"]] == [
        ("as usual", 2.5, 3.5, 25.0),
        ("as usual", 4.5, 5.5, 75.0),
        ("short", 3.5, 4.5, 100.0),
    ]
    assert plot["spec"]["encoding"]["x"]["title"] == "decisions of a deal"
    assert plot["spec"]["encoding"]["y"]["title"] == "% of deals"
    assert _distribution("deal", "choice", []) == []
