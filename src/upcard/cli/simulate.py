"""`upcard simulate`: many matches by computer players."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from upcard.cli.common import GameArgument, OptionArgument, PlayersArgument, group, load, needs, read_options
from upcard.engine.errors import UpcardError
from upcard.engine.setup import Setup

if TYPE_CHECKING:
    from upcard.lab.simulate import Summary

app = group()


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
