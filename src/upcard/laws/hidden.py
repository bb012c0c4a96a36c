"""The law of hidden cards: a seat cannot find out what it has not seen.

Two positions that differ only in what a seat has not seen are *twins* for it. The law creates them in two ways. It
swaps hidden values in a state, without asking the engine what may be seen. And it replays a deal with two unseen cards
swapped, or with another secret move; everything that follows from them then differs too, which exposes open fields that
depend on hidden cards.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from upcard.engine.errors import IllegalMove
from upcard.engine.events import Event
from upcard.engine.match import Match
from upcard.engine.views import View, seen_event, view
from upcard.laws.law import Broken, Trial, first_cards, last_event, watcher
from upcard.rules.cards import NO_CARD, Card, as_list, text
from upcard.rules.game import Game
from upcard.rules.knowledge import aside_fields, field_cards, hidden_fields
from upcard.rules.state import DEAL, Field, GameState, Seen, in_words

FieldOfSeat = tuple[str, int | None]
"""A field, and the seat or the position in a pile; None for a set."""
EVENTS = 150
"""The number of events of a match that this law looks at."""


def hidden_stays_hidden(trial: Trial) -> None:
    """A seat's view, legal moves and history do not depend on anything that it has not seen."""
    first = trial.game.hand.first
    if trial.game.state.fields[first].seen is Seen.ALL:
        raise Broken(f"everybody sees every hand: declare `{first}: PerSeat = held()`")
    past = EventHistory(trial)
    for match in trial.moments(EVENTS):
        past.note(match)
        for seat in match.to_act:
            _compare_moves(match, seat)
        for seat in [None, *range(match.players)]:
            if twin := state_twin(match, seat, trial.rng):
                require_same_view(
                    match.view(seat), view(match.setup, twin, seat), f"{last_event(match)} {watcher(seat)}"
                )
            if trial.sometimes(4) and (other := past.twin(match, seat)):
                _compare_matches(match, other, seat)


def _compare_moves(match: Match[Any], seat: int) -> None:
    """Raises Broken if a seat's moves depend on what it does not see."""
    if other := {*match.legal(seat)} ^ {*match.view(seat).legal()}:
        raise Broken(
            f"{last_event(match)} whether seat {seat} may `{min(other)}` depends on what it has not seen: it can tell "
            "from its own legal moves"
        )


def require_same_view(ours: View[Any], other: View[Any], where: str) -> None:
    """Raises Broken if two views differ in anything that their seat can notice."""
    for name, spec in ours.game.state.fields.items():
        value, other_value = getattr(ours.state, name), getattr(other.state, name)
        if value != other_value:
            shown = f"{in_words(spec, value)} or {in_words(spec, other_value)}"
            raise Broken(f"{where} can tell from the field `{name}` ({shown:.80}) what it has not seen")
    if (ours.sizes, ours.piles, ours.aside) != (other.sizes, other.piles, other.aside):
        raise Broken(f"{where} can tell from the sizes of hands and piles what it has not seen")
    if ours.legal() != other.legal():
        more = {*ours.legal()} ^ {*other.legal()}
        raise Broken(f"{where} can tell from its own legal moves (`{min(more)}`) what it has not seen")
    scenes = [seen.setup.scene(seen.state, seen.seat) for seen in (ours, other)]
    if scenes[0] != scenes[1]:
        raise Broken(f"{where} can tell from the scene what it has not seen")


# ---------------------------------------------------------------------------------------------- twins of one state


def state_twin(match: Match[Any], seat: int | None, rng: Random) -> Any:
    """A state that this seat cannot distinguish from the match's state; None if there is nothing to swap."""
    state = match.state
    if places := swappable(hidden_places(match.game, state, seat), rng):
        state = swap(match.game, state, *places)
    numbers = [(name, who) for name, who in hidden_numbers(match, seat) if rng.random() < 0.5]
    if numbers and state is match.state:
        state = state.copy()
    for name, who in numbers:
        _change(state, name, who, match.game.state.fields[name], rng)
    return None if state == match.state else state


def hidden_places(game: type[Game[Any]], state: GameState, seat: int | None) -> list[tuple[FieldOfSeat, Card]]:
    """All cards that are hidden from a seat, with their places: in other hands, laid aside by others, or in piles."""
    places: list[tuple[FieldOfSeat, Card]] = []
    for other in range(state.players):
        if other != seat:
            hidden = game.hand.cards(state, other)
            for card in game.shown.cards(state, other) if game.shown else []:
                hidden.remove(card)
            places += [(("hand", other), card) for card in hidden]
    for name, field in game.state.fields.items():
        value = getattr(state, name)
        if field.seen is Seen.NOBODY and field.cards:
            if field.seen_by is not None and getattr(state, field.seen_by) == seat:
                continue
            pile = as_list(value) if field.length is None else value
            indices = [None] * len(pile) if field.length is None else range(len(pile))
            places += [((name, i), card) for i, card in zip(indices, pile, strict=True) if card != NO_CARD]
        elif name in aside_fields(game.state, game.hand):
            others = [other for other in range(state.players) if other != seat]
            places += [((name, other), card) for other in others for card in as_list(value[other])]
    return places


CardSwap = tuple[tuple[FieldOfSeat, Card], tuple[FieldOfSeat, Card]]


def swappable(places: list[tuple[FieldOfSeat, Card]], rng: Random) -> CardSwap | None:
    """Two different cards in different places, chosen at random; None if the choice fails."""
    if len(places) < 2:
        return None
    first, second = rng.sample(places, 2)
    return (first, second) if first[1] != second[1] and first[0] != second[0] else None


def swap(game: type[Game[Any]], state: Any, first: tuple[FieldOfSeat, Card], second: tuple[FieldOfSeat, Card]) -> Any:
    """A copy of the state with two hidden cards swapped."""
    twin = state.copy()
    for (place, card), (_, other) in ((first, second), (second, first)):
        name, i = place
        if name == "hand":
            assert i is not None
            held = game.hand.cards(twin, i)
            held.remove(card)
            game.hand.put(twin, i, [*held, other])
        elif i is None:
            setattr(twin, name, getattr(twin, name) & ~(1 << card) | 1 << other)
        elif name in aside_fields(game.state, game.hand):
            getattr(twin, name)[i] ^= 1 << card | 1 << other
        else:
            getattr(twin, name)[i] = other
    return twin


def hidden_numbers(match: Match[Any], seat: int | None) -> Iterator[tuple[str, int | None]]:
    """Yield every hidden number that is not a card, as a field and a seat: sealed or private numbers of other seats,
    and numbers that nobody sees."""
    state = match.state
    for name, field in hidden_fields(match.game.state):
        if field.cards or (field.unless and match.setup.opens(field.unless)):
            continue
        if field.seen is Seen.SEALED and state.phase >= field.until:
            continue
        if field.length is None:
            yield name, None
        else:
            seats = range(field.length) if field.seen is Seen.NOBODY else range(state.players)
            yield from ((name, who) for who in seats if who != seat or field.seen is Seen.NOBODY)


def _change(state: Any, name: str, who: int | None, field: Field, rng: Random) -> None:
    """Replace a hidden number by a random one."""
    number = rng.choice([field.blank, 0, 1, 2, 3])
    if who is None:
        setattr(state, name, number)
    else:
        getattr(state, name)[who] = number


# ------------------------------------------------------------------------------------------------- twins of a deal


@dataclass
class PublicMoment:
    """The public course of a deal after one event, which is the same for a twin."""

    phase: int
    to_act: int
    awaiting: int
    revealed: list[object]
    """The values of the fields that the rules reveal to everybody."""


class EventHistory:
    """The events since the last deal, and the cards that each seat has seen in them."""

    def __init__(self, trial: Trial) -> None:
        self.rng = trial.rng
        self.before: Match[Any] | None = None
        self._next: Match[Any] | None = None
        self.course: list[PublicMoment] = []
        self.seen: dict[int | None, set[Card]] = {}

    def note(self, match: Match[Any]) -> None:
        """Record the last event."""
        event = match.events[-1]
        if event.seat is None and event.move == DEAL:
            self.before = self._next or Match(match.setup, dealer=match.first_dealer)
            self.course = []
            self.seen = {seat: set() for seat in [None, *range(match.players)]}
        if match.state.awaiting == DEAL:
            self._next = match.fork()
        self.course.append(_moment(match))
        self._check_open(match)
        for seat, cards in self.seen.items():
            cards.update(match.setup.all_cards(match.view(seat).state))
            cards.update(_named(match.game, event, seat))

    def _check_open(self, match: Match[Any]) -> None:
        """Raises Broken if a card lies open that no move has named, in a field without a clause that reveals it."""
        known = self.seen[None] | set(_named(match.game, match.events[-1], None))
        for name, spec in match.game.state.fields.items():
            if spec.seen is Seen.ALL and spec.cards and not spec.reveals:
                if turned := sorted(set(field_cards(spec, getattr(match.state, name))) - known):
                    clause = f"{match.game.clauses.prefix or 'XY'}-…"
                    raise Broken(
                        f"{last_event(match)} {first_cards(turned)} lies open in `{name}`, and no move has named it: "
                        f'if the rules turn it up, declare the field with reveals="{clause}", the clause'
                    )

    def twin(self, match: Match[Any], seat: int | None) -> Match[Any] | None:
        """The deal replayed with a difference that this seat has not seen; None if that is not possible."""
        if self.before is None:
            return None
        events = match.events[len(self.before.events) :]
        texts = self._other_cards(events, seat) or self._other_move(match, events, seat)
        return self._play(texts) if texts else None

    def _other_cards(self, events: list[Event], seat: int | None) -> list[str] | None:
        """The events with two cards swapped that the seat has never seen; None if there are no two."""
        order = events[0].items
        unseen = [place for place, card in enumerate(order) if card not in self.seen[seat]]
        if len(unseen) < 2 or self.rng.random() < 0.2:
            return None
        first, second = self.rng.sample(unseen, 2)
        other = {order[first]: order[second], order[second]: order[first]}
        swapped = [*order]
        swapped[first], swapped[second] = order[second], order[first]
        if max(order.count(card) for card in other) > 1:  # later events may mean either copy
            return [_dealt(swapped), *map(str, events[1:])]
        words = {text(card): text(card_there) for card, card_there in other.items()}
        later = [" ".join(words.get(word, word) for word in str(event).split(" ")) for event in events[1:]]
        return [_dealt(swapped), *later]

    def _other_move(self, match: Match[Any], events: list[Event], seat: int | None) -> list[str] | None:
        """The events with one move that the seat has not fully seen replaced by another; None if there is none."""
        secret = [i for i, event in enumerate(events) if self._is_secret(match.game, events[i:], seat)]
        if not secret or self.before is None:
            return None
        at = self.rng.choice(secret)
        then = self.before.fork()
        for event in events[:at]:
            then.event(str(event))
        mover, known = events[at].seat, seen_event(events[at], seat)
        assert mover is not None
        moves = [move for move in then.legal_moves(mover) if move != events[at].move]
        self.rng.shuffle(moves)
        for move in moves[:5]:
            text_of_move, named = match.game.notation.text(move), {*match.game.notation.cards(move)}
            if not named & self.seen[seat] and seen_event(then.fork().play(mover, text_of_move), seat) == known:
                return [f"{mover} {text_of_move}" if i == at else str(event) for i, event in enumerate(events)]
        return None

    def _is_secret(self, game: type[Game[Any]], events: list[Event], seat: int | None) -> bool:
        """Whether the first of these events is still hidden from a seat after the last."""
        event, *later = events
        if event.seat is None or event.seat == seat or seen_event(event, seat).move is not None:
            return False
        if any((event.seat, event.move) in other.opened for other in later):
            return False
        return not self.seen[seat] & set(game.notation.cards(event.move))

    def _play(self, texts: list[str]) -> Match[Any] | None:
        """The deal with these events; None if they are not legal, or if its public course would be different."""
        assert self.before is not None
        twin = self.before.fork()
        for event, moment in zip(texts, self.course, strict=True):
            try:
                twin.event(event)
            except IllegalMove:
                return None
            if _moment(twin) != moment:
                return None
        return twin


def _moment(match: Match[Any]) -> PublicMoment:
    state = match.state
    revealed = [getattr(state, name) for name, spec in state.fields.items() if spec.reveals]
    return PublicMoment(state.phase, state.to_act, state.awaiting, copy.deepcopy(revealed))


def _named(game: type[Game[Any]], event: Event, seat: int | None) -> list[Card]:
    """The cards that an event names to a seat."""
    if event.seat is None:
        return []
    seen = seen_event(event, seat)
    moves = [move for _, move in seen.opened] + ([] if seen.move is None else [seen.move])
    return [card for move in moves for card in game.notation.cards(move)]


def _dealt(order: list[Card]) -> str:
    return f"deal {' '.join(map(text, order))}"


def _compare_matches(match: Match[Any], twin: Match[Any], seat: int | None) -> None:
    """Raises Broken if a seat can distinguish the two courses of a deal."""
    where = f"{last_event(match)} {watcher(seat)}"
    if match.history(seat) != twin.history(seat):
        raise Broken(f"{where} was sent part of a move that it must not see: check `heard=` of its verb")
    require_same_view(match.view(seat), twin.view(seat), where)
