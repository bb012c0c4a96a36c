"""PettingZoo: its own test suites, unchanged, for all games, and what they do not cover."""

import warnings
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.utils.conversions import aec_to_parallel
from playing import any_table

from upcard import UpcardError, envs
from upcard.envs.episode import outcome_values
from upcard.rules.game import Game

TABLES = range(3)


@pytest.fixture(autouse=True)
def _warnings_are_errors() -> Iterator[None]:
    """The suites' warnings are errors here, except about a mask of zeros, which a seat that is not to act must have."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in ("Observation is not a NumPy", "Observation space for each agent"):
            warnings.filterwarnings("ignore", message)
        yield


def test_a_match_is_truncated_after_max_cycles() -> None:
    env = envs.pettingzoo("sixty-six", max_cycles=5)
    env.reset(seed=1)
    steps = 0
    for _ in env.agent_iter():
        seen, reward, over, cut, _ = env.last()
        assert not over
        assert reward == 0
        if cut:
            env.step(None)
            continue
        env.step(int(np.argmax(seen["action_mask"])))
        steps += 1
    assert steps == 5
    with pytest.raises(UpcardError, match="max_cycles is a whole number from 1 up"):
        envs.pettingzoo("sixty-six", max_cycles=0)


def test_a_parallel_match_is_truncated_after_max_cycles() -> None:
    env = envs.pettingzoo_parallel("sixty-six", max_cycles=2)
    seen, _ = env.reset(seed=1)
    cuts = []
    while env.agents:
        chosen = {agent: int(np.argmax(one["action_mask"])) for agent, one in seen.items()}
        seen, _, ends, cut, _ = env.step(chosen)
        assert not any(ends.values())
        cuts.append(cut)
    assert cuts == [{"player_0": False, "player_1": False}, {"player_0": True, "player_1": True}]


@pytest.mark.parametrize("number", TABLES)
def test_the_suites_pass(game: type[Game], number: int, capsys: pytest.CaptureFixture[str]) -> None:
    told = any_table(game, number)
    make: Callable[..., Any] = lambda **mode: envs.pettingzoo(**told, **mode)
    at_once: Callable[..., Any] = lambda: envs.pettingzoo_parallel(**told)
    api_test(make(), num_cycles=60)
    seed_test(make, num_cycles=20)
    parallel_api_test(at_once(), num_cycles=20)
    parallel_seed_test(at_once, num_cycles=20)
    if number == 0:
        render_test(make)


def steps(env: Any, seed: int) -> Iterator[tuple[str, bytes, float]]:
    """A random match: the agent to act, what it saw, and its reward."""
    env.reset(seed=seed)
    luck = np.random.default_rng(seed)
    for agent in env.agent_iter():
        seen, reward, over, cut, _ = env.last()
        yield agent, seen["observation"].tobytes() + seen["action_mask"].tobytes(), reward
        env.step(None if over or cut else luck.choice(np.flatnonzero(seen["action_mask"])))


def test_a_seed_gives_the_same_match_over_many_deals(game: type[Game]) -> None:
    first, second, other = (list(islice(steps(envs.pettingzoo(game), seed), 250)) for seed in (7, 7, 8))
    assert first == second
    assert first != other


def test_a_generator_goes_on_from_match_to_match() -> None:
    env, again = envs.pettingzoo("sixty-six"), envs.pettingzoo("sixty-six")
    for one in (env, again):
        one.reset(seed=3)
    deals = []
    for _ in range(3):
        env.reset()
        again.reset()
        deals.append(str(env.unwrapped.episode.match))
        assert deals[-1] == str(again.unwrapped.episode.match)
    assert len(set(deals)) == 3


SHORT: dict[str, dict[str, object]] = {
    "cinch": {"target": 11},
    "kalooki": {"contracts": "1"},
    "loo": {"rounds": 1},
    "ninety-nine": {"target": 50},
    "oh-hell": {"max_cards": 2},
    "roundup": {"target": 5},
    "rounds": {"target": 100},
    "sixty-six": {"target": 2},
    "klaberjass": {"target": 51},
}


@pytest.mark.parametrize("reward", ["match", "deal"])
def test_what_a_match_is_worth(game: type[Game], reward: str) -> None:
    env = envs.pettingzoo(game, options=SHORT.get(game.slug), reward=reward)
    got = dict.fromkeys(env.possible_agents, 0.0)
    luck = np.random.default_rng(1)
    env.reset(seed=1)
    for agent in env.agent_iter():
        seen, earned, over, _, _ = env.last()
        got[agent] += earned
        env.step(None if over else luck.choice(np.flatnonzero(seen["action_mask"])))
    match = env.unwrapped.episode.match
    assert match.done
    assert sum(got.values()) == pytest.approx(0)
    seats = range(match.players)
    if reward == "deal":
        assert list(got.values()) == [match.setup.utility(match.state, seat) for seat in seats]
    else:
        assert [seat for seat in seats if got[f"player_{seat}"] == max(got.values())] == match.winners


@pytest.mark.parametrize("reward", ["match", "deal"])
def test_a_deal_that_a_chance_event_ends_is_worth_what_it_is(reward: str) -> None:
    """Linger Longer ends with a reshuffle that deals the last cards, about every fourth time with twelve cards each."""
    env = envs.pettingzoo("linger-longer", 3, {"deals": 2, "cards": 12}, reward=reward)
    luck, by_chance = np.random.default_rng(1), 0
    for seed in range(40):
        env.reset(seed=seed)
        got = np.zeros(3)
        while env.agents:
            seen, _, over, _, _ = env.last()
            events = len(env.unwrapped.episode.match.events)
            env.step(None if over else luck.choice(np.flatnonzero(seen["action_mask"])))
            if not over:
                earned = np.array([*env.rewards.values()])
                match = env.unwrapped.episode.match
                deals = [event.word == "deal" for event in match.events[events + 1 :]]
                assert bool(earned.any()) == (match.done or (reward == "deal" and any(deals)))
                by_chance += bool(match.events[events + 1 :]) and not deals[0]
                got += earned
        worth = [match.setup.utility(match.state, seat) for seat in range(3)]
        assert got.tolist() == pytest.approx(worth if reward == "deal" else outcome_values(match))
    assert by_chance > 5


@pytest.mark.parametrize(("slug", "phase"), [("oh-hell", "bid"), ("roundup", "bid")])
def test_a_sealed_bid_stays_sealed(slug: str, phase: str) -> None:
    """Whatever the first seat bids, the others see and hear the same, and have the same moves, until all have bid."""
    heard = set()
    for place in (0, -1):
        env = envs.pettingzoo(slug, options={"order": "down"} if slug == "oh-hell" else None)
        env.reset(seed=4)
        assert env.unwrapped.episode.match.phase == phase
        first, second = env.possible_agents[:2]
        env.step(np.flatnonzero(env.observe(first)["action_mask"])[place])
        assert env.agent_selection == second
        seen = env.observe(second)
        heard.add((seen["observation"].tobytes(), seen["action_mask"].tobytes(), *env.unwrapped.heard(second)))
    assert len(heard) == 1


def test_secret_bids_are_one_parallel_step() -> None:
    env = envs.pettingzoo_parallel("oh-hell", 4)
    seen, _ = env.reset(seed=1)
    assert all(one["action_mask"].any() for one in seen.values())
    env.step({agent: int(np.flatnonzero(one["action_mask"])[0]) for agent, one in seen.items()})
    assert env.episode.match.phase == "play"
    assert env.heard("player_0")[-1].endswith("(0 bid 0, 1 bid 0, 2 bid 0, 3 bid 0)")


def test_parallel_and_aec_play_the_same_match(game: type[Game]) -> None:
    turns, at_once = envs.pettingzoo(game), envs.pettingzoo_parallel(game)
    luck = np.random.default_rng(2)
    turns.reset(seed=2)
    seen, _ = at_once.reset(seed=2)
    for _ in range(30):
        acting = [agent for agent, one in seen.items() if one["action_mask"].any()]
        chosen = {agent: luck.choice(np.flatnonzero(seen[agent]["action_mask"])) for agent in acting}
        for agent in acting:
            assert turns.agent_selection == agent
            turns.step(chosen[agent])
        seen, _, over, _, _ = at_once.step(chosen)
        if any(over.values()):
            break
        assert at_once.episode.match.events == turns.unwrapped.episode.match.events


def test_an_illegal_action_ends_the_match() -> None:
    env = envs.pettingzoo("sixty-six")
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(int(np.flatnonzero(env.observe(agent)["action_mask"] == 0)[0]))
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards[agent] == -1
    at_once = envs.pettingzoo_parallel("sixty-six")
    seen, _ = at_once.reset(seed=1)
    _, rewards, over, _, _ = at_once.step({who: int(np.argmin(one["action_mask"])) for who, one in seen.items()})
    assert sorted(map(str, rewards.values())) == ["-1.0", "0.0"]
    assert all(over.values())
    assert at_once.agents == []


def test_after_an_illegal_action_nobody_has_a_legal_one(game: type[Game]) -> None:
    """As after any other end of a match. A new match has legal actions again."""
    turns, at_once = envs.pettingzoo(game), envs.pettingzoo_parallel(game)
    turns.reset(seed=1)
    turns.step(int(np.argmin(turns.last()[0]["action_mask"])))
    assert not any(turns.observe(agent)["action_mask"].any() for agent in turns.possible_agents)
    seen, _ = at_once.reset(seed=1)
    last, *_ = at_once.step({agent: int(np.argmin(one["action_mask"])) for agent, one in seen.items()})
    assert not any(one["action_mask"].any() for one in last.values())
    turns.reset(seed=2)
    assert turns.last()[0]["action_mask"].any()
    assert any(one["action_mask"].any() for one in at_once.reset(seed=2)[0].values())


def test_a_seat_that_is_to_act_must() -> None:
    env = envs.pettingzoo_parallel("oh-hell")
    env.reset(seed=1)
    with pytest.raises(UpcardError, match="player_0 is to act, but its action is missing"):
        env.step({})


def test_every_seat_has_the_same_spaces() -> None:
    env = envs.pettingzoo("loo", players=6, options={"stock": "limit"})
    agents = env.possible_agents
    assert agents == [f"player_{seat}" for seat in range(6)]
    assert len({repr(env.observation_space(agent)) for agent in agents}) == 1
    assert {env.action_space(agent).n for agent in agents} == {93}
    assert env.metadata["name"] == "loo-v0"


def test_no_wrapper_makes_the_turns_of_seats_into_one_step() -> None:
    """Between the moves of two seats the others see what the first has done; `pettingzoo_parallel` is made for that."""
    with pytest.raises(AssertionError, match="is_parallelizable"):
        aec_to_parallel(envs.pettingzoo("loo"))


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"game": "bridge"}, "there is no game"),
        ({"game": "loo", "players": 3}, "Loo is for"),
        ({"game": "loo", "options": {"pam": 1}}, "there is no option"),
        ({"game": "loo", "reward": "trick"}, "reward is 'match' or 'deal', not 'trick'"),
        ({"game": "loo", "render_mode": "rgb_array"}, "render_mode is 'human', 'ansi' or None, not 'rgb_array'"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(told: dict[str, Any], message: str) -> None:
    for make in (envs.pettingzoo, envs.pettingzoo_parallel, envs.gymnasium):
        with pytest.raises(UpcardError, match=message) as caught:
            make(**told)
        assert "\n" not in str(caught.value)
