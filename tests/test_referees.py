"""The engine against the slow referees: the same report and moves after every event, the same clause in refusals."""

from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any

import pytest
from playing import random_event, random_header
from referee_base import Refused

from upcard import BadRecord, IllegalMove, Match
from upcard.rules.game import Game
from upcard.rules.options import Option

SEEDS = [pytest.param(seed, marks=pytest.mark.long if seed >= 4 else ()) for seed in range(16)]
"""The random tables of each game; a few of them do for the quick checks."""
EVENTS = 500


def referee_of(game: type[Game]) -> Callable[..., Any]:
    return import_module(f"games.{game.slug.replace('-', '_')}.referee").Referee


def comparable(report: dict[str, Any]) -> dict[str, Any]:
    """A report with everything whose order means nothing in order."""
    moves = {seat: sorted(moves) for seat, moves in report["legal"].items()}
    hands = [sorted(hand) for hand in report["hands"]]
    return report | {
        "legal": moves,
        "hands": hands,
        "to_act": sorted(report["to_act"]),
        "winners": sorted(report["winners"]),
    }


def differences(ours: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
    ours, theirs = comparable(ours), comparable(theirs)
    return {name: (ours.get(name), theirs.get(name)) for name in ours | theirs if ours.get(name) != theirs.get(name)}


@pytest.mark.parametrize("seed", SEEDS)
def test_reports_agree(game: type[Game], seed: int) -> None:
    players, dealer, options = random_header(game, seed)
    match, referee = Match(game, players, dealer=dealer, options=options), referee_of(game)(players, dealer, options)
    rng = Random(seed)
    assert not differences(match.report(), referee.report())
    while not match.done and len(match.events) < EVENTS:
        text = random_event(match, rng)
        match.event(text)
        referee.event(text)
        assert not differences(match.report(), referee.report()), match.record()


def test_the_same_tables_are_possible(game: type[Game]) -> None:
    """Every number of players, every dealer, and for every option values in and out of its bounds and of other types;
    where a table is refused, by the same clause."""
    for players in (*range(-1, 13), "2", 2.0, True):
        assert refusal_of_table(game, players, 0, {}) == refusal_by_referee(game, players, 0, {}), players
    for players in game.player_counts:
        for dealer in (*range(-1, players + 2), "0", 0.0, True, None):
            assert refusal_of_table(game, players, dealer, {}) == refusal_by_referee(game, players, dealer, {}), dealer
        for name, option in [*game.declared_options.items(), ("unknown", None)]:
            for value in values_for(option, players):
                ours = refusal_of_table(game, players, 0, {name: value})
                assert ours == refusal_by_referee(game, players, 0, {name: value}), (players, name, value)


def values_for(option: Option | None, players: int) -> list[object]:
    values: list[object] = [True, False, None, "x", "", "1", 1.0, 0, 1, 2, ["x"]]
    if option is not None:
        low, high = option.bounds(players)
        values += [*option.values, str(low), low - 1, low, high, high + 1, float(high), "1" * high, "1" * (high + 1)]
    return values


def refusal_of_table(game: type[Game], players: object, dealer: object, options: dict[str, object]) -> str | None:
    """The clause by which the engine refuses a table; None if it is possible."""
    try:
        Match(game, players, dealer=dealer, options=options)
    except BadRecord as refused:
        return refused.clause
    return None


def refusal_by_referee(game: type[Game], players: object, dealer: object, options: dict[str, object]) -> str | None:
    try:
        referee_of(game)(players, dealer, options)
    except Refused as refused:
        return refused.clause
    return None


@pytest.mark.parametrize("seed", SEEDS)
def test_refusals_name_the_same_clause(game: type[Game], seed: int) -> None:
    players, dealer, options = random_header(game, seed)
    match, referee = Match(game, players, dealer=dealer, options=options), referee_of(game)(players, dealer, options)
    rng = Random(seed)
    while not match.done and len(match.events) < 150:
        for _ in range(4):
            text = attempt(game, match, rng)
            assert clause_of(match, text) == clause_of_referee(referee, text), (text, match.record())
        text = random_event(match, rng)
        match.event(text)
        referee.event(text)


def attempt(game: type[Game], match: Match, rng: Random) -> str:
    """An event that is probably refused."""
    cards = ["As", "Kh", "Qh", "9c", "2d", "7h", "Jc", "*", "Kd"] + [
        c for hand in match.report()["hands"] for c in hand[:3]
    ]
    seat = rng.randrange(match.players + (rng.random() < 0.05))
    verb = rng.choice(game.notation.verbs)
    pick = {
        "card": cards,
        "card+": cards,
        "suit": ["s", "h"],
        "rank": ["A", "7"],
        "number": ["0", "3", "99"],
        "seat": ["0", "1"],
    }
    items = [rng.choice(pick[kind]) for kind in verb.items]
    kind = rng.random()
    if kind < 0.6:
        return " ".join([str(seat), *filter(None, [verb.word]), *items])
    if kind < 0.8 and (to_act := match.to_act):
        return f"{rng.choice(to_act)} {rng.choice(cards)}"
    drawn = "As" if match.awaiting != "draw" else "As As"  # one card might be possible
    return rng.choice(
        [
            *("", "x", "0", "deal", "deal x", f"deal {rng.choice(cards)}", "reshuffle As", f"draw {drawn}", "draw x"),
            *(f"{seat} fold", "hello there"),
        ]
    )


def clause_of(match: Match, text: str) -> str | None:
    """The clause that refuses an event; None, and nothing applied, if it is possible."""
    seat, _, said = text.partition(" ")
    if (
        seat.isdigit()
        and int(seat) < match.players
        and (move := match.game.notation.read(said).move) is not None
        and move in match.legal_moves(int(seat))
    ):
        return None
    with pytest.raises(IllegalMove) as refused:
        match.event(text)
    return refused.value.clause


def clause_of_referee(referee: Any, text: str) -> str | None:
    seat, _, said = text.partition(" ")
    if said in referee.report()["legal"].get(seat, []):
        return None
    with pytest.raises(Refused) as refused:
        referee.event(text)
    return refused.value.clause


def test_counts_of_move_sequences_agree(game: type[Game]) -> None:
    """From one dealt pack, the number of move sequences of each length: both programs walk the whole tree."""
    match = Match(game)
    referee = referee_of(game)(match.players, 0, {})
    deal = match.draw_lots(Random(5))
    match.event(deal)
    referee.event(deal)
    depth = {"ninety-nine": 1, "oh-hell": 2, "kalooki": 2}.get(game.slug, 3)
    assert count(game, list(map(str, match.events)), match, depth) == count_referee(game, [deal], depth)


def count(game: type[Game], events: list[str], match: Match, depth: int) -> list[int]:
    ways = [0] * depth
    for text in [f"{seat} {move}" for seat in match.to_act[:1] for move in match.legal(seat)]:
        ways[0] += 1
        if depth > 1:
            after = Match(game)
            for event in [*events, text]:
                after.event(event)
            deeper = count(game, [*events, text], after, depth - 1) if not after.awaiting else [0] * (depth - 1)
            ways[1:] = [a + b for a, b in zip(ways[1:], deeper, strict=True)]
    return ways


def count_referee(game: type[Game], events: list[str], depth: int) -> list[int]:
    def at(played: list[str]) -> Any:
        referee = referee_of(game)(game.default_players, 0, {})
        for event in played:
            referee.event(event)
        return referee

    ways, layer = [], [events]
    for _ in range(depth):
        reports = [(played, at(played).report()) for played in layer]
        layer = [
            [*played, f"{seat} {move}"]
            for played, report in reports
            for seat in sorted(report["to_act"])[:1]
            for move in report["legal"][str(seat)]
        ]
        ways.append(len(layer))
    return ways
