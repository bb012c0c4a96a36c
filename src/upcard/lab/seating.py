"""Who sits where: computer players by name, or objects that choose."""

from __future__ import annotations

import hashlib
import runpy
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from upcard.compiled import loops
from upcard.engine.errors import UpcardError
from upcard.players import LEVELS, Player, kind_of, levels_of, player
from upcard.players.limits import Rollouts
from upcard.rules.game import Game
from upcard.rules.words import brief

HERE = Path(__file__).parents[1]
POLICIES = {"random": loops.RANDOM, "easy": loops.EASY, "heuristic": loops.HEURISTIC, "learned": loops.LEARNED}
"""The players that compiled loops know."""
EXPERT = Rollouts(1000)
"""How long an expert thinks here unless its name says more: no clock, so that the seed decides everything, and fewer
than its time holds on most machines."""

By = str | Player | type[Player] | Sequence[str | Player | type[Player]]
"""Who plays: one for all seats, or one for each."""


@dataclass(frozen=True)
class Seating:
    """The players of a table, seat by seat."""

    players: tuple[str | Player, ...]

    @staticmethod
    def of(by: By, seats: int) -> Seating:
        """One player for all seats, or one each; of a class every seat gets one of its own. Raises UpcardError for a
        wrong number or a player that is none."""
        named = [by] * seats if isinstance(by, str) or not isinstance(by, Iterable) else list(by)
        if len(named) != seats:
            raise UpcardError(f"{len(named)} players are named for {seats} seats")
        for one in named:
            if isinstance(one, str):
                made(one)
        return Seating(tuple(one if isinstance(one, str) else _choosing(one) for one in named))

    def check(self, game: Game[Any]) -> None:
        """Raises UpcardError for levels that are none at this game: it has learned nothing, for instance."""
        levels = levels_of(game)
        missing = [kind for name, kind in LEVELS.items() if name not in levels]
        for one in self.players:
            if isinstance(one, str) and FILE not in one and kind_of(one) in missing:
                raise UpcardError(f"There is no level {one!r:.20} (there are: {', '.join(levels)})")

    @property
    def names(self) -> list[str]:
        return [name_of(one) for one in self.players]

    @property
    def kinds(self) -> list[int] | None:
        """The policies of compiled loops; None if somebody must be asked in Python."""
        names = [kind_of(one).name if isinstance(one, str) and FILE not in one else "" for one in self.players]
        return [POLICIES[name] for name in names] if all(name in POLICIES for name in names) else None

    @property
    def apart(self) -> bool:
        """Whether processes are needed to play at once, because players are asked in Python."""
        return self.kinds is None

    def seated(self) -> list[Player]:
        return [made(one) if isinstance(one, str) else one for one in self.players]


FILE = ".py:"
"""Parts the file from the name in `my_player.py:Careful`."""


def made(name: str) -> Player:
    """The player of this name, or the one that a file of Python has under a name. Raises UpcardError, and BadPlayer for
    a file that cannot be run."""
    if FILE not in name:
        return player(name, EXPERT if kind_of(name).name == "expert" else None)
    file, _, what = name.rpartition(":")
    try:
        open(file, "rb").close()
    except OSError as error:
        raise UpcardError(f"{file}: {error.strerror}") from None
    try:
        found = runpy.run_path(file)
    except (Exception, SystemExit) as error:
        raise BadPlayer(f"{name_of(name)} cannot be made: {fault(error)}") from error
    if what not in found:
        raise UpcardError(f"{file} has no {what!r:.40}")
    return _choosing(found[what])


def _choosing(one: object) -> Player:
    """A player, of a class a new one. Raises UpcardError, and BadPlayer for a class that cannot be called."""
    if isinstance(one, type):
        kind = one
        try:
            one = kind()
        except (Exception, SystemExit) as error:
            raise BadPlayer(f"{kind.__name__} cannot be made: {fault(error)}") from error
    if not callable(getattr(one, "choose", None)):
        raise UpcardError(f"a player is a name or has a method choose(view, rng), not {brief(one)}")
    return one  # type: ignore[return-value]


class BadPlayer(UpcardError):
    """A player of somebody's own does what it must not. What it raised is the cause."""


def fault(error: BaseException) -> str:
    """What went wrong in somebody's own code, and where: "mine.py, line 3: ValueError: out of cards"."""
    told = f"{type(error).__name__}: {error}"
    frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    places = [place for place in frames if _is_theirs(place[0])]
    if isinstance(error, SyntaxError) and error.filename:
        told, places = f"{type(error).__name__}: {error.msg}", [(error.filename, error.lineno)]
    lines = [line for file, line in places if file == places[0][0]]
    return " ".join((f"{Path(places[0][0]).name}, line {lines[-1]}: {told}" if lines else told).split())


def _is_theirs(file: str) -> bool:
    return HERE not in Path(file).parents and not file.startswith("<frozen") and file != runpy.__file__


def known_as(one: str | Player) -> str:
    """The name by which a player is known again, with a hash of its file where it has one. Raises UpcardError for an
    object: nothing tells what it will do."""
    if not isinstance(one, str):
        raise UpcardError(
            f"what {name_of(one)!r:.40} plays cannot be kept: write the player into a file, and name it FILE.py:NAME"
        )
    script = script_of(one)
    return one if script is None else f"{one.rpartition(':')[2]} {hash_of(script)}"


def script_of(one: str | Player) -> Path | None:
    """The file of Python that a player's name says, if it says one."""
    return Path(one.rpartition(":")[0]) if isinstance(one, str) and FILE in one else None


def hash_of(file: Path) -> str:
    """A name for exactly what a file holds."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def name_of(one: str | Player | type[Player]) -> str:
    """What a player is called in tables."""
    if isinstance(one, str):
        return one.rpartition("/")[2]
    return one.__name__ if isinstance(one, type) else type(one).__name__
