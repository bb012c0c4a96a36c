"""Worlds agree with everything that a seat has seen, and all that do are equally likely."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product
from random import Random
from typing import Any

import pytest
from playing import GAMES, play_on, random_match

from upcard import Match
from upcard.engine.errors import UpcardError
from upcard.engine.views import View, view
from upcard.engine.worlds import NoWorld, Worlds, world
from upcard.rules import Game
from upcard.rules.cards import NO_CARD, Card
from upcard.rules.state import Seen

SEEDS = range(4)
EVENTS = 100


def positions(game: Game, seed: int) -> Iterator[tuple[Match, int | None]]:
    """Every moment of a random match with every seat, to act or not, and somebody who only watches."""
    match = random_match(game, seed)
    for _ in play_on(match, Random(seed), EVENTS):
        for seat in [None, *range(match.players)]:
            yield match, seat


@pytest.mark.parametrize("seed", SEEDS)
def test_a_world_cannot_be_told_from_the_true_state(game: Game, seed: int) -> None:
    rng = Random(seed)
    for match, seat in positions(game, seed):
        seen = match.view(seat)
        before = seen.state.copy()
        made = world(seen, rng)
        assert view(match.setup, made, seat) == seen
        assert seen.state == before, "the view itself has been changed"
        assert Counter(game.all_cards(made)) == Counter(game.all_cards(match.state))
        if seat is not None:
            assert view(match.setup, made, seat).legal() == match.legal(seat)


@pytest.mark.parametrize("seed", SEEDS)
def test_hidden_cards_lie_where_there_is_room_for_them(game: Game, seed: int) -> None:
    """Face-down piles have their cards in the same places as the true ones."""
    hidden = [name for name, spec in game.state.fields.items() if spec.seen is Seen.NOBODY and spec.cards == "card"]
    for match, seat in positions(game, seed):
        made = world(match.view(seat), Random(seed))
        for name in hidden:
            there = [card == NO_CARD for card in getattr(made, name)]
            assert there == [card == NO_CARD for card in getattr(match.state, name)]


@pytest.mark.parametrize("seed", SEEDS)
def test_worlds_keep_what_hands_have_shown_to_hold_and_to_lack(game: Game, seed: int) -> None:
    for match, seat in positions(game, seed):
        made = world(match.view(seat), Random(seed))
        for other in range(match.players):
            held = Counter(game.hand.cards(made, other))
            if game.known:
                assert Counter(game.known.cards(match.state, other)) <= held
            if game.lacks and other != seat and match.to_act:
                lacks = getattr(match.state, game.lacks)[other]
                assert not [card for card in held if lacks >> card & 1]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_world_can_be_played_on_to_the_end_of_the_deal(game: Game, seed: int) -> None:
    rng = Random(seed)
    for match, seat in positions(game, seed):
        if seat is None or not match.to_act or rng.random() < 0.9:
            continue
        other = match.fork()
        other.state = world(match.view(seat), rng)
        for _ in play_on(other, rng, len(other.events) + 200):
            if other.awaiting == "deal":
                break


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
