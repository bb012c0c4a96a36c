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

from upcard.compiled.loops import (
    HAS_DEPOSIT,
    apply,
    below,
    chance_speaks,
    choose_move,
    extract,
    list_others,
    not_for_ever,
    nth_other,
    playable,
    utility,
    won_by,
)
from upcard.compiled.observation import LINE
from upcard.compiled.program import inner, of_game
from upcard.envs.episode import MOST_PASSED, NEVER_ASKED
from upcard.envs.observation import NO_CODE
from upcard.envs.work_queue import DONE, add, gate_length, load, open_all, take
from upcard.rules.cards import JOKER, count, lowest
from upcard.rules.notation import MOST_ITEMS, VERB_AT, Audience, item, items_of, verb_index
from upcard.rules.state import DEAL, MOST_PLAYERS, NOBODY, NOTHING

sight = of_game("sight")


@inner
def _none(opt: Any, s: Any, me: int, moves: Any) -> int:
    """For games that can only list their moves, not count them."""
    return 0


@inner
def _unknown(opt: Any, s: Any, me: int, k: int) -> int:
    """For games that cannot find the k-th of their moves in the order of actions."""
    return NOBODY


count_unlisted = of_game("count_others", otherwise=_none)
nth_in_order = of_game("nth_in_order", otherwise=_unknown)


def plan_type(verbs: int, most_items: int, by_card: bool, size: int) -> np.dtype[Any]:
    """The type of a record about the actions of a table, of which there are `size`.

    It has the pack as from `joker_last`, and the number of cards that are missing to CARDS. For each action it has the
    move, or -1 - verb if the move depends on the legal moves. For each verb it has its first action, whether its legal
    moves are numbered in order, what others hear of it (an index in AUDIENCES), whether its actions are the cards of
    the pack (only if any verb's are), and the number that each value of each item adds to the action of a move or, if
    they are in order, to its sort key. There are `most_items` items that make actions: a loop over them is unrolled.
    """
    alone = [(name, np.int64) for name in ("pack", "shift")]
    by_verb = [(name, np.int64, (verbs,)) for name in ("first", "in_order", "heard")]
    by_verb += [("by_card", np.int64, (verbs if by_card else 0,))]
    by_item = [("actions", np.uint64, (verbs, most_items, 64)), ("keys", np.int64, (verbs, MOST_ITEMS, 64))]
    return np.dtype([*alone, *by_verb, *by_item, ("moves", np.int64, (size,))])


CARDS = 64
"""The number of mask entries written at a time. The first of them are those of the cards that may be played."""


AUDIENCES = (Audience.ALL, Audience.SEALED, Audience.COUNT, Audience.WORD)
"""The parts of a move that others hear of, by their numbers in a log."""
ALL, SEALED, COUNT, WORD = range(4)


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
SHORT = 1024
"""Masks up to this length are cleared as a whole; of longer masks, the blocks that had legal actions are."""
BLOCKS = 64
"""The most blocks of a mask."""
ILLEGAL = np.float32(-1)
NO_MOVE = -1
"""In place of a move."""
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
def record_chance(t: Any) -> None:
    """Write the awaited chance event into the log, if there is one."""
    if len(t.log):
        write_event(t, NOBODY, t.state.awaiting, ALL)
        for seat in range(len(t.sealed)):
            t.sealed[seat] = NO_MOVE


@inner
def record_move(t: Any, opt: Any, plan: Any, me: int, move: int, phase: int, to_act: int) -> None:
    """Write a move just made into the log, if there is one. `phase` and `to_act` are those before the move. The move
    that opens sealed ones has a line for each of them, in the order of the seats."""
    if len(t.log) == 0:
        return
    heard = plan.heard[verb_index(move)]
    if heard != SEALED:
        write_event(t, me, move, heard)
        return
    t.sealed[me] = move
    if t.state.phase == phase and to_act != 1 << me:
        write_event(t, me, move, SEALED)
        return
    for seat in range(opt.players):
        if t.sealed[seat] != NO_MOVE:
            write_event(t, seat, t.sealed[seat], ALL)
            t.sealed[seat] = NO_MOVE


@inner
def write_event(t: Any, who: int, what: int, heard: int) -> None:
    place = t.events[0] % len(t.log)
    t.log[place, 0] = who
    t.log[place, 1] = what
    t.log[place, 2] = heard
    t.events[0] += 1


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


@inner
def light(t: Any, opt: Any, me: int, scratch: Any, plan: Any, mask: Any, listed: Any) -> None:
    """Write a mask: 1 for each legal action of a seat, 0 for the others."""
    s = t.state
    clear_mask(mask, t.lit)
    write_bits(in_pack(playable(opt, s, me), plan.pack, plan.shift), mask, 0)
    number = 0
    others = 0
    lit = np.uint64(0)
    moves, counts = scratch.moves, scratch.counts
    if len(counts):  # if it is empty, the compiler omits this
        first, number, others = count_actions(opt, s, me, moves, plan)
        for action in range(first, first + number):
            mask[action] = 1
            lit |= block_of(action, mask)
    if number == 0:
        others = list_others(opt, s, me, moves)
    elif others:
        moves[0] = nth_other(opt, s, me, moves, 0)
    for k in range(len(counts) if others else 0):
        counts[k] = 0
    n_listed: Any = np.uint64(0)  # numba allows for negative places otherwise
    at: Any = np.uint64(0)
    end = np.uint64(others)
    while at < end:
        move = np.uint64(moves[at])
        verb = move >> np.uint64(VERB_AT)
        if len(plan.by_card) and plan.by_card[verb]:
            cards = 0
            while True:
                cards |= 1 << (moves[at] & 63)
                at += np.uint64(1)
                if at == end or np.uint64(moves[at]) >> np.uint64(VERB_AT) != verb:
                    break
            first = plan.first[verb]
            add_bits(in_pack(cards, plan.pack, plan.shift), mask, first)
            lit |= block_of(first, mask) | block_of(first + CARDS - 1, mask)
            continue
        at += np.uint64(1)
        action = action_of(move, verb, plan)
        if len(counts) and plan.in_order[verb]:
            action += counts[verb]
            counts[verb] += np.uint64(1)
            listed[n_listed] = move
            n_listed += np.uint64(1)
        mask[action] = 1
        lit |= block_of(action, mask)
    if len(counts):
        t.n_listed = n_listed if number == 0 else np.uint64(0)
    if len(mask) > SHORT:
        t.lit = lit


@inner
def clear_mask(mask: Any, lit: Any) -> None:
    """Set a mask to 0 from the entry CARDS on. Of a long one, only the blocks `lit` have been written."""
    if len(mask) <= SHORT:
        for stroke in range(1, len(mask) // CARDS):
            write_bits(0, mask, stroke * CARDS)
        return
    strokes = block_size(len(mask)) // CARDS
    while lit:
        first = lowest(lit) * strokes
        lit &= lit - np.uint64(1)
        for stroke in range(first, first + strokes):
            write_bits(0, mask, stroke * CARDS)


@inner
def block_size(actions: int) -> int:
    """The number of actions in a block of a mask of this length: the smallest multiple of CARDS for which BLOCKS blocks
    suffice."""
    return (actions + BLOCKS * CARDS - 1) // (BLOCKS * CARDS) * CARDS


@inner
def block_of(action: Any, mask: Any) -> Any:
    """The block of an action in a long mask, as a bit."""
    if len(mask) <= SHORT:
        return np.uint64(0)
    return np.uint64(1) << np.uint64(action) // np.uint64(block_size(len(mask)))


@inner
def in_pack(cards: int, pack: int, shift: int) -> int:
    """The positions of these cards in a pack, as bits: the highest is for the first card in pack order. The pack is as
    from `joker_last`, and `shift` cards are missing to CARDS."""
    cards = joker_last(cards)
    if HAS_DEPOSIT:
        return int(extract(cards, pack)) << shift
    places = 0
    place = 1 << shift
    while pack:
        if cards & pack & -pack:
            places |= place
        place <<= 1
        pack &= pack - 1
    return places


@inner
def joker_last(cards: int) -> int:
    """A set of cards with its bits rotated, so that higher bits come earlier in pack order and the joker is last."""
    return cards << CARDS - JOKER | cards >> JOKER


def _bits_written(added: bool) -> Any:
    """A function for compiled code (bits, row, at): it writes the 64 bits of a number as bytes, the highest first, to a
    row from an entry on, or adds them to the bits that are there."""

    def written(typing_context: Any, bits: Any, row: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kinds = (llvmlite.ir.VectorType(llvmlite.ir.IntType(size), CARDS) for size in (1, 8))
            lowest_first, line = builder.bitcast(args[0], next(kinds)), next(kinds)
            places = llvmlite.ir.VectorType(llvmlite.ir.IntType(32), CARDS)
            lines = builder.zext(lowest_first, line)
            turned = builder.shuffle_vector(lines, lines, places([*range(CARDS - 1, -1, -1)]))
            array = context.make_array(signature.args[1])(context, builder, args[1])
            place = builder.bitcast(builder.gep(array.data, [args[2]]), line.as_pointer())
            if added:
                turned = builder.or_(turned, builder.load(place, align=1))
            builder.store(turned, place, align=1)
            return context.get_dummy_value()

        return types.void(types.int64, row, types.int64), generate

    return intrinsic(written)


write_bits = _bits_written(added=False)
add_bits = _bits_written(added=True)


@inner
def count_actions(opt: Any, s: Any, me: int, moves: Any, plan: Any) -> tuple[int, int, int]:
    """A seat's moves that do more than play a card, without listing them: the first action and the number of those of
    one verb whose legal moves are numbered in order, and how many moves of another verb come before them (0 or 1).

    This works if the game can count its moves, and if they are no more than that; otherwise (0, 0, 0).
    """
    number = count_unlisted(opt, s, me, moves)
    if number == 0:
        return 0, 0, 0
    verb = verb_index(nth_other(opt, s, me, moves, number - 1))
    before = int(verb_index(nth_other(opt, s, me, moves, 0)) != verb)
    if not plan.in_order[verb] or verb_index(nth_other(opt, s, me, moves, before)) != verb:
        return 0, 0, 0
    return plan.first[verb], number - before, before


@inner
def action_of(move: Any, verb: Any, plan: Any) -> Any:
    """The action of a move, or the first action of its verb if the legal moves of that are numbered in order. Numbers
    are unsigned, since numba allows for negative places otherwise."""
    action = np.uint64(0)
    for k in range(plan.actions.shape[1]):
        action += plan.actions[verb, np.uint64(k), move >> np.uint64(6 * k) & np.uint64(63)]
    return action


@inner
def sort_key(move: int, plan: Any) -> int:
    """The sort key of a move of a verb whose legal moves are numbered in order."""
    key = items_of(move) << 48
    for k in range(items_of(move)):
        key |= plan.keys[verb_index(move), k, item(move, k)]
    return key


@inner
def nth_numbered_move(t: Any, opt: Any, scratch: Any, plan: Any, verb: int, action: int, listed: Any) -> int:
    """The move of an action whose verb's legal moves are numbered in order, those with fewer items first."""
    s, me, n_listed = t.state, t.seat, t.n_listed
    moves, keys = scratch.moves, scratch.keys
    place = action - plan.first[verb]
    direct = int(nth_in_order(opt, s, me, place))
    if direct != NOBODY:
        return direct
    if n_listed == 0:
        _, number, before = count_actions(opt, s, me, moves, plan)
        if number and not before:
            return int(nth_other(opt, s, me, moves, place))
        n_listed = list_others(opt, s, me, moves)
    else:
        for k in range(n_listed):
            moves[k] = listed[k]
    n = 0
    ascending = True
    for k in range(n_listed):
        if verb_index(moves[k]) == verb:
            moves[n] = moves[k]
            keys[n] = sort_key(moves[k], plan)
            ascending &= n == 0 or keys[n - 1] < keys[n]
            n += 1
    return int(moves[place]) if ascending else nth_by_key(moves, keys, n, place)


@inner
def nth_by_key(moves: Any, keys: Any, n: int, k: int) -> int:
    """The move with the k-th smallest of n distinct keys, counting from 0 (Hoare's quickselect)."""
    low = 0
    high = n - 1
    while low < high:
        pivot = keys[(low + high) // 2]
        left = low
        right = high
        while left <= right:
            while keys[left] < pivot:
                left += 1
            while keys[right] > pivot:
                right -= 1
            if left <= right:
                keys[left], keys[right] = keys[right], keys[left]
                moves[left], moves[right] = moves[right], moves[left]
                left += 1
                right -= 1
        if k <= right:
            high = right
        elif k >= left:
            low = left
        else:
            break
    return int(moves[k])


# -------------------------------------------------------------------------------------------- from words to numbers

CARD, SET, SEATS, PLACE, NUMBER, CODE = range(6)
"""The encodings of a word of an observation: a card, a set of cards, another set, a one-hot index, or the number
itself."""


def write_observations(rows: Any, parts: Any, places: Any, largest: int, out: Any) -> None:
    """Write the observations for these rows of words: see `Observer.observe`."""
    for i in range(len(rows)):
        for k in range(out.shape[1]):
            out[i, k] = 0
        for p in range(len(parts)):
            kind, start, word, length, width = parts[p, 0], parts[p, 1], parts[p, 2], parts[p, 3], parts[p, 4]
            for place in range(length):
                spread_word(kind, rows[i, word + place], width, places, largest, out, i, start + place * width)


@inner
def spread_word(kind: int, x: int, width: int, places: Any, largest: int, out: Any, i: int, at: int) -> None:
    if kind == NUMBER:
        out[i, at] = max(-largest, min(largest, x))
    elif kind == CARD:
        if 0 <= x < 64 and places[x] >= 0:
            out[i, at + places[x]] = 1
    elif kind == PLACE:
        if 0 <= x < width:
            out[i, at + x] = 1
    else:
        left = x if width == 64 or kind == SET else x & (1 << width) - 1
        if kind == CODE and x == NO_CODE:
            left = 0
        while left:
            bit = lowest(left)
            left &= left - 1
            if kind != SET:
                out[i, at + bit] = 1
            elif places[bit] >= 0:
                out[i, at + places[bit]] = 1


# ----------------------------------------------------------------------------------------------- from events to numbers

ITEM_COLUMNS = ("card", "suit", "rank", "player", "number")
"""The groups of columns for the items of a move."""
NAMED_CARD, NAMED_NUMBER = 0, 4
BY_MOVE = -1
"""The number of items of a verb whose moves have different numbers of items."""
SEAT_AT, CHANCE_AT, VERB_COLUMN, HIDDEN_AT, FIRST_KIND = range(5)
"""The places of the first columns of a history row: who moved, chance, the verb, the number of hidden cards; then those
of each kind of item."""


def write_histories(tables: Any, columns: Any, kinds: Any, places: Any, out: Any) -> None:
    """Write the latest events of each table, as the seat to act has heard them: see `upcard.envs.history.Recall`.

    `columns` are the first columns of each group, `kinds` has for each verb the number of its items (or BY_MOVE), and
    for each item which group of columns it is in, and `places` the index of each card.
    """
    for i in range(len(tables)):
        t = tables[i]
        rows = out.shape[1]
        number = min(rows, t.events[0])
        for k in range(rows):
            for column in range(out.shape[2]):
                out[i, k, column] = 0
        for k in range(number):
            place = (t.events[0] - number + k) % rows
            write_heard(t.seat, t.log[place], columns, kinds, places, out[i, rows - number + k])


@inner
def write_heard(me: int, event: Any, columns: Any, kinds: Any, places: Any, row: Any) -> None:
    """Write a row of a history."""
    who, what, heard = event[0], event[1], event[2]
    if who == NOBODY:
        row[columns[CHANCE_AT] + what - 1] = 1
        return
    verb = verb_index(what)
    row[columns[SEAT_AT] + who] = 1
    row[columns[VERB_COLUMN] + verb] = 1
    number = items_of(what) if kinds[verb, 0] == BY_MOVE else kinds[verb, 0]
    if who != me and heard != ALL:
        row[columns[HIDDEN_AT]] = number if heard == COUNT else 0
        return
    for k in range(number):
        kind, named = kinds[verb, 1 + k], item(what, k)
        at = columns[FIRST_KIND + kind]
        if kind == NAMED_NUMBER:
            row[at] = named
        else:
            row[at + (places[named] if kind == NAMED_CARD else named)] = 1
