"""The law of compiled rules: they do the same as in plain Python."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from upcard.engine.chance import PACKS, PLAY, SplitMix, key_of, stream
from upcard.engine.match import Match
from upcard.laws.law import LONGEST, Broken, NotTried, Trial, last_event
from upcard.rules.phrases import how_to_get
from upcard.rules.rng import LUCK

DEALS = 3
"""Of every other match at most so many deals are compared; the rest are played to the end."""
MOST_EVENTS = 2000
"""No further deal begins after so many events."""


def compiled_equals_plain(trial: Trial) -> None:
    """Compiled rules play exactly the same match as plain Python, given the same random numbers."""
    try:
        from upcard.lab.runner import CompiledRunner, MatchSpec
        from upcard.lab.seating import Lineup
    except ImportError as error:
        raise NotTried(f"it needs {error.name}: {how_to_get('fast')}") from None
    match, rng = trial.begin(), trial.rng
    agreed = match.fork()
    names = tuple([rng.choice(("random", "heuristic")) for _ in range(match.players)])
    PlainPlay(match, names, trial.seed).play(rng.randint(1, DEALS) if trial.seed % 2 else LONGEST)
    most = match.state.deals
    side = CompiledRunner(MatchSpec(match.setup, Lineup(names), trial.seed, match.first_dealer, most, kept=True))
    part = side(0, 1)
    trial.match = agreed
    for event, other in zip_longest(side.record()["events"], map(str, match.events), fillvalue="the end"):
        if event != other:
            raise Broken(f"{last_event(agreed)} comes `{_short(event)}` compiled and `{_short(other)}` plain")
        agreed.event(event)
    _compare(agreed, side.run.get(part.ended, 0), part.by_seat(STANDING)[0].tolist())


STANDING = 2
"""The index of the seats' utilities in `Part.by_seat`."""


class PlainPlay:
    """Plays a match in plain Python with the random numbers that compiled loops use."""

    def __init__(self, match: Match[Any], names: tuple[str, ...], seed: int) -> None:
        self.match, self.names = match, names
        self.packs, self.luck = (SplitMix(stream(key_of(seed), 0, which)) for which in (PACKS, PLAY))

    def play(self, deals: int) -> None:
        """Play so many deals, or fewer if the match ends or comes to MOST_EVENTS."""
        match = self.match
        while not match.done and len(match.events) < LONGEST:
            if match.awaiting == "deal" and (match.state.deals == deals or len(match.events) >= MOST_EVENTS):
                return
            match.event(self.next())

    def next(self) -> str:
        """The next event, as text."""
        match = self.match
        if match.awaiting:
            return match.draw_lots(self.packs)
        seat = match.to_act[0]
        return f"{seat} {match.game.notation.text(self.choice(seat, match.legal_moves(seat)))}"

    def choice(self, seat: int, moves: list[int]) -> int:
        """The move that `upcard.compiled.loops.random_policy` or `heuristic_policy` makes."""
        match, number = self.match, len(moves)
        if number == 1:
            return moves[0]
        luck = self.luck.below(LUCK)
        if self.names[seat] == "random":
            return moves[self.luck.below(number)]
        if not match.game.defines("choose"):
            return moves[luck % number]
        return match.setup.choose(match.state, seat, moves, number, luck)


def _compare(match: Match[Any], there: Any, standing: list[int]) -> None:
    """Raises Broken if the two final states differ."""
    for name in match.game.state.fields:
        one, two = getattr(there, name), getattr(match.state, name)
        if one != two:
            raise Broken(f"{last_event(match)} `{name}` is {one} compiled and {two} plain")
    for seat, compiled in enumerate(standing):
        plain = match.setup.utility(match.state, seat)
        if compiled != plain:
            raise Broken(f"{last_event(match)} `utility` of seat {seat} is {compiled} compiled and {plain} plain")


def _short(event: str) -> str:
    return event if len(event) < 60 else f"{event[:60]}…"
