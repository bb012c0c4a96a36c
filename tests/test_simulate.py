"""Simulation: the same seed gives the same matches, whichever way they are played and counted."""

from collections import Counter
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest
from playing import random_header

from upcard import Setup, UpcardError
from upcard.engine import records
from upcard.lab.simulate import Compared, Precision, Side, Stopped, simulate, sweep
from upcard.lab.tally import Spread, Tally, power_sums
from upcard.rules.game import Game


def collect(
    game: str | type[Game], matches: int, seed: int, by: list[str], options: dict[str, object]
) -> tuple[Any, list[Any]]:
    written: list[Any] = []
    summary = simulate(Setup(game, len(by), options), matches, seed, by=by, records=written.append)
    return summary, written


@pytest.mark.parametrize("seed", range(4))
def test_records_replay_to_the_same_scores(game: type[Game], seed: int) -> None:
    players, _, options = random_header(game, seed)
    by = ["heuristic" if (seat + seed) % 2 else "random" for seat in range(players)]
    summary, written = collect(game, players + 1, seed, by, options)
    assert len(written) == players + 1
    ends = [records.replay(record) for record in written]
    assert all(match.done for match in ends)
    assert [record["dealer"] for record in written] == [number % players for number in range(players + 1)]
    for seat in summary.seats:
        scores = [match.scores[seat.seat] for match in ends]
        assert seat.mean == pytest.approx(sum(scores) / len(scores))
        shares = sum(1 / len(match.winners) for match in ends if seat.seat in match.winners)
        assert seat.wins == pytest.approx(shares)
    moves = [sum(event.seat is not None for event in match.events) for match in ends]
    assert summary.mean_moves == pytest.approx(sum(moves) / len(moves))
    assert summary.mean_deals == pytest.approx(sum(match.state.deals for match in ends) / len(ends))


def test_matches_depend_on_the_seed_and_their_number_only(game: type[Game]) -> None:
    players = game.default_players
    by = ["random"] * players
    few, first = collect(game, 3, 8, by, {})
    _, more = collect(game, 5, 8, by, {})
    assert more[:3] == first
    assert simulate(Setup(game), 3, 8, by=by) == few
    _, others = collect(game, 3, 9, by, {})
    assert others != first


def test_other_players_get_the_same_packs() -> None:
    """Whoever plays, at whichever speed: so that two simulations can be compared pack by pack."""
    packs = []
    for by in (["random", "random"], ["heuristic", "random"], ["search:20", "heuristic"]):
        _, written = collect("sixty-six", 2, 4, by, {"target": 1})
        packs.append([next(event for event in record["events"] if event.startswith("deal")) for record in written])
    assert packs[0] == packs[1] == packs[2]


def test_matches_with_a_searching_player_repeat() -> None:
    summary, written = collect("sixty-six", 2, 4, ["search:40", "heuristic"], {"target": 2})
    assert collect("sixty-six", 2, 4, ["search:40", "heuristic"], {"target": 2}) == (summary, written)
    assert [records.replay(record).done for record in written] == [True, True]


def test_progress_is_told_to_the_end(game: type[Game]) -> None:
    told: list[int] = []
    simulate(Setup(game), 7, 1, by=["random"] * game.default_players, progress=told.append)
    assert told[-1] == 7
    assert told == sorted(set(told))


@pytest.mark.parametrize("jobs", [1, 2])
def test_who_stops_it_gets_what_there_is(jobs: int) -> None:
    def stop(done: int) -> None:
        if done > 20:
            raise KeyboardInterrupt

    setup, by = Setup("sixty-six"), ["heuristic", "random"]
    with pytest.raises(Stopped) as stopped:
        simulate(setup, 100_000, 1, by=by, progress=stop, jobs=jobs)
    so_far = stopped.value.summary
    assert so_far == simulate(setup, so_far.matches, 1, by=by)


def test_a_summary_is_plain_data() -> None:
    summary = simulate(Setup("sixty-six"), 4, 1, by=["heuristic", "random"])
    assert summary.beginner is not None
    assert summary.as_dict() == {
        "game": "sixty-six",
        "matches": 4,
        "seed": 1,
        "mean_moves": summary.mean_moves,
        "mean_deals": summary.mean_deals,
        "seats": [
            {
                "seat": seat.seat,
                "player": seat.player,
                "wins": seat.wins,
                "mean": seat.mean,
                "error": seat.error,
                "share_between": {"low": seat.share_between.low, "high": seat.share_between.high},
                "mean_between": None,
                "scores": asdict(seat.scores),
            }
            for seat in summary.seats
        ],
        "moves": asdict(summary.moves),
        "deals": asdict(summary.deals),
        "from_dealer": [asdict(share) for share in summary.from_dealer],
        "beginner": asdict(summary.beginner),
        "moves_between": None,  # four matches are too few to say
        "deals_between": None,
    }
    assert sum(seat.wins for seat in summary.seats) == 4


def test_numbers_are_spread_as_sorting_them_says() -> None:
    numbers = [3, 3, 3, 9, -1, 4, 4, 20, 5, 6, 6]
    assert Spread.of(Counter(numbers)) == Spread(-1, 3, 4, 9, 20)
    assert Spread.of({7: 2}) == Spread(7, 7, 7, 7, 7)


def test_large_scores_are_added_exactly() -> None:
    """Rules may count in numbers whose sum over some hundred matches does not fit in 64 bits."""
    tally = Tally(2)
    tally.add(np.array([[10**17, -(10**17), 1, 1, 9, 0]] * 200), None)
    assert power_sums(tally.counts[0]) == (200, 2 * 10**19, 2 * 10**36)
    assert power_sums(tally.counts[1]) == (200, -2 * 10**19, 2 * 10**36)


@pytest.mark.long
def test_sums_do_not_depend_on_the_parts_in_which_they_are_added() -> None:
    """To the last digit, though wins are shared by three: one by one with records, else in pieces."""
    dice = np.random.default_rng(1)
    rows = np.hstack([np.zeros((300, 4), int), dice.integers(1, 16, (300, 1)), np.ones((300, 2), int)])
    rows = np.hstack([rows, dice.integers(-1, 4, (300, 1))])
    whole, parts = Tally(4), Tally(4)
    whole.add(rows, None)
    for row in rows:
        parts.add(row[None], None)
    assert parts.places.tolist() == whole.places.tolist() and parts.began.tolist() == whole.began.tolist()
    summary, _ = collect("rolling-stone", 30, 3, ["heuristic"] * 4, {"deals": 3})
    assert summary == simulate(Setup("rolling-stone", 4, {"deals": 3}), 30, 3, by="heuristic")


@pytest.mark.parametrize("dealer", [None, 1])
def test_wins_by_place_are_those_of_the_records(dealer: int | None) -> None:
    written: list[Any] = []
    summary = simulate(Setup("sixty-six"), 9, 1, by=["heuristic", "random"], dealer=dealer, records=written.append)
    ends = [records.replay(record) for record in written]
    won = sum(end.winners == [record["dealer"]] for end, record in zip(ends, written, strict=True))
    assert [share.share for share in summary.from_dealer] == pytest.approx([won / 9, 1 - won / 9])
    first = [next(event.seat for event in end.events if event.seat is not None) for end in ends]
    assert summary.beginner is not None
    assert summary.beginner.share == sum(end.winners == [seat] for end, seat in zip(ends, first, strict=True)) / 9
    assert (summary.moves.least, summary.moves.most) == (
        min(sum(event.seat is not None for event in end.events) for end in ends),
        max(sum(event.seat is not None for event in end.events) for end in ends),
    )
    assert summary.seats[0].scores.half == sorted(end.scores[0] for end in ends)[4]


def test_the_number_of_jobs_changes_nothing() -> None:
    for game, by, matches in (("sixty-six", ["heuristic", "random"], 700), ("oh-hell", ["search:5", "random"] * 2, 3)):
        kept: list[list[Any]] = []
        for jobs in (1, 2):
            parts: list[Any] = []
            setup = Setup(game, len(by), {"target": 1} if game == "sixty-six" else {"max_cards": 1})
            summary = simulate(setup, matches, 2, by=by, jobs=jobs, results=parts.append)
            kept.append([summary, np.concatenate(parts).tolist()])
        assert kept[0] == kept[1]
        assert len(kept[0][1]) == matches


def test_nobody_has_to_say_the_seed_or_the_number_of_jobs() -> None:
    """As everywhere in the lab: the seed is 1, and all cores work."""
    side = Side(Setup("sixty-six"), "random")
    assert simulate(side.setup, 30, by="random") == simulate(side.setup, 30, 1, by="random", jobs=1)
    assert sweep(side, [side], 30) == sweep(side, [side], 30, 1, jobs=1)


@pytest.mark.long
def test_intervals_hold_what_many_matches_come_to() -> None:
    """Over many small samples the intervals hold the result of a large one about as often as they say."""
    setup = Setup("sixty-six", options={"target": 1})
    long_run = simulate(setup, 20_000, 1, by=["heuristic", "random"]).seats[0]
    held = []
    for seed in range(2, 202):
        seat = simulate(setup, 60, seed, by=["heuristic", "random"]).seats[0]
        assert seat.mean_between is not None
        held.append((seat.share_between.has(long_run.wins / 20_000), seat.mean_between.has(long_run.mean)))
    for kind in (0, 1):
        assert sum(one[kind] for one in held) / len(held) == pytest.approx(0.95, abs=0.05)


def compare(one: Side, other: Side, matches: int, **said: Any) -> Compared:
    (found,) = sweep(one, [other], matches, 1, **said)
    return found


def test_differences_are_paired_match_by_match() -> None:
    setup = Setup("sixty-six", options={"target": 1})
    casual, random = Side(setup, ["heuristic", "random"]), Side(setup, "random")
    compared = compare(random, casual, 300)
    found = {one.what: one for one in compared.differences}
    assert list(found) == ["wins of seat 0", "wins of seat 1", "score of seat 0", "score of seat 1", "deals", "moves"]
    better = found["wins of seat 0"]
    assert better.told
    assert better.difference == pytest.approx(-found["wins of seat 1"].difference)
    assert better.difference == pytest.approx((compared.second.seats[0].wins - compared.first.seats[0].wins) / 300)
    assert better.certain == pytest.approx(1 - 0.05 / 6)
    assert compared.second == simulate(setup, 300, 1, by=casual.by)
    assert all(one.untouched and not one.told for one in compare(random, random, 20).differences)
    assert compare(random, casual, 300, jobs=2) == compared


def test_who_stops_a_comparison_gets_what_there_is() -> None:
    def stop(done: int) -> None:
        if done > 20:
            raise KeyboardInterrupt

    setup = Setup("sixty-six", options={"target": 1})
    sides = Side(setup, "random"), Side(setup, ["heuristic", "random"])
    so_far = compare(*sides, 100_000, progress=stop)
    assert 20 < so_far.first.matches < 1000
    assert so_far == compare(*sides, so_far.first.matches)


def test_it_stops_at_a_precision() -> None:
    setup = Setup("sixty-six", options={"target": 1})
    for words, widest in (("0.05", lambda seat: seat.share_between.half), ("score=0.1", lambda s: s.mean_between.half)):
        precision = Precision.read(words)
        found = simulate(setup, 10_000, 1, by="random", precision=precision)
        assert 100 <= found.matches < 10_000
        assert max(map(widest, found.seats)) <= precision.half
        assert found == simulate(setup, found.matches, 1, by="random")
        few = simulate(setup, 50, 1, by="random", precision=precision)
        assert few.matches == 50 < precision.matches(few) < 4 * found.matches
    with pytest.raises(UpcardError, match="a precision is wins=SHARE or score=POINTS, above 1e-09, not 'luck=1'"):
        Precision.read("luck=1")
    sides = Side(setup, "random"), Side(setup, ["heuristic", "random"])
    paired = compare(*sides, 10_000, precision=Precision("wins", 0.08))
    assert 100 < paired.first.matches < 10_000
    assert all(one.interval.half <= 0.08 for one in paired.differences if one.what.startswith("wins"))


def test_a_dealer_can_be_fixed() -> None:
    written: list[Any] = []
    simulate(Setup("oh-hell", 3, {"max_cards": 1}), 4, 1, by="random", dealer=2, records=written.append)
    assert [record["dealer"] for record in written] == [2] * 4
    with pytest.raises(UpcardError, match="the dealer is a seat from 0 to 2, not 3"):
        simulate(Setup("oh-hell", 3), 1, 1, by="random", dealer=3)
