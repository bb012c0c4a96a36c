"""`upcard lab`: measure rules and players, and write reports."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from upcard.cli.common import (
    ClusterOption,
    DealerOption,
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
    option_name,
    tell_stopped,
    with_preset,
    writing,
)
from upcard.cli.conditions import Condition, GivenOption, WhereOption
from upcard.cli.sides import SideSpec, value_of
from upcard.cli.simulate import MOST, print_trials, progress_bar
from upcard.engine.errors import UpcardError
from upcard.rules.lineage import root_of
from upcard.rules.phrases import plural

if TYPE_CHECKING:
    from upcard.lab.report import Section
    from upcard.lab.study import Arm
    from upcard.rules.game import Game

app = group()
lab = group()
app.add_typer(lab, name="lab", help="Measure a game, compare rules and players, and write reports.")


@lab.callback(invoke_without_command=True)
def lab_help(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


USUALLY = 2000
"""The default number of deals or matches of a report."""
ByOption = Annotated[
    str, typer.Option(metavar="PLAYER,PLAYER,…", help="The players, one for each seat, or one for all seats.")
]
BetweenOption = Annotated[
    str,
    typer.Option("--between", "--by", metavar="PLAYER,PLAYER,…", help="The players to compare; each takes every seat."),
]
FEW = 500
"""The default number of deals or matches of luck and replies."""
MANY = 20_000
"""The default number of deals from which cards are valued."""
ManyOption = Annotated[
    int | None,
    typer.Option(
        "--number", "-n", min=1, help=f"The number of deals or matches, each in all seatings; {FEW} by default."
    ),
]
PreciseOption = Annotated[
    float | None,
    typer.Option(
        "--precision",
        metavar="NUMBER",
        help="Stop once every share is known to ± this, e.g. 0.02; -n is then the maximum, a million by default.",
    ),
]


@lab.command(epilog="Example: upcard lab report sixty-six --compare target=5 --out report.html")
def report(
    game: GameArgument,
    number: Annotated[
        int | None,
        typer.Option(
            "--number",
            "-n",
            min=1,
            help=f"The number of deals or matches; {USUALLY} by default. With --precision, the maximum; a million by "
            "default.",
        ),
    ] = None,
    unit: UnitOption = "match",
    seed: PacksOption = 1,
    players: PlayersArgument = None,
    preset: PresetArgument = None,
    option: OptionArgument = None,
    by: ByOption = "heuristic",
    dealer: DealerOption = None,
    given: GivenOption = None,
    where: WhereOption = None,
    compare: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CHANGE;…",
            help="Also play with other rules (NAME=VALUE), a variant (its name) or other players (by=PLAYER). Changes "
            "separated by ; are made together; may be repeated.",
        ),
    ] = None,
    sweep: Annotated[
        str | None,
        typer.Option(metavar="NAME=A,B,…", help="Play with each of these values of an option or number of the rules."),
    ] = None,
    out: Annotated[
        str | None, typer.Option(metavar="FILE.html", help="Write an HTML page, and a Markdown file next to it.")
    ] = None,
    precision: Annotated[
        str | None,
        typer.Option(
            metavar="MEASURE=NUMBER",
            help="Stop once every number of a measure is known to ± this, e.g. wins=0.01 or length=0.5; with "
            "--compare or --sweep, once the differences are.",
        ),
    ] = None,
    keep: KeepOption = None,
    rollouts: Annotated[
        int,
        typer.Option(
            metavar="NUMBER",
            help="Evaluate one decision of each deal or match with this many rollouts per move (at least 8), to "
            "measure the value of choices and kingmaking. This takes longer.",
        ),
    ] = 0,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
) -> None:
    """Measure one or more ways to play on the same packs, and report in Markdown or as a page with plots."""
    base = SideSpec(game, players, with_preset(game, preset, option), by)
    if compare and sweep:
        raise UpcardError("--sweep cannot be combined with --compare")
    publish = _print if out is None else _page(out, game)
    with needs("fast"):
        from upcard.lab.report import sections
        from upcard.lab.study import study

    arms, at = swept(base, sweep) if sweep else (ways(base, compare or []), None)
    number, condition = number or (MOST if precision else USUALLY), Condition.read(given, where)
    title = _titles(base.setup.game, arms)
    with progress_bar(title, number) as advance:
        results = study(
            arms,
            number,
            unit=unit,
            seed=seed,
            dealer=dealer,
            jobs=jobs,
            progress=advance,
            kept=keep,
            cluster=cluster,
            rollouts=rollouts,
            precision=precision,
            **condition.arguments,
        )
    publish(title + MEASURED, sections(results, _command(), at))
    if results.number < number and not results.reached:
        tell_stopped(results.number, number, plural(unit))


@lab.command(epilog="Example: upcard lab luck cinch --between random,heuristic,learned")
def luck(
    game: GameArgument,
    number: ManyOption = None,
    unit: UnitOption = "deal",
    what: Annotated[str, typer.Option(metavar="points|won", help="The result to explain: points, or won.")] = "points",
    between: BetweenOption = "random,heuristic",
    seed: PacksOption = 1,
    players: PlayersArgument = None,
    preset: PresetArgument = None,
    option: OptionArgument = None,
    precision: PreciseOption = None,
    keep: KeepOption = None,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
) -> None:
    """Measure how much of the variance of a result is due to the cards, the seat, the players, and the course of
    play."""
    setup = SideSpec(game, players, with_preset(game, preset, option), between).setup
    with needs("fast"):
        from upcard.lab.variance import luck as measured
    compared = between.split(",")
    measure = partial(
        measured, setup, players=compared, what=what, unit=unit, seed=seed, kept=keep, jobs=jobs, cluster=cluster
    )
    _print_results(measure, setup, number or (MOST if precision else FEW), unit, precision)


@lab.command(epilog="Example: upcard lab replies loo --between random,heuristic")
def replies(
    game: GameArgument,
    number: ManyOption = None,
    unit: UnitOption = "match",
    between: BetweenOption = "random,heuristic",
    seed: PacksOption = 1,
    players: PlayersArgument = None,
    preset: PresetArgument = None,
    option: OptionArgument = None,
    precision: PreciseOption = None,
    keep: KeepOption = None,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
) -> None:
    """Find which player does best against opponents of each kind, and whether one player is always best."""
    setup = SideSpec(game, players, with_preset(game, preset, option), between).setup
    with needs("fast"):
        from upcard.lab.best_reply import replies as sought
    compared = between.split(",")
    measure = partial(sought, setup, players=compared, unit=unit, seed=seed, kept=keep, jobs=jobs, cluster=cluster)
    _print_results(measure, setup, number or (MOST if precision else FEW), unit, precision)


def _print_results(
    measure: Callable[..., Any], setup: Game[Any], number: int, unit: str, precision: float | None
) -> None:
    """Measure with a progress bar, and print the results."""
    with progress_bar(setup.game.title, number) as advance:
        results = measure(number=number, precision=precision, progress=advance)
    print_trials({"": setup})
    typer.echo(results)
    if results.number < number and not results.reached:
        tell_stopped(results.number, number, plural(unit))
    if precision and not results.reached:
        typer.echo(f"The precision ± {precision:g} is not reached.")


@lab.command(epilog="Example: upcard lab cards rolling-stone A K 'Q J'")
def cards(
    game: GameArgument,
    kinds: Annotated[
        list[str] | None,
        typer.Argument(metavar="CARDS", help="Kinds of cards, e.g. K, Ah or 'K Q J'; each rank by default."),
    ] = None,
    number: Annotated[
        int | None,
        typer.Option(
            "--number",
            "-n",
            min=1,
            help=f"The number of deals; {MANY} by default. With --precision, the maximum; a million by default.",
        ),
    ] = None,
    what: Annotated[str, typer.Option(help="The column that measures the value: points, won, moves, …")] = "points",
    by: ByOption = "heuristic",
    dealer: DealerOption = None,
    seed: PacksOption = 1,
    players: PlayersArgument = None,
    preset: PresetArgument = None,
    option: OptionArgument = None,
    precision: Annotated[
        float | None,
        typer.Option(metavar="NUMBER", help="Stop once every value is known to ± this, e.g. 0.1."),
    ] = None,
    keep: KeepOption = None,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
) -> None:
    """Measure the value of one more card of a kind to the player who is dealt it."""
    side = SideSpec(game, players, with_preset(game, preset, option), by)
    with needs("fast"):
        from upcard.lab.card_values import cards as valued
    measure = partial(
        valued,
        side.setup,
        kinds=kinds or None,
        what=what,
        by=side.names,
        dealer=dealer,
        seed=seed,
        kept=keep,
        jobs=jobs,
        cluster=cluster,
    )
    _print_results(measure, side.setup, number or (MOST if precision else MANY), "deal", precision)


def _command() -> str:
    """The command line, with UPCARD_GAMES if it is set."""
    games = os.environ.get("UPCARD_GAMES")
    return (f"UPCARD_GAMES={shlex.quote(games)} " if games else "") + shlex.join(["upcard", *sys.argv[1:]])


def _titles(game: type[Game[Any]], arms: list[Arm]) -> str:
    """The title of a game, and those of others that are measured with it. A variant has the title of its root game."""
    others = [root_of(arm.setup.game) for arm in arms if root_of(arm.setup.game) is not root_of(game)]
    return " and ".join([game.title, *dict.fromkeys(other.title for other in others)])


def _print(title: str, parts: list[Section]) -> None:
    """Print a report."""
    from upcard.lab.report import as_markdown

    typer.echo(as_markdown(title, parts), nl=False)


def _page(out: str, game: str) -> Callable[[str, list[Section]], None]:
    """A function that writes a report as a page, and as Markdown next to it. Raises UpcardError at once, before
    anything is measured, if that is not possible."""
    page = Path(out)
    if not out.endswith(".html"):
        raise UpcardError(f"--out must be the name of a page, such as {game}.html, not {out!r:.40}")
    if not page.parent.is_dir():
        raise UpcardError(f"{out} cannot be written: there is no folder {page.parent}")
    with needs("fast"):
        from upcard.lab.arguments import check_writable
        from upcard.lab.checkpoint import replace, temporary_file
        from upcard.lab.report import as_html, as_markdown
    with needs("lab"):
        draw = _drawing()
    text = page.with_suffix(".md")
    for file in (page, text):
        check_writable(file)
        check_writable(temporary_file(file))
    _check_ours(text)

    def publish(title: str, parts: list[Section]) -> None:
        try:
            for file, content in ((page, as_html(title, parts, draw)), (text, as_markdown(title, parts))):
                with writing(file):
                    replace(file, content.encode())
        except OSError:
            _print(title, parts)  # so that the results are not lost, if the disk is full for example
            raise
        typer.echo(f"{page} and {text}")

    return publish


def _check_ours(text: Path) -> None:
    """Check that the Markdown file, which the user did not name, is a report if it exists. Raises UpcardError."""
    if text.exists() and not text.read_bytes().partition(b"\n")[0].rstrip().endswith(MEASURED.encode()):
        raise UpcardError(f"{text} exists and is not a report, so it is not overwritten: choose another --out")


MEASURED = ", measured"
"""The end of the title of every report, after the game's name."""


def ways(base: SideSpec, compare: list[str]) -> list[Arm]:
    """The base, and one arm for each `--compare`. Raises UpcardError."""
    from upcard.lab.study import Arm

    others = [(words, base.other(words)) for words in compare]
    sides = [("as usual" if compare else base.setup.game.slug, base), *others]
    if twice := [words for place, (words, side) in enumerate(others) if side in [other for _, other in others[:place]]]:
        raise UpcardError(f"--compare {twice[0]} is given twice")
    return [Arm(name, side.setup, side.names) for name, side in sides]


def swept(base: SideSpec, words: str) -> tuple[list[Arm], list[float] | None]:
    """One arm for each value of `--sweep`, and the values if all are numbers. Raises UpcardError."""
    from upcard.lab.study import Arm

    setups = base.swept(words)
    values = [value_of(setup, option_name(words)) for setup in setups.values()]
    at = [float(value) for value in values if type(value) is int]
    return [Arm(name, setup, base.names) for name, setup in setups.items()], at if len(at) == len(values) else None


def _drawing() -> Any:
    """A function that renders a plot as SVG, without network access."""
    import vl_convert

    return lambda plot: vl_convert.vegalite_to_svg(plot)
