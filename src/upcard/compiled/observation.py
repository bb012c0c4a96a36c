"""Compiled observations: the view of `upcard.engine.views` as a row of integers.

Like views, the code is derived only from the declared fields of a game's state. It works on states that begin with such
a row: fields that everybody sees are stored there and never copied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from upcard.engine.views import shown_fields
from upcard.rules.cards import NO_CARD, count
from upcard.rules.game import Game
from upcard.rules.knowledge import aside_fields, pile_fields
from upcard.rules.marks import rule
from upcard.rules.state import Field, Seen

WORD = 8
"""The size of a number in bytes."""
LINE = 64
"""The size of a cache line in bytes; the size of a state is a multiple of it."""


def shown_type(game: type[Game[Any]], marker: str) -> np.dtype[Any]:
    """The type of a state that begins with the row of an observation: fields that everybody sees are at their places in
    that row, all others after it."""
    places = {name: at for name, spec, at in _placed(game) if spec.seen is Seen.ALL}
    end = row_length(game)
    for name, spec in game.state.fields.items():
        if name not in places:
            places[name] = end
            end += spec.length or 1
    fields = game.state.fields.items()
    return np.dtype(
        {
            "names": [marker, *(name for name, _ in fields)],
            "formats": [(np.int64, (0,)), *((np.int64, () if f.length is None else (f.length,)) for _, f in fields)],
            "offsets": [0, *(WORD * places[name] for name, _ in fields)],
            "itemsize": -(-WORD * end // LINE) * LINE,
        }
    )


def row_length(game: type[Game[Any]]) -> int:
    """The length of a row."""
    seats: int = game.state.seats
    return _end(game) + 1 + seats * (1 + len(aside_fields(game.state, game.hand))) + len(pile_fields(game.state))


def observation_rule(game: type[Game[Any]]) -> Callable[[Any, Any, int, Any], None]:
    """A rule (opt, s, me, out) that writes the observation of `me` to the row at the start of a state, except the
    fields that everybody sees, which are already there. The order is that of `upcard.engine.views.view_row`."""
    lines = ["players = s.players"]
    for name, spec, at in _placed(game):
        if spec.seen is not Seen.ALL:
            lines += _shown(game, name, spec, at)
    lines += [f"out[{_end(game)}] = me", *_sizes(game, _end(game) + 1)]
    body = "\n    ".join(lines)
    space: dict[str, Any] = {"count": count}
    exec(f"def sight(opt, s, me, out):\n    {body}", space)
    sight = space["sight"]
    sight.__module__ = game.state.__module__
    return rule(sight)  # type: ignore[no-any-return]


def _placed(game: type[Game[Any]]) -> Iterator[tuple[str, Field, int]]:
    """The fields of a view, each with its declaration and its first index in a row."""
    at = 0
    for name, spec in shown_fields(game).items():
        yield name, spec, at
        at += spec.length or 1


def _end(game: type[Game[Any]]) -> int:
    """The index in a row after the last field."""
    return sum(spec.length or 1 for _, spec, _ in _placed(game))


def _shown(game: type[Game[Any]], name: str, spec: Field, at: int) -> list[str]:
    """Source lines that write a field that not everybody sees, from index `at` on."""
    conditions = [f"opt.{game.attribute_of(spec.unless)} != 0"] if spec.unless else []
    conditions += [f"s.{spec.seen_by} == me"] if spec.seen_by else []
    conditions += [f"s.phase >= {spec.until}"] if spec.seen is Seen.SEALED else []
    hidden = _row(at, spec, f"s.{spec.shown}" if spec.shown else None)
    if spec.length is not None and spec.seen is not Seen.NOBODY:
        hidden.append(f"out[{at} + me] = s.{name}[me]")
    if not conditions:
        return hidden
    return [
        f"if {' or '.join(conditions)}:",
        *(f"    {line}" for line in _row(at, spec, f"s.{name}")),
        "else:",
        *(f"    {line}" for line in hidden),
    ]


def _row(at: int, spec: Field, source: str | None) -> list[str]:
    """Source lines that copy a field from `source`, or write its blank value if there is none."""
    if spec.length is None:
        return [f"out[{at}] = {source or spec.blank}"]
    return _writes(at, [f"{source}[{i}]" if source else str(spec.blank) for i in range(spec.length)])


def _writes(at: int, values: list[str]) -> list[str]:
    """Source lines that write these values from index `at` on. All are read before any is written, so that compilers
    may vectorise the writes."""
    names = ", ".join(f"v{i}" for i in range(len(values)))
    return [f"{names} = {', '.join(values)}", *(f"out[{at + i}] = v{i}" for i in range(len(values)))]


def _sizes(game: type[Game[Any]], at: int) -> list[str]:
    """Source lines that write the sizes of the hands, the face-down piles and the cards laid aside."""
    hand = game.hand
    parts = [f"count(s.{hand.first}[{{i}}])"]
    parts += [f"count(s.{hand.second}[{{i}}])"] if hand.second else []
    parts += [f"s.{hand.jokers}[{{i}}]"] if hand.jokers else []
    lines = _by_seat(game, at, " + ".join(parts))
    at += game.state.seats
    for name in pile_fields(game.state):
        spec = game.state.fields[name]
        if spec.counted:
            lines.append(f"out[{at}] = s.{spec.counted}")
        elif spec.length is None:
            lines.append(f"out[{at}] = count(s.{name})")
        else:
            lines += ["n = 0", f"for i in range({spec.length}):", f"    n += s.{name}[i] != {NO_CARD}"]
            lines.append(f"out[{at}] = n")
        at += 1
    for name in aside_fields(game.state, game.hand):
        lines += _by_seat(game, at, f"count(s.{name}[{{i}}])")
        at += game.state.seats
    return lines


def _by_seat(game: type[Game[Any]], at: int, size: str) -> list[str]:
    """Source lines that write a size for each seat, and 0 for seats without a player. In `size`, {i} is the seat."""
    seats = game.state.seats
    always_full = min(game.player_counts) == seats
    return _writes(at, [f"({size.format(i=i)})" + ("" if always_full else f" * ({i} < players)") for i in range(seats)])
