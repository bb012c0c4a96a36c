"""Worlds: complete states that a seat cannot tell from the true one.

Every world is an arrangement of the unseen cards that fits all that the table has shown: how many cards each hand and
pile has, which cards of a hand everybody knows, which cards a seat has shown it does not hold. All of them are equally
likely: where seats are known to lack cards, the arrangements are counted, not dealt greedily.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from math import comb, prod
from random import Random
from typing import Any

from upcard import cards
from upcard.cards import NO_CARD, Card
from upcard.game import NOBODY, Game, Reading
from upcard.match import UpcardError
from upcard.views import View

TRIES = 1000
"""So many arrangements are tried where a game rejects some for what was said."""

Left = tuple[tuple[int, int], ...]
"""How many cards are left of each kind, as (kind, number); a kind is the set of choosy places that may take it."""

Counted = dict[tuple[tuple[int, ...], int, Left], tuple[list[int], list[tuple[int, ...]]]]
"""The splits of choosy hands that were counted: see `Arrangements._splits`."""


class NoWorld(UpcardError):
    """No arrangement of the unseen cards was found that fits what a seat has seen."""


def world(view: View, rng: Random) -> Any:
    """One world, chosen at random: a state of its own. Raises NoWorld."""
    return Worlds(view).sample(rng)


def whole_pack(game: Game, players: int, options: Any) -> list[Card]:
    """The cards of a deal."""
    state: Any = game.state()
    state.players = players
    game.start(state, options, 0)
    out = [0] * 128
    return out[: game.gather(state, options, out)]


def remembered(game: Game, state: Any, seat: int) -> list[Card]:
    """The cards that a hand is known to hold and that a view does not show."""
    if game.known is None:
        return []
    return list((Counter(game.known.cards(state, seat)) - Counter(game.hand.cards(state, seat))).elements())


class Worlds:
    """The worlds of one view, for sampling many of them."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.me = NOBODY if view.seat is None else view.seat
        game, state = view.game, view.state
        nothing_said = Reading((0,) * state.players, (0,) * state.players)
        self.readings = game.readings(state, view.options, self.me) if game.readings else [nothing_said]
        hidden = Counter(whole_pack(game, state.players, view.options)) - Counter(game.all_cards(state))
        counted: Counted = {}
        self.arrangements = [Arrangements(view, hidden, reading, counted) for reading in self.readings]
        self.sums = list(accumulate(one.number() for one in self.arrangements)) if len(self.readings) > 1 else []

    def sample(self, rng: Random) -> Any:
        """One world, all being equally likely. Raises NoWorld."""
        game, options = self.view.game, self.view.options
        for _ in range(TRIES):
            state = self._any_reading(rng).arrange(rng)
            if game.complete:
                game.complete(state, options, self.me, rng)
            if (not game.consistent or game.consistent(state, options, self.me)) and self._keep(state, rng):
                return state
        raise NoWorld(f"{TRIES} arrangements of the unseen cards, and none fits what was said")

    def _any_reading(self, rng: Random) -> Arrangements:
        """The arrangements of one reading, the more likely the more of them there are."""
        if len(self.arrangements) == 1:
            return self.arrangements[0]
        if not self.sums or not self.sums[-1]:
            raise NoWorld("there is no reading of what was said that fits the unseen cards")
        return self.arrangements[bisect_right(self.sums, rng.randrange(self.sums[-1]))]

    def _keep(self, state: Any, rng: Random) -> bool:
        """A world that fits several readings has been dealt from each: it is kept so much the less often."""
        if len(self.readings) == 1:
            return True
        hands = [cards.as_set(self.view.game.hand.cards(state, seat)) for seat in range(state.players)]
        fitting = sum(
            all(
                holds & ~hand == 0 and lacks & hand == 0
                for holds, lacks, hand in zip(one.holds, one.lacks, hands, strict=True)
            )
            for one in self.readings
        )
        return rng.randrange(fitting) == 0


class Arrangements:
    """The arrangements of the unseen cards for one reading of what was said."""

    def __init__(self, view: View, anywhere: Counter[Card], reading: Reading, counted: Counted) -> None:
        self.view = view
        game, state = view.game, view.state
        seats = range(state.players)
        known = [remembered(game, state, seat) + cards.as_list(reading.holds[seat]) for seat in seats]
        self.seen = [game.hand.cards(state, seat) + known[seat] for seat in seats]
        self.unseen = sorted((anywhere - Counter(chain(*known))).elements())
        shown_to_lack = getattr(state, game.lacks) if game.lacks else [0] * state.players
        self.possible = Counter(chain(*known)) <= anywhere and all(
            len(self.seen[seat]) <= view.sizes[seat] and reading.holds[seat] & shown_to_lack[seat] == 0
            for seat in seats
        )
        lacks = [shown_to_lack[seat] | reading.lacks[seat] for seat in seats]
        hidden = cards.as_set(self.unseen)
        self.free: list[tuple[int, int]] = []
        """(seat, number of cards) for hands that may hold any unseen card."""
        self.choosy: list[tuple[int, int]] = []
        """The same for hands that are known to lack some."""
        for seat in seats:
            number = view.sizes[seat] - len(self.seen[seat])
            if number or known[seat]:
                (self.choosy if number and lacks[seat] & hidden else self.free).append((seat, number))
        self.kinds = [
            sum(1 << i for i, (seat, _) in enumerate(self.choosy) if not lacks[seat] >> card & 1)
            for card in self.unseen
        ]
        self.wanted = tuple(number for _, number in self.choosy)
        wanted = sum(number for _, number in self.free + self.choosy) + sum(view.piles.values())
        if len(self.unseen) < wanted:
            raise NoWorld(f"{wanted} hidden cards, but only {len(self.unseen)} that this seat has not seen")
        self._counted = counted

    def number(self) -> int:
        """How many there are, but for a factor that is the same for all readings: the order of the cards left."""
        if not self.possible:
            return 0
        ways, rest = 1, len(self.unseen) - sum(self.wanted)
        if self.choosy:
            sums, _ = self._splits(0, tuple(sorted(Counter(self.kinds).items())))
            ways = sums[-1] if sums else 0
        for _, number in self.free:
            ways *= comb(rest, number)
            rest -= number
        return ways

    def arrange(self, rng: Random) -> Any:
        """Any of them, each as likely."""
        game, state = self.view.game, self.view.state.copy()
        rest = self._serve_choosy(rng, state) if self.choosy else self.unseen[:]
        rng.shuffle(rest)
        for seat, number in self.free:
            game.hand.put(state, seat, self.seen[seat] + rest[:number])
            del rest[:number]
        for name, number in self.view.piles.items():
            pile, rest = rest[:number], rest[number:]
            length = game.state.fields[name].length
            setattr(state, name, cards.as_set(pile) if length is None else pile + [NO_CARD] * (length - number))
        return state

    def _serve_choosy(self, rng: Random, state: Any) -> list[Card]:
        """Deal the hands that lack something; returns the cards left.

        How many cards of each kind a hand gets is drawn by the number of arrangements in which it gets so many.
        """
        heaps: dict[int, list[Card]] = {}
        for kind, card in zip(self.kinds, self.unseen, strict=True):
            heaps.setdefault(kind, []).append(card)
        for i, (seat, _) in enumerate(self.choosy):
            left = tuple(sorted((kind, len(heap)) for kind, heap in heaps.items()))
            sums, splits = self._splits(i, left)
            if not splits:
                raise NoWorld("the unseen cards cannot be dealt so that no seat holds what it has shown to lack")
            split = splits[bisect_right(sums, rng.randrange(sums[-1]))]
            hand = self.seen[seat][:]
            merged: dict[int, list[Card]] = {}
            for (kind, _), number in zip(left, split, strict=True):
                heap = heaps[kind]
                rng.shuffle(heap)
                hand += heap[:number]
                merged.setdefault(kind & ~(1 << i), []).extend(heap[number:])
            self.view.game.hand.put(state, seat, hand)
            heaps = merged
        return [card for heap in heaps.values() for card in heap]

    def _splits(self, i: int, left: Left) -> tuple[list[int], list[tuple[int, ...]]]:
        """The ways to take the i-th choosy hand from what is left, by kind, with the running sum of their weights.

        The weight of one is the number of arrangements of this and all later choosy hands that begin so.
        """
        counted = self.wanted[i:], i, left
        if counted in self._counted:
            return self._counted[counted]
        wanted = self.wanted[i]
        weights, splits = [], []
        for split in _portions(wanted, [number if kind >> i & 1 else 0 for kind, number in left]):
            after: Counter[int] = Counter()
            for (kind, number), taken in zip(left, split, strict=True):
                after[kind & ~(1 << i)] += number - taken
            ways = prod(comb(number, taken) for (_, number), taken in zip(left, split, strict=True))
            if i + 1 < len(self.choosy):
                sums, _ = self._splits(i + 1, tuple(sorted(after.items())))
                ways *= sums[-1] if sums else 0
            if ways:
                weights.append(ways)
                splits.append(split)
        self._counted[counted] = list(accumulate(weights)), splits
        return self._counted[counted]


def _portions(wanted: int, heaps: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All ways to take so many cards from heaps of these sizes."""
    if not heaps:
        if wanted == 0:
            yield ()
        return
    first, *others = heaps
    for number in range(max(0, wanted - sum(others)), min(first, wanted) + 1):
        for rest in _portions(wanted - number, others):
            yield (number, *rest)
