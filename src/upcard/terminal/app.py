"""The table on the whole screen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.events import Key
from textual.message import Message
from textual.widgets import Footer, Input, Static

from upcard.terminal import paint, words
from upcard.terminal.moves import attempt, exactly, in_order, meant, tidy, uses
from upcard.terminal.screens import Leave, Note, Rules
from upcard.terminal.session import Scene, Session
from upcard.terminal.widgets import Actions, Drawing, Felt, Hand, Seats

PACES = {"steady": 1.2, "fast": 0.4, "at once": 0.0}
"""Seconds before a computer player moves; the headline has a » for each step."""
LONGEST_STORY = 200


@dataclass
class Happened(Message):
    """Something happened at the table."""

    before: Scene
    after: Scene


class TableApp(App[None]):
    """One match, from the first deal until the person goes."""

    CSS_PATH = "table.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (32, "-tall")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "app.focus_next", "Moves", key_display="tab"),
        Binding("slash", "type", "Type", key_display="/"),
        Binding("escape", "clear", "Clear", key_display="esc", show=False),
        Binding("question_mark,f1", "rules", "Rules", key_display="?"),
        Binding("f", "pace", "Faster"),
        Binding("pageup", "turn(-1)", "Scroll up", show=False),
        Binding("pagedown", "turn(1)", "Scroll down", show=False),
        Binding("c", "colours", "Colours"),
        Binding("q,ctrl+q,ctrl+c", "leave", "Quit", key_display="q", priority=False),
    ]

    def __init__(self, session: Session, pace: str = "steady") -> None:
        super().__init__()
        self._session = session
        self._pace = pace
        self._ink = paint.TWO
        self._clause: str | None = None
        self._go_on = asyncio.Event()
        """Clear while there is something to read first."""
        self._hurry = asyncio.Event()
        """Set when the person has seen enough of a pause."""

    def compose(self) -> ComposeResult:
        names = self._session.names
        yield Static(id="headline", markup=False)
        with Container(id="middle"):
            with Vertical(id="board"):
                with VerticalScroll(id="around", can_focus=False):
                    yield Seats(names, id="seats")
                with VerticalScroll(id="centre", can_focus=False):
                    yield Felt(names, id="felt")
            with VerticalScroll(id="story", can_focus=False):
                yield Static(id="log", markup=False)
        yield Static(id="refusal", markup=False)
        yield Static(id="prompt", markup=False)
        yield Hand(id="hand")
        with VerticalScroll(id="bar", can_focus=False):
            yield Actions(id="actions")
        yield Input(id="typed", placeholder="or type a move")
        yield Footer()

    async def on_mount(self) -> None:
        self.title = self._session.game.title
        self._go_on.set()
        self._session.told = self._told
        self._session.thought = self._thought
        self.query_one(Hand).focus()
        await self._session.open()

    # ------------------------------------------------------------------------------------------------ what is shown

    def _told(self, before: Scene, after: Scene) -> None:
        """Hears the table; what a deal came to is to be read before anything else happens."""
        if _deal_ended(before, after):
            self._go_on.clear()
        self.post_message(Happened(before, after))

    @on(Happened)
    def _show(self, event: Happened) -> None:
        scene = event.after
        self.query_one(Seats).show(scene)
        self.query_one(Felt).show(scene)
        self.query_one(Hand).show(scene)
        self._show_words(scene)
        self._show_moves(scene)
        if event.before["to_act"] != scene["to_act"]:
            self._say("")
        if _deal_ended(event.before, scene):
            self._tell_end(scene if scene["done"] else event.before, scene)

    def _show_words(self, scene: Scene) -> None:
        title = f"{self.title} · {scene['headline']}" if scene["headline"] else self.title
        pace = f"  {'»' * list(PACES).index(self._pace)}"
        self.query_one("#headline", Static).update(paint.line(title, self._ink).append(pace, paint.DIM))
        self.query_one("#prompt", Static).update(paint.line(scene["prompt"], self._ink))
        self.query_one("#prompt").set_class(self._session.seat in scene["to_act"], "mine")
        story = "\n".join(self._session.log[-LONGEST_STORY:])
        self.query_one("#log", Static).update(paint.line(story, self._ink))
        self.query_one("#story").scroll_end(animate=False)

    def _show_moves(self, scene: Scene) -> None:
        hand = self.query_one(Hand)
        actions = self.query_one(Actions)
        actions.show(in_order(scene), hand.selected, scene["hand"])
        if not actions.can_focus and actions.has_focus:
            hand.focus()
        elif scene["moves"] and not any(move["cards"] for move in scene["moves"]) and hand.has_focus:
            actions.focus()
        elif hand is not self.focused and not isinstance(self.focused, Input) and _only_plays(scene):
            hand.focus()

    def _say(self, text: str, clause: str | None = None) -> None:
        """Show what the table says against a move; nothing when that is over."""
        self._clause = clause
        refusal = self.query_one("#refusal", Static)
        refusal.update(paint.line(text, self._ink))
        refusal.display = bool(text)

    def _tell_end(self, ended: Scene, scene: Scene) -> None:
        title = scene["prompt"] if scene["done"] else "The deal is over"
        lines = [*ended["result"], "", *words.scores({**ended, "result": []}, self._session.names)]
        go_on = "Enter: look at the table, then q leaves it" if scene["done"] else "Enter: go on"
        self.push_screen(Note(title, lines, go_on), lambda _: self._go_on.set())

    # ------------------------------------------------------------------------------------------------ what is played

    @on(Hand.Selected)
    def _selected(self) -> None:
        self._show_moves(self._session.scene)

    @on(Hand.Chosen)
    async def _chosen(self, event: Hand.Chosen) -> None:
        """Play what the card or the selection can only mean; otherwise let the person choose from the bar."""
        scene = self._session.scene
        if self._session.seat not in scene["to_act"] and not scene["done"]:
            self._hurry.set()
            return
        hand = self.query_one(Hand)
        if event.card is not None:
            await self._play_card(event.card, scene["moves"])
            return
        await self._play_selection(scene["moves"], hand.selected)

    async def _play_card(self, card: str, moves: Sequence[dict[str, Any]]) -> None:
        if moves and not any(move["cards"] for move in moves):
            self._to_moves()
            return
        text = meant(card, moves)
        if text is None:
            self.query_one(Hand).action_select()
            self._to_moves()
        else:
            await self._play(text)

    async def _play_selection(self, moves: Sequence[dict[str, Any]], selected: list[str]) -> None:
        exact = [move for move in moves if selected and exactly(move, selected)]
        if len(exact) == 1:
            await self._play(exact[0]["text"])
        elif selected and not any(uses(move, selected) for move in moves):
            await self._play(attempt(selected, moves))
        else:
            self._to_moves()

    def _to_moves(self) -> None:
        if self.query_one(Actions).can_focus:
            self.query_one(Actions).focus()

    @on(Actions.Chosen)
    async def _pressed(self, event: Actions.Chosen) -> None:
        await self._play(event.text)

    @on(Actions.Pointed)
    def _in_sight(self, event: Actions.Pointed) -> None:
        self.query_one("#bar").scroll_to_region(event.region, animate=False)

    @on(Input.Submitted)
    async def _typed(self, event: Input.Submitted) -> None:
        if event.value.strip() and await self._play(tidy(event.value)):
            event.input.clear()

    async def _play(self, text: str) -> bool:
        """Make a move; whether the table takes it."""
        refusal = await self._session.move(text)
        if refusal is None:
            self.query_one(Hand).clear()
            return True
        clause = f" ({refusal.clause}; ? shows it)" if refusal.clause else ""
        self._say(f"{refusal}{clause}", refusal.clause)
        return False

    async def _thought(self, think: Callable[[], str]) -> str:
        """A computer player's move: it thinks in a thread, so that the screen stays alive, and takes its time."""
        text, _ = await asyncio.gather(asyncio.to_thread(think), self._pause())
        return text

    async def _pause(self) -> None:
        """How long a computer player waits so that people can follow."""
        await self._go_on.wait()
        scene = self._session.scene
        trick_is_over = scene["last_trick"] and not any(z["cards"] for z in scene["zones"] if z["kind"] == "trick")
        self._hurry.clear()
        try:
            await asyncio.wait_for(self._hurry.wait(), PACES[self._pace] * (1.6 if trick_is_over else 1))
        except TimeoutError:
            return

    # ----------------------------------------------------------------------------------------------------------- keys

    def on_key(self, event: Key) -> None:
        """Up and down go between the hand, the moves and the line to type in."""
        if event.key not in ("up", "down") or len(self.screen_stack) > 1:
            return
        by = 1 if event.key == "down" else -1
        actions = self.query_one(Actions)
        if self.focused is actions and actions.point_row(by):
            return
        if by > 0:
            self.screen.focus_next()
        elif not isinstance(self.focused, Hand):
            self.screen.focus_previous()

    def action_type(self) -> None:
        self.query_one(Input).focus()

    def action_clear(self) -> None:
        """Nothing selected, nothing typed, back to the hand."""
        self.query_one(Input).clear()
        self.query_one(Hand).clear()
        self.query_one(Hand).focus()
        self._say("")

    def action_rules(self) -> None:
        self.push_screen(Rules(self._session.game, self._clause))

    def action_turn(self, by: int) -> None:
        """Scroll the middle of the table, or the log where all of that is in sight."""
        centre = self.query_one("#centre")
        place = centre if centre.max_scroll_y else self.query_one("#story")
        place.scroll_relative(y=by * max(1, place.size.height - 1), animate=False)

    def action_pace(self) -> None:
        paces = list(PACES)
        self._pace = paces[(paces.index(self._pace) + 1) % len(paces)]
        self._hurry.set()
        self._show_words(self._session.scene)

    def action_colours(self) -> None:
        self._ink = paint.FOUR if self._ink is paint.TWO else paint.TWO
        for drawing in self.query(Drawing):
            drawing.look(self._ink)
        self._show_words(self._session.scene)

    def action_leave(self) -> None:
        if self._session.scene["done"]:
            self.exit()
        else:
            self.push_screen(Leave(), lambda leave: self.exit() if leave else None)


def _deal_ended(before: Scene, after: Scene) -> bool:
    """Whether the deal that was played before is over, and what it came to can still be read."""
    if after["done"]:
        return not before["done"]
    return bool(before["deal"] and after["deal"] > before["deal"] and before["result"])


def _only_plays(scene: Scene) -> bool:
    return bool(scene["moves"]) and all(move["verb"] == "" for move in scene["moves"])
