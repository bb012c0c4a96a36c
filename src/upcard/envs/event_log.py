"""The latest events of each table, which compiled code logs, and histories of them as rows of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.compiled.program import inner
from upcard.engine.match import Match
from upcard.envs.history import Recall
from upcard.rules.game import Game
from upcard.rules.notation import MOST_ITEMS, Audience, Notation, Verb, item, items_of, verb_index
from upcard.rules.state import MOST_PLAYERS, NOBODY

AUDIENCES = (Audience.ALL, Audience.SEALED, Audience.COUNT, Audience.WORD)
"""The parts of a move that others hear of, by their numbers in a log."""
ALL, SEALED, COUNT, WORD = range(4)
NO_MOVE = -1
"""Instead of a move."""


def heard_of(setup: Game[Any], verb: Verb) -> int:
    """The part of a move with this verb that others hear of, at this table."""
    return ALL if setup.opens(verb.unless) else AUDIENCES.index(verb.heard)


def log_match(record: Any, match: Match[Any], most: int) -> None:
    """Write the `most` latest events of a match into the log of a table's record."""
    lines: list[tuple[int, int, int]] = []
    sealed: dict[int, int] = {}
    for event in match.events:
        if event.seat is None:
            lines.append((NOBODY, event.move, ALL))
            sealed.clear()
        elif event.opened:
            lines += [(seat, move, ALL) for seat, move in event.opened]
            sealed.clear()
        else:
            lines.append((event.seat, event.move, AUDIENCES.index(event.audience)))
            if event.audience is Audience.SEALED:
                sealed[event.seat] = event.move
    for number, line in enumerate(lines):
        record["log"][number % most] = line
    record["events"] = len(lines)
    record["sealed"] = [sealed.get(seat, NO_MOVE) for seat in range(MOST_PLAYERS)]


@inner
def record_chance(t: Any) -> None:
    """Write the awaited chance event into the log, if there is one."""
    if len(t.log):
        write_event(t, NOBODY, t.state.awaiting, ALL)
        for seat in range(len(t.sealed)):
            t.sealed[seat] = NO_MOVE


@inner
def record_move(t: Any, opt: Any, plan: Any, me: int, move: int, phase: int, to_act: int) -> None:
    """Write a move just made into the log, if there is one. `phase` and `to_act` are those before the move. The move
    that opens sealed ones has a line for each of them, in the order of the seats."""
    if len(t.log) == 0:
        return
    heard = plan.heard[verb_index(move)]
    if heard != SEALED:
        write_event(t, me, move, heard)
        return
    t.sealed[me] = move
    if t.state.phase == phase and to_act != 1 << me:
        write_event(t, me, move, SEALED)
        return
    for seat in range(opt.players):
        if t.sealed[seat] != NO_MOVE:
            write_event(t, seat, t.sealed[seat], ALL)
            t.sealed[seat] = NO_MOVE


@inner
def write_event(t: Any, who: int, what: int, heard: int) -> None:
    place = t.events[0] % len(t.log)
    t.log[place, 0] = who
    t.log[place, 1] = what
    t.log[place, 2] = heard
    t.events[0] += 1


ITEM_COLUMNS = ("card", "suit", "rank", "player", "number")
"""The groups of columns for the items of a move."""
NAMED_CARD, NAMED_NUMBER = 0, 4
BY_MOVE = -1
"""The number of items of a verb whose moves have different numbers of items."""
SEAT_AT, CHANCE_AT, VERB_COLUMN, HIDDEN_AT, FIRST_KIND = range(5)
"""The places of the first columns of a history row: who moved, chance, the verb, the number of hidden cards; then those
of each kind of item."""


def history_plan(recall: Recall, notation: Notation) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The columns of a history and the items of each verb for compiled code: see `write_histories`."""
    names = ("seat", "chance", "verb", "hidden", *ITEM_COLUMNS)
    columns = np.array([recall.columns[name].start for name in names])
    kinds = np.zeros((len(notation.verbs), 1 + MOST_ITEMS), np.int64)
    for row, verb in zip(kinds, notation.verbs, strict=True):
        if verb.items == ("card+",):
            row[0] = BY_MOVE
        else:
            row[0] = len(verb.items)
            groups = ["player" if kind == "seat" else kind for kind in verb.items]
            row[1 : 1 + len(groups)] = [ITEM_COLUMNS.index(group) for group in groups]
    return columns, kinds


def write_histories(tables: Any, columns: Any, kinds: Any, places: Any, out: Any) -> None:
    """Write the latest events of each table, as the seat to act has heard them: see `upcard.envs.history.Recall`.

    `columns` are the first columns of each group, `kinds` has for each verb the number of its items (or BY_MOVE), and
    for each item which group of columns it is in, and `places` the index of each card.
    """
    for i in range(len(tables)):
        t = tables[i]
        rows = out.shape[1]
        number = min(rows, t.events[0])
        for k in range(rows):
            for column in range(out.shape[2]):
                out[i, k, column] = 0
        for k in range(number):
            place = (t.events[0] - number + k) % rows
            write_heard(t.seat, t.log[place], columns, kinds, places, out[i, rows - number + k])


@inner
def write_heard(me: int, event: Any, columns: Any, kinds: Any, places: Any, row: Any) -> None:
    """Write a row of a history."""
    who, what, heard = event[0], event[1], event[2]
    if who == NOBODY:
        row[columns[CHANCE_AT] + what - 1] = 1
        return
    verb = verb_index(what)
    row[columns[SEAT_AT] + who] = 1
    row[columns[VERB_COLUMN] + verb] = 1
    number = items_of(what) if kinds[verb, 0] == BY_MOVE else kinds[verb, 0]
    if who != me and heard != ALL:
        row[columns[HIDDEN_AT]] = number if heard == COUNT else 0
        return
    for k in range(number):
        kind, named = kinds[verb, 1 + k], item(what, k)
        at = columns[FIRST_KIND + kind]
        if kind == NAMED_NUMBER:
            row[at] = named
        else:
            row[at + (places[named] if kind == NAMED_CARD else named)] = 1
