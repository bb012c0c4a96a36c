"""A law, and the random matches of a game on which it is tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.engine.mistakes import obey
from upcard.engine.setup import Setup
from upcard.laws.timeout import in_time
from upcard.rules.cards import Card, sign
from upcard.rules.game import Game, broken_constraint
from upcard.rules.notation import verb_index
from upcard.rules.renamed import former_names

EVENTS = 300
"""The number of events of a match that most laws examine."""
TABLES = 50
"""How many random tables are tried, if constraints exclude some options."""
LONGEST = 50_000
"""A match with more events is assumed never to end."""


class Broken(UpcardError):
    """A law does not hold. The message describes the violation; `clause` is the clause that it concerns, if any."""

    def __init__(self, what: str, clause: str = "") -> None:
        super().__init__(what + (f" ({clause})" if clause else ""))
        self.clause = clause


class NotTried(UpcardError):
    """A law cannot be tried on this game or machine. The message gives the reason."""


class Trial:
    """Random matches of a game, all from one seed: random numbers of players, options and moves. With a `setup`, all
    matches are of that table."""

    def __init__(
        self, game: type[Game[Any]], seed: int, players: int | None = None, setup: Game[Any] | None = None
    ) -> None:
        self.game = game
        self.setup = setup
        self.rng = Random(f"{game.slug} {seed}")
        self.seed = seed
        self.players = players
        self.match: Match[Any] | None = None
        """The match under examination; if a law is broken, its record shows where."""

    def begin(self) -> Match[Any]:
        """Start a match with a random dealer, random options, and, unless given, a random number of players."""
        players = self.rng.choice(self.game.player_counts) if self.players is None else self.players
        dealer = self.rng.randrange(players) if self.setup is None else self.rng.randrange(self.setup.players)
        setup = random_table(self.game, players, self.rng) if self.setup is None else self.setup
        self.match = Match(setup, dealer=dealer)
        return self.match

    def moments(self, most: int = EVENTS) -> Iterator[Match[Any]]:
        """Yield a random match after each of its events, up to its end or to `most` events."""
        match = self.begin()
        while not match.done and len(match.events) < most:
            match.event(random_event(match, self.rng))
            yield match

    def to_the_end(self, most: int = LONGEST) -> Match[Any]:
        """Play a random match to its end, or up to `most` events."""
        match = self.begin()
        while not match.done and len(match.events) < most:
            match.event(random_event(match, self.rng))
        return match

    def sometimes(self, one_in: int) -> bool:
        """True once in `one_in` calls on average, for checks that would take too long every time."""
        return self.rng.randrange(one_in) == 0


@dataclass(frozen=True)
class Law:
    """A law: a function that examines the matches of a trial, and raises Broken or BadRules if it does not hold."""

    test: Callable[[Trial], None]
    trials: int = 12
    """The default number of trials; 1 if the law does not depend on chance."""

    @property
    def name(self) -> str:
        return self.test.__name__.replace("_", "-")

    @property
    def says(self) -> str:
        """The law in a sentence: the first paragraph of the function's docstring."""
        return " ".join((self.test.__doc__ or "").partition("\n\n")[0].split())

    def verdict(
        self,
        game: type[Game[Any]],
        seed: int = 0,
        times: int = 1,
        timeout: float | None = None,
        setup: Game[Any] | None = None,
    ) -> LawVerdict:
        """Try the law on a game, or on one table of it, `times` the default number of trials; each seed gives other
        matches.

        A call of a rule that takes `timeout` seconds is assumed never to return. Without a timeout, it may take any
        time.
        """
        for number in range(self.trials * times):
            trial = Trial(game, 1000 * seed + number, setup=setup)
            try:
                if timeout is None:
                    obey(game, self.test, trial)
                else:
                    in_time(game, partial(obey, game, self.test, trial), timeout)
            except NotTried as error:
                return LawVerdict(self, untried=str(error))
            except UpcardError as error:
                record = None if trial.match is None else trial.match.record()
                return LawVerdict(self, error, getattr(error, "clause", None) or "", record)
        return LawVerdict(self)


@dataclass(frozen=True)
class LawVerdict:
    """The result of trying a law."""

    law: Law
    broken: UpcardError | None = None
    """The violation; None if the law held."""
    clause: str = ""
    """The clause that the violation concerns, if any."""
    record: dict[str, Any] | None = None
    """The record of the match that broke it, up to that point."""
    untried: str = ""
    """The reason why it could not be tried; empty if it was."""


def random_table(game: type[Game[Any]], players: int, rng: Random) -> Game[Any]:
    """A table of this many players with random options that the constraints allow. Raises BadSetup if none of many is
    allowed."""
    for _ in range(TABLES):
        options = random_options(game, players, rng)
        if broken_constraint(game.unconstrained(players, options)) is None:
            return Setup(game, players, options)
    return Setup(game, players)


def random_options(game: type[Game[Any]], players: int, rng: Random) -> dict[str, object]:
    """Random options: each is either omitted or set to one of its values."""
    chosen: dict[str, object] = {}
    for name, option in game.declared_options.items():
        if rng.random() < 0.5:
            continue
        low, high = option.bounds(players)
        if option.kind == "whole":
            chosen[name] = rng.randint(low, min(high, low + 30))
        elif option.kind == "digits":
            chosen[name] = "".join(rng.choice("123456789") for _ in range(rng.randint(low, min(high, 2))))
        else:
            chosen[name] = rng.choice(option.values)
    return chosen


def random_event(match: Match[Any], rng: Random) -> str:
    """A random event that is possible now. Moves that need a confirmation are rarer, because they tend to end the
    deal."""
    if match.awaiting:
        return match.draw_lots(rng)
    seat = rng.choice(match.to_act)
    moves = match.legal_moves(seat)
    if rng.random() < 0.9:
        moves = [move for move in moves if not match.game.notation.spec(move).asks] or moves
    if rng.random() < 0.5:
        verb = rng.choice(sorted({verb_index(move) for move in moves}))
        moves = [move for move in moves if verb_index(move) == verb]
    return f"{seat} {match.game.notation.text(rng.choice(moves))}"


def first_cards(cards: list[Card]) -> str:
    """The first few cards of a list, for a message."""
    return " ".join(map(sign, cards[:4])) + (" …" if len(cards) > 4 else "")


def last_event(match: Match[Any]) -> str:
    """The last event, for a message."""
    if not match.events:
        return "at the start"
    text = str(match.events[-1])
    return f"after `{text}`" if len(text) < 40 else f"after the {text.partition(' ')[0]}"


def watcher(seat: int | None) -> str:
    """A seat, or None for a spectator, for a message."""
    return "a spectator" if seat is None else f"seat {seat}"


__getattr__ = former_names(__name__, Verdict="LawVerdict")
