"""Comparisons on the same deals: known differences are found, and no difference is claimed where there is none."""

import math

import numpy as np
import pytest

from upcard import Setup, UpcardError, lab
from upcard.lab import intervals
from upcard.lab.comparison import paired, rounded


@pytest.mark.parametrize(("freedom", "known"), [(4, 2.776), (9, 2.262), (29, 2.045), (10**6, 1.960)])
def test_quantiles_are_those_of_the_tables(freedom: int, known: float) -> None:
    assert intervals.quantile(freedom) == pytest.approx(known, abs=2e-3)


def test_intervals_of_means_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(2000):
        sample = rng.normal(3, 2, 12)
        held += intervals.of_mean(sample.mean(), sample.std(ddof=1) / 12**0.5, 12).has(3)
    assert held / 2000 == pytest.approx(0.95, abs=0.015)


@pytest.mark.parametrize(("share", "low", "high"), [(0.0, 0, 0.278), (1.0, 0.722, 1), (0.5, 0.237, 0.763)])
def test_intervals_of_shares_are_wilsons(share: float, low: float, high: float) -> None:
    found = intervals.of_share(share, 10)
    assert found.low == pytest.approx(low, abs=1e-3)
    assert found.high == pytest.approx(high, abs=1e-3)


HOLM = [
    ([2.5, 2.3, 1.5], [True, True, False]),  # 2.3 is not significant as one of three, but as one of two
    ([1.5, 2.3, 2.5], [False, True, True]),
    ([2.3, 2.3, 2.2], [False, False, False]),
    ([2.5, 2.3, 1.97], [True, True, True]),
]


@pytest.mark.parametrize(("errors", "told"), HOLM)
def test_of_several_values_the_surest_ones_make_room_for_the_others(errors: list[float], told: list[bool]) -> None:
    freedom, certain = 10**6, intervals.simultaneous_level(len(errors))
    between = [intervals.of_mean(error, 1, freedom + 1, certain) for error in errors]
    assert intervals.surely_not(0, between, freedom) == told


def test_values_without_spread_are_judged_too() -> None:
    certain, unknown = intervals.Interval(1, 1), intervals.Interval(-math.inf, math.inf)
    assert intervals.surely_not(0, [certain, unknown], 9) == [True, False]
    assert intervals.surely_not(1, [certain], 9) == [False]


@pytest.mark.parametrize("number", [60, 127, 500])
def test_rare_differences_are_not_taken_for_none(number: int) -> None:
    """A change that matters in one deal of a hundred may not be seen in the first."""
    rng, held = np.random.default_rng(3), 0
    for _ in range(1000):
        won = rng.integers(0, 2, number)
        held += paired("won", won, np.where(rng.random(number) < 0.01, 1, won)).interval.has(0.005)
    assert held / 1000 >= 0.94


def test_a_known_difference_is_found_and_held_by_its_interval() -> None:
    rng = np.random.default_rng(2)
    luck = rng.normal(0, 10, 400)
    a, b = luck + rng.normal(0, 1, 400), luck + rng.normal(0.5, 1, 400)
    found = paired("points", a, b)
    assert found.told
    assert found.interval.has(0.5)
    assert found.difference == pytest.approx((b - a).mean())
    assert found.alone / found.interval.half > 5  # the luck of the cards cancels out
    assert "400 of 400 differ; on the same deals the interval is " in str(found)


def test_no_difference_is_told_one_time_in_twenty_and_no_oftener() -> None:
    rng = np.random.default_rng(3)
    told = sum(paired("x", *rng.normal(0, 1, (2, 30))).told for _ in range(2000))
    assert told / 2000 == pytest.approx(0.05, abs=0.015)
    together = sum(any(paired("x", *rng.normal(0, 1, (2, 30)), looks=5).told for _ in range(5)) for _ in range(500))
    assert together / 500 == pytest.approx(0.05, abs=0.03)


def test_what_cannot_be_told_says_how_many_it_takes() -> None:
    rng = np.random.default_rng(4)
    found = paired("x", np.zeros(100), rng.normal(0.1, 1, 100))
    assert not found.told
    assert ": not significant; if it is that large, " in str(found)
    assert " would probably show it\n" in str(found)
    assert found.pairs_for(found.interval.half / 2) == 400
    with pytest.raises(UpcardError, match="a precision is a number above 1e-09, not 0"):
        found.pairs_for(0)
    with pytest.raises(UpcardError, match="a precision is a number above 1e-09, not 1e-200"):
        found.pairs_for(1e-200)
    rounding = paired("x", np.zeros(100), np.array([2e-15, -1e-15] * 50))
    assert rounding.difference and "would probably" not in str(rounding)
    few = paired("x", np.zeros(3), np.array([1.0, 2, 3]))
    with pytest.raises(UpcardError, match="a plan needs at least five pairs"):
        few.pairs_for(1)
    assert not few.told
    assert str(few) == "x: 0 and 2, too few to say"
    assert math.isinf(few.interval.half)
    assert few.as_dict()["high"] is None


def test_planned_numbers_pretend_no_precision() -> None:
    assert [rounded(number) for number in (7, 99, 101, 1234567)] == ["7", "99", "110", "1 300 000"]


def test_players_are_compared_on_the_same_deals() -> None:
    setup = Setup("sixty-six")
    casual = lab.deals(setup, 400, by=["heuristic", "random"])
    random = lab.deals(setup, 400, by=["random", "random"])
    found = lab.compare(random, casual, "points", seat=0)
    assert found.told
    assert found.difference > 0
    assert found.first == pytest.approx(random.by_deal("points")[:, 0].mean())


def test_a_column_of_bids_that_were_made() -> None:
    setup = Setup("oh-hell", 4)
    found = lab.compare(lab.deals(setup, 300, by="random"), lab.deals(setup, 300, by="heuristic"), "made")
    assert found.told
    assert 0 < found.first < found.second < 1


def test_a_rule_that_the_players_never_meet_is_not_called_harmless() -> None:
    one, other = (Setup("sixty-six", options={"target": target}) for target in (7, 9))
    found = lab.compare(lab.deals(one, 50, by="heuristic"), lab.deals(other, 50, by="heuristic"), "points", seat=1)
    assert found.untouched
    assert not found.told
    assert "these players may never use what differs" in str(found)


def test_what_does_not_go_together_is_refused_in_words() -> None:
    few, more, others = lab.deals("sixty-six", 5), lab.deals("sixty-six", 6), lab.deals("sixty-six", 5, seed=2)
    for deals, what, seat, fault in (
        (more, "points", None, "what is compared needs the same seed and number, not 5 deals of seed 1 with 6 d"),
        (others, "points", None, "not 5 deals of seed 1 with 5 deals of seed 2"),
        (few, "luck", None, "there is no column 'luck'"),
        (few, "hand", None, "hand is not a number, and cannot be compared"),
        (few, "points", 2, "a seat is from 0 to 1, not 2"),
    ):
        with pytest.raises(UpcardError, match=fault):
            lab.compare(few, deals, what, seat=seat)
    with pytest.raises(UpcardError, match="looks is a whole number from 1 up, not 0"):
        lab.compare(few, few, "points", looks=0)
