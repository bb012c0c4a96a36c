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
from upcard.rules.second_person import ME, you
from upcard.rules.sentences import PlayerAt, Sentence, as_sentence, joined_by, lower_first, sentence
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
from upcard.table.own_scene import names_with_me
from upcard.table.speech import utterances_of, with_names

_KNOCKS_END = {
    "declined": "{player} is not let in",
    "withdrawn": "{player} no longer wants to sit down",
    "gone": "{player} has left again",
}
_LEFT = {
    "removed": "{player} is removed",
    "left": "{player} leaves",
    "resigned": "{player} resigns",
}
_TAKES_OVER = "; {other} takes over"
"""The ending of these messages if a computer player moves for the seat from now on."""


def remark(entry: AnyEntry, before: Sequence[str], after: Sequence[str], host: int | None = None) -> Sentence | None:
    """The remark on an entry; None if it is not worth one. `before` and `after` are the names at the table before and
    after it; `host` is the seat of the host if somebody else was the host before."""
    text = _remark(entry, before, after)
    if text is None or host is None:
        return text
    return joined_by(". ", [text, sentence("{player} is the host now", player=after[host])])


def is_for_the_host(entry: AnyEntry) -> bool:
    """Whether the remark on an entry is for the host only."""
    return isinstance(entry, (Knocked, KnockEnded))


def doer_of(entry: AnyEntry) -> int | None:
    """The seat whose player did what an entry about people records; None for what others did."""
    match entry:
        case Substituted(late=False):
            return None
        case Ended(by=by):
            return by
    return getattr(entry, "seat", None)


def _remark(entry: AnyEntry, before: Sequence[str], after: Sequence[str]) -> Sentence | None:
    match entry:
        case Seated(seat=seat, place=place, let_in=let_in) if place.who == "person" and place.identity:
            if let_in:
                return sentence("{player} is let in and sits down", player=after[seat])
            return sentence("{player} sits down", player=after[seat])
        case Left(seat=seat, why=why, place=place, invite=invite):
            line = _LEFT.get(why, _LEFT["resigned"])
            gone = sentence(line, player=before[seat])
            if place.played_by:
                gone = sentence(line + _TAKES_OVER, player=before[seat], other=after[seat])
            return joined_by(". ", [gone, sentence("The invitation link is new")]) if invite else gone
        case Offered(seat=seat, place=place):
            if place.substitute:
                return sentence("{player} plays until somebody sits down", player=before[seat])
            return sentence("{player} makes room for somebody", player=before[seat])
        case Renewed(seat=seat):
            return sentence("{player} makes a new invitation link", player=after[seat])
        case Knocked(name=name, again=False):
            return sentence("{player} would like to sit down", player=name)
        case KnockEnded(name=name, why=why):
            return sentence(_KNOCKS_END[why], player=name)
        case Answered(seat=seat, agree=False):
            return sentence("{player} says no", player=after[seat])
        case Substituted(seat=seat, late=True):
            return sentence("{player} has run out of time; a computer player moves now", player=after[seat])
        case Extended(seats=seats):
            message = "Time ran out while nobody could play here; a few seconds more for {players}"
            return sentence(message, players=tuple([after[seat] for seat in seats]))
        case Substituted(seat=seat):
            return sentence("A computer player moves for {player}", player=after[seat])
        case Returned(seat=seat):
            return sentence("{player} is back", player=after[seat])
        case Claimed(seat=seat):
            return sentence("{player} claims the rest", player=after[seat])
        case TookBack(seat=seat):
            return sentence("{player} goes back to an earlier moment", player=after[seat])
        case Ended(why="conceded", by=by) if by is not None:
            return sentence("{player} concedes the match", player=after[by])
        case Ended(why="closed"):
            return sentence("The house closes this table: the match ends here, without a winner")
        case Ended(why="unfinished"):
            return sentence("The match goes no further here")
        case Ended():
            return sentence("The match ends here, without a winner")
    return None


@dataclass(slots=True)
class LogEntry:
    """One line: an event with its outcome, or a remark about people."""

    seq: int
    event: Event | None
    outcome: Sequence[str]
    """The consequences, or the whole remark: sentences with a `PlayerAt` for every name."""
    names: Sequence[str]
    """The names of the seats after it, followed in a remark by the names before it."""
    spoken: Sequence[Utterance] = ()
    """The words that players say aloud with it."""
    results: int = 0
    """How many of the sentences are the result of a deal that it ended."""
    ending: str = ""
    """The ending of a sentence whose move completed a trick: one of `TRICK_ENDINGS`."""
    taker: int = NOBODY
    """The seat that took the trick."""
    took: bool = False
    """Whether it completed a trick."""
    substituted: bool = False
    """Whether a computer player made the move for a person."""
    private: bool = False
    """Whether it is for the host only."""
    by: int | None = None
    """The seat that did it."""


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
        outcome, result = _outcome(before, after, event), _result(after)
        ending, taker = _trick_ending(after, event) if took else ("", NOBODY)
        lines = (*outcome, *result)
        self._add(
            LogEntry(seq, event, lines, names, spoken, len(result), ending, taker, took, substituted, by=event.seat)
        )

    def _seen_by_all(self, state: Any) -> Any:
        """The part of a state that everybody sees; the one after an event is that before the next."""
        if self._public is None or self._public[0] is not state:
            self._public = state, seen_state(self._setup, state, None)
        return self._public[1]

    def remark(
        self, seq: int, entry: AnyEntry, before: Sequence[str], after: Sequence[str], host: int | None = None
    ) -> None:
        """Add a remark on an entry about people, if it is worth one; `host` is the seat of the host if that is new."""
        players: list[Any] = [*map(PlayerAt, range(len(after) + len(before)))]
        if text := remark(entry, players[len(after) :], players, host):
            names = (*after, *before)
            self._add(LogEntry(seq, None, [text], names, private=is_for_the_host(entry), by=doer_of(entry)))

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

    def last(self, seat: int | None, *, to: int | None = None, result: bool = True) -> LogLine:
        """The latest line as this seat sees it; seat `to` is addressed as "you". Without `result`, the result of a deal
        that the event ended is left out."""
        return self._line_for(self._lines[-1], seat, to, result)

    def utterances(self) -> list[UtteranceView]:
        """The words that players say aloud with the latest event."""
        line = self._lines[-1]
        return with_names(line.spoken, line.names, self._setup.game)

    def _line_for(self, line: LogEntry, seat: int | None, to: int | None, result: bool = True) -> LogLine:
        names, game = names_with_me(line.names, to), self._setup.game
        shown = line.outcome if result else line.outcome[: len(line.outcome) - line.results]
        sentences = [as_sentence(you(text.format(*names), ME), game) for text in shown]
        if line.event is not None and line.event.seat is not None:
            event = seen_event(line.event, seat)
            sentences.insert(0, event_line(self._setup, event, names, line.ending, line.taker))
        if line.substituted:
            sentences[0] = joined_by(" ", [sentences[0], sentence("(by a computer player)")])
        text = sentences[0] if len(sentences) == 1 else joined_by(". ", sentences)
        by_you = to is not None and line.by == to
        return LogLine(line.seq, text, by_you, by_you and line.substituted)


TRICK_ENDINGS = (" and takes the trick", "; {taker} takes the trick", "; the dummy takes the trick")
"""The endings of a move's sentence if it completed a trick."""


def _trick_ending(after: Match[Any], event: Event) -> tuple[str, int]:
    """The ending of the sentence, and the seat that took the trick, for an event that completed one."""
    taker = getattr(after.state, "taker", NOBODY)
    if taker == NOBODY:
        return "", NOBODY
    if event.seat == taker:
        return TRICK_ENDINGS[0], taker
    return (TRICK_ENDINGS[1], taker) if taker < after.players else (TRICK_ENDINGS[2], NOBODY)


def event_line(
    setup: Game[Any], event: SeenEvent, names: Sequence[str], ending: str = "", taker: int = NOBODY
) -> Sentence:
    """An event in words, as far as a seat sees it; `ending` and `taker` as in `LogEntry`."""
    names = tuple(names)
    if event.seat is None:
        return _CHANCE[event.move or 0]
    if event.opened:
        lines = []
        for seat, move in event.opened:
            line = _move_line(setup, seat, move, names)
            lines.append(lower_first(line) if names[seat] == ME else line)
        return sentence("All is revealed: {lines}", lines=joined_by(", ", lines))
    if event.move is not None:
        return _move_line(setup, event.seat, event.move, names, ending, taker)
    quiet = quiet_message(next(verb.quiet for verb in setup.game.notation.verbs if verb.word == event.word))
    if event.count:
        one, many = counted_messages(quiet)
        return sentence(one, many, player=names[event.seat], n=event.count).of(setup.game)
    return sentence(quiet, player=names[event.seat]).of(setup.game)


def said_message(said: str) -> str:
    """The message of a move in the log, from the text of its verb."""
    return f"{{player}} {said}"


def quiet_message(quiet: str) -> str:
    """The message of a move whose items are hidden, from the text of its verb."""
    return f"{{player}} {quiet}"


def counted_messages(message: str) -> tuple[str, str]:
    """The messages of a move of which the number of cards is known, for one card and for several."""
    return f"{message} ({{n}} card)", f"{message} ({{n}} cards)"


@lru_cache(maxsize=1 << 13)
def _move_line(
    setup: Game[Any], seat: int, move: int, names: tuple[str, ...], ending: str = "", taker: int = NOBODY
) -> Sentence:
    """A move in words; cached, as the same moves recur, and so do the names of computer players."""
    message = said_message(setup.notation.spec(move).said) + ending
    return fill_text(message, setup, move, names, player=names[seat], taker="" if taker == NOBODY else names[taker])


def _outcome(before: Any, after: Match[Any], event: Event) -> list[str]:
    """The public consequences of a move, apart from a trick and the result of a deal; the whole sentence of a chance
    event."""
    if event.seat is None:
        return [_chance_line(before, after, event)]
    aftermath = after.setup.aftermath(after.state, event.seat, event.move, before)
    return [aftermath] if aftermath else []


def _result(after: Match[Any]) -> list[str]:
    """The result of the deal that has just ended; empty within a deal."""
    if not (after.done or after.state.awaiting == DEAL):
        return []
    public = seen_state(after.setup, after.state, None)
    return [line for line in after.setup.scene(public, None).result if line]


_CHANCE = {
    DEAL: sentence("Deal"),
    RESHUFFLE: sentence("The stock is renewed"),
    DRAW: sentence("A card is drawn by lot"),
}


def _chance_line(before: Any, after: Match[Any], event: Event) -> Sentence:
    """A deal, a reshuffle or a draw in words, with a card that is face up now."""
    if event.move == DEAL:
        return sentence("Deal {n}: {dealer} deals", n=after.state.deals, dealer=PlayerAt(before.dealer))
    if event.move == DRAW:
        public = seen_state(after.setup, after.state, None)
        if event.items[0] in after.setup.all_cards(public):
            return sentence("A card is drawn by lot: {card}", card=cards.sign(event.items[0]))
    return _CHANCE[event.move]
