"""Moves at the live table: none is played twice, the impossible is refused in words, and sealed bids stay secret."""

import re
from random import Random

import pytest
from sitting_down import ANN, BO, Ear, opened, say

from upcard.table.messages import (
    Accepted,
    Refused,
)
from upcard.table.seats import Occupant


async def test_the_same_id_again_is_answered_as_the_first_time_and_not_played_twice() -> None:
    table = await opened(ANN, BO)
    seq = table.seq
    move = table.match.legal(1)[0]
    first = await say(table, "bo", "m", seq, move)
    assert isinstance(first, Accepted)
    for _ in range(3):
        assert await say(table, "bo", "m", seq, move) == first
    assert table.seq == seq + 1
    refused = await say(table, "bo", "n", seq + 1, "declare")
    assert isinstance(refused, Refused)
    await say(table, "ann", "m", seq + 1, table.match.legal(0)[0])
    assert await say(table, "bo", "n", seq + 1, "declare") == refused


async def test_only_the_latest_answers_are_remembered_and_an_older_move_is_not_played_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("upcard.table.writer.REMEMBERED", 2)
    table = await opened(ANN, BO)
    moves: dict[str, list[tuple[str, int, str, Accepted]]] = {"ann": [], "bo": []}
    for number in range(8):
        seq, seat = table.seq, table.match.to_act[0]
        mover, text = ("ann", "bo")[seat], table.match.legal(seat)[0]
        answer = await say(table, mover, str(number), seq, text)
        assert isinstance(answer, Accepted)
        moves[mover].append((str(number), seq, text, answer))
    before = table.seq
    for mover, own in moves.items():
        for move_id, seq, text, answer in own[-2:]:
            assert await say(table, mover, move_id, seq, text) == answer
        for move_id, seq, text, _ in own[:-2]:
            refused = await say(table, mover, move_id, seq, text)
            assert isinstance(refused, Refused)
            assert "already made your move" in refused.text
    assert table.seq == before


async def test_the_same_id_of_another_seat_is_another_move() -> None:
    table = await opened(ANN, BO)
    seq = table.seq
    assert isinstance(await say(table, "bo", "m", seq, table.match.legal(1)[0]), Accepted)
    assert isinstance(await say(table, "ann", "m", seq + 1, table.match.legal(0)[0]), Accepted)
    assert table.seq == seq + 2


async def test_two_moves_for_the_same_turn_are_one() -> None:
    table, rng = await opened(ANN, BO), Random(1)
    seq = table.seq
    await say(table, "bo", "1", seq, "close")
    second = await say(table, "bo", "2", seq, rng.choice(table.match.legal(1)))
    assert isinstance(second, Refused)
    assert "already made your move" in second.text
    assert table.seq == seq + 1
    assert isinstance(await say(table, "bo", "3", seq + 1, table.match.legal(1)[0]), Accepted)


async def test_a_move_made_before_its_turn_came_is_refused() -> None:
    table = await opened(ANN, BO)
    seq = table.seq
    await say(table, "bo", "1", seq, table.match.legal(1)[0])
    assert isinstance(await say(table, "ann", "2", seq, table.match.legal(0)[0]), Refused)
    assert isinstance(await say(table, "ann", "3", 99, table.match.legal(0)[0]), Refused)
    assert table.seq == seq + 1


@pytest.mark.parametrize(
    ("identity", "text", "clause"),
    [
        ("ann", "Kh", "SS-48"),
        ("bo", "xyz", "SS-48"),
        ("bo", "", "SS-48"),
        ("bo", "deal", "SS-48"),
        ("bo", "Kh" * 90, "SS-48"),
        (None, "Kh", None),
        ("eve", "Kh", None),
    ],
)
async def test_what_cannot_be_done_is_refused_with_its_clause(
    identity: str | None, text: str, clause: str | None
) -> None:
    table = await opened(ANN, BO)
    seq = table.seq
    answer = await say(table, identity, "m", seq, text)
    assert isinstance(answer, Refused)
    assert answer.clause == clause
    assert answer.text
    assert "\n" not in answer.text
    assert table.seq == seq


async def test_a_refusal_says_what_the_clause_says() -> None:
    table = await opened(ANN, BO)
    hand = table.scene(0).hand
    lead = next(card for card in table.match.legal(1) if {card[1]} < {held[1] for held in hand})
    wrong = next(card for card in hand if card[1] != lead[1])
    await say(table, "bo", "1", table.seq, "close")
    await say(table, "bo", "2", table.seq, lead)
    answer = await say(table, "ann", "3", table.seq, wrong)
    assert answer.clause == "SS-17"
    assert re.match("You have [♠♥♦♣], so you must follow suit: .*[.]$", answer.text)


async def test_nobody_moves_before_all_seats_are_taken_or_after_the_end() -> None:
    table = await opened(ANN, Occupant())
    assert isinstance(await say(table, "ann", "m", 1, "Kh"), Refused)
    assert table.match.events == []
    table = await opened(ANN, BO, target=1)
    await say(table, "bo", "m", table.seq, "declare")
    assert table.match.done
    answer = await say(table, "ann", "n", table.seq, "Kh")
    assert answer.clause == "SS-48"


async def test_bids_made_at_once_are_taken_in_any_order_and_stay_secret() -> None:
    cy = Occupant("person", "Cy", None, "cy")
    table = await opened(ANN, BO, cy, game="oh-hell", players=3)
    ears, seq = [Ear(name) for name in ("ann", "bo", "cy")], table.seq
    for ear in ears:
        table.join(ear.client)
    assert isinstance(await say(table, "cy", "c", seq, "bid 1"), Accepted)
    assert ears[0].events()[0].log == ears[1].events()[0].log
    assert "1" not in ears[0].events()[0].log.text
    assert ears[2].events()[0].log.text == "You bid 1"
    assert isinstance(await say(table, "ann", "a", seq, "bid 0"), Accepted)  # had not seen Cy's bid
    assert "already made your move" in (await say(table, "ann", "a2", seq, "bid 1")).text
    assert isinstance(await say(table, "bo", "b", seq, "bid 1"), Accepted)
    assert ears[0].events()[-1].log.text == "All is revealed: you bid 0, Bo bids 1, Cy bids 1"
