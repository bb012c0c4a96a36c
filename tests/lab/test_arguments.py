"""Wrong arguments of all functions of the lab: an error of one line in the user's words, before anything is played."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from small_game import SmallGame as SMALL

from upcard import Setup, UpcardError, lab
from upcard.lab.simulate import Precision, simulate

SETUP = Setup("sixty-six", options={"target": 1})
ROWS = np.arange(30.0)
TWO = ["random", "heuristic"]

WRONG: list[tuple[Callable[[Any], object], str]] = [
    (lambda made: lab.bootstrap(3, 4), "rows are an array of numbers with at least one row, not 3"),  # type: ignore[arg-type]
    (lambda made: lab.bootstrap(["a"], np.mean), "rows are an array of numbers with at least one row, not a list"),
    (lambda made: lab.bootstrap([], np.mean), "rows are an array of numbers with at least one row, not a list"),
    (
        lambda made: lab.bootstrap(made.deals, np.mean),
        "rows are an array of numbers with at least one row, not a Played",
    ),
    (lambda made: lab.bootstrap([1, np.nan], np.mean), r"rows are numbers, and some of these are not a number \(NaN\)"),
    (lambda made: lab.bootstrap(ROWS, lambda rows: np.nan), "the statistic of the rows is one number"),
    (lambda made: lab.bootstrap(ROWS, 4), "the statistic of the rows is a function, not 4"),  # type: ignore[arg-type]
    (lambda made: lab.bootstrap(ROWS, lambda rows: rows), "the statistic of the rows is one number"),  # type: ignore[arg-type,return-value]
    (lambda made: lab.bootstrap(ROWS, np.mean, samples=0), "samples is a whole number from 1 up, not 0"),
    (lambda made: lab.bootstrap(ROWS, np.mean, certain=2), "certain is a number between 0 and 1, not 2"),
    (lambda made: lab.bootstrap(ROWS, np.mean, seed=-1), "seed is a whole number from 0 up, not -1"),
    (lambda made: lab.deals(3, 4), "a game is its name or a Game, not 3"),  # type: ignore[arg-type]
    (lambda made: lab.deals("go", 4), "there is no game 'go'"),
    (lambda made: lab.deals(SETUP, True), "number is a whole number from 1 up, not true"),
    (lambda made: lab.deals(SETUP, 1, by=3), r"a player is a name or has a method choose\(view, rng\), not 3"),  # type: ignore[arg-type]
    (lambda made: lab.deals(SETUP, 1, jobs=0), "jobs is a whole number from 1 up, not 0"),
    (lambda made: lab.deals(SETUP, 1, progress=3), "progress is a function, not 3"),  # type: ignore[arg-type]
    (lambda made: lab.deals(SETUP, 1, kept=3), "the checkpoint is the name of a file, not 3"),  # type: ignore[arg-type]
    (lambda made: lab.matches(SETUP, 1, kept=made.folder), "the checkpoint is a file, and .* is a folder"),
    (lambda made: lab.matches(None, 1), "a game is its name or a Game, not null"),  # type: ignore[arg-type]
    (lambda made: lab.matches(SETUP, 1, dealer=2), "the dealer is a seat from 0 to 1, not 2"),
    (lambda made: made.deals.by_deal(["won"]), "there is no column a list"),
    (lambda made: made.deals.count(3), "cards are one text, such as 'Kh Qh', 'K Q J' or 's h', not 3"),
    (lambda made: made.deals.count(""), "cards are one text, .*, not ''"),
    (lambda made: made.matches.count("K"), "matches have no column of dealt cards: use lab.deals"),
    (lambda made: made.deals.write_csv(None), "a table is the name of a file, not null"),
    (lambda made: made.deals.write_csv(made.folder / "none" / "x.csv"), "x.csv cannot be written: No such file"),
    (lambda made: made.deals.write_parquet(made.folder / "none" / "x"), "x cannot be written: No such file"),
    (lambda made: lab.compare(made.deals, 3, "won"), "what is compared must be deals or matches .*, not 3"),  # type: ignore[arg-type]
    (lambda made: lab.compare(made.deals, made.deals, ["won"]), "there is no column a list"),  # type: ignore[arg-type]
    (
        lambda made: lab.compare(made.deals, made.others, "won"),
        "what is compared needs the same number of players, not",
    ),
    (
        lambda made: lab.compare(made.deals, made.deals, "won").pairs_for("x"),  # type: ignore[arg-type]
        "a precision is a number above 1e-09, not 'x'",
    ),
    (lambda made: lab.compare(made.deals, made.deals, "won", looks=10**15), "looks are at most 1000000000, not 1000"),
    (lambda made: Precision("wins", 1e-200), "a precision is wins=SHARE or score=POINTS, above 1e-09, not 'wins=1e-2"),
    (lambda made: lab.measure(3), "what is measured must be deals or matches from lab.deals, not 3"),  # type: ignore[arg-type]
    (lambda made: lab.card_values(3), "what is explained must be deals or matches .*, not 3"),  # type: ignore[arg-type]
    (lambda made: lab.card_values(made.deals, 3), r"cards are a list of texts, for example \['K', 'Q'\], not 3"),  # type: ignore[arg-type]
    (lambda made: lab.card_values(made.deals, [3]), "cards are one text, .*, not 3"),  # type: ignore[list-item]
    (lambda made: lab.card_values(made.matches), "the value of cards is estimated from deals, not from matches"),
    (lambda made: lab.cards(SETUP, 9, "A", precision=0), "precision is a number above 1e-09, not 0"),
    (lambda made: lab.cards(SETUP, 9, "A", precision="x"), "precision is a number above 1e-09, not 'x'"),  # type: ignore[arg-type]
    (lambda made: lab.cards(SETUP, 9, ["A", "A"]), "A is asked for twice"),
    (lambda made: lab.cards(SETUP, 9, ["2h"]), "2h was dealt to nobody"),
    (lambda made: lab.cards(SETUP, 9, 3), r"cards are a list of texts, for example \['K', 'Q'\], not 3"),  # type: ignore[arg-type]
    (lambda made: lab.cards(SETUP, 9, what="luck"), "there is no column 'luck'"),
    (lambda made: lab.cards(SETUP, 9, what="hand"), "hand is not a number, and cannot be explained"),
    (lambda made: lab.cards(SETUP, 0), "number is a whole number from 1 up, not 0"),
    (lambda made: lab.arena(SETUP, 1, 5), "players are a list of names or of objects that choose, not 5"),  # type: ignore[arg-type]
    (lambda made: lab.arena(SETUP, 1, TWO, precision=3), "a precision is a Precision from upcard.lab.simulate, not 3"),  # type: ignore[arg-type]
    (lambda made: lab.arena(SETUP, 1, TWO, unit="trick"), "a unit is deal or match, not 'trick'"),
    (lambda made: made.met.comparisons("luck"), "players are compared in 'won' or 'points', not 'luck'"),
    (lambda made: made.met.needed(3), "a precision is a Precision from upcard.lab.simulate, not 3"),
    (lambda made: lab.luck(SETUP, 1, None), "players are a list of names or of objects that choose, not null"),  # type: ignore[arg-type]
    (lambda made: lab.luck(SETUP, 1, "random"), "2 players meet at a table of 2, not 1"),
    (lambda made: lab.luck(SETUP, 1, TWO, what="bids"), "luck is measured in points or won, not in 'bids'"),
    (lambda made: lab.deals("loo", 1, players=3), "there is no argument players: pass a Setup with that number .th"),  # type: ignore[call-arg]
    (lambda made: lab.deals(SMALL, 1, by="medium"), r"has no level 'medium' .it has: casual, strong, exp"),
    (lambda made: lab.arena(SMALL, 1, ["random", "learned"]), "has no level 'learned'"),
    (lambda made: simulate(Setup(SMALL), 1, 1, by="learned"), "has no level 'learned'"),
    (lambda made: lab.deals(SETUP, 1, by="search:١٢"), "a player with a number is search:ROLLOUTS or"),
    (lambda made: lab.replies(SETUP, 1, 5), "players are a list of names or of objects that choose, not 5"),  # type: ignore[arg-type]
    (
        lambda made: lab.replies(SETUP, 1, ["random"] * 2),
        "replies need at least two players, all",
    ),
    (lambda made: lab.replies(SETUP, 1, TWO, seed=0.5), "seed is a whole number, not 0.5"),  # type: ignore[arg-type]
    (lambda made: lab.Arm("as usual", 3, "random"), "an arm is a name, a Setup and the players, not 3 as its second"),  # type: ignore[arg-type]
    (lambda made: lab.study([], 1), "arms are a list of at least one lab.Arm, not a list"),
    (lambda made: lab.study([3], 1), "arms are a list of at least one lab.Arm, not a list"),  # type: ignore[list-item]
    (
        lambda made: lab.study([lab.Arm("", SETUP, "random")], 1, precision=3),  # type: ignore[arg-type]
        "a precision is a text like 'wins=0.01'",
    ),
    (lambda made: made.study.found(1), "an arm is a number from 0 to 0, not 1"),
    (lambda made: made.study.differences("x"), "an arm is a number from 0 to 0, not 'x'"),
    (lambda made: made.study.differences(0, looks=0), "looks is a whole number from 1 up, not 0"),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> SimpleNamespace:
    """A small result of every kind."""
    folder: Path = tmp_path_factory.mktemp("kept")
    return SimpleNamespace(
        folder=folder,
        deals=lab.deals(SETUP, 5, jobs=1),
        matches=lab.matches(SETUP, 5, jobs=1),
        others=lab.deals("oh-hell", 5, jobs=1),
        met=lab.arena(SETUP, 5, TWO, jobs=1),
        study=lab.study(lab.Arm("as usual", SETUP, "random"), 5, jobs=1),  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(("ask", "message"), WRONG, ids=[message for _, message in WRONG])
def test_what_cannot_be_is_said_in_one_line(ask: Callable[[Any], object], message: str, made: Any) -> None:
    with pytest.raises(UpcardError, match=message) as said:
        ask(made)
    assert "\n" not in str(said.value)


def test_numbers_of_numpy_are_numbers(made: Any) -> None:
    one: Any = np.int64(1)
    assert (lab.deals(SETUP, 5, dealer=one, jobs=1)["dealer"] == 1).all()
    assert lab.compare(made.deals, made.deals, "won", seat=one) == lab.compare(made.deals, made.deals, "won", seat=1)
    assert made.study.found(np.int64(0)) == made.study.found(0)


def test_one_text_is_one_kind_of_card(made: Any) -> None:
    assert lab.card_values(made.deals, "A K") == lab.card_values(made.deals, ["A K"])


def test_rows_may_come_as_a_list() -> None:
    assert lab.bootstrap(ROWS.tolist(), np.mean) == lab.bootstrap(ROWS, np.mean)
