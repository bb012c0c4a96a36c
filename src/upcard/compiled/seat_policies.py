"""The policies by which seats move in compiled loops, as records."""

from __future__ import annotations

from collections.abc import Sequence

from upcard.compiled.words import INTEGER, RecordType, WordArray, records
from upcard.policies.similar_moves import SLIPS

NEVER, SOMETIMES = 0, 16
"""How often a policy's move is replaced by a random legal one: never, or one in 16. The latter is used in rollouts,
because nobody is as predictable as a heuristic."""
RANDOM, HEURISTIC, LEARNED, EASY = range(4)
POLICY = RecordType([(name, INTEGER, None) for name in ("kind", "epsilon", "slips")])
WITH_LEARNED = RecordType([*POLICY.fields, ("noisy", INTEGER, None)])


def policy_records(kinds: list[int]) -> WordArray:
    """The policies of the seats for `choose_move`: RANDOM, HEURISTIC, LEARNED or EASY. The learned policy is compiled
    only if a seat needs it."""
    rows = [(HEURISTIC, NEVER, SLIPS) if kind == EASY else (kind, NEVER, NEVER) for kind in kinds]
    if LEARNED in kinds:
        return _records(WITH_LEARNED, [(*row, 0) for row in rows])
    return _records(POLICY, rows)


def rollout_records(seats: int, kind: int = HEURISTIC) -> WordArray:
    """The policy of all seats in the rollouts of a search."""
    if kind == LEARNED:
        return _records(WITH_LEARNED, [(LEARNED, NEVER, NEVER, 1)] * seats)
    return _records(POLICY, [(HEURISTIC, SOMETIMES, NEVER)] * seats)


def checking_records(seats: int) -> WordArray:
    """The heuristic as the policy of all seats in rollouts, as records of the type of learned policies, so that it
    needs no other code."""
    return _records(WITH_LEARNED, [(HEURISTIC, SOMETIMES, NEVER, 0)] * seats)


def _records(record: RecordType, rows: Sequence[tuple[int, ...]]) -> WordArray:
    return records(len(rows), record, [number for row in rows for number in row])
