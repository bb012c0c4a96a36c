"""A person's saved settings for the terminal."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import Literal, get_args

import msgspec
import platformdirs
from msgspec import Struct, structs

from upcard.languages.localizing import localized
from upcard.rules.phrases import brief
from upcard.rules.sentences import listed, sentence
from upcard.table.errors import Unacceptable
from upcard.table.seats import clean_name

Pace = Literal["steady", "fast", "instant"]
PACES: tuple[Pace, ...] = get_args(Pace)
SECONDS: dict[Pace, float] = {"steady": 1.2, "fast": 0.4, "instant": 0.0}
"""Seconds that a computer player waits before it moves."""


class Preferences(Struct):
    """The settings that a person can choose."""

    name: str = ""
    pace: Pace = "steady"
    four_colours: bool = False
    words: bool = False
    """Whether lines of text have cards in words instead of letters."""
    ask: bool = True
    """Whether moves that can cost a deal must be confirmed."""


def _file() -> Path:
    return Path(platformdirs.user_config_dir("upcard")) / "terminal.json"


def load_preferences() -> Preferences:
    """The saved settings; the defaults if there are none or they cannot be read."""
    try:
        return msgspec.json.decode(_file().read_bytes(), type=Preferences)
    except (OSError, ValueError):
        return Preferences()


def save(settings: Preferences) -> None:
    """Save the settings. A failure to write the file is ignored."""
    file = _file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(msgspec.json.encode(settings))
    except OSError:
        return


def chosen(*, name: str | None = None, pace: str | None = None, words: bool | None = None) -> Preferences:
    """The saved settings with these changes, which are saved too. Raises Unacceptable."""
    settings = load_preferences()
    before = structs.replace(settings)
    if name is not None:
        settings.name = clean_name(name, ())
    if pace is not None:
        if pace not in PACES:
            raise Unacceptable(
                sentence("--pace must be {known}, not {pace}", known=listed(PACES, "or"), pace=brief(pace))
            )
        settings.pace = pace
    if words is not None:
        settings.words = words
    if settings != before:
        save(settings)
    return settings


def player_name(settings: Preferences) -> str:
    """The person's name: the chosen name, or else the login name, or "Guest"."""
    try:
        return clean_name(settings.name or _login(), ())
    except Unacceptable:
        return localized("Guest")


def _login() -> str:
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        name = ""
    return name[:1].upper() + name[1:]
