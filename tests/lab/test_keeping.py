"""What is kept goes on: stopped in the middle and asked again, every experiment comes to what it does in one go."""

import errno
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from upcard import Setup, UpcardError, lab
from upcard.lab import simulate

SETUP = Setup("sixty-six")
BOTH = simulate.Side(SETUP, "random"), simulate.Side(SETUP, "heuristic")
ASKED: dict[str, Callable[..., Any]] = {
    "deals": lambda number, **how: lab.deals(SETUP, number, jobs=1, **how).plain(),
    "matches": lambda number, **how: lab.matches(SETUP, number, jobs=1, **how).plain(),
    "simulation": lambda number, **how: simulate.simulate(SETUP, number, 1, by="random", **how),
    "comparison": lambda number, **how: simulate.compare(*BOTH, number, 1, **how),
    "arena": lambda number, **how: lab.arena(SETUP, number, ["random", "heuristic"], jobs=1, **how).standings(),
}


def stop(done: int) -> None:
    """Ctrl-C, after some pieces."""
    if done > 30:
        raise KeyboardInterrupt


@pytest.mark.parametrize("what", ASKED)
def test_it_goes_on_from_where_it_was_stopped(what: str, tmp_path: Path) -> None:
    ask, kept = ASKED[what], tmp_path / "kept.npz"
    with suppress(KeyboardInterrupt, simulate.Stopped):
        ask(100, kept=kept, progress=stop)
    begun: list[int] = []
    again = str(ask(100, kept=kept, progress=begun.append))
    assert begun[0] > 31
    assert again == str(ask(100))
    assert str(ask(120, kept=kept)) == str(ask(120))
    with pytest.raises(UpcardError, match=f"{kept} keeps another"):
        lab.deals("oh-hell", 3, kept=kept)
    kept.write_text("?")
    with pytest.raises(UpcardError, match="keeps no"):
        ask(3, kept=kept)


def test_fewer_than_are_kept_are_the_first_of_them(tmp_path: Path) -> None:
    kept = tmp_path / "kept.npz"
    for what in ("deals", "arena"):
        kept.unlink(missing_ok=True)
        ASKED[what](20, kept=kept)
        assert str(ASKED[what](10, kept=kept)) == str(ASKED[what](10))
        begun: list[int] = []
        ASKED[what](20, kept=kept, progress=begun.append)
        assert begun == []


def test_a_folder_that_is_not_there_is_told_before_anything_is_played(tmp_path: Path) -> None:
    begun: list[int] = []
    with pytest.raises(UpcardError, match=f"there is no folder {tmp_path / 'none'}"):
        lab.deals(SETUP, 3, kept=tmp_path / "none" / "kept.npz", progress=begun.append)
    assert begun == []


def test_a_full_disk_is_told_with_the_file_and_leaves_what_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept.npz"
    lab.deals(SETUP, 3, kept=kept)

    def full(file: Path, written: bytes) -> None:
        file.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    before = kept.read_bytes()
    with pytest.raises(UpcardError, match=f"{kept} cannot be kept: No space left on device"):
        lab.deals(SETUP, 6, kept=kept)
    assert [kept] == [*tmp_path.iterdir()] and kept.read_bytes() == before


def test_records_are_not_kept(tmp_path: Path) -> None:
    with pytest.raises(UpcardError, match="what is kept are sums"):
        simulate.simulate(SETUP, 1, 1, by="random", kept=tmp_path / "kept.npz", records=lambda record: None)
