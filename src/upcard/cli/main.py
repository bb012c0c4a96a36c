"""The command `upcard`."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Annotated, Any

import typer

from upcard import __version__
from upcard.cli import (
    arena,
    bench,
    check,
    lab,
    new_game,
    page,
    playing,
    puzzles,
    records,
    review,
    serving,
    simulate,
    train,
)
from upcard.cli.common import FAILED, STOPPED
from upcard.engine.errors import BadRecord, NoGame, UpcardError
from upcard.languages.localizing import text_for_reader
from upcard.rules.sentences import Sentence, sentence

app = typer.Typer(
    name="upcard",
    help="Play, replay and simulate card games with hidden cards.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line. Errors are one line on standard error, never a traceback."""
    open_streams()
    try:
        with _printing_the_log() as handler:
            status = run()
        status = status or (FAILED if handler.failed else 0)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has closed the pipe
        status = 0
        drop_output()
    except OSError as error:
        status = fail(str(error.strerror or error))
        drop_output()
    raise SystemExit(status)


class _LogPrinter(logging.Handler):
    """Prints log records as errors: for example, that a file cannot be saved or a game of `UPCARD_GAMES` is broken."""

    failed = False
    """Whether the lab has logged an error, which it can do although it returns results."""

    def emit(self, record: logging.LogRecord) -> None:
        fail(record.getMessage())
        self.failed |= record.levelno >= logging.ERROR and record.name == "upcard.lab"


@contextmanager
def _printing_the_log() -> Iterator[_LogPrinter]:
    handler, log = _LogPrinter(), logging.getLogger("upcard")
    log.addHandler(handler)
    try:
        yield handler
    finally:
        log.removeHandler(handler)


def run() -> Any:
    """Run the given command; returns the exit status."""
    try:
        return app(prog_name="upcard", standalone_mode=False)
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        return fail(describe_usage_error(error.format_message(), context.command_path if context else "upcard"))
    except NoGame as error:
        reason = sentence("{fault}: to use a game of your own, set UPCARD_GAMES to its file", fault=error.reason)
        return fail(text_for_reader(BadRecord(reason).args[0]))
    except UpcardError as error:
        return fail(text_for_reader(error.args[0]))
    except (KeyboardInterrupt, typer.Abort):
        return STOPPED
    except SystemExit as error:
        if isinstance(error.__context__, BrokenPipeError):  # Typer exits the program on it
            raise error.__context__ from None
        return fail("a game or a player has called sys.exit")
    except OSError as error:
        if error.filename is None:
            raise
        return fail(f"{error.filename}: {error.strerror}")


_FAULTS = (
    (
        r"No such command '(?P<word>.+?)'\. Did you mean '(?P<near>.+)'\?",
        sentence("there is no command '{word}': did you mean {near}?"),
    ),
    (r"No such command '(?P<word>.+)'\.", sentence("there is no command '{word}': {command} -h lists them")),
    (
        r"No such option: (?P<word>\S+) \(Possible options: (?P<near>.+)\)",
        sentence("there is no option {word} (similar: {near})"),
    ),
    (r"No such option: (?P<word>\S+)", sentence("there is no option {word}: {command} -h lists them")),
    (r"Missing (?:argument|option) '(?P<word>.+)'\.", sentence("{word} is missing: see {command} -h")),
    (r"Option '(?P<word>.+)' requires an argument\.", sentence("{word} needs a value")),
    (r"Option '(?P<word>.+)' does not take a value\.", sentence("{word} takes no value")),
    (r"Got unexpected extra argument\S* \((?P<word>.+)\)", sentence("unexpected argument: {word}")),
    (
        r"Invalid value for '(?P<word>.+?)' \(env var: '(?P<variable>\w+)'\): Input should be (?P<kind>.+)",
        sentence("{word}, or {variable}, must be {kind}"),
    ),
    (
        r"Invalid value for '(?P<word>.+?)'?(?: / .+)?': Input should be (?P<kind>.+)",
        sentence("{word} must be {kind}"),
    ),
)
"""Patterns of the command-line parser's error messages, and our wording of each."""
_KINDS = (
    (r"a valid integer.*", sentence("a whole number")),
    (r"a valid number.*", sentence("a number")),
    (r"less than or equal to (?P<number>.+)", sentence("at most {number}")),
    (r"greater than or equal to (?P<number>.+)", sentence("at least {number}")),
)
"""Patterns of what the parser says of a value, and our wording of each."""


def describe_usage_error(message: str, command: str = "upcard") -> str:
    """Rewrite an error message of the command-line parser in the style of ours: "--port must be at most 65535"."""
    return text_for_reader(_reworded(message, _FAULTS, command))


def _reworded(message: str, wordings: Sequence[tuple[str, Sentence]], command: str = "") -> str:
    for pattern, wording in wordings:
        if wrong := re.fullmatch(pattern, message):
            places = wrong.groupdict()
            if "kind" in places:
                places["kind"] = _reworded(places["kind"], _KINDS)
            return sentence(wording.message, command=command, **places)
    return message


def open_streams() -> None:
    """Replace standard streams that were closed by the caller, and escape characters that cannot be encoded."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def fail(message: str) -> int:
    """Print an error on one line of standard error; returns the exit status."""
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in " ".join(message.split()))
    sys.stderr.write(f"upcard: {line}\n")
    return FAILED


def drop_output() -> None:
    """Discard output that cannot be written, so that Python does not try again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if version:
        typer.echo(f"upcard {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


for group in (playing, puzzles, review, serving, page, records, simulate, arena, lab, bench, check, new_game, train):
    app.add_typer(group.app)


if __name__ == "__main__":
    main()
