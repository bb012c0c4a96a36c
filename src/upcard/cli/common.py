"""Arguments and helpers that several commands share."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperOption

from upcard import games
from upcard.engine.errors import UpcardError
from upcard.languages.catalogs import language_named
from upcard.languages.localizing import reader
from upcard.rules.game import Game
from upcard.rules.phrases import brief, how_to_get
from upcard.rules.presets import preset
from upcard.rules.sentences import Sentence, listed, sentence

LanguageArgument = Annotated[
    str | None, typer.Option("--language", help="The language, such as de; by default that of the environment.")
]
"""The language of a command for players, which is set before the rest of its command line is read."""
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
    """A command that rejects an option given twice, unless it may be repeated. A command for players, which has an
    option for the language, speaks it already where it rejects the others."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        words = [*takewhile(lambda word: word != "--", args)]
        if any(option.name == "language" for option in self.params):
            reader.set(language_named(_value_of("--language", words)))
        for option in self.params:
            if isinstance(option, TyperOption) and not (option.multiple or option.is_flag):
                given = [word for word in words if word in option.opts or word.startswith(f"{option.opts[0]}=")]
                if len(given) > 1:
                    raise UpcardError(sentence("{name} is given twice", name=option.opts[0]))
        return super().parse_args(ctx, args)


def _value_of(option: str, words: Sequence[str]) -> str | None:
    """The value of an option on a command line that has not been parsed yet; None without it."""
    for word, following in pairwise([*words, ""]):
        if word == option:
            return following or None
        if word.startswith(f"{option}="):
            return word.partition("=")[2]
    return None


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
    if near:
        message = "there is no game {name}: did you mean {near}?"
        raise UpcardError(sentence(message, name=brief(name), near=listed(near, "or")))
    message = "there is no game {name} (there are: {known})"
    raise UpcardError(sentence(message, name=brief(name), known=", ".join(known.values())))


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
            raise UpcardError(sentence("{name} is given twice", name=name))
        if not equals:
            raise UpcardError(sentence("--option takes NAME=VALUE, not {word}", word=brief(word)))
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
            raise UpcardError(_no_option(name, declared))
        chosen[name] = declared[name].read(value)
    return chosen


def _no_option(name: str, declared: Collection[str]) -> Sentence:
    """The sentence that refuses an option that there is not: it names a similar one, or all."""
    if near := get_close_matches(name, declared, 1):
        return sentence("there is no option {name}: did you mean {near}?", name=brief(name), near=near[0])
    return sentence("there is no option {name} (there are: {known})", name=brief(name), known=", ".join(declared))


def must_be_up_to(option: str, least: int, most: int) -> Sentence:
    """The sentence that refuses the number of an option."""
    if least == most:
        return sentence("{option} must be {number}", option=option, number=least)
    return sentence("{option} must be {least} to {most}", option=option, least=least, most=most)


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
        places = {"package": error.name, "command": how_to_get(extra)}
        raise UpcardError(sentence("this needs more packages ({package}): {command}", **places)) from None


@contextmanager
def writing(file: str | Path) -> Iterator[None]:
    """A context that adds the name of the file being written to any OSError without one."""
    try:
        yield
    except BrokenPipeError:  # standard output was closed
        raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, error.filename or str(file)) from None
