"""Silly moves at Rolling Stone."""

from typing import Any

from silly_moves.kinds import kind
from silly_moves.predicates import cards_among, unless_all
from upcard.rules import QUEEN, bit, of_suit
from upcard.rules.cards import rank_of, suit_of

SLUG = "rolling-stone"


def is_of_same_suit(one: int, other: int) -> bool:
    return bool(suit_of(one) == suit_of(other))


@kind(SLUG, "leads a high card instead of a lower one to a seat that follows below it for certain", is_of_same_suit)
def leads_high(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.led:
        return []
    known = s.known[(me + 1) % s.players]
    high = []
    for one in cards_among(moves):
        suit, below = of_suit(known, suit_of(one)), bit(one) - 1
        if rank_of(one) >= QUEEN and suit and not suit & ~below and of_suit(s.hand[me], suit_of(one)) & below:
            high.append(one)
    return high


def is_last_to_follow(s: Any, me: int) -> bool:
    """Whether the trick is complete with this seat's card."""
    return bool(s.led) and (me + 1) % s.players == s.leader


@kind(SLUG, "leads a suit in which a seat's last card is known to be")
def leads_to_last_card(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    last = [s.known[seat] for seat in range(s.players) if seat != me and s.size[seat] == 1 and s.known[seat]]
    return [] if s.led else unless_all([one for one in moves if any(of_suit(c, suit_of(one)) for c in last)], moves)


@kind(SLUG, "leaves the lead to a player with one card")
def gives_lead_away(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    near = is_last_to_follow(s, me) and s.size[s.ahead] == 1
    return unless_all([one for one in cards_among(moves) if bit(one) < s.table], moves) if near else []


@kind(SLUG, "does not win the lead for its last card")
def misses_lead(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    near = is_last_to_follow(s, me) and s.size[me] == 2
    return unless_all([one for one in cards_among(moves) if bit(one) < s.table], moves) if near else []
