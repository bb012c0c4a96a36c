"""Lessons as a house shows them: every event as the learner's seat sees it, and the answers to moves tried."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msgspec import UNSET

from upcard.house.bodies import LessonStop, LessonTry, LessonView, ReplayStep
from upcard.languages.catalogs import DEFAULT
from upcard.rules.game import Game
from upcard.rules.sentences import sentence
from upcard.table.changes import scene_changes
from upcard.table.errors import Unacceptable
from upcard.table.lessons import Lesson, LessonAnswer, lessons_of, words_with_cards
from upcard.table.scene import scene_for


def lesson_numbered(game: type[Game[Any]], number: int, language: str = DEFAULT) -> Lesson | None:
    """A lesson of a game in a language, counted from 1; None if there is none. Raises BadLesson."""
    lessons = lessons_of(game, language)
    return lessons[number - 1] if 1 <= number <= len(lessons) else None


@lru_cache(64)
def lesson_view(lesson: Lesson) -> LessonView:
    """A lesson from the learner's seat. Raises BadLesson."""
    seat, names = lesson.file.seat, lesson.file.names
    start = scene = scene_for(lesson.first_match(), seat, names)
    steps = []
    for replayed in lesson.replay():
        after = scene_for(replayed.match, seat, names)
        line, changes, spoken = lesson.line(replayed), scene_changes(scene, after), replayed.utterances or UNSET
        steps.append(ReplayStep(len(replayed.match.events), replayed.event.seat, line, changes, spoken))
        scene = after
    stops = [
        LessonStop(seq, words_with_cards(stop), stop.glow, stop.move)
        for seq, stop in zip(lesson.seqs, lesson.stops, strict=True)
    ]
    return LessonView(lesson.game.slug, lesson.file.title, seat, names, start, steps, stops)


def lesson_answer(lesson: Lesson, tried: LessonTry) -> LessonAnswer:
    """The answer to a move that a learner tries. Raises Unacceptable if there is no such stop."""
    if tried.stop not in range(len(lesson.stops)):
        raise Unacceptable(sentence("There is no stop {stop}", stop=tried.stop))
    return lesson.answer(tried.stop, tried.move)
