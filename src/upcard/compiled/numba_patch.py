"""Patches to numba: faster linking of functions into loops, and symbol names that are unique across processes.

Numba optimises each function and generates machine code for it, and then does so again for the functions that call it
and include it. A third of the compilation time goes into code that never runs. With these patches machine code is
generated only for whole loops, the only functions that Python calls.

They are the only use of private parts of numba, up to version `KNOWN`. With a later one, `whole_loops` does nothing:
games then take half as long again to compile, and the loops of a vector environment are slower. Without
`FunctionIdentity._unique_ids`, nothing is cached: each process compiles its games again. Either is logged once.
`tests/test_libraries.py` fails in both cases.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from typing import Any

import numba
from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target

from upcard.compiled.machine import LOOPS
from upcard.rules.identity import RULES

KNOWN = 0, 68
"""The last version of numba for whose internals this was written."""
NEWER = "numba %s is newer than %s, which Upcard was written for: games take half as long again to compile"
NO_FUNCTION_IDS = "numba %s numbers functions differently: compiled rules are not cached, and every process compiles"
log = logging.getLogger("upcard.compiled")
SLP_LOOPS = {"step_shares"}
"""The loops that are optimised with SLP vectorisation: that of the vector environment, which writes many adjacent
numbers. Other loops would become slower."""


class LazyLibrary(JITCodeLibrary):
    """The code of one function. Unless its address is needed, it is passed to its callers without being finalized.
    Rules that loops call are optimised first, which makes the loops 10 % faster."""

    _linked = False
    unoptimised = b""
    """The bitcode of a whole loop before it was optimised for this machine's processor."""

    def _optimize_final_module(self) -> None:
        """Optimise the code, with SLP vectorisation only in the loops of SLP_LOOPS."""
        if self.name in LOOPS:
            self.unoptimised = self._final_module.as_bitcode()
        usual = numba.config.SLP_VECTORIZE  # type: ignore[attr-defined]
        numba.config.SLP_VECTORIZE = int(self.name in SLP_LOOPS)  # type: ignore[attr-defined]
        try:
            super()._optimize_final_module()
        finally:
            numba.config.SLP_VECTORIZE = usual  # type: ignore[attr-defined]

    def _ensure_finalized(self) -> None:
        """Link in the functions that this one calls, without finalizing it."""
        if self._finalized or self._linked:
            return
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._linking_libraries.clear()
        if self.name in RULES:
            self._optimize_final_module()
        self._linked = True

    def get_pointer_to_function(self, name: str) -> int:
        """The address of a function of this library, which is finalized if necessary; 0 for other functions."""
        if not self._finalized:
            if name not in {function.name for function in self.get_defined_functions()}:
                return 0
            self.finalize()
        return int(super().get_pointer_to_function(name))


def is_known() -> bool:
    """Whether the installed version of numba is not newer than `KNOWN`."""
    return tuple(map(int, numba.__version__.split(".")[:2])) <= KNOWN


@cache
def _warn(message: str, *about: str) -> None:
    log.warning(message, *about)


@contextmanager
def whole_loops() -> Iterator[None]:
    """A context in which all code is compiled as a `LazyLibrary`, in all threads."""
    if not is_known():
        _warn(NEWER, numba.__version__, ".".join(map(str, KNOWN)))
        yield
        return
    codegen = cpu_target.target_context.codegen()
    postponed = []

    def set_environment(name: str, environment: Any) -> None:
        """Set a function's environment, or postpone this if there is no machine code for the function yet."""
        if codegen._engine.is_symbol_defined(name):
            type(codegen).set_env(codegen, name, environment)
        else:
            postponed.append((name, environment))

    codegen._library_class, codegen.set_env = LazyLibrary, set_environment
    try:
        yield
    finally:
        del codegen._library_class, codegen.set_env
        for name, environment in postponed:
            if codegen._engine.is_symbol_defined(name):
                codegen.set_env(name, environment)


HAS_FUNCTION_IDS = hasattr(FunctionIdentity, "_unique_ids")
"""Whether this version of numba numbers functions as `unique_symbols` expects. If not, compiled code must not be
cached."""


def unique_symbols() -> None:
    """Give functions that are compiled from now on symbol names that no function compiled elsewhere has.

    Numba numbers functions and types from 1 in each process. So functions of two games that were compiled in different
    processes can have the same names, and if both are loaded from the cache, the second game would silently be played
    by the rules of the first.
    """
    if not HAS_FUNCTION_IDS:
        _warn(NO_FUNCTION_IDS, numba.__version__)
    FunctionIdentity._unique_ids = count(secrets.randbits(62))
