"""Silly moves at Loo."""

from typing import Any

from silly_moves.kinds import kind
from silly_moves.predicates import unless_all, verbs_among
from upcard.games.loo import rules
from upcard.rules import ACE, KING, bit, card
from upcard.rules.cards import as_list, rank_of
from upcard.rules.notation import cards_of

SLUG = "loo"


@kind(SLUG, "stays in with nothing")
def stays_with_nothing(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    good = [one for one in as_list(s.hand[me]) if rank_of(one) >= KING or s.trumps >> one & 1]
    return verbs_among(moves, rules.STAY) if s.phase == rules.DECLARE and not good and len(moves) > 1 else []


@kind(SLUG, "passes with Pam or the ace of trumps")
def passes_with_best(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    best = s.hand[me] & (bit(game.pam) | bit(card(ACE, s.trump))) if s.phase == rules.DECLARE else 0
    return verbs_among(moves, rules.PASS) if best and len(moves) > 1 else []


@kind(SLUG, "throws a high trump away")
def throws_trump(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    throws = verbs_among(moves, rules.DISCARD)
    high = bit(game.pam) | (bit(card(ACE, s.trump)) | bit(card(KING, s.trump)) if throws else 0)
    return unless_all([move for move in throws if cards_of(move) & high], moves)


@kind(SLUG, "does not show a flush")
def hides_flush(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    return verbs_among(moves, rules.NO) if verbs_among(moves, rules.FLUSH) else []
