"""The puzzles of the games: one move is right, the others have reasons, and nothing hidden is shown before."""

import io
from datetime import date, timedelta
from random import Random

import msgspec
import pytest
from playing import GAMES

from upcard import games
from upcard.house.bodies import PuzzleTry
from upcard.house.puzzles import puzzle_answer, puzzle_numbered, puzzle_solution, puzzle_view, todays_puzzle
from upcard.lab.puzzle_making import candidates_of, choice_of, line_of
from upcard.laws import Law
from upcard.laws.puzzles import puzzles_can_be_solved
from upcard.players.guarantees import ScoreProofs, all_worlds, certain_scores
from upcard.rules.game import Game
from upcard.table.puzzles import BadPuzzle, Puzzle, PuzzleFile, puzzle_of_day, puzzles_of, read_puzzles
from upcard.terminal.puzzle_lines import PuzzleLines

WITH_PUZZLES = [game for game in GAMES if puzzles_of(game)]
DEAL = 6
"""A deal of Sixty-Six with a proved puzzle."""
LONGEST = 420
"""The most letters of a question or an answer: more would hide the table on a phone."""


@pytest.fixture(params=WITH_PUZZLES, ids=lambda game: game.slug)
def game(request: pytest.FixtureRequest) -> type[Game]:
    """Each game with puzzles in turn."""
    chosen: type[Game] = request.param
    return chosen


def test_there_are_enough_and_all_differ(game: type[Game]) -> None:
    puzzles = puzzles_of(game)
    assert len(puzzles) >= 20
    assert len({puzzle.file.difficulty for puzzle in puzzles}) >= 2
    assert len({repr(puzzle.file.events) for puzzle in puzzles}) == len(puzzles)
    for puzzle in Random(2).sample(list(puzzles), 3):
        puzzle.check()


def test_a_sample_is_solved_and_explained(game: type[Game]) -> None:
    """Only the right move is right; every text is a sentence without notation, and short."""
    for puzzle in Random(1).sample(list(puzzles_of(game)), 2):
        answers = {move: puzzle.answer(move) for move in puzzle.file.legal}
        assert [move for move, answer in answers.items() if answer.kind == "right"] == [puzzle.file.move]
        assert puzzle.answer("nonsense").kind == "refused"
        for text in [puzzle.question, *(answer.text for answer in answers.values())]:
            assert text.endswith(".")
            assert "seat" not in text
            assert len(text) <= LONGEST


def test_a_puzzle_shows_nothing_hidden_and_no_solution(game: type[Game]) -> None:
    puzzle = puzzles_of(game)[0]
    shown = puzzle_view(puzzle, 1)
    assert shown.scene == puzzle.scene()
    assert shown.scene.seat == puzzle.file.seat
    others = [seat.open for seat in shown.scene.seats if seat.seat != puzzle.file.seat]
    seen = puzzle.match().view(puzzle.file.seat)
    assert sum(map(len, others)) <= sum(
        card is not None for seat in range(puzzle.file.players) if seat != puzzle.file.seat for card in seen.hand(seat)
    )
    assert not [line for line in shown.course if "You plays" in line or "You takes" in line]
    assert puzzle.proof() not in msgspec.json.encode(shown, enc_hook=str).decode()


def test_a_puzzle_is_asked_for_by_number() -> None:
    game = WITH_PUZZLES[0]
    puzzle = puzzle_numbered(game, 1)
    assert puzzle is not None
    assert puzzle_numbered(game, 0) is puzzle_numbered(game, 999) is None
    assert puzzle_answer(puzzle, PuzzleTry(puzzle.file.move)).text == puzzle_solution(puzzle).text


def test_every_day_has_its_puzzle() -> None:
    """The games take turns, and each shows all its puzzles before it repeats one."""
    known = [games.load(slug) for slug in games.names()]
    start = date(2026, 11, 28)
    days = [puzzle_of_day(known, start + timedelta(number)) for number in range(20 * len(WITH_PUZZLES))]
    assert len({id(puzzle) for puzzle in days}) == len(days)
    assert {puzzle.game for puzzle in days[: len(WITH_PUZZLES)] if puzzle} == {*WITH_PUZZLES}
    assert puzzle_of_day([], start) is None
    today = todays_puzzle(start)
    assert today is not None
    assert puzzle_numbered(games.load(today.game), today.number) is days[0]


def test_a_puzzle_is_solved_in_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    puzzle = puzzles_of(WITH_PUZZLES[0])[0]
    wrong = next(move for move in puzzle.file.legal if move != puzzle.file.move)
    out = io.StringIO()
    assert PuzzleLines(puzzle, io.StringIO(f"moves\ncourse\n{wrong}\n{puzzle.file.move}\n"), out).run()
    assert not PuzzleLines(puzzle, io.StringIO("show\n"), out).run()
    assert not PuzzleLines(puzzle, io.StringIO("quit\n"), out).run()
    assert max(len(line) for line in out.getvalue().splitlines() if not line.startswith("> ")) <= 80


# -------------------------------------------------------------------------------------------------------------- proofs


def proved_in(slug: str) -> Puzzle:
    """A proved puzzle of a game with few worlds."""
    return min(
        (puzzle for puzzle in puzzles_of(games.load(slug)) if not puzzle.file.is_judged),
        key=lambda one: (one.file.worlds == 1, one.file.worlds),
    )


def proved() -> Puzzle:
    """A proved puzzle of Sixty-Six."""
    return proved_in("sixty-six")


def test_the_law_finds_a_wrong_proof() -> None:
    """With another move as the right one, or with other numbers, the law is broken; so it really proves something."""
    file = proved().file
    other = next(iter(file.fails))
    swapped = {file.move: file.fails[other]} | {move: one for move, one in file.fails.items() if move != other}
    for wrong in (
        msgspec.structs.replace(file, move=other, fails=swapped),
        msgspec.structs.replace(file, goal=file.goal + 1),
        msgspec.structs.replace(file, worlds=file.worlds + 1),
    ):
        assert broken_by(file) is None
        assert broken_by(wrong) is not None


def broken_by(file: PuzzleFile) -> str | None:
    """What the law finds wrong with a puzzle of Sixty-Six."""

    class Other(games.load("sixty-six")):  # type: ignore[misc]
        """A game with this puzzle only."""

    puzzle = read_puzzles(Other, "puzzles.jsonl", line_of(file))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("upcard.table.puzzles.puzzles_of", lambda game: puzzle)
        broken = Law(puzzles_can_be_solved, 1).verdict(Other).broken
    return None if broken is None else str(broken)


@pytest.mark.parametrize("slug", ["sixty-six", "oh-hell"])
def test_certain_scores_agree_with_trying_everything(slug: str) -> None:
    """In a few worlds: the score that is certain after a move is the highest that `is_certain`, also for the solver."""
    puzzle = proved_in(slug)
    view = puzzle.match().view(puzzle.file.seat)
    states = all_worlds(view)
    assert states is not None
    proofs, compiled = ScoreProofs(view, states[:3]), certain_scores(view, states[:3], 1_000_000)
    for move, scores in zip(view.legal_moves(), zip(*compiled, strict=True), strict=True):
        score = proofs.worst_score(move)
        assert min(scores) == score
        assert not proofs.failing(move, score)
        assert proofs.failing(move, score + 1)


FAULTS = [
    ({"move": "Zz"}, "the legal moves are "),
    ({"difficulty": 4}, "difficulty is from 1 to 3"),
    ({"seat": 9}, "seats from 0"),
    ({"events": ["deal"]}, "`deal` is not possible: "),
    ({"aim": ""}, "it has either an aim"),
    ({"worlds": 0}, "fails in a number of the worlds"),
]


@pytest.mark.parametrize(("change", "words"), FAULTS, ids=[words for _, words in FAULTS])
def test_a_fault_is_explained_in_one_line(change: dict[str, object], words: str) -> None:
    line = line_of(msgspec.structs.replace(proved().file, **change))
    with pytest.raises(BadPuzzle) as fault:
        read_puzzles(games.load("sixty-six"), "puzzles.jsonl", line)[0].check()
    assert str(fault.value).startswith("puzzles.jsonl, line 1: ")
    assert words in str(fault.value)
    assert "\n" not in str(fault.value)


def test_a_line_that_cannot_be_read() -> None:
    with pytest.raises(BadPuzzle, match=r"^puzzles\.jsonl, line 1: "):
        read_puzzles(games.load("loo"), "puzzles.jsonl", "{}")


@pytest.mark.long
def test_the_same_seed_makes_the_same_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are in the file that is shipped, which the command has made; no expert is asked in a deal that has none to
    ask."""
    monkeypatch.delattr("upcard.lab.puzzle_making.judged_puzzle")
    game = games.load("sixty-six")
    [again] = candidates_of(game, 1, [DEAL], judged=0)
    assert not again.is_judged
    assert line_of(again) in map(line_of, (puzzle.file for puzzle in puzzles_of(game)))


def test_a_choice_is_even_and_proved_ones_come_first() -> None:
    files = [puzzle.file for puzzle in puzzles_of(games.load("sixty-six"))]
    first = choice_of(files, 3)
    assert [file.difficulty for file in first] == [1, 2, 3]
    assert choice_of(files[::-1], len(files))[0].is_judged <= files[0].is_judged
