"""Worlds of Cinch: how many trumps hands hold, after all have thrown away and the dealer has robbed the pack."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, product
from math import comb
from random import Random
from typing import Any

import pytest
from playing import play_on
from sampling import Sampled, compiled, fits, plain

from upcard import Match
from upcard.engine.views import View
from upcard.engine.worlds import luck_decides
from upcard.games.cinch import Cinch
from upcard.players import player
from upcard.players.endgame_worlds import ending_of
from upcard.players.endgame_worlds import worlds as every_world


def trumps_held(seen: View) -> dict[tuple[int, ...], float]:
    """Cinch in the play: how likely the other seats hold each number of trumps, by counting the ways in which the
    cards can have been dealt.

    Of the trumps that a seat has played or holds, any may be those that it kept of the cards dealt; what it threw away
    was plain, and so is all that a robber leaves.
    """
    state: Any = seen.state
    others = [seat for seat in range(4) if seat != seen.seat]
    setup: Any = seen.setup
    unseen = setup.pack & ~sum(1 << card for card in seen.setup.all_cards(state))
    trumps, plain = (unseen & state.trumps).bit_count(), (unseen & ~state.trumps).bit_count()
    thrown = sum(seen.aside["discards"][seat] for seat in others)
    ways = {}
    for held in product(*(range(seen.sizes[seat] + 1) for seat in others)):
        left, rest, number = trumps, plain, 1
        for seat, hand in zip(others, held, strict=True):
            size = seen.sizes[seat]
            number *= hand == 0 or not state.lacks[seat] & state.trumps
            number *= comb(max(left, 0), hand) * comb(max(rest, 0), size - hand)
            number *= comb(hand + (state.played[seat] & state.trumps).bit_count(), state.kept[seat])
            number *= comb(size - hand + (state.played[seat] & ~state.trumps).bit_count(), state.recalled[seat])
            left, rest = left - hand, rest - size + hand
        ways[held] = number * comb(rest, thrown) * (left == 0 or state.robber == -1) if rest >= 0 <= left else 0
    return {held: number / sum(ways.values()) for held, number in ways.items() if number}


def cinch_in_play(seed: int, cards: int) -> View:
    """The view of the first seat that has to act with this many cards left."""
    match = Match("cinch", options={"target": 30}, chance=Random(seed))
    while match.phase != "play" or match.state.hand[match.to_act[0]].bit_count() > cards:
        seat = match.to_act[0]
        match.play(seat, player("heuristic").choose(match.view(seat), Random(seed)))
    return match.view(match.to_act[0])


def trumps_in(seen: View, worlds: Sequence[Any]) -> Counter[tuple[int, ...]]:
    """How often the other seats hold each number of trumps."""
    others = [seat for seat in range(4) if seat != seen.seat]
    return Counter(tuple((one.hand[seat] & one.trumps).bit_count() for seat in others) for one in worlds)


@pytest.mark.parametrize("sampled", [plain, compiled])
def test_trumps_kept_in_cinch_may_have_been_played_or_not(sampled: Sampled) -> None:
    """A trump played may be one that was kept or one that came later: both readings count, by how many ways."""
    open_cases = 0
    for seed in range(3):
        seen = cinch_in_play(seed, 4)
        shares = trumps_held(seen)
        assert fits(trumps_in(seen, sampled(seen, 2000, seed)), shares)
        open_cases += len(shares) > 1
    assert open_cases


def test_worlds_are_listed_only_with_what_lies_out_of_play_filled() -> None:
    """In Cinch most of the hidden trumps must be in hands, because so many plain cards have been thrown away."""
    open_cases = 0
    for seed in range(6):
        seen = cinch_in_play(seed, 2)
        if found := every_world(seen, ending_of(seen.game), 2000):
            shares = trumps_held(seen)
            assert set(trumps_in(seen, found)) == set(shares)
            open_cases += len(shares) > 1
    assert open_cases


def robbed_pack(wasteful: bool) -> Iterator[Match]:
    """Cinch after a defending dealer has taken the one missing card from the stub, the two or the jack of trumps, and
    has left a pedro there."""
    for seed in range(100):
        rest = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
        Random(seed).shuffle(rest)
        under = ["2s", "Js", "5c"]
        dealers = [*(one for one in rest if one[1] == "s" and one not in under)][:5]
        dealers += [one for one in rest if one[1] == "d"][:4]
        rest = [one for one in rest if one not in under + dealers]
        order = [dealers.pop() if at < 36 and at % 12 > 8 else rest.pop() for at in range(49)] + under
        match = Match("cinch")
        for event in ("deal " + " ".join(order), "1 bid 3", "2 pass", "3 pass", "0 pass", "1 trump s"):
            match.event(event)
        if match.phase == "rob" and "take 2s" in match.legal(0):
            match.event("0 take " + ("2s" if wasteful else "Js"))
            yield match


def shares_of_robbed(seen: View, wasteful: bool) -> dict[tuple[int, int], float]:
    """How likely the dealer holds each number of cards that score and of other trumps, if everybody holds six."""
    state: Any = seen.state
    setup: Any = seen.setup
    unseen = setup.pack & ~sum(1 << card for card in seen.setup.all_cards(state))
    scoring = setup.scoring(state)
    brings, other = (unseen & scoring).bit_count(), (unseen & state.trumps & ~scoring).bit_count()
    plain = (unseen & ~state.trumps).bit_count()
    ways: Counter[tuple[int, int]] = Counter()
    for first, second in product(range(brings + 1), range(other + 1)):
        trumps, rest = first + second, 6 - first - second
        if rest < 0 or trumps < state.kept[0]:
            continue
        only_scoring = comb(first, state.drawn[0]) if rest == 0 else 0
        number = comb(trumps, state.kept[0]) - only_scoring if wasteful else only_scoring
        number *= comb(brings, first) * comb(other, second) * comb(plain, rest)
        ways[first, second] = number * others_hold(state, brings + other - trumps, plain - rest)
    return {one: number / ways.total() for one, number in ways.items() if number}


def others_hold(state: Any, trumps: int, plain: int) -> int:
    """In how many ways seats 2 and 3 can hold all the trumps left, and the kept ones come among these."""
    thrown = plain - 12 + trumps
    number = 0
    for one in range(7):
        two = trumps - one
        if 0 <= two <= 6:
            came = comb(one, state.kept[2]) * comb(two, state.kept[3])
            number += came * comb(trumps, one) * comb(plain, 6 - one) * comb(plain - 6 + one, 6 - two)
    return number if thrown >= 0 else 0


@pytest.mark.long
@pytest.mark.parametrize("sampled", [plain, compiled])
@pytest.mark.parametrize("wasteful", [False, True])
def test_what_counts_for_the_declarers_in_cinch_tells_what_the_dealer_robbed(sampled: Sampled, wasteful: bool) -> None:
    """CI-23, CI-43."""
    for seed, match in enumerate(islice(robbed_pack(wasteful), 3)):
        seen = match.view(1)
        worlds, scoring = sampled(seen, 400, seed), Cinch().scoring(seen.state)
        held = Counter(
            ((world.hand[0] & scoring).bit_count(), (world.hand[0] & world.trumps & ~scoring).bit_count())
            for world in worlds
        )
        assert fits(held, shares_of_robbed(seen, wasteful))


def test_worlds_are_not_listed_where_luck_decides_in_any_of_them() -> None:
    """CI-23: whether the dealer has robbed a card that does not score, where more trumps are held than were kept."""
    match = next(islice(robbed_pack(True), 47, None))
    refused = 0
    for rng in map(Random, range(3)):
        for one in play_on(match.fork(), rng, len(match.events) + 24):
            for seat in set(one.to_act) - {0} if one.phase == "play" else ():
                seen = one.view(seat)
                every = every_world(seen, ending_of(seen.game), 500)
                assert not any(luck_decides(seen, state) for state in every or [])
                refused += every is None
    assert refused
