"""Advice and review: what the search would play and by how much, from the seat's view alone."""

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from position_files import read_positions

from upcard import Match, replay
from upcard.cli import main
from upcard.compiled.comparison import compare_ends
from upcard.compiled.dealer import Dealer
from upcard.compiled.loops import LEARNED
from upcard.compiled.machine import machine_of
from upcard.compiled.words import REAL, WordArray, integers, matrix_of, zeros
from upcard.engine.chance import shuffler
from upcard.engine.errors import UpcardError
from upcard.engine.views import DealSoFar, View, view
from upcard.engine.worlds import world
from upcard.players import Rollouts, player
from upcard.players.advice import Advice, Rated, _compared, _margin, advise
from upcard.players.endgame_solver import opponent, solved, solved_ends
from upcard.players.inference import Believed
from upcard.players.reasons import Reason, explained, takes_trick, way_out
from upcard.players.review import costliest, decisions, judge, review
from upcard.players.search import MoveTrial
from upcard.rules.state import seats_of
from upcard.table.advising import Wording, grade_line

POSITIONS = Path(__file__).parent / "positions"
FEW = Rollouts(200)
GAMES = ("klaberjass", "oh-hell")


def played(game: str, seed: int, most: int = 60, by: str = "heuristic") -> Match[Any]:
    """A match up to its end, or its first events."""
    match, rng, one = Match(game, chance=shuffler(seed)), Random(seed), player(by)
    while not match.done and len(match.events) < most:
        seat = match.to_act[0]
        match.play(seat, one.choose(match.view(seat), rng))
    return match


@pytest.mark.parametrize("game", GAMES)
def test_advice_follows_from_the_view_alone(game: str) -> None:
    """The same where the seat sees the same, and the same again: it peeks at nothing, and has no luck of its own."""
    for number, decision in enumerate(decisions(played(game, 1), 0)):
        seen = decision.seen
        assert seen.begun
        other = view(seen.setup, world(seen, Random(number)), seen.seat, DealSoFar(seen.begun, seen.told))
        found = [advise(one, FEW, Random(number), decision.move) for one in (seen, other, seen)]
        assert found[0] == found[1] == found[2]
        assert decision.move in [rated.move for rated in found[0].moves]


@pytest.mark.parametrize("game", GAMES)
def test_a_review_is_the_same_for_matches_that_the_seat_could_not_tell_apart(game: str) -> None:
    """Twins: two unseen cards have changed their places, and whatever comes later is different."""
    compared = 0
    for seed in range(40):
        twins = [Match(game) for _ in range(2)]
        pack = twins[0].draw_lots(Random(seed)).split()
        i, j = sorted(Random(seed).sample(range(1, len(pack)), 2))
        other = [*pack[:i], pack[j], *pack[i + 1 : j], pack[i], *pack[j + 1 :]]
        for match, order in zip(twins, (pack, other), strict=True):
            match.event(" ".join(order))
        seat = twins[0].to_act[0]
        if twins[0].view(seat).state != twins[1].view(seat).state or twins[0].state == twins[1].state:
            continue
        for match in twins:
            match.play(seat, match.legal(seat)[-1])
            while not match.awaiting and not match.done:
                mover = match.to_act[0]
                match.play(mover, match.legal(mover)[0])
        one, two = (next(review(match, seat, FEW)) for match in twins)
        assert one == two
        compared += 1
    assert compared > 3


@pytest.mark.long
def test_advice_on_a_long_list_has_looked_at_every_move() -> None:
    """Ninety-Nine's 220 bids: which of them are compared does not depend on chance, or hardly."""
    seen = Match("ninety-nine", chance=shuffler(11)).view(1)
    found = [advise(seen, Rollouts(20_000), Random(number)) for number in range(2)]
    for advice in found:
        assert len(advice.moves) + advice.passed == len(seen.legal_moves()) == 220
    one, two = ({rated.text for rated in advice.moves} for advice in found)
    assert len(one & two) > len(one) / 4  # picked by chance they would share one or two


@pytest.mark.long
def test_a_long_list_takes_no_more_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    rollouts = 0

    def counting(trial: MoveTrial, worlds: int) -> None:
        nonlocal rollouts
        rollouts += worlds * len(trial.moves)
        tried(trial, worlds)

    tried = MoveTrial._try
    monkeypatch.setattr(MoveTrial, "_try", counting)
    match = Match("ninety-nine", chance=shuffler(11))
    advise(match.view(match.to_act[0]), Rollouts(40_000), Random(1))
    assert 35_000 < rollouts < 45_000


@pytest.mark.long
def test_a_hint_lays_cards_open_only_against_players_who_answer() -> None:
    """Rollouts alone would reveal, and call that sure: nobody plays against an open hand in them."""
    match = played("ninety-nine", 50, 6)
    advice = advise(match.view(match.to_act[0]), Rollouts(2000), Random(1))
    assert not (advice.best.text == "reveal" and len(advice.close) == 1)


def test_with_all_cards_known_advice_is_exact() -> None:
    """At the end of Sixty-Six each knows what the other holds: the best move is the solver's, and no margin is left."""
    tried = 0
    for seed in range(12):
        match, rng = Match("sixty-six", chance=shuffler(seed)), Random(seed)
        while match.state.deals == 1 and not match.done:
            seen = match.view(match.to_act[0])
            moves = seen.legal_moves()
            best = solved(seen, moves, rng) if len(moves) > 1 else None
            if best is not None and sum(seen.sizes) <= 8:
                advice = advise(seen, FEW, rng)
                rated = {one.move: one for one in advice.moves}
                assert advice.exact
                assert rated[best].loss == 0.0
                assert all(one.loss >= 0.0 and one.margin == 0.0 for one in advice.moves)
                assert all(one.is_worse == (one.loss > 0) for one in advice.moves)
                tried += 1
            quiet = [move for move in seen.legal() if move not in ("declare", "close")]
            match.play(match.to_act[0], rng.choice(quiet))
    assert tried > 10


@pytest.mark.parametrize("slug", ["klaberjass", "oh-hell"])
def test_what_is_proven_to_be_a_blunder_is_never_advised(slug: str) -> None:
    """However little is tried: it comes last, and is said to be proved."""
    for one in list(read_positions(POSITIONS / f"{slug}.jsonl"))[:8]:
        advice = advise(one.view, Rollouts(2), Random(1))
        proven = {rated.text for rated in advice.moves if rated.proven}
        assert proven == {*one.wrong}
        assert [rated.text in proven for rated in advice.moves] == sorted(rated.proven for rated in advice.moves)
        hint = Wording(one.view, [""] * one.view.state.players).hint(advice, 1)
        assert all(move.says.endswith("proved") and move.worse for move in hint.moves if move.text in proven)


@pytest.mark.long
def test_a_review_finds_the_blunder() -> None:
    """To bid seven of seven tricks with whatever one holds costs more than anything else in the deal."""
    match = Match("oh-hell", chance=shuffler(4))
    casual, rng = player("heuristic"), Random(3)
    while match.state.deals < 8:
        seat = match.to_act[0]
        bids = [move for move in match.legal(seat) if move.startswith("bid")]
        blunders = seat == 0 and match.state.deals == 7 and bids
        match.play(seat, bids[-1] if blunders else casual.choose(match.view(seat), rng))
    verdicts = [judge(decision, Rollouts(1000)) for decision in decisions(match, 0) if decision.deal == 7]
    worst = costliest(verdicts)[0]
    assert worst.played.text.startswith("bid")
    assert worst.better is not None
    assert worst.played.cost > 2 * worst.played.margin > 0
    assert "cost something" in grade_line(one.grade for one in verdicts)


def test_a_world_drawn_again_makes_nothing_surer() -> None:
    """An expert draws from a pool of worlds: trying these over and over tells no more of where the cards lie."""
    numbers, worlds = [-3, 4, 0, 1], [*range(4)]

    def margin(numbers: list[int], worlds: list[int]) -> float:
        utilities = matrix_of([numbers, [0] * len(numbers)])
        compared = compare_ends(machine_of(Match("oh-hell").game), utilities, _no_wins(utilities), integers(worlds), 0)
        return _margin(compared.costs[1], compared.cost_errors[1], compared, 2.0)

    assert margin(numbers, worlds) == pytest.approx(2.0 * np.std(numbers, ddof=1) / 2)
    assert margin(numbers * 100, worlds * 100) == pytest.approx(margin(numbers, worlds))
    assert margin(numbers * 100, [*range(400)]) < margin(numbers, worlds) / 9


def _no_wins(utilities: WordArray) -> WordArray:
    return zeros(*utilities.shape, kind=REAL)


@pytest.mark.parametrize("worlds", [1, 3, 400])
def test_nothing_is_certain_that_was_but_tried(worlds: int) -> None:
    """In all worlds tried the same move was better: of a few that tells little, and of many not all."""
    seen = played("oh-hell", 1, 5).view(0)
    utilities = matrix_of([[1] * worlds, [0] * worlds])
    ends = utilities, _no_wins(utilities)
    tried = _compared(seen, [0, 1], ends, integers(range(worlds)))
    assert tried.moves[1].is_worse == (worlds > 3)
    assert tried.moves[1].clear < float("inf")
    assert "certain" not in Wording(seen, ["Ann"] * 5).hint(tried, 7).headline
    assert _compared(seen, [0, 1], ends, integers(range(worlds)), exact=True).moves[1].clear == float("inf")


@pytest.mark.long
@pytest.mark.parametrize(("pool", "different"), [(8, 8), (None, 60)])
def test_it_is_noted_which_worlds_were_drawn_again(pool: int | None, different: int) -> None:
    seen = played("oh-hell", 3, 14).view(2)
    dealer = Dealer(seen)
    trial = MoveTrial(seen, seen.legal_moves(), Random(1), LEARNED, Believed(dealer, 1, pool) if pool else dealer)
    trial.run(Rollouts(180), 1.0)
    assert len(trial.drawn) == trial.utilities.shape[1] == 60
    assert len({*trial.drawn.numbers}) == different


def test_only_what_a_seat_had_to_decide_is_reviewed() -> None:
    match = played("klaberjass", 2)
    for seat in range(2):
        for decision in decisions(match, seat):
            event = match.events[decision.events]
            assert (event.seat, event.move) == (seat, decision.move)
            assert len(decision.seen.legal_moves()) > 1
    with pytest.raises(UpcardError, match="there is no seat 2"):
        next(review(match, 2))
    with pytest.raises(UpcardError, match="nothing to decide"):
        advise(match.view(1 - match.to_act[0]), FEW, Random(1))


# ---------------------------------------------------------------------------------------------------------- in words


def rated(
    move: int, cost: float, clear: float, margin: float = 0.5, chance: float = 0.0, second: float | None = 2.5
) -> Rated:
    return Rated(move, "", cost, margin, chance, cost, clear, second=second)


@pytest.mark.parametrize(
    ("moves", "exact", "headline", "last"),
    [
        ([rated(0, 0, 0), rated(1, 2.13, 1.5)], False, "2♣: about 2.1 points better than 3♣, fairly sure",
         "about 2.1 points worse (± 0.5), fairly sure"),
        ([rated(0, 0, 0), rated(1, 1.0, 2.5)], False, "2♣: about 1 point better than 3♣, quite sure",
         "about 1 point worse (± 0.5), quite sure"),
        ([rated(0, 0, 0), rated(1, 1.0, 2.5, second=0.5)], False, "2♣: about 1 point better than 3♣, fairly sure",
         "about 1 point worse (± 0.5), fairly sure"),
        ([rated(0, 0, 0), rated(1, 1.0, 2.5, second=1.5)], False, "2♣: about 1 point better than 3♣, fairly sure",
         "about 1 point worse (± 0.5), fairly sure"),
        ([rated(0, 0, 0), rated(1, 1.0, 2.5, second=None)], False, "2♣: about 1 point better than 3♣, fairly sure",
         "about 1 point worse (± 0.5), fairly sure"),
        ([rated(0, 0, 0), rated(1, 1.0, 2.5, second=-1.5)], False, "Too close to tell which is best",
         "too close to tell"),
        ([rated(0, 0, 0), rated(1, 0.3, 0.4)], False, "Too close to tell which is best", "too close to tell"),
        ([rated(0, 0, 0), rated(1, 0.3, 0.4), rated(2, 9.96, 3.0)], False,
         "2♣ or 3♣: too close to tell, the others are worse", "about 10 points worse (± 0.5), quite sure"),
        ([rated(0, 0, 0), rated(1, 0, 0)], True, "It no longer makes a difference", "as good as any"),
        ([rated(0, 0, 0), rated(1, 3, float("inf"), 0)], True, "2♣: 3 points better than 3♣, certain",
         "3 points worse, certain"),
        ([rated(0, 0, 0), rated(1, -1, 2.5, chance=0.12)], False, "2♣: 12 % more matches won than 3♣, quite sure",
         "12 % fewer matches won (± 0.5), quite sure"),
        ([rated(0, 0, 0)], True, "2♣: your only move", "best"),
    ],
)  # fmt: skip
def test_advice_in_words(moves: list[Rated], exact: bool, headline: str, last: str) -> None:
    seen = played("oh-hell", 1, 5).view(0)
    hint = Wording(seen, ["Ann"] * 5).hint(Advice(moves, 100, exact), 7)
    assert (hint.headline, hint.moves[-1].says) == (headline, last)


def test_what_was_passed_over_is_not_said_to_be_worse() -> None:
    seen = played("oh-hell", 1, 5).view(0)
    hint = Wording(seen, ["Ann"] * 5).hint(Advice([rated(0, 0, 0), rated(1, 0.3, 0.4)], 100, False, passed=30), 7)
    assert hint.headline == "2♣ or 3♣: too close to tell, the others look worse"


# --------------------------------------------------------------------------------------------------------- its reason


def test_the_reason_with_known_cards_is_the_answer_that_refutes() -> None:
    """What the answer named leaves is what the move was said to cost."""
    tried = 0
    for seed in range(12):
        match, rng = Match("sixty-six", chance=shuffler(seed)), Random(seed)
        while match.state.deals == 1 and not match.done:
            seen = match.view(match.to_act[0])
            if len(seen.legal_moves()) > 1 and opponent(seen) is not None:
                advice = explained(seen, advise(seen, FEW, rng), rng)
                reason = advice.reason
                assert reason is not None
                assert reason.is_known
                worse = [rated for rated in advice.moves if rated.is_worse]
                assert reason.against == (worse[0].move if worse else None)
                hint = Wording(seen, ["Ann", "Ben"]).hint(advice, 1)
                assert hint.reason is not None
                assert hint.reason.says.startswith("All cards are known")
                if reason.answer is not None and reason.against is not None:
                    assert is_answer(seen, match, reason.against, reason.answer)
                    tried += 1
            quiet = [move for move in seen.legal() if move not in ("declare", "close")]
            match.play(match.to_act[0], rng.choice(quiet))
    assert tried > 3


def is_answer(seen: View[Any], match: Match[Any], move: int, answer: int) -> bool:
    """Whether an answer is legal after a move, and as good as any."""
    state, me = match.state.copy(), seen.seat or 0
    seen.setup.apply(state, me, move)
    now = view(seen.setup, state, 1 - me)
    moves = now.legal_moves()
    ends = solved_ends(now, moves, Random(1))
    return len(moves) == 1 or (ends is not None and ends[moves.index(answer)] == max(ends))


@pytest.mark.parametrize("slug", ["oh-hell", "cinch", "ninety-nine", "linger-longer"])
def test_a_trick_that_is_called_sure_is_won_whatever_the_others_play(slug: str) -> None:
    sure = 0
    for seed in range(6):
        match, rng = Match(slug, chance=shuffler(seed)), Random(seed)
        while not match.done and len(match.events) < 120:
            seat = match.to_act[0]
            seen = match.view(seat)
            for move in seen.legal_moves():
                if takes_trick(seen, move, rng):
                    sure += 1
                    for _ in range(5):
                        assert trick_after(seen, move, rng) == seat
            match.play(seat, rng.choice(seen.legal()))
    assert sure > 5


def trick_after(seen: View[Any], move: int, rng: Random) -> int:
    """The winner of the trick if the others play at random in one of the worlds."""
    state, setup = world(seen, rng), seen.setup
    tricks = sum(state.tricks)
    setup.apply(state, seen.seat or 0, move)
    buffer = [0] * setup.most_moves
    while state.to_act and sum(state.tricks) == tricks and state.in_trick:
        seat = seats_of(state.to_act)[0]
        setup.apply(state, seat, rng.choice(buffer[: setup.legal_moves(state, seat, buffer)]))
    return int(state.taker)


def test_a_way_out_is_found_from_the_draw_to_the_discard() -> None:
    """In Kalooki: with the upcard three melds can be laid, one card remains to be thrown, and the deal is over."""
    match: Match[Any] = replay(json.loads((POSITIONS / "way-out.json").read_text()))
    seen = match.view(match.to_act[0])
    assert seen.legal() == ["take", "stock"]
    take, stock = seen.legal_moves()
    line = way_out(seen, take, Random(1))
    assert line is not None
    assert way_out(seen, stock, Random(1)) is None
    state, seat = world(seen, Random(2)), match.to_act[0]
    for move in (take, *line):
        assert state.to_act == 1 << seat
        seen.setup.apply(state, seat, move)
    assert (state.to_act, state.last_out) == (0, seat)
    advice = Advice([Rated(take, "take", 0, 0, 0, 0, 0)], 1, False, reason=Reason(way_out=line))
    hint = Wording(seen, ["Ann", "Ben", "Cat", "Dan"]).hint(advice, 1)
    assert hint.reason is not None
    assert hint.reason.says.startswith("The way out: then lay ")
    assert len(hint.reason.moves) == 1 + len(line)


# ------------------------------------------------------------------------------------------------------ as a command


@pytest.mark.long
def test_the_command_lists_the_costliest_moves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(played("oh-hell", 2, 40, by="random").record()))
    ran = ["upcard", "review", str(file), "--rollouts", "200"]
    monkeypatch.setattr("sys.argv", [*ran, "--seat", "0"])
    with pytest.raises(SystemExit):
        main()
    told = capsys.readouterr().out
    assert told.startswith("Seat 0: ")
    assert "How much worse" in told
    assert f"upcard watch {file} --seat 0 --deal" in told
    monkeypatch.setattr("sys.argv", [*ran, "--json"])
    with pytest.raises(SystemExit):
        main()
    seats = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["seat"] for one in seats] == [0, 1, 2, 3, 4]
    assert all(one["played"] in [move["move"] for move in one["moves"]] for seat in seats for one in seat["decisions"])


def test_a_match_without_decisions_is_told_as_such(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(Match("oh-hell").record()))
    monkeypatch.setattr("sys.argv", ["upcard", "review", str(file), "--seat", "0"])
    with pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().out == "Seat 0: 0 decisions: there was nothing to choose.\n"


@pytest.mark.parametrize(
    ("words", "said"), [(["nowhere.json"], "there is no file"), (["--seat", "9"], "--seat must be 0 to 4")]
)
def test_what_cannot_be_reviewed_is_said_in_one_line(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(Match("oh-hell").record()))
    monkeypatch.setattr("sys.argv", ["upcard", "review", *(words if len(words) == 1 else [str(file), *words])])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
