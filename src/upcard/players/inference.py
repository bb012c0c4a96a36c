"""Inference: weigh worlds by the likelihood that the other seats would have acted as they did in this deal, or by hand
features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from upcard.compiled.dealer import Dealer
from upcard.compiled.machine import Machine
from upcard.compiled.public_history import HIDDEN, IMPOSSIBLE, PublicHistory
from upcard.compiled.words import REAL, UNSIGNED, WordArray, integers, matrix_of, reals, unsigned, zeros
from upcard.engine.events import SeenEvent
from upcard.engine.mistakes import cards_of_chance
from upcard.engine.views import View
from upcard.policies.hand_features import MOST_SIGNS, hands_of
from upcard.policies.learned import learned_of
from upcard.policies.weights import UNIT, Learned
from upcard.rules.game import Game
from upcard.rules.knowledge import aside_fields
from upcard.rules.notation import verb_index
from upcard.rules.state import DEAL, Seen

POOL = 512
"""The number of worlds weighed by the public history for a decision."""
POOL_BY_SIGNS = 8192
"""The number of worlds weighed by hand features, which is quicker."""
BY_POLICY, BY_HEURISTIC = (0.0, 0.7, 0.3), (0.5, 0.0, 0.5)
"""The assumed probabilities that a seat follows its heuristic, its learned policy, or neither: in games with a learned
policy, and in other games."""
LEAST_SHARE = 0.1
"""The least effective sample size after tempering, as a fraction of the possible worlds."""
LEAST_BY_SIGNS = 64
"""The same for hand features, in worlds."""


class Believed:
    """A weighted sample of the worlds of a view. A fraction `share` of the draws is by their likelihood, given all
    moves of the deal; the rest is uniform."""

    def __init__(self, dealer: Dealer, seed: int, pool: int | None = None, share: float = 1.0) -> None:
        """`pool` is the number of worlds, by default `POOL`, or `POOL_BY_SIGNS` for a game with hand features."""
        self.run = dealer.run
        self._dealer = dealer
        hands = hands_of(dealer.worlds.view.game)
        self.worlds = dealer.deal(pool or (POOL_BY_SIGNS if hands else POOL), seed)
        likely = by_signs(dealer, self.worlds, hands) if hands else by_story(dealer, self.worlds)
        even = 1 / len(self.worlds)
        weights = [even] * len(self.worlds) if likely is None else [share * one + (1 - share) * even for one in likely]
        self.weights = reals(weights)
        """The probability of each world; uniform if the history of the deal has no information."""

    def draw(self, seeds: Sequence[int]) -> WordArray:
        """Draw worlds by weight, one for each seed; returns their indices."""
        drawn, sums = zeros(len(seeds)), zeros(len(self.worlds), kind=REAL)
        self.run.call("draw_worlds", self.weights, sums, zeros(1, kind=UNSIGNED), unsigned(seeds), drawn)
        return drawn

    def try_moves(self, policies: WordArray, moves: Sequence[int], seeds: Sequence[int]) -> tuple[WordArray, WordArray]:
        """Like `Dealer.try_moves`, in worlds that are drawn by weight."""
        return self.try_in(self.draw(seeds), policies, moves, seeds)

    def try_in(
        self, drawn: WordArray, policies: WordArray, moves: Sequence[int], seeds: Sequence[int]
    ) -> tuple[WordArray, WordArray]:
        """Like `Dealer.try_moves`, in the worlds with these indices."""
        return self._dealer.try_moves(policies, moves, seeds, self.worlds.rows(drawn.numbers))


def by_signs(dealer: Dealer, worlds: WordArray, hands: Learned) -> list[float]:
    """The probabilities of these worlds by the features of the other seats' hands."""
    totals, room, weights = zeros(len(worlds)), zeros(MOST_SIGNS), integers(hands.weights)
    dealer.run.call("weigh_hands", worlds, dealer.options, dealer.worlds.me, weights, room, totals)
    return tempered(dealer.run, [total / UNIT for total in totals.numbers], LEAST_BY_SIGNS / len(worlds))


def by_story(dealer: Dealer, worlds: WordArray) -> list[float] | None:
    """The probabilities of these worlds by the history of the deal; None if it has no information."""
    history = story_of(dealer)
    if history is None:
        return None
    return tempered(dealer.run, likelihoods(dealer, history, worlds, shares_of(dealer.worlds.view.game)))


def shares_of(game: type[Game[Any]]) -> tuple[float, ...]:
    """The assumed probabilities of a game: `BY_POLICY` or `BY_HEURISTIC`."""
    return BY_HEURISTIC if learned_of(game) is None else BY_POLICY


def likelihoods(dealer: Dealer, history: PublicHistory, worlds: WordArray, shares: tuple[float, ...]) -> list[float]:
    """The log-likelihood of a history in each of these worlds: see `upcard.compiled.likelihood.weigh`."""
    number, run = len(worlds), dealer.run
    tables, logs = run.states(number + 2), zeros(number, kind=REAL)
    tables.numbers[: len(worlds.numbers)] = worlds.numbers
    run.put(tables, number, dealer.worlds.view.begun)
    about = dealer.options, dealer.scratch, history, dealer.worlds.me, reals(shares)
    run.call("weigh", tables, tables.as_matrix(), *about, logs)
    return logs.numbers.tolist()


def tempered(run: Machine, logs: Sequence[float], least: float = LEAST_SHARE) -> list[float]:
    """Weights from log-likelihoods, tempered as little as possible to reach an effective sample size (1 / the sum of
    squared weights) of at least a fraction `least` of the possible worlds. Uniform if no world is possible."""
    weights = zeros(len(logs), kind=REAL)
    run.call("temper_weights", reals(logs), reals([IMPOSSIBLE]), reals([least]), weights)
    return weights.numbers.tolist()


def effective(weights: Sequence[float]) -> float:
    """The effective size of a weighted sample: 1 / the sum of the squared weights."""
    return 1 / sum(weight * weight for weight in weights)


# ---------------------------------------------------------------------------------------------------------- the history


def story_of(dealer: Dealer) -> PublicHistory | None:
    """The events since the deal as the seat saw them, for `weigh`.

    None if no other seat has moved, if something other than cards is hidden, if cards have been reshuffled since, or if
    the pack has equal cards.
    """
    view = dealer.worlds.view
    game, events = view.game, view.told
    if view.begun is None or game.hand.second or game.hand.jokers:
        return None
    moves = _opened(events[1:])
    if any(move == HIDDEN and not _names_cards(game, event) for _, move, event in moves):
        return None
    if all(seat == view.seat for seat, _, _ in moves) or any(event.seat is None for event in events[1:]):
        return None
    named = [0 if move == HIDDEN else sum(1 << card for card in game.notation.cards(move)) for _, move, _ in moves]
    pack = _pack(view)
    needed, later = _first_named([seat for seat, _, _ in moves], named)
    return PublicHistory(
        integers(seat for seat, _, _ in moves),
        integers(move for _, move, _ in moves),
        integers(_verb_of(game, event) for _, _, event in moves),
        integers(event.count or 0 for _, _, event in moves),
        integers(named),
        integers(_names_cards(game, event) for _, _, event in moves),
        sum(1 << card for card in {*pack}),
        lasting(view),
        integers(needed),
        integers(later),
        *_places(dealer),
        zeros(len(pack)),
        zeros(len(moves)),
        zeros(64),
    )


def _verb_of(game: type[Game[Any]], event: SeenEvent) -> int:
    """The number of the verb of a move, of which the seat may have seen only a part."""
    if event.move is not None:
        return verb_index(event.move)
    return next(number for number, verb in enumerate(game.notation.verbs) if verb.word == event.word)


def _names_cards(game: type[Game[Any]], event: SeenEvent) -> bool:
    return {*game.notation.verbs[_verb_of(game, event)].items} <= {"card", "card+"}


def lasting(view: View[Any]) -> int:
    """The cards that a seat never discards, in games with discards; 0 if the game declares none."""
    return int(view.setup.lasting(view.state))


def _first_named(seats: list[int], named: list[int]) -> tuple[list[int], list[int]]:
    """`needed` and `named` of a history, from the cards that each move names."""
    by_seat: dict[int, int] = {}
    needed, later, union = [], [], 0
    for seat, cards in zip(reversed(seats), reversed(named), strict=True):
        by_seat = {other: first & ~cards for other, first in by_seat.items()}
        by_seat[seat] = by_seat.get(seat, 0) | cards
        union |= cards
        needed.append(by_seat[seat])
        later.append(union)
    return needed[::-1], later[::-1]


def _opened(events: tuple[SeenEvent, ...]) -> list[tuple[int, int, SeenEvent]]:
    """The seat, move and event of every move. A sealed move is as it was revealed later, or HIDDEN if it was not."""
    moves = []
    for k, event in enumerate(events):
        if event.seat is not None:
            revealed = (move for later in events[k:] for seat, move in later.opened if seat == event.seat)
            moves.append((event.seat, event.move if event.move is not None else next(revealed, HIDDEN), event))
    return moves


def _pack(view: View[Any]) -> list[int]:
    state = view.begun.copy()  # type: ignore[union-attr]
    state.awaiting = DEAL
    return cards_of_chance(view.setup, state)


def _places(dealer: Dealer) -> tuple[WordArray, WordArray, WordArray, WordArray]:
    """`open_places`, `places`, `copies` and `own` of a history."""
    game: type[Game[Any]] = dealer.worlds.view.game
    first = dealer.run.state.first
    open_places: list[tuple[int, int]] = []
    places: list[tuple[int, int]] = []
    copies: list[tuple[int, int]] = []
    for name, field in game.state.fields.items():
        words = [(first[name] + i, int(field.of == "set")) for i in range(field.length or 1)]
        if field.cards in ("set", "card"):
            places += words
        elif game.shown is not None and name == game.shown.first:
            open_places += words
        elif field.seen is not Seen.ALL and field.of in ("set", "card"):
            copies += words
    own = [
        [first[name] + seat for name in (game.hand.first, *aside_fields(game.state, game.hand))]
        for seat in range(game.state.seats)
    ]
    return matrix_of(open_places, 2), matrix_of(places, 2), matrix_of(copies, 2), matrix_of(own)
