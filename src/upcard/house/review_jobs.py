"""Reviews of finished matches as jobs, decision by decision, which may be interrupted."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from upcard.house.bodies import Review
from upcard.house.replays import Transcript
from upcard.house.services import Requester
from upcard.table.advising import Mistake, Wording, grade_line
from upcard.table.errors import Refusal
from upcard.table.table import Table

if TYPE_CHECKING:
    from upcard.players.review import Grade

MOST_MOVES = 3000
"""The most events of the seat in a match that can be reviewed; a longer one would delay all others."""
MOST_TOLD = 50
"""The number of costliest mistakes reported."""
SPELL = 1.0
"""Seconds of processor time after which a review gives way to other work, until its turn comes again."""


@dataclass(frozen=True)
class Judged:
    """The verdicts on some consecutive decisions of a seat."""

    of: int
    """The number of all decisions."""
    grades: list[Grade]
    mistakes: list[tuple[float, Mistake]]
    """The mistakes among them, each with its cost."""


class ReviewJob:
    """The review of one seat's decisions in one match, for one requester."""

    def __init__(self, transcript: Transcript, names: Iterable[str], seat: int, requester: Requester) -> None:
        self.transcript = transcript
        self.names = [*names]
        self.seat = seat
        self.requester = requester
        self.state: Literal["waiting", "running", "done", "failed"] = "waiting"
        self._of = 0
        self._grades: list[Grade] = []
        self._mistakes: list[tuple[float, Mistake]] = []

    @property
    def judged(self) -> int:
        """The number of decisions judged so far."""
        return len(self._grades)

    @property
    def is_under_way(self) -> bool:
        return self.state in ("waiting", "running")

    def note(self, judged: Judged) -> None:
        """Record further verdicts."""
        self._of = judged.of
        self._grades += judged.grades
        self._mistakes = sorted(self._mistakes + judged.mistakes, key=lambda entry: -entry[0])
        self.state = "done" if self.judged == self._of else "running"

    def review(self) -> Review:
        """The review so far."""
        mistakes = [mistake for _, mistake in self._mistakes[:MOST_TOLD]]
        return Review(self.seat, self.state, self.judged, self._of, grade_line(self._grades), mistakes)


def check_length(table: Table, seat: int) -> None:
    """Raises Refusal for a match that is too long to be reviewed."""
    if sum(event.seat == seat for event in table.match.events) > MOST_MOVES:
        raise Refusal("This match is too long to be reviewed here: save its record for `upcard review`")


def judge_some(transcript: Transcript, names: list[str], seat: int, after: int, spell: float = SPELL) -> Judged:
    """Judge a seat's decisions after the first `after`, until `spell` is over."""
    from upcard.players.review import decisions, judge

    began, grades, mistakes = time.process_time(), list[Any](), list[tuple[float, Mistake]]()
    to_judge = [*decisions(transcript.match(), seat)]
    for decision in to_judge[after:]:
        verdict = judge(decision)
        grades.append(verdict.grade)
        if verdict.better is not None:
            mistakes.append((verdict.played.loss, Wording(decision.seen, names).mistake(verdict)))
        if time.process_time() - began > spell:
            break
    return Judged(len(to_judge), grades, mistakes)
