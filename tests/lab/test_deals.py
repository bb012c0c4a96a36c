"""Deals as columns: they are the first deals of the recorded matches, whatever the number of workers."""

import csv
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from upcard import Match, Setup, UpcardError, View, lab
from upcard.games import load, load_file
from upcard.games.sixty_six import SixtySix
from upcard.games.sixty_six.rules import SixtySixState
from upcard.lab import Played
from upcard.lab.simulate import simulate
from upcard.rules import as_list, cards, open_suit
from upcard.rules.game import Game


class First:
    """Plays the first legal move."""

    def choose(self, view: View[Any], rng: Random) -> str:
        return view.legal()[0]


def same(one: Played, other: Played) -> bool:
    return list(one) == list(other) and all((one[name] == other[name]).all() for name in one)


def first_deal(record: dict[str, Any]) -> tuple[Match, Match]:
    """A recorded match after dealing for the first time, and at the end of that deal."""
    match = Match(record["game"], record["players"], dealer=record["dealer"], options=record["options"])
    dealt = match
    for event in record["events"]:
        if match.awaiting == "deal" and match.state.deals == 1:
            break
        match.event(event)
        if len(match.events) == 1:
            dealt = match.fork()
    return dealt, match


@pytest.mark.long
def test_they_are_the_first_deals_of_recorded_matches(game: type[Game]) -> None:
    records: list[dict[str, Any]] = []
    by = ["heuristic"] * game.default_players
    simulate(Setup(game), 5, 3, by=by, records=records.append)
    played = lab.deals(game, 5, seed=3, by="heuristic", jobs=1)
    for number, record in enumerate(records):
        dealt, ended = first_deal(record)
        state, seats = ended.state, range(ended.players)
        moves = sum(event.seat is not None for event in ended.events)
        standing = [ended.setup.utility(state, seat) for seat in seats]
        best = [seat for seat in seats if standing[seat] == max(standing)]
        expected = {
            "hand": getattr(dealt.state, game.hand.first)[: ended.players],
            "points": [score - before for score, before in zip(ended.scores, _before(ended), strict=True)],
            "moves": [moves] * ended.players,
            "dealer": [record["dealer"]] * ended.players,
            "won": [1 / len(best) if seat in best else 0 for seat in seats],
        }
        for name, values in expected.items():
            assert played.by_deal(name)[number].tolist() == values, name


def _before(match: Match) -> list[int]:
    return Match(match.setup, dealer=match.first_dealer).scores


@pytest.mark.parametrize("slug", ["oh-hell", "roundup"])
def test_the_number_of_jobs_changes_nothing(slug: str) -> None:
    alone = lab.deals(slug, 700, seed=5, by="heuristic", jobs=1)
    assert same(alone, lab.deals(slug, 700, seed=5, by="heuristic", jobs=3))
    assert not same(alone, lab.deals(slug, 700, seed=6, by="heuristic", jobs=1))
    few = lab.deals(slug, 40, seed=5, by="heuristic", jobs=1)
    assert all((few.by_deal(name) == alone.by_deal(name)[:40]).all() for name in few)


def test_players_written_in_python_get_the_same_hands_in_any_process() -> None:
    alone = lab.deals("oh-hell", 12, by=First(), jobs=1)
    assert same(alone, lab.deals("oh-hell", 12, by=First(), jobs=2))
    assert alone.by == ("First",) * 5
    compiled = lab.deals("oh-hell", 12, by="random")
    for name in ("hand", "dealer", "deal", "seat"):
        assert (alone[name] == compiled[name]).all()


def test_play_in_python_and_compiled_tells_the_same_kind_of_thing(game: type[Game]) -> None:
    plain = lab.deals(game, 3, by=First(), jobs=1)
    compiled = lab.deals(game, 3, by="heuristic", jobs=1)
    assert set(compiled) - {"tricks"} == set(plain) - {"tricks"}
    assert all(plain[name].dtype == compiled[name].dtype for name in plain if name in compiled)


@pytest.mark.long
def test_no_seat_of_casual_players_is_better_than_another() -> None:
    """In this many deals, a seat that is attacked slightly more often would be noticed: chance accounts for ± 0.4 %."""
    won = lab.deals(Setup("roundup", 4), 100_000, seed=3, by="heuristic").by_deal("won").mean(axis=0)
    assert won == pytest.approx([0.25] * 4, abs=0.0045)


@pytest.mark.long
def test_who_begins_is_the_first_to_act_alone() -> None:
    ours = lab.deals("sixty-six", 4, by="random")
    assert ours["first"].tolist() == (1 - ours["dealer"]).tolist()
    bids = lab.deals(Setup("roundup", 3), 50, by="heuristic")
    assert set(bids["first"].tolist()) == {0, 1, 2}  # the lowest bid decides, not the place at the table


def test_what_a_deal_brought() -> None:
    played = lab.deals("oh-hell", 60, by="heuristic")
    assert (played["made"] == (played["bids"] == played["tricks"])).all()
    assert (played.by_deal("tricks").sum(axis=1) == 1).all()  # one card each in the first deal
    assert (played.by_deal("won").sum(axis=1) == 1).all()


@pytest.mark.long
def test_a_game_from_outside_has_columns_for_what_it_says_of_the_last_deal(tmp_path: Path) -> None:
    """Its fields `last_…`, and no others: names that a shipped game has used mean nothing in another."""
    source = (Path(__file__).parents[1] / "small_game.py").read_text()
    fields = "    last_lead: int = open_field(of='card', kept=True)\n    how: int = open_field(kept=True)\n"
    for old, new in (
        ("class SmallState(TrickState, seats=3):\n", f"class SmallState(TrickState, seats=3):\n{fields}"),
        ("        s.played |= bit(move)\n", "        s.played |= bit(move)\n        s.last_lead = s.card[s.leader]\n"),
    ):
        assert old in source
        source = source.replace(old, new, 1)
    (tmp_path / "telling.py").write_text(source)
    [game] = load_file(tmp_path / "telling.py").values()
    played = lab.deals(game, 20)
    assert "how" not in set(played)
    assert played.kinds["lead"] == "card"
    assert {*played["lead"].tolist()} <= {*as_list(Setup(game, 2).setting("pack"))}


@pytest.mark.parametrize("play", [lab.deals, lab.matches])
def test_more_than_memory_holds_is_refused(play: Any) -> None:
    with pytest.raises(
        UpcardError,
        match=r"columns of 100 000 000 000 000 .* need about .* GB of memory, and this machine has .*: ask for",
    ):
        play("sixty-six", 10**14, jobs=1)


@pytest.mark.long
def test_cards_dealt_are_counted_by_words() -> None:
    played = lab.deals(Setup("roundup", 3), 20)
    hands = [[cards.text(card) for card in range(52) if hand >> card & 1] for hand in played["hand"].tolist()]
    assert played.count("K Q J").tolist() == [sum(card[0] in "KQJ" for card in hand) for hand in hands]
    assert played.count("h Ks").tolist() == [sum(card[1] == "h" or card == "Ks" for card in hand) for hand in hands]
    assert lab.deals("kalooki", 3).count("*").max() > 0
    with pytest.raises(UpcardError, match="'KK' is not a card, rank or suit"):
        played.count("KK")


def test_csv_has_cards_in_words(tmp_path: Path) -> None:
    played = lab.deals("sixty-six", 3, by=["heuristic", "random"])
    played.write_csv(tmp_path / "deals.csv")
    rows = list(csv.DictReader((tmp_path / "deals.csv").open(encoding="utf-8")))
    assert [row["player"] for row in rows] == ["heuristic", "random"] * 3
    assert all(len(row["hand"].split()) == 6 for row in rows)
    assert [int(row["points"]) for row in rows] == played["points"].tolist()


def test_frames(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    played = lab.deals("roundup", 5)
    frame = played.polars()
    assert frame.shape == (len(played["deal"]), len(played))
    played.write_parquet(tmp_path / "deals.parquet")
    assert polars.read_parquet(tmp_path / "deals.parquet").equals(frame)


def test_without_polars_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "polars", None)
    with pytest.raises(UpcardError, match=r"this needs Polars: pip install .*polars"):
        lab.deals("sixty-six", 1).polars()


def test_what_cannot_be_is_refused_in_words() -> None:
    for number, seats, fault in (
        (0, "random", "number is a whole number from 1 up, not 0"),
        (2, ["random"], "1 players are named for 2 seats"),
        (2, "genius", "there is no player 'genius'"),
        (2, [object()] * 2, "a player is a name or has a method choose"),
    ):
        with pytest.raises(UpcardError, match=fault):
            lab.deals("sixty-six", number, by=seats)  # type: ignore[arg-type]
    with pytest.raises(UpcardError, match="jobs is a whole number from 1 up, not -1"):
        lab.deals("sixty-six", 2, jobs=-1)
    with pytest.raises(UpcardError, match=r"seed is a whole number, not 1\.5"):
        lab.deals("sixty-six", 2, seed=1.5)  # type: ignore[arg-type]
    with pytest.raises(UpcardError, match="there is no column 'luck' \\(there are: deal, seat, player, "):
        lab.deals("sixty-six", 2)["luck"]
    assert "luck" not in lab.deals("sixty-six", 2)
    assert lab.deals("sixty-six", 2).get("luck") is None


@pytest.mark.long
def test_a_variant_keeps_the_packs_of_its_game() -> None:
    fifty = load("sixty-six").variant("fifty-lab", numbers={"enough": 50})
    ours, theirs = (lab.deals(one, 30, by="heuristic") for one in ("sixty-six", fifty))
    assert (ours["hand"] == theirs["hand"]).all()
    assert np.mean(theirs["moves"]) < np.mean(ours["moves"])


def test_a_field_of_a_game_does_not_say_what_the_columns_of_every_game_are() -> None:
    """Who begins is a seat, also where the rules keep a suit as `last_first`."""

    class FirstSuitState(SixtySixState):
        last_first: int = open_suit(kept=True)

    class FirstSuit(SixtySix[FirstSuitState]):
        title = "First suit"

    played = lab.deals(Setup(FirstSuit), 3, by=First(), jobs=1)
    assert "first" not in played.kinds and played.plain()["first"].tolist() == played["first"].tolist()
