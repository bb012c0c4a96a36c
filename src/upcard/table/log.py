"""The log of a match in lines of text, worded for each seat.

It stores every event, but words each line from what `upcard.engine.views.seen_event` leaves of it for the seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import Any

from upcard.engine.events import Event, SeenEvent
from upcard.engine.match import Match
from upcard.engine.views import seen_event, seen_state
from upcard.rules import cards
from upcard.rules.game import Game
from upcard.rules.phrases import counted
from upcard.rules.speech import Utterance
from upcard.rules.state import DEAL, DRAW, NOBODY, RESHUFFLE
from upcard.table.journal import (
    Answered,
    AnyEntry,
    Claimed,
    Ended,
    Extended,
    Knocked,
    KnockEnded,
    Left,
    Offered,
    Renewed,
    Returned,
    Seated,
    Substituted,
    TookBack,
)
from upcard.table.messages import LogLine, UtteranceView
from upcard.table.offers import fill_text
from upcard.table.second_person import ME, names_with_me, you
from upcard.table.speech import utterances_of, with_names

_KNOCKS_END = {"declined": "is not let in", "withdrawn": "no longer wants to sit down", "gone": "has left again"}


def remark(entry: AnyEntry, before: Sequence[str], after: Sequence[str], host: int | None = None) -> str | None:
    """The remark on an entry; None if it is not worth one. `before` and `after` are the names at the table, as
    placeholders; `host` is the seat of the host if somebody else was the host before."""
    text = _remark(entry, before, after)
    return text if text is None or host is None else f"{text}. {after[host]} is the host now"


def is_for_the_host(entry: AnyEntry) -> bool:
    """Whether the remark on an entry is for the host only."""
    return isinstance(entry, (Knocked, KnockEnded))


def _remark(entry: AnyEntry, before: Sequence[str], after: Sequence[str]) -> str | None:
    match entry:
        case Seated(seat=seat, place=place, let_in=let_in) if place.who == "person" and place.identity:
            return f"{after[seat]} is let in and sits down" if let_in else f"{after[seat]} sits down"
        case Left(seat=seat, why=why, place=place, invite=invite):
            gone = f"{before[seat]} {'is removed' if why == 'removed' else 'leaves' if why == 'left' else 'resigns'}"
            gone += f"; {after[seat]} takes over" if place.played_by else ""
            return f"{gone}. The invitation link is new" if invite else gone
        case Offered(seat=seat, place=place):
            until = "plays until somebody sits down" if place.substitute else "makes room for somebody"
            return f"{before[seat]} {until}"
        case Renewed(seat=seat):
            return f"{after[seat]} makes a new invitation link"
        case Knocked(name=name, again=False):
            return f"{_literal(name)} would like to sit down"
        case KnockEnded(name=name, why=why):
            return f"{_literal(name)} {_KNOCKS_END[why]}"
        case Answered(seat=seat, agree=False):
            return f"{after[seat]} says no"
        case Substituted(seat=seat, late=True):
            return f"{after[seat]} has run out of time; a computer player moves now"
        case Extended(seats=seats):
            who = ", ".join(after[seat] for seat in seats)
            return f"Time ran out while nobody could play here; a few seconds more for {who}"
        case Substituted(seat=seat):
            return f"A computer player moves for {after[seat]}"
        case Returned(seat=seat):
            return f"{after[seat]} is back"
        case Claimed(seat=seat):
            return f"{after[seat]} claims the rest"
        case TookBack(seat=seat):
            return f"{after[seat]} goes back to an earlier moment"
        case Ended(why="conceded", by=by) if by is not None:
            return f"{after[by]} concedes the match"
        case Ended(why="closed"):
            return "The house closes this table: the match ends here, without a winner"
        case Ended(why="unfinished"):
            return "The match goes no further here"
        case Ended():
            return "The match ends here, without a winner"
    return None


def _literal(name: str) -> str:
    """A name in a text in which braces mark placeholders."""
    return name.replace("{", "{{").replace("}", "}}")


@dataclass(slots=True)
class LogEntry:
    """One line: an event with its outcome, or a remark about people."""

    seq: int
    event: Event | None
    outcome: str
    """The outcome, or the whole remark; {0} is replaced by the first of the names, and so on."""
    names: Sequence[str]
    """The names of the seats after it, followed in a remark by the names before it."""
    spoken: Sequence[Utterance] = ()
    """The words that players say aloud with it."""
    took: bool = False
    """Whether it completed a trick."""
    substituted: bool = False
    """Whether a computer player made the move for a person."""
    private: bool = False
    """Whether it is for the host only."""


class Log:
    """The log of one match."""

    def __init__(self, match: Match[Any]) -> None:
        self._setup: Game[Any] = match.setup
        self._lines: list[LogEntry] = []
        self._kept_from = self._trick_from = 0
        self._last_trick = match.last_trick
        self._public: tuple[Any, Any] | None = None
        """The latest state of which it was asked what everybody sees, and that."""

    def note(
        self,
        seq: int,
        before: Any,
        after: Match[Any],
        event: Event,
        names: Sequence[str],
        *,
        substituted: bool = False,
    ) -> None:
        """Add an event; `before` is the state before it, `after` the match after it; `substituted` for a move that a
        computer player makes for a person."""
        took = after.last_trick is not self._last_trick and bool(after.last_trick)
        self._last_trick = after.last_trick
        if self._public is not None and self._public[0] is after.state:  # it has changed since
            self._public = None
        spoken = utterances_of(self._setup, event, before, after.state, self._seen_by_all) or ()
        self._add(LogEntry(seq, event, _outcome(before, took, after, event), names, spoken, took, substituted))

    def _seen_by_all(self, state: Any) -> Any:
        """What everybody sees of a state; the one after an event is that before the next."""
        if self._public is None or self._public[0] is not state:
            self._public = state, seen_state(self._setup, state, None)
        return self._public[1]

    def remark(
        self, seq: int, entry: AnyEntry, before: Sequence[str], after: Sequence[str], host: int | None = None
    ) -> None:
        """Add a remark on an entry about people, if it is worth one; `host` is the seat of the host if that is new."""
        placeholders = [f"{{{i}}}" for i in range(len(after) + len(before))]
        if text := remark(entry, placeholders[len(after) :], placeholders, host):
            self._add(LogEntry(seq, None, text, (*after, *before), private=is_for_the_host(entry)))

    def _add(self, line: LogEntry) -> None:
        self._lines.append(line)
        if line.took:
            self._kept_from, self._trick_from = self._trick_from, len(self._lines)

    def take_back(self, seq: int, match: Match[Any]) -> None:
        """Drop the events after entry `seq`; remarks stay."""
        lines, self._lines = self._lines, []
        self._kept_from = self._trick_from = 0
        self._last_trick = match.last_trick
        for line in lines:
            if line.event is None or line.seq <= seq:
                self._add(line)

    def remarks_since(self, seq: int, to: int | None, *, host: bool = False) -> list[LogLine]:
        """The remarks on entries after `seq`, worded for seat `to`; with those for the `host` only, if this seat's
        player is the host."""
        latest = takewhile(lambda line: line.seq > seq, reversed(self._lines))
        return [self._line_for(line, to, to) for line in latest if line.event is None and line.private <= host][::-1]

    @property
    def oldest(self) -> int:
        """The entry of the first line that may still be shown. Where earlier tricks may not be reviewed, that is the
        first line of the last finished trick."""
        first = self._kept_from if self._setup.forgets() else 0
        return self._lines[first].seq if first < len(self._lines) else 0

    def lines(self, seat: int | None, most: int, *, to: int | None = None, host: bool = False) -> list[LogLine]:
        """The latest lines as this seat sees them, at most `most`; seat `to` is addressed as "you". Remarks for the
        host only are included if `host`."""
        oldest = self.oldest
        latest = [line for line in self._lines[-most:] if line.seq >= oldest and line.private <= host]
        return [self._line_for(line, seat, to) for line in latest]

    def last(self, seat: int | None, *, to: int | None = None) -> LogLine:
        """The latest line as this seat sees it; seat `to` is addressed as "you"."""
        return self._line_for(self._lines[-1], seat, to)

    def utterances(self) -> list[UtteranceView]:
        """The words that players say aloud with the latest event."""
        line = self._lines[-1]
        return with_names(line.spoken, line.names)

    def _line_for(self, line: LogEntry, seat: int | None, to: int | None) -> LogLine:
        names = names_with_me(line.names, to)
        words = "" if line.event is None else event_line(self._setup, seen_event(line.event, seat), names)
        words += " (by a computer player)" if line.substituted else ""
        return LogLine(line.seq, you(words + line.outcome.format(*names), ME))


def event_line(setup: Game[Any], event: SeenEvent, names: Sequence[str]) -> str:
    """An event in words, as far as a seat sees it."""
    if event.seat is None:
        return {DEAL: "Deal", RESHUFFLE: "The stock is renewed"}.get(event.move or 0, "A card is drawn by lot")
    if event.opened:
        return f"All is revealed: {', '.join(_move_line(setup, seat, move, names) for seat, move in event.opened)}"
    if event.move is not None:
        return _move_line(setup, event.seat, event.move, names)
    quiet = next(verb.quiet for verb in setup.game.notation.verbs if verb.word == event.word)
    return f"{names[event.seat]} {quiet}" + (f" ({counted(event.count, 'card')})" if event.count else "")


def _move_line(setup: Game[Any], seat: int, move: int, names: Sequence[str]) -> str:
    named = "seat" in setup.game.notation.spec(move).items
    return f"{names[seat]} {_move_in_words(setup, move, tuple(names) if named else ())}"


@lru_cache(maxsize=1 << 13)
def _move_in_words(setup: Game[Any], move: int, names: tuple[str, ...]) -> str:
    """Cached, as the same moves recur."""
    return fill_text(setup.notation.spec(move).said, setup, move, names)


def _outcome(before: Any, took: bool, after: Match[Any], event: Event) -> str:
    """The public outcome of an event, with {0} for the name of seat 0."""
    if event.word == "deal" and event.seat is None:
        return f" {after.state.deals}: {{{before.dealer}}} deals"
    outcome = _drawn(after, event) if event.seat is None and event.move == DRAW else ""
    taker = getattr(after.state, "taker", NOBODY)
    if took and taker != NOBODY:
        name = f"{{{taker}}}" if taker < after.players else "the dummy"
        outcome = " and takes the trick" if event.seat == taker else f"; {name} takes the trick"
    if event.seat is not None:
        aftermath = after.setup.aftermath(after.state, event.seat, event.move, before)
        outcome += f". {aftermath}" if aftermath else ""
    if after.done or after.state.awaiting == DEAL:
        public = seen_state(after.setup, after.state, None)
        outcome += "".join(f". {line}" for line in after.setup.scene(public, None).result)
    return outcome


def _drawn(after: Match[Any], event: Event) -> str:
    """The card just drawn by lot, if it is face up now."""
    card = event.items[0]
    public = seen_state(after.setup, after.state, None)
    return f": {cards.sign(card)}" if card in after.setup.all_cards(public) else ""
