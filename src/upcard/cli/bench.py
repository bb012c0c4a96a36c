"""`upcard bench`: how fast the rules are here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from upcard import games
from upcard.cli.common import group, load, needs

app = group()


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
