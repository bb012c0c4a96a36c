"""Verification of fair shuffles: checks that a match used the randomness to which its server and players had committed.

See docs/fair-shuffles.md.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from upcard.engine.chance import FairStream
from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.engine.records import steps
from upcard.rules.game import Game


@dataclass(frozen=True)
class Proof:
    """The proof of a match's shuffles, which its record contains under `about`, `fair`."""

    commitment: str
    """The SHA-256 of the secret, in hexadecimal digits, published when the table was opened."""
    secret: bytes
    pledged: list[str | None]
    """Per seat, the SHA-256 of its nonce, published before the match; None for a seat that pledged none."""
    nonces: list[str | None]
    """Per seat, the nonce; None for a seat that pledged none or did not reveal it in time."""
    first: int
    """The number of chance events taken over from the match that this one continues."""
    dealer: bool = False
    """Whether the first dealer was drawn from the same stream. A match that continues another takes over its dealer."""


def verify(record: object, game: type[Game[Any]] | None = None) -> tuple[Proof, int]:
    """Verify the shuffles of a match record. Returns its proof and the number of chance events checked.

    Raises UpcardError if a chance event does not follow from the proof or the record has none, and BadRecord and
    IllegalMove like `records.replay`.
    """
    checked, proof = 0, None
    for match in steps(record, game):
        if proof is None:
            proof = _proof(record, match.players)
            _check_dealer(match, proof)
        number = len(match.events)
        assert isinstance(record, dict)
        if not match.awaiting or number == len(record["events"]):
            continue
        before = sum(event.seat is None for event in match.events)
        if before >= proof.first:
            _check(match, proof, before, record["events"][number])
            checked += 1
    assert proof is not None
    if not checked:
        raise UpcardError("nothing can be checked: no card was dealt or drawn since these shuffles were fixed")
    return proof, checked


def drawn_dealer(secret: bytes, nonces: Sequence[str | None]) -> int:
    """The first dealer's seat; `nonces` has one entry per seat."""
    return FairStream(secret, nonces, -1).below(len(nonces))


def _check_dealer(match: Match[Any], proof: Proof) -> None:
    if not proof.dealer and not proof.first:
        raise UpcardError("who deals first was not drawn, so nothing bound the server in choosing it")
    if proof.dealer and match.first_dealer != drawn_dealer(proof.secret, proof.nonces):
        raise UpcardError("who deals first does not follow from the secret and the nonces")


def _check(match: Match[Any], proof: Proof, before: int, text: str) -> None:
    due = match.fork().event(match.draw_lots(FairStream(proof.secret, proof.nonces, before)))
    if str(match.fork().event(text)) != str(due):
        raise UpcardError(f"event {len(match.events)}: this {due.word} does not follow from the secret and the nonces")


def _proof(record: object, players: int) -> Proof:
    """The proof in a record. Raises UpcardError if it is missing or contradicts itself."""
    fair = record.get("about", {}).get("fair") if isinstance(record, dict) else None
    if fair is None:
        raise UpcardError("nothing can be checked: this record does not contain a proof of its shuffles")
    try:
        secret = bytes.fromhex(fair["secret"])
        seats, first = (_seats(fair["pledged"]), _seats(fair["nonces"])), _number(fair["from"])
        proof = Proof(fair["commitment"], secret, *seats, first, fair.get("dealer") is True)
    except (KeyError, TypeError, ValueError):
        raise UpcardError("the proof of its shuffles in this record cannot be read") from None
    if proof.dealer and proof.first:
        raise UpcardError("a match that continues another one takes over who deals first, but this one also drew it")
    if len(proof.pledged) != players or len(proof.nonces) != players:
        raise UpcardError(f"this record does not have nonces for exactly {players} seats")
    if hashlib.sha256(proof.secret).hexdigest() != proof.commitment:
        raise UpcardError("this is not the secret that the server was bound to")
    for seat, (pledged, nonce) in enumerate(zip(proof.pledged, proof.nonces, strict=True)):
        if nonce is not None and hashlib.sha256(nonce.encode()).hexdigest() != pledged:
            raise UpcardError(f"this is not the nonce that seat {seat} had pledged")
    return proof


def _seats(texts: list[str | None]) -> list[str | None]:
    """One hash or nonce per seat. Raises ValueError if one is malformed."""
    if not all(text is None or re.fullmatch("[0-9a-f]{64}", text) for text in texts):
        raise ValueError
    return [*texts]


def _number(number: object) -> int:
    """A number of chance events. Raises ValueError for anything but a whole number from 0 up."""
    if type(number) is not int or number < 0:
        raise ValueError
    return number
