"""The modules of games, built once for each version of their rules and stored with the native code."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from filelock import FileLock

from upcard.compiled.cache import BuildFolder
from upcard.compiled.program import program
from upcard.engine.errors import UpcardError
from upcard.rules.game import Game


def compiled_modules(games: Iterable[type[Game[Any]]]) -> dict[str, bytes]:
    """The modules of these games by slug. Those that are not stored yet are built, in as many processes as there are
    processors. Raises UpcardError if one cannot be built."""
    listed = [*games]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        modules = pool.map(compiled_module, listed)
        return {game.slug: module for game, module in zip(listed, modules, strict=True)}


def compiled_module(game: type[Game[Any]]) -> bytes:
    """The module of a game that comes with Upcard. Raises UpcardError if it cannot be built."""
    build = BuildFolder(program(game).build)
    file = build.folder / f"{_version()}.wasm"
    with FileLock(build.folder / "module.lock"):  # the process that builds it acquires the other lock
        if not file.is_file():
            _build(game.slug, file)
        return file.read_bytes()


def _build(slug: str, file: Path) -> None:
    """Build the module of a game in a process of its own."""
    work = file.with_suffix(f".{os.getpid()}")
    command = [sys.executable, "-m", "upcard.browser.wasm_modules", slug, str(work)]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        reason = done.stdout.strip().splitlines()[-1:] or [f"status {done.returncode}"]
        raise UpcardError(f"the strong players of {slug} could not be compiled for browsers: {reason[0][:300]}")
    work.replace(file)


def _version() -> str:
    """A hash of the modules that build modules."""
    total = hashlib.sha256()
    for name in ("wasm_modules.py", "wasm_object.py"):
        total.update(Path(__file__).with_name(name).read_bytes())
    return total.hexdigest()[:16]
