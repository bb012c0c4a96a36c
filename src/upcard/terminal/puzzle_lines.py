"""A puzzle in lines of text: the table, the question, and an answer to every move."""

from __future__ import annotations

from typing import TextIO

from upcard.languages.answers import in_language
from upcard.languages.localizing import localized, reader, text_for_reader
from upcard.rules.sentences import as_sentence
from upcard.table.puzzles import DIFFICULTIES, Puzzle
from upcard.table.scene import SceneView
from upcard.terminal import wording
from upcard.terminal.dialogue import Dialogue, table_and_hand, typed_move
from upcard.terminal.typed import tidy


class PuzzleLines:
    """Asks a person who types for the move of a puzzle, until it is right."""

    def __init__(self, puzzle: Puzzle, lines: TextIO, out: TextIO, style: wording.Style = wording.in_letters) -> None:
        self._puzzle = puzzle
        self._dialogue = Dialogue(lines, out, style)

    def run(self) -> bool:
        """Ask until the person finds the move; False if they leave, or want to be shown it. Raises BadPuzzle."""
        puzzle, scene = self._puzzle, self._puzzle.scene()
        places = {
            "game": as_sentence(puzzle.game.title, puzzle.game),
            "difficulty": wording.in_small(text_for_reader(DIFFICULTIES[puzzle.file.difficulty - 1])),
        }
        message = "{game}: a puzzle ({difficulty})."
        if puzzle.file.is_judged:
            message = "{game}: a puzzle ({difficulty}, judged by expert players)."
        self._dialogue.write([localized(message, **places), ""])
        self._dialogue.write([*puzzle.course(), "", *self._table(scene), "", puzzle.question, _commands()])
        while (line := self._dialogue.read()) is not None and tidy(line) not in ("quit", "q"):
            text = tidy(line)
            if text == "show":
                self._dialogue.write(
                    [
                        localized(
                            "The move is “{move}”. {proof}", move=puzzle.labels[puzzle.file.move], proof=puzzle.proof()
                        )
                    ]
                )
                return False
            if self._is_right(scene, line, text):
                return True
        return False

    def _is_right(self, scene: SceneView, line: str, text: str) -> bool:
        """Carry out a command, or answer a move; whether it was the right one."""
        if text in ("", "help", "?"):
            self._dialogue.write([_commands()])
        elif text == "moves":
            self._dialogue.write(wording.all_moves(in_language(scene, reader.get())))
        elif text == "table":
            self._dialogue.write(self._table(scene))
        elif text == "course":
            self._dialogue.write(self._puzzle.course())
        else:
            answer = self._puzzle.answer(typed_move(scene, line))
            self._dialogue.write([answer.text])
            return answer.kind == "right"
        return False

    def _table(self, scene: SceneView) -> list[str]:
        return table_and_hand(scene, self._puzzle.file.names)


def _commands() -> str:
    return localized("Type a move, or: moves, table, course (what was played), show (the solution), quit.")
