"""Worlds agree with everything that a seat has seen, and all such worlds are equally likely."""

import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from itertools import combinations, islice, product
from random import Random
from typing import Any

import numpy as np
import pytest
from playing import play_on, random_match
from sampling import Sampled, compiled, fits, plain

from upcard import Match, shuffler
from upcard.compiled.dealer import Dealer
from upcard.engine.errors import UpcardError
from upcard.engine.views import View
from upcard.engine.worlds import NoWorld, Worlds, world, worlds_for
from upcard.players.endgame_worlds import EndgameSymmetry
from upcard.players.endgame_worlds import worlds as every_world
from upcard.rules.cards import Card
from upcard.rules.game import Game


def test_worlds_are_made_anew_each_time_and_repeat_for_the_same_generator(game: type[Game]) -> None:
    match = random_match(game, 2)
    for _ in play_on(match, Random(1), 2):
        pass
    sampler = Worlds(match.view(match.to_act[0]))
    first, second = sampler.sample(Random(1)), sampler.sample(Random(2))
    assert first != second
    assert sampler.sample(Random(1)) == first


def all_worlds(seen: View) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """Every way to deal the unseen cards to the other hands, found by trying them all; the rest lies face down."""
    state: Any = seen.state
    unseen = sorted(set(range(52)) - set(seen.setup.all_cards(state)))
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


@pytest.mark.parametrize("sampled", [plain, compiled])
def test_all_worlds_are_equally_likely(sampled: Sampled) -> None:
    """Where several seats lack suits, dealing hand by hand would favour some worlds by far."""
    tried = 0
    for seed, tricks in [*product(range(12), (1,)), *product(range(30), (2,))]:
        seen = near_the_end(seed, tricks)
        if 10 < len(list(islice(all_worlds(seen), 600))) < 600:
            every = list(all_worlds(seen))
            others = [seat for seat in range(seen.state.players) if seat != seen.seat]
            worlds = sampled(seen, 20 * len(every), seed)
            hands = ([tuple(sorted(seen.game.hand.cards(one, seat))) for seat in others] for one in worlds)
            assert fits(Counter(map(tuple, hands)), dict.fromkeys(every, 1 / len(every)))
            tried += 1
    assert tried >= 10


def test_every_world_is_listed_once() -> None:
    tried = 0
    for seed in range(12):
        seen = near_the_end(seed, 1)
        others = [seat for seat in range(seen.state.players) if seat != seen.seat]
        expected = list(all_worlds(seen))
        found = every_world(seen, EndgameSymmetry(), len(expected))
        assert found is not None
        hands = [tuple(tuple(sorted(seen.game.hand.cards(one, seat))) for seat in others) for one in found]
        assert sorted(hands) == sorted(expected)
        assert len(expected) == 1 or every_world(seen, EndgameSymmetry(), len(expected) - 1) is None
        tried += len(expected) > 10
    assert tried


def test_an_impossible_view_is_refused_in_words() -> None:
    seen = near_the_end(1, 2)
    state: Any = seen.state
    other = next(seat for seat in range(5) if seat != seen.seat)
    state.lacks[other] = (1 << 53) - 1
    with pytest.raises(NoWorld, match="cannot be dealt"):
        world(seen, Random(1))
    assert issubclass(NoWorld, UpcardError)


def test_worlds_are_drawn_with_a_generator_of_python() -> None:
    seen = near_the_end(1, 2)
    with pytest.raises(UpcardError, match=r"^random numbers are drawn from a random\.Random, .*, not a Generator$"):
        world(seen, np.random.default_rng(1))  # type: ignore[arg-type]


def test_a_match_in_a_world_leaves_that_world_as_it_was_and_is_not_one_in_another() -> None:
    match = Match("sixty-six", chance=shuffler(1))
    seat = match.to_act[0]
    one, other = (world(match.view(seat), Random(seed)) for seed in (1, 2))
    assert match.in_world(one) == match.in_world(one) != match.in_world(other)
    for move in match.legal(seat):
        match.in_world(one).play(seat, move)
        match.in_world(match.state).play(seat, move)
    assert match.legal(seat)


@pytest.mark.parametrize("slug", ["oh-hell", "roundup"])
def test_a_match_in_a_world_goes_on_while_moves_are_sealed(slug: str) -> None:
    """Those who have chosen have chosen in the world what it says; these moves are revealed when all have chosen."""
    match = Match(slug, 4, chance=shuffler(1))
    for seat in (2, 0):
        match.play(seat, match.legal(seat)[1])
    chosen = set()
    for seed in range(20):
        state = world(match.view(1), Random(seed))
        other = match.in_world(state)
        for seat in (1, 3):
            other.play(seat, other.legal(seat)[0])
        opened = dict(other.events[-1].opened)
        assert sorted(opened) == [0, 1, 2, 3]
        assert [opened[seat] & 63 for seat in (0, 2)] == [state.bids[seat] for seat in (0, 2)]
        chosen.add(opened[2])
    assert len(chosen) > 1
    own = match.in_world(match.state)
    for seat in (1, 3):
        for one in (match, own):
            one.play(seat, one.legal(seat)[0])
    assert own.events[-1].opened == match.events[-1].opened


def test_a_world_in_which_a_sealed_move_is_impossible_is_refused() -> None:
    match = Match("oh-hell", 3, chance=shuffler(1))
    match.play(0, "bid 1")
    state = match.state.copy()
    state.bids[0] = 5
    with pytest.raises(UpcardError, match="in this world there is no move that seat 0 may have chosen"):
        match.in_world(state)


def test_a_game_that_completes_its_worlds_in_plain_python_has_them_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upcard.compiled.dealer.deals_worlds", lambda game: False)
    seen = near_the_end(3, 2)
    assert Dealer(seen).layout is None
    every = set(all_worlds(seen))
    for made in compiled(seen, 5, 1):
        hands = (tuple(sorted(seen.game.hand.cards(made, seat))) for seat in range(5) if seat != seen.seat)
        assert tuple(hands) in every


def test_the_worlds_of_a_view_are_counted_once() -> None:
    """Each view keeps its own, whatever other views are asked for theirs, and a copy or another view has others."""
    seen, other = near_the_end(1, 3), near_the_end(2, 3)
    known = worlds_for(seen)
    assert worlds_for(other).view is other
    assert worlds_for(seen) is known
    changed = replace(seen, state=seen.state.copy())
    for twin in (copy(seen), pickle.loads(pickle.dumps(seen)), changed):
        assert twin == seen
        assert worlds_for(twin).view is twin
