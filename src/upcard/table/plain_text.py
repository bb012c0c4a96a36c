"""Texts that people write, cleaned for display: names and messages."""

from __future__ import annotations

import re
import unicodedata

JOINER = "\u200d"
"""The character that joins several emoji into one."""
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0\U000e0100-\U000e01ef]"
)
"""Invisible characters, which could make one text look like another, or empty."""
_SYMBOLS = {"So", "Sk"}
"""The Unicode categories of emoji and of the tones of their skin."""
_AS_EMOJI = "\ufe0f"
"""After a symbol: it is drawn as an emoji."""


def plain_text(text: str, longest: int) -> str:
    """The visible part of a text on one line, at most `longest` characters. Emoji stay joined; characters that only
    change the direction of writing are left out."""
    seen = [*_UNSEEN.sub("", unicodedata.normalize("NFC", text))]
    shown = "".join(_shown(seen, index) for index in range(len(seen)))
    cut = " ".join(shown.split())[:longest]
    return cut.rstrip(JOINER).strip()


def _shown(text: list[str], index: int) -> str:
    """The part of one character that is shown: itself, a space, or nothing."""
    character, before = text[index], text[index - 1] if index else ""
    if character == _AS_EMOJI:
        return character if _is_symbol(before) else ""
    if character == JOINER:
        after = text[index + 1] if index + 1 < len(text) else ""
        return character if _is_symbol(before) and _is_symbol(after) else " "
    return character if character.isprintable() else " "


def _is_symbol(character: str) -> bool:
    return character == _AS_EMOJI or (character != "" and unicodedata.category(character) in _SYMBOLS)
