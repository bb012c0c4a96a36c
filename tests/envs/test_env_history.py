"""Histories as numbers: everything that a seat was told, in order, and nothing else."""

import warnings
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test
from playing import play_on, random_match

from upcard import Match, UpcardError, envs, shuffler
from upcard.engine.actions import action_space
from upcard.engine.events import SeenEvent
from upcard.envs.history import Recall
from upcard.rules.game import Game
from upcard.rules.state import AWAITING


def read(recall: Recall, row: Any, pack: tuple[int, ...]) -> tuple[Any, ...]:
    """The content of a row: seat, chance event or verb, the cards and other items named, the number of hidden cards."""
    ones = {
        name: np.flatnonzero(row[column.start : column.start + column.width]).tolist()
        for name, column in recall.columns.items()
    }
    number, hidden = (row[recall.columns[name].start] for name in ("number", "hidden"))
    rest = *ones["suit"], *ones["rank"], *ones["player"], *([int(number)] if number else [])
    return ones["seat"], ones["chance"], ones["verb"], sorted(pack[at] for at in ones["card"]), sorted(rest), hidden


def told(game: type[Game], notice: SeenEvent) -> list[tuple[Any, ...]]:
    """The same, from what the seat was told."""
    if notice.seat is None:
        return [([], [AWAITING.index(notice.word) - 1], [], [], [], 0)]
    if notice.move is None:
        verb = [verb.word for verb in game.notation.verbs].index(notice.word)
        return [([notice.seat], [], [verb], [], [], notice.count or 0)]
    rows: list[tuple[Any, ...]] = []
    for seat, move in notice.opened or [(notice.seat, notice.move)]:
        kinds = list(zip(game.notation.kinds(move), game.notation.items(move), strict=True))
        rest = sorted(item for kind, item in kinds if kind != "card" and (kind, item) != ("number", 0))
        cards = sorted({item for kind, item in kinds if kind == "card"})
        rows.append(([seat], [], [move >> 51], cards, rest, 0))
    return rows


@pytest.mark.parametrize("seed", range(2))
def test_a_history_says_what_a_seat_was_told(game: type[Game], seed: int) -> None:
    match = random_match(game, seed)
    recall, pack = Recall(match.setup, 500), action_space(match.setup).pack
    for now in islice(play_on(match, Random(seed)), 20, 120, 33):
        for seat in range(now.players):
            notices = now.history(seat)
            rows = [row for notice in notices for row in told(game, notice)]
            numbers = recall.numbers(notices)
            assert [read(recall, row, pack) for row in numbers[-len(rows) :]] == rows
            assert not numbers[: -len(rows)].any()
            assert (Recall(match.setup, 7).numbers(notices) == numbers[-7:]).all()


class OnlySlices(list[Any]):
    """Events of which nobody may go through all."""

    def __iter__(self) -> Any:
        raise AssertionError("all events of the match are gone through")


@pytest.mark.parametrize("make", [envs.pettingzoo, envs.gymnasium])
def test_an_observation_late_in_a_match_takes_no_longer(make: Any) -> None:
    env = make("sixty-six", history=4)
    env.reset(seed=1)
    env.step(int(np.argmax(env.unwrapped.episode.mask(env.unwrapped.episode.match.to_act[0]))))
    episode = env.unwrapped.episode
    seen = episode.observe(0)["history"]
    assert (seen == episode.recall.numbers(episode.match.history(0))).all()
    episode.match.events = OnlySlices(episode.match.events)
    assert (episode.observe(0)["history"] == seen).all()


def test_sealed_bids_are_told_when_they_are_opened() -> None:
    heard = set()
    for bid in (52, 53):
        match = Match("oh-hell", 3, options={"order": "down"}, chance=shuffler(1))
        match.apply(0, bid)
        heard.add(Recall(match.setup, 5).numbers(match.history(1)).tobytes())
    assert len(heard) == 1


def test_the_suites_pass_with_a_history(capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(envs.pettingzoo("ninety-nine", history=9), num_cycles=30)
        parallel_api_test(envs.pettingzoo_parallel("ninety-nine", history=9), num_cycles=10)
        check_env(envs.gymnasium("ninety-nine", history=9, others="random"))


def test_no_history_but_a_whole_number_of_rows() -> None:
    assert set(envs.pettingzoo("loo").observation_space("player_0")) == {"observation", "action_mask"}
    with pytest.raises(UpcardError, match="history is a whole number from 0 up, not -1"):
        envs.pettingzoo("loo", history=-1)
