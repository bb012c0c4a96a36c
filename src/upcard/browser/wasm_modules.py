"""Builds a game's compiled loops as WebAssembly: numba's code of each, optimised and translated by LLVM.

The loops, the rules and their types are those of the native code. Only the code for processors of another kind differs:
there is no PDEP, and pointers have 32 bits.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba

from upcard import games
from upcard.browser.wasm_object import module_of
from upcard.compiled import loops
from upcard.compiled.dealer import WORK, Layout
from upcard.compiled.machine import deals_worlds
from upcard.compiled.native import NativeMachine, loop_named, native_argument
from upcard.compiled.numba_patch import unique_symbols, whole_loops
from upcard.compiled.program import LOOP_OPTIONS, ONE_AT_A_TIME
from upcard.compiled.public_history import PublicHistory
from upcard.compiled.seat_policies import rollout_records
from upcard.compiled.solver_memory import Workspace
from upcard.compiled.words import REAL, UNSIGNED, records, zeros
from upcard.players.search import best_rollouts
from upcard.policies.hand_features import MOST_SIGNS, hands_of
from upcard.rules.game import Game

TRIPLE = "wasm32-unknown-unknown"
LAYOUT = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
"""The data layout of `TRIPLE`."""
FEATURES = "+bulk-memory,+sign-ext,+mutable-globals,+nontrapping-fptoint"
"""Parts of WebAssembly that all browsers have had since 2022."""


def build_module(game: type[Game[Any]]) -> bytes:
    """The WebAssembly module of a game, with a function for each of its loops. This takes a minute or so."""
    with ONE_AT_A_TIME, whole_loops():
        unique_symbols()
        run = NativeMachine(game)
        parts = [(name, *_code_of(loop_of(name), arguments)) for name, arguments in signatures(run)]
    return translate(parts)


def loop_of(export: str) -> Any:
    """The loop of an export, whose name may have a suffix after a dot for other types of arguments."""
    return loop_named(export.partition(".")[0])


def signatures(run: NativeMachine) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The exports of a game's module, each with arguments of the types for which the loop is compiled."""
    game = run.game
    tables, options = run.states(2), records(1, run.option_record)
    memory = tables, tables.as_matrix()
    scratch, row, matrix, real = run.scratch(), zeros(1), zeros(1, 1), zeros(1, kind=REAL)
    seeds, reals = zeros(1, kind=UNSIGNED), zeros(1, 1, kind=REAL)
    policies = rollout_records(2, best_rollouts(game))
    if deals_worlds(game):
        layout = Layout(
            real, matrix, matrix, matrix, matrix, zeros(1, 1, 1), row, real, row, matrix, matrix, matrix,
            zeros(1, 1, 1), records(1, WORK),
        )  # fmt: skip
        yield "deal_worlds", (*memory, 1, options, scratch, layout, 0)
        yield "try_moves", (*memory, options, scratch, layout, policies, 0, row, seeds, matrix, reals)
    if game.INFERS or not deals_worlds(game):
        yield "try_moves.None", (*memory, options, scratch, None, policies, 0, row, seeds, matrix, reals)
    if game.INFERS and hands_of(game):
        yield "weigh_hands", (tables, options, 0, row, zeros(MOST_SIGNS), row)
    elif game.INFERS:
        history = PublicHistory(
            row, row, row, row, row, row, 0, 0, row, row, matrix, matrix, matrix, matrix, row, row, row
        )
        yield "weigh", (*memory, options, scratch, history, 0, real, real)
    if game.ANSWERED:
        yield "try_answered", (tables, options, scratch, policies, 0, row, row, 1, matrix, reals)
    space = Workspace(run, game.state())
    yield "solve_moves", (*space.arrays, options, 0, 1, row, row, row)
    yield "compare_moves", (matrix, reals, row, -1, reals, real, real)
    yield "temper_weights", (real, real, real, real)
    yield "draw_worlds", (real, real, seeds, seeds, row)


def _code_of(loop: Any, arguments: tuple[Any, ...]) -> tuple[str, str]:
    """The name of a loop's function and the code that contains it, in LLVM's language."""
    options: dict[str, Any] = LOOP_OPTIONS | {"no_cpython_wrapper": True}
    compiled: Any = numba.njit(**options)(loop)
    kind_of: Any = numba.typeof
    compiled.compile(tuple(kind_of(native_argument(one)) for one in arguments))
    [result] = compiled.overloads.values()
    result.library._ensure_finalized()
    return result.fndesc.llvm_func_name, str(result.library._final_module)


# -------------------------------------------------------------------------------------------------------- translation

COUNTED = """
define linkonce_odr void @NRT_incref(ptr %0) {
 ret void
}
define linkonce_odr void @NRT_decref(ptr %0) {
 ret void
}
"""
"""References are not counted: loops get all their memory from outside and allocate none."""


def translate(parts: list[tuple[str, str, str]]) -> bytes:
    """A module from parts: the name of an export, the name of its function, and the code."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    whole = None
    for name, symbol, code in parts:
        part = llvm.parse_assembly(portable_code(code, symbol, name))
        if whole is None:
            whole = part
        else:
            whole.link_in(part)
    assert whole is not None
    names = [name for name, _, _ in parts]
    for function in whole.functions:
        if not function.is_declaration and function.name not in names:
            function.linkage = "internal"
    whole.verify()
    target = llvm.Target.from_triple(TRIPLE)
    machine = target.create_target_machine(features=FEATURES, opt=3, reloc="static", codemodel="default")
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.slp_vectorization = tuning.loop_vectorization = False
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(whole, builder)
    return module_of(machine.emit_object(whole), names)


def portable_code(code: str, symbol: str, name: str) -> str:
    """A loop's code for `TRIPLE`, with its function under this name, and without what only Python calls."""
    parts = [part for part in definitions(code) if not _is_native(part)]
    text = "\n".join(parts).replace(f"@{symbol}(", f'@"{name}"(').replace(f'@"{symbol}"(', f'@"{name}"(')
    text = re.sub(r"= common (?:local_unnamed_addr )?global", "= internal global", text)
    return f'target datalayout = "{LAYOUT}"\ntarget triple = "{TRIPLE}"\n{text}\n{COUNTED}'


def definitions(code: str) -> Iterator[str]:
    """The parts of a module's code: whole functions, and other lines."""
    function: list[str] = []
    for line in code.splitlines():
        if function or (line.startswith("define") and not line.rstrip().endswith("}")):
            function.append(line)
            if line == "}":
                yield "\n".join(function)
                function = []
        else:
            yield line


def _is_native(part: str) -> bool:
    """Whether a part of the code concerns the native processor or Python."""
    if part.startswith("target "):
        return True
    if part.startswith(("define", "declare")):
        match = re.search(r'@"?([\w.$]+)"?\(', part)
        name = match.group(1) if match else ""
        return name.startswith(("NRT_", "Py", "numba_", "_ZN7cpython"))
    return False


def main() -> None:
    """`python -m upcard.browser.wasm_modules GAME FILE`, in a process of its own: functions that were compiled for this
    machine's processor are not compiled again."""
    loops.HAS_DEPOSIT = False
    slug, file = sys.argv[1:]
    Path(file).write_bytes(build_module(games.load(slug)))


if __name__ == "__main__":
    main()
