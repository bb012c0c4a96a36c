"""The identity of a variant: what changes it, and what does not."""

import ast
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from variant_games import HERE, PLAIN, SOURCE, TEN, VARIANTS

from upcard import Setup, games
from upcard.engine.actions import action_space
from upcard.games.kalooki import Kalooki
from upcard.games.sixty_six import SixtySix
from upcard.rules.source import canonical


def identity(folder: Path, source: str) -> str:
    """The identity of the only game in a source."""
    (folder / "plain.py").write_text(source)
    [game] = games.load_file(folder / "plain.py").values()
    return str(game.identity)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("A docstring", "Another docstring"),
        ("        return super()", "        # a comment\n\n        return super()"),
        ("+ self.bonus", "+ (self.bonus)"),
        ("(self, size: int, tricks_bid: int, tricks: int) -> int", "(self, size, tricks_bid, tricks)"),
        ("a bonus", "another bonus"),
        ("moves[0]", "moves[n - 1]"),
        ("s.dealer == 0", "s.dealer == 1"),
        ('title = "Plain"', 'title = "Other"\n    summary = "Said otherwise"\n    difficulty = "hard"'),
        ('title = "Plain"', 'title = "Plain"\n    why = {"OH-19": "you must follow"}\n    INFERS = 0.5'),
        ("    @override\n    def points_for", "    @override\n    @large\n    def points_for"),
        (
            "    def is_fond",
            "    @override\n    def forgets(self) -> bool:\n        return True\n\n    def is_fond",
        ),
    ],
)
def test_what_does_not_matter_for_the_play_does_not_change_the_identity(tmp_path: Path, old: str, new: str) -> None:
    assert old in PLAIN
    assert identity(tmp_path, PLAIN) == identity(tmp_path, PLAIN.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("+ self.bonus", "+ 2 * self.bonus"),
        ("EXTRA = 3", "EXTRA = 4"),
        ('("low", "high"', '("high", "low"'),
        ('title = "Plain"', 'title = "Plain"\n    most_moves = 12'),
        ('title = "Plain"', 'title = "Plain"\n    player_counts = (3, 4)\n    default_players = 4'),
        ('title = "Plain"', 'title = "Plain"\n    phases = words("deal say play done")'),
        ('title = "Plain"', 'title = "Plain"\n    order = "up"'),
        ("self.bonus\n", "self.bonus * (tricks < EXTRA)\n"),
        (
            "    def is_fond",
            "    @override\n    def utility(self, s: OhHellState, me: int) -> int:\n        return s.scores[me]\n\n"
            "    def is_fond",
        ),
    ],
)
def test_what_matters_for_the_play_changes_the_identity(tmp_path: Path, old: str, new: str) -> None:
    assert old in PLAIN
    assert identity(tmp_path, PLAIN) != identity(tmp_path, PLAIN.replace(old, new))


def test_a_heuristic_is_no_rule() -> None:
    assert VARIANTS["careless"].identity == {"variant_of": "ninety-nine"}


def test_the_order_of_two_rules_of_one_name_is_part_of_the_identity(tmp_path: Path) -> None:
    """The same two rules, one calling the other as `super()`."""
    head = "from upcard.games.oh_hell import OhHell\nfrom upcard.rules import *\n"
    rule = "    @override\n    def points_for(self, size, tricks_bid, tricks):\n        return "
    points = (
        "2 * super().points_for(size, tricks_bid, tricks)\n",
        "1 + super().points_for(size, tricks_bid, tricks)\n",
    )
    identities = set()
    for number, (one, other) in enumerate((points, points[::-1])):
        below = f'class Below(OhHell):\n    title = "Below"\n{rule}{one}'
        above = f'class Above(Below):\n    title = "Above"\n{rule}{other}'
        (tmp_path / f"order{number}.py").write_text(f"{head}{below}{above}")
        identities.add(str(games.load_file(tmp_path / f"order{number}.py")["above"].identity))
    assert len(identities) == 2


VARIED = """
from further import FURTHER, further
from upcard.games.oh_hell import OhHell
from upcard.rules import *


def limit(players):
    return FURTHER


@rule
def more(size, points=FURTHER):
    return size + points


class Further(OhHell):
    title = "Further"
    {number}

    @override
    def points_for(self, size, tricks_bid, tricks):
        return {points}
"""


@pytest.mark.parametrize(
    ("points", "number"),
    [
        ("FURTHER", ""),
        ("further(size)", ""),
        ("more(size)", ""),
        ("0", "made = FURTHER"),
        ("0", "made = lambda self: FURTHER"),
        ("0", "made = (lambda most: lambda self: most)(FURTHER)"),
        ("0", "bonus: int = whole(1, 1, limit, clause='OH-24', help='')"),
        ("self.bonus", "bonus: int = number(FURTHER)"),
    ],
)
def test_what_a_variant_takes_from_another_file_is_part_of_its_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, points: str, number: str
) -> None:
    assert len(identities(tmp_path, monkeypatch, VARIED.format(points=points, number=number))) == 3


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("self.worth", "FURTHER"),
        ("self.worth", "further(self.worth)"),
        ("number(1, ", "number(FURTHER, "),
        ("number(1, ", "number(lambda self: FURTHER, "),
    ],
)
def test_what_a_game_takes_from_another_file_is_part_of_its_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str
) -> None:
    text = (HERE / "small_game.py").read_text().replace(old, new)
    assert len(identities(tmp_path, monkeypatch, f"from further import FURTHER, further\n{text}")) == 3


def identities(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> set[str]:
    """The identities of a game that takes a number and a rule from another file, as these change."""
    monkeypatch.syspath_prepend(folder)
    different = set()
    for one in (1, 2, 3):
        sys.modules.pop("further", None)
        further = f"from upcard.rules import rule\nFURTHER = {one}\n@rule\ndef further(n):\n    return n + FURTHER\n"
        (folder / f"further{one}").mkdir()
        (folder / f"further{one}" / "further.py").write_text(further)
        monkeypatch.syspath_prepend(folder / f"further{one}")
        (folder / f"of_{one}.py").write_text(text)
        [game] = games.load_file(folder / f"of_{one}.py").values()
        different.add(str(game.identity))
    sys.modules.pop("further")
    return different


def test_arguments_of_rules_are_no_texts_for_people() -> None:
    """`label` and `help` are texts where a verb or a number is declared, and numbers elsewhere."""
    same = "BID = MOVES.verb('bid', label={}, said={})", "size = number(3, help={})"
    other = "few(s, length={})", "hand = per_seat(length={})", "deal(s, label={}, said={})"
    for line in same + other:
        one, two = (canonical(ast.parse(line.format(value, value))) for value in ("'short'", "'long'"))
        assert (one == two) == (line in same)


def test_variants_of_one_name_with_other_moves_differ() -> None:
    """Their actions are not the same either."""
    few, many = (Kalooki.variant("long-hands", most_moves=most) for most in (600, 700))
    assert few != many
    assert few.identity != many.identity
    assert action_space(Setup(few)).size != action_space(Setup(many)).size
    spoken, worded = SixtySix.notation.copy(), SixtySix.notation.copy()
    spoken.verb("wave", label="Wave", said="waves")
    worded.verbs[-1] = replace(worded.verbs[-1], label="Enough", said="says that it is enough")
    usual = SixtySix.variant("waving", most_moves=40)
    assert SixtySix.variant("waving", most_moves=40, notation=spoken).identity != usual.identity
    assert SixtySix.variant("waving", most_moves=40, notation=worded).identity == usual.identity, "texts are no rules"


OTHER_PYTHONS = sorted(filter(None, [shutil.which(f"python3.{minor}") for minor in (11, 12, 13, 14)]))
IDENTITIES = """
import sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from upcard import games
print(sorted((slug, game.identity) for path in sys.argv[2:] for slug, game in games.load_file(path).items()))
"""


def test_identities_are_the_same_on_other_versions_of_python() -> None:
    files = [TEN, HERE / "small_game.py"]
    here = str(sorted((slug, game.identity) for file in files for slug, game in games.load_file(file).items()))
    assert here.count("rules") > 5
    for python in OTHER_PYTHONS:
        done = subprocess.run([python, "-c", IDENTITIES, SOURCE, *files], capture_output=True, text=True)
        if done.returncode:
            assert "ModuleNotFoundError" in done.stderr or "not found" in done.stderr, done.stderr
        else:
            assert done.stdout.strip() == here, python


def test_the_text_that_identities_are_made_of_stays_as_it_is() -> None:
    """A newer Python may have more in its syntax trees; what is hashed is the same."""
    source = "@rule\ndef size(s: State, n: int = 2) -> int:\n    '''A text.'''\n    return s.size[n] // -1  # why\n"
    assert canonical(ast.parse(source)) == STORED
    assert canonical(ast.parse(source.replace("A text.", "Another text.").replace("  # why", ""))) == STORED


STORED = (
    "(Module body=[(FunctionDef args=(arguments args=[(arg arg='s') (arg arg='n')] defaults=[(Constant value=2)]) "
    "body=[(Return value=(BinOp left=(Subscript slice=(Name id='n') value=(Attribute attr='size' value=(Name id='s'))) "
    "op=(FloorDiv ) right=(UnaryOp op=(USub ) operand=(Constant value=1))))] name='size')])"
)
