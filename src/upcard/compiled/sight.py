"""What a seat sees, as a rule: the view of `upcard.engine.views` as one row of whole numbers, compiled.

The rule is written from the declared fields of a game's state, as a view is made from them, and from nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from upcard.engine.views import shown_fields
from upcard.rules.cards import NO_CARD, count
from upcard.rules.game import Game
from upcard.rules.marks import rule
from upcard.rules.state import Field, Seen


def sight_of(game: Game[Any]) -> Callable[[Any, Any, int, Any], None]:
    """(s, opt, me, out): write what `me` sees of a state, in the order of `engine.views.words`."""
    lines, at = [], 0
    for name, spec in shown_fields(game).items():
        lines += _shown(name, spec, at)
        at += spec.length or 1
    lines += [f"out[{at}] = me", *_sizes(game, at + 1)]
    body = "\n    ".join(lines)
    space: dict[str, Any] = {"count": count}
    exec(f"def sight(s, opt, me, out):\n    {body}", space)
    sight = space["sight"]
    sight.__module__ = game.state.__module__
    return rule(sight)  # type: ignore[no-any-return]


def _shown(name: str, spec: Field, at: int) -> list[str]:
    """The lines that write one field from place `at` on."""
    tells = [f"opt.{spec.unless} != 0"] if spec.unless else []
    tells += [f"s.{spec.seen_by} == me"] if spec.seen_by else []
    tells += [f"s.phase >= {spec.until}"] if spec.seen is Seen.SEALED else []
    whole = _row(at, spec, f"s.{name}")
    if spec.seen is Seen.ALL:
        return whole
    hidden = _row(at, spec, f"s.{spec.shown}" if spec.shown else None)
    if spec.length is not None and spec.seen is not Seen.NOBODY:
        hidden.append(f"out[{at} + me] = s.{name}[me]")
    if not tells:
        return hidden
    return [
        f"if {' or '.join(tells)}:",
        *(f"    {line}" for line in whole),
        "else:",
        *(f"    {line}" for line in hidden),
    ]


def _row(at: int, spec: Field, source: str | None) -> list[str]:
    """The lines that copy a field, or write its blank where there is no source."""
    if spec.length is None:
        return [f"out[{at}] = {source or spec.blank}"]
    return [f"for i in range({spec.length}):", f"    out[{at} + i] = {f'{source}[i]' if source else spec.blank}"]


def _sizes(game: Game[Any], at: int) -> list[str]:
    """The lines that write the sizes of hands, of face-down piles and of what lies aside."""
    hand = game.hand
    parts = [f"count(s.{hand.first}[i])"]
    parts += [f"count(s.{hand.second}[i])"] if hand.second else []
    parts += [f"s.{hand.jokers}[i]"] if hand.jokers else []
    lines = ["for i in range(s.players):", f"    out[{at} + i] = {' + '.join(parts)}"]
    at += game.state.seats
    for name in game.piles:
        length = game.state.fields[name].length
        if length is None:
            lines.append(f"out[{at}] = count(s.{name})")
        else:
            lines += ["n = 0", f"for i in range({length}):", f"    n += s.{name}[i] != {NO_CARD}", f"out[{at}] = n"]
        at += 1
    for name in game.aside:
        lines += ["for i in range(s.players):", f"    out[{at} + i] = count(s.{name}[i])"]
        at += game.state.seats
    return lines
