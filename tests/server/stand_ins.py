"""Stand-ins for players and for compiling, in other processes: they note that they have begun, and wait to be let go.

They are in a module of their own, which those processes import quickly.
"""

import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

from waiting import wait_until

from upcard.engine.views import View
from upcard.players.warmup import is_quick
from upcard.rules.game import Game


def think_when_let(folder: Path, level: str, seen: View[Any]) -> str:
    """In place of a player: its level and process, for slow players once there is a file `think`."""
    if not is_quick(level):
        note(folder, level)
        wait_until((folder / "think").exists)
    return f"{level} {os.getpid()}"


def compile_when_let(folder: Path, setup: Game[Any], level: str) -> None:
    """In place of compiling: waits for a file with the name of the game. It is faulty if that file says so."""
    slug = setup.game.slug
    note(folder, slug)
    wait_until((folder / slug).exists)
    sys.exit((folder / slug).read_text() or 0)


def compile_nothing(setup: Game[Any], level: str) -> None:
    """In place of compiling."""


def has_loaded(name: str, level: str, seen: View[Any]) -> str:
    """In place of a player: whether its process has imported a module."""
    return str(name in sys.modules)


def note(folder: Path, name: str) -> None:
    with open(folder / "begun", "a") as file:
        file.write(f"{name}\n")


class Elsewhere:
    """Other processes, seen through the files by which they wait for the test and note what they have begun."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.think = partial(think_when_let, folder)
        self.compile = partial(compile_when_let, folder)

    @property
    def begun(self) -> list[str]:
        notes = self.folder / "begun"
        return notes.read_text().split() if notes.exists() else []

    def let(self, *names: str) -> None:
        for name in names:
            (self.folder / name).touch()
