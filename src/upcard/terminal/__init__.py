"""The live table in a terminal: in full screen, or in plain lines for pipes and screen readers.

Both draw the scenes described in docs/protocol.md and are the same for all games.
"""

from __future__ import annotations

import os
import sys

from upcard.terminal.preferences import Preferences
from upcard.terminal.session import Session


def play_in_terminal(session: Session, settings: Preferences, *, plain: bool = False) -> None:
    """Play one match. Raises NotWritten if it cannot be saved."""
    if plain or not fit_for_a_screen():
        from upcard.terminal.line_session import LineSession

        for stream in (sys.stdin, sys.stdout):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
        LineSession(session, settings, sys.stdin, sys.stdout).run()
        return
    from upcard.terminal.app import TableApp

    TableApp(session, settings).run()


def fit_for_a_screen() -> bool:
    """Whether input and output are a terminal with cursor control."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
