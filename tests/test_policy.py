"""Learned policies: plain Python and compiled code choose the same, weights fit their game, and training learns."""

import shutil
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from playing import play_on, random_match

from upcard import Match, games
from upcard.compiled import loops
from upcard.compiled.advantage_learning import (
    NOTHING_MORE,
    add_gradient,
    begin,
    reasons,
    score_of_move,
    surroundings,
    unseen_by,
)
from upcard.compiled.loops import list_for
from upcard.compiled.policy_gradient import NEGLIGIBLE, sample_move
from upcard.compiled.program import program
from upcard.engine.errors import UpcardError
from upcard.engine.mistakes import BadRules
from upcard.engine.setup import Setup
from upcard.lab.runner import CompiledRunner, MatchSpec
from upcard.lab.seating import Lineup
from upcard.lab.training.policies import AT_ONCE, HEAT, Lessons, School, as_integers, over_casual, train_policy
from upcard.lab.training.refining import faithful, refine
from upcard.players import levels_of, player
from upcard.policies.learned import POLICY, check_features, learned_of, policy_of, write_policy
from upcard.policies.similar_moves import SLIPS
from upcard.policies.weights import UNIT, BadWeights, place_for_weights, weights_file
from upcard.rules import step
from upcard.rules.game import Game
from upcard.rules.rng import LUCK
from upcard.rules.source import generate

LEARNED = [one for one in map(games.load, games.names()) if (file := weights_file(one, POLICY)) and file.is_file()]
HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def school() -> School:
    """For a small game."""
    [game] = games.load_file(HERE / "small_game.py").values()
    return School(Setup(game), 1)


def test_shipped_weights_are_for_the_game_as_it_is() -> None:
    assert LEARNED
    for game in LEARNED:
        found = learned_of(game)
        assert found is not None, f"train {game.slug} anew: its declarations have changed"
        assert found.origin["command"].startswith(f"upcard train {game.slug} ")
        assert any(found.weights)


def test_every_policy_chooses_among_the_legal_moves(game: type[Game]) -> None:
    """Whatever its weights are, and it changes nothing of what it looks at."""
    policy, rng = policy_of(game), Random(2)
    weights = [rng.randrange(-2000, 2000) for _ in range(policy.size)]
    for match in play_on(random_match(game, 3), rng, 120):
        for seat in match.to_act:
            view, before = match.view(seat), match.view(seat).state
            moves = view.legal_moves()
            check_features(view.setup, view.state, seat, moves)
            for noisy in (0, 1):
                luck = rng.randrange(1 << 31)
                room = [0] * policy.room
                chosen = policy.learned(
                    view.setup, view.state, seat, moves, len(moves), luck, moves[0], weights, noisy, room
                )
                assert chosen in moves
            assert view.state == before


@pytest.mark.parametrize("game", LEARNED, ids=lambda game: game.slug)
def test_what_was_learned_looks_at_nothing_hidden(game: type[Game]) -> None:
    """It chooses the same where all cards lie open to it, as they do in rollouts, as by the view of its seat."""
    policy, found, rng = policy_of(game), learned_of(game), Random(6)
    assert found is not None and game.defines("choose")
    asked = 0
    for match in chain.from_iterable(play_on(random_match(game, seed), rng, 120) for seed in range(4)):
        for seat in match.to_act:
            view = match.view(seat)
            moves, luck = view.legal_moves(), rng.randrange(1 << 31)
            room = [0] * policy.room
            told = [
                policy.learned(view.setup, state, seat, moves, len(moves), luck, moves[0], found.weights, 1, room)
                for state in (view.state, match.state)
            ]
            assert told[0] == told[1], (game.notation.text(told[0]), game.notation.text(told[1]))
            asked += len(moves) > 1
    assert asked > 30


@pytest.mark.parametrize(
    ("number", "found"), [(-99, 0), (-16, 0), (-15, 1), (-6, 1), (-5, 2), (0, 2), (4, 2), (5, 3), (15, 4), (99, 4)]
)
def test_the_middle_one_of_five_steps_is_around_nothing(number: int, found: int) -> None:
    assert step(number, 10, 4) == found


def decided(tables: Any, opts: Any, scratch: Any, policies: Any, me: int) -> int:
    return int(loops.choose_move(opts[0], tables[0], me, scratch[0], policies))


def test_who_has_learned_nothing_plays_by_heuristic_in_compiled_loops(school: School) -> None:
    players = school.setup.players
    by = Lineup.of(["learned", "easy", *["random"] * (players - 2)], players)
    worker = MatchSpec(school.setup, by, seed=1).worker()
    assert isinstance(worker, CompiledRunner)
    told = [(row["kind"], row["slips"]) for row in worker.policies[:2]]
    assert told == [(loops.HEURISTIC, loops.NEVER), (loops.HEURISTIC, SLIPS)]


@pytest.mark.long
@pytest.mark.xdist_group(LEARNED[0].slug)
def test_plain_and_compiled_policies_choose_alike() -> None:
    game = LEARNED[0]
    run, policy, found = program(game), policy_of(game), learned_of(game)
    assert found is not None and game.defines("choose")
    tables, scratch, rng = run.states(1), run.scratch(), Random(4)
    match = Match(game, chance=rng)
    policies = loops.rollout_policies(match.players, loops.LEARNED)
    decide = run.entry(decided)
    tried = 0
    for _ in play_on(match, rng, 150):
        for seat in match.to_act:
            view = match.view(seat)
            moves = view.legal_moves()
            seed = rng.getrandbits(64)
            scratch["rng"] = np.uint64(seed)
            run.put(tables, 0, match.state)
            compiled = decide(tables, run.options(match.setup), scratch, policies, seat)
            if len(moves) > 1:
                luck = loops_luck(seed)
                favourite = match.setup.choose(view.state, seat, moves, len(moves), luck)
                room = [0] * policy.room
                plain = policy.learned(
                    view.setup, view.state, seat, moves, len(moves), luck, favourite, found.weights, 1, room
                )
                assert compiled == plain
                tried += 1
    assert tried > 50


def loops_luck(seed: int) -> int:
    """The luck that a compiled loop draws first."""
    from upcard.engine.chance import SplitMix

    return SplitMix(seed).below(LUCK)


def test_training_finds_what_is_better(school: School) -> None:
    """Where one weight speaks for a better move and another for a worse one, in noise as large."""
    rng = np.random.default_rng(3)
    around = np.zeros((AT_ONCE, 0), np.int32)
    speaks = np.full((AT_ONCE, 3, 2), NOTHING_MORE, np.int32)
    speaks[:, :, 0] = rng.integers(0, 3, (AT_ONCE, 3))
    speaks[:, :, 1] = 3 + rng.integers(0, 4, (AT_ONCE, 3))
    numbers = rng.integers(2, 4, AT_ONCE)
    worths = np.array([0.0, 1.0, -1.0])[speaks[:, :, 0]] + rng.normal(0, 1, (AT_ONCE, 3))
    school.weights[:] = 0
    school.fit([Lessons(around, speaks, worths, numbers)] * 20)
    assert school.weights[1] > school.weights[0] + 0.1
    assert school.weights[0] > school.weights[2] + 0.1
    assert not school.weights[7:].any()


@pytest.mark.long
def test_lessons_are_what_moves_come_to(school: School) -> None:
    """As many moves as could be made, the heuristic's first, with what speaks for them, which the weights add up to in
    plain Python too; and what they came to differs."""
    [lot] = school.lessons(AT_ONCE)
    most = lot.speaks.shape[1]
    tried = np.arange(most) < lot.numbers[:, None]
    assert lot.numbers.min() == 2
    assert ((lot.speaks != NOTHING_MORE).any(axis=2) == tried).all()
    assert (lot.worths[~tried] == 0).all()
    assert abs(lot.worths[tried].std() - 1) < 1e-9
    favourites = np.isin(lot.speaks, school.policy.favourites()).any(axis=2)
    assert (favourites == (np.arange(most) == 0)).all()


@pytest.mark.long
@pytest.mark.parametrize("slug", ["kalooki", "klaberjass", "oh-hell", "roundup", "sixty-six"])
def test_lessons_are_scored_as_moves_are(slug: str) -> None:
    """What surrounds and speaks for moves in compiled code is scored in lessons as the policy scores it in plain
    Python, whose weights are whole numbers."""
    game = games.load(slug)
    run, policy = program(game), policy_of(game)
    weights = np.random.default_rng(1).integers(-2000, 2000, policy.size)
    tables, scratch, score_of = run.states(1), run.scratch(), run.entry(scored_anew)
    rng, sums = Random(5), np.zeros(policy.units)
    around, speaks = np.zeros(policy.most_around, np.int32), np.zeros(policy.most_speaks, np.int32)
    seen = 0
    for match in play_on(random_match(game, 3), rng, 40):
        for seat in match.to_act:
            view = match.view(seat)
            moves = view.legal_moves()
            move = rng.choice(moves)
            room, unseen = [0] * policy.room, policy.unseen_by(view.setup, view.state, seat)
            at = policy.begin(view.setup, view.state, seat, weights.tolist(), unseen, room)
            plain = policy.score(view.setup, view.state, seat, move, moves[0], weights.tolist(), at, unseen, room)
            run.put(tables, 0, view.state)
            options = run.options(match.setup)
            arguments = (scratch, around, speaks, weights / UNIT, sums, policy.width, policy.inner)
            found = score_of(tables, options, seat, move, moves[0], *arguments)
            assert abs(found - plain / UNIT) <= 1 / UNIT
            seen += abs(plain) > UNIT
    assert seen > 20


def scored_anew(
    tables: Any,
    opts: Any,
    me: int,
    move: int,
    favourite: int,
    scratch: Any,
    around: Any,
    speaks: Any,
    weights: Any,
    sums: Any,
    width: int,
    inner: int,
) -> float:
    s, opt, room = tables[0], opts[0], scratch[0].room
    unseen = unseen_by(opt, s, me)
    at = begin(opt, s, me, scratch[0].weights, unseen, room)
    around[:] = NOTHING_MORE
    speaks[:] = NOTHING_MORE
    for k in range(surroundings(opt, s, me, at, unseen, room)):
        around[k] = room[k]
    for k in range(reasons(opt, s, me, move, favourite, at, unseen, room)):
        speaks[k] = room[k]
    return float(score_of_move(weights, around, speaks, sums, width, inner))


@pytest.mark.xdist_group("sixty-six")
def test_units_are_fitted_downhill() -> None:
    """Every weight is pushed by what a little more of it would change: against the slope found by trying."""
    game = games.load("sixty-six")
    run, policy = program(game), policy_of(game)
    assert policy.units
    rng = np.random.default_rng(2)
    weights = rng.normal(0, 0.3, policy.size)
    around = np.array([policy.width + 1, policy.width + 30], np.int32)
    speaks = np.array([[0, 3, 9], [0, 4, NOTHING_MORE]], np.int32) + policy.width * np.array(
        [[1, 1, 1], [1, 1, 0]], np.int32
    )
    worths, chances = np.array([1.0, -1.0]), np.zeros(policy.size)
    shape = (policy.width, policy.inner)

    def slope_at(weights: Any) -> tuple[Any, float]:
        slope, sums = np.zeros(policy.size), np.zeros((2, policy.units))
        run.entry(add_gradient)(slope, weights, chances, sums, around, speaks, worths, 2, *shape, HEAT, 1.0)
        likely = chances[:2]
        return slope, float((likely * (worths - HEAT * np.log(likely + 1e-9))).sum())

    slope, _ = slope_at(weights)
    places = [policy.width + 3, policy.width + 4, policy.inner + 3 * policy.units + 1, policy.outer, policy.outer + 1]
    for place in places:
        for_more = [slope_at(weights + sign * 1e-5 * (np.arange(policy.size) == place))[1] for sign in (1, -1)]
        assert slope[place] * HEAT == pytest.approx(-(for_more[0] - for_more[1]) / 2e-5, rel=1e-3, abs=1e-7)
    assert slope[places].any()


@pytest.mark.long
def test_who_has_learned_wins(school: School) -> None:
    """A game without a heuristic, from a few lessons; with weights of nothing the first move is made."""
    school.weights[:] = 0
    _, before = over_casual(school.setup, as_integers(school.weights), 200, 9)
    won, after = over_casual(school.setup, train_policy(school.setup, AT_ONCE, 3, 1), 200, 9)
    assert not before.told or before.difference < 0
    assert after.interval.low > 0
    assert won.difference > 0


def test_whole_deals_teach_what_was_more_likely_than_it_seemed(school: School) -> None:
    """What is noted of a decision is the gradient of the logarithm of the chance of the move made: 1 less its chance
    for each feature of that move, minus their chances for the others, which the policy's scores say."""
    run, policy, rng = program(school.setup.game), school.policy, Random(8)
    weights = np.random.default_rng(1).normal(0, 1, policy.size)
    tables, scratch, pick = run.states(1), run.scratch(7), run.entry(picked_noting)
    chances, speaks, pushes = np.zeros(99), np.zeros((999, 2), np.int32), np.zeros(999)
    seen = 0
    for match in chain.from_iterable(play_on(Match(school.setup, chance=rng), rng, 60) for _ in range(8)):
        if match.done or len(match.legal_moves(match.to_act[0])) == 1:
            continue
        seat, seed = match.to_act[0], rng.getrandbits(64)
        view = match.view(seat)
        moves = view.legal_moves()
        run.put(tables, 0, match.state)
        scratch["rng"] = np.uint64(seed)
        favourite = moves[loops_luck(seed) % len(moves)]
        move, end = pick(tables, run.options(match.setup), seat, scratch, weights, chances, speaks, pushes)
        room, unseen = [0] * policy.room, policy.unseen_by(view.setup, view.state, seat)
        at = policy.begin(view.setup, view.state, seat, [0] * policy.size, unseen, room)
        slope, features = np.zeros(policy.size), dict[int, list[int]]()
        for one in moves:
            n = policy.reasons(view.setup, view.state, seat, one, favourite, at, unseen, room)
            features[one] = room[:n]
        scores = np.array([weights[features[one]].sum() for one in moves])
        likely = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
        for one, chance in zip(moves, likely, strict=True):
            if one == move or chance > NEGLIGIBLE:
                slope[features[one]] += (one == move) - chance
        found = np.zeros(policy.size)
        np.add.at(found, speaks[:end, 0], pushes[:end])
        assert (speaks[:end, 1] == seat).all()
        assert found == pytest.approx(slope, abs=1e-6)
        seen += bool(slope.any())
    assert seen > 20


def picked_noting(
    tables: Any, opts: Any, me: int, scratch: Any, weights: Any, chances: Any, speaks: Any, pushes: Any
) -> tuple[int, int]:
    n = list_for(opts[0], tables[0], me, scratch[0])
    return sample_move(opts[0], tables[0], me, n, scratch[0], weights, chances, speaks, pushes, 0)


@pytest.mark.long
def test_who_has_learned_from_whole_deals_wins_on_any_number_of_cores(
    school: School, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[int] = []
    weights = refine(school.setup, faithful(school.setup), 60_000, 1, done.append)
    assert done[-1] == 60_000
    _, points = over_casual(school.setup, weights, 400, 9)
    assert points.interval.low > 0
    monkeypatch.setattr("upcard.lab.training.refining.cores", lambda: 1)
    assert (refine(school.setup, faithful(school.setup), 60_000, 1) == weights).all()


def test_whole_deals_do_not_refine_hidden_units() -> None:
    setup = Setup(games.load("sixty-six"))
    with pytest.raises(UpcardError, match="sixty-six has hidden units"):
        refine(setup, faithful(setup), 1000, 1)


FIRST_MOVE = """
    @override
    def choose(self, s: SmallState, me: int, moves: Buffer, n: int, luck: int) -> int:
        return moves[0]
"""
TOO_MANY_NOTES = """
    TRAITS = 2
    NOTES = 1

    @override
    def note(self, s: SmallState, me: int, notes: Buffer, at: int) -> None:
        notes[at] = 0
        notes[at + 1] = 1

    @override
    def noted_traits(self, s: SmallState, me: int, move: int, notes: Buffer, at: int) -> Cards:
        return notes[at + 1]
"""
TOO_MANY_TRAITS = """
    TRAITS = 2

    @override
    def traits(self, s: SmallState, me: int, move: int) -> Cards:
        return 0b100
"""
TOO_MUCH_AROUND = """
    SURROUNDINGS = 2

    @override
    def surroundings(self, s: SmallState, me: int) -> Cards:
        return 0b101
"""
NO_SUCH_SITUATION = """
    SITUATIONS = 2

    @override
    def situation(self, s: SmallState, me: int) -> int:
        return 2
"""
SMALL_GAME = (HERE / "small_game.py").read_text()


@pytest.mark.parametrize(
    ("features", "mistake"),
    [
        (TOO_MANY_NOTES, "a row has no such place"),
        (TOO_MANY_TRAITS, "`traits` has 2, and TRAITS is 2"),
        (TOO_MUCH_AROUND, "`surroundings` has 2, and SURROUNDINGS is 2"),
        (NO_SUCH_SITUATION, "`situation` is 2, and SITUATIONS is 2"),
    ],
)
def test_features_without_weights_are_found_before_anything_is_compiled(
    tmp_path: Path, features: str, mistake: str
) -> None:
    (tmp_path / "featured.py").write_text(SMALL_GAME + FIRST_MOVE + features)
    [game] = games.load_file(tmp_path / "featured.py").values()
    with pytest.raises(BadRules, match=mistake):
        refine(Setup(game), faithful(Setup(game)), 10, 1)


@pytest.mark.long
def test_whole_deals_of_a_game_without_an_end_are_told(tmp_path: Path) -> None:
    played = "s.played |= bit(move)\n"
    assert played in SMALL_GAME
    endless = SMALL_GAME.replace(played, "s.to_act = only(left_of(s, me))\n        return\n")
    (tmp_path / "endless.py").write_text(endless + FIRST_MOVE)
    [game] = games.load_file(tmp_path / "endless.py").values()
    with pytest.raises(BadRules, match="a deal does not end"):
        refine(Setup(game), faithful(Setup(game)), 10, 1)


def test_a_game_from_outside_has_a_policy_too(tmp_path: Path) -> None:
    shutil.copy(HERE / "small_game.py", tmp_path / "one_of_ours.py")
    [game] = games.load_file(tmp_path / "one_of_ours.py").values()
    assert learned_of(game) is None
    match = Match(game, chance=Random(1))
    view = match.view(match.to_act[0])
    moves = view.legal_moves()
    policy = policy_of(game)
    room, weights = [0] * policy.room, [0] * policy.size
    assert policy.begin(view.setup, view.state, 0, weights, 0, room) < policy.inner
    assert policy.learned(view.setup, view.state, 0, moves, len(moves), 1, moves[0], weights, 0, room) == moves[0]
    assert player("learned").choose(view, Random(1)) in view.legal()
    write_policy(game, [0, 5] + [0] * (policy_of(game).size - 2), {"command": "upcard train one_of_ours.py"})
    found = learned_of(loaded_anew(tmp_path / "one_of_ours.py")["small-game"])
    assert found is not None
    assert found.weights[:3] == (0, 5, 0)


@pytest.mark.parametrize(
    "written",
    ["", "{", "[]", "{}", '{"layout": "?", "weights": 1}', '{"layout": "?", "weights": [[0, "x"]]}']
    + ['{"layout": "?", "weights": [[1000000, 1]]}', '{"layout": "?", "weights": [[0, 1e400]]}'],
)
def test_a_damaged_file_of_weights_is_warned_of_and_left_out(
    tmp_path: Path, written: str, caplog: pytest.LogCaptureFixture
) -> None:
    shutil.copy(HERE / "small_game.py", tmp_path / "one_of_ours.py")
    [game] = games.load_file(tmp_path / "one_of_ours.py").values()
    file = place_for_weights(game, POLICY)
    file.write_text(written.replace("?", policy_of(game).layout))
    assert "medium" not in levels_of(game)
    assert learned_of(game) is None
    assert caplog.messages == [f"{file} contains no weights: it is damaged, or another kind of file"]


def loaded_anew(file: Path) -> dict[str, type[Game]]:
    file.write_text(file.read_text() + "\n")
    return games.load_file(file)


DEARER = """

class Dearer(SmallGame):
    title = "Dearer"
    worth = 2
"""


def test_a_variant_plays_by_the_weights_of_its_game_until_it_has_its_own(tmp_path: Path) -> None:
    file = tmp_path / "one_of_ours.py"
    file.write_text(SMALL_GAME + DEARER)
    game = games.load_file(file)["small-game"]
    size = policy_of(game).size
    write_policy(game, [0, 5] + [0] * (size - 2), {"command": "upcard train one_of_ours.py"})
    dearer = loaded_anew(file)["dearer"]
    borrowed = learned_of(dearer)
    assert borrowed is not None
    assert borrowed.weights[1] == 5
    write_policy(dearer, [7] + [0] * (size - 1), {"command": "upcard train dearer"})
    assert weights_file(dearer, POLICY) == tmp_path / "dearer.policy.json"
    own = learned_of(loaded_anew(file)["dearer"])
    assert own is not None
    assert own.weights[:2] == (7, 0)


def test_a_game_in_no_file_cannot_be_trained() -> None:
    with pytest.raises(UpcardError, match="was not loaded from a file"):
        place_for_weights(at_a_prompt(), POLICY)


def at_a_prompt() -> type[Game]:
    """A game whose module has no file."""
    space: dict[str, Any] = {"__name__": "__console__"}
    generate("prompt", SMALL_GAME, space)
    game: type[Game] = space["SmallGame"]
    return game


OTHER_FEATURES = """

class Featured(SmallGame):
    title = "Featured"
    TRAITS = 1

    @override
    def traits(self, s: SmallState, me: int, move: int) -> Cards:
        return 1
"""


def test_weights_made_for_other_features_are_an_error_and_those_of_the_base_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "one_of_ours.py"
    file.write_text(SMALL_GAME + OTHER_FEATURES)
    game, variant = (games.load_file(file)[slug] for slug in ("small-game", "featured"))
    write_policy(game, [5] * policy_of(game).size, {})
    assert learned_of(game) is not None and learned_of(variant) is None
    shutil.copy(place_for_weights(game, POLICY), place_for_weights(variant, POLICY))
    with pytest.raises(BadWeights, match=r"featured\.policy\.json does not fit the rules of featured: train again, or"):
        learned_of(loaded_anew(file)["featured"])


@pytest.mark.parametrize("game", LEARNED, ids=lambda game: game.slug)
def test_weights_are_kilobytes(game: type[Game]) -> None:
    file = weights_file(game, POLICY)
    assert file is not None
    assert file.stat().st_size < 60_000
