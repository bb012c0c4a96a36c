"""The games over HTTP: their options, rules, lessons and puzzles, and the computer players to choose from."""

from __future__ import annotations

import json

from litestar import get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery, JSONBody

from upcard import games
from upcard.engine.setup import Setup
from upcard.house import rulebook
from upcard.house.bodies import (
    GameInfo,
    LessonTry,
    LessonView,
    LevelInfo,
    Page,
    PuzzleOfDay,
    PuzzleSolution,
    PuzzleTry,
    PuzzleView,
)
from upcard.house.game_info import games_here, levels_here
from upcard.house.lessons import lesson_answer, lesson_numbered, lesson_view
from upcard.house.puzzles import puzzle_answer, puzzle_numbered, puzzle_solution, puzzle_view, todays_puzzle
from upcard.languages.localizing import reader
from upcard.rules.sentences import sentence
from upcard.table.errors import Unacceptable
from upcard.table.lessons import Lesson, LessonAnswer
from upcard.table.puzzles import Puzzle, PuzzleAnswer


@get("/api/games", sync_to_thread=False)
def get_games() -> list[GameInfo]:
    """All games that can be played here."""
    return games_here(reader.get())


@get("/api/games/{slug:str}/rules", sync_to_thread=False)
def show_rules(
    slug: FromPath[str], players: FromQuery[int | None] = None, options: FromQuery[str | None] = None
) -> Page:
    """The rules in players' words, for a table with these options (a JSON object) or the usual one."""
    try:
        return rulebook.rules_page(Setup(_known(slug), players, json.loads(options or "{}")), reader.get())
    except (json.JSONDecodeError, RecursionError):
        raise Unacceptable("options is not a JSON object") from None


@get("/api/games/{slug:str}/rulebook", sync_to_thread=False)
def show_rulebook(slug: FromPath[str]) -> Page:
    """A game's page of the rulebook, unabridged."""
    return rulebook.rulebook_page(_known(slug))


@get("/api/games/{slug:str}/lessons/{number:int}", sync_to_thread=True)
def show_lesson(slug: FromPath[str], number: FromPath[int]) -> LessonView:
    """A lesson as the learner sees it; the first has the number 1."""
    return lesson_view(_lesson(slug, number))


@post("/api/games/{slug:str}/lessons/{number:int}", status_code=200, sync_to_thread=True)
def try_in_lesson(slug: FromPath[str], number: FromPath[int], data: JSONBody[LessonTry]) -> LessonAnswer:
    """The answer to a move that the learner tries."""
    return lesson_answer(_lesson(slug, number), data)


def _lesson(slug: str, number: int) -> Lesson:
    lesson = lesson_numbered(games.load(_known(slug)), number, reader.get())
    if lesson is None:
        raise NotFoundException(sentence("There is no such lesson"))
    return lesson


@get("/api/puzzles/today", sync_to_thread=True)
def show_puzzle_of_day() -> PuzzleOfDay:
    """Which puzzle is that of today."""
    today = todays_puzzle()
    if today is None:
        raise NotFoundException(sentence("There are no puzzles here"))
    return today


@get("/api/games/{slug:str}/puzzles/{number:int}", sync_to_thread=True)
def show_puzzle(slug: FromPath[str], number: FromPath[int]) -> PuzzleView:
    """A puzzle as the seat asked for a move sees it; the first has the number 1."""
    return puzzle_view(_puzzle(slug, number), number)


@post("/api/games/{slug:str}/puzzles/{number:int}", status_code=200, sync_to_thread=True)
def try_in_puzzle(slug: FromPath[str], number: FromPath[int], data: JSONBody[PuzzleTry]) -> PuzzleAnswer:
    """The answer to a move."""
    return puzzle_answer(_puzzle(slug, number), data)


@get("/api/games/{slug:str}/puzzles/{number:int}/solution", sync_to_thread=True)
def show_solution(slug: FromPath[str], number: FromPath[int]) -> PuzzleSolution:
    """The right move of a puzzle, and why it is right."""
    return puzzle_solution(_puzzle(slug, number))


def _puzzle(slug: str, number: int) -> Puzzle:
    puzzle = puzzle_numbered(games.load(_known(slug)), number)
    if puzzle is None:
        raise NotFoundException(sentence("There is no such puzzle"))
    return puzzle


def _known(slug: str) -> str:
    if slug not in games.names():
        raise NotFoundException(sentence("There is no such game"))
    return slug


@get("/api/levels", sync_to_thread=False)
def list_levels() -> list[LevelInfo]:
    """The computer players to choose from."""
    return levels_here()


HANDLERS = [
    get_games,
    show_rules,
    show_rulebook,
    show_lesson,
    try_in_lesson,
    show_puzzle_of_day,
    show_puzzle,
    try_in_puzzle,
    show_solution,
    list_levels,
]
