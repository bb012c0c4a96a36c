"""The cache of compiled code on disk, with one directory per build."""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

import platformdirs
from filelock import BaseFileLock, FileLock

MAX_AGE = 30 * 24 * 3600
"""Compiled code that has not been used for this many seconds is removed."""
NOT_CACHED = "compiled rules cannot be cached, so each process compiles them again (%s: %s; see UPCARD_CACHE)"
log = logging.getLogger("upcard.compiled")


class BuildFolder:
    """The directory of one build."""

    def __init__(self, build: str) -> None:
        self.folder = _place(build)
        self.lock: BaseFileLock = FileLock(self.folder / "lock")
        """Acquired while code is compiled or loaded, because several processes may do so at once."""


def _place(build: str) -> Path:
    """The directory of a build, or a temporary one, removed at exit, if that directory is not writable."""
    try:
        folder = builds_root() / build
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "used").touch()
    except OSError as error:
        log.warning(NOT_CACHED, error.filename, error.strerror)
        folder = Path(tempfile.mkdtemp(prefix="upcard-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def builds_root() -> Path:
    """The directory of all builds, in the user's cache directory or in `UPCARD_CACHE`."""
    place = Path(os.environ.get("UPCARD_CACHE") or platformdirs.user_cache_dir("upcard")) / "compiled"
    if place.is_dir():
        for folder in place.iterdir():
            _remove_if_old(folder)
    return place


def _remove_if_old(folder: Path) -> None:
    with suppress(OSError):  # another process may remove it at the same time
        if time.time() - (folder / "used").stat().st_mtime > MAX_AGE:
            shutil.rmtree(folder, ignore_errors=True)
