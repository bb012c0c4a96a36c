"""Random generators. Rules draw no random numbers themselves: chance events pass them cards in random order.

Server tables shuffle by a stream that everybody can verify after the match; other live tables use the operating
system's generator. Both can produce every order of a pack. Simulations use splitmix64 (Steele, Lea and Flood, "Fast
splittable pseudorandom number generators", 2014), here in plain Python and in `upcard.compiled.loops` compiled; both
give the same numbers.
"""

from __future__ import annotations

import hashlib
import hmac
import random
import secrets
from collections.abc import Iterator, Sequence
from itertools import count
from struct import unpack
from typing import Any, Protocol

from upcard.engine.errors import UpcardError
from upcard.rules import cards
from upcard.rules.phrases import brief, whole_number

_WORD = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
MIX_1, MIX_2 = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
STREAM_STEP, STREAM_MIX = 0xD1342543DE82EF95, 0xDABA0B6EB09322E3
PACKS, PLAY = 0, 1
"""The two random streams of a simulated match: one for its shuffles, one for its players."""


class Shuffler(Protocol):
    """A source of chance for a match, such as `random.Random`."""

    def shuffle(self, x: list[Any], /) -> None: ...
    def choice(self, seq: Sequence[Any], /) -> Any: ...


class SystemChance(secrets.SystemRandom):
    """The operating system's generator. It is stateless, so it can be pickled, and copies are independent of it."""

    def __reduce__(self) -> Any:
        return SystemChance, ()


def shuffler(seed: int | None = None) -> Shuffler:
    """A source of chance for matches: a repeatable generator, or without a seed that of the operating system.

    The operating system's generator can produce every order of a pack. `seed` is any whole number. Raises UpcardError
    for anything else.
    """
    if seed is None:
        return SystemChance()
    number = whole_number(seed)
    if number is None:
        raise UpcardError(f"a seed is a whole number, not {brief(seed)}")
    if number < 0:  # to Python -1 as a number is the same seed as 1
        return random.Random(str(number) if number > -(10**4000) else hex(number))  # str has a limit
    return random.Random(number)


def check_chance(chance: object) -> None:
    """Raises UpcardError for an object without a `shuffle` method."""
    if isinstance(chance, type) or not callable(getattr(chance, "shuffle", None)):
        raise UpcardError(f"chance must be able to shuffle, like upcard.shuffler(), not {brief(chance)}")


def check_luck(rng: object) -> None:
    """Raises UpcardError for an object without `randrange`, for example one of NumPy's generators."""
    if isinstance(rng, type) or not hasattr(rng, "randrange"):
        raise UpcardError(f"random numbers are drawn from a random.Random, as in random.Random(1), not {brief(rng)}")


def offshoot(chance: Shuffler, salt: str) -> Shuffler:
    """A random generator for a fork of a match. Creating it neither advances `chance` nor reveals its future output.

    Each `salt` gives a different generator. It is repeatable if `chance` is a seeded `random.Random`; otherwise it is
    the operating system's generator.
    """
    if isinstance(chance, random.Random) and not isinstance(chance, secrets.SystemRandom):
        state = hashlib.sha256(f"{chance.getstate()} {salt}".encode()).digest()
        return random.Random(int.from_bytes(state, "big"))
    return chance if isinstance(chance, secrets.SystemRandom) else shuffler()


class FairStream:
    """A stream of random numbers that can be verified afterwards, as described in docs/fair-shuffles.md.

    The numbers come from HMAC-SHA256. The key is the server's secret; the message contains the players' nonces, one per
    seat, and the index of the chance event in its match, from 0. The first dealer is drawn with index -1. Cards are
    sorted by their texts before they are shuffled, so that verification does not need the rules.
    """

    def __init__(self, secret: bytes, nonces: Sequence[str | None], index: int) -> None:
        self._secret = secret
        self._message = f"upcard shuffle 1 {index} {','.join(nonce or '-' for nonce in nonces)}"
        self._numbers = self._all_numbers()

    def _all_numbers(self) -> Iterator[int]:
        """An endless stream of numbers below 2**32."""
        for block in count():
            yield from unpack(">8I", hmac.digest(self._secret, f"{self._message} {block}".encode(), "sha256"))

    def below(self, n: int) -> int:
        """A uniform random number from 0 to n - 1, by rejection sampling."""
        most = 2**32 - 2**32 % n
        return next(number for number in self._numbers if number < most) % n

    def shuffle(self, x: list[Any], /) -> None:
        x.sort(key=cards.text)
        for i in range(len(x) - 1, 0, -1):
            j = self.below(i + 1)
            x[i], x[j] = x[j], x[i]

    def choice(self, seq: Sequence[Any], /) -> Any:
        return sorted(seq, key=cards.text)[self.below(len(seq))]


class SplitMix:
    """The generator splitmix64: fast, repeatable, and identical to that of the compiled loops."""

    def __init__(self, state: int) -> None:
        self.state = state & _WORD

    def below(self, n: int) -> int:
        """A random number from 0 to n - 1."""
        self.state = self.state + GOLDEN & _WORD
        z = self.state
        z = (z ^ z >> 30) * MIX_1 & _WORD
        z = (z ^ z >> 27) * MIX_2 & _WORD
        return (z >> 32) * n >> 32

    def shuffle(self, x: list[Any], /) -> None:
        for i in range(len(x) - 1, 0, -1):
            j = self.below(i + 1)
            x[i], x[j] = x[j], x[i]

    def choice(self, seq: Sequence[Any], /) -> Any:
        return seq[self.below(len(seq))]


def key_of(seed: int) -> int:
    """The 63-bit key of a seed, which is any whole number; `stream` derives the states of generators from it."""
    from numpy import uint64
    from numpy.random import SeedSequence

    return int(SeedSequence(entropy=(abs(seed), int(seed < 0))).generate_state(1, uint64)[0]) >> 1


def stream(key: int, match: int, which: int) -> int:
    """The initial state of a match's generator: `which` is PACKS (for its shuffles) or PLAY (for its players)."""
    z = key + (2 * match + which) * STREAM_STEP & _WORD
    z = (z ^ z >> 32) * STREAM_MIX & _WORD
    z = (z ^ z >> 32) * STREAM_MIX & _WORD
    return z ^ z >> 32
