"""The log's remarks about people: who came and went, what was agreed."""

from __future__ import annotations

from collections.abc import Sequence

from upcard.table.journal import AnyEntry, Claimed, Ended, Left, Returned, Substituted, TookBack


def remark(entry: AnyEntry, before: Sequence[str], after: Sequence[str]) -> str | None:
    """The line about an entry; None if it is not worth one. `before` and `after` are the names at the table."""
    match entry:
        case Left(seat=seat, why=why, place=place):
            gone = f"{before[seat]} {'is removed' if why == 'removed' else 'leaves' if why == 'left' else 'resigns'}"
            return f"{gone}; {after[seat]} takes over" if place.played_by else gone
        case Substituted(seat=seat, late=True):
            return f"{after[seat]} has run out of time"
        case Substituted(seat=seat):
            return f"A computer player moves for {after[seat]}"
        case Returned(seat=seat):
            return f"{after[seat]} is back"
        case Claimed(seat=seat):
            return f"{after[seat]} takes all the rest"
        case TookBack(seat=seat):
            return f"{after[seat]} goes back to an earlier moment"
        case Ended(why="conceded", by=by) if by is not None:
            return f"{after[by]} concedes the match"
        case Ended():
            return "The match ends here, without a winner"
    return None
