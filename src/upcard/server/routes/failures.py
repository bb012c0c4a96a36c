"""Error responses: one line for people to read, and the proper HTTP status.

The line about a malformed request is in a person's words where a person can cause the fault, and otherwise a plain one
for the author of the page or program that sent it. msgspec reports a fault as a path, which says where it is, and an
English text, which no interface promises: its signs and the names that it quotes are read here. If a later msgspec
words it differently, each message becomes "… is not what it must be", and `tests/test_libraries.py` fails.
"""

from __future__ import annotations

import logging
import re
import traceback
from typing import Any

from litestar import Request, Response
from litestar.exceptions import HTTPException, SerializationException, ValidationException

from upcard.engine.errors import BadRecord
from upcard.house.bodies import Failure
from upcard.house.statuses import failure_of
from upcard.rules.sentences import as_sentence, sentence
from upcard.table.errors import Refusal

log = logging.getLogger("upcard.server")
AnyRequest = Request[Any, Any, Any]
FailureResponse = Response[Failure]

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


def failure_response(status: int, message: str, clause: str | None = None) -> FailureResponse:
    return Response(Failure(as_sentence(message, None), clause), status_code=status)


def _refused(_request: AnyRequest, error: Refusal | BadRecord) -> FailureResponse:
    status, failure = failure_of(error)
    return Response(failure, status_code=status)


def _http_error(_request: AnyRequest, error: HTTPException) -> FailureResponse:
    if isinstance(error.__cause__, SerializationException):
        return failure_response(400, sentence("This is not JSON"))
    if not isinstance(error, ValidationException):
        return failure_response(error.status_code, error.detail)
    faults = error.extra if isinstance(error.extra, list) else []
    lines = [
        describe_fault(str(fault.get("key", "")).removeprefix("data"), str(fault.get("message"))) for fault in faults
    ]
    return failure_response(
        422, "; ".join(dict.fromkeys(lines)) or sentence("This request makes no sense here: reload the page")
    )


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


def _too_deep(_request: AnyRequest, _error: RecursionError) -> FailureResponse:
    return failure_response(422, sentence("This is nested too deeply"))


def _no_text(_request: AnyRequest, _error: UnicodeDecodeError) -> FailureResponse:
    return failure_response(422, sentence("This is not text in UTF-8"))


def _bug(request: AnyRequest, error: Exception) -> FailureResponse:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    log.error("%s: %r at %s:%s", request.url.path, error, frame.filename, frame.lineno)
    return failure_response(500, sentence("Something went wrong here; nothing was changed"))


FAILURE_HANDLERS: dict[int | type[Exception], Any] = {
    Refusal: _refused,
    BadRecord: _refused,
    HTTPException: _http_error,
    RecursionError: _too_deep,
    UnicodeDecodeError: _no_text,
    Exception: _bug,
}
