"""Saved results: every experiment that is stopped in the middle and continued gives the same as one without a stop."""

import errno
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from upcard import Setup, UpcardError, lab
from upcard.compiled import program as program_module
from upcard.engine.views import View
from upcard.games.sixty_six import SixtySix
from upcard.games.sixty_six.rules import SixtySixState
from upcard.lab import checkpoint, experiment, simulate
from upcard.lab.checkpoint import Checkpoint
from upcard.lab.cluster import Lost
from upcard.lab.parallel import KILLED
from upcard.lab.runner import match_spec
from upcard.lab.study import Arm, study
from upcard.lab.tally import Tally
from upcard.policies.weights import Learned
from upcard.rules import Buffer, override

SETUP = Setup("sixty-six")
BOTH = simulate.Side(SETUP, "random"), [simulate.Side(SETUP, "heuristic")]
ARMS = [Arm("random", SETUP, "random"), Arm("casual", SETUP, "heuristic")]
ASKED: dict[str, Callable[..., Any]] = {
    "deals": lambda number, **how: lab.deals(SETUP, number, jobs=1, **how).plain(),
    "matches": lambda number, **how: lab.matches(SETUP, number, jobs=1, **how).plain(),
    "simulation": lambda number, **how: simulate.simulate(SETUP, number, by="random", jobs=1, **how),
    "comparison": lambda number, kept=None, **how: simulate.sweep(*BOTH, number, jobs=1, kept=[kept], **how),
    "study": lambda number, **how: study(ARMS, number, jobs=1, **how).differences(1),
    "luck": lambda number, **how: lab.luck(SETUP, number, ["random", "heuristic"], jobs=1, **how),
    "replies": lambda number, **how: lab.replies(SETUP, number, ["random", "heuristic"], jobs=1, **how),
    "cards": lambda number, **how: lab.cards(SETUP, number, ["A", "K"], jobs=1, **how),
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
    with pytest.raises(UpcardError, match=f"{kept} contains results of something else: another command, rules, "):
        lab.deals("oh-hell", 3, kept=kept)
    kept.write_bytes(b"?")
    with pytest.raises(UpcardError, match="contains no results: it is damaged"):
        ask(3, kept=kept)


@pytest.mark.parametrize("what", ASKED)
def test_a_file_that_lacks_a_part_is_told(what: str, tmp_path: Path) -> None:
    whole, kept = tmp_path / "whole.npz", tmp_path / "kept.npz"
    ASKED[what](10, kept=whole)
    with np.load(whole) as saved:
        parts = {name: saved[name] for name in saved.files}
    for left_out in ["won"] if what in ("deals", "matches") else parts.keys() - {"about"}:
        np.savez(kept, **{name: part for name, part in parts.items() if name != left_out})
        with pytest.raises(UpcardError, match=f"{kept} contains no results: it is damaged"):
            ASKED[what](10, kept=kept)


PRECISE: dict[str, Any] = {
    "simulation": simulate.Precision("wins", 0.05),
    "comparison": simulate.Precision("wins", 0.12),
    "study": "wins=0.06",
    "luck": 0.06,
    "replies": 0.025,
    "cards": 0.15,
    "arena": simulate.Precision("score", 0.08),
}


@pytest.mark.long
@pytest.mark.parametrize("what", PRECISE)
def test_it_stops_where_it_would_have_stopped_in_one_go(what: str, tmp_path: Path) -> None:
    """What was played before, and how often it was stopped, does not decide after how many it is asked if they are
    enough; and what is enough stays so when it is asked again."""
    ask, kept, precision = ASKED[what], tmp_path / "kept.npz", PRECISE[what]
    whole, begun = str(ask(5000, precision=precision)), list[int]()
    for asked in (90, 150):
        assert str(ask(asked, kept=kept, precision=precision)) == str(ask(asked))
    with suppress(KeyboardInterrupt, simulate.Stopped):
        ask(5000, kept=kept, precision=precision, progress=stop)
    assert str(ask(5000, kept=kept, precision=precision, progress=begun.append)) == whole
    assert begun[0] > 190 and begun[-1] < 5000
    assert str(ask(5000, kept=kept, precision=precision, progress=lambda done: pytest.fail("it is enough"))) == whole


@pytest.mark.parametrize(
    ("what", "place"),
    [
        ("simulation", (np, "unique")),
        ("comparison", (Tally, "add")),
    ],
)
def test_ctrl_c_waits_until_a_piece_is_added(
    what: str, place: tuple[Any, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C arrives when only some of the sums of a piece have been added."""
    ask, kept, done = ASKED[what], tmp_path / "kept.npz", getattr(*place)
    times: list[None] = []

    def interrupted(*told: Any, **named: Any) -> Any:
        found = done(*told, **named)
        times.append(None)
        if len(times) == 5:
            signal.raise_signal(signal.SIGINT)
        return found

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with monkeypatch.context() as patched, suppress(simulate.Stopped):
            patched.setattr(*place, interrupted)
            ask(100, kept=kept)
    finally:
        signal.signal(signal.SIGINT, before)
    begun: list[int] = []
    assert str(ask(100, kept=kept, progress=begun.append)) == str(ask(100))
    assert 1 < begun[0] < 100


@pytest.mark.parametrize("what", ["deals", "simulation", "comparison"])
def test_what_was_done_before_all_workers_were_lost_stands(what: str, caplog: pytest.LogCaptureFixture) -> None:
    done: list[int] = []

    def lose(number: int) -> None:
        done.append(number)
        if number > 30:
            raise Lost("the Dask scheduler at 'tcp://house' is gone")

    try:
        found = ASKED[what](100, progress=lose)
    except simulate.Stopped as stopped:
        found = stopped.summary
    assert caplog.messages == ["the Dask scheduler at 'tcp://house' is gone"]
    assert str(found) == str(ASKED[what](done[-1]))
    assert done[-1] < 100


def test_without_any_results_the_loss_of_the_workers_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*told: Any, **named: Any) -> Any:
        raise Lost(KILLED)
        yield

    monkeypatch.setattr(experiment, "map_chunks", lost)
    with pytest.raises(UpcardError, match="worker processes are killed repeatedly"):
        lab.deals(SETUP, 3)


def test_it_is_kept_from_any_thread(tmp_path: Path) -> None:
    """Only the main thread may handle signals."""
    with ThreadPoolExecutor(1) as threads:
        found = threads.submit(ASKED["simulation"], 20, kept=tmp_path / "kept.npz").result()
    assert str(found) == str(ASKED["simulation"](20))


def test_fewer_than_are_kept_are_the_first_of_them(tmp_path: Path) -> None:
    kept = tmp_path / "kept.npz"
    ASKED["deals"](20, kept=kept)
    assert str(ASKED["deals"](10, kept=kept)) == str(ASKED["deals"](10))
    begun: list[int] = []
    ASKED["deals"](20, kept=kept, progress=begun.append)
    assert begun == []


@pytest.mark.parametrize("what", ["simulation", "comparison"])
def test_fewer_than_are_in_sums_are_refused(what: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept.npz"
    ASKED[what](20, kept=kept)
    with pytest.raises(UpcardError, match=f"{kept} already contains the sums of 20: ask for 20 or more"):
        ASKED[what](10, kept=kept)
    assert str(ASKED[what](20, kept=kept)) == str(ASKED[what](20))


class Deep:
    """A player object, which cannot be identified from outside."""

    def choose(self, view: View[Any], rng: Random) -> str:
        return view.legal()[0]


def test_a_player_whose_file_was_changed_is_another(tmp_path: Path) -> None:
    file, kept = tmp_path / "mine.py", tmp_path / "kept.npz"
    by = [f"{file}:Mine", "random"]
    written = "class Mine:\n    def choose(self, view, rng):\n        return view.legal()[{}]\n"
    file.write_text(written.format(0))
    first = lab.deals(SETUP, 3, by=by, jobs=1, kept=kept)
    assert lab.deals(SETUP, 3, by=by, jobs=1, kept=kept)["moves"].tolist() == first["moves"].tolist()
    file.write_text(written.format(-1))
    with pytest.raises(
        UpcardError, match="contains results of something else: another command, rules, players, packs or version"
    ):
        lab.deals(SETUP, 3, by=by, jobs=1, kept=kept)
    with pytest.raises(UpcardError, match="results of 'Deep' cannot be saved: put the player in a file"):
        lab.deals(SETUP, 3, by=[Deep(), "random"], jobs=1, kept=kept)


def choosing(last: bool) -> type[SixtySix]:
    """Sixty-Six whose casual players make the first, or the last, of their moves."""

    class Own(SixtySix):
        title = "Own"

        @override
        def choose(self, s: SixtySixState, me: int, moves: Buffer, n: int, luck: int) -> int:
            return moves[n - 1] if last else moves[0]

    return Own


class One:
    """Results of one array."""

    def numbers(self) -> checkpoint.SavedArrays:
        return {"rows": np.zeros(1)}

    def load(self, numbers: checkpoint.SavedArrays) -> None:
        self.loaded = [*numbers]


def test_what_is_kept_belongs_to_a_seed_a_dealer_and_a_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def keep(seed: int = 1, dealer: int | None = None) -> Checkpoint:
        table = match_spec("deal", Setup("sixty-six"), "random", seed, dealer)
        return Checkpoint(tmp_path / "kept.npz", "deals", [table])

    keep().save(One())
    keep()
    for other in ({"seed": 2}, {"dealer": 0}):
        with pytest.raises(UpcardError, match="contains results of something else"):
            keep(**other)
    monkeypatch.setattr(checkpoint, "__version__", "0.0.0")
    with pytest.raises(UpcardError, match="contains results of something else"):
        keep()


def test_rules_of_thumb_and_what_was_learned_are_part_of_what_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept.npz"

    def keep(last: bool = False) -> Checkpoint:
        return Checkpoint(kept, "deals", [match_spec("deal", Setup(choosing(last)), "heuristic", 1)])

    keep().save(One())
    one = One()
    keep().load(one)
    assert one.loaded == ["rows"]
    with pytest.raises(UpcardError, match="contains results of something else"):
        keep(last=True)
    monkeypatch.setattr(program_module, "learned_of", lambda game: Learned((1,), {}))
    with pytest.raises(UpcardError, match="contains results of something else"):
        keep()


def test_what_is_damaged_or_something_else_is_told_and_left_alone(tmp_path: Path) -> None:
    kept, whole, array = tmp_path / "kept.npz", tmp_path / "whole.npz", tmp_path / "array.npy"
    lab.deals(SETUP, 3, kept=whole)
    np.save(array, np.arange(3))
    middle = bytearray(whole.read_bytes())
    middle[60:90] = bytes(30)
    for held in (b"", b"PK\3\4abcd", whole.read_bytes()[:-40], bytes(middle), array.read_bytes()):
        kept.write_bytes(held)
        with pytest.raises(UpcardError, match=f"{kept} contains no results"):
            lab.deals(SETUP, 3, kept=kept)
        assert kept.read_bytes() == held


def test_a_folder_that_is_not_there_is_told_before_anything_is_played(tmp_path: Path) -> None:
    begun: list[int] = []
    with pytest.raises(UpcardError, match=f"there is no folder {tmp_path / 'none'}"):
        lab.deals(SETUP, 3, kept=tmp_path / "none" / "kept.npz", progress=begun.append)
    (tmp_path / "kept.npz.new").mkdir()
    with pytest.raises(UpcardError, match=r"kept.npz.new cannot be written: Is a directory"):
        lab.deals(SETUP, 3, kept=tmp_path / "kept.npz", progress=begun.append)
    assert begun == []


def test_a_full_disk_is_told_with_the_file_and_leaves_the_results_and_what_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    kept = tmp_path / "kept.npz"
    lab.deals(SETUP, 3, kept=kept)

    def full(file: Path, written: bytes) -> None:
        file.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    before = kept.read_bytes()
    monkeypatch.setattr("upcard.lab.checkpoint.SAVED_EVERY", 0)
    assert lab.deals(SETUP, 6, kept=kept).number == 6
    assert caplog.messages == [f"{kept} cannot be written: No space left on device"]
    assert [kept] == [*tmp_path.iterdir()] and kept.read_bytes() == before


def test_records_are_not_kept(tmp_path: Path) -> None:
    with pytest.raises(UpcardError, match="only sums can be resumed"):
        simulate.simulate(SETUP, 1, 1, by="random", kept=tmp_path / "kept.npz", records=lambda record: None)
