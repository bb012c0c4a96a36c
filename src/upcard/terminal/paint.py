"""Cards and lines of text in colour, for the full screen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from upcard.rules import cards

PAPER, SHADE, POINTED = "#f6f1e1", "#d2ccb9", "#ffd75f"
"""The background of a card that may be played, of one that may not, and of the one pointed at."""
BACK = "#f6f1e1 on #2f5d8a"
DIM = "#9fbfae"
HIGH = "bold #ffd75f"

_SIGNED = re.compile(r"(?:10|[2-9TJQKA])?[♣♦♥♠]")


@dataclass(frozen=True)
class Ink:
    """The colours of the suits c d h s, on paper and on the table."""

    paper: tuple[str, str, str, str]
    table: tuple[str, str, str, str]


TWO = Ink(("#1a1a1a", "#a51d2d", "#a51d2d", "#1a1a1a"), ("#ffffff", "#ff9a8f", "#ff9a8f", "#ffffff"))
FOUR = Ink(("#0f5c22", "#154f98", "#a51d2d", "#1a1a1a"), ("#8ff0a4", "#99c1f1", "#ff9a8f", "#ffffff"))
JOKER_INK = "#6e3087"


def face_sign(text: str) -> str:
    """A card's sign, short enough for its face: `A♠` for `As`."""
    card = cards.read(text)
    return "Jkr" if card in (cards.JOKER, None) else cards.sign(card)


def ink_of(text: str, ink: Ink) -> str:
    return JOKER_INK if text == "*" else ink.paper[cards.SUITS.index(text[1])]


def chip(text: str, ink: Ink, paper: str = PAPER) -> Text:
    """A card on the table."""
    return Text(f" {face_sign(text)} ", f"bold {ink_of(text, ink)} on {paper}")


def row(texts: Sequence[str], ink: Ink) -> Text:
    """Cards side by side on one background."""
    spread = Text(" " if texts else "", f"on {PAPER}")
    for text in texts:
        spread.append(face_sign(text), f"bold {ink_of(text, ink)}").append(" ")
    return spread


def line(words: str, ink: Ink, style: str = "") -> Text:
    """A line of text with cards and suits in their colours."""
    text = Text(words, style)
    for match in _SIGNED.finditer(words):
        text.stylize(ink.table[cards.SUIT_SIGNS.index(match[0][-1])], *match.span())
    return text


def packed(widths: Sequence[int], width: int, gap: int) -> list[list[int]]:
    """Pack pieces of these widths into lines no wider than `width`; returns the indices of the pieces in each line."""
    lines: list[list[int]] = []
    room = 0
    for i, wide in enumerate(widths):
        if lines and wide <= room:
            lines[-1].append(i)
            room -= wide + gap
        else:
            lines.append([i])
            room = width - wide - gap
    return lines
