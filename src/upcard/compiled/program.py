"""A game as a compiled program: its rules are collected, hashed, and compiled when they are first called.

The type of the state that a compiled loop receives determines which game's rules it calls. That type contains the hash
of the build, so that two games, or a game and its variant, are never confused, even if their states have the same
fields.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import sys
import threading
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from random import Random
from types import FunctionType
from typing import Any

import llvmlite.binding
import llvmlite.ir
import numba
import numba.core.errors
import numpy as np
from numba import types
from numba.extending import intrinsic, overload, register_jitable
from numpy.typing import NDArray

from upcard.compiled.cache import BuildFolder
from upcard.compiled.machine import deals_worlds, option_record, scratch_record, state_fields
from upcard.compiled.numba_patch import HAS_FUNCTION_IDS, unique_symbols, whole_loops
from upcard.compiled.observation import observation_rule, shown_type
from upcard.compiled.words import RecordType
from upcard.engine.errors import UpcardError
from upcard.engine.match import Match
from upcard.engine.mistakes import bad_rules, check_counted, heuristic_choice, reconsidered
from upcard.policies.hand_features import hands_of, listed_signs
from upcard.policies.learned import RULE_NAMES, check_features, learned_of, policy_of
from upcard.policies.similar_moves import slip_of
from upcard.rules.cards import count, lowest
from upcard.rules.checks import checked_reach
from upcard.rules.dependencies import Dependencies
from upcard.rules.errors import BadGame
from upcard.rules.game import Game
from upcard.rules.identity import RULES
from upcard.rules.lineage import COUNTING, is_counted, is_ordered, is_shipped
from upcard.rules.marks import F, mark_of, rule
from upcard.rules.notation import cards_of, form_of, item, items_of, put_each, verb_index
from upcard.rules.state import mind_places
from upcard.rules.twins import twins_of

PACKAGE = Path(__file__).parents[1]
"""The directory of the rules that ship with Upcard."""
TRIED_OUT = 200
"""The number of events for which rules from outside are tried in plain Python before they are compiled."""
LOOP_RULES = (cards_of, count, lowest, form_of, item, items_of, put_each, verb_index)
"""The rules that the compiled loops call directly."""


class BadProgram(UpcardError):
    """Rules cannot be compiled. The message names the place and the reason, in one line."""


class Program:
    """The compiled loops of a game, and the NumPy types that they work on."""

    def __init__(self, game: type[Game[Any]]) -> None:
        """Raises BadProgram for rules with errors that plain Python would tolerate but compiled code cannot."""
        self.game = game
        self.is_checked = not is_shipped(game)
        """Whether compiled code makes the checks of plain Python, because rules or their numbers are from outside."""
        self.rules = _rules_of(game)
        reach = _reach(game, [*self.rules.values(), *LOOP_RULES])
        fields, options = state_fields(game), option_record(game)
        self._reach = reach
        self.build = reach.digest(fields, game.most_moves, options.fields, self.is_checked, _loops(), _processor())
        marker = f"build_{self.build}"
        self.state_record = RecordType(fields, marker)
        self.state_type = self.state_record.dtype
        self.shown_type = shown_type(game, marker)
        """The type of a state that begins with an observation: see `upcard.compiled.observation`."""
        self.option_type = options.dtype
        self._build_folder = BuildFolder(self.build)
        self._entries: dict[Any, CompiledLoop] = {}
        self._tried: set[Game[Any]] = set()
        for called in reach.rules:
            _register(called)
        for kind in (self.state_type, self.shown_type):
            _PROGRAMS[numba.from_dtype(kind)] = self

    def entry(self, loop: Callable[..., Any]) -> CompiledLoop:
        """A loop, compiled for this game."""
        if loop not in self._entries:
            self._entries[loop] = CompiledLoop(self.game, loop, self._build_folder)
        return self._entries[loop]

    @property
    def code(self) -> str:
        """A hash of the game's rules, heuristic and learned weights. It is the same on every machine with the same
        version of Python."""
        learned = learned_of(self.game), hands_of(self.game)
        return self._reach.digest(*[one.weights if one else () for one in learned], modules=False)

    # ------------------------------------------------------------------------------------------- records in and out

    def states(self, number: int, shown: bool = False) -> NDArray[Any]:
        """An array of blank states, of `state_type` or `shown_type`."""
        tables = np.zeros(number, self.shown_type if shown else self.state_type)
        for name, field in self.game.state.fields.items():
            tables[name] = field.blank
        return tables

    def put(self, tables: NDArray[Any], i: int, state: Any) -> None:
        """Copy a plain state into the i-th record."""
        tables[i] = ((), *state.values())

    def get(self, tables: NDArray[Any], i: int) -> Any:
        """The i-th record as a plain state."""
        values = [value.tolist() if isinstance(value, np.ndarray) else value for value in tables[i].tolist()[1:]]
        return self.game.state.of(tuple(values))

    def try_out(self, setup: Game[Any]) -> None:
        """Test rules from outside at a table in plain Python, once. Raises BadRules for errors found there."""
        if self.is_checked and setup not in self._tried:
            _try_out(setup)
            self._tried.add(setup)

    def options(self, setup: Game[Any]) -> NDArray[Any]:
        """The options and numbers of a table, as an array of one record.

        Rules from outside are first tested at that table in plain Python. Raises BadRules for errors found there.
        """
        self.try_out(setup)
        record = np.zeros(1, self.option_type)
        for name in self.option_type.names or ():
            record[name] = getattr(setup, name)
        return record

    def scratch(self, state: int = 0) -> NDArray[Any]:
        """The working memory of a loop: a random generator with this state, buffers for moves and cards, and the
        weights and buffer of the game's learned policy.

        These are fields of one record, because numba counts references to arrays, but not to fields, at every call,
        which costs more than a move.
        """
        record = np.zeros(1, self.scratch_type)
        record["rng"] = np.uint64(state)
        record["weights"] = self._weights
        return record

    @cached_property
    def _weights(self) -> NDArray[np.int64]:
        """The weights of the game's learned policy, or a single 0 if it has none."""
        learned = learned_of(self.game)
        return np.array(learned.weights if learned else [0], np.int64)

    @property
    def scratch_type(self) -> np.dtype[Any]:
        return scratch_record(self.game).dtype


FAULTS = (ValueError, IndexError, ZeroDivisionError, AssertionError)
"""The exceptions that compiled code raises for faulty rules."""


def fault_in(error: Exception) -> str:
    """The fault in the rules, for an error message. Compiled code does not report the place of the fault."""
    if isinstance(error, IndexError):
        return "a rule uses a place that a row does not have"
    if isinstance(error, AssertionError):
        return "an assertion in a rule has failed"
    return "a rule divides by 0" if isinstance(error, ZeroDivisionError) else str(error)


class CompiledLoop:
    """A loop that is compiled, or loaded from the cache, at the first call with arguments of certain types."""

    def __init__(self, game: type[Game[Any]] | None, loop: Callable[..., Any], build_folder: BuildFolder) -> None:
        """`game` is None for loops that call no rules."""
        self._game = game
        self._loop = loop
        self._build_folder = build_folder
        self._ready: dict[tuple[Any, ...], Any] = {}

    def __call__(self, *arguments: Any) -> Any:
        loop = self.compiled(*arguments)
        try:
            return loop(*arguments)
        except FAULTS as error:
            if self._game is None:
                raise
            raise bad_rules(self._game, fault_in(error)) from None

    def compiled(self, *arguments: Any) -> Any:
        """The compiled loop for arguments of these types. Calling it raises one of FAULTS for faulty rules."""
        kinds = _kinds(arguments)
        if kinds not in self._ready:
            self.prepare(*arguments)
        return self._ready[kinds]

    def bare(self, *arguments: Any) -> Callable[..., Any]:
        """The compiled loop without the check of its argument types, which takes longer than a short loop. It must be
        called with arrays like these, of the same layout, and raises one of FAULTS for faulty rules."""
        (overloaded,) = self.compiled(*arguments).overloads.values()
        return overloaded.entry_point  # type: ignore[no-any-return]

    def bitcode(self, *arguments: Any) -> tuple[str, bytes]:
        """The name of the loop's function for arguments of these types, and the code that contains it, from before it
        was optimised for this machine's processor. Only the loops of computer players have it. Raises BadProgram."""
        file = self._bitcode_file(arguments)
        if not file.is_file():
            self.prepare(*arguments)
        if not file.is_file():  # somebody has removed it
            self._compile(arguments, cached=False)
        if not file.is_file():
            raise BadProgram(f"numba {numba.__version__} is too new: its code cannot be translated")
        name, _, code = file.read_bytes().partition(b"\n")
        return name.decode(), code

    def _bitcode_file(self, arguments: tuple[Any, ...]) -> Path:
        kinds = hashlib.sha256(repr([*map(numba.typeof, arguments)]).encode()).hexdigest()[:16]
        return self._build_folder.folder / f"{self._loop.__name__}.{kinds}.bc"

    def prepare(self, *arguments: Any) -> None:
        """Compile the loop for arguments of these types, without calling it. Raises BadProgram."""
        self._ready[_kinds(arguments)] = self._compile(arguments, cached=True)

    def _compile(self, arguments: tuple[Any, ...], *, cached: bool) -> Any:
        """The loop for arguments of these types, compiled or, where `cached`, loaded from the cache. Raises
        BadProgram."""
        with ONE_AT_A_TIME, self._build_folder.lock, whole_loops():
            unique_symbols()
            numba.config.CACHE_DIR = str(self._build_folder.folder)  # type: ignore[attr-defined]
            is_importable = (
                self._game is None or self._game.__module__ in sys.modules
            )  # numba names cached code by this module
            cached = cached and HAS_FUNCTION_IDS and is_importable
            ready = numba.njit(cache=cached, nogil=True, **LOOP_OPTIONS)(self._loop)
            try:
                ready.compile(tuple(map(numba.typeof, arguments)))
            except (numba.core.errors.NumbaError, numba.core.errors.UnsupportedBytecodeError) as error:
                raise BadProgram(_in_one_line(str(error))) from None
            self._store_bitcode(ready, arguments)
        ready.disable_compile()
        return ready

    def _store_bitcode(self, ready: Any, arguments: tuple[Any, ...]) -> None:
        """Store the code of a loop that has just been compiled."""
        (overloaded,) = ready.overloads.values()
        library = overloaded.library
        if code := getattr(library, "unoptimised", b""):
            file = self._bitcode_file(arguments)
            work = file.with_suffix(f".{os.getpid()}")
            work.write_bytes(overloaded.fndesc.llvm_func_name.encode() + b"\n" + code)
            work.replace(file)
            library.unoptimised = b""


def _kinds(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The types of a loop's arguments, including those in a tuple, for which it is compiled."""
    return tuple([_kind(argument) for argument in arguments])


def _kind(argument: Any) -> Any:
    if isinstance(argument, tuple):
        return _kinds(argument)
    return argument if isinstance(argument, np.dtype) else getattr(argument, "dtype", type(argument))


def _in_one_line(message: str) -> str:
    """The most deeply nested place and reason in a long error message of numba."""
    message = re.sub(r"\x1b\[\d*m", "", message)
    places = re.findall(r'File "([^"]+)", line (\d+)', message) or re.findall(r"Raised from (.+) \((\d+)\)", message)
    places = places or [("a rule", "?")]
    file, line = next((place for place in places if "compiled" not in Path(place[0]).parts), places[0])
    reasons = re.findall(r"(?:NumbaTypeError|TypingError|UnsupportedError|InternalError): (?!Failed in)(.+)", message)
    reasons = reasons or re.findall(r"Failed in .+\n(.+)", message) or [message]
    if "compiler re-entrant" in message:
        reasons = ["a rule calls itself"]
    reason = re.sub(r"Record\(.*?;(?:True|False)\)", "a record", reasons[-1])
    reason = re.sub(r" Raised from .*", "", " ".join(reason.split()))
    return f"{Path(file).name}, line {line}: this cannot be compiled: {reason[:200]}"


ONE_AT_A_TIME = threading.RLock()
"""A lock for compilation, because numba has a single cache directory for the whole process."""
_PROGRAMS: dict[Any, Program] = {}
"""The programs by the numba type of their states."""


@cache
def program(game: type[Game[Any]]) -> Program:
    """The program of a game. Nothing is compiled until a loop is called. Raises BadProgram."""
    return Program(game)


@cache
def common_entry(loop: Callable[..., Any]) -> CompiledLoop:
    """A loop that calls no rules, compiled for all games."""
    build = hashlib.sha256(repr((_loops(), _processor())).encode()).hexdigest()[:32]
    return CompiledLoop(None, loop, BuildFolder(build))


# ------------------------------------------------------------------------------------------------- collecting the rules


def _try_out(setup: Game[Any]) -> None:
    """Play part of a match in plain Python, which reports errors in the rules, the heuristic and the features; compiled
    code would write past the end of a row instead."""
    rng = Random(1)
    match = Match(setup, chance=rng)
    mind_places(match.state)
    while not match.done and len(match.events) < TRIED_OUT:
        seat = match.to_act[0]
        moves = match.legal_moves(seat)
        check_counted(setup, match.state, seat, moves)
        if setup.defines("choose"):
            heuristic_choice(setup, match.state, seat, moves, rng.getrandbits(31))
        reconsidered(setup, match.state, seat, moves, rng.choice(moves), rng.randrange(2))
        check_features(setup, match.state, seat, moves)
        if setup.defines("hand_signs"):
            listed_signs(setup, match.state, seat)
        match.play(seat, setup.game.notation.text(rng.choice(moves)))


def _rules_of(game: type[Game[Any]]) -> dict[str, FunctionType]:
    """All functions of a game that compiled loops call, by name."""
    twins = twins_of(game)
    rules: dict[str, Any] = {name: twins[name] for name in RULES if name != "start" and name not in COUNTING}
    if is_counted(game):
        rules |= {name: twins[name] for name in ("count_others", "nth_other")}
    if is_ordered(game):
        rules["nth_in_order"] = twins["nth_in_order"]
    rules |= {name: twins[name] for name in ("choose", "reconsider", "hand_signs") if game.defines(name)}
    rules |= {"condense": twins["condense"]} if is_shipped(game) and game.defines("condense") else {}
    rules["clear"] = game.state.clear
    rules["sight"] = observation_rule(game)
    rules["as_move"] = _as_move(game)
    policy = policy_of(game)
    rules |= {name: twins.of(getattr(policy, name), twins.cls) for name in RULE_NAMES}
    rules["slip"] = slip_of(game)
    if deals_worlds(game):
        rules |= {name: twins[name] for name in ("complete", "consistent") if game.defines(name)}
    return rules


def _as_move(game: type[Game[Any]]) -> Any:
    """A rule (s, c): the move of a card that `playable` returns."""
    space: dict[str, Any] = {}
    exec(f"def as_move(s, c):\n    return c | {game.notation.of_playable}", space)
    space["as_move"].__module__ = game.state.__module__
    return rule(space["as_move"])


def _reach(game: type[Game[Any]], rules: list[Callable[..., Any]]) -> Dependencies:
    if change := next(twins_of(game).outdated(), None):
        raise BadProgram(f"{game.slug}: {change}: create the class again")
    try:
        return checked_reach(game, rules)
    except BadGame as error:
        raise BadProgram(f"{game.slug}: {error}") from None


@cache
def _loops() -> str:
    """A hash of everything besides a game's rules that compiled loops may consist of: they use functions and numbers
    from modules of these packages."""
    total = hashlib.sha256()
    for package in ("compiled", "engine", "envs", "policies", "rules"):
        for file in sorted(PACKAGE.joinpath(package).glob("*.py")):
            total.update(file.name.encode() + file.read_bytes())
    return total.hexdigest()


def _processor() -> tuple[str, ...]:
    features = llvmlite.binding.get_host_cpu_features().flatten()
    return numba.__version__, np.__version__, platform.python_version(), llvmlite.binding.get_host_cpu_name(), features


# ------------------------------------------------------------------------------------------- registering with numba

_registered: set[FunctionType] = set()
LOOP_OPTIONS: dict[str, Any] = {"error_model": "numpy", "no_cfunc_wrapper": True}
"""The options for all compilation: without wrappers for C, which are not needed."""
_CHECKED: Any = LOOP_OPTIONS | {"error_model": "python", "boundscheck": True}
"""The same with exceptions for division by 0 and for an index outside a row. Rollouts take 3 to 19 % longer."""


def inner(function: F) -> F:
    """Mark a function that compiled loops call; it is inlined."""
    register_jitable(forceinline=True, **LOOP_OPTIONS)(function)
    return function


def called(function: F) -> F:
    """Mark a large function that compiled loops call; it is compiled once and not inlined."""
    register_jitable(**LOOP_OPTIONS)(function)
    return function


def in_place_of(rule: Callable[..., Any]) -> Callable[[F], F]:
    """Mark a function that compiled code calls instead of a rule."""

    def mark(function: F) -> F:
        _registered.add(rule)  # type: ignore[arg-type]
        overload(rule, strict=False)(lambda *args: function)
        return inner(function)

    return mark


def _register(rule: FunctionType) -> None:
    """Register a rule with numba, so that compiled code can call it."""
    if rule in _registered:
        return
    _registered.add(rule)
    mark = mark_of(rule)
    assert mark is not None
    if mark.intrinsic:
        overload(rule, strict=False)(_instruction(mark.intrinsic))
    else:
        register_jitable(forceinline=not mark.large, **LOOP_OPTIONS)(rule)
        options = _CHECKED | {"forceinline": not mark.large}
        overload(rule, jit_options=options, strict=False, target="cpu")(_if_checked(rule))


def _if_checked(rule: FunctionType) -> Callable[..., FunctionType | None]:
    """A function that decides, from the types of a rule's arguments, whether the rule is compiled with checks: rules
    from outside are, and others if they receive a state of a game from outside. On the CPU numba prefers this to the
    registration of the rule for all targets; CUDA cannot check."""
    file = rule.__code__.co_filename
    is_from_outside = file[0] != "<" and PACKAGE not in Path(file).parents  # generated code is ours

    def pick(*kinds: Any) -> FunctionType | None:
        programs = [_PROGRAMS[kind] for kind in kinds if kind in _PROGRAMS]
        return rule if is_from_outside or any(program.is_checked for program in programs) else None

    return pick


def _instruction(llvm_name: str) -> Any:
    machine_code = _llvm(llvm_name)
    return lambda value: lambda value: machine_code(value)


def _llvm(name: str) -> Any:
    """A numba function of one int64 that calls this LLVM intrinsic."""

    @intrinsic
    def machine_code(typing_context: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = llvmlite.ir.IntType(64)
            if name == "llvm.ctpop":
                return builder.call(builder.module.declare_intrinsic(name, [word]), args)
            kind = llvmlite.ir.FunctionType(word, [word, llvmlite.ir.IntType(1)])
            function = builder.module.declare_intrinsic(name, [word], kind)
            return builder.call(function, [args[0], llvmlite.ir.IntType(1)(1)])

        return types.int64(types.int64), generate

    return machine_code


def of_game(name: str, otherwise: Any = None) -> Any:
    """A function for compiled code, one of whose arguments is a state: it calls the rule of this name of the state's
    game, or `otherwise` if the game has none."""

    def stub(*args: Any) -> Any:
        raise NotImplementedError("only compiled code calls this")

    stub.__name__ = stub.__qualname__ = name

    def program_of(kinds: tuple[Any, ...]) -> Program:
        return next(_PROGRAMS[kind] for kind in kinds if kind in _PROGRAMS)

    def pick(*kinds: Any) -> Any:
        return program_of(kinds).rules.get(name, otherwise)

    def pick_checked(*kinds: Any) -> Any:
        return pick(*kinds) if program_of(kinds).is_checked else None

    overload(stub, strict=False)(pick)
    overload(stub, jit_options=_CHECKED, strict=False, target="cpu")(pick_checked)  # see _if_checked
    return stub
