"""The common frame for playing and watching: the table, with the log of the match next to it."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Container, Vertical, VerticalScroll
from textual.geometry import Size
from textual.widgets import Static

from upcard.table.scene import SceneView
from upcard.terminal import paint
from upcard.terminal.felt import Felt, SeatsPanel, Shown
from upcard.terminal.paint import Ink


class Board(Container):
    """The seats, the cards on the table, and the log: on the right in a wide terminal, otherwise below."""

    def __init__(self, names: Sequence[str], least_story: int) -> None:
        """`least_story` is the number of lines reserved for the log if it is below the table."""
        super().__init__(id="middle")
        self._names = names
        self._least_story = least_story

    def compose(self) -> ComposeResult:
        with Vertical(id="board"):
            yield SeatsPanel(self._names, id="seats")
            with VerticalScroll(id="centre", can_focus=False):
                yield Felt(self._names, id="felt")
        with VerticalScroll(id="story", can_focus=False):
            yield Static(id="log", markup=False)

    def show(self, scene: SceneView, story: Sequence[str], ink: Ink) -> None:
        """Show a scene and these lines of the log, scrolled to the latest."""
        for drawing in self.query(Shown):
            drawing.show(scene)
        self.query_one("#log", Static).update(paint.line("\n".join(story), ink))
        self.show_latest()

    def show_latest(self) -> None:
        """Scroll to the latest line of the log, once the layout is done."""
        self.call_after_refresh(self.query_one("#story").scroll_end, animate=False)

    def fit_into(self, terminal: Size) -> None:
        """Adapt the drawings to a terminal of this size."""
        for drawing in self.query(Shown):
            drawing.fit_into(terminal)

    def on_resize(self) -> None:
        """Fit again later: when a terminal that was too small grows, the board learns its own size only afterwards."""
        self.call_after_refresh(self.fit)

    def fit(self) -> None:
        """Limit the height of the middle so that the seats stay visible; if it needs more, it scrolls."""
        below = 0 if self.screen.has_class("-wide") else self._least_story
        room = self.size.height - self.query_one("#seats").outer_size.height - below
        self.query_one("#centre").styles.max_height = max(1, room)
        self.show_latest()
