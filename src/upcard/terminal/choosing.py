"""The moves that a person can mean by pointing at or selecting cards, derived from the table's offers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from upcard.languages.localizing import localized
from upcard.rules import cards
from upcard.table.offers import ButtonRow, Move, Offers, Pick

MOST_SHOWN = 24
"""The most moves with several cards that are shown at once."""


@dataclass(frozen=True)
class Choice:
    """A choice: one move, or several that are made one after the other."""

    label: str
    texts: tuple[str, ...]
    asks: str = ""


@dataclass
class Bar:
    """The choices available with the present selection of cards."""

    choices: list[Choice] = field(default_factory=list)
    rows: list[tuple[str, list[Choice]]] = field(default_factory=list)
    """Moves that differ in one word, under their title."""
    hint: str = ""


def sorted_moves(offers: Offers, hand: Sequence[str]) -> list[Move]:
    """The moves in the order of their numbers in lists: by verb, and those of a single card in the order of the
    hand."""
    place = {card: i for i, card in enumerate(hand)}
    verbs = ["", *(move.verb for move in offers.moves)]

    def key(move: Move) -> tuple[int, int]:
        return verbs.index(move.verb), place.get(move.cards[0], len(place)) if len(move.cards) == 1 else 0

    return sorted(offers.moves, key=key)


def playable(offers: Offers) -> set[str]:
    """The cards named by at least one move."""
    return {card for move in offers.moves for card in move.cards} | {
        card for pick in offers.picks for card in pick.cards
    }


def uses(named: Sequence[str], selected: Sequence[str]) -> bool:
    """Whether the named cards include all selected ones, counting duplicates."""
    return not Counter(selected) - Counter(named)


def is_exactly(named: Sequence[str], selected: Sequence[str]) -> bool:
    return Counter(selected) == Counter(named)


def attempt(selected: Sequence[str], offers: Offers) -> str:
    """The illegal move that a person seems to attempt with these cards, so that the table's refusal explains it."""
    return " ".join([offers.attempts if len(selected) > 1 else offers.attempt, *selected]).strip()


def bar(offers: Offers, selected: Sequence[str], hand: Sequence[str]) -> Bar:
    """The choices to show: all moves without cards, and the moves with cards that fit the selection."""
    in_rows = {text for row in offers.rows for text in row.texts}
    alone = [move for move in offers.moves if move.text not in in_rows]
    shown = Bar(meant(offers, alone, selected))
    shown.choices += [_choice(move) for move in alone if not move.cards]
    shown.rows = [(row.title, _row(row)) for row in offers.rows if is_exactly(row.cards, selected if row.cards else ())]
    _further(shown, offers, selected, hand)
    shown.choices.sort(key=lambda choice: bool(choice.asks))
    return shown


def meant(offers: Offers, moves: Sequence[Move], selected: Sequence[str]) -> list[Choice]:
    """The choices for exactly the selected cards: moves of them, a pick, or several moves that use them up."""
    choices = [_choice(move) for move in moves if selected and is_exactly(move.cards, selected)]
    choices += [picked for pick in offers.picks if (picked := pick_of(pick, selected))]
    if selected and not choices and (chain := split_into_moves(offers.moves, selected)):
        choices.append(chain)
    return choices


def _further(shown: Bar, offers: Offers, selected: Sequence[str], hand: Sequence[str]) -> None:
    """Add the moves with more cards than are selected, or a hint on how to reach them."""
    in_rows = {text for row in offers.rows for text in row.texts}
    with_cards = [move for move in offers.moves if move.cards and move.text not in in_rows]
    if selected:
        fitting = [move for move in with_cards if uses(move.cards, selected) and not is_exactly(move.cards, selected)]
    else:
        fitting = [move for move in with_cards if len(move.cards) > 1 or move.cards[0] not in hand]
    if not selected and len(fitting) > MOST_SHOWN:
        shown.hint = localized("Select cards to see what they can do ({number} ways)", number=len(fitting))
        return
    shown.choices += [_choice(move) for move in fitting[:MOST_SHOWN]]
    if len(fitting) > MOST_SHOWN:
        shown.hint = localized("And {left} more: select further cards", left=len(fitting) - MOST_SHOWN)
    elif offers.picks and not any(pick_of(pick, selected) for pick in offers.picks):
        shown.hint = wanted(offers.picks[0], selected)
    elif selected and not fitting and not shown.choices and not shown.rows:
        shown.hint = localized("No move with these cards")
    elif not selected and any(row.cards for row in offers.rows):
        shown.hint = localized("Select a card to see what it can do")


def _choice(move: Move) -> Choice:
    return Choice(move.label, (move.text,), move.asks)


def _row(row: ButtonRow) -> list[Choice]:
    return [Choice(word, (text,)) for word, text in zip(row.words, row.texts, strict=True)]


def pick_of(pick: Pick, selected: Sequence[str]) -> Choice | None:
    """The move that a pick makes of the selected cards; None if it makes none."""
    if len(selected) not in pick.sizes or not set(selected) <= set(pick.cards) or len(set(selected)) < len(selected):
        return None
    chosen = [card for card in pick.cards if card in selected]
    label = pick.label.format(cards=cards_text(chosen), worth=sum(pick.worth.get(card, 0) for card in chosen))
    return Choice(label, (" ".join([pick.verb, *chosen]).strip(),), pick.asks)


def wanted(pick: Pick, selected: Sequence[str]) -> str:
    """How many cards a pick still needs, in words: "Select 3 cards"."""
    low, high = pick.sizes[0], pick.sizes[-1]
    if low != high and len(selected) < low:
        return localized("Select {low} to {high} cards", low=low, high=high)
    if low != high:
        return localized("Select at most {high} cards", high=high)
    if (left := low - len(selected)) <= 0:
        return localized("Select only {n} card", "Select only {n} cards", n=low)
    if selected:
        return localized("Select {n} more card", "Select {n} more cards", n=left)
    return localized("Select {n} card", "Select {n} cards", n=left)


def split_into_moves(moves: Sequence[Move], selected: Sequence[str]) -> Choice | None:
    """Several moves that together use exactly the selected cards, such as three melds laid one after the other."""
    several = [move for move in moves if len(move.cards) > 1 and not Counter(move.cards) - Counter(selected)]
    cover = next(_covers(several, Counter(selected)), None)
    if cover is None or len(cover) < 2:
        return None
    return Choice(" · ".join(move.label for move in cover), tuple(move.text for move in cover))


def _covers(moves: Sequence[Move], left: Counter[str]) -> Iterator[list[Move]]:
    """Every set of moves that together use exactly these cards."""
    if not left.total():
        yield []
        return
    first = next(iter(left))
    for move in moves:
        needed = Counter(move.cards)
        if first in needed and not needed - left:
            for rest in _covers(moves, left - needed):
                yield [move, *rest]


def cards_text(named: Sequence[str]) -> str:
    """Cards with the signs of their suits: `K♥ Q♥`."""
    read = map(cards.read, named)
    return " ".join(cards.sign(card) for card in read if card is not None)
