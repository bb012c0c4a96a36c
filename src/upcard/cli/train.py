"""`upcard train`: train a policy for a game by self-play."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from upcard.cli.common import GameArgument, group, load, needs
from upcard.engine.policy import place_for_weights, write_weights
from upcard.engine.setup import Setup

app = group()

OTHER_PACKS = 1_000_003
"""Added to the seed for the matches against casual players, so that they are not the training matches."""


@app.command(epilog="Example: upcard train loo --rounds 20")
def train(
    game: GameArgument,
    lessons: Annotated[
        int, typer.Option(min=100, help="The number of decisions to learn from in a round, in batches of 8,192.")
    ] = 200_000,
    rounds: Annotated[int, typer.Option(min=1, help="The number of rounds of self-play and learning.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="The random seed.")] = 1,
    matches: Annotated[int, typer.Option(min=10, help="The matches against casual players at the end.")] = 1000,
) -> None:
    """Train a policy for a game by self-play, and write its weights to `policy.json` beside the game."""
    setup = Setup(load(game))
    file = place_for_weights(setup.game)
    with needs("fast"):
        from upcard.lab import training

    with shown(rounds) as progress:
        weights = training.train(setup, lessons, rounds, seed, progress)
    won, points = training.over_casual(setup, weights, matches, seed + OTHER_PACKS)
    over = f"{won.measured} of a match, {points.measured} points"
    command = f"upcard train {setup.game.slug} --lessons {lessons} --rounds {rounds} --seed {seed} --matches {matches}"
    write_weights(setup.game, weights.tolist(), {"command": command, "over_casual": over})
    typer.echo(f"{file}: {(weights != 0).sum()} weights. Over casual players {over}, in {matches} matches (95 %).")


@contextmanager
def shown(rounds: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on a terminal; yields a function to be called with the number of finished rounds."""
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("rounds", total=rounds)
        yield lambda done: bar.update(task, completed=done)
