"""Constraints on numbers: refused before the first deal, in the words of the rules, by every way to a table."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playing import play_out

from upcard import Match, Setup, games
from upcard.cli.choices import for_programs, tables
from upcard.cli.sides import SideSpec
from upcard.engine.errors import BadSetup, UpcardError
from upcard.games.oh_hell import OhHell
from upcard.games.rolling_stone import RollingStone
from upcard.games.rounds import Rounds
from upcard.house.game_info import game_info
from upcard.house.statuses import failure_of
from upcard.languages.answers import encoder_for
from upcard.languages.localizing import texts_in
from upcard.laws.numbers import trial_line, try_numbers
from upcard.rules import game as game_module
from upcard.rules.constraints import Constraint
from upcard.rules.game import Game, broken_constraint
from upcard.rules.lineage import differences
from upcard.rules.sentences import Sentence, as_sentence, capital

NO_CLUBS = " ".join(rank + suit for suit in "shd" for rank in "AKQJT987654")
NO_DIAMONDS = NO_CLUBS.replace("d", "c")
PACK_WITHOUT_2H = [*range(26), *range(27, 52)]
LOST = "so chips would be lost in sharing"
REFUSED = [
    ("rounds", {"tricks": 4}, None, "round 1 has 4 tricks: each player could win 2, and the rules have no winner then"),
    (
        "rounds",
        {"size": 8},
        None,
        "the last round has 3 tricks, of which the last counts twice: each player could win 2, and the rules have no "
        "winner then",
    ),
    ("rounds", {"rounds": 7}, None, "rounds is at most 6, not 7: the table has no room for more upcards"),
    (
        "loo",
        {"stake": 7},
        None,
        f"stake=7 is not a multiple of size=5, {LOST}: choose 5 or 10",
    ),
    ("loo", {"size": 3}, None, f"stake=5 is not a multiple of size=3, {LOST}: choose 3 or 6"),
    ("loo", {"size": 6}, 9, "9 players × 6 cards + the upcard are 55, the pack has 52"),
    ("oh-hell", {"pack": "AKQJ"}, None, "5 players × 10 cards + the upcard are 51, the pack has 16"),
    ("sixty-six", {"size": 12}, None, "2 players × 12 cards + upcard and stock are 26, the pack has 24"),
    (
        "sixty-six",
        {"pack": "AKQJT9 As"},
        None,
        "the number pack is cards, as texts, or ranks in all suits, not 'AKQJT9 As'",
    ),
    ("sixty-six", {"pack": "AAKQJT9"}, None, "the number pack is cards, each once, not 'AAKQJT9'"),
    ("sixty-six", {"pack": "As As"}, None, "the number pack is cards, each once, not 'As As'"),
    ("rounds", {"pack": [*range(52), 0]}, None, "the number pack is cards, each once, not a list"),
    ("sixty-six", {"value": "A=1 A=2"}, None, "the number value is worths by rank, each once, not 'A=1 A=2'"),
    ("loo", {"stake": 1 << 40}, None, f"the number stake is a whole number between -2**40 and 2**40, not {1 << 40}"),
    (
        "klaberjass",
        {"size": 7, "more": 4},
        None,
        "hands of 11 cards can leave a choice of 13 moves, and this game lists 11: a variant sets most_moves",
    ),
    ("klaberjass", {"dix": 14}, None, "the number dix is a rank, such as 9 or J, not 14"),
    ("sixty-six", {"fetcher": "1"}, None, "the number fetcher is a rank, such as 9 or J, not '1'"),
    ("loo", {"pam": "*"}, None, "the number pam is a card, such as Jc, not '*'"),
    ("kalooki", {"contracts": 102}, None, "the option contracts is settled at 1 to 9 digits from 1 to 9, not at 102"),
    (
        "cinch",
        {"low_card": 40, "ten": 16},
        None,
        "the sum of a deal's points is at most 63, not 68: a bid can name no higher number",
    ),
    ("cinch", {"pack": "AKQJ98765432"}, None, "ten counts points, and the pack lacks such a card"),
    (
        "rolling-stone",
        {"pack": "AKQJT9876"},
        5,
        "the pack has 36 cards, which cannot be dealt out evenly to 5 players",
    ),
    (
        "rolling-stone",
        {"pack": [*range(21, 53)]},
        None,
        "the number pack is without a joker, which these rules do not know: declare it anew, with rules that do",
    ),
    ("loo", {"pack": "AKQT98765432"}, None, "pam names J♣, which the pack lacks"),
    (
        "loo",
        {"pam": "Ah"},
        None,
        "the ace of trumps asks Pam to be civil, and Ah would be both: play with civil=false",
    ),
    ("loo", {"pack": NO_CLUBS, "pam": "Jd", "club_law": True}, None, "club_law names clubs, which the pack lacks"),
    ("loo", {"pack": "KQJT98765432", "ace_lead": True}, None, "ace_lead names the ace, which the pack lacks"),
    ("klaberjass", {"pack": "AKQJT98"}, None, "dix names the seven, which the pack lacks"),
    ("sixty-six", {"pack": "AKQJT"}, None, "fetcher names the nine, which the pack lacks"),
    ("schnapsen", {"fetcher": "9"}, None, "fetcher names the nine, which the pack lacks"),
    ("ninety-nine", {"pack": NO_CLUBS}, None, "next_trump names clubs, which the pack lacks"),
    (
        "ninety-nine",
        {"pack": NO_DIAMONDS, "next_trump": (-1, 3, 2, 0, -1), "trump": "diamonds-first"},
        None,
        "trump names diamonds, which the pack lacks",
    ),
    ("rounds", {"prize": "2h 3h", "pack": PACK_WITHOUT_2H, "more": 4}, None, "prize names 2♥, which the pack lacks"),
    (
        "rounds",
        {"value": "A=-4 K=3"},
        None,
        "value has no negative number: a player below 0 might never reach the target",
    ),
    (
        "rounds",
        {"value": [0] * 13, "prize_value": 0, "won_round": 0},
        None,
        "neither rounds nor cards bring points, so nobody would ever reach the target",
    ),
    (
        "kalooki",
        {"dealt": (0, 9, 9, 9, 9, 9, 9, 9, 9, 9), "calls": 2},
        5,
        "contract 8 takes 15 cards, and no hand ever has more than 14",
    ),
    (
        "kalooki",
        {"most_attempts": 78},
        None,
        "the deal of a contract is thrown out at most 20 times, not 78: a match would hardly end",
    ),
    ("kalooki", {"pack": "A2579JK3", "jokers": 3}, 4, "contract 9 cannot be made with this pack (threes: 0, fours: 4)"),
    (
        "cinch",
        {"target": 1 << 40},
        None,
        f"the option target is settled at a whole number below 2**40, not at {1 << 40}",
    ),
    ("linger-longer", {"deals": 0}, None, "the option deals is settled at a whole number from 1 up, not at 0"),
]


@pytest.mark.parametrize(("slug", "numbers", "players", "sentence"), REFUSED)
def test_numbers_that_exclude_each_other_are_refused(
    slug: str, numbers: dict[str, Any], players: int | None, sentence: str
) -> None:
    with pytest.raises(UpcardError) as refused:
        Setup(games.load(slug).variant("other", numbers=numbers), players)
    message = str(refused.value).removeprefix("other: ")
    assert re.fullmatch(rf"{re.escape(sentence)} \([A-Z]{{2}}-\d+\)", message), message


GERMAN = [
    (
        "rounds",
        {"rounds": 7},
        None,
        "„rounds“ ist höchstens 6, nicht 7: Für mehr aufgedeckte Karten ist am Tisch kein Platz",
    ),
    (
        "loo",
        {"stake": 7},
        None,
        "„stake“ ist 7 und kein Vielfaches von „size“ (5), beim Teilen gingen also Chips verloren: Nimm 5 oder 10",
    ),
    ("loo", {"size": 6}, 9, "9 Spieler × 6 Karten + die aufgedeckte Karte sind 55, das Kartenspiel hat 52"),
    (
        "klaberjass",
        {"size": 7, "more": 4},
        None,
        "Mit 11 Karten auf der Hand kann man 13 Züge zur Wahl haben, das Spiel sieht aber nur 11 vor: Eine Variante "
        "setzt most_moves",
    ),
    (
        "rolling-stone",
        {"pack": "AKQJT9876"},
        5,
        "Das Kartenspiel hat 36 Karten, die sich nicht gleichmäßig auf 5 Spieler verteilen lassen",
    ),
    ("loo", {"pack": "AKQT98765432"}, None, "„pam“ nennt eine Karte, die im Kartenspiel fehlt: J♣"),
    ("sixty-six", {"pack": "AKQJT"}, None, "„fetcher“ nennt eine Karte, die im Kartenspiel fehlt: Neun"),
    (
        "loo",
        {"pack": NO_CLUBS, "pam": "Jd", "club_law": True},
        None,
        "„Bei Kreuz gehen alle mit“ nennt eine Farbe, die im Kartenspiel fehlt: Kreuz",
    ),
    (
        "sixty-six",
        {"strength": "A T K Q J"},
        None,
        "„strength“ legt nicht fest, wie stark 9 ist, und 9 gehört zum Kartenspiel",
    ),
    (
        "sixty-six",
        {"strength": [0, 0, 0, 0, 0, 0, 0, 1, 5, 2, 3, 3, 6]},
        None,
        "„strength“ legt nicht fest, ob Q oder K stärker ist, und beide gehören zum Kartenspiel",
    ),
]


@pytest.mark.parametrize(("slug", "numbers", "players", "german"), GERMAN)
def test_a_refusal_is_in_the_language_of_the_reader(
    slug: str, numbers: dict[str, Any], players: int | None, german: str
) -> None:
    with pytest.raises(BadSetup) as refused:
        Setup(games.load(slug).variant("other", numbers=numbers), players)
    _, failure = failure_of(refused.value)
    assert json.loads(encoder_for("de").encode(failure))["error"] == german
    english = json.loads(encoder_for("en").encode(failure))["error"]
    assert english == capital(str(refused.value).partition(" (" + str(failure.clause))[0])


@pytest.mark.parametrize(
    ("players", "options", "german"),
    [
        (3, {}, "Loo geht mit 5, 6, 7, 8, 9 oder 10 Spielern, nicht mit 3"),
        (5, {"penalty": "x"}, "„Wer Loo ist, zahlt“: zur Wahl stehen fünf oder Topf, nicht 'x'"),
        (5, {"rounds": 0}, "„Jeder gibt“ ist eine ganze Zahl von 1 bis 10, nicht 0"),
        (5, {"x": 1}, "Es gibt keine Option 'x' (es gibt: rounds, penalty, flush_pays, level, stock, head, civil,"),
    ],
)
def test_a_refused_option_is_named_as_forms_name_it(players: int, options: dict[str, object], german: str) -> None:
    with pytest.raises(BadSetup) as refused:
        Setup("loo", players, options)
    assert texts_in("de")(refused.value.reason).startswith(german)


def every_constraint(game: type[Game]) -> Iterator[Constraint]:
    """The constraints of a game's tables, with each value of each option that is a choice."""
    for players in game.declared_counts:
        for name, option in game.declared_options.items():
            values = option.values if option.kind == "choice" else (option.default_for(players),)
            for value in values:
                yield from game.unconstrained(players, {name: value}).constraints()


def test_every_reason_is_a_sentence_in_german_too(game: type[Game]) -> None:
    for constraint in every_constraint(game):
        german = texts_in("de")(as_sentence(constraint.reason, game))
        assert isinstance(constraint.reason, Sentence)
        assert german != constraint.reason, constraint.reason
        assert "{" not in german + constraint.reason


def test_every_shipped_table_holds_its_constraints(game: type[Game]) -> None:
    for players in game.declared_counts:
        for options in ({}, game.short or {}):
            assert broken_constraint(game.unconstrained(players, options)) is None
    assert game.player_counts == game.declared_counts
    assert all(one.clause.startswith(game.clauses.prefix) for one in game().constraints())
    assert [*game().constraints()]


def test_a_number_of_any_length_is_read_as_a_number() -> None:
    with pytest.raises(UpcardError, match=r"stake is a whole number between .*, not a very large number \(LO-6\)"):
        SideSpec("loo", None, ["stake=" + "9" * 30], "random").swept("looed=5,10")


def test_constraints_look_at_the_whole_table() -> None:
    """Nine players cannot have six cards, six can; four ranks are enough for deals of three cards."""
    loo = games.load("loo").variant("six", numbers={"size": 3, "stake": 3, "looed": 3, "pack": "AKQJT98"})
    assert (loo.player_counts, loo.declared_counts) == ((5, 6, 7, 8, 9), (5, 6, 7, 8, 9, 10))
    with pytest.raises(BadSetup, match="10 players × 3 cards"):
        Setup(loo, 10)
    with pytest.raises(BadSetup, match="5, 6, 7, 8 or 9 players, not 11"):
        Setup(loo, 11)
    with pytest.raises(BadSetup, match="most_looed=100 is not a multiple of size=3"):
        Setup(loo, 5, {"penalty": "pot"})
    small = OhHell.variant("small", numbers={"pack": "AKQJ"})
    assert Setup(small, 4, {"max_cards": 3}).max_cards == 3  # type: ignore[attr-defined]


def test_a_sweep_checks_all_values_before_the_first_deal() -> None:
    with pytest.raises(UpcardError, match="round 1 has 4 tricks"):
        SideSpec("rounds", None, [], "random").swept("tricks=5,4")
    with pytest.raises(UpcardError, match=r"^tricks=1: hands of 21 cards can leave a choice of 21 moves"):
        SideSpec("rounds", None, [], "random").swept("tricks=5,1")
    with pytest.raises(UpcardError, match=r"^pack=AKQJT: fetcher names the nine, which the pack lacks"):
        SideSpec("sixty-six", None, [], "random").swept("pack=AKQJT9,AKQJT")
    with pytest.raises(UpcardError, match="6 players × 9 cards"):  # and not, in silence, for five
        SideSpec("loo", None, ["size=9"], "random").setup  # noqa: B018


OWN = """
from upcard.games.oh_hell import OhHell
from upcard.rules import *

class Even(OhHell):
    title = "Even"
    max_cards: int = whole(4, 1, 9, clause="OH-3", help="cards each in the largest deal")
    pack = card_set("AKQJT98")
    {marked}

    @override
    def constraints(self) -> Constraints:
        yield from super().constraints()
        yield Constraint("OH-3", "max_cards is even", self.max_cards % 2 == 0, "the largest deal must be even")
"""


def test_a_variant_adds_constraints_which_options_and_forms_know(tmp_path: Path) -> None:
    file = tmp_path / "even.py"
    file.write_text(OWN.format(marked=""))
    even = games.load_file(file)["even"]
    assert even.bounds_of("max_cards", 3) == (2, 8)
    assert even.bounds_of("max_cards", 6) == (2, 4)
    assert even.player_counts == (3, 4, 5, 6, 7)
    (option, *_) = game_info(even).options
    assert (option.low, option.high, option.default) == (2, 4, 4)
    assert option.by_players and option.by_players["3"].high == 8
    assert option.by_players["7"].default == 2
    assert differences(even)[0].startswith("pack is")
    assert not any(line.startswith("constraints") for line in differences(even))
    with pytest.raises(BadSetup, match=r"the largest deal must be even \(OH-3\)"):
        Setup(even, 3, {"max_cards": 5})


def test_constraints_are_no_part_of_the_identity(tmp_path: Path) -> None:
    file = tmp_path / "even.py"
    file.write_text(OWN.format(marked=""))
    with_it = games.load_file(file)["even"].identity
    lines = OWN.format(marked="").splitlines()
    file = tmp_path / "odd.py"
    file.write_text("\n".join(lines[: lines.index("    @override")]))
    assert games.load_file(file)["even"].identity == with_it


def test_a_variant_without_a_table_is_refused_when_it_is_loaded(tmp_path: Path) -> None:
    file = tmp_path / "even.py"
    file.write_text(OWN.format(marked="max_cards = 5"))
    with pytest.raises(UpcardError, match=r"even.py: line \d+: the largest deal must be even \(OH-3\)$"):
        games.load_file(file)
    file.write_text(OWN.format(marked="").replace("% 2 == 0", "// 0 == 0"))
    with pytest.raises(UpcardError, match="the constraints of Even cannot be checked for 3 players: integer division"):
        games.load_file(file)


def test_a_rank_and_a_card_are_read_as_people_write_them() -> None:
    """fetcher=9 is the nine, and not the jack, whose number in the rules is 9."""
    for words, rank in (("9", 7), ("t", 8), ("10", 8), ("J", 9)):
        assert SideSpec("sixty-six", None, [f"fetcher={words}"], "random").setup.setting("fetcher") == rank
    assert SideSpec("loo", None, ["pam=9d"], "random").setup.setting("pam") == 20
    assert Setup("loo").declared_numbers["pam"].text_for(None) == "Jc"
    assert Setup("klaberjass").declared_numbers["dix"].text_for(None) == "7"


@pytest.mark.parametrize(
    ("slug", "option", "kind"),
    [
        ("sixty-six", "fetcher=11", "a rank, such as 9 or J"),
        ("klaberjass", "dix=1", "a rank, such as 9 or J"),
        ("loo", "pam=10", "a card, such as Jc"),
        ("rounds", "prize=10", "cards, as texts, or ranks in all suits"),
        ("loo", "pack=1048575", "cards, as texts, or ranks in all suits"),
    ],
)
def test_a_number_that_people_write_is_no_index_of_a_card(slug: str, option: str, kind: str) -> None:
    """11 is not the king, whose number in the rules is 11, and 10 neither the queen of clubs nor two low clubs."""
    name, _, value = option.partition("=")
    with pytest.raises(UpcardError, match=rf"^the number {name} is {kind}, not '{value}' \("):
        SideSpec(slug, None, [option], "random").setup  # noqa: B018


def test_options_list_the_constraints() -> None:
    setup = Setup("loo")
    listed = json.loads(json.dumps(for_programs(setup)))["constraints"]
    assert {"condition": "stake is a multiple of size", "clause": "LO-36"} in listed
    assert "stake is a multiple of size (LO-36)" in tables(setup, 80)


# ----------------------------------------------------------------------------------------------------------- the trial


@pytest.mark.parametrize(
    ("slug", "numbers", "law"),
    [
        pytest.param("rounds", {"tricks": 4}, "seats-rotate", marks=pytest.mark.xdist_group("rounds")),
        pytest.param("rounds", {"size": 8}, "seats-rotate", marks=pytest.mark.xdist_group("rounds")),
        pytest.param("loo", {"stake": 7}, "totals-are-conserved", marks=pytest.mark.xdist_group("loo")),
        pytest.param("loo", {"looed": 7}, "totals-are-conserved", marks=pytest.mark.xdist_group("loo")),
    ],
)
def test_the_trial_finds_what_the_constraints_exclude(
    slug: str, numbers: dict[str, Any], law: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_module, "broken_constraint", lambda table: None)
    setup = Setup(games.load(slug).variant("unchecked", numbers=numbers))
    with pytest.raises(UpcardError, match=f"^{next(iter(numbers))}=[0-9]+ breaks the law {law}: "):
        try_numbers(setup)


def test_usual_tables_are_not_tried() -> None:
    assert try_numbers(Setup("rounds", None, {"target": 100})) == ()
    assert try_numbers.cache_info().currsize
    assert Setup(RollingStone).most_moves >= 49 and Rounds.most_moves


@pytest.mark.long
@pytest.mark.xdist_group("linger-longer")
def test_a_remark_compares_with_the_usual_numbers() -> None:
    """Fewer cards than usual leave the dealer, who leads last, with more or fewer wins."""
    game = games.load("linger-longer")
    assert trial_line(Setup(game)) == ""
    dear = Setup(game.variant("dear", numbers={"for_card": 2}))
    assert trial_line(dear) == "no law is broken in trial; alike players are even"
    (remark,) = try_numbers(Setup(game.variant("two", numbers={"cards": 2})))
    assert trial_line(Setup(game.variant("two", numbers={"cards": 2}))) == remark
    assert remark.startswith("uneven with cards=2: the dealer wins ") and remark.endswith("% with the usual numbers)")


def test_a_single_round_of_rounds_ends_with_its_pile() -> None:
    """RD-25: the winner of the last trick takes the pile, also where one card is all of it."""
    game = Rounds.variant("single", numbers={"rounds": 1, "size": 4, "tricks": 4, "pack": "AKQJ", "prize_value": 0})
    match = play_out(Match(game), Random(1), 9)
    in_play = match.events[0].text.split()[1:10]  # two hands and the upcard
    assert sum(match.report()["last"]["points"]) == 10 + sum("JQKA".index(name[0]) + 1 for name in in_play)
