"""Experiments under a condition on the first deal: the same deals compiled and in Python, in lab and commands."""

import json
import sys
from pathlib import Path
from random import Random

import pytest

from upcard import Match, Setup, UpcardError, View, cli, lab
from upcard.engine.deal_conditions import contents
from upcard.lab.deal_predicates import FilePredicate
from upcard.lab.simulate import Side, simulate, sweep
from upcard.rules.cards import as_set, read

pytestmark = pytest.mark.xdist_group("sixty-six")

SETUP = Setup("sixty-six")
GIVEN = {0: "As Ts", "upcard": "Kd"}
PREDICATE = """
def has_marriage(match):
    hand = match.game.hand.cards(match.state, 0)
    return any(card % 13 == 11 and card - 1 in hand for card in hand)
"""


class FirstLegal:
    """Plays the first legal move."""

    def choose(self, view: View, rng: Random) -> str:
        return view.legal()[0]


@pytest.fixture
def predicate(tmp_path: Path) -> str:
    file = tmp_path / "mine.py"
    file.write_text(PREDICATE)
    return f"{file}:has_marriage"


@pytest.mark.long
def test_every_deal_has_the_given_cards_compiled_and_in_python() -> None:
    wanted = as_set([card for word in ("As", "Ts") if (card := read(word)) is not None])
    compiled = lab.deals(SETUP, 40, by="heuristic", given=GIVEN)
    assert all(hand & wanted == wanted for hand in compiled.by_deal("hand")[:, 0].tolist())
    slow = lab.deals(SETUP, 40, by=[FirstLegal(), FirstLegal()], given=GIVEN, jobs=1)
    for name in ("hand", "dealer", "deal"):
        assert (compiled[name] == slow[name]).all()


@pytest.mark.long
def test_the_same_deals_whatever_the_number_of_jobs_and_other_ones_with_another_seed() -> None:
    one, two = (lab.deals(SETUP, 40, by="random", given=GIVEN, jobs=jobs) for jobs in (1, 2))
    assert all((one[name] == two[name]).all() for name in one)
    assert (one["hand"] != lab.deals(SETUP, 40, by="random", given=GIVEN, seed=2)["hand"]).any()
    assert len({*one["hand"].tolist()}) > 60


def test_a_match_is_recorded_with_its_first_deal_and_goes_on_with_other_packs() -> None:
    records: list[dict] = []
    summary = simulate(SETUP, 10, by="heuristic", given=GIVEN, records=records.append)
    assert summary.matches == len(records) == 10
    for record in records:
        match = Match(record["game"], record["players"], dealer=record["dealer"], options=record["options"])
        match.event(record["events"][0])
        assert {*map(read, ("As", "Ts"))} <= {*contents(match)["0"]} and match.report()["upcard"] == "Kd"
        for event in record["events"][1:]:
            match.event(event)
        assert match.done
        deals = [event for event in record["events"] if event.startswith("deal")]
        assert len({*deals}) == len(deals) > 1


def test_the_compiled_columns_are_those_of_the_records() -> None:
    rows: list[list[int]] = []
    records: list[dict] = []
    simulate(
        SETUP, 10, by="heuristic", given=GIVEN, records=records.append, results=lambda some: rows.extend(some.tolist())
    )
    for row, record in zip(rows, records, strict=True):
        match = Match(record["game"], record["players"], dealer=record["dealer"], options=record["options"])
        for event in record["events"]:
            match.event(event)
        assert row[:2] == match.scores


def test_arena_sweep_and_study_deal_under_the_condition(predicate: str) -> None:
    where = FilePredicate(predicate)
    met = lab.arena(SETUP, 20, ["random", "heuristic"], unit="deal", given=GIVEN, where=where)
    assert met.number == 20
    (compared,) = sweep(Side(SETUP, "heuristic"), [Side(SETUP, "random")], 10, given=GIVEN)
    assert compared.first.matches == 10
    study = lab.study([lab.Arm("usual", SETUP, "heuristic")], 100, unit="deal", where=where)
    assert str(study.condition) == f"where {predicate}"


def test_a_share_is_estimated_with_its_interval(predicate: str) -> None:
    exact = lab.deal_share(SETUP, given=GIVEN)
    assert exact.share == pytest.approx(1 / 404.8)
    assert str(exact) == "0=As Ts; upcard=Kd: 0.247 % of first deals, 1 in 405"
    some = lab.deal_share(SETUP, where=FilePredicate(predicate))
    none = 1 - some.share  # 24 cards, four marriages: by inclusion and exclusion
    assert some.between.low < 1 - none < some.between.high
    assert some.between.low < 0.194 < some.between.high
    with pytest.raises(UpcardError, match="without a condition"):
        lab.deal_share(SETUP)


def test_saved_results_belong_to_their_condition(tmp_path: Path, predicate: str) -> None:
    file, where = tmp_path / "deals.npz", FilePredicate(predicate)
    lab.deals(SETUP, 20, by="random", given=GIVEN, where=where, kept=file)
    assert lab.deals(SETUP, 30, by="random", given=GIVEN, where=where, kept=file).number == 30
    with pytest.raises(UpcardError, match="results of something else"):
        lab.deals(SETUP, 30, by="random", given=GIVEN, kept=file)
    with pytest.raises(UpcardError, match="put it in a file"):
        lab.deals(SETUP, 30, by="random", where=lambda match: True, kept=tmp_path / "other.npz")


@pytest.mark.parametrize(
    ("name", "reason"),
    [("mine.txt", "FILE.py:NAME"), ("missing.py:one", "missing.py"), ("{}:other", "has no 'other'")],
)
def test_wrong_names_of_predicates_are_refused(predicate: str, name: str, reason: str) -> None:
    with pytest.raises(UpcardError, match=reason):
        FilePredicate(name.format(predicate.rpartition(":")[0]))


def run(words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    monkeypatch.setattr(sys, "argv", ["upcard", *words])
    with pytest.raises(SystemExit):
        cli.main()
    printed = capsys.readouterr()
    return printed.out, printed.err


GIVEN_WORDS = ["--given", "0=As Ts", "--given", "upcard=Kd"]


def test_commands_print_how_rare_the_deals_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], predicate: str
) -> None:
    line = "Only matches whose first deal has 0=As Ts; upcard=Kd: 0.247 % of first deals, 1 in 405"
    for command in (["simulate", "sixty-six", "-n", "10"], ["arena", "sixty-six", "random,heuristic", "-n", "10"]):
        out, _ = run([*command, *GIVEN_WORDS], monkeypatch, capsys)
        assert out.splitlines()[0] == line
        out, _ = run([*command, *GIVEN_WORDS, "--json"], monkeypatch, capsys)
        assert json.loads(out)["condition"] in line
    out, _ = run(["simulate", "sixty-six", "-n", "10", "--where", predicate], monkeypatch, capsys)
    assert f"where {predicate}: " in out.splitlines()[0]
    out, _ = run(["lab", "report", "sixty-six", "-n", "100", "--unit", "deal", *GIVEN_WORDS], monkeypatch, capsys)
    assert "Only first deals with 0=As Ts; upcard=Kd." in out


def test_commands_refuse_wrong_conditions_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, reason in (
        (["--given", "As"], "--given is PLACE=CARDS"),
        (["--given", "0=As", "--given", "0=Ks"], "given twice"),
        (["--given", "5=As"], "there is no seat 5"),
        (["--where", "no.py:one"], "no.py"),
    ):
        _, err = run(["simulate", "sixty-six", "-n", "10", *words], monkeypatch, capsys)
        assert reason in err and len(err.splitlines()) == 1
