"""Hand-likelihood features, called signs, of many worlds at once: see `upcard.policies.hand_features`."""

from __future__ import annotations

from typing import Any

from upcard.compiled.program import inner, of_game


@inner
def _no_signs(opt: Any, s: Any, seat: int, room: Any) -> int:
    return 0


hand_signs = of_game("hand_signs", otherwise=_no_signs)


def weigh_hands(tables: Any, opts: Any, me: int, weights: Any, room: Any, totals: Any) -> None:
    """Write for each of the first tables, which are worlds, the sum of the weights of the signs of all hands but that
    of `me`."""
    for w in range(len(totals)):
        s = tables[w]
        total = 0
        for seat in range(s.players):
            for i in range(hand_signs(opts[0], s, seat, room) if seat != me else 0):
                total += weights[room[i]]
        totals[w] = total


def count_signs(tables: Any, opts: Any, me: int, room: Any, counts: Any) -> None:
    """Add to a row for each of the first tables how often each sign occurs, in all hands but that of `me`."""
    for w in range(len(counts)):
        s = tables[w]
        for seat in range(s.players):
            for i in range(hand_signs(opts[0], s, seat, room) if seat != me else 0):
                counts[w, room[i]] += 1
