"""Wrong arguments of the environments: one line in the user's words, and nothing has changed."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from upcard import UpcardError, envs

GAME = "sixty-six"

WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: envs.pettingzoo(3), "a game is its name or a Game, not 3"),  # type: ignore[arg-type]
    (lambda: envs.pettingzoo(GAME, reward="x"), "reward is 'match' or 'deal', not 'x'"),
    (lambda: envs.pettingzoo(GAME).reset(seed="x"), "a seed is a whole number, not 'x'"),
    (lambda: envs.pettingzoo(GAME).action_space("Ann"), "there is no agent 'Ann': they are player_0, player_1"),
    (lambda: envs.pettingzoo_parallel(None), "a game is its name or a Game, not null"),  # type: ignore[arg-type]
    (lambda: envs.pettingzoo_parallel(GAME, render_mode="x"), "render_mode is 'human', 'ansi' or None, not 'x'"),
    (lambda: envs.pettingzoo_parallel(GAME).observation_space(9), "there is no agent 9: they are "),  # type: ignore[arg-type]
    (lambda: envs.gymnasium(GAME, 5), "Sixty-Six is for 2 players, not 5"),
    (lambda: envs.gymnasium(GAME, seat=True), "there is no seat true: the seats are 0 to 1"),
    (lambda: envs.gymnasium(GAME, others=None), r"a player is a name or has a method choose\(view, rng\), not null"),  # type: ignore[arg-type]
    (lambda: envs.gymnasium(GAME).step(0), r"reset\(\) comes before anything else"),
    (lambda: envs.gymnasium(GAME).render(), r"reset\(\) comes before anything else"),
    (lambda: envs.gymnasium(GAME).action_masks(), r"reset\(\) comes before anything else"),
    (lambda: envs.gymnasium(GAME).heard(), r"reset\(\) comes before anything else"),
    (lambda: envs.pettingzoo_parallel(GAME).step({}), r"reset\(\) comes before anything else"),
    (lambda: envs.open_spiel(3), "a game is its name or a Game, not 3"),  # type: ignore[arg-type]
    (lambda: envs.open_spiel(GAME, history="x"), "history is a whole number from 0 up, not 'x'"),  # type: ignore[arg-type]
    (lambda: envs.open_spiel(GAME, options={"no": 1}), "there is no option 'no'"),
    (lambda: envs.vector(3), "a game is its name or a Game, not 3"),  # type: ignore[arg-type]
    (lambda: envs.vector(GAME, tables=10**14), "100000000000000 tables take [0-9,]+ GB of memory, more than there is"),
    (lambda: copy.deepcopy(envs.vector(GAME, tables=1)), "stepped at once are neither copied nor pickled"),
    (lambda: pickle.dumps(envs.vector(GAME, tables=1)), "stepped at once are neither copied nor pickled"),
    (lambda: envs.vector(GAME, tables=1).view("x"), "there is no table 'x': the tables are 0 to 0"),  # type: ignore[arg-type]
    (lambda: envs.vector(GAME, tables=1).numbers([["a"]]), "words come in rows of "),
]


@pytest.mark.parametrize(("ask", "message"), WRONG, ids=[message for _, message in WRONG])
def test_what_cannot_be_is_said_in_one_line(ask: Callable[[], object], message: str) -> None:
    with pytest.raises(UpcardError, match=message) as said:
        ask()
    assert "\n" not in str(said.value)


def test_a_seat_and_a_history_may_be_numbers_of_numpy() -> None:
    numbers: Any = np.array([1, 3])
    first, second = (envs.gymnasium(GAME, seat=seat, history=rows) for seat, rows in ((1, 3), numbers))
    assert str(first.reset(seed=1)) == str(second.reset(seed=1))


@pytest.mark.parametrize("action", ["x", None, 10**9, 1.5])
def test_what_is_no_action_is_refused(action: Any) -> None:
    turns, one = envs.pettingzoo(GAME), envs.gymnasium(GAME)
    turns.reset(seed=1)
    one.reset(seed=1)
    before = str(turns.unwrapped.episode.match)
    for env in (turns, one):
        with pytest.raises(UpcardError, match="an action is a whole number from 0 to "):
            env.step(action)
    assert str(turns.unwrapped.episode.match) == before
    turns.step(int(np.argmax(turns.last()[0]["action_mask"])))
    assert str(turns.unwrapped.episode.match) != before


def test_an_agent_that_there_is_not_sees_nothing() -> None:
    turns, at_once = envs.pettingzoo(GAME), envs.pettingzoo_parallel(GAME)
    turns.reset(seed=1)
    at_once.reset(seed=1)
    for ask in (turns.observe, turns.unwrapped.heard, at_once.observe, at_once.heard):
        with pytest.raises(UpcardError, match="there is no agent 'Ann'"):
            ask("Ann")
    with pytest.raises(UpcardError, match="actions are a dictionary with one for each agent that is to act, not 3"):
        at_once.step(3)  # type: ignore[arg-type]
