"""Variants as compiled code, in other processes and in notebooks: each plays by its own rules, however it was made."""

import linecache
import os
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from compiled_deal import compiled_scores
from small_game import SmallGame, SmallState
from variant_games import HERE, PLAIN, SOURCE, VARIANTS, Again, played, scores, small

from upcard import Match, Setup, UpcardError, games, shuffler
from upcard.compiled.program import program
from upcard.games.oh_hell import OhHell
from upcard.games.pickling import NotImportable
from upcard.games.schnapsen import Schnapsen
from upcard.rules import BadGame, override
from upcard.rules.game import Game


def test_an_edited_game_never_runs_old_code(tmp_path: Path) -> None:
    before = small(tmp_path)
    once = compiled_scores(before)
    after = small(tmp_path, 2)
    assert compiled_scores(after) == [2 * score for score in once]
    assert compiled_scores(before) == once
    assert before.identity != after.identity
    assert Setup(before) != Setup(after)


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
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
        games.UnknownGame, match=r"test_variant_code.py has no game 'more': give it a name at the top level"
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
