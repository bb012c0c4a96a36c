"""The table on the screen: who sits at it and what lies on it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from textual.geometry import Size
from textual.widget import Widget

from upcard.table.scene import SceneView, SeatView, Who, ZoneView
from upcard.terminal import paint, words
from upcard.terminal.paint import DIM, HIGH, Ink

PILES = ("pile", "discard", "stock", "upcard")
"""The roles of zones of which only the top is drawn."""


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


class Shown(Drawing):
    """A drawing of a scene."""

    def __init__(self, names: Sequence[str], *, id: str) -> None:
        super().__init__(id=id)
        self.names = names
        self._scene: SceneView | None = None

    def show(self, scene: SceneView) -> None:
        self._scene = scene
        self.refresh(layout=True)

    def lines(self, width: int) -> list[Text]:
        return self.drawn(self._scene, width) if self._scene else []

    def drawn(self, scene: SceneView, width: int) -> list[Text]:
        """This scene, this wide."""
        raise NotImplementedError


class Seats(Shown):
    """Who sits at the table: cards, marks, scores, whose turn it is."""

    def drawn(self, scene: SceneView, width: int) -> list[Text]:
        """Each seat whole: a line each, or two side by side, in full or in brief, whatever takes the fewest lines."""
        half = (width - 2) // 2
        full, brief = ([self._seat(scene, one, in_full) for one in scene.seats] for in_full in (True, False))
        for in_two, made in ((False, full), (True, full), (True, brief), (False, brief)):
            if len(made) > 4 and not in_two and made is full:
                continue
            texts = [Text("  ").join(pieces) for pieces in made]
            if all(text.cell_len <= (half if in_two else width) for text in texts):
                return _side_by_side(texts, half) if in_two else texts
        return [line for pieces in brief for line in _wrapped(pieces, width)]

    def _seat(self, scene: SceneView, drawn: SeatView, full: bool) -> list[Text]:
        """The pieces of one seat's line."""
        name, won = self.names[drawn.seat], drawn.seat in scene.winners
        head = Text("▶ " if drawn.to_act else "  ", HIGH)
        head.append(name, HIGH if won else "bold underline" if drawn.seat == scene.seat else "bold")
        head.append(" " * (max(map(len, self.names)) - len(name)))
        if drawn.side is not None:
            head.append(f" side {drawn.side + 1}" if full else f" {drawn.side + 1}", DIM)
        head.append(f"  {drawn.cards:2} cards" if full else f" ▮{drawn.cards}")
        head.append(f"  score {drawn.score}" if full else f" {drawn.score}", "bold")
        pieces = [head, *(Text.assemble((f"{mark.label} ", DIM), mark.value) for mark in drawn.marks)]
        flags = [("dealer", "D"), ("leader", "L")]
        pieces += [Text(flag if full else short, DIM) for flag, short in flags if getattr(drawn, flag)]
        if won:
            pieces.append(Text("wins the match" if full else "wins", HIGH))
        if drawn.open:
            pieces.append(paint.row(drawn.open, self.ink))
        return pieces


def _side_by_side(texts: Sequence[Text], half: int) -> list[Text]:
    """In two columns, one after the other."""
    rows = (len(texts) + 1) // 2
    for text in texts[:rows]:
        text.pad_right(half + 2 - text.cell_len)
    return [Text.assemble(*texts[i::rows]) for i in range(rows)]


def _wrapped(pieces: Sequence[Text], width: int) -> list[Text]:
    """Pieces on as many lines as they need."""
    lines = paint.packed([piece.cell_len for piece in pieces], width - 4, 2)
    return [Text.assemble("    " * (i > 0), Text("  ").join(pieces[k] for k in line)) for i, line in enumerate(lines)]


class Felt(Shown):
    """The middle of the table: the trick, the trick before, piles and rows, melds."""

    def drawn(self, scene: SceneView, width: int) -> list[Text]:
        tricks = [zone for zone in scene.zones if zone.role == "trick"]
        melds = [zone for zone in scene.zones if zone.role == "meld"]
        others = [zone for zone in scene.zones if zone.role not in ("trick", "meld")]
        lines: list[Text] = []
        for zone in tricks:
            lines += self._trick(zone.label, zone.cards, zone.seats, scene.ahead, "ahead", width)
        if last := scene.last_trick:
            lines += self._trick("Last trick", last.cards, last.seats, last.taker, "took it", width, faded=True)
        for zones in (others, melds):
            lines += _flow([piece for zone in zones for piece in self._zone(zone, width)], width)
        return lines

    def _trick(
        self,
        label: str,
        played: Sequence[str],
        seats: Sequence[Who],
        best: Who | None,
        word: str,
        width: int,
        *,
        faded: bool = False,
    ) -> list[Text]:
        """Who played what, beside the label; whoever is ahead or took it stands out, and a word says so."""
        pieces = []
        for card, seat in zip(played, seats, strict=True):
            is_best = seat == best and len(played) > 1
            chip = paint.chip(card, self.ink, paint.SHADE if faded and not is_best else paint.PAPER)
            style = HIGH if is_best else ""
            pieces.append(
                Text.assemble((words.named(seat, self.names), style), " ", chip, (f" {word}" * is_best, style))
            )
        column = max(len(label), 10) + 2
        flowed = _flow(pieces, width - column, 2) or [Text("–")]
        return [Text.assemble((f"{label if i == 0 else '':{column}}", DIM), line) for i, line in enumerate(flowed)]

    def _zone(self, zone: ZoneView, width: int) -> list[Text]:
        """A zone as one piece; of a long row as several that can be set in lines."""
        head = Text(f"{zone.label} ", DIM)
        if zone.owner is not None:
            head.append(f"{self.names[zone.owner]} ", DIM)
        known = zone.cards[-1:] if zone.role in PILES else zone.cards
        below = zone.count - len(known)
        pieces = [paint.row(known[i : i + 13], self.ink) for i in range(0, len(known), 13)]
        if below and known and zone.role in PILES:
            pieces[0].append(f" on {below}")
        elif below:
            pieces.append(Text.assemble((" ▒▒ ", paint.BACK), f" {below}"))
        whole = Text.assemble(head, *(pieces or [Text("–")]))
        return [whole] if whole.cell_len <= width else [head, *pieces]


def _flow(pieces: Sequence[Text], width: int, gap: int = 3) -> list[Text]:
    """Pieces side by side, in as many lines as that takes."""
    lines = paint.packed([piece.cell_len for piece in pieces], width, gap)
    return [Text(" " * gap).join(pieces[i] for i in line) for line in lines]
