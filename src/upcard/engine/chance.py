"""Every generator of chance. Rules draw no random numbers: they are given cards in the order in which chance put them.

Tables of a server shuffle by a stream that everybody can check after the match, other live tables with the operating
system's generator: both can produce every order of a pack. Simulations use splitmix64 (Steele, Lea, Flood 2014), in
plain Python here and compiled in `upcard.compiled.loops`: the same numbers.
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
from upcard.rules.words import brief, whole_number

_WORD = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
MIX_1, MIX_2 = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
STREAM_STEP, STREAM_MIX = 0xD1342543DE82EF95, 0xDABA0B6EB09322E3
PACKS, PLAY = 0, 1
"""The two streams of a match: what shuffles for it, and what its players draw luck from."""


class Shuffler(Protocol):
    """Where chance comes from."""

    def shuffle(self, x: list[Any], /) -> None: ...
    def choice(self, seq: Sequence[Any], /) -> Any: ...


class SystemChance(secrets.SystemRandom):
    """The operating system's generator. It has no state, so a copy, pickled or not, goes on with chance of its own."""

    def __reduce__(self) -> Any:
        return SystemChance, ()


def shuffler(seed: int | None = None) -> Shuffler:
    """The operating system's generator, which can produce every order of a pack; with a seed a repeatable one.

    A seed is any whole number. Raises UpcardError for anything else.
    """
    if seed is None:
        return SystemChance()
    number = whole_number(seed)
    if number is None:
        raise UpcardError(f"a seed is a whole number, not {brief(seed)}")
    return random.Random(number if number >= 0 else str(number))  # to Python -1 as a number is the same seed as 1


def check_chance(chance: object) -> None:
    """Raises UpcardError for what does not shuffle."""
    if isinstance(chance, type) or not callable(getattr(chance, "shuffle", None)):
        raise UpcardError(f"chance is what shuffles, such as upcard.shuffler(), not {brief(chance)}")


def check_luck(rng: object) -> None:
    """Raises UpcardError for what does not draw as `random.Random` does: NumPy's generators do not."""
    if isinstance(rng, type) or not hasattr(rng, "randrange"):
        raise UpcardError(f"luck is drawn from a random.Random, such as random.Random(1), not from {brief(rng)}")


def offshoot(chance: Shuffler, salt: str) -> Shuffler:
    """A generator of its own for a fork: it takes nothing from the first one, and tells nothing of what that will give.

    Repeatable where the first one is; the operating system's, where its state cannot be read.
    """
    if isinstance(chance, random.Random) and not isinstance(chance, secrets.SystemRandom):
        state = hashlib.sha256(f"{chance.getstate()} {salt}".encode()).digest()
        return random.Random(int.from_bytes(state, "big"))
    return chance if isinstance(chance, secrets.SystemRandom) else shuffler()


class FairStream:
    """Chance that can be checked afterwards: HMAC-SHA256, the key a secret, the message the nonces of the players and
    the number of the chance event in its match, from 0; who deals first is drawn before it, with number -1.

    It begins with cards in the order of their texts, so that nobody needs the rules to check it.
    """

    def __init__(self, secret: bytes, nonces: Sequence[str | None], index: int) -> None:
        self._secret = secret
        self._about = f"upcard shuffle 1 {index} {','.join(nonce or '-' for nonce in nonces)}"
        self._numbers = self._all_numbers()

    def _all_numbers(self) -> Iterator[int]:
        """Numbers below 2**32, without end."""
        for block in count():
            yield from unpack(">8I", hmac.digest(self._secret, f"{self._about} {block}".encode(), "sha256"))

    def below(self, n: int) -> int:
        """A random number from 0 to n - 1, all of them equally likely."""
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
    """splitmix64: quick, repeatable, and the same numbers as compiled loops draw."""

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
    """Where the generators of a seed begin, 63 bits; any whole number is a seed."""
    from numpy import uint64
    from numpy.random import SeedSequence

    return int(SeedSequence(entropy=(abs(seed), int(seed < 0))).generate_state(1, uint64)[0]) >> 1


def stream(key: int, match: int, which: int) -> int:
    """Where the generator starts for a match: that which shuffles (PACKS) or that which plays (PLAY)."""
    z = key + (2 * match + which) * STREAM_STEP & _WORD
    z = (z ^ z >> 32) * STREAM_MIX & _WORD
    z = (z ^ z >> 32) * STREAM_MIX & _WORD
    return z ^ z >> 32
