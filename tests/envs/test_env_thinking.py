"""Searching opponents at many tables play as in the single environment, with the packs of the compiled tables."""

import sys
import threading
from multiprocessing import get_context
from random import Random
from threading import Event, Timer
from typing import Any

import numpy as np
import pytest

from upcard import UpcardError, envs
from upcard.engine.chance import PACKS, PLAY, SplitMix, key_of, stream
from upcard.engine.views import view_row

SHORT: dict[str, Any] = {"game": "oh-hell", "players": 3, "options": {"max_cards": 2}, "seat": 1}
OTHERS = ["search:8", "casual"]
FIRST = 52
"""The lowest bid."""


class First:
    """Plays the first legal move."""

    def choose(self, view: Any, rng: Random) -> str:
        return str(view.legal()[0])


@pytest.mark.long
def test_opponents_that_search_are_those_of_the_single_environment() -> None:
    env = envs.vector(**SHORT, others=OTHERS, tables=3, seed=4, reward="deal")
    single = [envs.gymnasium(**SHORT, others=OTHERS, reward="deal") for _ in range(3)]
    shown = env.reset()
    chance = [SplitMix(stream(key_of(4), table, PACKS)) for table in range(3)]
    luck = [Random(stream(key_of(4), table, PLAY)) for table in range(3)]
    for table, one in enumerate(single):
        one._single.begin(chance[table], luck[table])
    ended = 0
    for _ in range(60):
        actions = shown.mask.argmax(axis=1)
        shown = env.step(actions)
        for table, one in enumerate(single):
            *_, reward, over, _, _ = one.step(int(actions[table]))
            if over:
                one._single.begin(chance[table], luck[table])
            seen = one.episode.observe(1)
            assert (shown.done[table], shown.reward[table, 1]) == (over, reward)
            assert (shown.mask[table] == seen["action_mask"]).all()
            assert shown.observation[table].tolist() == view_row(one.episode.match.view(1))
            assert env.view(table).text() == one.episode.match.view(1).text()
            ended += over
    assert ended > 3


def told(env: Any, steps: int) -> list[bytes]:
    shown = env.reset(seed=2)
    found = []
    for number in range(steps):
        found.append(b"".join(array.tobytes() for array in shown))
        shown = env.step(np.array([np.flatnonzero(row)[number % row.sum()] for row in shown.mask]))
    return found


@pytest.mark.long
def test_threads_make_no_difference_to_those_who_think() -> None:
    one, other = (told(envs.vector(**SHORT, others="search:8", tables=5, threads=n), 15) for n in (1, 3))
    assert one == other


def test_objects_play_too_and_what_is_illegal_ends_the_match() -> None:
    env = envs.vector(**SHORT, others=First(), tables=2, seed=1)
    shown = env.reset()
    assert (env.seats == 1).all()
    wrong = int(np.argmin(shown.mask[0]))
    shown = env.step([wrong, int(shown.mask[1].argmax())])
    assert shown.done.tolist() == [True, False]
    assert shown.reward[0].tolist() == [0, -1, 0]
    assert shown.mask[0].any()


class Fails:
    """Raises an error when it is asked for the third time."""

    asked = 0

    def choose(self, view: Any, rng: Random) -> str:
        self.asked += 1
        if self.asked == 3:
            raise RuntimeError("no idea")
        return str(view.legal()[0])


def test_after_a_player_that_failed_a_reset_comes_next() -> None:
    """By then some tables have been stepped, and others have not."""
    env = envs.vector("oh-hell", 3, {"max_cards": 1, "bidding": "turns"}, others=Fails(), tables=2, seed=1, threads=1)
    with pytest.raises(RuntimeError, match="no idea"):
        env.step(env.reset().mask.argmax(axis=1))
    with pytest.raises(UpcardError, match=r"call reset\(\) first"):
        env.step([FIRST, FIRST])
    env.step(env.reset().mask.argmax(axis=1))


class Slow(First):
    """Fails once, while another table's player is still thinking."""

    def __init__(self) -> None:
        self.fails, self.going_on, self.at_work = False, Event(), Event()

    def choose(self, view: Any, rng: Random) -> str:
        if self.fails and not self.at_work.is_set():
            self.at_work.set()
            self.going_on.wait(10)
        elif self.fails:
            self.at_work.wait(10)
            self.fails = False
            Timer(0.1, self.going_on.set).start()
            raise RuntimeError("no idea")
        return super().choose(view, rng)


def test_when_a_player_has_failed_no_other_is_still_at_work() -> None:
    others = Slow()
    env = envs.vector("oh-hell", 3, {"max_cards": 1, "bidding": "turns"}, others=others, tables=2, seed=1, threads=2)
    shown = env.reset()
    others.fails = True
    with pytest.raises(RuntimeError, match="no idea"):
        env.step(shown.mask.argmax(axis=1))
    assert others.going_on.is_set()


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is forked there")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    env = envs.vector("oh-hell", 3, {"max_cards": 1}, others=First(), tables=4, seed=1, threads=2)
    env.reset()
    child = get_context("fork").Process(target=env.reset, daemon=True)
    child.start()
    child.join(60)
    assert child.exitcode == 0


def test_a_closed_environment_has_no_threads_left() -> None:
    before = set(threading.enumerate())
    env = envs.vector("oh-hell", 3, {"max_cards": 1}, others=First(), tables=4, seed=1, threads=2)
    mask = env.reset().mask.copy()
    started = set(threading.enumerate()) - before
    env.close()
    assert [thread.is_alive() for thread in started] == [False, False]
    with pytest.raises(UpcardError, match="call reset"):
        env.step(mask.argmax(axis=1))
    assert (env.reset(1).mask == mask).all()
    env.close()


@pytest.mark.parametrize(
    ("others", "message"),
    [
        (3, r"a player is a name or has a method choose\(view, rng\), not 3"),
        (["search:x", "casual"], "a player with a number is search:ROLLOUTS"),
        ("genius", "there is no player 'genius'"),
    ],
)
def test_who_is_no_player_is_refused(others: Any, message: str) -> None:
    for make in (envs.vector, envs.gymnasium):
        with pytest.raises(UpcardError, match=message):
            make(**SHORT, others=others)
