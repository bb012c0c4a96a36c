"""Upcard without a server: a folder of files for any place on any web host."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

from upcard import games
from upcard.browser.python_files import LATER_PARTS, compressed, python_files, walk
from upcard.browser.wasm_cache import compiled_modules
from upcard.browser.worker import SHIPPED, browser_club, browser_games
from upcard.engine.errors import UpcardError
from upcard.engine.setup import Setup
from upcard.house.game_info import levels_here
from upcard.house.privacy import browser_privacy
from upcard.house.rulebook import rulebook_page, rules_page
from upcard.languages.answers import encoder_for
from upcard.languages.catalogs import DEFAULT, languages, page_texts

LIST = "files.json"
"""The file of a folder that lists the others, for the next edition to replace them."""
SERVICE_WORKER = "offline.js"
LATER = re.compile(r"compiled/|answers/games/.*/rulebook.json|assets/.*-latin-ext-")
"""Files that a first visit fetches only where they are needed: those of single games, and letters of some names; also
those of languages other than English, and the parts of `LATER_PARTS`."""
NOT_BUILT = (
    "the page without a server has not been built; pip fetches a part of it. Install Upcard again where PyPI can be "
    "reached, or in a checkout run pip install -e '.[dev]'"
)


def write_folder(folder: Path, compiled: Iterable[str] = SHIPPED) -> int:
    """Write the page, Python and Upcard into a new or empty folder, or into one that this function has filled before,
    whose files are replaced. The games in `compiled` have strong players and hints. Returns the size in bytes. Raises
    UpcardError, OSError."""
    old = _old_files(folder)  # first: making the contents may take minutes
    contents = folder_contents(compiled)
    for name, content in contents.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    for name in old - {*contents}:
        (folder / name).unlink(missing_ok=True)
    return sum(map(len, contents.values()))


def folder_contents(compiled: Iterable[str] = SHIPPED) -> dict[str, bytes]:
    """All files of the folder by path. Raises UpcardError if the page has not been built, or a game's loops cannot
    be."""
    page = files(__package__) / "page"
    if not (page / "index.html").is_file() or not (page / "python" / "msgspec.whl").is_file():
        raise UpcardError(NOT_BUILT)
    built = {path: entry for path, entry in walk(page, "") if path != "source.txt"}
    contents = {path: entry.read_bytes() for path, entry in built.items() if not path.startswith("python/")}
    contents |= {f"python/{name}": content for name, content in python_files(page / "python").items()}
    modules = compiled_modules(games.load(slug) for slug in compiled)
    contents |= {f"compiled/{slug}.wasm.gz": compressed(module) for slug, module in modules.items()}
    contents |= {f"answers/{path}.json": answer for path, answer in fixed_answers().items()}
    names = sorted(contents)
    build = hashlib.sha256(b"".join(name.encode() + hashlib.sha256(contents[name]).digest() for name in names))
    contents[SERVICE_WORKER] = _service_worker(contents[SERVICE_WORKER], build.hexdigest()[:16], names)
    contents[LIST] = json.dumps({"upcard": build.hexdigest(), "files": names}, indent=1).encode()
    return contents


def _service_worker(source: bytes, build: str, names: list[str]) -> bytes:
    """The service worker that keeps the files of this build: those that are not always needed only when they are, or
    on a later visit."""
    tags = [language.tag for language in languages() if language.tag != DEFAULT]
    of_language = [place for tag in tags for place in (f"answers/{tag}/", f"answers/languages/{tag}.")]
    of_parts = [f"python/{part}.files" for part in (*LATER_PARTS, *tags)]
    later = [name for name in names if LATER.match(name) or name.startswith((*of_language, *of_parts))]
    first = ["./", *(name for name in names if name not in (*later, SERVICE_WORKER))]
    for name, empty, value in (("BUILD", '""', build), ("FILES", "[]", first), ("LATER", "[]", later)):
        source = source.replace(f"{name} = {empty};".encode(), f"{name} = {json.dumps(value)};".encode())
    return source


def fixed_answers() -> dict[str, bytes]:
    """The answers that are the same for everybody, as JSON by path, as in docs/protocol.md; those in other languages
    than English below the language's tag."""
    answers: dict[str, bytes] = {}
    for language in languages():
        before = "" if language.tag == DEFAULT else f"{language.tag}/"
        encode = encoder_for(language.tag).encode
        answers |= {f"{before}{path}": encode(answer) for path, answer in _answers(language.tag).items()}
        if (texts := page_texts(language.tag)) is not None:
            answers[f"languages/{language.tag}"] = texts
    return answers


def _answers(language: str) -> dict[str, object]:
    """The answers that are the same for all readers of a language, by path."""
    answers: dict[str, object] = {"club": browser_club(), "games": browser_games(language), "levels": levels_here()}
    answers["club/privacy"] = browser_privacy(language)
    for slug in SHIPPED:
        answers[f"games/{slug}/rules"] = rules_page(Setup(slug), language)
        answers[f"games/{slug}/rulebook"] = rulebook_page(slug)
    return answers


def _old_files(folder: Path) -> set[str]:
    """The files that this function has written into a folder before. Raises UpcardError if it has other files."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return set()
    try:
        listed = json.loads((folder / LIST).read_bytes())
        names = {str(name) for name in listed["files"]} if "upcard" in listed else set[str]()
    except (OSError, ValueError, KeyError, TypeError):
        names = set()
    if not names:
        raise UpcardError(f"{folder} has other files: name a new folder, or one that upcard page has filled")
    return {name for name in names if (folder / name).resolve().is_relative_to(folder.resolve())}
