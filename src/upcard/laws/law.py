"""What a law is, and the random play of one game in which it is tried."""

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
from upcard.laws.endless import in_time
from upcard.rules.cards import Card, sign
from upcard.rules.game import Game

EVENTS = 300
"""Events of a match that a law looks at."""
LONGEST = 50_000
"""Events after which a match is taken for one that never ends."""


class Broken(UpcardError):
    """A law does not hold: what was seen, in plain words, and the clause that it is about, if there is one."""

    def __init__(self, what: str, clause: str = "") -> None:
        super().__init__(what + (f" ({clause})" if clause else ""))
        self.clause = clause


class NotTried(UpcardError):
    """A law that cannot be tried here; the text says why."""


class Trial:
    """Matches of one game at random, all from one seed: any number of players, any options, any moves."""

    def __init__(self, game: Game[Any], seed: int, players: int | None = None) -> None:
        self.game = game
        self.rng = Random(f"{game.slug} {seed}")
        self.seed = seed
        self.players = players
        self.match: Match[Any] | None = None
        """The match that is being looked at: its record shows what broke a law."""

    def begin(self) -> Match[Any]:
        """A match before its first deal: any number of players, unless it is given, any dealer, any options."""
        players = self.rng.choice(self.game.players) if self.players is None else self.players
        dealer = self.rng.randrange(players)
        self.match = Match(Setup(self.game, players, random_options(self.game, players, self.rng)), dealer=dealer)
        return self.match

    def moments(self, most: int = EVENTS) -> Iterator[Match[Any]]:
        """A match after each of its events, to its end or so many events."""
        match = self.begin()
        while not match.done and len(match.events) < most:
            match.event(random_event(match, self.rng))
            yield match

    def to_the_end(self, most: int = LONGEST) -> Match[Any]:
        """A match at its end, or after so many events."""
        match = self.begin()
        while not match.done and len(match.events) < most:
            match.event(random_event(match, self.rng))
        return match

    def sometimes(self, one_in: int) -> bool:
        """Whether to do now what would take too long to be done always."""
        return self.rng.randrange(one_in) == 0


@dataclass(frozen=True)
class Law:
    """One law: a function that plays a trial and raises Broken, or whatever the rules raise, where it does not hold."""

    test: Callable[[Trial], None]
    trials: int = 12
    """How often it is tried; what does not depend on chance only once."""

    @property
    def name(self) -> str:
        return self.test.__name__.replace("_", "-")

    @property
    def says(self) -> str:
        """The law in a sentence."""
        return (self.test.__doc__ or "").partition("\n\n")[0].replace("\n    ", " ")

    def verdict(self, game: Game[Any], seed: int = 0, times: int = 1, timeout: float | None = None) -> Verdict:
        """Try it on a game, so many times as often as usual, with other chance for every seed. A call of a rule that
        goes on for `timeout` seconds is taken for one that never returns; without it, it is waited for."""
        for number in range(self.trials * times):
            trial = Trial(game, 1000 * seed + number)
            try:
                if timeout is None:
                    obey(game, self.test, trial)
                else:
                    in_time(game, partial(obey, game, self.test, trial), timeout)
            except NotTried as error:
                return Verdict(self, untried=str(error))
            except UpcardError as error:
                record = None if trial.match is None else trial.match.record()
                return Verdict(self, error, getattr(error, "clause", None) or "", record)
        return Verdict(self)


@dataclass(frozen=True)
class Verdict:
    """What came of trying a law."""

    law: Law
    broken: UpcardError | None = None
    """What was seen, in plain words; None where the law held."""
    clause: str = ""
    """The clause that it is about, if there is one."""
    record: dict[str, Any] | None = None
    """The match in which it was seen, to be replayed up to there."""
    untried: str = ""
    """Why it could not be tried."""


def random_options(game: Game[Any], players: int, rng: Random) -> dict[str, object]:
    """Each option left alone or set to one of its values."""
    chosen: dict[str, object] = {}
    for name, option in game.options.options.items():
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
    """Any event that is possible now: a move of any kind, but seldom one about which people are asked twice, so that
    deals grow old."""
    if match.awaiting:
        return match.draw_lots(rng)
    seat = rng.choice(match.to_act)
    moves = match.legal_moves(seat)
    if rng.random() < 0.9:
        moves = [move for move in moves if not match.game.notation.spec(move).asks] or moves
    if rng.random() < 0.5:
        verb = rng.choice(sorted({move >> 51 for move in moves}))
        moves = [move for move in moves if move >> 51 == verb]
    return f"{seat} {match.game.notation.text(rng.choice(moves))}"


def said(cards: list[Card]) -> str:
    """Cards for a message: the first few."""
    return " ".join(map(sign, cards[:4])) + (" …" if len(cards) > 4 else "")


def last_event(match: Match[Any]) -> str:
    """The last event, for a message."""
    if not match.events:
        return "at the start"
    text = str(match.events[-1])
    return f"after `{text}`" if len(text) < 40 else f"after the {text.partition(' ')[0]}"
