"""Arrays of numbers that compiled loops are given. They do no arithmetic; natively NumPy looks at the same memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain
from math import prod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INTEGER, UNSIGNED, REAL, SHORT = "q", "Q", "d", "i"
"""The kinds of numbers, as type codes of `array`: of 64 bits, and signed integers of 32 bits."""
NUMPY_KINDS = {INTEGER: "int64", UNSIGNED: "uint64", REAL: "float64", SHORT: "int32"}
RecordField = tuple[str, str, int | None]
"""The name of a field, its kind of numbers (of 64 bits), and their number if it is a row."""


class RecordType:
    """The fields of a record, which takes whole words of 64 bits."""

    def __init__(self, fields: Sequence[RecordField], marker: str | None = None) -> None:
        """`marker` is the name of an empty field in front, which tells NumPy's and numba's types of records apart."""
        self.fields = tuple(fields)
        self.marker = marker
        self.first: dict[str, int] = {}
        """By field, the index of its first word."""
        self.size = 0
        """The number of words."""
        for name, _, length in fields:
            self.first[name] = self.size
            self.size += 1 if length is None else length

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The record type for NumPy."""
        import numpy as np

        front: list[Any] = [] if self.marker is None else [(self.marker, np.int64, (0,))]
        return np.dtype(front + [(name, NUMPY_KINDS[kind], () if n is None else (n,)) for name, kind, n in self.fields])


class WordArray:
    """An array of numbers in memory of its own: a row, a matrix, or a row of records."""

    __slots__ = ("_numpy", "data", "kind", "record", "shape")

    def __init__(self, data: array[Any] | None, kind: str, shape: Sequence[int], record: RecordType | None = None):
        """`data` is None for working memory of loops, which is blank and never read here."""
        self.data = data
        self.kind = kind
        self.shape = tuple(shape)
        self.record = record
        """The type of the records, if it has them."""
        self._numpy: NDArray[Any] | None = None

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def numpy(self) -> NDArray[Any]:
        """The same memory as an array of NumPy."""
        if self._numpy is None:
            import numpy as np

            if not self.data:
                self._numpy = np.zeros(self.shape, NUMPY_KINDS[self.kind] if self.record is None else self.record.dtype)
            elif self.record is None:
                self._numpy = np.frombuffer(self.data, NUMPY_KINDS[self.kind]).reshape(self.shape)
            else:
                self._numpy = np.frombuffer(self.data, self.record.dtype)
        return self._numpy

    @property
    def numbers(self) -> array[Any]:
        """All numbers, row by row."""
        assert self.data is not None
        return self.data

    @property
    def per_row(self) -> int:
        """The number of numbers in each row, or in each record."""
        return prod(self.shape[1:]) if self.record is None else self.record.size

    def row(self, i: int) -> array[Any]:
        """A copy of the i-th row or record."""
        return self.numbers[i * self.per_row : (i + 1) * self.per_row]

    def rows(self, chosen: Iterable[int]) -> WordArray:
        """A copy of these rows or records, in this order."""
        numbers, size = memoryview(self.numbers), self.per_row
        picked = [numbers[i * size : (i + 1) * size] for i in chosen]
        data = array(self.kind)
        data.frombytes(b"".join(picked))
        return WordArray(data, self.kind, (len(picked), *self.shape[1:]), self.record)

    def beside(self, more: WordArray) -> WordArray:
        """A copy of this matrix with the columns of another one after its own."""
        pairs = [(memoryview(one.numbers), one.shape[1]) for one in (self, more)]
        parts = [numbers[k * width : (k + 1) * width] for k in range(len(self)) for numbers, width in pairs]
        data = array(self.kind)
        data.frombytes(b"".join(parts))
        return WordArray(data, self.kind, (len(self), self.shape[1] + more.shape[1]))

    def as_matrix(self) -> WordArray:
        """The same memory, with a row for each record."""
        matrix = WordArray(self.data, self.kind, (len(self), self.per_row))
        if self.data is None:
            matrix._numpy = self.numpy.view(NUMPY_KINDS[self.kind]).reshape(matrix.shape)
        return matrix


def integers(numbers: Iterable[int]) -> WordArray:
    """A row of integers."""
    data = array(INTEGER, numbers)
    return WordArray(data, INTEGER, (len(data),))


def unsigned(numbers: Iterable[int]) -> WordArray:
    """A row of integers from 0 to 2**64 - 1."""
    data = array(UNSIGNED, numbers)
    return WordArray(data, UNSIGNED, (len(data),))


def reals(numbers: Iterable[float]) -> WordArray:
    """A row of real numbers."""
    data = array(REAL, numbers)
    return WordArray(data, REAL, (len(data),))


def matrix_of(rows: Sequence[Sequence[int]], width: int = 0) -> WordArray:
    """A matrix of integers; shorter rows are padded with -1. It has at least this width."""
    width = max([width, *map(len, rows)])
    data = array(INTEGER, chain.from_iterable([*row, *(-1,) * (width - len(row))] for row in rows))
    return WordArray(data, INTEGER, (len(rows), width))


def zeros(*shape: int, kind: str = INTEGER) -> WordArray:
    """Zeros in this shape."""
    return WordArray(array(kind, [0]) * prod(shape), kind, shape)


def records(number: int, record: RecordType, values: Sequence[int] = (0,)) -> WordArray:
    """Records that all have these values, or zeros."""
    data = array(INTEGER, values)
    return WordArray(data * (number * record.size // len(data)), INTEGER, (number,), record)


def working_memory(number: int, kind: str = INTEGER, record: RecordType | None = None) -> WordArray:
    """Blank memory for this many numbers or records, which only loops read."""
    return WordArray(None, kind, (number,), record)


def signed(number: int) -> int:
    """A number of 64 bits as it is in a word of a record."""
    return number - (1 << 64) if number >> 63 else number
