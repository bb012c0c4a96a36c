"""Names for the small numbers that rules use: phases, stages, kinds of a move."""

from __future__ import annotations

from collections.abc import Iterator


class Words:
    """A row of names. Unpacking it gives their indices 0, 1, 2, …, which rules use.

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
    """The names in a text, separated by spaces, for the numbers 0, 1, 2, …."""
    return Words(tuple(text.split()))
