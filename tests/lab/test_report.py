"""`upcard lab`: the results are in a page that needs no network, and in Markdown beside it."""

import errno
import hashlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from upcard import Setup, UpcardError, __version__, cli, lab
from upcard.cli.lab import swept
from upcard.cli.sides import SideSpec
from upcard.games import load
from upcard.games.sixty_six import SixtySix
from upcard.games.sixty_six.rules import SixtySixState
from upcard.lab.report import as_markdown, sections
from upcard.lab.study import Arm, Study, study
from upcard.rules import PerSeat, per_seat

SETUP = Setup("sixty-six", options={"target": 2})
OPEN = Setup("sixty-six", options={"target": 2, "last": "open"})
ARMS = [Arm("as usual", SETUP, "random"), Arm("casual", SETUP, ["heuristic", "random"])]
Call = Callable[[str], tuple[int, str, str]]


def same(one: Study, other: Study) -> bool:
    groups = [[sums.groups for sums in arm.sums.values()] for arm in one.measuring]
    others = [[sums.groups for sums in arm.sums.values()] for arm in other.measuring]
    return all(np.array_equal(a, b) for x, y in zip(groups, others, strict=True) for a, b in zip(x, y, strict=True))


def test_a_study_measures_what_columns_show() -> None:
    found = study(ARMS, 300)
    played = lab.matches(SETUP, 300, by=["heuristic", "random"])
    told, known = found.found(1), lab.measure(played)
    assert [one.label for one in told] == [one.label for one in known]
    assert [one.value for one in told] == pytest.approx([one.value for one in known])
    better = next(one for one in found.differences(1) if one.label == "seat 0")
    assert better.told
    assert better.value == pytest.approx(played.by_deal("won")[:, 0].mean() - found.found(0)[0].value)


def test_what_differs_in_every_deal_is_known_as_well_as_the_pairs_tell() -> None:
    """Nothing is allowed for what has not been seen where what has been seen is enough."""
    short, long = (Setup("oh-hell", 3, {"max_cards": cards}) for cards in (2, 3))
    found = study([Arm("two", short, "random"), Arm("three", long, "random")], 60)
    told = {one.label: one for one in found.differences(1)}
    assert (told["deals"].interval.low, told["deals"].interval.high) == (2, 2)
    forced = told["share of forced moves"]
    assert forced.told and forced.interval.half < 0.05
    rare = study([Arm("as usual", SETUP, "random"), Arm("once", SETUP, "random")], 60).differences(1)
    wins = next(one for one in rare if one.label == "seat 0")
    assert wins.value == 0 and wins.interval.half > 0.04


def test_an_arm_can_be_played_by_one_object() -> None:
    class Own:
        def choose(self, view: Any, rng: Any) -> str:
            return str(view.legal()[0])

    parts = sections(study([Arm("own", SETUP, Own())], 5, unit="deal", jobs=1), "")
    assert "Players: Own on every seat." in as_markdown("", parts)


@pytest.mark.long
def test_a_game_that_tells_more_is_compared_in_what_both_tell() -> None:
    class MoreState(SixtySixState):
        last_made: PerSeat = per_seat(kept=True)

    class More(SixtySix[MoreState]):
        title = "More"

    found = study([Arm("more", Setup(More), "random"), Arm("as usual", Setup("sixty-six"), "random")], 5, unit="deal")
    assert found.untouched == [True, True]


def test_the_number_of_jobs_changes_nothing() -> None:
    assert same(study(ARMS, 600, jobs=1), study(ARMS, 600, jobs=3))


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_was_stopped_goes_on(tmp_path: Path, jobs: int) -> None:
    def stop(done: int) -> None:
        if done > 100:
            raise KeyboardInterrupt

    file = tmp_path / "study"
    stopped = study(ARMS, 500, jobs=jobs, progress=stop, kept=file)
    assert 100 < stopped.number < 500
    told: list[int] = []
    went_on = study(ARMS, 500, jobs=jobs, progress=told.append, kept=file)
    assert told[0] > stopped.number
    assert same(went_on, study(ARMS, 500))
    assert same(study(ARMS, 700, kept=file), study(ARMS, 700))
    assert study(ARMS, 700, kept=file).number == 700  # nothing is left to play
    with pytest.raises(UpcardError, match="contains results of something else"):
        study([*ARMS[:1], Arm("open", OPEN, "random")], 500, kept=file)
    file.write_text("nothing")
    with pytest.raises(UpcardError, match="contains no results"):
        study(ARMS, 500, kept=file)


def test_it_stops_at_a_precision(tmp_path: Path) -> None:
    file = tmp_path / "study"
    found = study(ARMS[:1], 5000, precision="length=3", kept=file)
    assert 100 <= found.needed <= found.number < 5000 and found.reached
    assert max(one.interval.half for one in found.found(0) if one.measure == "length") <= 3
    again = study(ARMS[:1], 5000, precision="length=3", kept=file)
    assert again.number == found.number  # nothing is played if the goal has been reached already
    few = study(ARMS[:1], 50, precision="length=3")
    assert few.number == 50 < few.needed < 4 * found.number and not few.reached
    both = study(ARMS, 5000, precision="wins=0.1")
    assert 100 <= both.number < 5000
    assert max(one.interval.half for one in both.differences(1) if one.measure == "seats") <= 0.1


def test_players_that_differ_in_nothing_are_said_to() -> None:
    found = study([ARMS[0], Arm("again", SETUP, "random"), ARMS[1]], 30)
    assert found.untouched == [True, True, False]
    text = as_markdown("x", sections(found, "upcard lab"))
    assert "| again | nothing changed at all; these players may never use what differs" in text
    assert "none seen (-" in text


def test_the_rules_that_differ_are_told_with_their_clauses() -> None:
    fifty = load("sixty-six").variant("fifty", numbers={"enough": 50})
    assert Arm("", OPEN, "random").rules == [
        "target is 2 (victory points that win the match, SS-43)",
        "last is open (open: nothing for the last trick after a close, SS-5)",
    ]
    assert Arm("", Setup(fifty), "random").rules[0].startswith("enough is 50 (")
    assert '"numbers": {"enough": 50}' in Arm("", Setup(fifty), "random").identity


# -------------------------------------------------------------------------------------------------------- the command


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Run `upcard lab` with these arguments; returns the exit status and the text on both streams."""

    def call(words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["upcard", "lab", *words.split()])
        with pytest.raises(SystemExit) as left:
            cli.main()
        said = capsys.readouterr()
        return int(left.value.code or 0), said.out, said.err

    return call


def test_a_page_complete_in_itself(run: Call, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    page = tmp_path / "report.html"
    words = f"report sixty-six -n 60 -o target=2 --compare by=random --out {page}"
    assert run(words)[0] == 0
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") == text.count("<figure") > 8
    assert not re.search(r"<(script|link|img|iframe|object)\b|\b(src|href)=|url\(|@import", text)
    assert f"upcard lab {words}" in text
    beside = page.with_suffix(".md").read_text(encoding="utf-8")
    assert "| the dealer | " in beside
    for title in re.findall(r"^## (.*)$", beside, re.MULTILINE):
        assert f"<h2>{title}</h2>" in text


@pytest.mark.parametrize("folder", ["report.html", "report.md", "report.html.new", "report.md.new"])
def test_a_page_that_cannot_be_written_is_refused_before_anything_is_played(
    folder: str, run: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("vl_convert")
    monkeypatch.setattr(sys.modules[study.__module__], "study", lambda *asked, **how: pytest.fail("it was played"))
    (tmp_path / folder).mkdir()
    status, _, said = run(f"report sixty-six -n 5 --out {tmp_path / 'report.html'}")
    assert (status, said) == (2, f"upcard: {tmp_path / folder} cannot be written: Is a directory\n")
    assert [*tmp_path.iterdir()] == [tmp_path / folder]


VARIANT = """from upcard.games.sixty_six import SixtySix
from upcard.rules import override


class Thirty(SixtySix):
    title = "Thirty"

    @override
    def worth_of_marriage(self, s, suit):
        return 30
"""


def test_what_does_not_come_with_upcard_is_told_exactly(
    run: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, player = tmp_path / "my rules.py", tmp_path / "mine.py"
    rules.write_text(VARIANT)
    player.write_text("class X:\n    def choose(self, view, rng):\n        return view.legal()[0]\n")
    monkeypatch.setenv("UPCARD_GAMES", str(rules))
    words = f"report thirty -n 2 -o target=1 --jobs 1 --by {player}:X,random"
    _, said, _ = run(words)
    assert f"| made by | Upcard {__version__} | UPCARD_GAMES='{rules}' upcard lab {words} |" in said
    for file in (rules, player):
        assert f"| {file.name} |  | SHA-256 of the file: {hashlib.sha256(file.read_bytes()).hexdigest()} |" in said
    assert said.count("SHA-256") == 2
    (tmp_path / "thirty.policy.json").write_text('{"layout": "of another game"}')
    assert "| thirty.policy.json |  | SHA-256" in run(words)[1]


def test_a_text_that_is_no_report_is_not_written_over(run: Call, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    page, text = tmp_path / "README.html", tmp_path / "README.md"
    text.write_text("# My game\n", encoding="utf-8")
    status, _, said = run(f"report sixty-six -n 5 --out {page}")
    fault = f"{text} exists and is not a report, so it is not overwritten: choose another --out"
    assert (status, said) == (2, f"upcard: {fault}\n")
    assert (text.read_text(encoding="utf-8"), page.exists()) == ("# My game\n", False)
    text.unlink()
    assert [run(f"report sixty-six -n 5 -o target=1 --out {page}")[0] for _ in range(2)] == [0, 0]


def test_a_page_that_cannot_be_written_in_the_end_is_printed_and_the_one_before_it_stays(
    run: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("vl_convert")

    def full(file: Path, written: bytes) -> None:
        with file.open("wb") as begun:
            begun.write(written[:100])
        raise OSError(errno.ENOSPC, "No space left on device")

    page = tmp_path / "page.html"
    words = f"report sixty-six -n 5 -o target=1 --by random --out {page}"
    assert run(words)[0] == 0
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    monkeypatch.setattr(Path, "write_bytes", full)
    status, told, said = run(words)
    assert status == 2 and said == f"upcard: {page}: No space left on device\n"
    assert told.startswith("# Sixty-Six, measured\n") and "## Shared wins" in told
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before and len(before) == 2


@pytest.mark.long
def test_a_sweep_has_a_row_for_each_value(run: Call) -> None:
    _, options, _ = run("report sixty-six -n 40 --by random --sweep target=1,2,3")
    length = options.partition("## Length\n")[2].partition("## Choice")[0]
    assert "|  | mean of moves | standard deviation of moves |\n" in length
    rows = [line.split(" | ")[0] for line in length.splitlines() if line.startswith("| target")]
    values = "target=1 target=2 target=3".split()
    assert rows == [f"| {name}" for name in (*values, "target=2 minus target=1", "target=3 minus target=1")]
    _, numbers, _ = run("report sixty-six -n 40 -o target=1 --by random --unit deal --sweep enough=40,66")
    assert "| enough=40 | enough is 40 (" in numbers
    for value in (40, 66):
        assert f"“enough={value}”: no law is broken in trial; alike players are even.\n" in numbers
    assert "\n| enough=66 minus enough=40 | " in numbers


@pytest.mark.parametrize(
    ("words", "at"),
    [
        ("target=1,3", [1, 3]),
        ("Enough=40,66", [40, 66]),
        ("pack=AKQJ9,AKQJT9", None),
        ("last=always,open", None),
    ],
)
def test_only_numbers_are_swept_along_a_scale(words: str, at: list[float] | None) -> None:
    """The ranks of a pack are digits, but no number."""
    assert swept(SideSpec("sixty-six", None, ["size=3", "fetcher=9"], "random"), words)[1] == at


def test_what_was_found_stands_first(run: Call) -> None:
    _, said, _ = run("report sixty-six -n 60 -o target=2 --compare target=4 --compare exchange=trick --by random")
    first = said.partition("## Significant differences\n")[0]
    verdict, _, summary = first.partition("## Summary\n\n")
    assert verdict.startswith(
        "# Sixty-Six, measured\n\n## Verdict\n\n“target=4”, compared with “as usual”: a match takes "
    )
    assert summary.startswith("60 matches of each, on the same packs, seed 1. ")
    assert "Players: random on every seat.\n" in first
    assert re.search(r"a match takes .* decisions, [\d.]+ instead of [\d.]+; ", verdict)
    assert "“exchange=trick” and “as usual” cannot be told apart in 60 matches, by any of " in verdict
    assert "“as usual” is uneven: the dealer wins 6" in verdict and "where 50 % would be even" in verdict
    assert verdict.count("even") >= 3  # a line for each way to play
    assert "four times as many matches: --number 240." in first
    assert "|  | won by the dealer | won by the player who begins | moves | " in first
    told = said.partition("## Significant differences\n")[2].partition("## Rules that differ")[0]
    moves = next(line for line in told.splitlines() if line.startswith("| target=4 | mean of moves | "))
    assert " | +" in moves and "not significant" not in moves
    _, said, _ = run("report sixty-six -n 20 -o target=2 --by heuristic,heuristic")
    assert "is even, as far as can be seen: no seat or place wins significantly more or less than 50 %." in said


def test_it_says_whether_it_is_as_sure_as_was_asked_for(run: Call) -> None:
    status, said, _ = run("report sixty-six -o target=1 --by random --precision length=3")
    assert status == 0 and "seed 1; they were enough for length ± 3." in said
    status, said, _ = run("report sixty-six -o target=1 --by random -n 20 --precision wins=0.05")
    assert status == 0 and re.search(
        r"^20 matches, seed 1; wins ± 0.05 would take about \d+ ?\d*\.", said, re.MULTILINE
    )


@pytest.mark.long
def test_another_game_has_other_packs_and_a_page_of_its_own(run: Call) -> None:
    _, said, _ = run("report sixty-six -n 5 --unit deal --compare rounds --compare schnapsen")
    assert said.startswith("# Sixty-Six and Rounds, measured\n\n## Verdict\n\n“rounds”")
    assert "## Summary\n\n5 deals of each, on different packs, " in said
    assert "| as usual | as in the rulebook of Sixty-Six |\n| rounds | as in the rulebook of Rounds |" in said


def test_luck_and_cards(run: Call) -> None:
    _, said, _ = run("luck sixty-six -n 40 -o target=1 --by random,heuristic")
    assert said.startswith("points among random, heuristic, 40 deals in all seatings:\n  the cards: ")
    _, said, _ = run("cards sixty-six A 9 -n 2000 -o target=1")
    assert [line.split()[0] for line in said.splitlines()[1:3]] == ["A:", "9:"]
    assert said.splitlines()[1].split()[1].startswith("+")


def test_one_seat_may_always_deal(run: Call) -> None:
    _, told, _ = run("report sixty-six -n 200 --dealer 1 --unit deal")
    assert "Seat 1 always deals first." in told
    rows = [line.split("|")[2] for line in told.splitlines() if line.startswith(("| seat 1 ", "| the dealer "))]
    assert len(rows) == 2 and rows[0] == rows[1]
    cards = "cards sixty-six K -n 200 --by random,heuristic"
    assert run(f"{cards} --dealer 1") != run(cards)


def test_luck_stops_at_a_precision(run: Call) -> None:
    status, told, _ = run("luck sixty-six -o target=1 --precision 0.15")
    assert status == 0 and "deals in all seatings" in told and "precision" not in told
    _, told, _ = run("luck sixty-six -o target=1 -n 50 --precision 0.15")
    assert told.endswith("The precision ± 0.15 is not reached.\n")


def test_values_of_cards_stop_at_a_precision(run: Call) -> None:
    status, told, _ = run("cards sixty-six A K --precision 0.3")
    assert status == 0 and "A: +" in told and "precision" not in told
    assert 100 <= int(re.findall(r": (\d+) deals of sixty-six", told)[0]) < 1000
    _, told, _ = run("cards sixty-six A -n 50 --precision 0.01")
    assert "50 deals of sixty-six" in told and told.endswith("The precision ± 0.01 is not reached.\n")


@pytest.mark.long
def test_luck_is_not_surer_than_what_has_not_been_seen(run: Call) -> None:
    """Casual players of Klaberjass lose one match in some hundred to random ones, none of these."""
    status, said, _ = run("luck klaberjass --unit match --what won -n 10 --seed 1 --between random,heuristic")
    first, *parts = said.splitlines()
    assert status == 0 and first == "won among random, heuristic, 10 matches in all seatings:"
    found = [[float(one) for one in re.findall(r"[\d.]+", line)] for line in parts]
    assert [value for value, _, _ in found] == [0, 0, 100, 0]
    assert min(high - low for _, low, high in found) > 20


@pytest.mark.long
def test_luck_is_measured_with_other_numbers_too(run: Call) -> None:
    usual, fifty = (run(f"luck sixty-six -n 20 -o enough={enough} --jobs 1")[1] for enough in (66, 50))
    assert usual.count("%") == fifty.count("%") == 4 and usual != fifty


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("report sixty-six --sweep target", "--sweep takes NAME=A,B,… with at least two values, not 'target'"),
        ("report sixty-six --sweep target=1,1", "--sweep has the same value of target twice, as 1 and 1"),
        ("report sixty-six --sweep enough=66,50,066", "--sweep has the same value of enough twice, as 66 and 066"),
        ("report sixty-six --sweep pack=AKQJT9,9TJQKA", "--sweep has the same value of pack twice, as AKQJT9 and 9"),
        ("report sixty-six --sweep luck=1,2", "there is no option or number 'luck'"),
        ("report sixty-six --sweep enough=1,x", "fifty"),
        ("report sixty-six --sweep enough=1,--5", "the number enough is a whole number, not '--5'"),
        ("report sixty-six --sweep target=1,2 --sweep last=open,always", "--sweep is given twice"),
        ("report sixty-six -n 5 --by random --by=heuristic", "--by is given twice"),
        ("report sixty-six -o target=1 -o target=2", "target is given twice"),
        ("report sixty-six --compare target=3 --compare target=3", "--compare target=3 is given twice"),
        ("report sixty-six --sweep target=1,2 --compare last=open", "--sweep cannot be combined with --compare"),
        ("report sixty-six --out /nowhere/a.html", "/nowhere/a.html cannot be written: there is no folder /nowhere"),
        ("report sixty-six --out report.pdf", "--out must be the name of a page, such as sixty-six.html"),
        ("report sixty-six --unit trick", "a unit is deal or match, not 'trick'"),
        ("report sixty-six --precision lenght=1", "there is no measure 'lenght': do you mean length?"),
        ("report sixty-six --precision drama=0.1 --unit deal", "there is no measure 'drama' (there are: wins, seats, "),
        ("report sixty-six --precision length", "a precision is MEASURE=NUMBER, such as length=0.01, not 'length'"),
        ("report sixty-six --precision wins=5", "wins is a share, so its precision is below 0.5"),
        ("luck sixty-six --what moves", "luck is measured in points or won"),
        ("luck sixty-six --precision 2", "precision is a number between 1e-09 and 0.5, not 2.0"),
        ("report sixty-six --dealer 2", "the dealer is a seat from 0 to 1"),
        ("luck sixty-six --unit trick", "a unit is deal or match, not 'trick'"),
        ("cards sixty-six A 9 A -n 20", "A is asked for twice"),
        ("cards sixty-six A 2 -n 20", "2 was dealt to nobody"),
        ("cards sixty-six KK -n 1", "'KK' is not a card, rank or suit"),
    ],
)
def test_what_cannot_be(run: Call, words: str, fault: str) -> None:
    status, out, said = run(words)
    assert (status, out) == (2, "")
    assert said.startswith(f"upcard: {fault}") or "enough" in words
    assert len(said.splitlines()) == 1
