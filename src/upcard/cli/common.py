"""What the commands share: how a game, its options and its players are named."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from upcard import games
from upcard.engine.errors import UpcardError
from upcard.rules.game import Game

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="The game's name; `upcard games` lists them.")]
OptionArgument = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="A rule switch; may be repeated.")
]
PlayersArgument = Annotated[int | None, typer.Option(help="How many play; the game's usual number if not given.")]
SeedArgument = Annotated[int | None, typer.Option(help="Makes chance repeatable.")]


def group() -> typer.Typer:
    """Commands that belong together, for `upcard` to take in."""
    return typer.Typer(rich_markup_mode=None)


def load(name: str) -> Game[Any]:
    """The game of this name, or in this file or folder. Raises UpcardError."""
    found = games_of(name)
    if len(found) > 1:
        listed = ", ".join(game.slug for game in found)
        raise UpcardError(f"{name} holds {len(found)} games ({listed}): name it in UPCARD_GAMES and say which")
    return found[0]


def games_of(name: str) -> list[Game[Any]]:
    """The game of this name, or all games in this file or folder. Raises UpcardError."""
    try:
        is_path = name.endswith(".py") or (name not in games.SLUGS and Path(name, "__init__.py").is_file())
        return list(games.load_file(name).values()) if is_path else [games.load(name)]
    except games.UnknownGame as error:
        raise UpcardError(str(error)) from None


def read_options(slug: str, words: list[str] | None) -> dict[str, object]:
    """The options in `name=value` texts; what the game does not have is left for the match to refuse."""
    chosen: dict[str, object] = {}
    declared = load(slug).options.options
    for word in words or []:
        name, equals, value = word.partition("=")
        if not equals:
            raise UpcardError(f"--option is NAME=VALUE, not {word!r:.60}")
        chosen[name] = declared[name].read(value) if name in declared else value
    return chosen


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Say which extra is missing when an import fails."""
    try:
        yield
    except ImportError as error:
        raise UpcardError(f"this needs more packages ({error.name}): pip install 'upcard[{extra}]'") from None
