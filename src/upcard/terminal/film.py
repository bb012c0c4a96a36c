"""A finished match, to be watched move by move: as any seat saw it, or with all cards open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from upcard.engine import records
from upcard.engine.errors import BadRecord, IllegalMove, UpcardError
from upcard.engine.match import Match
from upcard.table.eyes import Eyes, seen
from upcard.table.log import Log
from upcard.table.scene import SceneView, unnamed


class Film:
    """Every moment of a match, from before its first event to its end."""

    def __init__(self, record: object, names: Sequence[str] | None = None) -> None:
        """Raises UpcardError for what is no record that can be replayed here."""
        self.moments: list[Match[Any]] = []
        self._lines: list[dict[Eyes, str]] = []
        try:
            for match in records.steps(record):
                self._take_down(match, names)
        except BadRecord as error:
            raise UpcardError(f"this is no match record: {error.reason}") from None
        except IllegalMove as error:
            raise UpcardError(str(error)) from None

    def _take_down(self, match: Match[Any], names: Sequence[str] | None) -> None:
        after = match.fork()
        if not self.moments:
            self.names = list(names or unnamed(match.players))
            self._log = Log(after)
        else:
            event = after.events[-1]
            self._log.note(len(self.moments), self.moments[-1].state.dealer, after, event, self.names)
            told: dict[Eyes, str] = {seat: self._log.last(seat).text for seat in (None, *range(match.players))}
            self._lines.append({**told, "all": told[event.seat]})
        self.moments.append(after)

    @property
    def title(self) -> str:
        return self.moments[0].game.title

    @property
    def deals(self) -> list[int]:
        """The moments at which the deals begin, the first at place 0."""
        deals = [match.state.deals for match in self.moments]
        return [i for i in range(1, len(deals)) if deals[i] > deals[i - 1]]

    def scene(self, moment: int, eyes: Eyes) -> SceneView:
        """The table at a moment. Nobody is asked anything any more."""
        return seen(self.moments[moment], eyes, self.names)

    def story(self, moment: int, eyes: Eyes) -> list[str]:
        """What had happened by then, a line an event."""
        return [line[eyes] for line in self._lines[:moment]]
