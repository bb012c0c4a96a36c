"""The rules in players' words: true at every table, shown by deals that happened, and linked to every clause.

The tests run on the page of each language. A translation states what the English page states, so only that is held
against the records of its examples.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from playing import GAMES
from test_english import WORDS

from upcard import IllegalMove, Setup, games
from upcard.cli.check import advice_on_rules
from upcard.engine import records
from upcard.rules import cards, pages
from upcard.rules.game import Game
from upcard.rules.placeholders import BadPlaceholder, conditions, fill, values_of
from upcard.table.players_rules import plain_rules, players_rules

HERE = Path(__file__).parent
SOURCES = HERE.parent / "src" / "upcard" / "games"

RECORD = "the form of records"
REFEREE = "which clause a refusal names"
PROOF = "a calculation that the rules follow from"
NOT_FOR_PLAYERS = {
    "cinch": {RECORD: "47"},
    "kalooki": {RECORD: "7 59"},
    "klaberjass": {RECORD: "12 66"},
    "linger-longer": {RECORD: "31 32 33 34 35 37", REFEREE: "36 38"},
    "loo": {RECORD: "49"},
    "ninety-nine": {RECORD: "6 52"},
    "oh-hell": {RECORD: "37 38 39 40 41 43", REFEREE: "42 44"},
    "rolling-stone": {RECORD: "28 29 30 31 32 34", REFEREE: "33 35"},
    "rounds": {RECORD: "10 56 57 59", REFEREE: "58", PROOF: "11"},
    "roundup": {RECORD: "51 52 54", REFEREE: "53", PROOF: "49"},
    "sixty-six": {RECORD: "10 48"},
}
"""The clauses that no sentence for players states, by game and reason."""


def folder_of(game: type[Game]) -> Path:
    return SOURCES / game.slug.replace("-", "_")


def languages_of(game: type[Game]) -> list[str]:
    """The languages that a game has a page in."""
    return sorted(page.name.split(".")[1] for page in folder_of(game).glob("rules.*.md"))


LANGUAGES = sorted({language for game in GAMES for language in languages_of(game)})
EVERY_PAGE = [(game, language) for game in GAMES for language in languages_of(game)]
in_every_language = pytest.mark.parametrize(
    ("game", "language"), EVERY_PAGE, ids=[f"{game.slug}-{language}" for game, language in EVERY_PAGE]
)
in_translation = pytest.mark.parametrize(
    ("game", "language"),
    [(game, language) for game, language in EVERY_PAGE if language != "en"],
    ids=[f"{game.slug}-{language}" for game, language in EVERY_PAGE if language != "en"],
)


def written(game: type[Game], language: str = "en") -> str:
    text = pages.written_rules(game, language)
    assert text is not None
    return pages.without_front_matter(text)


def filled(setup: Game, language: str = "en") -> str:
    text = players_rules(setup, language)
    assert text is not None
    return text


def clauses_of(text: str) -> set[str]:
    return {clause for cited in pages.CITED.finditer(text) for clause in cited[1].split(", ")}


def prose(text: str) -> str:
    """A page on one line, without marks, and with no sign that a line is part of an example."""
    return " ".join(re.sub(r"^> ?", "", pages.CITED.sub("", text), flags=re.MULTILINE).split())


def tables(game: type[Game]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every number of players with the usual options, then with each option at each other value."""
    for players in game.player_counts:
        yield players, {}
        for name, option in game.declared_options.items():
            for value in other_values(game, name, players):
                if option.number(value, players) is not None:
                    yield players, {name: value}


def other_values(game: type[Game], name: str, players: int) -> list[Any]:
    option = game.declared_options[name]
    if option.kind == "digits":
        return ["1", "147"]
    if option.kind == "whole":
        return [value for value in {*option.bounds(players)} if value != option.default_for(players)]
    return list(option.values[1:])


# --------------------------------------------------------------------------------------------------- pages and clauses


def headings(game: type[Game], language: str = "en") -> list[str]:
    return re.findall(r"^#+ (.*)$", filled(Setup(game), language), re.MULTILINE)


def test_a_page_has_its_parts(game: type[Game]) -> None:
    title, *parts = headings(game)
    assert title == game.title
    assert parts[0] == "The cards"
    assert parts[-3:] == ["At this table", "Five hints", "Where it comes from"]
    assert {"Scoring", "The end of the match"} <= {*parts}


@in_every_language
def test_a_page_has_five_hints_and_is_about_two_screens_long(game: type[Game], language: str) -> None:
    page = filled(Setup(game), language)
    assert len(re.findall(r"^\d\. ", page.split("\n## ")[-2], re.MULTILINE)) == 5
    words = re.findall(r"\w[\w'’-]*", pages.draw(pages.CITED.sub("", page), lambda _: "card"))
    assert 500 <= len(words) <= 1100


def test_every_clause_that_concerns_players_is_reached(game: type[Game]) -> None:
    left_out = {
        f"{game.clauses.prefix}-{number}"
        for numbers in NOT_FOR_PLAYERS[game.slug].values()
        for number in numbers.split()
    }
    assert {*pages.clauses(game)} - clauses_of(written(game)) == left_out
    assert clauses_of(written(game)) <= {*pages.clauses(game)}


def test_a_page_is_not_older_than_its_source(game: type[Game]) -> None:
    """The English page names the version of the rulebook it was written from, a translation that of the English."""
    assert "en" in languages_of(game)
    for language in languages_of(game):
        page = folder_of(game) / f"rules.{language}.md"
        source = "rulebook.md" if language == "en" else "rules.en.md"
        version = pages.version_of(page.with_name(source).read_text(encoding="utf-8"))
        stated = pages.front_matter(page.read_text(encoding="utf-8")).get("source")
        assert stated == f"{source} {version}", (
            f"read {source} again, correct {page.name}, then change its front matter"
        )


def test_players_read_no_words_of_programs(game: type[Game]) -> None:
    page = pages.CITED.sub("", filled(Setup(game)))
    assert not re.search(r"\b(?:event|record|mod|seats?|null|notation|option|software|rulebook|source)\b", page)
    assert not WORDS.search(page)


@in_every_language
def test_every_card_is_drawn(game: type[Game], language: str) -> None:
    for players, options in tables(game):
        page = pages.CITED.sub("", filled(Setup(game, players, options), language))
        assert "`" not in page and "_" not in page
        undrawn = pages.draw(page, lambda _: "")
        assert "[" not in undrawn and not re.search(r"\b(?!As [a-z])[2-9TJQKA][cdhs]\b", undrawn), (players, options)


def test_a_terminal_shows_signs_and_no_marks(game: type[Game]) -> None:
    page = plain_rules(Setup(game))
    assert page is not None
    assert f"{game.clauses.prefix}-" not in page
    assert re.search("[♠♥♦♣]", page) and "[" not in page


# ------------------------------------------------------------------------------------------------------- translations


def expressions(text: str) -> set[str]:
    """The placeholders of a page and its conditions, whether a number is in digits, in words or with its noun."""
    return {re.sub(":(?:[Ww]ord$|.*[|].*)", "", tag) for tag in re.findall("{(.*?)}", text)}


def cards_in(text: str) -> list[str]:
    """The groups of cards that a text draws, in the order of their names."""
    return sorted(re.findall(r"\[((?:[2-9TJQKA][cdhs]|[*])(?: .*?)?)\]", text))


def blocks(text: str) -> list[str]:
    """The examples of a page in their order."""
    return re.findall(r"(?:^>.*\n)+", text, re.MULTILINE)


@in_translation
def test_a_translation_states_what_the_english_page_states(game: type[Game], language: str) -> None:
    english, translated = written(game), written(game, language)
    assert clauses_of(translated) == clauses_of(english)
    assert expressions(translated) == expressions(english)
    assert cards_in(translated) == cards_in(english)
    for players, options in tables(game):
        one, other = (filled(Setup(game, players, options), tag) for tag in ("en", language))
        assert clauses_of(other) == clauses_of(one), options
        assert len(re.findall(r"^\|", other, re.MULTILINE)) == len(re.findall(r"^\|", one, re.MULTILINE)), options
        for here, there in zip(blocks(one), blocks(other), strict=True):
            assert cards_in(there) == cards_in(here), options
            assert {*re.findall(r"\d+", there)} >= {*re.findall(r"\d\d+", here)}, options


@in_translation
def test_a_translation_leaves_no_english(game: type[Game], language: str) -> None:
    prose_of_page = re.sub("{.*?}", "", pages.CITED.sub("", written(game, language)))
    assert not re.search(r"\b(?:the|and|of|you|your|with|if|is|are)\b", prose_of_page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_heading_has_the_same_translation(language: str) -> None:
    translations = defaultdict(set)
    for game in (game for game in GAMES if language in languages_of(game)):
        for english, translated in zip(headings(game)[1:], headings(game, language)[1:], strict=True):
            translations[english].add(translated)
    assert {english: names for english, names in translations.items() if len(names) > 1} == {}


# ------------------------------------------------------------------------------------------------ options and numbers


def plurals_of(text: str) -> set[str]:
    """The nouns of a page that are counted, in their last form."""
    return {*re.findall(r"{[^}]*[|]([^}|]*)}", text)}


@in_every_language
def test_every_placeholder_is_filled_at_every_table(game: type[Game], language: str) -> None:
    several = "|".join({"points", "deals", "cards", "chips", "rounds"} | plurals_of(written(game, language)))
    for players, options in tables(game):
        page = filled(Setup(game, players, options), language)
        assert "{" not in page and "}" not in page, (players, options)
        assert not re.search(rf"\b(?:None|True|False)\b|[ (]1 (?:{several})\b", page), options
        assert not re.search(r"^\s*-\s*$|\|\n\n\|| [.,;]", pages.CITED.sub("", page), re.MULTILINE), (players, options)


@in_every_language
def test_every_value_of_every_option_changes_the_page(game: type[Game], language: str) -> None:
    for players in game.player_counts:
        usual = filled(Setup(game, players), language)
        same = [
            options
            for count, options in tables(game)
            if count == players and options and filled(Setup(game, players, options), language) == usual
        ]
        assert [options for options in same if not has_no_effect(players, options)] == []


def has_no_effect(players: int, options: dict[str, Any]) -> bool:
    """Options that change nothing unless another one is changed, or at tables of some sizes."""
    return options.keys() <= {"bonuses", "rounds", "next_dealer"} and (
        options.keys() != {"rounds"} or players < 5  # Ninety-Nine; in Loo it always has an effect
    )


@in_every_language
def test_a_sentence_for_an_option_that_is_off_is_not_on_the_page(game: type[Game], language: str) -> None:
    """Each conditional part is on the page exactly where its condition holds."""
    text = written(game, language)
    marked = re.sub(r"\{if ([^{}]*)\}", lambda tag: f"{tag[0]}⟦{tag[1]}⟧", text)
    for players, options in tables(game):
        values = values_of(Setup(game, players, options))
        for condition in re.findall("⟦(.*?)⟧", fill(marked, values)):
            assert fill(f"{{if {condition}}}x{{end}}", values) == "x", (options, condition)
        assert all(fill(f"{{if {one}}}x{{end}}", values) in ("", "x") for one in conditions(text))


@pytest.mark.parametrize("slug", ["sixty-six", "oh-hell", "loo", "klaberjass"])
def test_a_variant_by_numbers_has_the_page_with_its_numbers_and_no_examples(slug: str) -> None:
    variants: dict[str, tuple[dict[str, object], list[str]]] = {
        "sixty-six": (
            {"enough": 50, "pack": "AKQJT", "fetcher": "J"},
            ["race to 50 points", "with 20 cards", "| Points | 11 | 10 | 4 | 3 | 2 |"],
        ),
        "oh-hell": ({"made": 5}, ["| 1 | 6 |"]),
        "loo": ({"looed": 10}, ["| 10 from you"]),
        "klaberjass": ({"twenty": 30}, ["**twenty** (30 points)"]),
    }
    numbers, sentences = variants[slug]
    game = games.load(slug).variant("odd", numbers=numbers)
    page = filled(Setup(game))
    assert "\n>" not in page
    for sentence in sentences:
        assert sentence in page


# ----------------------------------------------------------------------------------------------------------- examples


def examples(game: type[Game]) -> list[dict[str, Any]]:
    """The examples of a page: a record, and sentences with the index of an event and fields of the report after it."""
    found: list[dict[str, Any]] = json.loads(
        (HERE / "games" / game.slug.replace("-", "_") / "rules.json").read_text(encoding="utf-8")
    )
    for one in found:
        one["record"]["about"] = {"rules": game.identity}
    return found


def part(whole: Any, name: str) -> Any:
    """A field of a report, or an entry of a list."""
    return whole[int(name)] if isinstance(whole, list) else whole[name]


def wrong(record: dict[str, Any], sentence: dict[str, Any]) -> dict[str, Any]:
    """The fields of a report that are not what a sentence says; `scores.2` is one entry of a list."""
    begun = record | {"events": record["events"][: sentence["at"] + 1]}
    report = [*records.steps(begun)][-1].report()
    fields = {name: reduce(part, name.split("."), report) for name in sentence["report"]}
    return {name: (fields[name], wanted) for name, wanted in sentence["report"].items() if fields[name] != wanted}


def test_the_examples_happened_as_they_are_told(game: type[Game]) -> None:
    for example in examples(game):
        record = example["record"]
        page = prose(filled(Setup(game, record["players"], record["options"])))
        for sentence in example["says"]:
            assert sentence["text"] in page
            assert wrong(record, sentence) == {}, sentence["text"]
            names = " ".join(record["events"]).split()
            told = [card for hand in re.findall(r"\[([^]]+)\]", sentence["text"]) for card in hand.split()]
            assert {*told} <= {*names}, sentence["text"]


def test_an_example_is_only_on_the_page_where_it_would_happen_like_that(game: type[Game]) -> None:
    for example in examples(game):
        record = example["record"]
        for name in game.declared_options:
            for value in other_values(game, name, record["players"]):
                options = record["options"] | {name: value}
                page = prose(filled(Setup(game, record["players"], options)))
                for sentence in example["says"]:
                    if sentence["text"] in page and is_as_far(record, options, sentence["at"]):
                        assert wrong(record | {"options": options}, sentence) == {}, (name, value, sentence["text"])


def is_as_far(record: dict[str, Any], options: dict[str, Any], at: int) -> bool:
    """Whether a match with other options can go the same way up to the event that a sentence is about: the same hands
    are dealt, and the moves are possible."""
    begun = (
        [
            [
                match.report()["hands"]
                for match in records.steps(record | {"options": one, "events": record["events"][:1]})
            ]
            for one in (record["options"], options)
        ]
        if fits(record, options, 1)
        else [0, 1]
    )
    return begun[0] == begun[1] and fits(record, options, at + 1)


def fits(record: dict[str, Any], options: dict[str, Any], events: int) -> bool:
    try:
        return bool([*records.steps(record | {"options": options, "events": record["events"][:events]})])
    except IllegalMove:
        return False


def test_every_example_is_held_against_a_record(game: type[Game]) -> None:
    sentences = [sentence["text"] for example in examples(game) for sentence in example["says"]]
    for players, options in tables(game):
        for example in blocks(filled(Setup(game, players, options))):
            assert any(sentence in prose(example) for sentence in sentences), (players, options, example)


# ------------------------------------------------------------------------------------------------------- placeholders

VALUES = {"n": 7, "one": 1, "word": "strict", "row": tuple(range(13)), "pack": cards.as_set(cards.pack("AKT"))}


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("{n} and {2 * n - one}", "7 and 13"),
        ("{n:word} {n:Word} {one:point|points} {n:point|points}", "seven Seven 1 point 7 points"),
        ("{row['A']}, {row[0]}", "12, 0"),
        ("{if word == 'strict'}a{else}b{end}{if n < 3 or not one}c{end}", "a"),
        ("{if n > 3}{if one == 2}a{else}b{end}{else}c{end}", "b"),
        ("x\n{if n == 7}\n- y\n{end}\nz", "x\n- y\nz"),
        ("{pack:count} {pack:group} {row:faces} {row:along row}", "12 [As Ks Ts] [As] | [Ks] | [Ts] 12 | 11 | 8"),
        ("{n:listed}, {n:rank}, {one:suit}, {one:card}", "7, nine, diamonds, [3c]"),
    ],
)
def test_placeholders(page: str, text: str) -> None:
    assert fill(page, VALUES) == text


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        ("{m}", "no option or number m"),
        ("{n", "brace"),
        ("{n:points}", "form"),
        ("{if n}x", "without its"),
        ("{end}", "without an"),
        ("{n.real}", "cannot be worked out"),
        ("{n()}", "cannot be worked out"),
        ("{word + n}", "cannot be worked out"),
        ("{row[99]}", "cannot be worked out"),
        ("{word:card}", "does not fit"),
        ("{" + "(" * 999 + "}", "cannot be worked out"),
    ],
)
def test_placeholders_that_cannot_be_filled_in(page: str, reason: str) -> None:
    with pytest.raises(BadPlaceholder, match=reason):
        fill(page, VALUES)


# --------------------------------------------------------------------------------------------------------- check-game


def test_advice_names_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.load("oh-hell")
    for text, advice in (
        (None, "there are no rules in players' words (rules.en.md); players read the rulebook"),
        ("{nothing}", "rules.en.md is not shown: there is no option or number nothing"),
        ("Yes [OH-99].", "rules.en.md cites OH-99, which the rulebook does not have"),
    ):
        monkeypatch.setattr(pages, "written_rules", lambda game, text=text: text)
        assert advice_on_rules(game)[0] == advice
