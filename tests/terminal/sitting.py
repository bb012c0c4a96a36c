"""Tables for the tests, and a person who types."""

import io
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playing import GAMES

from upcard import games, players
from upcard.engine.setup import Setup
from upcard.engine.views import View
from upcard.rules.game import Game
from upcard.table.scene import SceneView
from upcard.terminal import choosing
from upcard.terminal.line_session import LineSession
from upcard.terminal.local_store import LocalStore
from upcard.terminal.preferences import Preferences
from upcard.terminal.session import Session

SHORT: dict[str, dict[str, object]] = {"sixty-six": {"target": 3}, "kalooki": {"calls": 0}}
"""Options that make a match shorter."""
by_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)


def session(
    game: type[Game[Any]] | str,
    number: int | None = None,
    *,
    seed: int = 1,
    store: LocalStore | None = None,
    level: str = "casual",
) -> Session:
    """Ann at a table of computer players that repeat what they do."""
    game = games.load(game) if isinstance(game, str) else game
    setup = Setup(game, number, SHORT.get(game.slug, {}))
    luck = Random(seed)

    async def think(level: str, seen: View[Any]) -> str:
        return players.player("heuristic").choose(seen, luck)

    return Session.new(store or LocalStore(None), setup, name="Ann", seed=seed, think=think, level=level)


def choice(table: Session, luck: Random) -> str:
    """What a computer player would play in Ann's place."""
    return players.player("heuristic").choose(table.match.view(table.seat), luck)


def texts(scene: SceneView) -> list[str]:
    """Moves that may be made, as they are numbered; of a choice of cards one."""
    listed = [move.text for move in choosing.sorted_moves(scene.offers, scene.hand)]
    return listed + [" ".join([pick.verb, *pick.cards[: pick.sizes[0]]]).strip() for pick in scene.offers.picks]


class Lines(io.StringIO):
    """Somebody who types: asked for a line, it looks at the scene and says one."""

    def __init__(self, say: Callable[[], str]) -> None:
        super().__init__()
        self._say = say

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        return self._say()


def heard(table: Session, typed: str | Callable[[], str], settings: Preferences | None = None) -> list[str]:
    """What the line mode prints when this is piped into it."""
    out = io.StringIO()
    lines = io.StringIO(typed) if isinstance(typed, str) else Lines(typed)
    LineSession(table, settings or Preferences(), lines, out).run()
    return out.getvalue().splitlines()
