"""`upcard arena`: compare players on the same deals."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from upcard.cli.common import (
    ClusterOption,
    GameArgument,
    JobsOption,
    KeepOption,
    OptionArgument,
    PacksOption,
    PlayersArgument,
    PresetArgument,
    UnitOption,
    group,
    needs,
    tell_stopped,
    with_preset,
)
from upcard.cli.conditions import Condition, GivenOption, WhereOption, print_condition
from upcard.cli.sides import SideSpec
from upcard.cli.simulate import MOST, print_trials, progress_bar, with_condition
from upcard.laws.numbers import trial_as_dict
from upcard.rules.phrases import counted, plural

if TYPE_CHECKING:
    from upcard.lab.arena import Arena

app = group()

USUAL = 100
"""The default number of deals or matches."""


@app.command(epilog="Example: upcard arena oh-hell casual,strong --precision wins=0.02")
def arena(
    game: GameArgument,
    between: Annotated[
        str,
        typer.Argument(metavar="PLAYER,PLAYER,…", help="The players to compare: names, or FILE.py:NAME for your own."),
    ],
    number: Annotated[
        int | None,
        typer.Option(
            "--number",
            "-n",
            min=1,
            help=f"The number of deals or matches; {USUAL} by default. With --precision, the maximum; a million by "
            "default.",
        ),
    ] = None,
    unit: UnitOption = "match",
    seed: PacksOption = 1,
    players: PlayersArgument = None,
    preset: PresetArgument = None,
    option: OptionArgument = None,
    given: GivenOption = None,
    where: WhereOption = None,
    precision: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT=NUMBER", help="Stop once all differences are known to ± this, e.g. wins=0.01 or score=0.5."
        ),
    ] = None,
    keep: KeepOption = None,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Compare computer players on duplicate deals: each pack is played in every seating."""
    setup = SideSpec(game, players, with_preset(game, preset, option), between).setup
    with needs("fast"):
        from upcard.lab.arena import arena as play
        from upcard.lab.comparison import rounded
        from upcard.lab.simulate import Precision

    goal = Precision.read(precision) if precision else None
    number, condition = number or (MOST if goal else USUAL), Condition.read(given, where)
    about = condition.about(setup, seed)
    with progress_bar(setup.game.title, number) as advance:
        results = play(
            setup,
            number,
            between.split(","),
            unit=unit,
            seed=seed,
            precision=goal,
            jobs=jobs,
            cluster=cluster,
            kept=keep,
            progress=advance,
            **condition.arguments,
        )
    needed = results.needed(goal) if goal else 0
    if as_json:
        typer.echo(json.dumps(with_condition(arena_as_dict(results), about)))
    else:
        print_condition(about)
        print_trials({"": setup})
        print_arena(results)
    if results.number < number and not (goal and needed <= results.number):
        tell_stopped(results.number, number, plural(unit))
    if needed > results.number and not as_json:
        typer.echo(f"The precision {precision} is not reached: that takes about {rounded(needed)}.")


def arena_as_dict(results: Arena) -> dict[str, Any]:
    """Convert the results to a JSON object."""
    return {
        "game": results.setup.game.slug,
        "unit": results.unit,
        "number": results.number,
        "seatings": results.seatings,
        "seed": results.seed,
        "trial": trial_as_dict(results.setup),
        "players": [
            asdict(row) | {"won_between": row.won_between.plain, "points_between": row.points_between.plain}
            for row in results.standings()
        ],
        "differences": [one.as_dict() for what in ("won", "points") for one in results.comparisons(what)],
    }


def print_arena(results: Arena) -> None:
    """Print a table of the players, and the difference between each two of them."""
    each = f"{counted(results.number, results.unit)} of {results.setup.game.slug}"
    fair = 100 / results.setup.players
    typer.echo(f"{each}, seed {results.seed}, each in {results.seatings} seatings; an equal share is {fair:.1f} %")
    width = max(10, *map(len, results.players))
    typer.echo(f"{'player':{width}} {'won':>8} {'95 %':>14} {'points':>8} {'95 %':>16} {'best in':>8}")
    for row in results.standings():
        won, points = row.won_between, row.points_between
        typer.echo(
            f"{row.player:{width}} {100 * row.won:>6.1f} % {f'{won.percent:.1f}':>14}"
            f" {row.points:>8.2f} {f'{points:.2f}':>16} {100 * row.best:>5.0f} %"
        )
    typer.echo("Differences between two players, deal by deal, 95 % for all rows together:")
    for what in ("won", "points"):
        for one in results.comparisons(what):
            typer.echo(f"  {one.what}: {one.verdict}")
    if results.comparisons()[0].untouched:
        typer.echo("  they did the same in every deal")
