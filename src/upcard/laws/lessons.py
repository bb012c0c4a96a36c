"""The law of the lessons: they can be played."""

from __future__ import annotations

from upcard.laws.law import Broken, NotTried, Trial
from upcard.rules.phrases import how_to_get


def lessons_can_be_played(trial: Trial) -> None:
    """Every lesson replays: its moves are legal, what glows is on the table, and every other move has an answer."""
    try:
        from upcard.table.lessons import BadLesson, lessons_of
    except ImportError as error:
        raise NotTried(f"it needs {error.name}: {how_to_get('serve')}") from None
    try:
        lessons = lessons_of(trial.game)
        for lesson in lessons:
            lesson.check()
    except BadLesson as error:
        raise Broken(str(error)) from None
    if not lessons:
        raise NotTried("it has no lesson (lesson.toml)")
