"""Arguments and helpers that several commands share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from itertools import takewhile
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperOption

from upcard import games
from upcard.engine.errors import UpcardError
from upcard.rules.game import Game
from upcard.rules.phrases import brief, how_to_get
from upcard.rules.presets import preset
from upcard.rules.sentences import listed

LanguageArgument = Annotated[
    str | None, typer.Option("--language", help="The language, such as de; by default that of the environment.")
]
GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="The name of a game; `upcard games` lists them all.")]
OptionArgument = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="Set an option of the game; may be repeated."),
]
PresetArgument = Annotated[
    str | None,
    typer.Option(
        metavar="usual|short|author",
        help="Set the options of the usual table, of a short match, or of the game as its author wrote it; --option "
        "changes single ones.",
    ),
]
PlayersArgument = Annotated[int | None, typer.Option(help="The number of players; the game's usual number by default.")]
SeedArgument = Annotated[int | None, typer.Option(help="The random seed; the same seed gives the same cards.")]
PacksOption = Annotated[int, typer.Option("--seed", help="The random seed; the same seed gives the same packs.")]
JobsOption = Annotated[int | None, typer.Option(min=1, help="The number of cores to use; all by default.")]
ClusterOption = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Run on the Dask cluster at this address, e.g. tcp://10.0.0.1:8786."),
]
UnitOption = Annotated[
    str, typer.Option(metavar="deal|match", help="Play a single deal or a whole match with each pack.")
]
DealerOption = Annotated[
    int | None,
    typer.Option(
        metavar="SEAT", help="The seat that deals first in every match, counted from 0; each in turn by default."
    ),
]
KeepOption = Annotated[
    str | None,
    typer.Option(
        "--keep", metavar="FILE", help="Save the results to this file; run again with it to resume, or to add more."
    ),
]


FAILED = 2
"""The exit status for every error."""
STOPPED = 130
"""The exit status after Ctrl-C, even if results were printed."""


class _Command(TyperCommand):
    """A command that rejects an option given twice, unless it may be repeated."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        words = [*takewhile(lambda word: word != "--", args)]
        for option in self.params:
            if isinstance(option, TyperOption) and not (option.multiple or option.is_flag):
                given = [word for word in words if word in option.opts or word.startswith(f"{option.opts[0]}=")]
                if len(given) > 1:
                    raise UpcardError(f"{option.opts[0]} is given twice")
        return super().parse_args(ctx, args)


class _Group(typer.Typer):
    def command(self, *named: Any, **how: Any) -> Any:
        return super().command(*named, cls=_Command, **how)


def group() -> typer.Typer:
    """A group of commands, which `upcard.cli.main` adds to `upcard`."""
    return _Group(rich_markup_mode=None)


def load_game(name: str) -> type[Game[Any]]:
    """The game of this name, or the only game in this file or folder. Raises UpcardError."""
    loaded = games_named(name)
    if len(loaded) > 1:
        slugs = ", ".join(game.slug for game in loaded)
        raise UpcardError(f"{name} has {len(loaded)} games ({slugs}): set UPCARD_GAMES={name} and give a game's name")
    return loaded[0]


def games_named(name: str) -> list[type[Game[Any]]]:
    """The game of this name, or all games in this file or folder. Raises UpcardError."""
    is_path = name.endswith(".py") or (name not in games.SLUGS and Path(name, "__init__.py").is_file())
    return list(games.load_file(name).values()) if is_path else [games.load(_slug(name))]


def _slug(name: str) -> str:
    """The slug that `Sixty-Six` or `oh_hell` means. Raises UpcardError, which suggests similar names."""
    known = {_letters(slug): slug for slug in games.names()}
    meant = _letters(name)
    if meant in known:
        return known[meant]
    if name in known.values():
        return name
    near = [known[letters] for letters in get_close_matches(meant, known, 3, 0.6)]
    if not near and games.is_one_broken():  # the fault in its file has already been reported
        raise typer.Exit(FAILED)
    hint = f": did you mean {listed(near, 'or')}?" if near else f" (there are: {', '.join(known.values())})"
    raise UpcardError(f"there is no game {brief(name)}{hint}")


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def option_name(word: str) -> str:
    """The name in NAME=VALUE, spelt as in the rules."""
    return word.partition("=")[0].strip().replace("-", "_").lower()


def read_pairs(words: Sequence[str]) -> dict[str, str]:
    """The values of the `--option`s, by name. Raises UpcardError for an option without a value or given twice."""
    pairs: dict[str, str] = {}
    for word in words:
        name, (_, equals, value) = option_name(word), word.partition("=")
        if name in pairs:
            raise UpcardError(f"{name} is given twice")
        if not equals:
            raise UpcardError(f"--option takes NAME=VALUE, not {brief(word)}")
        pairs[name] = value.strip()
    return pairs


def with_preset(name: str, preset_name: str | None, words: Sequence[str] | None) -> list[str]:
    """The options of a preset of a game and those given, as texts of the form `name=value`; those given come first.
    Raises UpcardError."""
    given = list(words or [])
    if preset_name is None:
        return given
    names = {option_name(word) for word in given}
    chosen = preset(load_game(name), preset_name)
    return [f"{option}={str(value).lower()}" for option, value in chosen.items() if option not in names] + given


def read_options(slug: str, words: list[str] | None) -> dict[str, object]:
    """Read options from texts of the form `name=value`. Raises UpcardError for an unknown name.

    Values are not checked here but when the setup is made.
    """
    chosen: dict[str, object] = {}
    declared = load_game(slug).declared_options
    for name, value in read_pairs(words or []).items():
        if name not in declared:
            near = get_close_matches(name, declared, 1)
            hint = f": did you mean {near[0]}?" if near else f" (there are: {', '.join(declared)})"
            raise UpcardError(f"there is no option {brief(name)}{hint}")
        chosen[name] = declared[name].read(value)
    return chosen


def is_said(context: typer.Context, parameter: str) -> bool:
    """Whether an option was given on the command line."""
    source = context.get_parameter_source(parameter)
    return source is not None and source.name == "COMMANDLINE"


def tell_stopped(number: int, asked: int, what: str) -> NoReturn:
    """Report on standard error, after the results, that the run ended early. Raises Exit."""
    typer.echo(f"stopped after {number} of {asked} {what}", err=True)
    raise typer.Exit(STOPPED)


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """A context that turns an ImportError into an UpcardError that names the extra to install."""
    try:
        yield
    except ImportError as error:
        raise UpcardError(f"this needs more packages ({error.name}): {how_to_get(extra)}") from None


@contextmanager
def writing(file: str | Path) -> Iterator[None]:
    """A context that adds the name of the file being written to any OSError without one."""
    try:
        yield
    except BrokenPipeError:  # standard output was closed
        raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, error.filename or str(file)) from None
