"""Worlds agree with everything that a seat has seen, and all such worlds are equally likely."""

import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from itertools import chain, combinations, islice, permutations, product
from math import comb, perm, prod
from random import Random
from typing import Any

import numpy as np
import pytest
from playing import play_on, random_event, random_match

from upcard import Match, games, shuffler
from upcard.compiled.worlds import Dealer
from upcard.engine.errors import IllegalMove, UpcardError
from upcard.engine.views import View
from upcard.engine.worlds import NoWorld, Worlds, luck_decides, thinned, whole_pack, world, worlds_for
from upcard.games.cinch.rules import scoring
from upcard.games.klaberjass.rules import sequence_cards
from upcard.players import player
from upcard.players.endings import Ending, ending_of
from upcard.players.endings import worlds as every_world
from upcard.rules import Game, HandHistory, Turn
from upcard.rules.cards import NO_CARD, Card, Cards, all_of, text
from upcard.rules.knowledge import Origins


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


Sampled = Callable[[View, int, int], list[Any]]


def plain(seen: View, number: int, seed: int) -> list[Any]:
    """So many worlds, dealt in plain Python."""
    sampler, rng = Worlds(seen), Random(seed)
    return [sampler.sample(rng) for _ in range(number)]


def compiled(seen: View, number: int, seed: int) -> list[Any]:
    """So many worlds, dealt in a compiled loop."""
    dealer = Dealer(seen)
    tables = dealer.deal(number, seed)
    return [dealer.program.get(tables, i) for i in range(number)]


def fits(found: Counter[Any], shares: dict[Any, float], least: float = 5) -> bool:
    """Whether what was found is as likely as these shares say, the rare cases taken together."""
    number = found.total()
    assert set(found) <= set(shares)
    rare = [one for one, share in shares.items() if share * number < least]
    cells = [(found[one], share * number) for one, share in shares.items() if one not in rare]
    cells += [(sum(found[one] for one in rare), sum(shares[one] for one in rare) * number)] if rare else []
    square = sum((seen - expected) ** 2 / expected for seen, expected in cells)
    freedom = len(cells) - 1
    return square <= freedom + 5 * (2 * freedom) ** 0.5


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
        found = every_world(seen, Ending(), len(expected))
        assert found is not None
        hands = [tuple(tuple(sorted(seen.game.hand.cards(one, seat))) for seat in others) for one in found]
        assert sorted(hands) == sorted(expected)
        assert len(expected) == 1 or every_world(seen, Ending(), len(expected) - 1) is None
        tried += len(expected) > 10
    assert tried


def trumps_held(seen: View) -> dict[tuple[int, ...], float]:
    """Cinch in the play: how likely the other seats hold each number of trumps, by counting the ways in which the
    cards can have been dealt.

    Of the trumps that a seat has played or holds, any may be those that it kept of the cards dealt; what it threw away
    was plain, and so is all that a robber leaves.
    """
    state: Any = seen.state
    others = [seat for seat in range(4) if seat != seen.seat]
    options: Any = seen.options
    unseen = options.pack & ~sum(1 << card for card in seen.game.all_cards(state))
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
    options: Any = seen.options
    unseen = options.pack & ~sum(1 << card for card in seen.game.all_cards(state))
    brings, other = (unseen & scoring(state)).bit_count(), (unseen & state.trumps & ~scoring(state)).bit_count()
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


@pytest.mark.parametrize("sampled", [plain, compiled])
@pytest.mark.parametrize("wasteful", [False, True])
def test_what_counts_for_the_declarers_in_cinch_tells_what_the_dealer_robbed(sampled: Sampled, wasteful: bool) -> None:
    """CI-23, CI-43."""
    for seed, match in enumerate(islice(robbed_pack(wasteful), 3)):
        seen = match.view(1)
        worlds = sampled(seen, 400, seed)
        held = Counter(
            ((one.hand[0] & scoring(one)).bit_count(), (one.hand[0] & one.trumps & ~scoring(one)).bit_count())
            for one in worlds
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


Born = tuple[int, ...]
"""When the places of a hand for hidden cards came up: those of the deal at 0."""
Until = tuple[int, int]
"""A card lay in its hand from later than the first moment until the second."""
END = 1000


def ways(born: Born, cards: Sequence[Until]) -> int:
    """In how many ways these cards can have filled those places."""
    if not born:
        return 1
    first, *others = born
    return sum(
        ways(tuple(others), [one for i, one in enumerate(cards) if i != taken])
        for taken, (after, until) in enumerate(cards)
        if after < first < until
    )


class Hand:
    """What has been seen to happen to one hand of Linger Longer."""

    def __init__(self, size: int, upcard: Card) -> None:
        self.born: list[int] = [0] * size
        self.gone: list[tuple[int, Card]] = []
        self.lacked: list[tuple[int, Cards]] = []
        self.upcard = upcard

    def ways(self, held: Sequence[Card]) -> int:
        """In how many ways it can have come to hold these cards."""
        cards = [*self.gone, *((END, card) for card in held)]
        return ways(tuple(self.born), [self.between(card, moment) for moment, card in cards])

    def between(self, card: Card, moment: int) -> Until:
        if card == self.upcard:
            return -1, 1
        return max((one for one, lacks in self.lacked if one < moment and lacks >> card & 1), default=-1), moment


LINGER = {
    "plain": games.load("linger-longer").variant("small-linger", numbers={"pack": "AKQJT"}),
    "reshuffled": games.load("linger-longer").variant("tiny-linger", numbers={"pack": "AKQ"}),
}


def linger_longer(kind: str, seed: int) -> Iterator[tuple[View, list[Hand]]]:
    """All decisions of a first deal of Linger Longer, with what has happened to each hand."""
    match = Match(LINGER[kind], 3, options={"cards": 3}, chance=Random(seed))
    for _ in play_on(match, Random(seed), 1):
        pass
    hands = [Hand(3, match.state.upcard if seat == match.state.dealer else NO_CARD) for seat in range(3)]
    while match.state.deals == 1 and not match.done:
        if match.to_act:
            yield match.view(match.to_act[0]), hands
        moment, before = 10 * len(match.events), match.state.copy()
        event = random_event(match, Random(seed + moment))
        match.event(event)
        seat, card = match.events[-1].seat, match.events[-1].move
        if seat is None:
            for hand in hands:
                hand.lacked.append((moment, before.discard))
        else:
            hands[seat].gone.append((moment, card))
            if before.led and not before.led >> card & 1:
                hands[seat].lacked.append((moment + 1, before.led))
        if match.state.left != before.left and match.state.deals == 1:
            hands[match.state.leader].born.append(moment + 2)


def linger_shares(seen: View, hands: Sequence[Hand]) -> dict[tuple[tuple[Card, ...], ...], float]:
    """How likely the other seats hold what, by trying all ways to deal the unseen cards to them."""
    one, other = [seat for seat in range(3) if seat != seen.seat]
    shown = [seen.game.hand.cards(seen.state, seat) for seat in (one, other)]
    unseen = [card for card in whole_pack(seen.game, 3, seen.options) if card not in seen.game.all_cards(seen.state)]
    found = {}
    for first in combinations(unseen, seen.sizes[one] - len(shown[0])):
        for second in combinations([c for c in unseen if c not in first], seen.sizes[other] - len(shown[1])):
            if number := hands[one].ways([*shown[0], *first]) * hands[other].ways([*shown[1], *second]):
                found[tuple(sorted([*shown[0], *first])), tuple(sorted([*shown[1], *second]))] = number
    return {held: number / sum(found.values()) for held, number in found.items()}


def drew_what_it_lacked(hand: Hand) -> bool:
    return any(came > moment for came in hand.born for moment, _ in hand.lacked)


@pytest.mark.parametrize("sampled", [plain, compiled])
@pytest.mark.parametrize("kind", LINGER)
def test_what_a_hand_lacked_it_can_hold_only_if_it_drew_it_since(kind: str, sampled: Sampled) -> None:
    """LL-12: and every order in which its cards can have come counts."""
    tried = 0
    for seed in range(40):
        for seen, hands in linger_longer(kind, seed):
            if any(drew_what_it_lacked(hand) for seat, hand in enumerate(hands) if seat != seen.seat):
                shares = linger_shares(seen, hands)
                if 10 < len(shares) < 200:
                    others = [seat for seat in range(3) if seat != seen.seat]
                    worlds = sampled(seen, 20 * len(shares), seed)
                    found = ([tuple(sorted(seen.game.hand.cards(one, seat))) for seat in others] for one in worlds)
                    assert fits(Counter(map(tuple, found)), shares)
                    tried += 1
    assert tried >= 5


ROUNDS = games.load("rounds").variant(
    "small-rounds", numbers={"pack": "AKQJT", "size": 3, "more": 2, "tricks": 2, "rounds": 4}
)


def rounds(seed: int) -> Iterator[tuple[View, Hand]]:
    """All decisions of a first game of Rounds, with what has happened to the other hand."""
    match = Match(ROUNDS, chance=Random(seed))
    hands = [Hand(3, NO_CARD) for _ in range(2)]
    while match.state.deals == 1 and not match.done:
        seat = match.to_act[0]
        yield match.view(seat), hands[1 - seat]
        moment, before = 10 * len(match.events), match.state.copy()
        card = match.event(random_event(match, Random(seed + moment))).items[0]
        hands[seat].gone.append((moment, card))
        if before.led and not before.led >> card & 1:
            hands[seat].lacked.append((moment + 1, before.led | (0 if before.forced >> card & 1 else before.forced)))
        if match.state.left < before.left:
            for hand in hands:
                hand.born += [moment + 2] * 2


@pytest.mark.parametrize("sampled", [plain, compiled])
def test_what_a_hand_lacked_in_a_round_it_can_hold_only_if_it_was_dealt_it_since(sampled: Sampled) -> None:
    """RD-8, RD-18, RD-19: the cards kept from an earlier round are among those that it had then."""
    tried = 0
    for seed in range(12):
        for seen, hand in rounds(seed):
            if drew_what_it_lacked(hand) and seen.sizes[0] > 2:
                unseen = sorted(set(whole_pack(ROUNDS, 2, seen.options)) - set(ROUNDS.all_cards(seen.state)))
                other = 1 - (seen.seat or 0)
                numbers = {held: hand.ways(held) for held in combinations(unseen, seen.sizes[other])}
                shares = {held: number / sum(numbers.values()) for held, number in numbers.items() if number}
                worlds = sampled(seen, 20 * len(shares), seed)
                assert fits(Counter(tuple(sorted(ROUNDS.hand.cards(one, other))) for one in worlds), shares)
                tried += 1
    assert tried >= 5


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


def shown_sequences() -> Iterator[tuple[View, int]]:
    """Klaberjass: what the other player sees once a player has shown all sequences."""
    for seed in range(60):
        match = Match("klaberjass", chance=Random(seed))
        while match.state.deals == 1 and not match.state.melds and not match.done:
            match.event(random_event(match, Random(seed + len(match.events))))
        if match.state.deals == 1 and match.state.melds:
            yield match.view(1 - match.state.holder), match.state.holder


def test_who_has_shown_all_sequences_of_klaberjass_holds_no_other() -> None:
    """KJ-38."""
    tried = 0
    for seen, holder in shown_sequences():
        for one in plain(seen, 100, tried):
            assert sequence_cards(one.hand[holder] | one.played[holder]) == one.melds
        tried += 1
    assert tried >= 10


def test_between_two_deals_nothing_is_known_of_hands_that_are_gone() -> None:
    for seed in range(12):
        match = Match("linger-longer", 6, options={"cards": 7})
        for _ in play_on(match, Random(seed)):
            if match.phase == "deal" and len(match.events) > 1:
                break
        seen = match.view(0)
        assert sum(seen.sizes) == 0 and len(seen.told) > 1
        assert world(seen, Random(1)) == seen.state


def test_a_history_that_cannot_be_leaves_no_world(monkeypatch: pytest.MonkeyPatch) -> None:
    spades = all_of(3)
    lacked = HandHistory(3, [Turn(lacks=spades), Turn(card=spades.bit_length() - 1)])
    assert lacked.ages(spades) == []
    seen = next(linger_longer("plain", 1))[0]
    monkeypatch.setattr("upcard.engine.worlds.readings", lambda view, unseen: iter(()))
    with pytest.raises(NoWorld, match="cannot have come about"):
        Worlds(seen)


def a_three(hand: Sequence[str]) -> str:
    """The rank of the three that is among these cards of Kalooki."""
    ranks = Counter(card[0] for card in hand)
    threes = [rank for rank in ranks if rank != "*" and ranks[rank] > 1 and ranks[rank] + (ranks["*"] > 0) > 2]
    return threes[0] if threes else ""


def a_contract_begun() -> tuple[Match, list[str]]:
    """Kalooki: seat 0 has still a three to lay and holds four cards, one of them seen; the cards that seat 1 has not
    seen."""
    match = Match("kalooki", 4, dealer=3)
    pack = Counter([rank + suit for rank in "23456789TJQKA" for suit in "cdhs" for _ in range(2)] + ["*"] * 4)
    exact = "7s 7h 7d Qs Qc * 2h 2d 2c".split()
    others = (pack - Counter([*exact, "9c"])).elements()
    hands = [exact, *([next(others) for _ in range(9)] for _ in range(3))]
    match.event(" ".join(["deal", *(hands[i % 4][i // 4] for i in range(36)), "9c", *others]))
    for event in ("0 take", "0 lay 7s 7h 7d", "0 lay Qs Qc *"):
        match.event(event)
    return match, sorted((pack - Counter([*exact[:6], "9c", *hands[1]])).elements())


def test_the_rest_of_a_contract_in_kalooki_is_any_that_fits() -> None:
    match, unseen = a_contract_begun()
    ways = Counter((a_three([*three, "9c"]), three.count("*")) for three in combinations(unseen, 3))
    ways = Counter({one: count for one, count in ways.items() if one[0]})
    held = [list(map(text, match.game.hand.cards(one, 0))) for one in plain(match.view(1), 150, 1)]
    found = Counter((a_three(hand), hand.count("*")) for hand in held)
    assert fits(found, {one: count / ways.total() for one, count in ways.items()})


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
    drawn = thinned(ways, stock)
    found = Counter({one: worlds[one] * number // ways[one] for one, number in drawn.items()})
    scale = found.total() // 2000
    assert fits(
        Counter({one: round(number / scale) for one, number in found.items()}),
        {one: number / sum(worlds.values()) for one, number in worlds.items()},
    )


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
    with pytest.raises(UpcardError, match=r"^luck is drawn from a random\.Random, .*, not from a Generator$"):
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


def test_a_game_that_completes_its_worlds_in_plain_python_has_them_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upcard.compiled.worlds.deals_worlds", lambda game: False)
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
