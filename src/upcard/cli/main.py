"""The command `upcard`."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import Annotated, Any

import typer

from upcard import __version__, games
from upcard.cli import bench, check, new_game, records, serving, simulate
from upcard.cli.common import GameArgument, OptionArgument, PlayersArgument, SeedArgument, load, needs, read_options
from upcard.engine.errors import UpcardError
from upcard.engine.setup import Setup
from upcard.rules import pages

app = typer.Typer(
    name="upcard",
    help="Card games with hidden cards: play them, replay them, simulate them.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

FAILED = 2
"""The exit status for anything that was asked for and cannot be."""


def main() -> None:
    """Run the command line: what goes wrong is one line on standard error, never a traceback."""
    open_streams()
    try:
        status = run()
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):  # nobody reads on; Typer's word for it is SystemExit
        status = 0
        drop_output()
    except OSError as error:
        status = fail(str(error.strerror or error))
        drop_output()
    raise SystemExit(status)


def run() -> Any:
    """Run the command that was given; the exit status."""
    try:
        return app(prog_name="upcard", standalone_mode=False)
    except typer.TyperException as error:
        return fail(error.format_message())
    except UpcardError as error:
        return fail(str(error))
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except OSError as error:
        if error.filename is None:
            raise
        return fail(f"{error.filename}: {error.strerror}")


def open_streams() -> None:
    """A standard stream that was closed from outside is an empty one, and no letter is too strange to be written."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def fail(message: str) -> int:
    """Say on one line of standard error what went wrong; the exit status."""
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in " ".join(message.split()))
    sys.stderr.write(f"upcard: {line}\n")
    return FAILED


def drop_output() -> None:
    """Forget what is not written yet: it cannot be, and Python would try again at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    if version:
        typer.echo(f"upcard {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


app.add_typer(records.app)
app.add_typer(simulate.app)
app.add_typer(bench.app)
app.add_typer(check.app)
app.add_typer(new_game.app)
app.add_typer(serving.app)


@app.command("games")
def list_games() -> None:
    """List the games."""
    for slug in games.names():
        game = games.load(slug)
        low, high = min(game.players), max(game.players)
        number = str(low) if low == high else f"{low}-{high}"
        typer.echo(f"{slug:15} {number:>5} players   {game.summary}")


@app.command()
def rules(game: GameArgument) -> None:
    """Print the rulebook page of a game."""
    print_page(pages.page(load(game)) or "This game has no page of rules yet.")


@app.command()
def learn(game: GameArgument) -> None:
    """Tell a game to somebody who has never played it, in two minutes."""
    print_page(pages.draw(pages.learn(load(game)) or "Nobody has told this game in two minutes yet."))


def print_page(page: str) -> None:
    """Markdown: as it is into a pipe, laid out and paged on a terminal."""
    if not sys.stdout.isatty():
        typer.echo(page)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    with console.pager(styles=True):
        console.print(Markdown(page), width=min(console.width, 100))


@app.command()
def play(
    game: GameArgument,
    players: PlayersArgument = None,
    option: OptionArgument = None,
    level: Annotated[str, typer.Option(help="The computer players: casual or strong.")] = "casual",
    seat: Annotated[int, typer.Option(min=0, help="Your seat.")] = 0,
    seed: SeedArgument = None,
    plain: Annotated[bool, typer.Option("--plain", help="Lines of text only, for pipes and screen readers.")] = False,
) -> None:
    """Play a match in the terminal against computer players."""
    setup = Setup(load(game), players, read_options(game, option))
    if seat >= setup.players:
        raise UpcardError(f"--seat is 0 to {setup.players - 1}")
    with needs("terminal"):
        from upcard.terminal import play as run

        run(setup.game, setup.players, setup.options.chosen, seat=seat, level=level, seed=seed, plain=plain)


if __name__ == "__main__":
    main()
