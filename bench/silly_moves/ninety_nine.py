"""Silly moves at Ninety-Nine."""

from typing import Any

from silly_moves.kinds import kind
from silly_moves.predicates import cards_among, is_last, is_sure, losers, takers, unless_all, verbs_among, wants_more
from upcard.games.ninety_nine import rules
from upcard.rules import count

SLUG = "ninety-nine"


@kind(SLUG, "takes a trick too many as the last to play")
def takes_another(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    done = s.phase == rules.PLAY and is_last(s) and wants_more(s, me, game.tricks_bid(s, s.bid[me])) == 0
    return unless_all(takers(s, moves), moves) if done else []


@kind(SLUG, "lets a trick go as the last to play when it needs all")
def lets_another_go(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    wanted = wants_more(s, me, game.tricks_bid(s, s.bid[me])) if s.phase == rules.PLAY else 0
    return unless_all(losers(s, moves), moves) if is_last(s) and wanted == count(s.hand[me]) else []


@kind(SLUG, "leads a sure winner with its bid made")
def leads_unwanted(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    done = s.phase == rules.PLAY and not s.led and wants_more(s, me, game.tricks_bid(s, s.bid[me])) == 0
    sure = [one for one in cards_among(moves) if is_sure(one, game.unseen_by(s, me), s.trump)] if done else []
    return unless_all(sure, moves)


@kind(SLUG, "reveals a middling hand")
def reveals_in_vain(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    reveals = verbs_among(moves, rules.REVEAL)
    return reveals if reveals and 2 <= game.tricks_bid(s, s.bid[me]) <= 6 else []
