"""Variants: a game with some rules, numbers or fields replaced, in which everything else follows.

A change of numbers alone keeps the game's modules: rules read numbers from `opt`. For changed rules the modules of the
game are executed once more, under a name of their own, statement by statement; each function that is to be replaced is
replaced as soon as it is defined, so that whatever is worked out from it, calls it or lists it has the new one.
Tracebacks keep file and line.
"""

from __future__ import annotations
import __future__

import ast
import hashlib
import inspect
import re
import sys
import textwrap
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
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
from upcard.rules.options import Option
from upcard.rules.reach import globals_of
from upcard.rules.state import Field, GameState
from upcard.rules.words import brief

TWIN_FROM = 10
"""Smaller numbers stand everywhere: their twins are not looked for."""
Replaced = Mapping[str, Callable[..., Any]]
SAID = {"family", "summary", "length", "players", "default_players", "short", "clauses", "most_moves", "notation"}
"""What a variant may say of itself in other words than its base."""


@dataclass(frozen=True)
class Change:
    """What a variant replaces: see `Game.variant`."""

    slug: str
    title: str
    rules: Replaced
    numbers: Mapping[str, object]
    fields: Mapping[str, Field]
    options: Mapping[str, Option]
    said: Mapping[str, object]

    @property
    def needs_modules(self) -> bool:
        """Whether it is more than other numbers, so that the game's modules are executed anew."""
        return bool(self.rules or self.fields)


def derive(base: Game[Any], change: Change) -> Game[Any]:
    """The variant of a game. Raises BadGame."""
    if not re.fullmatch("[a-z][a-z0-9-]*", change.slug) or change.slug == base.slug:
        raise BadGame(f"a variant has a slug of its own, of small letters, digits and dashes, not {brief(change.slug)}")
    root, changes = root_of(base), [*changes_of(base), change]
    _check(root, base, change)
    game = _execute(root, changes) if any(one.needs_modules for one in changes) else root
    said: dict[str, Any] = {}
    numbers: dict[str, object] = {}
    options: dict[str, Option] = {}
    for one in changes:
        said |= one.said
        numbers |= one.numbers
        options |= one.options
    try:
        varied = game.options.with_options(options).with_numbers(numbers)
    except ValueError as error:
        raise BadGame(f"{change.slug}: {error}") from None
    return replace(
        game,
        slug=change.slug,
        title=change.title,
        options=varied,
        base=base,
        change=change,
        file=_file(base, change),
        **said,
    )


def root_of(game: Game[Any]) -> Game[Any]:
    """The game of which it is a variant, perhaps of a variant; itself if it is none."""
    return game if game.base is None else root_of(game.base)


def changes_of(game: Game[Any]) -> list[Change]:
    """All that makes a variant of its root, in order."""
    return [] if game.base is None or game.change is None else [*changes_of(game.base), game.change]


def _file(base: Game[Any], change: Change) -> Path | None:
    """Where another process finds the variant: the file of its functions, if it has any."""
    for function in change.rules.values():
        return Path(function.__code__.co_filename)
    return base.file


# ----------------------------------------------------------------------------------------------------------- mistakes


def _check(root: Game[Any], base: Game[Any], change: Change) -> None:
    """Refuse what would be changed in part or not at all."""
    known = _functions(root)
    for name, function in change.rules.items():
        if name not in known:
            close = get_close_matches(name, known, 1)
            meant = f" (is {close[0]!r} meant?)" if close else ""
            raise BadGame(f"{change.slug}: {root.slug} has no rule {name!r}{meant}")
        if not isinstance(function, FunctionType):
            raise BadGame(f"{change.slug}: {name!r} is replaced by a function, not by {function!r}")
        wanted = [argument.arg for argument in known[name].args.args]
        given = list(inspect.signature(function).parameters)
        if len(given) != len(wanted):
            raise BadGame(f"{change.slug}: {name} takes ({', '.join(wanted)}), not ({', '.join(given)})")
    if unknown := change.said.keys() - SAID:
        raise BadGame(
            f"{change.slug}: {min(unknown)!r} is none of what a variant says of itself ({', '.join(sorted(SAID))})"
        )
    for name, value in change.fields.items():
        if not isinstance(value, Field):
            raise BadGame(f"{change.slug}: declare the field {name}, as in fields={{{name!r}: open_field()}}")
        if name in base.state.fields:
            raise BadGame(f"{change.slug}: {base.slug} has a field {name} already")
    for name in change.numbers:
        number = root.options.numbers.get(name)
        if number is not None and isinstance(number.value, int) and (twins := list(twins_of(root, number.value))):
            raise BadGame(
                f"{change.slug}: {name} is {number.value}, which also stands in {twins[0]}: name it there "
                f"(opt.{name}), or the variant would be changed in part only"
            )


def twins_of(root: Game[Any], value: int) -> Iterator[str]:
    """Where in the functions of a game a number stands as a bare literal; numbers below ten are not looked for."""
    if not TWIN_FROM <= abs(value) < 1 << 32:
        return
    for file, tree in _sources(root):
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef):
                continue
            docstring = ast.get_docstring(function, clean=False)
            for node in ast.walk(function):
                if isinstance(node, ast.Constant) and type(node.value) is int and node.value == value:
                    yield f"{file.name}, line {node.lineno}"
                elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value != docstring:
                    if re.search(rf"(?<![\w-]){value}(?![\w-])", node.value):
                        yield f"{file.name}, line {node.lineno} ({node.value!r})"


def _sources(root: Game[Any]) -> Iterator[tuple[Path, ast.Module]]:
    """The source of a game, file by file, the rules first."""
    assert root.file is not None
    files = [root.file]
    if root.file.name == "__init__.py":
        named = [root.file.with_name(f"{name}.py") for name in ("rules", "words", "heuristic")]
        files = [file for file in named if file.exists()]
        files += [file for file in sorted(root.file.parent.glob("*.py")) if file not in files]
    for file in files:
        yield file, ast.parse(file.read_text(encoding="utf-8"))


def _functions(root: Game[Any]) -> dict[str, ast.FunctionDef]:
    """The functions of a game by name; where two modules use one name, also with the module's before it."""
    if root.file is None:
        raise BadGame(f"{root.slug} was not loaded from a file: only its numbers can be changed")
    found: dict[str, ast.FunctionDef] = {}
    for file, tree in _sources(root):
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                found.setdefault(node.name, node)
                found[f"{file.stem}.{node.name}"] = node
    return found


# ------------------------------------------------------------------------------------------------- executing once more


_numbers = count(1)


def _execute(root: Game[Any], changes: list[Change]) -> Game[Any]:
    """The root with its modules executed under these changes."""
    name = f"{root.package}@{changes[-1].slug}-{next(_numbers)}"
    run = _Run(name, root, changes)
    _RUNS[name] = run
    import_module(name)
    if run.game is None:
        raise BadGame(f"{changes[-1].slug}: {root.file} declares no game when it is executed once more")
    for change in changes:
        for rule_name in change.rules.keys() - run.replaced - run.lazy:
            raise BadGame(f"{changes[-1].slug}: {rule_name} could not be replaced")
    return run.game


class _Run:
    """One more execution of a game's modules."""

    def __init__(self, name: str, root: Game[Any], changes: list[Change]) -> None:
        self.name = name
        self.root = root
        self.changes = changes
        self.game: Game[Any] | None = None
        self.families = {game.package for game in _ancestors(root, changes)} | {root.package}
        self.first = {key: file for file, tree in list(_sources(root))[::-1] for key in _defined(tree)}
        """By function, the file that defines it first."""
        self.replaced: set[str] = set()
        self.lazy = {key for key, file in self.first.items() if file.stem == "heuristic"}
        self.lazy |= {key for change in changes for key in change.rules if key.startswith("heuristic.")}
        """What is replaced only when the heuristic is wanted."""

    def replacements(self, function: str, file: Path) -> list[Callable[..., Any]]:
        """What takes the place of a function, one after the other."""
        names = [f"{file.stem}.{function}", *([function] if self.first.get(function) == file else [])]
        self.replaced |= set(names)
        return [change.rules[name] for change in self.changes for name in names if name in change.rules]

    def module_of(self, name: str) -> str | None:
        """The module of this execution that stands for a module of the root or of a variant before this one."""
        for family in self.families:
            if name == family or name.startswith(f"{family}."):
                return self.name + name[len(family) :]
        return None


def _ancestors(root: Game[Any], changes: list[Change]) -> Iterator[Game[Any]]:
    for run in _RUNS.values():
        if run.root.package == root.package and run.game is not None:
            yield run.game


def _defined(tree: ast.Module) -> list[str]:
    return [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]


_RUNS: dict[str, _Run] = {}


class _Finder(MetaPathFinder):
    """Finds the modules of games that are executed once more."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        package, _, inner = name.rpartition("@")
        run = _RUNS.get(f"{package}@{inner.partition('.')[0]}")
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

    def __init__(self, run: _Run, file: Path) -> None:
        self.run = run
        self.file = file

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = str(self.file)
        if self.file.name == "__init__.py":
            module.__path__ = []  # nobody but the finder above may find what is in it
        adopted: list[_Adopted] = []
        tree = ast.parse(self.file.read_text(encoding="utf-8"))
        flags = 0
        for statement in tree.body:
            if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
                for feature in statement.names:
                    flags |= getattr(__future__, feature.name).compiler_flag
            code = compile(ast.Module([statement], []), str(self.file), "exec", flags, dont_inherit=True)
            exec(code, module.__dict__)
            if isinstance(statement, ast.FunctionDef):
                adopted += self._replace(module, statement.name)
            elif isinstance(statement, ast.ClassDef):
                self._add_fields(module, statement.name)
            if isinstance(game := self._declared(module), Game):
                self.run.game = game
                break
        for one in adopted:
            one.settle(self.run)

    def _declared(self, module: ModuleType) -> Game[Any] | None:
        is_home = module.__name__ == self.run.name
        games = (one for one in list(vars(module).values()) if isinstance(one, Game) and one.package == module.__name__)
        return next(games, None) if is_home else None

    def _replace(self, module: ModuleType, name: str) -> list[_Adopted]:
        adopted = []
        for function in self.run.replacements(name, self.file):
            one = _Adopted(function, name, vars(module)[name], module)
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


def _body(fields: Mapping[str, Field], module: str) -> Callable[[dict[str, Any]], None]:
    return lambda space: space.update(fields, __module__=module)


class _Adopted:
    """A function from outside that takes the place of one of the game's.

    It and its own helpers are copied, so that what they name of the game is what the variant has under that name; but
    within the function its own old name is the one it replaces.
    """

    def __init__(self, function: Callable[..., Any], name: str, original: Any, home: ModuleType) -> None:
        assert isinstance(function, FunctionType)
        self.name = name
        self.original = original
        self.copies: dict[FunctionType, FunctionType] = {}
        self.function = self._copy(function)
        if mark_of(original) is not None:
            rule(self.function)
        self.function.__module__ = home.__name__

    def _copy(self, function: FunctionType) -> FunctionType:
        space = dict(function.__globals__)
        twin = FunctionType(function.__code__, space, function.__name__, function.__defaults__, function.__closure__)
        twin.__dict__.update(function.__dict__)
        twin.__kwdefaults__ = function.__kwdefaults__
        twin.__qualname__ = function.__qualname__
        self.copies[function] = twin
        return twin

    def settle(self, run: _Run) -> None:
        """Let all that was copied name what the variant has."""
        waiting = list(self.copies)
        while waiting:
            function = waiting.pop()
            space = self.copies[function].__globals__
            for name, value in dict(space).items():
                if isinstance(value, FunctionType):
                    home = run.module_of(value.__module__)
                    if home is not None:
                        own = value.__name__ == self.name
                        space[name] = self.original if own else getattr(import_module(home), value.__name__, value)
                    elif value in self.copies:
                        space[name] = self.copies[value]
                    elif value.__module__ == function.__module__ and value.__globals__ is function.__globals__:
                        space[name] = self._copy(value)
                        waiting.append(value)
                elif isinstance(value, ModuleType) and (home := run.module_of(value.__name__)) is not None:
                    space[name] = self._seen_from_within(import_module(home))

    def _seen_from_within(self, module: ModuleType) -> ModuleType:
        view = ModuleType(module.__name__)
        view.__dict__.update(module.__dict__)
        if self.name in view.__dict__ and view.__name__ == self.function.__module__:
            view.__dict__[self.name] = self.original
        return view


# ----------------------------------------------------------------------------------------------------------- identity


def identity(game: Game[Any]) -> dict[str, object] | None:
    """What a record says of rules that do not come with Upcard; None for those that do.

    The same on every version of Python, and whatever the heuristic does.
    """
    root = root_of(game)
    shipped = root.package.startswith("upcard.games.")
    if shipped and game.base is None:
        return None
    told: dict[str, object] = {} if game.base is None else {"variant_of": root.slug}
    numbers = {name: game.options.numbers[name] for change in changes_of(game) for name in change.numbers}
    if numbers:
        told["numbers"] = {
            name: _source_of(one.value) if callable(one.value) else _plain(one.value) for name, one in numbers.items()
        }
    digest = hashlib.sha256()
    if not shipped:
        for file, tree in _sources(root):
            if file.stem not in ("words", "heuristic") and not file.stem.startswith("test"):
                digest.update(canonical(_until_declared(tree)).encode())
    for change in changes_of(game):
        digest.update(_rules_of(root, change).encode())
    if not shipped or any(one.rules or one.fields or one.options for one in changes_of(game)):
        told["rules"] = digest.hexdigest()[:16]
    return told


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _until_declared(tree: ast.Module) -> ast.Module:
    """A module without what comes after the game is declared: variants of it, tests, a main program."""
    body = []
    for node in tree.body:
        body.append(node)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            if getattr(node.value.func, "id", getattr(node.value.func, "attr", "")) == "define_game":
                break
    return ast.Module(body, [])


def _rules_of(root: Game[Any], change: Change) -> str:
    """A change's rules, fields and options in words that mean the same on every version of Python."""
    assert root.file is not None
    words = {key for file, tree in _sources(root) if file.stem in ("words", "heuristic") for key in _defined(tree)}
    rules = {key for file, tree in _sources(root) if file.stem not in ("words", "heuristic") for key in _defined(tree)}
    told = []
    for name in sorted(change.rules):
        module, _, function = name.rpartition(".")
        if module in ("words", "heuristic") or (not module and function in words - rules):
            continue
        told += [name, *_reached_sources(change.rules[name], set())]
    told += [f"{name} {field}" for name, field in sorted(change.fields.items())]
    told += [
        f"{name} {option.kind} {option.values} {option.default}" for name, option in sorted(change.options.items())
    ]
    return "\n".join(told)


def _reached_sources(function: Any, seen: set[Any]) -> list[str]:
    """The source of a function from outside and of its helpers, and the numbers that they name."""
    seen.add(function)
    told = [_source_of(function)]
    for name, value in sorted(globals_of(function), key=lambda pair: pair[0]):
        if isinstance(value, FunctionType) and value.__globals__ is function.__globals__:
            if value not in seen:
                told += [name, *_reached_sources(value, seen)]
        elif isinstance(value, int | tuple):
            told.append(f"{name} {value!r}")
    return told


def _source_of(function: Callable[..., Any]) -> str:
    name = getattr(function, "__name__", "a rule")
    try:
        return canonical(ast.parse(textwrap.dedent(inspect.getsource(function))))
    except (OSError, TypeError):
        raise BadGame(f"{name} has no source: write it in a file (or a notebook's cell), not at a prompt") from None
    except SyntaxError:
        raise BadGame(f"{name} is no function with a name of its own: write it with `def`") from None


def canonical(node: Any) -> str:
    """A syntax tree as text: without comments, layout, docstrings, annotations and marks, the same on all versions."""
    if isinstance(node, list):
        return "[" + " ".join(map(canonical, node)) + "]"
    if not isinstance(node, ast.AST):
        return repr(node)
    told = []
    for name in sorted(node._fields):
        value = getattr(node, name, None)
        if name in _LEFT_OUT or value is None or value == []:
            continue
        if name == "body" and isinstance(value, list):
            value = [one for one in value if not _is_text(one)]
        told.append(f"{name}={canonical(value)}")
    return f"({type(node).__name__} {' '.join(told)})"


_LEFT_OUT = {"annotation", "ctx", "decorator_list", "kind", "returns", "type_comment", "type_ignores", "type_params"}


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def differences(game: Game[Any]) -> list[str]:
    """What a variant changes, in words, one line each; empty for a game that is none."""
    lines = []
    for change in changes_of(game):
        for name, value in change.numbers.items():
            number = root_of(game).options.numbers[name]
            told = (
                "a function of the table"
                if callable(value)
                else brief(value)
                if isinstance(value, int | str)
                else value
            )
            lines.append(f"{name} is {told} ({number.help or 'a number of the rules'}, {number.clause})")
        for name, function in change.rules.items():
            gist = (inspect.getdoc(function) or "replaced").partition("\n")[0]
            lines.append(f"{name}: {gist}")
        for name in change.fields:
            lines.append(f"a further field: {name}")
        for name, option in change.options.items():
            lines.append(f"a further option: {name}, {option.help}")
    return lines


__all__ = ["Change", "changes_of", "derive", "differences", "identity", "root_of"]
