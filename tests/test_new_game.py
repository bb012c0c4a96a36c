"""`upcard new-game` writes a complete game: it keeps all laws, passes its own tests and is accepted everywhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from upcard import Setup, UpcardError, games
from upcard.cli.new_game import slug_of, write_template
from upcard.house.rulebook import rules_page
from upcard.laws import verdicts
from upcard.rules import pages
from upcard.table.players_rules import players_rules
from upcard.terminal.screens import rulebook_sections


@pytest.mark.long
def test_it_keeps_all_laws_and_lacks_nothing(tmp_path: Path) -> None:
    folder = write_template("Crazy Tricks", tmp_path)
    [game] = games.load_file(folder).values()
    assert (game.slug, game.title, folder.name) == ("crazy-tricks", "Crazy Tricks", "crazy_tricks")
    assert games.what_is_missing(game) == ""
    for verdict in verdicts(game):
        assert verdict.broken is None
        assert verdict.untried == ""


def test_its_own_tests_pass(tmp_path: Path) -> None:
    folder = write_template("whist", tmp_path)
    tests = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--strict-markers",
        "-k",
        "not laws",
        str(folder),
    ]
    done = subprocess.run(tests, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_its_words_are_its_own(tmp_path: Path) -> None:
    folder = write_template("big_two 2", tmp_path)
    texts = "".join(file.read_text() for file in folder.rglob("*.*"))
    assert "Plain" not in texts
    assert "PT-" not in texts
    assert "BT-7" in texts


def test_a_name_can_be_a_word_of_python(tmp_path: Path) -> None:
    assert [*games.load_file(write_template("None", tmp_path))] == ["none"]


def test_three_letters_before_a_clause_are_as_good_as_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPCARD_GAMES", str(write_template("Crazy Tricks Deluxe", tmp_path)))
    game = games.load("crazy-tricks-deluxe")
    clauses = [*pages.clauses(game)]
    assert clauses[0] == "CTD-1"
    assert [clause for clause, _ in rulebook_sections(pages.page(game) or "") if clause] == clauses
    linked = {*re.findall(r'href="#([^"]+)"', rules_page(Setup(game.slug)).html)}
    assert linked and linked <= {*clauses}


@pytest.mark.parametrize("name", ["", "2 tricks", "tr/icks", "../tricks", "Crazy  Tricks", "x" * 41, "Trícks"])
def test_what_is_no_name(name: str) -> None:
    with pytest.raises(UpcardError, match="letters"):
        slug_of(name)


def test_nothing_is_written_over(tmp_path: Path) -> None:
    write_template("Crazy Tricks", tmp_path)
    with pytest.raises(UpcardError, match="already exists"):
        write_template("Crazy Tricks", tmp_path)
    with pytest.raises(UpcardError, match="already a game called loo"):
        write_template("Loo", tmp_path)


def test_its_rules_for_players_hold_at_every_table(tmp_path: Path) -> None:
    [game] = games.load_file(write_template("Crazy Tricks", tmp_path)).values()
    for players in game.player_counts:
        for options in ({}, {"trumps": "none"}, {"deals": 1}):
            page = players_rules(Setup(game, players, options))
            assert page is not None and "{" not in page
            assert ("no trumps" in page) == (options == {"trumps": "none"})
