"""Silly moves at Linger Longer."""

from typing import Any

from silly_moves.kinds import kind
from silly_moves.predicates import cards_among, is_sure, losers, takers, unless_all
from upcard.games.linger_longer import rules
from upcard.rules import KING, NO_SUIT, count
from upcard.rules.cards import rank_of, suit_of

SLUG = "linger-longer"


@kind(SLUG, "lets a trick go with its last cards")
def lets_draw_go(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    last = bool(s.led) and s.phase == rules.PLAY and count(s.in_trick) == count(s.active) - 1
    return unless_all(losers(s, moves), moves) if last and count(s.hand[me]) <= 2 else []


@kind(SLUG, "takes a trick with an ace or king where a low card wins")
def takes_too_high(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    last = bool(s.led) and s.phase == rules.PLAY and count(s.in_trick) == count(s.active) - 1
    wins = takers(s, moves) if last else []
    return unless_all([one for one in wins if rank_of(one) >= KING], wins)


@kind(SLUG, "leads another card than a sure winner with its last cards")
def leads_loser(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.led or s.phase != rules.PLAY or count(s.hand[me]) > 2:
        return []
    sure = [one for one in cards_among(moves) if is_sure(one, game.unseen_by(s, me), s.trump)]
    return [one for one in moves if one not in sure] if sure else []


@kind(SLUG, "throws a trump away")
def wastes_trump(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    lost = losers(s, moves) if s.led and s.trump != NO_SUIT else []
    return unless_all([one for one in lost if suit_of(one) == s.trump], lost)
