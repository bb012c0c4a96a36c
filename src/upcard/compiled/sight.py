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

AT_ONCE = 32
"""Words that the machine copies without a call."""


def sight_of(game: Game[Any]) -> Callable[[Any, Any, int, Any], None]:
    """(s, opt, me, out): write what `me` sees of a state, in the order of `engine.views.words`."""
    lines, at = [], 0
    for name, spec in shown_fields(game).items():
        if spec.seen is not Seen.ALL:
            lines += _shown(name, spec, at)
        at += spec.length or 1
    lines += [f"out[{at}] = me", *_sizes(game, at + 1)]
    body = "\n    ".join([*_copies(game), *lines])
    space: dict[str, Any] = {"count": count, "copied": copied}
    exec(f"def sight(s, opt, me, out):\n    {body}", space)
    sight = space["sight"]
    sight.__module__ = game.state.__module__
    return rule(sight)  # type: ignore[no-any-return]


@rule
def copied(s: Any, first: int, number: int, out: Any, at: int) -> None:
    """Copy so many words of a state, those from `first` on, to `out` from `at` on. Only compiled code can."""


def _copies(game: Game[Any]) -> list[str]:
    """The lines that copy the fields that everybody sees: what lies together in a state and in a view, as one."""
    runs: list[list[int]] = []
    shown = shown_fields(game)
    word = at = 0
    for name, spec in game.state.fields.items():
        number = spec.length or 1
        if spec.seen is Seen.ALL:
            together = runs and runs[-1][0] + runs[-1][1] == word and runs[-1][2] + runs[-1][1] == at
            if together and runs[-1][1] + number <= AT_ONCE:
                runs[-1][1] += number
            else:
                runs.append([word, number, at])
        word += number
        at += number if name in shown else 0
    return [f"copied(s, {word}, {number}, out, {at})" for word, number, at in runs]


def _shown(name: str, spec: Field, at: int) -> list[str]:
    """The lines that write a field that not everybody sees, from place `at` on."""
    tells = [f"opt.{spec.unless} != 0"] if spec.unless else []
    tells += [f"s.{spec.seen_by} == me"] if spec.seen_by else []
    tells += [f"s.phase >= {spec.until}"] if spec.seen is Seen.SEALED else []
    hidden = _row(at, spec, f"s.{spec.shown}" if spec.shown else None)
    if spec.length is not None and spec.seen is not Seen.NOBODY:
        hidden.append(f"out[{at} + me] = s.{name}[me]")
    if not tells:
        return hidden
    return [
        f"if {' or '.join(tells)}:",
        *(f"    {line}" for line in _row(at, spec, f"s.{name}")),
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
    lines = _by_seat(game, at, " + ".join(parts))
    at += game.state.seats
    for name in game.piles:
        length = game.state.fields[name].length
        if length is None:
            lines.append(f"out[{at}] = count(s.{name})")
        else:
            lines += ["n = 0", f"for i in range({length}):", f"    n += s.{name}[i] != {NO_CARD}", f"out[{at}] = n"]
        at += 1
    for name in game.aside:
        lines += _by_seat(game, at, f"count(s.{name}[i])")
        at += game.state.seats
    return lines


def _by_seat(game: Game[Any], at: int, size: str) -> list[str]:
    """The lines that write a size for each seat, and 0 for a hand that nobody holds, which may stand behind them."""
    return [f"for i in range({game.state.seats}):", f"    out[{at} + i] = ({size}) if i < s.players else 0"]
