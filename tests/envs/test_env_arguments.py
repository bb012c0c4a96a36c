"""Wrong arguments of the environments: an error of one line in the user's words, and nothing has changed."""

import copy
import pickle
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from small_game import SmallGame as SMALL

from upcard import Match, Setup, UpcardError, envs
from upcard.engine.actions import action_space
from upcard.envs import actions_page
from upcard.envs.history import Recall
from upcard.envs.observation import Observer
from upcard.lab.gpu import compile_rollouts

GAME = "sixty-six"


def floats() -> Any:
    """Observations stored by somebody who forgets that a set of cards is a 64-bit number."""
    return envs.vector(GAME, tables=1).now.observation.astype(np.float32)


WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: envs.gymnasium(SMALL, others="medium"), "has no level 'medium' \\(it has: casual, strong, "),
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
    (lambda: envs.gymnasium(GAME, reward=np.array([])), "reward is 'match' or 'deal', not "),  # type: ignore[arg-type]
    (lambda: envs.gymnasium(GAME, render_mode=np.array([])), "render_mode is 'human', 'ansi' or None, not "),  # type: ignore[arg-type]
    (lambda: envs.pettingzoo_parallel(GAME).observe(np.array([])), "there is no agent a ndarray"),  # type: ignore[arg-type]
    (lambda: envs.gymnasium(GAME).step(0), r"call reset\(\) first"),
    (lambda: envs.gymnasium(GAME).render(), r"call reset\(\) first"),
    (lambda: envs.gymnasium(GAME).action_masks(), r"call reset\(\) first"),
    (lambda: envs.gymnasium(GAME).heard(), r"call reset\(\) first"),
    (lambda: envs.pettingzoo_parallel(GAME).step({}), r"call reset\(\) first"),
    (lambda: envs.open_spiel(3), "a game is its name or a Game, not 3"),  # type: ignore[arg-type]
    (lambda: envs.open_spiel(GAME, history="x"), "history is a whole number from 0 up, not 'x'"),  # type: ignore[arg-type]
    (lambda: envs.open_spiel(GAME, options={"no": 1}), "there is no option 'no'"),
    (lambda: envs.vector(3), "a game is its name or a Game, not 3"),  # type: ignore[arg-type]
    (lambda: envs.vector(GAME, tables=10**14), r"tables take [0-9,]+ GB of memory, more than this machine"),
    (lambda: copy.deepcopy(envs.vector(GAME, tables=1)), "a vector environment cannot be copied or pickled"),
    (lambda: pickle.dumps(envs.vector(GAME, tables=1)), "a vector environment cannot be copied or pickled"),
    (lambda: envs.vector(GAME, tables=1).view("x"), "there is no table 'x': the tables are 0 to 0"),  # type: ignore[arg-type]
    (lambda: envs.vector(GAME, tables=1).numbers([["a"]]), "words come in rows of "),
    (lambda: envs.vector(GAME, tables=1).numbers(floats()), "words are whole numbers of 64 bits, .* not float32"),
    (lambda: envs.gymnasium(GAME).reset(seed=1.5), "a seed is a whole number, not 1.5"),  # type: ignore[arg-type]
    (lambda: envs.pettingzoo(GAME, history=10**12), "history is at most 100,000 rows, not 1,000,000,000,000"),
    (lambda: envs.open_spiel(GAME, history=10**12), "history is at most 100,000 rows, not 1,000,000,000,000"),
    (lambda: action_space(GAME), "an action space belongs to a Setup, not to 'sixty-six'"),  # type: ignore[arg-type]
    (lambda: action_space([]), "an action space belongs to a Setup, not to a list"),  # type: ignore[arg-type]
    (lambda: Observer(GAME), "an action space belongs to a Setup, not to 'sixty-six'"),  # type: ignore[arg-type]
    (lambda: Recall(GAME, 3), "an action space belongs to a Setup, not to 'sixty-six'"),  # type: ignore[arg-type]
    (lambda: Observer(Setup(GAME)).observe(Match(GAME)), "what a seat sees is a View, .*, not a Match"),  # type: ignore[arg-type]
    (lambda: compile_rollouts(5), "a game is its name or a Game, not 5"),  # type: ignore[arg-type]
    (lambda: compile_rollouts(GAME, "x"), r"a capability is two whole numbers, for example \(8, 0\), not 'x'"),  # type: ignore[arg-type]
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


@pytest.mark.parametrize("action", ["x", None, True, 10**9, 1.5])
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


def dealt(env: Any, seed: Any) -> str:
    """The cards of a new match."""
    env.reset(seed=seed)
    return str(env.unwrapped.episode.match)


@pytest.mark.parametrize("make", [envs.pettingzoo, envs.pettingzoo_parallel, envs.gymnasium])
def test_any_whole_number_is_a_seed_of_its_own(make: Any) -> None:
    env = make(GAME)
    assert dealt(env, -1) == dealt(env, -1) != dealt(env, 1)
    assert dealt(env, np.int64(1)) == dealt(env, 1)


@pytest.mark.parametrize("make", [envs.pettingzoo, envs.pettingzoo_parallel, envs.gymnasium])
def test_an_environment_without_a_seed_is_copied_and_goes_on_with_chance_of_its_own(make: Any) -> None:
    env = make(GAME)
    env.reset()
    before = str(env.unwrapped.episode.match)
    for copied in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert str(copied.unwrapped.episode.match) == before
        copied.reset()
        assert str(copied.unwrapped.episode.match) != before
    assert str(env.unwrapped.episode.match) == before
    assert dealt(copy.deepcopy(env), None) != dealt(copy.deepcopy(env), None)


def test_render_modes_are_those_of_one_environment() -> None:
    """Wrappers add to them."""
    makes: list[Callable[[str], Any]] = [envs.gymnasium, envs.pettingzoo, envs.pettingzoo_parallel]
    for make in makes:
        make(GAME).metadata["render_modes"].append("rgb_array")
        assert "rgb_array" not in make(GAME).metadata["render_modes"]


@pytest.mark.parametrize(
    ("told", "message"),
    [(["loo", "x"], "Loo is for 5, 6, 7, 8, 9 or 10 players, not 'x'"), (["nix"], "there is no game 'nix'")],
)
def test_a_page_of_actions_that_cannot_be_is_told_of(
    told: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["actions_page", *told])
    with pytest.raises(SystemExit, match=message):
        actions_page.main()


def test_an_agent_that_there_is_not_sees_nothing() -> None:
    turns, at_once = envs.pettingzoo(GAME), envs.pettingzoo_parallel(GAME)
    turns.reset(seed=1)
    at_once.reset(seed=1)
    for ask in (turns.observe, turns.unwrapped.heard, at_once.observe, at_once.heard):
        with pytest.raises(UpcardError, match="there is no agent 'Ann'"):
            ask("Ann")
    with pytest.raises(UpcardError, match="actions are a dictionary with one for each agent that is to act, not 3"):
        at_once.step(3)  # type: ignore[arg-type]
