"""The log's remarks about people: arrivals and departures, agreements."""

from __future__ import annotations

from collections.abc import Sequence

from upcard.table.journal import (
    Answered,
    AnyEntry,
    Claimed,
    Ended,
    Knocked,
    KnockEnded,
    Left,
    Renewed,
    Returned,
    Seated,
    Substituted,
    TookBack,
)

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
        case Renewed(seat=seat):
            return f"{after[seat]} makes a new invitation link"
        case Knocked(name=name, again=False):
            return f"{_literal(name)} would like to sit down"
        case KnockEnded(name=name, why=why):
            return f"{_literal(name)} {_KNOCKS_END[why]}"
        case Answered(seat=seat, agree=False):
            return f"{after[seat]} says no"
        case Substituted(seat=seat, late=True):
            return f"{after[seat]} has run out of time"
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
