"""Silly moves at Sixty-Six."""

from typing import Any

from silly_moves.kinds import kind
from silly_moves.predicates import cards_among, losers, verbs_among
from upcard.games.sixty_six import rules
from upcard.rules import ACE, TEN
from upcard.rules.cards import as_list, rank_of, suit_of
from upcard.rules.notation import verb_of

SLUG = "sixty-six"


@kind(SLUG, "claims without enough points")
def claims_falsely(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    return verbs_among(moves, rules.DECLARE) if s.points[me] < game.enough else []


@kind(SLUG, "does not claim with enough points")
def misses_claim(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    enough = s.phase == rules.LEAD and s.points[me] >= game.enough
    return [move for move in moves if verb_of(move) != rules.DECLARE] if enough else []


@kind(SLUG, "does not show a marriage that wins")
def misses_marriage(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.tricks[me] == 0 or s.points[me] >= game.enough:
        return []
    shows = verbs_among(moves, rules.MELD)
    wins = [move for move in shows if s.points[me] + game.marriage_value(s, move) >= game.enough]
    return [move for move in moves if move not in wins] if wins else []


@kind(SLUG, "shows a marriage that does not win before its sure trumps")
def shows_too_early(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.closer == rules.NOBODY or s.points[me] >= game.enough:
        return []
    trumps = [one for one in cards_among(moves) if suit_of(one) == s.trump]
    sure = [one for one in trumps if not game.unseen(s, me) & game.over(s, one)]
    shows = verbs_among(moves, rules.MELD)
    return [move for move in shows if s.points[me] + game.marriage_value(s, move) < game.enough] if sure else []


@kind(SLUG, "throws an ace or ten away")
def gives_counter(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    lost = losers(s, moves) if s.led else []
    high = [one for one in lost if rank_of(one) in (ACE, TEN)]
    return high if any(rank_of(one) not in (ACE, TEN) and suit_of(one) != s.trump for one in lost) else []


@kind(SLUG, "breaks a marriage")
def breaks_marriage(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if not s.led or not game.stock_open(s):
        return []
    pair = [one for one in losers(s, moves) if game.marriage_with(s, s.hand[me], one)]
    return pair if any(one not in pair and suit_of(one) != s.trump for one in losers(s, moves)) else []


@kind(SLUG, "closes without trump and ace")
def closes_with_nothing(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    strong = [one for one in as_list(s.hand[me]) if suit_of(one) == s.trump or rank_of(one) == ACE]
    return [] if strong else verbs_among(moves, rules.CLOSE)
