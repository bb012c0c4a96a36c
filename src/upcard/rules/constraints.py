"""Constraints on the options and numbers of a game, checked before the first deal and worded for people.

A game yields them in `Game.constraints`. They are part neither of its compiled code nor of its identity.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from upcard.rules.cards import RANKS, Cards, as_list, rank_of
from upcard.rules.options import BadOption

if TYPE_CHECKING:
    from upcard.rules.state import Row


@dataclass(frozen=True)
class Constraint:
    """A condition on the options and numbers of one table."""

    clause: str
    """The clause that explains it."""
    condition: str
    """The condition in words, for a list: "stake is a multiple of size"."""
    holds: bool
    reason: str
    """For a table at which it does not hold, the reason in words."""


Constraints = Iterator[Constraint]
"""The result of `Game.constraints`."""


class BrokenConstraint(BadOption):
    """Options and numbers that exclude each other. The message is the reason of the constraint."""


def pack_suffices(clause: str, pack: Cards | int, needed: int, parts: str, *, cards: int | None = None) -> Constraint:
    """The condition that a pack has the cards that are needed; `parts` lists them, as in "9 players × 6 cards + the
    upcard". `cards` is the number of cards in the pack, if not that of the set."""
    number = pack.bit_count() if cards is None else cards
    return Constraint(
        clause,
        "the pack has enough cards for all hands",
        needed <= number,
        f"{parts} are {needed}, the pack has {number}",
    )


def shared_evenly(clause: str, name: str, number: int, by: str, size: int) -> Constraint:
    """The condition that a number is a multiple of another."""
    rest = number % size
    near = f"{number - rest} or {number - rest + size}" if number > size else str(size)
    reason = f"{name}={number} is not a multiple of {by}={size}, so chips would be lost in sharing: choose {near}"
    return Constraint(clause, f"{name} is a multiple of {by}", rest == 0, reason)


def at_most(clause: str, name: str, number: int, most: int, why: str) -> Constraint:
    """The condition that a number does not exceed a limit, with the reason for the limit."""
    condition = f"{name} is at most {most}"
    return Constraint(clause, condition, number <= most, f"{name} is at most {most}, not {number}: {why}")


def moves_suffice(clause: str, needed: int, most: int, parts: str) -> Constraint:
    """The condition that no seat can have more moves than the game's `most_moves`; `parts` says what needs them."""
    reason = f"{parts} can leave a choice of {needed} moves, and this game lists {most}: a variant sets most_moves"
    return Constraint(clause, "most_moves is enough for the largest hands", needed <= most, reason)


def ranks_differ(clause: str, name: str, strength: Row, pack: Cards) -> Constraint:
    """The condition that each rank of the pack has a strength of its own in a row."""
    ranks = sorted({rank_of(card) for card in as_list(pack)})
    strengths = [strength[rank] for rank in ranks]
    equal = [RANKS[rank] for rank in ranks if strength[rank] <= 0 or strengths.count(strength[rank]) > 1]
    reason = f"{name} does not say which is stronger, {' or '.join(equal[:2])}, and both are in the pack"
    if len(equal) == 1:
        reason = f"{name} does not say how strong {equal[0]} is, which is in the pack"
    return Constraint(clause, f"{name} ranks all cards of the pack", not equal, reason)


def pack_has(clause: str, name: str, cards: Cards, words: str, pack: Cards) -> Constraint:
    """The condition that the pack has one of the cards that a number or option names; `words` are for a message, as in
    "the nine" or "clubs"."""
    reason = f"{name} names {words}, which the pack lacks"
    return Constraint(clause, f"the pack has what {name} names", pack & cards != 0, reason)
