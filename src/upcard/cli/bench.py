"""`upcard bench`: how fast the rules run on this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from upcard import games
from upcard.cli.common import group, load_game, needs

app = group()


@app.command(epilog="Example: upcard bench sixty-six loo")
def bench(
    game: Annotated[
        list[str] | None, typer.Argument(metavar="GAME", help="The games to measure; all by default.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object for each game.")] = False,
) -> None:
    """Measure how many random moves a second the rules play on one core of this machine."""
    chosen = [load_game(slug) for slug in game or games.names()]
    with needs("fast"):
        from upcard.lab.bench import measure_speed

    if not as_json:
        typer.echo(
            f"{'game':15} {'players':>7} {'rollouts':>12} {'matches':>12} {'plain Python':>13}   {'first call':>10}"
        )
    for measured in chosen:
        with compiling(measured.title):
            speed = measure_speed(measured)
        if as_json:
            typer.echo(json.dumps(speed.__dict__))
            continue
        typer.echo(
            f"{speed.game:15} {speed.players:>7} {speed.rollouts / 1e6:>10.2f} M {speed.matches / 1e6:>10.2f} M "
            f"{speed.plain / 1e6:>11.3f} M   {speed.first_call:>8.2f} s"
        )


@contextmanager
def compiling(title: str) -> Iterator[None]:
    """Show on a terminal that a game is being compiled and measured."""
    from rich.console import Console

    with Console(stderr=True).status(f"{title}: compiling and measuring …"):
        yield
