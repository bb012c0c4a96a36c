"""How much decisions matter: rollouts agree with exhaustive search, and made-up cases."""

from random import Random
from typing import Any

import numpy as np
import pytest

from upcard import Match, Setup, UpcardError, lab
from upcard.compiled import loops
from upcard.engine.chance import SplitMix
from upcard.games.sixty_six import SixtySix
from upcard.games.sixty_six.rules import SixtySixState
from upcard.lab.columns import _lasting_fields
from upcard.lab.decision_value import COLUMNS, WEIGHED, Lot, Scales, by_best, by_hopeless
from upcard.lab.measures import MEASURES, Measuring
from upcard.lab.report import as_markdown, sections
from upcard.rules import open_field

SETUP = Setup("oh-hell", 3, {"max_cards": 2, "order": "down"})
SEATS = 3


def shares(match: Match[Any]) -> np.ndarray[Any, Any]:
    """The share that each seat wins if a deal continues at random, by exhaustive search."""
    if not match.to_act:
        standing = np.array([match.setup.utility(match.state, seat) for seat in range(SEATS)])
        best = standing == standing.max()
        return np.asarray(best / best.sum())
    return np.mean([shares(after(match, move)) for move in match.legal_moves(match.to_act[0])], axis=0)


def after(match: Match[Any], move: int) -> Match[Any]:
    fork = match.fork()
    fork.play(fork.to_act[0], fork.game.notation.text(move))
    return fork


@pytest.mark.long
@pytest.mark.xdist_group("oh-hell")  # other tests need its compiled rules too
def test_rollouts_find_what_trying_everything_finds() -> None:
    """Decisions in two-card deals between random players: forced ones, bids, and bids of a player who cannot win."""
    scales = Scales(SETUP, [loops.RANDOM] * SEATS, 200, 1, to_the_end=False)
    found, known = [], []
    for number in range(40):
        rng, match = Random(number), Match(SETUP, dealer=number % SEATS)
        match.event(match.draw_lots(SplitMix(number)))
        lot, drawn = Lot(rng), match
        while match.to_act:
            before = lot.rng.getstate()
            lot(match, match.to_act[0])
            if lot.state == match.state and lot.rng.getstate() != before:
                drawn = match.fork()
            match.play(match.to_act[0], rng.choice(match.legal(match.to_act[0])))
        each = np.array([shares(after(drawn, move)) for move in lot.moves])
        own = each[:, lot.seat]
        hopeless = not own.any()
        apart = np.abs(each[:, None] - each).sum(axis=2).max() / 2
        known.append([own.max() - own.mean(), own.max() - own.min(), hopeless, apart * hopeless])
        found.append(scales.weigh(lot, number))
    assert np.mean(found, axis=0) == pytest.approx(np.mean(known, axis=0), abs=0.02)
    assert 0.05 < np.mean(known, axis=0)[2] < 0.6
    assert np.mean(known, axis=0)[0] > 0.05


def test_who_cannot_win_may_make_a_king() -> None:
    made = np.zeros((2, 8, SEATS))
    made[0, :, 1] = made[1, :, 2] = 1
    assert by_hopeless(made, 0) == (1, 1)  # its one move has seat 1 win, the other seat 2
    assert by_hopeless(made[:1].repeat(2, axis=0), 0) == (1, 0)  # nothing hangs on it
    made[1, 3] = 1, 0, 0
    assert by_hopeless(made, 0) == (0, 0)  # it might win
    assert by_hopeless(made[:1], 0) == (1, 0)  # it has no choice


def test_the_best_move_is_worth_more_than_one_at_random() -> None:
    made = np.zeros((4, 8))
    made[2] = 1
    assert by_best(made) == (0.75, 1)
    assert by_best(made[:1]) == (0, 0)


def test_luck_alone_makes_no_move_look_better() -> None:
    """Moves that are all the same: choosing by one half and judging by the other gives 0; one sample would not."""
    rng = np.random.default_rng(1)
    made = np.eye(SEATS)[rng.integers(0, SEATS, (4000, 5, 16))]
    assert np.mean([by_best(one[:, :, 0]) for one in made], axis=0) == pytest.approx([0, 0], abs=0.02)
    made[:, :, :, 1:] += made[:, :, :, :1] / 2
    made[:, :, :, 0] = 0
    assert np.mean([by_hopeless(one, 0) for one in made], axis=0) == pytest.approx([1, 0], abs=0.02)


def test_every_decision_counts_as_one() -> None:
    """The decision that was drawn from a long deal has more weight."""
    tables: dict[str, Any] = dict.fromkeys(("won", "points"), np.ones((20, 2)) / 2)
    tables |= {name: np.ones((20, 2), int) for name in ("dealer", "first", "choices", "forced")}
    tables |= {"moves": np.repeat([[9, 9], [1, 1]], 10, axis=0)}
    tables |= {name: np.repeat([[1.0, 1.0], [0.0, 0.0]], 10, axis=0) for name in COLUMNS}
    measuring = Measuring("deal", 2, weighed=True)
    measuring.add(tables)
    assert [one.value for one in measuring.found() if one.measure == "kingmaking"] == pytest.approx([0.9, 0.9])


def test_many_moves_are_drawn_by_lot() -> None:
    lot = Lot(Random(1))
    match = Match(SETUP, chance=Random(1))
    lot(match, match.to_act[0])
    lot.moves *= WEIGHED
    found = Scales(match.setup, [loops.RANDOM] * SEATS, 8, 1, to_the_end=False).weigh(lot, 0)
    assert len(found) == len(COLUMNS) and np.isfinite(found).all()


@pytest.mark.long
def test_a_report_has_them_and_says_what_they_are() -> None:
    arms = [lab.Arm("as usual", SETUP, "random"), lab.Arm("casual", SETUP, "heuristic")]
    text = as_markdown("", sections(lab.study(arms, 12, unit="deal", jobs=1, rollouts=8), "upcard lab report"))
    for one in MEASURES[-2:]:
        assert one.weighed and f"## {one.title}\n\n{one.definition}" in text
    plain = lab.measure(lab.deals(SETUP, 12, jobs=1))
    weighed = lab.measure(lab.deals(SETUP, 12, jobs=1, rollouts=8))
    assert {one.measure for one in weighed} - {one.measure for one in plain} == {"stakes", "kingmaking"}


@pytest.mark.long
def test_columns_of_a_game_are_there_beside_those_of_decisions() -> None:
    """Ninety-Nine has a column `gain`, and a game from anywhere may have one of any name."""
    weighed = lab.deals("ninety-nine", 4, by="heuristic", jobs=1, rollouts=8)
    assert (weighed["gain"] == weighed["points"]).all() and weighed["gain"].max() > 1
    assert np.abs(weighed["advantage"]).max() <= 1
    for name in COLUMNS:

        class Own(SixtySix):
            title = "Own"
            state = type(SixtySixState)("OwnState", (SixtySixState,), {f"last_{name}": open_field(kept=True)})  # type: ignore[misc]

        assert f"last_{name}" in _lasting_fields(Own) and not {*COLUMNS} & {*_lasting_fields(Own)}


@pytest.mark.parametrize("rollouts", [6, 9, -8, 0.5])
def test_too_few_rollouts_are_refused(rollouts: Any) -> None:
    with pytest.raises(UpcardError, match="rollouts "):
        lab.deals(SETUP, 1, rollouts=rollouts)
