"""Positions of a match in OpenSpiel: actions in compiled code; texts and histories only for those who ask."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from operator import index
from random import Random
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from upcard.compiled.program import FAULTS, Program, fault_in, program
from upcard.engine.actions import action_space
from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.engine.mistakes import SLACK, bad_rules
from upcard.engine.setup import check_seat
from upcard.engine.worlds import world
from upcard.envs import spiel_loop
from upcard.envs.action_masks import action_plan, mask_length, numbers_in_order
from upcard.envs.encoding import spread_plan
from upcard.envs.history import Recall
from upcard.envs.observation import FloatArray32, Observer
from upcard.envs.spiel_course import Course
from upcard.envs.spiel_loop import (
    ACTS,
    CHANCE,
    HAPPENS,
    ILLEGAL,
    LEGAL,
    OBSERVES,
    POOL,
    RESULTS,
    SIMULTANEOUS,
    TERMINAL,
)
from upcard.envs.vector_env import shared_record, worker_scratch
from upcard.envs.vector_loop import table_type
from upcard.rules import cards
from upcard.rules.cards import Card
from upcard.rules.game import Game
from upcard.rules.state import DRAW, seats_of

PositionLog = tuple["PositionLog", int, Any] | None
"""Each action with its player, the last one outermost. Simultaneous actions are a list, one for each seat."""


class SpielTable:
    """A table in compiled code: its rules and actions, and the memory of a match before its first deal."""

    def __init__(self, setup: Game[Any], history: int, at_once: bool, one_deal: bool) -> None:
        self.setup, self.one_deal = setup, one_deal
        self.recall = Recall(setup, history, sights=True)
        self.arguments = setup, history, at_once, one_deal
        """The arguments of `spiel_table`, which returns this table."""
        self.observer = Observer(setup)
        self.actions = action_space(setup)
        self._at_once = at_once
        self._run = program(setup.game)
        self._same = shared_record(self._run, setup, action_plan(setup, self.actions))
        self._desks = threading.local()
        self.root = self.memory(Match(setup).state)

    def memory(self, state: Any) -> NDArray[Any]:
        """A state as the only record of a new array."""
        tables = np.zeros(1, table_type(self._run.shown_type, self.observer.words))
        self._run.put(tables["state"], 0, state)
        return tables

    @property
    def desk(self) -> SpielDesk:
        """The memory of this thread for calls of the compiled loop."""
        try:
            desk: SpielDesk = self._desks.own
        except AttributeError:
            desk = self._desks.own = SpielDesk(self._run, self.root, self._same, self._record())
        return desk

    def _record(self) -> NDArray[Any]:
        most = self.setup.game.most_moves + SLACK
        scratch = worker_scratch(self._run, self.actions, most)
        parts, places = spread_plan(self.observer)
        listed = most if numbers_in_order(self.actions) else 0
        length, size = mask_length(self.actions), self.observer.size
        record = np.zeros(1, spiel_loop.desk_type(scratch.dtype, length, listed, size, len(parts)))
        for name in scratch.dtype.names or ():
            record["scratch"][name] = scratch[name]
        record["parts"], record["places"] = parts, places
        record["at_once"], record["one_deal"] = self._at_once, self.one_deal
        return record


spiel_table = lru_cache(maxsize=64)(SpielTable)
"""A table, made once for all games with the same arguments."""


class SpielDesk:
    """The compiled loop `take_turn`, with the memory in which it returns its results."""

    def __init__(self, run: Program, root: NDArray[Any], same: NDArray[Any], record: NDArray[Any]) -> None:
        self._game = run.game
        self._call = run.entry(spiel_loop.take_turn).bare(LEGAL, root, same, record, 0, 0)
        self._same, self._record = same, record
        self.order: NDArray[np.int64] = record["scratch"]["order"][0]
        self.out: NDArray[np.int64] = record["out"][0]
        self.seen: FloatArray32 = record["seen"][0, 0]

    def turn(self, part: int, tables: NDArray[Any], seat: int = 0, action: int = 0) -> int:
        """The result of `take_turn`. Raises BadRules if the rules of a game are faulty."""
        try:
            return self._call(part, tables, self._same, self._record, seat, action)  # type: ignore[no-any-return]
        except FAULTS as error:
            raise bad_rules(self._game, fault_in(error)) from None


class SpielPosition:
    """A position of a match whose chance events happen card by card.

    It has the table as compiled code sees it. What the seats have seen and heard is a `Course`, which follows only when
    somebody asks for it.
    """

    __slots__ = (
        "_course",
        "_course_at",
        "_has_course",
        "_legal",
        "_order",
        "_pool",
        "is_drawn",
        "is_shared",
        "length",
        "log",
        "player",
        "table",
        "tables",
    )

    def __init__(self, table: SpielTable) -> None:
        self.table = table
        self.tables = table.root
        """The record of the table."""
        self.player = CHANCE
        """The seat to act, or OpenSpiel's number for chance, for simultaneous moves or for the end."""
        self.log: PositionLog = None
        """The actions since the match began, or since this position was drawn."""
        self.length = 0
        """The number of entries of the log."""
        self.is_shared = True
        """Whether several states have this position, so that one must copy it before it moves."""
        self.is_drawn = False
        """Whether the position is in a world that was drawn for a seat: no history leads to it."""
        self._legal: list[int] | None = None
        self._order: list[Card] = []
        """The cards of the awaited chance event so far."""
        self._pool: dict[Card, int] | None = None
        """The cards that may follow them, with their numbers."""
        self._course: Course | Callable[[], Course] = partial(Course, table.setup, table.recall)
        self._has_course = False
        """Whether no other position uses the course."""
        self._course_at: PositionLog = None
        """The log up to which the course has followed."""

    def copy(self) -> SpielPosition:
        """The same position, for moving on."""
        twin = SpielPosition.__new__(SpielPosition)
        twin.table = self.table
        twin.tables = self.tables.copy()
        twin.player = self.player
        twin.log, twin.length = self.log, self.length
        twin.is_shared, twin.is_drawn = False, self.is_drawn
        twin._legal, twin._order, twin._pool = self._legal, self._order, self._pool
        twin._course, twin._course_at = self._course, self._course_at
        twin._has_course = self._has_course = False
        return twin

    def __deepcopy__(self, memo: object) -> SpielPosition:
        self.is_shared = True
        return self

    def __reduce__(self) -> Any:
        if self.is_drawn:
            raise UpcardError("a state drawn from an information state cannot be pickled: no history leads to it")
        return _replayed, (self.table.arguments, self.latest(self.length))

    # ------------------------------------------------------------------------------------------------------- moves

    def take(self, action: int) -> None:
        """Take an action of the player to act, or the next card of chance. Raises IllegalMove or UpcardError for an
        invalid one and then changes nothing."""
        player = self.player
        if player >= 0:
            number = index(action)
            turn = self.table.desk.turn(ACTS, self.tables, player, number)
            if turn == ILLEGAL:
                self._refuse([player], {player: number})
            self.player, self._legal = turn, None
        elif player == CHANCE:
            self._turn_up(action)
        else:
            raise UpcardError(f"{len(self.acting())} seats act at once: apply_actions takes an action for each")
        self.log = self.log, player, action
        self.length += 1

    def take_together(self, actions: Sequence[int]) -> None:
        """Take the actions of all seats, of which only those of the seats to act count. Raises IllegalMove or
        UpcardError for invalid ones; the position is then undefined."""
        seats, number = self.acting(), self.table.setup.players
        if len(actions) != number:
            raise UpcardError(f"there must be {number} actions, one for each seat, not {len(actions)}")
        for seat in seats:
            turn = self.table.desk.turn(ACTS, self.tables, seat, index(actions[seat]))
            if turn == ILLEGAL:
                self._refuse(seats, actions)
        self.player, self._legal = turn, None
        self.log = self.log, SIMULTANEOUS, list(actions)
        self.length += 1

    def _refuse(self, seats: Sequence[int], actions: Any) -> NoReturn:
        """Raise the error for an illegal action among those of the seats."""
        course = self.course.fork()
        for seat in seats:
            course.act(seat, actions[seat])
        raise AssertionError("the compiled rules refuse an action that the rules allow")

    def _turn_up(self, card: Card) -> None:
        outcomes = self._outcomes()
        number = outcomes.get(card, 0)
        if not number:
            choices = f"chance has {len(outcomes)} cards to choose from, see chance_outcomes"
            raise UpcardError(f"{choices}, but not {cards.named(card)}")
        pool = {**outcomes}
        if number == 1:
            del pool[card]
        else:
            pool[card] = number - 1
        self._pool, self._order = pool, [*self._order, index(card)]
        if not pool or self.tables["state"]["awaiting"][0] == DRAW:
            desk = self.table.desk
            desk.order[: len(self._order)] = self._order
            self.player = desk.turn(HAPPENS, self.tables)
            self._pool, self._order, self._legal = None, [], None

    def _outcomes(self) -> dict[Card, int]:
        """The possible next cards of chance with their numbers."""
        if self._pool is None:
            desk = self.table.desk
            number = desk.turn(POOL, self.tables)
            self._pool = dict(sorted(Counter(desk.order[:number].tolist()).items()))
        return self._pool

    # --------------------------------------------------------------------------------------------------- questions

    def acting(self) -> list[int]:
        """The seats to act. Raises UpcardError if there are none."""
        if self.player in (CHANCE, TERMINAL):
            raise UpcardError("the match is over" if self.player == TERMINAL else NO_SEAT)
        return seats_of(int(self.tables["state"]["to_act"][0]))

    def chance_outcomes(self) -> list[tuple[Card, float]]:
        """The possible next cards with their probabilities; none if chance is not to act."""
        if self.player != CHANCE:
            return []
        pool = self._outcomes()
        total = sum(pool.values())
        return [(card, number / total) for card, number in pool.items()]

    def legal(self) -> list[int]:
        """The legal actions of the player to act, in a new list: its moves, or the cards of chance."""
        if self._legal is None:
            if self.player == CHANCE:
                return [*self._outcomes()]
            self._legal = self.legal_of(self.player)
        return self._legal[:]

    def legal_of(self, seat: int) -> list[int]:
        """The legal actions of a seat."""
        if self.player == TERMINAL or not self.tables["state"]["to_act"][0] >> seat & 1:
            return []
        desk = self.table.desk
        number = desk.turn(LEGAL, self.tables, seat)
        actions: list[int] = desk.out[:number].tolist()
        return actions

    def observe(self, seat: int) -> FloatArray32:
        """The observation of a seat; the next call overwrites it."""
        desk = self.table.desk
        desk.turn(OBSERVES, self.tables, seat)
        return desk.seen

    def results(self) -> tuple[list[int], list[int]]:
        """The standing of each seat, and the seats that have won the match, or have the best standing after one
        deal."""
        desk = self.table.desk
        winners = desk.turn(RESULTS, self.tables)
        standings: list[int] = desk.out[: self.table.setup.players].tolist()
        if not self.table.one_deal:
            return standings, seats_of(winners)
        best = max(standings)
        return standings, [seat for seat, standing in enumerate(standings) if standing == best]

    @property
    def course(self) -> Course:
        """The match up to this position, with everything that has been seen and heard in it."""
        if not isinstance(self._course, Course):
            self._course, self._has_course = self._course(), True
        if self._course_at is not self.log:
            if not self._has_course:
                self._course, self._has_course = self._course.fork(), True
            for player, action in self._since(self._course_at):
                self._course.follow(player, action)
            self._course_at = self.log
        return self._course

    def _since(self, log: PositionLog) -> list[tuple[int, Any]]:
        """The entries of the log after an earlier one, with their players, in order."""
        entries, at = [], self.log
        while at is not log and at is not None:
            at, player, action = at
            entries.append((player, action))
        return entries[::-1]

    def latest(self, number: int) -> list[tuple[int, Any]]:
        """The last entries of the log, with their players, in order."""
        at = self.log
        for _ in range(number):
            assert at is not None
            at = at[0]
        return self._since(at)

    def drawn(self, seat: int, rng: Random) -> SpielPosition:
        """A position in a random world that this seat cannot distinguish from this one. Raises UpcardError if no seat
        is to act."""
        check_seat(self.table.setup, seat)
        self.acting()
        course = self.course
        self._has_course = False
        state = world(course.views[seat], rng)
        twin = SpielPosition(self.table)
        twin.tables = self.table.memory(state)
        twin.player, twin.is_drawn, twin.is_shared = self.player, True, False
        twin._course = partial(course.in_world, seat, state)
        return twin


NO_SEAT = "no seat is to act: chance comes first"


def _replayed(table: tuple[Any, ...], entries: Sequence[tuple[int, Any]]) -> SpielPosition:
    """The position of a table after the entries of a log."""
    position = SpielPosition(spiel_table(*table)).copy()
    for player, action in entries:
        if player == SIMULTANEOUS:
            position.take_together(action)
        else:
            position.take(action)
    return position
