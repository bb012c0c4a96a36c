"""A cluster gives the same numbers as one machine, even if one of its workers is killed."""

import logging
import os
import re
import signal
from types import SimpleNamespace

import numpy as np
import pytest

from upcard import Setup, UpcardError
from upcard.lab import cluster, deals, luck, replies
from upcard.lab.arena import arena
from upcard.lab.simulate import simulate
from upcard.lab.study import Arm, study

distributed = pytest.importorskip("distributed")
SETUP = Setup("sixty-six", options={"target": 2})
ARMS = [Arm("usual", SETUP, "random")]


@pytest.mark.long
def test_a_cluster_of_which_one_worker_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    here = study(ARMS, 3000, jobs=1)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as house:
        with distributed.Client(house, set_as_default=False) as client:
            workers = list(client.run(os.getpid).values())

        def kill(done: int) -> None:
            if done > 500 and len(workers) == 2:
                os.kill(workers.pop(), signal.SIGKILL)

        there = study(ARMS, 3000, cluster=house.scheduler_address, progress=kill)
        assert len(workers) == 1
        far = simulate(SETUP, 300, 1, by="random", cluster=house.scheduler_address)
        for measured in (luck, replies):
            told = measured(SETUP, 30, ["random", "heuristic"], cluster=house.scheduler_address)
            assert str(told) == str(measured(SETUP, 30, ["random", "heuristic"], jobs=1))
        dealt = deals(SETUP, 700, cluster=house.scheduler_address)
        met = arena(SETUP, 40, ["random", "random"], cluster=house.scheduler_address)
        house.scheduler.allowed_failures = 0
        with pytest.raises(UpcardError, match="cluster's workers are killed repeatedly"):
            next(cluster.spread_over(house.scheduler_address, lambda: lambda *piece: os._exit(1), iter([(0, 1)])))
        monkeypatch.setattr(cluster, "PATIENCE", 1)
        pieces = cluster.spread_over(house.scheduler_address, lambda: lambda *piece: piece, iter([(0, 1), (1, 1)]))
        assert next(pieces) == (0, 1)
        house.close()
        with pytest.raises(UpcardError, match="the Dask scheduler at"):
            next(pieces)
    assert np.array_equal(dealt["points"], deals(SETUP, 700, jobs=1)["points"])
    assert far == simulate(SETUP, 300, 1, by="random")
    assert np.array_equal(met.points, arena(SETUP, 40, ["random", "random"], jobs=1).points)
    for name, sums in here.measuring[0].sums.items():
        assert np.array_equal(sums.groups, there.measuring[0].sums[name].groups)


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("nowhere", "a scheduler's address looks like tcp://10.0.0.1:8786, not 'nowhere'"),
        ("http://127.0.0.1:1", "a scheduler's address looks like tcp://10.0.0.1:8786, not 'http://127.0.0.1:1'"),
        ("tcp://127.0.0.1:1", "no Dask scheduler answers at 'tcp://127.0.0.1:1'"),
    ],
)
def test_nobody_at_the_address(monkeypatch: pytest.MonkeyPatch, address: str, told: str) -> None:
    """Nothing keeps waiting when the program ends."""
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    with pytest.raises(UpcardError, match=re.escape(told)):
        study(ARMS, 10, cluster=address)


class Slow:
    """A piece that is done after some waiting."""

    def __init__(self, waits: int) -> None:
        self.waits = waits

    def done(self) -> bool:
        return self.waits == 0

    def result(self, timeout: float | None = None) -> str:
        if self.waits:
            self.waits -= 1
            raise TimeoutError
        return "played"


@pytest.mark.parametrize(("workers", "times"), [({}, 1), ({"tcp://127.0.0.1:1": {}}, 0)])
def test_waiting_for_workers_is_told_once(
    workers: dict[str, object], times: int, caplog: pytest.LogCaptureFixture
) -> None:
    client = SimpleNamespace(scheduler_info=lambda: {"workers": workers})
    assert cluster._result(Slow(3), client, "tcp://house") == "played"
    assert caplog.messages == ["there are no workers at tcp://house: waiting for some"] * times


def test_dask_logs_nothing_meanwhile() -> None:
    theirs = [logging.getLogger(name) for name in ("distributed.client", "distributed.core", "tornado.application")]
    before = [one.isEnabledFor(logging.ERROR) for one in theirs]
    with cluster._quiet():
        assert not any(one.isEnabledFor(logging.CRITICAL) for one in theirs)
    assert [one.isEnabledFor(logging.ERROR) for one in theirs] == before
