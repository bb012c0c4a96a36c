"""Compiled loops in which rules of thumb play: rollouts for searching, whole matches for simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard import fast
from upcard.cards import count, lowest
from upcard.fast import apply, below, jit, let_chance_speak, margin, others, playable
from upcard.game import Game, put_cards
from upcard.players import thumbs

choose = fast.by_game(thumbs.load)

NEVER, ALWAYS = 0, 1
SOMETIMES = 16
"""How often a move is any legal one instead of that of the rule of thumb: never, always, or one in so many, as in
rollouts, because nobody is as predictable as a rule of thumb."""


def prepare(game: Game) -> None:
    """Make a game and its rules of thumb known to compiled code."""
    thumbs.load(game)
    fast.prepare(game)


@jit
def thumb_move(s: Any, opt: Any, me: int, rng: Any, buffer: Any, slip: int) -> int:
    """By rule of thumb, but for slips: NEVER, ALWAYS, or one move in so many."""
    n = others(s, opt, me, buffer, put_cards(buffer, 0, playable(s, opt, me)))
    if n == 1:
        return int(buffer[0])
    luck = below(rng, 1 << 31)
    if slip != NEVER and luck % slip == 0:
        return int(buffer[below(rng, n)])
    return int(choose(s, opt, me, buffer, n, luck))


@jit
def make(s: Any, opt: Any, me: int, move: int) -> None:
    """Make a move: compiled once for all loops."""
    apply(s, opt, me, move)


@jit
def finish_deal(tables: Any, i: int, opts: Any, desk: Any) -> None:
    """Play on to the end of the deal as rollouts do."""
    s = tables[i]
    opt = opts[0]
    rng = desk[0].rng
    buffer = desk[0].moves
    while True:
        if s.to_act != 0:
            me = lowest(s.to_act)
            make(s, opt, me, thumb_move(s, opt, me, rng, buffer, SOMETIMES))
        elif s.awaiting > 1:
            let_chance_speak(s, opt, rng, desk[0].order)
        else:
            return


@jit
def try_moves(
    tables: Any, worlds: int, opts: Any, desk: Any, me: int, moves: Any, seeds: Any, margins: Any, wins: Any
) -> None:
    """Try every move once in each of the first `worlds` tables, with the same luck for all moves of a world.

    The table after them is worked at. For each move and world: how well `me` stands at the end of the deal, and, if the
    match has ended with it, how much of it is won (-1 lost, 1 won alone).
    """
    for w in range(worlds):
        for k in range(len(moves)):
            tables[worlds] = tables[w]
            desk[0].rng[0] = seeds[w]
            s = tables[worlds]
            make(s, opts[0], me, moves[k])
            finish_deal(tables, worlds, opts, desk)
            margins[k, w] = margin(s, opts[0], me)
            wins[k, w] = 0.0
            if s.awaiting == 0:
                wins[k, w] = 2.0 / count(s.winners) - 1.0 if s.winners >> me & 1 else -1.0


# ---------------------------------------------------------------------------------------------------- whole matches


@jit
def stream(key: int, match: int, which: int) -> int:
    """Where the generator starts that shuffles for a match (`which` 0) or plays it (1)."""
    z = np.uint64(key) + np.uint64(2 * match + which) * np.uint64(0xD1342543DE82EF95)
    z = (z ^ (z >> np.uint64(32))) * np.uint64(0xDABA0B6EB09322E3)
    z = (z ^ (z >> np.uint64(32))) * np.uint64(0xDABA0B6EB09322E3)
    return z ^ (z >> np.uint64(32))  # type: ignore[return-value]


@jit
def play_match(tables: Any, i: int, opts: Any, chance_desk: Any, desk: Any, slips: Any, trace: Any) -> Any:
    """A whole match, with the `slips` of each seat; returns the moves played and the length of the trace.

    The trace has, as far as it is long enough, two numbers for each move, seat and move, and for each chance event its
    kind as a negative number, how many cards it lists, and these.
    """
    s = tables[i]
    opt = opts[0]
    rng = desk[0].rng
    buffer = desk[0].moves
    order = chance_desk[0].order
    moves = 0
    end = 0
    while True:
        if s.to_act != 0:
            me = lowest(s.to_act)
            move = thumb_move(s, opt, me, rng, buffer, slips[me])
            make(s, opt, me, move)
            moves += 1
            if end + 1 < len(trace):
                trace[end] = me
                trace[end + 1] = move
            end += 2
        elif s.awaiting != 0:
            kind = s.awaiting
            n = let_chance_speak(s, opt, chance_desk[0].rng, order)
            if end + 1 + n < len(trace):
                trace[end] = -kind
                trace[end + 1] = n
                for place in range(n):
                    trace[end + 2 + place] = order[place]
            end += 2 + n
        else:
            return moves, end


@jit
def play_matches(
    tables: Any, opts: Any, chance_desk: Any, desk: Any, slips: Any, key: int, first: int, results: Any, trace: Any
) -> int:
    """Matches from number `first` on, one for each row of `results`: scores, winners, deals and moves.

    The first tables are matches about to begin, one for each first dealer; the table after them is worked at. Returns
    the length of the last match's trace.
    """
    players = len(tables) - 1
    end = 0
    for row in range(len(results)):
        match = first + row
        tables[players] = tables[match % players]
        chance_desk[0].rng[0] = stream(key, match, 0)
        desk[0].rng[0] = stream(key, match, 1)
        moves, end = play_match(tables, players, opts, chance_desk, desk, slips, trace)
        s = tables[players]
        for seat in range(players):
            results[row, seat] = s.scores[seat]
        results[row, players] = s.winners
        results[row, players + 1] = s.deals
        results[row, players + 2] = moves
    return end


# ------------------------------------------------------------------------------------------------------- open cards

WON = 1 << 20
"""What winning the match counts in `solve`: more than any margin."""


def levels(game: Game, number: int) -> NDArray[Any]:
    """Room for `solve` to go so deep."""
    names = ("seat", "low", "high", "number", "tried")
    return np.zeros(number, [("moves", np.int64, (game.most_moves,)), *((name, np.int64) for name in names)])


@jit
def over(s: Any) -> bool:
    """Whether the deal is over."""
    return bool(s.to_act == 0 and s.awaiting <= 1)


@jit
def end_worth(s: Any, opt: Any, me: int) -> int:
    """What the end of a deal of two is worth to `me`."""
    worth = int(margin(s, opt, me))
    if s.awaiting == 0:
        worth += WON * ((s.winners >> me & 1) - (s.winners >> (1 - me) & 1))
    return worth


@jit
def list_moves(s: Any, opt: Any, level: Any) -> None:
    """Begin a level: the moves of the seat to act, none of them tried."""
    level.seat = lowest(s.to_act)
    level.tried = 0
    level.number = others(s, opt, level.seat, level.moves, put_cards(level.moves, 0, playable(s, opt, level.seat)))


@jit
def solve(tables: Any, opts: Any, levels: Any, me: int, low: int, high: int, nodes: Any) -> int:
    """What the deal at tables[1] is worth to `me` if both of two players see all cards and play perfectly.

    Alpha-beta between `low` and `high`, at the tables and levels from 1 on; it does not call itself, because numba
    cannot keep on disk what does. When nodes[0] runs out, or chance must speak, it falls below zero, and the answer
    means nothing.
    """
    opt = opts[0]
    depth = 1
    levels[1].low = low
    levels[1].high = high
    worth = low
    returned = False  # from the level below, with `worth`
    while depth > 0:
        level = levels[depth]
        if not returned and over(tables[depth]):
            worth = min(max(end_worth(tables[depth], opt, me), level.low), level.high)
            returned = True
            depth -= 1
            continue
        if not returned:
            nodes[0] -= 1
            if nodes[0] < 0 or tables[depth].to_act == 0 or depth + 1 == len(tables):
                nodes[0] = -1
                return low
            list_moves(tables[depth], opt, level)
        elif level.seat == me:
            level.low = max(level.low, worth)
        else:
            level.high = min(level.high, worth)
        if level.tried == level.number or level.low >= level.high:
            worth = level.low if level.seat == me else level.high
            returned = True
            depth -= 1
            continue
        tables[depth + 1] = tables[depth]
        make(tables[depth + 1], opt, level.seat, level.moves[level.tried])
        level.tried += 1
        levels[depth + 1].low = level.low
        levels[depth + 1].high = level.high
        returned = False
        depth += 1
    return worth


@jit
def solve_moves(tables: Any, opts: Any, levels: Any, me: int, moves: Any, nodes: Any) -> int:
    """The place of the move that is worth most to `me` at the first table, the first of several; -1 if given up."""
    best = -1
    most = -4 * WON
    for k in range(len(moves)):
        tables[1] = tables[0]
        make(tables[1], opts[0], me, moves[k])
        worth = solve(tables, opts, levels, me, most, 4 * WON, nodes)
        if nodes[0] < 0:
            return -1
        if worth > most:
            most = worth
            best = k
    return best
