"""`upcard train`: train a policy for a game by self-play, or the weights of its hand features."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from upcard.cli.common import GameArgument, group, is_said, load_game, needs
from upcard.cli.simulate import progress_bar
from upcard.engine.errors import UpcardError
from upcard.engine.setup import Setup
from upcard.policies.hand_features import HANDS, write_hands
from upcard.policies.learned import POLICY, write_policy
from upcard.policies.weights import place_for_weights
from upcard.rules.game import Game

app = group()

OTHER_PACKS = 1_000_003
"""Added to the seed for the matches against casual players, so that they are not the training matches."""


@app.command(epilog="Examples: upcard train loo --rounds 20; upcard train kalooki --rounds 0 --deals 4000000")
def train(
    context: typer.Context,
    game: GameArgument,
    lessons: Annotated[
        int, typer.Option(min=100, help="The number of decisions to learn from in each round, in batches of 8,192.")
    ] = 200_000,
    rounds: Annotated[int, typer.Option(min=0, help="The number of rounds of self-play and learning.")] = 10,
    deals: Annotated[
        int,
        typer.Option(
            min=0,
            help="After the rounds, or instead of them with --rounds 0, learn from this many whole deals: better where "
            "deals are long and a single move seldom decides. Only for policies without hidden units.",
        ),
    ] = 0,
    seed: Annotated[int, typer.Option(min=0, help="The random seed.")] = 1,
    matches: Annotated[int, typer.Option(min=10, help="The number of final matches against casual players.")] = 1000,
    hands: Annotated[
        int | None,
        typer.Option(
            min=10,
            metavar="DEALS",
            help="Instead, train the weights of hand features on this many deals of medium players, and write them to "
            "`hands.json`: for games with `hand_signs`, whose experts then infer the others' hands better.",
        ),
    ] = None,
) -> None:
    """Train a policy for a game by self-play, and write its weights to `policy.json` next to the game."""
    setup = Setup(load_game(game))
    if hands is not None:
        for other in ("lessons", "rounds", "deals", "matches"):
            if is_said(context, other):
                raise UpcardError(f"--hands cannot be combined with --{other}")
        learn_hands(setup.game, hands, seed)
        return
    if rounds == deals == 0:
        raise UpcardError("--rounds and --deals are both 0: there is nothing to learn from")
    with needs("fast"):
        from upcard.lab.arguments import check_writable
        from upcard.lab.training import policies, refining

    file = place_for_weights(setup.game, POLICY)
    check_writable(file)
    if deals:
        refining.check_refinable(setup.game)
    settings = f"--lessons {lessons} --rounds {rounds}" if rounds else "--rounds 0"
    settings += f" --deals {deals}" if deals else ""
    if rounds:
        with progress_bar(f"{setup.game.title}, rounds", rounds) as progress:
            weights = policies.train_policy(setup, lessons, rounds, seed, progress)
    else:
        weights = refining.faithful(setup)
    if deals:
        with progress_bar(f"{setup.game.title}, deals", deals) as progress:
            weights = refining.refine(setup, weights, deals, seed, progress)
    won, points = policies.over_casual(setup, weights, matches, seed + OTHER_PACKS)
    over = f"{won.measured} of a match, {points.measured} points"
    if not (won.differing or points.differing):
        over = "nothing (they did the same)"
    command = f"upcard train {setup.game.slug} {settings} --seed {seed} --matches {matches}"
    write_policy(setup.game, weights.tolist(), {"command": command, "over_casual": over})
    typer.echo(f"{file}: {(weights != 0).sum()} weights. Over casual players {over}, in {matches} matches (95 %).")


def learn_hands(game: type[Game[Any]], deals: int, seed: int) -> None:
    """Train the weights of a game's hand features, and write them next to the game."""
    with needs("fast"):
        from upcard.lab.arguments import check_writable
        from upcard.lab.training.hand_weights import learn_hand_weights

    file = place_for_weights(game, HANDS)
    check_writable(file)
    with progress_bar(f"{game.title}, deals", deals) as progress:
        weights, known = learn_hand_weights(game, deals, seed, progress)
    origin = {"command": f"upcard train {game.slug} --hands {deals} --seed {seed}", "known": f"{known:+.2f}"}
    write_hands(game, weights.tolist(), origin)
    typer.echo(f"{file}: {(weights != 0).sum()} weights. Known of the hidden cards: {known:+.2f} (95 %).")
