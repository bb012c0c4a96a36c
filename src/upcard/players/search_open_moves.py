"""Moves that lay cards open: the others can then play against these cards, which heuristic rollouts do not show.

A move of this kind is tried again, against players who look ahead, and made only if it is still better than the others.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from upcard.compiled.dealer import Dealer
from upcard.compiled.words import REAL, WordArray, integers, zeros
from upcard.engine.mistakes import SLACK
from upcard.engine.views import View, view
from upcard.engine.worlds import worlds_for
from upcard.rules.knowledge import aside_fields

SOME = 4
"""The number of a view's last moves that are examined for whether they lay cards open; verbs that do come last."""
WORLDS, ENDS = 384, 4
"""The number of worlds, divided by the number of players, since more players look ahead more often in each world; and
the rollouts per move with which all players look ahead."""
ANSWERING = 0.5
"""Seconds reserved for `answered`. On an ordinary machine it takes less, or a little more with four players."""


def exposes(seen: View[Any], move: int, rng: Random) -> bool:
    """Whether a move, in a sampled world of this view, lays open a card of its seat that it does not name."""
    if move < 64:
        return False
    game, seat = seen.game, seen.seat or 0
    state = worlds_for(seen).sample(rng)
    mine = {*game.hand.cards(state, seat)}
    for name in aside_fields(game.state, game.hand):
        mine |= {card for card in range(64) if getattr(state, name)[seat] >> card & 1}
    before = _open_cards(seen, state)
    seen.setup.apply(state, seat, move)
    return bool((_open_cards(seen, state) - before - {*game.notation.cards(move)}) & mine)


def may_expose(seen: View[Any]) -> bool:
    """Whether the view's seat has a move that lays cards open."""
    return any(exposes(seen, move, Random(1)) for move in seen.legal_moves()[-SOME:])


def make_ready_for(views: Iterable[View[Any]], policies: WordArray) -> None:
    """Compile everything that `answered` needs, if one of these views has a move that lays cards open."""
    for seen in views:
        if may_expose(seen):
            answered(Dealer(seen), seen.legal_moves()[-SOME:], policies, 1)
            return


def _open_cards(seen: View[Any], state: Any) -> set[int]:
    return set(seen.setup.all_cards(view(seen.setup, state, None).state))


def answered(dealer: Dealer, moves: list[int], policies: WordArray, seed: int) -> tuple[WordArray, WordArray]:
    """Like `Dealer.try_moves`, but against players who look ahead."""
    run, worlds = dealer.run, WORLDS // len(policies)
    tables, dealt = run.states(worlds + 2), dealer.deal(worlds, seed)
    tables.numbers[: len(dealt.numbers)] = dealt.numbers
    utilities, wins = zeros(len(moves), worlds), zeros(len(moves), worlds, kind=REAL)
    about = dealer.options, dealer.scratch, policies, dealer.worlds.me, integers(moves)
    run.call("try_answered", tables, *about, zeros(run.game.most_moves + SLACK), ENDS, utilities, wins)
    return utilities, wins
