"""Builds a game's compiled loops as WebAssembly: numba's code of each, optimised and translated by LLVM.

The loops, the rules and their types are those of the native code, which numba compiles only once for both. There is no
PDEP in WebAssembly, and pointers have 32 bits.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from upcard import games
from upcard.browser.wasm_object import module_of
from upcard.compiled.dealer import WORK, Layout
from upcard.compiled.machine import deals_worlds
from upcard.compiled.native import NativeMachine, native_argument
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
    """The WebAssembly module of a game, with a function for each of its loops. Where these have not been compiled for
    this machine yet, this takes a minute or so. Raises UpcardError."""
    run = NativeMachine(game)
    parts = []
    for name, arguments in signatures(run):
        symbol, code = run.entry(loop_of(name)).bitcode(*map(native_argument, arguments))
        parts.append((name, symbol, str(llvm.parse_bitcode(code))))
    return translate(parts)


def loop_of(export: str) -> str:
    """The name of an export's loop, which may be followed by a dot and a suffix for other types of arguments."""
    return export.partition(".")[0]


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
    yield "solve_moves", (*space.arrays, options, 0, 1, row, 0, 1, row, row)
    yield "compare_moves", (matrix, reals, row, -1, reals, real, real)
    yield "temper_weights", (real, real, real, real)
    yield "draw_worlds", (real, real, seeds, seeds, row)


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
NATIVE_DEPOSIT = "llvm.x86.bmi.pdep.64"
DEPOSIT = """
define linkonce_odr i64 @deposit(i64 %value, i64 %mask) {
start:
 br label %next
next:
 %left = phi i64 [ %value, %start ], [ %rest, %bit ]
 %places = phi i64 [ %mask, %start ], [ %others, %bit ]
 %result = phi i64 [ 0, %start ], [ %more, %bit ]
 %done = icmp eq i64 %left, 0
 br i1 %done, label %end, label %bit
bit:
 %negative = sub i64 0, %places
 %place = and i64 %places, %negative
 %one = and i64 %left, 1
 %is_set = icmp ne i64 %one, 0
 %added = select i1 %is_set, i64 %place, i64 0
 %more = or i64 %result, %added
 %rest = lshr i64 %left, 1
 %less = sub i64 %places, 1
 %others = and i64 %places, %less
 br label %next
end:
 ret i64 %result
}
"""
"""A substitute for PDEP, which native code has where the processor does."""


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
    text = text.replace(f"@{NATIVE_DEPOSIT}(", "@deposit(")
    text = re.sub(r"= common (?:local_unnamed_addr )?global", "= internal global", text)
    return f'target datalayout = "{LAYOUT}"\ntarget triple = "{TRIPLE}"\n{text}\n{COUNTED}{DEPOSIT}'


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
        return name.startswith(("NRT_", "Py", "numba_", "_ZN7cpython", NATIVE_DEPOSIT))
    return False


def main() -> None:
    """`python -m upcard.browser.wasm_modules GAME FILE`, one of several processes at a time."""
    slug, file = sys.argv[1:]
    Path(file).write_bytes(build_module(games.load(slug)))


if __name__ == "__main__":
    main()
