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
    from upcard.players.reasons import Reason
    from upcard.players.review import Grade, Verdict

QUITE_SURE = 2.0
"""The gap, in margins of error, from which advice is called quite sure rather than fairly sure, if a second judgement
confirms it."""
NOTABLE = 5
"""The smallest difference, in deals of a hundred, that a reason mentions."""
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


class HintReason(Struct):
    """The reason for the best move."""

    says: str
    """In sentences."""
    moves: list[str]
    """The moves that it is about, in the notation: those of a way out, or a worse move and the answer to it."""
    reached: int | None
    """In how many of `deals` the player reaches what they try to do, after the best move; None if none were tried."""
    deals: int


class Hint(Struct):
    """Advice on a decision, from what its player sees."""

    seq: int
    """The number of the table's last entry at the time."""
    headline: str
    moves: list[RatedMove]
    """The best first."""
    passed: int
    """The number of other moves, which were dropped after a first look."""
    reason: HintReason | None
    """None if there is nothing to choose."""


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
        return self._label(rated.move)

    def _label(self, move: int) -> str:
        if not self._seen.game.notation.spec(move).word:
            return cards.sign(move)
        return label(self._seen.setup, move, self._names, self._worth)

    def hint(self, advice: Advice, seq: int) -> Hint:
        """The hint for a decision; `seq` is the number of the table's last entry."""
        moves = [self._rated(rated, advice) for rated in advice.moves]
        return Hint(seq, self._headline(advice), moves, advice.passed, self._reason(advice))

    def _reason(self, advice: Advice) -> HintReason | None:
        """The reason for the best move, in sentences."""
        reason = advice.reason
        if reason is None:
            return None
        if reason.is_known:
            moves = [move for move in (reason.against, reason.answer) if move is not None]
            says = self._refutation(reason, advice)
        elif reason.way_out is not None:
            moves = [advice.best.move, *reason.way_out]
            says = self._way_out(reason.way_out)
        else:
            moves = [move for move in (advice.best.move, reason.against) if move is not None]
            says = self._chances(reason, advice)
        tried = reason.deals > 0
        texts = [self._seen.game.notation.text(move) for move in moves]
        return HintReason(says, texts, reason.reached if tried else None, reason.deals)

    def _refutation(self, reason: Reason, advice: Advice) -> str:
        if reason.against is None:
            return "All cards are known, and every move leads to the same end."
        worse = next(rated for rated in advice.moves if rated.move == reason.against)
        gap = self._gap(worse, advice, "worse")
        if reason.answer is None:
            return f"All cards are known: {self._name(reason.against)} ends {gap}."
        answer = self._name(reason.answer)
        return f"All cards are known: {self._name(reason.against)} is answered by {answer} and ends {gap}."

    def _way_out(self, line: Sequence[int]) -> str:
        if not line:
            return "It ends the deal at once."
        return f"The way out: then {listed([self._name(move) for move in line])}, and the deal is over."

    def _chances(self, reason: Reason, advice: Advice) -> str:
        sentences = []
        if reason.takes:
            sentences.append(f"Nothing can beat {self._name(advice.best.move)}.")
        if reason.proven is not None:
            worse = self._name(reason.proven)
            sentences.append(f"Whatever the others hold, {worse} is never better than another move.")
        share = f"You {reason.objective} in {reason.reached} of {reason.deals} deals"
        less = reason.reached_against
        if reason.against is not None and less is not None and less <= reason.reached - NOTABLE:
            share += f", after {self._name(reason.against)} in {less}"
        return " ".join([*sentences, f"{share}."])

    def _name(self, move: int) -> str:
        """The name of a move within a sentence."""
        name = self._label(move)
        return name[:1].lower() + name[1:] if self._seen.game.notation.spec(move).word else name

    def mistake(self, verdict: Verdict) -> Mistake:
        """The mistake behind a verdict that found a surely better move."""
        played, best = verdict.played, verdict.advice.best
        says = f"{self._gap(played, verdict.advice, 'worse')} than {self.label(best)}, {sureness(played)}"
        moves = self._rated(played, verdict.advice), self._rated(best, verdict.advice)
        return Mistake(verdict.events, verdict.deal, *moves, round(played.cost, 3), round(played.margin, 3), says)

    def _headline(self, advice: Advice) -> str:
        best, close = self.label(advice.best), advice.close
        if len(advice.moves) == 1:
            return f"{best}: your only move"
        if len(close) == 1:
            next_best = advice.moves[1]
            gap = self._gap(next_best, advice, "better")
            return f"{best}: {gap} than {self.label(next_best)}, {sureness(next_best)}"
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
            says = f"{self._gap(rated, advice, 'worse')}{margin}, {sureness(rated)}"
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


def sureness(rated: Rated) -> str:
    if rated.proven:
        return "proved"
    if rated.clear == float("inf"):
        return "certain"
    return "quite sure" if rated.clear >= QUITE_SURE and rated.is_confirmed else "fairly sure"


def grade_line(grades: Iterable[Grade]) -> str:
    """The numbers of decisions of each grade, on one line."""
    number = Counter(grades)
    if not number:
        return "0 decisions: there was nothing to choose"
    return (
        f"{counted(number.total(), 'decision')}: {number['best']} clearly the best, "
        f"{number['close']} too close to tell, {number['costly']} cost something"
    )
