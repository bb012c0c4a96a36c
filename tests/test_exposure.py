"""Moves that lay cards open: which these are, and that they are made only if they are good even when answered."""

import re
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from upcard import Match, games
from upcard.compiled.words import REAL, zeros
from upcard.engine.views import View
from upcard.players import LONG, Limit, Rollouts, Seconds, player, search
from upcard.players.search_open_moves import ANSWERING, exposes
from upcard.players.thinking_limits import SHORTEST, Deadline

HERE = Path(__file__).parent


def offered(seed: int) -> View:
    """Ninety-Nine when the first seat is asked for a premium."""
    match, casual = Match("ninety-nine", 3, chance=Random(seed)), player("casual")
    while match.phase == "bid":
        match.play(match.to_act[0], casual.choose(match.view(match.to_act[0]), Random(seed)))
    return match.view(match.to_act[0])


def test_a_reveal_lays_cards_open_and_a_card_played_or_named_does_not() -> None:
    seen = offered(1)
    read = seen.game.notation.read
    assert exposes(seen, read("reveal").move or 0, Random(1))
    assert not exposes(seen, read("pass").move or 0, Random(1))
    match, rng = Match("oh-hell", chance=Random(2)), Random(2)
    for _ in range(30):
        at = match.view(match.to_act[0])
        assert not any(exposes(at, move, rng) for move in at.legal_moves())
        match.play(match.to_act[0], rng.choice(at.legal()))


@pytest.mark.parametrize(("answers", "chosen"), [(-1.0, "declare"), (0.0, "declare"), (1.0, "reveal")])
def test_a_reveal_is_made_where_it_is_better_even_when_it_is_answered(
    answers: float, chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = offered(1)
    said = {seen.game.notation.text(move): move for move in seen.legal_moves()}

    def answered(dealer: Any, moves: list[int], *luck: object) -> Any:
        utilities = np.random.default_rng(1).normal(0, 1, (1, 100)).repeat(len(moves), axis=0)
        utilities[moves.index(said["reveal"])] += answers
        ends = zeros(*utilities.shape), zeros(*utilities.shape, kind=REAL)
        ends[0].numpy[:] = np.round(utilities * 1000)
        return ends

    monkeypatch.setattr(search, "answered", answered)
    trial: Any = SimpleNamespace(standing={said["pass"]: 0.0, said["declare"]: 0.1, said["reveal"]: 0.5}, policies=None)
    best = search.withstanding(seen, trial, said["reveal"], Random(1))
    assert seen.game.notation.text(best) == chosen


@pytest.mark.long
@pytest.mark.parametrize(
    ("limit", "left"),
    [
        (Seconds(LONG), Seconds(LONG - ANSWERING)),
        (Seconds(0.1), Seconds(SHORTEST)),
        (Deadline(0.0, LONG), Deadline(0.0, LONG - ANSWERING)),
    ],
)
def test_an_expert_keeps_time_for_the_answers(limit: Limit, left: Limit, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the time of a move does not tell that its seat nearly laid its cards open."""
    given: list[Limit] = []
    monkeypatch.setattr(search.MoveTrial, "run", lambda trial, limit, part: given.append(limit))
    monkeypatch.setattr("time.perf_counter", lambda: 0.0)
    seen = offered(1)
    player("expert", limit).choose(seen, Random(1))
    assert {*given} == {left}
    given.clear()
    player("expert", Rollouts(10)).choose(seen, Random(1))
    assert {*given} == {Rollouts(10)}
    given.clear()
    match = Match("oh-hell", chance=Random(2))
    player("expert", limit).choose(match.view(match.to_act[0]), Random(1))
    assert {*given} == {limit}


@pytest.mark.parametrize("flag", ["INFERS", "ANSWERED"])
def test_what_is_switched_on_for_a_game_has_its_figures(flag: str) -> None:
    """A row of a table or a paragraph, with an interval, in the section about it."""
    text = (HERE.parent / "docs" / "strength.md").read_text(encoding="utf-8")
    [section] = [section for section in re.split(r"^##+ ", text, flags=re.MULTILINE) if f"`{flag}`" in section]
    parts = re.split(r"\n\n|\n(?=\|)", section)
    figures = " ".join(part for part in parts if re.search(r"\d ± \d|\([+−][\d.]+ to ", part))
    switched_on = [game.title for game in map(games.load, games.SLUGS) if getattr(game, flag)]
    assert switched_on and [title for title in switched_on if title not in figures] == []
