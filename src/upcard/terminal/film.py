"""A finished match, replayed move by move: as any seat saw it, or with all cards face up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from upcard.engine import records
from upcard.engine.match import Match
from upcard.languages.answers import in_language
from upcard.languages.localizing import reader, text_for_reader
from upcard.rules.sentences import as_sentence
from upcard.table.event_replay import replay_events
from upcard.table.scene import SceneView, Viewpoint, scene_for
from upcard.table.seats import recorded_names


class Film:
    """Every moment of a match, from before its first event to its end."""

    def __init__(self, record: object, names: Sequence[str] | None = None) -> None:
        """Raises UpcardError if the record cannot be replayed."""
        self._lines: list[dict[Viewpoint, str]] = []
        match = records.header(record)
        assert isinstance(record, dict)
        self.names = list(names or recorded_names(record, match.players))
        self.moments: list[Match[Any]] = [match.fork()]
        every: list[Viewpoint] = [None, "all", *range(match.players)]
        for event in replay_events(match, record["events"], self.names):
            self._lines.append({viewpoint: text_for_reader(event.line(viewpoint)) for viewpoint in every})
            self.moments.append(match.fork())

    @property
    def title(self) -> str:
        game = self.moments[0].game
        return text_for_reader(as_sentence(game.title, game))

    @property
    def deals(self) -> list[int]:
        """The moments at which the deals begin, in order."""
        deals = [match.state.deals for match in self.moments]
        return [i for i in range(1, len(deals)) if deals[i] > deals[i - 1]]

    def scene(self, moment: int, viewpoint: Viewpoint) -> SceneView:
        """The scene at a moment, from this point of view."""
        return in_language(scene_for(self.moments[moment], viewpoint, self.names), reader.get())

    def story(self, moment: int, viewpoint: Viewpoint) -> list[str]:
        """The log up to a moment from this point of view, one line for each event."""
        return [line[viewpoint] for line in self._lines[:moment]]
