"""Advice in words, for all user interfaces: how much better one move is than another, and how certain that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from upcard.engine.views import View
from upcard.rules import cards
from upcard.rules.sentences import Sentence, joined_by, listed, lower_first, sentence
from upcard.table.offers import label

if TYPE_CHECKING:
    from upcard.players.advice import Advice, Rated
    from upcard.players.reasons import Reason
    from upcard.players.review import Grade, Verdict

QUITE_SURE = 2.0
"""The gap, in margins of error, from which advice is called quite sure rather than fairly sure. Both judgements must
find it, since the two share some errors."""
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
    """In points or chips."""
    margin: float
    says: str
    unit: str = "point"
    """The unit of its cost: "point" or "chip"."""


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

    def _refutation(self, reason: Reason, advice: Advice) -> Sentence:
        if reason.against is None:
            return sentence("All cards are known, and every move leads to the same end.")
        worse = next(rated for rated in advice.moves if rated.move == reason.against)
        gap, move = self._gap(worse, advice, "worse"), self._name(reason.against)
        if reason.answer is None:
            return sentence("All cards are known: {move} ends {gap}.", move=move, gap=gap)
        message = "All cards are known: {move} is answered by {answer} and ends {gap}."
        return sentence(message, move=move, answer=self._name(reason.answer), gap=gap)

    def _way_out(self, line: Sequence[int]) -> Sentence:
        if not line:
            return sentence("It ends the deal at once.")
        moves = listed([self._name(move) for move in line])
        return sentence("The way out: then {moves}, and the deal is over.", moves=moves)

    def _chances(self, reason: Reason, advice: Advice) -> Sentence:
        sentences = []
        if reason.takes:
            sentences.append(sentence("Nothing can beat {move}.", move=self._name(advice.best.move)))
        if reason.proven is not None:
            message = "Whatever the others hold, {move} is never better than another move."
            sentences.append(sentence(message, move=self._name(reason.proven)))
        less = reason.reached_against
        places: dict[str, Any] = {"reached": reason.reached, "deals": reason.deals}
        reached, reached_otherwise = share_messages(reason.objective)
        if reason.against is not None and less is not None and less <= reason.reached - NOTABLE:
            places |= {"move": self._name(reason.against), "less": less}
            reached = reached_otherwise
        sentences.append(sentence(reached, **places).of(self._seen.game))
        return joined_by(" ", sentences)

    def _name(self, move: int) -> str:
        """The name of a move within a sentence."""
        name = self._label(move)
        return lower_first(name) if self._seen.game.notation.spec(move).word else name

    def mistake(self, verdict: Verdict) -> Mistake:
        """The mistake behind a verdict that found a surely better move."""
        played, best = verdict.played, verdict.advice.best
        says = sentence(
            "{gap} than {move}, {sureness}",
            gap=self._gap(played, verdict.advice, "worse"),
            move=self.label(best),
            sureness=sureness(played),
        )
        moves = self._rated(played, verdict.advice), self._rated(best, verdict.advice)
        return Mistake(
            verdict.events, verdict.deal, *moves, round(played.cost, 3), round(played.margin, 3), says, self._unit
        )

    def _headline(self, advice: Advice) -> Sentence:
        best, close = self.label(advice.best), advice.close
        if len(advice.moves) == 1:
            return sentence("{move}: your only move", move=best)
        if len(close) == 1:
            next_best = advice.moves[1]
            gap, other = self._gap(next_best, advice, "better"), self.label(next_best)
            sure = sureness(next_best)
            return sentence(
                "{move}: {gap} than {other_move}, {sureness}", move=best, gap=gap, other_move=other, sureness=sure
            )
        if len(close) == len(advice.moves) and not advice.passed:
            if advice.exact:
                return sentence("It no longer makes a difference")
            return sentence("Too close to tell which is best")
        named: list[str] = [self.label(rated) for rated in close[:FEW]]
        named += [sentence("{number} more", number=len(close) - FEW)] if len(close) > FEW else []
        moves = listed(named, "or")
        if advice.exact:
            return sentence("{moves}: equally good, certain", moves=moves)
        if advice.passed:
            return sentence("{moves}: too close to tell, the others look worse", moves=moves)
        return sentence("{moves}: too close to tell, the others are worse", moves=moves)

    def _rated(self, rated: Rated, advice: Advice) -> RatedMove:
        if rated is advice.best and len(advice.close) == 1:
            says = sentence("best")
        elif rated.is_worse:
            about = {"gap": self._gap(rated, advice, "worse"), "sureness": sureness(rated)}
            if advice.exact or _size(rated.margin) == "0":
                says = sentence("{gap}, {sureness}", **about)
            else:
                says = sentence("{gap} (± {margin}), {sureness}", **about, margin=_size(rated.margin))
        else:
            says = sentence("as good as any") if advice.exact else sentence("too close to tell")
        return RatedMove(rated.text, self.label(rated), says, rated.is_worse)

    def _gap(self, rated: Rated, advice: Advice, word: Literal["worse", "better"]) -> Sentence:
        """The gap between a move and the best one; `word` is "worse" or "better", by which of the two it describes."""
        size, share = _size(rated.cost), rated.chance >= SEEN
        percent = f"{100 * rated.chance:.0f}"
        if rated.cost > 0 and size != "0":
            one, many = GAPS[self._unit, word, "" if advice.exact else "about ", share]
            return sentence(one, many, n=int(size) if size.isdecimal() else 2, size=size, percent=percent)
        if share:
            return sentence(GAPS_IN_MATCHES[word], percent=percent)
        return sentence("a little worse") if word == "worse" else sentence("a little better")


def share_messages(objective: str) -> tuple[str, str]:
    """The messages of how often a player meets an objective: `You win the deal in 60 of 100 deals.`, and the same with
    how often they do after another move."""
    share = f"You {objective} in {{reached}} of {{deals}} deals"
    return f"{share}.", f"{share}, after {{move}} in {{less}}."


GAPS_IN_MATCHES = {"worse": "{percent} % fewer matches won", "better": "{percent} % more matches won"}
GAPS = {
    (unit, word, about, share): tuple(
        f"{about}{{size}} {noun} {word}" + (f" and {GAPS_IN_MATCHES[word]}" if share else "")
        for noun in (unit, f"{unit}s")
    )
    for unit in ("point", "chip")
    for word in ("worse", "better")
    for about in ("", "about ")
    for share in (False, True)
}
"""The messages of gaps between two moves, for one point or chip and for several."""


def _size(number: float) -> str:
    """A number with one decimal place if it is small; languages differ in the decimal mark."""
    whole, _, tenths = (f"{number:.0f}" if number >= 9.95 else f"{number:.1f}".removesuffix(".0")).partition(".")
    return sentence("{whole}.{tenths}", whole=whole, tenths=tenths) if tenths else whole


def sureness(rated: Rated) -> Sentence:
    """How sure it is that a move is worse."""
    if rated.proven:
        return sentence("proved")
    if rated.clear == float("inf"):
        return sentence("certain")
    if rated.second is not None and min(rated.clear, rated.second) >= QUITE_SURE:
        return sentence("quite sure")
    return sentence("fairly sure")


def grade_line(grades: Iterable[Grade]) -> Sentence:
    """The numbers of decisions of each grade, on one line."""
    number = Counter(grades)
    if not number:
        return sentence("0 decisions: there was nothing to choose")
    return sentence(
        "{n} decision: {best} clearly the best, {close} too close to tell, {costly} cost something",
        "{n} decisions: {best} clearly the best, {close} too close to tell, {costly} cost something",
        n=number.total(),
        best=number["best"],
        close=number["close"],
        costly=number["costly"],
    )
