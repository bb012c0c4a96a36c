"""The tables of a sweep, with a row for each value of the option or number that is varied."""

from __future__ import annotations

import math
import shutil
from typing import TYPE_CHECKING

from upcard.rules.phrases import counted

if TYPE_CHECKING:
    from upcard.lab.comparison import Comparison
    from upcard.lab.intervals import Interval
    from upcard.lab.simulate import Compared
    from upcard.lab.tally import Share, Summary

WIDE = 120
"""The number of columns if the width of the screen is unknown."""


def sweep_tables(game: str, usual: str, compared: dict[str, Compared]) -> str:
    """The results of each value, and the differences from the first value, `usual`."""
    base, name = next(iter(compared.values())).first, usual.partition("=")[0]
    summaries = {usual: base} | {value: one.second for value, one in compared.items()}
    stopped = "" if all(one.matches == base.matches for one in summaries.values()) else " at most"
    most = max(one.matches for one in summaries.values())
    packs = "the same packs" if all(one.same_packs for one in compared.values()) else "different packs"
    lines = [
        f"{counted(most, 'match')}{stopped} of {game} with each value, seed {base.seed}, {packs}; 95 % "
        "intervals in brackets:",
        *text_table(name, {_value(value): _summed_up(one) for value, one in summaries.items()}),
        f"Difference from {usual}, match by match; the intervals of a row hold simultaneously, and ? marks "
        "differences that may be due to chance:",
        *text_table(name, {_value(value): _changed(one.differences) for value, one in compared.items()}),
    ]
    for value, one in compared.items():
        if one.differences[0].untouched:
            lines.append(f"{value}: {one.differences[0].remarks[0]}")
    return "\n".join(lines)


def _value(words: str) -> str:
    return words.partition("=")[2]


def text_table(corner: str, rows: dict[str, dict[str, str]]) -> list[str]:
    """The lines of a table of texts with a header. Columns that do not fit on the screen go into further tables
    below."""
    screen = shutil.get_terminal_size((WIDE, 24)).columns
    first = max(map(len, [corner, *rows]))
    names = [f"{name:>{first}}" for name in (corner, *rows)]
    blocks = [names]
    for head in next(iter(rows.values())):
        cells = [head, *(row[head] for row in rows.values())]
        width = max(map(len, cells))
        if blocks[-1] != names and len(blocks[-1][0]) + 2 + width > screen:
            blocks.append(names)
        blocks[-1] = [f"{line}  {cell:<{width}}" for line, cell in zip(blocks[-1], cells, strict=True)]
    return ["", *(line.rstrip() for block in blocks for line in (*block, ""))]


def _summed_up(summary: Summary) -> dict[str, str]:
    moves, places = summary.moves, summary.from_dealer
    cells = {
        "deals": _mean(summary.mean_deals, summary.deals_between),
        "moves": _mean(summary.mean_moves, summary.moves_between),
        "moves of 8 in 10": f"{moves.tenth} to {moves.nine_tenths}",
        "first dealer wins": _percent(places[0]),
    }
    if summary.beginner:
        cells["first to act wins"] = _percent(summary.beginner)
    for seat in summary.seats:
        share = seat.wins / summary.matches
        cells[f"{seat.seat} {seat.player} wins"] = _in_percent(share, seat.share_between)
    for seat in summary.seats:
        cells[f"score of {seat.seat}"] = _mean(seat.mean, seat.mean_between)
    return cells


def _changed(differences: list[Comparison]) -> dict[str, str]:
    by_length = sorted(differences, key=lambda one: one.what not in ("deals", "moves"))
    return {one.what: _change(one) for one in by_length}


def _change(one: Comparison) -> str:
    """A difference with its interval, to two significant digits of its uncertainty; wins in per cent."""
    if not one.differing:
        return "always the same"
    if math.isinf(one.interval.half):
        return "too few to say"
    scale, unit = (100, " %") if one.what.startswith("wins") else (1, "")
    low, high = scale * one.interval.low, scale * one.interval.high
    digits = max(0, 1 - math.floor(math.log10((high - low) / 2))) if high > low else 2
    text = f"{scale * one.difference:+.{digits}f}{unit} ({low:+.{digits}f} to {high:+.{digits}f})"
    return text if one.told else f"{text} ?"


def _mean(value: float, between: Interval | None) -> str:
    return f"{value:.2f} ({between.low:.2f} to {between.high:.2f})" if between else f"{value:.2f}"


def _percent(share: Share) -> str:
    return _in_percent(share.share, share.between)


def _in_percent(share: float, between: Interval) -> str:
    return f"{100 * share:.1f} % ({100 * between.low:.1f} to {100 * between.high:.1f})"
