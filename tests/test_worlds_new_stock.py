"""Worlds after the stock was renewed: who threw cards away or held them knows who can have drawn them since."""

import pickle
from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations, permutations, product
from math import comb, perm, prod
from random import Random
from typing import Any

import pytest
from playing import random_event
from sampling import Sampled, compiled, fits, plain

from upcard import Match, games
from upcard.engine.errors import IllegalMove
from upcard.engine.views import View
from upcard.engine.worlds import Worlds, sampled_ways
from upcard.players.endgame_worlds import ending_of
from upcard.players.endgame_worlds import worlds as every_world
from upcard.rules.cards import Card, text
from upcard.rules.knowledge import Origins

LOO_FOR_EIGHT = """
deal 4d 5h Jc Td 6c 8c As 2h Jd Kd Tc Th Qh 7d 3s 6h 8s 9c 9d 7h Qs 7s 9s Ac 4s 3d Kc 2c 2s 3c 9h 6d Jh 4h Js 8h
Ad 3h Ts Kh 4c 6s 2d Ah 5d 8d 5s Qc Qd Ks 7c 5c, 1 play, 2 play, 3 play, 4 play, 5 play, 6 play, 7 play, 0 play,
1 no, 2 no, 3 no, 4 no, 5 no, 6 no, 7 no, 0 no, 1 discard 8s Jh, 2 discard 4h Kd 3d 9c, 3 discard 9d Kc Jc, 4
discard 8h Td 2c, reshuffle Jh 9c 9d 4h 8s Jc 3d Kc Kd, 5 discard Qs 2s Qh 6c, 6 discard 3h 7d 3c, 7 discard As
Ts 9s 9h, reshuffle Td 2s 3c 2c Qh 7d Qs 3h 6c 8h, 0 discard Kh 2h Ac, 1 no, 2 no, 3 no, 4 no, 5 no, 6 no, 7 no,
0 no, 1 6s, 2 5s, 3 Js, 4 7c, 5 8s, 6 7s, 7 3s, 0 2c, 4 7h, 5 4h, 6 8c, 7 3c, 0 Qh, 1 2d
"""
"""Everybody is in, the stock has run out twice, and two tricks have shown what hands lack."""


def test_worlds_are_counted_in_few_steps_where_much_is_known_of_many_hands() -> None:
    """One after the other in the order of their seats, the hands would take 36,143 steps and some seconds."""
    match = Match("loo", 8, dealer=0, options={"penalty": "pot", "club_law": False})
    for event in " ".join(LOO_FOR_EIGHT.split()).split(", "):
        match.event(event)
    worlds = Worlds(match.view(2))
    assert worlds.sums[-1] == 81412211463139820607960000
    counted = worlds.arrangements[0]._counted
    assert sum(map(len, counted.values())) < 5000


LOO = games.load("loo").variant("small-loo", numbers={"pack": "AKQJ", "size": 2, "stake": 2, "looed": 2})


def all_cards_changed(seed: int) -> View:
    """Loo as the first player sees it when the play begins and everybody has changed both cards."""
    match = Match(LOO, 5, chance=Random(seed))
    while match.phase != "play":
        seat = match.to_act[0]
        both = (one for one in match.legal(seat) if one in ("play", "no") or len(one.split()) == 3)
        match.play(seat, next(both))
    return match.view(1)


@pytest.mark.parametrize("sampled", [plain, compiled])
def test_what_a_seat_threw_away_in_loo_is_held_by_who_drew_it_from_the_next_stock(sampled: Sampled) -> None:
    """LO-23, LO-24: of the stock made of what seats 1 and 2 threw away seat 3 drew one card, 4 two and the dealer one,
    and the other cards of seats 3 and 0 were another stock's."""
    drawn = {3: 1, 4: 2, 0: 1}
    numbers = {
        held: prod(comb(most, number) for most, number in zip(drawn.values(), held, strict=True))
        for held in product(range(3), repeat=3)
        if sum(held) == 2
    }
    for seed in range(2):
        seen = all_cards_changed(seed)
        state: Any = seen.state
        worlds = sampled(seen, 600, seed)
        found = Counter(tuple((one.hand[seat] & state.thrown[1]).bit_count() for seat in drawn) for one in worlds)
        assert fits(found, {held: number / comb(4, 2) for held, number in numbers.items() if number})


KALOOKI = games.load("kalooki").variant(
    "small-kalooki", numbers={"pack": "AK", "jokers": 1, "dealt": (0, *(3,) * 9), "need_threes": (0, *(2,) * 9)}
)


class Renewed:
    """A match of Kalooki in which the stock was renewed: where it stood then, and what has happened since."""

    def __init__(self, match: Match) -> None:
        self.then = match.fork()
        self.since = len(match.events)
        self.hands: list[list[list[Card]]] = []
        """After each event, what every seat held."""

    def note(self, match: Match) -> None:
        self.hands.append([KALOOKI.hand.cards(match.state, seat) for seat in range(3)])


def kalooki(seed: int) -> Iterator[tuple[Match, Renewed]]:
    """All decisions of a first deal of Kalooki since its stock was renewed."""
    match, renewed = Match(KALOOKI, 3, options={"contracts": "1"}), None
    rng = Random(seed)
    while not match.done:
        if match.awaiting == "reshuffle":
            renewed = Renewed(match)
        match.event(random_event(match, rng))
        if match.state.attempt > 1:
            return
        if renewed:
            renewed.note(match)
            if match.to_act:
                yield match, renewed


def kalooki_shares(match: Match, renewed: Renewed, me: int) -> dict[tuple[tuple[Card, ...], ...], float]:
    """How likely the other seats hold what, by trying all hands that they can have had when the stock was renewed with
    all orders of those of its cards that have been drawn. Equal cards are two cards all the same."""
    then, others = renewed.then, [seat for seat in range(3) if seat != me]
    known = [KALOOKI.shown.cards(then.state, seat) if KALOOKI.shown else [] for seat in others]
    held = [Counter(KALOOKI.hand.cards(then.state, seat)) for seat in others]
    hidden = [hand - Counter(seen) for hand, seen in zip(held, known, strict=True)]
    cards = [*(hidden[0] + hidden[1]).elements()]
    stock = then.state.discards[: then.state.thrown - 1]
    drawn = len(stock) - match.state.left
    found: Counter[tuple[tuple[Card, ...], ...]] = Counter()
    for first in combinations(range(len(cards)), hidden[0].total()):
        hands = [[cards[i] for i in range(len(cards)) if (i in first) == (k == 0)] for k in range(2)]
        for top, ways in Counter(permutations(stock, drawn)).items():
            order = [*top, *(Counter(stock) - Counter(top)).elements()]
            state = then.state.copy()
            for seat, seen, hand in zip(others, known, hands, strict=True):
                KALOOKI.hand.put(state, seat, [*seen, *hand])
            again = then.in_world(state)
            ways *= ways_to_happen(again, " ".join(["reshuffle", *map(text, order)]), match, renewed, me)
            found[tuple(tuple(KALOOKI.hand.cards(again.state, seat)) for seat in others)] += ways
    return {held: number / found.total() for held, number in found.items() if number}


def ways_to_happen(again: Match, reshuffle: str, match: Match, renewed: Renewed, me: int) -> int:
    """In how many ways that can happen in such a world which has happened, this seat getting the same cards: of two
    equal cards that nobody knew of either can have left a hand."""
    events = [reshuffle, *(event.text for event in match.events[renewed.since + 1 :])]
    ways = 1
    for event, hands in zip(events, renewed.hands, strict=True):
        before = again.state.copy()
        try:
            again.event(event)
        except IllegalMove:
            return 0
        if KALOOKI.hand.cards(again.state, me) != hands[me]:
            return 0
        seat = again.events[-1].seat
        if seat not in (None, me) and KALOOKI.shown:
            left, shown = event.split()[2:], KALOOKI.shown.cards(before, seat)
            held = Counter(map(text, KALOOKI.hand.cards(before, seat))) - Counter(map(text, shown))
            gone = Counter(left) - Counter(map(text, shown))
            ways *= prod(perm(held[card], number) for card, number in gone.items() if not card.isdigit())
    return ways


def doubtful(seeds: range) -> Iterator[tuple[View, dict[tuple[tuple[Card, ...], ...], float]]]:
    """Views in which a card has left a hand that may or may not have been drawn from the new stock."""
    for match, renewed in chain.from_iterable(map(kalooki, seeds)):
        seen, drawn = match.view(match.to_act[0]), renewed.then.state.thrown - 1 - match.state.left
        if drawn <= 4 and len(Worlds(seen).arrangements) > 1:
            yield seen, kalooki_shares(match, renewed, match.to_act[0])


@pytest.mark.long
@pytest.mark.parametrize("sampled", [plain, compiled])
def test_who_holds_what_since_the_stock_of_kalooki_was_renewed(sampled: Sampled) -> None:
    """KA-24: what was unseen then was held, and what has been drawn since had lain in the open."""
    tried = 0
    for seen, shares in doubtful(range(60)):
        if 10 < len(shares) < 200:
            seen = pickle.loads(pickle.dumps(seen))
            others = [seat for seat in range(3) if seat != seen.seat]
            worlds = sampled(seen, 20 * len(shares), 1)
            found = (tuple(tuple(KALOOKI.hand.cards(one, seat)) for seat in others) for one in worlds)
            assert fits(Counter(found), shares)
            every = every_world(seen, ending_of(KALOOKI), 1000) or []
            assert {tuple(tuple(KALOOKI.hand.cards(one, seat)) for seat in others) for one in every} == set(shares)
            tried += 1
    assert tried >= 15


def test_of_many_readings_of_a_new_stock_some_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The more often the more worlds there are of each."""
    seen = next(seen for seen, _ in doubtful(range(46, 47)) if len(Worlds(seen).arrangements) == 6)
    monkeypatch.setattr("upcard.engine.worlds.MOST_READINGS", 5)
    assert len(Worlds(seen).arrangements) < 6
    monkeypatch.setattr("upcard.engine.worlds.MOST_READINGS", 2000)
    stock = Counter(range(9))
    ways = Counter({Origins((0, left, 5 - left), (0, 1, 1), (0,) * (left % 2)): 7 - left for left in range(6)})
    worlds = {one: comb(5, one.older[1]) * perm(8 if one.gone else 9, 2) * number for one, number in ways.items()}
    drawn = sampled_ways(ways, stock)
    found = Counter({one: worlds[one] * number // ways[one] for one, number in drawn.items()})
    scale = found.total() // 2000
    assert fits(
        Counter({one: round(number / scale) for one, number in found.items()}),
        {one: number / sum(worlds.values()) for one, number in worlds.items()},
    )
