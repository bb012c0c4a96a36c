"""Experts leave out what they can prove to be a blunder, and prove it from what their seat sees."""

from pathlib import Path
from random import Random

import pytest

from upcard.lab.positions import Position, read
from upcard.players import Rollouts, player
from upcard.players.proof import blunders

FILES = Path(__file__).parent / "positions"


def some(slug: str, number: int) -> list[Position]:
    return list(read(FILES / f"{slug}.jsonl"))[:number]


@pytest.mark.parametrize("slug", ["klaberjass", "linger-longer", "loo", "oh-hell"])
def test_cards_that_do_not_matter_do_not_hinder_a_proof(slug: str) -> None:
    """Though they are gathered when the deal ends, or lie below those that may be drawn, or only differ in rank."""
    for one in some(slug, 2):
        found = blunders(one.view)
        assert {one.view.game.notation.text(move) for move in found} == {*one.wrong}


def test_an_expert_makes_no_proven_blunder_however_little_it_thinks() -> None:
    expert, strong = player("expert", Rollouts(1)), player("search", Rollouts(1))
    wrong = {expert: 0, strong: 0}
    for one in some("klaberjass", 20):
        for asked in wrong:
            wrong[asked] += asked.choose(one.view, Random(1)) in one.wrong
    assert wrong[expert] == 0 < wrong[strong]
