"""Seeded faults: a small complete game is broken in one place at a time, and the error says plainly what is wrong."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from upcard import games
from upcard.cli.new_game import write_template
from upcard.laws import LAWS

APPLY, CHOOSE = "    @override\n    def apply(", "    @override\n    def choose("
RULES, WORDS, HEURISTIC, PAGE, GAME = "rules.py", "words.py", "heuristic.py", "rulebook.md", "__init__.py"


@dataclass(frozen=True)
class Fault:
    """A change to one file of the new game, and words with which it must be told."""

    name: str
    file: str
    old: str
    new: str
    told: str


FAULTS = (
    # hidden cards
    Fault("open hands", RULES, "= held()", '= per_seat(of="set", cards="set")', "everybody sees every hand"),
    Fault(
        "a field that tells",
        RULES,
        "        s.phase = PLAY\n",
        "        s.last_points[s.dealer] = highest(s.hand[s.dealer])\n        s.phase = PLAY\n",
        "can tell from the field `last_points`",
    ),
    Fault(
        "a move that tells",
        RULES,
        "return follows(s, me)  #",
        "return follows(s, me) & ~(s.undealt << 1) or follows(s, me)  #",
        "can tell from its own legal moves",
    ),
    Fault(
        "a card that nobody turned up",
        RULES,
        "        s.phase = PLAY\n",
        "        s.played = bit(lowest(s.undealt))\n        s.undealt ^= s.played\n        s.phase = PLAY\n",
        "no move has named it",
    ),
    # cards
    Fault("a card is lost", RULES, "        s.played |= bit(move)\n", "", "nowhere"),
    Fault("a card is doubled", RULES, "            s.undealt ^= bit(s.upcard)\n", "", "more often than it was dealt"),
    Fault("one card for all", RULES, "|= bit(order[i])", "|= bit(order[0])", "nowhere"),
    Fault(
        "a pile that is never cleared", RULES, "open_set()  #", "open_set(kept=True)  #", "two places after the deal"
    ),
    Fault("more cards than the pack has", RULES, "number(8,", "number(11,", "hands of 11 cards"),
    # moves
    Fault(
        "a move is missing",
        RULES,
        "return follows(s, me)  #",
        "return follows(s, me) & ~bit(lowest(s.hand[me]))  #",
        "PT-8|no legal move",
    ),
    Fault("no duty to follow", RULES, "return follows(s, me)  #", "return s.hand[me]  #", "lack"),
    Fault(
        "a card of somebody else",
        RULES,
        "return follows(s, me)  #",
        "return s.hand[left_of(s, me)]  #",
        "which it does not have",
    ),
    Fault("most_moves", GAME, "most_moves = 10", "most_moves = 3", "most_moves"),
    Fault(
        "a verb without words",
        RULES,
        "notation = Notation()",
        'notation = Notation()\n    notation.verb("pass")',
        "'label' and 'said'",
    ),
    Fault(
        "a verb that is never used",
        RULES,
        "notation = Notation()",
        'notation = Notation()\n    notation.verb("pass", label="Pass", said="passes")',
        "pass",
    ),
    # the course of a match
    Fault("an endless match", RULES, "if s.deals == self.deals", "if s.deals < 0", "still going on"),
    Fault("no next deal", RULES, "await_deal(s, left_of(s, s.dealer))", "s.to_act = 0", "set `to_act` or `awaiting`"),
    Fault(
        "nobody leads", RULES, "        take_lead(s, left_of(s, s.dealer))  # PT-7\n", "", "set `to_act` or `awaiting`"
    ),
    Fault(
        "a draw that no rule answers",
        RULES,
        "await_deal(s, left_of(s, s.dealer))  # PT-3\n",
        "s.to_act = 0\n            s.awaiting = DRAW\n",
        "define `drawn(self, s, card)`",
    ),
    Fault("no winner", RULES, "DONE, highest_scores(s))", "DONE, 0)", "nobody has won"),
    Fault(
        "a seat that does not exist",
        RULES,
        "trick_goes_on(s, left_of(s, me))",
        "trick_goes_on(s, me + 1)",
        "seat|to_act",
    ),
    Fault(
        "the wrong last phase",
        RULES,
        'DONE = PHASES = words("deal play done")',
        'DONE, LATE = PHASES = words("deal play done late")',
        "last word of PHASES",
    ),
    # classes
    Fault(
        "a rule of another name",
        RULES,
        "def playable(",
        "def playables(",
        "rules.py, line 63: PlainTricksRules.playables replaces nothing (is playable meant?): take @override away",
    ),
    Fault(
        "a rule by chance of the same name",
        RULES,
        "def end_trick(",
        "def over(",
        "rules.py, line 73: PlainTricksRules.over replaces a rule of Game: write @override above it, or rename it",
    ),
    Fault(
        "a rule that takes something else",
        HEURISTIC,
        "def choose(self, s: PlainTricksState, me: int, moves: Buffer, n: int, luck: int)",
        "def choose(self, s: PlainTricksState, moves: Buffer, n: int, luck: int)",
        "heuristic.py, line 12: PlainTricksHeuristic.choose takes (self, s, moves, n, luck), and in Game (self, s, me,",
    ),
    Fault(
        "a number that is not declared",
        RULES,
        'for_trick: int = number(1, clause="PT-11", help="points for each trick")',
        "for_trick: int = 1",
        "rules.py, line 30: PlainTricksRules: for_trick is no option or number: declare it",
    ),
    Fault(
        "two parts with a rule of one name",
        WORDS,
        "    @override\n    def report(",
        "    def worth(self, s: PlainTricksState, card: Card) -> int:\n        return 1\n\n"
        "    @override\n    def report(",
        "__init__.py: line 9: both PlainTricksHeuristic and PlainTricksWords have worth: write it in Plain",
    ),
    # seats
    Fault(
        "seat 0 is dear to it",
        RULES,
        "return self.for_trick * s.tricks[seat]",
        "return (seat == 0) + self.for_trick * s.tricks[seat]",
        "one seat further",
    ),
    Fault("seat 0 leads", RULES, "take_lead(s, left_of(s, s.dealer))", "take_lead(s, 0)", "one seat further"),
    # numbers
    Fault(
        "a score of half a point", RULES, "+= s.last_points[seat]\n", "+= s.last_points[seat] / 2\n", "makes a fraction"
    ),
    Fault(
        "half a point in digits",
        RULES,
        "return self.for_trick * s.tricks[seat]",
        "return self.for_trick * 0.5",
        "in points_of, 0.5 is no whole number",
    ),
    Fault(
        "points in words",
        RULES,
        "return self.for_trick * s.tricks[seat]",
        'return self.for_trick * s.tricks[seat] if seat else "20"',
        "in points_of, '20' is no whole number",
    ),
    Fault(
        "a shift to nowhere",
        RULES,
        "+= s.last_points[seat]\n",
        "+= 1 << s.last_points[seat] - 1\n",
        "in end_deal: a shift by a negative number: ",
    ),
    Fault("an undeclared field", RULES, "        if s.deals ==", "        s.wins = 1\n        if s.deals ==", "wins"),
    Fault("an unknown number", RULES, "self.for_last if", "self.final if", "final"),
    Fault(
        "a word that rules do not know",
        RULES,
        "self.for_trick * s.tricks",
        "sum((self.for_trick,)) * s.tricks",
        "names sum",
    ),
    Fault(
        "a number too large",
        RULES,
        "s.trump = suit_of(s.upcard)\n",
        "s.trump = suit_of(s.upcard)\n        s.scores[0] = 1 << 70 - s.dealer\n",
        "too large a number",
    ),
    Fault(
        "a number too large for any rule",
        RULES,
        "        s.phase = PLAY\n",
        "        s.scores[0] = s.deals * 0x9E3779B97F4A7C15 % 2\n        s.phase = PLAY\n",
        "a number of 2**63 or more",
    ),
    Fault(
        "a name for a number too large for any rule",
        RULES,
        'TURNED, NO_TRUMPS = TRUMPS = words("turned none")\n',
        'TRUMPS = words("turned none")\nTURNED = (1 << 64) - 1\n',
        "names TURNED, 2**63 or more",
    ),
    Fault(
        "a part of a row",
        RULES,
        "        s.phase = PLAY\n",
        "        before = s.scores[:]\n        s.last_points[0] = before[0]\n        s.phase = PLAY\n",
        "a part of a row",
    ),
    Fault(
        "a method of a row",
        RULES,
        "        s.phase = PLAY\n",
        "        row = s.scores\n"
        "        s.last_points[0] = row.index(max(0, s.scores.count(0)))\n"
        "        s.phase = PLAY\n",
        "`index` is a method",
    ),
    Fault(
        "a name that is written to",
        RULES,
        "def end_trick(self, s: PlainTricksState) -> None:\n",
        "def end_trick(self, s: PlainTricksState) -> None:\n        global COUNT\n        COUNT = s.deals\n",
        "`COUNT` is written to: what changes stands in the state",
    ),
    Fault(
        "a default that changes",
        RULES,
        "def points_of(self, s: PlainTricksState, seat: int) -> int:\n",
        "def points_of(self, s: PlainTricksState, seat: int, seen=[]) -> int:\n",
        "points_of has a list as a default: only numbers can be one",
    ),
    Fault(
        "a path without a value",
        RULES,
        "        return follows(s, me)  #",
        "        if s.hand[me]:\n            return follows(s, me)  #",
        "rules.py, line 63: playable returns a value on one path and none on another",
    ),
    Fault(
        "what is true, inverted",
        RULES,
        "        if s.deals ==",
        "        if ~(s.deals > 1):\n            s.deals += 0\n        if s.deals ==",
        "write `not`",
    ),
    Fault(
        "an option is written to",
        RULES,
        "        s.phase = PLAY\n",
        "        self.for_trick = 2\n        s.phase = PLAY\n",
        "`self.for_trick`",
    ),
    Fault(
        "a row in the place of another",
        RULES,
        "        s.phase = PLAY\n",
        "        s.tricks = s.scores\n        s.phase = PLAY\n",
        "a row",
    ),
    Fault(
        "something imported",
        RULES,
        "        s.phase = PLAY\n",
        "        import random\n        s.phase = PLAY\n",
        "random is imported",
    ),
    Fault(
        "points for nobody",
        RULES,
        "def end_deal(self, s: PlainTricksState) -> None:\n",
        "def end_deal(self, s: PlainTricksState) -> None:\n        s.last_points[NOBODY] += 3\n",
        "NOBODY",
    ),
    Fault(
        "points for an empty seat",
        RULES,
        "def end_deal(self, s: PlainTricksState) -> None:\n",
        "def end_deal(self, s: PlainTricksState) -> None:\n"
        "        s.scores[min(s.players, 4)] += 3 * (s.players < 4)\n",
        "a seat that does not exist",
    ),
    Fault(
        "a dealer who does not sit there",
        RULES,
        "await_deal(s, left_of(s, s.dealer))",
        "await_deal(s, s.dealer + 1)",
        "`dealer` is",
    ),
    Fault(
        "moves without their number",
        RULES,
        APPLY,
        f"    @override\n    def other_moves(self, s, me, out, n):\n        add(out, n, 3, False)\n\n{APPLY}",
        "rules.py, line 67: PlainTricksRules.other_moves returns nothing, and in Game a value",
    ),
    Fault(
        "moves with nothing for a number",
        RULES,
        APPLY,
        f"    @override\n    def other_moves(self, s, me, out, n):\n        return take_lead(s, me)\n\n{APPLY}",
        "`other_moves` returns None",
    ),
    Fault(
        "a pack without its number",
        RULES,
        APPLY,
        f"    @override\n    def cards_to_shuffle(self, s, out):\n        put_cards(out, 0, self.pack)\n\n{APPLY}",
        "rules.py, line 67: PlainTricksRules.cards_to_shuffle returns nothing, and in Game a value",
    ),
    Fault(
        "an option is changed",
        RULES,
        "        s.phase = PLAY\n",
        "        self.for_trick += 2\n        s.phase = PLAY\n",
        "`self.for_trick`",
    ),
    # words and pages
    Fault(
        "a refusal that tells",
        WORDS,
        '        yield "PT-7"',
        '        yield "PT-6", attempt.card != NO_CARD and s.undealt >> attempt.card & 1\n        yield "PT-7"',
        "can tell from the refusal",
    ),
    Fault("a clause that is not there", WORDS, '"PT-8", s', '"PT-99", s', "PT-99"),
    Fault("no clause", WORDS, '"PT-7"', '""', "no clause"),
    Fault("a clause that nothing cites", PAGE, "- **PT-18**", "- **PT-19** No talking.\n- **PT-18**", "PT-19"),
    Fault("a zone that no page can draw", WORDS, '"upcard", "upcard"', '"upcard", "turnup"', "role"),
    Fault("a mark that no page can draw", WORDS, '"tricks")', '"trick")', "role"),
    Fault(
        "a heuristic that peeps",
        HEURISTIC,
        "        return best\n",
        "        return moves[n - 1] if count(s.hand[0]) > 4 else best\n",
        "the heuristic depends on what seat",
    ),
    Fault(
        "a trait that peeps",
        HEURISTIC,
        CHOOSE,
        "    TRAITS = 2\n\n    @override\n    def traits(self, s, me, move):\n"
        f"        return s.hand[left_of(s, me)] > bit(move)\n\n{CHOOSE}",
        "a feature of the policy depends on what seat",
    ),
    Fault("a heuristic that cheats", HEURISTIC, "return best\n", "return lowest(s.hand[me])\n", "legal"),
    Fault(
        "a heuristic that plays",
        HEURISTIC,
        "        best = moves[0]\n",
        "        best = moves[0]\n        s.tricks[me] += 1\n",
        "changes the state",
    ),
)


@pytest.mark.long
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_told(fault: Fault, tmp_path: Path) -> None:
    folder = write_template("Plain Tricks", tmp_path)
    text = (folder / fault.file).read_text()
    assert fault.old in text
    (folder / fault.file).write_text(text.replace(fault.old, fault.new, 1))
    reason = told(folder)
    assert any(word in reason for word in fault.told.split("|")), reason


def told(folder: Path) -> str:
    """What is said of the game first: when it is loaded, or by the first law that is broken."""
    try:
        [game] = games.load_file(folder).values()
    except games.UnknownGame as error:
        return str(error)
    for law in LAWS:
        if law.name != "compiled-equals-plain" and (broken := law.verdict(game).broken):
            return str(broken)
    return ""
