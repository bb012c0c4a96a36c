"""The compiled loops behind `envs.vector`: thousands of matches stepped at once, everything written in place.

A worker steps the tables from `first` up to but not including `last`, with scratch memory of its own. Each table has
its own generators, so that it does not matter which worker steps it. The data of a table are in fields of records,
because numba counts references to rows of ordinary arrays, which costs more than a move, but not to fields. Arrays are
passed as addresses, because each would cost a tenth of a microsecond per call from Python.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import llvmlite.ir
import numpy as np
from numba import carray, types  # type: ignore[attr-defined]
from numba.extending import intrinsic

from upcard.compiled.loops import apply, below, chance_speaks, choose_move, not_for_ever, utility, won_by
from upcard.compiled.observation import LINE
from upcard.compiled.program import inner, of_game
from upcard.envs.action_masks import light, nth_numbered_move
from upcard.envs.episode import MOST_PASSED, NEVER_ASKED
from upcard.envs.event_log import record_chance, record_move
from upcard.envs.work_queue import DONE, add, gate_length, load, open_all, take
from upcard.rules.cards import count, lowest
from upcard.rules.state import DEAL, MOST_PLAYERS, NOBODY, NOTHING

sight = of_game("sight")


def table_type(shown: np.dtype[Any], words: int, history: int = 0) -> np.dtype[Any]:
    """The type of a table's record.

    It begins with the state, which begins with the row of words that the seat to act sees. Then come this seat,
    the generators for chance and for the other players, whether the last step has brought a reward, the blocks of a
    long mask that have legal actions, how many legal moves are in `Desk.listed`, and the standing of the seats after
    the last deal. With a `history` there follow a ring with this number of the latest events of the match (the seat, or
    NOBODY for chance; the move, or the kind of chance; what others hear of it), the number of all its events, and for
    each seat the move that it has made and others do not yet know, or NO_MOVE.

    It is an odd number of cache lines long, so that the same lines of different tables do not compete for the same
    places in a cache.
    """
    fields = [
        ("state", shown, ()),
        ("seat", np.int64, ()),
        ("chance", np.uint64, (1,)),
        ("luck", np.uint64, (1,)),
        ("earned", np.int64, ()),
        ("lit", np.uint64, ()),
        ("n_listed", np.int64, ()),
        ("standing", np.int64, (MOST_PLAYERS,)),
        ("log", np.int64, (history, 3)),
        ("events", np.int64, (1 if history else 0,)),
        ("sealed", np.int64, (MOST_PLAYERS if history else 0,)),
    ]
    plain = np.dtype(fields)
    offsets = [at for _, at, *_ in (plain.fields or {}).values()]
    return np.dtype(
        {
            "names": ["row", *(name for name, _, _ in fields)],
            "formats": [(np.int64, (words,)), *((kind, shape) for _, kind, shape in fields)],
            "offsets": [0, *offsets],
            "itemsize": (-(-plain.itemsize // LINE) | 1) * LINE,
        }
    )


MATCH, EACH_DEAL = range(2)
"""The kinds of reward."""
ILLEGAL = np.float32(-1)
BEGIN = -1
"""Instead of an action: start a new match."""
SHOW = -2
"""Instead of an action: play on from a position that has been loaded."""
LEADS, BEGINS, WAITS, HELPS = range(4)
"""The part of a worker in a step: see `step_shares`."""
UNFINISHED, FINISHED, REFUSED = range(3)
"""The outcome of a step."""


class Desk(NamedTuple):
    """The data that one worker reads and writes. Arrays have a row for each table unless noted otherwise.

    Inner functions are given the records they need, never the whole desk: numba would count references to all of its
    arrays at every call, which costs more than a move.
    """

    tables: Any
    """The record of each table: see `table_type`."""
    same: Any
    """A single record with the data common to all tables: the `options`, the `plan` of the actions and, for each first
    dealer, the state in which a match has `begun`, before its first deal."""
    own: Any
    """A single record of the worker: `scratch` memory, also for counting the moves of each verb and sorting moves."""
    listed: Any
    """The legal moves that are numbered in order, if they were listed."""
    mask: Any
    reward: Any
    done: Any
    actions: Any
    """The action to take, from 0 up to but not including the length of the mask, or BEGIN or SHOW."""
    gate: Any
    """The numbers that the workers share: see `upcard.envs.work_queue`. They are not per table."""


ROLE = ("number", "mine", "rewarded", "size", "worker", "workers", "patience")
"""The other arguments of a worker: the number of tables, the set of seats whose actions the caller gives, the kind of
reward, the size of a share, the worker's index, the number of workers, and how often it polls for work before it
sleeps."""
JOB = np.dtype([(name, np.int64) for name in (*ROLE, *Desk._fields)])
"""The type of a record with a worker's role and the addresses of the arrays of its desk."""


@intrinsic
def pointer(typing_context: Any, address: Any) -> Any:
    """An address as a pointer."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.int64), generate


@inner
def array_at(address: int, length: int, kind: Any) -> Any:
    """The array of this length and dtype at an address."""
    return carray(pointer(address), length, kind)  # type: ignore[call-arg]


def step_shares(part: int, jobs: Any, kinds: Desk, policies: Any) -> int:
    """Step one share of tables after another; returns FINISHED when all are done.

    A worker that LEADS opens the shares first, unless a number is not that of an action: then it returns REFUSED. One
    that BEGINS opens them without this check, for actions that are all BEGIN or SHOW. Like one that WAITS, both then
    wait for the shares that others have taken. A worker that HELPS waits for the next step.

    `jobs` is one record of the type JOB, `kinds` has the types of the arrays of its desk, and `policies` are those of
    the seats whose actions the caller does not give (None if there are none).
    """
    job = jobs[0]
    number, size, workers = job.number, job.size, job.workers
    desk = Desk(
        array_at(job.tables, number, kinds.tables),
        array_at(job.same, 1, kinds.same),
        array_at(job.own, 1, kinds.own),
        array_at(job.listed, number, kinds.listed),
        array_at(job.mask, number, kinds.mask),
        array_at(job.reward, number, kinds.reward),
        array_at(job.done, number, kinds.done),
        array_at(job.actions, number, kinds.actions),
        array_at(job.gate, gate_length(workers), kinds.gate),
    )
    gate = desk.gate
    shares = (number + size - 1) // size
    if part == LEADS and not all_below(desk.actions, len(desk.same[0].plan.moves)):
        return REFUSED
    if part <= BEGINS:
        open_all(gate, workers, shares)
    waited = 0
    while waited < job.patience and (part == HELPS or load(gate, DONE) < shares):
        waited += 1
        share = take(gate, job.worker, workers, shares)
        if share != NOBODY:
            first, last = share * size, min((share + 1) * size, number)
            step_tables(first, last, desk, job.mine, job.rewarded, policies)
            add(gate, DONE, 1)
            waited = 0
    return FINISHED if load(gate, DONE) == shares else UNFINISHED


@inner
def all_below(actions: Any, end: int) -> bool:
    """Whether these are all numbers from 0 up to but not including `end`; negative ones count as very large."""
    wrong = 0
    for i in range(len(actions)):
        wrong += int(np.uint64(actions[i]) >= np.uint64(end))
    return wrong == 0


@intrinsic
def opaque(typing_context: Any, number: Any) -> Any:
    """The same number, unknown to the compiler. If it could predict the number, it would keep a pointer into each array
    in memory and advance them all at every table; and numba would allow for negative numbers."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = llvmlite.ir.IntType(64)
        return builder.asm(llvmlite.ir.FunctionType(word, [word]), "", "=r,0", args, False)

    return types.uint64(types.uint64), generate


@inner
def step_tables(first: int, last: int, desk: Desk, mine: int, rewarded: int, policies: Any) -> None:
    """Make one move at each table and play on until one of the seats `mine` is to act.

    An illegal action ends the match. A match that ends before any of `mine` has acted is not reported. In a match that
    continues, the results of the deals so far count towards the next reward. Raises ValueError if match after match
    ends before any of `mine` has acted.
    """
    tables, actions, reward = desk.tables, desk.actions, desk.reward
    scratch, opt, plan = desk.own[0], desk.same[0].options, desk.same[0].plan
    players = opt.players
    for table in range(first, last):
        i: Any = opaque(np.uint64(table))  # type: ignore[call-arg]
        t = tables[i]
        s = t.state
        if t.earned:
            t.earned = 0
            for seat in range(players):
                reward[i].row[seat] = 0
        over = False
        ends = actions[i] != SHOW
        if actions[i] >= 0:
            me = t.seat
            action = np.uint64(actions[i])  # numba allows for negative places otherwise
            if desk.mask[i].row[action]:
                move = plan.moves[action]
                if move < 0:
                    move = nth_numbered_move(t, opt, scratch, plan, -1 - move, actions[i], desk.listed[i].row)
                phase, to_act = s.phase, s.to_act
                apply(opt, s, me, move)
                record_move(t, opt, plan, me, move, phase, to_act)
                earn(t, opt, rewarded, reward[i].row)
                ends = False
            else:
                reward[i].row[me] = ILLEGAL
                t.earned = 1
        silence = 0
        passed = 0
        while ends or s.to_act & mine == 0:
            if ends or (s.to_act == 0 and s.awaiting == NOTHING):
                if passed == MOST_PASSED:
                    raise ValueError(NEVER_ASKED)
                passed += 1
                over = True
                ends = False
                t.state = desk.same[0].begun[below(t.chance, players)]
                for seat in range(players):
                    t.standing[seat] = 0
                for k in range(len(t.events)):
                    t.events[k] = 0
            elif s.to_act == 0:
                record_chance(t)
                chance_speaks(opt, s, t.chance, scratch.order)
                if not over:
                    earn(t, opt, rewarded, reward[i].row)
                silence = not_for_ever(silence)
            elif policies is not None:
                scratch.rng[0] = t.luck[0]
                other = lowest(s.to_act)
                move = choose_move(opt, s, other, scratch, policies)
                phase, to_act = s.phase, s.to_act
                apply(opt, s, other, move)
                record_move(t, opt, plan, other, move, phase, to_act)
                t.luck[0] = scratch.rng[0]
                if not over:
                    earn(t, opt, rewarded, reward[i].row)
                silence = 0
        desk.done[i] = over
        me = lowest(s.to_act & mine)
        t.seat = me
        light(t, opt, me, scratch, plan, desk.mask[i].row, desk.listed[i].row)
        sight(opt, s, me, t.row)


@inner
def earn(t: Any, opt: Any, rewarded: int, reward: Any) -> None:
    """Write the rewards of the seats for the move just made: see `Episode.rewards`."""
    s = t.state
    if s.to_act != 0 or s.awaiting > DEAL:
        return
    t.earned = 1
    n = s.players
    if rewarded == EACH_DEAL:
        for seat in range(n):
            now = utility(opt, s, seat)
            reward[seat] += np.float32(now - t.standing[seat])
            t.standing[seat] = now
    elif s.awaiting == NOTHING:
        winners = won_by(s)
        for seat in range(n):
            share = n / count(winners) if winners >> seat & 1 else 0.0
            reward[seat] += np.float32((share - 1.0) / (n - 1))
