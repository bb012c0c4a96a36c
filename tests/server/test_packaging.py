"""Packaging: a source distribution with everything needed to test it, and a lock file that fits the packages."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib import import_module
from inspect import signature
from pathlib import Path

import bare_system
import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

from upcard.cli.serving import serve
from upcard.server.storage import Store, url_of

ROOT = Path(__file__).parents[2]
NOT_PACKED = (".ci/", ".dockerignore")


def tracked() -> set[str]:
    if not (ROOT / ".git").exists():
        pytest.skip("needs the repository")
    told = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(told.stdout.split("\n")) - {""}


def pins(file: str) -> dict[str, set[str]]:
    """The versions in a lock, by name: some have another one for older Python."""
    found: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([\w.-]+)(?:\[[\w,-]+\])?==([^\s;]+)", (ROOT / file).read_text(), re.MULTILINE):
        found.setdefault(name.lower(), set()).add(version)
    return found


@pytest.mark.long
def test_the_source_distribution_has_everything(tmp_path: Path) -> None:
    (file,) = SdistBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with tarfile.open(file) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert {name for name in tracked() if not name.startswith(NOT_PACKED)} <= names
    assert "PKG-INFO" in names
    assert not [name for name in names if "node_modules" in name or "__pycache__" in name]


def shown_by_an_index(source: str | None) -> str:
    """The README in the metadata of a package whose source has this address."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())
    declared["project"]["urls"] = {} if source is None else {"Source": source}
    return ProjectMetadata(str(ROOT), PluginManager(), declared).core.readme


def test_without_the_wheel_for_browsers_all_else_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.syspath_prepend(ROOT)
    fetch_wheel = import_module("hatch_build").fetch_wheel
    assert fetch_wheel(ROOT / "page" / "wheels.lock", tmp_path / "msgspec.whl") is False
    errors = capsys.readouterr().err
    assert errors.startswith("upcard: no page without a server: pip failed") and errors.count("\n") == 1
    assert not (tmp_path / "msgspec.whl").exists()


@pytest.mark.parametrize("source", [None, "https://source.example/upcard"])
def test_no_link_of_the_readme_is_broken_on_a_package_index(source: str | None) -> None:
    shown = shown_by_an_index(source)
    links = re.findall(r"]\(([^)]*)\)", shown)
    files = re.findall(r"\(`([\w./-]+)`\)", shown) if source is None else [link.split("/main/")[1] for link in links]
    assert all(link.startswith("https://") for link in links)
    assert len(files) > 20
    assert [file for file in files if not (ROOT / file).exists()] == []
    assert ("![" in shown) == (source is not None)


def names(requirements: list[str]) -> set[str]:
    """The names of the packages in requirements, without this one's own."""
    return {re.split(r"[\[<>=;]", text)[0] for text in requirements} - {"upcard"}


def test_the_locks_have_hashes_for_the_versions_that_are_tested() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = declared["project"]["optional-dependencies"]
    known = pins("requirements.lock")
    for file, asked in {
        "serve.lock": [*extras["fast"], *extras["serve"], *extras["postgres"]],
        "build.lock": declared["build-system"]["requires"],
    }.items():
        locked = pins(file)
        assert {name: versions for name, versions in locked.items() if not known.get(name, versions) <= versions} == {}
        assert names(asked) <= set(locked)
        whole = re.split(r"\n(?=\w)", re.sub(r"^#.*\n", "", (ROOT / file).read_text(), flags=re.MULTILINE))
        assert [pin for pin in whole if "--hash=sha256:" not in pin] == []


def test_a_container_is_built_from_nothing_that_can_change() -> None:
    lines = (ROOT / "Containerfile").read_text().replace("\\\n", " ").splitlines()
    (base,) = [line for line in lines if line.startswith("ARG ")]
    assert re.fullmatch(r"ARG PYTHON=[\w./]+:[\w.-]+@sha256:[0-9a-f]{64}", base)
    assert {line.split()[1] for line in lines if line.startswith("FROM ")} == {"$PYTHON"}
    commands = [part for line in lines for part in re.split("&&| RUN |^RUN ", line) if " pip " in f" {part}"]
    assert len(commands) == 4
    assert [one for one in commands if "--require-hashes" not in one and "--no-deps" not in one] == []
    assert [one for one in commands if "pip wheel" in one and "--no-build-isolation" not in one] == []
    packages = json.loads((ROOT / "page" / "package-lock.json").read_text())["packages"]
    assert [path for path, package in packages.items() if path and not package.get("integrity")] == []


def test_the_health_check_of_the_container_follows_the_port(tmp_path: Path) -> None:
    """The server takes its port from the same variable."""
    text = (ROOT / "Containerfile").read_text()
    (command,) = re.findall(r"^HEALTHCHECK CMD (.*)$", text, re.MULTILINE)
    (tmp_path / "python").symlink_to(sys.executable)
    for status, healthy in ((200, True), (503, False)):
        with answering(status) as port:
            place = {"UPCARD_PORT": str(port), "PATH": f"{tmp_path}:{os.environ['PATH']}"}
            done = subprocess.run(["sh", "-c", command], env=place, capture_output=True, timeout=60)
            assert (done.returncode == 0) is healthy
    usual = signature(serve).parameters["port"].default
    assert re.findall(r"UPCARD_PORT=(\d+)|EXPOSE (\d+)", text) == [(str(usual), ""), ("", str(usual))]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_knows_every_line_of_the_units(tmp_path: Path) -> None:
    names = ["upcard.service", "upcard-backup.service", "upcard-backup.timer"]
    for name, unit in zip(names, units(), strict=True):
        (tmp_path / name).write_text(unit.replace("/opt/upcard/bin/upcard", sys.executable))
    files = [str(tmp_path / name) for name in names]
    done = subprocess.run(["systemd-analyze", "verify", *files], capture_output=True, text=True, timeout=60)
    assert [line for line in done.stderr.splitlines() if "upcard" in line] == []


def units() -> list[str]:
    """The systemd units in docs/hosting.md."""
    return re.findall(r"```ini\n(\[Unit\].*?)```", (ROOT / "docs" / "hosting.md").read_text(), re.DOTALL)


@pytest.mark.long
def test_the_command_of_the_timer_backs_up(tmp_path: Path) -> None:
    Store(url_of(tmp_path)).close()
    (line,) = re.findall(r"^ExecStart=(/bin/sh -c .*)$", units()[1], re.MULTILINE)
    command = shlex.split(line.replace("%%", "%"))  # as systemd does
    for place, here in (
        ("/opt/upcard/bin/upcard", f"{sys.executable} -m upcard.cli.main"),
        ("/var/backups/upcard", str(tmp_path)),
        ("/var/lib/upcard", str(tmp_path)),
    ):
        command[-1] = command[-1].replace(place, here)
    for _ in range(2):  # a week later the same name is used again
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
    assert len([*tmp_path.glob("???.sqlite3")]) == 1


@contextmanager
def answering(status: int) -> Iterator[int]:
    """A server that gives every request this status; its port."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/health" else 404)
            self.end_headers()

    server = HTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


def test_the_page_in_development_asks_the_server_at_its_usual_port() -> None:
    port = signature(serve).parameters["port"].default
    assert f'"http://127.0.0.1:{port}"' in (ROOT / "page" / "vite.config.ts").read_text()


def test_every_command_for_hosts_is_followed_on_a_bare_system_or_not_for_a_reason() -> None:
    """`bare_system.py` runs the commands of the page; this looks whether it would miss one."""
    page = bare_system.blocks(bare_system.PAGE.read_text(encoding="utf-8"))
    commands = [block for block in page if block.language == "sh"]
    assert all(sum(block.text.startswith(begins) for block in commands) == 1 for begins in bare_system.ELSEWHERE)
    followed = [block.section for block in commands if not block.why_not]
    assert followed == ["Start", "Start", "As a service", "Backup and restore"]
    assert [block.text for block in page if block.language == "ini"] == units()
