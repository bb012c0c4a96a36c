"""Worlds (determinizations): complete states that a seat cannot distinguish from the true one.

Every world is an arrangement of the unseen cards that agrees with everything the table has shown: the sizes of hands
and piles, cards that are publicly known to be in a hand, and cards that a seat has shown it lacks. All such
arrangements are equally likely: if seats are known to lack cards, arrangements are counted instead of dealt greedily.
If some cards of a place are known to be from a set, these and the other cards of the place are counted as separate
slots, because they arrived there separately.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate, chain, product
from math import comb, prod
from operator import mul, sub
from random import Random
from typing import Any

from upcard.engine.chance import check_luck
from upcard.engine.errors import UpcardError
from upcard.engine.mistakes import cards_of_chance
from upcard.engine.views import View, check_view, thickness
from upcard.rules import cards
from upcard.rules.cards import NO_CARD, Card, Cards
from upcard.rules.game import Game
from upcard.rules.knowledge import HandHistory, Hypothesis, KnownCount, Origins, shown_to_lack
from upcard.rules.state import AWAITING, DEAL, NOBODY, RESHUFFLE, Seen

TRIES = 200_000
"""The number of arrangements that are tried if a game's `consistent` rejects some."""

MOST_READINGS = 256
"""If there are more readings of what hands have drawn from a new stock, this many are sampled."""

NO_READING = "no reading of what was said fits the unseen cards"

Integers = tuple[int, ...]
"""The number of cards of each kind."""
Stage = tuple[Integers, Integers]
"""See `Arrangements.stages`."""
Splits = tuple[list[int], list[Integers], list[Integers]]
"""See `Arrangements.splits`."""
Counted = dict[Stage, dict[Integers, Splits]]
"""A cache for `Arrangements.splits`."""


class NoWorld(UpcardError):
    """No arrangement of the unseen cards was found that agrees with what a seat has seen."""


def world(view: View[Any], rng: Random) -> Any:
    """A random world of a view, as a new state. Raises NoWorld, and UpcardError for wrong arguments."""
    return worlds_for(view).sample(rng)


def worlds_for(view: View[Any]) -> Worlds:
    """The worlds of a view. They are cached in the view, because counting them can take half a second, and a player
    needs them several times in one decision. Raises NoWorld, and UpcardError for anything but a view."""
    check_view(view)
    attributes = vars(view)  # as in cached_property, but views know nothing of worlds
    if "_worlds" not in attributes:
        attributes["_worlds"] = Worlds(view)
    worlds: Worlds = attributes["_worlds"]
    return worlds


def luck_decides(view: View[Any], state: Any) -> bool:
    """Whether the game's `complete` randomises more than the order of face-down piles."""
    game = view.game
    if not game.defines("complete"):
        return False
    one, other = state.copy(), state.copy()
    for world, seed in ((one, 1), (other, 2)):
        view.setup.complete(world, NOBODY if view.seat is None else view.seat, Random(seed))
    names = (name for name, field in game.state.fields.items() if field.seen is not Seen.NOBODY)
    return any(getattr(one, name) != getattr(other, name) for name in names)


def whole_pack(setup: Game[Any]) -> list[Card]:
    """The cards that are dealt at a table."""
    state: Any = setup.state()
    state.players = setup.players
    state.awaiting = DEAL
    setup.start(state)
    return cards_of_chance(setup, state)


def remembered(game: type[Game[Any]], state: Any, seat: int) -> list[Card]:
    """The cards that are publicly known to be in a hand (`Game.known`) but not shown by the view's state."""
    if game.known is None:
        return []
    return list((Counter(game.known.cards(state, seat)) - Counter(game.hand.cards(state, seat))).elements())


class Worlds:
    """The worlds of one view, for sampling many of them. Raises NoWorld if there are none, and UpcardError for anything
    but a view."""

    def __init__(self, view: View[Any]) -> None:
        check_view(view)
        self.view = view
        self.me = NOBODY if view.seat is None else view.seat
        game, state = view.game, view.state
        no_constraint = Hypothesis((0,) * state.players, (0,) * state.players)
        self.hypotheses: Sequence[Hypothesis] = [no_constraint]
        if game.defines("hypotheses"):
            self.hypotheses = view.setup.hypotheses(state, self.me)
        hidden = Counter(whole_pack(view.setup)) - Counter(view.setup.all_cards(state))
        counted: Counted = {}
        possible = [*readings(view, hidden)]
        if not possible:
            raise NoWorld("what a hand has been seen to draw and discard is impossible")
        pairs = [(hypothesis, reading) for hypothesis in self.hypotheses for reading in possible]
        if not pairs:
            raise NoWorld(NO_READING)
        self.arrangements = [Arrangements(view, hidden, hypothesis, reading, counted) for hypothesis, reading in pairs]
        self.widest = self.arrangements
        """Arrangements that together include all worlds."""
        if not any(reading.newer for reading in possible):
            self.widest = self.arrangements[len(possible) - 1 :: len(possible)]  # the last reading of each allows most
        self.sums = [1]
        """The running sums of the numbers of worlds of the arrangements."""
        if len(pairs) != 1:
            numbers = (one.number() for one in self.arrangements)
            self.sums = list(accumulate(map(mul, numbers, (reading.ways for _, reading in pairs))))

    def sample(self, rng: Random) -> Any:
        """A random world; all are equally likely. Raises NoWorld, and UpcardError for an unsuitable generator."""
        check_luck(rng)
        setup = self.view.setup
        for _ in range(TRIES):
            state = self._random_arrangements(rng).arrange(rng)
            setup.complete(state, self.me, rng)
            if setup.consistent(state, self.me) and self._accept(state, rng):
                return state
        raise NoWorld(f"none of {TRIES} arrangements of the unseen cards fits what was said")

    def _random_arrangements(self, rng: Random) -> Arrangements:
        """Random arrangements, with probability proportional to the number of their worlds."""
        if not self.sums[-1]:
            raise NoWorld(NO_READING)
        return self.arrangements[bisect_right(self.sums, rng.randrange(self.sums[-1]))]

    def _accept(self, state: Any, rng: Random) -> bool:
        """Whether to accept a world. One that fits k hypotheses can be dealt from each of them, so it is accepted with
        probability 1/k."""
        if len(self.hypotheses) == 1:
            return True
        hands = [cards.as_set(self.view.game.hand.cards(state, seat)) for seat in range(state.players)]
        fitting = sum(
            all(
                holds & ~hand == 0 and lacks & hand == 0
                for holds, lacks, hand in zip(one.holds, one.lacks, hands, strict=True)
            )
            for one in self.hypotheses
        )
        return rng.randrange(fitting) == 0


@dataclass(frozen=True)
class HiddenPlace:
    """A place with hidden cards: a hand, cards laid aside, or a pile."""

    field: str
    seat: int
    """NOBODY for a pile."""
    seen: list[Card]
    """The cards that are known to be there."""
    hidden: int
    """The number of other cards."""
    lacks: Cards = 0
    """Cards that are known not to be there."""


class Arrangements:
    """The arrangements of the unseen cards for one hypothesis and one reading.

    The hidden cards of a place form one slot, or several if more is known about some of them. Slots that lack the same
    unseen cards form a group, which is dealt to at once; its cards are then divided among its slots at random.
    """

    def __init__(
        self,
        view: View[Any],
        anywhere: Counter[Card],
        hypothesis: Hypothesis,
        reading: Reading,
        counted: Counted,
    ) -> None:
        self.view = view
        game, state = view.game, view.state
        known = [remembered(game, state, seat) + cards.as_list(hypothesis.holds[seat]) for seat in range(state.players)]
        unseen = anywhere - Counter(chain(*known))
        newer = unseen & reading.newer
        marked = sorted([*(unseen - newer).elements(), *(card + MARK for card in newer.elements())])
        self.unseen = [card % MARK for card in marked]
        lacking = shown_to_lack(state)
        self.hands = [
            HiddenPlace(
                game.hand.first, seat, seen, view.sizes[seat] - len(seen), lacking[seat] | hypothesis.lacks[seat]
            )
            for seat, seen in enumerate(game.hand.cards(state, seat) + held for seat, held in enumerate(known))
        ]
        self.possible = Counter(chain(*known)) <= anywhere and all(
            hand.hidden >= 0 and hypothesis.holds[hand.seat] & lacking[hand.seat] == 0 for hand in self.hands
        )
        self.places = [hand for hand in self.hands if hand.hidden or known[hand.seat]] + self._piles() + self._aside()
        wanted = sum(place.hidden for place in self.places)
        if len(self.unseen) < wanted:
            raise NoWorld(f"{wanted} hidden cards, but only {len(self.unseen)} that this seat has not seen")
        slots = self._slots(reading.counts, cards.as_set(marked))
        self.free = slots.pop(0, [])
        """The slots that may take any unseen card: pairs of a place and a number of cards."""
        slots = dealing_order(slots)
        self.choosy = list(slots.values())
        """The groups of the other slots."""
        self.kinds = [sum(1 << i for i, lacks in enumerate(slots) if not lacks >> card & 1) for card in marked]
        self.wanted = tuple(sum(number for _, number in group) for group in self.choosy)
        self.stages: list[Stage] = [
            (self.wanted[i:], tuple(sorted({kind >> i for kind in self.kinds}))) for i in range(len(self.choosy) + 1)
        ]
        """Before each choosy group is dealt to, and after the last: the numbers of cards that it and the later groups
        take, and the kinds of cards, as the sets of these groups that may take them."""
        number = Counter(self.kinds)
        self.start = tuple(number[kind] for kind in self.stages[0][1])
        """The number of unseen cards of each kind."""
        self._counted = counted

    def _piles(self) -> list[HiddenPlace]:
        """The face-down piles that this seat has not seen."""
        return [
            HiddenPlace(name, NOBODY, [], number)
            for name, number in self.view.piles.items()
            if number and not thickness(getattr(self.view.state, name))
        ]

    def _aside(self) -> list[HiddenPlace]:
        """The cards that other seats have laid aside, except those turned up."""
        return [
            HiddenPlace(name, seat, open_cards, number - len(open_cards))
            for name, numbers in self.view.aside.items()
            for seat, number in enumerate(numbers)
            if number > len(open_cards := cards.as_list(getattr(self.view.state, name)[seat]))
        ]

    def _slots(self, counts: Sequence[KnownCount], unseen: Cards) -> dict[Cards, list[tuple[int, int]]]:
        """All slots, as pairs of a place and a number of cards, by the unseen cards that they lack."""
        slots = defaultdict(list)
        for i, place in enumerate(self.places):
            left, lacks = place.hidden, place.lacks | place.lacks << MARK
            for known in counts:
                if (known.field, known.seat) == (place.field, place.seat) and left > 0 < known.number:
                    number = min(left, known.number)
                    slots[(lacks | ~known.cards) & unseen].append((i, number))
                    left -= number
            if left > 0:
                slots[lacks & unseen].append((i, left))
        return slots

    def number(self) -> int:
        """The number of arrangements, up to a factor common to all hypotheses (the orders of the remaining cards)."""
        if not self.possible:
            return 0
        ways, rest = 1, len(self.unseen) - sum(self.wanted)
        if self.choosy:
            sums, *_ = self.splits(0, self.start)
            ways = sums[-1] if sums else 0
        for together, group in [*zip(self.wanted, self.choosy, strict=True), (rest, self.free)]:
            for _, number in group:
                ways *= comb(together, number)
                together -= number
        return ways

    def arrange(self, rng: Random) -> Any:
        """A random arrangement, as a new state; all are equally likely."""
        state = self.view.state.copy()
        dealt = [place.seen[:] for place in self.places]
        rest = self._deal_choosy(rng, dealt) if self.choosy else self.unseen[:]
        rng.shuffle(rest)
        share_out(rest, self.free, dealt)
        for place, contents in zip(self.places, dealt, strict=True):
            self.put(state, place, contents)
        return state

    def base(self) -> Any:
        """A new state with only the known cards in their places."""
        state = self.view.state.copy()
        for place in self.places:
            self.put(state, place, place.seen)
        return state

    def put(self, state: Any, place: HiddenPlace, contents: list[Card]) -> None:
        """Put these cards in a place."""
        game = self.view.game
        length = game.state.fields[place.field].length
        if place.field == game.hand.first:
            game.hand.put(state, place.seat, contents)
        elif place.seat != NOBODY:
            getattr(state, place.field)[place.seat] = cards.as_set(contents)
        elif length is None:
            setattr(state, place.field, cards.as_set(contents))
        else:
            setattr(state, place.field, contents + [NO_CARD] * (length - len(contents)))

    def _deal_choosy(self, rng: Random, dealt: list[list[Card]]) -> list[Card]:
        """Deal to the choosy slots; returns the remaining cards.

        The number of cards of each kind that a group gets is drawn in proportion to the number of arrangements.
        """
        heaps: dict[int, list[Card]] = {}
        for kind, card in zip(self.kinds, self.unseen, strict=True):
            heaps.setdefault(kind, []).append(card)
        for i, group in enumerate(self.choosy):
            kinds = self.stages[i][1]
            sums, splits, _ = self.splits(i, tuple(len(heaps[kind]) for kind in kinds))
            if not splits:
                raise NoWorld("the unseen cards cannot be dealt so that no seat holds what it has shown to lack")
            split = splits[bisect_right(sums, rng.randrange(sums[-1]))]
            together: list[Card] = []
            merged: dict[int, list[Card]] = {}
            for kind, number in zip(kinds, split, strict=True):
                heap = heaps[kind]
                rng.shuffle(heap)
                together += heap[:number]
                merged.setdefault(kind >> 1, []).extend(heap[number:])
            if len(group) > 1:
                rng.shuffle(together)
            share_out(together, group, dealt)
            heaps = merged
        return [card for heap in heaps.values() for card in heap]

    def splits(self, i: int, left: Integers) -> Splits:
        """The ways to deal to the i-th choosy group from the cards left: the running sums of their weights, the numbers
        of cards of each kind, and the numbers that each leaves for the next group, if there is one.

        The weight of a way is the number of arrangements of this and all later choosy groups that begin with it.
        """
        counted = self._counted.setdefault(self.stages[i], {})
        if left in counted:
            return counted[left]
        kinds, later = self.stages[i][1], self.stages[i + 1][1]
        columns = [later.index(kind >> 1) for kind in kinds]
        counted_later = self._counted.setdefault(self.stages[i + 1], {})
        may_take = tuple(number if kind & 1 else 0 for kind, number in zip(kinds, left, strict=True))
        weights, splits, lefts = [], [], []
        for split, ways in _portions(self.wanted[i], may_take):
            if i + 1 < len(self.choosy):
                rest = [0] * len(later)
                for column, number in zip(columns, map(sub, left, split), strict=True):
                    rest[column] += number
                after = tuple(rest)
                sums, *_ = counted_later.get(after) or self.splits(i + 1, after)
                if not sums:
                    continue
                lefts.append(after)
                ways *= sums[-1]
            weights.append(ways)
            splits.append(split)
        counted[left] = list(accumulate(weights)), splits, lefts
        return counted[left]


MARK = 64
"""Added to a card of a new stock, in sets of cards that a slot lacks."""
HELD: Cards = (1 << MARK) - 1
"""The set of all cards that are not from a new stock."""


@dataclass(frozen=True)
class Reading:
    """One interpretation of the public knowledge about hidden cards."""

    counts: Sequence[KnownCount]
    ways: int
    """The number of ways in which it can have arisen."""
    newer: Counter[Card] = field(default_factory=Counter)
    """The unseen cards that are from a new stock."""


def readings(view: View[Any], unseen: Counter[Card]) -> Iterator[Reading]:
    """All readings of the public knowledge about hidden cards. Without a new stock, the least specific comes last."""
    game, state = view.game, view.state
    choices = [readings_of_count(known, view) for known in view.setup.known_counts(state)]
    if game.defines("hand_histories") and view.told:
        histories = enumerate(view.setup.hand_histories(state, view.told))
        choices += [
            readings_of_history(game, seat, history, cards.as_set(unseen))
            for seat, history in histories
            if seat != view.seat
        ]
    if game.defines("new_stock") and view.renewed:
        choices.append(readings_of_new_stock(view, view.renewed))
    for chosen in product(*choices):
        newer = sum((one.newer for one in chosen), Counter[Card]())
        yield Reading([*chain(*(one.counts for one in chosen))], prod(one.ways for one in chosen), newer)


def readings_of_count(known: KnownCount, view: View[Any]) -> list[Reading]:
    """The readings of a count, by how many of the counted cards are still there: any number of them may be among those
    that have left."""
    hidden = known.seat != view.seat
    gone = known.gone if hidden and known.number else 0
    left = view.sizes[known.seat] if known.seat != NOBODY and known.field == view.game.hand.first else known.number
    fewest = max(0, known.number - left) if gone else 0
    return [
        Reading([replace(known, number=known.number - off)], comb(gone, off))
        for off in range(fewest, min(gone, known.number) + 1)
    ]


def readings_of_history(game: type[Game[Any]], seat: int, history: HandHistory, unseen: Cards) -> list[Reading]:
    """The readings of a hand's history, by the age of its cards."""
    return [
        Reading([KnownCount(game.hand.first, seat, number, ~lacks) for number, lacks in ages], ways)
        for ages, ways in history.ages(unseen)
    ]


def readings_of_new_stock(view: View[Any], then: View[Any]) -> list[Reading]:
    """The readings of the events since the stock was renewed: at that time, all unseen cards were in hands, and hands
    have since drawn cards that had been seen.

    If one copy of a card was in a hand and the other in the new stock, either may have left a hand since.
    """
    game = view.game
    since = [event.word for event in reversed(view.told)].index(AWAITING[RESHUFFLE] or "")
    seen = view.setup.new_stock(then.state, then.sizes, view.told[-since - 1 :])
    if seen is None:
        return [Reading([], 1)]
    held = Counter(whole_pack(view.setup)) - Counter(view.setup.all_cards(then.state))
    stock = seen.cards - (own_hidden(view) + Counter(seen.gone(view.seat)) - own_hidden(then))
    ways = seen.ways(view.seat, held, stock)
    if len(ways) > MOST_READINGS:
        ways = sampled_ways(ways, stock)
    hand = game.hand.first
    return [
        Reading([KnownCount(hand, seat, left, HELD) for seat, left in enumerate(one.older)], number, one.left_of(stock))
        for one, number in ways.items()
    ]


def sampled_ways(ways: Counter[Origins], stock: Counter[Card]) -> Counter[Origins]:
    """A sample of the ways, drawn in proportion to their worlds and weighted by how often each was drawn."""
    splits = [
        multinomial(one.older) * multinomial([*one.newer, one.left_of(stock).total() - sum(one.newer)]) for one in ways
    ]
    sums = list(accumulate(map(mul, ways.values(), splits)))
    rng = Random(0)  # the same for the same view
    drawn = Counter(bisect_right(sums, rng.randrange(sums[-1])) for _ in range(MOST_READINGS))
    every, enough = list(ways), max(splits) << 32
    return Counter({every[at]: number * enough // splits[at] for at, number in drawn.items()})


def multinomial(numbers: Sequence[int]) -> int:
    """The number of ways to deal cards to hands of these sizes."""
    return prod(comb(total, number) for total, number in zip(accumulate(numbers), numbers, strict=True))


def own_hidden(view: View[Any]) -> Counter[Card]:
    """The cards in the seat's own hand that others do not know about."""
    if view.seat is None:
        return Counter()
    game, hand = view.game, Counter(view.game.hand.cards(view.state, view.seat))
    shown, known = (Counter(seen.cards(view.state, view.seat) if seen else []) for seen in (game.shown, game.known))
    return hand - (shown | known)


def share_out(shuffled: list[Card], group: Sequence[tuple[int, int]], dealt: list[list[Card]]) -> None:
    """Deal each slot of a group its number of these cards."""
    at = 0
    for place, number in group:
        dealt[place] += shuffled[at : at + number]
        at += number


@lru_cache(maxsize=1 << 12)
def _portions(wanted: int, heaps: Integers) -> list[tuple[Integers, int]]:
    """All ways to take `wanted` cards from heaps of these sizes: the number from each heap, and the number of ways to
    choose these cards."""
    if not heaps:
        return [] if wanted else [((), 1)]
    first, others = heaps[0], heaps[1:]
    return [
        ((number, *rest), comb(first, number) * ways)
        for number in range(max(0, wanted - sum(others)), min(first, wanted) + 1)
        for rest, ways in _portions(wanted - number, others)
    ]


def dealing_order(slots: Mapping[Cards, list[tuple[int, int]]]) -> dict[Cards, list[tuple[int, int]]]:
    """The slots in dealing order: first those that lack most cards, then always those that lack the most similar set.
    With this order there are few kinds of cards to distinguish, and counting worlds is faster."""
    left = dict(slots)
    ordered = {}
    last = max(left, key=int.bit_count, default=0)
    while left:
        last = min(left, key=lambda lacks: ((lacks ^ last).bit_count(), -lacks.bit_count()))
        ordered[last] = left.pop(last)
    return ordered
