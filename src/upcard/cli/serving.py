"""`upcard serve`, and the commands for a server's operator: `backup` and `admin`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from upcard.cli.common import group, needs
from upcard.rules.phrases import counted

app = group()

DataOption = Annotated[
    Path | None,
    typer.Option(help="The directory for matches; the user's data directory by default. UPCARD_DATABASE overrides it."),
]
TableArgument = Annotated[str, typer.Argument(metavar="TABLE", help="The id of a table, as in its link.")]


@app.command(
    epilog="Examples: upcard serve; upcard serve --share; upcard serve --lan --title 'Thursday club'; "
    "upcard serve --public-url https://cards.example --proxy 127.0.0.1 --no-browser"
)
def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, envvar="UPCARD_PORT", help="The port; 0 for any free one.")
    ] = 8018,
    lan: Annotated[bool, typer.Option("--lan", help="Let others on your network join, and print the address.")] = False,
    share: Annotated[
        bool,
        typer.Option(
            "--share",
            help="Let friends join from anywhere, through a tunnel program that is installed here (cloudflared, "
            "tailscale or ngrok), and print the link.",
        ),
    ] = False,
    data: DataOption = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
    public_url: Annotated[
        str | None,
        typer.Option(
            "--public-url", metavar="URL", help="The site's public address behind a proxy, e.g. https://cards.example."
        ),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="A reverse proxy whose X-Forwarded-* headers to trust; may be repeated."),
    ] = None,
    title: Annotated[str, typer.Option(help="The name of the site.")] = "Upcard",
    passphrase: Annotated[
        str | None,
        typer.Option(
            envvar="UPCARD_PASSPHRASE",
            help="The passphrase that visitors must enter. Prefer the variable: anyone on this machine can read the "
            "options of a running program.",
        ),
    ] = None,
    limit_requests: Annotated[
        float, typer.Option(min=0.1, help="The number of requests per second from one address, on average.")
    ] = 20.0,
    limit_sockets: Annotated[
        int,
        typer.Option(min=1, help="The number of tables that one address can have open; each browser window counts."),
    ] = 500,
    limit_tables: Annotated[int, typer.Option(min=1, help="The number of new tables per hour from one address.")] = 120,
    keep_days: Annotated[
        int | None, typer.Option(min=1, help="Delete tables this many days after their last move.")
    ] = None,
    warm: Annotated[bool, typer.Option("--warm/--no-warm", help="Compile the strong players at startup.")] = True,
    metrics: Annotated[
        str | None,
        typer.Option(
            metavar="PORT", help="Serve metrics for Prometheus on this port, to this machine only; or on ADDRESS:PORT."
        ),
    ] = None,
    access_log: Annotated[
        bool, typer.Option("--access-log", help="Print a line on standard output for each request.")
    ] = False,
) -> None:
    """Start the server, for playing in the browser."""
    with needs("serve"):
        from upcard.server import make_database, run_server
        from upcard.server.hosting import Hosting, Limits, metrics_place
        from upcard.server.listening import EVERYWHERE
    hosting = Hosting(
        make_database(data),
        title=title,
        public_url=public_url,
        proxies=tuple(proxy or ()),
        names=(host,),
        passphrase=passphrase,
        metrics=None if metrics is None else metrics_place(metrics),
        limits=Limits(limit_requests, limit_sockets, limit_tables),
        keep_days=keep_days,
        warm=warm,
    )
    source = context.get_parameter_source("passphrase")
    if source is not None and source.name == "COMMANDLINE":
        typer.echo(
            "Anyone on this machine can read --passphrase in the process list: set UPCARD_PASSPHRASE instead.",
            err=True,
        )
    if lan and public_url is None:
        typer.echo("Anyone on your network can join. Plain HTTP is not encrypted: others there may be able to read it.")
    if share and public_url is not None:
        raise typer.BadParameter("--share makes a public address, so do not give --public-url with it")
    run_server(hosting, EVERYWHERE if lan else host, port, open_browser=browser, access_log=access_log, share=share)


@app.command(epilog="Example: upcard backup tables.sqlite3")
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file for the copy; an existing file is replaced.")],
    data: DataOption = None,
) -> None:
    """Copy all tables into one file. The server can keep running.

    To restore the copy, stop the server, replace upcard.sqlite3 in the data directory with the copy, and remove
    upcard.sqlite3-wal and upcard.sqlite3-shm next to it.
    """
    with needs("serve"):
        from upcard.server import database
        from upcard.server.admin import back_up
    back_up(database(data), file)
    typer.echo(f"{file} contains all tables ({file.stat().st_size / 1000:,.0f} kB)")


admin = group()
app.add_typer(admin, name="admin", help="Manage the tables of a server while it is running.")


@admin.callback(invoke_without_command=True)
def admin_help(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@admin.command("tables", epilog="Example: upcard admin tables --most 10")
def admin_tables(
    most: Annotated[int, typer.Option(min=1, help="The number of tables to list.")] = 50, data: DataOption = None
) -> None:
    """List the newest tables: id, date, whether the match is over, game, players."""
    with needs("serve"):
        from upcard.server import database
        from upcard.server.admin import overview
    for line in overview(database(data), most):
        typer.echo(line)


@admin.command("export", epilog="Example: upcard admin export k3x9f2ab")
def admin_export(table: TableArgument, data: DataOption = None) -> None:
    """Print the match record of a table, finished or not. The record shows all cards."""
    with needs("serve"):
        from upcard.server import database
        from upcard.server.admin import export
    typer.echo(export(database(data), table))


@admin.command("admissions", epilog="Example: upcard admin admissions")
def admin_admissions(data: DataOption = None) -> None:
    """List the browsers that have entered the passphrase: id, when they entered it, when they were last seen, and the
    last name used at a table."""
    with needs("serve"):
        from upcard.server import database
        from upcard.server.admin import admitted
    for line in admitted(database(data)):
        typer.echo(line)


@admin.command("revoke", epilog="Examples: upcard admin revoke 3f9c01ab; upcard admin revoke --all")
def admin_revoke(
    admission: Annotated[
        str | None, typer.Argument(metavar="ADMISSION", help="The id of an admission, as listed by `admissions`.")
    ] = None,
    everybody: Annotated[bool, typer.Option("--all", help="End all admissions.")] = False,
    data: DataOption = None,
) -> None:
    """End the admission of a browser, which must then enter the passphrase again. Its connections are closed within
    two seconds."""
    if (admission is None) is not everybody:
        raise typer.BadParameter("name one admission, or --all")
    with needs("serve"):
        from upcard.server import database
        from upcard.server.admin import revoke
    typer.echo(f"{counted(revoke(database(data), admission), 'admission')} ended")


@admin.command("devices", epilog="Example: upcard admin devices")
def admin_devices(data: DataOption = None) -> None:
    """List the devices of people who have several: id, when it was last used (within an hour), its browser, and the
    person's last name at a table."""
    with needs("serve"):
        from upcard.server import database
        from upcard.server.admin import shared_devices
    for line in shared_devices(database(data)):
        typer.echo(line)


@admin.command("remove-device", epilog="Example: upcard admin remove-device 3f9c01ab")
def admin_remove_device(
    device: Annotated[str, typer.Argument(metavar="DEVICE", help="The id of a device, as listed by `devices`.")],
    data: DataOption = None,
) -> None:
    """Remove a device from its person's devices, if it was lost and they cannot. Its connections are closed within two
    seconds."""
    with needs("serve"):
        from upcard.server import database
        from upcard.server.admin import dismiss_device
    typer.echo(f"Removed: {dismiss_device(database(data), device)}")


@admin.command("close", epilog="Example: upcard admin close k3x9f2ab")
def admin_close(table: TableArgument, data: DataOption = None) -> None:
    """End the match of a table without a winner. Everyone at the table is notified within two seconds."""
    with needs("serve"):
        from upcard.server import database
        from upcard.server.admin import close
    close(database(data), table)
    typer.echo(f"Table {table} is closed; everyone at it will be notified.")
