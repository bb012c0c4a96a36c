"""One person's wins and losses by game and kind of opponents, shown to nobody else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from upcard import games
from upcard.house.bodies import Statistic
from upcard.house.stores import StoredTable
from upcard.players import LEVELS
from upcard.rules.sentences import as_sentence
from upcard.table.journal import AnyEntry, Happened, TookBack
from upcard.table.seats import Occupant, seat_of
from upcard.table.state import Seating
from upcard.table.summary import is_practice

PEOPLE = "people"


def statistics(finished: Iterable[StoredTable], identity: str) -> list[Statistic]:
    """The matches of one person, by game and opponents; a stored table may have its whole journal, or of the events of
    its match only the last. Not counted are matches ended by agreement, those played on from another match, the deals
    of days, those in which the person had a hint, and practice in which a move was taken back."""
    matches: Counter[tuple[str, str]] = Counter()
    won: Counter[tuple[str, str]] = Counter()
    for stored in finished:
        result = _result(stored, identity)
        if result is not None and stored.plan.game in games.names():
            against, has_won = result
            matches[stored.plan.game, against] += 1
            won[stored.plan.game, against] += has_won
    return [
        Statistic(game, as_sentence(games.load(game).title, games.load(game)), against, number, won[game, against])
        for (game, against), number in sorted(matches.items())
    ]


def _result(stored: StoredTable, identity: str) -> tuple[str, bool] | None:
    """The kind of opponents, and whether the person won; None for a match that does not count."""
    seating = Seating(stored.plan, stored.entries)
    seat, ended = seat_of(seating.places, identity), seating.ended
    if seat is None or stored.plan.origin is not None or stored.plan.day is not None or seat in seating.hinted:
        return None
    if is_practice(seating.places) and any(isinstance(entry, TookBack) for entry in stored.entries):
        return None
    against = _against([place for other, place in enumerate(seating.places) if other != seat])
    if ended is not None:
        return _conceded(ended.by, seat, stored.plan.players, against) if ended.why == "conceded" else None
    winners = _winners(stored.entries)
    return None if winners is None else (against, seat in winners)


def _winners(entries: Sequence[AnyEntry]) -> list[int] | None:
    """The winners that the last event of a match names; None if it names none or was taken back."""
    last = next((entry for entry in reversed(entries) if isinstance(entry, (Happened, TookBack))), None)
    return last.winners if isinstance(last, Happened) else None


def _conceded(by: int | None, seat: int, players: int, against: str) -> tuple[str, bool] | None:
    """The player who conceded has lost. The other of two has won; with more players the match does not count."""
    if by == seat:
        return against, False
    return (against, True) if players == 2 else None


def winners_of(seating: Seating, entries: Sequence[AnyEntry]) -> list[int] | None:
    """The seats that have won a finished match; None if nobody has."""
    return _winners(entries) if seating.ended is None else seating.conceded_to


def _against(others: Iterable[Occupant]) -> str:
    """`people` if there are any; otherwise the strongest computer player's level."""
    levels = {place.level for place in others}
    known = [level for level in LEVELS if level in levels]
    return PEOPLE if None in levels or not known else known[-1]
