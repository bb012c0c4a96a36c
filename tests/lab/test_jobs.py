"""Worker processes: if they are killed or interrupted, the results stay the same."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from upcard import UpcardError
from upcard.lab.jobs import Work, spread


class Fragile:
    """Makes work that kills its process at piece 5, a given number of times."""

    def __init__(self, folder: Path, times: int) -> None:
        self.folder, self.times = folder, times

    def __call__(self) -> Work[int]:
        return self.work

    def work(self, first: int, number: int) -> int:
        if first == 5 and len([*self.folder.iterdir()]) < self.times:
            (self.folder / str(os.getpid())).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return first


def test_what_a_killed_worker_had_is_done_by_another(tmp_path: Path) -> None:
    assert [*spread(Fragile(tmp_path, 1), 9, largest=1, jobs=2, apart=True)] == [*range(9)]


def test_workers_that_are_killed_again_and_again_are_told(tmp_path: Path) -> None:
    with pytest.raises(UpcardError, match="worker processes are killed again and again"):
        [*spread(Fragile(tmp_path, 100), 9, largest=1, jobs=2, apart=True)]


class Slow:
    """Makes work that takes long for every piece but the first, and writes to a file when it is done."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __call__(self) -> Work[int]:
        return self.work

    def work(self, first: int, number: int) -> int:
        if first:
            time.sleep(5)
            self.file.touch()
        return first


def test_nobody_waits_for_what_is_not_wanted_any_more(tmp_path: Path) -> None:
    parts = spread(Slow(tmp_path / "done"), 9, largest=1, jobs=2, apart=True)
    assert next(parts) == 0
    parts.close()
    for worker in multiprocessing.active_children():
        worker.join()
    assert not (tmp_path / "done").exists()


ORPHANS = """
import sys, time
from upcard.lab.jobs import spread


class Slow:
    def __call__(self):
        return self.work

    def work(self, first, number):
        with open(sys.argv[1], "w", buffering=1) as told:
            told.write("begun\\n")
            time.sleep(10)
            told.write("late\\n")


if __name__ == "__main__":
    list(spread(Slow(), 4, largest=1, jobs=2, apart=True))
"""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe with a name")
def test_workers_end_with_who_started_them(tmp_path: Path) -> None:
    """A process that has the pipe open for writing is alive: the pipe ends when all of them have ended."""
    pipe, script = tmp_path / "pipe", tmp_path / "orphans.py"
    os.mkfifo(pipe)
    script.write_text(ORPHANS)
    parent = subprocess.Popen([sys.executable, script, pipe])
    with pipe.open() as told:
        assert told.readline() == "begun\n"
        parent.kill()
        parent.wait()
        assert "late" not in told.read()


class Listens:
    """Makes work that returns whether its process could receive Ctrl-C while it started."""

    def __reduce__(self) -> tuple[Callable[[], Callable[[], Work[bool]]], tuple[()]]:
        return listen, ()


def listen() -> Callable[[], Work[bool]]:
    blocked = signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    return lambda: lambda first, number: not blocked


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="needs signals that can be held back")
def test_a_worker_that_begins_leaves_ctrl_c_to_who_started_it() -> None:
    heard: list[bool] = [*spread(Listens(), 2, largest=1, jobs=2, apart=True)]  # type: ignore[arg-type]
    assert heard == [False, False]
