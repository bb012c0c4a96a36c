"""Upcard without a server: a folder of files for any place on any web host."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from markdown_it import MarkdownIt

from upcard import games
from upcard.browser.wasm_cache import compiled_modules
from upcard.browser.worker import SHIPPED, browser_club, browser_games
from upcard.engine.errors import UpcardError
from upcard.engine.setup import Setup
from upcard.house.bodies import Page
from upcard.house.game_info import levels_here
from upcard.house.rulebook import rulebook_page, rules_page
from upcard.languages.answers import encoder_for
from upcard.languages.catalogs import DEFAULT, languages, page_texts

PARTS = ("rules", "games", "languages", "engine", "policies", "compiled", "players", "table", "house", "browser")
"""The packages of Upcard that the house in a browser imports."""
NATIVE = (
    *("advantage_learning", "cache", "comparing", "hands", "likelihood", "lookahead", "loops", "native"),
    *("numba_patch", "observation", "policy_gradient", "portable", "program", "solver", "worlds"),
)
"""The modules of `upcard.compiled` that need numba, which it does not have: their loops are in the games' modules."""
LIBRARIES = ("markdown_it", "mdurl")
MODULES = ("typing_extensions",)
"""The other packages and modules, all in Python, that it imports."""
SUFFIXES = (".py", ".json", ".jsonl", ".md", ".mo", ".toml")
LIST = "files.json"
"""The file of a folder that lists the others, for the next edition to replace them."""
SERVICE_WORKER = "offline.js"
NOT_BUILT = (
    "the page without a server has not been built; pip fetches a part of it. Install Upcard again where PyPI can be "
    "reached, or in a checkout run pip install -e '.[dev]'"
)
PRIVACY = """
Everything that you play stays in this browser, on this device: your matches, your name and your settings. No server
receives any of it, and there are no cookies and no trackers. The host that the page comes from sees that its files are
fetched, as with every page.

A browser can delete what it keeps for a page, when it is short of room or when you clear its data; Safari does so after
seven days without a visit, unless you have added the page to your home screen. **Save all matches** in the lobby puts
them in one file, which you can open here again or in another browser.
"""
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The date of the files in an archive, so that the same sources give the same archive."""


def write_folder(folder: Path, compiled: Iterable[str] = SHIPPED) -> int:
    """Write the page, Python and Upcard into a new or empty folder, or into one that this function has filled before,
    whose files are replaced. The games in `compiled` have strong players and hints. Returns the size in bytes. Raises
    UpcardError, OSError."""
    contents = folder_contents(compiled)
    old = _old_files(folder)
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
    contents = {path: entry.read_bytes() for path, entry in _walk(page, "") if path != "source.txt"}
    contents["python/upcard.zip"] = upcard_archive()
    modules = compiled_modules(games.load(slug) for slug in compiled)
    contents |= {f"compiled/{slug}.wasm": module for slug, module in modules.items()}
    contents |= {f"answers/{path}.json": answer for path, answer in fixed_answers().items()}
    names = sorted(contents)
    build = hashlib.sha256(b"".join(name.encode() + hashlib.sha256(contents[name]).digest() for name in names))
    contents[SERVICE_WORKER] = _service_worker(contents[SERVICE_WORKER], build.hexdigest()[:16], names)
    contents[LIST] = json.dumps({"upcard": build.hexdigest(), "files": names}, indent=1).encode()
    return contents


def _service_worker(source: bytes, build: str, names: list[str]) -> bytes:
    """The service worker that keeps the files of this build."""
    shown = json.dumps(["./", *(name for name in names if name != SERVICE_WORKER)])
    return source.replace(b"{build}", build.encode()).replace(b"FILES = []", f"FILES = {shown}".encode())


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
    answers: dict[str, object] = {"club": browser_club(), "games": browser_games(), "levels": levels_here()}
    privacy = MarkdownIt("commonmark", {"html": False}).render(PRIVACY)
    answers["club/privacy"] = Page("What is kept about you", privacy)
    for slug in SHIPPED:
        answers[f"games/{slug}/rules"] = rules_page(Setup(slug), language)
        answers[f"games/{slug}/rulebook"] = rulebook_page(slug)
    return answers


def upcard_archive() -> bytes:
    """Upcard's packages and the libraries that they import, as a ZIP archive to put on Python's path."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path, entry in sorted(_archived(), key=lambda pair: pair[0]):
            packed.writestr(zipfile.ZipInfo(path, EPOCH), entry.read_bytes(), zipfile.ZIP_DEFLATED)
    return archive.getvalue()


def _archived() -> Iterator[tuple[str, Traversable]]:
    yield "upcard/__init__.py", files("upcard") / "__init__.py"
    for name in MODULES:
        source = Path(str(import_module(name).__file__))
        yield source.name, source
    trees = [(f"upcard/{part}", files("upcard") / part) for part in PARTS]
    trees += [(name, files(name)) for name in LIBRARIES]
    native = {f"upcard/compiled/{name}.py" for name in NATIVE}
    for prefix, root in trees:
        for path, entry in _walk(root, f"{prefix}/"):
            if path.endswith(SUFFIXES) and "/browser/page/" not in path and path not in native:
                yield path, entry


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    """All files below a folder, with their paths."""
    for entry in folder.iterdir():
        if entry.is_file():
            yield prefix + entry.name, entry
        elif entry.name != "__pycache__":
            yield from _walk(entry, f"{prefix}{entry.name}/")


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
