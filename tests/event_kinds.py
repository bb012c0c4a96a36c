"""How every kind of event is seen and heard: python tests/event_kinds.py > tests/event_kinds.txt

For every game and verb: the kinds of bubbles beside the plates, what moves on the table for everybody, and an example
of the line that the log has and screen readers say.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from playing import random_match

from upcard import games
from upcard.engine.match import Match
from upcard.laws.law import random_event
from upcard.rules.game import Game
from upcard.table.log import Log
from upcard.table.scene import SceneView, describe

PLACE = Path(__file__).with_name("event_kinds.txt")
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ina", "Jo")
FEWEST, MOST, EVENTS = 4, 60, 250
"""The random matches of each game: some, and more until every verb has been seen; and the events that are looked at."""
RARE = {"cinch": {"discard"}, "kalooki": {"card", "hold"}, "klaberjass": {"also"}}
"""Verbs that random play does not reach, by game: in Cinch with seven trumps, in Kalooki with nothing but jokers."""


@dataclass
class EventKind:
    """What belongs to the events of one verb in one game."""

    bubbles: set[str] = field(default_factory=set)
    moves: bool = False
    """Whether a card moves, or turns, where everybody sees it."""
    line: str = ""


def lying(scene: SceneView) -> dict[str, object]:
    """Where cards lie, as far as a spectator sees it."""
    zones = {zone.id: (zone.cards, zone.count) for zone in scene.zones}
    seats = {f"seat {seat.seat}": (seat.cards, seat.open) for seat in scene.seats}
    return zones | seats | {"last trick": scene.last_trick}


def seen(match: Match[Any]) -> SceneView:
    return describe(match.view(None), match.last_trick, NAMES[: match.players])


def event_kinds(game: type[Game[Any]]) -> dict[str, EventKind]:
    """The kinds of events in random matches of a game, by the word of the event; "card" for a card that is played."""
    kinds: dict[str, EventKind] = defaultdict(EventKind)
    verbs = {verb.word or "card" for verb in game.notation.verbs} - RARE.get(game.slug, set())
    for seed in range(MOST):
        if seed >= FEWEST and verbs <= {*kinds}:
            break
        match, rng = random_match(game, seed), Random(seed)
        log, before = Log(match), seen(match)
        while not match.done and len(match.events) < EVENTS:
            state = match.state.copy()
            event = match.event(random_event(match, rng))
            log.note(len(match.events), state, match, event, NAMES[: match.players])
            after, kind = seen(match), kinds[event.word or "card"]
            kind.bubbles |= {spoken.kind for spoken in log.utterances()}
            kind.moves |= lying(before) != lying(after)
            kind.line = kind.line or log.last(None, result=False).text
            before = after
    return kinds


def table(kinds: dict[str, EventKind], slug: str) -> Iterator[str]:
    """The lines of the table about one game."""
    for word, kind in sorted(kinds.items()):
        moves = "moves" if kind.moves else "-"
        yield f"{slug:14} {word:10} {moves:6} {','.join(sorted(kind.bubbles)) or '-':32} {kind.line}"


if __name__ == "__main__":
    for each in games.SLUGS:
        sys.stdout.writelines(f"{line}\n" for line in table(event_kinds(games.load(each)), each))
