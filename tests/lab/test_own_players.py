"""Players from outside: an error in one is reported in one line, with the player, file, line and event."""

import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from upcard import Setup, UpcardError, cli, lab
from upcard.engine.views import View
from upcard.lab.seating import BadPlayer

SETUP = Setup("sixty-six")
HEAD = """class X:
    def choose(self, view, rng):
"""


@pytest.mark.parametrize(
    ("written", "told", "cause"),
    [
        (HEAD + "        return [][0]", "on seat 0, MATCH: mine.py, line 3: IndexError: list index", IndexError),
        (HEAD + "        return 42", "on seat 0, MATCH: a move is a text, not 42", UpcardError),
        (HEAD + "        return 'fly'", "on seat 0, MATCH: 0 'fly' is not possible: Events are", UpcardError),
        (
            "class X:\n    def choose(self, view):\n        pass",
            "on seat 0, MATCH: TypeError: X.choose.. ta",
            TypeError,
        ),
        ("import sys\nsys.exit()\n", "cannot be loaded: mine.py, line 2: SystemExit:", SystemExit),
        ("import no_such\n", "cannot be loaded: mine.py, line 1: ModuleNotFoundError: No mod", ModuleNotFoundError),
        ("\ndef f(:\n", "cannot be loaded: mine.py, line 2: SyntaxError: invalid syntax", SyntaxError),
        (
            "class X:\n    def __init__(self):\n        1 / 0\n",
            "cannot be created: mine.py, line 3: ZeroD",
            ZeroDivisionError,
        ),
        (
            "class X:\n    def __init__(self, deep):\n        pass\n",
            "cannot be created: TypeError: X.__init",
            TypeError,
        ),
    ],
)
def test_what_goes_wrong_in_a_file_is_told(written: str, told: str, cause: type, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(written)
    told = f"^(mine.py:)?X {told}".replace("MATCH", "match 0 of seed 7, event 1")
    with pytest.raises(BadPlayer, match=told) as said:
        lab.deals(SETUP, 1, by=[f"{file}:X", "random"], seed=7, dealer=1, jobs=1)
    assert isinstance(said.value.__cause__, cause)
    assert "\n" not in str(said.value)


def test_the_command_tells_it_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(HEAD + "        raise ValueError('out of\\nideas')\n")
    words = f"simulate sixty-six --matches 2 --jobs 2 --dealer 1 --by {file}:X,random"
    monkeypatch.setattr(sys, "argv", ["upcard", *words.split()])
    with pytest.raises(SystemExit) as left:
        cli.main()
    told = "upcard: mine.py:X on seat 0, match 0 of seed 1, event 1: mine.py, line 3: ValueError: out of ideas\n"
    assert (left.value.code, *capsys.readouterr()) == (2, "", told)


class First:
    def choose(self, view: View[Any], rng: Random) -> str:
        return view.legal()[0]


def test_players_come_as_a_class_and_in_any_row() -> None:
    ours = lab.deals(SETUP, 3, by=[First(), "random"], jobs=1)["moves"].tolist()
    assert lab.deals(SETUP, 3, by=[First, "random"], jobs=1)["moves"].tolist() == ours
    assert lab.deals(SETUP, 3, by=First, jobs=1).by == ("First", "First")
    assert lab.arena(SETUP, 3, [First, "random"], jobs=1).players == ("First", "random")  # type: ignore[list-item]
    names = np.array(["heuristic", "random"])
    assert lab.deals(SETUP, 3, by=names, jobs=1).by == ("heuristic", "random")  # type: ignore[arg-type]
    assert lab.arena(SETUP, 3, names, jobs=1).players == ("heuristic", "random")  # type: ignore[arg-type]


def test_a_player_that_no_other_process_can_have_is_refused() -> None:
    class Local(First):
        pass

    with pytest.raises(UpcardError, match=r"worker processes cannot start: put .* players into a module"):
        lab.deals(SETUP, 3, by=Local(), jobs=2)
