"""Positions in which some moves are certainly wrong, as a test for players.

Each line of a file is a match record with the additional key `positions`. Each position has the number of events after
which the seat must move (`after`), the `seat`, its `wrong` moves with a better move for each, and the reason (`why`).
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
    """The view of a seat that has to move, with its wrong moves."""

    view: View[Any]
    wrong: dict[str, str]
    """The wrong moves, each with a better one."""
    why: str

    def __str__(self) -> str:
        wrong = ", ".join(f"{move} (better {better})" for move, better in self.wrong.items())
        return f"{self.view.game.slug}, seat {self.view.seat}, {self.view.text()}: wrong is {wrong}; {self.why}"


def read_positions(file: Path, game: type[Game[Any]] | None = None) -> Iterator[Position]:
    """Yield the positions in a file; for `game` see `records.header`. Raises BadRecord for an invalid one."""
    for line in file.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        by_time: dict[int, list[dict[str, Any]]] = {}
        for entry in record.pop("positions"):
            by_time.setdefault(entry["after"], []).append(entry)
        for match in records.steps(record, game):
            for entry in by_time.get(len(match.events), []):
                view = match.view(entry["seat"])
                if not {*entry["wrong"], *entry["wrong"].values()} <= {*view.legal()}:
                    raise BadRecord(f"a position of {file.name} after {entry['after']} events names an illegal move")
                yield Position(view, entry["wrong"], entry["why"])


def wrong_moves(positions: Iterable[Position], player: Player, seed: int = 1) -> list[tuple[Position, str]]:
    """The positions in which a player makes a wrong move, with that move. Each position has its own random
    generator."""
    answers = (
        (position, player.choose(position.view, Random(f"{seed} {at}"))) for at, position in enumerate(positions)
    )
    return [(position, move) for position, move in answers if move in position.wrong]
