"""Reviews: how good the decisions of a seat were, on average over the worlds that it could not tell apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from upcard.engine.match import Match
from upcard.engine.views import View
from upcard.players.advice import Advice, Rated, advise
from upcard.players.thinking_limits import Limit, Rollouts

REVIEW = Rollouts(4_000)
"""The limit for each decision."""

Grade = Literal["best", "close", "costly"]


@dataclass(frozen=True)
class Decision:
    """A moment of a match at which a seat had a choice."""

    events: int
    """The number of events of the match before it."""
    deal: int
    seen: View[Any]
    """The seat's view at that moment."""
    move: int
    """The move it made."""


@dataclass(frozen=True)
class Verdict:
    """How good a decision was, on average over the worlds that its seat could not tell apart."""

    events: int
    deal: int
    played: Rated
    advice: Advice

    @property
    def grade(self) -> Grade:
        """Whether it was clearly best, too close to tell, or cost something."""
        if self.played.is_worse:
            return "costly"
        return "best" if self.advice.exact or len(self.advice.close) == 1 else "close"

    @property
    def better(self) -> Rated | None:
        """A surely better move; None if there is none."""
        return self.advice.best if self.played.is_worse else None


def decisions(match: Match[Any], seat: int) -> Iterator[Decision]:
    """Every moment of a match at which a seat had a choice, in order. Raises UpcardError for an invalid seat."""
    match.view(seat)
    now: Match[Any] = Match(match.setup, dealer=match.first_dealer)
    for number, event in enumerate(match.events):
        if event.seat == seat:
            seen = now.view(seat)
            if len(seen.legal_moves()) > 1:
                yield Decision(number, seen.state.deals, seen, event.move)
        now.event(event.text)


def judge(decision: Decision, limit: Limit = REVIEW, seed: int = 0) -> Verdict:
    """How good a decision was, judged by its seat's view alone: neither the true cards nor later events count."""
    advice = advise(decision.seen, limit, Random(seed), also=decision.move)
    played = next(rated for rated in advice.moves if rated.move == decision.move)
    return Verdict(decision.events, decision.deal, played, advice)


def review(match: Match[Any], seat: int, limit: Limit = REVIEW, seed: int = 0) -> Iterator[Verdict]:
    """How good each decision of a seat was, in order. Raises UpcardError for an invalid seat."""
    for decision in decisions(match, seat):
        yield judge(decision, limit, seed)


def costliest(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """The decisions that were surely not the best, the costliest first."""
    return sorted((one for one in verdicts if one.better), key=lambda one: -one.played.loss)
