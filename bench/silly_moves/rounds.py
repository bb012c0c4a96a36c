"""Silly moves at Rounds."""

from typing import Any

from silly_moves.kinds import kind
from silly_moves.predicates import cards_among, losers, takers, unless_all

SLUG = "rounds"


@kind(SLUG, "throws the two of hearts on a lost trick")
def gives_prize(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    lost = losers(s, moves) if s.led else []
    return unless_all([one for one in lost if game.prize >> one & 1], moves)


@kind(SLUG, "leads the two of hearts")
def leads_prize(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    return [] if s.led else unless_all([one for one in cards_among(moves) if game.prize >> one & 1], moves)


@kind(SLUG, "does not take the two of hearts")
def lets_prize_go(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    led = s.led and game.prize >> s.card[s.leader] & 1
    return losers(s, moves) if led and takers(s, moves) else []
