"""What the seats of a vector environment have heard is what the other environments say."""

from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from single_tables import SHORT, Table

from upcard import Match, UpcardError, envs, shuffler
from upcard.envs.history import Recall

ROWS = 12
"""Fewer than the events of a deal, so that early ones are lost."""


def heard_beside(env: Any, steps: int, others: tuple[str, ...] = (), seat: int | None = None) -> int:
    """Play at random, and compare every history with that of a match in plain Python; returns the matches ended."""
    shown = env.reset(seed=5)
    tables = [Table(env, table, 5, "match", seat, others) for table in range(env.tables)]
    luck, ended = np.random.default_rng(2), 0
    for _ in range(steps):
        heard = env.history()
        for i, table in enumerate(tables):
            match = table.episode.match
            assert np.array_equal(heard[i], env.recall.numbers(match.history(table.acting())))
        chosen = np.array([luck.choice(np.flatnonzero(mask)) for mask in shown.mask])
        shown = env.step(chosen)
        for table, action in zip(tables, chosen, strict=True):
            ended += table.step(int(action))
    return ended


@pytest.mark.long
@pytest.mark.parametrize("slug", ["loo", "roundup"])
def test_every_seat_has_heard_what_it_has_heard_elsewhere(slug: str) -> None:
    """Games with numbers of hidden cards, sealed moves, and moves that name seats."""
    env = envs.vector(slug, options=SHORT[slug], tables=2, history=ROWS)
    heard_beside(env, 60)


@pytest.mark.long
@pytest.mark.xdist_group("oh-hell")
def test_the_moves_of_others_are_heard_too() -> None:
    env = envs.vector("oh-hell", 3, SHORT["oh-hell"], tables=2, seat=1, others="casual", history=ROWS)
    assert heard_beside(env, 40, ("casual", "casual"), 1) > 3


@pytest.mark.long
@pytest.mark.xdist_group("oh-hell")
def test_loaded_tables_have_heard_what_they_had() -> None:
    env = envs.vector("oh-hell", 3, tables=2, history=ROWS)
    match = Match("oh-hell", players=3, chance=shuffler(seed=4))
    matches: list[Match] = []
    while len(match.events) < 9 or len(matches) < 4:
        matches.append(deepcopy(match))
        match.apply(match.to_act[-1], min(match.actions(match.to_act[-1])))
    for first in range(0, len(matches) - 1, 2):
        pair = matches[first : first + 2]
        env.load(pair)
        saved = env.save()
        heard = [env.recall.numbers(match.history(match.to_act[0])) for match in pair]
        assert np.array_equal(env.history(), heard)
        for match in pair:
            match.apply(match.to_act[0], min(match.actions(match.to_act[0])))
        env.step(env.now.mask.argmax(axis=1))
        later = [env.recall.numbers(match.history(match.to_act[0])) for match in pair if match.to_act]
        assert len(later) < 2 or np.array_equal(env.history(), later)
        env.load(saved)
        assert np.array_equal(env.history(np.empty_like(env.history())), heard)


@pytest.mark.long
@pytest.mark.xdist_group("oh-hell")
def test_players_in_python_leave_the_same_history() -> None:
    class First:
        def choose(self, seen: Any, rng: Any) -> str:
            return str(seen.legal()[0])

    env = envs.vector("oh-hell", 3, tables=1, seed=1, seat=0, others=First(), history=ROWS)
    env.reset()
    assert env.history().shape == (1, ROWS, Recall(env.setup, ROWS).width)
    assert env.history()[0, -1].any()
    many = envs.gymnasium_vector("oh-hell", 3, tables=2, history=ROWS)
    seen, _ = many.reset(seed=3)
    assert many.observation_space.contains(seen)
    assert np.array_equal(seen["history"], many.tables.history())


@pytest.mark.long
def test_without_a_history_there_is_none() -> None:
    env = envs.vector("oh-hell", 3, tables=1, seed=1)
    env.reset()
    with pytest.raises(UpcardError, match="keeps no history: make it with history=64"):
        env.history()
    with pytest.raises(UpcardError, match="history is a whole number from 0 up, not -1"):
        envs.vector("oh-hell", 3, tables=1, history=-1)
