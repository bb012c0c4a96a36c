"""`upcard simulate`: play many matches between computer players."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

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
    group,
    needs,
    tell_stopped,
    with_preset,
    writing,
)
from upcard.cli.conditions import Condition, GivenOption, WhereOption, print_condition
from upcard.cli.sides import SideSpec
from upcard.cli.tables import sweep_tables
from upcard.engine.errors import UpcardError
from upcard.laws.numbers import trial_as_dict, trial_line
from upcard.rules.game import Game
from upcard.rules.phrases import counted

if TYPE_CHECKING:
    from upcard.lab.simulate import Compared, Precision
    from upcard.lab.tally import ResultRows, Summary

app = group()
T = TypeVar("T")


@app.command(
    epilog="Examples: upcard simulate loo --by heuristic; upcard simulate sixty-six --compare target=5; "
    "upcard simulate oh-hell -n 10 --records matches.jsonl (to watch, review or replay them)"
)
def simulate(
    game: GameArgument,
    matches: Annotated[
        int | None,
        typer.Option(
            "--matches",
            "--number",
            "-n",
            min=1,
            help="The number of matches; 1000 by default. With --precision, the maximum; a million by default.",
        ),
    ] = None,
    seed: PacksOption = 1,
    players: PlayersArgument = None,
    preset: PresetArgument = None,
    option: OptionArgument = None,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER,PLAYER,…", help="The players, one for each seat, or one for all; random by default."
        ),
    ] = None,
    compare: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CHANGE;…",
            help="Play the same packs again with another rule (NAME=VALUE), a variant (its name) or other players "
            "(by=PLAYER,…), and print the differences. Separate several changes with ;",
        ),
    ] = None,
    sweep: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=A,B,…",
            help="Play the same packs with each of these values of an option or number of the rules, and print the "
            "differences from the first.",
        ),
    ] = None,
    dealer: DealerOption = None,
    given: GivenOption = None,
    where: WhereOption = None,
    precision: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT=NUMBER",
            help="Stop once every seat's share of wins (wins=0.01) or mean score (score=0.5) is known to ± this.",
        ),
    ] = None,
    keep: KeepOption = None,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
    csv_file: Annotated[
        str | None,
        typer.Option(
            "--csv", metavar="FILE", help="Write a table with a row for each match and seat; - for standard output."
        ),
    ] = None,
    records: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the record of each match, one per line; - for standard output."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Play many matches between computer players and print a summary by seat."""
    side = SideSpec(game, players, with_preset(game, preset, option), "random" if by is None else by)
    _check_combination(compare, sweep, keep, cluster, csv_file, records)
    with needs("fast"):
        from upcard.lab.simulate import Precision

    goal = Precision.read(precision) if precision else None
    condition = Condition.read(given, where)
    run = Run(matches or (MOST if goal else USUAL), seed, dealer, goal, jobs, cluster, keep, condition)
    if compare:
        _compare(run, side, side.other(compare[0]), as_json)
    elif sweep:
        _sweep(run, side, side.swept(sweep), as_json)
    else:
        _summarise(run, side, csv_file, records, as_json)


def _check_combination(
    compare: list[str] | None,
    sweep: str | None,
    keep: str | None,
    cluster: str | None,
    csv_file: str | None,
    records: str | None,
) -> None:
    """Check that these options can be combined. Raises UpcardError."""
    if (compare or sweep) and (csv_file or records):
        which = "--sweep" if sweep else "--compare"
        raise UpcardError(f"{which} cannot be combined with --csv or --records: write them for each side separately")
    if csv_file and csv_file == records:
        raise UpcardError("--csv and --records cannot both be written to " + csv_file)
    if sweep and compare:
        raise UpcardError("--sweep cannot be combined with --compare")
    if compare and len(compare) > 1:
        raise UpcardError("--compare can be given only once, with its changes separated by ; (or use lab report)")
    if keep and (csv_file or records):
        raise UpcardError("--keep cannot be combined with --csv or --records: those are written in one go")
    if cluster and records:
        raise UpcardError("--records cannot be combined with --cluster: one worker writes them")


def _compare(run: Run, side: SideSpec, other: SideSpec, as_json: bool) -> None:
    setups = {"first": side.setup, "second": other.setup}
    about = run.condition.about(side.setup, run.seed)
    (compared,) = run.compare((setups["first"], side.names), [(setups["second"], other.names)], [run.keep])
    if as_json:
        typer.echo(json.dumps(with_condition(comparison_as_dict(compared, setups), about)))
    else:
        print_condition(about)
        print_trials(setups)
        print_comparison(compared, run)
    run.tell_stopped([compared])


def _sweep(run: Run, side: SideSpec, setups: dict[str, Game[Any]], as_json: bool) -> None:
    """Compare each value with the first. With --keep, each comparison has its own file, named after the value."""
    (usual, first), *others = setups.items()
    files = [run.keep and sweep_file(run.keep, name) for name, _ in others]
    about = run.condition.about(first, run.seed)
    compared = run.compare((first, side.names), [(setup, side.names) for _, setup in others], files)
    by_value = dict(zip([name for name, _ in others], compared, strict=True))
    if as_json:
        typer.echo(json.dumps(sweep_as_rows(by_value, setups)))
    else:
        print_condition(about)
        print_trials(setups)
        print_sweep(side.setup.game.slug, usual, by_value, run)
    run.tell_stopped(compared)


def _summarise(run: Run, side: SideSpec, csv_file: str | None, records: str | None, as_json: bool) -> None:
    from upcard.lab.comparison import rounded
    from upcard.lab.simulate import Stopped

    about = run.condition.about(side.setup, run.seed)
    summary, early, failed = None, False, list[OSError]()
    try:
        with record_file(records) as write, table_file(csv_file, side.names, run.dealer) as results:
            try:
                summary = run.play(side, _until_it_fails(write, failed), _until_it_fails(results, failed))
            except Stopped as stopped:
                summary, early = stopped.summary, True
    except OSError as error:
        if summary is None or isinstance(error, BrokenPipeError):
            raise
        failed.append(error)  # the last lines could not be written
    to_stderr = "-" in (records, csv_file)
    with redirect_stdout(sys.stderr if to_stderr else sys.stdout):
        if as_json:
            typer.echo(json.dumps(with_condition(with_trial(summary, side.setup), about)))
        else:
            print_condition(about)
            print_trials({"": side.setup})
            print_summary(summary)
    if failed:
        raise failed[0]
    if early:
        tell_stopped(summary.matches, run.matches, "matches")
    goal = run.precision
    if goal and not goal.reached(summary) and not as_json:
        typer.echo(
            f"The precision {goal.what}={goal.half:g} is not reached: that takes about "
            f"{rounded(goal.matches(summary))} matches.",
            err=to_stderr,
        )


def _until_it_fails(write: Callable[[T], None] | None, failed: list[OSError]) -> Callable[[T], None] | None:
    """The same function, except that an OSError (from a full disk, for example) is added to `failed` and ends the
    matches like Ctrl-C, so that those played so far are not lost."""
    if write is None:
        return None

    def write_or_stop(item: T) -> None:
        try:
            write(item)
        except BrokenPipeError:
            raise
        except OSError as error:
            failed.append(error)
            raise KeyboardInterrupt from error

    return write_or_stop


USUAL, MOST = 1000, 1_000_000
"""The default number of matches, without and with --precision."""
GameAndPlayers = tuple[Game[Any], list[str]]
"""A setup, and the player of each seat."""


@dataclass(frozen=True)
class Run:
    """The settings of a run: the number of matches, the seed, where to play them and where to save the results."""

    matches: int
    seed: int
    dealer: int | None
    precision: Precision | None
    jobs: int | None
    cluster: str | None
    keep: str | None
    condition: Condition

    def play(
        self,
        side: SideSpec,
        records: Callable[[dict[str, Any]], None] | None = None,
        results: Callable[[ResultRows], None] | None = None,
    ) -> Summary:
        """Simulate with a progress bar."""
        from upcard.lab.simulate import simulate as run

        setup = side.setup
        with progress_bar(setup.game.title, self.matches) as advance:
            return run(
                setup,
                self.matches,
                self.seed,
                by=side.names,
                dealer=self.dealer,
                precision=self.precision,
                records=records,
                results=results,
                progress=advance,
                jobs=self.jobs,
                cluster=self.cluster,
                kept=self.keep,
                **self.condition.arguments,
            )

    def compare(self, first: GameAndPlayers, others: list[GameAndPlayers], files: list[str | None]) -> list[Compared]:
        """Simulate all on the same packs, with a progress bar, and compare each of the others with the first. `files`
        has a file for saving the results of each comparison, or None."""
        from upcard.lab import simulate

        with progress_bar(first[0].game.title, self.matches) as advance:
            return simulate.sweep(
                simulate.Side(*first),
                [simulate.Side(*other) for other in others],
                self.matches,
                self.seed,
                dealer=self.dealer,
                precision=self.precision,
                progress=advance,
                jobs=self.jobs,
                cluster=self.cluster,
                kept=files,
                **self.condition.arguments,
            )

    def tell_stopped(self, compared: list[Compared]) -> None:
        """Report, after the results, that Ctrl-C ended the comparisons early, if it did. Raises Exit in that case."""
        early = [comparison.first.matches for comparison in compared if self._stopped(comparison)]
        if early:
            tell_stopped(min(early), self.matches, "matches")

    def _stopped(self, compared: Compared) -> bool:
        number, goal = compared.first.matches, self.precision
        return number < self.matches and not (goal and goal.needed_for(compared.differences) <= number)


@contextmanager
def progress_bar(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error, if that is a terminal. Yields a function to call with the number done.

    If Ctrl-C comes before there are any results, a line on standard error reports it."""
    from rich.console import Console
    from rich.progress import Progress

    try:
        with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
            task = bar.add_task(f"{title}: compiling", total=total)
            yield lambda done: bar.update(task, completed=done, description=title)
    except KeyboardInterrupt as stopped:
        if type(stopped) is KeyboardInterrupt:
            typer.echo(f"{title}: stopped before there were any results", err=True)
        raise


@contextmanager
def record_file(name: str | None) -> Iterator[Callable[[dict[str, Any]], None] | None]:
    """Yields a function that writes a record to a file, one per line; None without a file."""
    if name is None:
        yield None
        return
    with written_to("--records", name) as write:
        yield lambda record: write(json.dumps(record) + "\n")


@contextmanager
def table_file(name: str | None, names: list[str], dealer: int | None) -> Iterator[Callable[[ResultRows], None] | None]:
    """Yields a function that writes results to a CSV file, a row for each match and seat; None without a file."""
    from upcard.lab.tally import by_name

    if name is None:
        yield None
        return
    with written_to("--csv", name) as write:
        match = 0

        def write_rows(results: ResultRows) -> None:
            nonlocal match
            text = io.StringIO()
            rows = csv.writer(text, lineterminator="\n")
            if match == 0:
                rows.writerow("match seat player dealer score won deals moves".split())
            for result in by_name(results):
                scores, winners, deals, moves, _ = result.tolist()
                for seat, player in enumerate(names):
                    won = (winners >> seat & 1) / winners.bit_count()
                    deals_first = match % len(names) if dealer is None else dealer
                    rows.writerow([match, seat, player, deals_first, scores[seat], won, deals, moves])
                match += 1
            write(text.getvalue())

        yield write_rows


@contextmanager
def written_to(option: str, name: str) -> Iterator[Callable[[str], None]]:
    """Yields a function that writes text to a file, or to standard output for -. An existing file is not overwritten
    before the first call, since a mistake elsewhere may be found only when play begins. Raises UpcardError at once if
    the file cannot be written."""
    from upcard.lab.arguments import check_writable, output_file

    if name == "-":
        yield partial(print, end="")
        return
    path = output_file(option, name)
    if not path.is_fifo():  # its reader would take the end of the check for the end of the data
        check_writable(path)
    with writing(path), ExitStack() as opened:
        file = cache(lambda: opened.enter_context(path.open("w", encoding="utf-8", newline="")))

        def write(text: str) -> None:
            with writing(path):  # here too, or the error could name the other file that is being written
                file().write(text)

        yield write


# ------------------------------------------------------------------------------------------------------------ printing


def with_condition(results: dict[str, Any], about: str | None) -> dict[str, Any]:
    """Results for JSON, with the condition of all first deals as `condition` if there is one."""
    return results if about is None else results | {"condition": about}


def with_trial(summary: Summary, setup: Game[Any]) -> dict[str, Any]:
    """A summary for JSON, with what the trial of other numbers than the usual ones has shown as `trial`."""
    return summary.as_dict() | {"trial": trial_as_dict(setup)}


def comparison_as_dict(compared: Compared, setups: dict[str, Game[Any]]) -> dict[str, Any]:
    """Both summaries and their differences for JSON. `setups` has the tables as `first` and `second`."""
    sides = {name: with_trial(getattr(compared, name), setup) for name, setup in setups.items()}
    return sides | {"differences": [one.as_dict() for one in compared.differences]}


def sweep_as_rows(compared: dict[str, Compared], setups: dict[str, Game[Any]]) -> list[dict[str, Any]]:
    """The summary of each value and its differences from the first for JSON. `setups` has the tables by value, that of
    the first value, which `compared` lacks, first."""
    base = next(iter(compared.values())).first
    rows: list[dict[str, Any]] = []
    for value, setup in setups.items():
        one = compared.get(value)
        summary = with_trial(one.second if one else base, setup)
        differences = [difference.as_dict() for difference in one.differences] if one else []
        rows.append({"value": value, "summary": summary, "differences": differences})
    return rows


def print_trials(setups: dict[str, Game[Any]]) -> None:
    """Print what the trial of other numbers than the usual ones has shown, in one line for each such table."""
    for name, setup in setups.items():
        if line := trial_line(setup):
            typer.echo(f"{name}: {line}" if name else line[0].upper() + line[1:])


def print_summary(summary: Summary) -> None:
    """Print the summary as a table."""
    typer.echo(
        f"{counted(summary.matches, 'match')} of {summary.game}, seed {summary.seed}: "
        f"{summary.mean_moves:.1f} moves and {summary.mean_deals:.1f} deals each"
    )
    head = f"{'seat':>4}  {'player':10} {'wins':>10} {'share':>7} {'95 %':>14}"
    typer.echo(f"{head} {'mean score':>11} {'± s.e.':>8} {'95 %':>18}")
    for seat in summary.seats:
        share, mean = seat.share_between, seat.mean_between
        shares = f"{100 * share.low:.1f} to {100 * share.high:.1f}"
        means = f"{mean.low:.2f} to {mean.high:.2f}" if mean else "-"
        typer.echo(
            f"{seat.seat:>4}  {seat.player:10} {seat.wins:>10.1f} {100 * seat.wins / summary.matches:>5.1f} % "
            f"{shares:>14} {seat.mean:>11.2f} {seat.error:>8.2f} {means:>18}"
        )
    typer.echo(f"{'':12} {'least':>9} {'10 %':>9} {'half':>9} {'90 %':>9} {'most':>9}")
    rows = [(f"score of {seat.seat}", seat.scores) for seat in summary.seats]
    for what, spread in [*rows, ("deals", summary.deals), ("moves", summary.moves)]:
        numbers = (spread.least, spread.tenth, spread.half, spread.nine_tenths, spread.most)
        typer.echo(f"{what:12} {' '.join(f'{number:>9}' for number in numbers)}")
    places = [("won by the first dealer", summary.from_dealer[0])]
    places += [(f"won {place} left of the dealer", one) for place, one in enumerate(summary.from_dealer) if place]
    places += [("won by the first to act alone", summary.beginner)] if summary.beginner else []
    for who, won in places:
        between = f"{100 * won.between.low:.1f} to {100 * won.between.high:.1f}"
        typer.echo(f"{who:31} {100 * won.share:>5.1f} % {between:>14}")


def print_comparison(compared: Compared, run: Run) -> None:
    """Print both summaries and their differences, match by match."""
    for summary in (compared.first, compared.second):
        print_summary(summary)
        typer.echo("")
    print_differences("The second minus the first", compared, run)


def sweep_file(file: str, name: str) -> str:
    """The file that a sweep saves for one of its values: `sums target=3.npz` for `sums.npz` and `target=3`."""
    path = Path(file)
    return str(path.with_name(f"{path.stem} {name}{path.suffix}")) if path.name else file


def print_sweep(game: str, usual: str, compared: dict[str, Compared], run: Run) -> None:
    """Print the results of each value, and its differences from the first."""
    typer.echo(sweep_tables(game, usual, compared))
    for name, one in compared.items():
        print_surer(f"{name}: ", one, run)


def print_differences(which: str, compared: Compared, run: Run) -> None:
    """Print the differences match by match."""
    differences = compared.differences
    packs = " on the same packs" if compared.same_packs else ", on packs that differ"
    typer.echo(f"{which}, match by match{packs}, 95 % for all rows together:")
    for one in differences:
        typer.echo(f"  {one.what:16} {one.verdict}")
    if differences[0].untouched:
        typer.echo(f"  {differences[0].remarks[0]}")
    print_surer("  ", compared, run)


def print_surer(before: str, compared: Compared, run: Run) -> None:
    """Print how many matches it takes to reach the precision, if these are not enough."""
    from upcard.lab.comparison import rounded

    if run.precision and compared.first.matches == run.matches:
        needed = run.precision.needed_for(compared.differences)
        if needed > run.matches:
            typer.echo(f"{before}the precision is not reached: that takes about {rounded(needed)} matches")
