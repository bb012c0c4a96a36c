"""The answers in docs/answers can be computed again, and their variants do what they say."""

import importlib.util
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from upcard import Setup, lab
from upcard.games import load_file
from upcard.lab.seating import made
from upcard.lab.simulate import simulate
from upcard.players.quick import Heuristic
from upcard.rules.game import Game

PLACE = Path(__file__).parents[2] / "docs" / "answers"


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("answers", PLACE / "answers.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "answers", module)
    spec.loader.exec_module(module)
    return module


def variant(name: str) -> type[Game[Any]]:
    (game,) = load_file(PLACE / f"{name}.py").values()
    return game


def test_every_question_has_its_page(answers: ModuleType) -> None:
    index = (PLACE / "README.md").read_text(encoding="utf-8")
    for name, answer in answers.ANSWERS.items():
        page = (PLACE / f"{name}.md").read_text(encoding="utf-8")
        assert page.startswith(f"# {answer.__doc__}\n\n    python docs/answers/answers.py {name} --volume ")
        assert ("--strong" in page.splitlines()[2]) == ("search" in page)
        assert f"({name}.md)" in index
        heads = [line.count("|") for line in page.splitlines() if line.startswith("|")]
        assert len(heads) > 3 and len(set(heads)) <= 2
        if name != "revoking":  # only casual players can be told to revoke
            assert all(f"| {who} |" in page for who in answers.QUICK)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("dance", "there is no question 'dance'"),
        ("faces --out /nowhere", "there is no folder /nowhere"),
        ("faces --strong 5 --keep /dev/null", "[Errno 17] File exists: '/dev/null'"),
        ("faces --volume 0", "number is a whole number from 1 up, not 0"),
    ],
)
def test_what_cannot_be_asked_is_told_in_a_line(
    answers: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str, told: str
) -> None:
    monkeypatch.setattr(sys, "argv", ["answers.py", *words.split()])
    with pytest.raises(SystemExit):
        answers.main()
    assert capsys.readouterr().err.splitlines()[-1] == f"answers.py: error: {told}"


def in_python(play: Callable[..., lab.Played], file: Path) -> Callable[..., lab.Played]:
    """The same with players from a file, so that nothing is compiled, which would take longer than these few deals."""
    names = "random", "heuristic", "learned", "easy"
    made_here = [f"{name} = made({name!r})" for name in names]
    file.write_text("\n".join(["from upcard.lab.seating import made", *made_here]), encoding="utf-8")
    return lambda setup, number, by, **how: play(setup, number, by=f"{file}:{by}", **how)


def test_a_question_is_asked_again(
    answers: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for unit in ("deals", "matches"):
        monkeypatch.setattr(lab, unit, in_python(getattr(lab, unit), tmp_path / "players.py"))
    words = "answers.py dealing --volume 15 --strong 5 --strength easy"
    monkeypatch.setattr(sys, "argv", [*words.split(), "--out", str(tmp_path), "--keep", str(tmp_path / "kept")])
    pages = []
    for _ in range(2):  # the second time from the saved deals
        answers.main()
        pages.append((tmp_path / "dealing.md").read_text(encoding="utf-8"))
        assert capsys.readouterr().out == pages[-1] + "\n"
    page = pages[0]
    assert pages[1] == page and f"python docs/answers/{words}" in page
    assert [
        line.split(" | ")[1] for line in page.splitlines() if line.startswith(("| random", "| learned", "| easy"))
    ] == [*("15 games", "3 matches", "15 games", "3 matches", "5 games", "1 matches")]
    assert sorted(one.name for one in (tmp_path / "kept").iterdir()) == [
        "commit",
        "rounds games easy.npz",
        "rounds matches easy.npz",
    ]


def test_a_question_that_is_stopped_has_no_page(
    answers: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A page names the number that was asked for: with fewer it would be wrong."""

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    play = in_python(lab.deals, tmp_path / "players.py")
    monkeypatch.setattr(lab, "deals", lambda *told, **how: play(*told, **how, progress=stop))
    monkeypatch.setattr(sys, "argv", ["answers.py", "dealing", "--volume", "15", "--out", str(tmp_path)])
    with pytest.raises(SystemExit) as stopped:
        answers.main()
    assert stopped.value.code == 130 and not (tmp_path / "dealing.md").exists()
    assert capsys.readouterr().err == "stopped: dealing is not answered\n"


def attacks(game: type[Game[Any]] | str, by: str) -> set[tuple[str, str]]:
    """Who attacks whom in a few rounds of four."""
    written: list[dict[str, Any]] = []
    simulate(Setup(game, 4, {"target": 5}), 2, 1, by=made(by), records=written.append)
    found = [re.match(r"(\d) (?:jack|queen|king) \w+ (\d)", event) for record in written for event in record["events"]]
    return {(one[1], one[2]) for one in found if one}


@pytest.mark.parametrize("by", ["random", "heuristic", "learned"])
def test_allies_never_attack_each_other(by: str) -> None:
    assert {("0", "2"), ("2", "0")} & attacks("roundup", by)
    allied = attacks(variant("allies"), by)
    assert not {("0", "2"), ("2", "0")} & allied
    assert {("0", "1"), ("2", "3"), ("1", "0")} <= allied


def test_the_bold_revoke_and_the_suspicious_call() -> None:
    def points(**options: str) -> list[int]:
        setup = Setup(variant("bold"), options={"revokes": "allowed", **options})
        return lab.deals(setup, 12, by=Heuristic(), jobs=1)["points"].tolist()

    honest, trusting = points(caller="trusting"), points(caller="trusting", bold="always")
    assert honest != trusting
    assert {sum(pair) for pair in zip(trusting[::2], trusting[1::2], strict=True)} == {100}  # nobody calls
    caught = points(caller="suspicious", bold="always")
    assert max(sum(pair) for pair in zip(caught[::2], caught[1::2], strict=True)) > 100  # 25 for a call


def test_without_rank_trumps_there_are_none() -> None:
    plain, without = (lab.deals(game, 6, by=Heuristic(), jobs=1) for game in ("rounds", variant("no_rank_trumps")))
    assert (plain["hand"] == without["hand"]).all()
    assert plain["points"].tolist() != without["points"].tolist()
