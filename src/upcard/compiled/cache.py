"""Where compiled code is kept: one directory for each build, so that no two can ever be taken for each other."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from functools import cache
from pathlib import Path

import platformdirs
from filelock import BaseFileLock, FileLock

KEPT_FOR = 30 * 24 * 3600
"""Seconds after which compiled code that nobody used is removed."""


class Shelf:
    """The directory of one build."""

    def __init__(self, build: str) -> None:
        self.folder = _place(build)
        self.lock: BaseFileLock = FileLock(self.folder / "lock")
        """Held while something is compiled or taken from here: several processes may want the same at once."""


def _place(build: str) -> Path:
    """Where nothing can be written, a directory of this process is used."""
    try:
        folder = root() / build
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "used").touch()
    except OSError:
        return Path(tempfile.mkdtemp(prefix="upcard-"))
    return folder


@cache
def root() -> Path:
    """The directory of all builds; `UPCARD_CACHE` names another place than the user's cache."""
    place = Path(os.environ.get("UPCARD_CACHE") or platformdirs.user_cache_dir("upcard")) / "compiled"
    if place.is_dir():
        for folder in place.iterdir():
            _remove_if_old(folder)
    return place


def _remove_if_old(folder: Path) -> None:
    used = folder / "used"
    if used.exists() and time.time() - used.stat().st_mtime > KEPT_FOR:
        shutil.rmtree(folder, ignore_errors=True)
