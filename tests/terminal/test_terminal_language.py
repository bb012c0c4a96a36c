"""The terminal in another language: everything that it writes, in lines and in full screen."""

import asyncio
import io
import re
from collections.abc import Iterator
from typing import Any

import pytest
from sitting import by_game, session
from test_terminal_watch import film
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

from upcard import games
from upcard.languages.answers import in_language
from upcard.languages.localizing import reader
from upcard.rules.game import Game
from upcard.table.lessons import lessons_of
from upcard.table.puzzles import puzzles_of
from upcard.terminal import wording
from upcard.terminal.app import TableApp
from upcard.terminal.lesson_lines import LessonLines
from upcard.terminal.line_session import LineSession
from upcard.terminal.preferences import Preferences
from upcard.terminal.puzzle_lines import PuzzleLines
from upcard.terminal.typed import tidy
from upcard.terminal.watch import WatchApp

ENGLISH = re.compile(
    r"\b(?:the|and|of|you|your|with|is|are|to|cards|score|deals?|trick|moves?|type|none|empty|seat|dealer|leader|took)\b"
)
"""English words, none of which is a German one."""
TYPED = re.compile(
    r"^\d+ [\w ]+: |^(?:hand|hint|undo|learn|words|quit): .*|\b(?:moves|table|last|scores|again|rules|all): |moves "
)
"""Moves in the notation and commands, which are typed in English, in the lines that explain them."""


@pytest.fixture(autouse=True)
def german() -> Iterator[None]:
    before = reader.set("de")
    yield
    reader.reset(before)


def english_in(lines: list[str]) -> list[str]:
    return [line for line in lines if ENGLISH.search(TYPED.sub("", line))]


def written(game: type[Game[Any]], script: str) -> list[str]:
    out = io.StringIO()
    LineSession(session(game), Preferences(), io.StringIO(script), out).run()
    return out.getvalue().splitlines()


@by_game
def test_a_table_in_lines_has_no_english_words(game: type[Game[Any]]) -> None:
    script = (
        "table\nlast\nscores\nmoves\nhand\nhelp\nrules\nlearn\n999\nxx\n1\n1\n1\n1\ntable\nlast\nundo\nagain\nquit\n"
    )
    lines = written(game, script)
    assert len(lines) > 40
    assert english_in(lines) == []


def test_cards_are_written_and_understood_in_german_words() -> None:
    assert wording.in_full("Kh, 10♠ · ♦ *") == "Herz-König, Pik-Zehn, Karo Joker"
    assert [tidy(text) for text in ("Herz-König", "bid 3 Karo", "lay Pik-Zehn As")] == ["Kh", "bid 3 d", "lay Ts As"]
    assert [tidy(text) for text in ("king of hearts", "10d")] == ["Kh", "Td"]


@pytest.mark.parametrize("language", ["en", "de"])
async def test_all_keys_are_read_at_80_columns(language: str) -> None:
    reader.set(language)
    table = TableApp(session("kalooki"), Preferences(pace="instant"))
    for app in (table, WatchApp(film(games.load("oh-hell"), 2), speed=50)):
        async with app.run_test(size=(80, 24)) as pilot:
            for key in ("tab", "tab"):
                await pilot.press(key)
                await pilot.pause()
                assert app.query(FooterKey)
                assert app.query_one(Footer).max_scroll_x == 0, [key.description for key in app.query(FooterKey)]


def test_a_full_screen_has_no_english_words() -> None:
    async def shown() -> tuple[list[str], list[str]]:
        app = TableApp(session("sixty-six"), Preferences(pace="instant"))
        texts, names = [], []
        async with app.run_test(size=(80, 24)) as pilot:
            for key in ("f1", "s", "a", "q"):
                await pilot.pause()
                texts += screen(app)
                footer = app.screen_stack[0].query_one(Footer)
                keys = footer.query(FooterKey)
                names += [text for part in keys for text in (part.description, part.key_display)]
                await pilot.press(key)
                await pilot.pause()
                texts += screen(app)
                await pilot.press("n" if key in "aq" else "enter")
        return texts, names

    texts, names = asyncio.run(shown())
    assert {"Hilfe", "Regeln", "Lernen", "Tipp", "Zurück", "Leer", "Enter"} <= {*names}
    assert any("Vom Tisch gehen?" in text for text in texts)
    assert english_in(texts) == []


def screen(app: TableApp) -> list[str]:
    return ["".join(part.text for part in strip) for strip in app.screen._compositor.render_strips()]


def test_lessons_and_puzzles_have_no_english_words() -> None:
    game, out = games.load("sixty-six"), io.StringIO()
    LessonLines(lessons_of(game, "de")[0], io.StringIO("moves\ntable\nshow\nxx\nskip\nquit\n"), out).run()
    PuzzleLines(puzzles_of(game)[0], io.StringIO("moves\ntable\ncourse\nxx\nshow\n"), out).run()
    lines = out.getvalue().replace("\n> ", "\n").splitlines()
    assert any("eine Aufgabe (" in line for line in lines)
    assert any(line.startswith("Der gesuchte Zug ist „") for line in lines)
    assert english_in([line for line in lines if not line.startswith("Tippe einen Zug, oder")]) == []


def test_an_own_label_addresses_its_reader_once() -> None:
    scene = in_language(session_scene("cinch"), "de")
    zones = [wording.zone(zone, ["Du", "Bo", "Cy", "Di"]) for zone in scene.zones]
    assert not any(line.startswith("Von dir abgeworfen, Du") for line in zones)


def session_scene(slug: str) -> Any:
    table = session(slug)
    asyncio.run(table.open())
    return table.scene
