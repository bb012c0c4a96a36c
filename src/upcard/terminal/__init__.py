"""The live table in a terminal: the whole screen, or plain lines for pipes and screen readers.

Both draw the scenes that docs/protocol.md describes and know no game.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

from upcard.rules.game import Game
from upcard.terminal.session import Session


def play(
    game: Game[Any],
    players: int,
    options: Mapping[str, Any],
    *,
    seat: int = 0,
    level: str = "casual",
    seed: int | None = None,
    plain: bool = False,
) -> None:
    """Play one match from this seat; computer players of one level have the others.

    Raises UpcardError for a level that does not exist.
    """
    session = Session(game, players, options, seat=seat, level=level, seed=seed)
    if plain or not fit_for_a_screen():
        from upcard.terminal.plain import Plain

        for stream in (sys.stdin, sys.stdout):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
        Plain(session, sys.stdin, sys.stdout).run()
        return
    from upcard.terminal.app import TableApp

    TableApp(session).run()


def fit_for_a_screen() -> bool:
    """Whether there is a terminal that can move its cursor."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
