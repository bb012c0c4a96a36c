"""TorchRL accepts the environments of all games, by its own unchanged check; skipped if it is not installed."""

import pytest
from playing import GAMES, any_table

from upcard import envs


@pytest.mark.filterwarnings("ignore")  # about the versions of PettingZoo that it supports
@pytest.mark.xdist_group("torch")  # it takes ten seconds to load
@pytest.mark.parametrize("number", range(3))
def test_its_check_passes_for_every_game(number: int) -> None:
    torchrl = pytest.importorskip("torchrl.envs")
    for game in GAMES:
        env = torchrl.PettingZooWrapper(envs.pettingzoo(**any_table(game, number)), use_mask=True)
        # With this seed no match ends within these few moves: the check asks for moves even if a match is over.
        torchrl.utils.check_env_specs(env, seed=2)
