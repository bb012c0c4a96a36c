"""The rulebook and the declarations of the games agree: clauses, options, moves, phases."""

import re
from collections.abc import Iterator

from upcard import Match, games
from upcard.rules import Option, pages
from upcard.rules.game import Game

NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}


def page_of(game: type[Game]) -> str:
    page = pages.page(game)
    assert page is not None
    return page


def section(game: type[Game], number: int) -> str:
    """The text of one of the five numbered parts of a page."""
    parts = re.split(r"^## (\d)\. .*$", page_of(game), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))[str(number)]


def tables(text: str) -> Iterator[list[dict[str, str]]]:
    """Every table: its rows, each with its cells by the heading of their column in lower case."""
    for table in re.findall(r"(?:^\|.*\|$\n?)+", text, re.MULTILINE):
        heading, _, *rows = [[cell.strip() for cell in line[1:-1].split("|")] for line in table.splitlines()]
        yield [dict(zip(map(str.lower, heading), row, strict=True)) for row in rows]


def code(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


# ------------------------------------------------------------------------------------------------- parts and clauses


def test_a_page_has_its_parts(game: type[Game]) -> None:
    page = page_of(game)
    title, _, head = page.partition("\n## ")[0].partition("\n")
    assert title.startswith(f"# {game.title}")
    assert f"`{game.slug}`" in head
    assert re.search(rf"\b{game.clauses.prefix}\b", head)
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == [
        "1. At a glance",
        "2. Clauses",
        "3. Moves",
        "4. Options",
        "5. Worked examples",
    ]


def test_clauses_stand_in_order_each_with_its_source(game: type[Game]) -> None:
    page = page_of(game)
    stated = re.findall(r"^- \*\*([A-Z]+)-(\d+)\*\* (\[.*?\])?", page, re.MULTILINE | re.DOTALL)
    assert [(prefix, int(number)) for prefix, number, _ in stated] == [
        (game.clauses.prefix, number) for number in range(1, len(stated) + 1)
    ]
    assert [number for _, number, mark in stated if not re.match(r"\[(source|ruling)", mark)] == []
    assert list(pages.clauses(game)) == [f"{game.clauses.prefix}-{number}" for number in range(1, len(stated) + 1)]
    assert all(pages.gist(game(), clause) for clause in pages.clauses(game))


def test_the_page_cites_no_clause_that_does_not_exist(game: type[Game]) -> None:
    cited = set(re.findall(rf"\b{game.clauses.prefix}-\d+\b", page_of(game)))
    assert cited <= set(pages.clauses(game))


def test_the_gist_of_a_clause_is_its_first_sentence() -> None:
    assert (
        pages.gist(games.load("sixty-six")(), "SS-17") == "From then on the second player must follow suit if they can"
    )
    assert pages.gist(games.load("sixty-six")(), "SS-99") == ""


# ------------------------------------------------------------------------------------------------------------ options


def test_options_are_those_of_the_page(game: type[Game]) -> None:
    rows = {code(row["option"])[0]: values(row) for table in tables(section(game, 4)) for row in table}
    assert list(game.declared_options) == list(rows)
    for players in game.player_counts:
        for name, cell in rows.items():
            assert declared(game.declared_options[name], players) == stated(cell, players), (name, players)


def values(row: dict[str, str]) -> str:
    return next(cell for heading, cell in row.items() if heading.startswith("values"))


def declared(option: Option, players: int) -> tuple[object, ...]:
    """The default, then the other values or the bounds, as the game declares them."""
    if option.kind in ("whole", "digits"):
        return (option.kind, option.default_for(players), *option.bounds(players))
    return (*map(_typed, option.values),)


def stated(cell: str, players: int) -> tuple[object, ...]:
    """The same as a cell of the page says it, in the few phrases that pages use."""
    default, _, others = cell.partition(";")
    if match := re.search(r"any text of (\w+) to (\w+) digits", others):
        return ("digits", *code(default), NUMBERS[match[1]], NUMBERS[match[2]])
    if "any whole number" in others:
        usual = stated_default(default, players)
        bounds = re.fullmatch(r" any whole number(?: from (\d+))?(?: up)? to (.*)", others.rstrip())
        assert bounds, others
        low, high = bounds.groups()
        if high == "that":
            most = usual
        elif divided := re.fullmatch(r"(\d+) divided by the players", high):
            most = int(divided[1]) // players
        else:
            most = int(high)
        return ("whole", usual, min(usual, int(low or 1)), most)
    return (*(_typed(word) for word in re.split(r"[;,]\s*", cell)),)


def stated_default(text: str, players: int) -> int:
    """`7`, `as many as there are players`, `10 (8 with six players, 7 with seven)`."""
    if text == "as many as there are players":
        return players
    exceptions = {NUMBERS[word]: int(number) for number, word in re.findall(r"(\d+) with (\w+)", text)}
    return exceptions.get(players, int(text.split()[0]))


def _typed(word: object) -> tuple[str, str]:
    """A value with its type: text in quotes or in words, `true` and `false`, numbers."""
    if not isinstance(word, str):
        return type(word).__name__, str(word).lower()
    bare = word.strip("`")
    if bare in ("true", "false"):
        return "bool", bare
    return ("int" if bare.isdigit() else "str"), bare.strip('"')


def test_every_option_names_the_clause_that_its_row_cites_first(game: type[Game]) -> None:
    for table in tables(section(game, 4)):
        for row in table:
            option = game.declared_options[code(row["option"])[0]]
            cited = re.findall(rf"{game.clauses.prefix}-\d+", " ".join(row.values()))
            assert option.clause in pages.clauses(game)
            assert option.help
            assert not cited or game.refused or option.clause == cited[0], (row, option.clause)


# --------------------------------------------------------------------------------------------------- moves and phases


def move_words(game: type[Game]) -> set[str]:
    """The words that begin the moves in the tables of part 3; empty for playing a card."""
    cells = [
        row.get("moves", row.get("move", ""))
        for table in tables(section(game, 3))
        for row in table
        if "event" not in row
    ]
    return {" ".join(re.findall(r"^[a-z]{2,}(?: [a-z]{2,})*", said) or [""]) for cell in cells for said in code(cell)}


def test_moves_are_those_of_the_page(game: type[Game]) -> None:
    assert move_words(game) - {"", "deal", "reshuffle", "draw"} == {verb.word for verb in game.notation.verbs} - {""}


def test_phases_are_named_on_the_page(game: type[Game]) -> None:
    named = [code(row["phase"])[0] for table in tables(section(game, 3)) for row in table if "to act" in row]
    if named:
        assert set(named) == set(game.phases.names)
    assert set(game.phases.names) <= set(code(section(game, 3)))


def test_the_report_has_the_fields_that_the_page_names(game: type[Game]) -> None:
    named = set(code(section(game, 3)))
    common = {"game", "players", "done", "phase", "dealer", "deal", "to_act", "awaiting", "legal", "hands", "trump"}
    common |= {"upcard", "trick", "leader", "tricks", "points", "scores", "winners", "last", "stock"}
    assert set(Match(game).report()) - common - named == set()
