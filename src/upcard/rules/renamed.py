"""Former names, which work for one more version."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any


def former_names(module: str, **names: str) -> Callable[[str], Any]:
    """A `__getattr__` for a module that resolves its former names, given with the present ones, with a warning."""

    def get(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return _warned(f"{module}.{name}", module, names[name])

    return get


def former_module(module: str, *homes: str) -> Callable[[str], Any]:
    """A `__getattr__` for a module whose contents have moved to these modules, with a warning."""

    def get(name: str) -> Any:
        for home in () if name.startswith("__") else homes:
            if hasattr(import_module(home), name):
                return _warned(f"{module}.{name}", home, name)
        raise AttributeError(f"module {module!r} has no attribute {name!r}")

    return get


def _warned(former: str, home: str, name: str) -> Any:
    value = getattr(import_module(home), name)
    warnings.warn(f"{former} is called {home}.{name} now", DeprecationWarning, stacklevel=3)
    return value
