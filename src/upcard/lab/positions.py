"""Positions in which some moves are surely wrong: as data, and players who are asked for a move in them.

A line of a file is the record of a match with one thing more, its `positions`: after how many events a seat is asked,
its wrong moves, each with a better one, and why.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from upcard.engine import records
from upcard.engine.errors import BadRecord
from upcard.engine.views import View
from upcard.players import Player
from upcard.rules.game import Game


@dataclass(frozen=True)
class Position:
    """What one seat sees when it is asked."""

    view: View[Any]
    wrong: dict[str, str]
    """By wrong move, one that is better."""
    why: str

    def __str__(self) -> str:
        wrong = ", ".join(f"{move} (better {better})" for move, better in self.wrong.items())
        return f"{self.view.game.slug}, seat {self.view.seat}, {self.view.text()}: wrong is {wrong}; {self.why}"


def read(file: Path, game: Game[Any] | None = None) -> Iterator[Position]:
    """The positions of a file; for `game` see `records.header`. Raises BadRecord."""
    for line in file.read_text().splitlines():
        record = json.loads(line)
        asked: dict[int, list[dict[str, Any]]] = {}
        for one in record.pop("positions"):
            asked.setdefault(one["after"], []).append(one)
        for match in records.steps(record, game):
            for one in asked.get(len(match.events), []):
                seen = match.view(one["seat"])
                if not {*one["wrong"], *one["wrong"].values()} <= {*seen.legal()}:
                    raise BadRecord(f"a position of {file.name} after {one['after']} events names an illegal move")
                yield Position(seen, one["wrong"], one["why"])


def failed(positions: Iterable[Position], player: Player, seed: int = 1) -> list[tuple[Position, str]]:
    """The positions in which a player makes a wrong move, each with that move; it has luck of its own in each."""
    answers = ((one, player.choose(one.view, Random(f"{seed} {at}"))) for at, one in enumerate(positions))
    return [(one, move) for one, move in answers if move in one.wrong]
