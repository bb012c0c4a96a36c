"""The table in a browser: HTTP and WebSocket over `upcard.table`."""

from __future__ import annotations

import errno
import logging
import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import NoReturn

import platformdirs
import uvicorn
from litestar.types import ASGIApp
from sqlalchemy.exc import SQLAlchemyError

from upcard.server.app import create_app
from upcard.server.storage import url_of

LONGEST_MESSAGE = 4096
"""Bytes in one message of a page."""


def run(host: str = "127.0.0.1", port: int = 8018, data: Path | None = None, open_browser: bool = False) -> None:
    """Serve tables until Ctrl-C. Exits with status 1 and one line if that cannot begin.

    Tables are kept in `data`, by default in the user's data directory; `UPCARD_DATABASE` names another database.
    """
    _log_in_lines()
    listening = _listen(host, port)
    app = _open(data or Path(platformdirs.user_data_dir("upcard")))
    server = _Server(configure(app), _address(host, listening.getsockname()[1]), open_browser)
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        print("The tables are kept. Goodbye.")


def configure(app: ASGIApp) -> uvicorn.Config:
    """How the application is served."""
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        ws_max_size=LONGEST_MESSAGE,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=2,
    )


class _Server(uvicorn.Server):
    """Says where it is as soon as it can be reached."""

    def __init__(self, config: uvicorn.Config, address: str, open_browser: bool) -> None:
        super().__init__(config)
        self._address = address
        self._open_browser = open_browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        print(f"Upcard is at {self._address} (Ctrl-C ends it)", flush=True)
        if self._open_browser:
            threading.Thread(target=_browse, args=(self._address,), daemon=True).start()


def _browse(address: str) -> None:
    try:
        webbrowser.open(address)
    except webbrowser.Error:
        return


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens there, or the end of the program."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        if os.name == "posix":  # elsewhere this would let two servers have the same port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(1024)
    except (OSError, OverflowError) as error:
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            _give_up(f"port {port} is in use already: choose another with --port")
        _give_up(f"cannot listen on {host}, port {port}: {getattr(error, 'strerror', None) or error}")
    return listening


def _open(folder: Path) -> ASGIApp:
    """The application over the tables in this folder, or the end of the program."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return create_app(os.environ.get("UPCARD_DATABASE") or url_of(folder))
    except OSError as error:
        _give_up(f"{folder} cannot be used: {error.strerror or error}")
    except SQLAlchemyError as error:
        _give_up(f"the tables in {folder} cannot be opened: {getattr(error, 'orig', None) or error}")


def _address(host: str, port: int) -> str:
    """What to type into a browser: a server for the whole network is named by this machine's address in it."""
    if host in ("0.0.0.0", "::", ""):
        host = _own_address()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _own_address() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent
            return str(probe.getsockname()[0])
        except OSError:
            return "localhost"


def _log_in_lines() -> None:
    """One line on standard error for whatever goes wrong, never a traceback."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_OneLine("%(asctime)s %(levelname)s %(message)s"))
    for name in ("upcard", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(logging.WARNING)
        logger.propagate = False


class _OneLine(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        record.message = " ".join(record.getMessage().split())
        if record.exc_info and record.exc_info[1] is not None:
            record.message += f": {record.exc_info[1]!r}"
        record.asctime = self.formatTime(record, self.datefmt)
        return self.formatMessage(record)


def _give_up(message: str) -> NoReturn:
    print(" ".join(message.split())[:300], file=sys.stderr)
    raise SystemExit(1)
