"""Every game keeps the laws, with any number of players and any options; and violations are reported."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from upcard import Match, games
from upcard.engine import records
from upcard.laws import LAWS, Law, Trial, verdicts
from upcard.laws.law import Broken
from upcard.laws.moves import check_order
from upcard.rules.game import Game

SHIPPED = Path(games.__file__).parent
LONG = ("compiled-equals-plain", "alike-players-are-even", "puzzles-can-be-solved")
"""The laws that need a game compiled, or prove again what has been proved."""


@pytest.mark.parametrize(
    "law",
    [pytest.param(law, marks=[pytest.mark.long] if law.name in LONG else []) for law in LAWS],
    ids=lambda law: law.name,
)
def test_law(game: type[Game], law: Law) -> None:
    verdict = law.verdict(game)
    assert not verdict.broken, (str(verdict.broken), verdict.record)
    assert not verdict.untried


def test_trials_differ(game: type[Game]) -> None:
    """So that the laws see more than the defaults."""
    assert len({repr(Trial(game, seed).begin().setup) for seed in range(12)}) > 6
    assert [Trial(game, 3).begin().record() for _ in range(2)] == [Trial(game, 3).begin().record()] * 2


@pytest.mark.long
def test_a_variant_keeps_the_laws_or_says_why_not() -> None:
    variant = games.load("sixty-six").variant("seventy", numbers={"enough": 70})
    found = {verdict.law.name: verdict for verdict in verdicts(variant)}
    assert len(found) == len(LAWS)
    assert not [str(verdict.broken) for verdict in found.values() if verdict.broken]
    assert [name for name, verdict in found.items() if verdict.untried] == [
        "lessons-can-be-played",
        "clauses-are-cited",
        "clauses-are-tested",
    ]


# ------------------------------------------------------------------------------------------------------------ broken


@pytest.fixture
def altered(tmp_path: Path) -> Callable[..., type[Game]]:
    """Oh Hell, or another game, with something in its files replaced, as a game from outside."""

    def alter(text: str, other: str, of: str = "oh_hell") -> type[Game]:
        home = Path(shutil.copytree(SHIPPED / of, tmp_path / "my_hell"))
        files = [file for file in home.glob("*.py") if text in file.read_text()]
        assert files
        for file in files:
            file.write_text(file.read_text().replace(text, other))
        rules = home / "rules.py"
        rules.write_text(re.sub(r"yield moves_suffice\(.*\n", "pass\n", rules.read_text()))  # it would be refused
        declared = home / "__init__.py"
        declared.write_text(declared.read_text().replace("    title = ", '    slug = "my-hell"\n    title = '))
        return games.load_file(home)["my-hell"]

    return alter


FAULTS = [
    (
        "cards-are-conserved",
        "        s.undealt ^= bit(s.upcard)  # OH-10\n",
        "",
        "occurs more often than it was dealt: in",
    ),
    ("hidden-stays-hidden", 'sealed(until=PLAY, unless="bidding", blank=NO_BID)', "per_seat(NO_BID)", "field `bids`"),
    ("moves-are-readable", "say1(SAY, tricks)", "say1(SAY, tricks // 2)", "listed twice"),
    ("moves-are-readable", "tricks != barred)", "tricks != barred) if tricks else n + 1", "which it does not have"),
    ("matches-end", "most_moves = 11", "most_moves = 2", "declare a larger number"),
    ("compiled-equals-plain", "+= s.last_points[seat]", "+= s.last_points[seat] + (1 >> 16 * s.deals)", "after `"),
    ("clauses-are-cited", "OH-17", "OH-99", "no line of its code cites OH-17"),
    ("tables-can-be-shown", 'label="Bid {0}"', 'label="Bid {{0}}"', "see the label of its verb"),
]


@pytest.mark.long
@pytest.mark.parametrize(("law", "text", "other", "told"), FAULTS, ids=[fault[0] for fault in FAULTS])
def test_a_broken_law_is_told_in_one_line(altered: Any, law: str, text: str, other: str, told: str) -> None:
    game = altered(text, other)
    verdict = next(one for one in LAWS if one.name == law).verdict(game)
    assert told in str(verdict.broken)
    assert "\n" not in str(verdict.broken)
    if verdict.record is not None:
        assert records.replay(verdict.record, game).record() == verdict.record


def test_a_fault_is_told_once(altered: Any) -> None:
    found = list(verdicts(altered("most_moves = 11", "most_moves = 2")))
    assert "broken for the same reason as matches-end" in {verdict.untried for verdict in found}
    told = [str(verdict.broken) for verdict in found if verdict.broken]
    assert len(set(told)) == len(told)


@pytest.mark.parametrize(
    ("slug", "text", "other", "told"),
    [
        ("ninety_nine", "pairs(n - 1) // 3", "pairs(n - 1) // 3 - 1", "have other moves than `other_moves`"),
        ("ninety_nine", "highest(cards & OTHERS or cards)", "lowest(cards)", "are not sorted by fewer cards"),
        ("loo", "first = bit(highest(hand))", "first = bit(lowest(hand))", "`nth_in_order` has other moves"),
    ],
)
def test_moves_counted_without_a_list_are_those_of_the_list(
    altered: Any, slug: str, text: str, other: str, told: str
) -> None:
    """Thousands of tables at once take a bid by its number, which must mean the same everywhere."""
    game = altered(text, other, slug)
    verdict = next(one for one in LAWS if one.name == "moves-are-counted-as-listed").verdict(game)
    assert told in str(verdict.broken)


def test_a_pile_has_as_many_cards_as_is_said(altered: Any) -> None:
    """A view takes the size of a pile from the field that counts it."""
    game = altered('counted="left"', 'counted="aside"', "linger_longer")
    verdict = next(one for one in LAWS if one.name == "piles-are-counted").verdict(game)
    assert "`stock` has" in str(verdict.broken) and "cards, but `aside` is" in str(verdict.broken)


def test_moves_that_are_numbered_by_their_position_come_together() -> None:
    """Thousands of tables at once list only the first and the last of them."""
    match = Match("loo", chance=Random(1))
    notation = match.game.notation
    told = [notation.read(text).move for text in ("keep", "discard 2c", "pass", "discard 3c")]
    moves = [move for move in told if move is not None]
    assert len(moves) == 4
    with pytest.raises(Broken, match="with the same verb are not adjacent"):
        check_order(match, 0, moves)
