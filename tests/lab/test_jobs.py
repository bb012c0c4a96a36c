"""Worker processes: if they are killed or interrupted, the results stay the same."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from upcard import UpcardError
from upcard.lab import parallel
from upcard.lab.experiment import is_interim_look
from upcard.lab.parallel import ChunkFunction, chunk_bounds, map_chunks


class Fragile:
    """Makes work that kills its process at one piece, a given number of times."""

    def __init__(self, folder: Path, times: int, piece: int = 5) -> None:
        self.folder, self.times, self.piece = folder, times, piece

    def __call__(self) -> ChunkFunction[int]:
        return self.work

    def work(self, first: int, number: int) -> int:
        if first == self.piece and len([*self.folder.iterdir()]) < self.times:
            (self.folder / str(os.getpid())).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return first


@pytest.mark.parametrize("piece", [0, 5])
def test_what_a_killed_worker_had_is_done_by_another(piece: int, tmp_path: Path) -> None:
    assert [*map_chunks(Fragile(tmp_path, 1, piece), 9, largest=1, jobs=2, in_processes=True)] == [*range(9)]


@pytest.mark.long
@pytest.mark.parametrize("piece", [0, 5])
def test_workers_that_are_killed_again_and_again_are_told(piece: int, tmp_path: Path) -> None:
    with pytest.raises(UpcardError, match="worker processes are killed repeatedly"):
        [*map_chunks(Fragile(tmp_path, 100, piece), 9, largest=1, jobs=2, in_processes=True)]


@pytest.mark.parametrize("largest", [1, 64, 512])
def test_pieces_end_at_the_same_numbers_wherever_they_begin(largest: int) -> None:
    ends = [first + size for first, size in chunk_bounds(3000, largest)]
    assert ends[:2] == ([1, 2] if largest == 1 else [1, 3]) and ends[-1] == 3000
    for first in (1, 62, 63, 64, 100, 1023, 2999):
        assert [begin + size for begin, size in chunk_bounds(3000, largest, first)] == [
            end for end in ends if end > first
        ]


@pytest.mark.parametrize("largest", [1, 64])
def test_it_is_asked_after_fixed_numbers_whether_they_are_enough(largest: int) -> None:
    """At ends of pieces, soon after one another, but not so often that asking takes longer than playing."""
    ends = {first + size for first, size in chunk_bounds(100_000, largest)}
    asked = [number for number in range(1, 100_000) if is_interim_look(number, largest)]
    assert ends > {*asked} and 100 <= asked[0] < 130
    assert all(1 <= later - number <= max(largest, 0.04 * number) for number, later in pairwise(asked))
    assert len(asked) < 350


class Unreadable:
    """Makes work, but only in the process that it comes from."""

    def __call__(self) -> ChunkFunction[int]:
        return lambda first, number: first

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        return no_such_thing, ()


def no_such_thing() -> None:
    raise ImportError


def test_workers_that_cannot_start_are_told() -> None:
    with pytest.raises(UpcardError, match="worker processes cannot start: put your script's main code under"):
        [*map_chunks(Unreadable(), 9, largest=1, jobs=2, in_processes=True)]


def test_there_are_only_a_few_workers_for_each_core(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[object] = []
    monkeypatch.setattr(parallel, "cores", lambda: 2)
    monkeypatch.setattr(parallel, "_begin", begun.append)
    monkeypatch.setattr(parallel, "_work", lambda first, number: first)
    assert [*map_chunks(Unreadable(), 40, largest=1, jobs=10**6, in_processes=False)] == [*range(40)]
    assert len(begun) <= 2 * parallel.PER_CORE


class Slow:
    """Makes work that takes long for every piece but the first, and writes to a file when it is done."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __call__(self) -> ChunkFunction[int]:
        return self.work

    def work(self, first: int, number: int) -> int:
        if first:
            time.sleep(30)
            self.file.touch()
        return first


def test_nobody_waits_for_what_is_not_wanted_any_more(tmp_path: Path) -> None:
    others = multiprocessing.active_children()  # those of a server that other tests use
    parts = map_chunks(Slow(tmp_path / "done"), 9, largest=1, jobs=2, in_processes=True)
    assert next(parts) == 0
    parts.close()
    for worker in multiprocessing.active_children():
        if worker not in others:
            worker.join(60)
    assert not (tmp_path / "done").exists()


ORPHANS = """
import sys, time
from upcard.lab.parallel import map_chunks


class Slow:
    def __call__(self):
        return self.work

    def work(self, first, number):
        with open(sys.argv[1], "w", buffering=1) as told:
            told.write("begun\\n")
            time.sleep(60)
            told.write("late\\n")


if __name__ == "__main__":
    list(map_chunks(Slow(), 4, largest=1, jobs=2, in_processes=True))
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

    def __reduce__(self) -> tuple[Callable[[], Callable[[], ChunkFunction[bool]]], tuple[()]]:
        return listen, ()


def listen() -> Callable[[], ChunkFunction[bool]]:
    blocked = signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    return lambda: lambda first, number: not blocked


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="needs signals that can be held back")
def test_a_worker_that_begins_leaves_ctrl_c_to_who_started_it() -> None:
    heard: list[bool] = [*map_chunks(Listens(), 2, largest=1, jobs=2, in_processes=True)]  # type: ignore[arg-type]
    assert heard == [False, False]


@pytest.mark.parametrize("patience", [0.0, 60.0])
def test_work_that_does_not_end_is_told_once(patience: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without patience, no piece ends before that has been told."""
    monkeypatch.setattr(parallel, "PATIENCE", patience)
    said, told = list[str](), threading.Event()

    def warning(text: str, *about: object) -> None:
        said.append(text % about)
        told.set()

    def work(first: int, number: int) -> int:
        assert patience or told.wait(60)
        return first

    monkeypatch.setattr(parallel.log, "warning", warning)
    assert [*map_chunks(lambda: work, 9, largest=1, jobs=2, in_processes=False)] == [*range(9)]
    assert said == ([] if patience else [parallel.SILENT % 0])


ENDLESS = """
from upcard.lab.parallel import map_chunks


def work(first, number):
    while first:
        pass
    return first


parts = map_chunks(lambda: work, 9, largest=1, jobs=2, in_processes=False)
next(parts)
raise KeyboardInterrupt
"""


def test_work_that_never_ends_keeps_no_program_from_ending() -> None:
    ended = subprocess.run([sys.executable, "-c", ENDLESS], capture_output=True, timeout=300, check=False)
    assert ended.stderr.endswith(b"KeyboardInterrupt\n")
