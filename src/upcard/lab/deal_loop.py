"""The compiled loop behind `lab.deals`."""

from __future__ import annotations

from typing import Any

from upcard.compiled.loops import (
    LONGEST_MATCH,
    PACKS,
    PLAY,
    apply,
    chance_speaks,
    decide,
    not_for_ever,
    stream,
    utility,
)
from upcard.rules.cards import lowest
from upcard.rules.state import DEAL, NOBODY

FIRST, MOVES, STANDING = 0, 1, 2
"""Places in what is told of a deal: the first seat to act alone, how many moves, then how well each seat stands."""


def play_deals(
    tables: Any,
    opts: Any,
    packs: Any,
    scratch: Any,
    policies: Any,
    key: int,
    first: int,
    dealt: Any,
    ended: Any,
    told: Any,
) -> None:
    """The first deal of each match from number `first` on, with the chance and the luck that `play_matches` gives it.

    `tables` are matches about to begin, one for each first dealer. Written are the states after the deal and at the
    deal's end, and what is told of it: see FIRST.
    """
    opt = opts[0]
    for row in range(len(ended)):
        match = first + row
        ended[row] = tables[match % len(tables)]
        packs[0].rng[0] = stream(key, match, PACKS)
        scratch[0].rng[0] = stream(key, match, PLAY)
        s = ended[row]
        chance_speaks(s, opt, packs[0].rng, packs[0].order)
        dealt[row] = ended[row]
        begins = NOBODY
        together = -1
        moves = 0
        silence = 0
        while True:
            if s.to_act != 0:
                me = lowest(s.to_act)
                if begins == NOBODY:
                    if s.to_act & (s.to_act - 1):
                        together = s.phase
                    elif s.phase != together:
                        begins = me
                apply(s, opt, me, decide(s, opt, me, scratch[0], policies))
                moves += 1
                silence = 0
                if moves > LONGEST_MATCH:
                    raise ValueError("a deal does not end")
            elif s.awaiting > DEAL:
                chance_speaks(s, opt, packs[0].rng, packs[0].order)
                silence = not_for_ever(silence)
            else:
                break
        told[row, FIRST] = begins
        told[row, MOVES] = moves
        for seat in range(s.players):
            told[row, STANDING + seat] = utility(s, opt, seat)
