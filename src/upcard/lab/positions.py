"""Positions in which some moves are certainly wrong, as a test for players.

Each line of a file is a match record with one more key, `positions`: for each, the number of events after which a seat
is asked, its wrong moves, a better move for each of them, and the reason.
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
    """What one seat sees when it has to move."""

    view: View[Any]
    wrong: dict[str, str]
    """The wrong moves, each with a better one."""
    why: str

    def __str__(self) -> str:
        wrong = ", ".join(f"{move} (better {better})" for move, better in self.wrong.items())
        return f"{self.view.game.slug}, seat {self.view.seat}, {self.view.text()}: wrong is {wrong}; {self.why}"


def read_positions(file: Path, game: type[Game[Any]] | None = None) -> Iterator[Position]:
    """The positions in a file; for `game` see `records.header`. Raises BadRecord for an invalid one."""
    for line in file.read_text(encoding="utf-8").splitlines():
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


def wrong_moves(positions: Iterable[Position], player: Player, seed: int = 1) -> list[tuple[Position, str]]:
    """The positions in which a player makes a wrong move, with that move. Each has its own random generator."""
    answers = ((one, player.choose(one.view, Random(f"{seed} {at}"))) for at, one in enumerate(positions))
    return [(one, move) for one, move in answers if move in one.wrong]
