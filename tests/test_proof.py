"""Experts avoid moves that they can prove to be blunders, and prove it from their seat's view."""

from pathlib import Path

import pytest
from position_files import Position, read_positions

from upcard.players.blunders import blunders

FILES = Path(__file__).parent / "positions"


def some(slug: str, number: int) -> list[Position]:
    return list(read_positions(FILES / f"{slug}.jsonl"))[:number]


@pytest.mark.parametrize("slug", ["klaberjass", "linger-longer", "loo", "oh-hell"])
def test_cards_that_do_not_matter_do_not_hinder_a_proof(slug: str) -> None:
    """Though they are gathered when the deal ends, or lie below those that may be drawn, or only differ in rank."""
    for one in some(slug, 2):
        found = blunders(one.view)
        assert {one.view.game.notation.text(move) for move in found} == {*one.wrong}
