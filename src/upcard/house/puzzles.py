"""Puzzles as a house shows them: the position as one seat sees it, and the answers to moves tried."""

from __future__ import annotations

from datetime import date
from typing import Any

from upcard import games
from upcard.house.bodies import PuzzleOfDay, PuzzleSolution, PuzzleTry, PuzzleView
from upcard.rules.game import Game
from upcard.rules.sentences import as_sentence
from upcard.table.puzzles import Puzzle, PuzzleAnswer, puzzle_of_day, puzzles_of


def puzzle_numbered(game: type[Game[Any]], number: int) -> Puzzle | None:
    """A puzzle of a game, counted from 1; None if there is none. Raises BadPuzzle."""
    puzzles = puzzles_of(game)
    return puzzles[number - 1] if 1 <= number <= len(puzzles) else None


def todays_puzzle(today: date | None = None) -> PuzzleOfDay | None:
    """The puzzle of today, or of another day; None if no game here has puzzles. Raises BadPuzzle."""
    day = today or date.today()
    puzzle = puzzle_of_day([games.load(slug) for slug in games.names()], day)
    if puzzle is None:
        return None
    return PuzzleOfDay(day.isoformat(), puzzle.game.slug, [*puzzles_of(puzzle.game)].index(puzzle) + 1)


def puzzle_view(puzzle: Puzzle, number: int) -> PuzzleView:
    """A puzzle without its solution. Raises BadPuzzle."""
    return PuzzleView(
        game=puzzle.game.slug,
        title=as_sentence(puzzle.game.title, puzzle.game),
        number=number,
        difficulty=puzzle.file.difficulty,
        judged=puzzle.file.is_judged,
        seat=puzzle.file.seat,
        names=puzzle.file.names,
        question=puzzle.question,
        scene=puzzle.scene(),
        course=puzzle.course(),
    )


def puzzle_answer(puzzle: Puzzle, tried: PuzzleTry) -> PuzzleAnswer:
    """The answer to a move. Raises BadPuzzle."""
    return puzzle.answer(tried.move)


def puzzle_solution(puzzle: Puzzle) -> PuzzleSolution:
    """The right move, and why. Raises BadPuzzle."""
    return PuzzleSolution(puzzle.file.move, puzzle.proof())
