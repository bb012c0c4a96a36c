"""One game: its declarations, rules and words in one object. `upcard.rules.define` builds it from a game's modules."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from upcard.rules.cards import Card, Cards
from upcard.rules.errors import UpcardError
from upcard.rules.knowledge import HandHistory, Holding, Hypothesis, KnownCount, NewStock, cards_in
from upcard.rules.notation import Attempt, Notation, put_each
from upcard.rules.options import Options
from upcard.rules.scene import Scene
from upcard.rules.state import Buffer, Field, GameState, Pile, Seen
from upcard.rules.words import Words

if TYPE_CHECKING:
    from upcard.rules.variants import Change

S = TypeVar("S", bound=GameState)
T = TypeVar("T")
Reasons = Iterator[tuple[str, bool | int]]
Choose = Callable[[Any, Any, int, Buffer, int, int], int]


RULES = [
    *"deal playable other_moves apply start cards_to_shuffle reshuffle drawn utility".split(),
    *"count_others nth_other nth_in_order".split(),
]
"""The names of a game's rules: the functions that run both in plain Python and compiled."""
PLAIN = [
    *"refusal report scene aftermath trick table_cards forgets".split(),
    *"known_counts hand_histories new_stock complete hypotheses consistent".split(),
]
"""The names of the other functions that a game can define; these run in plain Python only."""
ARGUMENTS = {
    **dict.fromkeys(("deal", "reshuffle"), "s opt order"),
    **dict.fromkeys(("playable", "utility", "hypotheses", "consistent"), "s opt me"),
    "other_moves": "s opt me out n",
    "apply": "s opt me move",
    "start": "s opt",
    "cards_to_shuffle": "s opt out",
    "drawn": "s opt card",
    "count_others": "s opt me out",
    "nth_other": "s opt me out k",
    "nth_in_order": "s opt me k",
    "refusal": "s opt me attempt",
    **dict.fromkeys(("report", "known_counts"), "s opt"),
    "hand_histories": "s opt told",
    "new_stock": "s opt sizes told",
    "scene": "s opt seat",
    "aftermath": "s opt me move before",
    **dict.fromkeys(("trick", "table_cards"), "s"),
    "forgets": "opt",
    "complete": "s opt me luck",
}
"""The parameters of each of these functions."""


class BadGame(UpcardError, TypeError):
    """A declaration is wrong. The message is one line and says how to fix it."""


@dataclass(frozen=True)
class Clauses:
    """The clauses to cite for errors that are found before any rule is applied, such as an unreadable event."""

    event: str = ""
    """The text is not an event of this game. Also the default for `players` to `draw`, where those are empty."""
    players: str = ""
    dealer: str = ""
    options: str = ""
    over: str = ""
    """An event comes after the end of the match."""
    chance: str = ""
    """A chance event comes when it is not awaited."""
    deal: str = ""
    """A `deal` lists the wrong cards."""
    reshuffle: str = ""
    draw: str = ""
    unknown_card: str = ""
    """A `deal` lists a card that is not in the pack. If empty, `deal` is cited."""
    unreadable: str = ""
    """A chance event contains a word that is not a card, or a joker in a game without jokers, or a draw does not list
    exactly one card. If empty, `deal`, `reshuffle` or `draw` is cited."""

    def __post_init__(self) -> None:
        for name in ("players", "dealer", "options", "over", "chance", "deal", "reshuffle", "draw"):
            object.__setattr__(self, name, getattr(self, name) or self.event)


@dataclass(frozen=True, eq=False, repr=False)
class Game(Generic[S]):
    """One game: its declarations and its rules. Games are immutable; equal games have the same slug and rules.

    In the signatures below, `s` is a state, `opt` the options and numbers of the table, and `me` a seat. The rules
    (`deal` to `utility`) run both in plain Python and compiled; the other functions run in plain Python only.
    """

    slug: str
    title: str
    family: str
    summary: str
    length: str
    """How long a match takes, in words."""
    players: tuple[int, ...]
    """The numbers of players it can be played with."""
    default_players: int
    state: type[S]
    options: type[Options]
    notation: Notation
    phases: Words
    """The names of the phases. In the first a deal is awaited; the last is the phase after the match."""
    clauses: Clauses
    most_moves: int
    """An upper bound on the legal moves of a seat."""

    deal: Callable[[Any, Any, Pile], None]
    """(s, opt, order): deal the cards in `order`. All fields of a deal are blank, and `s.deals` already counts this
    deal."""
    playable: Callable[[Any, Any, int], Cards]
    """(s, opt, me): returns the set of cards that this seat may play (moves without a verb)."""
    other_moves: Callable[[Any, Any, int, Buffer, int], int]
    """(s, opt, me, out, n): write all other legal moves of this seat to `out`, from index n; returns the new length."""
    apply: Callable[[Any, Any, int, int], None]
    """(s, opt, me, move): make a move, which is known to be legal."""
    start: Callable[[Any, Any], None]
    """(s, opt): set up anything special before the first deal. `players` and `dealer` are set, and a deal is
    awaited."""
    cards_to_shuffle: Callable[[Any, Any, Buffer], int]
    """(s, opt, out): write to `out` the cards that the awaited deal or reshuffle must contain, or that the awaited draw
    picks from; returns their number."""
    reshuffle: Callable[[Any, Any, Pile], None]
    """(s, opt, order): build the new stock from `order`, whose first card is the top."""
    drawn: Callable[[Any, Any, int], None]
    """(s, opt, card): handle the card that chance has drawn."""
    utility: Callable[[Any, Any, int], int]
    """(s, opt, me): returns how well this seat stands at the end of a deal; higher is better."""

    refusal: Callable[[Any, Any, int, Attempt], str]
    """(s, opt, me, attempt): returns the clause that forbids this illegal move. It can also be a generator (`Reasons`)
    that yields pairs of a clause and whether the move breaks it, in the order of the rulebook page; if the move breaks
    none, `clauses.event` is cited."""
    report: Callable[[Any, Any], dict[str, Any]]
    """(s, opt): returns the fields of the report that are particular to this game."""
    scene: Callable[[Any, Any, int | None], Scene]
    """(view state, opt, seat): returns the table as this seat sees it."""

    aftermath: Callable[[Any, Any, int, int, Any], str] | None = None
    """(s, opt, me, move, before): returns the public consequence of the move just made, for the log: a sentence without
    a full stop, with {0} for the name of seat 0. `before` is the state before the move. Empty if the move speaks for
    itself."""
    why: Mapping[str, str] = field(default_factory=dict)
    """The explanation of a refusal, by clause: a sentence in a player's words, without a full stop, that can be
    followed by a list of the playable cards. Defined as `WHY` in the module `words`."""
    count_others: Callable[[Any, Any, int, Buffer], int] | None = None
    """(s, opt, me, out): returns the number of `other_moves`. For games that can count a long list without writing it;
    it may use `out` as scratch space. Defined together with `nth_other`, for random play and vector environments."""
    nth_other: Callable[[Any, Any, int, Buffer, int], int] | None = None
    """(s, opt, me, out, k): returns the k-th of `other_moves`, from 0; `count_others` was called just before with the
    same arguments. If all of them share one verb with any number of cards, they are ordered as actions are: by number
    of cards, then in pack order."""
    nth_in_order: Callable[[Any, Any, int, int], int] | None = None
    """(s, opt, me, k): returns the k-th of the moves with any number of cards, from 0, in the order of actions. For
    games that list them in another order, so that vector environments need not sort them."""
    trick: Callable[[Any], list[tuple[int, Card]]] | None = None
    """(s): returns the seats and cards of the unfinished trick, in order of play. None for a game without tricks.

    The state of a game with tricks has the open field `taker`, the winner of the last trick or NOBODY. A dummy (a hand
    that no player holds) counts as the seat after the last, and its cards are in the zone "dummy"."""
    hand: Holding = field(default_factory=lambda: Holding("hand"))
    """The fields that hold the players' hands."""
    short: Mapping[str, object] | None = None
    """Options for a match of about 15 minutes, for games whose usual match can take more than 30."""
    difficulty: str = ""
    """How hard it is to learn: "easy", "medium" or "hard"."""
    picture: Sequence[str] = ()
    """Cards that are typical of the game, in groups that are shown together, such as ("Kh Qh", "As")."""
    shown: Holding | None = None
    """The fields with the part of each hand that lies open or has been shown to everybody, if the game has them."""
    known: Holding | None = None
    """The fields with cards that everybody saw enter a hand but that do not lie open. Worlds respect them; scenes do
    not show them, because players have to remember them. These fields are declared without `cards=`."""
    table_cards: Callable[[Any], list[Card]] | None = None
    """(s): returns the open cards in fields that are declared without `cards=`, such as melds encoded as numbers."""
    forgets: Callable[[Any], bool] | None = None
    """(opt): returns whether players may look at the last trick only. None: they may look at all finished tricks."""
    lacks: str | None = None
    """The field with, per seat, the set of cards that the seat has shown it does not hold; None if there is none."""
    known_counts: Callable[[Any, Any], Sequence[KnownCount]] | None = None
    """(view state, opt): returns what everybody knows about the number of certain cards in hidden places. Worlds
    respect it."""
    hand_histories: Callable[[Any, Any, Sequence[Any]], Sequence[HandHistory]] | None = None
    """(view state, opt, notices): returns what everybody has seen happen to each hand. `notices` are those of this
    deal, the deal included. For games in which a hand draws hidden cards after it has shown that it lacks others."""
    new_stock: Callable[[Any, Any, Sequence[int], Sequence[Any]], NewStock | None] | None = None
    """(view state, opt, sizes, notices): returns what everybody has seen since the stock was renewed; None once the
    deal is over. The view state and the sizes of the hands are those just before the reshuffle; `notices` start with
    it. For games that make a new stock of cards that everybody has seen while all other cards are in hands."""
    complete: Callable[[Any, Any, int, Any], None] | None = None
    """(s, opt, me, luck): fill in whatever else `me` cannot see, after the unseen cards of a world have been dealt.
    `complete` and `consistent` are compiled if they are rules; as plain functions they make sampling slower."""
    hypotheses: Callable[[Any, Any, int], Sequence[Hypothesis]] | None = None
    """(view state, opt, me): returns constraints on the hands, at least one of which holds in every consistent world.
    Worlds are dealt from these. For claims that few random deals of the unseen cards would satisfy."""
    consistent: Callable[[Any, Any, int], bool] | None = None
    """(world, opt, me): returns whether a world agrees with what players have claimed."""

    package: str = ""
    """The name of the module or package that declares the game."""
    file: Path | None = None
    """The file of that module, from which another process can load the game."""
    base: Game[Any] | None = None
    """For a variant, the game that it varies."""
    change: Change | None = None
    """For a variant, what it changes."""

    def __repr__(self) -> str:
        numbers = f"{min(self.players)} to {max(self.players)}" if len(self.players) > 1 else str(self.players[0])
        of = f", a variant of {self.base.slug}" if self.base else ""
        return f"<Game {self.slug}: {self.title}, {numbers} players{of}>"

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Game):
            return self is other
        return self.slug == other.slug and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.slug)

    def __copy__(self) -> Game[S]:
        return self  # immutable

    def __deepcopy__(self, memo: object) -> Game[S]:
        return self

    # ------------------------------------------------------------------------------------------------------ identity

    @cached_property
    def identity(self) -> dict[str, object] | None:
        """What a match record says about the rules, to recognise them again; None for the games that ship with
        Upcard."""
        from upcard.rules.identity import identity

        return identity(self)

    @property
    def root(self) -> Game[Any]:
        """The game at the end of the chain of `base`: the game itself, if it is not a variant."""
        return self if self.base is None else self.base.root

    @property
    def changes(self) -> list[Change]:
        """The changes that lead from `root` to this game, in order."""
        return [] if self.base is None or self.change is None else [*self.base.changes, self.change]

    # ----------------------------------------------------------------------------------------------- cards and fields

    def all_cards(self, s: Any) -> list[Card]:
        """The cards in all fields that hold cards, and in the trick. During a deal that is the whole pack, each card
        once."""
        placed = cards_in(s) + ([] if self.table_cards is None else self.table_cards(s))
        trick = [] if self.trick is None else self.trick(s)
        return placed + [card for _, card in trick if card not in placed]

    @cached_property
    def aside(self) -> list[str]:
        """The fields with sets of cards that a seat has laid aside face down: it knows them, and they are not in its
        hand."""
        hands = (self.hand.first, self.hand.second, self.hand.jokers)
        return [
            name
            for name, spec in self.state.fields.items()
            if spec.seen is Seen.OWNER and spec.cards == "set" and name not in hands
        ]

    @cached_property
    def hidden(self) -> list[tuple[str, Field]]:
        """The fields that are not entirely public, with their names."""
        return [(name, spec) for name, spec in self.state.fields.items() if spec.seen is not Seen.ALL]

    @cached_property
    def piles(self) -> list[str]:
        """The fields with face-down cards that belong to no seat."""
        return [name for name, spec in self.hidden if spec.seen is Seen.NOBODY and spec.cards]

    @property
    def prefix(self) -> str:
        """The letters in the ids of its clauses: "OH" for OH-41."""
        return self.clauses.event.partition("-")[0]

    @cached_property
    def heuristic(self) -> Choose | None:
        """The game's heuristic player, (s, opt, me, moves, n, luck): returns one of the first n moves in `moves`.

        It sees a view's state. `luck` is a random number below 2**31, for choosing among equally good moves. None if
        the game has no heuristic.
        """
        module = sys.modules[self.package]
        if hasattr(module, "__path__"):
            if find_spec(f"{self.package}.heuristic") is None:
                return None
            module = import_module(f"{self.package}.heuristic")
        return getattr(module, "choose", None)

    def variant(
        self,
        slug: str,
        *,
        title: str | None = None,
        rules: Mapping[str, Callable[..., Any]] | None = None,
        numbers: Mapping[str, object] | None = None,
        fields: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        **said: object,
    ) -> Game[Any]:
        """Returns a variant: this game with some rules, numbers, fields or options replaced or added.

        `rules` maps the name of a function of the game (in `rules`, `words` or `heuristic`) to the function that
        replaces it everywhere; inside the new function, the old name still means the old function. `numbers` maps names
        of declared numbers to new values. `fields` are additional fields of the state; `options` are additional options
        of a table, or replace existing ones. Other keywords (`summary=`, `players=`, `short=`, …) replace the game's
        own attributes.

        Raises BadGame for an unknown name, a function with other parameters, and a number whose old value also occurs
        as a literal in the rules.
        """
        from upcard.rules.variants import Change, derive

        called = title or f"{self.title} ({slug})"
        return derive(self, Change(slug, called, rules or {}, numbers or {}, fields or {}, options or {}, said))


def once_per_game(function: Callable[[Game[Any]], T]) -> Callable[[Game[Any]], T]:
    """A decorator that caches what a function returns for each game. Games are told apart by `is`, since to compare the
    rules of two games of one name is slow."""
    results: dict[int, tuple[Game[Any], T]] = {}  # the game is kept too, so that no other gets its id

    @wraps(function)
    def cached(game: Game[Any]) -> T:
        if id(game) not in results:
            results[id(game)] = game, function(game)
        return results[id(game)][1]

    return cached


def legal_moves(game: Game[Any], s: Any, opt: Any, me: int, out: Buffer) -> int:
    """Write all legal moves of a seat that is to act into `out`; returns their number."""
    n = put_each(out, 0, game.notation.of_playable, game.playable(s, opt, me))
    return game.other_moves(s, opt, me, out, n)
