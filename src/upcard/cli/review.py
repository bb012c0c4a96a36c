"""`upcard review`: rate the decisions of a finished match."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from upcard.cli.common import group, needs
from upcard.cli.playing import AsJson, recorded
from upcard.cli.simulate import progress_bar
from upcard.engine.errors import UpcardError

if TYPE_CHECKING:
    from upcard.engine.match import Match
    from upcard.players.review import Verdict
    from upcard.table.advising import Mistake

app = group()


@dataclass(frozen=True)
class Reviewed:
    """The review of one seat's decisions."""

    seat: int
    name: str
    verdicts: list[Verdict]
    mistakes: list[Mistake]
    """The costliest first."""


@app.command(epilog="Examples: upcard review match.json --seat 0; upcard review match.json --json")
def review(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A file with match records, or the name of a saved match.")
    ],
    number: Annotated[int, typer.Option("--match", min=1, help="Which record to review if the file has several.")] = 1,
    seat: Annotated[
        int | None,
        typer.Option(
            min=0, help="The seat to review, counted from 0; by default yours in a saved match, or all in a file."
        ),
    ] = None,
    most: Annotated[int, typer.Option(min=1, help="List at most this many of a seat's costliest moves.")] = 10,
    rollouts: Annotated[
        int | None, typer.Option(min=100, help="The number of rollouts for each decision; 4000 by default.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find the costliest moves of a finished match, judged by what each player could see."""
    with needs("fast"):
        from upcard.engine.records import replay
        from upcard.players import Rollouts
        from upcard.players.review import REVIEW
    with needs("terminal"):
        record, names, own = recorded(file, number)
        from upcard.table.seats import recorded_names
    match = replay(record)
    names = names or recorded_names(record, match.players)
    if seat is not None and seat >= match.players:
        raise UpcardError(f"--seat must be 0 to {match.players - 1}")
    wanted = own if seat is None else seat
    limit = REVIEW if rollouts is None else Rollouts(rollouts)
    for one in [*range(match.players)] if wanted is None else [wanted]:
        reviewed = _reviewed(match, one, names, limit)
        if as_json:
            typer.echo(json.dumps(review_as_dict(reviewed), ensure_ascii=False))
            continue
        print_review(reviewed, most)
        if reviewed.mistakes:
            typer.echo(f"To watch it: upcard watch {file} --seat {one} --deal {reviewed.mistakes[0].deal}\n")


def _reviewed(match: Match[Any], seat: int, names: list[str], limit: Any) -> Reviewed:
    from upcard.players.review import costliest, decisions, judge
    from upcard.table.advising import Wording

    to_judge, verdicts = [*decisions(match, seat)], []
    with progress_bar(f"{match.game.title}, {names[seat]}", len(to_judge)) as advance:
        for done, decision in enumerate(to_judge, 1):
            verdicts.append(judge(decision, limit))
            advance(done)
    seen = {decision.events: decision.seen for decision in to_judge}
    mistakes = [Wording(seen[verdict.events], names).mistake(verdict) for verdict in costliest(verdicts)]
    return Reviewed(seat, names[seat], verdicts, mistakes)


def review_as_dict(reviewed: Reviewed) -> dict[str, Any]:
    """Convert a review to a JSON object: all decisions, with the moves of each from best to worst."""
    return {"seat": reviewed.seat, "name": reviewed.name, "decisions": [*_decisions_as_dicts(reviewed.verdicts)]}


def _decisions_as_dicts(verdicts: list[Verdict]) -> Iterator[dict[str, Any]]:
    for verdict in verdicts:
        moves = [
            {
                "move": rated.text,
                "cost": round(rated.cost, 4),
                "margin": round(rated.margin, 4),
                "chance": round(rated.chance, 4),
                "worse": rated.is_worse,
            }
            for rated in verdict.advice.moves
        ]
        yield {
            "deal": verdict.deal,
            "events": verdict.events,
            "played": verdict.played.text,
            "worlds": verdict.advice.worlds,
            "exact": verdict.advice.exact,
            "moves": moves,
        }


def print_review(reviewed: Reviewed, most: int) -> None:
    """Print the summary and the costliest moves of one seat."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from upcard.table.advising import grade_line

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("Deal", "Event"):
        table.add_column(title, justify="right")
    for title in ("Played", "Better", "How much worse"):
        table.add_column(title)
    for mistake in reviewed.mistakes[:most]:
        cost = mistake.played.says.replace(" worse", "")
        table.add_row(str(mistake.deal), str(mistake.events), mistake.played.label, mistake.better.label, cost)
    console = Console(highlight=False)
    console.print(f"{reviewed.name}: {grade_line(one.grade for one in reviewed.verdicts)}.", markup=False)
    if reviewed.mistakes:
        console.print(table)
    if len(reviewed.mistakes) > most:
        console.print(f"and {len(reviewed.mistakes) - most} more (--most {len(reviewed.mistakes)}).", markup=False)
