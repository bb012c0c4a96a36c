"""Error responses: one line for people to read, and the proper HTTP status."""

from __future__ import annotations

import logging
import traceback
from typing import Any

from litestar import Request, Response
from litestar.exceptions import HTTPException, SerializationException, ValidationException

from upcard.engine.errors import BadRecord
from upcard.server.messages import Failure
from upcard.server.unreadable import in_words
from upcard.table.errors import Forbidden, NotWritten, Overtaken, Refusal, Taken, TooMany, Unacceptable, WrongSecret

log = logging.getLogger("upcard.server")
Asked = Request[Any, Any, Any]
Answer = Response[Failure]

STATUS = {
    Unacceptable: 422, Forbidden: 403, WrongSecret: 403, Taken: 409, NotWritten: 503, Overtaken: 409, TooMany: 429,
}  # fmt: skip


def failed(status: int, message: str, clause: str | None = None) -> Answer:
    return Response(Failure(message, clause), status_code=status)


def _refused(_request: Asked, error: Refusal) -> Answer:
    return failed(STATUS.get(type(error), 409), str(error), error.clause)


def _bad_table(_request: Asked, error: BadRecord) -> Answer:
    return failed(422, error.reason, error.clause)


def _http_error(_request: Asked, error: HTTPException) -> Answer:
    if isinstance(error.__cause__, SerializationException):
        return failed(400, "This is not JSON")
    if not isinstance(error, ValidationException):
        return failed(error.status_code, error.detail)
    faults = error.extra if isinstance(error.extra, list) else []
    said = [in_words(str(one.get("key", "")).removeprefix("data"), str(one.get("message"))) for one in faults]
    return failed(422, "; ".join(dict.fromkeys(said)) or "This request makes no sense here: reload the page")


def _too_deep(_request: Asked, _error: RecursionError) -> Answer:
    return failed(422, "This is nested too deeply")


def _no_text(_request: Asked, _error: UnicodeDecodeError) -> Answer:
    return failed(422, "This is not text in UTF-8")


def _bug(request: Asked, error: Exception) -> Answer:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    log.error("%s: %r at %s:%s", request.url.path, error, frame.filename, frame.lineno)
    return failed(500, "Something went wrong here; nothing was changed")


HANDLERS: dict[int | type[Exception], Any] = {
    Refusal: _refused,
    BadRecord: _bad_table,
    HTTPException: _http_error,
    RecursionError: _too_deep,
    UnicodeDecodeError: _no_text,
    Exception: _bug,
}
