"""The secrets of days in a browser: they follow from the date, so that the cards are the same in every browser.

They are no secrets: a browser deals to itself. A house on a server draws its own, so nothing here foretells its cards.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from upcard.house.stores import DayScore


class DaysByDate:
    """A `DayStore` for one person: the secret of a day is always known, and there are no results of others. Their own
    is noted for as long as the worker runs, since it follows from their table."""

    def __init__(self) -> None:
        self._scores: dict[str, DayScore] = {}

    async def secret_of_day(self, day: str) -> str:
        return hashlib.sha512(f"upcard {day}".encode()).hexdigest()

    async def begin_day(self, day: str, secret: str) -> str:
        return await self.secret_of_day(day)

    async def note_day_score(self, day: str, score: DayScore) -> None:
        self._scores[day] = score

    async def day_scores(self, day: str) -> Sequence[DayScore]:
        return [self._scores[day]] if day in self._scores else []
