"""The deal of the day: the same cards and players for everybody, one try, and others' results after one's own."""

import asyncio
from collections.abc import Sequence
from datetime import date, timedelta

import pytest
from house_window import Window, play
from waiting import PATIENCE

from upcard import games
from upcard.browser.day_secrets import DaysByDate
from upcard.engine.events import Event
from upcard.house.bodies import PlayToday, TodaysDeal
from upcard.house.day_tables import game_of_day
from upcard.house.days import Days
from upcard.house.house import House
from upcard.house.services import Visitor
from upcard.house.stores import DayScore, MemoryStore
from upcard.house.tables import Tables
from upcard.table.actions import Change, Concede, Offer, Rematch, TakeBack
from upcard.table.errors import Forbidden, Overtaken
from upcard.table.messages import TableView
from upcard.table.settings import Settings

ANN, BO, CY = Visitor("ann"), Visitor("bo"), Visitor("cy")
START = date(2026, 1, 1)
SHIPPED = [games.load(slug) for slug in games.SLUGS]
QUICK = next(
    START + timedelta(days) for days in range(99) if game_of_day(START + timedelta(days), SHIPPED).slug == "sixty-six"
)
"""A day on which a match is short."""


class Calendar:
    """The house's calendar, which a test turns."""

    def __init__(self, day: date = QUICK) -> None:
        self.day = day

    def __call__(self) -> date:
        return self.day


def house_with(calendar: Calendar, store: MemoryStore | None = None) -> House:
    tables = Tables(store := store or MemoryStore())
    return House(tables, days=Days(tables, store, today=calendar))


async def begin(house: House, visitor: Visitor, name: str) -> TableView:
    return await house.play_today(visitor, PlayToday(name=name))


async def events(house: House, visitor: Visitor, table: TableView) -> Sequence[Event]:
    return (await house.table(visitor, table.id)).match.events


async def finish(house: House, visitor: Visitor, name: str) -> Window:
    return await play(house, visitor, (await begin(house, visitor, name)).id)


def test_every_game_has_its_day_in_turn() -> None:
    days = [game_of_day(START + timedelta(day), SHIPPED) for day in range(2 * len(SHIPPED))]
    assert days[: len(SHIPPED)] == SHIPPED == days[len(SHIPPED) :]


def test_everybody_has_the_same_cards_and_the_same_computer_players() -> None:
    async def main() -> None:
        for day in range(len(SHIPPED)):
            house = house_with(Calendar(START + timedelta(day)))
            tables = [await begin(house, visitor, visitor.person) for visitor in (ANN, BO)]
            assert tables[0].id != tables[1].id
            seen = []
            for visitor, table in zip((ANN, BO), tables, strict=True):
                live = await house.table(visitor, table.id)
                async with asyncio.timeout(PATIENCE):
                    while not live.match.events or 0 not in live.match.to_act:
                        await asyncio.sleep(0.001)
                seen.append([event.text for event in live.match.events])
            assert seen[0] == seen[1]
            assert tables[0].day == (START + timedelta(day)).isoformat()
            assert tables[0].shuffles is None, "nothing is proved here: the house knows these cards"

    asyncio.run(main())


def test_a_whole_match_goes_alike_where_the_same_is_played() -> None:
    async def main() -> None:
        house = house_with(Calendar())
        courses = []
        for visitor, name in ((ANN, "Ann"), (BO, "Bo")):
            await finish(house, visitor, name)
            await house.today(visitor)  # as the page does when it shows the end
            courses.append([event.text for event in await events(house, visitor, await begin(house, visitor, name))])
        assert courses[0] == courses[1]
        today = await house.today(BO)
        assert [(result.place, result.name, result.yours) for result in today.results] in (
            [(1, "Ann", False), (1, "Bo", True)],
            [(1, "Bo", True), (1, "Ann", False)],
        )

    asyncio.run(main())


def test_the_next_day_and_another_house_have_other_cards() -> None:
    async def main() -> None:
        calendar = Calendar()
        house = house_with(calendar)
        first = await begin(house, ANN, "Ann")
        elsewhere = await begin(house_with(calendar), ANN, "Ann")
        calendar.day += timedelta(len(SHIPPED))  # the same game again
        assert (await house.today(ANN)).table is None
        later = await begin(house, ANN, "Ann")
        assert len({first.id, elsewhere.id, later.id}) == 3
        decks = set()
        for where, table in ((house, first), (house, later)):
            live = await where.table(ANN, table.id)
            async with asyncio.timeout(PATIENCE):
                while not live.match.events:
                    await asyncio.sleep(0.001)
            decks.add(live.match.events[0].text)
        assert len(decks) == 2

    asyncio.run(main())


def test_the_first_try_counts_and_others_results_come_after_it() -> None:
    async def main() -> None:
        house = house_with(Calendar())
        nobody = await house.today(Visitor(None))
        assert nobody == TodaysDeal(QUICK.isoformat(), "sixty-six", nobody.title, None, False, 0, [])
        table = await begin(house, ANN, "Ann")
        assert (await begin(house, ANN, "Ann")).id == table.id, "there is one try"
        window = await play(house, ANN, table.id)
        anns = await house.today(ANN)
        assert (anns.done, anns.finished) == (True, 1)
        (own,) = anns.results
        assert (own.place, own.name, own.yours) == (1, "Ann", True)
        assert own.score == window.scene.seats[0].score
        assert own.won == (0 in window.scene.winners)

        before = await house.today(BO)
        assert (before.results, before.finished) == ([], 1), "Bo has not played yet"
        await begin(house, BO, "Bo")
        assert (await house.today(BO)).results == [], "nor finished"
        assert (await begin(house, ANN, "Ann")).id == table.id, "a second try would know the cards"
        again = await house.act(ANN, table.id, Rematch())
        rematch = await house.show(ANN, again.next or "")
        assert rematch.day is None
        assert await house.statistics(ANN) == [], "the deal of a day is outside statistics"

    asyncio.run(main())


def test_in_a_browser_the_cards_follow_from_the_date_and_ones_own_result_is_there() -> None:
    async def main() -> None:
        courses = []
        for calendar in (Calendar(), Calendar(), Calendar(QUICK + timedelta(len(SHIPPED)))):
            tables = Tables(MemoryStore())
            house = House(tables, days=Days(tables, DaysByDate(), today=calendar))
            window = await finish(house, ANN, "Ann")
            courses.append([event.text for event in await events(house, ANN, await begin(house, ANN, "Ann"))])
            for _ in range(2):
                today = await house.today(ANN)
                own = [(one.score, one.won) for one in today.results if one.yours]
                assert own == [(window.scene.seats[0].score, 0 in window.scene.winners)]
                assert today.finished == 1
        assert courses[0] == courses[1] != courses[2]

    asyncio.run(main())


def test_whoever_gives_up_has_had_their_try() -> None:
    async def main() -> None:
        house = house_with(Calendar())
        table = await begin(house, ANN, "Ann")
        await house.act(ANN, table.id, Concede())
        today = await house.today(ANN)
        assert (today.table, today.done, today.results) == (table.id, True, [])
        assert (await begin(house, ANN, "Ann")).id == table.id

    asyncio.run(main())


def test_nothing_is_taken_back_or_advised_and_nobody_looks_on() -> None:
    async def main() -> None:
        house = house_with(Calendar())
        table = await begin(house, ANN, "Ann")
        assert not {"take back", "hint", "offer", "change"} & {*table.may}
        for action in (TakeBack(events=0), Offer(seat=1), Change(settings=Settings())):
            with pytest.raises(Forbidden, match="the first try counts"):
                await house.act(ANN, table.id, action)
        with pytest.raises(Forbidden, match="no hints in the deal of the day"):
            await house.hint(ANN, table.id)
        assert not table.settings.watchers
        await finish(house, ANN, "Ann")
        _, record = await house.record(ANN, table.id)
        assert b'"fair"' not in record, "others still play with this secret"

    asyncio.run(main())


def test_the_best_come_first_and_equal_results_share_a_place() -> None:
    class Scored(MemoryStore):
        async def day_scores(self, day: str) -> list[DayScore]:
            others = [
                DayScore("b", "Bo", 9, 4, True),
                DayScore("c", "Cy", 2, -5, False),
                DayScore("d", "Di", 9, 4, True),
            ]
            return [*others, *await super().day_scores(day), DayScore("e", "Ed", 12, 40, False)]

    async def main() -> None:
        house = house_with(Calendar(), Scored())
        await finish(house, ANN, "Ann")
        results = [(result.place, result.name) for result in (await house.today(ANN)).results if not result.yours]
        places = [place for place, _ in results]
        assert [name for _, name in results] == ["Bo", "Di", "Ed", "Cy"], "who has won comes before who has not"
        assert places[0] == places[1] < places[2] < places[3]

    asyncio.run(main())


def test_a_store_keeps_the_first_secret_of_a_day_and_one_score_of_a_table() -> None:
    async def main() -> None:
        store, score = MemoryStore(), DayScore("a", "Ann", 7, 3, True)
        assert await store.secret_of_day("2026-11-28") is None
        assert await store.begin_day("2026-11-28", "ab") == await store.begin_day("2026-11-28", "cd") == "ab"
        await store.note_day_score("2026-11-28", score)
        with pytest.raises(Overtaken):
            await store.note_day_score("2026-11-28", score)
        assert [*await store.day_scores("2026-11-28")] == [score]

    asyncio.run(main())
