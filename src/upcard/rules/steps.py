"""Numbers made coarse, for what a learned policy looks at."""

from upcard.rules.marks import rule


@rule
def step(number: int, size: int, most: int) -> int:
    """Which of the steps 0 to `most` a number is in, each of this size but the first and the last, the middle one
    around 0; `most` is even."""
    return max(0, min(most, (2 * number + (most + 1) * size) // (2 * size)))
