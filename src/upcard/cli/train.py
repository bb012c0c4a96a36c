"""`upcard train`: a learned policy for a game, from the search playing against itself."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Annotated, Any

import typer

from upcard.cli.common import GameArgument, group, load, needs
from upcard.engine.policy import place_for_weights, policy_of, write_weights
from upcard.engine.setup import Setup

app = group()


@app.command()
def train(
    game: GameArgument,
    decisions: Annotated[int, typer.Option(min=100, help="How many decisions of the search are learned from.")] = 7000,
    rollouts: Annotated[int, typer.Option(min=10, help="Rollouts for each of them.")] = 400,
    seed: Annotated[int, typer.Option(min=0, help="Makes chance repeatable.")] = 1,
    search: Annotated[
        bool, typer.Option("--search", help="Have searches play so in their rollouts, where that was found better.")
    ] = False,
) -> None:
    """Learn how to play a game from searches, and keep the weights in `policy.json` beside it."""
    setup = Setup(load(game))
    file = place_for_weights(setup.game)
    with needs("fast"):
        from upcard.lab import training

    made = list(shown(islice(training.decisions(setup, rollouts, seed), decisions), decisions))
    found = training.fit(made, policy_of(setup.game).size, seed)
    command = f"upcard train {setup.game.slug} --decisions {decisions} --rollouts {rollouts} --seed {seed}"
    figures: dict[str, Any] = {
        "command": command + " --search" * search,
        "short_of_best": round(found.short, 4),
        "heuristic_short_of_best": round(found.heuristic, 4),
        "rollouts": search,
    }
    write_weights(setup.game, found.weights, figures)
    typer.echo(
        f"{file}: {sum(map(bool, found.weights))} weights. In decisions kept back it falls "
        f"{found.short:.3f} short of the best move found, the heuristic {found.heuristic:.3f}; "
        "1 is what a deal usually changes."
    )


def shown(decisions: Iterable[Any], number: int) -> Iterator[Any]:
    """The same, with a bar on a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("decisions", total=number)
        for decision in decisions:
            yield decision
            bar.advance(task)
