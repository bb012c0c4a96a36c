"""The compiled loop behind the OpenSpiel interface: one call is one action, one chance event, or one question."""

from __future__ import annotations

from typing import Any

import numpy as np

from upcard.compiled.loops import apply, cards_to_shuffle, chance_happens, utility, won_by
from upcard.compiled.program import inner
from upcard.envs.action_masks import CARDS, light, nth_numbered_move
from upcard.envs.encoding import spread_row
from upcard.envs.observation import LARGEST
from upcard.envs.vector_loop import sight
from upcard.rules.cards import lowest
from upcard.rules.state import DEAL, NOTHING

POOL, HAPPENS, LEGAL, ACTS, OBSERVES, RESULTS = range(6)
"""The tasks of `take_turn`."""
TERMINAL, SIMULTANEOUS, CHANCE = -4, -2, -1
"""OpenSpiel's numbers for the end, for simultaneous moves and for chance, in place of a player."""
ILLEGAL = -9
"""The result of an illegal action."""

LARGEST_NUMBER = int(LARGEST)


def desk_type(scratch: np.dtype[Any], mask: int, listed: int, size: int, parts: int) -> np.dtype[Any]:
    """The type of the record that a thread works with.

    It has `scratch` memory, the order of the cards of a chance event, a mask of actions (also as words of 64 bits) and
    the `lit` blocks of it that have been written, the legal moves that are numbered in order, the numbers that a call
    returns (legal actions, or a seat's utilities), an observation of `size` numbers with the `parts` and `places` to
    write it by, and whether seats act at once and only one deal is played.
    """
    names = ["scratch", "mask", "words", "lit", "listed", "out", "seen", "parts", "places", "at_once", "one_deal"]
    kinds: list[Any] = [scratch, (np.int8, (mask,)), (np.uint64, (mask // 8,)), np.uint64, (np.int64, (listed,))]
    kinds += [
        (np.int64, (mask,)),
        (np.float32, (1, size)),
        (np.int64, (parts, 5)),
        (np.int64, (CARDS,)),
        np.int64,
        np.int64,
    ]
    offsets: list[int] = []
    at = 0
    for name, kind in zip(names, kinds, strict=True):
        if name == "words":
            offsets.append(offsets[-1])
            continue
        offsets.append(at)
        at += -(-np.dtype(kind).itemsize // 64) * 64
    return np.dtype({"names": names, "formats": kinds, "offsets": offsets, "itemsize": at})


def take_turn(part: int, tables: Any, same: Any, desks: Any, seat: int, action: int) -> int:
    """Do one thing at the only table of `tables`, with the only record of `desks`.

    HAPPENS applies the awaited chance event with the cards in `scratch.order`, and ACTS a seat's action; both return
    who is next (see `next_player`), or ILLEGAL. POOL lists the cards of chance there, LEGAL the legal actions of a seat
    in `out`; both return their number. OBSERVES writes a seat's observation to `seen`, and RESULTS the seats' utilities
    to `out`; it returns the set of the seats that have won.
    """
    t, desk = tables[0], desks[0]
    s, opt, scratch = t.state, same[0].options, desk.scratch
    if part == POOL:
        return int(cards_to_shuffle(opt, s, scratch.order))
    if part == HAPPENS:
        chance_happens(opt, s, scratch.order)
        return next_player(s, desk)
    if part == OBSERVES:
        observe(t, opt, seat, desk)
        return 0
    if part == RESULTS:
        for player in range(opt.players):
            desk.out[player] = utility(opt, s, player)
        return int(won_by(s))
    plan = same[0].plan
    t.seat, t.lit = seat, desk.lit
    light(t, opt, seat, scratch, plan, desk.mask, desk.listed)
    desk.lit = t.lit
    if part == LEGAL:
        return legal_actions(desk)
    chosen = np.uint64(action)
    if chosen >= np.uint64(len(plan.moves)) or not desk.mask[chosen]:
        return ILLEGAL
    move = plan.moves[chosen]
    if move < 0:
        move = nth_numbered_move(t, opt, scratch, plan, -1 - move, action, desk.listed)
    apply(opt, s, seat, move)
    return next_player(s, desk)


@inner
def next_player(s: Any, desk: Any) -> int:
    """The seat to act, or TERMINAL, SIMULTANEOUS or CHANCE."""
    if s.to_act != 0:
        return SIMULTANEOUS if desk.at_once and s.to_act & (s.to_act - 1) else int(lowest(s.to_act))
    over = s.awaiting == NOTHING or (desk.one_deal and s.awaiting == DEAL and s.deals > 0)
    return TERMINAL if over else CHANCE


@inner
def legal_actions(desk: Any) -> int:
    """List the actions of the mask, in ascending order."""
    n: Any = np.uint64(0)  # numba allows for negative places otherwise
    for at in range(len(desk.words)):
        word = desk.words[at]
        while word:
            desk.out[n] = at * 8 + (lowest(word) >> 3)
            word &= word - np.uint64(1)
            n += np.uint64(1)
    return np.int64(n)  # type: ignore[return-value]  # of one type with the other results


@inner
def observe(t: Any, opt: Any, seat: int, desk: Any) -> None:
    """Write a seat's observation: see `Observer.observe`."""
    sight(opt, t.state, seat, t.row)
    for k in range(desk.seen.shape[1]):
        desk.seen[0, k] = 0
    spread_row(t.row, desk.parts, desk.places, LARGEST_NUMBER, desk.seen, 0)
