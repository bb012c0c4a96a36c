"""Beliefs about hidden cards: how likely each card is in each hand, as an expert infers it from what a seat knows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.compiled.dealer import Dealer
from upcard.engine.actions import action_space
from upcard.engine.errors import UpcardError
from upcard.engine.views import View
from upcard.players.inference import Believed
from upcard.rules.cards import JOKER
from upcard.rules.phrases import brief


def card_beliefs(view: View[Any], *, share: float = 1.0, seed: int = 1) -> NDArray[np.float64]:
    """The expected number of copies of each card in each hand: (players, cards), cards in pack order
    (`action_space(view.setup).pack`).

    With one copy of a card in the pack this is its probability; what a column lacks is the probability that it is in no
    hand. It is the mean over a sample of `Believed`: 512 worlds that fit the view, weighed by how likely they make the
    moves of the deal if the others play as their heuristic or learned policy does (8,192 by features of the hands at
    Kalooki). A fraction `share` of the weight is by this likelihood, the rest is even: 0 counts all worlds alike.
    Experts use the game's `INFERS`. Raises NoWorld if no deal fits, and UpcardError for a share outside 0 to 1.
    """
    if not isinstance(share, int | float) or not 0 <= share <= 1:
        raise UpcardError(f"share is a number from 0 to 1, not {brief(share)}")
    believed = Believed(Dealer(view), seed, share=share)
    game, players = view.game, view.state.players
    sets = [game.hand.first, *([game.hand.second] if game.hand.second else [])]
    pack = np.array(action_space(view.setup).pack)
    worlds, weights = believed.worlds.numpy, believed.weights.numpy
    beliefs = np.zeros((players, len(pack)))
    for name in sets:
        held = worlds[name][:, :players, np.newaxis] >> pack & 1
        beliefs += np.einsum("w,wpc->pc", weights, held)
    if game.hand.jokers:
        beliefs[:, pack == JOKER] += (weights @ worlds[game.hand.jokers][:, :players])[:, np.newaxis]
    return beliefs
