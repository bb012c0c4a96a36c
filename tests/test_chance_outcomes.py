"""The possible outcomes of chance events, for programs that walk through a game tree."""

from random import Random

import numpy as np
import pytest
from playing import random_event, random_match

from upcard import Match, UpcardError
from upcard.rules import text
from upcard.rules.game import Game


def test_chance_outcomes_card_by_card(game: type[Game]) -> None:
    """Each has its share, whatever is listed must be among them, and a complete event is one that happens."""
    rng = Random(4)
    match = random_match(game, 4)
    kinds = set()
    for _ in range(300):
        if match.done:
            break
        if not match.awaiting:
            assert match.chance_outcomes() == {}
            match.event(random_event(match, rng))
            continue
        kinds.add(match.awaiting)
        pool = match._pool()
        listed: list[int] = []
        while outcomes := match.chance_outcomes(listed):
            left = [card for card in pool if listed.count(card) < pool.count(card)]
            assert set(outcomes) == set(left)
            assert sum(outcomes.values()) == pytest.approx(1)
            listed += rng.choices(list(outcomes), list(outcomes.values()))
        event = match.event(f"{match.awaiting} {' '.join(map(text, listed))}")
        assert event.items == tuple(listed)
    assert "deal" in kinds


def test_chance_outcomes_of_what_chance_cannot_list() -> None:
    match = Match("sixty-six")
    with pytest.raises(UpcardError, match="'2c' cannot be listed by chance now"):
        match.chance_outcomes([0])
    with pytest.raises(UpcardError, match="'2c 99' cannot be listed by chance now"):
        match.chance_outcomes([0, 99])
    with pytest.raises(UpcardError, match="'-1' cannot be listed by chance now"):
        match.chance_outcomes([-1])
    for wrong in (["As"], "As", 5, [True], [1.0], None, np.array(0), np.array("As")):
        with pytest.raises(UpcardError, match=r"listed cards are given by their numbers, as in \[12, 25\]"):
            match.chance_outcomes(wrong)  # type: ignore[arg-type]


def test_chance_outcomes_after_an_array_of_cards() -> None:
    match = Match("sixty-six")
    assert match.chance_outcomes(np.array([12, 25])) == match.chance_outcomes([12, 25])  # type: ignore[arg-type]
