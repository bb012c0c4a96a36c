"""The parts of the screen. Each draws a piece of a scene and knows no rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.events import Click
from textual.geometry import Region, Size
from textual.message import Message
from textual.widget import Widget

from upcard.terminal import paint, words
from upcard.terminal.moves import Move, Offer, offer
from upcard.terminal.paint import DIM, HIGH, Ink

Scene = dict[str, Any]


class Drawing(Widget):
    """Lines of text that depend on the width."""

    ink: Ink = paint.TWO

    def lines(self, width: int) -> list[Text]:
        """What to draw this wide."""
        raise NotImplementedError

    def render(self) -> Text:
        return Text("\n", no_wrap=True, overflow="ellipsis").join(self.lines(self.content_size.width))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.lines(width))

    def look(self, ink: Ink) -> None:
        """Draw in these colours."""
        self.ink = ink
        self.refresh(layout=True)


class Seats(Drawing):
    """Who sits at the table: cards, marks, scores, whose turn it is."""

    def __init__(self, names: Sequence[str], *, id: str) -> None:
        super().__init__(id=id)
        self._names = names
        self._scene: Scene = {"seats": []}

    def show(self, scene: Scene) -> None:
        self._scene = scene
        self.refresh(layout=True)

    def lines(self, width: int) -> list[Text]:
        """A line for each seat; at big tables two side by side where that leaves room for everything."""
        drawn = self._scene["seats"]
        half = (width - 2) // 2
        if len(drawn) <= 5:
            return [self._seat(one, True) for one in drawn]
        for full in (True, False):
            texts = [self._seat(one, full) for one in drawn]
            if all(text.cell_len <= half for text in texts):
                middle = (len(texts) + 1) // 2
                for text in texts[:middle]:
                    text.pad_right(half + 2 - text.cell_len)
                return [Text.assemble(*texts[i::middle]) for i in range(middle)]
        return [self._seat(one, True) for one in drawn]

    def _seat(self, drawn: dict[str, Any], full: bool) -> Text:
        number = drawn["seat"]
        longest = max(map(len, self._names))
        text = Text().append("▶ " if drawn["to_act"] else "  ", HIGH)
        won = number in self._scene["winners"]
        you = number == self._scene["seat"]
        name = self._names[number]
        text.append(name, HIGH if won else "bold underline" if you else "bold").append(" " * (longest - len(name)))
        if drawn["partner"] is not None:
            text.append(f" {'side ' if full else ''}{drawn['partner'] + 1}", DIM)
        gap = "  " if full else " "
        text.append(f"  {drawn['cards']:2} cards" if full else f" ▮{drawn['cards']}")
        text.append(f"  score {drawn['score']}" if full else f" {drawn['score']}", "bold")
        for mark in drawn["marks"]:
            text.append(f"{gap}{mark['label']} ", DIM).append(mark["value"])
        for flag, short in (("dealer", "D"), ("leader", "L")):
            if drawn[flag]:
                text.append(gap + (flag if full else short), DIM)
        if won:
            text.append("  wins the match" if full else " wins", HIGH)
        if drawn["open"]:
            text.append(gap).append_text(paint.row(drawn["open"], self.ink))
        return text


class Felt(Drawing):
    """The middle of the table: the trick, piles, melds, and the trick before."""

    def __init__(self, names: Sequence[str], *, id: str) -> None:
        super().__init__(id=id)
        self._names = names
        self._scene: Scene | None = None

    def show(self, scene: Scene) -> None:
        self._scene = scene
        self.refresh(layout=True)

    def lines(self, width: int) -> list[Text]:
        """The trick and the last one, then piles and rows side by side, then the melds."""
        if self._scene is None:
            return []
        zones = self._scene["zones"]
        tricks = [zone for zone in zones if zone["kind"] == "trick"]
        lines: list[Text] = []
        for zone in tricks:
            lines += self._trick(zone["label"], zone["cards"], width)
        last = self._scene["last_trick"]
        if last:
            lines += self._trick("Last trick", last["cards"], width, last["taker"])
        for melds in (False, True):
            shown = [zone for zone in zones if zone not in tricks and (zone["kind"] == "meld") == melds]
            lines += self._flow([self._zone(zone) for zone in shown], width)
        return lines

    def _flow(self, pieces: list[Text], width: int) -> list[Text]:
        lines = paint.packed([piece.cell_len for piece in pieces], width, 3)
        return [Text("   ").join(pieces[i] for i in line) for line in lines]

    def _trick(
        self, label: str, played: Sequence[dict[str, Any]], width: int, taker: int | str | None = None
    ) -> list[Text]:
        """Who played what, beside the label; of a finished trick the card that took it stands out."""
        pieces = []
        for one in played:
            took = one["seat"] == taker
            card = paint.chip(one["card"], self.ink, paint.SHADE if taker is not None and not took else paint.PAPER)
            style = HIGH if took else ""
            name = words.named(one["seat"], self._names)
            pieces.append(Text.assemble((name, style), " ", card, (" took it" * took, style)))
        column = max(len(label), 10) + 2
        lines = self._flow(pieces, width - column) or [Text()]
        return [Text.assemble((f"{label if i == 0 else '':{column}}", DIM), line) for i, line in enumerate(lines)]

    def _zone(self, zone: dict[str, Any]) -> Text:
        text = Text(f"{zone['label']} ", DIM)
        if "owner" in zone:
            text.append(f"{self._names[zone['owner']]} ", DIM)
        known = zone["cards"]
        if zone["kind"] == "pile":
            text.append_text(paint.row(known[-1:], self.ink))
            below = zone["count"] - len(known[-1:])
            if known and below:
                text.append(f" on {below}")
            elif below:
                text.append(" ▒▒ ", paint.BACK).append(f" {below}")
        else:
            text.append_text(paint.row(known, self.ink))
            hidden = zone["count"] - len(known)
            if hidden:
                text.append(" ▒▒ ", paint.BACK).append(f" {hidden}")
        if not zone["count"]:
            text.append("–")
        return text


class Hand(Drawing, can_focus=True):
    """The cards held: one is pointed at, some may be selected and then stand a little higher."""

    TALL: ClassVar[int] = 3
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
        """Other cards are selected."""

        cards: list[str]

    @dataclass
    class Chosen(Message):
        """A card was chosen, or the selection if there is one."""

        card: str | None

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._cards: list[str] = []
        self._good: set[str] = set()
        self._at = 0
        self._selected: set[int] = set()

    @property
    def selected(self) -> list[str]:
        return [self._cards[i] for i in sorted(self._selected)]

    def show(self, scene: Scene) -> None:
        """The hand of this scene; what is pointed at and selected stays so as far as it is still there."""
        pointed = self._cards[self._at] if self._cards else None
        chosen = Counter(self.selected)
        self._cards = scene["hand"]
        self._good = {card for move in scene["moves"] for card in move["cards"]} if scene["moves"] else set(self._cards)
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
        """From one card to the next: with a gap if all fit into one line then."""
        return 5 if len(self._cards) * 5 - 1 <= width else 4

    def _in_a_row(self, width: int) -> int:
        return max(1, (width + 1) // self._stride(width))

    def lines(self, width: int) -> list[Text]:
        across = self._in_a_row(width)
        gap = " " * (self._stride(width) - 4)
        lines: list[Text] = []
        for first in range(0, max(1, len(self._cards)), across):
            places = range(first, min(first + across, len(self._cards)))
            for level in range(self.TALL):
                lines.append(Text(gap).join(self._slice(i, level) for i in places))
        return lines

    def _slice(self, i: int, level: int) -> Text:
        """One of the three lines that a card is drawn on; a selected one lies a line higher."""
        top = level + (i in self._selected) - 1
        if top not in (0, 1):
            return Text("    ")
        pointed = i == self._at and self.has_focus
        card = self._cards[i]
        paper = paint.POINTED if pointed else paint.PAPER if card in self._good else paint.SHADE
        face = paint.sign(card) if top == 0 else "▲" if pointed else ""
        return Text(f"▏{face:3}", f"bold {paint.ink_of(card, self.ink)} on {paper}")

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
        """A click points and selects, a second one on the same card chooses."""
        width = self.content_size.width
        place = event.get_content_offset(self)
        if place is None:
            return
        i = place.y // self.TALL * self._in_a_row(width) + place.x // self._stride(width)
        if i < len(self._cards):
            self._at = i
            self.action_select()
            if event.chain == 2:
                self.clear()
                self.action_choose()


class Actions(Drawing, can_focus=True):
    """The moves to choose from with the cards selected."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "point(-1)", "Point", show=False),
        Binding("right", "point(1)", "Point", show=False),
        Binding("enter,space", "choose", "Play", key_display="enter"),
    ]

    @dataclass
    class Chosen(Message):
        """One of the moves was chosen."""

        text: str

    @dataclass
    class Pointed(Message):
        """A line of this widget should be in sight."""

        region: Region

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._pieces: list[tuple[str, Move | None]] = []
        self._buttons: list[int] = []
        """The pieces that are moves."""
        self._at = 0

    def show(self, moves: Sequence[Move], selected: Sequence[str], hand: Sequence[str]) -> None:
        self._pieces = _pieces(offer(moves, selected, hand))
        self._buttons = [i for i, (_, move) in enumerate(self._pieces) if move]
        self._at = 0
        self.can_focus = bool(self._buttons)
        self.refresh(layout=True)

    @property
    def labels(self) -> list[str]:
        """What can be chosen, in words."""
        return [label for label, move in self._pieces if move]

    def _rows(self, width: int) -> list[list[int]]:
        return paint.packed([len(label) + 2 for label, _ in self._pieces], width, 1)

    def lines(self, width: int) -> list[Text]:
        return [Text(" ").join(self._piece(i) for i in row) for row in self._rows(width)] or [Text("")]

    def _piece(self, i: int) -> Text:
        label, move = self._pieces[i]
        if move is None:
            return Text(f" {label} ", DIM)
        if self.has_focus and self._buttons[self._at] == i:
            return Text(f"▸{label}◂", f"bold #1a1a1a on {paint.POINTED}")
        return paint.line(f" {label} ", self.ink, "on #1f5a43")

    def action_point(self, by: int) -> None:
        if not self._buttons:
            return
        self._at = (self._at + by) % len(self._buttons)
        self.refresh()
        self._keep_in_sight()

    def point_row(self, by: int) -> bool:
        """Point at the row above or below; False where there is none."""
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
        move = self._pieces[self._buttons[self._at]][1] if self._buttons else None
        if move:
            self.post_message(self.Chosen(move["text"]))

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


def _pieces(shown: Offer) -> list[tuple[str, Move | None]]:
    """The labels of a bar, with the move that each stands for, if any."""
    pieces: list[tuple[str, Move | None]] = [(move["label"], move) for move in shown.exact + shown.free]
    for verb, moves in shown.numbers.items():
        pieces.append((f"{verb.capitalize()}:", None))
        pieces += [(str(move["number"]), move) for move in moves]
    pieces += [(move["label"], move) for move in shown.groups]
    if shown.hint:
        pieces.append((shown.hint, None))
    return pieces
