"""Variants: a subclass of a game, with other numbers, rules, fields or moves, is a game in its own right."""

import ast
import linecache
import os
import pickle
import re
import shutil
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from compiled_deal import compiled_scores
from small_game import SmallGame, SmallState

import upcard
from upcard import BadRecord, Match, Setup, UpcardError, games, shuffler
from upcard.cli.sides import SideSpec
from upcard.compiled.program import program
from upcard.engine import records
from upcard.engine.actions import action_space
from upcard.games.kalooki import Kalooki
from upcard.games.loo import Loo
from upcard.games.ninety_nine import NinetyNine
from upcard.games.oh_hell import OhHell
from upcard.games.oh_hell.rules import OhHellState
from upcard.games.pickling import NotImportable
from upcard.games.roundup import Roundup
from upcard.games.roundup.rules import RoundupState
from upcard.games.schnapsen import Schnapsen
from upcard.games.sixty_six import SixtySix
from upcard.lab import Arm
from upcard.lab.simulate import simulate
from upcard.lab.tally import Summary
from upcard.laws import LAWS
from upcard.rules import BadGame, Buffer, Cards, as_set, card_set, override, pack, pages
from upcard.rules.game import Game
from upcard.rules.lineage import differences, is_counted, literal_twins, root_of
from upcard.rules.pages import page
from upcard.rules.placeholders import with_numbers
from upcard.rules.source import canonical
from upcard.table.players_rules import summary_of

SOURCE = Path(upcard.__file__).parents[1]
HERE = Path(__file__).parent
TEN = HERE / "ten_variants.py"
VARIANTS = games.load_file(TEN)
HELD = [
    law for law in LAWS if law.name in ("cards-are-conserved", "matches-end", "moves-can-be-made", "records-replay")
]
[COMPILED] = [law for law in LAWS if law.name == "compiled-equals-plain"]


def test_ten_variants_are_short_and_cover_what_can_be_changed() -> None:
    assert len(VARIANTS) == 10
    assert len({root_of(game).slug for game in VARIANTS.values()}) == 7
    classes = [node for node in ast.parse(TEN.read_text()).body if isinstance(node, ast.ClassDef)]
    lines = TEN.read_text().splitlines()
    for node in classes:
        assert len([*filter(str.strip, lines[node.lineno - 1 : node.end_lineno])]) <= 10, node.name


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_keeps_the_laws(name: str) -> None:
    for law in HELD:
        verdict = law.verdict(VARIANTS[name])
        assert not verdict.broken, str(verdict.broken)


@pytest.mark.long
@pytest.mark.parametrize("name", ["twenty", "stacked", "highest", "small-loo", "dear"])
def test_a_variant_is_the_same_game_plain_and_compiled(name: str) -> None:
    verdict = COMPILED.verdict(VARIANTS[name])
    assert not verdict.broken, str(verdict.broken)


def test_rules_that_count_beyond_the_machine_are_reported(tmp_path: Path) -> None:
    """Plain Python has numbers of any length, compiled rules do not."""
    verdict = COMPILED.verdict(small(tmp_path, "(self.worth << 62) * 4 // (1 << 62)"))
    assert re.search(r"`scores` is \[.*\] compiled and \[.*\] in plain Python", str(verdict.broken)), str(
        verdict.broken
    )


def scores(game: type[Game], seed: int = 3) -> list[int]:
    """The scores after the first deal of a match in which always the last legal move is made."""
    match = Match(game, chance=shuffler(seed))
    while not match.done and match.state.deals == 1:
        seat = match.to_act[0]
        match.play(seat, match.legal(seat)[-1])
    return match.scores


def test_a_replaced_rule_holds_wherever_it_is_called_and_calls_the_original() -> None:
    base = scores(OhHell)
    assert scores(VARIANTS["double"]) == [2 * score for score in base]
    assert scores(OhHell) == base
    assert any(base)


def test_variants_of_variants_keep_both_changes() -> None:
    stacked = VARIANTS["stacked"]
    assert root_of(stacked) is OhHell
    assert stacked.base is VARIANTS["double"]
    assert [line.partition(" ")[0] for line in differences(stacked)] == ["points_for:", "made"]
    assert Match(stacked).setup.setting("made") == 20
    wins = [won for won in scores(stacked) if won]
    assert wins and all(won >= 40 for won in wins)


class Once(OhHell):
    """Whoever makes the bid is paid by a rule of the variant's own, which another variant replaces."""

    title = "Once"

    def paid(self, s: OhHellState, seat: int) -> int:
        return 2 * self.points_for(s.size, s.bids[seat], s.tricks[seat])

    @override
    def end_deal(self, s: OhHellState) -> None:
        before = self.paid(s, 0)
        super().end_deal(s)
        s.scores[0] += before


class Again(Once):
    title = "Again"

    @override
    def points_for(self, size: int, tricks_bid: int, tricks: int) -> int:
        return 5 * super().points_for(size, tricks_bid, tricks)

    @override
    def paid(self, s: OhHellState, seat: int) -> int:
        return super().paid(s, seat) + 1


def test_a_rule_of_a_variant_can_be_replaced_as_one_of_the_game() -> None:
    base = scores(OhHell)
    assert scores(Once) == [3 * base[0], *base[1:]]
    assert scores(Again) == [15 * base[0] + 1, *(5 * score for score in base[1:])]


# --------------------------------------------------------------------------------------------------------- records


def test_a_record_is_replayed_by_its_own_rules_only() -> None:
    variant = VARIANTS["double"]
    record = Match(variant, chance=shuffler(1)).record()
    assert records.replay(record, variant).record() == record
    assert set(record["about"]["rules"]) == {"variant_of", "rules"}
    with pytest.raises(BadRecord, match="other rules"):
        records.replay(record | {"game": "oh-hell"})


@pytest.mark.parametrize("name", ["twenty", "dear"])
def test_a_record_of_other_numbers_is_replayed_without_the_file(name: str) -> None:
    """However the file writes them: as cards, or as a declaration."""
    record = Match(VARIANTS[name], chance=shuffler(1)).record()
    assert record["about"]["rules"].keys() == {"variant_of", "numbers"}
    assert records.replay(record).record() == record


def test_one_number_has_one_identity_however_it_is_written() -> None:
    cards = ("AKQJT", card_set("AKQJT"), card_set(as_set(pack("AKQJT"))), as_set(pack("AKQJT")))
    variants = [SixtySix.variant("short", numbers={"pack": one}) for one in cards]
    assert len({str(one.identity) for one in variants}) == 1
    assert SixtySix.variant("same", numbers={"pack": "AKQJT9"}).identity == {"variant_of": "sixty-six"}


# -------------------------------------------------------------------------------------------------------- identity

PLAIN = """
from upcard.games.oh_hell import OhHell
from upcard.games.oh_hell.rules import OhHellState
from upcard.rules import *

EXTRA = 3


class Plain(OhHell):
    title = "Plain"
    bonus: int = number(EXTRA, clause="OH-24", help="a bonus")
    level: int = choice("low", "high", clause="OH-24", help="a level")

    @override
    def points_for(self, size: int, tricks_bid: int, tricks: int) -> int:
        \"\"\"A docstring.\"\"\"
        return super().points_for(size, tricks_bid, tricks) + self.bonus

    def is_fond(self, s: OhHellState) -> bool:
        return s.dealer == 0

    @override
    def choose_card(self, s: OhHellState, me: int, moves: Buffer, n: int) -> int:
        return moves[0]
"""


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


# ---------------------------------------------------------------------------------------------------- counted moves


class Peaceful(Roundup):
    title = "Peaceful"

    @override
    def put_attacks(self, s: RoundupState, me: int, faces: Cards, out: Buffer, n: int) -> int:
        """Nobody attacks."""
        return n


class Keeping(Loo):
    title = "Keeping"

    @override
    def put_discards(self, hand: Cards, most: int, out: Buffer, n: int) -> int:
        """Everybody keeps all cards."""
        return super().put_discards(hand, 0, out, n)


class Foremost(NinetyNine):
    title = "Foremost"

    @override
    def put_bids(self, out: Buffer, n: int, hand: Cards) -> int:
        """Everybody bids with the first three cards."""
        return min(n + 1, super().put_bids(out, n, hand))


def plays_first(game: type[Game]) -> type[Game]:
    """A variant whose computer players make the first move that they can."""

    class First(game):  # type: ignore[misc, valid-type]
        title = "First"
        slug = f"{game.slug}-first"

        @override
        def choose(self, s: Any, me: int, moves: Buffer, n: int, luck: int) -> int:
            return moves[0]

    return First


@pytest.mark.parametrize("game", [Peaceful, Keeping, Foremost], ids=lambda game: root_of(game).slug)
def test_random_players_of_a_variant_find_its_moves_where_the_game_counts_its_own(game: type[Game]) -> None:
    """These games have a second rule for their moves, which does not list them."""
    assert is_counted(root_of(game))
    assert not is_counted(game)
    assert not is_counted(plays_first(game))
    played: list[dict[str, Any]] = []
    simulate(Setup(plays_first(game)), 3, 1, by="random", records=played.append)
    for record in played:
        assert records.replay(record, plays_first(game)).done
    assert not is_counted(game.variant("cheaper", most_moves=game.most_moves))
    assert is_counted(root_of(game).variant("cheaper", most_moves=game.most_moves))
    assert is_counted(plays_first(root_of(game)))


class Counts(Roundup):
    title = "Counts"

    @override
    def other_moves(self, s: RoundupState, me: int, out: Buffer, n: int) -> int:
        return super().other_moves(s, me, out, n)

    @override
    def count_others(self, s: RoundupState, me: int, out: Buffer) -> int:
        return super().count_others(s, me, out)

    @override
    def nth_other(self, s: RoundupState, me: int, out: Buffer, k: int) -> int:
        return super().nth_other(s, me, out, k)


class CountsFewer(Counts):
    title = "Counts Fewer"

    @override
    def put_attacks(self, s: RoundupState, me: int, faces: Cards, out: Buffer, n: int) -> int:
        return n


def test_a_variant_that_counts_its_moves_is_not_asked_once_its_own_variant_lists_others() -> None:
    assert is_counted(Counts)
    assert is_counted(plays_first(Counts))
    assert not is_counted(CountsFewer)


class Miscounted(Roundup):
    title = "Miscounted"

    @override
    def count_others(self, s: RoundupState, me: int, out: Buffer) -> int:
        return min(1, super().count_others(s, me, out))


def test_moves_that_are_counted_otherwise_than_listed_are_noticed_before_compiled_code_plays() -> None:
    with pytest.raises(UpcardError, match="`count_others` and `nth_other` have other moves than `other_moves`"):
        simulate(Setup(Miscounted), 1, by="random")


# -------------------------------------------------------------------------------------------- options and numbers


def test_a_settled_option_is_none_of_a_short_match() -> None:
    assert OhHell.short == {"max_cards": 5}
    assert OhHell.variant("fives", numbers={"max_cards": 5}).short is None
    assert OhHell.variant("one-way", numbers={"order": 0}).short == OhHell.short


def test_a_sweep_over_a_number_compiles_once() -> None:
    sweep = [SixtySix.variant(f"enough-{number}", numbers={"enough": number}) for number in range(60, 80)]
    assert len({program(game).build for game in sweep}) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rules": {"points_for": scores}}, "odd: other rules are a subclass: class Mine(OhHell): title = …"),
        ({"fields": {"bids": 0}}, "odd: other fields are a subclass: class Mine(OhHell): title = …"),
        ({"options": {"order": "up"}}, "odd: other options are a subclass: class Mine(OhHell): title = …"),
        (
            {"numbers": {"maid": 20}},
            "odd: 'maid' is no number of this game (there are: pack, made, times)",
        ),
        (
            {"numbers": {"pack": -1}},
            "odd: the number pack is cards, as texts, or ranks in all suits, not -1 (OH-2)",
        ),
        ({"numbers": [("made", 20)]}, "odd: numbers are a dictionary by their names, not a list"),
        ({"numbers": {"made": "many"}}, "odd: the number made is a whole number, not 'many' (OH-24)"),
        ({"player_counts": 4}, "odd: player_counts are a row of whole numbers from 2 to 10, as in (3, 4)"),
        ({"most_moves": 0}, "odd: most_moves is a whole number from 1 to 65536, not 0"),
        (
            {"numbers": {"order": 9}},
            "odd: the option order is settled at up_down, down_up, up or down, not at 9 (OH-3)",
        ),
        ({"title": 3}, "odd: title is a text, not 3"),
    ],
)
def test_a_variant_of_other_numbers_is_refused_in_one_line(change: Any, message: str) -> None:
    with pytest.raises(BadGame) as refused:
        OhHell.variant("odd", **change)
    assert str(refused.value) == message
    assert isinstance(refused.value, UpcardError)


@pytest.mark.parametrize("slug", ["oh-hell", "Odd", "", "1st", "a b"])
def test_a_variant_has_a_slug_of_its_own(slug: str) -> None:
    message = "^a variant has a slug of its own, of small letters, digits and dashes, not"
    with pytest.raises(BadGame, match=message):
        OhHell.variant(slug)


def test_what_a_game_does_not_say_of_itself_is_refused() -> None:
    with pytest.raises(BadGame, match=r"^odd: 'colour' is none of what a game says of itself \(.*most_moves.*\)$"):
        OhHell.variant("odd", colour="red")


def test_numbers_are_written_as_they_are_listed() -> None:
    """`upcard options` writes them so."""
    side = SideSpec("sixty-six", None, [], "random")
    sweep: list[Any] = [*side.swept("value=A=11 T=10 K=4 Q=3 J=2,A=1").values()]
    assert [sum(setup.value) for setup in sweep] == [30, 1]
    side = SideSpec("sixty-six", None, ["fetcher=J"], "random")
    setups: list[Any] = [*side.swept("pack=AKQJ9,AKQJT").values()]
    assert [setup.pack for setup in setups] == [as_set(pack("AKQJ9")), as_set(pack("AKQJT"))]
    with pytest.raises(UpcardError, match="worths by rank, as in 'A=11 T=10', not 'A=11 T=x'"):
        side.swept("value=A=11 T=x,A=1")


# --------------------------------------------------------------------------------------------------------- in words


def test_a_number_that_a_variant_has_in_place_of_an_option_is_a_difference() -> None:
    """The game that it varies has no such number."""
    looser = Schnapsen.variant("looser", numbers={"endplay": 0})
    line = "endplay is 0 (strict: once suit must be followed, also head the trick and trump, SS-17)"
    assert line in differences(looser)
    assert line in Arm("looser", Setup(looser), "random").rules


DESCRIBED = """
from upcard.games.sixty_six import SixtySix
from upcard.games.sixty_six.rules import SixtySixState
from upcard.rules import *

MORE = SixtySix.notation.copy()
WAVE = MORE.verb("wave", label="Wave", said="waves")


class DescribedState(SixtySixState):
    waves: PerSeat = per_seat()


class Described(SixtySix[DescribedState]):
    title = "Described"
    notation = MORE
    most_moves = 17
    enough = 50
    pack = "AKQJT"
    fetcher = JACK
    value = card_values(A=1)
    last_trick = lambda self: self.size
    endplay = "strict"
    waves: int = number(2, clause="DE-1", help="waves in a deal")
    target: int = whole(3, 1, 9, clause="DE-2", help="points for a match")
    rude: int = flag(False, clause="DE-3", help="no waves")

    @override
    def worth_of_marriage(self, s: DescribedState, suit: Suit) -> int:
        \"\"\"Every marriage is worth 30,
        in whatever suit.

        Nobody knows why.
        \"\"\"
        return 30

    def waved(self, s: DescribedState) -> int:
        return s.waves[0]
"""


def test_the_page_of_a_variant_lists_its_differences(tmp_path: Path) -> None:
    (tmp_path / "described.py").write_text(DESCRIBED)
    game = games.load_file(tmp_path / "described.py")["described"]
    assert differences(game) == [
        "pack is AKQJT (the cards that are played with, SS-2)",
        "value is A=1 (what a card counts, SS-4)",
        "last_trick is worked out (points for the last trick, SS-5)",
        "fetcher is J (the rank whose trump fetches the upcard, SS-23)",
        "enough is 50 (deal points that win a deal, SS-31)",
        "the option endplay is settled at strict: strict: once suit must be followed, also head the trick and trump",
        "waves is 2 (waves in a deal, DE-1)",
        "the option target is chosen anew: points for a match",
        "the option rude is added: no waves",
        "worth_of_marriage: Every marriage is worth 30, in whatever suit.",
        "waved: replaced",
        "a further field: waves",
    ]
    shown = page(game)
    assert shown is not None
    assert shown.startswith("# Described\n\nA variant of Sixty-Six. What differs:\n\n- pack is AKQJT")
    assert "SS-1" in shown, "followed by the page of the game"


def test_a_page_next_to_a_variant_replaces_its_differences(tmp_path: Path) -> None:
    (tmp_path / "described.py").write_text(DESCRIBED)
    (tmp_path / "described.rulebook.md").write_text("# Described\n\nIn my words.\n")
    game = games.load_file(tmp_path / "described.py")["described"]
    shown = page(game)
    assert shown is not None
    assert shown.startswith("# Described\n\nIn my words.")
    assert "What differs" not in shown
    assert "SS-1" in shown


def test_a_file_with_two_games_of_one_name_is_refused(tmp_path: Path) -> None:
    """And one that varies a variant which comes with Upcard is not."""
    file = tmp_path / "odd.py"
    begin = 'from upcard.games import load\none = load("schnapsen")\ntwo = one.variant("odd", numbers={"enough": 50})\n'
    file.write_text(begin)
    assert games.load_file(file).keys() == {"odd"}
    file.write_text(begin + 'three = one.variant("odd", numbers={"enough": 60})\n')
    with pytest.raises(games.UnknownGame, match="two games are called odd"):
        games.load_file(file)


def test_no_declared_number_has_a_literal_twin(game: type[Game]) -> None:
    numbers = {name: number.value for name, number in game.declared_numbers.items() if isinstance(number.value, int)}
    assert {name: twins for name, value in numbers.items() if (twins := list(literal_twins(game, value)))} == {}


# ----------------------------------------------------------------------------------------------------- compiled code


def played(game: type[Game], matches: int = 60) -> Summary:
    """Compiled matches at random."""
    return simulate(Setup(game, min(game.player_counts)), matches, 1, by=["random"] * min(game.player_counts))


def small(folder: Path, points: int | str = 1) -> type[Game]:
    """The small game, in a file in this folder, with this many points for a trick."""
    folder.mkdir(exist_ok=True)
    text = (HERE / "small_game.py").read_text()
    assert "+= self.worth" in text
    (folder / "small_game.py").write_text(text.replace("+= self.worth", f"+= {points} * self.worth"))
    return games.load_file(folder / "small_game.py")["small-game"]


def test_an_edited_game_never_runs_old_code(tmp_path: Path) -> None:
    before = small(tmp_path)
    once = compiled_scores(before)
    after = small(tmp_path, 2)
    assert compiled_scores(after) == [2 * score for score in once]
    assert compiled_scores(before) == once
    assert before.identity != after.identity
    assert Setup(before) != Setup(after)


def test_a_game_is_compiled_as_it_was_loaded(tmp_path: Path) -> None:
    """With the functions that its rules call, too, though its file has been edited meanwhile."""
    text = (HERE / "small_game.py").read_text().replace("self.worth", "worth_of(self.worth)")
    helper = "\n\n@rule\ndef worth_of(n):\n    return 3 * n\n"
    file = tmp_path / "small_game.py"
    file.write_text(text.replace("\n\n\nclass SmallState", f"{helper}\n\nclass SmallState"))
    game = games.load_file(file)["small-game"]
    file.write_text("")
    assert compiled_scores(game) == [3 * score for score in compiled_scores(small(tmp_path / "usual"))]


def test_a_mistake_in_a_folder_has_one_place(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(PLAIN.replace("+ self.bonus", "/ self.bonus"))
    (tmp_path / "__init__.py").write_text("from .rules import Plain\nclass Odd(Plain): title = 'Odd'\n")
    with pytest.raises(games.UnknownGame) as refused:
        games.load_file(tmp_path)
    fault = "in points_for, `/` makes a fraction: numbers are whole, write `//`"
    assert str(refused.value) == f"{tmp_path / 'rules.py'}, line 17: {fault}"


@pytest.mark.parametrize("name", ["plain.py", "plain/rules.py"])
def test_an_edit_of_the_same_second_and_length_is_seen(tmp_path: Path, name: str) -> None:
    """By which Python tells whether bytecode is current."""
    file, points = tmp_path / name, []
    file.parent.mkdir(exist_ok=True)
    if file.parent != tmp_path:
        (file.parent / "__init__.py").write_text("from .rules import Plain\nclass Edited(Plain): title = 'Edited'\n")
    for time, extra in ((1.2, 3), (1.7, 4)):
        file.write_text(PLAIN.replace("EXTRA = 3", f"EXTRA = {extra}"))
        os.utime(file, ns=(0, int(time * 10**9)))
        game: Any
        [game] = games.load_file(file if file.parent == tmp_path else file.parent).values()
        points.append(game(3).points_for(1, 1, 1) - OhHell(3).points_for(1, 1, 1))
    assert points == [3, 4]


def test_one_file_in_two_places_is_two_games(tmp_path: Path) -> None:
    one, two = small(tmp_path / "one"), small(tmp_path / "two")
    assert one.__module__ != two.__module__
    assert one.identity == two.identity
    assert program(one).build != program(two).build
    assert compiled_scores(one) == compiled_scores(two)


def more(points: int) -> type[Game]:
    """The small game with points for every card that is played, too."""

    class More(SmallGame):
        title = "More"

        @override
        def apply(self, s: SmallState, me: int, move: int) -> None:
            super().apply(s, me, move)
            s.scores[me] += points

    return More


def test_two_variants_of_one_name_are_two_games() -> None:
    """Made by one function, they have the same source, and another number in it."""
    one, two, again = more(1), more(2), more(1)
    assert Setup(one) != Setup(two)
    assert Setup(one) == Setup(again)
    assert program(one).build != program(two).build
    assert [score + 5 for score in compiled_scores(one)] == compiled_scores(two)  # everybody plays five cards
    assert scores(two) == [score + 5 for score in scores(one)]


def test_a_variant_leaves_the_code_of_its_game_as_it_is() -> None:
    """Whether the game or the variant is compiled first."""
    before = program(SmallGame).build
    scored = compiled_scores(more(3))
    assert compiled_scores(SmallGame) == [score - 15 for score in scored]
    assert program(SmallGame).build == before


ORDERED = """
import sys
from random import Random
from types import ModuleType
from compiled_deal import compiled_scores
from upcard import games

loaded = games.load_file(sys.argv[1])
order = sorted(loaded)
Random(int(sys.argv[2])).shuffle(order)
scores = {slug: compiled_scores(loaded[slug]) for slug in order}
print([scores[slug] for slug in sorted(loaded)])
"""
FAMILY = """
from small_game import SmallGame, SmallState
from upcard.rules import *


class One(SmallGame):
    title = "One"

    def extra(self, s):
        return 1

    @override
    def apply(self, s, me, move):
        super().apply(s, me, move)
        s.scores[s.dealer] += self.extra(s)


class Two(One):
    title = "Two"

    @override
    def extra(self, s):
        return 10 * super().extra(s)


class Three(Two):
    title = "Three"
    worth = 3

    @override
    def apply(self, s, me, move):
        s.scores[0] += 100
        super().apply(s, me, move)


class Four(One):
    title = "Four"

    @override
    def apply(self, s, me, move):
        SmallGame.apply(self, s, me, move)
        s.scores[1] += self.extra(s)


class Five(Three):
    title = "Five"

    @override
    def extra(self, s):
        return 7
"""


@pytest.mark.long
def test_the_order_in_which_variants_are_compiled_does_not_matter(tmp_path: Path) -> None:
    """Of a family of variants that replace one another's rules, here, and in other processes from the disk."""
    (tmp_path / "family.py").write_text(FAMILY)
    family = games.load_file(tmp_path / "family.py")
    [trick, *others] = compiled_scores(SmallGame)
    dealt = [trick + 10, *others]  # a point for each of the ten cards, to the dealer, seat 0
    first = {
        "one": dealt,
        "two": [trick + 100, *others],
        "three": [3 * trick + 1100, 3 * others[0]],
        "four": [trick, others[0] + 10],
        "five": [3 * trick + 1070, 3 * others[0]],
    }
    slugs = sorted(family)
    Random(1).shuffle(slugs)
    assert {slug: compiled_scores(family[slug]) for slug in slugs} == first
    env = os.environ | {"PYTHONPATH": f"{SOURCE}{os.pathsep}{HERE}", "UPCARD_CACHE": str(tmp_path / "cache")}
    for seed in (2, 3, 4):
        command = [sys.executable, "-c", ORDERED, str(tmp_path / "family.py"), str(seed)]
        done = subprocess.run(command, env=env, capture_output=True, text=True)
        assert done.stdout.strip() == str([first[slug] for slug in sorted(family)]), done.stderr


class Costly(SmallGame):
    title = "Costly"
    worth = 7


def test_workers_play_the_same_variant() -> None:
    """In a process that is spawned, a setup loads the file in which its variant is; also this one."""
    setups = [Setup(VARIANTS["stacked"], 3), Setup(Costly, 3), Setup(Again, 3)]
    for setup in setups:
        assert pickle.loads(pickle.dumps(setup)) == setup
    with ProcessPoolExecutor(1, get_context("spawn")) as workers:
        [by_worker] = workers.map(played, [VARIANTS["stacked"]], [20])
        scored = [*workers.map(scores, [Again, Costly])], [*workers.map(compiled_scores, [Costly])]
    assert by_worker == played(VARIANTS["stacked"], 20)
    assert scored == ([scores(Again), scores(Costly)], [compiled_scores(Costly)])
    assert sum(compiled_scores(Costly)) == 35


def test_a_variant_that_a_function_makes_stays_in_its_process() -> None:
    """Its file has no such name."""
    with pytest.raises(
        games.UnknownGame, match=r"test_variants.py has no game 'more': give it a name at the top level"
    ):
        pickle.loads(pickle.dumps(more(1)))


def test_what_is_pickled_is_the_same_game() -> None:
    """A variant of a file, one made while a program runs, and one of that; with matches, views and states."""
    running = VARIANTS["late"].variant("later", numbers={"marriage": 10})
    for game in (VARIANTS["late"], running, running.variant("latest", numbers={"royal": 60}), Schnapsen):
        match = Match(game, chance=shuffler(1))
        assert pickle.loads(pickle.dumps(game)).identity == game.identity
        for thing in (match.setup, match.view(0), match.state, match):
            assert pickle.loads(pickle.dumps(thing)) == thing


def test_a_variant_whose_file_was_edited_is_not_unpickled(tmp_path: Path) -> None:
    (tmp_path / "family.py").write_text(FAMILY)
    pickled = pickle.dumps(games.load_file(tmp_path / "family.py")["two"])
    (tmp_path / "family.py").write_text(FAMILY.replace("return 10 *", "return 20 *"))
    with pytest.raises(games.UnknownGame, match=r"the rules of 'two' in .*family.py are not the same as before"):
        pickle.loads(pickled)
    (tmp_path / "family.py").write_text(FAMILY.replace('"Two"', '"Two"\n    slug = "second"'))
    with pytest.raises(games.UnknownGame, match=r"family.py has no game 'two'"):
        pickle.loads(pickled)


COLD = """
import sys
from compiled_deal import compiled_scores
from upcard import games
loaded = games.load_file(sys.argv[1] + "/small_game.py") | games.load_file(sys.argv[1] + "/dearer.py")
scores = {slug: compiled_scores(loaded[slug]) for slug in sys.argv[2:]}
print(scores["small-game"], scores["dearer"])
"""
DEARER = """
from pathlib import Path
from upcard.games import load_file
from upcard.rules import *

SmallGame = load_file(Path(__file__).with_name("small_game.py"))["small-game"]


class Dearer(SmallGame):
    title = "Dearer"

    @override
    def apply(self, s, me, move):
        super().apply(s, me, move)
        s.scores[s.dealer] += 1
"""


@pytest.mark.long
def test_processes_that_start_cold_at_once_compile_each_its_own_game(tmp_path: Path) -> None:
    """Base and variant in either order, at once, and once more from the disk."""
    small(tmp_path)
    (tmp_path / "dearer.py").write_text(DEARER)
    env = os.environ | {"PYTHONPATH": f"{SOURCE}{os.pathsep}{HERE}", "UPCARD_CACHE": str(tmp_path / "cache")}
    printed = set()
    for times in (2, 1):
        started = [
            subprocess.Popen([sys.executable, "-c", COLD, tmp_path, *order], env=env, stdout=subprocess.PIPE, text=True)
            for order in (["small-game", "dearer"], ["dearer", "small-game"]) * times
        ]
        printed |= {process.communicate()[0].strip() for process in started}
    tricks = compiled_scores(SmallGame)
    assert sum(tricks) == 5
    assert printed == {f"{tricks} {[tricks[0] + 10, tricks[1]]}"}  # a point for each of the ten cards, to the dealer


# ---------------------------------------------------------------------------------------------------------- notebooks

CELL = """
from upcard.games.oh_hell import OhHell
from upcard.rules import *


class Shy(OhHell):
    title = "Shy"

    @override
    def barred_bid(self, s, me):
        return 0
"""


def run_cell(text: str, name: str) -> dict[str, Any]:
    """Run a cell of a notebook, which gives every cell a file name of its own, under which Python finds its lines."""
    notebook = sys.modules["cells_of_a_notebook"] = ModuleType("cells_of_a_notebook")
    exec(compile(text, name, "exec"), vars(notebook))
    return vars(notebook)


def test_a_class_typed_at_a_prompt_is_refused_and_numbers_are_not() -> None:
    """A prompt keeps no source."""
    with pytest.raises(BadGame, match=r"barred_bid has no source: write it in a file \(or a notebook's cell\), not"):
        run_cell(CELL, "<stdin>")
    cheap = OhHell.variant("cheap", numbers={"made": 5})
    assert pickle.loads(pickle.dumps(cheap)).identity == cheap.identity
    typed = run_cell(CELL.partition("    @override")[0] + "    made = 5\n", "<stdin>")["Shy"]
    assert typed.identity == cheap.identity


def test_a_variant_from_a_cell_of_cells_of_a_notebook_plays_where_it_was_made() -> None:
    linecache.cache["cell 1.py"] = (len(CELL), None, CELL.splitlines(True), "cell 1.py")
    shy = run_cell(CELL, "cell 1.py")["Shy"]
    match = Match(shy, chance=shuffler(1))
    assert [match.legal(seat) for seat in match.to_act] == [["bid 1"]] * 5
    with pytest.raises(NotImportable, match="shy was made in a notebook or at a prompt, where other processes do not"):
        pickle.loads(pickle.dumps(shy))
    assert issubclass(NotImportable, UpcardError)


def test_a_cell_that_is_run_again_makes_another_game() -> None:
    """With other rules if it was edited; the first goes on with its own."""
    linecache.cache["cell 2.py"] = (len(CELL), None, CELL.splitlines(True), "cell 2.py")
    first = run_cell(CELL, "cell 2.py")["Shy"]
    edited = CELL.replace("return 0", "return 1")
    linecache.cache["cell 3.py"] = (len(edited), None, edited.splitlines(True), "cell 3.py")
    second, third = run_cell(edited, "cell 3.py")["Shy"], run_cell(CELL, "cell 2.py")["Shy"]
    assert first.identity == third.identity != second.identity
    bids = [Match(game, chance=shuffler(1)).legal(0) for game in (first, second, third)]
    assert bids == [["bid 1"], ["bid 0"], ["bid 1"]]


def test_a_variant_from_a_cell_is_compiled() -> None:
    cell = FAMILY.partition("class Two")[0]
    linecache.cache["cell 4.py"] = (len(cell), None, cell.splitlines(True), "cell 4.py")
    one = run_cell(cell, "cell 4.py")["One"]
    [trick, *others] = compiled_scores(SmallGame)
    assert compiled_scores(one) == [trick + 10, *others]


# ------------------------------------------------------------------------------------------------ numbers in texts


def test_texts_of_a_variant_have_its_numbers() -> None:
    """Three-card Loo does not say "a fifth of the pot" in the lobby, in refusals or on its page."""
    loo = games.load("loo")
    three = loo.variant("three-card-loo", numbers={"size": 3, "stake": 6, "looed": 3})
    assert summary_of(loo) == (
        "Stay in only if you will take a trick. Every trick is a fifth of the pot; none at all costs five chips."
    )
    assert summary_of(three).endswith("Every trick is one of three parts of the pot; none at all costs three chips.")
    assert with_numbers(three.why["LO-14"], Setup(three)).endswith("three cards of one suit, or two and Pam")
    page = pages.page(three) or ""
    assert "- **LO-7** [source, order by ruling] Three cards each" in page
    assert "Three cards" not in (pages.page(loo) or "")
    assert pages.gist(three(), "LO-7").startswith("Three cards each: one card at a time")
    assert "- **LO-36** [source] After three tricks everyone takes one of three equal parts of the pot" in page
    assert pages.gist(three(), "LO-10") == pages.gist(loo(), "LO-10")


def test_every_short_text_of_a_game_can_be_filled_in() -> None:
    for game in map(games.load, games.SLUGS):
        for players in game.player_counts:
            for text in (game.summary, *game.why.values()):
                filled = with_numbers(text, Setup(game, players))
                assert "{" not in filled and "}" not in filled, (game.slug, text)
    assert with_numbers("a set {1, 2}", Setup("loo")) == "a set {1, 2}"
