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
from upcard.languages.localizing import localized, text_for_reader
from upcard.players import LEVELS
from upcard.rules import listed
from upcard.rules.sentences import as_sentence
from upcard.table.seats import seat_names
from upcard.terminal import wording
from upcard.terminal.local_store import LocalStore
from upcard.terminal.session import ME


async def statistics_lines(store: LocalStore) -> list[str]:
    """The wins and losses in the finished matches of a store, by game and opponents, as a table of text. Raises
    NotWritten if they cannot be read."""
    rows = await House(Tables(store)).statistics(Visitor(ME))
    if not rows:
        return [localized("There are no finished matches yet that count.")]
    head = localized("game"), localized("against"), localized("matches"), localized("won")
    return _aligned([head, *map(_row, rows)], left=2)


def _row(row: Statistic) -> tuple[str, ...]:
    against = localized("people")
    if row.against != PEOPLE:
        level = wording.in_small(text_for_reader(as_sentence(LEVELS[row.against].title, None)))
        against = localized("{level} players", level=level)
    return text_for_reader(row.title), against, str(row.matches), f"{row.won} ({100 * row.won / row.matches:.0f} %)"


def score_lines(saved: StoredTable) -> list[str]:
    """The score sheet of a saved match as a table of text. Raises UpcardError if its game or the game's rules have
    changed."""
    state = saved.standing()
    places = state.seating.places
    you = localized("You")
    names = [you if place.identity == ME else name for place, name in zip(places, seat_names(places), strict=True)]
    sheet = score_sheet(state.match, names)
    game, message = state.match.game, "{game}, match {name}, over" if saved.done else "{game}, match {name}, in play"
    title = localized(message, game=as_sentence(game.title, game), name=saved.plan.id)
    if not sheet.deals:
        return [title, localized("No deal is finished yet.")]
    head = localized("deal"), localized("dealer"), *names
    return [title, *_aligned([head, *_scores(sheet)], left=0), *_ending(sheet)]


def _scores(sheet: ScoreSheet) -> list[tuple[str, ...]]:
    return [(str(deal.deal), sheet.names[deal.dealer], *map(str, deal.scores)) for deal in sheet.deals]


def _ending(sheet: ScoreSheet) -> list[str]:
    """The line that names the winners of a match that is over."""
    winners = listed([sheet.names[seat] for seat in sheet.winners])
    return [localized("Won by {names}", names=winners)] if sheet.winners else []


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
