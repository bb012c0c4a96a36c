"""Scenes in lines of text without layout, for screen readers, pipes and tests."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from upcard.languages.catalogs import DEFAULT
from upcard.languages.localizing import localized, reader, text_for_reader
from upcard.rules import cards
from upcard.rules.sentences import Sentence, in_context
from upcard.table.advising import Hint
from upcard.table.offers import Move, Pick
from upcard.table.scene import LastTrick, MarkView, SceneView, SeatOrDummy, SeatView, ZoneView
from upcard.terminal import choosing

Style = Callable[[str], str]
"""A function that rewrites a text in a style of cards and suits; the text has them in the notation or as signs."""

FEW = 16
"""The most moves that are listed without a request."""
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
        rank = in_context("rank", _RANK_WORDS[match[1].replace("10", "T")])
        return localized("{rank} of {suit}", rank=rank, suit=_suit_name(_SIGNS.get(match[2], match[2])))

    return _suits(_JOKER.sub(localized("joker"), _SIGNED.sub(name, text)))


def _suits(text: str) -> str:
    """Write suit signs on their own as words, and dots between phrases as commas, which screen readers read as
    pauses."""
    for sign, suit in _SIGNS.items():
        if sign in text:
            text = text.replace(sign, text_for_reader(_suit_name(suit)))
    return text.replace(" · ", ", ")


def _suit_name(suit: str) -> Sentence:
    return in_context("suit", _SUIT_WORDS[suit])


def in_small(text: str) -> str:
    """A label within a line: in small letters, where the language has no capitals within sentences."""
    return text.lower() if reader.get() == DEFAULT else text


# ------------------------------------------------------------------------------------------------------- the table


def listed_text(shown: Iterable[str]) -> str:
    return ", ".join(shown) or text_for_reader(in_context("cards", "none"))


def hand(scene: SceneView) -> str:
    held = scene.hand
    line = localized(
        "Your hand, {n} card: {cards}", "Your hand, {n} cards: {cards}", n=len(held), cards=listed_text(held)
    )
    return localized("{hand}; open to all: {cards}", hand=line, cards=listed_text(scene.open)) if scene.open else line


def headline(title: str, scene: SceneView) -> str:
    """The title of the game and the scene's headline."""
    return " · ".join(filter(None, (title, scene.headline)))


def owner(drawn: ZoneView, names: Sequence[str]) -> str:
    """The name of a zone's owner; empty if it has none, or if the label addresses them already."""
    addressing = text_for_reader(in_context("words for the reader, in small letters", "you your")).split()
    says_it = not {*addressing}.isdisjoint(drawn.label.lower().split())
    return "" if drawn.owner is None or says_it else names[drawn.owner]


def zone(drawn: ZoneView, names: Sequence[str]) -> str:
    """One zone on one line."""
    whose = owner(drawn, names)
    is_number = drawn.role == "meld" and drawn.label.isdigit()
    label = localized("Meld {number}", number=drawn.label) if is_number else drawn.label
    label += f", {whose}" if whose else ""
    if drawn.role == "trick":
        return f"{label}: {played(drawn.cards, drawn.seats, names)}"
    hidden = drawn.count - len(drawn.cards)
    if drawn.role in ("pile", "discard", "stock", "upcard") and len(drawn.cards) > 1:
        one, many = "{zone}: {card} on top of {n} card", "{zone}: {card} on top of {n} cards"
        return localized(one, many, zone=label, card=drawn.cards[-1], n=drawn.count)
    if not hidden:
        return f"{label}: {listed_text(drawn.cards) if drawn.cards else localized('empty')}"
    below = localized("{n} card face down", "{n} cards face down", n=hidden)
    return f"{label}: {_both(listed_text(drawn.cards), below) if drawn.cards else below}"


def _both(one: str, other: str) -> str:
    return localized("{several} and {last}", several=one, last=other)


def played(shown: Sequence[str], seats: Sequence[SeatOrDummy], names: Sequence[str]) -> str:
    """Who played what, in order."""
    return listed_text(f"{seat_name(seat, names)} {card}" for card, seat in zip(shown, seats, strict=True))


def seat_name(who: SeatOrDummy, names: Sequence[str]) -> str:
    """The name of a seat's player, or "Dummy"."""
    return names[who] if isinstance(who, int) else localized("Dummy")


def last_trick(last: LastTrick | None, names: Sequence[str]) -> str:
    if last is None:
        return localized("There is no finished trick in this deal.")
    took = seat_name(last.taker, names)
    return localized("Last trick: {cards}; {name} took it", cards=played(last.cards, last.seats, names), name=took)


def seat(drawn: SeatView, names: Sequence[str]) -> str:
    """One seat on one line."""
    opened = localized("open: {cards}", cards=" ".join(drawn.open)) if drawn.open else ""
    score = localized("score {score}", score=drawn.score)
    facts = [side(drawn), cards_held(drawn), opened, *mark_lines(drawn.marks), score, *flags(drawn)]
    return f"{names[drawn.seat]}: {', '.join(filter(None, facts))}"


def side(drawn: SeatView) -> str:
    """The side of a seat, where several score together; otherwise empty."""
    return "" if drawn.side is None else localized("side {number}", number=drawn.side + 1)


def cards_held(drawn: SeatView) -> str:
    """How many cards a seat holds."""
    return localized("{n} card", "{n} cards", n=drawn.cards)


def flags(drawn: SeatView) -> list[str]:
    """Whether a seat deals, and whether it leads."""
    return [*[localized("dealer")] * drawn.dealer, *[localized("leader")] * drawn.leader]


def mark_lines(shown: Sequence[MarkView]) -> list[str]:
    return [f"{in_small(mark.label)} {mark.value}" for mark in shown]


def table_lines(scene: SceneView, names: Sequence[str]) -> list[str]:
    """Everything face up on the table except the hand."""
    lines = [scene.headline]
    lines += [seat(drawn, names) for drawn in scene.seats]
    lines += [zone(drawn, names) for drawn in scene.zones]
    if scene.ahead is not None:
        lines.append(localized("Ahead in the trick: {name}", name=seat_name(scene.ahead, names)))
    return lines


def scores(scene: SceneView, names: Sequence[str]) -> list[str]:
    """The scores, and how the last deal ended."""
    lines = _standing(scene, names)
    if not scene.finished and not scene.result:
        return lines
    return [*lines, localized("The last deal:"), *scene.result, *_finished(scene, names)]


def deal_end(scene: SceneView, names: Sequence[str]) -> list[str]:
    """How the finished deal ended, and the scores after it."""
    standing = _standing(scene, names)
    lines = [*scene.result, *_finished(scene, names)]
    return [*lines, *([""] if lines else []), *standing]


def _standing(scene: SceneView, names: Sequence[str]) -> list[str]:
    return [localized("{name}: score {score}", name=names[one.seat], score=one.score) for one in scene.seats]


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
            lines.append(localized("New in your hand: {cards}", cards=listed_text(drawn_cards.elements())))
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
        *([localized("and {left} more: type moves for all of them", left=left)] if left else []),
    ]


def all_moves(scene: SceneView) -> list[str]:
    """All legal moves."""
    moves = choosing.sorted_moves(scene.offers, scene.hand)
    return [*numbered(moves), *map(pick_text, scene.offers.picks)] or [localized("Nothing just now.")]


def afterwards(match: str) -> list[str]:
    """The ways to look at a match that is over, by its name."""
    return [
        localized("To watch it again with all cards open: {command}", command=f"upcard watch {match}"),
        localized("To find the costliest moves: {command}", command=f"upcard review {match}"),
    ]


def hint_waits() -> str:
    return localized("Thinking about a hint; the first one in a game takes up to a minute.")


def hint_lines(hint: Hint) -> list[str]:
    """A hint in lines, the best move first."""
    lines = [f"{move.label}: {move.says}" for move in hint.moves[:FEW_ADVISED]]
    left = len(hint.moves) - FEW_ADVISED + hint.passed
    reason = [hint.reason.says] if hint.reason else []
    rest = [localized("and {n} more", "and {n} more", n=left)] if left > 0 else []
    return [hint.headline, *reason, *(lines if len(hint.moves) > 1 else []), *rest]


def numbered(moves: Sequence[Move]) -> list[str]:
    """The moves with their numbers: plays of cards on one line, each other move on its own."""
    with_numbers = list(enumerate(moves, 1))
    plays = [f"{number} {move.text}" for number, move in with_numbers if move.verb == ""]
    lines = [localized("You may play: {moves}", moves=listed_text(plays))] if plays else []
    return lines + [f"{number} {move_text(move)}" for number, move in with_numbers if move.verb != ""]


def move_text(move: Move) -> str:
    """A move's text with its label, unless they are the same."""
    return move.text if in_letters(move.label).lower() == move.text.lower() else f"{move.text}: {move.label}"


def pick_text(pick: Pick) -> str:
    """A pick as text: "bid and 3 cards of: As Kd …"."""
    low, high = pick.sizes[0], pick.sizes[-1]
    places = {"verb": pick.verb, "cards": " ".join(pick.cards)}
    if low != high:
        return localized("{verb} and {low} to {high} cards of: {cards}", low=low, high=high, **places).strip()
    return localized("{verb} and {n} card of: {cards}", "{verb} and {n} cards of: {cards}", n=low, **places).strip()
