"""Worlds agree with everything that a seat has seen, and all that do are equally likely."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product
from random import Random
from typing import Any

import pytest
from playing import play_on, random_match

from upcard import Match
from upcard.engine.errors import UpcardError
from upcard.engine.views import View
from upcard.engine.worlds import NoWorld, Worlds, world
from upcard.rules import Game
from upcard.rules.cards import Card


def test_worlds_are_made_anew_each_time_and_repeat_for_the_same_generator(game: Game) -> None:
    match = random_match(game, 2)
    for _ in play_on(match, Random(1), 2):
        pass
    sampler = Worlds(match.view(match.to_act[0]))
    first, second = sampler.sample(Random(1)), sampler.sample(Random(2))
    assert first != second
    assert sampler.sample(Random(1)) == first


# --------------------------------------------------------------------------------------------------- equally likely


def all_worlds(seen: View) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """Every way to deal the unseen cards to the other hands, found by trying them all; the rest lies face down."""
    state: Any = seen.state
    unseen = sorted(set(range(52)) - set(seen.game.all_cards(state)))
    others = [seat for seat in range(state.players) if seat != seen.seat]
    wanted = [(seen.sizes[seat], state.lacks[seat]) for seat in others]

    def serve(rest: Sequence[Card], wanted: Sequence[tuple[int, int]]) -> Iterator[tuple[tuple[Card, ...], ...]]:
        if not wanted:
            yield ()
            return
        (size, lacks), *later = wanted
        for hand in combinations([card for card in rest if not lacks >> card & 1], size):
            for hands in serve([card for card in rest if card not in hand], later):
                yield (hand, *hands)

    return serve(unseen, wanted)


def near_the_end(seed: int, tricks: int) -> View:
    """A view of Oh Hell before the last tricks of a deal of ten cards: one card lies face down."""
    match = Match("oh-hell", 5, options={"order": "down"})
    for _ in play_on(match, Random(seed), 1 + 5 + 5 * (10 - tricks)):
        pass
    return match.view(match.to_act[0])


def chi_square(seen: View, seed: int) -> tuple[float, int]:
    """How far sampled worlds are from being equally likely, and the degrees of freedom."""
    expected = 20
    worlds = list(all_worlds(seen))
    sampler, rng = Worlds(seen), Random(seed)
    others = [seat for seat in range(seen.state.players) if seat != seen.seat]
    found: Counter[tuple[tuple[Card, ...], ...]] = Counter()
    for _ in range(expected * len(worlds)):
        made = sampler.sample(rng)
        found[tuple(tuple(sorted(seen.game.hand.cards(made, seat))) for seat in others)] += 1
    assert set(found) <= set(worlds)
    return sum((found[one] - expected) ** 2 / expected for one in worlds), len(worlds) - 1


def test_all_worlds_are_equally_likely() -> None:
    """Where several seats lack suits, dealing hand by hand would favour some worlds by far."""
    tried = 0
    for seed, tricks in [*product(range(12), (1,)), *product(range(30), (2,))]:
        seen = near_the_end(seed, tricks)
        if 10 < len(list(islice(all_worlds(seen), 600))) < 600:
            square, freedom = chi_square(seen, seed)
            assert square < freedom + 5 * (2 * freedom) ** 0.5
            tried += 1
    assert tried >= 10


def test_an_impossible_view_is_refused_in_words() -> None:
    seen = near_the_end(1, 2)
    state: Any = seen.state
    other = next(seat for seat in range(5) if seat != seen.seat)
    state.lacks[other] = (1 << 53) - 1
    with pytest.raises(NoWorld, match="cannot be dealt"):
        world(seen, Random(1))
    assert issubclass(NoWorld, UpcardError)
