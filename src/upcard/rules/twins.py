"""Twins: functions made from methods, the form in which the rules of a class are checked, hashed and compiled.

Numba compiles functions, but neither classes nor `super()`. So each method that the rules of a class call gets a twin:
a function with `self` as its first argument, in which `self.rule(…)`, `super().rule(…)` and `Base.rule(self, …)` call
the twins of the methods that Python would find. Functions that take `self` have twins as well. In plain Python a
twin does the same as its method.
"""

from __future__ import annotations

import ast
import copy
import inspect
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

from upcard.rules.dependencies import globals_of
from upcard.rules.errors import BadGame
from upcard.rules.game import FINAL, Game
from upcard.rules.marks import RuleMark, mark_of
from upcard.rules.phrases import suggestion
from upcard.rules.source import is_method, node_of, place


def twins_of(cls: type) -> Twins:
    """The twins of a class. Cached. Classes that add no methods share those of the class above."""
    return _twins_of(home_of_rules(cls))


@lru_cache(maxsize=256)
def _twins_of(cls: type) -> Twins:
    return Twins(cls)


def home_of_rules(cls: type) -> type:
    """The class itself if it adds methods or has other states, else the one above."""
    base, *others = cls.__bases__
    has_other_states = getattr(cls, "state", None) is not getattr(base, "state", None)
    is_new = others or has_other_states or any(map(is_method, vars(cls).values()))
    return cls if is_new else home_of_rules(base)


class Twins:
    """The twins of a class, each created when it is first needed."""

    def __init__(self, cls: type) -> None:
        self.cls = cls
        self._spaces: dict[int, dict[str, Any]] = {}
        """The globals of the twins, by the id of their methods' globals, or of a method of a class in a function."""
        self._made: dict[FunctionType, FunctionType] = {}
        self._lock = threading.RLock()
        """Held while twins are created: other threads must not see a twin without those that it calls."""

    def __getitem__(self, name: str) -> FunctionType:
        """The twin of the method with this name. Raises KeyError if the class has none, and BadGame."""
        owner = defining_class(self.cls.__mro__, name)
        return self.of(vars(owner)[name], owner)

    def of(self, method: FunctionType, owner: type) -> FunctionType:
        """The twin of a method that the class `owner` defines. Raises BadGame if it cannot be a rule."""
        with self._lock:
            if method not in self._made:
                self._make(method, self._origin(method, owner))
            return self._made[method]

    def _make(self, method: FunctionType, owner: type) -> None:
        around = _around(method)
        key = id(method) if around else id(method.__globals__)
        space = self._spaces.setdefault(key, method.__globals__ | around)
        calls = _Calls(self.cls, owner, method)
        twin = self._made[method] = FunctionType(calls.code(), space, method.__name__, method.__defaults__)
        twin.__kwdefaults__, twin.__module__ = method.__kwdefaults__, method.__module__
        twin.__qualname__ = method.__name__  # by it, linking identifies the rules that loops call
        twin.__dict__.update(_upcard_mark=mark_of(method) or RuleMark(), _upcard_method=method, _upcard_tree=calls.tree)
        for name, (function, home) in calls.called.items():
            space[name] = self.of(function, home) if home is not None else function

    def _origin(self, method: FunctionType, owner: type) -> type:
        """The class in which a method was written, usually `owner`. Raises BadGame for a method that cannot be a rule:
        one that is `async`, that comes from a decorator, or that was written for a class that is not a base."""
        code, fault = method.__code__, ""
        cells = dict(zip(code.co_freevars, method.__closure__ or (), strict=True))
        origin: type = cells["__class__"].cell_contents if "__class__" in cells else owner
        is_in_class = method in vars(owner).values()
        if inspect.iscoroutinefunction(method):
            fault = "is `async`: write it with `def` alone"
        elif is_in_class and _around(method) and not code.co_qualname.startswith(f"{owner.__qualname__}."):
            fault = "has a decorator, and rules are compiled as they are written: take it away"
        elif origin not in self.cls.__mro__:
            fault = f"was written for {origin.__name__}, where super() is another: write it anew"
        if fault:
            raise BadGame(f"{place(method)}: {owner.__name__}.{method.__name__} {fault}")
        return origin

    def outdated(self) -> Iterator[str]:
        """A message for each name whose value in a method differs by now from that in its twin."""
        for method, twin in self._made.items():
            now = method.__globals__ | _around(method)
            for name, value in globals_of(twin).items():
                if name in now and now[name] is not value and now[name] != value:
                    yield f"{place(method)}: {method.__name__} names {name}, which has changed since the class was made"


def _around(method: FunctionType) -> dict[str, Any]:
    """The variables that a method names from the function around its class, if there is one."""
    values = {}
    for name, cell in zip(method.__code__.co_freevars, method.__closure__ or (), strict=True):
        with suppress(ValueError):  # a class under construction has no value yet
            values[name] = cell.cell_contents
    values.pop("__class__", None)
    return values


def defining_class(classes: tuple[type, ...], name: str) -> type:
    """The first of these classes that defines a name. Raises KeyError."""
    for cls in classes:
        if name in vars(cls):
            return cls
    raise KeyError(name)


class _Calls(ast.NodeTransformer):
    """Turns the calls of methods, within a method, into calls of functions."""

    def __init__(self, cls: type, owner: type, method: FunctionType) -> None:
        self.cls, self.owner, self.method = cls, owner, method
        self.space = method.__globals__ | _around(method)
        self.tree: ast.FunctionDef = copy.deepcopy(node_of(method))
        self.called: dict[str, tuple[Any, type | None]] = {}
        """Each called method with its class, by the name of the global for its twin. The function that clears a state
        has no twin and no class."""

    def code(self) -> CodeType:
        """The code of the twin."""
        node = self.tree
        if not node.args.args or node.args.posonlyargs or node.args.vararg or node.args.kwarg:
            raise self._refusal(node, "the parameters are other than `self` and named ones: write them out")
        self.me = node.args.args[0].arg
        node.decorator_list, node.returns = [], None
        node.args.defaults, node.args.kw_defaults = [], [None for _ in node.args.kwonlyargs]
        for argument in (*node.args.args, *node.args.kwonlyargs):
            argument.annotation = None
        node.body = [self.visit(statement) for statement in node.body]
        module = compile(ast.Module([node], []), self.method.__code__.co_filename, "exec", dont_inherit=True)
        return next(code for code in module.co_consts if isinstance(code, CodeType))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        me = ast.copy_location(ast.Name(self.me, ast.Load()), node)
        match node.func:
            case ast.Attribute(value=ast.Name(id=self.me), attr="clear"):
                self.called["self.clear"] = self.cls.state.clear, None  # type: ignore[attr-defined]
                return self._call(node, "self.clear", [])
            case ast.Attribute(value=ast.Name(id=self.me), attr=name) if hasattr(self.cls, name):
                return self._call(node, self._rule(node, "self", self.cls.__mro__, name), [me])
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super"), args=[]), attr=name):
                level = self.cls.__mro__.index(self.owner) + 1
                return self._call(node, self._rule(node, f"super {level}", self.cls.__mro__[level:], name), [me])
            case ast.Attribute(value=base, attr=name) if (
                isinstance(home := self._value_of(base), type) and home in self.cls.__mro__
            ):
                first = [node.args.pop(0)] if self._has_self(node) else []
                return self._call(node, self._rule(node, ast.unparse(base), home.__mro__, name), first)
            case ast.Attribute(value=ast.Name(id=base), attr=name) if base == self.owner.__name__:
                raise self._refusal(node, f"write self.{name}(…), or super().{name}(…) for the one above")
            case _ if isinstance(function := self._value_of(node.func), FunctionType) and self._has_self(node):
                name = ast.unparse(node.func)
                if mark_of(function) is None and function.__code__.co_filename[0] != "<":
                    raise self._refusal(node, f"{name} is called, which is no rule: write @rule above it")
                self.called[f"{name}.self"] = function, self.owner
                return self._call(node, f"{name}.self", [node.args.pop(0)])
        return self.generic_visit(node)

    def _value_of(self, node: ast.AST) -> Any:
        """The value of a global, or of an attribute of a module; None for anything else."""
        match node:
            case ast.Name(id=name):
                return self.space.get(name)
            case ast.Attribute(value=owner, attr=name) if isinstance(module := self._value_of(owner), ModuleType):
                return getattr(module, name, None)
        return None

    def _has_self(self, call: ast.Call) -> bool:
        return bool(call.args) and isinstance(call.args[0], ast.Name) and call.args[0].id == self.me

    def _call(self, node: ast.Call, alias: str, first: list[ast.expr]) -> ast.AST:
        """Turn a call into one of the global with this name, with these arguments before the others."""
        node.func = ast.copy_location(ast.Name(alias, ast.Load()), node)
        self.generic_visit(node)
        node.args[:0] = first
        return node

    def _rule(self, node: ast.AST, through: str, classes: tuple[type, ...], name: str) -> str:
        """The name of the global for the twin of a rule, the first of this name in these classes. Raises BadGame."""
        owner = next((part for part in classes if name in vars(part)), None)
        if owner is None:
            guess = suggestion(name, {known for part in classes for known in vars(part)}, least=0.8)
            raise self._refusal(node, f"no class above has a rule {name}{guess}")
        rule = vars(owner)[name]
        if not isinstance(rule, FunctionType) or (owner is Game and name in FINAL):
            raise self._refusal(node, f"{name} is called, which is no rule")
        if "NotImplementedError" in rule.__code__.co_names:
            raise self._refusal(node, f"no class has a rule {name}: {owner.__name__} only describes it")
        alias = f"{through}.{name}"  # no name in a source has a dot
        self.called[alias] = rule, owner
        return alias

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if not isinstance(node.value, ast.Name) or node.value.id != self.me:
            return self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            raise self._written(node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        match node.value:
            case ast.Attribute(value=ast.Name(id=self.me)) if not isinstance(node.ctx, ast.Load):
                raise self._written(node.value)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in ("super", "__class__"):
            raise self._refusal(node, "call what is above as super().rule(…), without anything in between")
        if node.id == self.me:
            fault = f"{self.me} can only be the first argument of a rule: pass on what is needed of it"
            raise self._refusal(node, fault)
        return node

    def _written(self, node: Any) -> BadGame:
        return self._refusal(node, f"`self.{node.attr}` is written to: what changes is in the state, `s`")

    def _refusal(self, node: Any, why: str) -> BadGame:
        name = f"{self.owner.__name__}.{self.method.__name__}"
        return BadGame(f"{place(self.method, node.lineno)}: in {name}, {why}")
