"""Texts for people and messages: lists, counts, short forms of values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from importlib.metadata import PackageNotFoundError, requires
from operator import index
from typing import Any

from upcard.rules.sentences import PlayerAt, Sentence, sentence, your_turn


def whole_number(value: object) -> int | None:
    """A whole number, including one of NumPy's, as a Python integer; None for anything else, including booleans."""
    if type(value) is int:
        return value
    try:
        return None if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def as_items(value: object) -> list[Any] | None:
    """The items of a list or of another iterable, such as an array or a generator; None for a text, and for a value
    without items, such as an array without dimensions."""
    try:
        items = None if isinstance(value, str) else iter(value)  # type: ignore[call-overload]
    except TypeError:
        return None
    return None if items is None else list(items)


def brief(value: object) -> str:
    """Any value as a short text on one line, for a message: literals as in JSON, lists and objects as "a list" or "an
    object", other values by their type."""
    if (number := whole_number(value)) is not None:
        value = number
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    if isinstance(value, int) and abs(value) >= 10**20:
        return "a very large number"
    if isinstance(value, int | float | str):
        text = repr(value[:61] if isinstance(value, str) else value)
        return text if len(text) <= 60 else f"{text[:60]}…"
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeioAEIO' else 'a'} {name}"


def made_bids(exact: Sequence[object], players: int) -> Sentence:
    """The sentence on the players who took exactly as many tricks as they bid: `Made their bid: only {players}`."""
    if len(exact) in (0, players):
        return sentence("Everybody made their bid") if exact else sentence("Nobody made their bid")
    named = [PlayerAt(one[1:-1]) if isinstance(one, str) and re.fullmatch(r"\{\d+\}", one) else one for one in exact]
    if len(exact) == 1:
        return sentence("Made their bid: only {players}", players=named)
    return sentence("Made their bid: {players}", players=named)


def to_follow(led: str, *, higher: bool = False, trump: bool = False) -> Sentence:
    """The prompt for a player who follows a lead: `Your turn: follow 9♥, higher if you can, or else trump`."""
    if higher and trump:
        return your_turn("follow {led}, higher if you can, or else trump", led=led)
    if higher:
        return your_turn("follow {led}, higher if you can", led=led)
    if trump:
        return your_turn("follow {led} if you can, or else trump", led=led)
    return your_turn("follow {led} if you can", led=led)


def plural(noun: str) -> str:
    """The plural of a noun: `cards`, `matches`."""
    return f"{noun}{'es' if noun.endswith('ch') else 's'}"


_SMALL = (
    "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def number_word(number: int) -> str:
    """A number as it is said: `three`, `sixty-six`; in digits from 100 on. Zero is `zero`."""
    if number < 20:
        return Sentence(_SMALL[number] if number else "zero")
    ten, one = divmod(number, 10)
    return str(number) if ten > 9 else Sentence(_TENS[ten - 2] + (f"-{_SMALL[one]}" if one else ""))


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 card`, `2 cards`."""
    return f"{number} {noun if number == 1 else plural(noun)}"


def suggestion(name: str, known: Iterable[str], quote: str = "", least: float = 0.6) -> str:
    """The known name that is most like an unknown one, for a message: ` (is size meant?)`; empty if none is similar."""
    close = get_close_matches(name, [*known], 1, least)
    return f" (is {quote}{close[0]}{quote} meant?)" if close else ""


def how_to_get(extra: str) -> str:
    """The command that installs the packages of an extra, however Upcard itself was installed."""
    try:
        wanted = [one.partition(";") for one in requires("upcard") or ()]
    except PackageNotFoundError:
        wanted = []
    packages = [
        f"'{name.strip()}'"
        for name, _, marker in wanted
        if re.search(f"extra == .{extra}.", marker) and not name.startswith("upcard")
    ]
    return f"pip install {' '.join(packages) or repr(f'.[{extra}]')}"
