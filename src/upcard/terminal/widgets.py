"""The widgets for choosing moves: the hand and the bar of moves. They know nothing about the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.events import Click
from textual.geometry import Region
from textual.message import Message

from upcard.table.offers import Offers
from upcard.table.scene import SceneView
from upcard.terminal import choosing, paint
from upcard.terminal.choosing import Bar, Choice
from upcard.terminal.felt import Drawing
from upcard.terminal.keys import localize_keys
from upcard.terminal.paint import DIM


class Hand(Drawing, can_focus=True):
    """The cards in hand. One is pointed at, and selected cards are raised a little."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "point(-1)", "Point", show=False),
        Binding("right", "point(1)", "Point", show=False),
        Binding("home", "point(-99)", "First", show=False),
        Binding("end", "point(99)", "Last", show=False),
        Binding("space", "select", "Select", key_display="space"),
        Binding("enter", "choose", "Play", key_display="enter"),
    ]

    @dataclass
    class Selected(Message):
        """The selection has changed."""

        cards: list[str]

    @dataclass
    class Chosen(Message):
        """A card was chosen, or the selection if `card` is None."""

        card: str | None

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        localize_keys(self)
        self._cards: list[str] = []
        self._good: set[str] = set()
        self._asked = False
        self._at = 0
        self._selected: set[int] = set()
        self._large = False

    def enlarge(self, large: bool) -> None:
        """Draw large or small cards."""
        if large != self._large:
            self._large = large
            self.refresh(layout=True)

    @property
    def _tall(self) -> int:
        """The height of a card in lines, including the line into which a selected card is raised."""
        return 4 if self._large else 3

    @property
    def _wide(self) -> int:
        return 6 if self._large else 4

    @property
    def selected(self) -> list[str]:
        return [self._cards[i] for i in sorted(self._selected)]

    def show(self, scene: SceneView) -> None:
        """Show the hand of a scene; the pointer and the selection stay on cards that are still there."""
        pointed = self._cards[self._at] if self._cards else None
        chosen = Counter(self.selected)
        self._cards = scene.hand
        self._asked = bool(scene.offers.moves or scene.offers.picks)
        self._good = choosing.playable(scene.offers)
        self._at = self._cards.index(pointed) if pointed in self._cards else min(self._at, max(0, len(self._cards) - 1))
        self._selected = set()
        for i, card in enumerate(self._cards):
            if chosen[card]:
                chosen[card] -= 1
                self._selected.add(i)
        self.refresh(layout=True)

    def clear(self) -> None:
        self._selected = set()
        self._changed()

    def _changed(self) -> None:
        self.refresh()
        self.post_message(self.Selected(self.selected))

    def _stride(self, width: int) -> int:
        """The distance from one card to the next, with a gap if all cards still fit on one line."""
        return self._wide + (len(self._cards) * (self._wide + 1) - 1 <= width)

    def _in_a_row(self, width: int) -> int:
        return max(1, (width + 1) // self._stride(width))

    def lines(self, width: int) -> list[Text]:
        across = self._in_a_row(width)
        gap = " " * (self._stride(width) - self._wide)
        lines: list[Text] = []
        for first in range(0, max(1, len(self._cards)), across):
            places = range(first, min(first + across, len(self._cards)))
            for level in range(self._tall):
                lines.append(Text(gap).join(self._slice(i, level) for i in places))
        return lines

    def _slice(self, i: int, level: int) -> Text:
        """Line `level` of card `i`; a selected card is drawn one line higher."""
        top = level + (i in self._selected) - 1
        if not 0 <= top < self._tall - 1:
            return Text(" " * self._wide)
        pointed = i == self._at and self.has_focus
        card = self._cards[i]
        good = card in self._good or not self._asked
        paper = paint.POINTED if pointed else paint.PAPER if good else paint.SHADE
        mark = "▲" if pointed else "•" if good and self._asked else ""
        face = paint.face_sign(card) if top == 0 else mark if top == 1 else ""
        return Text(f"▏{face:{self._wide - 1}}", f"bold {paint.ink_of(card, self.ink)} on {paper}")

    def point_at(self, card: str) -> bool:
        """Point at a card; returns whether it is in the hand."""
        if card in self._cards:
            self._at = self._cards.index(card)
            self.refresh()
        return card in self._cards

    def action_point(self, by: int) -> None:
        self._at = min(max(0, self._at + by), max(0, len(self._cards) - 1))
        self.refresh()

    def action_select(self) -> None:
        if self._cards:
            self._selected ^= {self._at}
            self._changed()

    def action_choose(self) -> None:
        self.post_message(self.Chosen(None if self._selected or not self._cards else self._cards[self._at]))

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def on_click(self, event: Click) -> None:
        """Point at and select the card clicked on; a second click on it chooses it."""
        width = self.content_size.width
        place = event.get_content_offset(self)
        if place is None:
            return
        i = place.y // self._tall * self._in_a_row(width) + place.x // self._stride(width)
        if i < len(self._cards):
            self._at = i
            self.action_select()
            if event.chain == 2:
                self.clear()
                self.action_choose()


class Actions(Drawing, can_focus=True):
    """The moves to choose from with the current selection."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "point(-1)", "Point", show=False),
        Binding("right", "point(1)", "Point", show=False),
        Binding("enter,space", "choose", "Play", key_display="enter"),
    ]

    @dataclass
    class Chosen(Message):
        """One of the moves was chosen."""

        choice: Choice

    @dataclass
    class Pointed(Message):
        """A line of this widget should be scrolled into view."""

        region: Region

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        localize_keys(self)
        self._pieces: list[tuple[str, Choice | None]] = []
        self._buttons: list[int] = []
        """The indices of the pieces that are moves."""
        self._at = 0

    def show(self, offers: Offers, selected: Sequence[str], hand: Sequence[str]) -> None:
        self._pieces = _pieces(choosing.bar(offers, selected, hand))
        self._buttons = [i for i, (_, choice) in enumerate(self._pieces) if choice]
        self._at = 0
        self.can_focus = bool(self._buttons)
        self.refresh(layout=True)

    @property
    def labels(self) -> list[str]:
        """The labels of the choices."""
        return [label for label, choice in self._pieces if choice]

    def _rows(self, width: int) -> list[list[int]]:
        return paint.packed([len(label) + 2 for label, _ in self._pieces], width, 1)

    def lines(self, width: int) -> list[Text]:
        return [Text(" ").join(self._piece(i) for i in row) for row in self._rows(width)] or [Text("")]

    def _piece(self, i: int) -> Text:
        label, choice = self._pieces[i]
        if choice is None:
            return Text(f" {label} ", DIM)
        if self.has_focus and self._buttons[self._at] == i:
            return Text(f"▸{label}◂", f"bold #1a1a1a on {paint.POINTED}")
        return paint.line(f" {label} ", self.ink, "on #1f5a43")

    def point_at(self, text: str) -> bool:
        """Point at the choice that makes exactly this move; returns whether there is one."""
        for at, piece in enumerate(self._buttons):
            choice = self._pieces[piece][1]
            if choice and choice.texts == (text,):
                self._at = at
                self.refresh()
                self._keep_in_sight()
                return True
        return False

    def action_point(self, by: int) -> None:
        if not self._buttons:
            return
        self._at = (self._at + by) % len(self._buttons)
        self.refresh()
        self._keep_in_sight()

    def point_row(self, by: int) -> bool:
        """Point at the row above or below; returns False if there is none."""
        rows = self._rows(self.content_size.width)
        piece = self._buttons[self._at] if self._buttons else 0
        here = next((y for y, row in enumerate(rows) if piece in row), 0)
        if not 0 <= here + by < len(rows):
            return False
        column = rows[here].index(piece)
        there = [i for i in rows[here + by] if i in self._buttons]
        if there:
            self._at = self._buttons.index(there[min(column, len(there) - 1)])
            self.refresh()
            self._keep_in_sight()
        return True

    def _keep_in_sight(self) -> None:
        rows = self._rows(self.content_size.width)
        y = next(y for y, row in enumerate(rows) if self._buttons[self._at] in row)
        self.post_message(self.Pointed(Region(0, y, 1, 1)))

    def action_choose(self) -> None:
        choice = self._pieces[self._buttons[self._at]][1] if self._buttons else None
        if choice:
            self.post_message(self.Chosen(choice))

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def on_click(self, event: Click) -> None:
        place = event.get_content_offset(self)
        rows = self._rows(self.content_size.width)
        if place is None or place.y >= len(rows):
            return
        x = 0
        for i in rows[place.y]:
            x += len(self._pieces[i][0]) + 3
            if place.x < x - 1:
                if i in self._buttons:
                    self._at = self._buttons.index(i)
                    self.action_choose()
                return


def _pieces(shown: Bar) -> list[tuple[str, Choice | None]]:
    """The labels of a bar, each with its choice, or None for titles and hints."""
    pieces: list[tuple[str, Choice | None]] = []
    for title, row in shown.rows:
        pieces += [(f"{title}:", None), *((choice.label, choice) for choice in row)]
    pieces += [(choice.label, choice) for choice in shown.choices]
    if shown.hint:
        pieces.append((shown.hint, None))
    return pieces
