"""Advice in words, for all user interfaces: how much better one move is than another, and how certain that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from upcard.engine.views import View
from upcard.rules import cards
from upcard.rules.phrases import counted, listed
from upcard.table.offers import label

if TYPE_CHECKING:
    from upcard.players.advice import Advice, Rated
    from upcard.players.review import Grade, Verdict

QUITE_SURE = 2.0
"""The gap, in margins of error, from which advice is called quite sure rather than fairly sure."""
FEW = 3
"""The most moves that are named in one line."""
SEEN = 0.005
"""The smallest share of matches won that is worth mentioning."""


class RatedMove(Struct):
    """A move, compared with the best."""

    text: str
    """In the notation."""
    label: str
    says: str
    """How much worse it is, in words."""
    worse: bool
    """Whether that is sure."""


class Hint(Struct):
    """Advice on a decision, from what its player sees."""

    seq: int
    """The number of the table's last entry at the time."""
    headline: str
    moves: list[RatedMove]
    """The best first."""
    passed: int
    """The number of other moves, which were dropped after a first look."""


class Mistake(Struct):
    """A decision that cost something on average."""

    events: int
    """The number of events of the match before it."""
    deal: int
    played: RatedMove
    better: RatedMove
    cost: float
    """In points."""
    margin: float
    says: str


class Wording:
    """Puts moves and gaps into words for the seat of a view."""

    def __init__(self, seen: View[Any], names: Sequence[str]) -> None:
        self._seen = seen
        self._names = names
        scene = seen.setup.scene(seen.state, seen.seat)
        self._worth = scene.worth
        self._unit = "point" if scene.pot is None else "chip"

    def label(self, rated: Rated) -> str:
        """The name of a move; a move that just plays a card is named by the card."""
        if not self._seen.game.notation.spec(rated.move).word:
            return cards.sign(rated.move)
        return label(self._seen.setup, rated.move, self._names, self._worth)

    def hint(self, advice: Advice, seq: int) -> Hint:
        """The hint for a decision; `seq` is the number of the table's last entry."""
        return Hint(seq, self._headline(advice), [self._rated(rated, advice) for rated in advice.moves], advice.passed)

    def mistake(self, verdict: Verdict) -> Mistake:
        """The mistake behind a verdict that found a surely better move."""
        played, best = verdict.played, verdict.advice.best
        says = f"{self._gap(played, verdict.advice, 'worse')} than {self.label(best)}, {_sure(played)}"
        moves = self._rated(played, verdict.advice), self._rated(best, verdict.advice)
        return Mistake(verdict.events, verdict.deal, *moves, round(played.cost, 3), round(played.margin, 3), says)

    def _headline(self, advice: Advice) -> str:
        best, close = self.label(advice.best), advice.close
        if len(advice.moves) == 1:
            return f"{best}: your only move"
        if len(close) == 1:
            next_best = advice.moves[1]
            gap = self._gap(next_best, advice, "better")
            return f"{best}: {gap} than {self.label(next_best)}, {_sure(next_best)}"
        if len(close) == len(advice.moves) and not advice.passed:
            return "It no longer makes a difference" if advice.exact else "Too close to tell which is best"
        named = [self.label(rated) for rated in close[:FEW]]
        named += [f"{len(close) - FEW} more"] if len(close) > FEW else []
        if advice.exact:
            return f"{listed(named, 'or')}: equally good, certain"
        return f"{listed(named, 'or')}: too close to tell, the others {'look' if advice.passed else 'are'} worse"

    def _rated(self, rated: Rated, advice: Advice) -> RatedMove:
        if rated is advice.best and len(advice.close) == 1:
            says = "best"
        elif rated.is_worse:
            margin = "" if advice.exact or _size(rated.margin) == "0" else f" (± {_size(rated.margin)})"
            says = f"{self._gap(rated, advice, 'worse')}{margin}, {_sure(rated)}"
        else:
            says = "as good as any" if advice.exact else "too close to tell"
        return RatedMove(rated.text, self.label(rated), says, rated.is_worse)

    def _gap(self, rated: Rated, advice: Advice, word: str) -> str:
        """The gap between a move and the best one; `word` is "worse" or "better", by which of the two it describes."""
        about = "" if advice.exact else "about "
        size = _size(rated.cost)
        parts = [f"{about}{size} {self._unit}{'s' * (size != '1')} {word}"] if rated.cost > 0 and size != "0" else []
        if rated.chance >= SEEN:
            parts.append(f"{100 * rated.chance:.0f} % {'fewer' if word == 'worse' else 'more'} matches won")
        return " and ".join(parts) or f"a little {word}"


def _size(number: float) -> str:
    return f"{number:.0f}" if number >= 9.95 else f"{number:.1f}".removesuffix(".0")


def _sure(rated: Rated) -> str:
    if rated.proven:
        return "proved"
    if rated.clear == float("inf"):
        return "certain"
    return "quite sure" if rated.clear >= QUITE_SURE else "fairly sure"


def grade_line(grades: Iterable[Grade]) -> str:
    """The numbers of decisions of each grade, on one line."""
    number = Counter(grades)
    if not number:
        return "0 decisions: there was nothing to choose"
    return (
        f"{counted(number.total(), 'decision')}: {number['best']} clearly the best, "
        f"{number['close']} too close to tell, {number['costly']} cost something"
    )
