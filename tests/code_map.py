"""The map of the code, a line a module, from the first sentences of their docstrings.

python tests/code_map.py > MAP.md
"""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src/upcard"
PACKAGES = (
    *("rules", "games", "languages", "engine", "policies", "compiled", "players", "table", "laws", "lab", "house"),
    "envs",
)
PROCESSES = "workers"
"""A module of its own, between the packages and the faces."""
FACES = ("server", "terminal", "browser", "cli")
GAME = "sixty_six"
"""The game whose modules stand for those of all games."""


def first_sentence(file: Path) -> str:
    """The first sentence of a module's docstring on one line, without the full stop."""
    paragraph = (ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "").partition("\n\n")[0]
    line = " ".join(paragraph.split())
    end = line.find(". ")
    return (line if end < 0 else line[:end]).removesuffix(".")


def modules_in(folder: Path) -> list[Path]:
    """The modules of a package that are not its `__init__.py`, those of packages in it after its own."""
    own = [file for file in sorted(folder.glob("*.py")) if file.name != "__init__.py"]
    inner = [part for part in sorted(folder.iterdir()) if (part / "__init__.py").exists() and part.name != "template"]
    if folder.name == "games":
        inner = [folder / GAME, folder / "kalooki"]
    return own + [file for part in inner if part.name != "migrations" for file in modules_in(part)]


@cache
def code_map() -> str:
    """The whole map, as Markdown."""
    lines = ["# The modules of Upcard", "", "Made from their docstrings: `python tests/code_map.py > MAP.md`.", ""]
    for name in (*PACKAGES, PROCESSES, *FACES):
        if name == PROCESSES:
            file = SOURCES / f"{name}.py"
            lines += [f"## {name}", "", f"[{name}]({file.relative_to(ROOT)}): {first_sentence(file)}.", ""]
            continue
        folder = SOURCES / name
        lines += [f"## {name}", "", f"{first_sentence(folder / '__init__.py')}.", ""]
        lines += [
            f"- [{file.relative_to(folder).with_suffix('')}]({file.relative_to(ROOT)}): {first_sentence(file)}"
            for file in modules_in(folder)
        ]
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    print(code_map(), end="")
