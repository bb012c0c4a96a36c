"""TorchRL takes the environments: its own check of what they give, where it is installed."""

from typing import Any

import pytest

from upcard import envs


@pytest.mark.filterwarnings("ignore")  # of the versions of PettingZoo that it knows
@pytest.mark.parametrize("told", [{"game": "sixty-six"}, {"game": "ninety-nine", "players": 2}, {"game": "loo"}])
def test_its_check_passes(told: dict[str, Any]) -> None:
    torchrl = pytest.importorskip("torchrl.envs")
    env = torchrl.PettingZooWrapper(envs.pettingzoo(**told), use_mask=True)
    torchrl.utils.check_env_specs(env)
