"""The house of one browser as its worker's script uses it: requests and answers are texts in JSON, as over HTTP and
WebSockets (docs/protocol.md).
"""

from __future__ import annotations

import importlib
import json
import traceback
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec
from msgspec import Raw, Struct

from upcard import __version__, games
from upcard.browser.day_secrets import DaysByDate
from upcard.browser.matches_file import open_matches, save_matches
from upcard.browser.slow_players import BrowserPlayers, BrowserReviews
from upcard.browser.store import BrowserDatabase, BrowserStore
from upcard.browser.web_machine import CompiledGames, WebMachine
from upcard.compiled.machine import use_machines
from upcard.engine.errors import BadRecord
from upcard.engine.setup import Setup
from upcard.house.bodies import (
    Abilities,
    Club,
    Failure,
    GameInfo,
    LessonTry,
    NewFork,
    NewTable,
    OpenedMatches,
    PlayToday,
    PuzzleOfDay,
    PuzzleTry,
)
from upcard.house.days import Days
from upcard.house.game_info import games_here, languages_here
from upcard.house.house import House, answer_message, read_message
from upcard.house.lessons import lesson_answer, lesson_numbered, lesson_view
from upcard.house.puzzles import puzzle_answer, puzzle_numbered, puzzle_solution, puzzle_view, todays_puzzle
from upcard.house.services import Visitor
from upcard.house.statuses import NotHere, failure_of
from upcard.house.tables import Tables
from upcard.languages.answers import encoder_for
from upcard.languages.catalogs import DEFAULT, best_language, forget_catalogs
from upcard.languages.localizing import reader, texts_in
from upcard.players import LEVELS, player, reseed
from upcard.rules.sentences import as_sentence, sentence
from upcard.table.actions import AnyAction
from upcard.table.errors import Refusal, Unacceptable
from upcard.table.lessons import Lesson
from upcard.table.presence import Client
from upcard.table.puzzles import Puzzle
from upcard.table.table import Table

BROWSER_CAN = Abilities(
    invite=False,
    listed=False,
    devices=False,
    reviews=True,
    hints=True,
    proofs=False,
    matches=True,
    rooms=False,
    daily=True,
)
SHIPPED = (*games.SLUGS, *games.VARIANTS)
ME = Visitor("me")
"""The one person who plays in this browser. Saved matches keep their owner in another browser by this."""
NO_PAGE = sentence("There is no such page here")
NOT_FETCHED = sentence("This could not be fetched: try again when there is a connection")

Post = Callable[[str, str, str], None]
"""Sends a message to a line: the line, the message as JSON, and the reason if the line is closed instead."""


class LaterFiles(Protocol):
    """Upcard's files that are not here from the start, as the worker's script fetches them."""

    async def load(self, part: str) -> bool:
        """Fetch a part of the files and write them beside the others; whether they are there now."""
        ...


class RequestAnswer(Struct):
    """The answer to a request, as over HTTP."""

    status: int
    body: Raw


class BrowserHouse:
    """The house of one browser, for all its windows.

    A line is one window's connection to a table; `post` sends messages to it.
    """

    def __init__(self, database: BrowserDatabase, post: Post, modules: CompiledGames, files: LaterFiles) -> None:
        self._store, players = BrowserStore(database), BrowserPlayers(modules)
        tables = Tables(self._store, players)
        self._house = House(tables, players, reviews=BrowserReviews(players), days=Days(tables, DaysByDate()))
        self._post = post
        self._files = files
        self._parts: set[str] = set()
        self._lines: dict[str, tuple[Table, Client]] = {}

    async def ask(self, method: str, address: str, body: str, language: str | None = None) -> str:
        """The `RequestAnswer` to a request, as JSON in a language; `address` is the path without `/api/`, with its
        query. A window of an older edition names no language."""
        reader.set(best_language(language or DEFAULT))
        status, content = await self._answer(method, address, body)
        raw = content if isinstance(content, bytes) else encoder_for(reader.get()).encode(content)
        return msgspec.json.encode(RequestAnswer(status, Raw(raw))).decode()

    def read_language(self) -> None:
        """Take up the files of a language that have been written beside Upcard's."""
        forget_catalogs()

    async def _answer(self, method: str, address: str, body: str) -> tuple[int, object]:
        url, visitor = urlsplit(address), replace(ME, language=reader.get())
        try:
            return 200, await self._respond(visitor, method, unquote(url.path), dict(parse_qsl(url.query)), body)
        except (Refusal, BadRecord) as error:
            return failure_of(error)
        except (ValueError, RecursionError) as error:  # msgspec's errors among them
            return 422, Failure(sentence("This request makes no sense here: {error}", error=str(error)), None)
        except Exception:
            traceback.print_exc()  # on the browser's console
            return 500, Failure(sentence("Something went wrong here; nothing was changed"), None)

    async def _respond(self, me: Visitor, method: str, path: str, query: dict[str, str], body: str) -> object:
        """The answer to a request. Raises Refusal, BadRecord, ValueError."""
        await self._fetch(part_needed(path))
        house = self._house
        match [method, *path.split("/")]:
            case ["GET", "tables"]:
                return await house.mine(me, float(query["before"]) if "before" in query else None)
            case ["GET", "statistics"]:
                return await house.statistics(me)
            case ["POST", "tables"]:
                return await house.open(me, msgspec.json.decode(body, type=NewTable))
            case ["GET", "today"]:
                return await house.today(me)
            case ["POST", "today"]:
                return await house.play_today(me, msgspec.json.decode(body, type=PlayToday))
            case ["POST", "records"]:
                return await house.open_record(me, body.encode())
            case ["GET", "matches"]:
                return await save_matches(self._store)
            case ["POST", "matches"]:
                return await self._open_matches(body)
            case ["GET", "games", slug, "rules"]:
                return rules_of_table(slug, query)
            case ["GET", "games", slug, "lessons", number]:
                return lesson_view(_lesson(slug, number))
            case ["POST", "games", slug, "lessons", number]:
                return lesson_answer(_lesson(slug, number), msgspec.json.decode(body, type=LessonTry))
            case ["GET", "puzzles", "today"]:
                return _todays_puzzle()
            case ["GET", "games", slug, "puzzles", number]:
                return puzzle_view(_puzzle(slug, number), int(number))
            case ["POST", "games", slug, "puzzles", number]:
                return puzzle_answer(_puzzle(slug, number), msgspec.json.decode(body, type=PuzzleTry))
            case ["GET", "games", slug, "puzzles", number, "solution"]:
                return puzzle_solution(_puzzle(slug, number))
            case [_, "tables", table, *part]:
                return await self._respond_at(me, method, table, "/".join(part), query, body)
        raise NotHere(NO_PAGE)

    async def _respond_at(
        self, me: Visitor, method: str, table: str, part: str, query: dict[str, str], body: str
    ) -> object:
        """The answer to a request that names a table. Raises Refusal, BadRecord, ValueError."""
        house = self._house
        match method, part:
            case "GET", "":
                return await house.show(me, table)
            case "POST", "actions":
                return await house.act(me, table, msgspec.json.decode(body, type=AnyAction))
            case "GET", "score":
                return await house.score(me, table)
            case "GET", "replay":
                return await house.replay(me, table, int(query.get("deal", "1")), query.get("seat"))
            case "POST", "hint":
                return await house.hint(me, table)
            case "POST", "review":
                return await house.review(me, table, int(query["seat"]) if "seat" in query else None)
            case "GET", "record":
                return (await house.record(me, table))[1]
            case "POST", "fork":
                return await house.fork(me, table, msgspec.json.decode(body, type=NewFork))
        raise NotHere(NO_PAGE)

    async def _fetch(self, part: str) -> None:
        """Fetch a part of Upcard's files, unless it is here. Raises Refusal without a connection."""
        if part and part not in self._parts:
            if not await self._files.load(part):
                raise Refusal(NOT_FETCHED)
            importlib.invalidate_caches()  # there may be modules among them
            self._parts.add(part)

    async def _open_matches(self, text: str) -> OpenedMatches:
        """Store the tables of a file; those in memory show what is new. Raises Unacceptable, NotWritten."""
        taken = await open_matches(self._store, text)
        for table_id in taken.continued:
            await (await self._house.table(ME, table_id)).catch_up()
        return taken

    async def open_line(self, line: str, table_id: str, language: str | None = None) -> None:
        """Connect a window to a table: it is sent a welcome, and then every message to its seat, in this language. If
        that cannot be, the line is closed with the reason."""
        self.close_line(line)
        tag = best_language(language or DEFAULT)
        try:
            table = await self._house.table(ME, table_id)
        except (Refusal, BadRecord) as error:
            self._post(line, "", texts_in(tag)(failure_of(error)[1].error))
            return
        client = Client(
            ME.identity,
            lambda message: self._post(line, message.json(tag), ""),
            lambda why: self._post(line, "", texts_in(tag)(as_sentence(why, None))),
        )
        self._lines[line] = table, client
        table.join(client)

    async def hear(self, line: str, text: str) -> None:
        """Take a message from a window to its table."""
        if line in self._lines:
            table, client = self._lines[line]
            await answer_message(table, client, read_message(text))

    def close_line(self, line: str) -> None:
        """Disconnect a window from its table."""
        if line in self._lines:
            table, client = self._lines.pop(line)
            table.leave(client)


def load_games() -> None:
    """Import all that a house needs, before a snapshot of the memory is made."""
    for slug in SHIPPED:
        games.load(slug)
    for level in LEVELS:
        player(level)


def start_house(database: BrowserDatabase, post: Post, modules: CompiledGames, files: LaterFiles) -> BrowserHouse:
    """The house of a worker, where these modules of games are the compiled code. Python may have been restored from a
    snapshot of its memory: generators of random numbers are seeded anew."""
    reseed()
    use_machines(lambda game: WebMachine(game, modules))
    return BrowserHouse(database, post, modules, files)


def part_needed(path: str) -> str:
    """The part of Upcard's files that the answer to a request needs besides those that are always here; empty if it
    needs none. `upcard.browser.python_files` makes the parts."""
    match path.split("/"):
        case ["puzzles", _] | ["games", _, "lessons" | "puzzles", *_]:
            return "lessons"
        case ["games", _, "rules"]:
            return "rules"
    return ""


def _lesson(slug: str, number: str) -> Lesson:
    """A lesson of a game that is here. Raises NotHere."""
    lesson = lesson_numbered(games.load(slug), int(number), reader.get()) if slug in games.names() else None
    if lesson is None:
        raise NotHere("There is no such lesson")
    return lesson


def _puzzle(slug: str, number: str) -> Puzzle:
    """A puzzle of a game that is here. Raises NotHere."""
    puzzle = puzzle_numbered(games.load(slug), int(number)) if slug in games.names() else None
    if puzzle is None:
        raise NotHere("There is no such puzzle")
    return puzzle


def _todays_puzzle() -> PuzzleOfDay:
    """Which puzzle is that of today. Raises NotHere."""
    today = todays_puzzle()
    if today is None:
        raise NotHere("There are no puzzles here")
    return today


def rules_of_table(slug: str, query: dict[str, str]) -> object:
    """The rules in players' words for a table with these players and options. Raises Refusal, BadRecord."""
    from upcard.house.rulebook import rules_page

    if slug not in games.names():
        raise NotHere("There is no such game")
    try:
        options = json.loads(query.get("options", "{}"))
    except ValueError:
        raise Unacceptable("options is not a JSON object") from None
    return rules_page(Setup(slug, int(query["players"]) if "players" in query else None, options), reader.get())


def browser_club() -> Club:
    """The house as its page sees it first."""
    return Club(
        "Upcard",
        __version__,
        locked=False,
        admitted=True,
        address=None,
        closing=False,
        can=BROWSER_CAN,
        languages=languages_here(),
    )


def browser_games(language: str = DEFAULT) -> list[GameInfo]:
    """The games that come with Upcard, for readers of a language."""
    return [game for game in games_here(language) if game.slug in SHIPPED]
