"""Masks of legal actions, and the moves that actions mean, in compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import llvmlite.ir
import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from upcard.compiled.loops import HAS_DEPOSIT, extract, list_others, nth_other, playable
from upcard.compiled.program import inner, of_game
from upcard.engine.actions import ActionSpace
from upcard.envs.event_log import heard_of
from upcard.rules.cards import JOKER, as_set, lowest
from upcard.rules.game import Game
from upcard.rules.notation import MOST_ITEMS, VERB_AT, item, items_of, verb_index
from upcard.rules.state import NOBODY

CARDS = 64
"""The number of mask entries written at a time. The first of them are those of the cards that may be played."""
SHORT = 1024
"""Masks up to this length are cleared as a whole; of longer masks, the blocks that had legal actions are."""
BLOCKS = 64
"""The most blocks of a mask."""


def numbers_in_order(space: ActionSpace) -> bool:
    """Whether the legal moves of some verb are numbered in order."""
    return any(family.choices is None for family in space.families)


def mask_length(space: ActionSpace) -> int:
    """The length of a mask in memory: it has an entry for each action, and room for whole blocks."""
    length = max(space.size, *(first + CARDS for first in (0, *by_card(space).values())))
    return length + -length % (block_size(length) if length > SHORT else CARDS)


def by_card(space: ActionSpace) -> dict[int, int]:
    """The first action of each verb that has an action for each card of the pack, in pack order. The verb of playing a
    mere card is not included."""
    families = [family for family in space.families if family.first > 0 and family.spec.items == ("card",)]
    return {one.verb: one.first for one in families if one.choices and [*one.choices[0]] == [*space.pack]}


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


def action_plan(setup: Game[Any], space: ActionSpace) -> NDArray[Any]:
    """The actions of a table for compiled code: see `plan_type`."""
    most_items = max(len(family.choices) for family in space.families if family.choices is not None)
    cards = by_card(space)
    plan = np.zeros(1, plan_type(len(space.families), most_items, bool(cards), space.size))
    for verb in cards:
        plan["by_card"][0, verb] = 1
    plan["pack"] = joker_last(np.int64(as_set(space.pack)))  # type: ignore[arg-type]
    plan["shift"] = CARDS - len(space.pack)
    for family in space.families:
        plan["first"][0, family.verb], plan["in_order"][0, family.verb] = family.first, family.choices is None
        plan["heard"][0, family.verb] = heard_of(setup, family.spec)
        kinds = family.spec.items
        adds = plan["actions" if family.choices is not None else "keys"][0, family.verb]
        if family.choices is None:
            kinds = ("card",) * MOST_ITEMS if kinds == ("card+",) else kinds
            choices: Sequence[Sequence[int]] = [space.pack if kind == "card" else range(64) for kind in kinds]
            steps = [1 << 6 * (MOST_ITEMS - 1 - place) for place in range(len(kinds))]
        else:
            choices = family.choices
            steps = [prod(map(len, choices[place + 1 :])) for place in range(len(kinds))]
        for number, (choice, step) in enumerate(zip(choices, steps, strict=True)):
            for at, chosen in enumerate(choice):
                adds[number, chosen] = at * step
        plan["actions"][0, family.verb, 0] += np.uint64(family.first)
        for action in range(family.first, family.first + family.size):
            move = family.move(action)
            plan["moves"][0, action] = -1 - family.verb if move is None else move
    return plan


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
