"""The players of the seats: computer players by name, or player objects."""

from __future__ import annotations

import hashlib
import runpy
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from upcard.compiled import loops
from upcard.engine.errors import UpcardError
from upcard.engine.mistakes import fault
from upcard.players import LEVELS, Player, levels_of, player, player_kind
from upcard.players.thinking_limits import Rollouts
from upcard.rules.game import Game
from upcard.rules.phrases import as_items, brief

POLICIES = {"random": loops.RANDOM, "easy": loops.EASY, "heuristic": loops.HEURISTIC, "learned": loops.LEARNED}
"""The players that run in compiled loops."""
EXPERT = Rollouts(1000)
"""The default thinking limit of an expert here: a number of rollouts instead of a time, so that results depend only on
the seed. On most machines this is fewer than fit in the expert's usual time."""

By = str | Player | type[Player] | Sequence[str | Player | type[Player]]
"""The players: one for all seats, or one for each."""


@dataclass(frozen=True)
class Lineup:
    """The player of each seat at a table."""

    players: tuple[str | Player, ...]

    @staticmethod
    def of(by: By, seats: int) -> Lineup:
        """A lineup with one player for all seats, or one for each. If a player is a class, each of its seats gets its
        own instance. Raises UpcardError for a wrong number of players, or for anything that is not a player."""
        each = as_items(by)
        named = [by] * seats if each is None else each
        if len(named) != seats:
            raise UpcardError(f"{len(named)} players are named for {seats} seats")
        for who in named:
            if isinstance(who, str):
                made(who)
        return Lineup(tuple(who if isinstance(who, str) else _choosing(who) for who in named))

    def check(self, game: type[Game[Any]]) -> None:
        """Raises UpcardError for levels that this game does not have, for example one that needs a learned policy."""
        levels = levels_of(game)
        missing = [kind for name, kind in LEVELS.items() if name not in levels]
        for who in self.players:
            if isinstance(who, str) and FILE not in who and player_kind(who) in missing:
                raise UpcardError(f"{game.slug} has no level {who!r:.20} (it has: {', '.join(levels)})")

    @property
    def names(self) -> list[str]:
        return [name_in_results(who) for who in self.players]

    @property
    def kinds(self) -> list[int] | None:
        """The policies of the seats in compiled loops; None if a player runs in Python."""
        names = [player_kind(one).name if isinstance(one, str) and FILE not in one else "" for one in self.players]
        return [POLICIES[name] for name in names] if all(name in POLICIES for name in names) else None

    @property
    def needs_processes(self) -> bool:
        """Whether parallel work needs processes, because a player runs in Python."""
        return self.kinds is None

    def seated(self) -> list[Player]:
        return [made(one) if isinstance(one, str) else one for one in self.players]


FILE = ".py:"
"""Separates the file from the name in `my_player.py:Careful`."""


def made(name: str) -> Player:
    """Create the player of this name, a level or `FILE.py:NAME`. Raises UpcardError for an unknown name, and BadPlayer
    if the file cannot be run."""
    if FILE not in name:
        return player(name, EXPERT if player_kind(name).name == "expert" else None)
    return _choosing(defined_in_file(name, BadPlayer))


def defined_in_file(name: str, failure: type[UpcardError] = UpcardError) -> Any:
    """The object that a file defines, by `FILE.py:NAME`. Raises UpcardError if there is no such file or object, and the
    `failure` if the file cannot be run."""
    file, _, own_name = name.rpartition(":")
    try:
        open(file, "rb").close()
    except OSError as error:
        raise UpcardError(f"{file}: {error.strerror}") from None
    try:
        namespace = runpy.run_path(file)
    except (Exception, SystemExit) as error:
        raise failure(f"{name_in_results(name)} cannot be loaded: {fault(error)}") from error
    if own_name not in namespace:
        raise UpcardError(f"{file} has no {own_name!r:.40}")
    return namespace[own_name]


def _choosing(one: object) -> Player:
    """The player itself, or a new instance of a class. Raises UpcardError for anything that is not a player, and
    BadPlayer if the class cannot be instantiated."""
    if isinstance(one, type):
        kind = one
        try:
            one = kind()
        except (Exception, SystemExit) as error:
            raise BadPlayer(f"{kind.__name__} cannot be created: {fault(error)}") from error
    # NumPy's numbers and arrays also have a method `choose`, with another meaning.
    if hasattr(one, "__array__") or not callable(getattr(one, "choose", None)):
        raise UpcardError(f"a player is a name or has a method choose(view, rng), not {brief(one)}")
    return one  # type: ignore[return-value]


class BadPlayer(UpcardError):
    """An external player failed or made an illegal move. The cause is the error that it raised, if any."""


def known_as(one: str | Player) -> str:
    """A text that identifies a player, with the hash of its file if it has one. Raises UpcardError for a player object,
    because its behaviour cannot be identified."""
    if not isinstance(one, str):
        raise UpcardError(
            f"results of {name_in_results(one)!r:.40} cannot be saved: "
            "put the player in a file, and name it FILE.py:NAME"
        )
    script = script_of(one)
    return one if script is None else f"{one.rpartition(':')[2]} {hash_of(script)}"


def script_of(one: str | Player) -> Path | None:
    """The Python file in a player's name; None if there is none."""
    return Path(one.rpartition(":")[0]) if isinstance(one, str) and FILE in one else None


def hash_of(file: Path) -> str:
    """The SHA-256 of a file's contents."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def name_in_results(one: str | Player | type[Player]) -> str:
    """The name of a player in results."""
    if isinstance(one, str):
        return one.rpartition("/")[2]
    return one.__name__ if isinstance(one, type) else type(one).__name__


def distinct_names(players: Sequence[str | Player]) -> tuple[str, ...]:
    """The names of several players; equal names are numbered: "Careful", "Careful 2"."""
    names = [name_in_results(who) for who in players]
    before = [names[:place].count(name) for place, name in enumerate(names)]
    return tuple(f"{name} {number + 1}" if number else name for name, number in zip(names, before, strict=True))
