"""Short records chosen by hand, each with the expected report at some of its events."""

import json
from pathlib import Path
from typing import Any

import pytest
from playing import GAMES

from upcard import Match
from upcard.engine import records
from upcard.rules.game import Game


def golden_of(game: type[Game]) -> list[Path]:
    folder = Path(__file__).parent / "games" / game.slug.replace("-", "_") / "golden"
    return sorted(folder.glob("*.json"))


FILES = [path for game in GAMES for path in golden_of(game)]


def slug_of(path: Path) -> str:
    return path.parent.parent.name.replace("_", "-")


def load(path: Path) -> dict[str, Any]:
    golden: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return golden


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.parent.name.replace('_', '-')}/{path.stem}")
def test_golden(path: Path) -> None:
    """`expect` has report fields by the index of the last event applied, or "end"."""
    golden = load(path)
    assert golden.keys() == {"shows", "record", "expect"}
    assert golden["record"]["game"] == slug_of(path)
    assert "\n" not in golden["shows"]
    expect = golden["expect"]
    assert expect
    assert all(expect.values())
    for index, match in enumerate(records.steps(golden["record"]), -1):
        check(match, expect.pop(str(index), {}), f"after event {index}")
    check(match, expect.pop("end", {}), "at the end")
    assert not expect, "no such events"


def check(match: Match, fields: dict[str, Any], where: str) -> None:
    report = match.report()
    wrong = {name: (report[name], wanted) for name, wanted in fields.items() if differs(name, report[name], wanted)}
    assert not wrong, f"{where}: {wrong}"


def differs(name: str, found: Any, wanted: Any) -> bool:
    """Whether they differ, in more than the order of what has none: moves, a hand's cards, seats."""
    if name == "legal" and found.keys() == wanted.keys():
        return any(sorted(found[seat]) != sorted(wanted[seat]) for seat in found)
    if name == "hands":
        return [sorted(hand) for hand in found] != [sorted(hand) for hand in wanted]
    if name in ("to_act", "winners"):
        return sorted(found) != sorted(wanted)
    return bool(found != wanted)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_every_game_has_golden_records(game: type[Game]) -> None:
    assert len(golden_of(game)) >= 2
