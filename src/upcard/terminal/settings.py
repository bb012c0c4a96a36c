"""How somebody likes the terminal, kept for the next time."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import Literal, get_args

import msgspec
import platformdirs
from msgspec import Struct, structs

from upcard.table.errors import Unacceptable
from upcard.table.seats import clean_name

Pace = Literal["steady", "fast", "instant"]
PACES: tuple[Pace, ...] = get_args(Pace)
SECONDS: dict[Pace, float] = {"steady": 1.2, "fast": 0.4, "instant": 0.0}
"""How long a computer player waits before it moves."""


class Settings(Struct):
    """What a person has chosen."""

    name: str = ""
    pace: Pace = "steady"
    four_colours: bool = False
    words: bool = False
    """In lines of text: cards in words instead of letters."""
    ask: bool = True
    """Whether moves that can cost a deal are asked about."""


def _file() -> Path:
    return Path(platformdirs.user_config_dir("upcard")) / "terminal.json"


def load() -> Settings:
    """The settings as they were left; the usual ones where there are none, or none that can be read."""
    try:
        return msgspec.json.decode(_file().read_bytes(), type=Settings)
    except (OSError, ValueError):
        return Settings()


def save(settings: Settings) -> None:
    """Keep them; whoever has no place to keep anything plays all the same."""
    file = _file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(msgspec.json.encode(settings))
    except OSError:
        return


def chosen(*, name: str | None = None, pace: str | None = None, words: bool | None = None) -> Settings:
    """The settings as they were left, with what is chosen now, which is kept. Raises Unacceptable."""
    settings = load()
    before = structs.replace(settings)
    if name is not None:
        settings.name = clean_name(name, ())
    if pace is not None:
        if pace not in PACES:
            raise Unacceptable(f"--pace is {', '.join(PACES[:-1])} or {PACES[-1]}, not {pace!r:.40}")
        settings.pace = pace
    if words is not None:
        settings.words = words
    if settings != before:
        save(settings)
    return settings


def player_name(settings: Settings) -> str:
    """What the person is called: the chosen name, or else that of whoever is logged in."""
    try:
        return clean_name(settings.name or _login(), ())
    except Unacceptable:
        return "Guest"


def _login() -> str:
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        name = ""
    return name[:1].upper() + name[1:]
