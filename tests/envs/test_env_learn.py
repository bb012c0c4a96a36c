"""The example that learns still works; it is run at a size at which it learns little."""

import importlib.util
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from upcard import Setup

EXAMPLE = Path(__file__).parents[2] / "examples" / "learn.py"


@pytest.fixture
def learn(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    pytest.importorskip("torch")
    spec = importlib.util.spec_from_file_location("learn", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    table = Setup("oh-hell", 3, {"max_cards": 2, "order": "down"})
    for name, value in {"TABLE": table, "TABLES": 64, "STEPS": 16, "POINTS": 10.0}.items():
        monkeypatch.setattr(module, name, value)
    return module


@pytest.mark.long
@pytest.mark.xdist_group("torch")
def test_it_learns_something_and_draws_its_curve(learn: ModuleType, tmp_path: Path) -> None:
    curve = list(learn.train(seed=1, rounds=4, every=2, matches=640))
    assert [decisions for decisions, _, _ in curve] == [0, 2 * 64 * learn.STEPS, 4 * 64 * learn.STEPS]
    assert curve[-1][1] > curve[0][1]
    learn.draw([curve, curve], tmp_path / "learn.svg")
    assert len(ElementTree.parse(tmp_path / "learn.svg").getroot()[0]) == 3  # two curves, and the even share
