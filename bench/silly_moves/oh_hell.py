"""Silly moves at Oh Hell."""

from typing import Any

from silly_moves.kinds import kind
from silly_moves.predicates import is_last, losers, takers, unless_all, wants_more
from upcard.games.oh_hell import rules
from upcard.rules import ACE, NO_SUIT, bit, card, count
from upcard.rules.cards import as_list, suit_of
from upcard.rules.notation import item

SLUG = "oh-hell"


@kind(SLUG, "bids no trick with the ace of trumps")
def bids_nought(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.phase != rules.BID or s.trump == NO_SUIT or not s.hand[me] & bit(card(ACE, s.trump)):
        return []
    return [move for move in moves if item(move, 0) == 0]


@kind(SLUG, "bids every trick of a large hand")
def bids_everything(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    size = count(s.hand[me])
    return [move for move in moves if item(move, 0) >= size - 1] if s.phase == rules.BID and size > 3 else []


@kind(SLUG, "takes a trick too many as the last to play")
def takes_unwanted(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    done = s.phase == rules.PLAY and is_last(s) and wants_more(s, me, s.bids[me]) == 0
    return unless_all(takers(s, moves), moves) if done else []


@kind(SLUG, "lets a trick go as the last to play when it needs all")
def lets_needed_go(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    needed = s.phase == rules.PLAY and is_last(s) and wants_more(s, me, s.bids[me]) == count(s.hand[me])
    return unless_all(losers(s, moves), moves) if needed else []


@kind(SLUG, "leads a low card when it needs all")
def leads_low(game: Any, s: Any, me: int, moves: list[int]) -> list[int]:
    if s.phase != rules.PLAY or s.led or wants_more(s, me, s.bids[me]) < count(s.hand[me]):
        return []
    unseen = game.pack & ~(s.hand[me] | s.played | bit(s.upcard))
    beaten = [one for one in moves if any(suit_of(o) == suit_of(one) and o > one for o in as_list(unseen))]
    return unless_all(beaten, moves)
