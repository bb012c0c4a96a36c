"""The full screen: its keys, its contents at each size, and that nothing is lost or revealed."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from playing import GAMES, play_on
from sitting import by_game, choice, session, texts
from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import Footer, Input, Static
from textual.widgets._footer import FooterKey
from waiting import PATIENCE

from upcard.engine.match import Match
from upcard.engine.views import View
from upcard.players.advice import Advice, Rated
from upcard.rules import cards, pages
from upcard.rules.game import Game
from upcard.rules.state import Seen
from upcard.table.scene import SceneView, describe
from upcard.terminal import paint
from upcard.terminal.app import TableApp, TableEvent
from upcard.terminal.felt import Drawing, Felt, SeatsPanel
from upcard.terminal.preferences import Preferences, load_preferences
from upcard.terminal.screens import Note, Question, Rules, TextScreen, rulebook_sections
from upcard.terminal.session import Session
from upcard.terminal.widgets import Actions, Hand

SMALL, LARGE, ROOMY = (80, 24), (100, 30), (120, 36)


def at_table(game: type[Game[Any]] | str, number: int | None = None, *, seed: int = 1) -> TableApp:
    return TableApp(session(game, number, seed=seed), Preferences(pace="instant"))


def shown(app: TableApp, name: str) -> str:
    """The text of a part of the screen."""
    part = app.query_one(name)
    if isinstance(part, Static):
        return str(part.render())
    assert isinstance(part, Drawing)
    return "\n".join(line.plain for line in part.lines(part.content_size.width))


def log(app: TableApp) -> str:
    return "\n".join(line.text for line in app._session.log)


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    for _ in range(500):
        await pilot.pause()
        if holds():
            return
        await pilot.pause(0.02)
    raise AssertionError("it does not come to that")


def my_turn(app: TableApp) -> Callable[[], bool]:
    table = app._session
    return lambda: (
        isinstance(app.screen, Note) or (hasattr(table, "scene") and (table.scene.done or table.is_my_turn()))
    )


async def go_on(pilot: Pilot[None], app: TableApp) -> None:
    """Wait for one's turn, reading what there is to read."""
    await until(pilot, my_turn(app))
    async with asyncio.timeout(PATIENCE):
        while isinstance(app.screen, Note):
            await pilot.press("enter")
            await until(pilot, my_turn(app))


# ------------------------------------------------------------------------------------------------------------- playing


@pytest.mark.parametrize(("cards_selected", "told"), [(1, "Select 2 more cards"), (2, "Select 1 more card")])
async def test_what_a_choice_of_cards_still_lacks_is_said(cards_selected: int, told: str) -> None:
    app = at_table("ninety-nine")
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        for _ in range(cards_selected):
            await pilot.press("space", "right")
        await pilot.press("enter")
        await until(pilot, lambda: told in shown(app, "#refusal"))


@pytest.mark.long
@by_game
async def test_playing_on_the_screen(game: type[Game[Any]]) -> None:
    """Some moves at the fullest table of every game, typed in."""
    app = at_table(game, max(game.player_counts), seed=7)
    async with app.run_test(size=SMALL) as pilot:
        for turn in range(3):
            await go_on(pilot, app)
            await pilot.pause()
            before = app._session.seq
            whole(app, app._session.scene)
            app.query_one(Input).value = choice(app._session, Random(turn))
            app.query_one(Input).focus()
            await pilot.press("enter")
            assert app._session.seq > before, shown(app, "#refusal")
            assert app.query_one(Input).value == ""


async def test_keys_play_a_card() -> None:
    app = at_table("sixty-six", seed=3)
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        pointed = app._session.scene.hand[1]
        await pilot.press("right", "enter")
        await until(pilot, lambda: pointed not in app._session.scene.hand)
        assert "You play J♥; Ada takes the trick" in log(app)
        assert "Last trick" in shown(app, "#felt")


async def test_a_move_from_the_bar() -> None:
    """Bids are no cards: the bar has the keys, left and right choose, enter says it."""
    app = at_table("oh-hell", 4, seed=2)
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        await until(pilot, lambda: app.focused is app.query_one(Actions))
        assert app.query_one(Actions).labels == ["0", "1"]
        await pilot.press("right", "enter")
        await until(pilot, lambda: "bid 1" in log(app).lower())


async def test_a_refusal_and_the_rules_at_its_clause() -> None:
    app = at_table("sixty-six", seed=3)
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        await pilot.press("slash", *"9s", "enter")
        assert shown(app, "#refusal") == "You do not hold 9♠ (SS-11)  ? shows the rule"
        assert app.query_one("#refusal").display
        assert app.query_one(Input).value == "9s"
        await pilot.press("escape")
        assert not app.query_one("#refusal").display
        await pilot.press("slash", *"9s", "enter", "up", "up", "question_mark")
        await until(pilot, lambda: isinstance(app.screen, Rules) and app.screen.query_one("#page").scroll_y > 0)
        here = app.screen.query_one("#SS-11")
        assert here.has_class("here")
        assert 0 <= here.region.y < SMALL[1]


async def test_a_move_whose_keys_come_all_at_once_is_typed() -> None:
    """As over a slow line; its letters are keys of the table too, and one of them deals again."""
    app = at_table("sixty-six", seed=5)
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        before = log(app)
        for letter in "/ace":
            app.post_message(Key("slash" if letter == "/" else letter, letter))
        await until(pilot, lambda: app.query_one(Input).value == "ace")
        assert log(app) == before and app.screen is app._table
        await pilot.press("escape", "question_mark", "slash")
        assert isinstance(app.screen, Rules) and not app.query_one(Input).has_focus


async def test_a_refusal_goes_when_a_move_is_accepted() -> None:
    app = at_table("sixty-six", seed=5)
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        await pilot.press("slash", *"zzz", "enter")
        assert app.query_one("#refusal").display
        await pilot.press(*["backspace"] * 3, *"close", "enter")
        await until(pilot, lambda: "You close the stock" in log(app))
        assert app._session.is_my_turn()
        assert not app.query_one("#refusal").display


async def test_the_end_of_a_deal_is_read_before_the_table_goes_on() -> None:
    """The box shows the deal that is over, not the tricks of the next one."""
    app = at_table("oh-hell", 3, seed=2)
    async with app.run_test(size=SMALL) as pilot:
        while True:
            await until(pilot, my_turn(app))
            if isinstance(app.screen, Note):
                break
            await app._play(texts(app._session.scene)[0])
            await pilot.pause()
        assert app._session.scene.deal == 2
        told = "\n".join(app.screen._lines)
        assert "You: " in told and "tricks" in told
        seq = app._session.seq
        await pilot.pause(0.1)
        assert app._session.seq == seq
        await pilot.press("enter")
        await until(pilot, lambda: app._session.seq > seq or my_turn(app)())


async def test_a_whole_match_on_the_screen() -> None:
    app = at_table("sixty-six", seed=4)
    async with app.run_test(size=(120, 40)) as pilot:
        await go_on(pilot, app)
        async with asyncio.timeout(PATIENCE):
            while not app._session.scene.done:
                await app._play(texts(app._session.scene)[0])
                await go_on(pilot, app)
        await until(pilot, lambda: "wins the match" in shown(app, "#seats"))
        await go_on(pilot, app)
        await pilot.press("q")
        await pilot.pause()
    assert app.return_code == 0


async def test_the_keys_below_are_those_that_do_something() -> None:
    app = at_table("sixty-six")

    def offered() -> list[str]:
        return [key.key_display for key in app.query(FooterKey)]

    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        assert "q" in offered()
        await pilot.press("slash", "q")
        assert app.query_one(Input).value == "q"
        await until(pilot, lambda: "q" not in offered())


async def test_leaving_is_asked_about() -> None:
    app = at_table("sixty-six")
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        await pilot.press("q")
        assert isinstance(app.screen, Question)
        await pilot.press("n")
        assert not isinstance(app.screen, Question)
        await pilot.press("q", "y")
    assert app.return_code == 0


async def test_a_page_can_be_turned_as_soon_as_it_is_shown() -> None:
    app = at_table("sixty-six")
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        await app.push_screen(TextScreen("text"))
        assert app.focused is app.screen.query_one("#page")
    page = TextScreen("text")
    page.on_mount()  # while the table closes there is no text
    assert page.focused is None


async def test_a_hint_is_told_and_pointed_at() -> None:
    app = at_table("sixty-six", seed=3)

    async def advised(seen: View[Any]) -> Advice:
        rated = [Rated(move, seen.game.notation.text(move), 1.0, 0.5, 0.0, 1.0, 1.5) for move in seen.legal_moves()]
        return Advice([replace(rated[2], cost=0.0, clear=0.0), *rated[:2], *rated[3:]], 100, False)

    app._session.advise = advised
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        best = app._session.match.view(0).legal()[2]
        await pilot.press("i")
        await until(pilot, lambda: isinstance(app.screen, Note))
        note = "\n".join(str(part.render()) for part in app.screen.query(Static))
        assert "about 1 point better than" in note
        assert "about 1 point worse (± 0.5), fairly sure" in note
        await pilot.press("enter")
        assert app.query_one(Hand)._cards[app.query_one(Hand)._at] == best
        assert shown(app, "#refusal") == ""


@pytest.mark.parametrize("box", ["f1", "ctrl+c"])
async def test_control_c_leaves_a_box_and_the_table(box: str) -> None:
    app = at_table("sixty-six")
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        await pilot.press(box)
        assert len(app.screen_stack) == 2
        await pilot.press("ctrl+c")
        await pilot.pause()
    assert app.return_code == 0


async def test_undo_and_the_same_deal_again() -> None:
    app = at_table("sixty-six", seed=3)
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        first = app._session.scene.hand
        await pilot.press("u")
        assert "You have not moved yet" in shown(app, "#refusal")
        await pilot.press("enter")
        await go_on(pilot, app)
        second = app._session.scene.hand
        await pilot.press("enter")
        await go_on(pilot, app)
        await pilot.press("u")
        await until(pilot, lambda: app._session.scene.hand == second)
        await pilot.press("a", "n")
        assert app._session.scene.hand == second
        await pilot.press("a", "y")
        await until(pilot, lambda: app._session.scene.hand == first)


async def test_pace_and_colours_are_kept() -> None:
    app = TableApp(session("sixty-six", seed=3), Preferences())
    async with app.run_test(size=SMALL) as pilot:
        await until(pilot, lambda: hasattr(app._session, "scene"))
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
    assert load_preferences() == Preferences(pace="fast", four_colours=True)


async def test_keys_learn_and_scores() -> None:
    app = at_table("sixty-six", seed=3)
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        for key, screen in (("f1", Note), ("l", TextScreen), ("s", Note), ("question_mark", Rules)):
            await pilot.press(key)
            assert isinstance(app.screen, screen)
            await pilot.press("escape")
            assert len(app.screen_stack) == 1


# --------------------------------------------------------------------------------------------------- nothing is lost


def whole(app: TableApp, scene: SceneView) -> None:
    """Every seat, prompt, headline and card held is on the screen; no part is cut, none lies over another."""
    width, height = app.size
    names = ("#headline", "#seats", "#centre", "#prompt", "#hand", "#bar", "#typed")
    parts = [app.query_one(name) for name in names]
    for part in parts:
        assert part.region.height > 0, part
        assert part.region.right <= width and part.region.bottom < height, part
    tops = [part.region.y for part in parts]
    assert tops == sorted(tops)
    for above, below in pairwise(parts):
        assert above.region.bottom <= below.region.y, (above, below)
    for name in ("#seats", "#hand"):
        drawing = app.query_one(name, Drawing)
        lines = drawing.lines(drawing.content_size.width)
        assert drawing.content_size.height == len(lines), name
        assert all(line.cell_len <= drawing.content_size.width for line in lines), name
    assert app.query_one(Footer).max_scroll_x == 0
    seats = shown(app, "#seats")
    for seat in scene.seats:
        assert app._session.names[seat.seat] in seats
        assert all(mark.value in seats for mark in seat.marks)
    on_screen = {name: " ".join(screen_text(app, name).split()) for name in ("#headline", "#prompt")}
    assert " ".join(scene.headline.split()) in on_screen["#headline"]
    assert " ".join(scene.prompt.split()) in on_screen["#prompt"]
    assert all(paint.face_sign(card) in shown(app, "#hand") for card in scene.hand)
    felt = app.query_one(Felt)
    assert all(line.cell_len <= felt.content_size.width for line in felt.lines(felt.content_size.width))


async def settled(pilot: Pilot[None], app: TableApp) -> None:
    """Wait until the middle of the table has found its room."""
    await until(pilot, lambda: app.query_one("#centre").region.bottom <= app.query_one("#prompt").region.y)


def screen_text(app: TableApp, name: str) -> str:
    """What stands on the screen where a part is."""
    region = app.query_one(name).region
    rows = app.screen._compositor.render_strips() if hasattr(app.screen._compositor, "render_strips") else []
    lines = ["".join(segment.text for segment in strip) for strip in rows]
    return "\n".join(line[region.x : region.right] for line in lines[region.y : region.bottom])


@pytest.mark.long
@by_game
async def test_nothing_is_lost(game: type[Game[Any]]) -> None:
    """Scenes of random matches of every game, at its fullest and its usual table, are on the screen whole; where there
    is more room, those that need most of it."""
    for number in sorted({max(game.player_counts), game.default_players}):
        app = at_table(game, number)
        async with app.run_test(size=SMALL) as pilot:
            await go_on(pilot, app)
            app._session._table = None
            app._session.told = lambda before, after: None  # others may still be bidding
            await pilot.pause()
            shown_scenes = scenes(game, number, app._session, 6)
            for size, some in ((SMALL, shown_scenes), (LARGE, shown_scenes[-4:]), (ROOMY, shown_scenes[-4:])):
                await pilot.resize_terminal(*size)
                for scene in some:
                    app._show(TableEvent(scene, scene))
                    await pilot.pause()
                    await settled(pilot, app)
                    whole(app, scene)


def scenes(game: type[Game[Any]], number: int, table: Session, most: int) -> list[SceneView]:
    """Scenes of a random match at this table, early and late, and last those with the most to show."""
    match = Match(game, number, dealer=0, options=table.plan.options)
    names = [*table.names]
    found = []
    for after in play_on(match, Random(number), 400):
        scene = describe(after.view(0), after.last_trick, names)
        crowd = sum(len(zone.cards) for zone in scene.zones) + len(scene.hand) + 5 * len(scene.seats)
        found.append((crowd + sum(len(mark.value) for seat in scene.seats for mark in seat.marks), scene))
    step = max(1, len(found) // (most // 2))
    spread = [scene for _, scene in found[::step]]
    fullest = [scene for _, scene in sorted(found, key=lambda one: -one[0])[: most // 2]]
    return spread + fullest


async def test_a_crowded_table_is_whole() -> None:
    """Ten seats on sides with open cards, forty melds, a big hand, a hundred moves: what does not fit is scrolled."""
    app = at_table("sixty-six")
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        names = [f"Player {i}" for i in range(10)]
        app.query_one(SeatsPanel).names = app.query_one(Felt).names = app._session.names = names
        scene = crowded(app._session.scene)
        app._show(TableEvent(scene, scene))
        await settled(pilot, app)
        whole(app, scene)
        assert shown(app, "#seats").count("K♥ Q♥") == 10
        await pilot.press("pagedown")
        await pilot.pause()
        assert app.query_one("#centre").scroll_y > 0


def crowded(scene: SceneView) -> SceneView:
    from msgspec import structs

    from upcard.table.offers import ButtonRow, Move, Offers
    from upcard.table.scene import LastTrick, MarkView, SeatView, ZoneView

    marks = [MarkView("Tricks", "11"), MarkView("Down", "yes")]
    seats = [SeatView(i, 15, ["Kh", "Qh"], False, True, True, i % 2, marks, 120) for i in range(10)]
    trick = ZoneView("trick", "trick", "Trick", ["Td"] * 10, 10, list(range(10)))
    melds = [ZoneView(f"meld-{i}", "meld", str(i), ["9s", "Ts", "*", "Qs"], 4, [], i % 10, i) for i in range(40)]
    lays = [Move(f"lay {i}", "lay", f"Lay {i}", ["Ts", "9s"], i) for i in range(20)]
    bids = [Move(f"bid {i}", "bid", f"Bid {i}", [], i) for i in range(80)]
    row = ButtonRow("Bid", [], [str(i) for i in range(80)], [bid.text for bid in bids])
    return structs.replace(
        scene,
        players=10,
        seats=seats,
        zones=[trick, *melds],
        last_trick=LastTrick(["Td"] * 10, list(range(10)), 3),
        hand=["Ts"] * 18,
        offers=Offers(lays + bids, rows=[row]),
    )


async def test_a_tall_terminal_has_larger_cards() -> None:
    app = at_table("kalooki", 5)
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        hand = app.query_one(Hand)
        small = hand.size.height
        await pilot.resize_terminal(160, 50)
        await pilot.pause()
        await until(pilot, lambda: hand.size.height == small + 1)
        whole(app, app._session.scene)


async def test_a_roomy_terminal_has_the_seats_round_the_trick() -> None:
    """Ada at the left, Basil opposite, Cleo at the right, oneself nearest; the cards of the trick between them."""
    app = at_table("linger-longer", 4, seed=3)
    async with app.run_test(size=ROOMY) as pilot:
        await go_on(pilot, app)
        await pilot.pause()
        scene = app._session.scene
        lines = shown(app, "#seats").splitlines()
        at = {
            name: next((x, y) for y, line in enumerate(lines) if (x := line.find(name)) >= 0)
            for name in app._session.names
        }
        assert at["Basil"][1] < at["Ada"][1] == at["Cleo"][1] < at["You"][1]
        assert at["Ada"][0] < at["Basil"][0] < at["Cleo"][0]
        trick = scene.zone("trick").cards
        assert trick and all(paint.face_sign(card) in "\n".join(lines) for card in trick)
        assert "Trick" not in shown(app, "#felt")
        await pilot.resize_terminal(*SMALL)
        await until(pilot, lambda: "Trick" in shown(app, "#felt"))


async def test_a_large_terminal_has_nine_seats_round_the_trick() -> None:
    """Two at each side, the others opposite, each of them whole."""
    app = at_table("loo", 9, seed=3)
    async with app.run_test(size=(150, 44)) as pilot:
        await go_on(pilot, app)
        await pilot.pause()
        scene = app._session.scene
        lines = shown(app, "#seats").splitlines()
        names = app._session.names
        heights = [next(y for y, line in enumerate(lines) if f" {name} " in f"{line} ") for name in names]
        assert heights[0] > heights[1] > heights[2] > heights[3] == heights[4] == heights[5] == heights[6]
        assert heights[0] > heights[8] > heights[7] > heights[6]
        assert "Trick" not in shown(app, "#felt")
        whole(app, scene)


async def test_too_small_is_said() -> None:
    app = at_table("sixty-six")
    async with app.run_test(size=(70, 20)) as pilot:
        await pilot.pause()
        assert app.query_one("#too-small").display
        assert not app.query_one("#hand").display
        await pilot.resize_terminal(*SMALL)
        await pilot.pause()
        assert not app.query_one("#too-small").display
        assert app.query_one("#hand").display


async def test_the_focus_is_where_it_was_before_the_terminal_was_too_small() -> None:
    app = at_table("sixty-six")
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        before = app.focused
        assert before is app.query_one(Hand)
        await pilot.resize_terminal(70, 20)
        await until(pilot, lambda: app.focused is None)
        await pilot.resize_terminal(*SMALL)
        await until(pilot, lambda: app.focused is before)


async def test_a_table_that_was_too_small_is_whole_again() -> None:
    app = at_table("sixty-six")
    async with app.run_test(size=SMALL) as pilot:
        await until(pilot, my_turn(app))
        await pilot.pause()
        felt = app.query_one("#centre").size
        assert felt.height > 1
        for small in ((60, 20), (20, 5)):
            await pilot.resize_terminal(*small)
            await pilot.pause()
        await pilot.resize_terminal(*SMALL)
        await until(pilot, lambda: app.query_one("#centre").size == felt)


def test_what_is_read_stands_out() -> None:
    """Ink on paper at 4.5 to 1 at least, whether a card may be played or not; a sign beside the colour says it too."""
    for ink in (paint.TWO, paint.FOUR):
        for paper in (paint.PAPER, paint.SHADE, paint.POINTED):
            for colour in (*ink.paper, paint.JOKER_INK):
                assert contrast(colour, paper) >= 4.5, (colour, paper)
        for colour in (*ink.table, paint.DIM, "#ffd75f"):
            assert contrast(colour, "#16503b") >= 4.5, colour


def contrast(one: str, other: str) -> float:
    low, high = sorted((_light(one), _light(other)))
    return (high + 0.05) / (low + 0.05)


def _light(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_every_clause_has_its_place_on_the_rules_screen() -> None:
    for game in GAMES:
        found = [clause for clause, _ in rulebook_sections(pages.page(game) or "") if clause]
        assert found == list(pages.clauses(game))


# ------------------------------------------------------------------------------------------------------ what is hidden


@by_game
async def test_nothing_hidden_is_on_the_screen(game: type[Game[Any]]) -> None:
    """Two states that this seat cannot tell apart look the same, letter by letter."""
    app = at_table(game, seed=9)
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        match = app._session.match.fork()
        looks = []
        for swap in (False, True):
            if swap:
                _swap_secret(game, match)
            scene = describe(match.view(0), match.last_trick, app._session.names)
            app._show(TableEvent(scene, scene))
            await pilot.pause()
            looks.append([shown(app, name) for name in ("#headline", "#seats", "#felt", "#log", "#prompt", "#hand")])
        assert looks[0] == looks[1]


def _swap_secret(game: type[Game[Any]], match: Match[Any]) -> None:
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


def _secret(game: type[Game[Any]], match: Match[Any], seat: int) -> tuple[list[int], int]:
    """A hand and one of its cards that seat 0 has not seen."""
    held = game.hand.cards(match.state, seat)
    return held, next(card for card in held if card not in game.hand.cards(match.view(0).state, seat))


async def test_all_letters_have_a_key_of_every_keyboard() -> None:
    app = at_table("sixty-six")
    async with app.run_test(size=SMALL) as pilot:
        await go_on(pilot, app)
        for key, screen in (("f2", Rules), ("f3", TextScreen), ("f6", Note), ("f10", Question)):
            await pilot.press(key)
            assert isinstance(app.screen, screen), key
            await pilot.press("escape")
            assert not isinstance(app.screen, screen), key
