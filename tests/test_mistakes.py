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
from small_game import GAME as SMALL

from upcard import Match, Setup, UpcardError, envs, games, shuffler
from upcard.engine.errors import IllegalMove
from upcard.engine.worlds import world
from upcard.games import UnknownGame, oh_hell, outside
from upcard.games.oh_hell.rules import end_deal
from upcard.lab.simulate import simulate
from upcard.laws import Law
from upcard.laws.worlds import worlds_agree
from upcard.players import player
from upcard.rules import Game, PerSeat

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
        (lambda match: match.history(0, -1), "a history is since a whole number of events from 0 up, not -1"),
        (lambda match: match.history(0, "x"), "a history is since a whole number of events from 0 up, not 'x'"),
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
    """Unpickling loads the file once more, so that the state has another class of the same name."""
    match = Match(SMALL, chance=shuffler(2))
    for one in (match, match.view(0), match.state, match.setup, match.events[0]):
        assert pickle.loads(pickle.dumps(one)) == one


def test_a_setup_cannot_be_changed() -> None:
    """It is hashed, and was checked when it was made."""
    setup = Setup("oh-hell", 4, {"max_cards": 3})
    with pytest.raises(AttributeError, match="a setup cannot be changed"):
        cast(Any, setup).players = 5
    with pytest.raises(AttributeError, match="options cannot be changed"):
        cast(Any, setup.options).max_cards = 5
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


@pytest.mark.parametrize(
    ("text", "other", "told"),
    [
        ("s.bids[me] = tricks\n", "s.bidz[me] = tricks\n", "no `bidz` in the state (is `bids` meant?)"),
        ("opt.made + tricks_bid", "opt.maid + tricks_bid", "no `maid` in the options (is `made` meant?)"),
        ("return deals + 1\n", "return len(listed(deals))\n", "size_of calls listed, which is no rule"),
    ],
)
def test_a_mistake_in_rules_is_told_when_they_are_loaded(tmp_path: Path, text: str, other: str, told: str) -> None:
    home = Path(shutil.copytree(SHIPPED / "oh_hell", tmp_path / "odd_hell"))
    rules = home / "rules.py"
    assert text in rules.read_text()
    rules.write_text(rules.read_text().replace(text, other))
    with pytest.raises(UnknownGame) as refused:
        games.load_file(home)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


HERE = Path(__file__).parent
OPTIONS = "class Opt(Options):\n"


def with_option(declared: str) -> str:
    """The beginning of the small game's options, with one more."""
    return with_number(f"{declared}clause='', help='')")


def with_number(declared: str) -> str:
    """The beginning of the small game's options, with one more number."""
    return f"from upcard.rules import *\n\n\n{OPTIONS}    top: int = {declared}\n"


def with_verb(items: str) -> str:
    """The beginning of the small game's options, after a verb with these items."""
    verb = f"Notation().verb('bid', '{items}', label='Bid', said='bids')"
    return f"from upcard.rules import *\n\n{verb}\n\n\n{OPTIONS}"


@pytest.mark.parametrize(
    ("text", "other", "told"),
    [
        ("def deal(", "def give(", "there is no rule `deal`: define it"),
        (
            "def playable(s: State, opt: Opt, me: int)",
            "def playable(s: State, me: int)",
            "takes (s, opt, me), not (s, me)",
        ),
        ("players=(2, 3)", "players=(2, 4)", "4 may play, but its state has rows for 3: write seats=4"),
        ("(TrickState, seats=3)", "(TrickState)", "say for how many seats its state is"),
        (
            '    pack: Cards = card_set("AKQJT", clause="", help="the cards that are played with")\n',
            "",
            "number `pack`",
        ),
        ("    hand: PerSeat = held()\n", "", "its state has no `hand`: declare"),
        (
            "    played: Cards = open_set()\n",
            "    copy: Cards = open_set()\n",
            "something else called so",
        ),
        ("    trick: int = number(", "    players: int = number(", "the name players is reserved in all options"),
        ("    trick: int = number(", "    chosen: int = number(", "the name chosen is reserved in all options"),
        ("    hand: PerSeat = held()\n", "    hand: PerSeat = held(length=-3)\n", "and so is a length, from 0 up"),
        ("most_moves=5", "most_moves=10**9", "most_moves is a whole number from 1 to 65536, not 1000000000"),
        ('title="Small Game", ', 'title="Small Game", colour="red", ', "a game has no 'colour'"),
        ("    s.phase = PLAY\n", "    s.phaze = PLAY\n", "no `phaze` in the state (is `phase` meant?)"),
        ("GAME = define_game", "define_game", "has no game: call `GAME = define_game(__name__, …)`"),
        ("def apply(", "def apply(:", "small_game.py, line"),
        (
            "def apply(",
            "def new_stock(s, opt, sizes, told):\n    pass\n\n\ndef known_counts(s, opt):\n    pass\n\n\ndef apply(",
            "`new_stock` cannot be combined with `known_counts` or `hand_histories`",
        ),
        ('title="Small Game"', 'title="Small Game", slug="loo"', "a game called loo comes with Upcard"),
        ("players=(2, 3)", "players=(1, 2, 3)", "players are a row of whole numbers from 2 to 10"),
        (OPTIONS, with_option("whole(1, 0, 10**30, "), "the option top can be too large a number: options are below"),
        (OPTIONS, with_option("whole(1, lambda players: -(10**30), 2, "), "the option top can be too large a number"),
        (OPTIONS, with_option('digits("1", 19, '), "the option top can be too large a number"),
        (OPTIONS, with_option("whole(1, 0, 1 << 40, "), "the option top can be too large a number"),
        (OPTIONS, with_option("choice(1, 10**30, "), "the option top can be too large a number"),
        (OPTIONS, with_number("derived(lambda opt: 1 << 63)"), "cannot be worked out for 2 players: cards, as texts"),
        (OPTIONS, with_number("table_of([1, 1 << 40], clause='')"), "between -2**40 and 2**40, not 1099511627776"),
        (OPTIONS, with_verb("suit+"), "verb 'bid': 'suit+' is no kind of item here (there are: card, suit, rank"),
        (OPTIONS, with_verb("card card+"), "verb 'bid': 'card+' is no kind of item here"),
        (OPTIONS, with_verb("number " * 9), "verb 'bid' has 9 items: a move has room for 8"),
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
        with pytest.raises(UnknownGame, match=re.escape(f"{file}")) as refused:
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
    (package / "entry_points.txt").write_text(f"[{outside.GROUP}]\nending = ending_game:GAME\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert outside._installed.__wrapped__() == {}
    assert caplog.messages == ["the installed game ending cannot be loaded: this would end the program"]


def small(folder: Path, text: str, other: str) -> Game:
    """The small game with something in its file replaced."""
    source = (HERE / "small_game.py").read_text()
    assert text in source
    (folder / "small_game.py").write_text(source.replace(text, other, 1))
    [game] = games.load_file(folder / "small_game.py").values()
    return game


def play(game: Game, matches: int = 1) -> None:
    """Some matches in plain Python."""
    for seed in range(1, matches + 1):
        match = Match(game, chance=shuffler(seed))
        while not match.done:
            seat = match.to_act[0]
            match.play(seat, match.legal(seat)[0])


def play_compiled(game: Game) -> None:
    """Some matches in compiled loops."""
    simulate(Setup(game), 300, 1, by=["random"] * 2)


def step_compiled(game: Game) -> None:
    """Some matches in an environment of many tables."""
    env = envs.vector(game, tables=64)
    mask = env.reset(seed=1).mask
    for _ in range(100):
        mask = env.step(mask.argmax(axis=1)).mask


@pytest.mark.parametrize("compiled", [False, True])
def test_too_small_a_number_of_moves_is_told_plain_and_compiled(tmp_path: Path, compiled: bool) -> None:
    game = small(tmp_path, "most_moves=5", "most_moves=2")
    with pytest.raises(UpcardError, match="has more than most_moves=2 moves in the phase") as told:
        simulate(Setup(game), 5, 1, by=["random"] * 2) if compiled else play(game)
    assert "\n" not in str(told.value)


EIGHT_PACKS = """
from upcard.rules import put_cards


@rule
def cards_to_shuffle(s, opt, out):
    n = 0
    for _ in range(8):
        n = put_cards(out, n, opt.pack)
    return n


"""


def test_more_cards_than_a_chance_event_can_have_are_told(tmp_path: Path) -> None:
    game = small(tmp_path, "@rule\ndef deal(", f"{EIGHT_PACKS}@rule\ndef deal(")
    told = "small-game: `cards_to_shuffle` lists more than 128 cards, which is too many for one chance event"
    with pytest.raises(UpcardError, match=told):
        play(game)


def test_a_stock_that_no_field_counts_is_not_reported(tmp_path: Path) -> None:
    source = (HERE / "small_game.py").read_text()
    (tmp_path / "stocked.py").write_text(source.replace("undealt", "stock"))
    match = Match(games.load_file(tmp_path / "stocked.py")["stocked"], chance=shuffler(1))
    assert match.state.stock.bit_count() == 10
    assert match.report()["stock"] is None


@pytest.mark.parametrize("go", [lambda game: play(game, 100), play_compiled, step_compiled])
def test_a_match_that_nobody_wins_is_told(tmp_path: Path, go: Callable[[Game], None]) -> None:
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
    home = Path(shutil.copytree(SHIPPED / "oh_hell", tmp_path / "odd_hell"))
    rules = home / "rules.py"
    rules.write_text(rules.read_text().replace("open_set()  # in this deal", "open_set(kept=True)"))
    game = games.load_file(home)["odd-hell"]
    told = "lies in two places after the deal: `played` is kept from the one before: declare it without `kept=True`"
    with pytest.raises(UpcardError, match=told):
        simulate(Setup(game), 5, 1, by=["random"] * 5) if compiled else play(game)


def test_a_refusal_need_not_reckon_with_seats_that_are_not_at_the_table(tmp_path: Path) -> None:
    looks = "def refusal(s, opt, me, said):\n    yield 'SG-2', s.hand[me] >= 0\n\n\nGAME ="
    match = Match(small(tmp_path, "GAME =", looks), chance=shuffler(1))
    for event, told in (("0 2c", "(SG-2)"), ("7 2c", "event 1: there is no seat 7"), ("2 2c", "there is no seat 2")):
        with pytest.raises(IllegalMove, match=re.escape(told)):
            match.event(event)


def test_a_verb_without_words_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnknownGame, match="'label' and 'said'"):
        small(
            tmp_path,
            "class Opt(",
            'from upcard.rules import Notation\n\nMOVES = Notation()\nPASS = MOVES.verb("pass")\n\n\nclass Opt(',
        )


def test_what_is_missing_is_said_once(tmp_path: Path, monkeypatch: Any, caplog: Any) -> None:
    file = shutil.copy(HERE / "small_game.py", tmp_path / "bare_game.py")
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
    assert str(match).count("\n") > 1
    assert {match.game: 1}[games.load("oh-hell")] == 1
    assert {match.setup: 1}[Setup("oh-hell", 4)] == 1


def test_type_checkers_know_the_state_of_a_game() -> None:
    match = Match(oh_hell.GAME)
    assert_type(match.state, oh_hell.rules.OhHellState)
    assert_type(match.state.bids, PerSeat)


def test_a_heuristic_beyond_its_moves_is_told_before_it_is_compiled(tmp_path: Path) -> None:
    """Machine code would read whatever lies there."""
    peek = "@rule\ndef choose(s, opt, me, moves, n, luck):\n    return moves[luck]\n\n\n"
    game = small(tmp_path, "GAME =", f"{peek}GAME =")
    with pytest.raises(UpcardError, match="in choose: a row has no such place"):
        simulate(Setup(game), 5, 1, by=["heuristic"] * 2)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("s.phase = opt.trick.__abs__()", "Unknown attribute '__abs__' of type int64"),
        ("s.phase, *rest = PLAY, 1", "Use of unsupported opcode (UNPACK_EX) found."),
    ],
)
def test_what_cannot_be_compiled_is_told_in_one_line(tmp_path: Path, line: str, told: str) -> None:
    game = small(tmp_path, "s.phase = PLAY", line)
    with pytest.raises(UpcardError) as refused:
        simulate(Setup(game), 5, 1, by=["random"] * 2)
    assert str(refused.value) == f"small_game.py, line 52: this cannot be compiled: {told}"


def test_what_a_world_lacks_is_told(tmp_path: Path) -> None:
    """Without `complete` nobody has bid in it but the seat that imagines it."""
    source = (HERE / "small_game.py").read_text()
    for text, other in (
        ("    rule,\n", "    rule,\n    sealed,\n"),
        ("    played: Cards = open_set()\n", "    played: Cards = open_set()\n    bid: PerSeat = sealed(until=2)\n"),
        ("    s.phase = PLAY\n", "    for seat in range(s.players):\n        s.bid[seat] = 1\n    s.phase = PLAY\n"),
        ("+= opt.trick\n", "+= opt.trick // s.bid[taker]\n"),
    ):
        assert text in source
        source = source.replace(text, other, 1)
    (tmp_path / "sealed_game.py").write_text(source)
    [game] = games.load_file(tmp_path / "sealed_game.py").values()
    told = str(Law(worlds_agree).verdict(game).broken)
    assert "in a world imagined by" in told and "`complete` gives a world" in told


def test_a_world_in_which_a_seat_leads_what_it_lacks_is_told(tmp_path: Path) -> None:
    """The leader is known to hold the card that must be led, and no hypothesis says so."""
    source = (HERE / "small_game.py").read_text()
    for text, other in (
        ('"AKQJT"', '"AKQJT9"'),
        ("number(5,", "number(8,"),
        ("players=(2, 3), most_moves=5", "players=(3,), most_moves=8"),
        (
            "    take_lead(s, left_of(s, s.dealer))\n",
            "    for seat in range(s.players):\n        if s.hand[seat] & bit(51):\n            take_lead(s, seat)\n",
        ),
        ("return follows(s, me)\n", "return follows(s, me) if s.played else bit(51)\n"),
    ):
        assert text in source
        source = source.replace(text, other, 1)
    (tmp_path / "leading_game.py").write_text(source)
    [game] = games.load_file(tmp_path / "leading_game.py").values()
    told = str(Law(worlds_agree).verdict(game).broken)
    assert "may play A♠, which it does not have" in told and "`hypotheses`" in told


def divide(s: Any, opt: Any) -> None:
    end_deal(s, opt)
    if s.scores[0] == RARE:
        s.scores[1] += 100 // (s.scores[0] - RARE)


def take_the_rest(s: Any, opt: Any) -> None:
    end_deal(s, opt)
    if s.scores[0] == RARE:
        s.scores[1] += 100 % (s.scores[0] - RARE)


def look_beyond(s: Any, opt: Any) -> None:
    end_deal(s, opt)
    if s.scores[0] == RARE:
        s.scores[1] += s.bids[s.scores[0]]


def step_at_random(game: Game[Any]) -> None:
    env, luck = envs.vector(game, tables=64, seed=1), np.random.default_rng(1)
    shown = env.reset()
    for _ in range(3000):
        shown = env.step((luck.random(shown.mask.shape) * shown.mask).argmax(axis=1))


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (divide, "a rule divides by 0"),
        (take_the_rest, "a rule divides by 0"),
        (look_beyond, "a rule uses a place that a row does not have"),
    ],
)
def test_compiled_rules_from_outside_stop_where_plain_python_would(wrong: Callable[..., None], told: str) -> None:
    game = games.load("oh-hell").variant("rarely-wrong", title="Rarely wrong", rules={"end_deal": wrong})
    with pytest.raises(UpcardError, match=f"^rarely-wrong: {told}$"):
        simulate(Setup(game), 500, 1, by=["random"] * 5)
    with pytest.raises(UpcardError, match=f"^rarely-wrong: {told}$"):
        step_at_random(game)
