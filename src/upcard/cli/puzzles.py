"""`upcard puzzle` and `upcard make-puzzles`: solve puzzles, and make those of a game."""

from __future__ import annotations

import sys
from datetime import date
from typing import Annotated

import typer

from upcard import games
from upcard.cli.common import GameArgument, LanguageArgument, group, load_game, must_be_up_to, needs
from upcard.engine.errors import UpcardError
from upcard.rules.sentences import as_sentence, sentence

app = group()


@app.command(epilog="Examples: upcard puzzle; upcard puzzle sixty-six --number 3")
def puzzle(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="The game; without it, the puzzle of the day.")
    ] = None,
    number: Annotated[int, typer.Option("--number", "-n", min=1, help="Which of the game's puzzles.")] = 1,
    words: Annotated[
        bool, typer.Option("--words/--letters", help="Write cards as “ace of spades” or as “As”.")
    ] = False,
    language: LanguageArgument = None,
) -> None:
    """Find the only right move in a position; the answer to every other move is why it is wrong."""
    with needs("terminal"):
        from upcard.table.puzzles import puzzle_of_day, puzzles_of
        from upcard.terminal import wording
        from upcard.terminal.puzzle_lines import PuzzleLines
    if game is None:
        chosen = puzzle_of_day([games.load(slug) for slug in games.names()], date.today())
        if chosen is None:
            raise UpcardError(sentence("there are no puzzles here"))
    else:
        puzzles = puzzles_of(load_game(game))
        if not puzzles:
            title = as_sentence(load_game(game).title, load_game(game))
            raise UpcardError(sentence("{game} has no puzzles", game=title))
        if number > len(puzzles):
            raise UpcardError(must_be_up_to("--number", 1, len(puzzles)))
        chosen = puzzles[number - 1]
    PuzzleLines(chosen, sys.stdin, sys.stdout, wording.in_full if words else wording.in_letters).run()


@app.command("make-puzzles", epilog="Example: upcard make-puzzles sixty-six --deals 200")
def make_puzzles(
    game: GameArgument,
    number: Annotated[int, typer.Option("--number", "-n", min=1, help="How many puzzles at most.")] = 24,
    deals: Annotated[int, typer.Option(min=1, help="The number of deals in which they are looked for.")] = 500,
    judged: Annotated[
        int | None,
        typer.Option(min=0, help="In how many of the deals experts judge where nothing is proved; by default all."),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same puzzles.")] = 1,
) -> None:
    """Look for puzzles in deals of computer players, and print them as a game's file `puzzles.jsonl`."""
    with needs("serve"):
        from upcard.lab.puzzle_making import candidates_of, choice_of, line_of
    puzzles = choice_of(candidates_of(load_game(game), seed, range(deals), judged), number)
    for one in puzzles:
        typer.echo(line_of(one))
    if len(puzzles) < number:
        typer.echo(f"{deals} deals gave {len(puzzles)} puzzles only: try --deals {2 * deals}", err=True)
