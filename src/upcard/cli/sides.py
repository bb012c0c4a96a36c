"""The game and players of `simulate` and `lab` as given on the command line, varied by `--compare` and `--sweep`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from upcard.cli.common import load_game, option_name, read_pairs, with_preset
from upcard.engine.errors import UpcardError
from upcard.engine.setup import Setup
from upcard.rules.errors import BadGame
from upcard.rules.game import Game
from upcard.rules.lineage import changed_numbers
from upcard.rules.options import Number
from upcard.rules.phrases import brief
from upcard.rules.twins import twins_of


@dataclass(frozen=True)
class SideSpec:
    """A game, the number of its players, its options and who plays it. `options` can also name numbers of the rules."""

    game: str
    players: int | None
    options: list[str]
    by: str

    @property
    def setup(self) -> Game[Any]:
        """The setup; numbers among the options make its game a variant. Raises UpcardError."""
        game = load_game(self.game)
        switches, known = game.declared_options, [*game.declared_options, *game.declared_numbers]
        values = read_pairs(self.options)
        for name in values:
            if name not in known:
                raise UpcardError(f"there is no option or number {brief(name)}{self._hint(name, known)}")
        numbers = {name: value for name, value in values.items() if name not in switches}
        options = {name: switches[name].read(value) for name, value in values.items() if name in switches}
        players = game.default_players if self.players is None else self.players
        return Setup(_varied(game, numbers), players, options)

    def _hint(self, name: str, known: list[str]) -> str:
        """A hint at what the user may have meant by a name that the rules do not have."""
        if name == "players":
            return ": other player counts need other packs, so run each of them with --players"
        if name == "by":
            return ": compare players with --compare by=PLAYER"
        near = get_close_matches(name, known, 1)
        return f": did you mean {near[0]}?" if near else f" (see upcard options {self.game})"

    @property
    def names(self) -> list[str]:
        """The names of the players, one for each seat. Raises UpcardError."""
        names, seats = self.by.split(","), self.setup.players
        if len(names) == 1:
            names *= seats
        if len(names) != seats:
            raise UpcardError(f"--by names {len(names)} players for {seats} seats")
        return names

    def other(self, changes: str) -> SideSpec:
        """This side with the changes of one `--compare`, separated by semicolons. A preset replaces all options that it
        does not share. Raises UpcardError."""
        words = changes.split(";")
        if chosen := [word for word in words if option_name(word) == "preset"]:
            return self._at_preset(chosen[-1].partition("=")[2].strip(), [w for w in words if w not in chosen])
        names = [option_name(word) for word in words]
        game, by = self.game, self.by
        options = [option for option in self.options if option_name(option) not in names]
        for word in words:
            if not word.strip():
                raise UpcardError("--compare takes NAME=VALUE, the name of a variant, or by=PLAYER, not ''")
            name, equals, value = word.partition("=")
            if not equals:
                game = word
            elif name == "by":
                by = value
            else:
                options = [*options, word]
        other = SideSpec(game, self.setup.players, options, by)
        if other.by == self.by and _are_alike(other.setup, self.setup):
            raise UpcardError("--compare changes nothing")
        return other

    def _at_preset(self, name: str, changes: list[str]) -> SideSpec:
        """This side with the options of a preset in place of its own, and these changes. Raises UpcardError."""
        numbers = [word for word in self.options if option_name(word) not in load_game(self.game).declared_options]
        base = SideSpec(self.game, self.setup.players, with_preset(self.game, name, numbers), self.by)
        if changes:
            return base.other(";".join(changes))
        if base.setup == self.setup:
            raise UpcardError(f"--compare changes nothing: these are the options of preset={name}")
        return base

    def swept(self, words: str) -> dict[str, Game[Any]]:
        """The setups of `--sweep NAME=A,B,…`, by "NAME=A", "NAME=B", …. Raises UpcardError."""
        name, equals, listed = words.partition("=")
        values = listed.split(",")
        if not equals or not all(values) or len(values) < 2:
            raise UpcardError(f"--sweep takes NAME=A,B,… with at least two values, not {words!r:.60}")
        setups: dict[str, Game[Any]] = {}
        known: dict[object, str] = {}
        for value in values:
            others = [option for option in self.options if option_name(option) != option_name(name)]
            try:
                setup = SideSpec(self.game, self.players, [*others, f"{name}={value}"], self.by).setup
            except UpcardError as error:
                if "there is no option" in str(error) or (option_name(name) in str(error) and value in str(error)):
                    raise
                raise UpcardError(f"{name}={value}: {error}") from None  # which of the values it is
            meant = setup.setting(option_name(name))
            if meant in known:
                raise UpcardError(f"--sweep has the same value of {name} twice, as {known[meant]} and {value}")
            known[meant], setups[f"{name}={value}"] = value, setup
        return setups


def value_of(setup: Game[Any], name: str) -> object:
    """The chosen value of an option or a number of the rules: a whole number, or else a text such as the ranks "98765"
    of a pack."""
    return setup.chosen[name] if name in setup.chosen else changed_numbers(setup.game)[name]


def _are_alike(one: Game[Any], other: Game[Any]) -> bool:
    """Whether two tables have the same rules, options and numbers."""
    names = [*one.declared_options, *one.declared_numbers]
    return (
        twins_of(one.game) == twins_of(other.game)
        and sorted(names) == sorted([*other.declared_options, *other.declared_numbers])
        and all(one.setting(name) == other.setting(name) for name in names)
    )


def _varied(game: type[Game[Any]], numbers: dict[str, str]) -> type[Game[Any]]:
    """The variant of a game with these numbers; the game itself if there are none. Raises UpcardError."""
    if not numbers:
        return game
    name = "-".join([game.slug, *(f"{number}-{value.lower()}" for number, value in numbers.items())])
    name = re.sub("[^a-z0-9-]+", "-", name)
    written = {number: _written(game.declared_numbers.get(number), value) for number, value in numbers.items()}
    try:
        return game.variant(name, numbers=written)
    except BadGame as error:
        raise UpcardError(str(error).removeprefix(f"{name}: ")) from None  # the user did not name the variant


def _written(number: Number | None, word: str) -> str | int:
    """The value of a number: an integer where it has to be one, or else the text: "10" is no card and no rank."""
    if number is not None and number.is_whole and len(word) < 1000 and word.removeprefix("-").isdecimal():
        try:
            number.read(word)
        except ValueError:
            return int(word)
    return word
