"""The law of the puzzles: they can be solved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.laws.law import Broken, NotTried, Trial
from upcard.rules.phrases import how_to_get

if TYPE_CHECKING:
    from upcard.table.puzzles import Puzzle

NODES = 1_000_000
"""The most moves made for one proof."""

SAMPLE = 2
"""The number of proofs that are made again."""


def puzzles_can_be_solved(trial: Trial) -> None:
    """Every puzzle replays, and its file has an answer to every legal move, of which there are three or more; in a
    sample of them, the proof holds: the right move is certain to reach the score, and every other move can fail."""
    try:
        from upcard.table.puzzles import BadPuzzle, puzzles_of
    except ImportError as error:
        raise NotTried(f"it needs {error.name}: {how_to_get('serve')}") from None
    try:
        puzzles = puzzles_of(trial.game)
        for puzzle in puzzles:
            puzzle.check()
        proved = [puzzle for puzzle in puzzles if not puzzle.file.is_judged]
        for puzzle in trial.rng.sample(proved, min(SAMPLE, len(proved))):
            _check_proof(puzzle)
    except BadPuzzle as error:
        raise Broken(str(error)) from None


def _check_proof(puzzle: Puzzle) -> None:
    """Make a puzzle's proof again. Raises Broken."""
    from upcard.players.endgame_worlds import GaveUp
    from upcard.players.guarantees import ScoreProofs, all_worlds

    file, view = puzzle.file, puzzle.match().view(puzzle.file.seat)
    states = all_worlds(view, file.worlds + 1)
    if states is None or len(states) != file.worlds:
        raise Broken(f"{puzzle.source}: it fits {len(states or [])} worlds, not {file.worlds}")
    proofs = ScoreProofs(view, states, NODES)
    numbers = {view.game.notation.text(move): move for move in view.legal_moves()}
    try:
        if not proofs.guarantees(numbers[file.move], file.goal):
            raise Broken(f"{puzzle.source}: `{file.move}` is not certain to score {file.goal}")
        for move, failure in file.fails.items():
            number = len(proofs.failing(numbers[move], file.goal))
            if number != failure.worlds:
                raise Broken(f"{puzzle.source}: `{move}` fails in {number} worlds, not {failure.worlds}")
    except GaveUp:
        raise Broken(f"{puzzle.source}: it takes too long to prove") from None
