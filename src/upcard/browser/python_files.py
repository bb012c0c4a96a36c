"""Python and Upcard as a page without a server fetches them: compressed files, since not every web host compresses
them.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath

from upcard.browser.bare_source import without_comments
from upcard.languages.catalogs import DEFAULT, TAG

PARTS = ("rules", "games", "languages", "engine", "policies", "compiled", "players", "table", "house", "browser")
"""The packages of Upcard that the house in a browser imports."""
NATIVE = (
    *("advantage_learning", "cache", "comparing", "hands", "likelihood", "lookahead", "loops", "native"),
    *("numba_patch", "observation", "policy_gradient", "portable", "program", "solver", "worlds"),
)
"""The modules of `upcard.compiled` that need numba, which it does not have: their loops are in the games' modules."""
ELSEWHERE = (
    *(f"compiled/{name}" for name in NATIVE),
    *(f"browser/{name}" for name in ("bare_source", "folder", "python_files")),
    *(f"browser/{name}" for name in ("wasm_cache", "wasm_modules", "wasm_object")),
    *("players/beliefs", "players/warmup"),
)
"""These, the modules that make the folder, and others that only servers and researchers import."""
LIBRARIES = ("markdown_it", "mdurl")
"""The other packages, all in Python, that it imports."""
TYPING = b"from typing import *\n"
"""A substitute for `typing_extensions`: Python in a browser is new enough to have all that Upcard uses of it."""
FIRST, LESSONS, RULES = "upcard", "lessons", "rules"
"""The parts in which Upcard's files are fetched: those that every visit needs; lessons and puzzles; the rules in
players' words, which Python needs only for a table with options. Those of other languages than English are parts of
their own, named by their tags."""
LATER_PARTS = {
    LESSONS: re.compile(r"upcard/games/.*(lesson\d*\.toml|puzzles\.jsonl)"),
    RULES: re.compile(r"upcard/games/.*rules\.en\.md|upcard/house/rulebook\.py|(markdown_it|mdurl)/.*"),
}
SUFFIXES = (".py", ".json", ".jsonl", ".md", ".mo", ".toml")
EXTENSION = "_core.cpython-314-wasm32-emscripten.so"
"""The compiled part of msgspec, which is loaded before Python starts."""
UNUSED = frozenset(
    """
    __hello__ __phello__ _compat_pickle _markupbase _pydatetime _pyio _pylong _pyrepl _strptime
    _sysconfigdata__emscripten_wasm32-emscripten antigravity argparse bdb cProfile calendar cmd code colorsys
    compileall configparser csv ctypes doctest filecmp fileinput ftplib getopt getpass gzip http imaplib
    mailbox mimetypes modulefinder multiprocessing netrc nturl2path optparse pdb pickle pickletools platform
    plistlib poplib pprint profile pstats pty py_compile pyclbr pydoc queue quopri rlcompleter runpy sched shelve
    shlex site-packages smtplib socketserver sqlite3 sre_compile sre_constants sre_parse stringprep symtable
    sysconfig tabnanny tarfile this timeit trace tracemalloc tty unittest wave webbrowser wsgiref xml xmlrpc zipapp
    zipimport zoneinfo
    asyncio/proactor_events asyncio/tools asyncio/windows_events asyncio/windows_utils
    concurrent/futures/interpreter concurrent/futures/process concurrent/interpreters html/parser
    importlib/_bootstrap importlib/_bootstrap_external logging/config logging/handlers pyodide/_nodesock_transport
    pyodide/console pyodide/http urllib/error urllib/request urllib/response urllib/robotparser
    """.split()
)
"""Modules and packages of the standard library that nothing in a browser imports, or that are part of Python itself.
Those that are not named here stay."""
ONLY = {
    "encodings": ("__init__", "aliases", "ascii", "cp437", "idna", "latin_1", "punycode", "utf_8", "utf_8_sig"),
    "email": ("__init__",),
}
"""Packages of which only these modules stay."""
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The date of the files in an archive, so that the same sources give the same archive."""


def compressed(content: bytes) -> bytes:
    """The same content always becomes the same bytes."""
    return gzip.compress(content, 9, mtime=0)


def python_files(built: Traversable) -> dict[str, bytes]:
    """The files of `python/` by name, from those that were built with the page: scripts as they are, all others
    compressed, with `.gz` after their names."""
    contents = {name: (built / name).read_bytes() for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide-lock.json")}
    core, library = (built / "pyodide.asm.wasm").read_bytes(), (built / "python_stdlib.zip").read_bytes()
    wheel = zipfile.ZipFile(io.BytesIO((built / "msgspec.whl").read_bytes()))
    sources = dict(sorted({**_msgspec(wheel), **upcard_sources()}.items()))
    extension = wheel.read(f"msgspec/{EXTENSION}")
    build = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in (core, library, extension))).hexdigest()
    for name, content in {
        "pyodide.asm.wasm": core,
        "python_stdlib.zip": without_unused(library),
        "msgspec.so": extension,
        **{f"{part}.files": in_one_piece(one, build) for part, one in in_parts(sources).items()},
    }.items():
        contents[f"{name}.gz"] = compressed(content)
    return contents


def in_parts(sources: dict[str, bytes]) -> dict[str, dict[str, bytes]]:
    """The files of each part by its name: see `FIRST`."""
    return {
        part: {path: content for path, content in sources.items() if _part_of(path) == part}
        for part in sorted({*map(_part_of, sources)} - {""})
    }


def _part_of(path: str) -> str:
    """The part that a file belongs to; empty for the page's texts, which are answers of their own."""
    if path.startswith("upcard/languages/") and path.endswith(".json"):
        return ""
    language = _language_of(path)
    if language != DEFAULT:
        return language
    return next((part for part, pattern in LATER_PARTS.items() if pattern.fullmatch(path)), FIRST)


def _language_of(path: str) -> str:
    """The language of a file, by its name: `de` of `games/loo/de.mo`, `rules.de.md` and `lesson.de.toml`."""
    parts = PurePosixPath(path).name.split(".")
    tag = parts[-2] if parts[-1] == "mo" or (parts[-1] in ("md", "toml") and len(parts) > 2) else DEFAULT
    return tag if TAG.fullmatch(tag) else DEFAULT


def in_one_piece(sources: dict[str, bytes], core: str) -> bytes:
    """Files in one piece: a line of JSON with their paths and sizes, then one after another.

    The line also has a hash of them and of `core`, by which a snapshot of Python's memory is known to be of these.
    """
    everything = b"".join(sources.values())
    sizes = [(path, len(content)) for path, content in sources.items()]
    build = hashlib.sha256(core.encode() + json.dumps(sizes).encode() + everything).hexdigest()
    return json.dumps({"build": build, "files": sizes}).encode() + b"\n" + everything


def without_unused(library: bytes) -> bytes:
    """The standard library without modules that nothing in a browser imports and without comments, not compressed."""
    archive = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(library)) as whole, zipfile.ZipFile(archive, "w") as cut:
        for name in sorted(whole.namelist()):
            if _is_used(name):
                cut.writestr(zipfile.ZipInfo(name, EPOCH), _bare(name, whole.read(name)), zipfile.ZIP_STORED)
    return archive.getvalue()


def _is_used(name: str) -> bool:
    """Whether a file of the standard library stays."""
    package, _, module = name.removesuffix(".py").partition("/")
    if package in ONLY:
        return module in ONLY[package]
    parts = name.removesuffix(".py").split("/")
    return not name.endswith("/") and not any("/".join(parts[:end]) in UNUSED for end in range(1, len(parts) + 1))


def _msgspec(wheel: zipfile.ZipFile) -> dict[str, bytes]:
    """msgspec's modules. The extension is empty here: see `EXTENSION`."""
    modules = {name: wheel.read(name) for name in wheel.namelist() if name.endswith(".py")}
    return modules | {f"msgspec/{EXTENSION}": b""}


def upcard_sources() -> dict[str, bytes]:
    """Upcard's packages and the libraries that they import, by path."""
    return {path: _bare(path, entry.read_bytes()) for path, entry in _sources()} | {"typing_extensions.py": TYPING}


def _bare(path: str, content: bytes) -> bytes:
    """A file as it is fetched: modules without comments and docstrings."""
    return without_comments(content) if path.endswith(".py") else content


def _sources() -> Iterator[tuple[str, Traversable]]:
    yield "upcard/__init__.py", files("upcard") / "__init__.py"
    trees = [(f"upcard/{part}", files("upcard") / part) for part in PARTS]
    trees += [(name, files(name)) for name in LIBRARIES]
    absent = {f"upcard/{name}.py" for name in ELSEWHERE}
    for prefix, root in trees:
        for path, entry in walk(root, f"{prefix}/"):
            if path.endswith(SUFFIXES) and "/browser/page/" not in path and path not in absent:
                yield path, entry


def walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    """All files below a folder, with their paths."""
    for entry in folder.iterdir():
        if entry.is_file():
            yield prefix + entry.name, entry
        elif entry.name != "__pycache__":
            yield from walk(entry, f"{prefix}{entry.name}/")
