"""A lesson in lines of text: what to see at the table, what to do, and an answer to every move."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable
from typing import TextIO

from upcard.table.lessons import Lesson, words_with_cards
from upcard.table.scene import SceneView
from upcard.terminal import choosing, wording
from upcard.terminal.typed import several_moves, tidy

WIDEST = 80
COMMANDS = "Type a move, or: moves, table, show (the move to make), skip, quit."


class LessonLines:
    """Plays a lesson with a person who types, one line for each move."""

    def __init__(self, lesson: Lesson, lines: TextIO, out: TextIO, style: wording.Style = wording.in_letters) -> None:
        self._lesson = lesson
        self._lines = lines
        self._out = out
        self._style = style
        self._width = min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns)

    def run(self) -> bool:
        """Play to the end of the lesson; False if the person leaves earlier. Raises BadLesson."""
        lesson = self._lesson
        lines = lesson.lines()
        self._say([f"{lesson.game.title}: {lesson.file.title}.", COMMANDS])
        before = 0
        for number, stop in enumerate(lesson.stops):
            seq, scene = lesson.seqs[number], lesson.scene(number)
            past = list(filter(None, lines[before:seq]))
            before = seq + bool(stop.move)
            self._say(["", f"{number + 1}/{len(lesson.stops)}", *past, *self._table(scene), "", words_with_cards(stop)])
            if not self._pass(number, scene):
                return False
        self._say(["", f"To play a first match: upcard play {lesson.game.slug}"])
        return True

    def _pass(self, number: int, scene: SceneView) -> bool:
        """Wait until the person has made the move of a stop, or has read it; False if they leave."""
        stop = self._lesson.stops[number]
        last = number + 1 == len(self._lesson.stops)
        while not last:
            line = self._read("> " if stop.move else "Enter: go on > ")
            text = tidy(line or "")
            if line is None or text in ("quit", "q"):
                return False
            if text == "skip" or not (stop.move or text):
                return True
            if self._is_right(number, scene, line, text):
                return True
        return True

    def _is_right(self, number: int, scene: SceneView, line: str, text: str) -> bool:
        """Carry out a command, or answer a move; whether it was the move to make."""
        stop = self._lesson.stops[number]
        moves = choosing.sorted_moves(scene.offers, scene.hand)
        if text in ("", "help", "?"):
            self._say([COMMANDS])
        elif text == "moves":
            self._say(wording.all_moves(scene))
        elif text == "table":
            self._say(self._table(scene))
        elif text == "show":
            self._say([f"Choose “{self._lesson.wanted(number)}”." if stop.move else "There is nothing to do here."])
        elif not stop.move:
            self._say(["There is nothing to do here: press Enter."])
        else:
            chosen = moves[int(text) - 1].text if text.isdecimal() and 0 < int(text) <= len(moves) else ""
            answer = self._lesson.answer(number, chosen or next(iter(several_moves(line)), text))
            self._say([answer.text] if answer.text else [])
            return answer.kind == "right"
        return False

    def _table(self, scene: SceneView) -> list[str]:
        lines = [scene.headline, *wording.table_lines(scene, self._lesson.file.names), wording.hand(scene)]
        return list(dict.fromkeys(filter(None, lines)))

    def _read(self, prompt: str) -> str | None:
        """The next line; None at the end of the input."""
        self._out.write(prompt)
        self._out.flush()
        try:
            line = self._lines.readline()
        except KeyboardInterrupt:
            line = ""
        return line or None

    def _say(self, lines: Iterable[str]) -> None:
        for line in lines:
            for part in textwrap.wrap(self._style(line), self._width) or [""]:
                self._out.write(part + "\n")
        self._out.flush()
