"""What a class may not say of a game: each mistake is refused in one line, with its place and a remedy."""

import os
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent, indent

import pytest
from random_subclasses import played_compiled, played_plain
from small_game import SmallGame

import upcard
from upcard import Match, Setup, games, shuffler
from upcard.rules import BadGame
from upcard.rules.game import Game

SOURCE = Path(upcard.__file__).parents[1]
HEAD = "from small_game import *\n\n"
"""The small game and its state, and all words of rules."""
HERE = "# here"
"""Marks the line that a message names."""


def variant(body: str, before: str = "", of: str = "SmallGame") -> str:
    """The source of a variant."""
    return f'{HEAD}{dedent(before)}\n\nclass Odd({of}):\n    title = "Odd"\n{indent(dedent(body), "    ")}'


def rule(line: str, before: str = "", more: str = "") -> str:
    """The source of a variant whose rule `apply` ends with these lines, and that has these methods, too."""
    begin = "@override\ndef apply(self, s, me, move):\n    super().apply(s, me, move)\n"
    return variant(begin + indent(dedent(line), "    ") + "\n" + dedent(more), before)


def message(folder: Path, source: str) -> str:
    """The message for a source, without the name of its file, and with HERE in place of the number of that line."""
    file = folder / "odd.py"
    file.write_text(source)
    with pytest.raises(games.UnknownGame) as refused:
        games.load_file(file)
    text = str(refused.value).removeprefix(f"{file}: ").removeprefix(f"{file} ").removeprefix("odd.py, ")
    assert "\n" not in text
    lines = [number for number, line in enumerate(source.splitlines(), 1) if line.endswith(HERE)]
    return re.sub(rf"^line {lines[0]}: ", "", text) if lines else text


OVERRIDING = {
    "without @override": (
        variant("def playable(self, s, me):  # here\n    return s.hand[me]\n"),
        "Odd.playable replaces a rule of SmallGame: write @override above it, or rename it",
    ),
    "@override on nothing": (
        variant("@override\ndef playabel(self, s, me):  # here\n    return s.hand[me]\n"),
        "Odd.playabel replaces nothing (is playable meant?): take @override away, or name it as the rule is called",
    ),
    "a misspelt rule without @override": (
        variant("def playabel(self, s, me):  # here\n    return s.hand[me]\n"),
        "Odd.playabel is called by no rule (is playable meant?): name it as the rule is called",
    ),
    "a parameter too few": (
        variant("@override\ndef playable(self, s):  # here\n    return s.hand[0]\n"),
        "Odd.playable takes (self, s), and in SmallGame (self, s, me)",
    ),
    "a parameter too many": (
        variant("@override\ndef playable(self, s, opt, me):  # here\n    return s.hand[0]\n"),
        "Odd.playable takes (self, s, opt, me), and in SmallGame (self, s, me)",
    ),
    "parameters in another order": (
        variant("@override\ndef playable(self, me, s):  # here\n    return s.hand[me]\n"),
        "Odd.playable takes (self, me, s), and in SmallGame (self, s, me)",
    ),
    "any parameters": (
        variant("@override\ndef playable(self, *args):  # here\n    return 0\n"),
        "Odd.playable takes (self, *args), and in SmallGame (self, s, me)",
    ),
    "any named parameters": (
        variant("@override\ndef playable(self, s, me, **more):  # here\n    return s.hand[me]\n"),
        "Odd.playable takes (self, s, me, **more), and in SmallGame (self, s, me)",
    ),
    "a parameter by name only": (
        variant("@override\ndef playable(self, s, *, me):  # here\n    return s.hand[me]\n"),
        "Odd.playable takes (self, s, *, me), and in SmallGame (self, s, me)",
    ),
    "a further parameter by name only": (
        variant("@override\ndef playable(self, s, me, *, most=3):  # here\n    return s.hand[me]\n"),
        "playable has a `*` among its parameters, which cannot be compiled: write them out",
    ),
    "parameters by place only": (
        variant("@override\ndef playable(self, s, me, /):  # here\n    return s.hand[me]\n"),
        "Odd.playable takes (self, s, me, /), and in SmallGame (self, s, me)",
    ),
    "no self": (
        variant("@override\ndef playable(s, me):  # here\n    return s.hand[me]\n"),
        "Odd.playable takes (s, me), and in SmallGame (self, s, me)",
    ),
    "self by another name": (
        variant("@override\ndef playable(game, s, me):  # here\n    return s.hand[me]\n"),
        "Odd.playable takes (game, s, me): the first parameter of a method is `self`",
    ),
    "a rule of its own without self": (
        rule("self.pay(s)", more="def pay(s):  # here\n    s.scores[0] += 1\n"),
        "Odd.pay takes (s): the first parameter of a method is `self`",
    ),
    "no `return`": (
        variant("@override\ndef playable(self, s, me):  # here\n    super().playable(s, me)\n"),
        "Odd.playable returns nothing, and in SmallGame a value: write `return` before it",
    ),
    "a private rule without @override": (
        rule("self._pay(s)", more="def _pay(self, s):\n    s.scores[0] += 1\n")
        + '\n\nclass Odder(Odd):\n    title = "Odder"\n\n    def _pay(self, s):  # here\n        s.scores[0] += 2\n',
        "Odder._pay replaces a rule of Odd: write @override above it, or rename it",
    ),
    "a method that games cannot replace": (
        variant("@override\ndef legal_moves(self, s, me, out):  # here\n    return 0\n"),
        "every game has something else called legal_moves: choose another name",
    ),
    "async": (
        variant("@override  # here\nasync def playable(self, s, me):\n    return s.hand[me]\n"),
        "Odd.playable is `async`: write it with `def` alone",
    ),
    "a state of another class": (
        variant(
            "@override\ndef playable(self, s: Counted, me):  # here\n    return s.hand[me] if s.number else 0\n",
            "class Counted(SmallState):\n    number: int = open_field()\n",
        ),
        "Odd.playable takes a Counted, and the states of Odd are SmallState: write class Odd(SmallGame[Counted])",
    ),
}


@pytest.mark.parametrize("mistake", OVERRIDING)
def test_a_method_that_does_not_replace_what_it_should_is_refused(tmp_path: Path, mistake: str) -> None:
    source, expected = OVERRIDING[mistake]
    assert message(tmp_path, source) == expected


DECLARE = "declare it, as in `{}: int = number(…, clause=…)`, or make it a constant outside the class"
ATTRIBUTES = {
    "a misspelt number": (
        variant("sise = 4  # here"),
        "Odd: sise is no option or number (is 'size' meant?): " + DECLARE.format("sise"),
    ),
    "a constant": (variant("BONUS = 4  # here"), "Odd: BONUS is no option or number: " + DECLARE.format("BONUS")),
    "a private constant": (
        variant("_bonus = 4  # here"),
        "Odd: _bonus is no option or number: " + DECLARE.format("bonus"),
    ),
    "a text": (
        variant('designer = "me"  # here'),
        "Odd: designer is no option or number: " + DECLARE.format("designer"),
    ),
    "words": (
        variant('LOW, HIGH = words("low high")  # here'),
        "Odd: LOW is no option or number: " + DECLARE.format("LOW"),
    ),
    "a variable of a loop": (
        variant("for i in range(3):  # here\n    pass\n"),
        "Odd: i is no option or number: " + DECLARE.format("i"),
    ),
    "a constant for people": (
        variant("BONUS: Final = 3  # here", "from typing import Final\n"),
        "Odd: BONUS is no option or number: " + DECLARE.format("BONUS"),
    ),
    "two underscores": (
        variant("__bonus = 4  # here"),
        "__bonus begins with two underscores, so no rule finds it: write one",
    ),
    "a method with two underscores": (
        rule("self.__pay(s)", more="def __pay(self, s):  # here\n    s.scores[0] += 1\n"),
        "__pay begins with two underscores, so no rule finds it: write one",
    ),
    "no value": (variant("bonus: int  # here"), "declare bonus, as in `bonus: int = number(1, clause=…)`"),
    "no value, annotated later": (
        "from __future__ import annotations\n" + variant("bonus: int  # here"),
        "declare bonus, as in `bonus: int = number(1, clause=…)`",
    ),
    "a property": (
        variant("@property\ndef bonus(self):  # here\n    return 4\n"),
        "bonus is no rule: write a method with `self`, or a function outside",
    ),
    "a static method": (
        variant("@staticmethod\ndef bonus():  # here\n    return 4\n"),
        "bonus is no rule: write a method with `self`, or a function outside",
    ),
    "a class method": (
        variant("@classmethod\ndef bonus(cls):  # here\n    return 4\n"),
        "bonus is no rule: write a method with `self`, or a function outside",
    ),
    "a lambda in place of a rule": (
        variant("playable = lambda self, s, me: s.hand[me]  # here"),
        "Odd: playable is a rule of SmallGame: write a method, with `def` and @override",
    ),
    "a lambda": (
        variant("bonus = lambda self, s: 4  # here"),
        "Odd: bonus is no method: write `def bonus(self, …)`, without decorators",
    ),
    "nothing in place of a rule": (
        variant("playable = None  # here"),
        "Odd: playable is a rule of SmallGame: write a method, with `def` and @override",
    ),
    "a function in place of a rule": (
        variant("playable = outer", "def outer(self, s, me):  # here\n    return s.hand[me]\n"),
        "Odd.outer replaces a rule of SmallGame: write @override above it, or rename it",
    ),
    "a cached method": (
        variant("@cache\ndef bonus(self, s):  # here\n    return 4\n", "from functools import cache\n"),
        "Odd: bonus is no method: write `def bonus(self, …)`, without decorators",
    ),
    "a class": (
        variant("class State(SmallState):  # here\n    number: int = open_field()\n"),
        "Odd: State is a class within a game, and no part of it: write it above",
    ),
    "__init__": (
        variant("def __init__(self):  # here\n    self.seen = 0\n"),
        "a game has no __init__ of its own: leave it out",
    ),
    "__eq__": (
        variant("def __eq__(self, other):  # here\n    return True\n"),
        "a game has no __eq__ of its own: leave it out",
    ),
    "__init_subclass__": (
        variant("def __init_subclass__(cls):  # here\n    pass\n"),
        "a game has no __init_subclass__ of its own: leave it out",
    ),
    "__slots__": (variant('__slots__ = ("seen",)  # here'), "a game has no __slots__ of its own: leave it out"),
    "a number named as a rule of the game": (
        variant("playable: int = number(5)  # here"),
        "playable is an option or a number, and a rule of SmallGame (small_game.py, line 36): "
        "name one of them otherwise",
    ),
    "a number named as a rule of all games": (
        variant("choose: int = number(5)  # here"),
        r"choose is an option or a number, and a rule of Game (game.py, line \d+): name one of them otherwise",
    ),
    "a rule named as a number of the game": (
        variant("def size(self):  # here\n    return 4\n"),
        "size is an option or a number, and a rule of Odd (odd.py, line 7): name one of them otherwise",
    ),
    "a rule named as an option of its own": (
        variant('deep: int = choice("no", "yes", clause="", help="")\n')
        + '\n\nclass Odder(Odd):\n    title = "Odder"\n\n    def deep(self):  # here\n        return 4\n',
        "deep is an option or a number, and a rule of Odder (odd.py, line 13): name one of them otherwise",
    ),
    "a number named as something of all games": (
        variant("players: int = number(4)  # here"),
        "every game has something else called players: choose another name",
    ),
    "a rule named as something of all games": (
        variant("def options(self, s):  # here\n    return 4\n"),
        "every game has something else called options: choose another name",
    ),
    "a rule named as a declaration": (
        variant("def summary(self):  # here\n    return 4\n"),
        "every game has something else called summary: choose another name",
    ),
    "an option named as a parameter of OpenSpiel": (
        variant('history: int = flag(False, clause="", help="")  # here'),
        "every game has something else called history: choose another name",
    ),
}


@pytest.mark.parametrize("mistake", ATTRIBUTES)
def test_an_attribute_that_is_no_part_of_a_game_is_refused(tmp_path: Path, mistake: str) -> None:
    source, expected = ATTRIBUTES[mistake]
    text = message(tmp_path, source)
    assert text == expected or re.fullmatch(expected.replace("(", r"\(").replace(")", r"\)"), text), text


TWIN = """
class Dear(SmallGame):
    title = "Dear"
    worth = 12
    more: int = number(15)

    @override
    def apply(self, s, me, move):
        super().apply(s, me, move)
        s.scores[0] += 15


class Odd(Dear):
    title = "Odd"
    more = 16  # here
"""
SHIPPED_TWIN = """
class Whole(Game[SmallState]):
    title = "Whole"
    player_counts = (2, 3)
    most_moves = 5
    phases = PHASES
    pack: Cards = card_set("AKQJT")
    worth: int = number(11)

    @override
    def deal(self, s, order):
        take_lead(s, 0)

    @override
    def playable(self, s, me):
        return s.hand[me]

    @override
    def apply(self, s, me, move):
        s.scores[me] += 11


class Odd(Whole):
    title = "Odd"
    worth = 12  # here
"""
SIXTY_SIX = "from upcard.games.sixty_six import SixtySix\n"
NUMBERS = {
    "one that is also a literal in the rules of a variant": (
        HEAD + TWIN,
        "more is 15 in Dear, which also stands in odd.py, line 12: name it there (self.more), or the variant would be "
        "changed in part only",
    ),
    "one that is also a literal in the rules of a game": (
        HEAD + SHIPPED_TWIN,
        "worth is 11 in Whole, which also stands in odd.py, line 22: name it there (self.worth), or the variant would "
        "be changed in part only",
    ),
    "one that follows from others": (
        variant("above = (1,) * 13  # here", SIXTY_SIX, "SixtySix"),
        "Odd: above follows from other numbers: change those",
    ),
    "a text": (
        variant('enough = "many"  # here', SIXTY_SIX, "SixtySix"),
        "Odd: the number enough is a whole number, not 'many' (SS-31)",
    ),
    "a fraction": (
        variant("enough = 66.5  # here", SIXTY_SIX, "SixtySix"),
        "Odd: the number enough is a whole number, not 66.5 (SS-31)",
    ),
    "a declared fraction": (
        variant("enough: int = number(66.5)  # here", SIXTY_SIX, "SixtySix"),
        "Odd: the number enough is a whole number, not 66.5 (SS-31)",
    ),
    "what is true": (
        variant("enough = True  # here", SIXTY_SIX, "SixtySix"),
        "Odd: the number enough is a whole number, not true (SS-31)",
    ),
    "too small a number": (
        variant("enough = 0  # here", SIXTY_SIX, "SixtySix"),
        "Odd: the number enough is a whole number from 1 up, not 0 (SS-31)",
    ),
    "ranks that do not exist": (
        variant('pack = card_set("AKX")  # here', SIXTY_SIX, "SixtySix"),
        "Odd: the number pack is cards, as texts, or ranks in all suits, not 'AKX' (SS-2)",
    ),
    "a number in place of a row": (
        variant("strength = 3  # here", SIXTY_SIX, "SixtySix"),
        "Odd: the number strength is a row of 13 whole numbers, not 3 (SS-3)",
    ),
    "a declared number in place of a row": (
        variant("strength = number(3)  # here", SIXTY_SIX, "SixtySix"),
        "Odd: strength is a row of 13 numbers in the rules, and so in all variants: give another number another name",
    ),
    "a row in place of a number": (
        variant("enough = table_of((1, 2, 3))  # here", SIXTY_SIX, "SixtySix"),
        "Odd: enough is a single number in the rules, and so in all variants: give another number another name",
    ),
    "an option in place of a row": (
        variant('value: int = choice("a", "b", clause="", help="")  # here', SIXTY_SIX, "SixtySix"),
        "Odd: value is a row of 13 numbers in the rules, and so in all variants: give another number another name",
    ),
    "an option at a word that it does not have": (
        variant('endplay = "strickt"  # here', SIXTY_SIX, "SixtySix"),
        "Odd: the option endplay is settled at follow or strict, not at 'strickt' (SS-17)",
    ),
    "an option at a number that it does not have": (
        variant("endplay = 7  # here", SIXTY_SIX, "SixtySix"),
        "Odd: the option endplay is settled at follow or strict, not at 7 (SS-17)",
    ),
    "an option at a declared number that it does not have": (
        variant("endplay = number(7)  # here", SIXTY_SIX, "SixtySix"),
        "Odd: the option endplay is settled at follow or strict, not at 7 (SS-17)",
    ),
    "a settled option, once more": (
        variant('endplay = "strickt"  # here', "from upcard.games.schnapsen import Schnapsen\n", "Schnapsen"),
        "Odd: the number endplay is settled at follow or strict, not at 'strickt' (SS-17)",
    ),
    "a range at a text": (
        variant('target = "nine"  # here', SIXTY_SIX, "SixtySix"),
        "Odd: the option target is settled at a whole number from 1 to 21, not at 'nine' (SS-43)",
    ),
    "one that cannot be worked out": (
        variant("size = lambda self: self.playerz  # here"),
        "the number size cannot be worked out for 2 players: 'Odd' object has no attribute 'playerz'",
    ),
    "one that is not whole when it is worked out": (
        variant("size = lambda self: self.players / 2  # here"),
        "the number size cannot be worked out for 2 players: a whole number, not 1.0",
    ),
    "one without self": (
        variant("size = lambda: 3  # here"),
        "the number size cannot be worked out for 2 players: Odd.<lambda>() takes 0 positional arguments but 1 was "
        "given",
    ),
    "two of one name": (
        variant('most: int = number(3, name="size")  # here'),
        "Odd: most is named size, and so is size: choose another name=",
    ),
    "an option whose default it cannot have": (
        variant('most: int = whole(9, 1, 3, clause="", help="")  # here'),
        "option most is a whole number from 1 to 3, not 9",
    ),
    "an option that is too large": (
        variant('most: int = whole(9, 1, 10**20, clause="", help="")  # here'),
        "the option most can be too large a number: options are below 2**40",
    ),
}


@pytest.mark.parametrize("mistake", NUMBERS)
def test_a_number_or_option_that_cannot_be_so_is_refused(tmp_path: Path, mistake: str) -> None:
    source, expected = NUMBERS[mistake]
    assert message(tmp_path, source) == expected


ABOVE = "in Odd.playable, call what is above as super().rule(…), without anything in between"
SUPER = {
    "stored": (
        variant(
            "@override\ndef playable(self, s, me):\n    above = super()  # here\n    return above.playable(s, me)\n"
        ),
        ABOVE,
    ),
    "with arguments": (
        variant("@override\ndef playable(self, s, me):\n    return super(Odd, self).playable(s, me)  # here\n"),
        ABOVE,
    ),
    "a rule that is not called": (
        variant("@override\ndef playable(self, s, me):\n    rule = super().playable  # here\n    return rule(s, me)\n"),
        ABOVE,
    ),
    "a number": (
        variant("@override\ndef playable(self, s, me):\n    return s.hand[me] if super().size else 0  # here\n"),
        ABOVE,
    ),
    "the class itself": (
        variant("@override\ndef playable(self, s, me):\n    return s.hand[me] if __class__ else 0  # here\n"),
        ABOVE,
    ),
    "in a list": (
        variant(
            "@override\ndef playable(self, s, me):\n    return max([super().playable(s, me) for _ in 'a'])  # here\n"
        ),
        "in playable, a function or a list made in one line cannot be compiled: write a loop",
    ),
    "a rule that nothing above has": (
        variant("@override\ndef playable(self, s, me):\n    return super().playabel(s, me)  # here\n"),
        "in Odd.playable, no class above has a rule playabel (is playable meant?)",
    ),
    "a rule that only all games have": (
        variant(
            "@override\ndef hand_signs(self, s, seat, room):\n    return super().hand_signs(s, seat, room)  # here\n"
        ),
        "in Odd.hand_signs, no class has a rule hand_signs: Game only describes it",
    ),
    "in a method that no rule calls": (
        variant("@override\ndef report(self, s):\n    return super().reports(s)  # here\n"),
        "in Odd.report, no class above has a rule reports (is report meant?)",
    ),
    "in a rule of its own": (
        rule("self.pay(s)", more="def pay(self, s):\n    super().pay(s)  # here\n"),
        "in Odd.pay, no class above has a rule pay",
    ),
    "the class itself, by name": (
        rule("Odd.pay(self, s)  # here", more="def pay(self, s):\n    s.scores[0] += 1\n"),
        "in Odd.apply, write self.pay(…), or super().pay(…) for the one above",
    ),
    "a class that is not above": (
        rule(
            "s.scores[0] += Other.pay(self, s)  # here",
            'class Other(SmallGame):\n    title = "Other"\n\n    def pay(self, s):\n        return 1\n',
        ),
        "in Odd.apply, self can only be the first argument of a rule: pass on what is needed of it",
    ),
    "a method that was written for another class": (
        variant(
            "apply = Other.apply\n",
            'class Other(SmallGame):\n    title = "Other"\n\n    @override\n    def apply(self, s, me, move):  # here\n'
            "        super().apply(s, me, move)\n",
        ),
        "Odd.apply was written for Other, where super() is another: write it anew",
    ),
}


@pytest.mark.parametrize("mistake", SUPER)
def test_what_is_above_is_called_and_nothing_else(tmp_path: Path, mistake: str) -> None:
    source, expected = SUPER[mistake]
    assert message(tmp_path, source) == expected


PASSED = "self can only be the first argument of a rule: pass on what is needed of it"
HELPER = "@rule\ndef helper(s, game):\n    return game.size\n"
SELF = {
    "not the first argument": (rule("s.scores[0] += helper(s, self)  # here", HELPER), f"in Odd.apply, {PASSED}"),
    "an argument by name": (rule("s.scores[0] += helper(s, game=self)  # here", HELPER), f"in Odd.apply, {PASSED}"),
    "given to a method": (rule("super().apply(self, s, me, move)  # here"), f"in Odd.apply, {PASSED}"),
    "given to an attribute": (rule("s.scores[0] += getattr(self, 'size')  # here"), f"in Odd.apply, {PASSED}"),
    "stored": (rule("game = self  # here\ns.scores[0] += game.size"), f"in Odd.apply, {PASSED}"),
    "compared": (rule("s.scores[0] += self == 3  # here"), f"in Odd.apply, {PASSED}"),
    "returned": (
        rule("s.scores[0] += self.it().size", more="def it(self):\n    return self  # here\n"),
        f"in Odd.it, {PASSED}",
    ),
    "given to a helper that is no rule": (
        rule("s.scores[0] += helper(self)  # here", "def helper(game):\n    return game.size\n"),
        "in Odd.apply, helper is called, which is no rule: write @rule above it",
    ),
    "an unknown number": (
        rule("s.scores[0] += self.sise  # here"),
        "in apply, `self.sise` is no option, number or rule (is `size` meant?)",
    ),
    "an unknown rule": (
        rule("s.scores[0] += self.playabel(s, me)  # here"),
        "in apply, `self.playabel` is no option, number or rule (is `playable` meant?)",
    ),
    "an unknown number of a helper": (
        rule("s.scores[0] += helper(self)", "@rule\ndef helper(game):\n    return game.sise  # here\n"),
        "in helper, `self.sise` is no option, number or rule (is `size` meant?)",
    ),
    "a declaration": (
        rule("s.scores[0] += self.most_moves  # here"),
        "in apply, `self.most_moves` is no number: rules see options, numbers, `players` and other rules",
    ),
    "the options": (
        rule("s.scores[0] += self.options.worth  # here"),
        "in apply, `self.options` is no number: rules see options, numbers, `players` and other rules",
    ),
    "what was chosen": (
        rule("s.scores[0] += self.chosen['worth']  # here"),
        "in apply, `self.chosen` is no number: rules see options, numbers, `players` and other rules",
    ),
    "a setting": (
        rule("s.scores[0] += self.setting('worth')  # here"),
        "in Odd.apply, setting is called, which is no rule",
    ),
    "the legal moves": (
        rule("s.scores[0] += self.legal_moves(s, me, s.card)  # here"),
        "in Odd.apply, legal_moves is called, which is no rule",
    ),
    "a rule that only all games have": (
        rule("s.scores[0] += self.choose(s, me, s.card, 1, 0)  # here"),
        "in Odd.apply, no class has a rule choose: Game only describes it",
    ),
    "a rule that is not called": (
        rule("pay = self.pay  # here\npay(s)", more="def pay(self, s):\n    s.scores[0] += 1\n"),
        "in apply, `self.pay` is a rule: call it, as in self.pay(…)",
    ),
    "a rule as an argument": (
        rule(
            "call(self.pay, s)  # here",
            "@rule\ndef call(f, s):\n    f(s)\n",
            "def pay(self, s):\n    s.scores[0] += 1\n",
        ),
        "in apply, `self.pay` is a rule: call it, as in self.pay(…)",
    ),
    "a number that is called": (
        rule("s.scores[0] += self.size()  # here"),
        "in Odd.apply, size is called, which is no rule",
    ),
    "a number that is written to": (
        rule("self.size = 4  # here"),
        "in Odd.apply, `self.size` is written to: what changes is in the state, `s`",
    ),
    "a number that is added to": (
        rule("self.size += 4  # here"),
        "in Odd.apply, `self.size` is written to: what changes is in the state, `s`",
    ),
    "a new attribute": (
        rule("self.seen = 4  # here"),
        "in Odd.apply, `self.seen` is written to: what changes is in the state, `s`",
    ),
    "a place of a row": (
        rule("self.row[0] += 4  # here", more="row: Row = table_of((1, 2))\n"),
        "in Odd.apply, `self.row` is written to: what changes is in the state, `s`",
    ),
    "a number of a helper": (
        rule("helper(self)", "@rule\ndef helper(game):\n    game.size = 4  # here\n"),
        "in Odd.helper, `self.size` is written to: what changes is in the state, `s`",
    ),
}


@pytest.mark.parametrize("mistake", SELF)
def test_self_has_options_numbers_and_rules_to_call(tmp_path: Path, mistake: str) -> None:
    source, expected = SELF[mistake]
    assert message(tmp_path, source) == expected


def two_bases(one: str, other: str, before: str = "") -> str:
    """A variant of two variants with these bodies."""
    classes = [
        f'class {name}(SmallGame):\n    title = "{name}"\n{indent(dedent(body), "    ")}\n\n\n'
        for name, body in (("One", one), ("Other", other))
    ]
    return f'{HEAD}{before}{"".join(classes)}class Odd(One, Other):  # here\n    title = "Odd"\n'


PLAYABLE = "@override\ndef playable(self, s, me):\n    return s.hand[me]\n"
NOTATIONS = """
MORE, MOST = SmallGame.notation.copy(), SmallGame.notation.copy()
MORE.verb("pass", label="Pass", said="passes")


"""
STATES = """
class OneState(SmallState):
    one: int = open_field()


class OtherState(SmallState):
    other: int = open_field()


"""
PARTS = """
class Pays(Game):
    @override
    def utility(self, s, me):
        return 1


class Paid(SmallGame):
    title = "Paid"

    @override
    def utility(self, s, me):
        return 2


class Odd(Pays, Paid):  # here
    title = "Odd"
"""
BOTH = "both One and Other have {}: write it in Odd as well, or rename one of them"
BASES = {
    "two with one rule": (two_bases(PLAYABLE, PLAYABLE), BOTH.format("playable")),
    "two with one number": (two_bases("worth = 3", "worth = 4"), BOTH.format("worth")),
    "two with one new number": (two_bases("more: int = number(3)", "more: int = number(4)"), BOTH.format("more")),
    "two with one declaration": (two_bases("most_moves = 6", "most_moves = 7"), BOTH.format("most_moves")),
    "two with other moves": (two_bases("notation = MORE", "notation = MOST", NOTATIONS), BOTH.format("notation")),
    "two with other states": (
        two_bases("state = OneState", "state = OtherState", STATES),
        "the states of Odd are OneState, and the rules of Other need OtherState: derive it from that, as in class "
        "OneState(OtherState)",
    ),
    "two games": (
        HEAD + 'from upcard.games.loo import Loo\n\n\nclass Odd(SmallGame, Loo):  # here\n    title = "Odd"\n',
        "Odd is made of several games, SmallGame and Loo: choose one",
    ),
    "a part before its game": (
        HEAD + PARTS,
        "both Pays and Paid have utility: write it in Odd as well, or rename one of them",
    ),
    "no class of a game": (
        HEAD + "class Pays:\n    bonus = 3\n\n\nclass Odd(Pays, SmallGame):  # here\n    title = 'Odd'\n",
        "Pays is no class of a game: write class Pays(Game)",
    ),
    "two classes of one name": (
        variant("") + '\n\nclass Odd(SmallGame):  # here\n    title = "Other"\n    slug = "other"\n',
        "there is a class Odd in line 5 as well",
    ),
    "a class that replaces its base": (
        variant("") + '\n\nclass Odd(Odd):  # here\n    slug = "other"\n',
        "there is a class Odd in line 5 as well",
    ),
    "the slug of the game": (
        variant('slug = "small-game"  # here'),
        "small-game is the slug of the game that it varies: choose another",
    ),
    "an odd slug": (
        variant('slug = "My Game"  # here'),
        "a slug is of small letters, digits and dashes, not 'My Game'",
    ),
    "two games of one slug": (
        variant("") + '\n\nclass Other(SmallGame):\n    title = "Other"\n    slug = "odd"\n',
        "two games are called odd: give one of them another name",
    ),
    "the slug of a game of Upcard": (
        HEAD + 'class Loo(SmallGame):\n    title = "Loo"\n',
        "a game called loo comes with Upcard: choose another slug = …",
    ),
    "the state of another game": (
        variant("state = LooState  # here", "from upcard.games.loo.rules import LooState\n"),
        "the states of Odd are LooState, and the rules of SmallGame need SmallState: derive it from that, as in class "
        "LooState(SmallState)",
    ),
    "the state of another game, in brackets": (
        HEAD + "from upcard.games.loo import Loo\n\n\nclass Odd(Loo[SmallState]):  # here\n    title = 'Odd'\n",
        "the states of Odd are SmallState, and the rules of Loo need LooState: derive it from that, as in class "
        "SmallState(LooState)",
    ),
    "one state": (variant("state = SmallState()  # here"), "state is a class of states, not a SmallState"),
    "a state that lacks its brackets": (
        rule("s.number += 1  # here"),
        "in apply, no `number` in the state: declare it",
    ),
}


@pytest.mark.parametrize("mistake", BASES)
def test_bases_that_do_not_go_together_are_refused(tmp_path: Path, mistake: str) -> None:
    source, expected = BASES[mistake]
    assert message(tmp_path, source) == expected


WHOLE = """
class Odd(Game[SmallState]):  # here
    title = "Odd"
    player_counts = (2, 3)
    most_moves = 5
    phases = PHASES
    pack: Cards = card_set("AKQJT")

    @override
    def deal(self, s, order):
        take_lead(s, 0)

    @override
    def playable(self, s, me):
        return s.hand[me]

    @override
    def apply(self, s, me, move):
        s.scores[me] += 1
"""


def without(line: str, instead: str = "") -> str:
    """A game with something missing."""
    assert line in WHOLE
    return HEAD + WHOLE.replace(line, instead)


DECLARATIONS = {
    "no title": (
        without('    title = "Odd"\n'),
        "has no game: write a class with a title in it, as in class Whist(Game[WhistState])",
    ),
    "no state": (without("Game[SmallState]", "Game"), "say what its states are, as in class Odd(Game[State])"),
    "no number of players": (
        without("    player_counts = (2, 3)\n"),
        "Odd needs `player_counts`, as in player_counts = (2, 3)",
    ),
    "no most_moves": (without("    most_moves = 5\n"), "Odd needs `most_moves`, as in most_moves = 50"),
    "no deal": (
        without("    @override\n    def deal(self, s, order):\n        take_lead(s, 0)\n"),
        "Odd has no rule `deal`: define it (see upcard.rules.Game.deal)",
    ),
    "no playable": (
        without("    @override\n    def playable(self, s, me):\n        return s.hand[me]\n"),
        "Odd has no rule `playable`: define it (see upcard.rules.Game.playable)",
    ),
    "no apply": (
        without("    @override\n    def apply(self, s, me, move):\n        s.scores[me] += 1\n"),
        "Odd has no rule `apply`: define it (see upcard.rules.Game.apply)",
    ),
    "no pack": (
        without('    pack: Cards = card_set("AKQJT")\n'),
        "Odd needs the number `pack`, or the rule `cards_to_shuffle`",
    ),
    "no hand": (
        HEAD + "class Bare(GameState, seats=3):\n    pass\n\n" + WHOLE.replace("SmallState", "Bare"),
        "its state has no `hand`: declare `hand: PerSeat = held()`",
    ),
    "no seats": (
        HEAD + "class Bare(GameState):\n    hand: PerSeat = held()\n\n" + WHOLE.replace("SmallState", "Bare"),
        "say for how many seats its state is, as in class Bare(…, seats=3)",
    ),
    "one number of players": (
        variant("player_counts = 2  # here"),
        "player_counts are a row of whole numbers from 2 to 10, as in (3, 4)",
    ),
    "more players than seats": (
        variant("player_counts = (2, 3, 4)  # here"),
        "4 may play, but its state has rows for 3: write seats=4",
    ),
    "more players than the seats of the game": (
        variant(
            "state = Wide\nplayer_counts = (2, 3, 4)  # here",
            "class Wide(SmallState):\n    number: int = open_field()\n",
        ),
        "4 may play, but its state has rows for 3: at most 3, since SmallState has them",
    ),
    "other seats": (
        variant("state = Wide", "class Wide(SmallState, seats=4):  # here\n    number: int = open_field()\n"),
        "Wide: SmallState has rows for 3 seats: leave seats=4 out",
    ),
    "a usual number that nobody plays with": (
        variant("default_players = 4  # here"),
        "default_players is 4, which is not in player_counts=(2, 3)",
    ),
    "most_moves as a text": (
        variant('most_moves = "5"  # here'),
        "most_moves is a whole number from 1 to 65536, not '5'",
    ),
    "a title that is no text": (HEAD + "class Odd(SmallGame):\n    title = 3  # here\n", "title is a text, not 3"),
    "phases that are no words": (
        variant('phases = ("deal", "play", "done")  # here'),
        "phases is a row of words, as in words('deal play done'), not a tuple",
    ),
    "too few phases": (
        variant('phases = words("deal done")  # here'),
        "the phases are fewer than those of SmallGame, deal play done",
    ),
    "no notation": (variant("notation = None  # here"), "notation is a Notation(), not null"),
    "a notation that lacks moves": (
        variant("notation = Notation()  # here", "from upcard.games.oh_hell import OhHell\n", "OhHell"),
        "the notation lacks moves of OhHell: begin with a copy() of its notation",
    ),
    "a move that the game would have, too": (
        HEAD + "SmallGame.notation.verb('pass', label='Pass', said='passes')  # here\n",
        "verb 'pass': these are the moves of SmallGame: declare it in a copy(), its `notation`",
    ),
    "clauses that are a text": (
        variant('clauses = "OD-1"  # here'),
        "clauses is made by Clauses, as in Clauses(event='CT-1'), not 'OD-1'",
    ),
    "a hand that is a text": (
        variant('hand = "hand"  # here'),
        "hand is made by Holding, as in Holding('hand'), not 'hand'",
    ),
    "reasons that are a list": (
        variant('why = ["no"]  # here'),
        "why is a dictionary of clauses and sentences, not a list",
    ),
    "a picture that is a text": (
        variant('picture = "Kh Qh"  # here'),
        'picture is a row of texts, as in ("Kh Qh", "As"), not \'Kh Qh\'',
    ),
    "a short match by a number": (variant('short = {"size": 3}  # here'), "short has 'size', which is no option"),
    "a short match by a misspelt option": (
        variant('short = {"max_card": 3}  # here', "from upcard.games.oh_hell import OhHell\n", "OhHell"),
        "short has 'max_card', which is no option (is 'max_cards' meant?)",
    ),
    "a short match that cannot be": (
        variant('short = {"max_cards": 99}  # here', "from upcard.games.oh_hell import OhHell\n", "OhHell"),
        "option max_cards is a whole number from 1 to 10, not 99",
    ),
    "traits that are a text": (variant('TRAITS = "many"  # here'), "TRAITS is a whole number, not 'many'"),
    "what is worked out": (variant("base = SmallGame  # here"), "base is worked out from the class: leave it out"),
    "a field that all states have": (
        variant("state = Wide", "class Wide(SmallState):  # here\n    copy: int = open_field()\n"),
        "Wide.copy: every state has something else called so: name it otherwise",
    ),
    "a method that all states have": (
        variant("state = Wide", "class Wide(SmallState):  # here\n    def clear(self):\n        pass\n"),
        "Wide.clear: every state has something else called so: name it otherwise",
    ),
    "a field without a declaration": (
        variant("state = Wide", "class Wide(SmallState):  # here\n    number: int = 3\n"),
        "Wide.number: say who may see it, as in `number: int = open_field()`",
    ),
}


@pytest.mark.parametrize("mistake", DECLARATIONS)
def test_a_game_that_lacks_something_or_has_it_wrong_is_refused(tmp_path: Path, mistake: str) -> None:
    source, expected = DECLARATIONS[mistake]
    assert message(tmp_path, source) == expected


ONE_LINE = "in apply, a function or a list made in one line cannot be compiled: write a loop"
ROWS = "in apply, rules know no lists, sets and dictionaries: write a tuple, (…), or declare a row in the state"
RAISES = "in apply, rules have no `raise`, `try` and `with`: return a number that says it"
KNOWN = "write a loop, or a rule that does it; they know range, min, max, abs, bool, int, len"
FUNCTION = "def helper(s):\n    return 1\n"
LATER = """
@override
def apply(self, s, me, move):  # here
    super().apply(s, me, move)
    s.scores[0] += {}
"""
COMPILED = {
    "a fraction": (
        rule("s.scores[0] += me / 2  # here"),
        "in apply, `/` makes a fraction: numbers are whole, write `//`",
    ),
    "a fraction in digits": (rule("s.scores[0] += int(1.5)  # here"), "in apply, 1.5 is no whole number"),
    "a text": (rule("s.scores[0] += 'x' == s.phase  # here"), "in apply, 'x' is no whole number"),
    "a text with a number": (
        rule("name = f'{me}'  # here"),
        "in apply, rules know no texts: a number can stand for one, see `words`",
    ),
    "a list": (rule("s.scores[0] += [1, 2][me]  # here"), ROWS),
    "a list that is searched": (rule("s.scores[0] += me in [0, 1]  # here"), ROWS),
    "a set": (rule("s.scores[0] += me in {0, me}  # here"), ROWS),
    "a dictionary": (rule("s.scores[0] += {0: 1, 1: 2}[me]  # here"), ROWS),
    "a list made in one line": (rule("s.scores[0] += len([i for i in range(3)])  # here"), ONE_LINE),
    "a sum made in one line": (rule("s.scores[0] += sum(s.tricks[i] for i in range(3))  # here"), ONE_LINE),
    "a lambda": (rule("f = lambda: 1  # here\ns.scores[0] += f()"), ONE_LINE),
    "a nested function": (rule("def f():  # here\n    return 1\ns.scores[0] += f()"), ONE_LINE),
    "a sum": (rule("s.scores[0] += sum(s.tricks)  # here"), f"apply names sum, which rules do not know: {KNOWN}"),
    "a print": (rule("print(me)  # here"), f"apply names print, which rules do not know: {KNOWN}"),
    "an import": (rule("import math  # here"), "in apply, math is imported: rules know numbers and other rules only"),
    "chance": (
        rule("s.scores[0] += random.randrange(2)  # here", "import random\n"),
        "apply names random.randrange, a method: rules know numbers and rows of numbers only",
    ),
    "a global that is written to": (
        rule("global SEEN\nSEEN = 4  # here", "SEEN = 3\n"),
        "in apply, `SEEN` is written to: what changes stands in the state",
    ),
    "a list outside": (
        rule("s.scores[0] += ROW[me]  # here", "ROW = [1, 2, 3]\n"),
        "apply names ROW, a list: rules know numbers and rows of numbers only",
    ),
    "a fraction outside": (
        rule("s.scores[0] += int(HALF)  # here", "HALF = 0.5\n"),
        "apply names HALF, a float: rules know numbers and rows of numbers only",
    ),
    "nothing outside": (
        rule("s.scores[0] += LIMIT is None  # here", "LIMIT = None\n"),
        "apply names LIMIT, a NoneType: rules know numbers and rows of numbers only",
    ),
    "a set of cards for people": (
        rule("s.scores[0] += count(KINGS)  # here", "KINGS = CardSet(3)\n"),
        "apply names KINGS, a CardSet: rules know numbers and rows of numbers only",
    ),
    "words outside": (
        rule("s.scores[0] += len(PHASES)  # here"),
        "apply names PHASES, a Words: rules know numbers and rows of numbers only",
    ),
    "a class outside": (
        rule("s.scores[0] += SmallGame.worth  # here"),
        "apply names SmallGame, a class: rules know numbers and rows of numbers only",
    ),
    "a helper without its mark": (
        rule("s.scores[0] += helper(s)  # here", FUNCTION),
        "apply calls helper, which is no rule: write @rule above it",
    ),
    "a method without self": (
        rule("s.scores[0] += helper(s)  # here", more="def helper(self, s):\n    return 1\n"),
        "apply names helper, which is not defined before it",
    ),
    "a number of the class without self": (
        rule("s.scores[0] += worth  # here"),
        "apply names worth, which is not defined before it",
    ),
    "the old name for numbers": (
        rule("s.scores[0] += opt.worth  # here"),
        "apply names opt, which is not defined before it",
    ),
    "a number that is defined later": (
        rule("s.scores[0] += LATER  # here") + "\nLATER = 3\n",
        "apply names LATER, which is not defined before it",
    ),
    "a number that is changed later": (
        variant(
            LATER.format("NUMBER"),
            "NUMBER = 2\n",
        )
        + "\n\nNUMBER = 3\n",
        "apply names NUMBER, which has changed since the class was made",
    ),
    "two helpers of one name": (
        variant(
            LATER.format("helper(s)"),
            f"@rule\n{FUNCTION}",
        )
        + f"\n\n@rule\n{FUNCTION}",
        "apply names helper, which has changed since the class was made",
    ),
    "a variable around a class, changed later": (
        HEAD
        + "def make(points):\n"
        + indent(
            'class Odd(SmallGame):\n    title = "Odd"\n\n    @override\n    def apply(self, s, me, move):  # here\n'
            "        super().apply(s, me, move)\n        s.scores[0] += points\n\npoints += 1\nreturn Odd\n",
            "    ",
        )
        + "\n\nODD = make(1)\n",
        "apply names points, which has changed since the class was made",
    ),
    "an assignment in the middle": (
        rule("if (n := me) > 0:  # here\n    s.scores[0] += n"),
        "in apply, `:=` cannot be compiled: write `=`, on a line of its own",
    ),
    "the rest of a row": (
        rule("first, *rest = 1, 2, 3  # here"),
        "in apply, `*` before a value cannot be compiled: write the values out",
    ),
    "the arguments of a row": (
        rule("s.scores[0] += max(*s.tricks)  # here"),
        "in apply, `*` before a value cannot be compiled: write the values out",
    ),
    "a variable taken away": (rule("n = 3\ndel n  # here"), "in apply, `del` cannot be compiled: leave it out"),
    "a context": (rule("with me:  # here\n    pass"), RAISES),
    "an exception": (rule("if me > 5:\n    raise ValueError  # here"), RAISES),
    "an exception that is caught": (rule("try:  # here\n    s.scores[0] += 1\nexcept IndexError:\n    pass"), RAISES),
    "a part of a row": (
        rule("row = s.scores[:2]  # here\ns.scores[0] += row[0]"),
        "in apply, a part of a row, `[:]`, is a copy in plain Python and not when compiled: write a loop",
    ),
    "a row that is compared": (
        rule("s.scores[0] += s.scores == s.tricks  # here"),
        "in apply, `tricks` is a row: name one of its places",
    ),
    "a row that is replaced": (
        rule("s.tricks = s.scores  # here"),
        "in apply, `tricks` is a row: write to its places, one by one",
    ),
    "a method of a row": (
        rule("s.scores.append(3)  # here"),
        "in apply, `append` is a method, and rules know none: write a loop, or a rule that does it",
    ),
    "a method of a number": (
        rule("s.scores[0] += s.played.bit_count()  # here"),
        "in apply, `bit_count` is a method, and rules know none: write a loop, or a rule that does it",
    ),
    "a method of the state": (
        rule("s.clear()  # here"),
        "in apply, `s.clear` is no field: write self.clear(s)",
    ),
    "a method of its own state": (
        variant(
            "state = Wide\n\n@override\ndef apply(self, s, me, move):\n    super().apply(s, me, move)\n"
            "    s.scores[0] += s.total()  # here\n",
            "class Wide(SmallState):\n    def total(self):\n        return 3\n",
        ),
        "in apply, `s.total` is no field: write a rule that does it",
    ),
    "a misspelt field": (
        rule("s.scorez[0] += 1  # here"),
        "in apply, no `scorez` in the state (is `scores` meant?): declare it",
    ),
    "a number beyond 64 bits": (
        rule("s.scores[0] += me & 0x9E3779B97F4A7C15  # here"),
        "in apply, there is a number of 2**63 or more, and rules reckon in 64 bits",
    ),
    "what is true, inverted": (
        rule("s.scores[0] += ~(me == 1)  # here"),
        "in apply, `~` of what is true or false is another number when compiled: write `not`",
    ),
    "a rule that calls itself": (
        rule("s.scores[0] += self.pay(3)", more="def pay(self, n):  # here\n    return self.pay(n - 1) if n else 1\n"),
        "pay calls itself: write a loop",
    ),
    "two rules that call each other": (
        rule(
            "s.scores[0] += self.pay(3)",
            more="def pay(self, n):  # here\n    return self.owe(n - 1) if n else 1\n\ndef owe(self, n):\n"
            "    return self.pay(n - 1) if n else 1\n",
        ),
        "pay calls itself, through owe: write a loop",
    ),
    "a helper that calls itself": (
        rule("s.scores[0] += pay(3)", "@rule\ndef pay(n):  # here\n    return pay(n - 1) if n else 1\n"),
        "pay calls itself: write a loop",
    ),
    "a list as a default": (
        rule("self.pay(s)", more="def pay(self, s, seen=[]):  # here\n    s.scores[0] += 1\n"),
        "pay has a list as a default: only numbers can be one",
    ),
    "nothing as a default": (
        rule("self.pay(s)", more="def pay(self, s, seat=None):  # here\n    s.scores[0] += 1\n"),
        "pay has a NoneType as a default: only numbers can be one",
    ),
    "a number of the class as a default": (
        rule("self.pay(s)", more="more: int = number(3)\n\ndef pay(self, s, n=more):  # here\n    s.scores[0] += n\n"),
        "pay has a Number as a default: only numbers can be one",
    ),
    "parameters by name only": (
        rule("self.pay(s, n=3)", more="def pay(self, s, *, n):  # here\n    s.scores[0] += n\n"),
        "pay has a `*` among its parameters, which cannot be compiled: write them out",
    ),
    "any parameters": (
        rule("self.pay(s, 3)", more="def pay(self, *args):  # here\n    pass\n"),
        "in Odd.pay, the parameters are other than `self` and named ones: write them out",
    ),
    "a helper with any parameters": (
        rule("s.scores[0] += pay(s, 3)", "@rule\ndef pay(*args):  # here\n    return 3\n"),
        "pay has a `*` among its parameters, which cannot be compiled: write them out",
    ),
    "a path without a value": (
        rule("s.scores[0] += self.pay(s)", more="def pay(self, s):  # here\n    if s.deals:\n        return 3\n"),
        "pay returns a value on one path and none on another: return one on each",
    ),
    "a rule for plain Python only": (
        rule("s.scores[0] += self.pay(s)", more="@plain\ndef pay(self, s):  # here\n    return 3\n"),
        "pay is marked @plain, and rules call it: take one of these away",
    ),
    "a decorator": (
        rule(
            "s.scores[0] += self.pay(s)",
            "def twice(f):\n    def doubled(self, s):  # here\n        return 2 * f(self, s)\n\n    return doubled\n",
            "@twice\ndef pay(self, s):\n    return 3\n",
        ),
        "Odd.doubled has a decorator, and rules are compiled as they are written: take it away",
    ),
    "define_game": (
        HEAD + 'GAME = define_game(__name__, title="Odd")\n',
        "define_game is no more: a game is a class, as in class Whist(Game[WhistState]): title = 'Whist'; …",
    ),
    "variant with rules": (
        HEAD + 'ODD = SmallGame.variant("odd", rules={"apply": 3})\n',
        "odd: other rules are a subclass: class Mine(SmallGame): title = …",
    ),
    "options in a class of their own": (
        HEAD + "class Opt(Options):  # here\n    bonus: int = number(3)\n",
        "name 'Options' is not defined",
    ),
}


@pytest.mark.parametrize("mistake", COMPILED)
def test_what_cannot_be_compiled_is_refused(tmp_path: Path, mistake: str) -> None:
    source, expected = COMPILED[mistake]
    assert message(tmp_path, source) == expected


CHANGED = {
    "a number": ("Odd.size = 3  # here", "Odd is made, so `size` cannot be set any more: make a subclass"),
    "a rule": (
        "Odd.playable = SmallGame.playable  # here",
        "Odd is made, so `playable` cannot be set any more: make a subclass",
    ),
    "a rule of its game": (
        "SmallGame.playable = lambda self, s, me: 0  # here",
        "SmallGame is made, so `playable` cannot be set any more: make a subclass",
    ),
    "a title taken away": ("del Odd.title  # here", "Odd is made, so `title` cannot be taken away: make a subclass"),
}


@pytest.mark.parametrize("change", CHANGED)
def test_a_class_is_not_changed_once_it_is_made(tmp_path: Path, change: str) -> None:
    """What was worked out from it, and compiled, would stay as it is."""
    line, expected = CHANGED[change]
    assert message(tmp_path, f"{variant('')}\n\n{line}\n") == expected


def test_a_broken_class_is_refused_where_it_is_made() -> None:
    """In a program of one's own, too, with the file and the line."""
    lines = Path(__file__).read_text().splitlines()
    [line] = [number for number, text in enumerate(lines, 1) if text.endswith("# in the wrong place")]
    with pytest.raises(BadGame) as refused:
        broken()
    assert str(refused.value) == f"test_classes.py, line {line}: Odd: the number worth is a whole number, not 'many'"


def broken() -> None:
    class Odd(SmallGame):
        title = "Odd"
        worth = "many"  # type: ignore[assignment]  # in the wrong place


# ------------------------------------------------------------------------------------------------- what can be written

ACCEPTED = """
import small_game
from enum import IntEnum
from small_game import *


class Level(IntEnum):
    HIGH = 100


HIGH = Level.HIGH
ROW = (3, 4, 5)
RAISED = tuple((n, n + 1) for n in ROW)


def same(f):
    return f


@rule
def from_outside(game, s, extra=2):
    return game.extra(s) + extra


@rule
def generated(n):
    for i in range(n):
        yield i


class Pays(Game):
    "A part of a game: what stands in front of the game itself."

    def extra(self, s):
        return 7


class Calls(Pays, SmallGame):
    "Every way to call something."

    title = "Calls"
    more: int = number(2)
    size = lambda self: self.players + self.more

    @override
    def apply(self, state, seat, card):
        small_game.SmallGame.apply(self, state, seat, card)
        self.pay(s=state, seat=seat)
        self._private(state)
        state.scores[0] += from_outside(self, state) + from_outside(self, state, extra=3)
        state.scores[0] += Pays.extra(self, state)

    def pay(self, s, seat, times=2, more=ROW):
        s.scores[seat] += times * more[1]

    @large
    def _private(self, s):
        s.scores[1] += 1000

    @override
    def playable(self, s, me, *unused) -> Cards:
        return super().playable(s, me)

    @same
    @override
    def utility(self, s, me):
        return SmallGame.utility(self, s, me)


class Words(Calls):
    "Every statement that rules may have."

    title = "Words"

    @override
    def extra(self, s):
        "Nothing is returned before the end."
        total = 0
        for i in generated(3):
            total += i
        else:
            total += HIGH
        match s.phase:
            case 1:
                total += 1
            case _:
                total += 2
        while total > 110:
            total -= 1
            if total == 111:
                break
        first, second = second, first = 1, 2
        total += first if 0 <= second < 3 else 5
        total += (first == 1) + (s.phase and 5) + (first in (1, 2)) + len(s.tricks) + max(s.tricks)
        for trick in s.tricks:
            total += trick
        row = s.scores
        row[2] += 1
        assert total > 0
        total += RAISED[1][0] ** 2 + -7 // 2 + -7 % 3
        return super().extra(s) + total


class Last(Words):
    title = "Last"

    @override
    def pay(self, s, seat, times=3, more=ROW):
        super().pay(s, seat, times, more)
        s.scores[2] += times

    @override
    def extra(self, s):
        return 2 * super().extra(s)


def made(points):
    class Made(SmallGame):
        title = "Made"
        slug = f"made-{points}"

        @override
        def apply(self, s, me, move):
            super().apply(s, me, move)
            s.scores[me] += points

    class Made(Made):
        slug = f"made-again-{points}"

        @override
        def apply(self, s, me, move):
            super().apply(s, me, move)
            s.scores[me] += 100

    return Made


MADE_THREE, MADE_FOUR = made(3), made(4)


class One(SmallGame):
    title = "One"

    @override
    def apply(self, s, me, move):
        super().apply(s, me, move)
        s.scores[0] += 10


class Other(SmallGame):
    title = "Other"

    @override
    def apply(self, s, me, move):
        s.scores[1] += s.scores[0]
        super().apply(s, me, move)


class Both(One, Other):
    title = "Both"

    @override
    def apply(self, s, me, move):
        super().apply(s, me, move)
        s.scores[2] += 1
""".replace("playable(self, s, me, *unused)", "playable(self, s, me, unused=0)").replace(
    "        first, second = second, first = 1, 2\n", "        first, second = 1, 2\n"
)


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, type[Game]]:
    file = tmp_path_factory.mktemp("accepted") / "accepted.py"
    file.write_text(ACCEPTED)
    return games.load_file(file)


@pytest.mark.long
@pytest.mark.parametrize("slug", ["calls", "words", "last", "made-again-3", "made-again-4", "both"])
def test_what_is_accepted_is_the_same_plain_and_compiled(accepted: dict[str, type[Game]], slug: str) -> None:
    setup = Setup(accepted[slug], 2)
    state = Match(setup, chance=shuffler(1)).state
    plain, compiled = played_plain(setup, state, 1), played_compiled(setup, state, 1)
    assert plain == compiled
    assert sum(plain.scores) > 50


# ---------------------------------------------------------------------------------------------------------- type checks

TYPED = """
from upcard.games.sixty_six import SixtySix
from upcard.games.sixty_six.rules import SixtySixState
from upcard.rules import *


class FiftyState(SixtySixState):
    passes: PerSeat = per_seat()


class Fifty(SixtySix[FiftyState]):
    title = "Fifty"
    enough = 50
    pack = card_set("AKQJT")
    fetcher = JACK
    bonus: int = number(5, clause="SS-4", help="a bonus")

    @override
    def worth_of_marriage(self, s: FiftyState, suit: Suit) -> int:
        s.passes[0] += self.bonus
        return 30 if s.tricks[0] + s.tricks[1] else super().worth_of_marriage(s, suit)


class Sixty(Fifty):
    title = "Sixty"

    @override
    def worth_of_marriage(self, s: FiftyState, suit: Suit) -> int:
        return super().worth_of_marriage(s, suit) + self.lot
"""


WRONG = [
    (
        "suit: Suit) -> int:\n        return super()",
        "suit: str) -> int:\n        return super()",
        'Argument 2 of "worth_of_marriage" is incompatible with supertype "Fifty"',
    ),
    (
        "super().worth_of_marriage(s, suit) + ",
        "super().worth_of_marriage(s, 'hearts') + ",
        'Argument 2 to "worth_of_marriage" of "Fifty" has incompatible type "str"; expected "int"',
    ),
    ("super().worth_of_marriage(s, suit) + ", "super().worth_of_mariage(s, suit) + ", "undefined in superclass"),
    ("self.lot", "self.lots", '"Sixty" has no attribute "lots"'),
    ("s.passes", "s.passed", '"FiftyState" has no attribute "passed"'),
    (
        "    @override\n    def worth_of_marriage",
        "    @override\n    def worth",
        'Method "worth" is marked as an override',
    ),
]


def test_mypy_accepts_a_variant_and_refuses_wrong_types(tmp_path: Path) -> None:
    """In a file of its own, strictly."""
    (tmp_path / "right.py").write_text(TYPED)
    for number, (old, new, _) in enumerate(WRONG):
        assert old in TYPED
        (tmp_path / f"wrong{number}.py").write_text(TYPED.replace(old, new))
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", "", "--cache-dir", "cache"]
    files = sorted(file.name for file in tmp_path.glob("*.py"))
    env = os.environ | {"MYPYPATH": str(SOURCE)}
    done = subprocess.run([*command, *files], cwd=tmp_path, env=env, capture_output=True, text=True)
    errors = [line for line in done.stdout.splitlines() if ": error: " in line]
    for number, (_, _, expected) in enumerate(WRONG):
        assert any(line.startswith(f"wrong{number}.py:") and expected in line for line in errors), done.stdout
    assert not [line for line in errors if not line.startswith("wrong")]
    assert f"(checked {len(files)} source files)" in done.stdout
