"""Words that stand for numbers, and words for what came from outside."""

from __future__ import annotations

from collections.abc import Iterator
from operator import index


class Words:
    """Some words in order; unpacked they are the numbers 0, 1, 2, … by which rules know them.

    >>> DUE, LEAD, DONE = PHASES = words("deal lead done")
    >>> LEAD, PHASES[LEAD]
    (1, 'lead')
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.names)))

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, number: int) -> str:
        return self.names[number]

    def __contains__(self, word: object) -> bool:
        return word in self.names

    def __repr__(self) -> str:
        return f"words({' '.join(self.names)!r})"


def words(text: str) -> Words:
    """Names for 0, 1, 2, …, separated by spaces; an underscore in a name stands as it is."""
    return Words(tuple(text.split()))


def whole_number(value: object) -> int | None:
    """The number that anything whole is, NumPy's numbers too; None for what is none. Yes and no are no numbers."""
    if type(value) is int:
        return value
    try:
        return None if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def brief(value: object) -> str:
    """Anything that came from outside, for a message: on one line, cut short; of a list or an object only its kind, and
    of what JSON does not have its type."""
    if (number := whole_number(value)) is not None:
        value = number
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    if isinstance(value, int) and abs(value) >= 10**20:
        return "a very large number"
    if isinstance(value, int | float | str):
        text = repr(value[:61] if isinstance(value, str) else value)
        return text if len(text) <= 60 else f"{text[:60]}…"
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeioAEIO' else 'a'} {name}"


def listed(several: list[str] | tuple[str, ...], word: str = "and") -> str:
    """`Ann`, `Ann and Bo`, `Ann, Bo and Cy`."""
    return f" {word} ".join(filter(None, [", ".join(several[:-1]), *several[-1:]]))


def made_bids(exact: list[int], players: int) -> str:
    """`Made their bid: only {0}`: the seats that took as many tricks as they had bid."""
    if len(exact) in (0, players):
        return f"{'Everybody' if exact else 'Nobody'} made their bid"
    return f"Made their bid: {'only ' * (len(exact) == 1)}{listed([f'{{{seat}}}' for seat in exact])}"


def counted(number: int, noun: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{number} {noun}{'s' * (number != 1)}"
