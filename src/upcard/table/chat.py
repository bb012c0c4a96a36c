"""Words and reactions between the people at a table. They are in memory only: no journal, record or replay has them."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Literal, get_args

from upcard.table.errors import Forbidden, Refusal, TooMany, Unacceptable
from upcard.table.messages import ChatMessage, Phrase, Reaction, ReactionKind
from upcard.table.plain_text import plain_text
from upcard.table.seats import LONGEST_NAME, chosen_name

LONGEST_WORDS = 200
"""The most characters of a message."""
PER_SECOND, AT_ONCE = 0.5, 5.0
"""Messages and reactions of one person: per second in the long run, and at once."""
MOST_WORDS = 50
"""The number of latest messages that people who come later are sent."""
KEPT = 30 * 86_400.0
"""Seconds after which a message is forgotten at the latest."""
MOST_SPEAKERS = 1000
"""The number of people whose rates are remembered."""
PHRASES: tuple[Phrase, ...] = get_args(Phrase)
REACTIONS: tuple[ReactionKind, ...] = get_args(ReactionKind)

Audience = Literal["all", "watchers"]


class SpeakingRates:
    """How much each person may say."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """By identity, how much is left, and since when."""

    def take(self, identity: str) -> None:
        """Count one message or reaction. Raises TooMany."""
        now = self._clock()
        left, since = self._left.get(identity, (AT_ONCE, now))
        left = min(AT_ONCE, left + (now - since) * PER_SECOND)
        if left < 1:
            raise TooMany("That was a lot at once: wait a moment")
        self._left[identity] = left - 1, now
        self._left.move_to_end(identity)
        if len(self._left) > MOST_SPEAKERS:
            self._left.popitem(last=False)


class Conversation:
    """The latest messages at one table, as known to this program."""

    def __init__(self) -> None:
        self._messages: deque[ChatMessage] = deque(maxlen=MOST_WORDS)

    def add(self, message: ChatMessage) -> None:
        self._messages.append(message)

    def remove(self, number: str) -> None:
        """Forget a message."""
        rest = [message for message in self._messages if message.number != number]
        self._messages = deque(rest, MOST_WORDS)

    def heard_by(self, seat: int | None) -> list[ChatMessage]:
        """The messages that somebody with this seat may read, or somebody without a seat."""
        oldest = time.time() - KEPT
        return [message for message in self._messages if message.at > oldest and may_hear(message.audience, seat)]


def may_hear(audience: Audience, seat: int | None) -> bool:
    """Whether words for this audience reach somebody with this seat, or without one."""
    return audience == "all" or seat is None


def audience_of(seat: int | None, done: bool) -> Audience:
    """Who hears somebody with this seat: while a match is in play, watchers are heard by watchers only."""
    return "all" if seat is not None or done else "watchers"


def speaker_of(table: str, identity: str) -> str:
    """By which pages recognize one speaker at a table, for muting; tells nothing about the identity."""
    return hashlib.sha256(f"speaker {table} {identity}".encode()).hexdigest()[:12]


def checked_words(phrase: Phrase | None, text: str | None, *, may_write: bool) -> str | None:
    """The text of a message, cleaned; None for a phrase. Raises Unacceptable, Forbidden."""
    if (phrase is None) == (text is None):
        raise Unacceptable("Send either a phrase or a text")
    if text is None:
        return None
    if not may_write:
        raise Forbidden("Only the phrases can be sent here: the host of the table can allow more")
    if not (cleaned := plain_text(text, LONGEST_WORDS)):
        raise Unacceptable("There is nothing to read in this message")
    return cleaned


def chat_message(
    table: str, identity: str, seat: int | None, name: str, phrase: Phrase | None, text: str | None, done: bool
) -> ChatMessage:
    """A message of a person now."""
    number, at = secrets.token_hex(6), round(time.time(), 3)
    return ChatMessage(number, at, speaker_of(table, identity), seat, name, phrase, text, audience_of(seat, done))


def reaction_of(table: str, identity: str, seat: int | None, name: str, kind: ReactionKind, done: bool) -> Reaction:
    """A reaction of a person now."""
    return Reaction(speaker_of(table, identity), seat, name, kind, audience_of(seat, done))


def speaking_name(name: str | None) -> str:
    """The name of somebody without a seat. Raises Refusal, Unacceptable."""
    if not plain_text(name or "", LONGEST_NAME):
        raise Refusal("Say who you are: choose a name")
    return chosen_name(name or "", ())
