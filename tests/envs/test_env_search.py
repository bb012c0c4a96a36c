"""The example that searches still works; it is run at a size at which it gains little."""

import importlib.util
from pathlib import Path

import pytest

from upcard import envs

EXAMPLE = Path(__file__).parents[2] / "examples" / "search.py"


@pytest.mark.long
@pytest.mark.xdist_group("linger-longer")
def test_it_searches_in_worlds_of_its_own_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location("search", EXAMPLE)
    assert spec is not None and spec.loader is not None
    search = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(search)
    for name, value in {"TABLES": 16, "STEPS": 8, "WORLDS": 4}.items():
        monkeypatch.setattr(search, name, value)
    policy = search.train(seed=1, rounds=2)
    seeker = search.Search(policy, seed=1)
    env = envs.vector(search.TABLE, tables=4, seed=1, others="casual")
    env.reset()
    before, mask = env.now.observation.copy(), env.now.mask.copy()
    chosen = seeker.actions(env)
    assert mask[range(4), chosen].all()
    assert (env.now.observation == before).all()  # the search moves other tables
    share, half = search.share_of_wins(policy, seeker, deals=4, seed=2)
    assert 0 <= share <= 1 and half >= 0
