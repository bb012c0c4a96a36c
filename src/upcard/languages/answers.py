"""Answers in the reader's language: where a program writes JSON for somebody, sentences become texts."""

from __future__ import annotations

from functools import cache
from typing import TypeVar

import msgspec

from upcard.languages.catalogs import DEFAULT
from upcard.languages.localizing import texts_in

T = TypeVar("T")


@cache
def encoder_for(language: str) -> msgspec.json.Encoder:
    """An encoder of answers for readers of a language."""
    return msgspec.json.Encoder(enc_hook=texts_in(language))


def in_language(value: T, language: str) -> T:
    """A struct whose sentences are texts of a language; itself for English."""
    if language == DEFAULT:
        return value
    plain = msgspec.to_builtins(value, enc_hook=texts_in(language))
    return msgspec.convert(plain, type=type(value))
