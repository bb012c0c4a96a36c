"""The command `upcard`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from upcard import __version__, games
from upcard.cli import serving
from upcard.engine.errors import BadRecord, IllegalMove, UpcardError
from upcard.engine.match import Match
from upcard.engine.setup import Setup
from upcard.rules import pages

if TYPE_CHECKING:
    from upcard.lab.simulate import Summary

app = typer.Typer(
    name="upcard",
    help="Card games with hidden cards: play them, replay them, simulate them.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

FAILED = 2
"""The exit status for anything that was asked for and cannot be."""

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="The game's name; `upcard games` lists them.")]
OptionArgument = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="A rule switch; may be repeated.")
]
PlayersArgument = Annotated[int | None, typer.Option(help="How many play; the game's usual number if not given.")]
SeedArgument = Annotated[int | None, typer.Option(help="Makes chance repeatable.")]


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
def replay(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="One match record as JSON, or one a line; - is standard input.")
    ],
    steps: Annotated[
        bool, typer.Option("--steps", help="Print the report after every event, the start included.")
    ] = False,
) -> None:
    """Replay match records and print where they stand, all cards open."""
    from upcard.engine import records

    for number, record in records.parse(read_text(file)):
        try:
            if isinstance(record, BadRecord):
                raise record
            for match in records.steps(record):
                if steps:
                    print_report(match)
            if not steps:
                print_report(match)
        except (BadRecord, IllegalMove) as error:
            place = f"record {number}: " if number else ""
            raise UpcardError(f"{place}{error}") from None


def print_report(match: Match[Any]) -> None:
    sys.stdout.write(json.dumps(match.report(), separators=(", ", ": ")) + "\n")


def read_text(file: str) -> str:
    """A file's text, or standard input's. Raises BadRecord when it is not text."""
    try:
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadRecord("this is not text in UTF-8") from None


def load(slug: str) -> Any:
    """The game of this name. Raises UpcardError."""
    try:
        return games.load(slug)
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


@app.command()
def simulate(
    game: GameArgument,
    matches: Annotated[int, typer.Option(min=1, help="How many matches.")] = 1000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same matches.")] = 1,
    players: PlayersArgument = None,
    option: OptionArgument = None,
    by: Annotated[
        str | None,
        typer.Option(metavar="PLAYER,PLAYER,…", help="Who plays, seat by seat; one name for all. Default: random."),
    ] = None,
    records: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write every match as a record, one a line.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Play many matches by computer players and print a summary by seat."""
    setup = Setup(load(game), players, read_options(game, option))
    names = by.split(",") if by else ["random"]
    if len(names) == 1:
        names *= setup.players
    if len(names) != setup.players:
        raise UpcardError(f"--by names {len(names)} players for {setup.players} seats")
    with needs("fast"):
        from upcard.lab.simulate import simulate as run

    with progress_bar(f"{setup.game.title}", matches) as advance, record_file(records) as write:
        summary = run(
            setup,
            matches,
            seed,
            by=names,
            records=write,
            progress=advance,
        )
    if as_json:
        typer.echo(json.dumps(summary.as_dict()))
    else:
        print_summary(summary)


@contextmanager
def progress_bar(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error, if that is a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(f"{title}: compiling", total=total)
        yield lambda done: bar.update(task, completed=done, description=title)


@contextmanager
def record_file(name: str | None) -> Iterator[Callable[[dict[str, Any]], None] | None]:
    """Somewhere to write records, one a line; None when no file is asked for."""
    if name is None:
        yield None
        return
    file: IO[str]
    with open(name, "w", encoding="utf-8") as file:
        yield lambda record: print(json.dumps(record), file=file)


def print_summary(summary: Summary) -> None:
    """The summary as a table."""
    typer.echo(
        f"{summary.matches} matches of {summary.game}, seed {summary.seed}: "
        f"{summary.mean_moves:.1f} moves and {summary.mean_deals:.1f} deals each"
    )
    typer.echo(f"{'seat':>4}  {'player':10} {'wins':>10} {'share':>7} {'mean score':>11} {'± s.e.':>8}")
    for seat in summary.seats:
        share = f"{100 * seat.wins / summary.matches:.1f} %"
        typer.echo(
            f"{seat.seat:>4}  {seat.player:10} {seat.wins:>10.1f} {share:>7} {seat.mean:>11.2f} {seat.error:>8.2f}"
        )


@app.command()
def bench(
    game: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]…", help="Which games; all if none is named.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a game.")] = False,
) -> None:
    """Measure how many moves a second the rules play here, at random, on one core."""
    chosen = [load(slug) for slug in game or games.names()]
    with needs("fast"):
        from upcard.lab.bench import measure

    if not as_json:
        typer.echo(
            f"{'game':15} {'players':>7} {'rollouts':>12} {'matches':>12} {'plain Python':>13}   {'first call':>10}"
        )
    for one in chosen:
        with compiling(one.title):
            speed = measure(one)
        if as_json:
            typer.echo(json.dumps(speed.__dict__))
            continue
        typer.echo(
            f"{speed.game:15} {speed.players:>7} {speed.rollouts / 1e6:>10.2f} M {speed.matches / 1e6:>10.2f} M "
            f"{speed.plain / 1e6:>11.3f} M   {speed.first_call:>8.2f} s"
        )


@contextmanager
def compiling(title: str) -> Iterator[None]:
    """Say on a terminal that something is being worked on."""
    from rich.console import Console

    with Console(stderr=True).status(f"{title}: compiling and measuring …"):
        yield


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


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Say which extra is missing when an import fails."""
    try:
        yield
    except ImportError as error:
        raise UpcardError(f"this needs more packages ({error.name}): pip install 'upcard[{extra}]'") from None


if __name__ == "__main__":
    main()
