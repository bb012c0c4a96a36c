"""The rules of a game one by one, compiled: to hold them beside the plain ones."""

from __future__ import annotations

from typing import Any

from upcard.compiled import loops

LIST, COUNT, NTH, APPLY, CHANCE, UTILITY = range(6)


def one_rule(tables: Any, opts: Any, scratch: Any, what: int, me: int, k: int) -> int:
    """One rule on the first table, all of them in one entry so that they are compiled at once. Moves are listed into
    the room of `scratch`, and so are the cards of a chance event; returns how many."""
    s = tables[0]
    if what == LIST:
        return loops.list_moves(s, opts[0], me, scratch[0].moves)
    if what == COUNT:
        return int(loops.count_others(s, opts[0], me, scratch[0].moves))
    if what == NTH:
        return int(loops.nth_other(s, opts[0], me, scratch[0].moves, k))
    if what == APPLY:
        loops.apply(s, opts[0], me, k)
    elif what == CHANCE:
        return loops.chance_speaks(s, opts[0], scratch[0].rng, scratch[0].order)
    else:
        return int(loops.utility(s, opts[0], me))
    return 0
