"""Observations contain everything that a seat sees, and nothing else."""

from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest
from playing import play_on, random_match

from upcard import Match, Setup, View, games, shuffler
from upcard.engine.actions import action_space
from upcard.engine.views import view
from upcard.envs.observation import Observer, Part
from upcard.laws.hidden import state_twin
from upcard.rules.cards import as_set
from upcard.rules.game import Game


def read(part: Part, numbers: Any, pack: tuple[int, ...], blank: int) -> int:
    """The number of a field in one row of a part."""
    ones = np.flatnonzero(numbers).tolist()
    if part.of == "set":
        return as_set(pack[place] for place in ones)
    if part.of == "seats":
        return sum(1 << place for place in ones)
    if part.of == "code":
        number = sum(1 << place for place in ones)
        return number - (1 << 64) * (number >> 63) if ones else blank
    if not ones:
        return blank
    return pack[ones[0]] if part.of == "card" else ones[0]


def told(observer: Observer, seen: View, found: Any) -> dict[str, list[int]]:
    """The fields of a view, read back from its observation."""
    pack, fields = action_space(seen.setup).pack, seen.game.state.fields
    back = {}
    for part in observer.parts:
        if part.name in fields:
            numbers = found[part.start : part.stop]
            if part.of in ("flag", "number"):
                back[part.name] = [int(number) for number in numbers]
            else:
                rows = numbers.reshape(-1, part.shape[-1])
                back[part.name] = [read(part, row, pack, fields[part.name].blank) for row in rows]
    return back


def seen_fields(observer: Observer, seen: View) -> dict[str, list[int]]:
    """The same, from the view itself; of sets, only the cards that are in the pack."""
    whole = as_set(action_space(seen.setup).pack)
    fields = {}
    for part in observer.parts:
        if part.name in seen.game.state.fields:
            value = getattr(seen.state, part.name)
            row = value if isinstance(value, list) else [value]
            fields[part.name] = [number & whole for number in row] if part.of == "set" else list(row)
    return fields


@pytest.mark.parametrize("seed", range(2))
def test_an_observation_has_all_that_a_seat_sees(game: type[Game], seed: int) -> None:
    match = random_match(game, seed)
    observer = Observer(match.setup)
    low, high = observer.bounds()
    for now in islice(play_on(match, Random(seed)), 0, 600, 7):
        for seat in range(now.players):
            seen = now.view(seat)
            found = observer.observe(seen)
            assert found.dtype == np.float32
            assert ((low <= found) & (found <= high)).all()
            assert told(observer, seen, found) == seen_fields(observer, seen)


@pytest.mark.parametrize("seed", range(2))
def test_twins_are_observed_alike(game: type[Game], seed: int) -> None:
    """A state that differs only in hidden cards and numbers gives the same observation and the same actions."""
    rng = Random(seed)
    match = random_match(game, seed)
    observer = Observer(match.setup)
    compared = 0
    for now in islice(play_on(match, rng), 0, 400, 3):
        for seat in [None, *range(now.players)]:
            if twin := state_twin(now, seat, rng):
                ours, other = now.view(seat), view(now.setup, twin, seat)
                assert (observer.observe(ours) == observer.observe(other)).all()
                assert ours.actions() == other.actions()
                compared += 1
    assert compared > 5


def test_a_card_seen_changes_the_observation() -> None:
    """The twins above would also be alike if nothing were shown."""
    setup = Setup("oh-hell", options={"order": "down"})
    first, second = (Observer(setup).observe(Match(setup, chance=shuffler(seed)).view(0)) for seed in (1, 2))
    assert (first != second).any()


@pytest.mark.parametrize("slug", ["oh-hell", "loo", "ninety-nine"])
def test_all_tables_of_a_game_have_the_same_parts(slug: str) -> None:
    """So that a policy learned at one table can be used at another."""
    game = games.load(slug)
    pack = {players: len(action_space(Setup(game, players)).pack) for players in game.player_counts}
    parts = {pack[players]: Observer(Setup(game, players)).parts for players in game.player_counts}
    for players in game.player_counts:
        assert Observer(Setup(game, players)).parts == parts[pack[players]]


def test_an_observation_is_not_used_again() -> None:
    match = Match("sixty-six", chance=shuffler(1))
    observer = Observer(match.setup)
    first = observer.observe(match.view(0))
    kept = first.copy()
    match.apply(match.to_act[0], next(iter(match.actions(match.to_act[0]))))
    observer.observe(match.view(0))
    assert (first == kept).all()
