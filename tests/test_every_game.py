"""Laws that hold for every game, at any number of players and with any options, in every random match."""

from collections import Counter
from random import Random

import pytest
from playing import GAMES, play_on, random_header, random_match

from upcard import IllegalMove, Match
from upcard.engine import records
from upcard.engine.chance import shuffler
from upcard.rules import Game, pages

EVENTS = 400
SEEDS = range(12)


@pytest.mark.parametrize("seed", SEEDS)
def test_moves_are_legal_distinct_and_read_back(game: Game, seed: int) -> None:
    match = random_match(game, seed)
    for _ in play_on(match, Random(seed), EVENTS):
        for seat in range(match.players):
            moves = match.legal_moves(seat)
            if seat not in match.to_act:
                assert moves == []
                continue
            assert moves, "somebody is to act and has no move"
            assert len(set(moves)) == len(moves) <= game.most_moves
            for move in moves:
                assert game.notation.read(game.notation.text(move)).move == move


@pytest.mark.parametrize("seed", SEEDS)
def test_every_card_is_somewhere_exactly_once(game: Game, seed: int) -> None:
    match = random_match(game, seed)
    pack: Counter[int] = Counter()
    for _ in play_on(match, Random(seed), EVENTS):
        if str(match.events[-1]).startswith("deal"):
            pack = Counter(game.all_cards(match.state))
            assert len(str(match.events[-1]).split()) - 1 == pack.total()
        if match.to_act or match.awaiting == "reshuffle":
            assert Counter(game.all_cards(match.state)) == pack


@pytest.mark.parametrize("seed", SEEDS)
def test_a_match_replays_from_its_record_wherever_it_is_cut(game: Game, seed: int) -> None:
    match, rng = random_match(game, seed), Random(seed)
    for _ in play_on(match, rng, EVENTS):
        pass
    record = match.record()
    assert records.replay(record).state == match.state
    cut = rng.randrange(len(record["events"]) + 1)
    begun = records.replay(record | {"events": record["events"][:cut]})
    for text in record["events"][cut:]:
        begun.event(text)
    assert begun.report() == match.report()


def test_a_whole_match_ends(game: Game) -> None:
    match = Match(game, chance=shuffler(7))
    for _ in play_on(match, Random(7)):
        pass
    assert match.done
    assert match.winners
    assert match.to_act == []
    with pytest.raises(IllegalMove):
        match.event("0 As")


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_not_legal_is_refused_with_a_clause_of_the_page_and_changes_nothing(game: Game, seed: int) -> None:
    match, rng = random_match(game, seed), Random(seed)
    known = pages.clauses(game)
    words = [
        "As",
        "2c",
        "*",
        "",
        "x",
        "deal",
        "reshuffle As",
        "draw As",
        "0",
        "pass",
        "9 As",
        "-1 As",
        "0 0",
        "0 As Ks",
    ]
    words += [
        f"{verb.word} {' '.join(rng.choice(['Kh', '3', 's', 'Qh', '']) for _ in verb.items)}"
        for verb in game.notation.verbs
    ]
    for _ in play_on(match, rng, 120):
        for word in rng.sample(words, 4):
            text = rng.choice(["", "0 ", "1 "]) + word
            before, report = match.state.copy(), match.report()
            seat, _, said = text.partition(" ")
            move = game.notation.read(said).move
            if seat.isdigit() and int(seat) in match.to_act and move in match.legal_moves(int(seat)):
                continue
            with pytest.raises(IllegalMove) as refused:
                match.event(text)
            assert refused.value.clause in known, (text, refused)
            assert refused.value.index == len(match.events)
            assert match.state == before
            assert match.report() == report


def test_headers_are_refused_with_a_clause(game: Game) -> None:
    known = pages.clauses(game)
    good = {"upcard": 1, "game": game.slug, "players": game.default_players, "dealer": 0, "options": {}, "events": []}
    records.replay(good)
    bad = [{"players": 99}, {"players": True}, {"players": None}, {"players": "2"}, {"dealer": -1}, {"dealer": 99}]
    bad += [{"dealer": True}, {"dealer": 0.0}, {"options": {"no such": 1}}]
    bad += [{"options": {name: value}} for name in game.options.options for value in (None, 10**9, "x", [], 1.5)]
    for change in bad:
        with pytest.raises(records.BadRecord, match="header") as refused:
            records.replay(good | change)
        assert refused.value.clause in known, change


def test_every_value_of_every_option_is_taken(game: Game) -> None:
    for players in game.players:
        for name, option in game.options.options.items():
            low, high = option.bounds(players)
            values = option.values or ([low, high] if option.kind == "whole" else ["1", "9" * high])
            for value in values:
                Match(game, players, options={name: value})
            Match(game, players, options={name: option.default_for(players)})


def test_random_headers_differ(game: Game) -> None:
    """So that the laws above see more than the defaults."""
    assert len({repr(random_header(game, seed)) for seed in SEEDS}) > 6
