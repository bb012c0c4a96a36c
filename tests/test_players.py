"""Computer players: they play legally, do not peek, and the stronger ones win."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from playing import play_on, random_header, random_match
from small_game import SmallGame

from upcard import Match
from upcard.compiled.comparison import WIN, MoveComparison, compare_ends
from upcard.compiled.machine import machine_of
from upcard.compiled.words import REAL, integers, reals, zeros
from upcard.engine.chance import shuffler
from upcard.engine.errors import UpcardError
from upcard.engine.setup import Setup
from upcard.engine.views import View, view
from upcard.engine.worlds import Worlds, world, worlds_for
from upcard.lab.seating import made
from upcard.lab.simulate import simulate
from upcard.players import LEVELS, PLAYERS, Rollouts, Seconds, player, search
from upcard.players.thinking_limits import Deadline
from upcard.policies.similar_moves import slip_of
from upcard.rules.game import Game

FEW = Rollouts(60)


def compared_wins(values: Sequence[Any], drawn: Any = None) -> MoveComparison:
    """Moves compared whose utilities are all alike, and whose shares of the match have these values, by move."""
    wins = zeros(len(values), len(values[0]), kind=REAL)
    wins.numpy[:] = np.array(values) / WIN
    worlds = integers(range(len(values[0])) if drawn is None else drawn.tolist())
    return compare_ends(machine_of(Match("oh-hell").game), zeros(*wins.shape), wins, worlds)


def test_every_game_has_its_heuristic(game: type[Game]) -> None:
    assert game.defines("choose")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["random", "easy", "heuristic"])
def test_a_player_makes_only_legal_moves_in_whole_matches(game: type[Game], name: str, seed: int) -> None:
    players, dealer, options = random_header(game, seed)
    match = Match(game, players, dealer=dealer, options=options, chance=shuffler(seed))
    one, rng = player(name), Random(seed)
    while not match.done and len(match.events) < 1500:
        seat = rng.choice(match.to_act)
        match.play(seat, one.choose(match.view(seat), rng))


def test_a_searching_player_makes_only_legal_moves(game: type[Game]) -> None:
    match, rng = random_match(game, 1), Random(1)
    match.event(match.draw_lots(rng))
    searching, casual = player("search", FEW), player("heuristic")
    while not match.done and len(match.events) < 120:
        if match.awaiting:
            match.event(match.draw_lots(rng))
            continue
        seat = rng.choice(match.to_act)
        one = searching if seat == 0 else casual
        match.play(seat, one.choose(match.view(seat), rng))


def test_who_errs_makes_a_legal_move_like_the_one_that_was_meant(game: type[Game]) -> None:
    """The same verb, at most one thing else; so never a claim in place of a card."""
    slip, rng, erred = slip_of(game), Random(7), 0
    for match in play_on(random_match(game, 7), rng, 150):
        for seat in match.to_act:
            moves = match.view(seat).legal_moves()
            meant = rng.choice(moves)
            made = slip(match.state, moves, len(moves), meant, rng.randrange(1 << 31))
            assert made in moves
            (verb, *items), (other, *others) = parts(game, meant), parts(game, made)
            assert verb == other
            if game.notation.spec(meant).items == ("number",):
                assert abs(items[0] - others[0]) <= 1
            assert len({*items} ^ {*others}) <= 2
            erred += made != meant
    assert erred > 10


def parts(game: type[Game], move: int) -> list[int]:
    """The verb and the items of a move."""
    return [move >> 51, *game.notation.items(move)]


# -------------------------------------------------------------------------------------------------- nobody peeks


def twins(game: type[Game], seed: int, events: int) -> Iterator[tuple[Match, View, View]]:
    """Positions with the view of a seat that is to act, and with its view of another world."""
    match, rng = random_match(game, seed), Random(seed)
    for _ in play_on(match, rng, events):
        for seat in match.to_act:
            seen = match.view(seat)
            other = view(match.setup, world(seen, rng), seat)
            yield match, seen, replace(other, begun=seen.begun, told=seen.told)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_heuristics_look_only_at_what_their_seat_sees(game: type[Game], seed: int) -> None:
    """They choose the same on the true state, on its view and on any world that fits the view."""
    rng = Random(seed)
    for match, seen, _ in twins(game, seed, 250):
        assert seen.seat is not None
        moves, luck = seen.legal_moves(), rng.randrange(1 << 31)
        states = [match.state, seen.state, *(world(seen, rng) for _ in range(3))]
        chosen = {match.setup.choose(state, seen.seat, moves, len(moves), luck) for state in states}
        assert len(chosen) == 1
        assert chosen <= set(moves)


@pytest.mark.long
@pytest.mark.parametrize("name", PLAYERS)
def test_a_player_chooses_the_same_where_its_seat_sees_the_same(game: type[Game], name: str) -> None:
    one = player(name, FEW)
    for number, (_, seen, other) in enumerate(twins(game, 5, 100)):
        if name != "search" or number % 10 == 0:
            assert one.choose(seen, Random(number)) == one.choose(other, Random(number))


def test_choosing_changes_nothing(game: type[Game]) -> None:
    for _, seen, _ in twins(game, 6, 40):
        before = seen.state.copy()
        player("search", FEW).choose(seen, Random(1))
        assert seen.state == before


# ------------------------------------------------------------------------------------------------------- strength


def test_heuristics_beat_random_play_in_every_game(game: type[Game]) -> None:
    """At seat 0, among players at random: by how often it wins, compared with one more at random.

    Some games are mostly luck: at Linger Longer even searching wins only about half of such matches of four.
    """
    players = game.default_players
    wins = []
    for first in ("heuristic", "random"):
        matches = 300
        summary = simulate(Setup(game), matches, 3, by=[first] + ["random"] * (players - 1))
        wins.append(summary.seats[0].wins / matches)
    heuristic, at_random = wins
    assert heuristic > min(0.9, at_random + 0.1)


@pytest.mark.long
def test_searching_beats_the_heuristic_at_sixty_six() -> None:
    """The same packs twice, the players changing seats; 0.83 of the matches are won in the long run."""
    setup, matches = Setup("sixty-six", 2, {"target": 5}), 20
    there = simulate(setup, matches, 11, by=["search:300", "heuristic"], jobs=1)
    back = simulate(setup, matches, 11, by=["heuristic", "search:300"], jobs=1)
    assert (there.seats[0].wins + back.seats[1].wins) / (2 * matches) > 0.6


# ------------------------------------------------------------------------------------------------------ names, limits


def test_an_unknown_player_is_refused_in_words() -> None:
    with pytest.raises(UpcardError, match="there is no player 'genius'"):
        player("genius")
    for nobody in (5, None, ["random"]):
        with pytest.raises(UpcardError, match=r"there is no player (5|null|a list) "):
            player(nobody)  # type: ignore[arg-type]
    wrong = "heuristic:5 search: search:x search:0 search:99999999999999999999 search:5:5 expert:x"
    for name in wrong.split(" "):
        with pytest.raises(UpcardError):
            player(name)


@pytest.mark.parametrize("name", PLAYERS)
def test_who_is_not_to_act_is_not_asked(name: str) -> None:
    """In one line for all players, where each would stumble in its own way."""
    match = Match("sixty-six", chance=shuffler(1))
    other = 1 - match.to_act[0]
    with pytest.raises(UpcardError, match=f"^seat {other} is not to act$"):
        player(name).choose(match.view(other), Random(1))
    with pytest.raises(UpcardError, match=r"^a spectator is not to act$"):
        player(name).choose(match.view(None), Random(1))


@pytest.mark.parametrize("name", PLAYERS)
def test_what_draws_otherwise_than_python_is_refused(name: str) -> None:
    """It says so even where a move is forced or solved, and no luck is needed."""
    seen = forced()
    others: list[tuple[Any, str]] = [(np.random.default_rng(1), "a Generator"), (None, "null")]
    for rng, told in others:
        with pytest.raises(UpcardError, match=rf"^random numbers are drawn from a random\.Random, .*, not {told}$"):
            player(name).choose(seen, rng)


def test_levels_are_players_with_a_title_and_a_line_of_help() -> None:
    assert list(LEVELS) == ["easy", "casual", "medium", "strong", "expert"]
    for name, kind in LEVELS.items():
        assert kind.title.lower() == name
        assert kind.help
        assert kind in PLAYERS.values()
        assert type(player(name)) is type(player(kind.name))


def forced() -> View:
    """A seat that has only one card to play."""
    match = Match("oh-hell", 3, chance=shuffler(1))
    while match.phase == "bid":
        match.play(match.to_act[0], "bid 0")
    return match.view(match.to_act[0])


def test_a_forced_move_is_made_at_once() -> None:
    seen = forced()
    assert len(seen.legal()) == 1
    assert player("search", Seconds(1000.0)).choose(seen, Random(1)) == seen.legal()[0]


@pytest.mark.parametrize(("worlds", "lead", "chosen"), [(63, 9.0, 0), (64, 0.1, 0), (64, 0.2, 1), (900, 0.03, 1)])
def test_the_rules_of_thumb_are_overruled_by_what_is_hardly_chance(worlds: int, lead: float, chosen: int) -> None:
    """A lead with a spread of 1: where worlds are few it must be greater, and in very few none is enough."""
    spread = np.resize([1.0, -1.0], worlds)
    compared = compared_wins([np.zeros(worlds), lead + spread - spread.mean()])
    assert search.clearly_best(compared, search.FEW) == chosen


def test_a_world_drawn_again_makes_no_move_clearer() -> None:
    """A lead in half of sixty-four worlds, each drawn a hundred times: in none of them is luck left."""
    worlds = np.resize(np.arange(64), 6400)
    lead = np.where(worlds % 2, 1.2, -1.0)
    again, once = (compared_wins([np.zeros(6400), lead], drawn) for drawn in (worlds, np.arange(6400)))
    assert search.clearly_best(again, search.FEW) == 0 != search.clearly_best(once, search.FEW)
    trial: Any = SimpleNamespace(drawn=worlds, compared=lambda: compared_wins([np.zeros(6400), lead + 0.5], worlds))
    assert not search.MoveTrial.is_clear(trial)
    trial.compared = lambda: compared_wins([np.zeros(6400), lead + 0.5])
    assert search.MoveTrial.is_clear(trial)


def test_of_a_list_beyond_all_bounds_some_moves_of_every_verb_are_tried() -> None:
    """All 286 bids of Ninety-Nine with thirteen cards are; a game of somebody's own may have more."""
    lays, calls = ([(verb << 51) + number for number in range(many)] for verb, many in ((1, 2000), (2, 3)))
    tried = search.candidates([*lays, *calls], lays[7], Random(1))
    assert tried[0] == lays[7] and len(tried) == len({*tried}) == search.MOST_MOVES > 286
    assert {*calls} < {*tried}


def test_of_a_long_list_every_move_is_tried_however_short_the_time() -> None:
    """A bid of Ninety-Nine is one of 220: some of them picked by chance would hide the best."""
    seen = Match("ninety-nine", chance=shuffler(11)).view(1)
    trial = search.MoveTrial(seen, seen.legal_moves(), Random(1), search.best_rollouts(seen.game))
    trial.run(Rollouts(1), 1.0)
    assert trial.utilities.shape[0] == len(seen.legal_moves()) == 220
    assert trial.utilities.shape[1] > search.EACH
    few = search.MoveTrial(seen, seen.legal_moves()[: search.MANY], Random(1), search.best_rollouts(seen.game))
    few.run(Rollouts(1), 1.0)
    assert few.utilities.shape[1] == 1


@pytest.mark.long
def test_however_much_time_is_left_the_clock_is_looked_at_again_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tens of thousands of worlds at once leave the caches and take much longer than reckoned."""
    seen = Match("klaberjass", chance=shuffler(11)).view(1)
    trial = search.MoveTrial(seen, seen.legal_moves(), Random(1), search.best_rollouts(seen.game))
    tried: list[int] = []

    def one_more(worlds: int) -> None:
        tried.append(worlds * len(trial.moves))
        once(worlds)

    once = trial._try
    monkeypatch.setattr(trial, "_try", one_more)
    trial.run(Rollouts(20_000), 1.0)
    assert sum(tried) >= 20_000 - len(trial.moves)
    assert max(tried) < search.MOST_AT_ONCE + len(trial.moves)


def test_a_match_that_is_won_is_not_given_up_for_points() -> None:
    more = compared_wins([np.zeros(100), np.full(100, 5.0)])
    wins = reals([1.0] * 100)
    trial: Any = SimpleNamespace(moves=[7, 8], wins=wins, compared=lambda: more, note_standing=lambda: None)
    trial.wins.shape = 1, 100
    assert search.MoveTrial.best(trial) == 7
    wins.numbers[0] = 0.0
    assert search.MoveTrial.best(trial) == 8


def test_thinking_stops_near_its_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that takes a millisecond for a rollout."""
    rollouts = 0

    def counting(trial: search.MoveTrial, worlds: int) -> None:
        nonlocal rollouts
        rollouts += worlds * len(trial.moves)
        tried(trial, worlds)

    tried = search.MoveTrial._try
    monkeypatch.setattr(search.MoveTrial, "_try", counting)
    monkeypatch.setattr("time.perf_counter", lambda: rollouts / 1000)
    match = Match("sixty-six", chance=shuffler(1))
    player("search", Seconds(2.0)).choose(match.view(match.to_act[0]), Random(1))
    assert 1900 < rollouts < 2100


def test_the_time_in_which_worlds_are_counted_is_part_of_the_move(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, given = 0.0, set()

    def counted(view: View[Any]) -> Worlds:
        nonlocal clock
        clock += 0.25
        return worlds_for(view)

    monkeypatch.setattr("time.perf_counter", lambda: clock)
    monkeypatch.setattr(search, "worlds_for", counted)
    monkeypatch.setattr(search.MoveTrial, "run", lambda trial, limit, part: given.add(limit))
    match = Match("sixty-six", chance=shuffler(1))
    player("search", Seconds(2.0)).choose(match.view(match.to_act[0]), Random(1))
    assert given == {Seconds(1.75)}


def test_until_a_deadline_all_that_came_before_the_rollouts_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = Deadline(begun=10.0, seconds=1.0)
    monkeypatch.setattr("time.perf_counter", lambda: 10.75)
    assert limit.left(started=10.5, rollouts=100, part=1) == pytest.approx(100)  # as many again
    assert limit.left(started=10.5, rollouts=100, part=0.5) == pytest.approx(0)
    assert limit.without(0.75) == limit  # that time is over
    assert limit.without(1.0) == Deadline(10.0, 0.75)


def test_no_more_worlds_are_tried_than_tell_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_WORLDS", 1000)
    seen = Match("sixty-six", chance=shuffler(1)).view(1)
    trial = search.MoveTrial(seen, seen.legal_moves(), Random(1), search.best_rollouts(seen.game))
    trial.run(Rollouts(10**9), 0.5)
    assert 500 <= trial.utilities.shape[1] < 500 + search.MOST_AT_ONCE
    trial.run(Rollouts(10**9), 1.0)
    assert 1000 <= trial.utilities.shape[1] < 1000 + search.MOST_AT_ONCE


@pytest.mark.parametrize(("game", "rollouts"), [("cinch", 100), (SmallGame, 300)], ids=["learned", "not"])
def test_a_strong_player_tries_as_much_wherever_it_plays(
    game: str | type[Game], rollouts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fewer rollouts as learned than by rules of thumb, which tell less; at a table and in the lab alike."""
    match: Match[Any] = Match(game, chance=Random(2))
    view = match.view(match.to_act[0])
    limits: list[Any] = []

    class Noting(search.MoveTrial):
        """Two moves, of which none is tried."""

        def __init__(self, view: View[Any], moves: list[int], *more: Any) -> None:
            self.moves = moves[:2]

        def run(self, limit: Any, part: float) -> None:
            limits.append(limit)

        def is_clear(self) -> bool:
            return True

        def best(self, few: int = 0) -> int:
            return self.moves[0]

    monkeypatch.setattr(search, "MoveTrial", Noting)
    for strong in (player("strong"), made("strong"), player("search:7"), made("expert")):
        strong.choose(view, Random(1))
    assert limits == [Rollouts(rollouts), Rollouts(rollouts), Rollouts(7), Rollouts(1000)]
