"""A lesson in lines of text: what to see at the table, what to do, and an answer to every move."""

from __future__ import annotations

from typing import TextIO

from upcard.languages.answers import in_language
from upcard.languages.localizing import localized, reader
from upcard.rules.sentences import as_sentence
from upcard.table.lessons import Lesson, words_with_cards
from upcard.table.scene import SceneView
from upcard.terminal import wording
from upcard.terminal.dialogue import Dialogue, table_and_hand, typed_move
from upcard.terminal.typed import tidy


class LessonLines:
    """Plays a lesson with a person who types, one line for each move."""

    def __init__(self, lesson: Lesson, lines: TextIO, out: TextIO, style: wording.Style = wording.in_letters) -> None:
        self._lesson = lesson
        self._dialogue = Dialogue(lines, out, style)

    def run(self) -> bool:
        """Play to the end of the lesson; False if the person leaves earlier. Raises BadLesson."""
        lesson = self._lesson
        lines = lesson.lines()
        self._dialogue.write(
            [
                localized(
                    "{game}: {title}.", game=as_sentence(lesson.game.title, lesson.game), title=lesson.file.title
                ),
                _commands(),
            ]
        )
        before = 0
        for number, stop in enumerate(lesson.stops):
            seq, scene = lesson.seqs[number], lesson.scene(number)
            past = list(filter(None, lines[before:seq]))
            before = seq + bool(stop.move)
            self._dialogue.write(
                ["", f"{number + 1}/{len(lesson.stops)}", *past, *self._table(scene), "", words_with_cards(stop)]
            )
            if not self._pass(number, scene):
                return False
        self._dialogue.write(
            ["", localized("To play a first match: {command}", command=f"upcard play {lesson.game.slug}")]
        )
        return True

    def _pass(self, number: int, scene: SceneView) -> bool:
        """Wait until the person has made the move of a stop, or has read it; False if they leave."""
        stop = self._lesson.stops[number]
        last = number + 1 == len(self._lesson.stops)
        while not last:
            line = self._dialogue.read("> " if stop.move else localized("Enter: go on > "))
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
        if text in ("", "help", "?"):
            self._dialogue.write([_commands()])
        elif text == "moves":
            self._dialogue.write(wording.all_moves(in_language(scene, reader.get())))
        elif text == "table":
            self._dialogue.write(self._table(scene))
        elif text == "show":
            self._dialogue.write([self._wanted(number)])
        elif not stop.move:
            self._dialogue.write([localized("There is nothing to do here: press Enter.")])
        else:
            answer = self._lesson.answer(number, typed_move(scene, line))
            self._dialogue.write([answer.text] if answer.text else [])
            return answer.kind == "right"
        return False

    def _wanted(self, number: int) -> str:
        """The move to make at a stop, as an answer to somebody who asks for it."""
        if not self._lesson.stops[number].move:
            return localized("There is nothing to do here.")
        return localized("Choose “{move}”.", move=self._lesson.wanted(number))

    def _table(self, scene: SceneView) -> list[str]:
        return table_and_hand(scene, self._lesson.file.names)


def _commands() -> str:
    return localized("Type a move, or: moves, table, show (the move to make), skip, quit.")
