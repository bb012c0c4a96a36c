"""The table in a terminal: whole matches in lines of text, and the full screen with its keys."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from random import Random

import pytest
from playing import GAMES
from textual.pilot import Pilot
from textual.widgets import Input, Static

from upcard import Match, games, players
from upcard.engine.errors import UpcardError
from upcard.engine.views import View
from upcard.players import thumbs
from upcard.rules import Game, Seen, cards, pages
from upcard.terminal import moves, play, words
from upcard.terminal.app import Happened, TableApp
from upcard.terminal.plain import Plain
from upcard.terminal.screens import Leave, Note, Rules, sections
from upcard.terminal.session import Session
from upcard.terminal.widgets import Actions, Felt, Hand, Seats

SMALL = (80, 24)
SHORT = {"sixty-six": {"target": 3}, "kalooki": {"calls": 0}}
"""Options that make a match shorter."""
by_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)


def session(game: Game | str, number: int | None = None, *, seed: int = 1) -> Session:
    game = games.load(game) if isinstance(game, str) else game
    table = Session(game, number or game.default_players, SHORT.get(game.slug, {}), seed=seed, name="Ann")
    table._player = players.player(who_plays(game))
    return table


def who_plays(game: Game) -> str:
    """The rules of thumb, or chance for a game that has none yet."""
    try:
        thumbs.load(game)
    except UpcardError:
        return "random"
    return "thumb"


def my_view(table: Session) -> View:
    assert table._table is not None
    return table._table.match.view(table.seat)


class Lines(io.StringIO):
    """Somebody who types: asked for a line, it looks at the scene and says one."""

    def __init__(self, say: Callable[[], str]) -> None:
        super().__init__()
        self._say = say

    def readline(self, size: int | None = -1) -> str:
        return self._say()


def heard(table: Session, typed: str) -> list[str]:
    """What the line mode prints when this is piped into it."""
    out = io.StringIO()
    Plain(table, io.StringIO(typed), out).run()
    return out.getvalue().splitlines()


# ------------------------------------------------------------------------------------------------------- lines of text


@by_game
def test_whole_match_in_lines(game: Game) -> None:
    """Every move by its number in the list, some after nonsense; at the end the winners are named."""
    table = session(game)
    out = io.StringIO()
    rng = Random(1)
    player = players.player(who_plays(game))

    def say() -> str:
        if rng.random() < 0.02:
            return "nonsense\n"
        texts = [move["text"] for move in moves.in_order(table.scene)]
        return f"{1 + texts.index(player.choose(my_view(table), rng))}\n"

    Plain(table, Lines(say), out).run()
    lines = out.getvalue().splitlines()
    assert table.scene["done"]
    winner = table.names[table.scene["winners"][0]]
    assert any(line.startswith("The match is over: ") and winner in line for line in lines)
    assert lines[-1] == words.in_letters(words.scores(table.scene, table.names)[-1])


@by_game
def test_a_match_can_be_piped_in(game: Game) -> None:
    """The same seed gives the same match, so what was typed once can be piped in; the exit status is 0."""
    table = session(game, seed=5)
    typed: list[str] = []

    def say() -> str:
        if len(typed) == 4:
            return ""
        typed.append(table.scene["moves"][0]["text"] + "\n")
        return typed[-1]

    out = io.StringIO()
    Plain(table, Lines(say), out).run()
    again = heard(session(game, seed=5), "".join(typed))
    assert out.getvalue().splitlines() == again
    assert again[-1] == "You leave the table." or table.scene["done"]


def test_lines_through_a_pipe() -> None:
    """The command itself: end of input is a polite end."""
    done = subprocess.run(
        [sys.executable, "-m", "upcard.cli", "play", "sixty-six", "--plain", "--seed", "3"],
        input="hand\n\xff\n1\n".encode("latin-1"),
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": "ascii:strict"},
        timeout=30,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode("ascii").splitlines()[-1] == "You leave the table."


def test_refusal_names_the_clause() -> None:
    table = session("sixty-six", seed=3)
    lines = heard(table, "9s\nmeld Kh Qh\n77\nspam\n")
    refused = [line for line in lines if "is not possible" in line]
    assert [re.search(r"\((SS-\d+)\)$", line)[1] for line in refused] == ["SS-11", "SS-20", "SS-48"]
    assert "There is no move 77: they are 1 to 6." in lines
    assert lines.count("Your turn: play a card") == 4


def test_what_can_be_asked() -> None:
    lines = heard(session("sixty-six", seed=3), "help\nhand\ntable\nmoves\nscores\nlast\nrules\nrules 17\nrules zz\n")
    text = "\n".join(lines)
    assert "Type a move as it is listed: a card (As, 10d, a♠, ace of spades)" in text
    assert lines.count("Your hand, 6 cards: Th, Jh, 9h, Td, Ac, Tc") == 2
    assert "Ada: 5 cards, open: Kd, tricks 0, points 0, pending 20, score 0, leader" in lines
    assert "Stock: 11 cards face down" in lines
    assert "There is no finished trick in this deal." in lines
    assert "Players: 2, each for themselves (no other number)" in lines
    assert "SS-17: From then on the second player must follow suit if they can." in lines
    assert "There is no clause ZZ on the page of this game." in lines
    assert any(line.startswith("- **SS-48**") for line in heard(session("sixty-six"), "rules all\n"))


def test_the_game_is_told_in_the_words_that_one_has_chosen() -> None:
    assert "As Tc Kd Qd Ah 9h" in heard(session("sixty-six"), "learn\n")
    lines = heard(session("sixty-six"), "words\nlearn\n")
    assert any("The turned-up card is ten of hearts, a fat trump." in line for line in lines)
    assert not any(line.startswith("#") or "**" in line for line in lines)


def test_cards_in_words() -> None:
    lines = heard(session("sixty-six", seed=3), "words\nten of HEARTS\nwords\n")
    assert "Your hand, 6 cards: ten of hearts, jack of hearts, nine of hearts, ten of diamonds, " in "".join(lines)
    assert "Ann plays ten of hearts; Ada takes the trick" in lines
    assert lines[-2].startswith("Your hand, 6 cards: Jh, 9h, Qs")


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
    assert moves.tidy(typed) == meant


def test_every_typed_move_is_read() -> None:
    """However a legal move is typed, the game understands it."""
    for game in GAMES:
        match = Match(game, chance=Random(3))
        for _ in range(60):
            if match.done:
                break
            seat = match.to_act[0]
            for text in match.legal(seat):
                for typed in (text.upper(), words.in_full(text), f" {text.lower()} "):
                    assert game.notation.read(moves.tidy(typed)).move == game.notation.read(text).move
            match.play(seat, match.legal(seat)[-1])


def test_a_level_that_does_not_exist() -> None:
    with pytest.raises(UpcardError, match=r"^There is no level 'weak' \(there are: .*\)$"):
        play(games.load("sixty-six"), 2, {}, level="weak", plain=True)


def test_long_lists_of_moves_are_shortened() -> None:
    scene = {"hand": ["As", "Kd"], "moves": [move(f"lay {i}", "lay", ["As", "Kd"], i) for i in range(40)]}
    scene["moves"] += [move(f"bid {i}", "bid", [], i) for i in range(14)] + [move("As", "", ["As"])]
    assert words.few_moves(scene)[:2] == ["You may play: 1 As", "bid and a number: " + " ".join(map(str, range(14)))]
    assert len(words.few_moves(scene)) == 2 + words.FEW + 1
    assert len(words.numbered(moves.in_order(scene), 1)) == 1 + 40 + 14


def move(text: str, verb: str, cards: list[str], number: int | None = None) -> dict[str, object]:
    more = {} if number is None else {"number": number}
    return {"text": text, "verb": verb, "cards": cards, "label": text, **more}


# ------------------------------------------------------------------------------------------------- moves and selections


def test_what_a_selection_offers() -> None:
    made = [move(f"discard {c}", "discard", [c]) for c in ("As", "As", "Ks", "Qs")]
    made += [move("lay As Ks Qs", "lay", ["As", "Ks", "Qs"]), move("end", "end", [])]
    made += [move(f"bid {i}", "bid", [], i) for i in range(3)]
    hand = ["As", "As", "Ks", "Qs"]
    nothing = moves.offer(made, [], hand)
    assert [one["text"] for one in nothing.groups] == ["lay As Ks Qs"]
    assert [one["text"] for one in nothing.free] == ["end"]
    assert [one["number"] for one in nothing.numbers["bid"]] == [0, 1, 2]
    one = moves.offer(made, ["Ks"], hand)
    assert ([m["text"] for m in one.exact], [m["text"] for m in one.groups]) == (["discard Ks"], ["lay As Ks Qs"])
    assert moves.offer(made, ["As", "As"], hand).hint == "No move with these cards"
    many = [move(f"lay {i}", "lay", ["As", "Ks"]) for i in range(30)]
    assert moves.offer(many, [], hand).hint == "Select cards to see what they can do (30 ways)"
    assert moves.offer(many, ["As"], hand).hint == "and 6 more: select further cards"


def test_what_a_card_means() -> None:
    plays = [move("As", "", ["As"]), move("meld As Ks", "meld", ["As", "Ks"]), move("close", "close", [])]
    assert moves.meant("As", plays) == "As"
    assert moves.meant("Ks", plays) is None
    assert moves.meant("2c", plays) == "2c"
    discards = [move("discard As", "discard", ["As"]), move("lay As Ks", "lay", ["As", "Ks"])]
    assert moves.meant("As", discards) is None
    assert moves.meant("As", discards[:1]) == "discard As"
    assert moves.attempt(["As", "2c"], plays) == "meld As 2c"


# ------------------------------------------------------------------------------------------------------ the full screen


def shown(app: TableApp, name: str) -> str:
    """The text of a part of the screen."""
    part = app.query_one(name)
    if isinstance(part, Static):
        return str(part.render())
    return "\n".join(line.plain for line in part.lines(part.content_size.width))


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    for _ in range(300):
        await pilot.pause()
        if holds():
            return
        await pilot.pause(0.02)
    raise AssertionError("it does not come to that")


def my_turn(app: TableApp) -> Callable[[], bool]:
    table = app._session
    return lambda: isinstance(app.screen, Note) or table.scene["done"] or table.scene["to_act"] == [table.seat]


async def go_on(pilot: Pilot[None], app: TableApp) -> None:
    """Wait for one's turn, reading what there is to read."""
    await until(pilot, my_turn(app))
    while isinstance(app.screen, Note):
        await pilot.press("enter")
        await until(pilot, my_turn(app))


@by_game
async def test_playing_on_the_screen(game: Game) -> None:
    """Some moves at the fullest table of every game, at 80x24 with everything in its place."""
    app = TableApp(session(game, max(game.players), seed=7), "at once")
    player = players.player(who_plays(game))
    async with app.run_test(size=SMALL) as pilot:
        for turn in range(3):
            await go_on(pilot, app)
            scene = app._session.scene
            before = app._session.seq
            assert fits(app)
            assert scene["prompt"] in shown(app, "#prompt")
            assert all(face in shown(app, "#hand") for face in faces(scene["hand"]))
            app.query_one(Input).value = player.choose(my_view(app._session), Random(turn))
            app.query_one(Input).focus()
            await pilot.press("enter")
            assert app._session.seq > before, shown(app, "#refusal")
            assert app.query_one(Input).value == ""


def faces(hand: list[str]) -> list[str]:
    return ["Jkr" if card == "*" else cards.sign(cards.read(card)) for card in hand]


def fits(app: TableApp) -> bool:
    """Every part has room, none is wider than the screen, the hand is whole and the line to type in is there."""
    width, height = app.size
    regions = [app.query_one(name).region for name in ("#headline", "#middle", "#prompt", "#hand", "#bar", "#typed")]
    tops = [region.y for region in regions]
    hand = app.query_one(Hand)
    return (
        tops == sorted(tops)
        and all(region.right <= width and region.bottom < height and region.height > 0 for region in regions)
        and hand.size.height == len(hand.lines(hand.size.width))
    )


async def test_keys_play_a_card() -> None:
    app = TableApp(session("sixty-six", seed=3), "at once")
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        pointed = app._session.scene["hand"][1]
        await pilot.press("right", "enter")
        await until(pilot, lambda: pointed not in app._session.scene["hand"])
        assert "Ann plays J♥; Ada takes the trick" in shown(app, "#log")
        assert "Last trick" in shown(app, "#felt")


async def test_a_move_from_the_bar() -> None:
    """Bids are no cards: the bar has the keys, left and right choose, enter says it."""
    app = TableApp(session("oh-hell", 4, seed=2), "at once")
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        assert app.query_one(Actions).labels == ["0", "1"]
        assert app.focused is app.query_one(Actions)
        await pilot.press("right", "enter")
        await until(pilot, lambda: "Ann bids 1" in shown(app, "#log"))


async def test_a_selection_asks_for_its_moves() -> None:
    app = TableApp(session("kalooki", seed=2), "at once")
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        while not any(m["verb"] == "discard" for m in app._session.scene["moves"]):
            await until(pilot, lambda: app.focused is app.query_one(Actions))
            await pilot.press("enter")
            await go_on(pilot, app)
        await pilot.pause()
        app.query_one(Hand).focus()
        await pilot.press("home", "space")
        await pilot.pause()
        selected = app.query_one(Hand).selected
        assert selected == app._session.scene["hand"][:1]
        assert any("Discard" in label for label in app.query_one(Actions).labels)
        await pilot.press("escape")
        assert app.query_one(Hand).selected == []


async def test_refusal_and_the_rules_at_its_clause() -> None:
    app = TableApp(session("sixty-six", seed=3), "at once")
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        await pilot.press("slash", *"9s", "enter")
        assert "(SS-11; ? shows it)" in shown(app, "#refusal")
        assert app.query_one("#refusal").display
        assert app.query_one(Input).value == "9s"
        await pilot.press("f1")
        await pilot.pause()
        assert isinstance(app.screen, Rules)
        await until(pilot, lambda: app.screen.query_one("#page").scroll_y > 0)
        here = app.screen.query_one("#SS-11")
        assert here.has_class("here")
        assert 0 <= here.region.y < SMALL[1]
        await pilot.press("escape", "escape")
        assert not app.query_one("#refusal").display


async def test_the_end_of_a_deal_is_read_before_the_table_goes_on() -> None:
    app = TableApp(session("oh-hell", 3, seed=2), "at once")
    async with app.run_test(size=SMALL) as pilot:
        while not isinstance(app.screen, Note):
            await until(pilot, my_turn(app))
            if isinstance(app.screen, Note):
                break
            await app._play(app._session.scene["moves"][0]["text"])
            await pilot.pause()
        assert app._session.scene["deal"] == 2
        seq = app._session.seq
        await pilot.pause(0.1)
        assert app._session.seq == seq
        await pilot.press("enter")
        await until(pilot, lambda: app._session.seq > seq or my_turn(app)())


async def test_a_whole_match_on_the_screen() -> None:
    app = TableApp(session("sixty-six", seed=4), "at once")
    async with app.run_test(size=(120, 40)) as pilot:
        while not app._session.scene or not app._session.scene["done"]:
            await go_on(pilot, app)
            if app._session.scene["moves"]:
                await app._play(app._session.scene["moves"][0]["text"])
        await until(pilot, lambda: "wins the match" in shown(app, "#seats"))
        await go_on(pilot, app)
        await pilot.press("q")
        await pilot.pause()
    assert app.return_code == 0


async def test_quitting_is_asked_twice() -> None:
    app = TableApp(session("sixty-six"), "at once")
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        await pilot.press("q")
        assert isinstance(app.screen, Leave)
        await pilot.press("n")
        assert not isinstance(app.screen, Leave)
        await pilot.press("q", "y")
    assert app.return_code == 0


async def test_pace_and_colours() -> None:
    app = TableApp(session("sixty-six", seed=3))
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        waiting = app._session.seq
        await pilot.press("enter")
        await until(pilot, lambda: app._session.seq > waiting)
        await pilot.press("f")
        assert shown(app, "#headline").endswith("  »")
        two = app.query_one(Hand).lines(70)
        await pilot.press("c")
        four = app.query_one(Hand).lines(70)
        assert [line.plain for line in two] == [line.plain for line in four]
        assert two[1].spans != four[1].spans


@pytest.mark.parametrize("size", [SMALL, (100, 30), (140, 50)])
async def test_a_crowded_table_fits(size: tuple[int, int]) -> None:
    """Ten seats in pairs, open cards, forty melds, a big hand, a hundred moves."""
    app = TableApp(session("sixty-six"), "at once")
    async with app.run_test(size=size) as pilot:
        await go_on(pilot, app)
        names = [f"Player {i}" for i in range(10)]
        app.query_one(Seats)._names = app.query_one(Felt)._names = names
        scene = crowded(app._session.scene)
        app._show(Happened(scene, scene))
        await pilot.pause()
        assert fits(app)
        seats, felt = shown(app, "#seats"), shown(app, "#felt")
        assert all(name in seats for name in names)
        assert seats.count("K♥ Q♥") == 10
        assert all(f"{i} Player" in felt for i in range(40))
        assert max(map(len, felt.splitlines())) <= app.query_one(Felt).size.width
        await pilot.press("pagedown")
        await pilot.pause()
        assert bool(app.query_one("#centre").scroll_y) == bool(app.query_one("#centre").max_scroll_y)


def crowded(scene: dict) -> dict:
    seat = {"cards": 15, "open": ["Kh", "Qh"], "dealer": False, "to_act": True, "leader": True, "score": 120}
    marks = [{"label": "Tricks", "value": "11"}, {"label": "Down", "value": "yes"}]
    trick = [{"card": "Td", "seat": i} for i in range(10)]
    melds = [
        {"id": f"meld-{i}", "kind": "meld", "label": str(i), "owner": i % 10, "number": i, "count": 4, "cards": run}
        for i, run in enumerate([["9s", "Ts", "*", "Qs"]] * 40)
    ]
    many = [move(f"lay {i}", "lay", ["Ts", "9s"], i) for i in range(20)]
    return scene | {
        "players": 10,
        "seats": [{**seat, "seat": i, "partner": i % 2, "marks": marks} for i in range(10)],
        "zones": [{"id": "trick", "kind": "trick", "label": "Trick", "cards": trick}, *melds],
        "last_trick": {"cards": trick, "taker": 3},
        "hand": ["Ts"] * 18,
        "moves": many + [move(f"bid {i}", "bid", [], i) for i in range(80)],
    }


def test_every_clause_has_its_place_on_the_rules_screen() -> None:
    for game in GAMES:
        found = [clause for clause, _ in sections(pages.page(game)) if clause]
        assert found == list(pages.clauses(game))


# ------------------------------------------------------------------------------------------------------ what is hidden


@by_game
async def test_nothing_hidden_is_on_the_screen(game: Game) -> None:
    """Two states that this seat cannot tell apart look the same, letter by letter."""
    app = TableApp(session(game, seed=9), "at once")
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        table = app._session._table
        texts = []
        for swap in (False, True):
            if swap:
                _swap_secret(game, table.match)
            scene = table.welcome("me")["scene"]
            app._show(Happened(scene, scene))
            await pilot.pause()
            texts.append([shown(app, name) for name in ("#headline", "#seats", "#felt", "#log", "#prompt", "#hand")])
        assert texts[0] == texts[1]


def _swap_secret(game: Game, match: Match) -> None:
    """Seat 1 exchanges a card that nobody else has seen with what lies face down, or with seat 2."""
    state = match.state
    held, card = _secret(game, match, 1)
    for name, spec in game.state.fields.items():
        if spec.seen is not Seen.NOBODY or not spec.cards:
            continue
        pile = getattr(state, name)
        down = cards.as_list(pile) if isinstance(pile, int) else pile
        other = next((other for other in down if other not in (cards.NO_CARD, *held)), None)
        if other is None:
            continue
        if isinstance(pile, int):
            setattr(state, name, pile ^ 1 << other ^ 1 << card)
        else:
            pile[pile.index(other)] = card
        break
    else:
        theirs, other = _secret(game, match, 2)
        theirs[theirs.index(other)] = card
        game.hand.put(state, 2, theirs)
    held[held.index(card)] = other
    game.hand.put(state, 1, held)


def _secret(game: Game, match: Match, seat: int) -> tuple[list[int], int]:
    """A hand and one of its cards that seat 0 has not seen."""
    held = game.hand.cards(match.state, seat)
    return held, next(card for card in held if card not in game.hand.cards(match.view(0).state, seat))
