"""Follows docs/hosting.md line by line on a bare Debian, in a folder that `debootstrap` fills; as root, with a network.

    python tests/server/bare_system.py /tmp/bare

takes the commands and files out of the page and runs them in this order: the start, the service, its backups, a restore
and an upgrade. It ends with one line, or with what failed. It takes about ten minutes, most of them for downloads; a
folder that is there already is used again.

There is no systemd in such a folder, and its network is this machine's. This script stands in for systemd: it makes the
directories that the unit names, runs its command as its user with its environment, and what the backup's timer would
start. Servers get a free port by UPCARD_PORT. The checkout is a copy of what is committed here. Certificates and
settings of pip are those of this machine.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "hosting.md"
SUITE, MIRROR = "bookworm", "http://deb.debian.org/debian"
PACKAGES = "ca-certificates,python3,python3-venv"
OF_THIS_MACHINE = ("/etc/resolv.conf", "/etc/ssl/certs/ca-certificates.crt", "/etc/pip.conf")
SHARED = ("/proc", "/dev")
PATIENCE = 120.0
ELSEWHERE = {
    "upcard serve --share": "needs a tunnel program: test_server_sharing.py has a stand-in for it",
    "upcard serve --data /var/lib/upcard --no-browser \\\n    --public-url": "the unit below runs the same command",
    "podman build": "needs a kernel that runs containers",
    "pip install '.[serve,postgres]'": "needs a PostgreSQL: test_server_postgres.py has one",
}
"""By its beginning, why a block of commands is not run here."""


@dataclass(frozen=True)
class Block:
    """A block of the page."""

    section: str
    language: str
    text: str

    @property
    def why_not(self) -> str | None:
        """Why a block of commands is not run here; None if it is."""
        return next((why for begins, why in ELSEWHERE.items() if self.text.startswith(begins)), None)


def blocks(page: str) -> list[Block]:
    """The blocks of a page in Markdown."""
    found = re.finditer(r"^## ([^\n]+)$|^```(\w+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    section, listed = "", list[Block]()
    for match in found:
        section = match[1] or section
        if match[2]:
            listed.append(Block(section, match[2], match[3]))
    return listed


def setting(unit: str, name: str) -> str:
    """A setting of a unit, with its continued lines."""
    (value,) = re.findall(rf"^{name}=((?:.*\\\n)*.*)$", unit, re.MULTILINE)
    return str(value).replace("\\\n", " ").replace("%%", "%")


class Bare:
    """The bare system."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if not (folder / "usr" / "bin" / "python3").exists():
            subprocess.run(
                ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", SUITE, str(folder), MIRROR], check=True
            )
        for file in map(Path, OF_THIS_MACHINE):
            if file.exists():
                shutil.copy(file, folder / file.relative_to("/"))
        shutil.rmtree(folder / "root" / "upcard", ignore_errors=True)
        (folder / "root" / "upcard").mkdir()
        archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(["tar", "x", "-C", str(folder / "root" / "upcard")], input=archive, check=True)

    @contextmanager
    def mounted(self) -> Iterator[None]:
        """With the directories of the kernel."""
        there = [self.folder / place[1:] for place in SHARED]
        for place, here in zip(SHARED, there, strict=True):
            subprocess.run(["mount", "--bind", place, str(here)], check=True)
        try:
            yield
        finally:
            for here in there:
                subprocess.run(["umount", "--lazy", str(here)], check=False)

    def command(self, script: str, user: str = "root", **environment: str) -> list[str]:
        """The command line that runs a script in it, from the copy of the repository or the user's home."""
        home = "/root/upcard" if user == "root" else "/"
        known = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root" if user == "root" else "/nonexistent"}
        known["NODE_EXTRA_CA_CERTS"] = "/etc/ssl/certs/ca-certificates.crt"
        variables = [f"{name}={value}" for name, value in (known | environment).items()]
        as_user = ["setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--"] if user != "root" else []
        inside = ["env", "-i", *variables, *as_user, "sh", "-ec", f"cd {home}; {script}"]
        return ["chroot", str(self.folder), *inside]

    def run(self, script: str, user: str = "root", **environment: str) -> str:
        """What a script prints. Raises SystemExit with its last lines if it fails."""
        print(f"  {user}: {script.strip()}", flush=True)
        done = subprocess.run(self.command(script, user, **environment), capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"status {done.returncode}:\n" + "\n".join((done.stdout + done.stderr).splitlines()[-30:]))
        return done.stdout

    @contextmanager
    def served(self, script: str, user: str = "root", **environment: str) -> Iterator[None]:
        """A server that this script starts, once it is healthy; ended as systemd would end it."""
        print(f"  {user}: {script.strip()}", flush=True)
        environment["UPCARD_PORT"] = str(PORT)
        process = subprocess.Popen(self.command(f"exec {script.strip()}", user, **environment))
        try:
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end and process.poll() is None and not is_healthy():
                time.sleep(0.2)
            if process.poll() is not None or not is_healthy():
                raise SystemExit("the server did not start")
            yield
        finally:
            process.terminate()
            process.wait(PATIENCE)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


PORT = free_port()


def ask(path: str, wish: object = None) -> bytes:
    """The answer of the server to a request as its proxy passes it on."""
    headers = {"Content-Type": "application/json", "Host": "cards.example", "X-Forwarded-For": "192.0.2.1"}
    data = None if wish is None else json.dumps(wish).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{PORT}{path}", data, headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return bytes(answer.read())


def is_healthy() -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


WISH = {
    "game": "sixty-six", "players": 2, "options": {}, "name": "Ann",
    "seats": [{"who": "me"}, {"who": "computer", "level": "casual"}],
}  # fmt: skip


def follow(bare: Bare, page: list[Block]) -> None:
    """Do what the page says. Raises SystemExit where that leads nowhere."""
    commands = [block for block in page if block.language == "sh"]
    units = [block.text for block in page if block.language == "ini"]
    for block in commands:
        if block.why_not:
            print(f"not here: {block.text.splitlines()[0]} ({block.why_not})")
    start, locked = (block.text for block in commands if block.section == "Start")
    install, serve = start.splitlines()
    print("Start")
    bare.run("rm -rf /tmp/venv; python3 -m venv /tmp/venv")
    bare.run(install, PATH="/tmp/venv/bin:/usr/bin:/bin")
    bare.run("rm -rf /var/lib/upcard")
    with bare.served(serve, PATH="/tmp/venv/bin:/usr/bin:/bin"):
        if b"<title>" not in urllib.request.urlopen(f"http://127.0.0.1:{PORT}/").read():
            raise SystemExit("there is no page")
    bare.run("rm -rf /tmp/venv /var/lib/upcard; python3 -m venv /tmp/venv")
    bare.run(locked, PATH="/tmp/venv/bin:/usr/bin:/bin")
    print("As a service")
    (service,) = (block.text for block in commands if block.section == "As a service")
    bare.run("userdel upcard 2>/dev/null || true; rm -rf /opt/upcard build")
    bare.run(service)
    unit, backup, timer = units
    for name, text in (("upcard.service", unit), ("upcard-backup.service", backup), ("upcard-backup.timer", timer)):
        (bare.folder / "etc" / "systemd" / "system" / name).parent.mkdir(parents=True, exist_ok=True)
        (bare.folder / "etc" / "systemd" / "system" / name).write_text(text)
    user, environment = setting(unit, "User"), dict([setting(unit, "Environment").split("=", 1)])
    state, cached = setting(unit, "StateDirectory"), setting(unit, "CacheDirectory")
    bare.run(
        f"install -d -m 700 -o {user} -g {user} /var/lib/{state} && install -d -o {user} -g {user} /var/cache/{cached}"
    )
    with bare.served(setting(unit, "ExecStart"), user, **environment):
        table = json.loads(ask("/api/tables", WISH))["id"]
        bare.run("rm -rf /var/backups/upcard")
        print("Backup and restore")
        bare.run(setting(backup, "ExecStartPre"))
        bare.run(_argument(setting(backup, "ExecStart")))
        (command,) = (block.text for block in commands if block.section == "Backup and restore")
        bare.run(f"install -d /backups; {command}", PATH="/opt/upcard/bin:/usr/bin:/bin")
    (copy,) = (bare.folder / "var" / "backups" / "upcard").glob("*.sqlite3")
    restore = f"cp /{copy.relative_to(bare.folder)} upcard.sqlite3; chown upcard: upcard.sqlite3"
    bare.run(f"cd /var/lib/upcard; {restore}; rm -f upcard.sqlite3-wal upcard.sqlite3-shm")
    print("Upgrade")
    bare.run(service.replace("useradd", "true useradd"))  # the user is there
    with bare.served(setting(unit, "ExecStart"), user, **environment):
        if json.loads(ask(f"/api/tables/{table}"))["id"] != table:
            raise SystemExit("the table is not there after the restore")


def _argument(command: str) -> str:
    """The script in a command line `/bin/sh -c '…'`."""
    shell, option, script = shlex.split(command)
    assert (shell, option) == ("/bin/sh", "-c")
    return script


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit("python tests/server/bare_system.py FOLDER")
    bare = Bare(Path(sys.argv[1]))
    with bare.mounted():
        follow(bare, blocks(PAGE.read_text(encoding="utf-8")))
    print("All of docs/hosting.md that needs no systemd, container, tunnel or PostgreSQL works on a bare system.")


if __name__ == "__main__":
    main()
