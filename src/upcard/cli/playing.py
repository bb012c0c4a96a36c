"""The commands for players: `play`, `watch`, `games`, `options`, `rules` and `learn`."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
import time
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from upcard import games
from upcard.cli.choices import for_programs, tables
from upcard.cli.common import (
    GameArgument,
    LanguageArgument,
    OptionArgument,
    PlayersArgument,
    PresetArgument,
    SeedArgument,
    group,
    is_said,
    load_game,
    must_be_up_to,
    needs,
    read_options,
    with_preset,
)
from upcard.cli.conditions import GivenOption, read_given
from upcard.cli.records import read_text
from upcard.engine.deal_conditions import deal_condition
from upcard.engine.errors import BadRecord, UpcardError
from upcard.engine.setup import Setup
from upcard.languages.localizing import localized, reader
from upcard.laws.numbers import try_for_play
from upcard.players import LEVELS
from upcard.players.warmup import is_quick
from upcard.rules import pages
from upcard.rules.game import Game
from upcard.rules.phrases import brief, how_to_get
from upcard.rules.presets import USUAL, presets
from upcard.rules.sentences import sentence
from upcard.table.players_rules import plain_rules, summary_of

if TYPE_CHECKING:
    from upcard.table.scene import Viewpoint
    from upcard.terminal.film import Film

app = group()

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
PAGE_WIDTH = 100
SETTLED = "players", "preset", "option", "given", "level", "seat", "seed"
"""The options of `play` that cannot be changed for a match that has begun."""


@app.command("games", epilog="Example: upcard games --json")
def list_games(as_json: AsJson = False) -> None:
    """List the games."""
    known = [games.load(slug) for slug in games.names()]
    if as_json:
        rows = [
            {"game": g.slug, "title": g.title, "players": list(g.player_counts), "summary": summary_of(g)}
            for g in known
        ]
        typer.echo(json.dumps(rows, ensure_ascii=False))
        return
    width = shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else None
    for game in known:
        typer.echo(_line(game, width))


def _line(game: type[Game[Any]], width: int | None) -> str:
    """The entry of a game in the list of games, wrapped to the width of the terminal, if any."""
    name = f"{game.slug:15} {_numbers(game):>5} players   "
    line = name + summary_of(game)
    return textwrap.fill(line, width, subsequent_indent=" " * len(name)) if width else line


def _numbers(game: type[Game[Any]]) -> str:
    low, high = min(game.player_counts), max(game.player_counts)
    return str(low) if low == high else f"{low}-{high}"


@app.command(epilog="Example: upcard options kalooki --players 4")
def options(game: GameArgument, players: PlayersArgument = None, as_json: AsJson = False) -> None:
    """List the options of a game with their values, and the numbers of its rules."""
    setup = Setup(load_game(game), players, {})
    if as_json:
        typer.echo(json.dumps(for_programs(setup), ensure_ascii=False))
        return
    typer.echo(f"{setup.game.title} for {setup.players} ({_numbers(setup.game)} can play); the default comes first\n")
    for line in tables(setup, shutil.get_terminal_size((80, 24)).columns):
        typer.echo(line)
    for name, chosen in presets(setup.game).items():
        values = " ".join(f"{option}={str(value).lower()}" for option, value in chosen.items())
        if name != USUAL:
            typer.echo(f"--preset {name}: {values or 'the usual options'}")
    for name, option in [*setup.game.declared_options.items()][:1]:
        usual = str(option.default_for(setup.players)).lower()
        typer.echo(f"\nTo choose: upcard play {setup.game.slug} --option {name}={usual}")


@app.command(epilog="Examples: upcard rules oh-hell; upcard rules oh-hell --players 3 --option miss=difference")
def rules(
    game: GameArgument,
    players: PlayersArgument = None,
    preset: PresetArgument = None,
    option: OptionArgument = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="Print the whole rulebook page, with sources, rulings and notation.")
    ] = False,
    language: LanguageArgument = None,
) -> None:
    """Print the rules of a game in players' words, as a table with these options has them."""
    rulebook = pages.page(load_game(game)) or pages.NO_PAGE
    setup = Setup(load_game(game), players, read_options(game, with_preset(game, preset, option)))
    print_page(rulebook if whole else plain_rules(setup, reader.get()) or rulebook)


@app.command(epilog="Examples: upcard learn sixty-six; upcard learn sixty-six --text")
def learn(
    game: GameArgument,
    number: Annotated[int, typer.Option("--lesson", min=1, help="Which lesson, if the game has several.")] = 1,
    text: Annotated[bool, typer.Option("--text", help="Print all lessons to be read instead of played.")] = False,
    words: Annotated[
        bool, typer.Option("--words/--letters", help="Write cards as “ace of spades” or as “As”.")
    ] = False,
    language: LanguageArgument = None,
) -> None:
    """Learn a game by playing a lesson; into a pipe, print its text."""
    with needs("terminal"):
        from upcard.table.lessons import lessons_of, lessons_text
        from upcard.terminal import wording
        from upcard.terminal.lesson_lines import LessonLines
    tag = reader.get()
    lessons = lessons_of(load_game(game), tag)
    if text or not lessons or not (sys.stdin.isatty() and sys.stdout.isatty()):
        print_page(lessons_text(load_game(game), tag))
        return
    if number > len(lessons):
        raise UpcardError(must_be_up_to("--lesson", 1, len(lessons)))
    LessonLines(lessons[number - 1], sys.stdin, sys.stdout, wording.in_full if words else wording.in_letters).run()


def print_page(page: str) -> None:
    """Print Markdown: formatted and paged on a terminal, unchanged into a pipe. It is not paged if the pager named in
    the environment is missing: a shell would print that error instead of the page."""
    if not sys.stdout.isatty():
        typer.echo(page)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(width=min(shutil.get_terminal_size().columns, PAGE_WIDTH))
    styled = _pager_shows_styles()
    with console.pager(styles=styled) if _pager_is_there() else nullcontext():
        console.print(Markdown(page, hyperlinks=False))


def _pager_is_there() -> bool:
    """Whether the program named by MANPAGER or PAGER (perhaps after settings: LESS=-R less) exists. True if neither is
    set."""
    named = os.environ.get("MANPAGER") or os.environ.get("PAGER")
    if not named:
        return True
    program = next((word for word in named.split() if "=" not in word), "")
    return shutil.which(program) is not None


def _pager_shows_styles() -> bool:
    """Whether the pager shows colours, as only `less` with the option -R does."""
    if os.environ.get("MANPAGER") or os.environ.get("PAGER", "less") != "less" or not shutil.which("less"):
        return False
    return "R" in os.environ.setdefault("LESS", "-FRX").upper()


# ------------------------------------------------------------------------------------------------------------- playing


@app.command(
    epilog="Examples: upcard play sixty-six; upcard play kalooki --players 4 --option calls=0; "
    "upcard play --resume (continues the match that was played last)"
)
def play(
    context: typer.Context,
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME", help="The name of a game; with --resume or --scores, the name of a saved match."
        ),
    ] = None,
    players: PlayersArgument = None,
    preset: PresetArgument = None,
    option: OptionArgument = None,
    level: Annotated[
        str, typer.Option(help="The level of the computer players: easy, casual, medium, strong or expert.")
    ] = "casual",
    seat: Annotated[int, typer.Option(min=0, help="Your seat, counted from 0.")] = 0,
    seed: SeedArgument = None,
    given: GivenOption = None,
    name: Annotated[str | None, typer.Option(help="Your name; remembered for next time.")] = None,
    pace: Annotated[
        str | None,
        typer.Option(help="How quickly the others move: steady, fast or instant; remembered for next time."),
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Lines of text only, for pipes and screen readers.")] = False,
    words: Annotated[
        bool | None,
        typer.Option("--words/--letters", help="With --plain: write cards as “ace of spades” or as “As”."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue a saved match; by default the one played last.")
    ] = False,
    listing: Annotated[bool, typer.Option("--list", help="List the saved matches and exit.")] = False,
    statistics: Annotated[
        bool, typer.Option("--statistics", help="Print your wins by game and opponents, and exit.")
    ] = False,
    scores: Annotated[
        bool,
        typer.Option("--scores", help="Print the scores of a saved match, by default the one played last, and exit."),
    ] = False,
    language: LanguageArgument = None,
) -> None:
    """Play a match in the terminal against computer players."""
    with needs("terminal"):
        from upcard.terminal import play_in_terminal as run
        from upcard.terminal.local_store import LocalStore, usual_file
        from upcard.terminal.preferences import chosen, player_name
        from upcard.terminal.session import Session
    if listing:
        list_matches(LocalStore(usual_file()))
        return
    if statistics or scores:
        print_results(LocalStore(usual_file()), game, of_match=scores)
        return
    settings = chosen(name=name, pace=pace, words=words)
    if resume:
        if settled := [f"--{one}" for one in SETTLED if is_said(context, one)]:
            message = "--resume continues a match as it was begun: {options} cannot be changed"
            raise UpcardError(sentence(message, options=", ".join(settled)))
        store = LocalStore(usual_file())
        session = Session.resumed(store, store.wanted(game))
    elif game is None:
        raise UpcardError(sentence("which game? `upcard games` lists them"))
    else:
        setup = Setup(load_game(game), players, read_options(game, with_preset(game, preset, option)))
        if seat >= setup.players:
            raise UpcardError(must_be_up_to("--seat", 0, setup.players - 1))
        try_for_play(setup)
        session = Session.new(
            LocalStore(usual_file()),
            setup,
            name=player_name(settings),
            seat=seat,
            level=level,
            seed=seed,
            condition=deal_condition(read_given(given)),
        )
    _check_level(session.level)
    run(session, settings, plain=plain)


def _check_level(level: str) -> None:
    """Check that a level exists and that the packages it needs are installed. Raises UpcardError, which explains how to
    install them."""
    if level not in LEVELS:
        message = "There is no level {level} (there are: {levels})"
        raise UpcardError(sentence(message, level=brief(level[:20]), levels=", ".join(LEVELS)))
    if is_quick(level):
        return
    try:
        import numba  # noqa: F401
        import numpy  # noqa: F401
    except ImportError:
        message = "{level} computer players need more packages: {command}"
        raise UpcardError(sentence(message, level=level, command=how_to_get("fast"))) from None


def list_matches(store: Any) -> None:
    """Print the saved matches, the most recently played first."""
    matches = store.all()
    if not matches:
        typer.echo(localized("There are no saved matches yet."))
    for match in matches:
        played = time.strftime("%Y-%m-%d %H:%M", time.localtime(match.played))
        state = localized("over") if match.done else localized("in play")
        players = localized("{n} player", "{n} players", n=match.plan.players)
        typer.echo(f"{match.plan.id}  {match.plan.game:15} {players}  {state:8} {played}")


def print_results(store: Any, match: str | None, *, of_match: bool) -> None:
    """Print the scores of a saved match, for None of the one played last, or the statistics of all. Raises UpcardError
    if there is no such match."""
    import asyncio

    from upcard.terminal.results import score_lines, statistics_lines

    lines = score_lines(store.played_last(match)) if of_match else asyncio.run(statistics_lines(store))
    for line in lines:
        typer.echo(line)


# ------------------------------------------------------------------------------------------------------------ watching


@app.command(
    epilog="Examples: upcard watch match.json --deal 3; upcard watch match.json --seat 0 --plain; "
    "upcard watch match.json --deal 3 --play-on (plays that deal again)"
)
def watch(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A file with match records, or the name of a saved match.")
    ],
    number: Annotated[int, typer.Option("--match", min=1, help="Which record to show if the file has several.")] = 1,
    deal: Annotated[int, typer.Option(min=1, help="The deal to start with.")] = 1,
    seat: Annotated[
        int | None, typer.Option(min=0, help="Show what this seat, counted from 0, saw; all cards by default.")
    ] = None,
    speed: Annotated[float, typer.Option(min=0.1, max=50, help="Events per second.")] = 1.0,
    plain: Annotated[bool, typer.Option("--plain", help="Lines of text only, for pipes and screen readers.")] = False,
    play_on: Annotated[
        bool, typer.Option("--play-on", help="Play on from the beginning of the deal, against computer players.")
    ] = False,
    level: Annotated[str, typer.Option(help="The level of the computer players for --play-on.")] = "casual",
    language: LanguageArgument = None,
) -> None:
    """Watch a finished match move by move, or play on from any moment. Of a saved match in play, watch the finished
    deals."""
    with needs("terminal"):
        from upcard.terminal import fit_for_a_screen
        from upcard.terminal.film import Film
        from upcard.terminal.watch import WatchApp, lines
    _check_level(level)
    record, names, mine = recorded(file, number, in_play=True)
    film = Film(record, names)
    if seat is not None and seat >= len(film.names):
        raise UpcardError(must_be_up_to("--seat", 0, len(film.names) - 1))
    if deal > max(1, len(film.deals)):
        raise UpcardError(must_be_up_to("--deal", 1, max(1, len(film.deals))))
    moment = film.deals[deal - 1] if film.deals and (deal > 1 or play_on) else 0
    viewpoint: Viewpoint = "all" if seat is None else seat
    if play_on:
        _play_on(film, moment, viewpoint, mine or 0, level, plain=plain)
    elif plain or not fit_for_a_screen():
        for line in lines(film, moment, viewpoint):
            typer.echo(line)
    elif chosen := WatchApp(film, moment, viewpoint, speed).run():
        _play_on(film, *chosen, mine or 0, level)


def _play_on(film: Film, moment: int, viewpoint: Viewpoint, mine: int, level: str, *, plain: bool = False) -> None:
    """Play on from a moment, in a new match that is saved, at the seat whose view was shown, or else at `mine`."""
    import asyncio

    from upcard.terminal import play_in_terminal as run
    from upcard.terminal.local_store import LocalStore, usual_file
    from upcard.terminal.preferences import load_preferences, player_name
    from upcard.terminal.session import Session

    settings, store = load_preferences(), LocalStore(usual_file())
    seat = viewpoint if isinstance(viewpoint, int) else mine
    session = asyncio.run(Session.forked(store, film, moment, name=player_name(settings), seat=seat, level=level))
    run(session, settings, plain=plain)


def recorded(file: str, number: int, *, in_play: bool = False) -> tuple[object, list[str] | None, int | None]:
    """The record in a file or of a saved match; for a saved match also the players' names and the user's seat. If
    `in_play`, a match that is not over will do: its record then ends with the last finished deal.

    Raises UpcardError if there is no such file or match, or if the match is not over or has no finished deal.
    """
    from upcard.engine import records
    from upcard.house.replays import finished_part
    from upcard.table.seats import seat_of
    from upcard.terminal.local_store import LocalStore, usual_file
    from upcard.terminal.session import ME

    if file == "-" or (Path(file).exists() and not Path(file).is_dir()):  # also a pipe
        chosen = next((record for i, (_, record) in enumerate(records.parse(read_text(file)), 1) if i == number), None)
        if chosen is None:
            raise UpcardError(sentence("{file} has no match number {number}", file=file, number=number))
        if isinstance(chosen, BadRecord):
            raise chosen
        return chosen, None, None
    saved = LocalStore(usual_file()).find(file)
    if saved is None:
        raise UpcardError(sentence("there is no file or saved match {name}", name=brief(file)))
    command = f"upcard play --resume {file}"
    if not saved.done and not in_play:
        raise UpcardError(sentence("match {name} is not over; to continue it: {command}", name=file, command=command))
    state = saved.standing()
    match, occupants = state.match if saved.done else finished_part(state.match), state.seating.places
    if not match.events:
        message = "match {name} has no finished deal yet; to continue it: {command}"
        raise UpcardError(sentence(message, name=file, command=command))
    return match.record(), [occupant.name or "" for occupant in occupants], seat_of(occupants, ME)
