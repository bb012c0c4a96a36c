"""`upcard new-game`: a new game, copied from the small complete trick-taking game in `template/`."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from typing import Annotated

import typer

from upcard import games
from upcard.cli.common import group
from upcard.engine.errors import UpcardError
from upcard.rules.text import listed

app = group()

TEMPLATE = Path(__file__).parent / "template"
LONGEST = 40


@app.command("new-game", epilog="Example: upcard new-game 'Crazy Tricks'")
def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help='The title of the game, such as "Crazy Tricks".')],
    into: Annotated[Path, typer.Option(metavar="DIR", help="The folder in which to make the game's folder.")] = Path(
        "."
    ),
) -> None:
    """Make a folder with a small complete game, for you to change into your own."""
    folder = write_template(name, into)
    slug = slug_of(name)
    typer.echo(
        f"{folder} has a small complete trick-taking game: {listed(sorted(file.name for file in folder.iterdir()))}."
    )
    typer.echo(f"  play it     UPCARD_GAMES={folder} upcard serve   or   UPCARD_GAMES={folder} upcard play {slug}")
    typer.echo(f"  check it    upcard check-game {folder}")


def write_template(name: str, into: Path) -> Path:
    """Write a complete, playable game of this name to a new folder in `into`; returns that folder.

    Raises UpcardError for an invalid name, a name that is taken, or a folder that exists already.
    """
    slug = slug_of(name)
    if slug in games.names():
        raise UpcardError(f"there is already a game called {slug}: choose another name")
    folder = into / slug.replace("-", "_")
    if folder.exists():
        raise UpcardError(f"{folder} exists already: choose another name, or another folder with --into")
    named = replacements(name, slug)
    for file in sorted(TEMPLATE.rglob("*")):
        if file.suffix in (".py", ".md"):
            copy = folder / file.relative_to(TEMPLATE)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(renamed(file.read_text(encoding="utf-8"), named), encoding="utf-8")
    return folder


def slug_of(name: str) -> str:
    """The slug of a title: `crazy-tricks` for "Crazy Tricks". Raises UpcardError for an invalid or too long title."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9]*([ _-][A-Za-z0-9]+)*", name) or len(name) > LONGEST:
        raise UpcardError(
            f"a game's name has up to {LONGEST} letters and digits, begins with a letter, and can have spaces or "
            f"hyphens between them; this is {name!r:.60}"
        )
    return re.sub(r"[ _]", "-", name).lower()


def replacements(name: str, slug: str) -> dict[str, str]:
    """The replacements for the names in the template."""
    parts = slug.split("-")
    title = name if " " in name or name != slug else " ".join(part.capitalize() for part in parts)
    initials = "".join(part[0] for part in parts if not part[0].isdigit())
    named = "".join(part.capitalize() for part in parts)
    prefix = (initials if len(initials) > 1 else re.sub(r"\d", "", slug)[:2].ljust(2, "x")).upper()[:3]
    return {
        "Plain Tricks": title,
        "PlainTricks": f"{named}Game" if keyword.iskeyword(named) else named,
        "plain-tricks": slug,
        "**PT**": f"**{prefix}**",
        "PT-": f"{prefix}-",
    }


def renamed(text: str, words: dict[str, str]) -> str:
    for old, new in words.items():
        text = text.replace(old, new)
    return text
