"""The law of compiled rules: they play exactly as in plain Python."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from upcard.engine.chance import PACKS, PLAY, SplitMix, key_of, stream
from upcard.engine.match import Match
from upcard.engine.mistakes import reconsidered
from upcard.laws.law import LONGEST, Broken, NotTried, Trial, last_event
from upcard.rules import cards
from upcard.rules.game import Game
from upcard.rules.phrases import how_to_get
from upcard.rules.rng import LUCK
from upcard.rules.state import AWAITING

if TYPE_CHECKING:
    from numpy.typing import NDArray

DEALS = 3
"""The most deals compared in every second match; the other matches are played to the end."""
MOST_EVENTS = 2000
"""No further deal begins after this many events."""


def compiled_equals_plain(trial: Trial) -> None:
    """Compiled rules play exactly the same match as plain Python, given the same random numbers."""
    match, rng = trial.begin(), trial.rng
    agreed = match.fork()
    names = tuple([rng.choice(("random", "heuristic")) for _ in range(match.players)])
    PlainPlay(match, names, trial.seed).play(rng.randint(1, DEALS) if trial.seed % 2 else LONGEST)
    most = match.state.deals
    compiled = CompiledPlay(match.setup, names, trial.seed, match.first_dealer)
    events = compiled.events(most)
    trial.match = agreed
    for event, other in zip_longest(events, map(str, match.events), fillvalue="the end"):
        if event != other:
            raise Broken(
                f"{last_event(agreed)} the next event is `{_short(event)}` compiled, `{_short(other)}` in plain Python"
            )
        agreed.event(event)
    _compare(agreed, compiled.state, compiled.utilities[0].tolist())


class CompiledPlay:
    """Plays matches of one table in compiled code. `names` are the players of its seats, "random" or "heuristic"; each
    seat is the first dealer in turn unless a `dealer` is given. Raises NotTried if numba is missing."""

    def __init__(self, setup: Game[Any], names: tuple[str, ...], seed: int, dealer: int | None = None) -> None:
        try:
            from upcard.compiled import loops
            from upcard.compiled.program import program
        except ImportError as error:
            raise NotTried(f"it needs {error.name}: {how_to_get('fast')}") from None
        import numpy as np

        self._zeros, self._row_type = np.zeros, loops.row_type(setup.players)
        self._setup, self._key, self._run = setup, key_of(seed), program(setup.game)
        self._tables = self._run.states(setup.players + 1)
        for seat in range(setup.players):
            match = Match(setup, dealer=seat if dealer is None else dealer)
            self._run.put(self._tables, seat, match.state)
        self._options = self._run.options(setup)
        kinds = {"random": loops.RANDOM, "heuristic": loops.HEURISTIC}
        self._policies = loops.policies_of([kinds[name] for name in names])
        self._loop = self._run.entry(loops.play_matches)
        self._ended = self._run.states(1)

    @property
    def state(self) -> Any:
        """The state at the end of the first of the matches last played."""
        return self._run.get(self._ended, 0)

    def play(self, number: int, most: int, trace: NDArray[Any] | None = None) -> int:
        """Play this many matches, or at most `most` deals of each; 0 is for whole matches. Returns the length of the
        trace of the last."""
        trace = self._zeros(0, "int64") if trace is None else trace
        self._results = self._zeros(number, self._row_type)
        rows = self._results.view("int64").reshape(number, -1)
        packs, scratch, none = self._run.scratch(), self._run.scratch(), self._run.states(0)
        tables, options, policies = self._tables, self._options, self._policies
        arguments = (packs, scratch, policies, self._key, self._key, 0, most, rows, none, self._ended, trace)
        length: int = self._loop(tables, options, *arguments)
        return length

    @property
    def utilities(self) -> NDArray[Any]:
        """The utilities of all seats at the end of each match, with the shape (matches, seats)."""
        utilities: NDArray[Any] = self._results["standing"]
        return utilities

    def events(self, most: int) -> list[str]:
        """The events of the first match, or of its first `most` deals, as texts."""
        trace = self._zeros(self.play(1, most), "int64")
        self.play(1, most, trace)
        numbers, texts = iter(trace.tolist()), []
        for first in numbers:
            if first < 0:
                listed = [cards.text(next(numbers)) for _ in range(next(numbers))]
                texts.append(f"{AWAITING[-first]} {' '.join(listed)}")
            else:
                texts.append(f"{first} {self._setup.game.notation.text(next(numbers))}")
        return texts


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
        move = match.setup.choose(match.state, seat, moves, number, luck)
        return reconsidered(match.setup, match.state, seat, moves, move, 0)


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
