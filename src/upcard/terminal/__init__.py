"""The live table in a terminal: the whole screen, or plain lines for pipes and screen readers.

Both draw the scenes that docs/protocol.md describes and know no game.
"""

from __future__ import annotations

import os
import sys

from upcard.terminal.session import Session
from upcard.terminal.settings import Settings


def play(session: Session, settings: Settings, *, plain: bool = False) -> None:
    """Play one match. Raises NotWritten if it cannot be kept."""
    if plain or not fit_for_a_screen():
        from upcard.terminal.plain import Plain

        for stream in (sys.stdin, sys.stdout):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
        Plain(session, settings, sys.stdin, sys.stdout).run()
        return
    from upcard.terminal.app import TableApp

    TableApp(session, settings).run()


def fit_for_a_screen() -> bool:
    """Whether there is a terminal that can move its cursor."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
