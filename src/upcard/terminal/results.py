"""The results of a person's saved matches: statistics over all of them, and the score sheet of one."""

from __future__ import annotations

from collections.abc import Sequence

from upcard.house.bodies import ScoreSheet, Statistic
from upcard.house.house import House
from upcard.house.replays import score_sheet
from upcard.house.services import Visitor
from upcard.house.statistics import PEOPLE
from upcard.house.stores import StoredTable
from upcard.house.tables import Tables
from upcard.rules import listed
from upcard.table.seats import seat_names
from upcard.terminal.local_store import LocalStore
from upcard.terminal.session import ME


async def statistics_lines(store: LocalStore) -> list[str]:
    """The wins and losses in the finished matches of a store, by game and opponents, as a table of text. Raises
    NotWritten if they cannot be read."""
    rows = await House(Tables(store)).statistics(Visitor(ME))
    if not rows:
        return ["There are no finished matches yet that count."]
    return _aligned([("game", "against", "matches", "won"), *map(_row, rows)], left=2)


def _row(row: Statistic) -> tuple[str, ...]:
    against = row.against if row.against == PEOPLE else f"{row.against} players"
    return row.title, against, str(row.matches), f"{row.won} ({100 * row.won / row.matches:.0f} %)"


def score_lines(saved: StoredTable) -> list[str]:
    """The score sheet of a saved match as a table of text. Raises UpcardError if its game or the game's rules have
    changed."""
    state = saved.standing()
    places = state.seating.places
    names = ["You" if place.identity == ME else name for place, name in zip(places, seat_names(places), strict=True)]
    sheet = score_sheet(state.match, names)
    title = f"{state.match.game.title}, match {saved.plan.id}, {'over' if saved.done else 'in play'}"
    if not sheet.deals:
        return [title, "No deal is finished yet."]
    return [title, *_aligned([("deal", "dealer", *names), *_scores(sheet)], left=0), *_ending(sheet)]


def _scores(sheet: ScoreSheet) -> list[tuple[str, ...]]:
    return [(str(deal.deal), sheet.names[deal.dealer], *map(str, deal.scores)) for deal in sheet.deals]


def _ending(sheet: ScoreSheet) -> list[str]:
    """The line that names the winners of a match that is over."""
    return [f"Won by {listed([sheet.names[seat] for seat in sheet.winners])}"] if sheet.winners else []


def _aligned(rows: Sequence[Sequence[str]], *, left: int) -> list[str]:
    """Rows of cells as lines, the first `left` columns aligned left, the others right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
