"""The messages from a table to its clients; see docs/protocol.md. The page's types are generated from these."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from upcard.languages.answers import encoder_for
from upcard.languages.catalogs import DEFAULT
from upcard.rules.speech import SpeechKind
from upcard.table.changes import SceneChanges
from upcard.table.clocks import ClockView
from upcard.table.journal import EndReason, Origin, OriginKind, Proposed
from upcard.table.scene import SceneView
from upcard.table.seats import OccupantKind
from upcard.table.settings import Settings


class SeatSummary(Struct):
    """A seat and its occupant."""

    seat: int
    name: str | None
    who: OccupantKind
    level: str | None
    """The level of a computer player."""
    here: bool
    """Whether this player is connected to the table now; computer players always are."""
    away_since: float | None = None
    substitute: str | None = None
    """The level of the computer player that plays for somebody who is away, or until somebody sits down."""
    substitute_at: float | None = None
    """The time from which the others may let a computer player step in, if they are waiting for this seat."""
    link: bool = False
    """Whether there is a link that moves this seat to another device; sent to its own player only."""
    thinking: Literal["", "getting ready", "thinking"] = ""
    """The activity of the computer player at this seat, if it takes a while."""


class Proposal(Struct):
    """A proposal to which not all of the others have agreed yet."""

    seat: int
    what: Proposed
    agreed: list[int]
    waits_for: list[int]


class KnockView(Struct):
    """Somebody who asks the host for a seat."""

    number: int
    """To be sent with `let in` and `decline`."""
    name: str
    seat: int | None
    """The seat they want; None if any will do."""


class OwnKnock(Struct):
    """The situation of a person who cannot sit down unless the host lets them in."""

    state: Literal["needed", "waiting", "declined"]
    """`needed`: `sit` asks the host; `waiting`: they have asked; `declined`: the host has said no."""
    again_at: float | None = None
    """The time from which they may ask again; None if they may now, or are waiting."""


class Shuffles(Struct):
    """The inputs of a match's shuffles; see docs/fair-shuffles.md."""

    commitment: str
    """The SHA-256 of the server's secret."""
    pledged: list[str | None]
    """Per seat, the SHA-256 of its nonce."""
    nonces: list[str | None]
    """Per seat, its nonce, once it has been revealed."""
    settled: bool
    """Whether the shuffles are fixed."""
    waits_for: list[int]
    """The seats that have yet to send the nonce that they pledged, with `reveal`."""
    until: float | None
    """The time after which play begins without their nonces; None unless nonces may be revealed now."""
    dealer: bool
    """Whether the first dealer is drawn too. The match record must have the same value."""


class TableView(Struct):
    """A table as shown to one person, without its cards. Times are in seconds since 1970."""

    id: str
    game: str
    title: str
    players: int
    options: dict[str, Any]
    settings: Settings
    created: float
    you: int | None
    host: bool
    host_seat: int | None
    """The seat of the host; None if no person has a seat."""
    started: bool
    done: bool
    ended: EndReason | None
    """How the match was given up, if it was: "closed" by the house; "unfinished": the record stops there."""
    practice: bool
    """Whether one person plays alone with computer players, and may take back freely."""
    seats: list[SeatSummary]
    watching: int
    """The number of people without a seat who are watching."""
    may: list[str]
    """The actions that this person may ask for now."""
    free: Literal["held", "open", "invited"] | None
    """The kind of seat that this person can take, if there is one: held for them, open to anybody, or open to anyone
    with the invitation link."""
    knock: OwnKnock | None
    """None if this person has a seat or may sit down without asking, or if no seat is free."""
    knocks: list[KnockView]
    """The people who ask for a seat; sent to the host only."""
    asked: Proposal | None
    propose_at: float | None
    """The time from which this person may propose something again; None if they may now."""
    next: str | None
    """The table of the rematch, once somebody has asked for one."""
    origin: Origin | None
    """The match that this one continues."""
    brought: OriginKind | None
    """Whether this table shows an imported record, was played on from one, or began with chosen cards."""
    invite: str | None
    """The secret of the invitation link, sent to people with a seat here: `/t/{id}#invite={invite}`."""
    clocks: list[ClockView] | None
    """Per seat; None at a table without clocks."""
    shuffles: Shuffles | None
    """None at a table whose shuffles cannot be checked."""
    room: str | None
    """The room in which the table was opened; who is not a member learns nothing from its id."""
    day: str | None
    """The day whose deal it is; None at any other table."""
    now: float
    """The server's time."""


class LogLine(Struct, omit_defaults=True):
    """An event or a remark, in words."""

    seq: int
    text: str
    by_you: bool = False
    """Whether the person who reads it did this."""
    for_you: bool = False
    """Whether a computer player made the move for the person who reads it."""


class UtteranceView(Struct, frozen=True):
    """Words that a player says aloud."""

    seat: int
    kind: SpeechKind
    text: str


class Message(Struct, tag_field="type", dict=True):
    """The base of all messages. A message is encoded only once for each language, so it must not be changed after
    it has been sent."""

    def encoded(self, language: str = DEFAULT) -> bytes:
        """The message as JSON in UTF-8, as it is sent to readers of a language."""
        by_language: dict[str, bytes] = vars(self)
        if language not in by_language:
            by_language[language] = encoder_for(language).encode(self)
        return by_language[language]

    def json(self, language: str = DEFAULT) -> str:
        """The same as a text."""
        return self.encoded(language).decode()


class Welcome(Message, tag="welcome"):
    """Everything that a client needs to start; sent again when its person sits down and when moves are taken back."""

    table: TableView
    seq: int
    scene: SceneView
    log: list[LogLine]


class EventHappened(Message, tag="event"):
    """Something happened in the match; there is one message for each event, in order."""

    seq: int
    base: int
    """The `seq` of the message before it: a client that has another one asks for a welcome."""
    changes: SceneChanges
    log: LogLine
    oldest: int
    """Clients must drop log lines older than this: at some tables finished tricks may not be reviewed."""
    utterances: list[UtteranceView] | UnsetType = UNSET
    """The words that players say aloud with the event, in order; missing if there are none."""
    clocks: list[ClockView] | UnsetType = UNSET
    """The clocks now, at a table with clocks."""
    may: list[str] | UnsetType = UNSET
    """The actions that the person at this seat may ask for now."""
    substitute_at: list[float | None] | UnsetType = UNSET
    """Per seat, as in the table; missing if no awaited move allows a substitute, now or later."""


class TableChanged(Message, tag="table"):
    """Somebody sat down or left, or something was proposed or agreed."""

    table: TableView
    seq: int
    base: int
    changes: SceneChanges
    """The scene's changes: its prompt contains names, which may have changed."""
    log: list[LogLine]
    """The remarks on the change, if any."""


class PeopleChanged(Message, tag="people"):
    """Somebody came or went."""

    here: list[bool]
    away_since: list[float | None]
    watching: int
    substitute_at: list[float | None]
    """Per seat, as in the table: the others wait less long for a player who is away."""


class Thinking(Message, tag="thinking"):
    """The activity of a computer player, if it takes a while."""

    seat: int
    state: Literal["getting ready", "thinking", "done"]


class NudgeHeard(Message, tag="nudge"):
    """Somebody reminds this person that it is their turn."""

    by: int


Phrase = Literal[
    "hello", "good luck", "well played", "good game", "thanks", "sorry", "oops", "nice one", "one moment", "I am back",
    "your turn", "goodbye",
]  # fmt: skip
"""The phrases that people can send at every table; each reader's page has the words."""
ReactionKind = Literal[
    "smile", "laugh", "wow", "think", "sad", "cross", "heart", "clap", "thumbs up", "party", "sleepy", "luck"
]
"""The reactions that people can show at every table; each reader's page has the pictures."""


class ChatMessage(Message, tag="chat"):
    """Words of somebody at the table. They are never stored; people who come later are sent the latest."""

    number: str
    at: float
    by: str
    """By which a page recognizes this speaker, to mute them."""
    seat: int | None
    """None for somebody who watches."""
    name: str
    phrase: Phrase | None
    text: str | None
    """Plain text, where there is no phrase."""
    audience: Literal["all", "watchers"] = "all"


class ChatRemoved(Message, tag="chat removed"):
    """The host has removed a message."""

    number: str


class Reaction(Message, tag="reaction"):
    """A reaction of somebody at the table, shown for a moment."""

    by: str
    """As in `chat`."""
    seat: int | None
    name: str
    kind: ReactionKind
    audience: Literal["all", "watchers"] = "all"


class Notice(Message, tag="notice"):
    """A notice from the server: it is about to restart, it cannot write at the moment, or all is well again."""

    kind: Literal["closing", "trouble", "well"]
    text: str


class Refused(Message, tag="refused"):
    """A request was refused and nothing changed; `id` is empty if the message was not a move."""

    id: str
    text: str
    clause: str | None


class Accepted(Message, tag="accepted"):
    """The move is on disk as entry `seq`. This is sent before the message about what the move did."""

    id: str
    seq: int


class Alive(Message, tag="alive"):
    """The answer to a `ping`."""

    now: float


Aside = Thinking | NudgeHeard | ChatMessage | ChatRemoved | Reaction
"""Messages about things that are not in the journal."""
AnyMessage = Welcome | EventHappened | TableChanged | PeopleChanged | Aside | Notice | Refused | Accepted | Alive
