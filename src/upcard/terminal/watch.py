"""Replays of a match, in full screen or in lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.timer import Timer
from textual.widgets import Footer, Static

from upcard.languages.localizing import localized
from upcard.table.scene import Viewpoint
from upcard.terminal import paint, wording
from upcard.terminal.board import Board
from upcard.terminal.film import Film
from upcard.terminal.keys import localize_keys
from upcard.terminal.widgets import Hand

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Events per second."""
LONGEST_STORY = 200
"""The most lines of the log on the screen."""


class WatchApp(App[tuple[int, Viewpoint]]):
    """A match that replays by itself or step by step. Its result is the moment and the point of view from which to play
    on, or None if the person only watched."""

    CSS_PATH = "table.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "go", "Go", key_display="space"),
        Binding("left", "step(-1)", "Back", key_display="←"),
        Binding("right", "step(1)", "Step", key_display="→"),
        Binding("pageup,p", "deal(-1)", "Prev deal", key_display="p"),
        Binding("pagedown,n", "deal(1)", "Next deal", key_display="n"),
        Binding("up,plus", "speed(1)", "Faster", show=False),
        Binding("down,minus", "speed(-1)", "Slower", show=False),
        Binding("home", "step(-999999)", "Start", show=False),
        Binding("end", "step(999999)", "End", show=False),
        Binding("v", "turn", "View", key_display="v"),
        Binding("o", "play_on", "Play on", key_display="o"),
        Binding("q,escape,ctrl+q,ctrl+c", "quit", "Quit", key_display="q", priority=False),
        Binding("f2", "turn", show=False),
        Binding("f3", "play_on", show=False),
        Binding("f10", "quit", show=False),
        *(Binding(str(seat), f"look({seat})", show=False) for seat in range(10)),
    ]

    def __init__(self, film: Film, moment: int = 0, viewpoint: Viewpoint = "all", speed: float = 1.0) -> None:
        super().__init__()
        localize_keys(self)
        self._film = film
        self.moment = moment
        self.viewpoint: Viewpoint = viewpoint
        self.speed = speed
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="headline", markup=False)
        yield Board(self._film.names, least_story=1)
        yield Static(id="prompt", markup=False)
        yield Hand(id="hand")
        yield Footer(compact=True)

    def on_mount(self) -> None:
        self.set_focus(None)
        self._show()

    def on_resize(self, event: Resize) -> None:
        self.query_one(Board).fit_into(event.size)
        self.call_after_refresh(self.query_one(Board).fit)

    def _show(self) -> None:
        scene = self._film.scene(self.moment, self.viewpoint)
        story = self._film.story(self.moment, self.viewpoint)[-LONGEST_STORY:]
        self.query_one(Board).show(scene, story, paint.TWO)
        hand = self.query_one(Hand)
        hand.can_focus = False
        hand.display = isinstance(self.viewpoint, int)
        hand.show(scene)
        title = wording.headline(self._film.title, scene)
        self.query_one("#headline", Static).update(paint.line(title, paint.TWO))
        self.query_one("#prompt", Static).update(self._where())
        self.call_after_refresh(self.query_one(Board).fit)

    def _where(self) -> str:
        names = self._film.names
        if isinstance(self.viewpoint, int):
            view = localized("as {name} saw it", name=names[self.viewpoint])
        else:
            view = localized("all cards open") if self.viewpoint == "all" else localized("as everybody saw it")
        state = localized("playing") if self._timer else localized("stopped")
        moment = localized("{moment} of {moments}", moment=self.moment, moments=len(self._film.moments) - 1)
        return " · ".join([moment, view, state, localized("{speed} per second", speed=f"{self.speed:g}")])

    def action_go(self) -> None:
        """Start or stop the replay."""
        if self._timer:
            self._timer.stop()
            self._timer = None
        else:
            self._timer = self.set_interval(1 / self.speed, self._tick)
        self._show()

    def _tick(self) -> None:
        if self.moment == len(self._film.moments) - 1:
            self.action_go()
        else:
            self.action_step(1)

    def action_step(self, by: int) -> None:
        self.moment = min(max(0, self.moment + by), len(self._film.moments) - 1)
        self._show()

    def action_deal(self, by: int) -> None:
        """Move to the beginning of the previous or next deal."""
        deals = self._film.deals
        ahead = [moment for moment in deals if moment > self.moment]
        behind = [moment for moment in deals if moment < self.moment]
        if beginning := ahead[:1] if by > 0 else behind[-1:]:
            self.moment = beginning[0]
            self._show()

    def action_speed(self, by: int) -> None:
        near = min(range(len(SPEEDS)), key=lambda i: abs(SPEEDS[i] - self.speed))
        self.speed = SPEEDS[min(max(0, near + by), len(SPEEDS) - 1)]
        if self._timer:
            self._timer.stop()
            self._timer = self.set_interval(1 / self.speed, self._tick)
        self._show()

    def action_turn(self) -> None:
        """Change the point of view: all cards, each seat in turn, a spectator."""
        every: list[Viewpoint] = ["all", *range(len(self._film.names)), None]
        self.viewpoint = every[(every.index(self.viewpoint) + 1) % len(every)]
        self._show()

    def action_look(self, seat: int) -> None:
        if seat < len(self._film.names):
            self.viewpoint = seat
            self._show()

    def action_play_on(self) -> None:
        """Leave, to play on from this moment, unless it is the last."""
        if self.moment < len(self._film.moments) - 1:
            self.exit((self.moment, self.viewpoint))
        else:
            self.query_one("#prompt", Static).update(
                localized("Nothing was played after that: step back to play on from there")
            )


def lines(film: Film, moment: int, viewpoint: Viewpoint) -> Iterator[str]:
    """The match from a moment on in lines of text, with the hands at the beginning of each deal."""
    style = wording.in_letters
    first = max(0, len(film.story(moment, viewpoint)) - 1)
    deals = set(film.deals)
    last = len(film.moments) - 1
    for i, line in enumerate(film.story(last, viewpoint)[first:], first + 1):
        yield style(line)
        if i in deals:
            scene = film.scene(i, viewpoint)
            yield from (style(f"{film.names[seat.seat]}: {' '.join(seat.open)}") for seat in scene.seats if seat.open)
            if scene.hand:
                yield style(wording.hand(scene))
    end = film.scene(last, viewpoint)
    yield from map(style, [end.prompt, *wording.scores(end, film.names)])
