"""Positions of Kalooki for tests: deals with these hands, tables with these melds."""

from collections import Counter
from typing import Any

from upcard import Match, games
from upcard.games.kalooki.double_pack import HAND, SHOWN
from upcard.games.kalooki.melds import Meld, four_meld, meld_cards, tacked, three_meld
from upcard.rules.cards import JOKER, bit, rank_of, read, text

KALOOKI = games.load("kalooki")
TABLE: Any = KALOOKI(4)
PACK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs" for _ in range(2)] + ["*"] * 4
EXACT = "7s 7h 7d Qs Qc * 2h 2d 2c"  # contract 1 to the card


def deal(match: Match[Any], hands: dict[int, str] | None = None, upcard: str = "", stock: str = "") -> str:
    """A deal event that gives these hands (filled up), this upcard and this top of the stock."""
    state = match.state
    size = TABLE.dealt[state.contract]
    top = [*upcard.split(), *stock.split()]
    wanted = {seat: cards.split() for seat, cards in (hands or {}).items()}
    rest = list((Counter(PACK) - Counter(top) - sum(map(Counter, wanted.values()), Counter())).elements())
    full = [wanted.get(seat, []) for seat in range(match.players)]
    full = [[*hand, *(rest.pop(0) for _ in range(size - len(hand)))] for hand in full]
    order = [full[(state.dealer + 1 + i) % match.players][i // match.players] for i in range(size * match.players)]
    return " ".join(["deal", *order, *top, *rest])


def play(match: Match[Any], *events: str) -> Match[Any]:
    for event in events:
        match.event(event)
    return match


def dealt(
    hands: dict[int, str] | None = None,
    upcard: str = "3s",
    stock: str = "",
    *,
    players: int = 4,
    dealer: int = 3,
    **options: Any,
) -> Match[Any]:
    """A match with its first deal made; unless said otherwise seat 0 of four has the first turn."""
    match = Match(KALOOKI, players, dealer=dealer, options=options)
    return play(match, deal(match, hands, upcard, stock))


def meld(owner: int, cards: str) -> Meld:
    """A meld as it may lie on the table."""
    named = [read(card) for card in cards.split()]
    row: list[int] = [card for card in named if card is not None]
    naturals = [card for card in row if card != JOKER]
    if len({rank_of(card) for card in naturals}) == 1:
        ones = sum(bit(card) for card in set(naturals))
        twos = sum(bit(card) for card in set(naturals) if naturals.count(card) == 2)
        return three_meld(owner, rank_of(naturals[0]), ones, twos, row.count(JOKER))
    high = row[-1] == JOKER or rank_of(row[-1]) != 12
    first, more = (row[:4], row[4:]) if high else (row[-4:], row[-5::-1])
    at = next(i for i, card in enumerate(first) if card != JOKER)
    low = 10 if not high else (rank_of(first[at]) + 1) % 13 - at
    made = four_meld(owner, naturals[0] // 13, low, sum(1 << i for i, card in enumerate(first) if card == JOKER))
    for card in more:
        made = tacked(made, card)
    assert [text(card) for card in meld_cards(made)] == cards.split()
    return made


def hold(match: Match[Any], seat: int, cards: str) -> None:
    """Change what a seat holds, none of it known to the others."""
    SHOWN.put(match.state, seat, [])
    HAND.put(match.state, seat, [card for card in map(read, cards.split()) if card is not None])


def table(*melds: str, hand: str, owner: int = 0, **options: Any) -> Match[Any]:
    """Seat 1 of four, down, in phase play with this hand; these melds lie on the table."""
    match = play(dealt(dealer=0, **options), "1 take")
    state = match.state
    hold(match, 1, hand)
    state.down[0] = state.down[1] = 1
    state.laid = len(melds)
    for i, cards in enumerate(melds):
        state.melds[i] = meld(owner, cards)
    return match


def legal(match: Match[Any]) -> set[str]:
    (seat,) = match.to_act
    return set(match.legal(seat))


def starting(match: Match[Any], word: str) -> set[str]:
    return {move for move in legal(match) if move.startswith(word)}
