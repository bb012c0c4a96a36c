"""Tables of the vector environment as values: saved, loaded, forked, set up from matches."""

import pickle
from random import Random
from typing import Any

import numpy as np
import pytest

from upcard import Match, UpcardError, envs, games, shuffler
from upcard.engine.worlds import world


def at_random(env: Any, rng: np.random.Generator) -> Any:
    return (rng.random(env.now.mask.shape) * env.now.mask).argmax(1)


def course(env: Any, steps: int, seed: int = 5) -> list[Any]:
    """Everything that is seen in some steps at random."""
    rng, seen = np.random.default_rng(seed), []
    for _ in range(steps):
        step = env.step(at_random(env, rng))
        seen += [np.array(part) for part in step] + [np.array(env.seats)]
    return seen


def same(one: list[Any], other: list[Any]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize(
    ("slug", "others"),
    [("loo", None), ("ninety-nine", None), ("oh-hell", None), ("oh-hell", "random"), ("sixty-six", None)],
)
def test_a_saved_environment_continues_as_it_did(slug: str, others: str | None) -> None:
    """What is saved are the same arrays in every game; the loops of these are compiled by `test_env_vector.py` too."""
    game = games.load(slug)
    env = envs.vector(game, tables=12, seed=1, others=others, reward="deal")
    env.reset()
    course(env, 25)
    saved = pickle.loads(pickle.dumps(env.save()))
    mask, seats = env.now.mask.copy(), env.seats.copy()
    first = course(env, 40)
    course(env, 5, seed=9)
    shown = env.load(saved)
    assert np.array_equal(shown.mask, mask)
    assert np.array_equal(env.seats, seats)
    assert not shown.reward.any() and not shown.done.any()
    assert same(course(env, 40), first)
    fresh = envs.vector(game, tables=12, seed=2, others=others, reward="deal")
    fresh.load(saved)
    assert same(course(fresh, 40), first)


@pytest.mark.xdist_group("oh-hell")
def test_a_table_is_forked_many_times() -> None:
    env = envs.vector("oh-hell", tables=3, seed=1)
    env.reset()
    course(env, 10)
    many = envs.vector("oh-hell", tables=50, seed=2)
    shown = many.load(env.save(), rows=[1] * 50)
    assert (shown.observation == env.now.observation[1]).all()
    seen = []
    for seed in (None, 3, 3):
        many.load(env.save(), rows=[1] * 50, seed=seed)
        for _ in range(200):  # into the next deals
            many.step(many.now.mask.argmax(1))
        seen.append(many.now.observation.copy())
    assert (seen[0] == seen[0][0]).all()  # equal futures
    assert not (seen[1] == seen[1][0]).all()
    assert np.array_equal(seen[1], seen[2])


@pytest.mark.xdist_group("oh-hell")
def test_matches_are_loaded_also_in_worlds() -> None:
    match = Match("oh-hell", 4, chance=shuffler(3))
    for seat in range(4):
        match.play(seat, match.legal(seat)[0])
    seat = match.to_act[0]
    worlds = [match.in_world(world(match.view(seat), Random(seed))) for seed in range(8)]
    env = envs.vector("oh-hell", 4, tables=16, seed=1)
    shown = env.load([match, *worlds], rows=[0, *range(1, 9), *range(7)])
    row = env.observer.observe(match.view(seat))
    assert (env.numbers() == row).all()  # in every world this seat sees the same
    assert all(np.flatnonzero(mask).tolist() == [*match.actions(seat)] for mask in shown.mask)
    hands = {str(env.save().records["state"]["hand"][table].tolist()) for table in range(9)}
    assert len(hands) > 4


@pytest.mark.xdist_group("sixty-six")
def test_what_cannot_be_loaded_is_refused_and_changes_nothing() -> None:
    env = envs.vector("sixty-six", tables=2, seed=1)
    with pytest.raises(UpcardError, match="call reset"):
        env.save()
    env.reset()
    saved, before = env.save(), env.now.observation.copy()
    over = Match("sixty-six", options={"target": 1}, chance=shuffler(1))
    while not over.done:
        over.play(over.to_act[0], over.legal(over.to_act[0])[0])
    short = envs.vector("sixty-six", options={"target": 1}, tables=1, seed=1)
    wrong: list[tuple[Any, str]] = [
        ((saved, [0, 2]), "rows are numbers from 0 to 1: there are 2 positions"),
        ((saved, [0, -1]), "rows are numbers from 0 to 1"),
        ((saved, [0]), "rows are 2 whole numbers, one per table"),
        ((saved, [0.0, 1.0]), "rows are 2 whole numbers, one per table"),
        (([Match("sixty-six")],), "there are 1 positions for 2 tables: say which in `rows`"),
        (([Match("loo")],), "a position is a match of .*, not"),
        (([3],), "a position is a match of .*, not 3"),
    ]
    for arguments, message in wrong:
        with pytest.raises(UpcardError, match=message):
            env.load(*arguments)
    for positions, message in (([over], "position 0 is a match that is over"), (saved, "these tables are those of")):
        with pytest.raises(UpcardError, match=message):
            short.load(positions, [0])
    assert np.array_equal(env.now.observation, before)
    asked = envs.vector("sixty-six", tables=2, seed=1, others="search:2")
    asked.reset()
    for ask in (asked.save, lambda: asked.load(saved)):
        with pytest.raises(UpcardError, match="tables with players in Python can be neither saved nor loaded"):
            ask()
