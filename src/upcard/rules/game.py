"""A game: its declarations, its rules and its words, tied together. `upcard.rules.define` reads them out of modules."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from upcard.rules.cards import Card, Cards
from upcard.rules.errors import UpcardError
from upcard.rules.knowledge import HandHistory, Holding, Hypothesis, KnownCount, NewStock, cards_in
from upcard.rules.notation import Attempt, Notation, put_cards
from upcard.rules.options import Options
from upcard.rules.scene import Scene
from upcard.rules.state import Buffer, Field, GameState, Pile, Seen
from upcard.rules.words import Words

if TYPE_CHECKING:
    from upcard.rules.variants import Change

S = TypeVar("S", bound=GameState)
Reasons = Iterator[tuple[str, bool | int]]
Choose = Callable[[Any, Any, int, Buffer, int, int], int]


RULES = "deal playable other_moves apply start cards_to_shuffle reshuffle drawn utility count_others nth_other".split()
"""The names of the rules of a game: they run plain and compiled."""
PLAIN = [
    *"refusal report scene aftermath trick table_cards forgets".split(),
    *"known_counts hand_histories new_stock complete hypotheses consistent".split(),
]
"""The names of what else a game can define, in plain Python."""
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
    "refusal": "s opt me attempt",
    **dict.fromkeys(("report", "known_counts"), "s opt"),
    "hand_histories": "s opt told",
    "new_stock": "s opt sizes told",
    "scene": "s opt seat",
    "aftermath": "s opt move",
    **dict.fromkeys(("trick", "table_cards"), "s"),
    "forgets": "opt",
    "complete": "s opt me luck",
}
"""What each of them takes."""


class BadGame(UpcardError, TypeError):
    """A declaration that cannot be; the text is one line and says what to do."""


@dataclass(frozen=True)
class Clauses:
    """The clauses that are named for what goes wrong before a move is even looked at."""

    event: str = ""
    """A text that is no event of this game; also whatever has no clause of its own below."""
    players: str = ""
    dealer: str = ""
    options: str = ""
    over: str = ""
    """An event after the end of the match."""
    chance: str = ""
    """A chance event that is not awaited."""
    deal: str = ""
    """A `deal` of the wrong cards."""
    reshuffle: str = ""
    draw: str = ""
    unknown_card: str = ""
    """A `deal` that names what is no card of the pack; where empty, `deal` is named."""
    unreadable: str = ""
    """A deal, reshuffle or draw with a word that is no card or a joker of which there are none, or a draw of not just
    one; where empty, the same as for wrong cards."""

    def __post_init__(self) -> None:
        for name in ("players", "dealer", "options", "over", "chance", "deal", "reshuffle", "draw"):
            object.__setattr__(self, name, getattr(self, name) or self.event)


@dataclass(frozen=True, eq=False, repr=False)
class Game(Generic[S]):
    """One game: its declarations and its rules. `s` is a state, `opt` its options and numbers, `me` a seat.

    The rules (`deal` to `utility`) run plain and compiled; the rest is plain Python.
    """

    slug: str
    title: str
    family: str
    summary: str
    length: str
    """How long a match takes, in words."""
    players: tuple[int, ...]
    """How many may play."""
    default_players: int
    state: type[S]
    options: type[Options]
    notation: Notation
    phases: Words
    """The first is the one in which a deal is awaited, the last the one after the match."""
    clauses: Clauses
    most_moves: int
    """No seat ever has more legal moves."""

    deal: Callable[[Any, Any, Pile], None]
    """(s, opt, order): deal these cards. The state's fields of a deal are blank, and `deals` counts this one
    already."""
    playable: Callable[[Any, Any, int], Cards]
    """(s, opt, me): the cards that this seat may play as bare cards."""
    other_moves: Callable[[Any, Any, int, Buffer, int], int]
    """(s, opt, me, out, n): appends all other legal moves of this seat; returns the new length."""
    apply: Callable[[Any, Any, int, int], None]
    """(s, opt, me, move): makes a legal move."""
    start: Callable[[Any, Any], None]
    """(s, opt): what is special before the first deal; `players` and `dealer` are set, and a deal is awaited."""
    cards_to_shuffle: Callable[[Any, Any, Buffer], int]
    """(s, opt, out): the cards that the awaited deal or reshuffle must arrange, or a draw picks from; how many."""
    reshuffle: Callable[[Any, Any, Pile], None]
    """(s, opt, order): the stock is made anew, its top first."""
    drawn: Callable[[Any, Any, int], None]
    """(s, opt, card): this card was drawn by lot."""
    utility: Callable[[Any, Any, int], int]
    """(s, opt, me): how well this seat stands at the end of a deal, the higher the better."""

    refusal: Callable[[Any, Any, int, Attempt], str]
    """(s, opt, me, attempt): the clause that forbids what was said. A game may write it as `Reasons`: in the page's
    order, each clause with whether it is broken; where none is, the text is no event."""
    report: Callable[[Any, Any], dict[str, Any]]
    """(s, opt): the fields of the report that are not the same in all games."""
    scene: Callable[[Any, Any, int | None], Scene]
    """(view state, opt, seat): the table as this seat sees it."""

    aftermath: Callable[[Any, Any, int], str] | None = None
    """(s, opt, move): what everybody saw come of this move, just made, for the log: a sentence without its full stop,
    with {0} for seat 0; empty where the move says it all."""
    why: Mapping[str, str] = field(default_factory=dict)
    """By clause, what is said to whoever tried what it forbids: a sentence in a player's words without its full stop,
    which still makes sense with the cards behind it that may be played. The module `words` calls it `WHY`."""
    count_others: Callable[[Any, Any, int, Buffer], int] | None = None
    """(s, opt, me, out): how many `other_moves` there are, where long lists need not be written to be counted; it may
    also list them into `out`. Together with `nth_other`, for play at random and for thousands of tables at once."""
    nth_other: Callable[[Any, Any, int, Buffer, int], int] | None = None
    """(s, opt, me, out, k): the k-th of `other_moves`, from 0, after `count_others` has looked at them. Where all are
    of one verb that names many cards, they go by fewer cards first, then in pack order, as actions are numbered."""
    trick: Callable[[Any], list[tuple[int, Card]]] | None = None
    """(s): who has played what to the unfinished trick, in order; None for a game without tricks. The state of a game
    with tricks has the open field `taker`: who took the last one, NOBODY where nobody did. A dummy, a hand that nobody
    holds, has the number after the last seat's, and its cards lie in the zone "dummy"."""
    hand: Holding = field(default_factory=lambda: Holding("hand"))
    short: Mapping[str, object] | None = None
    """The options of a match of about a quarter of an hour, where the usual one can take more than half an hour."""
    difficulty: str = ""
    """How hard it is to learn: "easy", "medium" or "hard"."""
    picture: Sequence[str] = ()
    """Cards that are typical of it, in groups that lie together, such as ("Kh Qh", "As")."""
    shown: Holding | None = None
    """The part of each hand that everybody has seen, if the game keeps one."""
    known: Holding | None = None
    """Cards that everybody has seen go into each hand but that do not lie open: worlds heed them, scenes leave them to
    the players' memory. Their fields are not of `cards=`."""
    table_cards: Callable[[Any], list[Card]] | None = None
    """(s): the cards that lie open in fields which do not say so with `cards=`: melds written as numbers."""
    forgets: Callable[[Any], bool] | None = None
    """(opt): whether finished tricks cannot be looked through, so that faces tell only of the last; None: they can."""
    lacks: str | None = None
    """The field that has, per seat, the set of cards that this seat has shown it does not hold; None: no such field."""
    known_counts: Callable[[Any, Any], Sequence[KnownCount]] | None = None
    """(view state, opt): what everybody knows of some hidden cards; worlds agree with it."""
    hand_histories: Callable[[Any, Any, Sequence[Any]], Sequence[HandHistory]] | None = None
    """(view state, opt, the notices of this deal, with the deal itself): what everybody has seen happen to each hand.
    For hands that draw hidden cards after they have been shown to lack some."""
    new_stock: Callable[[Any, Any, Sequence[int], Sequence[Any]], NewStock | None] | None = None
    """(the view state when the stock was about to be renewed, opt, the sizes of the hands then, the notices since, with
    the reshuffle itself): what everybody has seen since; None once the deal is over. For games that turn cards that all
    have seen into a new stock, when the others are in hands."""
    complete: Callable[[Any, Any, int, Any], None] | None = None
    """(s, opt, me, luck): after the unseen cards of a world are dealt, fill in what else `me` cannot see. This and
    `consistent` are compiled where they are rules; plain functions make worlds slower."""
    hypotheses: Callable[[Any, Any, int], Sequence[Hypothesis]] | None = None
    """(view state, opt, me): a world that agrees with what was said fits at least one of these. For truths that few
    arrangements of the unseen cards would meet by chance; worlds are dealt from them."""
    consistent: Callable[[Any, Any, int], bool] | None = None
    """(world, opt, me): whether a world agrees with what was said."""

    package: str = ""
    """The name of the module or package in which it was declared."""
    file: Path | None = None
    """Where that stands: what another process loads to have this game."""
    base: Game[Any] | None = None
    """For a variant the game that it varies."""
    change: Change | None = None
    """For a variant what it changes."""

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
        return self  # it cannot be changed

    def __deepcopy__(self, memo: object) -> Game[S]:
        return self

    # ------------------------------------------------------------------------------------------------------ who it is

    @cached_property
    def identity(self) -> dict[str, object] | None:
        """What a record says of its rules; None for those that come with Upcard."""
        from upcard.rules.identity import identity

        return identity(self)

    @property
    def root(self) -> Game[Any]:
        """The game of which it is a variant, perhaps of a variant; itself if it is none."""
        return self if self.base is None else self.base.root

    @property
    def changes(self) -> list[Change]:
        """All that makes a variant of its root, in order."""
        return [] if self.base is None or self.change is None else [*self.base.changes, self.change]

    # -------------------------------------------------------------------------------------------------- what it holds

    def all_cards(self, s: Any) -> list[Card]:
        """The cards in every place that a state declares, and in the trick: each card of the pack once, while a deal is
        played."""
        placed = cards_in(s) + ([] if self.table_cards is None else self.table_cards(s))
        trick = [] if self.trick is None else self.trick(s)
        return placed + [card for _, card in trick if card not in placed]

    @cached_property
    def aside(self) -> list[str]:
        """The fields with sets of cards that lie face down before their seat, which knows them, and not in its hand."""
        hands = (self.hand.first, self.hand.second, self.hand.jokers)
        return [
            name
            for name, spec in self.state.fields.items()
            if spec.seen is Seen.OWNER and spec.cards == "set" and name not in hands
        ]

    @cached_property
    def hidden(self) -> list[tuple[str, Field]]:
        """The fields of which something is hidden from somebody."""
        return [(name, spec) for name, spec in self.state.fields.items() if spec.seen is not Seen.ALL]

    @cached_property
    def piles(self) -> list[str]:
        """The fields with cards that lie face down and belong to no seat."""
        return [name for name, spec in self.hidden if spec.seen is Seen.NOBODY and spec.cards]

    @property
    def prefix(self) -> str:
        """The letters before the numbers of its clauses."""
        return self.clauses.event.partition("-")[0]

    @cached_property
    def heuristic(self) -> Choose | None:
        """The game's own rules of play, for what a seat may see: (s, opt, me, moves, n, luck) gives one of n moves.

        `luck` is a random number below 2**31, to vary what is as good as something else. None where a game has none.
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
        """This game with some rules, numbers or fields replaced; everything else follows.

        `rules` are functions by the name of the one they replace (of rules, words or heuristic), wherever that is
        called; within such a function the old name still means the one it replaces. `numbers` are those that the game
        declares. `fields` are further fields of the state, `options` further rule switches of a table. What else is
        said (`summary=`, `players=`, `short=`, …) takes the place of what the game says of itself. Raises BadGame for
        an unknown name, a function that takes other arguments, or a number that also stands somewhere as a bare
        literal.
        """
        from upcard.rules.variants import Change, derive

        called = title or f"{self.title} ({slug})"
        return derive(self, Change(slug, called, rules or {}, numbers or {}, fields or {}, options or {}, said))


def legal_moves(game: Game[Any], s: Any, opt: Any, me: int, out: Buffer) -> int:
    """Put every legal move of a seat that is to act into the buffer; returns how many."""
    n = put_cards(out, 0, game.playable(s, opt, me))
    return game.other_moves(s, opt, me, out, n)
