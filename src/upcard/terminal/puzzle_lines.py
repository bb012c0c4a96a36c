"""A puzzle in lines of text: the table, the question, and an answer to every move."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable
from typing import TextIO

from upcard.table.puzzles import DIFFICULTIES, Puzzle
from upcard.table.scene import SceneView
from upcard.terminal import choosing, wording
from upcard.terminal.typed import several_moves, tidy

WIDEST = 80
COMMANDS = "Type a move, or: moves, table, course (what was played), show (the solution), quit."


class PuzzleLines:
    """Asks a person who types for the move of a puzzle, until it is right."""

    def __init__(self, puzzle: Puzzle, lines: TextIO, out: TextIO, style: wording.Style = wording.in_letters) -> None:
        self._puzzle = puzzle
        self._lines = lines
        self._out = out
        self._style = style
        self._width = min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns)

    def run(self) -> bool:
        """Ask until the person finds the move; False if they leave, or want to be shown it. Raises BadPuzzle."""
        puzzle, scene = self._puzzle, self._puzzle.scene()
        judged = ", judged by expert players" if puzzle.file.is_judged else ""
        self._write(
            [f"{puzzle.game.title}: a puzzle ({DIFFICULTIES[puzzle.file.difficulty - 1].lower()}{judged}).", ""]
        )
        self._write([*puzzle.course(), "", *self._table(scene), "", puzzle.question, COMMANDS])
        while (line := self._read()) is not None and tidy(line) not in ("quit", "q"):
            text = tidy(line)
            if text == "show":
                self._write([f"The move is “{puzzle.labels[puzzle.file.move]}”. {puzzle.proof()}"])
                return False
            if self._is_right(scene, line, text):
                return True
        return False

    def _is_right(self, scene: SceneView, line: str, text: str) -> bool:
        """Carry out a command, or answer a move; whether it was the right one."""
        moves = choosing.sorted_moves(scene.offers, scene.hand)
        if text in ("", "help", "?"):
            self._write([COMMANDS])
        elif text == "moves":
            self._write(wording.all_moves(scene))
        elif text == "table":
            self._write(self._table(scene))
        elif text == "course":
            self._write(self._puzzle.course())
        else:
            chosen = moves[int(text) - 1].text if text.isdecimal() and 0 < int(text) <= len(moves) else ""
            answer = self._puzzle.answer(chosen or next(iter(several_moves(line)), text))
            self._write([answer.text])
            return answer.kind == "right"
        return False

    def _table(self, scene: SceneView) -> list[str]:
        lines = [scene.headline, *wording.table_lines(scene, self._puzzle.file.names), wording.hand(scene)]
        return list(dict.fromkeys(filter(None, lines)))

    def _read(self) -> str | None:
        """The next line; None at the end of the input."""
        self._out.write("> ")
        self._out.flush()
        try:
            line = self._lines.readline()
        except KeyboardInterrupt:
            line = ""
        return line or None

    def _write(self, lines: Iterable[str]) -> None:
        for line in lines:
            for part in textwrap.wrap(self._style(line), self._width) or [""]:
                self._out.write(part + "\n")
        self._out.flush()
