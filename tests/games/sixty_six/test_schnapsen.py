"""Schnapsen, the variant of Sixty-Six that comes with Upcard: what differs, clause by clause."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playing import refused

from upcard import BadRecord, Match, Setup, games, replay
from upcard.rules.pages import CITED, clauses, front_matter, page, version_of
from upcard.table.players_rules import players_rules

PACK = [rank + suit for suit in "cdsh" for rank in "JQKTA"]


def table(seat_0: str = "", seat_1: str = "", upcard: str = "Jh", stock: str = "", **options: Any) -> Match:
    """A match with its first deal made, dealt by seat 0: seat 1 leads and hearts are trumps, unless the upcard says
    otherwise. What is not said is filled up from the clubs on, jacks first."""
    match = Match("schnapsen", options=options)
    hands, top = [seat_0.split(), seat_1.split()], stock.split()
    rest = [card for card in PACK if card not in hands[0] + hands[1] + top and card != upcard]
    for hand in hands:
        while len(hand) < 5:
            hand.append(rest.pop(0))
    order = [*hands[1][:3], *hands[0][:3], *hands[1][3:], *hands[0][3:], upcard, *top, *rest]
    match.event(f"deal {' '.join(order)}")
    return match


def play(match: Match, line: str) -> Match:
    for said in line.split(", "):
        match.event(f"{match.to_act[0]} {said}")
    return match


def last(match: Match) -> tuple[str, int, int]:
    told = match.report()["last"]
    return told["how"], told["winner"], told["vp"]


def test_it_is_a_game_by_its_name_and_its_records_say_by_which_rules() -> None:
    assert "schnapsen" in games.names() and "schnapsen" not in games.SLUGS
    match = table()
    record = match.record()
    assert record["about"]["rules"]["variant_of"] == "sixty-six"
    assert replay(record).report() == match.report()
    with pytest.raises(BadRecord):
        replay(record | {"game": "sixty-six"})
    assert {"claims", "closing", "exchange", "target", "count"} == set(match.game.declared_options)


def test_its_page_says_what_differs_before_the_page_of_sixty_six() -> None:
    text = page(games.load("schnapsen"))
    assert text is not None and text.startswith("# Schnapsen\n") and "# Sixty-Six" in text


def test_twenty_cards_five_each_and_nine_in_the_stock() -> None:  # SS-2, SS-7, SS-9
    report = table().report()
    assert [len(hand) for hand in report["hands"]] == [5, 5]
    assert report["stock"] == 9
    assert refused(Match("schnapsen"), "deal " + " ".join(PACK[1:])) == "SS-10"


def test_the_jack_of_trumps_fetches_the_upcard() -> None:  # SS-23
    match = play(table("Ac", "Jh Kc", "Ah"), "exchange")
    assert "Ah" in match.report()["hands"][1] and match.report()["upcard"] == "Jh"


def test_the_end_game_is_strict() -> None:  # SS-17, SS-18
    match = play(table("Ac Jc Kh Jd Qd", "Tc Td Ts As Ah", "Jh"), "close")
    play(match, "Tc")
    assert match.legal(0) == ["Ac"]  # follow, and head it
    play(match, "Ac, Jd")
    assert match.legal(1) == ["Td"]
    play(match, "Td, As")
    assert match.legal(0) == ["Kh"]  # no spade: a trump
    assert refused(match, "0 Jc") == "SS-18"


@pytest.mark.parametrize("seed", range(40))
def test_the_last_trick_wins_a_deal_that_nobody_ends(seed: int) -> None:  # SS-5, SS-33, SS-36, SS-37
    rng = Random(seed)
    match = Match("schnapsen", options={"closing": "never"})
    match.event(match.draw_lots(rng))
    shown = [0, 0]
    while not match.awaiting:
        seat = match.to_act[0]
        move = rng.choice([move for move in match.legal(seat) if move != "declare"])
        if move.startswith("meld"):
            shown[seat] += 40 if move[-1] == match.report()["trump"] else 20
        match.play(seat, move)
    report, (how, winner, vp) = match.report(), last(match)
    other = 1 - winner
    assert winner == match.state.taker
    assert sum(report["points"]) + sum(report["pending"]) == 120 + sum(shown)  # nothing for the last trick
    if report["points"][winner] < 66 or report["points"][other] >= 33:
        assert (how, vp) == ("plain", 1)
    else:
        assert (how, vp) == (("schneider", 2) if report["tricks"][other] else ("schwarz", 3))


def test_claims_are_automatic_where_a_table_says_so() -> None:  # SS-30
    match = table("Jc Jd Js Qc Qd", "Ac Ad As Kh Qh", "Jh", claims="automatic")
    assert "declare" not in match.legal(1)
    assert refused(match, "1 declare") == "SS-30"
    play(match, "meld Kh Qh")
    assert match.setup.scene(match.state, 1).prompt == "Your turn: lead a card of the marriage"
    assert match.report()["pending"] == [0, 40]
    play(match, "Kh, Jc, Ac, Qc")
    assert match.report()["points"] == [0, 60] and not match.awaiting
    play(match, "Ad, Jd")
    assert last(match) == ("schwarz", 1, 3)


def test_a_marriage_that_makes_66_ends_the_deal_where_claims_are_automatic() -> None:  # SS-30
    match = table("Jc Jd Js Qc Qd", "Ac Ad As Kh Qh", "Jh", claims="automatic")
    play(match, "Ac, Qc, Ad, Qd, meld Kh Qh")
    assert last(match) == ("schwarz", 1, 3)


def test_nobody_closes_where_a_table_says_so() -> None:  # SS-26
    match = table(closing="never")
    assert "close" not in match.legal(1)
    assert refused(match, "1 close") == "SS-26"  # not SS-28: the stock is neither closed nor gone


def test_a_closer_is_paid_by_what_the_other_had_then() -> None:  # SS-34
    match = table("Jc Jd Qc Qd Ts", "Ac Ad As Kh Qh", "Jh", "Ah Th Ks Kd Kc Js")
    play(match, "Ac, Jc, close, meld Kh Qh, Kh, Th, Ts, As")  # seat 0 takes a trick after the close
    assert match.report()["tricks"] == [1, 2]
    play(match, "declare")
    assert last(match) == ("schwarz", 1, 3)


def test_a_closer_without_66_loses_the_last_trick_or_not() -> None:  # SS-39
    match = play(table("Ac Ad As Ah Th", "Jc Jd Js Qc Qd", "Jh"), "close, Jc")
    while not match.awaiting:
        play(match, next(move for move in match.legal(match.to_act[0]) if len(move) == 2))
    assert last(match) == ("bad-close", 0, 3)


def test_a_closer_with_66_who_does_not_say_so_loses_with_the_last_trick() -> None:  # SS-39
    match = play(table("Ac Ad As Ah Th", "Jc Jd Js Qc Qd", "Jh"), "close, Jc")
    match.state.points[:] = [0, 66]
    play(match, "Ac, Ad, Jd, As, Js, Ah, Qd, Th, Qc")
    assert last(match) == ("bad-close", 0, 3)
    told = match.setup.scene(match.state, 0).result
    assert told[0] == "The stock was closed in vain: {0} wins the deal"  # not that the closer has fewer


def test_the_first_right_declaration_wins_whatever_the_other_has() -> None:  # SS-35
    match = table()
    match.state.points[:] = [70, 66]
    match.state.tricks[:] = [3, 3]
    play(match, "declare")
    assert last(match) == ("plain", 1, 1)


# ------------------------------------------------------------------------------------------ the rules in players' words

RULES = Path(games.__file__).parent
TABLES: list[dict[str, Any]] = [
    {},
    {"target": 1},
    {"exchange": "trick"},
    {"count": "hidden"},
    {"claims": "automatic"},
    {"closing": "never"},
]


def rules_at(language: str, **options: Any) -> str:
    text = players_rules(Setup("schnapsen", None, options), language)
    assert text is not None
    return text


@pytest.mark.parametrize("language", ["en", "de"])
def test_its_rules_in_players_words_are_filled_in_at_every_table(language: str) -> None:
    pages = [rules_at(language, **options) for options in TABLES]
    assert len({*pages}) == len(TABLES)
    for text in pages:
        assert "{" not in text and "_" not in text
        assert not re.search(r"^\s*-\s*$|\|\n\n\|| [.,;]", CITED.sub("", text), re.MULTILINE)
        assert len(re.findall(r"^\d\. ", text, re.MULTILINE)) == 5


def test_its_rules_state_every_clause_that_can_happen_in_it() -> None:
    cited = {clause for marks in CITED.findall(rules_at("en")) for clause in marks.split(", ")}
    every = {*clauses(games.load("schnapsen"))}
    assert every - cited == {"SS-10", "SS-48", "SS-49", "SS-50"}  # records, and options that it does not have
    assert cited <= every


def test_its_rules_in_german_state_the_same() -> None:
    for options in TABLES:
        english, german = (rules_at(language, **options) for language in ("en", "de"))
        for mark in (r"SS-\d+", r"\[[2-9TJQKA][cdhs][^]]*\]", r"^\|"):
            one, other = (sorted(re.findall(mark, text, re.MULTILINE)) for text in (english, german))
            assert one == other, options
        assert len(re.findall("^#", german, re.MULTILINE)) == len(re.findall("^#", english, re.MULTILINE))
        prose = CITED.sub("", german)
        assert not re.search(r"\b(?:the|and|of|you|your|with|if|is|are)\b", prose)


def test_its_rules_are_not_older_than_their_source() -> None:
    for name, source in (("rules.en", "rulebook"), ("rules.de", "rules.en")):
        version = version_of((RULES / f"schnapsen.{source}.md").read_text(encoding="utf-8"))
        stated = front_matter((RULES / f"schnapsen.{name}.md").read_text(encoding="utf-8"))["source"]
        assert stated == f"schnapsen.{source}.md {version}"


def test_the_examples_of_its_rules_can_happen() -> None:
    text = rules_at("en")
    assert "Ben leads [Qs], and you hold [As Js Th]. You must take the trick with [As]" in " ".join(text.split("\n> "))
    match = play(table("As Js Th", "Qs Kc Kd"), "close, Qs")
    assert match.legal(0) == ["As"]
    assert "show [Kh Qh]; hearts are trumps. That makes 67" in text
    match = play(table("Kc Js", "Ac Ts Kh Qh"), "Ac")
    for line in ("0 Kc", "1 Ts", "0 Js"):
        match.event(line)
    assert match.report()["points"][1] == 27
    assert play(match, "meld Kh Qh").report()["points"][1] == 67
    assert last(play(match, "declare"))[:2] == ("schwarz", 1)


def test_a_variant_of_it_by_numbers_has_its_page_and_no_examples() -> None:
    game = games.load("schnapsen").variant("long", numbers={"enough": 70})
    text = players_rules(Setup(game))
    assert text is not None
    assert "race to 70 points" in text and "\n>" not in text
