"""Claiming the rest: granted only if it follows from what the claimant sees, who then takes every trick."""

import asyncio
from random import Random
from typing import Any

import pytest
from playing import GAMES, play_on, random_match
from sitting_down import ADA, ANN, BO, LEVEL_NAMES, Notebook, again, ask, casual, plan, say, settle
from waiting import PATIENCE

from upcard.engine.match import Match
from upcard.engine.views import View, view
from upcard.engine.worlds import Worlds
from upcard.rules.game import Game
from upcard.rules.tricks import TrickState
from upcard.table.actions import Claim, TakeBack
from upcard.table.claims import may_claim, takes_the_rest
from upcard.table.errors import Refusal
from upcard.table.journal import Claimed, Plan
from upcard.table.seats import Occupant
from upcard.table.table import Table

OF_TRICKS = [game for game in GAMES if issubclass(game.state, TrickState)]

NEVER = "rolling-stone", "sixty-six"
"""Games without claims: in Rolling Stone a deal usually ends with a hand's last card, before anybody takes that trick;
in Sixty-Six whoever leads may also declare."""


def leads(match: Match[Any]) -> bool:
    return len(match.to_act) == 1 and not match.state.in_trick


@pytest.mark.parametrize("game", OF_TRICKS, ids=lambda game: game.slug)
def test_whoever_may_claim_takes_every_trick_in_every_world(game: type[Game[Any]]) -> None:
    """Played out at random in worlds of the claimant's view."""
    claims = 0
    for seed in range(3):
        match, rng = random_match(game, seed), Random(seed)
        for _ in play_on(match, rng, 250):
            if match.awaiting or match.done:
                continue
            if not leads(match):
                assert not any(may_claim(match.view(seat)) for seat in match.to_act)
                continue
            seen = match.view(match.to_act[0])
            if takes_the_rest(seen):
                claims += 1
                worlds = Worlds(seen)
                for _ in range(10):
                    take_all(match, seen, worlds.sample(rng), rng)
    assert (claims > 0) == (game.slug not in NEVER)


def take_all(match: Match[Any], seen: View[Any], world: Any, rng: Random) -> None:
    played = match.fork()
    played.state = world
    assert seen.seat is not None
    for left in range(seen.sizes[seen.seat], 0, -1):
        assert (played.to_act, len(game_hand(played, seen.seat))) == ([seen.seat], left)
        while len(game_hand(played, seen.seat)) == left or played.state.in_trick:
            seat = played.to_act[0]
            played.play(seat, rng.choice(played.legal(seat)))
        assert played.state.taker == seen.seat


def game_hand(match: Match[Any], seat: int) -> list[Any]:
    return [*match.game.hand.cards(match.state, seat)]


@pytest.mark.parametrize("game", OF_TRICKS, ids=lambda game: game.slug)
def test_the_answer_is_the_same_in_all_worlds(game: type[Game[Any]]) -> None:
    match, rng = random_match(game, 5), Random(5)
    for _ in play_on(match, rng, 150):
        if match.awaiting or match.done or not leads(match):
            continue
        seat = match.to_act[0]
        seen = match.view(seat)
        other = view(match.setup, Worlds(seen).sample(rng), seat)
        assert other.state == seen.state
        assert takes_the_rest(other) == takes_the_rest(seen)


async def table_before_a_claim(*places: Occupant, journal: Notebook | None = None) -> tuple[Table, int]:
    """A table of Ninety-Nine at which somebody may claim, and who; found by playing at random."""
    start = Plan("abc", "ninety-nine", 3, 0, {}, "ann")
    for seed in range(50):
        rng, kept = Random(seed), journal or Notebook()
        kept.entries.clear()
        table = await Table.open(start, places, kept, casual, LEVEL_NAMES, Random(seed))
        await settle(table)
        async with asyncio.timeout(PATIENCE):
            while not table.match.done and table.match.state.deals < 6:
                seat = table.match.to_act[0]
                if leads(table.match) and takes_the_rest(table.view(seat)) and table.view(seat).sizes[seat] > 1:
                    return table, seat
                move = rng.choice(table.match.legal(seat))
                await say(table, ("ann", "bo", "cy")[seat], f"{table.seq}", table.seq, move)
    raise AssertionError("nobody could claim anything")


CY = Occupant("person", "Cy", None, "cy")


async def test_a_claim_that_is_granted_plays_the_deal_out_and_no_more() -> None:
    journal = Notebook()
    table, seat = await table_before_a_claim(ANN, BO, CY, journal=journal)
    deal, before = table.match.state.deals, len(table.match.events)
    left = len(table.view(seat).hand())
    assert ["claim" in table.summary(name).may for name in ("ann", "bo", "cy")] == [other == seat for other in range(3)]
    await ask(table, ("ann", "bo", "cy")[seat], Claim())
    played = table.match.events[before : before + 3 * left]
    assert len({event.seat for event in played}) == 3
    assert [event.text.split()[0] for event in table.match.events[before + 3 * left :]] == ["deal"]
    assert table.match.state.deals == deal + 1
    assert not table._state.seating.claimed
    assert any(line.text.endswith("claims the rest") for line in table.welcome(None).log)
    claimed = next(number for number, entry in enumerate(journal.entries) if isinstance(entry, Claimed))
    for cut in range(claimed + 1, len(journal.entries)):  # killed on the way
        resumed = again(journal.entries[:cut], table.plan)
        resumed.wake()
        await settle(resumed)
        assert resumed.match.state.deals == deal + 1


async def test_a_claim_that_does_not_follow_is_refused_and_nothing_changes() -> None:
    table = await Table.open(plan("oh-hell", 3), [ANN, ADA, ADA], Notebook(), casual, LEVEL_NAMES, Random(1))
    await settle(table)
    seq = table.seq
    with pytest.raises(Refusal, match="may still take a trick"):
        await ask(table, "ann", Claim())
    assert table.seq == seq
    assert "claim" not in table.summary("ann").may  # the bids are not over


async def test_a_claim_can_be_taken_back_alone_with_computer_players() -> None:
    table, seat = await table_before_a_claim(ANN, ADA, Occupant("computer", "Basil", "casual"))
    assert seat == 0
    before = len(table.match.events)
    await ask(table, "ann", Claim())
    await ask(table, "ann", TakeBack(events=before))
    assert len(table.match.events) == before
    assert table.match.to_act == [0]
