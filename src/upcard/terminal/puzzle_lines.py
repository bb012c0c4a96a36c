"""A puzzle in lines of text: the table, the question, and an answer to every move."""

from __future__ import annotations

from typing import TextIO

from upcard.table.puzzles import DIFFICULTIES, Puzzle
from upcard.table.scene import SceneView
from upcard.terminal import wording
from upcard.terminal.dialogue import Dialogue, table_and_hand, typed_move
from upcard.terminal.typed import tidy

COMMANDS = "Type a move, or: moves, table, course (what was played), show (the solution), quit."


class PuzzleLines:
    """Asks a person who types for the move of a puzzle, until it is right."""

    def __init__(self, puzzle: Puzzle, lines: TextIO, out: TextIO, style: wording.Style = wording.in_letters) -> None:
        self._puzzle = puzzle
        self._dialogue = Dialogue(lines, out, style)

    def run(self) -> bool:
        """Ask until the person finds the move; False if they leave, or want to be shown it. Raises BadPuzzle."""
        puzzle, scene = self._puzzle, self._puzzle.scene()
        judged = ", judged by expert players" if puzzle.file.is_judged else ""
        self._dialogue.write(
            [f"{puzzle.game.title}: a puzzle ({DIFFICULTIES[puzzle.file.difficulty - 1].lower()}{judged}).", ""]
        )
        self._dialogue.write([*puzzle.course(), "", *self._table(scene), "", puzzle.question, COMMANDS])
        while (line := self._dialogue.read()) is not None and tidy(line) not in ("quit", "q"):
            text = tidy(line)
            if text == "show":
                self._dialogue.write([f"The move is “{puzzle.labels[puzzle.file.move]}”. {puzzle.proof()}"])
                return False
            if self._is_right(scene, line, text):
                return True
        return False

    def _is_right(self, scene: SceneView, line: str, text: str) -> bool:
        """Carry out a command, or answer a move; whether it was the right one."""
        if text in ("", "help", "?"):
            self._dialogue.write([COMMANDS])
        elif text == "moves":
            self._dialogue.write(wording.all_moves(scene))
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
