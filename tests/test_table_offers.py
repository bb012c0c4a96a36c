"""A computer player's seat that the host gives to a person, before and during play."""

import pytest
from sitting_down import ADA, ANN, BO, Notebook, again, ask, opened
from waiting import until

from upcard.table.actions import Fill, Leave, Offer, Sit
from upcard.table.errors import Forbidden, Refusal, Taken
from upcard.table.seats import Occupant
from upcard.table.table import Table


async def playing(journal: Notebook | None = None) -> Table:
    """A table in play of Ann, who is the host, Bo and Ada, a computer player."""
    table = await opened(ANN, ADA, BO, journal=journal, game="oh-hell", players=3)
    await until(lambda: table.match.to_act)
    return table


async def test_a_late_friend_sits_down_for_the_computer_player_who_plays_until_then() -> None:
    journal = Notebook()
    table = await playing(journal)
    before = [event.text for event in table.match.events]
    assert "offer" in table.summary("ann").may
    assert "offer" not in table.summary("bo").may
    await ask(table, "ann", Offer(1))
    assert table.places[1] == Occupant("open", "Ada", substitute="casual")
    assert table.summary("cy").free is not None
    assert table.summary("ann").started
    assert table.summary("ann").seats[1].who == "open"
    await ask(table, "cy", Sit("Cy", invite=table.seating.invite or None))
    assert (table.places[1].who, table.places[1].name, table.places[1].played_by) == ("person", "Cy", None)
    assert [event.text for event in table.match.events][: len(before)] == before
    restored = again(journal.entries, table.plan)
    assert restored.places == table.places


async def test_the_host_leaves_the_seat_to_the_computer_player_after_all() -> None:
    table = await playing()
    await ask(table, "ann", Offer(1))
    with pytest.raises(Forbidden):
        await ask(table, "bo", Fill("casual", 1))
    await ask(table, "ann", Fill("casual", 1))
    assert table.places[1] == ADA
    with pytest.raises(Taken):
        await ask(table, "ann", Fill("casual"))


async def test_before_play_the_seat_is_open() -> None:
    table = await opened(ANN, ADA, Occupant(), game="oh-hell", players=3)
    await ask(table, "ann", Offer(1))
    assert table.places[1] == Occupant()
    assert not table.summary("ann").started


async def test_only_the_host_and_only_seats_of_computer_players() -> None:
    table = await playing()
    with pytest.raises(Forbidden):
        await ask(table, "bo", Offer(1))
    for seat in (0, 2):
        with pytest.raises(Taken):
            await ask(table, "ann", Offer(seat))
    with pytest.raises(Refusal):
        await ask(table, "ann", Offer(9))
    await ask(table, "ann", Offer(1))
    with pytest.raises(Taken):
        await ask(table, "ann", Offer(1))


async def test_whoever_gave_up_a_seat_in_this_deal_cannot_take_another_hand() -> None:
    table = await playing()
    await ask(table, "ann", Offer(1))
    await ask(table, "bo", Leave())
    with pytest.raises(Refusal):
        await ask(table, "bo", Sit("Bo", 1))
    assert table.places[1].who == "open"
