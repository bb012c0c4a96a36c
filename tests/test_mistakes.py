"""Wrong arguments and mistakes in rules are told in one line, where they are made."""

import copy
import pickle
import shutil
from pathlib import Path
from typing import Any

import pytest

from upcard import Match, UpcardError, games, shuffler
from upcard.games import UnknownGame

SHIPPED = Path(games.__file__).parent


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda match: match.view(9), "there is no seat 9: the seats are 0 to 1"),
        (lambda match: match.view("1"), "a seat is a whole number, not '1'"),
        (lambda match: match.play("1", "As"), "a seat is a whole number, not '1'"),
        (lambda match: match.play(0, None), "a move is a text, not null"),
        (lambda match: match.legal_moves(None), "a seat is a whole number, not null"),
    ],
)
def test_wrong_arguments_are_told(call: Any, told: str) -> None:
    with pytest.raises(UpcardError) as refused:
        call(Match("sixty-six", chance=shuffler(1)))
    assert str(refused.value) == told


def test_a_fork_deals_from_a_generator_of_its_own() -> None:
    def next_deal(match: Match) -> str:
        while match.state.deals == 1:
            seat = match.to_act[0]
            match.play(seat, match.legal(seat)[0])
        return next(str(event) for event in match.events[::-1] if event.seat is None)

    alone, forked = (Match("sixty-six", chance=shuffler(4)) for _ in range(2))
    other = next_deal(forked.fork())
    assert next_deal(forked) == next_deal(alone) != other


def test_matches_views_and_games_pickle_and_compare() -> None:
    match = Match("oh-hell", 4, chance=shuffler(2))
    seen = match.view(1)
    assert pickle.loads(pickle.dumps(seen)) == seen
    assert pickle.loads(pickle.dumps(match.setup)) == match.setup
    assert pickle.loads(pickle.dumps(match.game)) is match.game
    assert copy.deepcopy(match.state) == match.state


@pytest.mark.parametrize(
    ("text", "other", "told"),
    [
        ("s.bids[me] = tricks\n", "s.bidz[me] = tricks\n", "no `bidz` in the state (is `bids` meant?)"),
        ("opt.made + tricks_bid", "opt.maid + tricks_bid", "no `maid` in the options (is `made` meant?)"),
        ("@rule\ndef size_of", "def size_of", "size_of"),
    ],
)
def test_a_mistake_in_rules_is_told_when_they_are_loaded(tmp_path: Path, text: str, other: str, told: str) -> None:
    home = Path(shutil.copytree(SHIPPED / "oh_hell", tmp_path / "odd_hell"))
    rules = home / "rules.py"
    assert text in rules.read_text()
    rules.write_text(rules.read_text().replace(text, other))
    with pytest.raises(UnknownGame) as refused:
        games.load_file(home)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)
