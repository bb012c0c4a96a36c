"""Worlds: complete states that a seat cannot tell from the true one.

Every world is an arrangement of the unseen cards that fits all that the table has shown: how many cards each hand and
pile has, which cards of a hand everybody knows, which cards a seat has shown it does not hold. All of them are equally
likely: where seats are known to lack cards, the arrangements are counted, not dealt greedily.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import comb, prod
from random import Random
from typing import Any

from upcard import cards
from upcard.cards import JOKER, NO_CARD, Card
from upcard.game import NOBODY, Game
from upcard.match import UpcardError
from upcard.views import View

TRIES = 1000
"""So many arrangements are tried where a game rejects some for what was said."""

Left = tuple[tuple[int, int], ...]
"""How many cards are left of each kind, as (kind, number); a kind is the set of choosy places that may take it."""


class NoWorld(UpcardError):
    """No arrangement of the unseen cards was found that fits what a seat has seen."""


def world(view: View, rng: Random) -> Any:
    """One world, chosen at random: a state of its own. Raises NoWorld."""
    return Worlds(view).sample(rng)


def open_cards(game: Game, state: Any) -> list[Card]:
    """Every card that stands in a field of this state: all cards in play in a full one, in a view those seen."""
    found = [*game.laid(state)] if game.laid else []
    for name, field in game.state.fields.items():
        if field.cards is None:
            continue
        value = getattr(state, name)
        for number in [value] if field.length is None else value:
            if field.cards == "jokers":
                found += [JOKER] * number
            elif field.cards != "card":
                found += cards.as_list(number)
            elif number != NO_CARD:
                found.append(number)
    return found


def whole_pack(game: Game, players: int, options: Any) -> list[Card]:
    """The cards of a deal."""
    state: Any = game.state()
    state.players = players
    game.start(state, options, 0)
    out = [0] * 128
    return out[: game.gather(state, options, out)]


class Worlds:
    """The worlds of one view, for sampling many of them."""

    def __init__(self, view: View) -> None:
        self.view = view
        game, state = view.game, view.state
        self.seen = [game.hand.cards(state, seat) for seat in range(state.players)]
        pack = Counter(whole_pack(game, state.players, view.options))
        self.unseen = sorted((pack - Counter(open_cards(game, state))).elements())
        lacks = getattr(state, game.lacks) if game.lacks else [0] * state.players
        hidden = cards.as_set(self.unseen)
        self.free: list[tuple[int, int]] = []
        """(seat, number of cards) for hands that may hold any unseen card."""
        self.choosy: list[tuple[int, int]] = []
        """The same for hands that are known to lack some."""
        for seat in range(state.players):
            if number := view.sizes[seat] - len(self.seen[seat]):
                (self.choosy if lacks[seat] & hidden else self.free).append((seat, number))
        self.kinds = [
            sum(1 << i for i, (seat, _) in enumerate(self.choosy) if not lacks[seat] >> card & 1)
            for card in self.unseen
        ]
        wanted = sum(number for _, number in self.free + self.choosy) + sum(view.piles.values())
        if len(self.unseen) < wanted:
            raise NoWorld(f"{wanted} hidden cards, but only {len(self.unseen)} that this seat has not seen")
        self._counted: dict[tuple[int, Left], tuple[list[int], list[tuple[int, ...]]]] = {}

    def sample(self, rng: Random) -> Any:
        """One world, all being equally likely. Raises NoWorld."""
        view = self.view
        game, options = view.game, view.options
        me = NOBODY if view.seat is None else view.seat
        for _ in range(TRIES):
            state = self._arrange(rng)
            if game.complete:
                game.complete(state, options, me, rng)
            if not game.consistent or game.consistent(state, options, me):
                return state
        raise NoWorld(f"{TRIES} arrangements of the unseen cards, and none fits what was said")

    def _arrange(self, rng: Random) -> Any:
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
        if (i, left) in self._counted:
            return self._counted[i, left]
        wanted = self.choosy[i][1]
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
        self._counted[i, left] = list(accumulate(weights)), splits
        return self._counted[i, left]


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
