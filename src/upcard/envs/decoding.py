"""From words to observations in another library's arrays, on the device where these are.

A vector environment gives observations as words, whole numbers of 64 bits: a fourth to a seventeenth of the memory of
the numbers that a network reads. So words are what should be stored and carried to a device, and decoded there.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.engine.errors import UpcardError
from upcard.envs.observation import LARGEST, NO_CODE, WRITTEN, Observer
from upcard.rules.phrases import brief

HALF = 32
"""Words come in halves of this many bits, the lower one first: JAX usually has no larger numbers."""


class Decoder:
    """Turns rows of words into observations like those of `VectorEnv.numbers`.

    `library` is `torch`, `jax.numpy`, `numpy` or another module with the functions `where`, `clip`, `concatenate` and
    `asarray` of the array API. The result can be compiled by `torch.compile` and `jax.jit`.
    """

    def __init__(self, observer: Observer, library: ModuleType) -> None:
        self.size = observer.size
        self.halves = 2 * observer.words
        self._library = library
        digits, ones, numbers, order = [], [], [], []
        for part in observer.parts:
            kind = WRITTEN.get(part.of, "numbers")
            members = observer.places_of(part.of) if kind != "numbers" else {}
            for place in range(part.length):
                word, start = part.word + place, part.start + place * part.width
                if kind == "numbers":
                    numbers.append((word, start))
                elif kind == "ones":
                    ones += [(word, value, start + at) for value, at in members.items()]
                else:
                    digits += [(word, digit, part.of == "code", start + at) for digit, at in members.items()]
        order = [column[-1] for column in (*digits, *ones, *numbers)]
        self._plan = (
            _indices(2 * word + digit // HALF for word, digit, *_ in digits),
            _indices(digit % HALF for _, digit, *_ in digits).astype(np.int32),
            _indices(2 * word for word, *_ in digits),
            np.array([is_code for _, _, is_code, _ in digits], np.bool_),
            _indices(2 * word for word, *_ in ones),
            _indices(value for _, value, _ in ones).astype(np.int32),
            _indices(2 * word for word, _ in numbers),
            np.argsort(_indices(order)),
        )
        self._placed: dict[Any, tuple[Any, ...]] = {}

    def __call__(self, words: Any) -> Any:
        """32-bit floats, (rows, `size`), on the device of the words.

        `words` has rows from `VectorEnv.step`, either in words (64 bits) or in halves (32 bits), as from
        `observation.view(np.int32)`. Raises UpcardError for rows of another length.
        """
        library, halves = self._library, self._in_halves(words)
        half, shift, low, is_code, one, value, number, order = self._on_device_of(halves)
        is_none = is_code & (halves[:, low] == NO_CODE) & (halves[:, low + 1] == NO_CODE)
        digits = ((halves[:, half] >> shift) & 1) * library.where(is_none, 0, 1)
        ones = library.where((halves[:, one] == value) & (halves[:, one + 1] == 0), 1, 0)
        lower, upper, most = halves[:, number], halves[:, number + 1], int(LARGEST)
        fits = upper == lower >> HALF - 1
        numbers = library.where(fits, library.clip(lower, -most, most), library.where(upper < 0, -most, most))
        columns = [library.asarray(part, dtype=library.float32) for part in (digits, ones, numbers)]
        return library.concatenate(columns, 1)[:, order]

    def _in_halves(self, words: Any) -> Any:
        """The words as 32-bit integers with a sign. Raises UpcardError for anything else."""
        kind, shape = str(getattr(words, "dtype", "")).rpartition(".")[-1], tuple(getattr(words, "shape", ()))
        if kind in ("int64", "uint64") and len(shape) == 2 and 2 * shape[1] == self.halves:
            return words.view(self._library.int32)
        if kind in ("int32", "uint32") and len(shape) == 2 and shape[1] == self.halves:
            return words if kind == "int32" else words.view(self._library.int32)
        given = f"{kind} of shape {shape}" if kind else brief(words)
        raise UpcardError(
            f"words are whole numbers of 64 bits in rows of {self.halves // 2}, "
            f"or of 32 bits in rows of {self.halves}, not {given}"
        )

    def _on_device_of(self, halves: Any) -> tuple[Any, ...]:
        """The indices, for PyTorch on the device of these words; other libraries take NumPy's arrays as constants."""
        if self._library.__name__ != "torch":
            return self._plan
        device = halves.device
        if device not in self._placed:
            self._placed[device] = tuple(self._library.asarray(array, device=device) for array in self._plan)
        return self._placed[device]


def _indices(numbers: Any) -> NDArray[np.int64]:
    return np.array(list(numbers), np.int64)
