"""The law of compiled rules: they play exactly as in plain Python."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from upcard.engine.chance import PACKS, PLAY, SplitMix, key_of, stream
from upcard.engine.match import Match
from upcard.laws.law import LONGEST, Broken, NotTried, Trial, last_event
from upcard.rules.phrases import how_to_get
from upcard.rules.rng import LUCK

DEALS = 3
"""The most deals compared in every second match; the other matches are played to the end."""
MOST_EVENTS = 2000
"""No further deal begins after this many events."""


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
    side = CompiledRunner(MatchSpec(match.setup, Lineup(names), trial.seed, match.first_dealer, most, with_states=True))
    batch = side(0, 1)
    trial.match = agreed
    for event, other in zip_longest(side.record(0)["events"], map(str, match.events), fillvalue="the end"):
        if event != other:
            raise Broken(
                f"{last_event(agreed)} the next event is `{_short(event)}` compiled, `{_short(other)}` in plain Python"
            )
        agreed.event(event)
    _compare(agreed, side.run.get(batch.ended, 0), batch.results["standing"][0].tolist())


class PlainPlay:
    """Plays a match in plain Python with the random numbers that compiled loops use."""

    def __init__(self, match: Match[Any], names: tuple[str, ...], seed: int) -> None:
        self.match, self.names = match, names
        self.packs, self.luck = (SplitMix(stream(key_of(seed), 0, which)) for which in (PACKS, PLAY))

    def play(self, deals: int) -> None:
        """Play this many deals, or fewer if the match ends or has MOST_EVENTS events."""
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
        """The move that `random_policy` or `heuristic_policy` of `upcard.compiled.loops` makes."""
        match, number = self.match, len(moves)
        if number == 1:
            return moves[0]
        luck = self.luck.below(LUCK)
        if self.names[seat] == "random":
            return moves[self.luck.below(number)]
        if not match.game.defines("choose"):
            return moves[luck % number]
        return match.setup.choose(match.state, seat, moves, number, luck)


def _compare(match: Match[Any], compiled_state: Any, utilities: list[int]) -> None:
    """Raises Broken if the final states or the utilities differ."""
    for name in match.game.state.fields:
        compiled, plain = getattr(compiled_state, name), getattr(match.state, name)
        if compiled != plain:
            raise Broken(f"{last_event(match)} `{name}` is {compiled} compiled and {plain} in plain Python")
    for seat, compiled in enumerate(utilities):
        plain = match.setup.utility(match.state, seat)
        if compiled != plain:
            raise Broken(
                f"{last_event(match)} `utility` of seat {seat} is {compiled} compiled and {plain} in plain Python"
            )


def _short(event: str) -> str:
    return event if len(event) < 60 else f"{event[:60]}…"
