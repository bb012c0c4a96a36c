"""Binning of numbers, for the features of a learned policy."""

from upcard.rules.marks import rule


@rule
def step(number: int, size: int, most: int) -> int:
    """The bin of a number, from 0 to `most`, which is even. Bins have width `size`, the middle one is centred on 0, and
    the first and last are open-ended."""
    return max(0, min(most, (2 * number + (most + 1) * size) // (2 * size)))
