"""Worlds (determinizations) sampled in compiled code, from arrays of numbers that are prepared once per view.

`upcard.engine.worlds` defines worlds and counts them; here its arrangements are written out as arrays. If a game's
`complete` or `consistent` cannot be compiled, worlds are sampled in plain Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.compiled.loops import apply, below, finish_deal, share_of_match, shuffle, utility
from upcard.compiled.program import deals_worlds, inner, of_game, program
from upcard.engine.mistakes import MOST_CHANCE
from upcard.engine.views import View
from upcard.engine.worlds import NO_READING, Arrangements, HiddenPlace, Integers, NoWorld, Stage, Worlds, worlds_for
from upcard.rules.cards import JOKER, NO_CARD
from upcard.rules.game import Game
from upcard.rules.state import NOBODY

TRIES = 1_000_000
"""The number of arrangements that are tried for a world if the game rejects some."""
WORK = np.dtype([(name, kind, (MOST_CHANCE,)) for name, kind in (("left", "u8"), ("taken", "u8"), ("wanted", "i8"))])
"""Working memory: the places of the cards left and of the cards taken in the list of unseen cards, and the number of
cards to take by column."""
FINE = 1 << 31
"""The resolution of random shares."""


class Layout(NamedTuple):
    """The arrangements of a view as arrays of numbers.

    The choosy groups (see `upcard.engine.worlds.Arrangements`) are dealt to one after another, which is a walk through
    a graph: at the current node, one of its edges is drawn for a group. It determines the number of cards of each kind
    that the group takes, and leads to the node for the next group.
    """

    sums: NDArray[np.float64]
    """By arrangement, the running sum of their probabilities."""
    bases: NDArray[np.int64]
    """By arrangement, the words of a state with only the known cards in their places."""
    cards: NDArray[np.int64]
    """By arrangement, the unseen cards."""
    kinds: NDArray[np.int64]
    """By arrangement and unseen card, the index of its kind."""
    heads: NDArray[np.int64]
    """By arrangement: the number of unseen cards, the number of choosy groups, and the first node."""
    columns: NDArray[np.int64]
    """By arrangement, choosy group and kind: the column of the kind in `takes`."""
    first_edge: NDArray[np.int64]
    """By node, the first of its edges."""
    edge_sums: NDArray[np.float64]
    """By edge, the running sum of the probabilities of its node's edges."""
    next_node: NDArray[np.int64]
    """By edge, the node at its end."""
    takes: NDArray[np.int64]
    """By edge and column, the number of cards of the kind that are taken."""
    groups: NDArray[np.int64]
    """By arrangement and group, the first of its slots. The group after the choosy ones takes any card."""
    slots: NDArray[np.int64]
    """By slot: the number of cards, the word for them, the words for second copies and for jokers (or -1), and whether
    the word is the first of a row."""
    hands: NDArray[np.int64]
    """By hypothesis and seat: the word of the hand, the cards that it contains, and the cards that it lacks."""
    work: NDArray[Any]
    """One record of working memory: see `WORK`."""


# ---------------------------------------------------------------------------------------------------------- the arrays


class Dealer:
    """Samples the worlds of one view as records."""

    def __init__(self, view: View[Any]) -> None:
        """Raises NoWorld if the view has no world."""
        self.worlds = worlds_for(view)
        self.program = program(view.game)
        self.options = self.program.options(view.setup)
        self.scratch = self.program.scratch()
        self.layout = _layout(self.worlds) if deals_worlds(view.game) else None

    def deal(self, number: int, seed: int) -> NDArray[Any]:
        """Sample this many worlds; all are equally likely. Raises NoWorld."""
        tables = self.program.states(number)
        self.scratch["rng"] = np.uint64(seed)
        if self.layout is None:
            self._deal_plain(tables, number, seed)
            return tables
        deal = self.program.entry(deal_worlds)
        _all_dealt(
            deal(tables, memory_rows(tables), number, self.options, self.scratch, self.layout, self.worlds.me), number
        )
        return tables

    def try_moves(
        self,
        policies: NDArray[Any],
        moves: Sequence[int],
        seeds: NDArray[np.uint64],
        worlds: NDArray[Any] | None = None,
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Try moves in one world for each seed: in these `worlds`, or in new ones. Returns by move and world the seat's
        utility after the deal and, if the match has ended with it, the result (-1 lost, 1 won alone). Raises
        NoWorld."""
        number = len(seeds)
        dealt = worlds is not None or self.layout is None
        tables = self.program.states(number + 1 if dealt else 2)
        utilities = np.zeros((len(moves), number), np.int64)
        wins = np.zeros((len(moves), number))
        if worlds is not None:
            tables[:number] = worlds
        elif self.layout is None:
            self._deal_plain(tables, number, int(seeds[0]))
        tried = self.program.entry(try_moves)(
            tables,
            memory_rows(tables),
            self.options,
            self.scratch,
            None if worlds is not None else self.layout,
            policies,
            self.worlds.me,
            np.array(moves, np.int64),
            seeds,
            utilities,
            wins,
        )
        _all_dealt(tried, number)
        return utilities, wins

    def play_out(self, policies: NDArray[Any], move: int, seeds: NDArray[np.uint64]) -> Iterator[Any]:
        """The states at the end of the deal after a move, one for each seed: the ends whose utilities `try_moves`
        returns. Raises NoWorld."""
        tables = self.program.states(2)
        for seed in seeds:
            if self.layout is None:
                self._deal_plain(tables, 1, int(seed))
            tried = self.program.entry(try_moves)(
                tables,
                memory_rows(tables),
                self.options,
                self.scratch,
                self.layout,
                policies,
                self.worlds.me,
                np.array([move], np.int64),
                np.array([seed], np.uint64),
                np.zeros((1, 1), np.int64),
                np.zeros((1, 1)),
            )
            _all_dealt(tried, 1)
            yield self.program.get(tables, 1)

    def _deal_plain(self, tables: NDArray[Any], number: int, seed: int) -> None:
        rng = Random(seed)
        for i in range(number):
            self.program.put(tables, i, self.worlds.sample(rng))


def _all_dealt(dealt: int, wanted: int) -> None:
    if dealt < wanted:
        raise NoWorld(f"none of {TRIES} arrangements of the unseen cards fits what was said")


def memory_rows(tables: NDArray[Any]) -> NDArray[np.int64]:
    """The same memory as rows of integers."""
    return tables.view(np.int64).reshape(len(tables), -1)


def _layout(worlds: Worlds) -> Layout:
    possible = [one for one, (low, high) in zip(worlds.arrangements, _steps(worlds.sums), strict=True) if low < high]
    if not possible:
        raise NoWorld(NO_READING)
    shares = [high - low for low, high in _steps(worlds.sums) if low < high]
    run, game = program(worlds.view.game), worlds.view.game
    first = first_words(game, run.state_type)
    bases = run.states(len(possible))
    graph = Graph()
    groups: list[list[int]] = []
    slots: list[tuple[int, ...]] = []
    starts: list[int] = []
    for i, one in enumerate(possible):
        run.put(bases, i, one.base())
        starts.append(graph.of(one))
        groups.append([])
        for group in [*one.choosy, one.free]:
            groups[-1].append(len(slots))
            slots += [(number, *_where(game, one.places[place], first)) for place, number in group]
        groups[-1].append(len(slots))
    heads = [(len(one.unseen), len(one.choosy), start) for one, start in zip(possible, starts, strict=True)]
    several = len(worlds.hypotheses) > 1
    return Layout(
        np.array(list(accumulate(shares)), np.float64) / sum(shares),
        memory_rows(bases),
        _rows(one.unseen for one in possible),
        _rows(graph.kinds),
        np.array(heads, np.int64),
        graph.columns_of(possible),
        np.array(graph.first_edge or [0], np.int64),
        np.array(graph.edge_sums or [1.0]),
        np.array(graph.next_node or [0], np.int64),
        _rows(graph.takes or [[0]]),
        _rows(groups),
        np.array(slots or [(0, 0, -1, -1, 0)], np.int64),
        np.array([_held(worlds, one, first) for one in worlds.hypotheses] if several else [[(0, 0, 0)]], np.int64),
        np.zeros(1, WORK),
    )


def _steps(sums: list[int]) -> Iterator[tuple[int, int]]:
    return zip([0, *sums], sums, strict=False)


def first_words(game: type[Game[Any]], kind: np.dtype[Any]) -> dict[str, int]:
    """By field, the index of its first word in a record."""
    assert kind.fields is not None
    return {name: kind.fields[name][1] // 8 for name in game.state.fields}


def _where(game: type[Game[Any]], place: HiddenPlace, first: dict[str, int]) -> tuple[int, int, int, int]:
    """The words of a record for the cards of a place, as in `Layout.slots`."""
    if place.seat == NOBODY:
        return first[place.field], -1, -1, int(game.state.fields[place.field].length is not None)
    if place.field != game.hand.first:
        return first[place.field] + place.seat, -1, -1, 0
    others = (-1 if name is None else first[name] + place.seat for name in (game.hand.second, game.hand.jokers))
    return first[place.field] + place.seat, *others, 0  # type: ignore[return-value]


def _held(worlds: Worlds, one: Any, first: dict[str, int]) -> list[tuple[int, int, int]]:
    hand = first[worlds.view.game.hand.first]
    return [(hand + seat, holds, lacks) for seat, (holds, lacks) in enumerate(zip(one.holds, one.lacks, strict=True))]


def _rows(rows: Any) -> NDArray[np.int64]:
    """An array of rows, padded with -1 to the same length."""
    listed = [tuple(row) for row in rows]
    lengths = np.array([*map(len, listed)], np.int64)
    width = max(1, lengths.max(initial=0))
    array = np.full((len(listed), width), -1, np.int64)
    array[np.arange(width) < lengths[:, None]] = [*chain(*listed)]
    return array


class Graph:
    """The graph described at `Layout`: a node is a choosy group with the numbers of cards that are left for it and
    later groups, an edge is one of the ways to deal to the group."""

    def __init__(self) -> None:
        self.nodes: dict[Stage, dict[Integers, int]] = {}
        self.number = 0
        self.first_edge: list[int] = []
        self.edge_sums: list[float] = []
        self.next_node: list[int] = []
        self.takes: list[Integers] = []
        self.kinds: list[list[int]] = []
        self.names: list[list[int]] = []
        """By arrangement, the kinds of its unseen cards."""

    def of(self, arrangements: Arrangements) -> int:
        """Add the nodes and edges of some arrangements that others do not have; returns their first node."""
        names = sorted(set(arrangements.kinds))
        self.names.append(names)
        self.kinds.append([names.index(kind) for kind in arrangements.kinds])
        if not arrangements.choosy:
            return 0
        waiting: list[tuple[int, Integers]] = []
        first = self._nodes(arrangements, 0, [arrangements.start], waiting)[0]
        for i, left in waiting:
            self.first_edge.append(len(self.edge_sums))
            sums, splits, lefts = arrangements.splits(i, left)
            if not splits:
                raise NoWorld("the unseen cards cannot be dealt so that no seat holds what it has shown to lack")
            self.edge_sums += [total / sums[-1] for total in sums]
            self.next_node += self._nodes(arrangements, i + 1, lefts, waiting) or [0] * len(splits)
            self.takes += splits
        return first

    def _nodes(
        self, arrangements: Arrangements, i: int, lefts: Sequence[Integers], waiting: list[tuple[int, Integers]]
    ) -> list[int]:
        """The nodes of the i-th choosy group with these numbers of cards left. New nodes are appended to `waiting`, so
        that their edges are added later."""
        nodes = self.nodes.setdefault(arrangements.stages[i], {})
        for left in lefts:
            if left not in nodes:
                nodes[left] = self.number
                self.number += 1
                waiting.append((i, left))
        return [nodes[left] for left in lefts]

    @property
    def width(self) -> int:
        return max(map(len, self.takes), default=1)

    def columns_of(self, possible: list[Arrangements]) -> NDArray[np.int64]:
        """`Layout.columns`. Kinds that differ only in which of the earlier groups may take them share a column."""
        groups = max(1, *(len(one.choosy) for one in possible))
        columns = np.zeros((len(possible), groups, max(1, *map(len, self.names))), np.int64)
        for row, (one, names) in enumerate(zip(possible, self.names, strict=True)):
            for i in range(len(one.choosy)):
                _, kinds = one.stages[i]
                columns[row, i, : len(names)] = [kinds.index(name >> i) for name in names]
        return columns


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
    """Make the first `number` tables random worlds; returns the number of worlds found. `words` is
    `memory_rows(tables)`."""
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
