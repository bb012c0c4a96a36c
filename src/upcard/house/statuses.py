"""The HTTP status and the body of each refusal, whatever carries them."""

from __future__ import annotations

from upcard.engine.errors import BadRecord
from upcard.house.bodies import Failure
from upcard.rules.sentences import capital
from upcard.table.errors import Forbidden, NotWritten, Overtaken, Refusal, Taken, TooMany, Unacceptable, WrongSecret


class NotHere(Refusal):
    """There is no such table."""


class NotJson(Refusal):
    """The request is not JSON."""


STATUS = {
    Unacceptable: 422, Forbidden: 403, WrongSecret: 403, Taken: 409, NotWritten: 503, Overtaken: 409, TooMany: 429,
    NotHere: 404, NotJson: 400,
}  # fmt: skip


def failure_of(error: Refusal | BadRecord) -> tuple[int, Failure]:
    """The status and the body of the answer to a refused request."""
    if isinstance(error, BadRecord):
        return 422, Failure(capital(error.reason), error.clause)
    return STATUS.get(type(error), 409), Failure(error.sentence, error.clause)
