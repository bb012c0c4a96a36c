"""Parts of the predicates of silly moves that several games need."""

from typing import Any

from upcard.rules import beating, count
from upcard.rules.notation import verb_of


def cards_among(moves: list[int]) -> list[int]:
    """The moves that only play a card."""
    return [move for move in moves if verb_of(move) == 0]


def verbs_among(moves: list[int], *verbs: int) -> list[int]:
    return [move for move in moves if verb_of(move) in verbs]


def is_last(s: Any) -> bool:
    """Whether the seat that is to act plays the last card of the trick."""
    return bool(s.led) and count(s.in_trick) == s.players - 1


def takers(s: Any, moves: list[int]) -> list[int]:
    """The cards that take the lead in the trick."""
    return [one for one in cards_among(moves) if s.better >> one & 1]


def losers(s: Any, moves: list[int]) -> list[int]:
    """The cards that do not."""
    return [one for one in cards_among(moves) if not s.better >> one & 1]


def is_sure(led: int, unseen: int, trump: int) -> bool:
    """Whether none of these cards beats a lead."""
    return not unseen & beating(led, trump)


def unless_all(some: list[int], moves: list[int]) -> list[int]:
    """These moves, if there are others."""
    return some if len(some) < len(moves) else []


def wants_more(s: Any, me: int, bid: int) -> int:
    """How many more tricks a seat needs for its bid."""
    return int(bid - s.tricks[me])
