"""The rules at machine speed: the same functions, compiled by numba over NumPy records.

Importing this module imports numba (0.3 s); nothing else of upcard does. The first use of a game compiles it, some
seconds, and the result is kept on disk in a directory named after a hash of all rule sources, so that compiled code of
other rules than these can never run.

The compiled functions below take `tables`, an array of state records, and the index of the one to work on: handing over
a single record costs more than a move does.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any, cast

import llvmlite.binding
import llvmlite.ir
import numba
import numpy as np
import platformdirs
from numba import types
from numba.extending import intrinsic, overload, register_jitable
from numpy.typing import NDArray

import upcard
from upcard.cards import count, lowest
from upcard.compiled import INTRINSIC, LARGE, RULES, F
from upcard.game import Game, GameState

MOST_CHANCE = 128
"""Room for the cards of any chance event."""
KEPT_FOR = 30 * 24 * 3600


def source_hash() -> str:
    """A name for exactly these sources and this compiler."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__}".encode())
    for folder in upcard.__path__:
        for path in sorted(Path(folder).rglob("*.py")):
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def cache_directory() -> Path:
    """Where the compiled code of these sources is kept; `UPCARD_CACHE` names another place than the user's cache.

    What has not been used for a month is removed. Where nothing can be written, a directory of this process is used.
    """
    root = Path(os.environ.get("UPCARD_CACHE") or platformdirs.user_cache_dir("upcard")) / "compiled"
    place = root / source_hash()
    try:
        place.mkdir(parents=True, exist_ok=True)
        (place / "used").touch()
    except OSError:
        return Path(tempfile.mkdtemp(prefix="upcard-"))
    for other in root.iterdir():
        used = other / "used"
        if used.exists() and time.time() - used.stat().st_mtime > KEPT_FOR:
            shutil.rmtree(other, ignore_errors=True)
    return place


numba.config.CACHE_DIR = str(cache_directory())  # type: ignore[attr-defined]


def jit(function: F) -> F:
    """Compile a function on its first call, or take it from the disk."""
    return cast(F, numba.njit(cache=True, error_model="numpy", forceinline=True)(function))


# --------------------------------------------------------------------------------------------- telling numba the rules

_GAMES: dict[Any, Game] = {}
_registered = 0


def _llvm(name: str) -> Any:
    """A numba function of one int64 that is this LLVM intrinsic."""

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


def _instruction(llvm_name: str) -> Any:
    machine_code = _llvm(llvm_name)
    return lambda value: lambda value: machine_code(value)


def register_rules() -> None:
    """Let compiled code call every rule that has been loaded since the last time."""
    global _registered
    for function in RULES[_registered:]:
        if function in INTRINSIC:
            overload(function, strict=False)(_instruction(INTRINSIC[function]))
        else:
            register_jitable(error_model="numpy", forceinline=function not in LARGE)(function)
    _registered = len(RULES)


def state_type(game: Game) -> np.dtype[Any]:
    """The NumPy record with the fields of this game's states."""
    return np.dtype(
        [(name, np.int64, () if f.length is None else (f.length,)) for name, f in game.state.fields.items()]
    )


def option_type(game: Game) -> np.dtype[Any]:
    """The NumPy record with this game's options, as the rules read them."""
    return np.dtype([(name, np.int64) for name in game.options.options] or [("none", np.int64)])


def prepare(game: Game) -> None:
    """Make a game known to compiled code. Cheap; nothing is compiled before the first call."""
    register_rules()
    _GAMES[numba.from_dtype(state_type(game))] = game


def by_game(pick: Any) -> Any:
    """A function that compiled code may call with a state first: it becomes the one that `pick` finds for the game."""

    def stub(*args: Any) -> Any:
        raise NotImplementedError("only compiled code calls this")

    overload(stub, strict=False)(lambda s, *args: pick(_GAMES[s]))
    return stub


start = by_game(lambda game: game.start)
gather = by_game(lambda game: game.gather)
chance = by_game(lambda game: game.chance)
playable = by_game(lambda game: game.playable)
others = by_game(lambda game: game.others)
apply = by_game(lambda game: game.apply)
margin = by_game(lambda game: game.margin)


# --------------------------------------------------------------------------------------------- records in and out


def states(game: Game, number: int) -> NDArray[Any]:
    """`number` blank states of a game."""
    prepare(game)
    tables = np.zeros(number, state_type(game))
    for name, field in game.state.fields.items():
        tables[name] = field.blank
    return tables


def options_record(game: Game, options: Any) -> NDArray[Any]:
    """The options of a table, as an array of one record."""
    record = np.zeros(1, option_type(game))
    for name in game.options.options:
        record[name] = getattr(options, name)
    return record


def put(tables: NDArray[Any], i: int, state: GameState) -> None:
    """Copy a plain state into the i-th record."""
    tables[i] = tuple(state.__dict__[name] for name in tables.dtype.names or ())


def get(game: Game, tables: NDArray[Any], i: int) -> GameState:
    """The i-th record as a plain state."""
    state = game.state()
    for name, value in zip(tables.dtype.names or (), tables[i].tolist(), strict=True):
        setattr(state, name, value.tolist() if isinstance(value, np.ndarray) else value)
    return state


# --------------------------------------------------------------------------------------------------------- chance


def desk(game: Game, seed: int, stream: int = 0) -> NDArray[Any]:
    """What a compiled loop works with beside the states: a generator, room for moves and room for an order of cards.

    The generator is splitmix64, for simulations: the same numbers for the same seed and stream. All three are fields of
    one record, because numba counts references to an array at every call, which costs more than a move, but none to a
    field.
    """
    kind = np.dtype(
        [("rng", np.uint64, (1,)), ("moves", np.int64, (game.most_moves,)), ("order", np.int64, (MOST_CHANCE,))]
    )
    made = np.zeros(1, kind)
    reseed(made, seed, stream)
    return made


def reseed(desk: NDArray[Any], seed: int, stream: int = 0) -> None:
    """Start the generator of a desk anew."""
    desk["rng"] = np.random.SeedSequence(entropy=(seed, stream)).generate_state(1, np.uint64)


@jit
def below(rng: Any, n: int) -> int:
    """A random number from 0 to n - 1 (Steele, Lea, Flood: splitmix64; then multiply and shift)."""
    rng[0] += np.uint64(0x9E3779B97F4A7C15)
    z = rng[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64(((z >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))  # type: ignore[return-value]


@jit
def shuffle(rng: Any, order: Any, n: int) -> None:
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        order[i], order[j] = order[j], order[i]


@jit
def let_chance_speak(s: Any, opt: Any, rng: Any, order: Any) -> int:
    """The awaited deal, reshuffle or draw; returns how many cards it listed."""
    n: int = gather(s, opt, order)
    if s.awaiting == 3:
        picked = below(rng, n)
        order[0] = order[picked]
        n = 1
    else:
        shuffle(rng, order, n)
    chance(s, opt, order)
    return n


# ------------------------------------------------------------------------------------------------------ random play


@intrinsic
def deposit(typing_context: Any, value: Any, mask: Any) -> Any:
    """The x86 instruction that lays the bits of a number out over the bits of a mask."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = llvmlite.ir.IntType(64)
        kind = llvmlite.ir.FunctionType(word, [word, word])
        return builder.call(builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", [], kind), args)

    return types.int64(types.int64, types.int64), generate


HAS_DEPOSIT = bool(llvmlite.binding.get_host_cpu_features().get("bmi2"))


@jit
def kth(cards: int, k: int) -> int:
    """The k-th card of a set, from 0."""
    if HAS_DEPOSIT:
        return lowest(deposit(1 << k, cards))  # type: ignore[call-arg]
    for _ in range(k):
        cards &= cards - 1
    return lowest(cards)


@jit
def random_move(s: Any, opt: Any, me: int, rng: Any, buffer: Any) -> int:
    """Any legal move of a seat, each as likely."""
    cards = playable(s, opt, me)
    n = count(cards)
    k = below(rng, n + others(s, opt, me, buffer, 0))
    return kth(cards, k) if k < n else int(buffer[k - n])


@jit
def play_deal(tables: Any, i: int, opts: Any, desk: Any) -> int:
    """Random moves from where it stands to the end of the deal; returns how many."""
    s = tables[i]
    opt = opts[0]
    rng = desk[0].rng
    buffer = desk[0].moves
    moves = 0
    while True:
        if s.to_act != 0:
            me = lowest(s.to_act)
            apply(s, opt, me, random_move(s, opt, me, rng, buffer))
            moves += 1
        elif s.awaiting > 1:
            let_chance_speak(s, opt, rng, desk[0].order)
        else:
            return moves


@jit
def play_match(tables: Any, i: int, opts: Any, desk: Any) -> int:
    """Random moves from where it stands to the end of the match; returns how many."""
    s = tables[i]
    moves = 0
    while True:
        moves += play_deal(tables, i, opts, desk)
        if s.awaiting == 0:
            return moves
        let_chance_speak(s, opts[0], desk[0].rng, desk[0].order)


@jit
def rollouts(tables: Any, root: int, work: int, opts: Any, desk: Any, number: int) -> int:
    """So many random ends of the deal that stands at `root`, each played at `work`; returns the moves played."""
    moves = 0
    for _ in range(number):
        tables[work] = tables[root]
        moves += play_deal(tables, work, opts, desk)
    return moves


@jit
def begin_deal(tables: Any, i: int, opts: Any, desk: Any) -> int:
    """Let chance make the awaited deal; returns the cards listed."""
    cards: int = let_chance_speak(tables[i], opts[0], desk[0].rng, desk[0].order)
    return cards
