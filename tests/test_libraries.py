"""The private parts of libraries on which a module relies are there, and the installed version is one that it knows.

Each of these modules says what is lost without them. When a test here fails after an upgrade, compare the library's
source with the module, adapt it, and then raise the version.
"""

import ast
import inspect
import logging
import re
from collections.abc import Iterator
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import numba
import pytest
from msgspec import Meta, Struct
from numba.core import codegen
from numba.core.bytecode import FunctionIdentity
from numba.core.registry import cpu_target

import upcard
from upcard.compiled import numba_patch
from upcard.server.routes.failures import describe_fault
from upcard.server.uvicorn_protocols import GatheringProtocol, Punctual

UVICORN, WEBSOCKETS = (0, 54), (17, 4)
"""The last versions with which `upcard.server.uvicorn_protocols` was compared."""


def is_at_most(library: str, known: tuple[int, ...]) -> bool:
    return tuple(map(int, version(library).split(".")[: len(known)])) <= known


def definition(kind: type) -> ast.ClassDef:
    """The syntax tree of a class."""
    [tree] = ast.parse(inspect.getsource(kind)).body
    assert isinstance(tree, ast.ClassDef)
    return tree


def own_attributes(tree: ast.AST, *, only_set: bool) -> Iterator[str]:
    """The attributes of `self` and `super()` that a class uses, or only those that it sets."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("self", "super()"):
            if not only_set or isinstance(node.ctx, ast.Store):
                yield node.attr


def missing(kind: type) -> set[str]:
    """What a class uses of its base class though the base class does not have it, and methods that it overrides in
    vain. Names with an underscore that it defines are its own."""
    ours, bases = definition(kind), kind.__mro__[1:-1]
    theirs = {name for base in bases for name in dir(base)}
    for base in bases:
        if base.__module__.startswith(("uvicorn", "numba")):
            theirs |= {*own_attributes(definition(base), only_set=True)}
    defined = {node.name for node in ours.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    own = {name for name in kind.__dict__ if name not in theirs and (name.startswith("_") or name not in defined)}
    return ({*own_attributes(ours, only_set=False)} | defined) - theirs - own


# -------------------------------------------------------------------------------------------------------------- numba


def test_numba_is_one_that_the_patches_know() -> None:
    assert numba_patch.is_known(), "compare numba's codegen.py with numba_patch.py, then raise KNOWN"
    assert numba_patch.HAS_FUNCTION_IDS


def test_numba_has_what_the_patches_change() -> None:
    assert missing(numba_patch.LazyLibrary) == set()
    assert {"_optimize_final_module", "_ensure_finalized", "_get_module_for_linking"} <= {*dir(codegen.JITCodeLibrary)}
    ours = cpu_target.target_context.codegen()
    assert ours._library_class is codegen.JITCodeLibrary
    assert callable(ours.set_env)
    assert callable(ours._engine.is_symbol_defined)
    assert isinstance(FunctionIdentity._unique_ids, count)
    assert numba.config.SLP_VECTORIZE in (0, 1)  # type: ignore[attr-defined]


def test_another_numba_is_reported_once(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(numba, "__version__", "0.99.0")
    monkeypatch.setattr(numba_patch, "HAS_FUNCTION_IDS", False)
    numba_patch._warn.cache_clear()
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            numba_patch.unique_symbols()
            with numba_patch.whole_loops():
                assert cpu_target.target_context.codegen()._library_class is codegen.JITCodeLibrary
    numba_patch._warn.cache_clear()
    assert caplog.messages == [
        "numba 0.99.0 numbers functions differently: compiled rules are not cached, and every process compiles",
        "numba 0.99.0 is newer than 0.68, which Upcard was written for: games take half as long again to compile",
    ]


# ------------------------------------------------------------------------------------------------------------ uvicorn


def test_uvicorn_is_one_that_was_compared() -> None:
    assert is_at_most("uvicorn", UVICORN)
    assert is_at_most("websockets", WEBSOCKETS)


@pytest.mark.parametrize("kind", [GatheringProtocol, Punctual])
def test_uvicorn_has_what_the_protocols_override(kind: type) -> None:
    assert missing(kind) == set()
    for name, method in vars(kind).items():
        theirs = getattr(kind.__mro__[1], name, None)
        if inspect.isfunction(method) and theirs is not None:
            assert [*inspect.signature(method).parameters] == [*inspect.signature(theirs).parameters], name


@pytest.mark.parametrize(
    ("names", "module"),
    [
        (r"uvicorn\._types|uvicorn\.protocols", "server/uvicorn_protocols.py"),
        (r"numba\.core\.(?!errors)", "compiled/numba_patch.py"),
        (r"Object contains unknown|Object missing", "server/routes/failures.py"),
    ],
)
def test_only_one_module_knows_the_private_parts_of_a_library(names: str, module: str) -> None:
    source = Path(upcard.__file__).parent
    users = [file for file in source.rglob("*.py") if re.search(names, file.read_text())]
    assert users == [source / module]


# ------------------------------------------------------------------------------------------------------------ msgspec


class Clock(Struct, forbid_unknown_fields=True):
    per_move: Annotated[int, Meta(ge=5, le=600)]


class Wish(Struct, forbid_unknown_fields=True):
    name: Annotated[str, Meta(max_length=3)] = ""
    seats: Annotated[list[int], Meta(max_length=2)] = []
    options: dict[str, Annotated[str, Meta(max_length=3)]] = {}
    clock: Clock | None = None
    who: Literal["me", "open"] = "me"


@pytest.mark.parametrize(
    ("wish", "line"),
    [
        ({"clock": {"per_move": 4}}, "Time a move is 5 seconds or more"),
        ({"clock": {"per_move": 601}}, "Time a move is 600 seconds or less"),
        ({"name": "Anna"}, "A name has 3 letters at most"),
        ({"seats": [1, 2, 3]}, "A table has 2 seats at most"),
        ({"options": {"fast": "very"}}, "A choice of the rules has 3 letters at most"),
        ({"clock": {}}, "This request makes no sense here (clock lacks per_move): reload the page"),
        ({"x": 1}, "This request makes no sense here (body has an unknown field, x): reload the page"),
        ({"who": "you"}, "This request makes no sense here (who cannot be 'you'): reload the page"),
        ({"name": 5}, "This request makes no sense here (name is not what it must be): reload the page"),
    ],
)
def test_what_msgspec_reports_is_put_into_words(wish: dict[str, object], line: str) -> None:
    with pytest.raises(msgspec.ValidationError) as fault:
        msgspec.convert(wish, Wish)
    text, _, path = str(fault.value).partition(" - at `$")
    assert describe_fault(path.strip("`."), text) == line
