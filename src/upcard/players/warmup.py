"""Compiling a game's rules for slow players, once per machine; until then, quicker players move for them."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import multiprocessing.connection
import os
import signal
import sys
import threading
from random import Random
from typing import Any

from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.engine.views import View
from upcard.engine.worlds import NoWorld
from upcard.players import LEVELS, choose
from upcard.rules.game import Game

QUICK = ("random", "easy", "heuristic", "learned")
"""The players that move faster than a request to another process takes."""
FAULTY = 1
"""The exit status of a process that finds the rules of a game faulty."""


def is_quick(level: str) -> bool:
    return LEVELS[level].name in QUICK


def quick() -> str:
    """The strongest level that moves at once."""
    return next(name for name in reversed(LEVELS) if is_quick(name))


def slowest() -> str:
    """The strongest level."""
    return [*LEVELS][-1]


def make_ready(setup: Game[Any], level: str) -> None:
    """Compile everything that a player of this level needs, and cache it on disk. Runs in a separate process, whose
    exit status is FAULTY if the rules of the game are faulty."""
    step_back()
    try:
        _make_ready(setup, level)
    except UpcardError:  # faulty rules, which `upcard check-game` explains
        sys.exit(FAULTY)


def _make_ready(setup: Game[Any], level: str) -> None:
    views = _few_choices(setup)
    if not views:
        return
    for seen in (views[0], views[len(views) // 2], views[-1]):  # the beginning is searched, the end may be solved
        with contextlib.suppress(NoWorld):  # then another player moves anyway
            choose(level, seen)
    if level == slowest():
        prepare_hints(views)
    if level == slowest() and setup.game.ANSWERED:
        from upcard.compiled.seat_policies import rollout_records
        from upcard.players.search import best_rollouts
        from upcard.players.search_open_moves import make_ready_for

        make_ready_for(views, rollout_records(setup.players, best_rollouts(setup.game)))


def prepare_hints(views: list[View[Any]]) -> None:
    """Compile everything that a hint needs, with and without hidden cards, at some of these views."""
    from upcard.players.advice import advise
    from upcard.players.endgame_solver import opponent
    from upcard.players.reasons import explained
    from upcard.players.thinking_limits import Rollouts

    known = [seen for seen in reversed(views) if opponent(seen) is not None]
    for seen in (views[0], *known[:1]):
        with contextlib.suppress(NoWorld):
            explained(seen, advise(seen, Rollouts(1), Random(1)), Random(1))


def _few_choices(setup: Game[Any]) -> list[View[Any]]:
    """The players' views at every choice of the first deal, or of the deals up to the first choice if it has none."""
    match: Match[Any] = Match(setup, chance=Random(4))
    views: list[View[Any]] = []
    while not match.done and (match.state.deals == 1 or not views):
        seen = match.view(match.to_act[0])
        if len(seen.legal_moves()) > 1:
            views.append(seen)
        match.play(match.to_act[0], choose("heuristic", seen))
    return views


def step_back() -> None:
    """Set up a new background process: like `settle_in`, and with low priority."""
    settle_in()
    with contextlib.suppress(OSError):
        os.nice(10)


def settle_in() -> None:
    """Set up a new worker process: ignore Ctrl-C, which is for its parent, exit when the parent does, and seldom
    collect garbage, which otherwise takes half of the time of counting many worlds."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(100_000)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def sit_down() -> None:
    """Set up a process for thinking: like `settle_in`, and import what a search needs."""
    settle_in()
    import upcard.compiled.native
    import upcard.players.search  # noqa: F401


def _follow(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(0)
