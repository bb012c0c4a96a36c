"""`upcard new-game`: create a game by copying the small complete trick-taking game in `template/`."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from typing import Annotated

import typer

from upcard import games
from upcard.cli.common import group
from upcard.engine.errors import UpcardError
from upcard.rules.sentences import listed

app = group()

TEMPLATE = Path(__file__).parent / "template"
LONGEST = 40


@app.command("new-game", epilog="Example: upcard new-game 'Crazy Tricks'")
def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help='The title of the game, e.g. "Crazy Tricks".')],
    into: Annotated[Path, typer.Option(metavar="DIR", help="The folder in which to create the game's folder.")] = Path(
        "."
    ),
) -> None:
    """Create a folder with a small complete game, for you to turn into your own."""
    folder = write_template(name, into)
    slug = slug_of(name)
    files = listed(sorted(file.name for file in folder.iterdir()))
    typer.echo(f"{folder} contains a small complete trick-taking game: {files}.")
    typer.echo(f"  play it     UPCARD_GAMES={folder} upcard serve   or   UPCARD_GAMES={folder} upcard play {slug}")
    typer.echo(f"  check it    upcard check-game {folder}")


def write_template(name: str, into: Path) -> Path:
    """Write a complete, playable game of this name to a new folder in `into`; returns that folder.

    Raises UpcardError for an invalid name, a name that is taken, or a folder that already exists.
    """
    slug = slug_of(name)
    if slug in games.names():
        raise UpcardError(f"there is already a game called {slug}: choose another name")
    folder = into / slug.replace("-", "_")
    if folder.exists():
        raise UpcardError(f"{folder} already exists: choose another name, or another folder with --into")
    names = replacements(name, slug)
    for file in sorted(TEMPLATE.rglob("*")):
        if file.suffix in (".py", ".md", ".toml"):
            copy = folder / file.relative_to(TEMPLATE)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(renamed(file.read_text(encoding="utf-8"), names), encoding="utf-8")
    return folder


def slug_of(name: str) -> str:
    """The slug of a title: `crazy-tricks` for "Crazy Tricks". Raises UpcardError for an invalid or too long title."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9]*([ _-][A-Za-z0-9]+)*", name) or len(name) > LONGEST:
        raise UpcardError(
            f"a game's name has up to {LONGEST} letters and digits, begins with a letter, and can have spaces or "
            f"hyphens between them, unlike {name!r:.60}"
        )
    return re.sub(r"[ _]", "-", name).lower()


def replacements(name: str, slug: str) -> dict[str, str]:
    """The replacements for the names in the template, by what they replace."""
    parts = slug.split("-")
    title = name if " " in name or name != slug else " ".join(part.capitalize() for part in parts)
    initials = "".join(part[0] for part in parts if not part[0].isdigit())
    class_name = "".join(part.capitalize() for part in parts)
    prefix = (initials if len(initials) > 1 else re.sub(r"\d", "", slug)[:2].ljust(2, "x")).upper()[:3]
    return {
        "Plain Tricks": title,
        "PlainTricks": f"{class_name}Game" if keyword.iskeyword(class_name) else class_name,
        "plain-tricks": slug,
        "**PT**": f"**{prefix}**",
        "PT-": f"{prefix}-",
    }


def renamed(text: str, words: dict[str, str]) -> str:
    for old, new in words.items():
        text = text.replace(old, new)
    return text
