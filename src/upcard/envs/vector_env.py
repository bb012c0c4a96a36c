"""The vector environment: thousands of matches stepped at once in compiled code."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from upcard.compiled import loops
from upcard.compiled.program import FAULTS, Program, fault_in, program
from upcard.engine.actions import ActionSpace, action_space
from upcard.engine.chance import PACKS, PLAY, key_of, stream
from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.engine.mistakes import SLACK
from upcard.engine.views import View, view
from upcard.envs import action_masks, encoding, event_log, vector_loop, work_queue
from upcard.envs.episode import REWARDS, check_reward
from upcard.envs.history import Recall
from upcard.envs.observation import LARGEST, FloatArray32, Observer
from upcard.envs.python_tables import AskedTables
from upcard.envs.single_seat import Others, seating_of
from upcard.lab.arguments import integer_from
from upcard.lab.parallel import cores, memory
from upcard.lab.runner import compiled_kinds
from upcard.rules.game import Game
from upcard.rules.phrases import brief, whole_number
from upcard.rules.state import MOST_PLAYERS

FEWEST = 8192
"""The fewest tables worth a separate thread: fewer fit into one core's cache, and no masks move between cores."""
SHARE = 256
"""The most tables that one of several threads takes at a time, so that one that starts late takes fewer in total."""
PATIENCE = 1 << 19
"""The number of counters that a thread reads in search of work before it sleeps, in a few tenths of a millisecond.
Waking it takes longer. Each poll reads one counter of every worker."""


class Step(NamedTuple):
    """The result of a step. The arrays are reused and written in place at each step: copy what you want to keep."""

    observation: NDArray[np.int64]
    """(tables, words): the view of the seat to act, as in `upcard.engine.views.view_row`; `VectorEnv.numbers` converts
    the rows to observations. They are parts of the states, so the array is not contiguous."""
    mask: NDArray[np.int8]
    """(tables, actions): 1 for each legal action of the seat to act. The rows are longer in memory, so the array is not
    contiguous."""
    reward: NDArray[np.float32]
    """(tables, players): the reward of each seat since the previous step."""
    done: NDArray[np.bool_]
    """(tables,): whether a match has ended. The observation and the mask are then those of the next match."""


@dataclass(frozen=True)
class SavedTables:
    """Tables of a vector environment as a value: with all cards, the random generators of chance and of the other
    players, and the standings from which the next reward counts."""

    setup: Game[Any]
    records: NDArray[Any]

    def __len__(self) -> int:
        return len(self.records)


class VectorEnv:
    """Many tables of one setup, stepped at once.

    Without `others` the caller plays all seats, and `seats` has the one that is to act at each table. With `others` the
    caller plays `seat`, and the other seats are played between steps.
    """

    def __init__(
        self,
        setup: Game[Any],
        tables: int,
        seed: int | None,
        seat: int,
        others: Others | None,
        reward: str,
        threads: int | None,
        history: int = 0,
    ) -> None:
        self.setup = setup
        self.tables = integer_from("tables", tables)
        self.actions: ActionSpace = action_space(setup)
        self.observer = Observer(setup)
        self.recall = Recall(setup, history)
        """Its `columns` describe the rows of `history`."""
        check_reward(reward)
        most = cores() if threads is None else integer_from("threads", threads)
        seating = seating_of(setup, seat, "random" if others is None else others)
        if others is None and seat != 0:
            raise UpcardError(f"without others you play all seats, not only seat {seat}")
        kinds = seating.kinds
        few = FEWEST if threads is None and kinds is not None else 1
        if kinds is not None:
            most = min(most, cores())  # compiled workers poll: if they share a core, they delay each other
        self.threads = max(1, min(most, self.tables // few))
        self._policies = None
        if others is not None and kinds is not None:
            self._policies = loops.policies_of(compiled_kinds(setup.game, kinds))
        self._prepare((1 << setup.players) - 1 if others is None else 1 << seat, REWARDS.index(reward))
        self._asked: AskedTables | None = None
        if kinds is None:
            self._asked = AskedTables(setup, self.tables, seat, seating.seated(), reward, self.threads, self.recall)
            self._tables["seat"] = seat
        self._plant(secrets.randbits(62) if seed is None else seed)

    def _prepare(self, mine: int, rewarded: int) -> None:
        setup, number, players = self.setup, self.tables, self.setup.players
        run = self._run = program(setup.game)
        room = action_masks.mask_length(self.actions)
        most = setup.game.most_moves + SLACK
        listed = most if action_masks.numbers_in_order(self.actions) else 0
        kind = vector_loop.table_type(run.shown_type, self.observer.words, self.recall.most)
        size = number * (kind.itemsize + room + 8 * listed)
        if size > memory():
            needed = f"{size / 1e9:,.0f} GB of" if number < 10**15 else "far more"
            raise UpcardError(f"{brief(number)} tables take {needed} memory, more than this machine has")
        self._tables = np.zeros(number, kind)
        mask = np.zeros(number, [("row", np.int8, (room,))])
        reward = np.zeros(number, [("row", np.float32, (players,))])
        done = np.zeros(number, np.bool_)
        seen, legal, earned = self._tables["row"], mask["row"][:, : self.actions.size], reward["row"]
        self._shown = Step(seen, legal, earned, done)
        self.now = Step(_for_reading(seen), _for_reading(legal), _for_reading(earned), _for_reading(done))
        """The result of the last step."""
        self.seats = _for_reading(self._tables["seat"])
        """(tables,): the seat to act."""
        self._chosen = np.zeros(number, np.int64)
        shared = vector_loop.Desk(
            tables=self._tables,
            same=shared_record(run, setup, action_masks.action_plan(setup, self.actions)),
            own=None,
            listed=np.zeros(number, [("row", np.int64, (listed,))]),
            mask=mask,
            reward=reward,
            done=done,
            actions=self._chosen,
            gate=work_queue.gate(self.threads),
        )
        self._desks = [shared._replace(own=worker_scratch(run, self.actions, most)) for _ in range(self.threads)]
        share = number if self.threads == 1 else max(1, min(SHARE, number // (8 * self.threads)))
        self._work = [
            _job(desk, self._policies, (number, mine, rewarded, share, worker, self.threads, PATIENCE // self.threads))
            for worker, desk in enumerate(self._desks)
        ]
        self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None
        self._helpers: list[Future[Any] | None] = [None] * (self.threads - 1)
        self._begun = False

    @cached_property
    def _step(self) -> Callable[..., Any]:
        """The compiled loop itself, so that its arguments are not inspected at every step."""
        return self._run.entry(vector_loop.step_shares).bare(vector_loop.LEADS, *self._work[0])

    def _plant(self, seed: int) -> None:
        key = key_of(integer_from("a seed", seed, None))
        if self._asked:
            self._asked.plant(key)
        for name, which in (("chance", PACKS), ("luck", PLAY)):
            self._tables[name][:, 0] = [stream(key, table, which) for table in range(self.tables)]

    def __repr__(self) -> str:
        return f"VectorEnv({self.setup}, tables={self.tables}, threads={self.threads})"

    def __reduce__(self) -> NoReturn:
        raise UpcardError(
            "a vector environment cannot be copied or pickled: make another one and load what this one saves"
        )

    def reset(self, seed: int | None = None) -> Step:
        """Start a new match at every table; a seed makes everything from here on repeatable. Raises UpcardError for an
        invalid seed, and if match after match ends before the seat is to act."""
        if seed is not None:
            self._plant(seed)
        return self._begin(vector_loop.BEGIN)

    def _begin(self, how: int) -> Step:
        """Begin new matches, or continue from loaded positions."""
        self._chosen[:] = how
        self._all(vector_loop.BEGINS)
        self._shown.reward[:] = 0
        self._shown.done[:] = False
        return self.now

    def step(self, actions: Any) -> Step:
        """Take one action of the seat to act at each table, and play on to its next decision.

        An illegal action ends the match with a reward of -1 to its seat. Raises UpcardError unless there is a valid
        action number for each table, and then changes nothing. If a player of your own raises an exception, only some
        tables have been stepped, and a reset must follow.
        """
        self._check_begun()
        chosen = actions if type(actions) is np.ndarray else _numbers(actions)  # the usual case first: checks take time
        if chosen.shape != self._chosen.shape or chosen.dtype.kind not in "iu":
            chosen = _numbers(actions)
            given = brief(actions) if chosen.dtype.kind == "O" else f"{chosen.dtype} of shape {chosen.shape}"
            raise UpcardError(f"actions are {self.tables} whole numbers, one per table, not {given}")
        self._chosen[:] = chosen
        if not self._all(vector_loop.LEADS):
            table = int(np.argmax(self._chosen.view(np.uint64) >= self.actions.size))
            most = self.actions.size - 1
            raise UpcardError(f"an action is a whole number from 0 to {most}, not {chosen[table]} as at table {table}")
        return self.now

    def save(self) -> SavedTables:
        """All tables as they are now. Raises UpcardError before the first reset, and for tables with players in Python,
        whose own state cannot be saved."""
        self._check_begun()
        self._check_compiled()
        return SavedTables(self.setup, self._tables.copy())

    def load(self, positions: SavedTables | Sequence[Match[Any]], rows: Any = None, seed: int | None = None) -> Step:
        """Continue from other positions; returns what the seats to act see there. There are no rewards yet.

        `positions` are tables that an environment of the same setup has saved, or matches, in which no deal need be
        complete. Table i gets the position with the index `rows[i]`, by default i. With a seed, chance and the other
        players get new random generators, a different one for each table; without, those of saved tables continue, so
        that equal positions and actions have equal futures. Raises UpcardError for invalid arguments, for a match that
        is over, and for tables with players in Python; the tables are then unchanged.
        """
        self._check_compiled()
        records = positions.records if isinstance(positions, SavedTables) else self._records(positions)
        if isinstance(positions, SavedTables) and positions.setup != self.setup:
            raise UpcardError(f"these tables are those of {positions.setup}, not of {self.setup}")
        if records.dtype != self._tables.dtype:
            raise UpcardError("these tables have another history, or are of another version of the rules or of Upcard")
        chosen = self._rows(rows, len(records))
        lit = self._tables["lit"].copy()  # the blocks that are written in the masks of these tables
        self._tables[:] = records[chosen]
        self._tables["lit"], self._tables["earned"] = lit, 0
        if seed is not None:
            self._plant(seed)
        return self._begin(vector_loop.SHOW)

    def _rows(self, rows: Any, positions: int) -> NDArray[np.int64]:
        """The position of each table. Raises UpcardError."""
        chosen = _numbers(np.arange(self.tables) if rows is None else rows)
        if chosen.shape != (self.tables,) or chosen.dtype.kind not in "iu":
            raise UpcardError(f"rows are {self.tables} whole numbers, one per table, not {brief(rows)}")
        if rows is None and positions != self.tables:
            raise UpcardError(f"there are {positions} positions for {self.tables} tables: say which in `rows`")
        if chosen.size and not 0 <= chosen.min() <= chosen.max() < positions:
            raise UpcardError(f"rows are numbers from 0 to {positions - 1}: there are {positions} positions")
        return chosen.astype(np.int64)

    def _records(self, matches: Sequence[Match[Any]]) -> NDArray[Any]:
        """The positions of matches as records of tables. Raises UpcardError."""
        records: NDArray[Any] = np.zeros(len(matches), self._tables.dtype)
        for number, match in enumerate(matches):
            if not isinstance(match, Match) or match.setup != self.setup:
                raise UpcardError(f"a position is a match of {self.setup}, not {brief(match)}")
            if match.done:
                raise UpcardError(f"position {number} is a match that is over")
            self._run.put(records["state"], number, match.state)
            seats = range(self.setup.players)
            records["standing"][number, seats] = [self.setup.utility(match.state, seat) for seat in seats]
            if self.recall.most:
                event_log.log_match(records[number], match, self.recall.most)
        for name, which in (("chance", PACKS), ("luck", PLAY)):
            key = key_of(secrets.randbits(62))
            records[name][:, 0] = [stream(key, table, which) for table in range(len(records))]
        return records

    def _check_compiled(self) -> None:
        if self._asked:
            raise UpcardError("tables with players in Python can be neither saved nor loaded")

    def close(self) -> None:
        """End the threads, which otherwise end with the environment. After another `reset` there is one thread, or with
        players in Python as many as before."""
        self._begun = False
        if self._asked:
            self._asked.close()
        if self._pool:
            self._pool.shutdown()
            self._pool = None

    def _check_begun(self) -> None:
        """Check that the tables have been reset, also since any exception, and that no step is running. Raises
        UpcardError."""
        if not self._begun:
            raise UpcardError("call reset() first, and step from one thread at a time")

    def _all(self, part: int) -> bool:
        """Step every table; returns False and does nothing if one of the chosen numbers is not that of an action.
        Raises UpcardError if the rules of a game are faulty, and any exception of a player."""
        self._begun = False
        if self._asked:
            valid = part == vector_loop.BEGINS or self._chosen.view(np.uint64).max() < self.actions.size
            if valid:
                self._asked.step(self._chosen, *self._shown)
        else:
            try:
                valid = self._all_compiled(part)
            except FAULTS as error:
                raise UpcardError(f"{self.setup.game.slug}: {fault_in(error)}") from None
        self._begun = True
        return bool(valid)

    def _all_compiled(self, part: int) -> bool:
        """Step the tables on all threads; each takes its own share first, and then shares of slower threads."""
        if self._pool:
            for number, work in enumerate(self._work[1:]):
                helper = self._helpers[number]
                if helper is None or helper.done():
                    self._helpers[number] = self._pool.submit(self._help, work)
        mine = self._work[0]
        status = self._step(part, *mine)
        while status == vector_loop.UNFINISHED:
            for helper in self._helpers:
                if helper and helper.done():
                    helper.result()  # raises its exception, if any
            status = self._step(vector_loop.WAITS, *mine)
        return bool(status == vector_loop.FINISHED)

    def _help(self, work: WorkerArguments) -> int:
        """Step tables until there are none for a while. (Being a method keeps the arrays alive.)"""
        return int(self._step(vector_loop.HELPS, *work))

    def numbers(self, words: Any = None, out: FloatArray32 | None = None) -> FloatArray32:
        """Observations like those of the other environments, as 32-bit floats: (rows, `observer.size`).

        They are those of the last step, or of `words`, which are rows copied from `observation`. They are written into
        `out`, which is faster than a new array for each call. Raises UpcardError for anything else.
        """
        if words is None:
            self._check_begun()
        rows = self._shown.observation if words is None else _numbers(words)
        if rows.ndim != 2 or rows.shape[1] != self.observer.words:
            raise UpcardError(f"words come in rows of {self.observer.words}, not in the shape {rows.shape}")
        if rows.dtype not in (np.int64, np.uint64):
            raise UpcardError(f"words are whole numbers of 64 bits, as in `observation`, not {rows.dtype}")
        rows = np.ascontiguousarray(rows, np.int64).view()
        rows.flags.writeable = False  # like `observation`, so that the loop is compiled only once
        out = self._output((len(rows), self.observer.size), out)
        self._run.entry(encoding.write_observations)(rows, *encoding.spread_plan(self.observer), int(LARGEST), out)
        return out

    def history(self, out: FloatArray32 | None = None) -> FloatArray32:
        """The events that the seat to act at each table has heard of in this match, as 32-bit floats: (tables, rows,
        columns), the latest event last. `recall.columns` describes the columns.

        It is written into `out`, which is faster than a new array for each call. Raises UpcardError in an environment
        without a history, and before the first reset.
        """
        if not self.recall.most:
            raise UpcardError("this environment keeps no history: make it with history=64 or another number of rows")
        self._check_begun()
        out = self._output((self.tables, self.recall.most, self.recall.width), out)
        if self._asked:
            self._asked.write_histories(out)
        else:
            plan = event_log.history_plan(self.recall, self.setup.game.notation)
            self._run.entry(event_log.write_histories)(
                self._tables, *plan, encoding.card_places(self.observer.places), out
            )
        return out

    def _output(self, shape: tuple[int, ...], out: Any) -> FloatArray32:
        """An array of this shape: `out` if given. Raises UpcardError if it does not suit."""
        if out is None:
            return np.empty(shape, np.float32)
        if not isinstance(out, np.ndarray):
            raise UpcardError(f"out is an array of NumPy, not {brief(out)}")
        if out.shape != shape or out.dtype != np.float32:
            raise UpcardError(f"out has the shape {shape} of float32, not {out.shape} of {out.dtype}")
        if not (out.flags.c_contiguous and out.flags.writeable):
            raise UpcardError("out is one contiguous array that may be written to")
        return out

    def view(self, table: int) -> View[Any]:
        """The view of the seat to act at one table. It includes the events heard before only if some players are not
        compiled. Raises UpcardError for a table that does not exist, and before the first reset."""
        number = whole_number(table)
        if number is None or not 0 <= number < self.tables:
            raise UpcardError(f"there is no table {brief(table)}: the tables are 0 to {self.tables - 1}")
        self._check_begun()
        if self._asked:
            return self._asked.view(number)
        return view(self.setup, self._run.get(self._tables["state"], number), int(self.seats[number]))


class ReadOnlyArray(np.ndarray[Any, Any]):
    """An array that compiled code writes and trusts. DLPack, which many libraries treat as a way to writable memory,
    gets a copy: otherwise a mask that is changed in place would allow an illegal action."""

    def __dlpack__(self, **more: Any) -> Any:
        return np.array(self).__dlpack__(**more)


def _for_reading(array: NDArray[Any]) -> NDArray[Any]:
    """A read-only view of an array, since compiled code trusts its contents. It is a view of plain bytes, so that the
    records it belongs to cannot be reached through it."""
    whole = array
    while isinstance(whole.base, np.ndarray):
        whole = whole.base
    opaque = np.frombuffer(whole.view(np.uint8).data.toreadonly(), np.uint8)
    return ReadOnlyArray(array.shape, array.dtype, opaque, array.ctypes.data - whole.ctypes.data, array.strides)


def _numbers(argument: Any) -> NDArray[Any]:
    """An array made from a user's argument; if that is not numeric, an array that fails all later checks."""
    try:
        array = np.asarray(argument)
    except (ValueError, TypeError, RuntimeError):  # the last two: tensors on another device or with gradients
        array = np.array(None)
    return array if array.dtype.kind in "biuf" else np.array(None)


WorkerArguments = tuple[NDArray[Any], vector_loop.Desk, Any]
"""The arguments of `step_shares` after the first."""


def _job(desk: vector_loop.Desk, policies: Any, role: tuple[int, ...]) -> WorkerArguments:
    """A worker's arguments. They have the addresses of the arrays, but do not keep them alive."""
    job = np.zeros(1, vector_loop.JOB)
    job[0] = (*role, *(array.ctypes.data for array in desk))
    return job, vector_loop.Desk(*(array.dtype for array in desk)), policies


def shared_record(run: Program, setup: Game[Any], plan: NDArray[Any]) -> NDArray[Any]:
    """The data common to all tables: see `Desk.same`."""
    options, begun = run.options(setup), run.states(MOST_PLAYERS, shown=True)
    for dealer in range(setup.players):
        run.put(begun, dealer, Match(setup, dealer=dealer).state)
    same = np.zeros(1, [("options", options.dtype), ("plan", plan.dtype), ("begun", begun.dtype, begun.shape)])
    same["options"], same["plan"], same["begun"] = options, plan, begun
    return same


def worker_scratch(run: Program, space: ActionSpace, most: int) -> NDArray[Any]:
    """A worker's scratch memory, with room to sort `most` moves and, if a verb's legal moves are numbered in order, to
    count the moves of each verb."""
    verbs = len(space.families) if action_masks.numbers_in_order(space) else 0
    room = [("counts", np.uint64, (verbs,)), ("keys", np.int64, (most,))]
    usual = run.scratch()
    scratch = np.zeros(1, usual.dtype.descr + room)
    for name in usual.dtype.names or ():
        scratch[name] = usual[name]
    return scratch
