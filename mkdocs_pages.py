"""The pages of the documentation site that are made from other files: the first page, the games, figures, changes."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT / "src"))

from upcard import games  # noqa: E402

COPIES = {
    "README.md": "index.md",
    "bench/results.md": "results.md",
    "bench/history.md": "history.md",
    "CHANGELOG.md": "changelog.md",
}
"""Files of the repository that are pages as they stand."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Name the pages of the games in the navigation."""
    play: list[Any] = next(part["Play"] for part in config.nav or [] if isinstance(part, dict) and "Play" in part)
    play[-1] = {"Games": [{games.load(slug).title: f"games/{slug}.md"} for slug in games.SLUGS]}
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made here."""
    for source, page in COPIES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=at_home(text)))
    for slug in games.SLUGS:
        files.append(File.generated(config, f"games/{slug}.md", content=page_of(slug)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Let links lead to pages of the site, and name the files that code stands in."""
    markdown = re.sub(r"^```(\w+) file=(\S+)$", r'```\1 title="\2"', markdown, flags=re.MULTILINE)
    return re.sub(r"\]\(\.\./bench/(results|history)\.md", r"](\1.md", markdown)


def at_home(text: str) -> str:
    """A file of the repository's root, with links that lead to pages of the site where there is one."""
    text = re.sub(
        r"\]\((?:src/upcard/games/)(\w+)/rulebook\.md\)", lambda m: f"](games/{m[1].replace('_', '-')}.md)", text
    )
    for source, page in COPIES.items():
        text = text.replace(f"]({source})", f"]({page})")
    text = text.replace("](docs/", "](").replace("](../docs/", "](")
    return re.sub(
        r"\[([^]]*)\]\((?:CONTRIBUTING\.md|LICENSE|page/[^)]*|src/[^)]*|bench/[^)]*|tests/[^)]*)\)", r"\1", text
    )


def page_of(slug: str) -> str:
    """The rules of a game, with an anchor at each clause. The page of a table has those in players' words, with its
    numbers."""
    file = ROOT / "src" / "upcard" / "games" / slug.replace("-", "_") / "rulebook.md"
    rules = _lower(file.read_text(encoding="utf-8"), 1)
    rules = re.sub(r"^- \*\*([A-Z]+-\d+)\*\*", r"- <a id=\1></a>**\1**", rules, flags=re.MULTILINE)
    return f"# {games.load(slug).title}\n\n{rules}"


def _lower(text: str, by: int) -> str:
    """Headings so many steps further down."""
    return re.sub(r"^(#+) ", lambda m: "#" * by + m[1] + " ", text, flags=re.MULTILINE)
