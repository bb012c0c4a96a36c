"""The vector environment of Gymnasium agrees with the one underneath, and is what Gymnasium expects."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from upcard import UpcardError, envs

pytestmark = pytest.mark.xdist_group("sixty-six")


@pytest.mark.long
def test_it_steps_as_the_tables_underneath() -> None:
    options = {"target": 1}
    env = envs.gymnasium_vector("sixty-six", options=options, tables=8, seat=1, others="random")
    under = envs.vector("sixty-six", options=options, tables=8, seat=1, others="random", seed=3)
    assert isinstance(env, gymnasium.vector.VectorEnv)
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    seen, info = env.reset(seed=3)
    assert info == {}
    under.reset()
    rng, ends = np.random.default_rng(1), 0
    for _ in range(60):
        assert env.observation_space.contains(seen)
        assert np.array_equal(seen["observation"], under.numbers())
        assert np.array_equal(seen["action_mask"], under.now.mask)
        actions = (rng.random(under.now.mask.shape) * under.now.mask).argmax(1)
        before = seen["observation"].copy()
        old = seen
        seen, rewards, over, cut, info = env.step(actions)
        under.step(actions)
        assert np.array_equal(old["observation"], before)  # each step returns new arrays
        assert np.array_equal(rewards, under.now.reward[:, 1])
        assert np.array_equal(over, under.now.done)
        assert not cut.any()
        ends += over.sum()
    assert ends > 8
    env.close()


@pytest.mark.long
def test_gymnasium_makes_it_and_its_wrappers_take_it() -> None:
    name = "upcard/sixty-six-v0"
    env = gymnasium.make_vec(name, num_envs=4, vectorization_mode="vector_entry_point", options={"target": 1})
    assert (env.num_envs, env.spec and env.spec.id) == (4, name)
    wrapped = RecordEpisodeStatistics(env)
    seen, _ = wrapped.reset(seed=1)
    ended = 0
    for _ in range(40):
        seen, _, over, _, info = wrapped.step(seen["action_mask"].argmax(1))
        ended += over.sum()
        assert ("episode" in info) == over.any()
    assert ended
    with pytest.raises(UpcardError, match="a reset takes no options"):
        env.reset(options={"target": 7})


def test_a_second_one_can_be_made() -> None:
    """A module of the same name would take the place of the function when it is imported."""
    for _ in range(2):
        assert envs.gymnasium_vector("sixty-six", tables=2).num_envs == 2
