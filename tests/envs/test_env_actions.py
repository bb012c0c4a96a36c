"""Actions: every legal move has one number, the same for all seats; anything else is refused in one line."""

from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from playing import play_on, random_match

from upcard import IllegalMove, Match, Setup, UpcardError, games, shuffler
from upcard.engine.actions import action_space
from upcard.laws.law import Broken, Trial
from upcard.laws.moves import moves_are_readable
from upcard.rules import BadGame, Notation
from upcard.rules.game import Game


@pytest.mark.parametrize("seed", range(4))
def test_every_legal_move_is_one_action(game: type[Game], seed: int) -> None:
    match = random_match(game, seed)
    space = action_space(match.setup)
    for now in islice(play_on(match, Random(seed)), 400):
        for seat in range(now.players):
            actions = now.actions(seat)
            assert sorted(actions.values()) == sorted(now.legal(seat))
            assert list(actions) == sorted(actions)
            assert all(0 <= action < space.size for action in actions)
            assert now.view(seat).actions() == actions


def test_spelled_actions_say_the_same_in_every_state(game: type[Game]) -> None:
    match = random_match(game, 3)
    space = action_space(match.setup)
    for now in islice(play_on(match, Random(3)), 400):
        for seat in now.to_act:
            for action, text in now.actions(seat).items():
                if "#" not in space.text(action):
                    assert space.text(action) == text


def test_an_action_does_what_its_text_does(game: type[Game]) -> None:
    rng = Random(5)
    match = Match(game, chance=shuffler(5))
    for _ in range(120):
        if match.done:
            break
        seat = match.to_act[0]
        action, text = rng.choice(list(match.actions(seat).items()))
        twin = match.fork()
        assert twin.play(seat, text) == match.apply(seat, action)
        if match.events[-1].seat is not None:  # no chance has followed, which would differ
            assert twin.state == match.state


def test_texts_of_a_table_differ(game: type[Game]) -> None:
    space = action_space(Setup(game))
    assert len({space.text(action) for action in range(space.size)}) == space.size


def test_actions_keep_their_numbers() -> None:
    oh_hell, ninety_nine = action_space(Setup("oh-hell")), action_space(Setup("ninety-nine", 3))
    assert [oh_hell.text(action) for action in (0, 51, 52, 55)] == ["As", "2c", "bid 0", "bid 3"]
    assert [ninety_nine.text(action) for action in (0, 35, 36, 36 + 285, 36 + 286)] == [
        *("As", "6c", "bid #1", "bid #286", "pass")
    ]
    space = action_space(Setup("roundup", 4))
    assert space.text(52 + 52 + 52 + 4) == "jack Jh 0"


def test_a_verb_has_actions_only_for_what_it_can_name() -> None:
    space = action_space(Setup("sixty-six"))
    melds = next(family for family in space.families if family.spec.word == "meld")
    assert melds.size == 16
    assert space.text(melds.first + 1) == "meld Ks Qh"
    bids = [action_space(Setup("oh-hell", 4, {"max_cards": most})).families[1] for most in (3, 10)]
    assert [bid.size for bid in bids] == [4, 11]


@pytest.mark.parametrize("ranks", ["K", "K Q J", "K 1"])
def test_ranks_go_with_the_cards_of_a_verb(ranks: str) -> None:
    with pytest.raises(TypeError, match="one word of 23456789TJQKA for each card"):
        Notation().verb("meld", "card card", ranks=ranks, label="Meld {cards}", said="melds {cards}")


def test_the_largest_number_of_a_verb_is_an_option_or_a_number() -> None:
    game = games.load("oh-hell")
    moves = game.notation.copy()
    moves.verbs[1] = replace(moves.verbs[1], most="max_card")
    with pytest.raises(BadGame, match="verb 'bid': there is no option or number 'max_card'"):
        game.variant("misspelt", notation=moves)


def test_a_legal_move_that_its_verb_excludes_breaks_a_law() -> None:
    game = games.load("oh-hell")
    moves = game.notation.copy()
    moves.verbs[1] = replace(moves.verbs[1], most=0)
    with pytest.raises(Broken, match="`bid 1` is not an action of this table"):
        moves_are_readable(Trial(game.variant("no-bids", notation=moves), 1, 3))


def test_three_cards_are_counted_in_pack_order() -> None:
    match = Match("ninety-nine", 3, chance=shuffler(1))
    hand = [text for text, _ in zip(match.view(0).text().split(": ")[1].split(), range(12), strict=False)]
    bids = list(match.actions(0).values())
    assert len(bids) == 220
    assert bids[0] == f"bid {' '.join(hand[:3])}"
    assert bids[1] == f"bid {' '.join([*hand[:2], hand[3]])}"
    assert bids[-1] == f"bid {' '.join(hand[-3:])}"


@pytest.mark.parametrize("action", [-1, 63, "As", None, 1.5])
def test_what_is_no_action_is_refused(action: object) -> None:
    match = Match("oh-hell", chance=shuffler(1))
    with pytest.raises(UpcardError, match="an action is a whole number from 0 to 62"):
        match.apply(0, action)  # type: ignore[arg-type]


def test_an_illegal_action_is_refused_with_its_clause() -> None:
    match = Match("oh-hell", chance=shuffler(1))
    before = match.state.copy()
    with pytest.raises(IllegalMove) as caught:
        match.apply(0, 0)
    assert caught.value.clause.startswith("OH-")
    with pytest.raises(IllegalMove, match="bid #286"):
        Match("ninety-nine", 3, chance=shuffler(1)).apply(0, 36 + 285)
    assert match.state == before
