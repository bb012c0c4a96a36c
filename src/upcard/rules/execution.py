"""Executing the modules of a game once more, with some functions and fields replaced, to make a variant.

The modules are executed under new names, statement by statement. A function is replaced as soon as it is defined, so
that everything that is computed from it, calls it or lists it uses the new one. Tracebacks keep file and line.
"""

from __future__ import annotations
import __future__

import ast
import hashlib
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from itertools import count
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from upcard.rules.game import BadGame, Game
from upcard.rules.marks import mark_of, rule
from upcard.rules.source import functions_in, functions_of, parsed, source_of, trees_of
from upcard.rules.state import Field, GameState
from upcard.rules.variants import Change

_numbers = count(1)
_executions: dict[str, Execution] = {}


def execute(root: Game[Any], changes: Sequence[Change]) -> Game[Any]:
    """The game that the root's modules declare under these changes. Raises BadGame."""
    slug = changes[-1].slug
    run = Execution(_name(root, slug, changes), root, changes)
    _executions[run.name] = run
    import_module(run.name)
    if run.game is None:
        raise BadGame(f"{slug}: {root.file} declares no game when it is executed once more")
    return replace(run.game, **run.added()) if run.missing else run.game


def _name(root: Game[Any], slug: str, changes: Sequence[Change]) -> str:
    """The name of an execution. It is the same in every process, because compiled code is cached under it; repeated
    executions within a process get a number."""
    texts = [source_of(change.rules[name]) for change in changes for name in sorted(change.rules)]
    digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:8]
    name = f"{root.package}@{slug}-{digest}"
    return name if name not in _executions else f"{name}-{next(_numbers)}"


class Execution:
    """An execution of a game's modules under changes."""

    def __init__(self, name: str, root: Game[Any], changes: Sequence[Change]) -> None:
        self.name = name
        self.root = root
        self.changes = changes
        self.game: Game[Any] | None = None
        same_root = [one for one in _executions.values() if one.root.package == root.package]
        self._families = {root.package, *(one.name for one in same_root)}
        self._first = {function: file for file, tree in [*trees_of(root)][::-1] for function in functions_in(tree)}
        """The file that defines each function first."""
        known = functions_of(root)
        self.missing = {name for change in changes for name in change.rules if name not in known}
        """The rules that a change adds and the game itself does not define."""
        self.adopted: list[Adopted] = []

    def replacements(self, function: str, file: Path) -> list[Callable[..., Any]]:
        """The functions that replace a function of a file, in the order of the changes."""
        names = [f"{file.stem}.{function}", *([function] if self._first.get(function) == file else [])]
        return [change.rules[name] for change in self.changes for name in names if name in change.rules]

    def added(self) -> dict[str, Any]:
        """The rules in `missing`, by name."""
        assert self.game is not None
        home = sys.modules[self.game.apply.__module__]
        added: dict[str, Any] = {}
        for change in self.changes:
            for name in self.missing & change.rules.keys():
                one = self.adopt(change.rules[name], name, added.get(name, getattr(self.game, name)), home)
                one.settle(self)
                added[name] = one.function
        return added

    def adopt(self, function: Callable[..., Any], name: str, original: Any, home: ModuleType) -> Adopted:
        """Take over a function of a change in place of a function of the game."""
        self.adopted.append(Adopted(function, name, original, home))
        return self.adopted[-1]

    def adopted_as(self, function: FunctionType, name: str) -> Adopted | None:
        """What a function of a change, by this name, has been adopted as; None if it replaces nothing so far."""
        found = [one for one in self.adopted if one.given is function]
        return next((one for one in found if one.name == name), found[0] if found else None)

    def module_of(self, name: str) -> str | None:
        """The module of this execution that corresponds to a module of the root or of another variant."""
        for family in self._families:
            if name == family or name.startswith(f"{family}."):
                return self.name + name[len(family) :]
        return None


class _Finder(MetaPathFinder):
    """Finds the modules of executions."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        package, _, inner = name.rpartition("@")
        run = _executions.get(f"{package}@{inner.partition('.')[0]}")
        if run is None:
            return None
        assert run.root.file is not None
        file = run.root.file
        if "." in inner:
            file = file.with_name(f"{inner.partition('.')[2]}.py")
            if not file.exists():
                return None
        is_package = file.name == "__init__.py"
        return spec_from_loader(name, _Loader(run, file), origin=str(file), is_package=is_package)


sys.meta_path.append(_Finder())


class _Loader(Loader):
    """Executes a module statement by statement."""

    def __init__(self, run: Execution, file: Path) -> None:
        self.run = run
        self.file = file

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = str(self.file)
        if self.file.name == "__init__.py":
            module.__path__ = []  # only the finder above may find its submodules
        adopted: list[Adopted] = []
        for statement, code in _compiled(self.file):
            exec(code, module.__dict__)
            if isinstance(statement, ast.FunctionDef):
                adopted += self._replace(module, statement.name)
            elif isinstance(statement, ast.ClassDef):
                self._add_fields(module, statement.name)
            if game := self._declared(module):
                self.run.game = game
                break
        for one in adopted:
            one.settle(self.run)

    def _declared(self, module: ModuleType) -> Game[Any] | None:
        """The game, once the package has declared it. The rest of the module is not executed."""
        games = (one for one in vars(module).values() if isinstance(one, Game) and one.package == module.__name__)
        return next(games, None) if module.__name__ == self.run.name else None

    def _replace(self, module: ModuleType, name: str) -> list[Adopted]:
        adopted = []
        for function in self.run.replacements(name, self.file):
            one = self.run.adopt(function, name, vars(module)[name], module)
            setattr(module, name, one.function)
            adopted.append(one)
        return adopted

    def _add_fields(self, module: ModuleType, name: str) -> None:
        made = vars(module)[name]
        if isinstance(made, type) and issubclass(made, GameState) and made.complete:
            for change in self.run.changes:
                if change.fields:
                    made = types.new_class(name, (made,), exec_body=_body(change.fields, module.__name__))
                    setattr(module, name, made)


def _compiled(file: Path) -> Iterator[tuple[ast.stmt, Any]]:
    """The statements of a file with their compiled code."""
    flags = 0
    for statement in parsed(file.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            for feature in statement.names:
                flags |= getattr(__future__, feature.name).compiler_flag
        yield statement, compile(ast.Module([statement], []), str(file), "exec", flags, dont_inherit=True)


def _body(fields: Mapping[str, Field], module: str) -> Callable[[dict[str, Any]], None]:
    return lambda space: space.update(fields, __module__=module)


class Adopted:
    """A function of a change that replaces a function of the game.

    It and its helpers are copied, and the names of the game's functions in them are bound to those of the variant. Only
    the name of the replaced function is bound, within the new one, to the function that it replaces.
    """

    def __init__(self, function: Callable[..., Any], name: str, original: Any, home: ModuleType) -> None:
        assert isinstance(function, FunctionType)
        self.given = function
        self.name = name
        self.original = original
        self.copies: dict[FunctionType, FunctionType] = {}
        self.function = self._copy(function)
        if mark_of(original) is not None:
            rule(self.function)
        self.home = self.function.__module__ = home.__name__

    def _copy(self, function: FunctionType) -> FunctionType:
        space = dict(function.__globals__)
        twin = FunctionType(function.__code__, space, function.__name__, function.__defaults__, function.__closure__)
        twin.__dict__.update(function.__dict__)
        twin.__kwdefaults__ = function.__kwdefaults__
        twin.__qualname__ = function.__qualname__
        self.copies[function] = twin
        return twin

    def settle(self, run: Execution) -> None:
        """Bind the names in all copies to the functions and modules of the variant."""
        waiting = list(self.copies)
        while waiting:
            function = waiting.pop()
            space = self.copies[function].__globals__
            if function is self.given:
                space.setdefault(self.name, self.original)
            for name, value in dict(space).items():
                if isinstance(value, FunctionType):
                    known = self._bound(run, name, value)
                    if known is not None:
                        space[name] = known
                    elif value.__module__ == function.__module__ and value.__globals__ is function.__globals__:
                        space[name] = self._copy(value)
                        waiting.append(value)
                elif isinstance(value, ModuleType) and (home := run.module_of(value.__name__)) is not None:
                    space[name] = self._seen_from_within(import_module(home))

    def _bound(self, run: Execution, name: str, value: FunctionType) -> Any:
        """What a function that the new one or its helpers name stands for in the variant; None for a function that
        neither is a rule of the game nor replaces one."""
        other = run.adopted_as(value, name)
        home, rule = run.module_of(value.__module__), value.__name__
        if home is None and other is not None and other.name == name:  # a rule of the game, called by its name there
            home, rule = other.home, name
        if home is not None:
            return self.original if rule == self.name else getattr(import_module(home), rule, value)
        if value in self.copies:
            return self.copies[value]
        return None if other is None else other.function

    def _seen_from_within(self, module: ModuleType) -> ModuleType:
        """A copy of a module for use within the function: with the function that it replaces."""
        view = ModuleType(module.__name__)
        view.__dict__.update(module.__dict__)
        if self.name in view.__dict__ and view.__name__ == self.function.__module__:
            view.__dict__[self.name] = self.original
        return view
