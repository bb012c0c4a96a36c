"""Verifiable shuffles: committed before the match, the same whatever happens, revealed only at the end."""

import asyncio
import hashlib
import json
from collections import Counter
from itertools import permutations
from math import inf
from typing import Any

import msgspec
import pytest
from sitting_down import ADA, ANN, BO, LEVEL_NAMES, Ear, Notebook, ask, casual, plan, say, settle
from waiting import PATIENCE

from upcard.engine.chance import FairStream, offshoot
from upcard.engine.errors import UpcardError
from upcard.engine.fairness import drawn_dealer, verify
from upcard.rules import cards
from upcard.table import pledges
from upcard.table.actions import Concede, Leave, Reveal, Sit, TakeBack
from upcard.table.errors import Forbidden, Refusal, Taken, Unacceptable
from upcard.table.journal import Happened, NoJournal, Origin, Plan, Revealed, Seated, Settled
from upcard.table.pledges import Pledges, first_dealer
from upcard.table.seats import Occupant
from upcard.table.table import Table

SECRET = "5e" * 64
ANNS, BOS = "a1" * 32, "b0" * 32


def pledged(place: Occupant, nonce: str) -> Occupant:
    return msgspec.structs.replace(place, pledge=pledges.digest(nonce))


def bound(game: str = "sixty-six", players: int = 2, **more: Any) -> Plan:
    options = {"target": 5} if game == "sixty-six" else {}
    return msgspec.structs.replace(plan(game, players, **options), **{"secret": SECRET, "draws_dealer": True} | more)


async def opened(*places: Occupant, journal: Notebook | None = None, start: Plan | None = None) -> Table:
    """A table whose shuffles can be checked."""
    return await Table.open(start or bound(players=len(places)), places, journal or Notebook(), casual, LEVEL_NAMES)


async def played(*places: Occupant, start: Plan | None = None) -> Table:
    """A match that computer players have played to its end."""
    table = await opened(*places, start=start)
    await settle(table)
    assert table.match.done
    return table


# --------------------------------------------------------------------------------------------------------- the pledges


def test_nonces_are_awaited_from_the_last_seat_taken_until_the_shuffles_are_fixed() -> None:
    places = [pledged(ANN, ANNS), BO]
    inputs = Pledges(bound())
    assert (inputs.until, inputs.waits_for(places)) == (None, [])
    inputs.begin(100.0, places)
    assert (inputs.until, inputs.waits_for(places)) == (100.0 + pledges.TIME, [0])
    assert inputs.waits_for([ANN, BO]) == [], "somebody else has the seat now"
    inputs.settle()
    assert (inputs.until, inputs.waits_for(places)) == (None, [])


def test_the_first_dealer_is_drawn_when_the_shuffles_are_fixed_and_only_where_the_plan_says_so() -> None:
    drawn = drawn_dealer(bytes.fromhex(SECRET), [None, None])
    for draws in (True, False):
        start = bound(dealer=1 - drawn, draws_dealer=draws)
        inputs = Pledges(start)
        assert first_dealer(start, inputs) == 1 - drawn
        inputs.settle()
        assert first_dealer(start, inputs) == (drawn if draws else 1 - drawn)


# ----------------------------------------------------------------------------------------------------------- the stream


def test_every_order_is_equally_likely() -> None:
    pack = list(map(cards.read, ["As", "Kh", "Td", "9c"]))
    seen: Counter[tuple[Any, ...]] = Counter()
    for index in range(6000):
        order = pack[:]
        FairStream(b"secret", [None, ANNS], index).shuffle(order)
        seen[tuple(order)] += 1
    expected = 6000 / 24
    assert set(seen) == set(permutations(pack))
    assert sum((count - expected) ** 2 / expected for count in seen.values()) < 50  # chi-square, 23 degrees: p = 0.001


def test_numbers_that_would_favour_some_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = FairStream(b"secret", [], 0)
    monkeypatch.setattr(stream, "_numbers", iter([2**32 - 1, 2**32 - 2, 2**32 - 5]))
    assert stream.below(3) == (2**32 - 2) % 3  # 2**32 - 1 is the only one beyond the last multiple of 3


@pytest.mark.parametrize("other", [(b"2", [ANNS], 0), (b"1", [BOS], 0), (b"1", [ANNS], 1), (b"1", [None, ANNS], 0)])
def test_secret_nonces_and_number_all_count(other: tuple[bytes, list[str | None], int]) -> None:
    stream, other_stream = FairStream(b"1", [ANNS], 0), FairStream(*other)
    assert [stream.below(1000) for _ in range(9)] != [other_stream.below(1000) for _ in range(9)]


def test_the_order_of_the_cards_before_does_not_matter() -> None:
    pack = list(map(cards.read, ["As", "Kh", "Td", "9c"]))
    one, two = pack[:], pack[::-1]
    FairStream(b"1", [], 0).shuffle(one)
    FairStream(b"1", [], 0).shuffle(two)
    assert one == two


def test_a_fork_learns_nothing_of_what_the_stream_will_give() -> None:
    assert not isinstance(offshoot(FairStream(b"1", [], 0), "salt"), FairStream)


# --------------------------------------------------------------------------------------------------- checking a record


@pytest.mark.parametrize(("game", "players"), [("sixty-six", 2), ("kalooki", 3), ("roundup", 4)])
async def test_a_match_is_what_was_fixed_before_it(game: str, players: int) -> None:
    table = await played(*[ADA] * players, start=bound(game, players))
    record = json.loads(json.dumps(table.record()))
    proof, checked = verify(record)
    assert proof.commitment == hashlib.sha256(bytes.fromhex(SECRET)).hexdigest()
    assert checked == sum(not event[0].isdigit() for event in record["events"]) > 0


async def test_what_was_tampered_with_is_found() -> None:
    record = (await played(ADA, ADA)).record()
    fair = record["about"]["fair"]
    deal = max(number for number, event in enumerate(record["events"]) if event.startswith("deal"))
    word, *pack = record["events"][deal].split()
    swapped = " ".join([word, *pack[:-2], pack[-1], pack[-2]])
    wrong: list[tuple[dict[str, Any], list[str], str]] = [
        ({}, [*record["events"][:deal], swapped], "does not follow"),
        ({"secret": "00" * 64}, record["events"], "not the secret"),
        ({"commitment": "00" * 32}, record["events"], "not the secret"),
        ({"nonces": [ANNS, None]}, record["events"], "not the nonce"),
        ({"nonces": [ANNS, None], "pledged": [pledges.digest(ANNS), None]}, record["events"], "does not follow"),
        ({"nonces": [None]}, record["events"], "not have nonces for exactly 2 seats"),
        ({"pledged": [None]}, record["events"], "not have nonces for exactly 2 seats"),
        ({"nonces": "ab"}, record["events"], "cannot be read"),
        ({"dealer": False}, record["events"], "who deals first was not drawn"),
        ({"from": 1}, record["events"], "takes over who deals first"),
        ({"from": 99, "dealer": False}, record["events"], "nothing can be checked"),
        *[({"from": no, "dealer": False}, record["events"], "cannot be read") for no in (-1, True, 0.5, inf, "1")],
    ]
    for change, events, said in wrong:
        with pytest.raises(UpcardError, match=said):
            verify(record | {"about": {"fair": fair | change}, "events": events})
    with pytest.raises(UpcardError, match="nothing can be checked"):
        verify(record | {"about": {}})


async def test_who_deals_first_is_drawn_when_the_shuffles_are_fixed() -> None:
    dealers, journal = set(), Notebook()
    for number in range(6):
        start = bound("oh-hell", 4, secret=f"{number:02x}" * 64, draws_dealer=True, dealer=3)
        table = await opened(pledged(ANN, ANNS), ADA, ADA, ADA, start=start, journal=journal)
        assert table.match.first_dealer == 3
        await ask(table, "ann", Reveal(nonce=ANNS))
        again = Table(table.plan, NoJournal(), casual, LEVEL_NAMES, entries=[*journal.entries])
        await ask(table, "ann", Concede())
        record = table.record()
        assert again.match.first_dealer == record["dealer"]
        dealers.add(record["dealer"])
        proof, _ = verify(record)
        assert proof.dealer
        with pytest.raises(UpcardError, match="who deals first"):
            verify(record | {"dealer": (record["dealer"] + 1) % 4, "events": []})
        journal.entries.clear()
    assert len(dealers) > 1


# -------------------------------------------------------------------------------------------------- pledges and nonces


async def test_play_begins_when_all_have_given_what_they_pledged() -> None:
    journal = Notebook()
    table = await opened(pledged(ANN, ANNS), pledged(BO, BOS), journal=journal)
    for _ in range(5):
        await asyncio.sleep(0)
    assert not table.match.events
    with pytest.raises(Unacceptable):
        await table.ask("ann", Reveal(nonce=BOS))
    with pytest.raises(Forbidden):
        await table.ask("somebody", Reveal(nonce=ANNS))
    await table.ask("ann", Reveal(nonce=ANNS))
    await table.ask("ann", Reveal(nonce=ANNS))  # from another window
    shuffles = table.summary(None).shuffles
    assert shuffles is not None
    assert (shuffles.waits_for, shuffles.nonces, shuffles.settled) == ([1], [ANNS, None], False)
    await ask(table, "bo", Reveal(nonce=BOS))
    assert len(table.match.events) == 1
    with pytest.raises(Taken):
        await ask(table, "bo", Reveal(nonce=ANNS))
    assert sum(isinstance(entry, Revealed) for entry in journal.entries) == 2
    await ask(table, "ann", Concede())
    proof, checked = verify(table.record())
    assert (proof.nonces, checked) == ([ANNS, BOS], 1)


async def test_who_does_not_come_forward_in_time_is_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pledges, "TIME", 0.02)
    table = await opened(pledged(ANN, ANNS), pledged(BO, BOS))
    await table.ask("ann", Reveal(nonce=ANNS))
    async with asyncio.timeout(PATIENCE):
        while not table.match.events:
            await asyncio.sleep(0.01)
    with pytest.raises(Taken):
        await ask(table, "bo", Reveal(nonce=BOS))
    await ask(table, "ann", Concede())
    proof, _ = verify(table.record())
    assert proof.nonces == [ANNS, None]
    assert proof.pledged == [pledges.digest(ANNS), pledges.digest(BOS)]


async def test_nobody_waits_for_somebody_who_has_left() -> None:
    table = await opened(pledged(ANN, ANNS), pledged(BO, BOS))
    await table.ask("ann", Reveal(nonce=ANNS))
    await ask(table, "bo", Leave())
    assert table.match.events


async def test_a_pledge_goes_where_its_player_goes_and_is_not_given_before_all_sit() -> None:
    table = await opened(Occupant(), pledged(ANN, ANNS))
    with pytest.raises(Refusal, match="every seat"):
        await table.ask("ann", Reveal(nonce=ANNS))
    await table.ask("bo", Sit(name="Bo", pledge=pledges.digest(BOS)))
    assert (shuffles := table.summary("bo").shuffles) is not None
    assert shuffles.pledged == [pledges.digest(BOS), pledges.digest(ANNS)]
    assert shuffles.waits_for == [0, 1]


# -------------------------------------------------------------------------- the same luck, whatever happens to a table


async def test_a_table_that_is_read_again_at_any_point_deals_the_same() -> None:
    journal = Notebook()
    table = await opened(ADA, ADA, journal=journal)
    await settle(table)
    for cut in range(2, len(journal.entries), 20):
        kept = Notebook()
        kept.entries = journal.entries[:cut]
        again = Table(table.plan, kept, casual, LEVEL_NAMES, entries=[*kept.entries])
        again.wake()
        await settle(again)
        assert luck(again)[: len(luck(table))] == luck(table)[: len(luck(again))]
        assert again.record()["about"]["fair"] == table.record()["about"]["fair"]
        verify(again.record())


def luck(table: Table) -> list[str]:
    return [str(event) for event in table.match.events if event.seat is None]


async def test_taking_back_draws_no_new_luck_though_something_else_is_played() -> None:
    table = await opened(ANN, ADA)
    await settle(table)
    firsts = []
    for other in (0, -1):
        async with asyncio.timeout(PATIENCE):
            while len(luck(table)) < 2:
                await say(table, "ann", f"{other} {table.seq}", table.seq, table.match.legal(0)[other])
        firsts.append(luck(table))
        await ask(table, "ann", TakeBack(events=1))
    assert firsts[0] == firsts[1]


async def test_what_was_played_before_a_fork_is_not_its_own_luck() -> None:
    old = await played(ADA, ADA)
    events = [str(event) for event in old.match.events]
    second = [number for number, event in enumerate(events) if event.startswith("deal")][1] + 3
    journal = Notebook()
    start = bound(origin=Origin("old", second), secret="77" * 64, options={"target": 21}, draws_dealer=False)
    start = msgspec.structs.replace(start, dealer=old.match.first_dealer)
    journal.entries = [*[Seated(seat=seat, place=place) for seat, place in enumerate((ANN, ADA))]]
    journal.entries += [Happened(text=text) for text in events[:second]]
    table = Table(start, journal, casual, LEVEL_NAMES, entries=[*journal.entries])
    table.wake()
    await settle(table)
    async with asyncio.timeout(PATIENCE):
        while len(luck(table)) < 4:
            await say(table, "ann", f"{table.seq}", table.seq, table.match.legal(0)[0])
    await ask(table, "ann", Concede())
    record = table.record()
    assert record["about"]["fair"]["from"] == 2
    assert verify(record)[1] == len(luck(table)) - 2
    assert luck(table)[2:] != luck(old)[2:4]


async def test_the_secret_is_told_to_nobody_before_the_end() -> None:
    journal = Notebook()
    table = await opened(pledged(ANN, ANNS), ADA, journal=journal)
    ears = [Ear("ann"), Ear(None)]
    for ear in ears:
        table.join(ear.client)
    assert BOS not in told(ears)
    await ask(table, "ann", Reveal(nonce=ANNS))
    for _ in range(12):
        await say(table, "ann", f"{table.seq}", table.seq, table.match.legal(0)[0])
    assert "fair" not in table.record().get("about", {})
    assert SECRET not in told(ears) + json.dumps(table.record())
    assert any(isinstance(entry, Settled) for entry in journal.entries)
    await ask(table, "ann", Concede())
    assert SECRET not in told(ears)
    assert table.record()["about"]["fair"]["secret"] == SECRET


def told(ears: list[Ear]) -> str:
    return "".join(message.json() for ear in ears for message in ear.messages)
