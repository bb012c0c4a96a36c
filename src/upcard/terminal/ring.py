"""The table seen from above: the trick in the middle, the seats around it, the person's own seat at the bottom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text

from upcard.languages.localizing import text_for_reader
from upcard.rules.sentences import in_context
from upcard.table.scene import SceneView
from upcard.terminal import paint
from upcard.terminal.paint import Ink

ROOM = {6: (120, 36), 10: (150, 44)}
"""By number of seats, the smallest terminal (width and height) on which they fit around the table. On a smaller
terminal they are listed."""
MOST_IN_A_ROW = 4
"""The most seats at the top before there are two on each side."""
SIDE, FACE = 24, 7
"""The widths of the seats on the left and right, and of a card in the trick."""


def most_seats(width: int, height: int) -> int:
    """The most seats that fit around the table on a terminal of this size."""
    return max((seats for seats, (wide, high) in ROOM.items() if width >= wide and height >= high), default=0)


def seats_fit(scene: SceneView) -> bool:
    """Whether this scene can be drawn as a ring: there is at most one trick, with at most one card per seat."""
    tricks = [zone.seats for zone in scene.zones if zone.role == "trick"]
    played = [who for seats in tricks for who in seats]
    return (
        len(scene.seats) >= 2
        and len(tricks) <= 1
        and all(isinstance(who, int) for who in played)
        and len(set(played)) == len(played)
    )


def draw_ring(
    scene: SceneView, seats: Sequence[Sequence[Text]], piles: Sequence[Text], ink: Ink, width: int
) -> list[Text]:
    """The lines of the ring: around it the pieces that describe each seat, and in the middle the trick above the
    piles."""
    me = scene.seat if scene.seat is not None else 0
    left, top, right = _places(me, len(seats))
    faces = _faces(scene, ink)
    column = width // max(1, len(top))
    across = min(column, max(SIDE, width // 2)) if len(top) == 1 else column
    above = [_block(seats[seat], across - 2) for seat in top]
    lines = _row([_centred(block, column) for block in above], column)
    lines += _middle(
        _side(seats, left), _centre(left, top, right, me, faces, piles, width - 2 * SIDE), _side(seats, right), width
    )
    return lines + _centred(_block(seats[me], width), width)


def _places(me: int, players: int) -> tuple[list[int], list[int], list[int]]:
    """The seats on the left, at the top and on the right: those at the sides from the nearest to the farthest, those at
    the top from left to right."""
    others = [(me + i) % players for i in range(1, players)]
    if len(others) == 1:
        return [], others, []
    aside = 1 if len(others) - 2 <= MOST_IN_A_ROW else 2
    return others[:aside], others[aside:-aside], others[: -aside - 1 : -1]


def _faces(scene: SceneView, ink: Ink) -> Mapping[int, list[Text]]:
    """The cards of the trick by seat, drawn large; the card that is ahead is marked."""
    faces, ahead = {}, text_for_reader(in_context("on a card", "ahead"))
    for zone in scene.zones:
        if zone.role == "trick":
            for card, who in zip(zone.cards, zone.seats, strict=True):
                best = who == scene.ahead and len(zone.cards) > 1
                paper = paint.POINTED if best else paint.PAPER
                style = f"bold {paint.ink_of(card, ink)} on {paper}"
                faces[int(who)] = [
                    Text(f" {paint.face_sign(card):{FACE - 1}}", style),
                    Text(f"{ahead[:FACE] if best else '':^{FACE}}", f"#1a1a1a on {paper}"),
                ]
    return faces


def _centre(
    left: Sequence[int],
    top: Sequence[int],
    right: Sequence[int],
    me: int,
    faces: Mapping[int, list[Text]],
    piles: Sequence[Text],
    width: int,
) -> list[Text]:
    """The trick, each card in front of its player, and the piles below it."""
    none = [Text(" " * FACE)] * 2
    gap = Text("  ")
    lines: list[Text] = []
    across = [[one, other] for one, other in zip(left[::-1], right[::-1], strict=True)]
    for places in (top, *across, [me]):
        if places:
            cards = [faces.get(seat, none) for seat in places]
            wide = Text(" " * (FACE + 4)) if places in across else gap
            lines += [wide.join(card[level] for card in cards) for level in (0, 1)]
    return _centred([*lines, *([Text("")] if piles else []), *piles], width)


def _side(seats: Sequence[Sequence[Text]], places: Sequence[int]) -> list[Text]:
    """Seats one above the other, the nearest at the bottom."""
    blocks = [_block(seats[place], SIDE) for place in reversed(places)]
    return [line for block in blocks for line in [*([Text("")] if block is not blocks[0] else []), *block]]


def _block(pieces: Sequence[Text], width: int) -> list[Text]:
    """The pieces of a seat, the first on a separate line. Pieces wider than a line are divided."""
    room = width - 2
    parts = [part for piece in pieces for part in piece.divide(range(room, piece.cell_len, room))]
    first, rest = parts[0], parts[1:]
    rows = paint.packed([part.cell_len for part in rest], room, 2)
    return [first, *(Text("  ") + Text("  ").join(rest[i] for i in row) for row in rows)]


def _centred(lines: Sequence[Text], width: int) -> list[Text]:
    """Lines centred within this width."""
    return [Text(" " * max(0, (width - line.cell_len) // 2)) + line for line in lines]


def _row(blocks: Sequence[Sequence[Text]], column: int) -> list[Text]:
    """Blocks side by side, in columns of this width."""
    tall = max((len(block) for block in blocks), default=0)
    return [Text.assemble(*(_padded(block, i, column) for block in blocks)) for i in range(tall)]


def _middle(left: Sequence[Text], centre: Sequence[Text], right: Sequence[Text], width: int) -> list[Text]:
    """The seats on the left and right of the trick, vertically centred."""
    tall = max(len(left), len(centre), len(right))
    low = [[Text("")] * ((tall - len(block)) // 2) + list(block) for block in (left, centre, right)]
    widths = (SIDE, width - 2 * SIDE, SIDE)
    return [Text.assemble(*map(_padded, low, [i] * 3, widths)) for i in range(tall)]


def _padded(block: Sequence[Text], i: int, width: int) -> Text:
    """Line `i` of a block, padded to this width; empty if the block has no such line."""
    line = block[i].copy() if i < len(block) else Text("")
    line.pad_right(width - line.cell_len)
    return line
