"""Worlds of an ending that differ in what matters, and proofs in which chance speaks.

Most of the unseen cards of an ending lie where nobody will play them, and of those in play often just the order within
a suit counts. So the worlds are listed from cards that are put into hands one after the other, of a run of cards that
are alike always the lowest: for any other choice the deal goes on the same way.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, permutations
from random import Random
from typing import Any

from upcard.engine.match import let_happen
from upcard.engine.mistakes import cards_of_chance
from upcard.engine.views import View, thickness
from upcard.engine.worlds import Arrangements, NoWorld, Worlds
from upcard.players.proof import FIRST_LOOK, GaveUp, Proof, Worth
from upcard.rules.cards import NO_CARD, Card, Cards, as_set, bit, count, lowest, suit_of
from upcard.rules.game import legal_moves
from upcard.rules.state import DRAW, NOBODY

Slot = tuple[int, int, int]
"""Which cards it takes, as in `Arrangements.kinds`; in which place it is; for how many cards."""
PLAYOUTS = 6
"""So many deals of each world are played out before anything is proven."""
EVERY: Cards = -1
"""Each card counts for itself."""
Apart = Callable[[Any, Any], Cards]
"""(state, options): the cards of which each counts for itself."""


@dataclass(frozen=True)
class Kind:
    """What does not matter in the endings of a game."""

    idle: Collection[str] = ()
    """The fields with cards that are out of play."""
    drawn: int = 0
    """So many cards may be drawn from a face-down pile that is in play; what lies below does not matter."""
    apart: Apart | None = None
    """Which cards each count for themselves; None: all do."""
    most: int = 1000
    """With more worlds than so many nothing is proven."""
    nodes: int = 12_000
    """Moves that are made for a proof at most."""


def blunders(view: View[Any], kind: Kind) -> dict[int, int]:
    """By move that is proven to be a blunder, a move that is better; none where nothing can be proven."""
    rng = Random(0)
    try:
        found = worlds(view, kind) or []
        moves = Ending(view, rng.sample(found, min(FIRST_LOOK, len(found))), kind).doubtful(view.legal_moves(), rng)
        if len(found) > FIRST_LOOK and not Ending(view, rng.sample(found, FIRST_LOOK), kind).suspects(moves):
            return {}
        return Ending(view, found, kind).blunders(moves) if moves else {}
    except (NoWorld, GaveUp):
        return {}


def worlds(view: View[Any], kind: Kind) -> list[Any] | None:
    """The worlds of a view, one of each sort that are alike; None if there are more than so many."""
    chosen: dict[tuple[int, ...], tuple[Arrangements, list[list[Card]]]] = {}
    for one in Worlds(view).arrangements:
        live, _ = slots(one, kind)
        for filled in patterns(runs_of(one, kind.apart), live) if one.possible else ():
            chosen.setdefault(by_place(one, live, filled), (one, [[*cards] for cards in filled]))
            if len(chosen) > kind.most:
                return None
    together = (put_together(one, kind, filled) for one, filled in chosen.values())
    return [world for world in together if world is not None]


def by_place(one: Arrangements, live: Sequence[Slot], filled: Sequence[Sequence[Card]]) -> tuple[int, ...]:
    """What lies where, the same for slots that come to the same: hands as sets, of a pile card after card."""
    hands = [0] * len(one.places)
    piles: list[Card] = []
    for (_, at, _), cards in zip(live, filled, strict=True):
        if one.places[at].seat == NOBODY:
            piles += cards
        else:
            hands[at] |= as_set(cards)
    return (*hands, *piles)


def slots(one: Arrangements, kind: Kind) -> tuple[list[Slot], list[Slot]]:
    """Where cards matter, of a pile the cards that are drawn first each for itself; and where they do not."""
    live: list[Slot] = []
    out: list[Slot] = []
    groups = [(1 << i, group) for i, group in enumerate(one.choosy)] + [(0, one.free)]
    for allowed, at, number in [(allowed, at, number) for allowed, group in groups for at, number in group]:
        place = one.places[at]
        if place.field in kind.idle:
            out.append((allowed, at, number))
        elif place.seat == NOBODY and one.view.game.state.fields[place.field].length is not None:
            top = min(kind.drawn, number)
            live += [(allowed, at, 1)] * top
            out.append((allowed, at, number - top))
        else:
            live.append((allowed, at, number))
    return live, out


def runs_of(one: Arrangements, apart: Apart | None) -> list[list[tuple[Card, int]]]:
    """The unseen cards with their kinds, in runs of those that are alike: neighbours of a suit, with no card between
    them that somebody is seen to hold or to have in the trick."""
    alone = alone_in(one.view, apart)
    runs: list[list[tuple[Card, int]]] = []
    last, last_kind = NOBODY, 0
    for card, kind in sorted(zip(one.unseen, one.kinds, strict=True)):
        between = ((1 << card) - 1) & ~((2 << last) - 1) if runs else 0
        parted = not runs or kind != last_kind or suit_of(card) != suit_of(last) or (between | bit(card)) & alone
        if parted or bit(last) & alone:
            runs.append([])
        runs[-1].append((card, kind))
        last, last_kind = card, kind
    return runs


def alone_in(view: View[Any], apart: Apart | None) -> Cards:
    """The cards that count for themselves: those, and what a seat sees in hands and in the trick."""
    if apart is None:
        return EVERY
    state = view.state
    cards = apart(state, view.options)
    for seat in range(state.players):
        cards |= sum(bit(card) for card in view.hand(seat) if card is not None)
        if state.in_trick >> seat & 1:
            cards |= bit(state.card[seat])
    return cards


def patterns(runs: Sequence[Sequence[tuple[Card, int]]], live: Sequence[Slot]) -> Iterator[list[list[Card]]]:
    """Every way to fill the slots, from each run always with its lowest cards."""
    filled: list[list[Card]] = [[] for _ in live]
    flat = [one for run in runs for one in run]
    ends = [end for end, run in zip(accumulate(map(len, runs)), runs, strict=True) for _ in run]
    fitting = {allowed: [not allowed & ~kind for _, kind in flat] for allowed in {0, *(slot[0] for slot in live)}}
    there = {allowed: [*accumulate(reversed(row), initial=0)][::-1] for allowed, row in fitting.items()}

    def go_on(at: int) -> Iterator[list[list[Card]]]:
        wanted = dict.fromkeys(there, 0)
        for (allowed, _, number), cards in zip(live, filled, strict=True):
            wanted[allowed] += number - len(cards)
        if not any(wanted.values()):
            yield filled
            return
        if sum(wanted.values()) > len(flat) - at or any(wanted[allowed] > there[allowed][at] for allowed in wanted):
            return
        yield from go_on(ends[at])
        for k, (allowed, _, number) in enumerate(live):
            if len(filled[k]) < number and fitting[allowed][at]:
                filled[k].append(flat[at][0])
                yield from go_on(at + 1)
                filled[k].pop()

    return go_on(0)


def put_together(one: Arrangements, kind: Kind, filled: Sequence[list[Card]]) -> Any:
    """The world with these cards in the slots, and the others anywhere; None if it does not fit what was said."""
    live, out = slots(one, kind)
    rest = dict(zip(one.unseen, one.kinds, strict=True))
    for card in (card for cards in filled for card in cards):
        del rest[card]
    dealt = [[*place.seen] for place in one.places]
    for allowed, at, number in sorted(out, reverse=True):
        taken = [card for card in rest if not allowed & ~rest[card]][:number]
        if len(taken) < number:
            raise GaveUp
        dealt[at] += taken
        for card in taken:
            del rest[card]
    for (_, at, _), cards in zip(live, filled, strict=True):
        dealt[at] += cards
    view = one.view
    state = one.base()
    for place, lying in zip(one.places, dealt, strict=True):
        one._put(state, place, lying)
    if view.game.complete:
        view.game.complete(state, view.options, view.seat or 0, Random(0))
    return state if view.game.consistent is None or view.game.consistent(state, view.options, view.seat or 0) else None


class Ending(Proof):
    """A proof in which a card may be drawn by lot, and in which cards of a run are the same to the seat."""

    def __init__(self, seen: View[Any], worlds: list[Any], kind: Kind) -> None:
        super().__init__(seen, worlds, kind.nodes)
        self.out = kind.idle
        self.least = {name: number - kind.drawn for name, number in seen.piles.items() if name not in kind.idle}
        self.alone = alone_in(seen, kind.apart)

    def is_over(self, state: Any) -> bool:
        return False if state.to_act == 0 and state.awaiting == DRAW else super().is_over(state)

    def after(self, state: Any, seat: int, move: int) -> Any:
        twin = super().after(state, seat, move)
        if twin.to_act and any(getattr(twin, name) != getattr(state, name) for name in self.out):
            raise GaveUp
        if twin.to_act and any(thickness(getattr(twin, name)) < least for name, least in self.least.items()):
            raise GaveUp
        return twin

    def next_states(self, state: Any, seat: int) -> Iterator[Any]:
        if state.to_act:
            yield from super().next_states(state, seat)
            return
        for card in cards_of_chance(self.game, state, self.options):
            self.nodes -= 1
            twin = state.copy()
            let_happen(self.setup, twin, [card])
            yield twin

    def doubtful(self, moves: list[int], rng: Random) -> list[int]:
        """The moves of pairs of which the one may be as good as the other ever is, for all that some deals tell that
        are played out at random: the least that one came to against the most of the other."""
        pairs = set(permutations(moves, 2)) if self.worlds else set()
        ends: dict[int, list[Worth]] = defaultdict(list)
        for world in self.worlds:
            ends.clear()
            for _ in range(PLAYOUTS):
                for move in {move for pair in pairs for move in pair}:
                    ends[move].append(self.played_out(self.after(world, self.me, move), rng))
                pairs = {(one, other) for one, other in pairs if not is_above(ends[one], ends[other])}
        return [move for move in moves if any(move in pair for pair in pairs)]

    def played_out(self, state: Any, rng: Random) -> Worth:
        """What a deal comes to that goes on at random."""
        while not self.is_over(state):
            if state.to_act:
                seat = lowest(state.to_act)
                number = legal_moves(self.game, state, self.options, seat, self.buffer)
                state = self.after(state, seat, self.buffer[rng.randrange(number)])
            else:
                state = rng.choice([*self.next_states(state, NOBODY)])
        return self.worth(state)

    def seen(self, state: Any) -> tuple[Any, ...]:
        """Of a run of cards that are alike the seat tells none from another here, so that a plan needs no more."""
        if self.alone == EVERY:
            return super().seen(state)
        trick = [state.card[seat] if state.in_trick >> seat & 1 else NO_CARD for seat in range(state.players)]
        return (state.hand[self.me], *map(self.run_of, trick), *state.tricks)

    def run_of(self, card: Card) -> tuple[int, int]:
        """The same for all cards of a suit between the same two that count for themselves."""
        if card == NO_CARD or self.alone >> card & 1:
            return NOBODY, card
        return suit_of(card), count(self.alone & (bit(card) - 1))


def is_above(some: list[Worth], others: list[Worth]) -> bool:
    """Whether the best of some ends is above the worst of others, in one way or the other."""
    return max(end[0] for end in some) > min(end[0] for end in others) or max(end[1] for end in some) > min(
        end[1] for end in others
    )
