"""Machine code for whole loops only, which is all that Python ever calls.

Numba optimises every function on its own and turns it into machine code, before the function that calls it does the
same once more with all that it calls: a third of the time that compiling takes goes into code that never runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target

from upcard.rules.game import RULES

KNOWN = 0, 68
"""The last numba whose insides were looked at. A later one compiles as it likes to, until somebody has."""


class Part(JITCodeLibrary):
    """The code of one function. If nobody asks where it stands in memory it is handed to its callers as it is; but the
    rules that loops call are optimised first, which makes the loops a tenth faster."""

    _whole = False

    def _ensure_finalized(self) -> None:
        """Take in what it calls itself, and no more."""
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
        """Of a function that Python can call, which is now optimised and turned into machine code; 0 for another."""
        if not self._finalized:
            if name not in {one.name for one in self.get_defined_functions()}:
                return 0
            self.finalize()
        return int(super().get_pointer_to_function(name))


@contextmanager
def whole_loops() -> Iterator[None]:
    """What is compiled meanwhile, by any thread, is compiled in this way."""
    if tuple(map(int, numba.__version__.split(".")[:2])) > KNOWN:
        yield
        return
    codegen = cpu_target.target_context.codegen()
    kept = []

    def set_environment(name: str, environment: Any) -> None:
        """Of a part there is no machine code yet that could be told."""
        if codegen._engine.is_symbol_defined(name):
            type(codegen).set_env(codegen, name, environment)
        else:
            kept.append((name, environment))

    codegen._library_class, codegen.set_env = Part, set_environment
    try:
        yield
    finally:
        del codegen._library_class, codegen.set_env
        for name, environment in kept:
            if codegen._engine.is_symbol_defined(name):
                codegen.set_env(name, environment)
