"""How functions are put together to loops by numba: faster than it would, and under names that nothing else has.

Numba optimises each function and generates machine code for it, and then does so again for the functions that call it
and include it. A third of the compilation time goes into code that never runs: here machine code is generated only for
whole loops, which are all that Python ever calls.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import numba
from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target

from upcard.rules.identity import RULES

KNOWN = 0, 68
"""The last version of numba whose internals this was written for. With later versions it does nothing."""
STROKES = {"step_shares"}
"""The loop of the vector environment: it writes many numbers side by side. Other loops would be slower in strokes."""


class LazyLibrary(JITCodeLibrary):
    """The code of one function. Unless its address is needed, it is passed to its callers without being finalized.
    Rules that loops call are optimised first, which makes the loops 10 % faster."""

    _whole = False

    def _optimize_final_module(self) -> None:
        """Optimise the code, in loops of STROKES with what is done to several numbers side by side in one stroke."""
        usual = numba.config.SLP_VECTORIZE  # type: ignore[attr-defined]
        numba.config.SLP_VECTORIZE = int(self.name in STROKES)  # type: ignore[attr-defined]
        try:
            super()._optimize_final_module()
        finally:
            numba.config.SLP_VECTORIZE = usual  # type: ignore[attr-defined]

    def _ensure_finalized(self) -> None:
        """Link in the functions that it calls, without finalizing it."""
        if self._finalized or self._whole:
            return
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._linking_libraries.clear()
        if self.name in RULES:
            self._optimize_final_module()
        self._whole = True

    def get_pointer_to_function(self, name: str) -> int:
        """The address of a function of this library, which is finalized for it; 0 for other functions."""
        if not self._finalized:
            if name not in {one.name for one in self.get_defined_functions()}:
                return 0
            self.finalize()
        return int(super().get_pointer_to_function(name))


@contextmanager
def whole_loops() -> Iterator[None]:
    """A context in which everything is compiled in this way, in all threads."""
    if tuple(map(int, numba.__version__.split(".")[:2])) > KNOWN:
        yield
        return
    codegen = cpu_target.target_context.codegen()
    kept = []

    def set_environment(name: str, environment: Any) -> None:
        """Set a function's environment, or postpone it if there is no machine code for the function yet."""
        if codegen._engine.is_symbol_defined(name):
            type(codegen).set_env(codegen, name, environment)
        else:
            kept.append((name, environment))

    codegen._library_class, codegen.set_env = LazyLibrary, set_environment
    try:
        yield
    finally:
        del codegen._library_class, codegen.set_env
        for name, environment in kept:
            if codegen._engine.is_symbol_defined(name):
                codegen.set_env(name, environment)


HAS_NUMBERS = hasattr(FunctionIdentity, "_unique_ids")
"""Whether this version of numba numbers functions as `name_anew` expects. If not, compiled code must not be kept."""


def name_anew() -> None:
    """Give functions that are compiled from now on names that no function compiled elsewhere has.

    Numba numbers functions and types from 1 in each process. So functions that two games compile in processes of their
    own can have the same names, and where both are loaded from the cache, the second game would silently be played by
    the rules of the first.
    """
    FunctionIdentity._unique_ids = count(secrets.randbits(62))
