"""Measures with known answers: made-up deals for which every number can be worked out, and small games."""

import math
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from upcard import Match, Setup, UpcardError, lab
from upcard.engine import records
from upcard.games import load
from upcard.lab.arena import seatings
from upcard.lab.columns import columns
from upcard.lab.intervals import of_share, simultaneous_level, unseen, within
from upcard.lab.measures import MEASURES, Measured, Measuring, means
from upcard.lab.runner import match_spec
from upcard.lab.simulate import simulate
from upcard.lab.study import Goal
from upcard.lab.sums import Sums, estimate
from upcard.lab.variance import rows_of, split

DEALS = 400


def made_up(rng: np.random.Generator, favour: float = 0.0) -> dict[str, Any]:
    """Matches of three: seat 1 wins more often by `favour`, the dealer changes, and the seat to its left begins."""
    chances = np.array([1 / 3 - favour / 2, 1 / 3 + favour, 1 / 3 - favour / 2])
    won = np.eye(3)[rng.choice(3, DEALS, p=chances)]
    dealer = np.repeat(np.arange(DEALS)[:, None] % 3, 3, axis=1)
    same = {"moves": 10, "choices": 40, "forced": 5, "deals": 8, "changes": 2, "settled": 6}
    tables = {name: np.full((DEALS, 3), value) for name, value in same.items()}
    tables |= {"won": won, "dealer": dealer, "first": (dealer + 1) % 3, "points": 3 * won + [0, 0, 1]}
    return tables | {"behind": np.where(won > 0, 4, 8)}


def measured(tables: dict[str, Any], unit: str = "match") -> dict[str, Measured]:
    measuring = Measuring(unit, 3)
    measuring.add(tables)
    return {one.label: one for one in measuring.found()}


def test_known_answers() -> None:
    found = measured(made_up(np.random.default_rng(1)))
    known = {
        "mean of moves": 10,
        "standard deviation of moves": 0,
        "legal moves of a decision": 4,
        "share of forced moves": 0.5,
        "shared wins": 0,
        "deals": 8,
        "share of the deals after the last change of the lead": 0.25,
        "changes of the lead": 2,
        "share of deals with the winner behind": 0.5,
        "matches won from behind": 1,
    }
    assert {label: found[label].value for label in known} == pytest.approx(known, abs=1e-6)
    assert set(found) - set(known) == {
        *("seat 0", "seat 1", "seat 2", "the dealer", "1 left of the dealer", "2 left of the dealer", "who begins"),
        *("standard deviation of points", "highest minus lowest points"),
    }


def test_an_even_game_is_not_called_uneven_and_an_uneven_one_is() -> None:
    rng = np.random.default_rng(2)
    wrong = [any(one.told for one in measured(made_up(rng)).values() if "seat" in one.label) for _ in range(150)]
    assert np.mean(wrong) == pytest.approx(0.05, abs=0.045)
    found = measured(made_up(rng, favour=0.2))
    assert found["seat 1"].told and found["seat 1"].interval.has(1 / 3 + 0.2)
    assert not found["the dealer"].told  # the favoured seat deals no more often than others


def test_more_can_be_told_than_the_intervals_of_all_seats_show() -> None:
    rng = np.random.default_rng(6)
    found = [one for _ in range(40) for one in measured(made_up(rng, favour=0.12)).values() if "seat" in one.label]
    surely = [one.told for one in found if not one.interval.has(1 / 3)]
    assert all(surely) and len(surely) < sum(one.told for one in found)
    single = Measuring("match", 3)
    single.add({name: column[:1] for name, column in made_up(rng).items()})
    assert not any(one.told for one in single.found())


def test_the_one_who_begins_is_found_whichever_seat_it_is() -> None:
    tables = made_up(np.random.default_rng(3))
    tables["won"] = np.eye(3)[tables["first"][:, 0]]
    found = measured(tables)
    assert found["who begins"].value == found["1 left of the dealer"].value == 1
    assert found["who begins"].told


def test_what_is_rare_has_the_interval_of_so_many_cases() -> None:
    """Wilson's interval: both bounds grow with the number of cases."""
    shared, often = [], (0, 1, 2, 5, 20, 200, 380, 399, 400)
    for shared_wins in often:
        tables = made_up(np.random.default_rng(12))
        tables["won"] = tables["won"].copy()
        tables["won"][np.random.default_rng(13).permutation(DEALS)[:shared_wins]] = [0.5, 0.5, 0]
        shared.append(measured(tables)["shared wins"].interval)
    assert [one.low for one in shared] == sorted(one.low for one in shared)
    assert [one.high for one in shared] == sorted(one.high for one in shared)
    for shared_wins, one in zip(often, shared, strict=True):
        known = of_share(shared_wins / DEALS, DEALS)
        assert (one.low, one.high) == pytest.approx((known.low, known.high), rel=0.15)


def test_what_is_told_of_few_cases_is_no_surer_for_many_deals() -> None:
    """In one deal in a hundred a seat is the first to act alone, and always wins."""
    tables = made_up(np.random.default_rng(14))
    tables["first"] = np.where(np.arange(DEALS)[:, None] % 100 == 0, tables["won"].argmax(axis=1)[:, None], -1)
    first = measured(tables)["who begins"]
    assert first.value == 1
    assert first.interval.low == pytest.approx(of_share(1, 4).low)


@pytest.mark.parametrize("often", [0, 1])
def test_what_there_was_no_case_of_cannot_be_told(often: int) -> None:
    """Nobody acts first alone, or in one deal only."""
    usual, other = Measuring("match", 3), Measuring("match", 3)
    usual.add(made_up(np.random.default_rng(15)) | {"first": np.full((DEALS, 3), -1)})
    tables = made_up(np.random.default_rng(16)) | {"first": np.full((DEALS, 3), -1)}
    tables["first"][:often] = 1
    other.add(tables)
    (first,) = (one for one in other.found() if one.measure == "first")
    assert math.isnan(first.value) == (often == 0) and math.isinf(first.interval.half) and not first.told
    assert "too few to say" in str(first) and "nan" not in str(first)
    assert not any(one.told for looks in (None, 9) for one in usual.differences(other, looks) if one.measure == "first")
    goal = Goal("first", 0.1)
    assert goal.needed([other]) > DEALS and goal.needed([usual, other]) > DEALS


def test_the_spread_is_that_of_the_points_of_each_deal() -> None:
    tables = made_up(np.random.default_rng(7))
    points = np.repeat([[0, 2, 4], [5, 5, 5]], [300, 100], axis=0)  # standard deviations 2 and 0, ranges 4 and 0
    tables["points"] = np.random.default_rng(10).permutation(points)
    found = measured(tables)
    for label, known in (("standard deviation of points", 1.5), ("highest minus lowest points", 3)):
        assert found[label].value == pytest.approx(known)
        assert found[label].interval.half == pytest.approx(1.96 * known / 3**0.5 / DEALS**0.5, rel=0.3)


def test_who_deals_has_the_share_that_it_was_given() -> None:
    tables = made_up(np.random.default_rng(8))
    lucky = np.random.default_rng(9).random(DEALS) < 0.5
    tables["won"] = np.eye(3)[(tables["dealer"][:, 0] + ~lucky) % 3]
    found = measured(tables)
    assert found["the dealer"].told and found["the dealer"].interval.has(0.5)
    assert found["1 left of the dealer"].interval.has(0.5) and found["2 left of the dealer"].value == 0
    assert not found["seat 0"].told


def test_sums_take_deals_in_any_pieces() -> None:
    rng = np.random.default_rng(4)
    rows = rng.normal(5, 2, (1000, 1))
    whole, pieces = Sums(1), Sums(1)
    whole.add(rows)
    for first in range(0, 1000, 300):
        pieces.add(rows[first : first + 300])
    assert np.allclose(whole.groups, pieces.groups)
    (mean,), (between,) = estimate(lambda totals: totals[:1] / totals[-1], whole)
    assert mean == pytest.approx(rows.mean())
    assert between.half == pytest.approx(1.96 * 2 / 1000**0.5, rel=0.15)
    held = []
    for _ in range(400):
        sums = Sums(1)
        sums.add(rng.exponential(2, (300, 1)))
        held.append(estimate(lambda totals: totals[:1] / totals[-1], sums)[1][0].has(2))
    assert np.mean(held) == pytest.approx(0.95, abs=0.03)


@pytest.mark.parametrize("seats", range(2, 7))
def test_what_dealing_is_worth_does_not_count_as_chance(seats: int) -> None:
    """Intervals of the seats shrink with the square root of the number; all seats deal equally often in the samples."""
    places = np.arange(seats)
    chances = np.where(places == 0, 0.2 + 1 / seats, 1 / seats - 0.2 / (seats - 1))
    right = np.sqrt((chances * (1 - chances)).mean())
    for number in (2_000, 8_000, 32_000, 128_000):
        place = np.random.default_rng(number).choice(seats, number, p=chances)
        sums = Sums(seats)
        sums.add(np.eye(seats)[(np.arange(number) + place) % seats])
        found = np.mean([one.half for one in estimate(means, sums)[1]])
        assert found == pytest.approx(1.98 * right / number**0.5, rel=0.15)


def test_differences_are_paired_in_every_measure() -> None:
    rng = np.random.default_rng(5)
    tables = made_up(rng)
    longer = tables | {"moves": tables["moves"] + rng.integers(0, 2, (DEALS, 1))}
    one, other = Measuring("match", 3), Measuring("match", 3)
    one.add(tables)
    other.add(longer)
    found = {one.label: one for one in one.differences(other)}
    assert found["mean of moves"].value == pytest.approx(0.5, abs=0.1)
    assert found["mean of moves"].told
    same = found["seat 0"]
    assert not same.told
    assert same.interval.half == pytest.approx(
        unseen(DEALS, simultaneous_level(3))
    )  # rare differences may not have been seen


def test_what_is_counted_is_what_records_show() -> None:
    """The number of choices and of forced moves, and the seats that were behind after each deal."""
    setup, written = Setup("sixty-six", options={"target": 5}), list[dict[str, Any]]()
    simulate(setup, 6, 2, by="heuristic", records=written.append)
    played = lab.matches(setup, 6, seed=2, by="heuristic")
    for number, record in enumerate(written):
        choices, leads = _followed(record)
        assert played.by_deal("choices")[number, 0] == sum(choices)
        assert played.by_deal("forced")[number, 0] == choices.count(1)
        alone = [lead[0] for lead in leads if len(lead) == 1]
        changes = [place for place in range(1, len(alone)) if alone[place] != alone[place - 1]]
        assert played.by_deal("changes")[number, 0] == len(changes)
        assert played.by_deal("behind")[number].tolist() == [sum(seat not in lead for lead in leads) for seat in (0, 1)]


def _followed(record: dict[str, Any]) -> tuple[list[int], list[list[int]]]:
    """The legal moves of every decision, and the seats ahead after every deal."""
    match = Match(record["game"], record["players"], dealer=record["dealer"], options=record["options"])
    choices, leads = [], []
    for event in record["events"]:
        if not match.awaiting:
            choices.append(len(match.legal(int(event.split()[0]))))
        match.event(event)
        if match.done or match.awaiting == "deal":
            leads.append([seat for seat in (0, 1) if match.scores[seat] == max(match.scores)])
    assert records.replay(record).scores == match.scores
    return choices, leads


def test_players_in_python_are_measured_as_compiled_ones_are() -> None:
    class Same:
        def choose(self, view: Any, rng: Any) -> str:
            return str(view.legal()[0])

    setup = Setup("sixty-six", options={"target": 3})
    told = lab.matches(setup, 3, by=Same(), jobs=1)
    written: list[dict[str, Any]] = []
    simulate(setup, 3, 1, by=Same(), records=written.append)
    for number, record in enumerate(written):
        choices, leads = _followed(record)
        assert told.by_deal("choices")[number, 0] == sum(choices)
        assert told.by_deal("behind")[number].tolist() == [sum(seat not in lead for lead in leads) for seat in (0, 1)]


# ------------------------------------------------------------------------------------------------------ luck and skill


def parted(rng: np.random.Generator, number: int, parts: tuple[float, ...], seats: int = 3) -> Any:
    """The estimated parts of made-up results of which the parts are known, with their intervals."""
    cards, place, players, rest = parts
    sitting = np.array(seatings(seats, seats))
    dealers = np.arange(number) % seats
    places = (np.arange(seats) - dealers[:, None]) % seats
    better = np.linspace(-1, 1, seats) / np.linspace(-1, 1, seats).std()
    results = rng.normal(0, cards**0.5, (number, 1, seats)) + rng.normal(0, rest**0.5, (number, len(sitting), seats))
    results += better[places][:, None, :] * place**0.5 + better[sitting][None] * players**0.5
    sums = Sums(3 + 2 * seats)
    sums.add(rows_of(results, sitting, seats, dealers))
    return split(sums, seats=seats, players=seats, playings=len(sitting))


def test_the_parts_of_luck_are_those_that_were_put_in() -> None:
    parts = (3.0, 1.0, 2.0, 4.0)
    for share, interval, part in zip(*parted(np.random.default_rng(6), 3000, parts), parts, strict=True):
        assert interval.has(part / 10)
        assert share == pytest.approx(part / 10, abs=0.02)


@pytest.mark.parametrize(
    ("number", "parts", "seats"),
    [
        (100, (0.0, 0.0, 1.0, 9.0), 3),
        (100, (0.1, 0.0, 0.0, 9.9), 3),
        (30, (4.2, 0.4, 1.2, 4.2), 2),
        (500, (3.3, 0.02, 0.01, 6.67), 2),
    ],
)
def test_the_intervals_of_small_parts_hold_the_truth_as_often_as_they_say(
    number: int, parts: tuple[float, ...], seats: int
) -> None:
    rng, held = np.random.default_rng(8), 0
    for _ in range(200):
        _, between = parted(rng, number, parts, seats)
        held += all(within(one).has(part / 10) for one, part in zip(between, parts, strict=True))
    assert held / 200 >= 0.92


def test_what_is_rare_is_not_taken_for_nothing() -> None:
    """Of a player who can no longer win there may be none in some hundred decisions."""
    tables = made_up(np.random.default_rng(1)) | {
        name: np.zeros((DEALS, 3)) for name in ("advantage", "span", "hopeless")
    }
    measuring = Measuring("match", 3, weighed=True)
    measuring.add(tables | {"hangs": np.zeros((DEALS, 3))})
    found = [one for one in measuring.found() if one.measure == "kingmaking"]
    assert [one.interval for one in found] == [of_share(0.0, DEALS, simultaneous_level(2))] * 2


def test_equals_have_no_skill_and_a_better_player_has_some() -> None:
    setup = Setup("sixty-six", options={"target": 1})
    equal = lab.luck(setup, 200, ["random", "random"])
    assert equal.shares[2] == pytest.approx(0, abs=0.01)
    better = lab.luck(setup, 200, ["random", "heuristic"])
    assert better.intervals[2].low > 0.01
    assert sum(better.shares) == pytest.approx(1)


def test_luck_and_replies_stop_at_a_precision() -> None:
    setup, two = Setup("sixty-six", options={"target": 1}), ["random", "heuristic"]
    for measured in (lab.luck, lab.replies):
        found = measured(setup, 5000, two, precision=0.1)
        assert found.reached and 100 <= found.number < 5000
        assert found == measured(setup, 5000, two, precision=0.1, jobs=1)
        few = measured(setup, 99, two, precision=0.4)
        assert not few.reached and few.number == 99
        with pytest.raises(UpcardError, match=r"precision is a number between 1e-09 and 0\.5, not 1"):
            measured(setup, 5, two, precision=1)
        with pytest.raises(UpcardError, match=r"precision is a number between 1e-09 and 0\.5, not 1e-200"):
            measured(setup, 5, two, precision=1e-200)
    halves = [one.half for one in lab.replies(setup, 5000, two, precision=0.1).more.values()]
    assert 0 < max(halves) <= 0.1


def test_luck_in_play_does_not_count_as_the_cards() -> None:
    """A random player has the same shares, whether it is a name or an object with its own random numbers."""
    setup = Setup("oh-hell", 3, {"max_cards": 5})

    class Own:
        def __init__(self) -> None:
            self.luck = Random(1)

        def choose(self, view: Any, rng: Any) -> str:
            return self.luck.choice(view.legal())

    named, own = (lab.luck(setup, 60, by, jobs=1) for by in (["random", "random"], [Own(), Own()]))
    for found in (named, own):
        assert found.shares[3] > 0.7
        assert all(
            0 <= one.low <= share <= one.high <= 1 for share, one in zip(found.shares, found.intervals, strict=True)
        )
    assert "the cards: too few to say" in str(lab.luck(setup, 1, ["random", "random"], jobs=1))


def test_results_that_are_always_the_same_have_no_parts() -> None:
    """Nothing is left of thirds but rounding, which is not taken for luck."""
    game = load("linger-longer").variant("nothing", numbers={"for_card": 0})
    for what in ("points", "won"):
        found = lab.luck(Setup(game, 3), 110, ["random", "heuristic"], what=what, precision=0.4, jobs=1)
        assert not found.reached and "the cards: unknown: all results are the same" in str(found)


@pytest.mark.long
@pytest.mark.parametrize("by", ["random", "search:1"])
def test_other_luck_leaves_the_packs_as_they_are(by: str) -> None:
    setup = Setup("oh-hell", 3, {"max_cards": 5})
    table = match_spec("deal", setup, by, 1)
    found = [columns(one.worker()(0, 8)) for one in (table, replace(table, luck=1), replace(table, luck=2))]
    assert all(np.array_equal(found[0]["hand"], one["hand"]) for one in found)
    assert len({one["points"].tobytes() for one in found}) == 3


# ----------------------------------------------------------------------------------------------------------- dominance


def test_who_is_best_whatever_the_others_are() -> None:
    setup = Setup("sixty-six", options={"target": 1})
    found = lab.replies(setup, 250, ["random", "heuristic"])
    assert found.won["random", "random"] == found.won["heuristic", "heuristic"] == 0.5  # with the packs of both seats
    assert found.won["random", "heuristic"] + found.won["heuristic", "random"] == pytest.approx(1)
    met = lab.arena(setup, 250, ["heuristic", "random"])
    assert found.won["heuristic", "random"] == pytest.approx(met.won[:, 0].mean())
    assert found.dominant == found.best("random") == "heuristic"
    few = lab.replies(setup, 4, ["random", "heuristic"])
    assert few.dominant is None and "best: not clear" in str(few)


# ------------------------------------------------------------------------------------------------------ value of cards


def test_cards_are_worth_what_was_put_in() -> None:
    played = lab.deals(Setup("oh-hell", 3, {"max_cards": 5}), 1500, by="random", jobs=1)
    rng = np.random.default_rng(7)
    aces, kings = (played.count(rank).reshape(-1, 3) for rank in "AK")
    luck = rng.normal(0, 0.5, aces.shape).round() + (played.by_deal("dealer") == 1)
    played.by_deal("points")[:] = 3 * aces - kings + luck
    found = {one.cards: one for one in lab.card_values(played, ["A", "K", "Q"])}
    for rank, worth in (("A", 3), ("K", -1), ("Q", 0)):
        assert found[rank].interval.has(worth), found[rank]
        assert found[rank].control_interval.has(0)
        assert found[rank].told == bool(worth)


def test_where_all_cards_are_named_what_everybody_makes_is_nobodys() -> None:
    played = lab.deals("sixty-six", 600, by="random", jobs=1)
    aces = played.count("A").reshape(-1, 2)
    played.by_deal("points")[:] = 5 + 3 * aces + np.random.default_rng(8).integers(-1, 2, aces.shape)
    found = lab.card_values(played)
    assert [one.cards for one in found] == list("AKQJT9")
    for one in found:
        assert one.interval.has(2.5 if one.cards == "A" else -0.5), one  # 3 for one of six, against their mean
        assert one.told and one.control_interval.has(0)


def test_values_in_constant_memory_are_those_of_all_deals_at_once() -> None:
    for setup, kinds in ((Setup("roundup", 3), ["K Q J", "A"]), (Setup("oh-hell", 3), None)):
        played = lab.deals(setup, 700, by="heuristic", dealer=None, seed=2)
        found = lab.cards(setup, 700, kinds, by="heuristic", seed=2, jobs=1)
        assert found.values == lab.card_values(played, kinds) and found.number == 700
    assert {one.cards for one in lab.cards(setup, 4, by="random").values} < {*"AKQJT98765432"}  # they have a card each
    with pytest.raises(UpcardError, match="Ah was dealt to nobody"):
        lab.cards(setup, 4, ["Ah"], by="random")


@pytest.mark.parametrize("number", [12, 40, 400])
def test_intervals_of_values_hold_the_truth_as_often_as_they_say(number: int) -> None:
    """All of one call together in 95 of 100, also of few deals, with luck that is skewed and greater for some hands."""
    played = lab.deals("sixty-six", 60 * number, by="random")
    rng = np.random.default_rng(7)
    aces, tens = (played.count(rank).reshape(-1, 2) for rank in "AT")
    result = 3 * aces - tens + (1 + aces) * (rng.exponential(2, aces.shape) - 2)
    held = 0
    for rows in np.split(np.arange(60 * number), 60):
        tables = {name: column[rows] for name, column in played.tables.items()} | {"points": result[rows]}
        found = lab.card_values(replace(played, number=number, tables=tables), ["A", "T", "9"])
        held += all(one.interval.has(worth) for one, worth in zip(found, (3, -1, 0), strict=True))
    assert held >= 53  # of 60 that are right 95 times in 100, fewer than 53 are so once in 150


def test_values_that_cannot_be_asked_for_are_refused() -> None:
    played = lab.deals("sixty-six", 5)
    for words, what, fault in (
        (["KK"], "points", "'KK' is not a card"),
        (["K"], "hand", "hand is not a number"),
        ([], "points", "needs at least one card"),
    ):
        with pytest.raises(UpcardError, match=fault):
            lab.card_values(played, words, what=what)
    with pytest.raises(UpcardError, match="more deals than seats, not 2"):  # the check needs another deal's hands
        lab.card_values(lab.deals("sixty-six", 2, jobs=1), ["K"])


def test_every_measure_says_what_it_is() -> None:
    assert len({one.name for one in MEASURES}) == len(MEASURES)
    assert all(one.definition.endswith(".") and one.source for one in MEASURES)


def test_names_can_stand_in_a_list() -> None:
    """The head of a report lists them, separated by commas."""
    assert not [label for measure in MEASURES for label in measure.labels(3) if "," in label]
