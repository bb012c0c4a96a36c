"""Beliefs about hidden cards agree with the view, and with the worlds that they are the mean of."""

from random import Random

import numpy as np
import pytest

from upcard import Match, UpcardError, shuffler
from upcard.engine.actions import action_space
from upcard.players.beliefs import card_beliefs
from upcard.rules.game import Game


def after(game: type[Game], moves: int) -> Match:
    match, rng = Match(game, chance=shuffler(4)), Random(2)
    while moves and len(match.legal(match.to_act[0])):
        seat = match.to_act[0]
        match.play(seat, rng.choice(match.legal(seat)))
        moves -= 1
    return match


@pytest.mark.long
def test_beliefs_are_the_numbers_of_cards_in_hands(game: type[Game]) -> None:
    match = after(game, 6)
    seat = match.to_act[0]
    view, pack = match.view(seat), action_space(match.setup).pack
    for share in (0.0, 1.0):
        beliefs = card_beliefs(view, share=share)
        assert beliefs.shape == (match.players, len(pack))
        assert beliefs.min() >= 0
        assert beliefs.sum(1) == pytest.approx(view.sizes)
        own = match.game.hand.cards(match.state, seat)
        assert beliefs[seat] == pytest.approx([own.count(card) for card in pack])


@pytest.mark.long
@pytest.mark.xdist_group("klaberjass")
def test_beliefs_are_the_same_for_the_same_view_whatever_is_hidden() -> None:
    match = after(Match("klaberjass").game, 8)
    view = match.view(match.to_act[0])
    assert np.array_equal(card_beliefs(view), card_beliefs(match.fork().view(match.to_act[0])))
    assert not np.array_equal(card_beliefs(view), card_beliefs(view, share=0))
    assert not np.array_equal(card_beliefs(view), card_beliefs(view, seed=2))


@pytest.mark.xdist_group("sixty-six")
def test_what_is_no_share_is_refused() -> None:
    view = Match("sixty-six", chance=shuffler(1)).view(0)
    for share in (-1, 2, "all"):
        with pytest.raises(UpcardError, match="share is a number from 0 to 1, not"):
            card_beliefs(view, share=share)  # type: ignore[arg-type]
