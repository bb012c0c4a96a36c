"""`upcard serve`, and what those who run a house need besides."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from upcard.cli.common import needs

app = typer.Typer(rich_markup_mode=None)

DataOption = Annotated[
    Path | None,
    typer.Option(help="Where matches are kept; by default the user's data directory. UPCARD_DATABASE goes before it."),
]


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8018,
    lan: Annotated[bool, typer.Option("--lan", help="Let others in your network in, and say where.")] = False,
    data: DataOption = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
    public_url: Annotated[
        str | None,
        typer.Option("--public-url", metavar="URL", help="Where people find it, behind a proxy: https://cards.example"),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="A reverse proxy whose X-Forwarded-* headers are believed; repeatable."),
    ] = None,
    title: Annotated[str, typer.Option(help="What the house is called.")] = "Upcard",
    passphrase: Annotated[
        str | None, typer.Option(envvar="UPCARD_PASSPHRASE", help="What people must know to come in.")
    ] = None,
    limit_requests: Annotated[float, typer.Option(min=0.1, help="Requests a second from one address.")] = 20.0,
    limit_sockets: Annotated[int, typer.Option(min=1, help="Open tables of one address, by browser window.")] = 500,
    limit_tables: Annotated[int, typer.Option(min=1, help="New tables an hour from one address.")] = 120,
    keep_days: Annotated[
        int | None, typer.Option(min=1, help="Delete tables after so many days, counted from their last move.")
    ] = None,
    warm: Annotated[bool, typer.Option("--warm/--no-warm", help="Make strong players ready at once.")] = True,
    access_log: Annotated[bool, typer.Option("--access-log", help="A line on standard output per request.")] = False,
) -> None:
    """Open a table to play at in the browser."""
    with needs("serve"):
        from upcard.server import make_database, run
        from upcard.server.hosting import Hosting, Limits
        from upcard.server.listening import EVERYWHERE
    hosting = Hosting(
        make_database(data),
        title=title,
        public_url=public_url,
        proxies=tuple(proxy or ()),
        passphrase=passphrase,
        limits=Limits(limit_requests, limit_sockets, limit_tables),
        keep_days=keep_days,
        warm=warm,
    )
    if lan and public_url is None:
        typer.echo("Anybody in your network can come in; what goes over plain HTTP can be read on the way.")
    run(hosting, EVERYWHERE if lan else host, port, open_browser=browser, access_log=access_log)


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="Where the copy goes; a file that is there is replaced.")],
    data: DataOption = None,
) -> None:
    """Copy all tables into one file, while the server goes on.

    To restore it, put it in the place of upcard.sqlite3 in the data directory while no server runs.
    """
    with needs("serve"):
        from upcard.server import database
        from upcard.server.backup import back_up
    back_up(database(data), file)
    typer.echo(f"{file} has all tables ({file.stat().st_size / 1000:,.0f} kB)")


admin = typer.Typer(help="Look after the tables of a house, while its server goes on.")
app.add_typer(admin, name="admin")


@admin.callback(invoke_without_command=True)
def admin_help(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@admin.command("tables")
def admin_tables(
    most: Annotated[int, typer.Option(min=1, help="So many of the newest.")] = 50, data: DataOption = None
) -> None:
    """List the newest tables: id, when it was made, whether it is over, game, players."""
    with needs("serve"):
        from upcard.server import database
        from upcard.server.admin import overview
    for line in overview(database(data), most):
        typer.echo(line)


@admin.command("export")
def admin_export(
    table: Annotated[str, typer.Argument(help="The id of a table, as in its link.")], data: DataOption = None
) -> None:
    """Print the match record of a table, finished or not. Whoever reads it sees all cards."""
    with needs("serve"):
        from upcard.server import database
        from upcard.server.admin import export
    typer.echo(export(database(data), table))


@admin.command("close")
def admin_close(
    table: Annotated[str, typer.Argument(help="The id of a table, as in its link.")], data: DataOption = None
) -> None:
    """End the match of a table, without a winner. Whoever looks at it is told within two seconds."""
    with needs("serve"):
        from upcard.server import database
        from upcard.server.admin import close
    close(database(data), table)
    typer.echo(f"Table {table} is closed: whoever looks at it is told.")
