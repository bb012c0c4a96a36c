"""The live table plays whole matches: people and computer players, each told every event in order."""

import asyncio
from collections.abc import Awaitable, Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from playing import GAMES, play_on, random_match
from sitting_down import ADA, ANN, BO, LEVEL_NAMES, Ear, Notebook, casual, opened, plan, say, settle
from waiting import PATIENCE

from upcard import Match
from upcard.engine.views import View
from upcard.players import player
from upcard.rules.game import Game
from upcard.table.changes import SceneChanges, applied, scene_changes
from upcard.table.journal import AnyEntry, Plan
from upcard.table.messages import (
    Accepted,
)
from upcard.table.own_scene import describe_to
from upcard.table.scene import describe
from upcard.table.seats import Occupant, computer
from upcard.table.table import Table


async def test_two_people_play_a_whole_match_and_each_hears_every_event_in_order() -> None:
    table, rng = await opened(ANN, BO), Random(2)
    ears, first = [Ear("ann"), Ear("bo"), Ear(None)], table.seq
    for ear in ears:
        table.join(ear.client)
    assert all(ear.kinds()[0] == "welcome" for ear in ears)
    async with asyncio.timeout(PATIENCE):
        while not table.match.done:
            seat = table.match.to_act[0]
            move = rng.choice([move for move in table.match.legal(seat) if move != "declare"])
            answer = await say(table, ("ann", "bo")[seat], f"move {table.seq}", table.seq, move)
            assert isinstance(answer, Accepted)
    for ear, eyes in zip(ears, (0, 1, None), strict=True):
        assert [event.seq for event in ear.events()] == list(range(first + 1, table.seq + 1))
        assert ear.scene == describe_to(table.match.view(eyes), table.match.last_trick, ["Ann", "Bo"])
        assert ear.scene.seat == eyes
        assert ear.scene.winners


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
async def test_a_person_plays_against_computer_players(game: type[Game[Any]]) -> None:
    journal, rng, ears = Notebook(), Random(1), [Ear("ann"), Ear(None)]
    places = [ANN]
    for _ in range(game.default_players - 1):
        places.append(computer("casual", places, LEVEL_NAMES))
    start = Plan("abc", game.slug, game.default_players, 0, {}, "ann")
    table = await Table.open(start, places, journal, casual, LEVEL_NAMES, Random(1))
    for ear in ears:
        table.join(ear.client)
    await settle(table)
    for _ in range(25):
        if table.match.done:
            break
        assert 0 in table.match.to_act
        await say(table, "ann", f"move {table.seq}", table.seq, rng.choice(table.match.legal(0)))
        for seat in [None, *range(len(places))]:  # nothing that is remembered for one seat reaches another
            seen = table.match.view(seat)
            assert table.scene(seat) == describe_to(seen, table.match.last_trick, [*table.names])
    assert journal.events == [event.text for event in table.match.events]
    assert len(journal.events) > 25
    names = [place.name or "" for place in places]
    for ear, seat in zip(ears, (0, None), strict=True):
        assert ear.scene == describe_to(table.match.view(seat), table.match.last_trick, names)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
@pytest.mark.parametrize("seed", range(3))
def test_changes_applied_to_a_scene_give_the_next_scene(game: type[Game[Any]], seed: int) -> None:
    match, rng = random_match(game, seed), Random(seed)
    scenes = {seat: describe(match.view(seat)) for seat in (None, *range(match.players))}
    size = whole = 0
    for _ in play_on(match, rng, 150):
        for seat, before in scenes.items():
            after = describe(match.view(seat), match.last_trick)
            told = msgspec.json.decode(
                msgspec.json.encode(scene_changes(before, after), enc_hook=str), type=SceneChanges
            )
            assert applied(before, told) == after
            size += len(msgspec.json.encode(told, enc_hook=str))
            whole += len(msgspec.json.encode(after, enc_hook=str))
            scenes[seat] = after
    assert size < whole * 0.7


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_a_move_is_forced_only_where_everybody_can_count_to_one(game: type[Game[Any]]) -> None:
    seen = 0
    for seed in range(3, 9):  # in Kalooki and Rolling Stone it is rare
        match = random_match(game, seed)
        for _ in play_on(match, Random(seed), 300):
            for seat in match.to_act:
                forced = describe(match.view(seat)).offers.forced
                if forced:
                    assert match.legal(seat) == [forced]
                    assert match.view(None).sizes[seat] == 1 or match.setup.moves_are_public(match.state, seat)
                    seen += 1
        if seen:
            break
    assert seen or not game.has_tricks()


def test_a_scene_that_did_not_change_has_no_changes() -> None:
    scene = describe(Match("sixty-six", chance=Random(1)).view(0))
    assert msgspec.json.encode(scene_changes(scene, scene)) == b"{}"


async def test_computer_players_play_a_match_to_its_end_when_the_last_seat_is_theirs() -> None:
    table = await opened(ADA, Occupant("computer", "Basil", "casual"))
    assert table.match.done


async def test_moves_made_at_once_are_written_together_and_told_one_by_one() -> None:
    """As if each had been waited for: the same match, the same messages, in fewer writes."""
    told, matches, writes = [], [], []
    for at_once in (False, True):
        luck, journal, ear = Random(1), Counted(), Ear("ann")

        def quickly(level: str, seen: View[Any], luck: Random = luck) -> str:
            return player("heuristic").choose(seen, luck)

        async def slowly(level: str, seen: View[Any], luck: Random = luck) -> str:
            return player("heuristic").choose(seen, luck)

        think = quickly if at_once else slowly
        start = plan("oh-hell", 5, max_cards=2)
        table = await Table.open(start, [ANN, *[ADA] * 4], journal, think, LEVEL_NAMES, Random(1))
        table.join(ear.client)
        await settle(table)
        async with asyncio.timeout(PATIENCE):
            while not table.done:
                await say(table, "ann", f"{table.seq}", table.seq, table.match.legal(0)[0])
        told.append([message.json() for message in ear.events()])
        matches.append(journal.events)
        writes.append(journal.writes)
    assert matches[0] == matches[1]
    assert told[0] == told[1]
    assert writes[1] < 0.6 * writes[0]


class Counted(Notebook):
    """Counts how often something was written."""

    def __init__(self) -> None:
        super().__init__()
        self.writes = 0

    async def append(self, table: str, first: int, entries: Sequence[AnyEntry], *, done: bool) -> None:
        await super().append(table, first, entries, done=done)
        self.writes += 1


@pytest.mark.parametrize("fault", [RuntimeError("confused"), SystemExit()])
@pytest.mark.parametrize("at_once", [True, False])
async def test_a_player_that_fails_is_helped_out_with_a_legal_move(fault: BaseException, at_once: bool) -> None:
    def confused(level: str, seen: View[Any]) -> str | Awaitable[str]:
        return says(seen) if at_once else later(seen)

    def says(seen: View[Any]) -> str:
        if seen.state.deals % 2:
            raise fault
        return "no such move"

    async def later(seen: View[Any]) -> str:
        return says(seen)

    table = await Table.open(plan(target=3), [ADA, ADA], Notebook(), confused, LEVEL_NAMES, Random(1))
    await settle(table)
    assert table.match.done
