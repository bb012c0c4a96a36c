"""The options and numbers of a game, as tables and as JSON."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import Any

from upcard.rules.game import Game
from upcard.rules.options import Number, Option
from upcard.rules.placeholders import with_numbers

ChoiceRow = tuple[str, str, str, str]
"""Name, value, meaning, clause."""

NARROW, WIDE = 60, 100
"""The least and greatest width of the tables in characters."""
LONGEST_VALUE = 24


def tables(setup: Game[Any], columns: int) -> list[str]:
    """The lines of two tables: the options and the numbers."""
    switches = (row for name in setup.game.declared_options for row in _switch(setup, name))
    lines = [*_table("option", switches, columns)]
    if numbers := _numbers(setup):
        lines += ["", "Numbers of the rules: changed by a variant, or by --option in simulate and lab", ""]
        rows = ((name, one.text_for(setup), with_numbers(one.help, setup), one.clause) for name, one in numbers.items())
        lines += _table("number", rows, columns)
    if constraints := _constraints(setup):
        lines += ["", "What must hold for the options and numbers of a table together", ""]
        width = min(max(columns, NARROW), WIDE)
        lines += [line for condition, clause in constraints for line in wrap(f"{condition} ({clause})", width)]
    return lines


def for_programs(setup: Game[Any]) -> dict[str, object]:
    """The options and numbers by name, as a JSON object."""
    described = {name: _described(setup, name) for name in setup.game.declared_options}
    numbers = {
        name: {"value": one.text_for(setup), "help": with_numbers(one.help, setup), "clause": one.clause}
        for name, one in _numbers(setup).items()
    }
    constraints = [{"condition": condition, "clause": clause} for condition, clause in _constraints(setup)]
    return {"options": described, "numbers": numbers, "constraints": constraints}


def _constraints(setup: Game[Any]) -> list[tuple[str, str]]:
    """The conditions of a table's constraints, each once, with their clauses."""
    return [*dict.fromkeys((one.condition, one.clause) for one in setup.constraints())]


def _described(setup: Game[Any], name: str) -> dict[str, object]:
    option, players = setup.game.declared_options[name], setup.players
    low, high = setup.game.bounds_of(name, players)
    among: dict[str, object] = {"values": option.values} if option.values else {"low": low, "high": high}
    usual = option.default_for(players)
    return {
        "kind": option.kind,
        "usual": usual,
        **among,
        "help": with_numbers(option.help, setup),
        "clause": option.clause,
    }


def _numbers(setup: Game[Any]) -> dict[str, Number]:
    """The numbers that a variant can change, that is, those not derived from others."""
    return {name: number for name, number in setup.game.declared_numbers.items() if not number.derived}


def _switch(setup: Game[Any], name: str) -> Iterator[ChoiceRow]:
    """The rows of an option: its default, each other value that has an explanation, and the remaining values."""
    option, players = setup.game.declared_options[name], setup.players
    about, glosses = _explained(option, setup)
    usual = _word(option.default_for(players))
    yield name, usual, ": ".join(filter(None, [about, glosses.get(usual, "")])), option.clause
    others = [_word(value) for value in option.values[1:]]
    for value in others:
        if value in glosses:
            yield "", value, glosses[value], ""
    if rest := [value for value in others if value not in glosses] or [_range(setup, name)] * (not option.values):
        yield "", ", ".join(rest), "", ""


def _explained(option: Option, setup: Game[Any]) -> tuple[str, dict[str, str]]:
    """Split an option's help into its general part and the explanations of values: "what a deal is worth; cards: one
    each"."""
    value = "|".join(re.escape(_word(one)) for one in option.values) or "$."
    about, *pieces = re.split(rf"(?:^|; |: )((?:{value})(?:, (?:{value}))*): ", with_numbers(option.help, setup))
    glosses = zip(pieces[::2], pieces[1::2], strict=True)
    return about, {one: gloss for names, gloss in glosses for one in names.split(", ")}


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _range(setup: Game[Any], name: str) -> str:
    option = setup.game.declared_options[name]
    low, high = setup.game.bounds_of(name, setup.players)
    return f"{low} to {high}" if option.kind == "whole" else option.describe(setup.players)


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
