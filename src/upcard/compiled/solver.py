"""A solver for deals between two seats with open cards: an alpha-beta search over the rules, with a table of positions.

The table stores whole positions, not hashes of them, so a value that is looked up is always that of the position. A
position is stored as its differences from the one that is being solved: most numbers of a state never change in a deal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from upcard.compiled.loops import GOLDEN, MIX_1, MIX_2, apply, list_moves, utility
from upcard.compiled.program import inner, of_game
from upcard.compiled.solver_memory import ANY, HISTORY, NONE, POSITIONS, SLOTS, WIDTH, WON
from upcard.rules.cards import lowest
from upcard.rules.state import DEAL, NOBODY, NOTHING


@inner
def _as_it_is(opt: Any, s: Any) -> None:
    """The normal form in a game that declares none."""


condense = of_game("condense", otherwise=_as_it_is)


@inner
def over(s: Any) -> bool:
    """Whether the deal is over."""
    return bool(s.to_act == 0 and s.awaiting <= DEAL)


@inner
def end_value(opt: Any, s: Any, me: int, other: int, memory: Any) -> int:
    """The value of a finished deal for `me`: its score if all others play against it; otherwise its utility, or `NONE`
    if what one of the two seats wins is not what the other loses."""
    if other == NOBODY:
        return int(s.scores[me])
    value = int(utility(opt, s, me))
    total = value + int(utility(opt, s, other))
    if memory.ends == 0:
        memory.total = total
    memory.ends += 1
    if total != memory.total:
        return NONE
    if s.awaiting == NOTHING:
        if s.winners & ~(1 << me | 1 << other):
            return NONE
        value += WON * ((s.winners >> me & 1) - (s.winners >> other & 1))
    return value


# ---------------------------------------------------------------------------------------------- the transposition table


@inner
def write_key(words: Any, depth: int, level: Any, memory: Any) -> bool:
    """Write the differences of a position from the root to `level.key`, and their hash to `level.hash`; whether there
    is room for them all."""
    for k in range(WIDTH):
        level.key[k] = 0
    total = np.uint64(0)
    for i in range(words.shape[1]):
        change = words[depth, i] - words[0, i]
        if change != 0:
            if memory.column[i] == 0:
                if memory.columns == WIDTH:
                    return False
                memory.columns += 1
                memory.column[i] = memory.columns
            column = memory.column[i] - 1
            level.key[column] = change
            z = (np.uint64(change) + np.uint64(column + 1) * np.uint64(GOLDEN)) * np.uint64(MIX_1)
            total += (z ^ (z >> np.uint64(29))) * np.uint64(MIX_2)
    level.hash = np.int64((total ^ (total >> np.uint64(32))) & np.uint64(SLOTS - 1))
    return True


@inner
def find(level: Any, memory: Any, entries: Any, slots: Any) -> int:
    """The number of the entry of a level's position; 0 if it is not stored."""
    number = slots[level.hash]
    if number == 0:
        return 0
    for k in range(memory.columns):
        if entries[number].key[k] != level.key[k]:
            return 0
    return int(number)


@inner
def store(level: Any, memory: Any, entries: Any, slots: Any) -> None:
    """Store what was found about a level's position. If there is no room it replaces another one, or is dropped."""
    number = find(level, memory, entries, slots)
    if number == 0:
        number = slots[level.hash]
        if number == 0:
            if memory.entries == POSITIONS:
                return
            memory.entries += 1
            number = memory.entries
            slots[level.hash] = number
        for k in range(WIDTH):
            entries[number].key[k] = level.key[k]
        entries[number].low = -ANY
        entries[number].high = ANY
    if level.best > level.floor:
        entries[number].low = max(entries[number].low, level.best)
    if level.best < level.ceiling:
        entries[number].high = min(entries[number].high, level.best)
    entries[number].move = level.move


# ----------------------------------------------------------------------------------------------------------- the search


@inner
def begin_level(opt: Any, s: Any, level: Any, memory: Any) -> None:
    """Prepare a level of the search: list the moves of the seat to act, those first that have refuted others before."""
    level.seat = lowest(s.to_act)
    level.tried = 0
    level.number = list_moves(opt, s, level.seat, level.moves)
    level.stored = 0
    level.floor = level.low
    level.ceiling = level.high
    level.move = level.moves[0]
    for k in range(1, level.number):
        move = level.moves[k]
        success = memory.history[level.seat * HISTORY + move % HISTORY]
        at = k
        while at > 0 and memory.history[level.seat * HISTORY + level.moves[at - 1] % HISTORY] < success:
            level.moves[at] = level.moves[at - 1]
            at -= 1
        level.moves[at] = move


@inner
def put_first(level: Any, move: int) -> None:
    """Try this move before the others."""
    for k in range(level.number):
        if level.moves[k] == move:
            for at in range(k, 0, -1):
                level.moves[at] = level.moves[at - 1]
            level.moves[0] = move
            return


@inner
def note(level: Any, value: int, me: int) -> None:
    """Note the value of the move tried last."""
    if level.seat == me:
        if value > level.best:
            level.best = value
            level.move = level.moves[level.tried - 1]
        level.low = max(level.low, value)
    else:
        if value < level.best:
            level.best = value
            level.move = level.moves[level.tried - 1]
        level.high = min(level.high, value)


def solve(
    tables: Any,
    words: Any,
    levels: Any,
    memory: Any,
    entries: Any,
    slots: Any,
    opt: Any,
    me: int,
    other: int,
    low: int,
    high: int,
    nodes: Any,
) -> int:
    """The value of the deal at tables[1] for `me` if both players see all cards and play perfectly; if it is not
    between `low` and `high`, a bound on the same side. If `other` is NOBODY, all other seats play together against
    `me`, and the value is its score.

    An alpha-beta search on the tables and levels from 1 on. It is not recursive, because numba cannot cache recursive
    functions. nodes[0] becomes negative, and the result is meaningless, if nodes[0] runs out, if a chance event is
    awaited, if seats act together, if a third one acts besides two, or if what one of these wins is not what the other
    loses.
    """
    depth = 1
    levels[1].low = low
    levels[1].high = high
    value = low
    returned = False  # from the level below, with `value`
    while depth > 0:
        level = levels[depth]
        if returned:
            note(level, value, me)
        else:
            if over(tables[depth]):
                value = end_value(opt, tables[depth], me, other, memory[0])
                if value == NONE:
                    nodes[0] = -1
                    return low
                returned = True
                depth -= 1
                continue
            nodes[0] -= 1
            turn = tables[depth].to_act
            is_one = turn != 0 and turn & (turn - 1) == 0
            is_known = other == NOBODY or turn == 1 << me or turn == 1 << other
            if nodes[0] < 0 or not is_one or not is_known or depth + 1 == len(tables):
                nodes[0] = -1
                return low
            begin_level(opt, tables[depth], level, memory[0])
            level.best = -ANY if level.seat == me else ANY
            if level.number > 1 and (memory[0].in_trick < 0 or words[depth, memory[0].in_trick] == 0):
                condense(opt, tables[depth])
                level.stored = write_key(words, depth, level, memory[0])
            if level.stored:
                number = find(level, memory[0], entries, slots)
                if number:
                    entry = entries[number]
                    if entry.low >= level.high or entry.high <= level.low or entry.low == entry.high:
                        value = entry.low if entry.low >= level.high else entry.high
                        returned = True
                        depth -= 1
                        continue
                    put_first(level, entry.move)
        if level.tried == level.number or level.low >= level.high:
            if level.low >= level.high:
                memory[0].history[level.seat * HISTORY + level.move % HISTORY] += 1
            if level.stored:
                store(level, memory[0], entries, slots)
            value = level.best
            returned = True
            depth -= 1
            continue
        tables[depth + 1] = tables[depth]
        apply(opt, tables[depth + 1], level.seat, level.moves[level.tried])
        level.tried += 1
        levels[depth + 1].low = level.low
        levels[depth + 1].high = level.high
        returned = False
        depth += 1
    return value


inner(solve)


def solve_moves(
    tables: Any,
    words: Any,
    levels: Any,
    memory: Any,
    entries: Any,
    slots: Any,
    opts: Any,
    me: int,
    other: int,
    moves: Any,
    low: int,
    high: int,
    values: Any,
    nodes: Any,
) -> int:
    """The index of the first of these moves with the highest value for `me` at tables[0]; -1 if the search was given
    up (see `solve`). `values` gets the value of each move, or is empty if only the best move is wanted. Of a value that
    is not between `low` and `high`, only a bound on the same side is computed."""
    best = -1
    most = low
    for k in range(len(moves)):
        tables[1] = tables[0]
        apply(opts[0], tables[1], me, moves[k])
        floor = low if len(values) else most
        value = solve(tables, words, levels, memory, entries, slots, opts[0], me, other, floor, high, nodes)
        if nodes[0] < 0:
            return -1
        if len(values):
            values[k] = value
        if value > most or best < 0:
            most = value
            best = k
    return best
