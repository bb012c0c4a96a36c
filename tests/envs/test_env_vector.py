"""The vector environment gives exactly the matches, masks, observations and rewards of the single ones."""

import threading
from collections.abc import Sequence
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest
from numba import njit
from playing import play_on, random_match
from single_tables import SHORT, Table

from upcard import UpcardError, envs
from upcard.compiled import loops
from upcard.compiled.observation import row_length
from upcard.compiled.program import program
from upcard.engine.setup import Setup
from upcard.engine.views import View, view, view_row
from upcard.envs import action_masks, vector_env, vector_loop
from upcard.envs.vector_loop import sight
from upcard.laws import Trial
from upcard.laws.hidden import state_twin
from upcard.rules.cards import JOKER, as_list, as_set
from upcard.rules.game import Game

oh_hell = pytest.mark.xdist_group("oh-hell")  # other tests need its loops too


def hold_beside(env: Any, reward: str, seat: int | None, steps: int, often: int = 1, others: Sequence[str] = ()) -> int:
    """Play random and sometimes illegal actions; returns the number of matches that have ended."""
    shown = env.reset(seed=5)
    tables = [Table(env, table, 5, reward, seat, others) for table in range(env.tables)]
    luck = np.random.default_rng(1)
    ended = 0
    for number in range(steps):
        for i, table in enumerate(tables):
            who = table.acting()
            assert env.seats[i] == who
            seen = table.episode.observe(who)
            assert (shown.mask[i] == seen["action_mask"]).all()
            if number % often == 0:
                assert (env.numbers(shown.observation[i : i + 1])[0] == seen["observation"]).all()
                assert shown.observation[i].tolist() == view_row(table.episode.match.view(who))
        chosen = np.array([luck.choice(np.flatnonzero(mask)) for mask in shown.mask])
        if number % 17 == 16:
            chosen[0] = int(np.argmin(shown.mask[0]))
        shown = env.step(chosen)
        for i, table in enumerate(tables):
            assert shown.done[i] == table.step(int(chosen[i]))
            assert (shown.reward[i] == table.rewards).all()
        ended += int(shown.done.sum())
    return ended


@pytest.mark.long
@pytest.mark.parametrize(
    ("slug", "reward"),
    [("loo", "match"), ("ninety-nine", "deal"), ("oh-hell", "match"), ("sixty-six", "match")],
)
def test_the_tables_are_those_of_the_other_environments(slug: str, reward: str) -> None:
    """Games with sets of cards, long masks, simultaneous bids and a stock; what is special in others is in views."""
    env = envs.vector(slug, options=SHORT.get(slug), tables=3, reward=reward)
    assert hold_beside(env, reward, None, 150, 5) > 3


@pytest.mark.long
@pytest.mark.xdist_group("linger-longer")
@pytest.mark.parametrize("reward", ["match", "deal"])
@pytest.mark.parametrize("seat", [None, 1])
def test_deals_that_chance_ends_are_worth_what_they_are_elsewhere(reward: str, seat: int | None) -> None:
    options, others = {"deals": 2, "cards": 12}, None if seat is None else "casual"
    env = envs.vector("linger-longer", 3, options, tables=6, reward=reward, seat=seat or 0, others=others)
    assert hold_beside(env, reward, seat, 120, 20, others=["casual", "casual"]) > 3


@pytest.mark.long
@oh_hell
def test_the_others_play_as_such_players_do() -> None:
    others = ["medium", "casual", "casual", "medium"]
    env = envs.vector("oh-hell", options=SHORT["oh-hell"], tables=3, seat=2, others=others, reward="deal")
    assert hold_beside(env, "deal", 2, 90, others=others) > 3


class AtRandom:
    """Plays like "random", but has to be asked."""

    def choose(self, seen: View, rng: Random) -> str:
        return rng.choice(seen.legal())


@pytest.mark.long
@pytest.mark.xdist_group("sixty-six")
@pytest.mark.parametrize("others", ["random", AtRandom()], ids=["compiled", "asked"])
def test_a_match_in_which_the_seat_was_not_asked_is_not_told_of(others: Any) -> None:
    """Random players often win a match to 1 before the other seat has played a card."""
    env = envs.vector("sixty-six", options={"target": 1}, tables=100, others=others, seed=1)
    shown = env.reset()
    ended = 0
    for _ in range(30):
        shown = env.step(shown.mask.argmax(axis=1))
        assert shown.mask.any(axis=1).all()
        assert (np.abs(shown.reward) == shown.done[:, None]).all()
        assert (shown.reward.sum(axis=1) == 0).all()
        ended += int(shown.done.sum())
    assert ended > 100


def look(tables: Any, opts: Any, me: int) -> None:
    """What a seat sees of the first table, compiled."""
    sight(opts[0], tables[0].state, me, tables[0].row)


class Looker:
    """One table as a vector environment stores it."""

    def __init__(self, setup: Game) -> None:
        self.run = program(setup.game)
        self.tables = np.zeros(1, vector_loop.table_type(self.run.shown_type, row_length(setup.game)))
        self.opts = self.run.options(setup)

    def sees(self, state: Any, seat: int) -> list[int]:
        """What a seat sees of a state, whatever was stored there before."""
        self.run.put(self.tables["state"], 0, state)
        self.run.entry(look)(self.tables, self.opts, seat)
        assert self.run.get(self.tables["state"], 0) == state
        row: list[int] = self.tables["row"][0].tolist()
        return row


def test_twins_look_alike(game: type[Game]) -> None:
    """A state that differs only in what a seat cannot see gives the same numbers, and every state those of its view."""
    rng = Random(3)
    match = random_match(game, 3)
    looker = Looker(match.setup)
    compared = 0
    for now in islice(play_on(match, rng), 0, 300, 3):
        for seat in range(now.players):
            ours = looker.sees(now.state, seat)
            assert ours == view_row(view(now.setup, now.state, seat))
            if twin := state_twin(now, seat, rng):
                assert looker.sees(twin, seat) == ours
                compared += 1
    assert compared > 5


def test_a_seat_sees_what_its_view_shows_at_a_table_of_any_size(game: type[Game]) -> None:
    """Also if there is a hand after the seats that nobody holds."""
    for players in {min(game.player_counts), max(game.player_counts)}:
        trial = Trial(game, 1, players)
        for now in trial.moments(40):
            looker = Looker(now.setup)
            for seat in range(players):
                assert looker.sees(now.state, seat) == view_row(view(now.setup, now.state, seat)), (players, seat)


def trace(env: Any, steps: int) -> list[bytes]:
    shown = env.reset(seed=2)
    told = []
    for number in range(steps):
        told.append(b"".join(array.tobytes() for array in shown))
        legal = shown.mask.astype(bool)
        shown = env.step(np.array([np.flatnonzero(row)[number % row.sum()] for row in legal]))
    return told


def use_cores(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Let there seem to be so many cores."""
    monkeypatch.setattr(vector_env, "cores", lambda: number)


@pytest.mark.long
@oh_hell
def test_threads_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    use_cores(monkeypatch, 3)
    told = [trace(envs.vector("oh-hell", options=SHORT["oh-hell"], tables=7, threads=n), 40) for n in (1, 2, 3)]
    assert told[0] == told[1] == told[2]
    assert told[0] != trace(envs.vector("oh-hell", options=SHORT["oh-hell"], tables=7, threads=1), 41)[1:]


def test_there_are_no_more_threads_than_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    use_cores(monkeypatch, 2)
    assert [envs.vector("oh-hell", tables=9, threads=n).threads for n in (1, 2, 3, 600)] == [1, 2, 2, 2]
    assert [envs.vector("oh-hell", tables=n).threads for n in (8192, 3 * 8192)] == [1, 2]
    assert envs.vector("oh-hell", tables=9, others=AtRandom(), threads=5).threads == 5


def test_the_more_threads_the_fewer_polls_before_they_sleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Since each poll looks at the work of all of them, and there may be fewer cores than a machine says."""
    use_cores(monkeypatch, 64)
    for threads in (2, 64):
        env = envs.vector("oh-hell", tables=64, threads=threads)
        assert {int(job["patience"][0]) * threads for job, *_ in env._work} == {vector_env.PATIENCE}


@pytest.mark.long
@oh_hell
def test_a_closed_environment_has_no_threads_left(monkeypatch: pytest.MonkeyPatch) -> None:
    use_cores(monkeypatch, 2)
    env = envs.vector("oh-hell", options=SHORT["oh-hell"], tables=4, threads=2, seed=1)
    told, before = env.reset().mask.copy(), threading.active_count()
    env.close()
    assert threading.active_count() < before
    with pytest.raises(UpcardError, match="call reset"):
        env.step(told.argmax(axis=1))
    assert (env.reset(1).mask == told).all()


@pytest.mark.long
@oh_hell
@pytest.mark.parametrize(
    ("actions", "given"),
    [(["a", "b"], "a list"), ([[1, 2]], r"int64 of shape \(1, 2\)"), ([0.5, 1], "float64 of")],
)
def test_what_are_no_actions_is_told_as_it_was_given(actions: Any, given: str) -> None:
    env = envs.vector("oh-hell", options=SHORT["oh-hell"], tables=2, seed=1)
    env.reset()
    with pytest.raises(UpcardError, match=f"actions are 2 whole numbers, one per table, not {given}"):
        env.step(actions)


@oh_hell
def test_everything_is_written_in_place_and_to_be_read_only() -> None:
    env = envs.vector("oh-hell", options=SHORT["oh-hell"], tables=2, seed=1)
    first = env.reset()
    assert env.step(first.mask.argmax(axis=1)) is first
    for array in first:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    kept = first.observation.copy()
    assert (env.numbers(kept) == env.numbers()).all()
    assert (env.numbers(first.observation[1:]) == env.numbers()[1:]).all()
    assert str(env.view(1)).startswith("Oh Hell, as seat")


def test_nothing_behind_what_is_shown_can_be_written_or_names_a_field() -> None:
    """Rows are in the tables' own memory, beside hidden fields and random generators."""
    env = envs.vector("sixty-six", tables=2, seed=1)
    for array in (*env.reset(), env.seats):
        behind: Any = array
        while isinstance(behind, np.ndarray):
            assert behind.dtype.names is None
            with pytest.raises(ValueError, match="cannot set WRITEABLE flag"):
                behind.flags.writeable = True
            behind = behind.base
        assert memoryview(behind).readonly
        assert memoryview(behind).format == "B"


@pytest.mark.long
def test_what_other_libraries_take_by_dlpack_is_a_copy() -> None:
    """PyTorch ignores that memory is read-only: a mask that it changes in place would allow an illegal action."""
    env = envs.vector("oh-hell", 3, SHORT["oh-hell"], tables=2, seed=1)
    now = env.reset()
    before = now.mask.copy()
    taken = np.from_dlpack(now.mask)
    assert (taken == now.mask).all()
    assert not np.shares_memory(taken, now.mask)
    if taken.flags.writeable:
        taken[:] = 1
    assert (now.mask == before).all()
    illegal = before.argmin(axis=1)
    assert (env.step(illegal).reward.min(axis=1) == -1).all()


@pytest.mark.long
def test_words_as_halves_suit_libraries_without_64_bits() -> None:
    """As `docs/environments.md` says for JAX, whose numbers have 32 bits by default."""
    now = envs.vector("rolling-stone", tables=3, seed=1).reset()
    halves = now.observation.view(np.uint32)
    assert halves.shape == (3, 2 * now.observation.shape[1])
    assert (halves[:, ::2] + (halves[:, 1::2].astype(np.uint64) << 32) == now.observation.astype(np.uint64)).all()


@oh_hell
def test_numbers_are_written_where_one_wants_them() -> None:
    env = envs.vector("oh-hell", options=SHORT["oh-hell"], tables=3, seed=1)
    env.reset()
    out = np.full((3, env.observer.size), np.nan, np.float32)
    assert env.numbers(out=out) is out
    assert (out == env.numbers()).all()
    words = env.now.observation[:2].copy()
    assert (env.numbers(words, out[:2]) == env.numbers(words)).all()


@pytest.mark.long
@oh_hell
@pytest.mark.parametrize(
    ("out", "fault"),
    [
        (np.zeros((2, 7), np.float32), "out has the shape"),
        (np.zeros((2, 1415)), "of float32, not"),
        (np.zeros((2, 1415), np.float32, "F"), "contiguous"),
        (np.broadcast_to(np.zeros(1415, np.float32), (2, 1415)), "contiguous"),
        ([[0.0]], "out is an array of NumPy"),
    ],
)
def test_numbers_do_not_suit_any_array(out: Any, fault: str) -> None:
    env = envs.vector("oh-hell", tables=2, seed=1)
    env.reset()
    with pytest.raises(UpcardError, match=fault):
        env.numbers(out=out)


def test_numbers_may_come_from_numpy() -> None:
    """Seeds as a NumPy generator gives them."""
    kinds: list[Any] = [int, np.int64]
    ours, theirs = (envs.vector("oh-hell", tables=kind(2), seed=kind(3)).reset() for kind in kinds)
    assert (ours.observation == theirs.observation).all()


WRONG: list[tuple[Any, str]] = [
    ([0, 55], "an action is a whole number from 0 to 54, not 55 as at table 1"),
    ([-1, 52], "from 0 to 54, not -1 as at table 0"),
    ([0.0, 1.0], "actions are 2 whole numbers, one per table, not float64"),
    ([0], "actions are 2 whole numbers"),
    (0, "actions are 2 whole numbers"),
]


@oh_hell
def test_what_is_no_action_is_refused_before_anything_is_stepped() -> None:
    env = envs.vector("oh-hell", options=SHORT["oh-hell"], tables=2, seed=1)
    for too_early in (lambda: env.step([52, 52]), lambda: env.view(0), env.numbers):
        with pytest.raises(UpcardError, match="reset"):
            too_early()
    before = [array.copy() for array in env.reset()]
    for actions, message in WRONG:
        with pytest.raises(UpcardError, match=message):
            env.step(actions)
    assert all((one == other).all() for one, other in zip(before, env.reset(seed=1), strict=True))


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"others": "genius"}, "there is no player 'genius'"),
        ({"others": ["random"]}, "others names 1 players for 4 other seats"),
        ({"seat": 5}, "there is no seat 5: the seats are 0 to 4"),
        ({"seat": 3}, "without others you play all seats, not only seat 3"),
        ({"seed": "x"}, "a seed is a whole number, not 'x'"),
        ({"tables": 0}, "tables is a whole number from 1 up, not 0"),
        ({"threads": 0}, "threads is a whole number from 1 up, not 0"),
        ({"reward": "trick"}, "reward is 'match' or 'deal', not 'trick'"),
    ],
)
def test_tables_that_cannot_be_are_refused(told: dict[str, Any], message: str) -> None:
    with pytest.raises(UpcardError, match=message):
        envs.vector("oh-hell", **told)


def test_other_seats_are_named_in_order() -> None:
    env = envs.vector("oh-hell", 3, tables=1, seat=1, others=["random", "casual"])
    assert env._policies is not None
    assert env._policies["kind"][[0, 2]].tolist() == [loops.RANDOM, loops.HEURISTIC]


def test_it_says_what_it_is() -> None:
    env = envs.vector("oh-hell", 3, {"order": "up"}, tables=2, threads=1)
    assert repr(env) == "VectorEnv(<Setup oh-hell, 3 players, order='up'>, tables=2, threads=1)"


def test_kept_rows_have_the_right_shape() -> None:
    env = envs.vector("oh-hell", Setup("oh-hell").players, tables=2, seed=1)
    with pytest.raises(UpcardError, match="words come in rows of 89, not in the shape"):
        env.numbers(np.zeros((2, 3), np.int64))
    with pytest.raises(UpcardError, match="there is no table 2: the tables are 0 to 1"):
        env.view(2)


@pytest.mark.parametrize("deposits", [True, False])
def test_cards_are_lit_in_pack_order(monkeypatch: pytest.MonkeyPatch, deposits: bool) -> None:
    """Also on a machine without the instruction for this."""
    monkeypatch.setattr(action_masks, "HAS_DEPOSIT", deposits and loops.HAS_DEPOSIT)
    program(Setup("oh-hell").game)  # so that the rules of cards can be compiled

    def light_cards(cards: int, pack: int, shift: int, row: Any) -> None:
        places = action_masks.in_pack(cards, action_masks.joker_last(pack), shift)
        action_masks.write_bits(places, row, 0)

    light = njit(light_cards)
    rng = Random(5)
    for pack in (as_list(as_set(range(JOKER + 1))), as_list(as_set(range(0, JOKER, 3)))):
        for number in range(len(pack) + 1):
            cards = rng.sample(pack, number)
            row = np.full(action_masks.CARDS, -1, np.int8)
            light(as_set(cards), as_set(pack), action_masks.CARDS - len(pack), row)
            assert row.tolist() == [card in cards for card in pack] + [0] * (action_masks.CARDS - len(pack))
