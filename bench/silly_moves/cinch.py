"""Silly moves at Cinch."""

from typing import Any

from silly_moves.kinds import kind
from silly_moves.predicates import cards_among, is_last, losers, unless_all, verbs_among
from upcard.games.cinch import rules
from upcard.rules import ACE, KING, NINE, QUEEN, bit, count, of_suit
from upcard.rules.cards import as_list, rank_of
from upcard.rules.notation import item

SLUG = "cinch"


@kind(SLUG, "leads a pedro with a higher trump in hand")
def leads_pedro(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.phase != rules.PLAY or s.led:
        return []
    fives = [one for one in cards_among(moves) if game.pedros(s) >> one & 1]
    return fives if s.hand[me] & game.upper(s.trump) else []


@kind(SLUG, "gives a scoring trump to the others")
def gives_trump(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.phase != rules.PLAY or not is_last(s) or s.ahead == game.partner_of(me):
        return []
    scoring = [one for one in losers(s, moves) if game.value_of(s, bit(one))]
    return unless_all(scoring, moves)


@kind(SLUG, "puts a high trump on a plain trick of the partner")
def overtakes_partner(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.phase != rules.PLAY or not is_last(s) or s.ahead != game.partner_of(me):
        return []
    high = [one for one in cards_among(moves) if s.trumps >> one & 1 and rank_of(one) in (KING, QUEEN, NINE)]
    return [] if s.trumps >> s.card[s.leader] & 1 else unless_all(high, moves)


@kind(SLUG, "bids without ace, king or pedro")
def bids_with_nothing(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    good = [one for one in as_list(s.hand[me]) if rank_of(one) in (ACE, KING) or rank_of(one) == rules.FIVE]
    return verbs_among(moves, rules.MAKE) if s.phase == rules.BID and not good else []


@kind(SLUG, "names a suit in which it holds fewer than two cards")
def names_short_suit(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.phase != rules.TRUMP:
        return []
    return unless_all([move for move in moves if count(of_suit(s.hand[me], item(move, 0))) < 2], moves)
