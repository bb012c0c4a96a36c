"""Moves as dense numbers: at one table each move that can ever be legal is an action from 0 up, for all seats alike.

The numbers follow from the notation. A verb has one action for every choice of its items; one with very many choices
(three cards to lay aside, a meld to lay) has one for each place in the list of those that are legal at the moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import prod
from typing import Any

from upcard.engine.errors import UpcardError
from upcard.engine.mistakes import cards_of_chance
from upcard.engine.setup import Setup, begin
from upcard.rules import cards
from upcard.rules.cards import RANKS, SUITS, Card
from upcard.rules.notation import Notation, Verb, say
from upcard.rules.words import brief, whole_number

MOST_SPELLED = 5000
"""A verb with more choices of items than these has its legal moves numbered in order."""
MOST_NUMBERS = 64
"""What a number in a move can be: 0 to 63."""


def pack_of(setup: Setup[Any]) -> tuple[Card, ...]:
    """The different cards that are dealt at a table, in pack order."""
    pool = cards_of_chance(setup.game, begin(setup, 0), setup.options)
    return tuple(cards.as_list(cards.as_set(pool)))


@dataclass(frozen=True)
class Family:
    """The actions of one verb: from `first` on, `size` of them."""

    verb: int
    """Its place among the verbs of the game."""
    spec: Verb
    first: int
    size: int
    choices: tuple[Sequence[int], ...] | None
    """What each item may be; None where the legal moves are numbered in order."""

    def number(self, items: Sequence[int]) -> int | None:
        """The action that says these items; None where an item is none that the table has. Only with `choices`."""
        assert self.choices is not None
        number = 0
        for item, choice in zip(items, self.choices, strict=True):
            if item not in choice:
                return None
            number = number * len(choice) + choice.index(item)
        return self.first + number

    def move(self, action: int) -> int | None:
        """The move that an action stands for; None where that depends on what is legal."""
        if self.choices is None:
            return None
        number, items = action - self.first, []
        for choice in reversed(self.choices):
            number, place = divmod(number, len(choice))
            items.append(choice[place])
        return say(self.verb << 51, items[::-1])


class ActionSpace:
    """The actions of a table. `size` is how many there are; `families` has them by verb."""

    def __init__(self, setup: Setup[Any]) -> None:
        self.notation: Notation = setup.game.notation
        self.pack = pack_of(setup)
        choices = [_choices(verb, setup, self.pack) for verb in self.notation.verbs]
        sizes = [setup.game.most_moves if these is None else prod(map(len, these)) for these in choices]
        begins = [0, *accumulate(sizes)]
        self.size: int = begins[-1]
        self.families = [
            Family(number, verb, begins[number], sizes[number], choices[number])
            for number, verb in enumerate(self.notation.verbs)
        ]

    def of(self, moves: Iterable[int]) -> dict[int, int]:
        """The actions of a seat whose legal moves, all of them, these are: each with its move, in ascending order.

        Raises UpcardError for a move that names a card which is not dealt at this table, or which its verb excludes.
        """
        found: dict[int, int] = {}
        in_order: dict[int, list[int]] = {}
        for move in moves:
            family = self.families[move >> 51]
            if family.choices is None:
                in_order.setdefault(move >> 51, []).append(move)
                continue
            number = family.number(self.notation.items(move))
            if number is None:
                raise UpcardError(
                    f"`{self.notation.text(move)}` is no action of this table: it names a card that is not dealt (see "
                    "cards_to_shuffle), or what its verb excludes (see ranks= and most= there)"
                )
            found[number] = move
        for verb, listed in in_order.items():
            found |= enumerate(sorted(listed, key=self._place), self.families[verb].first)
        return dict(sorted(found.items()))

    def _place(self, move: int) -> tuple[int, ...]:
        """Where a move stands among those of its verb: fewer items first, then in pack order."""
        items = self.notation.items(move)
        places = (
            self.pack.index(item) if kind == "card" else item
            for item, kind in zip(items, self.notation.kinds(move), strict=True)
        )
        return len(items), *places

    def check(self, action: object) -> int:
        """The number of an action. Raises UpcardError for what is none."""
        number = whole_number(action)
        if number is None or not 0 <= number < self.size:
            raise UpcardError(f"an action is a whole number from 0 to {self.size - 1}, not {brief(action)}")
        return number

    def text(self, action: int) -> str:
        """What an action says: `Kh`, `bid 3`; `lay #7` for the seventh of the lays that are legal at the moment."""
        number = self.check(action)
        family = next(family for family in self.families if number < family.first + family.size)
        move = family.move(number)
        return f"{family.spec.word} #{number - family.first + 1}" if move is None else self.notation.text(move)


def _choices(verb: Verb, setup: Setup[Any], pack: tuple[Card, ...]) -> tuple[Sequence[int], ...] | None:
    """What each item of a verb may be, if there are not too many choices."""
    if verb.items == ("card+",):
        return None
    largest = MOST_NUMBERS - 1 if verb.most is None else min(verb.most(setup.options), MOST_NUMBERS - 1)
    kinds: dict[str, Sequence[int]] = {
        "suit": range(len(SUITS)),
        "rank": range(len(RANKS)),
        "number": range(largest + 1),
        "seat": range(setup.players),
    }
    ranks = iter(verb.ranks)
    choices = tuple(_with_ranks(pack, next(ranks, "")) if kind == "card" else kinds[kind] for kind in verb.items)
    return choices if prod(map(len, choices)) <= MOST_SPELLED else None


def _with_ranks(pack: tuple[Card, ...], ranks: str) -> tuple[Card, ...]:
    """The cards of a pack that have one of these ranks; all of them if no rank is named."""
    return tuple(card for card in pack if not ranks or cards.text(card)[0] in ranks)


def action_space(setup: Setup[Any]) -> ActionSpace:
    """The actions of a table. Raises UpcardError for what is no setup of one."""
    if not isinstance(setup, Setup):
        raise UpcardError(f"actions are those of a Setup, not of {brief(setup)}")
    return _space(setup)


_space = lru_cache(maxsize=256)(ActionSpace)
