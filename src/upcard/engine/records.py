"""Reading and replaying match records. docs/records.md describes the format."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import Any

from upcard.engine.chance import Shuffler
from upcard.engine.errors import BadRecord, BadSetup, IllegalMove, NoGame, UpcardError
from upcard.engine.match import FORMAT, Match
from upcard.engine.setup import Setup, game_named
from upcard.games.shipped import SLUGS, VARIANTS
from upcard.rules.errors import BadGame
from upcard.rules.game import Game
from upcard.rules.phrases import brief
from upcard.rules.sentences import Sentence, sentence

SHIPPED = (*SLUGS, *VARIANTS)


def header(record: object, chance: Shuffler | None = None, game: type[Game[Any]] | None = None) -> Match[Any]:
    """The match of a record before its first event. Raises BadRecord if the header is invalid.

    Pass `game` if the record's game cannot be loaded by its name, such as a variant defined in a notebook.
    """
    if not isinstance(record, dict):
        raise BadRecord(sentence("a match record is a JSON object"))
    if game is not None and not (isinstance(game, type) and issubclass(game, Game)):
        raise UpcardError(f"the game of a record is a game's class, not {brief(game)}")
    unknown = record.keys() - {"upcard", "game", "players", "dealer", "options", "events", "about"}
    if unknown:
        raise BadRecord(sentence("a match record has no field {name}", name=brief(min(unknown, key=str))))
    if type(record.get("upcard")) is not int or record["upcard"] != FORMAT:
        raise BadRecord(sentence('"upcard" must be {number}', number=FORMAT))
    if not isinstance(record.get("game"), str):
        raise BadRecord(sentence('"game" is missing or not a text'))
    if not isinstance(record.get("options"), dict):
        raise BadRecord(sentence('"options" is missing or not an object'))
    if not isinstance(record.get("events"), list):
        raise BadRecord(sentence('"events" is missing or not a list'))
    if not isinstance(record.get("about", {}), dict):
        raise BadRecord(sentence('"about" is not an object'))
    for name in ("players", "dealer"):
        if name not in record:
            raise BadRecord(sentence('"{name}" is missing', name=name))
    players = "null" if record["players"] is None else record["players"]
    if game is not None and record["game"] != game.slug:
        raise BadRecord(
            sentence("it is a record of {another}, not of {game}", another=brief(record["game"]), game=game.slug)
        )
    try:
        setup = Setup(game or _known(record["game"], record.get("about", {}).get("rules")), players, record["options"])
        match = Match(setup, dealer=record["dealer"], chance=chance)
    except BadSetup as error:
        raise BadRecord(error.reason, error.clause) from None
    _check_rules(match, record.get("about", {}))
    return match


def _known(slug: str, rules: object) -> type[Game[Any]]:
    """The game of this name; an unknown one is created if it differs from a shipped game only in its numbers.

    Raises NoGame for other unknown games, and BadRecord for numbers that the game does not allow.
    """
    try:
        return game_named(slug)
    except BadSetup as error:
        match rules:
            case {"variant_of": str(base), "numbers": dict(numbers), **others} if not others and base in SHIPPED:
                try:
                    return _with_numbers(slug, base, json.dumps(numbers, sort_keys=True))
                except BadGame as wrong:
                    raise BadRecord(str(wrong)) from None
        raise NoGame(error.reason) from None


@lru_cache(maxsize=64)
def _with_numbers(slug: str, base: str, numbers: str) -> type[Game[Any]]:
    return game_named(base).variant(slug, numbers=json.loads(numbers))


def _check_rules(match: Match[Any], about: dict[str, object]) -> None:
    """Raises BadRecord if the record was played by other rules than those of the loaded game."""
    played, here = about.get("rules"), match.game.identity
    if not isinstance(played, dict | None) or played != here:
        message = "it was played by other rules of {game} ({played}) than these ({here})"
        raise BadRecord(sentence(message, game=match.game.slug, played=_rules(played), here=_rules(here)))


def _rules(identity: object) -> str | Sentence:
    """A short description of an identity, for an error message."""
    if not isinstance(identity, dict):
        return sentence("those that come with Upcard") if identity is None else sentence("unreadable")
    numbers = identity.get("numbers")
    changes = [f"{name} {value}" for name, value in numbers.items()] if isinstance(numbers, dict) else []
    changes += [f"rules {identity['rules']}"] if "rules" in identity else []
    return brief(", ".join(map(str, changes)))


def steps(record: object, game: type[Game[Any]] | None = None) -> Iterator[Match[Any]]:
    """Replay a record step by step: yields the match before the first event and after each event.

    It is the same `Match` object every time. For `game` see `header`. Raises BadRecord for an invalid header, and
    IllegalMove at the first illegal event.
    """
    match = header(record, game=game)
    assert isinstance(record, dict)
    yield match
    for text in record["events"]:
        match.event(text)
        yield match


def replay(record: object, game: type[Game[Any]] | None = None) -> Match[Any]:
    """The match of a record after its last event.

    For `game` see `header`. Raises BadRecord for an invalid header, and IllegalMove at the first illegal event.
    """
    for match in steps(record, game):
        last = match
    return last


def text_of(raw: bytes) -> str:
    """The text of a file: UTF-8, or UTF-16 with a byte order mark. Raises BadRecord for anything else."""
    utf16 = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return raw.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError:
        raise BadRecord(sentence("this is neither UTF-8 nor UTF-16 text")) from None


def parse(text: str) -> Iterator[tuple[int | None, object]]:
    """Yields the records in a text, which is one JSON object (with number None) or one object per line (from 1).

    For text that is not JSON it yields a BadRecord instead of raising it, so that the records before it can be used.
    Raises UpcardError for anything but a text.
    """
    if not isinstance(text, str):
        raise UpcardError(f"records are read from a text, not from {brief(text)}")
    whole = _read(text)
    lines = _lines(text)
    first, second = next(lines, ""), next(lines, None)
    if second is None or not isinstance(whole, BadRecord):
        yield None, whole
    elif isinstance(_read(first), BadRecord):
        yield 1, whole
    else:
        for number, line in enumerate(chain((first, second), lines), 1):
            yield number, _read(line)


def _lines(text: str) -> Iterator[str]:
    """The lines that are not blank. The text is not split all at once, because there may be very many lines."""
    text = text.strip(" \t\r\n")
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if line := text[start:end].strip(" \t\r"):
            yield line
        start = end + 1


def _read(text: str) -> object:
    """The value of a JSON text, or a BadRecord if it is not JSON."""
    if not text.strip(" \t\r\n"):
        return BadRecord(sentence("this is empty"))
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        places = {"fault": error.msg, "line": error.lineno, "column": error.colno}
        if error.lineno > 1:
            return BadRecord(sentence("this is not JSON: {fault}, line {line}, column {column}", **places))
        return BadRecord(sentence("this is not JSON: {fault}, column {column}", **places))
    except RecursionError:
        return BadRecord(sentence("this is nested too deeply"))
    except ValueError:
        return BadRecord(sentence("this has a number that is too long"))


__all__ = ["BadRecord", "IllegalMove", "UpcardError", "header", "parse", "replay", "steps", "text_of"]
