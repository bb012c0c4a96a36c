"""Conditions on the first deal: given cards lie where they should, and nothing else about the deal changes."""

from collections import Counter
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from playing import GAMES

from upcard import Match, Setup, UpcardError
from upcard.engine import deal_conditions
from upcard.engine.deal_conditions import (
    Dealing,
    FirstOrder,
    contents,
    deal_condition,
    dealt_in,
    indices_by_place,
    pool_of,
)
from upcard.rules.cards import ACE, read, text
from upcard.rules.game import Game
from upcard.terminal.local_store import LocalStore
from upcard.terminal.session import Session


def number_of(word: str) -> int:
    card = read(word)
    assert card is not None
    return card


def dealing(setup: Game | str, **condition: Any) -> Dealing:
    asked = deal_condition(**condition)
    assert asked
    return Dealing(Setup(setup) if isinstance(setup, str) else setup, 0, asked)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_given_cards_lie_at_their_seats(game: type[Game]) -> None:
    setup, rng = Setup(game), Random(1)
    pool = pool_of(Match(setup))
    size = len(indices_by_place(Match(setup))["0"])
    given = {0: " ".join(map(text, rng.sample(pool, min(2, size))))}
    left = [card for card in pool if text(card) not in given[0]]
    given[1] = text(rng.choice(left))
    for _ in range(5):
        there = contents(dealing(setup, given=given).deal(rng).match)
        for seat, some in given.items():
            assert not Counter(map(number_of, some.split())) - there[str(seat)]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_places_are_those_of_any_order(game: type[Game]) -> None:
    setup, rng = Setup(game), Random(2)
    begun = Match(setup)
    order = pool_of(begun)
    rng.shuffle(order)
    there = contents(dealt_in(begun, order))
    for place, indices in indices_by_place(begun).items():
        assert there[place] == Counter(order[at] for at in indices)


def test_an_upcard_in_a_hand_is_one_of_its_cards() -> None:
    setup = Setup("linger-longer")
    begun = Match(setup)
    (upcard,) = indices_by_place(begun)["upcard"]
    (seat,) = (place for place, own in indices_by_place(begun).items() if place != "upcard" and upcard in own)
    table = dealing(setup, given={seat: "As", "upcard": "Kd"})
    there = contents(table.deal(Random(1)).match)[seat]
    assert there[number_of("As")] and there[number_of("Kd")]
    size, pack = sum(there.values()), len(pool_of(begun))
    assert table.share_with_cards == pytest.approx((size - 1) / pack / (pack - 1))


def test_the_upcard_can_be_given() -> None:
    for slug in ("sixty-six", "klaberjass", "oh-hell", "kalooki"):
        some = dealing(slug, given={"upcard": "Th", 1: "Ah"}).deal(Random(1))
        assert some.match.report()["upcard"] == "Th"
        assert contents(some.match)["1"][number_of("Ah")]


def test_all_other_cards_are_as_likely_as_ever() -> None:
    """With the ace of spades among six of 24 cards, each other card is with it in 5 of 23 deals."""
    rng, number, table = Random(3), 1500, dealing("sixty-six", given={0: "As"})
    together = sum((contents(table.deal(rng).match)["0"] for _ in range(number)), Counter[int]())
    assert together.pop(number_of("As")) == number
    assert len(together) == 23
    for times in together.values():
        assert abs(times - number * 5 / 23) < 4.5 * (number * 5 / 23 * 18 / 23) ** 0.5


def test_a_seat_with_one_of_two_copies_has_the_other_as_often_as_in_all_such_deals() -> None:
    rng, setup = Random(4), Setup("kalooki")
    begun = Match(setup)
    pool, size = pool_of(begun), len(indices_by_place(begun)["0"])
    both = size * (size - 1) / len(pool) / (len(pool) - 1)
    one = 1 - (len(pool) - size) * (len(pool) - size - 1) / len(pool) / (len(pool) - 1)
    number, table = 1500, dealing(setup, given={0: "As"})
    seen = sum(contents(table.deal(rng).match)["0"][number_of("As")] == 2 for _ in range(number))
    share = both / one
    assert abs(seen - number * share) < 4 * (number * share * (1 - share)) ** 0.5


def test_a_predicate_is_met_and_its_tries_are_counted() -> None:
    def has_an_ace(match: Match) -> bool:
        return any(card % 13 == ACE for card in match.game.hand.cards(match.state, 0))

    rng, table = Random(5), dealing("sixty-six", where=has_an_ace)
    deals = [table.deal(rng) for _ in range(300)]
    assert all(has_an_ace(one.match) for one in deals)
    none = 20 * 19 * 18 * 17 * 16 * 15 / (24 * 23 * 22 * 21 * 20 * 19)
    tries = sum(one.tries for one in deals)
    assert abs(300 / tries - (1 - none)) < 4 * (none * (1 - none) / tries) ** 0.5


def test_the_share_of_given_cards_is_exact() -> None:
    table = dealing("sixty-six", given={0: "As Ts", "upcard": "Kd"})
    assert table.share_with_cards == pytest.approx(6 * 5 / (24 * 23) / 22)


def test_a_match_goes_on_with_other_shuffles() -> None:
    order = pool_of(Match("rounds"))[::-1]
    match = Match("rounds", chance=FirstOrder(order, Random(1)))
    assert match.events[0].text == f"deal {' '.join(map(text, order))}"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({0: "Xx"}, "'Xx' is not a card"),
        ({2: "As"}, "there is no seat 2"),
        ({0: "As As"}, "is given 2 times, and the pack has 1"),
        ({0: "As", 1: "As"}, "is given 2 times, and the pack has 1"),
        ({0: "2s"}, "2♠ is not in the pack"),
        ({0: "As Ts Ks Qs Js 9s Ad"}, "seat 0 gets 6 cards, and 7 are given"),
        ({"upcard": "As Ks"}, "the upcard is one card, and 2 are given"),
        ({"stock": "As"}, "not for 'stock'"),
        ({0: "As", "0": "Ks"}, "given twice"),
        ({0: ""}, "no cards are given"),
        ({0: 12}, "given cards are a text"),
        (["As"], "listed by place"),
    ],
)
def test_impossible_cards_are_refused(given: object, reason: str) -> None:
    with pytest.raises(UpcardError, match=reason):
        dealing("sixty-six", given=given)


def test_games_without_an_upcard_have_none_to_give() -> None:
    with pytest.raises(UpcardError, match="Cinch has no upcard"):
        dealing("cinch", given={"upcard": "As"})


def test_a_predicate_that_never_holds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deal_conditions, "MOST_TRIES", 20)
    with pytest.raises(UpcardError, match="none of 20 deals meets the condition where never"):
        dealing("sixty-six", where=lambda_named("never", False)).deal(Random(1))
    with pytest.raises(UpcardError, match="is a function of a match"):
        dealing("sixty-six", where="never")


def lambda_named(name: str, answer: object) -> object:
    def predicate(match: Match) -> object:
        return answer

    predicate.__name__ = name
    return predicate


def test_a_predicate_that_fails_is_named() -> None:
    def fails(match: Match) -> bool:
        return bool(SimpleNamespace().missing)

    line = fails.__code__.co_firstlineno + 1
    with pytest.raises(UpcardError, match=rf"^fails fails: test_deal_conditions\.py, line {line}: AttributeError: "):
        dealing("sixty-six", where=fails).deal(Random(1))


def test_no_condition_is_none() -> None:
    assert deal_condition() is None
    assert deal_condition({}, None) is None


async def test_a_match_in_the_terminal_begins_with_given_cards_and_counts_in_no_statistics() -> None:
    condition = deal_condition({0: "As Ts", "upcard": "Kd"})
    session = Session.new(LocalStore(None), Setup("sixty-six"), name="Ann", seed=1, condition=condition)
    await session.open()
    await session.settle()
    assert {"As", "Ts"} <= {*session.scene.hand}
    dealt = Match("sixty-six", dealer=session.plan.dealer)
    dealt.event(session.match.events[0].text)
    assert dealt.report()["upcard"] == "Kd"
    assert session.plan.origin is not None
    assert Session.new(LocalStore(None), Setup("sixty-six"), name="Ann", seed=1).plan.origin is None
