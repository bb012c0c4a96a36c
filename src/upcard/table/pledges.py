"""What the shuffles of a table are made of: the secret of the server, and what the players add to it.

The server is bound to its secret by the SHA-256 of it, which everybody is told with the table. Whoever sits down may
pledge a nonce by its SHA-256; when every seat is taken, the nonces are revealed, and from then on nobody has a choice
any more. What follows from them is `upcard.engine.chance.FairStream`.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import Any

from upcard.engine.fairness import drawn_dealer
from upcard.rules.state import AWAITING
from upcard.table.journal import Plan
from upcard.table.seats import Place

SECRET_BYTES = 64
TIME = 10.0
"""Seconds in which a pledged nonce must be given."""


class Pledges:
    """What each seat has pledged and given at one table."""

    def __init__(self, plan: Plan) -> None:
        self.since: float | None = None
        """When the last seat was taken."""
        self.pledged: list[str | None] = [None] * plan.players
        self.nonces: list[str | None] = [None] * plan.players
        self.settled = not plan.secret
        """Whether the shuffles are fixed."""

    def begin(self, at: float, places: Sequence[Place]) -> None:
        """Every seat is taken: what was pledged so far counts."""
        self.since = at
        self.pledged = [place.pledge for place in places]

    def reveal(self, seat: int, nonce: str) -> None:
        self.nonces[seat] = nonce

    def settle(self) -> None:
        self.settled = True

    @property
    def until(self) -> float | None:
        """The time up to which nonces are waited for."""
        return None if self.since is None or self.settled else self.since + TIME

    def waits_for(self, places: Sequence[Place]) -> list[int]:
        """The seats whose nonce is waited for."""
        if self.since is None or self.settled:
            return []
        due = [self.pledged[seat] if self.nonces[seat] is None else None for seat in range(len(places))]
        return [seat for seat, place in enumerate(places) if due[seat] is not None and place.pledge == due[seat]]


def first_dealer(plan: Plan, pledges: Pledges) -> int:
    """The seat that deals first, as far as that is known."""
    if not plan.draws_dealer or not pledges.settled:
        return plan.dealer
    return drawn_dealer(bytes.fromhex(plan.secret), pledges.nonces)


def new_secret() -> str:
    return secrets.token_hex(SECRET_BYTES)


def commitment(plan: Plan) -> str:
    """What binds the server to the secret of a table."""
    return hashlib.sha256(bytes.fromhex(plan.secret)).hexdigest()


def digest(nonce: str) -> str:
    """What binds a player to a nonce."""
    return hashlib.sha256(nonce.encode()).hexdigest()


def opened(plan: Plan, pledges: Pledges, events: Sequence[str]) -> dict[str, Any]:
    """What a match record tells about its shuffles. Only for a match that is over: it has the secret."""
    if not plan.secret:
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
