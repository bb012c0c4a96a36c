"""The passphrase of a house, and the browsers that have given it.

The database stores the passphrase's salted hash, so that all its servers ask for the same one, and for each admitted
browser the hash of the random secret in its cookie. Each admission can be revoked without the others.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from upcard.server.storage import Store, metadata
from upcard.server.visitor import A_YEAR
from upcard.table.errors import Forbidden, TooMany

AN_HOUR = 3600.0
"""Seconds after which the use of an admission is recorded again."""
MOST_CHECKED = 20
"""The most passphrases that may wait to be checked: each check takes a twentieth of a second."""
WORK, BLOCK = 1 << 14, 8
"""The cost of scrypt: 16 MB of memory for each comparison."""

passphrases = sql.Table(
    "passphrases",
    metadata,
    sql.Column("salt", sql.String(32), primary_key=True),
    sql.Column("hash", sql.String(128), nullable=False),
)
admissions = sql.Table(
    "admissions",
    metadata,
    sql.Column("digest", sql.String(64), primary_key=True),
    sql.Column("salt", sql.String(32), nullable=False),
    sql.Column("admitted", sql.Float, nullable=False),
    sql.Column("used", sql.Float, nullable=False),
    sql.Column("identity", sql.String(64)),
)


@dataclass
class Admission:
    """The admission of a browser that has given the passphrase, as known to this server."""

    used: float
    """When its use was last recorded, in seconds since 1970."""
    identity: str | None
    """The identity under which it plays; None if it is not known."""


class Admissions:
    """The browsers that have given the passphrase."""

    def __init__(self, store: Store, passphrase: str) -> None:
        """Make this the passphrase of the house; all admissions end if it is a new one. Raises SQLAlchemyError."""
        self._store = store
        self._salt, self._hash = store.at_start(lambda connection: set_passphrase(connection, passphrase))
        self._known: dict[str, Admission] = {}
        """By digest, the admissions that were used here."""
        self._stirred: dict[str, Admission] = {}
        """By digest, the admissions whose use must be recorded."""
        self._windows: dict[str, set[Callable[[], object]]] = {}
        """By digest, the functions that close the WebSockets open under an admission."""
        self._checking = ThreadPoolExecutor(1, "passphrase")
        self._waiting = 0

    def close(self) -> None:
        self._checking.shutdown(wait=False, cancel_futures=True)

    # ---------------------------------------------------------------------------------------------------- coming in

    async def enter(self, passphrase: str) -> str:
        """Check a passphrase; returns the secret for a browser that has given the right one.

        Raises Forbidden for a wrong one, TooMany if too many are being checked, NotWritten.
        """
        if self._waiting >= MOST_CHECKED:
            raise TooMany("Many people are coming in just now: try again in a moment")
        self._waiting += 1
        try:
            salt, expected = self._salt, self._hash
            given = await asyncio.get_running_loop().run_in_executor(self._checking, passphrase_hash, passphrase, salt)
        finally:
            self._waiting -= 1
        if not hmac.compare_digest(given, expected):
            raise Forbidden("That is not the passphrase of this house")
        secret, now = secrets.token_urlsafe(24), time.time()
        digest = digest_of(secret)
        row = admissions.insert().values(digest=digest, salt=salt, admitted=now, used=now)
        await self._store.safely(before=lambda connection: _run(connection, row))
        self._known[digest] = Admission(now, None)
        return secret

    async def admits(self, secret: str | None, identity: str | None = None) -> bool:
        """Whether a browser with this secret has given the passphrase. Looks up unknown secrets in the database; raises
        NotWritten if it cannot be read."""
        digest = digest_of(secret or "")
        admission = self._known.get(digest)
        if admission is None:
            if not is_secret(secret):
                return False
            query = sql.select(admissions).where(admissions.c.digest == digest, admissions.c.salt == self._salt)
            row = await self._store.read(lambda connection: connection.execute(query).one_or_none())
            if row is None:
                return False
            admission = self._known[digest] = Admission(row.used, row.identity)
        self._note(digest, admission, identity)
        return True

    def knows(self, secret: str | None) -> bool:
        """Whether this server already knows the browser as admitted, without a query of the database."""
        return digest_of(secret or "") in self._known

    def _note(self, digest: str, admission: Admission, identity: str | None) -> None:
        """Mark the use of an admission, and by whom, to be recorded, if it is news."""
        is_new_identity = identity is not None and identity != admission.identity
        if is_new_identity or time.time() - admission.used > AN_HOUR:
            admission.used, admission.identity = time.time(), identity or admission.identity
            self._stirred[digest] = admission

    @contextlib.contextmanager
    def window(self, secret: str | None, close: Callable[[], object]) -> Iterator[None]:
        """A context in which `close` is called if the admission with this secret ends."""
        windows = self._windows.setdefault(digest_of(secret or ""), set())
        windows.add(close)
        try:
            yield
        finally:
            windows.discard(close)
            if not windows:
                self._windows.pop(digest_of(secret or ""), None)

    # ------------------------------------------------------------------------------------------------ keeping in step

    async def refresh(self) -> None:
        """Record which admissions were used, and end those that were revoked, here or by another program. Raises
        NotWritten."""
        if stirred := self._stirred:
            self._stirred = {}
            await self._store.safely(before=lambda connection: _write_use(connection, stirred))
        known = [*self._known]
        (self._salt, self._hash), valid = await self._store.read(lambda connection: _still_valid(connection, known))
        for digest in known:
            if digest not in valid:
                self._known.pop(digest, None)
                for close in [*self._windows.get(digest, ())]:
                    close()

    async def forget(self) -> None:
        """Delete admissions that have not been used for a year, the life of their cookies. Raises NotWritten."""
        old = admissions.delete().where(admissions.c.used < time.time() - A_YEAR)
        await self._store.safely(before=lambda connection: _run(connection, old))


def passphrase_hash(passphrase: str, salt: str) -> str:
    """The hash of a passphrase, as hexadecimal digits; takes a twentieth of a second."""
    return hashlib.scrypt(passphrase.encode(), salt=salt.encode(), n=WORK, r=BLOCK, p=1).hex()


def digest_of(secret: str) -> str:
    """The SHA-256 of a browser's secret, which is stored instead of it. The secret has 192 random bits."""
    return hashlib.sha256(secret.encode()).hexdigest()


def is_secret(text: str | None) -> bool:
    """Whether a text has the form of a browser's secret."""
    return re.fullmatch(r"[\w-]{32}", text or "", re.ASCII) is not None


def set_passphrase(connection: Connection, passphrase: str) -> tuple[str, str]:
    """Make this the passphrase of all servers on a database; returns its salt and hash. All admissions end if it is a
    new one."""
    current = connection.execute(passphrases.select()).first()
    if current is not None and hmac.compare_digest(passphrase_hash(passphrase, current.salt), current.hash):
        return current.salt, current.hash
    salt = secrets.token_hex(16)
    row = {"salt": salt, "hash": passphrase_hash(passphrase, salt)}
    connection.execute(passphrases.delete())
    connection.execute(admissions.delete())
    connection.execute(passphrases.insert(), row)
    return row["salt"], row["hash"]


def _run(connection: Connection, statement: sql.Executable) -> None:
    connection.execute(statement)


def _write_use(connection: Connection, stirred: dict[str, Admission]) -> None:
    for digest, admission in stirred.items():
        used = admissions.update().where(admissions.c.digest == digest)
        connection.execute(used.values(used=admission.used, identity=admission.identity))


def _still_valid(connection: Connection, digests: list[str]) -> tuple[tuple[str, str], set[str]]:
    """The salt and hash of the passphrase, and which of these admissions are still valid."""
    current = connection.execute(passphrases.select()).one()
    valid = set[str]()
    for first in range(0, len(digests), 500):
        some = admissions.c.digest.in_(digests[first : first + 500])
        valid |= set(connection.scalars(sql.select(admissions.c.digest).where(some, admissions.c.salt == current.salt)))
    return (current.salt, current.hash), valid
