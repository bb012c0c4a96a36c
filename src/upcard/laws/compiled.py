"""The law of compiled rules: they do what the plain ones do."""

from __future__ import annotations

from typing import Any

from upcard.engine.chance import SplitMix
from upcard.laws.law import Broken, NotTried, Trial, last_event, random_event

EVENTS = 600


def compiled_equals_plain(trial: Trial) -> None:
    """Compiled rules list the same moves, in the same order, and lead to the same states as plain ones."""
    try:
        side = Machine(trial)
    except ImportError as error:
        raise NotTried(f"it needs {error.name}: pip install 'upcard[fast]'") from None
    match = trial.begin()
    side.begin(match)
    while not match.done and len(match.events) < EVENTS:
        if match.awaiting:
            said = match.draw_lots(side.chance)
            side.do(side.rules.CHANCE)
            match.event(said)
        else:
            for seat in match.to_act:
                side.compare_moves(match, seat)
            event = match.event(random_event(match, trial.rng))
            assert event.seat is not None
            side.do(side.rules.APPLY, event.seat, event.move)
        side.compare(match)


class Machine:
    """The compiled rules of a game, beside a plain match that goes the same way."""

    def __init__(self, trial: Trial) -> None:
        """Raises ImportError where there is nothing to compile with."""
        from upcard.compiled import single
        from upcard.compiled.program import program

        self.rules = single
        self.rng, self.chance = trial.rng, SplitMix(trial.seed)
        self.program = program(trial.game)
        self.states, self.scratch = self.program.states(1), self.program.scratch(trial.seed)
        self._entry = self.program.entry(single.one_rule)

    def begin(self, match: Any) -> None:
        self.options = self.program.options(match.setup)
        self.program.put(self.states, 0, match.state)

    def do(self, what: int, seat: int = 0, number: int = 0) -> int:
        """One rule of the game."""
        return int(self._entry(self.states, self.options, self.scratch, what, seat, number))

    def compare_moves(self, match: Any, seat: int) -> None:
        """Whether the same moves are listed, counted and picked. Raises Broken."""
        legal = match.legal_moves(seat)
        listed = self.scratch[0]["moves"][: self.do(self.rules.LIST, seat)].tolist()
        if listed != legal:
            raise Broken(
                f"{last_event(match)} seat {seat} has {_texts(match, listed)} compiled, {_texts(match, legal)} plain"
            )
        others = self.do(self.rules.COUNT, seat)
        if not 0 <= others <= len(legal):
            raise Broken(
                f"{last_event(match)} `count_others` says {others} for seat {seat}, which has {len(legal)} moves"
            )
        for k in self.rng.sample(range(others), min(others, 3)):
            self.do(self.rules.COUNT, seat)
            wanted, nth = legal[len(legal) - others + k], self.do(self.rules.NTH, seat, k)
            if nth != wanted:
                raise Broken(
                    f"{last_event(match)} `nth_other` gives {_texts(match, [nth])} as number {k} of seat {seat}, "
                    f"and in the list stands {_texts(match, [wanted])}"
                )

    def compare(self, match: Any) -> None:
        """Whether both are in the same state. Raises Broken."""
        there = self.program.get(self.states, 0)
        for name in match.game.state.fields:
            one, two = getattr(there, name), getattr(match.state, name)
            if one != two:
                raise Broken(f"{last_event(match)} `{name}` is {one} compiled and {two} plain")
        for seat in range(match.players):
            compiled, plain = self.do(self.rules.UTILITY, seat), match.game.utility(match.state, match.options, seat)
            if compiled != plain:
                raise Broken(f"{last_event(match)} `utility` of seat {seat} is {compiled} compiled and {plain} plain")


def _texts(match: Any, moves: list[int]) -> str:
    """Moves for a message: the first few."""
    known = len(match.game.notation.verbs) << 51
    told = [f"`{match.game.notation.text(move)}`" if 0 <= move < known else f"the number {move}" for move in moves[:4]]
    return ", ".join(told) + (f" and {len(moves) - 4} more" if len(moves) > 4 else "") or "no moves"
