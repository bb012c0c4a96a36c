"""The table in a browser: HTTP and WebSocket over `upcard.table`."""

from __future__ import annotations

import contextlib
import gc
import os
import socket
import sys
import threading
import webbrowser
from dataclasses import replace
from pathlib import Path

import platformdirs
import uvicorn
from sqlalchemy.exc import SQLAlchemyError

from upcard.engine.errors import UpcardError
from upcard.server.app import Application
from upcard.server.heartbeats import BROKEN, Watchdog, end_now
from upcard.server.hosting import Hosting
from upcard.server.listening import address, allow_open_files, is_private, listen
from upcard.server.logs import log_in_lines
from upcard.server.metrics import serve_metrics
from upcard.server.storage import place_of, sqlite_file, url_of
from upcard.server.uvicorn_protocols import GatheringProtocol, Punctual

LONGEST_MESSAGE = 4096
"""The largest WebSocket message a page may send, in bytes."""
HEARTBEAT = 4.0
"""Seconds between WebSocket pings, and the time allowed for the answer to one."""
SWITCH = 0.0005
"""Seconds between switches of threads, instead of Python's 0.005, so that threads that load tables delay the event loop
less."""
SPARE_FILES = 200
"""File descriptors reserved for everything but connections; where few are allowed, half of them."""


def database(data: Path | None = None) -> str:
    """The URL of the database: `UPCARD_DATABASE`, or else a file in `data` (by default the user's data directory)."""
    return os.environ.get("UPCARD_DATABASE") or url_of(data or Path(platformdirs.user_data_dir("upcard")))


def make_database(data: Path | None = None) -> str:
    """Like `database`, but also create the directory, and the file, which only its owner may read, if they are missing.
    Raises UpcardError if the directory cannot be created."""
    url = database(data)
    if (file := sqlite_file(url)) is not None:
        try:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            reason = "this is a file, not a directory" if file.parent.is_file() else error.strerror or error
            raise UpcardError(f"{file.parent} cannot be used: {reason}") from None
        with contextlib.suppress(OSError):  # reported when the database is opened
            file.touch(mode=0o600)
    return url


def run_server(
    hosting: Hosting, host: str, port: int, *, open_browser: bool, access_log: bool, share: bool = False
) -> None:
    """Serve tables until Ctrl-C, with `share` also through a tunnel. Raises UpcardError if the server or the tunnel
    cannot start."""
    log_in_lines(access_log)
    sockets = [listen(host, port)]
    if not share:
        _run(hosting, host, sockets, open_browser)
        return
    from upcard.server.sharing import shared

    with shared(hosting) as (hosting, behind_tunnel):
        _run(hosting, host, [*sockets, behind_tunnel], open_browser)


def _run(hosting: Hosting, host: str, sockets: list[socket.socket], open_browser: bool) -> None:
    """Serve tables on these listeners, the first of which has this host, until Ctrl-C. Raises UpcardError."""
    shown = hosting.public_url or address(host, sockets[0].getsockname()[1])
    if not is_private(host):
        hosting = replace(hosting, address=shown)
    try:
        application = Application(hosting)
    except SQLAlchemyError as error:
        reason = getattr(error, "orig", None) or error
        raise UpcardError(f"the tables in {place_of(hosting.database)} cannot be opened: {reason}") from None
    metrics = serve_metrics(application.store.metrics, *hosting.metrics) if hosting.metrics else None
    _collect_seldom()
    sys.setswitchinterval(SWITCH)
    server = _Server(application, configure(application, hosting), shown, open_browser)
    try:
        server.run(sockets=sockets)
    except SystemExit:  # how uvicorn reports a failed start
        raise UpcardError("the server could not start: see the last lines of its log") from None
    except KeyboardInterrupt:
        if not application.store.is_damaged:
            print("All tables are saved. Goodbye.")
    finally:
        if metrics is not None:
            metrics.shutdown()
    if application.store.is_damaged:  # a normal exit would close its connections, and SQLite would then write
        end_now(BROKEN)


def _collect_seldom() -> None:
    """Make garbage collection short and full collections rare: they stall every table, and tables leave no cycles to
    collect."""
    gc.freeze()
    gc.set_threshold(1_000, 2_000, 10)


def configure(application: Application, hosting: Hosting) -> uvicorn.Config:
    """The settings with which uvicorn serves the application."""
    allowed = allow_open_files()
    Punctual.most = allowed - min(SPARE_FILES, allowed // 2)
    Punctual.hosting = hosting
    return uvicorn.Config(
        application,
        http=Punctual,
        ws=GatheringProtocol,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # `Application` checks the sender before it trusts them
        ws_max_size=LONGEST_MESSAGE,
        ws_per_message_deflate=False,
        ws_ping_interval=HEARTBEAT,
        ws_ping_timeout=HEARTBEAT,
        timeout_graceful_shutdown=2,
    )


class _Server(uvicorn.Server):
    """Prints its address once it can be reached, and warns every open page before it shuts down."""

    def __init__(self, application: Application, config: uvicorn.Config, shown: str, open_browser: bool) -> None:
        super().__init__(config)
        self._application = application
        self._shown = shown
        self._open_browser = open_browser
        self._watchdog: Watchdog | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.should_exit:
            return
        print(f"Upcard is at {self._shown} (Ctrl-C ends it)", flush=True)
        if self._application.store.is_new:
            print(f"No tables yet: {place_of(self._application.hosting.database)} is a new, empty database", flush=True)
        self._watchdog = Watchdog(self._application.vitals)
        self._application.store.timekeeper.add(self._watchdog.check)
        entry = self._shown
        if (share := self._application.hosting.share) is not None:
            from upcard.server.sharing import announce, with_passphrase

            entry = with_passphrase(self._shown, share.passphrase)
            announce(share)
        if self._open_browser:
            threading.Thread(target=_browse, args=(entry,), daemon=True).start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._watchdog is not None:
            self._watchdog.stop()
        await self._application.say_goodbye()
        await super().shutdown(sockets)


def _browse(shown: str) -> None:
    try:
        webbrowser.open(shown)
    except webbrowser.Error:
        return
