"""Compiled loops as WebAssembly compute the same numbers, bit by bit, as native ones."""

import base64
import contextlib
import json
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
from playing import GAMES

from upcard import Match, UpcardError
from upcard.browser.wasm_cache import compiled_module
from upcard.browser.wasm_object import CUSTOM, EXPORT, module_of, sections_of
from upcard.browser.web_machine import WebMachine
from upcard.compiled.machine import Machine, machine_of, use_machines
from upcard.compiled.native import NativeMachine
from upcard.compiled.words import WordArray
from upcard.engine.worlds import NoWorld
from upcard.players import Rollouts, player
from upcard.players.advice import advise
from upcard.players.endgame_solver import opponent
from upcard.rules.game import Game

HERE = Path(__file__).parent
NODE = str(Path(sys.executable).parent / "node")
"""Node from the environment of the tests: an older one on the system may not read TypeScript."""
EVENTS, STEP = 60, 7
"""The number of events of each match that are looked at, and how many apart."""


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
@pytest.mark.timeout(3000)  # where nothing is stored yet, the game is compiled twice
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_loops_in_webassembly_compute_what_native_ones_do(game: type[Game], tmp_path: Path) -> None:
    """All that strong players, experts and hints call at positions of matches, the ends of deals among them."""
    module = tmp_path / "game.wasm"
    module.write_bytes(compiled_module(game))
    node = NodeGames(module)
    both = BothMachines(game, node)
    use_machines(lambda game: both)
    try:
        for seed in range(3):
            think_in_a_match(game, seed)
    finally:
        use_machines(NativeMachine)
        node.close()
    assert both.numbers > 1000
    assert {"try_moves", "compare_moves"} <= {*both.calls}
    if game.INFERS:
        assert {"deal_worlds", "draw_worlds", "weigh_hands" if game.HAND_SIGNS else "weigh"} <= {*both.calls}
    assert machine_of(game) is not both


def think_in_a_match(game: type[Game], seed: int) -> None:
    match, rng, casual = Match(game, chance=Random(seed)), Random(seed), player("casual")
    solved = 0
    for number in range(EVENTS * 3):
        if match.done:
            break
        view = match.view(match.to_act[0])
        ends = opponent(view) is not None and sum(view.sizes) <= 10 and solved < 3
        if len(view.legal_moves()) > 1 and (ends or (number < EVENTS and number % STEP == seed)):
            solved += ends
            with contextlib.suppress(NoWorld):
                player("strong").choose(view, Random(number))
                player("expert:60").choose(view, Random(number))
                advise(view, Rollouts(60), Random(number))
        match.play(match.to_act[0], casual.choose(view, rng))


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
