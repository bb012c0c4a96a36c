"""Match records: reading them, however broken, and replaying them."""

from __future__ import annotations

import json
from collections.abc import Iterator

from upcard.match import FORMAT, BadRecord, IllegalMove, Match, Shuffler, UpcardError

_KINDS: dict[type, str] = {str: "a text", dict: "an object", list: "a list"}


def header(record: object, chance: Shuffler | None = None) -> Match:
    """The match that a record begins, before its first event. Raises BadRecord."""
    if not isinstance(record, dict):
        raise BadRecord("a match record is a JSON object")
    unknown = sorted(set(record) - {"upcard", "game", "players", "dealer", "options", "events"})
    if unknown:
        raise BadRecord(f"a match record has no field {unknown[0]!r:.40}")
    if type(record.get("upcard")) is not int or record["upcard"] != FORMAT:
        raise BadRecord(f'"upcard" must be {FORMAT}')
    for name, kind in (("game", str), ("options", dict), ("events", list)):
        if not isinstance(record.get(name), kind):
            raise BadRecord(f'"{name}" is missing or not {_KINDS[kind]}')
    for name in ("players", "dealer"):
        if name not in record:
            raise BadRecord(f'"{name}" is missing')
    players = "null" if record["players"] is None else record["players"]
    return Match(record["game"], players, dealer=record["dealer"], options=record["options"], chance=chance)


def steps(record: object) -> Iterator[Match]:
    """One match, after each event of a record, beginning before the first.

    Raises BadRecord, or IllegalMove at the first impossible event.
    """
    match = header(record)
    assert isinstance(record, dict)
    yield match
    for text in record["events"]:
        match.event(text)
        yield match


def replay(record: object) -> Match:
    """The match that a record tells, after its last event. Raises as `steps` does."""
    for match in steps(record):
        last = match
    return last


def parse(text: str) -> list[tuple[int | None, object]]:
    """The records in a text: one JSON object (numbered None), or one on each line (numbered from 1).

    A line that is not JSON comes out as a BadRecord in its place, so that the lines before it are still replayed.
    """
    try:
        return [(None, json.loads(text))]
    except (ValueError, RecursionError):
        lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2:
        raise BadRecord("this is not JSON")
    return [(number, _line(line)) for number, line in enumerate(lines, 1)]


def _line(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return BadRecord("this line is not JSON")


__all__ = ["BadRecord", "IllegalMove", "UpcardError", "header", "parse", "replay", "steps"]
