"""The loops that sample worlds (determinizations) and try moves in them: see `upcard.compiled.dealer`."""

from __future__ import annotations

from typing import Any

from upcard.compiled.dealer import TRIES
from upcard.compiled.loops import apply, below, finish_deal, share_of_match, shuffle, utility
from upcard.compiled.program import inner, of_game
from upcard.rules.cards import JOKER, NO_CARD

FINE = 1 << 31
"""The resolution of random shares."""

# -------------------------------------------------------------------------------------------------------------- dealing


@inner
def _complete(opt: Any, s: Any, me: int, rng: Any) -> None:
    """The default for `complete`: for a game that hides nothing but cards."""


@inner
def _consistent(opt: Any, s: Any, me: int) -> bool:
    """The default for `consistent`: every world is accepted."""
    return True


complete = of_game("complete", otherwise=_complete)
consistent = of_game("consistent", otherwise=_consistent)


@inner
def random_index(sums: Any, first: int, rng: Any) -> int:
    """A random index from `first` on; `sums` are the running sums of the probabilities from there, up to 1."""
    share = below(rng, FINE) / FINE
    while sums[first] <= share:
        first += 1
    return first


@inner
def deal_group(words: Any, slots: Any, first: int, last: int, unseen: Any, cards: Any) -> None:
    """Deal cards to the slots of a group, from `first` up to but not including `last`; `cards` are indices into
    `unseen`."""
    at = 0
    for k in range(first, last):
        number, word, second, jokers, is_row = slots[k, 0], slots[k, 1], slots[k, 2], slots[k, 3], slots[k, 4]
        for i in range(at, at + number):
            c = unseen[cards[i]]
            if is_row:
                while words[word] != NO_CARD:
                    word += 1
                words[word] = c
            elif c == JOKER and jokers >= 0:
                words[jokers] += 1
            elif words[word] >> c & 1:
                words[second] |= 1 << c
            else:
                words[word] |= 1 << c
        at += number


@inner
def arrange(words: Any, layout: Any, row: int, rng: Any) -> None:
    """Make the state a random world of an arrangement."""
    work = layout.work[0]
    left, taken, wanted = work.left, work.taken, work.wanted
    unseen = layout.cards[row]  # once only: getting an array from the layout costs as much as dealing a card
    slots = layout.slots
    groups = layout.groups[row]
    base = layout.bases[row]
    for i in range(len(base)):  # assigning a slice takes several times as long
        words[i] = base[i]
    n = layout.heads[row, 0]
    node = layout.heads[row, 2]
    for i in range(n):
        left[i] = i
    for group in range(layout.heads[row, 1]):
        shuffle(rng, left, n)  # again for each group, because the first cards of a kind have been taken
        edge = random_index(layout.edge_sums, layout.first_edge[node], rng)
        node = layout.next_node[edge]
        takes = layout.takes[edge]
        columns = layout.columns[row, group]
        kinds = layout.kinds[row]
        for column in range(len(takes)):
            wanted[column] = takes[column]
        got = 0
        for i in range(n):
            column = columns[kinds[left[i]]]
            if wanted[column] > 0:
                wanted[column] -= 1
                taken[got] = left[i]
                got += 1
            else:
                left[i - got] = left[i]
        n -= got
        shuffle(rng, taken, got)  # kinds of which few were wanted tend to come first
        deal_group(words, slots, groups[group], groups[group + 1], unseen, taken)
    shuffle(rng, left, n)
    last = layout.heads[row, 1]
    deal_group(words, slots, groups[last], groups[last + 1], unseen, left)


@inner
def is_accepted(words: Any, layout: Any, rng: Any) -> bool:
    """Whether to accept a world. One that fits k hypotheses can be dealt from each of them, so it is accepted with
    probability 1/k."""
    hypotheses, seats, _ = layout.hands.shape
    fitting = 0
    for i in range(hypotheses if hypotheses > 1 else 0):
        fits = 1
        for seat in range(seats):
            hand = words[layout.hands[i, seat, 0]]
            if layout.hands[i, seat, 1] & ~hand or layout.hands[i, seat, 2] & hand:
                fits = 0
        fitting += fits
    return fitting < 2 or below(rng, fitting) == 0


@inner
def make_world(tables: Any, words: Any, at: int, opt: Any, scratch: Any, layout: Any, me: int) -> bool:
    """Make a table a random world; returns whether an arrangement was found that the game accepts."""
    for _ in range(TRIES):
        row = random_index(layout.sums, 0, scratch.rng)
        arrange(words[at], layout, row, scratch.rng)
        complete(opt, tables[at], me, scratch.rng)
        if consistent(opt, tables[at], me) and is_accepted(words[at], layout, scratch.rng):
            return True
    return False


def deal_worlds(tables: Any, words: Any, number: int, opts: Any, scratch: Any, layout: Any, me: int) -> int:
    """Make the first `number` tables random worlds; returns the number of worlds found. `words` is the
    same memory as `tables`, with a row for each."""
    for at in range(number):
        if not make_world(tables, words, at, opts[0], scratch[0], layout, me):
            return at
    return number


def try_moves(
    tables: Any,
    words: Any,
    opts: Any,
    scratch: Any,
    layout: Any,
    policies: Any,
    me: int,
    moves: Any,
    seeds: Any,
    utilities: Any,
    wins: Any,
) -> int:
    """Try every move once in one world for each seed, with the same random numbers for all moves in a world.

    The worlds are sampled here or, if `layout` is None, already in the first tables; the last table is the workspace.
    Writes for each move and world the utility of `me` at the end of the deal and, if the match has ended with it, the
    result (-1 lost, 1 won alone); otherwise 0. Returns the number of worlds found.
    """
    opt = opts[0]
    last = len(tables) - 1
    for w in range(len(seeds)):
        scratch[0].rng[0] = seeds[w]
        world = w
        if layout is not None:
            world = 0
            if not make_world(tables, words, 0, opt, scratch[0], layout, me):
                return w
        seed = scratch[0].rng[0]
        for k in range(len(moves)):
            tables[last] = tables[world]
            scratch[0].rng[0] = seed
            s = tables[last]
            apply(opt, s, me, moves[k])
            finish_deal(opt, s, scratch[0], policies)
            utilities[k, w] = utility(opt, s, me)
            wins[k, w] = share_of_match(s, me)
    return len(seeds)
