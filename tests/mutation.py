"""Mutation testing: `python tests/mutation.py 120` makes 120 small random changes, one at a time, and runs the tests
that concern the changed module. Prints every change, whether it is caught, and the score at the end.

It works in a copy of the source tree. Further arguments are modules below `src/upcard`, instead of all.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).parent.parent
PACKAGES = ("engine", "table", "server", "server/routes")
LIMIT = 240
"""Seconds after which the tests count as failed: the change has made something hang."""
OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
TABLE = (
    "test_table.py", "test_clocks.py", "test_table_moves.py", "test_table_seats.py", "test_table_people.py",
    "test_table_journal.py", "test_table_welcomes.py", "test_table_knocking.py", "test_fair_shuffles.py",
    "test_claims.py",
)  # fmt: skip
SERVER = ("server/test_server_http.py", "server/test_server_play.py")
TESTS: dict[str, tuple[str, ...]] = {
    "engine": ("test_core.py", "test_records.py", "test_table_moves.py"),
    "engine/actions.py": ("envs/test_env_actions.py", "envs/test_env_observations.py"),
    "engine/chance.py": ("test_fair_shuffles.py", "test_symmetry.py", "test_core.py"),
    "engine/fairness.py": ("test_fair_shuffles.py",),
    "engine/mistakes.py": ("test_mistakes.py", "test_mistakes_playing.py"),
    "engine/records.py": ("test_records.py", "test_golden.py"),
    "engine/setup.py": ("test_core.py", "test_mistakes.py", "test_records.py"),
    "engine/views.py": ("test_core.py", "test_hidden.py", "test_scene.py"),
    "engine/worlds.py": (
        "test_worlds.py",
        "test_worlds_of_hands.py",
        "test_worlds_new_stock.py",
        "test_worlds_cinch.py",
    ),
    "table": TABLE,
    "table/advising.py": ("test_advice.py",),
    "table/changes.py": ("test_table.py", "test_scene.py"),
    "table/event_replay.py": ("server/test_server_records.py", "terminal/test_terminal_watch.py"),
    "table/log.py": ("test_table.py", "test_table_seats.py", "test_table_people.py", "test_table_knocking.py"),
    "table/offers.py": ("test_scene.py", "test_table.py", "terminal/test_terminal_lines.py"),
    "table/refusals.py": ("test_refusals.py", "test_table_moves.py"),
    "table/scene.py": ("test_scene.py", "test_table.py"),
    "table/own_scene.py": ("test_table.py", "test_scene.py", "terminal/test_terminal_lines.py"),
    "house": ("test_house.py", "server/test_server_http.py", "server/test_server_records.py"),
    "house/old_rules.py": ("server/test_server_crash.py", "server/test_server_storage.py"),
    "house/replays.py": ("server/test_server_records.py", "server/test_server_workers.py"),
    "house/statistics.py": ("test_house.py", "server/test_server_statistics.py"),
    "workers.py": (
        "server/test_server_thinking.py",
        "server/test_server_workers.py",
        "terminal/test_thinking.py",
    ),
    "server": SERVER,
    "server/admin.py": ("server/test_server_admin.py", "server/test_server_backup.py"),
    "server/admissions.py": ("server/test_server_club.py",),
    "server/guard.py": (
        "server/test_server_forwarding.py",
        "server/test_server_http.py",
        "server/test_server_limits.py",
    ),
    "server/heartbeats.py": ("server/test_server_damage.py",),
    "server/hosting.py": ("server/test_server_forwarding.py", "server/test_server_limits.py", "test_cli.py"),
    "server/app.py": (
        "server/test_server_lifetime.py",
        "server/test_server_http.py",
        "server/test_server_damage.py",
        "server/test_server_stalls.py",
    ),
    "server/limits.py": ("server/test_server_limits.py", "server/test_pacing.py", "server/test_server_workers.py"),
    "server/listening.py": ("server/test_server_limits.py", "test_cli.py"),
    "server/live.py": ("server/test_server_play.py", "server/test_server_sockets.py", "server/test_server_storage.py"),
    "server/logs.py": ("server/test_server_limits.py",),
    "server/metrics.py": ("server/test_server_admin.py",),
    "server/pacing.py": ("server/test_pacing.py", "server/test_server_sockets.py"),
    "server/peer_channel.py": ("server/test_server_postgres.py", "server/test_server_stalls.py"),
    "server/peers.py": ("server/test_server_postgres.py",),
    "server/reading.py": ("server/test_server_damage.py", "server/test_server_stalls.py"),
    "server/reviews.py": ("server/test_server_advice.py",),
    "server/sessions.py": ("server/test_server_damage.py", "server/test_server_stalls.py"),
    "server/storage.py": ("server/test_server_storage.py", "server/test_journals.py", "server/test_server_admin.py"),
    "server/thinking.py": ("server/test_server_thinking.py",),
    "server/troubles.py": ("server/test_server_damage.py",),
    "server/uvicorn_protocols.py": ("server/test_server_sockets.py", "server/test_server_limits.py"),
    "server/writing.py": ("server/test_server_damage.py", "server/test_server_storage.py"),
    "server/routes": ("server/test_server_http.py", "server/test_server_play.py", "server/test_server_records.py"),
    "server/routes/failures.py": ("test_libraries.py", "server/test_server_http.py"),
    "server/routes/house.py": ("server/test_server_club.py", "server/test_server_http.py"),
}
"""The tests that concern a module, or all others of its package."""
LIBRARIES = "numba numpy hypothesis msgspec litestar.testing httpx sqlalchemy uvicorn websockets textual.app"
"""Imported once, by the process of which those that run the tests are forked."""


@dataclass(frozen=True)
class Change:
    """One small change of a module: the number of a syntax node, in the order of `ast.walk`, and what happens to it."""

    module: Path
    node: int
    kind: str


def changes(module: Path) -> Iterator[Change]:
    """All changes of a module's functions, except of what only describes: annotations, messages, logging."""
    tree = ast.parse(module.read_text())
    left_alone = {id(part) for node in ast.walk(tree) for kept in _descriptions(node) for part in ast.walk(kept)}
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = {id(part) for function in functions for line in function.body for part in ast.walk(line)}
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in inside - left_alone and (kind := _kind(node)):
            yield Change(module, number, kind)


def _descriptions(node: ast.AST) -> list[ast.AST]:
    parts = [getattr(node, name, None) for name in ("annotation", "returns")]
    parts += getattr(node, "decorator_list", [])
    is_log = isinstance(node, ast.Call) and ast.unparse(node.func).startswith("log.")
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    if is_log or is_text or isinstance(node, ast.Raise | ast.JoinedStr):
        parts.append(node)
    return [part for part in parts if isinstance(part, ast.AST)]


def _kind(node: ast.AST) -> str:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return "comparison"
    if isinstance(node, ast.BoolOp):
        return "and, or"
    if isinstance(node, ast.IfExp | ast.If):
        return "condition"
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return "constant"
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await):
        return "" if ast.unparse(node).startswith(("log.", "super().__init__")) else "call"
    return ""


def changed(change: Change) -> tuple[str, str]:
    """The text of the changed module, and a line about the change."""
    tree = ast.parse(change.module.read_text())
    node = [*ast.walk(tree)][change.node]
    before = copy.deepcopy(node)
    match node:
        case ast.Compare():
            node.ops = [OPPOSITE[type(node.ops[0])]()]
        case ast.BoolOp():
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case ast.If() | ast.IfExp():
            node.test = ast.UnaryOp(ast.Not(), node.test)
        case ast.Constant(value=bool(is_so)):
            node.value = not is_so
        case ast.Constant(value=int(number)):
            node.value = number + 1
        case ast.Expr():
            node.value = ast.Constant(None)
    where = f"{change.module.relative_to(ROOT / 'src' / 'upcard')}:{getattr(node, 'lineno', 0)}"
    return ast.unparse(ast.fix_missing_locations(tree)), f"{where}: {_line(before)}  →  {_line(node)}"


def _line(node: ast.AST) -> str:
    return ast.unparse(node.test if isinstance(node, ast.If) else node).partition("\n")[0][:80]


def tests_of(module: str) -> tuple[str, ...]:
    return TESTS.get(module) or TESTS[module.rpartition("/")[0]]


def main(most: int, modules: list[str], seed: int = 1) -> None:
    source = ROOT / "src" / "upcard"
    files = [source / name for name in modules] or [
        file for name in PACKAGES for file in sorted((source / name).glob("*.py"))
    ]
    possible = [change for file in files for change in changes(file)]
    chosen = Random(seed).sample(possible, min(most, len(possible)))
    with tempfile.TemporaryDirectory(prefix="upcard-mutation-") as folder:
        for name in ("src", "tests", "docs", "page/src", "page/public"):
            shutil.copytree(ROOT / name, Path(folder, name), ignore=shutil.ignore_patterns("node_modules"))
        for name in ("pyproject.toml", "hatch_build.py", "CHANGELOG.md", "README.md", "page/index.html"):
            shutil.copy(ROOT / name, Path(folder, name))
        program = Path(folder, "src", "upcard", "compiled", "program.py")
        program.write_text(
            program.read_text().replace("for file in sorted(", "for file in ()and(", 1)
        )  # one build for all
        with subprocess.Popen([sys.executable, __file__, "--run"], cwd=folder, text=True, stdin=-1, stdout=-1,
                              env={**os.environ, "PYTHONPATH": f"{folder}/src"}) as runner:  # fmt: skip
            caught = 0
            for number, change in enumerate(chosen):
                module = str(change.module.relative_to(source))
                if not number and (failed := first_failure(runner, tests_of(module))):
                    sys.exit(f"without any change, {failed} fails")
                text, line = changed(change)
                place = Path(folder, "src", "upcard", module)
                place.write_text(text)
                failed = first_failure(runner, tests_of(module))
                shutil.copy(change.module, place)
                caught += bool(failed)
                print(f"caught    {line}    by {failed}" if failed else f"SURVIVED  {line}", flush=True)
    print(f"{caught} of {len(chosen)} changes are caught")


def first_failure(runner: subprocess.Popen[str], tests: tuple[str, ...]) -> str:
    """The name of the first of these tests that fails; empty if none does."""
    assert runner.stdin is not None
    assert runner.stdout is not None
    print(*tests, file=runner.stdin, flush=True)
    return runner.stdout.readline().strip()


class FirstFailure:
    """Writes the name of the first test that fails."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self._place.write_text(report.nodeid)


def run() -> None:
    """Run the tests named in each line of the standard input in a process of its own; print the first that fails, or an
    empty line."""
    import importlib

    import pytest

    for name in LIBRARIES.split():
        importlib.import_module(name)
    failure = Path("failure")
    for line in sys.stdin:
        failure.write_text("no test")
        if not (child := os.fork()):
            os.setsid()
            signal.alarm(LIMIT)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(1, 2)
            sys.path[:0] = [f"{os.getcwd()}/src"]
            arguments = ["-x", "-q", "-p", "no:cacheprovider", "--timeout=60"]
            os._exit(int(pytest.main(arguments + [f"tests/{name}" for name in line.split()], [FirstFailure(failure)])))
        status = os.waitpid(child, 0)[1]
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # what the tests may have left running
        print(failure.read_text() if status else "", flush=True)


if __name__ == "__main__":
    run() if sys.argv[1:] == ["--run"] else main(int(sys.argv[1]), sys.argv[2:])
