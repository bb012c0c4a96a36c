"""Compiled loops as WebAssembly compute the same numbers, bit by bit, as native ones."""

import base64
import contextlib
import ctypes
import json
import os
import subprocess
import sys
from array import array
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import llvmlite.binding as llvm
import pytest
from playing import GAMES, random_header

from upcard import Match, UpcardError
from upcard.browser.wasm_cache import compiled_module
from upcard.browser.wasm_modules import DEPOSIT
from upcard.browser.wasm_object import CUSTOM, EXPORT, module_of, sections_of
from upcard.browser.web_machine import WebMachine
from upcard.compiled import cache
from upcard.compiled.cache import BuildFolder
from upcard.compiled.comparing import temper_weights
from upcard.compiled.comparison import compare_ends
from upcard.compiled.dealer import Dealer
from upcard.compiled.machine import Machine, deals_worlds, machine_of, use_machines
from upcard.compiled.native import NativeMachine
from upcard.compiled.program import CompiledLoop
from upcard.compiled.seat_policies import rollout_records
from upcard.compiled.solver_memory import ANY, Workspace
from upcard.compiled.words import WordArray, integers, reals, zeros
from upcard.engine.views import View
from upcard.engine.worlds import NoWorld
from upcard.players import Rollouts, player
from upcard.players.advice import advise
from upcard.players.endgame_solver import opponent
from upcard.players.inference import Believed
from upcard.players.search import best_rollouts
from upcard.players.search_open_moves import answered
from upcard.policies.hand_features import hands_of
from upcard.rules.game import Game

HERE = Path(__file__).parent
NODE = str(Path(sys.executable).parent / "node")
"""Node from the environment of the tests: an older one on the system may not read TypeScript."""
SEEDS = int(os.environ.get("UPCARD_WASM_SEEDS", "3"))
"""The number of random tables of each game at which all loops are called: `UPCARD_WASM_SEEDS=200 pytest -s` tries more,
and prints how many numbers it compared."""
BEGIN, MOST = 30, 150
"""All loops are called after up to `BEGIN` moves; no match has more than `MOST`."""
TRIED, WORLDS, POOL = 6, 16, 64
"""The number of moves that are tried, of the worlds in which they are, and of those that are weighed."""
FEW_CARDS, NODES = 8, 20_000
"""The number of cards in all hands with which a deal is solved, and the most positions examined for it."""
THOUGHT = range(4, 60, 14)
"""The events of a match before which players think."""


class NodeGames:
    """The module of one game in a process of Node."""

    def __init__(self, module: Path) -> None:
        command = [NODE, str(HERE / "node_games.mjs"), str(module)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    async def load(self, game: str) -> bool:
        return True

    def call(self, game: str, loop: str, arguments: str, memory: bytearray, room: int) -> float:
        assert self.process.stdin is not None and self.process.stdout is not None
        asked = {"loop": loop, "listed": arguments, "memory": base64.b64encode(memory).decode(), "room": room}
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        memory[:] = base64.b64decode(answer["memory"])
        return float(answer["result"])

    def close(self) -> None:
        self.process.communicate()


class BothMachines(Machine):
    """Runs every loop natively and as WebAssembly, and compares all memory afterwards."""

    def __init__(self, game: type[Game], games: NodeGames) -> None:
        self._native, self._web = NativeMachine(game), WebMachine(game, games)
        super().__init__(game, self._native.state)
        self.calls: Counter[str] = Counter()
        self.numbers = 0

    def call(self, loop: str, *arguments: Any) -> int:
        copies: dict[int, Any] = {}
        copied = [_copy(one, copies) for one in arguments]
        result = self._native.call(loop, *arguments)
        other = self._web.call(loop, *copied)
        assert result is None or result == other, loop
        for mine, theirs in zip(_listed(arguments), _listed(copied), strict=True):
            if mine.data is not None:
                assert mine.numbers.tobytes() == theirs.numbers.tobytes(), (loop, mine.shape)
                self.numbers += len(mine.numbers)
        self.calls[loop] += 1
        return result


def _listed(arguments: Any) -> Iterator[WordArray]:
    for argument in arguments:
        if isinstance(argument, tuple):
            yield from _listed(argument)
        elif isinstance(argument, WordArray):
            yield argument


def _copy(argument: Any, copies: dict[int, Any]) -> Any:
    """A copy of an argument; those with the same memory share it again."""
    if isinstance(argument, tuple):
        return type(argument)(*[_copy(one, copies) for one in argument])
    if not isinstance(argument, WordArray):
        return argument
    if argument.data is None:
        return WordArray(None, argument.kind, argument.shape, argument.record)
    data = copies.setdefault(id(argument.data), array(argument.kind, argument.data))
    return WordArray(data, argument.kind, argument.shape, argument.record)


@pytest.mark.long
@pytest.mark.timeout(3000)  # where nothing is stored yet, the game is compiled
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_loops_in_webassembly_compute_what_native_ones_do(game: type[Game[Any]], tmp_path: Path) -> None:
    """All loops at random tables, and all that strong players, experts and hints call in a match."""
    module = tmp_path / "game.wasm"
    module.write_bytes(compiled_module(game))
    node = NodeGames(module)
    both = BothMachines(game, node)
    use_machines(lambda game: both)
    try:
        for seed in range(SEEDS):
            call_loops(game, both, seed)
        assert {*both.calls} == {*loops_of(game)}
        think_in_a_match(game)
    finally:
        use_machines(NativeMachine)
        node.close()
    print(f"{game.slug}: {both.numbers:,} numbers are the same after {dict(both.calls)}")
    assert both.numbers > 1000
    assert machine_of(game) is not both


def loops_of(game: type[Game[Any]]) -> Iterator[str]:
    """The loops that computer players of a game call."""
    yield from ("try_moves", "compare_moves", "solve_moves")
    if deals_worlds(game):
        yield "deal_worlds"
    if game.INFERS:
        yield from ("temper_weights", "draw_worlds", "weigh_hands" if hands_of(game) else "weigh")
    if game.ANSWERED:
        yield "try_answered"


def call_loops(game: type[Game[Any]], both: BothMachines, seed: int) -> None:
    """Call every loop in the midst of a deal at a random table, and the solver again at its end."""
    players, dealer, options = random_header(game, seed)
    rng, casual = Random(seed), player("casual")
    match: Match = Match(game, players, dealer=dealer, options=options, chance=Random(seed))
    begin, solved = rng.randrange(BEGIN), False
    for number in range(MOST):
        if match.done or (number > begin and solved):
            break
        view = match.view(match.to_act[0])
        if number == begin:
            with contextlib.suppress(NoWorld):
                try_in_worlds(view, rng)
            solve(both, match, view)
        elif number > begin and sum(view.sizes) <= FEW_CARDS and len(view.legal_moves()) > 1:
            solved = solve(both, match, view)
        match.play(match.to_act[0], casual.choose(view, rng))


def try_in_worlds(view: View[Any], rng: Random) -> None:
    """Call all loops that work on worlds. Raises NoWorld."""
    game, moves = view.game, view.legal_moves()[-TRIED:]
    policies = rollout_records(view.state.players, best_rollouts(game))
    seeds = [rng.getrandbits(64) for _ in range(WORLDS)]
    dealer = Dealer(view)
    dealer.deal(WORLDS, rng.getrandbits(63))
    utilities, wins = dealer.try_moves(policies, moves, seeds)
    compare_ends(dealer.run, utilities, wins, integers(range(WORLDS)))
    if game.INFERS:
        Believed(dealer, rng.getrandbits(63), POOL, game.INFERS).try_moves(policies, moves, seeds)
    if game.ANSWERED:
        answered(dealer, moves[-1:], policies, rng.getrandbits(63))


def solve(both: BothMachines, match: Match, view: View[Any]) -> bool:
    """Solve the deal between the seat to act and the next one, as far as it is a matter between these two; returns
    whether it was solved."""
    seat, moves = match.to_act[0], view.legal_moves()[-TRIED:]
    workspace, values = Workspace(both, match.state), zeros(len(moves))
    seats = seat, (seat + 1) % match.players
    about = both.options(view.setup), *seats, integers(moves), -ANY, ANY, values, integers([NODES])
    return both.call("solve_moves", *workspace.arrays, *about) >= 0


def think_in_a_match(game: type[Game[Any]]) -> None:
    """Let strong players, experts and hints think about positions of a match, the ends of deals among them."""
    match, rng, casual = Match(game, chance=Random(0)), Random(0), player("casual")
    solved = 0
    for number in range(MOST):
        if match.done:
            break
        view = match.view(match.to_act[0])
        ends = opponent(view) is not None and sum(view.sizes) <= 10 and solved < 2
        if len(view.legal_moves()) > 1 and (ends or number in THOUGHT):
            solved += ends
            with contextlib.suppress(NoWorld):
                player("strong").choose(view, Random(number))
                player("expert:60").choose(view, Random(number))
                advise(view, Rollouts(60), Random(number))
        match.play(match.to_act[0], casual.choose(view, rng))


def test_the_code_for_browsers_is_stored_when_a_loop_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "builds_root", lambda: tmp_path)
    folder, arguments = BuildFolder("build"), [reals([0.0]).numpy] * 4
    CompiledLoop(None, temper_weights, folder).compiled(*arguments)
    [file] = (tmp_path / "build").glob("temper_weights.*.bc")
    stored = file.read_bytes()
    symbol, code = CompiledLoop(None, temper_weights, folder).bitcode(*arguments)
    assert symbol.encode() + b"\n" + code == stored
    assert symbol in str(llvm.parse_bitcode(code))
    file.unlink()
    CompiledLoop(None, temper_weights, folder).bitcode(*arguments)
    assert file.is_file()


def test_bits_are_deposited_as_by_the_instruction() -> None:
    """The substitute, compiled for this machine's processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple().create_target_machine()
    with llvm.create_mcjit_compiler(llvm.parse_assembly(DEPOSIT.replace("linkonce_odr ", "")), target) as engine:
        engine.finalize_object()
        word = ctypes.c_uint64
        deposit = ctypes.CFUNCTYPE(word, word, word)(engine.get_function_address("deposit"))
        rng = Random(1)
        for _ in range(500):
            value, mask = (rng.getrandbits(64) & rng.getrandbits(64) for _ in range(2))
            places = [place for place in range(64) if mask >> place & 1]
            bits = [1 << place for number, place in enumerate(places) if value >> number & 1]
            assert deposit(value, mask) == sum(bits)


TWICE = """
target triple = "wasm32-unknown-unknown"
declare i64 @other(i64)
@table = global [2 x i64] [i64 7, i64 8]
define i64 @twice(i64 %n) {{
  %sum = add i64 %n, {added}
  ret i64 %sum
}}
"""


def object_file(code: str) -> bytes:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple("wasm32-unknown-unknown").create_target_machine()
    return target.emit_object(llvm.parse_assembly(code))


def test_an_object_file_becomes_a_module_with_exports() -> None:
    module = module_of(object_file(TWICE.format(added="%n")), ["twice"])
    kinds = [kind for kind, _ in sections_of(module)]
    assert kinds[kinds.index(EXPORT) - 1] < EXPORT < kinds[kinds.index(EXPORT) + 1]
    assert CUSTOM not in kinds
    listing = "const module = new WebAssembly.Module(require('fs').readFileSync(0))"
    listing += "; console.log(JSON.stringify(WebAssembly.Module.exports(module)))"
    shown = subprocess.run([NODE, "-e", listing], input=module, stdout=subprocess.PIPE, check=True).stdout
    assert json.loads(shown) == [{"name": "twice", "kind": "function"}]


def test_code_that_needs_other_code_is_refused() -> None:
    calling = TWICE.format(added="%n").replace("add i64 %n, %n", "call i64 @other(i64 %n)")
    with pytest.raises(UpcardError, match="the compiled code needs other, which browsers do not have"):
        module_of(object_file(calling), ["twice"])
    with pytest.raises(UpcardError, match="the compiled code lacks thrice"):
        module_of(object_file(TWICE.format(added="%n")), ["thrice"])
