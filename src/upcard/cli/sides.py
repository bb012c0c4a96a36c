"""What commands play, as their words say it: a game with its players and options, and others that differ a little."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from upcard.cli.common import load, read_options
from upcard.engine.errors import UpcardError
from upcard.engine.setup import Setup
from upcard.rules.game import BadGame


@dataclass(frozen=True)
class Side:
    """What is played, and who plays it."""

    game: str
    players: int | None
    options: list[str]
    by: str

    @property
    def setup(self) -> Setup[Any]:
        return Setup(load(self.game), self.players, read_options(self.game, self.options))

    @property
    def names(self) -> list[str]:
        """The player of each seat. Raises UpcardError."""
        names, seats = self.by.split(","), self.setup.players
        if len(names) == 1:
            names *= seats
        if len(names) != seats:
            raise UpcardError(f"--by names {len(names)} players for {seats} seats")
        return names

    def other(self, words: list[str]) -> Side:
        """The side that `--compare` says: this one, but for some things. Raises UpcardError."""
        game, options, by = self.game, self.options, self.by
        for word in words:
            name, equals, value = word.partition("=")
            if not equals:
                game = word
            elif name == "by":
                by = value
            else:
                options = [*options, word]
        other = Side(game, self.setup.players, options, by)
        if other == Side(self.game, self.setup.players, self.options, self.by):
            raise UpcardError("--compare says nothing that differs")
        return other

    def swept(self, words: str) -> dict[str, Setup[Any]]:
        """The setups that `--sweep NAME=A,B,…` says, by what each has of its own. Raises UpcardError."""
        name, equals, told = words.partition("=")
        values = told.split(",")
        if not equals or not all(values) or len(set(values)) != len(values) or len(values) < 2:
            raise UpcardError(f"--sweep is NAME=A,B,… with at least two values, not {words!r:.60}")
        return {f"{name}={value}": self._with(name, value) for value in values}

    def _with(self, name: str, value: str) -> Setup[Any]:
        """With one option or number of the rules otherwise."""
        setup = self.setup
        game = setup.game
        if name in game.options.options or name not in game.options.numbers:
            return Side(self.game, self.players, [*self.options, f"{name}={value}"], self.by).setup
        written = int(value) if value.lstrip("-").isdigit() else value
        try:
            variant = game.variant(f"{game.slug}-{name.replace('_', '-')}-{value.lower()}", numbers={name: written})
        except BadGame as error:
            raise UpcardError(str(error)) from None
        return Setup(variant, setup.players, dict(setup.options.chosen))
