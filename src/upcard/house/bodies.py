"""The messages to and from a house other than those of `upcard.table`, over HTTP and WebSocket: docs/protocol.md.

The page's types are generated from these. Whatever browsers send is validated against them first.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from upcard.table.actions import Hex, Name, SeatNumber, Secret, ShortText
from upcard.table.advising import Mistake
from upcard.table.changes import SceneChanges
from upcard.table.messages import TableView, UtteranceView
from upcard.table.scene import MarkView, SceneView
from upcard.table.settings import Settings

LONGEST_PASSPHRASE = 120

OptionValue = Annotated[str, Meta(max_length=120)] | int | bool


class Body(Struct, forbid_unknown_fields=True):
    """The base class of everything sent to the server; forbids unknown fields."""


# ------------------------------------------------------------------------------------------------------ to the server


class Me(Body, tag_field="who", tag="me"):
    """A seat for the person who opens the table."""


class ComputerSeat(Body, tag_field="who", tag="computer"):
    """A seat for a computer player."""

    level: ShortText


class Open(Body, tag_field="who", tag="open"):
    """A seat for anyone who comes."""


class NewTable(Body):
    """`POST /api/tables`."""

    game: ShortText
    players: int
    options: dict[ShortText, OptionValue]
    name: Name
    seats: Annotated[list[Me | ComputerSeat | Open], Meta(max_length=10)]
    settings: Settings = Settings()
    pledge: Hex | None = None
    """The pledge of the person who opens the table, as in the action `sit`."""
    given: Annotated[str, Meta(max_length=400)] = ""
    """Cards of the first deal, as in `0=As Ks; upcard=Td`, at a table with computer players alone."""


class PlayToday(Body):
    """`POST /api/today`: play the deal of the day."""

    name: Name


class NewFork(Body):
    """`POST /api/tables/{id}/fork`: play on from the middle of a finished match, against computer players."""

    events: Annotated[int, Meta(ge=0)]
    """The number of events to take over from the match."""
    seat: SeatNumber
    name: Name
    level: ShortText
    pledge: Hex | None = None
    """As in the action `sit`."""


class Enter(Body):
    """`POST /api/club/enter`."""

    passphrase: Annotated[str, Meta(max_length=LONGEST_PASSPHRASE)]


class Redeem(Body):
    """`POST /api/tables/{id}/redeem`: move your seat to this device. Also the body of `POST
    /api/tables/{id}/linked`."""

    secret: Secret


class MakeMove(Body, tag_field="type", tag="move"):
    """A move, over the WebSocket."""

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    seq: Annotated[int, Meta(ge=0)]
    text: Annotated[str, Meta(max_length=200)]


class Look(Body, tag_field="type", tag="look"):
    """Asks for a welcome, after a change whose `base` differs from the page's `seq`."""


class Ping(Body, tag_field="type", tag="ping"):
    """Asks for a sign of life."""


ToTable = MakeMove | Look | Ping

# ----------------------------------------------------------------------------------------------------- from the server


class Failure(Struct):
    """The body of any answer that reports a failure."""

    error: str
    clause: str | None


class Abilities(Struct, frozen=True):
    """The abilities of a house: a page offers only these. `may` of a table has the actions of one person."""

    invite: bool
    """Other people can sit down at a table, by a link."""
    listed: bool
    """Tables can be listed, for anybody to sit down."""
    devices: bool
    """A person can take their seat to another device, by a link."""
    reviews: bool
    """The decisions in finished matches can be reviewed."""
    hints: bool
    """A person alone with computer players can get hints."""
    proofs: bool
    """The house binds itself to its part in the shuffles, for people to check it after the match."""
    matches: bool
    """All of a person's matches can be saved in one file, and opened from it."""
    rooms: bool
    """There are rooms for an evening with friends."""
    daily: bool
    """There is a deal of the day, the same for everybody here."""


class LanguageInfo(Struct, frozen=True):
    """A language in which the house can be read."""

    tag: str
    """As in BCP 47: `de`, `pt-BR`. To be sent as `Accept-Language`, or to a WebSocket as `?language=`."""
    name: str
    """Its name in itself: `Deutsch`."""
    direction: Literal["ltr", "rtl"]
    """Whether it is written from left to right, or from right to left."""


class Club(Struct):
    """`GET /api/club`: the house."""

    title: str
    version: str
    locked: bool
    """Whether you need a passphrase to play here."""
    admitted: bool
    """Whether this browser has given it, or none is needed."""
    address: str | None
    """Where others can reach the page; None if only this machine can."""
    closing: bool
    """Whether the server is about to restart."""
    can: Abilities
    languages: list[LanguageInfo]
    """English first."""


class OptionBounds(Struct):
    """The default and the bounds of an option."""

    default: OptionValue
    low: int | None
    high: int | None


class GameOption(Struct):
    """An option of a game's rules."""

    name: str
    kind: Literal["whole", "choice", "flag", "digits"]
    default: OptionValue
    low: int | None
    high: int | None
    values: list[OptionValue] | None
    help: str
    clause: str | None
    by_players: dict[str, OptionBounds] | UnsetType = UNSET
    """By number of players, where they differ from the above."""
    title: str | UnsetType = UNSET
    """Its name in words, in other languages than English."""
    titles: list[str] | UnsetType = UNSET
    """The values in words, in their order, in other languages than English; empty for numbers and flags."""


class GameInfo(Struct):
    """A game, for the lobby."""

    slug: str
    title: str
    family: str
    players: list[int]
    default_players: int
    summary: str
    length: str
    minutes: int
    """The fewest that a usual match takes; 0 if nobody knows."""
    difficulty: str
    picture: list[list[str]]
    """Typical cards of the game, in groups to draw together."""
    short: dict[str, Any] | None
    """The options of a match of about a quarter of an hour; None if a usual match is short."""
    author: dict[str, Any] | None
    """The options with which the game is as its author wrote it; None for a game without a written source."""
    author_clause: str
    """The clause that says how the usual table differs from the source, and why; empty without a source."""
    levels: list[str]
    """The levels of its computer players, from the weakest to the strongest."""
    options: list[GameOption]
    lessons: list[str]
    """The titles of its lessons, in order."""
    puzzles: list[int]
    """The difficulty of each of its puzzles, in order: 1 easy, 2 medium, 3 hard."""


class Page(Struct):
    """A page of text."""

    title: str
    html: str
    language: str = "en"
    """The tag of the language in which it is written."""


class LevelInfo(Struct):
    """A kind of computer player."""

    name: str
    title: str
    help: str


class GettingReady(Struct):
    """The answer while hints are being prepared: ask again in a moment."""

    says: str


class SeatLink(Struct):
    """`POST /api/tables/{id}/link`: a link that moves your seat to another device, `/t/{id}#seat={secret}`."""

    secret: str


class LinkedSeat(Struct):
    """`POST /api/tables/{id}/linked`: the seat that a link moves to another device."""

    seat: int


class DealScore(Struct):
    """One finished deal."""

    deal: int
    dealer: int
    scores: list[int]
    """The scores after the deal."""
    marks: list[list[MarkView]]
    """Per seat, how the deal went."""
    result: list[str]
    """How it ended, in words."""
    first: int
    """The number of its first event, from 0."""
    events: int
    """The number of events of the match up to the end of the deal."""


class ScoreSheet(Struct):
    """`GET /api/tables/{id}/score`: the finished deals of a match."""

    names: list[str]
    deals: list[DealScore]
    winners: list[int]


class ReplayStep(Struct):
    """One event of a replay."""

    events: int
    """The number of events of the match up to and including it."""
    seat: int | None
    text: str
    changes: SceneChanges
    utterances: list[UtteranceView] | UnsetType = UNSET
    """As in the message `event`."""


class Replay(Struct):
    """`GET /api/tables/{id}/replay?deal=1&seat=0`: one deal of a finished match."""

    table: TableView
    names: list[str]
    deals: int
    deal: int
    seat: int | Literal["all"] | None
    """The seat whose view is shown; `all`: all cards face up; None: as everybody saw it."""
    start: SceneView
    steps: list[ReplayStep]


class DayResult(Struct):
    """How somebody's first try at the deal of a day ended."""

    place: int
    """From 1; equal results share one."""
    name: str
    score: int
    won: bool
    """Whether they have won the match, alone or with others."""
    yours: bool


class TodaysDeal(Struct):
    """`GET /api/today`: one game a day, with the same cards for everybody at this house."""

    day: str
    """As in ISO 8601, by the house's calendar."""
    game: str
    title: str
    table: str | None
    """Your table; None before your first try, which counts."""
    done: bool
    """Whether your match there is over."""
    finished: int
    """The number of people who have played it to the end."""
    results: list[DayResult]
    """Theirs, the best first; empty before yours is there."""


class LessonStop(Struct):
    """A moment at which a lesson waits for the learner."""

    seq: int
    """The number of events before it."""
    words: str
    glow: list[str]
    """The places to look at: `hand`, `headline`, `moves`, `trick`, cards, seats (`seat 1`), and ids of zones."""
    move: str
    """The move to make; empty if the stop is only to be read."""


class LessonView(Struct):
    """`GET /api/games/{slug}/lessons/1`: a lesson as the learner sees it, from the learner's seat."""

    game: str
    title: str
    seat: int
    names: list[str]
    start: SceneView
    steps: list[ReplayStep]
    stops: list[LessonStop]


class LessonTry(Body):
    """`POST /api/games/{slug}/lessons/1`: a move that the learner tries at a stop, counted from 0."""

    stop: int
    move: ShortText


class PuzzleOfDay(Struct):
    """`GET /api/puzzles/today`: which puzzle is that of today, by the house's calendar."""

    date: str
    """The day: `2026-11-28`."""
    game: str
    number: int


class PuzzleView(Struct):
    """`GET /api/games/{slug}/puzzles/1`: a puzzle as the seat asked for a move sees it."""

    game: str
    title: str
    """The title of the game."""
    number: int
    difficulty: int
    judged: bool
    """Whether expert players have judged the moves, because nothing is proved."""
    seat: int
    names: list[str]
    question: str
    scene: SceneView
    course: list[str]
    """The events before the position in words, as the seat has seen them."""


class PuzzleTry(Body):
    """`POST /api/games/{slug}/puzzles/1`: a move to be judged."""

    move: ShortText


class PuzzleSolution(Struct):
    """`GET /api/games/{slug}/puzzles/1/solution`: the right move, and why it is right."""

    move: str
    text: str


class Review(Struct):
    """`POST /api/tables/{id}/review?seat=0`: how good a seat's decisions in a finished match were, as far as they are
    judged."""

    seat: int
    state: Literal["waiting", "running", "done", "failed"]
    done: int
    """The number of decisions judged so far."""
    of: int
    """The number of all decisions; 0 until they are counted."""
    summary: str
    """How many decisions were best, too close to tell, or cost something."""
    mistakes: list[Mistake]
    """The costliest first."""


class Statistic(Struct):
    """One line of `GET /api/statistics`: your results in the finished matches of a game against one kind of
    opponents."""

    game: str
    title: str
    against: str
    """`people`, or the strongest computer player's level if no other person played."""
    matches: int
    won: int


class OpenedMatches(Struct):
    """`POST /matches`, in a house without a server: what was taken from a file of saved matches."""

    new: int
    """The number of tables that were not here."""
    continued: list[str]
    """The ids of the tables that were here and had more entries in the file."""
    known: int
    """The number of the other tables, which stay as they are."""


class Health(Struct):
    """`GET /health`."""

    status: Literal["ok", "closing", "failing"]
    version: str
    tables: int
    sockets: int
    trouble: str | None
    """The trouble with the stored tables; None if there is none."""
    parts: dict[str, float]
    """For each part of the server, the seconds since it was last known to work."""
