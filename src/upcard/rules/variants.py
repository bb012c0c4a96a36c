"""Variants: a game with some rules, numbers, fields or options replaced.

If only numbers and options change, the variant shares the game's modules, since rules read them from `opt`. For changed
rules or fields the modules of the game are executed once more: see `upcard.rules.execution`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from types import FunctionType
from typing import Any

from upcard.rules.checks import check_declarations, check_rules
from upcard.rules.game import ARGUMENTS, PLAIN, RULES, BadGame, Game
from upcard.rules.options import Number, Option
from upcard.rules.reach import reached
from upcard.rules.source import functions_of, twins_of
from upcard.rules.state import TAKEN, Field
from upcard.rules.words import brief

SAID = {
    *("family", "summary", "length", "difficulty", "picture", "players", "default_players", "short"),
    *("clauses", "most_moves", "notation"),
}
"""The attributes of `Game` that a variant can replace."""


@dataclass(frozen=True)
class Change:
    """What a variant replaces: see `Game.variant`."""

    slug: str
    title: str
    rules: Mapping[str, Callable[..., Any]]
    numbers: Mapping[str, object]
    fields: Mapping[str, Field]
    options: Mapping[str, Option | Number]
    said: Mapping[str, object]

    @property
    def needs_modules(self) -> bool:
        """Whether the game's modules must be executed once more: for changed rules or fields."""
        return bool(self.rules or self.fields)


def derive(base: Game[Any], change: Change) -> Game[Any]:
    """Make a variant. Raises BadGame for an invalid change."""
    _check(base, change)
    changes = [*base.changes, change]
    game, further = base, [change]
    if change.needs_modules:
        from upcard.rules.execution import execute

        game, further = execute(base.root, changes), changes
    options = _options(game, further)
    short = {name: value for name, value in (game.short or {}).items() if name in options.options}
    attributes = {"short": short or None} | {name: value for one in further for name, value in one.said.items()}
    attributes |= dict.fromkeys(_outdated(base, change))
    varied = replace(
        game,
        slug=change.slug,
        title=change.title,
        options=options,
        base=base,
        change=change,
        file=_file(base, change),
        **attributes,  # type: ignore[arg-type]
    )
    check_declarations(varied)
    if change.needs_modules:
        varied.state.game = varied
        check_rules(varied)
    _ = varied.identity  # raises BadGame now, rather than later, if there is no source to hash
    return varied


def _options(game: Game[Any], changes: list[Change]) -> Any:
    """The `Options` class of a game under these changes."""
    options = {name: option for one in changes for name, option in one.options.items()}
    numbers = {name: value for one in changes for name, value in one.numbers.items()}
    try:
        return game.options.with_options(options).with_numbers(numbers)
    except (TypeError, ValueError) as error:
        raise BadGame(f"{changes[-1].slug}: {error}") from None


def _outdated(base: Game[Any], change: Change) -> set[str]:
    """The rules that tell a second time, and quicker, what `other_moves` lists, if a change replaces a rule by which
    that lists or these count, and not these: without them the moves are listed."""
    replaced = {name.rpartition(".")[2] for name in change.rules}
    told = {name: getattr(base, name) for name in ("count_others", "nth_other", "nth_in_order")}
    outdated = {name for name, one in told.items() if one is None}
    if replaced:
        reach = reached([base.other_moves, *filter(None, told.values())]).rules
        codes = {one.__code__ for one in reach}
        earlier = [pair for one in base.changes for pair in one.rules.items() if pair[1].__code__ in codes]
        names = {*[one.__name__ for one in reach], *[name.rpartition(".")[2] for name, _ in earlier]}
        if replaced & names - told.keys():
            outdated |= told.keys()
    return outdated - replaced


def _file(base: Game[Any], change: Change) -> Path | None:
    """The file from which another process can load the variant: that of its functions, or of its base."""
    for function in change.rules.values():
        return Path(function.__code__.co_filename)
    return base.file


# ----------------------------------------------------------------------------------------------------------- mistakes


def _check(base: Game[Any], change: Change) -> None:
    """Raises BadGame for a change that is invalid, or that would take effect only in part."""
    slug = change.slug
    if not isinstance(slug, str) or not re.fullmatch("[a-z][a-z0-9-]*", slug) or slug == base.slug:
        raise BadGame(f"a variant has a slug of its own, of small letters, digits and dashes, not {brief(slug)}")
    for name in ("rules", "numbers", "fields", "options"):
        if not isinstance(given := getattr(change, name), Mapping):
            raise BadGame(f"{slug}: {name} are a dictionary by their names, not {brief(given)}")
    for name, function in change.rules.items():
        _check_rule(base, change, name, function)
    if unknown := change.said.keys() - SAID:
        raise BadGame(
            f"{change.slug}: {min(unknown)!r} is none of what a variant says of itself ({', '.join(sorted(SAID))})"
        )
    for name, value in change.fields.items():
        if not isinstance(value, Field):
            raise BadGame(f"{change.slug}: declare the field {name}, as in fields={{{name!r}: open_field()}}")
        if name in TAKEN or not name.isidentifier():
            raise BadGame(f"{change.slug}: a field cannot be called {brief(name)}: name it otherwise")
        if name in base.state.fields:
            raise BadGame(f"{change.slug}: {base.slug} has a field {name} already")
    for name, settled in change.options.items():
        switch = base.options.options.get(name)
        if (
            switch
            and isinstance(settled, Number)
            and not any(_is_value(switch, settled.value, n) for n in base.players)
        ):
            raise BadGame(
                f"{slug}: the option {name} is settled at {brief(settled.value)}, which rules never see of it"
            )
    for name in change.numbers:
        number = base.root.options.numbers.get(name)
        if number is not None and isinstance(number.value, int) and (twins := list(twins_of(base, number.value))):
            raise BadGame(
                f"{change.slug}: {name} is {number.value}, which also stands in {twins[0]}: name it there "
                f"(opt.{name}), or the variant would be changed in part only"
            )


def _is_value(option: Option, settled: object, players: int) -> bool:
    """Whether an option can have this number. Computed numbers, and ranges, are not checked."""
    return not option.values or callable(settled) or settled in [option.number(one, players) for one in option.values]


def _check_rule(base: Game[Any], change: Change, name: str, function: object) -> None:
    known = {one: [argument.arg for argument in node.args.args] for one, node in functions_of(base).items()}
    known = {one: ARGUMENTS[one].split() for one in (*RULES, *PLAIN)} | known
    if name not in known:
        close = get_close_matches(name, known, 1)
        meant = f" (is {close[0]!r} meant?)" if close else ""
        raise BadGame(f"{change.slug}: {base.root.slug} has no rule {name!r}{meant}")
    if not isinstance(function, FunctionType):
        raise BadGame(f"{change.slug}: {name!r} is replaced by a function, not by {brief(function)}")
    given = list(inspect.signature(function).parameters)
    if len(given) != len(known[name]):
        raise BadGame(f"{change.slug}: {name} takes ({', '.join(known[name])}), not ({', '.join(given)})")


# ------------------------------------------------------------------------------------------------------------ in words


def differences(game: Game[Any]) -> list[str]:
    """What a variant changes, one line for each change; empty for a game that is not a variant."""
    lines = []
    for change in game.changes:
        for name, value in change.numbers.items():
            number = game.options.numbers[name]
            shown = "worked out" if callable(value) else brief(value) if isinstance(value, int | str) else value
            lines.append(f"{name} is {shown} ({number.help or 'a number of the rules'}, {number.clause})")
        for name, function in change.rules.items():
            gist = (inspect.getdoc(function) or "replaced").partition("\n")[0]
            lines.append(f"{name}: {gist}")
        for name in change.fields:
            lines.append(f"a further field: {name}")
        for name, option in change.options.items():
            how = (
                "is settled"
                if isinstance(option, Number)
                else "is chosen anew"
                if name in game.root.options.options
                else "is added"
            )
            lines.append(f"the option {name} {how}: {option.help}")
    return lines


__all__ = ["Change", "derive", "differences", "twins_of"]
