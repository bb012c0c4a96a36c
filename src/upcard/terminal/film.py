"""A finished match, to be watched move by move: as any seat saw it, or with all cards open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import structs

from upcard.engine import records
from upcard.engine.errors import BadRecord, IllegalMove, UpcardError
from upcard.engine.match import Match
from upcard.rules import cards
from upcard.table.log import Log
from upcard.table.scene import SceneView, describe, unnamed

Eyes = int | Literal["all"] | None
"""Whose view: a seat's, that of all cards open, or None for somebody who only watched."""


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
        match = self.moments[moment]
        seat = eyes if isinstance(eyes, int) else None
        seen = describe(match.view(seat), match.last_trick, self.names)
        if eyes != "all":
            return seen
        held = (match.game.hand.cards(match.state, one.seat) for one in seen.seats)
        seats = [
            structs.replace(one, open=list(map(cards.text, sorted(hand))))
            for one, hand in zip(seen.seats, held, strict=True)
        ]
        return structs.replace(seen, seats=seats)

    def story(self, moment: int, eyes: Eyes) -> list[str]:
        """What had happened by then, a line an event."""
        return [line[eyes] for line in self._lines[:moment]]
