"""Gymnasium: its own check for all games, and whole matches against named players."""

import copy
import sys
import warnings
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env
from playing import random_header
from small_game import DONE, SmallGame, SmallState

from upcard import IllegalMove, UpcardError, View, envs
from upcard.envs.episode import versioned
from upcard.players import player
from upcard.rules import Pile, only, override, take_lead
from upcard.rules.cards import read, sign
from upcard.rules.game import Game


@pytest.mark.parametrize("number", range(3))
def test_the_check_passes(game: type[Game], number: int, capsys: pytest.CaptureFixture[str]) -> None:
    players, seat, options = random_header(game, number)
    told: dict[str, Any] = {"players": players, "seat": seat, "options": options} if number else {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*(precision lowered|not within the observation).*")
        check_env(envs.gymnasium(game, others=["random", "casual"][number % 2], **told))


def test_gymnasium_makes_each_game_by_its_name(game: type[Game]) -> None:
    env = gymnasium.make(f"upcard/{versioned(game.slug)}", others="random", max_episode_steps=3)
    seen, _ = env.reset(seed=1)
    assert env.unwrapped.spec is not None
    assert env.unwrapped.spec.kwargs["game"] == game.slug
    for left in (2, 1, 0):
        seen, _, terminated, truncated, _ = env.step(int(np.argmax(seen["action_mask"])))
        assert terminated or truncated == (left == 0)
        if terminated:
            break


def test_a_vector_environment_of_gymnasium_never_asks_a_policy_to_choose_from_nothing() -> None:
    many = gymnasium.make_vec("upcard/sixty-six-v0", num_envs=2, vectorization_mode="sync", others="random")
    seen, _ = many.reset(seed=1)
    luck, ended = np.random.default_rng(1), 0
    for _ in range(150):
        assert seen["action_mask"].any(axis=1).all()
        chosen = [luck.choice(np.flatnonzero(mask)) for mask in seen["action_mask"]]
        seen, _, terminated, _, _ = many.step(np.array(chosen))
        ended += int(terminated.sum())
    assert ended, "the end of a match was among them"


def test_reset_takes_no_options() -> None:
    env = envs.gymnasium("sixty-six")
    with pytest.raises(UpcardError, match=r"reset\(\) takes no options \('target'\)"):
        env.reset(options={"target": 1})


class Last:
    """Always the last of the legal moves."""

    def choose(self, view: View, rng: Random) -> str:
        return view.legal()[-1]


@pytest.mark.parametrize(
    "others", ["casual", "random", Last(), ["random", Last()]], ids=["casual", "random", "own", "two"]
)
def test_a_match_is_played_to_its_end(others: Any) -> None:
    env = envs.gymnasium("oh-hell", 3, {"max_cards": 3}, seat=1, others=others)
    luck = np.random.default_rng(1)
    for seed in range(5):
        seen, _ = env.reset(seed=seed)
        done, decisions, total = False, 0, 0.0
        while not done:
            assert (env.action_masks() == seen["action_mask"]).all()
            seen, reward, done, _, info = env.step(luck.choice(np.flatnonzero(seen["action_mask"])))
            decisions, total = decisions + 1, total + reward
            assert info == {}
        assert decisions == 2 * (1 + 2 + 3) + 6
        assert seen["action_mask"].all(), "whatever is asked for now is ignored, and a policy needs something"
        assert env.action_masks().all()
        assert total in (1, 0.25, 0, -0.5)


class Wrong:
    """Never plays anything that it may."""

    def choose(self, view: View, rng: Random) -> str:
        return "bid 63"


def test_a_player_that_makes_an_illegal_move_is_told_why() -> None:
    env = envs.gymnasium("oh-hell", 3, {"bidding": "turns"}, others=Wrong())
    with pytest.raises(IllegalMove, match=r"'bid 63' is not possible.*OH-"):
        play_one_bid(env)


def play_one_bid(env: Any) -> None:
    seen, _ = env.reset(seed=1)
    env.step(int(np.flatnonzero(seen["action_mask"])[0]))


def test_a_match_in_which_the_seat_is_not_asked_is_passed_over() -> None:
    """Players at random often win a match to 1 before the other seat has played a card."""
    env = envs.gymnasium("sixty-six", options={"target": 1}, others="random")
    for seed in range(100):
        seen, _ = env.reset(seed=seed)
        assert seen["action_mask"].any()


def test_what_deals_before_the_first_decision_have_changed_comes_later() -> None:
    """So that the rewards of a match add up to what it is worth in the end."""
    env = envs.gymnasium("sixty-six", others="random", reward="deal")
    early = 0
    for seed in range(100):
        seen, _ = env.reset(seed=seed)
        match = env.episode.match
        done, total = not any(match.scores), 0.0
        early += not done
        while not done:
            seen, reward, done, _, _ = env.step(int(np.argmax(seen["action_mask"])))
            total += reward
        assert not match.done or total == match.setup.utility(match.state, 0)
    assert early > 3


class Lonely(SmallGame):
    """Seat 1 always leads, and who plays the first card wins."""

    title = "Lonely"

    @override
    def deal(self, s: SmallState, order: Pile) -> None:
        super().deal(s, order)
        take_lead(s, 1)

    @override
    def apply(self, s: SmallState, me: int, move: int) -> None:
        s.to_act = 0
        s.phase = DONE
        s.winners = only(me)


@pytest.mark.long
@pytest.mark.parametrize(("make", "others"), [(envs.gymnasium, Last()), (envs.vector, Last()), (envs.vector, "random")])
def test_a_seat_that_no_match_asks_is_told_of(make: Any, others: Any) -> None:
    told = {} if make is envs.gymnasium else {"tables": 1}
    env = make(Lonely, others=others, **told)
    with pytest.raises(UpcardError, match="1000 matches in a row ended before the seat was to act"):
        env.reset(seed=1)


def test_how_it_was_made_can_be_written_down() -> None:
    """As those do who note their experiments."""
    for env in (
        envs.gymnasium("oh-hell", 3, {"max_cards": 2}, others=["casual", "random"]),
        envs.gymnasium("schnapsen"),
    ):
        assert env.spec is not None
        other = gymnasium.make(EnvSpec.from_json(env.spec.to_json()))
        ours, theirs = (one.reset(seed=1)[0]["observation"] for one in (env, other))
        assert (ours == theirs).all()
    others = ["casual", "random"]
    env = envs.gymnasium("oh-hell", 3, others=others)
    others.append("more")
    assert env.spec is not None
    gymnasium.make(env.spec)


def test_what_is_written_down_has_the_render_mode_and_no_numbers_of_numpy() -> None:
    numbers: Any = np.array([1, 3])
    spec = envs.gymnasium("oh-hell", seat=numbers[0], history=numbers[1], render_mode="ansi").spec
    assert spec is not None
    other = gymnasium.make(EnvSpec.from_json(spec.to_json()))
    other.reset(seed=1)
    assert str(other.render()).startswith("Oh Hell, as seat 1 sees it")


def test_what_is_rendered_has_the_bids_the_scores_and_the_trick() -> None:
    env = envs.gymnasium("oh-hell", 3, others="random", render_mode="ansi")
    seen, _ = env.reset(seed=1)
    while not (trick := env.episode.match.report()["trick"]):
        seen, *_ = env.step(int(seen["action_mask"].argmax()))
    state = env.episode.match.state
    lines = str(env.render()).splitlines()
    assert f" Trick: {' '.join(f'{seat}:{sign(read(card) or 0)}' for seat, card in trick)}" in lines
    for seat, line in enumerate(lines[2:5]):
        assert line.split()[:2] == [f"{'>' * (seat == 0)}{seat}", str(state.scores[seat])]
        assert line.endswith(f"(Bid {state.bids[seat]}, Tricks {state.tricks[seat]})")


@pytest.mark.parametrize(("game", "others"), [(SmallGame, "random"), ("oh-hell", Last())], ids=["game", "player"])
def test_what_json_cannot_hold_is_told_of(game: Any, others: Any) -> None:
    env = envs.gymnasium(game, others=others)
    assert env.spec is not None
    with pytest.raises(UpcardError, match="cannot be written as JSON: it takes a game that comes with Upcard"):
        env.spec.to_json()
    assert gymnasium.make(env.spec).unwrapped.episode.setup == env.episode.setup  # type: ignore[attr-defined]


class Faltering:
    """Plays the first legal move, but raises an exception at one of its turns."""

    def __init__(self, fails_at: int) -> None:
        self.turns_left = fails_at

    def choose(self, seen: Any, rng: Random) -> str:
        self.turns_left -= 1
        if self.turns_left == 0:
            raise KeyboardInterrupt
        return str(seen.legal()[0])


@pytest.mark.parametrize("fails_at", [1, 2, 5])
def test_a_step_or_reset_that_was_broken_off_is_followed_by_reset(fails_at: int) -> None:
    env = envs.gymnasium("oh-hell", 3, {"bidding": "turns"}, others=Faltering(fails_at))

    def play_on() -> None:
        env.reset(seed=1)
        while True:
            env.step(int(np.argmax(env.action_masks())))

    with pytest.raises(KeyboardInterrupt):
        play_on()
    with pytest.raises(UpcardError, match=r"call reset\(\) before the next step"):
        env.step(int(np.argmax(env.action_masks())))
    env.reset(seed=1)
    assert env.step(int(np.argmax(env.action_masks())))[4] == {}


def played_on(env: Any) -> str:
    """The match after the first of the legal actions at each decision."""
    while not env.episode.done:
        env.step(int(np.argmax(env.action_masks())))
    return str(env.episode.match.events)


def test_without_a_seed_a_copy_goes_on_with_chance_of_its_own_in_the_middle_of_a_match() -> None:
    env = envs.gymnasium("oh-hell", 3, {"max_cards": 7, "order": "down"}, others="random")
    env.reset()
    assert played_on(copy.deepcopy(env)) != played_on(env)


def test_a_generator_that_was_set_is_a_seed() -> None:
    first, second = (envs.gymnasium("oh-hell", 3) for _ in range(2))
    for env in (first, second):
        env.np_random = np.random.default_rng(1)
        env.reset()
        env.reset()
    assert str(first.episode.match) == str(second.episode.match)


def test_an_illegal_action_ends_the_match() -> None:
    env = envs.gymnasium("sixty-six")
    seen, _ = env.reset(seed=1)
    forbidden = int(np.argmin(seen["action_mask"]))
    last, reward, terminated, truncated, info = env.step(forbidden)
    assert (reward, terminated, truncated) == (-1, True, False)
    assert last["action_mask"].all()
    assert info == {"illegal": env.episode.actions.text(forbidden)}
    before = str(env.episode.match)
    with pytest.raises(UpcardError, match=r"the match is over: call reset\(\)"):
        env.step(int(np.argmax(seen["action_mask"])))
    assert str(env.episode.match) == before
    seen, _ = env.reset()
    assert not env.step(int(np.argmax(seen["action_mask"])))[2]


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"seat": 2}, "there is no seat 2: the seats are 0 to 1"),
        ({"seat": "0"}, "there is no seat '0'"),
        ({"others": "genius"}, "there is no player 'genius'"),
        ({"others": np.int64(0)}, "a player is a name or has a method choose"),
        ({"others": [np.array("random")]}, "a player is a name or has a method choose"),
        ({"others": ["random", "random"]}, "others names 2 players for 1 other seat"),
    ],
)
def test_seats_and_players_that_cannot_be_are_refused(told: dict[str, Any], message: str) -> None:
    with pytest.raises(UpcardError, match=message):
        envs.gymnasium("sixty-six", **told)


def test_the_others_may_be_named_in_an_array_of_numpy() -> None:
    """As a NumPy generator chooses them; such an array has a method `choose` like a player."""
    names: Any = np.array(["random", "casual"])
    players = envs.gymnasium("oh-hell", 3, others=names)._single.players
    assert list(map(type, players[1:])) == [type(player(name)) for name in ("random", "casual")]


@pytest.mark.parametrize(("package", "make"), [("pettingzoo", envs.pettingzoo), ("gymnasium", envs.gymnasium)])
def test_a_missing_package_is_named_with_its_extra(package: str, make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith(("upcard.envs.", package))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(UpcardError, match=rf"{package}.* is not installed: pip install .*gymnasium"):
        make("loo")
