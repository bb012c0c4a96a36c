"""Worlds (determinizations) of a view for compiled loops, from arrays of numbers that are prepared once per view.

`upcard.engine.worlds` defines worlds and counts them; here its arrangements are written out as arrays. If a game's
`complete` or `consistent` cannot be compiled, worlds are sampled in plain Python.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate
from random import Random
from typing import Any, NamedTuple

from upcard.compiled.machine import Machine, deals_worlds, machine_of, seed_scratch
from upcard.compiled.words import (
    INTEGER,
    REAL,
    UNSIGNED,
    RecordType,
    WordArray,
    integers,
    matrix_of,
    reals,
    records,
    unsigned,
    zeros,
)
from upcard.engine.mistakes import MOST_CHANCE
from upcard.engine.views import View
from upcard.engine.worlds import NO_READING, Arrangements, HiddenPlace, Integers, NoWorld, Stage, Worlds, worlds_for
from upcard.rules.game import Game
from upcard.rules.state import NOBODY

TRIES = 1_000_000
"""The number of arrangements that are tried for a world if the game rejects some."""
WORK = RecordType([("left", UNSIGNED, MOST_CHANCE), ("taken", UNSIGNED, MOST_CHANCE), ("wanted", INTEGER, MOST_CHANCE)])
"""Working memory: the places of the cards left and of the cards taken in the list of unseen cards, and the number of
cards to take by column."""


class Layout(NamedTuple):
    """The arrangements of a view as arrays of numbers.

    The choosy groups (see `upcard.engine.worlds.Arrangements`) are dealt to one after another, which is a walk through
    a graph: at the current node, one of its edges is drawn for a group. It determines the number of cards of each kind
    that the group takes, and leads to the node for the next group.
    """

    sums: WordArray
    """By arrangement, the running sum of their probabilities."""
    bases: WordArray
    """By arrangement, the words of a state with only the known cards in their places."""
    cards: WordArray
    """By arrangement, the unseen cards."""
    kinds: WordArray
    """By arrangement and unseen card, the index of its kind."""
    heads: WordArray
    """By arrangement: the number of unseen cards, the number of choosy groups, and the first node."""
    columns: WordArray
    """By arrangement, choosy group and kind: the column of the kind in `takes`."""
    first_edge: WordArray
    """By node, the first of its edges."""
    edge_sums: WordArray
    """By edge, the running sum of the probabilities of its node's edges."""
    next_node: WordArray
    """By edge, the node at its end."""
    takes: WordArray
    """By edge and column, the number of cards of the kind that are taken."""
    groups: WordArray
    """By arrangement and group, the first of its slots. The group after the choosy ones takes any card."""
    slots: WordArray
    """By slot: the number of cards, the word for them, the words for second copies and for jokers (or -1), and whether
    the word is the first of a row."""
    hands: WordArray
    """By hypothesis and seat: the word of the hand, the cards that it contains, and the cards that it lacks."""
    work: WordArray
    """One record of working memory: see `WORK`."""


# ---------------------------------------------------------------------------------------------------------- the arrays


class Dealer:
    """Samples the worlds of one view as records."""

    def __init__(self, view: View[Any]) -> None:
        """Raises NoWorld if the view has no world."""
        self.worlds = worlds_for(view)
        self.run = machine_of(view.game)
        self.options = self.run.options(view.setup)
        self.scratch = self.run.scratch()
        self.layout = _layout(self.worlds, self.run) if deals_worlds(view.game) else None

    def deal(self, number: int, seed: int) -> WordArray:
        """Sample this many worlds; all are equally likely. Raises NoWorld."""
        tables = self.run.states(number)
        seed_scratch(self.scratch, seed)
        if self.layout is None:
            self._deal_plain(tables, number, seed)
            return tables
        memory = tables, tables.as_matrix()
        dealt = self.run.call("deal_worlds", *memory, number, self.options, self.scratch, self.layout, self.worlds.me)
        _all_dealt(dealt, number)
        return tables

    def try_moves(
        self, policies: WordArray, moves: Sequence[int], seeds: Sequence[int], worlds: WordArray | None = None
    ) -> tuple[WordArray, WordArray]:
        """Try moves in one world for each seed: in these `worlds`, or in new ones. Returns by move and world the seat's
        utility after the deal and, if the match has ended with it, the result (-1 lost, 1 won alone). Raises
        NoWorld."""
        number = len(seeds)
        tables = self.run.states(number + 1 if worlds is not None or self.layout is None else 2)
        if worlds is not None:
            tables.numbers[: len(worlds.numbers)] = worlds.numbers
        elif self.layout is None:
            self._deal_plain(tables, number, seeds[0])
        utilities, wins = zeros(len(moves), number), zeros(len(moves), number, kind=REAL)
        layout = None if worlds is not None else self.layout
        self._try(tables, layout, policies, moves, seeds, utilities, wins)
        return utilities, wins

    def play_out(self, policies: WordArray, move: int, seeds: Sequence[int]) -> Iterator[Any]:
        """The states at the end of the deal after a move, one for each seed: the ends whose utilities `try_moves`
        returns. Raises NoWorld."""
        tables, utilities, wins = self.run.states(2), zeros(1, 1), zeros(1, 1, kind=REAL)
        for seed in seeds:
            if self.layout is None:
                self._deal_plain(tables, 1, seed)
            self._try(tables, self.layout, policies, [move], [seed], utilities, wins)
            yield self.run.get(tables, 1)

    def _try(
        self,
        tables: WordArray,
        layout: Layout | None,
        policies: WordArray,
        moves: Sequence[int],
        seeds: Sequence[int],
        utilities: WordArray,
        wins: WordArray,
    ) -> None:
        memory = tables, tables.as_matrix(), self.options, self.scratch
        listed = integers(moves), unsigned(seeds)
        tried = self.run.call("try_moves", *memory, layout, policies, self.worlds.me, *listed, utilities, wins)
        _all_dealt(tried, len(seeds))

    def _deal_plain(self, tables: WordArray, number: int, seed: int) -> None:
        rng = Random(seed)
        for i in range(number):
            self.run.put(tables, i, self.worlds.sample(rng))


def _all_dealt(dealt: int, wanted: int) -> None:
    if dealt < wanted:
        raise NoWorld(f"none of {TRIES} arrangements of the unseen cards fits what was said")


def _layout(worlds: Worlds, run: Machine) -> Layout:
    possible = [one for one, (low, high) in zip(worlds.arrangements, _steps(worlds.sums), strict=True) if low < high]
    if not possible:
        raise NoWorld(NO_READING)
    shares = [high - low for low, high in _steps(worlds.sums) if low < high]
    game, first = worlds.view.game, run.state.first
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
    total = sum(shares)
    return Layout(
        reals([share / total for share in accumulate(shares)]),
        bases.as_matrix(),
        matrix_of([one.unseen for one in possible], 1),
        matrix_of(graph.kinds, 1),
        matrix_of(heads),
        graph.columns_of(possible),
        integers(graph.first_edge or [0]),
        reals(graph.edge_sums or [1.0]),
        integers(graph.next_node or [0]),
        matrix_of(graph.takes or [[0]], 1),
        matrix_of(groups),
        matrix_of(slots or [(0, 0, -1, -1, 0)]),
        _hands(worlds, first),
        records(1, WORK),
    )


def _steps(sums: list[int]) -> Iterator[tuple[int, int]]:
    return zip([0, *sums], sums, strict=False)


def _where(game: type[Game[Any]], place: HiddenPlace, first: dict[str, int]) -> tuple[int, int, int, int]:
    """The words of a record for the cards of a place, as in `Layout.slots`."""
    if place.seat == NOBODY:
        return first[place.field], -1, -1, int(game.state.fields[place.field].length is not None)
    if place.field != game.hand.first:
        return first[place.field] + place.seat, -1, -1, 0
    others = (-1 if name is None else first[name] + place.seat for name in (game.hand.second, game.hand.jokers))
    return first[place.field] + place.seat, *others, 0  # type: ignore[return-value]


def _hands(worlds: Worlds, first: dict[str, int]) -> WordArray:
    """`Layout.hands`, which are only needed if there are several hypotheses."""
    if len(worlds.hypotheses) < 2:
        return zeros(1, 1, 3)
    hand = first[worlds.view.game.hand.first]
    hands = [
        (hand + seat, holds, lacks)
        for one in worlds.hypotheses
        for seat, (holds, lacks) in enumerate(zip(one.holds, one.lacks, strict=True))
    ]
    matrix = matrix_of(hands)
    matrix.shape = len(worlds.hypotheses), len(hands) // len(worlds.hypotheses), 3
    return matrix


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

    def columns_of(self, possible: list[Arrangements]) -> WordArray:
        """`Layout.columns`. Kinds that differ only in which of the earlier groups may take them share a column."""
        groups = max(1, *(len(one.choosy) for one in possible))
        width = max(1, *map(len, self.names))
        columns = zeros(len(possible), groups, width)
        for row, (one, names) in enumerate(zip(possible, self.names, strict=True)):
            for i in range(len(one.choosy)):
                _, kinds = one.stages[i]
                at = (row * groups + i) * width
                columns.numbers[at : at + len(names)] = array(INTEGER, [kinds.index(name >> i) for name in names])
        return columns
