"""Moves as dense numbers: every move that can ever be legal at a table has an action number, the same for all seats.

Actions are numbered from 0 by the game's notation. A verb has one action for each combination of its items. A verb with
very many combinations (three cards to lay aside, a meld to lay) instead has one action for each position in the sorted
list of its moves that are legal at the moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Any

from upcard.engine.errors import UpcardError
from upcard.engine.mistakes import cards_of_chance
from upcard.engine.setup import begin
from upcard.rules import cards
from upcard.rules.cards import RANKS, SUITS, Card
from upcard.rules.game import Game
from upcard.rules.notation import Notation, Verb, say, verb_index, verb_with_index
from upcard.rules.phrases import brief, whole_number

MOST_SPELLED = 5000
"""A verb with more combinations of items has its currently legal moves numbered instead."""
MOST_NUMBERS = 64
"""A number in a move is from 0 to 63."""


def pack_of(setup: Game[Any]) -> tuple[Card, ...]:
    """The distinct cards that are dealt at a table, in pack order."""
    pool = cards_of_chance(setup, begin(setup, 0))
    return tuple(cards.as_list(cards.as_set(pool)))


@dataclass(frozen=True)
class Family:
    """The actions of one verb: `size` consecutive numbers, starting at `first`."""

    verb: int
    """The index of the verb among the verbs of the game."""
    spec: Verb
    first: int
    size: int
    choices: tuple[Sequence[int], ...] | None
    """The possible values of each item; None if the currently legal moves are numbered instead."""

    def number(self, items: Sequence[int]) -> int | None:
        """The action with these items; None if an item does not occur at the table. Requires `choices`."""
        assert self.choices is not None
        number = 0
        for item, choice in zip(items, self.choices, strict=True):
            if item not in choice:
                return None
            number = number * len(choice) + choice.index(item)
        return self.first + number

    def move(self, action: int) -> int | None:
        """The move of an action; None if that depends on which moves are legal."""
        if self.choices is None:
            return None
        number, items = action - self.first, []
        for choice in reversed(self.choices):
            number, place = divmod(number, len(choice))
            items.append(choice[place])
        return say(verb_with_index(self.verb), items[::-1])


class ActionSpace:
    """The actions of a table. `size` is their number; `families` groups them by verb. The verb of the cards that
    `playable` returns comes first, then the others in the order in which the game declares them."""

    def __init__(self, setup: Game[Any]) -> None:
        self.notation: Notation = setup.game.notation
        self.pack = pack_of(setup)
        choices = [_choices(verb, setup, self.pack) for verb in self.notation.verbs]
        simplest = verb_index(self.notation.of_playable)
        if simplest:
            choices[0] = ((),)
        sizes = [setup.game.most_moves if values is None else prod(map(len, values)) for values in choices]
        begins, self.size = [0] * len(sizes), 0
        for number in sorted(range(len(sizes)), key=lambda number: number != simplest):
            begins[number] = self.size
            self.size += sizes[number]
        self.families = [
            Family(number, verb, begins[number], sizes[number], choices[number])
            for number, verb in enumerate(self.notation.verbs)
        ]

    def of(self, moves: Iterable[int]) -> dict[int, int]:
        """The actions of a seat with their moves, in ascending order; `moves` must be all its legal moves.

        Raises UpcardError for a move that names a card which is not dealt at this table, or which its verb excludes.
        """
        numbers: dict[int, int] = {}
        in_order: dict[int, list[int]] = {}
        for move in moves:
            family = self.families[verb_index(move)]
            if family.choices is None:
                in_order.setdefault(verb_index(move), []).append(move)
                continue
            number = family.number(self.notation.items(move))
            if number is None:
                raise UpcardError(
                    f"`{self.notation.text(move)}` is not an action of this table: it names a card that is not dealt "
                    "(see cards_to_shuffle), or something that its verb excludes (see ranks= and most= there)"
                )
            numbers[number] = move
        for verb, listed in in_order.items():
            numbers |= enumerate(sorted(listed, key=self._place), self.families[verb].first)
        return dict(sorted(numbers.items()))

    def _place(self, move: int) -> tuple[int, ...]:
        """The sort key of a move among those of its verb: fewer items first, then in pack order."""
        items = self.notation.items(move)
        places = (
            self.pack.index(item) if kind == "card" else item
            for item, kind in zip(items, self.notation.kinds(move), strict=True)
        )
        return len(items), *places

    def check(self, action: object) -> int:
        """The action as a Python integer. Raises UpcardError if it is not an action of this table."""
        number = whole_number(action)
        if number is None or not 0 <= number < self.size:
            raise UpcardError(f"an action is a whole number from 0 to {self.size - 1}, not {brief(action)}")
        return number

    def text(self, action: int) -> str:
        """The text of an action: `Kh`, `bid 3`, or `lay #7` for the seventh of the currently legal lays."""
        number = self.check(action)
        family = next(family for family in self.families if 0 <= number - family.first < family.size)
        move = family.move(number)
        return f"{family.spec.word} #{number - family.first + 1}" if move is None else self.notation.text(move)


def _choices(verb: Verb, setup: Game[Any], pack: tuple[Card, ...]) -> tuple[Sequence[int], ...] | None:
    """The possible values of each item of a verb; None if there are too many combinations."""
    if verb.items == ("card+",):
        return None
    most = setup.setting(verb.most) if isinstance(verb.most, str) else verb.most
    kinds: dict[str, Sequence[int]] = {
        "suit": range(len(SUITS)),
        "rank": range(len(RANKS)),
        "number": range(min(most + 1, MOST_NUMBERS)),
        "seat": range(setup.players),
    }
    ranks = iter(verb.ranks)
    choices = tuple(_with_ranks(pack, next(ranks, "")) if kind == "card" else kinds[kind] for kind in verb.items)
    return choices if prod(map(len, choices)) <= MOST_SPELLED else None


def _with_ranks(pack: tuple[Card, ...], ranks: str) -> tuple[Card, ...]:
    """The cards of a pack that have one of these ranks; all of them if no rank is named."""
    return tuple(card for card in pack if not ranks or cards.text(card)[0] in ranks)


def action_space(setup: Game[Any]) -> ActionSpace:
    """The actions of a table, cached. Raises UpcardError for anything but a `Setup`."""
    if not isinstance(setup, Game):
        raise UpcardError(f"an action space belongs to a Setup, not to {brief(setup)}")
    return _space(setup)


_space = lru_cache(maxsize=256)(ActionSpace)
