"""TorchRL takes the environments: its own check of what they give, unchanged, over all games; where it is installed."""

import pytest
from playing import GAMES, any_table

from upcard import envs


@pytest.mark.filterwarnings("ignore")  # of the versions of PettingZoo that it knows
@pytest.mark.xdist_group("torch")  # it takes ten seconds to load
@pytest.mark.parametrize("number", range(3))
def test_its_check_passes_for_every_game(number: int) -> None:
    torchrl = pytest.importorskip("torchrl.envs")
    for game in GAMES:
        env = torchrl.PettingZooWrapper(envs.pettingzoo(**any_table(game, number)), use_mask=True)
        # By chance that ends no match in so few moves: of one that is over it asks for a move all the same.
        torchrl.utils.check_env_specs(env, seed=2)
