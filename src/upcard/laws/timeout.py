"""Detection of rules that never return. A law is tried in its own thread, and the main thread inspects its stack.

This also works for compiled code, which neither signals nor exceptions can interrupt. The thread cannot be stopped; it
runs until the process ends.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from pathlib import Path
from threading import Thread
from types import FrameType
from typing import Any, TypeVar

from upcard.engine.errors import UpcardError
from upcard.rules.game import Game
from upcard.rules.lineage import files_of

T = TypeVar("T")
RUNS_COMPILED = "upcard.compiled.program", "__call__"
"""The module and function in which Python waits for compiled code: `upcard.compiled.program.CompiledLoop`."""


class Endless(UpcardError):
    """A function of a game does not return."""


def in_time(game: type[Game[Any]], work: Callable[[], T], timeout: float) -> T:
    """Call `work` and return its result. Raises Endless if a single call of one of the game's functions, or of its
    compiled code, takes `timeout` seconds; anything else may take as long as it needs."""
    done: Future[T] = Future()
    thread = Thread(target=_do, args=(work, done), daemon=True)
    thread.start()
    before: list[FrameType] = []
    while not wait([done], timeout).done:
        now = list(_calls(game, sys._current_frames().get(thread.ident or 0)))
        for frame in now:
            if any(frame is earlier for earlier in before):
                raise Endless(f"{_in_words(frame)} for {timeout:g} seconds")
        before = now
    return done.result()


def _do(work: Callable[[], T], done: Future[T]) -> None:
    try:
        done.set_result(work())
    except BaseException as error:
        done.set_exception(error)


def _calls(game: type[Game[Any]], frame: FrameType | None) -> Iterator[FrameType]:
    """Yield the stack frames of a game's functions, the innermost first."""
    folders, innermost = _folders(game), True
    while frame is not None:
        if Path(frame.f_code.co_filename).parent in folders or (innermost and _runs_compiled(frame)):
            yield frame
        frame, innermost = frame.f_back, False


def _runs_compiled(frame: FrameType) -> bool:
    return (frame.f_globals["__name__"], frame.f_code.co_name) == RUNS_COMPILED


def _folders(game: type[Game[Any]]) -> set[Path]:
    """The folders with the code of a game and of the variants between it and its root."""
    return {file.parent for file in files_of(game)}


def _in_words(frame: FrameType) -> str:
    if _runs_compiled(frame):
        return "a compiled rule has not returned (does a loop in it count beyond 64 bits?)"
    return f"{Path(frame.f_code.co_filename).name}, line {frame.f_lineno}: {frame.f_code.co_name} has not returned"
