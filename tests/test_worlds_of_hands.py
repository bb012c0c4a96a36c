"""Worlds agree with what hands have shown: what they lacked and drew since, and what they have declared or owe."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

import pytest
from playing import play_on, random_event
from sampling import Sampled, compiled, fits, plain

from upcard import Match, games
from upcard.engine.views import View
from upcard.engine.worlds import NoWorld, Worlds, whole_pack, world
from upcard.games.klaberjass import Klaberjass
from upcard.rules import HandHistory, Turn
from upcard.rules.cards import NO_CARD, Card, Cards, all_of, text

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
    unseen = [card for card in whole_pack(seen.setup) if card not in seen.setup.all_cards(seen.state)]
    found = {}
    for first in combinations(unseen, seen.sizes[one] - len(shown[0])):
        for second in combinations([c for c in unseen if c not in first], seen.sizes[other] - len(shown[1])):
            if number := hands[one].ways([*shown[0], *first]) * hands[other].ways([*shown[1], *second]):
                found[tuple(sorted([*shown[0], *first])), tuple(sorted([*shown[1], *second]))] = number
    return {held: number / sum(found.values()) for held, number in found.items()}


def drew_what_it_lacked(hand: Hand) -> bool:
    return any(came > moment for came in hand.born for moment, _ in hand.lacked)


@pytest.mark.long
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
    "small-rounds", numbers={"pack": "AKQJT", "prize": "Th", "size": 3, "more": 2, "tricks": 1, "rounds": 4}
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


@pytest.mark.long
@pytest.mark.parametrize("sampled", [plain, compiled])
def test_what_a_hand_lacked_in_a_round_it_can_hold_only_if_it_was_dealt_it_since(sampled: Sampled) -> None:
    """RD-8, RD-18, RD-19: the cards kept from an earlier round are among those that it had then."""
    tried = 0
    for seed in range(12):
        for seen, hand in rounds(seed):
            if drew_what_it_lacked(hand) and seen.sizes[0] > 2:
                unseen = sorted(set(whole_pack(seen.setup)) - set(seen.setup.all_cards(seen.state)))
                other = 1 - (seen.seat or 0)
                numbers = {held: hand.ways(held) for held in combinations(unseen, seen.sizes[other])}
                shares = {held: number / sum(numbers.values()) for held, number in numbers.items() if number}
                worlds = sampled(seen, 20 * len(shares), seed)
                assert fits(Counter(tuple(sorted(ROUNDS.hand.cards(one, other))) for one in worlds), shares)
                tried += 1
    assert tried >= 5


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
    rules = Klaberjass()
    tried = 0
    for seen, holder in shown_sequences():
        for one in plain(seen, 100, tried):
            assert rules.sequence_cards(one.hand[holder] | one.played[holder]) == one.melds
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
    with pytest.raises(NoWorld, match="seen to draw and discard is impossible"):
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
