"""Observations decoded in another library's arrays are those that the vector environment makes itself."""

import importlib
from typing import Any

import numpy as np
import pytest

from upcard import UpcardError, envs
from upcard.envs.decoding import Decoder
from upcard.rules.game import Game


def words_of(env: Any, rows: int) -> np.ndarray:
    """Rows of numbers of all sizes in each word, and of those that tables have."""
    rng = np.random.default_rng(7)
    observation = env.reset().observation
    picks = [
        observation[np.arange(rows) % len(observation)],
        rng.integers(-2, 70, (rows, env.observer.words)),
        rng.integers(-(1 << 63), (1 << 63) - 1, (rows, env.observer.words)),
        rng.integers(-(1 << 26), 1 << 26, (rows, env.observer.words)),
    ]
    chosen = rng.integers(0, len(picks), (rows, env.observer.words))
    return np.choose(chosen, picks)


@pytest.mark.long
def test_words_and_their_halves_are_decoded_like_the_environment_does(game: type[Game]) -> None:
    env = envs.vector(game.slug, tables=4, seed=1)
    words, decode = words_of(env, 200), Decoder(env.observer, np)
    expected = env.numbers(words)
    for given in (words, words.view(np.uint64), words.view(np.int32), words.view(np.uint32)):
        assert np.array_equal(decode(given), expected)
    assert np.array_equal(decode(env.now.observation), env.numbers())
    assert decode(words).dtype == np.float32


@pytest.mark.parametrize("name", ["torch", "jax.numpy"])
def test_other_libraries_decode_the_same(name: str) -> None:
    library = pytest.importorskip(name)
    for slug in ("oh-hell", "kalooki"):
        env = envs.vector(slug, tables=4, seed=1)
        words, decode = words_of(env, 100), Decoder(env.observer, library)
        expected = env.numbers(words)
        assert np.array_equal(np.asarray(decode(library.asarray(words.view(np.int32)))), expected)
        if name == "torch":
            assert np.array_equal(np.asarray(decode(library.asarray(words))), expected)
        else:
            compiled = importlib.import_module("jax").jit(decode)
            assert np.array_equal(np.asarray(compiled(library.asarray(words.view(np.uint32)))), expected)


def test_rows_of_another_length_or_kind_are_refused() -> None:
    env = envs.vector("oh-hell", tables=4, seed=1)
    decode, words = Decoder(env.observer, np), env.reset().observation
    for given in (words[0], words[:, 1:], words.astype(float), words.view(np.int32)[:, 2:], [[1]], None):
        with pytest.raises(UpcardError, match=r"^words are whole numbers of 64 bits in rows of \d+, or of 32"):
            decode(given)
