"""Learned policies: a move's score is the sum of the weights of its features, plus the output of a small network.

A policy consists of rules, so it runs in plain Python and compiled. Its features follow from the game's declarations:
phases and verbs, the trick, trumps, open cards. A game can add features, by these methods and constants of its class
(see `upcard.rules.game.Game`):

- `SITUATIONS` and `situation`: each situation has its own weights;
- `TRAITS` and `traits`: the features of a move. Each has a weight in every situation;
- `NOTES`, `note` and `noted_traits`, instead of `traits`: numbers that the traits of several moves need;
- `over`: the cards that beat a card, if they are not the higher cards of its suit;
- `UNITS`: the number of hidden units of the network (see `by_units`). Without units the policy is linear;
- `SURROUNDINGS` and `surroundings`: features of the position that do not depend on the move, as inputs of the units.

The weights of a game are stored in `policy.json` next to its rules, written by `upcard train`, as multiples of
1 / UNIT.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from typing import Any

from upcard.engine.mistakes import bad_rules, obey
from upcard.policies.weights import UNIT, UNIT_BITS, Learned, read_weights, write_weights
from upcard.rules.cards import NO_CARD, NO_SUIT, Card, Cards, all_of, bit, count, lowest, of_suit, rank_of, suit_of
from upcard.rules.game import Game
from upcard.rules.marks import rule
from upcard.rules.notation import item, verb_index
from upcard.rules.rng import LOTS, lot
from upcard.rules.source import generate
from upcard.rules.state import Buffer, Field, Row, Seen
from upcard.rules.tricks import ANY_CARD, TrickState

POLICY = "policy"
"""The kind of the file of weights: see `upcard.policies.weights`. If a move's score is greater by UNIT, the move is e
times as likely."""
POSITIONS = 3
"""The positions in a trick: first, in between, last."""
VERBS, NUMBERS, NEAR = 16, 16, 7
AT_NUMBERS = 2 * VERBS
AT_NEAR = AT_NUMBERS + NUMBERS
AT_RANKS = AT_NEAR + NEAR
AT_TAKES = AT_RANKS + 26
AT_HIGHER = AT_TAKES + 26
AT_HELD = AT_HIGHER + 16
AT_UNSEEN = AT_HELD + 8
AT_ENDS = AT_UNSEEN + 6
WIDTH = AT_ENDS + 4
"""The number of weights of a situation, without the traits of a game; the AT_… above are the offsets of its parts."""
SIZES, TRUMPS = 16, 8
"""How many numbers of cards in hand, and of trumps, are distinguished."""
OF_A_CARD = 7
"""The number of features for playing a card: that of its verb, and six from `reasons_of_card`."""
SHADES = 64
NOISE = tuple(round(-UNIT * log(-log((shade + 0.5) / SHADES))) for shade in range(SHADES))
"""Quantiles of the Gumbel distribution. Adding such noise to all scores and taking the best samples the softmax."""


@rule
def reasons_of_card(
    room: Buffer, n: int, at: int, card: Card, hand: Cards, unseen: Cards, better: Cards, higher: Cards, trump: int
) -> int:
    """Write the features of playing a card to `room` from index n on; returns the new length.

    They are its rank, whether it takes the trick, the number of unseen cards that beat it, the numbers of cards in the
    hand and unseen in its suit, and whether it is the highest or lowest card of its suit in the hand.
    """
    rank = rank_of(card)
    takes = better >> card & 1
    suit = suit_of(card)
    mine = of_suit(hand, suit)
    room[n] = at + AT_RANKS + 13 * trump + rank
    room[n + 1] = at + AT_TAKES + 13 * takes + rank
    room[n + 2] = at + AT_HIGHER + 8 * trump + 4 * takes + min(count(higher & unseen), 3)
    room[n + 3] = at + AT_HELD + 4 * trump + min(count(mine), 4) - 1
    room[n + 4] = at + AT_UNSEEN + min(count(of_suit(unseen, suit)), 5)
    room[n + 5] = at + AT_ENDS + 2 * (mine >> card == 1) + (mine & (bit(card) - 1) == 0)
    return n + 6


@rule
def near(number: int, favourite: int) -> int:
    """The feature for the difference between a number and that of the heuristic's move, from 0 to 6."""
    return max(-3, min(3, number - favourite)) + 3


@rule
def reasons_of_traits(room: Buffer, n: int, at: int, traits: Cards) -> int:
    """Write the features for a set of traits to `room` from index n on; returns the new length. `at` is the index of
    the weight of trait 0."""
    while traits:
        room[n] = at + lowest(traits)
        n += 1
        traits &= traits - 1
    return n


@rule
def weighed(weights: Row, room: Buffer, n: int) -> int:
    """The sum of the weights of the first n features in `room`."""
    total = 0
    for i in range(n):
        total += weights[room[i]]
    return total


@rule
def take_in(weights: Row, room: Buffer, n: int, units: int, inner: int, begin: int) -> None:
    """Initialise the sums of the units with the first n features in `room`, those of the position; the sums are stored
    in `room` from `begin` on."""
    for unit in range(units):
        room[begin + unit] = 0
    for i in range(n):
        row = inner + room[i] * units
        for unit in range(units):
            room[begin + unit] += weights[row + unit]


@rule
def by_units(weights: Row, room: Buffer, n: int, at: int, units: int, inner: int, outer: int, begin: int) -> int:
    """The output of the units for a move: the weighted sum of rectified units. Their inputs are the features of the
    position and of the move, with the same weights in all situations."""
    sums = begin + units
    for unit in range(units):
        room[sums + unit] = room[begin + unit]
    for i in range(n):
        row = inner + (room[i] - at) * units
        for unit in range(units):
            room[sums + unit] += weights[row + unit]
    total = 0
    for unit in range(units):
        total += weights[outer + unit] * max(0, room[sums + unit])
    return total >> UNIT_BITS


SOURCE = """
def first_weight(self, s, me):
    {position}
    return ((s.phase * {situations} + {situation}) * POSITIONS + position) * WIDTH

def surroundings(self, s, me, at, unseen, room):
    {surroundings}

def begin(self, s, me, weights, unseen, room):
    at = first_weight(self, s, me){noted}{taken_in}
    return at

def unseen_by(self, s, me):
    seen = s.{hand}[me]
    {seen}
    return {pack} & ~seen

def reasons(self, s, me, move, favourite, at, unseen, room):
    verb = verb_index(move)
    first = item(move, 0)
    room[0] = at + 2 * min(verb, VERBS - 1) + (move == favourite)
    n = 1{traits}
    if NUMBERED >> verb & 1:
        room[n] = at + AT_NUMBERS + min(first, NUMBERS - 1)
        n += 1
        if verb_index(favourite) == verb:
            room[n] = at + AT_NEAR + near(first, item(favourite, 0))
            n += 1
    elif PLAYED >> verb & 1:
        trump = int({trump})
        n = reasons_of_card(room, n, at, first, s.{hand}[me], unseen, {better}, {over}, trump)
    return n

def score(self, s, me, move, favourite, weights, at, unseen, room):
    n = reasons(self, s, me, move, favourite, at, unseen, room)
    return weighed(weights, room, n){units}

def learned(self, s, me, moves, n, luck, favourite, weights, noisy, room):
    unseen = unseen_by(self, s, me)
    at = begin(self, s, me, weights, unseen, room)
    best = moves[0]
    most = -(1 << 60)
    for i in range(n):
        worth = score(self, s, me, moves[i], favourite, weights, at, unseen, room)
        if noisy:
            worth += NOISE[lot(luck, i) >> LOTS - 6]
        if worth > most:
            most = worth
            best = moves[i]
    return best
"""


TRAITS = """
    n = reasons_of_traits(room, n, at + AT_TRAITS, self.{traits}(s, me, move{notes}))"""
NOTED = """
    self.note(s, me, room, AT_NOTES)"""
BY_UNITS = " + by_units(weights, room, n, at, UNITS, AT_INNER, AT_OUTER, AT_BEGIN)"
TAKEN_IN = """
    take_in(weights, room, surroundings(self, s, me, at, unseen, room), UNITS, AT_INNER, AT_BEGIN)"""
SURROUNDINGS = """room[0] = AT_SITUATIONS + at // WIDTH
    room[1] = AT_SIZES + min(count(s.{hand}[me]), SIZES - 1)
    trumps = {trumps}
    room[2] = AT_MINE + min(count(s.{hand}[me] & trumps), TRUMPS - 1)
    room[3] = AT_OUT + min(count(unseen & trumps), TRUMPS - 1)
    return {own}"""
OWN_SURROUNDINGS = "reasons_of_traits(room, 4, AT_OWN, self.surroundings(s, me))"
RULES = (
    all_of,
    bit,
    by_units,
    count,
    item,
    lot,
    near,
    of_suit,
    reasons_of_card,
    reasons_of_traits,
    suit_of,
    take_in,
    verb_index,
    weighed,
)
GLOBALS: dict[str, Any] = {
    **{one.__name__: one for one in RULES},
    "ANY_CARD": ANY_CARD,
    "NO_CARD": NO_CARD,
    "NO_SUIT": NO_SUIT,
    "LOTS": LOTS,
    "NOISE": NOISE,
    "POSITIONS": POSITIONS,
    "VERBS": VERBS,
    "NUMBERS": NUMBERS,
    "AT_NUMBERS": AT_NUMBERS,
    "AT_NEAR": AT_NEAR,
    "SIZES": SIZES,
    "TRUMPS": TRUMPS,
}
"""The globals of the generated source."""
RULE_NAMES = ("learned", "begin", "surroundings", "reasons", "score", "unseen_by")
"""The rules in the generated source, in the order of the fields of `Policy`."""


@dataclass(frozen=True)
class Policy:
    """The rules of a game's learned policy, and the layout of its `size` weights: first those of all situations, then
    the input weights of the units, then their output weights."""

    learned: Callable[[Any, Any, int, Buffer, int, int, int, Sequence[int], int, Buffer], int]
    """(game, s, me, moves, n, luck, favourite, weights, noisy, room): returns one of the first n moves: the one with
    the best score or, if `noisy`, a sample from the softmax of the scores. `favourite` is the heuristic's choice."""
    begin: Callable[..., int]
    """(game, s, me, weights, unseen, room): prepares `room` for `score`; returns the offset of the situation's
    weights."""
    surroundings: Callable[..., int]
    """(game, s, me, at, unseen, room): writes the features of the position to `room`; returns their number."""
    reasons: Callable[..., int]
    """(game, s, me, move, favourite, at, unseen, room): writes the features of a move, as indices of weights, to
    `room`; returns their number."""
    score: Callable[..., int]
    """(game, s, me, move, favourite, weights, at, unseen, room): returns the score of a move."""
    unseen_by: Callable[..., int]
    """(game, s, me): returns the set of cards that a seat has not seen."""
    width: int
    """The number of weights of a situation."""
    inner: int
    """The number of weights of all situations, and so the offset of the units' input weights."""
    units: int
    """The number of hidden units."""
    outer: int
    """The offset of the units' output weights."""
    most_speaks: int
    """The largest number of features of a move."""
    most_around: int
    """The largest number of features of a position."""
    notes: int
    """The largest number of notes."""
    layout: str
    """A hash of the meaning of the weights; `policy.json` is used only if it has the same."""

    @property
    def size(self) -> int:
        return self.outer + self.units

    @property
    def room(self) -> int:
        """The length of the buffer `room`: for the features, the sums of the units without and with a move, and the
        notes."""
        return max(self.most_speaks, self.most_around) + 2 * self.units + self.notes

    def favourites(self) -> list[int]:
        """The indices of the weights of the heuristic's choice, one for each situation and verb."""
        return [at + 2 * verb + 1 for at in range(0, self.inner, self.width) for verb in range(VERBS)]


@cache
def policy_of(game: type[Game[Any]]) -> Policy:
    """The learned policy of a game, without its weights. Cached."""
    parts = _parts(game)
    traits, notes, units, around = game.TRAITS, game.NOTES, game.UNITS, game.SURROUNDINGS
    width = WIDTH + traits
    situations = len(game.phases) * game.SITUATIONS * POSITIONS
    inner = situations * width
    sizes = width + situations
    own_around = sizes + SIZES + 2 * TRUMPS
    outer = inner + (own_around + around) * units
    most_speaks, most_around = OF_A_CARD + traits, 4 + around if units else 0
    verbs = game.notation.verbs
    space: dict[str, Any] = {
        "__name__": game.__module__,
        **GLOBALS,
        "WIDTH": width,
        "AT_TRAITS": WIDTH,
        "UNITS": units,
        "AT_INNER": inner,
        "AT_OUTER": outer,
        "AT_BEGIN": max(most_speaks, most_around),
        "AT_NOTES": max(most_speaks, most_around) + 2 * units,
        "AT_SITUATIONS": width,
        "AT_SIZES": sizes,
        "AT_MINE": sizes + SIZES,
        "AT_OUT": sizes + SIZES + TRUMPS,
        "AT_OWN": own_around,
        "NUMBERED": sum(1 << i for i, verb in enumerate(verbs) if verb.items == ("number",)),
        "PLAYED": sum(1 << i for i, verb in enumerate(verbs) if verb.items == ("card",)),
    }
    generate(f"policy of {game.slug}", SOURCE.format(**parts), space)
    learned, begin, surroundings, reasons, score, unseen_by = (space[name] for name in RULE_NAMES)
    return Policy(
        learned,
        begin,
        surroundings,
        reasons,
        score,
        unseen_by,
        width,
        inner,
        units,
        outer,
        most_speaks,
        most_around,
        notes,
        _layout(game),
    )


def _layout(game: type[Game[Any]]) -> str:
    """A hash of the declarations that determine the numbering and the meaning of a policy's features."""
    declared = (
        game.phases.names,
        [(verb.word, verb.items) for verb in game.notation.verbs],
        (game.SITUATIONS, game.TRAITS, game.UNITS, game.SURROUNDINGS),
        [name for name in OWN_FEATURES if game.defines(name)],
        (game.has_tricks(), trump_field(game), game.hand.first, "pack" in game.declared_numbers),
        [name for name, _ in _open_cards(game)],
    )
    return hashlib.sha256(repr(declared).encode()).hexdigest()[:12]


def check_features(setup: Game[Any], state: Any, seat: int, moves: Sequence[int]) -> None:
    """Raises BadRules if these moves have features for which there are no weights."""
    game = setup.game
    if setup.defines("situation"):
        situation = obey(game, setup.situation, state, seat)
        if not 0 <= situation < game.SITUATIONS:
            raise bad_rules(game, f"`situation` is {situation}, and SITUATIONS is {game.SITUATIONS}")
    if setup.defines("surroundings"):
        _check_set(game, "surroundings", game.SURROUNDINGS, obey(game, setup.surroundings, state, seat))
    if setup.defines("noted_traits"):
        notes = [0] * game.NOTES
        obey(game, setup.note, state, seat, notes, 0)
        for move in moves:
            _check_set(game, "traits", game.TRAITS, obey(game, setup.noted_traits, state, seat, move, notes, 0))
    elif setup.defines("traits"):
        for move in moves:
            _check_set(game, "traits", game.TRAITS, obey(game, setup.traits, state, seat, move))


def _check_set(game: type[Game[Any]], name: str, end: int, features: int) -> None:
    """Raises BadRules if a set contains a number that is not below `end`, which the game declares."""
    if features >> end:
        raise bad_rules(game, f"`{name}` has {features.bit_length() - 1}, and {name.upper()} is {end}")


OWN_FEATURES = ("situation", "surroundings", "traits", "noted_traits", "over")
"""The methods by which a game adds features."""


def trump_field(game: type[Game[Any]]) -> str:
    """The field of the state that determines the trumps: `trumps`, a set; `trump`, a suit; or "" for neither."""
    fields = game.state.fields
    if "trumps" in fields and fields["trumps"].of == "set":
        return "trumps"
    return "trump" if "trump" in fields and fields["trump"].of == "suit" else ""


def _parts(game: type[Game[Any]]) -> dict[str, str]:
    """The parts of the generated source that depend on the game's declarations."""
    in_tricks = issubclass(game.state, TrickState)
    position = "position = 0 if s.led == 0 else 2 if count(s.in_trick) == s.players - 1 else 1"
    trump, trumps = {
        "trumps": ("s.trumps >> first & 1", "s.trumps"),
        "trump": ("suit_of(first) == s.trump", "all_of(s.trump) if s.trump != NO_SUIT else 0"),
        "": ("0", "0"),
    }[trump_field(game)]
    hand = game.hand.first
    own_around = OWN_SURROUNDINGS if game.defines("surroundings") else "4"
    noted = game.defines("noted_traits")
    traits = TRAITS.format(traits="noted_traits" if noted else "traits", notes=", room, AT_NOTES" if noted else "")
    return {
        "position": position if in_tricks else "position = 0",
        "situations": str(game.SITUATIONS),
        "situation": "self.situation(s, me)" if game.defines("situation") else "0",
        "traits": traits if noted or game.defines("traits") else "",
        "noted": NOTED if noted else "",
        "units": BY_UNITS if game.UNITS else "",
        "taken_in": TAKEN_IN if game.UNITS else "",
        "surroundings": SURROUNDINGS.format(hand=hand, trumps=trumps, own=own_around) if game.UNITS else "return 0",
        "hand": hand,
        "seen": "\n    ".join(_seen(game)) or "pass",
        "pack": "self.pack" if "pack" in game.declared_numbers else "ANY_CARD",
        "trump": trump,
        "better": "s.better" if in_tricks else "0",
        "over": "self.over(s, first)" if game.defines("over") else "of_suit(-2 * bit(first), suit_of(first))",
    }


def _open_cards(game: type[Game[Any]]) -> list[tuple[str, Field]]:
    """The fields with open cards, with their names."""
    fields = game.state.fields.items()
    return [(name, spec) for name, spec in fields if spec.seen is Seen.ALL and spec.cards in ("set", "card")]


def _seen(game: type[Game[Any]]) -> list[str]:
    """The source lines that add the open cards to `seen`."""
    lines = []
    for name, spec in _open_cards(game):
        where = f"s.{name}" if spec.length is None else f"s.{name}[i]"
        line = f"seen |= {where}" if spec.cards == "set" else f"seen |= bit({where}) if {where} != NO_CARD else 0"
        lines += [line] if spec.length is None else [f"for i in range({spec.length}):", f"    {line}"]
    return lines


# ------------------------------------------------------------------------------------------------------------- weights


@cache
def learned_of(game: type[Game[Any]]) -> Learned | None:
    """The trained weights of a game, or of its root; None if there are none that fit its policy. Cached."""
    policy = policy_of(game)
    return read_weights(game, POLICY, policy.layout, policy.size)


def write_policy(game: type[Game[Any]], weights: Sequence[int], origin: dict[str, Any]) -> None:
    """Write the weights of a policy next to the game; `origin` is as in `Learned`. Raises UpcardError for a game
    without a file."""
    write_weights(game, POLICY, weights, origin, policy_of(game).layout)
