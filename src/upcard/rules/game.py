"""A game is a class: its options and numbers are attributes, its rules are methods, and a variant is a subclass."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, Generic, NoReturn, Self, TypeVar

from typing_extensions import override

from upcard.rules import seats
from upcard.rules.cards import Card, Cards
from upcard.rules.constraints import BrokenConstraint, Constraint, at_most
from upcard.rules.defaults import plain_report, plain_scene
from upcard.rules.enums import Words, words
from upcard.rules.errors import BadGame, UpcardError
from upcard.rules.knowledge import HandHistory, Holding, Hypothesis, KnownCount, NewStock, cards_in
from upcard.rules.notation import LARGEST_ITEM, Attempt, Notation, put_cards, put_each
from upcard.rules.options import BadOption, Number, Option
from upcard.rules.phrases import brief, whole_number
from upcard.rules.rng import Rng
from upcard.rules.scene import Scene
from upcard.rules.sentences import Sentence, as_sentence, listed, sentence
from upcard.rules.speech import Speech, Utterances, usual_utterances
from upcard.rules.state import Buffer, GameState, Pile
from upcard.rules.tricks import TrickState, trick_of

S = TypeVar("S", bound=GameState)
F = TypeVar("F", bound=Callable[..., Any])
FINAL = {"all_cards", "clear", "forbidding", "legal_moves", "opens", "setting"}
"""The methods of `Game` that games cannot override. Rules can call only `clear` of them."""
Reasons = Iterator[tuple[str, bool | int]]
Recipe = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function that loads a game in another process, and its arguments."""


@dataclass(frozen=True)
class Clauses:
    """The clauses to cite for errors that are found before any rule is applied, such as an unreadable event."""

    event: str = ""
    """Cited for a text that is not an event of this game. Also the default for `players` to `draw`, if empty."""
    players: str = ""
    dealer: str = ""
    options: str = ""
    over: str = ""
    """Cited for an event after the end of the match."""
    chance: str = ""
    """Cited for a chance event that is not awaited."""
    deal: str = ""
    """Cited for a `deal` that lists the wrong cards."""
    reshuffle: str = ""
    draw: str = ""
    unknown_card: str = ""
    """Cited for a `deal` that lists a card outside the pack. If empty, `deal` is cited."""
    unreadable: str = ""
    """Cited for a chance event that contains a word that is not a card, or a joker in a game without jokers, and for a
    draw that does not list exactly one card. If empty, `deal`, `reshuffle` or `draw` is cited."""

    @property
    def prefix(self) -> str:
        """The letters in the ids of the game's clauses: "OH" for OH-41."""
        return self.event.partition("-")[0]

    def __post_init__(self) -> None:
        for name in ("players", "dealer", "options", "over", "chance", "deal", "reshuffle", "draw"):
            object.__setattr__(self, name, getattr(self, name) or self.event)


class GameClass(type):
    """The metaclass of games. Game classes are not pickled by value: see `upcard.games.pickling`."""

    recipe: ClassVar[Callable[[type[Game[Any]]], Recipe]]
    """Returns the function and arguments that load a game in another process."""

    def __repr__(cls) -> str:
        if not hasattr(cls, "slug"):
            return super().__repr__()
        counts: tuple[int, ...] = cls.player_counts  # type: ignore[attr-defined]
        number = f"{min(counts)} to {max(counts)}" if len(counts) > 1 else str(counts[0])
        of = f", a variant of {cls.base.slug}" if cls.base else ""  # type: ignore[attr-defined]
        return f"<Game {cls.slug}: {cls.title}, {number} players{of}>"  # type: ignore[attr-defined]

    def __setattr__(cls, name: str, value: object) -> None:
        if "_is_made" in vars(cls):
            raise AttributeError(f"{cls.__name__} is made, so `{name}` cannot be set any more: make a subclass")
        super().__setattr__(name, value)

    def __delattr__(cls, name: str) -> NoReturn:
        raise AttributeError(f"{cls.__name__} is made, so `{name}` cannot be taken away: make a subclass")


class Game(Generic[S], metaclass=GameClass):
    """A game. Its class has the declarations and the rules; an instance is the game at one table.

    A class without a `title` is a part of a game, such as its words in a separate file. A subclass of a whole game is a
    variant. `self` has the options and numbers of the table, and `players`, the number of players there. In the rules,
    `s` is a state and `me` a seat.

    The methods from `start` to `hand_signs` run both in plain Python and compiled, those below in plain Python only;
    `complete` and `consistent` may do either (see `plain`). Creating a class raises BadGame if anything in it is wrong.
    """

    title: ClassVar[str]
    slug: ClassVar[str]
    """Its name in commands and records, by default from that of the class: `sixty-six` for SixtySix."""
    family: ClassVar[str] = "Other games"
    summary: ClassVar[str] = ""
    """A sentence or two for the lobby. Like a sentence of `why` it may have placeholders for options and numbers, as in
    "the first to have {enough} points"."""
    length: ClassVar[str] = ""
    """The duration of a match, in words."""
    minutes: ClassVar[int] = 0
    """The fewest minutes that a usual match takes, by which lobbies sort games; 0 if nobody has measured it."""
    difficulty: ClassVar[str] = ""
    """The difficulty of learning it: "easy", "medium" or "hard"."""
    picture: ClassVar[Sequence[str]] = ()
    """Cards that are typical of the game, in groups that are shown together, such as ("Kh Qh", "As")."""
    player_counts: ClassVar[tuple[int, ...]]
    """The possible numbers of players. Those that no constraint allows are left out when the class is made."""
    declared_counts: ClassVar[tuple[int, ...]]
    """The numbers of players as declared, including those that the constraints exclude."""
    default_players: ClassVar[int]
    """By default the first of `player_counts`."""
    short: ClassVar[Mapping[str, object] | None] = None
    """Options for a match of about 15 minutes, for games whose usual match can take more than 30."""
    author: ClassVar[Mapping[str, object] | None] = None
    """The options with which a table plays to the letter of the game's source; None if there is no such source. A
    variant has none unless it declares its own."""
    author_clause: ClassVar[str] = ""
    """The clause that lists how the usual table differs from the source, and why."""
    state: ClassVar[type[GameState]]
    """The class of its states: the type argument, as in `class Whist(Game[WhistState])`."""
    notation: ClassVar[Notation] = Notation()
    phases: ClassVar[Words] = words("deal play done")
    """The names of the phases. In the first, a deal is awaited; the last is the phase after the match."""
    clauses: ClassVar[Clauses] = Clauses()
    most_moves: ClassVar[int]
    """An upper bound on the legal moves of a seat."""
    why: ClassVar[Mapping[str, str]] = {}
    """The explanation of a refusal, by clause: a sentence in a player's words, without a full stop, that can be
    followed by a list of the playable cards."""
    speech: ClassVar[Mapping[int, Speech | None]] = {}
    """By verb, what a player says aloud with a move of it; None for nothing. Moves of other verbs are said by their
    labels if they name no card. See `utterances`."""
    hand: ClassVar[Holding] = Holding("hand")
    """The fields that hold the players' hands."""
    shown: ClassVar[Holding | None] = None
    """The fields with the part of each hand that is open or has been shown to everybody. By default the field `shown`,
    if there is one."""
    known: ClassVar[Holding | None] = None
    """The fields with cards that everybody saw enter a hand but that are not open. By default the field `known`, if
    there is one. Worlds respect them; scenes do not show them, because players have to remember them. They are declared
    without `cards=`."""
    SITUATIONS: ClassVar[int] = 1
    TRAITS: ClassVar[int] = 0
    NOTES: ClassVar[int] = 0
    SURROUNDINGS: ClassVar[int] = 0
    UNITS: ClassVar[int] = 0
    """The sizes of the learned policy: limits for the numbers that its methods return, and its number of hidden units.
    See `upcard.policies.learned`."""
    HAND_SIGNS: ClassVar[int] = 0
    """The number of different signs of hands. See `upcard.policies.hand_features`."""
    INFERS: ClassVar[float] = 0.0
    """For experts: the fraction of worlds drawn by inference, that is, by how likely the others' actions are in them;
    the rest are drawn uniformly. If a game has learned weights of hand features (see `upcard.policies.hand_features`),
    inference uses those. docs/strength.md has the gain from this setting and the following ones."""
    ANSWERED: ClassVar[bool] = False
    """For experts: whether moves that show cards are evaluated again, against players that look ahead."""
    IDLE: ClassVar[Sequence[str]] = ()
    """For proofs: the fields whose cards are out of play during the tricks; they are ignored."""
    DRAWN: ClassVar[int] = 0
    """For proofs: the maximum number of cards drawn from a face-down pile in play; the cards below are ignored."""

    refused: ClassVar[str] = ""
    """The clause to cite for every invalid value of an option, by default that of the option."""

    base: ClassVar[type[Game[Any]] | None] = None
    """For a variant, the game that it varies."""
    identity: ClassVar[dict[str, object] | None] = None
    """The description of the rules in match records, to recognise them; None for the games that ship with Upcard."""

    players: int
    """The number of players at this table."""
    chosen: Mapping[str, str | int | bool]
    """The options that were set at this table, by name."""
    declared_options: ClassVar[dict[str, Option]] = {}
    declared_numbers: ClassVar[dict[str, Number]] = {}
    """The options and numbers of the game, by their names in records."""

    def __init_subclass__(cls) -> None:
        from upcard.rules.declaring import declare

        declare(cls)
        cls._is_made = True

    def __init__(self, players: int | None = None, options: Mapping[str, object] | None = None) -> None:
        """Set up the game for a table of this many players, by default `default_players`.

        Raises BadOption for an unknown option, an invalid value, a number of players that the game does not declare,
        and a broken constraint; and BadGame for a number of the rules that cannot be computed.
        """
        _settle(self, players, options)
        if (broken := broken_constraint(self)) is not None:
            raise BrokenConstraint(broken.reason, broken.clause, type(self))

    @classmethod
    def unconstrained(cls, players: int | None = None, options: Mapping[str, object] | None = None) -> Self:
        """A table whose constraints are not checked, to read its options and numbers. Raises BadOption and BadGame."""
        table = cls.__new__(cls)
        _settle(table, players, options)
        return table

    @classmethod
    def bounds_of(cls, name: str, players: int) -> tuple[int, int]:
        """The lowest and highest value that constraints allow for an option that is a whole number, at a table of this
        many players with the usual other options; if they allow none, its declared bounds. For a text of digits, the
        least and greatest length."""
        option = cls.declared_options[name]
        bounds = option.bounds(players)
        if option.kind != "whole":
            return bounds
        values = range(bounds[0], bounds[1] + 1)
        low = next((value for value in values if _is_possible(cls, players, {name: value})), None)
        high = next((value for value in reversed(values) if _is_possible(cls, players, {name: value})), None)
        return bounds if low is None or high is None else (low, high)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a table's rules cannot be changed, `{name}` neither: make another Setup, or a variant")

    def __delattr__(self, name: str) -> NoReturn:
        self.__setattr__(name, None)

    @property
    def game(self) -> type[Self]:
        """The class of the game."""
        return type(self)

    @property
    def options(self) -> Self:
        """This object, which has the options as attributes."""
        return self

    @classmethod
    def attribute_of(cls, name: str) -> str:
        """The attribute with the option or number of this name."""
        declared: Option | Number = cls.declared_options.get(name) or cls.declared_numbers[name]
        return declared.attribute

    def setting(self, name: str) -> Any:
        """The number that rules see for the option or number of this name. Raises UpcardError for an unknown one."""
        try:
            return getattr(self, self.attribute_of(name))
        except (KeyError, TypeError):
            raise UpcardError(f"{self.title} has no option or number {brief(name)}") from None

    def opens(self, unless: str | None) -> bool:
        """Whether a sealed field or verb is open because the option `unless` has a value other than its first."""
        return unless is not None and self.setting(unless) != 0

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Game):
            return self is other
        return (self.slug, self.players, self.chosen) == (other.slug, other.players, other.chosen) and is_same(
            type(self), type(other)
        )

    def __hash__(self) -> int:
        own = vars(self)
        if "_hash" not in own:  # tables are keys of caches that are asked many times for every move
            own["_hash"] = hash((self.slug, self.players, frozenset(self.chosen.items())))
        return own["_hash"]  # type: ignore[no-any-return]

    def __copy__(self) -> Self:
        return self  # immutable

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> Any:
        return _at_table, (*GameClass.recipe(type(self)), self.players, dict(self.chosen))

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.chosen.items())
        return f"<Setup {self.slug}, {self.players} players{options}>"

    @classmethod
    def variant(
        cls,
        slug: str,
        *,
        title: str | None = None,
        numbers: Mapping[str, object] | None = None,
        **more: object,
    ) -> type[Game[S]]:
        """Create a variant at run time: this game with other numbers, or settled options.

        Further arguments replace declarations of the class (`summary=`, `most_moves=`, …). Other rules need a
        subclass. Raises BadGame for an unknown name or an invalid value.
        """
        from upcard.rules.declaring import made_variant

        title = title if title is not None else f"{cls.title} ({slug if isinstance(slug, str) else brief(slug)})"
        return made_variant(cls, slug, {"title": title, **more}, {} if numbers is None else numbers)

    @classmethod
    def defines(cls, name: str) -> bool:
        """Whether the game replaces the default of a rule, a text or a constant."""
        return getattr(cls, name) is not getattr(Game, name)

    @classmethod
    def has_tricks(cls) -> bool:
        """Whether cards are played to tricks."""
        return cls.defines("trick") or issubclass(cls.state, TrickState)

    def all_cards(self, s: Any) -> list[Card]:
        """The cards in all card fields and in the trick: during a deal the whole pack, each card once."""
        placed = cards_in(s) + self.table_cards(s)
        return placed + [card for _, card in self.trick(s) if card not in placed]

    def legal_moves(self, s: S, me: int, out: Buffer) -> int:
        """Write all legal moves of a seat that is to act into `out`; returns their number."""
        return self.other_moves(s, me, out, put_each(out, 0, self.notation.of_playable, self.playable(s, me)))

    def clear(self, s: S) -> None:
        """Blank all fields of the state that do not last for the match. Rules may call it; it runs before each deal."""
        s.clear()

    def forbidding(self, s: S, me: int, attempt: Attempt) -> str:
        """The clause that forbids an illegal move: the first in `refusal` that it breaks, or `clauses.event`."""
        return next((clause for clause, broken in self.refusal(s, me, attempt) if broken), self.clauses.event)

    # ------------------------------------------------------------------------------------------------ rules, compiled

    def start(self, s: S) -> None:
        """Set up anything special before the first deal. `players` and `dealer` are set, and a deal is awaited."""

    def cards_to_shuffle(self, s: S, out: Buffer) -> int:
        """Write to `out` the cards that the awaited deal or reshuffle must contain, or that the awaited draw picks
        from; returns their number. By default the number `pack`."""
        return put_cards(out, 0, self.pack)  # type: ignore[attr-defined]

    def deal(self, s: S, order: Pile) -> None:
        """Deal the cards in `order`. All fields of a deal are blank, and `s.deals` already counts this deal."""
        raise NotImplementedError

    def reshuffle(self, s: S, order: Pile) -> None:
        """Build the new stock from `order`, whose first card is the top."""

    def drawn(self, s: S, card: Card) -> None:
        """Handle the card that chance has drawn."""

    def playable(self, s: S, me: int) -> Cards:
        """The set of cards that this seat may play (moves without a verb)."""
        raise NotImplementedError

    def other_moves(self, s: S, me: int, out: Buffer, n: int) -> int:
        """Write all other legal moves of this seat to `out`, from index n; returns the new length."""
        return n

    def apply(self, s: S, me: int, move: int) -> None:
        """Make a move that is known to be legal."""
        raise NotImplementedError

    def utility(self, s: S, me: int) -> int:
        """The value of a finished deal for this seat; higher is better. By default its lead over the average score."""
        return seats.above_average(s, me)

    def count_others(self, s: S, me: int, out: Buffer) -> int:
        """The number of `other_moves`, for games that can count a long list without writing it; `out` may be used as
        scratch space. Defined together with `nth_other`, for random play and vector environments."""
        raise NotImplementedError

    def nth_other(self, s: S, me: int, out: Buffer, k: int) -> int:
        """The k-th of `other_moves`, from 0; `count_others` was called just before with the same arguments. If all of
        them share one verb with any number of cards, they are ordered as actions are: by number of cards, then in pack
        order."""
        raise NotImplementedError

    def nth_in_order(self, s: S, me: int, k: int) -> int:
        """The k-th of the moves with any number of cards, from 0, in the order of actions. For games that list them in
        another order, so that vector environments need not sort them."""
        raise NotImplementedError

    # -------------------------------------------------------------------------------- the heuristic player, compiled

    def choose(self, s: S, me: int, moves: Buffer, n: int, luck: int) -> int:
        """The move of the heuristic player: one of the first n of `moves`.

        `s` is the state of a view. `luck` is a random number below 2**31, for choosing among equally good moves."""
        raise NotImplementedError

    def reconsider(self, s: S, me: int, moves: Buffer, n: int, move: int, careful: int) -> int:
        """The move that a player makes who intends `move`: the same, or another one of the first n of `moves`.

        `s` is the state of a view. `careful` is 0 if the heuristic chose the move, 1 if the learned policy did. After
        the first n, `moves` has 256 more numbers as working memory. For calculations that take too long for rollouts,
        which make the intended moves."""
        raise NotImplementedError

    def situation(self, s: S, me: int) -> int:
        """For the learned policy: a number below SITUATIONS. Each situation has weights of its own."""
        raise NotImplementedError

    def surroundings(self, s: S, me: int) -> Cards:
        """For the learned policy: a set of numbers below SURROUNDINGS, features of the position."""
        raise NotImplementedError

    def traits(self, s: S, me: int, move: int) -> Cards:
        """For the learned policy: a set of numbers below TRAITS, the features of a move."""
        raise NotImplementedError

    def note(self, s: S, me: int, notes: Buffer, at: int) -> None:
        """For the learned policy: write at most NOTES numbers that the traits of several moves need to `notes`, from
        index `at`, once per decision. A game with notes defines `noted_traits` instead of `traits`."""
        raise NotImplementedError

    def noted_traits(self, s: S, me: int, move: int, notes: Buffer, at: int) -> Cards:
        """The traits of a move, computed with the notes."""
        raise NotImplementedError

    def over(self, s: S, card: Card) -> Cards:
        """The cards that beat a card, if they are not the higher cards of its suit."""
        raise NotImplementedError

    def hand_signs(self, s: S, seat: int, room: Buffer) -> int:
        """Write the signs of a seat's hand, numbers below HAND_SIGNS, to `room`; returns their number."""
        raise NotImplementedError

    def lasting(self, s: S) -> Cards:
        """The cards that a seat never discards, in games where cards are discarded and new ones drawn. They help
        inference to find the deal behind a world."""
        return 0

    def apart(self, s: S) -> Cards:
        """The cards that are not equivalent to any other; proofs treat all other neighbours in a suit as equivalent."""
        raise NotImplementedError

    def condense(self, s: S) -> None:
        """For the solver of deals with open cards: bring a state between two tricks to a normal form, from which the
        deal can be played in the same ways, with the same utilities and winners. Compiled; numbers that only people or
        samplers of worlds need are blanked."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------------- in words

    def refusal(self, s: S, me: int, attempt: Attempt) -> Reasons:
        """Pairs of a clause and whether this illegal move breaks it, in the order of the rulebook page. If it breaks
        none, `clauses.event` is cited."""
        yield from ()

    def report(self, s: S) -> dict[str, Any]:
        """The fields of the report that are particular to this game."""
        return plain_report(self.state, s)

    def moves_are_public(self, s: S, me: int) -> bool:
        """Whether everybody can work out the moves that seat `me` has now, as they do not depend on hidden cards. If
        such a seat has a single move, it may be made at once without giving anything away."""
        return False

    def scene(self, s: S, seat: int | None) -> Scene:
        """The table as this seat sees it, from its view's state."""
        return plain_scene(self.state, s)

    def aftermath(self, s: S, me: int, move: int, before: S) -> str:
        """The public consequence of the move just made, for the log: a sentence without a full stop, with {0} for the
        name of seat 0. `before` is the state before the move. Empty if the move speaks for itself."""
        return ""

    def utterances(self, s: S, me: int, move: int, before: S) -> Utterances:
        """The words that players say aloud with the move that seat `me` has just made; by default those of `speech`.

        The move is one that everybody sees, a sealed one when it is revealed. `s` and `before` are everybody's views of
        the states after and before it."""
        return iter(usual_utterances(self, me, move))

    def objective(self, s: S, me: int) -> str:
        """The objective of a seat in this deal, for the reasons of hints, to be read after "you": "make your bid"."""
        return "score more than the other player" if s.players == 2 else "score more than the others on average"

    def meets_objective(self, s: S, me: int, before: S) -> bool:
        """Whether a seat has met its `objective`, in the state at the end of the deal. `before` is an earlier state of
        the deal. By default its utility has risen."""
        return self.utility(s, me) > self.utility(before, me)

    def trick(self, s: S) -> list[tuple[int, Card]]:
        """The seats and cards of the unfinished trick, in order of play.

        The state of a game with tricks has the open field `taker`, the winner of the last trick or NOBODY. A dummy (a
        hand that no player holds) counts as the seat after the last, and its cards are in the zone "dummy"."""
        return trick_of(s) if isinstance(s, TrickState) else []

    def table_cards(self, s: S) -> list[Card]:
        """The open cards in fields that are declared without `cards=`, such as melds encoded as numbers."""
        return []

    def forgets(self) -> bool:
        """Whether players may look at the last trick only. By default they may look at all finished tricks."""
        return False

    # ------------------------------------------------------------------------------------------ what numbers can be

    def constraints(self) -> Iterable[Constraint]:
        """The constraints on the options and numbers of this table, such as that the pack has enough cards. They are
        checked in this order before the first deal; the reason of the first broken one is the refusal. A variant
        yields those of `super()` first."""
        return ()

    def conserved(self, s: S) -> Mapping[str, int]:
        """Totals that no event changes, by what they count, as in {"chips": s.pot + sum(s.scores)}. `check-game`, and
        the trial before an experiment with other numbers, watch them."""
        return {}

    # ----------------------------------------------------------------------------------------- what players can know

    def known_counts(self, s: S) -> Sequence[KnownCount]:
        """Public knowledge about the number of certain cards in hidden places. Worlds respect it."""
        return ()

    def hand_histories(self, s: S, notices: Sequence[Any]) -> Sequence[HandHistory]:
        """The public history of each hand. `notices` are those of this deal, including the deal itself. For games in
        which a hand draws hidden cards after it has shown that it lacks others."""
        raise NotImplementedError

    def new_stock(self, s: S, sizes: Sequence[int], notices: Sequence[Any]) -> NewStock | None:
        """Public knowledge since the stock was renewed; None once the deal is over. The view state and the sizes of the
        hands are those just before the reshuffle; `notices` start with it. For games that make a new stock of cards
        that everybody has seen while all other cards are in hands."""
        raise NotImplementedError

    def hypotheses(self, s: S, me: int) -> Sequence[Hypothesis]:
        """Constraints on the hands; every consistent world satisfies at least one, and worlds are dealt from these. For
        claims that few random deals of the unseen cards would satisfy."""
        raise NotImplementedError

    def complete(self, s: S, me: int, rng: Rng) -> None:
        """Fill in everything else that `me` cannot see, after the unseen cards of a world have been dealt."""

    def consistent(self, s: S, me: int) -> bool:
        """Whether a world agrees with the claims of the players."""
        return True


def broken_constraint(table: Game[Any]) -> Constraint | None:
    """The first constraint that does not hold at a table; None if all hold. Raises BadGame if that cannot be found
    out."""
    try:
        constraints = chain(table.constraints(), _namings(table))
        return next((constraint for constraint in constraints if not constraint.holds), None)
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        text = f"the constraints of {table.title} cannot be checked for {table.players} players: {reason}"
        raise BadGame(text) from error


def _namings(table: Game[Any]) -> Iterator[Constraint]:
    """The condition, for each option or number up to which moves name numbers, that they can."""
    for verb in table.notation.verbs:
        if isinstance(verb.most, str):
            name, clause = verb.most, table.clauses.event
            message = "{name} is at most {most}, not {number}: a move can name no larger number"
            yield at_most(clause, name, table.setting(name), LARGEST_ITEM, message)


def _is_possible(game: type[Game[Any]], players: int, options: Mapping[str, object]) -> bool:
    return broken_constraint(game.unconstrained(players, options)) is None


def has_tables(game: type[Game[Any]], players: int) -> bool:
    """Whether the constraints allow a table of this many players, with usual or short options, or with another value
    of one that is a whole number."""
    ranges = {name: one.bounds(players) for name, one in game.declared_options.items() if one.kind == "whole"}
    varied = ({name: value} for name, (low, high) in ranges.items() for value in range(low, high + 1))
    return any(_is_possible(game, players, options) for options in chain([{}, game.short or {}], varied))


def wrong_players(game: Game[Any] | type[Game[Any]], players: object) -> Sentence:
    """The sentence that refuses a number of players: it names the possible ones."""
    message = "{game} is for {counts} players, not {number}"
    counts = listed([str(number) for number in game.player_counts], "or")
    return sentence(message, game=as_sentence(game.title, None), counts=counts, number=brief(players))


def _no_option(table: Game[Any], name: object) -> Sentence:
    """The sentence that refuses an option that there is not: it names the others."""
    known = ", ".join(table.declared_options)
    if not known:
        return sentence(
            "there is no option {name}, and {game} has none", name=brief(name), game=as_sentence(table.title, None)
        )
    return sentence("there is no option {name} (there are: {known})", name=brief(name), known=known)


def _settle(table: Game[Any], players: int | None, options: Mapping[str, object] | None) -> None:
    """Give a table its options and numbers. Raises BadOption and BadGame."""
    game = type(table)
    players = table.default_players if players is None else players
    options = {} if options is None else options
    if players not in table.declared_counts:
        raise BadOption(wrong_players(table, players), table.clauses.players, game)
    if not isinstance(options, Mapping):
        raise BadOption(f"options are a dictionary of names and values, not {brief(options)}", table.clauses.options)
    for name in options:
        if name not in table.declared_options:
            raise BadOption(_no_option(table, name), table.clauses.options, game)
    own = vars(table)
    own["players"], own["chosen"] = players, {}
    for name, option in table.declared_options.items():
        value = options.get(name, option.default_for(players))
        if (plain := whole_number(value)) is not None:
            value = plain  # a plain integer, which JSON can store: records contain it
        number = option.number(value, players)
        if number is None:
            raise BadOption(option.refusal(name, value, players), table.refused or option.clause, game)
        own[option.attribute] = number
        if name in options:
            own["chosen"][name] = value
    for declared in sorted(table.declared_numbers.values(), key=lambda number: callable(number.value) + number.derived):
        try:
            own[declared.attribute] = declared.value_for(table)
        except Exception as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            text = f"the number {declared.attribute} cannot be worked out for {players} players: {reason}"
            raise BadGame(text) from error


def is_same(game: type[Game[Any]], other: type[Game[Any]]) -> bool:
    """Whether two classes have the same name and rules: a file may have been loaded twice."""
    return game is other or (game.slug == other.slug and game.identity == other.identity)


def _at_table(load: Callable[..., type[Game[Any]]], arguments: tuple[Any, ...], players: int, options: Any) -> Any:
    return load(*arguments)(players, options)


def define_game(*_: object, **__: object) -> NoReturn:
    """Refuse the former way to define a game, by a call: raises BadGame, since a game is a class."""
    raise BadGame("define_game is no more: a game is a class, as in class Whist(Game[WhistState]): title = 'Whist'; …")


__all__ = ["BadGame", "Clauses", "Game", "Reasons", "define_game", "is_same", "override"]
