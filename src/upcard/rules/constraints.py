"""Constraints on the options and numbers of a game, checked before the first deal and worded for people.

A game yields them in `Game.constraints`. They are part neither of its compiled code nor of its identity.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from upcard.rules.cards import (
    RANK_NAMES,
    RANKS,
    SUIT_NAMES,
    Card,
    Cards,
    Rank,
    Suit,
    all_of,
    as_list,
    bit,
    of_rank,
    rank_of,
    sign,
)
from upcard.rules.options import BadOption, setting_name
from upcard.rules.sentences import in_context, sentence

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
    """For a table at which it does not hold, the reason as a whole sentence, which `sentence` makes for readers of all
    languages."""


Constraints = Iterator[Constraint]
"""The result of `Game.constraints`."""


class BrokenConstraint(BadOption):
    """Options and numbers that exclude each other. The message is the reason of the constraint."""


def pack_suffices(
    clause: str, pack: Cards | int, needed: int, message: str, /, *, available: int | None = None, **places: object
) -> Constraint:
    """The condition that a pack has the cards that are needed.

    `message` is the reason for people, with the places {needed} and {available} and those in `places`, as in "{seats}
    players × {cards} cards + the upcard are {needed}, the pack has {available}". `available` is the number of cards in
    the pack, if not that of the set.
    """
    number = pack.bit_count() if available is None else available
    reason = sentence(message, needed=needed, available=number, **places)
    return Constraint(clause, "the pack has enough cards for all hands", needed <= number, reason)


def shared_evenly(clause: str, name: str, number: int, by: str, size: int) -> Constraint:
    """The condition that a number is a multiple of another."""
    rest = number % size
    numbers = {"name": setting_name(name), "number": number, "by": setting_name(by), "size": size}
    if number > size:
        reason = sentence(
            "{name}={number} is not a multiple of {by}={size}, so chips would be lost in sharing: choose {lower} or "
            "{higher}",
            lower=number - rest,
            higher=number - rest + size,
            **numbers,
        )
    else:
        reason = sentence(
            "{name}={number} is not a multiple of {by}={size}, so chips would be lost in sharing: choose {size}",
            **numbers,
        )
    return Constraint(clause, f"{name} is a multiple of {by}", rest == 0, reason)


def at_most(clause: str, name: str, number: int, most: int, message: str, /) -> Constraint:
    """The condition that a number does not exceed a limit. `message` is the reason for people, with the places {name},
    {number} and {most}, as in "{name} is at most {most}, not {number}: a move can name no larger number"."""
    reason = sentence(message, name=setting_name(name), number=number, most=most)
    return Constraint(clause, f"{name} is at most {most}", number <= most, reason)


def stock_fits(clause: str, left: int, room: int) -> Constraint:
    """The condition that the row of the stock has room for the cards that are left after the deal."""
    smaller = "the stock is at most {most} cards, not {number}: smaller hands need a smaller pack"
    return at_most(clause, "the stock", left, room, smaller)


def moves_suffice(clause: str, needed: int, most: int, message: str = "", /, **places: object) -> Constraint:
    """The condition that no seat can have more moves than the game's `most_moves`. `message` is the reason for people,
    with the places {needed} and {most} and those in `places`, by default {cards}: the cards of the largest hand."""
    reason = sentence(
        message
        or "hands of {cards} cards can leave a choice of {needed} moves, and this game lists {most}: a variant sets "
        "most_moves",
        needed=needed,
        most=most,
        **places,
    )
    return Constraint(clause, "most_moves is enough for the largest hands", needed <= most, reason)


def ranks_differ(clause: str, name: str, strength: Row, pack: Cards) -> Constraint:
    """The condition that each rank of the pack has a strength of its own in a row."""
    ranks = sorted({rank_of(card) for card in as_list(pack)})
    strengths = [strength[rank] for rank in ranks]
    equal = [RANKS[rank] for rank in ranks if strength[rank] <= 0 or strengths.count(strength[rank]) > 1]
    one, another = (*equal, "", "")[:2]
    if len(equal) == 1:
        message = "{name} does not say how strong {rank} is, which is in the pack"
        reason = sentence(message, name=setting_name(name), rank=one)
    else:
        message = "{name} does not say which is stronger, {rank} or {another}, and both are in the pack"
        reason = sentence(message, name=setting_name(name), rank=one, another=another)
    return Constraint(clause, f"{name} ranks all cards of the pack", not equal, reason)


def pack_has(
    clause: str, name: str, pack: Cards, *, card: Card | None = None, rank: Rank | None = None, suit: Suit | None = None
) -> Constraint:
    """The condition that the pack has the card, or one of the rank or suit, that a number or option names."""
    called = setting_name(name)
    if card is not None:
        cards, reason = bit(card), sentence("{name} names {card}, which the pack lacks", name=called, card=sign(card))
    elif rank is not None:
        cards, message = of_rank(pack, rank), "{name} names the {rank}, which the pack lacks"
        reason = sentence(message, name=called, rank=in_context("rank", RANK_NAMES[rank]))
    elif suit is not None:
        cards, message = all_of(suit), "{name} names {suit}, which the pack lacks"
        reason = sentence(message, name=called, suit=SUIT_NAMES[suit])
    else:
        raise TypeError("pack_has takes a card, a rank or a suit")
    return Constraint(clause, f"the pack has what {name} names", pack & cards != 0, reason)
