"""Variants: a game with some rules, numbers or fields replaced is a game in its own right, plain and compiled."""

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
from typing import Any

import pytest
from compiled_deal import compiled_scores
from small_game import apply

import upcard
from upcard import BadRecord, Match, Setup, UpcardError, games, shuffler
from upcard.cli.sides import Side
from upcard.compiled.program import program
from upcard.engine import records
from upcard.engine.actions import action_space
from upcard.games.elsewhere import Elsewhere
from upcard.games.oh_hell.rules import points_for
from upcard.lab import Arm
from upcard.lab.simulate import simulate
from upcard.lab.tally import Summary
from upcard.laws import LAWS
from upcard.rules import BadGame, Game, as_set, choice, number, open_field, pack, rule
from upcard.rules.source import canonical
from upcard.rules.variants import differences

SOURCE = Path(upcard.__file__).parents[1]
SIXTY_SIX, OH_HELL = games.load("sixty-six"), games.load("oh-hell")
HERE = Path(__file__).parent
TEN = HERE / "ten_variants.py"
VARIANTS = games.load_file(TEN)
SMALL = games.load_file(HERE / "small_game.py")["small-game"]
HELD = [
    law for law in LAWS if law.name in ("cards-are-conserved", "matches-end", "moves-can-be-made", "records-replay")
]
[COMPILED] = [law for law in LAWS if law.name == "compiled-equals-plain"]


@rule
def never_barred(s: Any, opt: Any, me: int) -> int:
    """Any sum is allowed."""
    return -1


@rule
def double(opt: Any, size: int, tricks_bid: int, tricks: int) -> int:
    """Twice as many points."""
    return 2 * points_for(opt, size, tricks_bid, tricks)


@rule
def triple(opt: Any, size: int, tricks_bid: int, tricks: int) -> int:
    """Three times as many points."""
    return 3 * points_for(opt, size, tricks_bid, tricks)


@rule
def one_more(s: Any, opt: Any, me: int, card: int) -> None:
    """Every card played is worth a point."""
    apply(s, opt, me, card)
    s.scores[me] += 1


@rule
def two_more(s: Any, opt: Any, me: int, card: int) -> None:
    """Every card played is worth two."""
    apply(s, opt, me, card)
    s.scores[me] += 2


def test_ten_variants_are_short_and_cover_what_can_be_changed() -> None:
    assert len(VARIANTS) == 10
    assert len({game.root.slug for game in VARIANTS.values()}) == 7
    blocks = re.split(r"\n\n(?:# .*)?\n?", TEN.read_text())
    assert max(len(block.splitlines()) for block in blocks) <= 15


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


def test_rules_that_count_beyond_the_machine_are_told(tmp_path: Path) -> None:
    """Plain Python has numbers of any length, compiled rules do not."""
    verdict = COMPILED.verdict(small(tmp_path, "(opt.trick << 62) * 4 // (1 << 62)"))
    assert re.search(r"`scores` is \[.*\] compiled and \[.*\] plain", str(verdict.broken)), str(verdict.broken)


def scores(game: Game, seed: int = 3) -> list[int]:
    """The scores after the first deal of a match in which always the first legal move is made."""
    match = Match(game, chance=shuffler(seed))
    while not match.done and match.state.deals == 1:
        seat = match.to_act[0]
        match.play(seat, match.legal(seat)[-1])
    return match.scores


def test_a_replaced_rule_holds_wherever_it_is_called_and_calls_the_original() -> None:
    base = scores(OH_HELL)
    assert scores(VARIANTS["double"]) == [2 * score for score in base]
    assert scores(OH_HELL) == base
    assert any(base)


BESIDE = """
from upcard.games import load
from upcard.games.oh_hell.rules import clear, points_for
from upcard.rules import *

{define}
    return 2 * points_for(opt, size, tricks_bid, tricks)


@rule
def end_deal(s, opt):
    for seat in range(s.players):
        s.scores[seat] += {name}(opt, s.size, s.bids[seat], s.tricks[seat])
    clear(s)
    await_deal(s, left_of(s, s.dealer))


once = load("oh-hell").variant("once", rules={{"points_for": {name}, "end_deal": end_deal}})

{define}
    return 5 * points_for(opt, size, tricks_bid, tricks)


again = once.variant("again", rules={{"points_for": {name}}})
"""


@pytest.mark.parametrize("name", ["points_for", "doubled"])
def test_a_replaced_rule_may_call_another_of_its_file(tmp_path: Path, name: str) -> None:
    """Whether it bears the name of the rule that it replaces, or a name of its own."""
    file = tmp_path / "beside.py"
    file.write_text(BESIDE.format(name=name, define=f"\n@rule\ndef {name}(opt, size, tricks_bid, tricks):"))
    variants = games.load_file(file)
    base = scores(OH_HELL)
    assert scores(variants["once"]) == [2 * score for score in base]
    assert scores(variants["again"]) == [10 * score for score in base]


def test_variants_of_variants_keep_both_changes() -> None:
    stacked = VARIANTS["stacked"]
    assert stacked.root is OH_HELL
    assert [change.slug for change in stacked.changes] == ["double", "stacked"]
    assert Match(stacked).options.made == 20  # type: ignore[attr-defined]
    wins = [won for won in scores(stacked) if won]
    assert wins and all(won >= 40 for won in wins)


def test_a_record_is_replayed_by_its_own_rules_only() -> None:
    variant = VARIANTS["double"]
    record = Match(variant, chance=shuffler(1)).record()
    assert records.replay(record, variant).record() == record
    assert set(record["about"]["rules"]) == {"variant_of", "rules"}
    with pytest.raises(BadRecord, match="other rules"):
        records.replay(record | {"game": "oh-hell"})
    once, again, other = (
        OH_HELL.variant("more", rules={"points_for": one}).identity for one in (double, double, triple)
    )
    assert once == again != other
    assert VARIANTS["careless"].identity == {"variant_of": "ninety-nine"}, "a heuristic is no rule"


VARIED = """
from further import FURTHER, further
from upcard.games import load
from upcard.rules import *


def limit(players):
    return FURTHER


@rule
def more(size, points=FURTHER):
    return size + points


@rule
def points_for(opt, size, tricks_bid, tricks):
    return {points}


GAME = load("oh-hell").variant("further", {changes})
"""


@pytest.mark.parametrize(
    ("points", "changes"),
    [
        ("FURTHER", "rules={'points_for': points_for}"),
        ("further(size)", "rules={'points_for': points_for}"),
        ("more(size)", "rules={'points_for': points_for}"),
        ("0", "numbers={'made': lambda opt: FURTHER}"),
        ("0", "numbers={'made': (lambda most: lambda opt: most)(FURTHER)}"),
        ("0", "options={'bonus': whole(1, 1, limit, clause='OH-24', help='')}"),
    ],
)
def test_what_a_variant_takes_from_another_file_is_part_of_its_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, points: str, changes: str
) -> None:
    told = identities(tmp_path, monkeypatch, VARIED.format(points=points, changes=changes))
    assert len(told) == 3


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("opt.trick", "FURTHER"),
        ("opt.trick", "further(opt.trick)"),
        ("number(1, ", "number(FURTHER, "),
        ("number(1, ", "number(lambda opt: FURTHER, "),
    ],
)
def test_what_a_game_takes_from_another_file_is_part_of_its_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str
) -> None:
    text = (HERE / "small_game.py").read_text().replace(old, new)
    told = identities(tmp_path, monkeypatch, f"from further import FURTHER, further\n{text}")
    assert len(told) == 3


def identities(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> set[str]:
    """The identities of a game that takes a number and a rule from another file, as these change."""
    monkeypatch.syspath_prepend(folder)
    told = set()
    for one in (1, 2, 3):
        sys.modules.pop("further", None)
        further = f"from upcard.rules import rule\nFURTHER = {one}\n@rule\ndef further(n):\n    return n + FURTHER\n"
        (folder / f"further{one}").mkdir()
        (folder / f"further{one}" / "further.py").write_text(further)
        monkeypatch.syspath_prepend(folder / f"further{one}")
        (folder / f"of_{one}.py").write_text(text)
        [game] = games.load_file(folder / f"of_{one}.py").values()
        told.add(str(game.identity))
    sys.modules.pop("further")
    return told


def test_what_a_rule_says_in_words_is_no_text_for_people() -> None:
    """`length` is one where a game is declared, and a number elsewhere."""
    same = "GAME = define_game(length={})", "BID = MOVES.verb('bid', label={}, said={})", "size = number(3, help={})"
    other = "few(s, length={})", "hand = per_seat(length={})", "deal(s, label={}, said={})"
    for line in same + other:
        one, two = (canonical(ast.parse(line.format(value, value))) for value in ("'short'", "'long'"))
        assert (one == two) == (line in same)


def test_variants_of_one_name_that_differ_in_what_they_say_of_moves_differ() -> None:
    """Their actions are not the same either."""
    kalooki = games.load("kalooki")
    few, many = (kalooki.variant("long-hands", most_moves=most) for most in (600, 700))
    assert few != many
    assert action_space(Setup(few)).size != action_space(Setup(many)).size
    spoken, told = SIXTY_SIX.notation.copy(), SIXTY_SIX.notation.copy()
    spoken.verb("wave", label="Wave", said="waves")
    told.verbs[-1] = replace(told.verbs[-1], label="Enough", said="says that it is enough")
    usual = SIXTY_SIX.variant("waving", most_moves=40)
    assert SIXTY_SIX.variant("waving", most_moves=40, notation=spoken) != usual
    assert SIXTY_SIX.variant("waving", most_moves=40, notation=told) == usual, "texts are no rules"


@rule
def put_attacks(s: Any, opt: Any, me: int, faces: Any, out: Any, n: int) -> int:
    """Nobody attacks."""
    return n


@rule
def put_discards(hand: Any, most: int, out: Any, n: int) -> int:
    """Everybody keeps all cards."""
    return int(put_discards(hand, 0, out, n))


@rule
def put_bids(out: Any, n: int, hand: Any) -> int:
    """Everybody bids with the first three cards."""
    return min(n + 1, put_bids(out, n, hand))


@rule
def choose(s: Any, opt: Any, me: int, moves: Any, n: int, luck: int) -> int:
    return int(moves[0])


@pytest.mark.parametrize(
    ("slug", "changed"), [("roundup", put_attacks), ("loo", put_discards), ("ninety-nine", put_bids)]
)
def test_random_players_of_a_variant_find_its_moves_where_the_game_counts_its_own(slug: str, changed: Any) -> None:
    """These games tell their moves a second time, without listing them."""
    game = games.load(slug)
    assert game.count_others is not None
    variant = game.variant("fewer", rules={changed.__name__: changed, "choose": choose})
    played: list[dict[str, Any]] = []
    simulate(Setup(variant), 3, 1, by="random", records=played.append)
    for record in played:
        assert records.replay(record, variant).done
    again = variant.variant("cheaper", most_moves=game.most_moves)
    assert again.count_others is None


@rule
def other_moves(s: Any, opt: Any, me: int, out: Any, n: int) -> int:
    return int(other_moves(s, opt, me, out, n))


def test_a_variant_that_counts_its_moves_is_not_asked_once_its_own_variant_lists_others() -> None:
    counts = games.load("roundup").variant(
        "counts", rules={"other_moves": other_moves, "count_others": count_others, "nth_other": nth_other}
    )
    assert counts.count_others is not None
    assert counts.variant("same", rules={"choose": choose}).count_others is not None
    assert counts.variant("fewer", rules={"put_attacks": put_attacks}).count_others is None


@rule
def count_others(s: Any, opt: Any, me: int, out: Any) -> int:
    return min(1, count_others(s, opt, me, out))


@rule
def nth_other(s: Any, opt: Any, me: int, out: Any, k: int) -> int:
    return int(nth_other(s, opt, me, out, k))


def test_moves_that_are_counted_otherwise_than_listed_are_noticed_before_compiled_code_plays() -> None:
    variant = games.load("roundup").variant("miscounted", rules={"count_others": count_others})
    with pytest.raises(UpcardError, match="`count_others` and `nth_other` have other moves than `other_moves`"):
        simulate(Setup(variant), 1, by="random")


def test_a_settled_option_is_none_of_a_short_match() -> None:
    assert OH_HELL.short == {"max_cards": 5}
    assert OH_HELL.variant("fives", options={"max_cards": number(5, clause="OH-3")}).short is None
    assert OH_HELL.variant("one-way", options={"order": number(0, clause="OH-3")}).short == OH_HELL.short


def test_a_sweep_over_a_number_compiles_once() -> None:
    sweep = [SIXTY_SIX.variant(f"enough-{number}", numbers={"enough": number}) for number in range(60, 80)]
    assert len({program(game).build for game in sweep}) == 1


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"rules": {"points_fro": double}}, r"has no rule 'points_fro' \(is 'points_for' meant\?\)"),
        ({"rules": {"points_for": never_barred}}, "points_for takes"),
        ({"numbers": {"maid": 20}}, "maid"),
        ({"numbers": {"pack": -1}}, "the number pack is a set of cards, a number with a bit for each, not -1"),
        ({"numbers": [("made", 20)]}, "numbers are a dictionary by their names, not a list"),
        ({"players": 4}, "players are a row of whole numbers"),
        ({"options": {"order": number(9, clause="OH-1")}}, "the option order is settled at 9, which rules never see"),
        ({"options": {"made": choice("a", "b", clause="OH-1", help="")}}, "made is declared twice"),
        ({"fields": {"bids": open_field()}}, "has a field bids already"),
        ({"fields": {"copy": open_field()}}, "a field cannot be called 'copy': name it otherwise"),
        ({"options": {"players": number(1, clause="OH-1")}}, "the name players is reserved in all options"),
        ({"colour": "red"}, "is none of what a variant says of itself"),
    ],
)
def test_what_would_be_changed_in_part_or_not_at_all_is_refused(change: Any, told: str) -> None:
    with pytest.raises(BadGame, match=told) as refused:
        OH_HELL.variant("odd", **change)
    assert "\n" not in str(refused.value)
    assert isinstance(refused.value, UpcardError)
    assert isinstance(refused.value, TypeError), "a declaration that cannot be"


def test_numbers_are_told_in_words_as_they_are_listed() -> None:
    """`upcard options` writes them so."""
    side = Side("sixty-six", None, [], "random")
    sweep = [*side.swept("value=A=11 T=10 K=4 Q=3 J=2,A=1").values()]
    assert [sum(setup.options.value) for setup in sweep] == [30, 1]  # type: ignore[attr-defined]
    packs = [setup.options.pack for setup in side.swept("pack=98765,AKQJT").values()]  # type: ignore[attr-defined]
    assert packs == [as_set(pack("98765")), as_set(pack("AKQJT"))]
    with pytest.raises(UpcardError, match="worths by rank, as in 'A=11 T=10', not 'x'"):
        side.swept("value=A=11 T=x,A=1")


def test_a_number_that_a_variant_has_in_place_of_an_option_is_told() -> None:
    """The game that it varies has no such number."""
    looser = games.load("schnapsen").variant("looser", numbers={"endplay": 0})
    told = "endplay is 0 (once suit must be followed, also head the trick and trump, SS-18)"
    assert told in differences(looser)
    assert told in Arm("looser", Setup(looser), "random").rules


def test_a_file_with_two_games_of_one_name_is_refused(tmp_path: Path) -> None:
    """And one that varies a variant which comes with Upcard is not."""
    file = tmp_path / "odd.py"
    begin = 'from upcard.games import load\none = load("schnapsen")\ntwo = one.variant("odd", numbers={"enough": 50})\n'
    file.write_text(begin)
    assert games.load_file(file).keys() == {"odd"}
    file.write_text(begin + 'three = one.variant("odd", numbers={"enough": 60})\n')
    with pytest.raises(games.UnknownGame, match="two games are called odd"):
        games.load_file(file)


def test_no_declared_number_has_a_literal_twin(game: Game) -> None:
    from upcard.rules.source import twins_of

    numbers = {name: number.value for name, number in game.options.numbers.items() if isinstance(number.value, int)}
    assert {name: found for name, value in numbers.items() if (found := list(twins_of(game, value)))} == {}


# ------------------------------------------------------------------------------------------------- compiled code


def played(game: Game, matches: int = 60) -> Summary:
    """Compiled matches at random."""
    return simulate(Setup(game, min(game.players)), matches, 1, by=["random"] * min(game.players))


def small(folder: Path, points: int | str = 1) -> Game:
    """The small game, in a file in this folder, with this many points for a trick."""
    folder.mkdir(exist_ok=True)
    text = (HERE / "small_game.py").read_text()
    (folder / "small_game.py").write_text(text.replace("+= opt.trick", f"+= {points} * opt.trick"))
    return games.load_file(folder / "small_game.py")["small-game"]


def test_an_edited_game_never_runs_old_code(tmp_path: Path) -> None:
    before = small(tmp_path)
    once = compiled_scores(before)
    after = small(tmp_path, 2)
    assert compiled_scores(after) == [2 * score for score in once]
    assert compiled_scores(before) == once
    assert before != after


def test_one_file_in_two_places_is_two_games(tmp_path: Path) -> None:
    one, two = small(tmp_path / "one"), small(tmp_path / "two")
    assert one.package != two.package
    assert one.identity == two.identity
    assert program(one).build != program(two).build
    assert compiled_scores(one) == compiled_scores(two)


def test_two_variants_of_one_name_are_two_games() -> None:
    one, two = (SMALL.variant("more", rules={"apply": dearer}) for dearer in (one_more, two_more))
    assert one != two
    assert one.apply.__module__ != two.apply.__module__
    assert [score + 5 for score in compiled_scores(one)] == compiled_scores(two)  # everybody plays five cards


def test_workers_play_the_same_variant() -> None:
    """In a process that is spawned, a setup loads the file in which its variant stands."""
    setups = [Setup(VARIANTS[name], 3) for name in ("stacked", "highest")]
    for setup in setups:
        assert pickle.loads(pickle.dumps(setup)) == setup
    with ProcessPoolExecutor(1, get_context("spawn")) as workers:
        found = list(workers.map(played, [setup.game for setup in setups], [20, 20]))
    assert found == [played(setup.game, 20) for setup in setups]


COLD = """
import sys
from compiled_deal import compiled_scores
from upcard import games
loaded = games.load_file(sys.argv[1] + "/small_game.py") | games.load_file(sys.argv[1] + "/dearer.py")
found = {slug: compiled_scores(loaded[slug]) for slug in sys.argv[2:]}
print(found["small-game"], found["dearer"])
"""
DEARER = """
from pathlib import Path
from typing import Any
from upcard.games import load_file
from upcard.rules import rule
SMALL = load_file(Path(__file__).with_name("small_game.py"))["small-game"]
@rule
def apply(s: Any, opt: Any, me: int, card: int) -> None:
    apply(s, opt, me, card)
    s.scores[s.dealer] += 1
DEARER = SMALL.variant("dearer", rules={"apply": apply})
"""


@pytest.mark.long
def test_processes_that_start_cold_at_once_compile_each_its_own_game(tmp_path: Path) -> None:
    """Base and variant in either order, at once, and once more from the disk."""
    small(tmp_path)
    (tmp_path / "dearer.py").write_text(DEARER)
    env = os.environ | {"PYTHONPATH": f"{SOURCE}{os.pathsep}{HERE}", "UPCARD_CACHE": str(tmp_path / "cache")}
    told = set()
    for times in (2, 1):
        started = [
            subprocess.Popen([sys.executable, "-c", COLD, tmp_path, *order], env=env, stdout=subprocess.PIPE, text=True)
            for order in (["small-game", "dearer"], ["dearer", "small-game"]) * times
        ]
        told |= {process.communicate()[0].strip() for process in started}
    tricks = compiled_scores(SMALL)
    assert sum(tricks) == 5
    assert told == {f"{tricks} {[tricks[0] + 10, tricks[1]]}"}  # a point for each of the ten cards, to the dealer


def test_what_was_made_in_a_notebook_is_told() -> None:
    """A cell keeps its source, but no other process finds it; at a prompt numbers are all that there is."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    exec(compile("def barred_bid(s, opt, me):\n    return -1\n", "<stdin>", "exec"), scope)
    with pytest.raises(BadGame, match="barred_bid has no source: write it in a file"):
        OH_HELL.variant("typed", rules={"barred_bid": scope["barred_bid"]})
    cheap = OH_HELL.variant("cheap", numbers={"made": 5})
    assert pickle.loads(pickle.dumps(cheap)) == cheap


def test_a_variant_from_a_cell_of_a_notebook_plays_where_it_was_made() -> None:
    """A notebook gives every cell a file name of its own, under which Python finds the lines of the cell."""
    cell = "def barred_bid(s, opt, me):\n    return 0\n"
    name = "cell 1.py"
    linecache.cache[name] = (len(cell), None, cell.splitlines(True), name)
    scope: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(cell, name, "exec"), scope)
    shy = OH_HELL.variant("shy", rules={"barred_bid": scope["barred_bid"]})
    match = Match(shy, chance=shuffler(1))
    assert [match.legal(seat) for seat in match.to_act] == [["bid 1"]] * 5
    with pytest.raises(Elsewhere, match="shy was made in a notebook or at a prompt, where other processes do not"):
        pickle.loads(pickle.dumps(shy))
    assert issubclass(Elsewhere, UpcardError)


# --------------------------------------------------------------------------------------------------- one identity


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
    source = "@rule\ndef size(s: State, n: int = 2) -> int:\n    '''Said.'''\n    return s.size[n] // -1  # why\n"
    assert canonical(ast.parse(source)) == STORED
    assert canonical(ast.parse(source.replace("Said.", "Said otherwise.").replace("  # why", ""))) == STORED


STORED = (
    "(Module body=[(FunctionDef args=(arguments args=[(arg arg='s') (arg arg='n')] defaults=[(Constant value=2)]) "
    "body=[(Return value=(BinOp left=(Subscript slice=(Name id='n') value=(Attribute attr='size' value=(Name id='s'))) "
    "op=(FloorDiv ) right=(UnaryOp op=(USub ) operand=(Constant value=1))))] name='size')])"
)
