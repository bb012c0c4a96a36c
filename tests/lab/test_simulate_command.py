"""`upcard simulate` apart from its summary: comparisons, tables and jobs."""

import csv
import errno
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from upcard import Setup, cli
from upcard.cli.sides import SideSpec
from upcard.lab.intervals import of_numbers
from upcard.lab.parallel import chunk_bounds
from upcard.lab.runner import Batch, CompiledRunner
from upcard.rules.game import Game

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Run `upcard simulate sixty-six` with these arguments; returns the exit status and the text on both streams."""

    def call(words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["upcard", "simulate", "sixty-six", *words.split()])
        with pytest.raises(SystemExit) as left:
            cli.main()
        said = capsys.readouterr()
        return int(left.value.code or 0), said.out, said.err

    return call


def test_what_could_not_be_kept_is_told_beside_the_results(
    run: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: Path, written: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    kept = tmp_path / "kept.npz"
    status, out, said = run(f"--matches 5 -o target=1 --keep {kept}")
    assert (status, said) == (2, f"upcard: {kept} cannot be written: No space left on device\n")
    assert out == run("--matches 5 -o target=1")[1]
    assert run("--matches 5 -o target=1")[0] == 0


def test_the_number_of_jobs_changes_nothing(run: Call) -> None:
    assert run("--matches 50 --jobs 1") == run("--number 50 --jobs 3") == run("-n 50 --jobs 1")


@pytest.mark.long
def test_other_players_are_compared_match_by_match(run: Call) -> None:
    _, said, _ = run("--matches 100 -o target=1 --compare by=heuristic,random")
    assert said.count("100 matches of sixty-six, seed 1: ") == 2
    assert "match by match on the same packs, " in said
    assert "match by match, on packs that differ, " in run("--matches 5 -o target=1 --compare schnapsen")[1]
    better = next(line for line in said.splitlines() if line.startswith("  wins of seat 0"))
    assert better.split()[4].startswith("+0.")
    assert "not significant" not in better


def test_a_comparison_as_json(run: Call) -> None:
    _, said, _ = run("--matches 30 --compare target=3 --json")
    found = json.loads(said)
    assert found["first"]["matches"] == found["second"]["matches"] == 30
    assert found["first"]["trial"] is found["second"]["trial"] is None
    deals = next(one for one in found["differences"] if one["what"] == "deals")
    assert deals["second"] - deals["first"] == pytest.approx(deals["difference"])
    assert deals["low"] < deals["difference"] < deals["high"] < 0
    assert deals["told"]


@pytest.mark.long
def test_a_sweep_is_a_comparison_with_the_first_value(run: Call) -> None:
    _, said, _ = run("--matches 20 --sweep target=1,3 --json")
    first, second = json.loads(said)
    _, said, _ = run("--matches 20 -o target=1 --compare target=3 --json")
    compared = json.loads(said)
    assert (first["value"], first["summary"]) == ("target=1", compared["first"])
    assert (second["value"], second["summary"]) == ("target=3", compared["second"])
    assert second["differences"] == compared["differences"]
    _, said, _ = run("--matches 20 --sweep enough=50,66,90")  # a number of the rules
    even = "no law is broken in trial; alike players are even"
    assert said.splitlines()[:3] == [f"enough={value}: {even}" for value in (50, 66, 90)]
    _, as_json, _ = run("--matches 20 --sweep enough=50,66,90 --json")
    trials = [row["summary"]["trial"] for row in json.loads(as_json)]
    assert [trial["numbers"] for trial in trials] == [{"enough": value} for value in ("50", "66", "90")]
    assert all(not trial["uneven"] and "totals-are-conserved" in trial["laws"] for trial in trials)
    rows = [line.split() for line in said.splitlines()]
    assert [row[0] for row in rows if row and row[0] in ("50", "66", "90")][:3] == ["50", "66", "90"]


def test_a_sweep_is_a_row_for_each_value(run: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    _, told, _ = run("--matches 60 --sweep target=1,3 --json")
    _, said, _ = run("--matches 60 --sweep target=1,3")
    assert max(map(len, said.splitlines()[2:8])) <= 100
    summary, differences = json.loads(told)[1]["summary"], json.loads(told)[1]["differences"]
    row = next(line for line in said.splitlines() if line.startswith("     3"))
    assert row.split()[1] == f"{summary['mean_deals']:.2f}"
    assert row.split()[2:5] == [
        f"({summary['deals_between']['low']:.2f}",
        "to",
        f"{summary['deals_between']['high']:.2f})",
    ]
    deals = next(one for one in differences if one["what"] == "deals")
    assert f"     3  {deals['difference']:+.2f} ({deals['low']:+.2f} to {deals['high']:+.2f})  " in said
    assert "wins of seat 0" in said and "score of seat 1" in said


def test_numbers_of_the_rules_are_changed_like_options(run: Call) -> None:
    _, said, _ = run("--matches 20 -o target=3 --compare enough=50 --json")
    compared = json.loads(said)
    _, said, _ = run("--matches 20 -o target=3 -o enough=50 --json")
    assert json.loads(said) == compared["second"] != compared["first"]


def test_who_stops_a_sweep_gets_what_there_is(run: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(done: int) -> None:
        if done > 20:
            raise KeyboardInterrupt

    monkeypatch.setattr("upcard.cli.simulate.progress_bar", lambda title, total: nullcontext(stop))
    status, said, beside = run("--matches 10000 --sweep target=1,3,5 --jobs 1 --json")
    assert status == 130
    assert [(one["value"], one["summary"]["matches"]) for one in json.loads(said)] == [
        ("target=1", 31),
        ("target=3", 31),
        ("target=5", 31),
    ]
    assert beside == "stopped after 31 of 10000 matches\n"


def test_the_first_value_of_a_sweep_is_played_once(run: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    played: Counter[int] = Counter()

    def counted(worker: CompiledRunner, first: int, number: int) -> Batch:
        played[worker.spec.setup.options.target] += number  # type: ignore[attr-defined]
        return worker._play(first, number)[0]

    monkeypatch.setattr(CompiledRunner, "__call__", counted)
    run("--matches 20 --sweep target=1,3,5 --jobs 1")
    assert played == {1: 20, 3: 20, 5: 20}
    played.clear()
    _, said, _ = run("--sweep target=1,2,3 --jobs 1 --precision wins=0.08 --json")
    two, three = (one["differences"][0]["number"] for one in json.loads(said)[1:])
    assert two < three, "each value is played until its own differences are known"
    assert played == {1: three, 2: two, 3: three}


def test_a_sweep_is_sure_enough_where_each_comparison_is(run: Call) -> None:
    sure = "-o target=1 --precision score=0.4 --json"
    _, said, _ = run(f"{sure} --sweep target=1,2,3,7")
    for one in json.loads(said)[1:]:
        compared = json.loads(run(f"{sure} --compare {one['value']}")[1])
        assert (one["summary"], one["differences"]) == (compared["second"], compared["differences"])


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("simulate sixty-six --matches 10000", "matches"),
        ("simulate sixty-six --matches 10000 --compare target=3", "matches"),
        ("simulate sixty-six --matches 10000 --sweep target=1,3,5", "matches"),
        ("arena sixty-six random,heuristic -n 10000 --unit deal", "deals"),
        ("lab report sixty-six -n 10000 --unit deal", "deals"),
        ("lab luck sixty-six -n 10000", "deals"),
        ("lab replies sixty-six -n 10000 --unit deal", "deals"),
        ("lab cards sixty-six A -n 10000", "deals"),
    ],
)
@pytest.mark.parametrize("after", [0, 20])
def test_every_command_says_that_it_was_stopped(
    words: str, what: str, after: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*asked: int) -> Iterator[tuple[int, int]]:
        for piece in chunk_bounds(*asked):
            if piece[0] >= after:
                raise KeyboardInterrupt
            yield piece

    monkeypatch.setattr("upcard.lab.parallel.chunk_bounds", stopped)
    monkeypatch.setattr(sys, "argv", ["upcard", *words.split(), "--jobs", "1"])
    with pytest.raises(SystemExit) as left:
        cli.main()
    said, beside = capsys.readouterr()
    told = f"stopped after 31 of 10000 {what}" if after else "Sixty-Six: stopped before there were any results"
    assert (left.value.code, beside) == (130, f"{told}\n")
    assert bool(re.search(f"31 ({what}|packs)", said)) == (after > 0)


def test_an_effect_of_nothing_is_not_sold_as_a_finding(run: Call) -> None:
    _, said, _ = run("--matches 10 -o target=1 --by heuristic --compare by=casual")  # the same player by another name
    assert "these players may never use what differs" in said


def test_it_stops_when_it_is_sure_enough(run: Call) -> None:
    _, said, _ = run("-o target=1 --precision wins=0.04 --json")
    assert 100 <= json.loads(said)["matches"] < 2000
    _, said, _ = run("-o target=1 --matches 40 --precision score=0.1")
    assert said.splitlines()[-1].startswith("The precision score=0.1 is not reached: that takes about ")
    _, said, _ = run("-o target=1 --matches 40 --precision wins=0.1 --compare by=heuristic")
    assert said.splitlines()[-1].startswith("  the precision is not reached: that takes about ")


def test_records_go_to_standard_output_alone(run: Call) -> None:
    _, said, beside = run("--matches 2 -o target=1 --records -")
    assert [json.loads(line)["dealer"] for line in said.splitlines()] == [0, 1]
    assert beside.startswith("2 matches of sixty-six, seed 1: ")


@pytest.mark.parametrize("words", ["", "--sweep target=1,3", "--compare target=3"])
def test_one_match_is_no_matches(run: Call, words: str) -> None:
    assert run(f"--matches 1 --jobs 1 {words}")[1].startswith("1 match of sixty-six")


def test_a_table_goes_to_standard_output_alone(run: Call, tmp_path: Path) -> None:
    _, said, beside = run("--matches 2 -o target=1 --csv -")
    run(f"--matches 2 -o target=1 --csv {tmp_path / 'matches.csv'}")
    assert said == (tmp_path / "matches.csv").read_text(encoding="utf-8")
    assert beside.startswith("2 matches of sixty-six, seed 1: ")


def test_one_seat_deals_always(run: Call, tmp_path: Path) -> None:
    file = tmp_path / "matches.csv"
    run(f"--matches 5 -o target=1 --dealer 1 --csv {file}")
    assert {row["dealer"] for row in csv.DictReader(file.open(encoding="utf-8"))} == {"1"}


def test_a_table_of_matches(run: Call, tmp_path: Path) -> None:
    file = tmp_path / "matches.csv"
    _, said, _ = run(f"--matches 6 --seed 3 --by heuristic,random --json --csv {file}")
    summary = json.loads(said)
    rows = list(csv.DictReader(file.open(encoding="utf-8")))
    assert [(row["match"], row["seat"]) for row in rows] == [(str(n // 2), str(n % 2)) for n in range(12)]
    for what in ("deals", "moves"):
        numbers = np.array([float(row[what]) for row in rows[::2]])
        assert summary[f"{what}_between"] == pytest.approx(asdict(of_numbers(numbers)))
    for seat in summary["seats"]:
        own = [row for row in rows if row["seat"] == str(seat["seat"])]
        assert seat["mean"] == pytest.approx(sum(int(row["score"]) for row in own) / 6)
        assert seat["wins"] == pytest.approx(sum(float(row["won"]) for row in own))
        assert {row["player"] for row in own} == {seat["player"]}


def test_a_sweep_goes_on_from_what_it_has_kept(run: Call, tmp_path: Path) -> None:
    """A file for each value but the first."""
    sweep = f"--sweep target=1,3,5 --json --keep {tmp_path / 'sums.npz'} --matches"
    run(f"{sweep} 40")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["sums target=3.npz", "sums target=5.npz"]
    assert run(f"{sweep} 60") == run("--sweep target=1,3,5 --json --matches 60")
    (tmp_path / "sums target=3.npz").unlink()
    assert run(f"{sweep} 80") == run("--sweep target=1,3,5 --json --matches 80")
    status, _, told = run(f"{sweep} 50")
    assert status and "sums target=3.npz already contains the sums of 80: ask for 80 or more" in told


def test_numbers_of_the_rules_are_read_as_they_are_shown(game: type[Game]) -> None:
    """As `upcard options` has them: a row of numbers, worths by rank, cards."""
    usual = Setup(game).options
    for name, number in game.declared_numbers.items():
        if not number.derived:
            again = SideSpec(game.slug, None, [f"{name}={number.text_for(usual)}"], "random").setup
            assert again.setting(name) == usual.setting(name), name


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("--compare by=random", "--compare changes nothing"),
        ("--compare target=3 --compare last=open", "--compare can be given only once, with its changes separated by ;"),
        ("--compare last=never", "option last is always or open, not 'never' (SS-5)"),
        ("--compare whist", "there is no game 'whist'"),
        ("--compare by=random,random,random", "--by names 3 players for 2 seats"),
        ("--compare target=3 --csv x", "--compare cannot be combined with --csv or --records"),
        ("--sweep target=3", "--sweep takes NAME=A,B,… with at least two values, not 'target=3'"),
        ("--sweep target=1,3 --records x", "--sweep cannot be combined with --csv or --records"),
        ("--sweep target=1,3 --compare by=heuristic", "--sweep cannot be combined with --compare"),
        ("--sweep players=2,3", "there is no option or number 'players': other player counts need other packs"),
        ("--sweep by=random,heuristic", "there is no option or number 'by': compare players with --compare by="),
        ("--csv - --records -", "--csv and --records cannot both be written to -"),
        ("--dealer 2", "the dealer is a seat from 0 to 1, not 2 (SS-"),
        ("--precision luck=1", "a precision is wins=SHARE or score=POINTS, above 1e-09, not 'luck=1'"),
        ("--precision wins=1e-200", "a precision is wins=SHARE or score=POINTS, above 1e-09, not 'wins=1e-200'"),
        ("--compare by=heuristic --precision score=1e-200", "a precision is wins=SHARE or score=POINTS, above 1e-09"),
        ("--precision 5", "a precision of wins is a share below 0.5: for ± 1 % use wins=0.01, not '5'"),
        ("--compare enuogh=50", "there is no option or number 'enuogh': did you mean enough?"),
        ("--sweep luck=1,2", "there is no option or number 'luck' (see upcard options sixty-six)"),
        ("-o enough=many", "the number enough is a whole number, not 'many'"),
        ("-o enough=2000000000000", "the number enough is a whole number between -2**40 and 2**40, not 2000000000000"),
        ("-o enough=-4", "the number enough is a whole number from 1 up, not -4"),
        ("-o most_deals=0", "the number most_deals is a whole number from 1 up, not 0"),
        ("--sweep marriage=20,-4", "the number marriage is a whole number from 0 up, not -4"),
        ("-o size=20 --jobs 1", "2 players × 20 cards + upcard and stock are 42, the pack has 24 (SS-9)"),
        ("-o pack=A --compare lot=2 --jobs 1", "2 players × 6 cards + upcard and stock are 14, the pack has 4 (SS-9)"),
        ("--by=", "there is no player ''"),
        ("--keep=", "the checkpoint is the name of a file, not ''"),
        ("--csv=", "--csv is the name of a file, not ''"),
        ("--records=", "--records is the name of a file, not ''"),
        ("--compare=", "--compare takes NAME=VALUE, the name of a variant, or by=PLAYER, not ''"),
        ("--jobs 0", "--jobs must be at least 1"),
        ("--csv /nowhere/x", "/nowhere/x cannot be written: No such file or directory"),
        ("--csv /", "--csv is a file, and / is a folder"),
    ],
)
def test_what_cannot_be(run: Call, words: str, fault: str) -> None:
    status, out, said = run(words)
    assert (status, out) == (2, "")
    assert said.removeprefix("upcard: ").startswith(fault)
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(
    "words",
    [
        "--dealer 9 --records FILE",
        "--cluster nope --csv FILE",
        "--by BAD --csv FILE",
        "--by BAD --records FILE",
        "--records FILE --csv /nowhere/x",
    ],
)
def test_a_file_is_emptied_only_for_results(run: Call, words: str, tmp_path: Path) -> None:
    bad, file = tmp_path / "bad.py", tmp_path / "file"
    bad.write_text("class Bad:\n    def choose(self, view, rng):\n        raise ValueError\n")
    file.write_text("precious")
    status, _, _ = run("--matches 20 --jobs 1 " + words.replace("FILE", str(file)).replace("BAD", f"{bad}:Bad"))
    assert (status, file.read_text()) == (2, "precious")


def test_what_is_played_before_ctrl_c_is_written(run: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def stop(done: int) -> None:
        if done > 20:
            raise KeyboardInterrupt

    monkeypatch.setattr("upcard.cli.simulate.progress_bar", lambda title, total: nullcontext(stop))
    file = tmp_path / "matches.csv"
    file.write_text("old")
    status, _, _ = run(f"--matches 10000 --jobs 1 --csv {file}")
    assert (status, len(file.read_text().splitlines())) == (130, 1 + 2 * 31)


@pytest.mark.parametrize("words", ["--csv /dev/full", "--records /dev/full", "--records /dev/full --csv FILE"])
@pytest.mark.parametrize("matches", [3, 300])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_a_full_disk_is_told_with_the_file_after_what_was_played(
    run: Call, words: str, matches: int, tmp_path: Path
) -> None:
    """Few matches are written only when the file is closed."""
    status, out, said = run(f"--matches {matches} --jobs 1 {words.replace('FILE', str(tmp_path / 'table'))}")
    assert (status, said) == (2, "upcard: /dev/full: No space left on device\n")
    played = int(out.split()[0])
    assert 0 < played <= matches and out == run(f"--matches {played}")[1]


@pytest.mark.parametrize(("what", "played"), [("record", 3), ("table", 7)])
def test_what_cannot_be_written_any_more_ends_the_matches(
    run: Call, what: str, played: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In the third batch: of one match each with records, else of 1, 2 and 4."""
    told: list[object] = []

    def write(batch: object) -> None:
        told.append(batch)
        if len(told) == 3:
            raise OSError(errno.ENOSPC, "No space left on device", "there")

    monkeypatch.setattr(f"upcard.cli.simulate.{what}_file", lambda *asked: nullcontext(write))
    status, out, said = run(f"--matches 1000 --jobs 1 --{'csv' if what == 'table' else 'records'} {tmp_path / 'file'}")
    assert (status, said, len(told)) == (2, "upcard: there: No space left on device\n", 3)
    assert out == run(f"--matches {played}")[1]
