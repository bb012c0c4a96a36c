"""Error responses: one line for people to read, and the proper HTTP status."""

from __future__ import annotations

import logging
import traceback
from typing import Any

from litestar import Request, Response
from litestar.exceptions import HTTPException, SerializationException, ValidationException

from upcard.engine.errors import BadRecord
from upcard.house.bodies import Failure
from upcard.house.statuses import failure_of
from upcard.rules.sentences import as_sentence, sentence
from upcard.server.unreadable import describe_fault
from upcard.table.errors import Refusal

log = logging.getLogger("upcard.server")
AnyRequest = Request[Any, Any, Any]
FailureResponse = Response[Failure]


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


def _too_deep(_request: AnyRequest, _error: RecursionError) -> FailureResponse:
    return failure_response(422, sentence("This is nested too deeply"))


def _no_text(_request: AnyRequest, _error: UnicodeDecodeError) -> FailureResponse:
    return failure_response(422, sentence("This is not text in UTF-8"))


def _bug(request: AnyRequest, error: Exception) -> FailureResponse:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    log.error("%s: %r at %s:%s", request.url.path, error, frame.filename, frame.lineno)
    return failure_response(500, sentence("Something went wrong here; nothing was changed"))


HANDLERS: dict[int | type[Exception], Any] = {
    Refusal: _refused,
    BadRecord: _refused,
    HTTPException: _http_error,
    RecursionError: _too_deep,
    UnicodeDecodeError: _no_text,
    Exception: _bug,
}
