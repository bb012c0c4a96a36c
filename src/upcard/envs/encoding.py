"""Observations as rows of numbers, written by compiled code from rows of words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.compiled.program import inner
from upcard.envs.observation import NO_CODE, Observer
from upcard.rules.cards import lowest

CARD, SET, SEATS, PLACE, NUMBER, CODE = range(6)
"""The encodings of a word of an observation: a card, a set of cards, another set, a one-hot index, or the number
itself."""
_KINDS = {"card": CARD, "set": SET, "seats": SEATS, "code": CODE, "seat": PLACE, "suit": PLACE}


def spread_plan(observer: Observer) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The parts of an observation for compiled code, and the index of each card in a one-hot encoding."""
    kinds = [_KINDS.get(part.of, NUMBER) for part in observer.parts]
    parts = [(kind, p.start, p.word, p.length, p.width) for kind, p in zip(kinds, observer.parts, strict=True)]
    return np.array(parts), card_places(observer.places)


def card_places(places: Mapping[int, int]) -> NDArray[np.int64]:
    """The index of each card in a one-hot encoding, or -1."""
    at = np.full(64, -1)
    for card, place in places.items():
        at[card] = place
    return at


def write_observations(rows: Any, parts: Any, places: Any, largest: int, out: Any) -> None:
    """Write the observations for these rows of words: see `Observer.observe`."""
    for i in range(len(rows)):
        for k in range(out.shape[1]):
            out[i, k] = 0
        spread_row(rows[i], parts, places, largest, out, i)


@inner
def spread_row(row: Any, parts: Any, places: Any, largest: int, out: Any, i: int) -> None:
    """Write the observation for a row of words into the row `i` of `out`, which is all zeros."""
    for p in range(len(parts)):
        kind, start, word, length, width = parts[p, 0], parts[p, 1], parts[p, 2], parts[p, 3], parts[p, 4]
        for place in range(length):
            spread_word(kind, row[word + place], width, places, largest, out, i, start + place * width)


@inner
def spread_word(kind: int, x: int, width: int, places: Any, largest: int, out: Any, i: int, at: int) -> None:
    """Write one word, as `kind` says, into the row `i` of `out` from the column `at` on."""
    if kind == NUMBER:
        out[i, at] = max(-largest, min(largest, x))
    elif kind == CARD:
        if 0 <= x < 64 and places[x] >= 0:
            out[i, at + places[x]] = 1
    elif kind == PLACE:
        if 0 <= x < width:
            out[i, at + x] = 1
    else:
        left = x if width == 64 or kind == SET else x & (1 << width) - 1
        if kind == CODE and x == NO_CODE:
            left = 0
        while left:
            bit = lowest(left)
            left &= left - 1
            if kind != SET:
                out[i, at + bit] = 1
            elif places[bit] >= 0:
                out[i, at + places[bit]] = 1
