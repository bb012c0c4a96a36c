"""Variants: a game with some rules, numbers or fields replaced is a game of its own, plain and compiled."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import upcard
from upcard import BadRecord, Match, games, shuffler
from upcard.compiled.program import program
from upcard.engine import records
from upcard.games.oh_hell.rules import apply, points_for
from upcard.laws import LAWS
from upcard.rules import BadGame, Game, bit, cards, open_field, rule

SOURCE = Path(upcard.__file__).parents[1]
SIXTY_SIX, OH_HELL = games.load("sixty-six"), games.load("oh-hell")
HELD = [law for law in LAWS if law.name in ("compiled-equals-plain", "cards-are-conserved", "records-replay")]


@rule
def never_barred(s: Any, opt: Any, me: int) -> int:
    """Any sum is allowed."""
    return -1


@rule
def double(opt: Any, size: int, tricks_bid: int, tricks: int) -> int:
    """Twice as many points."""
    return 2 * points_for(opt, size, tricks_bid, tricks)


@rule
def counting(s: Any, opt: Any, me: int, move: int) -> None:
    """Moves are counted."""
    s.moves += 1
    apply(s, opt, me, move)


@rule
def any_bid(s: Any, opt: Any, me: int, moves: Any, n: int) -> int:
    """The smallest bid."""
    return int(moves[0])


def twenty_cards() -> int:
    """A pack without the nines."""
    return sum(bit(card) for card in cards.pack() if cards.rank_of(card) >= cards.TEN)


VARIANTS: dict[str, Callable[[], Game]] = {
    "seventy": lambda: SIXTY_SIX.variant("seventy", numbers={"enough": 70}),
    "twenty": lambda: SIXTY_SIX.variant(
        "twenty", numbers={"pack": twenty_cards(), "size": 5, "lot": 5, "fetcher": cards.JACK}
    ),
    "thirty": lambda: SIXTY_SIX.variant("thirty", numbers={"marriage": 30, "royal": 60}),
    "no-last": lambda: SIXTY_SIX.variant("no-last", numbers={"last_trick": 0}),
    "dear": lambda: OH_HELL.variant("dear", numbers={"made": 20}),
    "unbarred": lambda: OH_HELL.variant("unbarred", rules={"barred_bid": never_barred}),
    "double": lambda: OH_HELL.variant("double", rules={"points_for": double}),
    "counted": lambda: OH_HELL.variant("counted", rules={"apply": counting}, fields={"moves": open_field()}),
    "stacked": lambda: VARIANTS["double"]().variant("stacked", numbers={"made": 20}),
    "modest": lambda: OH_HELL.variant("modest", rules={"choose_bid": any_bid}),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_is_the_same_game_plain_and_compiled(name: str) -> None:
    variant = VARIANTS[name]()
    assert variant.slug == name
    for law in HELD:
        verdict = law.verdict(variant)
        assert not verdict.broken, str(verdict.broken)


def scores(game: Game, seed: int = 3) -> list[int]:
    """The scores after the first deal of a match in which always the first legal move is made."""
    match = Match(game, chance=shuffler(seed))
    while not match.done and match.state.deals == 1:
        seat = match.to_act[0]
        match.play(seat, match.legal(seat)[-1])
    return match.scores


def test_a_replaced_rule_holds_wherever_it_is_called_and_calls_the_original() -> None:
    base = scores(OH_HELL)
    assert scores(VARIANTS["double"]()) == [2 * score for score in base]
    assert scores(OH_HELL) == base
    assert any(base)


def test_variants_of_variants_keep_both_changes() -> None:
    stacked = VARIANTS["stacked"]()
    assert stacked.root is OH_HELL
    assert [change.slug for change in stacked.changes] == ["double", "stacked"]
    assert Match(stacked).options.made == 20  # type: ignore[attr-defined]
    wins = [won for won in scores(stacked) if won]
    assert wins and all(won >= 40 for won in wins)


def test_a_record_is_replayed_by_its_own_rules_only() -> None:
    variant = VARIANTS["double"]()
    record = Match(variant, chance=shuffler(1)).record()
    assert records.replay(record, variant).record() == record
    assert set(record["about"]["rules"]) == {"variant_of", "rules"}
    with pytest.raises(BadRecord, match="other rules"):
        records.replay(record | {"game": "oh-hell"})
    assert Match(variant).game.identity == VARIANTS["double"]().identity
    assert VARIANTS["modest"]().identity == {"variant_of": "oh-hell"}, "a heuristic is no rule"


def test_a_sweep_over_a_number_compiles_once() -> None:
    sweep = [SIXTY_SIX.variant(f"enough-{number}", numbers={"enough": number}) for number in range(60, 80)]
    assert {program(game).build for game in sweep} == {program(SIXTY_SIX).build}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"rules": {"points_fro": double}}, r"has no rule 'points_fro' \(is 'points_for' meant\?\)"),
        ({"rules": {"points_for": never_barred}}, "points_for takes"),
        ({"numbers": {"maid": 20}}, "maid"),
        ({"fields": {"bids": open_field()}}, "has a field bids already"),
        ({"colour": "red"}, "is none of what a variant says of itself"),
    ],
)
def test_what_would_be_changed_in_part_or_not_at_all_is_refused(change: Any, told: str) -> None:
    with pytest.raises(BadGame, match=told) as refused:
        OH_HELL.variant("odd", **change)
    assert "\n" not in str(refused.value)


def test_no_declared_number_has_a_literal_twin(game: Game) -> None:
    from upcard.rules.source import twins_of

    numbers = {name: number.value for name, number in game.options.numbers.items() if isinstance(number.value, int)}
    assert {name: found for name, value in numbers.items() if (found := list(twins_of(game, value)))} == {}


# --------------------------------------------------------------------------------------------- in other processes

COLD = """
import sys
from upcard import games
from upcard.engine.setup import Setup
from upcard.lab.simulate import simulate
base = games.load("sixty-six")
game = base if sys.argv[1] == "base" else base.variant("seventy", numbers={"enough": 70})
names = ["random"] * 2
print(simulate(Setup(game), 200, 1, by=names).mean_moves)
"""


def test_processes_that_start_cold_at_once_compile_each_its_own_game(tmp_path: Path) -> None:
    script = tmp_path / "cold.py"
    script.write_text(COLD)
    env = os.environ | {"PYTHONPATH": str(SOURCE), "UPCARD_CACHE": str(tmp_path / "cache")}
    which = ["base", "variant", "base", "variant"]
    started = [
        subprocess.Popen([sys.executable, str(script), one], env=env, stdout=subprocess.PIPE, text=True)
        for one in which
    ]
    found = [process.communicate()[0].strip() for process in started]
    assert all(process.returncode == 0 for process in started)
    assert found[0] == found[2] != found[1] == found[3]
