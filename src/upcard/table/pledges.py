"""The inputs of a table's shuffles: the server's secret, and nonces from the players.

The server commits to its secret by publishing its SHA-256 with the table. Players may pledge a nonce by its SHA-256
when they sit down. Once every seat is taken the nonces are revealed, and from then on nobody can influence the
shuffles. They are drawn from `upcard.engine.chance.FairStream`.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import Any

from upcard.engine.fairness import drawn_dealer
from upcard.rules.state import AWAITING
from upcard.table.journal import Plan
from upcard.table.seats import Occupant

SECRET_BYTES = 64
TIME = 10.0
"""Seconds within which a pledged nonce must be revealed."""


class Pledges:
    """The pledges and revealed nonces of each seat at one table."""

    def __init__(self, plan: Plan) -> None:
        self.since: float | None = None
        """When the last seat was taken."""
        self.pledged: list[str | None] = [None] * plan.players
        self.nonces: list[str | None] = [None] * plan.players
        self.settled = not plan.secret or plan.day is not None
        """Whether the shuffles are fixed."""

    def begin(self, at: float, places: Sequence[Occupant]) -> None:
        """Fix the pledges, as every seat is taken."""
        self.since = at
        self.pledged = [place.pledge for place in places]

    def reveal(self, seat: int, nonce: str) -> None:
        self.nonces[seat] = nonce

    def settle(self) -> None:
        self.settled = True

    @property
    def until(self) -> float | None:
        """The time until which nonces may be revealed; None before that begins and once the shuffles are fixed."""
        return None if self.since is None or self.settled else self.since + TIME

    def waits_for(self, places: Sequence[Occupant]) -> list[int]:
        """The seats that have yet to reveal their nonces."""
        if self.since is None or self.settled:
            return []
        due = [self.pledged[seat] if self.nonces[seat] is None else None for seat in range(len(places))]
        return [seat for seat, place in enumerate(places) if due[seat] is not None and place.pledge == due[seat]]


def first_dealer(plan: Plan, pledges: Pledges) -> int:
    """The first dealer; the plan's, until it is drawn."""
    if not plan.draws_dealer or not pledges.settled:
        return plan.dealer
    return drawn_dealer(bytes.fromhex(plan.secret), pledges.nonces)


def new_secret() -> str:
    return secrets.token_hex(SECRET_BYTES)


def commitment(plan: Plan) -> str:
    """The server's commitment to the secret of a table: its SHA-256."""
    return hashlib.sha256(bytes.fromhex(plan.secret)).hexdigest()


def digest(nonce: str) -> str:
    """A player's commitment to a nonce: the SHA-256 of its text."""
    return hashlib.sha256(nonce.encode()).hexdigest()


def opened(plan: Plan, pledges: Pledges, events: Sequence[str]) -> dict[str, Any]:
    """The part of a match record about its shuffles; empty at a table without a secret, or with that of a day, which
    others still play with. Only for finished matches, as it includes the secret."""
    if not plan.secret or plan.day is not None:
        return {}
    played = plan.origin.events if plan.origin else 0
    return {
        "fair": {
            "commitment": commitment(plan),
            "secret": plan.secret,
            "pledged": pledges.pledged,
            "nonces": pledges.nonces,
            "from": sum(text.split(" ", 1)[0] in AWAITING for text in events[:played]),
            "dealer": plan.draws_dealer,
        }
    }
