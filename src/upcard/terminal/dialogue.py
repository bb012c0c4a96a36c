"""A dialogue in lines of text about a position: what lessons and puzzles ask, write and read."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable, Sequence
from typing import TextIO

from upcard.languages.answers import in_language
from upcard.languages.localizing import reader, text_for_reader
from upcard.table.scene import SceneView
from upcard.terminal import choosing, wording
from upcard.terminal.typed import several_moves, tidy

WIDEST = 80


class Dialogue:
    """Reads lines from a person, and writes to them in lines that fit."""

    def __init__(self, lines: TextIO, out: TextIO, style: wording.Style) -> None:
        self._lines = lines
        self._out = out
        self._style = style
        self._width = min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns)

    def read(self, prompt: str = "> ") -> str | None:
        """The next line; None at the end of the input."""
        self._out.write(prompt)
        self._out.flush()
        try:
            line = self._lines.readline()
        except KeyboardInterrupt:
            line = ""
        return line or None

    def write(self, lines: Iterable[str]) -> None:
        """Write lines, each wrapped."""
        for line in lines:
            for part in textwrap.wrap(self._style(text_for_reader(line)), self._width) or [""]:
                self._out.write(part + "\n")
        self._out.flush()


def table_and_hand(scene: SceneView, names: Sequence[str]) -> list[str]:
    """Lines about the table and the hand, each only once."""
    scene = in_language(scene, reader.get())
    lines = [scene.headline, *wording.table_lines(scene, names), wording.hand(scene)]
    return list(dict.fromkeys(filter(None, lines)))


def typed_move(scene: SceneView, line: str) -> str:
    """The text of the move that is meant by a line: its number in the list of moves, or its text."""
    moves, text = choosing.sorted_moves(scene.offers, scene.hand), tidy(line)
    if text.isdecimal() and 0 < int(text) <= len(moves):
        return moves[int(text) - 1].text
    return next(iter(several_moves(line)), text)
