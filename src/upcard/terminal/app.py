"""The application that shows the table in full screen."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import ClassVar, TypeVar, overload

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Key, Resize
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Footer, Input, Static

from upcard.languages.localizing import localized, reader, text_for_reader
from upcard.rules.sentences import sentence
from upcard.table.errors import Refusal
from upcard.table.lessons import lessons_text
from upcard.table.scene import SceneView
from upcard.terminal import choosing, paint, wording
from upcard.terminal.board import Board
from upcard.terminal.choosing import Choice
from upcard.terminal.felt import Drawing
from upcard.terminal.keys import localize_keys
from upcard.terminal.preferences import PACES, SECONDS, Preferences, save
from upcard.terminal.screens import Note, Question, Rules, TextScreen
from upcard.terminal.session import Session
from upcard.terminal.typed import several_moves
from upcard.terminal.widgets import Actions, Hand

WidgetType = TypeVar("WidgetType", bound=Widget)

LONGEST_STORY, LEAST_STORY = 200, 1
LEAST_WIDTH, LEAST_HEIGHT, TALL = 80, 24, 32
KEYS = sentence(
    """\
←  →  home  end    point at a card, or at a move
enter              play it, or the selected cards; skip a pause
space              select a card, for moves with several cards
tab  ↑  ↓          go to the hand, the moves or the input line
/                  type a move: As, 10d, pass, bid 3
esc                clear the selection and the input line
page up, page down scroll the table, or the log

?  F2   read the rules; after a refusal, at its clause
l  F3   read the lesson
i  F4   get a hint: the best moves now, and how much better they are
u  F5   take your last move back
s  F6   see the scores, and how the last deal ended
f  F7   change the pace of the computer players
c  F8   use two or four colours for the suits
a  F9   play this deal again, from its first card
q  F10  leave; the match is saved"""
)

WITHOUT_LETTERS = ("rules", "learn", "hint", "undo", "scores", "pace", "colours", "again", "leave")
"""The actions of F2 to F10, for keyboards whose letters are not Latin."""


@dataclass
class TableEvent(Message):
    """A change at the table: the scenes before and after it."""

    before: SceneView
    after: SceneView


class TableApp(App[None]):
    """One match, from the first deal until the person leaves."""

    CSS_PATH = "table.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (TALL, "-tall")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "keys", "Keys", key_display="F1"),
        Binding("question_mark", "rules", "Rules", key_display="?"),
        Binding("l", "learn", "Learn"),
        Binding("i", "hint", "Hint"),
        Binding("u", "undo", "Undo"),
        Binding("tab", "app.focus_next", "Moves", key_display="tab"),
        Binding("slash", "type", "Type", key_display="/", priority=True),
        Binding("escape", "clear", "Clear", show=False),
        Binding("a", "again", "Deal again", show=False),
        Binding("s", "scores", "Scores", show=False),
        Binding("f", "pace", "Pace", show=False),
        Binding("c", "colours", "Colours", show=False),
        Binding("pageup", "turn(-1)", "Scroll up", show=False),
        Binding("pagedown", "turn(1)", "Scroll down", show=False),
        Binding("q", "leave", "Quit"),
        Binding("ctrl+q,ctrl+c", "leave", show=False, priority=False),
        *(Binding(f"f{number}", action, show=False) for number, action in enumerate(WITHOUT_LETTERS, 2)),
    ]

    def __init__(self, session: Session, settings: Preferences) -> None:
        super().__init__()
        localize_keys(self)
        self._session = session
        self._settings = settings
        self._ink = paint.FOUR if settings.four_colours else paint.TWO
        self._clause: str | None = None
        self._go_on = asyncio.Event()
        """Cleared while the person has something to read before play continues."""
        self._hurry = asyncio.Event()
        """Set when the person wants to skip a pause."""
        self._left: Widget | None = None
        """The widget that had the focus when the terminal became too small."""

    def compose(self) -> ComposeResult:
        yield Static(id="headline", markup=False)
        yield Board(self._session.names, LEAST_STORY)
        yield Static(id="refusal", markup=False)
        yield Static(id="prompt", markup=False)
        yield Hand(id="hand")
        with VerticalScroll(id="bar", can_focus=False):
            yield Actions(id="actions")
        yield Input(id="typed", placeholder=localized("or type a move"))
        yield Footer(compact=True)
        too_small = localized(
            "Too small: the table needs {width} × {height} characters.", width=LEAST_WIDTH, height=LEAST_HEIGHT
        )
        yield Static(too_small, id="too-small")

    async def on_mount(self) -> None:
        self.title = self._session.title
        self._go_on.set()
        self._session.told = self._changed
        self._session.noticed = self._say
        self._session.pause = self._pause
        for drawing in self._table.query(Drawing):
            drawing.look(self._ink)
        self._part(Hand).focus()
        await self._session.open()

    @property
    def _table(self) -> Screen[None]:
        """The screen of the table, beneath any modal screens."""
        return self.screen_stack[0]

    @overload
    def _part(self, kind: type[WidgetType]) -> WidgetType: ...

    @overload
    def _part(self, kind: str) -> Widget: ...

    @overload
    def _part(self, kind: str, of: type[WidgetType]) -> WidgetType: ...

    def _part(self, kind: type[Widget] | str, of: type[Widget] = Widget) -> Widget:
        """A widget of the table's screen, by type or by selector."""
        return self._table.query_one(kind, of) if isinstance(kind, str) else self._table.query_one(kind)

    def on_resize(self, event: Resize) -> None:
        """Fit everything to the new size; below the least size, show only that the terminal is too small."""
        small = event.size.width < LEAST_WIDTH or event.size.height < LEAST_HEIGHT
        if small != self._table.has_class("small"):
            self._hide(small)
        self._part(Hand).enlarge(event.size.height >= TALL)
        self._part(Board).fit_into(event.size)
        self.call_after_refresh(self._part(Board).fit)

    def _hide(self, small: bool) -> None:
        """Hide the table or show it again; hidden widgets lose the focus, so it is restored afterwards."""
        if small:
            self._left = self._table.focused
        else:
            self.call_after_refresh((self._left or self._part(Hand)).focus)
        self._table.set_class(small, "small")

    # ------------------------------------------------------------------------------------------------ what is shown

    def _changed(self, before: SceneView, after: SceneView) -> None:
        """Show a change, when the session calls this; the result of a deal must be read before play continues."""
        if _deal_ended(before, after):
            self._go_on.clear()
        self.post_message(TableEvent(before, after))

    @on(TableEvent)
    def _show(self, event: TableEvent) -> None:
        scene = event.after
        if not self.screen_stack or not self._table.query(Board):  # the application is closing
            return
        story = [line.text for line in self._session.log[-LONGEST_STORY:]]
        self._part(Board).show(scene, story, self._ink)
        self._part(Hand).show(scene)
        self._show_words(scene)
        self._show_moves(scene)
        self.call_after_refresh(self._part(Board).fit)
        if event.before.to_act != scene.to_act:
            self._say("")
        if _deal_ended(event.before, scene):
            self._show_end(scene)

    def _show_words(self, scene: SceneView) -> None:
        title = wording.headline(self._session.title, scene)
        pace = f"  {'»' * PACES.index(self._settings.pace)}"
        self._part("#headline", Static).update(paint.line(title, self._ink).append(pace, paint.DIM))
        self._part("#prompt", Static).update(paint.line(scene.prompt, self._ink))
        self._part("#prompt").set_class(self._session.seat in scene.to_act, "mine")

    def _show_moves(self, scene: SceneView) -> None:
        hand = self._part(Hand)
        actions = self._part(Actions)
        offers = scene.offers
        actions.show(offers, hand.selected, scene.hand)
        if not actions.can_focus and actions.has_focus:
            hand.focus()
        elif offers.moves and not choosing.playable(offers) and hand.has_focus:
            actions.focus()
        elif hand is not self.focused and not isinstance(self.focused, Input) and _only_plays(scene):
            hand.focus()

    def _say(self, text: str, clause: str | None = None) -> None:
        """Show a message from the table and remember its clause; an empty text hides it."""
        self._clause = clause
        refusal = self._part("#refusal", Static)
        refusal.update(paint.line(text, self._ink))
        refusal.display = bool(text)
        self._part(Board).show_latest()

    def _show_end(self, scene: SceneView) -> None:
        title = scene.prompt if scene.done else localized("The deal is over")
        go_on = localized("Enter: continue")
        lines = wording.deal_end(scene, self._session.names)
        if scene.done:
            go_on = localized("Enter: look at the table, then q to leave")
            lines += ["", *wording.afterwards(self._session.plan.id)]
        self.push_screen(Note(title, lines, go_on, self._ink), lambda _: self._go_on.set())

    # ------------------------------------------------------------------------------------------------ what is played

    @on(Hand.Selected)
    def _selected(self) -> None:
        self._show_moves(self._session.scene)

    @on(Hand.Chosen)
    async def _chosen(self, event: Hand.Chosen) -> None:
        """Play the only move that the card or selection can mean; otherwise let the person choose from the bar."""
        scene = self._session.scene
        if self._session.seat not in scene.to_act and not scene.done:
            self._hurry.set()
        elif event.card is None:
            await self._play_selection(scene)
        else:
            await self._play_card(scene, event.card)

    async def _play_card(self, scene: SceneView, card: str) -> None:
        offers = scene.offers
        if card in offers.taps:
            await self._play(offers.taps[card])
        elif offers.moves and not choosing.playable(offers):
            self._to_moves()
        elif card not in choosing.playable(offers):
            await self._play(choosing.attempt([card], offers))
        else:
            self._part(Hand).action_select()
            self._to_moves()

    async def _play_selection(self, scene: SceneView) -> None:
        selected = self._part(Hand).selected
        choices = choosing.meant(scene.offers, scene.offers.moves, selected)
        if len(choices) == 1:
            await self._make(choices[0])
        elif selected and not choices and scene.offers.picks:
            self._say(choosing.wanted(scene.offers.picks[0], selected))
        elif selected and not choices and not self._part(Actions).labels:
            await self._play(choosing.attempt(selected, scene.offers))
        else:
            self._to_moves()

    def _to_moves(self) -> None:
        if self._part(Actions).can_focus:
            self._part(Actions).focus()

    @on(Actions.Chosen)
    async def _pressed(self, event: Actions.Chosen) -> None:
        await self._make(event.choice)

    @on(Actions.Pointed)
    def _in_sight(self, event: Actions.Pointed) -> None:
        self._part("#bar").scroll_to_region(event.region, animate=False)

    @on(Input.Submitted)
    async def _typed(self, event: Input.Submitted) -> None:
        if event.value.strip() and await self._play(*several_moves(event.value)):
            event.input.clear()

    async def _make(self, choice: Choice) -> None:
        """Make a choice, after asking for confirmation if it can cost a deal."""
        if not (choice.asks and self._settings.ask):
            await self._play(*choice.texts)
            return

        async def answered(sure: bool | None) -> None:
            if sure:
                await self._play(*choice.texts)

        self.push_screen(Question(choice.asks, choice.label), answered)

    async def _play(self, *texts: str) -> bool:
        """Make moves; returns whether the table accepts them."""
        return self._heard(await self._session.move(*texts))

    def _heard(self, refusal: Refusal | None) -> bool:
        """Show a refusal if there is one; returns whether there is none."""
        if refusal is None:
            self._say("")
            self._part(Hand).clear()
            return True
        text = text_for_reader(refusal.sentence)
        self._say(f"{text}  {localized('? shows the rule')}" if refusal.clause else text, refusal.clause)
        return False

    async def _pause(self) -> None:
        """Wait before a computer player's move, so that people can follow."""
        await self._go_on.wait()
        scene = self._session.scene
        trick_is_over = scene.last_trick and not any(zone.cards for zone in scene.zones if zone.role == "trick")
        self._hurry.clear()
        try:
            async with asyncio.timeout(SECONDS[self._settings.pace] * (1.6 if trick_is_over else 1)):
                await self._hurry.wait()
        except TimeoutError:
            return

    # ----------------------------------------------------------------------------------------------------------- keys

    def on_key(self, event: Key) -> None:
        """Move the focus between the hand, the moves and the input line with up and down."""
        if event.key not in ("up", "down") or len(self.screen_stack) > 1:
            return
        by = 1 if event.key == "down" else -1
        actions = self._part(Actions)
        if actions.has_focus and actions.point_row(by):
            return
        if by > 0:
            self.screen.focus_next()
        elif not isinstance(self.focused, Hand):
            self.screen.focus_previous()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Disable typing on the screens above the table, which have no input line."""
        return action != "type" or len(self.screen_stack) == 1

    def action_type(self) -> None:
        """Focus the input line before the next key is handled: over a slow connection all keys of a move arrive at
        once, and its letters are also keys of the table."""
        self._table.set_focus(self._part(Input))

    def action_clear(self) -> None:
        """Clear the selection and the input line, and return to the hand."""
        self._part(Input).clear()
        self._part(Hand).clear()
        self._part(Hand).focus()
        self._say("")

    def action_keys(self) -> None:
        self.push_screen(
            Note(localized("Keys"), text_for_reader(KEYS).splitlines(), localized("Enter: back to the table"))
        )

    def action_rules(self) -> None:
        self.push_screen(Rules(self._session.match.options, self._clause))

    def action_learn(self) -> None:
        self.push_screen(TextScreen(lessons_text(self._session.game, reader.get())))

    def action_scores(self) -> None:
        lines = wording.scores(self._session.scene, self._session.names)
        self.push_screen(Note(localized("Scores"), lines, localized("Enter: back to the table"), self._ink))

    def action_hint(self) -> None:
        self.run_worker(self._hint(), exclusive=True)

    async def _hint(self) -> None:
        """Show the best moves and point at the first, unless something has happened meanwhile."""
        self._say(wording.hint_waits())
        try:
            hint = await self._session.hint()
        except Refusal as refusal:
            self._heard(refusal)
            return
        self._say("")
        if hint.seq == self._session.seq:
            self._point_at(hint.moves[0].text)
            best, *lines = wording.hint_lines(hint)
            self.push_screen(Note(best, lines, localized("Enter: back to the table"), self._ink))

    def _point_at(self, text: str) -> None:
        """Point at a move: at its card, or at its button."""
        hand, actions = self._part(Hand), self._part(Actions)
        if hand.point_at(text):
            hand.focus()
        elif actions.point_at(text):
            actions.focus()

    async def action_undo(self) -> None:
        self._heard(await self._session.undo())

    def action_again(self) -> None:
        """Play this deal again, after asking for confirmation: its moves are lost, and the key is easy to hit by
        mistake."""
        deal = self._session.scene.deal

        async def answered(sure: bool | None) -> None:
            if sure:
                self._heard(await self._session.deal_again(deal))

        warning = localized("It starts again from its first card; the moves made so far are lost.")
        self.push_screen(Question(localized("Play this deal again?"), warning), answered)

    def action_turn(self, by: int) -> None:
        """Scroll the middle of the table, or the log if all of the middle is visible."""
        centre = self._part("#centre")
        place = centre if centre.max_scroll_y else self._part("#story")
        place.scroll_relative(y=by * max(1, place.size.height - 1), animate=False)

    def action_pace(self) -> None:
        self._settings.pace = PACES[(PACES.index(self._settings.pace) + 1) % len(PACES)]
        save(self._settings)
        self._hurry.set()
        self._show_words(self._session.scene)

    def action_colours(self) -> None:
        self._settings.four_colours = not self._settings.four_colours
        save(self._settings)
        self._ink = paint.FOUR if self._settings.four_colours else paint.TWO
        for drawing in self._table.query(Drawing):
            drawing.look(self._ink)
        self._show_words(self._session.scene)

    def action_leave(self) -> None:
        if self._session.scene.done:
            self.exit()
            return
        command = f"upcard play --resume {self._session.plan.id}"
        saved = localized("The match is saved. To continue it: {command}", command=command)
        self.push_screen(Question(localized("Leave the table?"), saved), lambda leave: self.exit() if leave else None)


def _deal_ended(before: SceneView, after: SceneView) -> bool:
    """Whether the deal of the scene before is over."""
    if after.done:
        return not before.done
    return bool(before.deal and after.deal > before.deal and (after.finished or after.result))


def _only_plays(scene: SceneView) -> bool:
    moves = scene.offers.moves
    return bool(moves) and all(move.verb == "" for move in moves)
