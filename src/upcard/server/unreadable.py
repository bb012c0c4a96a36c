"""Error messages for malformed requests: in a person's words where a person can cause the fault, otherwise one plain
line for the author of the page or program that sent it.

msgspec reports a fault as a path, which says where it is, and an English text, which no interface promises: its signs
and the names that it quotes are read here. If a later msgspec words it differently, each message becomes "… is not what
it must be", and `tests/test_libraries.py` fails.
"""

from __future__ import annotations

import re

_IN_WORDS = {
    "per_move": ("Time a move is {} seconds or more", "Time a move is {} seconds or less"),
    "bank": ("Time for the match is {} seconds or more", "Time for the match is {} seconds or less"),
    "patience": (
        "Everybody waits {} seconds or more for a player who is away",
        "Nobody waits more than {} seconds for a player who is away",
    ),
    "name": ("", "A name has {} letters at most"),
    "passphrase": ("", "A passphrase has {} letters at most"),
    "seats": ("", "A table has {} seats at most"),
    "seat": ("", "There is no such seat"),
    "game": ("", "There is no such game"),
    "level": ("", "There are no such computer players"),
    "options": ("", "There is no option with so long a name"),
    "options[...]": ("", "A choice of the rules has {} letters at most"),
    "invite": ("", "This link is not one of ours: ask for it again"),
    "secret": ("", "This link is not one of ours: ask for it again"),
}
"""For each field, the messages for a value below its lower bound and above its upper bound."""

_BOUND = re.compile(r".* (>=|<=) (\d+)$")
_LAST = re.compile(r"\w+(?:\[\.\.\.\])?$")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`")
_MISSING = re.compile(r"Object missing required field `(.*)`")
_NO_VALUE = re.compile(r"Invalid (?:enum )?value ('.*')")


def describe_fault(field: str, fault: str) -> str:
    """One line about the fault that msgspec reports in a field, given by its path ("settings.clock.per_move"; empty for
    the whole body)."""
    bound, last = _BOUND.match(fault), _LAST.search(field)
    if bound and last and (wording := _IN_WORDS.get(last[0], ("", ""))[bound[1] == "<="]):
        return wording.format(bound[2])
    return f"This request makes no sense here ({_plain(field or 'body', fault)}): reload the page"


def _plain(field: str, fault: str) -> str:
    if unknown := _UNKNOWN.match(fault):
        return f"{field} has an unknown field, {unknown[1]:.40}"
    if missing := _MISSING.match(fault):
        return f"{field} lacks {missing[1]}"
    if value := _NO_VALUE.match(fault):
        return f"{field} cannot be {value[1]:.40}"
    return f"{field} is not what it must be"
