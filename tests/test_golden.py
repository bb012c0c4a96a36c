"""Short records chosen by hand, each with what the report says at some of its events."""

import json
from pathlib import Path
from typing import Any

import pytest
from playing import GAMES

from upcard import records
from upcard.game import Game
from upcard.match import Match

GOLDEN = Path(__file__).parent / "golden"
FILES = [path for game in GAMES for path in sorted((GOLDEN / game.slug).glob("*.json"))]


def load(path: Path) -> dict[str, Any]:
    golden: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return golden


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_golden(path: Path) -> None:
    """`expect` has report fields by the index of the last event applied, or "end"."""
    golden = load(path)
    assert golden.keys() == {"shows", "record", "expect"}
    assert golden["record"]["game"] == path.parent.name
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
def test_every_game_has_golden_records(game: Game) -> None:
    assert len(list((GOLDEN / game.slug).glob("*.json"))) >= 2
