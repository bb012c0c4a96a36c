"""Hidden stays hidden: two states that a seat cannot tell apart give it the same view, moves, words and reports.

The other state is made here, without asking the engine what may be seen: two cards that lie in hidden places (somebody
else's hand, a face-down pile) change places.
"""

from random import Random

import pytest
from playing import GAMES, play_on, random_match

from upcard.engine.views import view
from upcard.rules import Game, GameState
from upcard.rules.cards import NO_CARD, Card, as_list
from upcard.rules.state import Seen

SEEDS = range(10)


Place = tuple[str, int | None]


def hidden_places(game: Game, state: GameState, seat: int | None) -> list[tuple[Place, Card]]:
    """Every hidden card with where it is: other hands (less what lies open), what others laid aside, piles and sets."""
    found: list[tuple[Place, Card]] = []
    for other in range(state.players):
        if other != seat:
            known = game.shown.cards(state, other) if game.shown else []
            cards = game.hand.cards(state, other)
            for card in known:
                cards.remove(card)
            found += [(("hand", other), card) for card in cards]
    for name, field in game.state.fields.items():
        if field.seen is Seen.NOBODY and field.cards:
            if field.seen_by is not None and getattr(state, field.seen_by) == seat:
                continue
            value = getattr(state, name)
            if field.length is None:
                found += [((name, None), card) for card in range(53) if value >> card & 1]
            else:
                found += [((name, i), card) for i, card in enumerate(value) if card != NO_CARD]
        elif name in game.aside:
            others = [other for other in range(state.players) if other != seat]
            found += [((name, other), card) for other in others for card in as_list(getattr(state, name)[other])]
    return found


def swap(game: Game, state: GameState, first: tuple[Place, Card], second: tuple[Place, Card]) -> GameState:
    """The state with two hidden cards in each other's place."""
    twin = state.copy()
    for (place, card), (_, other) in ((first, second), (second, first)):
        name, i = place
        if name == "hand":
            assert i is not None
            cards = game.hand.cards(twin, i)
            cards.remove(card)
            game.hand.put(twin, i, [*cards, other])
        elif i is None:
            setattr(twin, name, getattr(twin, name) & ~(1 << card) | 1 << other)
        elif name in game.aside:
            getattr(twin, name)[i] ^= 1 << card | 1 << other
        else:
            getattr(twin, name)[i] = other
    return twin


def twins(game: Game, seed: int):  # type: ignore[no-untyped-def]
    """(match, seat, a state that this seat cannot tell from the match's) along a random match."""
    match, rng = random_match(game, seed), Random(seed)
    for _ in play_on(match, rng, 250):
        if not match.to_act:
            continue
        for seat in [None, *range(match.players)]:
            places = hidden_places(game, match.state, seat)
            if len(places) < 2:
                continue
            first, second = rng.sample(places, 2)
            if first[1] != second[1] and first[0] != second[0]:
                yield match, seat, swap(game, match.state, first, second)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_view_is_the_same_for_states_that_cannot_be_told_apart(game: Game, seed: int) -> None:
    tried = 0
    for match, seat, twin in twins(game, seed):
        ours, other = match.view(seat), view(match.setup, twin, seat)
        assert ours.state == other.state
        assert ours.sizes == other.sizes
        assert ours.legal() == other.legal()
        assert ours.text() == other.text()
        assert game.scene(ours.state, match.options, seat) == game.scene(other.state, match.options, seat)
        tried += 1
    assert tried > 20


@pytest.mark.parametrize("seed", SEEDS)
def test_a_seat_has_the_same_moves_on_its_view_as_on_the_state(game: Game, seed: int) -> None:
    match = random_match(game, seed)
    for _ in play_on(match, Random(seed), 250):
        for seat in range(match.players):
            assert match.view(seat).legal() == match.legal(seat)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_view_shows_ones_own_hand_and_only_the_size_of_the_others(game: Game, seed: int) -> None:
    match = random_match(game, seed)
    for _ in play_on(match, Random(seed), 150):
        for seat in range(match.players):
            seen = match.view(seat)
            assert seen.hand() == game.hand.cards(match.state, seat)
            for other in range(match.players):
                assert len(seen.hand(other)) == len(game.hand.cards(match.state, other))


def test_somebody_who_only_watches_has_no_moves_and_sees_no_hand(game: Game) -> None:
    match = random_match(game, 1)
    for _ in play_on(match, Random(1), 40):
        seen = match.view(None)
        assert seen.legal() == []
        if game.shown is None:
            assert set(filter(None, (card for seat in range(match.players) for card in seen.hand(seat)))) == set()
