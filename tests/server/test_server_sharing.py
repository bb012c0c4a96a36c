"""`upcard serve --share`, with a stand-in for the tunnel program: what comes through the tunnel, and what ends it."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from serving import COMPUTER, ME, running_server
from waiting import PATIENCE, wait_until
from websockets.asyncio.client import connect
from websockets.typing import Origin

from upcard.engine.errors import UpcardError
from upcard.server import sharing
from upcard.server.hosting import Hosting, Limits, SharedLink
from upcard.server.sharing import open_tunnel, shared, with_passphrase
from upcard.server.storage import url_of

LINK = "https://seven-green-cards.trycloudflare.com"
STAND_IN = """#!{python}
import os, signal, sys, time
print("Requesting new quick Tunnel on https://api.trycloudflare.com/tunnel", flush=True)
open({folder!r} + "/asked", "w").write(" ".join(sys.argv[1:]))
open({folder!r} + "/pid", "w").write(str(os.getpid()))
{then}
"""
OPENS = f'print("|  {LINK}  |", flush=True); time.sleep(600)'


@contextmanager
def installed(folder: Path, name: str = "cloudflared", then: str = OPENS) -> Iterator[Path]:
    """A stand-in for a tunnel program, alone on the path; yields the folder where it writes how it was called."""
    (folder / "bin").mkdir(exist_ok=True)
    program = folder / "bin" / name
    program.write_text(STAND_IN.format(python=sys.executable, folder=str(folder), then=then), encoding="utf-8")
    program.chmod(0o755)
    yield folder


@pytest.fixture(autouse=True)
def only_stand_ins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text(encoding="utf-8").rpartition(") ")[2][0] != "Z"


def test_a_tunnel_is_opened_and_ends_with_its_block(tmp_path: Path) -> None:
    with installed(tmp_path), shared(Hosting("sqlite://")) as (hosting, listener):
        port = listener.getsockname()[1]
        assert hosting.share is not None
        assert (hosting.share.port, hosting.share.link) == (port, LINK)
        assert f"http://127.0.0.1:{port}" in (tmp_path / "asked").read_text(encoding="utf-8")
        assert hosting.passphrase == hosting.share.passphrase and len(hosting.passphrase or "") == 9
        pid = int((tmp_path / "pid").read_text(encoding="utf-8"))
        assert is_running(pid)
        listener.close()
    wait_until(lambda: not is_running(pid))


def test_a_passphrase_of_the_house_stays_and_is_in_no_link(tmp_path: Path) -> None:
    with installed(tmp_path), shared(Hosting("sqlite://", passphrase="ace of hearts")) as (hosting, listener):
        assert hosting.passphrase == "ace of hearts"
        assert hosting.share is not None and hosting.share.passphrase is None
        assert with_passphrase(LINK, hosting.share.passphrase) == LINK
        listener.close()


def test_without_a_tunnel_program_three_lines_say_what_to_install() -> None:
    with pytest.raises(UpcardError, match="no tunnel program is installed") as refused:
        open_tunnel(1)
    assert len(str(refused.value).splitlines()) == 3


def test_a_program_that_opens_nothing_is_quoted_and_the_next_one_tried(tmp_path: Path) -> None:
    with installed(tmp_path, then="sys.exit('there is no network')"):
        with pytest.raises(UpcardError, match=r"cloudflared opened no tunnel: .*there is no network"):
            open_tunnel(1)
        with installed(tmp_path, "tailscale", "print('https://den.tail1.ts.net/', flush=True); time.sleep(600)"):
            tunnel = open_tunnel(1)
            assert (tunnel.name, tunnel.link) == ("tailscale", "https://den.tail1.ts.net")
            tunnel.close()


def test_a_program_that_waits_for_something_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "START_TIME", 1.0)
    asks = "print('To allow this, visit https://login.tailscale.com/f/funnel', flush=True); time.sleep(600)"
    with installed(tmp_path, "tailscale", asks), pytest.raises(UpcardError, match="visit https://login"):
        open_tunnel(1)
    pid = int((tmp_path / "pid").read_text(encoding="utf-8"))
    wait_until(lambda: not is_running(pid))


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_the_tunnel_ends_with_the_server_however_that_ends(how: signal.Signals, tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from upcard.cli import main; main()", "serve", "--share", "--no-browser"]
    with installed(tmp_path):
        server = subprocess.Popen(
            [*command, "--no-warm", "--port", "0", "--data", str(tmp_path)],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"UPCARD_CACHE": str(tmp_path / "cache"), "UPCARD_DATABASE": ""},
        )
        assert server.stdout is not None
        lines = []
        for line in server.stdout:
            lines.append(line)
            if "passphrase of this run" in line:
                break
        server.send_signal(how)
        server.communicate(timeout=PATIENCE)
    secret = lines[-1].rpartition(" ")[2].strip()
    assert f"Friends anywhere come in by {LINK}/#enter={secret}\n" in lines
    assert sum("█" in line for line in lines) > 10, "a code for cameras"
    pid = int((tmp_path / "pid").read_text(encoding="utf-8"))
    wait_until(lambda: not is_running(pid))


@asynccontextmanager
async def behind_tunnel(folder: Path, **more: Any) -> AsyncIterator[tuple[str, str]]:
    """A house with a tunnel: yields where its own listener is, and where the tunnel leads."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    own, tunnel = (int(one.getsockname()[1]) for one in sockets)
    async with running_server(Hosting(url_of(folder), share=SharedLink(tunnel, LINK), **more), *sockets):
        yield f"127.0.0.1:{own}", f"127.0.0.1:{tunnel}"


async def test_headers_are_believed_at_the_listener_of_the_tunnel_alone(tmp_path: Path) -> None:
    async with behind_tunnel(tmp_path, limits=Limits(requests=0.001)) as (place, tunnel), httpx.AsyncClient() as http:
        through = {"X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "https", "Host": LINK.partition("//")[2]}
        assert (await http.get(f"http://{place}/api/levels", headers=through)).status_code == 421
        answers = [await http.get(f"http://{tunnel}/api/levels", headers=through) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [200, 429], "counted by the visitor's own address"
        assert "strict-transport-security" in answers[0].headers
        through["X-Forwarded-For"] = "127.0.0.1, 198.51.100.8"
        answer = await http.get(f"http://{tunnel}/api/club", headers=through)
        assert answer.json()["address"] == LINK
        assert (await http.get(f"http://{place}/metrics")).status_code != 200


async def test_a_page_behind_the_tunnel_plays_and_others_stay_out(tmp_path: Path) -> None:
    through = {"X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "https"}
    wish = {"game": "rounds", "players": 2, "options": {}, "name": "Ann", "seats": [ME, COMPUTER], "pledge": None}
    async with behind_tunnel(tmp_path) as (_, tunnel), httpx.AsyncClient(headers=through) as http:
        url = f"http://{tunnel}/api/tables"
        assert (await http.post(url, json=wish, headers={"Origin": "https://evil.example"})).status_code == 403
        opened = await http.post(url, json=wish, headers={"Origin": LINK})
        assert opened.status_code == 201
        assert "secure" in opened.headers["set-cookie"].lower()
        cookie = {"Cookie": opened.headers["set-cookie"].partition(";")[0]}
        address = f"ws://{tunnel}/api/tables/{opened.json()['id']}/play"
        async with connect(address, origin=Origin(LINK), additional_headers=through | cookie) as line:
            assert "welcome" in str(await asyncio.wait_for(line.recv(), PATIENCE))


def test_a_link_is_checked_until_it_leads_to_this_house(monkeypatch: pytest.MonkeyPatch) -> None:
    reasons = iter(["the name is not known", None])
    monkeypatch.setattr(sharing, "_why_not", lambda link: next(reasons))
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    assert sharing._check_link(LINK, 5) is None
    monkeypatch.setattr(sharing, "_why_not", lambda link: "something else answers there")
    assert sharing._check_link(LINK, 0) == "something else answers there"
