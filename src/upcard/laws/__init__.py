"""The laws that every game must keep. Each is tried on random matches; a broken law is explained in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from upcard.laws.cards import cards_are_conserved, piles_are_counted
from upcard.laws.compiled import compiled_equals_plain
from upcard.laws.hidden import hidden_stays_hidden
from upcard.laws.law import Broken, Law, LawVerdict, NotTried, Trial
from upcard.laws.lessons import lessons_can_be_played
from upcard.laws.matches import (
    deals_begin_anew,
    matches_end,
    numbers_are_whole,
    records_replay,
    rows_have_their_places,
    seats_rotate,
    tables_are_refused_by_clause,
    totals_are_conserved,
)
from upcard.laws.moves import (
    every_verb_is_used,
    moves_are_counted_as_listed,
    moves_are_readable,
    moves_can_be_made,
    no_move_is_missing,
    refusals_change_nothing,
)
from upcard.laws.numbers import alike_players_are_even
from upcard.laws.players import heuristics_choose, heuristics_look_at_nothing_hidden
from upcard.laws.puzzles import puzzles_can_be_solved
from upcard.laws.rulebook import clauses_are_cited, clauses_are_tested
from upcard.laws.tables import tables_can_be_shown
from upcard.laws.timeout import Endless
from upcard.laws.worlds import nobody_holds_what_it_lacks, worlds_agree
from upcard.rules.game import Game
from upcard.rules.renamed import former_names

LAWS = (
    Law(moves_are_readable),
    Law(matches_end, 3),
    Law(moves_are_counted_as_listed, 6),
    Law(moves_can_be_made, 6),
    Law(every_verb_is_used, 1),
    Law(no_move_is_missing, 6),
    Law(refusals_change_nothing, 8),
    Law(tables_are_refused_by_clause, 1),
    Law(cards_are_conserved),
    Law(piles_are_counted),
    Law(totals_are_conserved, 6),
    Law(deals_begin_anew, 3),
    Law(rows_have_their_places, 6),
    Law(numbers_are_whole, 6),
    Law(records_replay, 8),
    Law(seats_rotate, 8),
    Law(alike_players_are_even, 2),
    Law(hidden_stays_hidden, 6),
    Law(worlds_agree, 4),
    Law(nobody_holds_what_it_lacks, 6),
    Law(heuristics_choose, 4),
    Law(heuristics_look_at_nothing_hidden, 4),
    Law(tables_can_be_shown, 4),
    Law(lessons_can_be_played, 1),
    Law(puzzles_can_be_solved, 1),
    Law(compiled_equals_plain, 8),
    Law(clauses_are_cited, 1),
    Law(clauses_are_tested, 1),
)
"""All laws, in the order in which they are tried."""


def verdicts(
    game: type[Game[Any]], seed: int = 0, times: int = 1, timeout: float | None = None
) -> Iterator[LawVerdict]:
    """Try all laws in order and yield the verdicts; see `Law.verdict`.

    A law that is broken for the same reason as an earlier one counts as not tried. If a rule never returns, no further
    law is tried.
    """
    faults: dict[str, str] = {}
    for law in LAWS:
        verdict = law.verdict(game, seed, times, timeout)
        if verdict.broken is not None:
            reason = str(verdict.broken)
            if reason in faults:
                verdict = LawVerdict(law, untried=f"broken for the same reason as {faults[reason]}")
            faults.setdefault(reason, law.name)
        yield verdict
        if isinstance(verdict.broken, Endless):
            return


__all__ = ["LAWS", "Broken", "Law", "LawVerdict", "NotTried", "Trial", "verdicts"]

__getattr__ = former_names(__name__, Verdict="LawVerdict")
