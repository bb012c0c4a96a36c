"""`upcard replay` and `upcard verify`: match records."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from upcard.cli.common import games_named, group
from upcard.engine.errors import BadRecord, NoGame, UpcardError
from upcard.engine.match import Match
from upcard.rules.game import Game
from upcard.rules.phrases import counted

app = group()


@app.command(epilog="Examples: upcard replay match.json; upcard replay match.json --steps")
def replay(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="One match record as JSON, or one per line; - for standard input."),
    ],
    steps: Annotated[bool, typer.Option("--steps", help="Print a report at the start and after every event.")] = False,
    game: Annotated[
        str | None, typer.Option(metavar="PATH", help="The file or folder of the game, if it is not installed.")
    ] = None,
) -> None:
    """Replay match records and print the final report of each, with all cards open."""
    from upcard.engine import records

    def print_reports(record: object, known: type[Game[Any]] | None) -> None:
        for match in records.steps(record, known):
            if steps:
                print_report(match)
        if not steps:
            print_report(match)

    each_record(file, game, print_reports)


@app.command(epilog="Example: upcard verify match.json")
def verify(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="One match record as JSON, or one per line; - for standard input."),
    ],
    game: Annotated[
        str | None, typer.Option(metavar="PATH", help="The file or folder of the game, if it is not installed.")
    ] = None,
) -> None:
    """Check that a finished match was shuffled as its server and players committed to before it began."""
    from upcard.engine.fairness import verify

    def print_proof(record: object, known: type[Game[Any]] | None) -> None:
        proof, checked = verify(record, known)
        nonces = [f"nonce of seat {seat}: {nonce}" for seat, nonce in enumerate(proof.nonces) if nonce is not None]
        absent = [seat for seat, due in enumerate(proof.pledged) if due is not None and proof.nonces[seat] is None]
        typer.echo(f"{counted(checked, 'chance event')} checked: all follow from what was fixed before the first.")
        taken_over = (
            f"not checked: {counted(proof.first, 'chance event')} before that, in the match that this one continues"
        )
        dealer = "first dealer: drawn from it too" if proof.dealer else taken_over
        for line in [f"commitment: {proof.commitment}", *nonces, *[f"absent: seat {seat}" for seat in absent], dealer]:
            typer.echo(f"  {line}")

    each_record(file, game, print_proof)


def each_record(file: str, path: str | None, use: Callable[[object, type[Game[Any]] | None], None]) -> None:
    """Call `use` with each record of a file and its game, which is None unless it is in `path`. Raises UpcardError,
    whose message has the number of the record."""
    from upcard.engine import records

    known = {one.slug: one for one in games_named(path)} if path else {}
    for number, record in records.parse(read_text(file)):
        try:
            if isinstance(record, BadRecord):
                raise record
            use(record, _game_of(record, known))
        except UpcardError as error:
            place = f"record {number}: " if number else ""
            if isinstance(error, NoGame):
                error = BadRecord(f"{error.reason}: to use a game of your own, give its file with --game")
            raise UpcardError(f"{place}{error}") from None


def _game_of(record: object, known: dict[str, type[Game[Any]]]) -> type[Game[Any]] | None:
    """The game of a record among the known ones; None if it is not one of them."""
    return known.get(str(record.get("game"))) if isinstance(record, dict) else None


def print_report(match: Match[Any]) -> None:
    sys.stdout.write(json.dumps(match.report(), separators=(", ", ": ")) + "\n")


def read_text(file: str) -> str:
    """The text of a file, or of standard input for "-". Raises BadRecord if it is neither UTF-8 nor UTF-16."""
    from upcard.engine.records import text_of

    return text_of(sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes())
