"""Players on duplicate deals: every player gets every seat and its cards, so that only their play differs."""

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from upcard import Setup, UpcardError, View, cli, lab
from upcard.lab.arena import seatings
from upcard.lab.simulate import Precision
from upcard.lab.sums import Blocks, first_in_samples

SETUP = Setup("sixty-six", options={"target": 1})


class First:
    """Plays the first legal move."""

    def choose(self, view: View[Any], rng: Random) -> str:
        return view.legal()[0]


@pytest.mark.parametrize(
    ("players", "seats", "number"), [(2, 2, 2), (2, 4, 2), (2, 3, 6), (3, 3, 6), (4, 4, 24), (5, 7, 14)]
)
def test_every_player_has_every_seat_equally_often(players: int, seats: int, number: int) -> None:
    rows = np.array(seatings(players, seats))
    assert rows.shape == (number, seats)
    times = np.array([[(rows[:, seat] == who).sum() for seat in range(seats)] for who in range(players)])
    assert (times == number // players).all() if number % players == 0 else np.ptp(times) == 0 or players > 4
    assert len({tuple(row) for row in rows.tolist()}) == number


def test_partners_sit_opposite() -> None:
    assert seatings(2, 4) == [(0, 1, 0, 1), (1, 0, 1, 0)]


def test_a_player_against_itself_shows_nothing() -> None:
    met = lab.arena(SETUP, 30, ["random", "random"])
    assert np.allclose(met.won, 0.5)
    assert [found.untouched for found in met.comparisons()] == [True]
    assert [row.best for row in met.standings()] == [0.5, 0.5]


class At:
    """Plays the legal move at one place."""

    def __init__(self, place: int) -> None:
        self.place = place

    def choose(self, view: View[Any], rng: Random) -> str:
        return view.legal()[self.place]


def test_players_of_one_name_are_told_apart() -> None:
    players = [At(0), At(-1)]
    assert lab.arena(SETUP, 2, players, unit="deal", jobs=1).players == ("At", "At 2")
    assert lab.luck(SETUP, 5, players, jobs=1).players == ("At", "At 2")
    found = lab.replies(SETUP, 4, players, unit="deal", jobs=1)
    assert found.won["At", "At 2"] == pytest.approx(1 - found.won["At 2", "At"])
    with pytest.raises(UpcardError, match="need at least two players, all different"):
        lab.replies(SETUP, 4, [players[0]] * 2, jobs=1)


def test_who_always_wins_may_yet_lose() -> None:
    rows = lab.arena(SETUP, 12, ["random", "heuristic"]).standings()
    assert [row.won for row in rows] == [1, 0]
    assert [(row.won_between.low, row.won_between.high) for row in rows] == [
        (pytest.approx(0.757, abs=1e-3), 1),  # Wilson's, of 12
        (0, pytest.approx(0.243, abs=1e-3)),
    ]


def test_the_stronger_is_told_from_the_weaker() -> None:
    met = lab.arena(SETUP, 300, ["random", "heuristic"])
    assert [row.player for row in met.standings()] == ["heuristic", "random"]
    found = met.comparisons()[0]
    assert found.told and found.difference > 0
    assert met.won.sum(axis=1) == pytest.approx(1)
    assert met.standings()[0].best == 1


@pytest.mark.long
def test_the_same_deals_tell_players_of_like_strength_apart_with_fewer_matches() -> None:
    players = ["heuristic", "learned"]
    paired = lab.arena(SETUP, 300, players).comparisons()[0].interval.half
    apart = lab.matches(SETUP, 600, by=players)["won"].reshape(-1, 2)
    assert paired < 1.96 * (apart[:, 1] - apart[:, 0]).std() / 600**0.5


def test_who_sits_where_is_what_simulations_of_each_seating_say() -> None:
    met = lab.arena(SETUP, 20, ["random", "heuristic"], seed=3)
    ours, theirs = (
        lab.matches(SETUP, 20, by=by, seed=3).by_deal("won")
        for by in (["random", "heuristic"], ["heuristic", "random"])
    )
    assert met.won[:, 0].tolist() == ((ours[:, 0] + theirs[:, 1]) / 2).tolist()


def test_it_stops_at_a_precision() -> None:
    met = lab.arena(SETUP, 5000, ["random", "heuristic"], precision=Precision("wins", 0.1))
    assert 100 <= met.number < 5000
    assert met.comparisons()[0].interval.half <= 0.1


def test_memory_does_not_grow_with_the_number(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Means, differences and how many pairs differ are exact whatever the blocks; what is kept goes on in the same
    blocks."""
    players = ["random", "heuristic"]
    whole = lab.arena(SETUP, 300, players, jobs=1)
    monkeypatch.setattr("upcard.lab.sums.MOST", 64)
    met = lab.arena(SETUP, 300, players)
    assert (met.number, met.block, len(met.won)) == (300, 8, 38)
    assert met.won[0] == pytest.approx(whole.won[:8].mean(axis=0))
    assert met.won[-1] == pytest.approx(whole.won[296:].mean(axis=0))
    assert met.comparisons() == whole.comparisons() and met.comparisons("points") == whole.comparisons("points")
    for coarse, fine in zip(met.standings(), whole.standings(), strict=True):
        assert (coarse.won, coarse.points) == pytest.approx((fine.won, fine.points))
        assert coarse.points_between.half == pytest.approx(fine.points_between.half, rel=0.3)
    for number in (70, 200, 300):
        again = lab.arena(SETUP, number, players, kept=tmp_path / "kept.npz")
    assert (again.won == met.won).all() and again.standings() == met.standings()


@pytest.mark.parametrize("number", [8, 40, 1000])
def test_intervals_from_blocks_hold_the_truth_as_often_as_they_say(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """95 of 100, of a skewed result whose mean is known: of deals one by one, and of blocks of 16."""
    monkeypatch.setattr("upcard.lab.sums.MOST", 64)
    rng, held = np.random.default_rng(5), 0
    for _ in range(1000):
        blocks = Blocks((1, 1))
        blocks.add(rng.gamma(4, 1, (number, 1, 1)))
        held += blocks.between(0, 0).has(4)
    assert blocks.size == (16 if number > 64 else 1)
    assert held / 1000 == pytest.approx(0.95, abs=0.02)  # the binomial error of this is 0.007


def test_blocks_do_not_depend_on_the_parts_in_which_deals_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upcard.lab.sums.MOST", 16)
    rows = np.random.default_rng(6).normal(0, 1, (203, 2, 3))
    whole, parts = Blocks((2, 3)), Blocks((2, 3))
    whole.add(rows)
    for part in np.split(rows, [1, 3, 20, 100, 164]):
        parts.add(part)
    assert (whole.size, len(whole.sums)) == (16, 13)
    assert (whole.sums == parts.sums).all()
    assert whole.sums[1] == pytest.approx(rows[16:32].sum(axis=0))


def test_places_are_as_sure_as_the_deals_make_them() -> None:
    rng = np.random.default_rng(1)
    sure = first_in_samples(np.stack([rng.normal(1, 1, 400), rng.normal(0, 1, 400)], axis=1))
    assert sure.tolist() == [1, 0]
    even = [first_in_samples(rng.normal(0, 1, (40, 2)), 100)[0] for _ in range(200)]
    assert np.mean(even) == pytest.approx(0.5, abs=0.06)
    assert np.mean(np.array(even) > 0.975) == pytest.approx(0.025, abs=0.025)


def test_places_are_as_sure_from_blocks() -> None:
    """Samples of blocks have the better of two close players first as often as samples of the deals."""
    rows = np.random.default_rng(2).normal([0.05, 0], 1, (4096, 2))
    alone, joined = first_in_samples(rows), first_in_samples(rows.reshape(-1, 16, 2).sum(axis=1))
    assert 0.6 < alone[0] < 0.999
    assert joined[0] == pytest.approx(alone[0], abs=0.05)


def test_of_a_few_rows_the_bootstrap_says_nothing() -> None:
    assert f"{lab.bootstrap([3, 3, 3, 3], np.mean)}" == "too few to say"
    assert lab.bootstrap([3, 3, 3, 3, 3], np.mean).half == 0


def test_bootstrap_intervals_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(2)
    held = [lab.bootstrap(rng.normal(3, 1, 60), np.mean, samples=200, seed=n).has(3) for n in range(300)]
    assert np.mean(held) == pytest.approx(0.95, abs=0.035)


@pytest.mark.long
def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    def run(words: str) -> tuple[str, str]:
        monkeypatch.setattr(sys, "argv", ["upcard", "arena", *words.split()])
        with pytest.raises(SystemExit):
            cli.main()
        said = capsys.readouterr()
        return said.out, said.err

    file = tmp_path / "mine.py"
    file.write_text("class First:\n    def choose(self, view, rng):\n        return view.legal()[0]\n")
    said, _ = run(f"sixty-six heuristic,{file}:First -n 6 -o target=1 --jobs 1 --json")
    told = json.loads(said)
    assert {row["player"] for row in told["players"]} == {"heuristic", "mine.py:First"}
    assert lab.arena(SETUP, 6, ["heuristic", First()], jobs=1).won.mean(axis=0).tolist() == pytest.approx(
        [row["won"] for row in sorted(told["players"], key=lambda row: row["player"])]
    )
    said, _ = run("sixty-six random,heuristic -n 40 -o target=1")
    assert "40 matches of sixty-six, seed 1, each in 2 seatings; an equal share is 50.0 %" in said
    low, _ = run("sixty-six random,heuristic -n 40 -o target=1 -o enough=50")
    assert low.splitlines()[0] == "No law is broken in trial; alike players are even"
    assert low.splitlines()[1].startswith("40 matches of sixty-six-enough-50,")
    low, _ = run("sixty-six random,heuristic -n 2 -o target=1 -o enough=50 --json")
    assert (told["trial"], json.loads(low)["trial"]["numbers"]) == (None, {"enough": "50"})
    assert run("sixty-six random,heuristic -n 1")[0].startswith("1 match of sixty-six, ")
    few, _ = run("sixty-six random,heuristic -n 2 -o target=1 --json")
    between = json.loads(few, parse_constant=pytest.fail)["players"][0]["won_between"]
    assert between == {"low": None, "high": None}
    assert "too few to say" in run("sixty-six random,heuristic -n 2 -o target=1")[0]
    precise = run("sixty-six random,heuristic -o target=1 --precision wins=0.04 --json")[0]
    assert 100 < json.loads(precise)["number"] < 3000  # a million at most
    said = run("sixty-six random,heuristic -o target=1 --precision score=0.01 -n 110")[0]
    assert said.splitlines()[-1].startswith("The precision score=0.01 is not reached: that takes about ")
    assert run("sixty-six random")[1] == "upcard: 2 players meet at a table of 2, not 1\n"
    assert run(f"sixty-six random,{file}:Last")[1] == f"upcard: {file} has no 'Last'\n"
    assert run("sixty-six random,/nowhere.py:X")[1] == "upcard: /nowhere.py: No such file or directory\n"
    assert run("sixty-six random,random --unit trick")[1] == "upcard: a unit is deal or match, not 'trick'\n"


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(UpcardError, match="there is no player 'genius'"):
        lab.arena(SETUP, 1, ["genius", "random"])
