"""The deal of the day: one game a day, with the same cards for everybody at the house, whose first try counts.

A day begins at midnight where the house is. Nobody hears of others' results before their own.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from datetime import date

from upcard import games
from upcard.house.bodies import DayResult, PlayToday, TodaysDeal
from upcard.house.day_tables import game_of_day, id_of_day, places_of_day, plan_of_day
from upcard.house.services import AtOnce, Budget, Visitor
from upcard.house.stores import DayScore, DayStore
from upcard.house.tables import CurrentTable, Tables
from upcard.rules.sentences import as_sentence
from upcard.table.errors import Overtaken
from upcard.table.pledges import new_secret
from upcard.table.table import Table


class Days:
    """The deal of each day at one house."""

    def __init__(
        self, tables: Tables, store: DayStore, budget: Budget | None = None, today: Callable[[], date] = date.today
    ) -> None:
        self._tables = tables
        self._store = store
        self._budget = budget or AtOnce()
        self._today = today

    async def show(self, visitor: Visitor) -> TodaysDeal:
        """The deal of the day as one person may see it. Raises NotWritten."""
        day = self._today()
        game = game_of_day(day, [games.load(slug) for slug in games.SLUGS])
        own = await self._own(visitor, day)
        if own is not None and own.done:
            await self._note(visitor, day, own.plan.id)
        scores = await self._store.day_scores(day.isoformat())
        table = None if own is None else own.plan.id
        ended = own is not None and own.done
        return TodaysDeal(
            day=day.isoformat(),
            game=game.slug,
            title=as_sentence(game.title, game),
            table=table,
            done=ended,
            finished=len(scores),
            results=_results(scores, table) if ended else [],
        )

    async def play(self, visitor: Visitor, wish: PlayToday) -> Table:
        """The person's table of today, opened if they have none yet: there is one try. Raises Refusal, NotWritten."""
        day = self._today()
        own = await self._own(visitor, day)
        if own is None:
            self._budget.table(visitor.address)
            secret = await self._store.begin_day(day.isoformat(), new_secret())
            game = game_of_day(day, [games.load(slug) for slug in games.SLUGS])
            plan = plan_of_day(day, game, secret, visitor.person)
            with contextlib.suppress(Overtaken):  # opened in another window meanwhile
                return await self._tables.begin(plan, places_of_day(game, wish.name, visitor.person))
            table_id = plan.id
        else:
            table_id = own.plan.id
        table = await self._tables.get(table_id, visitor.address, visitor.identity)
        assert table is not None
        return table

    async def _own(self, visitor: Visitor, day: date) -> CurrentTable | None:
        """The table of a day of this person, also one that they have left or brought along from another device."""
        secret = await self._store.secret_of_day(day.isoformat())
        if secret is None or visitor.identity is None:
            return None
        own = await self._tables.current(id_of_day(secret, visitor.identity))
        if own is not None:
            return own
        seated = [table.id for table in await self._tables.of(visitor.identity) if table.day == day.isoformat()]
        return await self._tables.current(seated[0]) if seated else None

    async def _note(self, visitor: Visitor, day: date, table_id: str) -> None:
        """Note the score of a finished match, once. One that was given up has none."""
        scores = await self._store.day_scores(day.isoformat())
        if any(score.table == table_id for score in scores):
            return
        table = await self._tables.get(table_id, visitor.address, visitor.identity)
        if table is None or not table.match.done:
            return
        match, seat = table.match, 0  # where `places_of_day` seats its person
        score = DayScore(
            table_id,
            table.names[seat],
            match.scores[seat],
            match.setup.utility(match.state, seat),
            seat in match.winners,
        )
        with contextlib.suppress(Overtaken):  # noted from another window meanwhile
            await self._store.note_day_score(day.isoformat(), score)


def _rank(score: DayScore) -> tuple[bool, int]:
    """The best come first."""
    return not score.won, -score.lead


def _results(scores: Sequence[DayScore], own: str | None) -> list[DayResult]:
    """All results, the best first, with those of a person's own table marked."""
    ranks = sorted(map(_rank, scores))
    return [
        DayResult(1 + ranks.index(_rank(score)), score.name, score.score, score.won, yours=score.table == own)
        for score in sorted(scores, key=_rank)
    ]
