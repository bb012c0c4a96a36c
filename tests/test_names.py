"""A name in the sources means one thing, and says what it stands for."""

import ast
import subprocess
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import upcard

ROOT = Path(upcard.__file__).parent
TEMPLATE = ROOT / "cli/template"
MODULES = {
    file.relative_to(ROOT): ast.parse(file.read_text()) for file in ROOT.rglob("*.py") if TEMPLATE not in file.parents
}
PACKAGES = sorted({module.parts[0] for module in MODULES})

SHARED = {
    "below": "compiled, it replaces the other: `in_place_of`",
    "stream": "compiled, it replaces the other: `in_place_of`",
    "card_values": "public in the lab, where it measures, and among numbers, where it declares",
    "load": "public: a game, and a game for OpenSpiel, which calls it so",
    "rollouts": "public: on the processor and on a GPU",
    "main": "where a program begins",
    "upgrade": "the name that Alembic calls",
}
"""Functions that share a name, each with the reason."""
VAGUE = {"told", "said", "kept", "found", "made"}
"""Participles that have stood for anything; a variable is named for what it is."""
PUBLIC = {"kept", "said"}
"""Documented keywords of the lab, of the fields of a state, and of a verb."""
FORMER = [
    ("upcard.engine.events", "Notice", "SeenEvent"),
    ("upcard.lab", "Cards", "CardValues"),
    ("upcard.lab", "Luck", "LuckShares"),
    ("upcard.lab.gpu", "Rollouts", "GpuRollouts"),
    ("upcard.laws", "Verdict", "LawVerdict"),
    ("upcard.envs", "Table", "TableLike"),
    ("upcard.games", "Elsewhere", "NotImportable"),
    ("upcard.rules.rng", "Luck", "Rng"),
    ("upcard.players", "kind_of", "player_kind"),
    ("upcard.lab.variance", "shares", "variance_shares"),
    ("upcard.lab.comparison", "one_by_one", "sum_in_order"),
]
MOVED = [
    ("upcard.rules.luck", "any_card", "upcard.rules.rng"),
    ("upcard.lab.duplicate", "seatings", "upcard.lab.arena"),
    ("upcard.lab.skill", "split", "upcard.lab.variance"),
    ("upcard.lab.values", "CardValue", "upcard.lab.card_values"),
    ("upcard.lab.dominance", "replies", "upcard.lab.best_reply"),
    ("upcard.rules.words", "words", "upcard.rules.enums"),
    ("upcard.rules.words", "counted", "upcard.rules.phrases"),
    ("upcard.rules.melds", "owner_of", "upcard.games.kalooki.melds"),
    ("upcard.rules.making", "tally", "upcard.games.kalooki.making"),
    ("upcard.rules.double_pack", "cards_at", "upcard.games.kalooki.double_pack"),
]


def is_command(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function is a command, which is called like what it runs, or an overload."""
    decorators = [ast.unparse(decorator) for decorator in function.decorator_list]
    return any(".command(" in decorator or decorator == "overload" for decorator in decorators)


def homes(kinds: type | tuple[type, ...]) -> dict[str, list[str]]:
    """The modules that define each public top-level name of these kinds."""
    by_name: dict[str, list[str]] = defaultdict(list)
    for module, tree in MODULES.items():
        for node in tree.body:
            if isinstance(node, kinds) and not (isinstance(node, ast.FunctionDef) and is_command(node)):
                by_name[node.name].append(str(module))  # type: ignore[attr-defined]
    return {name: modules for name, modules in by_name.items() if name[0] != "_" and len(modules) > 1}


def test_no_two_classes_share_a_name() -> None:
    assert homes(ast.ClassDef) == {}


def test_no_two_functions_share_a_name_without_a_reason() -> None:
    assert {*homes((ast.FunctionDef, ast.AsyncFunctionDef))} == {*SHARED}


def vague_variables(tree: ast.AST) -> Iterator[str]:
    """The variables and parameters with such a name; fields of classes and public keywords are no variables."""
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    fields = {statement.target for node in classes for statement in node.body if isinstance(statement, ast.AnnAssign)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in VAGUE:
            if node not in fields:
                yield f"line {node.lineno}: {node.id}"
        if isinstance(node, ast.arg) and node.arg in VAGUE - PUBLIC:
            yield f"line {node.lineno}: {node.arg}"


@pytest.mark.parametrize("package", PACKAGES)
def test_no_variable_has_a_vague_name(package: str) -> None:
    by_module = {
        str(module): [*vague_variables(tree)] for module, tree in MODULES.items() if module.parts[0] == package
    }
    assert {module: lines for module, lines in by_module.items() if lines} == {}


@pytest.mark.parametrize(("module", "former", "name"), FORMER)
def test_a_former_name_works_and_is_announced(module: str, former: str, name: str) -> None:
    home = import_module(module)
    with pytest.warns(DeprecationWarning, match=f"{module}.{former} is called {module}.{name} now"):
        assert getattr(home, former) is getattr(home, name)
    with warnings.catch_warnings(), pytest.raises(AttributeError, match="nothing_of_this_name"):
        home.nothing_of_this_name  # noqa: B018


@pytest.mark.parametrize(("former", "name", "module"), MOVED)
def test_a_former_module_leads_to_the_present_one(former: str, name: str, module: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"{former}.{name} is called {module}.{name} now"):
        assert getattr(import_module(former), name) is getattr(import_module(module), name)


def test_a_former_module_can_be_imported_in_every_way() -> None:
    program = """
import upcard.lab.dominance
import upcard.lab.values as values
from upcard.lab import skill
from upcard.rules.words import counted
print(upcard.lab.dominance.replies.__name__, values.CardValue.__name__, skill.split.__name__, counted.__name__)
from upcard.lab.duplicate import nothing
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True)
    assert done.stdout == "replies CardValue split counted\n"
    assert "cannot import name 'nothing' from 'upcard.lab.duplicate'" in done.stderr
