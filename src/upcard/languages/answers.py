"""Answers in the reader's language: where a program writes JSON for somebody, sentences become texts."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from functools import cache
from typing import Any, TypeVar

import msgspec

from upcard.languages.catalogs import DEFAULT, translation
from upcard.rules.sentences import Sentence, sentence

T = TypeVar("T")
reader: ContextVar[str] = ContextVar("reader", default=DEFAULT)
"""The language of the reader for whom the present request is answered."""


@cache
def texts_in(language: str) -> Callable[[Any], str]:
    """A hook for msgspec's encoders, which turns sentences into texts of a language."""
    if language == DEFAULT:
        return str.__str__
    speaking = translation(language)

    def text(value: object) -> str:
        if isinstance(value, Sentence):
            return value.words(speaking)
        raise NotImplementedError(f"{type(value).__name__} has no form in JSON")

    return text


@cache
def encoder_for(language: str) -> msgspec.json.Encoder:
    """An encoder of answers for readers of a language."""
    return msgspec.json.Encoder(enc_hook=texts_in(language))


def text_for_reader(text: str) -> str:
    """A sentence in the language of `reader`; any other text as it is."""
    return texts_in(reader.get())(text) if isinstance(text, Sentence) else text


def localized(message: str, plural: str = "", /, **places: Any) -> str:
    """A message in the language of `reader`, for a program that has only one; like `sentence` otherwise."""
    return text_for_reader(sentence(message, plural, **places))


def in_language(value: T, language: str) -> T:
    """A struct whose sentences are texts of a language; itself for English."""
    if language == DEFAULT:
        return value
    plain = msgspec.to_builtins(value, enc_hook=texts_in(language))
    return msgspec.convert(plain, type=type(value))
