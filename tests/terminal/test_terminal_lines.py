"""The table in lines of text: whole matches, commands, and refusals of moves."""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from sitting import by_game, choice, heard, session, texts

from upcard import games
from upcard.engine.match import Match
from upcard.engine.views import View
from upcard.players import Rollouts
from upcard.players.advice import Advice, advise
from upcard.rules.game import Game
from upcard.rules.second_person import you
from upcard.table.errors import Refusal
from upcard.table.journal import Hinted
from upcard.table.offers import ButtonRow, Move, Offers
from upcard.table.scene import SceneView, describe
from upcard.terminal import choosing, wording
from upcard.terminal.local_store import LocalStore
from upcard.terminal.preferences import Preferences, load_preferences
from upcard.terminal.typed import same_in_any_order, several_moves, tidy

ODD_TABLES = Path(__file__).parents[1] / "odd_tables.py"


@by_game
def test_whole_match_in_lines(game: type[Game[Any]]) -> None:
    """Every move by its number in the list where it has one, some after nonsense; at the end the winners are named."""
    table = session(game)
    rng = Random(1)

    def say() -> str:
        if rng.random() < 0.02:
            return "nonsense\n"
        listed = [move.text for move in choosing.sorted_moves(table.scene.offers, table.scene.hand)]
        text = choice(table, rng)
        return f"{1 + listed.index(text)}\n" if text in listed else f"{text}\n"

    lines = heard(table, say)
    assert table.scene.done
    winner = table.names[table.scene.winners[0]]
    assert any(line.startswith("The match is over: ") and winner.lower() in line.lower() for line in lines)
    assert lines[-1] == wording.in_letters(wording.scores(table.scene, table.names)[-1])
    assert not any("header:" in line or "{" in line for line in lines)


@pytest.mark.parametrize(("slug", "numbers"), [("odd-oh-hell", "17"), ("odd-klaberjass", "18"), ("odd-nines", "51")])
def test_a_whole_match_with_odd_numbers(slug: str, numbers: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules tell the numbers of this table."""
    monkeypatch.setenv("UPCARD_GAMES", str(ODD_TABLES))
    table = session(slug)
    rng, asked = Random(1), iter(["rules\n"])
    lines = heard(table, lambda: next(asked, f"{choice(table, rng)}\n"))
    assert any(numbers in line for line in lines)
    assert table.scene.done
    assert [seat.score for seat in table.scene.seats] == table.match.report()["scores"]
    assert not any("header:" in line or "{" in line for line in lines)


@by_game
def test_a_match_can_be_piped_in(game: type[Game[Any]]) -> None:
    """The same seed gives the same match, so what was typed once can be piped in."""
    table = session(game, seed=5)
    typed: list[str] = []

    def say() -> str:
        if len(typed) == 4:
            return ""
        typed.append(texts(table.scene)[0] + "\n")
        return typed[-1]

    first = heard(table, say)
    again = heard(session(game, seed=5), "".join(typed))
    assert first[:-1] == again[:-1]


def test_lines_through_a_pipe(places: Path) -> None:
    """The command itself: end of input is a polite end."""
    done = subprocess.run(
        [sys.executable, "-m", "upcard", "play", "sixty-six", "--plain", "--seed", "3", "--words"],
        input="hand\n\xff\n1\n".encode("latin-1"),
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": "ascii:strict"},
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    lines = done.stdout.decode("ascii").splitlines()
    assert lines[-1].startswith("You leave the table. To return: upcard play --resume ")
    assert "You play ten of hearts; Ada takes the trick" in lines
    assert load_preferences().words


def test_refusals_say_what_is_wrong_and_then_the_clause() -> None:
    lines = heard(session("sixty-six", seed=3), "9s\nmeld Kh Qh\n77\nspam\n")
    assert "You do not hold 9s (SS-11)." in lines
    assert "You do not hold Kh Qh (SS-20)." in lines
    assert "There is no move 77: they are 1 to 6." in lines
    assert "“spam” is not a move in Sixty-Six (SS-48)." in lines
    assert lines.count("Your turn: play a card") == 4


def test_where_no_move_is_listed_with_a_number_a_number_is_none() -> None:
    lines = heard(session("ninety-nine", seed=3), "1\n")
    assert "There is no move 1: the moves that you can make now have no numbers." in lines


def test_help_and_the_way_out_are_found_under_short_names_too() -> None:
    lines = heard(session("sixty-six", seed=3), "?\nq\n1\n")
    assert "quit: leave the table." in lines
    assert lines[-1].startswith("You leave the table.")


def test_a_card_that_is_named_more_often_than_it_is_held_is_not_called_missing() -> None:
    assert "You hold Th only once (SS-20)." in heard(session("sixty-six", seed=3), "meld Th Th\n")


def test_what_must_be_followed_is_said() -> None:
    """In Oh Hell a player who has the led suit must follow it."""
    table = session("oh-hell", 3, seed=4)
    said: list[str] = []

    def say() -> str:
        scene = table.scene
        legal = [move.text for move in scene.offers.moves]
        wrong = [card for card in scene.hand if card not in legal]
        if wrong and not scene.offers.rows and scene.zone("trick").cards and not said:
            said.append(wrong[0])
            return f"{wrong[0]}\n"
        return "" if said else f"{legal[0]}\n"

    lines = heard(table, say)
    assert said
    assert any(re.match(r"You have \w+, so you must follow suit: .*\(OH-\d+\)\.$", line) for line in lines)


def test_what_can_be_asked() -> None:
    lines = heard(session("sixty-six", seed=3), "help\nhand\ntable\nmoves\nscores\nlast\nrules\nrules 17\nrules zz\n")
    assert any(line.startswith("Type a move as it is listed: a card (As, 10d, a♠, ace of spades)") for line in lines)
    assert lines.count("Your hand, 6 cards: Th, Jh, 9h, Td, Ac, Tc") == 2
    assert any(line.startswith("Ada: 5 cards, open: Kd") and line.endswith("score 0, leader") for line in lines)
    assert "Stock: 11 cards face down" in lines
    assert "There is no finished trick in this deal." in lines
    assert "How the deal ends: Victory points" in lines
    assert "SS-17: From then on the second player must follow suit if they can." in lines
    assert "There is no clause ZZ on the page of this game." in lines
    assert any(line.startswith("- **SS-48**") for line in heard(session("sixty-six"), "rules all\n"))


def test_a_hint_names_the_best_moves_and_is_kept_with_the_match() -> None:
    store = LocalStore(None)
    table = session("klaberjass", seed=3, store=store)
    table.advise = little_thought
    lines = heard(table, "hint\nhint\n")
    told = [line for line in lines if "better than" in line or "too close" in line.lower()]
    assert len(told) >= 2
    assert told[0] in lines[lines.index(told[0]) + 1 :]
    kept = store.wanted(None)
    assert [entry for entry in kept.entries if isinstance(entry, Hinted)] == [kept.entries[-1]]
    assert kept.standing().seating.hinted == {0}


def test_who_does_not_wait_for_a_hint_goes_on_without() -> None:
    table = session("klaberjass", seed=3)

    async def interrupted(seen: View[Any]) -> Advice:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()  # as Ctrl-C does
        return await asyncio.Future()

    table.advise = interrupted
    lines = heard(table, "hint\nhand\n")
    assert lines[lines.index("No hint, then.") + 1].startswith("Your turn: ")
    assert lines[-2].startswith("Your hand, ")


def test_ctrl_c_leaves_the_table_and_says_how_to_come_back() -> None:
    def say() -> str:
        raise KeyboardInterrupt

    assert heard(session("sixty-six"), say)[-1].startswith("You leave the table. To return: ")


def test_who_plays_is_told_at_first() -> None:
    assert "You play against Ada, a casual computer player." in heard(session("sixty-six"), "")
    assert "You play against Ada, Basil and Cleo, expert computer players." in heard(
        session("oh-hell", 4, level="expert"), ""
    )


def test_who_cannot_have_a_hint_is_told_why() -> None:
    table = session("klaberjass", seed=3)

    async def missing(seen: View[Any]) -> Advice:
        raise Refusal("Hints need more packages")

    table.advise = missing
    assert "Hints need more packages." in heard(table, "hint\n")


async def little_thought(seen: View[Any]) -> Advice:
    return advise(seen, Rollouts(100), Random(1))


def test_the_game_is_told_in_the_words_that_one_has_chosen() -> None:
    lines = heard(session("sixty-six"), "learn\n", Preferences(words=True))
    assert any("The card turned up, ten of hearts, makes hearts trumps." in line for line in lines)
    assert not any(line.startswith("#") or "**" in line for line in lines)


def test_cards_in_words() -> None:
    lines = heard(session("sixty-six", seed=3), "words\nten of HEARTS\nwords\n")
    assert "Your hand, 6 cards: ten of hearts, jack of hearts, nine of hearts, ten of diamonds, " in "".join(lines)
    assert "You play ten of hearts; Ada takes the trick" in lines
    assert lines[-2].startswith("Your hand, 6 cards: Jh, 9h, Qs")


def test_a_move_and_a_deal_can_be_taken_back() -> None:
    lines = heard(session("sixty-six", seed=3), "undo\nTh\nJh\nundo\nagain\n")
    assert "You have not moved yet." in lines
    assert lines[lines.index("You take your move back.") + 1] == "Your hand, 6 cards: Jh, 9h, Qs, Td, Ac, Tc"
    assert lines[lines.index("The same cards again.") + 1] == "Your hand, 6 cards: Th, Jh, 9h, Td, Ac, Tc"


def test_nothing_but_text() -> None:
    """No colours, no boxes, no signs that a screen reader stumbles over."""
    lines = heard(session("kalooki", seed=2), "table\n1\n1\n1\ntable\nmoves\n1\n1\n1\n")
    assert set("".join(lines)) - set("“”…–") <= set(map(chr, range(32, 127)))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("KH", "Kh"),
        ("10d", "Td"),
        ("  a♠ ", "As"),
        ("10♢", "Td"),
        ("MELD  kh QH", "meld Kh Qh"),
        ("ace of spades", "As"),
        ("lay 10 of clubs joker Queen of Clubs", "lay Tc * Qc"),
        ("Bid 3", "bid 3"),
        ("choose hearts", "choose h"),
    ],
)
def test_typed(typed: str, meant: str) -> None:
    assert tidy(typed) == meant


def test_cards_may_be_typed_in_any_order() -> None:
    assert same_in_any_order("lay 7d 7h 7s", ["lay 7s 7h 7d", "discard 7d"]) == "lay 7s 7h 7d"
    assert same_in_any_order("tack 2 9h", ["tack 9h 2", "tack 9h 3"]) == "tack 9h 2"
    assert same_in_any_order("lay 5h 5h 7d", ["lay 7d 5h", "lay 7d 7d 5h"]) == "lay 5h 5h 7d", "no such cards"
    assert same_in_any_order("lay * 5h 6h", ["lay * 6h 5h", "lay 6h 5h *"]) == "lay * 5h 6h", (
        "which of them is not said"
    )


def test_several_moves_on_one_line() -> None:
    assert several_moves("lay 9s 9h 9d, 4c 5c 6c; joker 2d 3d") == ["lay 9s 9h 9d", "lay 4c 5c 6c", "lay * 2d 3d"]
    assert several_moves("9s, pass") == ["9s", "pass"]


@pytest.mark.parametrize(
    ("told", "heard"),
    [
        ("Ann plays K♥ and takes the trick", "You play K♥ and take the trick"),
        ("Bo leads; Ann passes", "Bo leads; you pass"),
        ("Ann’s hand is open", "Your hand is open"),
        ("Annabel has won", "Annabel has won"),
        ("The match is over: Ann wins", "The match is over: you win"),
    ],
)
def test_you(told: str, heard: str) -> None:
    assert you(told, "Ann") == heard


def test_long_lists_of_moves_are_shortened() -> None:
    lays = [Move(f"lay {i}", "lay", f"Lay {i}", ["As", "Kd"], i) for i in range(40)]
    bids = [Move(f"bid {i}", "bid", f"Bid {i}", [], i) for i in range(14)]
    row = ButtonRow("Bid", [], [str(i) for i in range(14)], [bid.text for bid in bids])
    scene = table_scene()
    scene.hand = ["As", "Kd"]
    scene.offers = Offers([Move("As", "", "A♠", ["As"]), *lays, *bids], rows=[row])
    assert wording.few_moves(scene)[:2] == ["You may play: 1 As", "Bid: " + " ".join(map(str, range(14)))]
    assert len(wording.few_moves(scene)) == 2 + wording.FEW + 1
    assert len(wording.numbered(choosing.sorted_moves(scene.offers, scene.hand))) == 1 + 40 + 14


def table_scene() -> Any:
    from upcard.engine.match import Match
    from upcard.table.scene import describe

    return describe(Match(games.load("sixty-six"), 2).view(0))


def test_what_a_label_says_is_not_said_twice() -> None:
    table = heard(session("cinch", seed=5), "1\n1\nquit\n")
    assert any(line.startswith("You threw away: ") for line in table)
    scene = session_scene("oh-hell")
    assert wording.headline("Oh Hell", scene) == f"Oh Hell · {scene.headline}"
    assert wording.headline("Oh Hell", msgspec.structs.replace(scene, headline="")) == "Oh Hell"


def session_scene(game: str) -> SceneView:
    match = Match(games.load(game), 4, dealer=0)
    match.event(match.draw_lots(Random(1)))
    return describe(match.view(0))
