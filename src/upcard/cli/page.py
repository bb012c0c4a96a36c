"""`upcard page`: the page in the browser as files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from upcard.cli.common import group, needs

app = group()


@app.command(epilog="Example: upcard page --static cards")
def page(
    static: Annotated[
        Path, typer.Option("--static", metavar="FOLDER", help="The folder to write; an earlier edition is replaced.")
    ],
) -> None:
    """Write Upcard as a folder of files that needs no server of its own: any web host can offer it.

    People play against computer players of every level in their browsers, which keep their matches. The first time, the
    games are compiled for browsers, which takes some minutes. docs/no-server.md has more.
    """
    with needs("serve"):
        from upcard.browser.folder import write_folder
    typer.echo("Compiling the games for browsers: this takes some minutes, once", err=True)
    size = write_folder(static)
    typer.echo(f"{static} contains Upcard without a server ({size / 1_000_000:.1f} MB)")
    typer.echo(f"Put it on a web host, or try it here: python -m http.server --directory {static}")
