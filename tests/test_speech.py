"""Utterances: what players say aloud with their moves."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, get_args

import pytest
from playing import random_match
from sitting_down import ANN, BO, Ear, opened, say

from upcard import Match, games
from upcard.engine.events import Event
from upcard.engine.views import seen_event
from upcard.laws.hidden import state_twin
from upcard.laws.law import random_event
from upcard.players import player
from upcard.rules.game import Game
from upcard.rules.notation import Notation, say1
from upcard.rules.phrases import number_word
from upcard.rules.speech import SPEECH_KINDS, SpeechKind, Utterance, spoken_move
from upcard.table.event_replay import replay_events
from upcard.table.speech import utterances_of

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ina", "Jo")
SILENT = {
    ("cinch", "discard"): "trumps that are thrown speak for themselves",
    ("cinch", "take"): "cards are taken face down",
    ("kalooki", "discard"): "a card that is thrown speaks for itself",
    ("kalooki", "lay"): "only the meld that completes the contract is announced",
    ("kalooki", "tack"): "a card that is added to a meld speaks for itself",
    ("ninety-nine", "bid"): "a bid is laid face down",
    ("ninety-nine", "dummy"): "a card of the dummy speaks for itself",
    ("oh-hell", "bid"): "a sealed bid is said when all have bid",
    ("roundup", "bid"): "a sealed bid is said when all have bid",
    ("roundup", "give"): "the card that was demanded speaks for itself",
    ("roundup", "show"): "a card is said when all have chosen",
}
"""The events other than plays of cards that may say nothing, by game and verb, with the reason."""


def moments(game: type[Game], seed: int, most: int = 400) -> Iterator[tuple[Match, Event, Any]]:
    """A random match after each event, with that event and the state before it."""
    match, rng = random_match(game, seed), Random(seed)
    while not match.done and len(match.events) < most:
        before = match.state.copy()
        yield match, match.event(random_event(match, rng)), before


def test_the_kinds_in_messages_are_those_of_the_rules() -> None:
    assert {*get_args(SpeechKind)} == {*SPEECH_KINDS}


@pytest.mark.parametrize("seed", range(4))
def test_every_event_is_said_or_has_a_reason_to_be_silent(game: type[Game], seed: int) -> None:
    for match, event, before in moments(game, seed):
        spoken = utterances_of(match.setup, event, before, match.state)
        assert spoken or event.seat is None or event.word == "" or (game.slug, event.word) in SILENT, event
        for utterance in spoken:
            text = utterance.text.format(*NAMES)
            assert utterance.kind in SPEECH_KINDS
            assert 0 <= utterance.seat < match.players
            assert text == text.strip()
            assert text[:1].isupper() or text[:1].isdigit() or text[0] == "+"
            assert not {*"{}_"} & {*text}


def other_move(match: Match, event: Event) -> Event | None:
    """A different event that a spectator could not tell from this one."""
    notation = match.game.notation
    seen = seen_event(event, None)
    if event.seat is None or seen.move is not None:
        return None
    changed = [(one + 1) % 8 for one in event.items]
    return replace(event, items=tuple(changed), move=event.move ^ 1, said=notation.text(event.move ^ 1))


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_said_that_a_spectator_cannot_see(game: type[Game], seed: int) -> None:
    rng = Random(seed)
    for match, event, before in moments(game, seed, 200):
        spoken = utterances_of(match.setup, event, before, match.state)
        if twin := state_twin(match, None, rng):
            assert utterances_of(match.setup, event, before, twin) == spoken
        if other := other_move(match, event):
            assert utterances_of(match.setup, other, before, match.state) == spoken


def spoken_with(match: Match, event: str) -> list[tuple[int, str, str]]:
    """Make a move; returns what is said with it."""
    before = match.state.copy()
    happened = match.event(event)
    return [
        (seat, kind, text.format(*NAMES))
        for seat, kind, text in utterances_of(match.setup, happened, before, match.state)
    ]


def test_bids_that_are_made_at_once_are_said_when_they_are_revealed() -> None:
    match = Match(games.load("oh-hell"), 3, options={"bidding": "fingers"})
    match.event(random_event(match, Random(1)))
    assert [spoken_with(match, f"{seat} bid {number}") for seat, number in ((0, 1), (1, 0))] == [[], []]
    assert sorted(spoken_with(match, "2 bid 1")) == [(0, "bid", "One"), (1, "bid", "Zero"), (2, "bid", "One")]


def test_a_marriage_is_said_by_its_worth_and_its_points() -> None:
    match = Match(games.load("sixty-six"), dealer=1)
    hands = "Kh Qh As Ks Qs 9s".split(), "Ad Td Kd Qd Jd 9d".split()
    order = [*hands[0][:3], *hands[1][:3], *hands[0][3:], *hands[1][3:], "Jh"]
    rest = [card for card in (rank + suit for suit in "cdsh" for rank in "9JQKTA") if card not in order]
    match.event(f"deal {' '.join([*order, *rest])}")
    assert spoken_with(match, "0 meld Kh Qh") == [(0, "declare", "Forty"), (0, "highlight", "Marriage in hearts")]
    assert spoken_with(match, "0 Kh") == []
    assert spoken_with(match, "1 9d") == []
    assert spoken_with(match, "0 close") == [(0, "close", "I close"), (0, "highlight", "The stock is closed")]
    twenty = [(0, "declare", "Twenty"), (0, "points", "+20"), (0, "highlight", "Marriage in spades")]
    assert spoken_with(match, "0 meld Ks Qs") == twenty
    assert spoken_with(match, "0 Ks") == []
    match.event("1 Jd")
    assert spoken_with(match, "0 declare") == [(0, "declare", "Sixty-six!"), (0, "highlight", "Sixty-six!")]


def test_a_flush_is_named_also_when_it_ends_the_deal() -> None:
    ended: set[bool] = set()
    for seed in range(2000):
        match, rng = Match(games.load("loo"), 5), Random(seed)
        while len(match.events) < 30 and ended < {False, True}:
            showing = [seat for seat in match.to_act if "flush" in match.legal(seat)]
            if showing:
                (_, kind, text), (_, _, shown) = spoken_with(match, f"{showing[0]} flush")
                ended.add(not match.to_act)
                assert kind == "declare"
                assert text in ("Flush!", "Flush in trumps!", "Mouche!")
                assert shown == text
                break
            match.event(random_event(match, rng))
    assert ended == {False, True}


HIGHLIGHTS = {
    "sixty-six": {"Marriage in", "The stock is closed"},
    "klaberjass": {"Made!", "Bate!"},
    "roundup": {"Hearts are closed", "Spades are closed"},
    "cinch": {"made!", "missed!"},
    "oh-hell": {"Bid made!"},
    "ninety-nine": {"Bid made!"},
    "loo": {"Pam!"},
    "kalooki": {"Out!"},
}


@pytest.mark.parametrize("slug", sorted(HIGHLIGHTS))
def test_what_decides_something_has_a_name(slug: str) -> None:
    """Whoever plays, the names come up, and rarely: at most in one event of four."""
    named: list[str] = []
    events, choose = 0, player("heuristic").choose
    for seed in range(8):
        match, rng = Match(games.load(slug)), Random(seed)
        while not match.done and match.state.deals < 5 and len(match.events) < 700:
            before = match.state.copy()
            if seats := match.to_act:
                event = match.play(seats[0], choose(match.view(seats[0]), rng))
            else:
                event = match.event(random_event(match, rng))
            spoken = utterances_of(match.setup, event, before, match.state)
            named += [text for _, kind, text in spoken if kind == "highlight"]
            events += 1
    assert all(any(name in text for text in named) for name in HIGHLIGHTS[slug]), {*named}
    assert len(named) < events / 4


def test_a_game_without_speech_says_labels_and_no_cards() -> None:
    notation = Notation()
    bid = notation.verb("bid", "number", label="Bid {0}", said="bids {0}")
    no = notation.verb("pass", label="Pass", said="passes")
    lay = notation.verb("lay", "card", label="Lay {0}", said="lays {0}")
    for move, utterances in (
        (say1(bid, 3), [Utterance(1, "bid", "Bid three")]),
        (no, [Utterance(1, "pass", "Pass")]),
        (say1(lay, 5), []),
        (5, []),
    ):
        assert [*spoken_move(None, notation, {}, 1, move)] == utterances


async def test_everybody_hears_the_same_and_a_replay_repeats_it() -> None:
    table, rng = await opened(ANN, BO), Random(2)
    ears = [Ear("ann"), Ear("bo"), Ear(None)]
    for ear in ears:
        table.join(ear.client)
    for turn in range(40):
        seat = table.match.to_act[0]
        moves = [move for move in table.match.legal(seat) if move != "declare"]
        await say(table, ("ann", "bo")[seat], f"move {turn}", table.seq, rng.choice(moves))
    heard = [[event.utterances or [] for event in ear.events()] for ear in ears]
    assert heard[0] == heard[1] == heard[2]
    assert {utterance.kind for utterances in heard[0] for utterance in utterances} >= {"close"}
    texts = [event.text for event in table.match.events]
    again = replay_events(Match(table.match.setup, dealer=table.match.first_dealer), texts, ["Ann", "Bo"])
    assert [replayed.utterances for replayed in again][-len(heard[0]) :] == heard[0]


@pytest.mark.parametrize(
    ("number", "word"), [(0, "zero"), (3, "three"), (40, "forty"), (66, "sixty-six"), (100, "100")]
)
def test_numbers_are_said_in_words(number: int, word: str) -> None:
    assert number_word(number) == word
