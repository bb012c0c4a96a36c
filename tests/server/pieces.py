"""Pieces of work for other processes, in a module of their own, which those import quickly."""

import os
import signal
import time
from pathlib import Path

from upcard.engine.errors import BadRecord


def busy(seconds: float) -> int:
    """Use up so much processor time."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
    return os.getpid()


def refuse() -> None:
    raise BadRecord("so it is", "SS-1")


def end_once(file: str) -> str:
    """End the process, the first time that it is tried."""
    if not Path(file).exists():
        Path(file).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def run_out_of_memory() -> None:
    raise MemoryError
