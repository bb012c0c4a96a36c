"""Packaging: a source distribution with everything needed to test it, and a lock file that fits the packages."""

import re
import subprocess
import tarfile
import tomllib
from inspect import signature
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

from upcard.cli.serving import serve

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


@pytest.mark.parametrize("source", [None, "https://source.example/upcard"])
def test_no_link_of_the_readme_is_broken_on_a_package_index(source: str | None) -> None:
    shown = shown_by_an_index(source)
    links = re.findall(r"]\(([^)]*)\)", shown)
    files = re.findall(r"\(`([\w./-]+)`\)", shown) if source is None else [link.split("/main/")[1] for link in links]
    assert all(link.startswith("https://") for link in links)
    assert len(files) > 20
    assert [file for file in files if not (ROOT / file).exists()] == []
    assert ("![" in shown) == (source is not None)


def test_the_lock_of_the_server_has_hashes_for_the_versions_that_are_tested() -> None:
    known, locked = pins("requirements.lock"), pins("serve.lock")
    assert {name: versions for name, versions in locked.items() if not known.get(name, versions) <= versions} == {}
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    asked = [*extras["fast"], *extras["serve"], *extras["postgres"]]
    names = {re.split(r"[\[<>=;]", text)[0] for text in asked} - {"upcard"}
    assert names <= set(locked)
    whole = re.split(r"\n(?=\w)", re.sub(r"^#.*\n", "", (ROOT / "serve.lock").read_text(), flags=re.MULTILINE))
    assert [pin for pin in whole if "--hash=sha256:" not in pin] == []


def test_the_page_in_development_asks_the_server_at_its_usual_port() -> None:
    port = signature(serve).parameters["port"].default
    assert f'"http://127.0.0.1:{port}"' in (ROOT / "page" / "vite.config.ts").read_text()
