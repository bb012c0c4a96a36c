"""Wrong arguments and mistakes in rules are reported in one line, where they are made."""

import copy
import json
import os
import pickle
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, assert_type, cast

import numpy as np
import pytest
from small_game import SmallGame, SmallState

from upcard import Match, Setup, UpcardError, envs, games, shuffler
from upcard.engine.errors import IllegalMove
from upcard.engine.worlds import world
from upcard.games import UnknownGame, outside
from upcard.games.oh_hell import OhHell
from upcard.games.oh_hell.rules import OhHellState
from upcard.lab.simulate import simulate
from upcard.laws import Law
from upcard.laws.worlds import worlds_agree
from upcard.players import player
from upcard.rules import PerSeat, override
from upcard.rules.game import Game
from upcard.rules.phrases import brief

SHIPPED = Path(games.__file__).parent
RARE = 53
"""A score that is too rare for the fault to be met when rules are tried out."""


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda match: match.view(9), "there is no seat 9: the seats are 0 to 1"),
        (lambda match: match.view("1"), "a seat is a whole number, not '1'"),
        (lambda match: match.actions(2), "there is no seat 2: the seats are 0 to 1"),
        (lambda match: match.history(9), "there is no seat 9: the seats are 0 to 1"),
        (lambda match: match.history(0, -1), "`since` is a whole number of events from 0 up, not -1"),
        (lambda match: match.history(0, "x"), "`since` is a whole number of events from 0 up, not 'x'"),
        (lambda match: match.legal(7), "there is no seat 7: the seats are 0 to 1"),
        (lambda match: match.legal_moves(-1), "there is no seat -1: the seats are 0 to 1"),
        (lambda match: match.told(2), "there is no seat 2: the seats are 0 to 1"),
        (lambda match: match.play(-1, "As"), "event 1: there is no seat -1 (SS-48)"),
        (lambda match: match.apply(-1, 0), "event 1: there is no seat -1 (SS-48)"),
        (lambda match: match.draw_lots(shuffler(1)), "no chance event is awaited"),
        (
            lambda _: Match("loo").draw_lots(cast(Any, 3)),
            "chance must be able to shuffle, like upcard.shuffler(), not 3",
        ),
        (lambda match: match.view(0).hand(2), "there is no seat 2: the seats are 0 to 1"),
        (lambda match: match.view(None).hand(-1), "there is no seat -1: the seats are 0 to 1"),
        (lambda match: match.apply("1", 0), "a seat is a whole number, not '1'"),
        (lambda match: match.in_world(3), "a world is a state of Sixty-Six, not 3"),
        (
            lambda _: Match("oh-hell", 3).in_world(Match("oh-hell", 5).state),
            "a world of this match has 3 players, not 5",
        ),
        (lambda _: Match("sixty-six").told(0), "nothing has happened yet"),
        (lambda _: Match("loo", options=cast(Any, 3)), "options are a dictionary of names and values, not 3 (LO-49)"),
        (
            lambda _: Match("loo", options=cast(Any, [])),
            "options are a dictionary of names and values, not a list (LO-49)",
        ),
        (
            lambda _: Match("loo", options=cast(Any, False)),
            "options are a dictionary of names and values, not false (LO-49)",
        ),
        (
            lambda match: world(match, Random(1)),
            "what a seat sees is a View, such as match.view(0), not a Match",
        ),
        (
            lambda match: player("casual").choose(match, Random(1)),
            "what a seat sees is a View, such as match.view(0), not a Match",
        ),
        (lambda _: Match("loo", chance=cast(Any, 3)), "chance must be able to shuffle, like upcard.shuffler(), not 3"),
        (
            lambda _: Match("loo", chance=cast(Any, Random)),
            "chance must be able to shuffle, like upcard.shuffler(), not a type",
        ),
        (lambda match: match.play("1", "As"), "a seat is a whole number, not '1'"),
        (lambda match: match.play(0, None), "a move is a text, not null"),
        (lambda match: match.legal_moves(None), "a seat is a whole number, not null"),
        (lambda match: match.view(0).allows(5), "a move is a text, not 5"),
        (lambda match: match.legal_moves(True), "a seat is a whole number, not true"),
        (lambda match: match.view(np.int64(9)), "there is no seat 9: the seats are 0 to 1"),
        (lambda match: match.view(np.float32(0)), "a seat is a whole number, not a float32"),
        (lambda match: match.apply(match.to_act[0], True), "an action is a whole number from 0 to 42, not true"),
        (lambda _: Match("loo", np.int64(99)), "Loo is for 5, 6, 7, 8, 9 or 10 players, not 99 (LO-1)"),
        (lambda _: Match("loo", True), "Loo is for 5, 6, 7, 8, 9 or 10 players, not true (LO-1)"),
        (lambda _: Match("loo", dealer=False), "the dealer is a seat from 0 to 5, not false (LO-5)"),
        (
            lambda _: Match("loo", options={"rounds": True}),
            "option rounds is a whole number from 1 to 10, not true (LO-41)",
        ),
        (lambda _: shuffler(cast(Any, [1])), "a seed is a whole number, not a list"),
        (lambda _: shuffler(cast(Any, "one")), "a seed is a whole number, not 'one'"),
        (lambda _: shuffler(cast(Any, 1.5)), "a seed is a whole number, not 1.5"),
        (lambda _: shuffler(True), "a seed is a whole number, not true"),
        (lambda _: Match(Setup("loo"), 3), "a setup has its players and options already"),
        (lambda _: Match(Setup("loo"), options={"rounds": 1}), "a setup has its players and options already"),
    ],
)
def test_wrong_arguments_are_told(call: Any, told: str) -> None:
    with pytest.raises(UpcardError) as refused:
        call(Match("sixty-six", chance=shuffler(1)))
    assert str(refused.value) == told


def test_numbers_of_numpy_are_numbers_and_leave_no_trace() -> None:
    """Seats, players and options in loops over arrays: records are JSON all the same."""
    plain = Match("oh-hell", 3, dealer=1, options={"max_cards": 2}, chance=shuffler(1))
    chance = shuffler(cast(Any, np.int64(1)))
    one: Any = Match("oh-hell", np.int64(3), dealer=np.uint8(1), options={"max_cards": np.int32(2)}, chance=chance)
    for seat in np.arange(3):
        assert one.view(seat) == plain.view(int(seat))
        assert type(one.view(seat).seat) is int
        assert one.view(None).hand(seat) == [None]
        assert one.history(seat, np.int64(1)) == plain.history(int(seat))[1:]
        assert (one.history(seat), one.told(seat)) == (plain.history(int(seat)), plain.told(int(seat)))
        assert (one.legal(seat), one.actions(seat)) == (plain.legal(int(seat)), plain.actions(int(seat)))
    for seat, action in zip(np.arange(3), np.array([next(iter(one.actions(seat))) for seat in range(3)]), strict=True):
        assert one.apply(seat, action) == plain.apply(int(seat), int(action))
    seat = np.int64(one.to_act[0])
    assert one.play(seat, one.legal(seat)[0]) == plain.play(int(seat), plain.legal(int(seat))[0])
    assert json.dumps(one.record()) == json.dumps(plain.record())
    tougher = games.load("sixty-six").variant("tougher", numbers={"enough": np.int64(70)})
    assert json.loads(json.dumps(tougher.identity))["numbers"] == {"enough": 70}


def test_a_generator_of_numpy_deals_and_draws() -> None:
    match, rng = Match("roundup", chance=np.random.default_rng(1)), Random(1)
    while not any(event.word == "draw" for event in match.events):
        seat = match.to_act[0]
        match.play(seat, rng.choice(match.legal(seat)))
    assert {type(card) for event in match.events for card in event.items} == {int}


def test_every_whole_number_is_a_seed_of_its_own() -> None:
    packs = [Match("sixty-six", chance=shuffler(seed)).record()["events"] for seed in (1, 1, -1, -1, 0)]
    assert packs[0] == packs[1] != packs[2] == packs[3]
    assert len({*map(str, packs)}) == 3


def test_a_fork_deals_from_a_generator_of_its_own() -> None:
    def next_deal(match: Match) -> str:
        while match.state.deals == 1:
            seat = match.to_act[0]
            match.play(seat, match.legal(seat)[0])
        return next(str(event) for event in match.events[::-1] if event.seat is None)

    def forks(match: Match) -> list[str]:
        return [next_deal(fork) for fork in (match.fork(), match.fork(), match.fork().fork())]

    alone, forked, again = (Match("sixty-six", chance=shuffler(4)) for _ in range(3))
    others = forks(forked)
    assert others == forks(again)
    assert next_deal(forked) == next_deal(again) == next_deal(alone)
    assert len({*others, next_deal(alone)}) == 4


def test_matches_views_and_games_pickle_and_compare() -> None:
    match = Match("oh-hell", 4, chance=shuffler(2))
    seen = match.view(1)
    assert pickle.loads(pickle.dumps(seen)) == seen
    assert len({seen, match.view(1), match.view(2)}) == 2
    assert pickle.loads(pickle.dumps(match.setup)) == match.setup
    assert pickle.loads(pickle.dumps(match.game)) is match.game
    assert copy.deepcopy(match.state) == match.state


def test_what_an_imported_game_of_ones_own_pickles_compares_equal() -> None:
    """Unpickling loads the file once more, so that the game and its state have other classes of the same names."""
    match = Match(SmallGame, chance=shuffler(2))
    for one in (match, match.view(0), match.state, match.setup, match.events[0]):
        assert pickle.loads(pickle.dumps(one)) == one


def test_a_setup_cannot_be_changed() -> None:
    """It is hashed, and was checked when it was made."""
    setup = Setup("oh-hell", 4, {"max_cards": 3})
    for name in ("players", "max_cards", "made", "anything"):
        with pytest.raises(AttributeError, match=f"a table's rules cannot be changed, `{name}` neither"):
            setattr(setup, name, 5)
    with pytest.raises(AttributeError, match="a table's rules cannot be changed"):
        del cast(Any, setup).max_cards
    assert {setup, Setup("oh-hell", 4, {"max_cards": 3}), Setup("oh-hell", 4)} == {setup, Setup("oh-hell", 4)}
    assert hash(setup) == hash(pickle.loads(pickle.dumps(setup)))


def test_the_repr_of_a_match_names_all_who_are_to_act() -> None:
    assert repr(Match("oh-hell", 3, chance=shuffler(1))).endswith(", phase bid, seats 0, 1 and 2 to act>")
    assert repr(Match("sixty-six", chance=shuffler(1))).endswith(", seat 1 to act>")


def test_a_copy_shares_nothing() -> None:
    """Not by `copy.copy` either: what is played in the copy leaves the match as it was."""
    match = Match("oh-hell", 4, chance=shuffler(2))
    before = match.record(), copy.deepcopy(match.state)
    other, state = copy.copy(match), copy.copy(match.state)
    other.play(other.to_act[0], other.legal(other.to_act[0])[0])
    state.hand[0] = 0
    assert (match.record(), match.state) == before


def odd_hell(tmp_path: Path, text: str, other: str) -> Path:
    """A copy of Oh Hell under another name, with another text in its rules."""
    home = Path(shutil.copytree(SHIPPED / "oh_hell", tmp_path / "odd_hell"))
    for file, before, after in (("__init__.py", "class OhHell(", "class OddHell("), ("rules.py", text, other)):
        source = (home / file).read_text()
        assert before in source
        (home / file).write_text(source.replace(before, after))
    return home


@pytest.mark.parametrize(
    ("text", "other", "told"),
    [
        ("s.bids[me] = tricks\n", "s.bidz[me] = tricks\n", "no `bidz` in the state (is `bids` meant?)"),
        (
            "self.made + tricks_bid",
            "self.maid + tricks_bid",
            "`self.maid` is no option, number or rule (is `made` meant?)",
        ),
        ("return deals + 1\n", "return len(listed(deals))\n", "size_of calls listed, which is no rule"),
    ],
)
def test_a_mistake_in_rules_is_told_when_they_are_loaded(tmp_path: Path, text: str, other: str, told: str) -> None:
    with pytest.raises(UnknownGame) as refused:
        games.load_file(odd_hell(tmp_path, text, other))
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


HERE = Path(__file__).parent
CLASS = "class SmallGame("
SIZE = "    size: int = number("
APPLY = "    @override\n    def apply("


def with_option(declared: str) -> str:
    """The beginning of the small game's numbers, with an option before them."""
    return with_number(f"{declared}clause='', help='')")


def with_number(declared: str) -> str:
    """The beginning of the small game's numbers, with another number before them."""
    return f"    top: int = {declared}\n{SIZE}"


def with_verb(items: str) -> str:
    """The beginning of the small game's class, after a verb with these items."""
    return f"Notation().verb('bid', '{items}', label='Bid', said='bids')\n\n\n{CLASS}"


@pytest.mark.parametrize(
    ("text", "other", "told"),
    [
        ("    @override\n    def deal(", "    def give(", "line 14: SmallGame has no rule `deal`: define it"),
        ("def deal(", "def give(", "line 27: SmallGame.give replaces nothing: take @override away, or name it"),
        (
            "    @override\n    def deal(",
            "    def deal(",
            "line 26: SmallGame.deal replaces a rule of Game: write @override above it, or rename it",
        ),
        (
            "def playable(self, s: SmallState, me: int)",
            "def playable(self, s: SmallState)",
            "line 36: SmallGame.playable takes (self, s), and in Game (self, s, me)",
        ),
        (
            "    @override\n    def deal(",
            "    @staticmethod\n    def deal(",
            "line 27: deal is no rule: write a method",
        ),
        (
            "return follows(s, me)",
            "return self.follows(s, me)",
            "line 37: in playable, `self.follows` is no option, numb",
        ),
        (
            "return follows(s, me)",
            "return super().follows(s, me)",
            "line 37: in SmallGame.playable, no class above has a rule follows",
        ),
        (
            "return follows(s, me)",
            "return super().playable(s, me)",
            "line 37: in SmallGame.playable, no class has a rule playable: Game only describes it",
        ),
        (
            "return follows(s, me)",
            "return self.over(s, 1)",
            "line 37: in SmallGame.playable, no class has a rule over: Game",
        ),
        (
            "s.phase = PLAY\n",
            "self.size = 3\n",
            "line 32: in SmallGame.deal, `self.size` is written to: what changes is in the state",
        ),
        ("player_counts = (2, 3)", "player_counts = (2, 4)", "4 may play, but its state has rows for 3: write seats=4"),
        ("(TrickState, seats=3)", "(TrickState)", "say for how many seats its state is"),
        ("(Game[SmallState])", "(Game)", "line 14: say what its states are, as in class SmallGame(Game[State])"),
        (
            '    pack: Cards = card_set("AKQJT", clause="", help="the cards that are played with")\n',
            "",
            "number `pack`",
        ),
        (SIZE, f"    top: int\n{SIZE}", "line 23: declare top, as in `top: int = number(1, clause=…)`"),
        (SIZE, with_number("1"), "line 23: SmallGame: top is no option or number: declare it, as in"),
        ("    hand: PerSeat = held()\n", "", "its state has no `hand`: declare"),
        (
            "    played: Cards = open_set()\n",
            "    copy: Cards = open_set()\n",
            "something else called so",
        ),
        ("    worth: int = number(", "    players: int = number(", "every game has something else called players"),
        ("    worth: int = number(", "    chosen: int = number(", "every game has something else called chosen"),
        ("    worth: int = number(", "    trick: int = number(", "trick is an option or a number, and a rule of Game"),
        ("    hand: PerSeat = held()\n", "    hand: PerSeat = held(length=-3)\n", "and so is a length, from 0 up"),
        ("most_moves = 5", "most_moves = 10**9", "most_moves is a whole number from 1 to 65536, not 1000000000"),
        ("    most_moves = 5\n", "", "line 14: SmallGame needs `most_moves`, as in most_moves = 50"),
        (
            "most_moves = 5",
            "most_move = 5",
            "line 19: SmallGame: most_move is no option or number (is 'most_moves' meant?)",
        ),
        ("most_moves = 5", "most_moves = 5\n    short = {'tops': 1}", "line 20: short has 'tops', which is no option"),
        (
            "phases = PHASES",
            "phases = PHASES\n    speech = {99: None}",
            "speech has 99, which is no verb of the notation",
        ),
        (
            "phases = PHASES",
            'phases = PHASES\n    speech = {0: Speech("shout", "Here")}',
            "the speech of '' is None or Speech(kind, text), with one of the kinds bid, pass, call",
        ),
        (
            "phases = PHASES",
            'phases = PHASES\n    speech = {0: Speech("call", "{1}")}',
            "the speech of '' asks for more than its items: '{1}'",
        ),
        ("phases = PHASES", "phases = 3", "line 20: phases is a row of words, as in words('deal play done'), not 3"),
        ("phases = PHASES", "hand = 3", "line 20: hand is made by Holding, as in Holding('hand'), not 3"),
        ('title = "Small Game"', "title = 3", "line 17: title is a text, not 3"),
        ("s.phase = PLAY\n", "s.phase, *rest = PLAY, 1\n", "line 32: in deal, `*` before a value cannot be compiled"),
        ("    s.phase = PLAY\n", "    s.phaze = PLAY\n", "no `phaze` in the state (is `phase` meant?)"),
        ('    title = "Small Game"\n', "", "has no game: write a class with a title in it"),
        ("def apply(", "def apply(:", "small_game.py: line 40: "),
        (
            APPLY,
            "    @override\n    def new_stock(self, s, sizes, notices):\n        return None\n\n"
            f"    @override\n    def known_counts(self, s):\n        return ()\n\n{APPLY}",
            "`new_stock` cannot be combined with `known_counts` or `hand_histories`",
        ),
        (
            CLASS,
            f"class Again(Game[SmallState]):\n    title = 'Again'\n\n\n{CLASS}",
            "line 14: Again needs `player_counts`",
        ),
        ('title = "Small Game"', 'title = "Small Game"\n    slug = "loo"', "a game called loo comes with Upcard"),
        (
            'title = "Small Game"',
            'title = "Small Game"\n    slug = "A b"',
            "line 18: a slug is of small letters, digits",
        ),
        (
            "player_counts = (2, 3)",
            "player_counts = (1, 2, 3)",
            "player_counts are a row of whole numbers from 2 to 10",
        ),
        ("player_counts = (2, 3)", "player_counts = ()", "player_counts are a row of whole numbers from 2 to 10"),
        (SIZE, with_option("whole(1, 0, 10**30, "), "the option top can be too large a number: options are below"),
        (SIZE, with_option("whole(1, lambda players: -(10**30), 2, "), "the option top can be too large a number"),
        (SIZE, with_option('digits("1", 19, '), "the option top can be too large a number"),
        (SIZE, with_option("whole(1, 0, 1 << 40, "), "the option top can be too large a number"),
        (SIZE, with_option("choice(1, 10**30, "), "the option top can be too large a number"),
        (SIZE, with_number("derived(lambda self: 1 << 63)"), "cannot be worked out for 2 players: cards, as texts"),
        (SIZE, with_number("table_of([1, 1 << 40], clause='')"), "between -2**40 and 2**40, not 1099511627776"),
        (CLASS, with_verb("suit+"), "verb 'bid': 'suit+' is no kind of item here (there are: card, suit, rank"),
        (CLASS, with_verb("card card+"), "verb 'bid': 'card+' is no kind of item here"),
        (CLASS, with_verb("number " * 9), "verb 'bid' has 9 items: a move has room for 8"),
        (CLASS, f"GAME = define_game(__name__, title='Old')\n\n\n{CLASS}", "define_game is no more: a game is a class"),
    ],
)
def test_a_mistake_in_a_single_file_is_told_in_one_line(tmp_path: Path, text: str, other: str, told: str) -> None:
    with pytest.raises(UnknownGame) as refused:
        small(tmp_path, text, other)
    assert isinstance(refused.value, UpcardError)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_that_cannot_be_loaded_is_told_in_one_line_and_skipped(
    tmp_path: Path, monkeypatch: Any, caplog: Any
) -> None:
    (tmp_path / "ending.py").write_text("import sys\n\nsys.exit()\n")
    (tmp_path / "suffixless").write_text((HERE / "small_game.py").read_text())
    unreadable = tmp_path / "unreadable"
    (unreadable / "folder.py").mkdir(parents=True)
    (unreadable / "__init__.py").touch()
    files = [tmp_path / "ending.py", tmp_path / "suffixless", unreadable, tmp_path / ("long" * 100)]
    for file in files:
        shown = str(file) if len(str(file)) < 400 else brief(str(file))
        with pytest.raises(UnknownGame, match=re.escape(shown)) as refused:
            games.load_file(file)
        assert "\n" not in str(refused.value)
    monkeypatch.setenv("UPCARD_GAMES", os.pathsep.join(map(str, files)))
    assert games.names() == [*games.SLUGS, *games.VARIANTS]
    assert len(caplog.records) == len(files)


def test_an_installed_game_that_cannot_be_loaded_is_skipped(tmp_path: Path, monkeypatch: Any, caplog: Any) -> None:
    (tmp_path / "ending_game.py").write_text("raise SystemExit\n")
    package = tmp_path / "ending_game-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Name: ending-game\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text(f"[{outside.GROUP}]\nending = ending_game:Ending\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert outside._installed.__wrapped__() == {}
    assert caplog.messages == ["the installed game ending cannot be loaded: this would end the program"]


def small(folder: Path, text: str, other: str) -> type[Game]:
    """The small game with something in its file replaced."""
    source = (HERE / "small_game.py").read_text()
    assert text in source
    (folder / "small_game.py").write_text(source.replace(text, other, 1))
    [game] = games.load_file(folder / "small_game.py").values()
    return game


def play(game: type[Game], matches: int = 1) -> None:
    """Some matches in plain Python."""
    for seed in range(1, matches + 1):
        match = Match(game, chance=shuffler(seed))
        while not match.done:
            seat = match.to_act[0]
            match.play(seat, match.legal(seat)[0])


def play_compiled(game: type[Game]) -> None:
    """Some matches in compiled loops."""
    simulate(Setup(game), 300, 1, by=["random"] * 2)


def step_compiled(game: type[Game]) -> None:
    """Some matches in an environment of many tables."""
    env = envs.vector(game, tables=64)
    mask = env.reset(seed=1).mask
    for _ in range(100):
        mask = env.step(mask.argmax(axis=1)).mask


@pytest.mark.parametrize("compiled", [False, True])
def test_too_small_a_number_of_moves_is_told_plain_and_compiled(tmp_path: Path, compiled: bool) -> None:
    game = small(tmp_path, "most_moves = 5", "most_moves = 2")
    with pytest.raises(UpcardError, match="has more than most_moves=2 moves in the phase") as told:
        simulate(Setup(game), 5, 1, by=["random"] * 2) if compiled else play(game)
    assert "\n" not in str(told.value)


EIGHT_PACKS = """
    @override
    def cards_to_shuffle(self, s, out):
        n = 0
        for _ in range(8):
            n = put_cards(out, n, self.pack)
        return n

"""


def test_more_cards_than_a_chance_event_can_have_are_told(tmp_path: Path) -> None:
    game = small(tmp_path, APPLY, f"{EIGHT_PACKS}{APPLY}")
    told = "small-game: `cards_to_shuffle` lists more than 128 cards, which is too many for one chance event"
    with pytest.raises(UpcardError, match=told):
        play(game)


def test_a_stock_that_no_field_counts_is_not_reported(tmp_path: Path) -> None:
    source = (HERE / "small_game.py").read_text()
    (tmp_path / "stocked.py").write_text(source.replace("undealt", "stock"))
    match = Match(games.load_file(tmp_path / "stocked.py")["small-game"], chance=shuffler(1))
    assert match.state.stock.bit_count() == 10
    assert match.report()["stock"] is None


@pytest.mark.parametrize("go", [lambda game: play(game, 100), play_compiled, step_compiled])
def test_a_match_that_nobody_wins_is_told(tmp_path: Path, go: Callable[[type[Game]], None]) -> None:
    """Where it happens seldom, too: not in what is tried out before rules are compiled."""
    game = small(tmp_path, "highest_scores(s)\n", "0 if s.scores[0] == 5 else highest_scores(s)\n")
    with pytest.raises(UpcardError, match="small-game: the match is over and nobody has won it: set `winners`"):
        go(game)


@pytest.mark.parametrize(
    ("text", "other", "told"),
    [
        ("phase = DONE", "phase = PLAY", "nobody is to act and no chance event is awaited in the phase 'play': set"),
        ("highest_scores(s)\n", "only(s.players)\n", "`winners` names a seat that does not exist: see where it is set"),
    ],
)
def test_a_match_that_ends_oddly_is_told(tmp_path: Path, text: str, other: str, told: str) -> None:
    with pytest.raises(UpcardError, match=f"small-game: {told}"):
        play(small(tmp_path, text, other))


@pytest.mark.parametrize("compiled", [False, True])
def test_a_field_of_a_deal_that_nobody_clears_is_told(tmp_path: Path, compiled: bool) -> None:
    """The cards of the deal before are still there."""
    game = games.load_file(odd_hell(tmp_path, "open_set()  # the cards played in this deal", "open_set(kept=True)"))[
        "odd-hell"
    ]
    told = "is in two places after the deal: `played` is kept from the one before: declare it without `kept=True`"
    with pytest.raises(UpcardError, match=told):
        simulate(Setup(game), 5, 1, by=["random"] * 5) if compiled else play(game)


def test_a_refusal_need_not_reckon_with_seats_that_are_not_at_the_table(tmp_path: Path) -> None:
    looks = "    @override\n    def refusal(self, s, me, attempt):\n        yield 'SG-2', s.hand[me] >= 0\n\n"
    match = Match(small(tmp_path, APPLY, f"{looks}{APPLY}"), chance=shuffler(1))
    for event, told in (("0 2c", "(SG-2)"), ("7 2c", "event 1: there is no seat 7"), ("2 2c", "there is no seat 2")):
        with pytest.raises(IllegalMove, match=re.escape(told)):
            match.event(event)


def test_a_verb_without_words_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnknownGame, match="'label' and 'said'"):
        small(tmp_path, CLASS, f'MOVES = Notation()\nPASS = MOVES.verb("pass")\n\n\n{CLASS}')


def test_what_is_missing_is_said_once(tmp_path: Path, monkeypatch: Any, caplog: Any) -> None:
    file = tmp_path / "bare_game.py"
    file.write_text((HERE / "small_game.py").read_text().replace("class SmallGame", "class BareGame"))
    monkeypatch.setenv("UPCARD_GAMES", str(file))
    for _ in range(3):
        assert games.load("bare-game").title == "Small Game"
    told = [record.getMessage() for record in caplog.records if "bare-game" in record.getMessage()]
    assert told == [
        "bare-game has no page of rules (rulebook.md) and no heuristic (casual computer players move at random)"
    ]


def test_what_stands_at_a_prompt_says_what_it_is() -> None:
    match = Match("oh-hell", 4, chance=shuffler(2))
    assert repr(match.game) == "<Game oh-hell: Oh Hell, 3 to 7 players>"
    assert repr(match.setup) == "<Setup oh-hell, 4 players>"
    for one in (match, match.view(1), match.state):
        assert repr(one) and " object at 0x" not in repr(one)
    assert str(match).splitlines()[1:] == [">0     0  10♦", ">1     0  4♦", ">2     0  5♥", ">3     0  J♣"]
    assert {match.game: 1}[games.load("oh-hell")] == 1
    assert {match.setup: 1}[Setup("oh-hell", 4)] == 1


def test_type_checkers_know_the_state_of_a_game() -> None:
    game: type[OhHell] = OhHell
    match = Match(game)
    assert_type(Match(SmallGame).state, SmallState)
    assert_type(OhHell(4), OhHell[OhHellState])
    assert_type(match.state, OhHellState)
    assert_type(match.state.bids, PerSeat)


def test_a_heuristic_beyond_its_moves_is_told_before_it_is_compiled(tmp_path: Path) -> None:
    """Machine code would read whatever lies there."""
    peek = "    @override\n    def choose(self, s, me, moves, n, luck):\n        return moves[luck]\n\n"
    game = small(tmp_path, APPLY, f"{peek}{APPLY}")
    with pytest.raises(UpcardError, match="in choose: a row has no such place"):
        simulate(Setup(game), 5, 1, by=["heuristic"] * 2)


def test_what_cannot_be_compiled_is_told_in_one_line(tmp_path: Path) -> None:
    game = small(tmp_path, "s.phase = PLAY", "s.phase = self.worth.__abs__()")
    with pytest.raises(UpcardError) as refused:
        simulate(Setup(game), 5, 1, by=["random"] * 2)
    reason = "this cannot be compiled: Unknown attribute '__abs__' of type int64"
    assert str(refused.value) == f"small_game.py, line 32: {reason}"


def test_what_a_world_lacks_is_told(tmp_path: Path) -> None:
    """Without `complete` nobody has bid in it but the seat that imagines it."""
    source = (HERE / "small_game.py").read_text()
    for text, other in (
        ("    played: Cards = open_set()\n", "    played: Cards = open_set()\n    bid: PerSeat = sealed(until=2)\n"),
        ("s.phase = PLAY\n", "for seat in range(s.players):\n            s.bid[seat] = 1\n        s.phase = PLAY\n"),
        ("+= self.worth\n", "+= self.worth // s.bid[taker]\n"),
    ):
        assert text in source
        source = source.replace(text, other, 1)
    (tmp_path / "sealed_game.py").write_text(source)
    [game] = games.load_file(tmp_path / "sealed_game.py").values()
    told = str(Law(worlds_agree).verdict(game).broken)
    assert "in a world sampled for" in told and "`complete` adds to a world" in told


def test_a_world_in_which_a_seat_leads_what_it_lacks_is_told(tmp_path: Path) -> None:
    """The leader is known to hold the card that must be led, and no hypothesis says so."""
    source = (HERE / "small_game.py").read_text()
    for text, other in (
        ('"AKQJT"', '"AKQJT9"'),
        ("number(5,", "number(8,"),
        ("player_counts = (2, 3)\n    most_moves = 5", "player_counts = (3,)\n    most_moves = 8"),
        (
            "        take_lead(s, left_of(s, s.dealer))\n",
            "        for seat in range(s.players):\n"
            "            if s.hand[seat] & bit(51):\n"
            "                take_lead(s, seat)\n",
        ),
        ("return follows(s, me)\n", "return follows(s, me) if s.played else bit(51)\n"),
    ):
        assert text in source
        source = source.replace(text, other, 1)
    (tmp_path / "leading_game.py").write_text(source)
    [game] = games.load_file(tmp_path / "leading_game.py").values()
    told = str(Law(worlds_agree).verdict(game).broken)
    assert "may play A♠, which it does not have" in told and "`hypotheses`" in told


class DividesByZero(OhHell):
    title = "Rarely wrong"

    @override
    def end_deal(self, s: OhHellState) -> None:
        super().end_deal(s)
        if s.scores[0] == RARE:
            s.scores[1] += 100 // (s.scores[0] - RARE)


class TakesTheRest(OhHell):
    title = "Rarely wrong"

    @override
    def end_deal(self, s: OhHellState) -> None:
        super().end_deal(s)
        if s.scores[0] == RARE:
            s.scores[1] += 100 % (s.scores[0] - RARE)


class LooksBeyond(OhHell):
    title = "Rarely wrong"

    @override
    def end_deal(self, s: OhHellState) -> None:
        super().end_deal(s)
        if s.scores[0] == RARE:
            s.scores[1] += s.bids[s.scores[0]]


def step_at_random(game: type[Game[Any]]) -> None:
    env, luck = envs.vector(game, tables=64, seed=1), np.random.default_rng(1)
    shown = env.reset()
    for _ in range(3000):
        shown = env.step((luck.random(shown.mask.shape) * shown.mask).argmax(axis=1))


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (DividesByZero, "a rule divides by 0"),
        (TakesTheRest, "a rule divides by 0"),
        (LooksBeyond, "a rule uses a place that a row does not have"),
    ],
)
def test_compiled_rules_from_outside_stop_where_plain_python_would(wrong: type[OhHell], told: str) -> None:
    with pytest.raises(UpcardError, match=f"^{wrong.slug}: {told}$"):
        simulate(Setup(wrong), 500, 1, by=["random"] * 5)
    with pytest.raises(UpcardError, match=f"^{wrong.slug}: {told}$"):
        step_at_random(wrong)
