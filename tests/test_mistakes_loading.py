"""Mistakes in the rules of a game are reported in one line when it is loaded."""

import os
import re
from pathlib import Path
from typing import Any

import pytest
from edited_games import APPLY, CLASS, HERE, SIZE, edited, odd_hell

from upcard import UpcardError, games
from upcard.games import UnknownGame, outside
from upcard.rules.phrases import brief


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
        edited(tmp_path, text, other)
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
