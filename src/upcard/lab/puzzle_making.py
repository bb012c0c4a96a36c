"""Making puzzles: positions of computer players' matches in which one move alone is certain to reach a score.

Where no move is certain, a puzzle has one move that expert players judge to be clearly the best. Every deal is the
source of at most one puzzle. The same seed gives the same puzzles on every machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from random import Random
from typing import Any

import msgspec

from upcard.engine.match import Match
from upcard.engine.views import View
from upcard.engine.worlds import NoWorld
from upcard.players import levels_of, player
from upcard.players.advice import advise
from upcard.players.endgame_worlds import GaveUp
from upcard.players.guarantees import Refutation, ScoreProofs, all_worlds, certain_scores, sampled_worlds
from upcard.players.reasons import takes_trick
from upcard.players.thinking_limits import Rollouts
from upcard.rules.cards import text
from upcard.rules.game import Game
from upcard.rules.notation import verb_of
from upcard.rules.phrases import counted, number_word
from upcard.table.puzzles import FailingMove, PuzzleFile

ODD = 0.15
"""The probability of a random move, so that there are also positions that good players avoid."""
CHOICES = 3
"""The fewest moves of a puzzle."""
MOST_MOVES = 14
"""The most moves of a puzzle."""
GLANCE, FIRST_LOOK = 3, 16
"""The numbers of random worlds in which a move must look like the only one before all worlds are examined."""
MOST_WORLDS = 3_000
"""The most worlds of a position in which something is proved."""
FEW_NODES, MANY_NODES, PROOF_NODES = 200_000, 10_000_000, 400_000
"""The most moves made to look at a position in a few worlds and in all, in compiled code, and to prove a puzzle."""
FAILS = 0.1
"""The smallest share of worlds in which every other move must fail."""
LEVELS = ("casual", "medium")
"""The levels that are asked: a puzzle is harder for each that errs."""
ASKED = 0.1
"""The share of positions about which experts are asked if nothing is proved and the levels agree; they are asked about
every position in which the levels disagree."""
FIRST_ROLLOUTS, ROLLOUTS = 800, 12_000
"""The rollouts by which experts judge a position, at first and before it becomes a puzzle."""

Aim = Callable[[Any, Any, int, int], str]
"""From the table, a state, a seat, and the points to be scored in the deal: the aim in words, to be read after "the
only move that is certain to"; empty if there is none."""


def points(setup: Any, state: Any, me: int, goal: int) -> str:
    """The aim in a game of points."""
    return f"score at least {counted(goal, 'point')} in this deal" if goal > 0 else ""


def side_points(setup: Any, state: Any, me: int, goal: int) -> str:
    """The aim in a game of partners."""
    return f"score at least {counted(goal, 'point')} for your side in this deal" if goal > 0 else ""


def tricks_won(setup: Any, state: Any, me: int, goal: int) -> str:
    """The aim in Loo, where every trick wins a share of the pot."""
    tricks = goal // max(1, setup.share(state))
    return f"take at least {counted(tricks, 'trick')} in this deal" if tricks > 0 else ""


def bid(setup: Any, state: Any, me: int, goal: int) -> str:
    """The aim in a game of exact bids."""
    tricks = setup.tricks_bid(state, state.bid[me]) if hasattr(setup, "tricks_bid") else state.bids[me]
    return f"make your bid of {counted(tricks, 'trick')}"


def deal_won(setup: Any, state: Any, me: int, goal: int) -> str:
    """The aim in a game in which only the winner scores."""
    return "win the deal" + (f" with {number_word(goal)} points" if goal > 1 else "")


@dataclass(frozen=True)
class Source:
    """The deals from which the puzzles of a game are made, and their aims."""

    players: int | None = None
    options: dict[str, Any] = field(default_factory=dict)
    cards: int = 3
    """The most cards for each player, on average, with which anything is proved."""
    gap: int = 1
    """The fewest points by which the only move is better than the next best."""
    aim: Aim = points
    goals: Sequence[int] = ()
    """The points to be scored in the deal, the highest first; empty if any score can be the goal."""
    plain: Sequence[str] = ()
    """The words of moves that are no puzzle."""


SOURCES: dict[str, Source] = {
    "cinch": Source(aim=side_points),
    "kalooki": Source(options={"contracts": "213456789"}, cards=0),
    "klaberjass": Source(cards=4, gap=5, plain=["bela"]),
    "linger-longer": Source(players=3, aim=deal_won, goals=[1]),
    "loo": Source(players=5, aim=tricks_won),
    "ninety-nine": Source(aim=bid, goals=[10]),
    "oh-hell": Source(players=5, options={"order": "down"}, aim=bid, goals=[10]),
    "rolling-stone": Source(cards=0),
    "rounds": Source(cards=4, gap=5),
    "roundup": Source(players=3, cards=0),
    "sixty-six": Source(cards=6, aim=deal_won, goals=[3, 2, 1], plain=["declare"]),
}
"""Tables at which few cards remain face down at the end."""
FACES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gail")
"""The names of the other players."""


def names_around(players: int, seat: int) -> list[str]:
    """The players' names by seat."""
    names = list(FACES[: players - 1])
    return [*names[:seat], "You", *names[seat:]]


def puzzles_in_deal(game: type[Game[Any]], seed: int, deal: int, judged: bool = True) -> Iterator[PuzzleFile]:
    """Every puzzle in the first deal of a match, without those that only experts could judge unless `judged`."""
    source, rng = SOURCES.get(game.slug, Source()), Random(f"{game.slug} {seed} {deal}")
    match: Match[Any] = Match(game, source.players, options=source.options, chance=rng)
    casual, asks = player("casual"), Random(f"{game.slug} {seed} {deal} experts")
    while match.state.deals <= 1 and not match.done:
        seat = rng.choice(match.to_act)
        view = match.view(seat)
        if has_choice(view):
            can_prove = view.sizes[seat] > 2 and sum(view.sizes) <= source.cards * match.players
            puzzle = proved_puzzle(match, view, source) if can_prove else None
            if puzzle is None and judged and (asks.random() < ASKED or not agree(view)):
                puzzle = judged_puzzle(match, view, source)
            if puzzle:
                yield puzzle
        match.play(seat, rng.choice(view.legal()) if rng.random() < ODD else casual.choose(view, rng))


def has_choice(view: View[Any]) -> bool:
    """Whether a seat has enough moves of one kind for a puzzle, and not too many."""
    moves = view.legal_moves()
    return max(Counter(map(verb_of, moves)).values(), default=0) >= CHOICES and len(moves) <= MOST_MOVES


@dataclass(frozen=True)
class OnlyMove:
    """A move that alone may be certain to reach a score."""

    at: int
    """Its index among the moves."""
    goal: int
    """The score."""


def only_move(scores: Sequence[Sequence[int]], goals: Sequence[int], gap: int) -> OnlyMove | None:
    """The move that alone reaches one of these goals, or any score if there are none, in all of some worlds, from the
    scores by world and move."""
    least = [*map(min, zip(*scores, strict=True))]
    for goal in goals:
        sure = [at for at, score in enumerate(least) if score >= goal]
        if sure:
            return OnlyMove(sure[0], goal) if len(sure) == 1 else None
    best = max(least)
    near = [at for at, score in enumerate(least) if score > best - gap]
    return OnlyMove(near[0], best) if len(near) == 1 and not goals else None


def proved_puzzle(match: Match[Any], view: View[Any], source: Source) -> PuzzleFile | None:
    """The puzzle in a position; None if there is none or nothing can be proved."""
    seat = view.seat or 0
    before = view.begun.scores[seat] if view.begun else 0
    goals = [before + goal for goal in source.goals]
    bounds = (min(goals) - 1, max(goals)) if goals else ()
    try:
        for number, gap in ((GLANCE, 1), (FIRST_LOOK, source.gap)):
            looked = certain_scores(view, sampled_worlds(view, number), FEW_NODES, *bounds)
            if not only_move(looked, goals, gap):
                return None
        states = all_worlds(view, MOST_WORLDS)
        scores = certain_scores(view, states, MANY_NODES, *bounds) if states else []
        only = only_move(scores, goals, source.gap) if scores else None
        if states is None or only is None or is_ordinary(view, source, view.legal_moves()[only.at]):
            return None
        aim = source.aim(view.setup, view.state, seat, only.goal - before)
        return proof_of(match, view, source, only, aim, states) if aim and all_fail(scores, only) else None
    except (NoWorld, GaveUp):
        return None


def all_fail(scores: Sequence[Sequence[int]], only: OnlyMove) -> bool:
    """Whether every other move fails in a fair share of the worlds."""
    failing = [sum(score < only.goal for score in by_world) for by_world in zip(*scores, strict=True)]
    return all(at == only.at or number >= FAILS * len(scores) for at, number in enumerate(failing))


def proof_of(
    match: Match[Any], view: View[Any], source: Source, only: OnlyMove, aim: str, states: Sequence[Any]
) -> PuzzleFile | None:
    """The puzzle if it can be proved in all worlds. Raises GaveUp."""
    moves = view.legal_moves()
    right = moves.pop(only.at)
    difficulty = difficulty_of(view, right)
    if difficulty == 1 and takes_trick(view, right, Random(1)):
        return None
    proofs = ScoreProofs(view, states, PROOF_NODES)
    if not proofs.guarantees(right, only.goal):
        return None
    failing = {move: proofs.failing(move, only.goal) for move in moves}
    fails = {
        view.game.notation.text(move): failure(view, proofs.refutation(at[0], move, only.goal), len(at))
        for move, at in failing.items()
    }
    return new_puzzle(match, view, source, right, aim, difficulty, goal=only.goal, worlds=len(states), fails=fails)


def failure(view: View[Any], refuted: Refutation | None, worlds: int) -> FailingMove:
    """How a move fails, in as many worlds."""
    if refuted is None:
        return FailingMove(worlds)
    held = " ".join(text(card) for card in sorted(refuted.holds))
    return FailingMove(worlds, f"{refuted.seat} {view.game.notation.text(refuted.answer)}", held)


def judged_puzzle(match: Match[Any], view: View[Any], source: Source) -> PuzzleFile | None:
    """A position with one move that experts judge to be clearly the best; None if there is none."""
    for rollouts in (FIRST_ROLLOUTS, ROLLOUTS):
        try:
            advice = advise(view, Rollouts(rollouts), Random(rollouts))
        except NoWorld:
            return None
        if advice.passed or not all(rated.is_worse for rated in advice.moves[1:]):
            return None
    if not all(rated.is_confirmed or rated.second is None for rated in advice.moves[1:]):
        return None
    right = advice.best.move
    costs = {rated.text: round(rated.loss) for rated in advice.moves[1:]}
    difficulty = difficulty_of(view, right)
    if (
        min(costs.values()) < source.gap
        or (difficulty == 1 and takes_trick(view, right, Random(1)))
        or is_ordinary(view, source, right)
    ):
        return None
    return new_puzzle(match, view, source, right, "", difficulty, worlds=advice.worlds, costs=costs)


def is_ordinary(view: View[Any], source: Source, move: int) -> bool:
    """Whether a move is no puzzle."""
    return view.game.notation.text(move).partition(" ")[0] in source.plain


def new_puzzle(
    match: Match[Any], view: View[Any], source: Source, right: int, aim: str, difficulty: int, **proof: Any
) -> PuzzleFile:
    """The puzzle as a line of a file."""
    seat = view.seat or 0
    return PuzzleFile(
        players=match.setup.players,
        dealer=match.first_dealer,
        options=source.options,
        events=[event.text for event in match.events],
        seat=seat,
        names=names_around(match.setup.players, seat),
        aim=aim,
        difficulty=difficulty,
        move=view.game.notation.text(right),
        **proof,
    )


def chosen_moves(view: View[Any]) -> list[int]:
    """The moves of the levels that are asked."""
    numbers = dict(zip(view.legal(), view.legal_moves(), strict=True))
    levels = [level for level in LEVELS if level in levels_of(view.game)]
    return [numbers[player(level).choose(view, Random(1))] for level in levels]


def agree(view: View[Any]) -> bool:
    """Whether all levels choose the same move."""
    return len({*chosen_moves(view)}) < 2


def difficulty_of(view: View[Any], right: int) -> int:
    """From 1 to 3: one more for each level that errs."""
    return 1 + sum(move != right for move in chosen_moves(view))


def candidates_of(
    game: type[Game[Any]], seed: int, deals: Iterable[int], judged: int | None = None
) -> Iterator[PuzzleFile]:
    """The best puzzle of each of these deals that has one: a proved one if there is any, and of these the hardest.
    Experts judge positions only in deals below the number `judged`, or in all if it is None."""
    for deal in deals:
        puzzles = puzzles_in_deal(game, seed, deal, judged is None or deal < judged)
        yield from sorted(puzzles, key=lambda one: (one.is_judged, -one.difficulty, -len(one.legal)))[:1]


def choice_of(candidates: Iterable[PuzzleFile], number: int) -> list[PuzzleFile]:
    """As many puzzles at most, as evenly by difficulty as can be, proved ones first; difficulties alternate, so that
    the puzzles of successive days differ."""
    by_difficulty: dict[int, list[PuzzleFile]] = {1: [], 2: [], 3: []}
    for one in sorted(candidates, key=lambda one: one.is_judged):
        by_difficulty[one.difficulty].append(one)
    rounds = zip_longest(*by_difficulty.values())
    return [one for together in rounds for one in together if one is not None][:number]


def line_of(puzzle: PuzzleFile) -> str:
    """A puzzle as a line of a file."""
    return msgspec.json.encode(puzzle).decode()
