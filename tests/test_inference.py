"""Inference: the likelihood of what was played and said in a world, against values worked out by hand."""

import pickle
from math import exp, log
from random import Random
from typing import Any

import numpy as np
import pytest
from playing import play_on

from upcard import Match
from upcard.compiled.dealer import Dealer
from upcard.compiled.machine import machine_of
from upcard.compiled.public_history import ANY, FAVOURITE, IMPOSSIBLE, LEARNED
from upcard.engine.match import let_happen
from upcard.engine.mistakes import listed_moves
from upcard.engine.views import View
from upcard.engine.worlds import whole_pack
from upcard.players import player
from upcard.players.inference import Believed, effective, likelihoods, story_of, tempered
from upcard.policies.learned import learned_of, policy_of
from upcard.policies.weights import UNIT
from upcard.rules.cards import as_list
from upcard.rules.game import Game

SHARES = (0.4, 0.3, 0.3)


def in_the_play(slug: str, seed: int, moves: int, players: int | None = None) -> tuple[Match, View]:
    """A match of casual players this many moves after the first card was led, and what the seat to act sees."""
    match, rng, casual = Match(slug, players, chance=Random(seed)), Random(seed), player("casual")
    while match.phase != "play" or (moves := moves - 1) >= 0:
        seat = match.to_act[0]
        match.play(seat, casual.choose(match.view(seat), rng))
    return match, match.view(match.to_act[0])


def by_hand(seen: View, world: Any) -> float:
    """Oh Hell: the logarithm of how likely the other seats bid and play as they did, if these were their cards."""
    assert seen.begun is not None
    bids = dict(one for notice in seen.told for one in notice.opened)
    told = [
        (notice.seat, bids[notice.seat] if notice.move is None else notice.move)
        for notice in seen.told
        if notice.seat is not None
    ]
    hands = [
        as_list(world.hand[seat]) + [move for who, move in told if who == seat and move < 64]
        for seat in range(world.players)
    ]
    pack = whole_pack(seen.setup)
    first = seen.begun.copy()
    let_happen(seen.setup, first, pack[:])
    rest = [card for card in pack if card != world.upcard and all(card not in hand for hand in hands)]
    order = []
    for card in pack:
        owner = next((seat for seat in range(world.players) if first.hand[seat] >> card & 1), None)
        heap = [world.upcard] if card == first.upcard else rest if owner is None else hands[owner]
        order.append(heap.pop())
    state: Any = seen.begun.copy()
    let_happen(seen.setup, state, order)
    total = 0.0
    for seat, move in told:
        if seat != seen.seat:
            total += log(chance_by_hand(seen.setup, state, seat, move))
        seen.setup.apply(state, seat, move)
    return total


def chance_by_hand(setup: Game, state: Any, seat: int, move: int) -> float:
    moves = listed_moves(setup, state, seat)
    n = len(moves)
    policy, found = policy_of(setup.game), learned_of(setup.game)
    assert found is not None
    favourite = setup.choose(state, seat, moves, n, 0) if n > 1 else moves[0]
    unseen, room = policy.unseen_by(setup, state, seat), [0] * policy.room
    at = policy.begin(setup, state, seat, found.weights, unseen, room)
    scores = [policy.score(setup, state, seat, one, favourite, found.weights, at, unseen, room) / UNIT for one in moves]
    softmax = exp(scores[moves.index(move)]) / sum(map(exp, scores))
    mixed = SHARES[FAVOURITE] * (move == favourite) + SHARES[LEARNED] * softmax + SHARES[ANY] / n
    return mixed if n > 1 else 1.0


@pytest.mark.long
@pytest.mark.xdist_group("oh-hell")
def test_a_world_is_as_likely_as_it_makes_what_was_played_and_bid() -> None:
    different = 0
    for seed in range(4):
        _, seen = in_the_play("oh-hell", seed, 3 * 5 + seed, 4)
        dealer = Dealer(seen)
        story = story_of(dealer)
        assert story is not None
        worlds = dealer.deal(20, seed)
        found = likelihoods(dealer, story, worlds, SHARES)
        expected = [by_hand(seen, dealer.run.get(worlds, i)) for i in range(20)]
        assert found == pytest.approx(expected)
        different += len({*expected})
    assert different > 20


@pytest.mark.parametrize("slug", ["klaberjass"])
def test_the_true_world_is_never_impossible(slug: str) -> None:
    tried = 0
    for seed in range(3):
        match, rng, casual = Match(slug, chance=Random(seed)), Random(seed), player("casual")
        while match.state.deals < 3 and not match.done:
            seat = match.to_act[0]
            seen = match.view(seat)
            dealer = Dealer(seen)
            story = story_of(dealer)
            if story is not None:
                true = dealer.run.states(2)
                for i in range(2):
                    dealer.run.put(true, i, match.state)
                assert max(likelihoods(dealer, story, true, SHARES)) > IMPOSSIBLE
                tried += 1
            match.play(seat, casual.choose(seen, rng))
    assert tried > 50


TRACED = {"cinch": 0.7, "loo": 0.95, "ninety-nine": 0.99, "rounds": 0.85, "roundup": 0.99}
"""How many worlds at least: where plain cards are thrown away and others drawn, hidden cards exchanged or laid aside,
cards drawn and suits followed, and with moves that name a card, a seat and a rank."""


@pytest.mark.parametrize("slug", [pytest.param(slug, marks=pytest.mark.xdist_group(slug)) for slug in TRACED])
def test_worlds_are_traced_back_to_a_deal(slug: str) -> None:
    traced = []
    for seed in range(3):
        match, rng, casual = Match(slug, chance=Random(seed)), Random(seed), player("casual")
        while match.state.deals == 1 and not match.done:
            seat = match.to_act[0]
            seen = match.view(seat)
            dealer = Dealer(seen)
            story = story_of(dealer)
            if story is not None and len(match.events) % 3 == 0:
                traced += [one > IMPOSSIBLE for one in likelihoods(dealer, story, dealer.deal(20, seed), SHARES)]
            match.play(seat, casual.choose(seen, rng))
    assert len(traced) > 400
    assert sum(traced) > TRACED[slug] * len(traced)


def test_a_view_says_what_was_told_since_the_deal_and_pickles() -> None:
    for match in play_on(Match("klaberjass", chance=Random(4)), Random(4), 60):
        for seat in (None, 0, 1):
            seen = match.view(seat)
            dealt = max(i for i, event in enumerate(match.events) if event.word == "deal")
            assert list(seen.told) == match.history(seat, dealt)
            assert pickle.loads(pickle.dumps(seen)) == seen
        assert match.fork().view(0) == match.view(0)


def test_weights_never_come_to_rest_on_a_few_worlds() -> None:
    logs = np.random.default_rng(1).normal(0, 30, 500)
    logs[:100] = IMPOSSIBLE
    run = machine_of(Match("oh-hell").game)
    weights = tempered(run, logs.tolist(), 0.2)
    assert sum(weights[:100]) == 0
    assert sum(weights) == pytest.approx(1)
    assert effective(weights) == pytest.approx(0.2 * 400, rel=0.01)
    mild = np.log([0.5, 0.25, 0.25])
    assert tempered(run, mild.tolist(), 0.2) == pytest.approx([0.5, 0.25, 0.25])
    assert tempered(run, [IMPOSSIBLE] * 4) == pytest.approx([0.25] * 4)


@pytest.mark.long
@pytest.mark.xdist_group("klaberjass")
def test_an_expert_plays_by_its_view_alone_and_repeats_itself() -> None:
    match, seen = in_the_play("klaberjass", 2, 4)
    expert = player("expert:60")
    chosen = expert.choose(seen, Random(3))
    assert chosen in seen.legal()
    assert expert.choose(pickle.loads(pickle.dumps(seen)), Random(3)) == chosen
    assert expert.choose(match.fork().view(seen.seat), Random(3)) == chosen
    believed = Believed(Dealer(seen), 1)
    assert 1 < effective(believed.weights.numbers) < len(believed.worlds)
