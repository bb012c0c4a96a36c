"""No sentence of a table states the number that its game ships with where the table has another."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from upcard import IllegalMove, Match, Setup, games
from upcard.house.game_info import game_info
from upcard.rules import pages
from upcard.rules.clause_numbers import stated
from upcard.rules.game import Game
from upcard.rules.placeholders import fill, values_of, with_numbers
from upcard.table.players_rules import players_rules, summary_of

OTHER: dict[str, dict[str, Any]] = {
    "cinch": {
        "dealt": 8,
        "lot": 2,
        "size": 4,
        "high_card": 7,
        "low_card": 8,
        "jack": 11,
        "ten": 12,
        "pedro": 12,
        "most_deals": 77,
    },
    "kalooki": {
        "jokers": 2,
        "dealt": [0, 7, 8, 8, 8, 8, 8, 8, 8, 8],
        "need_threes": [0, 1, 2, 0, 1, 2, 0, 0, 1, 2],
        "need_fours": [0, 1, 0, 2, 0, 0, 2, 1, 1, 1],
        "fine": 70,
        "most_attempts": 8,
        "most_turns": 444,
        "counts": [21, 22, 23, 24, 25, 26, 27, 28, 29, 31, 32, 33, 34],
        "black_ace": 44,
        "joker_worth": 91,
        "bent_times": 5,
    },
    "klaberjass": {
        "pack": "AKQJT98",
        "strength": "8 9 J Q K T A",
        "trump_strength": "8 9 J Q K T A",
        "value": "A=21 T=22 K=23 Q=24 J=25 9=26 8=27",
        "trump_value": "A=31 T=32 K=33 Q=34 J=35 9=36 8=37",
        "size": 5,
        "lot": 2,
        "more": 4,
        "dix": 6,
        "twenty": 35,
        "fifty": 75,
        "bela_points": 45,
        "last_trick": 18,
        "most_deals": 77,
    },
    "linger-longer": {"pack": "AKQJT9876543", "for_card": 17, "for_deal": 18},
    "loo": {"pam": 30, "stake": 12, "size": 4, "looed": 16, "most_looed": 44},
    "ninety-nine": {
        "pack": "AKQJT98765432",
        "next_trump": [3, 2, 0, 1, 1],
        "value": [11, 12, 13, 14],
        "bonus": [7, 41, 42, 43, 44],
        "declared": 51,
        "revealed": 71,
        "most_rounds": 77,
        "game": 88,
        "game_bonus": 99,
    },
    "oh-hell": {"made": 17, "times": 4},
    "rolling-stone": {"pack": "AKQJT", "win": 17, "pips": [21, 22, 23, 24, 25, 26, 27, 28, 29, 31, 32, 33, 34]},
    "rounds": {
        "pack": "AKQJT98765",
        "size": 5,
        "more": 3,
        "rounds": 6,
        "tricks": 3,
        "won_round": 17,
        "value": "A=31 K=32 Q=33 J=34 T=35",
        "prize": "7s",
        "prize_value": 41,
        "extra_games": 12,
        "bonus": 44,
    },
    "roundup": {
        "pack": "A23456789JQK",
        "value": "A=9 2=8 3=7 4=6 5=5 6=4 7=3 8=2 9=1",
        "shares": [0, 13, 12, 11, 8, 7, 6],
        "most_rounds": 77,
    },
    "sixty-six": {
        "pack": "AKQJ98",
        "strength": "8 9 J Q K A",
        "value": "A=21 K=23 Q=24 J=25 9=26",
        "last_trick": 18,
        "size": 5,
        "lot": 2,
        "marriage": 31,
        "royal": 52,
        "fetcher": 6,
        "enough": 99,
        "schneider": 44,
        "most_deals": 77,
    },
}
"""For each game, another value for every number; the pack stays where the other numbers need it."""

NAMES = {
    "cinch": "five of trumps|High Five",
    "kalooki": r"\bthrees?\b|\bfours?\b|nine|five, four|king, queen|the two|^\d$|, \d and \d|\bcalls\b|two times each",
    "klaberjass": "“twenty”|beats a twenty|suits|orders|of three|[Tt]wo (?:of|play)|in two|plain|twice",
    "linger-longer": "",
    "loo": "Five to ten|^five:",
    "ninety-nine": "hree|[Tt]wo of you|two others|^(?:two|nine)$|third|play to|has 200|[Ww]ith two",
    "oh-hell": "half|up to ten|then ten|10 cards each|2, 3, …",
    "rolling-stone": "Four to six|two players|the two",
    "rounds": "^Two of|two kinds|two scores|both|two are named|other three",
    "roundup": r"four (?:best|stacks)|(?:two|three) others|10 or more|to 10|^\d\.$|\{2\}|Between two|^Two to",
    "sixty-six": r"Sixty|1652|Two|two of|two cards|lead one|for you|for the other|7 victory|if they|^\d",
}
"""Sentences, as regular expressions, in which such a number is no number of the rules: the name of a card or of a meld,
the players at a table, an option."""


def sentences(text: str) -> Iterator[str]:
    """The sentences of a page, and the cells of its tables."""
    for part in re.split(r"\n\s*\n|\n(?=[-|>\d])|\|", pages.CITED.sub("", text)):
        yield from filter(None, re.split(r"(?<=[.:;!?])\s", " ".join(part.split())))


def texts(setup: Game) -> Iterator[str]:
    """All that is written about a table, but for the rulebook."""
    yield players_rules(setup) or ""
    yield summary_of(setup.game)
    yield from (with_numbers(reason, setup) for reason in setup.game.why.values())
    yield from (option.help for option in game_info(setup.game).options)
    yield from (number.help for number in setup.game.declared_numbers.values())


def numbers_of(game: type[Game], names: Iterable[str]) -> set[int]:
    """The single numbers of a game from 2 on, and those of its rows."""
    values = (game.declared_numbers[name].value_for(game()) for name in names)
    rows = (value if isinstance(value, tuple) else (value,) for value in values)
    return {number for row in rows for number in row if 1 < number < 1000}


def test_no_sentence_states_the_number_that_the_table_has_changed(game: type[Game]) -> None:
    other = game.variant("other", numbers=OTHER[game.slug])
    free = {name for name, number in game.declared_numbers.items() if not number.derived}
    assert free - {"pack"} <= OTHER[game.slug].keys()
    patterns = [stated(number) for number in numbers_of(game, OTHER[game.slug])]
    for players in other.player_counts:
        usual = {sentence for text in texts(Setup(game, players)) for sentence in sentences(text)}
        same = {sentence for text in texts(Setup(other, players)) for sentence in sentences(text)} & usual
        names = NAMES[game.slug] or "$."
        wrong = [one for one in same if any(p.search(one) for p in patterns) and not re.search(names, one)]
        assert wrong == []


@pytest.mark.parametrize(
    ("number", "sentence", "states"),
    [
        (5, "It is worth five points.", True),
        (5, "Every trick is a fifth of the pot.", True),
        (5, "It is worth fifty points, or 15, or 5.5.", False),
        (10, "They get 10.", True),
        (2, "The points count double.", True),
        (60, "60% of sixty-six", False),
    ],
)
def test_a_number_is_recognized_in_digits_and_words(number: int, sentence: str, states: bool) -> None:
    assert bool(stated(number).search(sentence)) == states


ELSEWHERE = {
    "cinch": "3 5",
    "kalooki": "1 3 31 32 35 36 38 44 45 46",
    "klaberjass": "2 5 9 11 23 24 25 26 27 28 63 65",
    "loo": "1 2 9",
    "ninety-nine": "13 14 30 41 54",
    "oh-hell": "3 4 10 28",
    "rolling-stone": "1 2 6 18",
    "rounds": "2 4 5 6 8 9 11 12 24 25 48",
    "roundup": "1 5 9 37 43 44 46 47 48",
    "sixty-six": "7 9 43",
}
"""Clauses that name such a number for another reason: a card, the players, an option, or a number that is marked."""


def test_clauses_that_state_a_number_are_marked_where_a_variant_changes_it(game: type[Game]) -> None:
    marked: dict[int, set[str]] = {}
    for number in game.declared_numbers.values():
        value = 0 if number.derived or number.is_pack else number.value_for(game())
        for one in value if isinstance(value, tuple) else (value,):
            marked.setdefault(one, set()).update([number.clause, *number.also.split()])
    stating = {
        clause
        for clause, text in pages.clauses(game).items()
        for one, clauses in marked.items()
        if 3 < one < 1000 and clause not in clauses and stated(one).search(text)
    }
    assert stating == {f"{game.clauses.prefix}-{number}" for number in ELSEWHERE.get(game.slug, "").split()}


def test_marks_name_clauses_that_exist(game: type[Game]) -> None:
    for number in game.declared_numbers.values():
        assert {*number.also.split()} <= {*pages.clauses(game)} - {number.clause}


def test_every_phrase_is_in_a_clause_of_its_number(game: type[Game]) -> None:
    usual, clauses = values_of(game.unconstrained()), pages.clauses(game)
    for name, number in game.declared_numbers.items():
        bodies = [clauses[clause] for clause in [number.clause, *number.also.split()] if clause]
        for phrase in number.phrases:
            words = re.escape(fill(phrase, usual).replace("`", ""))
            assert any(re.search(rf"(?<!\w){words}(?!\w)", body) for body in bodies), (name, phrase)


def test_a_clause_has_the_changed_numbers_or_is_marked(game: type[Game]) -> None:
    """Also a clause that a phrase fits only in part."""
    for name, value in OTHER[game.slug].items():
        other, number = game.variant("other", numbers={name: value}), game.declared_numbers[name]
        before, after = pages.clauses(game), pages.clauses(other)
        for clause in [number.clause, *number.also.split()]:
            same = name == "pack" and pack_size(game) == pack_size(other)
            assert same or after[clause] != before[clause], (name, clause)


def pack_size(game: type[Game]) -> int:
    cards: int = game.unconstrained().setting("pack")
    return cards.bit_count()


def test_a_rulebook_has_the_numbers_of_its_table() -> None:
    three = games.load("loo").variant("three", numbers={"size": 3, "stake": 6, "looed": 3, "pam": "9d"})
    clauses, page = pages.clauses(three), pages.page(three) or ""
    assert clauses["LO-3"].startswith("9d is *Pam*.")
    assert clauses["LO-6"].startswith("For every deal its dealer pays six chips into the pot.")
    assert "from the dealer's left, three times round" in clauses["LO-7"]
    assert clauses["LO-9"].startswith("The 51 − 3n cards left, in the order of the pack, are the face-down stock, n ")
    assert "three cards of one suit, or two cards of one suit and Pam" in clauses["LO-14"]
    assert clauses["LO-36"] == "After three tricks everyone takes one of three equal parts of the pot per trick won."
    assert "- **LO-36** [source] After three tricks" in page
    assert page.count("*With the usual numbers of Loo.*") == 4
    dear = games.load("loo").variant("dear", numbers={"most_looed": 40})
    assert pages.clauses(dear)["LO-38"].startswith("Here chips that a looed player pays at most with penalty pot: 40.")
    high = games.load("sixty-six").variant("high", numbers={"enough": 80, "schneider": 40, "fetcher": "T"})
    assert "1 victory point for 40 or more deal points; 2 for 39 or fewer" in pages.clauses(high)["SS-34"]
    assert pages.gist(high(), "SS-23").endswith("with the ten of trumps only, when you are about to lead")


def test_a_refusal_does_not_fill_in_the_whole_page_again(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(games.load("loo").variant("dear-again", numbers={"most_looed": 40}))
    with pytest.raises(IllegalMove, match="LO-49"):
        match.play(0, "play")
    monkeypatch.setattr(pages, "with_changed_numbers", None)
    with pytest.raises(IllegalMove, match="LO-49"):
        match.play(1, "play")
