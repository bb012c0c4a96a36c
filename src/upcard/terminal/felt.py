"""Widgets that draw the table in full screen: the seats, and the cards on the table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from textual.geometry import Size
from textual.widget import Widget

from upcard.languages.localizing import localized
from upcard.table.scene import SceneView, SeatOrDummy, SeatView, ZoneView
from upcard.terminal import paint, ring, wording
from upcard.terminal.paint import DIM, HIGH, Ink

PILES = ("pile", "discard", "stock", "upcard")
"""The roles of zones whose top card alone is drawn."""


class Drawing(Widget):
    """A widget that draws lines of text to fit its width."""

    ink: Ink = paint.TWO

    def lines(self, width: int) -> list[Text]:
        """The lines to draw at this width."""
        raise NotImplementedError

    def render(self) -> Text:
        return Text("\n", no_wrap=True, overflow="ellipsis").join(self.lines(self.content_size.width))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.lines(width))

    def look(self, ink: Ink) -> None:
        """Change the colours of the suits and redraw."""
        self.ink = ink
        self.refresh(layout=True)


class Shown(Drawing):
    """A drawing of a scene."""

    def __init__(self, names: Sequence[str], *, id: str) -> None:
        super().__init__(id=id)
        self.names = names
        self._scene: SceneView | None = None
        self._room = 0
        """The most seats that fit around the table on this terminal."""

    def show(self, scene: SceneView) -> None:
        self._scene = scene
        self.refresh(layout=True)

    def fit_into(self, terminal: Size) -> None:
        """Adapt to a terminal of this size. Seats are drawn around the trick if there is room."""
        self._room = ring.most_seats(terminal.width, terminal.height)
        self.refresh(layout=True)

    def in_a_ring(self, scene: SceneView) -> bool:
        """Whether the seats of this scene are drawn around the trick and the piles."""
        return len(scene.seats) <= self._room and ring.seats_fit(scene)

    def lines(self, width: int) -> list[Text]:
        return self.drawn(self._scene, width) if self._scene else []

    def drawn(self, scene: SceneView, width: int) -> list[Text]:
        """The lines to draw for a scene at this width."""
        raise NotImplementedError


class SeatsPanel(Shown):
    """The seats with their cards, marks and scores, and whose turn it is."""

    def drawn(self, scene: SceneView, width: int) -> list[Text]:
        """The seats around the table if there is room; otherwise one per line or in two columns, in full or
        abbreviated: the first of these that fits.
        """
        if self.in_a_ring(scene):
            piles = [pile(zone, self.names, self.ink) for zone in scene.zones if zone.role in PILES]
            return ring.draw_ring(scene, [self._apart(scene, one) for one in scene.seats], piles, self.ink, width)
        half = (width - 2) // 2
        full, brief = ([self._seat(scene, one, in_full) for one in scene.seats] for in_full in (True, False))
        for in_two, seats in ((False, full), (True, full), (True, brief), (False, brief)):
            if len(seats) > 4 and not in_two and seats is full:
                continue
            texts = [Text("  ").join(pieces) for pieces in seats]
            if all(text.cell_len <= (half if in_two else width) for text in texts):
                return _side_by_side(texts, half) if in_two else texts
        return [line for pieces in brief for line in _wrapped(pieces, width)]

    def _seat(self, scene: SceneView, drawn: SeatView, full: bool) -> list[Text]:
        """The pieces of one seat's line."""
        head = self._called(scene, drawn)
        head.append(" " * (max(map(len, self.names)) - len(self.names[drawn.seat])))
        if drawn.side is not None:
            head.append(f" {wording.side(drawn)}" if full else f" {drawn.side + 1}", DIM)
        held = wording.cards_held(drawn) if drawn.cards > 9 else f" {wording.cards_held(drawn)}"
        widest = len(localized("{n} card", "{n} cards", n=10))
        head.append(f"  {held:{widest}}" if full else f" ▮{drawn.cards}")
        score = localized("score {score}", score=drawn.score)
        head.append(f"  {score}" if full else f" {drawn.score}", "bold")
        opened = [paint.row(drawn.open, self.ink)] if drawn.open else []
        return [head, *self._facts(scene, drawn, full), *opened]

    def _apart(self, scene: SceneView, drawn: SeatView) -> list[Text]:
        """The pieces that describe a seat drawn around the table."""
        side = [] if drawn.side is None else [Text(wording.side(drawn), DIM)]
        held = [Text(wording.cards_held(drawn)), Text(localized("score {score}", score=drawn.score), "bold")]
        opened = [paint.row(drawn.open[i : i + 5], self.ink) for i in range(0, len(drawn.open), 5)]
        return [self._called(scene, drawn), *side, *held, *self._facts(scene, drawn, True), *opened]

    def _called(self, scene: SceneView, drawn: SeatView) -> Text:
        """The player's name, with a mark if it is their turn."""
        style = "bold underline" if drawn.seat == scene.seat else "bold"
        name = (self.names[drawn.seat], HIGH if drawn.seat in scene.winners else style)
        return Text.assemble(("▶ " if drawn.to_act else "  ", HIGH), name)

    def _facts(self, scene: SceneView, drawn: SeatView, full: bool) -> list[Text]:
        """A seat's marks, its role in the deal, and whether it has won."""
        pieces = [Text.assemble((f"{mark.label} ", DIM), mark.value) for mark in drawn.marks]
        pieces += [Text(flag if full else flag[:1].upper(), DIM) for flag in wording.flags(drawn)]
        if drawn.seat in scene.winners:
            pieces.append(Text(localized("wins the match") if full else localized("wins"), HIGH))
        return pieces


def _side_by_side(texts: Sequence[Text], half: int) -> list[Text]:
    """The texts in two columns, the first of which is filled first."""
    rows = (len(texts) + 1) // 2
    for text in texts[:rows]:
        text.pad_right(half + 2 - text.cell_len)
    return [Text.assemble(*texts[i::rows]) for i in range(rows)]


def _wrapped(pieces: Sequence[Text], width: int) -> list[Text]:
    """Pieces on as many lines as they need, all but the first line indented."""
    lines = paint.packed([piece.cell_len for piece in pieces], width - 4, 2)
    return [Text.assemble("    " * (i > 0), Text("  ").join(pieces[k] for k in line)) for i, line in enumerate(lines)]


class Felt(Shown):
    """The middle of the table: the trick, the trick before, piles and rows, melds."""

    def drawn(self, scene: SceneView, width: int) -> list[Text]:
        in_the_ring = ("trick", *PILES) if self.in_a_ring(scene) else ()
        zones = [zone for zone in scene.zones if zone.role not in in_the_ring]
        tricks = [zone for zone in zones if zone.role == "trick"]
        melds = [zone for zone in zones if zone.role == "meld"]
        others = [zone for zone in zones if zone.role not in ("trick", "meld")]
        lines: list[Text] = []
        for zone in tricks:
            lines += self._trick(zone.label, zone.cards, zone.seats, scene.ahead, localized("ahead"), width)
        if last := scene.last_trick:
            lines += self._trick(
                localized("Last trick"), last.cards, last.seats, last.taker, localized("took it"), width, faded=True
            )
        for zones in (others, melds):
            lines += _flow([piece for zone in zones for piece in self._zone(zone, width)], width)
        return lines

    def _trick(
        self,
        label: str,
        played: Sequence[str],
        seats: Sequence[SeatOrDummy],
        best: SeatOrDummy | None,
        word: str,
        width: int,
        *,
        faded: bool = False,
    ) -> list[Text]:
        """A trick next to its label: who played what, with the card that is ahead or took it marked by `word`."""
        pieces = []
        for card, seat in zip(played, seats, strict=True):
            is_best = seat == best and len(played) > 1
            chip = paint.chip(card, self.ink, paint.SHADE if faded and not is_best else paint.PAPER)
            style = HIGH if is_best else ""
            pieces.append(
                Text.assemble((wording.seat_name(seat, self.names), style), " ", chip, (f" {word}" * is_best, style))
            )
        column = max(len(label), 10) + 2
        flowed = _flow(pieces, width - column, 2) or [Text("–")]
        return [Text.assemble((f"{label if i == 0 else '':{column}}", DIM), line) for i, line in enumerate(flowed)]

    def _zone(self, zone: ZoneView, width: int) -> list[Text]:
        """A zone as one piece, or as several pieces if it is too long for a line."""
        if zone.role in PILES:
            return [pile(zone, self.names, self.ink)]
        head = _label(zone, self.names)
        pieces = [paint.row(zone.cards[i : i + 13], self.ink) for i in range(0, len(zone.cards), 13)]
        if below := zone.count - len(zone.cards):
            pieces.append(_face_down(below))
        whole = Text.assemble(head, *(pieces or [Text("–")]))
        return [whole] if whole.cell_len <= width else [head, *pieces]


def pile(zone: ZoneView, names: Sequence[str], ink: Ink) -> Text:
    """A pile, of which at most the top card is visible."""
    top = zone.cards[-1:]
    below = zone.count - len(top)
    cards = paint.row(top, ink) if top else _face_down(below) if below else Text("–")
    return Text.assemble(
        _label(zone, names), cards, f" {localized('on {number}', number=below)}" if top and below else ""
    )


def _label(zone: ZoneView, names: Sequence[str]) -> Text:
    owner = wording.owner(zone, names)
    return Text(f"{zone.label} {owner} " if owner else f"{zone.label} ", DIM)


def _face_down(count: int) -> Text:
    return Text.assemble((" ▒▒ ", paint.BACK), f" {count}")


def _flow(pieces: Sequence[Text], width: int, gap: int = 3) -> list[Text]:
    """Pieces side by side, on as many lines as they need."""
    lines = paint.packed([piece.cell_len for piece in pieces], width, gap)
    return [Text(" " * gap).join(pieces[i] for i in line) for line in lines]
