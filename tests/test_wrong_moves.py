"""A sample of wrong moves in all positions: engine and referee refuse each, and name the same clause."""

from itertools import islice

import pytest
from wrong_moves import Difference, differences

from upcard.rules.game import Game

NUMBER = 400


@pytest.mark.parametrize("first", [0, 1000])
def test_engine_and_referee_name_the_same_clause(game: type[Game], first: int) -> None:
    found = [one for one in islice(differences(game, NUMBER, first), 20) if isinstance(one, Difference)]
    assert not found, found[:3]
