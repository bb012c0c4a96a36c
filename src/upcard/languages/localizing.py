"""Sentences in the language of the reader. This needs only Python, so that every command can use it."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from functools import cache
from typing import Any

from upcard.languages.catalogs import DEFAULT, translation
from upcard.rules.sentences import Sentence, sentence

reader: ContextVar[str] = ContextVar("reader", default=DEFAULT)
"""The language of the reader for whom the present request is answered."""


@cache
def texts_in(language: str) -> Callable[[Any], str]:
    """A function that turns sentences into texts of a language, also as a hook for msgspec's encoders."""
    if language == DEFAULT:
        return str.__str__
    speaking = translation(language)

    def text(value: object) -> str:
        if isinstance(value, Sentence):
            return value.words(speaking)
        raise NotImplementedError(f"{type(value).__name__} has no form in JSON")

    return text


def text_for_reader(text: str) -> str:
    """A sentence in the language of `reader`; any other text as it is."""
    return texts_in(reader.get())(text) if isinstance(text, Sentence) else text


def localized(message: str, plural: str = "", /, **places: Any) -> str:
    """A message in the language of `reader`, for a program that has only one; like `sentence` otherwise."""
    return text_for_reader(sentence(message, plural, **places))
