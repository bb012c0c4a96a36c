"""Scenes in lines of text without layout, for screen readers, pipes and tests."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from upcard.rules import cards
from upcard.rules.phrases import counted
from upcard.table.advising import Hint
from upcard.table.offers import Move, Pick
from upcard.table.scene import LastTrick, MarkView, SceneView, SeatOrDummy, SeatView, ZoneView
from upcard.terminal import choosing

Style = Callable[[str], str]
"""A function that rewrites a text in a style of cards and suits; the text has them in the notation or as signs."""

FEW = 16
"""The most moves that are listed without a request."""
HINT_WAITS = "Thinking about a hint; the first one in a game takes up to a minute."
FEW_ADVISED = 8
"""The most moves that are compared in a hint."""

# ------------------------------------------------------------------------------------------------- cards and suits

_SIGNED = re.compile(r"(?<![\w♣♦♥♠])(10|[2-9TJQKA])([♣♦♥♠cdhs])(?!\w)")
_SIGNS = dict(zip(cards.SUIT_SIGNS, cards.SUITS, strict=True))
_SUIT_WORDS = dict(zip(cards.SUITS, cards.SUIT_NAMES, strict=True))
_RANK_WORDS = dict(zip(cards.RANKS, cards.RANK_NAMES, strict=True))
_JOKER = re.compile(r"(?<![\w*])\*(?![\w*])")


def in_letters(text: str) -> str:
    """Cards as they are typed: `Kh`."""
    text = _SIGNED.sub(lambda match: match[1].replace("10", "T") + _SIGNS.get(match[2], match[2]), text)
    return _suits(text)


def in_full(text: str) -> str:
    """Cards in words: `king of hearts`."""

    def name(match: re.Match[str]) -> str:
        suit = _SIGNS.get(match[2], match[2])
        return f"{_RANK_WORDS[match[1].replace('10', 'T')]} of {_SUIT_WORDS[suit]}"

    return _suits(_JOKER.sub("joker", _SIGNED.sub(name, text)))


def _suits(text: str) -> str:
    """Write suit signs on their own as words, and dots between phrases as commas, which screen readers read as
    pauses."""
    for sign, suit in _SIGNS.items():
        text = text.replace(sign, _SUIT_WORDS[suit])
    return text.replace(" · ", ", ")


# ------------------------------------------------------------------------------------------------------- the table


def listed_text(shown: Iterable[str]) -> str:
    return ", ".join(shown) or "none"


def hand(scene: SceneView) -> str:
    held = scene.hand
    opened = f"; open to all: {listed_text(scene.open)}" if scene.open else ""
    return f"Your hand, {counted(len(held), 'card')}: {listed_text(held)}{opened}"


def headline(title: str, scene: SceneView) -> str:
    """The title of the game and the scene's headline."""
    return " · ".join(filter(None, (title, scene.headline)))


def owner(drawn: ZoneView, names: Sequence[str]) -> str:
    """The name of a zone's owner; empty if it has none, or if the label already names the owner."""
    return "" if drawn.owner is None or drawn.label.startswith("You ") else names[drawn.owner]


def zone(drawn: ZoneView, names: Sequence[str]) -> str:
    """One zone on one line."""
    whose = owner(drawn, names)
    number = "Meld " if drawn.role == "meld" and drawn.label.isdigit() else ""
    label = f"{number}{drawn.label}" + (f", {whose}" if whose else "")
    if drawn.role == "trick":
        return f"{label}: {played(drawn.cards, drawn.seats, names)}"
    hidden = drawn.count - len(drawn.cards)
    if drawn.role in ("pile", "discard", "stock", "upcard") and len(drawn.cards) > 1:
        return f"{label}: {drawn.cards[-1]} on top of {counted(drawn.count, 'card')}"
    parts = [listed_text(drawn.cards)] if drawn.cards else []
    if hidden:
        parts.append(f"{counted(hidden, 'card')} face down")
    return f"{label}: {' and '.join(parts) or 'empty'}"


def played(shown: Sequence[str], seats: Sequence[SeatOrDummy], names: Sequence[str]) -> str:
    """Who played what, in order."""
    return listed_text(f"{seat_name(seat, names)} {card}" for card, seat in zip(shown, seats, strict=True))


def seat_name(who: SeatOrDummy, names: Sequence[str]) -> str:
    """The name of a seat's player, or "Dummy"."""
    return names[who] if isinstance(who, int) else who.capitalize()


def last_trick(last: LastTrick | None, names: Sequence[str]) -> str:
    if last is None:
        return "There is no finished trick in this deal."
    return f"Last trick: {played(last.cards, last.seats, names)}; {seat_name(last.taker, names)} took it"


def seat(drawn: SeatView, names: Sequence[str]) -> str:
    """One seat on one line."""
    side = "" if drawn.side is None else f"side {drawn.side + 1}"
    flags = [word for word in ("dealer", "leader") if getattr(drawn, word)]
    opened = f"open: {' '.join(drawn.open)}" if drawn.open else ""
    facts = [side, counted(drawn.cards, "card"), opened, *mark_lines(drawn.marks), f"score {drawn.score}", *flags]
    return f"{names[drawn.seat]}: {', '.join(filter(None, facts))}"


def mark_lines(shown: Sequence[MarkView]) -> list[str]:
    return [f"{mark.label.lower()} {mark.value}" for mark in shown]


def table_lines(scene: SceneView, names: Sequence[str]) -> list[str]:
    """Everything face up on the table except the hand."""
    lines = [scene.headline]
    lines += [seat(drawn, names) for drawn in scene.seats]
    lines += [zone(drawn, names) for drawn in scene.zones]
    if scene.ahead is not None:
        lines.append(f"Ahead in the trick: {seat_name(scene.ahead, names)}")
    return lines


def scores(scene: SceneView, names: Sequence[str]) -> list[str]:
    """The scores, and how the last deal ended."""
    lines = [f"{names[one.seat]}: score {one.score}" for one in scene.seats]
    if not scene.finished and not scene.result:
        return lines
    return [*lines, "The last deal:", *scene.result, *_finished(scene, names)]


def deal_end(scene: SceneView, names: Sequence[str]) -> list[str]:
    """How the finished deal ended, and the scores after it."""
    standing = [f"{names[one.seat]}: score {one.score}" for one in scene.seats]
    lines = [*scene.result, *_finished(scene, names)]
    return [*lines, *([""] if lines else []), *standing]


def _finished(scene: SceneView, names: Sequence[str]) -> list[str]:
    return [f"{names[i]}: {listed_text(mark_lines(shown))}" for i, shown in enumerate(scene.finished) if shown]


def unlogged_changes(before: SceneView | None, after: SceneView, names: Sequence[str]) -> list[str]:
    """The changes that are not in the log: the headline, zones other than the trick, cards drawn.

    Piles that only shrank are omitted; `table_lines` includes them.
    """
    lines = [after.headline] if before is None or after.headline != before.headline else []
    known = {drawn.id: (drawn.label, drawn.cards) for drawn in before.zones} if before else {}
    for drawn in after.zones:
        if drawn.role != "trick" and known.pop(drawn.id, None) != (drawn.label, drawn.cards):
            lines.append(zone(drawn, names))
    if before and after.deal == before.deal:
        drawn_cards: Counter[str] = Counter(after.hand) - Counter(before.hand)
        if drawn_cards:
            lines.append(f"New in your hand: {listed_text(drawn_cards.elements())}")
    return lines


# ----------------------------------------------------------------------------------------------------------- moves


def few_moves(scene: SceneView) -> list[str]:
    """The legal moves, abbreviated if there are many."""
    moves = choosing.sorted_moves(scene.offers, scene.hand)
    if len(moves) <= FEW:
        return [*numbered(moves), *map(pick_text, scene.offers.picks)]
    plays = [move for move in moves if move.verb == ""]
    lines = numbered(plays)
    rest = moves[len(plays) :]
    in_rows = {text for row in scene.offers.rows for text in row.texts}
    lines += [f"{row.title}: {' '.join(row.words)}" for row in scene.offers.rows[:FEW]]
    others = [(i, move) for i, move in enumerate(rest, len(plays) + 1) if move.text not in in_rows]
    lines += [f"{number} {move_text(move)}" for number, move in others[:FEW]]
    left = len(others[FEW:]) + len(scene.offers.rows[FEW:])
    return [
        *lines,
        *map(pick_text, scene.offers.picks),
        *([f"and {left} more: type moves for all of them"] if left else []),
    ]


def all_moves(scene: SceneView) -> list[str]:
    """All legal moves."""
    moves = choosing.sorted_moves(scene.offers, scene.hand)
    return [*numbered(moves), *map(pick_text, scene.offers.picks)] or ["Nothing just now."]


def hint_lines(hint: Hint) -> list[str]:
    """A hint in lines, the best move first."""
    lines = [f"{move.label}: {move.says}" for move in hint.moves[:FEW_ADVISED]]
    left = len(hint.moves) - FEW_ADVISED + hint.passed
    reason = [hint.reason.says] if hint.reason else []
    rest = [f"and {left} more"] if left > 0 else []
    return [hint.headline, *reason, *(lines if len(hint.moves) > 1 else []), *rest]


def numbered(moves: Sequence[Move]) -> list[str]:
    """The moves with their numbers: plays of cards on one line, each other move on its own."""
    with_numbers = list(enumerate(moves, 1))
    plays = [f"{number} {move.text}" for number, move in with_numbers if move.verb == ""]
    lines = [f"You may play: {listed_text(plays)}"] if plays else []
    return lines + [f"{number} {move_text(move)}" for number, move in with_numbers if move.verb != ""]


def move_text(move: Move) -> str:
    """A move's text with its label, unless they are the same."""
    return move.text if in_letters(move.label).lower() == move.text.lower() else f"{move.text}: {move.label}"


def pick_text(pick: Pick) -> str:
    """A pick as text: "bid and 3 cards of: As Kd …"."""
    low, high = pick.sizes[0], pick.sizes[-1]
    number = counted(low, "card") if low == high else f"{low} to {high} cards"
    return f"{pick.verb} and {number} of: {' '.join(pick.cards)}".strip()
