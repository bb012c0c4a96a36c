"""The options and numbers of a game, as tables and as JSON."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from upcard.rules.game import Game
from upcard.rules.options import Number, Option

ChoiceRow = tuple[str, str, str, str]
"""Name, value, meaning, clause."""

NARROW, WIDE = 60, 100
"""The least and greatest width of the tables in characters."""
LONGEST_VALUE = 24


def tables(setup: Game[Any], columns: int) -> list[str]:
    """The lines of two tables: the options and the numbers."""
    switches = (row for name, one in setup.game.declared_options.items() for row in _switch(name, one, setup.players))
    lines = [*_table("option", switches, columns)]
    if numbers := _numbers(setup):
        lines += ["", "Numbers of the rules: changed by a variant, or by --option in simulate and lab", ""]
        rows = ((name, one.text_for(setup), one.help, one.clause) for name, one in numbers.items())
        lines += _table("number", rows, columns)
    return lines


def for_programs(setup: Game[Any]) -> dict[str, object]:
    """The options and numbers by name, as a JSON object."""
    described = {name: _described(one, setup.players) for name, one in setup.game.declared_options.items()}
    numbers = {
        name: {"value": one.text_for(setup), "help": one.help, "clause": one.clause}
        for name, one in _numbers(setup).items()
    }
    return {"options": described, "numbers": numbers}


def _described(option: Option, players: int) -> dict[str, object]:
    low, high = option.bounds(players)
    among: dict[str, object] = {"values": option.values} if option.values else {"low": low, "high": high}
    usual = option.default_for(players)
    return {"kind": option.kind, "usual": usual, **among, "help": option.help, "clause": option.clause}


def _numbers(setup: Game[Any]) -> dict[str, Number]:
    """The numbers that a variant can change, that is, those not derived from others."""
    return {name: number for name, number in setup.game.declared_numbers.items() if not number.derived}


def _switch(name: str, option: Option, players: int) -> Iterator[ChoiceRow]:
    """The rows of an option: its default, each other value that has an explanation, and the remaining values."""
    about, glosses = _explained(option)
    usual = _word(option.default_for(players))
    yield name, usual, ": ".join(filter(None, [about, glosses.get(usual, "")])), option.clause
    others = [_word(value) for value in option.values[1:]]
    for value in others:
        if value in glosses:
            yield "", value, glosses[value], ""
    if rest := [value for value in others if value not in glosses] or [_range(option, players)] * (not option.values):
        yield "", ", ".join(rest), "", ""


def _explained(option: Option) -> tuple[str, dict[str, str]]:
    """Split an option's help into its general part and the explanations of values: "what a deal is worth; cards: one
    each"."""
    value = "|".join(re.escape(_word(one)) for one in option.values) or "$."
    about, *pieces = re.split(rf"(?:^|; |: )((?:{value})(?:, (?:{value}))*): ", option.help)
    glosses = zip(pieces[::2], pieces[1::2], strict=True)
    return about, {one: gloss for names, gloss in glosses for one in names.split(", ")}


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _range(option: Option, players: int) -> str:
    low, high = option.bounds(players)
    return f"{low} to {high}" if option.kind == "whole" else option.describe(players)


def _table(named: str, rows: Iterable[ChoiceRow], columns: int) -> list[str]:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="")
    table.add_column(named, no_wrap=True)
    table.add_column("value", max_width=LONGEST_VALUE)
    table.add_column("meaning", ratio=1)
    table.add_column("clause", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    width = min(max(columns, NARROW), WIDE)
    console = Console(file=sys.stdout, width=width, color_system=None, markup=False, highlight=False, emoji=False)
    with console.capture() as lines:
        console.print(table)
    return [line.rstrip() for line in lines.get().splitlines()]
