"""Moves tried in worlds, as arrays of NumPy."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from upcard.compiled.comparison import WIN
from upcard.compiled.words import WordArray
from upcard.players.search import WorldSource

Ends = tuple[NDArray[np.int64], NDArray[np.float64]]


def ends_of(
    source: WorldSource, policies: WordArray, moves: Sequence[int], seeds: NDArray[np.uint64], *worlds: WordArray
) -> Ends:
    """By move and world, the seat's utility and its share of the match: see `Dealer.try_moves`."""
    utilities, wins = source.try_moves(policies, moves, seeds.tolist(), *worlds)
    return utilities.numpy, wins.numpy


def worths(utilities: NDArray[np.int64], wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """The values of ends, as in `upcard.compiled.comparison.MoveComparison`."""
    return np.asarray(utilities / (float(utilities.std()) or 1.0) + WIN * wins, dtype=np.float64)
