"""`upcard check-game`: check a game against the laws."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from upcard.cli.common import games_named, group
from upcard.rules import pages
from upcard.rules.game import Game
from upcard.rules.lineage import is_shipped
from upcard.rules.placeholders import BadPlaceholder, fill, values_of
from upcard.rules.sentences import listed

app = group()

BROKEN = 1
"""The exit status if a law is broken."""


@app.command("check-game", epilog="Example: upcard check-game my_game --times 3")
def check_game(
    game: Annotated[
        str, typer.Argument(metavar="NAME_OR_PATH", help="A game's name, or the file or folder of a game.")
    ],
    seed: Annotated[int, typer.Option(help="The random seed.")] = 0,
    times: Annotated[int, typer.Option(min=1, help="Try each law this many times as often as usual.")] = 1,
    timeout: Annotated[
        float,
        typer.Option(
            min=0.001, metavar="SECONDS", help="How long one call of a rule may take before it counts as endless."
        ),
    ] = 60,
    records: Annotated[
        Path, typer.Option(metavar="FILE", help="Write matches that broke a law to this file, one record per line.")
    ] = Path("broken.jsonl"),
) -> None:
    """Check a game against the laws common to all games, in random matches with all player counts and options."""
    seen: list[dict[str, Any]] = []
    passed = [check_laws(each, seed, times, seen, timeout) for each in games_named(game)]
    if seen:
        records.write_text("".join(f"{json.dumps(record)}\n" for record in seen), encoding="utf-8")
        typer.echo(f"Matches that broke a law are in {records}. To replay them: upcard replay {records} --game {game}")
    if not all(passed):
        raise typer.Exit(BROKEN)


def check_laws(game: type[Game[Any]], seed: int, times: int, seen: list[dict[str, Any]], timeout: float) -> bool:
    """Print a line for each law; returns whether none is broken. Adds the records of matches that broke one to
    `seen`."""
    from upcard.laws import LAWS, verdicts

    typer.echo(f"{game.title} ({game.slug})")
    width, broken, tried = max(len(law.name) for law in LAWS), 0, 0
    for verdict in verdicts(game, seed, times, timeout):
        tried += 1
        name = f"{verdict.law.name:{width}}"
        if verdict.broken is not None:
            broken += 1
            typer.echo(f"  BROKEN     {name}  {verdict.broken}")
            if verdict.record is not None:
                seen.append(verdict.record)
        elif verdict.untried:
            typer.echo(f"  not tried  {name}  {verdict.untried}")
        else:
            typer.echo(f"  kept       {name}  {verdict.law.says}")
    left = f"; the {len(LAWS) - tried} after it were not tried" if tried < len(LAWS) else ""
    typer.echo(f"  Laws broken: {broken} of {tried}{left}." if broken else "  No law is broken.")
    for advice in [] if left or is_shipped(game) else advice_on_rules(game):
        typer.echo(f"  Advice: {advice}")
    return broken == 0


def advice_on_rules(game: type[Game[Any]]) -> list[str]:
    """The shortcomings of a game's rules in players' words, a line each; empty if there are none."""
    text = pages.written_rules(game)
    if text is None:
        return ["there are no rules in players' words (rules.en.md); players read the rulebook"]
    try:
        for players in game.player_counts:
            fill(pages.without_front_matter(text), values_of(game(players)))
    except BadPlaceholder as error:
        return [f"rules.en.md is not shown: {error}"]
    cited = {clause for mark in pages.CITED.finditer(text) for clause in mark[1].split(", ")}
    lines = []
    if unknown := sorted(cited - {*pages.clauses(game)}):
        lines.append(f"rules.en.md cites {listed(unknown)}, which the rulebook does not have")
    if missing := [clause for clause in pages.clauses(game) if clause not in cited]:
        lines.append(f"no sentence of rules.en.md cites {listed(missing)}; do they all concern no players?")
    return lines
