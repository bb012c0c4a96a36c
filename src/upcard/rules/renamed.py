"""Former names, which work for one more version."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from typing import Any


def former_names(module: str, **names: str) -> Callable[[str], Any]:
    """A `__getattr__` for a module that resolves its former names, given with the present ones, with a warning."""

    def get(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return _warned(f"{module}.{name}", module, names[name])

    return get


def former_modules(package: str, **homes: str) -> None:
    """Let the former modules of a package be imported. Each is given with the present modules that have its contents,
    separated by spaces; whatever is taken from it comes with a warning."""
    for name, present in homes.items():
        module = module_from_spec(ModuleSpec(f"{package}.{name}", None))
        module.__doc__ = f"Former name of {present.replace(' ', ' and ')}, for one more version."
        module.__dict__["__getattr__"] = _moved(module.__name__, present.split())
        sys.modules[module.__name__] = module
        vars(sys.modules[package]).setdefault(name, module)


def _moved(module: str, homes: Sequence[str]) -> Callable[[str], Any]:
    """A `__getattr__` for a module whose contents are in other modules now."""

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
